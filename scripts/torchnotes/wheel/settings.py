"""What a wheel can be set by from outside: environment variables that it reads, and flags of its config modules.

Read from its Python files by their syntax trees, and from its C++ headers by careful patterns. What only a compiled
library reads is not seen, nor a name that is put together while the program runs.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from torchnotes.wheel.archive import Archive, WheelError
from torchnotes.wheel.syntax import imported_from, module_of, parsed


@dataclass(frozen=True, slots=True)
class Setting:
    """One environment variable or config flag."""

    name: str
    """``TORCH_LOGS``, or the dotted name ``torch._inductor.config.triton.cudagraphs``."""
    default: str | None
    """Source text of its default; None where none is stated, or where two places state different ones."""
    where: tuple[str, ...]
    """Each place, as ``file:line``, by file and line."""


@dataclass(slots=True)
class _Places:
    """What was found so far about each setting."""

    found: dict[str, list[tuple[str, int, str | None]]] = field(default_factory=dict)
    """Name → file, line and default of each place."""

    def add(self, name: str, file: str, line: int, default: str | None = None) -> None:
        self.found.setdefault(name, []).append((file, line, default))

    def settings(self) -> Mapping[str, Setting]:
        return MappingProxyType({name: _setting(name, self.found[name]) for name in sorted(self.found)})


def _setting(name: str, places: list[tuple[str, int, str | None]]) -> Setting:
    where = dict.fromkeys((file, line) for file, line, _ in sorted(places, key=lambda place: place[:2]))
    defaults = {default for _, _, default in places if default is not None}
    default = defaults.pop() if len(defaults) == 1 else None
    return Setting(name, default, tuple(f"{file}:{line}" for file, line in where))


# ---- Environment variables ------------------------------------------------------------------------------------

_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{2,}")
"""What an environment variable's name looks like. `os.environ.get(name)` with another constant is not one of ours."""

# A file without any of these reads no environment variable; most files need not be parsed.
_READS = re.compile(rb"\benviron\b|\bgetenv\b|\benv_name_|env\w*\(\s*[\"'][A-Z]")
_ENVIRON = {"environ", "os.environ", "_environ"}
_GETTERS = {f"{one}.{how}" for one in _ENVIRON for how in ("get", "setdefault", "__getitem__")} | {
    "os.getenv",
    "getenv",
}


def environment_variables(archive: Archive) -> Mapping[str, Setting]:
    """Environment variables that Python files and headers read, by name.

    Found too: a name that stands in a constant, or in a literal list that a loop goes through, and one that is handed
    to a function which reads the variable that it is told. Raises ``WheelError`` when a file cannot be read.
    """
    places = _Places()
    files: list[_Reader] = []
    for path in sorted(archive.python_files()):
        if not path.endswith(".py"):
            continue
        data = archive.read(path)
        reader = _read(path, data) if _READS.search(data) else None
        if reader is not None:
            files.append(reader)
    constants = {reader.module: reader.constants for reader in files}
    helpers = {name: helper for reader in files for name, helper in reader.helpers.items()}
    for reader in files:
        reader.report(places, constants, helpers)
    for path in sorted(archive.names):
        if _is_header(path):
            _read_header(archive.text(path), path, places)
    return places.settings()


def unread_files(archive: Archive) -> Mapping[str, bytes]:
    """Python files that may read or define settings and are no Python that can be parsed: nothing is known of them."""
    found = {}
    for path in sorted(archive.python_files()):
        if path.endswith(".py"):
            data = archive.read(path)
            if (_READS.search(data) or b"install_config_module" in data) and _read(path, data) is None:
                found[path] = data
    return found


def _tree_of(data: bytes) -> ast.Module | None:
    try:
        return parsed(data.decode("utf-8", errors="replace"))
    except WheelError:
        # A template, or a test of other Python versions: nothing can import it either.
        return None


@dataclass(frozen=True, slots=True)
class _Helper:
    """A function that reads the environment variable whose name it is given."""

    place: int
    """Place of the name among the positional arguments, without ``self``."""
    parameter: str
    """Its parameter's name."""


@dataclass(frozen=True, slots=True)
class _Use:
    """A place whose variable is known only when every file is read."""

    name: str
    """Dotted name of a constant, as written."""
    line: int
    default: str | None


@dataclass(frozen=True, slots=True)
class _Call:
    """A call that may be one of a helper."""

    function: str
    """Last name of what is called."""
    positional: tuple[str | None, ...]
    keywords: tuple[tuple[str, str], ...]
    line: int


# Most files are the same in the wheels of neighbouring versions and of other platforms.
@lru_cache(maxsize=1024)
def _read(path: str, data: bytes) -> "_Reader | None":
    """What one file says; None when it is no Python that can be read."""
    tree = _tree_of(data)
    if tree is None:
        return None
    reader = _Reader(path)
    reader.visit(tree)
    return reader


class _Reader(ast.NodeVisitor):
    """What one file says about environment variables. Keeps no tree: few facts of each file are left."""

    def __init__(self, path: str) -> None:
        """Prepare to visit the file at ``path``."""
        self.path = path
        self.module = module_of(path)
        self.constants: dict[str, str] = {}
        self.helpers: dict[str, _Helper] = {}
        self._imported: dict[str, str] = {}
        self._reads: list[tuple[str, int, str | None]] = []
        self._uses: list[_Use] = []
        self._calls: list[_Call] = []
        self._scopes: list[dict[str, set[str]]] = [{}]
        self._functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = []

    def report(
        self, places: _Places, constants: Mapping[str, Mapping[str, str]], helpers: Mapping[str, _Helper]
    ) -> None:
        """Add what this file reads to ``places``, now that constants and helpers of every file are known."""
        for name, line, default in self._reads:
            places.add(name, self.path, line, default)
        for use in self._uses:
            module, _, last = self._absolute(use.name).rpartition(".")
            if text := constants.get(module, {}).get(last):
                places.add(text, self.path, use.line, use.default)
        for call in self._calls:
            # Without an import it would be any method of that name.
            imported = self._imported.get(call.function, "").rpartition(".")[2]
            helper = self.helpers.get(call.function) or helpers.get(imported)
            if helper and (given := _argument(call, helper)):
                places.add(given, self.path, call.line)

    def _absolute(self, name: str) -> str:
        first, separator, rest = name.partition(".")
        return f"{self._imported.get(first, first)}{separator}{rest}" if separator or first in self._imported else name

    # -- names

    def visit_Import(self, node: ast.Import) -> None:
        """Remember what a name stands for."""
        for alias in node.names:
            if alias.asname:
                self._imported[alias.asname] = alias.name

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Remember what a name stands for."""
        module = imported_from(node, self.path) or ""
        for alias in node.names:
            self._imported[alias.asname or alias.name] = f"{module}.{alias.name}"

    def visit_Assign(self, node: ast.Assign) -> None:
        """Remember a constant."""
        for target in node.targets:
            self._bind(target, node.value)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Remember a constant."""
        self._bind(node.target, node.value)
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        """Remember what a loop goes through."""
        self._bind_each(node.target, node.iter)
        self.generic_visit(node)

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> None:
        """Remember what a loop goes through, which is written behind what it does."""
        for generator in node.generators:
            self._bind_each(generator.target, generator.iter)
        self.generic_visit(node)

    visit_SetComp = visit_GeneratorExp = visit_DictComp = visit_ListComp  # noqa: N815

    def _bind(self, target: ast.expr, value: ast.expr | None) -> None:
        if not isinstance(target, ast.Name) or value is None:
            return
        texts = _texts(value)
        self._scopes[-1].setdefault(target.id, set()).update(texts)
        if len(self._scopes) == 1 and len(texts) == 1 and isinstance(value, ast.Constant):
            self.constants[target.id] = texts[0]

    def _bind_each(self, target: ast.expr, values: ast.expr) -> None:
        texts = _texts(values) if not isinstance(values, ast.Constant) else []
        if isinstance(values, ast.Name):
            texts = sorted(self._known(values.id))
        if isinstance(target, ast.Name):
            self._scopes[-1].setdefault(target.id, set()).update(texts)

    def _known(self, name: str) -> set[str]:
        return next((scope[name] for scope in reversed(self._scopes) if scope.get(name)), set())

    # -- functions

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Enter a function."""
        self._functions.append(node)
        self._scopes.append({})
        self.generic_visit(node)
        self._scopes.pop()
        self._functions.pop()

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    # -- reads

    def visit_Call(self, node: ast.Call) -> None:
        """A call of the environment's own functions, of ``Config``, or perhaps of a helper."""
        function = ast.unparse(node.func) if isinstance(node.func, ast.Name | ast.Attribute) else ""
        if function in _GETTERS:
            if node.args:
                default = node.args[1] if len(node.args) > 1 else _keyword(node, "default")
                self._read(node.args[0], node.lineno, default)
        elif function:
            for keyword in node.keywords:
                if keyword.arg in {"env_name_force", "env_name_default"}:
                    for text in _variables(_texts(keyword.value)):
                        self._reads.append((text, node.lineno, None))
            self._maybe_helper(function.rpartition(".")[2], node)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """``os.environ["X"]``, where it is read."""
        if isinstance(node.ctx, ast.Load) and _is_environ(node.value):
            self._read(node.slice, node.lineno, None)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        """``"X" in os.environ``."""
        if isinstance(node.ops[0], ast.In | ast.NotIn) and _is_environ(node.comparators[0]):
            self._read(node.left, node.lineno, None)
        self.generic_visit(node)

    def _read(self, name: ast.expr, line: int, default: ast.expr | None) -> None:
        shown = ast.unparse(default) if default is not None else None
        if isinstance(name, ast.Constant):
            self._reads += [(text, line, shown) for text in _variables(_texts(name))]
        elif isinstance(name, ast.Name) and self._is_parameter(name.id):
            self._add_helper(name.id)
        elif isinstance(name, ast.Name) and (texts := self._known(name.id)):
            self._reads += [(text, line, shown) for text in _variables(sorted(texts))]
        elif isinstance(name, ast.Name | ast.Attribute):
            self._uses.append(_Use(ast.unparse(name), line, shown))

    def _is_parameter(self, name: str) -> bool:
        return bool(self._functions) and name in _parameters(self._functions[-1])

    def _add_helper(self, parameter: str) -> None:
        function = self._functions[-1]
        names = _parameters(function)
        is_bound = bool(names) and names[0] in {"self", "cls"}
        self.helpers[function.name] = _Helper(names.index(parameter) - is_bound, parameter)

    def _maybe_helper(self, function: str, node: ast.Call) -> None:
        texts = tuple(_variable(one) for one in node.args)
        keywords = tuple((one.arg, text) for one in node.keywords if one.arg and (text := _variable(one.value)))
        if any(texts) or keywords:
            self._calls.append(_Call(function, texts, keywords, node.lineno))


def _argument(call: _Call, helper: _Helper) -> str | None:
    if helper.parameter in (named := dict(call.keywords)):
        return named[helper.parameter]
    return call.positional[helper.place] if 0 <= helper.place < len(call.positional) else None


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    arguments = function.args
    return [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def _is_environ(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) in _ENVIRON


def _keyword(node: ast.Call, name: str) -> ast.expr | None:
    return next((one.value for one in node.keywords if one.arg == name), None)


def _variable(node: ast.expr) -> str | None:
    return next(iter(_variables(_texts(node))), None) if isinstance(node, ast.Constant) else None


def _variables(texts: Iterable[str]) -> Iterator[str]:
    return (text for text in texts if _VARIABLE.fullmatch(text))


def _texts(node: ast.expr) -> list[str]:
    """A literal text, or the literal texts of a list, tuple or set."""
    items = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else [node]
    return [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]


# ---- Headers --------------------------------------------------------------------------------------------------

_HEADER_NAMES = (".h", ".hpp", ".cuh")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_READ_IN_C = re.compile(r'\b(?:(?:secure_)?getenv|(?:check|get|has)_env)\s*\(\s*"([A-Z][A-Z0-9_]{2,})"')
_LIST_IN_C = re.compile(
    r"\b(?:getCvar[A-Za-z]*\s*\(\s*|vector<\s*std::string\s*>\s+[A-Z][A-Z0-9_]*\s*=\s*)\{([^{}]*)\}"
)
_TEXT_IN_C = re.compile(r'"([A-Z][A-Z0-9_]{2,})"')


def _is_header(path: str) -> bool:
    # Those of the operators are generated, many, and read nothing.
    return path.endswith(_HEADER_NAMES) and "/include/" in path and "/include/ATen/ops/" not in path


def _read_header(source: str, path: str, places: _Places) -> None:
    if "env" not in source and "Cvar" not in source and "vector<std::string>" not in source:
        return
    code = _COMMENT.sub(lambda comment: "\n" * comment.group().count("\n"), source)
    for match in _READ_IN_C.finditer(code):
        places.add(match[1], path, _line(code, match.start()))
    for match in _LIST_IN_C.finditer(code):
        for text in _TEXT_IN_C.finditer(match[1]):
            places.add(text[1], path, _line(code, match.start(1) + text.start()))


def _line(code: str, at: int) -> int:
    return code.count("\n", 0, at) + 1


# ---- Config flags ---------------------------------------------------------------------------------------------

_MADE_HERE = "utils/_config_module.py"
"""Where `install_config_module` is defined: no config module itself."""


def config_flags(archive: Archive) -> Mapping[str, Setting]:
    """Flags of every module that calls ``install_config_module`` on itself, by dotted name.

    A nested class is a group of flags: ``torch._inductor.config.triton.cudagraphs``. The default is source text: the
    assigned expression, or what ``Config(default=...)`` names. Raises ``WheelError`` when a file cannot be read.
    """
    places = _Places()
    for path in sorted(archive.python_files()):
        if not path.endswith(".py") or path.endswith(_MADE_HERE):
            continue
        data = archive.read(path)
        if b"install_config_module" not in data:
            continue
        tree = _tree_of(data)
        if tree is not None and _installs_itself(tree):
            groups = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
            _flags(tree.body, f"{module_of(path)}.", path, places, groups)
    return places.settings()


def _installs_itself(tree: ast.Module) -> bool:
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name | ast.Attribute)
        and ast.unparse(node.func).rpartition(".")[2].lstrip("_") == "install_config_module"
        and "__name__" in ast.unparse(node)
        for statement in tree.body
        for node in ast.walk(statement)
    )


def _flags(
    body: Iterable[ast.stmt], prefix: str, path: str, places: _Places, groups: Mapping[str, ast.ClassDef]
) -> None:
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_flag(name, value):
                places.add(f"{prefix}{name}", path, node.lineno, _default(value))
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None and _is_flag(name, value):
                places.add(f"{prefix}{name}", path, node.lineno, _default(value))
            case ast.ClassDef():
                _flags(_with_inherited(node, groups), f"{prefix}{node.name}.", path, places, groups)
            case ast.If(test=test) if "TYPE_CHECKING" not in ast.unparse(test):
                _flags([*node.body, *node.orelse], prefix, path, places, groups)
            case ast.With() | ast.Try():
                _flags(node.body, prefix, path, places, groups)


def _with_inherited(group: ast.ClassDef, groups: Mapping[str, ast.ClassDef]) -> list[ast.stmt]:
    """What a group holds: its own flags, and those of groups above it that it does not set again."""
    own = {name for node in group.body for name in _assigned(node)}
    above = [groups[base.id] for base in group.bases if isinstance(base, ast.Name) and base.id in groups]
    # A group stands below those it is made from, so that there can be no circle.
    inherited = [node for one in above if one.lineno < group.lineno for node in _with_inherited(one, groups)]
    return [*group.body, *(node for node in inherited if not own & set(_assigned(node)))]


def _assigned(node: ast.stmt) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _is_flag(name: str, value: ast.expr) -> bool:
    return not name.startswith("__") and not isinstance(value, ast.Lambda)


def _default(value: ast.expr) -> str:
    if not isinstance(value, ast.Call) or ast.unparse(value.func).rpartition(".")[2] not in {"Config", "_Config"}:
        return ast.unparse(value)
    given = _keyword(value, "default") or next(iter(value.args), None)
    if given is not None:
        return ast.unparse(given)
    alias = _keyword(value, "alias")
    # An alias has no default of its own: it answers with that of another flag.
    return f"alias of {ast.literal_eval(alias)}" if isinstance(alias, ast.Constant) else ast.unparse(value)

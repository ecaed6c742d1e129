"""The Python files of a wheel → what each module says about its names. Facts only: no tree is kept.

Knows how a name is written, not whether it is public nor where an import leads: that is for ``inventory``.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from torchnotes.wheel.archive import Archive, WheelError
from torchnotes.wheel.syntax import Parameter, Placed, imported_from, module_of, parameters_of, parsed, statements

_PROPERTIES = {"property", "cached_property", "classproperty"}
_CONSTRUCTORS = ("__init__", "__new__")
_CALLER_IS_FIRST = {"staticmethod"}
_MAKERS = {"_add_docstr", "boolean_dispatch"}
"""Functions of PyTorch's own that hand back a function: what they are assigned to is one."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A function, class, property or value, as it is written."""

    sort: str
    """``function``, ``class``, ``property``, ``value``, ``C function``."""
    parameters: tuple[Parameter, ...] | None = None
    """How it is called, without ``self``; of a class its constructor. None when the text does not say."""
    bases: tuple[str, ...] = ()
    """Its base classes as dotted names, from the top as far as imports tell."""
    is_deprecated: bool = False
    """Whether a decorator announces its end."""
    raises: str | None = None
    """Name of the error, when raising it is all that it does."""
    value: str | None = None
    """Source text of a value."""
    members: Mapping[str, "Thing"] = field(default_factory=dict)
    """Public members of a class by name, nested classes too."""


@dataclass(slots=True)
class Module:
    """What one file says."""

    name: str
    """Dotted name."""
    path: str
    """Its file in the wheel."""
    things: dict[str, Thing] = field(default_factory=dict)
    """What it defines, private names too."""
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Name → module it is imported from and its name there; an empty name for a module itself."""
    stars: list[str] = field(default_factory=list)
    """Modules of which every public name is imported."""
    exported: list[str] | None = None
    """Names in ``__all__`` as far as they are literal; None when there is no ``__all__``."""
    also_exported: list[str] = field(default_factory=list)
    """Modules whose ``__all__`` is part of this one's."""


class Modules:
    """Every module of a wheel, read when it is asked for."""

    def __init__(self, archive: Archive) -> None:
        """Read nothing yet."""
        self._archive = archive
        self._read: dict[str, Module | None] = {}
        self.paths: dict[str, str] = {}
        for path in archive.python_files():
            if path.endswith(".py"):
                name = module_of(path)
                # A package wins over a file of the same name, as it does for Python.
                if name not in self.paths or path.endswith("/__init__.py"):
                    self.paths[name] = path

    def get(self, name: str) -> Module | None:
        """The module of this dotted name; None when there is no such file, or nothing that can be read."""
        if name not in self._read:
            self._read[name] = self._of(name)
        return self._read[name]

    def _of(self, name: str) -> Module | None:
        path = self.paths.get(name)
        if path is None:
            return None
        try:
            tree = parsed(self._archive.text(path))
        except WheelError:
            return None
        module = Module(name, path)
        for placed in statements(tree.body):
            if not placed.is_type_checking:
                _note(placed, module)
        return module


def _note(placed: Placed, module: Module) -> None:
    match placed.node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() as node:
            _keep(module.things, node.name, _function(node, module, is_method=False))
        case ast.ClassDef() as node:
            _keep(module.things, node.name, _class(node, module))
        case ast.ImportFrom(names=names) as node:
            source = imported_from(node, module.path) or ""
            for alias in names:
                if alias.name == "*":
                    module.stars.append(source)
                else:
                    module.imports[alias.asname or alias.name] = source, alias.name
        case ast.Import(names=names):
            for alias in names:
                if alias.asname:
                    module.imports[alias.asname] = alias.name, ""
        case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
            module.exported, module.also_exported = [], []
            _export(value, module)
        case ast.AnnAssign(target=ast.Name(id="__all__"), value=ast.expr() as value):
            module.exported, module.also_exported = [], []
            _export(value, module)
        case ast.AugAssign(target=ast.Name(id="__all__"), value=value):
            _export(value, module)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="__all__"), attr=how), args=[value])):
            _export(ast.List([value]) if how == "append" else value, module)
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                for name in _names(target):
                    _value(module, name, value)
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            _value(module, name, value)


def _value(module: Module, name: str, value: ast.expr) -> None:
    # `y = x` and `y = z.x` are other names of the same thing.
    if isinstance(value, ast.Name) and value.id in module.things:
        module.things[name] = module.things[value.id]
    elif isinstance(value, ast.Name) and value.id in module.imports:
        module.imports[name] = module.imports[value.id]
    elif isinstance(value, ast.Call) and ast.unparse(value.func).rpartition(".")[2] in _MAKERS:
        module.things[name] = Thing("C function")
    else:
        module.things[name] = Thing("value", value=ast.unparse(value) if name.isupper() else None)


def _names(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for one in target.elts:
            yield from _names(one)


def _keep(things: dict[str, Thing], name: str, thing: Thing | None) -> None:
    """The last definition wins, as it does for Python; a signature without a body is none."""
    if thing is not None:
        things[name] = thing


def _export(value: ast.expr, module: Module) -> None:
    """Add what an expression adds to ``__all__``. What is no literal and no other ``__all__`` is left out."""
    exported = module.exported if module.exported is not None else []
    module.exported = exported
    match value:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            for item in items:
                if isinstance(item, ast.Constant) and isinstance(item.value, str):
                    exported.append(item.value)
                elif isinstance(item, ast.Starred):
                    _export(item.value, module)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            _export(left, module)
            _export(right, module)
        case ast.Call(func=ast.Name(id="list" | "tuple" | "sorted"), args=[inner]):
            _export(inner, module)
        case ast.Attribute(value=source, attr="__all__"):
            name = ast.unparse(source)
            above, own = module.imports.get(name, (name, ""))
            module.also_exported.append(f"{above}.{own}" if own else above)


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef, module: Module, *, is_method: bool) -> Thing | None:
    decorators = [ast.unparse(one).partition("(")[0] for one in node.decorator_list]
    lasts = {one.rpartition(".")[2] for one in decorators}
    if lasts & {"overload", "_overload", "_overload_method"}:
        return None
    if is_method and (lasts & {"setter", "deleter", "getter"}):
        return None
    if is_method and lasts & _PROPERTIES:
        return Thing("property", is_deprecated="deprecated" in lasts, raises=_raises(node, module))
    parameters = parameters_of(node.args)
    if is_method and not lasts & _CALLER_IS_FIRST and parameters and parameters[0].kind != "var-positional":
        parameters = parameters[1:]
    return Thing("function", parameters, is_deprecated="deprecated" in lasts, raises=_raises(node, module))


def _class(node: ast.ClassDef, module: Module) -> Thing:
    bases = tuple(_base(ast.unparse(one).partition("[")[0], module) for one in node.bases)
    decorators = [ast.unparse(one) for one in node.decorator_list]
    lasts = {one.partition("(")[0].rpartition(".")[2] for one in decorators}
    members: dict[str, Thing] = {}
    is_enum = any(one.endswith(("Enum", "Flag")) for one in bases)
    for placed in statements(node.body):
        if placed.is_type_checking:
            continue
        match placed.node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() as inner:
                _keep(members, inner.name, _function(inner, module, is_method=True))
            case ast.ClassDef() as inner:
                members[inner.name] = _class(inner, module)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=other)) if other in members:
                members[name] = members[other]
            case ast.Assign(targets=[ast.Name(id=name)]) if is_enum:
                members[name] = Thing("value")
    constructor = next((members[one] for one in _CONSTRUCTORS if one in members), None)
    parameters = constructor.parameters if constructor else None
    if constructor is None and ("dataclass" in lasts or any(one.endswith("NamedTuple") for one in bases)):
        parameters = _fields(node, is_keyword_only=any("kw_only=True" in one for one in decorators))
    public = {name: thing for name, thing in members.items() if not name.startswith("_")}
    return Thing("class", parameters, bases, "deprecated" in lasts, None, None, public)


def _base(name: str, module: Module) -> str:
    first, separator, rest = name.partition(".")
    source, own = module.imports.get(first, (first, ""))
    return f"{source}.{own}".rstrip(".") + separator + rest


def _fields(node: ast.ClassDef, *, is_keyword_only: bool) -> tuple[Parameter, ...]:
    """The constructor that a dataclass or a named tuple is given, from its own fields."""
    found = []
    for placed in statements(node.body):
        one = placed.node
        if not isinstance(one, ast.AnnAssign) or not isinstance(one.target, ast.Name):
            continue
        annotation = ast.unparse(one.annotation)
        if "ClassVar" in annotation:
            continue
        if annotation.endswith("KW_ONLY"):
            is_keyword_only = True
            continue
        default = one.value
        if isinstance(default, ast.Call) and ast.unparse(default.func).rpartition(".")[2] == "field":
            given = {keyword.arg: keyword.value for keyword in default.keywords}
            if "init" in given and ast.unparse(given["init"]) == "False":
                continue
            default = given.get("default", given.get("default_factory"))
        kind = "keyword-only" if is_keyword_only else "positional"
        text = None if default is None else ast.unparse(default)
        found.append(Parameter(one.target.id, "keyword-only" if kind == "keyword-only" else "positional", text))
    return tuple(found)


def _raises(node: ast.FunctionDef | ast.AsyncFunctionDef, module: Module) -> str | None:
    """Name of the error that a function ends with, when it does nothing else.

    A method that hands on to a function which it imports for that does what that function does.
    """
    body = node.body[1:] if _is_text(node.body[0]) else node.body
    if not body:
        return None
    *before, last = body
    simple = all(isinstance(one, ast.Assign | ast.AnnAssign | ast.Import | ast.ImportFrom) for one in before)
    if not simple:
        return None
    match last:
        case ast.Raise(exc=ast.expr() as error):
            name = ast.unparse(error.func if isinstance(error, ast.Call) else error)
            # What a subclass must write is no removal.
            return None if name.endswith("NotImplementedError") else name.rpartition(".")[2]
        case ast.Return(value=ast.Call(func=ast.Name(id=name))):
            for one in before:
                if isinstance(one, ast.ImportFrom) and any((two.asname or two.name) == name for two in one.names):
                    return f"{FORWARDED}{imported_from(one, module.path) or ''}:{name}"
    return None


FORWARDED = "->"
"""Begins what stands for an error's name until another module is looked at: ``->torch._x:name``."""


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def public_parts(parts: Sequence[str]) -> bool:
    """Whether no part of a dotted name begins with an underscore."""
    return not any(one.startswith("_") for one in parts)

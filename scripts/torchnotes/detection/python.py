"""Entries → places in Python source, read as syntax: a comment or a message is not code.

Refuses to run anything, and to guess: what the code itself does not show is not found.
"""

import ast
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from torchnotes.detection.calls import is_among, is_looked_for
from torchnotes.detection.found import Sighting, Sightings
from torchnotes.detection.names import Module, Scope, is_imported, meanings, module_of
from torchnotes.detection.needed import groups_in, needed_by
from torchnotes.model.detect import (
    ANY_OBJECT,
    AnyDetect,
    DetectAttribute,
    DetectCall,
    DetectImport,
    DetectKeyword,
    DetectLine,
    DetectSetting,
)

IMPORTERS = frozenset({"importlib.import_module", "__import__", "pytest.importorskip"})
"""Functions that import what their first argument names."""
_WORD = re.compile(r"[^\W\d]\w*")
Place = ast.expr | ast.keyword | ast.alias


@dataclass(frozen=True, slots=True)
class _Use:
    """A node with its scope, the node above it, and the file around it."""

    node: ast.AST
    scope: Scope
    above: ast.AST | None
    module: Module


class PythonEntries:
    """Entries, ready for any number of files."""

    def __init__(self, entries: Sequence[AnyDetect]) -> None:
        """Note for each entry the words without which it can find nothing."""
        self._entries = [
            (index, one, needed_by(one)) for index, one in enumerate(entries) if not isinstance(one, DetectLine)
        ]

    def sightings(self, source: str) -> Sightings:
        """Where entries find something. Lines end with a line feed."""
        # Parsing is the dear part, and most files lack the words. Looking for a piece of text is quick; so it is first.
        rough = [(index, one, found) for index, one, needed in self._entries if (found := groups_in(needed, source))]
        words = set(_WORD.findall(source)) if rough else set[str]()
        possible = [(index, one) for index, one, groups in rough if any(words.issuperset(group) for group in groups)]
        if not possible:
            return Sightings()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                module = module_of(ast.parse(source))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return Sightings(unread=f"could not be read as Python: {_reason(error)}")
        lines = source.split("\n")
        places = {(entry, _position(place, lines)) for entry, place in _Search(possible).places(module)}
        return Sightings(tuple(sorted(Sighting(line, column, entry) for entry, (line, column) in places)))


def _reason(error: Exception) -> str:
    if isinstance(error, SyntaxError):
        return f"{error.msg} (line {error.lineno})" if error.lineno else str(error.msg)
    return str(error) if isinstance(error, ValueError) else "nested too deeply"


class _Search:
    """The entries that can find something in one file, by what they look at."""

    def __init__(self, entries: Sequence[tuple[int, AnyDetect]]) -> None:
        self._calls = [(i, one) for i, one in entries if isinstance(one, DetectCall | DetectKeyword)]
        self._attributes = [(i, one) for i, one in entries if isinstance(one, DetectAttribute)]
        self._imports = [(i, one) for i, one in entries if isinstance(one, DetectImport)]
        settings = [(i, one) for i, one in entries if isinstance(one, DetectSetting)]
        self._variables = [(i, one) for i, one in settings if "." not in one.name]
        self._flags = [(i, one) for i, one in settings if "." in one.name]

    def places(self, module: Module) -> Iterator[tuple[int, Place]]:
        values: dict[int, ast.expr] = {}
        for node, scope, above in module.nodes:
            match node:
                case ast.Attribute() | ast.Name():
                    yield from self._in_name(node, _Use(node, scope, above, module))
                case ast.Call():
                    values |= _settings_made(node)
                    yield from self._in_call(node, _Use(node, scope, above, module))
                case ast.Constant(value=str(text)) if not isinstance(above, ast.Expr):
                    yield from self._in_text(text, node, values)
                case ast.Assign() | ast.Dict():
                    values |= _settings_made(node)
                case ast.keyword(arg=str(name)):
                    yield from _set(self._variables, name, node, node.value)
                case ast.Import() | ast.ImportFrom():
                    yield from self._in_import(node)

    def _in_call(self, call: ast.Call, use: _Use) -> Iterator[tuple[int, Place]]:
        names = meanings(call.func, use.scope)
        for entry, one in self._calls:
            if _is(one, call.func, names, use.module) and is_looked_for(one, call):
                yield entry, call.func
        if names & IMPORTERS and call.args and isinstance(call.args[0], ast.Constant):
            wanted = str(call.args[0].value)
            yield from ((entry, call) for entry, one in self._imports if f"{wanted}.".startswith(f"{one.name}."))
        for entry, attribute in self._attributes:
            if names & set(attribute.within):
                yield from ((entry, place) for place in _arguments_naming(attribute, call, use))
        for entry, flag in self._flags:
            yield from ((entry, place) for place in _patched(flag, call, names))

    def _in_import(self, node: ast.Import | ast.ImportFrom) -> Iterator[tuple[int, Place]]:
        for entry, one in self._imports:
            for alias in node.names:
                if isinstance(node, ast.ImportFrom):
                    full = f"{node.module}.{alias.name}" if node.module and not node.level else ""
                else:
                    full = alias.name
                if f"{full}.".startswith(f"{one.name}."):
                    yield entry, alias
                    break

    def _in_name(self, node: ast.Attribute | ast.Name, use: _Use) -> Iterator[tuple[int, Place]]:
        if isinstance(node, ast.Name) and not is_imported(node.id, use.scope):
            return
        names = meanings(node, use.scope)
        for entry, one in self._attributes:
            if not one.within and _is(one, node, names, use.module):
                yield entry, node
        for entry, flag in self._flags:
            if flag.name in names and is_among(flag.values, _assigned(use)):
                yield entry, node

    def _in_text(self, text: str, node: ast.Constant, values: Mapping[int, ast.expr]) -> Iterator[tuple[int, Place]]:
        """``values`` says what a piece of text is set to, by the identity of its node."""
        name, equals, value = text.partition("=")
        known = values.get(id(node)) or (ast.Constant(value) if equals else None)
        yield from _set(self._variables, name, node, known)


def _set(
    variables: Iterable[tuple[int, DetectSetting]], name: str, place: Place, value: ast.expr | None
) -> Iterator[tuple[int, Place]]:
    for entry, one in variables:
        if one.name == name and is_among(one.values, value):
            yield entry, place


def _is(
    one: DetectCall | DetectKeyword | DetectAttribute, node: ast.expr, names: frozenset[str], module: Module
) -> bool:
    if one.beside is not None and not module.imports(one.beside):
        return False
    if one.name.startswith(ANY_OBJECT):
        return isinstance(node, ast.Attribute) and node.attr == one.name.removeprefix(ANY_OBJECT)
    return not names.isdisjoint((one.name, *one.other_names))


def _arguments_naming(one: DetectAttribute, call: ast.Call, use: _Use) -> Iterator[Place]:
    waiting: list[ast.AST] = [*call.args, *(keyword.value for keyword in call.keywords)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Attribute | ast.Name) and _is(one, node, meanings(node, use.scope), use.module):
            yield node
        elif isinstance(node, ast.Tuple | ast.List | ast.BinOp | ast.Attribute):
            waiting += ast.iter_child_nodes(node)


def _patched(flag: DetectSetting, call: ast.Call, names: frozenset[str]) -> Iterator[Place]:
    """Where ``config.patch`` sets a flag: by keyword, by name and value, or in a dictionary."""
    module, dot, name = flag.name.partition(".config.")
    if not dot or f"{module}.config.patch" not in names:
        return
    for keyword in call.keywords:
        if keyword.arg == name and is_among(flag.values, keyword.value):
            yield keyword
    made = _settings_made(call)
    for node in call.args[:1]:
        pairs = zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else [(node, made.get(id(node)))]
        for key, value in pairs:
            if isinstance(key, ast.Constant) and key.value == name and is_among(flag.values, value):
                yield key


def _assigned(use: _Use) -> ast.expr | None:
    above = use.above
    return above.value if isinstance(above, ast.Assign | ast.AnnAssign) and above.value is not use.node else None


def _settings_made(node: ast.AST) -> dict[int, ast.expr]:
    """Text that a node sets to something: ``x[text] = value``, ``f(text, value)``, ``{text: value}``."""
    match node:
        case ast.Assign(targets=[ast.Subscript(slice=ast.Constant() as key)], value=value):
            return {id(key): value}
        case ast.Call(args=[ast.Constant() as key, value, *_]):
            return {id(key): value}
        case ast.Dict(keys=keys, values=values):
            return {id(key): value for key, value in zip(keys, values, strict=True) if isinstance(key, ast.Constant)}
    return {}


def _position(place: Place, lines: Sequence[str]) -> tuple[int, int]:
    """Line and column in characters, both from 1; Python counts columns in bytes."""
    if isinstance(place, ast.Attribute) and place.end_lineno is not None and place.end_col_offset is not None:
        # The last name of a chain, which can stand some lines below its first.
        line, offset = place.end_lineno, place.end_col_offset - len(place.attr.encode())
    else:
        line, offset = place.lineno, place.col_offset
    text = lines[line - 1] if line <= len(lines) else ""
    return line, len(text.encode()[: max(offset, 0)].decode(errors="replace")) + 1

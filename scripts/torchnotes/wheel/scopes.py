"""The syntax tree of a module → a light record of what gives its names a meaning, in the order of its lines.

Keeps no tree of a function, so that a whole wheel's records fit in memory. Refuses to follow a name into another
module: that is for ``exports``.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from torchnotes.wheel.syntax import imported_from, parsed, type_checking

__all__ = [
    "AllChange",
    "Bound",
    "Class",
    "Deleted",
    "Event",
    "Function",
    "Import",
    "Scope",
    "Star",
    "Steps",
    "Value",
    "dotted",
    "scope_of",
]

_GLOBAL = re.compile(r"^[ \t]+global[ \t]+([\w, \t]+)", re.MULTILINE)
_NAMESPACES = frozenset({"globals", "vars", "locals"})
_CATCHES_MISSING = frozenset({"ImportError", "ModuleNotFoundError", "AttributeError", "Exception", "BaseException"})
_ONLY_FOR_TYPES = frozenset({"TypeVar", "ParamSpec", "TypeVarTuple", "NewType"})
_LONGEST_CONDITION = 60


@dataclass(frozen=True, slots=True)
class Import:
    """A name that stands for a module, or for a name of one."""

    module: str
    """Absolute dotted name of the module."""
    name: str | None
    """The name in it; None for the module itself."""
    is_shown: bool
    """Whether a stub passes it on: written ``import x as x``."""


@dataclass(frozen=True, slots=True)
class Function:
    """A name that stands for a function or a method."""

    is_decorated: bool
    """Whether a decorator may have made something else of it."""
    raises: str | None
    """Class of the error, when the function can do nothing but raise it."""


@dataclass(frozen=True, slots=True)
class Class:
    """A name that stands for a class."""

    scope: "Scope"
    """What stands in its body."""


@dataclass(frozen=True, slots=True)
class Value:
    """A name that stands for what is assigned to it."""

    node: ast.expr | None
    """The assigned expression; None where the text does not pair one with the name."""
    is_declared_only: bool = False
    """Whether it is a bare annotation, which gives no value."""


Target = Import | Function | Class | Value


@dataclass(frozen=True, slots=True)
class Bound:
    """A statement that gives a name a meaning."""

    name: str
    """The name, in its scope."""
    target: Target
    """What it stands for."""
    line: int
    """1-based."""
    condition: str | None
    """What it stands below, in a few words, when it may be left out; None when it runs with its scope."""
    is_guarded: bool = False
    """Whether it stands in a ``try`` that goes on when something is not there."""


@dataclass(frozen=True, slots=True)
class Star:
    """``from module import *``."""

    module: str
    """Absolute dotted name."""
    line: int
    """1-based."""
    condition: str | None
    """As in ``Bound``."""
    is_guarded: bool
    """As in ``Bound``."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """``del name``."""

    name: str
    """The name, in its scope."""
    line: int
    """1-based."""
    condition: str | None
    """As in ``Bound``."""


@dataclass(frozen=True, slots=True)
class Steps:
    """A statement that may set names which it computes."""

    node: ast.stmt
    """The statement, with all that stands in it."""
    line: int
    """1-based."""
    condition: str | None
    """As in ``Bound``."""


@dataclass(frozen=True, slots=True)
class AllChange:
    """A statement that sets or changes ``__all__``."""

    what: str
    """``set``, ``add`` or ``remove``."""
    node: ast.expr
    """An expression whose elements are the names."""


Event = Bound | Star | Deleted | Steps


@dataclass(slots=True)
class Scope:
    """A module's or a class's own names."""

    module: str
    """Absolute dotted name of the module."""
    path: str
    """Its file in the wheel."""
    name: str
    """Qualified name of the class in the module; empty for the module itself."""
    is_stub: bool
    """Whether the file only declares what compiled code has."""
    named: dict[str, list[tuple[int, Bound | Deleted]]] = field(default_factory=dict)
    """What each name meets, each with its place in the order of all events."""
    general: list[tuple[int, Star | Steps]] = field(default_factory=list)
    """What may concern any name, each with its place in the order of all events."""
    all_changes: list[AllChange] = field(default_factory=list)
    """What makes up ``__all__``, in order, loops left out."""
    bases: tuple[ast.expr, ...] = ()
    """Of a class."""
    decorators: tuple[str, ...] = ()
    """Of a class, as dotted names, calls taken away."""
    line: int = 1
    """1-based."""
    of_objects: dict[str, int] = field(default_factory=dict)
    """Of a class: names that its methods set on ``self``, with a line each."""
    held: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Of a class: names that its methods set on ``self`` to ``a.b``, with the parts; empty parts for an argument."""
    get_missing: ast.FunctionDef | None = None
    """The ``__getattr__`` that answers for names which are not there."""
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    """A module's functions; kept only beside a ``__getattr__``, which may call them."""
    replaced_by: ast.expr | None = None
    """Of a module: the object that it puts in its own place with ``sys.modules[__name__] = …``."""
    added: dict[str, dict[str, int]] = field(default_factory=dict)
    """Of a module: attributes that it sets on its own names from outside, with a line each."""
    changed: dict[str, int] = field(default_factory=dict)
    """Of a module: its own names on which it sets attributes of computed names, with a line each."""
    set_later: dict[str, int] = field(default_factory=dict)
    """Of a module: names that only a function sets, when it runs, with a line each."""
    computed: int = 0
    """Line at which a function sets names of the module that it computes; 0 when none does."""
    count: int = 0
    """How many events were taken."""

    def add(self, event: Event) -> None:
        """Take the next event."""
        if isinstance(event, Bound | Deleted):
            self.named.setdefault(event.name, []).append((self.count, event))
        else:
            self.general.append((self.count, event))
        self.count += 1

    def events(self, name: str) -> list[Event]:
        """What a name meets, in the order of the lines."""
        found: list[tuple[int, Event]] = [*self.named.get(name, ()), *self.general]
        return [event for _, event in sorted(found, key=lambda one: one[0])]


@dataclass(frozen=True, slots=True)
class _Around:
    """What a statement stands below."""

    condition: str | None = None
    is_guarded: bool = False
    is_followed: bool = False
    """Whether it stands in a loop that is followed as a whole."""


def dotted(node: ast.expr | None) -> tuple[str, ...] | None:
    """The parts of ``a.b.c``; None for any other expression."""
    match node:
        case ast.Name(id=name):
            return (name,)
        case ast.Attribute(value=value, attr=attribute):
            before = dotted(value)
            return None if before is None else (*before, attribute)
    return None


def scope_of(source: str, module: str, path: str) -> Scope:
    """The record of a module. ``path`` is its file in the wheel. Raises ``WheelError`` when it is no readable Python."""
    tree = parsed(source)
    scope = Scope(module, path, "", is_stub=path.endswith(".pyi"))
    _take_body(scope, tree.body, _Around())
    if scope.get_missing:
        scope.functions = {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}
    if "setattr(" in source:
        _take_outside_setting(scope, tree)
    if "globals()" in source:
        _take_computed(scope, tree)
    if "global " in source:
        for found in _GLOBAL.finditer(source):
            line = source.count("\n", 0, found.start()) + 1
            scope.set_later.update({name.strip(): line for name in found[1].split(",")})
    return scope


def _take_body(scope: Scope, body: Sequence[ast.stmt], around: _Around) -> None:
    for node in body:
        _take(scope, node, around)


def _take(scope: Scope, node: ast.stmt, around: _Around) -> None:
    match node:
        case ast.Import():
            _take_import(scope, node, around)
        case ast.ImportFrom():
            _take_import_from(scope, node, around)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            _take_function(scope, node, around)
        case ast.ClassDef():
            _take_class(scope, node, around)
        case ast.Assign():
            _take_assignment(scope, node, around)
        case ast.AnnAssign(target=ast.Name(id=name), value=value):
            if name == "__all__" and value is not None:
                scope.all_changes.append(AllChange("set", value))
            _bind(scope, name, Value(value, is_declared_only=value is None), node, around)
        case ast.AugAssign(target=ast.Name(id="__all__"), value=value):
            scope.all_changes.append(AllChange("add", value))
        case ast.Delete(targets=targets):
            for target in targets:
                if isinstance(target, ast.Name):
                    scope.add(Deleted(target.id, node.lineno, around.condition))
        case ast.Expr(value=ast.Call() as call) if not around.is_followed:
            _take_call(scope, node, call, around)
        case _:
            _take_compound(scope, node, around)


def _take_compound(scope: Scope, node: ast.stmt, around: _Around) -> None:
    match node:
        case ast.If(test=test, body=then, orelse=otherwise):
            sure = type_checking(test)
            if sure is not True or scope.is_stub:
                below = around if sure is False else _below(around, f"if {_short(test)}")
                _take_body(scope, then, below)
            if sure is not False or scope.is_stub:
                below = around if sure is True else _below(around, f"if not {_short(test)}")
                _take_body(scope, otherwise, below)
        case ast.With(body=then) | ast.AsyncWith(body=then):
            _take_body(scope, then, around)
        case ast.Try() | ast.TryStar():
            _take_try(scope, node, around)
        case ast.For() | ast.AsyncFor():
            _take_for(scope, node, around)
        case ast.While(test=test, body=then, orelse=otherwise):
            _take_body(scope, [*then, *otherwise], _below(around, f"while {_short(test)}"))
        case ast.Match(cases=cases):
            for case in cases:
                _take_body(scope, case.body, _below(around, "one case of match"))


def _take_try(scope: Scope, node: ast.Try | ast.TryStar, around: _Around) -> None:
    goes_on = any(_catches_missing(handler) and not _always_leaves(handler.body) for handler in node.handlers)
    inside = replace(_below(around, "try"), is_guarded=True) if goes_on else around
    _take_body(scope, node.body, inside)
    for handler in node.handlers:
        _take_body(scope, handler.body, _below(around, "except"))
    _take_body(scope, node.orelse, inside)
    _take_body(scope, node.finalbody, around)


def _catches_missing(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any((parts := dotted(kind)) and parts[-1] in _CATCHES_MISSING for kind in kinds)


def _always_leaves(body: Sequence[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], ast.Raise)


def _take_for(scope: Scope, node: ast.For | ast.AsyncFor, around: _Around) -> None:
    below = _below(around, f"for … in {_short(node.iter)}")
    for name in _names_of(node.target):
        _bind(scope, name, Value(None), node, below)
    if not around.is_followed and any(_sets_computed(one) for one in ast.walk(node)):
        scope.add(Steps(node, node.lineno, around.condition))
        below = replace(below, is_followed=True)
    _take_body(scope, [*node.body, *node.orelse], below)


def _below(around: _Around, condition: str) -> _Around:
    return around if around.condition else replace(around, condition=condition)


def _short(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) <= _LONGEST_CONDITION else f"{text[:_LONGEST_CONDITION]}…"


def _bind(scope: Scope, name: str, target: Target, node: ast.stmt, around: _Around) -> None:
    scope.add(Bound(name, target, node.lineno, around.condition, is_guarded=around.is_guarded))


def _take_import(scope: Scope, node: ast.Import, around: _Around) -> None:
    for alias in node.names:
        name = alias.asname or alias.name.partition(".")[0]
        module = alias.name if alias.asname else name
        _bind(scope, name, Import(module, None, is_shown=alias.asname == alias.name), node, around)


def _take_import_from(scope: Scope, node: ast.ImportFrom, around: _Around) -> None:
    module = imported_from(node, scope.path)
    if module is None:
        return
    for alias in node.names:
        if alias.name == "*":
            scope.add(Star(module, node.lineno, around.condition, is_guarded=around.is_guarded))
        else:
            target = Import(module, alias.name, is_shown=alias.asname == alias.name)
            _bind(scope, alias.asname or alias.name, target, node, around)


def _take_function(scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef, around: _Around) -> None:
    if node.name == "__getattr__" and isinstance(node, ast.FunctionDef):
        scope.get_missing = node
    _bind(scope, node.name, Function(bool(node.decorator_list), _raises(node)), node, around)


def _raises(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str | None:
    """The error of a function that never returns."""
    last = node.body[-1]
    if not isinstance(last, ast.Raise) or last.exc is None:
        return None
    if any(isinstance(one, ast.Return | ast.Yield | ast.YieldFrom) for one in ast.walk(node)):
        return None
    parts = dotted(last.exc.func if isinstance(last.exc, ast.Call) else last.exc)
    # What a base class raises says that others fill it in, not that it is gone.
    return None if parts is None or parts[-1] == "NotImplementedError" else parts[-1]


def _take_class(scope: Scope, node: ast.ClassDef, around: _Around) -> None:
    name = f"{scope.name}.{node.name}" if scope.name else node.name
    inner = Scope(scope.module, scope.path, name, scope.is_stub, bases=tuple(node.bases), line=node.lineno)
    inner.decorators = tuple(".".join(parts) for one in node.decorator_list if (parts := _called(one)))
    _take_body(inner, node.body, _Around())
    if not scope.is_stub:
        for method in node.body:
            if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
                _take_self(inner, method)
    _bind(scope, node.name, Class(inner), node, around)


def _called(node: ast.expr) -> tuple[str, ...] | None:
    return dotted(node.func if isinstance(node, ast.Call) else node)


def _take_self(scope: Scope, method: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """What a method sets on its object."""
    arguments = [one.arg for one in (*method.args.posonlyargs, *method.args.args)]
    if not arguments:
        return
    for node in ast.walk(method):
        match node:
            case ast.Attribute(value=ast.Name(id=own), attr=name, ctx=ast.Store()) if own == arguments[0]:
                scope.of_objects.setdefault(name, node.lineno)
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=own), attr=name)], value=value):
                if own == arguments[0] and (parts := dotted(value)):
                    scope.held[name] = () if parts[0] in arguments else parts


def _take_assignment(scope: Scope, node: ast.Assign, around: _Around) -> None:
    if not around.is_followed and any(_sets_computed(target) for target in node.targets):
        scope.add(Steps(node, node.lineno, around.condition))
    for target in node.targets:
        match target:
            case ast.Name(id="__all__"):
                scope.all_changes.append(AllChange("set", node.value))
                _bind(scope, "__all__", Value(node.value), node, around)
            case ast.Name(id=name):
                if not (scope.is_stub and _is_only_for_types(node.value)):
                    _bind(scope, name, Value(node.value), node, around)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                scope.added.setdefault(name, {})[attribute] = node.lineno
            case ast.Subscript() if _is_own_module(target):
                scope.replaced_by = node.value
            case _:
                for name, value in _pairs(target, node.value):
                    _bind(scope, name, Value(value), node, around)


def _is_only_for_types(node: ast.expr) -> bool:
    parts = dotted(node.func) if isinstance(node, ast.Call) else None
    return parts is not None and parts[-1] in _ONLY_FOR_TYPES


def _is_own_module(node: ast.expr) -> bool:
    """Whether it is ``sys.modules[__name__]``."""
    match node:
        case ast.Subscript(value=held, slice=ast.Name(id="__name__")):
            return dotted(held) == ("sys", "modules")
    return False


def _pairs(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.expr | None]]:
    match target:
        case ast.Name(id=name):
            yield name, value
        case ast.Starred(value=inner):
            yield from _pairs(inner, None)
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            parts = value.elts if isinstance(value, ast.Tuple | ast.List) else []
            paired = len(parts) == len(targets) and not any(isinstance(one, ast.Starred) for one in (*targets, *parts))
            for index, one in enumerate(targets):
                yield from _pairs(one, parts[index] if paired else None)


def _names_of(target: ast.expr) -> Iterator[str]:
    return (name for name, _ in _pairs(target, None))


def _take_call(scope: Scope, node: ast.Expr, call: ast.Call, around: _Around) -> None:
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="__all__"), attr=method), args=[given]):
            changes = {"append": "add", "extend": "add", "remove": "remove"}
            if method in changes:
                wanted = given if method == "extend" else ast.List([given], ast.Load())
                scope.all_changes.append(AllChange(changes[method], wanted))
        case ast.Call(func=ast.Name(id="setattr" | "delattr")):
            if _sets_computed(call):
                scope.add(Steps(node, node.lineno, around.condition))
        case _:
            if any(_sets_computed(one) for one in ast.walk(call)):
                scope.add(Steps(node, node.lineno, around.condition))
            elif any(_is_namespace(one) for one in (*call.args, *(keyword.value for keyword in call.keywords))):
                # A function that is handed all names can set any.
                scope.computed = node.lineno


def _is_namespace(node: ast.expr) -> bool:
    """Whether it is ``globals()``, ``vars()`` or ``locals()``."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]):
            return name in _NAMESPACES
    return False


def _sets_computed(node: ast.AST) -> bool:
    """Whether this very node sets a name that it computes, or deletes one."""
    match node:
        case ast.Subscript(value=held, ctx=ast.Store() | ast.Del()):
            return _is_namespace(held)
        case ast.Call(func=ast.Attribute(value=held, attr="update" | "setdefault" | "pop")):
            return _is_namespace(held)
        case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[target, *_]):
            return _is_own_module(target)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="__all__"), attr="append" | "extend")):
            return True
    return False


def _take_outside_setting(scope: Scope, tree: ast.Module) -> None:
    """``setattr(Own, "name", …)``, wherever it stands."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="setattr"), args=[ast.Name(id=own), ast.Constant(value=str(name)), _]):
                scope.added.setdefault(own, {}).setdefault(name, node.lineno)
            case ast.Call(func=ast.Name(id="setattr"), args=[ast.Name(id=own), *_]):
                scope.changed.setdefault(own, node.lineno)


def _take_computed(scope: Scope, tree: ast.Module) -> None:
    """``globals()[…] = …`` in a function."""
    for outer in ast.walk(tree):
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef):
            # What ``__getattr__`` keeps for the next time is what it answers with.
            for node in ast.walk(outer) if outer is not scope.get_missing else ():
                match node:
                    case ast.Subscript(value=ast.Call(func=ast.Name(id="globals")), slice=key, ctx=ast.Store()):
                        if isinstance(key, ast.Constant) and isinstance(key.value, str):
                            scope.set_later.setdefault(key.value, node.lineno)
                        else:
                            scope.computed = node.lineno

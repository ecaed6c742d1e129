"""Which dotted name a piece of Python means, however it was imported.

Reads scopes as Python does, but not the order in which lines run: a name that is both imported and assigned in one
scope means nothing here, except that ``name = None`` is taken for "not installed". Refuses to follow values through
calls, containers and ``from x import *``.
"""

import ast
import builtins
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

MOST_ALIASES = 8
"""``a = b`` after ``b = c`` and so on is followed so far; circles end here too."""
MOST_ATTRIBUTES = 40
"""No dotted name has more parts."""

_BINDING = (
    *(ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.Name, ast.NamedExpr, ast.Global, ast.Nonlocal),
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.pattern),
)
_OPENING = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.NamedExpr),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
"""Nodes whose children are not simply evaluated where the node is."""
_SIGNS = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
"""Nodes that hold nothing."""
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(slots=True, eq=False)
class Scope:
    """Names that are bound in a module, class, function or comprehension."""

    parent: "Scope | None"
    is_class: bool = False
    is_comprehension: bool = False
    bound: "dict[str, list[str | ast.expr | None]]" = field(default_factory=dict)
    """Name → everything it is bound to: a dotted name, an expression of this scope, or None for what is not followed."""
    elsewhere: "dict[str, Scope]" = field(default_factory=dict)
    """Names that ``global`` or ``nonlocal`` move to another scope."""
    known: "dict[str, frozenset[str]]" = field(default_factory=dict)
    """What names of this scope were found to mean."""

    def bind(self, name: str, meaning: str | ast.expr | None) -> None:
        """Note that a name is bound here, or where a statement moved it."""
        self.elsewhere.get(name, self).bound.setdefault(name, []).append(meaning)

    def home(self, name: str) -> "Scope | None":
        """The scope in which a name that is used here is bound; None when nowhere."""
        scope: Scope | None = self.elsewhere.get(name, self)
        while scope is not None and (name not in scope.bound or (scope.is_class and scope is not self)):
            scope = scope.parent
        return scope


@dataclass(slots=True)
class Module:
    """A parsed file: every node in the order of the source, with its scope and the node above it."""

    nodes: list[tuple[ast.AST, Scope, ast.AST | None]]
    imported: set[str]
    """Dotted names of all imports."""

    def imports(self, name: str) -> bool:
        """Whether a module, or something below it, is imported."""
        return any(f"{one}.".startswith(f"{name}.") for one in self.imported)


def module_of(tree: ast.Module) -> Module:
    """Bind every name, without recursion: generated code can be nested deeper than Python's own stack."""
    top = Scope(None)
    found = Module([], set())
    waiting: list[tuple[ast.AST, Scope, ast.AST | None]] = [(tree, top, None)]
    while waiting:
        node, scope, above = waiting.pop()
        found.nodes.append((node, scope, above))
        # Nearly all nodes bind nothing and open no scope.
        if isinstance(node, _BINDING):
            _bind(node, scope, top, found.imported)
        if isinstance(node, _OPENING):
            waiting += reversed([(child, inner, node) for child, inner in _below(node, scope)])
        else:
            waiting += reversed(
                [(child, scope, node) for child in ast.iter_child_nodes(node) if not isinstance(child, _SIGNS)]
            )
    return found


def _bind(node: ast.AST, scope: Scope, top: Scope, imported: set[str]) -> None:
    match node:
        case ast.Import(names=names):
            for one in names:
                imported.add(one.name)
                scope.bind(one.asname or one.name.partition(".")[0], one.name if one.asname else _first(one.name))
        case ast.ImportFrom(module=module, names=names, level=level):
            for one in names:
                full = f"{module}.{one.name}" if module and level == 0 else None
                imported |= {full} if full else set()
                if one.name != "*":
                    scope.bind(one.asname or one.name, full)
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                if isinstance(target, ast.Name):
                    scope.bind(target.id, value)
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
            scope.bind(name, value)
        case ast.Name(id=name, ctx=ast.Store()):
            # Plain assignments were bound by their statement, with their value.
            scope.bind(name, None)
        case ast.NamedExpr(target=ast.Name(id=name)):
            _outside_comprehensions(scope).bind(name, None)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            scope.bind(name, None)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            scope.bind(name, None)
        case ast.MatchMapping(rest=str(name)):
            scope.bind(name, None)
        case ast.Global(names=moved):
            scope.elsewhere |= dict.fromkeys(moved, top)
        case ast.Nonlocal(names=moved):
            for name in moved:
                outer = scope.parent.home(name) if scope.parent else None
                scope.elsewhere[name] = outer or scope


def _first(dotted: str) -> str:
    return dotted.partition(".")[0]


def _outside_comprehensions(scope: Scope) -> Scope:
    while scope.is_comprehension and scope.parent is not None:
        scope = scope.parent
    return scope


def _below(node: ast.AST, scope: Scope) -> Iterator[tuple[ast.AST, Scope]]:
    """Nodes directly below, each with the scope in which it is evaluated."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            yield from _below_function(node, scope)
        case ast.ClassDef():
            inner = Scope(scope, is_class=True)
            yield from _all(scope, [*node.decorator_list, *node.bases, *node.keywords])
            yield from _all(inner, node.body)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            inner = Scope(scope, is_comprehension=True)
            yield node.generators[0].iter, scope
            for index, one in enumerate(node.generators):
                yield from _all(inner, [one.target, *([one.iter] if index else []), *one.ifs])
            parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            yield from _all(inner, parts)
        case ast.Assign(targets=targets, value=value):
            yield from _all(scope, [one for one in targets if not isinstance(one, ast.Name)])
            yield value, scope
        case ast.AnnAssign(target=target, annotation=annotation, value=value):
            plain = isinstance(target, ast.Name)
            yield from _all(scope, [*([] if plain else [target]), annotation, *([value] if value else [])])
        case ast.NamedExpr(value=value):
            yield value, scope


def _below_function(node: Function, scope: Scope) -> Iterator[tuple[ast.AST, Scope]]:
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    inner = Scope(scope)
    for one in every:
        inner.bind(one.arg, None)
    yield from _all(scope, [one for one in (*arguments.defaults, *arguments.kw_defaults) if one is not None])
    yield from _all(scope, [one.annotation for one in every if one.annotation is not None])
    if isinstance(node, ast.Lambda):
        yield node.body, inner
    else:
        yield from _all(scope, [*node.decorator_list, *([node.returns] if node.returns else [])])
        yield from _all(inner, node.body)


def _all(scope: Scope, nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.AST, Scope]]:
    return ((one, scope) for one in nodes)


def meanings(node: ast.AST, scope: Scope, followed: int = 0) -> frozenset[str]:
    """The dotted names that an expression can mean; empty when it is not known to mean one."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute) and len(parts) < MOST_ATTRIBUTES:
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or followed > MOST_ALIASES:
        return frozenset()
    roots = _meanings_of_name(node.id, scope, followed)
    return frozenset(".".join([root, *reversed(parts)]) for root in roots) if parts else roots


def is_imported(name: str, scope: Scope) -> bool:
    """Whether a plain name is an import's own, not one that the code gave to something that it names elsewhere."""
    home = scope.home(name)
    return home is None or any(isinstance(one, str) for one in home.bound[name])


def _meanings_of_name(name: str, scope: Scope, followed: int) -> frozenset[str]:
    home = scope.home(name)
    if home is None:
        return frozenset([name]) if hasattr(builtins, name) else frozenset()
    if name not in home.known:
        # A name that is defined by itself means nothing.
        home.known[name] = frozenset()
        home.known[name] = _meanings_in(home, name, followed)
    return home.known[name]


def _meanings_in(home: Scope, name: str, followed: int) -> frozenset[str]:
    found: set[str] = set()
    for one in home.bound[name]:
        if isinstance(one, ast.Constant) and one.value is None:
            continue
        known = frozenset([one]) if isinstance(one, str) else frozenset[str]()
        if isinstance(one, ast.expr):
            known = meanings(one, home, followed + 1)
        if not known:
            return frozenset()
        found |= known
    return frozenset(found)

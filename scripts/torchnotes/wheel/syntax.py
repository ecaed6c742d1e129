"""Python source → what it defines, by its syntax alone.

Refuses to resolve a name or to look into the body of a function: what a name leads to is for ``exports``.
"""

import ast
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from torchnotes.wheel.archive import WheelError

__all__ = ["Definition", "Parameter", "Placed", "definitions", "parameters_of", "parsed", "statements", "type_checking"]

ParameterKind = Literal["positional-only", "positional", "var-positional", "keyword-only", "var-keyword"]
_OVERLOADS = frozenset({"overload", "_overload", "_overload_method"})
"""Decorators of signatures that have no body: of ``typing``, and of TorchScript."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a function, as it is written."""

    name: str
    """Without stars."""
    kind: ParameterKind
    """How it can be passed, in the words of ``inspect``."""
    default: str | None
    """Its default as an expression, ``ast.unparse``'s way; None when it has none."""


@dataclass(frozen=True, slots=True)
class Definition:
    """One statement that gives a name a meaning."""

    name: str
    """Qualified in its module: ``Class.method``."""
    sort: Literal["function", "class", "value"]
    """What kind of statement it is; a value is an assignment or a bare annotation."""
    parameters: tuple[Parameter, ...]
    """Of a function, in order, with ``self``; empty for the others."""
    value: str | None
    """What is assigned, as an expression; ``__all__ + ['x']`` for ``__all__ += ['x']``. None for a bare annotation."""
    bases: tuple[str, ...]
    """Of a class, as expressions, keywords such as ``metaclass=…`` left out."""
    decorators: tuple[str, ...]
    """As expressions, without ``@``, outermost first."""
    line: int
    """1-based line of ``def``, ``class`` or the assignment; decorators stand before it."""
    is_overload: bool
    """Whether it only declares one of several signatures."""
    is_conditional: bool
    """Whether it stands below ``if``, ``try``, ``for``, ``while``, ``match``, at any depth."""
    is_type_checking: bool
    """Whether it stands below ``if TYPE_CHECKING``, so that it is never there when the code runs."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A statement of a module or class body, and what it stands below."""

    node: ast.stmt
    """The statement. Compound ones are named too, before what stands in them."""
    is_conditional: bool
    """Whether it may be left out when the code runs."""
    is_type_checking: bool
    """Whether it is left out whenever the code runs."""


def parsed(source: str) -> ast.Module:
    """The syntax tree of a module. Raises ``WheelError`` when it is no Python that this interpreter can read."""
    try:
        with warnings.catch_warnings():
            # What a compiler would warn about is no business of a reader.
            warnings.simplefilter("ignore")
            return ast.parse(source.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        where = f" at line {line}" if line else ""
        raise WheelError(
            f"it cannot be read as Python{where}: {getattr(error, 'msg', None) or error}",
            "Read the file by eye, or with a newer Python.",
        ) from error


def module_of(path: str) -> str:
    """Dotted name of the module in a ``.py`` or ``.pyi`` file of a wheel."""
    return path.removesuffix(".pyi").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def is_package(path: str) -> bool:
    """Whether a file is that of a package itself."""
    return path.rpartition("/")[2].startswith("__init__.")


def imported_from(node: ast.ImportFrom, path: str) -> str | None:
    """The module that ``from … import`` in the file at ``path`` names; None when its dots lead out of the package."""
    if not node.level:
        return node.module
    package = module_of(path).split(".")
    base = package[: len(package) - node.level + is_package(path)]
    return ".".join([*base, node.module] if node.module else base) if base else None


def definitions(source: str) -> Mapping[str, tuple[Definition, ...]]:
    """What a module and its classes define, by qualified name, each in the order of its lines.

    Goes through ``if``, ``try``, ``with``, loops and ``match``, and never into a function. Imports are not among them.
    Raises ``WheelError`` when the source cannot be read as Python.
    """
    found: dict[str, list[Definition]] = {}
    for one in _of_body(parsed(source).body, "", Placed(ast.Pass(), is_conditional=False, is_type_checking=False)):
        found.setdefault(one.name, []).append(one)
    return {name: tuple(several) for name, several in found.items()}


def statements(body: Sequence[ast.stmt]) -> Iterator[Placed]:
    """Every statement of a body, through those that hold others, but not into functions and classes."""
    yield from _placed(body, is_conditional=False, is_type_checking=False)


def _placed(body: Sequence[ast.stmt], *, is_conditional: bool, is_type_checking: bool) -> Iterator[Placed]:
    for node in body:
        yield Placed(node, is_conditional, is_type_checking)
        match node:
            case ast.If(test=test, body=then, orelse=otherwise):
                sure = type_checking(test)
                yield from _placed(
                    then,
                    is_conditional=is_conditional or sure is not False,
                    is_type_checking=is_type_checking or sure is True,
                )
                yield from _placed(
                    otherwise,
                    is_conditional=is_conditional or sure is not True,
                    is_type_checking=is_type_checking or sure is False,
                )
            case ast.With(body=then) | ast.AsyncWith(body=then):
                yield from _placed(then, is_conditional=is_conditional, is_type_checking=is_type_checking)
            case ast.Try() | ast.TryStar():
                handled = (one for handler in node.handlers for one in handler.body)
                for part in (node.body, list(handled), node.orelse):
                    yield from _placed(part, is_conditional=True, is_type_checking=is_type_checking)
                yield from _placed(node.finalbody, is_conditional=is_conditional, is_type_checking=is_type_checking)
            case ast.For() | ast.AsyncFor() | ast.While():
                for part in (node.body, node.orelse):
                    yield from _placed(part, is_conditional=True, is_type_checking=is_type_checking)
            case ast.Match(cases=cases):
                for case in cases:
                    yield from _placed(case.body, is_conditional=True, is_type_checking=is_type_checking)


def type_checking(test: ast.expr) -> bool | None:
    """True when a test holds only for type checkers, False when it holds whenever code runs, None for any other."""
    match test:
        case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
            return True
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            sure = type_checking(operand)
            return None if sure is None else not sure
        case ast.BoolOp(op=ast.And(), values=values):
            return True if any(type_checking(one) is True for one in values) else None
        case ast.BoolOp(op=ast.Or(), values=values):
            return False if any(type_checking(one) is False for one in values) else None
    return None


def _of_body(body: Sequence[ast.stmt], prefix: str, around: Placed) -> Iterator[Definition]:
    for one in statements(body):
        placed = Placed(
            one.node,
            is_conditional=one.is_conditional or around.is_conditional,
            is_type_checking=one.is_type_checking or around.is_type_checking,
        )
        node = one.node
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield _function(node, prefix, placed)
            case ast.ClassDef(name=name, body=inner):
                yield _class(node, prefix, placed)
                yield from _of_body(inner, f"{prefix}{name}.", placed)
            case _:
                yield from _values(node, prefix, placed)


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef, prefix: str, placed: Placed) -> Definition:
    decorators = tuple(ast.unparse(one) for one in node.decorator_list)
    return replace(
        _plain(f"{prefix}{node.name}", node, placed),
        sort="function",
        parameters=parameters_of(node.args),
        decorators=decorators,
        is_overload=any(one.rpartition(".")[2] in _OVERLOADS for one in decorators),
    )


def _class(node: ast.ClassDef, prefix: str, placed: Placed) -> Definition:
    return replace(
        _plain(f"{prefix}{node.name}", node, placed),
        sort="class",
        bases=tuple(ast.unparse(one) for one in node.bases),
        decorators=tuple(ast.unparse(one) for one in node.decorator_list),
    )


def _values(node: ast.stmt, prefix: str, placed: Placed) -> Iterator[Definition]:
    match node:
        case ast.Assign(targets=targets, value=value):
            pairs = [pair for target in targets for pair in _assigned(target, value)]
        case ast.AnnAssign(target=ast.Name(id=name), value=annotated):
            pairs = [(name, annotated)]
        case ast.AugAssign(target=ast.Name(id=name) as target, op=operator, value=value):
            pairs = [(name, ast.BinOp(ast.Name(target.id), operator, value))]
        case _:
            return
    for name, given in pairs:
        text = None if given is None else ast.unparse(given)
        yield replace(_plain(f"{prefix}{name}", node, placed), value=text)


def _assigned(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.expr | None]]:
    """Names that an assignment gives a meaning, with their own values as far as the text pairs them."""
    match target:
        case ast.Name(id=name):
            yield name, value
        case ast.Starred(value=inner):
            yield from _assigned(inner, None)
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            given: Sequence[ast.expr | None] = [None] * len(targets)
            if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(targets):
                parts = value.elts
                given = given if any(isinstance(one, ast.Starred) for one in (*targets, *parts)) else parts
            for one, part in zip(targets, given, strict=True):
                yield from _assigned(one, part)


def _plain(name: str, node: ast.stmt, placed: Placed) -> Definition:
    return Definition(
        name=name,
        sort="value",
        parameters=(),
        value=None,
        bases=(),
        decorators=(),
        line=node.lineno,
        is_overload=False,
        is_conditional=placed.is_conditional,
        is_type_checking=placed.is_type_checking,
    )


def parameters_of(arguments: ast.arguments) -> tuple[Parameter, ...]:
    """The parameters of a function or a lambda, in the order in which they are written."""
    positional = [*arguments.posonlyargs, *arguments.args]
    missing: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    found: list[Parameter] = []
    for index, (one, default) in enumerate(zip(positional, [*missing, *arguments.defaults], strict=True)):
        kind: ParameterKind = "positional-only" if index < len(arguments.posonlyargs) else "positional"
        found.append(_parameter(one, kind, default))
    if arguments.vararg:
        found.append(_parameter(arguments.vararg, "var-positional", None))
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(_parameter(one, "keyword-only", default))
    if arguments.kwarg:
        found.append(_parameter(arguments.kwarg, "var-keyword", None))
    return tuple(found)


def _parameter(one: ast.arg, kind: ParameterKind, default: ast.expr | None) -> Parameter:
    return Parameter(one.arg, kind, None if default is None else ast.unparse(default))

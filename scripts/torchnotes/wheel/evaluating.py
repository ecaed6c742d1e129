"""A few statements of a module, followed by hand, for the names that they compute.

For loops that fill a module's names, and for ``__getattr__``. Knows strings, tables and plain tests on them. Refuses to
guess: what it does not know stays unknown, and both ways of an unknown test are gone. Runs none of the wheel's code.
"""

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeGuard

from torchnotes.wheel.scopes import dotted

__all__ = ["Effects", "Evaluator", "Look", "Member", "Outcome", "Unsure", "UnsureKind"]

_MOST_STEPS = 400_000
_COPIES: Mapping[str, Callable[[Any], Any]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "sorted": sorted,
    "dict": dict,
    "str": str,
    "len": len,
    "iter": list,
    "reversed": lambda given: list(reversed(given)),
}
_OF_TEXT = frozenset(
    [
        "startswith",
        "endswith",
        "removeprefix",
        "removesuffix",
        "lower",
        "upper",
        "strip",
        "lstrip",
        "rstrip",
        "replace",
        "split",
        "title",
        "capitalize",
        "isupper",
        "islower",
        "isidentifier",
        "rpartition",
        "partition",
        "join",
        "format",
    ]
)
_OF_TABLES = frozenset({"get", "keys", "values", "items", "copy", "union", "difference", "intersection"})
_LONGEST = 100_000
"""Entries or characters of a value that is built up."""


class UnsureKind(Enum):
    """Two ways not to know a value."""

    ANYTHING = "anything"
    SOMETHING = "something"
    """Known not to be None."""
    NAMESPACE = "namespace"
    """What ``globals()`` answers with."""
    MODULE = "module"
    """The module itself."""
    OBJECT = "object"
    """The object that a method is called on."""


Unsure = UnsureKind.ANYTHING
_SOMETHING = UnsureKind.SOMETHING


@dataclass(frozen=True, slots=True)
class Member:
    """``getattr(x, name)`` of something that stands outside."""

    of: tuple[str, ...]
    """The parts of ``x``."""
    name: str
    """The name that is asked for."""


class Outcome(Enum):
    """How a run of statements ends."""

    NEXT = "next"
    CONTINUE = "continue"
    BREAK = "break"
    RETURN = "return"
    RAISE = "raise"
    UNSURE = "unsure"


@dataclass(slots=True)
class Effects:
    """What statements did to the names of their module."""

    bound: dict[str, tuple[int, object, bool]] = field(default_factory=dict)
    """Names that were set: line, value, and whether that is sure."""
    deleted: set[str] = field(default_factory=set)
    """Names that were surely deleted."""
    listed: set[str] = field(default_factory=set)
    """Names that were added to ``__all__``."""
    computed: int = 0
    """Line at which a name was set that is not known; 0 when none was."""
    listed_computed: bool = False
    """Whether something was added to ``__all__`` that is not known."""


Look = Callable[[tuple[str, ...]], object]
"""What a dotted name outside the statements holds: a plain value, or ``Unsure``."""


class _LookupFailedError(Exception):
    """A table was asked for a key that it surely lacks."""


class Evaluator:
    """Follows the statements of one module."""

    def __init__(
        self,
        look: Look,
        names_of: Callable[[tuple[str, ...]], Sequence[str] | None],
        functions: Mapping[str, ast.FunctionDef],
    ) -> None:
        """``names_of`` answers for ``dir(x)``: the names, or None when they are not known."""
        self._look = look
        self._names_of = names_of
        self._functions = functions
        self._effects = Effects()
        self._steps = 0
        self._unsure = 0
        self._calls = 0
        self.asked = False
        """Whether a test was decided on the way, or a table had what was asked for."""

    def effects(self, statements: Sequence[ast.stmt]) -> Effects:
        """What statements of the module's own level do."""
        self._effects = Effects()
        self._run(statements, {})
        return self._effects

    def answers(self, function: ast.FunctionDef, name: str) -> bool | Member | None:
        """Whether a ``__getattr__`` answers for a name; where it only asks something else, what; None when not known."""
        arguments = [*function.args.posonlyargs, *function.args.args]
        if not arguments:
            return None
        self.asked = False
        env: dict[str, object] = {one.arg: UnsureKind.OBJECT for one in arguments}
        env[arguments[-1].arg] = name
        env["return"] = Unsure
        match self._run(function.body, env):
            case Outcome.RAISE:
                return False
            case Outcome.RETURN:
                given = env["return"]
                if isinstance(given, Member):
                    return given
                return True if self.asked else None
        return None

    def value(self, node: ast.expr, env: dict[str, object] | None = None) -> object:
        """What an expression is, as far as it can be known."""
        try:
            return self._value(node, {} if env is None else env)
        except _LookupFailedError:
            return Unsure

    def _run(self, body: Sequence[ast.stmt], env: dict[str, object]) -> Outcome:
        for node in body:
            self._steps += 1
            if self._steps > _MOST_STEPS:
                self._effects.computed = self._effects.computed or node.lineno
                return Outcome.UNSURE
            try:
                outcome = self._step(node, env)
            except _LookupFailedError:
                outcome = Outcome.RAISE
            if outcome is not Outcome.NEXT:
                return outcome
        return Outcome.NEXT

    def _step(self, node: ast.stmt, env: dict[str, object]) -> Outcome:
        match node:
            case ast.If():
                return self._if(node, env)
            case ast.For():
                return self._for(node, env)
            case ast.Try():
                return self._try(node, env)
            case ast.With(body=body):
                return self._run(body, env)
            case ast.Return(value=value):
                env["return"] = None if value is None else self._value(value, env)
                return Outcome.RETURN
            case ast.Raise():
                return Outcome.RAISE
            case ast.Continue():
                return Outcome.CONTINUE
            case ast.Break():
                return Outcome.BREAK
            case ast.While() | ast.Match():
                self._may_set(node)
                return Outcome.UNSURE
        self._plain(node, env)
        return Outcome.NEXT

    def _plain(self, node: ast.stmt, env: dict[str, object]) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                given = self._value(value, env)
                for target in targets:
                    self._assign(target, given, env)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                self._assign(target, self._value(value, env), env)
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                if name == "__all__":
                    self._list(self._value(value, env))
                env[name] = Unsure
            case ast.Expr(value=ast.Call() as call):
                self._call(call, env)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                for alias in names:
                    env.pop(alias.asname or alias.name.partition(".")[0], None)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                env[name] = _SOMETHING

    def _if(self, node: ast.If, env: dict[str, object]) -> Outcome:
        truth = _truth(self._value(node.test, env))
        if truth is not None:
            # A look at how a name begins decides about too many names to count.
            self.asked = self.asked or any(isinstance(one, ast.Compare) for one in ast.walk(node.test))
            return self._run(node.body if truth else node.orelse, env)
        self._unsure += 1
        first, second = dict(env), dict(env)
        ends = {self._run(node.body, first), self._run(node.orelse, second)}
        self._unsure -= 1
        for name in first.keys() | second.keys():
            one, other = first.get(name, Unsure), second.get(name, Unsure)
            env[name] = one if one == other else Unsure
        if len(ends) == 1:
            return ends.pop()
        # In a loop, going on is one of the two ways, and what follows is then only possible.
        return Outcome.NEXT if ends <= {Outcome.NEXT, Outcome.CONTINUE, Outcome.BREAK} else Outcome.UNSURE

    def _for(self, node: ast.For, env: dict[str, object]) -> Outcome:
        given = self._value(node.iter, env)
        if not isinstance(given, list | tuple | set | frozenset | dict):
            self._may_set(node)
            return Outcome.NEXT
        for one in given:
            self._assign(node.target, one, env)
            outcome = self._run(node.body, env)
            if outcome in {Outcome.RETURN, Outcome.RAISE, Outcome.UNSURE}:
                return outcome
            if outcome is Outcome.BREAK:
                break
        return Outcome.NEXT

    def _may_set(self, node: ast.AST) -> None:
        """Note what statements could set that cannot be followed."""
        for one in ast.walk(node):
            match one:
                case ast.Subscript(value=ast.Call(func=ast.Name(id="globals" | "vars" | "locals")), ctx=ast.Store()):
                    self._effects.computed = one.lineno
                case ast.Call(func=ast.Name(id="setattr"), args=[target, *_]) if not isinstance(target, ast.Name):
                    self._effects.computed = one.lineno
                case ast.Call(func=ast.Attribute(value=ast.Name(id="__all__"))):
                    self._effects.listed_computed = True

    def _try(self, node: ast.Try, env: dict[str, object]) -> Outcome:
        outcome = self._run(node.body, env)
        if outcome is Outcome.RAISE and node.handlers:
            self.asked = True
            return self._run(node.handlers[0].body, env)
        if outcome is Outcome.NEXT:
            outcome = self._run(node.orelse, env)
        return outcome

    def _assign(self, target: ast.expr, given: object, env: dict[str, object]) -> None:
        match target:
            case ast.Name(id=name):
                env[name] = given
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                known = isinstance(given, list | tuple) and len(given) == len(targets)
                for index, one in enumerate(targets):
                    self._assign(one, given[index] if known and isinstance(given, list | tuple) else Unsure, env)
            case ast.Subscript(value=held, slice=key):
                if self._value(held, env) is UnsureKind.NAMESPACE:
                    self._set(self._value(key, env), given, target.lineno)

    def _set(self, name: object, given: object, line: int) -> None:
        if isinstance(name, str):
            self._effects.bound[name] = (line, given, not self._unsure)
            self._effects.deleted.discard(name)
        else:
            self._effects.computed = line

    def _list(self, names: object) -> None:
        if isinstance(names, list | tuple | set | frozenset | dict) and all(isinstance(one, str) for one in names):
            self._effects.listed.update(str(one) for one in names)
        else:
            self._effects.listed_computed = True

    def _call(self, call: ast.Call, env: dict[str, object]) -> None:
        """A call for what it does."""
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="__all__"), attr="append"), args=[given]):
                self._list([self._value(given, env)])
            case ast.Call(func=ast.Attribute(value=ast.Name(id="__all__"), attr="extend"), args=[given]):
                self._list(self._value(given, env))
            case ast.Call(func=ast.Name(id="setattr"), args=[target, name, given]):
                if self._value(target, env) is UnsureKind.MODULE:
                    self._set(self._value(name, env), self._value(given, env), call.lineno)
            case ast.Call(func=ast.Name(id="delattr"), args=[target, name]):
                gone = self._value(name, env)
                if self._value(target, env) is UnsureKind.MODULE and isinstance(gone, str) and not self._unsure:
                    self._effects.deleted.add(gone)
                    self._effects.bound.pop(gone, None)
            case ast.Call(func=ast.Attribute(value=held, attr="update"), args=args, keywords=keywords):
                if self._value(held, env) is UnsureKind.NAMESPACE:
                    self._update(args, keywords, call.lineno, env)

    def _update(self, args: list[ast.expr], keywords: list[ast.keyword], line: int, env: dict[str, object]) -> None:
        for given in args:
            table = self._value(given, env)
            if isinstance(table, dict):
                for name, value in table.items():
                    self._set(name, value, line)
            else:
                self._effects.computed = line
        for keyword in keywords:
            self._set(keyword.arg, Unsure, line)

    def _value(self, node: ast.expr, env: dict[str, object]) -> object:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return env[name] if name in env else self._outside((name,))
            case ast.Attribute():
                return self._attribute(node, env)
            case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts):
                return self._elements(elts, env)
            case ast.Dict(keys=keys, values=values):
                return self._table(keys, values, env)
            case ast.JoinedStr(values=values):
                return self._joined(values, env)
            case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
                return self._value(value, env)
            case ast.BinOp(left=left, op=operator, right=right):
                return _combined(self._value(left, env), operator, self._value(right, env))
            case ast.BoolOp(op=operator, values=values):
                return self._any_or_all(operator, values, env)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                truth = _truth(self._value(operand, env))
                return Unsure if truth is None else not truth
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                number = self._value(operand, env)
                return -number if isinstance(number, int) else Unsure
            case ast.IfExp(test=test, body=then, orelse=otherwise):
                truth = _truth(self._value(test, env))
                return Unsure if truth is None else self._value(then if truth else otherwise, env)
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                return _compared(self._value(left, env), operator, self._value(right, env))
            case ast.Subscript(value=held, slice=key):
                return self._item(node, self._value(held, env), key, env)
            case ast.Call():
                return self._called(node, env)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self._comprehension(node, env)
            case ast.NamedExpr(target=target, value=value):
                env[target.id] = self._value(value, env)
                return env[target.id]
            case ast.Lambda():
                return _SOMETHING
        return Unsure

    def _outside(self, parts: tuple[str, ...]) -> object:
        return self._look(parts)

    def _attribute(self, node: ast.Attribute, env: dict[str, object]) -> object:
        parts = dotted(node)
        return Unsure if parts is None or parts[0] in env else self._outside(parts)

    def _elements(self, elts: Iterable[ast.expr], env: dict[str, object]) -> object:
        found: list[object] = []
        for one in elts:
            if isinstance(one, ast.Starred):
                inner = self._value(one.value, env)
                if not isinstance(inner, list | tuple | set | frozenset | dict):
                    return Unsure
                found.extend(inner)
            else:
                found.append(self._held(one, env))
        return found

    def _held(self, node: ast.expr, env: dict[str, object]) -> object:
        """What a table holds: a name or a call in it is something."""
        given = self._value(node, env)
        return _SOMETHING if given is Unsure else given

    def _table(self, keys: Sequence[ast.expr | None], values: Sequence[ast.expr], env: dict[str, object]) -> object:
        found: dict[object, object] = {}
        for key, value in zip(keys, values, strict=True):
            if key is None:
                inner = self._value(value, env)
                if not isinstance(inner, dict):
                    return Unsure
                found.update(inner)
            else:
                name = self._value(key, env)
                if not isinstance(name, str | int | bool | None):
                    return Unsure
                found[name] = self._held(value, env)
        return found

    def _joined(self, values: Iterable[ast.expr], env: dict[str, object]) -> object:
        parts = [self._value(one, env) for one in values]
        if all(isinstance(one, str | int) for one in parts):
            return "".join(map(str, parts))
        return _SOMETHING

    def _any_or_all(self, operator: ast.boolop, values: Iterable[ast.expr], env: dict[str, object]) -> object:
        decides = isinstance(operator, ast.Or)
        unsure = False
        given: object = Unsure
        for one in values:
            given = self._value(one, env)
            truth = _truth(given)
            if truth is decides:
                return Unsure if unsure and not isinstance(given, bool) else given
            unsure = unsure or truth is None
        return Unsure if unsure else given

    def _item(self, node: ast.Subscript, held: object, key: ast.expr, env: dict[str, object]) -> object:
        if isinstance(key, ast.Slice):
            first, last, step = (
                None if one is None else self._value(one, env) for one in (key.lower, key.upper, key.step)
            )
            if isinstance(held, str | list | tuple) and _is_end(first) and _is_end(last) and _is_end(step):
                return held[first:last:step]
            return Unsure
        if dotted(node.value) == ("sys", "modules") and dotted(key) == ("__name__",):
            return UnsureKind.MODULE
        place = self._value(key, env)
        if isinstance(held, dict) and isinstance(place, str | int):
            if place not in held:
                raise _LookupFailedError
            self.asked = True
            return held[place]
        if isinstance(held, str | list | tuple) and isinstance(place, int):
            if not -len(held) <= place < len(held):
                raise _LookupFailedError
            return held[place]
        return Unsure

    def _called(self, call: ast.Call, env: dict[str, object]) -> object:
        match call:
            case ast.Call(func=ast.Name(id="globals" | "vars" | "locals"), args=[]):
                return UnsureKind.NAMESPACE
            case ast.Call(func=ast.Name(id="dir"), args=[of]):
                names = self._names_of(parts) if (parts := dotted(of)) and parts[0] not in env else None
                return Unsure if names is None else list(names)
            case ast.Call(func=ast.Name(id="getattr"), args=[of, key]):
                return self._member(of, self._value(key, env), env)
            case ast.Call(func=ast.Attribute(value=of, attr="__getattribute__" | "__getattr__"), args=[key]):
                return self._member(of, self._value(key, env), env)
            case ast.Call(func=ast.Name(id=name), args=[given], keywords=[]) if name in _COPIES and name not in env:
                return _tried(_COPIES[name], self._value(given, env))
            case ast.Call(func=ast.Attribute(value=of, attr=method), args=args, keywords=[]):
                return self._method(self._value(of, env), method, [self._value(one, env) for one in args])
            case ast.Call(func=ast.Name(id=name), args=[], keywords=[]) if name in self._functions:
                return self._returned(self._functions[name])
        return Unsure

    def _member(self, of: ast.expr, name: object, env: Mapping[str, object]) -> object:
        parts = dotted(of)
        if parts is None or not isinstance(name, str):
            return Unsure
        return Unsure if parts[0] in env and env[parts[0]] is not UnsureKind.OBJECT else Member(parts, name)

    def _method(self, held: object, method: str, args: list[object]) -> object:
        known = all(isinstance(one, str | int | list | tuple | set | frozenset | dict) or one is None for one in args)
        if isinstance(held, str) and method in _OF_TEXT and known:
            return _tried(lambda given: getattr(given, method)(*args), held)
        if isinstance(held, dict | set | frozenset | list) and method in _OF_TABLES and known:
            return _tried(lambda given: getattr(given, method)(*args), held)
        return Unsure

    def _returned(self, function: ast.FunctionDef) -> object:
        """What a function without parameters answers with, when its last statement says so."""
        last = function.body[-1]
        if not isinstance(last, ast.Return) or last.value is None or self._calls:
            return Unsure
        self._calls += 1
        try:
            return self._value(last.value, {})
        finally:
            self._calls -= 1

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, env: dict[str, object]
    ) -> object:
        if len(node.generators) != 1:
            return Unsure
        loop = node.generators[0]
        given = self._value(loop.iter, env)
        if not isinstance(given, list | tuple | set | frozenset | dict):
            return Unsure
        found: list[object] = []
        table: dict[object, object] = {}
        for one in given:
            inner = dict(env)
            self._assign(loop.target, one, inner)
            kept = [_truth(self._value(test, inner)) for test in loop.ifs]
            if None in kept:
                return Unsure
            if not all(kept):
                continue
            if isinstance(node, ast.DictComp):
                key = self._value(node.key, inner)
                if not isinstance(key, str | int):
                    return Unsure
                table[key] = self._held(node.value, inner)
            else:
                found.append(self._held(node.elt, inner))
        return table if isinstance(node, ast.DictComp) else found


def _is_end(given: object) -> TypeGuard[int | None]:
    """Whether it can stand in a slice."""
    return given is None or isinstance(given, int)


def _truth(given: object) -> bool | None:
    """Whether a value counts as true; None when that is not known."""
    if isinstance(given, str | int | float | list | tuple | set | frozenset | dict) or given is None:
        return bool(given)
    return None


def _tried(make: Callable[[Any], Any], given: object) -> object:
    """What a plain function of Python makes of a known value."""
    if not isinstance(given, str | list | tuple | set | frozenset | dict):
        return Unsure
    try:
        made = make(given)
        if isinstance(made, type({}.keys()) | type({}.values()) | type({}.items())):
            made = list(made)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError):
        return Unsure
    too_long = isinstance(made, str | list | tuple | set | frozenset | dict) and len(made) > _LONGEST
    return Unsure if too_long else made


def _combined(left: object, operator: ast.operator, right: object) -> object:
    match operator:
        case ast.Add() if isinstance(left, str) and isinstance(right, str):
            return left + right if len(left) + len(right) < _LONGEST else Unsure
        case ast.Add() if isinstance(left, list | tuple) and isinstance(right, list | tuple):
            return [*left, *right] if len(left) + len(right) < _LONGEST else Unsure
        case ast.BitOr() if isinstance(left, dict) and isinstance(right, dict):
            return left | right
        case ast.BitOr() if isinstance(left, list | set | frozenset) and isinstance(right, list | set | frozenset):
            return [*left, *right]
        case ast.Sub() if isinstance(left, list | set | frozenset) and isinstance(right, list | set | frozenset):
            return [one for one in left if one not in right]
    return Unsure


def _compared(left: object, operator: ast.cmpop, right: object) -> object:
    match operator:
        case ast.Is() | ast.IsNot():
            return _is_none(left, right, operator)
        case ast.In() | ast.NotIn():
            known = isinstance(right, list | tuple | set | frozenset | dict | str) and isinstance(left, str)
            if not known or not isinstance(right, list | tuple | set | frozenset | dict | str):
                return Unsure
            if not isinstance(right, str) and left not in right and any(isinstance(one, UnsureKind) for one in right):
                return Unsure
            found = str(left) in right
            return found if isinstance(operator, ast.In) else not found
        case ast.Eq() | ast.NotEq():
            if isinstance(left, str | int) and isinstance(right, str | int):
                return (left == right) is isinstance(operator, ast.Eq)
    return Unsure


def _is_none(left: object, right: object, operator: ast.cmpop) -> object:
    if right is not None or left is Unsure:
        return Unsure
    return (left is None) is isinstance(operator, ast.Is)

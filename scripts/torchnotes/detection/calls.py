"""What a call passes, as far as its own text shows it."""

import ast
from collections.abc import Iterator, Sequence

from torchnotes.model.detect import Argument, DetectCall, DetectKeyword


def is_looked_for(one: DetectCall | DetectKeyword, call: ast.Call) -> bool:
    """Whether a call of the right name passes what is looked for, and nothing that makes it harmless."""
    if any(_may_pass(argument, call) for argument in one.without):
        return False
    if isinstance(one, DetectCall):
        return len(_plain_positional(call)) >= (one.least_positional or 0)
    given = _given(Argument(keyword=one.keyword, position=one.position), call)
    if given is None or _is_none(given):
        return False
    if one.value_is_hidden:
        return not list(_constants(given))
    return is_among(one.values, given)


def _may_pass(argument: Argument, call: ast.Call) -> bool:
    """Whether a call passes an argument, or may pass it out of sight with ``*`` or ``**``."""
    given = _given(argument, call)
    if given is not None:
        return not _is_none(given)
    hidden = any(keyword.arg is None for keyword in call.keywords)
    starred = argument.position is not None and any(isinstance(one, ast.Starred) for one in call.args)
    return hidden or starred


def _given(argument: Argument, call: ast.Call) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == argument.keyword:
            return keyword.value
    positional = _plain_positional(call)
    if argument.position is not None and len(positional) >= argument.position:
        return positional[argument.position - 1]
    return None


def _plain_positional(call: ast.Call) -> list[ast.expr]:
    """Arguments without names, up to the first ``*``, behind which no place is known."""
    found: list[ast.expr] = []
    for one in call.args:
        if isinstance(one, ast.Starred):
            break
        found.append(one)
    return found


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def is_among(values: Sequence[str], node: ast.expr | None) -> bool:
    """Whether an expression shows one of these values; any expression will do when none is asked for."""
    return not values or (node is not None and any(str(one) in values for one in _constants(node)))


def _constants(node: ast.expr) -> Iterator[object]:
    """The constants that an expression can be: both sides of a choice too."""
    waiting = [node]
    while waiting:
        match waiting.pop():
            case ast.Constant(value=value):
                yield value
            case ast.IfExp(body=body, orelse=otherwise):
                waiting += [body, otherwise]
            case ast.BoolOp(op=ast.Or(), values=values):
                waiting += values

"""Markers of requirements in plain words: ``python_version < "3.15"`` → ``Python below 3.15``.

Knows the few forms that wheels use; any other marker is shown as it is written, never guessed at.
"""

import ast

_SYSTEMS = {
    ("platform_system", "Linux"): "Linux",
    ("platform_system", "Windows"): "Windows",
    ("platform_system", "Darwin"): "macOS",
    ("sys_platform", "linux"): "Linux",
    ("sys_platform", "win32"): "Windows",
    ("sys_platform", "darwin"): "macOS",
}
_PYTHON = {
    ast.Lt: "Python below {}",
    ast.LtE: "Python {} or older",
    ast.Gt: "Python above {}",
    ast.GtE: "Python {} or newer",
    ast.Eq: "Python {} only",
    ast.NotEq: "not Python {}",
}


def plain_words(marker: str) -> str:
    """A marker as the end of a line; empty for none."""
    if not marker:
        return ""
    try:
        return _words(ast.parse(marker, mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return f"if {marker}"


def _words(node: ast.expr) -> str:
    match node:
        case ast.BoolOp(op=ast.And(), values=values):
            return ", ".join(_inside(one) for one in values)
        case ast.BoolOp(op=ast.Or(), values=values):
            return " or ".join(_inside(one) for one in values)
        case ast.Compare(left=ast.Name(id=name), ops=[operator], comparators=[ast.Constant(value=str(value))]) if (
            found := _compared(name, operator, value)
        ):
            return found
    return f"if {ast.unparse(node)}"


def _inside(node: ast.expr) -> str:
    return f"({_words(node)})" if isinstance(node, ast.BoolOp) else _words(node)


def _compared(name: str, operator: ast.cmpop, value: str) -> str | None:
    if name in ("python_version", "python_full_version") and type(operator) in _PYTHON:
        return _PYTHON[type(operator)].format(value)
    thing = _SYSTEMS.get((name, value)) or (value if name == "platform_machine" else None)
    if thing is not None and isinstance(operator, ast.Eq):
        return f"{thing} only"
    if thing is not None and isinstance(operator, ast.NotEq):
        return f"not on {thing}"
    return None

import pytest

from torchnotes.wheel.archive import WheelError
from torchnotes.wheel.syntax import Definition, Parameter, definitions

SOURCE = '''\
"""Text."""
from typing import TYPE_CHECKING, overload
import x as imported

A: int = 1
B: str
C, (D, *E) = 1, (2, 3)
F = G = f(1)
__all__ = ["a"]
__all__ += ["b"]

@overload
def many(a: int): ...
@deprecated("x")
def many(a, /, b=1, *rest, c, d=None, **more):
    inside = 1
    def deeper(): ...

class Outer(Base, metaclass=Meta):
    field: int
    def method(self, x="y"): ...
    class Inner(Generic[T]):
        z = 2
    if FLAG:
        def maybe(self): ...

try:
    T1 = 1
except ImportError:
    T1 = None
finally:
    T2 = 2
with a:
    W = 1
for i in b:
    L = 1
match m:
    case 1:
        M = 1
if TYPE_CHECKING:
    K = 1
else:
    N = 1
if not TYPE_CHECKING:
    O = 1
async def later(): ...
'''
FOUND = definitions(SOURCE)


def one(name: str) -> Definition:
    (found,) = FOUND[name]
    return found


def test_only_module_and_class_level_is_taken() -> None:
    classes = {"Outer", "Outer.field", "Outer.method", "Outer.Inner", "Outer.Inner.z", "Outer.maybe"}
    assert FOUND.keys() == {*"ABCDEFGLMWKNO", "__all__", "many", "later", "T1", "T2", *classes}


def test_values_are_unparsed() -> None:
    assert (one("A").value, one("B").value, one("F").value, one("G").value) == ("1", None, "f(1)", "f(1)")
    assert [one(name).value for name in "CDE"] == ["1", None, None]
    assert [found.value for found in FOUND["__all__"]] == ["['a']", "__all__ + ['b']"]
    assert one("A").sort == "value"


def test_a_function_tells_its_parameters() -> None:
    first, second = FOUND["many"]
    assert first.is_overload
    assert not second.is_overload
    assert second.decorators == ("deprecated('x')",)
    assert second.line == 15
    assert second.parameters == (
        Parameter("a", "positional-only", None),
        Parameter("b", "positional", "1"),
        Parameter("rest", "var-positional", None),
        Parameter("c", "keyword-only", None),
        Parameter("d", "keyword-only", "None"),
        Parameter("more", "var-keyword", None),
    )
    assert one("Outer.method").parameters == (
        Parameter("self", "positional", None),
        Parameter("x", "positional", "'y'"),
    )
    assert one("later").sort == "function"


def test_a_class_tells_its_bases() -> None:
    assert one("Outer").bases == ("Base",)
    assert one("Outer.Inner").bases == ("Generic[T]",)
    assert one("Outer").sort == "class"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("A", False), ("T2", False), ("W", False), ("L", True), ("M", True), ("K", True), ("N", False), ("O", False)],
)
def test_what_may_be_left_out_is_marked(name: str, expected: bool) -> None:  # noqa: FBT001
    assert one(name).is_conditional is expected
    assert one(name).is_type_checking is (name == "K")


def test_both_ways_of_a_try_are_marked() -> None:
    assert [found.is_conditional for found in FOUND["T1"]] == [True, True]
    assert one("Outer.maybe").is_conditional


@pytest.mark.parametrize("source", ["def (", "x = \0", "(" * 5000, "x = " + "-" * 100_000 + "1"])
def test_what_is_no_python_is_said(source: str) -> None:
    with pytest.raises(WheelError, match="cannot be read as Python"):
        definitions(source)


def test_what_a_compiler_would_warn_about_is_read() -> None:
    assert definitions("\ufeffx = '\\d'\n")["x"][0].value == "'\\\\d'"

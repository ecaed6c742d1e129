"""Each way in which a name gets to a place, in made-up wheels: there, not there, and not known."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from made_wheels import opened

from torchnotes.wheel.exports import Answer, Export, Exports

FILES: Mapping[str, str | bytes] = {
    "torch/__init__.py": """\
import os
import math as m
from typing import TYPE_CHECKING
from torch import _C as _C
if FLAG:
    from torch._C import *
else:
    from torch._C import *
from .sub import given as taken, Sub, absent_in_sub
from . import sub
from .starred import *
from .unlisted import *
import torch.deep.deeper
if TYPE_CHECKING:
    from .sub import only_for_types
    typed = 1
if sys.platform == "x":
    sometimes = 1
def gone(): ...
del gone
def kept(): ...
if FLAG:
    del kept
def removed(x):
    "Says so."
    y = x
    raise RuntimeError("removed")
annotated: int
value: int = 1
first, (second, *third) = f()
alias = Sub.method
for __name in dir(_C._VariableFunctions):
    if __name.startswith("__") or __name in PRIVATE:
        continue
    __obj = getattr(_C._VariableFunctions, __name)
    if __name == "hidden":
        globals()[__name] = __obj
        __name = "_" + __name
    globals()[__name] = __obj
for __name in ("sqrt", "cos"):
    __sym = f"_sym_{__name}"
    globals()[__sym] = make(__name)
for __name in dir(_C):
    if __name == "TensorBase":
        delattr(sys.modules[__name__], __name)
PRIVATE = ("secret",)
from torch._tensor import Tensor
from torch.return_types import x as rx
def set_it():
    global set_later
    set_later = 1
try:
    from torch._C import _Compiled as Compiled, _Missing as Missing
    from .sub import given as safe
    import elsewhere
except ImportError:
    pass
try:
    from other import either
except ImportError:
    either = None
""",
    "torch/_C/__init__.pyi": """\
from enum import Enum
from typing import Any, TypeVar
import torch
T = TypeVar("T")
float32: int = ...
class Device: ...
class _Compiled: ...
class _Missing: ...
class TensorBase:
    def add_(self): ...
    shape: int
class Colour(Enum):
    RED = ...
""",
    "torch/_C/_VariableFunctions.pyi": "def add(): ...\ndef secret(): ...\ndef hidden(): ...\ndef __and__(): ...\n",
    "torch/lib/libtorch_python.so": b"\x01_Compiled\0_undeclared\0linalg_qr\0",
    "torch/_tensor.py": """\
import torch
class Tensor(torch._C.TensorBase):
    own = 1
    def __init__(self):
        self.on_object = 1
    declared: int
""",
    "torch/sub.py": """\
def given(): ...
class Sub:
    def method(self): ...
    class Inner:
        z = 1
""",
    "torch/starred.py": """\
__all__ = ["listed"]
__all__ += ["added"]
__all__.extend(["extended"])
__all__.append("appended")
__all__ = [*__all__, *other.__all__]
from . import other
def listed(): ...
def unlisted_there(): ...
def added(): ...
def extended(): ...
def appended(): ...
from .other import of_other
""",
    "torch/other.py": "__all__ = ['of_other']\ndef of_other(): ...\n",
    "torch/unlisted.py": "def shown(): ...\ndef _private(): ...\nimport json\n",
    "torch/deep/deeper/__init__.py": "from ...sub import Sub as up\nfrom ..side import x\n",
    "torch/deep/side.py": "x = 1\n",
    "torch/return_types.py": "for name in dir(unknown):\n    globals()[name] = 1\n",
    "torch/return_types.pyi": "class x:\n    y: int\n",
    "torch/cycle_a.py": "from .cycle_b import *\nfrom .cycle_b import one, two\n",
    "torch/cycle_b.py": "from .cycle_a import *\nfrom .cycle_a import two\none = 1\n",
    "torch/classes.py": """\
import enum, collections
from dataclasses import dataclass
from typing import NamedTuple, Generic
from outside import Stranger
class Colour(enum.Enum):
    RED = 1
class Point(NamedTuple):
    x: int
@dataclass(frozen=True)
class Record:
    a: int
    b: int = 1
Pair = collections.namedtuple("Pair", "left right")
Typed = NamedTuple("Typed", [("up", int)])
class Pairs(collections.namedtuple("P", ["l", "r"])): ...
class Base(Generic[T]):
    def inherited(self): ...
class Child(Base[int]):
    plain: int
    def __init__(self):
        self.attribute = 1
class Strange(Stranger): ...
class Loop(Loop): ...
class A(B): ...
class B(A):
    in_b = 1
class Error(RuntimeError): ...
class Set: ...
Set.direct = 1
setattr(Set, "by_name", 1)
class Computed: ...
for one in ("a",):
    setattr(Computed, one, 1)
an_object = Child()
""",
    "torch/lazy_table.py": """\
TABLE = {"one": "a", "two": "b"}
OTHER = frozenset({"three"})
def __getattr__(name):
    if name in TABLE:
        return load(TABLE[name])
    if name == "four" or name in OTHER:
        return 4
    raise AttributeError(name)
""",
    "torch/lazy_get.py": """\
import importlib
_EXPORTS = {"five": ".a", **{"six": ".b"}}
_OLD = {"seven": torch.x.y}
def __getattr__(name):
    found = _OLD.get(name)
    if found is not None:
        return found()
    module = _EXPORTS.get(name)
    if module is None:
        raise AttributeError(name)
    value = getattr(importlib.import_module(module), name)
    globals()[name] = value
    return value
""",
    "torch/lazy_key.py": """\
def __getattr__(name):
    try:
        return TABLE[name]
    except KeyError:
        raise AttributeError(name) from None
TABLE = dict.fromkeys(["x"])
NAMES = ["x"]
""",
    "torch/lazy_try.py": """\
TABLE = {"eight": 8}
def __getattr__(name):
    try:
        return TABLE[name]
    except KeyError:
        raise AttributeError(name) from None
""",
    "torch/lazy_call.py": """\
def classes():
    class Made: ...
    return {"Made": Made}
def __getattr__(name):
    table = classes()
    if name in table:
        return table[name]
    raise AttributeError
""",
    "torch/lazy_any.py": "def __getattr__(name):\n    return anything(name)\n",
    "torch/lazy_mixed.py": """\
def __getattr__(name):
    if name == "sure":
        return 1
    if ask(name):
        return 2
    raise AttributeError
""",
    "torch/lazy_all.py": """\
__all__ = ["a", "b"]
def __getattr__(name):
    if name in __all__:
        return load(name)
    raise AttributeError
""",
    "torch/lazy_never.py": "def __getattr__(name):\n    raise AttributeError(name)\n",
    "torch/replaced.py": """\
import sys, types
class Replacement(types.ModuleType):
    allow = Property()
    def __init__(self, m):
        self.m = m
    def __getattr__(self, name):
        return self.m.__getattribute__(name)
own = 1
sys.modules[__name__] = Replacement(sys.modules[__name__])
""",
    "torch/with_object.py": """\
class Switches:
    def __getattr__(self, name):
        if name == "allow_tf32":
            return 1
        raise AttributeError
switches = Switches()
""",
    "torch/updates.py": """\
globals().update({"updated": 1})
globals()["item"] = 2
def later(name):
    globals()["literal"] = 1
""",
    "torch/computes.py": "def later(name):\n    globals()[name] = 1\n",
    "torch/hands_over.py": "fill(globals())\n",
    "torch/broken.py": "def (\n",
    "torch/native.cpython-312-darwin.so": b"",
    "torch/bare_folder/inside.py": "x = 1\n",
}


def _words(text: str) -> list[str]:
    return text.split()


YES = _words("""
torch torch.os torch.os.path torch.m torch.taken torch.sub torch.sub.given torch.Sub.Inner.z torch.Sub.method torch.alias
torch.absent_in_sub torch.deep torch.deep.deeper torch.deep.deeper.up.method torch.deep.deeper.x torch.sometimes
torch.kept torch.removed torch.value torch.first torch.second torch.third torch.add torch._hidden torch.hidden
torch._sym_sqrt torch._sym_cos torch.float32 torch.Device torch.Tensor.add_ torch.Tensor.shape torch.Tensor.own
torch.Tensor.__init__ torch.Tensor.__repr__ torch._C.TensorBase torch._C._VariableFunctions.secret torch.Compiled
torch.safe torch.either torch.listed torch.added torch.extended torch.appended torch.of_other torch.shown torch.__name__
torch.rx torch.return_types.x torch.return_types.x.y torch.cycle_a.one torch.cycle_b.one torch.Colour.RED.name
torch.classes.Colour.RED torch.classes.Point.x torch.classes.Point.count torch.classes.Record.a torch.classes.Record.b
torch.classes.Pair.left torch.classes.Typed.up torch.classes.Pairs.r torch.classes.Pair.index
torch.classes.Child.inherited torch.classes.Child.__doc__ torch.classes.B.in_b torch.classes.A.in_b
torch.classes.Error.args torch.classes.Set.direct torch.classes.Set.by_name torch.classes.an_object.attribute
torch.classes.an_object.inherited torch.classes.an_object.plain
torch.lazy_table.one torch.lazy_table.three torch.lazy_table.four torch.lazy_get.five torch.lazy_get.six
torch.lazy_get.seven torch.lazy_try.eight torch.lazy_call.Made torch.lazy_mixed.sure torch.lazy_all.b
torch.replaced.allow torch.replaced.own torch.with_object.switches.allow_tf32
torch.updates.updated torch.updates.item torch.broken torch.native torch.bare_folder torch.bare_folder.inside.x
""")

NO = _words("""
nothing torch.switch torch.typed torch.only_for_types torch.gone torch.annotated torch.secret torch.__and__
torch.TensorBase torch.T torch.Any torch.unlisted_there torch._private torch.given torch.sub.nothing torch.sub.given.x
torch.Sub.other torch.Sub.Inner.y torch._sym_tan torch.Tensor.sub_ torch.Missing torch._C.nothing torch.os.nothing
torch.cycle_a.nothing torch.cycle_b.nothing torch.classes.Colour.BLUE torch.classes.Point.y torch.classes.Pair.middle
torch.classes.Pairs.m torch.classes.Child.nothing torch.classes.A.nothing torch.classes.Loop.nothing
torch.classes.Error.nothing torch.classes.Set.nothing torch.classes.an_object.nothing
torch.lazy_table.five torch.lazy_get.one torch.lazy_try.nine torch.lazy_call.Other torch.lazy_all.c torch.lazy_never.x
torch.replaced.nothing torch.with_object.switches.other torch.updates.nothing torch.bare_folder.other torch.deep.other
""")

UNKNOWN = _words("""
torch.set_later torch.elsewhere torch.Tensor.on_object torch.Tensor.declared torch._C._undeclared torch.uint7
torch.classes.Child.attribute torch.classes.Child.plain torch.classes.Strange.x torch.classes.Computed.a
torch.lazy_any.x torch.lazy_mixed.other torch.lazy_key.x torch.return_types.other torch.updates.literal
torch.computes.x torch.hands_over.x torch.broken.x torch.value.x
""")


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Exports]:
    with opened(tmp_path_factory.mktemp("wheel"), FILES) as archive:
        yield Exports(archive)


@pytest.mark.parametrize("name", YES)
def test_what_is_there(exports: Exports, name: str) -> None:
    found = exports.find(name)
    assert found.answer is Answer.YES, found.how
    assert found.how.endswith(".")
    assert found.nearest is None


@pytest.mark.parametrize("name", NO)
def test_what_is_not_there(exports: Exports, name: str) -> None:
    found = exports.find(name)
    assert found.answer is Answer.NO, found.how
    assert found.how.endswith(".")


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_only_running_would_tell(exports: Exports, name: str) -> None:
    found = exports.find(name)
    assert found.answer is Answer.UNKNOWN, found.how
    assert found.how.startswith("Not known: ")


@pytest.mark.parametrize("order", [YES + NO + UNKNOWN, (UNKNOWN + NO + YES)[::-1]])
def test_the_order_of_questions_changes_nothing(tmp_path: Path, order: list[str]) -> None:
    with opened(tmp_path, FILES) as archive:
        exports = Exports(archive)
        answers = {name: exports.find(name).answer for name in order}
    expected = {Answer.YES: YES, Answer.NO: NO, Answer.UNKNOWN: UNKNOWN}
    assert {name for answer, names in expected.items() for name in names if answers[name] is not answer} == set()


@pytest.mark.parametrize(
    ("name", "where", "qualified"),
    [
        ("torch.taken", "torch/sub.py:1", "given"),
        ("torch.alias", "torch/sub.py:3", "Sub.method"),
        ("torch.add", "torch/_C/_VariableFunctions.pyi:1", "add"),
        ("torch.Tensor.add_", "torch/_C/__init__.pyi:10", "TensorBase.add_"),
        ("torch.value", "torch/__init__.py:29", "value"),
        ("torch.of_other", "torch/other.py:2", "of_other"),
        ("torch.deep.deeper.up", "torch/sub.py:2", "Sub"),
    ],
)
def test_where_is_the_definition(exports: Exports, name: str, where: str, qualified: str) -> None:
    found = exports.find(name)
    assert (found.where, found.file, found.qualified) == (where, where.partition(":")[0], qualified)


def test_a_function_that_only_raises_is_there_and_said(exports: Exports) -> None:
    assert exports.find("torch.removed").raises == "RuntimeError"
    assert exports.find("torch.taken").raises is None


def test_a_condition_is_said_unless_both_ways_give_the_name(exports: Exports) -> None:
    assert exports.find("torch.sometimes").condition == "if sys.platform == 'x'"
    assert exports.find("torch.float32").condition is None
    assert exports.find("torch.either").condition is None
    assert exports.find("torch.value").condition is None


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("torch.lited", "torch.listed"),
        ("torch.Sub.methd", "torch.Sub.method"),
        ("torch.Tensor.ad_", "torch.Tensor.add_"),
        ("torch.dep.deeper", "torch.deep.deeper"),
        ("torch.Missing", None),
        ("torch.zzzzzz", None),
    ],
)
def test_the_nearest_name_is_offered(exports: Exports, asked: str, near: str | None) -> None:
    assert exports.find(asked).nearest == near


def test_a_part_that_a_build_lacks_is_said(exports: Exports) -> None:
    assert "in this build" in exports.find("torch.Missing").how


def test_without_a_library_a_stub_is_taken_at_its_word(tmp_path: Path) -> None:
    files = {name: text for name, text in FILES.items() if not name.startswith("torch/lib/")}
    with opened(tmp_path, files) as archive:
        assert Exports(archive).find("torch.Missing").answer is Answer.YES


def test_names_are_those_that_can_be_seen(exports: Exports) -> None:
    names = exports.names("torch")
    assert {"taken", "add", "listed", "deep", "float32"} <= names
    assert not {"gone", "secret", "Any", "unlisted_there", "_private", "annotated"} & names
    assert {"add_", "own"} <= exports.names("torch.Tensor")
    assert exports.names("nothing") == frozenset()


@pytest.mark.parametrize("name", ["", "torch.", "torch..x", "torch.a-b", "torch.x()"])
def test_what_is_no_dotted_name_is_refused(exports: Exports, name: str) -> None:
    with pytest.raises(ValueError, match="no dotted name"):
        exports.find(name)


def test_long_chains_and_deep_cycles_end(tmp_path: Path) -> None:
    chain = {f"torch/m{one}.py": f"from .m{one + 1} import x\nfrom .m{one + 1} import *\n" for one in range(200)}
    chain["torch/m200.py"] = "from .m0 import *\nfrom .m0 import y\n"
    with opened(tmp_path, {"torch/__init__.py": "", **chain}) as archive:
        assert isinstance(Exports(archive).find("torch.m0.x"), Export)
        assert isinstance(Exports(archive).find("torch.m0.nothing"), Export)

"""What counts as a change of the public API: each sort true and false, on small made wheels."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from made_wheels import made_wheel

from torchnotes.apidiff import api_diff
from torchnotes.apidiff.stored import api_text
from torchnotes.model.api import ApiDiff
from torchnotes.terms import ApiChange
from torchnotes.wheel.archive import open_wheel
from torchnotes.yaml_source import Document, parse

Files = Mapping[str, str]
A = "torch/a.py"


def diff(folder: Path, old: Files, new: Files) -> ApiDiff:
    """What changed between two wheels whose package `torch` has these files."""
    paths = [
        made_wheel(folder, {"torch/__init__.py": "", **files}, version=version)
        for version, files in (("2.14.0", old), ("2.15.0", new))
    ]
    with open_wheel(paths[0]) as ours, open_wheel(paths[1]) as theirs:
        return api_diff(ours, theirs)


def removed(found: ApiDiff) -> list[str]:
    return [f"{group.module}.{name}" for group in found.removed for name in group.names]


def added(found: ApiDiff) -> list[str]:
    return [f"{group.module}.{name}" for group in found.added for name in group.names]


def changes(found: ApiDiff) -> list[tuple[str, str, str | None, str | None, str | None]]:
    return [
        (one.name, change.kind.value, change.parameter, change.was, change.now)
        for one in found.changed
        for change in one.changes
    ]


def parameters(found: ApiDiff) -> dict[str, list[str]]:
    return {one.name: list(one.parameters) for one in found.parameters}


# ---- Signatures -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("x, y", "x, z, y", [("inserted", "z", None, "argument 2, before `y`, without a default")]),
        ("x, y=1", "x, z=2, y=1", [("inserted", "z", None, "argument 2, before `y`")]),
        ("x, *, z=1", "z=1, x=None", [("inserted", "z", None, "argument 1, before `x`")]),
        ("x, y", "y, x", [("moved", None, "x, y", "y, x")]),
        ("x=1", "x=2", [("default", "x", "1", "2")]),
        ("x=None", "x='a'", [("default", "x", "None", "'a'")]),
        ("x=1", "x", [("required", "x", "1", "no default")]),
        ("x", "x, y", [("required", "y", None, "new, without a default")]),
        ("x", "x, *, y", [("required", "y", None, "new, without a default")]),
        ("x, y=1", "x, *, y=1", [("keyword-only", "y", None, None)]),
        ("x, y=1", "x, y=1, /", [("positional-only", "x", None, None), ("positional-only", "y", None, None)]),
        ("x, y=1", "x, z=1", [("renamed", "y", "y", "z")]),
        ("*, shapes=None, a=1", "*, dynamic=None, a=1", [("renamed", "shapes", "shapes", "dynamic")]),
        ("x, y=1", "x, z=2", [("dropped", "y", None, None)]),
        ("x, y=1", "x", [("dropped", "y", None, None)]),
        ("x, y", "y", [("dropped", "x", None, "arguments behind it move up")]),
        ("x, y=1", "x, **more", [("dropped", "y", None, "perhaps taken by the ** parameter")]),
        ("x, *rest", "x", [("dropped", "*rest", None, None)]),
        ("x, **rest", "x", [("dropped", "**rest", None, None)]),
    ],
)
def test_signature_changes(
    tmp_path: Path, old: str, new: str, expected: list[tuple[str, str | None, str | None, str | None]]
) -> None:
    found = diff(tmp_path, {A: f"def f({old}): return 1"}, {A: f"def f({new}): return 1"})
    assert changes(found) == [("torch.a.f", *one) for one in expected]
    assert (found.removed, found.added) == ((), ())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x", "x"),
        ("x: int = 1", "x: 'float' = 1"),
        ("x", "x=1"),
        ("x, *, y=1", "x, y=1"),
        ("x, /, y", "z, /, y"),
        ("x", "x, *rest, **more"),
        ("x, _hidden=1", "x"),
        ("x, *, b=1, a=2", "x, *, a=2, b=1"),
    ],
)
def test_signatures_that_serve_every_old_call(tmp_path: Path, old: str, new: str) -> None:
    found = diff(tmp_path, {A: f"def f({old}): return 1"}, {A: f"def f({new}): return 1"})
    assert (changes(found), parameters(found)) == ([], {})


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("x", "x, y=1", ["y=1"]),
        ("x, *, y=1", "x, *, z='é', y=1", ["z='é'"]),
        ("x", "x, *, _hidden=1, z=2", ["z=2"]),
    ],
)
def test_appended_parameters_are_no_change(tmp_path: Path, old: str, new: str, expected: list[str]) -> None:
    found = diff(tmp_path, {A: f"def f({old}): return 1"}, {A: f"def f({new}): return 1"})
    assert (changes(found), parameters(found)) == ([], {"torch.a.f": expected})


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("def __init__(self, x, y): ...", "def __init__(self, z, x, y): ...", [("torch.a.C", "inserted")]),
        ("def m(self, x): return x", "def m(self, y): return y", [("torch.a.C.m", "renamed")]),
        ("@staticmethod\n def m(x, y): return x", "@staticmethod\n def m(y, x): return x", [("torch.a.C.m", "moved")]),
        ("def m(self): return 1", "@property\n def m(self): return 1", [("torch.a.C.m", "sort")]),
        ("@property\n def m(self): return 1", "@property\n def m(self): return 2", []),
        ("def __call__(self, x): ...", "def __call__(self, y): ...", []),
    ],
)
def test_classes(tmp_path: Path, old: str, new: str, expected: list[tuple[str, str]]) -> None:
    found = diff(tmp_path, {A: f"class C:\n {old}"}, {A: f"class C:\n {new}"})
    assert [one[:2] for one in changes(found)] == expected


def test_fields_of_a_dataclass_are_its_constructor(tmp_path: Path) -> None:
    head = "from dataclasses import dataclass, field, KW_ONLY\nfrom typing import ClassVar\n@dataclass(frozen=True)\nclass C:\n"
    old = f"{head} x: int\n y: int = 1\n n: ClassVar[int] = 3\n"
    new = f"{head} x: int\n z: int = 0\n y: int = 2\n w: list = field(default_factory=list)\n h: int = field(init=False)\n _: KW_ONLY\n k: int = 5\n"
    found = diff(tmp_path, {A: old}, {A: new})
    assert changes(found) == [
        ("torch.a.C", "inserted", "z", None, "argument 2, before `y`"),
        ("torch.a.C", "default", "y", "1", "2"),
    ]
    assert parameters(found) == {"torch.a.C": ["w=list", "k=5"]}


# ---- What became of a name ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({A: "def f(): return 1"}, {A: ""}),
        ({A: "class f: pass"}, {A: "def _f(): return 1"}),
        ({A: "__all__ = ['f']\ndef f(): return 1"}, {A: "__all__ = []"}),
        ({A: "f = 1\n__all__ = ['f']"}, {A: "if False:\n    pass"}),
        ({A: "def f(): return 1"}, {A: "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    def f(): return 1"}),
        (
            {A: "from ._x import *", "torch/_x.py": "__all__ = ['f']\ndef f(): return 1"},
            {A: "from ._x import *", "torch/_x.py": "__all__ = []\ndef f(): return 1"},
        ),
    ],
)
def test_removed(tmp_path: Path, old: Files, new: Files) -> None:
    found = diff(tmp_path, old, new)
    assert removed(found) == ["torch.a.f"]
    assert (found.unconfirmed, found.changed) == ((), ())


@pytest.mark.parametrize(
    "new",
    [
        {A: "from torch._b import f", "torch/_b.py": "def f(): return 1"},
        {A: "from ._b import g as f", "torch/_b.py": "def g(): return 1"},
        {A: "from ._b import *", "torch/_b.py": "def f(): return 1"},
        {A: "__all__ = []\ndef f(): return 1"},
        {A: "import sys\nif sys.platform == 'linux':\n    def f(): return 1\nelse:\n    def f(): return 1"},
        {A: "try:\n    from ._b import f\nexcept ImportError:\n    f = None", "torch/_b.py": "def f(): return 1"},
        {
            A: "def __getattr__(name):\n    if name == 'f':\n        from ._b import f\n        return f\n    raise AttributeError(name)",
            "torch/_b.py": "def f(): return 1",
        },
        {"torch/a/__init__.py": "from .f import f", "torch/a/f.py": "def f(): return 1"},
    ],
)
def test_moved_and_lazy_names_are_no_removal(tmp_path: Path, new: Files) -> None:
    found = diff(tmp_path, {A: "def f(): return 1"}, new)
    assert (removed(found), found.unconfirmed) == ([], ())


def test_what_only_running_would_tell_is_not_confirmed(tmp_path: Path) -> None:
    dynamic = "import importlib\ndef __getattr__(name):\n    return getattr(importlib.import_module('torch._b'), name)"
    found = diff(tmp_path, {A: "def f(): return 1"}, {A: dynamic})
    assert removed(found) == []
    assert [one.name for one in found.unconfirmed] == ["torch.a.f"]
    assert found.unconfirmed[0].reason.startswith("Whether the new wheel still has it is not clear: ")


def test_a_method_that_is_inherited_now_is_no_removal(tmp_path: Path) -> None:
    old = {A: "class B:\n def m(self): return 1\nclass C(B):\n def m(self): return 1\n def n(self): return 1"}
    new = {A: "class B:\n def m(self): return 1\nclass C(B):\n pass"}
    assert removed(diff(tmp_path, old, new)) == ["torch.a.C.n"]


def test_members_of_what_is_gone_are_not_listed(tmp_path: Path) -> None:
    code = "class C:\n def m(self): return 1\n class Inner:\n  def n(self): return 1"
    assert removed(diff(tmp_path, {A: code}, {A: ""})) == ["torch.a.C"]
    assert added(diff(tmp_path, {A: ""}, {A: code})) == ["torch.a.C"]


def test_a_module_that_is_gone(tmp_path: Path) -> None:
    found = diff(tmp_path, {A: "", "torch/_private.py": ""}, {})
    assert removed(found) == ["torch.a.*"]


def test_a_name_of_several_modules_is_listed_once_by_the_shortest(tmp_path: Path) -> None:
    old = {"torch/b/__init__.py": "from .c import f", "torch/b/c.py": "def f(x): return x"}
    new = {"torch/b/__init__.py": "from .c import f", "torch/b/c.py": "def f(y): return y"}
    found = diff(tmp_path, old, new)
    assert [(one.name, one.defined) for one in found.changed] == [("torch.b.f", "torch.b.c.f")]
    gone = {"torch/b/__init__.py": "", "torch/b/c.py": ""}
    assert removed(diff(tmp_path, old, gone)) == ["torch.b.f"]
    assert added(diff(tmp_path, gone, old)) == ["torch.b.f"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "def f(): return 1", ["torch.a.f"]),
        ("", "def _f(): return 1", []),
        ("", "f = 1", []),
        ("", "from os import path", []),
        ("__all__ = []", "__all__ = ['f']\ndef f(): return 1\ndef g(): return 1", ["torch.a.f"]),
        ("__all__ = []", "__all__ = []\n__all__ += ['f']\n__all__.append('g')\nf = g = 1", ["torch.a.f", "torch.a.g"]),
        # It could be imported before: being listed is no news to who calls it.
        ("__all__ = []\ndef f(): return 1", "__all__ = ['f']\ndef f(): return 1", []),
        ("", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    def f(): return 1", []),
        ("def f(x): return x", "from typing import overload\n@overload\ndef f(y): ...\ndef f(x): return x", []),
    ],
)
def test_added(tmp_path: Path, old: str, new: str, expected: list[str]) -> None:
    found = diff(tmp_path, {A: old}, {A: new})
    assert (added(found), changes(found)) == (expected, [])


@pytest.mark.parametrize(
    "path", ["torch/_a.py", "torch/testing/a.py", "torch/_vendor/a.py", "torch/fx/experimental/a.py"]
)
def test_what_is_not_public(tmp_path: Path, path: str) -> None:
    found = diff(tmp_path, {path: "def f(x): return x"}, {path: "def g(x): return x"})
    assert (removed(found), added(found), changes(found)) == ([], [], [])


def test_a_name_that_left_a_private_module_is_compared_with_what_it_was(tmp_path: Path) -> None:
    old = {"torch/b/__init__.py": "", "torch/b/_c.py": "def f(x): return x"}
    new = {"torch/b/__init__.py": "", "torch/b/_c.py": "from .c import f", "torch/b/c.py": "def f(y, x): return x"}
    found = diff(tmp_path, old, new)
    assert added(found) == ["torch.b.c.f"]
    assert [one[:3] for one in changes(found)] == [("torch.b.c.f", "inserted", "y")]


# ---- Changes of the thing itself ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "def f(x): return x",
            "def f(x):\n '''Says.'''\n why = 1\n raise RuntimeError('gone')",
            ("raises", "RuntimeError"),
        ),
        ("def f(x): return x", "def f(x):\n from ._b import g\n return g(x)", ("raises", "ValueError")),
        ("def f(): return 1", "class f: pass", ("sort", "class")),
        ("def f(): return 1", "@deprecated('Use g.')\ndef f(): return 1", ("deprecated", None)),
        ("@typing.deprecated('x')\ndef f(): return 1", "def f(): return 1", ("released", None)),
        ("from torch.b import B\nclass f(B): pass", "class f: pass", ("base", None)),
    ],
)
def test_another_thing(tmp_path: Path, old: str, new: str, expected: tuple[str, str | None]) -> None:
    more = {"torch/b.py": "class B: pass", "torch/_b.py": "def g(x):\n raise ValueError(x)"}
    found = diff(tmp_path, {A: old, **more}, {A: new, **more})
    assert [(kind, now) for _, kind, _, _, now in changes(found)] == [expected]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def f(x): return x", "def f(x):\n raise NotImplementedError"),
        ("def f(x): return x", "def f(x):\n if x:\n  return x\n raise ValueError"),
        ("def f(x): raise ValueError", "def f(y): raise ValueError(y)"),
        ("from torch._b import B\nclass f(B): pass", "class f: pass"),
        ("from torch.b import B\nclass f(B): pass", "from torch import b\nclass f(b.B): pass"),
        ("class f(object): pass", "class f: pass"),
    ],
)
def test_the_same_thing(tmp_path: Path, old: str, new: str) -> None:
    more = {"torch/b.py": "class B: pass", "torch/_b.py": "class B: pass"}
    kinds = {one[1] for one in changes(diff(tmp_path, {A: old, **more}, {A: new, **more}))}
    assert kinds <= {ApiChange.RENAMED.value}


def test_a_module_in_place_of_an_object(tmp_path: Path) -> None:
    old = {"torch/b/__init__.py": "__all__ = ['c']\nclass _C: pass\nc = _C()"}
    new = {"torch/b/__init__.py": "__all__ = ['c']", "torch/b/c/__init__.py": ""}
    assert changes(diff(tmp_path, old, new)) == [("torch.b.c", "sort", None, "object", "module")]


def test_constants_that_builds_read(tmp_path: Path) -> None:
    path = "torch/utils/cpp_extension.py"
    found = diff(
        tmp_path, {path: "__all__ = []\nFLAGS = ['-std=c++17']"}, {path: "__all__ = []\nFLAGS = ['-std=c++20']"}
    )
    assert changes(found) == [("torch.utils.cpp_extension.FLAGS", "value", None, "['-std=c++17']", "['-std=c++20']")]


# ---- The C extension ------------------------------------------------------------------------------------------

STUB = "torch/_C/_VariableFunctions.pyi"
CLASSES = "torch/_C/__init__.pyi"
TORCH = "from torch import _C\nfor name in dir(_C._VariableFunctions):\n    globals()[name] = getattr(_C._VariableFunctions, name)\n"


def test_functions_of_the_c_extension_are_names_alone(tmp_path: Path) -> None:
    old = {CLASSES: "", STUB: "def qr(x: int) -> int: ...\ndef _hidden() -> int: ...\n", "torch/__init__.py": TORCH}
    new = {CLASSES: "", STUB: "def qr(y: str) -> int: ...\ndef polar() -> int: ...\n", "torch/__init__.py": TORCH}
    found = diff(tmp_path, old, new)
    assert (added(found), changes(found), removed(found)) == (["torch.polar"], [], [])


def test_a_function_of_the_c_extension_that_only_raises_now(tmp_path: Path) -> None:
    old = {CLASSES: "", STUB: "def qr(x: int) -> int: ...\n", "torch/__init__.py": TORCH}
    new = {
        CLASSES: "",
        STUB: "",
        "torch/__init__.py": f"{TORCH}from torch._old import qr\n",
        "torch/_old.py": "def qr(x):\n raise RuntimeError('Use torch.linalg.qr.')",
    }
    found = diff(tmp_path, old, new)
    assert (removed(found), changes(found)) == ([], [("torch.qr", "raises", None, None, "RuntimeError")])


# ---- Everything else ------------------------------------------------------------------------------------------


def test_operators(tmp_path: Path) -> None:
    def header(*schemas: str) -> str:
        return "".join(
            f'struct X {{ const char* name = "aten::{one.partition("(")[0]}"; const char* schema_str = "{one}"; }};\n'
            for one in schemas
        )

    path = "torch/include/ATen/ops/x_ops.h"
    found = diff(tmp_path, {path: header("a(Tensor x)", "b(Tensor x)")}, {path: header("b(Tensor y)", "c(Tensor x)")})
    assert found.operators.added == ("aten::c(Tensor x)",)
    assert found.operators.removed == ("aten::a(Tensor x)",)
    assert [(one.name, one.was, one.now) for one in found.operators.changed] == [
        ("aten::b", "b(Tensor x)", "b(Tensor y)")
    ]


def test_settings(tmp_path: Path) -> None:
    config = "import os\nfrom torch.utils._config_module import install_config_module\n{}\ninstall_config_module(sys.modules[__name__])"
    old = {
        A: "import os\nos.getenv('TORCH_OLD')\nos.getenv('TORCH_SAME', '1')\n",
        "torch/config.py": config.format("x = 1\ny = 2\n_hidden = 1"),
        "torch/testing/t.py": "import os\nos.getenv('TORCH_TEST')",
    }
    new = {
        A: "import os\nos.getenv('TORCH_NEW')\nos.getenv('TORCH_SAME', '2')\n",
        "torch/config.py": config.format("x = 3\nz = 2"),
    }
    found = diff(tmp_path, old, new)
    assert (found.variables.added, found.variables.removed) == (("TORCH_NEW",), ("TORCH_OLD",))
    assert [(one.name, one.was, one.now) for one in found.variables.changed] == [("TORCH_SAME", "'1'", "'2'")]
    assert (found.flags.added, found.flags.removed) == (("torch.config.z",), ("torch.config.y",))
    assert [(one.name, one.was, one.now) for one in found.flags.changed] == [("torch.config.x", "1", "3")]
    assert (added(found), removed(found), changes(found)) == ([], [], [])


def test_entry_points_and_requirements(tmp_path: Path) -> None:
    def info(version: str, points: str, python: str, *requirements: str) -> Files:
        folder = f"torch-{version}.dist-info"
        lines = "".join(f"Requires-Dist: {one}\n" for one in requirements)
        head = f"Metadata-Version: 2.4\nName: torch\nVersion: {version}\nRequires-Python: {python}\n"
        return {f"{folder}/METADATA": head + lines, f"{folder}/entry_points.txt": points}

    old = info(
        "2.14.0", "[g]\na = torch:a\n", ">=3.10", "sympy>=1.13", "triton==3.7; platform_system == 'Linux'", "old"
    )
    new = info(
        "2.15.0", "[g]\nb = torch:b\n", ">=3.11", "sympy>=1.13", "triton==3.8; platform_system == 'Linux'", "new>1"
    )
    found = diff(tmp_path, old, new)
    assert (found.entry_points.added, found.entry_points.removed) == (("g: b = torch:b",), ("g: a = torch:a",))
    assert (found.requirements.added, found.requirements.removed) == (("new>1",), ("old",))
    assert [(one.name, one.was, one.now) for one in found.requirements.changed] == [
        ("Python", ">=3.10", ">=3.11"),
        ('triton; platform_system == "Linux"', "==3.7", "==3.8"),
    ]


def test_equal_wheels_have_no_difference(tmp_path: Path) -> None:
    files = {A: "def f(x=1): return x\nclass C:\n def m(self): return 1"}
    found = diff(tmp_path, files, files)
    assert set(found.model_dump(exclude_defaults=True)) == {"old", "new"}


def test_the_wheels_are_named(tmp_path: Path) -> None:
    found = diff(tmp_path, {A: ""}, {A: "def f(): return 1"})
    assert (found.old.version, found.new.version) == ("2.14.0", "2.15.0")
    assert found.new.file.startswith("torch-2.15.0-")
    assert len(found.old.sha256) == 64
    assert found.old.sha256 != found.new.sha256


OLD_OF_EVERYTHING = {
    A: "def f(x, y='`<b>`'): return x\ndef gone(): return 1\nclass C:\n def m(self): return 1",
    "torch/b.py": "import os\nos.getenv('TORCH_OLD', 'null')\ndef h(x='\\u202e'): return x",
}
NEW_OF_EVERYTHING = {
    A: "def f(z, x, y='yes'): return x\nclass C:\n def m(self, *, k=None): return 1",
    "torch/b.py": "import os\nos.getenv('TORCH_OLD', '~')\ndef h(x=True): return x\ndef n(): return 1",
}


def test_a_second_run_is_byte_for_byte_the_same(tmp_path: Path) -> None:
    first = api_text(diff(tmp_path / "one", OLD_OF_EVERYTHING, NEW_OF_EVERYTHING))
    again = api_text(diff(tmp_path / "one", dict(reversed(OLD_OF_EVERYTHING.items())), NEW_OF_EVERYTHING))
    # The order and the time of writing are in the hash of a wheel, and in nothing else.
    first, again = (re.sub(r"sha256: \w+", "", text) for text in (first, again))
    assert again == first


def test_what_is_stored_reads_as_what_was_found(tmp_path: Path) -> None:
    found = diff(tmp_path, OLD_OF_EVERYTHING, NEW_OF_EVERYTHING)
    text = api_text(found)
    document = parse(text.encode(), "data/api/2.15.yaml")
    assert isinstance(document, Document), document
    assert ApiDiff.model_validate(document.values) == found
    assert "\u202e" not in text

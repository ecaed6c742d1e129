"""What entries of migration notes find in code, and what they do not."""

import json
import time
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from torchnotes.detection import Detector, sort_of
from torchnotes.detection.lines import words_of
from torchnotes.model.detect import AnyDetect, why_not_a_pattern
from torchnotes.terms import FileSort

READ: TypeAdapter[Any] = TypeAdapter(AnyDetect)
Places = list[tuple[int, int]]


def entry(match: str, **more: Any) -> AnyDetect:
    examples = {"found": [{"code": "x"}], "not_found": [{"code": "x"}]}
    found: AnyDetect = READ.validate_python(
        {"match": match, "explains": "x", "misses": "x", "sure": "yes", "examples": examples, **more}
    )
    return found


def places(one: AnyDetect, code: str, file: str = "train.py") -> Places:
    seen = Detector([one]).sightings(file, code)
    assert seen.unread == ""
    return [(place.line, place.column) for place in seen.found]


def lines(one: AnyDetect, code: str, file: str = "train.py") -> list[int]:
    return [line for line, _ in places(one, code, file)]


CALL = entry("call", name="torch.save")
NCCL = entry(
    "keyword",
    name="torch.distributed.init_process_group",
    keyword="backend",
    position=1,
    values=["nccl"],
    without=[{"keyword": "device_id", "position": 9}],
)

# ---- names


@pytest.mark.parametrize(
    "code",
    [
        "import torch\ntorch.save(x)",
        "import torch as t\nt.save(x)",
        "from torch import save\nsave(x)",
        "from torch import save as keep\nkeep(x)",
        "import torch.nn\ntorch.save(x)",
        "import torch\nt = torch\nt.save(x)",
        "import torch\nkeep = torch.save\nkeep(x)",
        "import torch\ndef f():\n    torch.save(x)",
        "def f():\n    import torch\n    torch.save(x)",
        "def f():\n    torch.save(x)\nimport torch",
        "import torch\nf = lambda x: torch.save(x)",
        "import torch\n[torch.save(x) for x in y]",
        "import torch\nclass A:\n    torch = 1\n    def f(self):\n        torch.save(x)",
        "import torch\nclass A:\n    kept = torch.save(1)",
        "try:\n    import torch\nexcept ImportError:\n    torch = None\ntorch.save(x)",
        "torch = None\ndef f():\n    global torch\n    import torch\n    torch.save(x)",
        "def f():\n    import torch\n    def g():\n        nonlocal torch\n        torch.save(x)",
        "try:\n    from torch import save\nexcept ImportError:\n    from mine import save\nsave(x)",
        "import torch\n@torch.save(x)\ndef f(): ...",
        "import torch\ndef f(torch=torch.save(1)): ...",
        "import torch\n(torch\n  .save(x))",
        "import torch\nprint(f'{torch.save(x)}')",
        "import torch\nasync def f():\n    await torch.save(x)",
        "import torch\nif (kept := torch.save(x)): ...",
        "import torch\nkept: int = torch.save(x)",
        "\ufeffimport torch\r\ntorch.save(x)\r\n",
    ],
)
def test_name_is_found_however_it_was_imported(code: str) -> None:
    assert len(places(CALL, code)) == 1


@pytest.mark.parametrize(
    "code",
    [
        "torch.save(x)",
        "from mine import torch\ntorch.save(x)",
        "from . import torch\ntorch.save(x)",
        "from .torch import save\nsave(x)",
        "from torch import *\nsave(x)",
        "import torch\n# torch.save(x)",
        'import torch\n"""torch.save(x)"""',
        "import torch\nprint('torch.save(x)')",
        "import torch\ntorch.save",
        "import torch\ntorch.nn.save(x)",
        "import torch\nself.torch.save(x)",
        "import torch\ndef f(torch):\n    torch.save(x)",
        "import torch\ndef f(*torch):\n    torch.save(x)",
        "import torch\ndef f(**torch):\n    torch.save(x)",
        "import torch\nlambda torch: torch.save(x)",
        "import torch\n[torch.save(x) for torch in y]",
        "import torch\ndef f():\n    torch = 1\n    torch.save(x)",
        "import torch\ndef f():\n    for torch in y:\n        torch.save(x)",
        "import torch\ndef f():\n    with y as torch:\n        torch.save(x)",
        "import torch\ndef f():\n    try: ...\n    except E as torch:\n        torch.save(x)",
        "import torch\ndef f():\n    match y:\n        case torch:\n            torch.save(x)",
        "import torch\ndef f():\n    match y:\n        case {**torch}:\n            torch.save(x)",
        "import torch\ndef f():\n    match y:\n        case [*torch]:\n            torch.save(x)",
        "import torch\ndef f():\n    if torch := y:\n        torch.save(x)",
        "import torch\ndef f():\n    torch += 1\n    torch.save(x)",
        "import torch\ndef f():\n    torch: int = y()\n    torch.save(x)",
        "import torch\ndef f():\n    def torch(): ...\n    torch.save(x)",
        "import torch\nclass A:\n    torch = 1\n    torch.save(x)",
        "import torch\ntorch = fake()\ntorch.save(x)",
        "import torch\na = b\nb = a\na.save(x)",
        "import torch\nsave = save\nsave(x)",
        "class A:\n    import torch\n    def f(self):\n        torch.save(x)",
        "import torchnotes\ntorchnotes.save(x)",
    ],
)
def test_what_only_looks_like_the_name_is_not_found(code: str) -> None:
    assert places(CALL, code) == []


def test_place_is_that_of_the_last_name_in_characters() -> None:
    assert places(CALL, "import torch\nx = 'é日😀'; torch.save(x)") == [(2, 18)]
    assert places(CALL, "import torch\n(torch\n    .save(x))") == [(3, 6)]


def test_built_in_name_is_known_until_somebody_takes_it() -> None:
    one = entry("attribute", name="torch.Old", within=["isinstance"])
    assert lines(one, "import torch\nisinstance(x, torch.Old)\nisinstance(x, (int, torch.Old))") == [2, 3]
    assert lines(one, "import torch\nisinstance(x, int | torch.Old)\ntorch.Old()\nprint(torch.Old)") == [2]
    assert lines(one, "import torch\nfrom mine import isinstance\nisinstance(x, torch.Old)") == []


def test_name_is_found_where_it_is_taken_and_not_again_under_its_new_name() -> None:
    one = entry("attribute", name="torch.OLD")
    assert lines(one, "import torch\nold = torch.OLD\nprint(old)") == [2]
    assert lines(one, "from torch import OLD as old\nprint(old)\nother = old\nprint(other)") == [2, 3]


def test_any_object_needs_the_import_beside_it() -> None:
    one = entry("attribute", name="*.cache", beside="torch.pipe")
    assert lines(one, "from torch.pipe import Stage\nstage.cache[0]") == [2]
    assert lines(one, "import torch.pipe.stage\nf().cache = 1") == [2]
    assert lines(one, "import torch.piper\nstage.cache[0]") == []
    assert lines(one, "import torch.pipe\ncache = 1\nprint(cache)") == []


# ---- arguments


@pytest.mark.parametrize(
    "call",
    [
        '"nccl"',
        'backend="nccl"',
        '"nccl" if gpu else "gloo"',
        'backend=given or "nccl"',
        '"nccl", device_id=None',
        'rank=0,\n    backend="nccl"',
        '"nccl", None, None, 1, 0, None, "", None',
    ],
)
def test_argument_is_found_by_name_and_by_place(call: str) -> None:
    assert lines(NCCL, f"import torch.distributed as dist\ndist.init_process_group({call})") == [2]


@pytest.mark.parametrize(
    "call",
    [
        "",
        '"gloo"',
        "backend=backend",
        "backend=None",
        '"nccl", device_id=device',
        '"nccl", None, None, 1, 0, None, "", None, device',
        '"nccl", **more',
        '*all, "nccl"',
        '"nccl", *rest',
        "b'nccl'",
        'rank="nccl"',
    ],
)
def test_argument_that_is_harmless_or_out_of_sight_is_not_found(call: str) -> None:
    assert lines(NCCL, f"import torch.distributed as dist\ndist.init_process_group({call})") == []


def test_hidden_value_is_one_that_the_code_does_not_show() -> None:
    one = entry("keyword", name="torch.f", keyword="mode", value_is_hidden=True)
    code = "from torch import f\nf(mode=given)\nf(mode=g())\nf(mode='x')\nf(mode=a or 'x')\nf(mode=None)\nf()"
    assert lines(one, code) == [2, 3]


def test_call_with_many_positional_arguments() -> None:
    one = entry("call", name="torch.Writer", least_positional=3)
    assert lines(one, "from torch import Writer\nWriter(1, 2, 3)\nWriter(1, 2, c=3)\nWriter(1, 2, *rest)") == [2]


# ---- statements that import


@pytest.mark.parametrize(
    "code",
    [
        "import torch._old",
        "import torch._old.below as x",
        "from torch import _old",
        "from torch import a, _old as b",
        "from torch._old import *",
        "from torch._old.below import x, y",
        'import importlib\nimportlib.import_module("torch._old")',
        '__import__("torch._old.below")',
        'import pytest\nold = pytest.importorskip("torch._old")',
        "if TYPE_CHECKING:\n    import torch._old",
    ],
)
def test_import_is_found_in_each_of_its_forms(code: str) -> None:
    assert len(lines(entry("import", name="torch._old"), code)) == 1


@pytest.mark.parametrize(
    "code", ["import torch._older", "from . import _old", "from .torch import _old", "import torch"]
)
def test_other_imports_are_not_found(code: str) -> None:
    assert lines(entry("import", name="torch._old"), code) == []


# ---- settings

VARIABLE = entry("setting", name="TORCH_X")
ZERO = entry("setting", name="TORCH_X", values=["0"])


@pytest.mark.parametrize(
    "code",
    [
        'os.environ["TORCH_X"] = "0"',
        'os.environ.setdefault("TORCH_X", "0")',
        'monkeypatch.setenv("TORCH_X", "0")',
        'env = {"TORCH_X": "0"}',
        'env = dict(TORCH_X="0")',
        'run(["env", "TORCH_X=0", "torchrun"])',
        'env = {**base, "TORCH_X": 0}',
    ],
)
def test_variable_that_python_sets_is_found_with_its_value(code: str) -> None:
    assert len(lines(VARIABLE, code)) == len(lines(ZERO, code)) == 1


def test_variable_that_python_only_reads_has_no_value() -> None:
    code = 'os.getenv("TORCH_X")\nos.environ["TORCH_X"]\nif "TORCH_X" in os.environ: ...'
    assert lines(VARIABLE, code) == [1, 2, 3]
    assert lines(ZERO, code) == []


def test_another_value_is_not_found() -> None:
    assert lines(ZERO, 'os.environ["TORCH_X"] = "1"\nos.environ["TORCH_X"] = f(x)\nrun("TORCH_X=01")') == []


def test_variable_in_a_docstring_or_a_sentence_is_none() -> None:
    assert lines(VARIABLE, '"""TORCH_X"""\n# TORCH_X\nprint("set TORCH_X to 1")\nTORCH_XY = "TORCH_XY"') == []


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("run.sh", "TORCH_X=0 torchrun"),
        ("run.sh", 'export TORCH_X="0"'),
        ("Dockerfile", "ENV TORCH_X=0"),
        ("Dockerfile.gpu", "ENV TORCH_X 0"),
        ("job.yaml", '  TORCH_X: "0"'),
        ("Makefile", "\tTORCH_X=0 make  # TORCH_Y"),
        ("tox.ini", "setenv = TORCH_X=0"),
        ("x.cpp", 'setenv("TORCH_X", "0", 1);'),
        (".env", "TORCH_X=0"),
    ],
)
def test_variable_is_found_as_a_word_of_a_line(file: str, code: str) -> None:
    assert lines(VARIABLE, code, file) == lines(ZERO, code, file) == [1]


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("run.sh", "# TORCH_X=0"),
        ("run.sh", "torchrun  # TORCH_X=0"),
        ("run.sh", "MY_TORCH_X=0 TORCH_X_Y=0"),
        ("x.cpp", "// TORCH_X 0"),
        ("x.cpp", " * TORCH_X 0"),
        ("notes.md", "TORCH_X=0"),
        ("requirements.txt", "TORCH_X=0"),
    ],
)
def test_variable_in_a_comment_or_a_file_of_no_sort_is_not_found(file: str, code: str) -> None:
    assert lines(VARIABLE, code, file) == []


def test_mark_of_a_comment_between_quotes_begins_none() -> None:
    assert lines(VARIABLE, "echo ' # ' TORCH_X=0", "run.sh") == [1]


@pytest.mark.parametrize(
    "code",
    [
        "import torch\ntorch.d.config.flag = True",
        "from torch.d import config\nconfig.flag = True",
        "import torch.d.config as c\nc.patch(flag=True)",
        "import torch.d.config as c\nwith c.patch({'flag': True}): ...",
        "import torch.d.config as c\n@c.patch('flag', True)\ndef f(): ...",
    ],
)
def test_flag_is_found_in_each_way_to_set_it(code: str) -> None:
    for values in ([], ["True"]):
        assert len(lines(entry("setting", name="torch.d.config.flag", values=values), code)) == 1
    assert lines(entry("setting", name="torch.d.config.flag", values=["False"]), code) == []


def test_flag_of_another_module_is_not_found() -> None:
    one = entry("setting", name="torch.d.config.flag")
    assert lines(one, "from mine import config\nconfig.flag = 1\nconfig.patch(flag=1)\nflag = 1") == []


# ---- lines

PIN = entry("line", pattern=r"(?<![\w-])triton ?==", files=["requirements", "setup"])


def test_line_is_looked_for_in_the_named_sorts_only() -> None:
    for file, found in (("requirements.txt", [1]), ("setup.py", [1]), ("a/requirements/gpu.in", [1]), ("a.txt", [])):
        assert lines(PIN, "triton==3.7", file) == found
    assert lines(PIN, "# triton==3.7\nmy-triton==1", "requirements.txt") == []


def test_end_of_a_very_long_line_is_not_looked_at() -> None:
    assert lines(PIN, " " * 990 + "triton==3", "requirements.txt") == [1]
    assert lines(PIN, " " * 1000 + "triton==3", "requirements.txt") == []


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(", "not a regular"),
        ("a*", "without a bound"),
        ("a+b", "without a bound"),
        ("a{2,}", "without a bound"),
        ("a{,9}", "without a bound"),
        ("(?i)a", "sets flags"),
        ("(a{1,9}){1,9}", "repeats a group"),
        (r"(a)\1", "refers back"),
        ("(?P<x>a)(?P=x)", "refers back"),
        ("(a)?(?(1)b|c)", "refers back"),
        ("a{0,99}b{0,99}", "too many ways"),
        ("(a|a)" * 12, "too many ways"),
        ("a?" * 12, "too many ways"),
    ],
)
def test_pattern_that_could_take_for_ever_is_refused(pattern: str, why: str) -> None:
    assert why in why_not_a_pattern(pattern)
    with pytest.raises(ValidationError):
        entry("line", pattern=pattern, files=["shell"])


@pytest.mark.parametrize("pattern", ["whl/cu1(26|30)", r"\bx\b ?==", "[*+?]{0,9}", r"\*\+\{x\}", "(?<![a-z])x(?!y)"])
def test_plain_pattern_is_taken(pattern: str) -> None:
    assert why_not_a_pattern(pattern) == ""


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"(?<![\w-])triton ?==", ("triton",)),
        (r"\bwhl/(nightly/)?cu1(26|30)(?![0-9])", ("whl/",)),
        (r"\blibcurand\b|-lcurand|[\"']curand[\"']", ("libcurand", "-lcurand", "curand")),
        (r"abcx{0,9}y|[abc]d", ()),
        (r"abcx?", ("abc",)),
        (r"abx?cd", ()),
        (r"((abc)d(efg))hij", ("hij",)),
        (r"(abc|def)", ()),
        (r"\(abc\)", ("abc",)),
        (r"[(]abc[|]def", ("abc",)),
    ],
)
def test_text_that_must_be_in_a_file_follows_from_the_pattern(pattern: str, words: tuple[str, ...]) -> None:
    assert words_of(pattern) == words


@given(st.from_regex(r"([ab.]|\[ab\]|\(a\||\)|\?|\{0,[0-9]{1,2}\}|[*+]){1,20}", fullmatch=True))
@settings(max_examples=300, deadline=None, derandomize=True)
@example("(a|b)?" * 3 + "[ab]{0,20}x")
def test_pattern_that_is_taken_is_quick(pattern: str) -> None:
    if why_not_a_pattern(pattern):
        return
    one = entry("line", pattern=pattern, files=["shell"])
    before = time.process_time()
    places(one, "ab" * 500, "run.sh")
    assert time.process_time() - before < 2


# ---- notebooks


def notebook(*cells: str) -> str:
    made = [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]
    return json.dumps({"cells": [{"cell_type": "markdown", "source": ["torch.save(x)"]}, *made]}, indent=1)


def test_cells_of_a_notebook_are_one_source() -> None:
    text = notebook("%matplotlib inline\n!pip install torch\nimport torch", "%%bash\ntorch.save(x)", "1\ntorch.save(x)")
    (line,) = lines(CALL, text, "a.ipynb")
    assert text.split("\n")[line - 1].strip() == '"torch.save(x)"'
    assert line == text.count("\n", 0, text.rindex("torch.save")) + 1


def test_cells_of_a_notebook_are_read_as_lines_too() -> None:
    one = entry("line", pattern="whl/old", files=["notebook"])
    assert lines(one, notebook("!pip install torch --index-url https://example.org/whl/old"), "a.ipynb") == [12]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cells": 1}', '{"cells": [1, {"cell_type": "code"}]}'])
def test_notebook_of_another_shape_holds_nothing(text: str) -> None:
    assert Detector([CALL]).sightings("a.ipynb", text).found == ()


def test_notebook_on_one_line_is_read_too() -> None:
    text = json.dumps({"cells": [{"cell_type": "code", "source": "import torch\ntorch.save(x)"}]})
    assert lines(CALL, text, "a.ipynb") == [1]


# ---- what cannot be read


@pytest.mark.parametrize(
    "code",
    [
        "import torch\nprint 'torch.save'",
        "import torch; torch.save(x)\0",
        "import torch; torch.save(" + "(" * 300,
        "import torch; torch.save(" + "-" * 100_000 + "1)",
        "import torch; torch.save" + ".a" * 100_000,
        "import torch\n%time torch.save(x)",
        "import torch; torch.save('\ud800')",
    ],
)
def test_what_is_no_python_is_said_once(code: str) -> None:
    seen = Detector([CALL, NCCL]).sightings("a.py", code)
    assert seen.found == ()
    assert seen.unread.startswith("could not be read as Python: ")


def test_what_is_no_python_and_names_nothing_is_not_worth_a_word() -> None:
    assert Detector([CALL]).sightings("a.py", "print 'hello'").unread == ""


def test_deep_code_that_python_takes_is_read() -> None:
    code = "import torch\nx = " + "+".join(["1"] * 900) + "\ntorch.save(x)"
    assert lines(CALL, code) == [3]


def test_long_chain_of_names_takes_no_time() -> None:
    chain = "\n".join(f"a{n} = a{n - 1}" for n in range(1, 3000))
    many = "\n".join(f"a = b{n}\nb{n} = a" for n in range(300))
    before = time.process_time()
    assert lines(CALL, f"import torch\na0 = torch.save\n{chain}\na2999(x)\n{many}\na(x)") == []
    assert time.process_time() - before < 5


@given(st.text(max_size=200), st.sampled_from(["a.py", "a.sh", "a.ipynb", "a.cpp", "Dockerfile", "setup.py", "a"]))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_text_is_read_without_a_complaint_that_is_none_of_ours(text: str, file: str) -> None:
    seen = Detector([CALL, NCCL, VARIABLE, PIN]).sightings(file, f"{text}\nimport torch; torch.save TORCH_X")
    assert all(place.line >= 1 and place.column >= 1 for place in seen.found)


# ---- sorts of files


@pytest.mark.parametrize(
    ("path", "first", "sort"),
    [
        ("a/b.py", "", FileSort.PYTHON),
        ("SETUP.PY", "", FileSort.SETUP),
        ("a/setup.py", "", FileSort.SETUP),
        ("run", "#!/usr/bin/env python3", FileSort.PYTHON),
        ("run", "#!/bin/bash -e", FileSort.SHELL),
        ("run", "hello", None),
        ("requirements-dev.txt", "", FileSort.REQUIREMENTS),
        ("dev_requirements.in", "", FileSort.REQUIREMENTS),
        ("docker/Dockerfile", "", FileSort.DOCKERFILE),
        ("cuda.Dockerfile", "", FileSort.DOCKERFILE),
        ("dockerfiles.md", "", None),
        ("CMakeLists.txt", "", FileSort.CMAKE),
        ("x.cu", "", FileSort.CPP),
        ("notes.txt", "", None),
        (".github/workflows/ci.yml", "", FileSort.YAML),
        ("uv.lock", "#!/bin/sh", None),
    ],
)
def test_sort_follows_from_the_name_or_the_first_line(path: str, first: str, sort: FileSort | None) -> None:
    assert sort_of(path, first) == sort

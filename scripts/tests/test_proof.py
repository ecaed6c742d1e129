"""Comparing evidence with wheels: each kind true and false, what is stored, and what a run does with bad wheels."""

import hashlib
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from builders import (
    DTYPE,
    METADATA,
    PROOFS,
    REMOVAL,
    WHEELS,
    Values,
    changed,
    code,
    feature,
    house_text,
    steps,
    wheel,
    write_base,
)
from made_wheels import made_wheel, made_zip
from pydantic import TypeAdapter

from torchnotes.cli import main
from torchnotes.model import Evidence, WheelFile
from torchnotes.proof.examining import Reader, complaint
from torchnotes.proof.fetching import fetched
from torchnotes.terms import EvidenceKind
from torchnotes.wheel.archive import WheelError, open_wheel

ADAPTER: TypeAdapter[Any] = TypeAdapter(Evidence)
INFO = "torch-2.15.0.dist-info"
FILES: dict[str, str | bytes] = {
    "torch/__init__.py": "from torch import nn as nn\nfrom ._tools import cond as cond\n",
    "torch/_tools.py": "import os\n\n\ndef cond(pred, fast=True, *, limit=1 + 1):\n    pass\n\n\nLIMIT = 3\n"
    'FAST = os.environ.get("TORCH_FAST", "0")\n',
    "torch/nn.py": "class Layer:\n    def forward(self, x):\n        return x\n",
    "torch/_inductor/config.py": "import sys\n\nmax_autotune = False\n\n\nclass triton:\n    graphs = True\n\n\n"
    "from torch.utils._config_module import install_config_module\n\ninstall_config_module(sys.modules[__name__])\n",
    "torch/lib/libtorch_cpu.dylib": b"\xcf\xfa\xed\xfe" + b"\0" * 5_000 + b"softmax_looped\0" + b"\0" * 5_000,
    "torch/include/ATen/ops/polar_ops.h": "struct TORCH_API polar {\n"
    '  static constexpr const char* name = "aten::polar";\n'
    '  static constexpr const char* overload_name = "";\n'
    '  static constexpr const char* schema_str = "polar(Tensor abs, Tensor angle) -> Tensor";\n};\n',
    f"{INFO}/METADATA": "Metadata-Version: 2.4\nName: torch\nVersion: 2.15.0\nRequires-Python: >=3.11\n"
    'Requires-Dist: typing-extensions>=4.13.0\nRequires-Dist: triton~=3.9.0; platform_system == "Linux"\n',
    f"{INFO}/entry_points.txt": "[torch.distributed.backends]\nnccl2 = torch.distributed.c10d:register\n",
}
THERE = {"present_in": ["2.15.0"]}
NOT_THERE = {"absent_in": ["2.15.0"]}


def being(value: str) -> Values:
    """A value in the made wheel's version."""
    return {"values": [{"value": value, "in": ["2.15.0"]}]}


def entry(kind: str, more: Mapping[str, Any]) -> Values:
    return {"proves": "headline", "kind": kind, "wheel": "any", **more}


def text(file: str, needle_: str) -> Values:
    return {"file": file, "needle": needle_}


TOOLS = {"file": "torch/_tools.py"}
LIBRARY = "torch/lib/libtorch_cpu.dylib"
TRUE = {
    "text": entry("text", {**text("torch/nn.py", "class Layer:"), **THERE}),
    "text that is not there": entry("text", {**text("torch/nn.py", "class Tensor:"), **NOT_THERE}),
    "text with the version in its path": entry("text", {**text("torch-{version}.dist-info/METADATA", "4.13"), **THERE}),
    "string in a library": entry("binary-string", {**text(LIBRARY, "softmax_looped"), **THERE}),
    "file": entry("file", {"file": "torch/nn.py", **THERE}),
    "no file": entry("file", {"file": "torch/old.py", **NOT_THERE}),
    "function": entry("symbol", {**TOOLS, "name": "cond", **THERE}),
    "no function": entry("symbol", {**TOOLS, "name": "switch", **NOT_THERE}),
    "method": entry("symbol", {"file": "torch/nn.py", "name": "Layer.forward", **THERE}),
    "parameter": entry("symbol", {**TOOLS, "name": "cond", "parameter": "fast", **THERE}),
    "no parameter": entry("symbol", {**TOOLS, "name": "cond", "parameter": "slow", **NOT_THERE}),
    "default": entry("symbol", {**TOOLS, "name": "cond", "parameter": "fast", **being("True")}),
    "default as an expression": entry("symbol", {**TOOLS, "name": "cond", "parameter": "limit", **being("(1+1)")}),
    "assigned value": entry("symbol", {**TOOLS, "name": "LIMIT", **being("3")}),
    "public name": entry("export", {"name": "torch.cond", **THERE}),
    "no public name": entry("export", {"name": "torch.switch", **NOT_THERE}),
    "entry point": entry("entry-point", {"group": "torch.distributed.backends", "name": "nccl2", **THERE}),
    "group of entry points": entry("entry-point", {"group": "torch.distributed.backends", **THERE}),
    "no entry point": entry("entry-point", {"group": "torch.distributed.backends", "name": "nixl", **NOT_THERE}),
    "target of an entry point": entry(
        "entry-point",
        {"group": "torch.distributed.backends", "name": "nccl2", **being("torch.distributed.c10d:register")},
    ),
    "requirement": entry("requirement", {"name": "typing-extensions", **being(">=4.13.0")}),
    "requirement whatever its marker": entry("requirement", {"name": "triton", **being("~=3.9.0")}),
    "requirement with its marker": entry(
        "requirement", {"name": "triton", **being("~=3.9.0; platform_system == 'Linux'")}
    ),
    "no requirement": entry("requirement", {"name": "numpy", **NOT_THERE}),
    "Python": entry("requirement", {"name": "python", **being(">=3.11")}),
    "operator": entry("operator", {"name": "aten::polar", **being("polar(Tensor abs, Tensor angle) -> Tensor")}),
    "no operator": entry("operator", {"name": "aten::switch", **NOT_THERE}),
    "environment variable": entry("setting", {"name": "TORCH_FAST", **THERE}),
    "default of a variable": entry("setting", {"name": "TORCH_FAST", **being("'0'")}),
    "no variable": entry("setting", {"name": "TORCH_SLOW", **NOT_THERE}),
    "config flag": entry("setting", {"name": "torch._inductor.config.max_autotune", **being("False")}),
    "flag of a group": entry("setting", {"name": "torch._inductor.config.triton.graphs", **being("True")}),
    "tag": entry("tag", {"part": "platform", **being("macosx_14_0_arm64")}),
    "Python tag": entry("tag", {"part": "python", **being("cp312")}),
    "ABI tag": entry("tag", {"part": "abi", **being("cp312")}),
}
FALSE = {
    "text": (entry("text", {**text("torch/nn.py", "class Layers:"), **THERE}), "the nearest is line 1: class Layer:"),
    "text that is there": (entry("text", {**text("torch/nn.py", "class Layer:"), **NOT_THERE}), "Found: torch/nn.py"),
    "text in no file": (entry("text", {**text("torch/n.py", "x"), **THERE}), "the nearest is torch/nn.py"),
    "absence in no file": (entry("text", {**text("torch/n.py", "x"), **NOT_THERE}), "Its absence says nothing"),
    "string in a library": (entry("binary-string", {**text(LIBRARY, "softmax_loop3d"), **THERE}), "does not hold"),
    "file": (entry("file", {"file": "torch/nm.py", **THERE}), "no file torch/nm.py"),
    "no file": (entry("file", {"file": "torch/nn.py", **NOT_THERE}), "is in the wheel"),
    "function": (entry("symbol", {**TOOLS, "name": "conds", **THERE}), "the nearest is cond"),
    "no function": (entry("symbol", {**TOOLS, "name": "cond", **NOT_THERE}), "torch/_tools.py line 4 defines cond"),
    "function as text only": (entry("symbol", {**TOOLS, "name": "pred", **THERE}), "does not define pred"),
    "parameter": (entry("symbol", {**TOOLS, "name": "cond", "parameter": "faster", **THERE}), "the nearest is fast"),
    "default": (entry("symbol", {**TOOLS, "name": "cond", "parameter": "fast", **being("False")}), "value: 'True'"),
    "no default": (entry("symbol", {**TOOLS, "name": "cond", "parameter": "pred", **being("1")}), "value: none"),
    "assigned value": (entry("symbol", {**TOOLS, "name": "LIMIT", **being("4")}), "Another value: '3'"),
    "public name": (entry("export", {"name": "torch.switch", **THERE}), "torch.switch cannot be reached"),
    "no public name": (entry("export", {"name": "torch.cond", **NOT_THERE}), "torch.cond can be reached"),
    "entry point": (
        entry("entry-point", {"group": "torch.distributed.backends", "name": "nccl3", **THERE}),
        "the nearest is nccl2",
    ),
    "group of entry points": (entry("entry-point", {"group": "torch.distributed.backend", **THERE}), "no group"),
    "target of an entry point": (
        entry("entry-point", {"group": "torch.distributed.backends", "name": "nccl2", **being("torch:other")}),
        "Another value: 'torch.distributed.c10d:register'",
    ),
    "requirement": (entry("requirement", {"name": "typing-extensions", **being(">=4.10.0")}), "value: '>=4.13.0'"),
    "requirement with another marker": (
        entry("requirement", {"name": "triton", **being("~=3.9.0; platform_system == 'Windows'")}),
        "platform_system",
    ),
    "no such requirement": (entry("requirement", {"name": "numpy", **THERE}), "does not require numpy"),
    "Python": (entry("requirement", {"name": "python", **being(">=3.10")}), "Another value: '>=3.11'"),
    "operator": (entry("operator", {"name": "aten::polar", **being("polar(Tensor abs) -> Tensor")}), "Another value"),
    "no operator": (entry("operator", {"name": "aten::pola", **THERE}), "the nearest is aten::polar"),
    "environment variable": (entry("setting", {"name": "TORCH_FASTER", **THERE}), "the nearest is TORCH_FAST"),
    "config flag": (entry("setting", {"name": "torch._inductor.config.max_autotune", **being("True")}), "'False'"),
    "tag": (entry("tag", {"part": "platform", **being("macosx_11_0_arm64")}), "Another value: 'macosx_14_0_arm64'"),
}


def said(values: Mapping[str, Any], folder: Path) -> str | None:
    one = ADAPTER.validate_python(values)
    with open_wheel(made_wheel(folder, FILES)) as archive:
        reader = Reader(archive, "2.15.0")
        reader.expect([one])
        return complaint(one, "2.15.0", reader)


@pytest.mark.parametrize("values", TRUE.values(), ids=TRUE)
def test_what_is_true_holds(values: Values, tmp_path: Path) -> None:
    assert said(values, tmp_path) is None


@pytest.mark.parametrize(("values", "words"), FALSE.values(), ids=FALSE)
def test_what_is_false_is_answered_with_what_is_there(values: Values, words: str, tmp_path: Path) -> None:
    found = said(values, tmp_path)
    assert found is not None
    assert words in found


def test_every_kind_is_tried_true_and_false() -> None:
    kinds = set(map(str, EvidenceKind))
    assert {values["kind"] for values in TRUE.values()} == kinds
    assert {values["kind"] for values, _ in FALSE.values()} == kinds


UNCLEAR = {
    "variable that only a library reads": (
        {LIBRARY: b"\0" * 50 + b"TORCH_HIDDEN\0"},
        entry("setting", {"name": "TORCH_HIDDEN", **NOT_THERE}),
        "holds the word",
    ),
    "no headers": (
        {"torch/include/ATen/ops/polar_ops.h": ""},
        entry("operator", {"name": "aten::polar", **NOT_THERE}),
        "Its absence says nothing",
    ),
    "parameter of nothing": (
        {},
        entry("symbol", {**TOOLS, "name": "switch", "parameter": "fast", **NOT_THERE}),
        "Its absence says nothing",
    ),
    "value that depends": (
        {"torch/_tools.py": "import sys\nif sys.platform == 'linux':\n    LIMIT = 3\nelse:\n    LIMIT = 4\n"},
        entry("symbol", {**TOOLS, "name": "LIMIT", **being("3")}),
        "which only running decides",
    ),
    "definition for type checkers": (
        {"torch/_tools.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    def cond(): ...\n"},
        entry("symbol", {**TOOLS, "name": "cond", **THERE}),
        "does not define cond",
    ),
    "variable in a file that cannot be read": (
        {"torch/_broken.py": "import os\nX = os.environ.get('TORCH_BROKEN')\nx = (\n"},
        entry("setting", {"name": "TORCH_BROKEN", **NOT_THERE}),
        "cannot be read as Python",
    ),
    "flag in a file that cannot be read": (
        {"torch/_inductor/config.py": "max_autotune = (\nfrom x import install_config_module\n"},
        entry("setting", {"name": "torch._inductor.config.max_autotune", **NOT_THERE}),
        "cannot be read as Python",
    ),
    "header that cannot be read": (
        {"torch/include/ATen/ops/add_ops.h": b"\0\xff"},
        entry("operator", {"name": "aten::add", **NOT_THERE}),
        "declares no schema",
    ),
    "expression that is too deep": (
        {"torch/_tools.py": f"LIMIT = {'+'.join(['1'] * 3_000)}\n"},
        entry("symbol", {**TOOLS, "name": "LIMIT", **THERE}),
        "Reading cannot tell",
    ),
    "file that is no Python": (
        {"torch/_tools.py": "def cond(:\n"},
        entry("symbol", {**TOOLS, "name": "cond", **THERE}),
        "Reading cannot tell",
    ),
}


@pytest.mark.parametrize(("files", "values", "words"), UNCLEAR.values(), ids=UNCLEAR)
def test_what_a_reader_cannot_see_is_not_proved(
    files: dict[str, str | bytes], values: Values, words: str, tmp_path: Path
) -> None:
    one = ADAPTER.validate_python(values)
    with open_wheel(made_wheel(tmp_path, {**FILES, **files})) as archive:
        reader = Reader(archive, "2.15.0")
        reader.expect([one])
        assert words in (complaint(one, "2.15.0", reader) or "")


def test_what_reading_cannot_tell_is_no_proof(tmp_path: Path) -> None:
    """A name that may be made while running is neither there nor absent."""
    files = {"torch/__init__.py": "import random\n\nfor name in random.sample(dir(), 3):\n    globals()[name] = 1\n"}
    with open_wheel(made_wheel(tmp_path, files)) as archive:
        for place in (THERE, NOT_THERE):
            one = ADAPTER.validate_python(entry("export", {"name": "torch.anything", **place}))
            found = complaint(one, "2.15.0", Reader(archive, "2.15.0"))
            assert found is not None
            assert found.startswith("Reading cannot tell")


# ---- The command ----------------------------------------------------------------------------------------------


RECORD = "features/2.15/made.yaml"
OLD = {**FILES, "torch/nn.py": "class Old:\n    pass\n"}


def made(root: Path, *evidence: Values, **more: Any) -> Path:
    """A project with one record with this evidence, no proofs, and two wheels in ``root/wheels``."""
    one = feature("A made record", "2.15.0", "improvement", evidence=list(evidence), **more)
    wheels = []
    for version, files in (("2.14.1", OLD), ("2.15.0", FILES)):
        renamed = {path.replace("2.15.0", version): content for path, content in files.items()}
        path = made_wheel(root / "wheels", renamed, version=version)
        wheels.append(
            {**wheel(version, platform="macos-arm64"), "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
        )
    bare: Values = {"evidence": [], "discrepancies": [], "no_proof": "No file shows it.", "probe": None}
    others = {path: changed(path, bare) for path in (DTYPE, REMOVAL)}
    nothing: Values = {"wheels": [], "features": [], "runs": []}
    return write_base(root, **{RECORD: one, WHEELS: {"wheels": wheels}, PROOFS: nothing, **others})


LAYER = entry("text", {**text("torch/nn.py", "class Layer:"), **THERE, "absent_in": ["2.14.1"]})


def verify(root: Path, *words: str) -> int:
    return main(["verify", "--root", str(root), "--wheels", str(root / "wheels"), *words])


def stored(root: Path) -> Any:
    return yaml.safe_load((root / "data" / PROOFS).read_text(encoding="utf-8"))


def test_proof_is_stored_and_a_second_run_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = made(tmp_path, LAYER)
    assert verify(root) == 0
    assert capsys.readouterr().out == "1 entry compared with 2 wheels, all hold\n"
    first = (root / "data" / PROOFS).read_bytes()
    (found,) = stored(root)["features"]
    assert found["feature"] == "made"
    assert found["entries"][0]["holds_on"] == ["macos-arm64"]
    assert verify(root) == 0
    assert (root / "data" / PROOFS).read_bytes() == first


def test_day_of_a_proof_stays_when_it_is_found_again(tmp_path: Path) -> None:
    root = made(tmp_path, LAYER)
    verify(root)
    path = root / "data" / PROOFS
    old = path.read_text(encoding="utf-8").replace(stored(root)["features"][0]["entries"][0]["day"], "2026-01-02")
    path.write_text(old, encoding="utf-8")
    assert verify(root) == 0
    assert path.read_text(encoding="utf-8") == old


@pytest.mark.parametrize(
    "change",
    [{"needle": "class Layers:"}, {"file": "torch/nm.py"}, {"present_in": ["2.14.1"], "absent_in": ["2.15.0"]}],
    ids=lambda change: next(iter(change)),
)
def test_broken_entry_fails_and_says_what_was_found(
    change: Values, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = made(tmp_path, {**LAYER, **change})
    assert verify(root) == 1
    shown = capsys.readouterr().out
    assert "data/features/2.15/made.yaml:" in shown
    assert "evidence[0]: torch-2.1" in shown
    assert "[proof-fails]" in shown
    assert stored(root)["features"][0]["entries"][0]["fails_in"]
    assert main(["check", "--root", str(root)]) == 1
    assert "[proof-fails]" in capsys.readouterr().out


def test_changed_entry_has_no_proof_until_it_is_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = made(tmp_path, LAYER)
    verify(root)
    values = yaml.safe_load((root / "data" / RECORD).read_text(encoding="utf-8"))
    values["evidence"][0]["needle"] = "class Layer"
    write_base(root, **{RECORD: values, PROOFS: (root / "data" / PROOFS).read_bytes()})
    capsys.readouterr()
    main(["check", "--root", str(root), str(root / "data" / RECORD)])
    assert "[no-proof]" in capsys.readouterr().out


def test_entry_whose_wheel_is_not_at_hand_keeps_its_proof(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = made(tmp_path, LAYER)
    verify(root)
    first = (root / "data" / PROOFS).read_bytes()
    for path in (root / "wheels").iterdir():
        path.unlink()
    capsys.readouterr()
    assert verify(root) == 0
    assert "1 entry not compared, with a stored proof" in capsys.readouterr().out
    assert (root / "data" / PROOFS).read_bytes() == first


def test_one_wheel_of_two_is_no_proof(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = made(tmp_path, LAYER)
    next((root / "wheels").glob("*2.14.1*")).unlink()
    assert verify(root) == 1
    assert "[no-proof]" in capsys.readouterr().out


def test_proof_of_another_file_is_not_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A recorded hash that changed makes every proof that rests on the file stale."""
    root = made(tmp_path, LAYER)
    verify(root)
    path = root / "data" / WHEELS
    written = path.read_text(encoding="utf-8")
    sha256 = yaml.safe_load(written)["wheels"][1]["sha256"]
    path.write_text(written.replace(sha256, "f" * 64), encoding="utf-8")
    capsys.readouterr()
    assert main(["check", "--root", str(root)]) == 1
    assert "[stale-proof]" in capsys.readouterr().out
    for wheel_ in (root / "wheels").iterdir():
        wheel_.unlink()
    assert verify(root) == 1
    assert stored(root)["features"] == []


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-200])


def _climb(path: Path) -> None:
    made_zip(path, {**FILES, "../escape.py": "x = 1\n"}.items())


def _bomb(path: Path) -> None:
    made_zip(path, {**FILES, "torch/zeros.bin": b"\0" * (80 * 1024 * 1024)}.items())


def _text(path: Path) -> None:
    path.write_text("<html>not found</html>", encoding="utf-8")


BROKEN = {
    "truncated": (_truncate, "zip"),
    "path that leaves": (_climb, "escape.py"),
    "zip bomb": (_bomb, "zeros.bin"),
    "no archive": (_text, "zip"),
}


@pytest.mark.parametrize("is_recorded", [True, False], ids=["right hash", "wrong hash"])
@pytest.mark.parametrize(("break_", "words"), BROKEN.values(), ids=BROKEN)
def test_bad_wheel_is_an_error_and_nothing_is_written(
    break_: Any, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], *, is_recorded: bool
) -> None:
    root = made(tmp_path, LAYER)
    path = next((root / "wheels").glob("*2.15.0*"))
    break_(path)
    if is_recorded:
        wheels = yaml.safe_load((root / "data" / WHEELS).read_text(encoding="utf-8"))
        wheels["wheels"][1]["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
        (root / "data" / WHEELS).write_text(yaml.safe_dump(wheels), encoding="utf-8")
    before = (root / "data" / PROOFS).read_bytes()
    assert verify(root) == 2
    error = capsys.readouterr().err
    assert error.startswith("torchnotes: ")
    assert path.name in error
    assert (words if is_recorded else "SHA-256") in error
    assert (root / "data" / PROOFS).read_bytes() == before
    assert not list(root.rglob("escape.py"))


def test_records_with_problems_are_not_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = made(tmp_path, {**LAYER, "present_in": [], "absent_in": []})
    assert verify(root) == 2
    assert "[evidence-versions]" in capsys.readouterr().err


def test_missing_proofs_are_made_anew(tmp_path: Path) -> None:
    root = made(tmp_path, LAYER)
    path = root / "data" / PROOFS
    verify(root)
    first = path.read_bytes()
    path.unlink()
    assert main(["check", "--root", str(root)]) == 1
    assert verify(root) == 0
    assert path.read_bytes() == first


@pytest.mark.parametrize("file", [PROOFS, METADATA], ids=["proofs", "metadata"])
@pytest.mark.parametrize(
    "content",
    [b"", b"wheels: [", b"proofs: old\n", b"\xff\xfe", b"<<<<<<< ours\nwheels: []\n"],
    ids=["empty", "no YAML", "another form", "no text", "merge conflict"],
)
def test_unreadable_results_are_not_overwritten(
    content: bytes, file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They may hold what this machine cannot find out again."""
    root = made(tmp_path, LAYER)
    verify(root)
    path = root / "data" / file
    path.write_bytes(content)
    capsys.readouterr()
    assert verify(root) == 2
    assert f"data/{file}:" in capsys.readouterr().err
    assert path.read_bytes() == content


def test_proof_of_a_wheel_that_was_replaced_is_not_kept_for_others(tmp_path: Path) -> None:
    """Opening the new file for one record says nothing about another."""
    root = made(tmp_path, LAYER)
    add_other(root)
    verify(root)
    assert [one["feature"] for one in stored(root)["features"]] == ["made", "other"]
    archive = made_wheel(root / "wheels", {**FILES, "torch/nn.py": "class New:\n    pass\n"})
    wheels = root / "data" / WHEELS
    values = yaml.safe_load(wheels.read_text(encoding="utf-8"))
    values["wheels"][1]["sha256"] = hashlib.sha256(archive.read_bytes()).hexdigest()
    wheels.write_text(house_text(WHEELS, values), encoding="utf-8")
    assert verify(root, "made") == 1
    assert [one["feature"] for one in stored(root)["features"]] == ["made"]
    assert verify(root) == 1
    assert all(one["entries"][0]["fails_in"] for one in stored(root)["features"])


def test_proof_without_its_wheels_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = made(tmp_path, LAYER)
    verify(root)
    path = root / "data" / PROOFS
    path.write_text(house_text(PROOFS, {**stored(root), "wheels": []}), encoding="utf-8")
    capsys.readouterr()
    assert main(["check", "--root", str(root)]) == 1
    assert "which was not opened" in capsys.readouterr().out


def test_metadata_is_read_again(tmp_path: Path) -> None:
    root = made(tmp_path, LAYER)
    verify(root)
    path = root / "data" / METADATA
    first = path.read_text(encoding="utf-8")
    path.write_text(first.replace(">=3.11", ">=3.99"), encoding="utf-8")
    assert verify(root) == 0
    assert path.read_text(encoding="utf-8") == first


def test_nothing_compared_is_no_success_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = made(tmp_path, LAYER)
    for path in (root / "wheels").iterdir():
        path.unlink()
    assert verify(root) == 1
    assert "nothing compared" in capsys.readouterr().out


def add_other(root: Path) -> None:
    """A second record with the same evidence."""
    other = feature("Another made record", "2.15.0", "improvement", evidence=[LAYER])
    path = root / "data/features/2.15/other.yaml"
    path.write_text(house_text("features/2.15/other.yaml", other), encoding="utf-8")


def test_only_named_features_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = made(tmp_path, LAYER)
    add_other(root)
    assert verify(root, "mad") == 2
    assert "Did you mean 'made'?" in capsys.readouterr().err
    assert verify(root, "made") == 0
    assert [one["feature"] for one in stored(root)["features"]] == ["made"]


# ---- Fetching -------------------------------------------------------------------------------------------------


def test_wheels_that_are_there_are_not_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    one = recorded(made_wheel(tmp_path, FILES))
    assert fetched([one], tmp_path, sys.stderr) == tmp_path


def recorded(path: Path) -> Any:
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    values = {"file": path.name, "version": "2.15.0", "platform": "macos-arm64", "sha256": sha256}
    return WheelFile.model_validate({**values, "examined": "2026-11-30"})


def pip_that(folder: Path, body: str) -> str:
    """A Python whose pip does what ``body`` says, with its arguments in ``$@`` and its log in ``$log``."""
    path = folder / "python"
    path.write_text(f'#!/bin/sh\nwhile [ "$1" != --log ]; do shift; done\nlog=$2\ndest=$4\n{body}\n', encoding="utf-8")
    path.chmod(0o755)
    return str(path)


REFUSALS = {
    "no network, as pip logs it": (
        "echo 'ResolutionImpossible'; echo 'ResolutionImpossible (from versions: none)' >$log; exit 1",
        ["no package index could be reached"],
    ),
    "constraint": (
        "echo 'The user requested (constraint) torch<2.14' >$log; exit 1",
        ["a constraint in your pip configuration", "PIP_CONSTRAINT=/dev/null"],
    ),
    "no network": (
        "echo 'Could not find a version (from versions: none)' >&2; exit 1",
        ["no package index could be reached", "--wheels DIR"],
    ),
    "full disk": ("echo 'OSError: [Errno 28] No space left on device' >&2; exit 2", ["the disk is full"]),
    "no such version": ("echo 'ERROR: No matching distribution found' >&2; exit 1", ["does not offer it"]),
    "another reason": ("echo 'ERROR: the moon is full.' >&2; exit 1", ["the moon is full."]),
    "no reason": ("exit 1", ["it gave no reason"]),
    "success without a file": ("exit 0", ["it gave no reason"]),
}


@pytest.mark.parametrize(("body", "words"), REFUSALS.values(), ids=REFUSALS)
def test_refusal_of_pip_says_why_and_what_to_do(
    body: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = recorded(made_wheel(tmp_path / "made", FILES))
    monkeypatch.setattr(sys, "executable", pip_that(tmp_path, body))
    with pytest.raises(WheelError) as caught:
        fetched([one], tmp_path / "cache", sys.stderr)
    for word in words:
        assert word in str(caught.value)
    assert list((tmp_path / "cache").iterdir()) == []


def test_pip_is_asked_for_the_recorded_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made_wheel(tmp_path / "made", FILES)
    asked = tmp_path / "asked"
    monkeypatch.setattr(sys, "executable", pip_that(tmp_path, f'echo "$@" > "{asked}"; cp "{path}" "$dest"'))
    fetched([recorded(path)], tmp_path / "cache", sys.stderr)
    words = asked.read_text(encoding="utf-8").split()
    assert words[4:] == [
        *("--python-version", "3.12", "--implementation", "cp", "--platform", "macosx_14_0_arm64", "torch==2.15.0")
    ]


def test_fetched_wheel_is_kept_only_with_its_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made_wheel(tmp_path / "made", FILES)
    one = recorded(path)
    monkeypatch.setattr(sys, "executable", pip_that(tmp_path, f'cp "{path}" "$dest"'))
    fetched([one], tmp_path / "cache", sys.stderr)
    assert [file.name for file in (tmp_path / "cache").iterdir()] == [one.file]
    other = one.model_copy(update={"sha256": "f" * 64})
    with pytest.raises(WheelError, match="f" * 64):
        fetched([other], tmp_path / "other", sys.stderr)
    assert list((tmp_path / "other").iterdir()) == []


# ---- Running --------------------------------------------------------------------------------------------------


def python_with_torch(folder: Path, version: str = "2.15.0+cpu") -> Path:
    """A Python that has a torch with nothing but a version."""
    (folder / "torch").mkdir(parents=True)
    (folder / "torch" / "__init__.py").write_text(f"__version__ = {version!r}\n", encoding="utf-8")
    path = folder / "python"
    path.write_text(f'#!/bin/sh\nPYTHONPATH={folder} exec "{sys.executable}" "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path


def run(root: Path, python: Path) -> int:
    return main(["verify", "--root", str(root), "--run", str(python)])


PROBE = {**code("import torch\n\nprint('noise')\nprint(torch.__version__)"), "needs": "cpu"}


def with_examples(**examples: Values) -> Values:
    return steps("recommended", "2.14.1", **{name: {**one, "runnable": True} for name, one in examples.items()})


def test_probe_is_run_and_its_last_line_stored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = made(tmp_path, LAYER, probe=PROBE)
    verify(root)
    assert run(root, python_with_torch(tmp_path / "env")) == 0
    (one,) = stored(root)["runs"]
    assert (one["what"], one["result"], one["printed"], one["torch"]) == ("probe", "passed", "2.15.0+cpu", "2.15.0+cpu")
    first = (root / "data" / PROOFS).read_bytes()
    assert run(root, tmp_path / "env" / "python") == 0
    assert (root / "data" / PROOFS).read_bytes() == first
    assert verify(root) == 0
    assert stored(root)["runs"] == [one]
    assert "1 ran" in capsys.readouterr().out


@pytest.mark.parametrize(("version", "due"), [("2.14.1", ["before"]), ("2.15.0+cu132", ["after", "keep-old"])])
def test_examples_run_with_the_versions_they_are_for(version: str, due: list[str], tmp_path: Path) -> None:
    examples = with_examples(before=code("print(1)"), after=code("print(2)"))
    kept = {"how": "Set it.", "code": {**code("print(3)"), "runnable": True}, "cost": "None.", "until": "never"}
    root = made(tmp_path, LAYER, migration={**examples, "keep_old": kept})
    verify(root)
    assert run(root, python_with_torch(tmp_path / "env", version)) == 0
    assert [one["what"] for one in stored(root)["runs"]] == due


@pytest.mark.parametrize(("coming_from", "ran"), [(">=2.14.1", []), (">=2.13", ["before"])])
def test_code_of_the_version_before_does_not_run_where_nothing_of_it_was(
    coming_from: str, ran: list[str], tmp_path: Path
) -> None:
    root = made(tmp_path, LAYER, migration=with_examples(before=code("print(1)")), applies={"coming_from": coming_from})
    verify(root)
    assert run(root, python_with_torch(tmp_path / "env", "2.14.0")) == 0
    assert [one["what"] for one in stored(root)["runs"]] == ran


def test_example_that_fails_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = made(tmp_path, LAYER, migration=with_examples(after=code("import torch\n\ntorch.switch()")))
    verify(root)
    assert run(root, python_with_torch(tmp_path / "env")) == 1
    shown = capsys.readouterr().out
    assert "[run-fails]" in shown
    assert "has no attribute 'switch'" in shown


def test_code_that_does_not_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torchnotes.proof.running.LIMIT", 3)
    root = made(tmp_path, LAYER, probe={**code("while True:\n    pass"), "needs": "cpu"})
    verify(root)
    assert run(root, python_with_torch(tmp_path / "env")) == 1
    assert stored(root)["runs"][0]["result"] == "timed-out"


def test_what_a_stopped_piece_started_is_stopped_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torchnotes.proof.running.LIMIT", 3)
    trace = tmp_path / "alive"
    child = f"import pathlib, time; time.sleep(6); pathlib.Path({str(trace)!r}).touch()"
    text = f"import subprocess, sys\n\nsubprocess.run([sys.executable, '-c', {child!r}])"
    root = made(tmp_path, LAYER, probe={**code(text), "needs": "cpu"})
    verify(root)
    began = time.monotonic()
    assert run(root, python_with_torch(tmp_path / "env")) == 1
    time.sleep(max(0, 9 - (time.monotonic() - began)))
    assert not trace.exists()


def test_much_output_is_no_trouble(tmp_path: Path) -> None:
    root = made(tmp_path, LAYER, probe={**code("print('x' * 5_000_000)\nprint('\\0\\x1b[31mdone')"), "needs": "cpu"})
    verify(root)
    assert run(root, python_with_torch(tmp_path / "env")) == 0
    assert stored(root)["runs"][0]["printed"].endswith("done")


def test_python_may_be_named_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = made(tmp_path, LAYER, probe=PROBE)
    verify(root)
    python_with_torch(tmp_path / "env")
    monkeypatch.chdir(tmp_path)
    assert run(root, Path("env/python")) == 0
    assert len(stored(root)["runs"]) == 1


@pytest.mark.parametrize(
    "printed", ["\u2800\u3164 done", "\x1b[31m done", "<b>&amp;</b>", "null", "~", "- a", "\ud800"], ids=ascii
)
def test_whatever_a_probe_prints_is_stored_as_a_line(printed: str, tmp_path: Path) -> None:
    text = f"import sys\n\nsys.stdout.reconfigure(errors='surrogatepass')\nprint({printed!a})"
    root = made(tmp_path, LAYER, probe={**code(text), "needs": "cpu"})
    verify(root)
    assert run(root, python_with_torch(tmp_path / "env")) == 0
    assert stored(root)["runs"][0]["printed"].isprintable()
    assert run(root, tmp_path / "env" / "python") == 0


@pytest.mark.parametrize("version", ["2.15", "no version", "2.15.0 and more"])
def test_torch_that_is_none_is_named(version: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = made(tmp_path, LAYER, probe=PROBE)
    verify(root)
    status = run(root, python_with_torch(tmp_path / "env", version))
    assert status == (0 if version == "2.15" else 2)
    assert "Traceback" not in capsys.readouterr().err


def test_failure_may_hold_any_text(tmp_path: Path) -> None:
    """Even text that a record could not hold."""
    root = made(tmp_path, {**LAYER, "needle": "x = 2"})
    archive = made_wheel(root / "wheels", {**FILES, "torch/nn.py": "x = 1 # \u2800\u3164\x1b[31m\n"})
    wheels = root / "data" / WHEELS
    values = yaml.safe_load(wheels.read_text(encoding="utf-8"))
    values["wheels"][1]["sha256"] = hashlib.sha256(archive.read_bytes()).hexdigest()
    wheels.write_text(house_text(WHEELS, values), encoding="utf-8")
    assert verify(root) == 1
    assert stored(root)["features"][0]["entries"][0]["fails_in"][0]["found"].isprintable()


@pytest.mark.parametrize("more", [["--wheels", "."], ["--platform", "linux"]], ids=lambda words: words[0])
def test_running_takes_no_wheels(more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = made(tmp_path, LAYER)
    assert main(["verify", "--root", str(root), "--run", sys.executable, *more]) == 2
    assert "--run opens no wheel" in capsys.readouterr().err


@pytest.mark.parametrize("python", ["/nowhere/python", sys.executable], ids=["no file", "no torch"])
def test_python_without_torch_is_named(python: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = made(tmp_path, LAYER, probe=PROBE)
    assert run(root, Path(python)) == 2
    assert python in capsys.readouterr().err


def test_what_needs_a_gpu_is_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = made(tmp_path, LAYER, probe={**PROBE, "needs": "cuda"})
    verify(root)
    assert run(root, python_with_torch(tmp_path / "env")) == 0
    assert "nothing run" in capsys.readouterr().out

"""Scans of real code bases, fetched with pip when somebody asks for it: ``pytest --code-bases``. Nothing of them is kept.

What is found is for a person to read (``-s`` prints it); the test holds that a scan ends well and says where and what.
"""

import json
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from torchnotes.cli import main

ROOT = Path(__file__).resolve().parents[2]
CODE_BASES = ("accelerate", "torchtitan", "transformers", "lightning")


def fetched(name: str, folder: Path) -> Path:
    """The newest archive of a package, unpacked; its source where there is one."""
    sources = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--dest",
        str(folder),
    ]
    subprocess.run([*sources, name], check=True, timeout=600)
    (archive,) = folder.iterdir()
    code = folder / "code"
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(code)  # noqa: S202  (zipfile keeps every name inside the folder)
    else:
        with tarfile.open(archive) as opened:
            opened.extractall(code, filter="data")
    return code


@pytest.mark.fetches
@pytest.mark.parametrize("name", CODE_BASES)
def test_scan_of_a_real_code_base_ends_well(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], tell: Callable[[str], None]
) -> None:
    code = fetched(name, tmp_path)
    began = time.perf_counter()
    status = main(["scan", str(code), "--root", str(ROOT), "--format", "json"])
    seconds = time.perf_counter() - began
    answer = json.loads(capsys.readouterr().out)
    assert answer["files"] > 50
    assert status == int(any(one["action"] == "required" for one in answer["findings"]))
    for one in answer["findings"]:
        lines = Path(one["path"]).read_text(encoding="utf-8").splitlines()
        assert lines[one["line"] - 1].strip() == one["code"]
    rows = [f"{name}: {len(answer['findings'])} places in {answer['files']} files, {seconds:.1f} s"]
    for one in answer["findings"]:
        place = f"{Path(one['path']).relative_to(code)}:{one['line']}"
        rows.append(f"  {place}: {one['feature']} ({one['sure']}): {one['code'][:100]}")
    tell("\n".join(rows))

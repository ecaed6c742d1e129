"""``torchnotes api-diff`` and ``torchnotes coverage``: what they write and print, and how they end."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from builders import METADATA, WHEELS, wheel, write_base
from made_wheels import made_wheel
from test_cli import Output, usage_error

from torchnotes.cli import main

CODE = {
    "2.13.0": "def f(x): return x\n",
    "2.14.1": "def f(x): return x\ndef g(): return 1\n",
    "2.15.0": "def f(y, x): return x\n",
}


@pytest.fixture
def project(tmp_path: Path) -> tuple[Path, Path]:
    """A project's root, and a folder with the wheels that it names."""
    folder = tmp_path / "wheels"
    entries: list[dict[str, Any]] = [wheel(version) for version in ("2.13.0", "2.14.0", "2.14.1", "2.15.0")]
    for version, code in CODE.items():
        path = made_wheel(folder, {"torch/__init__.py": "", "torch/a.py": code}, version=version)
        entry = wheel(version, platform="macos-arm64")
        entries.append({**entry, "file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()})
    files: dict[str, Any] = {WHEELS: {"wheels": entries}, METADATA: {"wheels": []}}
    root = write_base(tmp_path / "root", **files)
    return root, folder


def _api(project: tuple[Path, Path], *more: str) -> int:
    root, folder = project
    return main(["api-diff", "--root", str(root), "--wheels", str(folder), *more])


def test_api_writes_what_differs_and_then_nothing(project: tuple[Path, Path], capsys: Output) -> None:
    data = project[0] / "data" / "api"
    assert _api(project, "--check") == 1
    assert not data.exists()
    assert _api(project) == 0
    capsys.readouterr()
    written = {path.name: path.read_bytes() for path in data.iterdir()}
    assert sorted(written) == ["2.14.yaml", "2.15.yaml"]
    assert b"names: [g]" in written["2.14.yaml"]
    assert b"kind: inserted" in written["2.15.yaml"]
    assert _api(project, "--check") == 0
    assert _api(project) == 0
    assert capsys.readouterr().out == "nothing differs from data/api/\n" * 2
    assert {path.name: path.read_bytes() for path in data.iterdir()} == written


def test_coverage_lists_what_api_found(project: tuple[Path, Path], capsys: Output) -> None:
    _api(project)
    capsys.readouterr()
    assert main(["coverage", "--root", str(project[0])]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "2.15: torch.a.g: removed",
        "2.15: torch.a.f: parameter y was inserted as positional argument 1, before x, without a default",
    ]


def test_another_file_of_the_name_is_refused(project: tuple[Path, Path], capsys: Output) -> None:
    root, folder = project
    made_wheel(folder, {"torch/__init__.py": "", "torch/a.py": "pass"}, version="2.15.0")
    arguments = ("api-diff", "--root", str(root), "--wheels", str(folder), "--check")
    assert main(arguments) == 2
    assert "has the SHA-256" in capsys.readouterr().err


def test_a_folder_without_the_wheels(project: tuple[Path, Path], capsys: Output) -> None:
    empty = project[1] / "empty"
    empty.mkdir()
    said = usage_error(capsys, "api-diff", "--root", str(project[0]), "--wheels", str(empty))
    assert "torch-2.13.0" in said


def test_wheels_that_nobody_examined(tmp_path: Path, capsys: Output) -> None:
    root = write_base(tmp_path)
    said = usage_error(capsys, "api-diff", "--root", str(root), "--wheels", str(tmp_path))
    assert "names no wheel of 2.13.0 for macos-arm64" in said


def test_coverage_of_broken_data(base: Path, capsys: Output) -> None:
    (base / "data" / "moved.yaml").write_text("moved: [", encoding="utf-8")
    assert main(["coverage", "--root", str(base)]) == 1
    assert "data/moved.yaml" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("torch-2.14.1-", "torch-2.14.0-", "data/api/2.15.yaml:2: old: compares torch-2.14.0-"),
        ("torch-2.15.0-", "torch-2.15.1-", "data/api/2.15.yaml:6: new: compares torch-2.15.1-"),
    ],
)
def test_check_finds_a_stale_comparison(
    project: tuple[Path, Path], capsys: Output, old: str, new: str, said: str
) -> None:
    _api(project)
    capsys.readouterr()
    path = project[0] / "data" / "api" / "2.15.yaml"
    before = path.read_text(encoding="utf-8")
    main(["check", "--root", str(project[0])])
    assert "data/api" not in capsys.readouterr().out
    path.write_text(before.replace(old, new), encoding="utf-8")
    main(["check", "--root", str(project[0])])
    assert said in capsys.readouterr().out


def test_check_finds_a_comparison_of_no_release(project: tuple[Path, Path], capsys: Output) -> None:
    _api(project)
    folder = project[0] / "data" / "api"
    (folder / "2.15.yaml").rename(folder / "9.9.yaml")
    capsys.readouterr()
    main(["check", "--root", str(project[0])])
    assert "data/api/9.9.yaml:1: no release '9.9' with another before it" in capsys.readouterr().out

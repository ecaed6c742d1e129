"""Companion packages: what pip is asked and told, what a file may say, the page, and what a plan moves."""

import json
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from builders import COMPANIONS, METADATA, VISION, changed, library, told, write_base
from test_cli import Output, usage_error

from torchnotes.checks import problems_below
from torchnotes.cli import main
from torchnotes.model import Companion, CompanionRelease
from torchnotes.opendata import data_files
from torchnotes.pages.companions import companions_view, moves
from torchnotes.plan import Upgrade
from torchnotes.progress import Bar
from torchnotes.proof import offering
from torchnotes.proof.offering import Answer, companions_text, joined_companions, pip_answer, read_companions
from torchnotes.published import accepts_torch, is_pinned_by_torch
from torchnotes.terms import Wheel
from torchnotes.wheel.archive import WheelError

DAY = "2026-11-30"


def answer(version: str, *requirements: str, python: str | None = ">=3.10") -> Answer:
    """What pip would take."""
    return Answer(version, f"some-{version}-py3-none-any.whl", "d" * 64, python, requirements)


class Index:
    """A package index in memory: what it is asked, and what it has."""

    def __init__(self, offers: Mapping[tuple[str, Wheel, str], Answer]) -> None:
        self.offers = {("torch", Wheel.LINUX_X86_64, "3.12"): answer("2.15.0"), **offers}
        self.asked: list[tuple[str, Wheel, str]] = []

    def __call__(self, wanted: str, platform: Wheel, python: str) -> Answer | None:
        self.asked.append((wanted, platform, python))
        return self.offers.get((wanted, platform, python))


def read(index: Index, **companions: Any) -> Sequence[Any]:
    """What an index tells of some companions."""
    known = {name.replace("_", "-"): Companion(**values) for name, values in companions.items()}
    return read_companions(known, known, DAY, Bar(StringIO(), "questions"), index)


def companion(*releases: str, **more: Any) -> dict[str, Any]:
    """A companion with some releases."""
    return {
        "name": "Some",
        "what": "It.",
        "summary": "S.",
        "in_plans": True,
        "releases": releases,
        "choices": [],
        **more,
    }


# ---- What pip is asked, and what is kept of its answers ----------------------------------------------------------


def test_each_release_is_asked_for_on_each_machine() -> None:
    linux, mac = Wheel.LINUX_X86_64, Wheel.MACOS_ARM64
    index = Index(
        {
            ("some", linux, "3.12"): answer("2.0"),
            ("some==1.0", mac, "3.12"): answer("1.0", "torch==2.13.0", "numpy", "other>=2", "other>=3; extra == 'x'"),
            ("some==1.0", mac, "3.15"): answer("1.0"),
        }
    )
    some, other = read(index, some=companion("1.0", platforms=["linux-x86-64", "macos-arm64"]), other=companion())
    assert (some.package, some.newest, some.day) == ("some", "2.0", DAY)
    (release,) = some.releases
    assert release.file == "some-1.0-py3-none-any.whl"
    assert release.requirements == ("torch==2.13.0", "other>=2"), "only what is about torch and companions"
    assert [(one.platform, one.pythons) for one in release.offers] == [(mac, ("3.12", "3.15"))]
    assert (other.newest, other.releases) == (None, ())
    assert len([one for one in index.asked if one[0] == "some==1.0"]) == 4


def test_package_with_nothing_stable_has_no_newest_release() -> None:
    (some,) = read(Index({("some", Wheel.LINUX_X86_64, "3.12"): answer("0.3.1.dev5")}), some=companion())
    assert some.newest is None


def test_release_without_a_wheel_is_kept_as_unread() -> None:
    (some,) = read(Index({}), some=companion("1.0"))
    assert some.releases[0].model_dump() == {
        "version": "1.0",
        "file": None,
        "sha256": None,
        "requires_python": None,
        "requirements": (),
        "offers": (),
    }
    assert not some.releases[0].is_read


def test_torch_that_extras_ask_for_counts_once() -> None:
    asked = ("torch>=2.6; extra == 'torch'", "torch>=2.6; extra == 'all'", "torch>=2.7; extra == 'dev'")
    index = Index({("some==1.0", Wheel.LINUX_X86_64, "3.12"): answer("1.0", *asked, python=None)})
    (some,) = read(index, some=companion("1.0"))
    assert some.releases[0].requirements == ('torch>=2.6; extra == "torch"', 'torch>=2.7; extra == "dev"')
    assert some.releases[0].requires_python is None


def test_index_without_torch_is_no_answer() -> None:
    index = Index({})
    del index.offers["torch", Wheel.LINUX_X86_64, "3.12"]
    with pytest.raises(WheelError, match="does not offer torch"):
        read(index, some=companion("1.0"))
    assert len(index.asked) == 1


def test_same_answers_give_the_same_file_and_what_was_not_asked_stays() -> None:
    index = Index({("some", Wheel.LINUX_X86_64, "3.12"): answer("2.0")})
    known = {name: Companion(**companion()) for name in ("a-b", "some")}
    first = joined_companions(known, None, read(index, some=companion(), a_b=companion()))
    assert [one.package for one in first.packages] == ["a-b", "some"]
    again = joined_companions(known, first, read(Index({}), some=companion()))
    assert [(one.package, one.newest) for one in again.packages] == [("a-b", None), ("some", None)]
    assert companions_text(again) == companions_text(again.model_copy())
    assert joined_companions({}, first, ()).packages == ()


class FakePip:
    """Stands for the process of pip: ends as told, and writes the report it was told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, status: int, stderr: str, report: Any = None) -> None:
        self.status, self.stderr, self.report = status, stderr, report
        self.command: list[str] = []
        monkeypatch.setattr("torchnotes.proof.offering.subprocess.run", self)

    def __call__(self, command: list[str], **_: Any) -> Any:
        self.command = command
        if self.report is not None:
            Path(command[command.index("--report") + 1]).write_text(json.dumps(self.report), encoding="utf-8")
        return type("Ended", (), {"returncode": self.status, "stderr": self.stderr})()


def test_answer_of_pip_is_read_from_its_report(monkeypatch: pytest.MonkeyPatch) -> None:
    hashes = {"hashes": {"sha256": "e" * 64}}
    found = {
        "metadata": {"name": "some", "version": "1.0", "requires_dist": ["torch (>=2)"], "requires_python": ">=3.10"},
        "download_info": {
            "url": "https://user:secret@index.example/x/some-1.0%2Bcpu-py3-none-any.whl#a",
            "archive_info": hashes,
        },
    }
    pip = FakePip(monkeypatch, 0, "", {"install": [found]})
    read = pip_answer("some==1.0", Wheel.WINDOWS_X86_64, "3.15")
    assert read == Answer("1.0", "some-1.0+cpu-py3-none-any.whl", "e" * 64, ">=3.10", ("torch (>=2)",))
    assert {"--retries", "--dry-run", "--only-binary=:all:", "--no-deps", "win_amd64", "3.15", "some==1.0"} <= set(
        pip.command
    )


@pytest.mark.parametrize("said", ["ERROR: No matching distribution found for some==1.0"])
def test_what_pip_does_not_find_is_none(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    FakePip(monkeypatch, 1, said)
    assert pip_answer("some==1.0", Wheel.MACOS_ARM64, "3.12") is None


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("WARNING: x\nERROR: Cannot write to disk.\n", "Cannot write to disk"),
        ("Segmentation fault\n", "it gave no reason"),
        ("", "it gave no reason"),
        ("python: No module named pip\n", "this Python has no pip"),
        ("Usage: pip install\n\nno such option: --report\n", "this pip is too old"),
        (
            "WARNING: Retrying (Retry(total=0)) after connection broken\nERROR: No matching distribution found for some",
            "the package index could not be reached",
        ),
    ],
    ids=["reason", "crash", "silence", "no pip", "old pip", "network lost half-way"],
)
def test_pip_that_fails_otherwise_is_an_error(monkeypatch: pytest.MonkeyPatch, said: str, why: str) -> None:
    FakePip(monkeypatch, 2, said)
    with pytest.raises(WheelError, match=why):
        pip_answer("some==1.0", Wheel.MACOS_ARM64, "3.12")


@pytest.mark.parametrize("report", [{}, [], {"install": []}, {"install": [{"metadata": {}}]}, {"install": [3]}])
def test_report_of_another_form_is_an_error(monkeypatch: pytest.MonkeyPatch, report: Any) -> None:
    FakePip(monkeypatch, 0, "", report)
    with pytest.raises(WheelError, match="cannot be read"):
        pip_answer("some==1.0", Wheel.MACOS_ARM64, "3.12")


@pytest.mark.parametrize(
    "odd",
    [
        answer("1.0", python="three"),
        answer("1.0", "torch" + " " * 1_200 + ">=2", python="x" * 200),
        Answer("1.0", "../some.whl", "d" * 64, None, ()),
        Answer("1.0", "some-1.0-py3-none-any.whl", "short", None, ()),
    ],
    ids=["Python", "length", "file", "hash"],
)
def test_metadata_of_another_form_is_an_error(odd: Answer) -> None:
    """And no trace of a program that broke."""
    with pytest.raises(WheelError, match="no metadata of a wheel"):
        read(Index({("some==1.0", Wheel.LINUX_X86_64, "3.12"): odd}), some=companion("1.0"))


@pytest.mark.parametrize(("offered", "newest"), [("2.0", "2.0"), ("2.0-1", "2.0.post1"), ("1.0.post1", "1.0.post1")])
def test_newest_release_is_written_as_the_index_does(offered: str, newest: str) -> None:
    (some,) = read(Index({("some", Wheel.LINUX_X86_64, "3.12"): answer(offered)}), some=companion())
    assert some.newest == newest


def test_line_that_is_no_requirement_and_marker_that_names_no_extra() -> None:
    lines = ("torch (", "other>=2; python_version < '3.13' and platform_machine != 'extra'")
    index = Index({("some==1.0", Wheel.LINUX_X86_64, "3.12"): answer("1.0", *lines)})
    some, _ = read(index, some=companion("1.0"), other=companion())
    assert [one.partition(";")[0] for one in some.releases[0].requirements] == ["other>=2"]


# ---- The command -------------------------------------------------------------------------------------------------


def test_command_writes_what_pip_tells(tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    newer = {("torchvision", Wheel.LINUX_X86_64, "3.12"): answer("0.30.0")}
    offers = {
        ("torchvision==0.28.0", Wheel.LINUX_X86_64, "3.12"): answer("0.28.0", "torch==2.13.0"),
        ("torchvision==0.29.2", Wheel.LINUX_X86_64, "3.12"): answer("0.29.2", "torch>=2.14.0"),
    }
    index = Index(newer | offers)
    monkeypatch.setattr(offering, "pip_answer", index)
    root = write_base(tmp_path, **{COMPANIONS: None})
    assert main(["companions", "--root", str(root)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "torchvision: pip offers 0.30.0, which data/companions/torchvision.yaml does not name",
        "1 packages read, 2 releases",
    ]
    assert problems_below(root) == []
    before = (root / "data" / COMPANIONS).read_bytes()
    index.offers["torchvision", Wheel.LINUX_X86_64, "3.12"] = answer("0.29.1")
    index.asked.clear()
    assert main(["companions", "--root", str(root), "torchvision", "torchvision"]) == 0
    assert capsys.readouterr().out == "1 packages read, 2 releases\n", "what is older is no news"
    assert len(index.asked) == len(set(index.asked))
    index.offers |= newer
    assert main(["companions", "--root", str(root)]) == 0
    assert (root / "data" / COMPANIONS).read_bytes() == before


def test_command_refuses_what_it_cannot_do(tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    index = Index({})
    index.offers.clear()
    monkeypatch.setattr(offering, "pip_answer", index)
    root = write_base(tmp_path)
    stored = (root / "data" / COMPANIONS).read_bytes()
    assert "does not offer torch" in usage_error(capsys, "companions", "--root", str(root))
    assert "no companion 'torchvisio'" in usage_error(capsys, "companions", "--root", str(root), "torchvisio")
    for path, why in ((COMPANIONS, "stored answers cannot be read"), (VISION, "files of companions have problems")):
        whole = (root / "data" / path).read_bytes()
        (root / "data" / path).write_text("x: 3\n", encoding="utf-8")
        assert main(["companions", "--root", str(root)]) == 2
        assert why in capsys.readouterr().err
        (root / "data" / path).write_bytes(whole)
    assert (root / "data" / COMPANIONS).read_bytes() == stored


# ---- The page, the plan and the data -----------------------------------------------------------------------------


def test_page_says_what_is_known_and_what_is_not() -> None:
    view = companions_view(library())
    (one,) = view.companions
    assert [column.version for column in view.columns] == ["2.13.0", "2.14.0", "2.14.1", "2.15.0"]
    assert [cell.take or cell.nothing for cell in one.cells] == [("0.28.0",), "not known", ("0.29.2",), ("0.29.2",)]
    assert one.notes == (("2.15.0", "It is of the same day."),)
    assert [row.torch for row in one.releases] == ["2.13.0", ">=2.14.0"]
    assert one.asked_for == "Linux x86-64 with Python 3.12"


@pytest.mark.parametrize(
    ("known", "said"), [("metadata", "none accepts it"), ("upstream", "none published"), ("unknown", "not known")]
)
def test_nothing_to_take_says_no_more_than_its_basis(known: str, said: str) -> None:
    """Metadata speaks of the releases that were read, and of no others."""
    choice = {"torch": "2.15.0", "take": [], "known": known}
    found = library(**{VISION: changed(VISION, {"choices[2]": choice})})
    assert companions_view(found).companions[0].cells[-1].nothing == said
    (move,) = moves(found, Upgrade("2.13.0", "2.15.0"))
    assert (move.after, move.nothing, move.note) == ("", said, "Take 0.29.2.")


@pytest.mark.parametrize(
    ("release", "said"),
    [
        (told("0.28.0"), "names no torch"),
        (told("0.28.0", "torch"), "any torch"),
        (told("0.28.0", "torch", 'torch<3,>=2; extra == "torch"'), ">=2, <3"),
        (told("0.28.0", "Torch>=2"), ">=2"),
        (told("0.28.0", "torch@ https://index.example/torch.whl"), "an address in place of a version"),
        (told("0.28.0", 'torch>=2.6; extra == "a"', 'torch>=2.7; extra == "b"'), ">=2.6 or >=2.7"),
        (
            told("0.28.0", "torch<3", 'torch==2.13.0; sys_platform == "linux"', 'torch>2.14; sys_platform == "darwin"'),
            "2.13.0, <3 or >2.14, <3",
        ),
        (told("0.28.0", "torch; sys_platform == 'win32'", "torch>2.14; sys_platform == 'darwin'"), "any torch"),
        (told("0.28.0", file=None, sha256=None), "not read: no wheel is offered"),
    ],
)
def test_what_a_release_asks_of_torch_in_words(release: dict[str, Any], said: str) -> None:
    stored = changed(COMPANIONS, {"packages[0].releases[0]": release})
    row = companions_view(library(**{COMPANIONS: stored})).companions[0].releases[0]
    assert row.torch == said
    assert row.python == ("not read" if release["file"] is None else ">=3.10")
    assert row.others == ()


def test_package_that_nobody_asked_about_has_no_day() -> None:
    (one,) = companions_view(library(**{COMPANIONS: {"pythons": [], "packages": []}})).companions
    assert (one.day, one.newest, one.releases) == (None, None, ())


@pytest.mark.parametrize(
    ("release", "torch", "accepts"),
    [
        (told("1.0"), "2.15.0", None),
        (told("1.0", "torch"), "2.15.0", None),
        (told("1.0", "torch@ https://index.example/torch.whl"), "2.15.0", None),
        (told("1.0", "torch>=2.14", "numpy"), "2.15.0", True),
        (told("1.0", "torch==2.14.*"), "2.15.0", False),
        (told("1.0", 'torch==2.13.0; sys_platform == "linux"', 'torch>2.14; sys_platform == "darwin"'), "2.15.0", True),
        (told("1.0", "torch<2.15", 'torch>2.14; sys_platform == "darwin"'), "2.15.0", False),
    ],
    ids=["names none", "any", "address", "accepts", "refuses", "accepts on one machine", "refuses on all"],
)
def test_what_metadata_accepts(release: dict[str, Any], torch: str, accepts: object) -> None:
    """Lines for different machines are not asked for together."""
    assert accepts_torch(CompanionRelease(**release), torch) is accepts


@pytest.mark.parametrize(
    ("line", "is_pin"),
    [
        ('torchvision==0.29.2; platform_system == "Linux"', True),
        ("TorchVision==0.29.2", True),
        ("torchvision==0.29.1", False),
        ("torchvision", False),
        ('torchvision==0.29.2; extra == "vision"', False),
    ],
    ids=["on Linux", "written otherwise", "another", "any version", "only an extra"],
)
def test_what_counts_as_a_pin_of_torch(line: str, is_pin: object) -> None:
    found = library(**{METADATA: changed(METADATA, {"wheels[3].requirements": [line]})})
    assert is_pinned_by_torch(found, "torchvision", "0.29.2", "2.15.0") is is_pin


@pytest.mark.parametrize(
    ("start", "target", "expected"),
    [
        ("2.13.0", "2.15.0", [(("0.28.0",), "0.29.2")]),
        ("2.13.0", "2.14.1", [(("0.28.0",), "0.29.2")]),
        ("2.14.0", "2.15.0", [((), "0.29.2")]),
        ("2.13.0", "2.14.0", [(("0.28.0",), "")]),
    ],
    ids=["moves", "moves by a document", "start not known", "target not known"],
)
def test_plan_names_what_moves(start: str, target: str, expected: list[tuple[tuple[str, ...], str]]) -> None:
    assert [(one.before, one.after) for one in moves(library(), Upgrade(start, target))] == expected


@pytest.mark.parametrize(
    ("had", "takes", "notes", "is_named"),
    [
        (["0.29.2"], ["0.29.2"], (None, None), False),
        (["0.29.2"], ["0.29.2", "0.28.0"], (None, None), False),
        (["0.29.2", "0.28.0"], ["0.29.2"], (None, None), True),
        (["0.29.2"], ["0.29.2"], (None, "Kernels do not load."), True),
        (["0.29.2"], ["0.29.2"], ("As before.", "As before."), False),
        (["0.29.2"], ["0.29.2"], ("No longer true.", None), False),
    ],
    ids=["stays", "stays among more", "may have what cannot stay", "stays with a new note", "same note", "note gone"],
)
def test_plan_leaves_out_what_can_stay(
    had: list[str], takes: list[str], notes: tuple[str | None, str | None], is_named: object
) -> None:
    """Who has a release that the target does not go with must hear of it, even where the one to prefer can stay."""
    choices = [
        {"torch": torch, "take": take, "known": "metadata", "note": note}
        for torch, take, note in zip(("2.14.1", "2.15.0"), (had, takes), notes, strict=True)
    ]
    found = library(**{VISION: changed(VISION, {"choices": choices})})
    assert bool(list(moves(found, Upgrade("2.14.1", "2.15.0")))) is is_named


def test_plan_warns_where_no_release_is_known() -> None:
    none = {"torch": "2.15.0", "take": [], "known": "unknown"}
    found = library(**{VISION: changed(VISION, {"choices[2]": none})})
    (move,) = moves(found, Upgrade("2.13.0", "2.15.0"))
    assert (move.before, move.after, move.known, move.note) == (("0.28.0",), "", "", "Take 0.29.2.")


def test_package_outside_plans_is_in_none() -> None:
    found = library(**{VISION: changed(VISION, {"in_plans": False})})
    assert list(moves(found, Upgrade("2.13.0", "2.15.0"))) == []


def test_data_joins_what_people_and_pip_say() -> None:
    written = json.loads(data_files(library())["api/v1/companions.json"])
    assert written["pythons_asked"] == ["3.12", "3.15"]
    (one,) = written["companions"]
    assert (one["package"], one["url"]) == ("torchvision", "compatibility/companions/#torchvision")
    assert one["choices"][0]["take"] == ["0.28.0"]
    assert one["releases"][0]["requirements"] == ["torch==2.13.0"]
    assert (one["newest"], one["day"]) == ("0.29.2", DAY)

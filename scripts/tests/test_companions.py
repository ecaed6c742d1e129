"""Companion packages: what pip is asked and told, what a file may say, the page, and what a plan moves."""

import json
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from builders import BASE, COMPANIONS, REMOVED, VISION, changed, library, told, write_base
from test_cli import Output, usage_error

from torchnotes.checks import problems_below
from torchnotes.cli import main
from torchnotes.model import Companion
from torchnotes.opendata import data_files
from torchnotes.pages.companions import companions_view, moves
from torchnotes.plan import Upgrade
from torchnotes.progress import Bar
from torchnotes.proof import offering
from torchnotes.proof.offering import Answer, companions_text, joined_companions, pip_answer, read_companions
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
    assert {"--dry-run", "--only-binary=:all:", "--no-deps", "win_amd64", "3.15", "some==1.0"} <= set(pip.command)


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
    ],
)
def test_pip_that_fails_otherwise_is_an_error(monkeypatch: pytest.MonkeyPatch, said: str, why: str) -> None:
    FakePip(monkeypatch, 2, said)
    with pytest.raises(WheelError, match=why):
        pip_answer("some==1.0", Wheel.MACOS_ARM64, "3.12")


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
    assert main(["companions", "--root", str(root), "torchvision"]) == 0
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
    assert [(cell.take, cell.nothing) for cell in one.cells] == [
        (("0.28.0",), "none published"),
        ((), "not known"),
        (("0.29.2",), "none published"),
        (("0.29.2",), "none published"),
    ]
    assert one.notes == (("2.15.0", "It is of the same day."),)
    assert [row.torch for row in one.releases] == ["2.13.0", ">=2.14.0"]


@pytest.mark.parametrize(
    ("release", "said"),
    [
        (told("0.28.0"), "names no torch"),
        (told("0.28.0", "torch"), "any torch"),
        (told("0.28.0", "torch", 'torch<3,>=2; extra == "torch"'), ">=2, <3"),
        (told("0.28.0", file=None, sha256=None), "not read: no wheel is offered"),
    ],
)
def test_what_a_release_asks_of_torch_in_words(release: dict[str, Any], said: str) -> None:
    stored = changed(COMPANIONS, {"packages[0].releases[0]": release})
    row = companions_view(library(**{COMPANIONS: stored})).companions[0].releases[0]
    assert row.torch == said
    assert row.others == ()


def test_package_that_nobody_asked_about_has_no_day() -> None:
    (one,) = companions_view(library(**{COMPANIONS: {"pythons": [], "packages": []}})).companions
    assert (one.day, one.newest, one.releases) == (None, None, ())


@pytest.mark.parametrize(
    ("start", "target", "expected"),
    [
        ("2.13.0", "2.15.0", [("0.28.0", "0.29.2")]),
        ("2.14.1", "2.15.0", []),
        ("2.14.0", "2.15.0", [("", "0.29.2")]),
        ("2.13.0", "2.14.0", []),
    ],
    ids=["moves", "keeps", "start not known", "target not known"],
)
def test_plan_names_what_moves(start: str, target: str, expected: list[tuple[str, str]]) -> None:
    assert [(one.before, one.after) for one in moves(library(), Upgrade(start, target))] == expected


def test_plan_warns_where_no_release_is_known() -> None:
    none = {"torch": "2.15.0", "take": [], "known": "unknown"}
    found = library(**{VISION: changed(VISION, {"choices[2]": none})})
    (move,) = moves(found, Upgrade("2.13.0", "2.15.0"))
    assert (move.before, move.after, move.known, move.note) == ("0.28.0", "", "", "Take 0.29.2.")


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


def test_base_of_these_tests_is_without_problems(tmp_path: Path) -> None:
    assert problems_below(write_base(tmp_path, **{VISION: {**BASE[VISION]}})) == []
    assert REMOVED is not None

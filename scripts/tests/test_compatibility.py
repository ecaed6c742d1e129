"""The compatibility page: what wheels say, what people wrote, how both are told apart, and which hardware runs what."""

from pathlib import Path
from typing import Any

import pytest
from builders import FACTS, METADATA, WHEELS, changed, library, release, wheel, wheel_metadata
from packaging.specifiers import SpecifierSet

from torchnotes.library import library_of
from torchnotes.opendata import data_files
from torchnotes.pages import pages_of
from torchnotes.pages.cells import Column, Mark, Notes, marks
from torchnotes.pages.compatibility import Cell, compatibility_view
from torchnotes.pages.markers import plain_words
from torchnotes.pages.served import ServedCell
from torchnotes.published import code_for, span, specifier_text, wheels_of
from torchnotes.reading import read_contents

VERSIONS = ("2.13.0", "2.14.0", "2.14.1", "2.15.0")


def fact_cells(fact_id: str, **changes: Any) -> dict[str, Cell]:
    """Cells of one fact by version."""
    view = compatibility_view(library(**changes))
    row = next(row for group in view.groups for row in group.rows if row.id == fact_id)
    return {column.version: cell for column, cell in zip(view.columns, row.cells, strict=True)}


def served_cells(label: str, title: str, **changes: Any) -> dict[str, ServedCell]:
    """Cells of one hardware in one table by version; ``label`` with its capability."""
    view = compatibility_view(library(**changes))
    tables = [table for vendor in view.vendors for table in vendor.tables if table.title == title]
    row = next(row for table in tables for row in table.rows if f"{row.label} {row.capability}".strip() == label)
    return {column.version: cell for column, cell in zip(view.columns, row.cells, strict=True)}


def texts(cell: Cell) -> list[tuple[str, str, str]]:
    return [(line.where, line.value, line.when) for line in cell.lines]


@pytest.mark.parametrize(
    ("marker", "words"),
    [
        ("", ""),
        ('platform_system == "Linux"', "Linux only"),
        ('platform_system == "Linux" and python_version < "3.15"', "Linux only, Python below 3.15"),
        ('sys_platform != "win32"', "not on Windows"),
        ('platform_machine == "aarch64"', "aarch64 only"),
        ('python_version >= "3.11" or platform_system == "Darwin"', "Python 3.11 or newer or macOS only"),
        (
            '(a == "b" or python_version <= "3.9") and os_name == "nt"',
            "(if a == 'b' or Python 3.9 or older), if os_name == 'nt'",
        ),
        ('python_version ~= "3.11"', 'if python_version ~= "3.11"'),
        ('platform_system == "<script>"', "if platform_system == '<script>'"),
        ("(" * 300, f"if {'(' * 300}"),
    ],
)
def test_markers_in_plain_words(marker: str, words: str) -> None:
    assert plain_words(marker) == words


@pytest.mark.parametrize(
    ("specifier", "text"),
    [("<14,>=13.0.3", ">=13.0.3, <14"), ("==13.0.3", "13.0.3"), ("~=3.8.0", "~=3.8.0"), ("", ""), ("==3.*", "3.*")],
)
def test_specifiers_as_people_read_them(specifier: str, text: str) -> None:
    assert specifier_text(SpecifierSet(specifier)) == text


@pytest.mark.parametrize(
    ("versions", "text"),
    [
        (["3.10", "3.9", "3.11"], "3.9 to 3.11"),
        (["3.10", "3.12"], "3.10, 3.12"),
        (["3.10"], "3.10"),
        (["2.7", "3.0"], "2.7, 3.0"),
    ],
)
def test_versions_that_follow_each_other_are_a_span(versions: list[str], text: str) -> None:
    assert span(versions) == text


@pytest.mark.parametrize(
    ("capability", "codes", "code"),
    [
        ("sm_89", ["sm_75", "sm_80", "sm_86", "sm_90"], "sm_86"),
        ("sm_89", ["sm_80", "sm_90"], "sm_80"),
        ("sm_86", ["sm_80", "sm_86"], "sm_86"),
        ("sm_103", ["sm_100", "sm_120"], "sm_100"),
        ("sm_110", ["sm_100", "sm_120"], None),
        ("sm_75", ["sm_80"], None),
        ("sm_80", ["sm_86"], None),
        ("sm_90", ["compute_90"], None),
        ("gfx942", ["gfx942"], None),
    ],
)
def test_a_card_runs_code_of_its_major_number(capability: str, codes: list[str], code: str | None) -> None:
    assert code_for(capability, codes) == code


def test_marks_compare_with_the_nearest_cell_that_says_something() -> None:
    columns = [Column(version, version[:4], "", is_newest=True) for version in ("1.10.0", "1.10.1", "1.11.0", "1.12.0")]
    assert list(marks(columns, ["a", "a", "", "b"])) == [
        None,
        Mark("1.10.0", is_changed=False),
        None,
        Mark("1.10.1", is_changed=True),
    ]
    # What the next release keeps needs no mark.
    assert list(marks(columns[1:], ["a", "a", "a"])) == [None, None, None]


def test_a_note_is_there_once() -> None:
    notes = Notes("x")
    assert [notes.number(one) for one in ("a", None, "b", "a")] == [1, None, 2, 1]
    assert notes.texts == ["a", "b"]


def test_columns_are_all_published_versions() -> None:
    assert tuple(one.version for one in compatibility_view(library()).columns) == VERSIONS


def test_metadata_speaks_for_each_patch_and_a_fact_for_the_newest() -> None:
    cells = fact_cells("nccl")
    assert [texts(one) for one in cells.values()] == [
        [("", "2.29.7", "Linux only")],
        *[[("", "2.30.7", "Linux only")]] * 3,
    ]
    assert [one.mark and (one.mark.before, one.mark.is_changed) for one in cells.values()] == [
        None,
        ("2.13.0", True),
        ("2.14.0", False),
        None,
    ]
    assert {one.basis and one.basis.label for one in cells.values()} == {"Wheel metadata"}
    # Of a fact that no metadata tells, the older patch says nothing.
    assert [bool(one.lines) for one in fact_cells("python").values()] == [True, False, True, True]


def test_a_fact_is_shown_of_the_older_patch_that_it_names() -> None:
    path = "releases/2.14.yaml"
    cells = fact_cells("python", **{path: changed(path, {"facts[0].also_in": ["2.14.0"]})})
    assert texts(cells["2.14.0"]) == texts(cells["2.14.1"])
    assert cells["2.14.1"].mark == Mark("2.14.0", is_changed=False)


def test_only_what_nobody_read_in_a_wheel_is_marked_as_reported() -> None:
    path = "releases/2.15.yaml"
    for basis, is_reported in (
        ("article", True),
        ("upstream", True),
        ("inferred", True),
        ("not-confirmed", True),
        ("registry", False),
        ("wheel", False),
    ):
        cells = fact_cells("python", **{path: changed(path, {"facts[0].basis": basis})})
        assert cells["2.15.0"].is_reported is is_reported, basis


def test_what_wheels_say_goes_before_what_people_wrote() -> None:
    path = "releases/2.15.yaml"
    fact = {"id": "nccl", "value": "9.9", "basis": "article", "note": "Linux only."}
    cell = fact_cells("nccl", **{path: changed(path, {"facts": [fact]})})["2.15.0"]
    assert texts(cell) == [("", "2.30.7", "Linux only")]
    assert (cell.is_reported, cell.wheels) == (False, "Linux x86-64")
    # The note would say again what the marker says.
    assert cell.notes == ()


def test_wheels_that_differ_are_named() -> None:
    both = [wheel("2.15.0"), wheel("2.15.0", platform="macos-arm64")]
    mac = wheel_metadata("2.15.0", "2.31.0", platform="macos-arm64", generator="other 1.0", architectures=None)
    stored = {"wheels": [wheel_metadata("2.15.0"), mac]}
    changes = {WHEELS: {"wheels": both}, METADATA: stored}
    assert texts(fact_cells("nccl", **changes)["2.15.0"]) == [
        ("Linux x86-64", "2.30.7", "Linux only"),
        ("macOS arm64", "2.31.0", "Linux only"),
    ]
    same = fact_cells("triton", **changes)["2.15.0"]
    assert (texts(same)[0][0], same.wheels) == ("", "all 2 wheels")


def test_metadata_of_another_file_is_not_shown() -> None:
    stored = {"wheels": [wheel_metadata("2.15.0", sha256="1" * 64)]}
    view = compatibility_view(library(**{METADATA: stored}))
    assert [row.id for group in view.groups for row in group.rows] == ["python"]


def serves(hardware: str = "nvidia-hopper", **more: Any) -> dict[str, Any]:
    known = {"basis": "wheel", "source": "wheel-2.15"}
    return {
        "hardware": hardware,
        "build": "cu130",
        "platform": "linux-x86-64",
        "runs": "yes",
        "through": "sm_90",
        **known,
        **more,
    }


DEFAULT = "Default wheel, Linux x86-64"


def test_the_older_patch_runs_what_the_newest_does_when_its_code_is_the_same() -> None:
    cells = served_cells("Hopper 9.0", DEFAULT)
    assert [one.answers[0].through for one in cells.values()] == ["`sm_90`"] * 4
    assert cells["2.14.1"].mark == Mark("2.14.0", is_changed=False)
    stored = [wheel_metadata("2.14.0", architectures=["sm_80"]), wheel_metadata("2.14.1")]
    cells = served_cells("Hopper 9.0", DEFAULT, **{METADATA: {"wheels": stored}})
    assert (cells["2.14.0"].answers, cells["2.14.0"].nothing) == ((), "not recorded")
    cells = served_cells("Hopper 9.0", DEFAULT, **{METADATA: {"wheels": []}})
    assert cells["2.14.0"].answers == ()


def other_builds(*more: dict[str, Any], codes: list[str], **served: Any) -> dict[str, Any]:
    """Release 2.15 with a CUDA 12.6 build besides, whose code is known."""
    values = release("2.15.0")
    build = {
        "build": "cu126",
        "default": False,
        "platforms": ["linux-x86-64"],
        "os": ["linux"],
        "hardware": ["nvidia"],
        "requires": None,
        "install": None,
        "basis": "upstream",
        "source": "wheel-2.15",
    }
    values["builds"].append(build)
    architectures = {"build": "cu126", "platform": "linux-x86-64", "codes": codes, "basis": "upstream"}
    values["architectures"].append({**architectures, "source": "wheel-2.15", "note": "From a table."})
    values["serves"] = [serves(**served), *more]
    return {"releases/2.15.yaml": values}


def test_another_build_is_said_to_run_by_its_code() -> None:
    cell = served_cells("Hopper 9.0", "Other builds", **other_builds(codes=["sm_50", "sm_90"]))["2.15.0"]
    (answer,) = cell.answers
    assert (answer.where, answer.through, answer.is_reported) == ("CUDA 12.6, Linux x86-64", "`sm_90`", True)


@pytest.mark.parametrize("served", [{"runs": "not-promised", "through": None}, {"runs": "no", "through": None}])
def test_code_promises_nothing_where_no_build_is_said_to_run(served: dict[str, Any]) -> None:
    view = compatibility_view(library(**other_builds(codes=["sm_90"], **served)))
    assert "Other builds" not in [table.title for vendor in view.vendors for table in vendor.tables]


def test_what_a_release_says_goes_before_its_code() -> None:
    said = serves(build="cu126", runs="unknown", through=None, basis="not-confirmed")
    cell = served_cells("Hopper 9.0", "Other builds", **other_builds(said, codes=["sm_90"]))["2.15.0"]
    assert [one.runs.value for one in cell.answers] == ["unknown"]


def test_a_build_that_is_gone_is_a_change() -> None:
    values = release("2.14.0", "2.14.1")
    values["serves"].append(serves(build="cu126", basis="upstream"))
    cells = served_cells("Hopper 9.0", "Other builds", **{"releases/2.14.yaml": values})
    assert (cells["2.15.0"].nothing, cells["2.15.0"].mark) == ("none known", Mark("2.14.1", is_changed=True))
    assert cells["2.14.0"].nothing == "not recorded"


def test_hostile_requirements_are_shown_as_text() -> None:
    requirements = [
        'evil @ https://evil.example/"><script>alert(1)</script> ; platform_system == "<img src=x>"',
        'x[a]<2; platform_machine == "`<b>`"',
    ]
    stored = {"wheels": [wheel_metadata("2.15.0", requirements=requirements, generator="<script>alert(2)</script>")]}
    names = changed(FACTS, {"facts[1].id": "other-requirements"})
    text = pages_of(library(**{METADATA: stored, FACTS: names}))["compatibility.md"].text
    assert "&lt;img src=x&gt;" in text
    assert "&lt;script&gt;alert2" in text
    assert "https://evil.example/&#34;&gt;" in text
    assert "<script" not in text
    assert "<img" not in text


def test_open_data_has_the_metadata_of_each_version() -> None:
    files = data_files(library())
    text = files["api/v1/releases.json"]
    assert '"requires_python": ">=3.11"' in text
    assert text.count('"full_version"') == len(VERSIONS)


def test_every_examined_wheel_of_torch_is_described() -> None:
    """In the project's own data."""
    real = library_of(read_contents(Path(__file__).parents[2]))
    missing = [one.id for one in real.wheels if one.package == "torch" and one.id not in real.metadata]
    assert missing == []
    assert {version for version in real.versions if not wheels_of(real, version)} == set()

"""The benchmark's own parts: synthetic libraries, the server, the table. What it measures is not judged here."""

import gzip
import subprocess
import sys
import urllib.request
from collections import Counter
from pathlib import Path

import pytest
from site_fixtures import ROOT

from torchnotes.bench.__main__ import main
from torchnotes.bench.building import make_project
from torchnotes.bench.query import query_for
from torchnotes.bench.serving import served
from torchnotes.bench.synthetic import copy_library, synthetic_records, write_library
from torchnotes.bench.table import ROWS, Column, figure_text, percentile, table
from torchnotes.checks import CHECKS, LAYOUT_CHECKS, library_below, problems_of
from torchnotes.library import Library
from torchnotes.reading import Contents, read_contents

SIZE = 200


@pytest.fixture(scope="module")
def contents() -> Contents:
    return read_contents(ROOT)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("synthetic")
    write_library(ROOT, root, SIZE)
    return root


@pytest.fixture(scope="module")
def synthetic(written: Path) -> Library:
    found = library_below(written)
    assert isinstance(found, Library), found
    return found


# ---- Synthetic libraries --------------------------------------------------------------------------------------


def test_synthetic_library_has_no_problem_and_as_many_features_as_asked(written: Path, synthetic: Library) -> None:
    assert len(synthetic.entries) == SIZE
    # Nothing that is made up was compared with a wheel.
    assert problems_of(read_contents(written), CHECKS + LAYOUT_CHECKS) == []


def test_same_seed_gives_the_same_library(contents: Contents) -> None:
    assert synthetic_records(contents, 40, 7) == synthetic_records(contents, 40, 7)
    assert synthetic_records(contents, 40, 7) != synthetic_records(contents, 40, 8)


def test_no_record_of_a_synthetic_library_is_a_real_one(synthetic: Library, real_library: Library) -> None:
    def said(library: Library) -> set[str]:
        return {entry.feature.summary for entry in library.entries.values()}

    assert len(said(synthetic)) == SIZE
    assert said(synthetic) & said(real_library) == set()


def test_synthetic_records_are_as_long_as_real_ones(synthetic: Library, real_library: Library) -> None:
    def words(library: Library) -> float:
        lengths = [len(entry.feature.model_dump_json().split()) for entry in library.entries.values()]
        return sum(lengths) / len(lengths)

    assert words(synthetic) == pytest.approx(words(real_library), rel=0.1)


def test_synthetic_records_have_names_of_their_own(synthetic: Library, real_library: Library) -> None:
    """A search engine that is given one vocabulary over and over would look smaller than it is."""

    def names(library: Library) -> Counter[str]:
        return Counter(
            name for entry in library.entries.values() for name in (*entry.feature.symbols, *entry.feature.settings)
        )

    alone = [name for name, count in names(synthetic).items() if count == 1]
    assert len(alone) > SIZE
    assert len(set(alone) & set(names(real_library))) < SIZE / 5


def test_tags_are_given_about_as_often_as_in_the_real_library(synthetic: Library, real_library: Library) -> None:
    def share(library: Library, hardware: str) -> float:
        return len(library.of_hardware(hardware)) / len(library.entries)

    for vendor in ("nvidia", "amd", "apple-silicon", "cpu"):
        assert share(synthetic, vendor) == pytest.approx(share(real_library, vendor), abs=0.15), vendor


def test_synthetic_records_point_only_to_each_other(synthetic: Library) -> None:
    pointing = [one for entry in synthetic.entries.values() for one in (*entry.feature.related, *entry.feature.follows)]
    assert len(pointing) > SIZE
    assert set(pointing) <= set(synthetic.entries)


# ---- What is asked, and how it is served ----------------------------------------------------------------------


def test_query_has_an_answer(synthetic: Library) -> None:
    query = query_for(synthetic)
    shown = synthetic.of_hardware(query.hardware)
    texts = [f"{entry.feature.title} {entry.feature.summary}".lower() for entry in shown]
    assert len(query.text.split()) == 2
    assert any(all(word in text for word in query.text.split()) for text in texts)
    assert len(query.next_words) >= 5


def test_server_compresses_text_and_stays_inside_the_site(tmp_path: Path) -> None:
    (tmp_path / "site" / "features").mkdir(parents=True)
    (tmp_path / "site" / "features" / "index.html").write_text("hello " * 100, encoding="utf-8")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    with served(tmp_path / "site") as home:
        with urllib.request.urlopen(f"{home}features/?q=x") as answer:  # noqa: S310  (our own server)
            assert answer.headers["Content-Encoding"] == "gzip"
            assert gzip.decompress(answer.read()) == b"hello " * 100
        for path in (
            f"{home}../secret.txt",
            f"{home}%2e%2e/secret.txt",
            f"{home}none/",
            home.removesuffix("torchnotes/"),
        ):
            with pytest.raises(urllib.error.HTTPError):
                urllib.request.urlopen(path)  # noqa: S310


# ---- The table ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("figure", "unit", "text"),
    [(1_234_567, "KB", "1,234.6 KB"), (1_234_567, "MB", "1.2 MB"), (3.14159, "ms", "3.1 ms"), (10_000, "", "10,000")],
)
def test_figure_is_written_in_its_unit(figure: float, unit: str, text: str) -> None:
    assert figure_text(figure, unit) == text


def test_percentile_is_a_figure_that_was_measured() -> None:
    assert percentile([5, 1, 2, 4, 3], 0.5) == 3
    assert percentile(range(1, 101), 0.95) == 95
    assert percentile([7], 0.95) == 7


def test_table_is_aligned_and_marks_what_is_above_its_bar() -> None:
    columns = [
        Column("real", {"features": 87, "first-bytes": 120_000}),
        Column("2000", {"features": 2_000, "first-bytes": 300_001, "ratio-time": 9}),
        Column("10000", {"features": 10_000, "first-bytes": 750_000}),
    ]
    assert table(columns).splitlines() == [
        "                                                   real    bar       2000    bar      10000    bar",
        "features                                            87             2,000            10,000",
        "finder: loaded until the first filtered list  120.0 KB   ≤ 150  300.0 KB!  ≤ 300  750.0 KB   ≤ 750",
        "finder faster to the first list by                                 9.0 ×!   ≥ 10",
        "! above (or below) its bar",
    ]


def test_every_row_has_a_key_of_its_own() -> None:
    assert len({row.key for row in ROWS}) == len(ROWS)


# ---- The command ----------------------------------------------------------------------------------------------


def test_command_says_what_it_cannot_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--root", str(tmp_path)]) == 2
    assert "is not the project's root" in capsys.readouterr().err
    (tmp_path / "file").touch()
    assert main(["--root", str(ROOT), "--keep", str(tmp_path)]) == 2
    assert "is not empty" in capsys.readouterr().err


def test_command_says_that_playwright_is_missing(tmp_path: Path) -> None:
    """As for who installed the package alone."""
    code = "import sys; sys.modules['playwright.sync_api'] = None\nfrom torchnotes.bench import browsing\nwith browsing.browser(): pass"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "playwright is not installed" in done.stderr
    assert "--no-browser" in done.stderr


def test_builds_are_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str], real_library: Library) -> None:
    """With both engines, at the smallest size that is of any use."""
    assert (
        main(["--root", str(ROOT), "--sizes", "30", "--no-browser", "--material", "--keep", str(tmp_path / "kept")])
        == 0
    )
    lines = capsys.readouterr().out.splitlines()
    figures = {line[:45].strip(): line[45:].split() for line in lines}
    assert figures["features"] == [str(len(real_library.entries)), "30"]
    assert (tmp_path / "kept" / "30" / "site" / "search" / "heads.json").is_file()
    assert (tmp_path / "kept" / "30" / "site-material" / "search" / "search_index.json").is_file()


def test_project_of_the_real_size_is_the_real_one(tmp_path: Path, real_library: Library) -> None:
    make_project(ROOT, tmp_path)
    copy_library(ROOT, tmp_path)
    found = library_below(tmp_path)
    assert isinstance(found, Library)
    assert list(found.entries) == list(real_library.entries)

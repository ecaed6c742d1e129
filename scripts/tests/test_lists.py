"""Lists that grow with the data: what a page shows of them, and where it sends the reader for the rest."""

from html import unescape
from typing import Any

import pytest
from builders import POLAR, changed, library, steps

from torchnotes.library import Library, by_urgency
from torchnotes.links import feature_path
from torchnotes.pages import pages_of
from torchnotes.pages.lists import MOST_ROWS, Rows, by_kind, first_rows
from torchnotes.terms import Action

MANY = MOST_ROWS + 30


@pytest.fixture(scope="module")
def crowded() -> Library:
    """The small knowledge base with many records more that all concern the same."""
    files: dict[str, Any] = {}
    for number in range(MANY):
        values = changed(POLAR, {"title": f"Feature {number}", "areas": ["mps"], "hardware": ["apple-silicon"]})
        values["migration"] = steps("required", "2.14.0")
        values["version"] = "2.14.0"
        files[f"features/2.14/many-{number}.yaml"] = values
    return library(**files)


def test_short_list_is_whole(real_library: Library) -> None:
    entries = by_urgency(real_library.entries.values())[:MOST_ROWS]
    found = first_rows(entries, {})
    assert [one.id for one in found] == [one.id for one in entries]
    assert found.more == 0


def test_long_list_shows_its_first_rows_and_counts_the_rest(real_library: Library) -> None:
    entries = by_urgency(real_library.entries.values())
    found = first_rows(entries, {"hardware": "cpu", "action": Action.REQUIRED})
    assert [one.id for one in found] == [one.id for one in entries[:MOST_ROWS]]
    assert found.more == len(entries) - MOST_ROWS > 0
    assert found.query == "?hardware=cpu&action=required"


@pytest.mark.parametrize(
    ("path", "more", "query"),
    [
        ("hardware/apple-silicon.md", MANY + 2 - MOST_ROWS, "hardware=apple-silicon&action=required"),
        ("areas/mps.md", MANY - MOST_ROWS, "area=mps&release=2.14&action=required"),
        ("releases/2.14.md", MANY - MOST_ROWS, "release=2.14&action=required"),
        ("index.md", MANY + 2 - MOST_ROWS, "action=required"),
    ],
)
def test_page_leads_to_the_finder_for_the_rest(path: str, more: int, query: str, crowded: Library) -> None:
    text = unescape(pages_of(crowded)[path].text)
    assert text.count('<li class="tn-row">') <= MOST_ROWS + 8
    start = "" if path == "index.md" else "../../"
    assert f'and {more} more: <a href="{start}features/?{query}">see all in the finder</a>' in text


def test_no_page_of_the_real_site_leaves_out_a_title(real_library: Library) -> None:
    """Nobody needs a script for the rest of a list before there are many more records than now."""
    texts = {path: page.text for path, page in pages_of(real_library).items()}
    assert [path for path, text in texts.items() if "see all in the finder" in text]
    assert [path for path, text in texts.items() if "<summary>The titles of " in text] == []


def test_each_feature_is_in_one_section(real_library: Library) -> None:
    entries = tuple(real_library.entries.values())
    found: list[str] = []
    for section in by_kind(entries, {}):
        assert isinstance(section.rows, Rows)
        found += [one.path for one in (*section.rows, *section.rows.titles)]
    assert sorted(found) == sorted(feature_path(one.id) for one in entries)


def test_titles_end_where_a_page_would_grow_without_end(crowded: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torchnotes.pages.lists.MOST_TITLES", 10)
    text = pages_of(crowded)["releases/2.14.md"].text
    assert "<summary>The titles of 10 of them</summary>" in text


def test_filter_of_a_section_has_all_of_it(real_library: Library) -> None:
    """Else "see all" would show less than the page did."""
    values = {
        "action": lambda entry: entry.feature.migration.action,
        "kind": lambda entry: entry.feature.kind,
        "grade": lambda entry: entry.grade,
    }
    for section in by_kind(real_library.entries.values(), {}):
        for part in filter(None, section.rows.query.removeprefix("?").split("&")):  # type: ignore[attr-defined]
            key, _, value = part.partition("=")
            assert {values[key](real_library.entries[one.id]) for one in section.rows} == {value}

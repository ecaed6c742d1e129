"""The guides: each rests on records, says only names that they say, and repeats their grades."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from torchnotes.library import Library
from torchnotes.terms import Action, Grade, Kind

FOLDER = Path(__file__).parents[2] / "docs" / "guides"
GUIDES = tuple(sorted(path for path in FOLDER.glob("*.md") if path.name != "index.md"))
INDEX = FOLDER / "index.md"

PLAIN = {"torch.testing.assert_close": "the usual way to compare with a tolerance; no release changed it"}
"""Public names that a guide needs though no record has them, each with its reason."""

PARTS = ("Does it concern you?", "Steps", "Keep the old behaviour", "Going back", "How sure this is")
STEPS = ("Check", "Before", "While you upgrade", "After")
MOST_WORDS = 700

LINK = re.compile(r"\]\(\.\./features/([a-z0-9-]+)\.md\)")
GRADED = re.compile(rf"({LINK.pattern}(?:: | \()\*)(\w+)\*")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SETTING = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
DOTTED = re.compile(r"\btorch(?:\.\w+)+")

each_guide = pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.stem)


def text_of(guide: Path) -> str:
    """A guide without its front matter."""
    return guide.read_text(encoding="utf-8").split("---\n", 2)[2]


def codes(text: str) -> list[str]:
    """What stands between backticks and in code blocks."""
    return [code for _, code in FENCE.findall(text)] + re.findall(r"`([^`\n]+)`", FENCE.sub("", text))


def strings(value: Any) -> Iterator[str]:
    """Every text in nested values."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)


@pytest.fixture(scope="module")
def said(real_library: Library) -> str:
    """All that the records and the releases say."""
    records = [entry.feature for entry in real_library.entries.values()]
    releases = [release.release for release in real_library.releases.values()]
    return "\n".join(text for one in (*records, *releases) for text in strings(one.model_dump(mode="json")))


def test_there_are_guides() -> None:
    assert len(GUIDES) >= 8


@each_guide
def test_a_guide_rests_on_records(guide: Path, real_library: Library) -> None:
    linked = set(LINK.findall(text_of(guide)))
    assert len(linked) >= 2
    assert linked - set(real_library.entries) == set()


@each_guide
def test_a_guide_answers_in_the_same_order(guide: Path) -> None:
    text = text_of(guide)
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert [one for one in headings if one in PARTS] == list(PARTS)
    steps = text.split("\n## Steps\n")[1].split("\n## ")[0]
    places = [steps.find(f"\n**{step}") for step in STEPS]
    assert -1 not in places
    assert places == sorted(places)


@each_guide
def test_a_guide_repeats_the_grades(guide: Path, real_library: Library, request: pytest.FixtureRequest) -> None:
    """``--update-golden`` writes them anew; read what stands around them then."""
    text = guide.read_text(encoding="utf-8")

    def current(found: re.Match[str]) -> str:
        return f"{found[1]}{real_library.entries[found[2]].grade}*"

    if request.config.getoption("update_golden"):
        guide.write_text(GRADED.sub(current, text), encoding="utf-8")
        text = guide.read_text(encoding="utf-8")
    graded = {id_: grade for _, id_, grade in GRADED.findall(text)}
    assert graded == {id_: str(real_library.entries[id_].grade) for id_ in LINK.findall(text)}
    assert set(graded.values()) <= set(Grade)


@each_guide
def test_a_guide_is_short(guide: Path) -> None:
    assert len(re.findall(r"\S*\w\S*", text_of(guide))) <= MOST_WORDS


@each_guide
def test_every_column_has_a_heading(guide: Path) -> None:
    """A screen reader says the heading with each cell."""
    heads = re.findall(r"^\|(.+)\|\n\|[-|]+\|$", text_of(guide), re.MULTILINE)
    assert heads
    assert all(cell.strip() for head in heads for cell in head.split("|"))


@each_guide
def test_a_guide_gives_no_address(guide: Path) -> None:
    """Neither of a registry nor of a download site: they move."""
    assert not re.search(r"https?://|--(extra-)?index-url", guide.read_text(encoding="utf-8"))


@each_guide
def test_names_in_a_guide_are_names_of_a_record(guide: Path, said: str) -> None:
    """A guard against invented names: settings, dotted names, and what Python code reads, calls and passes."""
    text = text_of(guide)
    for_all = {name for code in codes(text) for pattern in (SETTING, DOTTED) for name in pattern.findall(code)}
    trees = [ast.parse(code) for language, code in FENCE.findall(text) if language == "python"]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    keywords = {node.arg for node in nodes if isinstance(node, ast.keyword) and node.arg}
    imported = {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    names = for_all | attributes | keywords | imported
    unknown = {
        name for name in names if not re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)|\.{re.escape(name)}\b", said)
    }
    assert unknown - set(PLAIN) == set()


@each_guide
def test_python_in_a_guide_parses(guide: Path) -> None:
    languages = {language for language, _ in FENCE.findall(text_of(guide))}
    assert languages <= {"python", "bash", "text"}
    for language, code in FENCE.findall(text_of(guide)):
        if language == "python":
            ast.parse(code)


def test_every_plain_name_is_needed_and_in_no_record(said: str) -> None:
    used = {name for guide in GUIDES for name in PLAIN if re.search(rf"\b{name}\b", text_of(guide))}
    assert used == set(PLAIN)
    assert {name for name in PLAIN if re.search(rf"\b{name}\b", said)} == set()


def test_every_change_that_requires_an_action_has_a_guide(real_library: Library) -> None:
    """A fault is not a change: its own page is the whole guide."""
    linked = {id_ for guide in GUIDES for id_ in LINK.findall(text_of(guide))}
    required = {
        entry.id
        for entry in real_library.entries.values()
        if entry.feature.migration.action == Action.REQUIRED and entry.feature.kind is not Kind.KNOWN_ISSUE
    }
    assert required - linked == set()


def test_the_index_lists_each_guide_in_one_sentence() -> None:
    rows = dict(
        re.findall(r"^\| \[.+?\]\(([a-z0-9-]+\.md)\) \| (.+) \|$", INDEX.read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert set(rows) == {guide.name for guide in GUIDES}
    assert all(re.fullmatch(r"[^.]+(\.\d[^.]*)*\.", sentence) for sentence in rows.values()), rows

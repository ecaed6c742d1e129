"""Whatever a record says, pages show it as text: no element, attribute or address comes from data."""

import json
from pathlib import Path
from typing import Any

import pytest
from hostile import PAYLOADS
from site_check import HtmlPage, Node, faults_of, pages_below
from site_fixtures import Twins

from torchnotes.bench.serving import BASE
from torchnotes.checks import library_below
from torchnotes.library import Library
from torchnotes.links import address, feature_path
from torchnotes.pages.markup import plain


@pytest.fixture(scope="module")
def pages(twins: Twins) -> tuple[dict[str, HtmlPage], dict[str, HtmlPage]]:
    return pages_below(twins.hostile_site.site), pages_below(twins.benign_site.site)


@pytest.fixture(scope="module")
def attacked(twins: Twins) -> Library:
    library = library_below(twins.hostile)
    assert isinstance(library, Library)
    return library


def _is_code(node: Node) -> bool:
    """Inside highlighted code, whose words get their colours by elements of their own."""
    return any(one.startswith("pre") for one in node.inside)


def _shape(page: HtmlPage) -> list[tuple[str, tuple[str, ...], str]]:
    """Elements with their attributes, and where they lead."""
    found = []
    for node in page.nodes:
        if not _is_code(node):
            # Anchors are made of headings, which differ.
            target = node.attributes.get("href", node.attributes.get("src", "")).partition("#")[0]
            found.append((node.name, tuple(sorted(node.attributes)), target))
    return found


def _first_difference(one: list[Any], other: list[Any]) -> str:
    for number, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return f"element {number}: {left} instead of {right}, after {other[max(0, number - 2) : number]}"
    return f"{len(one)} elements instead of {len(other)}" if len(one) != len(other) else ""


def test_attack_makes_no_element_and_no_attribute(pages: tuple[dict[str, HtmlPage], dict[str, HtmlPage]]) -> None:
    hostile, benign = pages
    assert set(hostile) == set(benign)
    assert len(hostile) > len(PAYLOADS) * 6
    wrong = []
    for path, page in hostile.items():
        # Sorted, because lists are in the order of titles, which differ.
        if difference := _first_difference(sorted(_shape(page)), sorted(_shape(benign[path]))):
            wrong.append(f"{path}: {difference}")
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


def test_code_gets_colours_and_nothing_else(pages: tuple[dict[str, HtmlPage], dict[str, HtmlPage]]) -> None:
    found = {
        (node.name, *sorted(node.attributes)) for page in pages[0].values() for node in page.nodes if _is_code(node)
    }
    assert found <= {("span",), ("span", "class"), ("code",), ("code", "class")}


def test_attacked_site_has_no_other_fault(twins: Twins) -> None:
    assert [str(fault) for fault in faults_of(twins.hostile_site.site, BASE)] == []


def test_build_of_attacks_prints_no_warning(twins: Twins) -> None:
    assert "WARNING" not in twins.hostile_site.output


def _texts(value: Any) -> list[str]:
    """Texts of an attack inside a record: those that carry a mark."""
    if isinstance(value, dict):
        return [text for one in value.values() for text in _texts(one)]
    if isinstance(value, list):
        return [text for one in value for text in _texts(one)]
    return [value] if isinstance(value, str) and " n" in value else []


def _shown(text: str) -> str:
    return " ".join(text.replace("`", "").split())


def test_attack_is_shown_as_it_was_written(
    attacked: Library, pages: tuple[dict[str, HtmlPage], dict[str, HtmlPage]]
) -> None:
    wrong = []
    for entry in attacked.entries.values():
        page = pages[0][f"{address(feature_path(entry.id))}index.html"]
        article = next(node for node in page.nodes if node.name == "article")
        seen = _shown(article.text)
        values = entry.feature.model_dump(mode="json", by_alias=True)
        details = values.pop("details") or ""
        labels = " ".join(node.attributes.get("aria-label", "") for node in page.nodes)
        due = [_shown(text) for text in _texts(values)]
        due += [_shown(line.removeprefix("- ")) for line in details.split("\n") if line.strip() and line[0] != " "]
        wrong += [f"{entry.id}: {text}" for text in due if text not in seen and text not in labels]
    if wrong:
        pytest.fail("\n".join(["not shown as written:", *wrong]), pytrace=False)


def test_title_and_description_hold_the_text(
    attacked: Library, pages: tuple[dict[str, HtmlPage], dict[str, HtmlPage]]
) -> None:
    for entry in attacked.entries.values():
        page = pages[0][f"{address(feature_path(entry.id))}index.html"]
        title = next(node for node in page.all("title") if "head" in node.inside)
        assert " ".join(title.text.split()).startswith(plain(entry.feature.title))
        described = [node for node in page.all("meta") if node.attributes.get("name") == "description"]
        assert [node.attributes["content"] for node in described] == [plain(entry.feature.summary)]


def test_open_data_holds_the_text(attacked: Library, twins: Twins) -> None:
    path = Path("api", "v1", "features.json")
    data = json.loads((twins.hostile_site.site / path).read_text(encoding="utf-8"))
    for one in data["features"]:
        written = attacked.entries[one["id"]].feature.model_dump(mode="json", by_alias=True)
        assert {key: one[key] for key in written} == written

"""Library in, Markdown out: the pages of the small knowledge base of ``builders.py``, word for word.

A golden file says what it shows, then gives the pages. ``pytest --update-golden`` rewrites them; read the difference.
"""

import difflib
from pathlib import Path
from typing import Any

import builders
import pytest
import yaml

from torchnotes.pages import pages_of

GOLDEN = Path(__file__).parent / "golden"
FILES = sorted(GOLDEN.glob("*.yaml"))


def _written(about: str, parts: dict[str, Any], pages: dict[str, str]) -> str:
    """A golden file, with each page as it is, so that a difference can be read."""
    lines = [f"about: {about}"]
    if parts:
        lines += ["parts:", *(f"  {path}: {yaml.safe_dump(part).splitlines()[0]}" for path, part in parts.items())]
    lines.append("pages:")
    for path, text in pages.items():
        lines.append(f"  {path}: |")
        lines += [f"    {line}".rstrip(" ") if not line.strip() else f"    {line}" for line in text.split("\n")[:-1]]
    return "\n".join(lines) + "\n"


def _part(text: str, heading: str | None) -> str:
    """A page, or the section below one of its headings."""
    if heading is None:
        return text
    _, found, rest = text.partition(f"{heading}\n")
    assert found, f"no line {heading!r}"
    return found + rest.partition("\n## ")[0].rstrip("\n") + "\n"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_pages_are_as_expected(path: Path, request: pytest.FixtureRequest) -> None:
    golden = yaml.safe_load(path.read_text(encoding="utf-8"))
    parts = golden.get("parts", {})
    made = pages_of(builders.library())
    pages = {one: _part(made[one].text, parts.get(one)) for one in golden["pages"]}
    if request.config.getoption("update_golden"):
        path.write_text(_written(golden["about"], parts, pages), encoding="utf-8")
        return
    wrong: list[str] = []
    for one, text in pages.items():
        expected, found = golden["pages"][one].splitlines(), text.splitlines()
        wrong += difflib.unified_diff(expected, found, f"{path.name}: {one}", "now", lineterm="")
    if wrong:
        pytest.fail("\n".join([*wrong, "If that is meant: pytest --update-golden"]), pytrace=False)


def test_every_sort_of_page_has_a_golden_one() -> None:
    """By template: the first folder of the path, or the page itself."""
    shown = {one for path in FILES for one in yaml.safe_load(path.read_text(encoding="utf-8"))["pages"]}
    features = {f"features/{Path(path).stem}.md" for path in builders.BASE if path.startswith("features/")}
    single = {"index.md", "features/index.md", "features/all.md", "releases/index.md", "hardware/index.md"}
    single |= {"areas/index.md", "compatibility.md", "contributing/fields.md", "features/polar.md"}
    single |= {"migrate/index.md", "migrate/2.14-to-2.15.md"}
    assert shown >= features | single
    assert {one.split("/")[0] for one in pages_of(builders.library())} == {one.split("/")[0] for one in shown}


def test_pages_leave_no_more_than_two_empty_lines_and_no_template_words() -> None:
    for page in pages_of(builders.library()).values():
        assert "{%" not in page.text
        assert "{{" not in page.text
        assert "None" not in page.text.replace("=None", "").replace("= None", ""), page.path
        assert "\n\n\n\n\n" not in page.text, page.path
        assert page.text.startswith("---\ntitle: "), page.path
        assert page.text.endswith("\n")

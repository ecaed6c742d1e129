"""Text of records → Markdown and HTML: what a record says is shown, and nothing of it is markup but backticks."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown import Markdown  # type: ignore[import-untyped]
from mkdocs.config import load_config
from site_check import HtmlPage, parsed
from site_fixtures import ROOT

from torchnotes.model.migration import CodeExample
from torchnotes.model.text import HIDDEN
from torchnotes.pages import markup
from torchnotes.terms import Language

_TRICKS = (
    "<script>alert(1)</script>",
    "</p>",
    "<!--",
    "&amp;",
    "&#60;",
    "{: .x }",
    "{ .x #y }",
    "[x](y)",
    "![x](y)",
    "[TOC]",
    "**",
    "__",
    "~~~",
    "# ",
    "- ",
    "+ ",
    "1. ",
    "1) ",
    "> ",
    "!!! note",
    "    ",
    "| a | b |",
    "===",
    "---",
    ": x",
    "\\",
    "\\`",
    "`a`",
    "``",
    "` `",
    "`\\`",
    "`<b>`",
    "http://x.y",
    "\n",
    " ",
    "--8<--",
)


def _balanced(text: str) -> str:
    return text if text.count("`") % 2 == 0 else f"{text}`"


_CHARACTERS = st.characters(codec="utf-8").filter(lambda one: not HIDDEN.search(one))
TEXTS = st.lists(st.one_of(st.sampled_from(_TRICKS), st.text(_CHARACTERS, max_size=8)), max_size=8).map(
    lambda parts: _balanced("".join(parts))
)
LINES = TEXTS.map(lambda text: text.replace("\n", " "))

never_slow = settings(deadline=None, database=None, max_examples=300)


@cache
def _converter() -> Markdown:
    """Markdown as the site reads it."""
    config = load_config(str(ROOT / "mkdocs.yml"))
    return Markdown(extensions=config.markdown_extensions, extension_configs=config.mdx_configs)


def _rendered(text: str) -> HtmlPage:
    return parsed("", f"<!doctype html><title>x</title>{_converter().reset().convert(text)}")


def _elements(page: HtmlPage) -> list[str]:
    return [node.name for node in page.nodes if "body" in node.inside]


def _attributes(page: HtmlPage) -> list[dict[str, str]]:
    return [node.attributes for node in page.nodes if "body" in node.inside and node.attributes]


def _text(page: HtmlPage) -> str:
    return " ".join(next(node.text for node in page.all("body")).split())


def _without_backticks(text: str) -> str:
    return " ".join(text.replace("`", "").split())


@pytest.mark.parametrize(
    ("text", "as_markdown", "as_html"),
    [
        ("plain", "plain", "plain"),
        ("a `b` c", "a `b` c", "a <code>b</code> c"),
        ("`a``b`", "`ab`", "<code>ab</code>"),
        ("``", "", ""),
        ("two\n  lines", "two lines", "two lines"),
        ("<b>", "&#60;b&#62;", "&lt;b&gt;"),
        ("`<b>`", "`<b>`", "<code>&lt;b&gt;</code>"),
        ("*a* _b_", "&#42;a&#42; &#95;b&#95;", "*a* _b_"),
        ("- a", "&#45; a", "- a"),
        ("1. a", "1&#46; a", "1. a"),
        ("1.", "1&#46;", "1."),
        ("2.15.0 is new", "2.15.0 is new", "2.15.0 is new"),
        ("a {: .b }", "a &#123;: .b &#125;", "a {: .b }"),
        ("&amp;", "&#38;amp;", "&amp;amp;"),
        ("# a", "&#35; a", "# a"),
    ],
)
def test_text_becomes(text: str, as_markdown: str, as_html: str) -> None:
    assert markup.markdown(text) == as_markdown
    assert markup.html(text) == as_html


@given(TEXTS)
@never_slow
def test_text_as_markdown_is_one_paragraph_of_itself(text: str) -> None:
    page = _rendered(markup.markdown(text))
    assert set(_elements(page)) <= {"p", "code"}
    assert _elements(page).count("p") <= 1
    assert _attributes(page) == []
    assert _text(page) == _without_backticks(text)


@given(TEXTS)
@never_slow
def test_text_as_html_is_itself(text: str) -> None:
    page = parsed("", f"<!doctype html><title>x</title><p>{markup.html(text)}</p>")
    assert set(_elements(page)) <= {"p", "code"}
    assert _attributes(page) == []
    assert page.errors == ()
    assert _text(page) == _without_backticks(text)


@given(TEXTS, st.sampled_from(["# {} {{#a}}", "- {}", "1. {}", "**Word:** {}", "- **Word:** {}."]))
@never_slow
def test_text_stays_where_a_template_puts_it(text: str, place: str) -> None:
    """In a heading, an item or behind a bold word it makes no other element than it would alone."""
    page, plain = _rendered(place.format(markup.markdown(text))), _rendered(place.format("word"))
    assert [name for name in _elements(page) if name != "code"] == _elements(plain) or not _without_backticks(text)
    assert _without_backticks(text) in _text(page)


@given(st.lists(TEXTS, max_size=5).map("\n".join))
@never_slow
def test_prose_is_paragraphs_and_lists_of_itself(text: str) -> None:
    text = _balanced(text)
    page = _rendered(markup.prose(text))
    assert set(_elements(page)) <= {"p", "ul", "li", "code"}
    assert _attributes(page) == []
    # What marks an item is the only thing that is not shown.
    shown, due = _text(page).replace(" ", ""), _without_backticks(text).replace(" ", "")
    assert shown.replace("-", "") == due.replace("-", "")


def test_prose_keeps_paragraphs_and_items_apart() -> None:
    page = _rendered(markup.prose("One\ngoes on.\n\nTwo:\n- a `b`\n  goes on\n- c\n\nThree."))
    assert _elements(page) == ["p", "p", "ul", "li", "code", "li", "p"]
    assert [node.text for node in page.all("p")] == ["One goes on.", "Two:", "Three."]
    assert [node.text for node in page.all("li")] == ["a b goes on", "c"]


CODES = st.lists(
    st.one_of(
        st.sampled_from([*_TRICKS, "```", "````", "~~~", "\t", '"""', "x = 1"]), st.text(_CHARACTERS, max_size=8)
    ),
    min_size=1,
    max_size=8,
).map(lambda parts: "\n".join(line.rstrip() for line in "".join(parts).split("\n")).strip("\n"))


@given(CODES.filter(bool), st.sampled_from(Language))
@never_slow
def test_code_is_kept_exactly(code: str, language: Language) -> None:
    page = _rendered(markup.fence(CodeExample.model_construct(language=language, code=code)))
    assert [node.text.rstrip("\n") for node in page.all("code")] == [code]
    assert set(_elements(page)) <= {"div", "pre", "code", "span"}


@given(LINES)
@never_slow
def test_text_in_front_matter_needs_no_more_escaping(text: str) -> None:
    page = parsed("", f'<!doctype html><title>{markup.metadata(text)}</title><p title="{markup.metadata(text)}">x</p>')
    assert " ".join(next(node.text for node in page.all("title")).split()) == _without_backticks(text)
    assert [list(node.attributes) for node in page.all("p")] == [["title"]]
    assert [node.attributes["title"] for node in page.all("p")] == [_without_backticks(text)]

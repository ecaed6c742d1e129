"""The house format changes how a file looks and never what it says."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from builders import BASE, DTYPE, ISSUE, LOADER, POLAR, REMOVAL, SOFTMAX, Values, changed, house_text
from hypothesis import given, settings
from hypothesis import strategies as st

from torchnotes.formatting import formatted
from torchnotes.model import feature_adapter
from torchnotes.reading import model_of, validate
from torchnotes.yaml_source import Document, dump, parse

MODEST = settings(max_examples=80, deadline=None, derandomize=True)
FEATURES = st.sampled_from([POLAR, LOADER, DTYPE, REMOVAL, SOFTMAX, ISSUE])
NASTY = [
    "no",
    "2.10",
    "2.15.0",
    "null",
    "~",
    "true",
    "1e3",
    "12:30",
    "2026-10-28",
    "- a",
    "# a",
    "a # b",
    "a: b",
    "`a: b`",
]
NASTY += [
    "'a'",
    '"a"',
    "it's",
    "{a}",
    "[a]",
    "*a",
    "&a",
    "!a",
    "%a",
    "@a",
    "|",
    ">",
    "?",
    "=",
    "\\n",
    "é × 日本 🔥",
    "a" * 150,
]
SENTENCES = st.sampled_from(NASTY) | st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp"], exclude_characters="`"), min_size=1, max_size=150
).filter(lambda text: text.strip(" .\u3000\xa0") == text and text.strip() == text)
BLOCKS = st.lists(
    SENTENCES | st.sampled_from(["", " indented", "\ttab", "trailing ", "---", "# x"]), min_size=1, max_size=6
)
PROSE = BLOCKS.map("\n".join).filter(lambda text: bool(text.strip()))


@st.composite
def features(draw: st.DrawFn) -> Values:
    """A valid record with nasty texts wherever a person writes one."""
    values = copy.deepcopy(BASE[draw(FEATURES)])
    values |= {"summary": draw(SENTENCES), "title": draw(SENTENCES)[:110].strip(" ."), "details": draw(PROSE)}
    values |= {
        name: draw(st.lists(SENTENCES, max_size=3, unique=True)) for name in ("symbols", "messages", "not_confirmed")
    }
    values["migration"]["before"] = {"language": "text", "code": draw(PROSE)}
    values["sources"][0]["says"] = draw(SENTENCES)
    return values


def document_of(text: str, path: str = POLAR) -> Document:
    document = parse(text.encode(), f"data/{path}")
    assert isinstance(document, Document), document
    return document


def mixed_up(value: Any) -> Any:
    """The same values with every key in reverse order."""
    if isinstance(value, dict):
        return {key: mixed_up(item) for key, item in reversed(value.items())}
    return [mixed_up(item) for item in value] if isinstance(value, list) else value


def keys_in(value: Any) -> Iterator[list[str]]:
    if isinstance(value, dict):
        yield list(value)
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from keys_in(item)


@given(features())
@MODEST
def test_formatting_keeps_every_value(values: Values) -> None:
    document = document_of(dump(values))
    assert document_of(formatted(document)).values == document.values


@given(features())
@MODEST
def test_formatting_twice_is_formatting_once(values: Values) -> None:
    once = formatted(document_of(dump(values)))
    assert formatted(document_of(once)) == once


@given(features())
@MODEST
def test_record_that_is_written_is_read_back_equal(values: Values) -> None:
    record = validate(document_of(dump(values)), model_of(POLAR))
    assert not isinstance(record, list), [str(problem) for problem in record]
    again = document_of(dump(record.model_dump(mode="json", by_alias=True)))
    assert feature_adapter().validate_python(again.values) == record


@given(features())
@MODEST
def test_lines_end_without_a_space_unless_the_text_does(values: Values) -> None:
    text = formatted(document_of(dump(values)))
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "\r" not in text


@pytest.mark.parametrize("path", BASE)
def test_order_of_keys_does_not_depend_on_how_they_were_written(path: str) -> None:
    assert house_text(path, mixed_up(BASE[path])) == house_text(path, BASE[path])


def test_keys_stand_in_the_order_of_the_model() -> None:
    keys = list(document_of(house_text(DTYPE, mixed_up(BASE[DTYPE]))).values)
    assert keys[:6] == ["title", "version", "kind", "areas", "hardware", "applies"]
    assert keys.index("migration") < keys.index("sources") < keys.index("related")


def test_unknown_keys_are_kept_at_the_end() -> None:
    assert list(document_of(house_text(POLAR, {"zzz": "1", **BASE[POLAR]})).values)[-1] == "zzz"


def test_comments_at_the_top_are_kept() -> None:
    text = "# Why this is so.\n" + house_text(POLAR, BASE[POLAR])
    assert formatted(document_of(text)) == text


@pytest.mark.parametrize(
    ("field", "value", "line"),
    [
        ("sources[0].number", "192281", "    number: 192281"),
        ("sources[0].number", "007", "    number: '007'"),
        ("migration.keep_old.until.version", "2.16", "      version: '2.16'"),
        ("performance[0].comparison.now", "20.50", "      now: 20.50"),
        ("version", "2.15.0", "version: 2.15.0"),
        ("settings", ["no"], "settings: ['no']"),
        ("settings", ["A=1"], "  - A=1"),
        ("settings", ["a: b"], "  - 'a: b'"),
    ],
)
def test_value_is_written_so_that_every_reader_takes_it_the_same_way(field: str, value: Any, line: str) -> None:
    path = POLAR if field.startswith("sources") else DTYPE
    text = house_text(path, changed(path, {field: value}))
    assert line in text.splitlines()
    assert document_of(text, path).values == document_of(dump(changed(path, {field: value}))).values


def test_code_and_paragraphs_are_written_as_blocks() -> None:
    text = house_text(DTYPE, changed(DTYPE, {"probe.code": "import torch\n\nprint(1)\n"}))
    assert "  code: |\n    import torch\n\n    print(1)\n" in text

"""Every fault of shape is told in our words, on its line."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from builders import BASE, DTYPE, POLAR, SOURCES, Values, changed
from hypothesis import given, settings
from pydantic import TypeAdapter
from strategies import broken_files

from torchnotes.messages import PATTERNS, nearest, offer
from torchnotes.model import Feature
from torchnotes.problem import Problem
from torchnotes.reading import SINGLES, model_of, validate
from torchnotes.yaml_source import Document, dump, parse

FOREIGN = re.compile(
    r"Input should|Field required|valid (string|dict|list|tuple|integer|number|boolean)|pydantic|validat|discriminator"
    r"|Extra inputs|<[A-Z]\w*\.|Kind\.|Action\.|NoneType|\['|\{'|type=|ctx|something else",
)
"""Wording of pydantic, and Python's way to show values."""


def problems_in(path: str, values: Values) -> list[Problem]:
    document = parse(dump(values).encode(), f"data/{path}")
    found = validate(document, model_of(path)) if isinstance(document, Document) else document
    return found if isinstance(found, list) else []


def line_of(path: str, field: str, value: Any) -> str:
    (problem,) = problems_in(path, changed(path, {field: value}))
    return str(problem).partition(": ")[2]


@given(broken_files())
@settings(max_examples=400, deadline=None, derandomize=True)
def test_broken_values_give_problems_in_our_words(broken: tuple[str, Values]) -> None:
    for problem in problems_in(*broken):
        shown = str(problem)
        assert not FOREIGN.search(f"{problem.what} {problem.fix}"), shown
        assert shown.isprintable(), shown
        assert problem.line >= 1, shown


def patterns_in(schema: Any) -> Iterator[str]:
    for key, value in schema.items() if isinstance(schema, dict) else enumerate(schema):
        if key == "pattern" and isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            yield from patterns_in(value)


def test_every_pattern_of_the_model_is_explained_and_no_other() -> None:
    models = [Feature, *{model_of(path) for path in BASE}, *(model for _, model in SINGLES.values())]
    schemas = [TypeAdapter(model).json_schema() for model in models]
    assert {pattern for schema in schemas for pattern in patterns_in(schema)} == set(PATTERNS)


@pytest.mark.parametrize(
    ("field", "value", "line"),
    [
        ("kind", "new feature", "kind: no such word: 'new feature'. Did you mean 'new-feature'? [unknown-word]"),
        ("title", ["a"], "title: a list where text is due. Noun phrase in sentence case, no full stop, code in backticks. [wrong-shape]"),
        ("areas", "fsdp", "areas: text where a list is due. Ids from `data/vocabulary/areas.yaml`; the record is filed under the first. [wrong-shape]"),
        ("migration", ["a"], "migration: a list where a group of `key: value` lines is due. The migration note. [wrong-shape]"),
        ("migration.visibility", ["loud"], "migration.visibility[0]: no such word: 'loud'. Use one of: error, warning, numerics, speed, memory, hang, install, none. [unknown-word]"),
        ("migration.keep_old.until", "2.16", "migration.keep_old.until: text where a group of `key: value` lines is due. The release in which the way back goes, with its basis; `never`; `stays` where it is to stay on a version, which does not go; or `unknown`. [wrong-shape]"),
        ("sources[0]", "article-2.15", "sources[0]: text where a group of `key: value` lines is due. Where the statements come from. [wrong-shape]"),
        ("evidence[0]", {"kind": "file"}, "evidence[0].proves: missing. `headline` when it shows what the summary says; else a short name of the statement that it shows. [missing-field]"),
    ],
)  # fmt: skip
def test_line_says_where_what_and_what_to_do(field: str, value: Any, line: str) -> None:
    problems = problems_in(DTYPE, changed(DTYPE, {field: value}))
    assert line in [str(problem).split(": ", 1)[1] for problem in problems]


def test_long_values_are_cut_in_the_line() -> None:
    assert len(line_of(POLAR, "kind", "x" * 5000)) < 400


def test_a_misspelt_field_is_not_missing_besides() -> None:
    assert [one.rule for one in problems_in(SOURCES, {"sorces": BASE[SOURCES]["sources"]})] == ["unknown-field"]


def test_without_a_kind_everything_else_is_checked_all_the_same() -> None:
    values = changed(DTYPE, {"kind": "?", "title": "", "change.of": "", "migration.steps": []})
    assert [one.field for one in problems_in(DTYPE, values)] == ["kind", "title", "migration.steps"]


def test_list_with_a_wrong_item_is_not_called_empty() -> None:
    assert line_of(POLAR, "areas", ["A"]).startswith("areas[0]: 'A' has the wrong form.")


@pytest.mark.parametrize(
    ("word", "known", "sentence"),
    [
        ("atention", ["attention", "fsdp"], "Did you mean 'attention'?"),
        ("x", ["attention", "fsdp"], "Use one of: attention, fsdp."),
        ("x", [f"word-{n}" for n in range(13)], "See the list."),
        ("x", [], "See the list."),
    ],
)
def test_unknown_word_gets_a_near_miss_or_the_words_or_their_place(word: str, known: list[str], sentence: str) -> None:
    assert offer(word, known, "the list") == sentence


def test_nearest_is_none_when_nothing_comes_near() -> None:
    assert nearest("fsdp", ["mps"]) is None

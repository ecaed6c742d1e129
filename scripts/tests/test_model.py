"""What must be there follows from the kind and the action; everything else is refused."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from builders import (
    ALL_SHAPES_OF_API,
    API,
    BASE,
    DTYPE,
    ISSUE,
    LOADER,
    NO_RECORD,
    POLAR,
    PROOFS,
    REMOVAL,
    REMOVED,
    SOFTMAX,
    Values,
    all_shapes_of_proofs,
    changed,
    located,
)
from pydantic import BaseModel, TypeAdapter, ValidationError

from torchnotes.model import FEATURE_KINDS, feature_adapter
from torchnotes.model.text import Record, Text, Title
from torchnotes.problem import Problem
from torchnotes.reading import model_of, validate
from torchnotes.terms import Kind
from torchnotes.yaml_source import Document, dump, parse


def read(path: str, values: Values) -> Any:
    """The record of a file, or its problems."""
    document = parse(dump(values).encode(), f"data/{path}")
    assert isinstance(document, Document), document
    return validate(document, model_of(path))


def records_in(record: Any, place: str = "") -> Iterator[tuple[BaseModel, str]]:
    """Every record that is written inside a record, with the field that holds it."""
    if isinstance(record, tuple):
        for index, item in enumerate(record):
            yield from records_in(item, f"{place}[{index}]")
    if isinstance(record, BaseModel):
        yield record, place
        for name in record.model_fields_set:
            key = type(record).model_fields[name].alias or name
            yield from records_in(getattr(record, name), f"{place}.{key}".removeprefix("."))


def required_fields() -> Iterator[tuple[str, str]]:
    """Every required field of every record of the base, nested ones too."""
    for path, values in BASE.items():
        for record, place in records_in(read(path, values)):
            for name, field in type(record).model_fields.items():
                if field.is_required():
                    yield path, f"{place}.{field.alias or name}".removeprefix(".")


REQUIRED = sorted(required_fields())
LONG_ENOUGH = [(path, field) for path, field in REQUIRED if len(field.rpartition(".")[2]) > 3]
"""Fields with a name of which a misspelling can be recognised."""


def subclasses(model: type[Record]) -> Iterator[type[Record]]:
    for one in model.__subclasses__():
        yield from subclasses(one) if one.__subclasses__() else [one]


@pytest.mark.parametrize(("path", "field"), REQUIRED)
def test_deleting_a_required_field_gives_one_problem_that_names_it(path: str, field: str) -> None:
    (problem,) = read(path, changed(path, {field: REMOVED}))
    assert (problem.field, problem.what, problem.rule) == (field, "missing", "missing-field")
    assert problem.fix


@pytest.mark.parametrize(("path", "field"), LONG_ENOUGH)
def test_renaming_a_required_field_gives_one_problem_that_names_both(path: str, field: str) -> None:
    """A misspelt field is misspelt, not missing besides."""
    values = changed(path, {f"{field}x": "something", field: REMOVED})
    (problem,) = read(path, values)
    last = str(located(field)[-1])
    assert f"'{last}'" in problem.fix
    assert f"{last}x" in str(problem)


def test_base_holds_every_shape() -> None:
    """So the walk over required fields walks over all of them."""
    elsewhere = {**BASE[ISSUE], "fixed": {"in": "elsewhere", "component": "Triton 3.8.1"}}
    reason = {NO_RECORD: {"no_record": [{"release": "2.15", "name": "torch.qr", "why": "Nobody calls it."}]}}
    written = {**BASE, PROOFS: all_shapes_of_proofs(), API: ALL_SHAPES_OF_API, **reason}
    written["features/2.15/mended.yaml"] = elsewhere
    found = {type(record) for path, values in written.items() for record, _ in records_in(read(path, values))}
    assert set(subclasses(Record)) - found == set()


def test_every_kind_belongs_to_one_shape() -> None:
    kinds = [kind for model in FEATURE_KINDS for kind in model.model_fields["kind"].annotation.__args__]  # type: ignore[union-attr]
    assert sorted(kinds) == sorted(Kind)


@pytest.mark.parametrize(
    ("kind", "due"),
    [
        ("new-feature", []),
        ("improvement", []),
        ("bug-fix", []),
        ("behavior-change", []),
        ("performance", ["performance"]),
        ("default-change", ["change"]),
        ("requirement", ["change"]),
        ("deprecation", ["goes_in"]),
        ("removal", ["replacement"]),
        ("known-issue", ["affects", "cause", "fixed", "confirmed"]),
    ],
)
def test_kind_decides_what_must_be_there(kind: str, due: list[str]) -> None:
    found = read(POLAR, changed(POLAR, {"kind": kind}))
    assert [one.field for one in found if isinstance(one, Problem)] == due


@pytest.mark.parametrize(
    ("action", "due"),
    [
        ("none", ["reason"]),
        ("optional", ["applies_when", "possible_from", "steps"]),
        ("required", ["applies_when", "possible_from", "required_by", "steps"]),
    ],
)
def test_action_decides_what_must_be_there(action: str, due: list[str]) -> None:
    note = {"action": action, "visibility": ["none"]}
    problems = read(POLAR, changed(POLAR, {"migration": note}))
    assert sorted(one.field for one in problems) == [f"migration.{name}" for name in due]


def test_steps_are_refused_where_nothing_is_to_be_done() -> None:
    (problem,) = read(SOFTMAX, changed(SOFTMAX, {"migration.steps": ["Change the call."]}))
    assert (problem.field, problem.rule) == ("migration.steps", "unknown-field")


@pytest.mark.parametrize(
    ("path", "field", "value"),
    [
        (DTYPE, "migration.keep_old.until", "never"),
        (DTYPE, "migration.keep_old.until", "unknown"),
        (LOADER, "goes_in", "unknown"),
        (REMOVAL, "replacement", None),
        (ISSUE, "fixed", None),
        (ISSUE, "cause", None),
        (ISSUE, "fixed.in", "2.15.0"),
        (POLAR, "sources[0].number", "12"),
        (DTYPE, "applies.python", ">=3.11,<3.16"),
        (POLAR, "summary", "Ends with a full stop and holds `code`, 'quotes' and 100 %."),
    ],
)
def test_value_is_accepted(path: str, field: str, value: Any) -> None:
    assert not isinstance(read(path, changed(path, {field: value})), list)


def test_shared_and_upstream_sources_are_told_apart() -> None:
    """By what they hold: half an upstream source is not taken for a shared one."""
    both = changed(DTYPE, {"sources[0].repo": "pytorch/pytorch"})
    assert [one.field for one in read(DTYPE, both)] == ["sources[0].repo"]


@pytest.mark.parametrize("path", BASE)
def test_authored_facts_are_frozen(path: str) -> None:
    for record, _ in records_in(read(path, BASE[path])):
        with pytest.raises(ValidationError, match="frozen"):
            setattr(record, next(iter(type(record).model_fields)), None)


@pytest.mark.parametrize("path", BASE)
def test_a_field_that_the_model_does_not_know_is_refused_at_every_depth(path: str) -> None:
    for _, place in records_in(read(path, BASE[path])):
        field = f"{place}.surely_unknown".removeprefix(".")
        assert [(one.field, one.rule) for one in read(path, changed(path, {field: "x"}))] == [(field, "unknown-field")]


def test_versions_stay_text() -> None:
    """2.10 is neither 2.1 nor a published version."""
    (problem,) = read(DTYPE, changed(DTYPE, {"migration.keep_old.until.version": "2.10", "version": "2.10"}))
    assert (problem.field, problem.what) == ("version", "'2.10' has the wrong form")


@pytest.mark.parametrize("text", ["1_000", "007", "12.0", " 12", "+12", "1e3", "１２", "9" * 5000])
def test_only_plain_digits_are_a_number(text: str) -> None:
    (problem,) = read(POLAR, changed(POLAR, {"sources[0].number": text}))
    assert problem.field == "sources[0].number"


@pytest.mark.parametrize("text", ["nan", "inf", "1e400", "1_0", "9" * 40, "-1", ""])
def test_only_plain_figures_are_compared(text: str) -> None:
    (problem,) = read(DTYPE, changed(DTYPE, {"performance[0].comparison.now": text}))
    assert problem.field == "performance[0].comparison.now"


def test_text_around_a_sentence_is_cut_off() -> None:
    assert TypeAdapter(Text).validate_python(" Two words.\n") == "Two words."


@pytest.mark.parametrize("text", ["", "a" * 111, "one\ntwo", "`a", "a.", "a\x00b", "a\u202eb", "a\ufeff"])
def test_title_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Title).validate_python(text)


def test_validation_leaves_the_values_alone() -> None:
    values = copy.deepcopy(BASE[DTYPE])
    feature_adapter().validate_python(values)
    assert values == BASE[DTYPE]

"""What pydantic says → what we say. The only place that words a fault of shape.

Refuses to check anything: it gets errors and the type they came from, and answers with problems.
"""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, Tag
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from torchnotes.problem import Problem
from torchnotes.yaml_source import Document, Location, written

# What a pattern asks for, in words, with an example. Keyed by the pattern itself, so a new one cannot be forgotten
# silently: a test compares this table with the patterns in the model.
PATTERNS: Mapping[str, str] = {
    r"^[a-z0-9]+(-[a-z0-9]+)*$": "Use lower-case words joined by hyphens, such as `nccl-default`.",
    r"^[0-9]+\.[0-9]+\.[0-9]+$": "Write a published version with three numbers, such as 2.15.0.",
    r"^[0-9]+\.[0-9]+$": "Write a release with two numbers, such as 2.15.",
    r"^([0-9]+\.[0-9]+\.[0-9]+|unknown|declined)$": (
        "Write a published version such as 2.15.0, or unknown, declined or elsewhere."
    ),
    r"^[A-Za-z0-9][A-Za-z0-9-]*/\.?[A-Za-z0-9_][A-Za-z0-9._-]*$": "Write owner/name, such as pytorch/pytorch.",
    r"^([a-z0-9]+([.-][a-z0-9]+)*|[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+#[1-9][0-9]*)$": (
        "Name a source: an id of data/sources.yaml, or owner/name#number."
    ),
    r"^https://[a-z0-9.-]+(/[A-Za-z0-9._~/%#?=&+-]*)?$": "Write an address that begins with https://.",
    r"^20[0-9]{2}-[0-9]{2}-[0-9]{2}$": "Write a day as year-month-day, such as 2026-10-28.",
    r"^[<>]=?[0-9]+(\.[0-9]+){0,2}(,[<>]=?[0-9]+(\.[0-9]+){0,2})?$": "Write one bound or two, such as '>=3.11,<3.16'.",
    r"^[A-Za-z_][A-Za-z0-9_]*$": "Write a name as Python allows it, such as reduce_dtype.",
    r"^(\*\.)?[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$": (
        "Write a dotted name such as torch.compile, or *.name for any object."
    ),
    r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$": "Write a name or a dotted name, such as Tensor.add.",
    r"^[a-z_0-9]+::[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)?$": "Write an operator such as aten::linalg_qr.out.",
    r"^[A-Za-z0-9_]+-[A-Za-z0-9_]+-[A-Za-z0-9_]+$": "Run `torchnotes verify`, which writes this file.",
    r"^[A-Za-z0-9_.+!-]+\.whl$": "Write the file name of a wheel, such as torch-2.15.0-cp312-cp312-win_amd64.whl.",
    r"^(sm|compute)_[0-9]+[a-z]?$": "Write an architecture such as sm_90.",
    r"^[0-9]+(\.[0-9]+){1,2}$": "Write a version such as 13.2.",
    r"^[A-Za-z0-9_{][A-Za-z0-9_./{}+-]*\.pyi?$": "Write the path of a .py or .pyi file inside the wheel.",
    r"^[0-9a-f]{16}$": "Run `torchnotes verify`, which writes this file.",
    r"^[a-z0-9.-]+$": "Write package, version and platform of a wheel, such as torch-2.15.0-macos-arm64.",
    r"^(probe|before|after|keep-old)$": "Run `torchnotes verify --run PYTHON`, which writes this.",
    r"^[0-9a-f]{64}$": "Write the 64 hexadecimal digits of a SHA-256.",
    r"^[0-9a-f]{40}$": "Write the 40 hexadecimal digits of a commit.",
    r"^[A-Za-z0-9_{][A-Za-z0-9_./{}+-]*$": "Write a path inside the wheel, such as torch/version.py.",
}

_SHAPES: Mapping[type, str] = {
    str: "text",
    list: "a list",
    dict: "a group of `key: value` lines",
    NoneType: "nothing",
    bool: "a truth value",
    int: "a number",
}


MOST_WORDS_LISTED = 12
"""A longer list is not read; then the message says where it stands."""
MOST_CHARACTERS_SHOWN = 60
"""Enough of a wrong value to recognise it."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that a person most likely meant, if any comes near."""
    found = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return found[0] if found else None


def offer(word: str, known: Iterable[str], where: str) -> str:
    """The sentence that helps somebody who wrote an unknown word: a near miss, the list, or where it stands."""
    words = list(known)
    if guess := nearest(word, words):
        return f"Did you mean '{guess}'?"
    if 0 < len(words) <= MOST_WORDS_LISTED:
        return f"Use one of: {', '.join(words)}."
    return f"See {where}."


def problems_of_shape(errors: Iterable[ErrorDetails], model: Any, document: Document) -> list[Problem]:
    """Every pydantic error as a problem with its line.

    ``model`` is the type that was validated: a model class or a discriminated union.
    """
    real = [error for error in errors if not _is_echo(error)]
    # A misspelt field is not missing as well.
    misspelt = {_meant(error, model) for error in real if error["type"] == "extra_forbidden"}
    kept = [one for one in real if not (one["type"] == "missing" and _resolve(one["loc"], model)[0] in misspelt)]
    return [_problem(error, model, document) for error in kept]


def _is_echo(error: ErrorDetails) -> bool:
    """Whether a list is called too short only because the items in it are wrong."""
    return error["type"] == "too_short" and len(error["input"]) >= error["ctx"]["min_length"]


def _meant(unknown: ErrorDetails, model: Any) -> Location | None:
    """The field that the author of an unknown one most likely meant."""
    location, info, _ = _resolve(unknown["loc"], model)
    guess = nearest(str(location[-1]), _field_names(info))
    return (*location[:-1], guess) if guess else None


def _field_names(info: FieldInfo | type[BaseModel] | None) -> list[str]:
    fields = info.model_fields if isinstance(info, type) else {}
    return [field.alias or name for name, field in fields.items()]


def _problem(error: ErrorDetails, model: Any, document: Document) -> Problem:
    location, info, annotation = _resolve(error["loc"], model)
    if error["type"] in {"union_tag_invalid", "union_tag_not_found"}:
        name = error["ctx"]["discriminator"].strip("'")
        location = (*location, name)
        what, fix, rule = _words_about_tag(error["input"], name, _tags(annotation, name))
    else:
        what, fix, rule = _words(error, location, info)
    return Problem(document.path, document.line(location), written(location), what, fix, rule)


def _tags(union: Any, name: str) -> list[str]:
    """Every word that the field ``name`` can be in the members of a union."""
    members = [_bare(member) for member in get_args(_bare(union))]
    return [str(word) for member in members for word in get_args(member.model_fields[name].annotation)]


def _words_about_tag(given: Mapping[str, Any], name: str, known: list[str]) -> tuple[str, str, str]:
    """Words about a missing or unknown ``kind`` or ``action``."""
    if name not in given:
        guess = nearest(name, given)
        fix = f"Rename '{guess}' to '{name}'." if guess else f"Use one of: {', '.join(known)}."
        return "missing", fix, "missing-field"
    return _no_such_word(given[name], known)


def _no_such_word(value: Any, known: list[str]) -> tuple[str, str, str]:
    if not isinstance(value, str):
        return f"{_shape(value)} where one word is due", f"Use one of: {', '.join(known)}.", "wrong-shape"
    if not value:
        return "empty", f"Use one of: {', '.join(known)}.", "empty"
    return f"no such word: {_shown(value)}", offer(value, known, "the contributing page"), "unknown-word"


def _words(error: ErrorDetails, location: Location, info: FieldInfo | type[BaseModel] | None) -> tuple[str, str, str]:
    context: dict[str, Any] = error.get("ctx") or {}
    value = error["input"]
    hint = _hint(info)
    match error["type"]:
        case "missing":
            return "missing", hint, "missing-field"
        case "extra_forbidden":
            fix = offer(str(location[-1]), _field_names(info), "docs/contributing.md")
            return "no such field here", fix, "unknown-field"
        case "enum" | "literal_error":
            return _no_such_word(value, re.findall("'([^']+)'", context["expected"]))
        case "string_pattern_mismatch" if not value:
            return "empty", hint, "empty"
        case "string_pattern_mismatch":
            return f"{_shown(value)} has the wrong form", PATTERNS[context["pattern"]], "wrong-form"
        case "too_short" | "string_too_short" | "blank":
            return "empty", hint, "empty"
        case "too_long" | "string_too_long":
            unit = "characters" if isinstance(value, str) else "items"
            return f"{len(value):,} {unit}, {context['max_length']:,} at most", "Shorten it.", "too-long"
        case "whole_number" | "figure" if value == "":
            return "empty", hint, "empty"
        case "whole_number" | "figure":
            shown = _shown(value) if isinstance(value, str) else _shape(value)
            due = "a whole number" if error["type"] == "whole_number" else "a number such as 21.7"
            return f"{shown} where {due} is due", hint, "wrong-shape"
        case "greater_than_equal":
            return f"{_shown(value)} is less than {context['ge']}", hint, "out-of-range"
        case "less_than_equal":
            return f"{_shown(value)} is more than {context['le']}", hint, "out-of-range"
        case "greater_than":
            return f"{_shown(value)} is not more than {context['gt']}", hint, "out-of-range"
        case "day" | "metadata" | "package_version":
            return f"{_shown(value)} {error['msg']}", _FIXES[error["type"]], _RULES[error["type"]]
        case (
            "hidden_character"
            | "backtick"
            | "one_line"
            | "full_stop"
            | "repeated"
            | "none_beside_others"
            | "line_pattern"
            | "any_platform"
        ):
            return error["msg"], _FIXES[error["type"]], _RULES[error["type"]]
    due = _DUE.get(error["type"], "something else")
    if due == "text" and isinstance(value, dict):
        hint = "Put the text in quotes: a colon and a space in it make YAML read a key."
    return f"{_shape(value)} where {due} is due", hint, "wrong-shape"


_DUE = {
    "string_type": "text",
    "text_not_boolean": "text",
    "tuple_type": "a list",
    "model_type": "a group of `key: value` lines",
    "model_attributes_type": "a group of `key: value` lines",
    "bool_type": "true or false",
}
_FIXES = {
    "hidden_character": "Remove it.",
    "backtick": "Close the `code`, or leave the backtick out.",
    "one_line": "Write one sentence; longer text goes into `details`.",
    "full_stop": "Leave it out.",
    "repeated": "Keep one.",
    "none_beside_others": "Leave `none` out.",
    "line_pattern": "Write a simple one: bounded repetition of single characters or sets, and no back references.",
    "metadata": "Run the command that the file names in its first line; it writes the file.",
    "package_version": "Write a stable version such as 0.29.2.",
    "any_platform": "Name the machines.",
    "day": "Write a day as year-month-day, such as 2026-10-28.",
}
_RULES = {
    "hidden_character": "hidden-character",
    "backtick": "backtick",
    "one_line": "one-line",
    "full_stop": "full-stop",
    "repeated": "repeated-item",
    "none_beside_others": "none-beside-others",
    "line_pattern": "line-pattern",
    "day": "wrong-form",
    "metadata": "wrong-form",
    "package_version": "wrong-form",
    "any_platform": "any-platform",
}


def _shape(value: Any) -> str:
    return next((name for kind, name in _SHAPES.items() if isinstance(value, kind)), "something else")


def _shown(value: Any) -> str:
    text = str(value)
    return f"'{text}'" if len(text) <= MOST_CHARACTERS_SHOWN else f"'{text[: MOST_CHARACTERS_SHOWN - 3]}...'"


def _hint(info: FieldInfo | type[BaseModel] | None) -> str:
    if isinstance(info, FieldInfo) and info.description:
        return " ".join(info.description.split())
    return ""


def _resolve(location: tuple[str | int, ...], model: Any) -> tuple[Location, FieldInfo | type[BaseModel] | None, Any]:
    """Walk the type along a pydantic location: drop union tags, and find the field there and its type."""
    kept: list[str | int] = []
    current: Any = model
    info: FieldInfo | type[BaseModel] | None = None
    for part in location:
        current = _bare(current)
        if _is_union(current):
            current = _member(current, str(part))
            continue
        if isinstance(part, int):
            current = get_args(current)[0] if get_args(current) else None
        elif isinstance(current, type) and issubclass(current, BaseModel):
            info = _field(current, part)
            owner = current
            current = _annotation(info)
            info = info or owner
        kept.append(part)
    return tuple(kept), info, current


def _field(model: type[BaseModel], name: str) -> FieldInfo | None:
    fields = model.model_fields
    return next((field for key, field in fields.items() if name in {key, field.alias}), None)


def _annotation(info: FieldInfo | None) -> Any:
    if info is None:
        return None
    return Annotated[info.annotation, *info.metadata] if info.metadata else info.annotation


def _bare(annotation: Any) -> Any:
    """Without ``Annotated`` and without ``| None``."""
    while True:
        if get_origin(annotation) is Annotated:
            annotation = get_args(annotation)[0]
        elif _is_union(annotation) and NoneType in get_args(annotation):
            rest = [arg for arg in get_args(annotation) if arg is not NoneType]
            if len(rest) != 1:
                return annotation
            annotation = rest[0]
        else:
            return annotation


def _is_union(annotation: Any) -> bool:
    return get_origin(annotation) in {Union, UnionType}


def _members(annotation: Any) -> Iterator[tuple[set[str], Any]]:
    for member in get_args(annotation):
        bare = _bare(member)
        tags = {mark.tag for mark in get_args(member)[1:] if isinstance(mark, Tag)}
        if isinstance(bare, type) and issubclass(bare, BaseModel):
            for field in bare.model_fields.values():
                if get_origin(field.annotation) is Literal:
                    tags |= {str(word) for word in get_args(field.annotation)}
        yield tags, bare


def _member(annotation: Any, tag: str) -> Any:
    return next((member for tags, member in _members(annotation) if tag in tags), None)

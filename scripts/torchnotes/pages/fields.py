"""The field table and the word lists of the contributing pages, from the model's own docstrings."""

import enum
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from torchnotes import terms
from torchnotes.model import FeatureBase
from torchnotes.model.shapes import models_in
from torchnotes.terms import Term


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One field of a shape."""

    name: str
    is_required: bool
    shape: str
    meaning: str


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """One shape with its own fields."""

    title: str
    meaning: str
    anchor: str
    rows: tuple[FieldRow, ...]


@dataclass(frozen=True, slots=True)
class TermGroup:
    """One closed vocabulary."""

    title: str
    meaning: str
    terms: tuple[Term, ...]


def field_groups(models: tuple[type[BaseModel], ...]) -> tuple[FieldGroup, ...]:
    """What every record says, what each kind adds, and the shapes inside: each shape once, in order of appearance."""
    base = FeatureBase
    groups = [_group(base, "Every record", "Fields of every feature file.", base.model_fields)]
    inner: list[type[BaseModel]] = _inside(base.model_fields)
    for model in models:
        own = {
            name: field
            for name, field in model.model_fields.items()
            if name != "kind" and (name not in base.model_fields or name in model.__annotations__)
        }
        if not own:
            continue
        kinds = ", ".join(f"`{kind}`" for kind in get_args(model.model_fields["kind"].annotation))
        groups.append(_group(model, f"Only {kinds}", _first_line(model), own))
        inner += _inside(own)
    seen: list[type[BaseModel]] = []
    while inner:
        model = inner.pop(0)
        if model not in seen:
            seen.append(model)
            inner += _inside(model.model_fields)
    groups += [_group(model, _title(model), _first_line(model), model.model_fields) for model in seen]
    return tuple(groups)


def term_groups() -> tuple[TermGroup, ...]:
    """Every closed vocabulary."""
    found = [one for one in vars(terms).values() if isinstance(one, enum.EnumType) and issubclass(one, Term)]
    return tuple(TermGroup(_title(one), _first_line(one), tuple(one)) for one in found if one is not Term)


def _group(model: type, title: str, meaning: str, fields: dict[str, FieldInfo]) -> FieldGroup:
    rows = tuple(
        FieldRow(
            field.alias or name,
            field.is_required(),
            _shape(field.annotation),
            " ".join((field.description or "").split()),
        )
        for name, field in fields.items()
    )
    return FieldGroup(title, meaning, model.__name__.lower(), rows)


def _first_line(model: type) -> str:
    return (model.__doc__ or "").strip().split("\n")[0]


def _title(model: type) -> str:
    words = "".join(f" {letter}" if letter.isupper() else letter for letter in model.__name__).strip()
    return words.capitalize()


def _bare(annotation: Any) -> tuple[Any, ...]:
    """The alternatives of a type, without ``Annotated``."""
    if get_origin(annotation) is Annotated:
        return _bare(get_args(annotation)[0])
    if get_origin(annotation) in {Union, UnionType}:
        return tuple(part for arg in get_args(annotation) for part in _bare(arg))
    return (annotation,)


def _shape(annotation: Any) -> str:
    parts = []
    for one in _bare(annotation):
        if one in (None, NoneType):
            parts.append("null")
        elif get_origin(one) is tuple:
            parts.append(f"list of {_shape(get_args(one)[0])}")
        elif get_origin(one) is Literal:
            parts += [f"`{word}`" for word in get_args(one)]
        elif isinstance(one, type) and issubclass(one, BaseModel | Term):
            parts.append(_title(one).lower())
        else:
            parts.append({str: "text", int: "number", bool: "true or false"}.get(one, "number"))
    return " or ".join(dict.fromkeys(parts))


def _inside(fields: dict[str, FieldInfo]) -> list[type[BaseModel]]:
    return [model for field in fields.values() for model in models_in(field.annotation)]

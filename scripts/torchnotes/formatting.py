"""The house format of data files: key order of the model, wrapping, one style of lists.

Rewrites layout only. Refuses a file whose comments it would lose.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, get_args

from pydantic import BaseModel

from torchnotes.model.shapes import models_in
from torchnotes.reading import model_of
from torchnotes.yaml_source import Document, Number, dump, heading_of


def formatted(document: Document) -> str:
    """The same values as text in the house format. ``document.path`` must begin with ``data/``."""
    model = model_of(document.path.removeprefix("data/"))
    return dump(_ordered(document.values, (model,)), heading_of(document.text))


def _takes_number(annotation: Any) -> bool:
    return annotation in (int, Decimal) or any(map(_takes_number, get_args(annotation)))


def _ordered(value: Any, annotations: tuple[Any, ...]) -> Any:
    models = tuple(model for annotation in annotations for model in models_in(annotation))
    if isinstance(value, list):
        return [_ordered(item, models or annotations) for item in value]
    if not isinstance(value, Mapping):
        numeric = isinstance(value, str) and re.fullmatch(r"(0|[1-9][0-9]*)(\.[0-9]+)?", value)
        return Number(value) if numeric and any(map(_takes_number, annotations)) else value
    order: dict[str, list[Any]] = {}
    for model in models:
        for name, field in model.model_fields.items():
            order.setdefault(field.alias or name, []).append(field.annotation)
    keys = [key for key in _merged(models) if key in value] + [key for key in value if key not in order]
    return {key: _ordered(value[key], tuple(order.get(key, ()))) for key in keys}


def _merged(models: tuple[type[BaseModel], ...]) -> list[str]:
    """One order for the fields of several models: each new field stands after the field before it in its model."""
    merged: list[str] = []
    for model in models:
        place = 0
        opening = getattr(model, "own_fields_after", "")
        own = [name for name in model.model_fields if opening and name not in _inherited(model)]
        for name, field in model.model_fields.items():
            key = field.alias or name
            if key in merged:
                place = merged.index(key) + 1
            else:
                place = merged.index(opening) + 1 if own and name == own[0] else place
                merged.insert(place, key)
                place += 1
    last = [key for model in models for key in getattr(model, "written_last", ())]
    return [key for key in merged if key not in last] + list(dict.fromkeys(last))


def _inherited(model: type[BaseModel]) -> set[str]:
    return {name for base in model.__mro__[1:] if issubclass(base, BaseModel) for name in base.model_fields}

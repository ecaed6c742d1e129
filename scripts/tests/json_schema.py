"""A small reader of JSON Schema: enough for what our model writes, and an error for what it does not know.

A whole validator is a dependency of seven packages; this is the part that one file needs.
"""

import re
from collections.abc import Iterator
from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "integer": (int,),
    "number": (int, float),
}
_SAY_NOTHING = {"title", "description", "default", "$schema", "$defs", "discriminator"}


def schema_faults(value: Any, schema: dict[str, Any], root: dict[str, Any] | None = None, at: str = "$") -> list[str]:
    """Everything in ``value`` that ``schema`` does not allow."""
    return list(_faults(value, schema, root if root is not None else schema, at))


def _faults(value: Any, schema: dict[str, Any], root: dict[str, Any], at: str) -> Iterator[str]:
    for keyword, rule in schema.items():
        match keyword:
            case "$ref":
                target: Any = root
                for part in rule.removeprefix("#/").split("/"):
                    target = target[part]
                yield from _faults(value, target, root, at)
            case "type":
                is_wrong_boolean = isinstance(value, bool) and rule in {"integer", "number"}
                if not isinstance(value, _TYPES[rule]) or is_wrong_boolean:
                    yield f"{at}: {value!r} is not of type {rule}"
            case "const":
                if value != rule:
                    yield f"{at}: {value!r} is not {rule!r}"
            case "enum":
                if value not in rule:
                    yield f"{at}: {value!r} is none of {rule}"
            case "anyOf" | "oneOf":
                each = [list(_faults(value, one, root, at)) for one in rule]
                fitting = sum(not found for found in each)
                if fitting == 0 or (keyword == "oneOf" and fitting > 1):
                    yield f"{at}: fits {fitting} of {len(rule)} shapes: {min(each, key=len)[:2]}"
            case "properties" | "required" | "additionalProperties" if isinstance(value, dict):
                yield from _object_faults(value, keyword, schema, root, at)
            case "items" if isinstance(value, list):
                for number, item in enumerate(value):
                    yield from _faults(item, rule, root, f"{at}[{number}]")
            case "minItems" | "maxItems" if isinstance(value, list):
                if (len(value) < rule) if keyword == "minItems" else (len(value) > rule):
                    yield f"{at}: {len(value)} items ({keyword} {rule})"
            case "minLength" | "maxLength" if isinstance(value, str):
                if (len(value) < rule) if keyword == "minLength" else (len(value) > rule):
                    yield f"{at}: {len(value)} characters ({keyword} {rule})"
            case "pattern" if isinstance(value, str):
                if not re.search(rule, value):
                    yield f"{at}: {value!r} does not match {rule}"
            case "minimum" | "exclusiveMinimum" | "maximum" if isinstance(value, int | float):
                good = {"minimum": value >= rule, "exclusiveMinimum": value > rule, "maximum": value <= rule}
                if not good[keyword]:
                    yield f"{at}: {value} ({keyword} {rule})"
            case (
                "properties"
                | "required"
                | "additionalProperties"
                | "items"
                | "minItems"
                | "maxItems"
                | "minLength"
                | "maxLength"
                | "pattern"
                | "minimum"
                | "exclusiveMinimum"
                | "maximum"
            ):
                pass  # says nothing about a value of another type
            case _:
                if keyword not in _SAY_NOTHING:
                    raise NotImplementedError(f"{at}: the keyword {keyword}")


def _object_faults(
    value: dict[str, Any], keyword: str, schema: dict[str, Any], root: dict[str, Any], at: str
) -> Iterator[str]:
    rule = schema[keyword]
    if keyword == "required":
        yield from (f"{at}: {name} is missing" for name in rule if name not in value)
    elif keyword == "properties":
        for name, shape in rule.items():
            if name in value:
                yield from _faults(value[name], shape, root, f"{at}.{name}")
    elif rule is False:
        known = schema.get("properties", {})
        yield from (f"{at}: {name} is not known" for name in value if name not in known)
    elif isinstance(rule, dict):
        raise NotImplementedError(f"{at}: additionalProperties with a shape")

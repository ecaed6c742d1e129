"""Named types of text, so that a field is one line and its rule has one home.

Text is plain, with `code` between backticks; nothing else is markup. So every page can show it safely.
"""

import re
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, ClassVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    StringConstraints,
)
from pydantic_core import PydanticCustomError


class Record(BaseModel):
    """Base of every authored shape: frozen, and nothing that it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    written_last: ClassVar[tuple[str, ...]] = ()
    """Fields that the house format puts at the end, where inheritance would put them first."""
    own_fields_after: ClassVar[str] = ""
    """Field after which the house format puts those that a subclass adds, where inheritance would put them last."""


# Controls, marks that make text read in another order than it is stored, blanks that look like nothing, and code
# points that stand for no character.
HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\u2800\u3164"
    "\ufdd0-\ufdef\ufeff\uffa0\ufffe\uffff\U000e0000-\U000e007f]"
)


def _visible(text: str) -> str:
    if found := HIDDEN.search(text):
        code = f"U+{ord(found.group()):04X}"
        raise PydanticCustomError("hidden_character", "holds the invisible character {code}", {"code": code})
    if not text.strip():
        raise PydanticCustomError("blank", "is blank")
    return text


def _balanced(text: str) -> str:
    if text.count("`") % 2:
        raise PydanticCustomError("backtick", "has a backtick without its partner")
    if not text.replace("`", "").strip():
        raise PydanticCustomError("blank", "is blank")
    return text


def _one_line(text: str) -> str:
    if "\n" in text.strip():
        raise PydanticCustomError("one_line", "runs over a blank line or a line break")
    return text.strip()


def _no_full_stop(text: str) -> str:
    if text.endswith("."):
        raise PydanticCustomError("full_stop", "ends with a full stop")
    return text


def _unique(items: tuple[Any, ...]) -> tuple[Any, ...]:
    for index, item in enumerate(items):
        if item in items[:index]:
            raise PydanticCustomError("repeated", "holds '{item}' twice", {"item": str(item)})
    return items


def not_a_number(value: Any) -> Any:
    """Refuse a truth value where YAML was meant to hold text."""
    if isinstance(value, bool):
        raise PydanticCustomError("text_not_boolean", "is a truth value where text is due")
    return value


def _whole_number(value: Any) -> Any:
    # Not what pydantic takes besides: 1_000, 007, 12.0, true.
    if isinstance(value, bool) or not re.fullmatch("(0|[1-9][0-9]{0,11})", str(value)):
        raise PydanticCustomError("whole_number", "is not a whole number")
    return value


def _figure(value: Any) -> Any:
    if isinstance(value, bool) or not re.fullmatch(r"(0|[1-9][0-9]{0,11})(\.[0-9]{1,6})?", str(value)):
        raise PydanticCustomError("figure", "is not a number")
    return value


def _real_day(text: str) -> str:
    try:
        date.fromisoformat(text)
    except ValueError:
        raise PydanticCustomError("day", "is not in the calendar") from None
    return text


# Constraints stand next to `str`: so the JSON Schema has them too.
_Plain = Annotated[str, StringConstraints(min_length=1), BeforeValidator(not_a_number), AfterValidator(_visible)]

Title = Annotated[
    _Plain,
    StringConstraints(max_length=110),
    AfterValidator(_one_line),
    AfterValidator(_balanced),
    AfterValidator(_no_full_stop),
]
Text = Annotated[_Plain, StringConstraints(max_length=700), AfterValidator(_one_line), AfterValidator(_balanced)]
Prose = Annotated[_Plain, StringConstraints(max_length=1_600), AfterValidator(_balanced)]
"""Paragraphs between blank lines, and lists of lines that begin with ``- ``."""
Code = Annotated[_Plain, StringConstraints(max_length=3_000)]
Verbatim = Annotated[_Plain, StringConstraints(max_length=400), AfterValidator(_one_line)]
"""Text to be found as it stands: a message, a needle, a name. A backtick in it is a backtick."""

unique = AfterValidator(_unique)
"""For a list in which nothing may stand twice."""

Id = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60), BeforeValidator(not_a_number)]
VersionText = Annotated[str, Field(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+$", max_length=20), BeforeValidator(not_a_number)]
ReleaseText = Annotated[str, Field(pattern=r"^[0-9]+\.[0-9]+$", max_length=20), BeforeValidator(not_a_number)]
Bounds = Annotated[
    str,
    Field(pattern=r"^[<>]=?[0-9]+(\.[0-9]+){0,2}(,[<>]=?[0-9]+(\.[0-9]+){0,2})?$", max_length=40),
    BeforeValidator(not_a_number),
]
"""One bound or two, such as ``>=3.11,<3.16``: of the version specifiers, what a browser can compare by numbers."""
Identifier = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=100), BeforeValidator(not_a_number)]
DottedName = Annotated[
    str,
    Field(pattern=r"^(\*\.)?[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$", max_length=200),
    BeforeValidator(not_a_number),
]
Repository = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]*/\.?[A-Za-z0-9_][A-Za-z0-9._-]*$", max_length=100)]
SourceRef = Annotated[
    str,
    Field(pattern=r"^([a-z0-9]+([.-][a-z0-9]+)*|[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+#[1-9][0-9]*)$"),
    BeforeValidator(not_a_number),
]
"""A source named from elsewhere in the file: an id of ``data/sources.yaml``, or ``owner/name#number``."""
WebAddress = Annotated[str, Field(pattern=r"^https://[a-z0-9.-]+(/[A-Za-z0-9._~/%#?=&+-]*)?$", max_length=300)]
Day = Annotated[
    str,
    Field(pattern=r"^20[0-9]{2}-[0-9]{2}-[0-9]{2}$"),
    BeforeValidator(not_a_number),
    AfterValidator(_real_day),
]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
whole_number = BeforeValidator(_whole_number)
"""Digits only. It stands last in `Annotated`, so that the JSON Schema keeps the bounds before it."""
Figure = Annotated[
    Decimal,
    Field(gt=0),
    BeforeValidator(_figure),
    PlainSerializer(float, return_type=float, when_used="json"),
]

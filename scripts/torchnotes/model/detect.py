"""How the code that a migration note concerns looks: what `torchnotes scan` finds it by.

Says what to look for, as data. Refuses to look: that is for ``detection``. Precision matters more than recall, so
each entry says what it cannot see, and carries examples that a check holds it to.
"""

import re
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, StrictBool
from pydantic_core import PydanticCustomError

from torchnotes.model.text import Code, DottedName, Identifier, Record, Text, Verbatim, unique, whole_number
from torchnotes.terms import FileSort, Match, Sure

ANY_OBJECT = "*."
"""Begins a name that is looked for on whatever object."""
MOST_TRIES = 2_000
"""Ways in which the repetitions of a pattern can share a line: so few that no line takes a visible time."""
_REPEATED = re.compile(r"\{([0-9]{1,3}),([0-9]{1,3})\}")
_SET = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]")


def why_not_a_pattern(pattern: str) -> str:
    """Why a regular expression cannot be used on the files of strangers; empty when it can.

    Without unbounded repetition, repeated groups and back references its time is bounded by ``MOST_TRIES`` a place.
    """
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return "is not a regular expression"
    bare = _SET.sub("x", re.sub(r"\\[^0-9]", "x", pattern))
    if re.search(r"\(\?[a-zA-Z-]+[:)]", bare):
        return "sets flags"
    if re.search(r"\\[0-9]|\(\?P=|\(\?\(", bare):
        return "refers back to what it matched"
    tries = 1
    for least, most in _REPEATED.findall(bare):
        tries *= max(int(most) - int(least) + 1, 1)
    once = re.sub(r"\{[0-9]{1,3}\}", "", _REPEATED.sub("", bare))
    tries *= 2 ** (once.count("|") + len(re.findall(r"[^(]\?", once)))
    if re.search(r"[*+]|\{[0-9]*,?[0-9]*\}", once):
        return "repeats something without a bound such as {0,9}"
    if re.search(r"\)\{", bare):
        return "repeats a group"
    if tries > MOST_TRIES:
        return "can match one line in too many ways"
    return ""


def _usable(pattern: str) -> str:
    if reason := why_not_a_pattern(pattern):
        raise PydanticCustomError("line_pattern", "{reason}", {"reason": reason})
    return pattern


LinePattern = Annotated[Verbatim, Field(max_length=200), AfterValidator(_usable)]


class DetectExample(Record):
    """A piece of a file in which something is found, or is not."""

    file: Annotated[Verbatim, Field(max_length=60)] = "example.py"
    """Name of the file: it decides how the code is read. Python where it is left out."""
    code: Code
    """What stands in the file."""


class DetectExamples(Record):
    """What the entry finds, and what looks like it and is not found."""

    found: Annotated[tuple[DetectExample, ...], Field(min_length=1)]
    """Code in which it finds something."""
    not_found: Annotated[tuple[DetectExample, ...], Field(min_length=1)]
    """Code that comes near, in which it finds nothing."""


class Argument(Record):
    """An argument of a call."""

    keyword: Identifier
    """Its name."""
    position: Annotated[int, Field(ge=1, le=50), whole_number] | None = None
    """Its place when it is passed without its name, counted from 1; left out when it cannot be."""


class Detect(Record):
    """What every entry says."""

    written_last: ClassVar[tuple[str, ...]] = ("explains", "do", "misses", "sure", "examples")

    match: Match
    """What sort of thing is looked for."""
    explains: Text
    """What was found, in one sentence that says why it matters."""
    do: Text | None = None
    """What to do there, where the first step of the note is not what this asks for."""
    misses: Text
    """What it cannot see, in one sentence."""
    sure: Sure
    """`'yes'` (in quotes) when whatever is found is concerned; `maybe` when a person must look."""
    examples: DetectExamples
    """Code in which it finds something, and code in which it does not: a check holds it to both."""


class _Named(Detect):
    name: DottedName
    """Full dotted name, found however it was imported; `*.name` for that attribute of any object."""
    other_names: Annotated[tuple[DottedName, ...], unique] = ()
    """Other dotted names of the same thing, such as the private module that defines it."""
    beside: DottedName | None = None
    """Only in files that import this module, or something below it."""


class DetectCall(_Named):
    """A call."""

    match: Literal[Match.CALL]
    """`call`."""
    least_positional: Annotated[int, Field(ge=1, le=50), whole_number] | None = None
    """Only calls with at least so many arguments that are passed without their names."""
    without: Annotated[tuple[Argument, ...], unique] = ()
    """Only calls that pass none of these arguments; a null counts as not passed."""


class DetectKeyword(_Named):
    """An argument that a call passes."""

    match: Literal[Match.KEYWORD]
    """`keyword`."""
    keyword: Identifier
    """Name of the argument; a null counts as not passed."""
    position: Annotated[int, Field(ge=1, le=50), whole_number] | None = None
    """Its place when it is passed without its name, counted from 1; left out when only the name counts."""
    values: Annotated[tuple[Verbatim, ...], unique] = ()
    """Only when the code itself shows one of these texts as its value."""
    value_is_hidden: StrictBool = False
    """`true`: only when the code does not show the value, because it is a variable or the result of a call."""
    without: Annotated[tuple[Argument, ...], unique] = ()
    """Only calls that pass none of these arguments; a null counts as not passed."""


class DetectAttribute(_Named):
    """A name that is used, called or not."""

    match: Literal[Match.ATTRIBUTE]
    """`attribute`."""
    within: Annotated[tuple[DottedName, ...], unique] = ()
    """Only as an argument of a call of one of these, such as `isinstance`."""


class DetectImport(Detect):
    """An import."""

    match: Literal[Match.IMPORT]
    """`import`."""
    name: DottedName
    """Full dotted name of what is imported: that, and everything below it."""


class DetectSetting(Detect):
    """An environment variable or a config flag."""

    match: Literal[Match.SETTING]
    """`setting`."""
    name: DottedName
    """An environment variable, in Python and as a word in other files; or a dotted config flag, in Python only."""
    values: Annotated[tuple[Verbatim, ...], unique] = ()
    """Only when it is set to one of these, as far as the place itself shows it."""


class DetectLine(Detect):
    """A line of a file, read without its syntax: for what is not Python, or stands in a piece of text."""

    match: Literal[Match.LINE]
    """`line`."""
    pattern: LinePattern
    """A regular expression for a piece of one line. Repetition needs a bound such as `{0,9}`, and groups none at all."""
    files: Annotated[tuple[FileSort, ...], Field(min_length=1), unique]
    """Sorts of files that are read."""


AnyDetect = Annotated[
    DetectCall | DetectKeyword | DetectAttribute | DetectImport | DetectSetting | DetectLine,
    Field(discriminator="match"),
]

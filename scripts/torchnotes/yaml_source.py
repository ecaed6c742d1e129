"""Text of a YAML file → plain values and the line of each; and plain values → text in the house format.

A narrow dialect on purpose: every scalar is text, except ``true``, ``false`` and ``null``. So ``2.10`` stays
``2.10`` and ``no`` is a question to the author, not ``False``. Anchors, tags, duplicate keys, several documents,
deep nesting and large files are refused. The only module that imports yaml; it knows no field of any record.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from torchnotes.problem import Problem

Location: TypeAlias = tuple[str | int, ...]
Value: TypeAlias = "str | bool | list[Value] | dict[str, Value] | None"

MAX_BYTES = 1_000_000
"""Larger than any file a person maintains by hand; keeps a mistake from eating the machine's memory."""
MAX_DEPTH = 16
"""The deepest field of a record sits at depth 6."""
_TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep"
WIDTH = 110
"""Column at which ``dump`` wraps text."""

_NULLS = {"", "~", "null", "Null", "NULL"}
_BOOLEANS = {"true": True, "false": False}
_ALMOST_BOOLEANS = {
    form
    for word in ("true", "false", "yes", "no", "on", "off", "y", "n")
    for form in (word, word.capitalize(), word.upper())
} - set(_BOOLEANS)

# YAML counts these as line ends, editors do not: line numbers would be wrong.
_OTHER_BREAKS = re.compile("[\x85\u2028\u2029]")
# Escapes such as "\\ud83d" make text that cannot be written to any file.
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")

# What libyaml-style errors mean for the person who made them: (part of its message, what, fix).
_SYNTAX = (
    ("found unexpected end of stream", "a quote opened here is never closed", "Close it on the same line."),
    (
        "mapping values are not allowed here",
        "a colon followed by a space inside unquoted text",
        "Put the whole text in quotes, or check the indentation.",
    ),
    ("found character '\\t'", "a tab", "Indent with spaces."),
    ("found character '%'", "text that begins with %", "Put it in quotes."),
    ("found character '@'", "text that begins with @", "Put it in quotes."),
    ("found character '`'", "text that begins with a backtick", "Put the whole text in quotes."),
    ("could not find expected ':'", "a line without a colon", "Write `key: value`, or indent continued text."),
    (
        "did not find expected '-' indicator",
        "a line that does not line up with the list above it",
        "Check its indentation and that it starts with `- `.",
    ),
    (
        "expected <block end>, but found '<scalar>'",
        "text after a closing quote, or a line that does not fit the lines above it",
        "Write '' for an apostrophe inside single quotes; check the indentation.",
    ),
    ("expected <block end>", "a line that does not fit the lines above it", "Check indentation and quotes."),
    ("did not find expected key", "a line that does not fit the lines above it", "Check indentation and quotes."),
    ("expected ',' or ']'", "a list opened with [ is not closed", "Close it with ]."),
    ("expected ',' or '}'", "a mapping opened with { is not closed", "Close it with }."),
    ("expected alphabetic or numeric character", "text that begins with * or &", "Put it in quotes."),
    ("expected chomping or indentation", "text on the line of | or >", "Begin the text on the next line."),
    ("sequence entries are not allowed here", "a list that begins beside its key", "Begin it on the next line."),
    ("expected the node content", "a bracket, brace or comma where a value is due", "Put text in quotes."),
    ("invalid Unicode character escape", "half of a character", "Write the character itself."),
    ("unknown escape character", "a backslash that begins no known escape", "Use single quotes, or double it."),
    ("special characters are not allowed", "a control character", "Remove it."),
    ("unacceptable character", "a control character", "Remove it."),
)


@dataclass(frozen=True, slots=True)
class Document:
    """One parsed file."""

    path: str
    values: dict[str, Value]
    lines: Mapping[Location, int] = field(repr=False)
    """1-based line of every key and list item."""
    text: str = field(repr=False)
    """The file as read, with line ends normalised and without a byte order mark."""

    def line(self, location: Location) -> int:
        """Line of a field, or of its nearest parent that is in the file."""
        for length in range(len(location), 0, -1):
            if (found := self.lines.get(location[:length])) is not None:
                return found
        return 1


def written(location: Location) -> str:
    """A location as one writes it: ``("steps", 1, "code")`` → ``steps[1].code``."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return "".join(parts).removeprefix(".")


def read_document(path: Path, shown: str) -> Document | list[Problem]:
    """Read one file. ``shown`` is the path that problems name."""
    if path.suffix != ".yaml":
        what = f"'{path.name}' does not end in .yaml"
        return [Problem(shown, 1, "", what, "Rename it, or move it out of data/.", "file-name")]
    try:
        if not path.is_file() and path.exists():
            return [Problem(shown, 1, "", "not an ordinary file", "Remove it.", "unreadable")]
        if path.stat().st_size > MAX_BYTES:
            return [Problem(shown, 1, "", f"larger than {MAX_BYTES:,} bytes", "Split it.", "file-size")]
        data = path.read_bytes()
    except OSError as error:
        return [Problem(shown, 1, "", f"cannot be read ({error.strerror})", "Check the file.", "unreadable")]
    return parse(data, shown)


def parse(data: bytes, shown: str) -> Document | list[Problem]:
    """Bytes of a file → its values, or everything that is wrong with them as YAML."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        what = f"byte 0x{data[error.start]:02x} is not UTF-8 text"
        return [Problem(shown, line, "", what, "Save the file as UTF-8.", "not-utf-8")]
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if found := _OTHER_BREAKS.search(text):
        line = text.count("\n", 0, found.start()) + 1
        what = f"the invisible line break U+{ord(found.group()):04X}"
        return [Problem(shown, line, "", what, "Remove it.", "hidden-character")]
    if not text.strip():
        return [Problem(shown, 1, "", "the file is empty", "Write the record, or delete the file.", "empty-file")]
    if marker := re.search(r"^(<<<<<<<|>>>>>>>) ", text, re.MULTILINE):
        line = text.count("\n", 0, marker.start()) + 1
        what = "a merge conflict that nobody has settled"
        return [Problem(shown, line, "", what, "Keep one side, and delete the three marker lines.", "merge-conflict")]
    builder = _Builder(shown)
    try:
        values = builder.build(text)
    except yaml.YAMLError as error:
        return [_syntax_problem(error, text, shown)]
    if builder.problems:
        return builder.problems
    if not isinstance(values, dict):
        what = "the file is not made of `key: value` lines"
        return [Problem(shown, 1, "", what, "Start with a key at the left margin.", "not-a-mapping")]
    return Document(shown, values, builder.lines, text)


class _Stop(Exception):  # noqa: N818  (not an error: nothing after this point can be understood)
    pass


class _Builder:
    """Turns the parser's events into values, collecting problems on the way."""

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self.lines: dict[Location, int] = {}
        self.problems: list[Problem] = []

    def build(self, text: str) -> Value:
        # Not yaml.compose: it recurses without a limit and lets anchors multiply.
        events = iter(yaml.parse(text, Loader=_PARSER))
        try:
            next(events)  # stream start
            if isinstance(next(events), yaml.StreamEndEvent):
                self._complain("the file holds only comments", "Write the record, or delete the file.", "empty-file", 1)
                return None
            values = self._value(next(events), events, ())
            next(events)  # document end
            after: Any = next(events)
            if not isinstance(after, yaml.StreamEndEvent):
                line = after.start_mark.line + 1
                self._complain("a second document begins", "Keep one record per file.", "several-documents", line)
        except _Stop:
            return None
        return values

    def _complain(self, what: str, fix: str, rule: str, line: int, at: Location = ()) -> None:
        self.problems.append(Problem(self.shown, line, written(at), what, fix, rule))

    def _value(self, event: Any, events: Iterator[Any], at: Location) -> Value:
        line = event.start_mark.line + 1
        self.lines.setdefault(at, line)
        if len(at) > MAX_DEPTH:
            self._complain(_TOO_DEEP, "Flatten it.", "too-deep", line)
            raise _Stop
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            fix = "Write the value out, or quote text that begins with one."
            self._complain("anchors (&) and aliases (*) are not allowed", fix, "anchor", line, at)
            raise _Stop
        tag = getattr(event, "tag", None)
        if tag:
            shown = tag.replace("tag:yaml.org,2002:", "!!")
            fix = "Write plain text, in quotes if it begins with an exclamation mark."
            self._complain(f"tags like {shown} are not allowed", fix, "tag", line, at)
        if isinstance(event, yaml.ScalarEvent):
            self._refuse_half_characters(event.value, line, at)
            return self._scalar(event, line, at)
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Value] = []
            while not isinstance(item := next(events), yaml.SequenceEndEvent):
                items.append(self._value(item, events, (*at, len(items))))
            return items
        return self._mapping(events, at)

    def _mapping(self, events: Iterator[Any], at: Location) -> dict[str, Value]:
        values: dict[str, Value] = {}
        while not isinstance(key := next(events), yaml.MappingEndEvent):
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarEvent):
                self._complain("a key that is not plain text", "Write `key: value`.", "bad-key", line, at)
                raise _Stop
            name = key.value
            self._refuse_half_characters(name, line, at)
            value = self._value(next(events), events, (*at, name))
            if name in values:
                first = self.lines[(*at, name)]
                what = f"the key is there twice (first on line {first})"
                self._complain(what, "Keep one of them.", "duplicate-key", line, (*at, name))
            else:
                # The line of a field is the line of its key, not of a value that begins below it.
                self.lines[(*at, name)] = line
            values[name] = value
        return values

    def _refuse_half_characters(self, text: str, line: int, at: Location) -> None:
        if _HALF_CHARACTER.search(text):
            self._complain("half of a character", "Write the character itself.", "yaml-syntax", line, at)

    def _scalar(self, event: Any, line: int, at: Location) -> Value:
        text: str = event.value
        if event.style in {'"', "'", "|", ">"}:
            return text
        if text in _NULLS:
            return None
        if text in _BOOLEANS:
            return _BOOLEANS[text]
        if text in _ALMOST_BOOLEANS:
            what = f"'{text}' could mean a word or a truth value"
            self._complain(what, f"Write true or false, or quote the word: '{text}'.", "boolean", line, at)
        return text


_PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _syntax_problem(error: yaml.YAMLError, text: str, shown: str) -> Problem:
    if "nesting depth" in str(error):  # the C parser looks ahead and gives up before we count
        line = getattr(error, "problem_mark").line + 1  # noqa: B009
        return Problem(shown, line, "", _TOO_DEEP, "Flatten it.", "too-deep")
    if _PARSER is not yaml.SafeLoader:  # one wording, whichever parser is installed
        try:
            for _ in yaml.parse(text, Loader=yaml.SafeLoader):
                pass
        except yaml.YAMLError as same:
            error = same
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error)
    mark = getattr(error, "problem_mark", None)
    context = getattr(error, "context_mark", None)
    if context is not None and any(part in problem for part in ("end of stream", "expected ':'", "expected ','")):
        mark = context
    if mark is not None:
        line = min(mark.line, text.rstrip("\n").count("\n")) + 1
    else:
        line = text.count("\n", 0, getattr(error, "position", 0)) + 1
    written_line = text.split("\n")[line - 1]
    if re.match(r" *\t", written_line):
        return Problem(shown, line, "", "a tab in the indentation", "Indent with spaces.", "yaml-syntax")
    for part, what, fix in _SYNTAX:
        if part in problem:
            return Problem(shown, line, "", what, fix, "yaml-syntax")
    return Problem(shown, line, "", f"not valid YAML ({problem})", "Check this line and the one above.", "yaml-syntax")


class _Dumper(yaml.SafeDumper):
    """Block style, sequences indented under their key, keys in the order given."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    literal = "\n" in text and not re.search(r"[ \t]\n|^[ \n]|[^\n\t\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd]", text)
    # Ours would read `2.16` and `2026-10-28` as text; other people's YAML readers would not.
    style = "|" if literal else None
    if _OTHER_BREAKS.search(text):
        style = '"'
    if style is None and text in _ALMOST_BOOLEANS | {"true", "false"}:
        style = "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


class Number(str):
    """Text that a field takes as a number: written without quotes."""

    __slots__ = ()


def _represent_number(dumper: yaml.SafeDumper, number: Number) -> yaml.ScalarNode:
    kind = "int" if re.fullmatch(r"0|[1-9]\d*", number) else "float"
    return dumper.represent_scalar(f"tag:yaml.org,2002:{kind}", number)


def _represent_list(dumper: yaml.SafeDumper, items: list[Any]) -> yaml.SequenceNode:
    words = [item for item in items if isinstance(item, str) and re.fullmatch(r"[\w./#+-]+( [\w./#+-]+)*", item)]
    short = len(words) == len(items) and sum(len(word) + 2 for word in words) < WIDTH - 30
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=short)


_Dumper.add_representer(str, _represent_text)
_Dumper.add_representer(Number, _represent_number)
_Dumper.add_representer(list, _represent_list)


def dump(values: Mapping[str, Any], heading: str = "") -> str:
    """Plain values → YAML text in the house format, after ``heading`` (comment lines, kept as they are)."""
    body = yaml.dump(values, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH, default_flow_style=False)
    return heading + body


def heading_of(text: str) -> str:
    """The comment lines at the very top of a file."""
    lines = text.split("\n")
    count = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return "".join(f"{line}\n" for line in lines[:count])


def comment_lines(text: str) -> list[int]:
    """1-based lines of comments below the heading, which rewriting the file would lose."""
    heading = heading_of(text)
    if not re.search(r"(^|\W)#", text[len(heading) :]):
        return []  # nearly always, and the rest is slow
    # The parser drops comments: they are what begins with # where the last token of its line has ended.
    lines = text.split("\n")
    ends: dict[int, int] = {}
    inside: set[int] = set()
    try:
        for token in yaml.scan(text, Loader=yaml.SafeLoader):
            start, end = token.start_mark, token.end_mark
            if start.index == end.index:
                continue
            ends[end.line] = end.column
            if isinstance(token, yaml.ScalarToken):
                inside.update(range(start.line, end.line + (end.column > 0)))
                if token.style in {"|", ">"}:
                    rest = lines[start.line][start.column :]
                    ends[start.line] = start.column + len(rest) - len(rest.lstrip("|>+-0123456789"))
    except yaml.YAMLError:
        return []
    first = heading.count("\n")
    return [
        number + 1
        for number, line in enumerate(lines)
        if number >= first
        and (number in ends or number not in inside)
        and re.match(r"\s*#", line[ends.get(number, 0) :])
    ]

"""Files as a whole: generated ones are fresh, and every file is in the house format."""

from collections.abc import Iterator
from pathlib import Path

from torchnotes.formatting import formatted
from torchnotes.library import Library
from torchnotes.problem import Problem
from torchnotes.reading import Contents
from torchnotes.schema import SCHEMA_PATH, schema_text
from torchnotes.yaml_source import Document, comment_lines


def is_schema_fresh(root: Path) -> bool:
    """Whether the committed schema can be read and is the one that the model gives."""
    try:
        return (root / SCHEMA_PATH).read_text(encoding="utf-8", errors="replace") == schema_text()
    except OSError:
        return False


def check_schema_fresh(contents: Contents, _library: Library) -> Iterator[Problem]:
    """The committed JSON Schema is the one that the model gives."""
    if not is_schema_fresh(contents.root):
        what = "not the schema that the model gives"
        yield Problem(SCHEMA_PATH, 1, "", what, "Run `torchnotes format`.", "stale-schema")


def check_formatted(contents: Contents, _library: Library) -> Iterator[Problem]:
    """Every data file is as `torchnotes format` writes it, and says in fields what a comment would say."""
    for document in contents.documents:
        comments = list(comment_problems(document))
        yield from comments
        if not comments:
            yield from _first_difference(document.path, document.text, formatted(document))


def comment_problems(document: Document) -> Iterator[Problem]:
    """A problem for each comment that rewriting the file would lose."""
    for line in comment_lines(document.text):
        what = "a comment below the first lines of the file"
        fix = "Say it in a field, or move it to the top: formatting would lose it."
        yield Problem(document.path, line, "", what, fix, "comment")


def _first_difference(path: str, text: str, wanted: str) -> Iterator[Problem]:
    lines, due = text.split("\n"), wanted.split("\n")
    for number, (is_line, due_line) in enumerate(zip(lines, due, strict=False), start=1):
        if is_line != due_line:
            yield Problem(path, number, "", "not in the house format", "Run `torchnotes format`.", "not-formatted")
            return
    if len(lines) != len(due):
        yield Problem(path, 1, "", "not in the house format", "Run `torchnotes format`.", "not-formatted")

"""How a check points at the line it complains about."""

from typing import Any

from torchnotes.problem import Problem
from torchnotes.reading import Read
from torchnotes.yaml_source import Location, written


def at(read: Read[Any], location: Location, what: str, fix: str, rule: str) -> Problem:
    """A problem at a field of a record's file."""
    return Problem(read.document.path, read.document.line(location), written(location), what, fix, rule)

"""What is found, and why something could not be read."""

from dataclasses import dataclass


@dataclass(frozen=True, order=True, slots=True)
class Sighting:
    """A place in a file that an entry finds."""

    line: int
    """1-based."""
    column: int
    """1-based, in characters."""
    entry: int
    """Which of the entries that were looked for."""


@dataclass(frozen=True, slots=True)
class Sightings:
    """What was found in one file."""

    found: tuple[Sighting, ...] = ()
    unread: str = ""
    """Why the file, or a part of it, could not be read; empty when it was."""

"""Pieces that the tables of the compatibility page share: notes below a table, and marks against the column before.

Finished values only; nothing here is markup.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from torchnotes.library import Library
from torchnotes.terms import Basis

REPORTED = frozenset({Basis.ARTICLE, Basis.UPSTREAM, Basis.INFERRED, Basis.NOT_CONFIRMED})
"""How a thing is known that nobody read in a published wheel or in the names of those on offer."""


@dataclass(frozen=True, slots=True)
class Column:
    """One published version."""

    version: str
    release: str
    path: str
    """The page of its release."""
    is_newest: bool
    """Whether it is the newest version of its release: the one that release facts speak of."""


@dataclass(frozen=True, slots=True)
class Mark:
    """How a cell differs from the one on its left."""

    before: str
    """The version that it is compared with: the nearest one on the left with something recorded."""
    is_changed: bool
    """Whether it has another value there; else it is a patch that keeps it."""


@dataclass(slots=True)
class Notes:
    """Notes below one table, each once."""

    prefix: str
    """What their addresses on the page begin with."""
    texts: list[str] = field(default_factory=list)

    def number(self, text: str | None) -> int | None:
        """The number of a note, from 1; None for no note."""
        if text is None:
            return None
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text) + 1


def columns_of(library: Library) -> tuple[Column, ...]:
    """All published versions, oldest first."""
    newest = {one.newest.version for one in library.releases.values()}
    return tuple(
        Column(version, release, f"releases/{release}.md", version in newest)
        for version, release in library.versions.items()
    )


def marks(columns: Sequence[Column], values: Sequence[Hashable]) -> Iterator[Mark | None]:
    """A mark for each cell of a row, against the nearest one on its left of which something is recorded.

    None for the first, for a value that stands for nothing (empty), and for what the next release keeps.
    """
    before: tuple[Column, Hashable] | None = None
    for column, value in zip(columns, values, strict=True):
        if not value:
            yield None
            continue
        mark = None
        if before is not None and value != before[1]:
            mark = Mark(before[0].version, is_changed=True)
        elif before is not None and before[0].release == column.release:
            mark = Mark(before[0].version, is_changed=False)
        yield mark
        before = column, value

"""Published versions side by side: one row a fact, one column a version, and how each cell is known.

What stored metadata of the wheels says goes before what people wrote of the same thing. A release fact speaks of the
newest version of its release; of an older patch it is shown only when it says so itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from torchnotes.library import Library
from torchnotes.model import WheelFile
from torchnotes.model.release import ReleaseFact
from torchnotes.model.vocabulary import FactName
from torchnotes.pages.cells import REPORTED, Column, Mark, Notes, columns_of, marks
from torchnotes.pages.markers import plain_words
from torchnotes.pages.served import Vendor, vendors
from torchnotes.published import CHECKED, READINGS, Statement, statements, wheels_of
from torchnotes.terms import Basis, Term


@dataclass(frozen=True, slots=True)
class Line:
    """One value in a cell."""

    where: str
    """The platforms whose wheels say it; empty when all of them do."""
    value: str
    when: str
    """When it holds, in plain words; empty when it always does."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One fact of one version; no line when it is not recorded."""

    lines: tuple[Line, ...]
    basis: Term | None
    wheels: str
    """Which wheels say it; empty for what people wrote."""
    is_reported: bool
    notes: tuple[int, ...]
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class FactRow:
    """One fact over the versions."""

    id: str
    label: str
    definition: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Facts below one heading."""

    title: str
    rows: tuple[FactRow, ...]
    notes: Notes


@dataclass(frozen=True, slots=True)
class CompatibilityView:
    """The whole page."""

    columns: tuple[Column, ...]
    groups: tuple[Group, ...]
    vendors: tuple[Vendor, ...]


_NO_CELL = Cell((), None, "", is_reported=False, notes=())


def compatibility_view(library: Library) -> CompatibilityView:
    """Facts and served hardware of every published version, oldest first."""
    columns = columns_of(library)
    names: dict[str, list[FactName]] = {}
    for one in library.fact_names.values():
        names.setdefault(one.group, []).append(one)
    groups = [_group(library, title, found, columns) for title, found in names.items()]
    return CompatibilityView(
        columns=columns,
        groups=tuple(one for one in groups if one.rows),
        vendors=vendors(library, columns),
    )


def _group(library: Library, title: str, names: Sequence[FactName], columns: Sequence[Column]) -> Group:
    # Ids of facts are permanent, and so is the address of a group while its first fact stays.
    notes = Notes(f"facts-{names[0].id}")
    rows = []
    for name in names:
        cells = [_cell(library, name.id, column, notes) for column in columns]
        if any(cell.lines for cell in cells):
            found = zip(cells, marks(columns, [cell.lines for cell in cells]), strict=True)
            marked = tuple(replace(one, mark=mark) for one, mark in found)
            rows.append(FactRow(name.id, name.label, name.definition, marked))
    return Group(title, tuple(rows), notes)


def _cell(library: Library, fact_id: str, column: Column, notes: Notes) -> Cell:
    fact = _fact(library, fact_id, column)
    wheels = wheels_of(library, column.version)
    reading = CHECKED.get(fact_id)
    found = statements(reading, wheels) if reading else ()
    named = _named([wheel for one in found for wheel in one.wheels], wheels)
    if reading and found and fact_id in READINGS:
        lines = tuple(line for one in found for line in _lines(one, is_alone=len(found) == 1))
        note = fact.note if fact is not None and not _is_said(fact.note, lines) else None
        return Cell(lines, reading.basis, named, is_reported=False, notes=_numbers(notes, note))
    if fact is None:
        return _NO_CELL
    return Cell(
        (Line("", fact.value, ""),),
        fact.basis,
        named if fact.basis is Basis.METADATA else "",
        is_reported=fact.basis in REPORTED,
        notes=_numbers(notes, fact.note),
    )


def _numbers(notes: Notes, note: str | None) -> tuple[int, ...]:
    number = notes.number(note)
    return () if number is None else (number,)


def _fact(library: Library, fact_id: str, column: Column) -> ReleaseFact | None:
    """What a release says, where it speaks of this version."""
    for one in library.releases[column.release].release.facts:
        if one.id == fact_id and (column.is_newest or column.version in one.also_in):
            return one
    return None


def _lines(statement: Statement, *, is_alone: bool) -> list[Line]:
    """What the wheels say: a line for each time that it holds."""
    where = "" if is_alone else ", ".join(wheel.platform.label for wheel in statement.wheels)
    by_marker: dict[str, list[str]] = {}
    for one in statement.said:
        by_marker.setdefault(one.marker, []).append(one.value)
    return [Line(where, ", ".join(values), plain_words(marker)) for marker, values in by_marker.items()]


def _is_said(note: str | None, lines: Sequence[Line]) -> bool:
    """Whether a note says only when the value holds, as the cell does."""
    return note is not None and note.removesuffix(".") in {line.when for line in lines}


def _named(said: Sequence[WheelFile], wheels: Sequence[object]) -> str:
    """The wheels that say something, in words."""
    if len(said) == len(wheels) > 1:
        return f"all {len(wheels)} wheels"
    return ", ".join(wheel.platform.label for wheel in said)

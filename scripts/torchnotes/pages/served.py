"""Which hardware each published version runs on: one table for each default wheel, one for all other builds.

Follows what the releases say; of an older patch it says the same only when its wheel holds the same machine code.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from torchnotes.library import Library, ReleaseEntry
from torchnotes.links import hardware_path
from torchnotes.model.release import Serves
from torchnotes.model.vocabulary import Hardware
from torchnotes.pages.cells import REPORTED, Column, Mark, Notes, marks
from torchnotes.pages.hardware import makers
from torchnotes.published import CUDA_CODE, code_for, wheels_of
from torchnotes.terms import Basis, Build, Runs, Term, Wheel

_MOST_DEVICES = 3
"""Names of devices beside a family: enough to be recognised, and short on a phone."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether some builds of one version run on one hardware."""

    where: str
    """The builds and platforms; empty where the table says it."""
    runs: Runs
    through: str
    """What it runs: architectures as code, with commas; empty when there is nothing."""
    basis: Term
    is_reported: bool
    notes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ServedCell:
    """All answers of one version for one hardware."""

    answers: tuple[Answer, ...]
    nothing: str
    """What stands there when there is no answer."""
    mark: Mark | None


@dataclass(frozen=True, slots=True)
class ServedRow:
    """One family, or one of its compute capabilities."""

    label: str
    path: str
    capability: str
    """As NVIDIA writes it, such as 8.9; empty elsewhere."""
    codes: tuple[str, ...]
    devices: str
    """Some of its devices."""
    cells: tuple[ServedCell, ...]


@dataclass(frozen=True, slots=True)
class ServedTable:
    """One default wheel, or all other builds."""

    title: str
    builds: tuple[str, ...]
    """The build of each column; empty where it differs by answer."""
    rows: tuple[ServedRow, ...]
    notes: Notes


@dataclass(frozen=True, slots=True)
class Vendor:
    """The hardware of one maker."""

    label: str
    anchor: str
    unserved: str
    """Platforms whose default wheel runs on none of it, in words; empty when there are none."""
    tables: tuple[ServedTable, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    """A row to be: a hardware, and its capability when it has several."""

    hardware: Hardware
    capability: str | None


_Answering = Callable[[_Line, Column], tuple[Serves, ...]]
"""What one version says of one line."""


@dataclass(frozen=True, slots=True)
class _Table:
    """A table to be."""

    answering: Sequence[_Answering]
    """For each column."""
    notes: Notes
    is_named: bool
    """Whether its answers name their builds; then a release that says nothing else of a hardware knows no build."""


_BUILDS, _PLATFORMS = tuple(Build), tuple(Wheel)
_NONE_KNOWN = "none known"
_NOT_RECORDED = "not recorded"


def vendors(library: Library, columns: Sequence[Column]) -> tuple[Vendor, ...]:
    """Every maker of whose hardware a release says something."""
    found = (_vendor(library, maker, columns) for maker in makers(library))
    return tuple(one for one in found if one.tables)


def _vendor(library: Library, maker: Hardware, columns: Sequence[Column]) -> Vendor:
    family = [library.hardware[one] for one in library.hardware if one in {maker.id, *library.descendants(maker.id)}]
    lines = [line for one in family for line in _lines(one)]
    tables, unserved = [], []
    for platform in (one for one in _PLATFORMS if one is not Wheel.ANY):
        table = _default_table(library, maker, platform, lines, columns)
        answers = [answer for row in table.rows for cell in row.cells for answer in cell.answers]
        if any(one.runs is not Runs.NO for one in answers):
            tables.append(table)
        elif answers:
            unserved.append(platform.label)
    others = _other_table(library, maker, lines, columns)
    return Vendor(
        maker.label, f"runs-{maker.id}", " and ".join(unserved), (*tables, *((others,) if others.rows else ()))
    )


def _lines(hardware: Hardware) -> Iterator[_Line]:
    """A row for each capability of CUDA, since each may run another code; else one for the whole family."""
    if hardware.capabilities and all(CUDA_CODE.fullmatch(one) for one in hardware.capabilities):
        for one in hardware.capabilities:
            yield _Line(hardware, one)
    else:
        yield _Line(hardware, None)


def _default_build(release: ReleaseEntry, platform: Wheel) -> tuple[Build, str] | None:
    """The build that a plain pip install takes on a platform, and its label."""
    for one in release.release.builds:
        if one.default and platform in one.platforms:
            return one.build, one.label or one.build.label
    return None


def _default_table(
    library: Library, maker: Hardware, platform: Wheel, lines: Sequence[_Line], columns: Sequence[Column]
) -> ServedTable:
    builds = {one.id: _default_build(one, platform) for one in library.releases.values()}

    def answers(line: _Line, column: Column) -> tuple[Serves, ...]:
        default = builds[column.release]
        return tuple(
            one
            for one in _serves(library, line, column)
            if default is not None and (one.build, one.platform) == (default[0], platform)
        )

    notes = Notes(f"runs-{maker.id}-{platform}")
    answering = [answers if _is_covered(library, column, platform) else _nothing for column in columns]
    rows = _rows(library, lines, columns, _Table(answering, notes, is_named=False))
    labels = [builds[column.release] for column in columns]
    return ServedTable(
        f"Default wheel, {platform.label}", tuple(one[1] if one else "" for one in labels), tuple(rows), notes
    )


def _other_table(library: Library, maker: Hardware, lines: Sequence[_Line], columns: Sequence[Column]) -> ServedTable:
    def answers(line: _Line, column: Column) -> tuple[Serves, ...]:
        release = library.releases[column.release]
        found = []
        for one in _serves(library, line, column):
            default = _default_build(release, one.platform)
            if default is None or default[0] is not one.build:
                found.append(one)
        found += _by_code(line, release, tuple(_serves(library, line, column)))
        return tuple(sorted(found, key=lambda one: (_BUILDS.index(one.build), _PLATFORMS.index(one.platform))))

    notes = Notes(f"runs-{maker.id}-others")
    answering = [answers if column.is_newest else _nothing for column in columns]
    rows = _rows(library, lines, columns, _Table(answering, notes, is_named=True))
    return ServedTable("Other builds", (), tuple(rows), notes)


def _by_code(line: _Line, release: ReleaseEntry, said: Sequence[Serves]) -> Iterator[Serves]:
    """Builds that hold code for a capability by their list of architectures, where the release says nothing of them.

    Only on platforms where another build is said to run on it, and none is in doubt: so nothing is promised to a
    machine that does not exist, or that a build leaves out though it has the code.
    """
    if line.capability is None:
        return
    answered = {(one.build, one.platform) for one in said}
    doubted = {one.platform for one in said if one.runs not in (Runs.YES, Runs.NO)}
    running = {one.platform for one in said if one.runs is Runs.YES} - doubted
    built = {(one.build, platform) for one in release.release.builds for platform in one.platforms}
    for one in release.release.architectures:
        code = code_for(line.capability, one.codes)
        if code and one.platform in running and (one.build, one.platform) in built - answered:
            yield Serves(
                hardware=line.hardware.id,
                build=one.build,
                platform=one.platform,
                runs=Runs.YES,
                through=code,
                basis=one.basis if code == line.capability else Basis.INFERRED,
                source=one.source,
                note=one.note,
            )


def _nothing(_line: _Line, _column: Column) -> tuple[Serves, ...]:
    return ()


def _is_covered(library: Library, column: Column, platform: Wheel) -> bool:
    """Whether what a release says of its newest version holds for a version: its wheel has the same machine code."""
    if column.is_newest:
        return True
    newest = library.releases[column.release].newest.version
    own, others = (
        [metadata for wheel, metadata in wheels_of(library, version) if wheel.platform is platform]
        for version in (column.version, newest)
    )
    return (
        bool(own and others)
        and own[0].architectures == others[0].architectures
        and own[0].cuda == others[0].cuda
        and own[0].macos == others[0].macos
    )


def _serves(library: Library, line: _Line, column: Column) -> Iterator[Serves]:
    return (one for release, one in library.serves(line.hardware.id) if release.id == column.release)


def _rows(library: Library, lines: Sequence[_Line], columns: Sequence[Column], table: _Table) -> Iterator[ServedRow]:
    """A row for each line of which some version says something."""
    for line in lines:
        said = [answer(line, column) for answer, column in zip(table.answering, columns, strict=True)]
        if not any(said):
            continue
        silence = [
            _NONE_KNOWN
            if table.is_named and column.is_newest and any(_serves(library, line, column))
            else _NOT_RECORDED
            for column in columns
        ]
        values = [
            tuple(
                sorted((table.is_named and one.build, one.platform, one.runs, _through(line, one)) for one in several)
            )
            or (words if words == _NONE_KNOWN else ())
            for several, words in zip(said, silence, strict=True)
        ]
        number = CUDA_CODE.fullmatch(line.capability) if line.capability else None
        yield ServedRow(
            label=line.hardware.label,
            path=hardware_path(line.hardware.id),
            capability=f"{number[1]}.{number[2]}" if number else "",
            codes=(line.capability,) if line.capability else line.hardware.capabilities,
            devices=_devices(library, line),
            cells=tuple(
                ServedCell(tuple(_answers(line, several, table)), words, mark)
                for several, words, mark in zip(said, silence, marks(columns, values), strict=True)
            ),
        )


def _answers(line: _Line, several: Sequence[Serves], table: _Table) -> Iterator[Answer]:
    """Answers, those that differ in their platforms or notes only as one."""
    alike: dict[tuple[Build, Runs, str, Basis], list[Serves]] = {}
    for one in several:
        alike.setdefault((one.build, one.runs, _through(line, one), one.basis), []).append(one)
    for (build, runs, through, basis), found in alike.items():
        platforms = [one.label for one in _PLATFORMS if one in {same.platform for same in found}]
        numbers = [number for same in found if (number := table.notes.number(same.note)) is not None]
        yield Answer(
            where=f"{build.label}, {' and '.join(platforms)}" if table.is_named else "",
            runs=runs,
            through=", ".join(one if " " in one else f"`{one}`" for one in through.split(", ") if one),
            basis=basis,
            is_reported=basis in REPORTED,
            notes=tuple(dict.fromkeys(numbers)),
        )


def _through(line: _Line, one: Serves) -> str:
    if one.through is None or line.capability is None:
        return one.through or ""
    return code_for(line.capability, one.through.split(", ")) or one.through


def _devices(library: Library, line: _Line) -> str:
    names = [
        one.name
        for one in library.devices
        if one.hardware == line.hardware.id and line.capability in (None, one.capability)
    ]
    more = len(names) - _MOST_DEVICES
    shown = names if more <= 1 else names[:_MOST_DEVICES]
    return ", ".join(shown) + (f" and {more} more" if more > 1 else "")

"""Release facts side by side: one row a fact, one column a release, differences marked."""

from dataclasses import dataclass
from itertools import pairwise

from torchnotes.library import ANY_ACCELERATOR, Library
from torchnotes.links import hardware_path, release_path
from torchnotes.model.vocabulary import Hardware
from torchnotes.terms import Runs, Term


@dataclass(frozen=True, slots=True)
class Cell:
    """One fact of one release."""

    value: str
    basis: Term | None
    note: str | None
    is_changed: bool
    """Whether the release before it has another value."""


@dataclass(frozen=True, slots=True)
class FactRow:
    """One fact over the releases."""

    label: str
    definition: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Served:
    """How one release serves one hardware."""

    text: str
    runs: Runs
    detail: str
    is_changed: bool


@dataclass(frozen=True, slots=True)
class HardwareRow:
    """One hardware over the releases."""

    label: str
    path: str
    capabilities: tuple[str, ...]
    cells: tuple[Served, ...]


@dataclass(frozen=True, slots=True)
class CompatibilityView:
    """The whole page."""

    columns: tuple[tuple[str, str], ...]
    """Newest version of each release and the page of the release."""
    groups: tuple[tuple[str, tuple[FactRow, ...]], ...]
    hardware: tuple[tuple[str, tuple[HardwareRow, ...]], ...]


_NO_CELL = Cell("not recorded", None, None, is_changed=False)


def compatibility_view(library: Library) -> CompatibilityView:
    """Facts and served hardware of every release, oldest first."""
    releases = list(library.releases.values())
    groups: dict[str, list[FactRow]] = {}
    for name in library.fact_names.values():
        cells: list[Cell] = []
        for release in releases:
            fact = next((one for one in release.release.facts if one.id == name.id), None)
            if fact is None:
                cells.append(_NO_CELL)
                continue
            before = cells[-1] if cells else _NO_CELL
            is_changed = before is not _NO_CELL and before.value != fact.value
            cells.append(Cell(fact.value, fact.basis, fact.note, is_changed))
        if any(cell is not _NO_CELL for cell in cells):
            groups.setdefault(name.group, []).append(FactRow(name.label, name.definition, tuple(cells)))
    return CompatibilityView(
        columns=tuple((one.newest.version, release_path(one.id)) for one in releases),
        groups=tuple((title, tuple(found)) for title, found in groups.items()),
        hardware=_hardware(library),
    )


def _hardware(library: Library) -> tuple[tuple[str, tuple[HardwareRow, ...]], ...]:
    groups: dict[str, list[HardwareRow]] = {}
    for one in library.hardware.values():
        cells: list[Served] = []
        for release in library.releases.values():
            found = _best(library, release.id, one.id)
            is_changed = bool(cells) and found.text != cells[-1].text
            cells.append(Served(found.text, found.runs, found.detail, is_changed))
        if any(cell.detail for cell in cells):
            vendor = _vendor(library, one)
            groups.setdefault(vendor, []).append(
                HardwareRow(one.label, hardware_path(one.id), one.capabilities, tuple(cells))
            )
    return tuple((vendor, tuple(found)) for vendor, found in groups.items())


def _vendor(library: Library, hardware: Hardware) -> str:
    """Label of the ancestor just below "any accelerator"."""
    chain = [hardware.id, *library.ancestors(hardware.id)]
    for lower, upper in pairwise(chain):
        if upper == ANY_ACCELERATOR:
            return library.hardware[lower].label
    return hardware.label


_ORDER = (Runs.YES, Runs.NOT_PROMISED, Runs.UNKNOWN, Runs.NO)


def _best(library: Library, release_id: str, hardware_id: str) -> Served:
    """The best answer that any build of a release gives, with every build that gives it."""
    found = [one for release, one in library.serves(hardware_id) if release.id == release_id]
    for runs in _ORDER:
        chosen = [one for one in found if one.runs is runs]
        if not chosen:
            continue
        if runs is Runs.NO:
            return Served("does not run", runs, "No build has code for it.", is_changed=False)
        parts = [
            f"{one.build.label} on {one.platform.label}" + (f" through `{one.through}`" if one.through else "")
            for one in chosen
        ]
        text = runs.label if runs is not Runs.YES else ", ".join(dict.fromkeys(one.build.label for one in chosen))
        return Served(text, runs, "; ".join(parts), is_changed=False)
    return Served("not recorded", Runs.UNKNOWN, "", is_changed=False)

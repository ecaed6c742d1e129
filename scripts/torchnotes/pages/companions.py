"""Companion packages beside each version of PyTorch, and which of them an upgrade moves.

Says what metadata and documents say, and who says it; never that a pair works.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from packaging.specifiers import SpecifierSet

from torchnotes.library import Library
from torchnotes.links import COMPANIONS_PATH
from torchnotes.model import Companion, CompanionRelease
from torchnotes.model.companion import Choice
from torchnotes.pages.cells import Column, columns_of
from torchnotes.pages.feature import SourceNames, SourceView
from torchnotes.pages.lists import Link
from torchnotes.plan import Upgrade
from torchnotes.published import names_address_of_torch, other_requirements, specifier_text, torch_specifiers
from torchnotes.terms import Pairing


@dataclass(frozen=True, slots=True)
class CompanionCell:
    """What goes with one version of PyTorch."""

    take: tuple[str, ...]
    """Releases, the one to prefer first."""
    nothing: str
    """What is said where there is no release to take."""
    known: Pairing | None


@dataclass(frozen=True, slots=True)
class ReleaseRow:
    """What one release of a package says of itself."""

    version: str
    torch: str
    others: tuple[str, ...]
    """What it requires of other companions."""
    python: str
    wheels: tuple[tuple[str, str], ...]
    """A machine, and the versions of Python for which it has a wheel."""


@dataclass(frozen=True, slots=True)
class CompanionView:
    """One package."""

    package: str
    name: str
    what: str
    summary: str
    cells: tuple[CompanionCell, ...]
    notes: tuple[tuple[str, str], ...]
    """A version of PyTorch, and what one must know about the package beside it."""
    releases: tuple[ReleaseRow, ...]
    newest: str | None
    """The newest stable release that pip would take; None when it would take none."""
    asked_for: str
    """The machine and the Python for which pip was asked for the newest one."""
    day: str | None
    """The day on which pip was asked; None when it was not."""
    sources: tuple[SourceView, ...]
    not_confirmed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CompanionsView:
    """The whole page."""

    columns: tuple[Column, ...]
    companions: tuple[CompanionView, ...]
    pythons: tuple[str, ...]
    """Versions of Python for which pip was asked."""


@dataclass(frozen=True, slots=True)
class Move:
    """A package that an upgrade moves, cannot move, or of which one must know something from then on."""

    link: Link
    before: tuple[str, ...]
    """Releases that go with the start, the one to prefer first; empty when none is known."""
    after: str
    """The release to take; empty when there is none."""
    nothing: str
    """What is said where there is no release to take."""
    known: str
    """Who says so; empty when nobody does."""
    note: str | None


def companions_view(library: Library) -> CompanionsView:
    """Every companion package: first what an upgrade plan names, then the others, by name."""
    columns = columns_of(library)

    def place(package: str) -> tuple[bool, str]:
        companion = library.companions[package]
        return not companion.in_plans, companion.name.casefold()

    by_name = sorted(library.companions, key=place)
    return CompanionsView(
        columns=columns,
        companions=tuple(_companion(library, one, columns) for one in by_name),
        pythons=library.pythons,
    )


def _companion(library: Library, package: str, columns: tuple[Column, ...]) -> CompanionView:
    companion = library.companions[package]
    told = library.read_companions.get(package)
    return CompanionView(
        package=package,
        name=companion.name,
        what=companion.what,
        summary=companion.summary,
        cells=tuple(_cell(_choice(companion, column.version)) for column in columns),
        notes=tuple((one.torch, one.note) for one in companion.choices if one.note is not None),
        releases=tuple(_release(one) for one in library.releases_of(package)),
        newest=told.newest if told is not None else None,
        asked_for=f"{companion.platforms[0].label} with Python {library.pythons[0]}" if library.pythons else "",
        day=told.day if told is not None else None,
        sources=SourceNames(library).views(companion.sources),
        not_confirmed=companion.not_confirmed,
    )


def _choice(companion: Companion, version: str) -> Choice | None:
    return next((one for one in companion.choices if one.torch == version), None)


def _cell(choice: Choice | None) -> CompanionCell:
    if choice is None or choice.known is Pairing.UNKNOWN:
        return CompanionCell((), _nothing(choice), None)
    return CompanionCell(choice.take, _nothing(choice), choice.known)


def _nothing(choice: Choice | None) -> str:
    """What is said where there is no release to take: metadata speaks only of the releases that were read."""
    if choice is None or choice.known is Pairing.UNKNOWN:
        return "not known"
    return "none accepts it" if choice.known is Pairing.METADATA else "none published"


def _release(release: CompanionRelease) -> ReleaseRow:
    specifiers = torch_specifiers(release)
    if not release.is_read:
        torch = "not read: no wheel is offered"
    elif specifiers:
        torch = " or ".join(map(specifier_text, specifiers)) if all(specifiers) else "any torch"
    else:
        torch = "an address in place of a version" if names_address_of_torch(release) else "names no torch"
    return ReleaseRow(
        version=release.version,
        torch=torch,
        others=other_requirements(release),
        python=_python(release),
        wheels=tuple((one.platform.label, ", ".join(one.pythons)) for one in release.offers),
    )


def _python(release: CompanionRelease) -> str:
    if not release.is_read:
        return "not read"
    return specifier_text(SpecifierSet(release.requires_python)) if release.requires_python else "names none"


def moves(library: Library, way: Upgrade) -> Iterator[Move]:
    """What an upgrade changes about the packages that plans name.

    Left out is a package whose releases for the start all go with the target too, with nothing new to know about it.
    """
    for package, companion in library.companions.items():
        if not companion.in_plans:
            continue
        before, after = (_choice(companion, version) for version in (way.start, way.target))
        had, takes = (one.take if one is not None else () for one in (before, after))
        note = after.note if after is not None else None
        is_told = note is None or (before is not None and note == before.note)
        if had and set(had) <= set(takes) and is_told:
            continue
        yield Move(
            link=Link(companion.name, f"{COMPANIONS_PATH}#{package}"),
            before=had,
            after=takes[0] if takes else "",
            nothing=_nothing(after),
            known=after.known.label if after is not None and after.known is not Pairing.UNKNOWN else "",
            note=note or (None if takes else companion.summary),
        )

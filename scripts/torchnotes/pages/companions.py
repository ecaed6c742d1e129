"""Companion packages beside each version of PyTorch, and which of them an upgrade moves.

Says what metadata and documents say, and who says it; never that a pair works.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from torchnotes.library import Library
from torchnotes.links import COMPANIONS_PATH
from torchnotes.model import Companion, CompanionRelease
from torchnotes.model.companion import Choice
from torchnotes.pages.cells import Column, columns_of
from torchnotes.pages.feature import SourceNames, SourceView
from torchnotes.pages.lists import Link
from torchnotes.plan import Upgrade
from torchnotes.published import other_requirements, specifier_text, torch_specifier
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
    """The newest stable release that pip offers; None when it offers none."""
    day: str | None
    """The day on which pip was asked."""
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
    """A package that an upgrade moves, or cannot move."""

    link: Link
    before: str
    """The release that one most likely has; empty when none is known."""
    after: str
    """The release to take; empty when none is known."""
    known: str
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
        day=told.day if told is not None else None,
        sources=SourceNames(library).views(companion.sources),
        not_confirmed=companion.not_confirmed,
    )


def _choice(companion: Companion, version: str) -> Choice | None:
    return next((one for one in companion.choices if one.torch == version), None)


def _cell(choice: Choice | None) -> CompanionCell:
    if choice is None or choice.known is Pairing.UNKNOWN:
        return CompanionCell((), "not known", None)
    return CompanionCell(choice.take, "none published", choice.known)


def _release(release: CompanionRelease) -> ReleaseRow:
    specifier = torch_specifier(release)
    if not release.is_read:
        torch = "not read: no wheel is offered"
    elif specifier is None:
        torch = "names no torch"
    else:
        torch = specifier_text(specifier) or "any torch"
    return ReleaseRow(
        version=release.version,
        torch=torch,
        others=other_requirements(release),
        python=release.requires_python or "",
        wheels=tuple((one.platform.label, ", ".join(one.pythons)) for one in release.offers),
    )


def moves(library: Library, way: Upgrade) -> Iterator[Move]:
    """What an upgrade changes about the packages that plans name: another release to take, or none that is known."""
    for package, companion in library.companions.items():
        if not companion.in_plans:
            continue
        before, after = (_choice(companion, version) for version in (way.start, way.target))
        had, takes = (one.take if one is not None else () for one in (before, after))
        if after is None or (takes and had and takes[0] == had[0]):
            continue
        yield Move(
            link=Link(companion.name, f"{COMPANIONS_PATH}#{package}"),
            before=had[0] if had else "",
            after=takes[0] if takes else "",
            known=after.known.label if after.known is not Pairing.UNKNOWN else "",
            note=after.note or (companion.summary if not takes else None),
        )

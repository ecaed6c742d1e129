"""Features in lists: rows, the sections that answer "what does it mean for me", and links to other pages.

Finished values only, so that a template places things and decides nothing; nothing here is markup.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload
from urllib.parse import urlencode

from torchnotes.library import Entry
from torchnotes.links import area_path, feature_path, hardware_path, release_path
from torchnotes.model import RequiredSteps
from torchnotes.model.vocabulary import Area, Hardware
from torchnotes.terms import Action, Kind, Term, Visibility


@dataclass(frozen=True, slots=True)
class Link:
    """Words that lead to a page of the site."""

    text: str
    path: str


@dataclass(frozen=True, slots=True)
class Row:
    """A feature in a list."""

    id: str
    title: str
    path: str
    summary: str
    version: str
    action: Term
    kind: Term
    grade: Term
    is_silent: bool
    concerns: str
    """Whom it concerns, where an action is required; empty elsewhere."""
    reason: str
    """Why it is in a hardware's list; empty elsewhere."""


MOST_ROWS, MOST_TITLES = 50, 400
"""Rows that one list of a page shows, and titles that it names beyond them; the finder has the rest. So pages stay small,
however many features there are, and nobody needs a script before there are very many."""


@dataclass(frozen=True, slots=True)
class Rows(Sequence[Row]):
    """The first rows of a list that would grow with the data, and where the rest is."""

    shown: tuple[Row, ...]
    more: int
    """How many there are beyond these rows."""
    titles: tuple[Link, ...]
    """The first of those, by their titles."""
    query: str
    """What to put behind the finder's address, such as ``?hardware=cpu``, to see them all."""

    def __len__(self) -> int:
        """How many are shown."""
        return len(self.shown)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, index: int | slice) -> Row | tuple[Row, ...]:
        """A row that is shown."""
        return self.shown[index]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with rows below it."""

    title: str
    anchor: str
    intro: str
    rows: Sequence[Row]


def row(entry: Entry, reason: str = "") -> Row:
    """A feature in a list."""
    record = entry.feature
    return Row(
        id=entry.id,
        title=record.title,
        path=feature_path(entry.id),
        summary=record.summary,
        version=record.version,
        action=record.migration.action,
        kind=record.kind,
        grade=entry.grade,
        is_silent=entry.is_silent,
        concerns=record.migration.applies_when if isinstance(record.migration, RequiredSteps) else "",
        reason=reason,
    )


def rows(entries: Iterable[Entry]) -> tuple[Row, ...]:
    """Features in a list."""
    return tuple(row(entry) for entry in entries)


def first_rows(
    entries: Sequence[Entry], found_by: Mapping[str, str], reason: Callable[[Entry], str] | None = None
) -> Rows:
    """The first features of a list. ``found_by`` is the finder's filter that shows them all, as key and value."""
    shown = tuple(row(entry, reason(entry) if reason else "") for entry in entries[:MOST_ROWS])
    titles = tuple(
        Link(one.feature.title, feature_path(one.id)) for one in entries[MOST_ROWS : MOST_ROWS + MOST_TITLES]
    )
    return Rows(shown, len(entries) - len(shown), titles, f"?{urlencode(found_by)}")


def hardware_link(hardware: Hardware) -> Link:
    """A hardware by its label."""
    return Link(hardware.label, hardware_path(hardware.id))


def area_link(area: Area) -> Link:
    """An area by its label."""
    return Link(area.label, area_path(area.id))


def release_link(release_id: str) -> Link:
    """A release by its number."""
    return Link(release_id, release_path(release_id))


def by_kind(
    entries: Iterable[Entry], found_by: Mapping[str, str], reason: Callable[[Entry], str] | None = None
) -> tuple[Section, ...]:
    """Features in the sections of a page that answers "what does it mean for me": each in exactly one.

    ``found_by`` is the finder's filter of the whole page; ``reason`` says why a feature is in the list.
    """
    chosen: list[list[Entry]] = [[] for _ in _SECTIONS]
    for entry in entries:
        chosen[next(at for at, section in enumerate(_SECTIONS) if section.belongs(entry))].append(entry)
    return tuple(
        Section(one.title, one.anchor, one.intro, first_rows(found, {**found_by, **one.found_by}, reason))
        for one, found in zip(_SECTIONS, chosen, strict=True)
        if found
    )


@dataclass(frozen=True, slots=True)
class _Sort:
    """A section to be."""

    title: str
    anchor: str
    intro: str
    belongs: Callable[[Entry], bool]
    """Whether a feature that no section before has taken is in it."""
    found_by: Mapping[str, str] = field(default_factory=dict)
    """The finder's filter that has all of them, where one value says it."""


def _is_kind(*kinds: Kind) -> Callable[[Entry], bool]:
    return lambda entry: entry.feature.kind in kinds


_SECTIONS = (
    _Sort(
        "What must be done",
        "must-be-done",
        "Whoever is concerned must act.",
        lambda entry: entry.feature.migration.action is Action.REQUIRED,
        {"action": Action.REQUIRED},
    ),
    _Sort(
        "Known issues",
        "known-issues",
        "Faults in a published version, and the way around.",
        _is_kind(Kind.KNOWN_ISSUE),
        {"kind": Kind.KNOWN_ISSUE},
    ),
    _Sort(
        "Recommended",
        "recommended",
        "It works without, and is better with.",
        lambda entry: entry.feature.migration.action is Action.RECOMMENDED,
        {"action": Action.RECOMMENDED},
    ),
    _Sort("What is new", "new", "", _is_kind(Kind.NEW_FEATURE), {"kind": Kind.NEW_FEATURE}),
    _Sort(
        "What is faster",
        "faster",
        "Figures are claims of the source that each page names.",
        lambda entry: (
            entry.feature.kind is Kind.PERFORMANCE
            or (entry.feature.kind is Kind.IMPROVEMENT and Visibility.SPEED in entry.feature.migration.visibility)
        ),
    ),
    _Sort("What works better", "better", "", _is_kind(Kind.IMPROVEMENT, Kind.BUG_FIX)),
    _Sort(
        "What else changed",
        "changed",
        "Defaults, behaviour, requirements, deprecations and removals with nothing that must be done.",
        lambda _entry: True,
    ),
)

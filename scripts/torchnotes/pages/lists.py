"""Features in lists: rows, the sections that answer "what does it mean for me", and links to other pages.

Finished values only, so that a template places things and decides nothing; nothing here is markup.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with rows below it."""

    title: str
    anchor: str
    intro: str
    rows: tuple[Row, ...]


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


def hardware_link(hardware: Hardware) -> Link:
    """A hardware by its label."""
    return Link(hardware.label, hardware_path(hardware.id))


def area_link(area: Area) -> Link:
    """An area by its label."""
    return Link(area.label, area_path(area.id))


def release_link(release_id: str) -> Link:
    """A release by its number."""
    return Link(release_id, release_path(release_id))


def by_kind(entries: Iterable[Entry], reasons: dict[str, str] | None = None) -> tuple[Section, ...]:
    """Features in the sections of a page that answers "what does it mean for me": each in exactly one."""
    left = list(entries)
    sections = []
    for title, anchor, intro, belongs in _SECTIONS:
        chosen = [entry for entry in left if belongs(entry)]
        left = [entry for entry in left if not belongs(entry)]
        if chosen:
            found = tuple(row(entry, (reasons or {}).get(entry.id, "")) for entry in chosen)
            sections.append(Section(title, anchor, intro, found))
    return tuple(sections)


def _is_kind(*kinds: Kind) -> Callable[[Entry], bool]:
    return lambda entry: entry.feature.kind in kinds


_SECTIONS = (
    (
        "What must be done",
        "must-be-done",
        "Whoever is concerned must act.",
        lambda entry: entry.feature.migration.action is Action.REQUIRED,
    ),
    ("Known issues", "known-issues", "Faults in a published version, and the way around.", _is_kind(Kind.KNOWN_ISSUE)),
    (
        "Recommended",
        "recommended",
        "It works without, and is better with.",
        lambda entry: entry.feature.migration.action is Action.RECOMMENDED,
    ),
    ("What is new", "new", "", _is_kind(Kind.NEW_FEATURE)),
    (
        "What is faster",
        "faster",
        "Figures are claims of the source that each page names.",
        lambda entry: (
            entry.feature.kind is Kind.PERFORMANCE
            or (entry.feature.kind is Kind.IMPROVEMENT and Visibility.SPEED in entry.feature.migration.visibility)
        ),
    ),
    ("What works better", "better", "", _is_kind(Kind.IMPROVEMENT, Kind.BUG_FIX)),
    (
        "What else changed",
        "changed",
        "Defaults, behaviour, requirements, deprecations and removals with nothing that must be done.",
        lambda _entry: True,
    ),
)

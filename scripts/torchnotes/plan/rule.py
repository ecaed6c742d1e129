"""Which features an upgrade meets, and which of them have no point in the end.

Each answer depends on one feature and the two versions alone. So a plan over a version in the middle is never at odds
with the two plans that meet there: what is left of both by the rule is the plan. The rule in words: docs/migrate/rule.md.
"""

from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from torchnotes.library import Entry, Library
from torchnotes.model import KnownIssue, RequiredSteps, StepsMigration


@dataclass(frozen=True, slots=True)
class Upgrade:
    """A way from one published version to a later one."""

    start: str
    target: str

    @property
    def id(self) -> str:
        """Permanent name, such as ``2.13.0-to-2.15.0``."""
        return f"{self.start}-to-{self.target}"

    def reaches(self, version: str) -> bool:
        """Whether a version lies on the way: after the start, and not after the target."""
        return Version(self.start) < Version(version) <= Version(self.target)


class Why(StrEnum):
    """Why a feature on the way has no point in the end."""

    NEVER_HAD = "never-had"
    """Who comes from the start never had what it changes."""
    SUPERSEDED = "superseded"
    """A later feature, up to the target, says what holds now."""
    FIXED = "fixed"
    """The target no longer has the fault."""
    NOT_YET = "not-yet"
    """Its steps can be taken only in a version after the target."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A feature on the way that is left out, and why."""

    entry: Entry
    why: Why
    by: Entry | None = None
    """The feature that supersedes it."""
    version: str | None = None
    """The version that mends it, or in which its steps become possible."""


def upgrades(library: Library) -> tuple[Upgrade, ...]:
    """Every way between published versions to a release whose changes are described, the longest first."""
    described = [
        version for version, release in library.versions.items() if not library.releases[release].release.baseline
    ]
    ways = [Upgrade(start, target) for start, target in combinations(library.versions, 2) if target in described]
    order = list(library.versions)
    return tuple(sorted(ways, key=lambda way: (-order.index(way.target), order.index(way.start))))


def has_fault(issue: KnownIssue, version: str) -> bool:
    """Whether a version has a fault, as far as is known: what is known of the nearest version up to it holds on."""
    known = dict.fromkeys(issue.affects.held_by, True) | dict.fromkeys(issue.affects.not_seen_in, False)
    if issue.fixed is not None and issue.fixed.mended_in is not None:
        known.setdefault(issue.fixed.mended_in, False)
    before = [one for one in known if Version(one) <= Version(version)]
    return bool(before) and known[max(before, key=Version)]


def is_met(entry: Entry, way: Upgrade, library: Library) -> bool:
    """Whether an upgrade meets a feature: it changes on the way, or what it asks for becomes possible or due on the way."""
    record, migration = entry.feature, entry.feature.migration
    if isinstance(record, KnownIssue):
        passed = [version for version in library.versions if way.reaches(version)]
        return not has_fault(record, way.start) and any(has_fault(record, version) for version in passed)
    turns = [record.version]
    if isinstance(migration, StepsMigration):
        # Steps that were possible before the change are met with the change.
        turns.append(max(record.version, migration.possible_from, key=Version))
    if isinstance(migration, RequiredSteps):
        turns.append(migration.required_by)
    return any(way.reaches(version) for version in turns)


def superseded_by(entry: Entry, version: str, library: Library) -> Entry | None:
    """The newest feature, up to a version, that supersedes one."""
    later = library.superseding(entry)
    return next((one for one in later if Version(one.feature.version) <= Version(version)), None)


def folded(entry: Entry, way: Upgrade, library: Library) -> Folded | None:
    """Why a feature that an upgrade meets has no point in the end; None when it has."""
    record, migration = entry.feature, entry.feature.migration
    coming_from = record.applies.coming_from
    if coming_from is not None and way.start not in SpecifierSet(coming_from):
        return Folded(entry, Why.NEVER_HAD)
    later = superseded_by(entry, way.target, library)
    if later is not None:
        return Folded(entry, Why.SUPERSEDED, by=later)
    if isinstance(record, KnownIssue) and not has_fault(record, way.target):
        return Folded(entry, Why.FIXED, version=_mended_in(record, way, library))
    if isinstance(migration, StepsMigration) and Version(migration.possible_from) > Version(way.target):
        return Folded(entry, Why.NOT_YET, version=migration.possible_from)
    return None


def _mended_in(issue: KnownIssue, way: Upgrade, library: Library) -> str | None:
    """The first version from which on no version of the way has the fault."""
    passed = [version for version in library.versions if way.reaches(version)]
    last = max(at for at, version in enumerate(passed) if has_fault(issue, version))
    return passed[last + 1] if last + 1 < len(passed) else None

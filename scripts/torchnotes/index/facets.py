"""The groups by which features are filtered: names as in the finder's address, values in display order.

The one home of these names for the index, the finder's page and its first counts.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from torchnotes.library import Entry, Library
from torchnotes.terms import Action, Grade, Kind, Stability, Visibility


@dataclass(frozen=True, slots=True)
class Group:
    """One group of values, and which of them a feature has."""

    name: str
    """Key in the finder's address."""
    values: tuple[str, ...]
    """In display order."""
    of: Callable[[Entry], Iterable[str]]
    """Values of a feature, at least one."""


def groups(library: Library) -> tuple[Group, ...]:
    """All groups, those that most people need first."""
    described = [one.id for one in library.releases.values() if not one.release.baseline]
    versions = [version for version, release in library.versions.items() if release in described]
    return (
        Group("hardware", tuple(library.hardware), library.applies_to),
        Group("release", tuple(reversed(described)), lambda entry: (entry.release,)),
        Group("area", tuple(library.areas), lambda entry: entry.feature.areas),
        Group("action", tuple(Action), lambda entry: (entry.feature.migration.action,)),
        Group("version", tuple(reversed(versions)), lambda entry: (entry.feature.version,)),
        Group("kind", tuple(Kind), lambda entry: (entry.feature.kind,)),
        Group("visibility", tuple(Visibility), lambda entry: entry.feature.migration.visibility),
        Group("stability", tuple(Stability), lambda entry: (entry.feature.stability,)),
        Group("grade", tuple(Grade), lambda entry: (entry.grade,)),
    )

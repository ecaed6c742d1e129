"""The groups by which features are filtered: names as in the finder's address, values in display order.

The one home of these names for the index, the finder's page and its first counts.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from torchnotes.library import Entry, Library
from torchnotes.terms import Action, Grade, Kind, Stability, Term, Visibility


@dataclass(frozen=True, slots=True)
class Group:
    """One group of values, and which of them a feature has."""

    name: str
    """Key in the finder's address."""
    values: tuple[str, ...]
    """In display order."""
    labels: Mapping[str, str]
    """As shown to a reader, by value."""
    of: Callable[[Entry], Iterable[str]]
    """Values of a feature, at least one."""


def groups(library: Library) -> tuple[Group, ...]:
    """All groups, those that most people need first."""
    described = [one.id for one in library.releases.values() if not one.release.baseline]
    versions = [version for version, release in library.versions.items() if release in described]
    hardware = {one.id: one.label for one in library.hardware.values()}
    areas = {one.id: one.label for one in library.areas.values()}
    return (
        _group("hardware", hardware, library.applies_to),
        _group("release", {one: one for one in reversed(described)}, library.releases_with),
        _group("area", areas, lambda entry: entry.feature.areas),
        _group("action", _labels(Action), lambda entry: (entry.feature.migration.action,)),
        _group("version", {one: one for one in reversed(versions)}, lambda entry: (entry.feature.version,)),
        _group("kind", _labels(Kind), lambda entry: (entry.feature.kind,)),
        _group("visibility", _labels(Visibility), lambda entry: entry.feature.migration.visibility),
        _group("stability", _labels(Stability), lambda entry: (entry.feature.stability,)),
        _group("grade", _labels(Grade), lambda entry: (entry.grade,)),
    )


def _group(name: str, labels: Mapping[str, str], of: Callable[[Entry], Iterable[str]]) -> Group:
    return Group(name, tuple(labels), labels, of)


def _labels(terms: type[Term]) -> dict[str, str]:
    return {term.value: term.label for term in terms}

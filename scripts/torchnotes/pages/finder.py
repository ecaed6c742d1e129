"""What the finder's page says before any script runs: facets with their first counts, and the list without scripts."""

from dataclasses import dataclass

from torchnotes.index.facets import groups
from torchnotes.library import ANY_ACCELERATOR, ROOT_HARDWARE, Entry, Library
from torchnotes.pages.lists import Link, Row, hardware_link, release_link, rows
from torchnotes.terms import Action, Grade, Kind, Stability, Term, Visibility

FIRST = 100
"""How many features the list without scripts has."""
_OPEN = {"hardware", "release", "area", "action"}
_LEGENDS = {
    "hardware": "Hardware",
    "release": "Release",
    "area": "Area",
    "action": "Action",
    "version": "Version",
    "kind": "Kind of change",
    "visibility": "How it shows itself",
    "stability": "Stability",
    "grade": "How sure it is",
}
_TERMS: tuple[type[Term], ...] = (Action, Kind, Visibility, Stability, Grade)


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a facet."""

    value: str
    label: str
    count: int
    """Features that a list without other filters has."""
    below: tuple["Choice", ...] = ()
    is_folded: bool = False
    """Whether what is below it is folded away at first."""


@dataclass(frozen=True, slots=True)
class Facet:
    """One group of values to choose from."""

    name: str
    legend: str
    is_open: bool
    choices: tuple[Choice, ...]


def facets(library: Library) -> tuple[Facet, ...]:
    """All facets, in the order of the page."""
    return tuple(_facet(library, group.name) for group in groups(library))


def _facet(library: Library, name: str) -> Facet:
    group = next(one for one in groups(library) if one.name == name)
    counts = dict.fromkeys(group.values, 0)
    for entry in library.entries.values():
        for value in group.of(entry):
            counts[value] += 1
    if name == "hardware":
        choices = _hardware_choices(library, counts)
    else:
        labels = {term.value: term.label for terms in _TERMS if terms.__name__.lower() == name for term in terms}
        if name == "area":
            labels = {area.id: area.label for area in library.areas.values()}
        choices = tuple(Choice(str(value), labels.get(value, str(value)), counts[value]) for value in group.values)
    return Facet(name, _LEGENDS[name], name in _OPEN, choices)


def _hardware_choices(library: Library, counts: dict[str, int]) -> tuple[Choice, ...]:
    def choice(hardware_id: str, *, is_maker: bool) -> Choice:
        label = library.hardware[hardware_id].label
        children = tuple(choice(child, is_maker=False) for child in library.children[hardware_id])
        return Choice(hardware_id, label, counts[hardware_id], children, is_folded=is_maker)

    def flat(hardware_id: str) -> Choice:
        return Choice(hardware_id, library.hardware[hardware_id].label, counts[hardware_id])

    tops = [one for one in (ROOT_HARDWARE, ANY_ACCELERATOR) if one in library.hardware]
    makers = list(library.children.get(ANY_ACCELERATOR, ()))
    others = [one for one in library.children.get(ROOT_HARDWARE, ()) if one != ANY_ACCELERATOR]
    return (*(flat(one) for one in tops), *(choice(one, is_maker=True) for one in (*makers, *others)))


def first_features(library: Library) -> list[tuple[Link, list[tuple[str, tuple[Row, ...]]]]]:
    """The first hundred features by release, newest first, and area; each area with its label."""
    left = FIRST
    found = []
    for release in reversed(tuple(library.releases.values())):
        shown: dict[str, list[Entry]] = {area: [] for area in library.areas}
        for entry in library.of_release(release.id)[:left]:
            shown[entry.feature.areas[0]].append(entry)
            left -= 1
        areas = [(library.areas[area].label, rows(entries)) for area, entries in shown.items() if entries]
        if areas:
            found.append((release_link(release.id), areas))
    return found


def plain_choices(library: Library) -> tuple[list[Link], list[Link]]:
    """Hardware and releases with a page of their own: the choice of who runs no scripts."""
    return (
        [hardware_link(one) for one in library.hardware.values()],
        [release_link(one.id) for one in reversed(tuple(library.releases.values()))],
    )

"""What the finder's page says before any script runs: facets, and the list without scripts."""

from dataclasses import dataclass

from torchnotes.index.facets import Group, groups
from torchnotes.library import ANY_ACCELERATOR, ROOT_HARDWARE, Entry, Library
from torchnotes.model.vocabulary import Hardware
from torchnotes.pages.hardware import makers
from torchnotes.pages.lists import Link, Row, hardware_link, release_link, rows

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


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a facet."""

    value: str
    label: str
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
    return tuple(
        Facet(one.name, _LEGENDS[one.name], one.name in _OPEN, _choices(library, one)) for one in groups(library)
    )


def _choices(library: Library, group: Group) -> tuple[Choice, ...]:
    if group.name == "hardware":
        return hardware_choices(library)
    return tuple(Choice(value, group.labels[value]) for value in group.values)


def hardware_choices(library: Library) -> tuple[Choice, ...]:
    """All hardware to choose from: what is above the makers, then each maker with what is below it."""

    def choice(one: Hardware, *, is_maker: bool) -> Choice:
        below = (library.hardware[child] for child in library.children[one.id])
        return Choice(one.id, one.label, tuple(choice(child, is_maker=False) for child in below), is_folded=is_maker)

    tops = [library.hardware[one] for one in (ROOT_HARDWARE, ANY_ACCELERATOR) if one in library.hardware]
    return (*(Choice(one.id, one.label) for one in tops), *(choice(one, is_maker=True) for one in makers(library)))


def first_features(library: Library) -> list[tuple[Link, list[tuple[str, tuple[Row, ...]]]]]:
    """The first hundred features by release, newest first, and area; each area with its label."""
    left = FIRST
    found = []
    for release in reversed(tuple(library.releases.values())):
        shown: dict[str, list[Entry]] = {area: [] for area in library.areas}
        own = [entry for entry in library.of_release(release.id) if entry.release == release.id]
        for entry in own[:left]:
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

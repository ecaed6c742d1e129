"""Words of the open vocabularies: areas, hardware, devices, release facts."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from torchnotes.checks.place import at
from torchnotes.library import ROOT_HARDWARE, Library
from torchnotes.messages import offer
from torchnotes.problem import Problem
from torchnotes.reading import Contents, Read
from torchnotes.yaml_source import Location

MOST_LEVELS = 8
"""A reader opens the tree level by level."""


def _unknown(
    read: Read[Any], location: Location, words: Iterable[str], known: Collection[str], *, what: str, home: str
) -> Iterator[Problem]:
    """Report each word that is not known; ``location`` is that of the list."""
    for index, word in enumerate(words):
        if word not in known:
            rule = _RULES[what]
            yield at(read, (*location, index), f"no {what} '{word}'", offer(word, known, home), rule)


_RULES = {
    "area": "unknown-area",
    "area or feature": "unknown-feature",
    "hardware": "unknown-hardware",
    "device or hardware": "unknown-hardware",
    "such device of this hardware": "unknown-hardware",
    "source": "unknown-source",
}


def check_feature_areas(contents: Contents, library: Library) -> Iterator[Problem]:
    """Areas of a feature, and what one must use to be concerned, exist."""
    words = {*library.areas, *contents.feature_paths}
    for read in contents.features:
        record = read.record
        yield from _unknown(
            read, ("areas",), record.areas, library.areas, what="area", home="data/vocabulary/areas.yaml"
        )
        if record.applies.uses:
            known = words if read.id in library.areas else words - {read.id}
            yield from _unknown(
                read, ("applies", "uses"), record.applies.uses, known, what="area or feature", home="data/"
            )


def check_area_uses(contents: Contents, library: Library) -> Iterator[Problem]:
    """What one uses with an area is an area, and another one."""
    read = contents.areas
    if read is None:
        return
    for index, area in enumerate(read.record.areas):
        place = ("areas", index, "uses")
        if area.id in area.uses:
            itself = (*place, area.uses.index(area.id))
            yield at(read, itself, "points to itself", "Remove it.", "unknown-area")
        yield from _unknown(read, place, area.uses, library.areas, what="area", home="data/vocabulary/areas.yaml")


def check_feature_hardware(contents: Contents, library: Library) -> Iterator[Problem]:
    """Hardware of a feature and of its claims exists, and none is named beside its own ancestor."""
    for read in contents.features:
        yield from _hardware(read, ("hardware",), read.record.hardware, library)
        yield from _doubled(read, read.record.hardware, library)
        for index, claim in enumerate(read.record.performance):
            yield from _hardware(read, ("performance", index, "hardware"), claim.hardware, library)


def _hardware(read: Read[Any], location: Location, words: Iterable[str], library: Library) -> Iterator[Problem]:
    return _unknown(read, location, words, library.hardware, what="hardware", home="data/vocabulary/hardware.yaml")


def _doubled(read: Read[Any], words: tuple[str, ...], library: Library) -> Iterator[Problem]:
    for index, word in enumerate(words):
        wider = [other for other in words if other in library.ancestors(word)]
        if wider or word in words[:index]:
            what = f"'{word}' is already covered by '{wider[0] if wider else word}'"
            yield at(read, ("hardware", index), what, "Keep the widest that is true.", "doubled-hardware")


def check_hardware_tree(contents: Contents, library: Library) -> Iterator[Problem]:
    """Hardware is one tree with the root first, and parents stand before their children."""
    read = contents.hardware
    if read is None:
        return
    seen: set[str] = set()
    for index, one in enumerate(read.record.hardware):
        place = ("hardware", index, "parent")
        if one.parent is None and one.id != ROOT_HARDWARE:
            yield at(read, place, f"'{one.id}' has no parent", f"Only '{ROOT_HARDWARE}' is the root.", "hardware-tree")
        elif one.parent is not None and one.parent not in library.hardware:
            what = f"no hardware '{one.parent}'"
            yield at(read, place, what, offer(one.parent, library.hardware, "this file"), "hardware-tree")
        elif one.parent is not None and one.parent not in seen:
            what = f"'{one.parent}' stands below its child '{one.id}'"
            yield at(read, place, what, "Move the parent up.", "hardware-tree")
        elif len(library.ancestors(one.id)) > MOST_LEVELS:
            what = f"'{one.id}' stands more than {MOST_LEVELS} levels deep"
            yield at(read, place, what, "Flatten the tree.", "hardware-tree")
        seen.add(one.id)


def check_device_terms(contents: Contents, library: Library) -> Iterator[Problem]:
    """A device belongs to a known family and names known sources; candidates of a name, and examples, exist."""
    if contents.hardware is not None:
        for index, hardware in enumerate(contents.hardware.record.hardware):
            own = tuple(device.name for device in library.devices_of(hardware.id))
            place = ("hardware", index, "examples")
            yield from _unknown(
                contents.hardware,
                place,
                hardware.examples,
                own,
                what="such device of this hardware",
                home="data/vocabulary/devices/",
            )
    names = {device.name for device in library.devices} | set(library.hardware)
    for read in contents.devices:
        for index, device in enumerate(read.record.devices):
            if device.hardware not in library.hardware:
                fix = offer(device.hardware, library.hardware, "data/vocabulary/hardware.yaml")
                place = ("devices", index, "hardware")
                yield at(read, place, f"no hardware '{device.hardware}'", fix, "unknown-hardware")
            place = ("devices", index, "sources")
            yield from _unknown(read, place, device.sources, library.sources, what="source", home="data/sources.yaml")
        for index, one in enumerate(read.record.ambiguous):
            place = ("ambiguous", index, "candidates")
            yield from _unknown(read, place, one.candidates, names, what="device or hardware", home="data/vocabulary/")


def check_release_terms(contents: Contents, library: Library) -> Iterator[Problem]:
    """Facts of a release have a name; its builds and served hardware exist."""
    for read in contents.releases:
        for index, fact in enumerate(read.record.facts):
            place = ("facts", index, "id")
            if fact.id not in library.fact_names:
                fix = offer(fact.id, library.fact_names, "data/vocabulary/facts.yaml")
                yield at(read, place, f"no release fact '{fact.id}'", fix, "unknown-fact")
        for index, build in enumerate(read.record.builds):
            yield from _hardware(read, ("builds", index, "hardware"), build.hardware, library)
        for index, limit in enumerate(read.record.limits):
            yield from _hardware(read, ("limits", index, "hardware"), limit.hardware, library)
        for index, one in enumerate(read.record.serves):
            if one.hardware not in library.hardware:
                fix = offer(one.hardware, library.hardware, "data/vocabulary/hardware.yaml")
                place = ("serves", index, "hardware")
                yield at(read, place, f"no hardware '{one.hardware}'", fix, "unknown-hardware")

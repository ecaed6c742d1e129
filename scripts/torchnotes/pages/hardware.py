"""What the hardware pages say beside lists of features: builds, what runs, devices, and why a feature is shown."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from torchnotes.library import ANY_ACCELERATOR, ROOT_HARDWARE, Entry, Library, ReleaseEntry
from torchnotes.model import Devices
from torchnotes.model.release import Serves, WheelBuild
from torchnotes.model.vocabulary import Hardware
from torchnotes.pages.lists import hardware_link
from torchnotes.pages.needs import PLATFORMS, bounds_text, build_label
from torchnotes.reach import inherited_words, own_words
from torchnotes.terms import Limited, OperatingSystem, Runs, Stops, Wheel

_NAMED_DEVICES = 8
"""Devices by name at the top of a page: what people type into a search engine; all of them stand below."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the newest version runs on a hardware, for who wants to know only that."""

    version: str
    runs: Runs
    """Of the build that serves it best."""
    text: str
    """Which builds, where and through which code, in words."""
    needs: tuple[str, ...]
    """What else the machine must be like."""


def verdict(library: Library, hardware_id: str) -> Verdict | None:
    """Whether the newest version runs on a hardware; None where no release answers for it as a whole."""
    newest = library.newest
    answers = [one for release, one in library.serves(hardware_id) if release is newest]
    if newest is None or not answers:
        return None
    usual = {
        (build.build, platform) for build in newest.release.builds if build.default for platform in build.platforms
    }
    labels = {(one.build, platform): build_label(one) for one in newest.release.builds for platform in one.platforms}
    served: _Places = {}
    unsure: _Places = {}
    other: _Places = {}
    for one in answers:
        through = f", through {one.through}" if one.through else ""
        build = f"{labels.get((one.build, one.platform), one.build.label)}{through}"
        words = "" if one.runs is Runs.YES else f": {one.runs.label}"
        if one.runs is not Runs.NO:
            is_usual = (one.build, one.platform) in usual
            found = other if not is_usual else served if one.runs is Runs.YES else unsure
            found.setdefault((build, words), []).append(one.platform.label)
    unserved = [one.platform.label for one in answers if one.runs is Runs.NO and (one.build, one.platform) in usual]
    parts = []
    if served:
        places = " and on ".join(f"{' and '.join(on)} ({build})" for (build, _), on in served.items())
        parts.append(f"A plain `pip install torch` serves it on {places}.")
    if unsure:
        parts.append(f"What a plain `pip install torch` takes: {_with_places(unsure)}.")
    if unserved and (served or unsure or other):
        parts.append(f"On {' and '.join(unserved)} the wheel that pip takes has no code for it.")
    elif other and not served and not unsure:
        parts.append("A plain `pip install torch` does not serve it.")
    if other:
        parts.append(f"Other builds: {_with_places(other)}.")
    running = [one for one in answers if one.runs is not Runs.NO]
    return Verdict(
        version=newest.newest.version,
        runs=min((one.runs for one in answers), key=_BEST.index),
        text=" ".join(parts) or "No build that is known has code for it.",
        needs=tuple(_needs(library, newest, hardware_id, running)),
    )


_BEST = (Runs.YES, Runs.UNKNOWN, Runs.NOT_PROMISED, Runs.NO)
"""From the best answer to the worst."""
_Places: TypeAlias = dict[tuple[str, str], list[str]]
"""A build with its code, and what is to be added about it → where."""


def _with_places(found: _Places) -> str:
    return "; ".join(f"{build} on {' and '.join(on)}{words}" for (build, words), on in found.items())


def _needs(library: Library, release: ReleaseEntry, hardware_id: str, running: Sequence[Serves]) -> Iterator[str]:
    """Limits of a release that a machine with this hardware can meet or miss, where a build runs on it."""
    builds = {one.build for one in running}
    systems = {PLATFORMS[one.platform][0] for one in running}
    for limit in release.release.limits:
        concerns = not limit.hardware or hardware_id in library.reach_of(limit.hardware)
        is_of_other_system = limit.of is Limited.MACOS and OperatingSystem.MACOS not in systems
        if not concerns or is_of_other_system or (limit.build and not builds & set(limit.build)) or not running:
            continue
        # One can do without it: nobody needs both Pythons.
        if limit.of is Limited.FREE_THREADED:
            continue
        where = "on a Mac " if limit.of is Limited.MACOS and len(systems) > 1 else ""
        purpose = " for GPU work" if limit.stops is Stops.GPU else ""
        yield f"{where}{limit.of.label} {bounds_text(limit.within)}{purpose}"


def named_devices(library: Library, hardware_id: str) -> tuple[str, ...]:
    """Names of some devices of a hardware, as people look for them."""
    if hardware_id in (ROOT_HARDWARE, ANY_ACCELERATOR):
        return ()
    examples = library.hardware[hardware_id].examples
    return examples or tuple(dict.fromkeys(one.name for one in library.devices_of(hardware_id)))[:_NAMED_DEVICES]


def reason_for(library: Library, hardware_id: str) -> Callable[[Entry], str]:
    """Says of a feature why it is shown for a hardware: the tag that reaches it, in words."""
    own = library.hardware[hardware_id]
    above = library.ancestors(hardware_id)

    def reason(entry: Entry) -> str:
        tags = entry.feature.hardware
        if hardware_id in tags:
            return own_words(own) if len(tags) == 1 else own.label
        inherited = next((one for one in above if one in tags), None)
        if inherited is not None:
            return inherited_words(library.hardware[inherited])
        return ", ".join(library.hardware[one].label for one in tags)

    return reason


def usable(library: Library, hardware_id: str) -> tuple[tuple[Entry, ...], int]:
    """Features shown for a hardware, and how many are left out because their release has no build that runs on it."""
    entries = library.of_hardware(hardware_id)
    if not library.is_dropped(hardware_id):
        return entries, 0
    last = library.last_served(hardware_id)
    order = list(library.releases)
    running = order[: order.index(last[0].id) + 1] if last else []
    kept = tuple(one for one in entries if one.release in running or hardware_id in one.feature.hardware)
    return kept, len(entries) - len(kept)


def served(library: Library, hardware_id: str) -> list[tuple[str, Serves]]:
    """Version, and whether a build of it runs on the hardware; newest first."""
    return [(release.newest.version, one) for release, one in reversed(tuple(library.serves(hardware_id)))]


def builds_for(library: Library, hardware_id: str) -> list[tuple[str, WheelBuild, list[Wheel]]]:
    """Builds of the newest release that runs on a hardware: its own, or those of what is above or below it."""
    last = library.last_served(hardware_id)
    release = last[0] if last and library.is_dropped(hardware_id) else library.newest
    if release is None:
        return []
    family = {hardware_id, *library.ancestors(hardware_id), *library.descendants(hardware_id)}
    answers = {(one.build, one.platform): one.runs for at, one in library.serves(hardware_id) if at is release}
    answered = {build for build, _ in answers}

    def may_run(build: WheelBuild, platform: Wheel) -> bool:
        # Where a build is answered for, silence about a platform is no promise.
        runs = answers.get((build.build, platform), Runs.NO if build.build in answered else Runs.UNKNOWN)
        return runs in (Runs.YES, Runs.UNKNOWN)

    found = []
    for build in release.release.builds:
        platforms = [one for one in build.platforms if may_run(build, one)]
        if family & set(build.hardware) and platforms:
            found.append((release.newest.version, build, platforms))
    return found


def makers(library: Library) -> list[Hardware]:
    """What a reader recognises first: the vendors of accelerators, then what else there is (CPUs)."""
    hardware = library.hardware.values()
    vendors = [one for one in hardware if one.parent == ANY_ACCELERATOR]
    others = [one for one in hardware if one.parent == ROOT_HARDWARE and one.id != ANY_ACCELERATOR]
    return [*vendors, *others]


def is_maker_of(library: Library, hardware: Hardware, devices: Devices) -> bool:
    """Whether a hardware is the node of the maker of some devices."""
    families = {device.hardware for device in devices.devices}
    return hardware.parent == ANY_ACCELERATOR and families <= {hardware.id, *library.descendants(hardware.id)}


def devices_by_family(library: Library, hardware_id: str) -> list[tuple[str, list[Any]]]:
    """Devices below a hardware, grouped by family where there are several."""
    groups: dict[str, list[Any]] = {}
    for device in library.devices_of(hardware_id):
        groups.setdefault(device.hardware, []).append(device)
    if hardware_id in (ROOT_HARDWARE, ANY_ACCELERATOR):
        return []
    return [(library.hardware[family].label, found) for family, found in groups.items()]


def tree(library: Library, hardware_id: str) -> dict[str, Any]:
    """A hardware with its devices, the number of its features, and the same for everything below it."""
    one = library.hardware[hardware_id]
    own_devices = [device for device in library.devices if device.hardware == hardware_id]
    return {
        "id": one.id,
        "link": hardware_link(one),
        "definition": one.definition,
        "capabilities": one.capabilities,
        "devices": [device.name for device in own_devices],
        "count": len(library.of_hardware(hardware_id)),
        "children": [tree(library, child) for child in library.children[hardware_id]],
    }

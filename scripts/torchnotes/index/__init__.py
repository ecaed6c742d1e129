"""The library → the finder's index: two JSON files that the browser reads. Pure: knows no disk.

``heads.json`` is all that a filtered list needs: facets, titles, identifiers, hardware, devices and pages.
``words.json`` comes after it: summaries, messages, and which word leads to which feature.
Features are numbered by urgency, so that a number is a rank too.
"""

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

from torchnotes.index.facets import groups
from torchnotes.index.names import spellings
from torchnotes.index.postings import LEVELS, encoded, postings_of
from torchnotes.index.words import SILENT_WORDS
from torchnotes.library import ROOT_HARDWARE, Entry, Library, by_urgency
from torchnotes.links import address, area_path, feature_path, hardware_path, release_path
from torchnotes.model.vocabulary import Hardware
from torchnotes.reach import inherited_words, own_words

FORMAT = 1
"""Counted up when a script of an earlier site could not read the index any more."""
HEADS = "search/heads.json"
WORDS = "search/words.json"
GUIDES = (
    ("Home", "index.md", "start"),
    (
        "Compatibility",
        "compatibility.md",
        "python cuda driver cudnn nccl triton macos rocm versions requirements glibc",
    ),
    ("Hardware and devices", "hardware/index.md", "gpu graphics card which"),
    ("Releases", "releases/index.md", "versions dates"),
    ("Areas", "areas/index.md", "topics"),
    ("All features", "features/all.md", "list alphabetical"),
    ("How search works", "search.md", "finder ranking query help"),
    ("About", "about.md", "unofficial licence trademark"),
    ("Contributing", "contributing.md", "add record rules"),
    ("Fields and words", "contributing/fields.md", "yaml schema vocabulary"),
)
"""Pages of no record: title, source path, and other words for what stands there."""


def index_files(library: Library) -> dict[str, str]:
    """Both files by address below the site's root."""
    entries = by_urgency(library.entries.values())
    heads, words = _heads(entries, library), _words(entries, library)
    # A browser may keep one file of an earlier build: the two must be of one.
    stamp = sha256((_json(heads) + _json(words)).encode()).hexdigest()[:12]
    return {HEADS: _json({"stamp": stamp, **heads}), WORDS: _json({"stamp": stamp, **words})}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def _heads(entries: Sequence[Entry], library: Library) -> dict[str, Any]:
    hardware_spellings, device_spellings = spellings(library)
    at = {one: number for number, one in enumerate(library.hardware)}
    return {
        "format": FORMAT,
        # Side by side, since an id says what its title says: so they are packed best.
        "features": [text for entry in entries for text in (entry.id, entry.feature.title, _leaves(entry))],
        "silent": [number for number, entry in enumerate(entries) if entry.is_silent],
        "groups": _groups(entries, library),
        "address": address(feature_path("*")),
        "hardware": [
            {
                "id": one.id,
                "label": one.label,
                "parent": at.get(one.parent or "", -1),
                "capability": ", ".join(one.capabilities),
                "url": address(hardware_path(one.id)),
                "only": own_words(one),
                "all": inherited_words(one),
                "notice": _notice(library, one),
                "typed": " ".join(typed),
            }
            for one, typed in zip(library.hardware.values(), hardware_spellings, strict=True)
        ],
        "root": at.get(ROOT_HARDWARE, -1),
        "devices": {
            "names": [device.name for device in library.devices],
            "hardware": [at[device.hardware] for device in library.devices],
            "capabilities": [device.capability for device in library.devices],
            "typed": [" ".join(typed) for typed in device_spellings],
        },
        "kinds": {"feature": "Features", "hardware": "Hardware", "page": "Pages"},
        "pages": [[kind, title, address(path), words] for kind, title, path, words in _pages(library)],
        "silentWords": " ".join(sorted(SILENT_WORDS)),
    }


def _words(entries: Sequence[Entry], library: Library) -> dict[str, Any]:
    postings = postings_of(entries, library)
    return {
        "format": FORMAT,
        "summaries": [entry.feature.summary for entry in entries],
        "prefixes": _prefixes(entries),
        "messages": ["\n".join(entry.feature.messages) for entry in entries],
        "levels": LEVELS,
        "words": " ".join(postings),
        "postings": " ".join(encoded(found) for found in postings.values()),
    }


def _groups(entries: Sequence[Entry], library: Library) -> dict[str, Any]:
    """Each group's values, the sets of them that occur, and the number of each feature's set: few are different."""
    found = {}
    for group in groups(library):
        at = {value: number for number, value in enumerate(group.values)}
        # Reach follows from the tags alone, so features with the same tags share their set.
        keys = [entry.feature.hardware if group.name == "hardware" else tuple(group.of(entry)) for entry in entries]
        sets: dict[tuple[str, ...], int] = {}
        of = [sets.setdefault(key, len(sets)) for key in keys]
        values = {number: group.of(entry) for number, entry in zip(of, entries, strict=True)}
        found[group.name] = {
            "values": list(group.values),
            "sets": [[at[value] for value in values[number]] for number in sets.values()],
            "of": of,
        }
        if group.name == "hardware":
            found[group.name]["tags"] = [[at[tag] for tag in key] for key in sets]
    return found


def _names(entry: Entry) -> tuple[str, ...]:
    return entry.feature.symbols + entry.feature.settings


def _split(name: str) -> tuple[str, str]:
    """A dotted name before and behind its last dot, the dot with what stands before; neither is lost, the second is never empty."""
    leaf = name.rstrip(".").rpartition(".")[2] or name
    at = name.rindex(leaf)
    return name[:at], name[at:]


def _leaves(entry: Entry) -> str:
    """The last name of each identifier; what stands before it comes with the words."""
    return "\n".join(_split(name)[1] for name in _names(entry))


def _prefixes(entries: Sequence[Entry]) -> dict[str, Any]:
    """What stands before the last name of each identifier, by number."""
    prefixes: dict[str, int] = {}
    of = [[prefixes.setdefault(_split(name)[0], len(prefixes)) for name in _names(entry)] for entry in entries]
    return {"values": list(prefixes), "of": of}


def _notice(library: Library, hardware: Hardware) -> str | None:
    """What must be said first to who chooses it: that the newest release does not run on it."""
    if not library.is_dropped(hardware.id) or library.newest is None:
        return None
    said = f"No known build of PyTorch {library.newest.newest.version} runs on {hardware.label}."
    last = library.last_served(hardware.id)
    if last is None:
        return f"{said} None of the releases described here has one."
    release, serves = last
    place = f"as the build for {serves.build.label} on {serves.platform.label}"
    return f"{said} The last version that does is {release.newest.version}, {place}."


def _pages(library: Library) -> Iterable[tuple[str, str, str, str]]:
    for title, path, words in GUIDES:
        yield "Guide", title, path, words
    for release in library.releases.values():
        versions = " ".join(one.version for one in release.release.versions)
        yield "Release", f"PyTorch {release.id}", release_path(release.id), versions
    for area in library.areas.values():
        yield "Area", area.label, area_path(area.id), " ".join((area.id, *area.aliases))
    for hardware in library.hardware.values():
        names = " ".join((hardware.id, *hardware.capabilities, *hardware.aliases))
        yield "Hardware", hardware.label, hardware_path(hardware.id), names

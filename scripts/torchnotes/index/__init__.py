"""The library → the finder's index: two JSON files that the browser reads. Pure: knows no disk.

``heads.json`` is all that a filtered list needs: facets, titles, identifiers, hardware, devices and pages.
``words.json`` comes after it: summaries, messages, and which word leads to which feature.
Features are numbered by urgency, so that a number is a rank too.
"""

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

from torchnotes.explained import names_of
from torchnotes.index.facets import groups
from torchnotes.index.names import spellings
from torchnotes.index.postings import LEVELS, encoded, postings_of
from torchnotes.index.words import SILENT_WORDS
from torchnotes.library import ROOT_HARDWARE, Entry, Library, by_urgency
from torchnotes.links import (
    COMPANIONS_PATH,
    address,
    api_path,
    area_path,
    feature_path,
    hardware_path,
    plan_path,
    release_path,
)
from torchnotes.model.vocabulary import Hardware
from torchnotes.plan import upgrades
from torchnotes.reach import inherited_words, own_words

FORMAT = 1
"""Counted up when a script of an earlier site could not read the index any more."""
HEADS = "search/heads.json"
WORDS = "search/words.json"
GUIDES = (
    ("Home", "index.md", "start"),
    ("Plan an upgrade", "migrate/index.md", "migrate migration upgrade update move from to plan paste collect_env"),
    ("How a plan is made", "migrate/rule.md", "folding superseded left out order"),
    (
        "Compatibility",
        "compatibility.md",
        "python cuda driver cudnn nccl triton macos rocm versions requirements glibc",
    ),
    ("Hardware and devices", "hardware/index.md", "gpu graphics card which"),
    ("Releases", "releases/index.md", "versions dates"),
    ("Areas", "areas/index.md", "topics"),
    ("All features", "features/all.md", "list alphabetical"),
    (
        "When CI goes red",
        "guides/ci-red.md",
        "guide broken removed error tests fail attributeerror typeerror importerror modulenotfounderror library maintainer",
    ),
    (
        "Numbers that move",
        "guides/numbers.md",
        "guide numerics numbers results loss expected test values changed different after upgrade tolerance golden drift nan accuracy",
    ),
    ("Guides", "guides/index.md", "how to upgrade migrate moves"),
    (
        "The new NCCL default",
        "guides/nccl-default.md",
        "guide nccl2 nccl-legacy nccl-lazy TORCH_DIST_USE_NCCL2 ProcessGroupNCCL2 device_id LOCAL_RANK lazy_init timeout rollback",
    ),
    (
        "FSDP2 precision",
        "guides/fsdp2-precision.md",
        "guide fully_shard MixedPrecisionPolicy reduce_dtype grad_dtype param_dtype_override_fn bf16 fp32 finalize_backward",
    ),
    (
        "CUDA 13.x wheels",
        "guides/cuda-13.md",
        "guide cu126 cu130 cu132 cu134 12.6 13.0 13.2 13.4 driver 580 535 550 570 turing volta pascal maxwell V100 P100 curand libcurand",
    ),
    (
        "Distributed checkpoints across versions",
        "guides/distributed-checkpoints.md",
        "guide dcp strides fsspec FsspecWriter FsspecReader overwrite rollback downgrade CheckpointException",
    ),
    (
        "C++ extensions",
        "guides/cpp-extensions.md",
        "guide c++20 c++17 std cpp_extension stable abi torchvision headers compile msvc scikit-build-core",
    ),
    (
        "Apple silicon, from 2.13 to 2.15",
        "guides/apple-silicon.md",
        "guide mac macos 15 14 mps metal svd PYTORCH_ENABLE_MPS_FALLBACK fallback MPSGraph",
    ),
    (
        "ROCm through TheRock",
        "guides/rocm-therock.md",
        "guide amd rocm 7.2 7.14 10.0 therock rocm-sdk origami libraries torch/lib",
    ),
    (
        "Python 3.10 to 3.15",
        "guides/python-range.md",
        "guide 3.11 3.12 3.13 3.14 3.14t 3.15t cp310 cp315 free-threaded nogil gil typing-extensions reload",
    ),
    ("Evidence", "evidence.md", "proof proved verify wheels sha256 hash discrepancy disputed announced"),
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
        "api": [_api(library, release_id) for release_id in library.api],
        "messages": ["\n".join(entry.feature.messages) for entry in entries],
        "levels": LEVELS,
        "words": " ".join(postings),
        "postings": " ".join(encoded(found) for found in postings.values()),
    }


def _api(library: Library, release_id: str) -> dict[str, str]:
    """Names that a wheel changed, each of which has its place on one page."""
    url = f"{address(api_path(release_id))}#*"
    return {"kind": f"API of {release_id}", "url": url, "names": " ".join(names_of(library.api[release_id]))}


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
    for way in upgrades(library):
        words = f"migrate migration upgrade update plan vs versus difference between {way.start} {way.target}"
        yield "Upgrade", f"From {way.start} to {way.target}", plan_path(way.id), words
    for release in library.releases.values():
        versions = " ".join(one.version for one in release.release.versions)
        yield "Release", f"PyTorch {release.id}", release_path(release.id), versions
    for release_id, diff in library.api.items():
        words = f"api names removed added renamed parameters operators settings {diff.old.version} {diff.new.version}"
        yield "Release", f"API changes of PyTorch {release_id}", api_path(release_id), words
    for area in library.areas.values():
        yield "Area", area.label, area_path(area.id), " ".join((area.id, *area.aliases))
    for hardware in library.hardware.values():
        names = " ".join((hardware.id, *hardware.capabilities, *hardware.aliases))
        yield "Hardware", hardware.label, hardware_path(hardware.id), names
    for package, companion in library.companions.items():
        numbers = [part for one in library.versions for part in (one, one.rpartition(".")[0])]
        words = " ".join((package, "companion version compatible torch pytorch", *dict.fromkeys(numbers)))
        yield "Companion", companion.name, f"{COMPANIONS_PATH}#{package}", words

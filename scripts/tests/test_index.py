"""The library → the finder's index: what is in it, and that it says the same as the open data."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import builders
import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchnotes.index import GUIDES, HEADS, index_files
from torchnotes.index.facets import groups
from torchnotes.index.names import spellings
from torchnotes.index.postings import LEVELS, _strongest, encoded, postings_of, texts_of
from torchnotes.index.words import SILENT_WORDS, words_of
from torchnotes.library import Library, by_urgency
from torchnotes.links import address
from torchnotes.opendata import feature_record
from torchnotes.pages import pages_of

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden" / "index.json"

FIELDS: dict[str, Callable[[dict[str, Any]], list[str]]] = {
    "hardware": lambda one: one["applies_to"],
    "release": lambda one: releases_with(one),  # noqa: PLW0108  (it stands below)
    "area": lambda one: one["areas"],
    "action": lambda one: [one["migration"]["action"]],
    "version": lambda one: [one["version"]],
    "kind": lambda one: [one["kind"]],
    "visibility": lambda one: one["migration"]["visibility"],
    "stability": lambda one: [one["stability"]],
    "grade": lambda one: [one["grade"]],
}
"""Key in the finder's address → values of a feature in the open data."""


def releases_with(one: dict[str, Any]) -> list[str]:
    """A feature's own release; of a known issue also those that have it or mend it."""
    versions = [one["version"]]
    if one["kind"] == "known-issue":
        affects, fixed = one["affects"], (one["fixed"] or {}).get("in", "")
        versions += [*affects["seen_in"], *affects["suspected_in"], *([fixed] if fixed[:1].isdigit() else [])]
    found = {version.rpartition(".")[0] for version in versions}
    return sorted(found & {"2.14", "2.15"})


@pytest.fixture(scope="module")
def heads(real_library: Library) -> dict[str, Any]:
    return dict(json.loads(index_files(real_library)[HEADS]))


def test_index_is_as_expected(request: pytest.FixtureRequest) -> None:
    """The index of the small knowledge base of ``builders.py``, word for word."""
    made = {path: json.loads(text) for path, text in index_files(builders.library()).items()}
    text = json.dumps(made, ensure_ascii=False, indent=1) + "\n"
    if request.config.getoption("update_golden"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8"), "read the difference, then: pytest --update-golden"


def test_index_is_small_enough(real_library: Library) -> None:
    """Bars in bytes, compressed: 50 KB until the first filtered list, and 450 for each feature in all."""
    sizes = {path: len(gzip.compress(text.encode(), 9)) for path, text in index_files(real_library).items()}
    assert sizes[HEADS] <= 50_000
    assert sum(sizes.values()) <= 450 * len(real_library.entries)


# ---- Words ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Hangs in `new_group`.", ["hangs", "in", "new_group", "new", "group"]),
        (
            "fsdp.MixedPrecisionPolicy",
            ["fsdp.mixedprecisionpolicy", "fsdp", "mixedprecisionpolicy", "mixed", "precision", "policy"],
        ),
        ("TORCH_DIST_USE_NCCL2=0", ["torch_dist_use_nccl2", "torch", "dist", "use", "nccl2", "nccl", "0"]),
        ("--index-url sm_120a", ["index-url", "index", "url", "sm_120a", "sm", "120a", "120"]),
        ("torch 2.15.0, 2.15", ["torch", "2.15.0", "2.15", "2.15"]),
        ("-std=c++17 on macOS 15.0+", ["std", "c++17", "c++", "17", "on", "macos", "mac", "os", "15.0"]),
        ("python3.10 torch2.15.0", ["python3.10", "python", "3.10", "torch2.15.0", "torch", "2.15.0", "2.15"]),
        ("torchvision::nms", ["torchvision", "nms"]),
        ("通信のテンソル NCCL", ["通信", "信の", "のテ", "テン", "ンソ", "ソル", "nccl"]),
        ("… -- . _", []),
    ],
)
def test_text_is_cut_into_words(text: str, found: list[str]) -> None:
    assert [one for word in words_of(text) for one in (word.whole, *word.parts)] == found


@given(st.text())
def test_any_text_can_be_cut(text: str) -> None:
    for word in words_of(text):
        for one in (word.whole, *word.parts):
            assert one
            # Postings and words are lists with a space between their items.
            assert not re.search(r"\s", one)


# ---- Postings -------------------------------------------------------------------------------------------------


def _decoded(text: str) -> list[tuple[int, int]]:
    found = []
    number = -1
    for step, level in re.findall(rf"([0-9a-z]*)([{LEVELS}])", text):
        number += int(step, 36) if step else 1
        found.append((number, LEVELS.index(level)))
    return found


@given(st.dictionaries(st.integers(0, 20_000), st.integers(0, len(LEVELS) - 1)))
def test_postings_survive_their_encoding(postings: dict[int, int]) -> None:
    ordered = sorted(postings.items())
    assert _decoded(encoded(ordered)) == ordered


def test_every_word_of_a_feature_leads_to_it(real_library: Library) -> None:
    entries = by_urgency(real_library.entries.values())
    postings = {word: {number for number, _ in found} for word, found in postings_of(entries, real_library).items()}
    for number, entry in enumerate(entries):
        texts = [text for field in texts_of(entry, real_library).values() for text in field]
        for word in (word for text in texts for word in words_of(text) if word.whole not in SILENT_WORDS):
            for one in word.parts or (word.whole,):
                assert one in SILENT_WORDS or number in postings[one], (entry.id, word)


def test_a_title_weighs_more_than_a_doubt(real_library: Library) -> None:
    """Of all features with a word, one whose title has it stands above one that has it once elsewhere."""
    entries = by_urgency(real_library.entries.values())
    postings = postings_of(entries, real_library)
    at = {entry.id: number for number, entry in enumerate(entries)}
    levels = dict(postings["polar"])
    assert levels[at["linalg-polar"]] == max(levels.values())


# ---- Heads ----------------------------------------------------------------------------------------------------


def test_groups_say_what_the_open_data_says(real_library: Library, heads: dict[str, Any]) -> None:
    assert set(heads["groups"]) == set(FIELDS) == {group.name for group in groups(real_library)}
    for number, feature_id in enumerate(heads["features"][::3]):
        record = feature_record(real_library.entries[feature_id], real_library)
        for name, values in FIELDS.items():
            group = heads["groups"][name]
            assert [group["values"][one] for one in group["sets"][group["of"][number]]] == values(record)


def test_features_are_numbered_by_urgency(real_library: Library, heads: dict[str, Any]) -> None:
    assert heads["features"][::3] == [entry.id for entry in by_urgency(real_library.entries.values())]
    silent = {heads["features"][3 * number] for number in heads["silent"]}
    assert silent == {entry.id for entry in real_library.entries.values() if entry.is_silent}


def test_every_device_and_hardware_can_be_typed(real_library: Library) -> None:
    hardware, devices = spellings(real_library)
    for device, own in zip(real_library.devices, devices, strict=True):
        assert own, device.name
        assert all(one.isalnum() and one == one.lower() for one in own), own
    assert [one for one, own in zip(real_library.hardware, hardware, strict=True) if not own] == [
        "any",
        "any-accelerator",
    ]


def test_a_derived_spelling_never_takes_a_written_one_of_another_family(real_library: Library) -> None:
    """`rtx6000` is written for some cards; no other card gets it by leaving out words of its name."""
    _, devices = spellings(real_library)
    written: dict[str, set[str]] = {}
    for device in real_library.devices:
        for alias in (device.name, *device.aliases):
            written.setdefault("".join(char for char in alias.lower() if char.isalnum()), set()).add(device.hardware)
    ambiguous = {one.typed.replace(" ", "").lower() for vendor in real_library.vendors for one in vendor.ambiguous}
    for device, own in zip(real_library.devices, devices, strict=True):
        for typed in own:
            if typed in written and typed not in ambiguous:
                assert device.hardware in written[typed], (device.name, typed)


def test_notices_name_hardware_that_is_no_longer_served(real_library: Library, heads: dict[str, Any]) -> None:
    noticed = {one["id"] for one in heads["hardware"] if one["notice"]}
    assert noticed == {one for one in real_library.hardware if real_library.is_dropped(one)}
    volta = next(one for one in heads["hardware"] if one["id"] == "nvidia-volta")
    assert "2.14" in volta["notice"]


def test_pages_of_the_index_exist(real_library: Library, heads: dict[str, Any]) -> None:
    written = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    made = {*pages_of(real_library), *written}
    addresses = {address(path) for path in made}
    named = [url.partition("#") for _, _, url, _ in heads["pages"]]
    assert {page for page, _, _ in named} <= addresses
    assert {anchor for _, _, anchor in named} - {""} == set(real_library.companions)
    assert written <= {path for _, path, _ in GUIDES}


def test_a_large_index_keeps_its_strongest_postings() -> None:
    """Whatever was left out is weaker than what was kept, or as weak and more frequent."""
    postings = {f"word{at}": [(number, (number + at) % 4) for number in range(at + 1)] for at in range(30)}
    kept = _strongest(postings, 100)
    assert sum(len(found) for found in kept.values()) == 100
    left_out = [
        (level, -len(found))
        for word, found in postings.items()
        for number, level in found
        if (number, level) not in kept.get(word, [])
    ]
    weakest = min((level, -len(postings[word])) for word, found in kept.items() for _, level in found)
    assert max(left_out) <= weakest
    assert _strongest(postings, 10_000) == postings

"""Features → which word leads to which feature, and how strongly: the part of the ranking that no query changes.

Strength is BM25F's: words of all fields are counted together, each field with its weight and its usual length.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from torchnotes.index.words import SILENT_WORDS, words_of
from torchnotes.library import Entry, Library
from torchnotes.model import KnownIssue, UpstreamSource
from torchnotes.model.feature import ChangedValue, Removal
from torchnotes.model.migration import NoAction

LEVELS = "ABCDEF"
"""Strengths in a posting, the weakest first."""
PER_FEATURE, AT_LEAST = 60, 60_000
"""How many postings an index may have. Beyond that the weakest are left out, and of equal ones those of the most frequent
words first, so that a large library stays quick to load; a small one is indexed whole."""
_WEIGHTS: Mapping[str, float] = {
    "title": 6,
    "names": 6,
    "messages": 5,
    "summary": 3.5,
    "vocabulary": 2,
    "who": 2,
    "change": 2,
    "steps": 1.5,
    "details": 1.5,
    "doubts": 1,
    "sources": 1,
}
_PART = 0.5
"""How much a part of a word counts against the whole."""
_SATURATION = 4.0
"""Weight at which a word has half of its greatest strength."""
_LENGTH = 0.5
"""How much a long field dilutes its words: 0 not at all, 1 wholly."""


def texts_of(entry: Entry, library: Library) -> dict[str, list[str]]:
    """What a feature says, by field."""
    record = entry.feature
    migration = record.migration
    texts: dict[str, list[str]] = {name: [] for name in _WEIGHTS}
    texts["title"] = [record.title, entry.id]
    texts["names"] = [*record.symbols, *record.settings]
    texts["messages"] = list(record.messages)
    texts["summary"] = [record.summary]
    for area in (library.areas[one] for one in record.areas):
        texts["vocabulary"] += [area.label, *area.aliases]
    for hardware in (library.hardware[one] for one in record.hardware):
        texts["vocabulary"] += [hardware.label, *hardware.capabilities, *hardware.aliases]
    texts["vocabulary"] += [record.kind.label, record.version]
    if isinstance(migration, NoAction):
        texts["steps"].append(migration.reason)
    else:
        texts["who"].append(migration.applies_when)
        texts["steps"] += migration.steps
    if migration.keep_old is not None:
        texts["steps"] += [migration.keep_old.how, migration.keep_old.cost]
    texts["details"] += [record.details or "", *(one.what for one in record.earlier)]
    texts["details"] += [f"{one.metric} {one.value} {one.conditions or ''}" for one in record.performance]
    if isinstance(record, ChangedValue):
        texts["change"] += [record.change.of, record.change.before, record.change.after]
    if isinstance(record, Removal):
        texts["change"].append(record.replacement or "")
    if isinstance(record, KnownIssue):
        texts["change"].append(record.cause or "")
    texts["sources"] = [str(source.number) for source in record.sources if isinstance(source, UpstreamSource)]
    for dispute in record.discrepancies:
        texts["doubts"] += [dispute.reported, dispute.found]
    texts["doubts"] += record.not_confirmed
    return texts


def postings_of(entries: Sequence[Entry], library: Library) -> dict[str, list[tuple[int, int]]]:
    """Word → (number of the feature, level of strength from 0), by number; words in order."""
    counted = [{name: _counts(texts) for name, texts in texts_of(entry, library).items()} for entry in entries]
    usual = {
        name: max(1.0, sum(sum(one[name].values()) for one in counted) / max(1, len(counted))) for name in _WEIGHTS
    }
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, fields in enumerate(counted):
        weights: dict[str, float] = defaultdict(float)
        for name, counts in fields.items():
            dilution = 1 - _LENGTH + _LENGTH * sum(counts.values()) / usual[name]
            for word, count in counts.items():
                weights[word] += _WEIGHTS[name] * count / dilution
        for word, weight in weights.items():
            found[word].append((number, _level(weight)))
    return dict(sorted(_strongest(found, max(AT_LEAST, PER_FEATURE * len(entries))).items()))


def _strongest(postings: Mapping[str, list[tuple[int, int]]], most: int) -> dict[str, list[tuple[int, int]]]:
    """At most so many postings: the strongest, and of equal ones those of the rarest words."""
    if sum(len(found) for found in postings.values()) <= most:
        return dict(postings)
    ranked = sorted(
        ((-level, len(found), word, number) for word, found in postings.items() for number, level in found),
    )
    kept: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for level, _, word, number in ranked[:most]:
        kept[word].append((number, -level))
    return {word: sorted(found) for word, found in kept.items()}


def _counts(texts: Iterable[str]) -> dict[str, float]:
    counts: dict[str, float] = defaultdict(float)
    for text in texts:
        for word in words_of(text):
            if word.whole in SILENT_WORDS:
                continue
            # A dotted name is found by its parts; the browser then looks whether they stand together.
            if "." not in word.whole or not word.parts or word.whole[0].isdecimal():
                counts[word.whole] += 1
            for part in word.parts:
                if part not in SILENT_WORDS:
                    counts[part] += _PART
    return counts


def _level(weight: float) -> int:
    return min(len(LEVELS) - 1, math.floor(weight / (weight + _SATURATION) * len(LEVELS)))


def encoded(postings: Iterable[tuple[int, int]]) -> str:
    """Postings as text: the step from the number before in base 36, then the level as a capital; a step of 1 is left out."""
    pieces = []
    before = -1
    for number, level in postings:
        step = number - before
        pieces.append(("" if step == 1 else _base36(step)) + LEVELS[level])
        before = number
    return "".join(pieces)


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits

"""What the benchmark asks a library for: words that many of its features have, and a hardware that cuts them down."""

from collections import Counter
from dataclasses import dataclass

from torchnotes.index.words import SILENT_WORDS
from torchnotes.library import ANY_ACCELERATOR, ROOT_HARDWARE, Entry, Library

_LEAST_LETTERS = 5
_WORDS = 12


@dataclass(frozen=True, slots=True)
class Query:
    """Two words and a hardware, and more words to type afterwards."""

    text: str
    hardware: str
    next_words: tuple[str, ...]


def query_for(library: Library) -> Query:
    """A query that a library answers with a list, chosen by frequency alone."""
    words = {entry.id: _words(entry) for entry in library.entries.values()}
    counts = Counter(word for found in words.values() for word in found)
    common = [word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_WORDS]]
    tags = Counter(tag for entry in library.entries.values() for tag in entry.feature.hardware)
    families = [one for one in library.hardware if one not in (ROOT_HARDWARE, ANY_ACCELERATOR)]
    leaves = [one for one in families if not library.children[one]]
    hardware = max(leaves or families or [ROOT_HARDWARE], key=lambda one: tags[one])
    shown = [words[entry.id] for entry in library.of_hardware(hardware)]
    pairs = [(first, second) for at, first in enumerate(common) for second in common[at + 1 :]]
    found = max(pairs, key=lambda pair: sum(set(pair) <= one for one in shown))
    return Query(" ".join(found), hardware, tuple(word for word in common if word not in found))


def _words(entry: Entry) -> set[str]:
    """Longer words of title and summary, code left out."""
    pieces = f"{entry.feature.title} ` ` {entry.feature.summary}".split("`")[::2]
    return {
        word
        for piece in pieces
        for word in piece.lower().split()
        if word.isalpha() and word.isascii() and len(word) >= _LEAST_LETTERS and word not in SILENT_WORDS
    }

"""Text → the words by which it is found. The browser cuts a query by the same rules (``finder/text.js``).

Knows no English beyond a list of words that say nothing; endings and typing errors are the query's affair.
"""

import re
import unicodedata
from dataclasses import dataclass

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_CHUNK = re.compile(rf"[{_CJK}]+|(?:(?![{_CJK}])[\w.+-])+")
_IS_CJK = re.compile(rf"[{_CJK}]")
_EDGES = re.compile(r"^[-._+]+|[-._]+$|(?<!\+)\+$")
_VERSION = re.compile(r"[0-9]+(?:\.[0-9]+)+")
_GLUED = re.compile(r"([a-zA-Z]+)([0-9]+(?:\.[0-9]+)+)")
# A run of capitals, a capitalised or small word, a number, or letters of other scripts.
_PIECE = re.compile(r"[a-zA-Z]\+\+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^a-zA-Z0-9]+")

_SILENT = """
a an and any are as at be been but by can do does for from get had has have how i if in into is it its me
my no not of on or so still than that the their then there these this to was we what when where which why
will with would you your
"""
SILENT_WORDS = frozenset(_SILENT.split())
"""Words that say nothing by themselves: they are not indexed, and a query need not match them."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word as written, in lower case, and the parts by which it is found too."""

    whole: str
    parts: tuple[str, ...] = ()


def words_of(text: str) -> list[Word]:
    """Cut text into words: ``fsdp.MixedPrecisionPolicy`` → itself, and fsdp, mixedprecisionpolicy, mixed, ...

    Identifiers keep their dots, underscores and hyphens; text in Chinese, Japanese or Korean is cut into pairs.
    """
    found = []
    for written in _CHUNK.findall(text):
        # A single letter of some scripts stands for a phrase with spaces.
        chunk = "".join(unicodedata.normalize("NFKC", written).split())
        if _IS_CJK.match(chunk):
            found += [Word(pair) for pair in _pairs(chunk)]
            continue
        bare = _EDGES.sub("", _EDGES.sub("", chunk))
        if bare:
            found.append(Word(bare.lower(), _parts(bare)))
    return found


def _pairs(run: str) -> list[str]:
    return [run[index : index + 2] for index in range(len(run) - 1)] or [run]


def _parts(bare: str) -> tuple[str, ...]:
    if _VERSION.fullmatch(bare):
        numbers = bare.split(".")
        return (".".join(numbers[:2]),) if len(numbers) > 2 else ()  # noqa: PLR2004
    if glued := _GLUED.fullmatch(bare):
        name, version = glued.groups()
        return tuple(part for part in (name.lower(), version, *_parts(version)) if len(part) > 1)
    parts: dict[str, None] = {}
    for name in bare.split("."):
        parts[name] = None
        for word in re.split(r"[_-]", name):
            parts[word] = None
            parts.update(dict.fromkeys(_PIECE.findall(word)))
    lowered = dict.fromkeys(part.lower().strip("+") if "++" not in part else part.lower() for part in parts)
    return tuple(part for part in lowered if len(part) > 1 and part != bare.lower())

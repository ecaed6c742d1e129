"""Entries → places in files that are read line by line. A comment is not code here either."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from torchnotes.detection.found import Sighting
from torchnotes.model.detect import AnyDetect, DetectLine, DetectSetting
from torchnotes.terms import FileSort

MOST_CHARACTERS = 1_000
"""Of a line; what stands behind them is not looked at. Nobody writes such lines by hand."""
_COMMENTS = {FileSort.CPP: re.compile(r"//|^\s{0,40}/?\*")}
_HASH = re.compile(r"(?<!\S)#")
_SET = re.compile(r"\[\^?\]?[^\]]*\]")
_GROUP = re.compile(r"\([^()]*\)")
_OPTIONAL = re.compile(r".(\?|\{[0-9]+,[0-9]+\})")
_PLAIN = re.compile(r"[A-Za-z0-9_/-]{3,}")
_NOT_SET = frozenset({FileSort.REQUIREMENTS, FileSort.SETUP, FileSort.NOTEBOOK, FileSort.PYTHON})
"""Sorts of files in which no line sets an environment variable, or which are read as Python."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What one entry looks for in a line."""

    entry: int
    pattern: re.Pattern[str]
    words: tuple[str, ...]
    """Text of which some must stand in a file in which it finds anything; empty when that is not known."""

    def may_be_in(self, source: str) -> bool:
        """Whether it is worth while to go through the lines, which is far dearer than to look for a piece of text."""
        return not self.words or any(word in source for word in self.words)


class LineEntries:
    """Entries, ready for any number of files."""

    def __init__(self, entries: Sequence[AnyDetect]) -> None:
        """Compile what each sort of file is searched for."""
        self._of_sort: dict[FileSort, list[_Wanted]] = {sort: [] for sort in FileSort}
        for index, one in enumerate(entries):
            if isinstance(one, DetectLine):
                wanted = _Wanted(index, re.compile(one.pattern), words_of(one.pattern))
                for sort in one.files:
                    self._of_sort[sort].append(wanted)
            elif isinstance(one, DetectSetting) and "." not in one.name:
                wanted = _Wanted(index, _setting(one), (one.name,))
                for sort in FileSort:
                    if sort not in _NOT_SET:
                        self._of_sort[sort].append(wanted)

    def sightings(self, source: str, sort: FileSort) -> Iterator[Sighting]:
        """Where entries find something. Lines end with a line feed."""
        wanted = [one for one in self._of_sort[sort] if one.may_be_in(source)]
        if not wanted:
            return
        for number, whole in enumerate(source.split("\n"), start=1):
            line = whole[:MOST_CHARACTERS]
            for one in wanted:
                found = one.pattern.search(line)
                if found and found.start() < _end_of_code(line, sort):
                    yield Sighting(number, found.start() + 1, one.entry)


def words_of(pattern: str) -> tuple[str, ...]:
    """The longest plain text of each alternative of a pattern; nothing when one of them has none worth looking for."""
    bare = re.sub(r"\\.", " ", pattern)
    bare = _SET.sub(" ", bare)
    while bare != (bare := _GROUP.sub(" ", bare)):
        pass
    alternatives = [_PLAIN.findall(_OPTIONAL.sub(" ", one)) for one in bare.split("|")]
    longest = [max(words, key=len, default="") for words in alternatives]
    return tuple(longest) if all(longest) else ()


def _setting(one: DetectSetting) -> re.Pattern[str]:
    name = rf"(?<![A-Za-z0-9_]){re.escape(one.name)}(?![A-Za-z0-9_])"
    if not one.values:
        return re.compile(name)
    values = "|".join(re.escape(value) for value in one.values)
    return re.compile(rf"{name}[\"']?[ \t]{{0,3}}[=:, \t][ \t]{{0,3}}[\"']?({values})(?![A-Za-z0-9_.])")


def _end_of_code(line: str, sort: FileSort) -> int:
    """Where a comment begins, or the line ends. A mark between quotes begins none."""
    for mark in _COMMENTS.get(sort, _HASH).finditer(line):
        before = line[: mark.start()]
        if before.count('"') % 2 == 0 and before.count("'") % 2 == 0:
            return mark.start()
    return len(line)

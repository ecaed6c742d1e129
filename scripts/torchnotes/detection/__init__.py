"""Source text + file name + entries of migration notes → places: pure, knows no disk and no library.

Python is read as syntax (``python``, with names resolved by ``names``), everything else by lines (``lines``); an entry
of lines can ask for Python by lines too. Never raises on what a file holds: what cannot be read is said.
"""

from collections.abc import Sequence

from torchnotes.detection.found import Sighting, Sightings
from torchnotes.detection.lines import LineEntries
from torchnotes.detection.notebook import code_of_notebook, without_magic
from torchnotes.detection.python import PythonEntries
from torchnotes.detection.sorts import is_named, sort_of
from torchnotes.model.detect import AnyDetect
from torchnotes.terms import FileSort

__all__ = ["Detector", "Sighting", "Sightings", "is_named", "sort_of", "with_line_feeds"]


def with_line_feeds(source: str) -> str:
    """Lines as Python and editors count them: without a byte order mark, and each ended by a line feed."""
    return source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


class Detector:
    """Entries, ready for any number of files."""

    def __init__(self, entries: Sequence[AnyDetect]) -> None:
        """Make ready what is looked for."""
        self._python = PythonEntries(entries)
        self._lines = LineEntries(entries)

    def sightings(self, path: str, source: str) -> Sightings:
        """Where entries find something in a file, by line."""
        text = with_line_feeds(source)
        sort = sort_of(path, text.partition("\n")[0])
        match sort:
            case None:
                return Sightings()
            case FileSort.NOTEBOOK:
                return self._in_notebook(text)
            case FileSort.PYTHON | FileSort.SETUP:
                parsed = self._python.sightings(text)
                found = {*parsed.found, *self._lines.sightings(text, sort)}
                return Sightings(tuple(sorted(found)), parsed.unread)
        return Sightings(tuple(sorted(self._lines.sightings(text, sort))))

    def _in_notebook(self, text: str) -> Sightings:
        try:
            source, numbers = code_of_notebook(text)
        except (ValueError, RecursionError):
            return Sightings(unread="could not be read as a notebook")
        parsed = self._python.sightings(without_magic(source))
        found = {*parsed.found, *self._lines.sightings(source, FileSort.NOTEBOOK)}
        placed = (Sighting(numbers[one.line - 1], one.column, one.entry) for one in found)
        return Sightings(tuple(sorted(placed)), parsed.unread)

"""Files below the paths that somebody names: which are read, and which are passed over and why.

Follows no link below a named path, so no circle can catch it. Refuses to read what git ignores, and folders that hold
other people's code. A path that is named is read whatever git says.
"""

import codecs
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from torchnotes.detection import is_named, sort_of
from torchnotes.scan.ignoring import ignoring_in

MOST_BYTES = 5_000_000
"""Of a file. Larger ones are data or generated; the largest hand-written Python module known here has 1 MB."""
_FIRST_BYTES = 8_000
"""A zero byte among these means that a file is no text: git looks at as many."""
OTHERS = frozenset(
    {".git", ".hg", ".svn", ".tox", ".nox", ".mypy_cache", ".ruff_cache", ".pytest_cache", "__pycache__"}
    | {"node_modules", "site-packages", ".eggs", ".ipynb_checkpoints"}
)
"""Names of folders that hold nothing of one's own code."""


@dataclass(slots=True)
class Walk:
    """What was met on the way."""

    unread: list[tuple[str, str]] = field(default_factory=list)
    """Path and reason of everything that should have been read and could not be."""

    def files(self, paths: Iterable[Path]) -> Iterator[Path]:
        """Every file to read, each once, in the order of the paths and then of the names."""
        seen: set[tuple[int, int]] = set()
        for path in paths:
            found = self._below(path) if path.is_dir() else iter([path])
            for file in found:
                status = self._status(file)
                if status is not None and (status.st_dev, status.st_ino) not in seen:
                    seen.add((status.st_dev, status.st_ino))
                    yield file

    def _status(self, file: Path) -> os.stat_result | None:
        try:
            status = file.stat()
        except OSError as error:
            self._complain(file, error)
            return None
        if not stat.S_ISREG(status.st_mode):
            # A pipe or a device, and named by somebody: nothing else of the kind is met.
            self.unread.append((os.fspath(file), "not a regular file"))
            return None
        return status

    def _complain(self, path: Path | str, error: OSError) -> None:
        self.unread.append((os.fspath(path), error.strerror or type(error).__name__))

    def _below(self, top: Path) -> Iterator[Path]:
        # Rules name paths from their own folder, wherever that is; so both sides are absolute.
        start = Path(os.path.abspath(top))
        waiting = [(start, ignoring_in(start))]
        while waiting:
            folder, above = waiting.pop()
            rules = above if folder == start else above.below(folder.name)
            try:
                with os.scandir(folder) as entries:
                    inside = sorted(entries, key=lambda entry: entry.name)
            except OSError as error:
                self._complain(top / folder.relative_to(start), error)
                continue
            folders = []
            for entry in inside:
                path = folder / entry.name
                if entry.is_dir(follow_symlinks=False):
                    if not _is_others(entry) and not rules.ignores(path, is_folder=True):
                        folders.append((path, rules))
                elif _is_wanted(entry) and not rules.ignores(path, is_folder=False):
                    yield top / path.relative_to(start)
            waiting += reversed(folders)

    def text_of(self, file: Path) -> str | None:
        """What a file says; None when it is no text, or nothing is looked for in its sort."""
        try:
            with file.open("rb") as opened:
                data = opened.read(MOST_BYTES + 1)
        except OSError as error:
            self._complain(file, error)
            return None
        has_zeros = b"\0" in data[:_FIRST_BYTES]
        # Windows writes lists of packages so: zeros in it are no sign of something binary.
        encoding = next((name for mark, name in _MARKS if has_zeros and data.startswith(mark)), "utf-8")
        is_binary = has_zeros and encoding == "utf-8"
        if (
            is_binary
            or sort_of(file.as_posix(), data[:200].decode(encoding, errors="replace").partition("\n")[0]) is None
        ):
            return None
        if len(data) > MOST_BYTES:
            self.unread.append((os.fspath(file), f"larger than {MOST_BYTES:,} bytes"))
            return None
        return data.decode(encoding, errors="replace")


_MARKS = ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def _is_others(entry: os.DirEntry[str]) -> bool:
    """Whether a folder holds other people's code: by its name, or because it is a virtual environment."""
    return entry.name in OTHERS or os.path.lexists(os.path.join(entry.path, "pyvenv.cfg"))


def _is_wanted(entry: os.DirEntry[str]) -> bool:
    """Whether something may be looked for in a file, as far as its name tells. ``requirements/base.txt`` needs its path."""
    name = entry.name
    by_name = sort_of(name) is not None or not is_named(name) or name.endswith((".txt", ".in"))
    return by_name and entry.is_file(follow_symlinks=False)

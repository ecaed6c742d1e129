"""A bar on a terminal while a large tree is read. Says nothing into a pipe, and nothing about a small tree."""

import time
from typing import TextIO

FEW_FILES = 200
"""A scan of fewer files is over before anybody looks."""
_WIDTH = 30
_PAUSE = 0.1
"""Seconds between two drawings: more often costs time and flickers."""


class Bar:
    """Draws itself over the last line of a terminal."""

    def __init__(self, stream: TextIO) -> None:
        """Draw nothing yet."""
        self._stream = stream
        self._drawn = 0.0
        self._is_shown = False

    def __call__(self, done: int, every: int) -> None:
        """Show how many files were read, now and then."""
        now = time.monotonic()
        if every < FEW_FILES or now - self._drawn < _PAUSE or not self._stream.isatty():
            return
        self._drawn = now
        self._is_shown = True
        full = _WIDTH * done // every
        self._stream.write(f"\r[{'#' * full}{'.' * (_WIDTH - full)}] {done}/{every} files")
        self._stream.flush()

    def clear(self) -> None:
        """Take the bar away again."""
        if self._is_shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

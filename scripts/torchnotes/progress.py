"""A bar on a terminal while much is read. Says nothing into a pipe, and nothing about a little."""

import time
from typing import TextIO

FEW = 200
"""Fewer are done before anybody looks."""
_WIDTH = 30
_PAUSE = 0.1
"""Seconds between two drawings: more often costs time and flickers."""


class Bar:
    """Draws itself over the last line of a terminal."""

    def __init__(self, stream: TextIO, things: str, few: int = FEW) -> None:
        """Draw nothing yet. ``things``: what is counted, in the plural; fewer than ``few`` show no bar."""
        self._few = few
        self._things = things
        self._stream = stream
        self._drawn = 0.0
        self._is_shown = False

    def __call__(self, done: int, every: int) -> None:
        """Show how many are done, now and then."""
        now = time.monotonic()
        if every < self._few or now - self._drawn < _PAUSE or not self._stream.isatty():
            return
        self._drawn = now
        self._is_shown = True
        full = _WIDTH * done // every
        self._stream.write(f"\r[{'#' * full}{'.' * (_WIDTH - full)}] {done}/{every} {self._things}")
        self._stream.flush()

    def clear(self) -> None:
        """Take the bar away again."""
        if self._is_shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

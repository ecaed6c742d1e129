"""Source text of others, made fit to be stored: one line, of a length that people read."""

from torchnotes.problem import on_one_line

LONGEST = 200
"""Characters of a default or a value. What is longer says little more."""


def shortened(text: str) -> str:
    """On one line, without what a terminal would obey, and cut where it is long."""
    line = on_one_line(" ".join(text.split())) or "''"
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"

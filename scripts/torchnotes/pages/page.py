"""What the pages stage hands on: Markdown text, and where it came from."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """One generated page."""

    path: str
    """Source path, such as ``features/nccl-default.md``."""
    text: str
    """Markdown with front matter."""
    source: str | None = None
    """File in ``data/`` that it mainly shows, for the edit link; None for a page made of many files."""

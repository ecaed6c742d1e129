"""For the theme's own search in the benchmark: a hook that keeps every page but those of features out of its index.

So it indexes the same records as the finder, each once, and not the lists that repeat them.
"""

from typing import Any


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Exclude what is no feature."""
    place = page.file.src_uri
    if not place.startswith("features/") or place in ("features/index.md", "features/all.md"):
        page.meta["search"] = {"exclude": True}
    return markdown

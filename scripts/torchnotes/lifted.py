"""Keeps finished HTML out of the hands of the Markdown parsers, which would read every tag of it twice.

Two thirds of a feature's page are blocks of HTML that Markdown hands on as they are, and reading them is 40 % of a
build. So each such block is lifted out of the text, an empty element keeps its place, and it is put back afterwards.
The pages themselves stay plain Markdown for any other generator.
"""

import re
from typing import Any

_FENCE = re.compile(r"`{3,}")
_OPENING = re.compile(r"<([a-z][a-z0-9]*)(?=[ >])")
_MARKED = re.compile(r"<[^<>]*\smarkdown=")
"""A tag that lets Markdown in; the same words in a text mean nothing."""
_PLACE = re.compile(r'<div data-lifted="([0-9]+)"></div>')
_ID = re.compile(r'\bid="([^"]*)"')


def lifted(markdown: str) -> tuple[str, list[str]]:
    """Markdown without its whole blocks of HTML, and those blocks."""
    blocks: list[str] = []
    kept: list[str] = []
    fence = ""
    lines = markdown.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        if fence:
            fence = "" if line.rstrip() == fence else fence
        elif found := _FENCE.match(line):
            fence = found.group()
        elif line.startswith("<") and (at == 0 or not lines[at - 1].strip()):
            end = at
            while end < len(lines) and lines[end].strip():
                end += 1
            block = "\n".join(lines[at:end])
            if _is_whole(block):
                kept.append(f'<div data-lifted="{len(blocks)}"></div>')
                blocks.append(block)
                at = end
                continue
        kept.append(line)
        at += 1
    return "\n".join(kept), blocks


def _is_whole(block: str) -> bool:
    """Whether a block opens what it closes, and Markdown has nothing to do in it."""
    opening = _OPENING.match(block)
    if opening is None or _MARKED.search(block) or _PLACE.search(block):
        return False
    tag = opening.group(1)
    return block.endswith(f"</{tag}>") and len(re.findall(rf"<{tag}[ >]", block)) == block.count(f"</{tag}>")


class LiftedBlocks:
    """``before`` and ``after`` are called around the rendering of each page."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._blocks: list[str] = []

    def before(self, markdown: str) -> str:
        """What to render."""
        text, self._blocks = lifted(markdown)
        return text

    def after(self, page: Any, html: str) -> str:
        """The HTML with every block in its place, and the page told of the anchors in them."""
        for block in self._blocks:
            page.present_anchor_ids.update(_ID.findall(block))
        return _PLACE.sub(lambda match: self._blocks[int(match.group(1))], html)

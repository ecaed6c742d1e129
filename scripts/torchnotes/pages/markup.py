"""Untrusted text → Markdown and HTML, escaped. The one place where data becomes markup.

Text is plain with `code` between backticks; prose is paragraphs and lists of such text. Nothing else is markup, so
what looks like HTML, a link or an attribute list in a record is shown as it stands.
"""

import re
from collections.abc import Iterator

from markupsafe import Markup, escape

from torchnotes.model.migration import CodeExample

# Everything that Python-Markdown or an extension of ours gives a meaning. Entities, not backslashes: a backslash
# is itself only sometimes an escape.
_SPECIAL = re.compile(r"[\\`*_{}\[\]<>&#!|~^]")


def _segments(text: str) -> Iterator[tuple[bool, str]]:
    """Pieces of one-line text: (is code, text)."""
    # Two backticks side by side hold nothing, or end one piece of code where the next begins.
    for index, piece in enumerate(" ".join(text.replace("``", "").split()).split("`")):
        # Spaces at the edge of code stand outside it: Markdown would drop them.
        code = piece.strip() if index % 2 else ""
        for part in piece.partition(code) if code else (piece,):
            if part:
                yield part == code, part


def plain(text: str) -> str:
    """Text without its backticks."""
    return " ".join(text.replace("`", "").split())


def html(text: str) -> Markup:
    """Text as HTML: escaped, with ``<code>``."""
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if is_code else escape(piece) for is_code, piece in _segments(text)
    )


def markdown(text: str) -> Markup:
    """Text as Markdown: escaped, with code spans."""
    # No backtick can be inside code (it would have ended it), so one on each side is enough.
    pieces = [f"`{piece}`" if is_code else _escaped(piece) for is_code, piece in _segments(text)]
    line = "".join(pieces).strip()
    # A line that begins like a list, a heading underline or a definition is not one.
    line = re.sub(r"^[-+=:]", _entity, line)
    line = re.sub(r"^(\d+)([.)])(?= |$)", lambda match: f"{match[1]}&#{ord(match[2])};", line)
    return Markup(line)  # noqa: S704


def _escaped(piece: str) -> str:
    return _SPECIAL.sub(_entity, piece)


def _entity(match: re.Match[str]) -> str:
    return f"&#{ord(match.group())};"


def prose(text: str) -> Markup:
    """Paragraphs and lists as Markdown."""
    blocks: list[str] = []
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = [line.rstrip() for line in block.split("\n")]
        if any(re.match(r"\s*- ", line) for line in lines):
            blocks.append(_list(lines))
        else:
            blocks.append(markdown(block))
    return Markup("\n\n".join(blocks))  # noqa: S704


def _list(lines: list[str]) -> str:
    """A block in which some lines begin with ``- ``: what stands before is a paragraph, the rest are items."""
    opening: list[str] = []
    items: list[list[str]] = []
    for line in lines:
        if match := re.match(r"\s*- (.*)", line):
            items.append([match.group(1)])
        elif items:
            items[-1].append(line)
        else:
            opening.append(line)
    parts: list[str] = [markdown(" ".join(opening))] if opening else []
    parts.append("\n".join(f"- {markdown(' '.join(item))}" for item in items))
    return "\n\n".join(parts)


def fence(example: CodeExample) -> Markup:
    """Code as a fenced block whose fence is longer than any run of backticks in it."""
    longest = max((len(run) for run in re.findall(r"`+", example.code)), default=0)
    ticks = "`" * max(3, longest + 1)
    return Markup(f"{ticks}{example.language}\n{example.code.rstrip()}\n{ticks}")  # noqa: S704


def metadata(text: str) -> str:
    """Text for front matter. The theme puts it into HTML as it stands, so it is escaped here."""
    return str(escape(plain(text)))

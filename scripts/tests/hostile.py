"""The small knowledge base with every text replaced: by what an attacker or an accident would write, and its twin.

Both have the same records, with the same number of words and code spans at the same places; so both must give pages
with the same elements and attributes. Which fields hold text is read from the model: a new field is attacked too.
"""

import copy
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import builders
from pydantic import BaseModel

from torchnotes.model import text as texts
from torchnotes.model.detect import Detect, DetectExamples
from torchnotes.model.migration import CodeExample
from torchnotes.reading import model_of, validate
from torchnotes.yaml_source import Document, parse

PAYLOADS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'><svg/onload=alert(1)> <b>bold</b> <br> <hr>",
    "[x](javascript:alert(1)) ![y](https://evil.example/z.png) [z][ref]",
    "<https://evil.example> https://evil.example/auto www.evil.example a@evil.example",
    "{: onclick=alert(1) #x .y } {#x} { .y onclick=alert(1) }",
    "</title><script>alert(1)</script></code></pre></p></div></article>",
    '--8<-- "mkdocs.yml"',
    "[TOC]",
    "| a | b |",
    "`<b>code</b>` and `{: .x }` and `` ``",
    "``` ``` `<script>alert(1)</script>`",
    "# heading",
    "heading {#anchor}",
    "- item - item",
    "+ item",
    "1. item 2) item",
    "> quote",
    "!!! note",
    "??? note",
    "~~~ ~~~",
    "*** ___ ---",
    "=== ---",
    ": definition",
    "[ref]: https://evil.example",
    "*[word]: title",
    "[^1]: note[^1]",
    "&lt;b&gt; &amp; &#60;script&#62; &nbsp; &copy; &",
    "\\<b\\> \\* \\\\ \\n",
    "{{ 7*7 }} {% raw %} ${x} %(x)s {0}",
    "*a* **b** _c_ __d__ ~~e~~ ^^f^^ ==g== ++h++ H~2~O ^2^",
    ":smile: :material-alert:",
    "<!-- comment --> <!-- open",
    '<div markdown="1"> <style>*{display:none}</style>',
    "]]> <![CDATA[ <?php ?>",
    "key: value # comment",
    "شكرا جزيلا עברית",
    "🔥👩\u200d💻 𝔘𝔫𝔦 ﬁ ½ ⅷ",
    "w" * 400,
)
"""One line each, with an even number of backticks."""


def _twin(text: str) -> str:
    """The same shape of text without anything in it that could mean something."""
    return re.sub(r"(?<![^\s`])(?!n\d+x\d+\b)[^\s`]+", "word", text)


def _prose(payload: str) -> str:
    """The payload as a paragraph, as an item, inside a line, and as a paragraph after them."""
    return f"{payload}\n\n- {payload}\n- in a line {payload}\n  {payload}\n\n{payload}"


def _fit(text: str, longest: int) -> str:
    cut = text[:longest].rstrip(". ")
    return cut.rpartition("`")[0] if cut.count("`") % 2 else cut


class _Replacer:
    """Gives each text another one; the same text always the same, so that names which must agree still do."""

    def __init__(self, payloads: Sequence[str], tag: int, *, benign: bool) -> None:
        """Use ``payloads`` in turn; the number ``tag`` tells the texts of several replacers apart."""
        self._payloads = payloads
        self._tag = tag
        self._benign = benign
        self._known: dict[tuple[str, str], str] = {}

    def text(self, old: str, sort: str) -> str:
        """What stands in the place of a text."""
        if old in _HARDWARE_IDS:
            return old
        if (sort, old) not in self._known:
            number = len(self._known)
            payload = self._payloads[number % len(self._payloads)]
            self._known[sort, old] = self._new(payload, f"n{self._tag}x{number}", sort)
        return self._known[sort, old]

    def _new(self, payload: str, mark: str, sort: str) -> str:
        twin = _twin if self._benign else str
        if sort == "python":
            return f"# {twin(payload)}\nvalue = {twin(payload)!r}  # {mark}\n"
        if sort == "code":
            return f"{twin(payload)} {mark}\n"
        if sort == "prose":
            lines = f"{_prose(_fit(payload, 300))} {mark}".split("\n")
            return "\n".join(_after_marker(twin, line) for line in lines)
        text = _fit(payload, {"title": 90, "verbatim": 380, "text": 680}[sort])
        # Titles begin alike in both twins, so that lists that are cut short hold the same features.
        return f"{mark} {twin(text)}" if sort == "title" else twin(f"{text} {mark}")


def _after_marker(change: Callable[[str], str], line: str) -> str:
    """A line of prose changed, but for what makes it an item or a line that goes on: that is ours, not the payload's."""
    marker = re.match(r" {0,2}(- )?", line)
    assert marker is not None
    return marker.group() + change(line[marker.end() :])


_HARDWARE_IDS = {one["id"] for one in builders.BASE[builders.HARDWARE]["hardware"]}
"""A name that people type may stand for a hardware id; that is not text."""


def _sort_of(annotation: Any, metadata: tuple[Any, ...]) -> str | None:
    """Which sort of free text a field holds, from the longest text that it allows; None for ids and the like."""
    parts = (*metadata, *getattr(annotation, "__metadata__", ()))
    if any(getattr(part, "func", None) is texts._visible for part in parts):
        longest = next((part.max_length for part in parts if getattr(part, "max_length", None)), 0)
        return {110: "title", 700: "text", 1_600: "prose", 3_000: "code", 400: "verbatim"}.get(longest)
    found = (_sort_of(arg, ()) for arg in get_args(annotation) if arg is not Ellipsis)
    return next((sort for sort in found if sort), None)


def _replaced(record: Any, values: Any, replacer: _Replacer) -> Any:
    """``values`` with every free text replaced; ``record`` is the validated form that tells which they are."""
    if isinstance(record, tuple):
        return [_replaced(one, value, replacer) for one, value in zip(record, values, strict=True)]
    if not isinstance(record, BaseModel) or isinstance(record, DetectExamples):
        return values
    found = dict(values)
    for name, field in type(record).model_fields.items():
        key, value = field.alias or name, getattr(record, name)
        if key not in values or value is None:
            continue
        sort = _sort_of(field.annotation, tuple(field.metadata))
        if sort == "code":
            is_python = isinstance(record, CodeExample) and record.language.value == "python"
            sort = "python" if is_python else "code"
        if isinstance(record, Detect) and sort == "verbatim":
            # What is looked for, and its examples must still show it.
            continue
        if sort is None:
            found[key] = _replaced(value, values[key], replacer)
        elif isinstance(value, tuple):
            found[key] = [replacer.text(one, sort) for one in values[key]]
        else:
            found[key] = replacer.text(values[key], sort)
    return found


def _renamed(values: Any, suffix: str, ids: set[str]) -> Any:
    if isinstance(values, list):
        return [_renamed(one, suffix, ids) for one in values]
    if isinstance(values, dict):
        return {key: _renamed(value, suffix, ids) for key, value in values.items()}
    return f"{values}{suffix}" if values in ids else values


def _files(*, benign: bool) -> Iterator[tuple[str, Any]]:
    """Path below ``data/`` and values: the base once with payloads in turn, and its records once for each payload."""
    features = [path for path in builders.BASE if path.startswith("features/")]
    ids = {Path(path).stem for path in features}
    turn = _Replacer(PAYLOADS, 0, benign=benign)
    for path, values in builders.BASE.items():
        yield path, _attacked(path, values, turn)
    for number, payload in enumerate(PAYLOADS, start=1):
        for place, path in enumerate(features):
            one = _Replacer([payload], number * 10 + place, benign=benign)
            values = _renamed(copy.deepcopy(builders.BASE[path]), f"-{number}", ids)
            yield path.replace(".yaml", f"-{number}.yaml"), _attacked(path, values, one)


def _attacked(path: str, values: Any, replacer: _Replacer) -> Any:
    document = parse(builders.house_text(path, values).encode(), path)
    assert isinstance(document, Document), document
    record = validate(document, model_of(path))
    assert isinstance(record, BaseModel), record
    return _not_seen(_replaced(record, values, replacer))


def _not_seen(values: Any) -> Any:
    """What is attacked is no longer what wheels say, so nobody may claim to have seen it in one."""
    if isinstance(values, list):
        return [_not_seen(one) for one in values]
    if isinstance(values, dict):
        return {key: "upstream" if (key, one) == ("basis", "wheel") else _not_seen(one) for key, one in values.items()}
    return values


def write_hostile(root: Path, *, benign: bool) -> Path:
    """Write the attacked knowledge base, or its twin, below ``root/data``; return ``root``."""
    return builders.write_base(root, **dict(_files(benign=benign)))

"""What a scan found, as text, as JSON, or as annotations of GitHub Actions. Pure.

Quotes names and code of strangers, so everything is escaped that a terminal would obey.
"""

import json
from collections.abc import Iterator
from itertools import groupby

from torchnotes.library import Entry
from torchnotes.links import address, feature_path
from torchnotes.model import StepsMigration
from torchnotes.problem import annotation, on_one_line
from torchnotes.scan import Finding, Scanned
from torchnotes.terms import Action

JSON_VERSION = 1
"""Counted up when something that a program could rely on goes or changes its meaning."""
_LEVELS = {Action.REQUIRED: "error", Action.RECOMMENDED: "warning"}
"""How GitHub marks a finding; a ``maybe`` is one step lower."""
_LOWER = {"error": "warning", "warning": "notice", "notice": "notice"}


def text_lines(scanned: Scanned, site: str) -> Iterator[str]:
    """One line a finding, below a heading for each action; a count at the end."""
    for heading, findings in groupby(scanned.findings, _heading):
        yield f"{heading}:"
        yield from (on_one_line(_line(one, site)) for one in findings)
        yield ""
    yield summary(scanned)


def summary(scanned: Scanned) -> str:
    """How much was found in how many files."""
    places = _counted(len(scanned.findings), "place")
    records = _counted(len({one.entry.id for one in scanned.findings}), "record")
    unread = f"; {len(scanned.unread)} could not be read" if scanned.unread else ""
    return f"{places} for {records} in {_counted(scanned.files, 'file')}{unread}"


def github_lines(scanned: Scanned, site: str) -> Iterator[str]:
    """One annotation a finding."""
    for one in scanned.findings:
        level = _LEVELS.get(one.step.action, "notice")
        place = {"line": str(one.line), "col": str(one.column), "title": one.entry.id}
        yield annotation(level if one.is_sure else _LOWER[level], one.path, place, _message(one, site))


def json_text(scanned: Scanned, site: str, start: str, target: str) -> str:
    """Everything as one object."""
    content = {
        "schema_version": JSON_VERSION,
        "from": start,
        "to": target,
        "files": scanned.files,
        "findings": [_as_json(one, site) for one in scanned.findings],
        "unread": [{"path": path, "why": why} for path, why in scanned.unread],
    }
    # ASCII: names of files need not be text, and not every terminal shows every letter.
    return json.dumps(content, indent=1)


def _as_json(one: Finding, site: str) -> dict[str, object]:
    record = one.entry.feature
    return {
        "path": one.path,
        "line": one.line,
        "column": one.column,
        "code": one.code,
        "feature": one.entry.id,
        "title": record.title,
        "version": record.version,
        "action": str(one.step.action),
        "is_silent": one.entry.is_silent,
        "sure": str(one.detect.sure),
        "explains": one.detect.explains,
        "misses": one.detect.misses,
        "do": _to_do(one),
        "url": _address(one.entry, site),
    }


def _heading(one: Finding) -> str:
    silent = ", and nothing tells you" if one.is_urgent and one.entry.is_silent else ""
    return f"{one.step.action.label}{silent}"


def _line(one: Finding, site: str) -> str:
    return f"{one.path}:{one.line}:{one.column}: {one.entry.id}: {_message(one, site)}"


def _message(one: Finding, site: str) -> str:
    doubt = "" if one.is_sure else "maybe: "
    return f"{doubt}{_plain(one.detect.explains)} {_plain(_to_do(one))} {_address(one.entry, site)}"


def _to_do(one: Finding) -> str:
    """What the place asks for: its own sentence, or the first step of the note."""
    migration = one.entry.feature.migration
    first = migration.steps[0] if isinstance(migration, StepsMigration) else ""
    return one.detect.do or first


def _address(entry: Entry, site: str) -> str:
    return f"{site}{address(feature_path(entry.id))}"


def _plain(text: str) -> str:
    return text.replace("`", "")


def _counted(count: int, word: str) -> str:
    return f"1 {word}" if count == 1 else f"{count} {word}s"

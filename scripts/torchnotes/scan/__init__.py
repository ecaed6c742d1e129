"""An upgrade and somebody's files → what concerns them, by file and line.

Reads files, and writes none. What to look for is data of the records; how it is looked for is ``detection``.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from torchnotes.detection import Detector, with_line_feeds
from torchnotes.library import Entry, Library
from torchnotes.model import StepsMigration
from torchnotes.model.detect import AnyDetect
from torchnotes.plan import Step, Upgrade, plan_of
from torchnotes.scan.walking import Walk
from torchnotes.terms import Action, Sure

Told = Callable[[int, int], None]
"""Told the number of files read so far, and of all."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A place that a step of a plan concerns."""

    path: str
    line: int
    column: int
    step: Step
    detect: AnyDetect
    code: str
    """The line as it stands."""

    @property
    def entry(self) -> Entry:
        """The record of the step."""
        return self.step.entry

    @property
    def is_urgent(self) -> bool:
        """Whether the step is required."""
        return self.step.action is Action.REQUIRED

    @property
    def is_sure(self) -> bool:
        """Whether the place is concerned without a doubt."""
        return self.detect.sure is Sure.YES


@dataclass(slots=True)
class Scanned:
    """What a scan found."""

    findings: list[Finding] = field(default_factory=list)
    """By urgency of the step, then by place."""
    files: int = 0
    """How many files were read."""
    unread: list[tuple[str, str]] = field(default_factory=list)
    """Path and reason of every file or folder that could not be read."""


def recognisable(library: Library, start: str, target: str) -> tuple[Step, ...]:
    """Steps of the plan from one version to a later one that say how concerned code looks, the most urgent first."""
    steps = (step for step in plan_of(library, Upgrade(start, target)).steps if _detects(step))
    return tuple(sorted(steps, key=lambda step: step.urgency))


def scan(steps: Sequence[Step], paths: Sequence[Path], told: Told = lambda _done, _all: None) -> Scanned:
    """Look for what concerns the files below some paths."""
    looked_for = [(step, one) for step in steps for one in _detects(step)]
    order = {step.entry.id: index for index, step in enumerate(steps)}
    detector = Detector([one for _, one in looked_for])
    walk = Walk()
    files = list(walk.files(paths))
    scanned = Scanned(unread=walk.unread)
    for number, file in enumerate(files):
        told(number, len(files))
        text = walk.text_of(file)
        if text is None:
            continue
        scanned.files += 1
        path = _shown(file)
        seen = detector.sightings(path, text)
        if seen.unread:
            walk.unread.append((path, seen.unread))
        lines = with_line_feeds(text).split("\n") if seen.found else []
        here = (
            Finding(path, one.line, one.column, *looked_for[one.entry], lines[one.line - 1].strip())
            for one in seen.found
        )
        scanned.findings += _surest(here)
    scanned.findings.sort(key=lambda one: (order[one.entry.id], one.path, one.line, one.column))
    return scanned


def _surest(findings: Iterable[Finding]) -> Iterable[Finding]:
    """One finding of a record a line: that of its surest entry."""
    kept: dict[tuple[str, int], Finding] = {}
    for one in findings:
        key = (one.entry.id, one.line)
        if key not in kept or (one.is_sure and not kept[key].is_sure):
            kept[key] = one
    return kept.values()


def _detects(step: Step) -> Sequence[AnyDetect]:
    migration = step.entry.feature.migration
    return migration.detect if isinstance(migration, StepsMigration) else ()


def _shown(file: Path) -> str:
    return Path(os.path.normpath(file)).as_posix()

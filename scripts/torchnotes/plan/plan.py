"""The plan itself: what is left by the rule, in the order in which a person does it."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from torchnotes.library import Entry, Library, by_urgency
from torchnotes.model import KnownIssue, NoAction, RequiredSteps, StepsMigration
from torchnotes.model.migration import GoingBack
from torchnotes.plan.expiry import Ending, endings
from torchnotes.plan.rule import Folded, Upgrade, Why, folded, has_fault, is_met
from torchnotes.terms import Action, Kind, Runs, Visibility


class Phase(Enum):
    """When a person does what a note asks for; in this order."""

    CAN = "can"
    """Does the machine fit? Before anything else."""
    BEFORE = "before"
    """Possible already on the old version."""
    WHILE = "while"
    """Together with installing."""
    AFTER = "after"
    """Possible only on the new version."""
    GAIN = "gain"
    """Nothing that anybody must do: what becomes possible, faster or right, and what else changes."""


@dataclass(frozen=True, slots=True)
class Step:
    """A feature in a plan."""

    entry: Entry
    phase: Phase
    action: Action
    """What it asks for in the target version: what is due only later is recommended now."""
    is_way_back_open: bool | None
    """Whether the target still has the way back to the old behaviour that the note names; None when it names none."""

    @property
    def urgency(self) -> tuple[int, bool]:
        """To sort by: required before recommended before optional; among these, what shows no message first."""
        return _ACTIONS.index(self.action), not self.entry.is_silent


@dataclass(frozen=True, slots=True)
class Plan:
    """From one published version to another."""

    way: Upgrade
    steps: tuple[Step, ...]
    """By phase; within one by urgency, silent before loud."""
    folded: tuple[Folded, ...]
    """What lies on the way and has no point in the end."""
    mended: tuple[Entry, ...]
    """Known issues that the start has and the target has not."""
    staying: tuple[Entry, ...]
    """Known issues that both have, as far as is known."""
    endings: tuple[Ending, ...]
    """What expires, the first first; not that of features that are folded."""
    going_back: tuple[tuple[Entry, tuple[GoingBack, ...]], ...]
    """What to do for who goes back from the target to the start, by urgency of the feature."""

    @property
    def required(self) -> tuple[Step, ...]:
        """Its required steps."""
        return tuple(step for step in self.steps if step.action is Action.REQUIRED)

    @property
    def silent(self) -> int:
        """How many of the required steps show no message."""
        return sum(step.entry.is_silent for step in self.required)

    def of_phase(self, phase: Phase) -> tuple[Step, ...]:
        """Its steps of one phase."""
        return tuple(step for step in self.steps if step.phase is phase)


_GAINS = frozenset({Kind.NEW_FEATURE, Kind.IMPROVEMENT, Kind.PERFORMANCE, Kind.BUG_FIX})


def plan_of(library: Library, way: Upgrade) -> Plan:
    """The plan of an upgrade."""
    met = [entry for entry in by_urgency(library.entries.values()) if is_met(entry, way, library)]
    answers = {entry.id: folded(entry, way, library) for entry in met}
    steps = [_step(entry, way, library) for entry in met if answers[entry.id] is None]
    left_out = tuple(one for one in answers.values() if one is not None)
    out = {one.entry.id for one in left_out}
    return Plan(
        way=way,
        # What is equally urgent stays as it was: the newest first, then by title.
        steps=tuple(sorted(steps, key=lambda step: (_PHASES.index(step.phase), *step.urgency))),
        folded=left_out,
        mended=tuple(entry for entry in by_urgency(library.entries.values()) if _is_mended(entry, way)),
        staying=tuple(entry for entry in by_urgency(library.entries.values()) if _stays(entry, way)),
        endings=tuple(one for one in endings(library, way) if one.entry.id not in out),
        going_back=tuple(_going_back(library, way, left_out)),
    )


_PHASES = tuple(Phase)
_ACTIONS = tuple(Action)


def _step(entry: Entry, way: Upgrade, library: Library) -> Step:
    migration = entry.feature.migration
    is_later = isinstance(migration, RequiredSteps) and Version(migration.required_by) > Version(way.target)
    keep_old = migration.keep_old
    is_open = None
    if keep_old is not None:
        is_open = not Ending(entry, is_way_back=True, until=keep_old.until).is_over_in(way.target)
    action = Action.RECOMMENDED if is_later else migration.action
    return Step(entry, _phase(entry, way, library), action, is_way_back_open=is_open)


def _phase(entry: Entry, way: Upgrade, library: Library) -> Phase:
    record, migration = entry.feature, entry.feature.migration
    if isinstance(migration, NoAction) or (migration.action is Action.OPTIONAL and record.kind in _GAINS):
        return Phase.GAIN
    if _is_about_the_machine(entry, way, library):
        return Phase.CAN
    if record.kind is Kind.REQUIREMENT or Visibility.INSTALL in migration.visibility:
        return Phase.WHILE
    is_possible = isinstance(migration, StepsMigration) and Version(migration.possible_from) <= Version(way.start)
    return Phase.BEFORE if is_possible else Phase.AFTER


def _is_about_the_machine(entry: Entry, way: Upgrade, library: Library) -> bool:
    """Whether a machine can be such that the target cannot be installed on it, or not used as before."""
    record, applies = entry.feature, entry.feature.applies
    if record.kind is Kind.REMOVAL:
        return bool(applies.build)
    if record.kind is not Kind.REQUIREMENT:
        return False
    release = library.versions[way.target]
    return bool(applies.python or applies.driver or applies.macos) or all(
        _is_unserved(library, hardware, release) for hardware in record.hardware
    )


def _is_unserved(library: Library, hardware: str, release: str) -> bool:
    return {one.runs for at, one in library.serves(hardware) if at.id == release} == {Runs.NO}


def _stays(entry: Entry, way: Upgrade) -> bool:
    record = entry.feature
    return isinstance(record, KnownIssue) and has_fault(record, way.start) and has_fault(record, way.target)


def _is_mended(entry: Entry, way: Upgrade) -> bool:
    record = entry.feature
    return isinstance(record, KnownIssue) and has_fault(record, way.start) and not has_fault(record, way.target)


def _going_back(
    library: Library, way: Upgrade, left_out: tuple[Folded, ...]
) -> Iterator[tuple[Entry, tuple[GoingBack, ...]]]:
    """Of what is superseded too: its own note holds for the versions between which it changed something."""
    pointless = {one.entry.id for one in left_out if one.why is not Why.SUPERSEDED}
    for entry in by_urgency(library.entries.values()):
        if way.reaches(entry.feature.version) and entry.id not in pointless:
            notes = entry.feature.migration.going_back
            if found := tuple(one for one in notes if one.to is None or way.start in SpecifierSet(one.to)):
                yield entry, found

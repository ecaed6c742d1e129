"""Everything that the pages of upgrade plans show, as finished values. What belongs into a plan is decided in ``plan``."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import Any

from packaging.version import Version

from torchnotes.library import Entry, Library, ReleaseEntry
from torchnotes.links import feature_path, plan_path
from torchnotes.model.migration import CodeExample, Expiry, GoingBack
from torchnotes.model.release import WheelBuild
from torchnotes.pages.feature import FeatureView, SourceNames
from torchnotes.pages.lists import Link, Section, by_kind, hardware_link
from torchnotes.pages.needs import PLATFORMS, Needs, build_label, needs_of
from torchnotes.plan import Ending, Folded, Phase, Plan, Step, Upgrade, Why, plan_of, upgrades
from torchnotes.terms import Action, Build, OperatingSystem


@dataclass(frozen=True, slots=True)
class Conditions:
    """Whom something concerns, as the page's script compares it with a machine; empty means everybody.

    Lists are divided by blanks; bounds are as in the records.
    """

    hardware: str = ""
    uses: str = ""
    os: str = ""
    macos: str = ""
    python: str = ""
    driver: str = ""
    build: str = ""
    devices: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """A step with all that a person needs to take it."""

    feature: FeatureView
    action: Action
    conditions: Conditions
    tags: str
    """Of a step about the machine: ids of the hardware that it names and of what is below, divided by blanks."""
    later: str
    """What is to be said when it is due only in a later version than the target."""
    is_way_back_open: bool | None
    is_whole: bool
    """Whether it is shown with its code."""


@dataclass(frozen=True, slots=True)
class PhaseView:
    """A heading with steps below it."""

    anchor: str
    title: str
    intro: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Install:
    """How one build of the target is installed."""

    build: WheelBuild
    label: str
    code: CodeExample | None
    """Install line for the target version; None when it is not verified."""
    hardware: tuple[Link, ...]
    reach: str
    """Ids of the hardware that it is for and of what is above and below it, divided by blanks."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A fact that is otherwise after the upgrade."""

    label: str
    definition: str
    before: str
    after: str
    known: str
    note: str | None


@dataclass(frozen=True, slots=True)
class EndingView:
    """Something that expires."""

    link: Link
    text: str
    conditions: Conditions


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What needs nothing in the end."""

    link: Link
    version: str
    action: Action
    why: str
    by: Link | None
    id: str


@dataclass(frozen=True, slots=True)
class Use:
    """Something that one may use, to narrow a plan by."""

    value: str
    label: str
    implies: str
    """What one uses with it, divided by blanks."""


@dataclass(frozen=True, slots=True)
class Newer:
    """A newer version than the target, of the same release."""

    version: str
    what: str
    plan: Link


@dataclass(frozen=True, slots=True)
class PlanView:
    """A whole page."""

    way: Upgrade
    phases: tuple[PhaseView, ...]
    installs: tuple[Install, ...]
    pins: tuple[Pin, ...]
    gains: tuple[Section, ...]
    gain_conditions: Mapping[str, Conditions]
    """By id."""
    endings: tuple[tuple[str, bool, tuple[EndingView, ...]], ...]
    """By the release in which they end; whether the target is of that release or a later one."""
    open_ends: tuple[EndingView, ...]
    """Nobody has said when they end."""
    going_back: tuple[tuple[Link, str, Conditions], ...]
    back_code: tuple[CodeExample, ...]
    """Install lines of the start, each once."""
    what: str
    """What sort of version the target is."""
    newer: Newer | None
    """A newer version of the target's release, where there is one."""
    left_out: tuple[LeftOut, ...]
    mended: tuple[tuple[Link, Conditions], ...]
    staying: tuple[tuple[Link, Conditions], ...]
    """Known issues of the target that the start has too."""
    uses: tuple[Use, ...]
    builds: tuple[Build, ...]
    needs: Needs
    """Of the target."""
    start_needs: Needs
    required: int
    silent: int
    """Of the required ones."""


_PHASES = MappingProxyType(
    {
        Phase.CAN: ("Can I?", "What the machine must be like. Look here first."),
        Phase.BEFORE: ("Before", "Do these first, on the version that you have."),
        Phase.WHILE: ("While you upgrade", "Do these together with the installation."),
        Phase.AFTER: ("After", "These can be done only on the new version."),
    }
)


def ways(library: Library, to_release: str | None = None) -> list[Link]:
    """Every upgrade with a page, or those to a release."""
    found = [way for way in upgrades(library) if to_release in (None, library.versions[way.target])]
    return [way_link(way) for way in found]


def way_link(way: Upgrade) -> Link:
    """An upgrade by its two versions."""
    return Link(f"{way.start} → {way.target}", plan_path(way.id))


def short_ways(library: Library) -> Iterator[tuple[str, Link]]:
    """Paths with releases instead of versions, and the page of their newest versions that each leads to."""
    newest = {release: version for version, release in library.versions.items()}
    for way in upgrades(library):
        start, target = library.versions[way.start], library.versions[way.target]
        if start != target and newest[start] == way.start and newest[target] == way.target:
            yield plan_path(f"{start}-to-{target}"), way_link(way)


def conditions_of(entry: Entry, library: Library) -> Conditions:
    """Whom a feature concerns."""
    applies = entry.feature.applies
    return Conditions(
        hardware=_reached(library, entry.feature.hardware),
        uses=" ".join(applies.uses),
        os=" ".join(_systems(entry, library)),
        macos=applies.macos or "",
        python=applies.python or "",
        driver=applies.driver or "",
        build=" ".join(applies.build),
        devices=applies.devices or "",
    )


def _systems(entry: Entry, library: Library) -> tuple[OperatingSystem, ...]:
    """Systems to which a feature is limited, by what it says or by where its hardware can be used; empty for all."""
    applies = entry.feature.applies
    if applies.os or applies.macos:
        return applies.os or (OperatingSystem.MACOS,)
    found: set[OperatingSystem] = set()
    for tag in entry.feature.hardware:
        family = (tag, *library.descendants(tag))
        platforms = {served.platform for one in family for _, served in library.serves(one)}
        # Of hardware that no release answers for, nothing is known.
        found |= {PLATFORMS[platform][0] for platform in platforms} or set(OperatingSystem)
    return tuple(one for one in OperatingSystem if one in found) if len(found) < len(OperatingSystem) else ()


def _tags(entry: Entry, library: Library) -> str:
    return " ".join(one for tag in entry.feature.hardware for one in (tag, *library.descendants(tag)))


def _reached(library: Library, tags: Iterable[str]) -> str:
    """Hardware that tags reach; empty when that is all of it."""
    reached = library.reach_of(tags)
    return "" if len(reached) == len(library.hardware) else " ".join(reached)


MOST_WHOLE = 60
"""Steps that one plan shows with their code, the most urgent ones. So pages stay small, however many features there are."""


def plan_view(way: Upgrade, library: Library, view_of: Callable[[Entry], FeatureView]) -> PlanView:
    """Everything that the page of an upgrade shows; ``view_of`` gives what a feature's own page shows."""
    plan = plan_of(library, way)
    start, target = (library.releases[library.versions[version]] for version in (way.start, way.target))
    gains = [step.entry for step in plan.of_phase(Phase.GAIN)]
    asking = (step for step in plan.steps if step.phase is not Phase.GAIN)
    most_urgent = sorted(asking, key=lambda step: step.urgency)
    whole = {step.entry.id for step in most_urgent[:MOST_WHOLE]}

    def card(step: Step) -> Card:
        return _card(step, way, library, view_of(step.entry), is_whole=step.entry.id in whole)

    return PlanView(
        way=way,
        phases=tuple(
            PhaseView(phase.value, title, intro, tuple(card(step) for step in plan.of_phase(phase)))
            for phase, (title, intro) in _PHASES.items()
        ),
        installs=tuple(_install(build, target, way.target, library) for build in target.release.builds),
        pins=tuple(_pins(start, target, library)),
        gains=by_kind(gains, {}),
        gain_conditions={entry.id: conditions_of(entry, library) for entry in gains},
        endings=tuple(_dated(plan, library)),
        open_ends=tuple(_ending(one, library) for one in plan.endings if not isinstance(one.until, Expiry)),
        going_back=tuple(_going_back(entry, found, library) for entry, found in plan.going_back),
        back_code=_back_code(start, way.start),
        what=next(one.what for one in target.release.versions if one.version == way.target),
        newer=_newer(way, target, library),
        left_out=tuple(_left_out(one, way) for one in plan.folded),
        mended=tuple((_link(entry), conditions_of(entry, library)) for entry in plan.mended),
        staying=tuple((_link(entry), conditions_of(entry, library)) for entry in plan.staying),
        uses=_uses(plan, library),
        builds=tuple(dict.fromkeys(one.build for one in start.release.builds)),
        needs=needs_of(library, target, start if start is not target else None),
        start_needs=needs_of(library, start),
        required=len(plan.required),
        silent=plan.silent,
    )


def _link(entry: Entry) -> Link:
    return Link(entry.feature.title, feature_path(entry.id))


def _card(step: Step, way: Upgrade, library: Library, feature: FeatureView, *, is_whole: bool) -> Card:
    entry = step.entry
    migration = entry.feature.migration
    is_later = step.action is not migration.action
    return Card(
        feature=feature,
        action=step.action,
        conditions=conditions_of(entry, library),
        tags=_tags(entry, library) if step.phase is Phase.CAN else "",
        later=f"Not yet due in {way.target}; required by {getattr(migration, 'required_by', '')}." if is_later else "",
        is_way_back_open=step.is_way_back_open,
        is_whole=is_whole,
    )


def _install(build: WheelBuild, release: ReleaseEntry, version: str, library: Library) -> Install:
    return Install(
        build=build,
        label=build_label(build),
        code=_of_version(build.install, release, version) if build.install is not None else None,
        hardware=tuple(hardware_link(library.hardware[one]) for one in build.hardware),
        reach=" ".join(library.reach_of(build.hardware)),
    )


def _pins(start: ReleaseEntry, target: ReleaseEntry, library: Library) -> Iterator[Pin]:
    before = {fact.id: fact for fact in start.release.facts}
    for fact in target.release.facts:
        name, old = library.fact_names[fact.id], before.get(fact.id)
        # Where one side is not recorded, nothing is known to have changed.
        if name.in_plans and old is not None and old.value != fact.value:
            yield Pin(name.label, name.definition, old.value, fact.value, fact.basis.label, fact.note)


def _release_of(ending: Ending) -> str:
    return ending.until.version if isinstance(ending.until, Expiry) else ""


def _dated(plan: Plan, library: Library) -> Iterator[tuple[str, bool, tuple[EndingView, ...]]]:
    dated = [one for one in plan.endings if isinstance(one.until, Expiry)]
    for release, found in groupby(dated, _release_of):
        ends = tuple(found)
        yield release, ends[0].is_over_in(plan.way.target), tuple(_ending(one, library) for one in ends)


def _ending(ending: Ending, library: Library) -> EndingView:
    record = ending.entry.feature
    keep_old = record.migration.keep_old
    text = keep_old.how if ending.is_way_back and keep_old is not None else record.summary
    if isinstance(ending.until, Expiry):
        text = f"{text} (Source: {SourceNames(library).name(ending.until.basis).text}.)"
    return EndingView(_link(ending.entry), text, conditions_of(ending.entry, library))


def _going_back(entry: Entry, found: tuple[GoingBack, ...], library: Library) -> tuple[Link, str, Conditions]:
    return _link(entry), " ".join(one.do for one in found), conditions_of(entry, library)


def _back_code(release: ReleaseEntry, version: str) -> tuple[CodeExample, ...]:
    codes = [_of_version(one.install, release, version) for one in release.release.builds if one.install is not None]
    return tuple({one.code: one for one in codes}.values())


def _of_version(code: CodeExample, release: ReleaseEntry, version: str) -> CodeExample:
    """An install line for a version. The facts of a release are those of its newest one."""
    return code.model_copy(update={"code": code.code.replace(release.newest.version, version)})


def _newer(way: Upgrade, release: ReleaseEntry, library: Library) -> Newer | None:
    newest = release.newest
    if newest.version == way.target:
        return None
    other = next((one for one in upgrades(library) if one == Upgrade(way.start, newest.version)), None)
    return Newer(newest.version, newest.what, way_link(other)) if other is not None else None


def _left_out(one: Folded, way: Upgrade) -> LeftOut:
    record = one.entry.feature
    whys = {
        Why.NEVER_HAD: f"It changes something that {way.start} did not have.",
        Why.SUPERSEDED: "What holds now:",
        Why.FIXED: f"{one.version} no longer has it.",
        Why.NOT_YET: f"Its steps can be taken from {one.version} on.",
    }
    by = _link(one.by) if one.by is not None else None
    return LeftOut(_link(one.entry), record.version, record.migration.action, whys[one.why], by, one.entry.id)


def _uses(plan: Plan, library: Library) -> tuple[Use, ...]:
    """What features of a plan ask whether one uses it: areas in display order, then features."""
    asked = {one for step in plan.steps for one in step.entry.feature.applies.uses}
    known = [*library.areas, *sorted(asked - library.areas.keys())]
    return tuple(_use(one, library) for one in known if one in asked)


def _use(value: str, library: Library) -> Use:
    area = library.areas.get(value)
    label = area.label if area is not None else library.entries[value].feature.title
    return Use(value, label, " ".join(sorted(_implied(value, library))))


def _implied(value: str, library: Library) -> set[str]:
    """What one uses whenever one uses this, at any depth."""
    found: set[str] = set()
    waiting = [value]
    while waiting:
        one = waiting.pop()
        area = library.areas.get(one)
        further = area.uses if area is not None else library.entries[one].feature.applies.uses
        waiting += [other for other in further if other not in found]
        found.update(further)
    return found - {value}


def index_context(library: Library) -> dict[str, Any]:
    """What the page shows on which one chooses an upgrade."""
    order = list(library.releases.values())
    found = upgrades(library)
    return {
        "ways": [(way_link(way), _counts(plan_of(library, way))) for way in found],
        "starts": sorted({way.start for way in found}, key=Version),
        "targets": list(dict.fromkeys(way.target for way in found)),
        "pairs": " ".join(way.id for way in found),
        "hardware": list(library.hardware),
        "needs": [needs_of(library, one, before) for before, one in zip((None, *order), order, strict=False)][::-1],
    }


def _counts(plan: Plan) -> dict[str, int]:
    offered = [step for step in plan.steps if step.action is Action.RECOMMENDED]
    return {"required": len(plan.required), "silent": plan.silent, "recommended": len(offered)}

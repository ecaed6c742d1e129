"""Everything that a feature's page shows, as finished values.

Grade sentences, bars, timelines and names of sources are decided here; nothing here is markup.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby

from torchnotes.library import Entry, Library, Step
from torchnotes.links import feature_path
from torchnotes.model import KnownIssue, NoAction, RequiredSteps, Source, StepsMigration, UpstreamSource
from torchnotes.model.detect import AnyDetect
from torchnotes.model.feature import ChangedValue, Deprecation, Fixed, FixedElsewhere, PerformanceClaim, Removal
from torchnotes.model.migration import Expiry, Migration, Probe
from torchnotes.pages.evidence import SureView, sure_view
from torchnotes.pages.lists import Link, Row, area_link, hardware_link, release_link, row, rows
from torchnotes.pages.needs import bounds_text
from torchnotes.terms import Stability, Visibility


@dataclass(frozen=True, slots=True)
class OutsideLink:
    """Words that lead to another site, or nowhere when the address is not known."""

    text: str
    url: str | None


@dataclass(frozen=True, slots=True)
class Bar:
    """One of the two bars of a claim, on the claim's own scale."""

    label: str
    figure: str
    percent: float
    """Length, 0 to 100, of the longer of the two."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A performance claim, ready to be drawn."""

    metric: str
    value: str
    baseline: str | None
    conditions: str | None
    claimed_by: str
    source: OutsideLink
    hardware: tuple[Link, ...]
    bars: tuple[Bar, ...]
    better: str
    unit: str


def _bars(claim: PerformanceClaim, version: str) -> tuple[Bar, ...]:
    if claim.comparison is None:
        return ()
    longest = max(claim.comparison.before, claim.comparison.now)

    def bar(label: str, figure: Decimal) -> Bar:
        # Never shorter than a visible line: a bar of 0.02 % would look like a missing one.
        return Bar(label, f"{figure:f}", max(0.6, round(float(figure / longest * 100), 2)))

    return (bar("before", claim.comparison.before), bar(version, claim.comparison.now))


@dataclass(frozen=True, slots=True)
class SourceView:
    """A source with what it says."""

    link: OutsideLink
    what: str
    """Sort and role: "pull request, the change"."""
    title: str
    says: str


@dataclass(frozen=True, slots=True)
class DiscrepancyView:
    """What was reported, and what the wheels show."""

    reported: str
    by: str
    found: str
    evidence: str
    """Anchor of the evidence on the same page."""


@dataclass(frozen=True, slots=True)
class StepView:
    """One step of a timeline."""

    text: str
    path: str | None
    is_current: bool


@dataclass(frozen=True, slots=True)
class FeatureView:
    """Everything that a feature's page shows."""

    id: str
    row: Row
    release: Link
    stability: Stability
    visibility: tuple[Visibility, ...]
    areas: tuple[Link, ...]
    hardware: tuple[Link, ...]
    who: tuple[str, ...]
    details: str | None
    change: tuple[str, str, str] | None
    goes_in: str | None
    is_removal: bool
    replacement: str | None
    issue: "IssueView | None"
    steps: tuple[str, ...]
    applies_when: str | None
    reason: str | None
    deadline: str | None
    migration: Migration
    keep_old_until: str | None
    claims: tuple[Claim, ...]
    timeline: tuple[tuple[str, tuple[StepView, ...]], ...]
    """Versions, oldest first, each with its steps."""
    symbols: tuple[str, ...]
    settings: tuple[str, ...]
    messages: tuple[str, ...]
    probe: Probe | None
    detect: tuple[AnyDetect, ...]
    going_back: tuple[tuple[str, str], ...]
    """Versions in words, empty for all older ones, and what to do."""
    superseded_by: tuple[Link, ...]
    sure: SureView
    discrepancies: tuple[DiscrepancyView, ...]
    not_confirmed: tuple[str, ...]
    sources: tuple[SourceView, ...]
    related: tuple[Row, ...]
    data_file: str


@dataclass(frozen=True, slots=True)
class IssueView:
    """What only a known issue has."""

    seen_in: tuple[str, ...]
    suspected_in: tuple[str, ...]
    not_seen_in: tuple[str, ...]
    other_builds: tuple[str, ...]
    cause: str | None
    fixed: str
    confirmed: str


class SourceNames:
    """How sources are named and linked."""

    def __init__(self, library: Library) -> None:
        """Look names up in ``library``."""
        self._library = library

    def name(self, ref: str) -> OutsideLink:
        """A source by its reference: ``article-2.15`` or ``owner/name#number``."""
        shared = self._library.sources.get(ref)
        if shared is not None:
            return OutsideLink(shared.title, shared.url)
        repo, _, number = ref.partition("#")
        # GitHub leads from an issue's address to a pull request's where the number is one.
        return OutsideLink(ref, f"https://github.com/{repo}/issues/{number}")

    def views(self, sources: Iterable[Source]) -> tuple[SourceView, ...]:
        """Sources of a record, in the order written."""
        found = []
        for source in sources:
            if isinstance(source, UpstreamSource):
                link = OutsideLink(source.ref, source.url)
                found.append(SourceView(link, f"{source.type.label}, {source.role.label}", source.title, source.says))
            else:
                shared = self._library.sources[source.source]
                found.append(SourceView(OutsideLink(shared.title, shared.url), "", shared.what, source.says))
        return tuple(found)


_UNTIL = {
    "never": "No end is planned",
    "unknown": "Nobody has said when it goes",
    "stays": "As long as you stay on that version",
}


def until_text(until: object, sources: SourceNames) -> str:
    """When a way back goes, in words."""
    if isinstance(until, Expiry):
        return f"Until {until.version}, says: {sources.name(until.basis).text}"
    return _UNTIL[str(until)]


def _who(entry: Entry, library: Library) -> tuple[str, ...]:
    """Conditions on who can be concerned, in words."""
    applies = entry.feature.applies
    found = []
    if applies.uses:
        labels = [
            library.areas[one].label if one in library.areas else library.entries[one].feature.title
            for one in applies.uses
        ]
        found.append(f"who uses {' and '.join(labels)}")
    if applies.os:
        found.append(f"on {' or '.join(one.label for one in applies.os)}")
    if applies.macos:
        found.append(f"with macOS {applies.macos}")
    if applies.python:
        found.append(f"with Python {applies.python}")
    if applies.driver:
        found.append(f"with an NVIDIA driver {applies.driver}")
    if applies.build:
        found.append(f"with a build for {' or '.join(one.label for one in applies.build)}")
    if applies.devices:
        found.append(f"on {applies.devices.label}")
    if applies.coming_from:
        found.append(f"coming from PyTorch {applies.coming_from}")
    return tuple(found)


def _issue(record: KnownIssue) -> IssueView:
    affects = record.affects
    return IssueView(
        affects.seen_in,
        affects.suspected_in,
        affects.not_seen_in,
        affects.other_builds,
        record.cause,
        _fixed(record.fixed),
        record.confirmed.label,
    )


def _fixed(fixed: Fixed | FixedElsewhere | None) -> str:
    if fixed is None:
        return "No fix is known."
    if isinstance(fixed, FixedElsewhere):
        change = f" ({fixed.by})" if fixed.by else ""
        return f"Outside PyTorch: {fixed.component}{change}."
    if fixed.version == "declined":
        return (
            f"Stays as it is, say the maintainers ({fixed.by})." if fixed.by else "Stays as it is, say the maintainers."
        )
    if fixed.version == "unknown":
        return (
            f"{fixed.by} is to fix it; which version has that is not known."
            if fixed.by
            else "Whether a version has a fix is not known."
        )
    by = f" by {fixed.by}" if fixed.by else ""
    return f"Fixed in {fixed.version}{by}."


def _timeline(entry: Entry, library: Library) -> tuple[tuple[str, tuple[StepView, ...]], ...]:
    steps = library.timeline(entry)
    return tuple((version, tuple(_step(step, entry) for step in found)) for version, found in groupby(steps, _version))


def _version(step: Step) -> str:
    return step.version


def _step(step: Step, entry: Entry) -> StepView:
    path = feature_path(step.entry.id) if step.entry is not None else None
    return StepView(step.text, path, is_current=step.entry is not None and step.entry.id == entry.id)


def _anchor(entry: Entry, statement: str) -> str:
    """Anchor of the first piece of evidence for a statement."""
    return next(f"evidence.{number}" for number, one in enumerate(entry.feature.evidence) if one.proves == statement)


def _claim(claim: PerformanceClaim, entry: Entry, library: Library, sources: SourceNames) -> Claim:
    return Claim(
        metric=claim.metric,
        value=claim.value,
        baseline=claim.baseline,
        conditions=claim.conditions,
        claimed_by=claim.claimed_by,
        source=sources.name(claim.source),
        hardware=tuple(hardware_link(library.hardware[one]) for one in claim.hardware),
        bars=_bars(claim, entry.feature.version),
        better=claim.comparison.better.label if claim.comparison else "",
        unit=claim.comparison.unit if claim.comparison else "",
    )


def feature_view(entry: Entry, library: Library) -> FeatureView:
    """Everything that a feature's page shows."""
    record, sources = entry.feature, SourceNames(library)
    migration = record.migration
    steps = migration if isinstance(migration, StepsMigration) else None
    deadline = None
    if isinstance(steps, RequiredSteps):
        deadline = f"Possible from {steps.possible_from}, required by {steps.required_by}."
    elif steps is not None and steps.possible_from != record.version:
        deadline = f"Possible from {steps.possible_from}."
    return FeatureView(
        id=entry.id,
        row=row(entry),
        release=release_link(entry.release),
        stability=record.stability,
        visibility=migration.visibility,
        areas=tuple(area_link(library.areas[one]) for one in record.areas),
        hardware=tuple(hardware_link(library.hardware[one]) for one in record.hardware),
        who=_who(entry, library),
        details=record.details,
        change=(record.change.of, record.change.before, record.change.after)
        if isinstance(record, ChangedValue)
        else None,
        goes_in=until_text(record.goes_in, sources) if isinstance(record, Deprecation) else None,
        is_removal=isinstance(record, Removal),
        replacement=record.replacement if isinstance(record, Removal) else None,
        issue=_issue(record) if isinstance(record, KnownIssue) else None,
        steps=steps.steps if steps else (),
        applies_when=steps.applies_when if steps else None,
        reason=migration.reason if isinstance(migration, NoAction) else None,
        deadline=deadline,
        migration=migration,
        keep_old_until=until_text(migration.keep_old.until, sources) if migration.keep_old else None,
        claims=tuple(_claim(claim, entry, library, sources) for claim in record.performance),
        timeline=_timeline(entry, library),
        symbols=record.symbols,
        settings=record.settings,
        messages=record.messages,
        probe=record.probe,
        detect=steps.detect if steps else (),
        going_back=tuple((bounds_text(one.to) if one.to else "", one.do) for one in migration.going_back),
        superseded_by=tuple(Link(one.feature.title, feature_path(one.id)) for one in library.superseding(entry)),
        sure=sure_view(entry),
        discrepancies=tuple(
            DiscrepancyView(one.reported, sources.name(one.source).text, one.found, _anchor(entry, one.evidence))
            for one in record.discrepancies
        ),
        not_confirmed=record.not_confirmed,
        sources=sources.views(record.sources),
        related=rows(library.related(entry)),
        data_file=entry.path,
    )

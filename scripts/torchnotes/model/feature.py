"""A feature: one documented change of one release."""

from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import Discriminator, Field, Tag, TypeAdapter

from torchnotes.model.evidence import Discrepancy, Evidence
from torchnotes.model.migration import CodeExample, GoesIn, Migration, Probe
from torchnotes.model.source import Source
from torchnotes.model.text import (
    Bounds,
    Figure,
    Id,
    Prose,
    Record,
    SourceRef,
    Text,
    Title,
    Verbatim,
    VersionText,
    unique,
)
from torchnotes.terms import Better, Build, Confirmed, DeviceCount, Kind, Language, Needs, OperatingSystem, Stability


class Applies(Record):
    """Who can be concerned. Empty means everybody."""

    uses: Annotated[tuple[Id, ...], unique] = ()
    """Areas or features that one must use, all of them."""
    os: Annotated[tuple[OperatingSystem, ...], unique] = ()
    """Operating systems."""
    macos: Bounds | None = None
    """Versions of macOS, such as `<15`."""
    python: Bounds | None = None
    """Python versions, such as `<3.11`."""
    driver: Bounds | None = None
    """NVIDIA driver versions, such as `<580`."""
    build: Annotated[tuple[Build, ...], unique] = ()
    """Builds of PyTorch, such as `cu126`."""
    devices: DeviceCount | None = None
    """`one` or `several` devices in one job."""
    coming_from: Bounds | None = None
    """PyTorch versions that one upgrades from, such as `>=2.14.0` where older ones never had what changes."""


class Comparison(Record):
    """The two numbers behind a claim, for its bar."""

    before: Figure
    """The baseline's figure."""
    now: Figure
    """This version's figure."""
    unit: Text
    """Unit of both, such as `ms`, or `× the time before` when only a ratio was claimed."""
    better: Better
    """`lower` or `higher`."""


class PerformanceClaim(Record):
    """A figure that somebody claims. Never ours."""

    metric: Text
    """What was measured."""
    value: Text
    """The figure as claimed."""
    baseline: Text | None
    """Against what; null when the source does not say."""
    comparison: Comparison | None = None
    """Both numbers, where there are two."""
    conditions: Text | None
    """Machine, sizes and dtypes; null when the source does not say."""
    hardware: Annotated[tuple[Id, ...], Field(min_length=1)]
    """Hardware ids on which it was measured."""
    claimed_by: Text
    """Whose claim it is."""
    source: SourceRef
    """Where it was read: one of this record's sources."""


class Earlier(Record):
    """What was there before this record begins."""

    version: VersionText
    """The published version."""
    what: Text
    """What it was then."""


class Change(Record):
    """Old and new value of one thing."""

    of: Text
    """What has the value, such as "default of `reduce_dtype`"."""
    before: Text
    """Its value in the version before."""
    after: Text
    """Its value in this version."""


class FeatureBase(Record):
    """What every record says."""

    own_fields_after: ClassVar[str] = "summary"

    title: Title
    """Noun phrase in sentence case, no full stop, code in backticks."""
    version: VersionText
    """The published version that brought it."""
    kind: Kind
    """What sort of change it is."""
    areas: Annotated[tuple[Id, ...], Field(min_length=1, max_length=4), unique]
    """Ids from `data/vocabulary/areas.yaml`; the record is filed under the first."""
    hardware: Annotated[tuple[Id, ...], Field(min_length=1)]
    """Ids from `data/vocabulary/hardware.yaml`; the widest that is true."""
    applies: Applies = Applies()
    """Who can be concerned, as data. Leave out when it is everybody on that hardware."""
    stability: Stability
    """How firm the interface is."""
    summary: Text
    """One sentence that a hurried engineer understands."""
    details: Prose | None = None
    """Exact names, defaults, limits and dtypes in about 150 words at most. Paragraphs, and lists with `- `."""
    symbols: Annotated[tuple[Verbatim, ...], unique] = ()
    """Full dotted names of functions, classes and parameters."""
    settings: Annotated[tuple[Verbatim, ...], unique] = ()
    """Environment variables, config flags and build flags."""
    messages: Annotated[tuple[Verbatim, ...], unique] = ()
    """Text of warnings and errors that people paste into a search box."""
    probe: Probe | None = None
    """One or two lines that answer: do I have it here?"""
    migration: Migration
    """The migration note."""
    performance: tuple[PerformanceClaim, ...] = ()
    """Figures that somebody claims."""
    sources: Annotated[tuple[Source, ...], Field(min_length=1)]
    """Where the statements come from."""
    evidence: tuple[Evidence, ...] = ()
    """Statements about published wheels that a machine can check."""
    no_proof: Text | None = None
    """Why no wheel can show the headline, where none can."""
    discrepancies: tuple[Discrepancy, ...] = ()
    """Where a source would mislead the reader and the wheels show otherwise."""
    not_confirmed: tuple[Text, ...] = ()
    """What could not be confirmed, one sentence each."""
    earlier: tuple[Earlier, ...] = ()
    """What was there before this record begins; the first steps of its timeline."""
    follows: Annotated[tuple[Id, ...], unique] = ()
    """Features of which this one is the next step, in the same or an earlier version."""
    supersedes: Annotated[tuple[Id, ...], unique] = ()
    """Features of earlier versions whose note has no point any more for who has this version."""
    related: Annotated[tuple[Id, ...], unique] = ()
    """Other features that a reader of this one wants to see."""

    @property
    def pieces(self) -> tuple[tuple[str, CodeExample], ...]:
        """Python of it that runs on any machine with some version of torch: what it is, and the code."""
        migration, found = self.migration, list[tuple[str, CodeExample]]()
        if self.probe is not None and self.probe.needs is Needs.CPU:
            found.append(("probe", self.probe))
        kept = migration.keep_old.code if migration.keep_old is not None else None
        for what, example in (("before", migration.before), ("after", migration.after), ("keep-old", kept)):
            if example is not None and example.runnable:
                found.append((what, example))
        return tuple(one for one in found if one[1].language is Language.PYTHON)


class PlainFeature(FeatureBase):
    """A record that needs nothing but what every record says."""

    kind: Literal[Kind.NEW_FEATURE, Kind.IMPROVEMENT, Kind.BUG_FIX, Kind.BEHAVIOR_CHANGE]
    """What sort of change it is."""


class PerformanceFeature(FeatureBase):
    """Faster or smaller, with at least one claim."""

    kind: Literal[Kind.PERFORMANCE]
    """`performance`."""
    performance: Annotated[tuple[PerformanceClaim, ...], Field(min_length=1)]
    """Figures that somebody claims; at least one."""


class ChangedValue(FeatureBase):
    """A default or a requirement that has another value now."""

    kind: Literal[Kind.DEFAULT_CHANGE, Kind.REQUIREMENT]
    """`default-change` or `requirement`."""
    change: Change
    """Old and new value."""


class Deprecation(FeatureBase):
    """Announced to go."""

    kind: Literal[Kind.DEPRECATION]
    """`deprecation`."""
    goes_in: GoesIn
    """The release in which it goes, with its basis; or `unknown`."""


class Removal(FeatureBase):
    """Gone."""

    kind: Literal[Kind.REMOVAL]
    """`removal`."""
    replacement: Text | None
    """What to use instead; null when there is nothing."""


class Affects(Record):
    """Versions with and without a fault."""

    seen_in: Annotated[tuple[VersionText, ...], unique] = ()
    """Versions in which it was seen."""
    suspected_in: Annotated[tuple[VersionText, ...], unique] = ()
    """Versions in which nobody looked, and that most likely have it: the build in which it was seen is near, or the code
    is the same."""
    not_seen_in: Annotated[tuple[VersionText, ...], unique] = ()
    """Versions in which it was looked for and not found."""
    other_builds: Annotated[tuple[Text, ...], unique] = ()
    """Builds that are none of these versions in which it was seen, such as a nightly."""

    @property
    def held_by(self) -> tuple[str, ...]:
        """Versions that have it or most likely have it."""
        return (*self.seen_in, *self.suspected_in)


class Fixed(Record):
    """Where a fault is mended, or that it will not be."""

    version: Annotated[str, Field(alias="in", pattern=r"^([0-9]+\.[0-9]+\.[0-9]+|unknown|declined)$", max_length=20)]
    """The first published version without it; `unknown` where a change mends it and nobody has said which version has that
    change; or `declined` where the maintainers leave it as it is."""
    by: SourceRef | None = None
    """The change that mends it, such as `pytorch/pytorch#195949`; or where the maintainers say no."""

    @property
    def mended_in(self) -> str | None:
        """The first published version without it; None when none is known."""
        return self.version if self.version[0].isdigit() else None


class FixedElsewhere(Record):
    """A fault that another component has, and mends."""

    version: Annotated[Literal["elsewhere"], Field(alias="in")]
    """`elsewhere`."""
    component: Text
    """What is mended and from which version on, such as "Triton 3.8.1"; or, where that is not known, whose fault it is."""
    by: SourceRef | None = None
    """The change that mends it."""

    @property
    def mended_in(self) -> None:
        """No version of PyTorch mends it."""
        return


def _where_fixed(value: Any) -> str:
    """What is no mapping at all goes to the first, which says so."""
    place = value.get("in") if isinstance(value, dict) else getattr(value, "version", None)
    return "elsewhere" if place == "elsewhere" else "here"


FixedSomewhere = Annotated[
    Annotated[Fixed, Tag("here")] | Annotated[FixedElsewhere, Tag("elsewhere")], Discriminator(_where_fixed)
]


class KnownIssue(FeatureBase):
    """A fault in a published version. Its migration note is the way around it."""

    kind: Literal[Kind.KNOWN_ISSUE]
    """`known-issue`."""
    affects: Affects
    """Versions with and without the fault."""
    cause: Text | None
    """Why it happens; null when nobody has said."""
    fixed: FixedSomewhere | None
    """Where it is mended; null where no mending is known."""
    confirmed: Confirmed
    """How well it is confirmed."""


Feature = Annotated[
    PlainFeature | PerformanceFeature | ChangedValue | Deprecation | Removal | KnownIssue,
    Field(discriminator="kind"),
]

FEATURE_KINDS: tuple[type[FeatureBase], ...] = get_args(get_args(Feature)[0])
"""The classes of the union, in the order of the documentation."""


def feature_adapter() -> TypeAdapter[Any]:
    """The validator of one feature file."""
    return TypeAdapter(Feature)

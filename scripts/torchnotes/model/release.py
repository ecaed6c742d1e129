"""A release: its versions, and facts about its wheels."""

from typing import Annotated, ClassVar

from pydantic import Field, StrictBool

from torchnotes.model.migration import CodeExample
from torchnotes.model.text import Bounds, Day, Id, Record, SourceRef, Text, Title, Verbatim, VersionText, unique
from torchnotes.terms import Basis, Build, Limited, OperatingSystem, Runs, Stops, Wheel


class Known(Record):
    """Base of a statement that says how it is known."""

    written_last: ClassVar[tuple[str, ...]] = ("basis", "source", "note")

    basis: Basis
    """How it is known."""
    source: SourceRef | None = None
    """Where it was read: an id of `data/sources.yaml`, or `owner/name#number`."""
    note: Text | None = None
    """What limits it."""


class ReleaseDate(Known):
    """The day on which a version was published."""

    day: Day | None
    """The day; null when it is not confirmed."""


class PublishedVersion(Record):
    """One published version."""

    version: VersionText
    """Three numbers."""
    date: ReleaseDate
    """When it was published."""
    built: Day | None
    """Day of the file times inside its wheels; null when not read."""
    commit: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")] | None
    """Commit named in the wheel; null when not read."""
    what: Text
    """What sort of version it is, in one sentence."""


class ReleaseFact(Known):
    """One value, under a name of `data/vocabulary/facts.yaml`."""

    id: Id
    """Id from `data/vocabulary/facts.yaml`."""
    value: Text
    """The value, in its newest version."""
    also_in: Annotated[tuple[VersionText, ...], unique] = ()
    """Older versions of this release that are known to have the same value."""


class Limit(Known):
    """What a machine must have, as numbers that can be compared."""

    of: Limited
    """`python`, `free-threaded`, `driver` or `macos`."""
    within: Bounds
    """Versions that it works with, such as `>=3.11,<3.16`."""
    build: Annotated[tuple[Build, ...], unique] = ()
    """Builds for which it holds; empty for every build."""
    hardware: Annotated[tuple[Id, ...], unique] = ()
    """Hardware on which it matters; empty for every one."""
    stops: Stops
    """What a machine outside of it cannot do: `install` or `gpu`."""
    without: Text
    """What happens on a machine outside of it."""


class Event(Known):
    """Something people could attend."""

    id: Id
    """Permanent id."""
    name: Text
    """Its name."""
    when: Text
    """Day or days."""
    where: Text | None
    """Place; null when it is online or not known."""
    what: Text
    """What it is, in one sentence."""


class WheelBuild(Known):
    """One build that people can install."""

    build: Build
    """Its name in local versions."""
    label: Title | None = None
    """What to call it where the build's name would mislead, such as `MPS` for a wheel that also uses the GPU of a Mac."""
    default: StrictBool
    """Whether a plain pip install gets it on at least one platform."""
    platforms: Annotated[tuple[Wheel, ...], Field(min_length=1)]
    """Platforms it is built for."""
    os: tuple[OperatingSystem, ...]
    """Operating systems of those platforms."""
    hardware: Annotated[tuple[Id, ...], Field(min_length=1)]
    """What it is for."""
    requires: Title | None
    """Driver or system it needs, without a full stop; null when not known."""
    install: CodeExample | None
    """Install line, only where it was seen to work or is the plain one; null = not verified."""


class Architectures(Known):
    """Machine code inside one wheel."""

    build: Build
    """The build."""
    platform: Wheel
    """The platform."""
    codes: tuple[Verbatim, ...]
    """Architecture names, such as `sm_90`; empty for a CPU wheel."""


class Serves(Known):
    """Whether one build runs on one hardware."""

    hardware: Id
    """Hardware id."""
    build: Build
    """The build."""
    platform: Wheel
    """The platform."""
    runs: Runs
    """`yes`, `no`, `not-promised` or `unknown`."""
    through: Verbatim | None
    """The architecture whose code it runs; null when it does not run or is not known."""


class Release(Record):
    """A minor release."""

    summary: Text
    """What it brings, in one sentence."""
    baseline: StrictBool
    """Whether it is only the release to upgrade from; such a release has no features here."""
    versions: Annotated[tuple[PublishedVersion, ...], Field(min_length=1)]
    """Published versions, oldest first."""
    facts: tuple[ReleaseFact, ...]
    """Facts of its newest version; each says which older ones are known to have the same."""
    limits: tuple[Limit, ...]
    """What a machine must have."""
    events: tuple[Event, ...] = ()
    """Events around it."""
    builds: tuple[WheelBuild, ...]
    """Builds that people can install."""
    architectures: tuple[Architectures, ...]
    """Machine code inside its wheels."""
    serves: tuple[Serves, ...]
    """Which hardware its builds run on."""

"""Companion packages: which of their releases goes with which version of PyTorch, and what they say of it themselves.

What people write (``data/companions/``) names releases to take; what a program reads (``data/evidence/companions.yaml``)
says what those releases declare and for which machines they are offered. Refuses to say that a pair works: metadata
that accepts a pair is no test of it.
"""

from typing import Annotated

from packaging.version import InvalidVersion, Version
from pydantic import AfterValidator, BeforeValidator, Field, StrictBool
from pydantic_core import PydanticCustomError

from torchnotes.model.evidence import PackageName
from torchnotes.model.metadata import RequirementText, SpecifierText
from torchnotes.model.shared import WheelFileName
from torchnotes.model.source import Source
from torchnotes.model.text import Day, Record, ReleaseText, Sha256, SourceRef, Text, VersionText, not_a_number, unique
from torchnotes.terms import Pairing, Wheel


def _stable(text: str) -> str:
    try:
        version = Version(text)
    except InvalidVersion:
        raise PydanticCustomError("package_version", "is no version of a package") from None
    if version.is_prerelease:
        raise PydanticCustomError("package_version", "is a version before the release; only stable ones count here")
    if str(version) != text:
        raise PydanticCustomError("package_version", "is not how the package index writes a version")
    return text


def _real_platforms(platforms: tuple[Wheel, ...]) -> tuple[Wheel, ...]:
    if Wheel.ANY in platforms:
        raise PydanticCustomError("any_platform", "holds `any`, which is no machine that pip can be asked about")
    return platforms


PackageVersion = Annotated[
    str, Field(min_length=1, max_length=40), BeforeValidator(not_a_number), AfterValidator(_stable)
]
"""A stable version of a package, such as ``0.29.2`` or ``3.8.0.post29``."""


class Choice(Record):
    """What to take with one version of PyTorch."""

    torch: VersionText
    """The version of PyTorch."""
    take: Annotated[tuple[PackageVersion, ...], unique]
    """Releases that go with it, the one to prefer first; an empty list where none is published for it, or none is known."""
    known: Pairing
    """How that is known."""
    source: SourceRef | None = None
    """Where a document says so: one of the sources of this file."""
    note: Text | None = None
    """What one must know before one takes it."""


class Companion(Record):
    """One package that people use beside PyTorch."""

    name: Text
    """What it is called."""
    what: Text
    """What it is for, in a few words."""
    summary: Text
    """The answer for who moves to the newest version, in one sentence or two."""
    in_plans: StrictBool
    """Whether upgrade plans name it; not where pip moves it with torch anyway."""
    platforms: Annotated[tuple[Wheel, ...], Field(min_length=1), unique, AfterValidator(_real_platforms)] = (
        Wheel.LINUX_X86_64,
        Wheel.LINUX_AARCH64,
        Wheel.MACOS_ARM64,
        Wheel.WINDOWS_X86_64,
    )
    """Machines for which its wheels are asked for; the metadata is that of the first with one."""
    releases: Annotated[tuple[PackageVersion, ...], unique]
    """Releases whose metadata is read, oldest first; none for a package that the index does not offer."""
    choices: tuple[Choice, ...]
    """At most one for each version of PyTorch; what goes with a version that is not named is not known."""
    sources: tuple[Source, ...] = ()
    """Where what is said here comes from, beside metadata."""
    not_confirmed: tuple[Text, ...] = ()
    """What could not be confirmed, one sentence each."""


class Offer(Record):
    """Machines of one kind for which a release has a wheel."""

    platform: Wheel
    """System and processor."""
    pythons: Annotated[tuple[ReleaseText, ...], Field(min_length=1), unique]
    """Versions of Python, among those that were asked for, for which pip would take a wheel."""


class CompanionRelease(Record):
    """What one release of a companion package says of itself."""

    version: PackageVersion
    """Its version."""
    file: WheelFileName | None
    """The wheel whose metadata was read; null where none is offered, such as for source archives alone."""
    sha256: Sha256 | None
    """Hash of that file, as the index gives it."""
    requires_python: SpecifierText | None
    """`Requires-Python` of its metadata; null when it names none."""
    requirements: Annotated[tuple[RequirementText, ...], unique]
    """Lines of `Requires-Dist` about torch and about other companion packages; of what extras ask for, only torch."""
    offers: tuple[Offer, ...]
    """Machines for which there is a wheel."""

    @property
    def is_read(self) -> bool:
        """Whether there was metadata to read."""
        return self.file is not None


class ReadCompanion(Record):
    """What pip told of one companion package."""

    package: PackageName
    """Its name in the index."""
    newest: PackageVersion | None
    """Newest stable release that pip would take on the first of its machines; null when it would take none."""
    day: Day
    """Day on which pip was asked."""
    releases: tuple[CompanionRelease, ...]
    """In the order of the package's file."""


class ReadCompanions(Record):
    """All that pip told. Written by `torchnotes companions`, never by hand."""

    pythons: Annotated[tuple[ReleaseText, ...], unique]
    """Versions of Python that were asked for."""
    packages: tuple[ReadCompanion, ...]
    """By name."""

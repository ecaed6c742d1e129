"""Files that many records share: sources, wheels, moved ids."""

from typing import Annotated

from pydantic import Field

from torchnotes.model.evidence import TORCH, PackageName
from torchnotes.model.text import (
    Day,
    Id,
    Record,
    ReleaseText,
    Sha256,
    SourceRef,
    Text,
    Verbatim,
    VersionText,
    WebAddress,
)
from torchnotes.terms import Wheel


class SharedSource(Record):
    """A source that many records name."""

    id: SourceRef
    """Permanent id, such as `article-2.15`."""
    title: Text
    """What it is called here."""
    what: Text
    """What it is, who wrote it, and what it can be trusted for."""
    url: WebAddress | None
    """Its address; null when it is not known."""
    date: Day | None
    """When it appeared or was read; null when not known."""


class Sources(Record):
    """All shared sources."""

    sources: Annotated[tuple[SharedSource, ...], Field(min_length=1)]
    """All of them."""


WheelFileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.+!-]+\.whl$", max_length=200)]
"""File name of a wheel. What stands in it is for a check."""


class WheelFile(Record):
    """A published wheel that was examined."""

    file: WheelFileName
    """File name."""
    package: PackageName = TORCH
    """The package it installs."""
    version: VersionText
    """Its version."""
    platform: Wheel
    """Its platform; `any` when one file serves them all."""
    sha256: Sha256
    """Hash of the file."""
    examined: Day
    """Day on which it was first examined."""
    note: Text | None = None
    """How it was examined, where that is particular."""

    @property
    def id(self) -> str:
        """Package, version and platform: one file for each."""
        return f"{self.package}-{self.version}-{self.platform}"


class Wheels(Record):
    """All examined wheels."""

    wheels: Annotated[tuple[WheelFile, ...], Field(min_length=1)]
    """By version and platform."""


class MovedId(Record):
    """An id that was given up; its address leads on."""

    old: Id
    """The former id."""
    new: Id
    """The record that answers now."""


class Moved(Record):
    """All moved ids."""

    moved: tuple[MovedId, ...]
    """Oldest first."""


class NoRecord(Record):
    """A change of the public API that no record explains, because no user has to know it."""

    release: ReleaseText
    """The release that changed it."""
    name: Verbatim
    """The name, as `torchnotes coverage` prints it."""
    why: Text
    """Why no user has to know it."""


class NoRecords(Record):
    """All changes that are left without a record on purpose."""

    no_record: tuple[NoRecord, ...]
    """By release and name."""

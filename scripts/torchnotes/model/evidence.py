"""Statements about published wheels that a machine can check."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from torchnotes.model.text import Id, Record, SourceRef, Text, Verbatim, VersionText, unique
from torchnotes.terms import EvidenceKind, Wheel

FilePath = Annotated[str, Field(pattern=r"^[A-Za-z0-9_{][A-Za-z0-9_./{}+-]*$", max_length=200)]
"""Path inside the wheel; `{version}` stands for the version."""


HEADLINE = "headline"
"""Name of the statement that the summary makes."""


class _Evidence(Record):
    proves: Id
    """`headline` when it shows what the summary says; else a short name of the statement that it shows."""


class _Presence(Record):
    written_last: ClassVar[tuple[str, ...]] = ("present_in", "absent_in", "wheel")

    present_in: Annotated[tuple[VersionText, ...], unique] = ()
    """Versions in whose wheel it is found."""
    absent_in: Annotated[tuple[VersionText, ...], unique] = ()
    """Versions in whose wheel it is not found."""
    wheel: Wheel
    """Which wheel to open: `any`, or a platform."""


class NeedleEvidence(_Evidence, _Presence):
    """A piece of text in a file of the wheel."""

    kind: Literal[
        EvidenceKind.TEXT,
        EvidenceKind.SYMBOL,
        EvidenceKind.ENTRY_POINT,
        EvidenceKind.REQUIREMENT,
        EvidenceKind.BINARY_STRING,
    ]
    """`text`, `symbol` (the source line of a definition begins with the needle), `entry-point`, `requirement` or
    `binary-string`."""
    file: FilePath
    """Path inside the wheel; `{version}` stands for the version."""
    needle: Verbatim
    """The text to find, exactly as it stands there."""


class FileEvidence(_Evidence, _Presence):
    """A file in the wheel."""

    kind: Literal[EvidenceKind.FILE]
    """`file`: the file exists."""
    file: FilePath
    """Path inside the wheel; `{version}` stands for the version."""


Evidence = Annotated[NeedleEvidence | FileEvidence, Field(discriminator="kind")]


class Discrepancy(Record):
    """A source says one thing, the wheels show another."""

    reported: Text
    """What was reported."""
    source: SourceRef
    """Who reported it: one of this record's sources."""
    found: Text
    """What the wheels show, and what to use instead."""
    evidence: Id
    """What shows it: the `proves` of entries under `evidence`. With `headline`, the record is disputed."""

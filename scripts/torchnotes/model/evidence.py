"""Statements about published wheels that a machine can check, and the stored results of checking them."""

import hashlib
import json
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field

from torchnotes.model.text import Day, Id, Record, Sha256, SourceRef, Text, Verbatim, VersionText, unique
from torchnotes.terms import EvidenceKind, RunResult, TagPart, Wheel

FilePath = Annotated[str, Field(pattern=r"^[A-Za-z0-9_{][A-Za-z0-9_./{}+-]*$", max_length=200)]
"""Path inside the wheel; `{version}` stands for the version."""
PythonPath = Annotated[str, Field(pattern=r"^[A-Za-z0-9_{][A-Za-z0-9_./{}+-]*\.pyi?$", max_length=200)]
"""The same for a Python file."""
PackageName = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
"""Name of a package as pip normalizes it, such as `nvidia-nccl-cu13`."""
QualifiedName = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$", max_length=200)]
"""Name inside a module, such as `Class.method`, or a dotted name."""

TORCH = "torch"
HEADLINE = "headline"
"""Name of the statement that the summary makes."""


def fingerprint(text: str) -> str:
    """16 hexadecimal digits that tell one text from another."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class ValueIn(Record):
    """A value and the versions that have it."""

    value: Verbatim
    """The value, as the evidence's kind writes it."""
    versions: Annotated[tuple[VersionText, ...], Field(alias="in", min_length=1), unique]
    """Versions in whose wheel it is this."""


class _Evidence(Record):
    written_last: ClassVar[tuple[str, ...]] = ("values", "present_in", "absent_in", "package", "wheel")

    proves: Id
    """`headline` when it shows what the summary says; else a short name of the statement that it shows."""
    present_in: Annotated[tuple[VersionText, ...], unique] = ()
    """Versions in whose wheel it is found."""
    absent_in: Annotated[tuple[VersionText, ...], unique] = ()
    """Versions in whose wheel it is not found."""
    package: PackageName = TORCH
    """The package whose wheel is opened; its versions are meant."""
    wheel: Wheel
    """Which wheel to open: `any`, or a platform."""

    @property
    def versions(self) -> tuple[str, ...]:
        """Every version that it speaks of, in the order written."""
        return tuple(dict.fromkeys((*self.present_in, *self.absent_in)))

    def values_in(self, _version: str) -> tuple[str, ...]:
        """What the value is said to be in a version; empty for kinds without values."""
        return ()

    @property
    def is_absence(self) -> bool:
        """Whether it says of no version that something is there."""
        return set(self.versions) == set(self.absent_in)

    @property
    def digest(self) -> str:
        """Fingerprint of all it says: 16 hexadecimal digits. A stored proof holds for this text only."""
        text = json.dumps(self.model_dump(mode="json", by_alias=True), sort_keys=True, ensure_ascii=True)
        return fingerprint(text)


class _ValueEvidence(_Evidence):
    values: tuple[ValueIn, ...] = ()
    """What the value is in which versions."""

    @property
    def versions(self) -> tuple[str, ...]:
        """Every version that it speaks of, in the order written."""
        valued = (version for one in self.values for version in one.versions)
        return tuple(dict.fromkeys((*valued, *self.present_in, *self.absent_in)))

    def values_in(self, version: str) -> tuple[str, ...]:
        """What the value is said to be in a version."""
        return tuple(one.value for one in self.values if version in one.versions)


class TextEvidence(_Evidence):
    """A piece of text in a file of the wheel."""

    kind: Literal[EvidenceKind.TEXT, EvidenceKind.BINARY_STRING]
    """`text`, or `binary-string` in a compiled library."""
    file: FilePath
    """Path inside the wheel; `{version}` stands for the version."""
    needle: Verbatim
    """The text to find, exactly as it stands there."""


class FileEvidence(_Evidence):
    """A file in the wheel."""

    kind: Literal[EvidenceKind.FILE]
    """`file`: the file exists."""
    file: FilePath
    """Path inside the wheel; `{version}` stands for the version."""


class SymbolEvidence(_ValueEvidence):
    """A definition in a Python file, found in its syntax tree."""

    kind: Literal[EvidenceKind.SYMBOL]
    """`symbol`: the file defines the name. With `values`: the default of the parameter, or what is assigned."""
    file: PythonPath
    """A `.py` or `.pyi` file inside the wheel."""
    name: QualifiedName
    """Function, class, method or assigned name inside the file, such as `FSDPModule.finalize_backward`."""
    parameter: QualifiedName | None = None
    """A parameter of that function; null when the definition itself is meant."""


class ExportEvidence(_Evidence):
    """A public name that code can reach."""

    kind: Literal[EvidenceKind.EXPORT]
    """`export`: the name can be reached from its public module by import and attribute."""
    name: QualifiedName
    """Full dotted name, such as `torch.linalg.polar`."""


class EntryPointEvidence(_ValueEvidence):
    """An entry point that the wheel announces."""

    kind: Literal[EvidenceKind.ENTRY_POINT]
    """`entry-point`; a value is the object that it leads to, such as `package.module:name`."""
    group: Verbatim
    """Its group, such as `torch.distributed.backends`."""
    name: Verbatim | None = None
    """Its name; null when the whole group is meant."""


class RequirementEvidence(_ValueEvidence):
    """A requirement in the wheel's metadata."""

    kind: Literal[EvidenceKind.REQUIREMENT]
    """`requirement`; a value is its specifier, such as `>=4.13.0`, with its marker after `; ` where that matters."""
    name: PackageName
    """The package that is required; `python` stands for `Requires-Python`."""


class OperatorEvidence(_ValueEvidence):
    """An operator that the wheel's generated headers declare."""

    kind: Literal[EvidenceKind.OPERATOR]
    """`operator`; a value is its schema."""
    name: Annotated[str, Field(pattern=r"^[a-z_0-9]+::[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)?$", max_length=150)]
    """Name with its overload, such as `aten::linalg_qr.out`."""


class SettingEvidence(_ValueEvidence):
    """A setting that Python code or a header of the wheel reads."""

    kind: Literal[EvidenceKind.SETTING]
    """`setting`; a value is its default."""
    name: QualifiedName
    """An environment variable, or the dotted name of a config flag such as `torch._inductor.config.max_autotune`."""


class TagEvidence(_ValueEvidence):
    """A part of the wheel's file name."""

    kind: Literal[EvidenceKind.TAG]
    """`tag`; a value is that part, such as `macosx_14_0_arm64`."""
    part: TagPart
    """`python`, `abi` or `platform`."""


Evidence = Annotated[
    TextEvidence
    | FileEvidence
    | SymbolEvidence
    | ExportEvidence
    | EntryPointEvidence
    | RequirementEvidence
    | OperatorEvidence
    | SettingEvidence
    | TagEvidence,
    Field(discriminator="kind"),
]


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


Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
WheelId = Annotated[str, Field(pattern=r"^[a-z0-9.-]+$", max_length=120)]
"""Package, version and platform of an examined wheel, joined by hyphens."""


class Failure(Record):
    """A wheel that does not show what an entry says."""

    wheel: WheelId
    """The wheel."""
    found: Verbatim
    """What was found instead, and where the nearest match is."""


class Proof(Record):
    """What became of one evidence entry when it was compared with wheels."""

    proves: Id
    """The statement that the entry proves."""
    digest: Digest
    """Fingerprint of the entry that was compared."""
    holds_on: Annotated[tuple[Wheel, ...], unique] = ()
    """Platforms on which the wheel of every version that it names shows what it says."""
    fails_in: tuple[Failure, ...] = ()
    """Wheels that do not."""
    day: Day
    """Day on which this result was first found."""

    @property
    def holds(self) -> bool:
        """Whether some platform's wheels show it, and no wheel refutes it."""
        return bool(self.holds_on) and not self.fails_in


class ProvedFeature(Record):
    """All proofs of one feature."""

    feature: Id
    """Its id."""
    entries: Annotated[tuple[Proof, ...], Field(min_length=1)]
    """In the order of the record's evidence."""


class ComparedWheel(Record):
    """A wheel that was opened."""

    wheel: WheelId
    """The wheel."""
    sha256: Sha256
    """Hash of the file."""


class Run(Record):
    """What became of a piece of code that was run with an installed torch."""

    feature: Id
    """The feature it belongs to."""
    what: Annotated[str, Field(pattern=r"^(probe|before|after|keep-old)$")]
    """`probe`, or an example of the migration note."""
    digest: Digest
    """Fingerprint of the code that was run."""
    torch: Verbatim
    """Version of torch with its build, such as `2.15.0+cpu`."""
    python: VersionText
    """Version of Python."""
    result: RunResult
    """`passed`, `failed` or `timed-out`."""
    printed: Verbatim | None
    """Last line that it printed; null when it printed nothing."""
    day: Day
    """Day of the run."""


class Proofs(Record):
    """Every stored result. Written by `torchnotes verify`, never by hand."""

    wheels: tuple[ComparedWheel, ...]
    """Wheels that were opened."""
    features: tuple[ProvedFeature, ...]
    """By feature."""
    runs: tuple[Run, ...] = ()
    """What was run."""

    @classmethod
    def empty(cls) -> Self:
        """Nothing was compared yet."""
        return cls(wheels=(), features=())

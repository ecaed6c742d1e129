"""Files → records, or every problem of shape they have.

Knows which file holds which model. Refuses to compare two files: that is for the checks.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from torchnotes.messages import nearest, offer, problems_of_shape
from torchnotes.model import (
    FEATURE_KINDS,
    Areas,
    Companion,
    Devices,
    FactNames,
    Feature,
    HardwareTree,
    MetadataFile,
    Moved,
    NoRecords,
    Proofs,
    ReadCompanions,
    Release,
    Sources,
    Wheels,
)
from torchnotes.model.api import ApiDiff
from torchnotes.problem import Problem
from torchnotes.yaml_source import Document, read_document

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Read(Generic[T]):
    """A record and the file it was read from."""

    record: T
    document: Document = field(repr=False)

    @property
    def id(self) -> str:
        """The record's permanent id: its file name without the ending."""
        return Path(self.document.path).stem

    @property
    def folder(self) -> str:
        """Name of the folder it lies in; for a feature its release."""
        return Path(self.document.path).parent.name


@dataclass(slots=True)
class Contents:
    """Everything that could be read below ``data/``."""

    root: Path
    features: list[Read[Any]] = field(default_factory=list)
    releases: list[Read[Release]] = field(default_factory=list)
    devices: list[Read[Devices]] = field(default_factory=list)
    companions: list[Read[Companion]] = field(default_factory=list)
    areas: Read[Areas] | None = None
    hardware: Read[HardwareTree] | None = None
    fact_names: Read[FactNames] | None = None
    sources: Read[Sources] | None = None
    moved: Read[Moved] | None = None
    no_records: Read[NoRecords] | None = None
    wheels: Read[Wheels] | None = None
    proofs: Read[Proofs] | None = None
    metadata: Read[MetadataFile] | None = None
    read_companions: Read[ReadCompanions] | None = None
    api: list[Read[ApiDiff]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    feature_paths: dict[str, str] = field(default_factory=dict)
    """Id and path of every feature file, readable or not: one broken file must not break what points to it."""

    def is_whole(self, place: str) -> bool:
        """Whether a file, or every file of a folder, could be read. ``place`` is a path below ``data/``."""
        return not any(f"{problem.path}/".startswith(f"data/{place}/") for problem in self.problems)

    @property
    def documents(self) -> Iterator[Document]:
        """Every file that people write and that could be read as a record."""
        for read in (*self.features, *self.releases, *self.devices, *self.companions, *self.singles):
            yield read.document

    @property
    def singles(self) -> list[Read[Any]]:
        """The files of which there is one."""
        one_each = (self.areas, self.hardware, self.fact_names, self.sources, self.moved, self.no_records, self.wheels)
        return [read for read in one_each if read is not None]


SINGLES: dict[str, tuple[str, type[BaseModel]]] = {
    "vocabulary/areas.yaml": ("areas", Areas),
    "vocabulary/hardware.yaml": ("hardware", HardwareTree),
    "vocabulary/facts.yaml": ("fact_names", FactNames),
    "sources.yaml": ("sources", Sources),
    "moved.yaml": ("moved", Moved),
    "no-record.yaml": ("no_records", NoRecords),
    "evidence/wheels.yaml": ("wheels", Wheels),
    "evidence/proofs.yaml": ("proofs", Proofs),
    "evidence/metadata.yaml": ("metadata", MetadataFile),
    "evidence/companions.yaml": ("read_companions", ReadCompanions),
}
"""Files of which there is exactly one: path below ``data/`` → attribute of ``Contents`` and model."""

# Written by a program, and not read as a record.
_GENERATED = {"schema"}

FEATURE_FIELDS = frozenset(name for kind in FEATURE_KINDS for name in kind.model_fields)
"""Every field that some kind of feature has."""


@cache
def _validator(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def model_of(inside: str) -> Any:
    """The model of a file, from its path below ``data/``; None when no file belongs there."""
    parts = inside.split("/")
    match parts:
        case ["features", _, _]:
            return Feature
        case ["releases", _]:
            return Release
        case ["vocabulary", "devices", _]:
            return Devices
        case ["companions", _]:
            return Companion
        case ["api", _]:
            return ApiDiff
    return SINGLES[inside][1] if inside in SINGLES else None


def validate(document: Document, model: Any) -> Any | list[Problem]:
    """The record in a document, or its problems of shape."""
    try:
        return _validator(model).validate_python(document.values)
    except ValidationError as error:
        errors = error.errors(include_url=False)
        problems = problems_of_shape(errors, model, document)
        if model is Feature and errors[0]["loc"] == () and "union_tag" in errors[0]["type"]:
            besides = _problems_besides_kind(document)
            # The one about a misspelt `kind` says it better, with its line.
            unknown = document.values.keys() - FEATURE_FIELDS
            misspelt = "kind" not in document.values and any(nearest(one, FEATURE_FIELDS) == "kind" for one in unknown)
            problems = besides if misspelt else problems + besides
        return problems


def _problems_besides_kind(document: Document) -> list[Problem]:
    """Without a kind nothing can be validated; so take a plain one, and keep what does not depend on it."""
    plain = FEATURE_KINDS[0]
    try:
        plain.model_validate({**document.values, "kind": "improvement"})
    except ValidationError as error:
        errors = error.errors(include_url=False)
        kept = [one for one in errors if not (one["type"] == "extra_forbidden" and one["loc"][0] in FEATURE_FIELDS)]
        return problems_of_shape(kept, plain, document)
    return []


def read_contents(root: Path) -> Contents:
    """Read everything below ``root/data``. Paths in problems are relative to ``root``, with forward slashes."""
    contents = Contents(root)
    data = root / "data"
    if not data.is_dir():
        problem = Problem("data", 1, "", "the folder is not there", "Run this from the project's root.", "no-data")
        contents.problems.append(problem)
        return contents
    for path in _files(data, contents.problems):
        inside = path.relative_to(data).as_posix()
        if inside.split("/")[0] in _GENERATED or _is_passing(path):
            continue
        _read_one(path, inside, contents)
    for inside, (attribute, _) in SINGLES.items():
        broken = any(problem.path == f"data/{inside}" for problem in contents.problems)
        if getattr(contents, attribute) is None and not broken:
            problem = Problem(f"data/{inside}", 1, "", "the file is not there", "Restore it.", "missing-file")
            contents.problems.append(problem)
    return contents


def _is_passing(path: Path) -> bool:
    """Whether an editor or the system keeps a file there for itself: hidden files, and copies that end in ~."""
    return path.name.startswith(".") or path.name.endswith("~")


def _files(data: Path, problems: list[Problem]) -> list[Path]:
    """Every file below ``data``; a folder that hides what is in it is a problem."""
    files: list[Path] = []

    def complain(path: str | Path, what: str, fix: str, rule: str) -> None:
        shown = f"data/{Path(path).relative_to(data).as_posix()}".removesuffix("/.")
        problems.append(Problem(shown, 1, "", what, fix, rule))

    def unreadable(error: OSError) -> None:
        complain(error.filename, f"the folder cannot be read ({error.strerror})", "Check its rights.", "unreadable")

    for folder, folders, names in os.walk(data, onerror=unreadable):
        files += [Path(folder, name) for name in names]
        for path in (Path(folder, name) for name in folders):
            if path.is_symlink():
                complain(path, "a link to a folder is not followed", "Put the folder itself here.", "unreadable")
            elif path.suffix == ".yaml":
                complain(path, "a folder with the name of a file", "Rename or remove it.", "file-name")
    return sorted(files)


def _read_one(path: Path, inside: str, contents: Contents) -> None:
    shown = f"data/{inside}"
    model = model_of(inside)
    if model is Feature:
        contents.feature_paths.setdefault(path.stem, shown)
    document = read_document(path, shown)
    if isinstance(document, list):
        contents.problems += document
        return
    if model is None:
        fix = offer(inside, [*SINGLES, "features/2.15/" + path.name], "the contributing page")
        contents.problems.append(Problem(shown, 1, "", "no file belongs here", fix, "unknown-file"))
        return
    if model is not Feature and {"kind", "migration"} <= document.values.keys():
        what, fix = "a feature record", f"Move it to data/features/, into the folder of its release: {path.name}."
        contents.problems.append(Problem(shown, 1, "", what, fix, "unknown-file"))
        return
    record = validate(document, model)
    if isinstance(record, list):
        contents.problems += record
        return
    read: Read[Any] = Read(record, document)
    if model is Feature:
        contents.features.append(read)
    elif model is Release:
        contents.releases.append(read)
    elif model is Devices:
        contents.devices.append(read)
    elif model is Companion:
        contents.companions.append(read)
    elif model is ApiDiff:
        contents.api.append(read)
    else:
        setattr(contents, SINGLES[inside][0], read)

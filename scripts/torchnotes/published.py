"""What published wheels say about themselves, under the names of release facts.

One reading a fact: the pages show it, and a check holds what people wrote against it. Refuses to read anything but
stored metadata.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import TypeAlias

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from torchnotes.library import Library
from torchnotes.model import CompanionRelease, WheelFile, WheelMetadata
from torchnotes.model.evidence import TORCH
from torchnotes.terms import Basis, Wheel

_CUDA_TOOLKIT = "cuda-toolkit"
_MB = 1_000_000
CUDA_CODE = re.compile(r"sm_(\d+)(\d)[a-z]?")
"""A CUDA architecture; its compute capability is the first group, a dot and the second."""
_EXTRA = re.compile(r"extra == ")


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that a wheel says: a value, and when it holds."""

    value: str
    marker: str = ""
    """The marker of a requirement, as written in the metadata; empty when it always holds."""


Read: TypeAlias = Callable[[WheelMetadata, Wheel], tuple[Said, ...]]


@dataclass(frozen=True, slots=True)
class Reading:
    """How one fact is read."""

    basis: Basis
    """What is read: the metadata, or something else in the wheel."""
    read: Read
    """The metadata of a wheel and its platform → what it says; empty when it says nothing."""


@dataclass(frozen=True, slots=True)
class Statement:
    """The same thing, said by the wheels of one platform or more."""

    said: tuple[Said, ...]
    wheels: tuple[WheelFile, ...]


def wheels_of(library: Library, version: str) -> tuple[tuple[WheelFile, WheelMetadata], ...]:
    """The examined wheels of a published version whose metadata is stored, in the order of the examined wheels."""
    found = []
    for wheel in library.wheels:
        metadata = library.metadata.get(wheel.id)
        if wheel.package == TORCH and wheel.version == version and metadata and metadata.sha256 == wheel.sha256:
            found.append((wheel, metadata))
    return tuple(found)


def statements(reading: Reading, wheels: Sequence[tuple[WheelFile, WheelMetadata]]) -> tuple[Statement, ...]:
    """What the wheels of a version say, each thing once; what most of them say stands first."""
    saying: dict[tuple[Said, ...], list[WheelFile]] = {}
    for wheel, metadata in wheels:
        if said := reading.read(metadata, wheel.platform):
            saying.setdefault(said, []).append(wheel)
    found = [Statement(said, tuple(files)) for said, files in saying.items()]
    return tuple(sorted(found, key=lambda one: -len(one.wheels)))


def written(found: Sequence[Statement]) -> str:
    """Statements in one line, as a release fact writes them: markers stand in its note, not in its value."""
    if not found:
        return ""
    first, *others = (", ".join(said.value for said in one.said) for one in found)
    parts = [first]
    for text, one in zip(others, found[1:], strict=True):
        parts.append(f"{text} on {' and '.join(wheel.platform.label for wheel in one.wheels)}")
    return "; ".join(parts)


def torch_specifiers(release: CompanionRelease) -> tuple[SpecifierSet, ...]:
    """Versions of torch that a release of a companion package accepts, one set for each condition; none when it names none.

    Lines with different markers hold on different machines, or for different extras: each counts with the lines that
    always hold. A line with an address in place of versions names no version.
    """
    found = [one for one in map(Requirement, release.requirements) if is_torch(one) and not one.url]
    always = [one for one in found if one.marker is None]
    conditions = dict.fromkeys(str(one.marker) for one in found if one.marker is not None)
    groups = [[*always, *(one for one in found if str(one.marker) == marker)] for marker in conditions] or [always]
    sets = (SpecifierSet(",".join(str(one.specifier) for one in group if one.specifier)) for group in groups if group)
    return tuple(dict.fromkeys(sets))


def names_address_of_torch(release: CompanionRelease) -> bool:
    """Whether a release of a companion package asks for torch by an address, in place of versions."""
    return any(is_torch(one) and one.url is not None for one in map(Requirement, release.requirements))


def is_torch(one: Requirement) -> bool:
    """Whether a requirement is about torch, however its name is written."""
    return canonicalize_name(one.name) == TORCH


def is_of_extra(one: Requirement) -> bool:
    """Whether a requirement holds only for who asks for an extra."""
    return _EXTRA.search(_marker(one)) is not None


def other_requirements(release: CompanionRelease) -> tuple[str, ...]:
    """What a release of a companion package requires of other companions, as ``packaging`` writes it."""
    return tuple(str(one) for one in map(Requirement, release.requirements) if not is_torch(one))


def accepts_torch(release: CompanionRelease, version: str) -> bool | None:
    """Whether the metadata of a release accepts a version of torch on any machine; None when it names no version."""
    specifiers = torch_specifiers(release)
    if not any(specifiers):
        return None
    return any(one.contains(version, prereleases=True) for one in specifiers)


def is_pinned_by_torch(library: Library, package: str, version: str, torch: str) -> bool:
    """Whether an examined wheel of a version of torch requires a package, in versions among which this is one."""
    return any(
        canonicalize_name(one.name) == package
        and not is_of_extra(one)
        and bool(one.specifier)
        and one.specifier.contains(version)
        for _, metadata in wheels_of(library, torch)
        for one in _requirements(metadata)
    )


def specifier_text(specifier: SpecifierSet) -> str:
    """A specifier as people read it: the lower bound first, and a pin without its sign; empty when all versions do."""
    parts = sorted(specifier, key=lambda one: (_version_of(one.version), one.operator))
    return ", ".join(one.version if one.operator == "==" else f"{one.operator}{one.version}" for one in parts)


def _version_of(text: str) -> Version:
    try:
        return Version(text.removesuffix(".*"))
    except InvalidVersion:
        return Version("0")


def span(versions: Sequence[str]) -> str:
    """``3.10 to 3.14`` when versions follow each other by their last number, else all of them."""
    numbers = sorted({tuple(int(part) for part in one.split(".")) for one in versions})
    shown = [".".join(map(str, one)) for one in numbers]
    follows = all(after[:-1] == before[:-1] and after[-1] == before[-1] + 1 for before, after in pairwise(numbers))
    return f"{shown[0]} to {shown[-1]}" if len(shown) > 1 and follows else ", ".join(shown)


def size_text(metadata: WheelMetadata) -> str:
    """Size of the file, in megabytes."""
    return f"{metadata.size / _MB:.1f} MB"


def code_for(capability: str, codes: Sequence[str]) -> str | None:
    """The architecture whose code a capability runs: its own, else the next lower one of the same major number.

    NVIDIA's rule for machine code. None when there is none, or when it is no capability of CUDA.
    """
    wanted = CUDA_CODE.fullmatch(capability)
    if wanted is None:
        return None
    fitting = [
        (int(found[2]), code)
        for code in codes
        if (found := CUDA_CODE.fullmatch(code)) and found[1] == wanted[1] and int(found[2]) <= int(wanted[2])
    ]
    return max(fitting)[1] if fitting else None


def _requirements(metadata: WheelMetadata) -> Iterator[Requirement]:
    return (Requirement(one) for one in metadata.requirements)


def _marker(requirement: Requirement) -> str:
    return str(requirement.marker) if requirement.marker else ""


def _package(pattern: str) -> Read:
    """Accepted versions of a package whose whole name a pattern fits."""
    name = re.compile(pattern)

    def read(metadata: WheelMetadata, _: Wheel) -> tuple[Said, ...]:
        return tuple(
            Said(specifier_text(one.specifier) or "any version", _marker(one))
            for one in _requirements(metadata)
            if name.fullmatch(one.name)
        )

    return read


def _toolkit_parts(metadata: WheelMetadata, _: Wheel) -> tuple[Said, ...]:
    return tuple(
        Said(", ".join(sorted(one.extras)), _marker(one))
        for one in _requirements(metadata)
        if one.name == _CUDA_TOOLKIT and one.extras
    )


_OF_ITS_OWN: Mapping[str, str] = MappingProxyType(
    {
        "cuda-toolkit": _CUDA_TOOLKIT,
        "cudnn": r"nvidia-cudnn(-cu\d+)?",
        "nccl": r"nvidia-nccl(-cu\d+)?",
        "nvshmem": r"nvidia-nvshmem(-cu\d+)?",
        "cusparselt": r"nvidia-cusparselt(-cu\d+)?",
        "cuda-bindings": r"cuda-bindings",
        "triton": r"triton",
        "typing-extensions": r"typing-extensions",
        "setuptools": r"setuptools",
    }
)
"""Packages with a fact of their own: its id → the package's name; NVIDIA puts the CUDA version behind some of them."""


def _others(metadata: WheelMetadata, _: Wheel) -> tuple[Said, ...]:
    return tuple(
        Said(f"{one.name}{_sign(one)}", _marker(one))
        for one in _requirements(metadata)
        if not any(re.fullmatch(name, one.name) for name in _OF_ITS_OWN.values()) and not is_of_extra(one)
    )


def _extras(metadata: WheelMetadata, _: Wheel) -> tuple[Said, ...]:
    return tuple(Said(f"{one.name}{_sign(one)}") for one in _requirements(metadata) if is_of_extra(one))


def _sign(one: Requirement) -> str:
    """What stands behind its name: a specifier, in which a pin needs its sign, or an address."""
    if one.url:
        return f" @ {one.url}"
    return f" {specifier_text(one.specifier)}" if "," in str(one.specifier) else str(one.specifier)


def _requires_python(metadata: WheelMetadata, _: Wheel) -> tuple[Said, ...]:
    asked = metadata.requires_python
    return (Said(specifier_text(SpecifierSet(asked))),) if asked else ()


def _classifiers(metadata: WheelMetadata, _: Wheel) -> tuple[Said, ...]:
    return (Said(span(metadata.pythons)),) if metadata.pythons else ()


def _local_version(metadata: WheelMetadata, _: Wheel) -> tuple[Said, ...]:
    local = (metadata.full_version or "").partition("+")[2]
    return (Said(f"+{local}"),) if local else ()


def _cuda(metadata: WheelMetadata, _: Wheel) -> tuple[Said, ...]:
    return (Said(metadata.cuda),) if metadata.cuda else ()


def _build_backend(metadata: WheelMetadata, _: Wheel) -> tuple[Said, ...]:
    return (Said(metadata.generator.replace("(", "").replace(")", "")),) if metadata.generator else ()


def _codes(wanted: Wheel) -> Read:
    def read(metadata: WheelMetadata, platform: Wheel) -> tuple[Said, ...]:
        return (Said(", ".join(metadata.architectures)),) if platform is wanted and metadata.architectures else ()

    return read


def _size(wanted: Wheel) -> Read:
    def read(metadata: WheelMetadata, platform: Wheel) -> tuple[Said, ...]:
        return (Said(size_text(metadata)),) if platform is wanted else ()

    return read


def _platform_tags(metadata: WheelMetadata, _: Wheel) -> tuple[Said, ...]:
    platforms = dict.fromkeys(one.rsplit("-", 1)[1] for one in (*metadata.tags, *metadata.tags_inside))
    return tuple(Said(f"`{one}`") for one in platforms)


def _macos_tag(metadata: WheelMetadata, _: Wheel) -> tuple[Said, ...]:
    found = dict.fromkeys(re.findall(r"-macosx_(\d+)_\d+_", " ".join(metadata.tags)))
    return tuple(Said(f"{one} or newer") for one in found)


def _macos_libraries(metadata: WheelMetadata, _: Wheel) -> tuple[Said, ...]:
    return (Said(f"{metadata.macos.removesuffix('.0')} or newer"),) if metadata.macos else ()


READINGS: Mapping[str, Reading] = MappingProxyType(
    {
        "requires-python": Reading(Basis.METADATA, _requires_python),
        "python-classifiers": Reading(Basis.METADATA, _classifiers),
        "local-version": Reading(Basis.WHEEL, _local_version),
        "cuda-default": Reading(Basis.WHEEL, _cuda),
        **{id_: Reading(Basis.METADATA, _package(name)) for id_, name in _OF_ITS_OWN.items()},
        "cuda-toolkit-parts": Reading(Basis.METADATA, _toolkit_parts),
        "other-requirements": Reading(Basis.METADATA, _others),
        "extras": Reading(Basis.METADATA, _extras),
        "gpu-architectures-linux-x86-64": Reading(Basis.WHEEL, _codes(Wheel.LINUX_X86_64)),
        "gpu-architectures-linux-aarch64": Reading(Basis.WHEEL, _codes(Wheel.LINUX_AARCH64)),
        "macos-tag": Reading(Basis.METADATA, _macos_tag),
        "macos-libraries": Reading(Basis.WHEEL, _macos_libraries),
        "platform-tags": Reading(Basis.METADATA, _platform_tags),
        "wheel-size-linux-x86-64": Reading(Basis.WHEEL, _size(Wheel.LINUX_X86_64)),
        "wheel-size-linux-aarch64": Reading(Basis.WHEEL, _size(Wheel.LINUX_AARCH64)),
        "wheel-size-windows": Reading(Basis.WHEEL, _size(Wheel.WINDOWS_X86_64)),
        "wheel-size-macos": Reading(Basis.WHEEL, _size(Wheel.MACOS_ARM64)),
        "build-backend": Reading(Basis.METADATA, _build_backend),
    }
)
"""Facts that are read from stored metadata, by id."""

CHECKED: Mapping[str, Reading] = MappingProxyType({**READINGS, "python": READINGS["python-classifiers"]})
"""Facts that people write and stored metadata can refute: those that are read, and one that says it in other words."""

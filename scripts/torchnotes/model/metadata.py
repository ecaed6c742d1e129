"""What published wheels say about themselves, as it was read in them. Written by a program.

Says nothing that a reader could not find in the file again; refuses to judge it, and to repeat a wheel's file name,
which stands among the examined wheels.
"""

from typing import Annotated

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version
from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from torchnotes.model.evidence import WheelId
from torchnotes.model.text import Record, ReleaseText, Sha256, Verbatim, unique, whole_number


def _requirement(text: str) -> str:
    try:
        return str(Requirement(text))
    except InvalidRequirement:
        raise PydanticCustomError("metadata", "is no requirement of a wheel") from None


def _specifier(text: str) -> str:
    try:
        return str(SpecifierSet(text))
    except InvalidSpecifier:
        raise PydanticCustomError("metadata", "is no version specifier") from None


def _version(text: str) -> str:
    try:
        Version(text)
    except InvalidVersion:
        raise PydanticCustomError("metadata", "is no version") from None
    return text


RequirementText = Annotated[str, Field(min_length=1, max_length=1_000), AfterValidator(_requirement)]
"""A line of ``Requires-Dist``, as ``packaging`` writes it."""
SpecifierText = Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_specifier)]
"""A version specifier, as ``packaging`` writes it."""
FullVersion = Annotated[str, Field(min_length=1, max_length=60), AfterValidator(_version)]
"""A version with its build, such as ``2.15.0+cu132``."""
WheelTag = Annotated[str, Field(pattern=r"^[A-Za-z0-9_]+-[A-Za-z0-9_]+-[A-Za-z0-9_]+$", max_length=120)]
"""Python, ABI and platform, such as ``cp312-cp312-macosx_14_0_arm64``."""
Architecture = Annotated[str, Field(pattern=r"^(sm|compute)_[0-9]+[a-z]?$", max_length=20)]
"""A GPU architecture of CUDA: ``sm_90`` for machine code, ``compute_90`` for PTX."""


class WheelMetadata(Record):
    """What one wheel says about itself."""

    wheel: WheelId
    """The wheel, by its id among the examined ones."""
    sha256: Sha256
    """Hash of the file that was read."""
    size: Annotated[int, Field(gt=0), whole_number]
    """Bytes of the file."""
    requires_python: SpecifierText | None
    """`Requires-Python` of its metadata; null when it names none."""
    pythons: Annotated[tuple[ReleaseText, ...], unique]
    """Versions of Python that its classifiers name."""
    requirements: Annotated[tuple[RequirementText, ...], unique]
    """`Requires-Dist` of its metadata, in its order; a line that stands there again is left out."""
    tags: Annotated[tuple[WheelTag, ...], Field(min_length=1), unique]
    """Tags in its file name."""
    tags_inside: Annotated[tuple[WheelTag, ...], unique]
    """Tags in its `WHEEL` file."""
    generator: Verbatim | None
    """Program that packed it, by its `WHEEL` file."""
    full_version: FullVersion | None
    """`__version__` of its `version.py`; null when it has none."""
    commit: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")] | None
    """`git_version` of its `version.py`."""
    cuda: Annotated[str, Field(pattern=r"^[0-9]+(\.[0-9]+){1,2}$")] | None
    """`cuda` of its `version.py`: the version of CUDA it was built with."""
    hip: Verbatim | None
    """`hip` of its `version.py`: the version of ROCm's HIP it was built with."""
    xpu: Verbatim | None
    """`xpu` of its `version.py`: the version of the compiler for Intel GPUs it was built with."""
    architectures: Annotated[tuple[Architecture, ...], Field(min_length=1), unique] | None
    """What `torch.cuda.get_arch_list()` is made from, in its library; null when it holds no such list."""
    macos: ReleaseText | None
    """Newest macOS that one of its libraries asks for; null when it has no libraries for macOS."""


class MetadataFile(Record):
    """All that was read so. Written by `torchnotes verify`, never by hand."""

    wheels: tuple[WheelMetadata, ...]
    """In the order of the examined wheels."""

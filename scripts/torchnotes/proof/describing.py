"""One open wheel → what it says about itself, by reading alone; and the file that keeps it.

Reads the metadata, ``version.py`` by its syntax tree, and the few bytes of its libraries that name GPU architectures
and a macOS version. Refuses to guess: what a wheel does not say is null, and what it says twice in two ways is an error.
"""

import ast
import re
import struct
from collections.abc import Iterable, Iterator
from typing import Any

from packaging.utils import InvalidWheelFilename, parse_wheel_filename
from pydantic import ValidationError

from torchnotes.model import MetadataFile, WheelFile, WheelMetadata
from torchnotes.wheel.archive import Archive, WheelError
from torchnotes.wheel.metadata import classifiers, requirements, requires_python
from torchnotes.wheel.syntax import definitions
from torchnotes.yaml_source import dump

METADATA_PATH = "data/evidence/metadata.yaml"
HEADING = "# Written by `torchnotes verify`, never by hand: what each wheel says about itself.\n"

_PYTHON = re.compile(r"Programming Language :: Python :: (\d+\.\d+)")
_LIST = re.compile(rb"\x00((?:sm|compute)_\d{2,4}[a-z]?(?: (?:sm|compute)_\d{2,4}[a-z]?)*)(?=\x00)")
"""A list of CUDA architectures as C text: the one that ``torch.cuda.get_arch_list`` splits at its blanks."""
_LONGEST_LIST = 4096
"""Bytes that such a list may have; the published ones have fewer than 50."""
_LISTING = re.compile(r"torch/lib/(?:lib)?torch_python\.(?:so|dylib|dll)")
"""The library of the function behind ``torch.cuda.get_arch_list``."""
_LIBRARY = re.compile(r"[^/]+/.*\.(?:dylib|so)")
_MACH_O, _BUILD_VERSION, _MACOS = 0xFEEDFACF, 0x32, 1
"""Of Apple's ``mach-o/loader.h``: the magic number of 64-bit files, LC_BUILD_VERSION, PLATFORM_MACOS."""
_HEADER = struct.Struct("<IiiIIIII")
_COMMAND = struct.Struct("<IIII")
"""A load command: its number, its size, and for LC_BUILD_VERSION the platform and the oldest version."""
_COMMANDS = 64 * 1024
"""Bytes at the beginning of a library in which its load commands lie. Those of PyTorch take a few KiB."""


def describe(archive: Archive, wheel: WheelFile) -> WheelMetadata:
    """What ``archive`` says about itself; ``wheel`` is its entry among the examined ones.

    Raises ``WheelError`` for what cannot be read, or is not of the form that it has in every wheel.
    """
    info = _wheel_file(archive)
    named = _named(archive, wheel)
    try:
        return WheelMetadata(
            wheel=wheel.id,
            sha256=wheel.sha256,
            size=archive.path.stat().st_size,
            requires_python=requires_python(archive) or None,
            pythons=tuple(match[1] for one in classifiers(archive) if (match := _PYTHON.fullmatch(one))),
            requirements=tuple(dict.fromkeys(str(one) for one in requirements(archive))),
            tags=_tags(wheel.file),
            tags_inside=tuple(sorted(dict.fromkeys(value for key, value in info if key == "Tag"))),
            generator=next((value for key, value in info if key == "Generator"), None),
            full_version=named.get("__version__"),
            commit=named.get("git_version"),
            cuda=named.get("cuda"),
            hip=named.get("hip"),
            xpu=named.get("xpu"),
            architectures=_architectures(archive),
            macos=_macos(archive),
        )
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        what = f"{archive.path.name} says something of another form than wheels do: {where}: {first['msg']}"
        raise WheelError(what, "Look into it; then teach torchnotes that form.") from error


def metadata_of(
    wheels: Iterable[WheelFile], stored: MetadataFile | None, described: Iterable[WheelMetadata]
) -> MetadataFile:
    """All metadata, in the order of the examined wheels: what was read now, and else what is stored of the same file."""
    read = {one.wheel: one for one in described}
    kept = {one.wheel: one for one in stored.wheels} if stored else {}
    known = [(wheel, read.get(wheel.id) or kept.get(wheel.id)) for wheel in wheels]
    return MetadataFile(wheels=tuple(one for wheel, one in known if one is not None and one.sha256 == wheel.sha256))


def metadata_text(metadata: MetadataFile) -> str:
    """The file: the same metadata always gives the same text."""
    values: dict[str, Any] = metadata.model_dump(mode="json")
    return dump(values, HEADING)


def _wheel_file(archive: Archive) -> list[tuple[str, str]]:
    """Keys and values of its ``WHEEL`` file."""
    lines = archive.text(f"{archive.dist_info}/WHEEL").splitlines()
    pairs = [line.partition(":") for line in lines if ":" in line]
    return [(key.strip(), value.strip()) for key, _, value in pairs]


def _tags(file: str) -> tuple[str, ...]:
    try:
        found = parse_wheel_filename(file)[3]
    except InvalidWheelFilename as error:
        raise WheelError(f"{file!r} is no file name of a wheel", "Name it as its publisher does.") from error
    return tuple(sorted(str(one) for one in found))


def _named(archive: Archive, wheel: WheelFile) -> dict[str, str]:
    """Text that its ``version.py`` assigns, by name."""
    file = f"{wheel.package.replace('-', '_')}/version.py"
    if not archive.has(file):
        return {}
    found = {}
    for name, several in definitions(archive.text(file)).items():
        value = several[-1].value
        literal = _literal(value) if value is not None else None
        if isinstance(literal, str):
            found[name] = literal
    return found


def _literal(expression: str) -> object:
    try:
        return ast.literal_eval(expression)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _architectures(archive: Archive) -> tuple[str, ...] | None:
    found = {one for name in sorted(archive.names) if _LISTING.fullmatch(name) for one in _lists(archive, name)}
    if len(found) > 1:
        shown = "; ".join(sorted(one.decode() for one in found))
        what = f"{archive.path.name} holds more than one list of GPU architectures: {shown}"
        raise WheelError(what, "Look which of them torch.cuda.get_arch_list returns; then teach torchnotes that.")
    return tuple(found.pop().decode().split(" ")) if found else None


def _lists(archive: Archive, name: str) -> Iterator[bytes]:
    """Every list of architectures in a library of any size, read once."""
    kept = b""
    for piece in archive.pieces(name):
        window = kept + piece
        yield from _LIST.findall(window)
        # What may be the beginning of a list that goes on in the next piece.
        kept = window[-_LONGEST_LIST:]


def _macos(archive: Archive) -> str | None:
    found = [
        asked for name in sorted(archive.names) if _LIBRARY.fullmatch(name) for asked in _asked_macos(archive, name)
    ]
    return "{}.{}".format(*max(found)) if found else None


def _asked_macos(archive: Archive, name: str) -> Iterator[tuple[int, int]]:
    """The macOS version that one library for 64-bit Macs asks for."""
    head = next(archive.pieces(name, _COMMANDS), b"")
    if len(head) < _HEADER.size:
        return
    magic, _, _, _, count, _, _, _ = _HEADER.unpack_from(head)
    at = _HEADER.size
    for _ in range(count if magic == _MACH_O else 0):
        if at + _COMMAND.size > len(head):
            return
        command, size, platform, version = _COMMAND.unpack_from(head, at)
        if command == _BUILD_VERSION and platform == _MACOS:
            yield version >> 16, version >> 8 & 0xFF
        # A damaged one must not hold the reader up.
        at += max(size, _COMMAND.size)

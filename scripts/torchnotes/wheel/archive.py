"""A wheel on the disk → its members, by name.

Reads each member when it is asked for. Refuses to unpack anything to the disk, and to open an archive that is built to
harm or to mislead: the wheels are the ground that evidence stands on.
"""

import hashlib
import lzma
import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from functools import cached_property
from io import BufferedReader
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Self

__all__ = ["Archive", "WheelError", "open_wheel"]

_MIB = 1024**2
_GIB = 1024**3
MOST_READ = 64 * _MIB
"""Bytes of a member that is read as a whole. Source files are far smaller; libraries are streamed."""
MOST_IN_ALL = 8 * _GIB
"""Bytes of all members together, unpacked. The largest published PyTorch wheel has about 2 GiB."""
MOST_OF_ONE = 4 * _GIB
"""Bytes of one member, unpacked."""
MOST_RATIO = 200
"""Times that a large member may shrink. Libraries shrink about 5 times, and generated headers 60 times."""
MOST_MEMBERS = 1_000_000
"""Entries in the list of members. A wheel of PyTorch has about 14 thousand."""
_CHUNK = 4 * _MIB
_ALIKE = 0.6
"""How alike two names must be, of 1, for one to be offered for the other; as in ``difflib``."""
_ENCRYPTED = 0x1 | 0x40
_HEADER = 30
"""Bytes of the header that stands before each member, without its name."""
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    NotImplementedError,
    OverflowError,
    UnicodeError,
    ValueError,
    RuntimeError,
)
"""All that ``zipfile`` raises about bytes that are no archive, or no whole one."""


class WheelError(Exception):
    """A wheel, or something in it, that cannot be read."""

    what: str
    """What is wrong, without a full stop."""
    fix: str
    """What to do, as a sentence."""

    def __init__(self, what: str, fix: str) -> None:
        """Both as in ``problem.Problem``."""
        super().__init__(f"{what}. {fix}")
        self.what = what
        self.fix = fix


class Archive:
    """An open wheel. A context manager: leaving it closes the file."""

    path: Path
    """The file it was opened from."""
    names: frozenset[str]
    """Every file in it, from the archive's root, with forward slashes. Folders are left out."""
    dist_info: str
    """Name of the folder with its metadata: ``torch-2.15.0.dist-info``."""

    def __init__(self, path: Path, file: BufferedReader, members: zipfile.ZipFile) -> None:
        """Take over an open file whose members were found harmless: ``open_wheel`` does it."""
        self.path = path
        self._file = file
        self._zip = members
        self._members: Mapping[str, zipfile.ZipInfo] = {
            one.filename: one for one in members.infolist() if not one.is_dir()
        }
        self.names = frozenset(self._members)
        self.dist_info = _dist_info(path, self.names)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. What was read before stays good; reading more fails."""
        self._zip.close()
        self._file.close()

    def has(self, name: str) -> bool:
        """Whether a file of exactly this path is in the wheel."""
        return name in self._members

    def size(self, name: str) -> int:
        """Bytes of a file, unpacked, as the archive declares them. Raises ``WheelError`` when it is not there."""
        return self._member(name).file_size

    def read(self, name: str) -> bytes:
        """All bytes of a file of at most 64 MiB. Raises ``WheelError`` when it is not there, larger, or damaged."""
        member = self._member(name)
        if member.file_size > MOST_READ:
            raise WheelError(
                f"{name} in {self.path.name} has {member.file_size} bytes, too many to read as a whole",
                "Look for pieces of text in it with a streamed search.",
            )
        try:
            return self._zip.read(member)
        except (*_BROKEN, OSError) as error:
            raise self._damaged(name, error) from error

    def text(self, name: str) -> str:
        """The same as text. Bytes that are no UTF-8 become replacement characters."""
        return self.read(name).decode("utf-8", errors="replace")

    def pieces(self, name: str, size: int = _CHUNK) -> Iterator[bytes]:
        """The bytes of a file of any size, from its beginning, in pieces of at most ``size``.

        Who needs only the beginning stops early; then the file's checksum is not compared. Raises ``WheelError`` as
        ``read`` does.
        """
        member = self._member(name)
        try:
            with self._zip.open(member) as stream:
                while piece := stream.read(size):
                    yield piece
        except (*_BROKEN, OSError) as error:
            raise self._damaged(name, error) from error

    def which(self, name: str, needles: Collection[bytes]) -> frozenset[bytes]:
        """Those of some pieces of text that stand in a file of any size.

        Reads it once, in pieces of a few MiB, and stops when all are found; so the file's checksum is compared only
        when one is missing. Raises ``ValueError`` for an empty piece, and ``WheelError`` as ``read`` does.
        """
        waiting = set(needles)
        if b"" in waiting:
            raise ValueError("an empty piece of text stands in every file")
        longest = max(map(len, waiting), default=0)
        member = self._member(name)
        found: set[bytes] = set()
        kept = b""
        try:
            with self._zip.open(member) as stream:
                while waiting and (chunk := stream.read(_CHUNK)):
                    window = kept + chunk
                    here = {needle for needle in waiting if needle in window}
                    found |= here
                    waiting -= here
                    # What may be the beginning of a piece that goes on in the next chunk.
                    kept = window[len(window) - longest + 1 :] if len(window) >= longest else window
        except (*_BROKEN, OSError) as error:
            raise self._damaged(name, error) from error
        return frozenset(found)

    def nearest(self, name: str) -> str | None:
        """The path most like one that is not there, for a message; None when nothing is like it.

        A file of the same name in another folder comes first; then a like name in the same folder; then a like name
        anywhere.
        """
        folder, _, file = name.rpartition("/")
        same = self._by_file.get(file, ())
        if same:
            return max(same, key=lambda one: (_likeness(name, one), one))
        here = [one for one in self._sorted if one.rpartition("/")[0] == folder]
        return _most_alike(name, here) or _most_alike(name, self._sorted)

    def python_files(self) -> Iterator[str]:
        """Paths of all ``.py`` and ``.pyi`` files of its packages, sorted."""
        for name in self._sorted:
            if name.endswith((".py", ".pyi")) and not _is_beside_packages(name):
                yield name

    @cached_property
    def _sorted(self) -> tuple[str, ...]:
        return tuple(sorted(self.names))

    @cached_property
    def _by_file(self) -> Mapping[str, list[str]]:
        """Paths by their last part."""
        found: dict[str, list[str]] = {}
        for name in self._sorted:
            found.setdefault(name.rpartition("/")[2], []).append(name)
        return found

    def _member(self, name: str) -> zipfile.ZipInfo:
        member = self._members.get(name)
        if member is None:
            near = self.nearest(name)
            raise WheelError(
                f"no file {name!r} in {self.path.name}",
                f"Did you mean {near!r}?" if near else "Look at the list of its files.",
            )
        return member

    def _damaged(self, name: str, error: Exception) -> WheelError:
        return WheelError(f"{name} in {self.path.name} is damaged: {error}", "Fetch the wheel again.")


def open_wheel(path: Path, sha256: str | None = None) -> Archive:
    """A wheel that is whole as far as its list of members tells. ``sha256`` is what the file must have, in hex digits.

    Raises ``WheelError`` for a file that is not there or not readable, has another hash, is no zip archive or a
    truncated one, or holds members that no honest wheel holds: with ``..``, a backslash, a NUL or an absolute path,
    encrypted, two of one name, one inside another, links, absurd sizes, or no ``*.dist-info``.
    """
    try:
        file = path.open("rb")
    except FileNotFoundError as error:
        raise WheelError(f"no file {path}", "Fetch the wheel, or give its right path.") from error
    except OSError as error:
        raise WheelError(
            f"{path} cannot be read: {error.strerror or error}", "Give the path of a wheel that you may read."
        ) from error
    try:
        if sha256 is not None:
            _check_hash(path, file, sha256)
        members = _members_of(path, file)
        _check_members(path, members.infolist())
        return Archive(path, file, members)
    except BaseException:
        file.close()
        raise


def _check_hash(path: Path, file: BufferedReader, wanted: str) -> None:
    try:
        found = hashlib.file_digest(file, "sha256").hexdigest()
        file.seek(0)
    except OSError as error:
        raise WheelError(f"{path} cannot be read: {error.strerror or error}", "Fetch the wheel again.") from error
    if found != wanted.strip().lower():
        raise WheelError(
            f"{path.name} has the SHA-256 {found}, and {wanted} is asked for",
            "Fetch the wheel again, or correct the recorded hash.",
        )


def _members_of(path: Path, file: BufferedReader) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except (*_BROKEN, OSError) as error:
        file.seek(0)
        if file.read(4) == b"PK\x03\x04":
            raise WheelError(f"{path.name} is a truncated or damaged zip archive", "Fetch the wheel again.") from error
        raise WheelError(f"{path.name} is no zip archive", "Give the path of a wheel, which is one.") from error


def _check_members(path: Path, members: list[zipfile.ZipInfo]) -> None:
    fault = next(_faults(members), None)
    if fault is not None:
        raise WheelError(f"{path.name} {fault}", "Do not use this file; fetch the wheel from its publisher.")


def _faults(members: list[zipfile.ZipInfo]) -> Iterator[str]:
    """Everything that no honest wheel has, as the end of a sentence."""
    if len(members) > MOST_MEMBERS:
        yield f"has {len(members)} members"
    for one in members:
        fault = _fault_of_name(one.orig_filename)
        if fault:
            yield f"has a member {one.orig_filename!r}, {fault}"
        if one.flag_bits & _ENCRYPTED:
            yield f"has an encrypted member {one.filename!r}"
        if stat.S_ISLNK(one.external_attr >> 16):
            yield f"has a member {one.filename!r} that is a link"
    counts = Counter(one.filename.rstrip("/") for one in members)
    for name, count in counts.items():
        if count > 1:
            yield f"has {count} members of the name {name!r}"
    yield from _faults_of_size(members)


def _fault_of_name(name: str) -> str | None:
    if "\0" in name:
        return "with a NUL in its name"
    if "\\" in name:
        return "with a backslash in its name"
    if name.startswith("/") or name[1:2] == ":":
        return "an absolute path"
    parts = name.removesuffix("/").split("/")
    return "which is no plain path below the archive's root" if {"", ".", ".."} & set(parts) else None


def _faults_of_size(members: list[zipfile.ZipInfo]) -> Iterator[str]:
    whole = sum(one.file_size for one in members)
    if whole > MOST_IN_ALL:
        yield f"declares {whole} bytes unpacked, more than any wheel has"
    for one in members:
        if one.file_size > MOST_OF_ONE:
            yield f"has a member {one.filename!r} that declares {one.file_size} bytes unpacked"
        if one.file_size > MOST_READ and one.file_size > MOST_RATIO * max(one.compress_size, 1):
            yield f"has a member {one.filename!r} that unpacks {one.compress_size} bytes to {one.file_size}"
    # Members that share bytes make a small file unpack to a huge one without any absurd ratio.
    places = sorted(members, key=lambda one: one.header_offset)
    for before, after in pairwise(places):
        if before.header_offset + _HEADER + before.compress_size > after.header_offset:
            yield f"has a member {after.filename!r} inside another, {before.filename!r}"


def _dist_info(path: Path, names: Iterable[str]) -> str:
    folders = {name.split("/")[0] for name in names if "/" in name}
    found = sorted(folder for folder in folders if folder.endswith(".dist-info"))
    if len(found) == 1:
        return found[0]
    what = f"has the folders {' and '.join(found)}" if found else "has no folder *.dist-info"
    raise WheelError(f"{path.name} {what}, so it is no wheel", "Give the path of a wheel, which has exactly one.")


def _is_beside_packages(name: str) -> bool:
    """Whether a path lies in a folder of metadata or of data files, not in a package."""
    return name.partition("/")[0].endswith((".dist-info", ".data"))


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _most_alike(name: str, names: Iterable[str]) -> str | None:
    """The first of the most alike names. Cheaper bounds go first, as in ``difflib``: there are thousands of names."""
    best, found = _ALIKE, None
    matcher = SequenceMatcher(None, autojunk=False)
    matcher.set_seq2(name)
    for one in names:
        matcher.set_seq1(one)
        if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best:
            ratio = matcher.ratio()
            if ratio > best:
                best, found = ratio, one
    return found

"""What a wheel says about itself: its metadata, its entry points, and the tags in its file name.

Refuses to judge whether a machine meets it.
"""

import configparser
from collections.abc import Mapping
from email.message import Message
from email.parser import HeaderParser
from typing import NamedTuple

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from torchnotes.wheel.archive import Archive, WheelError

__all__ = ["Tags", "classifiers", "entry_points", "requirements", "requires_python", "tags", "version"]

_BROKEN = "Fetch the wheel again; if it is whole, its publisher wrote it wrong."


class Tags(NamedTuple):
    """For which Python and which machine a wheel is built."""

    python: str
    """``cp312``; several are joined with a dot, sorted."""
    abi: str
    """``cp312``, or ``none``; several are joined with a dot, sorted."""
    platforms: tuple[str, ...]
    """``macosx_14_0_arm64``, sorted."""


def version(archive: Archive) -> str:
    """The version that the metadata declares. Raises ``WheelError`` when it declares none."""
    found = _metadata(archive).get("Version")
    if found is None:
        raise WheelError(f"{archive.path.name} declares no version", _BROKEN)
    return str(found).strip()


def requires_python(archive: Archive) -> str:
    """Versions of Python it may be installed for, as written: ``>=3.10``. Empty when it names none."""
    return str(_metadata(archive).get("Requires-Python", "")).strip()


def requirements(archive: Archive) -> tuple[Requirement, ...]:
    """What it depends on, in the order of the metadata. Raises ``WheelError`` for a line that is no requirement."""
    return tuple(_requirement(archive, line) for line in _all(archive, "Requires-Dist"))


def classifiers(archive: Archive) -> tuple[str, ...]:
    """Its classifiers, in the order of the metadata."""
    return _all(archive, "Classifier")


def entry_points(archive: Archive) -> Mapping[tuple[str, str], str]:
    """What it registers: group and name → target. Empty when it registers nothing."""
    name = f"{archive.dist_info}/entry_points.txt"
    if not archive.has(name):
        return {}
    parser = configparser.ConfigParser(delimiters=("=",), interpolation=None, default_section="")
    # Names keep their case.
    parser.optionxform = str  # type: ignore[method-assign,assignment]
    try:
        parser.read_string(archive.text(name))
    except configparser.Error as error:
        raise WheelError(f"{name} in {archive.path.name} cannot be read: {error}", _BROKEN) from error
    return {(group, key): target for group in parser.sections() for key, target in parser.items(group)}


def tags(path_name: str) -> Tags:
    """The tags in a wheel's file name. Raises ``WheelError`` for a name that is no wheel's."""
    try:
        found = parse_wheel_filename(path_name)[3]
    except InvalidWheelFilename as error:
        raise WheelError(
            f"{path_name!r} is no file name of a wheel",
            "Name it as its publisher does: name, version, Python, ABI and platform, with hyphens between.",
        ) from error
    return Tags(
        python=".".join(sorted({one.interpreter for one in found})),
        abi=".".join(sorted({one.abi for one in found})),
        platforms=tuple(sorted({one.platform for one in found})),
    )


def _metadata(archive: Archive) -> Message:
    return HeaderParser().parsestr(archive.text(f"{archive.dist_info}/METADATA"))


def _all(archive: Archive, field: str) -> tuple[str, ...]:
    return tuple(str(one).strip() for one in _metadata(archive).get_all(field, []))


def _requirement(archive: Archive, line: str) -> Requirement:
    try:
        return Requirement(line)
    except InvalidRequirement as error:
        raise WheelError(f"{archive.path.name} has a requirement {line!r} that is none", _BROKEN) from error

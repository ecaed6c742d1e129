"""Two opened wheels → what changed in the public API between them. Pure: knows no disk but the two archives.

``inventory`` says what is public, ``signature`` what a change of parameters means, ``names`` what counts as removed.
Sees what is written in Python files, stubs, generated headers and metadata; not what a function does, and not what
exists in a wheel for another platform only.
"""

import hashlib
from collections.abc import Iterable, Mapping

from packaging.requirements import Requirement

from torchnotes.apidiff.inventory import LEFT_OUT, Inventory
from torchnotes.apidiff.names import compare
from torchnotes.apidiff.words import shortened
from torchnotes.model.api import ApiDiff, ApiWheel, Differences, OtherValue
from torchnotes.wheel.archive import Archive
from torchnotes.wheel.exports import Exports
from torchnotes.wheel.metadata import entry_points, requirements, requires_python, version
from torchnotes.wheel.operators import operators
from torchnotes.wheel.settings import Setting, config_flags, environment_variables
from torchnotes.wheel.syntax import module_of

__all__ = ["api_diff"]


def api_diff(old: Archive, new: Archive) -> ApiDiff:
    """All differences between two wheels of one package for one platform, in a stable order.

    Takes about 25 seconds of a processor for wheels of PyTorch. Raises ``WheelError`` when a file cannot be read.
    """
    flags = config_flags(old), config_flags(new)
    # Flags are settings: their modules hold no other public names.
    configs = {_module(place) for side in flags for one in side.values() for place in one.where}
    names = compare(Inventory(old, configs), Inventory(new, configs), Exports(old), Exports(new))
    return ApiDiff(
        old=_wheel(old),
        new=_wheel(new),
        removed=names.removed,
        unconfirmed=names.unconfirmed,
        changed=names.changed,
        added=names.added,
        parameters=names.parameters,
        operators=_operators(operators(old), operators(new)),
        variables=_settings(environment_variables(old), environment_variables(new)),
        flags=_settings(*flags),
        entry_points=_lines(_entry_points(old), _entry_points(new)),
        requirements=_requirements(old, new),
    )


def _wheel(archive: Archive) -> ApiWheel:
    with archive.path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    return ApiWheel(file=archive.path.name, version=version(archive), sha256=found)


def _module(place: str) -> str:
    return module_of(place.rpartition(":")[0])


def _operators(old: Mapping[str, str], new: Mapping[str, str]) -> Differences:
    return Differences(
        added=tuple(_whole(name, new[name]) for name in sorted(new.keys() - old.keys())),
        removed=tuple(_whole(name, old[name]) for name in sorted(old.keys() - new.keys())),
        changed=_others(old, new),
    )


def _whole(name: str, schema: str) -> str:
    """A schema with its namespace."""
    return f"{name.partition('::')[0]}::{schema}"


def _others(old: Mapping[str, str | None], new: Mapping[str, str | None]) -> tuple[OtherValue, ...]:
    pairs = ((name, old[name], new[name]) for name in sorted(old.keys() & new.keys()))
    return tuple(OtherValue(name=name, was=was, now=now) for name, was, now in pairs if was and now and was != now)


def _settings(old: Mapping[str, Setting], new: Mapping[str, Setting]) -> Differences:
    ours, theirs = ({name: one for name, one in side.items() if _is_public(one)} for side in (old, new))
    return Differences(
        added=tuple(sorted(theirs.keys() - old.keys())),
        removed=tuple(sorted(ours.keys() - new.keys())),
        changed=_others(
            *(
                {name: shortened(one.default) if one.default else None for name, one in side.items()}
                for side in (ours, theirs)
            )
        ),
    )


def _is_public(setting: Setting) -> bool:
    """Whether users may set it: not what only tests and vendored code read, and no private flag."""
    hidden = LEFT_OUT - {"include", "csrc"} | {"_vendor"}
    is_read = any(not hidden & set(_module(place).split(".")) for place in setting.where)
    return is_read and not setting.name.rpartition(".")[2].startswith("_")


def _lines(old: Iterable[str], new: Iterable[str]) -> Differences:
    ours, theirs = set(old), set(new)
    return Differences(added=tuple(sorted(theirs - ours)), removed=tuple(sorted(ours - theirs)))


def _entry_points(archive: Archive) -> Iterable[str]:
    return (f"{group}: {name} = {target}" for (group, name), target in entry_points(archive).items())


def _requirements(old: Archive, new: Archive) -> Differences:
    ours, theirs = ({_package(one): one for one in requirements(archive)} for archive in (old, new))
    versions = [
        {name: str(one.specifier) or "any version" for name, one in side.items()}
        | {"Python": requires_python(archive) or "any version"}
        for side, archive in ((ours, old), (theirs, new))
    ]
    return Differences(
        added=tuple(str(theirs[name]) for name in sorted(theirs.keys() - ours.keys())),
        removed=tuple(str(ours[name]) for name in sorted(ours.keys() - theirs.keys())),
        changed=_others(*versions),
    )


def _package(requirement: Requirement) -> str:
    """What is required, and when: all but its versions."""
    extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
    marker = f"; {requirement.marker}" if requirement.marker else ""
    return f"{requirement.name}{extras}{marker}"

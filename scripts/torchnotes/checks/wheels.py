"""What is said of wheels: which were examined, what they say of themselves, and which hardware their code runs on."""

from collections.abc import Iterator
from typing import Any

from packaging.utils import InvalidWheelFilename, parse_wheel_filename
from packaging.version import InvalidVersion

from torchnotes.checks.place import at
from torchnotes.library import Library
from torchnotes.messages import offer
from torchnotes.model.evidence import TORCH
from torchnotes.problem import Problem
from torchnotes.published import CHECKED, code_for, statements, wheels_of, written
from torchnotes.reading import Contents, Read
from torchnotes.terms import Basis, Runs, Wheel

_SEEN = frozenset({Basis.METADATA, Basis.WHEEL, Basis.RUN})
"""How a thing is known that somebody saw in a published wheel."""


def check_examined_wheels(contents: Contents, library: Library) -> Iterator[Problem]:
    """An examined wheel is what its file name says, of a published version, and the only one of its platform."""
    read = contents.wheels
    if read is None:
        return
    seen: set[str] = set()
    for index, wheel in enumerate(read.record.wheels):
        if wheel.package == TORCH and wheel.version not in library.versions:
            fix = offer(wheel.version, library.versions, "data/releases/")
            yield at(
                read, ("wheels", index, "version"), f"no published version '{wheel.version}'", fix, "unknown-version"
            )
        named = _named(wheel.file)
        if named != (wheel.package, wheel.version, wheel.platform is Wheel.ANY):
            what = (
                f"'{wheel.file}' is not the name of a wheel of {wheel.package} {wheel.version}, {wheel.platform.label}"
            )
            yield at(read, ("wheels", index, "file"), what, "Correct one of them.", "wheel-name")
        if wheel.id in seen:
            what = f"{wheel.package} {wheel.version} for {wheel.platform.label} is there twice"
            yield at(read, ("wheels", index, "file"), what, "Keep one.", "duplicate-id")
        seen.add(wheel.id)


def _named(file: str) -> tuple[str, str, bool] | None:
    """Package, version, and whether every platform is meant, by a file's name; None when it is no wheel's name."""
    try:
        package, version, _, tags = parse_wheel_filename(file)
    except (InvalidWheelFilename, InvalidVersion):
        return None
    return str(package), str(version), {tag.platform for tag in tags} == {"any"}


def check_limits(contents: Contents, _library: Library) -> Iterator[Problem]:
    """A release limits a thing once for each build, and only builds that it has."""
    for read in contents.releases:
        builds = {one.build for one in read.record.builds}
        seen: set[tuple[str, ...]] = set()
        for index, limit in enumerate(read.record.limits):
            for number, build in enumerate(limit.build):
                if build not in builds:
                    what = f"no build {build} in this release"
                    place = ("limits", index, "build", number)
                    yield at(read, place, what, "Add it to `builds`, or remove it.", "unknown-build")
            limited = [(limit.of, limit.stops, build) for build in limit.build or sorted(builds)]
            if any(one in seen for one in limited):
                what = f"{limit.of.label} is limited twice for the same build"
                yield at(read, ("limits", index), what, "Keep one.", "limited-twice")
            seen.update(limited)


def check_served_hardware(contents: Contents, _library: Library) -> Iterator[Problem]:
    """A release answers once for each hardware, build and platform, about a build that it has and code that is in it."""
    for read in contents.releases:
        builds = {(one.build, platform) for one in read.record.builds for platform in one.platforms}
        codes = {(one.build, one.platform): one.codes for one in read.record.architectures}
        seen: set[tuple[str, ...]] = set()
        for index, one in enumerate(read.record.serves):
            wheel = (one.build, one.platform)
            if (one.hardware, *wheel) in seen:
                what = f"'{one.hardware}' is answered twice for {one.build} on {one.platform}"
                yield at(read, ("serves", index), what, "Keep one.", "served-twice")
            seen.add((one.hardware, *wheel))
            if wheel not in builds:
                what = f"no build {one.build} on {one.platform} in this release"
                yield at(read, ("serves", index, "build"), what, "Add it to `builds`, or correct one.", "unknown-build")
            yield from _through(read, index, codes.get(wheel))


def _through(read: Read[Any], index: int, codes: tuple[str, ...] | None) -> Iterator[Problem]:
    one = read.record.serves[index]
    place = ("serves", index, "through")
    if one.through is None:
        return
    if one.runs in (Runs.NO, Runs.UNKNOWN):
        yield at(read, place, f"runs is '{one.runs}', so there is no code to run", "Write null.", "served-through")
        return
    for code in one.through.split(", "):
        if codes and code not in codes:
            what = f"'{code}' is not among the architectures of that wheel"
            yield at(read, place, what, "Correct one of the two.", "served-through")


def check_stored_metadata(contents: Contents, library: Library) -> Iterator[Problem]:
    """Stored metadata is of an examined wheel, of that very file, and there once."""
    read = contents.metadata
    if read is None:
        return
    known = {wheel.id: wheel for wheel in library.wheels}
    fix = "Run `torchnotes verify`."
    seen: set[str] = set()
    for index, one in enumerate(read.record.wheels):
        place = ("wheels", index, "wheel")
        if one.wheel in seen:
            yield at(read, place, f"{one.wheel} is there twice", "Keep one.", "duplicate-id")
        elif one.wheel not in known:
            yield at(read, place, f"no examined wheel '{one.wheel}'", fix, "stale-metadata")
        elif one.sha256 != known[one.wheel].sha256:
            what = f"{one.wheel} has another hash in data/evidence/wheels.yaml"
            yield at(read, ("wheels", index, "sha256"), what, fix, "stale-metadata")
        seen.add(one.wheel)


def check_facts_in_metadata(contents: Contents, library: Library) -> Iterator[Problem]:
    """What a release says to have seen in a wheel is what the stored metadata of that wheel says."""
    for read in contents.releases:
        release = read.record
        newest = release.versions[-1].version
        older = [one.version for one in release.versions[:-1]]
        for index, fact in enumerate(release.facts):
            for number, version in enumerate(fact.also_in):
                if version not in older:
                    what = f"{version} is no older version of this release"
                    yield at(read, ("facts", index, "also_in", number), what, "Remove it.", "unknown-version")
            if fact.basis in _SEEN:
                for version in (newest, *fact.also_in):
                    yield from _fact(read, index, version, library)
        for index, one in enumerate(release.versions):
            yield from _commit(read, index, one.version, library)
        yield from _architectures(read, newest, library)
        yield from _served(read, newest, library)


def _fact(read: Read[Any], index: int, version: str, library: Library) -> Iterator[Problem]:
    fact = read.record.facts[index]
    reading = CHECKED.get(fact.id)
    if reading is None:
        if fact.basis is Basis.METADATA:
            what = f"no stored metadata tells '{fact.id}'"
            yield at(read, ("facts", index, "basis"), what, "Give another basis.", "metadata-differs")
        return
    shown = written(statements(reading, wheels_of(library, version)))
    if shown and _same_text(fact.value) != _same_text(shown):
        what = f"the wheels of {version} say '{shown}'"
        fix = "Write that, or give another basis."
        yield at(read, ("facts", index, "value"), what, fix, "metadata-differs")


def _same_text(value: str) -> str:
    """Two ways to write a value become one: a pin with or without its sign, a value with or without backticks."""
    return " ".join(value.replace("`", "").replace("==", "").split())


def _commit(read: Read[Any], index: int, version: str, library: Library) -> Iterator[Problem]:
    written_commit = read.record.versions[index].commit
    for wheel, metadata in wheels_of(library, version):
        if None not in (written_commit, metadata.commit) and written_commit != metadata.commit:
            what = f"the wheel for {wheel.platform.label} names {metadata.commit}"
            yield at(read, ("versions", index, "commit"), what, "Write that.", "metadata-differs")
            return


def _architectures(read: Read[Any], newest: str, library: Library) -> Iterator[Problem]:
    """Builds that a plain pip install takes are those that were opened."""
    opened = {wheel.platform: metadata for wheel, metadata in wheels_of(library, newest)}
    for index, one in enumerate(read.record.architectures):
        metadata = opened.get(one.platform)
        if metadata is None or one.basis not in _SEEN:
            continue
        local = (metadata.full_version or "").partition("+")[2]
        if local and local != one.build:
            what = f"the wheel of {newest} for {one.platform.label} is build {local}"
            yield at(read, ("architectures", index, "build"), what, "Correct one of them.", "metadata-differs")
        elif one.codes != (metadata.architectures or ()):
            what = f"the wheel of {newest} for {one.platform.label} says '{', '.join(metadata.architectures or ())}'"
            yield at(read, ("architectures", index, "codes"), what, "Write that.", "metadata-differs")


def _served(read: Read[Any], newest: str, library: Library) -> Iterator[Problem]:
    """A wheel that was opened has no code for hardware that it is said not to run on."""
    opened = {
        ((metadata.full_version or "").partition("+")[2], wheel.platform): metadata.architectures
        for wheel, metadata in wheels_of(library, newest)
    }
    for index, one in enumerate(read.record.serves):
        codes = opened.get((one.build, one.platform))
        hardware = library.hardware.get(one.hardware)
        if codes is None or hardware is None or one.runs is not Runs.NO or one.through is not None:
            continue
        found = [code for each in hardware.capabilities if (code := code_for(each, codes))]
        if found:
            what = f"the wheel of {newest} for {one.platform.label} has {found[0]}, which {hardware.label} runs"
            yield at(read, ("serves", index, "runs"), what, "Correct it.", "metadata-differs")

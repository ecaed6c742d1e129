"""What is said of wheels: which were examined, and which hardware their code runs on."""

from collections.abc import Iterator
from typing import Any

from torchnotes.checks.place import at
from torchnotes.library import Library
from torchnotes.messages import offer
from torchnotes.problem import Problem
from torchnotes.reading import Contents, Read
from torchnotes.terms import Runs, Wheel


def check_examined_wheels(contents: Contents, library: Library) -> Iterator[Problem]:
    """An examined wheel is of a published version, of one platform, and listed once."""
    read = contents.wheels
    if read is None:
        return
    seen: set[str] = set()
    for index, wheel in enumerate(read.record.wheels):
        if wheel.version not in library.versions:
            fix = offer(wheel.version, library.versions, "data/releases/")
            yield at(
                read, ("wheels", index, "version"), f"no published version '{wheel.version}'", fix, "unknown-version"
            )
        if wheel.platform is Wheel.ANY:
            what = "'any' is not the platform of one file"
            yield at(read, ("wheels", index, "platform"), what, "Name its platform.", "wheel-platform")
        if wheel.file in seen:
            yield at(read, ("wheels", index, "file"), f"'{wheel.file}' is there twice", "Keep one.", "duplicate-id")
        seen.add(wheel.file)


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

"""Stored comparisons of the public API are of the wheels that the data names now."""

from collections.abc import Iterator

from torchnotes.apidiff.stored import compared
from torchnotes.checks.place import at
from torchnotes.explained import without_record
from torchnotes.library import Library
from torchnotes.problem import Problem
from torchnotes.reading import Contents
from torchnotes.wheel.archive import WheelError


def check_stored_api(contents: Contents, library: Library) -> Iterator[Problem]:
    """Each stored comparison leads from the newest wheel of the release before to the newest of its own."""
    if not contents.api:
        return
    try:
        due = {release_id: pair for release_id, *pair in compared(library)}
    except WheelError as error:
        if contents.wheels is not None:
            yield Problem(contents.wheels.document.path, 1, "", error.what, error.fix, "stale-api")
        return
    for release_id in due.keys() - {read.id for read in contents.api}:
        path = f"data/api/{release_id}.yaml"
        yield Problem(path, 1, "", "the file is not there", "Run `torchnotes api-diff`.", "stale-api")
    for read in contents.api:
        path, document = read.document.path, read.document
        if read.id not in due:
            what = f"no release '{read.id}' with another before it"
            yield Problem(path, 1, "", what, "Name the file after a release, or delete it.", "stale-api")
            continue
        for field, stored, wheel in zip(("old", "new"), (read.record.old, read.record.new), due[read.id], strict=True):
            if (stored.file, stored.sha256) != (wheel.file, wheel.sha256):
                what = f"compares {stored.file}, and the newest examined wheel is {wheel.file}"
                yield Problem(path, document.line((field,)), field, what, "Run `torchnotes api-diff`.", "stale-api")


def check_no_records(contents: Contents, library: Library) -> Iterator[Problem]:
    """What is left without a record on purpose changed, has none, and is named once."""
    read = contents.no_records
    if read is None:
        return
    left = {(release, name) for release, name, _ in without_record(library)}
    seen: set[tuple[str, str]] = set()
    for index, one in enumerate(read.record.no_record):
        place, key = ("no_record", index, "name"), (one.release, one.name)
        if key in seen:
            yield at(read, place, f"{one.name} is there twice", "Keep one.", "needless-reason")
        elif key not in left:
            what = f"{one.release} has no change of {one.name} that lacks a record"
            yield at(read, place, what, "Remove the entry.", "needless-reason")
        seen.add(key)

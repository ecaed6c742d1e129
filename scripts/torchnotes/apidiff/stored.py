"""Which two wheels are compared for a release, and the text that is stored of it.

Refuses to write a file: it answers with texts, and whoever calls it writes them.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from torchnotes.apidiff import api_diff
from torchnotes.library import Library
from torchnotes.model.api import ApiDiff
from torchnotes.model.evidence import TORCH
from torchnotes.model.shared import WheelFile
from torchnotes.terms import Wheel
from torchnotes.wheel.archive import WheelError, open_wheel
from torchnotes.yaml_source import dump

HEADING = "# Written by `torchnotes api-diff`: never edited by hand.\n"
PLATFORM = Wheel.MACOS_ARM64
"""One platform for both sides: a wheel for another one has other files. This is the smallest."""


def api_path(release_id: str) -> str:
    """Where the result of a release is stored, from the project's root."""
    return f"data/api/{release_id}.yaml"


def api_text(diff: ApiDiff) -> str:
    """The text of a stored result: a function of the result alone."""
    return dump(diff.model_dump(mode="json", exclude_defaults=True), HEADING)


def compared(library: Library) -> tuple[tuple[str, WheelFile, WheelFile], ...]:
    """Each release that has one before it, with the wheel of that one and its own, oldest first.

    Raises ``WheelError`` when ``data/evidence/wheels.yaml`` does not name them with their hashes.
    """
    return tuple(
        (after.id, _examined(library.wheels, before.newest.version), _examined(library.wheels, after.newest.version))
        for before, after in pairwise(library.releases.values())
    )


def api_texts(library: Library, wheels: Path) -> Iterator[tuple[str, str]]:
    """Path and text of the result of each release that has one before it, oldest first.

    ``wheels`` is the folder with the files. Raises ``WheelError`` when one is not there, or is another file than was
    examined.
    """
    for release_id, old, new in compared(library):
        with open_wheel(wheels / old.file, old.sha256) as ours, open_wheel(wheels / new.file, new.sha256) as theirs:
            yield api_path(release_id), api_text(api_diff(ours, theirs))


def _examined(wheels: Sequence[WheelFile], version: str) -> WheelFile:
    for one in wheels:
        if (one.package, one.version, one.platform) == (TORCH, version, PLATFORM) and one.sha256 is not None:
            return one
    raise WheelError(
        f"data/evidence/wheels.yaml names no wheel of {version} for {PLATFORM} with its hash", "Examine it first."
    )

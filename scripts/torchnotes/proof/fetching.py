"""Wheels from the package index, through pip. Keeps each complete file, so that a run that was stopped goes on.

Refuses to install anything, and to leave a file that is not the recorded one.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from torchnotes.model import WheelFile
from torchnotes.wheel.archive import WheelError, open_wheel
from torchnotes.wheel.metadata import tags

_REASONS = (
    (
        ("(constraint)",),
        "a constraint in your pip configuration refuses it",
        "Lift it for this command: PIP_CONSTRAINT={nothing} torchnotes verify.",
    ),
    (("No space left on device",), "the disk is full", "Make room, or name another place in XDG_CACHE_HOME."),
    (("No module named pip",), "this Python has no pip", "Install it: {python} -m ensurepip."),
    (
        ("(from versions: none)", "Temporary failure", "NewConnectionError", "ConnectTimeout", "ReadTimeout"),
        "no package index could be reached that has it",
        "Check the network and pip's index settings, or fetch it elsewhere and use --wheels DIR.",
    ),
    (
        ("No matching distribution",),
        "the package index does not offer it",
        "Fetch it elsewhere and use --wheels DIR.",
    ),
)
"""What pip's log holds, why that is, and what to do."""


def cache_folder() -> Path:
    """Where wheels are kept between runs."""
    named = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        cache = Path(named) if named else Path.home() / ".cache"
    except RuntimeError:
        raise WheelError("no home folder is known to keep wheels in", "Name a folder in XDG_CACHE_HOME.") from None
    return cache / "torchnotes" / "wheels"


def fetched(wheels: Sequence[WheelFile], folder: Path, stream: TextIO) -> Path:
    """``folder`` with all of ``wheels`` in it; what is missing is fetched, and said so on ``stream``.

    Raises WheelError when a wheel cannot be had, or is not the one that is recorded.
    """
    folder.mkdir(parents=True, exist_ok=True)
    missing = [wheel for wheel in wheels if not _is_there(folder / wheel.file, wheel.sha256)]
    for number, wheel in enumerate(missing, 1):
        print(f"Fetching {wheel.file} ({number} of {len(missing)})", file=stream, flush=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".part.") as part:
            _fetch(wheel, Path(part), stream)
            with open_wheel(Path(part, wheel.file), wheel.sha256):
                os.replace(Path(part, wheel.file), folder / wheel.file)
    return folder


def _is_there(path: Path, sha256: str) -> bool:
    """Whether a file is the recorded one: what a full disk or a dying machine left is fetched again."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == sha256


def _fetch(wheel: WheelFile, part: Path, stream: TextIO) -> None:
    python, _, platforms = tags(wheel.file)
    version = f"3.{python.removeprefix('cp3')}" if python.startswith("cp3") else "3.12"
    log = part / "pip.log"
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-cache-dir"]
    command += ["--disable-pip-version-check", "--log", str(log), "--dest", str(part)]
    command += ["--python-version", version, "--implementation", "cp"]
    command += [word for one in platforms if one != "any" for word in ("--platform", one)]
    shown = stream if stream.isatty() else subprocess.DEVNULL
    asked = subprocess.run(  # noqa: S603  (our own words, and no shell)
        [*command, f"{wheel.package}=={wheel.version}"],
        stdin=subprocess.DEVNULL,
        stdout=shown,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
        # pip unpacks there before it copies; a small /tmp would be full.
        env={**os.environ, "TMPDIR": str(part)},
    )
    if asked.returncode == 0 and (part / wheel.file).is_file():
        return
    said = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""
    raise _refusal(wheel, f"{said}\n{asked.stderr}", part)


def _refusal(wheel: WheelFile, said: str, part: Path) -> WheelError:
    full = shutil.disk_usage(part).free == 0
    found = "No space left on device" if full else said
    for traces, why, fix in _REASONS:
        if any(trace in found for trace in traces):
            way_out = fix.format(nothing=os.devnull, python=sys.executable)
            return WheelError(f"pip did not fetch {wheel.file}: {why}", way_out)
    last = next((line for line in reversed(said.splitlines()) if line.startswith("ERROR:")), "it gave no reason")
    given = last.removeprefix("ERROR:").strip().rstrip(".")
    return WheelError(f"pip did not fetch {wheel.file}: {given}", "Fetch it elsewhere and use --wheels DIR.")

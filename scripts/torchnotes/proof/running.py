"""A second witness: probes and examples, run with an installed torch that somebody names.

Runs only code of the records, each piece in a process of its own with a time limit. Refuses what needs a GPU.
"""

import contextlib
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

from torchnotes.library import Entry
from torchnotes.model import Run
from torchnotes.model.evidence import fingerprint
from torchnotes.proof.storing import shown
from torchnotes.terms import RunResult

LIMIT = 120
"""Seconds that one piece of code may take; importing torch alone takes some of them."""
_READ = 64 * 1024
"""Bytes at the end of an output that are looked at."""
_ASK = "import sys, torch; print(torch.__version__, *sys.version_info[:3])"


class RunError(Exception):
    """The named Python cannot run torch."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of code that is to be run."""

    feature: str
    what: str
    """`probe`, `before`, `after` or `keep-old`."""
    code: str

    @property
    def digest(self) -> str:
        """Fingerprint of the code: 16 hexadecimal digits."""
        return fingerprint(self.code)


def due(entries: Iterable[Entry], version: str) -> tuple[Piece, ...]:
    """Every piece that must run with one version of torch: code of the version before not with a later one.

    Nor with one that never had what changes.
    """
    found = []
    for entry in entries:
        is_older = Version(version) < Version(entry.feature.version)
        coming_from = entry.feature.applies.coming_from
        never_had = is_older and coming_from is not None and Version(version) not in SpecifierSet(coming_from)
        for what, example in entry.feature.pieces:
            if what == "probe" or ((what == "before") is is_older and not never_had):
                found.append(Piece(entry.id, what, example.code))
    return tuple(found)


def installed(python: Path) -> tuple[str, str]:
    """Version of torch, with its build, and of Python. Raises RunError when ``python`` cannot import torch."""
    try:
        result, printed, said = _run(python, _ASK)
    except OSError as error:
        raise RunError(f"{python} cannot be run ({error.strerror}). Name the Python of an environment.") from None
    lines = printed.strip().splitlines()
    # What the environment prints on its own stands before the answer.
    answer = re.fullmatch(r"(\S+) (\d+) (\d+) (\d+)", lines[-1]) if lines else None
    if result is not RunResult.PASSED or answer is None:
        last = said.strip().splitlines()[-1:] or lines[-1:] or ["it said nothing"]
        raise RunError(f"{python} cannot import torch: {shown(last[0])}. Name a Python with torch.")
    try:
        Version(answer[1])
    except InvalidVersion:
        raise RunError(f"{python} has torch '{shown(answer[1])}', which is no version.") from None
    return answer[1], ".".join(answer.groups()[1:])


def run_all(python: Path, entries: Iterable[Entry], day: str, progress: Callable[[int, int], None]) -> tuple[Run, ...]:
    """What became of each piece that is due with the torch of ``python``, on ``day``."""
    torch, version = installed(python)
    waiting = due(entries, Version(torch).public)
    runs = []
    for number, piece in enumerate(waiting, 1):
        result, printed, said = _run(python, piece.code)
        lines = [line for line in (printed if result is RunResult.PASSED else said).splitlines() if line.strip()]
        last = shown(lines[-1]) or None if lines else None
        runs.append(
            Run(
                feature=piece.feature,
                what=piece.what,
                digest=piece.digest,
                torch=torch,
                python=version,
                result=result,
                printed=last,
                day=day,
            )
        )
        progress(number, len(waiting))
    return tuple(runs)


def _run(python: Path, code: str) -> tuple[RunResult, str, str]:
    """How it ended, what it printed and what it said on its error stream."""
    with tempfile.TemporaryDirectory(prefix="torchnotes.") as folder:
        file = Path(folder, "piece.py")
        file.write_text(code, encoding="utf-8")
        with (
            Path(folder, "printed").open("w+b") as printed,
            Path(folder, "said").open("w+b") as said,
            subprocess.Popen(  # noqa: S603  (our own words, and no shell)
                [python, file],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=said,
                # The same on every machine: no GPU, and nothing from the folder one stands in.
                env={**os.environ, "CUDA_VISIBLE_DEVICES": "", "PYTHONPATH": "", "PYTHONIOENCODING": "utf-8"},
                start_new_session=True,
            ) as process,
        ):
            try:
                status = process.wait(LIMIT)
            except subprocess.TimeoutExpired:
                return RunResult.TIMED_OUT, "", f"not done after {LIMIT} seconds"
            finally:
                _end(process)
            return (RunResult.FAILED if status else RunResult.PASSED), _end_of(printed), _end_of(said)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Stop a process and whatever it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _end_of(file: IO[bytes]) -> str:
    """The last lines of what was written to a file, however much that is."""
    file.seek(0, os.SEEK_END)
    file.seek(max(0, file.tell() - _READ))
    return file.read().decode("utf-8", errors="replace")

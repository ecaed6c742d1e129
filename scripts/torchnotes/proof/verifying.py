"""All evidence entries against all wheels that are at hand."""

from collections.abc import Callable, Iterable
from pathlib import Path

from torchnotes.library import Entry
from torchnotes.model import MetadataFile, Proofs, WheelFile
from torchnotes.model.evidence import TORCH
from torchnotes.problem import on_one_line
from torchnotes.proof.describing import describe
from torchnotes.proof.examining import Reader, complaint
from torchnotes.proof.storing import Results, concerns
from torchnotes.wheel.archive import open_wheel

Progress = Callable[[int, int], None]
"""Told how many comparisons are done, and how many there are."""
_LONGEST = 400
"""Characters of what is stored about a failure."""


def compare(
    entries: Iterable[Entry], wheels: Iterable[WheelFile], known: MetadataFile, folder: Path, progress: Progress
) -> Results:
    """Open each of ``wheels`` that lies in ``folder`` and that somebody waits for, and compare what speaks of it.

    Waited for is a wheel of which an entry speaks, and one of torch whose metadata is not among the ``known``.
    Raises WheelError when a file is not what it should be: then nothing at all is said.
    """
    written = [(entry.id, one) for entry in entries for one in entry.feature.evidence]
    at_hand = [wheel for wheel in wheels if (folder / wheel.file).is_file()]
    due = {wheel: [one for one in written if concerns(one[1], wheel)] for wheel in at_hand}
    described = {(one.wheel, one.sha256) for one in known.wheels}
    results, done, every = Results(), 0, sum(map(len, due.values()))
    for wheel, found in due.items():
        is_new = wheel.package == TORCH and (wheel.id, wheel.sha256) not in described
        if not found and not is_new:
            continue
        with open_wheel(folder / wheel.file, wheel.sha256) as archive:
            if is_new:
                results.described.append(describe(archive, wheel))
            reader = Reader(archive, wheel.version)
            reader.expect(one for _, one in found)
            for id_, one in found:
                said = complaint(one, wheel.version, reader)
                shown = None if said is None else on_one_line(said)[:_LONGEST]
                results.said.setdefault((id_, one.digest), {})[wheel.id] = shown
                done += 1
                progress(done, every)
        results.opened.add(wheel.id)
    return results


def summary(entries: Iterable[Entry], proofs: Proofs, results: Results) -> str:
    """What a run did, in one line. ``proofs`` are those after it."""
    stored = {(one.feature, proof.digest) for one in proofs.features for proof in one.entries}
    written = [(entry.id, one.digest) for entry in entries for one in entry.feature.evidence]
    compared = [key for key in written if key in results.said]
    failing = sum(any(results.said[key].values()) for key in compared)
    kept = sum(key in stored for key in written if key not in results.said)
    without = len(written) - len(compared) - kept
    held = f"{failing} {'does' if failing == 1 else 'do'} not hold" if failing else "all hold"
    wheels = _counted(len(results.opened), "wheel", "wheels")
    parts = [f"{_counted(len(compared), 'entry', 'entries')} compared with {wheels}, {held}"]
    parts += [f"{_counted(kept, 'entry', 'entries')} not compared, with a stored proof"] if kept else []
    parts += [f"{_counted(without, 'entry', 'entries')} without a proof: not all wheels are at hand"] if without else []
    return "; ".join(parts)


def _counted(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}"

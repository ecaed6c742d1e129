"""All evidence entries against all wheels that are at hand."""

from collections.abc import Callable, Iterable
from pathlib import Path

from torchnotes.library import Entry
from torchnotes.model import Proofs, WheelFile
from torchnotes.model.evidence import TORCH
from torchnotes.proof.describing import describe
from torchnotes.proof.examining import Reader, complaint
from torchnotes.proof.storing import Results, concerns, shown
from torchnotes.wheel.archive import open_wheel

Progress = Callable[[int, int], None]
"""Told how many comparisons are done, and how many there are."""


def compare(entries: Iterable[Entry], wheels: Iterable[WheelFile], folder: Path, progress: Progress) -> Results:
    """Open each of ``wheels`` that lies in ``folder``, compare what speaks of it, and describe those of torch.

    A wheel of another package of which no entry speaks stays closed. Raises WheelError when a file is not what it
    should be: then nothing at all is said.
    """
    written = [(entry.id, one) for entry in entries for one in entry.feature.evidence]
    at_hand = [wheel for wheel in wheels if (folder / wheel.file).is_file()]
    due = {wheel: [one for one in written if concerns(one[1], wheel)] for wheel in at_hand}
    results, done, every = Results(), 0, sum(map(len, due.values()))
    for wheel, found in due.items():
        if not found and wheel.package != TORCH:
            continue
        with open_wheel(folder / wheel.file, wheel.sha256) as archive:
            if wheel.package == TORCH:
                results.described.append(describe(archive, wheel))
            reader = Reader(archive, wheel.version)
            reader.expect(one for _, one in found)
            for id_, one in found:
                said = complaint(one, wheel.version, reader)
                results.said.setdefault((id_, one.digest), {})[wheel.id] = None if said is None else shown(said)
                done += 1
                progress(done, every)
        if found:
            results.opened.add(wheel.id)
    return results


def summary(entries: Iterable[Entry], proofs: Proofs, results: Results) -> str:
    """What a run did, in one line. ``proofs`` are those after it."""
    stored = {(one.feature, proof.digest) for one in proofs.features for proof in one.entries}
    written = [(entry.id, one.digest) for entry in entries for one in entry.feature.evidence]
    compared = [key for key in written if key in results.said]
    failing = sum(any(results.said[key].values()) for key in compared)
    kept = sum(key in stored for key in written if key not in results.said)
    without = sum(key not in stored for key in written)
    held = f"{failing} {'does' if failing == 1 else 'do'} not hold" if failing else "all hold"
    wheels = _counted(len(results.opened), "wheel", "wheels")
    done = f"{_counted(len(compared), 'entry', 'entries')} compared with {wheels}, {held}"
    parts = [done if compared else "nothing compared: no wheel that an entry speaks of is at hand"]
    parts += [f"{_counted(kept, 'entry', 'entries')} not compared, with a stored proof"] if kept else []
    parts += [f"{_counted(without, 'entry', 'entries')} without a proof: not all wheels are at hand"] if without else []
    return "; ".join(parts)


def _counted(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}"

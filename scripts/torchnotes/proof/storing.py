"""What is stored of comparing entries with wheels, and how new results join it. Written by a program only.

A wheel never changes once it is published, so a result that is found again keeps its day, and a second run leaves the
file as it is.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from torchnotes.library import Entry
from torchnotes.model import Evidence, Failure, Proof, Proofs, ProvedFeature, Run, WheelFile, WheelMetadata
from torchnotes.model.evidence import ComparedWheel, fingerprint
from torchnotes.model.text import HIDDEN
from torchnotes.problem import on_one_line
from torchnotes.terms import Wheel
from torchnotes.yaml_source import dump

PROOFS_PATH = "data/evidence/proofs.yaml"
HEADING = "# Written by `torchnotes verify`, never by hand: what each evidence entry showed when it was compared.\n"


_LONGEST = 300
"""Characters of somebody's text that are stored."""


def shown(text: str) -> str:
    """What a wheel holds or a program printed, as a line that can be stored: nothing in it is hidden or obeyed."""
    line = on_one_line(HIDDEN.sub(lambda found: ascii(found.group())[1:-1], text.strip()))
    return line[:_LONGEST].strip()


@dataclass(slots=True)
class Results:
    """What one run found: ids of the wheels that were opened, and what they show of each entry."""

    opened: set[str] = field(default_factory=set)
    said: dict[tuple[str, str], dict[str, str | None]] = field(default_factory=dict)
    """Feature and digest → wheel → what it shows instead; None where it shows what the entry says."""
    described: list[WheelMetadata] = field(default_factory=list)
    """What the wheels of torch say about themselves."""


def concerns(entry: Evidence, wheel: WheelFile) -> bool:
    """Whether an entry speaks of this wheel."""
    return (
        entry.package == wheel.package
        and wheel.version in entry.versions
        and (Wheel.ANY in (entry.wheel, wheel.platform) or entry.wheel is wheel.platform)
    )


def joined(entries: Iterable[Entry], wheels: Iterable[WheelFile], stored: Proofs, results: Results, day: str) -> Proofs:
    """Stored proofs with the ``results`` of a run on ``day``: of every feature that has evidence, by feature."""
    known = {wheel.id: wheel for wheel in wheels}
    compared = {one.wheel: one.sha256 for one in stored.wheels}
    # A result holds for the file that was opened; with another hash it is another file.
    same = {id_ for id_, sha256 in compared.items() if id_ in known and known[id_].sha256 == sha256}
    before = {(one.feature, proof.digest): proof for one in stored.features for proof in one.entries}
    features = []
    for entry in sorted(entries, key=lambda one: one.id):
        proofs = []
        for one in entry.feature.evidence:
            concerned = {id_: wheel.platform for id_, wheel in known.items() if concerns(one, wheel)}
            key = entry.id, one.digest
            proof = _proof(one, concerned, results.said.get(key, {}), before.get(key), same=same, day=day)
            if proof is not None:
                proofs.append(proof)
        if proofs:
            features.append(ProvedFeature(feature=entry.id, entries=tuple(proofs)))
    used = tuple(ComparedWheel(wheel=id_, sha256=known[id_].sha256) for id_ in known if id_ in same | results.opened)
    return Proofs(wheels=used, features=tuple(features), runs=stored.runs)


def _proof(
    entry: Evidence,
    concerned: Mapping[str, Wheel],
    said: Mapping[str, str | None],
    before: Proof | None,
    *,
    same: Collection[str],
    day: str,
) -> Proof | None:
    """The stored proof and what this run says, joined; None when no platform's wheels were all compared."""
    failures = {one.wheel: one.found for one in before.fails_in if one.wheel in same} if before else {}
    failures = {id_: found for id_, found in failures.items() if id_ not in said}
    failures |= {id_: found for id_, found in said.items() if found is not None}
    holds = []
    for platform in dict.fromkeys(concerned.values()):
        ids = [id_ for id_, its in concerned.items() if its is platform]
        # On a platform without a wheel of each version there is no proof.
        is_whole = len(ids) == len(entry.versions)
        held = before is not None and platform in before.holds_on
        if is_whole and all(id_ not in failures and (id_ in said or (held and id_ in same)) for id_ in ids):
            holds.append(platform)
    if not holds and not failures:
        return None
    fails_in = tuple(Failure(wheel=id_, found=failures[id_]) for id_ in concerned if id_ in failures)
    proof = Proof(proves=entry.proves, digest=entry.digest, holds_on=tuple(holds), fails_in=fails_in, day=day)
    is_known = before is not None and before == proof.model_copy(update={"day": before.day})
    return before if is_known else proof


def with_runs(proofs: Proofs, runs: Iterable[Run], entries: Iterable[Entry]) -> Proofs:
    """Stored proofs with what was run.

    A run of the same code with the same torch takes the older one's place, and runs of code that is not among the
    ``entries`` any more go.
    """
    now = {(entry.id, what, fingerprint(code.code)) for entry in entries for what, code in entry.feature.pieces}
    found = {(run.feature, run.what, run.torch): run for run in proofs.runs}
    for run in runs:
        key = run.feature, run.what, run.torch
        older = found.get(key)
        if older is None or run.model_copy(update={"day": older.day}) != older:
            found[key] = run
    kept = [found[key] for key in sorted(found) if (found[key].feature, found[key].what, found[key].digest) in now]
    return proofs.model_copy(update={"runs": tuple(kept)})


def text_of(proofs: Proofs) -> str:
    """The file: the same proofs always give the same text."""
    values: dict[str, Any] = proofs.model_dump(mode="json", by_alias=True)
    for feature in values["features"]:
        for entry in feature["entries"]:
            if not entry["fails_in"]:
                del entry["fails_in"]
    return dump(values, HEADING)

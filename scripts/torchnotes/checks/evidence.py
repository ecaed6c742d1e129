"""Evidence entries say something that can be checked, and discrepancies rest on one."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from torchnotes.checks.place import at
from torchnotes.library import Library
from torchnotes.messages import offer
from torchnotes.model import Evidence
from torchnotes.model.evidence import HEADLINE
from torchnotes.problem import Problem
from torchnotes.reading import Contents, Read
from torchnotes.terms import Kind, RunResult, Wheel
from torchnotes.yaml_source import Location


def _saying(entry: Evidence) -> Iterator[tuple[Location, str]]:
    """Where an entry names a version, and the version."""
    for index, value in enumerate(getattr(entry, "values", ())):
        for number, version in enumerate(value.versions):
            yield ("values", index, "in", number), version
    for name in ("present_in", "absent_in"):
        for number, version in enumerate(getattr(entry, name)):
            yield (name, number), version


def check_evidence_versions(contents: Contents, _library: Library) -> Iterator[Problem]:
    """Evidence names a version, and says one thing of each."""
    for read in contents.features:
        for index, one in enumerate(read.record.evidence):
            place = ("evidence", index)
            named = [version for _, version in _saying(one)]
            if not named:
                what = "names no version"
                yield at(read, place, what, "Fill `present_in` or `absent_in`.", "evidence-versions")
            for version in dict.fromkeys(one for one in named if named.count(one) > 1):
                what = f"says two things of {version}"
                yield at(read, place, what, "Keep one of them.", "evidence-versions")


def check_evidence_files(contents: Contents, _library: Library) -> Iterator[Problem]:
    """Evidence stays inside the wheel."""
    for read in contents.features:
        for index, one in enumerate(read.record.evidence):
            file = getattr(one, "file", "")
            if ".." in file.split("/"):
                place = ("evidence", index, "file")
                yield at(read, place, f"'{file}' leaves the wheel", "Write the path inside the wheel.", "evidence-file")


def check_evidence_wheels(contents: Contents, library: Library) -> Iterator[Problem]:
    """A wheel of each version that evidence names was examined."""
    examined = {(one.package, one.version, one.platform) for one in library.wheels}
    for read in contents.features:
        for index, one in enumerate(read.record.evidence):
            platforms = set(Wheel) if one.wheel is Wheel.ANY else {one.wheel, Wheel.ANY}
            known = [
                version for package, version, platform in examined if package == one.package and platform in platforms
            ]
            for place, version in _saying(one):
                if version not in known:
                    platform = "" if one.wheel is Wheel.ANY else f" for {one.wheel.label}"
                    what = f"no examined wheel of {one.package} {version}{platform}"
                    fix = offer(version, sorted(set(known)), "data/evidence/wheels.yaml")
                    yield at(read, ("evidence", index, *place), what, fix, "unknown-wheel")


def check_headline_evidence(contents: Contents, _library: Library) -> Iterator[Problem]:
    """Evidence shows the headline, or the record says why no wheel can."""
    for read in contents.features:
        record = read.record
        has_evidence = any(one.proves == HEADLINE for one in record.evidence)
        if has_evidence and record.no_proof is not None:
            what = "says why no wheel shows the headline, and evidence shows it"
            yield at(read, ("no_proof",), what, "Keep one of the two.", "headline-evidence")
        if not has_evidence and record.no_proof is None and record.kind is not Kind.KNOWN_ISSUE:
            what = "no evidence shows the headline"
            fix = "Add an entry that proves `headline`, or say in `no_proof` why no wheel can show it."
            yield at(read, ("evidence",), what, fix, "headline-evidence")


def check_discrepancies(contents: Contents, _library: Library) -> Iterator[Problem]:
    """A discrepancy rests on an evidence entry of its record."""
    for read in contents.features:
        shown = list(dict.fromkeys(one.proves for one in read.record.evidence))
        for index, one in enumerate(read.record.discrepancies):
            if one.evidence not in shown:
                what = f"no evidence proves '{one.evidence}'"
                fix = offer(one.evidence, shown, "`evidence` of this file")
                yield at(read, ("discrepancies", index, "evidence"), what, fix, "discrepancy-evidence")


def check_repeated_evidence(contents: Contents, _library: Library) -> Iterator[Problem]:
    """No evidence entry stands twice in a record."""
    for read in contents.features:
        seen: set[str] = set()
        for index, one in enumerate(read.record.evidence):
            same = one.model_dump_json(exclude={"proves", "present_in", "absent_in", "values"})
            if same in seen:
                yield at(read, ("evidence", index), "the same entry stands above", "Join the two.", "repeated-evidence")
            seen.add(same)


_AGAIN = "Run `torchnotes verify`."


def check_proofs(contents: Contents, library: Library) -> Iterator[Problem]:
    """Every evidence entry was compared with the wheels since it was written, and holds."""
    known = {one.id for one in library.wheels}
    for read in contents.features:
        entry = library.entries[read.id]
        for index, one in enumerate(read.record.evidence):
            proof = entry.proof_of(one)
            place = ("evidence", index)
            if proof is None or not (proof.holds_on or proof.fails_in):
                what = "was not compared with the wheels of every version that it names since it was written"
                yield at(read, place, what, _AGAIN, "no-proof")
                continue
            for platform in proof.holds_on:
                due = [f"{one.package}-{version}-{platform}" for version in one.versions]
                if missing := [id_ for id_ in due if id_ in known and id_ not in library.compared]:
                    what = f"is said to hold in '{missing[0]}', which was not opened"
                    yield at(read, place, what, _AGAIN, "stale-proof")
            for failure in proof.fails_in:
                what = f"{failure.wheel}: {failure.found.rstrip('.')}"
                yield at(read, place, what, "Correct the entry, then run `torchnotes verify`.", "proof-fails")


def check_runs(contents: Contents, library: Library) -> Iterator[Problem]:
    """Every piece of code that was run ended well."""
    for read in contents.features:
        for run in library.entries[read.id].current_runs:
            if run.result is not RunResult.PASSED:
                what = f"{run.result.label} with torch {run.torch}: {run.printed or 'it printed nothing'}"
                fix = "Correct it, then run `torchnotes verify --run PYTHON`."
                yield at(read, RUN_PLACES[run.what], what, fix, "run-fails")


RUN_PLACES: Mapping[str, Location] = MappingProxyType(
    {
        "probe": ("probe",),
        "before": ("migration", "before"),
        "after": ("migration", "after"),
        "keep-old": ("migration", "keep_old", "code"),
    }
)
"""Where a piece of code stands that a run names."""


def check_stored_proofs(contents: Contents, library: Library) -> Iterator[Problem]:
    """Every stored proof is of an entry that is there, and of the wheels that are recorded."""
    read = contents.proofs
    if read is None:
        return
    yield from _stored_wheels(read, {one.id: one.sha256 for one in library.wheels})
    named = [("features", index, one.feature) for index, one in enumerate(read.record.features)]
    named += [("runs", index, one.feature) for index, one in enumerate(read.record.runs)]
    for part, index, id_ in named:
        if id_ not in library.entries:
            yield at(read, (part, index, "feature"), f"no feature '{id_}'", _AGAIN, "stale-proof")
    for index, stored in enumerate(read.record.features):
        entry = library.entries.get(stored.feature)
        if entry is None:
            continue
        written = {one.digest for one in entry.feature.evidence}
        for number, proof in enumerate(stored.entries):
            if proof.digest not in written:
                what = f"'{stored.feature}' has no such entry any more"
                yield at(read, ("features", index, "entries", number, "digest"), what, _AGAIN, "stale-proof")


def _stored_wheels(read: Read[Any], known: dict[str, str]) -> Iterator[Problem]:
    for index, one in enumerate(read.record.wheels):
        if known.get(one.wheel) != one.sha256:
            what = f"'{one.wheel}' with this hash is not among the examined wheels"
            yield at(read, ("wheels", index), what, _AGAIN, "stale-proof")

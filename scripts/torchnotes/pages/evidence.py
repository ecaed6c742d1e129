"""Evidence, proofs and discrepancies as readers see them: on a feature's page, and all together."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from packaging.version import Version

from torchnotes.library import Entry, Library, by_urgency
from torchnotes.links import feature_path
from torchnotes.model import Evidence, Proof, Run
from torchnotes.model.evidence import (
    HEADLINE,
    TORCH,
    EntryPointEvidence,
    ExportEvidence,
    FileEvidence,
    OperatorEvidence,
    RequirementEvidence,
    SettingEvidence,
    SymbolEvidence,
    TagEvidence,
    TextEvidence,
)
from torchnotes.model.migration import CodeExample
from torchnotes.pages.lists import Link, Row, rows
from torchnotes.published import size_text
from torchnotes.terms import FETCHED_PLATFORMS, EvidenceKind, Grade, Kind, Language, RunResult, Wheel


@dataclass(frozen=True, slots=True)
class Seen:
    """What neighbouring versions show of one entry."""

    versions: str
    """One version, or the first and the last of several."""
    is_there: bool
    value: str | None


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """One statement about the wheels of a package."""

    anchor: str
    proves: str
    sort: str
    target: str
    place: str | None
    """The file in which it stands, where that matters."""
    seen: tuple[Seen, ...]
    """Oldest versions first; those of which the entry says nothing are left out."""
    result: str | None
    """What became of it; None where it is what became of most."""
    failures: tuple[tuple[str, str], ...]
    """Wheels that show something else, and what."""


@dataclass(frozen=True, slots=True)
class RunView:
    """What became of a piece of code that was run."""

    what: str
    ended: str
    where: str
    printed: str | None


@dataclass(frozen=True, slots=True)
class SureView:
    """How sure a record is."""

    sentence: str
    counted: str
    """How many entries are proved; empty without entries."""
    usual: str | None
    """What became of most entries; None where there are too few to say it once."""
    evidence: tuple[EvidenceView, ...]
    again: CodeExample | None
    """The command that compares them again."""
    runs: tuple[RunView, ...]


_SENTENCES = {
    Grade.PROVED: "A machine found it in the published wheels.",
    Grade.TRACED: "The upstream change, or the upstream report of a fault, was found.",
    Grade.REPORTED: "A source says so; no upstream change is named.",
    Grade.DISPUTED: "A source and the published wheels do not agree. Follow what the wheels show.",
}
_PIECES = {"probe": "the probe", "before": "the code before", "after": "the code after", "keep-old": "the way back"}


def grade_sentence(entry: Entry) -> str:
    """What the grade means for this record: on how many wheels it is proved and since when, or why it is not."""
    record, sentence = entry.feature, _SENTENCES[entry.grade]
    if record.no_proof is not None:
        return f"{sentence} Not proved: {record.no_proof}"
    if not entry.is_proved(HEADLINE):
        return sentence
    wheels, day = _compared(entry)
    count = "1 wheel" if wheels == 1 else f"{wheels} wheels"
    if entry.grade is Grade.DISPUTED:
        return f"{sentence} What they show is proved on {count}, {day}."
    return f"Proved on {count}, {day}."


def _compared(entry: Entry) -> tuple[int, str]:
    """On how many wheels the headline is proved, and the day of the newest of its proofs."""
    wheels, days = set(), []
    for one in entry.feature.evidence:
        proof = entry.proof_of(one)
        if one.proves == HEADLINE and proof is not None:
            wheels |= {(one.package, version, platform) for version in one.versions for platform in proof.holds_on}
            days.append(proof.day)
    return len(wheels), max(days)


def sure_view(entry: Entry) -> SureView:
    """How sure a record is."""
    written = entry.feature.evidence
    results = Counter(_result(one, entry.proof_of(one)) for one in written)
    usual = next((result for result, count in results.most_common(1) if count > 1), None)
    return SureView(
        sentence=grade_sentence(entry),
        counted=_counted(entry),
        usual=usual,
        evidence=tuple(_views(entry, usual)),
        again=CodeExample(language=Language.BASH, code=_command(entry)) if written else None,
        runs=tuple(_run(run) for run in entry.current_runs),
    )


def _command(entry: Entry) -> str:
    """What compares the entries of a record again, with the wheels of every platform that they name."""
    named = {one.wheel for one in entry.feature.evidence} - {Wheel.ANY, Wheel.MACOS_ARM64}
    words = [f"--platform {name}" for name, platform in FETCHED_PLATFORMS.items() if platform in named]
    return " ".join([".venv/bin/torchnotes verify", entry.id, *words])


def _counted(entry: Entry) -> str:
    written = entry.feature.evidence
    proved = sum(proof is not None and proof.holds for proof in map(entry.proof_of, written))
    if not written:
        return ""
    if entry.feature.no_proof is not None:
        count = _entries(len(written))
        return f"{count} below show other things; {'all are' if proved == len(written) else f'{proved} are'} proved."
    if len(written) == 1:
        return "The entry below is proved." if proved else "The entry below is not proved."
    if proved == len(written):
        return f"All {proved} entries below are proved."
    return f"{proved} of the {len(written)} entries below {'is' if proved == 1 else 'are'} proved."


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"


def _views(entry: Entry, usual: str | None) -> Iterator[EvidenceView]:
    """Every entry; what shows the headline first."""
    numbered = sorted(enumerate(entry.feature.evidence), key=lambda item: item[1].proves != HEADLINE)
    for number, one in numbered:
        result = _result(one, entry.proof_of(one))
        yield EvidenceView(
            anchor=f"evidence.{number}",
            proves="The headline" if one.proves == HEADLINE else one.proves.replace("-", " ").capitalize(),
            sort=one.kind.label if one.package == TORCH else f"{one.package}: {one.kind.label}",
            target=_target(one),
            place=getattr(one, "file", None) if not isinstance(one, FileEvidence) else None,
            seen=_seen(one),
            result=None if result == usual else result,
            failures=_failures(entry.proof_of(one)),
        )


def _target(one: Evidence) -> str:
    match one:
        case TextEvidence():
            return one.needle
        case FileEvidence():
            return one.file
        case SymbolEvidence():
            return one.name if one.parameter is None else f"{one.name}({one.parameter})"
        case EntryPointEvidence():
            return one.group if one.name is None else f"{one.group}: {one.name}"
        case ExportEvidence() | RequirementEvidence() | OperatorEvidence() | SettingEvidence():
            return one.name
        case TagEvidence():
            return one.part.label


def _seen(one: Evidence) -> tuple[Seen, ...]:
    """What each version shows; neighbours that show the same stand together."""
    found: list[tuple[list[str], bool, str | None]] = []
    for version in sorted(one.versions, key=Version):
        value = next(iter(one.values_in(version)), None)
        is_there = value is not None or version in one.present_in
        if found and found[-1][1:] == (is_there, value):
            found[-1][0].append(version)
        else:
            found.append(([version], is_there, value))
    return tuple(
        Seen(versions[0] if len(versions) == 1 else f"{versions[0]} to {versions[-1]}", is_there, value)
        for versions, is_there, value in found
    )


def _result(one: Evidence, proof: Proof | None) -> str:
    where = "every wheel" if one.wheel is Wheel.ANY else f"the wheel for {one.wheel.label}"
    if proof is None:
        return f"About {where}; not compared yet"
    if proof.fails_in:
        return f"About {where}; does not hold, {proof.day}"
    is_everywhere = proof.holds_on == (Wheel.ANY,) or {*proof.holds_on, Wheel.ANY} == set(Wheel)
    names = "every platform" if is_everywhere else ", ".join(platform.label for platform in proof.holds_on)
    return f"Proved on {names}, {proof.day}"


def _failures(proof: Proof | None) -> tuple[tuple[str, str], ...]:
    return tuple((one.wheel, one.found) for one in proof.fails_in) if proof is not None else ()


def _run(run: Run) -> RunView:
    where = f"torch {run.torch}, Python {run.python}, {run.day}"
    return RunView(_PIECES[run.what], run.result.label, where, run.printed)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One discrepancy of one record."""

    title: str
    path: str
    anchor: str
    reported: str
    by: str
    found: str
    is_proved: bool


@dataclass(frozen=True, slots=True)
class ExaminedWheel:
    """A published wheel, and whether entries were compared with it."""

    package: str
    version: str
    platform: str
    file: str
    sha256: str
    size: str | None
    """None where its metadata is not stored."""
    examined: str
    is_compared: bool


@dataclass(frozen=True, slots=True)
class EvidencePage:
    """Everything that the page about evidence shows."""

    entries: int
    proved: int
    failing: tuple[Row, ...]
    wheels: tuple[ExaminedWheel, ...]
    grades: tuple[tuple[Grade, int], ...]
    kinds: tuple[tuple[EvidenceKind, int], ...]
    disagreements: tuple[Disagreement, ...]
    unproved: tuple[tuple[Link, str], ...]
    """Records whose headline no machine has found, with the reason; known issues left out."""
    issues: tuple[tuple[Link, str], ...]
    """The same for known issues."""
    runs: tuple[tuple[str, int, int], ...]
    """Version of torch, pieces of code that ran, pieces that did not end well."""


def evidence_page(library: Library, disagreements: Sequence[Disagreement]) -> EvidencePage:
    """Everything about evidence, over all records."""
    entries = by_urgency(library.entries.values())
    written = [(entry, one) for entry in entries for one in entry.feature.evidence]
    grades = Counter(entry.grade for entry in entries)
    kinds = Counter(one.kind for _, one in written)
    unproved = [entry for entry in entries if entry.grade not in (Grade.PROVED, Grade.DISPUTED)]
    return EvidencePage(
        entries=len(written),
        proved=sum((proof := entry.proof_of(one)) is not None and proof.holds for entry, one in written),
        failing=tuple(rows(entry for entry in entries if _fails(entry))),
        wheels=tuple(_wheels(library)),
        grades=tuple((grade, grades[grade]) for grade in Grade if grades[grade]),
        kinds=tuple((kind, kinds[kind]) for kind in EvidenceKind if kinds[kind]),
        disagreements=tuple(disagreements),
        unproved=tuple(_unproved(one) for one in unproved if one.feature.kind is not Kind.KNOWN_ISSUE),
        issues=tuple(_unproved(one) for one in unproved if one.feature.kind is Kind.KNOWN_ISSUE),
        runs=_runs(entries),
    )


def _fails(entry: Entry) -> bool:
    return any(_failures(entry.proof_of(one)) for one in entry.feature.evidence)


def _wheels(library: Library) -> Iterator[ExaminedWheel]:
    for one in library.wheels:
        metadata = library.metadata.get(one.id)
        yield ExaminedWheel(
            package=one.package,
            version=one.version,
            platform=one.platform.label,
            file=one.file,
            sha256=one.sha256,
            size=size_text(metadata) if metadata else None,
            examined=one.examined,
            is_compared=one.id in library.compared,
        )


def _unproved(entry: Entry) -> tuple[Link, str]:
    record = entry.feature
    return Link(record.title, feature_path(entry.id)), record.no_proof or _SENTENCES[entry.grade]


def _runs(entries: Sequence[Entry]) -> tuple[tuple[str, int, int], ...]:
    found: dict[str, Counter[bool]] = {}
    for entry in entries:
        for run in entry.current_runs:
            found.setdefault(run.torch, Counter())[run.result is RunResult.PASSED] += 1
    ordered = sorted(found.items(), key=lambda item: Version(item[0]))
    return tuple((torch, count[True], count[False]) for torch, count in ordered)

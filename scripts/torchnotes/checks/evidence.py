"""Evidence entries say something that can be checked, and discrepancies rest on one."""

from collections.abc import Iterator

from torchnotes.checks.place import at
from torchnotes.library import Library
from torchnotes.messages import offer
from torchnotes.problem import Problem
from torchnotes.reading import Contents
from torchnotes.terms import EvidenceKind

WHEEL_FILES = {
    EvidenceKind.ENTRY_POINT: "torch-{version}.dist-info/entry_points.txt",
    EvidenceKind.REQUIREMENT: "torch-{version}.dist-info/METADATA",
}
"""The one file in which evidence of a kind can stand."""


def check_evidence_versions(contents: Contents, _library: Library) -> Iterator[Problem]:
    """Evidence names a version, none both present and absent, and the file that its kind stands in."""
    for read in contents.features:
        for index, one in enumerate(read.record.evidence):
            place = ("evidence", index)
            both = set(one.present_in) & set(one.absent_in)
            if not one.present_in and not one.absent_in:
                what = "names no version"
                yield at(read, place, what, "Fill `present_in` or `absent_in`.", "evidence-versions")
            for version in sorted(both):
                what = f"{version} is under present_in and absent_in"
                yield at(read, place, what, "Keep it at one of them.", "evidence-versions")
            due = WHEEL_FILES.get(one.kind)
            if ".." in one.file.split("/"):
                what = f"'{one.file}' leaves the wheel"
                yield at(read, (*place, "file"), what, "Write the path inside the wheel.", "evidence-file")
            if due is not None and one.file != due:
                yield at(read, (*place, "file"), f"evidence of kind {one.kind} stands in {due}", "", "evidence-file")


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
            same = one.model_dump_json(exclude={"proves", "present_in", "absent_in"})
            if same in seen:
                yield at(read, ("evidence", index), "the same entry stands above", "Join the two.", "repeated-evidence")
            seen.add(same)

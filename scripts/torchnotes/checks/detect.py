"""What a scan looks for finds what its own examples say, and nothing else."""

from collections.abc import Iterator

from torchnotes.checks.place import at
from torchnotes.detection import Detector, sort_of
from torchnotes.library import Library
from torchnotes.model import StepsMigration
from torchnotes.model.detect import AnyDetect, DetectExample
from torchnotes.problem import Problem
from torchnotes.reading import Contents


def check_detect_examples(contents: Contents, _library: Library) -> Iterator[Problem]:
    """Each entry finds something in every example of what it finds, and nothing in the others."""
    for read in contents.features:
        migration = read.record.migration
        if not isinstance(migration, StepsMigration):
            continue
        for index, one in enumerate(migration.detect):
            for name, examples in (("found", one.examples.found), ("not_found", one.examples.not_found)):
                for number, example in enumerate(examples):
                    what, fix = _complaint(one, example, is_due=name == "found")
                    if what:
                        place = ("migration", "detect", index, "examples", name, number, "code")
                        yield at(read, place, what, fix, "detect-example")


def _complaint(one: AnyDetect, example: DetectExample, *, is_due: bool) -> tuple[str, str]:
    """What is wrong with an example and what to do; empty texts when nothing is."""
    first_line = example.code.partition("\n")[0]
    if sort_of(example.file, first_line) is None:
        return f"nothing is looked for in a file named '{example.file}'", "Name a file such as train.py or Dockerfile."
    seen = Detector([one]).sightings(example.file, example.code)
    if seen.unread:
        return seen.unread, "Correct the example."
    if is_due and not seen.found:
        return "not found by its entry", "Correct the entry, or the example."
    if not is_due and seen.found:
        return f"found by its entry (line {seen.found[0].line} of the code)", "Make the entry narrower."
    return "", ""

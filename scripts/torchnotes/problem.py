"""One complaint about the data, and its one-line form.

Refuses to know what is being checked: every stage makes the same ``Problem`` objects, and the command line,
the build and the tests print the same words.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, order=True, slots=True)
class Problem:
    """A fault that a person can find and mend."""

    path: str
    """File, from the project's root, with forward slashes."""
    line: int
    """1-based; 1 where no better line is known."""
    field: str
    """Where in the file, as written in YAML: ``migration.steps[1]``. Empty for the file as a whole."""
    what: str
    """What is wrong, without a full stop."""
    fix: str
    """What to do, as a sentence. Empty where ``what`` already says it."""
    rule: str
    """Short permanent name of the rule, listed in the contributing page."""

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}: "
        field = f"{self.field}: " if self.field else ""
        fix = f" {self.fix}" if self.fix else ""
        return on_one_line(f"{where}{field}{self.what}.{fix} [{self.rule}]")

    def as_github(self) -> str:
        """The same, as a GitHub Actions annotation (workflow command syntax)."""
        message = f"{self.field}: {self.what}. {self.fix}".removeprefix(": ").strip()
        return annotation("error", self.path, {"line": str(self.line), "title": self.rule}, message)


def annotation(level: str, path: str, properties: Mapping[str, str], message: str) -> str:
    """A GitHub Actions annotation (workflow command syntax), with everything escaped that it would obey."""
    given = ",".join(f"{name}={_escaped(value)}" for name, value in {"file": path, **properties}.items())
    return f"::{level} {given}::{on_one_line(message).replace('%', '%25')}"


def _escaped(text: str) -> str:
    return on_one_line(text).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")


def on_one_line(text: str) -> str:
    """With line breaks and what a terminal would obey written as escapes: quoted text comes from anybody."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def report(problems: Iterable[Problem]) -> str:
    """All problems, sorted by place, one a line, with a count at the end; empty text for none."""
    lines = [str(problem) for problem in sorted(set(problems))]
    if not lines:
        return ""
    count = "1 problem" if len(lines) == 1 else f"{len(lines)} problems"
    return "\n".join([*lines, f"{count} found"])

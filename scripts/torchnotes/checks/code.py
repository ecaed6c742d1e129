"""Code that must parse, and text that must stay short and say something."""

import ast
import warnings
from collections.abc import Iterator
from typing import Any

from torchnotes.checks.place import at
from torchnotes.library import Library
from torchnotes.problem import Problem
from torchnotes.reading import Contents
from torchnotes.terms import Language
from torchnotes.yaml_source import Location

OLDEST_PYTHON = (3, 11)
"""Code is for readers on the oldest Python that the covered releases share."""
MOST_WORDS = 170
"""About 150 words are aimed at; a little more is let through, so that nobody cuts a name to fit."""


def _examples(record: Any) -> Iterator[tuple[Location, Any]]:
    migration = record.migration
    for name in ("before", "after"):
        yield ("migration", name, "code"), getattr(migration, name)
    if migration.keep_old is not None:
        yield ("migration", "keep_old", "code", "code"), migration.keep_old.code
    yield ("probe", "code"), record.probe


def check_python_parses(contents: Contents, _library: Library) -> Iterator[Problem]:
    """Python that a reader copies is Python."""
    for read in contents.features:
        for location, example in _examples(read.record):
            if example is None or example.language is not Language.PYTHON:
                continue
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    ast.parse(example.code, feature_version=OLDEST_PYTHON)
            except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
                reason = getattr(error, "msg", None) or "it cannot be parsed"
                line = getattr(error, "lineno", None) or 1
                what = f"not valid Python: {reason} (line {line} of the code)"
                yield at(read, location, what, "Correct it, or set another language.", "python-code")


def check_details_length(contents: Contents, _library: Library) -> Iterator[Problem]:
    """Details are read, not skipped."""
    for read in contents.features:
        words = len((read.record.details or "").split())
        if words > MOST_WORDS:
            what = f"{words} words, {MOST_WORDS} at most"
            yield at(read, ("details",), what, "Cut, or split the record.", "details-length")


def check_claims_have_a_baseline(contents: Contents, _library: Library) -> Iterator[Problem]:
    """Two bars say "before" and "now"; so the claim says against what."""
    for read in contents.features:
        for index, claim in enumerate(read.record.performance):
            if claim.comparison is not None and claim.baseline is None:
                what = "missing, but there is a comparison"
                fix = "Say against what, or leave the comparison out."
                yield at(read, ("performance", index, "baseline"), what, fix, "claim-baseline")


def check_summary_is_not_title(contents: Contents, _library: Library) -> Iterator[Problem]:
    """The summary says more than the title."""
    for read in contents.features:
        if read.record.summary.rstrip(".").casefold() == read.record.title.casefold():
            yield at(read, ("summary",), "the same as the title", "Say what changed for the reader.", "empty-summary")

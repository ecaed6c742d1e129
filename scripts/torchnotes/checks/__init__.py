"""Rules that need more than one record, or more than its shape.

One rule, one function, one bad fixture in ``scripts/tests/bad``. A check yields problems and changes nothing.
``problems_below`` and ``library_below`` are the two entries: the command line, the build and the tests call them.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from torchnotes.checks import code, evidence, files, names, references, terms, versions
from torchnotes.library import Library, library_of
from torchnotes.problem import Problem
from torchnotes.reading import Contents, read_contents

Check = Callable[[Contents, Library], Iterator[Problem]]

CHECKS: tuple[Check, ...] = (
    names.check_feature_ids,
    names.check_unique_ids,
    names.check_unique_titles,
    names.check_unique_aliases,
    names.check_moved_ids,
    terms.check_feature_terms,
    terms.check_hardware_tree,
    terms.check_device_terms,
    terms.check_release_terms,
    references.check_related,
    references.check_follows_without_circles,
    references.check_sources,
    references.check_repeated_sources,
    versions.check_version_of_folder,
    versions.check_release_versions,
    versions.check_known_versions,
    versions.check_migration_order,
    versions.check_expiry,
    versions.check_earlier,
    versions.check_known_issue,
    evidence.check_evidence_versions,
    evidence.check_discrepancies,
    evidence.check_repeated_evidence,
    code.check_python_parses,
    code.check_details_length,
    code.check_summary_is_not_title,
)
"""Rules about what the data says."""

LAYOUT_CHECKS: tuple[Check, ...] = (
    files.check_schema_fresh,
    files.check_formatted,
)
"""Rules about how files are written. They cost half the time of a build, and a site does not need them."""


def problems_of(contents: Contents, checks: tuple[Check, ...]) -> list[Problem]:
    """Problems of shape, and of every check that the readable part allows."""
    problems = list(contents.problems)
    library = library_of(contents)
    if library is not None:
        for check in checks:
            problems += check(contents, library)
    return sorted(set(problems))


def problems_below(root: Path) -> list[Problem]:
    """Everything that is wrong below ``root/data``, layout too."""
    return problems_of(read_contents(root), CHECKS + LAYOUT_CHECKS)


def library_below(root: Path) -> Library | list[Problem]:
    """The library below ``root/data``, or everything that is wrong with what the data says."""
    contents = read_contents(root)
    problems = problems_of(contents, CHECKS)
    library = library_of(contents)
    return library if library is not None and not problems else problems

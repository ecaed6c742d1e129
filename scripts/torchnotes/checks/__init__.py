"""Rules that need more than one record, or more than its shape.

One rule, one function, one bad fixture in ``scripts/tests/bad``. A check yields problems and changes nothing.
``problems_below`` and ``library_below`` are the two entries: the command line, the build and the tests call them.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from torchnotes.checks import api, code, companions, detect, evidence, files, names, references, terms, versions, wheels
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
    terms.check_feature_areas,
    terms.check_area_uses,
    terms.check_feature_hardware,
    terms.check_hardware_tree,
    terms.check_device_terms,
    terms.check_release_terms,
    references.check_related,
    references.check_follows_without_circles,
    references.check_sources,
    references.check_repeated_sources,
    versions.check_version_of_folder,
    versions.check_releases_have_features,
    versions.check_release_versions,
    versions.check_known_versions,
    versions.check_migration_order,
    versions.check_expiry,
    versions.check_earlier,
    versions.check_supersedes,
    versions.check_coming_from,
    versions.check_known_issue,
    wheels.check_examined_wheels,
    wheels.check_limits,
    wheels.check_served_hardware,
    wheels.check_facts_in_metadata,
    companions.check_companions,
    companions.check_companion_sources,
    evidence.check_evidence_versions,
    evidence.check_evidence_files,
    evidence.check_evidence_wheels,
    evidence.check_discrepancies,
    evidence.check_repeated_evidence,
    code.check_python_parses,
    code.check_details_length,
    code.check_claims_have_a_baseline,
    code.check_summary_is_not_title,
    detect.check_detect_examples,
)
"""Rules about what the data says."""

NEEDS: Mapping[Check, tuple[str, ...]] = MappingProxyType(
    {
        terms.check_feature_areas: ("vocabulary/areas.yaml",),
        terms.check_feature_hardware: ("vocabulary/hardware.yaml",),
        terms.check_hardware_tree: ("vocabulary/hardware.yaml",),
        terms.check_device_terms: ("vocabulary", "sources.yaml"),
        terms.check_release_terms: ("vocabulary",),
        references.check_sources: ("sources.yaml",),
        versions.check_version_of_folder: ("releases",),
        versions.check_known_versions: ("releases",),
        versions.check_coming_from: ("releases",),
        wheels.check_examined_wheels: ("releases",),
        wheels.check_stored_metadata: ("evidence/wheels.yaml",),
        wheels.check_facts_in_metadata: ("evidence/wheels.yaml", "evidence/metadata.yaml"),
        companions.check_companions: (
            "releases",
            "evidence/wheels.yaml",
            "evidence/metadata.yaml",
            "evidence/companions.yaml",
        ),
        companions.check_companion_sources: ("sources.yaml",),
        companions.check_stored_companions: ("companions",),
        evidence.check_evidence_wheels: ("evidence/wheels.yaml",),
        api.check_stored_api: ("releases", "evidence/wheels.yaml"),
        api.check_no_records: ("features", "api"),
        evidence.check_proofs: ("evidence",),
        evidence.check_stored_proofs: ("evidence/wheels.yaml", "features"),
    }
)
"""Files and folders below ``data/`` without which a check would take what is in them for unknown."""

LAYOUT_CHECKS: tuple[Check, ...] = (
    files.check_schema_fresh,
    files.check_formatted,
)
"""Rules about how files are written. They cost half the time of a build, and a site does not need them."""

PROOF_CHECKS: tuple[Check, ...] = (
    evidence.check_headline_evidence,
    evidence.check_proofs,
    evidence.check_stored_proofs,
    evidence.check_runs,
    api.check_stored_api,
    api.check_no_records,
    wheels.check_stored_metadata,
    companions.check_stored_companions,
)
"""Rules about what is proved. A site is built without them: what is not proved says so on its page."""


EVIDENCE_CHECKS: tuple[Check, ...] = (
    names.check_unique_ids,
    wheels.check_examined_wheels,
    evidence.check_evidence_versions,
    evidence.check_evidence_files,
    evidence.check_evidence_wheels,
    evidence.check_repeated_evidence,
)
"""Rules without which evidence cannot be compared; each is in ``CHECKS`` too."""


def problems_of(contents: Contents, checks: tuple[Check, ...]) -> list[Problem]:
    """Problems of shape, and of every check that the readable part allows."""
    problems = list(contents.problems)
    if any(problem.rule == "no-data" for problem in problems):
        return problems
    library = library_of(contents)
    for check in checks:
        if all(contents.is_whole(place) for place in NEEDS.get(check, ())):
            problems += check(contents, library)
    return sorted(set(problems))


def problems_below(root: Path) -> list[Problem]:
    """Everything that is wrong below ``root/data``, layout too."""
    return problems_of(read_contents(root), CHECKS + LAYOUT_CHECKS + PROOF_CHECKS)


def library_below(root: Path) -> Library | list[Problem]:
    """The library below ``root/data``, or everything that is wrong with what the data says."""
    contents = read_contents(root)
    return problems_of(contents, CHECKS) or library_of(contents)

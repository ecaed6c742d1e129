"""Versions: they exist, lie in their release, and stand in a possible order."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from torchnotes.checks.place import at
from torchnotes.library import Library
from torchnotes.messages import offer
from torchnotes.model import KnownIssue, RequiredSteps, StepsMigration
from torchnotes.model.migration import Expiry
from torchnotes.problem import Problem
from torchnotes.reading import Contents, Read
from torchnotes.yaml_source import Location

_SAID_OF_VERSIONS = ("seen_in", "suspected_in", "not_seen_in")
"""What `affects` says of a version; each version stands in one of them."""


def check_version_of_folder(contents: Contents, library: Library) -> Iterator[Problem]:
    """A record lies in the folder of its version's release, and that release has a page of features."""
    for read in contents.features:
        release = library.releases.get(read.folder)
        if release is None:
            known = [one.id for one in library.releases.values() if not one.release.baseline]
            fix = f"Move the file into one of: {', '.join(f'features/{one}' for one in known)}."
            yield at(read, (), f"no release '{read.folder}'", fix, "no-release-page")
        elif release.release.baseline:
            fix = "Put it into the release that changes it, under `earlier`."
            yield at(
                read, (), f"release {read.folder} is only the baseline and has no features", fix, "no-release-page"
            )
        elif read.record.version in library.versions and library.versions[read.record.version] != read.folder:
            what = f"{read.record.version} does not belong to release {read.folder}"
            fix = f"Move the file to features/{library.versions[read.record.version]}, or correct the version."
            yield at(read, ("version",), what, fix, "version-outside-release")
    for release_read in contents.releases:
        if not re.fullmatch(r"[0-9]+\.[0-9]+", release_read.id):
            what = f"'{release_read.id}' is not a minor release"
            fix = "Name the file after one, such as 2.15.yaml."
            yield at(release_read, (), what, fix, "version-outside-release")
            continue
        for index, one in enumerate(release_read.record.versions):
            if not one.version.startswith(f"{release_read.id}."):
                what = f"{one.version} does not belong to release {release_read.id}"
                place = ("versions", index, "version")
                yield at(release_read, place, what, "Move it to its own release file.", "version-outside-release")


def check_releases_have_features(contents: Contents, _library: Library) -> Iterator[Problem]:
    """A release whose changes are described has at least one."""
    described = {Path(path).parent.name for path in contents.feature_paths.values()}
    for read in contents.releases:
        if not read.record.baseline and read.id not in described:
            what = f"no feature lies in data/features/{read.id}"
            yield at(read, ("baseline",), what, "Restore them, or say `baseline: true`.", "release-without-features")


def check_release_versions(contents: Contents, _library: Library) -> Iterator[Problem]:
    """Versions of a release stand once each, oldest first."""
    for read in contents.releases:
        before = None
        for index, one in enumerate(read.record.versions):
            version = Version(one.version)
            if before is not None and version <= before:
                what = f"{one.version} stands below {before}"
                yield at(
                    read,
                    ("versions", index, "version"),
                    what,
                    "List versions once each, oldest first.",
                    "version-order",
                )
            before = version


def check_known_versions(contents: Contents, library: Library) -> Iterator[Problem]:
    """Every version that a record names was published."""
    for read in contents.features:
        for location, version in _named_versions(read):
            if version not in library.versions:
                fix = offer(version, library.versions, "data/releases/")
                yield at(read, location, f"no published version '{version}'", fix, "unknown-version")


def _named_versions(read: Read[Any]) -> Iterator[tuple[Location, str]]:
    record = read.record
    yield ("version",), record.version
    migration = record.migration
    if isinstance(migration, StepsMigration):
        yield ("migration", "possible_from"), migration.possible_from
        if isinstance(migration, RequiredSteps):
            yield ("migration", "required_by"), migration.required_by
    if isinstance(record, KnownIssue):
        for name in _SAID_OF_VERSIONS:
            for number, version in enumerate(getattr(record.affects, name)):
                yield ("affects", name, number), version
        if record.fixed is not None and record.fixed.mended_in is not None:
            yield ("fixed", "in"), record.fixed.mended_in


def check_migration_order(contents: Contents, _library: Library) -> Iterator[Problem]:
    """Steps are possible before they are required."""
    for read in contents.features:
        migration = read.record.migration
        if not isinstance(migration, RequiredSteps):
            continue
        if Version(migration.possible_from) > Version(migration.required_by):
            place = ("migration", "required_by")
            what = f"required by {migration.required_by}, but possible only from {migration.possible_from}"
            yield at(read, place, what, "Correct one of the two.", "migration-order")


def check_expiry(contents: Contents, _library: Library) -> Iterator[Problem]:
    """What goes, goes in a release after the version that the record is about."""
    for read in contents.features:
        record = read.record
        keep_old = record.migration.keep_old
        expiries: list[tuple[Location, Any]] = [(("goes_in", "version"), getattr(record, "goes_in", None))]
        if keep_old is not None:
            expiries.append((("migration", "keep_old", "until", "version"), keep_old.until))
        for location, expiry in expiries:
            if isinstance(expiry, Expiry) and Version(expiry.version) <= Version(record.version):
                what = f"{expiry.version} is not after {record.version}"
                yield at(read, location, what, "Name the release in which it goes.", "expiry-order")


def check_earlier(contents: Contents, library: Library) -> Iterator[Problem]:
    """Earlier steps are earlier, and a feature follows no later one."""
    for read in contents.features:
        for index, earlier in enumerate(read.record.earlier):
            if Version(earlier.version) >= Version(read.record.version):
                what = f"{earlier.version} is not before {read.record.version}"
                yield at(read, ("earlier", index, "version"), what, "Name an earlier version.", "earlier-order")
        for index, other in enumerate(read.record.follows):
            entry = library.entries.get(other)
            if entry is not None and Version(entry.feature.version) > Version(read.record.version):
                what = f"'{other}' ({entry.feature.version}) is later than this record ({read.record.version})"
                yield at(read, ("follows", index), what, "Turn the two around.", "follows-order")


def check_supersedes(contents: Contents, library: Library) -> Iterator[Problem]:
    """What is superseded belongs to an earlier version: of two records of one version, one would never be read."""
    for read in contents.features:
        for index, other in enumerate(read.record.supersedes):
            entry = library.entries.get(other)
            if (
                entry is not None
                and other != read.id
                and Version(entry.feature.version) >= Version(read.record.version)
            ):
                what = f"'{other}' ({entry.feature.version}) is not of a version before {read.record.version}"
                yield at(read, ("supersedes", index), what, "Merge the two, or remove it.", "supersedes-order")


def check_coming_from(contents: Contents, library: Library) -> Iterator[Problem]:
    """Somebody can come from one of the versions to which a record limits itself."""
    for read in contents.features:
        record, bounds = read.record, read.record.applies.coming_from
        earlier = [one for one in library.versions if Version(one) < Version(record.version)]
        if bounds is not None and not any(one in SpecifierSet(bounds) for one in earlier):
            what = f"no published version before {record.version} is within '{bounds}'"
            fix = "Name versions that people upgrade from, or leave it out."
            yield at(read, ("applies", "coming_from"), what, fix, "coming-from")


def check_known_issue(contents: Contents, _library: Library) -> Iterator[Problem]:
    """A fault is not seen and unseen in one version, and is not mended before it is seen."""
    for read in contents.features:
        record = read.record
        if not isinstance(record, KnownIssue):
            continue
        affects = record.affects
        said = [(name, version) for name in _SAID_OF_VERSIONS for version in getattr(affects, name)]
        first = {version: name for name, version in reversed(said)}
        for name in _SAID_OF_VERSIONS:
            for index, version in enumerate(getattr(affects, name)):
                if first[version] != name:
                    what = f"{version} is also under {first[version]}"
                    yield at(read, ("affects", name, index), what, "Keep it at one of them.", "affects-both")
        fixed = record.fixed.mended_in if record.fixed is not None else None
        if fixed is not None and first.get(fixed, "not_seen_in") != "not_seen_in":
            what = f"{fixed} is also under {first[fixed]}"
            yield at(read, ("fixed", "in"), what, "Correct one of them.", "affects-both")
        if not affects.held_by and not affects.other_builds:
            what, fix = "nothing says where it was seen", "Fill in seen_in, suspected_in or other_builds."
            yield at(read, ("affects",), what, fix, "affects-nothing")
        if affects.held_by and record.version not in affects.held_by:
            what = f"{record.version} is neither under affects.seen_in nor under affects.suspected_in"
            yield at(read, ("version",), what, "Name the first of these versions that has it.", "affects-version")

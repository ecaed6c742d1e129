"""What a record points to: other features, and sources."""

from collections.abc import Iterator
from typing import Any

from packaging.version import Version

from torchnotes.checks.place import at
from torchnotes.library import Library
from torchnotes.messages import offer
from torchnotes.model import Release, UpstreamSource
from torchnotes.model.migration import Expiry
from torchnotes.problem import Problem
from torchnotes.reading import Contents, Read
from torchnotes.yaml_source import Location


def check_related(contents: Contents, library: Library) -> Iterator[Problem]:
    """Features that are named exist, and are not the record itself."""
    moved = {one.old: one.new for one in library.moved}
    for read in contents.features:
        for name in ("related", "follows", "supersedes"):
            for index, other in enumerate(getattr(read.record, name)):
                place = (name, index)
                if other == read.id:
                    yield at(read, place, "points to itself", "Remove it.", "unknown-feature")
                elif other in moved:
                    what = f"'{other}' has moved"
                    yield at(read, place, what, f"Write '{moved[other]}'.", "unknown-feature")
                elif other not in contents.feature_paths:
                    fix = offer(other, contents.feature_paths, "data/features/")
                    yield at(read, place, f"no feature '{other}'", fix, "unknown-feature")


def check_follows_without_circles(contents: Contents, library: Library) -> Iterator[Problem]:
    """Following `follows` never leads back. A circle is named once; steps with a rule of their own are not taken."""
    told: set[str] = set()
    for read in contents.features:
        circle = _circle(read.id, library)
        if circle and not told & set(circle):
            what = f"'{read.id}' follows itself, by way of {', '.join(circle)}"
            yield at(read, ("follows",), what, "Remove one of the steps.", "follows-circle")
        told |= {read.id, *circle} if circle else set()


def _circle(start: str, library: Library) -> list[str]:
    """Ids on a way back to ``start``; empty when there is none."""
    came_from: dict[str, str] = {}
    waiting = [start]
    while waiting:
        current = waiting.pop()
        for earlier in library.entries[current].feature.follows:
            if earlier == start != current and _is_step_back(current, start, library):
                way = [current]
                while came_from[way[0]] != start:
                    way.insert(0, came_from[way[0]])
                return way
            if earlier != start and earlier not in came_from and _is_step_back(current, earlier, library):
                came_from[earlier] = current
                waiting.append(earlier)
    return []


def _is_step_back(later: str, earlier: str, library: Library) -> bool:
    entry = library.entries.get(earlier)
    return entry is not None and Version(entry.feature.version) <= Version(library.entries[later].feature.version)


def _own_refs(record: Any) -> set[str]:
    return {one.ref if isinstance(one, UpstreamSource) else one.source for one in record.sources}


def _named_sources(record: Any) -> Iterator[tuple[Location, str]]:
    for index, claim in enumerate(record.performance):
        yield ("performance", index, "source"), claim.source
    for index, one in enumerate(record.discrepancies):
        yield ("discrepancies", index, "source"), one.source
    keep_old = record.migration.keep_old
    if keep_old is not None and isinstance(keep_old.until, Expiry):
        yield ("migration", "keep_old", "until", "basis"), keep_old.until.basis
    goes_in = getattr(record, "goes_in", None)
    if isinstance(goes_in, Expiry):
        yield ("goes_in", "basis"), goes_in.basis
    fixed = getattr(record, "fixed", None)
    if fixed is not None and fixed.by is not None:
        yield ("fixed", "by"), fixed.by


def check_sources(contents: Contents, library: Library) -> Iterator[Problem]:
    """Shared sources exist, and whatever names a source names one of the record's own."""
    for read in contents.features:
        for index, source in enumerate(read.record.sources):
            if not isinstance(source, UpstreamSource) and source.source not in library.sources:
                fix = offer(source.source, library.sources, "data/sources.yaml")
                yield at(read, ("sources", index, "source"), f"no source '{source.source}'", fix, "unknown-source")
        own = _own_refs(read.record)
        for location, ref in _named_sources(read.record):
            if ref not in own:
                fix = offer(ref, sorted(own), "`sources` of this file")
                yield at(read, location, f"'{ref}' is not among this record's sources", fix, "unknown-source")
    for release in contents.releases:
        yield from _release_sources(release, library)


def _release_sources(read: Read[Release], library: Library) -> Iterator[Problem]:
    places: list[tuple[Location, str | None]] = [
        (("versions", i, "date", "source"), one.date.source) for i, one in enumerate(read.record.versions)
    ]
    for name in ("facts", "limits", "events", "builds", "architectures", "serves"):
        places += [((name, i, "source"), one.source) for i, one in enumerate(getattr(read.record, name))]
    for location, ref in places:
        if ref is not None and "#" not in ref and ref not in library.sources:
            fix = offer(ref, library.sources, "data/sources.yaml")
            yield at(read, location, f"no source '{ref}'", fix, "unknown-source")


def check_repeated_sources(contents: Contents, _library: Library) -> Iterator[Problem]:
    """A record names each source once."""
    for read in contents.features:
        seen: set[str] = set()
        for index, source in enumerate(read.record.sources):
            ref = source.ref if isinstance(source, UpstreamSource) else source.source
            if ref in seen:
                what = f"the source '{ref}' is there twice"
                yield at(read, ("sources", index), what, "Join what it says.", "repeated-source")
            seen.add(ref)

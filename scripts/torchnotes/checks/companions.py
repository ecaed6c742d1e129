"""What is said of companion packages: no more than metadata or a source says, and nothing that metadata contradicts."""

from collections.abc import Iterator
from itertools import pairwise

from packaging.version import Version

from torchnotes.checks.place import at
from torchnotes.library import Library
from torchnotes.messages import offer
from torchnotes.model import Companion, UpstreamSource
from torchnotes.model.companion import Choice
from torchnotes.problem import Problem
from torchnotes.published import accepts_torch, is_pinned_by_torch
from torchnotes.reading import Contents, Read
from torchnotes.terms import Pairing


def check_companions(contents: Contents, library: Library) -> Iterator[Problem]:
    """What to take with a version of torch is a release that was read, and metadata agrees."""
    for read in contents.companions:
        yield from _order(read)
        seen: set[str] = set()
        for index, choice in enumerate(read.record.choices):
            place = ("choices", index, "torch")
            if choice.torch not in library.versions:
                fix = offer(choice.torch, library.versions, "data/releases/")
                yield at(read, place, f"no published version '{choice.torch}'", fix, "unknown-version")
            if choice.torch in seen:
                yield at(read, place, f"{choice.torch} is there twice", "Keep one.", "companion-twice")
            seen.add(choice.torch)
            yield from _choice(read, index, choice, library)


def _order(read: Read[Companion]) -> Iterator[Problem]:
    for index, (before, after) in enumerate(pairwise(read.record.releases), start=1):
        if Version(after) <= Version(before):
            what = f"{after} stands after {before}"
            yield at(read, ("releases", index), what, "Put the oldest first.", "companion-release")


def _choice(read: Read[Companion], index: int, choice: Choice, library: Library) -> Iterator[Problem]:
    releases = {one.version: one for one in library.releases_of(read.id)}
    for number, version in enumerate(choice.take):
        place = ("choices", index, "take", number)
        if version not in read.record.releases:
            fix = offer(version, read.record.releases, "`releases`")
            yield at(read, place, f"'{version}' is not among `releases`", fix, "companion-release")
            continue
        # What was not asked yet is for `torchnotes companions`.
        release = releases.get(version)
        accepts = accepts_torch(release, choice.torch) if release is not None else None
        if accepts is False:
            what = f"by its metadata {version} does not accept torch {choice.torch}"
            yield at(read, place, what, "Take another release.", "companion-refuses")
        elif accepts is None and release is not None and choice.known is Pairing.METADATA:
            names_none = f"the metadata of {version} names no version of torch"
            what = names_none if release.is_read else f"pip offers no wheel of {version} whose metadata could be read"
            yield at(read, place, what, "Say who says so, or take it out.", "companion-basis")
        if choice.known is Pairing.TORCH_PINS and not is_pinned_by_torch(library, read.id, version, choice.torch):
            what = f"no examined wheel of torch {choice.torch} requires {read.id} {version}"
            yield at(read, place, what, "Correct one of them.", "companion-basis")
    if choice.known is Pairing.METADATA and not choice.take:
        fitting = [version for version, one in releases.items() if accepts_torch(one, choice.torch)]
        if fitting:
            what = f"by its metadata {fitting[-1]} accepts torch {choice.torch}"
            yield at(
                read, ("choices", index, "take"), what, "Name it, or say in `known` who says no.", "companion-basis"
            )
    if choice.known is Pairing.TORCH_PINS and not choice.take:
        what = "nothing, where torch is said to require a release"
        yield at(
            read, ("choices", index, "take"), what, "Name it, or say otherwise how it is known.", "companion-basis"
        )
    if choice.known is Pairing.UNKNOWN and choice.take:
        what = "a release, where nobody is said to know one"
        yield at(read, ("choices", index, "take"), what, "Say how it is known, or empty the list.", "companion-basis")


def check_companion_sources(contents: Contents, library: Library) -> Iterator[Problem]:
    """Sources of a companion exist, and a choice names one of them exactly where a document says so."""
    for read in contents.companions:
        own: dict[str, None] = {}
        for index, source in enumerate(read.record.sources):
            own[source.ref if isinstance(source, UpstreamSource) else source.source] = None
            if not isinstance(source, UpstreamSource) and source.source not in library.sources:
                fix = offer(source.source, library.sources, "data/sources.yaml")
                yield at(read, ("sources", index, "source"), f"no source '{source.source}'", fix, "unknown-source")
        for index, choice in enumerate(read.record.choices):
            place = ("choices", index, "source")
            if choice.known is Pairing.UPSTREAM and choice.source is None:
                yield at(read, place, "missing where upstream is said to say so", "Name the source.", "companion-basis")
            if choice.known is not Pairing.UPSTREAM and choice.source is not None:
                what = f"a source, where `known` is `{choice.known}`"
                yield at(read, place, what, "Say `upstream`, or take it out.", "companion-basis")
            if choice.source is not None and choice.source not in own:
                fix = offer(choice.source, own, "`sources`")
                yield at(read, place, f"'{choice.source}' is not among this file's sources", fix, "unknown-source")


def check_stored_companions(contents: Contents, library: Library) -> Iterator[Problem]:
    """What pip was asked about are the releases that the files name, and no others."""
    read = contents.read_companions
    if read is None:
        return
    fix = "Run `torchnotes companions`."
    stored = {one.package: tuple(release.version for release in one.releases) for one in read.record.packages}
    for companion in contents.companions:
        if stored.get(companion.id) != companion.record.releases:
            what = (
                "pip was not asked about these releases" if companion.record.releases else "pip was not asked about it"
            )
            yield at(companion, ("releases",), what, fix, "stale-companions")
    for index, name in enumerate(stored):
        if name not in library.companions:
            yield at(read, ("packages", index, "package"), f"no companion '{name}'", fix, "stale-companions")

"""The whole knowledge base as one frozen object: the only thing that pages, open data and later stages may see.

Everything derived is computed here (grade, ancestors, timelines) and never written back. It expects data without
problems of shape; a record that points to something missing is left for the checks to report.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from packaging.version import Version

from torchnotes.model import (
    Companion,
    CompanionRelease,
    Device,
    Devices,
    Evidence,
    Feature,
    KnownIssue,
    MovedId,
    Proof,
    ReadCompanion,
    Release,
    Run,
    SharedSource,
    UpstreamSource,
    WheelFile,
    WheelMetadata,
)
from torchnotes.model.api import ApiDiff
from torchnotes.model.evidence import HEADLINE, fingerprint
from torchnotes.model.release import PublishedVersion, Serves
from torchnotes.model.vocabulary import Area, FactName, Hardware
from torchnotes.reading import Contents
from torchnotes.terms import LOUD, Action, Grade, Kind, Runs, SourceRole, Visibility

ROOT_HARDWARE = "any"
ANY_ACCELERATOR = "any-accelerator"
"""The node whose children are the makers of accelerators."""


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A feature with its id, its release and the file it is written in. One object a feature: compared by identity."""

    id: str
    release: str
    path: str
    feature: Feature
    proofs: Mapping[str, Proof] = field(default_factory=dict)
    """Stored proofs of its evidence, by the entry's digest."""
    runs: tuple[Run, ...] = ()
    """What became of its code when it was run."""

    def proof_of(self, evidence: Evidence) -> Proof | None:
        """The stored proof of an entry; None when it was not compared since it was written."""
        return self.proofs.get(evidence.digest)

    def is_proved(self, statement: str) -> bool:
        """Whether every entry that shows a statement is proved, and there is one."""
        shown = [self.proof_of(one) for one in self.feature.evidence if one.proves == statement]
        return bool(shown) and all(proof is not None and proof.holds for proof in shown)

    @property
    def current_runs(self) -> tuple[Run, ...]:
        """What became of its code when it was run; runs of code that was changed since are left out."""
        now = {what: fingerprint(example.code) for what, example in self.feature.pieces}
        return tuple(run for run in self.runs if now.get(run.what) == run.digest)

    @property
    def is_silent(self) -> bool:
        """Whether the change shows itself by no message at all, and yet changes something or needs a step."""
        migration = self.feature.migration
        visible = set(migration.visibility)
        return not visible & LOUD and (visible != {Visibility.NONE} or migration.action is Action.REQUIRED)

    @property
    def grade(self) -> Grade:
        """How sure the headline is. Nothing is above *traced* without a stored proof."""
        record = self.feature
        if self.is_proved(HEADLINE):
            is_disputed = any(one.evidence == HEADLINE for one in record.discrepancies)
            return Grade.DISPUTED if is_disputed else Grade.PROVED
        roles = {source.role for source in record.sources if isinstance(source, UpstreamSource)}
        enough = {SourceRole.CHANGE, SourceRole.REPORT} if record.kind is Kind.KNOWN_ISSUE else {SourceRole.CHANGE}
        return Grade.TRACED if roles & enough else Grade.REPORTED


@dataclass(frozen=True, slots=True)
class ReleaseEntry:
    """A release with its id and its file."""

    id: str
    path: str
    release: Release

    @property
    def newest(self) -> PublishedVersion:
        """Its newest published version."""
        return self.release.versions[-1]


@dataclass(frozen=True, slots=True)
class Step:
    """One step on a feature's way through the versions."""

    version: str
    text: str
    entry: Entry | None
    """The record of this step; None for what was there before the first record."""


class Library:
    """All records, by id, and what follows from them."""

    def __init__(
        self,
        *,
        entries: tuple[Entry, ...],
        releases: tuple[ReleaseEntry, ...],
        areas: tuple[Area, ...],
        hardware: tuple[Hardware, ...],
        devices: tuple[Devices, ...],
        fact_names: tuple[FactName, ...],
        sources: tuple[SharedSource, ...],
        moved: tuple[MovedId, ...],
        wheels: tuple[WheelFile, ...],
        api: Mapping[str, ApiDiff],
        compared: frozenset[str] = frozenset(),
        metadata: tuple[WheelMetadata, ...],
        companions: Mapping[str, Companion] = MappingProxyType({}),
        read_companions: tuple[ReadCompanion, ...] = (),
        pythons: tuple[str, ...] = (),
        no_record: Mapping[tuple[str, str], str] = MappingProxyType({}),
    ) -> None:
        """Take ownership of frozen records; compute nothing yet."""
        self.entries: Mapping[str, Entry] = MappingProxyType({entry.id: entry for entry in entries})
        self.releases: Mapping[str, ReleaseEntry] = MappingProxyType({one.id: one for one in releases})
        self.areas: Mapping[str, Area] = MappingProxyType({area.id: area for area in areas})
        self.hardware: Mapping[str, Hardware] = MappingProxyType({one.id: one for one in hardware})
        self.vendors = devices
        self.fact_names: Mapping[str, FactName] = MappingProxyType({fact.id: fact for fact in fact_names})
        self.sources: Mapping[str, SharedSource] = MappingProxyType({one.id: one for one in sources})
        self.moved = moved
        self.wheels = wheels
        self.api = api
        """Release → what its wheel changed in the public API, oldest release first."""
        self.compared = compared
        """Ids of the wheels with which evidence was compared."""
        self.companions = companions
        """Package → what people wrote of it, by name."""
        self.read_companions: Mapping[str, ReadCompanion] = MappingProxyType(
            {one.package: one for one in read_companions}
        )
        """Package → what pip told of it."""
        self.no_record = no_record
        """Release and name of a change of the API → why it has no record."""
        self.pythons = pythons
        """Versions of Python for which pip was asked about companions."""
        self.metadata: Mapping[str, WheelMetadata] = MappingProxyType({one.wheel: one for one in metadata})

    def releases_of(self, package: str) -> tuple[CompanionRelease, ...]:
        """What pip told of each release of a companion package, oldest first; empty when it was not asked."""
        told = self.read_companions.get(package)
        return told.releases if told is not None else ()

    @cached_property
    def devices(self) -> tuple[Device, ...]:
        """All devices of all vendors."""
        return tuple(device for vendor in self.vendors for device in vendor.devices)

    @cached_property
    def day(self) -> str:
        """The newest day on which a wheel was examined, as ``2026-11-29``: how fresh the data is."""
        return max(wheel.examined for wheel in self.wheels)

    @property
    def newest(self) -> ReleaseEntry | None:
        """The newest release, whether its changes are described or not; None when there is none."""
        return next(reversed(tuple(self.releases.values())), None)

    @cached_property
    def versions(self) -> Mapping[str, str]:
        """Published version → its release, oldest first."""
        found = {one.version: release.id for release in self.releases.values() for one in release.release.versions}
        return MappingProxyType(dict(sorted(found.items(), key=lambda item: Version(item[0]))))

    @cached_property
    def children(self) -> Mapping[str, tuple[str, ...]]:
        """Hardware id → ids directly below it, in display order."""
        below: dict[str, list[str]] = {one: [] for one in self.hardware}
        for one in self.hardware.values():
            if one.parent in below:
                below[one.parent].append(one.id)
        return MappingProxyType({parent: tuple(ids) for parent, ids in below.items()})

    def ancestors(self, hardware_id: str) -> tuple[str, ...]:
        """Ids above it, nearest first; empty for the root."""
        above: list[str] = []
        current = self.hardware.get(hardware_id)
        while current is not None and current.parent is not None and current.parent not in {*above, hardware_id}:
            above.append(current.parent)
            current = self.hardware.get(current.parent)
        return tuple(above)

    def descendants(self, hardware_id: str) -> tuple[str, ...]:
        """Ids below it at any depth, in display order."""
        return tuple(one for one in self.hardware if hardware_id in self.ancestors(one))

    @cached_property
    def _reach(self) -> Mapping[str, frozenset[str]]:
        return MappingProxyType(
            {
                one: frozenset(
                    self.hardware if one == ROOT_HARDWARE else (one, *self.ancestors(one), *self.descendants(one))
                )
                for one in self.hardware
            }
        )

    @cached_property
    def _applies_to(self) -> Mapping[tuple[str, ...], tuple[str, ...]]:
        # Few lists of tags are different, however many features there are.
        tags = {entry.feature.hardware for entry in self.entries.values()}
        return MappingProxyType({one: self.reach_of(one) for one in tags})

    def reach_of(self, tags: Iterable[str]) -> tuple[str, ...]:
        """Every hardware id that these tags reach: themselves, their ancestors and descendants; in display order."""
        wanted = frozenset[str]().union(*(self._reach.get(one, frozenset()) for one in tags))
        return tuple(one for one in self.hardware if one in wanted)

    def applies_to(self, entry: Entry) -> tuple[str, ...]:
        """Every hardware id for which a record is shown: all that its tags reach."""
        return self._applies_to[entry.feature.hardware]

    def _grouped(self, keys: Callable[[Entry], Iterable[str]]) -> Mapping[str, tuple[Entry, ...]]:
        """Features by each of their keys, by urgency and title."""
        found: dict[str, list[Entry]] = {}
        for entry in self._by_urgency:
            for key in dict.fromkeys(keys(entry)):
                found.setdefault(key, []).append(entry)
        return MappingProxyType({key: tuple(entries) for key, entries in found.items()})

    @cached_property
    def _by_urgency(self) -> tuple[Entry, ...]:
        return by_urgency(self.entries.values())

    def releases_with(self, entry: Entry) -> tuple[str, ...]:
        """Releases for whose readers a feature is: its own; of a known issue also those that have it or mend it."""
        record = entry.feature
        if not isinstance(record, KnownIssue):
            return (entry.release,)
        mended = record.fixed.mended_in if record.fixed is not None else None
        named = {self.versions.get(one) for one in (*record.affects.held_by, *([mended] if mended else []))}
        return tuple(
            id_
            for id_, one in self.releases.items()
            if id_ == entry.release or (id_ in named and not one.release.baseline)
        )

    @cached_property
    def _of_release(self) -> Mapping[str, tuple[Entry, ...]]:
        return self._grouped(self.releases_with)

    def of_release(self, release_id: str) -> tuple[Entry, ...]:
        """Features for the readers of a release, by urgency and title."""
        return self._of_release.get(release_id, ())

    @cached_property
    def _of_area(self) -> Mapping[str, tuple[Entry, ...]]:
        return self._grouped(lambda entry: entry.feature.areas)

    def of_area(self, area_id: str) -> tuple[Entry, ...]:
        """Features of an area, by urgency and title."""
        return self._of_area.get(area_id, ())

    @cached_property
    def _of_hardware(self) -> Mapping[str, tuple[Entry, ...]]:
        shown = self._grouped(self.applies_to)
        return MappingProxyType({one: self._closest_first(one, entries) for one, entries in shown.items()})

    def _closest_first(self, hardware_id: str, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        distances = {one: distance for distance, one in enumerate((hardware_id, *self.ancestors(hardware_id)))}

        def key(entry: Entry) -> tuple[int, int]:
            # What names something below it is as close as what names it.
            distance = min((distances[tag] for tag in entry.feature.hardware if tag in distances), default=0)
            return _URGENCY[entry.feature.migration.action], distance

        return tuple(sorted(entries, key=key))

    def of_hardware(self, hardware_id: str) -> tuple[Entry, ...]:
        """Features shown for a hardware: by what must be done, then what names it most closely, then as elsewhere."""
        return self._of_hardware.get(hardware_id, ())

    def devices_of(self, hardware_id: str) -> tuple[Device, ...]:
        """Devices of a hardware and of everything below it."""
        family = {hardware_id, *self.descendants(hardware_id)}
        return tuple(device for device in self.devices if device.hardware in family)

    @cached_property
    def _next(self) -> Mapping[str, tuple[Entry, ...]]:
        after: dict[str, list[Entry]] = {}
        for entry in self.entries.values():
            for earlier in entry.feature.follows:
                after.setdefault(earlier, []).append(entry)
        return MappingProxyType({one: tuple(found) for one, found in after.items()})

    def timeline(self, entry: Entry) -> tuple[Step, ...]:
        """A feature's way through the versions, oldest first; empty when it has no other step."""
        before = self._way(entry, self._earlier)
        after = self._way(entry, lambda one: self._next.get(one.id, ()))
        way = [entry, *(self.entries[one] for one in sorted(before | after))]
        # What came before a later record is that record's story, not this one's.
        opening = [one for one in way if one.id == entry.id or one.id in before]
        steps = [Step(earlier.version, earlier.what, None) for one in opening for earlier in one.feature.earlier]
        steps += [Step(one.feature.version, one.feature.title, one) for one in way]

        def key(step: Step) -> tuple[Version, int, str]:
            # Within a version what follows stands after what it follows: it has more behind it.
            behind = len(self._way(step.entry, self._earlier)) + 1 if step.entry else 0
            return Version(step.version), behind, step.text

        ordered = sorted(steps, key=key)
        return tuple(dict.fromkeys(ordered)) if len(ordered) > 1 else ()

    def _earlier(self, entry: Entry) -> Iterator[Entry]:
        return (self.entries[one] for one in entry.feature.follows if one in self.entries)

    @staticmethod
    def _way(entry: Entry, step: Callable[[Entry], Iterable[Entry]]) -> set[str]:
        found: set[str] = set()
        waiting = [entry]
        while waiting:
            for one in step(waiting.pop()):
                if one.id not in found and one.id != entry.id:
                    found.add(one.id)
                    waiting.append(one)
        return found

    def related(self, entry: Entry) -> tuple[Entry, ...]:
        """Features that it names, and those that name it."""
        named = [self.entries[one] for one in entry.feature.related if one in self.entries]
        both = dict.fromkeys([*named, *self._naming.get(entry.id, ())])
        return tuple(one for one in both if one is not entry)

    @cached_property
    def _naming(self) -> Mapping[str, tuple[Entry, ...]]:
        naming: dict[str, list[Entry]] = {}
        for entry in self.entries.values():
            for other in entry.feature.related:
                naming.setdefault(other, []).append(entry)
        return MappingProxyType({one: tuple(found) for one, found in naming.items()})

    def superseding(self, entry: Entry) -> tuple[Entry, ...]:
        """Features that supersede it, the newest first."""
        return self._superseding.get(entry.id, ())

    @cached_property
    def _superseding(self) -> Mapping[str, tuple[Entry, ...]]:
        found: dict[str, list[Entry]] = {}
        for entry in sorted(self.entries.values(), key=lambda one: Version(one.feature.version), reverse=True):
            for earlier in entry.feature.supersedes:
                found.setdefault(earlier, []).append(entry)
        return MappingProxyType({one: tuple(later) for one, later in found.items()})

    def serves(self, hardware_id: str) -> Iterator[tuple[ReleaseEntry, Serves]]:
        """Which builds of which release run on a hardware, oldest release first."""
        for release in self.releases.values():
            for one in release.release.serves:
                if one.hardware == hardware_id:
                    yield release, one

    def is_dropped(self, hardware_id: str) -> bool:
        """Whether the newest release is known to have no build that runs on a hardware."""
        answers = {one.runs for release, one in self.serves(hardware_id) if release is self.newest}
        return answers == {Runs.NO}

    def last_served(self, hardware_id: str) -> tuple[ReleaseEntry, Serves] | None:
        """The newest release with a build that runs on a hardware, and that build; None when no release has one."""
        return next(reversed([(at, one) for at, one in self.serves(hardware_id) if one.runs is Runs.YES]), None)


_URGENCY = {Action.REQUIRED: 0, Action.RECOMMENDED: 2, Action.OPTIONAL: 3, Action.NONE: 4}


def by_urgency(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Required and silent first, then required, then recommended, optional, nothing to do; then newest, then title."""

    def key(entry: Entry) -> tuple[int, bool, list[int], str]:
        action = entry.feature.migration.action
        newest_first = [-part for part in Version(entry.feature.version).release]
        return (_URGENCY[action], not entry.is_silent, newest_first, entry.feature.title.lower())

    return tuple(sorted(entries, key=key))


def library_of(contents: Contents) -> Library:
    """The library of what could be read. What could not is empty, so that every other rule can still be checked."""
    stored = contents.proofs.record if contents.proofs else None
    proofs = {one.feature: {proof.digest: proof for proof in one.entries} for one in stored.features} if stored else {}
    runs = stored.runs if stored else ()
    told = contents.read_companions.record if contents.read_companions else None
    releases = [ReleaseEntry(read.id, read.document.path, read.record) for read in contents.releases]
    return Library(
        entries=tuple(
            Entry(
                read.id,
                read.folder,
                read.document.path,
                read.record,
                proofs.get(read.id, {}),
                tuple(run for run in runs if run.feature == read.id),
            )
            for read in contents.features
        ),
        releases=tuple(sorted(releases, key=lambda one: _release_order(one.id))),
        areas=contents.areas.record.areas if contents.areas else (),
        hardware=contents.hardware.record.hardware if contents.hardware else (),
        devices=tuple(read.record for read in contents.devices),
        fact_names=contents.fact_names.record.facts if contents.fact_names else (),
        sources=contents.sources.record.sources if contents.sources else (),
        moved=contents.moved.record.moved if contents.moved else (),
        wheels=contents.wheels.record.wheels if contents.wheels else (),
        api={read.id: read.record for read in sorted(contents.api, key=lambda read: _release_order(read.id))},
        compared=frozenset(one.wheel for one in stored.wheels) if stored else frozenset(),
        metadata=contents.metadata.record.wheels if contents.metadata else (),
        companions={read.id: read.record for read in sorted(contents.companions, key=lambda one: one.id)},
        read_companions=told.packages if told else (),
        pythons=told.pythons if told else (),
        no_record={
            (one.release, one.name): one.why
            for one in (contents.no_records.record.no_record if contents.no_records else ())
        },
    )


def _release_order(release_id: str) -> tuple[int, ...]:
    return tuple(int(part) for part in release_id.split(".") if part.isdecimal())

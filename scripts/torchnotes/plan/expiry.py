"""What expires: ways back to an old behaviour, and what is announced to go."""

from dataclasses import dataclass

from packaging.version import Version

from torchnotes.library import Entry, Library
from torchnotes.model.feature import Deprecation
from torchnotes.model.migration import Expiry
from torchnotes.plan.rule import Upgrade, is_met, superseded_by


@dataclass(frozen=True, slots=True)
class Ending:
    """Something that has an end, or may have one."""

    entry: Entry
    is_way_back: bool
    """A way back to the old behaviour; else the deprecated thing itself."""
    until: Expiry | str
    """The release without it, with its basis; or ``unknown``."""

    def is_over_in(self, version: str) -> bool:
        """Whether a published version is known to be without it."""
        return isinstance(self.until, Expiry) and Version(self.until.version).release <= Version(version).release[:2]


def endings(library: Library, way: Upgrade) -> tuple[Ending, ...]:
    """All that has an end: first what ends first, last what has no release yet.

    What has a release counts from every version up to the target; of the rest, only what the way meets. What a later
    feature supersedes by then has no point any more.
    """
    found: list[Ending] = []
    for entry in library.entries.values():
        record = entry.feature
        if superseded_by(entry, way.target, library) is not None or Version(record.version) > Version(way.target):
            continue
        if isinstance(record, Deprecation):
            found.append(Ending(entry, is_way_back=False, until=record.goes_in))
        keep_old = record.migration.keep_old
        if keep_old is not None and keep_old.until not in ("never", "stays"):
            found.append(Ending(entry, is_way_back=True, until=keep_old.until))
    meant = (one for one in found if isinstance(one.until, Expiry) or is_met(one.entry, way, library))
    return tuple(sorted(meant, key=_key))


def _key(ending: Ending) -> tuple[bool, Version, str]:
    until = ending.until
    return not isinstance(until, Expiry), Version(until.version if isinstance(until, Expiry) else "0"), ending.entry.id

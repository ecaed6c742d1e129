"""What a version needs of a machine, as rows that a person reads and the page's script compares with a machine."""

from dataclasses import dataclass
from types import MappingProxyType

from torchnotes.library import ANY_ACCELERATOR, Library, ReleaseEntry
from torchnotes.model.release import Limit, Serves, WheelBuild
from torchnotes.pages.lists import Link, hardware_link
from torchnotes.terms import OperatingSystem, Runs, Wheel

PLATFORMS = MappingProxyType(
    {
        Wheel.LINUX_X86_64: (OperatingSystem.LINUX, "x86-64"),
        Wheel.LINUX_AARCH64: (OperatingSystem.LINUX, "arm64"),
        Wheel.MACOS_ARM64: (OperatingSystem.MACOS, "arm64"),
        Wheel.WINDOWS_X86_64: (OperatingSystem.WINDOWS, "x86-64"),
    }
)
"""Operating system and processor of each platform; the processor by the name that the reader of environments gives it."""


@dataclass(frozen=True, slots=True)
class LimitRow:
    """One limit."""

    limit: Limit
    text: str
    """Its bounds in words: ``3.11 or newer, below 3.16``."""
    is_changed: bool
    """Whether the release before it has other bounds, has them for other builds, or has none."""
    hardware: str
    """Ids of the hardware on which it matters, divided by blanks; empty for every one."""


@dataclass(frozen=True, slots=True)
class ServedRow:
    """How the builds of a release serve one hardware."""

    hardware: Link
    id: str
    text: str
    is_served: bool
    """Whether any build may run on it."""
    is_accelerator: bool
    codes: str
    """For the script: ``build:platform:runs``, divided by blanks."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What one release needs."""

    release: str
    version: str
    """The newest version, of which the facts are."""
    limits: tuple[LimitRow, ...]
    platforms: tuple[Wheel, ...]
    default_builds: tuple[str, ...]
    """For the script: ``build:platform`` of each build that a plain install takes."""
    builds: tuple[str, ...]
    """The same of each build."""
    served: tuple[ServedRow, ...]


def needs_of(library: Library, release: ReleaseEntry, before: ReleaseEntry | None = None) -> Needs:
    """What a release needs; what ``before`` has otherwise is marked as changed."""
    earlier = {_said(one) for one in before.release.limits} if before is not None else set()
    builds = release.release.builds
    rows = (_served(library, one.id, release) for one in library.hardware.values())
    return Needs(
        release=release.id,
        version=release.newest.version,
        limits=tuple(
            LimitRow(
                one,
                bounds_text(one.within),
                is_changed=before is not None and _said(one) not in earlier,
                hardware=" ".join(library.reach_of(one.hardware)),
            )
            for one in release.release.limits
        ),
        platforms=tuple(one for one in PLATFORMS if any(one in build.platforms for build in builds)),
        default_builds=tuple(f"{one.build}:{platform}" for one in builds if one.default for platform in one.platforms),
        builds=tuple(f"{one.build}:{platform}" for one in builds for platform in one.platforms),
        served=tuple(row for row in rows if row is not None),
    )


def _said(limit: Limit) -> tuple[str, ...]:
    return (limit.of, limit.stops, limit.within, *sorted(limit.build))


def bounds_text(bounds: str) -> str:
    """Bounds in words: ``>=3.11,<3.16`` → ``3.11 or newer, below 3.16``."""
    words = {">=": "{} or newer", ">": "above {}", "<=": "{} or older", "<": "below {}"}
    parts = []
    for bound in bounds.split(","):
        sign = bound[: 2 if bound[1] == "=" else 1]
        parts.append(words[sign].format(bound[len(sign) :]))
    return ", ".join(parts)


def _served(library: Library, hardware: str, release: ReleaseEntry) -> ServedRow | None:
    answers = [one for at, one in library.serves(hardware) if at is release]
    if not answers:
        return None
    return ServedRow(
        hardware=hardware_link(library.hardware[hardware]),
        id=hardware,
        text=_text(answers, release),
        is_served=any(one.runs is not Runs.NO for one in answers),
        is_accelerator=ANY_ACCELERATOR in library.ancestors(hardware),
        codes=" ".join(f"{one.build}:{one.platform}:{one.runs}" for one in answers),
    )


def build_label(build: WheelBuild) -> str:
    """What a build is called."""
    return build.label or build.build.label


_ORDER = (Runs.YES, Runs.UNKNOWN, Runs.NOT_PROMISED)


def _text(answers: list[Serves], release: ReleaseEntry) -> str:
    """Which builds run on a hardware, which may, or that none does."""
    labels = {(one.build, platform): build_label(one) for one in release.release.builds for platform in one.platforms}
    found: dict[Runs, dict[str, list[str]]] = {runs: {} for runs in _ORDER}
    for one in answers:
        if one.runs is not Runs.NO:
            by_build = found[one.runs]
            by_build.setdefault(labels.get((one.build, one.platform), one.build.label), []).append(one.platform.label)
    parts = []
    for runs, by_build in found.items():
        builds = "; ".join(f"{build} on {', '.join(platforms)}" for build, platforms in by_build.items())
        if builds:
            parts.append(builds if runs is Runs.YES else f"{runs.label}: {builds}")
    return ". ".join(parts) or "No build has code for it"

"""What the package index offers of companion packages, and what their metadata says, through pip's own resolver.

pip reads the metadata that the index holds beside a wheel, and names the file it would take. Refuses to install
anything, to build a source archive (that would run its code), and to take silence for an answer: when the index does
not offer torch itself, or pip had to try again and then found nothing, it was not asked.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote, urlsplit

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version
from pydantic import ValidationError

from torchnotes.model import Companion, CompanionRelease, ReadCompanion, ReadCompanions
from torchnotes.model.companion import Offer
from torchnotes.model.evidence import TORCH
from torchnotes.progress import Bar
from torchnotes.published import is_of_extra, is_torch
from torchnotes.terms import Wheel
from torchnotes.wheel.archive import WheelError
from torchnotes.yaml_source import dump

COMPANIONS_PATH = "data/evidence/companions.yaml"
HEADING = (
    "# Written by `torchnotes companions`, never by hand: what pip tells of packages that people use beside PyTorch.\n"
)
PYTHONS = ("3.12", "3.15")
"""Versions of Python that are asked for: the one whose torch wheels are examined, and the newest that torch serves."""

_MANYLINUX = ("manylinux_2_28", "manylinux_2_27", "manylinux_2_18", "manylinux_2_17", "manylinux2014")
_PLATFORMS: Mapping[Wheel, tuple[str, ...]] = MappingProxyType(
    {
        Wheel.LINUX_X86_64: tuple(f"{one}_x86_64" for one in _MANYLINUX),
        Wheel.LINUX_AARCH64: tuple(f"{one}_aarch64" for one in _MANYLINUX),
        Wheel.MACOS_ARM64: tuple(f"macosx_{major}_0_arm64" for major in (15, 14, 13, 12, 11)),
        Wheel.WINDOWS_X86_64: ("win_amd64",),
    }
)
"""Tags that pip would take on such a machine, the newest first."""
_WORKERS = 4
"""Questions at a time; each is a process of pip that mostly waits."""
_NOTHING = ("No matching distribution found", "Could not find a version that satisfies")
"""What pip says when it finds no wheel, be it that there is none or that it cannot reach the index."""
_REASONS = (
    (("No module named pip",), "this Python has no pip", "Install it: {python} -m ensurepip."),
    (
        ("no such option",),
        "this pip is too old to tell what it would take",
        "Renew it: {python} -m pip install -U pip.",
    ),
    (
        ("Retrying (Retry(", "Temporary failure", "NewConnectionError", "ConnectTimeout", "ReadTimeout"),
        "the package index could not be reached",
        "Check the network and pip's index settings, and run it again.",
    ),
)
"""What pip prints on stderr, why that is, and what to do. Each stands before what ``_NOTHING`` would mean."""
_UNREADABLE = "the package index says something of {} that is no metadata of a wheel"


@dataclass(frozen=True, slots=True)
class Answer:
    """The wheel that pip would take."""

    version: str
    file: str
    sha256: str | None
    requires_python: str | None
    requirements: tuple[str, ...]


Ask = Callable[[str, Wheel, str], Answer | None]
"""What to install, for which machine and Python → what pip would take; None when it finds nothing."""


def pip_answer(wanted: str, platform: Wheel, python: str) -> Answer | None:
    """What pip would take for ``wanted``, such as ``torchvision==0.29.2``; None when the index has no such wheel.

    Raises ``WheelError`` when pip cannot be asked.
    """
    with tempfile.TemporaryDirectory(prefix="torchnotes-pip-") as folder:
        report = Path(folder, "report.json")
        command = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--ignore-installed", "--no-deps"]
        command += ["--only-binary=:all:", "--disable-pip-version-check", "--implementation", "cp"]
        # Only a pip that tries again says that it could not reach the index; else that looks as if there were no wheel.
        command += ["--retries", "3"]
        command += ["--python-version", python, "--target", folder, "--report", str(report)]
        command += [word for one in _PLATFORMS[platform] for word in ("--platform", one)]
        asked = subprocess.run(  # noqa: S603  (our own words, and no shell)
            [*command, wanted],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            check=False,
            env={**os.environ, "TMPDIR": folder},
        )
        if asked.returncode == 0 and report.is_file():
            try:
                return _answer(json.loads(report.read_text(encoding="utf-8")))
            except (ValueError, LookupError, TypeError, AttributeError):
                raise WheelError(
                    f"pip's report about {wanted} cannot be read", "Renew pip, and run it again."
                ) from None
        _refuse_failure(wanted, asked.stderr)
        return None


def _refuse_failure(wanted: str, said: str) -> None:
    """Raise ``WheelError`` unless pip says that there is no such wheel."""
    for traces, why, fix in _REASONS:
        if any(trace in said for trace in traces):
            raise WheelError(f"pip was asked for {wanted} and failed: {why}", fix.format(python=sys.executable))
    if any(words in said for words in _NOTHING):
        return
    last = next((line for line in reversed(said.splitlines()) if line.startswith("ERROR:")), "")
    why = last.removeprefix("ERROR:").strip().rstrip(".") or "it gave no reason"
    raise WheelError(f"pip was asked for {wanted} and failed: {why}", "Mend that, and run it again.")


def _answer(report: Any) -> Answer:
    """The one package of a report of pip. Any error means that it has another form."""
    (found,) = report["install"]
    metadata, download = found["metadata"], found["download_info"]
    # Only the name of the file is kept: where it lies is nobody's business but the index's.
    file = unquote(urlsplit(download["url"]).path).rsplit("/", 1)[-1]
    hashes = download.get("archive_info", {}).get("hashes", {})
    return Answer(
        version=metadata["version"],
        file=file,
        sha256=hashes.get("sha256"),
        requires_python=metadata.get("requires_python"),
        requirements=tuple(metadata.get("requires_dist", ())),
    )


def read_companions(
    companions: Mapping[str, Companion], names: Iterable[str], day: str, bar: Bar, ask: Ask | None = None
) -> tuple[ReadCompanion, ...]:
    """What the index says today of the named packages.

    Raises ``WheelError`` when the index does not even offer torch, or says something of another form than indexes do.
    """
    ask = ask or pip_answer
    if ask(TORCH, Wheel.LINUX_X86_64, PYTHONS[0]) is None:
        what = "the package index does not offer torch, so what it says of other packages means nothing"
        raise WheelError(what, "Check the network and pip's index settings.")
    wanted = list(dict.fromkeys(names))
    questions = {
        (name, version, platform, python): f"{name}=={version}" if version else name
        for name in wanted
        for version in ("", *companions[name].releases)
        for platform, python in _machines(companions[name], version)
    }
    answers: dict[tuple[str, str, Wheel, str], Answer | None] = {}
    with ThreadPoolExecutor(_WORKERS) as pool:
        asked = pool.map(lambda key: (key, ask(questions[key], key[2], key[3])), questions)
        for key, answer in asked:
            answers[key] = answer
            bar(len(answers), len(questions))
    return tuple(_checked(name, companions, day, answers) for name in wanted)


def _machines(companion: Companion, version: str) -> list[tuple[Wheel, str]]:
    """Machines about which pip is asked. Without a version only the newest release is asked for: one machine tells it."""
    found = [(platform, python) for platform in companion.platforms for python in PYTHONS]
    return found if version else found[:1]


def _checked(
    name: str,
    companions: Mapping[str, Companion],
    day: str,
    answers: Mapping[tuple[str, str, Wheel, str], Answer | None],
) -> ReadCompanion:
    try:
        return _read(name, companions, day, answers)
    except (ValidationError, InvalidVersion):
        raise WheelError(_UNREADABLE.format(name), "Check pip's index settings.") from None


def _read(
    name: str,
    companions: Mapping[str, Companion],
    day: str,
    answers: Mapping[tuple[str, str, Wheel, str], Answer | None],
) -> ReadCompanion:
    companion = companions[name]
    offered = next((found.version for one in _machines(companion, "") if (found := answers[(name, "", *one)])), None)
    # Where nothing stable is offered, pip takes what is not.
    newest = str(Version(offered)) if offered is not None and not Version(offered).is_prerelease else None
    releases = []
    for version in companion.releases:
        by_machine = {one: answers[(name, version, *one)] for one in _machines(companion, version)}
        first = next((answer for answer in by_machine.values() if answer is not None), None)
        releases.append(
            CompanionRelease(
                version=version,
                file=first.file if first else None,
                sha256=first.sha256 if first else None,
                requires_python=first.requires_python or None if first else None,
                requirements=tuple(dict.fromkeys(_told(first.requirements, {*companions, TORCH}))) if first else (),
                offers=tuple(_offers(by_machine, companion.platforms)),
            )
        )
    return ReadCompanion(package=name, newest=newest, day=day, releases=tuple(releases))


def _told(lines: Sequence[str], packages: set[str]) -> Iterator[str]:
    """Requirements about torch and about companions; of what extras ask for, only torch, each bound once."""
    bounds = set()
    for line in lines:
        try:
            one = Requirement(line)
        except InvalidRequirement:
            continue
        name = canonicalize_name(one.name)
        is_extra = is_of_extra(one)
        if name not in packages or (is_extra and (not is_torch(one) or str(one.specifier) in bounds)):
            continue
        if is_extra:
            bounds.add(str(one.specifier))
        yield str(one)


def _offers(found: Mapping[tuple[Wheel, str], Answer | None], platforms: Sequence[Wheel]) -> Iterator[Offer]:
    for platform in platforms:
        pythons = tuple(python for python in PYTHONS if found[(platform, python)] is not None)
        if pythons:
            yield Offer(platform=platform, pythons=pythons)


def joined_companions(
    companions: Mapping[str, Companion], stored: ReadCompanions | None, read: Iterable[ReadCompanion]
) -> ReadCompanions:
    """All that is known, by name: what was read now, and else what is stored of packages that are still there."""
    known = {one.package: one for one in (stored.packages if stored else ())} | {one.package: one for one in read}
    return ReadCompanions(pythons=PYTHONS, packages=tuple(known[name] for name in sorted(companions) if name in known))


def companions_text(read: ReadCompanions) -> str:
    """The file: the same answers always give the same text."""
    values: dict[str, Any] = read.model_dump(mode="json")
    return dump(values, HEADING)

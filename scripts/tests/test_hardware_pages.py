"""What a hardware page says first: whether the newest version runs, by which wheel, and what the machine must be like."""

from typing import Any

import pytest
from builders import BASE, HARDWARE, changed, library, release

from torchnotes.library import Library
from torchnotes.pages import pages_of
from torchnotes.pages.hardware import named_devices, verdict
from torchnotes.terms import Runs

RELEASE = "releases/2.15.yaml"
LINUX, ARM, WINDOWS = "linux-x86-64", "linux-aarch64", "windows-x86-64"


def build(name: str, *platforms: str, default: bool = True) -> dict[str, Any]:
    """A build of the newest release."""
    one = dict(BASE[RELEASE]["builds"][0])
    return {**one, "build": name, "platforms": list(platforms), "default": default, "hardware": ["nvidia"]}


def serves(build: str, platform: str, runs: str, through: str | None = None) -> dict[str, Any]:
    """What the newest release says of Hopper."""
    one = {"hardware": "nvidia-hopper", "build": build, "platform": platform, "runs": runs, "through": through}
    return {**one, "basis": "upstream", "source": None}


def newest(builds: list[dict[str, Any]], answers: list[dict[str, Any]], *limits: dict[str, Any]) -> Library:
    """A library whose newest release has these builds and says this of Hopper."""
    values = {**release("2.15.0"), "builds": builds, "serves": answers, "limits": list(limits), "architectures": []}
    return library(**{RELEASE: values})


DEFAULT = [build("cu132", LINUX, ARM), build("cpu", WINDOWS), build("rocm", LINUX, default=False)]


@pytest.mark.parametrize(
    ("answers", "runs", "text"),
    [
        (
            [serves("cu132", LINUX, "yes", "sm_90"), serves("cu132", ARM, "yes", "sm_90")],
            Runs.YES,
            "A plain `pip install torch` serves it on Linux x86-64 and Linux aarch64 (CUDA 13.2, through sm_90).",
        ),
        (
            [serves("cu132", LINUX, "yes", "sm_90"), serves("cu132", ARM, "yes", "sm_80")],
            Runs.YES,
            (
                "A plain `pip install torch` serves it on Linux x86-64 (CUDA 13.2, through sm_90) "
                "and on Linux aarch64 (CUDA 13.2, through sm_80)."
            ),
        ),
        (
            [serves("cu132", LINUX, "yes"), serves("cpu", WINDOWS, "no")],
            Runs.YES,
            (
                "A plain `pip install torch` serves it on Linux x86-64 (CUDA 13.2). "
                "On Windows x86-64 the wheel that pip takes has no code for it."
            ),
        ),
        (
            [serves("cu132", LINUX, "no"), serves("rocm", LINUX, "unknown")],
            Runs.UNKNOWN,
            (
                "On Linux x86-64 the wheel that pip takes has no code for it. "
                "Other builds: ROCm on Linux x86-64: not verified."
            ),
        ),
        (
            [serves("rocm", LINUX, "not-promised")],
            Runs.NOT_PROMISED,
            "A plain `pip install torch` does not serve it. Other builds: ROCm on Linux x86-64: not promised.",
        ),
        (
            [serves("cu132", LINUX, "unknown"), serves("rocm", LINUX, "not-promised")],
            Runs.UNKNOWN,
            (
                "What a plain `pip install torch` takes: CUDA 13.2 on Linux x86-64: not verified. "
                "Other builds: ROCm on Linux x86-64: not promised."
            ),
        ),
        (
            [serves("cu132", LINUX, "yes"), serves("cu132", ARM, "unknown", "a: b")],
            Runs.YES,
            (
                "A plain `pip install torch` serves it on Linux x86-64 (CUDA 13.2). "
                "What a plain `pip install torch` takes: CUDA 13.2, through a: b on Linux aarch64: not verified."
            ),
        ),
        ([serves("cu132", LINUX, "no")], Runs.NO, "No build that is known has code for it."),
    ],
    ids=[
        "both",
        "other code",
        "not on Windows",
        "not verified",
        "not promised",
        "the usual one is not verified",
        "a colon",
        "no",
    ],
)
def test_verdict_in_words(answers: list[dict[str, Any]], runs: Runs, text: str) -> None:
    found = verdict(newest(DEFAULT, answers), "nvidia-hopper")
    assert found is not None
    assert (found.version, found.runs, found.text) == ("2.15.0", runs, text)


def test_what_nobody_answers_for_has_no_verdict() -> None:
    assert verdict(newest(DEFAULT, [serves("cu132", LINUX, "yes")]), "nvidia") is None
    assert verdict(newest(DEFAULT, []), "nvidia-hopper") is None


def limit(of: str, within: str, **more: Any) -> dict[str, Any]:
    """A limit of the newest release."""
    return {
        "of": of,
        "within": within,
        "stops": "install",
        "without": "No.",
        "basis": "upstream",
        "source": None,
        **more,
    }


def test_needs_are_those_of_builds_that_run_there() -> None:
    limits = [
        limit("python", ">=3.11,<3.16"),
        limit("driver", ">=580", build=["cu132"], hardware=["nvidia"], stops="gpu"),
        limit("driver", ">=400", build=["rocm"]),
        limit("macos", ">=14"),
        limit("macos", ">=15", hardware=["apple-silicon"], stops="gpu"),
    ]
    answers = [serves("cu132", LINUX, "yes"), serves("rocm", LINUX, "no")]
    found = verdict(newest(DEFAULT, answers, *limits), "nvidia-hopper")
    assert found is not None
    assert found.needs == ("Python 3.11 or newer, below 3.16", "NVIDIA driver 580 or newer for GPU work")
    limits.append(limit("free-threaded", ">=3.14"))
    both = [serves("cu132", LINUX, "yes"), serves("cpu", "macos-arm64", "yes")]
    somewhere = verdict(newest(DEFAULT, both, *limits), "nvidia-hopper")
    assert somewhere is not None
    assert somewhere.needs == (*found.needs, "on a Mac macOS 14 or newer"), "nobody needs both Pythons"
    nothing = verdict(newest(DEFAULT, [serves("cu132", LINUX, "no")], *limits), "nvidia-hopper")
    assert nothing is not None
    assert nothing.needs == ()


def test_page_begins_with_the_verdict_and_names_devices() -> None:
    found = newest(DEFAULT, [serves("cu132", LINUX, "yes", "sm_90")])
    text = pages_of(found)["hardware/nvidia-hopper.md"].text
    assert text.index("PyTorch 2.15.0: runs.") < text.index("A plain <code>pip") < text.index("<dt>Part of</dt>")
    devices = named_devices(found, "nvidia-hopper")
    assert devices
    assert all(one in text.split("---")[1] for one in devices), "search engines read the description"


def test_examples_go_before_the_order_of_the_vocabulary() -> None:
    devices = [one.name for one in library().devices_of("nvidia-hopper")]
    place = next(at for at, one in enumerate(BASE[HARDWARE]["hardware"]) if one["id"] == "nvidia-hopper")
    named = library(**{HARDWARE: changed(HARDWARE, {f"hardware[{place}].examples": [devices[-1]]})})
    assert named_devices(named, "nvidia-hopper") == (devices[-1],)
    assert named_devices(library(), "nvidia-hopper") == tuple(devices[:8])
    assert named_devices(library(), "any") == ()

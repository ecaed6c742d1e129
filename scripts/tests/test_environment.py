"""What a pasted text says about a machine: real reports, changed ones, and texts of every other sort, in a real browser."""

import html
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from browser_fixtures import page_with_modules
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page
from site_fixtures import Build

from torchnotes.library import Library

pytestmark = pytest.mark.browser

FOLDER = Path(__file__).parent / "environments"
REPORTS = {path.name: path.read_text(encoding="utf-8") for path in sorted((FOLDER / "reports").glob("*.txt"))}
NO_SYSTEM = {"id": None, "text": None, "version": None, "isWsl": False, "isJetson": False}
NOTHING: dict[str, Any] = {
    "kind": "nothing",
    "version": None,
    "build": None,
    "devices": [],
    "hasGpuButCpuBuild": False,
    "driver": None,
    "cuda": None,
    "rocm": None,
    "os": NO_SYSTEM,
    "architecture": None,
    "python": None,
    "packages": [],
    "unknown": [],
    "cut": False,
}
"""Every field of a reading, with what it is when nothing is told."""
LOOKED_FOR = ["version", "build", "hardware", "driver", "os", "python"]


def _listed(name: str) -> Any:
    return yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))


EXPECTED: dict[str, dict[str, Any]] = _listed("reports.yaml")
VARIATIONS: list[dict[str, Any]] = _listed("variations.yaml")
TEXTS: list[dict[str, Any]] = _listed("texts.yaml")


def _full(said: dict[str, Any]) -> dict[str, Any]:
    """A whole reading from the fields that are written down."""
    assert said.keys() <= NOTHING.keys()
    whole = {**NOTHING, **said, "os": {**NO_SYSTEM, **said.get("os", {})}}
    if whole["version"]:
        whole["version"] = {"isNightly": False, **whole["version"]}
    if whole["python"]:
        whole["python"] = {"isFreeThreaded": False, **whole["python"]}
    return whole


@pytest.fixture(scope="module")
def reader(browser: Browser, built: Build) -> Iterator[Page]:
    """A page in which ``reader(text)`` reads a text with the index of the real site."""
    script = """async (home) => {
          const at = (path) => import(`${home}assets/javascripts/${path}.js`)
          const [{ read }, { openIndex }] = await Promise.all(["environment/read", "finder/store"].map(at))
          const index = await openIndex()
          window.reader = (text) => read(text, index)
        }"""
    with page_with_modules(browser, built, script) as page:
        yield page


def _read(reader: Page, *texts: str) -> list[dict[str, Any]]:
    return list(reader.evaluate("(texts) => texts.map(reader)", list(texts)))


# ---- Reports --------------------------------------------------------------------------------------------------


def test_the_fifteen_reports_are_all_there() -> None:
    assert len(REPORTS) == 15
    assert REPORTS.keys() == EXPECTED.keys()


@pytest.mark.parametrize("name", REPORTS)
def test_a_real_report_is_read_right(reader: Page, name: str) -> None:
    assert _read(reader, REPORTS[name]) == [_full({"kind": "report", **EXPECTED[name]})]


def _changed(text: str, steps: list[Any]) -> str:
    """A report after each step: a word, or one word with what it needs."""
    for step in steps:
        word: str
        value: Any
        [(word, value)] = step.items() if isinstance(step, dict) else [(step, "")]
        lines = text.split("\n")
        before = text
        match word:
            case "replace":
                text = text.replace(*value)
            case "until":
                text = text[: text.index(value)]
            case "through":
                text = text[: text.index(value) + len(value)]
            case "after":
                text = text[text.index(value) + len(value) :]
            case "prepend":
                text = value + text
            case "append":
                text = text.rstrip("\n") + "\n" + value
            case "prefix":
                text = "\n".join(value.format(at % 60, at % 1000) + line for at, line in enumerate(lines))
            case "reverse":
                text = "\n".join(reversed(lines)) + "\n"
            case "shuffle":
                text = "\n".join(random.Random(4).sample(lines, len(lines))) + "\n"  # noqa: S311
            case "crlf":
                text = text.replace("\n", "\r\n")
            case "join":
                text = " ".join(lines)
            case "twice":
                text = text + "\n" + text
            case "upper":
                text = text.upper()
            case "lower":
                text = text.lower()
            case "html":
                escaped = html.escape(text).replace(": ", ":&nbsp;").replace("GPU ", "GPU&#32;").replace("\n", "<br />")
                text = f'<div class="snippet"><pre lang="text"><code>{escaped}</code></pre></div>'
            case _:
                pytest.fail(f"no such change: {word}")
        assert text != before, f"nothing was changed by {step}"
    return text


def test_there_are_thirty_variations() -> None:
    assert len({one["name"] for one in VARIATIONS}) == len(VARIATIONS) >= 30


@pytest.mark.parametrize("variation", VARIATIONS, ids=lambda one: one["name"])
def test_a_changed_report_is_read_right(reader: Page, variation: dict[str, Any]) -> None:
    text = _changed(REPORTS[variation["report"]], variation["change"])
    expected = {"kind": "report", **EXPECTED[variation["report"]], **variation["expect"]}
    assert _read(reader, text) == [_full(expected)]


@pytest.mark.parametrize("case", TEXTS, ids=lambda one: one["name"])
def test_other_texts_are_read_right(reader: Page, case: dict[str, Any]) -> None:
    assert _read(reader, case["text"]) == [_full(case["expect"])]


def _contradictions(part: dict[str, Any], whole: dict[str, Any]) -> list[str]:
    """What the reading of a part says otherwise than that of the whole. To say less is no contradiction."""

    def differs(*path: str, is_beginning_enough: bool = False) -> bool:
        one, other = part, whole
        for name in path:
            one, other = (value and value[name] for value in (one, other))
        return bool(one) and one != other and not (is_beginning_enough and str(other).startswith(str(one)))

    wrong = [name for name in ("build", "cuda", "rocm", "architecture", "hasGpuButCpuBuild") if differs(name)]
    wrong += [f"os.{name}" for name in ("id", "version", "isWsl", "isJetson") if differs("os", name)]
    wrong += ["version"] if differs("version", "value") else []
    # The last number may have lost digits, and the first ones say what is needed.
    wrong += [name for name in ("python", "driver") if differs(name, "value", is_beginning_enough=True)]
    known = {one["hardware"] for one in whole["devices"]}
    wrong += [f"{one['text']}: {one['hardware']}" for one in part["devices"] if one["hardware"] not in {None, *known}]
    counts = {one["text"]: one["count"] for one in whole["devices"]}
    wrong += [f"{one['count']} × {one['text']}" for one in part["devices"] if one["count"] > counts.get(one["text"], 1)]
    return wrong


@pytest.mark.parametrize("name", REPORTS)
def test_a_part_of_a_report_says_less_and_nothing_else(reader: Page, name: str) -> None:
    """Cut after any character, and before any line."""
    text = REPORTS[name]
    [whole] = _read(reader, text)
    ends = [text[:at] for at in range(len(text))]
    starts = [text[at + 1 :] for at, letter in enumerate(text) if letter == "\n"]
    wrong = [
        (part[-60:] if part in ends else part[:60], found)
        for part, reading in zip(ends + starts, _read(reader, *ends, *starts), strict=True)
        if (found := _contradictions(reading, whole))
    ]
    assert wrong == []


# ---- Devices --------------------------------------------------------------------------------------------------

CONTEXTS = {
    "report": "PyTorch version: 2.14.1\nGPU models and configuration: GPU 0: {}\nNvidia driver version: 580.65.06\n",
    "table": "|   0  {}    Off |   00000000:01:00.0 Off |                    0 |",
    "list": "GPU 0: {} (UUID: GPU-0)",
    "cards": "GPU[0] : Card Series: {}",
    "typed": "{}",
}


def _hardware(reader: Page, context: str, names: list[str]) -> list[list[str | None]]:
    readings = _read(reader, *(CONTEXTS[context].format(name) for name in names))
    return [[one["hardware"] for one in reading["devices"]] for reading in readings]


@pytest.mark.parametrize("context", CONTEXTS)
def test_known_devices_are_known_everywhere_and_never_taken_for_others(
    reader: Page, real_library: Library, context: str
) -> None:
    devices = list(real_library.devices)
    found = _hardware(reader, context, [device.name for device in devices])
    wrong = [
        f"{device.name}: {one}"
        for device, one in zip(devices, found, strict=True)
        if set(one) - {None, device.hardware} or (len(one) != 1 and context != "typed")
    ]
    assert wrong == []
    known = sum(one == [device.hardware] for device, one in zip(devices, found, strict=True))
    # The rest have names that mean several things, such as RTX 4000.
    assert known >= 0.9 * len(devices)


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("more", ["{} Ti SUPER X", "{} Mk2", "{}9999", "Z{}", "{} 9990"])
def test_devices_that_are_not_known_stay_unknown(reader: Page, real_library: Library, context: str, more: str) -> None:
    """One word or one digit more makes another device."""
    names = [more.format(device.name.split(" (")[0]) for device in real_library.devices]
    found = _hardware(reader, context, names)
    assert [f"{name}: {one}" for name, one in zip(names, found, strict=True) if set(one) - {None}] == []


UNKNOWN = (
    "NVIDIA GeForce RTX 6090",
    "NVIDIA GeForce RTX 5090 Ti",
    "NVIDIA H300",
    "NVIDIA Graphics Device",
    "NVIDIA RTX PRO 7000 Blackwell",
    "NVIDIA PG509-210",
    "GRID V100D-8Q",
    "AMD Radeon Graphics",
    "AMD Radeon RX 8900 XTX",
    "AMD Instinct MI999X (gfx1310)",
    "Device 66a1",
    "Intel(R) Graphics [0xe20b]",
    "Intel(R) Arc(TM) Graphics",
    "Intel(R) Arc(TM) C990 Graphics",
    "Apple M9",
    "Moore Threads MTT S4000",
    "Ascend 910B",
)


@pytest.mark.parametrize("context", ["report", "table", "list", "cards"])
def test_unknown_names_are_shown_as_unknown(reader: Page, context: str) -> None:
    readings = _read(reader, *(CONTEXTS[context].format(name) for name in UNKNOWN))
    assert [[(one["label"], one["hardware"]) for one in reading["devices"]] for reading in readings] == [
        [(name, None)] for name in UNKNOWN
    ]
    assert all("hardware" in reading["unknown"] for reading in readings)


# ---- Any text -------------------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        *(line + "\n" for text in REPORTS.values() for line in text.split("\n")),
        *(case["text"] + "\n" for case in TEXTS),
        *(
            "GPU ",
            ": ",
            "\n",
            "=",
            "==",
            "<",
            ">",
            "&#",
            "&#x110000;",
            "\u0000",
            "\ud7ff",
            "…",
            "...",
            "|",
            "(",
            "x",
            "×",
        ),
    ]
)


def _is_reading(value: dict[str, Any]) -> bool:
    whole = value.keys() == NOTHING.keys() and value["os"].keys() == NO_SYSTEM.keys()
    return whole and set(value["unknown"]) <= set(LOOKED_FOR) and all(one["count"] > 0 for one in value["devices"])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(st.text(max_size=400) | st.lists(PIECES, max_size=30).map("".join), max_size=10))
def test_any_text_is_read_without_an_error(reader: Page, texts: list[str]) -> None:
    sound = [text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in texts]
    readings = _read(reader, *sound)
    assert all(map(_is_reading, readings))
    assert json.loads(json.dumps(readings)) == readings


def test_lone_halves_of_characters_and_no_text_at_all_are_read(reader: Page) -> None:
    readings = reader.evaluate(r"""() => ["\ud800", "GPU 0: \udc00", null, undefined, 12, {}, []].map(reader)""")
    assert all(map(_is_reading, readings))


@pytest.mark.parametrize(
    "piece",
    [
        *("a", " ", "\n", "=", "<a ", "&#1", "torch==", "[pip3] ", "GPU 0: ", "GPU 0: NVIDIA H100\n", "OS: ", "CPU:\n"),
        *(
            "PyTorch version: ",
            "Intel GPU models onboard:\n* x\n",
            "|   0  ",
            "GPU[0] : ",
            "1 1 0x1234, ",
            "a @ /",
            "* ",
        ),
        *(
            "\u001b[",
            "_XpuDeviceProperties(",
            "(UUID: ",
            "Name: a\nVersion: 1\n",
            "…",
            "x1 ,",
            "<details>",
            "OS: x" + " " * 480 + "x\n",
        ),
    ],
)
def test_five_million_characters_are_read_at_once_and_cut(reader: Page, piece: str) -> None:
    took, cut = reader.evaluate(
        """(piece) => {
          const text = piece.repeat(Math.ceil(5e6 / piece.length))
          const start = performance.now()
          const { cut } = reader(text)
          return [performance.now() - start, cut]
        }""",
        piece,
    )
    assert cut is True
    assert took < 5000, f"{took:.0f} ms"


def test_many_different_devices_and_packages_do_not_take_long(reader: Page) -> None:
    took = reader.evaluate(
        """() => {
          const lines = Array.from({ length: 1e5 }, (_, at) => `GPU ${at % 999}: NVIDIA thing ${at}\\npackage${at}==${at}.0`)
          const start = performance.now()
          reader(lines.join("\\n"))
          return performance.now() - start
        }"""
    )
    assert took < 5000, f"{took:.0f} ms"


def test_reading_makes_no_request(reader: Page) -> None:
    requests: list[str] = []
    reader.context.on("request", lambda request: requests.append(request.url))
    before = reader.evaluate("() => performance.getEntriesByType('resource').length")
    _read(reader, *REPORTS.values(), *(case["text"] for case in TEXTS))
    reader.wait_for_timeout(200)
    assert requests == []
    assert reader.evaluate("() => performance.getEntriesByType('resource').length") == before


def test_the_index_is_read_and_not_changed(reader: Page) -> None:
    """The same text has the same reading, whatever was read in between."""
    first = _read(reader, *REPORTS.values())
    assert _read(reader, *reversed(REPORTS.values()))[::-1] == first

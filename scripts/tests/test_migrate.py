"""The pages of upgrades in a real browser: narrowing, ticks, what one takes along, and the box for environments."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import yaml
from axe_playwright_python.sync_playwright import Axe
from browser_fixtures import page_with_modules
from packaging.specifiers import SpecifierSet
from packaging.version import Version
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize
from site_fixtures import Build

from torchnotes.bench.serving import served
from torchnotes.library import Library
from torchnotes.plan import Upgrade, plan_of

pytestmark = pytest.mark.browser

WIDE, NARROW = ViewportSize(width=1280, height=900), ViewportSize(width=360, height=740)
LONGEST = "2.13.0-to-2.15.0"
NEWEST = "2.14.1-to-2.15.0"
FOLDER = Path(__file__).parent / "environments"
REPORTS = {path.name: path.read_text(encoding="utf-8") for path in sorted((FOLDER / "reports").glob("*.txt"))}
READINGS: dict[str, dict[str, Any]] = yaml.safe_load((FOLDER / "reports.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def home(built: Build) -> Iterator[str]:
    with served(built.site) as found:
        yield found


@pytest.fixture(scope="module")
def features(built: Build) -> dict[str, dict[str, Any]]:
    content = json.loads((built.site / "api/v1/features.json").read_text(encoding="utf-8"))
    return {one["id"]: one for one in content["features"]}


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport=WIDE, reduced_motion="reduce")
    yield made
    made.close()


def opened(page: Page, home: str, place: str = LONGEST) -> Page:
    """A page of upgrades, ready to be used; ``place`` below ``migrate/``, with a query or without."""
    path, _, query = place.partition("?")
    page.goto(f"{home}migrate/{path}{'/' if path else ''}{f'?{query}' if query else ''}")
    page.locator("tn-environment[data-ready]").wait_for()
    page.locator(":is(tn-plan, tn-upgrade)[data-ready]").wait_for()
    return page


def go(page: Page, query: str) -> None:
    """Another state in the same page, as going back to it would give."""
    page.evaluate(
        """(query) => {
          history.pushState(null, "", `${location.pathname}?${query}`)
          dispatchEvent(new PopStateEvent("popstate"))
        }""",
        query,
    )


def shown(page: Page) -> list[str]:
    """Ids of the steps that are shown, in order."""
    return list(
        page.eval_on_selector_all(
            "[data-step]", "all => all.filter((one) => !one.hidden).map((one) => one.dataset.step)"
        )
    )


def tick(page: Page, *ids: str) -> None:
    for id_ in ids:
        page.locator(f"[data-step='{id_}'] [data-tick]").check()


def ticked(page: Page) -> list[str]:
    return list(
        page.eval_on_selector_all(
            "[data-tick]",
            "all => all.filter((one) => one.checked).map((one) => one.closest('[data-step]').dataset.step)",
        )
    )


def paste(page: Page, text: str) -> None:
    """Put a text into the box as a paste does, and let the page read it."""
    page.locator("textarea").fill(text)
    page.get_by_role("button", name="Read it").click()
    page.locator("[data-answer]:not([hidden])").wait_for()


def stops(page: Page) -> list[str]:
    return page.locator("[data-stop]").all_inner_texts()


def query_of(page: Page) -> dict[str, list[str]]:
    """What stands in the address, asked of the page: the driver hears of a change a little later."""
    return parse_qs(page.evaluate("location.search.slice(1)"))


# ---- Narrowing -----------------------------------------------------------------------------------------------------

SEVERAL_HARDWARE = ["nvidia", "nvidia-hopper", "nvidia-volta", "amd-cdna3", "apple-m3", "cpu", "any", "intel-xe2"]
CHOICES: dict[str, list[Any]] = {
    "os": ["linux", "windows", "macos"],
    "python": ["3.10", "3.10.12", "3.11", "3.15.1"],
    "driver": ["575.57", "580", "580.65.06"],
    "macos": ["14.5", "15", "26.2"],
    "build": ["cu126", "cu130", "cu132", "rocm", "cpu"],
    "devices": ["one", "several"],
}


def is_meant(
    one: dict[str, Any], machine: dict[str, Any], implied: dict[str, set[str]], systems: dict[str, set[str]]
) -> bool:
    """Whether a record can concern a machine, from what is published about it."""
    applies = one["applies"]
    hardware = machine.get("hardware", [])
    if hardware and not set(hardware) & set(one["applies_to"]):
        return False
    for name in ("build", "devices"):
        asked = applies[name]
        wanted = {asked} if isinstance(asked, str) else set(asked or [])
        if wanted and machine.get(name) and machine[name] not in wanted:
            return False
    wanted = set(applies["os"]) or ({"macos"} if applies["macos"] else systems[one["id"]])
    if wanted and machine.get("os") and machine["os"] not in wanted:
        return False
    for name in ("macos", "python", "driver"):
        if applies[name] and machine.get(name) and machine[name] not in SpecifierSet(applies[name]):
            return False
    used = {more for use in machine.get("uses", []) for more in (use, *implied[use])}
    return not used or set(applies["uses"]) <= used


@pytest.fixture(scope="module")
def implied(real_library: Library) -> dict[str, set[str]]:
    """What one uses with each area and feature, at any depth."""
    found = {area.id: set(area.uses) for area in real_library.areas.values()}
    found |= {entry.id: set(entry.feature.applies.uses) for entry in real_library.entries.values()}
    for _ in range(6):
        found = {one: below | {more for use in below for more in found[use]} for one, below in found.items()}
    return found


@pytest.fixture(scope="module")
def systems(real_library: Library) -> dict[str, set[str]]:
    """The only systems on which any build runs on all that a record names; empty where that limits nothing."""
    names = {"linux-x86-64": "linux", "linux-aarch64": "linux", "windows-x86-64": "windows", "macos-arm64": "macos"}
    found = {}
    for entry in real_library.entries.values():
        limits: set[str] = set()
        for tag in entry.feature.hardware:
            on = {names[one.platform] for _, one in real_library.serves(tag)}
            below = {
                names[one.platform] for other in real_library.descendants(tag) for _, one in real_library.serves(other)
            }
            reached = on | below
            limits |= reached or set(names.values())
        found[entry.id] = set() if limits == set(names.values()) else limits
    return found


@pytest.mark.parametrize("seed", range(3))
def test_what_is_shown_is_what_the_data_says(  # noqa: PLR0917
    seed: int,
    page: Page,
    home: str,
    features: dict[str, dict[str, Any]],
    implied: dict[str, set[str]],
    systems: dict[str, set[str]],
) -> None:
    dice = random.Random(seed)  # noqa: S311
    opened(page, home)
    everything = shown(page)
    uses = page.eval_on_selector_all("[name=uses]", "all => all.map((one) => one.value)")
    for _ in range(25):
        machine: dict[str, Any] = {
            name: dice.choice(values) for name, values in CHOICES.items() if dice.random() < 0.35
        }
        if dice.random() < 0.6:
            machine["hardware"] = dice.sample(SEVERAL_HARDWARE, dice.choice([1, 1, 2]))
        if dice.random() < 0.4:
            machine["uses"] = dice.sample(uses, dice.choice([1, 2]))
        go(page, urlencode(machine, doseq=True))
        expected = [id_ for id_ in everything if id_ == "install" or is_meant(features[id_], machine, implied, systems)]
        assert shown(page) == expected, machine


def test_form_address_and_chips_say_the_same(page: Page, home: str) -> None:
    opened(page, home)
    page.get_by_text("Narrow the plan").click()
    page.locator("[name=os]").select_option("linux")
    page.locator("[name=driver]").fill("575.57")
    page.locator("[name=driver]").press("Enter")
    page.locator("[name=driver]").blur()
    page.locator("[name=uses][value=fsdp]").check()
    assert query_of(page) == {"uses": ["fsdp"], "os": ["linux"], "driver": ["575.57"]}
    assert page.locator("[data-chips] li").all_inner_texts() == ["FSDP2", "System: Linux", "NVIDIA driver: 575.57"]
    narrowed = shown(page)
    assert "fsdp2-reduce-dtype-none" in narrowed
    assert "nccl-default-nccl2" in narrowed, "who uses FSDP2 uses process groups"
    assert "macos-15-required-for-mps" not in narrowed
    page.reload()
    page.locator("tn-plan[data-ready]").wait_for()
    assert shown(page) == narrowed
    page.locator("[data-chips] button").first.click()
    assert "uses" not in query_of(page)
    page.go_back()
    page.wait_for_function("new URLSearchParams(location.search).has('uses')")
    assert shown(page) == narrowed
    page.get_by_role("button", name="Show all").click()
    assert query_of(page) == {}
    assert page.locator("[data-chosen-line]").is_hidden()


def test_mixed_fleet_shows_what_concerns_any_of_it(page: Page, home: str) -> None:
    both = shown(opened(page, home, f"{LONGEST}?hardware=nvidia-hopper&hardware=apple-m3"))
    one = shown(opened(page, home, f"{LONGEST}?hardware=nvidia-hopper"))
    other = shown(opened(page, home, f"{LONGEST}?hardware=apple-m3"))
    assert set(both) == set(one) | set(other)


SENSELESS = (
    "hardware=nvidia-hoper&os=beos&python=3.x&driver=%22&build=cu999&devices=many&uses=everything&hide=all",
    "hardware=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&python=" + "9" * 400,
    "done=" + "x." * 500,
    "python=&os=&hardware=",
    "__proto__=x&constructor=y&hardware=__proto__&uses=constructor",
)


def test_address_that_makes_no_sense_is_told_and_does_no_harm(page: Page, home: str) -> None:
    opened(page, home)
    for query in SENSELESS:
        go(page, query)
        assert len(shown(page)) > 20, query
        said = page.locator("[data-note]").inner_text()
        for name in ("hardware", "os", "python"):
            value = parse_qs(query).get(name, [""])[0]
            assert not value or f"{name}={value[:20]}" in said, (query, name)


def test_phase_without_a_step_says_so(page: Page, home: str) -> None:
    opened(page, home, "2.14.0-to-2.14.1?hardware=intel-xe2&os=windows&python=3.12&uses=ddp")
    for phase in page.locator("[data-phase]").all():
        items = phase.locator("[data-step], [data-gain]").evaluate_all("all => all.filter((one) => !one.hidden).length")
        assert phase.locator("[data-nothing]").is_visible() == (items == 0)
    assert page.locator("[data-nothing]:visible").count() > 0


# ---- Ticks ---------------------------------------------------------------------------------------------------------


def test_ticks_last_and_belong_to_one_plan(page: Page, home: str) -> None:
    opened(page, home)
    tick(page, "install", "fsdp2-reduce-dtype-none")
    total = len(shown(page))
    assert page.locator("[data-status]").inner_text() == f"2 of {total} done; {total} steps shown"
    assert page.locator("[data-progress]").evaluate("one => [one.value, one.max]") == [2, total]
    page.reload()
    page.locator("tn-plan[data-ready]").wait_for()
    assert sorted(ticked(page)) == ["fsdp2-reduce-dtype-none", "install"]
    assert ticked(opened(page, home, NEWEST)) == []


def test_hiding_what_is_done_hands_the_focus_on(page: Page, home: str) -> None:
    opened(page, home)
    page.get_by_label("Hide done").check()
    first, second = shown(page)[:2]
    page.locator(f"[data-step='{first}'] [data-tick]").focus()
    page.keyboard.press("Space")
    assert first not in shown(page)
    assert page.evaluate("document.activeElement.closest('[data-step]').dataset.step") == second
    assert query_of(page)["hide"] == ["done"]
    page.get_by_label("Hide done").uncheck()
    assert first in shown(page)


def test_clearing_asks_first(page: Page, home: str) -> None:
    opened(page, home)
    clear = page.get_by_role("button", name="Clear ticks")
    assert clear.is_disabled()
    tick(page, "install")
    clear.click()
    page.get_by_role("button", name="Cancel").click()
    assert ticked(page) == ["install"]
    clear.click()
    page.get_by_role("button", name="Clear them").click()
    assert ticked(page) == []
    page.reload()
    page.locator("tn-plan[data-ready]").wait_for()
    assert ticked(page) == []


def test_link_carries_ticks_only_on_request(browser: Browser, home: str) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    opened(page, home, f"{LONGEST}?os=linux")
    tick(page, "install")
    page.get_by_role("button", name="Copy link", exact=True).click()
    page.get_by_role("button", name="Copied").wait_for()
    plain = page.evaluate("navigator.clipboard.readText()")
    assert parse_qs(urlsplit(plain).query) == {"os": ["linux"]}
    page.get_by_role("button", name="Copy link with ticks").click()
    page.locator("[data-copy-ticks]", has_text="Copied").wait_for()
    carrying = page.evaluate("navigator.clipboard.readText()")
    context.close()

    stranger = browser.new_context()
    other = stranger.new_page()
    other.goto(carrying)
    other.locator("tn-plan[data-ready]").wait_for()
    assert ticked(other) == ["install"]
    assert "done" not in query_of(other), "a reload must not bring back what is unticked"
    stranger.close()


def test_ticks_of_a_link_do_not_overwrite_others(page: Page, home: str) -> None:
    opened(page, home)
    tick(page, "install")
    opened(page, home, f"{LONGEST}?done=fsdp2-reduce-dtype-none.no-such-step")
    assert ticked(page) == ["install"]
    page.get_by_role("button", name="Take those of the link").click()
    assert ticked(page) == ["fsdp2-reduce-dtype-none"]
    opened(page, home, f"{LONGEST}?done=install")
    page.get_by_role("button", name="Keep mine").click()
    assert ticked(page) == ["fsdp2-reduce-dtype-none"]
    assert "done" not in query_of(page)


@pytest.mark.parametrize("kept", ['{"a": 1}', "no JSON", '["no-such-step", 7, null, "install"]', "null"])
def test_what_is_kept_may_be_anything(kept: str, page: Page, home: str) -> None:
    opened(page, home)
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [f"torchnotes:done:{LONGEST}", kept])
    page.reload()
    page.locator("tn-plan[data-ready]").wait_for()
    assert ticked(page) == (["install"] if "install" in kept else [])


def test_browser_that_keeps_nothing_is_told(page: Page, home: str) -> None:
    page.add_init_script("Storage.prototype.setItem = () => { throw new DOMException('full') }")
    opened(page, home)
    tick(page, "install")
    assert ticked(page) == ["install"]
    assert "keeps nothing" in page.locator("[data-note]").inner_text()


def test_second_window_shows_the_same_ticks(context: BrowserContext, home: str) -> None:
    one, other = context.new_page(), context.new_page()
    opened(one, home)
    opened(other, home)
    tick(one, "install")
    other.wait_for_function("document.querySelector('[data-step=install] [data-tick]').checked")


# ---- To take along --------------------------------------------------------------------------------------------------


def test_task_list_is_what_is_shown(browser: Browser, home: str, real_library: Library) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = opened(context.new_page(), home, f"{LONGEST}?hardware=nvidia-hopper&uses=fsdp")
    tick(page, "install")
    page.get_by_role("button", name="Copy as task list").click()
    page.get_by_role("button", name="Copied").wait_for()
    text = page.evaluate("navigator.clipboard.readText()")
    ids = shown(page)
    context.close()
    heads = re.findall(r"^- \[([ x])\] \*\*([A-Za-z ]+)\*\*: (.+)$", text, re.MULTILINE)
    assert len(heads) == len(ids)
    assert [mark for mark, *_ in heads] == ["x" if id_ == "install" else " " for id_ in ids]
    for id_, (_, _, name) in zip(ids, heads, strict=True):
        if id_ != "install":
            assert name.endswith(f"features/{id_}/>)")
    todo = [getattr(real_library.entries[id_].feature.migration, "steps", ()) for id_ in ids if id_ != "install"]
    assert text.count("\n    - ") == sum(map(len, todo))
    assert "### Before" in text


def test_where_copying_is_forbidden_the_text_is_shown(page: Page, home: str) -> None:
    page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject() } })"
    )
    opened(page, home)
    page.get_by_role("button", name="Copy as task list").click()
    page.locator("dialog[open]").wait_for()
    assert "- [ ] **Action required**" in page.locator("[data-dialog-text]").inner_text()
    page.get_by_role("button", name="Close").click()
    assert page.locator("dialog[open]").count() == 0


def test_print_has_the_steps_and_nothing_to_click(page: Page, home: str) -> None:
    opened(page, home, f"{LONGEST}?uses=fsdp")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("[data-step]:not([hidden]) details:not([open])").count() == 0
    assert page.locator("[data-step=install] [data-tick]").is_visible()
    for gone in (".tn-plan__bar", ".tn-environment", ".tn-narrow"):
        assert page.locator(gone).is_hidden()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("[data-step]:not([hidden]) details:not([open])").count() > 0


# ---- The box for environments ----------------------------------------------------------------------------------------

FIELDS = ("version", "hardware", "driver", "os", "python")


@pytest.mark.parametrize("name", REPORTS)
def test_report_is_shown_as_it_is_read(name: str, page: Page, home: str) -> None:
    """On the page of all upgrades, in which the box is the only textarea, and without any request."""
    opened(page, home, "")
    assert page.locator("textarea").count() == 1
    page.wait_for_load_state("networkidle")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    paste(page, REPORTS[name])
    expected = READINGS[name]

    def field(which: str) -> str:
        place = page.locator(f"[data-environment={which}]")
        return place.inner_text() if place.is_visible() else ""

    unknown = set(expected.get("unknown", []))
    assert field("version").startswith(expected["version"]["text"] if "version" in expected else "could not")
    for device in expected.get("devices", []):
        assert f"{device['count']} × {device['label']}" in field("hardware")
        assert ("not known here" in field("hardware")) == (device["hardware"] is None)
    if "devices" not in expected and "hardware" in unknown:
        assert field("hardware") == "could not be told"
    assert field("driver") == (
        expected["driver"]["text"] if "driver" in expected else "could not be told" if "driver" in unknown else ""
    )
    assert field("os").startswith(expected["os"]["text"])
    assert field("python").startswith(expected["python"]["value"])
    assert field("build") == expected.get("build", "could not be told" if "build" in unknown else "")
    page.wait_for_timeout(100)
    assert requests == []


SMI = """\
| NVIDIA-SMI 575.57.08    Driver Version: 575.57.08    CUDA Version: 12.9 |
|   0  NVIDIA H100 80GB HBM3          On  |   00000000:19:00.0 Off |                    0 |
"""
MACHINES = {
    "V100": ("Tesla V100-SXM2-32GB", ["Volta"]),
    "GTX 1080": ("GeForce GTX 1080", ["Pascal"]),
    "H100": ("H100", []),
    "driver 575": (SMI, ["NVIDIA driver 575.57.08"]),
    "Intel Mac": (REPORTS["27-intel-mac-x86_64.txt"], ["There is no wheel of 2.15.0 for macOS"]),
    "V100 with an old driver": (REPORTS["09-nvidia-v100-x4.txt"], ["NVIDIA driver 550.142", "Volta"]),
    "Python 3.10 and an old driver": (REPORTS["11-nvidia-h100-x8.txt"], ["Python 3.10.17", "NVIDIA driver 570.133.20"]),
    "Mac of macOS 13": (REPORTS["01-apple-m2-max-macos13.txt"], ["macOS 13.7.4"]),
    "Mac of macOS 14": (REPORTS["01-apple-m2-max-macos13.txt"].replace("macOS 13.7.4", "macOS 14.6"), ["macOS 14.6"]),
    "Mac of macOS 15": (REPORTS["01-apple-m2-max-macos13.txt"].replace("macOS 13.7.4", "macOS 15.1"), []),
    "Windows without a GPU": (REPORTS["17-cpu-only-windows.txt"], ["Python 3.10.17"]),
    "nothing": ("There is nothing in this text.", None),
    "unknown GPU": ("NVIDIA H400 Ultra", None),
}


@pytest.mark.parametrize("place", ["", NEWEST])
def test_what_stops_a_machine_is_said_first(place: str, page: Page, home: str) -> None:
    opened(page, home, place)
    for name, (text, expected) in MACHINES.items():
        # What an earlier machine had, and this one does not say, would stay.
        page.evaluate("document.querySelector('[data-forget]').click()")
        paste(page, text)
        title = page.locator("[data-answer] [data-title]").inner_text()
        if expected is None:
            assert page.locator("[data-verdicts]").is_hidden(), name
            assert title == ("Not known here" if "GPU" in name else "Nothing was recognised"), name
            continue
        assert title == "Recognised", name
        found = [one.removeprefix("✕ ") for one in stops(page)]
        assert len(found) == len(expected), (name, found)
        assert all(any(one.startswith(start) for one in found) for start in expected), (name, found)
        said = page.locator("[data-verdicts] p").first.inner_text()
        assert said == ("This stops you" if expected else "Nothing is known that stops this machine"), name


def test_verdict_stays_after_a_reload_and_on_the_way_to_the_plan(page: Page, home: str) -> None:
    """What was concluded from a pasted text follows from what the address keeps."""
    report = REPORTS["25-rtx-3090-x2-cuda-false.txt"].replace("PyTorch version: 2.1.1", "PyTorch version: 2.14.1+cpu")
    paste(opened(page, home, ""), report)
    before = stops(page)
    assert len(before) == 2
    page.get_by_role("button", name="Show the plan").click()
    page.wait_for_url(f"**/migrate/{NEWEST}/**")
    page.locator("tn-plan[data-ready]").wait_for()
    assert stops(page) == before
    page.reload()
    page.locator("tn-plan[data-ready]").wait_for()
    assert stops(page) == before
    assert query_of(page)["devices"] == ["several"]


STATES = {
    "free-threaded 3.13": ("python=3.13t", ["Free-threaded Python 3.13t"]),
    "free-threaded 3.14": ("python=3.14t", []),
    "no wheel for the processor": (
        "os=linux&architecture=other",
        ["There is no wheel of 2.15.0 for Linux on another processor"],
    ),
    "hardware that is on another system": ("hardware=apple-m3&os=linux", ["Apple M3: no build of 2.15.0 for Linux"]),
    "hardware that the wheel of the platform leaves out": (
        "hardware=nvidia-turing&os=linux&architecture=arm64",
        ["Turing: no build of 2.15.0 for Linux on 64-bit Arm"],
    ),
    "the driver of another maker": ("hardware=amd-cdna3&driver=535.1", []),
    "a driver and no use for it": ("os=windows&architecture=x86-64&build=cpu&driver=535.1&hardware=cpu-x86", []),
    "macOS on which nothing installs": (
        "hardware=apple-m1&os=macos&macos=13.6",
        ["macOS 13.6: 2.15.0 needs 14 or newer"],
    ),
    "macOS without the GPU": ("hardware=apple-m1&os=macos&macos=14.6", ["macOS 14.6: 2.15.0 needs 15 or newer"]),
    "a number that is none": ("python=3&driver=5", []),
}


def test_what_stops_follows_from_what_is_chosen(page: Page, home: str) -> None:
    opened(page, home, NEWEST)
    for name, (query, expected) in STATES.items():
        go(page, query)
        found = [one.removeprefix("✕ ") for one in stops(page)]
        assert len(found) == len(expected), (name, found)
        assert all(any(one.startswith(start) for one in found) for start in expected), (name, found)


def test_build_that_a_driver_is_enough_for_is_named(page: Page, home: str) -> None:
    opened(
        page, home, "2.13.0-to-2.14.1?hardware=nvidia-hopper&os=linux&architecture=x86-64&driver=535.183.01&build=cu126"
    )
    said = page.locator("[data-verdicts]").inner_text()
    assert "That is not known of the build for CUDA 12.6" in said
    assert "CUDA 13.0" in said
    assert "580 or newer" in said


def test_green_light_says_what_was_not_looked_at(page: Page, home: str) -> None:
    opened(page, home, f"{NEWEST}?hardware=nvidia-hopper")
    assert (
        "Not told, and so not looked at: system, Python, NVIDIA driver." in page.locator("[data-verdicts]").inner_text()
    )


def test_install_step_has_what_fits_or_says_that_nothing_does(page: Page, home: str) -> None:
    def options(query: str) -> list[str]:
        opened(page, home, f"{NEWEST}?{query}")
        return page.locator("[data-build-option]:visible strong").all_inner_texts()

    assert options("hardware=nvidia-hopper&os=linux&architecture=x86-64") == ["CUDA 13.2", "CUDA 13.4"]
    assert options("hardware=nvidia-blackwell-dc&os=linux&architecture=arm64") == ["CUDA 13.2"]
    assert options("hardware=apple-m3") == ["CPU and MPS"]
    assert not page.locator("[data-no-build]").is_visible()
    assert options("hardware=nvidia-volta") == []
    assert page.locator("[data-no-build]").is_visible()


def test_machine_that_is_stopped_is_led_to_a_version_that_fits(page: Page, home: str) -> None:
    opened(page, home, f"{LONGEST}?hardware=nvidia-volta&os=linux&architecture=x86-64")
    page.get_by_role("link", name="which version fits this machine").click()
    page.locator("tn-upgrade[data-ready]").wait_for()
    assert "Versions that nothing is known to stop: 2.14.1, 2.14.0" in page.locator("[data-verdicts]").inner_text()
    assert query_of(page)["hardware"] == ["nvidia-volta"]


def test_what_is_not_understood_changes_nothing(page: Page, home: str) -> None:
    opened(page, home, f"{NEWEST}?hardware=nvidia-hopper&uses=fsdp&python=3.12")
    paste(page, "hello")
    assert query_of(page) == {"hardware": ["nvidia-hopper"], "uses": ["fsdp"], "python": ["3.12"]}
    paste(page, "Apple M3 Ultra")
    assert query_of(page) == {"hardware": ["apple-m3"], "uses": ["fsdp"], "python": ["3.12"]}
    page.get_by_role("button", name="Forget it").click()
    assert query_of(page) == {"hardware": ["nvidia-hopper"], "uses": ["fsdp"], "python": ["3.12"]}


def test_second_paste_is_another_machine(page: Page, home: str) -> None:
    for place in ("", NEWEST):
        opened(page, home, place)
        paste(page, REPORTS["09-nvidia-v100-x4.txt"])
        assert len(stops(page)) == 2
        paste(page, "Apple M3 Ultra")
        assert stops(page) == []
    assert query_of(page) == {"hardware": ["apple-m3"]}


def test_reading_makes_no_request_where_the_address_changes_either(page: Page, home: str) -> None:
    opened(page, home, NEWEST)
    page.wait_for_load_state("networkidle")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    paste(page, REPORTS["09-nvidia-v100-x4.txt"])
    page.wait_for_timeout(300)
    assert "hardware" in query_of(page)
    assert [one for one in requests if not one.startswith("data:")] == []


def test_forgetting_keeps_what_was_chosen_since(page: Page, home: str) -> None:
    opened(page, home, NEWEST)
    paste(page, REPORTS["09-nvidia-v100-x4.txt"])
    page.get_by_text("Narrow the plan").click()
    page.locator("[name=uses][value=fsdp]").check()
    before = query_of(page)
    page.get_by_role("button", name="Forget it").click()
    assert query_of(page) == before
    page.get_by_role("button", name="Show all").click()
    paste(page, REPORTS["09-nvidia-v100-x4.txt"])
    page.get_by_role("button", name="Show all").click()
    page.get_by_role("button", name="Forget it").click()
    assert query_of(page) == {}


def test_choosing_page_reads_its_address(page: Page, home: str) -> None:
    opened(page, home, "?hardware=nvidia-volta&os=linux&build=cu999")
    assert len(stops(page)) == 1
    assert "build=cu999 is not known here" in page.locator("tn-upgrade [data-note]").inner_text()


def test_nothing_stands_over_an_empty_list(page: Page, home: str) -> None:
    for place in (
        "2.14.0-to-2.14.1?hardware=nvidia-hopper",
        f"{LONGEST}?hardware=cpu-x86&uses=ddp",
        f"{LONGEST}?hardware=apple-m3",
    ):
        opened(page, home, place)
        empty = page.evaluate(
            """() => [...document.querySelectorAll("article ul, article ol")]
              .filter((list) => list.checkVisibility() && list.children.length)
              .filter((list) => [...list.children].every((one) => one.hidden))
              .filter((list) => !list.parentElement.querySelector(":scope > [data-nothing]:not([hidden])"))
              .map((list) => `${list.parentElement.tagName}: ${list.outerHTML.slice(0, 300)}`)"""
        )
        assert empty == [], place


def test_lead_counts_what_is_shown(page: Page, home: str) -> None:
    opened(page, home, f"{LONGEST}?hardware=apple-m3")
    count = page.eval_on_selector_all(
        "[data-step]",
        "all => all.filter((one) => !one.hidden && one.dataset.due === 'required' && one.dataset.step !== 'install').length",
    )
    assert page.locator("[data-lead]").inner_text().startswith(f"For what you chose, {count} steps are required")
    page.get_by_role("button", name="Show all").click()
    assert page.locator("[data-lead]").inner_text().endswith("without a message")


@pytest.mark.parametrize("hash_", ["#%E0%A4%A", "#no-such-step", "#"])
def test_any_hash_does_no_harm(hash_: str, page: Page, home: str) -> None:
    opened(page, home, f"{NEWEST}?os=linux{hash_}")
    assert page.locator("[data-note]").is_hidden()


def test_what_was_pasted_does_not_outlive_another_choice(page: Page, home: str) -> None:
    paste(opened(page, home, NEWEST), REPORTS["25-rtx-3090-x2-cuda-false.txt"])
    page.locator("[data-chips] button", has_text="CPU").first.click()
    assert "installed build" not in page.locator("[data-verdicts]").inner_text()
    assert page.locator("[data-note]").is_hidden()


def test_what_is_put_into_the_box_otherwise_is_read_too(page: Page, home: str) -> None:
    opened(page, home, "")
    page.locator("textarea").fill(REPORTS["11-nvidia-h100-x8.txt"])
    page.locator("[data-answer]:not([hidden])").wait_for()
    assert page.locator("[data-environment=hardware]").inner_text() == "8 × H100 SXM5 → Hopper"
    assert "Linux" in page.locator("[data-environment=os]").inner_text()
    page.get_by_role("button", name="Forget it").click()
    page.locator("textarea").press_sequentially("Apple M", delay=10)
    # Timers run in order, so the page's own, of 400 ms, has run before.
    page.evaluate("new Promise((done) => setTimeout(done, 450))")
    assert page.locator("[data-answer]").is_hidden(), "half a name is no mistake"


def test_who_pastes_can_go_on_typing(page: Page, home: str) -> None:
    opened(page, home, "")
    page.locator("textarea").focus()
    page.evaluate("document.querySelector('textarea').value = 'RTX'")
    page.locator("textarea").dispatch_event("paste")
    page.locator("[data-answer]:not([hidden])").wait_for()
    assert page.evaluate("document.activeElement.tagName") == "TEXTAREA"


def test_box_that_could_not_load_tries_again(page: Page, home: str) -> None:
    page.route("**/heads.json", lambda route: route.abort())
    page.goto(f"{home}migrate/{NEWEST}/")
    page.locator("tn-plan[data-ready]").wait_for()
    page.locator("textarea").fill("H100")
    page.get_by_role("button", name="Read it").click()
    page.get_by_text("could not be loaded").wait_for()
    assert page.locator("[data-environment=version]").is_hidden()
    page.unroute("**/heads.json")
    page.get_by_role("button", name="Read it").click()
    page.get_by_text("Recognised", exact=True).wait_for()
    assert query_of(page)["hardware"] == ["nvidia-hopper"]


def test_plan_stands_without_the_box(page: Page, home: str) -> None:
    page.route("**/environment/read.js", lambda route: route.abort())
    page.goto(f"{home}migrate/{NEWEST}/")
    page.locator("tn-plan[data-ready]").wait_for()
    tick(page, "install")
    assert ticked(page) == ["install"]


def test_number_that_cannot_be_read_can_be_mended(page: Page, home: str) -> None:
    opened(page, home, f"{NEWEST}?driver=580.65")
    page.get_by_text("Narrow the plan").click()
    box = page.locator("[name=driver]")
    box.fill("58o.65")
    box.blur()
    assert box.input_value() == "58o.65"
    assert query_of(page) == {"driver": ["580.65"]}
    assert "is no version number" in page.locator("[data-note]").inner_text()


def test_link_to_a_step_that_is_hidden_shows_it_or_says_why(page: Page, home: str) -> None:
    opened(page, home, f"{LONGEST}?hide=done")
    tick(page, "install")
    assert "install" not in shown(page)
    page.evaluate("location.hash = '#step-install'")
    page.wait_for_function("!document.querySelector('[data-step=install]').hidden")
    opened(page, home, f"{LONGEST}?hardware=apple-m3#step-fsdp2-reduce-dtype-none")
    page.evaluate("location.hash = '#step-nvidia-driver-580'")
    page.get_by_text("does not concern what you chose").wait_for()


def test_short_address_keeps_what_stands_behind_it(page: Page, home: str) -> None:
    page.goto(f"{home}migrate/2.13-to-2.15/?hardware=nvidia-hopper#after")
    page.wait_for_url(f"**/migrate/{LONGEST}/**")
    assert query_of(page) == {"hardware": ["nvidia-hopper"]}
    assert page.url.endswith("#after")


def test_focus_on_a_tick_is_seen(page: Page, home: str) -> None:
    opened(page, home)
    page.locator("[data-hide-done]").focus()
    # The links to required steps stand before the first of them.
    for _ in range(page.locator("[data-due-of] a:visible").count() + 30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('[data-tick]')"):
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_idle_gpu_is_told(page: Page, home: str) -> None:
    paste(opened(page, home, ""), REPORTS["25-rtx-3090-x2-cuda-false.txt"])
    assert "the installed build, for CPU, has no code for it" in page.locator("[data-verdicts]").inner_text()


def test_installed_build_without_code_for_the_card_is_told(page: Page, home: str) -> None:
    report = REPORTS["09-nvidia-v100-x4.txt"].replace("2.7.0.dev20250112+cu124", "2.14.1+cu130").replace("12.4", "13.0")
    for place in ("", NEWEST):
        paste(opened(page, home, place), report)
        assert (
            "Volta: the installed build, for CUDA 13.0, has no code for it in 2.14.1"
            in page.locator("[data-verdicts]").inner_text()
        )


def test_pasting_narrows_the_plan_and_leads_to_the_right_one(page: Page, home: str) -> None:
    report = REPORTS["11-nvidia-h100-x8.txt"].replace("2.6.0+cu124", "2.13.0+cu130")
    paste(opened(page, home, NEWEST), report)
    assert query_of(page)["hardware"] == ["nvidia-hopper"]
    assert query_of(page)["devices"] == ["several"]
    page.get_by_role("link", name="Show the plan from 2.13.0").click()
    page.wait_for_url(f"**/migrate/{LONGEST}/**")
    assert query_of(page)["hardware"] == ["nvidia-hopper"]
    assert "macos-15-required-for-mps" not in shown(page)


def test_choosing_leads_to_a_plan_with_the_machine(page: Page, home: str) -> None:
    opened(page, home, "")
    paste(page, REPORTS["29-linux-cuda-2.14nightly-gpu-line-missing.txt"].replace("2.14.0.dev20260701", "2.14.0"))
    assert page.locator("[name=from]").input_value() == "2.14.0"
    page.get_by_role("button", name="Show the plan").click()
    page.wait_for_url("**/migrate/2.14.0-to-2.15.0/**")
    assert query_of(page) == {"os": ["linux"], "architecture": ["x86-64"], "python": ["3.12.12"], "build": ["cu130"]}


def test_way_backwards_is_no_upgrade(page: Page, home: str) -> None:
    opened(page, home, "")
    page.locator("[name=from]").select_option("2.14.1")
    page.locator("[name=to]").select_option("2.14.0")
    assert "no upgrade" in page.locator("tn-upgrade [data-note]").inner_text()
    assert page.get_by_role("button", name="Show the plan").is_disabled()


def test_old_version_is_told_where_plans_begin(page: Page, home: str) -> None:
    paste(opened(page, home, ""), REPORTS["23-rtx-4090-old-driver.txt"])
    assert "2.5.1 is older than 2.13.0" in page.locator("tn-upgrade [data-note]").inner_text()


def test_forgetting_leaves_nothing(page: Page, home: str) -> None:
    paste(opened(page, home, NEWEST), REPORTS["09-nvidia-v100-x4.txt"])
    page.get_by_role("button", name="Forget it").click()
    assert page.locator("textarea").input_value() == ""
    assert page.locator("[data-answer]").is_hidden()
    assert query_of(page) == {}
    assert page.evaluate("JSON.stringify({ ...localStorage })").find("V100") == -1


def test_pasted_text_is_shown_and_never_run(page: Page, home: str) -> None:
    bad = "<img src=x onerror=alert(1)>"
    paste(
        opened(page, home, NEWEST),
        f"PyTorch version: 2.14.1{bad}\nGPU models and configuration: GPU 0: {bad}\nPython version: 3.12\n",
    )
    assert page.locator("[data-answer] img").count() == 0


# ---- By hand, at 360 px, read aloud ------------------------------------------------------------------------------------


def test_whole_way_by_keyboard(page: Page, home: str) -> None:
    """Narrow, tick, hide and clear without a mouse, and without a target that the keyboard cannot reach."""
    opened(page, home)
    page.locator("[data-narrow-fold] > summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.name") == "hardware"
    page.keyboard.press("Space")
    assert "hardware" in query_of(page)
    first = shown(page)[0]
    page.locator("[data-hide-done]").focus()
    page.keyboard.press("Space")
    # The links to required steps stand before the first of them.
    for _ in range(page.locator("[data-due-of] a:visible").count() + 30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('[data-tick]')"):
            break
    assert page.evaluate("document.activeElement.closest('[data-step]').dataset.step") == first
    page.keyboard.press("Space")
    assert first not in shown(page)
    page.locator("[data-untick]").focus()
    page.keyboard.press("Enter")
    page.locator("dialog[open]").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    assert first not in shown(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", ["", NEWEST])
def test_page_in_use_is_accessible_and_fits(scheme: Any, place: str, browser: Browser, home: str) -> None:
    context = browser.new_context(viewport=NARROW, color_scheme=scheme, reduced_motion="reduce")
    page = opened(context.new_page(), home, place)
    paste(page, REPORTS["09-nvidia-v100-x4.txt"])
    if place:
        page.get_by_text("Narrow the plan").click()
        page.locator(".tn-maker summary").first.click()
        tick(page, "install")
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    for _ in range(2):
        found = Axe().run(page).response["violations"]
        assert [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found] == []
        page.set_viewport_size(WIDE)
    context.close()


def test_page_is_whole_without_scripts(browser: Browser, home: str, real_library: Library) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{home}migrate/{LONGEST}/")
    plan = plan_of(real_library, Upgrade("2.13.0", "2.15.0"))
    visible = page.locator("[data-step]:visible").count()
    assert visible == sum(step.phase.value != "gain" for step in plan.steps) + 1
    assert page.locator("[data-needs-script]:visible").count() == 0
    assert page.locator("noscript").count() >= 1
    page.goto(f"{home}migrate/")
    assert page.get_by_role("link", name="2.13.0 → 2.15.0").is_visible()
    context.close()


# ---- The pure modules -------------------------------------------------------------------------------------------------

MODULES = """async (home) => {
  const at = (name) => import(new URL(`assets/javascripts/plan/${name}.js`, home))
  window.modules = { match: await at("match"), state: await at("state"), tasks: await at("tasks") }
}"""


@pytest.fixture(scope="module")
def modules(browser: Browser, built: Build) -> Iterator[Page]:
    with page_with_modules(browser, built, MODULES) as made:
        yield made


def test_bounds_hold_as_in_python(modules: Page) -> None:
    dice = random.Random(7)  # noqa: S311
    numbers = ["3.10", "3.11", "3.11.9", "3.15", "3.16", "575.57.08", "580", "580.0", "14.5", "15", "15.0.1"]
    pairs = []
    for _ in range(400):
        signs = dice.choices(["<", "<=", ">", ">="], k=dice.choice([1, 2]))
        pairs.append([dice.choice(numbers), ",".join(f"{sign}{dice.choice(numbers)}" for sign in signs)])
    found = modules.evaluate(
        "(pairs) => pairs.map(([version, bounds]) => modules.match.within(version, bounds))", pairs
    )

    def holds(version: str, bounds: str) -> bool:
        signs = {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}
        for bound in bounds.split(","):
            sign, limit = re.fullmatch(r"([<>]=?)(.+)", bound).groups()  # type: ignore[union-attr]
            if not getattr(Version(version), signs[sign])(Version(limit)):
                return False
        return True

    assert found == [holds(*pair) for pair in pairs]


def test_task_list_escapes_what_is_not_code(modules: Page) -> None:
    """No markup, no mention, no reference to an issue comes out of a text."""
    text = modules.evaluate(
        """() => {
          const element = document.createElement("li")
          element.append("*a* [b](c) <i>d</i> @someone owner/name#1 _e_ ")
          element.append(Object.assign(document.createElement("code"), { textContent: "x`y`` z @f" }))
          return modules.tasks.markdownOf(element)
        }"""
    )
    assert text == (r"\*a\* \[b\]\(c\) \<i\>d\</i\> &#64;someone owner/name\#1 \_e\_ " + "``` x`y`` z @f ```")

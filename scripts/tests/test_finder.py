"""The finder's page and the search box in a real browser: what is shown equals what the data says."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_fixtures import address_of, drawn
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, ViewportSize
from site_fixtures import Build
from test_index import FIELDS

from torchnotes.bench.serving import served
from torchnotes.library import Library

pytestmark = pytest.mark.browser

WIDE, NARROW = ViewportSize(width=1280, height=900), ViewportSize(width=360, height=740)


@pytest.fixture(scope="module")
def home(built: Build) -> Iterator[str]:
    with served(built.site) as found:
        yield found


@pytest.fixture(scope="module")
def features(built: Build) -> list[dict[str, Any]]:
    content = json.loads((built.site / "api/v1/features.json").read_text(encoding="utf-8"))
    return list(content["features"])


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport=WIDE, reduced_motion="reduce")
    yield made
    made.close()


def opened(page: Page, home: str, query: str = "") -> Page:
    """The finder with a query in its address, with all that it loads."""
    page.goto(f"{home}features/{query}")
    drawn(page)
    return page


def moved(page: Page, query: str) -> None:
    """Another state in the same page, as going back to it would give."""
    page.evaluate(
        """async (query) => {
          history.pushState(null, "", location.pathname + query)
          dispatchEvent(new PopStateEvent("popstate"))
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
        }""",
        query,
    )


def count(page: Page) -> int:
    return int(page.locator("[data-count]").inner_text())


def shown(page: Page) -> list[str]:
    return [
        str(one) for one in page.locator("[data-feature]").evaluate_all("all => all.map((one) => one.dataset.feature)")
    ]


def axe_faults(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


# ---- Filters --------------------------------------------------------------------------------------------------


def _states(features: list[dict[str, Any]], number: int) -> list[dict[str, list[str]]]:
    """States as people make them: one to four groups, one to three values, all of which occur."""
    chance = random.Random(7)  # noqa: S311
    values = {name: sorted({value for one in features for value in of(one)}) for name, of in FIELDS.items()}
    states = [
        {
            name: chance.sample(values[name], min(len(values[name]), chance.choice([1, 1, 1, 2, 3])))
            for name in chance.sample(sorted(FIELDS), chance.choice([1, 1, 2, 2, 3, 4]))
        }
        for _ in range(number)
    ]
    return [
        {**state, "general": ["no"]} if "hardware" in state and chance.random() < 0.5 else state for state in states
    ]


def _expected(features: list[dict[str, Any]], state: dict[str, list[str]]) -> set[str]:
    """All groups must hold, of one group any value: by hand. Beside hardware, what is for all hardware can be hidden."""
    hardware = state.get("hardware", [])
    hides = bool(state.get("general") and hardware and "any" not in hardware)
    chosen = {name: values for name, values in state.items() if values and name != "general"}
    return {
        one["id"]
        for one in features
        if all(set(values) & set(FIELDS[name](one)) for name, values in chosen.items())
        and not (hides and one["hardware"] == ["any"])
    }


def test_any_state_shows_what_a_filter_by_hand_leaves(page: Page, home: str, features: list[dict[str, Any]]) -> None:
    opened(page, home)
    for state in _states(features, 100):
        moved(page, f"?{urlencode(state, doseq=True)}")
        expected = _expected(features, state)
        assert count(page) == len(expected), state
        assert set(shown(page)) <= expected, state
        if len(expected) <= 20:
            assert set(shown(page)) == expected, state


def test_count_of_a_facet_is_what_a_click_leaves(page: Page, home: str, features: list[dict[str, Any]]) -> None:
    """Read from every value of the page, against the filter by hand; and by clicking some."""
    chance = random.Random(11)  # noqa: S311
    opened(page, home)
    for state in _states(features, 25):
        moved(page, f"?{urlencode(state, doseq=True)}")
        numbers = page.locator("[data-facets] input").evaluate_all(
            """all => all.map((one) =>
              [one.name, one.value, one.checked, Number(one.closest("label").querySelector("[data-facet-count]").textContent)])"""
        )
        now = _expected(features, state)
        for name, value, is_chosen, number in numbers:
            if is_chosen:
                has = {one["id"] for one in features if value in FIELDS[name](one)}
                assert number == len(now & has), (state, name, value)
            else:
                after = _expected(features, {**state, name: [*state.get(name, []), value]})
                assert number == len(after), (state, name, value)
        name, value, _, number = chance.choice([one for one in numbers if not one[2] and one[0] == "action"])
        page.locator(f"[data-facets] input[name={name}][value='{value}']").check()
        drawn(page)
        assert count(page) == number


def test_address_survives_being_read_and_written(page: Page, home: str, features: list[dict[str, Any]]) -> None:
    """Address → state → address is the identity once the values stand in the page's order."""
    page.goto(f"{home}features/")
    written = page.evaluate(
        """async (states) => {
          const { read, write } = await import(new URL("../assets/javascripts/finder/state.js", document.baseURI))
          const groups = new Map()
          for (const box of document.querySelectorAll("[data-facets] input")) {
            groups.set(box.name, [...(groups.get(box.name) ?? []), box.value])
          }
          const known = { groups, sorts: ["relevance", "action", "newest"] }
          return states.map((query) => {
            const once = write(read(new URLSearchParams(query), known).state, known)
            return [once, write(read(new URLSearchParams(once), known).state, known)]
          })
        }""",
        queries := [
            urlencode({**state, "q": text, "sort": sort, **({"general": "no"} if general else {})}, doseq=True)
            for state, text, sort, general in zip(
                _states(features, 40),
                ["", "a&b=c", "ü %41+#?/ 100%", "通信 😀", "torch::nms"] * 8,
                ["", "newest", "action", "relevance"] * 10,
                [True, False] * 20,
                strict=True,
            )
        ],
    )
    for query, (once, twice) in zip(queries, written, strict=True):
        assert once == twice
        asked, kept = parse_qs(query), parse_qs(once)
        for name in FIELDS:
            assert sorted(asked.get(name, [])) == sorted(kept.get(name, [])), query
        assert asked.get("q") == kept.get("q")
        assert asked.get("general") == kept.get("general")


def test_what_is_not_known_is_ignored_and_said(page: Page, home: str) -> None:
    opened(page, home, "?q=nccl&release=2.15&release=9.9&hardware=toaster&sort=best&nonsense=1")
    note = page.locator("[data-note]").inner_text()
    assert all(one in note for one in ("release=9.9", "hardware=toaster", "sort=best"))
    assert page.locator("[data-chips] button").all_inner_texts() == ["“nccl”", "Release: 2.15"]


def test_a_device_in_the_address_chooses_its_family(page: Page, home: str, features: list[dict[str, Any]]) -> None:
    opened(page, home, "?hardware=8xH100")
    assert page.locator("input[name=hardware]:checked").evaluate_all("all => all.map((one) => one.value)") == [
        "nvidia-hopper"
    ]
    assert count(page) == len(_expected(features, {"hardware": ["nvidia-hopper"]}))


# ---- Going about ----------------------------------------------------------------------------------------------


def test_back_forward_and_reload_give_the_same_list(page: Page, home: str) -> None:
    opened(page, home)
    lists = [(address_of(page), shown(page))]
    for name, value in (("release", "2.15"), ("action", "required"), ("hardware", "nvidia")):
        page.locator(f"[data-facets] input[name={name}][value='{value}']").check()
        drawn(page)
        lists.append((address_of(page), shown(page)))
    assert len({url for url, _ in lists}) == 4
    for url, ids in reversed(lists[:-1]):
        page.go_back()
        drawn(page)
        assert (address_of(page), shown(page)) == (url, ids)
    for url, ids in lists[1:]:
        page.go_forward()
        drawn(page)
        assert (address_of(page), shown(page)) == (url, ids)
    page.reload()
    drawn(page)
    assert (address_of(page), shown(page)) == lists[-1]


def test_phone_and_desktop_share_one_list(browser: Browser, page: Page, home: str) -> None:
    query = "?q=nccl+memory&hardware=nvidia-hopper&sort=newest"
    wide = shown(opened(page, home, query))
    narrow = browser.new_context(viewport=NARROW)
    assert shown(opened(narrow.new_page(), home, query)) == wide
    narrow.close()


def test_typing_keeps_to_one_step_of_history(page: Page, home: str) -> None:
    page.goto(f"{home}about/")
    opened(page, home)
    page.locator("main input[name=q]").press_sequentially("reduce_dtype")
    drawn(page)
    assert address_of(page).endswith("?q=reduce_dtype")
    page.go_back()
    assert address_of(page).endswith("/about/")


@pytest.mark.parametrize("sort", ["action", "newest"])
def test_lists_can_be_sorted(page: Page, home: str, features: list[dict[str, Any]], sort: str) -> None:
    opened(page, home, "?q=torch")
    page.locator("[data-sort]").select_option(sort)
    drawn(page)
    by_id = {one["id"]: one for one in features}
    chosen = [by_id[one] for one in shown(page)]
    if sort == "newest":
        keys = [tuple(-int(part) for part in one["version"].split(".")) for one in chosen]
    else:
        order = ["required", "recommended", "optional", "none"]
        keys = [(order.index(one["migration"]["action"]), not one["is_silent"]) for one in chosen]
        keys = [key if key[0] == 0 else (key[0], False) for key in keys]
    assert keys == sorted(keys)


def test_hardware_chosen_says_why_and_whether_it_is_served(page: Page, home: str, real_library: Library) -> None:
    opened(page, home, "?hardware=nvidia-hopper")
    page.locator("[data-machine] a", has_text="Hopper").wait_for()
    reasons = page.locator("[data-feature] [data-meta]").all_inner_texts()
    assert all("·" in one for one in reasons)
    before = count(page)
    general = sum(entry.feature.hardware == ("any",) for entry in real_library.entries.values())
    page.locator("input[name=general]").check()
    drawn(page)
    assert count(page) == before - general
    assert "general=no" in address_of(page)
    opened(page, home, "?hardware=nvidia-volta")
    notice = page.locator("[data-machine] p").first.inner_text()
    assert "2.14" in notice
    assert "No known build of PyTorch 2.15" in notice


def test_named_hardware_is_offered_as_a_filter(page: Page, home: str) -> None:
    opened(page, home, "?q=fsdp+rtx5090")
    offer = page.locator("[data-offers] button")
    assert "GeForce RTX 5090" in offer.inner_text()
    assert "sm_120" in offer.inner_text()
    offer.click()
    drawn(page)
    assert "hardware=nvidia-blackwell-rtx" in address_of(page)
    assert page.locator("[data-offers]").is_hidden()


def test_nothing_found_offers_to_drop_each_filter(page: Page, home: str, features: list[dict[str, Any]]) -> None:
    state = {"hardware": ["apple-silicon"], "area": ["nccl"], "release": ["2.14"], "action": ["required"]}
    assert _expected(features, state) == set()
    opened(page, home, f"?{urlencode(state, doseq=True)}")
    assert count(page) == 0
    offers = page.locator("[data-nothing] button").all_inner_texts()
    for name in state:
        rest = len(_expected(features, {**state, name: []}))
        assert any(offer.endswith(f"({rest})") for offer in offers), name
    link = page.locator("[data-nothing] [data-upstream]").first
    assert (link.get_attribute("href") or "").startswith("https://github.com/pytorch/pytorch/releases?")
    page.locator("[data-nothing] button").first.click()
    drawn(page)
    assert address_of(page).count("=") == len(state) - 1


def test_more_is_shown_on_request(page: Page, home: str, features: list[dict[str, Any]]) -> None:
    opened(page, home)
    while page.locator("[data-more]").is_visible():
        before = len(shown(page))
        page.locator("[data-more]").click()
        assert page.evaluate("document.activeElement.closest('[data-feature]')?.dataset.feature") == shown(page)[before]
    assert sorted(shown(page)) == sorted(one["id"] for one in features)


# ---- Attacks and accidents ------------------------------------------------------------------------------------

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "x" * 10_000,
    "a b " * 3_000,
    "%",
    "%E0%A4%A",
    "(.*+?^${}()|[]\\",
    "'\";--",
    "שלום عربى \u202eevil",
    "😀🏳️‍🌈",
    "__proto__ constructor toString hasOwnProperty",
    "javascript:alert(1)",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_and_harms_nothing(page: Page, home: str, text: str) -> None:
    opened(page, home, "?hardware=nvidia")
    page.locator("main input[name=q]").fill(text)
    drawn(page)
    assert len(shown(page)) == min(20, count(page))
    assert page.locator("main img[src=x], main article script").count() == 0
    assert text.strip()[:20] in page.locator("[data-chips] button").first.inner_text()
    assert fits(page)
    page.reload()
    drawn(page)
    assert page.locator("main input[name=q]").input_value() == " ".join(text.split())[:800].strip()
    page.goto(home)
    page.locator("header input[name=q]").fill(text)
    # The box says that it has answered, also where it has no answer.
    page.locator("header [role=status]", has_text="uggestion").wait_for(state="attached")
    assert page.locator("header img").count() <= 1


def test_without_the_index_the_list_stays_and_can_be_tried_again(page: Page, home: str) -> None:
    page.route("**/heads.json", lambda route: route.abort())
    page.goto(f"{home}features/?q=nccl")
    retry = page.locator("[data-note] button")
    retry.wait_for()
    assert page.locator("[data-static] .tn-row").first.is_visible()
    assert axe_faults(page) == []
    page.unroute("**/heads.json")
    retry.click()
    drawn(page)
    assert shown(page)
    assert page.locator("[data-note]").is_hidden()


def test_without_the_words_titles_are_still_searched(page: Page, home: str) -> None:
    page.route("**/words.json", lambda route: route.abort())
    page.goto(f"{home}features/?q=reduce_dtype")
    retry = page.locator("[data-note] button")
    retry.wait_for()
    assert "fsdp2-reduce-dtype-none" in shown(page)
    page.unroute("**/words.json")
    retry.click()
    page.locator("[data-note]").wait_for(state="hidden")
    drawn(page)
    assert shown(page)[0] == "fsdp2-reduce-dtype-none"


def test_a_slow_index_never_blocks_typing(page: Page, home: str) -> None:
    waiting: list[Route] = []
    page.route("**/*.json", lambda route: waiting.append(route))  # noqa: PLW0108  (playwright marks the handler)
    page.goto(f"{home}features/")
    page.locator("main input[name=q]").press_sequentially("nccl")
    assert page.locator("[data-static] .tn-row").first.is_visible()
    # What waits goes on by itself.
    page.unroute("**/*.json")
    drawn(page)
    assert page.locator("main input[name=q]").input_value() == "nccl"
    assert 0 < count(page) < int(page.evaluate("document.querySelectorAll('[data-static] .tn-row').length"))


# ---- The box --------------------------------------------------------------------------------------------------


def _option(page: Page) -> str:
    """Text of the active suggestion."""
    return str(
        page.evaluate(
            """() => {
              const id = document.activeElement.getAttribute("aria-activedescendant")
              return id ? document.getElementById(id).textContent : ""
            }"""
        )
    )


def test_box_suggests_and_follows_the_keyboard(page: Page, home: str) -> None:
    page.goto(f"{home}about/")
    page.keyboard.press("/")
    box = page.locator("header input[name=q]")
    assert box.evaluate("(one) => one === document.activeElement")
    page.keyboard.type("rtx5090 fsdp")
    page.locator("header [role=option]").nth(1).wait_for()
    assert box.get_attribute("aria-expanded") == "true"
    page.keyboard.press("ArrowDown")
    assert "GeForce RTX 5090" in _option(page)
    page.keyboard.press("ArrowUp")
    assert _option(page) == ""
    page.keyboard.press("ArrowUp")
    assert _option(page)
    page.keyboard.press("Escape")
    assert box.get_attribute("aria-expanded") == "false"
    assert box.input_value() == "rtx5090 fsdp"
    page.keyboard.press("Enter")
    page.wait_for_url("**/features/?q=rtx5090+fsdp")
    drawn(page)
    assert shown(page)


def test_box_answers_before_the_next_key(page: Page, home: str) -> None:
    """A key pressed at once after a letter acts on the list of that letter: no list is drawn behind its back."""
    page.goto(home)
    box = page.locator("header input[name=q]")
    box.press_sequentially("fsdp")
    page.locator("header [role=option]").first.wait_for()
    shown = box.evaluate(
        """(input) => {
          const drawn = []
          for (const text of ["nccl", "fsdp", "rtx5090"]) {
            input.value = text
            input.dispatchEvent(new Event("input", { bubbles: true }))
            drawn.push(document.querySelector("header [role=listbox]").textContent)
          }
          return drawn
        }"""
    )
    assert len(set(shown)) == len(shown)
    assert "GeForce RTX 5090" in shown[-1]


def test_box_leads_to_a_page(page: Page, home: str) -> None:
    page.goto(home)
    page.locator("header input[name=q]").press_sequentially("hopper")
    page.locator("header [role=option]").first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/hardware/nvidia-hopper/")


@pytest.mark.parametrize("words", ["compatibility", "pipeline", "2.15", "contributing"])
def test_box_suggests_pages_too(page: Page, home: str, words: str) -> None:
    page.goto(home)
    page.locator("header input[name=q]").press_sequentially(words)
    page.locator("header [role=group][data-kind=Pages] [role=option]").first.wait_for()


def test_header_box_on_the_finder_keeps_the_facets(page: Page, home: str) -> None:
    opened(page, home, "?release=2.15")
    page.locator("header input[name=q]").fill("nccl")
    page.keyboard.press("Enter")
    drawn(page)
    assert parse_qs(address_of(page).partition("?")[2]) == {"q": ["nccl"], "release": ["2.15"]}


def test_slash_does_not_steal_what_one_types(page: Page, home: str) -> None:
    opened(page, home)
    box = page.locator("main input[name=q]")
    box.focus()
    page.keyboard.type("a/b")
    assert box.input_value() == "a/b"


# ---- Small screens, screen readers, no scripts ----------------------------------------------------------------


@pytest.fixture(scope="module", params=["light", "dark"])
def phone(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    made = browser.new_context(viewport=NARROW, color_scheme=request.param, reduced_motion="reduce", has_touch=True)
    yield made.new_page()
    made.close()


def _small(places: Locator) -> list[str]:
    """Targets that a thumb misses."""
    return list(
        places.evaluate_all(
            """all => all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5)
              .map((one) => `${one.outerHTML.slice(0, 80)} ${one.getBoundingClientRect().height}`)"""
        )
    )


def test_sheet_of_filters_on_a_phone(phone: Page, home: str, features: list[dict[str, Any]]) -> None:
    opened(phone, home, "?release=2.15")
    assert fits(phone)
    assert "(1)" in phone.locator("[data-open]").inner_text()
    phone.locator("[data-open]").click()
    assert phone.locator("dialog[open]").is_visible()
    assert axe_faults(phone) == []
    assert _small(phone.locator("dialog button, dialog label, dialog summary")) == []
    phone.locator("dialog input[name=action][value=required]").check()
    expected = len(_expected(features, {"release": ["2.15"], "action": ["required"]}))
    phone.wait_for_function(
        "(n) => document.querySelector('[data-sheet-count]').textContent === String(n)", arg=expected
    )
    phone.keyboard.press("Escape")
    assert phone.locator("dialog[open]").count() == 0
    assert count(phone) == expected
    assert phone.evaluate("document.activeElement.matches('[data-open]')")
    assert _small(phone.locator("tn-finder button, tn-finder input[name=q], tn-finder select")) == []


def test_suggestions_and_no_results_on_a_phone_are_accessible(phone: Page, home: str) -> None:
    opened(phone, home, "?q=zzzzz+qqqqq&hardware=nvidia-volta")
    assert count(phone) == 0
    assert axe_faults(phone) == []
    assert fits(phone)
    phone.goto(home)
    phone.locator("header input[name=q]").focus()
    phone.keyboard.type("nccl")
    phone.locator("header [role=option]").first.wait_for()
    assert axe_faults(phone) == []
    assert fits(phone)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_finder_is_accessible_in_every_state(browser: Browser, home: str, scheme: Any) -> None:
    made = browser.new_context(viewport=WIDE, color_scheme=scheme, reduced_motion="reduce")
    page = made.new_page()
    for query in (
        "?q=nccl+hang+h100&hardware=nvidia-hopper",
        "?q=zzzzz+qqqqq&area=nope&action=required",
        "?q=checkpiont",
    ):
        opened(page, home, query)
        page.locator("tn-finder details").evaluate_all("all => all.forEach((one) => (one.open = true))")
        assert axe_faults(page) == []
    page.goto(home)
    page.locator("main input[name=q]").press_sequentially("mi300x")
    page.locator("main [role=option]").first.wait_for()
    page.keyboard.press("ArrowDown")
    assert axe_faults(page) == []
    made.close()


def test_finder_can_be_used_by_keyboard_alone(page: Page, home: str) -> None:
    opened(page, home)
    page.keyboard.press("/")
    page.keyboard.type("memory")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == "hardware":
            break
    page.keyboard.press("Space")
    drawn(page)
    assert "hardware=" in address_of(page)
    assert page.evaluate("document.activeElement.name") == "hardware"


def test_change_of_the_count_is_announced(page: Page, home: str) -> None:
    opened(page, home)
    live = page.locator("[data-count]")
    assert live.count() == 1
    assert live.get_attribute("aria-live") == "polite"
    before = live.inner_text()
    page.locator("main input[name=q]").fill("nccl")
    drawn(page)
    assert live.inner_text() != before


def test_without_scripts_there_is_a_list_and_a_way_on(
    browser: Browser, home: str, features: list[dict[str, Any]]
) -> None:
    made = browser.new_context(viewport=NARROW, java_script_enabled=False)
    page = made.new_page()
    page.goto(f"{home}features/")
    assert page.locator("[data-static] .tn-row").count() == min(100, len(features))
    for dead in ("[data-facets]", "[data-copy]", "main input[name=q]", "[data-more]"):
        assert page.locator(dead).is_hidden()
    assert page.locator("a[href='all/']").first.is_visible()
    hopper = page.locator("noscript button", has_text="Hopper").first
    box = hopper.bounding_box()
    assert box is not None
    assert box["width"] > 60
    hopper.click()
    page.wait_for_url("**/hardware/nvidia-hopper/**")
    made.close()


# ---- Small things ---------------------------------------------------------------------------------------------


def test_what_was_dropped_hands_the_focus_on(page: Page, home: str) -> None:
    opened(page, home, "?q=nccl&release=2.15&hardware=nvidia")
    chips = page.locator("[data-chips] button")
    chips.nth(1).focus()
    page.keyboard.press("Enter")
    drawn(page)
    assert chips.count() == 2
    assert chips.nth(1).evaluate("(one) => one === document.activeElement")
    page.locator("[data-clear]").click()
    drawn(page)
    assert page.locator("[data-clear]").is_hidden()
    assert page.evaluate("document.activeElement.name") == "q"


def test_who_comes_back_finds_the_list_as_long_as_it_was(page: Page, home: str) -> None:
    opened(page, home)
    page.locator("[data-more]").click()
    before = shown(page)
    page.goto(f"{home}about/")
    page.go_back()
    drawn(page)
    assert shown(page) == before
    page.locator("[data-facets] input[name=release]").first.check()
    drawn(page)
    assert len(shown(page)) <= 20


def test_counts_hold_while_what_is_general_is_hidden(page: Page, home: str, features: list[dict[str, Any]]) -> None:
    """Also beside what stands for all hardware, which shows again what was hidden."""
    for value in ("nvidia", "amd", "any"):
        opened(page, home, "?hardware=nvidia-hopper&general=no")
        box = page.locator(f"[data-facets] input[name=hardware][value='{value}']")
        number = int(box.locator("xpath=..").locator("[data-facet-count]").inner_text())
        box.check()
        drawn(page)
        assert count(page) == number
    assert count(page) == len(features)
    assert page.locator("input[name=general]").is_hidden()
    opened(page, home, "?general=no")
    assert count(page) == len(features)


def test_ways_in_which_a_hardware_is_reached_add_up(page: Page, home: str) -> None:
    for one in ("nvidia-hopper", "nvidia", "any-accelerator", "any"):
        opened(page, home, f"?hardware={one}")
        line = page.locator("[data-machine-lines] p").last.inner_text()
        assert sum(int(number) for number in re.findall(r"(\d+) (?:by|for) ", line)) == count(page)


def test_a_link_that_was_copied_is_said(page: Page, home: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened(page, home, "?q=nccl&release=2.15")
    page.locator("[data-copy]").click()
    page.locator("[data-said]", has_text="Copied").wait_for(state="attached")
    assert page.evaluate("navigator.clipboard.readText()") == address_of(page)


def test_text_that_runs_to_the_left_turns_nothing_else_about(page: Page, home: str) -> None:
    opened(page, home, "?release=2.15")
    page.locator("main input[name=q]").fill("nccl \u202ememory")
    drawn(page)
    assert "\u2068nccl \u202ememory\u2069" in page.locator("[data-status]").inner_text()


def test_suggestions_by_title_stay_without_the_words(page: Page, home: str) -> None:
    page.route("**/words.json", lambda route: route.abort())
    page.goto(home)
    box = page.locator("header input[name=q]")
    box.press_sequentially("fsdp")
    page.locator("header [role=option]").first.wait_for()
    # With each letter the words are asked for once more.
    with page.expect_event("requestfailed", lambda request: request.url.endswith("words.json")):
        box.press("2")
    page.evaluate("new Promise((done) => setTimeout(done))")
    assert page.locator("header [role=option]").first.is_visible()


def test_pages_are_read_without_what_answers(page: Page, home: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{home}about/", wait_until="networkidle")
    assert not [one for one in asked if "/finder/" in one or one.endswith(".json")]
    with page.expect_response("**/heads.json"):
        page.keyboard.press("/")

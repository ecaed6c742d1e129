"""The real site in a real browser: layout, accessibility, keyboard, and reading without scripts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_fixtures import drawn
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, ViewportSize
from site_fixtures import Build, Twins

from torchnotes.bench.serving import served
from torchnotes.library import Entry, Library
from torchnotes.links import address, feature_path
from torchnotes.model import KnownIssue
from torchnotes.terms import Grade

pytestmark = pytest.mark.browser

WIDE, NARROW = ViewportSize(width=1280, height=900), ViewportSize(width=360, height=740)
THEMES = ("light", "dark")

FIXED = {
    "home": "",
    "hopper": "hardware/nvidia-hopper/",
    "volta": "hardware/nvidia-volta/",
    "apple-m3": "hardware/apple-m3/",
    "hardware index": "hardware/",
    "release": "releases/2.15/",
    "baseline": "releases/2.13/",
    "releases": "releases/",
    "area": "areas/distributed/",
    "areas": "areas/",
    "compatibility": "compatibility/",
    "features": "features/",
    "all features": "features/all/",
    "migrate": "migrate/",
    "plan": "migrate/2.13.0-to-2.15.0/",
    "short plan": "migrate/2.14.0-to-2.14.1/",
    "rule of plans": "migrate/rule/",
    "guides": "guides/",
    "guide": "guides/apple-silicon/",
    "about": "about/",
    "contributing": "contributing/",
    "search": "search/",
    "fields": "contributing/fields/",
    "404": "no/such/page/",
}
CHOSEN: dict[str, Callable[[Entry, Library], object]] = {
    "disputed feature": lambda entry, _: entry.grade is Grade.DISPUTED and entry.feature.evidence,
    "feature with bars": lambda entry, _: any(one.comparison for one in entry.feature.performance),
    "feature with a timeline": lambda entry, library: len(library.timeline(entry)) > 2,
    "known issue": lambda entry, _: isinstance(entry.feature, KnownIssue),
    "feature with code": lambda entry, _: entry.feature.migration.before and entry.feature.migration.after,
    "feature with much": lambda entry, library: len(entry.feature.model_dump_json()) == _longest(library),
}
"""Features picked by what their pages show, so that the names of records may change."""
PAGES = (*FIXED, *CHOSEN)


def _longest(library: Library) -> int:
    return max(len(entry.feature.model_dump_json()) for entry in library.entries.values())


def _place(name: str, library: Library) -> str:
    if name in FIXED:
        return FIXED[name]
    entry = next(entry for entry in library.entries.values() if CHOSEN[name](entry, library))
    return address(feature_path(entry.id))


@pytest.fixture(scope="module")
def home(built: Build) -> Iterator[str]:
    with served(built.site) as found:
        yield found


@dataclass
class Watched:
    """A page, and what went wrong while it was shown."""

    page: Page
    origin: str
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("request", self._request)
        self.page.on("dialog", self._dialog)

    def _console(self, message: ConsoleMessage) -> None:
        # The browser reports the status of the page that is meant to be missing.
        if message.type in {"error", "warning"} and "404" not in message.text:
            self.faults.append(f"console: {message.text}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.origin, "data:", "blob:")):
            self.faults.append(f"request to {request.url}")

    def _dialog(self, dialog: Any) -> None:
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()


def _open(context: BrowserContext, home: str, place: str) -> Watched:
    watched = Watched(context.new_page(), home.partition("/torchnotes/")[0])
    watched.page.goto(home + place)
    _settle(watched.page)
    return watched


def _settle(page: Page) -> None:
    """Wait until fonts and scripts have done what they do without being asked."""
    if page.locator("tn-finder").count():
        drawn(page)
    for one in page.locator("tn-plan, tn-upgrade, tn-environment").all():
        one.and_(page.locator("[data-ready]")).wait_for()
    page.evaluate("document.fonts.ready.then(() => new Promise((done) => requestIdleCallback(done)))")


def _axe_faults(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['help']}: {node['html'][:200]} ({' '.join(node['failureSummary'].split())[:300]})"
        for one in found
        for node in one["nodes"]
    ]


def _too_wide(page: Page) -> list[str]:
    """What makes the document wider than the screen, if anything does."""
    return list(
        page.evaluate(
            """() => {
              const width = document.documentElement.clientWidth
              if (document.documentElement.scrollWidth <= width) return []
              return [...document.querySelectorAll("body *")]
                .filter((one) => one.getBoundingClientRect().right > width + 1)
                .map((one) => `${one.tagName}.${one.className}: ${one.textContent.trim().slice(0, 60)}`).slice(0, 5)
                .concat(`${document.documentElement.scrollWidth} > ${width}`)
            }"""
        )
    )


def _wrong_copies(page: Page) -> list[str]:
    """Buttons that copy something else than the code that they stand at."""
    return list(
        page.evaluate(
            """() => [...document.querySelectorAll("[data-clipboard-target]")]
              .filter((one) => !one.closest(".highlight").contains(document.querySelector(one.dataset.clipboardTarget)))
              .map((one) => `the button of "${one.closest(".highlight").textContent.trim().slice(0, 40)}" copies other code`)"""
        )
    )


def _fail_if(wrong: list[str]) -> None:
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


@pytest.fixture(scope="module", params=THEMES)
def theme(request: pytest.FixtureRequest, browser: Browser) -> Iterator[tuple[str, BrowserContext]]:
    context = browser.new_context(viewport=WIDE, color_scheme=request.param, reduced_motion="reduce")
    yield request.param, context
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_page_is_accessible_quiet_and_fits(
    name: str, theme: tuple[str, BrowserContext], home: str, real_library: Library
) -> None:
    scheme, context = theme
    watched = _open(context, home, _place(name, real_library))
    page = watched.page
    try:
        assert page.locator("body").get_attribute("data-md-color-scheme") == f"torchnotes-{scheme}"
        wrong = [f"at 1280: {one}" for one in _too_wide(page)] + _wrong_copies(page)
        wrong += _axe_faults(page)
        page.set_viewport_size(NARROW)
        wrong += [f"at 360: {one}" for one in _too_wide(page)]
        _fail_if(wrong + watched.faults)
    finally:
        page.close()


@pytest.mark.parametrize("name", ["home", "feature with much", "hopper"])
def test_narrow_page_is_accessible(
    name: str, theme: tuple[str, BrowserContext], home: str, real_library: Library
) -> None:
    """With the menu button and without the bars at the sides."""
    watched = _open(theme[1], home, _place(name, real_library))
    try:
        watched.page.set_viewport_size(NARROW)
        _fail_if(_axe_faults(watched.page) + watched.faults)
    finally:
        watched.page.close()


@pytest.fixture(scope="module")
def without_scripts(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport=WIDE, java_script_enabled=False)
    yield context
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_page_can_be_read_without_scripts(
    name: str, without_scripts: BrowserContext, home: str, real_library: Library
) -> None:
    page = without_scripts.new_page()
    try:
        page.goto(home + _place(name, real_library))
        assert page.locator("h1").is_visible()
        assert page.locator("header .md-ellipsis", has_text="unofficial").first.is_visible()
        text = page.locator("main article").inner_text()
        assert len(text) > 80
        for link in page.locator("main article a[href]:not(.headerlink)").all()[:5]:
            assert link.is_visible()
    finally:
        page.close()


def test_published_site_asks_nobody_else(browser: Browser, published: Build) -> None:
    """With a repository named, which makes Material ask its host for stars."""
    with served(published.site) as home:
        context = browser.new_context(viewport=WIDE)
        watched = _open(context, home, "")
        watched.page.wait_for_load_state("networkidle")
        _fail_if(_axe_faults(watched.page) + _too_wide(watched.page) + watched.faults)
        watched.page.set_viewport_size(NARROW)
        _fail_if(_too_wide(watched.page))
        context.close()


# ---- Keyboard -------------------------------------------------------------------------------------------------

_FOCUSED = """() => {
  const one = document.activeElement
  if (!one || one === document.body) return null
  // Material hides the switch of the colour scheme and shows its label in its place.
  const shown = one.matches(".md-option") ? one.parentElement.querySelector("label:not([hidden])") : one
  const style = getComputedStyle(shown), box = shown.getBoundingClientRect()
  return {
    name: one.matches(".md-skip") ? "skip link" : one.matches("input[name=q]") ? "search" : one.tagName,
    shown: (one.textContent || one.title || "").trim().slice(0, 40) || one.outerHTML.slice(0, 120),
    inside: one.closest("header, main, footer, nav")?.tagName,
    visible: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0,
    seen: box.width > 0 && box.height > 0 && box.bottom > 0 && box.right > 0,
  }
}"""


def test_keyboard_reaches_everything_and_shows_where_it_is(browser: Browser, home: str, real_library: Library) -> None:
    context = browser.new_context(viewport=WIDE, reduced_motion="reduce")
    page = context.new_page()
    page.goto(home + _place("disputed feature", real_library))
    _settle(page)
    found: list[dict[str, Any]] = []
    for _ in range(60):
        page.keyboard.press("Tab")
        focused = page.evaluate(_FOCUSED)
        if focused is None:
            break
        found.append(focused)
    context.close()
    assert found[0]["name"] == "skip link"
    assert "search" in [one["name"] for one in found]
    assert [one for one in found if one["inside"] == "MAIN" and one["name"] == "A"]
    _fail_if([f"no visible focus: {one}" for one in found if not one["visible"] or not one["seen"]])


def test_skip_link_leads_to_the_text(browser: Browser, home: str, real_library: Library) -> None:
    context = browser.new_context(viewport=WIDE, reduced_motion="reduce")
    page = context.new_page()
    page.goto(home + _place("known issue", real_library))
    _settle(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('article') !== null")
    context.close()


# ---- Attacks --------------------------------------------------------------------------------------------------


def test_no_text_of_a_record_runs(browser: Browser, twins: Twins) -> None:
    with served(twins.hostile_site.site) as home:
        context = browser.new_context(viewport=WIDE, reduced_motion="reduce")
        for place in ("", "features/all/", "hardware/any/", "releases/2.15/", "features/reduce-dtype-7/"):
            watched = _open(context, home, place)
            watched.page.set_viewport_size(NARROW)
            _fail_if([f"{place} at 360: {one}" for one in _too_wide(watched.page)] + watched.faults)
            watched.page.close()
        watched = _open(context, home, "features/?q=alert")
        watched.page.locator("[data-feature]").first.wait_for()
        watched.page.locator("header input[name=q]").press_sequentially("alert")
        watched.page.locator("header [role=option]").first.wait_for()
        _fail_if(watched.faults)
        context.close()

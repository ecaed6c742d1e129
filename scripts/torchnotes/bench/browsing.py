"""Built sites in a real browser: what loads, and how long it takes until there is something to read.

The only place that uses playwright, which is a dependency of the tests, not of the package.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from torchnotes.bench.query import Query
from torchnotes.bench.serving import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
"""Names and places of browsers that can be driven, the preferred first."""
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""They keep a browser from asking anybody anything, and let it run in a container."""
_TIMEOUT = 120_000
"""Milliseconds; the theme's search needs long for many records."""
_SETTLE = 150
"""Milliseconds after an action in which everything that it starts has ended."""
_ACTIONS = 30

FINDER_BOX = "main input[name=q]"
FINDER_FACETS = "main input[type=checkbox]"
_FIRST_LIST = """
() => {
  const number = Number((document.querySelector("[data-count]")?.textContent ?? "").replace(/[^0-9]/g, ""))
  const isFiltered = number > 0 && number < TOTAL
  return isFiltered && document.querySelector("[data-feature]") ? "there" : ""
}
"""
"""A number that is not that of all features, and a result."""
_SHOWN_LIST = """
() => [document.querySelector("[data-count]")?.textContent,
  ...[...document.querySelectorAll("[data-feature]")].slice(0, 5).map(one => one.dataset.feature)].join(" ")
"""
MATERIAL_BOX = ".md-search__input"
_MATERIAL_SHOWN = """
() => [...document.querySelectorAll(".md-search-result__item > a")].slice(0, 5).map(one => one.href).join(" ")
"""
_LOADED = """
window.torchnotesBench = {
  loaded(until) {
    const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    return entries.filter(one => one.responseEnd > 0 && one.responseEnd <= until)
      .reduce((sum, one) => sum + one.transferSize, 0)
  },
  when(shown, is) {
    return new Promise(resolve => {
      const timer = setInterval(() => {
        const now = performance.now()
        if (!is(shown())) return
        clearInterval(timer)
        resolve({ time: now, bytes: this.loaded(now) })
      }, 1)
    })
  },
}
"""
"""Ours, in every page: bytes of everything that has come until a time, and the time at which something is shown."""


class BrowserMissing(Exception):  # noqa: N818  (nothing is wrong; something is not there)
    """There is nothing to drive a browser with."""


@dataclass(frozen=True, slots=True)
class First:
    """The first list of a fresh browser."""

    time: float
    """Milliseconds since the navigation began."""
    bytes: float
    """Everything that had come by then, compressed, with headers."""
    all_bytes: float
    """The same when nothing loads any more."""


@dataclass(frozen=True, slots=True)
class Actions:
    """Milliseconds of script and layout that each action took."""

    keystrokes: tuple[float, ...]
    clicks: tuple[float, ...]


def _path() -> str:
    named = os.environ.get("TORCHNOTES_BROWSER")
    found = next((found for one in (named, *BROWSERS) if one and (found := shutil.which(one))), None)
    if found is None:
        raise BrowserMissing(
            "No Chromium or Chrome was found. Install one, name it in TORCHNOTES_BROWSER, or measure without: --no-browser"
        )
    return found


@contextmanager
def browser() -> Iterator["Browser"]:
    """A browser that is closed afterwards."""
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415  (users of the package do not have it)
    except ImportError:
        raise BrowserMissing(
            "playwright is not installed: it comes with the dependencies of the tests. "
            "Install those, or measure without a browser: --no-browser"
        ) from None
    path = _path()
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=list(OPTIONS))
        try:
            yield started
        finally:
            started.close()


@contextmanager
def _page(started: "Browser") -> Iterator["Page"]:
    """A page of a browser that has never been anywhere."""
    context = started.new_context(viewport={"width": 1280, "height": 900}, service_workers="block")
    context.set_default_timeout(_TIMEOUT)
    try:
        page = context.new_page()
        page.add_init_script(_LOADED)
        yield page
    finally:
        context.close()


def _first(started: "Browser", address: str, shown: str) -> First:
    """Open an address in a fresh browser and wait until something is shown."""
    with _page(started) as page:
        page.add_init_script(f"torchnotesBench.first = torchnotesBench.when({shown.strip()}, Boolean)")
        page.goto(address, wait_until="commit")
        found: dict[str, float] = page.evaluate("torchnotesBench.first")
        page.wait_for_load_state("networkidle")
        everything: float = page.evaluate("torchnotesBench.loaded(Infinity)")
        return First(found["time"], found["bytes"], everything)


def _median(firsts: list[First]) -> First:
    return First(
        median(one.time for one in firsts),
        median(one.bytes for one in firsts),
        median(one.all_bytes for one in firsts),
    )


def _several(runs: int, measure: Callable[[], First]) -> First:
    # The first one lets the server read and compress its files, and counts for nothing.
    measure()
    return _median([measure() for _ in range(runs)])


def first_list(started: "Browser", site: Path, query: Query, total: int, runs: int) -> First:
    """The finder's page with a query and a hardware in its address."""
    with served(site) as home:
        address = f"{home}features/?{urlencode({'q': query.text, 'hardware': query.hardware})}"
        return _several(runs, lambda: _first(started, address, _FIRST_LIST.replace("TOTAL", str(total))))


def ready(started: "Browser", site: Path, runs: int) -> float:
    """Milliseconds until a page of mere prose is ready: what theme and machine take, before any finder."""
    shown = '() => performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd'
    with served(site) as home:
        return _several(runs, lambda: _first(started, f"{home}about/", shown)).time


def first_material(started: "Browser", site: Path, query: Query, runs: int) -> First:
    """The theme's own search for the same words, typed as soon as there is a box; it knows no hardware."""
    with served(site) as home:
        return _several(runs, lambda: _first_material(started, home, query.text))


def _first_material(started: "Browser", home: str, text: str) -> First:
    with _page(started) as page:
        page.add_init_script(f"torchnotesBench.first = torchnotesBench.when({_MATERIAL_SHOWN.strip()}, Boolean)")
        page.goto(home, wait_until="domcontentloaded")
        _open_material(page)
        page.keyboard.type(text)
        found: dict[str, float] = page.evaluate("torchnotesBench.first")
        page.wait_for_load_state("networkidle")
        return First(found["time"], found["bytes"], page.evaluate("torchnotesBench.loaded(Infinity)"))


def _open_material(page: "Page") -> None:
    page.locator(MATERIAL_BOX).wait_for(state="attached")
    page.evaluate("box => document.querySelector(box).focus()", MATERIAL_BOX)


def next_list(started: "Browser", site: Path, query: Query) -> float:
    """Milliseconds from other words in the finder's box to their list, everything being loaded."""
    with served(site) as home, _page(started) as page:
        page.goto(f"{home}features/?{urlencode({'q': query.text})}", wait_until="networkidle")
        page.locator("[data-feature]").first.wait_for(state="attached")
        return _next(page, FINDER_BOX, _SHOWN_LIST, query)


def next_material(started: "Browser", site: Path, query: Query) -> float:
    """The same for the theme's own search."""
    with served(site) as home, _page(started) as page:
        page.goto(home, wait_until="networkidle")
        _open_material(page)
        page.keyboard.type(query.text)
        page.wait_for_function(f"{_MATERIAL_SHOWN.strip()}")
        return _next(page, MATERIAL_BOX, _MATERIAL_SHOWN, query)


def _next(page: "Page", box: str, shown: str, query: Query) -> float:
    """Median time from an input to another list."""
    times = []
    for word in query.next_words:
        page.wait_for_timeout(_SETTLE)
        page.evaluate("box => { const found = document.querySelector(box); found.focus(); found.select() }", box)
        page.evaluate(
            f"""box => {{
              const shown = {shown.strip()}
              const before = shown()
              let start = Infinity
              document.querySelector(box).addEventListener("input", () => {{ start = performance.now() }}, {{ capture: true, once: true }})
              torchnotesBench.next = torchnotesBench.when(shown, now => now && now !== before).then(one => one.time - start)
            }}""",
            box,
        )
        page.keyboard.insert_text(word)
        # The theme's search listens to keys, not to the input.
        page.keyboard.press("End")
        times.append(float(page.evaluate("torchnotesBench.next")))
    return median(times)


def actions(started: "Browser", site: Path, query: Query) -> Actions:
    """Typing into the finder, letter by letter, and choosing facets, with all features and everything loaded."""
    with served(site) as home, _page(started) as page:
        page.goto(f"{home}features/", wait_until="networkidle")
        page.locator("[data-feature]").first.wait_for(state="attached")
        spent = _Spent(page)
        keystrokes = [spent.by(partial(page.keyboard.press, letter)) for letter in _letters(page, query)]
        page.goto(f"{home}features/", wait_until="networkidle")
        page.locator("[data-feature]").first.wait_for(state="attached")
        clicks = []
        for number in _facets(page):
            # Chosen, and given up again.
            clicks += [spent.by(partial(_click, page, number)) for _ in range(2)]
        return Actions(tuple(keystrokes), tuple(clicks))


def _letters(page: "Page", query: Query) -> Iterator[str]:
    """Letters of words, the box being emptied before each word (which is not measured)."""
    left = _ACTIONS
    for word in query.next_words:
        page.evaluate("box => { const found = document.querySelector(box); found.focus(); found.select() }", FINDER_BOX)
        page.wait_for_timeout(_SETTLE)
        yield from word[:left]
        left -= len(word[:left])


def _facets(page: "Page") -> list[int]:
    """Places of facets, from all over the list of them."""
    count = page.locator(FINDER_FACETS).count()
    return sorted({round(step * (count - 1) / (_ACTIONS / 2 - 1)) for step in range(_ACTIONS // 2)}) if count else []


def _click(page: "Page", number: int) -> None:
    page.evaluate("([facets, number]) => document.querySelectorAll(facets)[number]?.click()", [FINDER_FACETS, number])


class _Spent:
    """Reads from the browser how long the page's scripts and layout have run."""

    def __init__(self, page: "Page") -> None:
        self._page = page
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable")

    def _now(self) -> float:
        answer: Any = self._session.send("Performance.getMetrics")
        counted = {one["name"]: one["value"] for one in answer["metrics"]}
        return 1_000 * float(sum(counted[one] for one in ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration")))

    def by(self, act: Callable[[], None]) -> float:
        """Milliseconds that an action and all that it starts take."""
        before = self._now()
        act()
        self._page.wait_for_timeout(_SETTLE)
        return self._now() - before

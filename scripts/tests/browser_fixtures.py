"""A real browser, and pages of the built site in it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, sync_playwright
from site_fixtures import Build

from torchnotes.bench.browsing import BROWSERS, OPTIONS
from torchnotes.bench.serving import served


def browser_path() -> str | None:
    """Where Chromium or Chrome is, if it is installed."""
    named = os.environ.get("TORCHNOTES_BROWSER")
    return next((found for one in (named, *BROWSERS) if one and (found := shutil.which(one))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for the whole run."""
    path = browser_path()
    if path is None:
        pytest.fail(
            "These tests need Chromium or Chrome: install it, name it in TORCHNOTES_BROWSER, "
            "or leave them out with `sh scripts/test.sh --no-browser`.",
            pytrace=False,
        )
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=list(OPTIONS))
        yield started
        started.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page of the module's own ``context``, in which no script may fail and no dialog may open."""
    made = context.new_page()
    faults: list[str] = []

    def answered(dialog: Dialog) -> None:
        faults.append(dialog.message)
        dialog.dismiss()

    made.on("pageerror", lambda error: faults.append(str(error)))
    made.on("dialog", answered)
    yield made
    made.close()
    assert faults == []


def drawn(page: Page) -> None:
    """Wait until the finder has drawn what it was asked for, with all that it loads.

    The page's own steps, taken after it: a frame and a timer until it asks for the words, the words, and the frame in
    which they are drawn. Each queue is first in, first out, so that it is ahead at each step however slow the machine.
    """
    page.locator("tn-finder[data-ready]").wait_for()
    page.evaluate(
        """async () => {
          const frame = () => new Promise((done) => requestAnimationFrame(done))
          const { openIndex } = await import(new URL("../assets/javascripts/finder/store.js", document.baseURI))
          await frame()
          await new Promise((done) => setTimeout(done))
          await (await openIndex()).words
          await frame()
        }"""
    )


def address_of(page: Page) -> str:
    """The page's address, asked of the page: the driver hears of a change a little later."""
    return str(page.evaluate("location.href"))


@contextmanager
def page_with_modules(browser: Browser, built: Build, script: str) -> Iterator[Page]:
    """A plain page of the built site, after a script that gets the site's address and puts modules within reach."""
    with served(built.site) as home:
        context = browser.new_context()
        page = context.new_page()
        page.goto(home + "about/")
        page.evaluate(script, home)
        yield page
        context.close()

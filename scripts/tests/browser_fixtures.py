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

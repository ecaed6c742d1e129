"""Names of the public API in the search box: each leads to its place, and none crowds out a page."""

from collections.abc import Iterator

import pytest
from browser_fixtures import page_with_modules
from playwright.sync_api import Browser, Page
from site_fixtures import Build

from torchnotes.library import Library

pytestmark = pytest.mark.browser

FOUND = "(text) => window.pagesFor(window.index, text).map((one) => [one.label, one.url])"


@pytest.fixture(scope="module")
def engine(browser: Browser, built: Build) -> Iterator[Page]:
    script = """async (home) => {
          const at = (name) => import(`${home}assets/javascripts/finder/${name}.js`)
          const [store, search] = await Promise.all(["store", "search"].map(at))
          window.pagesFor = search.pagesFor
          window.index = await store.openIndex()
          window.before = window.pagesFor(window.index, "torch.foreach.abs").length
          await window.index.words
        }"""
    with page_with_modules(browser, built, script) as page:
        yield page


def _found(engine: Page, text: str) -> list[tuple[str, str]]:
    return [(label, url.partition("/releases/")[2]) for label, url in engine.evaluate(FOUND, text)]


def test_names_come_with_the_words(engine: Page) -> None:
    assert engine.evaluate("window.before") == 0
    assert _found(engine, "torch.foreach.abs")[0] == ("torch.foreach.abs", "2.15/api/#torch.foreach.abs")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Torch.Linalg.Polar", "2.14/api/#torch.linalg.polar"),
        ("aten::linalg_polar", "2.14/api/#aten::linalg_polar"),
        ("TORCH_DIST_NAN_CHECK", "2.14/api/#TORCH_DIST_NAN_CHECK"),
        ("FunctionEvent.metadata_json", "2.15/api/#torch.autograd.profiler.FunctionEvent.metadata_json"),
        ("reduce_event", "2.15/api/#torch.multiprocessing.reductions.reduce_event"),
    ],
)
def test_name_leads_to_its_place(engine: Page, text: str, place: str) -> None:
    assert place in [url for _, url in _found(engine, text)]


def test_a_word_of_many_names_leaves_room_for_pages(engine: Page) -> None:
    assert len([label for label, _ in _found(engine, "foreach") if label.startswith("torch.foreach.")]) == 2
    labels = [label for label, _ in _found(engine, "nccl")]
    assert labels[0] == "NCCL"


def test_every_name_of_the_index_is_on_its_page(engine: Page, built: Build, real_library: Library) -> None:
    names = engine.evaluate("window.index.apiNames.map((one) => [one.title, one.url])")
    assert len(names) > 300
    for release_id in real_library.api:
        html = (built.site / "releases" / release_id / "api" / "index.html").read_text(encoding="utf-8")
        for name, url in names:
            if f"/releases/{release_id}/api/#" in url:
                assert f'id="{name}"' in html, name

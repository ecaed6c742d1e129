"""Relative addresses between every two sorts of page."""

from itertools import product
from urllib.parse import urljoin

import pytest

from torchnotes.links import address, area_path, feature_path, hardware_path, href, release_path

PAGES = {
    "index.md": "",
    "features/index.md": "features/",
    "features/all.md": "features/all/",
    feature_path("some-record"): "features/some-record/",
    release_path("2.15"): "releases/2.15/",
    "releases/index.md": "releases/",
    hardware_path("nvidia-hopper"): "hardware/nvidia-hopper/",
    "hardware/index.md": "hardware/",
    area_path("mps"): "areas/mps/",
    "areas/index.md": "areas/",
    "compatibility.md": "compatibility/",
    "contributing.md": "contributing/",
    "contributing/fields.md": "contributing/fields/",
}
FILES = {"api/v1/features.json": "api/v1/features.json", "assets/images/mark.svg": "assets/images/mark.svg"}
ANCHORS = {f"{page}#part": f"{place}#part" for page, place in PAGES.items()}
SITES = ("http://127.0.0.1:8000/", "https://someone.github.io/torchnotes/", "https://example.org/a/b/")


@pytest.mark.parametrize(("page", "place"), [*PAGES.items(), *FILES.items(), *ANCHORS.items()])
def test_address(page: str, place: str) -> None:
    assert address(page) == place


@pytest.mark.parametrize(("start", "target"), list(product(PAGES, PAGES | FILES | ANCHORS)))
def test_href_leads_to_the_target_wherever_the_site_lies(start: str, target: str) -> None:
    relative = href(start, target)
    assert not relative.startswith("/")
    assert relative
    for site in SITES:
        assert urljoin(site + PAGES[start], relative) == site + (PAGES | FILES | ANCHORS)[target]

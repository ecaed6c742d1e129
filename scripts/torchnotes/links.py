"""Addresses: which page lies where, and how one page names another.

Links are relative, so the site works below any path. The addresses are permanent.
"""

import posixpath
import re


def feature_path(feature_id: str) -> str:
    """Source path of a feature's page."""
    return f"features/{feature_id}.md"


def release_path(release_id: str) -> str:
    """Source path of a release's page."""
    return f"releases/{release_id}.md"


def api_path(release_id: str) -> str:
    """Source path of the page with what a release changed in the public API."""
    return f"releases/{release_id}/api.md"


def api_anchor(name: str) -> str:
    """The id of a name on such a page: the name itself, as far as an id and an address can hold it."""
    return re.sub(r"[^A-Za-z0-9_.:-]", "-", name)


def hardware_path(hardware_id: str) -> str:
    """Source path of a hardware's page."""
    return f"hardware/{hardware_id}.md"


def area_path(area_id: str) -> str:
    """Source path of an area's page."""
    return f"areas/{area_id}.md"


def plan_path(way_id: str) -> str:
    """Source path of an upgrade's plan."""
    return f"migrate/{way_id}.md"


COMPANIONS_PATH = "compatibility/companions.md"
"""Source path of the page about packages that people use beside PyTorch; each has its name as anchor."""


def address(path: str) -> str:
    """Address of a page or file, from the site's root: ``features/x.md`` → ``features/x/``."""
    page, _, anchor = path.partition("#")
    if posixpath.basename(page) == "index.md":
        page = page.removesuffix("index.md")
    elif page.endswith(".md"):
        page = page.removesuffix(".md") + "/"
    return f"{page}#{anchor}" if anchor else page


def href(start: str, target: str) -> str:
    """Relative address of ``target`` as seen from the page ``start`` (both source paths)."""
    page, _, anchor = target.partition("#")
    here, there = address(start), address(page)
    relative = posixpath.relpath("/" + there, "/" + here)
    if there.endswith("/") or not there:
        relative = "./" if relative == "." else relative + "/"
    return f"{relative}#{anchor}" if anchor else relative

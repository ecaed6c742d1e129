"""One built site, read as a browser reads it → everything that is wrong with it. Asks no server and runs nothing.

Importable and pure but for reading files below the site's folder; ``test_site_check.py`` shows each fault once.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from posixpath import normpath
from urllib.parse import unquote, urlsplit

from justhtml import JustHTML

MAX_BYTES = 60_000_000
"""Bar for the whole site; above what 500 records need, far below what a mistake in the navigation makes."""

ALLOWED_PARSE_ERRORS: dict[str, str] = {}
"""Code of a parse error → why the theme's own templates may cause it. Material 9.8 causes none."""

ALLOWED_LABELS = {"__toc"}
"""Material writes a label for the table of contents' checkbox on pages that are not in the navigation, where the
checkbox is left out. The label is inside a part that is hidden there."""

# What makes a browser fetch something while it shows the page. `<a href>` does not.
_LOADS = {
    ("script", "src"),
    ("img", "src"),
    ("img", "srcset"),
    ("source", "src"),
    ("source", "srcset"),
    ("video", "src"),
    ("video", "poster"),
    ("audio", "src"),
    ("iframe", "src"),
    ("embed", "src"),
    ("object", "data"),
    ("form", "action"),
}
# Relations of <link> that name an address without fetching it.
_LINKS_NOT_LOADED = {"canonical", "prev", "next", "edit", "alternate"}
_OUTSIDE = re.compile(r"^(https?:)?//", re.IGNORECASE)
_CSS_ADDRESS = re.compile(r"""(?:@import\s+|url\(\s*)(?:url\(\s*)?["']?([^"')\s;]+)""")

_CHILDREN = {
    "ul": {"li", "script", "template"},
    "ol": {"li", "script", "template"},
    "dl": {"dt", "dd", "div", "script", "template"},
    "tr": {"th", "td", "script", "template"},
    "thead": {"tr", "script", "template"},
    "tbody": {"tr", "script", "template"},
}
"""Elements whose children HTML limits, where a parser does not complain."""


@dataclass(frozen=True, order=True, slots=True)
class Fault:
    """Something wrong on one page or in one file."""

    path: str
    """From the site's root."""
    rule: str
    what: str

    def __str__(self) -> str:
        return f"{self.path}: {self.what} [{self.rule}]"


@dataclass(frozen=True, slots=True)
class Node:
    """An element with its attributes."""

    name: str
    attributes: dict[str, str]
    text: str
    """Its text, of what is below it too."""
    children: tuple[str, ...]
    """Names of the elements directly below it."""
    inside: tuple[str, ...]
    """Names of the elements around it, the outermost first, each with its classes: ``footer.md-footer``."""


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A parsed page."""

    path: str
    """From the site's root."""
    nodes: tuple[Node, ...]
    errors: tuple[str, ...]
    """Codes of the parser's complaints, with their place."""

    def all(self, name: str) -> list[Node]:
        """Elements of one name, in the order of the page."""
        return [node for node in self.nodes if node.name == name]

    @property
    def ids(self) -> list[str]:
        """Every id, as often as it is there."""
        return [node.attributes["id"] for node in self.nodes if "id" in node.attributes]

    def text_in(self, name: str) -> str:
        """Text of the first element of a name, whitespace folded; empty when there is none."""
        return " ".join(next((node.text for node in self.nodes if node.name == name), "").split())


def parsed(path: str, text: str) -> HtmlPage:
    """A page as a browser's parser builds it."""
    document = JustHTML(text, collect_errors=True, sanitize=False)
    nodes: list[Node] = []

    def walk(element: object, inside: tuple[str, ...]) -> str:
        children = getattr(element, "children", None) or ()
        name = str(getattr(element, "name", ""))
        if name == "#text":
            return str(getattr(element, "data", "") or "")
        if name.startswith(("#comment", "!")):
            return ""
        if name.startswith("#"):
            return "".join(walk(child, inside) for child in children)
        attributes = {key: value or "" for key, value in (getattr(element, "attrs", None) or {}).items()}
        place = len(nodes)
        nodes.append(Node(name, attributes, "", (), inside))
        around = (*inside, ".".join([name, *attributes.get("class", "").split()]))
        text = "".join(walk(child, around) for child in children)
        names = tuple(str(child.name) for child in children if not str(child.name).startswith(("#", "!")))
        nodes[place] = Node(name, attributes, text, names, inside)
        return text

    walk(document.root, ())
    errors = tuple(f"{one.code} at {one.line}:{one.column}" for one in document.errors)
    return HtmlPage(path, tuple(nodes), errors)


class _RepeatedAttributes(HTMLParser):
    """The tree keeps only the first of two attributes of one name; this sees both."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        self.found += [f"<{tag}> has two attributes '{name}'" for name in dict.fromkeys(names) if names.count(name) > 1]


def pages_below(site: Path) -> dict[str, HtmlPage]:
    """Every page of a site by its path from the site's root."""
    found = {}
    for path in sorted(site.rglob("*.html")):
        shown = path.relative_to(site).as_posix()
        found[shown] = parsed(shown, path.read_text(encoding="utf-8"))
    return found


@dataclass(frozen=True, slots=True)
class _Site:
    """What is needed to follow an address."""

    root: Path
    base: str
    anchors: dict[str, set[str]]
    """Path of a page → the ids and names on it."""


def faults_of(site: Path, base: str, records: frozenset[str] = frozenset()) -> list[Fault]:
    """Everything that is wrong with the site that will lie below the path ``base`` (``/torchnotes/``).

    ``records`` are the addresses of pages that must not stand in the navigation.
    """
    pages = pages_below(site)
    if not pages:
        return [Fault(".", "no-pages", "there is no page")]
    names = {path: {one.attributes.get("name", "") for one in page.all("a")} for path, page in pages.items()}
    whole = _Site(site, base, {path: names[path] | set(page.ids) for path, page in pages.items()})
    found: list[Fault] = []
    for page in pages.values():
        found += _markup_faults(page, (site / page.path).read_text(encoding="utf-8"))
        found += _frame_faults(page)
        found += _navigation_faults(page, base, records)
        found += _address_faults(page, whole)
    for path in sorted(site.rglob("*")):
        shown = path.relative_to(site).as_posix()
        if path.suffix in {".css", ".svg"}:
            found += _style_faults(shown, path.read_text(encoding="utf-8"), site)
        elif path.suffix == ".json":
            try:
                json.loads(path.read_text(encoding="utf-8"))
            except ValueError as error:
                found.append(Fault(shown, "json", f"not JSON: {error}"))
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    if size > MAX_BYTES:
        found.append(Fault(".", "size", f"the site has {size:,} bytes; at most {MAX_BYTES:,} are due"))
    return sorted(set(found))


def _markup_faults(page: HtmlPage, text: str) -> Iterator[Fault]:
    for error in page.errors:
        if error.split(" ")[0] not in ALLOWED_PARSE_ERRORS:
            yield Fault(page.path, "parse", f"not valid HTML: {error}")
    repeated = _RepeatedAttributes()
    repeated.feed(text)
    for what in repeated.found:
        yield Fault(page.path, "attribute", what)
    for one in sorted({one for one in page.ids if page.ids.count(one) > 1}):
        yield Fault(page.path, "id", f"the id '{one}' is there {page.ids.count(one)} times")
    if "" in page.ids:
        yield Fault(page.path, "id", "an id is empty")
    known = set(page.ids)
    for node in page.nodes:
        for name in ("aria-labelledby", "aria-describedby", "aria-controls", "for"):
            for one in node.attributes.get(name, "").split():
                if one not in known and one not in ALLOWED_LABELS:
                    yield Fault(page.path, "id", f"{name}='{one}' of <{node.name}> names nothing")
        wrong = [child for child in node.children if child not in _CHILDREN.get(node.name, {child})]
        for child in dict.fromkeys(wrong):
            yield Fault(page.path, "content", f"<{child}> directly inside <{node.name}>")
        handlers = [name for name in node.attributes if name.startswith("on")]
        for name in handlers:
            yield Fault(page.path, "handler", f"<{node.name}> has the attribute '{name}'")


def _frame_faults(page: HtmlPage) -> Iterator[Fault]:
    headings = [node for node in page.all("h1") if node.text.strip()]
    if len(page.all("h1")) != 1 or not headings:
        yield Fault(page.path, "h1", f"{len(page.all('h1'))} headings <h1>, {len(headings)} with text; 1 is due")
    titles = [node for node in page.all("title") if "head" in node.inside]
    if len(titles) != 1 or not titles[0].text.strip():
        yield Fault(page.path, "title", "no title, or several")
    if not any(node.attributes.get("lang") for node in page.all("html")):
        yield Fault(page.path, "lang", "<html> names no language")
    descriptions = [
        node.attributes.get("content", "").strip()
        for node in page.all("meta")
        if node.attributes.get("name") == "description"
    ]
    if len(descriptions) != 1 or not descriptions[0]:
        yield Fault(page.path, "description", f"{len(descriptions)} descriptions; 1 with text is due")
    if "unofficial" not in page.text_in("header").lower():
        yield Fault(page.path, "unofficial", "the header does not say 'unofficial'")
    if "trademark" not in page.text_in("footer").lower():
        yield Fault(page.path, "trademark", "the footer does not say whose trademark it is")


def _navigation_faults(page: HtmlPage, base: str, records: frozenset[str]) -> Iterator[Fault]:
    for node in page.all("a"):
        if not any(one.startswith("nav.md-nav--primary") or ".md-nav--primary" in one for one in node.inside):
            continue
        if any(".md-nav--secondary" in one for one in node.inside):
            continue  # the page's own table of contents, which small screens show inside the navigation
        path = _site_path(page.path, node.attributes.get("href", ""), base)
        if path is None:
            continue
        target = path.removesuffix("index.html")
        if target in records and _address(page.path) != target:
            yield Fault(page.path, "navigation", f"the navigation holds the record {target}")


def _address(path: str) -> str:
    return path.removesuffix("index.html")


def _site_path(page: str, address: str, base: str) -> str | None:
    """The file or folder that an address on a page names, from the site's root; None when it lies outside."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return None
    path = unquote(parts.path)
    if not path:
        return page
    if path.startswith("/"):
        if not path.startswith(base):
            return f"..{path}"
        joined = path.removeprefix(base)
    else:
        joined = str(PurePosixPath(page).parent / path)
        joined += "/" if path.endswith(("/", "/.", "/..")) or path in {".", ".."} else ""
    clean = normpath(joined) if joined else "."
    if clean == ".":
        return "index.html"
    return f"{clean}/index.html" if joined.endswith("/") else clean


def _address_faults(page: HtmlPage, site: _Site) -> Iterator[Fault]:
    for node in page.nodes:
        relations = set(node.attributes.get("rel", "").lower().split())
        for name in ("href", "src", "srcset", "poster", "data", "action"):
            if name not in node.attributes or node.name == "use":
                continue
            address = node.attributes[name].strip()
            loads = (node.name, name) in _LOADS or (node.name == "link" and not relations <= _LINKS_NOT_LOADED)
            if _OUTSIDE.match(address):
                if loads:
                    yield Fault(page.path, "outside", f"<{node.name} {name}> loads {address}")
                elif node.name == "link" and "canonical" in relations and site.base not in address:
                    yield Fault(page.path, "canonical", f"canonical address {address} does not lie below {site.base}")
                continue
            scheme = urlsplit(address).scheme.lower()
            if scheme and scheme not in {"mailto", "data"}:
                yield Fault(page.path, "scheme", f"<{node.name} {name}> begins with {scheme}:")
            if scheme:
                continue
            yield from _dead(page, node, name, address, site)
        if style := node.attributes.get("style"):
            yield from _outside_styles(page.path, style)
        if node.name == "style":
            yield from _outside_styles(page.path, node.text)
        if node.name == "meta" and node.attributes.get("http-equiv", "").lower() == "refresh":
            target = node.attributes.get("content", "").partition("url=")[2]
            yield from _dead(page, node, "refresh", target, site)


def _dead(page: HtmlPage, node: Node, name: str, address: str, site: _Site) -> Iterator[Fault]:
    shown = f"<{node.name} {name}='{address}'>"
    if not address and name in {"href", "src"} and node.name in {"img", "script"}:
        yield Fault(page.path, "dead", f"{shown} is empty")
        return
    path = _site_path(page.path, address, site.base)
    if path is None:
        return
    if path.startswith(".."):
        yield Fault(page.path, "dead", f"{shown} leaves the site")
        return
    target = site.root / path
    if target.is_dir():
        if not address.partition("#")[0].endswith("/"):
            yield Fault(page.path, "dead", f"{shown} names a folder without its slash")
        return
    if not target.is_file():
        yield Fault(page.path, "dead", f"{shown} leads nowhere")
        return
    anchor = unquote(urlsplit(address).fragment)
    # Material's search and header use `#__search` and the like, which are ids too; `#` alone is the top.
    if anchor and anchor not in site.anchors.get(path, {anchor}):
        yield Fault(page.path, "anchor", f"{shown}: no such anchor on {path}")


def _outside_styles(path: str, text: str) -> Iterator[Fault]:
    for address in _CSS_ADDRESS.findall(text):
        if _OUTSIDE.match(address):
            yield Fault(path, "outside", f"a style loads {address}")


def _style_faults(path: str, text: str, site: Path) -> Iterator[Fault]:
    yield from _outside_styles(path, text)
    if not path.endswith(".css"):
        return
    for address in _CSS_ADDRESS.findall(text):
        if _OUTSIDE.match(address) or address.startswith(("data:", "#")):
            continue
        target = normpath(str(PurePosixPath(path).parent / address.split("?")[0].split("#")[0]))
        if not (site / target).is_file():
            yield Fault(path, "dead", f"url({address}) leads nowhere")

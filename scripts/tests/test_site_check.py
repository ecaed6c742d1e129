"""The offline checker finds each fault that it is there for, and nothing on a site without one."""

from pathlib import Path

import pytest
from site_check import MAX_BYTES, Fault, faults_of

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A page</title>
<meta name="description" content="What it says."><link rel="stylesheet" href="{up}style.css">
<link rel="canonical" href="https://example.org/torchnotes/">
</head><body>
<header>torchnotes, unofficial</header>
<nav class="md-nav md-nav--primary"><a href="{up}">Home</a></nav>
<main><h1 id="top">A page</h1><p><a href="#top">top</a> <a href="{up}a/#top">a</a> <a href="https://else.org">else</a></p>
{extra}</main>
<footer>A trademark line.</footer></body></html>
"""


def _site(folder: Path, extra: str = "", page: str = _PAGE, style: str = "p { color: red }") -> Path:
    (folder / "a").mkdir()
    (folder / "index.html").write_text(page.format(up="./", extra=extra), encoding="utf-8")
    (folder / "a" / "index.html").write_text(_PAGE.format(up="../", extra=""), encoding="utf-8")
    absolute = _PAGE.format(up="/torchnotes/", extra="")
    (folder / "404.html").write_text(absolute, encoding="utf-8")
    (folder / "style.css").write_text(style, encoding="utf-8")
    (folder / "data.json").write_text("{}", encoding="utf-8")
    return folder


def _rules(site: Path) -> set[tuple[str, str]]:
    return {(fault.path, fault.rule) for fault in faults_of(site, "/torchnotes/", frozenset({"a/"}))}


def test_a_good_site_has_no_fault(tmp_path: Path) -> None:
    assert faults_of(_site(tmp_path), "/torchnotes/", frozenset({"a/"})) == []


@pytest.mark.parametrize(
    ("extra", "rule"),
    [
        ('<a href="b/">x</a>', "dead"),
        ('<a href="a">x</a>', "dead"),
        ('<a href="/a/">x</a>', "dead"),
        ('<a href="../">x</a>', "dead"),
        ('<a href="../../torchnotes/">x</a>', "dead"),
        ('<img src="no.png" alt="">', "dead"),
        ('<img src="" alt="">', "dead"),
        ('<meta http-equiv="refresh" content="0; url=no/">', "dead"),
        ('<a href="a/#no">x</a>', "anchor"),
        ('<a href="#no">x</a>', "anchor"),
        ('<p id="top">x</p>', "id"),
        ('<p id="">x</p>', "id"),
        ('<p aria-labelledby="no">x</p>', "id"),
        ('<p class="a" class="b">x</p>', "attribute"),
        ("<p><ul><li>x</li></ul></p>", "parse"),
        ("</b>", "parse"),
        ("<ul><p>x</p></ul>", "content"),
        ('<b onclick="x()">x</b>', "handler"),
        ('<a href="javascript:x()">x</a>', "scheme"),
        ("<h1>Another</h1>", "h1"),
        ('<script src="https://cdn.example/x.js"></script>', "outside"),
        ('<script src="//cdn.example/x.js"></script>', "outside"),
        ('<link rel="stylesheet" href="https://cdn.example/x.css">', "outside"),
        ('<link rel="preconnect" href="https://cdn.example">', "outside"),
        ('<img src="http://cdn.example/x.png" alt="">', "outside"),
        ('<iframe src="https://cdn.example/"></iframe>', "outside"),
        ('<form action="https://cdn.example/"></form>', "outside"),
        ('<p style="background: url(https://cdn.example/x.png)">x</p>', "outside"),
        ("<style>@import 'https://cdn.example/x.css';</style>", "outside"),
        ('<nav class="md-nav md-nav--primary"><a href="a/">x</a></nav>', "navigation"),
        ('<link rel="canonical" href="https://example.org/else/">', "canonical"),
    ],
)
def test_a_fault_is_found(extra: str, rule: str, tmp_path: Path) -> None:
    assert _rules(_site(tmp_path, extra)) == {("index.html", rule)}


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ('lang="en"', "", "lang"),
        ("<title>A page</title>", "<title> </title>", "title"),
        ("What it says.", "", "description"),
        ("unofficial", "", "unofficial"),
        ("trademark", "", "trademark"),
        ('<h1 id="top">A page</h1>', '<h1 id="top"></h1>', "h1"),
    ],
)
def test_what_every_page_needs_is_missed(old: str, new: str, rule: str, tmp_path: Path) -> None:
    assert (("index.html", rule)) in _rules(_site(tmp_path, page=_PAGE.replace(old, new)))


@pytest.mark.parametrize(
    ("style", "rule"),
    [
        ("@import url('https://cdn.example/x.css');", "outside"),
        ("p { background: url(//cdn.example/x.png) }", "outside"),
        ("@font-face { src: url('no.woff2') }", "dead"),
    ],
)
def test_a_style_sheet_is_read_too(style: str, rule: str, tmp_path: Path) -> None:
    assert _rules(_site(tmp_path, style=style)) == {("style.css", rule)}


def test_broken_json_and_a_huge_file_are_found(tmp_path: Path) -> None:
    site = _site(tmp_path)
    (site / "data.json").write_text("{", encoding="utf-8")
    with (site / "big.bin").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    assert _rules(site) == {("data.json", "json"), (".", "size")}


def test_an_empty_site_is_a_fault(tmp_path: Path) -> None:
    assert faults_of(tmp_path, "/torchnotes/") == [Fault(".", "no-pages", "there is no page")]

"""A real browser, and a server that lies below a path as the published site does."""

import functools
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright
from site_fixtures import BASE

from torchnotes.bench.browsing import BROWSERS, OPTIONS


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


class _Handler(SimpleHTTPRequestHandler):
    """Files of a site below ``BASE``, and its own page for what is not there."""

    def translate_path(self, path: str) -> str:
        if not path.startswith(BASE):
            return os.path.join(self.directory, "no-such-file")
        return super().translate_path("/" + path.removeprefix(BASE))

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(self.directory) / "404.html"
        if code != 404 or not page.is_file():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: Any) -> None:
        pass


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve a built site; the address of its home page."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Handler, directory=str(site)))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}{BASE}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

"""A built site on this machine, as a host serves it: compressed, below a path, with its own page for what is not there."""

import gzip
import mimetypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

BASE = "/torchnotes/"
"""Path of the site: where a local build thinks that it lies."""
_COMPRESSED = (".css", ".html", ".js", ".json", ".svg", ".xml")
_LEVEL = 6
"""What hosts commonly use."""


class _Files:
    """Files of a site, each read and compressed once: the figures are the browser's, not this server's."""

    def __init__(self, site: Path) -> None:
        self._site = site
        self._kept: dict[str, bytes | None] = {}

    def body(self, path: str) -> bytes | None:
        """A file as it is sent; None when there is none."""
        if path not in self._kept:
            file = (self._site / path).resolve()
            there = file.is_file() and file.is_relative_to(self._site.resolve())
            data = file.read_bytes() if there else None
            self._kept[path] = gzip.compress(data, _LEVEL) if data and path.endswith(_COMPRESSED) else data
        return self._kept[path]


class _Handler(BaseHTTPRequestHandler):
    """Answers for files below ``BASE``."""

    protocol_version = "HTTP/1.1"
    # Head and body leave together and at once: else each answer waits 40 ms for the other side to confirm its head.
    wbufsize = -1
    disable_nagle_algorithm = True

    def __init__(self, files: _Files, *arguments: object) -> None:
        self._files = files
        super().__init__(*arguments)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        inside = path.removeprefix(BASE) if path.startswith(BASE) else "no-such-file"
        inside += "index.html" if not inside or inside.endswith("/") else ""
        body = self._files.body(inside)
        self.send_response(HTTPStatus.OK if body is not None else HTTPStatus.NOT_FOUND)
        if body is None:
            inside = "404.html"
            body = self._files.body(inside)
        if body is not None:
            self.send_header("Content-Type", mimetypes.guess_type(inside)[0] or "application/octet-stream")
            if inside.endswith(_COMPRESSED):
                self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve a built site; the address of its home page."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, _Files(site)))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}{BASE}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

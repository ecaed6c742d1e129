"""``mkdocs serve`` while somebody writes: changes show up, and a mistake is told without taking the site away."""

import re
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import builders
import pytest
from site_fixtures import MKDOCS, clean_environment, copy_of_project

from torchnotes.bench.serving import BASE

PATIENCE = 60
"""Seconds. A rebuild takes about one; a busy machine may take far longer."""


@dataclass
class Server:
    """A running ``mkdocs serve``."""

    root: Path
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def home(self) -> str:
        """Address of the home page, from what the server printed; empty until it has."""
        found = re.search(r"Serving on (http://\S+)", self.printed)
        return found.group(1) if found else ""

    @property
    def printed(self) -> str:
        """Everything it has printed so far."""
        return self.log.read_text(encoding="utf-8")

    def page(self, place: str) -> str:
        """A page as it is served now; its status when there is none."""
        try:
            with urllib.request.urlopen(self.home + place, timeout=PATIENCE) as answer:  # noqa: S310
                text: str = answer.read().decode()
                return text
        except urllib.error.HTTPError as error:
            with error:
                return f"status {error.code}"

    def until(self, what: str, is_so: Callable[[], bool]) -> None:
        """Wait until something is so."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if is_so():
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.2)
        pytest.fail(f"{what}: not within {PATIENCE} s. The server printed:\n{self.printed}", pytrace=False)

    def edit(self, path: str, old: str, new: str) -> None:
        """Change a data file as an editor does."""
        file = self.root / "data" / path
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        port: int = one.getsockname()[1]
        return port


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """The small knowledge base, served on a free port."""
    data = builders.write_base(tmp_path / "base") / "data"
    root = copy_of_project(tmp_path / "project", data)
    log = tmp_path / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*MKDOCS, "serve", "--dev-addr", f"127.0.0.1:{_free_port()}"],
            cwd=root,
            env=clean_environment(PYTHONUNBUFFERED="1"),
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        started = Server(root, process, log)
        try:
            started.until("start", lambda: bool(started.home))
            yield started
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE)


PLACE = "features/tensor-polar/"


def _page_alone(server: Server, place: str) -> str:
    """A page without the numbers by which the browser knows that it is out of date."""
    return re.sub(r"livereload\(\d+, \d+\)", "", server.page(place))


def test_writing_shows_up_and_a_mistake_is_told(server: Server) -> None:
    assert server.home.endswith(BASE)
    assert "torch.linalg.polar" in server.page(PLACE)
    others = {
        place: _page_alone(server, place) for place in ("features/fast-softmax/", "about/", "contributing/fields/")
    }
    assert all("md-nav__link" in page for page in others.values())

    server.edit(builders.POLAR, "is what this record is about", "is now said anew")
    server.until("the change on the page", lambda: "is now said anew" in server.page(PLACE))
    # What was not touched is not rendered again, and is the same with its table of contents and title.
    assert {place: _page_alone(server, place) for place in others} == others

    server.edit(builders.POLAR, "kind: new-feature", "kind: new-nonsense")
    server.until("the report", lambda: "[unknown-word]" in server.printed)
    assert f"data/{builders.POLAR}:" in server.printed
    assert "Traceback" not in server.printed
    assert "is now said anew" in server.page(PLACE)

    server.edit(builders.POLAR, "is now said anew", "is mended")
    server.edit(builders.POLAR, "kind: new-nonsense", "kind: new-feature")
    server.until("the mended page", lambda: "is mended" in server.page(PLACE))
    assert server.process.poll() is None


def test_a_new_record_gets_its_page(server: Server) -> None:
    assert server.page("features/tensor-sqrt/") == "status 404"
    text = builders.house_text(builders.POLAR, builders.changed(builders.POLAR, {"title": "Roots of tensors"}))
    (server.root / "data" / "features" / "2.14" / "tensor-sqrt.yaml").write_text(text, encoding="utf-8")
    server.until("the new page", lambda: "Roots of tensors" in server.page("features/tensor-sqrt/"))


def test_server_does_not_start_with_broken_data(tmp_path: Path) -> None:
    data = builders.write_base(tmp_path / "base", **{builders.AREAS: None}) / "data"
    root = copy_of_project(tmp_path / "project", data)
    done = subprocess.run(
        [*MKDOCS, "serve", "--dev-addr", "127.0.0.1:0"],
        cwd=root,
        env=clean_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 1
    assert "vocabulary/areas.yaml" in done.stdout
    assert "Traceback" not in done.stdout

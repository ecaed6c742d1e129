"""Sites for the tests: the real one, built once a run, and copies to break."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hostile import write_hostile

from torchnotes.bench.serving import BASE
from torchnotes.checks import library_below
from torchnotes.library import Library

ROOT = Path(__file__).resolve().parents[2]
MKDOCS = (sys.executable, "-m", "mkdocs")


@dataclass(frozen=True, slots=True)
class Build:
    """What ``mkdocs build`` did."""

    site: Path
    status: int
    output: str
    """Everything it printed."""


def clean_environment(**more: str) -> dict[str, str]:
    """This process's variables without those that change a build."""
    dropped = {"SITE_URL", "REPO_URL", "EDIT_URI", "SOURCE_DATE_EPOCH"}
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return {**kept, "NO_MKDOCS_2_WARNING": "1", "PYTHONUTF8": "1", **more}


def build(root: Path, site: Path, **variables: str) -> Build:
    """Build the project at ``root`` into ``site``, strictly."""
    done = subprocess.run(
        [*MKDOCS, "build", "--strict", "--config-file", str(root / "mkdocs.yml"), "--site-dir", str(site)],
        cwd=root,
        env=clean_environment(**variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    return Build(site, done.returncode, done.stdout)


def once_a_run(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Build]) -> Build:
    """What ``make`` builds in a folder: by the first worker of a run that asks for ``name``, while others wait for it."""
    folder = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        # Each worker has a folder of its own inside that of the run.
        folder = folder.parent
    told = folder / f"{name}.json"
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not told.exists():
            done = make(folder / name)
            told.write_text(json.dumps([str(done.site), done.status, done.output]), encoding="utf-8")
    site, status, output = json.loads(told.read_text(encoding="utf-8"))
    assert status == 0, output
    return Build(Path(site), status, output)


def copy_of_project(target: Path, data: Path = ROOT / "data") -> Path:
    """A project that one may break: our configuration and prose, with our data or other data."""
    target.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "mkdocs.yml", target)
    shutil.copytree(ROOT / "docs", target / "docs")
    shutil.copytree(data, target / "data")
    if data != ROOT / "data":
        # The guides link to records that other data does not have.
        for guide in (target / "docs" / "guides").glob("*.md"):
            guide.write_text(f"# {guide.stem}\n", encoding="utf-8")
    return target


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--update-golden`` rewrites the pages that golden files expect; a person then reads the difference."""
    parser.addoption("--update-golden", action="store_true", help="rewrite the pages in scripts/tests/golden")


@pytest.fixture(scope="session")
def real_library() -> Library:
    """The real data."""
    found = library_below(ROOT)
    assert isinstance(found, Library), f"the data has {len(found)} problems; run `torchnotes check`"
    return found


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The real site."""
    return once_a_run(tmp_path_factory, "built", lambda folder: build(ROOT, folder / "site"))


REPOSITORY = "https://github.com/someone/torchnotes"


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The real site as the workflow builds it: with its address and its repository."""
    variables = {
        "SITE_URL": f"https://someone.github.io{BASE}",
        "REPO_URL": REPOSITORY,
        "EDIT_URI": "edit/main/docs/",
    }
    return once_a_run(tmp_path_factory, "published", lambda folder: build(ROOT, folder / "site", **variables))


@dataclass(frozen=True, slots=True)
class Twins:
    """Two projects with the same records: one whose texts attack, one whose texts are plain words."""

    hostile: Path
    benign: Path
    hostile_site: Build
    benign_site: Build


@pytest.fixture(scope="session")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Twins:
    """Both built with the real configuration, prose and theme."""

    def one(folder: Path, *, benign: bool) -> Build:
        data = write_hostile(folder / "data", benign=benign) / "data"
        return build(copy_of_project(folder / "project", data), folder / "site")

    hostile = once_a_run(tmp_path_factory, "hostile", lambda folder: one(folder, benign=False))
    benign = once_a_run(tmp_path_factory, "benign", lambda folder: one(folder, benign=True))
    return Twins(hostile.site.parent / "project", benign.site.parent / "project", hostile, benign)

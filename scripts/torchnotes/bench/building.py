"""A project with synthetic data → a built site, and what building it cost.

Each build is a process of its own, so that its processor time and its memory are its own too.
"""

import gzip
import os
import resource
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

OURS = ("search/heads.json", "search/words.json")
"""Files of the finder's index, in the order of loading."""
MATERIALS = ("search/search_index.json",)
"""Files of the theme's own index."""
_MATERIAL_CONFIG = """\
# The same pages with the theme's own search: no script and no changed part of ours.
INHERIT: mkdocs.yml
theme:
  custom_dir: {empty}
  features: [search.suggest, search.highlight]
plugins:
  - search
  - torchnotes
extra_javascript: []
hooks:
  - {hook}
"""
_HOOK = Path(__file__).with_name("only_features.py")


class BuildError(Exception):
    """A site could not be built."""


@dataclass(frozen=True, slots=True)
class IndexFile:
    """A file of an index."""

    path: str
    size: int
    compressed: int
    """With gzip at its best."""


@dataclass(frozen=True, slots=True)
class Built:
    """A site, and what it cost."""

    site: Path
    features: int
    seconds: float
    """Processor time of the whole build."""
    peak: int
    """Bytes of memory at the most."""
    size: int
    """Bytes of all files."""
    pages: int
    index: tuple[IndexFile, ...]

    @property
    def seconds_per_feature(self) -> float:
        """Processor time for each feature, the other pages shared out among them."""
        return self.seconds / self.features


def make_project(root: Path, project: Path) -> None:
    """Copy configuration and prose; the data comes after."""
    project.mkdir(parents=True, exist_ok=True)
    shutil.copy(root / "mkdocs.yml", project)
    shutil.copytree(root / "docs", project / "docs")


def build(project: Path, features: int, *, material: bool = False) -> Built:
    """Build the project, with our finder or with the theme's own search."""
    site = project / ("site-material" if material else "site")
    config = project / "mkdocs.yml"
    if material:
        empty = project / "no-overrides"
        empty.mkdir(exist_ok=True)
        config = project / "material.yml"
        config.write_text(_MATERIAL_CONFIG.format(empty=empty.name, hook=_HOOK), encoding="utf-8")
    log = project / f"{site.name}.log"
    seconds, peak, status = _run(
        [sys.executable, "-m", "mkdocs", "build", "--config-file", str(config), "--site-dir", str(site)], project, log
    )
    if status != 0:
        raise BuildError(f"mkdocs build failed with status {status}:\n{log.read_text(encoding='utf-8')[-4000:]}")
    files = [path for path in site.rglob("*") if path.is_file()]
    return Built(
        site=site,
        features=features,
        seconds=seconds,
        peak=peak,
        size=sum(path.stat().st_size for path in files),
        pages=sum(path.suffix == ".html" for path in files),
        index=tuple(_index_file(site, path) for path in (MATERIALS if material else OURS) if (site / path).is_file()),
    )


def _run(command: list[str], folder: Path, log: Path) -> tuple[float, int, int]:
    """Processor seconds, peak memory and status of a process."""
    dropped = {"SITE_URL", "REPO_URL", "EDIT_URI"}
    variables = {name: value for name, value in os.environ.items() if name not in dropped}
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603  (our own command)
            command,
            cwd=folder,
            env={**variables, "NO_MKDOCS_2_WARNING": "1", "PYTHONUTF8": "1"},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            raise
        # The process has been waited for here; its object must not try again.
        process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, _bytes(usage), process.returncode


def _bytes(usage: resource.struct_rusage) -> int:
    return usage.ru_maxrss if sys.platform == "darwin" else usage.ru_maxrss * 1024


def _index_file(site: Path, path: str) -> IndexFile:
    data = (site / path).read_bytes()
    return IndexFile(path, len(data), len(gzip.compress(data, 9)))

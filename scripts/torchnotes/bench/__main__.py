"""``python -m torchnotes.bench``: parses arguments, measures one library after the other, prints the table.

Exit status: 0 when everything was measured, whatever the figures are; 2 when it could not be.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from torchnotes.bench import browsing
from torchnotes.bench.building import BuildError, Built, build, make_project
from torchnotes.bench.query import query_for
from torchnotes.bench.synthetic import copy_library, write_library
from torchnotes.bench.table import REAL, Column, percentile, table
from torchnotes.checks import library_below
from torchnotes.library import Library
from torchnotes.problem import report

if TYPE_CHECKING:
    from playwright.sync_api import Browser


class BenchError(Exception):
    """Nothing can be measured."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the exit status."""
    options = _parser().parse_args(arguments)
    try:
        print(_measured(options))
    except (BenchError, BuildError, browsing.BrowserMissing) as error:
        print(f"torchnotes.bench: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m torchnotes.bench",
        description="Measure builds and the finder with the real records and with synthetic libraries made from them. "
        "Prints one table with the bars beside the figures, and fails on no figure.",
    )
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="the project's root (default: here)")
    parser.add_argument("--sizes", type=int, nargs="*", default=[200, 2_000, 10_000], help="numbers of features")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other records (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=5, help="fresh browsers for each figure (default: %(default)s)")
    parser.add_argument("--material", action="store_true", help="the same records with the theme's own search too")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="make projects and sites in DIR and leave them there")
    parser.add_argument("--no-browser", action="store_true", help="only build")
    return parser


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        if keep.exists() and any(keep.iterdir()):
            raise BenchError(f"{keep} is not empty. Name a new folder.")
        keep.mkdir(parents=True, exist_ok=True)
        yield keep.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="torchnotes-bench-") as name:
        yield Path(name).resolve()


def _measured(options: argparse.Namespace) -> str:
    root: Path = options.root
    if not (root / "mkdocs.yml").is_file() or not (root / "data").is_dir():
        raise BenchError(f"{root} is not the project's root. Name it with --root.")
    with _folder(options.keep) as folder:
        columns: list[Column] = []
        before: Built | None = None
        for size in (None, *sorted(set(options.sizes))):
            column, before = _one(root, folder, size, before, options)
            columns.append(column)
        return table(columns)


def _one(
    root: Path, folder: Path, size: int | None, before: Built | None, options: argparse.Namespace
) -> tuple[Column, Built]:
    """Everything about one library; ``size`` None is the real one."""
    name = REAL if size is None else str(size)
    project = folder / name
    _tell(f"{name}: making the library")
    make_project(root, project)
    if size is None:
        copy_library(root, project)
    else:
        write_library(root, project, size, options.seed)
    library = library_below(project)
    if not isinstance(library, Library):
        raise BenchError(f"the data has problems:\n{report(library)}")
    _tell(f"{name}: building")
    built = build(project, len(library.entries))
    figures = _build_figures(built, before)
    material = None
    if options.material:
        _tell(f"{name}: building with the theme's own search")
        material = build(project, len(library.entries), material=True)
        figures |= {"material-build": material.seconds, "material-index": sum(one.compressed for one in material.index)}
    if not options.no_browser:
        _tell(f"{name}: browsing")
        with browsing.browser() as started:
            figures |= _finder_figures(started, built, library, options.runs)
            if material is not None:
                figures |= _material_figures(started, material, library, options.runs)
                figures["ratio-time"] = figures["material-time"] / figures["first-time"]
                figures["ratio-next"] = figures["material-next"] / figures["next-time"]
    return Column(name, figures), built


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _build_figures(built: Built, before: Built | None) -> dict[str, float]:
    figures: dict[str, float] = {
        "features": built.features,
        "build": built.seconds,
        "build-each": built.seconds_per_feature * 1_000,
        "memory": built.peak,
        "output": built.size,
        "pages": built.pages,
    }
    if built.index:
        figures |= {"heads-raw": built.index[0].size, "heads": built.index[0].compressed}
        figures["index-raw"] = sum(one.size for one in built.index)
        figures["index"] = sum(one.compressed for one in built.index)
    if before is not None and built.features > before.features:
        figures["build-further"] = (built.seconds - before.seconds) / (built.features - before.features) * 1_000
    return figures


def _finder_figures(started: "Browser", built: Built, library: Library, runs: int) -> dict[str, float]:
    query = query_for(library)
    first = browsing.first_list(started, built.site, query, built.features, runs)
    spent = browsing.actions(started, built.site, query)
    return {
        "first-bytes": first.bytes,
        "all-bytes": first.all_bytes,
        "first-time": first.time,
        "ready-time": browsing.ready(started, built.site, runs),
        "key-median": percentile(spent.keystrokes, 0.5),
        "key-p95": percentile(spent.keystrokes, 0.95),
        "click-median": percentile(spent.clicks, 0.5),
        "click-p95": percentile(spent.clicks, 0.95),
        "next-time": browsing.next_list(started, built.site, query),
    }


def _material_figures(started: "Browser", material: Built, library: Library, runs: int) -> dict[str, float]:
    query = query_for(library)
    first = browsing.first_material(started, material.site, query, runs)
    return {
        "material-bytes": first.bytes,
        "material-time": first.time,
        "material-next": browsing.next_material(started, material.site, query),
    }


if __name__ == "__main__":
    sys.exit(main())

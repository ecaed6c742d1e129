"""The ``torchnotes`` command: parses arguments, prints, exits. No rule of the data lives here.

Exit status: 0 when all is well, 1 when there are problems, 2 when the command was called wrongly.
"""

import argparse
import io
import os
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

from packaging.version import Version

from torchnotes import __version__
from torchnotes.apidiff.stored import api_texts, compared
from torchnotes.checks import EVIDENCE_CHECKS, PROOF_CHECKS, library_below, problems_below, problems_of
from torchnotes.checks.files import comment_problems, is_schema_fresh
from torchnotes.checks.names import ID_FORM, why_not_an_id
from torchnotes.explained import unexplained
from torchnotes.formatting import formatted
from torchnotes.library import Entry, Library, library_of
from torchnotes.messages import offer
from torchnotes.model import MetadataFile, Proofs, Run
from torchnotes.opendata import data_files
from torchnotes.pages import pages_of
from torchnotes.problem import Problem, on_one_line, report
from torchnotes.progress import Bar
from torchnotes.proof.describing import METADATA_PATH, metadata_of, metadata_text
from torchnotes.proof.fetching import cache_folder, fetched
from torchnotes.proof.offering import COMPANIONS_PATH, companions_text, joined_companions, read_companions
from torchnotes.proof.running import RunError, run_all
from torchnotes.proof.storing import PROOFS_PATH, Results, joined, text_of, with_runs
from torchnotes.proof.verifying import compare, summary
from torchnotes.reading import Contents, read_contents
from torchnotes.scan import Scanned, recognisable, scan
from torchnotes.scan.reporting import github_lines, json_text, text_lines
from torchnotes.schema import SCHEMA_PATH, schema_text
from torchnotes.skeleton import skeleton
from torchnotes.terms import FETCHED_PLATFORMS, Action, Kind, Wheel
from torchnotes.wheel.archive import WheelError
from torchnotes.writing import write_text
from torchnotes.yaml_source import Document, read_document


class UsageError(Exception):
    """The command was called in a way that cannot work."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except UsageError as error:
        print(f"torchnotes: {on_one_line(str(error))}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("torchnotes: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Somebody piped into `head`. Nothing more can be written, and that is fine.
        # The rest of the buffer goes nowhere, or Python would complain about it on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print(f"torchnotes: {error.filename or 'a file'}: {error.strerror}", file=sys.stderr)
        return 2
    return status


def run() -> NoReturn:
    """Entry point of the installed command."""
    for stream in (sys.stdout, sys.stderr):
        # Problems quote what people wrote, which not every terminal can show.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="torchnotes",
        description="Look after the YAML records of the torchnotes knowledge base.",
        epilog="Exit status: 0 all is well, 1 there are problems, 2 the command was called wrongly.",
    )
    parser.add_argument("--version", action="version", version=f"torchnotes {__version__}")
    # On every command, so that it may stand before or after the command's name.
    root = argparse.ArgumentParser(add_help=False)
    help_ = "the project's root (default: the nearest folder above with data/features or data/vocabulary)"
    root.add_argument("--root", type=Path, default=argparse.SUPPRESS, help=help_)
    parser.add_argument("--root", type=Path, default=None, help=help_)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    check = commands.add_parser(
        "check",
        parents=[root],
        help="print every problem in the data, one a line",
        description="Read every file below data/ and print every problem, one a line: "
        "path:line: field: what is wrong. What to do [rule]. Prints nothing when all is well.",
    )
    check.add_argument("paths", nargs="*", type=Path, help="print only problems of these files or folders")
    check.add_argument("--format", choices=["text", "github"], default="text", help="github prints annotations")
    check.set_defaults(run=_check)

    format_ = commands.add_parser(
        "format",
        parents=[root],
        help="bring files into the house format",
        description="Rewrite data files in the house format (key order, wrapping, quotes) and renew the JSON Schema. "
        "A file that is not valid, or whose comments would be lost, is left alone and named.",
    )
    format_.add_argument("paths", nargs="*", type=Path, help="only these files or folders (default: all of data/)")
    format_.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file would change")
    format_.set_defaults(run=_format)

    pages = commands.add_parser(
        "pages",
        parents=[root],
        help="write the generated Markdown pages and JSON files to a folder",
        description="Write what the site is made of, without building it: Markdown pages and JSON files, below DIR. "
        "Existing files of the same name are replaced; others are left alone.",
    )
    pages.add_argument("--out", required=True, type=_folder, metavar="DIR", help="folder to write to")
    pages.set_defaults(run=_pages)

    new = commands.add_parser(
        "new",
        parents=[root],
        help="start a new feature record",
        description="Write data/features/RELEASE/ID.yaml with everything but what only a person knows, "
        "then print what is still to be written.",
    )
    new.add_argument("release", metavar="RELEASE", help="a release, such as 2.15")
    new.add_argument("id", metavar="ID", help="lower-case words joined by hyphens; the record's address for ever")
    new.add_argument("--kind", choices=[str(kind) for kind in Kind], default="new-feature", help="sort of change")
    new.add_argument("--action", choices=[str(one) for one in Action], default="optional", help="what a reader must do")
    new.set_defaults(run=_new)

    api = commands.add_parser(
        "api-diff",
        parents=[root],
        help="compare the public API of the wheels of each release with the release before",
        description="Read the newest macOS wheel of each release and of the release before it, and write what differs "
        "in the public API to data/api/. Nothing in a wheel is run.",
    )
    api.add_argument("--wheels", type=_folder, metavar="DIR", help="use the wheels in DIR, and no network")
    api.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file would change")
    api.set_defaults(run=_api)

    coverage = commands.add_parser(
        "coverage",
        parents=[root],
        help="list API changes that no record explains",
        description="Print each confirmed removal, changed default, and renamed, moved or removed parameter of "
        "data/api/ that no record of its release explains, one a line. Needs no wheels; the exit status is 0.",
    )
    coverage.set_defaults(run=_coverage)

    scan_ = commands.add_parser(
        "scan",
        parents=[root],
        help="print the places in your code that a migration note concerns",
        description="Read code and build files below the paths and print each place that a migration note concerns: "
        "path:line:column: id: what was found, what to do, address. What begins with 'maybe' needs a person's look. "
        "Obeys .gitignore, runs nothing, sends nothing. Exit status 1 when something found is required. "
        "Uses the records of the project that the command is installed from, unless --root names another.",
    )
    scan_.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files or folders of your code")
    scan_.add_argument("--from", dest="start", metavar="VERSION", help="version you have (default: the oldest known)")
    scan_.add_argument("--to", dest="target", metavar="VERSION", help="version you go to (default: the newest known)")
    scan_.add_argument("--sure", action="store_true", help="leave out what is only a maybe")
    scan_.add_argument("--site", default="", metavar="URL", help="address of the site, to put before features/ID/")
    scan_.add_argument("--format", choices=["text", "json", "github"], default="text", help="github prints annotations")
    scan_.set_defaults(run=_scan)

    companions = commands.add_parser(
        "companions",
        parents=[root],
        help="ask pip what companion packages declare and for which machines they are offered",
        description="Ask pip, for each release that data/companions/ names, which wheel it would take on which machine "
        "and what that wheel requires, and write data/evidence/companions.yaml. Only metadata is fetched; nothing is "
        "installed or run. Then print each package that has a newer release than its file names.",
    )
    companions.add_argument("packages", nargs="*", metavar="PACKAGE", help="only these (default: all)")
    companions.set_defaults(run=_companions)

    verify = commands.add_parser(
        "verify",
        parents=[root],
        help="compare every evidence entry with the published wheels and store the proofs",
        description="Fetch the wheels named in data/evidence/wheels.yaml with pip, compare every evidence entry with "
        "them and write data/evidence/proofs.yaml. Wheels are read, never installed. An entry whose wheels are not at "
        "hand keeps its stored proof. Exit status 1 when an entry does not hold.",
    )
    verify.add_argument("ids", nargs="*", metavar="ID", help="only these features (default: all)")
    verify.add_argument("--wheels", type=_folder, metavar="DIR", help="use the wheels in DIR, and no network")
    verify.add_argument(
        "--platform",
        action="append",
        choices=list(FETCHED_PLATFORMS),
        help="fetch wheels for this platform too (linux has 550 MB for each version); may be repeated",
    )
    verify.add_argument(
        "--run",
        dest="python",
        type=_program,
        metavar="PYTHON",
        help="compare no wheels; run probes and runnable examples with this Python, which must have torch",
    )
    verify.set_defaults(run=_verify)
    return parser


def _program(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("name a Python")
    return text


def _folder(text: str) -> Path:
    if not text.strip():
        raise argparse.ArgumentTypeError("name a folder")
    return Path(text)


def _root(options: argparse.Namespace) -> Path:
    if options.root is not None:
        if not (options.root / "data").is_dir():
            raise UsageError(f"{options.root} holds no folder data/. Name the project's root.")
        return Path(options.root)
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "data" / "features").is_dir() or (folder / "data" / "vocabulary").is_dir():
            return folder
    raise UsageError("no folder data/ here or above. Run this inside the project, or name it with --root.")


def _root_for_scan(options: argparse.Namespace) -> Path:
    """The named root, or the project that this command is installed from.

    Who scans stands in other code, which may well have a folder data/ of its own.
    """
    return _root(options) if options.root is not None else Path(__file__).resolve().parents[2]


def _shown(root: Path, paths: Sequence[Path]) -> list[str]:
    """Paths as problems name them: from the project's root."""
    shown = []
    data = (root / "data").resolve()
    for path in paths:
        there = [full for full in map(_full, (path, root / path)) if os.path.lexists(full)]
        if not there:
            raise UsageError(f"{path}: no such file or folder")
        inside = [full for full in there if full.is_relative_to(data)]
        if not inside:
            raise UsageError(f"{path}: not below {root / 'data'}")
        shown.append(inside[0].relative_to(root.resolve()).as_posix())
    return shown


def _full(path: Path) -> Path:
    """Without links and dots above the last part; that part itself may be a link that leads nowhere."""
    absolute = os.path.abspath(path)
    return Path(os.path.realpath(os.path.dirname(absolute)), os.path.basename(absolute))


def _wanted(path: str, shown: Sequence[str]) -> bool:
    return not shown or any(path == one or path.startswith(f"{one}/") for one in shown)


def _check(options: argparse.Namespace) -> int:
    root = _root(options)
    shown = _shown(root, options.paths)
    problems = [problem for problem in problems_below(root) if _wanted(problem.path, shown)]
    if options.format == "github":
        for problem in problems:
            print(problem.as_github())
    elif problems:
        print(report(problems))
    return 1 if problems else 0


def _format(options: argparse.Namespace) -> int:
    root = _root(options)
    shown = _shown(root, options.paths)
    contents = read_contents(root)
    left_alone = [problem for problem in contents.problems if _wanted(problem.path, shown)]
    changed: list[str] = []
    for document in contents.documents:
        if not _wanted(document.path, shown):
            continue
        if comments := list(comment_problems(document)):
            left_alone += comments
            continue
        text = formatted(document)
        if text == document.text:
            continue
        if not options.check:
            now = read_document(root / document.path, document.path)
            if not isinstance(now, Document) or now.text != document.text:
                raise UsageError(f"{document.path} was changed by somebody else just now. Run it again.")
            write_text(root / document.path, text)
        changed.append(document.path)
    if not shown and not is_schema_fresh(root):
        changed.append(SCHEMA_PATH)
        if not options.check:
            write_text(root / SCHEMA_PATH, schema_text())
    for path in changed:
        print(f"{path}: {'would be rewritten' if options.check else 'rewritten'}")
    if left_alone:
        print(report(left_alone))
    return 1 if left_alone or (options.check and changed) else 0


def _pages(options: argparse.Namespace) -> int:
    root = _root(options)
    library = library_below(root)
    if not isinstance(library, Library):
        print(report(library), file=sys.stderr)
        return 1
    if options.out.exists() and not options.out.is_dir():
        raise UsageError(f"{options.out} is a file, not a folder.")
    for folder in ("data", "docs"):
        if options.out.resolve().is_relative_to((root / folder).resolve()):
            raise UsageError(f"{options.out} is where people write. Choose another folder.")
    pages = {page.path: page.text for page in pages_of(library).values()}
    files = {**pages, **data_files(library)}
    for path, text in files.items():
        write_text(options.out / path, text)
    print(f"{len(pages)} pages and {len(files) - len(pages)} data files written to {options.out}")
    return 0


def _api(options: argparse.Namespace) -> int:
    root = _root(options)
    contents = read_contents(root)
    # What a program writes may be old or broken here.
    generated = ("data/api/", *_RESULTS)
    if problems := [one for one in contents.problems if not one.path.startswith(generated)]:
        print(report(problems), file=sys.stderr)
        raise UsageError("the records have problems. Mend them first.")
    if options.wheels is not None and not options.wheels.is_dir():
        raise UsageError(f"{options.wheels}: no such folder")
    library = library_of(contents)
    changed = False
    try:
        needed = {wheel.file: wheel for _, *pair in compared(library) for wheel in pair}
        wheels = options.wheels or fetched(tuple(needed.values()), cache_folder(), sys.stderr)
        for path, text in api_texts(library, wheels):
            there = root / path
            if there.is_file() and there.read_bytes() == text.encode():
                continue
            changed = True
            print(f"{path}: {'would be rewritten' if options.check else 'rewritten'}", flush=True)
            if not options.check:
                write_text(there, text)
    except WheelError as error:
        raise UsageError(str(error)) from error
    if not changed:
        print("nothing differs from data/api/")
    return 1 if options.check and changed else 0


def _companions(options: argparse.Namespace) -> int:
    root = _root(options)
    contents = read_contents(root)
    if problems := [one for one in contents.problems if one.path.startswith("data/companions/")]:
        print(report(problems), file=sys.stderr)
        raise UsageError("the files of companions have problems. Mend them first.")
    if lost := [one for one in contents.problems if one.path == COMPANIONS_PATH and one.rule != "missing-file"]:
        print(report(lost), file=sys.stderr)
        raise UsageError("stored answers cannot be read. Mend the file, or delete it to start anew.")
    companions = library_of(contents).companions
    for name in options.packages:
        if name not in companions:
            raise UsageError(f"no companion '{name}'. {offer(name, companions, 'data/companions/')}")
    bar = Bar(sys.stderr, "questions to pip", few=1)
    try:
        today = datetime.now(UTC).date().isoformat()
        read = read_companions(companions, options.packages or companions, today, bar)
    except WheelError as error:
        raise UsageError(str(error)) from None
    finally:
        bar.clear()
    stored = contents.read_companions.record if contents.read_companions else None
    _renew(root / COMPANIONS_PATH, companions_text(joined_companions(companions, stored, read)))
    for one in read:
        if one.newest is not None and _is_newer(one.newest, companions[one.package].releases):
            print(f"{one.package}: pip offers {one.newest}, which data/companions/{one.package}.yaml does not name")
    print(f"{len(read)} packages read, {sum(len(one.releases) for one in read)} releases")
    return 0


def _is_newer(version: str, known: Sequence[str]) -> bool:
    return all(Version(version) > Version(one) for one in known)


def _coverage(options: argparse.Namespace) -> int:
    library = library_below(_root(options))
    if not isinstance(library, Library):
        print(report(library), file=sys.stderr)
        return 1
    for line in unexplained(library):
        print(on_one_line(line))
    return 0


def _new(options: argparse.Namespace) -> int:
    root = _root(options)
    contents = read_contents(root)
    releases = {read.id: read.record for read in contents.releases if not read.record.baseline}
    if options.release not in releases:
        raise UsageError(f"no release '{options.release}'. {offer(options.release, releases, 'data/releases/')}")
    if reason := why_not_an_id(options.id):
        raise UsageError(f"{reason}. Use {ID_FORM}.")
    moved = {one.old: "data/moved.yaml" for one in contents.moved.record.moved} if contents.moved else {}
    taken = {**moved, **contents.feature_paths}
    if options.id in taken:
        raise UsageError(f"the id '{options.id}' is taken by {taken[options.id]}. Choose another.")
    path = root / "data" / "features" / options.release / f"{options.id}.yaml"
    if os.path.lexists(path):
        raise UsageError(f"{path} is there already. Choose another id.")
    version = releases[options.release].versions[0].version
    shown = path.relative_to(root).as_posix()
    kind = next(one for one in Kind if one == options.kind)
    action = next(one for one in Action if one == options.action)
    write_text(path, skeleton(version, kind, action))
    problems = [problem for problem in problems_below(root) if problem.path == shown]
    print(f"{shown}: written. Still to be written by a person:")
    print(report(problems))
    return 0


def _scan(options: argparse.Namespace) -> int:
    root = _root_for_scan(options)
    for path in options.paths:
        if not os.path.lexists(path):
            raise UsageError(f"{path}: no such file or folder")
    library = library_below(root)
    if not isinstance(library, Library):
        print(report(library), file=sys.stderr)
        raise UsageError("the records have problems. Mend them first.")
    start, target = _upgrade(library, options)
    bar = Bar(sys.stderr, "files")
    try:
        scanned = scan(recognisable(library, start, target), options.paths, bar)
    finally:
        bar.clear()
    if options.sure:
        scanned.findings = [one for one in scanned.findings if one.is_sure]
    _print_scanned(scanned, options, start, target)
    return 1 if any(one.is_urgent for one in scanned.findings) else 0


def _verify(options: argparse.Namespace) -> int:
    root = _root(options)
    contents = read_contents(root)
    _refuse_unreadable_results(contents)
    if problems := [one for one in problems_of(contents, EVIDENCE_CHECKS) if one.path not in _RESULTS]:
        print(report(problems), file=sys.stderr)
        raise UsageError("the records have problems. Mend them first.")
    library = library_of(contents)
    if options.python is not None and (options.wheels is not None or options.platform):
        raise UsageError("--run opens no wheel. Leave --wheels and --platform out.")
    for id_ in options.ids:
        if id_ not in library.entries:
            raise UsageError(f"no feature '{id_}'. {offer(id_, library.entries, 'data/features/')}")
    asked = [entry for entry in library.entries.values() if not options.ids or entry.id in options.ids]
    today = datetime.now(UTC).date().isoformat()
    if options.python is not None:
        runs, said = _run(options, asked, today)
        proofs = with_runs(_stored(root)[0], runs, library.entries.values())
    else:
        results = _compared(options, library, asked)
        # Read only now: another run may have stored its results meanwhile.
        stored, metadata = _stored(root)
        proofs = with_runs(
            joined(library.entries.values(), library.wheels, stored, results, today), (), library.entries.values()
        )
        said = summary(asked, proofs, results)
        _renew(root / METADATA_PATH, metadata_text(metadata_of(library.wheels, metadata, results.described)))
    _renew(root / PROOFS_PATH, text_of(proofs))
    problems = [one for one in problems_of(read_contents(root), PROOF_CHECKS) if _is_of(one, options.ids)]
    if problems:
        print(report(problems))
    print(said)
    return 1 if problems else 0


def _stored(root: Path) -> tuple[Proofs, MetadataFile]:
    """What earlier runs stored; empty where nothing is stored yet."""
    contents = read_contents(root)
    _refuse_unreadable_results(contents)
    proofs = contents.proofs.record if contents.proofs else Proofs.empty()
    return proofs, contents.metadata.record if contents.metadata else MetadataFile(wheels=())


def _refuse_unreadable_results(contents: Contents) -> None:
    """Results may not be there yet; but what is there and cannot be read holds some that would be lost."""
    lost = [one for one in contents.problems if one.path in _RESULTS and one.rule != "missing-file"]
    if lost:
        print(report(lost), file=sys.stderr)
        raise UsageError("stored results cannot be read. Mend the file, or delete it to start anew.")


_RESULTS = (PROOFS_PATH, METADATA_PATH)
"""Files that `torchnotes verify` writes."""


def _renew(path: Path, text: str) -> None:
    """Write what a program made, unless it stands there already."""
    if not path.is_file() or path.read_bytes() != text.encode():
        write_text(path, text)


def _compared(options: argparse.Namespace, library: Library, asked: Sequence[Entry]) -> Results:
    """What the wheels show of the entries of some features."""
    bar = Bar(sys.stderr, "comparisons", few=1)
    try:
        return compare(asked, library.wheels, _wheels(options, library), bar)
    except WheelError as error:
        raise UsageError(str(error)) from None
    finally:
        bar.clear()


def _run(options: argparse.Namespace, asked: Sequence[Entry], today: str) -> tuple[tuple[Run, ...], str]:
    """What became of the code that was run, and a line about it."""
    bar = Bar(sys.stderr, "pieces of code", few=1)
    # Each piece runs in a folder of its own, from which a relative path would lead elsewhere.
    named = options.python
    python = Path(os.path.abspath(named)) if os.sep in named else Path(shutil.which(named) or named)
    try:
        runs = run_all(python, asked, today, bar)
    except RunError as error:
        raise UsageError(str(error)) from None
    finally:
        bar.clear()
    ended = Counter(run.result.label for run in runs)
    said = ", ".join(f"{count} {label}" for label, count in ended.items())
    count = "1 piece of code" if len(runs) == 1 else f"{len(runs)} pieces of code"
    return (
        runs,
        f"{count} run with {options.python}: {said}" if runs else "nothing run: no code is for that version of torch",
    )


def _is_of(problem: Problem, ids: Sequence[str]) -> bool:
    return not ids or Path(problem.path).stem in ids


def _wheels(options: argparse.Namespace, library: Library) -> Path:
    """The folder in which wheels lie: the one named, or that of the cache, filled."""
    if options.wheels is not None:
        if not options.wheels.is_dir():
            raise UsageError(f"{options.wheels}: no such folder")
        return Path(options.wheels)
    platforms = {FETCHED_PLATFORMS[name] for name in ["macos", *(options.platform or ())]}
    return fetched(
        [one for one in library.wheels if one.platform in {*platforms, Wheel.ANY}], cache_folder(), sys.stderr
    )


def _upgrade(library: Library, options: argparse.Namespace) -> tuple[str, str]:
    """The two versions; a release stands for its newest version."""
    known = list(library.versions)
    if not known:
        raise UsageError("data/releases/ holds no version.")
    newest = {release: version for version, release in library.versions.items()}
    start, target = (newest.get(one, one) for one in (options.start or known[0], options.target or known[-1]))
    for version in (start, target):
        if version not in known:
            raise UsageError(f"no version '{version}'. Use one of: {', '.join(known)}.")
    if known.index(start) >= known.index(target):
        raise UsageError(f"{target} is not after {start}.")
    return start, target


def _print_scanned(scanned: Scanned, options: argparse.Namespace, start: str, target: str) -> None:
    site = f"{options.site.rstrip('/')}/" if options.site else ""
    for path, why in scanned.unread:
        print(on_one_line(f"torchnotes: {path}: {why}"), file=sys.stderr)
    if options.format == "json":
        print(json_text(scanned, site, start, target))
        return
    lines = text_lines(scanned, site) if options.format == "text" else github_lines(scanned, site)
    for line in lines:
        print(line)

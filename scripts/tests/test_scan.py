"""``torchnotes scan``: which files it reads, what it prints, how it exits, and that nothing in a tree can stop it."""

import io
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import DETECT, DTYPE, ISSUE, LOADER, changed, detect, library, write_base
from test_cli import unprivileged, usage_error

from torchnotes.cli import main
from torchnotes.progress import Bar
from torchnotes.scan import Scanned, recognisable, scan
from torchnotes.scan.reporting import github_lines, json_text, text_lines
from torchnotes.scan.walking import MOST_BYTES, Walk

Output = pytest.CaptureFixture[str]
LOAD = "import torch.old\n\ntorch.old.load(path)\n"
POLICY = detect("setting", "export TORCH_REDUCE=1", "# TORCH_REDUCE", file="run.sh", name="TORCH_REDUCE", sure="maybe")
DOTTED = "features/old-loader/"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with records to look for, beside the code that a test writes."""
    return write_base(tmp_path / "notes", **{DTYPE: changed(DTYPE, {"migration.detect": [POLICY]})})


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of somebody's code, from which the command is called."""
    folder = tmp_path / "code"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def open_code() -> Iterator[Path]:
    """A folder of code that any user can reach."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    for inside in (folder, *folder.rglob("*")):
        inside.chmod(0o755)
    shutil.rmtree(folder)


def write(folder: Path, **files: str | bytes) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def read(*paths: str | Path) -> tuple[list[str], Walk]:
    """Which files are read, by name, and what was met."""
    walk = Walk()
    return [file.as_posix() for file in walk.files(map(Path, paths)) if walk.text_of(file) is not None], walk


def steps_of(**changes: Any) -> Any:
    return recognisable(
        library(**{DTYPE: changed(DTYPE, {"migration.detect": [POLICY]}), **changes}), "2.13.0", "2.15.0"
    )


# ---- the command


def test_found_places_stand_below_their_action_most_urgent_first(root: Path, code: Path, capsys: Output) -> None:
    write(code, **{"src/load.py": LOAD, "run.sh": "#!/bin/sh\n  TORCH_REDUCE=1 torchrun\n"})
    assert main(["scan", "--root", str(root), "."]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "Action required, and nothing tells you:",
        "run.sh:2:3: reduce-dtype: maybe: The old loader goes. Change the call. features/reduce-dtype/",
        "",
        "Recommended:",
        f"src/load.py:3:11: old-loader: The old loader goes. Change the call. {DOTTED}",
        "",
        "2 places for 2 records in 2 files",
    ]


def test_exit_status_says_whether_something_required_was_found(root: Path, code: Path, capsys: Output) -> None:
    write(code, **{"load.py": LOAD})
    assert main(["scan", "--root", str(root), "load.py"]) == 0
    write(code, **{"run.sh": "TORCH_REDUCE=1"})
    assert main(["scan", "--root", str(root), "."]) == 1
    assert main(["scan", "--root", str(root), "--sure", "."]) == 0
    assert "maybe" not in capsys.readouterr().out.splitlines()[-3]


def test_nothing_found_is_said(root: Path, code: Path, capsys: Output) -> None:
    write(code, **{"a.py": "import torch\n"})
    assert main(["scan", "--root", str(root), "a.py"]) == 0
    assert capsys.readouterr() == ("0 places for 0 records in 1 file\n", "")


def test_own_sentence_of_an_entry_stands_before_the_first_step(root: Path, code: Path, capsys: Output) -> None:
    write(code, **{"a.py": "import torch.old\ntorch.old.save(path, mode='old')\n"})
    main(["scan", "--root", str(root), "."])
    assert "maybe: The old loader goes. Leave mode out. features/" in capsys.readouterr().out


def test_site_stands_before_the_path_of_the_page(root: Path, code: Path, capsys: Output) -> None:
    write(code, **{"load.py": LOAD})
    for site in ("https://example.org/torchnotes", "https://example.org/torchnotes/"):
        main(["scan", "--root", str(root), "--site", site, "."])
        assert f" https://example.org/torchnotes/{DOTTED}\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("versions", "found"),
    [
        ([], ["old-loader", "reduce-dtype"]),
        (["--from", "2.14"], ["reduce-dtype"]),
        (["--from", "2.14.0"], ["old-loader", "reduce-dtype"]),
        (["--from", "2.14.1"], ["reduce-dtype"]),
        (["--to", "2.14.1"], ["old-loader"]),
        (["--to", "2.14.0"], []),
    ],
)
def test_only_records_of_the_upgrade_are_looked_for(
    root: Path, code: Path, capsys: Output, versions: list[str], found: list[str]
) -> None:
    write(code, **{"load.py": LOAD, "run.sh": "TORCH_REDUCE=1"})
    main(["scan", "--root", str(root), *versions, "--format", "json", "."])
    assert sorted(one["feature"] for one in json.loads(capsys.readouterr().out)["findings"]) == found


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--from", "2.12.0"], "no version '2.12.0'"),
        (["--to", "2.15.9"], "Use one of: 2.13.0"),
        (["--from", "2.15", "--to", "2.14"], "2.14.1 is not after 2.15.0."),
        (["--to", "2.13"], "is not after"),
    ],
)
def test_impossible_upgrade_is_a_wrong_call(
    root: Path, code: Path, capsys: Output, arguments: list[str], words: str
) -> None:
    assert words in usage_error(capsys, "scan", "--root", str(root), *arguments, str(code))


def test_path_that_is_not_there_is_a_wrong_call(root: Path, code: Path, capsys: Output) -> None:
    write(code, **{"load.py": LOAD})
    assert "gone.py: no such file" in usage_error(capsys, "scan", "--root", str(root), "load.py", "gone.py")
    assert capsys.readouterr().out == ""


def test_broken_records_are_a_wrong_call(tmp_path: Path, code: Path, capsys: Output) -> None:
    root = write_base(tmp_path / "broken", **{LOADER: "a: ["})
    assert main(["scan", "--root", str(root), str(code)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "[yaml-syntax]" in told.err
    assert told.err.endswith("torchnotes: the records have problems. Mend them first.\n")


def test_repair_that_the_target_holds_ends_a_known_issue() -> None:
    change = {"migration.detect": DETECT[:1], "fixed.in": "2.15.0", "affects.seen_in": ["2.14.1"], "version": "2.14.1"}
    assert ISSUE.rpartition("/")[2].removesuffix(".yaml") not in {
        one.entry.id for one in steps_of(**{ISSUE: changed(ISSUE, change)})
    }
    assert "broken-entry-point" in {
        one.entry.id for one in steps_of(**{ISSUE: changed(ISSUE, {"migration.detect": DETECT[:1]})})
    }


# ---- forms of output


def found(code: Path) -> Scanned:
    write(code, **{"load.py": LOAD, "run.sh": "TORCH_REDUCE=1", "bad.py": "torch.old.load(\n"})
    return scan(steps_of(), [Path()])


def test_json_holds_everything(code: Path) -> None:
    content = json.loads(json_text(found(code), "", "2.13.0", "2.15.0"))
    assert (content["schema_version"], content["from"], content["to"]) == (1, "2.13.0", "2.15.0")
    assert content["files"] == 3
    assert content["unread"] == [
        {"path": "bad.py", "why": "could not be read as Python: '(' was never closed (line 1)"}
    ]
    assert content["findings"][1] == {
        "path": "load.py",
        "line": 3,
        "column": 11,
        "code": "torch.old.load(path)",
        "feature": "old-loader",
        "title": "The old loader warns",
        "version": "2.14.1",
        "action": "recommended",
        "is_silent": False,
        "sure": "yes",
        "explains": "The old loader goes.",
        "do": "Change the call.",
        "misses": "What is passed on.",
        "url": DOTTED,
    }


def test_annotation_is_an_error_only_where_it_is_sure(code: Path) -> None:
    maybe, sure = github_lines(found(code), "")
    assert maybe.startswith("::warning file=run.sh,line=1,col=1,title=reduce-dtype::maybe: The old")
    assert (
        sure == f"::warning file=load.py,line=3,col=11,title=old-loader::The old loader goes. Change the call. {DOTTED}"
    )


def test_names_and_code_of_strangers_cannot_speak_to_a_terminal(code: Path) -> None:
    name = "a\n::error::%,:\x1b[2J\u202e.py"
    write(code, **{name: LOAD})
    scanned = scan(steps_of(), [Path()])
    for line in [*text_lines(scanned, ""), *github_lines(scanned, "")]:
        assert line.isprintable()
    (annotation,) = github_lines(scanned, "")
    assert "a\\n%3A%3Aerror%3A%3A%25%2C%3A\\x1b[2J\\u202e.py" in annotation
    assert json.loads(json_text(scanned, "", "", ""))["findings"][0]["path"] == name


def test_name_that_is_no_text_is_shown_all_the_same(root: Path, code: Path, capsys: Output) -> None:
    (code / os.fsdecode(b"b\xe9.py")).write_text(LOAD, encoding="utf-8")
    for form in ("text", "github", "json"):
        assert main(["scan", "--root", str(root), "--format", form, "."]) == 0
        assert "b\\udce9.py" in capsys.readouterr().out


def test_one_line_gives_one_finding_of_a_record(code: Path) -> None:
    write(code, **{"a.py": "import torch.old\ntorch.old.save(torch.old.load(x), mode='old')"})
    (one,) = scan(steps_of(), [Path()]).findings
    assert one.is_sure


# ---- which files


def test_files_are_read_once_and_in_order(code: Path) -> None:
    write(code, **{"b.py": "", "a/z.py": "", "a/b/c.py": "", "a.py": "", "notes.md": "", "x.bin": ""})
    assert read(".")[0] == ["a.py", "b.py", "a/z.py", "a/b/c.py"]
    assert read("b.py", ".", code)[0] == ["b.py", "a.py", "a/z.py", "a/b/c.py"]


def test_folders_of_other_people_are_passed_over(code: Path) -> None:
    for folder in (".git", "node_modules", "__pycache__", "lib/site-packages", "env"):
        write(code, **{f"{folder}/a.py": ""})
    write(code, **{"env/pyvenv.cfg": "", ".github/workflows/ci.yml": "", "environment/a.py": ""})
    assert read(".")[0] == [".github/workflows/ci.yml", "environment/a.py"]
    assert read("node_modules", "env")[0] == ["node_modules/a.py", "env/a.py"]


@pytest.mark.parametrize(
    ("rules", "kept"),
    [
        ({".gitignore": "*.py"}, []),
        ({".gitignore": "/a.py"}, ["below/a.py", "below/deep/b.py"]),
        ({".gitignore": "below/"}, ["a.py"]),
        ({".gitignore": "deep"}, ["a.py", "below/a.py"]),
        ({".gitignore": "*.py\n!a.py"}, ["a.py", "below/a.py"]),
        ({".gitignore": "below\n!below/a.py"}, ["a.py"]),
        ({".gitignore": "**/deep/*.py"}, ["a.py", "below/a.py"]),
        ({".gitignore": "*.py", "below/.gitignore": "!a.py"}, ["below/a.py"]),
        ({"below/.gitignore": "a.py"}, ["a.py", "below/deep/b.py"]),
        ({"below/.gitignore": "/deep"}, ["a.py", "below/a.py"]),
        ({".gitignore": "# a.py\n\n  \n\\\n!\n[\na.py\r\n"}, ["below/deep/b.py"]),
        ({".gitignore": b"\xff\xfe\na.py\n"}, ["below/deep/b.py"]),
        ({".git/info/exclude": "a.py"}, ["below/deep/b.py"]),
        ({".git/info/exclude": "a.py", ".gitignore": "!a.py"}, ["a.py", "below/a.py", "below/deep/b.py"]),
    ],
)
def test_what_git_ignores_is_passed_over(code: Path, rules: dict[str, Any], kept: list[str]) -> None:
    write(code, **{"a.py": "", "below/a.py": "", "below/deep/b.py": "", ".git/HEAD": "", **rules})
    assert read(".")[0] == kept


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not there to compare with")
def test_git_agrees(code: Path) -> None:
    subprocess.run(["git", "init", "-q", "."], check=True)
    write(
        code,
        **{".gitignore": "*.log.py\n/build\n!keep.log.py\ndocs/**/x.py\n", "pkg/.gitignore": "gen_*\n!gen_ok.py\n"},
    )
    for name in ("a.py", "b.log.py", "keep.log.py", "build/a.py", "pkg/build/a.py", "docs/x.py", "docs/a/b/x.py"):
        write(code, **{name: ""})
    write(code, **{"pkg/gen_a.py": "", "pkg/gen_ok.py": "", "pkg/sub/gen_b.py": ""})
    listed = ["git", "ls-files", "--others", "--exclude-standard", "*.py"]
    by_git = subprocess.run(listed, check=True, capture_output=True, text=True).stdout.splitlines()
    assert sorted(read(".")[0]) == sorted(by_git)


def test_rules_above_the_named_folder_hold_up_to_the_repository(code: Path) -> None:
    write(code, **{".git/HEAD": "", ".gitignore": "b.py", "a/.gitignore": "c.py", "a/b/b.py": "", "a/b/c.py": ""})
    write(code, **{"a/b/d.py": ""})
    assert read("a/b")[0] == ["a/b/d.py"]
    shutil.rmtree(code / ".git")
    assert read("a/b")[0] == ["a/b/b.py", "a/b/c.py", "a/b/d.py"]


def test_named_folder_is_read_whatever_the_rules_above_it_say(code: Path) -> None:
    write(code, **{".git/HEAD": "", ".gitignore": "env\n*.pyi", "env/lib/a.py": "", "env/lib/.gitignore": "b.py"})
    write(code, **{"env/lib/b.py": "", "env/lib/c.pyi": ""})
    assert read(".")[0] == []
    assert read("env")[0] == read("env/lib")[0] == ["env/lib/a.py", "env/lib/c.pyi"]


def test_named_file_is_read_whatever_git_says(code: Path) -> None:
    write(code, **{".gitignore": "a.py", "a.py": ""})
    assert read("a.py")[0] == ["a.py"]


# ---- what nothing may stop


def test_links_below_a_path_are_not_followed(code: Path) -> None:
    write(code, **{"a/a.py": ""})
    (code / "a" / "again").symlink_to("..")
    (code / "a" / "self").symlink_to("self")
    (code / "link.py").symlink_to("a/a.py")
    (code / "broken.py").symlink_to("nothing")
    names, walk = read(".")
    assert names == ["a/a.py"]
    assert walk.unread == []
    assert read("link.py")[0] == ["link.py"]


def test_link_that_is_named_and_leads_nowhere_is_said(root: Path, code: Path, capsys: Output) -> None:
    (code / "broken.py").symlink_to("nothing")
    (code / "circle.py").symlink_to("circle.py")
    assert main(["scan", "--root", str(root), "broken.py", "circle.py"]) == 0
    told = capsys.readouterr()
    assert "torchnotes: broken.py: No such file or directory\n" in told.err
    assert "circle.py: Too many levels of symbolic links" in told.err
    assert told.out == "0 places for 0 records in 0 files; 2 could not be read\n"


def test_what_may_not_be_read_is_said_and_the_rest_is_read(open_code: Path) -> None:
    write(open_code, **{"a.py": "", "b/c.py": "", "d.py": ""})
    (open_code / "a.py").chmod(0)
    (open_code / "b").chmod(0)
    with unprivileged():
        names, walk = read(open_code)
    assert [Path(name).name for name in names] == ["d.py"]
    refused = [(f"{open_code}/a.py", "Permission denied"), (f"{open_code}/b", "Permission denied")]
    assert sorted(walk.unread) == refused


def test_binary_files_are_passed_over_in_silence(code: Path) -> None:
    write(
        code, **{"a.py": b"\x7fELF\0\0\0", "wide.py": LOAD.encode("utf-16-le"), "b.py": b"\xff\xfe\xe9" + LOAD.encode()}
    )
    names, walk = read(".")
    assert names == ["b.py"]
    assert walk.unread == []


def test_huge_file_is_said_and_not_read(code: Path) -> None:
    write(code, **{"a.py": LOAD})
    with (code / "huge.py").open("wb") as huge:
        huge.write(b"#" * 9000)
        huge.truncate(50_000_000)
    with (code / "long.py").open("wb") as long:
        long.write(b"x = 1\n" * (MOST_BYTES // 6 + 1))
    names, walk = read(".")
    assert names == ["a.py"]
    assert [path for path, _ in walk.unread] == ["huge.py", "long.py"]


def test_lists_as_windows_writes_them_are_read(code: Path) -> None:
    """``pip freeze > requirements.txt`` in PowerShell: two bytes a letter, behind a mark."""
    write(code, **{"a.py": LOAD.encode("utf-16")})
    assert [(one.path, one.line) for one in scan(steps_of(), [Path()]).findings] == [("a.py", 3)]


def test_file_is_python_whatever_its_name_begins_with(code: Path) -> None:
    write(code, **{"dockerfile_parse.py": LOAD})
    assert len(scan(steps_of(), [Path()]).findings) == 1


def test_text_in_another_encoding_is_read(code: Path) -> None:
    write(code, **{"a.py": "# caf\u00e9\n".encode("latin-1") + LOAD.encode(), "b.sh": b"\xe9\nTORCH_OLD=1\n"})
    assert [(one.path, one.line) for one in scan(steps_of(), [Path()]).findings] == [("a.py", 4), ("b.sh", 2)]


def test_pipes_and_devices_are_not_opened(code: Path) -> None:
    os.mkfifo(code / "pipe.py")
    assert read(".") == read()
    _, walk = read("pipe.py", "/dev/null")
    assert walk.unread == [("pipe.py", "not a regular file"), ("/dev/null", "not a regular file")]


def test_deep_folders_are_read(code: Path) -> None:
    deep = "/".join("d" * 300)
    write(code, **{f"{deep}/a.py": ""})
    assert read(".")[0] == [f"{deep}/a.py"]


def test_file_that_goes_while_it_is_read_is_said(code: Path) -> None:
    write(code, **{"a.py": ""})
    walk = Walk()
    files = list(walk.files([Path()]))
    (code / "a.py").unlink()
    assert walk.text_of(files[0]) is None
    assert walk.unread == [("a.py", "No such file or directory")]


# ---- the bar


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_bar_is_drawn_on_a_terminal_for_a_large_tree_only() -> None:
    for stream, files, drawn in ((Terminal(), 1000, True), (Terminal(), 10, False), (io.StringIO(), 1000, False)):
        bar = Bar(stream, "files")
        bar(files // 2, files)
        assert ("500/1000 files" in stream.getvalue()) is drawn
        bar.clear()
        assert stream.getvalue().endswith("\r\x1b[K") is drawn


def test_bar_is_told_of_every_file(code: Path) -> None:
    write(code, **{f"{number}.py": "" for number in range(3)})
    told: list[tuple[int, int]] = []
    scan(steps_of(), [Path()], lambda done, every: told.append((done, every)))
    assert told == [(0, 3), (1, 3), (2, 3)]

"""The command as people call it: what it prints, how it exits, and that it never leaves half a file."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from builders import AREAS, DTYPE, MOVED, POLAR, SOFTMAX, File, changed, house_text, write_base

from torchnotes.cli import main
from torchnotes.reading import read_contents
from torchnotes.terms import Action, Kind

COMMAND = [sys.executable, "-c", "from torchnotes.cli import run; run()"]
MISSPELT: File = changed(POLAR, {"areas": ["operator"]})
LINE = f"data/{POLAR}:4: areas[0]: no area 'operator'. Did you mean 'operators'? [unknown-area]"

Output = pytest.CaptureFixture[str]


def tree(root: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def usage_error(output: Output, *arguments: str) -> str:
    """What a call that cannot work prints, in one line."""
    assert main(arguments) == 2
    printed = output.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("torchnotes: ")
    assert printed.err.count("\n") == 1
    return printed.err


@contextmanager
def unprivileged() -> Iterator[None]:
    """Not as root, who may read and write everything."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.fixture
def open_base() -> Iterator[Path]:
    """The base where any user can reach it, and every module of the command loaded."""
    root = Path(tempfile.mkdtemp())
    root.chmod(0o755)
    assert main(["--root", str(write_base(root)), "pages", "--out", str(root / "out")]) == 0
    yield root
    for folder in (root, *root.rglob("*")):
        if folder.is_dir():
            folder.chmod(0o755)
    shutil.rmtree(root)


# ---- check


def test_check_prints_nothing_when_all_is_well(base: Path, capsys: Output) -> None:
    assert main(["check", "--root", str(base)]) == 0
    assert capsys.readouterr() == ("", "")


def test_check_prints_every_problem_and_their_number(tmp_path: Path, capsys: Output) -> None:
    write_base(tmp_path, **{POLAR: MISSPELT})
    assert main(["check", "--root", str(tmp_path)]) == 1
    assert capsys.readouterr().out == f"{LINE}\n1 problem found\n"


def test_check_prints_annotations_for_github(tmp_path: Path, capsys: Output) -> None:
    write_base(tmp_path, **{POLAR: MISSPELT})
    assert main(["check", "--root", str(tmp_path), "--format", "github"]) == 1
    expected = (
        f"::error file=data/{POLAR},line=4,title=unknown-area::areas[0]: no area 'operator'. Did you mean 'operators'?"
    )
    assert capsys.readouterr().out == f"{expected}\n"


@pytest.mark.parametrize(
    ("path", "status"), [(POLAR, 1), ("features/2.14", 1), ("features", 1), ("", 1), (DTYPE, 0), ("vocabulary", 0)]
)
def test_check_of_a_path_prints_only_its_problems(tmp_path: Path, path: str, status: int) -> None:
    write_base(tmp_path, **{POLAR: MISSPELT})
    assert main(["check", "--root", str(tmp_path), str(tmp_path / "data" / path)]) == status
    assert main(["check", "--root", str(tmp_path), f"data/{path}"]) == status


def test_check_of_a_neighbour_with_a_longer_name_is_another_thing(tmp_path: Path) -> None:
    """features/2.1 is not features/2.14."""
    write_base(tmp_path, **{POLAR: MISSPELT, "features/2.1/x.yaml": "# only a comment\n"})
    assert main(["check", "--root", str(tmp_path), "data/features/2.14"]) == 1
    (tmp_path / "data" / "features" / "2.1" / "x.yaml").unlink()
    assert main(["check", "--root", str(tmp_path), "data/features/2.1"]) == 0


@pytest.mark.parametrize("command", ["check", "format"])
@pytest.mark.parametrize("path", ["data/gone.yaml", "gone"])
def test_path_that_is_not_there_is_a_wrong_call(base: Path, capsys: Output, command: str, path: str) -> None:
    assert "no such file or folder" in usage_error(capsys, command, "--root", str(base), path)


@pytest.mark.parametrize("command", ["check", "format"])
def test_path_outside_of_the_data_is_a_wrong_call(base: Path, capsys: Output, command: str) -> None:
    (base / "README.md").touch()
    assert "not below" in usage_error(capsys, command, "--root", str(base), str(base / "README.md"))


def test_check_of_a_link_that_leads_nowhere_tells_its_problem(base: Path, capsys: Output) -> None:
    (base / "data" / "loop.yaml").symlink_to("loop.yaml")
    assert main(["check", "--root", str(base), str(base / "data" / "loop.yaml")]) == 1
    assert "[unreadable]" in capsys.readouterr().out


def test_check_changes_nothing(base: Path) -> None:
    before = tree(base)
    main(["check", "--root", str(base)])
    assert tree(base) == before


def test_check_of_an_unreadable_folder_does_not_call_it_empty(open_base: Path, capsys: Output) -> None:
    (open_base / "data" / "features" / "2.15").chmod(0)
    with unprivileged():
        assert main(["--root", str(open_base), "check"]) == 1
    assert "data/features/2.15:1: the folder cannot be read (Permission denied)." in capsys.readouterr().out


def test_check_of_an_unreadable_file_names_it(open_base: Path, capsys: Output) -> None:
    (open_base / "data" / SOFTMAX).chmod(0)
    with unprivileged():
        assert main(["--root", str(open_base), "check"]) == 1
    assert f"data/{SOFTMAX}:1: cannot be read (Permission denied)." in capsys.readouterr().out


# ---- where the project is


def test_root_may_stand_before_or_after_the_command(base: Path) -> None:
    assert main(["--root", str(base), "check"]) == 0
    assert main(["check", "--root", str(base)]) == 0


def test_root_is_found_from_a_folder_inside(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(base / "data" / "features" / "2.15")
    assert main(["check"]) == 0
    assert main(["check", "fast-softmax.yaml"]) == 0
    assert main(["check", "../2.14"]) == 0
    assert main(["check", "."]) == 0


def test_root_may_be_reached_by_a_link(base: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    link = tmp_path_factory.mktemp("elsewhere") / "project"
    link.symlink_to(base)
    assert main(["check", "--root", str(link), str(base / "data" / POLAR)]) == 0
    assert main(["check", "--root", str(base), str(link / "data" / POLAR)]) == 0


def test_outside_of_a_project_one_is_told_how_to_name_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "--root" in usage_error(capsys, "check")
    assert "holds no folder data/" in usage_error(capsys, "check", "--root", str(tmp_path))


# ---- help and wrong calls


@pytest.mark.parametrize("command", ["check", "format", "pages", "new"])
def test_every_command_has_help(command: str, capsys: Output) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    text = capsys.readouterr().out
    assert text.startswith(f"usage: torchnotes {command}")
    assert "--root" in text


def test_help_names_every_command_and_the_exit_status(capsys: Output) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    text = capsys.readouterr().out
    for word in ("check", "format", "pages", "new", "Exit status"):
        assert word in text


@pytest.mark.parametrize(
    "arguments", [[], ["chek"], ["check", "--format", "xml"], ["new", "2.15"], ["new", "2.15", "x", "--kind", "party"], ["pages"]]
)  # fmt: skip
def test_wrong_call_exits_with_2(arguments: list[str], capsys: Output) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert "usage: torchnotes" in capsys.readouterr().err


def test_version_is_told(capsys: Output) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out.startswith("torchnotes 0.")


# ---- format


def untidy(root: Path) -> Path:
    """The base with one file whose keys are in another order."""
    lines = house_text(SOFTMAX, changed(SOFTMAX, {})).splitlines(keepends=True)
    return write_base(root, **{SOFTMAX: "".join([lines[1], lines[0], *lines[2:]])})


def test_format_rewrites_what_is_not_in_the_house_format(tmp_path: Path, capsys: Output) -> None:
    untidy(tmp_path)
    assert main(["format", "--root", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"data/{SOFTMAX}: rewritten\n"
    assert main(["check", "--root", str(tmp_path)]) == 0
    assert main(["format", "--root", str(tmp_path)]) == 0
    assert capsys.readouterr().out == ""


def test_format_check_writes_nothing(tmp_path: Path, capsys: Output) -> None:
    before = tree(untidy(tmp_path))
    assert main(["format", "--check", "--root", str(tmp_path)]) == 1
    assert capsys.readouterr().out == f"data/{SOFTMAX}: would be rewritten\n"
    assert tree(tmp_path) == before


def test_format_of_a_path_leaves_others_alone(tmp_path: Path) -> None:
    before = tree(untidy(tmp_path))
    assert main(["format", "--root", str(tmp_path), f"data/{POLAR}"]) == 0
    assert tree(tmp_path) == before


def test_format_renews_the_schema(tmp_path: Path) -> None:
    write_base(tmp_path, **{"schema/feature.schema.json": b"\xff"})
    assert main(["format", "--check", "--root", str(tmp_path)]) == 1
    assert main(["format", "--root", str(tmp_path)]) == 0
    assert main(["check", "--root", str(tmp_path)]) == 0


@pytest.mark.parametrize(
    ("text", "rule"), [("title: x\n", "missing-field"), ("a: [\n", "yaml-syntax"), (b"\xff", "not-utf-8")]
)
def test_format_leaves_a_broken_file_alone_and_names_it(
    tmp_path: Path, capsys: Output, text: str | bytes, rule: str
) -> None:
    before = tree(write_base(tmp_path, **{SOFTMAX: text}))
    assert main(["format", "--root", str(tmp_path)]) == 1
    assert f"[{rule}]" in capsys.readouterr().out
    assert tree(tmp_path) == before


def test_format_does_not_lose_a_comment(tmp_path: Path, capsys: Output) -> None:
    text = house_text(SOFTMAX, changed(SOFTMAX, {})).replace("areas: [mps]", "areas: [mps]  # sure?")
    before = tree(write_base(tmp_path, **{SOFTMAX: text}))
    assert main(["format", "--root", str(tmp_path)]) == 1
    assert f"data/{SOFTMAX}:4: a comment" in capsys.readouterr().out
    assert tree(tmp_path) == before


def test_format_and_check_agree_about_windows_files(tmp_path: Path) -> None:
    """A byte order mark and CRLF are no reason to complain."""
    text = "\ufeff" + house_text(SOFTMAX, changed(SOFTMAX, {})).replace("\n", "\r\n")
    write_base(tmp_path, **{SOFTMAX: text})
    assert main(["check", "--root", str(tmp_path)]) == 0
    assert main(["format", "--check", "--root", str(tmp_path)]) == 0


def test_format_of_a_read_only_folder_says_so_and_leaves_no_trace(open_base: Path, capsys: Output) -> None:
    before = tree(untidy(open_base))
    (open_base / "data" / "features" / "2.15").chmod(0o555)
    with unprivileged():
        assert "Permission denied" in usage_error(capsys, "format", "--root", str(open_base))
    assert tree(open_base) == before


# ---- pages


def test_pages_are_written_below_the_folder(base: Path, capsys: Output) -> None:
    assert main(["pages", "--root", str(base), "--out", str(base / "out")]) == 0
    assert (base / "out" / "features" / "fast-softmax.md").is_file()
    assert (base / "out" / "api" / "v1" / "features.json").is_file()
    assert str(base / "out") in capsys.readouterr().out


def test_pages_of_broken_data_are_not_written(tmp_path: Path, capsys: Output) -> None:
    write_base(tmp_path, **{POLAR: MISSPELT})
    assert main(["pages", "--root", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert LINE in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_pages_do_not_mind_the_layout_of_files(tmp_path: Path) -> None:
    assert main(["pages", "--root", str(untidy(tmp_path)), "--out", str(tmp_path / "out")]) == 0


def test_pages_leave_other_files_in_the_folder_alone(base: Path) -> None:
    (base / "out").mkdir()
    (base / "out" / "mine.txt").write_text("mine", encoding="utf-8")
    assert main(["pages", "--root", str(base), "--out", str(base / "out")]) == 0
    assert (base / "out" / "mine.txt").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("out", ["file", "file/below", "/dev/null/below"])
def test_pages_into_a_file_are_a_wrong_call(base: Path, capsys: Output, out: str) -> None:
    (base / "file").touch()
    usage_error(capsys, "pages", "--root", str(base), "--out", str(base / out))


def test_pages_into_a_read_only_folder_say_so(open_base: Path, capsys: Output) -> None:
    capsys.readouterr()
    with unprivileged():
        assert "Permission denied" in usage_error(
            capsys, "pages", "--root", str(open_base), "--out", str(open_base / "new")
        )


# ---- new


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("action", Action)
def test_new_record_fails_only_on_what_a_person_must_write(
    base: Path, capsys: Output, kind: Kind, action: Action
) -> None:
    assert main(["new", "2.15", "my-note", "--kind", kind, "--action", action, "--root", str(base)]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == "data/features/2.15/my-note.yaml: written. Still to be written by a person:"
    assert lines[-1] == f"{len(lines) - 1} problems found"
    assert {line.rpartition(" ")[2] for line in lines[:-1]} <= {"[empty]", "[missing-field]"}
    asked = [" title: ", " stability: ", " migration.visibility[0]: ", " sources[0].role: "]
    assert all(any(field in line for line in lines) for field in asked), "a fact that nobody asserted"
    assert any(": title: " in line for line in lines)
    assert main(["check", "--root", str(base)]) == 1


def test_new_record_waits_for_its_proof_when_its_texts_are_written(base: Path, capsys: Output) -> None:
    main(["new", "2.14", "my-note", "--root", str(base)])
    file = base / "data" / "features" / "2.14" / "my-note.yaml"
    given = {"title": "A note", "areas": "[fsdp]", "hardware": "[any]", "summary": "It is here.", "number": "7"}
    given |= {"applies_when": "You use it.", "steps": "[Change it.]", "says": "It does.", "stability": "beta"}
    given |= {"visibility": "[speed]", "role": "change", "name": "torch.note"}
    lines = []
    for line in file.read_text(encoding="utf-8").splitlines():
        key = line.partition(":")[0].strip(" -")
        if key == "title" and line.startswith(" "):
            given["title"] = "Its title"
        lines.append(f"{line.partition(':')[0]}: {given[key]}" if key in given else line)
    text = "\n".join(line for line in lines if line.strip() != "- ''") + "\n"
    file.write_text(text, encoding="utf-8")
    assert main(["format", "--root", str(base)]) == 0
    capsys.readouterr()
    assert main(["check", "--root", str(base)]) == 1
    (line, count) = capsys.readouterr().out.splitlines()
    assert line.endswith("[no-proof]")
    assert count == "1 problem found"


@pytest.mark.parametrize(
    "name", ["../x", "../../x", "/somewhere/x", "Foo", "foo_bar", "foo bar", "foo.bar", "", "-x-", "é", "all", "index", "x" * 61, "a/b"]
)  # fmt: skip
def test_new_refuses_a_bad_id_and_writes_nothing(base: Path, capsys: Output, name: str) -> None:
    before = tree(base)
    assert repr(name) in usage_error(capsys, "new", "--root", str(base), "2.15", "--", name)
    assert tree(base) == before


@pytest.mark.parametrize("name", ["fast-softmax", "tensor-polar", "polar"])
def test_new_refuses_an_id_that_was_ever_used(base: Path, capsys: Output, name: str) -> None:
    """In this release, in another one, or by a record that moved."""
    before = tree(base)
    assert "is taken by data/" in usage_error(capsys, "new", "--root", str(base), "2.15", name)
    assert tree(base) == before


def test_new_refuses_the_id_of_a_record_that_cannot_be_read(tmp_path: Path, capsys: Output) -> None:
    write_base(tmp_path, **{SOFTMAX: "a: [\n"})
    assert "is taken by" in usage_error(capsys, "new", "--root", str(tmp_path), "2.14", "fast-softmax")


@pytest.mark.parametrize("release", ["2.13", "2.16", "../2.15", "2.15.0", ""])
def test_new_refuses_a_release_without_features(base: Path, capsys: Output, release: str) -> None:
    before = tree(base)
    assert f"no release '{release}'" in usage_error(capsys, "new", "--root", str(base), release, "my-note")
    assert tree(base) == before


def test_new_in_a_read_only_folder_leaves_no_trace(open_base: Path, capsys: Output) -> None:
    before = tree(open_base)
    capsys.readouterr()
    (open_base / "data" / "features" / "2.15").chmod(0o555)
    with unprivileged():
        assert "Permission denied" in usage_error(capsys, "new", "--root", str(open_base), "2.15", "my-note")
    assert tree(open_base) == before


def test_new_works_besides_other_problems(tmp_path: Path, capsys: Output) -> None:
    """Only the problems of the new record are told."""
    write_base(tmp_path, **{POLAR: MISSPELT, MOVED: "moved: x\n"})
    assert main(["new", "2.15", "my-note", "--root", str(tmp_path)]) == 0
    assert POLAR not in capsys.readouterr().out


# ---- as a process


def test_reader_that_stops_early_causes_no_complaint(tmp_path: Path) -> None:
    """As in ``torchnotes check | head -1``, with little and with much to print."""
    for count in (1, 3000):
        areas = "".join(f"  - id: '{n}-'\n    label: x\n    definition: x\n" for n in range(count))
        write_base(tmp_path, **{AREAS: f"areas:\n{areas}"})
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [*COMMAND, "check"], cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE, text=True, check=False
        )
        os.close(writing)
        assert (done.returncode, done.stderr) == (1, "")


def test_terminal_that_cannot_show_a_text_gets_escapes(tmp_path: Path) -> None:
    write_base(tmp_path, **{POLAR: changed(POLAR, {"kind": "日本"})})
    done = subprocess.run(
        [*COMMAND, "check"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"no such word: '\\u65e5\\u672c'" in done.stdout


def test_name_of_a_file_that_is_no_text_is_shown_all_the_same(base: Path, capsys: Output) -> None:
    (base / "data" / os.fsdecode(b"b\xe9.yaml")).touch()
    assert main(["check", "--root", str(base)]) == 1
    assert "data/b\\udce9.yaml:1:" in capsys.readouterr().out


def test_base_is_read_as_a_whole(base: Path) -> None:
    contents = read_contents(base)
    assert contents.problems == []
    # The schema, the proofs, the metadata and what pip told are written by programs.
    assert len(list(contents.documents)) == len(tree(base)) - 4

import os
import stat
from pathlib import Path

import pytest

from torchnotes.writing import write_text


def test_text_is_written_as_utf8_with_plain_line_ends(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "é\nb\n")
    assert (tmp_path / "a.txt").read_bytes() == b"\xc3\xa9\nb\n"


def test_missing_folders_are_made(tmp_path: Path) -> None:
    write_text(tmp_path / "a" / "b" / "c.txt", "x")
    assert (tmp_path / "a" / "b" / "c.txt").read_text(encoding="utf-8") == "x"


def test_rights_of_an_existing_file_are_kept(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch(mode=0o640)
    write_text(tmp_path / "a.txt", "x")
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o640


def test_rights_of_a_new_file_are_the_usual_ones(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write_text(tmp_path / "a.txt", "x")
    assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_text_that_cannot_be_written_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old", encoding="utf-8")
    with pytest.raises(UnicodeEncodeError):
        write_text(tmp_path / "a.txt", "new \ud800")
    assert [(path.name, path.read_text(encoding="utf-8")) for path in tmp_path.iterdir()] == [("a.txt", "old")]


def test_a_folder_in_the_way_is_an_error_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "a.txt" / "b").mkdir(parents=True)
    with pytest.raises(OSError, match=r"a\.txt"):
        write_text(tmp_path / "a.txt", "x")
    assert os.listdir(tmp_path) == ["a.txt"]

import hashlib
import struct
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from made_wheels import made_wheel, made_zip, opened

from torchnotes.wheel import archive as module
from torchnotes.wheel.archive import Archive, WheelError, open_wheel

FILES: Mapping[str, str | bytes] = {
    "torch/__init__.py": "x = 1\n",
    "torch/nn/functional.py": "",
    "torch/lib/big.so": b"a" * 100,
    "torch/a.pyi": "",
}
INFO = ("torch-1.dist-info/METADATA", "Name: torch\n")


@pytest.fixture
def wheel(tmp_path: Path) -> Iterator[Archive]:
    with opened(tmp_path, FILES) as archive:
        yield archive


def refused(path: Path, sha256: str | None = None) -> WheelError:
    with pytest.raises(WheelError) as caught:
        open_wheel(path, sha256)
    assert caught.value.what
    assert not caught.value.what.endswith(".")
    assert caught.value.fix.endswith((".", "?"))
    return caught.value


def test_a_wheel_lists_its_files_and_reads_them(wheel: Archive) -> None:
    assert wheel.dist_info == "torch-2.15.0.dist-info"
    assert FILES.keys() <= wheel.names
    assert wheel.has("torch/a.pyi")
    assert not wheel.has("torch/b.pyi")
    assert wheel.read("torch/__init__.py") == b"x = 1\n"
    assert wheel.text("torch/__init__.py") == "x = 1\n"
    assert wheel.size("torch/lib/big.so") == 100


def test_python_files_are_those_of_packages(tmp_path: Path) -> None:
    files = {**FILES, "torch-2.15.0.dist-info/x.py": "", "torch-2.15.0.data/scripts/y.py": "", "one.py": ""}
    with opened(tmp_path, files) as archive:
        assert list(archive.python_files()) == ["one.py", "torch/__init__.py", "torch/a.pyi", "torch/nn/functional.py"]


def test_folders_are_no_files(tmp_path: Path) -> None:
    with open_wheel(made_zip(tmp_path / "a.whl", [INFO, ("torch/", ""), ("torch/x.py", "")])) as archive:
        assert archive.names == {INFO[0], "torch/x.py"}


def test_what_is_no_utf8_is_replaced(tmp_path: Path) -> None:
    with opened(tmp_path, {"torch/a.py": b"a\xff"}) as archive:
        assert archive.text("torch/a.py") == "a�"


def test_a_right_hash_opens_and_a_wrong_one_says_both(tmp_path: Path) -> None:
    path = made_wheel(tmp_path, FILES)
    right = hashlib.sha256(path.read_bytes()).hexdigest()
    open_wheel(path, right.upper()).close()
    error = refused(path, "0" * 64)
    assert right in error.what
    assert "0" * 64 in error.what


def test_a_missing_file_and_a_folder_are_said(tmp_path: Path) -> None:
    assert "no file" in refused(tmp_path / "none.whl").what
    assert "cannot be read" in refused(tmp_path).what


def test_what_is_no_zip_or_half_of_one_is_said(tmp_path: Path) -> None:
    (tmp_path / "text.whl").write_text("hello")
    assert "no zip archive" in refused(tmp_path / "text.whl").what
    (tmp_path / "empty.whl").write_bytes(b"")
    assert "no zip archive" in refused(tmp_path / "empty.whl").what
    whole = made_wheel(tmp_path, FILES).read_bytes()
    (tmp_path / "half.whl").write_bytes(whole[: len(whole) // 2])
    assert "truncated" in refused(tmp_path / "half.whl").what


@pytest.mark.parametrize("name", ["../x", "torch/../x", "/x", "torch//x", "./x", "torch\\x", "C:/x", "torch/.."])
def test_a_harmful_path_is_refused(tmp_path: Path, name: str) -> None:
    assert "has a member" in refused(made_zip(tmp_path / "a.whl", [INFO, (name, "")])).what


def test_a_nul_in_a_name_is_refused(tmp_path: Path) -> None:
    path = made_zip(tmp_path / "a.whl", [INFO, ("torch/xQy.py", "")])
    path.write_bytes(path.read_bytes().replace(b"xQy.py", b"x\0y.py"))
    assert "NUL" in refused(path).what


def test_a_link_is_refused(tmp_path: Path) -> None:
    member = zipfile.ZipInfo("torch/x.py")
    member.external_attr = 0o120777 << 16
    assert "link" in refused(made_zip(tmp_path / "a.whl", [INFO, (member, "/etc")])).what


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    path = made_zip(tmp_path / "a.whl", [INFO, ("torch/x.py", "")])
    content = bytearray(path.read_bytes())
    place = content.rindex(b"PK\x01\x02")
    content[place + 8] |= 1
    path.write_bytes(bytes(content))
    assert "encrypted" in refused(path).what


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_are_refused(tmp_path: Path) -> None:
    path = made_zip(tmp_path / "a.whl", [INFO, ("torch/x.py", "a"), ("torch/x.py", "b")])
    assert "2 members of the name 'torch/x.py'" in refused(path).what


def test_a_bomb_is_refused_by_its_ratio(tmp_path: Path) -> None:
    path = made_zip(tmp_path / "a.whl", [INFO, ("torch/x.so", bytes(module.MOST_READ + 1))])
    assert "unpacks" in refused(path).what


@pytest.mark.parametrize(("size", "said"), [(0xFFFFFFF0, "unpacks"), (0x90000000, "unpacks")])
def test_an_absurd_declared_size_is_refused(tmp_path: Path, size: int, said: str) -> None:
    path = made_zip(tmp_path / "a.whl", [INFO, ("torch/x.so", "a")])
    content = bytearray(path.read_bytes())
    place = content.rindex(b"PK\x01\x02") + 24
    content[place : place + 4] = struct.pack("<I", size)
    path.write_bytes(bytes(content))
    assert said in refused(path).what


def test_limits_of_size_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made_wheel(tmp_path, FILES)
    monkeypatch.setattr(module, "MOST_OF_ONE", 99)
    assert "torch/lib/big.so" in refused(path).what
    monkeypatch.setattr(module, "MOST_IN_ALL", 100)
    assert "bytes unpacked, more than any wheel has" in refused(path).what
    monkeypatch.setattr(module, "MOST_MEMBERS", 2)
    assert "members" in refused(path).what


def test_a_member_inside_another_is_refused(tmp_path: Path) -> None:
    path = made_zip(tmp_path / "a.whl", [INFO, ("torch/x.py", "a" * 50), ("torch/y.py", "b")])
    content = bytearray(path.read_bytes())
    first = content.index(b"PK\x01\x02")
    place = content.rindex(b"PK\x01\x02")
    content[place + 42 : place + 46] = content[first + 42 : first + 46]
    path.write_bytes(bytes(content))
    assert "inside another" in refused(path).what


def test_a_zip_without_metadata_or_with_two_is_no_wheel(tmp_path: Path) -> None:
    assert "no folder *.dist-info" in refused(made_zip(tmp_path / "a.whl", [("torch/x.py", "")])).what
    two = made_zip(tmp_path / "b.whl", [INFO, ("other-1.dist-info/METADATA", "")])
    assert "other-1.dist-info and torch-1.dist-info" in refused(two).what


def test_a_damaged_member_is_said_when_it_is_read(tmp_path: Path) -> None:
    path = made_zip(tmp_path / "a.whl", [INFO, (stored("torch/x.py"), "a" * 50)])
    path.write_bytes(path.read_bytes().replace(b"a" * 50, b"a" * 49 + b"b"))
    with open_wheel(path) as archive:
        with pytest.raises(WheelError, match="damaged"):
            archive.read("torch/x.py")
        with pytest.raises(WheelError, match="damaged"):
            archive.which("torch/x.py", [b"zz"])


def stored(name: str) -> zipfile.ZipInfo:
    return zipfile.ZipInfo(name)


def test_a_missing_member_is_said_with_the_nearest(wheel: Archive) -> None:
    with pytest.raises(WheelError) as caught:
        wheel.read("torch/functional.py")
    assert caught.value.fix == "Did you mean 'torch/nn/functional.py'?"


def test_what_is_too_large_is_not_read_whole(wheel: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_READ", 99)
    with pytest.raises(WheelError, match="too many"):
        wheel.read("torch/lib/big.so")
    assert wheel.which("torch/lib/big.so", [b"aa", b"b"]) == {b"aa"}


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 100])
def test_pieces_are_found_across_the_ends_of_chunks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(module, "_CHUNK", chunk)
    needles = [b"needle", b"n", b"needle in hay", b"hayhay", b"need le"]
    with opened(tmp_path, {"torch/x.so": b"hay needle in hay"}) as archive:
        assert archive.which("torch/x.so", needles) == {b"needle", b"n", b"needle in hay"}
        assert archive.which("torch/x.so", []) == frozenset()


def test_an_empty_piece_is_refused(wheel: Archive) -> None:
    with pytest.raises(ValueError, match="empty"):
        wheel.which("torch/lib/big.so", [b""])


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("torch/functional.py", "torch/nn/functional.py"),
        ("torch/nn/functionel.py", "torch/nn/functional.py"),
        ("torch/lib/bigg.so", "torch/lib/big.so"),
        ("quite/else", None),
    ],
)
def test_nearest_offers_what_is_alike(wheel: Archive, asked: str, near: str | None) -> None:
    assert wheel.nearest(asked) == near


def test_leaving_closes_the_file(tmp_path: Path) -> None:
    with opened(tmp_path, FILES) as archive:
        pass
    with pytest.raises(WheelError):
        archive.read("torch/__init__.py")

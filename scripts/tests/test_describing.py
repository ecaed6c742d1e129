"""What a wheel says about itself, from small made wheels."""

import struct
from collections.abc import Mapping
from pathlib import Path

import pytest
from made_wheels import made_wheel

from torchnotes.model import MetadataFile, WheelFile, WheelMetadata
from torchnotes.proof.describing import HEADING, describe, metadata_of, metadata_text
from torchnotes.reading import validate
from torchnotes.wheel.archive import WheelError, open_wheel
from torchnotes.yaml_source import Document, parse

PLATFORM = {"linux-x86-64": "manylinux_2_28_x86_64", "macos-arm64": "macosx_14_0_arm64"}
COMMIT = "d0f2af8b66b20da4baa50644c0cd3f887a2eae2e"
VERSION = f"""from typing import Optional

__all__ = ['__version__', 'cuda']
__version__ = '2.15.0+cu132'
debug = False
cuda: Optional[str] = '13.2'
git_version = '{COMMIT}'
hip: Optional[str] = None
xpu: Optional[str] = None
"""
METADATA = """Metadata-Version: 2.4
Name: torch
Version: 2.15.0
Requires-Python: >=3.11
Classifier: Programming Language :: Python :: 3 :: Only
Classifier: Programming Language :: Python :: 3.11
Classifier: Programming Language :: Python :: 3.12
Requires-Dist: filelock
Requires-Dist: cuda-bindings<14,>=13.0.3; platform_system == "Linux" and python_version < "3.15"
Requires-Dist: triton~=3.9.0; platform_system == "Linux"
Requires-Dist: triton ~= 3.9.0 ; platform_system=="Linux"
"""
LIST = b"\0\0sm_75 sm_80 compute_90\0"
LIBRARY = "torch/lib/libtorch_python.so"


def described(
    folder: Path, files: Mapping[str, str | bytes], platform: str = "linux-x86-64", package: str = "torch"
) -> WheelMetadata:
    path = made_wheel(folder, files, package.replace("-", "_"), platform=PLATFORM[platform])
    wheel = WheelFile.model_validate(
        {
            "file": path.name,
            "package": package,
            "version": "2.15.0",
            "platform": platform,
            "sha256": "a" * 64,
            "examined": "2026-11-30",
        }
    )
    with open_wheel(path) as archive:
        return describe(archive, wheel)


def test_all_that_a_wheel_says(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"torch/version.py": VERSION, "torch-2.15.0.dist-info/METADATA": METADATA}
    files[LIBRARY] = b"x" * 50 + LIST
    found = described(tmp_path, files)
    assert found.model_dump(exclude={"size"}) == {
        "wheel": "torch-2.15.0-linux-x86-64",
        "sha256": "a" * 64,
        "requires_python": ">=3.11",
        "pythons": ("3.11", "3.12"),
        "requirements": (
            "filelock",
            'cuda-bindings<14,>=13.0.3; platform_system == "Linux" and python_version < "3.15"',
            'triton~=3.9.0; platform_system == "Linux"',
        ),
        "tags": ("cp312-cp312-manylinux_2_28_x86_64",),
        "tags_inside": ("cp312-cp312-manylinux_2_28_x86_64",),
        "generator": "made",
        "full_version": "2.15.0+cu132",
        "commit": COMMIT,
        "cuda": "13.2",
        "hip": None,
        "xpu": None,
        "architectures": ("sm_75", "sm_80", "compute_90"),
        "macos": None,
    }
    assert found.size == next(tmp_path.glob("*.whl")).stat().st_size


def test_a_wheel_that_says_little(tmp_path: Path) -> None:
    files = {"torch-2.15.0.dist-info/METADATA": "Metadata-Version: 2.4\nName: torch\nVersion: 2.15.0\n"}
    found = described(tmp_path, {**files, "torch-2.15.0.dist-info/WHEEL": "Wheel-Version: 1.0\n"})
    assert (found.requires_python, found.generator, found.full_version, found.architectures) == (None,) * 4
    assert (found.pythons, found.requirements, found.tags_inside) == ((), (), ())


def test_a_companion_is_read_by_its_own_version_file(tmp_path: Path) -> None:
    files = {"torch_audio/version.py": "__version__ = '2.15.0+cpu'\n", "torch/version.py": VERSION}
    found = described(tmp_path, files, package="torch-audio")
    assert (found.full_version, found.cuda) == ("2.15.0+cpu", None)


@pytest.mark.parametrize("before", [4 * 1024**2 - 10, 4 * 1024**2 - 1, 4 * 1024**2])
def test_a_list_that_lies_across_two_pieces_is_found(tmp_path: Path, before: int) -> None:
    assert described(tmp_path, {LIBRARY: b"\1" * before + LIST}).architectures == ("sm_75", "sm_80", "compute_90")


@pytest.mark.parametrize("text", [b"sm_75 sm_80\0", b"\0sm_75 sm_80", b"\0sm_75, sm_80\0", b"\0xsm_75\0", b"\0sm_\0"])
def test_what_is_no_c_text_of_architectures_is_no_list(tmp_path: Path, text: bytes) -> None:
    assert described(tmp_path, {LIBRARY: text}).architectures is None


def test_two_lists_are_no_answer(tmp_path: Path) -> None:
    with pytest.raises(WheelError, match="more than one list of GPU architectures: sm_75; sm_80"):
        described(tmp_path, {LIBRARY: b"\0sm_75\0sm_80\0"})


def mach_o(*commands: tuple[int, int, int, int], magic: int = 0xFEEDFACF) -> bytes:
    """The beginning of a library for Macs: load commands as (number, size, platform, version)."""
    packed = b"".join(struct.pack("<IIIIII", *one, 0, 0) for one in commands)
    return struct.pack("<IiiIIIII", magic, 0, 0, 6, len(commands), len(packed), 0, 0) + packed


@pytest.mark.parametrize(
    ("library", "macos"),
    [
        (mach_o((0x19, 24, 0, 0), (0x32, 24, 1, 15 << 16 | 3 << 8)), "15.3"),
        (mach_o((0x32, 24, 2, 15 << 16)), None),
        (mach_o((0x32, 24, 1, 15 << 16), magic=0xCAFEBABE), None),
        (mach_o((0x19, 0, 0, 0), (0x19, 0, 0, 0)), None),
        (mach_o((0x32, 24, 1, 15 << 16))[:40], None),
        (b"", None),
    ],
)
def test_macos_of_a_library(tmp_path: Path, library: bytes, macos: str | None) -> None:
    assert described(tmp_path, {"torch/lib/libc10.dylib": library}, "macos-arm64").macos == macos


def test_the_newest_macos_counts(tmp_path: Path) -> None:
    files = {f"torch/lib/lib{major}.dylib": mach_o((0x32, 24, 1, major << 16)) for major in (9, 14, 11)}
    assert described(tmp_path, files, "macos-arm64").macos == "14.0"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"torch/version.py": "cuda = 'thirteen'\n"}, "cuda"),
        ({"torch/version.py": "git_version = 'main'\n"}, "commit"),
        ({"torch/version.py": "__version__ = '<script>'\n"}, "full_version"),
        ({"torch-2.15.0.dist-info/METADATA": "Name: torch\nRequires-Python: <b>\n"}, "requires_python"),
        (
            {"torch-2.15.0.dist-info/METADATA": "Name: torch\nRequires-Dist: a b c\n"},
            "a requirement 'a b c' that is none",
        ),
        ({"torch/version.py": "def (\n"}, "cannot be read as Python"),
    ],
)
def test_what_has_another_form_is_refused(tmp_path: Path, files: dict[str, str], said: str) -> None:
    with pytest.raises(WheelError, match=said):
        described(tmp_path, files)


def test_a_version_file_is_never_run(tmp_path: Path) -> None:
    text = "import os\n__version__ = os.environ['HOME']\ncuda = '13' + '.2'\ncuda = str(1)\n"
    found = described(tmp_path, {"torch/version.py": text})
    assert (found.full_version, found.cuda) == (None, None)


def read_back(text: str) -> MetadataFile:
    document = parse(text.encode(), "data/evidence/metadata.yaml")
    assert isinstance(document, Document)
    record = validate(document, MetadataFile)
    assert isinstance(record, MetadataFile), record
    return record


def test_the_file_holds_what_was_read_and_is_the_same_each_time(tmp_path: Path) -> None:
    found = MetadataFile(wheels=(described(tmp_path, {"torch/version.py": VERSION, LIBRARY: LIST}),))
    text = metadata_text(found)
    assert text.startswith(HEADING)
    assert str(tmp_path) not in text
    assert read_back(text) == found
    assert metadata_text(read_back(text)) == text


def test_what_was_not_read_again_stays_while_its_file_does(tmp_path: Path) -> None:
    one = described(tmp_path, {"torch/version.py": VERSION})
    wheels = [
        WheelFile.model_validate(
            {
                "file": f"torch-{version}-cp312-cp312-win_amd64.whl",
                "version": version,
                "platform": "windows-x86-64",
                "sha256": sha256 * 64,
                "examined": "2026-11-30",
            }
        )
        for version, sha256 in (("2.15.0", "b"), ("2.14.0", "a"), ("2.13.0", "a"))
    ]
    old = {wheel.id: one.model_copy(update={"wheel": wheel.id}) for wheel in wheels}
    stored = MetadataFile(wheels=(*old.values(), one))
    fresh = old[wheels[2].id].model_copy(update={"size": 7})
    kept = metadata_of(wheels, stored, [fresh])
    # The first one's file has another hash now, and the last of the stored ones was not examined.
    assert kept.wheels == (old[wheels[1].id], fresh)

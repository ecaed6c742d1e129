from pathlib import Path

import pytest
from made_wheels import opened

from torchnotes.wheel import metadata
from torchnotes.wheel.archive import WheelError

INFO = "torch-2.15.0.dist-info"
METADATA = """\
Metadata-Version: 2.4
Name: torch
Version: 2.15.0
Requires-Python: >=3.11
Classifier: Programming Language :: Python :: 3.12
Classifier: Programming Language :: C++
Requires-Dist: sympy>=1.13.3
Requires-Dist: triton==3.9.0; platform_system == "Linux"

Classifier: of the description
"""
POINTS = "[console_scripts]\ntorchrun = torch.distributed.run:main\n[A.b]\nNCCL-lazy = a:b\n%x = c\n"


def test_metadata_is_read(tmp_path: Path) -> None:
    with opened(tmp_path, {f"{INFO}/METADATA": METADATA}) as archive:
        assert metadata.version(archive) == "2.15.0"
        assert metadata.requires_python(archive) == ">=3.11"
        assert metadata.classifiers(archive) == (
            "Programming Language :: Python :: 3.12",
            "Programming Language :: C++",
        )
        first, second = metadata.requirements(archive)
    assert (first.name, str(first.specifier)) == ("sympy", ">=1.13.3")
    assert str(second.marker) == 'platform_system == "Linux"'


def test_what_is_not_declared_is_empty(tmp_path: Path) -> None:
    with opened(tmp_path, {f"{INFO}/METADATA": "Name: torch\n"}) as archive:
        assert metadata.requires_python(archive) == ""
        assert metadata.requirements(archive) == ()
        assert metadata.classifiers(archive) == ()
        assert metadata.entry_points(archive) == {}
        with pytest.raises(WheelError, match="no version"):
            metadata.version(archive)


def test_entry_points_keep_their_case(tmp_path: Path) -> None:
    with opened(tmp_path, {f"{INFO}/entry_points.txt": POINTS}) as archive:
        assert metadata.entry_points(archive) == {
            ("console_scripts", "torchrun"): "torch.distributed.run:main",
            ("A.b", "NCCL-lazy"): "a:b",
            ("A.b", "%x"): "c",
        }


def test_what_is_written_wrong_is_said(tmp_path: Path) -> None:
    bad = {f"{INFO}/METADATA": "Requires-Dist: ???\n", f"{INFO}/entry_points.txt": "no group\n"}
    with opened(tmp_path, bad) as archive:
        with pytest.raises(WheelError, match=r"'\?\?\?'"):
            metadata.requirements(archive)
        with pytest.raises(WheelError, match="entry_points"):
            metadata.entry_points(archive)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "torch-2.15.0-cp312-cp312-manylinux_2_28_x86_64.whl",
            ("cp312", "cp312", ("manylinux_2_28_x86_64",)),
        ),
        ("a-1-py2.py3-none-any.whl", ("py2.py3", "none", ("any",))),
        (
            "a-1-cp312-abi3-manylinux1_x86_64.manylinux_2_5_x86_64.whl",
            ("cp312", "abi3", ("manylinux1_x86_64", "manylinux_2_5_x86_64")),
        ),
    ],
)
def test_tags_are_those_of_the_name(name: str, expected: tuple[str, str, tuple[str, ...]]) -> None:
    assert metadata.tags(name) == expected


@pytest.mark.parametrize("name", ["torch.whl", "torch-2.15.0.tar.gz", "torch-x-cp312-cp312-any.whl", ""])
def test_a_name_that_is_no_wheels_is_said(name: str) -> None:
    with pytest.raises(WheelError, match="no file name of a wheel"):
        metadata.tags(name)

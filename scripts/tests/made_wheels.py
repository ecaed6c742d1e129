"""Small wheels for tests, whole or broken in one way."""

import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from torchnotes.wheel.archive import Archive, open_wheel


def made_wheel(
    folder: Path,
    files: Mapping[str, str | bytes],
    name: str = "torch",
    version: str = "2.15.0",
    platform: str = "macosx_14_0_arm64",
    *,
    python: str = "cp312-cp312",
) -> Path:
    """A valid wheel with these files. Those of its ``.dist-info`` can be given too, and replace the plain ones."""
    info = f"{name}-{version}.dist-info"
    plain: dict[str, str | bytes] = {
        f"{info}/METADATA": f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\nRequires-Python: >=3.10\n",
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: made\nTag: {python}-{platform}\n",
        f"{info}/RECORD": "",
    }
    return made_zip(folder / f"{name}-{version}-{python}-{platform}.whl", {**files, **plain, **files}.items())


def made_zip(path: Path, members: Iterable[tuple[str | zipfile.ZipInfo, str | bytes]]) -> Path:
    """A zip archive with exactly these members, in this order, good or bad."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in members:
            archive.writestr(member, content)
    return path


def opened(folder: Path, files: Mapping[str, str | bytes], **more: str) -> Archive:
    """The same, open. The caller closes it."""
    return open_wheel(made_wheel(folder, files, **more))

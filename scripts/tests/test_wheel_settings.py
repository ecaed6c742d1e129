"""Environment variables and config flags of small made wheels."""

from pathlib import Path

import pytest
from made_wheels import opened

from torchnotes.wheel.settings import Setting, config_flags, environment_variables


def _variables(folder: Path, files: dict[str, str | bytes]) -> dict[str, Setting]:
    with opened(folder, files) as archive:
        return dict(environment_variables(archive))


def _flags(folder: Path, files: dict[str, str | bytes]) -> dict[str, str | None]:
    with opened(folder, files) as archive:
        return {name: setting.default for name, setting in config_flags(archive).items()}


# ---- Environment variables in Python --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "name", "default"),
    [
        ('os.environ.get("TORCH_X")', "TORCH_X", None),
        ('os.environ.get("TORCH_X", "0") == "1"', "TORCH_X", "'0'"),
        ('os.getenv("TORCH_X", default=f"{a}")', "TORCH_X", "f'{a}'"),
        ('environ["TORCH_X"]', "TORCH_X", None),
        ('if "TORCH_X" in os.environ: pass', "TORCH_X", None),
        ('if "TORCH_X" not in os.environ: pass', "TORCH_X", None),
        ('os.environ.setdefault("TORCH_X", "1")', "TORCH_X", "'1'"),
        ('NAME = "TORCH_X"\nos.environ.get(NAME)', "TORCH_X", None),
        ('NAME: str = "TORCH_X"\nos.environ[NAME]', "TORCH_X", None),
        ('def f():\n    name = "TORCH_X"\n    return os.getenv(name)', "TORCH_X", None),
        ('for name in ("TORCH_X",):\n    os.getenv(name)', "TORCH_X", None),
        ('NAMES = ["TORCH_X"]\n[os.environ.get(one) for one in NAMES]', "TORCH_X", None),
        ('def f():\n    return {one: os.getenv(one) for one in ["TORCH_X"]}', "TORCH_X", None),
        ('x: bool = Config(env_name_force="TORCH_X", default=True)', "TORCH_X", None),
        ('x: bool = Config(env_name_default=["TORCH_X"], default=True)', "TORCH_X", None),
        ('def env(name):\n    return os.environ.get(name)\nenv("TORCH_X")', "TORCH_X", None),
        ('class A:\n    def env(self, name):\n        return os.getenv(name)\na.env("TORCH_X")', "TORCH_X", None),
        ('def env(*, name):\n    return os.getenv(name)\nenv(name="TORCH_X")', "TORCH_X", None),
    ],
)
def test_variable_is_found(tmp_path: Path, code: str, name: str, default: str | None) -> None:
    found = _variables(tmp_path, {"torch/a.py": f"import os\n{code}\n"})
    assert [(one.name, one.default) for one in found.values()] == [(name, default)]


@pytest.mark.parametrize(
    "code",
    [
        'os.environ["TORCH_X"] = "1"',
        'del os.environ["TORCH_X"]',
        'os.environ.update({"TORCH_X": "1"})',
        'options.get("TORCH_X")  # os.environ',
        'mapping["TORCH_X"]; os.environ',
        'os.environ.get("lower")',
        'os.environ.get("TORCH-X")',
        "os.environ.get(name)",
        'os.environ.get(f"TORCH_{name}")',
        'if "TORCH_X" in options: os.environ',
        '"""os.environ.get("TORCH_X")"""',
        'def env(name):\n    return os.getenv(name)\nother("TORCH_X")',
        'def env(name):\n    return os.getenv(name)\nenv(1, "TORCH_X")',
        "os.environ.get(",
    ],
)
def test_variable_is_not_found(tmp_path: Path, code: str) -> None:
    assert _variables(tmp_path, {"torch/a.py": f"import os\n{code}\n"}) == {}


def test_constants_and_helpers_of_other_files(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "torch/names.py": 'import os\nNAME = "TORCH_X"\nOTHER = "TORCH_Y"\ndef truth_env(name, fallback=None):\n    return os.environ.get(name, fallback)\n',
        "torch/sub/__init__.py": "import os\nfrom ..names import NAME as N\nos.environ.get(N, '1')\n",
        "torch/sub/b.py": "import os\nfrom torch import names\nos.environ.get(names.OTHER)\n",
        "torch/sub/c.py": 'from torch.names import truth_env\ntruth_env("TORCH_Z")\n',
        "torch/sub/d.py": 'import env\nthing.truth_env("TORCH_NOT")\n',
    }
    found = _variables(tmp_path, files)
    assert {name: one.where for name, one in found.items()} == {
        "TORCH_X": ("torch/sub/__init__.py:3",),
        "TORCH_Y": ("torch/sub/b.py:3",),
        "TORCH_Z": ("torch/sub/c.py:2",),
    }


def test_places_are_listed_once_and_defaults_that_differ_are_none(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "torch/b.py": 'import os\nos.getenv("TORCH_X", "1") or os.getenv("TORCH_X", "1")\nos.getenv("TORCH_Y", "2")\n',
        "torch/a.py": 'import os\n\n\nos.getenv("TORCH_X")\nos.getenv("TORCH_Y", "3")\n',
    }
    found = _variables(tmp_path, files)
    assert found["TORCH_X"] == Setting("TORCH_X", "'1'", ("torch/a.py:4", "torch/b.py:2"))
    assert found["TORCH_Y"] == Setting("TORCH_Y", None, ("torch/a.py:5", "torch/b.py:3"))


# ---- Environment variables in headers -------------------------------------------------------------------------

HEADER = """
// getenv("TORCH_COMMENT")
/* check_env("TORCH_BLOCK")
*/
auto a = std::getenv("TORCH_A");
auto b = c10::utils::check_env("TORCH_B");
static std::vector<std::string> TORCH_C = {
    "TORCH_C",
    "TORCH_OLD_C"};
int d = getCvarInt({"TORCH_D"}, 10);
auto e = c10::utils::get_env(name);
TORCH_CHECK(false, "TORCH_NOT");
static std::vector<std::string> names = {"TORCH_NOT"};
"""


def test_headers(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "torch/include/c10/x.h": HEADER,
        "torch/include/ATen/ops/y_ops.h": HEADER,
        "torch/share/x.h": HEADER,
    }
    found = _variables(tmp_path, files)
    assert {name: one.where for name, one in found.items()} == {
        "TORCH_A": ("torch/include/c10/x.h:5",),
        "TORCH_B": ("torch/include/c10/x.h:6",),
        "TORCH_C": ("torch/include/c10/x.h:8",),
        "TORCH_D": ("torch/include/c10/x.h:10",),
        "TORCH_OLD_C": ("torch/include/c10/x.h:9",),
    }


# ---- Config flags ---------------------------------------------------------------------------------------------

CONFIG = """
import sys
from typing import TYPE_CHECKING
from torch.utils._config_module import Config, install_config_module

if TYPE_CHECKING:
    never = 1
plain = False
typed: int = 64
computed = os.environ.get("X", "1") == "1"
wrapped: bool = Config(default=True, env_name_force="X")
placed: bool = Config(False)
other: bool = Config(alias="torch.config.plain")
bare: int
__dunder__ = 1
_private = 2
function = lambda: 1
def helper():
    inside = 1
if sys.platform == "linux":
    split = 1
else:
    split = 2
class triton:
    cudagraphs = False
    class deep:
        x = 1
    def method(self):
        y = 1
class base:
    shared = 1
    again = 2
@inherit_fields_from(base)
class derived(base):
    again = 3
install_config_module(sys.modules[__name__])
"""


def test_flags(tmp_path: Path) -> None:
    found = _flags(tmp_path, {"torch/_inductor/config.py": CONFIG})
    assert {name.removeprefix("torch._inductor.config."): default for name, default in found.items()} == {
        "_private": "2",
        "base.again": "2",
        "base.shared": "1",
        "computed": "os.environ.get('X', '1') == '1'",
        "derived.again": "3",
        "derived.shared": "1",
        "other": "alias of torch.config.plain",
        "placed": "False",
        "plain": "False",
        "split": None,
        "triton.cudagraphs": "False",
        "triton.deep.x": "1",
        "typed": "64",
        "wrapped": "True",
    }


@pytest.mark.parametrize(
    "code",
    [
        "x = 1\n",
        "from torch.utils._config_module import install_config_module\nx = 1\n",
        "x = 1\ninstall_config_module(another_module)\n",
        "x = 1\n# install_config_module(sys.modules[__name__])\n",
        "x = (\ninstall_config_module(sys.modules[__name__])\n",
    ],
)
def test_no_config_module(tmp_path: Path, code: str) -> None:
    assert _flags(tmp_path, {"torch/config.py": code}) == {}


def test_a_package_and_a_renamed_import(tmp_path: Path) -> None:
    code = "from torch.utils._config_module import install_config_module as _install_config_module\nx = 1\n_install_config_module(sys.modules[__name__])\n"
    found = _flags(tmp_path, {"torch/config/__init__.py": code, "torch/utils/_config_module.py": code})
    assert found == {"torch.config.x": "1"}

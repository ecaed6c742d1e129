"""What every test can ask for."""

from pathlib import Path

import pytest
from builders import write_base

pytest_plugins = ["site_fixtures", "browser_fixtures"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--update`` rewrites the lines that bad fixtures expect; a person then reads the difference."""
    parser.addoption("--update", action="store_true", help="rewrite what scripts/tests/bad expects")


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A project's root with the small valid knowledge base."""
    return write_base(tmp_path)

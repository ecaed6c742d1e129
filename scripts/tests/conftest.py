"""What every test can ask for."""

from pathlib import Path

import pytest
from builders import write_base

pytest_plugins = ["site_fixtures", "browser_fixtures"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--update`` rewrites the lines that bad fixtures expect; a person then reads the difference."""
    parser.addoption("--update", action="store_true", help="rewrite what scripts/tests/bad expects")
    parser.addoption("--code-bases", action="store_true", help="fetch real code bases with pip, and scan them too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What fetches code of others runs when it is asked for: a test run makes no request by itself."""
    if config.getoption("--code-bases"):
        return
    fetching = [item for item in items if item.get_closest_marker("fetches")]
    config.hook.pytest_deselected(items=fetching)
    items[:] = [item for item in items if item not in fetching]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A project's root with the small valid knowledge base."""
    return write_base(tmp_path)

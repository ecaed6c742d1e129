"""What every test can ask for."""

from collections.abc import Callable
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


TABLE = "table"


@pytest.fixture
def tell(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Prints a text at the end of the run, for people to read: workers of a parallel run cannot print by themselves."""
    return lambda text: record_property(TABLE, text)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What tests told."""
    for reports in list(terminalreporter.stats.values()):
        for report in reports:
            if isinstance(report, pytest.TestReport) and report.when == "call":
                for text in (text for name, text in report.user_properties if name == TABLE):
                    terminalreporter.write_line(f"\n{report.nodeid}\n{text}")


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A project's root with the small valid knowledge base."""
    return write_base(tmp_path)

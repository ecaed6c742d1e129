"""Figures → one aligned table, with the bar of each beside it. Pure; it marks what is above its bar, and judges nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

REAL = "real"
"""Size of the bars for the records that are there."""
ABOVE = "!"
"""Stands behind a figure that is above its bar."""
_UNITS: Mapping[str, tuple[float, int]] = {
    "s": (1, 1),
    "ms": (1, 1),
    "KB": (1_000, 1),
    "MB": (1_000_000, 1),
    "×": (1, 1),
    "": (1, 0),
}
"""Unit → what one of it is in the figures, and its decimals."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that is measured."""

    key: str
    label: str
    unit: str
    bars: Mapping[str, float] = field(default_factory=dict)
    """By size, in the row's unit."""
    is_most: bool = True
    """Whether the bar is the most that it should be, not the least."""


_ACTION_BARS = {REAL: 8, "2000": 20, "10000": 50}
ROWS: tuple[Row, ...] = (
    Row("features", "features", ""),
    Row("build", "build: processor time", "s"),
    Row("build-each", "  for each feature page", "ms", {"2000": 15, "10000": 15}),
    Row("build-further", "  for each further one (from the size before)", "ms", {"2000": 15, "10000": 15}),
    Row("memory", "  memory at the most", "MB"),
    Row("output", "  site", "MB"),
    Row("pages", "  pages", ""),
    Row("heads-raw", "index, first step", "KB"),
    Row("heads", "  with gzip", "KB", {REAL: 50, "2000": 130, "10000": 500}),
    Row("index-raw", "index, whole", "KB"),
    Row("index", "  with gzip", "KB", {REAL: 90, "2000": 500, "10000": 2_500}),
    Row("first-bytes", "finder: loaded until the first filtered list", "KB", {REAL: 150, "2000": 300, "10000": 750}),
    Row("all-bytes", "  until nothing loads any more", "KB"),
    Row("first-time", "  time to the first filtered list", "ms", {REAL: 100, "2000": 150, "10000": 300}),
    Row("ready-time", "  (a page of mere prose is ready after)", "ms"),
    Row("key-median", "  a keystroke, script and layout: median", "ms"),
    Row("key-p95", "  95 % are within", "ms", _ACTION_BARS),
    Row("click-median", "  a click on a facet, script and layout: median", "ms"),
    Row("click-p95", "  95 % are within", "ms", _ACTION_BARS),
    Row("next-time", "  another query, to the next list", "ms"),
    Row("material-build", "theme's own search: build, processor time", "s"),
    Row("material-index", "  index with gzip", "KB"),
    Row("material-bytes", "  loaded until the first result", "KB"),
    Row("material-time", "  time to the first result", "ms"),
    Row("material-next", "  another query, to the next results", "ms"),
    Row("ratio-time", "finder faster to the first list by", "×", {"2000": 10}, is_most=False),
    Row("ratio-next", "finder faster to another query's list by", "×"),
)


@dataclass(frozen=True, slots=True)
class Column:
    """One library: its size as the bars name it, and what was measured, by key of the row."""

    size: str
    figures: Mapping[str, float]


def percentile(figures: Sequence[float], share: float) -> float:
    """The smallest figure that so large a share of them does not exceed."""
    ordered = sorted(figures)
    return ordered[max(0, -(-len(ordered) * round(share * 100) // 100) - 1)]


def figure_text(figure: float, unit: str) -> str:
    """A figure in its unit, such as ``12.5 KB``."""
    one, decimals = _UNITS[unit]
    return f"{figure / one:,.{decimals}f} {unit}".rstrip()


def _cell(row: Row, column: Column) -> tuple[str, str]:
    figure, bar = column.figures.get(row.key), row.bars.get(column.size)
    if figure is None:
        return "", ""
    if bar is None:
        return f"{figure_text(figure, row.unit)} ", ""
    one, _ = _UNITS[row.unit]
    is_kept = figure / one <= bar if row.is_most else figure / one >= bar
    return f"{figure_text(figure, row.unit)}{' ' if is_kept else ABOVE}", f"{'≤' if row.is_most else '≥'} {bar:,g}"


def table(columns: Sequence[Column]) -> str:
    """The whole table; rows of which nothing was measured are left out."""
    lines: list[list[str]] = [["", *(part for one in columns for part in (one.size, "bar"))]]
    for row in ROWS:
        cells = [_cell(row, column) for column in columns]
        if any(figure for figure, _ in cells):
            lines.append([row.label, *(part for cell in cells for part in cell)])
    widths = [max(map(len, parts)) for parts in zip(*lines, strict=True)]
    aligned = [
        [parts[0].ljust(widths[0]), *(part.rjust(width) for part, width in zip(parts[1:], widths[1:], strict=True))]
        for parts in lines
    ]
    return "\n".join("  ".join(parts).rstrip() for parts in [*aligned, [f"{ABOVE} above (or below) its bar"]])

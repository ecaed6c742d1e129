"""What Hypothesis draws for more than one test."""

import copy
from collections.abc import Iterator
from typing import Any

from builders import BASE, Values
from hypothesis import strategies as st

JUNK = st.one_of(
    st.none(),
    st.sampled_from(["2.13.0", "2.14.0", "2.15.0", "2.16", "any", "cpu", "nvidia", "fsdp", "mps", "article-2.15"]),
    st.sampled_from(["old-loader", "old-loader-removed", "broken-entry-point", "reduce-dtype", "polar", "H100"]),
    st.lists(st.sampled_from(["2.13.0", "2.15.0", "any", "nvidia", "fsdp", "old-loader", "reduce-dtype", "polar"])),
    st.booleans(),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.sampled_from(
        ["x" * 5000, "2.10", "２.15.0", "none", "-1", "1e999", "a b", "a\nb", "`", "no", "never", "#1", "\x1b"]
    ),
    st.lists(st.sampled_from(["x", "any", ""]), max_size=10),
    st.dictionaries(
        st.sampled_from(["kind", "action", "source", "version", "x\ny", "code", ""]), st.just("x"), max_size=3
    ),
)


def places(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place inside a value, deepest last."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield (*place, key)
        yield from places(item, (*place, key))


@st.composite
def broken_files(draw: st.DrawFn) -> tuple[str, Values]:
    """A valid file in which one to three values became something else, went, or got company."""
    path = draw(st.sampled_from(sorted(BASE)))
    values = copy.deepcopy(BASE[path])
    for _ in range(draw(st.integers(1, 3))):
        *way, last = draw(st.sampled_from(list(places(values)) or [("x",)]))
        holder: Any = values
        for part in way:
            holder = holder[part]
        match draw(st.sampled_from(["change", "remove", "add"])):
            case "change":
                holder[last] = draw(JUNK)
            case "remove" if len(values) > 1 or way:
                del holder[last]
            case "add" if isinstance(holder, dict):
                holder[draw(st.sampled_from(["kynd", "x", "a.b", "text\n", "sources"]))] = draw(JUNK)
    return path, values

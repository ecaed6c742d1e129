"""Everything that the two articles state, and every item that was researched, has a home in the data."""

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from torchnotes.library import Library, library_of
from torchnotes.reading import read_contents

ROOT = Path(__file__).parents[2]
TABLES = Path(__file__).parent / "coverage"

STATEMENTS = {"article-2.14": 76, "article-2.15": 61}
"""Statements per article. The numbers only grow: a statement is never dropped to make a test pass."""
ITEMS = {"2.14": 83, "2.15": 57, "beyond-articles": 88, "known-issues": 75}
"""Researched items: per release, with its release facts; changes that the articles leave out; and faults that people met."""

FIGURES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("fact:2.14/contributors", ("487",)),
    ("fact:2.14/commits", ("2,995", "2995")),
    ("fact:2.14/announcement", ("3 September",)),
    ("version:2.14.0", ("2026-09-02",)),
    ("version:2.14.1", ("2026-09-30",)),
    ("version:2.15.0", ("2026-10-28",)),
    ("event:2.14/webinar-2026-09", ("2026-09-17",)),
    ("event:2.14/webinar-2026-09", ("Meta",)),
    ("event:2.14/webinar-2026-09", ("Reflection AI",)),
    ("event:2.14/webinar-2026-09", ("Gottbrath Tech",)),
    ("event:2.14/pytorch-conference-na-2026", ("2026-10-20",)),
    ("event:2.14/pytorch-conference-na-2026", ("2026-10-21",)),
    ("event:2.14/pytorch-conference-na-2026", ("San José",)),
    ("feature:mps-linear-decode-fix", ("8.5",)),
    ("feature:mps-linear-decode-fix", ("[B, 1, K]",)),
    ("feature:rocm-7-14-therock-wheels", ("7.14",)),
    ("fact:2.14/rocm", ("7.14",)),
    ("feature:rubin-sm107-target", ("sm_107",)),
    ("feature:linalg-polar", ("QDWH",)),
    ("feature:nvgemm-scaled-gemm-nvfp4", ("NVFP4",)),
    ("feature:mps-softmax-metal", ("128,256", "128256")),
    ("feature:mps-softmax-metal", ("1/8", "eighth", "8 times")),
    ("feature:mps-upsample-backward", ("21.7",)),
    ("feature:mps-norm", ("100",)),
    ("feature:mps-linear-decode", ("1.23",)),
    ("feature:mps-linear-decode", ("5x", "5\u00d7", "5 \u00d7", "5 times", "factor of 5")),
    ("feature:mps-grouped-mm", ("1.32",)),
    ("feature:mps-grouped-mm", ("1.34",)),
    ("feature:mps-grouped-mm", ("M3 Ultra",)),
    ("feature:mps-qr", ("512",)),
    ("feature:mps-qr", ("7 s",)),
    ("feature:mps-qr", ("1.5 ms",)),
    ("feature:wheels-cuda-132-default", ("13.2",)),
    ("fact:2.15/cuda-default", ("13.2",)),
    ("feature:wheels-cuda-134", ("13.4",)),
    ("fact:2.15/cuda-other-builds", ("13.4",)),
    ("feature:nvidia-driver-580", ("580",)),
    ("fact:2.15/driver", ("580",)),
    ("feature:nvidia-turing-or-newer", ("Turing",)),
    ("fact:2.15/nvidia-gpus", ("Turing",)),
    ("feature:cuda-126-130-dropped", ("12.6",)),
    ("feature:cuda-126-130-dropped", ("13.0",)),
    ("feature:python-311-to-315", ("3.10",)),
    ("feature:python-311-to-315", ("3.11",)),
    ("fact:2.15/python", ("3.11 to 3.15",)),
    ("feature:macos-15-required-for-mps", ("macOS 15",)),
    ("fact:2.15/macos", ("15",)),
    ("feature:rocm-10-therock", ("10.0",)),
    ("fact:2.15/rocm", ("10.0",)),
)
"""Home, and the spellings of which one must stand in it."""


@cache
def _library() -> Library:
    """Whatever can be read, so that one broken record does not hide what else is missing."""
    return library_of(read_contents(ROOT))


@cache
def _table(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = yaml.safe_load((TABLES / name).read_text(encoding="utf-8"))
    return rows


@cache
def _homes() -> dict[str, BaseModel]:
    """Every place a statement can live in, by the name that the tables use."""
    library = _library()
    found: dict[str, BaseModel] = {f"feature:{one.id}": one.feature for one in library.entries.values()}
    for release in library.releases.values():
        found |= {f"fact:{release.id}/{one.id}": one for one in release.release.facts}
        found |= {f"event:{release.id}/{one.id}": one for one in release.release.events}
        found |= {f"version:{one.version}": one for one in release.release.versions}
    return found


def _missing_homes(rows: list[dict[str, Any]], *name: str) -> list[str]:
    wrong = []
    for row in rows:
        shown = " ".join(str(row[part]) for part in name)
        if not row["homes"]:
            wrong.append(f"{shown}: no home")
        wrong += [f"{shown}: {home} does not exist" for home in row["homes"] if home not in _homes()]
    return wrong


def _fail_if(what: str, wrong: list[str]) -> None:
    """One message that lists everything that is wrong."""
    if wrong:
        pytest.fail("\n".join([f"{what} ({len(wrong)}):", *wrong]), pytrace=False)


def test_every_statement_has_a_home() -> None:
    """A reader finds each statement of the articles."""
    wrong = _missing_homes(_table("articles.yaml"), "article", "number", "says")
    _fail_if("statements without a home", wrong)


def test_statements_are_numbered_and_none_is_dropped() -> None:
    """Numbers run from 1 without a gap, and the table does not shrink unnoticed."""
    wrong = []
    for article, count in STATEMENTS.items():
        numbers = [row["number"] for row in _table("articles.yaml") if row["article"] == article]
        if numbers != list(range(1, len(numbers) + 1)):
            wrong.append(f"{article}: the numbers are not 1 to {len(numbers)} in this order")
        if len(numbers) != count:
            wrong.append(f"{article}: {len(numbers)} statements, {count} are due")
    unknown = {row["article"] for row in _table("articles.yaml")} - set(STATEMENTS)
    wrong += [f"{article}: not an article" for article in sorted(unknown)]
    _fail_if("the table of statements", wrong)


def test_no_statement_is_there_twice() -> None:
    """Two rows with one text would count one statement twice."""
    said = Counter((row["article"], row["says"]) for row in _table("articles.yaml"))
    wrong = [f"{article}: {says}" for (article, says), count in said.items() if count > 1]
    _fail_if("repeated statements", wrong)


def test_every_researched_item_has_a_home() -> None:
    """Nothing that was researched is lost."""
    wrong = _missing_homes(_table("facts.yaml"), "facts", "item")
    _fail_if("items without a home", wrong)


def test_researched_items_are_listed_once() -> None:
    """Each item once, and none is dropped."""
    listed = Counter((row["facts"], row["item"]) for row in _table("facts.yaml"))
    wrong = [f"{release} {item}: listed {count} times" for (release, item), count in listed.items() if count > 1]
    found = Counter(row["facts"] for row in _table("facts.yaml"))
    due = Counter(ITEMS)
    wrong += [f"{one}: {found[one]} items, {due[one]} are due" for one in due | found if found[one] != due[one]]
    _fail_if("the table of items", wrong)


@pytest.mark.parametrize(("home", "spellings"), FIGURES, ids=[f"{home}: {one[0]}" for home, one in FIGURES])
def test_figure_stands_in_its_home(home: str, spellings: tuple[str, ...]) -> None:
    """A figure of an article is really written where the tables say that it is."""
    record = _homes().get(home)
    if record is None:
        pytest.fail(f"{home} does not exist", pytrace=False)
    text = record.model_dump_json(by_alias=True)
    # Not as a part of a longer number: `1.32` is not said by `11.32` or `1.325`.
    if not any(re.search(rf"(?<![\d.]){re.escape(one)}(?!\d)", text) for one in spellings):
        pytest.fail(f"{home} does not say {' or '.join(spellings)}", pytrace=False)

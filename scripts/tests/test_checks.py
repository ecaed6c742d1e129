"""The checks as a whole; each rule is specified by its files in ``bad/``."""

from pathlib import Path

import pytest
from builders import BASE, DTYPE, POLAR, Values, changed, contents, house_text, write_base
from hypothesis import given, settings
from site_fixtures import ROOT
from strategies import broken_files

from torchnotes.checks import CHECKS, LAYOUT_CHECKS, PROOF_CHECKS, library_below, problems_below, problems_of
from torchnotes.library import Library


@given(broken_files())
@settings(max_examples=100, deadline=None, derandomize=True)
def test_no_value_makes_a_check_fail(broken: tuple[str, Values]) -> None:
    """Whatever passes the model is checked to the end, and whatever a check says fits on a line."""
    path, values = broken
    for problem in problems_of(contents(**{path: values}), CHECKS + LAYOUT_CHECKS + PROOF_CHECKS):
        assert str(problem).isprintable()
        assert not problem.what.endswith(".")
        assert not problem.fix or problem.fix[-1] in ".?`"


@pytest.mark.parametrize("path", BASE)
def test_broken_file_is_the_only_one_complained_about(tmp_path: Path, path: str) -> None:
    """What points to it is not wrong: one mistake, one place."""
    (problem,) = problems_below(write_base(tmp_path, **{path: "a: [\n"}))
    assert problem.path == f"data/{path}"
    assert library_below(tmp_path) == [problem]


def test_problems_are_sorted_by_path_and_line(tmp_path: Path) -> None:
    wrong = {path: changed(path, {"title": "", "stability": "x"}) for path in (DTYPE, POLAR)}
    problems = problems_below(write_base(tmp_path, **wrong))
    places = [(problem.path, problem.line) for problem in problems]
    assert places == [(f"data/{POLAR}", 1), (f"data/{POLAR}", 6), (f"data/{DTYPE}", 1), (f"data/{DTYPE}", 10)]


def test_layout_alone_does_not_keep_a_site_from_being_built(tmp_path: Path) -> None:
    text = house_text(POLAR, BASE[POLAR]) + "# a comment\n"
    write_base(tmp_path, **{POLAR: text, "schema/feature.schema.json": "{}"})
    assert [problem.rule for problem in problems_below(tmp_path)] == ["comment", "stale-schema"]
    assert isinstance(library_below(tmp_path), Library)


def test_every_check_says_what_it_holds() -> None:
    assert [check.__name__ for check in CHECKS + LAYOUT_CHECKS + PROOF_CHECKS if not check.__doc__] == []


def test_real_records_have_no_problem() -> None:
    """Proofs are fresh too, as far as that can be told without a wheel."""
    assert [str(problem) for problem in problems_below(ROOT)] == []

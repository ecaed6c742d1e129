from torchnotes.problem import Problem, report

AREA = Problem(
    "data/features/2.15/x.yaml", 9, "areas[1]", "no area 'atention'", "Did you mean 'attention'?", "unknown-area"
)


def test_problem_is_one_clickable_line() -> None:
    line = "data/features/2.15/x.yaml:9: areas[1]: no area 'atention'. Did you mean 'attention'? [unknown-area]"
    assert str(AREA) == line


def test_parts_that_are_empty_leave_no_trace() -> None:
    assert str(Problem("data/x.yaml", 1, "", "empty", "", "empty-file")) == "data/x.yaml:1: empty. [empty-file]"


def test_what_a_terminal_would_obey_is_shown_as_an_escape() -> None:
    """Quoted text comes from anybody: it can neither begin a new line nor colour the screen."""
    shown = str(Problem("data/x.yaml", 1, "a\nb", "'\x1b[31m'", "", "r"))
    assert shown == "data/x.yaml:1: a\\nb: '\\x1b[31m'. [r]"


def test_annotation_names_file_line_and_rule() -> None:
    assert AREA.as_github() == (
        "::error file=data/features/2.15/x.yaml,line=9,title=unknown-area"
        "::areas[1]: no area 'atention'. Did you mean 'attention'?"
    )


def test_annotation_escapes_what_would_end_a_property() -> None:
    shown = Problem("data/a,b:c.yaml", 1, "", "100 %\nsure", "", "r").as_github()
    assert shown == "::error file=data/a%2Cb%3Ac.yaml,line=1,title=r::100 %25\\nsure."


def test_report_is_sorted_without_repeats_and_counted() -> None:
    first = Problem("data/a.yaml", 2, "", "wrong", "", "r")
    assert report([AREA, first, AREA]).splitlines() == [str(first), str(AREA), "2 problems found"]


def test_report_sorts_lines_as_numbers() -> None:
    lines = [Problem("data/a.yaml", line, "", "wrong", "", "r") for line in (10, 9)]
    assert report(lines).splitlines()[0].startswith("data/a.yaml:9:")


def test_report_of_one_and_of_none() -> None:
    assert report([AREA]).endswith("1 problem found")
    assert report([]) == ""

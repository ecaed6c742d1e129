import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from torchnotes.problem import Problem
from torchnotes.yaml_source import Document, Value, comment_lines, dump, heading_of, parse, written

MODEST = settings(max_examples=150, deadline=None, derandomize=True)
NASTY = """no|Yes|true|null|~|2.10|1e3|0o17|0x1F|1_000|12:30:45|2026-10-28|=|<<|- a|#a|a #b|a: b|a:|`a`|@a|%a|*a|&a|!a|>|\
'a|"a|[a|{a|? a| a|a |a\n|\na|a\n\n|a\n b\n| a\nb|a \nb|\ta|a\tb|---|...|\ufeffa""".split("|")  # noqa: SIM905
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(
    [*NASTY, "", "|", "a  b " * 30]
)
VALUES = st.recursive(
    TEXTS | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def values_of(text: str) -> dict[str, Value]:
    document = parse(text.encode(), "data/x.yaml")
    assert isinstance(document, Document), document
    return document.values


def rules_of(data: bytes) -> list[str]:
    found = parse(data, "data/x.yaml")
    return [problem.rule for problem in found] if isinstance(found, list) else []


@given(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4))
@example({"a": "x" * 200, "b": "word " * 60, "c": ["x" * 200], "k" * 200: "long key"})
@MODEST
def test_what_is_dumped_is_read_back(values: dict[str, Value]) -> None:
    assert values_of(dump(values)) == values


@given(st.dictionaries(TEXTS.filter(bool), TEXTS, min_size=1, max_size=4))
@MODEST
def test_other_yaml_readers_read_the_same_text(values: dict[str, Value]) -> None:
    """No text of ours turns into a number, a date or a truth value elsewhere."""
    assert yaml.safe_load(dump(values)) == values


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_any_bytes_give_values_or_problems(data: bytes) -> None:
    found = parse(data, "data/x.yaml")
    problems = [] if isinstance(found, Document) else found
    assert isinstance(found, Document) or problems
    assert all("\n" not in str(problem) for problem in problems)


PUNCTUATION = [*":-[]{}#&*!|>'\"%@`,? \n\t", "a", "b: ", "- ", "\n  ", "é", "\x85", "\u2028"]


@given(st.lists(st.sampled_from(PUNCTUATION), max_size=25))
@settings(max_examples=400, deadline=None, derandomize=True)
def test_any_punctuation_gives_values_or_problems(parts: list[str]) -> None:
    found = parse("".join(parts).encode(), "data/x.yaml")
    assert isinstance(found, Document) or (found and all(problem.line >= 1 for problem in found))
    if isinstance(found, Document):
        comment_lines(found.text)


def test_only_true_false_and_null_are_not_text() -> None:
    text = "a: 2.10\nb: 2026-10-28\nc: true\nd: null\ne:\nf: ~\ng: 'true'\nh: 0x1F\n"
    expected = {"a": "2.10", "b": "2026-10-28", "c": True, "d": None, "e": None, "f": None, "g": "true", "h": "0x1F"}
    assert values_of(text) == expected


def test_byte_order_mark_and_windows_line_ends_are_accepted() -> None:
    document = parse(b"\xef\xbb\xbfa: 1\r\nb: |\r\n  x\r\n  y\r\n", "data/x.yaml")
    assert isinstance(document, Document)
    assert document.values == {"a": "1", "b": "x\ny\n"}
    assert document.text == "a: 1\nb: |\n  x\n  y\n"


def test_every_key_and_item_knows_its_line() -> None:
    document = parse(b"a:\n  - b: 1\n    c:\n      2\n  - d\n", "data/x.yaml")
    assert isinstance(document, Document)
    assert [document.line(place) for place in [("a",), ("a", 0), ("a", 0, "c"), ("a", 1)]] == [1, 2, 3, 5]


def test_a_field_that_is_not_there_is_looked_for_at_its_parent() -> None:
    document = parse(b"a: 1\nb:\n  c: 2\n", "data/x.yaml")
    assert isinstance(document, Document)
    assert (document.line(("b", "missing", 3)), document.line(("missing",)), document.line(())) == (2, 1, 1)


def test_several_faults_that_do_not_hide_each_other_are_all_told() -> None:
    assert rules_of(b"a: yes\na: 1\nb: !!str c\n") == ["boolean", "duplicate-key", "tag"]


def test_problem_of_a_syntax_fault_names_the_line_where_it_begins() -> None:
    found = parse(b"a: 1\nb: 'never closed\nc: 2\n", "data/x.yaml")
    assert isinstance(found, list)
    assert (found[0].line, found[0].rule) == (2, "yaml-syntax")


def test_anchors_that_multiply_are_refused_at_once() -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))
    assert rules_of(bomb.encode()) == ["anchor"]


def test_location_is_written_as_in_yaml() -> None:
    assert written(("migration", "steps", 1, "code")) == "migration.steps[1].code"
    assert written(()) == ""


def test_heading_is_the_comment_at_the_very_top() -> None:
    assert heading_of("# a\n# b\ntitle: x\n# c\n") == "# a\n# b\n"
    assert heading_of("title: x\n") == ""


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("# top\na: b\n", []),
        ("a: b  # end\n", [1]),
        ("a: b\n# whole", [2]),
        ("a:  # after a key\n  b: c\n", [1]),
        ("a: [b]  # after a list\n", [1]),
        ("a: 'b'#after a quote\n", [1]),
        ("a:\n  - b\n  # between items\n  - c\n", [3]),
        ("a: |  # after a bar\n  b\n", [1]),
        ("a: |\n  # code\n  b\n# whole\nc: d\n", [4]),
        ("a: 'b # c'\nd: e#f\n", []),
        ('a: "b\n  # c"\nd: e\n', []),
        ("a: b\n  c\n  d  # end\n", [3]),
    ],
)
def test_comments_below_the_heading_are_found_and_texts_that_look_like_one_are_not(text: str, lines: list[int]) -> None:
    assert comment_lines(text) == lines


def test_short_lists_of_words_stand_on_one_line_and_others_below_each_other() -> None:
    assert dump({"a": ["b", "c-d"], "e": ["one: two"]}) == "a: [b, c-d]\ne:\n  - 'one: two'\n"


def test_problems_are_about_the_path_that_was_shown() -> None:
    assert parse(b"", "data/y.yaml") == [
        Problem("data/y.yaml", 1, "", "the file is empty", "Write the record, or delete the file.", "empty-file")
    ]

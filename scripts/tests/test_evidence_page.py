"""How sure things are, as readers see it: on a feature's page and on the page about evidence."""

import html
from typing import Any

import pytest
from builders import (
    POLAR,
    PROOFS,
    Values,
    changed,
    library,
    needle,
    proofs,
    pull,
    shown,
    valued,
)
from hostile import PAYLOADS

from torchnotes.library import Library
from torchnotes.model.evidence import fingerprint
from torchnotes.pages import pages_of
from torchnotes.pages.evidence import grade_sentence, sure_view

SHOWN = needle("headline", ["2.14.1"], ["2.13.0"], "x")
PROBE = {"language": "python", "code": "print(1)", "needs": "cpu"}


def found(evidence: list[Values], results: list[Values | None] | None = None, **more: Any) -> Library:
    """The library with this evidence in one record, and what is stored of it: held, where nothing else is given."""
    stored = proofs({"tensor-polar": {"evidence": evidence}})
    entries = stored["features"][0]["entries"] if stored["features"] else []
    for entry, result in zip(list(entries), results or [], strict=False):
        if result is None:
            entries.remove(entry)
        else:
            entry.update(result)
    stored["features"] = stored["features"] if entries else []
    stored["runs"] = more.pop("runs", [])
    no_proof = {} if any(one["proves"] == "headline" for one in evidence) else {"no_proof": "No file shows it."}
    record = changed(POLAR, {"sources": [pull(1)], "no_proof": None, **more, "evidence": evidence, **no_proof})
    return library(**{POLAR: record, PROOFS: stored})


FAILED: Values = {
    "holds_on": [],
    "fails_in": [{"wheel": "torch-2.14.1-linux-x86-64", "found": "Not found: it is gone."}],
}


def test_proved_record_says_on_how_many_wheels_and_since_when() -> None:
    other = {**SHOWN, "needle": "y", "present_in": ["2.15.0"], "absent_in": []}
    entry = found([SHOWN, other], [{}, {"day": "2026-12-01"}]).entries["tensor-polar"]
    assert grade_sentence(entry) == "Proved on 3 wheels, 2026-12-01."


def test_wheels_of_details_do_not_count() -> None:
    detail = {**SHOWN, "proves": "a-detail", "present_in": ["2.15.0"]}
    assert grade_sentence(found([SHOWN, detail]).entries["tensor-polar"]) == "Proved on 2 wheels, 2026-11-30."


def test_disputed_record_says_that_the_other_side_is_proved() -> None:
    sentence = grade_sentence(library().entries["old-loader-removed"])
    assert sentence.startswith("A source and the published wheels do not agree.")
    assert sentence.endswith("What they show is proved on 2 wheels, 2026-11-30.")


def test_unproved_record_says_why() -> None:
    assert grade_sentence(library().entries["fast-softmax"]).endswith("Not proved: No file shows it.")


@pytest.mark.parametrize(
    ("results", "counted"),
    [
        ([{}, {}], "All 2 entries below are proved."),
        ([{}, None], "1 of the 2 entries below is proved."),
        ([FAILED, {}], "1 of the 2 entries below is proved."),
        ([None, None], "0 of the 2 entries below are proved."),
    ],
    ids=["all", "one not compared", "one fails", "none"],
)
def test_statements_are_counted(results: list[Values | None], counted: str) -> None:
    evidence = [SHOWN, {**SHOWN, "needle": "y", "proves": "else"}]
    assert sure_view(found(evidence, results).entries["tensor-polar"]).counted == counted


def test_neighbours_that_show_the_same_stand_together() -> None:
    one = shown("headline", "requirement", name="numpy", absent_in=["2.13.0"])
    one["values"] = [{"value": ">=1", "in": ["2.14.1", "2.14.0"]}, *valued(">=2")["values"]]
    (view,) = sure_view(found([one]).entries["tensor-polar"]).evidence
    seen = [(group.versions, group.is_there, group.value) for group in view.seen]
    assert seen == [("2.13.0", False, None), ("2.14.0 to 2.14.1", True, ">=1"), ("2.15.0", True, ">=2")]


def test_entry_says_what_became_of_it_where_that_is_not_usual() -> None:
    evidence = [{**SHOWN, "needle": text} for text in ("a", "b", "c")]
    view = sure_view(found(evidence, [{}, {}, FAILED]).entries["tensor-polar"])
    assert view.usual == "Proved on Linux x86-64, 2026-11-30"
    assert [one.result for one in view.evidence] == [None, None, "About every wheel; does not hold, 2026-11-30"]


def test_failing_entry_is_shown_with_what_was_found() -> None:
    pages = pages_of(found([SHOWN], [FAILED]))
    assert "Not found: it is gone." in pages["features/tensor-polar.md"].text
    assert "## What does not hold" in pages["evidence.md"].text
    assert "## What does not hold" not in pages_of(library())["evidence.md"].text


def test_run_is_shown_until_its_code_changes() -> None:
    run = {"feature": "tensor-polar", "what": "probe", "torch": "2.15.0+cpu", "python": "3.12.1", "result": "passed"}
    run |= {"printed": "polar: True", "day": "2026-11-30", "digest": fingerprint(PROBE["code"])}
    pages = pages_of(found([SHOWN], probe=PROBE, runs=[run]))
    assert "polar: True" in pages["features/tensor-polar.md"].text
    assert "2.15.0+cpu" in pages["evidence.md"].text
    pages = pages_of(found([SHOWN], probe={**PROBE, "code": "print(2)"}, runs=[run]))
    assert "polar: True" not in pages["features/tensor-polar.md"].text
    assert "2.15.0+cpu" not in pages["evidence.md"].text


def test_page_names_every_discrepancy_and_every_unproved_record() -> None:
    text = pages_of(library())["evidence.md"].text
    assert "It is gone." in text
    assert "../features/old-loader-removed/#evidence.0" in text
    unproved = text.partition("## What is not proved")[2].partition("## The wheels")[0]
    assert "../features/fast-softmax/" in unproved
    assert "../features/reduce-dtype/" not in unproved


@pytest.mark.parametrize("payload", PAYLOADS)
def test_what_a_wheel_or_a_probe_says_is_text(payload: str) -> None:
    """A wheel's text and a program's output are nobody's to trust."""
    said = payload[:300]
    run = {"feature": "tensor-polar", "what": "probe", "torch": "2.15.0", "python": "3.12.1", "result": "failed"}
    run |= {"printed": said, "day": "2026-11-30", "digest": fingerprint(PROBE["code"])}
    failure = {"holds_on": [], "fails_in": [{"wheel": "torch-2.14.1-linux-x86-64", "found": said}]}
    lines = pages_of(found([SHOWN], [failure], probe=PROBE, runs=[run]))["features/tensor-polar.md"].text.splitlines()
    quoted = html.escape(said, quote=False)
    shown_in = [line for line in lines if quoted in line or html.escape(said) in line or said in html.unescape(line)]
    assert len(shown_in) >= 2
    assert all(line.startswith("<p") for line in shown_in)
    assert not any(tag in line for line in shown_in for tag in ("<script", "<img", "<svg", "<style", "<!--"))

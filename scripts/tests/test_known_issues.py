"""What the page of a known issue says of where it was seen and where it is mended, and which versions have it."""

from typing import Any

import pytest
from builders import ISSUE, changed, library

from torchnotes.library import Entry, Library
from torchnotes.model import KnownIssue
from torchnotes.pages import pages_of
from torchnotes.pages.feature import feature_view
from torchnotes.plan.rule import has_fault

ID = "broken-entry-point"
CHANGE = "pytorch/pytorch#195949"


def known_issue(**changes: Any) -> tuple[Library, Entry]:
    """The known issue with other values, in its library."""
    found = library(**{ISSUE: changed(ISSUE, {name.replace("__", "."): value for name, value in changes.items()})})
    return found, found.entries[ID]


@pytest.mark.parametrize(
    ("fixed", "said"),
    [
        (None, "No fix is known."),
        ({"in": "2.15.1"}, "Fixed in 2.15.1."),
        ({"in": "2.15.1", "by": CHANGE}, f"Fixed in 2.15.1 by {CHANGE}."),
        ({"in": "unknown"}, "Whether a version has a fix is not known."),
        ({"in": "unknown", "by": CHANGE}, f"{CHANGE} is to fix it; which version has that is not known."),
        ({"in": "declined"}, "Stays as it is, say the maintainers."),
        ({"in": "declined", "by": CHANGE}, f"Stays as it is, say the maintainers ({CHANGE})."),
        ({"in": "elsewhere", "component": "Triton 3.8.1"}, "Outside PyTorch: Triton 3.8.1."),
        ({"in": "elsewhere", "component": "oneDNN", "by": "a/b#1"}, "Outside PyTorch: oneDNN (a/b#1)."),
    ],
)
def test_where_a_fault_is_mended_in_words(fixed: dict[str, str] | None, said: str) -> None:
    found, entry = known_issue(fixed=fixed)
    issue = feature_view(entry, found).issue
    assert issue is not None
    assert issue.fixed == said


def test_page_tells_what_was_seen_from_what_is_suspected() -> None:
    found, _ = known_issue(
        affects={"suspected_in": ["2.15.0"], "not_seen_in": ["2.14.1"], "other_builds": ["The `main` of <7 May>"]}
    )
    text = pages_of(found)[f"features/{ID}.md"].text
    assert "<dt>Seen in</dt>" not in text
    assert "<dt>Seen in other builds</dt><dd>The <code>main</code> of &lt;7 May&gt;</dd>" in text
    assert text.index("<dt>Most likely also in</dt>") < text.index("<dt>Not seen in</dt>")


@pytest.mark.parametrize(
    ("affects", "fixed", "having"),
    [
        ({"suspected_in": ["2.14.1", "2.15.0"]}, None, ["2.14.1", "2.15.0"]),
        ({"suspected_in": ["2.14.0"], "not_seen_in": ["2.14.1"]}, None, ["2.14.0"]),
        ({"suspected_in": ["2.14.0"]}, {"in": "2.15.0"}, ["2.14.0", "2.14.1"]),
        ({"seen_in": ["2.14.1"]}, {"in": "declined"}, ["2.14.1", "2.15.0"]),
        ({"seen_in": ["2.14.1"]}, {"in": "elsewhere", "component": "cuDNN"}, ["2.14.1", "2.15.0"]),
        ({"other_builds": ["A nightly."]}, {"in": "2.15.0"}, []),
    ],
    ids=["suspected", "looked for later", "mended", "declined", "elsewhere", "other builds alone"],
)
def test_which_versions_have_a_fault(affects: dict[str, Any], fixed: Any, having: list[str]) -> None:
    """What is only suspected counts; what another component mends, or nobody, no version of PyTorch mends."""
    found, entry = known_issue(affects=affects, fixed=fixed)
    assert isinstance(entry.feature, KnownIssue)
    assert [version for version in found.versions if has_fault(entry.feature, version)] == having

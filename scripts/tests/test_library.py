"""What is computed from the records: reach over the hardware tree, grades, order, timelines."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from builders import (  # fmt: skip
    BASE,
    DTYPE,
    HARDWARE,
    ISSUE,
    MOVED,
    POLAR,
    PROOFS,
    REMOVAL,
    SOFTMAX,
    Values,
    article,
    changed,
    contents,
    library,
    needle,
    proofs,
    pull,
    release,
    steps,
)

from torchnotes.library import Entry, Library, by_urgency, library_of
from torchnotes.terms import Action, Grade

EVERYTHING = {"any", "cpu", "any-accelerator", "nvidia", "nvidia-hopper", "apple-silicon"}
OTHERS = dict.fromkeys(path for path in BASE if path.startswith("features/") and path != POLAR) | {MOVED: {"moved": []}}
"""Leaves a single record in the base."""


def alone(**changes: Any) -> Any:
    """The library with one record, changed, and that record."""
    found = library(**OTHERS, **{POLAR: changed(POLAR, changes)})
    return found, found.entries["tensor-polar"]


def ids(entries: Any) -> list[str]:
    return [entry.id for entry in entries]


@pytest.mark.parametrize(
    ("tags", "shown_for"),
    [
        (["any"], EVERYTHING),
        (["cpu"], {"cpu", "any"}),
        (["any-accelerator"], EVERYTHING - {"cpu"}),
        (["nvidia"], {"nvidia", "nvidia-hopper", "any-accelerator", "any"}),
        (["nvidia-hopper"], {"nvidia-hopper", "nvidia", "any-accelerator", "any"}),
        (["cpu", "apple-silicon"], {"cpu", "apple-silicon", "any-accelerator", "any"}),
    ],
)
def test_record_is_shown_for_its_tags_and_what_is_above_and_below(tags: list[str], shown_for: set[str]) -> None:
    found, entry = alone(hardware=tags)
    assert set(found.applies_to(entry)) == shown_for
    assert list(found.applies_to(entry)) == [one for one in found.hardware if one in shown_for]


def test_ancestors_are_nearest_first() -> None:
    assert library().ancestors("nvidia-hopper") == ("nvidia", "any-accelerator", "any")
    assert library().ancestors("any") == ()


def test_hardware_that_is_its_own_parent_ends_nothing() -> None:
    """Such a tree is reported by a check, which must come to its end."""
    circle = changed(HARDWARE, {"hardware[3].parent": "nvidia-hopper"})
    assert library(**{HARDWARE: circle}).ancestors("nvidia") == ("nvidia-hopper",)
    assert library(**{HARDWARE: changed(HARDWARE, {"hardware[1].parent": "cpu"})}).ancestors("cpu") == ()


def test_descendants_and_children_are_in_display_order() -> None:
    assert library().descendants("any-accelerator") == ("nvidia", "nvidia-hopper", "apple-silicon")
    assert library().children["any-accelerator"] == ("nvidia", "apple-silicon")


def test_devices_of_a_hardware_are_those_of_its_families() -> None:
    assert [device.name for device in library().devices_of("nvidia")] == ["H100", "GH200"]
    assert library().devices_of("apple-silicon") == ()


@pytest.mark.parametrize(
    ("changes", "grade"),
    [
        ({"sources": [article("2.14")]}, Grade.REPORTED),
        ({"sources": [article("2.14"), pull(1, role="background")]}, Grade.REPORTED),
        ({"sources": [pull(1, role="report", type_="issue")]}, Grade.REPORTED),
        ({"sources": [article("2.14"), pull(1)]}, Grade.TRACED),
    ],
)
def test_grade_follows_from_the_sources(changes: dict[str, Any], grade: Grade) -> None:
    """Nothing is above traced without evidence."""
    assert alone(**changes)[1].grade is grade


SHOWN = needle("headline", ["2.14.1"], [], "x")
HELD = {"holds_on": ["linux-x86-64"]}
FAILED = {"holds_on": ["linux-x86-64"], "fails_in": [{"wheel": "torch-2.14.1-linux-x86-64", "found": "Not found."}]}


@pytest.mark.parametrize(
    ("evidence", "results", "grade"),
    [
        ([SHOWN], [HELD], Grade.PROVED),
        ([SHOWN], [FAILED], Grade.TRACED),
        ([SHOWN], [None], Grade.TRACED),
        ([SHOWN], [{}], Grade.TRACED),
        ([SHOWN, {**SHOWN, "needle": "y"}], [HELD, HELD], Grade.PROVED),
        ([SHOWN, {**SHOWN, "needle": "y"}], [HELD, None], Grade.TRACED),
        ([SHOWN, {**SHOWN, "needle": "y", "proves": "else"}], [HELD, None], Grade.PROVED),
        ([{**SHOWN, "proves": "else"}], [HELD], Grade.TRACED),
    ],
    ids=["held", "failed", "not compared", "no platform", "both", "one of two", "another not compared", "no headline"],
)
def test_record_is_proved_when_all_of_its_headline_is(
    evidence: list[Values], results: list[Values | None], grade: Grade
) -> None:
    stored = proofs({"tensor-polar": {"evidence": evidence}})
    kept = [
        {**{key: one[key] for key in ("proves", "digest", "day")}, **result}
        for one, result in zip(stored["features"][0]["entries"], results, strict=True)
        if result is not None
    ]
    stored["features"] = [{"feature": "tensor-polar", "entries": kept}] if kept else []
    record = changed(POLAR, {"evidence": evidence, "sources": [pull(1)]})
    assert library(**{POLAR: record, PROOFS: stored}).entries["tensor-polar"].grade is grade


def test_proof_of_another_text_is_no_proof() -> None:
    stored = proofs({"tensor-polar": {"evidence": [{**SHOWN, "needle": "y"}]}})
    record = changed(POLAR, {"evidence": [SHOWN], "sources": [pull(1)]})
    assert library(**{POLAR: record, PROOFS: stored}).entries["tensor-polar"].grade is Grade.TRACED


@pytest.mark.parametrize(("proves", "grade"), [("headline", Grade.DISPUTED), ("a-detail", Grade.TRACED)])
def test_record_is_disputed_when_wheels_show_another_headline(proves: str, grade: Grade) -> None:
    """A discrepancy about a detail does not touch the headline."""
    discrepancy = {"reported": "It is.", "source": "pytorch/pytorch#1", "found": "It is not.", "evidence": proves}
    evidence = [needle("other", ["2.14.0"], [], "x"), needle(proves, [], ["2.14.0"], "y")]
    assert alone(evidence=evidence, discrepancies=[discrepancy])[1].grade is grade


def test_report_is_enough_to_trace_a_known_issue() -> None:
    assert library().entries["broken-entry-point"].grade is Grade.TRACED


@pytest.mark.parametrize(
    ("visibility", "silent"),
    [(["none"], False), (["error"], False), (["memory", "warning"], False), (["install"], False)]
    + [([one], True) for one in ("numerics", "speed", "memory", "hang")],
)
def test_change_is_silent_when_it_shows_without_a_message(visibility: list[str], *, silent: bool) -> None:
    assert alone(migration=steps("optional", "2.14.0", visibility=visibility))[1].is_silent is silent


def test_required_and_silent_comes_first() -> None:
    assert ids(by_urgency(library().entries.values())) == [
        "reduce-dtype",
        "old-loader-removed",
        "broken-entry-point",
        "old-loader",
        "tensor-polar",
        "fast-softmax",
    ]


def test_among_equals_silent_then_newest_then_title_comes_first() -> None:
    same = {"migration": steps("optional", "2.14.0"), "title": "A title"}
    found = library(
        **OTHERS,
        **{
            POLAR: changed(POLAR, {**same, "title": "b"}),
            "features/2.14/a.yaml": changed(POLAR, {**same, "title": "A"}),
            "features/2.15/newer.yaml": changed(POLAR, {**same, "title": "z", "version": "2.15.0"}),
            "features/2.14/patch.yaml": changed(POLAR, {**same, "title": "y", "version": "2.14.1"}),
            "features/2.14/silent.yaml": changed(POLAR, {**same, "migration.visibility": ["speed"], "title": "x"}),
        },
    )
    assert ids(by_urgency(found.entries.values())) == ["silent", "newer", "patch", "a", "tensor-polar"]


def test_features_are_listed_by_release_area_and_hardware() -> None:
    found = library()
    assert ids(found.of_release("2.14")) == ["old-loader", "tensor-polar"]
    assert ids(found.of_area("distributed")) == ["reduce-dtype", "broken-entry-point"]
    assert ids(found.of_hardware("apple-silicon")) == [
        "reduce-dtype",
        "old-loader-removed",
        "tensor-polar",
        "fast-softmax",
    ]


def test_timeline_holds_every_step_from_wherever_one_looks() -> None:
    found = library()
    way = ["old-loader", "old-loader-removed", "broken-entry-point"]
    for one in way:
        assert [step.entry and step.entry.id for step in found.timeline(found.entries[one])] == way


def test_timeline_begins_with_what_was_there_before_the_first_record() -> None:
    found = library()
    steps_ = found.timeline(found.entries["reduce-dtype"])
    assert [(step.version, step.entry and step.entry.id) for step in steps_] == [
        ("2.13.0", None),
        ("2.15.0", "reduce-dtype"),
    ]


def test_record_without_another_step_has_no_timeline() -> None:
    assert library().timeline(library().entries["tensor-polar"]) == ()


def test_circle_of_follows_still_has_a_timeline() -> None:
    """Such data is reported by a check; nothing may hang on it."""
    found = library(**{REMOVAL: changed(REMOVAL, {"follows": ["broken-entry-point"]})})
    assert len(found.timeline(found.entries["old-loader-removed"])) == 2


def test_related_works_in_both_directions() -> None:
    found = library()
    assert ids(found.related(found.entries["reduce-dtype"])) == ["tensor-polar"]
    assert ids(found.related(found.entries["tensor-polar"])) == ["reduce-dtype"]


def test_versions_are_in_order_and_know_their_release() -> None:
    """2.9 comes before 2.13, as a number and not as a text."""
    found = library(**{"releases/2.9.yaml": release("2.9.1", baseline=True)})
    assert list(found.versions) == ["2.9.1", "2.13.0", "2.14.0", "2.14.1", "2.15.0"]
    assert found.versions["2.14.1"] == "2.14"
    assert list(found.releases) == ["2.9", "2.13", "2.14", "2.15"]


def test_release_knows_its_newest_version() -> None:
    assert library().releases["2.14"].newest.version == "2.14.1"


@pytest.mark.parametrize(
    ("runs", "is_dropped", "last"), [("yes", False, "2.15"), ("no", True, "2.14"), ("unknown", False, "2.14")]
)
def test_hardware_is_dropped_only_when_that_is_known(runs: str, last: str, *, is_dropped: bool) -> None:
    through = "sm_90" if runs == "yes" else None
    answer = changed("releases/2.15.yaml", {"serves[0].runs": runs, "serves[0].through": through})
    found = library(**{"releases/2.15.yaml": answer})
    assert found.is_dropped("nvidia-hopper") == is_dropped
    served = found.last_served("nvidia-hopper")
    assert served is not None
    assert served[0].id == last
    assert found.last_served("apple-silicon") is None
    assert not found.is_dropped("apple-silicon")


def test_entry_knows_its_file_and_cannot_be_changed() -> None:
    entry = library().entries["fast-softmax"]
    assert (entry.id, entry.release, entry.path) == ("fast-softmax", "2.15", f"data/{SOFTMAX}")
    with pytest.raises(FrozenInstanceError):
        entry.id = "other"  # type: ignore[misc]


def test_what_cannot_be_read_is_empty() -> None:
    found = library_of(contents(**{HARDWARE: None}))
    assert not found.hardware
    assert found.areas


def test_one_broken_feature_leaves_the_others() -> None:
    found = library_of(contents(**{DTYPE: "title: x\n"}))
    assert set(found.entries) == {
        "tensor-polar",
        "old-loader",
        "old-loader-removed",
        "fast-softmax",
        "broken-entry-point",
    }


def test_on_a_hardware_what_names_it_most_closely_comes_first() -> None:
    closer = changed(POLAR, {"hardware": ["nvidia-hopper"], "version": "2.14.0"})
    wider = changed(DTYPE, {"hardware": ["any"]})
    note = changed(DTYPE, {})["migration"]
    closer["migration"] = note
    found = library(**{POLAR: closer, DTYPE: wider})
    assert ids(found.of_hardware("nvidia-hopper"))[:2] == ["tensor-polar", "reduce-dtype"]
    assert ids(found.of_hardware("cpu"))[0] == "reduce-dtype"


def test_kept_lists_are_what_their_definition_says(real_library: Library) -> None:
    """They are computed once for all; here each is computed alone."""
    entries, found = real_library.entries.values(), real_library
    for one in found.releases:
        assert found.of_release(one) == by_urgency(entry for entry in entries if one in found.releases_with(entry))
    for one in found.areas:
        assert found.of_area(one) == by_urgency(entry for entry in entries if one in entry.feature.areas)
    order = {Action.REQUIRED: 0, Action.RECOMMENDED: 1, Action.OPTIONAL: 2, Action.NONE: 3}
    for one in found.hardware:
        chain = (one, *found.ancestors(one))
        shown = by_urgency(entry for entry in entries if one in found.applies_to(entry))

        def closeness(entry: Entry, chain: tuple[str, ...] = chain) -> tuple[int, int]:
            tags = [chain.index(tag) for tag in entry.feature.hardware if tag in chain]
            return order[entry.feature.migration.action], min(tags, default=0)

        assert found.of_hardware(one) == tuple(sorted(shown, key=closeness))


def test_what_is_not_known_has_no_features() -> None:
    assert library().of_release("2.13") == library().of_area("none") == library().of_hardware("none") == ()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, ("2.15",)),
        ({"affects.seen_in": ["2.13.0", "2.14.1"], "version": "2.14.1"}, ("2.14",)),
        ({"affects.seen_in": ["2.14.1"], "affects.suspected_in": ["2.15.0"], "version": "2.14.1"}, ("2.14", "2.15")),
        ({"affects.seen_in": ["2.14.1"], "fixed.in": "2.15.0", "version": "2.14.1"}, ("2.14", "2.15")),
    ],
    ids=["its own", "not the baseline", "suspected later", "mended later"],
)
def test_known_issue_is_for_readers_of_each_release_that_has_or_mends_it(
    change: dict[str, Any], expected: tuple[str, ...]
) -> None:
    values = changed(ISSUE, {"affects.not_seen_in": [], **change})
    place = ISSUE if values["version"] == "2.15.0" else ISSUE.replace("2.15", "2.14")
    found = library(**{ISSUE: None, place: values})
    entry = found.entries["broken-entry-point"]
    assert found.releases_with(entry) == expected
    assert [one for one in found.releases if entry in found.of_release(one)] == list(expected)

"""Plans against what people worked out by hand, and against the two halves of each way."""

import json
import re
from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from builders import BASE, MOVED, feature, library, release, steps
from hypothesis import given, settings
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet
from packaging.version import Version
from site_fixtures import Build

from torchnotes.library import Library
from torchnotes.model import KnownIssue, RequiredSteps
from torchnotes.plan import Phase, Plan, Upgrade, Why, plan_of, upgrades
from torchnotes.terms import Action

WITHOUT_FEATURES: dict[str, Any] = dict.fromkeys(path for path in BASE if path.startswith("features/"))
WITHOUT_FEATURES |= {MOVED: {"moved": []}}


def issue(version: str, seen_in: list[str], fixed: str | None, **more: Any) -> dict[str, Any]:
    """A known issue with a way around it."""
    return feature(
        f"Fault of {version} {more.get('areas', '')}",
        version,
        "known-issue",
        migration=steps("required", version, visibility=["error"]),
        affects={"seen_in": seen_in, "not_seen_in": more.pop("not_seen_in", [])},
        cause=None,
        fixed={"in": fixed, "by": None} if fixed else None,
        confirmed="one-report",
        **more,
    )


# What each record is about says its name; plans below were worked out with the rule's page in hand, not with the code.
RECORDS: dict[str, dict[str, Any]] = {
    "2.14/switch-appears": feature("A switch appears", "2.14.0", "new-feature"),
    "2.15/switch-goes": feature(
        "The switch goes",
        "2.15.0",
        "removal",
        replacement=None,
        applies={"coming_from": ">=2.14"},
        supersedes=["switch-appears"],
        migration=steps("required", "2.15.0", visibility=["error"], possible_from="2.14.0"),
    ),
    "2.14/old-pin": feature(
        "An old pin",
        "2.14.0",
        "requirement",
        change={"of": "Pin", "before": "1", "after": "2"},
        migration=steps("required", "2.14.0", visibility=["install"]),
    ),
    "2.15/new-pin": feature(
        "A new pin",
        "2.15.0",
        "requirement",
        change={"of": "Pin", "before": "2", "after": "3"},
        supersedes=["old-pin"],
        migration=steps(
            "required",
            "2.15.0",
            visibility=["install"],
            going_back=[{"do": "Put the old pin back."}, {"to": "<2.14", "do": "And the older one."}],
            possible_from="2.15.0",
        ),
    ),
    "2.14/short-fault": issue("2.14.0", ["2.14.0"], "2.14.1"),
    "2.14/long-fault": issue("2.14.1", ["2.14.1"], None, areas=["mps"]),
    "2.14/late-step": feature(
        "A step that is possible late",
        "2.14.0",
        "improvement",
        migration=steps("recommended", "2.14.0", visibility=["speed"], possible_from="2.14.1"),
    ),
    "2.14/late-deadline": feature(
        "A step that is due late",
        "2.14.0",
        "behavior-change",
        migration=steps("required", "2.14.1", visibility=["error"], possible_from="2.14.0"),
    ),
    "2.15/silent-default": feature(
        "A default",
        "2.15.0",
        "default-change",
        change={"of": "Default", "before": "1", "after": "2"},
        migration=steps(
            "required",
            "2.15.0",
            visibility=["numerics"],
            possible_from="2.13.0",
            keep_old={"how": "Set 1.", "cost": "None.", "until": {"version": "2.16", "basis": "article-2.15"}},
        ),
    ),
    "2.14/way-back": feature(
        "A way back that is short",
        "2.14.0",
        "behavior-change",
        migration=steps(
            "optional",
            "2.14.0",
            visibility=["error"],
            keep_old={"how": "Set 0.", "cost": "None.", "until": {"version": "2.15", "basis": "article-2.14"}},
        ),
    ),
    "2.15/python": feature(
        "Python",
        "2.15.0",
        "requirement",
        change={"of": "Python", "before": "3.10", "after": "3.11"},
        applies={"python": "<3.11"},
        migration=steps("required", "2.15.0", visibility=["install"], possible_from="2.13.0"),
    ),
    "2.15/gain": feature(
        "A gain",
        "2.15.0",
        "improvement",
        migration={"action": "none", "reason": "It comes by itself.", "visibility": ["speed"]},
    ),
    "2.15/offer": feature("An offer", "2.15.0", "new-feature"),
}

PLANS: dict[str, dict[str, list[str]]] = {
    "2.13.0-to-2.15.0": {
        "can": ["required python"],
        "before": ["required silent-default"],
        "while": ["required new-pin"],
        "after": ["required long-fault", "required late-deadline", "recommended late-step", "optional way-back"],
        "gain": ["optional offer", "none gain"],
        "left out": [
            "old-pin superseded new-pin",
            "short-fault fixed 2.14.1",
            "switch-appears superseded switch-goes",
            "switch-goes never-had",
        ],
        "mended": [],
        "staying": [],
        "going back": ["new-pin"],
        "expires": ["way-back 2.15", "silent-default 2.16"],
    },
    "2.14.0-to-2.15.0": {
        "can": ["required python"],
        "before": ["required silent-default", "required switch-goes", "required late-deadline"],
        "while": ["required new-pin"],
        "after": ["required long-fault", "recommended late-step"],
        "gain": ["optional offer", "none gain"],
        "left out": [],
        "mended": ["short-fault"],
        "staying": [],
        "going back": ["new-pin"],
        "expires": ["way-back 2.15", "silent-default 2.16"],
    },
    "2.14.1-to-2.15.0": {
        "can": ["required python"],
        "before": ["required silent-default", "required switch-goes"],
        "while": ["required new-pin"],
        "after": [],
        "gain": ["optional offer", "none gain"],
        "left out": [],
        "mended": [],
        "staying": ["long-fault"],
        "going back": ["new-pin"],
        "expires": ["way-back 2.15", "silent-default 2.16"],
    },
    "2.13.0-to-2.14.1": {
        "can": [],
        "before": [],
        "while": ["required old-pin"],
        "after": ["required long-fault", "required late-deadline", "recommended late-step", "optional way-back"],
        "gain": ["optional switch-appears"],
        "left out": ["short-fault fixed 2.14.1"],
        "mended": [],
        "staying": [],
        "going back": [],
        "expires": ["way-back 2.15"],
    },
    "2.14.0-to-2.14.1": {
        "can": [],
        "before": ["required late-deadline"],
        "while": [],
        "after": ["required long-fault", "recommended late-step"],
        "gain": [],
        "left out": [],
        "mended": ["short-fault"],
        "staying": [],
        "going back": [],
        "expires": ["way-back 2.15"],
    },
    "2.13.0-to-2.14.0": {
        "can": [],
        "before": [],
        "while": ["required old-pin"],
        "after": ["required short-fault", "recommended late-deadline", "optional way-back"],
        "gain": ["optional switch-appears"],
        "left out": ["late-step not-yet 2.14.1"],
        "mended": [],
        "staying": [],
        "going back": [],
        "expires": ["way-back 2.15"],
    },
}


def small_library(**changes: Any) -> Library:
    files = {f"features/{name}.yaml": values for name, values in RECORDS.items()}
    return library(**{**WITHOUT_FEATURES, **files, **changes})


def said(plan: Plan) -> dict[str, list[str]]:
    """A plan in words."""
    phases = {phase.value: [f"{step.action} {step.entry.id}" for step in plan.of_phase(phase)] for phase in Phase}
    left_out = [
        " ".join(
            [one.entry.id, one.why.value, *([one.by.id] if one.by else []), *([one.version] if one.version else [])]
        )
        for one in plan.folded
    ]
    return {
        **phases,
        "left out": sorted(left_out),
        "mended": [entry.id for entry in plan.mended],
        "staying": [entry.id for entry in plan.staying],
        "going back": [entry.id for entry, _ in plan.going_back],
        "expires": [f"{one.entry.id} {getattr(one.until, 'version', one.until)}" for one in plan.endings],
    }


@pytest.mark.parametrize("way", PLANS)
def test_plan_is_what_was_worked_out_by_hand(way: str) -> None:
    start, _, target = way.partition("-to-")
    found = said(plan_of(small_library(), Upgrade(start, target)))
    assert {**found, "after": sorted(found["after"])} == {**PLANS[way], "after": sorted(PLANS[way]["after"])}


def test_every_way_between_versions_has_a_plan() -> None:
    assert [way.id for way in upgrades(small_library())] == list(PLANS)


def test_release_that_is_only_a_baseline_is_no_target() -> None:
    found = upgrades(small_library(**{"releases/2.13.yaml": release("2.13.0", "2.13.1", baseline=True)}))
    assert {way.target for way in found} == {"2.14.0", "2.14.1", "2.15.0"}
    assert {way.start for way in found} == {"2.13.0", "2.13.1", "2.14.0", "2.14.1"}


def test_urgency_orders_a_phase() -> None:
    """Required and silent, required and loud, recommended, optional."""
    plan = plan_of(small_library(), Upgrade("2.13.0", "2.15.0"))
    for phase in Phase:
        steps_of = plan.of_phase(phase)
        keys = [
            (list(Action).index(step.action), step.action is Action.REQUIRED and not step.entry.is_silent)
            for step in steps_of
        ]
        assert keys == sorted(keys)


def test_superseded_stays_out_when_the_start_has_what_supersedes_it() -> None:
    files = {
        "features/2.14/first.yaml": feature(
            "First", "2.14.0", "behavior-change", migration=steps("required", "2.15.0", possible_from="2.14.0")
        ),
        "features/2.14/second.yaml": feature("Second", "2.14.1", "behavior-change", supersedes=["first"]),
    }
    plan = plan_of(library(**{**WITHOUT_FEATURES, **files}), Upgrade("2.14.1", "2.15.0"))
    assert [(one.entry.id, one.why) for one in plan.folded] == [("first", Why.SUPERSEDED)]


def test_way_back_closes_with_its_release() -> None:
    found = small_library()

    def is_open(start: str, target: str) -> bool | None:
        plan = plan_of(found, Upgrade(start, target))
        return next(step.is_way_back_open for step in plan.steps if step.entry.id == "way-back")

    assert is_open("2.13.0", "2.14.1")
    assert not is_open("2.13.0", "2.15.0")


FAULT = ("2.14.0", "2.14.1", "2.15.0")


@pytest.mark.parametrize(
    ("seen_in", "not_seen_in", "fixed", "has"),
    [
        (["2.14.0"], [], None, {"2.14.0", "2.14.1", "2.15.0"}),
        (["2.14.0"], [], "unknown", {"2.14.0", "2.14.1", "2.15.0"}),
        (["2.14.0"], [], "2.14.1", {"2.14.0"}),
        (["2.14.0"], ["2.15.0"], None, {"2.14.0", "2.14.1"}),
        (["2.14.0", "2.15.0"], ["2.14.1"], None, {"2.14.0", "2.15.0"}),
        (["2.15.0"], [], None, {"2.15.0"}),
    ],
)
def test_fault_is_there_until_it_is_known_to_be_gone(
    seen_in: list[str], not_seen_in: list[str], fixed: str | None, has: set[str]
) -> None:
    release_id = seen_in[0][:4]
    record = issue(seen_in[0], seen_in, fixed, not_seen_in=not_seen_in)
    found = library(**{**WITHOUT_FEATURES, f"features/{release_id}/fault.yaml": record})
    met = {
        target
        for target in FAULT
        if any(step.entry.id == "fault" for step in plan_of(found, Upgrade("2.13.0", target)).steps)
    }
    assert met == has


# ---- The real data -----------------------------------------------------------------------------------------------


def kept(plan: Plan) -> set[str]:
    return {step.entry.id for step in plan.steps}


def has(record: KnownIssue, version: str) -> bool:
    """Version by version, from the oldest on."""
    state = False
    for one in ("2.13.0", "2.14.0", "2.14.1", "2.15.0"):
        if one in record.affects.seen_in or one in record.affects.suspected_in:
            state = True
        elif one in record.affects.not_seen_in or (record.fixed is not None and record.fixed.version == one):
            state = False
        if one == version:
            return state
    raise AssertionError(version)


def is_left_out(found: Library, id_: str, way: Upgrade) -> bool:
    """The rule, written a second time and in another way: from the published data's own words."""
    record = found.entries[id_].feature
    start, target = Version(way.start), Version(way.target)
    bounds = record.applies.coming_from
    if bounds and way.start not in SpecifierSet(bounds):
        return True
    if any(id_ in one.feature.supersedes and Version(one.feature.version) <= target for one in found.entries.values()):
        return True
    if isinstance(record, KnownIssue):
        return has(record, way.start) or not has(record, way.target)
    possible = getattr(record.migration, "possible_from", None)
    return (possible is not None and Version(possible) > target) or start >= target


def halves(found: Library) -> list[tuple[Upgrade, Upgrade, Upgrade]]:
    return [
        (Upgrade(one, three), Upgrade(one, two), Upgrade(two, three))
        for one, two, three in combinations(found.versions, 3)
    ]


def assert_halves_agree(found: Library) -> None:
    for whole, first, second in halves(found):
        together = kept(plan_of(found, first)) | kept(plan_of(found, second))
        assert kept(plan_of(found, whole)) == {id_ for id_ in together if not is_left_out(found, id_, whole)}, whole


def test_plan_is_what_the_rule_leaves_of_its_two_halves(real_library: Library) -> None:
    assert len(halves(real_library)) == 4
    assert_halves_agree(real_library)
    assert_halves_agree(small_library())


VERSIONS = ("2.14.0", "2.14.1", "2.15.0")


@st.composite
def records(draw: st.DrawFn) -> dict[str, dict[str, Any]]:
    """Some records whose versions, deadlines and names of each other are anything that the checks allow."""
    found: dict[str, dict[str, Any]] = {}
    for number in range(draw(st.integers(1, 6))):
        version = draw(st.sampled_from(VERSIONS))
        earlier = [id_ for id_, values in found.items() if values["version"] < version]
        if draw(st.booleans()):
            seen_in = [version, *[one for one in VERSIONS if one > version and draw(st.booleans())]]
            rest = [one for one in VERSIONS if one not in seen_in and draw(st.booleans())]
            later = [one for one in VERSIONS if one > version and one not in seen_in]
            fixed: list[str | None] = [None, "unknown", *later]
            values = issue(version, seen_in, draw(st.sampled_from(fixed)), not_seen_in=rest)
        else:
            possible = draw(st.sampled_from(("2.13.0", *VERSIONS)))
            required = draw(st.sampled_from([one for one in VERSIONS if one >= possible]))
            action = draw(st.sampled_from(["required", "recommended", "optional"]))
            more = {"possible_from": possible}
            more |= {"required_by": required} if action == "required" else {}
            values = feature(f"Record {number}", version, "behavior-change", migration=steps(action, version, **more))
        if bool(earlier) and draw(st.booleans()):
            values["supersedes"] = [draw(st.sampled_from(sorted(earlier)))]
        if version > "2.14.0" and draw(st.booleans()):
            values["applies"] = {"coming_from": ">=2.14"}
        values["title"] = f"Record {number}"
        found[f"record-{number}"] = values
    return found


@given(drawn=records())
@settings(deadline=None, max_examples=60)
def test_halves_agree_whatever_the_records(drawn: dict[str, dict[str, Any]]) -> None:
    files = {f"features/{values['version'][:4]}/{id_}.yaml": values for id_, values in drawn.items()}
    assert_halves_agree(library(**{**WITHOUT_FEATURES, **files}))


def test_real_plans_hold_the_requirements(real_library: Library) -> None:
    """Every requirement that came after the start is a step, or stands among what is left out with a reason."""
    for way in upgrades(real_library):
        plan = plan_of(real_library, way)
        named = kept(plan) | {one.entry.id for one in plan.folded}
        due = {
            entry.id
            for entry in real_library.entries.values()
            if entry.feature.kind == "requirement" and way.reaches(entry.feature.version)
        }
        assert due <= named


def test_every_reason_to_leave_out_occurs(real_library: Library) -> None:
    reasons = {one.why for way in upgrades(real_library) for one in plan_of(real_library, way).folded}
    assert reasons == set(Why)


def test_required_stays_required_unless_it_is_due_later(real_library: Library) -> None:
    for way in upgrades(real_library):
        for step in plan_of(real_library, way).steps:
            migration = step.entry.feature.migration
            if isinstance(migration, RequiredSteps):
                is_due = Version(migration.required_by) <= Version(way.target)
                assert step.action is (Action.REQUIRED if is_due else Action.RECOMMENDED)


def test_each_feature_stands_once_in_a_plan(real_library: Library) -> None:
    for way in upgrades(real_library):
        plan = plan_of(real_library, way)
        ids = [step.entry.id for step in plan.steps] + [one.entry.id for one in plan.folded]
        assert [id_ for id_, count in Counter(ids).items() if count > 1] == []


# ---- The built pages against the open data -----------------------------------------------------------------------


def met(one: dict[str, Any], way: Upgrade) -> bool:
    """Whether a way meets a required record, by brute force over what is published."""
    if one["kind"] == "known-issue":
        seen = [*one["affects"]["seen_in"], *one["affects"]["suspected_in"]]
        return way.start not in seen and any(way.reaches(version) for version in seen)
    migration = one["migration"]
    turns = {one["version"], migration["required_by"], max(one["version"], migration["possible_from"], key=Version)}
    return any(way.reaches(version) for version in turns)


def test_every_required_record_is_on_exactly_the_pages_it_belongs_to(built: Build) -> None:
    published = json.loads((built.site / "api" / "v1" / "features.json").read_text(encoding="utf-8"))["features"]
    required = [one for one in published if one["migration"]["action"] == "required"]
    assert len(required) > 15
    for page in sorted((built.site / "migrate").glob("*.*.*-to-*/index.html")):
        start, _, target = page.parent.name.partition("-to-")
        way = Upgrade(start, target)
        text = page.read_text(encoding="utf-8")
        for one in required:
            is_step = f'data-step="{one["id"]}"' in text
            is_left_out = f'data-left-out="{one["id"]}"' in text
            assert (is_step or is_left_out) == met(one, way), (page.parent.name, one["id"])
            assert not (is_step and is_left_out)


def test_every_plan_holds_the_install_step(built: Build) -> None:
    pages = sorted((built.site / "migrate").glob("*.*.*-to-*/index.html"))
    assert len(pages) == 6
    for page in pages:
        target = page.parent.name.partition("-to-")[2]
        step = page.read_text(encoding="utf-8").partition('data-step="install"')[2].partition("data-step=")[0]
        assert f"pip install torch=={target}" in re.sub(r"<[^>]+>", "", step)


def test_short_addresses_lead_to_the_newest_versions(built: Build) -> None:
    for short, full in (
        ("2.13-to-2.14", "2.13.0-to-2.14.1"),
        ("2.13-to-2.15", "2.13.0-to-2.15.0"),
        ("2.14-to-2.15", "2.14.1-to-2.15.0"),
    ):
        text = (built.site / "migrate" / short / "index.html").read_text(encoding="utf-8")
        assert f'url=../{full}/"' in text


def test_plans_are_published_as_they_are(built: Build, real_library: Library) -> None:
    published = json.loads((built.site / "api" / "v1" / "plans.json").read_text(encoding="utf-8"))["plans"]
    assert [one["id"] for one in published] == [way.id for way in upgrades(real_library)]
    for one in published:
        plan = plan_of(real_library, Upgrade(one["from"], one["to"]))
        assert [step["id"] for step in one["steps"]] == [step.entry.id for step in plan.steps]
        assert [step["phase"] for step in one["steps"]] == [step.phase.value for step in plan.steps]
        assert [step["action"] for step in one["steps"]] == [str(step.action) for step in plan.steps]
        assert [back["id"] for back in one["going_back"]] == [entry.id for entry, _ in plan.going_back]
        assert {left["id"]: left["why"] for left in one["left_out"]} == {
            left.entry.id: left.why.value for left in plan.folded
        }
        assert (built.site / one["url"] / "index.html").is_file()

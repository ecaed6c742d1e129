"""The real site, built as it is published: every link, every page, every file of the open data."""

import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from site_check import HtmlPage, faults_of, parsed
from site_fixtures import REPOSITORY, ROOT, Build, Twins, build, copy_of_project

from torchnotes.bench.serving import BASE
from torchnotes.cli import main
from torchnotes.library import Entry, Library
from torchnotes.links import address, feature_path
from torchnotes.model import RequiredSteps, StepsMigration
from torchnotes.opendata import data_files
from torchnotes.pages import pages_of
from torchnotes.pages.markup import plain

LEAST_FEATURES = 80


@cache
def _page(path: Path) -> HtmlPage:
    return parsed(path.name, path.read_text(encoding="utf-8"))


def _main_text(page: HtmlPage) -> str:
    """Text of a page without its frame, whitespace folded."""
    return next(" ".join(node.text.split()) for node in page.all("article"))


def _json(built: Build, path: str) -> Any:
    return json.loads((built.site / "api" / "v1" / path).read_text(encoding="utf-8"))


def _fail_if(wrong: list[str]) -> None:
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


# ---- Pages ----------------------------------------------------------------------------------------------------


def test_build_prints_no_warning(built: Build) -> None:
    assert "WARNING" not in built.output
    assert "ERROR" not in built.output


def test_every_link_leads_somewhere_and_every_page_is_valid(built: Build, real_library: Library) -> None:
    records = frozenset(address(path) for path, page in pages_of(real_library).items() if not path.endswith("index.md"))
    records -= {"compatibility/", "evidence/"}
    _fail_if([str(fault) for fault in faults_of(built.site, BASE, records)])


def test_every_record_has_its_page(built: Build, real_library: Library) -> None:
    assert len(real_library.entries) >= LEAST_FEATURES
    missing = [path for path in pages_of(real_library) if not (built.site / address(path) / "index.html").is_file()]
    assert missing == []


def test_feature_page_shows_what_every_record_says(built: Build, real_library: Library) -> None:
    wrong = []
    for entry in real_library.entries.values():
        wrong += _missing_on_page(
            entry, _page(built.site / address(feature_path(entry.id)) / "index.html"), real_library
        )
    _fail_if(wrong)


def _missing_on_page(entry: Entry, page: HtmlPage, real_library: Library) -> list[str]:
    record, text = entry.feature, _main_text(page)
    due = {plain(record.title), plain(record.summary), f"{record.version}, release {entry.release}"}
    due |= {plain(real_library.hardware[one].label) for one in record.hardware}
    due |= {plain(real_library.areas[one].label) for one in record.areas}
    due |= {record.migration.action.label, record.kind.label, entry.grade.label, record.stability.label}
    due |= {plain(source.says) for source in record.sources}
    due |= {" ".join(one.split()) for one in (*record.symbols, *record.settings, *record.messages)}
    if isinstance(record.migration, StepsMigration):
        due |= {plain(record.migration.applies_when), *map(plain, record.migration.steps)}
        due |= {record.migration.possible_from} if isinstance(record.migration, RequiredSteps) else set()
    else:
        due |= {"Nothing.", plain(record.migration.reason)}
    for example in (record.migration.before, record.migration.after, record.probe):
        due |= {" ".join(example.code.split())} if example else set()
    badges = {name for node in page.nodes for name in node.attributes.get("class", "").split()}
    due_badges = {f"tn-action-{record.migration.action}", f"tn-kind-{record.kind}", f"tn-grade-{entry.grade}"}
    return [
        *(f"{entry.id}: the page does not show: {one}" for one in sorted(due) if one not in text),
        *(f"{entry.id}: no badge {one}" for one in sorted(due_badges - badges)),
    ]


def test_index_holds_every_feature_and_no_second_engine_is_there(built: Build, real_library: Library) -> None:
    index = json.loads((built.site / "search" / "heads.json").read_text(encoding="utf-8"))
    assert set(index["features"][::3]) == set(real_library.entries)
    assert not (built.site / "search" / "search_index.json").exists()


def test_moved_address_leads_on(twins: Twins) -> None:
    """On the small site, which has a moved record."""
    page = _page(twins.benign_site.site / "features" / "polar" / "index.html")
    refresh = [node.attributes["content"] for node in page.all("meta") if node.attributes.get("http-equiv")]
    assert "0; url=../tensor-polar/" in refresh


def test_published_site_names_its_repository_and_leads_to_the_record(published: Build, real_library: Library) -> None:
    assert [str(fault) for fault in faults_of(published.site, BASE)] == []
    for entry in list(real_library.entries.values())[:5]:
        page = _page(published.site / address(feature_path(entry.id)) / "index.html")
        links = {node.attributes.get("href") for node in page.all("a")}
        assert {REPOSITORY, f"{REPOSITORY}/edit/main/{entry.path}"} <= links


def test_two_builds_are_the_same_to_the_byte(built: Build, tmp_path: Path) -> None:
    """On another day too."""
    again = build(ROOT, tmp_path / "site", SOURCE_DATE_EPOCH="86400", PYTHONHASHSEED="1", TZ="Asia/Tokyo")
    assert again.status == 0, again.output
    first, second = _files(built.site), _files(again.site)
    assert set(first) == set(second)
    assert [path for path in first if first[path] != second[path]] == []


def _files(site: Path) -> dict[str, bytes]:
    return {one.relative_to(site).as_posix(): one.read_bytes() for one in site.rglob("*") if one.is_file()}


# ---- Open data ------------------------------------------------------------------------------------------------


def test_features_fit_their_published_schema(built: Build) -> None:
    schema = _json(built, "schema.json")
    Draft202012Validator.check_schema(schema)
    assert [error.message for error in Draft202012Validator(schema).iter_errors(_json(built, "features.json"))] == []


def test_schema_refuses_a_broken_record(built: Build) -> None:
    """Else the test above would prove nothing."""
    data, schema = _json(built, "features.json"), _json(built, "schema.json")
    data["features"][0]["kind"] = "nonsense"
    del data["features"][1]["applies_to"]
    data["features"][2]["migration"]["action"] = 3
    assert len(list(Draft202012Validator(schema).iter_errors(data))) == 3


def test_every_feature_is_in_the_open_data_once(built: Build, real_library: Library) -> None:
    data = _json(built, "features.json")
    assert [one["id"] for one in data["features"]] == list(real_library.entries)
    for one in data["features"]:
        alone = _json(built, f"features/{one['id']}.json")
        assert alone == {"schema_version": data["schema_version"], **one}
        assert (built.site / one["url"] / "index.html").is_file()
    assert len(list((built.site / "api" / "v1" / "features").iterdir())) == len(data["features"])


def test_hardware_areas_and_releases_lead_to_their_pages(built: Build, real_library: Library) -> None:
    ids = set(real_library.entries)
    for name in ("hardware", "areas", "releases"):
        found = _json(built, f"{name}.json")[name]
        assert [one["id"] for one in found] == list(getattr(real_library, name))
        for one in found:
            assert (built.site / one["url"] / "index.html").is_file()
            assert set(one.get("features", ())) <= ids


def test_applies_to_is_what_the_tree_says(built: Build) -> None:
    """By brute force, from the published files alone."""
    tree = {one["id"]: one["parent"] for one in _json(built, "hardware.json")["hardware"]}

    def above(one: str) -> set[str]:
        parent = tree[one]
        return {parent, *above(parent)} if parent else set()

    shown: dict[str, set[str]] = {one: set() for one in tree}
    for feature in _json(built, "features.json")["features"]:
        tags = set(feature["hardware"])
        due = {one for one in tree if one in tags or above(one) & tags or any(one in above(tag) for tag in tags)}
        assert set(feature["applies_to"]) == due, feature["id"]
        for one in due:
            shown[one].add(feature["id"])
    for one in _json(built, "hardware.json")["hardware"]:
        assert set(one["features"]) == shown[one["id"]]
        assert set(one["ancestors"]) == above(one["id"])


def test_pages_command_writes_what_the_site_is_made_of(real_library: Library, tmp_path: Path) -> None:
    assert main(["pages", "--root", str(ROOT), "--out", str(tmp_path)]) == 0
    written = {path: content.decode() for path, content in _files(tmp_path).items()}
    assert written == {path: page.text for path, page in pages_of(real_library).items()} | data_files(real_library)


# ---- Broken data ----------------------------------------------------------------------------------------------


def test_broken_data_stops_the_build_with_every_problem(tmp_path: Path) -> None:
    root = copy_of_project(tmp_path / "project")
    records = sorted((root / "data" / "features" / "2.15").glob("*.yaml"))
    text = records[0].read_text(encoding="utf-8")
    records[0].write_text(text.replace("kind: ", "kind: no-such-", 1), encoding="utf-8")
    records[1].write_bytes(b"title: \xff\n")
    (root / "data" / "vocabulary" / "areas.yaml").write_text("areas: [\n", encoding="utf-8")
    site = tmp_path / "site"
    done = build(root, site)
    assert done.status == 1
    assert "Traceback" not in done.output
    for part in (f"{records[0].name}:", f"{records[1].name}:1: ", "areas.yaml:1: ", "problems found"):
        assert part in done.output
    assert not site.exists()


def test_broken_data_leaves_the_site_of_before_alone(built: Build, tmp_path: Path) -> None:
    root = copy_of_project(tmp_path / "project")
    shutil.rmtree(root / "data" / "vocabulary")
    site = tmp_path / "site"
    shutil.copytree(built.site, site)
    assert build(root, site).status == 1
    assert _files(site) == _files(built.site)

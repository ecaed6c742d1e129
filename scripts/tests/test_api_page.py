"""What is stored of the public API → its pages, the records they lead to, the search index, and the work list."""

import json
from functools import cache
from typing import Any

import pytest
from builders import ALL_SHAPES_OF_API, API, DTYPE, NO_RECORD, POLAR, changed, library
from builders import api_diff as stored
from hostile import PAYLOADS
from markdown import Markdown  # type: ignore[import-untyped]
from mkdocs.config import load_config
from site_check import HtmlPage, parsed
from site_fixtures import ROOT

from torchnotes.explained import Explanations, names_of, unexplained, without_record
from torchnotes.index import HEADS, WORDS, index_files
from torchnotes.library import Library
from torchnotes.pages import pages_of, site
from torchnotes.pages.api import api_parts

FILE = API
PATH = "releases/2.15/api.md"
EVERYTHING = ALL_SHAPES_OF_API


def page_of(found: Library) -> str:
    return next(page.text for page in site._api(site.Renderer(found)) if page.path == PATH)


@cache
def _markdown() -> Markdown:
    config = load_config(str(ROOT / "mkdocs.yml"))
    return Markdown(extensions=config["markdown_extensions"], extension_configs=config["mdx_configs"])


def html_of(text: str) -> HtmlPage:
    body = text.split("---\n", 2)[2]
    return parsed(PATH, _markdown().reset().convert(body))


# ---- Pages ----------------------------------------------------------------------------------------------------


def test_only_a_release_with_a_stored_result_has_a_page() -> None:
    assert PATH not in pages_of(library())
    found = pages_of(library(**{FILE: EVERYTHING}))
    assert PATH in found
    assert "releases/2.14/api.md" not in found
    assert '<a href="api/">API changes</a>' in found["releases/2.15.md"].text
    assert "API changes" not in found["releases/2.14.md"].text


def test_parts_stand_in_the_order_of_their_weight() -> None:
    parts = api_parts(library(**{FILE: EVERYTHING}), "2.15")
    assert [(part.anchor, part.count) for part in parts] == [
        ("removed", 4),
        ("defaults", 1),
        ("parameters", 1),
        ("otherwise", 1),
        ("unconfirmed", 1),
        ("operators", 2),
        ("settings", 3),
        ("entry-points", 1),
        ("requirements", 1),
        ("new-parameters", 1),
        ("new-names", 2),
    ]


def test_every_name_has_one_address() -> None:
    found = library(**{FILE: EVERYTHING})
    page = html_of(page_of(found))
    ids = [node.attributes["id"] for node in page.nodes if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    assert set(names_of(found.api["2.15"])) <= set(ids)
    assert "torch.gone" in ids


def test_what_was_not_found_is_said() -> None:
    text = page_of(library(**{FILE: stored()}))
    assert "No public name was found to be gone" in text
    assert "None: the two readings agree on every name" in text
    assert "CUDA, ROCm or XPU only" in text


def test_page_names_its_wheels() -> None:
    text = page_of(library(**{FILE: stored()}))
    assert text.count("torch.whl") == 2
    assert text.count("0" * 64) == 2


def test_long_lists_open_on_demand() -> None:
    many = [f"TORCH_{number:02}" for number in range(20)]
    parts = api_parts(library(**{FILE: stored(variables={"added": many, "removed": many})}), "2.15")
    settings = next(part for part in parts if part.anchor == "settings")
    assert [group.is_folded for group in settings.groups] == [False, True]


def _attacked(payload: str) -> dict[str, Any]:
    change = {"kind": "default", "parameter": payload, "was": payload, "now": payload}
    some = {"added": [payload], "removed": [payload], "changed": [{"name": payload, "was": payload, "now": payload}]}
    named = [{"module": payload, "names": [payload]}]
    return stored(
        removed=named,
        unconfirmed=[{"name": payload, "reason": payload.replace("`", "")}],
        changed=[{"name": payload, "changes": [change, {"kind": "base", "was": payload}]}],
        added=named,
        parameters=[{"name": payload, "parameters": [payload]}],
        operators=some,
        variables=some,
        flags=some,
        entry_points=some,
        requirements=some,
    ) | {"old": {**EVERYTHING["old"], "file": payload}}


def _shape(page: HtmlPage) -> list[tuple[str, tuple[str, ...], str]]:
    # A name that can be an address is one; another has none.
    return [
        (node.name, tuple(sorted(node.attributes.keys() - {"id"})), node.attributes.get("href", "").partition("#")[0])
        for node in page.nodes
    ]


@pytest.mark.parametrize("payload", [one for one in PAYLOADS if one.replace("`", "").strip()])
def test_hostile_names_are_shown_and_make_no_element(payload: str) -> None:
    hostile, benign = (html_of(page_of(library(**{FILE: _attacked(one)}))) for one in (payload, "two words"))
    assert _shape(hostile) == _shape(benign)


# ---- Records --------------------------------------------------------------------------------------------------


def _explanations(*symbols: str, settings: tuple[str, ...] = (), **more: Any) -> Explanations:
    values = changed(DTYPE, {"symbols": list(symbols), "settings": list(settings), **more})
    return Explanations([library(**{DTYPE: values}).entries["reduce-dtype"]])


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("torch.compile", "torch.compile"),
        ("torch.compile.dynamic", "torch.compile"),
        ("torch.optim.Adam", "torch.optim.adam.Adam"),
        ("torch.optim.adam.Adam.step", "torch.optim.Adam.step"),
        ("torch.optim.Adam", "torch.optim.Adam.step"),
    ],
)
def test_record_is_found_by_its_identifiers(symbol: str, name: str) -> None:
    assert [one.id for one in _explanations(symbol).of(name)] == ["reduce-dtype"]


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("torch.qr", "torch.linalg.qr"),
        ("torch.linalg.qr", "torch.qr"),
        ("torch.cuda.is_available", "torch.cuda.gds.is_available"),
        ("torch.distributed", "torch.distributed.new"),
        ("torch.comp", "torch.compile"),
        ("torch.nn.Linear", "torch.ao.nn.Linear"),
    ],
)
def test_alike_names_are_not_taken_for_each_other(symbol: str, name: str) -> None:
    assert _explanations(symbol).of(name) == ()


def test_place_of_definition_and_settings_with_a_value() -> None:
    found = _explanations("torch.a.b.f", settings=("TORCH_X=0",))
    assert found.of("torch.f", "torch.a.b.f")
    assert found.of("TORCH_X")
    assert not found.of("TORCH_XY")


@pytest.mark.parametrize(
    ("symbol", "operator", "is_found"),
    [
        ("torch.linalg.qr", "aten::linalg_qr.out", True),
        ("torch.polar", "aten::polar_", True),
        ("torch.Tensor.polar", "aten::polar", True),
        ("torch.qr", "aten::linalg_qr", False),
    ],
)
def test_operators_are_found_by_their_python_names(symbol: str, operator: str, *, is_found: bool) -> None:
    assert bool(_explanations(symbol).of_operator(operator)) is is_found


def test_a_changed_parameter_needs_a_record_that_mentions_it() -> None:
    found = _explanations("torch.compile", details="The parameter `dynamic_shapes` is new.")
    assert found.of("torch.compile", None, ["dynamic_shapes"])
    assert not found.of("torch.compile", None, ["dynamic"])


def test_longest_identifier_comes_first() -> None:
    files = {
        POLAR: changed(POLAR, {"symbols": ["torch.a.C"]}),
        DTYPE: changed(DTYPE, {"symbols": ["torch.a.C.m"]}),
    }
    found = Explanations(library(**files).entries.values())
    assert [one.id for one in found.of("torch.a.C")] == ["reduce-dtype", "tensor-polar"]


# ---- The work list --------------------------------------------------------------------------------------------


def test_what_no_record_explains_is_listed() -> None:
    assert list(unexplained(library(**{FILE: EVERYTHING}))) == [
        "2.15: torch.a.C.m: removed",
        "2.15: torch.a.f: removed",
        "2.15: torch.gone: removed",
        "2.15: torch.qr: still there, and always raises RuntimeError",
        "2.15: torch.a.d: default of x changed from 1 to 2",
        "2.15: torch.a.r: parameter x is now y",
        "2.15: torch.a.s: was an object, and is a module now",
        "2.15: aten::qr: operator removed",
        "2.15: TORCH_OLD: environment variable removed",
        "2.15: torch.config.x: default of the config flag changed from 1 to 2",
    ]


def test_what_a_record_of_the_release_explains_is_not_listed() -> None:
    api = {FILE: stored(removed=[{"module": "torch", "names": ["gone"]}])}
    other = {POLAR: changed(POLAR, {"symbols": ["torch.gone"]})}
    own = {DTYPE: changed(DTYPE, {"symbols": ["torch.gone"]})}
    assert list(unexplained(library(**api, **other))) == ["2.15: torch.gone: removed"]
    assert list(unexplained(library(**api, **own))) == []


def test_nothing_stored_is_nothing_to_do() -> None:
    assert list(unexplained(library())) == []


# ---- Search ---------------------------------------------------------------------------------------------------


def test_index_leads_to_each_name() -> None:
    found = library(**{FILE: EVERYTHING})
    files = {path: json.loads(text) for path, text in index_files(found).items()}
    assert ["Release", "API changes of PyTorch 2.15", "releases/2.15/api/"] in [
        one[:3] for one in files[HEADS]["pages"]
    ]
    (api,) = files[WORDS]["api"]
    assert api["url"] == "releases/2.15/api/#*"
    assert api["names"].split(" ") == list(names_of(found.api["2.15"]))
    assert "torch.new.C" in api["names"]


def test_names_that_cannot_be_an_address_are_not_in_the_index() -> None:
    found = library(**{FILE: stored(variables={"added": ['X" onclick="y', "TORCH_X"]})})
    assert names_of(found.api["2.15"]) == ("TORCH_X",)


# ---- Left without a record -----------------------------------------------------------------------------------------


def test_a_reason_stands_on_the_page_and_takes_the_name_off_the_work_list() -> None:
    before = library(**{FILE: EVERYTHING})
    release, name, _ = next(without_record(before))
    reason = {"release": release, "name": name, "why": "Nobody calls it."}
    after = library(**{FILE: EVERYTHING, NO_RECORD: {"no_record": [reason]}})
    assert "no record: Nobody calls it." in page_of(after)
    assert "no record:" not in page_of(before)
    left = [line for line in unexplained(before) if not line.startswith(f"{release}: {name}: ")]
    assert list(unexplained(after)) == left
    assert len(left) < len(list(unexplained(before)))

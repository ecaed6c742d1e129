"""The engine in a real browser: words as Python cuts them, devices in odd spellings, and real questions."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from browser_fixtures import drawn, page_with_modules
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page
from site_fixtures import Build

from torchnotes.bench.serving import served
from torchnotes.index.words import words_of
from torchnotes.library import Library
from torchnotes.opendata import feature_record
from torchnotes.pages.hardware import reason_for

pytestmark = pytest.mark.browser

QUESTIONS = Path(__file__).parent / "questions"
BAR = 0.95
"""Part of all questions whose answer is among the first three results, or on a page offered above them."""


@pytest.fixture(scope="module")
def engine(browser: Browser, built: Build) -> Iterator[Page]:
    """A page in which the pure modules are at hand as ``window.engine``, with the whole index."""
    script = """async (home) => {
          const at = (name) => import(`${home}assets/javascripts/finder/${name}.js`)
          const [text, store, search, devices] = await Promise.all(["text", "store", "search", "devices"].map(at))
          const index = await store.openIndex()
          await index.words
          window.engine = { ...text, ...search, ...devices, index }
        }"""
    with page_with_modules(browser, built, script) as page:
        yield page


def found(engine: Page, text: str) -> list[str]:
    """Ids of the features found, best first."""
    ids = engine.evaluate(
        "(text) => { const { index, search } = engine; return (search(index, text).docs ?? []).map((n) => index.id(n)) }",
        text,
    )
    return list(ids)


def found_many(engine: Page, texts: list[str]) -> list[list[str]]:
    """Ids of the features found for each text."""
    return list(
        engine.evaluate(
            """(texts) => texts.map((text) => {
              const { index, search } = engine
              return (search(index, text).docs ?? []).slice(0, 5).map((n) => index.id(n))
            })""",
            texts,
        )
    )


# ---- Words ----------------------------------------------------------------------------------------------------


def _cut_in_browser(engine: Page, texts: list[str]) -> list[list[list[str]]]:
    return list(
        engine.evaluate(
            "(all) => all.map((one) => engine.wordsOf(one).map((word) => [word.whole, ...word.parts]))", texts
        )
    )


def test_browser_cuts_the_real_texts_as_python_does(engine: Page, real_library: Library) -> None:
    texts = [
        text
        for entry in real_library.entries.values()
        for text in re.findall(r'"((?:[^"\\]|\\.)*)"', entry.feature.model_dump_json())
    ]
    texts += [device.name for device in real_library.devices]
    expected = [[[word.whole, *word.parts] for word in words_of(text)] for text in texts]
    assert _cut_in_browser(engine, texts) == expected


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(
        st.text(
            # Letters beyond these differ between editions of Unicode, not between the two programs' rules.
            st.one_of(st.characters(max_codepoint=0x17F), st.sampled_from("_.-+:/ 12aAbB通信のテ한글")),
            max_size=40,
        ),
        max_size=30,
    )
)
def test_browser_cuts_any_text_as_python_does(engine: Page, texts: list[str]) -> None:
    assert _cut_in_browser(engine, texts) == [[[word.whole, *word.parts] for word in words_of(one)] for one in texts]


@pytest.mark.parametrize(
    ("words", "same"),
    [
        (("hang", "hangs", "hanging"), True),
        (("remove", "removed", "removes", "removal"), True),
        (("reduce", "reduced", "reduction"), True),
        (("compile", "compiled", "compiler", "compilation"), True),
        (("slow", "slower"), True),
        (("copy", "copies"), True),
        (("process", "processes"), True),
        (("speed", "spe"), False),
        (("class", "clas"), False),
        (("bus", "bu"), False),
    ],
)
def test_words_of_one_family_have_one_stem(engine: Page, words: tuple[str, ...], same: bool) -> None:  # noqa: FBT001
    stems = engine.evaluate("(words) => words.map(engine.stem)", list(words))
    assert (len(set(stems)) == 1) is same, stems


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("gradient", "gradeint", True),
        ("gradient", "gradent", True),
        ("gradient", "gradiient", True),
        ("gradient", "gradiemt", True),
        ("gradient", "gradient", False),
        ("gradient", "gradinte", False),
        ("ab", "ba", True),
        ("", "a", True),
        ("abc", "acbd", False),
    ],
)
def test_one_typing_error_is_one(engine: Page, one: str, other: str, differ: bool) -> None:  # noqa: FBT001
    assert engine.evaluate("([one, other]) => engine.differByOne(one, other)", [one, other]) is differ


# ---- What is found --------------------------------------------------------------------------------------------


def test_every_identifier_and_message_finds_its_feature(engine: Page, real_library: Library) -> None:
    """Among the first five when at most five features name it; whole, by its last name, and pasted amid other words."""
    holders: dict[str, set[str]] = {}
    for entry in real_library.entries.values():
        for name in (*entry.feature.symbols, *entry.feature.settings, *entry.feature.messages):
            holders.setdefault(name, set()).add(entry.id)
    asked: list[tuple[str, str]] = []
    for entry in real_library.entries.values():
        record = entry.feature
        for name in (*record.symbols, *record.settings):
            if len(holders[name]) <= 4:
                asked += [(name, entry.id), (name.upper(), entry.id)]
        for message in record.messages:
            line = f'File "/opt/env/site-packages/torch/nn/modules/module.py", line 1784, in _call_impl: RuntimeError: {message}'
            asked += [(message, entry.id), (message.lower(), entry.id), (line, entry.id)]
        asked += [(record.title, entry.id), (entry.id, entry.id)]
    answers = found_many(engine, [text for text, _ in asked])
    missed = [
        f"{text!r} → {answer}, not {wanted}"
        for (text, wanted), answer in zip(asked, answers, strict=True)
        if wanted not in answer
    ]
    assert len(asked) > 800
    assert not missed, "\n".join(missed)


@pytest.mark.parametrize(
    ("plain", "odd"),
    [
        ("cuda graphs", "cudagraphs"),
        ("flight recorder", "flightrecorder"),
        ("checkpoint", "checkpiont"),
        ("collectives", "collectves"),
        ("macOS 15", "macos15"),
        ("reduce_dtype", "REDUCE_DTYPE"),
        ("max-autotune", "max_autotune"),
    ],
)
def test_spaces_case_and_one_typing_error_do_not_matter(engine: Page, plain: str, odd: str) -> None:
    assert found(engine, plain)[0] in found(engine, odd)[:5]


def test_a_typing_error_is_owned_up_to_and_identifiers_have_none(engine: Page) -> None:
    about = (
        "(text) => { const { corrected, missing } = engine.search(engine.index, text); return { corrected, missing } }"
    )
    assert engine.evaluate(about, "checkpiont ") == {
        "corrected": [{"typed": "checkpiont", "used": "checkpoint"}],
        "missing": [],
    }
    assert engine.evaluate(about, "reduce_dtyep ")["corrected"] == []


def test_all_words_come_before_most_words(engine: Page) -> None:
    """Some have every word, and more are shown than those."""
    full, docs = engine.evaluate(
        "() => { const f = engine.search(engine.index, 'dist.new_group hang'); return [f.full, f.docs.length] }"
    )
    assert 0 < full < docs


@pytest.mark.parametrize("text", ["", "   ", "\u0000", "(((", "*", "%", "…", "<>"])
def test_text_without_words_asks_for_nothing(engine: Page, text: str) -> None:
    assert engine.evaluate("(text) => engine.search(engine.index, text).docs", text) is None


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(st.text(max_size=300), max_size=10))
def test_no_text_breaks_the_engine(engine: Page, texts: list[str]) -> None:
    """And marking never changes a text."""
    whole = engine.evaluate(
        """(texts) => texts.every((text) => {
          const { index, search, suggest, recognise } = engine
          const all = search(index, text)
          suggest(index, text)
          recognise(index, text)
          const shown = `${text} ${index.title(0)}`
          return all.mark(shown).map((piece) => piece.text).join("") === shown
        })""",
        [text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in texts],
    )
    assert whole is True


# ---- Devices --------------------------------------------------------------------------------------------------

SPELLINGS = {
    "NVIDIA": {
        "rtx5090": "nvidia-blackwell-rtx",
        "RTX-4090": "nvidia-ada",
        "NVIDIA GeForce RTX 4070 Ti SUPER": "nvidia-ada",
        "8xH100": "nvidia-hopper",
        "h 200": "nvidia-hopper",
        "A100-SXM4-80GB": "nvidia-ampere",
        "Tesla V100-SXM2-16GB": "nvidia-volta",
        "gtx1080ti": "nvidia-pascal",
        "4x GB200": "nvidia-blackwell-dc",
        "dgx spark": "nvidia-gb10",
        "AGX Thor": "nvidia-thor",
        "sm_120": "nvidia-blackwell-rtx",
        "SM120A": "nvidia-blackwell-rtx",
        "4090": "nvidia-ada",
    },
    "AMD": {
        "MI300X": "amd-cdna3",
        "mi-325x": "amd-cdna3",
        "AMD Instinct MI355X OAM": "amd-cdna4",
        "8×mi250": "amd-cdna2",
        "rx7900xtx": "amd-rdna3",
        "7900 XTX": "amd-rdna3",
        "Radeon RX9070XT": "amd-rdna4",
        "6700xt": "amd-rdna2",
        "strix halo": "amd-rdna35",
        "gfx942": "amd-cdna3",
        "gfx90a:sramecc+:xnack-": "amd-cdna2",
        "780M": "amd-rdna3",
    },
    "Apple": {
        "M1": "apple-m1",
        "m1max": "apple-m1",
        "M2-Ultra": "apple-m2",
        "apple m2 pro": "apple-m2",
        "m3 ultra": "apple-m3",
        "M3MAX": "apple-m3",
        "MacBook Pro M4 Max": "apple-m4",
        "m4-pro": "apple-m4",
        "mac mini m4": "apple-m4",
        "M5": "apple-m5",
    },
    "Intel": {
        "B580": "intel-xe2",
        "arcb580": "intel-xe2",
        "Intel(R) Arc(TM) B570": "intel-xe2",
        "Arc A770": "intel-xe-hpg",
        "a730m": "intel-xe-hpg",
        "arc pro b60": "intel-xe2",
        "max 1550": "intel-xe-hpc",
        "Data-Center GPU Max 1100": "intel-xe-hpc",
        "PVC": "intel-xe-hpc",
        "panther lake": "intel-xe3",
        "flex170": "intel-xe-hpg",
    },
}


@pytest.mark.parametrize("vendor", SPELLINGS)
def test_devices_are_recognised_in_odd_spellings(engine: Page, vendor: str) -> None:
    spellings = SPELLINGS[vendor]
    assert len(spellings) >= 10
    seen = {
        text: engine.evaluate("(text) => engine.recognise(engine.index, text)[0]?.hardware", text) for text in spellings
    }
    assert seen == spellings


def test_every_device_is_recognised_by_its_name(engine: Page, real_library: Library) -> None:
    names = [device.name for device in real_library.devices]
    answers = engine.evaluate(
        "(all) => all.map((one) => engine.recognise(engine.index, one).map((it) => it.hardware))", names
    )
    wrong = [
        f"{device.name}: {answer}"
        for device, answer in zip(real_library.devices, answers, strict=True)
        if device.hardware not in answer
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "no kernel image",
        "reduce_dtype",
        "torch.compile max-autotune",
        "750 tokens",
        "16gb",
        "1024x1024",
        "module.py, line 1080, in forward",
        "a 10 minute wait",
    ],
)
def test_words_that_name_no_hardware_are_not_taken_for_it(engine: Page, text: str) -> None:
    assert engine.evaluate("(text) => engine.recognise(engine.index, text)", text) == []


def test_an_ambiguous_name_offers_its_candidates(engine: Page) -> None:
    families = engine.evaluate("() => engine.recognise(engine.index, 'titan x').map((one) => one.hardware)")
    assert families == ["nvidia-maxwell", "nvidia-pascal"]


# ---- Real questions -------------------------------------------------------------------------------------------


def _questions() -> list[dict[str, Any]]:
    return [
        one for path in sorted(QUESTIONS.glob("*.yaml")) for one in yaml.safe_load(path.read_text("utf-8"))["items"]
    ]


def test_questions_are_asked_once_and_name_what_exists(built: Build, real_library: Library) -> None:
    questions = _questions()
    assert len(questions) >= 124
    assert [id_ for id_, count in Counter(one["id"] for one in questions).items() if count > 1] == []
    named = {one for question in questions for one in question["answered_by"]}
    assert named - set(real_library.entries) == set()
    pages = {one.partition("#")[0] for question in questions for one in question.get("pages", ())}
    assert [one for one in pages if not (built.site / one / "index.html").is_file()] == []
    unanswered = [one["id"] for one in questions if not one["answered_by"] and not one.get("pages")]
    assert [id_ for id_ in unanswered if not next(one for one in questions if one["id"] == id_).get("why_not")] == []


def test_real_questions_are_answered_among_the_first_three(
    browser: Browser, built: Build, real_library: Library, tell: Callable[[str], None]
) -> None:
    """Typed into the page as a person would, with the facets chosen. Prints a table.

    An answer is a record that answers, in place, whose text says what it must; or a page that does, offered by name.
    """
    texts = {
        one.id: json.dumps(feature_record(one, real_library), ensure_ascii=False)
        for one in real_library.entries.values()
    }
    questions, rows, good = _questions(), [], 0
    with served(built.site) as home:
        context = browser.new_context()
        page = context.new_page()
        for question in questions:
            shown, offered = _typed(page, home, question)
            answering = [one for one in shown if one in question["answered_by"]]
            place = shown.index(answering[0]) + 1 if answering else 0
            pages = [one for one in offered if one in question.get("pages", ())]
            rank = {0: "not found", 1: "first"}.get(place, "first three" if place <= 3 else f"place {place}")
            rank = "page" if pages and not 1 <= place <= 3 else rank
            answers = [texts[one] for one in shown[:3] if one in question["answered_by"]]
            answers += [
                (built.site / one.partition("#")[0] / "index.html").read_text(encoding="utf-8") for one in pages
            ]
            says = any(all(re.search(one, text, re.IGNORECASE) for one in question["expect"]) for text in answers)
            good += says
            lacks = "" if says or not answers else "  (the text lacks what was expected)"
            rank = rank if question["answered_by"] or question.get("pages") else "no record"
            rows.append(f"{rank:>11}  {question['id']:9} {question['query']}{lacks}")
        context.close()
    told = "\n".join(sorted(rows))
    tell(f"{told}\n{good} of {len(questions)} questions: answered among the first three")
    assert good >= BAR * len(questions)


def _typed(page: Page, home: str, question: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Ids of the results in their order, and addresses of the pages that are offered above them."""
    facets = {"hardware": question.get("hardware"), "release": question.get("version")}
    chosen = "&".join(f"{name}={value.replace(' ', '+')}" for name, value in facets.items() if value)
    page.goto(f"{home}features/?{chosen}")
    box = page.locator("tn-finder input[name=q]")
    page.locator("tn-finder[data-ready]").wait_for()
    box.fill(question["query"])
    page.wait_for_function(
        "(text) => new URLSearchParams(location.search).get('q') === text.trim()", arg=question["query"]
    )
    drawn(page)
    shown = page.locator("[data-feature]").evaluate_all("all => all.map(one => one.dataset.feature)")
    links = page.locator("[data-pages] a, [data-machine-lines] a").evaluate_all("all => all.map(one => one.href)")
    return [str(one) for one in shown], [str(one).removeprefix(home) for one in links]


def test_browser_names_what_the_records_name(engine: Page, real_library: Library) -> None:
    """Identifiers and messages come through their packing, in order."""
    names = engine.evaluate(
        "() => Object.fromEntries(Array.from({ length: engine.index.count }, (_, n) => [engine.index.id(n), engine.index.names(n)]))"
    )
    assert names == {
        entry.id: [*entry.feature.symbols, *entry.feature.settings, *entry.feature.messages]
        for entry in real_library.entries.values()
    }


def test_browser_gives_the_reasons_that_the_pages_give(engine: Page, real_library: Library) -> None:
    for hardware_id in real_library.hardware:
        said = engine.evaluate(
            """(id) => Object.fromEntries(
              Array.from({ length: engine.index.count }, (_, n) => [engine.index.id(n), engine.index.reason(n, id)]))""",
            hardware_id,
        )
        reason = reason_for(real_library, hardware_id)
        assert said == {entry.id: reason(entry) for entry in real_library.entries.values()}


def test_an_identifier_that_nobody_knows_is_said_to_be_missing(engine: Page) -> None:
    found_, missing = engine.evaluate(
        "() => { const f = engine.search(engine.index, 'torch.foo.barbaz'); return [f.full, f.missing] }"
    )
    assert (found_, missing) == (0, ["torch.foo.barbaz"])

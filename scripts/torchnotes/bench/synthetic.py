"""The real library → one of any size, for measuring: every record is a real one, said with other words.

What a benchmark could be fooled by is varied: a word becomes another one, drawn as often as real records use it, and
the same one throughout its record, since texts repeat themselves; names that only one record has are new ones; tags are
drawn as often as they are given. Shapes, lengths and the smallest words stay as people wrote them.
Pure but for ``write_library``. The same seed gives the same library.
"""

import copy
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from torchnotes.checks.names import MOST_ID_CHARACTERS, why_not_an_id
from torchnotes.formatting import formatted
from torchnotes.library import Library, library_of
from torchnotes.model import Proofs
from torchnotes.proof.describing import METADATA_PATH
from torchnotes.proof.offering import COMPANIONS_PATH
from torchnotes.proof.storing import PROOFS_PATH, text_of
from torchnotes.reading import Contents, read_contents
from torchnotes.schema import SCHEMA_PATH, schema_text
from torchnotes.terms import Action, Kind
from torchnotes.writing import write_text
from torchnotes.yaml_source import Document

Values: TypeAlias = dict[str, Any]

_SENTENCES = ("title", "summary", "details", "messages", "says", "what", "conditions", "cause", "not_confirmed")
_NOTE = ("applies_when", "steps", "reason", "how", "cost", "replacement", "of", "before", "after")
_CLAIMS = ("metric", "value", "reported", "found")
_PROSE = frozenset({*_SENTENCES, *_NOTE, *_CLAIMS})
"""Fields whose words are exchanged."""
_CODE = frozenset({"symbols", "settings", "code", "needle"})
"""Fields in which only names are exchanged."""
_LONGEST = {"title": 110, "details": 1_600, "code": 3_000, "messages": 400, "needle": 400}
_LONGEST_TEXT = 700
_ALIKE_KINDS: tuple[tuple[str, ...], ...] = (
    (Kind.NEW_FEATURE, Kind.IMPROVEMENT, Kind.BUG_FIX, Kind.BEHAVIOR_CHANGE),
    (Kind.DEFAULT_CHANGE, Kind.REQUIREMENT),
)
"""Kinds between which a record's shape does not change."""
_ALIKE_ACTIONS = (Action.RECOMMENDED, Action.OPTIONAL)
_SHARED = 3
"""A name that so many real records have is one that everybody uses: it stays."""
_COMMON = 0.5
"""A word that so large a part of the records has says nothing by itself: it stays."""
_OTHER_HARDWARE = 0.2
"""How often tags are drawn one by one, so that there are not only the combinations of today."""
_TRIES = 60
_PARTS_IN_TITLE = 0.79
"""Of the parts of a real id, how many its title, summary or names have too."""

_WORD = re.compile(r"(?<![\w.#/'-])[A-Za-z](?:[A-Za-z'-]*[A-Za-z])?(?![\w/'-]|\.\w)")
_NAME_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+[0-9]*|[A-Z]+[0-9]*|[0-9]+")


class Drawn:
    """Things to draw, each as often as it was met."""

    def __init__(self, met: Mapping[str, float]) -> None:
        """Draw from what ``met`` counts."""
        self._things = list(met)
        self._weights = list(accumulate(met.values()))

    def one(self, random: Random) -> str:
        """One of them."""
        return self.draws(random, 1)[0]

    def draws(self, random: Random, count: int) -> list[str]:
        """So many of them, perhaps one of them several times."""
        return random.choices(self._things, cum_weights=self._weights, k=count)

    def several(self, random: Random, count: int) -> list[str]:
        """Different ones."""
        found: dict[str, None] = {}
        while len(found) < min(count, len(self._things)):
            found[self.one(random)] = None
        return list(found)


@dataclass(frozen=True, slots=True)
class Corpus:
    """What the real records are made of."""

    words: Drawn
    common: frozenset[str]
    name_parts: Drawn
    id_parts: Drawn
    hardware: Drawn
    areas: Drawn
    hardware_lists: list[list[str]]
    area_counts: Drawn
    kinds: Mapping[str, Drawn]
    actions: Drawn
    stabilities: Drawn
    visibilities: Mapping[str, list[list[str]]]
    shared_names: frozenset[str]


def _texts(value: Any, fields: frozenset[str], field: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(inner, fields, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, fields, field)
    elif isinstance(value, str) and field in fields:
        yield value


def _prose(text: str) -> Iterable[str]:
    """A text without its code."""
    return text.split("`")[::2]


def _plain(word: str) -> str:
    """A word as it stands inside a sentence."""
    return word.lower() if word[1:] == word[1:].lower() else word


def _words(record: Values) -> set[str]:
    pieces = (piece for text in _texts(record, _PROSE) for piece in _prose(text))
    return {_plain(word) for piece in pieces for word in _WORD.findall(piece)}


def _leaf(name: str) -> str:
    return name.rpartition(".")[2]


def corpus_of(contents: Contents, library: Library) -> Corpus:
    """Count everything that is drawn later."""
    records: list[Any] = [read.document.values for read in contents.features]
    # By records that have a word, not by its places: in one record, one word will stand for one word.
    words = Counter(word for record in records for word in _words(record))
    common = frozenset(word for word, count in words.items() if count >= _COMMON * len(records))
    names = Counter(name for record in records for name in {*record.get("symbols", ()), *record.get("settings", ())})
    parts = Counter(part.lower() for name in names for part in _NAME_PART.findall(_leaf(name)))
    kinds = Counter(record["kind"] for record in records)
    actions = Counter(record["migration"]["action"] for record in records)
    hardware = Counter(one for record in records for one in record["hardware"])
    areas = Counter(one for record in records for one in record["areas"])
    visibilities: dict[str, list[list[str]]] = {}
    for record in records:
        visibilities.setdefault(record["migration"]["action"], []).append(record["migration"]["visibility"])
    return Corpus(
        words=Drawn({word: count for word, count in words.items() if word not in common}),
        common=common,
        name_parts=Drawn(parts),
        id_parts=Drawn(Counter(part for read in contents.features for part in read.id.split("-"))),
        # What no record names yet will be named some day, so nothing is left out.
        hardware=Drawn({one: hardware[one] + 0.5 for one in library.hardware}),
        areas=Drawn({one: areas[one] + 0.5 for one in library.areas}),
        hardware_lists=[record["hardware"] for record in records],
        area_counts=Drawn(Counter(str(len(record["areas"])) for record in records)),
        kinds={kind: Drawn({str(one): kinds[one] + 0.5 for one in alike}) for alike in _ALIKE_KINDS for kind in alike},
        actions=Drawn({str(one): actions[one] + 0.5 for one in _ALIKE_ACTIONS}),
        stabilities=Drawn(Counter(record["stability"] for record in records)),
        visibilities=visibilities,
        shared_names=frozenset(_leaf(name) for name, count in names.items() if count >= _SHARED),
    )


class _Rewording:
    """Exchanges the words and the names of one record."""

    def __init__(self, corpus: Corpus, random: Random, names: Iterable[str]) -> None:
        self._corpus = corpus
        self._random = random
        self._new: dict[str, str] = {}
        self._instead: dict[str, str] = {}
        self._taken: set[str] = set()
        for leaf in dict.fromkeys(map(_leaf, names)):
            if leaf not in corpus.shared_names and re.fullmatch(r"[A-Za-z_]\w+", leaf) and leaf != "torch":
                self._new[leaf] = self._other_name(leaf)
        known = "|".join(sorted(map(re.escape, self._new), key=len, reverse=True))
        self._known = re.compile(rf"(?<!\w)(?:{known})(?!\w)") if known else None

    def _other_name(self, leaf: str) -> str:
        """A name in the same style, of about as many parts."""
        body = leaf.strip("_")
        opening, closing = leaf[: leaf.index(body)], leaf[leaf.index(body) + len(body) :]
        count = max(2, len(_NAME_PART.findall(body)))
        while True:
            parts = self._corpus.name_parts.several(self._random, count)
            if body.isupper():
                # What a variable belongs to stays: TORCH_, TORCHINDUCTOR_.
                new = "_".join([body.partition("_")[0], *parts[1:]]).upper()
            elif body[0].isupper():
                new = "".join(part.capitalize() for part in parts)
            else:
                new = "_".join(parts)
            if new[0].isalpha() and new not in self._new.values():
                return f"{opening}{new}{closing}"
            count += 1

    def code(self, text: str) -> str:
        """The same code about other names."""
        return self._known.sub(lambda match: self._new[match.group()], text) if self._known else text

    def text(self, text: str, longest: int) -> str:
        """A sentence of as many words, not longer than ``longest`` or the original."""
        for attempt in range(1, _TRIES):
            pieces = text.split("`")
            for at, piece in enumerate(pieces):
                if at % 2 == 0:
                    piece = _WORD.sub(lambda match: self._word(match, attempt), piece)  # noqa: B023, PLW2901
                pieces[at] = self.code(piece)
            found = "`".join(pieces)
            if len(found) <= max(longest, len(text)):
                return found
        # Its new names alone are too long.
        return text

    def _word(self, match: re.Match[str], attempt: int) -> str:
        word = _plain(match.group())
        if word in self._corpus.common:
            return match.group()
        # Where a sentence became too long, each attempt takes shorter words, so that there is an end.
        found = (
            self._other_word(word) if attempt == 1 else min(self._corpus.words.draws(self._random, attempt), key=len)
        )
        return found[0].upper() + found[1:] if match.group()[0].isupper() else found

    def _other_word(self, word: str) -> str:
        """The word that stands for a word in this record, and for no other."""
        while word not in self._instead:
            found = self._corpus.words.one(self._random)
            if found not in self._taken:
                self._taken.add(found)
                self._instead[word] = found
        return self._instead[word]

    def value(self, value: Any, field: str = "") -> Any:
        """A field with everything in it."""
        if isinstance(value, Mapping):
            return {key: self.value(inner, key) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.value(inner, field) for inner in value]
        if not isinstance(value, str):
            return value
        if field in _PROSE:
            return self.text(value, _LONGEST.get(field, _LONGEST_TEXT))
        return self.code(value) if field in _CODE else value


class _Maker:
    """Makes the records of one synthetic library, one after the other."""

    def __init__(self, corpus: Corpus, library: Library, random: Random) -> None:
        self._corpus = corpus
        self._library = library
        self._random = random
        self._titles: set[str] = set()
        self._made: dict[str, list[str]] = {}
        """Ids by version: what a later record may follow."""

    def ids(self, real: Sequence[str], size: int) -> list[str]:
        """As many ids, of as many words as real ones have."""
        found: dict[str, None] = {}
        while len(found) < size:
            count = len(real[len(found) % len(real)].split("-"))
            new = "-".join(self._corpus.id_parts.several(self._random, count))
            while new in found and len(new) < MOST_ID_CHARACTERS:
                new += f"-{self._corpus.id_parts.one(self._random)}"
            if not why_not_an_id(new):
                found[new] = None
        return list(found)

    def record(self, own: str, ids: Sequence[str], template: Values) -> Values:
        """A real record, said with other words about other names."""
        values = copy.deepcopy(template)
        rewording = _Rewording(self._corpus, self._random, (*values.get("symbols", ()), *values.get("settings", ())))
        self._point_to_others(values, own, ids)
        self._renumber_sources(values)
        self._tag(values)
        title = values.pop("title")
        values = {"title": self._title(title, own, rewording), **rewording.value(values)}
        for name in ("symbols", "settings", "messages"):
            # Two names can become one.
            if name in values:
                values[name] = list(dict.fromkeys(values[name]))
        self._made.setdefault(values["version"], []).append(own)
        return values

    def _title(self, title: str, own: str, rewording: _Rewording) -> str:
        for _ in range(_TRIES):
            found = self._with_parts(rewording.text(title, _LONGEST["title"]), own)
            seen = found.replace("`", "").casefold()
            if seen not in self._titles:
                break
            # All of it is code: only more words can tell it from its likes.
            title = f"{title} word" if len(title) < _LONGEST["title"] - 20 else title
        self._titles.add(seen)
        return found

    def _with_parts(self, title: str, own: str) -> str:
        """A title that says what its id says, as often as real ones do."""
        parts = [part for part in own.split("-") if self._random.random() < _PARTS_IN_TITLE]
        self._random.shuffle(parts)
        found = _WORD.sub(lambda match: parts.pop() if parts else match.group(), title)
        return found if len(found) <= _LONGEST["title"] else title

    def _point_to_others(self, values: Values, own: str, ids: Sequence[str]) -> None:
        if "related" in values:
            others = self._random.sample(ids, min(len(ids), len(values["related"]) + 1))
            values["related"] = [one for one in others if one != own][: len(values["related"])]
        if "follows" in values:
            earlier = self._made.get(values["version"], [])
            values["follows"] = self._random.sample(earlier, min(len(earlier), len(values["follows"])))
        if "supersedes" in values:
            older = [one for version, made in self._made.items() if version < values["version"] for one in made]
            values["supersedes"] = self._random.sample(older, min(len(older), len(values["supersedes"])))
        # What finds the names of a real record in code would not find its new ones.
        values["migration"].pop("detect", None)
        for name in ("related", "follows", "supersedes"):
            if not values.get(name, True):
                del values[name]
        uses = [one for one in values.get("applies", {}).get("uses", ()) if one in self._library.areas]
        if uses:
            values["applies"]["uses"] = uses
        else:
            values.get("applies", {}).pop("uses", None)

    def _renumber_sources(self, values: Values) -> None:
        """Other pull requests and issues; what names one of the record's sources goes on naming it."""
        new: dict[str, str] = {}
        for source in values["sources"]:
            if "number" in source:
                number = self._random.randrange(100_000, 300_000)
                new[f"{source['repo']}#{source['number']}"] = f"{source['repo']}#{number}"
                source["number"] = str(number)

        def follow(value: Any) -> Any:
            if isinstance(value, Mapping):
                named = ("source", "basis", "by")
                return {
                    key: new.get(inner, inner) if key in named and isinstance(inner, str) else follow(inner)
                    for key, inner in value.items()
                }
            return [follow(inner) for inner in value] if isinstance(value, list) else value

        values.update(follow(values))

    def _tag(self, values: Values) -> None:
        corpus, random, migration = self._corpus, self._random, values["migration"]
        values["areas"] = corpus.areas.several(random, int(corpus.area_counts.one(random)))
        values["hardware"] = self._hardware()
        values["stability"] = corpus.stabilities.one(random)
        if values["kind"] in corpus.kinds:
            values["kind"] = corpus.kinds[values["kind"]].one(random)
        migration["visibility"] = list(random.choice(corpus.visibilities[migration["action"]]))
        if migration["action"] in _ALIKE_ACTIONS:
            migration["action"] = corpus.actions.one(random)

    def _hardware(self) -> list[str]:
        """Tags that a real record has; now and then a combination that none has. None covers another."""
        tags = list(self._random.choice(self._corpus.hardware_lists))
        while self._random.random() < _OTHER_HARDWARE:
            found = self._corpus.hardware.several(self._random, len(tags))
            if not any(above in found for one in found for above in self._library.ancestors(one)):
                return found
        return tags


def _mixed(templates: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Those of all releases side by side, so that a small library has some of each too."""
    counts = Counter(release for release, _ in templates)
    met: Counter[str] = Counter()
    places = []
    for release, _ in templates:
        places.append(met[release] / counts[release])
        met[release] += 1
    return [templates[at] for at in sorted(range(len(templates)), key=places.__getitem__)]


def synthetic_records(contents: Contents, size: int, seed: int) -> dict[str, Values]:
    """``size`` records by path below ``data/``."""
    library = library_of(contents)
    maker = _Maker(corpus_of(contents, library), library, Random(seed))  # noqa: S311  (repeatable, not secret)
    templates = _mixed([(read.folder, read.document.values) for read in contents.features])
    ids = maker.ids([read.id for read in contents.features], size)
    found = {}
    for at, own in enumerate(ids):
        folder, values = templates[at % len(templates)]
        found[f"features/{folder}/{own}.yaml"] = maker.record(own, ids, values)
    return found


def write_library(root: Path, target: Path, size: int, seed: int = 1) -> None:
    """Write a synthetic library of ``size`` features below ``target/data``, from the real one below ``root/data``."""
    contents = read_contents(root)
    if contents.problems:
        raise ValueError("The data has problems; run `torchnotes check` first.")
    features = {read.document.path for read in contents.features}
    for document in contents.documents:
        if document.path not in features:
            write_text(target / document.path, document.text)
    # It leads to real records, which are not there.
    write_text(target / "data" / "moved.yaml", "moved: []\n")
    write_text(target / "data" / "no-record.yaml", "no_record: []\n")
    write_text(target / SCHEMA_PATH, schema_text())
    # Wheels are real, and nothing of what is made up was compared with them.
    for path in (METADATA_PATH, COMPANIONS_PATH):
        write_text(target / path, (root / path).read_text(encoding="utf-8"))
    write_text(target / PROOFS_PATH, text_of(Proofs.empty()))
    for path, values in synthetic_records(contents, size, seed).items():
        write_text(target / "data" / path, formatted(Document(f"data/{path}", values, {}, "")))


def copy_library(root: Path, target: Path) -> None:
    """Copy the real library, to be measured in the same way."""
    shutil.copytree(root / "data", target / "data")

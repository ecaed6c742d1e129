"""Names that a wheel changed → the records that explain them, and those that no record explains.

Matches the identifiers that a record lists, never its prose: a name in a sentence may be there for comparison. A
change of one parameter is explained only by a record that also mentions the parameter.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from torchnotes.library import Entry, Library, by_urgency
from torchnotes.links import api_anchor
from torchnotes.model.api import ApiDiff, Change, Changed, ModuleNames
from torchnotes.terms import ApiChange

_HOMES = ("", "Tensor.", "nn.functional.", "ops.aten.", "_C._nn.")
_PREFIXES = ("linalg", "fft", "special", "sparse", "nested")
"""First parts of operators' names that are modules in Python: `linalg_qr` is `torch.linalg.qr`."""
_WORK = frozenset(
    {
        ApiChange.RAISES,
        ApiChange.DROPPED,
        ApiChange.RENAMED,
        ApiChange.INSERTED,
        ApiChange.MOVED,
        ApiChange.DEFAULT,
        ApiChange.REQUIRED,
        ApiChange.KEYWORD_ONLY,
        ApiChange.POSITIONAL_ONLY,
        ApiChange.SORT,
        ApiChange.VALUE,
    }
)
"""Changes that can break or silently alter somebody's code, and so deserve a record."""


class Explanations:
    """The identifiers that some records list."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        """Index the identifiers of ``entries``."""
        self._by_name: dict[str, list[Entry]] = {}
        for entry in by_urgency(entries):
            for written in (*entry.feature.symbols, *entry.feature.settings):
                # Settings are sometimes listed with the value to give.
                name = written.partition("=")[0].strip()
                same = self._by_name.setdefault(name, [])
                if entry not in same:
                    same.append(entry)
        self._by_leaf: dict[str, list[str]] = {}
        for name in self._by_name:
            self._by_leaf.setdefault(name.rpartition(".")[2], []).append(name)

    def of(self, name: str, defined: str | None = None, mentions: Iterable[str] = ()) -> tuple[Entry, ...]:
        """Records about a name, the closest kind of match alone, longest identifier first, then by urgency.

        Closest is the name itself, the place of its definition, or something below it; then the same name by another
        path; then the class that it belongs to. With ``mentions``, only records with one of these words.
        """
        words = [word for word in mentions if word]
        for names in (self._below(name, defined), self._by_another_path(name), self._above(name)):
            ordered = sorted(names, key=lambda one: (-len(one), one))
            found = dict.fromkeys(entry for one in ordered for entry in self._by_name[one])
            kept = [entry for entry in found if not words or any(mentioned(entry, word) for word in words)]
            if kept:
                return tuple(kept)
        return ()

    def of_operator(self, name: str) -> tuple[Entry, ...]:
        """Records about an ATen operator, by the names under which Python has it."""
        bare = name.partition("::")[2].partition(".")[0].rstrip("_")
        dotted = [f"torch.{home}{bare}" for home in _HOMES]
        dotted += [f"torch.{one}.{bare.removeprefix(f'{one}_')}" for one in _PREFIXES if bare.startswith(f"{one}_")]
        found = (entry for one in (*dotted, name) for entry in self._by_name.get(one, ()))
        return tuple(dict.fromkeys(found))

    def _below(self, name: str, defined: str | None) -> set[str]:
        own = {one for one in (name, defined) if one}
        return {one for one in self._by_name if one in own or any(one.startswith(f"{above}.") for above in own)}

    def _by_another_path(self, name: str) -> set[str]:
        """The same class, or member of one, as imported from elsewhere. Functions of one name are often different."""
        parts = name.split(".")
        if not any(part[:1].isupper() for part in parts):
            return set()
        return {other for other in self._by_leaf.get(parts[-1], ()) if _is_within(other.split("."), parts)}

    def _above(self, name: str) -> set[str]:
        """Classes that a member belongs to: a module says too little about what is in it."""
        parts = name.split(".")
        above = (parts[:length] for length in range(2, len(parts)))
        return {".".join(one) for one in above if one[-1][:1].isupper()} & self._by_name.keys()


def _is_within(one: list[str], other: list[str]) -> bool:
    """Whether the shorter path is the longer one with modules left out."""
    short, long = sorted((one, other), key=len)
    rest = iter(long)
    return short[:2] == long[:2] and all(part in rest for part in short)


def mentioned(entry: Entry, word: str) -> bool:
    """Whether a record has a word anywhere, as a whole."""
    texts = "\n".join(_texts(entry.feature.model_dump(mode="json")))
    return re.search(rf"(?<![\w]){re.escape(word)}(?![\w])", texts) is not None


def _texts(value: Any) -> Iterator[str]:
    """What a record says; the names of its fields are ours."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)


def words_of_change(change: Change) -> tuple[str, ...]:
    """Words of which a record must mention one to explain a change; none where the name itself is enough."""
    if change.parameter is None:
        return ()
    renamed = (change.now,) if change.kind is ApiChange.RENAMED and change.now else ()
    return (change.parameter.lstrip("*"), *renamed)


def names_of(diff: ApiDiff) -> tuple[str, ...]:
    """Every name that a comparison found and that a page can give an address of its own, each once; gravest first."""
    settings = (diff.variables, diff.flags)
    names = [
        *(name for group in diff.removed for name in dotted(group)),
        *(one.name for one in diff.changed),
        *(one.name for one in diff.unconfirmed),
        *(other.name for part in (diff.operators, *settings) for other in part.changed),
        *(schema.partition("(")[0] for schema in (*diff.operators.removed, *diff.operators.added)),
        *(name for part in settings for name in (*part.removed, *part.added)),
        *(one.name for one in diff.parameters),
        *(name for group in diff.added for name in dotted(group)),
    ]
    return tuple(name for name in dict.fromkeys(names) if api_anchor(name) == name)


def dotted(group: ModuleNames) -> tuple[str, ...]:
    """The whole names of one module; `*` stands for the module itself."""
    return tuple(group.module if name == "*" else f"{group.module}.{name}" for name in group.names)


def said(change: Change) -> str:
    """A change in words, with names and values between backticks."""
    parameter, was, now = (_code(one) for one in (change.parameter, change.was, change.now))
    match change.kind:
        case ApiChange.RAISES:
            return f"still there, and always raises {now}"
        case ApiChange.RENAMED:
            return f"parameter {parameter} is now {now}"
        case ApiChange.DROPPED:
            return f"parameter {parameter} is gone" + (f"; {change.now}" if change.now else "")
        case ApiChange.INSERTED:
            return f"parameter {parameter} was inserted as positional {change.now}"
        case ApiChange.MOVED:
            return f"positional arguments stand in another order: {was} became {now}"
        case ApiChange.DEFAULT:
            return f"default of {parameter} changed from {was} to {now}"
        case ApiChange.VALUE:
            return f"value changed from {was} to {now}"
        case ApiChange.REQUIRED if change.was:
            return f"parameter {parameter} has no default any more; it was {was}"
        case ApiChange.REQUIRED:
            return f"new parameter {parameter} must be given"
        case ApiChange.KEYWORD_ONLY:
            return f"parameter {parameter} can be passed by name only"
        case ApiChange.POSITIONAL_ONLY:
            return f"parameter {parameter} can be passed by position only"
        case ApiChange.SORT:
            return f"was {_article(change.was)}, and is {_article(change.now)} now"
        case ApiChange.BASE:
            return f"is no subclass of {was} any more"
    return change.kind.label


def _code(text: str | None) -> str:
    """Between backticks; a backtick inside would end them."""
    return f"`{text.replace('`', '’')}`" if text else ""


def _article(sort: str | None) -> str:
    word = sort or "thing"
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def unexplained(library: Library) -> Iterator[str]:
    """One line for each change that deserves a record and has none, by release, then in the order of the data.

    Changes that are left without a record on purpose are not among them.
    """
    for release_id, name, what in without_record(library):
        if (release_id, name) not in library.no_record:
            yield f"{release_id}: {name}: {what}"


def without_record(library: Library) -> Iterator[tuple[str, str, str]]:
    """Release, name and what happened to it, for each change that deserves a record and has none."""
    for release_id, diff in library.api.items():
        explanations = Explanations(library.of_release(release_id))
        for name, what in _changes(diff, explanations):
            yield release_id, name, what


def _changes(diff: ApiDiff, explanations: Explanations) -> Iterator[tuple[str, str]]:
    for name in (name for group in diff.removed for name in dotted(group)):
        if not explanations.of(name):
            yield name, "removed"
    for one in diff.changed:
        yield from _changed_lines(one, explanations)
    for schema in diff.operators.removed:
        operator = schema.partition("(")[0]
        if not explanations.of_operator(operator) and not operator.partition("::")[2].startswith("_"):
            yield operator, "operator removed"
    for what, part in (("environment variable", diff.variables), ("config flag", diff.flags)):
        for name in part.removed:
            if not explanations.of(name):
                yield name, f"{what} removed"
        for other in part.changed:
            if not explanations.of(other.name):
                yield other.name, f"default of the {what} changed from {other.was} to {other.now}"


def _changed_lines(one: Changed, explanations: Explanations) -> Iterator[tuple[str, str]]:
    for change in one.changes:
        if change.kind in _WORK and not explanations.of(one.name, one.defined, words_of_change(change)):
            yield one.name, said(change).replace("`", "")

"""What one release changed in the public API, as a page shows it: parts, rows, anchors, and links to records.

Finished values only; nothing here is markup. Which names changed is stored data, and which record explains one is
found by ``explained``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from torchnotes.explained import Explanations, dotted, said, words_of_change
from torchnotes.library import Entry, Library
from torchnotes.links import api_anchor, feature_path
from torchnotes.model.api import ApiDiff, Change, Differences
from torchnotes.pages.lists import Link
from torchnotes.terms import ApiChange

_GONE = frozenset({ApiChange.RAISES})
_DEFAULTS = frozenset({ApiChange.DEFAULT, ApiChange.VALUE})
_CALLS = frozenset(
    {
        ApiChange.RENAMED,
        ApiChange.DROPPED,
        ApiChange.INSERTED,
        ApiChange.MOVED,
        ApiChange.REQUIRED,
        ApiChange.KEYWORD_ONLY,
        ApiChange.POSITIONAL_ONLY,
    }
)
MOST_RECORDS = 3
"""Records that one row links to."""


@dataclass(frozen=True, slots=True)
class ApiRow:
    """One name with what became of it."""

    name: str
    anchor: str
    """Its id on the page: the name itself. Empty where that cannot be one, or when an earlier row has it."""
    notes: tuple[str, ...] = ()
    """What became of it, each as one-line text."""
    records: tuple[Link, ...] = ()
    """Records that explain it."""
    source: str = ""
    """Source text that belongs to it, such as a schema; empty for none."""


@dataclass(frozen=True, slots=True)
class ApiGroup:
    """Rows of one module or of one sort."""

    title: str
    rows: tuple[ApiRow, ...]
    is_folded: bool = False
    """Whether it opens on demand."""


@dataclass(frozen=True, slots=True)
class ApiPart:
    """A heading of the page with its groups."""

    title: str
    anchor: str
    intro: str
    none: str
    """What to say when there is no row."""
    groups: tuple[ApiGroup, ...]

    @property
    def count(self) -> int:
        """Rows in all its groups."""
        return sum(len(group.rows) for group in self.groups)


def api_parts(library: Library, release_id: str) -> tuple[ApiPart, ...]:
    """All parts of a release's page, gravest first. Raises ``KeyError`` for a release without stored result."""
    why = {name: text for (release, name), text in library.no_record.items() if release == release_id}
    return _Rows(library.api[release_id], Explanations(library.of_release(release_id)), why).parts()


@dataclass(slots=True)
class _Rows:
    """Makes rows, and gives each name its anchor once, in the order of the page."""

    diff: ApiDiff
    explanations: Explanations
    no_record: Mapping[str, str]
    """Name → why it has no record."""
    used: set[str] = field(default_factory=set)

    def parts(self) -> tuple[ApiPart, ...]:
        diff = self.diff
        removed = [
            self._row(name, ("removed",), self.explanations.of(name))
            for group in diff.removed
            for name in dotted(group)
        ]
        return (
            ApiPart(
                "Removed, or always an error",
                "removed",
                "Removed is what two readings of the wheels agree on: the name stands no longer in its module, and no "
                "import, alias or lazy module leads to it. Always an error: the name is still there, and each call raises.",
                "No public name was found to be gone.",
                _by_package([*removed, *self._changed(_GONE)]),
            ),
            ApiPart(
                "Defaults changed",
                "defaults",
                "The same call does something else. Defaults of settings stand below, under settings.",
                "No default of a parameter of a public name was found to differ.",
                _by_package(self._changed(_DEFAULTS)),
            ),
            ApiPart(
                "Parameters renamed, moved or gone",
                "parameters",
                "",
                "None was found.",
                _by_package(self._changed(_CALLS)),
            ),
            ApiPart(
                "Changed otherwise",
                "otherwise",
                "",
                "None was found.",
                _by_package(self._changed(frozenset(ApiChange) - _GONE - _DEFAULTS - _CALLS)),
            ),
            ApiPart(
                "Perhaps removed",
                "unconfirmed",
                "One reading misses the name and the other cannot tell. It needs a look before anybody relies on it.",
                "None: the two readings agree on every name.",
                _by_package(
                    [self._row(one.name, (one.reason,), self.explanations.of(one.name)) for one in diff.unconfirmed]
                ),
            ),
            self._operators(),
            self._settings(),
            ApiPart(
                "Entry points",
                "entry-points",
                "What the wheel announces to other packages.",
                "None was added, removed or changed.",
                self._listed(diff.entry_points),
            ),
            ApiPart(
                "Requirements",
                "requirements",
                "What the wheel's metadata asks for.",
                "None was added, removed or changed.",
                self._listed(diff.requirements),
            ),
            ApiPart(
                "New parameters",
                "new-parameters",
                "With a default, behind the others or by name only: old calls keep their meaning.",
                "None was found.",
                _by_package(
                    [
                        self._row(
                            one.name,
                            tuple(_code(parameter) for parameter in one.parameters),
                            self.explanations.of(one.name, None, [_before(one, "=") for one in one.parameters]),
                        )
                        for one in diff.parameters
                    ]
                ),
            ),
            ApiPart(
                "New names",
                "new-names",
                "",
                "None was found.",
                tuple(
                    ApiGroup(
                        group.module,
                        tuple(self._row(name, (), self.explanations.of(name)) for name in dotted(group)),
                        is_folded=True,
                    )
                    for group in diff.added
                ),
            ),
        )

    def _row(self, name: str, notes: Iterable[str], entries: Sequence[Entry], source: str = "") -> ApiRow:
        # What is no name, such as a requirement, makes no address that anybody could guess.
        anchor = name if api_anchor(name) == name and name not in self.used else ""
        self.used.add(anchor)
        records = tuple(Link(one.feature.title, feature_path(one.id)) for one in entries[:MOST_RECORDS])
        why = self.no_record.get(name, "") if not records else ""
        return ApiRow(name, anchor, (*notes, *([f"no record: {why}"] if why else [])), records, source)

    def _changed(self, kinds: frozenset[ApiChange]) -> list[ApiRow]:
        rows = []
        for one in self.diff.changed:
            changes = [change for change in one.changes if change.kind in kinds]
            if changes:
                found = self._records(one.name, one.defined, changes)
                rows.append(self._row(one.name, (said(change) for change in changes), found))
        return rows

    def _records(self, name: str, defined: str | None, changes: Iterable[Change]) -> tuple[Entry, ...]:
        found = (entry for one in changes for entry in self.explanations.of(name, defined, words_of_change(one)))
        return tuple(dict.fromkeys(found))

    def _operators(self) -> ApiPart:
        part = self.diff.operators
        groups = []
        for title, schemas in (("Removed", part.removed), ("Added", part.added)):
            rows = [self._operator(schema) for schema in schemas]
            groups += _split(title, rows)
        changed = [
            self._row(
                one.name, (f"was {_code(one.was)}", f"is {_code(one.now)}"), self.explanations.of_operator(one.name)
            )
            for one in part.changed
        ]
        return ApiPart(
            "Operators",
            "operators",
            "ATen operators that the headers declare. What begins with an underscore is PyTorch's own.",
            "No operator was added, removed or changed.",
            (*groups, *_split("Schema changed", changed)),
        )

    def _operator(self, schema: str) -> ApiRow:
        name = schema.partition("(")[0]
        return self._row(name, (), self.explanations.of_operator(name), schema)

    def _settings(self) -> ApiPart:
        groups: list[ApiGroup] = []
        for what, part in (("Environment variables", self.diff.variables), ("Config flags", self.diff.flags)):
            groups += self._listed(part, f"{what}: ")
        return ApiPart(
            "Settings",
            "settings",
            "Environment variables that Python files and headers read, and flags of config modules.",
            "None was added, removed or changed.",
            tuple(groups),
        )

    def _listed(self, part: Differences, prefix: str = "") -> tuple[ApiGroup, ...]:
        groups = [
            ApiGroup(
                f"{prefix}{title}" if prefix else title.capitalize(),
                tuple(self._row(name, (), self.explanations.of(name)) for name in names),
                is_folded=title == "added" and len(names) > MOST_OPEN,
            )
            for title, names in (("removed", part.removed), ("added", part.added))
            if names
        ]
        changed = tuple(
            self._row(one.name, (f"from {_code(one.was)} to {_code(one.now)}",), self.explanations.of(one.name))
            for one in part.changed
        )
        if changed:
            groups.insert(
                min(1, len(groups)) if part.removed else 0,
                ApiGroup(f"{prefix}changed" if prefix else "Changed", changed),
            )
        return tuple(groups)


MOST_OPEN = 12
"""Rows of an addition that stand open; more open on demand."""


def _code(text: str) -> str:
    return f"`{text.replace('`', '’')}`"


def _before(text: str, mark: str) -> str:
    return text.partition(mark)[0]


def _by_package(rows: Iterable[ApiRow]) -> tuple[ApiGroup, ...]:
    """Rows by the first two parts of their names: the part of PyTorch that people know."""
    groups: dict[str, list[ApiRow]] = {}
    for row in rows:
        parts = row.name.split(".")
        top = ".".join(parts[:2]) if len(parts) > 2 and parts[1].islower() else parts[0]  # noqa: PLR2004
        groups.setdefault(top, []).append(row)
    return tuple(ApiGroup(title, tuple(found)) for title, found in sorted(groups.items()))


def _split(title: str, rows: Iterable[ApiRow]) -> list[ApiGroup]:
    """Public operators open, internal ones folded."""
    ours = [row for row in rows if not row.name.partition("::")[2].startswith("_")]
    internal = [row for row in rows if row not in ours]
    groups = [ApiGroup(title, tuple(ours))] if ours else []
    return [*groups, ApiGroup(f"{title}, internal", tuple(internal), is_folded=True)] if internal else groups

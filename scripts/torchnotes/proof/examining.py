"""Whether one wheel shows what one evidence entry says, and what it shows instead.

A wheel is read, never run. What cannot be told from reading is not taken for an answer: it is a failure that says so.
"""

import ast
import difflib
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache, partial

from packaging.requirements import InvalidRequirement, Requirement

from torchnotes.model.evidence import (
    EntryPointEvidence,
    Evidence,
    ExportEvidence,
    FileEvidence,
    OperatorEvidence,
    RequirementEvidence,
    SettingEvidence,
    SymbolEvidence,
    TagEvidence,
    TextEvidence,
)
from torchnotes.terms import EvidenceKind, TagPart
from torchnotes.wheel.archive import Archive, WheelError
from torchnotes.wheel.exports import Answer, Exports
from torchnotes.wheel.metadata import entry_points, requirements, requires_python, tags
from torchnotes.wheel.operators import operators
from torchnotes.wheel.settings import Setting, config_flags, environment_variables, unread_files
from torchnotes.wheel.syntax import Definition, definitions

_LIBRARY = re.compile(r"\.(dylib|dll|pyd|so(\.[0-9]+)*)$")
_QUOTED = 160
"""Characters of a line that a message quotes."""
_COMPARED_LINES = 20_000
"""Lines of a file among which the most alike is looked for."""


Words = str | Callable[[], str]
"""A sentence's second half, without a full stop; made only when somebody reads it, since likeness is slow to find."""


class Found:
    """What a wheel shows of one entry: whether it is there, with which values, and a sentence about it."""

    __slots__ = ("_said", "is_elsewhere", "is_there", "values")

    def __init__(self, said: Words, *, is_there: bool, values: Iterable[str] = (), is_elsewhere: bool = False) -> None:
        """Keep the answer. ``is_elsewhere``: the file itself is missing, so that nothing can be in it."""
        self._said = said
        self.is_elsewhere = is_elsewhere
        self.is_there = is_there
        self.values = tuple(values)

    @property
    def said(self) -> str:
        """What was found, in words."""
        return self._said if isinstance(self._said, str) else self._said()


class UnclearError(Exception):
    """The wheel can be read, but reading does not answer the question."""


class Reader:
    """A wheel with everything about it that is costly to find out, found once."""

    def __init__(self, archive: Archive, version: str) -> None:
        """Read ``archive``, which has ``version``."""
        self.archive = archive
        self._version = version
        self._needles: Mapping[str, frozenset[bytes]] = {}
        self._definitions: dict[str, Mapping[str, tuple[Definition, ...]]] = {}

    def expect(self, entries: Iterable[Evidence]) -> None:
        """Look for the text of all ``entries`` at once: libraries are large, and are read a single time."""
        wanted: dict[str, set[bytes]] = defaultdict(set)
        for one in entries:
            if isinstance(one, TextEvidence):
                wanted[self.file_of(one.file)].add(one.needle.encode())
            elif isinstance(one, SettingEvidence) and self._version in one.absent_in and "." not in one.name:
                for library in self._libraries:
                    wanted[library].add(one.name.encode())
        self._needles = {
            file: self.archive.which(file, needles) for file, needles in wanted.items() if self.archive.has(file)
        }

    def file_of(self, written: str) -> str:
        """Path inside the wheel, with the version in its place."""
        return written.replace("{version}", self._version)

    def has_text(self, file: str, needle: bytes) -> bool:
        """Whether a file that is there holds the bytes."""
        if file not in self._needles:
            return needle in self.archive.which(file, {needle})
        return needle in self._needles[file]

    @cached_property
    def _libraries(self) -> tuple[str, ...]:
        return tuple(sorted(name for name in self.archive.names if _LIBRARY.search(name)))

    def library_with(self, name: str) -> str | None:
        """A compiled library that holds the name of an environment variable; None for a dotted name."""
        if "." in name:
            return None
        return next((one for one in self._libraries if self.has_text(one, name.encode())), None)

    def definitions(self, file: str) -> Mapping[str, tuple[Definition, ...]]:
        """What a Python file defines, by qualified name."""
        if file not in self._definitions:
            try:
                self._definitions[file] = _definitions_of(self.archive.text(file))
            except WheelError as error:
                raise UnclearError(f"{file}: {error.what}") from None
        return self._definitions[file]

    @cached_property
    def exports(self) -> Exports:
        """The resolver of public names."""
        return Exports(self.archive)

    @cached_property
    def operators(self) -> Mapping[str, str]:
        """Schema of each operator."""
        return operators(self.archive)

    @cached_property
    def settings(self) -> Mapping[str, Setting]:
        """Environment variables and config flags by name."""
        return {**environment_variables(self.archive), **config_flags(self.archive)}

    @cached_property
    def unread(self) -> Mapping[str, bytes]:
        """Files that could hold settings and cannot be read."""
        return unread_files(self.archive)

    @cached_property
    def requirements(self) -> tuple[Requirement, ...]:
        """Requirements of its metadata."""
        return requirements(self.archive)


# Most files are the same in the wheels of neighbouring versions and of other platforms.
_definitions_of = lru_cache(maxsize=512)(definitions)


def complaint(entry: Evidence, version: str, reader: Reader) -> str | None:
    """What the wheel shows instead of what ``entry`` says of ``version``; None when it shows just that."""
    try:
        found = _find(entry, reader)
    except UnclearError as unclear:
        return f"Reading cannot tell: {unclear}."
    except WheelError as error:
        return f"Reading cannot tell: {error.what}."
    except RecursionError:
        return "Reading cannot tell: what it needs is nested too deep."
    if found.is_elsewhere and entry.is_absence:
        return f"Its absence says nothing: {found.said}."
    if values := entry.values_in(version):
        return _compare(values, found, entry)
    if version in entry.present_in:
        return None if found.is_there else f"Not found: {found.said}."
    return f"Found: {found.said}." if found.is_there else None


def _compare(wanted: Sequence[str], found: Found, entry: Evidence) -> str | None:
    if not found.is_there:
        return f"Not found: {found.said}."
    normal = _NORMAL.get(type(entry), str.strip)
    if any(normal(value) in {normal(one) for one in _variants(found, value, entry)} for value in wanted):
        return None
    shown = " or ".join(f"'{_short(one)}'" for one in found.values) or "none"
    return f"Another value: {shown}, {found.said}."


def _variants(found: Found, wanted: str, entry: Evidence) -> Iterable[str]:
    """Values found; of a requirement without its marker, where the entry names none."""
    if not isinstance(entry, RequirementEvidence) or ";" in wanted:
        return found.values
    return (one.partition(";")[0] for one in found.values)


def _find(entry: Evidence, reader: Reader) -> Found:
    match entry:
        case FileEvidence():
            return _file(entry, reader)
        case TextEvidence():
            return _text(entry, reader)
        case SymbolEvidence():
            return _symbol(entry, reader)
        case ExportEvidence():
            return _export(entry, reader)
        case EntryPointEvidence():
            return _entry_point(entry, reader)
        case RequirementEvidence():
            return _requirement(entry, reader)
        case OperatorEvidence():
            return _operator(entry, reader)
        case SettingEvidence():
            return _setting(entry, reader)
        case TagEvidence():
            return _tag(entry, reader)


def _file(entry: FileEvidence, reader: Reader) -> Found:
    file = reader.file_of(entry.file)
    if reader.archive.has(file):
        return Found(f"{file} is in the wheel", is_there=True)
    return Found(partial(_without_file, file, reader), is_there=False)


def _no_file(file: str, reader: Reader) -> Found:
    return Found(partial(_without_file, file, reader), is_there=False, is_elsewhere=True)


def _without_file(file: str, reader: Reader) -> str:
    nearest = reader.archive.nearest(file)
    return f"no file {file} in the wheel" + (f"; the nearest is {nearest}" if nearest else "")


def _text(entry: TextEvidence, reader: Reader) -> Found:
    file = reader.file_of(entry.file)
    if not reader.archive.has(file):
        return _no_file(file, reader)
    if reader.has_text(file, entry.needle.encode()):
        return Found(f"{file} holds '{_short(entry.needle)}'", is_there=True)
    said = f"{file} does not hold '{_short(entry.needle)}'"
    return Found(lambda: said + _nearest_line(entry, reader), is_there=False)


def _nearest_line(entry: TextEvidence, reader: Reader) -> str:
    if entry.kind is EvidenceKind.BINARY_STRING:
        return ""
    lines = reader.archive.text(reader.file_of(entry.file)).splitlines()[:_COMPARED_LINES]
    words = [word for word in entry.needle.split() if word]
    # Comparing every line letter by letter would take minutes; most lines share no word with the needle.
    likely = [line for line in lines if any(word in line for word in words)] or lines[:2_000]
    nearest = difflib.get_close_matches(entry.needle, [line.strip() for line in likely], n=1, cutoff=0.5)
    if not nearest:
        return ""
    number = next(at for at, line in enumerate(lines, 1) if line.strip() == nearest[0])
    return f"; the nearest is line {number}: {_short(nearest[0])}"


def _symbol(entry: SymbolEvidence, reader: Reader) -> Found:
    file = reader.file_of(entry.file)
    if not reader.archive.has(file):
        return _no_file(file, reader)
    defined = reader.definitions(file)
    found = _running(defined.get(entry.name, ()))
    if not found:
        said = partial(_without_definition, entry.name, file, defined)
        # A parameter of nothing is not absent: nobody could say of which function.
        return Found(said, is_there=False, is_elsewhere=entry.parameter is not None)
    place = f"{file} line {found[0].line}"
    if entry.parameter is None:
        return Found(
            f"{place} defines {entry.name}", is_there=True, values=_one_of(entry, [one.value for one in found])
        )
    given = [one for definition in found for one in definition.parameters if one.name == entry.parameter]
    if not given:
        names = {one.name for definition in found for one in definition.parameters}
        said_of = f"{entry.name} in {place} takes no {entry.parameter}{_nearest(entry.parameter, names)}"
        return Found(said_of, is_there=False)
    values = _one_of(entry, [one.default for one in given])
    return Found(f"{entry.name} in {place} takes {entry.parameter}", is_there=True, values=values)


def _without_definition(name: str, file: str, defined: Collection[str]) -> str:
    return f"{file} does not define {name}{_nearest(name, defined)}"


def _running(found: Sequence[Definition]) -> list[Definition]:
    """Definitions that exist when code runs: overloads only where nothing else is there, as in stubs."""
    real = [one for one in found if not one.is_type_checking]
    return [one for one in real if not one.is_overload] or real


def _one_of(entry: SymbolEvidence, values: Iterable[str | None]) -> list[str]:
    """The values; refused where the entry names one and there are several, of which only running decides."""
    found = list(dict.fromkeys(value for value in values if value is not None))
    if entry.values and len(found) > 1:
        raise UnclearError(f"{entry.name} is {' or '.join(map(_short, found))}, which only running decides")
    return found


def _export(entry: ExportEvidence, reader: Reader) -> Found:
    found = reader.exports.find(entry.name)
    if found.answer is Answer.UNKNOWN:
        raise UnclearError(f"{entry.name}: {found.how.rstrip('.')}")
    where = f" ({found.where})" if found.where else ""
    if found.answer is Answer.YES:
        return Found(f"{entry.name} can be reached{where}", is_there=True)
    nearest = f"; the nearest is {found.nearest}" if found.nearest else ""
    return Found(f"{entry.name} cannot be reached: {found.how.rstrip('.')}{nearest}", is_there=False)


def _entry_point(entry: EntryPointEvidence, reader: Reader) -> Found:
    points = entry_points(reader.archive)
    groups = {group for group, _ in points}
    if entry.group not in groups:
        return Found(f"no group {entry.group}{_nearest(entry.group, groups)}", is_there=False)
    if entry.name is None:
        return Found(f"there is a group {entry.group}", is_there=True)
    names = {name for group, name in points if group == entry.group}
    if entry.name not in names:
        said = f"the group {entry.group} has no {entry.name}{_nearest(entry.name, names)}"
        return Found(said, is_there=False)
    target = points[entry.group, entry.name]
    return Found(f"{entry.name} in {entry.group} leads to {target}", is_there=True, values=[target])


def _requirement(entry: RequirementEvidence, reader: Reader) -> Found:
    if entry.name == "python":
        value = requires_python(reader.archive)
        said = f"the metadata says Requires-Python: {value}" if value else "the metadata names no Python"
        return Found(said, is_there=bool(value), values=[value] if value else [])
    named = [one for one in reader.requirements if _pip_name(one.name) == entry.name]
    if not named:
        names = {_pip_name(one.name) for one in reader.requirements}
        return Found(f"the metadata does not require {entry.name}{_nearest(entry.name, names)}", is_there=False)
    values = [f"{one.specifier}; {one.marker}" if one.marker else str(one.specifier) for one in named]
    return Found(f"the metadata requires {'; '.join(map(str, named))}", is_there=True, values=values)


def _operator(entry: OperatorEvidence, reader: Reader) -> Found:
    if not reader.operators:
        return Found("the wheel has no headers of operators", is_there=False, is_elsewhere=True)
    schema = reader.operators.get(entry.name)
    if schema is None:
        base = _base_of(entry.name)
        header = f"torch/include/ATen/ops/{base}_ops.h"
        if reader.archive.has(header) and base not in map(_base_of, reader.operators):
            raise UnclearError(f"{header} is there and declares no schema that can be read")
        return Found(lambda: f"no operator {entry.name}{_nearest(entry.name, reader.operators)}", is_there=False)
    return Found(f"the headers declare {schema}", is_there=True, values=[schema])


def _base_of(operator: str) -> str:
    """Name of an operator without its namespace and its overload."""
    return operator.partition("::")[2].partition(".")[0]


def _setting(entry: SettingEvidence, reader: Reader) -> Found:
    setting = reader.settings.get(entry.name)
    if setting is None:
        leaf = entry.name.rpartition(".")[2].encode()
        if file := next((path for path, data in reader.unread.items() if leaf in data), None):
            raise UnclearError(f"{file} holds the word and cannot be read as Python")
        if library := reader.library_with(entry.name):
            raise UnclearError(f"no Python file or header reads {entry.name}, but {library} holds the word")
        return Found(lambda: f"nothing reads {entry.name}{_nearest(entry.name, reader.settings)}", is_there=False)
    values = [setting.default] if setting.default is not None else []
    return Found(f"{entry.name} is read in {setting.where[0]}", is_there=True, values=values)


def _tag(entry: TagEvidence, reader: Reader) -> Found:
    name = reader.archive.path.name
    found = tags(name)
    value = {
        TagPart.PYTHON: found.python,
        TagPart.ABI: found.abi,
        TagPart.PLATFORM: ".".join(found.platforms),
    }[entry.part]
    return Found(f"the file is {name}", is_there=True, values=[value])


def _nearest(name: str, names: Collection[str]) -> str:
    nearest = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    return f"; the nearest is {nearest[0]}" if nearest else ""


def _pip_name(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _QUOTED else flat[: _QUOTED - 1] + "…"


def _as_expression(text: str) -> str:
    try:
        return ast.unparse(ast.parse(text, mode="eval"))
    except (SyntaxError, ValueError):
        return text.strip()


def _as_specifier(text: str) -> str:
    try:
        one = Requirement(f"x {text.strip()}")
    except InvalidRequirement:
        return text.strip()
    return f"{one.specifier};{one.marker or ''}"


def _as_schema(text: str) -> str:
    return "".join(text.split())


_NORMAL = {
    SymbolEvidence: _as_expression,
    SettingEvidence: _as_expression,
    RequirementEvidence: _as_specifier,
    OperatorEvidence: _as_schema,
}
"""How two ways to write one value become the same text."""

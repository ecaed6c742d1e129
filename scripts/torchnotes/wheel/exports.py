"""A dotted name → whether a wheel has it, read from its Python alone.

Follows imports, stubs of compiled modules, classes and their bases, tables of lazy names, and loops that fill a module.
Answers ``unknown`` where only running the code would tell; never guesses, and runs none of it.
"""

import ast
import builtins
import difflib
import importlib
import re
import sys
import types
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Literal

from torchnotes.wheel.archive import MOST_READ, Archive, WheelError
from torchnotes.wheel.evaluating import Effects, Evaluator, Member, Unsure, UnsureKind
from torchnotes.wheel.scopes import (
    Bound,
    Class,
    Deleted,
    Event,
    Function,
    Import,
    Scope,
    Star,
    Steps,
    Value,
    dotted,
    scope_of,
)
from torchnotes.wheel.syntax import is_package, module_of

__all__ = ["Answer", "Export", "Exports"]

_READ_HERE = frozenset(
    [
        "abc",
        "argparse",
        "ast",
        "builtins",
        "collections",
        "collections.abc",
        "concurrent.futures",
        "contextlib",
        "dataclasses",
        "datetime",
        "enum",
        "functools",
        "io",
        "json",
        "logging",
        "math",
        "multiprocessing",
        "numbers",
        "operator",
        "os",
        "pathlib",
        "pickle",
        "queue",
        "string",
        "sys",
        "threading",
        "types",
        "typing",
        "unittest",
        "warnings",
        "weakref",
    ]
)
"""Modules of Python itself whose classes may be asked for their attributes: their imports do nothing else."""
_FIELDS_ARE_NAMES = frozenset({"NamedTuple", "TypedDict", "Protocol"})
_ENUMERATIONS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
_MAKES_FIELDS = frozenset({"dataclass", "dataclass_transform", "define", "frozen"})
_MAKES_TUPLES = frozenset({"namedtuple", "NamedTuple"})
_OF_MODULES = frozenset(
    [
        *dir(types.ModuleType),
        "__name__",
        "__file__",
        "__package__",
        "__loader__",
        "__spec__",
        "__builtins__",
        "__cached__",
    ]
)
_OF_FUNCTIONS = frozenset(dir(ast.parse))
_TENSOR_TYPES = re.compile(r"(BFloat16|Bool|Byte|Char|Double|Float|Half|Int|Long|Short)Tensor")
_HAS_TENSOR_TYPES = frozenset({"torch.cuda", "torch.sparse", "torch.cuda.sparse", "torch.xpu", "torch.xpu.sparse"})
"""Modules into which compiled code puts the old tensor types."""
_WHOLE_STUB = "_VariableFunctions"
"""The stub that is generated from the same list as the code, so that nothing is left out."""
_TYPES = re.compile(r"(u?int|bits|q?u?int|float|bfloat|complex)[0-9]+(x[0-9]+)?(_\w+)?|bit")
_PIECE = 1024**2
_LONGEST_WORD = 100
_ENDS_OF_WORDS = frozenset(bytes([one]) for one in b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_LONGEST_CHAIN = 60
"""Names that may lead one to the other before nobody follows them: each takes several frames of Python's stack."""
_DEEPEST = 60
"""Steps from one name to the next. Real chains have under ten."""
_LIBRARIES = ("torch/lib/libtorch_python.dylib", "torch/lib/libtorch_python.so", "torch/lib/torch_python.dll")


class Answer(StrEnum):
    """Whether a name is there."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Export:
    """What is known about a dotted name."""

    answer: Answer
    """Whether it can be reached by import and attribute access."""
    where: str | None
    """``torch/x.py:12`` where it gets its meaning: the definition, or the nearest to it that can be followed."""
    how: str
    """One short sentence."""
    nearest: str | None = None
    """The most alike name that is there, when this one is not."""
    file: str | None = None
    """The file of the definition, for ``syntax.definitions``; None when there is none."""
    qualified: str | None = None
    """Its qualified name in that file; None when there is none."""
    raises: str | None = None
    """Class of the error, when it is a function that can do nothing but raise it: it is there, but gone for use."""
    condition: str | None = None
    """What the statement that gives it stands below, when not every machine runs it."""


_Sort = Literal["module", "class", "object", "function", "value", "outside"]


@dataclass(frozen=True, slots=True)
class _Found:
    """One thing that a name may stand for."""

    sort: _Sort
    where: str | None
    words: str
    """What it is, for a sentence."""
    module: str = ""
    """Of a module, or of something outside the wheel: its dotted name."""
    scope: Scope | None = None
    """Of a class, or of the class of an object."""
    file: str | None = None
    qualified: str | None = None
    raises: str | None = None
    condition: str | None = None
    doubt: str | None = None
    """Why it may not be there; None when it is."""
    is_loose: bool = False
    """Whether it may have attributes that are not seen."""


class Exports:
    """The names of one wheel. Reads a file when a name first leads to it, and keeps only a light record of it."""

    def __init__(self, archive: Archive) -> None:
        """Take a wheel, which must stay open."""
        self._archive = archive
        self._scopes: dict[str, Scope | None] = {}
        self._known: dict[tuple[str, str, str], tuple[_Found, ...]] = {}
        self._asked: set[tuple[str, str, str]] = set()
        self._tentative: dict[tuple[str, str, str], tuple[_Found, ...]] = {}
        self._reused = 0
        self._cycles = 0
        self._effects: dict[tuple[str, str, int], Effects] = {}
        self._running: set[tuple[str, str, int]] = set()
        self._lists: dict[str, tuple[frozenset[str], bool] | None] = {}
        self._listing: set[str] = set()
        self._depth = 0
        self._words: dict[tuple[str, bool], bool] = {}

    def find(self, dotted_name: str) -> Export:
        """Whether ``torch.a.b.c`` can be reached with ``import torch`` or ``import torch.a.b`` and attribute access.

        The machine is one without an accelerator. Raises ``ValueError`` for what is no dotted name.
        """
        parts = dotted_name.split(".")
        if not all(part.isidentifier() for part in parts):
            raise ValueError(f"{dotted_name!r} is no dotted name")
        if not self._is_module(parts[0]):
            return Export(Answer.NO, None, f"The wheel has no module {parts[0]}.")
        best = self._best(self._walk([self._module(parts[0])], parts[1:]))
        if best is None:
            return self._missing(parts)
        return _export(best)

    def names(self, dotted_name: str) -> frozenset[str]:
        """Names that a module or a class surely or possibly has, as far as they are listed; empty for anything else."""
        parts = dotted_name.split(".")
        found = self._walk([self._module(parts[0])], parts[1:]) if self._is_module(parts[0]) else []
        return frozenset(name for one in found for name in self._names(one))

    # From one part of a name to the next.

    def _walk(self, things: Iterable[_Found], rest: Sequence[str]) -> list[_Found]:
        here = list(things)
        for part in rest:
            after: list[_Found] = []
            for one in here:
                for found in self._attribute(one, part):
                    doubt = found.doubt or one.doubt
                    condition = found.condition or one.condition
                    after.append(replace(found, doubt=doubt, condition=condition))
            here = _without_repeats(after)
        return here

    def _best(self, found: Sequence[_Found]) -> _Found | None:
        sure = [one for one in found if one.doubt is None]
        return next(iter(sure or found), None)

    def _attribute(self, thing: _Found, name: str) -> list[_Found]:
        if self._depth > _DEEPEST:
            self._cycles += 1
            return [_doubtful("it leads too far to be followed")]
        self._depth += 1
        try:
            match thing.sort:
                case "module":
                    return self._of_module(thing.module, name)
                case "class" if thing.scope:
                    return self._of_class(thing.scope, name)
                case "object" if thing.scope:
                    return self._of_object(thing.scope, name)
                case "function":
                    return self._of_function(thing, name)
                case "outside":
                    return _of_outside(thing.module, name)
        finally:
            self._depth -= 1
        return [_doubtful(f"it would be an attribute of {thing.words}, which is not read", thing.where)]

    def _of_function(self, thing: _Found, name: str) -> list[_Found]:
        if name in _OF_FUNCTIONS:
            return [_Found("value", thing.where, "an attribute of every function")]
        return [_doubtful("it would be an attribute that a decorator sets", thing.where)] if thing.is_loose else []

    # Modules.

    def _is_module(self, module: str) -> bool:
        return module in self._modules

    @cached_property
    def _modules(self) -> dict[str, str | None]:
        """Each module of the wheel and its file: the source, else the stub of compiled code, else a bare folder."""
        found: dict[str, str | None] = {}
        for path in self._archive.python_files():
            module = module_of(path)
            # Sorted names put the source before its stub.
            found.setdefault(module, path)
            while "." in module:
                module = module.rpartition(".")[0]
                found.setdefault(module, None)
        for path, suffix in ((path, ".so") for path in self._archive.names if path.endswith((".so", ".pyd"))):
            module = path.removesuffix(suffix).partition(".")[0].replace("/", ".")
            found.setdefault(module, None)
        # A folder comes before its own file in the sorted names.
        for path in self._archive.python_files():
            module = module_of(path)
            if found[module] is None:
                found[module] = path
        return found

    def _module(self, module: str) -> _Found:
        path = self._modules.get(module)
        return _Found("module", f"{path}:1" if path else None, "a module", module=module, file=path)

    def _scope(self, path: str, module: str) -> Scope | None:
        if path not in self._scopes:
            try:
                self._scopes[path] = scope_of(self._archive.text(path), module, path)
            except WheelError:
                self._scopes[path] = None
        return self._scopes[path]

    def _scope_of_module(self, module: str) -> Scope | None:
        path = self._modules.get(module)
        return self._scope(path, module) if path else None

    def _of_module(self, module: str, name: str) -> list[_Found]:
        """What an attribute of a module may be. A submodule of the name comes last: a binding hides it."""
        path = self._modules.get(module)
        scope = self._scope_of_module(module)
        submodule = [self._module(f"{module}.{name}")] if self._is_module(f"{module}.{name}") else []
        if scope is None:
            return submodule or ([_doubtful("its module cannot be read", path)] if path else [])
        found = [*self._look_up(scope, name)]
        found += self._of_replacement(scope, name)
        if not _has_sure(found) and not submodule:
            found += self._lazy(scope, name)
            found += self._late(scope, name)
        if not _has_sure(found) and (name in _OF_MODULES or (name == "__path__" and is_package(scope.path))):
            found.append(_Found("value", f"{scope.path}:1", "an attribute of every module"))
        if found and not _has_sure(found) and not submodule:
            found = self._of_stub_beside(scope, name) or found
        if not found and not submodule:
            found = self._of_compiled(scope, name)
        if submodule:
            # A submodule is there for sure, so what is in doubt adds nothing.
            found = [one for one in found if one.doubt is None]
        return _without_repeats([*found, *submodule])

    def _of_replacement(self, scope: Scope, name: str) -> list[_Found]:
        """The attributes of an object that a module puts in its own place."""
        if scope.replaced_by is None:
            return []
        found: list[_Found] = []
        for one in self._of_expression(scope, scope.replaced_by, "replaces its module", scope.line):
            if one.sort == "object" and one.scope:
                found += self._of_object(one.scope, name, behind=scope)
            else:
                found.append(_doubtful("its module replaces itself by something that is not read", one.where))
        return found

    def _of_compiled(self, scope: Scope, name: str) -> list[_Found]:
        """What compiled code may have although its stub does not say so: a name that stands in the library."""
        if scope.module in _HAS_TENSOR_TYPES and _TENSOR_TYPES.fullmatch(name):
            return [_doubtful("compiled code may set this old tensor type")]
        if scope.module == "torch._C" and not scope.name and _TYPES.fullmatch(name):
            return [_doubtful("compiled code may set this dtype")]
        own = (scope.name or scope.module).rpartition(".")[2]
        if scope.is_stub and own != _WHOLE_STUB and self._in_library(name, is_whole=own == "TensorBase"):
            return [_doubtful("its stub does not declare it, but the compiled library holds the word", scope.path)]
        return []

    def _of_stub_beside(self, scope: Scope, name: str) -> list[_Found]:
        """What the stub beside a source declares: for names that the source computes."""
        path = f"{scope.path}i"
        if scope.is_stub or not self._archive.has(path):
            return []
        stub = self._scope(path, scope.module)
        return [] if stub is None else [one for one in self._look_up(stub, name) if one.doubt is None]

    def _late(self, scope: Scope, name: str) -> list[_Found]:
        """What only a function sets."""
        if name in scope.set_later:
            return [_doubtful("only a function sets it, when it runs", f"{scope.path}:{scope.set_later[name]}")]
        if scope.computed:
            return [_doubtful("a function of its module sets names that it computes", f"{scope.path}:{scope.computed}")]
        return []

    def _lazy(self, scope: Scope, name: str) -> list[_Found]:
        """What a module's own ``__getattr__`` answers with."""
        if scope.get_missing is None:
            return []
        where = f"{scope.path}:{scope.get_missing.lineno}"
        answered = self._evaluator(scope).answers(scope.get_missing, name)
        if isinstance(answered, Member):
            found = self._walk(self._resolve(scope, answered.of), [answered.name])
            return found or [_doubtful("a __getattr__ asks something else for it", where)]
        match answered:
            case True:
                return [_Found("value", where, "a name that __getattr__ of its module answers for", is_loose=True)]
            case False:
                return []
        return [_doubtful("a __getattr__ of its module may answer for it", where)]

    # Names in one scope.

    def _look_up(self, scope: Scope, name: str) -> tuple[_Found, ...]:
        """All that a name of a scope may stand for at its end; empty when it surely has none."""
        key = (scope.path, scope.name, name)
        if key in self._known:
            return self._known[key]
        if key in self._asked:
            self._cycles += 1
            return ()
        if key in self._tentative:
            self._cycles += 1
            self._reused += 1
            return self._tentative[key]
        if len(self._asked) > _LONGEST_CHAIN:
            self._cycles += 1
            return (_doubtful("it leads too far to be followed"),)
        is_outermost = not self._asked
        if is_outermost:
            self._tentative.clear()
            self._reused = 0
        cycles = self._cycles
        self._asked.add(key)
        try:
            found = tuple(_without_repeats(self._live(scope, name)))
        finally:
            self._asked.discard(key)
        if cycles == self._cycles:
            self._known[key] = found
        else:
            # Found inside a circle: good enough while this question lasts, or every way through it would be walked.
            self._tentative[key] = found
        if is_outermost and not found and self._reused:
            return (_doubtful("modules that import each other lead to it"),)
        return found

    def _live(self, scope: Scope, name: str) -> list[_Found]:
        found: list[_Found] = []
        for event in scope.events(name):
            match event:
                case Deleted(condition=None):
                    found = []
                case Bound():
                    new = self._of_bound(scope, event)
                    found = new if event.condition is None and new and not event.is_guarded else [*new, *found]
                case Star():
                    new = self._of_star(event, name)
                    found = new if event.condition is None and _has_sure(new) else [*new, *found]
                case Steps():
                    found = self._after_steps(scope, event, name, found)
        return _without_opposites(found)

    def _after_steps(self, scope: Scope, event: Steps, name: str, found: list[_Found]) -> list[_Found]:
        effects = self._effects_of(scope, event)
        where = f"{scope.path}:{event.line}"
        if name in effects.deleted:
            return []
        if name in effects.bound:
            line, given, is_sure = effects.bound[name]
            where = f"{scope.path}:{line}"
            new = self._of_effect(scope, given, where)
            if not is_sure:
                new = [replace(one, condition=one.condition or "a test that is not followed") for one in new]
            return [*new, *found]
        if effects.computed:
            return [*found, _doubtful("its module sets names that it computes", where)]
        return found

    def _of_effect(self, scope: Scope, given: object, where: str) -> list[_Found]:
        if isinstance(given, Member):
            found = [one for one in self._walk(self._resolve(scope, given.of), [given.name]) if one.doubt is None]
            if found:
                return found
        return [_Found("value", where, "a name that a loop sets", is_loose=True)]

    def _of_bound(self, scope: Scope, event: Bound) -> list[_Found]:
        where = f"{scope.path}:{event.line}"
        qualified = f"{scope.name}.{event.name}" if scope.name else event.name
        place = _Found(
            "value", where, "a value", file=scope.path, qualified=qualified, condition=event.condition, is_loose=True
        )
        match event.target:
            case Function(is_decorated=is_decorated, raises=raises):
                words = f"a function that only raises {raises}" if raises else "a function"
                return [replace(place, sort="function", words=words, raises=raises, is_loose=is_decorated)]
            case Class(scope=inner):
                return [replace(place, sort="class", words="a class", scope=inner)]
            case Import():
                return self._of_import(scope, event, event.target, place)
            case Value(node=node, is_declared_only=is_declared):
                if _is_member(scope, event.name):
                    return [replace(place, sort="object", words="a member of an enumeration", scope=scope)]
                if is_declared and not scope.is_stub:
                    return self._of_declared(scope, place)
                return self._of_value(scope, event, node, place)
        return []

    def _of_value(self, scope: Scope, event: Bound, node: ast.expr | None, place: _Found) -> list[_Found]:
        if node is None:
            return [place]
        found = self._of_expression(scope, node, event.name, event.line)
        kept = [one for one in found if one.doubt is None]
        # Of another name of a thing, the thing's own place tells more.
        return [replace(one, condition=event.condition or one.condition) for one in kept] or [place]

    def _of_declared(self, scope: Scope, place: _Found) -> list[_Found]:
        """A bare annotation: a field of some classes, and nothing at the level of a module."""
        if not scope.name:
            return []
        bases = {parts[-1] for base in scope.bases if (parts := dotted(_without_arguments(base)))}
        decorators = {one.rpartition(".")[2] for one in scope.decorators}
        if bases & _FIELDS_ARE_NAMES or decorators & _MAKES_FIELDS or self._inherits_fields(scope):
            return [replace(place, words="a field")]
        return [
            replace(place, words="an annotation", doubt="it is only declared, so only objects of the class have it")
        ]

    def _inherits_fields(self, scope: Scope) -> bool:
        """Whether a base class makes fields of annotations."""
        for base in scope.bases:
            for one in self._resolve(self._around(scope), dotted(_without_arguments(base)) or ()):
                if one.scope and one.scope is not scope:
                    names = {parts[-1] for inner in one.scope.bases if (parts := dotted(_without_arguments(inner)))}
                    if names & {"NamedTuple", "TypedDict"}:
                        return True
        return False

    def _around(self, scope: Scope) -> Scope:
        """The module of a scope."""
        return self._scope(scope.path, scope.module) or scope if scope.name else scope

    def _of_import(self, scope: Scope, event: Bound, target: Import, place: _Found) -> list[_Found]:
        if scope.is_stub and not (target.is_shown or target.module == scope.module):
            return []
        whole = target.module if target.name is None else f"{target.module}.{target.name}"
        if not self._is_module(target.module):
            return [self._outside(whole, event, place)]
        if target.name is None:
            return [replace(self._module(target.module), condition=event.condition)]
        found = self._of_module(target.module, target.name)
        if event.is_guarded:
            return self._guarded(found, target, place)
        sure = [replace(one, condition=event.condition or one.condition) for one in found if one.doubt is None]
        if sure:
            return sure
        if target.module == scope.module and not found:
            return []
        if event.condition:
            return [replace(one, condition=event.condition) for one in found] or [
                replace(place, doubt=f"{whole} is not found")
            ]
        # The import of the module would fail without it, so it is there.
        return [replace(place, words=f"an import of {whole}, which is not followed")]

    def _outside(self, whole: str, event: Bound, place: _Found) -> _Found:
        top = whole.partition(".")[0]
        doubt = None
        if event.is_guarded and top not in sys.stdlib_module_names:
            doubt = f"it is there only where {top} is installed"
        return replace(place, sort="outside", module=whole, words=f"an import of {whole}, from outside", doubt=doubt)

    def _guarded(self, found: list[_Found], target: Import, place: _Found) -> list[_Found]:
        """An import that may fail without harm. A stub then proves nothing; the compiled library tells."""
        kept: list[_Found] = []
        for one in found:
            if one.doubt is None and one.file and one.file.endswith(".pyi") and target.name and self._library:
                if self._in_library(target.name):
                    kept.append(replace(one, condition=None))
            else:
                kept.append(replace(one, condition=place.condition))
        return kept

    @cached_property
    def _library(self) -> bytes:
        """The words that stand in the compiled part of the bindings, each between two NULs; empty when there is none."""
        name = next((one for one in _LIBRARIES if self._archive.has(one)), None)
        if name is None or self._archive.size(name) > MOST_READ:
            return b""
        whole = self._archive.read(name)
        kept: list[bytes] = [b""]
        for start in range(0, len(whole), _PIECE):
            # A word that lies across two pieces is read in the next one too, from a little before it.
            pieces = whole[max(0, start - _LONGEST_WORD) : start + _PIECE].split(b"\0")[:-1]
            kept += [one[-_LONGEST_WORD:] for one in pieces if one[-1:] in _ENDS_OF_WORDS]
        return b"\0".join([*kept, b""])

    def _in_library(self, name: str, *, is_whole: bool = False) -> bool:
        """Whether a name stands in the compiled part, as names of functions and classes do.

        A linker lets a word share the end of a longer one, so the end of a word counts, unless ``is_whole``.
        """
        key = (name, is_whole)
        if key not in self._words:
            self._words[key] = f"{chr(0) if is_whole else ''}{name}\0".encode() in self._library
        return self._words[key]

    def _of_star(self, event: Star, name: str) -> list[_Found]:
        if not self._is_module(event.module):
            if name.startswith("_") or event.module.partition(".")[0] not in _READ_HERE:
                return [] if name.startswith("_") else [_doubtful(f"it may come from {event.module}, from outside")]
            return _of_outside(event.module, name)
        listed = self._all_of(event.module)
        if listed is None:
            if name.startswith("_"):
                return []
            scope = self._scope_of_module(event.module)
            found = list(self._look_up(scope, name)) if scope else []
            if scope and not found:
                found = self._of_compiled(scope, name)
        else:
            names, is_whole = listed
            if name not in names:
                return [] if is_whole else self._perhaps_listed(event.module, name)
            found = self._of_module(event.module, name)
        return [replace(one, condition=event.condition or one.condition) for one in found]

    def _perhaps_listed(self, module: str, name: str) -> list[_Found]:
        scope = self._scope_of_module(module)
        found = self._look_up(scope, name) if scope else ()
        return [replace(one, doubt=one.doubt or f"__all__ of {module} is not wholly known") for one in found]

    # ``__all__``.

    def _all_of(self, module: str) -> tuple[frozenset[str], bool] | None:
        """The names in ``__all__`` and whether that is all of them; None when there is no such list."""
        if module in self._lists:
            return self._lists[module]
        scope = self._scope_of_module(module)
        if scope is None or "__all__" not in scope.named:
            return None
        if module in self._listing:
            self._cycles += 1
            return frozenset(), False
        self._listing.add(module)
        cycles = self._cycles
        try:
            listed = self._all_in(scope)
        finally:
            self._listing.discard(module)
        if cycles == self._cycles:
            self._lists[module] = listed
        return listed

    def _all_in(self, scope: Scope) -> tuple[frozenset[str], bool]:
        names: set[str] = set()
        is_whole = True
        evaluator = self._evaluator(scope)
        for change in scope.all_changes:
            given = evaluator.value(change.node, {"__all__": sorted(names)})
            if not isinstance(given, list | tuple | set | frozenset | dict):
                is_whole = False
                continue
            is_whole = is_whole and all(isinstance(one, str) for one in given)
            new = {one for one in given if isinstance(one, str)}
            match change.what:
                case "set":
                    names = new
                case "add":
                    names |= new
                case "remove":
                    names -= new
        for _, event in scope.general:
            if isinstance(event, Steps):
                effects = self._effects_of(scope, event)
                names |= effects.listed
                is_whole = is_whole and not effects.listed_computed
            elif isinstance(event, Star) and not any(change.what == "set" for change in scope.all_changes):
                is_whole = False
        return frozenset(names), is_whole

    # Statements that are followed.

    def _evaluator(self, scope: Scope) -> Evaluator:
        around = self._around(scope)
        return Evaluator(
            lambda parts: self._plain(scope, parts), lambda parts: self._dir(scope, parts), around.functions
        )

    def _effects_of(self, scope: Scope, event: Steps) -> Effects:
        key = (scope.path, scope.name, event.line)
        if key in self._effects:
            return self._effects[key]
        if key in self._running:
            self._cycles += 1
            return Effects()
        self._running.add(key)
        # A name that waits for these effects may be needed to know them: it is then asked for anew, without them.
        asked, self._asked = self._asked, set()
        try:
            self._effects[key] = self._evaluator(scope).effects([event.node])
        finally:
            self._running.discard(key)
            self._asked = asked
        return self._effects[key]

    def _plain(self, scope: Scope, parts: tuple[str, ...]) -> object:
        """What a dotted name holds, as far as it is a plain value, for the statements that are followed."""
        if parts == ("__name__",):
            return scope.module
        if parts[-1] == "__all__":
            return self._plain_all(scope, parts)
        if len(parts) > 1:
            return Unsure
        bound = [event for _, event in scope.named.get(parts[0], ()) if isinstance(event, Bound)]
        if len(bound) != 1 or not isinstance(bound[0].target, Value) or bound[0].target.node is None:
            return self._imported_plain(bound)
        node = bound[0].target.node
        key = (scope.path, scope.name, f"{parts[0]} as a value")
        if key in self._asked:
            return Unsure
        if isinstance(node, ast.Subscript) and dotted(node.value) == ("sys", "modules"):
            return UnsureKind.MODULE
        self._asked.add(key)
        try:
            return self._evaluator(scope).value(node)
        finally:
            self._asked.discard(key)

    def _imported_plain(self, bound: Sequence[Bound]) -> object:
        """A table that is imported from another module of the wheel."""
        if len(bound) == 1 and isinstance(bound[0].target, Import) and bound[0].target.name:
            other = self._scope_of_module(bound[0].target.module)
            name = bound[0].target.name
            if other and any(
                isinstance(one, Bound) and isinstance(one.target, Value) for _, one in other.named.get(name, ())
            ):
                return self._plain(other, (name,))
            if other and name == "__all__":
                return self._plain(other, (name,))
        return Unsure

    def _plain_all(self, scope: Scope, parts: tuple[str, ...]) -> object:
        module = scope.module
        if len(parts) > 1:
            named = [one for one in self._resolve(scope, parts[:-1]) if one.sort == "module"]
            if not named:
                return Unsure
            module = named[0].module
        listed = self._all_of(module)
        return sorted(listed[0]) if listed and listed[1] else Unsure

    def _dir(self, scope: Scope, parts: tuple[str, ...]) -> Sequence[str] | None:
        found = [one for one in self._resolve(scope, parts) if one.sort in {"module", "class"} and one.doubt is None]
        return sorted(self._names(found[0])) if found else None

    # Expressions.

    def _resolve(self, scope: Scope, parts: Sequence[str]) -> list[_Found]:
        """What ``a.b.c`` may stand for, as it is seen from a scope."""
        if not parts:
            return []
        first: list[_Found] = list(self._look_up(scope, parts[0])) if scope.name else []
        around = self._around(scope)
        first = first or list(self._look_up(around, parts[0]))
        if not first and around.is_stub:
            first = self._imported_in_stub(around, parts[0])
        if not first and hasattr(builtins, parts[0]):
            first = [_Found("outside", None, "a builtin", module=f"builtins.{parts[0]}")]
        if not first and parts[0] == around.module.rpartition(".")[2]:
            first = [self._module(around.module)]
        return self._walk(first, parts[1:])

    def _imported_in_stub(self, scope: Scope, name: str) -> list[_Found]:
        """A stub's own imports, which it uses but does not pass on."""
        found: list[_Found] = []
        for _, event in scope.named.get(name, ()):
            if isinstance(event, Bound) and isinstance(event.target, Import):
                target = event.target
                if not self._is_module(target.module):
                    whole = target.module if target.name is None else f"{target.module}.{target.name}"
                    found.append(_Found("outside", None, "an import", module=whole))
                elif target.name is None:
                    found.append(self._module(target.module))
                else:
                    found += self._of_module(target.module, target.name)
        return found

    def _of_expression(self, scope: Scope, node: ast.expr, name: str, line: int) -> list[_Found]:
        """What the value of an expression may be."""
        where = f"{scope.path}:{line}"
        qualified = f"{scope.name}.{name}" if scope.name else name
        place = _Found("value", where, "a value", file=scope.path, qualified=qualified, is_loose=True)
        parts = dotted(node)
        if parts:
            return [one for one in self._resolve(scope, parts) if one.qualified != qualified or one.where != where]
        match node:
            case ast.Lambda():
                return [replace(place, sort="function", words="a function", is_loose=False)]
            case ast.Call(func=func) if made := dotted(func):
                fields = _fields(made[-1], node)
                if fields is not None:
                    return [
                        replace(
                            place, sort="class", words="a class", scope=_tuple_class(scope, qualified, line, fields)
                        )
                    ]
                classes = [one for one in self._resolve(scope, made) if one.sort == "class" and one.doubt is None]
                if classes and classes[0].scope:
                    words = f"an object of class {classes[0].scope.name}"
                    return [replace(place, sort="object", words=words, scope=classes[0].scope)]
        return [place]

    # Classes and objects.

    def _of_class(self, scope: Scope, name: str) -> list[_Found]:
        found = self._in_line(scope, name, set())
        if _has_sure(found):
            return found
        if hasattr(type, name):
            return [_Found("value", f"{scope.path}:{scope.line}", "an attribute of every class")]
        if name in scope.of_objects:
            where = f"{scope.path}:{scope.of_objects[name]}"
            return [*found, _doubtful("only objects of the class have it, not the class", where)]
        return found

    def _of_object(self, scope: Scope, name: str, behind: Scope | None = None) -> list[_Found]:
        """An attribute of an object. ``behind`` is the module that the object stands in for, which it may ask in turn."""
        found = self._in_line(scope, name, set())
        if _has_sure(found):
            return found
        line = [scope, *self._bases_of(scope)]
        for one in line:
            if name in one.of_objects:
                return [
                    _Found("value", f"{one.path}:{one.of_objects[name]}", "an attribute of an object", is_loose=True)
                ]
        declared = [replace(one, doubt=None) for one in found if one.words == "an annotation"]
        if declared:
            return declared
        for one in line:
            if one.get_missing is not None:
                return [*found, *self._answered(one, one.get_missing, name, behind)]
        return found

    def _answered(self, scope: Scope, function: ast.FunctionDef, name: str, behind: Scope | None) -> list[_Found]:
        where = f"{scope.path}:{function.lineno}"
        match self._evaluator(self._around(scope)).answers(function, name):
            case True:
                return [_Found("value", where, "a name that __getattr__ of its class answers for", is_loose=True)]
            case False:
                return []
            case Member(of=(_, held), name=asked) if held in scope.held:
                parts = scope.held[held]
                if not parts and behind is not None:
                    # It asks the module that it stands in for, and that was asked already.
                    return []
                found = self._walk(self._resolve(self._around(scope), parts), [asked])
                if parts and (found or self._resolve(self._around(scope), parts)):
                    return found
        return [_doubtful("a __getattr__ of its class may answer for it", where)]

    def _bases_of(self, scope: Scope) -> Iterator[Scope]:
        """The classes that a class inherits from, nearest first, as far as they stand in the wheel."""
        waiting, seen = [scope], {id(scope)}
        while waiting:
            one = waiting.pop(0)
            for base in one.bases:
                for found in self._resolve(self._around(one), dotted(_without_arguments(base)) or ()):
                    if found.sort == "class" and found.scope and id(found.scope) not in seen:
                        seen.add(id(found.scope))
                        waiting.append(found.scope)
                        yield found.scope

    def _in_line(self, scope: Scope, name: str, seen: set[int]) -> list[_Found]:
        """A name in a class or in what it inherits from."""
        if id(scope) in seen:
            return []
        seen.add(id(scope))
        found = list(self._look_up(scope, name))
        if not _has_sure(found):
            found += self._set_from_outside(scope, name)
        for base in scope.bases:
            if _has_sure(found):
                break
            found += self._of_base(scope, base, name, seen)
        if not _has_sure(found) and _has(object, name):
            found.append(_Found("value", f"{scope.path}:{scope.line}", "an attribute of every object"))
        return found or self._of_compiled(scope, name)

    def _set_from_outside(self, scope: Scope, name: str) -> list[_Found]:
        around = self._around(scope)
        line = around.added.get(scope.name, {}).get(name)
        if line is not None:
            return [_Found("value", f"{scope.path}:{line}", "an attribute that is set on its class", is_loose=True)]
        if scope.name in around.changed:
            where = f"{scope.path}:{around.changed[scope.name]}"
            return [_doubtful("its module sets attributes on the class that it computes", where)]
        return []

    def _of_base(self, scope: Scope, base: ast.expr, name: str, seen: set[int]) -> list[_Found]:
        bare = _without_arguments(base)
        if isinstance(bare, ast.Call):
            made = dotted(bare.func)
            fields = _fields(made[-1], bare) if made else None
            if fields is not None:
                return _of_fields(scope, fields, name)
        parts = dotted(bare)
        around = self._around(scope)
        bases = self._resolve(scope if scope.name.count(".") else around, parts) if parts else []
        if not bases:
            return [_doubtful("a base class is not found", f"{scope.path}:{scope.line}")]
        found: list[_Found] = []
        for one in bases:
            if one.sort == "class" and one.scope:
                found += self._in_line(one.scope, name, seen)
            elif one.sort == "outside":
                found += _of_outside(one.module, name)
            else:
                found.append(_doubtful("a base class is computed", f"{scope.path}:{scope.line}"))
        return found

    # What is not there.

    def _names(self, thing: _Found) -> set[str]:
        """Names that a module or a class has, as far as they are listed."""
        if thing.sort == "module":
            scope = self._scope_of_module(thing.module)
            prefix = f"{thing.module}."
            below = {one.removeprefix(prefix) for one in self._modules if one.startswith(prefix)}
            return {one for one in below if "." not in one} | (self._listed(scope, set()) if scope else set())
        if thing.scope is None:
            return set()
        line = [thing.scope, *self._bases_of(thing.scope)]
        return {name for one in line for name in (*one.named, *self._around(one).added.get(one.name, ()))}

    def _listed(self, scope: Scope, seen: set[str]) -> set[str]:
        if scope.path in seen:
            return set()
        seen.add(scope.path)
        names = {name for name, events in scope.named.items() if _is_shown(scope, [event for _, event in events])}
        for _, event in scope.general:
            if isinstance(event, Steps):
                names |= self._effects_of(scope, event).bound.keys()
            else:
                names |= self._names_by_star(event.module, seen)
        return names

    def _names_by_star(self, module: str, seen: set[str]) -> set[str]:
        listed = self._all_of(module)
        if listed is not None:
            return set(listed[0])
        scope = self._scope_of_module(module)
        return {name for name in self._listed(scope, seen) if not name.startswith("_")} if scope else set()

    def _missing(self, parts: list[str]) -> Export:
        """Says at which part a name ends."""
        things = [self._module(parts[0])]
        for index, part in enumerate(parts[1:], start=1):
            after = self._walk(things, [part])
            if not after:
                before = ".".join(parts[:index])
                names = {name for one in things for name in self._names(one)}
                if part in names:
                    how = f"{before}, {things[0].words}, lacks {part} in this build: its stub has it, its library has not."
                    return Export(Answer.NO, None, how)
                names = names if part.startswith("_") else {name for name in names if not name.startswith("_")}
                near = difflib.get_close_matches(part, sorted(names), n=1)
                what = things[0].words if things else "a module"
                nearest = ".".join([before, near[0], *parts[index + 1 :]]) if near else None
                return Export(Answer.NO, None, f"{before}, {what}, has no {part}.", nearest)
            things = after
        return Export(Answer.NO, None, "It is not there.")


def _export(found: _Found) -> Export:
    if found.doubt is not None:
        how = f"Not known: {found.doubt}."
        return Export(Answer.UNKNOWN, found.where, how, condition=found.condition)
    below = f", below {found.condition!r}" if found.condition else ""
    return Export(
        Answer.YES,
        found.where,
        f"It is {found.words}{below}.",
        file=found.file,
        qualified=found.qualified,
        raises=found.raises,
        condition=found.condition,
    )


def _doubtful(why: str, where: str | None = None) -> _Found:
    return _Found("value", where, "something", doubt=why, is_loose=True)


def _has_sure(found: Iterable[_Found]) -> bool:
    return any(one.doubt is None for one in found)


def _without_opposites(found: list[_Found]) -> list[_Found]:
    """Without a condition where both ways give the name."""
    conditions = {one.condition for one in found if one.condition}
    whole = any(f"if not {one.removeprefix('if ')}" in conditions for one in conditions)
    if whole or conditions >= {"try", "except"}:
        return [replace(one, condition=None) for one in found]
    return found


def _without_repeats(found: Iterable[_Found]) -> list[_Found]:
    seen: dict[tuple[str, str | None, str, str | None, int], _Found] = {}
    for one in found:
        seen.setdefault((one.sort, one.where, one.module, one.doubt, id(one.scope)), one)
    return list(seen.values())


def _is_shown(scope: Scope, events: Sequence[Event]) -> bool:
    """Whether a name of a scope can be seen from outside: a stub's plain imports cannot, and what is deleted last."""
    last = events[-1]
    if isinstance(last, Deleted):
        return last.condition is not None
    if scope.is_stub:
        return any(
            isinstance(one, Bound) and not (isinstance(one.target, Import) and not one.target.is_shown)
            for one in events
        )
    return any(
        isinstance(one, Bound)
        and not (isinstance(one.target, Value) and one.target.is_declared_only and not scope.name)
        for one in events
    )


def _is_member(scope: Scope, name: str) -> bool:
    """Whether a value in a class is a member of an enumeration."""
    bases = {parts[-1] for base in scope.bases if (parts := dotted(base))}
    return bool(bases & _ENUMERATIONS) and not name.startswith("_")


def _without_arguments(base: ast.expr) -> ast.expr:
    """``Generic`` of ``Generic[T]``."""
    return base.value if isinstance(base, ast.Subscript) else base


def _of_outside(whole: str, name: str) -> list[_Found]:
    """An attribute of something outside the wheel: known only for plain classes of Python itself."""
    module, _, own = whole.rpartition(".")
    if module == "typing_extensions":
        module = "typing"
    if own == "object":
        return [_Found("value", None, "an attribute of every object")] if _has(object, name) else []
    if module in _READ_HERE:
        held = getattr(importlib.import_module(module), own, None)
        if own in _FIELDS_ARE_NAMES or own in {"Generic", "Any"}:
            held = tuple if own == "NamedTuple" else dict if own == "TypedDict" else object
        if held is not None:
            return [_Found("value", None, f"an attribute of {whole}", is_loose=True)] if _has(held, name) else []
    if whole in _READ_HERE:
        there = _has(importlib.import_module(whole), name)
        return [_Found("outside", None, f"an import of {whole}.{name}", module=f"{whole}.{name}")] if there else []
    return [_doubtful(f"it would be an attribute of {whole}, which is not in the wheel")]


def _has(held: object, name: str) -> bool:
    """Whether something of Python itself has an attribute; a class not by what classes as such have."""
    if isinstance(held, type):
        return any(name in vars(one) for one in held.__mro__)
    return hasattr(held, name)


def _fields(made: str, call: ast.Call) -> list[str] | None:
    """The fields of ``namedtuple("X", …)`` and ``NamedTuple("X", …)``; None for any other call."""
    if made not in _MAKES_TUPLES or not call.args[1:]:
        return None
    match call.args[1]:
        case ast.Constant(value=str(text)):
            return text.replace(",", " ").split()
        case ast.List(elts=elts) | ast.Tuple(elts=elts):
            names = [one.elts[0] if isinstance(one, ast.Tuple) and one.elts else one for one in elts]
            return [str(one.value) for one in names if isinstance(one, ast.Constant)]
    return None


def _tuple_class(scope: Scope, name: str, line: int, fields: Sequence[str]) -> Scope:
    made = Scope(scope.module, scope.path, name, scope.is_stub, bases=(ast.Name("tuple", ast.Load()),), line=line)
    for field in fields:
        made.add(Bound(field, Value(None), line, None))
    return made


def _of_fields(scope: Scope, fields: Sequence[str], name: str) -> list[_Found]:
    where = f"{scope.path}:{scope.line}"
    if name in fields:
        return [_Found("value", where, "a field", is_loose=True)]
    return [_Found("value", where, "an attribute of tuple", is_loose=True)] if _has(tuple, name) else []

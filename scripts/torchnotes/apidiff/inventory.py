"""A wheel → its public Python names, each with what it is and where it is defined.

Public means: no part of the name begins with an underscore, the module is no test and no vendored code, and the name
is in ``__all__`` where there is one; elsewhere it is a function or a class that the module defines, or that a package
imports from a private module of its own. Re-exports and star imports are followed through the files. Names of the C
extension come from its stubs, as names alone.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from torchnotes.apidiff.modules import FORWARDED, Module, Modules, Thing, public_parts
from torchnotes.wheel.archive import Archive
from torchnotes.wheel.syntax import is_package

LEFT_OUT = frozenset({"testing", "csrc", "test", "tests", "torchgen", "include", "benchmarks"})
"""Parts of a module's name that make it no public one."""
_INTERNAL = ("torch.fx.experimental", "torch.utils.benchmark", "torch.utils.hipify")
"""Public by name, and internal by use: nearly all that changes there concerns nobody."""
_CONSTANTS_OF = ("torch.utils.cpp_extension",)
"""Modules whose constants in capitals are read by builds, though they are in no ``__all__``."""
_DEEPEST = 12
"""Re-exports that are followed one after another."""


@dataclass(frozen=True, slots=True)
class Item:
    """One public name."""

    module: str
    """Module by which it is named here."""
    name: str
    """Its name in that module: ``Adam``, ``Adam.step``."""
    origin: str
    """``module:name`` of its definition; the same for all names of one thing."""
    thing: Thing
    """What it is; of the sort ``name`` where that is not known."""

    @property
    def dotted(self) -> str:
        """Its whole name."""
        return f"{self.module}.{self.name}"


@dataclass(frozen=True, slots=True)
class _Found:
    origin: str
    thing: Thing


_UNKNOWN = Thing("name")


class Inventory:
    """All public names of one wheel."""

    def __init__(self, archive: Archive, without: Collection[str] = ()) -> None:
        """Read the public modules but those ``without``, and what they import from."""
        self._modules = Modules(archive)
        self.modules = frozenset(name for name in self._modules.paths if is_public_module(name)).difference(without)
        """Public modules, empty ones too."""
        written = (item for module in sorted(self.modules) for item in self._items_of(module))
        self.items: Mapping[str, Item] = {item.dotted: item for item in (*_compiled(archive), *written)}
        """Dotted name → what it is. The definition in Python wins over a stub of the same name."""

    def anywhere(self, item: Item) -> Item | None:
        """What a name of another wheel means in this one, whether it counts as public here or not."""
        if item.dotted in self._modules.paths:
            return replace(item, origin=item.dotted, thing=Thing("module"))
        module = self._modules.get(item.module)
        first, *rest = item.name.split(".")
        found = self._resolved(module, first, 0) if module else None
        thing = found.thing if found else None
        for name in rest:
            thing = thing.members.get(name) if thing else None
        if found is None or thing is None:
            return None
        return replace(item, origin=".".join([found.origin, *rest]), thing=self._settled(thing))

    def private(self, origin: str) -> Item | None:
        """What had the name of ``origin`` in a private module beside its own: ``a._b:X`` for ``a.b:X``."""
        module, _, name = origin.partition(":")
        above, _, last = module.rpartition(".")
        hidden = f"{above}._{last}" if above else f"_{last}"
        source = self._modules.get(hidden)
        thing = source.things.get(name) if source else None
        return Item(hidden, name, f"{hidden}:{name}", self._settled(thing)) if thing else None

    def _items_of(self, name: str) -> Iterator[Item]:
        module = self._modules.get(name)
        if module is None:
            return
        for own, found in self._public(module).items():
            yield from _with_members(Item(name, own, found.origin, self._settled(found.thing)))

    def _public(self, module: Module) -> dict[str, _Found]:
        if module.exported is not None:
            names = self._exported(module, 0)
        else:
            names = [
                *(own for own, thing in module.things.items() if thing.sort != "value"),
                *(own for own, source in module.imports.items() if _is_own_private(module, *source)),
                *self._starred(module, 0),
            ]
        if module.name in _CONSTANTS_OF:
            names += [own for own, thing in module.things.items() if own.isupper() and thing.sort == "value"]
        found = {}
        for own in dict.fromkeys(names):
            if public_parts([own]) and f"{module.name}.{own}" not in self._modules.paths:
                found[own] = self._resolved(module, own, 0) or _Found(f"{module.name}:{own}", _UNKNOWN)
        return found

    def _exported(self, module: Module, depth: int) -> list[str]:
        names = list(module.exported or ())
        for other in module.also_exported:
            source = self._modules.get(other)
            if source is not None and depth < _DEEPEST:
                names += self._exported(source, depth + 1)
        return names

    def _starred(self, module: Module, depth: int) -> list[str]:
        """Names that star imports bring."""
        names: list[str] = []
        for star in module.stars if depth < _DEEPEST else ():
            source = self._modules.get(star)
            if source is None or source.name.split(".")[0] != module.name.split(".")[0]:
                continue
            if source.exported is not None:
                names += self._exported(source, 0)
            else:
                names += [own for own, thing in source.things.items() if thing.sort != "value"]
                names += self._starred(source, depth + 1)
        return names

    def _resolved(self, module: Module, own: str, depth: int) -> _Found | None:
        """Where a name of a module is defined, through imports; None when the files do not tell."""
        if depth > _DEEPEST:
            return None
        if own in module.things:
            # What is imported later under the same name wins, but that is rare and ends in the same thing.
            return _Found(f"{module.name}:{own}", module.things[own])
        if own in module.imports:
            source, name = module.imports[own]
            other = self._modules.get(source)
            return self._resolved(other, name, depth + 1) if other is not None and name else None
        for star in module.stars:
            source_module = self._modules.get(star)
            if source_module is not None and (found := self._resolved(source_module, own, depth + 1)):
                return found
        return None

    def _settled(self, thing: Thing) -> Thing:
        """The same, with the error that a forwarding function raises, or with none."""
        members = {name: self._settled(one) for name, one in thing.members.items()}
        raises = thing.raises
        if raises is not None and raises.startswith(FORWARDED):
            module, _, own = raises.removeprefix(FORWARDED).partition(":")
            source = self._modules.get(module)
            target = source.things.get(own) if source else None
            raises = target.raises if target and not (target.raises or "").startswith(FORWARDED) else None
        return replace(thing, raises=raises, members=members) if (raises, members) != (thing.raises, {}) else thing


def is_public_module(name: str) -> bool:
    """Whether people may import a module by this name."""
    parts = name.split(".")
    return (
        public_parts(parts)
        and not LEFT_OUT & set(parts)
        and not any(f"{name}.".startswith(f"{one}.") for one in _INTERNAL)
    )


def _is_own_private(module: Module, source: str, own: str) -> bool:
    """Whether a package imports a name from below itself, and so is the place to import it from."""
    return is_package(module.path) and bool(own) and source.startswith(f"{module.name}.")


def _with_members(item: Item) -> Iterator[Item]:
    yield item
    for name, thing in item.thing.members.items():
        yield from _with_members(Item(item.module, f"{item.name}.{name}", f"{item.origin}.{name}", thing))


# ---- The C extension ------------------------------------------------------------------------------------------

_FUNCTION = re.compile(r"^def ([A-Za-z]\w*)\(", re.MULTILINE)
_METHOD = re.compile(r"^    def ([A-Za-z]\w*)\(", re.MULTILINE)
_BASE = re.compile(r"^class (?:Tensor|_Tensor)Base\b.*?(?=^\S)", re.MULTILINE | re.DOTALL)
_COMPILED = Thing("C function")


def _compiled(archive: Archive) -> Iterator[Item]:
    """Functions of ``torch`` and methods of ``torch.Tensor`` that the C extension defines."""
    package = next((name.partition("/")[0] for name in archive.names if name.endswith("/_C/__init__.pyi")), None)
    if package is None:
        return
    functions, classes = f"{package}/_C/_VariableFunctions.pyi", f"{package}/_C/__init__.pyi"
    if archive.has(functions):
        for own in sorted(set(_FUNCTION.findall(archive.text(functions)))):
            yield Item(package, own, f"{package}._C:{own}", _COMPILED)
    if found := _BASE.search(archive.text(classes)):
        for own in sorted(set(_METHOD.findall(found.group()))):
            yield Item(package, f"Tensor.{own}", f"{package}._C:Tensor.{own}", _COMPILED)

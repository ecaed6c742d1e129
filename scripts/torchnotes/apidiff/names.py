"""Two inventories and two witnesses → removed, changed and new names. Pure.

A removal needs both witnesses: the name stands no longer in its module's text, and the resolver, which follows
imports and lazy modules, finds it in the old wheel and not in the new one. What the resolver still finds was only
moved, and is no removal; where it cannot tell, the name is kept apart with the reason.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from torchnotes.apidiff.inventory import Inventory, Item
from torchnotes.apidiff.modules import Thing, public_parts
from torchnotes.apidiff.signature import appended, changes_of
from torchnotes.apidiff.words import shortened
from torchnotes.model.api import Change, Changed, ModuleNames, NewParameters, Unconfirmed
from torchnotes.terms import ApiChange
from torchnotes.wheel.exports import Answer, Export

_SORTS = {"value": "object", "C function": "function"}
"""Sorts in other words, where ours would say nothing to a reader."""
_DOUBT = "Not known: "
"""With what the resolver begins an answer that it does not know."""
_TRIVIAL_BASES = {"object", "ABC", "Generic", "Protocol", ""}


class Witness(Protocol):
    """What finds out whether a dotted name can be reached in one wheel."""

    def find(self, dotted: str) -> Export:
        """The answer, and how it was found."""
        ...


@dataclass(frozen=True, slots=True)
class NamesDiff:
    """What became of the public names."""

    removed: tuple[ModuleNames, ...]
    unconfirmed: tuple[Unconfirmed, ...]
    changed: tuple[Changed, ...]
    added: tuple[ModuleNames, ...]
    parameters: tuple[NewParameters, ...]


def compare(old: Inventory, new: Inventory, old_witness: Witness, new_witness: Witness) -> NamesDiff:
    """All differences of public names, in an order that depends on the names alone."""
    gone = [old.items[name] for name in sorted(old.items.keys() - new.items.keys())]
    come = [new.items[name] for name in sorted(new.items.keys() - old.items.keys())]
    kept, removed, unconfirmed = _removals(_leading(gone), old_witness, new_witness)
    removed += [Item(one, "*", one, Thing("module")) for one in sorted(old.modules - new.modules - set(new.items))]
    # A name that was reachable before is no new one: it only became listed, or was defined anew.
    added = [item for item in _leading(come) if old_witness.find(item.dotted).answer is not Answer.YES]
    pairs = [(old.items[name], new.items[name]) for name in sorted(old.items.keys() & new.items.keys())]
    pairs += [(item, found) for item in kept if (found := new.anywhere(item)) is not None]
    pairs += [(hidden, item) for item in added if (hidden := old.private(item.origin)) is not None]
    changed, parameters = _changes(pairs)
    return NamesDiff(
        removed=_by_module(removed),
        unconfirmed=tuple(unconfirmed),
        changed=tuple(changed),
        added=_by_module(added),
        parameters=tuple(parameters),
    )


def preferred(names: Iterable[str]) -> str:
    """The name by which people most likely import a thing: the one with the fewest parts, then the shortest."""
    return min(names, key=lambda name: (name.count("."), len(name), name))


def _leading(items: Iterable[Item]) -> list[Item]:
    """One item a thing, by its preferred name; members of what is itself among the items are left out."""
    several: dict[str, list[Item]] = {}
    for item in items:
        several.setdefault(item.origin, []).append(item)
    chosen = {}
    for origin, same in several.items():
        by_name = {item.dotted: item for item in same}
        chosen[origin] = by_name[preferred(by_name)]
    names = {item.dotted for same in several.values() for item in same}
    return sorted(
        (item for item in _without_echoes(chosen.values()) if item.dotted.rpartition(".")[0] not in names),
        key=lambda item: item.dotted,
    )


def _without_echoes(items: Iterable[Item]) -> Iterator[Item]:
    """Without names whose definition is not known and that stand under a shorter name too."""
    unknown: dict[str, list[Item]] = {}
    for item in items:
        if item.thing.sort == "name":
            unknown.setdefault(item.name, []).append(item)
        else:
            yield item
    for same in unknown.values():
        by_name = {item.dotted: item for item in same}
        shortest = preferred(by_name)
        package = f"{by_name[shortest].module}."
        yield from (item for name, item in by_name.items() if name == shortest or not name.startswith(package))


def _removals(
    items: Iterable[Item], old_witness: Witness, new_witness: Witness
) -> tuple[list[Item], list[Item], list[Unconfirmed]]:
    """Names that can still be reached, names that are gone, and those of which it is not clear."""
    kept, confirmed, unconfirmed = [], [], []
    for item in items:
        now = new_witness.find(item.dotted)
        if now.answer is Answer.YES:
            kept.append(item)
            continue
        before = old_witness.find(item.dotted)
        if now.answer is Answer.NO and before.answer is Answer.YES:
            confirmed.append(item)
            continue
        which, how = ("new wheel still has", now.how) if now.answer is Answer.UNKNOWN else ("old wheel had", before.how)
        reason = _sentence(f"Whether the {which} it is not clear: {how.removeprefix(_DOUBT)}")
        unconfirmed.append(Unconfirmed(name=item.dotted, reason=reason))
    return kept, confirmed, unconfirmed


def _sentence(text: str) -> str:
    # The resolver quotes code; a lone backtick would not be text any more.
    return f"{shortened(text.replace('`', ''))}".rstrip(".") + "."


def _by_module(items: Iterable[Item]) -> tuple[ModuleNames, ...]:
    found: dict[str, list[str]] = {}
    for item in items:
        found.setdefault(item.module, []).append(item.name)
    return tuple(ModuleNames(module=module, names=tuple(sorted(names))) for module, names in sorted(found.items()))


# ---- What changed ---------------------------------------------------------------------------------------------


def _changes(pairs: Iterable[tuple[Item, Item]]) -> tuple[list[Changed], list[NewParameters]]:
    """Changes of each thing once, under its preferred name."""
    several: dict[tuple[str, str], dict[str, tuple[Item, Item]]] = {}
    for before, after in pairs:
        several.setdefault((before.origin, after.origin), {})[after.dotted] = (before, after)
    changed, parameters = [], []
    for same in several.values():
        name = preferred(same)
        before, after = same[name]
        defined = after.origin.replace(":", ".")
        changes = sorted(changes_between(before.thing, after.thing), key=lambda one: list(ApiChange).index(one.kind))
        if changes:
            at = defined if defined != name else None
            changed.append(Changed(name=name, defined=at, changes=tuple(changes)))
        more = _appended(before.thing, after.thing)
        if more:
            parameters.append(NewParameters(name=name, parameters=more))
    return sorted(changed, key=lambda one: one.name), sorted(parameters, key=lambda one: one.name)


def _appended(before: Thing, after: Thing) -> tuple[str, ...]:
    if before.parameters is None or after.parameters is None:
        return ()
    return appended(before.parameters, after.parameters)


def changes_between(before: Thing, after: Thing) -> Iterator[Change]:
    """What changed about one name that is in both wheels."""
    if after.raises is not None and before.raises is None:
        yield Change(kind=ApiChange.RAISES, now=shortened(after.raises))
        return
    if after.is_deprecated != before.is_deprecated and after.sort != "module":
        yield Change(kind=ApiChange.DEPRECATED if after.is_deprecated else ApiChange.RELEASED)
    if "name" not in {before.sort, after.sort} and _sort_differs(before.sort, after.sort):
        yield Change(kind=ApiChange.SORT, was=_SORTS.get(before.sort, before.sort), now=after.sort)
        return
    for base in _lost_bases(before, after):
        yield Change(kind=ApiChange.BASE, was=shortened(base))
    if before.value is not None and after.value is not None and before.value != after.value:
        yield Change(kind=ApiChange.VALUE, was=shortened(before.value), now=shortened(after.value))
    if before.parameters is not None and after.parameters is not None and before.sort == after.sort:
        yield from changes_of(before.parameters, after.parameters)


def _lost_bases(before: Thing, after: Thing) -> Iterator[str]:
    """Base classes that are gone. Those of private Python modules are left out: what they gave is compared by name."""
    kept = {one.rpartition(".")[2] for one in after.bases} | _TRIVIAL_BASES
    for base in before.bases if after.sort == "class" else ():
        above, _, last = base.rpartition(".")
        is_hidden = not public_parts(above.split(".")) and not above.endswith("._C")
        if last not in kept and not is_hidden:
            yield base


def _sort_differs(before: str, after: str) -> bool:
    """Whether a caller can tell. A function in C and one in Python are called alike, and a value may be either."""
    if "module" in {before, after}:
        return before != after
    if before == after or "value" in {before, after}:
        return False
    return not {before, after} <= {"function", "C function"}

"""Two signatures of one name → what changed for who calls it. Pure: knows parameters alone, no file."""

from collections.abc import Iterator, Sequence

from torchnotes.apidiff.words import shortened
from torchnotes.model.api import Change
from torchnotes.terms import ApiChange
from torchnotes.wheel.syntax import Parameter

_BY_PLACE = {"positional-only", "positional"}
_COLLECTING = {"var-positional", "var-keyword"}
_STARS = {"var-positional": "*", "var-keyword": "**"}


def changes_of(old: Sequence[Parameter], new: Sequence[Parameter]) -> Iterator[Change]:
    """What can make an old call fail or do something else; without ``self``. Private parameters do not count."""
    before, after = _named(old), _named(new)
    renamed = _renamed(old, new)
    gone = [one for one in old if one.name not in after and one.name not in renamed and _is_public(one)]
    for name, new_name in renamed.items():
        if before[name].kind != "positional-only":
            yield Change(kind=ApiChange.RENAMED, parameter=name, was=name, now=new_name)
    for one in gone:
        yield Change(kind=ApiChange.DROPPED, parameter=_shown(one), now=_consequence(one, old, new))
    yield from _places(old, new, renamed)
    for one in old:
        other = after.get(renamed.get(one.name, one.name))
        if other is not None and _is_public(one):
            yield from _same_parameter(one, other)
    known = before.keys() | set(renamed.values()) | {name for name, _ in _inserted(old, new, renamed)}
    for one in new:
        if one.name not in known and one.default is None and one.kind not in _COLLECTING:
            yield Change(kind=ApiChange.REQUIRED, parameter=one.name, now="new, without a default")


def appended(old: Sequence[Parameter], new: Sequence[Parameter]) -> tuple[str, ...]:
    """New parameters with which every old call still means the same, each as ``name=default``."""
    before = _named(old)
    renamed = set(_renamed(old, new).values())
    inserted = {name for name, _ in _inserted(old, new, _renamed(old, new))}
    return tuple(
        shortened(f"{one.name}={one.default}")
        for one in new
        if one.name not in before and one.name not in renamed | inserted and one.default is not None and _is_public(one)
    )


def _consequence(one: Parameter, old: Sequence[Parameter], new: Sequence[Parameter]) -> str | None:
    """What follows from a parameter that is gone, beyond that it cannot be given."""
    order = _order(old)
    if one.name in order and set(order[order.index(one.name) + 1 :]) & set(_order(new)):
        return "arguments behind it move up"
    takes_any = any(other.kind == "var-keyword" for other in new)
    return "perhaps taken by the ** parameter" if takes_any and one.kind not in _COLLECTING else None


def _named(parameters: Sequence[Parameter]) -> dict[str, Parameter]:
    return {one.name: one for one in parameters}


def _is_public(one: Parameter) -> bool:
    return not one.name.startswith("_")


def _shown(one: Parameter) -> str:
    return f"{_STARS.get(one.kind, '')}{one.name}"


def _renamed(old: Sequence[Parameter], new: Sequence[Parameter]) -> dict[str, str]:
    """Old name → new name, where one of the same kind and default took the same place."""
    before, after = _named(old), _named(new)
    found = {}
    for kind in ("positional-only", "positional", "keyword-only"):
        ours, theirs = ([one for one in side if one.kind == kind] for side in (old, new))
        for one, other in zip(ours, theirs, strict=False):
            is_pair = one.name not in after and other.name not in before
            if is_pair and one.default == other.default and _neighbours_agree(ours, theirs, one, other):
                found[one.name] = other.name
    return found


def _neighbours_agree(ours: Sequence[Parameter], theirs: Sequence[Parameter], one: Parameter, other: Parameter) -> bool:
    """Whether what stands around is the same, or as many are gone as came: else it is an insertion and a removal."""
    if len(ours) == len(theirs):
        return True
    at = ours.index(one)
    rest, their_rest = ours[at + 1 :], theirs[theirs.index(other) + 1 :]
    shared = {each.name for each in rest} & {each.name for each in their_rest}
    follows = [each.name for each in rest[:1]] == [each.name for each in their_rest[:1]]
    return follows if shared else not rest


def _order(parameters: Sequence[Parameter]) -> list[str]:
    return [one.name for one in parameters if one.kind in _BY_PLACE]


def _inserted(old: Sequence[Parameter], new: Sequence[Parameter], renamed: dict[str, str]) -> Iterator[tuple[str, str]]:
    """New positional arguments, each with the first old one that stands behind it."""
    known = [renamed.get(name, name) for name in _order(old)]
    order = _order(new)
    for place, name in enumerate(order):
        # One that could be passed by keyword only until now shifts the others too.
        if name not in known and (behind := [one for one in order[place + 1 :] if one in known]):
            yield name, behind[0]


def _places(old: Sequence[Parameter], new: Sequence[Parameter], renamed: dict[str, str]) -> Iterator[Change]:
    order = _order(new)
    after = _named(new)
    for name, behind in _inserted(old, new, renamed):
        must = ", without a default" if after[name].default is None else ""
        where = f"argument {order.index(name) + 1}, before `{behind}`{must}"
        yield Change(kind=ApiChange.INSERTED, parameter=name, now=where)
    known = [renamed.get(name, name) for name in _order(old)]
    kept = [name for name in known if name in order]
    now = [name for name in order if name in known]
    if kept != now:
        yield Change(kind=ApiChange.MOVED, was=shortened(", ".join(kept)), now=shortened(", ".join(now)))


def _same_parameter(one: Parameter, other: Parameter) -> Iterator[Change]:
    name = other.name
    if one.default is not None and other.default is None and other.kind not in _COLLECTING:
        yield Change(kind=ApiChange.REQUIRED, parameter=name, was=shortened(one.default), now="no default")
    elif one.default is not None and other.default is not None and one.default != other.default:
        was, now = shortened(one.default), shortened(other.default)
        yield Change(kind=ApiChange.DEFAULT, parameter=name, was=was, now=now)
    if one.kind in _BY_PLACE and other.kind == "keyword-only":
        yield Change(kind=ApiChange.KEYWORD_ONLY, parameter=name)
    if one.kind == "positional" and other.kind == "positional-only":
        yield Change(kind=ApiChange.POSITIONAL_ONLY, parameter=name)

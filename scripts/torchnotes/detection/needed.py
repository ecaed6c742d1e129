"""Words without which a file cannot hold what an entry looks for: to look for them is quick, to parse is not."""

from dataclasses import dataclass

from torchnotes.model.detect import (
    ANY_OBJECT,
    AnyDetect,
    DetectAttribute,
    DetectImport,
    DetectKeyword,
    DetectLine,
    DetectSetting,
)


@dataclass(frozen=True, slots=True)
class Needed:
    """Words of a file without which an entry can find nothing.

    However a name is imported, each of its parts is written somewhere: relative imports are not followed.
    """

    names: tuple[tuple[str, ...], ...]
    """Groups of which one must stand there whole, rarest word first."""
    values: tuple[str, ...] = ()
    """Texts of which one must stand there; empty when none must."""


def needed_by(one: AnyDetect) -> Needed:
    """What must stand in a file in which an entry finds anything."""
    if isinstance(one, DetectLine):
        return Needed(())
    if isinstance(one, DetectImport | DetectSetting):
        return Needed((_parts(one.name),))
    besides = _parts(one.beside) if one.beside else ()
    if isinstance(one, DetectKeyword) and one.position is None:
        besides += (one.keyword,)
    groups = [(*_parts(name), *besides) for name in (one.name, *one.other_names)]
    if isinstance(one, DetectAttribute) and one.within:
        groups = [(*_parts(call), *group) for group in groups for call in one.within]
    return Needed(tuple(groups), one.values if isinstance(one, DetectKeyword) else ())


def _parts(name: str) -> tuple[str, ...]:
    return tuple(reversed(name.removeprefix(ANY_OBJECT).split(".")))


def groups_in(needed: Needed, source: str) -> list[tuple[str, ...]]:
    """Names of which all parts stand in a file, be it inside of other words."""
    if needed.values and not any(value in source for value in needed.values):
        return []
    return [parts for parts in needed.names if all(part in source for part in parts)]

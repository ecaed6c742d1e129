"""What changed in the public API between two published wheels: a stored result, written by a program alone.

Names are as Python writes them; defaults and schemas are source text, shortened where they are long.
"""

from typing import Annotated

from pydantic import Field

from torchnotes.model.text import Code, Record, Sha256, Text, Verbatim, VersionText
from torchnotes.terms import ApiChange


class ApiWheel(Record):
    """One of the two wheels."""

    file: Verbatim
    """File name."""
    version: VersionText
    """Its version."""
    sha256: Sha256
    """Hash of the file."""


class ModuleNames(Record):
    """Names of one module."""

    module: Verbatim
    """Dotted name of the module."""
    names: Annotated[tuple[Verbatim, ...], Field(min_length=1)]
    """Names inside it, such as `Adam` or `Adam.step`; sorted. An empty module stands as `*`."""


class Unconfirmed(Record):
    """A name that one witness misses and the other does not."""

    name: Verbatim
    """Dotted name."""
    reason: Text
    """Why its removal is not confirmed."""


class Change(Record):
    """One change of one name."""

    kind: ApiChange
    """What sort of change it is."""
    parameter: Verbatim | None = None
    """The parameter that it is about; absent where it is about the name itself."""
    was: Verbatim | None = None
    """Before: a default, a place, a sort. Absent where there is nothing to say."""
    now: Verbatim | None = None
    """After, in the same words."""


class Changed(Record):
    """A public name that is still there, and changed."""

    name: Verbatim
    """Dotted name by which people import it."""
    defined: Verbatim | None = None
    """Dotted name of the place of its definition, where that is another."""
    changes: Annotated[tuple[Change, ...], Field(min_length=1)]
    """What changed, the gravest first."""


class NewParameters(Record):
    """Parameters that were added behind the others or by keyword, with a default: no old call is concerned."""

    name: Verbatim
    """Dotted name by which people import it."""
    parameters: Annotated[tuple[Verbatim, ...], Field(min_length=1)]
    """Each as `name=default`, in their order."""


class OtherValue(Record):
    """Something with a name that has another value."""

    name: Verbatim
    """Its name."""
    was: Code
    """Before."""
    now: Code
    """After."""


class Differences(Record):
    """What two lists do not have in common."""

    added: tuple[Code, ...] = ()
    """Only in the newer one; sorted."""
    removed: tuple[Code, ...] = ()
    """Only in the older one; sorted."""
    changed: tuple[OtherValue, ...] = ()
    """In both, with another value; sorted by name."""


class ApiDiff(Record):
    """Everything that one comparison found."""

    old: ApiWheel
    """The wheel it starts from: the newest version of the release before."""
    new: ApiWheel
    """The wheel it leads to: the newest version of this release."""
    removed: tuple[ModuleNames, ...] = ()
    """Confirmed removals, by module."""
    unconfirmed: tuple[Unconfirmed, ...] = ()
    """Names that may be gone, sorted."""
    changed: tuple[Changed, ...] = ()
    """Names that changed, sorted."""
    added: tuple[ModuleNames, ...] = ()
    """New names, by module."""
    parameters: tuple[NewParameters, ...] = ()
    """New parameters of names that were there before, sorted."""
    operators: Differences = Differences()
    """ATen operators, each with its schema."""
    variables: Differences = Differences()
    """Environment variables that Python files and headers read."""
    flags: Differences = Differences()
    """Flags of config modules."""
    entry_points: Differences = Differences()
    """Entry points as `group: name = target`."""
    requirements: Differences = Differences()
    """Requirements of the wheel's metadata, and the versions of Python it allows."""

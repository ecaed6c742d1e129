"""Open vocabularies: areas, hardware, devices, and the names of release facts."""

from typing import Annotated

from pydantic import Field, StrictBool

from torchnotes.model.text import Id, Record, Text, Verbatim, unique, whole_number
from torchnotes.terms import Form


class Area(Record):
    """A part of PyTorch."""

    id: Id
    """Permanent id."""
    label: Text
    """As shown to a reader."""
    definition: Text
    """One sentence."""
    aliases: Annotated[tuple[Verbatim, ...], unique] = ()
    """Other words that people type."""
    uses: Annotated[tuple[Id, ...], unique] = ()
    """Areas that one uses whenever one uses this."""


class Areas(Record):
    """All areas, in display order."""

    areas: Annotated[tuple[Area, ...], Field(min_length=1)]
    """In display order."""


class Hardware(Record):
    """A node of the hardware tree."""

    id: Id
    """Permanent id."""
    label: Text
    """As shown to a reader."""
    parent: Id | None
    """The node above; null only for `any`."""
    definition: Text
    """One sentence."""
    capabilities: Annotated[tuple[Verbatim, ...], unique] = ()
    """Compute capabilities or architecture names, such as `sm_90` or `gfx942`."""
    aliases: Annotated[tuple[Verbatim, ...], unique] = ()
    """Other words that people type; device names have their own files."""
    examples: Annotated[tuple[Verbatim, ...], unique] = ()
    """Names of devices of it, or of what is below it, that people look for first; left out where there are few."""
    notes: tuple[Text, ...] = ()
    """What a reader with this hardware should know besides."""


class HardwareTree(Record):
    """All hardware, in display order, parents before children."""

    hardware: Annotated[tuple[Hardware, ...], Field(min_length=1)]
    """In display order, parents before children."""


class Device(Record):
    """A product that people own."""

    name: Verbatim
    """As its maker writes it."""
    hardware: Id
    """Family it belongs to."""
    capability: Verbatim
    """`sm_90`, `gfx942`, an ahead-of-time target, or a Metal GPU family."""
    aliases: Annotated[tuple[Verbatim, ...], unique] = ()
    """Other ways to type it."""
    form: Form
    """What sort of machine it sits in."""
    year: Annotated[int, Field(ge=2010, le=2030), whole_number] | None
    """Year in which it appeared; null when not known."""
    year_checked: StrictBool
    """Whether a public table gives the same year."""
    sources: Annotated[tuple[Id, ...], unique]
    """Ids from `data/sources.yaml` that give this capability; empty = not confirmed."""
    note: Text | None = None
    """What is particular about it."""


class Disagreement(Record):
    """Sources that do not agree about a product."""

    about: Text
    """The product."""
    says: Text
    """Who says what."""
    chosen: Text
    """What this knowledge base takes, and why."""


class AmbiguousName(Record):
    """A name that people type for more than one product."""

    typed: Verbatim
    """What is typed."""
    candidates: Annotated[tuple[Verbatim, ...], Field(min_length=2)]
    """Device names or hardware ids it can mean."""
    note: Text | None = None
    """How to tell them apart."""


class Devices(Record):
    """The devices of one vendor."""

    vendor: Text
    """The maker."""
    devices: Annotated[tuple[Device, ...], Field(min_length=1)]
    """By family and age."""
    ambiguous: tuple[AmbiguousName, ...] = ()
    """Names for more than one product."""
    disagreements: tuple[Disagreement, ...] = ()
    """Where sources do not agree."""
    not_covered: tuple[Text, ...] = ()
    """What is left out on purpose."""


class FactName(Record):
    """A row of the compatibility table."""

    id: Id
    """Permanent id."""
    label: Text
    """As shown to a reader."""
    group: Text
    """Heading under which it stands."""
    definition: Text
    """One sentence."""
    in_plans: StrictBool = True
    """Whether an upgrade plan shows it where it changes."""


class FactNames(Record):
    """All rows, in display order."""

    facts: Annotated[tuple[FactName, ...], Field(min_length=1)]
    """In display order."""

"""The migration note: what the reader has to do."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Discriminator, Field, StrictBool, Tag
from pydantic_core import PydanticCustomError

from torchnotes.model.detect import AnyDetect
from torchnotes.model.text import Bounds, Code, Record, ReleaseText, SourceRef, Text, VersionText, unique
from torchnotes.terms import Action, Language, Needs, Visibility


def _none_alone(visibility: tuple[Visibility, ...]) -> tuple[Visibility, ...]:
    if Visibility.NONE in visibility and len(visibility) > 1:
        raise PydanticCustomError("none_beside_others", "holds `none` beside other words")
    return visibility


Visibilities = Annotated[tuple[Visibility, ...], Field(min_length=1), unique, AfterValidator(_none_alone)]


class CodeExample(Record):
    """A piece of code as one would really write it."""

    language: Language
    """Language of the code. Python must parse."""
    code: Code
    """The code, complete enough to copy."""


class Example(CodeExample):
    """A piece of code that belongs to a version."""

    runnable: StrictBool = False
    """Whether it runs by itself, and to its end, on any machine with torch installed."""


class Probe(CodeExample):
    """One or two lines that tell whether one has it here."""

    needs: Needs
    """What it must run on: `cpu`, `cuda`, `mps` or `xpu`."""


class Expiry(Record):
    """The release in which something goes, and who says so."""

    version: ReleaseText
    """The release without it, such as "2.16" (in quotes)."""
    basis: SourceRef
    """The source that says so: an id of `data/sources.yaml`, or `owner/name#number`."""


def _release_or_word(value: Any) -> str:
    return "word" if value in ("never", "unknown", "stays") else "release"


Until = Annotated[
    Annotated[Expiry, Tag("release")] | Annotated[Literal["never", "unknown", "stays"], Tag("word")],
    Discriminator(_release_or_word),
]
GoesIn = Annotated[
    Annotated[Expiry, Tag("release")] | Annotated[Literal["unknown"], Tag("word")], Discriminator(_release_or_word)
]


class KeepOld(Record):
    """The way back to the old behaviour."""

    how: Text
    """What to set or call."""
    code: Example | None = None
    """The same as code, where code says it better."""
    cost: Text
    """What one gives up by it."""
    until: Until
    """The release in which the way back goes, with its basis; `never`; `stays` where it is to stay on a version, which does
    not go; or `unknown`."""


class GoingBack(Record):
    """What to do for who goes back to some versions."""

    to: Bounds | None = None
    """PyTorch versions that one goes back to, such as `<2.14`; left out where it holds for every older one."""
    do: Text
    """What these versions cannot read or run, and what to do."""


class NoAction(Record):
    """A note that says why nothing is to be done."""

    action: Literal[Action.NONE]
    """`none`."""
    reason: Text
    """Why nothing is to be done."""
    visibility: Visibilities
    """How the change shows itself to who does nothing; several where it shows in several ways."""
    before: Example | None = None
    """How it was written for the version before, where that differs."""
    after: Example | None = None
    """How it is written for this version, where that differs."""
    keep_old: KeepOld | None = None
    """The way back, where there is one."""
    going_back: tuple[GoingBack, ...] = ()
    """What an older version cannot read or run of this one, and what to do; only where something must be done."""


class StepsMigration(Record):
    """What every note with steps says."""

    written_last: ClassVar[tuple[str, ...]] = ("detect",)

    action: Action
    """`required`, `recommended` or `optional`."""
    visibility: Visibilities
    """How the change shows itself to who does nothing; several where it shows in several ways."""
    applies_when: Text
    """Who is concerned, as a condition that a reader can decide."""
    steps: Annotated[tuple[Text, ...], Field(min_length=1, max_length=8)]
    """What to do, one imperative sentence each."""
    before: Example | None = None
    """Code that is valid for the version before."""
    after: Example | None = None
    """Code that is valid for this version."""
    keep_old: KeepOld | None = None
    """The way back to the old behaviour, where there is one."""
    going_back: tuple[GoingBack, ...] = ()
    """What an older version cannot read or run of this one, and what to do; only where something must be done."""
    possible_from: VersionText
    """Earliest published version in which the steps can be taken."""
    detect: tuple[AnyDetect, ...] = ()
    """How code that is concerned looks, for `torchnotes scan`."""


class OfferedSteps(StepsMigration):
    """A note with steps that one may leave."""

    action: Literal[Action.RECOMMENDED, Action.OPTIONAL]
    """`recommended` or `optional`."""


class RequiredSteps(StepsMigration):
    """A note with steps that whoever is concerned must take."""

    action: Literal[Action.REQUIRED]
    """`required`."""
    required_by: VersionText
    """Published version from which one cannot do without."""


Migration = Annotated[NoAction | RequiredSteps | OfferedSteps, Field(discriminator="action")]

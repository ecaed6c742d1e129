"""Where a statement comes from."""

from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag

from torchnotes.model.text import Record, Repository, SourceRef, Text, whole_number
from torchnotes.terms import SourceRole, SourceType


class SharedSourceUse(Record):
    """A source that many records share, named by its id."""

    source: SourceRef
    """Id from `data/sources.yaml`, such as `article-2.15`."""
    says: Text
    """What that source states about this feature, in our words."""


class UpstreamSource(Record):
    """A pull request or an issue."""

    repo: Repository
    """Owner and name, such as `pytorch/pytorch`."""
    type: SourceType
    """`pull` or `issue`."""
    number: Annotated[int, Field(ge=1), whole_number]
    """Its number. The address is built from it."""
    title: Text
    """Its title upstream, as it stands there."""
    role: SourceRole
    """What it is to this feature: `change`, `report` or `background`."""
    says: Text
    """What it states or does, in our words."""

    @property
    def ref(self) -> str:
        """The name by which other fields refer to it: `owner/name#number`."""
        return f"{self.repo}#{self.number}"

    @property
    def url(self) -> str:
        """Its address."""
        page = "pull" if self.type is SourceType.PULL else "issues"
        return f"https://github.com/{self.repo}/{page}/{self.number}"


def _which(value: Any) -> str:
    if isinstance(value, dict):
        return "upstream" if "source" not in value and {"repo", "type", "number"} & value.keys() else "shared"
    return "shared" if isinstance(value, SharedSourceUse) else "upstream"


Source = Annotated[
    Annotated[SharedSourceUse, Tag("shared")] | Annotated[UpstreamSource, Tag("upstream")], Discriminator(_which)
]

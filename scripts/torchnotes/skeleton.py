"""The text of a new feature file: everything is there but what only a person knows."""

from typing import Any

from torchnotes.terms import Action, Kind
from torchnotes.yaml_source import dump

_KIND_FIELDS: dict[Kind, dict[str, Any]] = {
    Kind.DEFAULT_CHANGE: {"change": {"of": "", "before": "", "after": ""}},
    Kind.REQUIREMENT: {"change": {"of": "", "before": "", "after": ""}},
}


def skeleton(version: str, kind: Kind, action: Action) -> str:
    """A record with empty texts. ``torchnotes check`` then names everything that is still to be written.

    A field for which nothing is an answer (null) is left out, so that nobody says "there is none" unasked.
    """
    if action is Action.NONE:
        migration: dict[str, Any] = {"action": str(action), "reason": "", "visibility": [""]}
    else:
        migration = {
            "action": str(action),
            "visibility": [""],
            "applies_when": "",
            "steps": [""],
            "possible_from": version,
        }
        if action is Action.REQUIRED:
            migration["required_by"] = version
    values: dict[str, Any] = {
        "title": "",
        "version": version,
        "kind": str(kind),
        "areas": [""],
        "hardware": [""],
        "stability": "",
        "summary": "",
        "migration": migration,
        "sources": [{"repo": "pytorch/pytorch", "type": "pull", "number": "", "title": "", "role": "", "says": ""}],
        **_KIND_FIELDS.get(kind, {}),
    }
    if kind is not Kind.KNOWN_ISSUE:
        # The usual one: a name that the version brings.
        entry = {"proves": "headline", "kind": "export", "name": "", "present_in": [version], "wheel": "any"}
        values["evidence"] = [entry]
    if kind is Kind.KNOWN_ISSUE:
        values["affects"] = {"seen_in": [version]}
        values["confirmed"] = ""
    if kind is Kind.PERFORMANCE:
        claim = {"metric": "", "value": ""}
        values["performance"] = [{**claim, "hardware": [""], "claimed_by": "", "source": ""}]
    return dump(values)

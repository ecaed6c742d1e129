"""The JSON Schema of ``features.json``: the model's own, seen from the side of a reader."""

from typing import Any

from pydantic import TypeAdapter

from torchnotes.model import Proof, Run, feature_adapter
from torchnotes.terms import Grade

COMPUTED: dict[str, Any] = {
    "id": {"type": "string", "description": "Permanent id."},
    "release": {"type": "string", "description": "Minor release, such as 2.15."},
    "url": {"type": "string", "description": "Address of the page, relative to the site's root."},
    "grade": {"enum": [str(grade) for grade in Grade], "description": "How sure the headline is."},
    "is_silent": {"type": "boolean", "description": "Whether the change shows itself by no message."},
    "applies_to": {
        "type": "array",
        "items": {"type": "string"},
        "description": "Every hardware id for which the record is shown.",
    },
    "proofs": {
        "type": "array",
        "items": {"anyOf": [{"$ref": "#/$defs/Proof"}, {"type": "null"}]},
        "description": "The stored proof of each entry under `evidence`, in its order; null where it was not compared.",
    },
    "runs": {
        "type": "array",
        "items": {"$ref": "#/$defs/Run"},
        "description": "What became of the record's code when it was run.",
    },
}


def features_schema(schema_version: int) -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of ``features.json``."""
    authored = feature_adapter().json_schema(by_alias=True, mode="serialization")
    definitions = authored.pop("$defs")
    stored = TypeAdapter(Proof | Run).json_schema(by_alias=True, mode="serialization")
    definitions |= stored["$defs"]
    for name in {reference.rsplit("/", 1)[-1] for reference in authored["discriminator"]["mapping"].values()}:
        shape = definitions[name]
        shape["properties"] = {**COMPUTED, **shape["properties"]}
        shape["required"] = sorted({*shape.get("required", ()), *COMPUTED})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "torchnotes features.json",
        "type": "object",
        "required": ["schema_version", "generated_from", "features"],
        "properties": {
            "schema_version": {"const": schema_version},
            "generated_from": {"type": "string"},
            "features": {"type": "array", "items": authored},
        },
        "$defs": definitions,
    }

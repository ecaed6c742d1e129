"""The JSON Schema of a feature file, for editors. A pure function of the model."""

import json
from functools import cache
from typing import Any

from torchnotes.model import feature_adapter

SCHEMA_PATH = "data/schema/feature.schema.json"
"""Where the committed copy lies, from the project's root."""


def feature_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of one feature file."""
    schema = feature_adapter().json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "torchnotes feature", **schema}


@cache
def schema_text() -> str:
    """The schema as the committed file holds it."""
    return json.dumps(feature_schema(), indent=2, ensure_ascii=False, sort_keys=True) + "\n"

"""The ATen operators that a wheel declares, with their schemas, from its generated headers.

Text only: refuses to parse what a schema means. Operators that a library registers by itself are in no header, and
are not seen.
"""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from torchnotes.wheel.archive import Archive

_HEADER = re.compile(r"[^/]+/include/ATen/ops/[^/]+_ops\.h")
_STRUCT = re.compile(
    r'\bname\s*=\s*"(?P<name>[^"\\]+)"\s*;'
    r'(?:(?!\bstruct\b).)*?\bschema_str\s*=\s*(?P<schema>"(?:[^"\\]|\\.)*")\s*;',
    re.DOTALL,
)
_NAME = re.compile(r"[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)?")


def operators(archive: Archive) -> Mapping[str, str]:
    """Operator with its overload, such as ``aten::linalg_qr.out`` → its whole schema; sorted by name.

    Empty for a wheel without headers. Raises ``WheelError`` when a header cannot be read.
    """
    found = dict(
        pair for path in sorted(archive.names) if _HEADER.fullmatch(path) for pair in _operators_of(archive.text(path))
    )
    return MappingProxyType(dict(sorted(found.items())))


def _operators_of(source: str) -> Iterator[tuple[str, str]]:
    for match in _STRUCT.finditer(source):
        namespace, separator, _ = match["name"].partition("::")
        schema = _unescaped(match["schema"][1:-1])
        # The schema has the overload in its name, which the member `name` lacks.
        if separator and (name := _NAME.match(schema)):
            yield f"{namespace}::{name.group()}", schema


def _unescaped(literal: str) -> str:
    """What a C++ string literal stands for, as far as a schema needs it."""
    return re.sub(r"\\(.)", r"\1", literal, flags=re.DOTALL)

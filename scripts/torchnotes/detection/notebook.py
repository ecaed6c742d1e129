"""The Python cells of a Jupyter notebook as one source, and where each of its lines stands in the file."""

import json
import re
from collections.abc import Iterator

_MAGIC = re.compile(r"\s*[%!?]|.*\?\s*$")


def code_of_notebook(text: str) -> tuple[str, list[int]]:
    """Lines of all cells and their numbers in the file; raises ValueError when the text is no notebook."""
    lines = list(_lines(json.loads(text)))
    return "\n".join(lines), _numbers(lines, text)


def without_magic(source: str) -> str:
    """The same lines, without those that IPython takes for itself."""
    return "\n".join("" if _MAGIC.match(line) else line for line in source.split("\n"))


def _lines(notebook: object) -> Iterator[str]:
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    for cell in cells if isinstance(cells, list) else []:
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        source = cell.get("source", "")
        whole = "".join(map(str, source)) if isinstance(source, list) else str(source)
        if not whole.startswith("%%"):
            yield from whole.split("\n")


def _numbers(lines: list[str], text: str) -> list[int]:
    """Notebooks are written with a line of the file for each line of a cell; where they are not, 1."""
    written = [one.strip().removesuffix(",") for one in text.split("\n")]
    numbers: list[int] = []
    at = 0
    for line in lines:
        forms = {json.dumps(end, ensure_ascii=plain) for end in (line, f"{line}\n") for plain in (True, False)}
        place = next((index for index in range(at, len(written)) if written[index] in forms), None) if line else None
        at = at if place is None else place + 1
        numbers.append(1 if place is None else place + 1)
    return numbers

"""What a file is taken for, by its name, or by its first line where the name says nothing."""

import posixpath
import re

from torchnotes.terms import FileSort

_ENDINGS = {
    **dict.fromkeys((".py", ".pyi", ".pyw"), FileSort.PYTHON),
    ".ipynb": FileSort.NOTEBOOK,
    **dict.fromkeys((".sh", ".bash", ".zsh", ".ksh", ".env", ".envrc", ".sbatch", ".slurm", ".mk"), FileSort.SHELL),
    **dict.fromkeys((".yaml", ".yml"), FileSort.YAML),
    ".dockerfile": FileSort.DOCKERFILE,
    ".cmake": FileSort.CMAKE,
    **dict.fromkeys(
        (".c", ".cc", ".cpp", ".cxx", ".cu", ".cuh", ".h", ".hh", ".hpp", ".hxx", ".hip", ".inl"), FileSort.CPP
    ),
}
_NAMES = (
    (re.compile(r"(.*/)?setup\.py"), FileSort.SETUP),
    (re.compile(r"(.*/)?([^/]*(requirements|constraints)[^/]*|requirements/[^/]+)\.(txt|in)"), FileSort.REQUIREMENTS),
    (re.compile(r"(.*/)?(pyproject\.toml|setup\.cfg|tox\.ini|pipfile)"), FileSort.PROJECT),
    (re.compile(r"(.*/)?(dockerfile|containerfile)([.\-_][^/]*)?"), FileSort.DOCKERFILE),
    (re.compile(r"(.*/)?cmakelists\.txt"), FileSort.CMAKE),
    (re.compile(r"(.*/)?(gnu)?(makefile|justfile|\.env(\.[^/]*)?|\.envrc)"), FileSort.SHELL),
)
_FIRST_LINES = (
    (re.compile(r"#!.*\bpython[0-9.]*\b"), FileSort.PYTHON),
    (re.compile(r"#!.*\b(ba|z|k|da)?sh\b"), FileSort.SHELL),
)


def sort_of(path: str, first_line: str = "") -> FileSort | None:
    """The sort of a file, or None when nothing in it is looked for. ``path`` has forward slashes."""
    lower = path.lower()
    ending = posixpath.splitext(posixpath.basename(lower))[1]
    by_ending = _ENDINGS.get(ending)
    for pattern, sort in _NAMES:
        # "dockerfile_parse.py" is Python, whatever it begins with; "setup.py" is more than that.
        if pattern.fullmatch(lower) and (
            by_ending is None or sort is FileSort.SETUP or ending == lower.rpartition("/")[2]
        ):
            return sort
    if ending:
        return by_ending
    return next((sort for pattern, sort in _FIRST_LINES if pattern.match(first_line)), None)


def is_named(path: str) -> bool:
    """Whether the name alone tells the sort, or tells that there is none."""
    return bool(posixpath.splitext(posixpath.basename(path))[1]) or sort_of(path) is not None

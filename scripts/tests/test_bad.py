"""The specification of the checker: one mistake per file of ``bad/``, and exactly the lines that it gives.

A file says ``what`` the mistake is, at which ``path`` below ``data/`` it is made, and the ``expected`` lines.
The mistake itself is one of:

- ``change`` (field → new value) and ``remove`` (fields), applied to the base file at ``path``, or at ``from``;
- ``text`` (the whole file), written ``times`` times, as ``encoding`` (UTF-8 when left out);
- ``link`` (what a symbolic link points to), ``folder: true``, or ``missing: true`` (taken away).
"""

import ast
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from builders import REMOVED, changed, write_base

import torchnotes
from torchnotes.checks import problems_below

BAD = Path(__file__).parent / "bad"
FIXTURES = sorted(BAD.glob("*.yaml"))


def make_mistake(root: Path, fixture: dict[str, Any]) -> None:
    target = root / "data" / fixture["path"]
    target.parent.mkdir(parents=True, exist_ok=True)
    if "text" in fixture:
        text = fixture["text"] * fixture.get("times", 1)
        target.write_bytes(text.encode(fixture.get("encoding", "utf-8")))
    elif "link" in fixture:
        target.symlink_to(fixture["link"])
    elif "folder" in fixture:
        target.mkdir()
    elif "missing" in fixture:
        shutil.rmtree(target) if target.is_dir() else target.unlink()
    else:
        changes = {**fixture.get("change", {}), **dict.fromkeys(fixture.get("remove", []), REMOVED)}
        values = changed(fixture.get("from", fixture["path"]), changes)
        write_base(root, **{fixture["path"]: values})


@pytest.mark.parametrize("file", FIXTURES, ids=lambda file: file.stem)
def test_mistake_gives_exactly_its_lines(file: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    text = file.read_text(encoding="utf-8")
    fixture = yaml.safe_load(text)
    make_mistake(write_base(tmp_path), fixture)
    found = [str(problem) for problem in problems_below(tmp_path)]
    if request.config.getoption("--update"):
        mistake = text.partition("\nexpected:")[0]
        lines = yaml.safe_dump({"expected": found}, allow_unicode=True, width=1000)
        file.write_text(f"{mistake}\n{lines}", encoding="utf-8")
    assert found == fixture["expected"]


def _rules(tree: ast.AST) -> Iterator[str]:
    """Rule ids in a module: what ``Problem``, ``at`` and their like are given, and the tables named ``_RULES``."""
    place = {"Problem": 5, "at": 4, "_complain": 2, "complain": 3}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            given = node.args[place[name]] if name in place and len(node.args) > place[name] else None
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
            given = node.value.elts[2] if len(node.value.elts) == 3 else None
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_RULES":
            yield from ast.literal_eval(node.value).values()
            continue
        else:
            continue
        if isinstance(given, ast.Constant):
            yield str(given.value)


def rules_in_code() -> set[str]:
    sources = Path(torchnotes.__file__).parent
    files = [sources / f"{name}.py" for name in ("yaml_source", "messages", "reading")]
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in [*files, *(sources / "checks").glob("*.py")]]
    return {rule for tree in trees for rule in _rules(tree)}


def test_every_rule_has_a_bad_fixture() -> None:
    lines = [line for file in FIXTURES for line in yaml.safe_load(file.read_text(encoding="utf-8"))["expected"]]
    assert rules_in_code() == {line.rpartition("[")[2].removesuffix("]") for line in lines}


def test_base_has_no_problem(base: Path) -> None:
    assert problems_below(base) == []

"""House rules of the code, held by reading the code."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import material
import pytest
from test_bad import rules_in_code

from torchnotes import terms
from torchnotes.checks import CHECKS, LAYOUT_CHECKS, PROOF_CHECKS
from torchnotes.model import FEATURE_KINDS
from torchnotes.opendata.schema import COMPUTED
from torchnotes.pages.fields import field_groups, term_groups

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "scripts" / "torchnotes"
CONTRIBUTING = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")

STAGES = (
    {"problem"},
    {"yaml_source", "writing", "wheel", "progress"},
    {"terms"},
    {"model"},
    {"messages"},
    {"schema", "skeleton", "detection"},
    {"reading"},
    {"formatting"},
    {"library", "links"},
    {"published", "apidiff", "explained"},
    {"checks", "reach"},
    {"plan"},
    {"index"},
    {"pages", "opendata", "scan", "proof"},
    {"rendered", "lifted"},
    {"cli", "plugin"},
    {"__main__"},
    {"bench"},
)
"""A module may import from its own stage's part and from earlier stages only."""


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).parts[0].removesuffix(".py"), path


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def stage_of(part: str) -> int:
    return next(index for index, stage in enumerate(STAGES) if part in stage)


def test_every_module_has_a_stage() -> None:
    parts = {part for part, _ in modules()} - {"__init__"}
    assert parts == set().union(*STAGES)


def test_imports_point_only_to_earlier_stages() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {target}"
        for part, path in modules()
        if part != "__init__"
        for target in imports_of(path)
        if target.startswith("torchnotes.")
        and (other := target.split(".")[1]) != part
        and (PACKAGE / other).with_suffix(".py").exists() | (PACKAGE / other).is_dir()
        and stage_of(other) >= stage_of(part)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("library", "allowed"), [("mkdocs", {"plugin"}), ("yaml", {"yaml_source"}), ("jinja2", {"pages"})]
)
def test_a_library_is_imported_in_one_place(library: str, allowed: set[str]) -> None:
    found = {part for part, path in modules() if any(name.split(".")[0] == library for name in imports_of(path))}
    assert found == allowed


def test_the_plugin_stays_glue() -> None:
    assert len((PACKAGE / "plugin.py").read_text(encoding="utf-8").splitlines()) <= 100


def test_every_module_says_what_it_is_for() -> None:
    silent = [str(path) for _, path in modules() if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]
    assert silent == []


def test_nothing_runs_on_import() -> None:
    """Module level holds definitions, constants and imports, no bare calls."""
    running = [
        f"{path.name}:{node.lineno}"
        for _, path in modules()
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Expr)
        and not isinstance(node.value, ast.Constant)
        and "add_representer" not in ast.unparse(node)
    ]
    assert running == []


def test_every_field_has_a_meaning() -> None:
    silent = [
        f"{group.title}.{row.name}" for group in field_groups(FEATURE_KINDS) for row in group.rows if not row.meaning
    ]
    assert silent == []


def test_every_word_has_a_label_and_a_sentence() -> None:
    for group in term_groups():
        for term in group.terms:
            assert term.label, term
            assert term.definition.endswith("."), term


def test_every_rule_is_explained_to_contributors() -> None:
    table = CONTRIBUTING.split("## Rules")[1].split("## Dependencies")[0]
    assert rules_in_code() == set(re.findall(r"`([a-z0-9-]+)`", table.split("|---|---|")[1]))


def test_each_check_is_listed_once() -> None:
    defined = {
        node.name
        for path in (PACKAGE / "checks").glob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("check_")
    }
    listed = [check.__name__ for check in CHECKS + LAYOUT_CHECKS + PROOF_CHECKS]
    assert sorted(listed) == sorted(defined)


def test_each_dependency_has_its_reason_and_an_exact_pin() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    pins = [
        *project["project"]["dependencies"],
        *(pin for group in project["dependency-groups"].values() for pin in group),
    ]
    names = {pin.split("==")[0] for pin in pins}
    assert all("==" in pin for pin in pins)
    table = CONTRIBUTING.split("## Dependencies")[1]
    assert names == set(re.findall(r"`([a-z0-9-]+)`", table.split("The lock file")[0]))


def test_the_lock_file_names_no_index_and_hashes_everything() -> None:
    lock = (ROOT / "scripts" / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in lock
    assert "--index-url" not in lock
    for block in re.split(r"\n(?=[a-z])", lock.strip()):
        assert "--hash=sha256:" in block, block.splitlines()[0]


def test_scripts_and_styles_hold_no_domain_word() -> None:
    """A hardware or area id in the browser's code would be a second home for it."""
    words = {str(word) for word in (*terms.Build, *terms.Needs)} | {"nvidia", "hopper", "apple-silicon", "nccl"}
    found = [
        f"{path.name}: {word}"
        for path in sorted((ROOT / "docs" / "assets").rglob("*.js"))
        for word in words
        if re.search(rf"\b{word}\b", path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_templates_hold_no_inline_script_or_style() -> None:
    for path in sorted((PACKAGE / "pages" / "templates").glob("*.j2")):
        assert not re.search(r"<script|<style|style=|\son[a-z]+=", path.read_text(encoding="utf-8")), path.name


def test_what_is_imported_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    declared = {pin.split("==")[0].replace("-", "_") for pin in project["project"]["dependencies"]}
    names = {"pyyaml": "yaml"}
    declared = {names.get(one, one) for one in declared} | set(sys.stdlib_module_names) | {"torchnotes"}
    used = {(name.split(".")[0], part) for part, path in modules() for name in imports_of(path)}
    # The benchmark drives a browser, with what the tests drive it with.
    assert {name for name, part in used if (name, part) != ("playwright", "bench")} - declared == set()


def test_no_authored_field_has_the_name_of_a_computed_one() -> None:
    assert COMPUTED.keys() & {name for kind in FEATURE_KINDS for name in kind.model_fields} == set()


@pytest.mark.parametrize("group", ["Action", "Kind", "Grade", "Runs"])
def test_every_word_has_its_own_look(group: str) -> None:
    """A shape of its own, since colour alone carries no meaning."""
    css = (ROOT / "docs" / "assets" / "stylesheets" / "torchnotes.css").read_text(encoding="utf-8")
    words = {f"{group.lower()}-{term.value}" for term in getattr(terms, group)}
    assert words == set(re.findall(rf"\.tn-({group.lower()}-[a-z-]+)\b", css))


def test_what_the_theme_override_changes_is_still_there() -> None:
    """The override changes two pieces of Material's own parts, and would do nothing if they were gone."""
    parts = Path(material.__file__).parent / "templates" / "partials"
    assert (parts / "header.html").read_text(encoding="utf-8").count("</nav>") == 1
    assert 'data-md-component="source"' in (parts / "source.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("script", ["serve.sh", "test.sh", "build.sh"])
def test_scripts_work_from_any_folder(script: str) -> None:
    """`.` keeps the caller's folder, so each script goes to the project's root before it sources the environment."""
    lines = (ROOT / "scripts" / script).read_text(encoding="utf-8").splitlines()
    assert lines.index('cd -- "$(dirname -- "$0")/.."') < lines.index(". scripts/environment.sh")


def test_html_in_templates_stands_in_html() -> None:
    """Text that is escaped for HTML is not escaped for Markdown, so it may stand only in a line that begins with a tag."""
    wrong = [
        f"{path.name}:{number}"
        for path in sorted((PACKAGE / "pages" / "templates").glob("*.j2"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(r"\|html\b|parts\.(links?|outside)\(", line)
        and not re.sub(r"^(\s|{%.*?%})*", "", line).startswith("<")
    ]
    assert wrong == []


def test_every_class_has_a_style_and_every_style_a_use() -> None:
    assets = ROOT / "docs" / "assets"
    css = "".join(path.read_text(encoding="utf-8") for path in sorted((assets / "stylesheets").glob("*.css")))
    sheets = [
        *(PACKAGE / "pages" / "templates").glob("*.j2"),
        *(ROOT / "docs" / ".overrides").glob("*.html"),
        *(assets / "javascripts").rglob("*.js"),
    ]
    used = {
        name
        for path in sheets
        for name in re.findall(r"\btn-[a-z_-]+[a-z]\b", _without_elements(path.read_text(encoding="utf-8")))
    }
    # Those of words are made from the word, and have a test of their own.
    made = re.compile(r"tn-(action|kind|grade|runs)\b")
    styled = {name for name in re.findall(r"\.(tn-[a-z_-]+)", css) if not made.match(name)}
    assert {name for name in used if not made.match(name)} == styled


def _without_elements(text: str) -> str:
    """Text without the names of custom elements, which look like classes."""
    return re.sub(r"</?tn-[a-z-]+|\bdefine\(\"tn-[a-z-]+", "", text)


def test_no_file_holds_a_path_of_one_machine() -> None:
    """Neither in code nor in what tests read: what is made up for a test needs no such path either."""
    local = re.compile(r"(?<![\w.~:/-])/(?:work|root|home|tmp|Users)/[\w.~-]")
    kept = [ROOT / "README.md", ROOT / "mkdocs.yml", ROOT / "pyproject.toml", *(ROOT / ".ci").iterdir()]
    folders = (ROOT / name for name in ("data", "docs", "scripts", ".github"))
    files = [*kept, *(path for folder in folders for path in folder.rglob("*") if path.is_file())]
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in files
        if path.suffix != ".pyc"
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1)
        if local.search(line)
    ]
    assert found == []

"""Which files below a folder git would ignore: nested ``.gitignore`` files, and ``.git/info/exclude``.

Refuses to run git and to read a user's own settings.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec


@dataclass(frozen=True, slots=True)
class Ignoring:
    """The rules that hold in one folder: its own, and those of the folders above it."""

    folder: Path
    rules: GitIgnoreSpec | None
    """Its own rules."""
    above: "Ignoring | None" = None

    def below(self, name: str) -> "Ignoring":
        """The rules for a folder inside this one."""
        folder = self.folder / name
        rules = _rules_in(folder / ".gitignore")
        # A folder without rules of its own is not asked again and again, however deep it lies.
        return Ignoring(folder, rules, self) if rules else self

    def ignores(self, path: Path, *, is_folder: bool) -> bool:
        """Whether something below the folder is ignored. The nearest rule that says anything decides."""
        level: Ignoring | None = self
        while level is not None:
            if level.rules is not None:
                inside = path.relative_to(level.folder).as_posix() + ("/" if is_folder else "")
                decided = level.rules.check_file(inside).include
                if decided is not None:
                    return decided
            level = level.above
        return False


def ignoring_in(folder: Path) -> Ignoring:
    """The rules for a folder, those of the repository around it among them, unless they ignore the folder itself."""
    way = [folder, *folder.parents]
    top = next((index for index, one in enumerate(way) if (one / ".git").exists()), 0)
    outermost = way[top]
    exclude = _rules_in(outermost / ".git" / "info" / "exclude")
    rules = Ignoring(outermost, _joined(exclude, _rules_in(outermost / ".gitignore")))
    for one in reversed(way[:top]):
        own = _rules_in(one / ".gitignore")
        if rules.ignores(one, is_folder=True):
            # Somebody named it all the same, such as an installed package.
            rules = Ignoring(one, own)
        elif own:
            rules = Ignoring(one, own, rules)
    return rules


def _joined(weaker: GitIgnoreSpec | None, stronger: GitIgnoreSpec | None) -> GitIgnoreSpec | None:
    return weaker + stronger if weaker and stronger else stronger or weaker


def _rules_in(file: Path) -> GitIgnoreSpec | None:
    try:
        text = file.read_bytes().decode(errors="surrogateescape")
    except OSError:
        return None
    lines = list(_usable(text.split("\n")))
    return GitIgnoreSpec.from_lines(lines) if lines else None


def _usable(lines: list[str]) -> Iterator[str]:
    """Lines that are rules; git passes over what is none, and so do we."""
    for line in lines:
        rule = line.rstrip("\r")
        if not rule.strip() or rule.startswith("#"):
            continue
        try:
            GitIgnoreSpec.from_lines([rule])
        except ValueError:
            continue
        yield rule

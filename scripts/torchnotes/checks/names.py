"""Ids, titles and aliases: one name, one thing."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from torchnotes.checks.place import at
from torchnotes.library import Library
from torchnotes.messages import offer
from torchnotes.problem import Problem
from torchnotes.reading import Contents, Read
from torchnotes.yaml_source import Location

MOST_ID_CHARACTERS = 60
"""Long enough for a name that says it, short enough for an address that one can read aloud."""
ID_FORM = f"lower-case words joined by hyphens, {MOST_ID_CHARACTERS} characters at most"
RESERVED = {"all", "index", "install"}
"""Names of pages of their own, below /features/ and its like, and of the step that every plan has."""


def why_not_an_id(word: str) -> str:
    """Why a word cannot be a feature's id; empty when it can."""
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", word) or len(word) > MOST_ID_CHARACTERS:
        return f"'{word}' is not a usable id"
    return f"'{word}' is taken by the site itself" if word in RESERVED else ""


def check_feature_ids(contents: Contents, _library: Library) -> Iterator[Problem]:
    """A file name is the record's id and its address, so it must be one for ever."""
    for read in contents.features:
        if reason := why_not_an_id(read.id):
            yield at(read, (), reason, f"Rename the file: {ID_FORM}.", "feature-id")


def check_unique_ids(contents: Contents, _library: Library) -> Iterator[Problem]:
    """An id is used once, whatever the release."""
    first: dict[str, Read[Any]] = {}
    for read in contents.features:
        if read.id in first:
            what = f"the id '{read.id}' is taken by {first[read.id].document.path}"
            yield at(read, (), what, "Rename one of the two files.", "duplicate-id")
        first.setdefault(read.id, read)
    for single, key in ((contents.areas, "areas"), (contents.hardware, "hardware"), (contents.fact_names, "facts")):
        if single is not None:
            yield from _repeated(single, key, getattr(single.record, key))
            for index, item in enumerate(getattr(single.record, key)):
                if item.id in RESERVED:
                    what = f"'{item.id}' is taken by the site itself"
                    yield at(single, (key, index, "id"), what, "Choose another id.", "feature-id")
    if contents.sources is not None:
        yield from _repeated(contents.sources, "sources", contents.sources.record.sources)
    for release in contents.releases:
        yield from _repeated(release, "facts", release.record.facts)
        yield from _repeated(release, "events", release.record.events)
    names: dict[str, str] = {}
    for read in contents.devices:
        for index, device in enumerate(read.record.devices):
            if device.name in names:
                what = f"the device '{device.name}' is in {names[device.name]} already"
                yield at(read, ("devices", index, "name"), what, "Keep one.", "duplicate-id")
            names.setdefault(device.name, read.document.path)


def _repeated(read: Read[Any], key: str, items: Any) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, item in enumerate(items):
        if item.id in seen:
            yield at(read, (key, index, "id"), f"the id '{item.id}' is there twice", "Keep one.", "duplicate-id")
        seen.add(item.id)


def check_unique_titles(contents: Contents, _library: Library) -> Iterator[Problem]:
    """Two records with one title cannot be told apart in a list."""
    first: dict[str, Read[Any]] = {}
    for read in contents.features:
        title = _alike(read.record.title)
        if title in first:
            what = f"the same title as {first[title].document.path}"
            yield at(read, ("title",), what, "Say what is particular about each.", "duplicate-title")
        first.setdefault(title, read)


def _alike(title: str) -> str:
    """A title without what a reader does not see as a difference: case, code marks, sorts of spaces and letters."""
    return " ".join(unicodedata.normalize("NFKC", title).replace("`", "").casefold().split())


def check_unique_aliases(contents: Contents, _library: Library) -> Iterator[Problem]:
    """What a person types must mean one thing, or be listed as ambiguous."""
    claims: dict[str, str] = {}
    listed = {plain(one.typed) for read in contents.devices for one in read.record.ambiguous}
    for read, location, owner, words in _claims(contents):
        for word in words:
            typed = plain(word)
            taken = claims.setdefault(typed, owner)
            if taken != owner and typed not in listed:
                what = f"'{word}' is claimed by {owner} and by {taken}"
                fix = "Keep it at one of them, or list it under `ambiguous` in the devices file."
                yield at(read, location, what, fix, "duplicate-alias")


def plain(word: str) -> str:
    """A name without what people leave out: case, spaces, hyphens, underscores."""
    return re.sub(r"[\s_-]+", "", word.casefold())


def _claims(contents: Contents) -> Iterator[tuple[Read[Any], Location, str, tuple[str, ...]]]:
    if contents.areas is not None:
        for index, area in enumerate(contents.areas.record.areas):
            yield contents.areas, ("areas", index, "aliases"), area.id, (area.id, *area.aliases)
    if contents.hardware is not None:
        for index, one in enumerate(contents.hardware.record.hardware):
            yield contents.hardware, ("hardware", index, "aliases"), one.id, (one.id, *one.aliases)
    for read in contents.devices:
        for index, device in enumerate(read.record.devices):
            yield read, ("devices", index, "aliases"), device.name, (device.name, *device.aliases)


def check_moved_ids(contents: Contents, library: Library) -> Iterator[Problem]:
    """A moved id leads straight to a record that is there, and is not used again."""
    if contents.moved is None:
        return
    old = [one.old for one in library.moved]
    for index, one in enumerate(library.moved):
        if one.old in RESERVED:
            what = f"'{one.old}' is taken by the site itself"
            yield at(contents.moved, ("moved", index, "old"), what, "Remove the line.", "moved-id")
        elif one.old in old[:index]:
            what = f"'{one.old}' is there twice"
            yield at(contents.moved, ("moved", index, "old"), what, "Keep one.", "moved-id")
        elif one.old in contents.feature_paths:
            what = f"'{one.old}' has moved, but a record with this id exists"
            yield at(contents.moved, ("moved", index, "old"), what, "Remove one of the two.", "moved-id")
        if one.new in old:
            what = f"'{one.new}' has moved itself"
            yield at(contents.moved, ("moved", index, "new"), what, "Name where it ended.", "moved-id")
        elif one.new not in contents.feature_paths:
            what, fix = f"no feature '{one.new}'", offer(one.new, contents.feature_paths, "data/features/")
            yield at(contents.moved, ("moved", index, "new"), what, fix, "moved-id")

"""The library → every generated page. Pure: knows no MkDocs and no disk.

One function a page type; ``pages_of`` is the list of them.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from packaging.version import Version

from torchnotes.library import ANY_ACCELERATOR, ROOT_HARDWARE, Entry, Library, ReleaseEntry, by_urgency
from torchnotes.links import (
    COMPANIONS_PATH,
    api_path,
    area_path,
    feature_path,
    hardware_path,
    href,
    plan_path,
    release_path,
)
from torchnotes.model import FEATURE_KINDS
from torchnotes.pages import markup
from torchnotes.pages.api import api_parts
from torchnotes.pages.companions import companions_view, moves
from torchnotes.pages.compatibility import compatibility_view
from torchnotes.pages.evidence import Disagreement, evidence_page
from torchnotes.pages.feature import feature_view
from torchnotes.pages.fields import field_groups, term_groups
from torchnotes.pages.finder import FIRST, facets, first_features, hardware_choices, plain_choices
from torchnotes.pages.hardware import (
    builds_for,
    devices_by_family,
    is_maker_of,
    makers,
    named_devices,
    reason_for,
    served,
    tree,
    usable,
    verdict,
)
from torchnotes.pages.lists import (
    Link,
    area_link,
    by_kind,
    first_rows,
    hardware_link,
    release_link,
    rows,
)
from torchnotes.pages.needs import PLATFORMS
from torchnotes.pages.page import Page
from torchnotes.pages.plan import index_context, plan_view, short_ways, ways
from torchnotes.plan import upgrades
from torchnotes.terms import Action, Build, DeviceCount, Grade, Kind, OperatingSystem, Runs, Term


def environment() -> Environment:
    """Strict templates: an unknown name is an error, and what is not marked as markup is escaped."""
    jinja = Environment(
        loader=PackageLoader("torchnotes.pages"),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    # Front matter is YAML, in which the two halves that JSON makes of an emoji are an error.
    jinja.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    jinja.filters |= {
        "html": markup.html,
        "md": markup.markdown,
        "prose": markup.prose,
        "plain": markup.plain,
        "fence": markup.fence,
        "metadata": markup.metadata,
    }
    return jinja


class Renderer:
    """Fills templates for one library."""

    def __init__(self, library: Library) -> None:
        """Prepare templates for ``library``. They get ``covered``: the releases whose changes are described."""
        self.library = library
        # A feature is shown on its own page and on those of plans.
        self.view_of = cache(partial(feature_view, library=library))
        self._jinja = environment()
        ids = sorted((one.id for one in _releases_with_features(library)), key=Version)
        self._covered = f"{', '.join(ids[:-1])} and {ids[-1]}" if len(ids) > 1 else "".join(ids)

    def page(self, template: str, path: str, source: str | None = None, **context: Any) -> Page:
        """One page from one template. Templates get ``href`` to name other pages relative to this one."""
        text = self._jinja.get_template(template).render(href=partial(href, path), covered=self._covered, **context)
        return Page(path, text.rstrip("\n") + "\n", source)


def pages_of(library: Library) -> dict[str, Page]:
    """Every generated page by its source path, in a stable order."""
    renderer = Renderer(library)
    makers: tuple[Callable[[Renderer], Iterator[Page]], ...] = (
        _home,
        _features,
        _feature_lists,
        _releases,
        _api,
        _hardware,
        _areas,
        _compatibility,
        _companions,
        _evidence,
        _plans,
        _fields,
        _moved,
    )
    pages: dict[str, Page] = {}
    for page in (page for make in makers for page in make(renderer)):
        if page.path in pages:
            raise ValueError(f"two pages want to be {page.path}")
        pages[page.path] = page
    return pages


def _releases_with_features(library: Library) -> list[ReleaseEntry]:
    """Newest first."""
    return [one for one in reversed(tuple(library.releases.values())) if not one.release.baseline]


def _count_by_action(entries: tuple[Entry, ...]) -> list[tuple[Action, int]]:
    counts = [(action, sum(one.feature.migration.action is action for one in entries)) for action in Action]
    return [(action, count) for action, count in counts if count]


def _home(renderer: Renderer) -> Iterator[Page]:
    library = renderer.library
    entries = tuple(library.entries.values())
    releases = [
        {
            "link": release_link(one.id),
            "summary": one.release.summary,
            "newest": one.newest.version,
            "day": one.release.versions[0].date.day,
            "count": len(library.of_release(one.id)),
            "api": _api_of(library, one),
            "actions": _count_by_action(library.of_release(one.id)),
        }
        for one in _releases_with_features(library)
    ]
    required = by_urgency(one for one in entries if one.feature.migration.action is Action.REQUIRED)
    disputed = by_urgency(one for one in entries if one.grade is Grade.DISPUTED)
    issues = by_urgency(one for one in entries if one.feature.kind is Kind.KNOWN_ISSUE)
    yield renderer.page(
        "home.md.j2",
        "index.md",
        count=len(entries),
        device_count=len(library.devices),
        releases=releases,
        families=_chips(library),
        ways=ways(library),
        required=first_rows(required, {"action": Action.REQUIRED}),
        disputed=first_rows(disputed, {"grade": Grade.DISPUTED}),
        issues=first_rows(issues, {"kind": Kind.KNOWN_ISSUE}),
    )


def _chips(library: Library) -> list[dict[str, Any]]:
    """Makers with the families below them, for a reader who knows what machine is on the desk."""
    return [
        {
            "link": hardware_link(vendor),
            "count": len(library.of_hardware(vendor.id)),
            "families": [hardware_link(library.hardware[one]) for one in library.descendants(vendor.id)],
        }
        for vendor in makers(library)
    ]


def _features(renderer: Renderer) -> Iterator[Page]:
    library = renderer.library
    for entry in library.entries.values():
        view = renderer.view_of(entry)
        yield renderer.page("feature.md.j2", feature_path(entry.id), entry.path, feature=view)


def _feature_lists(renderer: Renderer) -> Iterator[Page]:
    library = renderer.library
    hardware, releases = plain_choices(library)
    yield renderer.page(
        "features.md.j2",
        "features/index.md",
        facets=facets(library),
        groups=first_features(library),
        first=FIRST,
        hardware=hardware,
        releases=releases,
        badges=[(name, term) for name, terms in _BADGES for term in terms],
        count=len(library.entries),
    )
    everything = sorted(library.entries.values(), key=lambda one: one.feature.title.replace("`", "").casefold())
    yield renderer.page("features-all.md.j2", "features/all.md", rows=rows(everything))


_BADGES: tuple[tuple[str, type[Term]], ...] = (("action", Action), ("kind", Kind), ("grade", Grade))


def _releases(renderer: Renderer) -> Iterator[Page]:
    library = renderer.library
    cards = [
        {
            "link": release_link(one.id),
            "summary": one.release.summary,
            "versions": one.release.versions,
            "count": len(library.of_release(one.id)),
            "api": _api_of(library, one),
            "baseline": one.release.baseline,
        }
        for one in reversed(tuple(library.releases.values()))
    ]
    yield renderer.page("releases.md.j2", "releases/index.md", cards=cards)
    for one in library.releases.values():
        entries = library.of_release(one.id)
        facts = [(library.fact_names[fact.id], fact) for fact in one.release.facts]
        counts = Counter(area for entry in entries for area in entry.feature.areas)
        yield renderer.page(
            "release.md.j2",
            release_path(one.id),
            one.path,
            id=one.id,
            release=one.release,
            facts=_grouped_facts(facts),
            ways=ways(library, to_release=one.id),
            count=len(entries),
            actions=_count_by_action(entries),
            sections=by_kind(entries, {"release": one.id}),
            areas=[(area_link(area), counts[area.id]) for area in library.areas.values() if counts[area.id]],
            api=_api_of(library, one),
            builds=[
                (build, [hardware_link(library.hardware[one]) for one in build.hardware])
                for build in one.release.builds
            ],
        )


def _api_of(library: Library, release: ReleaseEntry) -> str | None:
    """The page about what a release changed in the API; None when the wheels were not compared."""
    return api_path(release.id) if release.id in library.api else None


def _api(renderer: Renderer) -> Iterator[Page]:
    library = renderer.library
    for release_id in (one for one in library.api if one in library.releases):
        yield renderer.page(
            "api.md.j2",
            api_path(release_id),
            id=release_id,
            diff=library.api[release_id],
            release=release_path(release_id),
            parts=api_parts(library, release_id),
        )


def _grouped_facts(facts: list[tuple[Any, Any]]) -> list[tuple[str, list[tuple[Any, Any]]]]:
    groups: dict[str, list[tuple[Any, Any]]] = {}
    for name, fact in facts:
        groups.setdefault(name.group, []).append((name, fact))
    return list(groups.items())


def _hardware(renderer: Renderer) -> Iterator[Page]:
    library = renderer.library
    yield renderer.page(
        "hardware-index.md.j2",
        "hardware/index.md",
        roots=[tree(library, one) for one in (ROOT_HARDWARE, ANY_ACCELERATOR) if one in library.hardware],
        groups=[tree(library, one.id) for one in makers(library)],
    )
    for one in library.hardware.values():
        entries, left_out = usable(library, one.id)
        chain = [hardware_link(library.hardware[above]) for above in reversed(library.ancestors(one.id))]
        yield renderer.page(
            "hardware.md.j2",
            hardware_path(one.id),
            "data/vocabulary/hardware.yaml",
            hardware=one,
            chain=chain,
            children=[hardware_link(library.hardware[child]) for child in library.children[one.id]],
            newest=library.newest,
            verdict=verdict(library, one.id),
            named=named_devices(library, one.id),
            served=served(library, one.id),
            is_dropped=library.is_dropped(one.id),
            ways=ways(library),
            last=library.last_served(one.id),
            builds=builds_for(library, one.id),
            sections=by_kind(entries, {"hardware": one.id}, reason_for(library, one.id)),
            count=len(entries),
            left_out=left_out,
            own_count=sum(one.id in entry.feature.hardware for entry in entries),
            devices=devices_by_family(library, one.id),
            vendor=next((found for found in library.vendors if is_maker_of(library, one, found)), None),
        )


def _areas(renderer: Renderer) -> Iterator[Page]:
    library = renderer.library
    cards = [(area_link(area), area.definition, len(library.of_area(area.id))) for area in library.areas.values()]
    yield renderer.page("areas.md.j2", "areas/index.md", cards=cards)
    for area in library.areas.values():
        entries = library.of_area(area.id)
        releases = [
            (
                release_link(one.id),
                by_kind((entry for entry in entries if entry.release == one.id), {"area": area.id, "release": one.id}),
            )
            for one in _releases_with_features(library)
        ]
        shown = [(link, sections) for link, sections in releases if sections]
        source = "data/vocabulary/areas.yaml"
        yield renderer.page("area.md.j2", area_path(area.id), source, area=area, releases=shown, count=len(entries))


def _compatibility(renderer: Renderer) -> Iterator[Page]:
    yield renderer.page("compatibility.md.j2", "compatibility.md", view=compatibility_view(renderer.library))


def _companions(renderer: Renderer) -> Iterator[Page]:
    yield renderer.page("companions.md.j2", COMPANIONS_PATH, view=companions_view(renderer.library))


def _evidence(renderer: Renderer) -> Iterator[Page]:
    library = renderer.library
    found = [
        Disagreement(
            title=entry.feature.title,
            path=feature_path(entry.id),
            anchor=view.evidence,
            reported=view.reported,
            by=view.by,
            found=view.found,
            is_proved=entry.is_proved(one.evidence),
        )
        for entry in by_urgency(library.entries.values())
        for one, view in zip(entry.feature.discrepancies, renderer.view_of(entry).discrepancies, strict=True)
    ]
    yield renderer.page("evidence.md.j2", "evidence.md", page=evidence_page(library, found))


def _plans(renderer: Renderer) -> Iterator[Page]:
    library = renderer.library
    words: dict[str, Any] = {
        "platforms": PLATFORMS,
        "systems": tuple(OperatingSystem),
        "builds": tuple(Build),
        "processor_build": Build.CPU,
        "counts": tuple(DeviceCount),
        "runs": tuple(Runs),
    }
    yield renderer.page("migrate.md.j2", "migrate/index.md", **words, **index_context(library))
    for way in upgrades(library):
        path = plan_path(way.id)
        yield renderer.page(
            "plan.md.j2",
            path,
            own_path=path,
            view=plan_view(way, library, renderer.view_of),
            moves=tuple(moves(library, way)),
            ways=ways(library),
            hardware=hardware_choices(library),
            pairs=" ".join(one.id for one in upgrades(library)),
            required=Action.REQUIRED,
            **words,
        )
    for path, target in short_ways(library):
        yield renderer.page("moved.md.j2", path, target=target)


def _fields(renderer: Renderer) -> Iterator[Page]:
    yield renderer.page(
        "fields.md.j2", "contributing/fields.md", groups=field_groups(FEATURE_KINDS), terms=term_groups()
    )


def _moved(renderer: Renderer) -> Iterator[Page]:
    for one in renderer.library.moved:
        entry = renderer.library.entries[one.new]
        target = Link(entry.feature.title, feature_path(one.new))
        yield renderer.page("moved.md.j2", feature_path(one.old), "data/moved.yaml", target=target)

"""The library → open data: JSON files by address, with a schema version. Pure: knows no disk.

What people wrote keeps its names; what is computed stands beside it (``id``, ``release``, ``applies_to``,
``grade``, ``proofs``, ``url``). A field is never removed or given another meaning without a new ``schema_version``.
"""

import json
from typing import Any

from torchnotes.library import Entry, Library
from torchnotes.links import COMPANIONS_PATH, address, area_path, feature_path, hardware_path, plan_path, release_path
from torchnotes.model import WheelFile, WheelMetadata
from torchnotes.model.migration import Expiry
from torchnotes.opendata.schema import features_schema
from torchnotes.plan import Plan, plan_of, upgrades
from torchnotes.published import wheels_of

SCHEMA_VERSION = 2
"""Counted up when something that a program could rely on goes or changes its meaning."""
ROOT = "api/v1"
_TOLD_OF_WHEELS = {"sha256", "size", "requires_python", "requirements", "tags", "full_version", "cuda", "architectures"}


def data_files(library: Library) -> dict[str, str]:
    """Every JSON file by its address below the site's root."""
    features = [feature_record(entry, library) for entry in library.entries.values()]
    files = {
        f"{ROOT}/features.json": _enveloped(library, features=features),
        f"{ROOT}/releases.json": _enveloped(library, releases=_releases(library)),
        f"{ROOT}/hardware.json": _enveloped(
            library, hardware=_hardware(library), devices=_devices(library), ambiguous=_ambiguous(library)
        ),
        f"{ROOT}/areas.json": _enveloped(library, areas=_areas(library)),
        f"{ROOT}/companions.json": _enveloped(
            library, companions=_companions(library), pythons_asked=list(library.pythons)
        ),
        f"{ROOT}/plans.json": _enveloped(library, plans=[_plan(plan_of(library, way)) for way in upgrades(library)]),
        f"{ROOT}/schema.json": features_schema(SCHEMA_VERSION),
    }
    for feature in features:
        files[f"{ROOT}/features/{feature['id']}.json"] = {"schema_version": SCHEMA_VERSION, **feature}
    return {path: json.dumps(value, ensure_ascii=False, indent=1) + "\n" for path, value in files.items()}


def _enveloped(library: Library, **content: Any) -> dict[str, Any]:
    versions = list(library.versions)
    return {"schema_version": SCHEMA_VERSION, "generated_from": f"torchnotes, PyTorch {', '.join(versions)}", **content}


def feature_record(entry: Entry, library: Library) -> dict[str, Any]:
    """One feature with what is computed."""
    written = entry.feature.model_dump(mode="json", by_alias=True)
    computed = {
        "id": entry.id,
        "release": entry.release,
        "url": address(feature_path(entry.id)),
        "grade": str(entry.grade),
        "is_silent": entry.is_silent,
        "applies_to": list(library.applies_to(entry)),
        "proofs": [
            proof.model_dump(mode="json") if proof is not None else None
            for proof in (entry.proof_of(one) for one in entry.feature.evidence)
        ],
        "runs": [run.model_dump(mode="json") for run in entry.current_runs],
    }
    return computed | written


def _releases(library: Library) -> list[dict[str, Any]]:
    found = []
    for one in library.releases.values():
        written = one.release.model_dump(mode="json")
        for version in written["versions"]:
            version["wheels"] = [_wheel(*pair) for pair in wheels_of(library, version["version"])]
        found.append({"id": one.id, "url": address(release_path(one.id)), **written})
    return found


def _wheel(wheel: WheelFile, metadata: WheelMetadata) -> dict[str, Any]:
    """What a published wheel says about itself."""
    return {
        "file": wheel.file,
        "platform": str(wheel.platform),
        **metadata.model_dump(mode="json", include=_TOLD_OF_WHEELS),
    }


def _hardware(library: Library) -> list[dict[str, Any]]:
    return [
        {
            **one.model_dump(mode="json"),
            "url": address(hardware_path(one.id)),
            "ancestors": list(library.ancestors(one.id)),
            "children": list(library.children[one.id]),
            "features": [entry.id for entry in library.of_hardware(one.id)],
        }
        for one in library.hardware.values()
    ]


def _devices(library: Library) -> list[dict[str, Any]]:
    return [
        {"vendor": vendor.vendor, **device.model_dump(mode="json")}
        for vendor in library.vendors
        for device in vendor.devices
    ]


def _ambiguous(library: Library) -> list[dict[str, Any]]:
    return [one.model_dump(mode="json") for vendor in library.vendors for one in vendor.ambiguous]


def _companions(library: Library) -> list[dict[str, Any]]:
    """What people wrote of each companion package, and what pip told of it."""
    found = []
    for package, one in library.companions.items():
        told = library.read_companions.get(package)
        written = one.model_dump(mode="json", exclude={"releases"})
        read = (
            told.model_dump(mode="json", exclude={"package"}) if told else {"newest": None, "day": None, "releases": []}
        )
        found.append({"package": package, "url": address(f"{COMPANIONS_PATH}#{package}"), **written, **read})
    return found


def _plan(plan: Plan) -> dict[str, Any]:
    way = plan.way
    return {
        "id": way.id,
        "from": way.start,
        "to": way.target,
        "url": address(plan_path(way.id)),
        "steps": [
            {
                "id": step.entry.id,
                "phase": step.phase.value,
                "action": str(step.action),
                "is_way_back_open": step.is_way_back_open,
            }
            for step in plan.steps
        ],
        "left_out": [
            {
                "id": one.entry.id,
                "why": one.why.value,
                "by": one.by.id if one.by is not None else None,
                "version": one.version,
            }
            for one in plan.folded
        ],
        "mended": [entry.id for entry in plan.mended],
        "staying": [entry.id for entry in plan.staying],
        "expires": [
            {
                "id": one.entry.id,
                "is_way_back": one.is_way_back,
                "version": one.until.version if isinstance(one.until, Expiry) else None,
            }
            for one in plan.endings
        ],
        "going_back": [{"id": entry.id, "do": [one.do for one in found]} for entry, found in plan.going_back],
    }


def _areas(library: Library) -> list[dict[str, Any]]:
    return [
        {
            **one.model_dump(mode="json"),
            "url": address(area_path(one.id)),
            "features": [entry.id for entry in library.of_area(one.id)],
        }
        for one in library.areas.values()
    ]

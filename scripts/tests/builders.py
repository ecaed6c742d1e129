"""A small, complete and valid knowledge base as plain values, so that a test states only what differs from it.

``BASE`` maps paths below ``data/`` to values. ``write_base`` writes it to disk, ``library`` reads it in memory; both
take changed files: ``write_base(root, **{"moved.yaml": None, POLAR: changed(POLAR, {"areas[0]": "fspd"})})``.
"""

import copy
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import TypeAdapter, ValidationError

from torchnotes.formatting import formatted
from torchnotes.library import Library, library_of
from torchnotes.model import Companion, Evidence, Feature, Release
from torchnotes.model.api import ApiDiff
from torchnotes.model.vocabulary import Devices
from torchnotes.reading import SINGLES, Contents, Read, model_of, validate
from torchnotes.schema import SCHEMA_PATH, schema_text
from torchnotes.yaml_source import Document, parse

Values: TypeAlias = dict[str, Any]
File: TypeAlias = "Mapping[str, Any] | str | bytes | None"
"""A file to be: values in the house format, exact text, exact bytes, or not there."""

REMOVED = object()
"""In ``changed``: the field goes."""

POLAR = "features/2.14/tensor-polar.yaml"
"""A new feature of 2.14.0 for all hardware, with little more than what must be there."""
LOADER = "features/2.14/old-loader.yaml"
"""A deprecation of 2.14.1 that loudly recommends something."""
DTYPE = "features/2.15/reduce-dtype.yaml"
"""A changed default of 2.15.0: required, silent, with nearly everything a record can have."""
REMOVAL = "features/2.15/old-loader-removed.yaml"
"""A removal of 2.15.0 that follows ``old-loader``: required, loud, and disputed."""
SOFTMAX = "features/2.15/fast-softmax.yaml"
"""A performance record of 2.15.0 for Apple silicon: nothing to do, and only an article says so."""
ISSUE = "features/2.15/broken-entry-point.yaml"
"""A known issue of 2.15.0 on Hopper that follows ``old-loader-removed``: silent, with a way around it."""
AREAS, HARDWARE, FACTS = "vocabulary/areas.yaml", "vocabulary/hardware.yaml", "vocabulary/facts.yaml"
NVIDIA, SOURCES, MOVED, WHEELS = "vocabulary/devices/nvidia.yaml", "sources.yaml", "moved.yaml", "evidence/wheels.yaml"
METADATA = "evidence/metadata.yaml"
NO_RECORD = "no-record.yaml"
VISION = "companions/torchvision.yaml"
"""A companion with a release for each version of torch, by its metadata."""
COMPANIONS = "evidence/companions.yaml"
API = "api/2.15.yaml"
"""Not in ``BASE`` either."""
PROOFS = "evidence/proofs.yaml"
"""Not in ``BASE``: made for what the evidence of each test says, so that everything is proved."""


def told(version: str, *requirements: str, **more: Any) -> Values:
    """What pip told of a release of TorchVision."""
    return {
        "version": version,
        "file": f"torchvision-{version}-py3-none-any.whl",
        "sha256": "c" * 64,
        "requires_python": ">=3.10",
        "requirements": list(requirements),
        "offers": [{"platform": "linux-x86-64", "pythons": ["3.12"]}],
        **more,
    }


def code(text: str, language: str = "python") -> Values:
    """A piece of code."""
    return {"language": language, "code": text}


def article(release: str, says: str = "Announces it.") -> Values:
    """What the article about a release states."""
    return {"source": f"article-{release}", "says": says}


def pull(number: int, says: str = "Makes the change.", role: str = "change", type_: str = "pull") -> Values:
    """What an upstream change or thread states."""
    title = f"Title of {number}"
    return {"repo": "pytorch/pytorch", "type": type_, "number": number, "title": title, "role": role, "says": says}


def steps(action: str, version: str, **more: Any) -> Values:
    """A migration note with one step."""
    required = {"required_by": version} if action == "required" else {}
    return {
        "action": action,
        "visibility": ["none"],
        "applies_when": "You use it.",
        "steps": ["Change the call."],
        "possible_from": version,
        **required,
        **more,
    }


def feature(title: str, version: str, kind: str, **more: Any) -> Values:
    """A feature with what every record must say, and ``more``."""
    is_shown = kind == "known-issue" or any(one["proves"] == "headline" for one in more.get("evidence", []))
    return {
        "title": title,
        "version": version,
        "kind": kind,
        "areas": ["operators"],
        "hardware": ["any"],
        "stability": "not-classified",
        "summary": f"{title} is what this record is about.",
        "migration": steps("optional", version),
        "sources": [article(version[:4])],
        **({} if is_shown else {"no_proof": "No file shows it."}),
        **more,
    }


def needle(proves: str, present_in: list[str], absent_in: list[str], text: str) -> Values:
    """Evidence that a text is in a file of the wheels."""
    return {
        "proves": proves,
        "kind": "text",
        "file": "torch/version.py",
        "needle": text,
        "present_in": present_in,
        "absent_in": absent_in,
        "wheel": "any",
    }


def shown(proves: str, kind: str, **more: Any) -> Values:
    """Evidence of some kind."""
    return {"proves": proves, "kind": kind, "wheel": "any", **more}


def valued(new: str, old: str | None = None) -> Values:
    """A value in 2.15.0, and another before."""
    before = [{"value": old, "in": ["2.14.1"]}] if old is not None else []
    return {"values": [*before, {"value": new, "in": ["2.15.0"]}]}


def wheel(version: str, package: str = "torch", platform: str = "linux-x86-64") -> Values:
    """An examined wheel."""
    tag = {"linux-x86-64": "manylinux_2_28_x86_64", "macos-arm64": "macosx_14_0_arm64"}[platform]
    return {
        "file": f"{package.replace('-', '_')}-{version}-cp312-cp312-{tag}.whl",
        **({} if package == "torch" else {"package": package}),
        "version": version,
        "platform": platform,
        "sha256": "0" * 64,
        "examined": "2026-11-29",
    }


def wheel_metadata(version: str, nccl: str = "2.30.7", platform: str = "linux-x86-64", **more: Any) -> Values:
    """What an examined wheel says about itself, in agreement with ``release``."""
    file = wheel(version, platform=platform)["file"]
    tag = "-".join(file.removesuffix(".whl").split("-")[2:])
    return {
        "wheel": f"torch-{version}-{platform}",
        "sha256": "0" * 64,
        "size": 538_600_000,
        "requires_python": ">=3.11",
        "pythons": ["3.11", "3.12", "3.13", "3.14", "3.15"],
        "requirements": [
            "filelock",
            f'nvidia-nccl-cu13=={nccl}; platform_system == "Linux"',
            'triton~=3.9.0; platform_system == "Linux" and python_version < "3.16"',
            'optree>=0.13.0; extra == "optree"',
        ],
        "tags": [tag],
        "tags_inside": [tag],
        "generator": "scikit-build-core 1.1.1",
        "full_version": f"{version}+cu130",
        "commit": "0123456789abcdef0123456789abcdef01234567",
        "cuda": "13.0",
        "hip": None,
        "xpu": None,
        "architectures": ["sm_90"],
        "macos": None,
        **more,
    }


def release(*versions: str, baseline: bool = False, **more: Any) -> Values:
    """A release with a fact, an event, a build, its architectures and what it serves."""
    known = {"basis": "wheel", "source": "wheel-2.15"}
    day = "2026-10-28"
    published = [
        {
            "version": version,
            "date": {"day": day, "basis": "article", "source": "article-2.15"},
            "built": day,
            "commit": "0123456789abcdef0123456789abcdef01234567",
            "what": "A version.",
        }
        for version in versions
    ]
    build = {"build": "cu130", "platform": "linux-x86-64"}
    return {
        "summary": f"What {versions[0]} brings.",
        "baseline": baseline,
        "versions": published,
        "facts": [{"id": "python", "value": "3.11 to 3.15", "note": "From the metadata.", **known}],
        "limits": [
            {"of": "python", "within": ">=3.11,<3.16", "stops": "install", "without": "pip finds no wheel.", **known}
        ],
        "events": [
            {
                "id": "webinar",
                "name": "Webinar",
                "when": day,
                "where": "Online",
                "what": "Questions and answers.",
                "basis": "article",
            }
        ],
        "builds": [
            {
                "build": "cu130",
                "default": True,
                "platforms": ["linux-x86-64"],
                "os": ["linux"],
                "hardware": ["nvidia", "cpu"],
                "requires": "NVIDIA driver 580 or newer",
                "install": code(f"pip install torch=={versions[-1]}", "bash"),
                **known,
            }
        ],
        "architectures": [{**build, "codes": ["sm_90"], **known}],
        "serves": [{"hardware": "nvidia-hopper", **build, "runs": "yes", "through": "sm_90", **known}],
        **more,
    }


def _named(id_: str, label: str, **more: Any) -> Values:
    return {"id": id_, "label": label, "definition": f"What {label} is.", **more}


def _source(id_: str, url: str | None = None) -> Values:
    return {"id": id_, "title": f"Title of {id_}", "what": "What it can be trusted for.", "url": url, "date": None}


def _device(name: str, **more: Any) -> Values:
    return {
        "name": name,
        "hardware": "nvidia-hopper",
        "capability": "sm_90",
        "form": "server",
        "year": 2022,
        "year_checked": True,
        "sources": ["nvidia-table"],
        **more,
    }


def detect(match: str, found: str, not_found: str, *, file: str | None = None, **more: Any) -> Values:
    """An entry of what a scan looks for, with one example of each sort."""
    named = {} if file is None else {"file": file}
    return {
        "match": match,
        "explains": "The old loader goes.",
        "misses": "What is passed on.",
        "sure": "yes",
        "examples": {"found": [{**named, "code": found}], "not_found": [{**named, "code": not_found}]},
        **more,
    }


IMPORTED = "import torch.old\n\n"
DETECT = [
    detect(
        "call",
        f"{IMPORTED}torch.old.load(path)",
        f"{IMPORTED}torch.old.load(path, safe=True)",
        name="torch.old.load",
        without=[{"keyword": "safe", "position": 2}],
    ),
    detect(
        "keyword",
        f"{IMPORTED}torch.old.save(path, mode='old')",
        f"{IMPORTED}torch.old.save(path, mode='new')",
        name="torch.old.save",
        keyword="mode",
        values=["old"],
        sure="maybe",
        do="Leave `mode` out.",
    ),
    detect(
        "attribute",
        f"{IMPORTED}print(torch.old.LOADER)",
        f"{IMPORTED}print(torch.old.OTHER)",
        name="torch.old.LOADER",
    ),
    detect("import", "from torch.old import more", "from .old import more", name="torch.old.more"),
    detect("setting", "export TORCH_OLD=1", "# TORCH_OLD=1", file="run.sh", name="TORCH_OLD"),
    detect(
        "line", "torch-old==1.0", "# torch-old", file="requirements.txt", pattern="torch-old", files=["requirements"]
    ),
]
"""One entry of each sort."""

BASE: Mapping[str, Values] = {
    POLAR: feature("`torch.linalg.polar`", "2.14.0", "new-feature", symbols=["torch.linalg.polar"], sources=[pull(1)]),
    LOADER: feature(
        "The old loader warns",
        "2.14.1",
        "deprecation",
        hardware=["cpu"],
        migration=steps("recommended", "2.14.0", visibility=["warning"], detect=DETECT),
        sources=[article("2.14"), pull(2)],
        goes_in={"version": "2.16", "basis": "article-2.14"},
    ),
    DTYPE: feature(
        "FSDP2 `reduce_dtype=None` follows the gradient dtype",
        "2.15.0",
        "default-change",
        areas=["fsdp", "distributed"],
        hardware=["any-accelerator"],
        applies={"uses": ["fsdp"], "python": "<3.12", "devices": "several"},
        stability="stable",
        details="Each parameter is reduced in the dtype of its gradient.\n\n- The default changes.\n- Nothing else does.\n",
        symbols=["torch.distributed.fsdp.MixedPrecisionPolicy"],
        settings=["TORCH_REDUCE"],
        messages=["reduce_dtype is ignored"],
        probe={**code("import torch\n\nprint(torch.__version__)\n"), "needs": "cpu"},
        migration=steps(
            "required",
            "2.15.0",
            visibility=["memory", "numerics"],
            possible_from="2.13.0",
            before=code("policy()"),
            after=code("policy(reduce_dtype=None)"),
            keep_old={
                "how": "Pass `reduce_dtype=torch.float32`.",
                "code": code("policy(reduce_dtype=float32)"),
                "cost": "More memory.",
                "until": {"version": "2.17", "basis": "pytorch/pytorch#3"},
            },
            going_back=[{"to": ">=2.14", "do": "Pass `reduce_dtype` again."}],
        ),
        performance=[
            {
                "metric": "Peak memory",
                "value": "A third less",
                "baseline": "2.14",
                "comparison": {"before": 30, "now": 20.5, "unit": "GB", "better": "lower"},
                "conditions": None,
                "hardware": ["nvidia-hopper"],
                "claimed_by": "The author of the change",
                "source": "pytorch/pytorch#3",
            }
        ],
        sources=[article("2.15"), pull(3)],
        evidence=[
            needle("headline", ["2.15.0"], ["2.13.0", "2.14.1"], "reduce_dtype = None"),
            {"proves": "file", "kind": "file", "file": "torch/fsdp.py", "present_in": ["2.15.0"], "wheel": "any"},
            shown("default", "symbol", file="torch/fsdp.py", name="Policy", parameter="reduce_dtype", **valued("bf16")),
            shown("public-name", "export", name="torch.fsdp.Policy", present_in=["2.15.0"]),
            shown("plugin", "entry-point", group="torch.backends", name="fsdp", **valued("torch.fsdp:make")),
            shown("pin", "requirement", name="numpy", **valued(">=2", ">=1")),
            shown("schema", "operator", name="aten::reduce", **valued("reduce(Tensor a) -> Tensor")),
            shown("variable", "setting", name="TORCH_REDUCE", **valued("'0'")),
            shown("system", "tag", part="platform", **valued("manylinux_2_28_x86_64")),
        ],
        not_confirmed=["Whether it is faster."],
        earlier=[{"version": "2.13.0", "what": "The dtype was float32."}],
        related=["tensor-polar"],
        change={"of": "Default of `reduce_dtype`", "before": "float32", "after": "the dtype of the gradient"},
    ),
    REMOVAL: feature(
        "The old loader is gone",
        "2.15.0",
        "removal",
        migration=steps("required", "2.15.0", visibility=["error"], possible_from="2.14.0"),
        sources=[article("2.15"), pull(4, role="report", type_="issue")],
        evidence=[needle("headline", ["2.14.1", "2.15.0"], [], "def old_loader")],
        discrepancies=[
            {"reported": "It is gone.", "source": "article-2.15", "found": "It is still there.", "evidence": "headline"}
        ],
        follows=["old-loader"],
        replacement="`new_loader`",
    ),
    SOFTMAX: feature(
        "Softmax on MPS is faster",
        "2.15.0",
        "performance",
        areas=["mps"],
        hardware=["apple-silicon"],
        migration={"action": "none", "reason": "It comes with the upgrade.", "visibility": ["speed"]},
        performance=[
            {
                "metric": "Time",
                "value": "8 times faster",
                "baseline": "2.14.1",
                "conditions": "Rows of 128,256",
                "hardware": ["apple-silicon"],
                "claimed_by": "The article",
                "source": "article-2.15",
            }
        ],
    ),
    ISSUE: feature(
        "The entry point hangs",
        "2.15.0",
        "known-issue",
        areas=["distributed"],
        hardware=["nvidia-hopper"],
        migration=steps("recommended", "2.15.0", visibility=["hang"], keep_old=None),
        sources=[pull(5, role="report", type_="issue"), pull(6, says="Mends it.", role="background")],
        affects={"seen_in": ["2.15.0"], "not_seen_in": ["2.14.1"]},
        cause="A name is wrong.",
        fixed={"in": "unknown", "by": "pytorch/pytorch#6"},
        confirmed="reproducer",
        follows=["old-loader-removed"],
    ),
    "releases/2.13.yaml": release("2.13.0", baseline=True),
    "releases/2.14.yaml": release("2.14.0", "2.14.1"),
    "releases/2.15.yaml": release("2.15.0"),
    AREAS: {
        "areas": [
            _named("distributed", "Distributed", aliases=["c10d"]),
            _named("fsdp", "FSDP"),
            _named("mps", "MPS"),
            _named("operators", "Operators"),
        ]
    },
    HARDWARE: {
        "hardware": [
            _named("any", "All hardware", parent=None, aliases=["everything"]),
            _named("cpu", "CPU", parent="any"),
            _named("any-accelerator", "Any accelerator", parent="any", aliases=["gpu"]),
            _named("nvidia", "NVIDIA", parent="any-accelerator", aliases=["geforce"]),
            _named("nvidia-hopper", "Hopper", parent="nvidia", capabilities=["sm_90"], notes=["It is of 2022."]),
            _named("apple-silicon", "Apple silicon", parent="any-accelerator"),
        ]
    },
    NVIDIA: {
        "vendor": "NVIDIA",
        "devices": [_device("H100", aliases=["H100 SXM"]), _device("GH200", note="With a Grace CPU.")],
        "ambiguous": [{"typed": "grace hopper", "candidates": ["GH200", "nvidia-hopper"]}],
        "disagreements": [{"about": "GH200", "says": "Two tables differ.", "chosen": "The newer one."}],
        "not_covered": ["Cards for mining."],
    },
    FACTS: {
        "facts": [
            _named("python", "Python", group="Requirements"),
            _named("triton", "Triton", group="Requirements"),
            _named("driver", "Driver", group="CUDA"),
            _named("nccl", "NCCL", group="CUDA"),
            _named("build-backend", "Build backend", group="CUDA"),
        ]
    },
    SOURCES: {
        "sources": [
            _source("article-2.14"),
            _source("article-2.15"),
            _source("wheel-2.15"),
            _source("nvidia-table", "https://developer.nvidia.com/cuda-gpus"),
        ]
    },
    MOVED: {"moved": [{"old": "polar", "new": "tensor-polar"}]},
    NO_RECORD: {"no_record": []},
    WHEELS: {"wheels": [wheel(version) for version in ("2.13.0", "2.14.0", "2.14.1", "2.15.0")]},
    METADATA: {
        "wheels": [
            wheel_metadata("2.13.0", "2.29.7"),
            wheel_metadata("2.14.0"),
            wheel_metadata("2.14.1"),
            wheel_metadata("2.15.0"),
        ]
    },
    VISION: {
        "name": "TorchVision",
        "what": "Images.",
        "summary": "Take 0.29.2.",
        "in_plans": True,
        "platforms": ["linux-x86-64", "macos-arm64"],
        "releases": ["0.28.0", "0.29.2"],
        "choices": [
            {"torch": "2.13.0", "take": ["0.28.0"], "known": "metadata"},
            {"torch": "2.14.1", "take": ["0.29.2"], "known": "upstream", "source": "article-2.14"},
            {"torch": "2.15.0", "take": ["0.29.2"], "known": "metadata", "note": "It is of the same day."},
        ],
        "sources": [article("2.14")],
        "not_confirmed": ["Whether it was tried."],
    },
    COMPANIONS: {
        "pythons": ["3.12", "3.15"],
        "packages": [
            {
                "package": "torchvision",
                "newest": "0.29.2",
                "day": "2026-11-30",
                "releases": [told("0.28.0", "torch==2.13.0"), told("0.29.2", "torch>=2.14.0")],
            }
        ],
    },
}
"""Path below ``data/`` → values. Six features (one of each shape), three releases, and what they need."""


def located(field: str) -> list[str | int]:
    """A field as one writes it → its keys: ``steps[1].code`` → ``["steps", 1, "code"]``."""
    return [int(part[1:-1]) if part[0] == "[" else part for part in re.findall(r"\[\d+\]|[^.\[\]]+", field)]


def changed(path: str, changes: Mapping[str, Any]) -> Values:
    """The values of a base file with some fields changed, such as ``{"areas[0]": "fspd", "summary": REMOVED}``."""
    values = copy.deepcopy(BASE[path])
    for name, new in changes.items():
        *way, last = located(name)
        place: Any = values
        for part in way:
            place = place[part]
        if new is REMOVED:
            del place[last]
        else:
            place[last] = copy.deepcopy(new)
    return values


def house_text(path: str, values: Mapping[str, Any]) -> str:
    """Values as a file in the house format."""
    return formatted(Document(f"data/{path}", dict(values), {}, ""))


@cache
def _base_text(path: str) -> str:
    return house_text(path, BASE[path])


def proofs(features: Mapping[str, Mapping[str, Any]]) -> Values:
    """Stored proofs for all evidence of some features, by id, that has a right shape; and the base's wheels."""
    stored = []
    for id_, values in sorted(features.items()):
        entries = []
        for one in values.get("evidence", []):
            try:
                digest = TypeAdapter(Evidence).validate_python(one).digest
            except ValidationError:
                continue
            proof = {"proves": one["proves"], "digest": digest, "holds_on": ["linux-x86-64"], "day": "2026-11-30"}
            entries.append(proof)
        if entries:
            stored.append({"feature": id_, "entries": entries})
    compared = [
        {"wheel": f"torch-{one['version']}-{one['platform']}", "sha256": one["sha256"]}
        for one in BASE[WHEELS]["wheels"]
    ]
    return {"wheels": compared, "features": stored, "runs": []}


def all_shapes_of_proofs() -> Values:
    """Stored results of every shape: held, failed, run."""
    failure = {"wheel": "torch-2.15.0-linux-x86-64", "found": "Not found."}
    proof = {"proves": "headline", "digest": "0" * 16, "fails_in": [failure], "day": "2026-11-30"}
    run = {"feature": "old-loader", "what": "probe", "digest": "0" * 16, "torch": "2.15.0+cpu", "python": "3.12.1"}
    run |= {"result": "passed", "printed": "True", "day": "2026-11-30"}
    stored = proofs({"reduce-dtype": BASE[DTYPE]})
    stored["features"].append({"feature": "old-loader", "entries": [proof]})
    return {**stored, "runs": [run]}


def api_diff(**parts: Any) -> dict[str, Any]:
    """What is stored of the public API of two versions, with these parts."""
    compared = {"file": "torch.whl", "version": "2.15.0", "sha256": "0" * 64}
    return {"old": {**compared, "version": "2.14.1"}, "new": compared, **parts}


def renamed(name: str, parameter: str, now: str, **more: Any) -> dict[str, Any]:
    """A parameter that has another name."""
    change = {"kind": "renamed", "parameter": parameter, "was": parameter, "now": now}
    return {"name": name, "changes": [change], **more}


ALL_SHAPES_OF_API = api_diff(
    removed=[{"module": "torch.a", "names": ["C.m", "f"]}, {"module": "torch.gone", "names": ["*"]}],
    unconfirmed=[{"name": "torch.a.maybe", "reason": "The base class is computed."}],
    changed=[
        {"name": "torch.qr", "changes": [{"kind": "raises", "now": "RuntimeError"}]},
        {"name": "torch.a.d", "changes": [{"kind": "default", "parameter": "x", "was": "1", "now": "2"}]},
        renamed("torch.a.r", "x", "y"),
        {"name": "torch.a.s", "changes": [{"kind": "sort", "was": "object", "now": "module"}]},
    ],
    added=[{"module": "torch.new", "names": ["C", "f"]}],
    parameters=[{"name": "torch.a.d", "parameters": ["z='`'"]}],
    operators={"added": ["aten::_p(int x) -> int"], "removed": ["aten::qr(Tensor x) -> Tensor"]},
    variables={"added": ["TORCH_NEW"], "removed": ["TORCH_OLD"]},
    flags={"changed": [{"name": "torch.config.x", "was": "1", "now": "2"}]},
    entry_points={"added": ["g: a = torch:a"]},
    requirements={"changed": [{"name": "Python", "was": ">=3.10", "now": ">=3.11"}]},
)


def files(**changes: File) -> dict[str, bytes]:
    """Every file of the base by its path below ``data/``, with changes."""
    texts: dict[str, File] = {path: _base_text(path) for path in BASE}
    texts[SCHEMA_PATH.removeprefix("data/")] = schema_text()
    found = {}
    written = {**BASE, **changes}
    features = {Path(path).stem: file for path, file in written.items() if path.startswith("features/")}
    texts[PROOFS] = proofs({id_: file for id_, file in features.items() if isinstance(file, Mapping)})
    for path, file in {**texts, **changes}.items():
        text = house_text(path, file) if isinstance(file, Mapping) else file
        if text is not None:
            found[path] = text.encode() if isinstance(text, str) else text
    return found


def write_base(root: Path, **changes: File) -> Path:
    """Write the base, with changes, below ``root/data``; return ``root``."""
    for path, data in files(**changes).items():
        target = root / "data" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return root


def contents(**changes: File) -> Contents:
    """What reading the base, with changes, gives: without a disk, problems of shape included."""
    found = Contents(Path())
    for path, data in files(**changes).items():
        model = model_of(path)
        if model is None:
            continue
        if model is Feature:
            found.feature_paths[Path(path).stem] = f"data/{path}"
        document = parse(data, f"data/{path}")
        record = validate(document, model) if isinstance(document, Document) else document
        if isinstance(record, list) or not isinstance(document, Document):
            found.problems += record
            continue
        read: Read[Any] = Read(record, document)
        if path in SINGLES:
            setattr(found, SINGLES[path][0], read)
        else:
            lists: dict[Any, list[Any]] = {
                Feature: found.features,
                Release: found.releases,
                Devices: found.devices,
                Companion: found.companions,
                ApiDiff: found.api,
            }
            lists[model].append(read)
    return found


def library(**changes: File) -> Library:
    """The library of the base, with changes that keep its shape valid."""
    found = contents(**changes)
    assert not found.problems, found.problems
    return library_of(found)

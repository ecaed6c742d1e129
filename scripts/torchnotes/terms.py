"""Closed vocabularies: the words that Python branches on, each with its label and its definition.

The one home of these words. Words that only classify (areas, hardware, devices) live in ``data/vocabulary/``.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Self


class Term(StrEnum):
    """A word of a closed vocabulary: its value is what YAML files say."""

    label: str
    """As shown to a reader."""
    definition: str
    """One sentence."""

    def __new__(cls, value: str, label: str, definition: str) -> Self:
        """Make a member from the triple on its line."""
        term = str.__new__(cls, value)
        term._value_ = value
        term.label = label
        term.definition = definition
        return term


class Kind(Term):
    """What sort of change a feature is."""

    NEW_FEATURE = "new-feature", "New feature", "Something that could not be done before."
    IMPROVEMENT = "improvement", "Improvement", "Something that works better, without a figure that somebody claims."
    PERFORMANCE = "performance", "Performance", "Something that is faster or smaller by a figure that somebody claims."
    BUG_FIX = "bug-fix", "Bug fix", "Something that was wrong and is right now."
    DEFAULT_CHANGE = "default-change", "Default changed", "The same code runs, with another default."
    BEHAVIOR_CHANGE = "behavior-change", "Behaviour changed", "The same call does something else."
    DEPRECATION = "deprecation", "Deprecated", "Still there, and announced to go."
    REMOVAL = "removal", "Removed", "Gone."
    REQUIREMENT = "requirement", "Requirement", "What must be installed or owned has changed."
    KNOWN_ISSUE = "known-issue", "Known issue", "A fault in a published version."


class Action(Term):
    """What the reader has to do."""

    REQUIRED = "required", "Action required", "Whoever is concerned must act, or something breaks or silently changes."
    RECOMMENDED = "recommended", "Recommended", "It works without, and is better with."
    OPTIONAL = "optional", "Optional", "Something to gain for who wants it."
    NONE = "none", "Nothing to do", "No step; the reason is given."


class Visibility(Term):
    """How a change shows itself to who does nothing."""

    ERROR = "error", "raises an error", "Code or a command fails with a message."
    WARNING = "warning", "warns", "A warning is printed."
    NUMERICS = "numerics", "changes numbers", "Results differ without a message."
    SPEED = "speed", "changes speed", "It runs faster or slower without a message."
    MEMORY = "memory", "changes memory", "It takes more or less memory without a message."
    HANG = "hang", "can hang", "It stops without an end and perhaps without a message."
    INSTALL = "install", "shows on install", "Installing or building fails, or takes another package."
    NONE = "none", "shows nothing", "Nothing tells: no message, no other numbers, no other speed."


LOUD = frozenset({Visibility.ERROR, Visibility.WARNING, Visibility.INSTALL})
"""Visibilities that tell the user by themselves; any other change is silent."""


class Stability(Term):
    """How firm the interface is, in PyTorch's own classes."""

    STABLE = "stable", "Stable", "Kept compatible by PyTorch's rules."
    BETA = "beta", "Beta", "May still change between releases."
    PROTOTYPE = "prototype", "Prototype", "Early: may change or go without notice."
    PRIVATE = "private", "Private", "Lives behind a leading underscore: no promise at all."
    NOT_CLASSIFIED = "not-classified", "Not classified", "Upstream does not say."


class Grade(Term):
    """How sure this knowledge base is of a record's headline. Always computed."""

    PROVED = "proved", "Proved", "A machine found the headline in the published wheels."
    TRACED = "traced", "Traced", "The upstream change, or the upstream report of a fault, was found."
    REPORTED = "reported", "Reported", "A source says so; the upstream change was not found."
    DISPUTED = "disputed", "Disputed", "A source says one thing and the published wheels show another."


class EvidenceKind(Term):
    """What sort of trace a machine looks for in a wheel."""

    TEXT = "text", "text", "A piece of text in a file of the wheel."
    BINARY_STRING = "binary-string", "string in a library", "A piece of text inside a compiled library."
    FILE = "file", "file", "A file in the wheel."
    SYMBOL = "symbol", "definition", "A name that a Python file defines, or the default of a parameter."
    EXPORT = "export", "public name", "A name that code can reach by import and attribute."
    ENTRY_POINT = "entry-point", "entry point", "An entry point that the wheel announces."
    REQUIREMENT = "requirement", "requirement", "A requirement in the wheel's metadata."
    OPERATOR = "operator", "operator", "An operator that the generated headers declare."
    SETTING = "setting", "setting", "An environment variable that is read, or a config flag."
    TAG = "tag", "wheel tag", "A part of the wheel's file name."


class TagPart(Term):
    """A part of a wheel's file name."""

    PYTHON = "python", "Python tag", "The interpreter, such as `cp312`."
    ABI = "abi", "ABI tag", "The binary interface, such as `cp312` or `none`."
    PLATFORM = "platform", "platform tag", "The system, such as `macosx_14_0_arm64`."


class RunResult(Term):
    """How a piece of code ended that was run with an installed torch."""

    PASSED = "passed", "ran", "It ended without an error."
    FAILED = "failed", "raised an error", "It ended with an error."
    TIMED_OUT = "timed-out", "did not end in time", "It was stopped when its time was over."


class Wheel(Term):
    """Which published wheel a piece of evidence is about."""

    ANY = "any", "every wheel", "The wheels of every platform."
    LINUX_X86_64 = "linux-x86-64", "Linux x86-64", "The wheel for Linux on x86-64, with CUDA."
    LINUX_AARCH64 = "linux-aarch64", "Linux aarch64", "The wheel for Linux on 64-bit Arm, with CUDA."
    MACOS_ARM64 = "macos-arm64", "macOS arm64", "The wheel for Macs with Apple silicon."
    WINDOWS_X86_64 = "windows-x86-64", "Windows x86-64", "The wheel for Windows on x86-64."


FETCHED_PLATFORMS: Mapping[str, Wheel] = MappingProxyType(
    {
        "macos": Wheel.MACOS_ARM64,
        "linux": Wheel.LINUX_X86_64,
        "linux-aarch64": Wheel.LINUX_AARCH64,
        "windows": Wheel.WINDOWS_X86_64,
    }
)
"""Platforms whose wheels `torchnotes verify` can fetch, by their names on the command line."""


class Pairing(Term):
    """How it is known that a release of a companion package goes with a version of PyTorch."""

    TORCH_PINS = (
        "torch-pins",
        "PyTorch requires it",
        "The metadata of the torch wheels names it: pip installs the right one.",
    )
    METADATA = "metadata", "its metadata", "The package's own metadata names the versions of torch that it accepts."
    UPSTREAM = "upstream", "upstream says so", "A document of the project or of its users names the pair."
    UNKNOWN = "unknown", "nobody says", "Neither metadata nor a document names the pair."


class SourceType(Term):
    """What an upstream source is."""

    PULL = "pull", "pull request", "A proposed or landed change."
    ISSUE = "issue", "issue", "A thread."


class SourceRole(Term):
    """What an upstream source is to the feature."""

    CHANGE = "change", "the change", "This is the change that the record describes, or a part of it."
    REPORT = "report", "a report", "Somebody met it, planned it or measured it."
    BACKGROUND = "background", "background", "It explains the context."


class Basis(Term):
    """How a release fact is known."""

    WHEEL = "wheel", "Read in the wheel", "Read from a file or a library of the published wheel."
    METADATA = "metadata", "Wheel metadata", "Read from the metadata of the published wheel."
    RUN = "run", "Printed by the wheel", "Printed by the installed wheel on a machine without a GPU."
    REGISTRY = "registry", "Wheels on offer", "From the names of the files that pip is offered."
    UPSTREAM = "upstream", "Upstream repository", "Stated in an upstream file, pull request or issue."
    ARTICLE = "article", "Reported in an article", "Stated by an article; not seen elsewhere."
    INFERRED = "inferred", "Inferred", "Follows from other facts by the rule that the note names."
    NOT_CONFIRMED = "not-confirmed", "Not confirmed", "Looked for and not found."


class Runs(Term):
    """Whether a wheel has code for a hardware."""

    YES = "yes", "runs", "The wheel holds machine code for it."
    NO = "no", "does not run", "The wheel holds no machine code for it."
    NOT_PROMISED = "not-promised", "not promised", "The rules disagree, or upstream leaves it out on purpose."
    UNKNOWN = "unknown", "not verified", "The wheel could not be examined."


class Confirmed(Term):
    """How well a known issue is confirmed."""

    MAINTAINER = "maintainer", "confirmed by a maintainer", "A maintainer reproduced or accepted it."
    REPRODUCER = "reproducer", "a reproducer exists", "The report holds code that shows it."
    SEVERAL_REPORTS = "several-reports", "several reports", "More than one person met it."
    ONE_REPORT = "one-report", "one report", "One person met it."


class Language(Term):
    """Language of a piece of code."""

    PYTHON = "python", "Python", "Python source; it must parse."
    BASH = "bash", "shell", "Commands for a POSIX shell."
    CPP = "cpp", "C++", "C++ or CUDA source."
    CMAKE = "cmake", "CMake", "A piece of CMakeLists.txt."
    TOML = "toml", "TOML", "A piece of pyproject.toml."
    TEXT = "text", "text", "Anything else, such as a requirements file."


class Needs(Term):
    """What a probe must run on."""

    CPU = "cpu", "any machine", "Runs on any machine with torch installed."
    CUDA = "cuda", "an NVIDIA or AMD GPU", "Needs a GPU of a CUDA or ROCm build."
    MPS = "mps", "an Apple silicon Mac", "Needs a Mac with Apple silicon."
    XPU = "xpu", "an Intel GPU", "Needs an Intel GPU of an XPU build."


class OperatingSystem(Term):
    """Operating systems that a record can be limited to."""

    LINUX = "linux", "Linux", "Linux, WSL2 too."
    WINDOWS = "windows", "Windows", "Windows without WSL2."
    MACOS = "macos", "macOS", "macOS."


class Build(Term):
    """Builds of PyTorch that a record can be limited to, named as in local versions."""

    CPU = "cpu", "CPU", "Without GPU code."
    CU126 = "cu126", "CUDA 12.6", "Built with CUDA 12.6."
    CU130 = "cu130", "CUDA 13.0", "Built with CUDA 13.0."
    CU132 = "cu132", "CUDA 13.2", "Built with CUDA 13.2."
    CU134 = "cu134", "CUDA 13.4", "Built with CUDA 13.4."
    ROCM = "rocm", "ROCm", "Built for AMD GPUs."
    XPU = "xpu", "XPU", "Built for Intel GPUs."


class Limited(Term):
    """What a release limits on the machine."""

    PYTHON = "python", "Python", "Version of Python."
    FREE_THREADED = "free-threaded", "Free-threaded Python", "Version of Python without its global lock, such as 3.14t."
    DRIVER = "driver", "NVIDIA driver", "Version of the NVIDIA driver."
    MACOS = "macos", "macOS", "Version of macOS."


class Stops(Term):
    """What a machine outside of a limit cannot do."""

    INSTALL = "install", "install", "The wheel cannot be installed."
    GPU = "gpu", "use the GPU", "The wheel can be installed, and works on the processor only."


class DeviceCount(Term):
    """How many devices a job must use to be concerned."""

    ONE = "one", "one device", "Only jobs on a single device."
    SEVERAL = "several", "several devices", "Only jobs on more than one device."


class Better(Term):
    """Which direction of a figure is an improvement."""

    LOWER = "lower", "less is better", "Times, sizes."
    HIGHER = "higher", "more is better", "Rates."


class Match(Term):
    """What sort of thing `torchnotes scan` looks for."""

    CALL = "call", "call", "A call in Python, however the name was imported."
    IMPORT = "import", "import", "An import in Python."
    KEYWORD = "keyword", "argument", "An argument that a call in Python passes."
    ATTRIBUTE = "attribute", "name", "A name that Python uses, called or not."
    SETTING = "setting", "setting", "An environment variable or a config flag."
    LINE = "line", "line", "A line of a file, whatever its language."


class Sure(Term):
    """Whether what `torchnotes scan` finds is concerned."""

    YES = "yes", "found", "What is found is concerned."
    MAYBE = "maybe", "maybe", "A person must look: the code alone does not tell."


class FileSort(Term):
    """What `torchnotes scan` takes a file for, by its name or its first line."""

    PYTHON = "python", "Python", "Python source."
    NOTEBOOK = "notebook", "notebook", "A Jupyter notebook: its Python cells."
    SETUP = "setup", "setup.py", "A `setup.py`, which is Python too."
    REQUIREMENTS = "requirements", "requirements", "Requirements and constraints for pip."
    PROJECT = "project", "project file", "`pyproject.toml`, `setup.cfg`, `tox.ini`, `Pipfile`."
    DOCKERFILE = "dockerfile", "Dockerfile", "A Dockerfile or Containerfile."
    SHELL = "shell", "shell", "Shell scripts, batch jobs, make files and environment files."
    YAML = "yaml", "YAML", "YAML files, such as workflows and conda environments."
    CMAKE = "cmake", "CMake", "`CMakeLists.txt` and `*.cmake`."
    CPP = "cpp", "C++", "C, C++, CUDA and HIP source."


class Form(Term):
    """What sort of machine a device sits in."""

    DESKTOP = "desktop", "Desktop", "A card for a desktop computer."
    LAPTOP = "laptop", "Laptop", "A part of a laptop."
    WORKSTATION = "workstation", "Workstation", "A card for a workstation."
    SERVER = "server", "Server", "A card or module for a server."
    EMBEDDED = "embedded", "Embedded", "A module such as Jetson."
    APU = "apu", "Integrated", "A GPU on the same chip as the processor, such as Apple silicon."


class ApiChange(Term):
    """What a published wheel changed about a public name that is still there."""

    RAISES = "raises", "always raises", "It is still there, and does nothing but raise an error."
    DROPPED = "dropped", "parameter removed", "A parameter is gone."
    RENAMED = "renamed", "parameter renamed", "A parameter has another name in the same place."
    INSERTED = "inserted", "argument inserted", "A positional argument was put before others, which moved on."
    MOVED = "moved", "argument moved", "Positional arguments stand in another order."
    DEFAULT = "default", "default changed", "A parameter has another default."
    REQUIRED = "required", "argument required", "A parameter must be given that need not be given before."
    KEYWORD_ONLY = "keyword-only", "keyword-only", "A parameter can no longer be passed by position."
    POSITIONAL_ONLY = "positional-only", "positional-only", "A parameter can no longer be passed by name."
    SORT = "sort", "another sort of object", "It is another sort of object, such as a class instead of a function."
    BASE = "base", "base class lost", "It is no longer a subclass of a class."
    VALUE = "value", "constant changed", "A public constant has another value."
    DEPRECATED = "deprecated", "marked as deprecated", "It carries a decorator that announces its end."
    RELEASED = "released", "no longer deprecated", "The decorator that announced its end is gone."

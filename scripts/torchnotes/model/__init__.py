"""The shape of every authored file, one record alone.

No input or output, no second record, no vocabulary: what needs those is a check. What must be there follows from
``kind`` and ``action`` through types. Every field has a docstring: it feeds the JSON Schema (hover text in
editors), the contributing page's field table and the error's hint.
"""

from torchnotes.model.companion import Companion, CompanionRelease, ReadCompanion, ReadCompanions
from torchnotes.model.evidence import Discrepancy, Evidence, Failure, Proof, Proofs, ProvedFeature, Run
from torchnotes.model.feature import FEATURE_KINDS, Feature, FeatureBase, KnownIssue, feature_adapter
from torchnotes.model.metadata import MetadataFile, WheelMetadata
from torchnotes.model.migration import Migration, NoAction, RequiredSteps, StepsMigration
from torchnotes.model.release import Release
from torchnotes.model.shared import Moved, MovedId, NoRecords, SharedSource, Sources, WheelFile, Wheels
from torchnotes.model.source import Source, UpstreamSource
from torchnotes.model.vocabulary import Areas, Device, Devices, FactNames, HardwareTree

__all__ = [
    "FEATURE_KINDS",
    "Areas",
    "Companion",
    "CompanionRelease",
    "Device",
    "Devices",
    "Discrepancy",
    "Evidence",
    "FactNames",
    "Failure",
    "Feature",
    "FeatureBase",
    "HardwareTree",
    "KnownIssue",
    "MetadataFile",
    "Migration",
    "Moved",
    "MovedId",
    "NoAction",
    "NoRecords",
    "Proof",
    "Proofs",
    "ProvedFeature",
    "ReadCompanion",
    "ReadCompanions",
    "Release",
    "RequiredSteps",
    "Run",
    "SharedSource",
    "Source",
    "Sources",
    "StepsMigration",
    "UpstreamSource",
    "WheelFile",
    "WheelMetadata",
    "Wheels",
    "feature_adapter",
]

"""Words for how a feature reaches a hardware: by its own name, or through what is above it in the tree.

The pages and the finder say the same words, so they have one home.
"""

from torchnotes.library import ANY_ACCELERATOR, ROOT_HARDWARE
from torchnotes.model.vocabulary import Hardware


def own_words(hardware: Hardware) -> str:
    """For a feature that names this hardware and nothing else."""
    return hardware.label if hardware.id == ROOT_HARDWARE else f"{hardware.label} only"


def inherited_words(hardware: Hardware) -> str:
    """For a feature that names this hardware, as seen from one below it."""
    if hardware.id == ROOT_HARDWARE:
        return "all hardware"
    return "all GPUs" if hardware.id == ANY_ACCELERATOR else f"all {hardware.label}"

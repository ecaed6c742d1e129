"""Hardware and devices → the spellings under which people type them.

A spelling is letters and digits only, in lower case: ``RTX 5090``, ``rtx-5090`` and ``rtx5090`` are one.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable

from torchnotes.library import ANY_ACCELERATOR, ROOT_HARDWARE, Library

_NVIDIA_CAPABILITY = re.compile(r"sm_([0-9]+)")


def spelling(text: str) -> str:
    """Letters and digits in lower case."""
    return "".join(char for char in unicodedata.normalize("NFKC", text).lower() if char.isalnum())


def spellings(library: Library) -> tuple[list[list[str]], list[list[str]]]:
    """Spellings of each hardware, and of each device, in the order of the library.

    What somebody wrote down as a name or an alias wins over what is derived from a name by leaving words out.
    """
    hardware = [_hardware_spellings(library, one) for one in library.hardware]
    devices: list[dict[str, None]] = [
        dict.fromkeys(spelling(one) for one in (device.name, *device.aliases)) for device in library.devices
    ]
    families_of_devices = [device.hardware for device in library.devices]
    at = {device.name: number for number, device in enumerate(library.devices)}
    families = {one: number for number, one in enumerate(library.hardware)}
    for ambiguous in (one for vendor in library.vendors for one in vendor.ambiguous):
        for candidate in ambiguous.candidates:
            if candidate in at:
                devices[at[candidate]][spelling(ambiguous.typed)] = None
            elif candidate in families:
                hardware[families[candidate]].append(spelling(ambiguous.typed))
    written: dict[str, set[str]] = defaultdict(set)
    for one, own in (*zip(library.hardware, hardware, strict=True), *zip(families_of_devices, devices, strict=True)):
        for typed in own:
            written[typed].add(one)
    for device, own in zip(library.devices, devices, strict=True):
        derived = dict.fromkeys(_shortened(device.name))
        own.update(dict.fromkeys(one for one in derived if written[one] <= {device.hardware}))
    return hardware, [list(own) for own in devices]


def _hardware_spellings(library: Library, hardware_id: str) -> list[str]:
    # "All" and "GPU" are words of every other sentence, so these two are chosen, not recognised.
    one = library.hardware[hardware_id]
    if hardware_id in (ROOT_HARDWARE, ANY_ACCELERATOR):
        return []
    names: list[str] = [one.id, one.label, *one.aliases]
    for capability in one.capabilities:
        names.append(capability)
        # Code for one chip, or for its family, is named by a letter behind the number.
        if _NVIDIA_CAPABILITY.fullmatch(capability):
            names += [f"{capability}a", f"{capability}f", capability.replace("sm_", "compute_")]
    return list(dict.fromkeys(spelling(name) for name in names))


def _shortened(name: str) -> Iterable[str]:
    """Each run of a name's words that still names a model: ``H100 SXM5`` → h100sxm5, h100."""
    words = re.sub(r"\([^)]*\)", "", name).split()
    for start in range(len(words)):
        for end in range(len(words), start, -1):
            rest = spelling("".join(words[start:end]))
            # A size of memory names no product, nor does a form.
            if re.fullmatch(r"(?=.*[0-9])(?=.*[a-z]).{3,}", rest) and not re.fullmatch(r"[0-9]+gb|sxm[0-9]?", rest):
                yield rest

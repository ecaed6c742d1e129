"""Published wheels → proofs: every evidence entry is compared with the files that it speaks of.

``examining`` answers for one entry in one wheel, ``verifying`` for all entries and all wheels that are at hand,
``storing`` joins what was found with what is stored, ``fetching`` asks pip for wheels, ``running`` runs probes with
an installed torch. Refuses to judge: it says what a wheel shows, and the grade follows from that in the library.
"""

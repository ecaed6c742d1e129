"""Upgrade plans as data: what to do from one published version to another, as the net effect of what lies between.

Pure: knows no page and no disk. It takes the notes as they stand and writes no sentence; what it leaves out, it leaves
out by the rule in ``plan.rule`` alone, and names with the reason.
"""

from torchnotes.plan.expiry import Ending
from torchnotes.plan.plan import Phase, Plan, Step, plan_of
from torchnotes.plan.rule import Folded, Upgrade, Why, upgrades

__all__ = ["Ending", "Folded", "Phase", "Plan", "Step", "Upgrade", "Why", "plan_of", "upgrades"]

"""Checks the joint forces of an Open Dynamics Engine simulation, and computes the right ones, each
with an error bar.

    import ode, numpy as np, kinetostat as ks

    arm = ks.Inspector(world)     # a world of pyode, unchanged
    arm.quick_step(0.005)         # instead of world.quickStep(0.005)
    r = arm.reactions             # of all joints: numpy.asarray(r), r["physical"]["force"]
    print(ks.verdict(r["verdict"]), arm.wrench(elbow).force)

Units are the host's; the documentation uses kg, m and s. Wrenches act on a body. NaN means unknown.
The C names ksInspectorQuickStep, KS_NEXT_STEP and ksReaction::errorBar are Inspector.quick_step,
NEXT_STEP and "error_bar" here.
"""
import atexit as _atexit
import enum as _enum

from . import _binary
from ._native import *
from ._native import _end
from ._command import CommandError, judge, load_cases, merge, sizing
from ._files import RunFile, RunWorld, Table, open
from ._joints import RunJoint


def _word(member):
    return member.name or int.__repr__(member)


for _one in [_one for _one in globals().values() if isinstance(_one, _enum.EnumType)]:
    _one.__str__ = _word  # enum itself returns the number
for _one in CommandError, judge, load_cases, merge, sizing, RunFile, RunJoint, RunWorld, Table, open:
    _one.__module__ = __name__
_atexit.register(_end)


def verdict(number):
    """Returns the Verdict with this number; for an array or other iterable, a list of Verdicts."""
    try:
        return [Verdict(int(one)) for one in number]
    except TypeError:
        return Verdict(int(number))

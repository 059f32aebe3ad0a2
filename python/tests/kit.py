"""kit.py  The library itself, by ctypes."""
import ctypes
import os

import kinetostat as ks

LIBRARY = ctypes.CDLL(os.environ["KS_LIBRARY"])
ENGINE = ctypes.CDLL("libode.so.8")  # the engine that this process has loaded
IS_SINGLE = bool(ENGINE.dCheckConfiguration(b"ODE_single_precision"))
for step in (LIBRARY.ksInspectorQuickStep, LIBRARY.ksInspectorStep, LIBRARY.ksInspectorExactStep):
    step.argtypes = ctypes.c_void_p, ctypes.c_float if IS_SINGLE else ctypes.c_double
LIBRARY.ksInspectorGetReactions.restype = ctypes.c_void_p


def address(of):
    return ctypes.c_void_p(ks.address(of))


def by_precision(double, single):
    """the tolerance for the precision of the engine"""
    return single if IS_SINGLE else double


def seed():
    """Sets the seed of the random order in which dWorldQuickStep visits the rows."""
    ENGINE.dRandSetSeed(ctypes.c_ulong(1))


class Options(ctypes.Structure):
    """ksInspectorOptions"""
    _fields_ = [("size", ctypes.c_size_t), ("tolerance", ctypes.c_double), ("momentumTolerance", ctypes.c_double),
                ("loadFloor", ctypes.c_double), ("rigidCfm", ctypes.c_double), ("rankTolerance", ctypes.c_double),
                ("islandRowBudget", ctypes.c_size_t), ("alertMask", ctypes.c_uint), ("values", ctypes.c_uint),
                ("resize", ctypes.c_void_p), ("user", ctypes.c_void_p), ("estimateSweeps", ctypes.c_size_t),
                ("searchRounds", ctypes.c_size_t), ("contacts", ctypes.c_uint), ("relaxedPerStep", ctypes.c_int),
                ("contactSweeps", ctypes.c_size_t), ("frictionRounds", ctypes.c_size_t), ("latency", ctypes.c_uint),
                ("workers", ctypes.c_int), ("executor", ctypes.c_void_p), ("meanWindow", ctypes.c_double),
                ("exactContacts", ctypes.c_uint), ("exactContactRows", ctypes.c_size_t),
                ("contactPhysical", ctypes.c_int)]

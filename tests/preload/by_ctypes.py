"""A chain of five hinges, by the engine's library and ctypes alone. Prints where the last link ends, to the bit."""
import ctypes
import sys

ode = ctypes.CDLL(sys.argv[1])
Real, Pointer = ctypes.c_double, ctypes.c_void_p


def function(name, result, *arguments):
    found = getattr(ode, name)
    found.restype, found.argtypes = result, arguments
    return found


function("dInitODE2", ctypes.c_int, ctypes.c_uint)(0)
world = function("dWorldCreate", Pointer)()
function("dWorldSetGravity", None, Pointer, Real, Real, Real)(world, 0, 0, -9.81)
last = None
for i in range(5):
    body = function("dBodyCreate", Pointer, Pointer)(world)
    function("dBodySetPosition", None, Pointer, Real, Real, Real)(body, 0.5 + i, 0, 0)
    joint = function("dJointCreateHinge", Pointer, Pointer, Pointer)(world, None)
    function("dJointAttach", None, Pointer, Pointer, Pointer)(joint, body, last)
    function("dJointSetHingeAnchor", None, Pointer, Real, Real, Real)(joint, i, 0, 0)
    function("dJointSetHingeAxis", None, Pointer, Real, Real, Real)(joint, 0, 1, 0)
    last = body
step = function("dWorldQuickStep", ctypes.c_int, Pointer, Real)
for _ in range(100):
    step(world, 0.005)
at = function("dBodyGetPosition", ctypes.POINTER(Real), Pointer)(last)
print(*(at[i].hex() for i in range(3)))
function("dWorldDestroy", None, Pointer)(world)

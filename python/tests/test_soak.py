"""test_soak.py  Many steps with callbacks, exceptions and objects that die lose no memory.
KS_SOAK=1000000 sets the number of steps."""
import ctypes
import gc
import os
import subprocess
import sys
import unittest

import kinetostat as ks
import ode
from scenes import Scene, box_on_floor, pendulum

STEPS = int(os.environ.get("KS_SOAK", 3000))
# Steps in the life of a world. Each round of all parts leaves the memory as it was.
ROUND = 100
# Limits of the growth of memory, from the first rounds to the end: blocks of Python, bytes of the C
# library. A separate process grows by about 50 blocks and 10 kB, after 3000 steps as after 1000000.
# If each of 3000 steps lost a block of 32 bytes, the growth would be 3000 blocks and 96 kB; if each
# round lost an inspector, hundreds of blocks.
BLOCKS, BYTES = 200, 64 << 10


class Used(ctypes.Structure):
    """struct mallinfo2"""
    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
                                                     "fordblks", "keepcost")]


try:
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = Used
except AttributeError:
    mallinfo = None


def used():
    for _ in range(3):
        gc.collect()
    info = mallinfo() if mallinfo else Used()
    return sys.getallocatedblocks(), info.uordblks + info.hblkhd


def everything(arm, joint):
    """Makes many calls after a step, right and wrong ones."""
    reactions = arm.reactions
    memoryview(reactions).release()
    reactions["physical"]["force"]
    arm[joint], arm["x"], arm.wrench(joint).force, arm.rows(joint)["cfm"], arm.report.worst_error
    repr(arm.reaction(joint).physical)
    arm.sum_wrenches([ks.WrenchTerm(joint=joint, body=arm.bodies[-1])])
    for wrong in (lambda: arm["y"], lambda: arm.quick_step(-1), lambda: arm.rows(5.0), lambda: arm.on_threshold(joint, call=print, foo=1)):
        try:
            wrong()
        except (KeyError, ks.Error, TypeError):
            pass


def steps(latency):
    """Runs one world with its inspector, from creation to end."""
    scene = Scene(pendulum)
    free = scene.box((1, 1, 1))
    arm = ks.Inspector(scene.world, latency=latency, report=latency == ks.SAME_STEP)
    joint = scene.joints[0]
    arm.name(joint, "x")
    calls = []

    def call(event):
        calls.append(event.time)
        if len(calls) % 7 == 0:
            raise ValueError(event.joint)
    arm.on_reaction(call)
    arm.on_reaction(call, joint)
    arm.on_step(lambda report: arm)
    arm.on_threshold(joint, call=lambda event: event.reaction, force=1)
    for i in range(ROUND):
        step = (arm.quick_step, arm.step, arm.exact_step)[i % 3]
        try:
            if i % 10 == 0:
                with arm.bracket(ks.QUICK_STEP, 0.005):
                    scene.world.quickStep(0.005)
            else:
                step(0.005)
        except ValueError:
            pass
        everything(arm, joint)
        if i % 20 == 0:
            # objects die between steps
            scene.bodies[1:] = [scene.box((i, 1, 1))]
            dying = scene.join(ode.BallJoint, scene.bodies[1], free, (0, 0, 0))
            arm.on_reaction(call, dying)
            arm.name(dying, "dying")
            scene.joints[1:] = []
            del dying
        if i % 25 == 0:
            arm.on_alert(call).end()
    if len(calls) % 2:
        arm.close()


def contacts():
    scene = Scene(box_on_floor)
    with ks.Inspector(scene.world) as arm:
        arm.on_contact(lambda contact: contact.joint, scene.bodies[0])
        for _ in range(4):
            scene.before()
            arm.quick_step(0.005)


def systems():
    system = ks.System()
    for _ in range(3):
        block = system.add_block([[2.0, 0], [0, 2.0]], force=(0, -20))
        system.add_row({block: (0, 1.0)})
        system.solve_gauss(), system.solve_bounded(), system.determinacy(), system.self_stresses(), system.relax_row(0)
        system.mobility({block: (1, 0)}, {block: (1, 0)}), system.solve_impulse([1] * system.coordinate_count)
        for wrong in (lambda: system.add_block([[-1.0]]), lambda: system.add_row({9: (0, 1)}), lambda: system.add_row({block: "xy"})):
            try:
                wrong()
            except (ks.Error, IndexError, TypeError):
                pass
        if system.row_count == 2:
            system.clear()


def rounds(count):
    for i in range(count):
        steps(ks.NEXT_STEP if i % 2 else ks.SAME_STEP)
        contacts()
        systems()


class Soak(unittest.TestCase):
    def test_memory(self):
        """Runs in a separate process, since memory of other tests would distort the result."""
        said = subprocess.run([sys.executable, __file__], capture_output=True, text=True, check=True).stdout
        blocks, size = map(int, said.split())
        self.assertLess(blocks, BLOCKS)
        self.assertLess(size, BYTES)


if __name__ == "__main__":
    rounds(30)
    before = used()
    rounds(max(STEPS // ROUND, 2))
    print(*(after - earlier for after, earlier in zip(used(), before)))

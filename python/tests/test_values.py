"""test_values.py  Python gets the same values as C, bit for bit: in ten scenes, with each stepper
and each latency. The scenes move as they do without an inspector."""
import ctypes
import unittest

import kinetostat as ks
import numpy as np
from kit import LIBRARY, Options, address, by_precision, seed
from scenes import ALL, Scene

STEPS, SIZE = 25, 0.005
REACTION = 1944  # bytes; tests/inspector/check_layout.c


def in_c(build, stepper, latency):
    """-> all reactions of all steps, by calls of the library in C"""
    seed()
    scene = Scene(build)
    options = Options()
    LIBRARY.ksInspectorOptionsInit(ctypes.byref(options))
    options.latency = latency
    inspector = ctypes.c_void_p()
    assert LIBRARY.ksInspectorCreate(address(scene.world), ctypes.byref(options), ctypes.byref(inspector)) == 0
    step = {ks.QUICK_STEP: LIBRARY.ksInspectorQuickStep, ks.WORLD_STEP: LIBRARY.ksInspectorStep,
            ks.EXACT_STEP: LIBRARY.ksInspectorExactStep}[stepper]
    found = []
    for _ in range(STEPS):
        scene.before()
        assert step(inspector, SIZE) == 0
        count = ctypes.c_size_t()
        at = LIBRARY.ksInspectorGetReactions(inspector, ctypes.byref(count))
        found.append(ctypes.string_at(at, count.value * REACTION))
    LIBRARY.ksInspectorDestroy(inspector)
    return found, poses(scene)


def in_python(build, stepper, latency, by_bracket=False):
    seed()
    scene = Scene(build)
    arm = ks.Inspector(scene.world, latency=latency)
    step = {ks.QUICK_STEP: arm.quick_step, ks.WORLD_STEP: arm.step, ks.EXACT_STEP: arm.exact_step}[stepper]
    found = []
    for _ in range(STEPS):
        scene.before()
        if by_bracket:
            with arm.bracket(stepper, SIZE):
                plain(scene.world, stepper)
        else:
            step(SIZE)
        found.append(np.asarray(arm.reactions))
    return found, poses(scene)


def plain(world, stepper):
    if stepper == ks.QUICK_STEP:
        world.quickStep(SIZE)
    else:
        world.step(SIZE)


def poses(scene):
    return [(b.getPosition(), b.getQuaternion(), b.getLinearVel(), b.getAngularVel()) for b in scene.bodies]


class Values(unittest.TestCase):
    def compare(self, build, stepper, latency=ks.SAME_STEP, by_bracket=False):
        expected, moved = in_c(build, stepper, latency)
        found, moved_here = in_python(build, stepper, latency, by_bracket)
        self.assertEqual(moved, moved_here)
        self.assertEqual(len(expected), len(found))
        judged = 0
        for want, got in zip(expected, found):
            want = np.frombuffer(want, dtype=got.dtype)
            self.assertEqual(len(want), len(got))
            for name in got.dtype.names:
                if name not in ("joint", "body"):  # addresses
                    self.assertEqual(want[name].tobytes(), got[name].tobytes(), f"{build.__name__}: {name}")
            judged += np.count_nonzero(got["verdict"] != ks.NOT_SOLVED)
        self.assertGreater(judged, STEPS // 2, build.__name__)

    def test_quick_step(self):
        for build in ALL:
            self.compare(build, ks.QUICK_STEP)

    def test_step(self):
        for build in ALL:
            self.compare(build, ks.WORLD_STEP)

    def test_exact_step(self):
        for build in ALL:
            self.compare(build, ks.EXACT_STEP)

    def test_later(self):
        for build in ALL:
            self.compare(build, ks.QUICK_STEP, ks.NEXT_STEP)

    def test_bracket(self):
        for build in ALL:
            for stepper in (ks.QUICK_STEP, ks.WORLD_STEP):
                self.compare(build, stepper, by_bracket=True)

    def test_trajectory(self):
        for build in ALL:
            for stepper in (ks.QUICK_STEP, ks.WORLD_STEP):
                seed()
                scene = Scene(build)
                for _ in range(STEPS):
                    scene.before()
                    plain(scene.world, stepper)
                self.assertEqual(poses(scene), in_python(build, stepper, ks.SAME_STEP)[1], build.__name__)

    def test_rows(self):
        """The multipliers of the rows yield the wrench of the joint."""
        scene = Scene(ALL[1])
        arm = ks.Inspector(scene.world)
        for _ in range(STEPS):
            arm.quick_step(SIZE)
        for joint in scene.joints:
            rows, reaction = arm.rows(joint), arm.reactions[arm[joint]]
            for value in ("engine", "physical"):
                wrench = np.einsum("r,rk->k", rows[value], rows["jacobian"][:, 0])
                expected = np.concatenate((reaction[value]["force"][0], reaction[value]["torque"][0]))
                # rounding of sums of five products in another order
                np.testing.assert_allclose(wrench, expected, rtol=0, atol=by_precision(1e-12, 1e-6) * np.abs(rows[value]).max())


if __name__ == "__main__":
    unittest.main()

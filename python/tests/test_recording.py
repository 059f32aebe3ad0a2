"""test_recording.py  Recordings of another engine: arrays as input, error messages, judgements
compared with a closed form, and inspection at once."""
import gc
import importlib.util
import os
import tempfile
import threading
import unittest
import weakref

import kinetostat as ks
import numpy as np

needs_h5py = unittest.skipUnless(importlib.util.find_spec("h5py"), "no h5py")
DEMO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../demos/record.py")
LENGTH, MASS, GRAVITY, STEP = 0.5, 1.0, 9.81, 0.001
ACROSS = MASS * LENGTH**2 / 12
# relative, for exact states: rounding, multiplied by the condition of the chain
ROUNDING = 1e-9
# relative, for the demo's states, whose hinges have gaps of some micrometres
DRIFTED = 2e-3


def hanging(angles, rates, loads):
    """A chain of rods, by their angles below x and Lagrange's equations. -> accelerations of the
    angles, and the force (x, z) of each hinge on its rod"""
    rods = len(angles)
    along, across = np.array((np.cos(angles), -np.sin(angles))), np.array((-np.sin(angles), -np.cos(angles)))
    share = LENGTH * (np.tril(np.ones((rods, rods)), -1) + np.eye(rods) / 2)
    B = share[:, None] * across  # B[k, :, j]: velocity of rod k per rate of angle j
    given = -share @ (rates**2 * along).T
    mass = MASS * np.einsum("kai,kaj->ij", B, B) + ACROSS * np.eye(rods)
    turned = np.linalg.solve(mass, np.einsum("kai,ka->i", B, loads - MASS * given))
    missing = MASS * (B @ turned + given) - loads
    return turned, np.cumsum(missing[::-1], axis=0)[::-1]


def states(angles, rates):
    along, across = np.array((np.cos(angles), -np.sin(angles))), np.array((-np.sin(angles), -np.cos(angles)))
    share = LENGTH * (np.tril(np.ones((len(angles), len(angles))), -1) + np.eye(len(angles)) / 2)
    (x, z), (vx, vz), no = along @ share.T, (rates * across) @ share.T, np.zeros(len(angles))
    return np.array((x, no, z, np.cos(angles / 2), no, np.sin(angles / 2), no, vx, no, vz, no, rates, no)).T


def described(recording, state):
    for i, one in enumerate(state):
        recording.add_body(one, MASS, np.diag((1e-4, ACROSS, ACROSS)))
    for i in range(len(state)):
        begin = state[i, :3] - LENGTH / 2 * np.array((1 - 2 * state[i, 5]**2, 0, -2 * state[i, 3] * state[i, 5]))
        recording.add_joint(ks.JOINT_HINGE, i, i - 1 if i else None, begin, (0, 2, 0), name=f"hinge {i}")


def pendulum():
    """-> a recording of one rod without a file, and the state of the rod"""
    recording, state = ks.Recording(gravity=(0, 0, -GRAVITY)), states(np.zeros(1), np.zeros(1))
    described(recording, state)
    return recording, state


def step(recording, state, **more):
    recording.begin_step(STEP, state)
    recording.end_step(state, **more)


class Judged(unittest.TestCase):
    @needs_h5py
    def test_closed_form(self):
        """Forces from a file and at once equal the closed form in each step. The second rod has a
        load that the recording contains."""
        angles, rates = np.array((0.3, -0.4, 0.9)), np.array((1.0, -2.0, 0.5))
        push = np.array(((0, 0), (3.0, -2.0), (0, 0)))
        loads = np.zeros((3, 6))
        loads[:, [0, 2]] = push
        truth, live = [], []
        with tempfile.TemporaryDirectory() as folder:
            path, trace = os.path.join(folder, "rods.h5"), os.path.join(folder, "trace.h5")
            with ks.Recording(path, gravity=(0, 0, -GRAVITY)) as recording:
                described(recording, states(angles, rates))
                arm = recording.inspect()
                for _ in range(50):
                    turned, force = hanging(angles, rates, push + (0, -MASS * GRAVITY))
                    truth.append(force)
                    recording.begin_step(STEP, states(angles, rates), loads)
                    rates = rates + STEP * turned
                    angles = angles + STEP * rates
                    recording.end_step(states(angles, rates))
                    live.append([arm.wrench(recording.joint(i)).force for i in range(3)])
                self.assertEqual(set(ks.verdict(arm.reactions["verdict"])), {ks.VALID})
            found = ks.judge(path, trace=trace)
            self.assertEqual(found["summary"]["failed"], 0)
            run = found["runs"][0]
            self.assertEqual((run["end"], run["status"], run["good"]), ("it has closed the recording", None, True))
            with open("/proc/self/cmdline", "rb") as line:
                self.assertEqual([word.encode() for word in run["arguments"]], line.read().split(b"\0")[1:-1])
            with ks.open(trace) as run:
                judged = np.stack([run[f"hinge {i}"].reactions["physical_force"] for i in range(3)], axis=1)
        truth, live = np.array(truth), np.array(live)
        np.testing.assert_allclose(live[..., [0, 2]], truth, atol=ROUNDING * np.abs(truth).max())
        np.testing.assert_array_equal(judged, live)

    @needs_h5py
    def test_demo(self):
        spec = importlib.util.spec_from_file_location("record", DEMO)
        demo = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(demo)
        with tempfile.TemporaryDirectory() as folder:
            path, trace = os.path.join(folder, "rods.h5"), os.path.join(folder, "trace.h5")
            before = demo.record(path, rods=2, steps=300)
            found = ks.judge(path, trace=trace)
            self.assertEqual((found["summary"]["judged"], found["summary"]["failed"]), (2, 0))
            with ks.open(trace) as run:
                force, told = (run["hinge 1"].reactions[f"{one}_force"][:, [0, 2]] for one in ("physical", "engine"))
        truth = []
        for state in before:
            loads = -demo.DRAG * state[:, [7, 9]] + (0, -MASS * GRAVITY)
            truth.append(hanging(2 * np.arctan2(state[:, 5], state[:, 3]), state[:, 11], loads)[1][0])
        size = np.abs(truth).max()
        np.testing.assert_allclose(force, truth, atol=DRIFTED * size)
        # The error of an engine with steps of 1 ms is of this order. Its report is recorded
        # unchanged.
        self.assertGreater(np.abs(told - truth).max(), ROUNDING * size)
        np.testing.assert_allclose(told, truth, atol=0.02 * size)

    def test_reported(self):
        """Reported wrenches act on both bodies. If they are NaN, the joint has no report."""
        recording, state = pendulum()
        arm = recording.inspect()
        told = np.arange(12.0).reshape(1, 2, 6)
        step(recording, state, reported=told)
        self.assertEqual(arm.wrench(recording.joint(0), ks.ENGINE).force, (0, 1, 2))
        self.assertEqual(arm.wrench(recording.joint(0), ks.ENGINE).torque, (3, 4, 5))
        step(recording, state, reported=told.reshape(1, 12) * np.nan)
        self.assertTrue(np.isnan(arm.reactions["engine"]["force"]).all())

    def test_driven(self):
        """A driven crank needs no mass. The joint of the rod on the crank carries the centripetal
        force of the rod."""
        with ks.Recording() as recording:
            rate, rest = 10.0, (0.0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 10, 0)
            crank = recording.add_body(rest, is_driven=True)
            rod = recording.add_body((LENGTH, 0, 0, 1, 0, 0, 0, 0, 0, -rate * LENGTH, 0, rate, 0), MASS, np.eye(3))
            weld = recording.add_joint(ks.JointType.FIXED, rod, crank)
            arm = recording.inspect()
            recording.begin_step(STEP)
            turn = rate * STEP
            recording.end_step([(0, 0, 0, np.cos(turn / 2), 0, np.sin(turn / 2), 0, 0, 0, 0, 0, rate, 0),
                                (LENGTH * np.cos(turn), 0, -LENGTH * np.sin(turn), np.cos(turn / 2), 0, np.sin(turn / 2), 0,
                                 -rate * LENGTH * np.sin(turn), 0, -rate * LENGTH * np.cos(turn), 0, rate, 0)])
            np.testing.assert_allclose(arm.wrench(recording.joint(weld)).force, (-MASS * rate**2 * LENGTH, 0, 0), atol=1e-9)


class Refused(unittest.TestCase):
    def refuse(self, kind, words, call, *args, **keywords):
        with self.assertRaises(kind) as raised:
            call(*args, **keywords)
        self.assertIn(words, str(raised.exception))

    def test_shapes(self):
        recording, state = pendulum()
        for wrong in (np.zeros((2, 13)), np.zeros((13, 1)), np.zeros(13), np.zeros((1, 12)), np.float64(1), "x" * 13, None, [1]):
            recording.begin_step(STEP)
            self.refuse((ValueError, TypeError), "after", recording.end_step, wrong)
            recording.end_step(state)
        self.refuse(ValueError, "an array of 1 x 13 numbers is expected, not of the shape (13, 1)", recording.begin_step, STEP, np.zeros((13, 1)))
        self.refuse(ValueError, "before: 1 lines of 13 numbers are expected, not []", recording.begin_step, STEP, [])
        self.refuse(ValueError, "loads", recording.begin_step, STEP, loads=np.zeros((1, 3)))
        recording.begin_step(STEP)
        self.refuse(ValueError, "reported: an array of 1 x 12 numbers", recording.end_step, state, np.zeros((1, 6)))
        recording.end_step(state.astype("f4"))  # single precision
        self.refuse(ValueError, "state: 13 numbers", recording.add_body, np.zeros(12))
        self.refuse(ValueError, "inertia: 9 numbers", recording.add_body, state[0], 1, (1, 1, 1))
        self.refuse(ValueError, "axis: there are 4", recording.add_joint, ks.JOINT_HINGE, 0, axis=np.eye(4)[:, :3])
        self.refuse(ValueError, "anchor: 3 numbers", recording.add_joint, ks.JOINT_BALL, 0, anchor=(1, 2))
        recording.add_body(states(np.ones(1), np.ones(1))[0], MASS, np.eye(3))
        recording.add_joint(ks.JOINT_DBALL, 0, 1, anchor=((0, 0, 0), (1, 0, 0)))

    def test_numbers(self):
        recording, state = pendulum()
        broken = state.copy()
        broken[0, 8] = np.nan
        self.refuse(ks.Error, "the state of body 0 has a NaN", recording.begin_step, STEP, broken)
        self.refuse(ks.Error, "loads[0] has a NaN", recording.begin_step, STEP, loads=np.full((1, 6), np.inf))
        self.refuse(ks.BadArgument, "stepSize is 0", recording.begin_step, 0)
        self.refuse(ks.BadArgument, "body.mass is 0", recording.add_body, state[0])
        self.refuse(ks.BadArgument, "quaternion of body 1", recording.add_body, np.zeros(13), 1, np.eye(3))
        self.refuse(ks.Error, "not positive definite", recording.add_body, state[0], 1, -np.eye(3))
        self.refuse(ks.BadArgument, "joint.axis[0] has the length 0", recording.add_joint, ks.JOINT_HINGE, 0)
        self.refuse(ks.BadArgument, "joint.body[1] is 7", recording.add_joint, ks.JOINT_BALL, 0, 7)
        self.refuse(ks.BadArgument, "joint.body[1] is -2", recording.add_joint, ks.JOINT_BALL, 0, 1 << 32)
        self.refuse(ks.BadArgument, "joint.type is 99", recording.add_joint, 99, 0)
        self.refuse(IndexError, "there is no joint 1", recording.joint, 1)
        self.refuse(IndexError, "there is no body -1", recording.body, -1)
        self.refuse(TypeError, "keyword 'colour'", ks.Recording, colour=1)
        self.refuse(ks.Error, "", ks.Recording, "/nowhere/at/all.h5")

    def test_order(self):
        recording, state = pendulum()
        self.refuse(ks.Error, "no step was begun", recording.end_step, state)
        recording.begin_step(STEP)
        self.refuse(ks.Error, "begun and not ended", recording.begin_step, STEP)
        self.refuse(ks.Error, "begun and not ended", recording.add_body, state[0], 1, np.eye(3))
        recording.close()
        recording.close()
        for call in (recording.flush, recording.inspect, recording.__enter__):
            self.refuse(ValueError, "the recording is closed", call)
        self.refuse(ValueError, "the recording is closed", recording.begin_step, STEP)

    def test_it_stays_while_numbers_are_read(self):
        recording, state = pendulum()
        calls = (recording.close, lambda: recording.add_body(state[0], 1, np.eye(3)), lambda: recording.begin_step(STEP), recording.inspect)

        class Sly:
            def __float__(self):
                for call in calls:
                    with outer.assertRaises(ks.Error) as raised:
                        call()
                    outer.assertEqual(raised.exception.status, ks.Status.REENTRY)
                return 0.0
        outer = self
        recording.begin_step(STEP, [[Sly(), *state[0, 1:]]])
        recording.end_step(state)


class AtOnce(unittest.TestCase):
    def test_names_and_callbacks(self):
        recording, state = pendulum()
        arm, seen = recording.inspect(), []
        self.assertIs(recording.inspect(), arm)
        self.assertIs(arm.world, recording)
        arm.on_reaction(lambda reaction: seen.append(reaction.joint), recording.joint(0))
        arm.on_threshold(recording.joint(0), seen.append, force=1, flags=ks.THRESHOLD_UNCHECKED)
        step(recording, state)
        self.assertEqual(arm.bodies, (recording.body(0),))
        self.assertEqual(arm["hinge 0"], 0)
        self.assertEqual(seen[0], recording.joint(0))
        self.assertEqual(seen[1].phase, ks.ThresholdPhase.ENTERED)
        with self.assertRaises(ks.Error) as raised:
            arm.quick_step(STEP)
        self.assertEqual(raised.exception.status, ks.Status.ENGINE)
        with self.assertRaises(ks.BadArgument):
            recording.inspect(tolerance=0.1)
        arm.close()
        again = recording.inspect(tolerance=0.1)
        self.assertIsNot(again, arm)
        step(recording, state)
        self.assertEqual(again.name_of(recording.joint(0)), "hinge 0")
        recording.close()
        self.assertTrue(again.closed)

    def test_callbacks_raise_and_may_not_change_it(self):
        recording, state = pendulum()
        arm, refused = recording.inspect(), []

        def fail(reaction):
            def other():
                try:
                    recording.begin_step(STEP)
                except ks.Error as error:
                    refused.append(error.status)
            thread = threading.Thread(target=other)
            thread.start()
            thread.join()
            for call in (recording.close, lambda: recording.begin_step(STEP)):
                try:
                    call()
                except ks.Error as error:
                    refused.append(error.status)
            raise KeyError("of the host")
        arm.on_reaction(fail)
        recording.begin_step(STEP)
        with self.assertRaises(KeyError):
            recording.end_step(state)
        self.assertEqual(refused, 3 * [ks.Status.REENTRY])
        arm.close()
        step(recording, state)

    def test_closed_within(self):
        """A callback closes the inspector. The step is complete, and the recording continues."""
        recording, state = pendulum()
        arm = recording.inspect()
        arm.on_step(lambda report: arm.close())
        step(recording, state)
        self.assertTrue(arm.closed)
        step(recording, state)

    def test_reports(self):
        recording, state = pendulum()
        arm, report = recording.inspect(report=False), ks.Report()
        report.watch(arm, "rods")
        step(recording, state)
        recording.close()
        self.assertEqual(report.as_dict()["worlds"][0]["steps"]["inspected"], 1)

    def test_a_ring_goes(self):
        class Mark:
            pass
        recording, state = pendulum()
        arm, mark = recording.inspect(), Mark()
        arm.on_step(lambda report, kept=(mark, recording): None)
        step(recording, state)
        gone = weakref.ref(mark)
        del recording, arm, mark
        gc.collect()
        self.assertIsNone(gone())


if __name__ == "__main__":
    unittest.main()

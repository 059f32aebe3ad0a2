"""test_calls.py  Calls, the arguments that they refuse, and their results."""
import ctypes
import gc
import math
import subprocess
import sys
import unittest

import kinetostat as ks
import numpy as np
import ode
from kit import by_precision
from scenes import Scene, box_on_floor, door, inspected, pendulum

EXACT = by_precision(1e-9, 1e-4)  # N, for loads of up to 200 N
CLOCK = by_precision(1e-12, 1e-7)  # s, for sums of steps


class Creation(unittest.TestCase):
    def test_worlds(self):
        """A world is a World of pyode, its address as an integer of Python or numpy, or a ctypes
        pointer."""
        scene = Scene(pendulum)
        handle = ks.address(scene.world)
        for world in (scene.world, handle, np.uint64(handle), ctypes.c_void_p(handle),
                      ctypes.cast(handle, ctypes.POINTER(ctypes.c_int))):
            arm = ks.Inspector(world)
            arm.quick_step(0.01)
            self.assertEqual(len(arm.reactions), 1)
            self.assertIs(arm.world, world)

    def test_refused(self):
        scene = Scene(pendulum)
        for world, error in ((None, TypeError), (0, ValueError), (1.5, TypeError), ("x", TypeError), (scene.bodies[0], TypeError),
                             (ctypes.c_void_p(), (TypeError, ValueError)), (ctypes.c_double(1), TypeError), (b"12345678", TypeError)):
            with self.assertRaises(error):
                ks.Inspector(world)
        for keywords, error in (({"latncy": 1}, TypeError), ({"workers": "two"}, TypeError), ({"workers": 1 << 40}, OverflowError),
                                ({"values": 1 << 40}, OverflowError), ({"search_rounds": -1}, OverflowError),
                                ({"tolerance": None}, TypeError)):
            with self.assertRaises(error):
                ks.Inspector(scene.world, **keywords)
        for words, call in (("tolerance: a number is expected, not '1%'", lambda: ks.Inspector(scene.world, tolerance="1%")),
                            ("workers: an integer is expected, not 1.5", lambda: ks.Inspector(scene.world, workers=1.5)),
                            ("force: 3 numbers are expected, not 5", lambda: ks.Wrench(force=5)),
                            ("torque: a number is expected, not None", lambda: ks.Wrench(torque=(1, None, 3))),
                            ("a text is expected, not 3", lambda: ks.Inspector(scene.world).name(scene.joints[0], 3))):
            with self.assertRaisesRegex(TypeError, words):
                call()
        with self.assertRaisesRegex(ks.BadArgument, r"options\.relaxed_per_step is -1"):
            ks.Inspector(scene.world, relaxed_per_step=-1)
        with self.assertRaisesRegex(ks.BadArgument, "ksInspectorCreate: .*workers") as raised:
            ks.Inspector(scene.world, workers=65)
        self.assertIs(raised.exception.status, ks.Status.BAD_ARGUMENT)
        self.assertIsInstance(raised.exception, ValueError)

    def test_options(self):
        scene, arm = inspected(pendulum, values=ks.COMPUTE_PHYSICAL)
        arm.quick_step(0.01)
        reaction = arm.reaction(scene.joints[0])
        self.assertIs(reaction.verdict, ks.UNCHECKED)
        self.assertIn(ks.Reason.NOT_ASKED, reaction.reasons)
        self.assertTrue(math.isnan(reaction.converged[0].force[2]))  # an unknown number is NaN
        self.assertFalse(math.isnan(reaction.physical[0].force[2]))

    def test_another_pyode(self):
        """If the objects of a pyode do not contain the handles at the known place, they are refused
        with an explanation."""
        script = ("import sys, types; ode = types.ModuleType('ode'); sys.modules['ode'] = ode\n"
                  "class Thing:\n __slots__ = ('a',)\n def __init__(self, *a): self.a = 1\n"
                  "ode.World = ode.Body = ode.HingeJoint = ode.Joint = Thing\n"
                  "import kinetostat as ks\n"
                  "try: ks.Inspector(Thing())\n"
                  "except ks.Error as e: print(e.status.name, e)\n")
        said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
        self.assertIn("UNSUPPORTED_ENGINE kinetostat: this pyode", said)

    def test_no_arguments(self):
        with self.assertRaises(TypeError):
            ks.Inspector()
        for kind in (ks.Reaction, ks.StepReport, ks.Array, ks.Subscription, ks.Bracket):
            with self.assertRaises(TypeError):
                kind()


class Steps(unittest.TestCase):
    def test_refused(self):
        scene, arm = inspected()
        for size in (0, -1, math.nan, math.inf):
            for step in (arm.quick_step, arm.step, arm.exact_step):
                with self.assertRaises(ks.BadArgument):
                    step(size)
        with self.assertRaises(TypeError):
            arm.quick_step("x")
        self.assertIsNone(arm.report)
        self.assertEqual(len(arm.reactions), 0)
        with self.assertRaisesRegex(LookupError, "was in no inspected step"):
            arm[scene.joints[0]]

    def test_not_finite(self):
        scene, arm = inspected()
        scene.bodies[2].setLinearVel((math.nan, 0, 0))
        with self.assertRaisesRegex(ks.Error, r"report\.culprit$") as raised:
            arm.quick_step(0.01)
        self.assertIs(raised.exception.status, ks.Status.NOT_FINITE)
        self.assertIs(arm.report.culprit, scene.bodies[2])
        with self.assertRaises(ks.Error):
            with arm.bracket(ks.QUICK_STEP, 0.01):
                self.fail("the block is not entered")
        scene.bodies[2].setLinearVel((0, 0, 0))
        arm.quick_step(0.01)

    def test_bracket(self):
        scene, arm = inspected()
        with self.assertRaises(ZeroDivisionError):
            with arm.bracket(ks.QUICK_STEP, 0.01):
                1 / 0
        with arm.bracket(ks.WORLD_STEP, 0.01):
            with self.assertRaises(ks.Error) as raised:
                arm.bracket(ks.QUICK_STEP, 0.01).__enter__()
            self.assertIs(raised.exception.status, ks.Status.BRACKET)
            scene.world.step(0.01)
        self.assertIs(arm.report.stepper, ks.WORLD_STEP)
        self.assertAlmostEqual(arm.step_size, 0.01, delta=CLOCK)
        with arm.bracket(ks.QUICK_STEP, 0.01):
            arm.close()
        with self.assertRaises(ValueError):
            arm.bracket(ks.QUICK_STEP, 0.01)

    def test_crossed_brackets(self):
        """Of two brackets on one world, the outer inspector can neither be closed nor die before
        the inner bracket ends."""
        scene, outer = inspected()
        inner = ks.Inspector(scene.world)
        with outer.bracket(ks.QUICK_STEP, 0.01):
            with inner.bracket(ks.QUICK_STEP, 0.01):
                with self.assertRaises(ks.Error) as raised:
                    outer.close()
                self.assertIs(raised.exception.status, ks.Status.BRACKET)
                scene.world.quickStep(0.01)
        outer.bracket(ks.QUICK_STEP, 0.01).__enter__()
        with inner.bracket(ks.QUICK_STEP, 0.01):
            del outer
            gc.collect()
            scene.world.quickStep(0.01)
        inner.quick_step(0.01)
        self.assertEqual(len(inner.reactions), 10)

    def test_closed(self):
        scene, arm = inspected()
        subscription = arm.on_step(print)
        with arm as same:
            self.assertIs(arm, same)
        self.assertTrue(arm.closed)
        self.assertFalse(subscription.active)
        subscription.end()
        arm.close()
        for call in (lambda: arm.quick_step(0.01), lambda: arm.reactions, lambda: arm.report, lambda: arm[scene.joints[0]],
                     arm.__enter__, arm.flush, lambda: arm.on_step(print), lambda: arm.rows(scene.joints[0])):
            with self.assertRaisesRegex(ValueError, "closed"):
                call()


class Views(unittest.TestCase):
    def test_snapshot(self):
        """Later steps do not change the results of a step."""
        scene, arm = inspected()
        arm.quick_step(0.01)
        first = arm.reactions
        self.assertIs(first, arm.reactions)
        force = first["physical"]["force"]
        kept = memoryview(first).tobytes()
        self.assertEqual(force.shape, (10, 2, 3))
        for _ in range(100):
            arm.quick_step(0.01)
            again = arm.reactions
        arm.close()
        del scene, arm
        gc.collect()
        self.assertEqual(memoryview(first).tobytes(), kept)
        np.testing.assert_array_equal(first["physical"]["force"], force)
        self.assertNotEqual(memoryview(again).tobytes(), kept)

    def test_buffer(self):
        _, arm = inspected()
        arm.quick_step(0.01)
        view = memoryview(arm.reactions)
        self.assertTrue(view.readonly and view.contiguous)
        self.assertEqual((view.ndim, view.shape, view.itemsize), (1, (10,), 1944))
        array = np.asarray(arm.reactions)
        self.assertEqual((array.itemsize, array.shape), (1944, (10,)))
        self.assertFalse(array.flags.writeable)
        with self.assertRaises((ValueError, BufferError)):
            array["error"] = 0
        copy = arm.reactions.copy()
        copy["error"] = 0
        self.assertEqual(len(arm.reactions[2:5]), 3)
        self.assertEqual([one["joint"] for one in arm.reactions], list(array["joint"]))
        record = arm.reaction(int(array["joint"][3]))
        self.assertEqual(memoryview(record).shape, ())
        self.assertEqual(memoryview(record).tobytes(), array[3].tobytes())

    def test_attributes(self):
        """The attributes of a record equal the fields of the array."""
        scene, arm = inspected()
        for _ in range(5):
            arm.quick_step(0.01)
        for name, values in ((n, arm.reactions[n]) for n in arm.reactions[:0].dtype.names):
            one = getattr(arm.reaction(scene.joints[4]), name)
            want = values[arm[scene.joints[4]]]
            if name == "joint":
                self.assertIs(one, scene.joints[4])
            elif name == "body":
                self.assertEqual([ks.address(body) for body in one], list(want))
            elif name == "motor":
                for field in want.dtype.names:
                    np.testing.assert_array_equal([getattr(motor, field) for motor in one], want[field])
            elif want.dtype.names:
                wrenches = one if want.shape else [one]
                np.testing.assert_array_equal([w.force + w.torque for w in wrenches],
                                              np.concatenate((want["force"], want["torque"]), axis=-1).reshape(-1, 6))
            else:
                np.testing.assert_array_equal(one, want)

    def test_names(self):
        scene, arm = inspected()
        elbow = scene.joints[4]
        arm.name(elbow, "Ellenbogen ü")
        arm.quick_step(0.01)
        self.assertEqual(arm.reactions[arm["Ellenbogen ü"]]["joint"], ks.address(elbow))
        self.assertEqual(arm["Ellenbogen ü"], arm[elbow])
        self.assertEqual(arm.name_of(elbow), "Ellenbogen ü")
        self.assertIsNone(arm.name_of(scene.joints[0]))
        arm.name(elbow, "other")
        with self.assertRaisesRegex(KeyError, "no joint is called 'Ellenbogen ü': there are 'other'"):
            arm["Ellenbogen ü"]
        arm.name(elbow, None)
        with self.assertRaisesRegex(KeyError, "there is none"):
            arm["other"]
        # a name belongs to the joint that still has it, if another joint with this name is renamed
        first, second = scene.joints[:2]
        arm.name(first, "twice"), arm.name(second, "twice")
        self.assertEqual(arm["twice"], arm[second])
        arm.name(second, "once")
        for _ in range(2):
            self.assertEqual((arm["twice"], arm["once"]), (arm[first], arm[second]))
        with self.assertRaises(KeyError):
            arm["twice\0"]
        for name, error in (("", ks.BadArgument), (5, TypeError)):
            with self.assertRaises(error):
                arm.name(elbow, name)

    def test_report(self):
        scene, arm = inspected()
        for joint in scene.joints:
            arm.name(joint, f"joint {scene.joints.index(joint)}")
        arm.quick_step(0.01)
        report = arm.report
        self.assertEqual(report.step, arm.reactions["step"][0])
        self.assertEqual(report.reaction_count, 10)
        self.assertEqual(sum(report.verdict_count), 10)
        self.assertEqual(report.worst, (arm.name_of(report.worst_joint), report.worst_error))
        self.assertEqual(report.worst_error, np.nanmax(arm.reactions["error"]))
        self.assertEqual(ks.verdict(arm.reactions["verdict"]).count(ks.VALID), report.verdict_count[ks.VALID])
        self.assertIs(ks.verdict(5), ks.VALID)
        self.assertIn("StepReport(step=", repr(report))

    def test_words(self):
        """str() of an enumerator is its name; the enumerator is still a number."""
        self.assertEqual(f"{ks.VALID} {ks.VALID:d} {ks.Reason.MOTION | ks.Reason.ADOPTED} {ks.Reason(0)} {ks.QUICK_STEP}",
                         "VALID 5 MOTION|ADOPTED 0 QUICK_STEP")
        self.assertEqual((str(ks.FRAME_JOINT), repr(ks.VALID), ks.VALID == 5), ("JOINT", "<Verdict.VALID: 5>", True))
        _, arm = inspected()
        arm.quick_step(0.01)
        self.assertEqual(str(arm.reactions), "<kinetostat.Array of 10 Reaction>")

    def test_equal(self):
        scene, arm = inspected()
        arm.quick_step(0.01)
        first, second = arm.wrench(scene.joints[0]), arm.wrench(scene.joints[1])
        self.assertTrue(first == arm.wrench(scene.joints[0]) and first != second and ks.Wrench() != ks.Wrench(torque=(0, 0, 1)))
        self.assertFalse(first != arm.wrench(scene.joints[0]) or first == second or first == first.force)
        self.assertTrue(ks.Wrench(force=(math.nan, 0, 0)) != ks.Wrench(force=(math.nan, 0, 0)))


class Loads(unittest.TestCase):
    def test_sums(self):
        """A door at rest: the shares of its two hinges are unknown, but their sum is known."""
        scene, arm = inspected(door)
        scene.bodies[0].setAngularVel((0, 0, 0))
        arm.step(0.01)
        self.assertIs(arm.reaction(scene.joints[0]).verdict, ks.INDETERMINATE)
        terms = [ks.WrenchTerm(joint=joint, body=scene.bodies[0]) for joint in scene.joints]
        total = arm.sum_wrenches(terms)
        # the weight of 20 kg; sums of few terms
        np.testing.assert_allclose(total.wrench.force, (0, 0, 20 * 9.81), rtol=0, atol=EXACT)
        self.assertEqual(total.unique, 63)
        about = arm.sum_wrenches(terms, about=(0, 0, 1)).wrench.torque
        np.testing.assert_allclose(about, (0, -0.5 * 20 * 9.81, 0), rtol=0, atol=EXACT)
        self.assertEqual(arm.sum_wrenches([]).wrench.force, (0, 0, 0))
        for terms, error in (([5], TypeError), (5, TypeError), ([ks.WrenchTerm()], ks.BadArgument)):
            with self.assertRaises(error):
                arm.sum_wrenches(terms)

    def test_means(self):
        """A ball hops on the ground. The mean force of the ground plus the ball's weight is the
        change of the ball's momentum, divided by the time of the window."""
        world, h, steps = ode.World(), 0.005, 30
        world.setGravity((0, 0, -10))
        ball, mass = ode.Body(world), ode.Mass()
        mass.setBoxTotal(2, 0.2, 0.2, 0.2)
        ball.setMass(mass)
        ball.setLinearVel((0.3, 0, -2))
        height, speeds, shares = 0.1, [], []
        with ks.Inspector(world) as arm:
            sole = arm.pair(ball, window=steps * h)
            both = arm.mean([ks.WrenchTerm(body=ball)], window=steps * h, frame=ks.FRAME_WORLD, point=ks.POINT_MASS_CENTRE)
            for wrong in (lambda: arm.pair(ball, ball), lambda: arm.pair(ball, window=0), lambda: arm.mean([]), lambda: arm.mean([], window=-1),
                          lambda: arm.mean([ks.WrenchTerm(body=ball)], point=ks.POINT_ANCHOR)):
                with self.assertRaises(ks.BadArgument):
                    wrong()
            with self.assertRaises(ks.Error):
                sole.mean()
            for n in range(100):
                contacts, z = ode.JointGroup(), ball.getPosition()[2]
                speeds.append(ball.getLinearVel())
                if z < height:
                    contact = ode.Contact()
                    contact.setContactGeomParams((*ball.getPosition()[:2], z - 0.1), (0, 0, 1), height - z)
                    contact.setMu(0.5)
                    contact.setMode(ode.ContactApprox1 | ode.ContactBounce)
                    contact.setBounce(0.5)
                    ode.ContactJoint(world, contacts, contact).attach(ball, None)
                arm.quick_step(h)
                contacts.empty()
                mean, first = sole.mean(), speeds[max(0, n + 1 - steps)]
                gained = [2 * (after - before) for after, before in zip(ball.getLinearVel(), first)]
                self.assertAlmostEqual(mean.time, min(n + 1, steps) * h, delta=CLOCK)
                self.assertAlmostEqual(mean.wrench.force[2], gained[2] / mean.time + 20, delta=EXACT)
                self.assertAlmostEqual(mean.wrench.force[0], gained[0] / mean.time, delta=EXACT)
                self.assertLess(mean.bar.force[2], by_precision(1e-9, 0.1))
                self.assertEqual(both.mean().wrench, mean.wrench)
                shares.append(mean.contact_share)
            self.assertTrue(any(0 < share < 1 for share in shares))
            self.assertEqual(mean.step_count, steps)
            self.assertTrue(sole.active)
            with self.assertRaises(ks.Error):
                arm.on_step(print).mean()
            sole.end()
            with self.assertRaises(ks.Error):
                sole.mean()
            self.assertFalse(sole.active)
            both.end()

    def test_shares(self):
        """Two pins in the same place carry a load in the inverse ratio of their compliances."""
        def pins(s):
            body = s.box((0, 0, 0), 3)
            for _ in range(2):
                s.join(ode.BallJoint, body, ode.environment, (0, 0, 0))

        scene = Scene(pins)
        arm = ks.Inspector(scene.world)
        for compliances, share in (((), 1 / 2), ((3,), 1 / 4), ((0, 0), 1 / 2)):
            if compliances:
                arm.set_compliance(scene.joints[0], *compliances)
            arm.quick_step(0.005)
            force = arm.wrench(scene.joints[0], ks.SHARED).force
            self.assertAlmostEqual(force[2], share * 3 * 9.81, delta=1e-6)
            self.assertTrue(arm.reaction(scene.joints[0]).reasons & ks.REASON_SHARED)
        arm.set_compliance(None, angular=0.5, linear=2)
        for joint, compliance in ((None, 0), (scene.joints[0], -1), (None, math.nan)):
            with self.assertRaises(ks.BadArgument):
                arm.set_compliance(joint, compliance)

    def test_wrench_and_sensor(self):
        scene, arm = inspected(pendulum)
        arm.quick_step(0.01)
        joint, weight = scene.joints[0], 9.81
        mine = arm.wrench(joint)
        self.assertEqual(mine.force, arm.reaction(joint).physical[0].force)
        world = arm.wrench(joint, body=1, point=ks.POINT_ANCHOR)
        np.testing.assert_array_equal(world.force, np.negative(mine.force))
        # without a point, a mean is about the anchor
        mean = arm.wrench(joint, ks.MEAN)
        self.assertEqual((mean.force, mean.torque), (arm.reaction(joint).mean[0].force, arm.reaction(joint).mean[0].torque))
        self.assertEqual(mean, arm.wrench(joint, ks.MEAN, point=ks.POINT_ANCHOR))
        with self.assertRaises(ks.Error):
            arm.wrench(joint, ks.MEAN, point=ks.POINT_MASS_CENTRE)
        sensor = ks.Sensor(frame=ks.FRAME_WORLD)
        self.assertEqual(sensor.read(arm, joint).force, mine.force)
        sensor.tare(arm, joint)
        self.assertEqual(sensor.read(arm, joint).force, (0, 0, 0))
        sensor.bias = ks.Wrench(force=(0, 0, weight))
        self.assertEqual(sensor.bias.force[2], weight)
        sensor.undetermined = 1
        with self.assertRaises(ks.Error):
            arm.wrench(joint, value=7)

    def test_recompute_after(self):
        """Without one of the two hinges of a door, the other hinge carries the whole weight."""
        scene, arm = inspected(door)
        with self.assertRaises(ks.BadArgument):
            arm.recompute_after(scene.joints[:1])
        arm.quick_step(0.01)
        weight = sum(arm.reaction(joint).shared[0].force[2] for joint in scene.joints)
        left = arm.recompute_after(scene.joints[:1])
        self.assertEqual((len(left), left["joint"][0]), (1, ks.address(scene.joints[1])))
        self.assertEqual(left["is_unique"][0], 1)
        self.assertAlmostEqual(left["wrench"]["force"][0, 0, 2], weight, 6)
        self.assertEqual(len(arm.recompute_after([])), 0)
        for joints, error in ((None, TypeError), ([None], TypeError), ([7.5], TypeError), ([scene.world], TypeError)):
            with self.assertRaises(error):
                arm.recompute_after(joints)

    def test_impulse_and_mobility(self):
        """A free body of 2 kg is struck at its mass centre."""
        scene = Scene(pendulum)
        free = scene.box((5, 5, 5), 2)
        arm = ks.Inspector(scene.world)
        arm.quick_step(0.01)
        probe = ks.BodyProbe(body=free, point=(5, 5, 5), axis=(1, 0, 0))
        self.assertAlmostEqual(arm.mobility(probe, probe), 0.5, 12)
        impact, joints, bodies = arm.solve_impulse([ks.Blow(at=probe, impulse=4)])
        self.assertEqual((len(joints), len(bodies)), (0, 1))
        self.assertAlmostEqual(bodies["after"][0, 0], 2, 12)
        self.assertAlmostEqual(impact.after - impact.before - impact.given + impact.lost, 0, 12)
        relaxed = arm.relax_joint(scene.joints[0])["multiplier"]
        np.testing.assert_allclose(relaxed, arm.rows(scene.joints[0])["gauss"], rtol=1e-9, atol=1e-9)

    def test_bodies(self):
        scene, arm = inspected()
        self.assertEqual(arm.bodies, ())
        arm.quick_step(0.01)
        self.assertEqual(arm.bodies, tuple(ks.address(body) for body in reversed(scene.bodies)))
        mass, inverse = arm.mass(scene.bodies[3])
        self.assertEqual(mass, 1)
        # the inverse inertia of a box of 1 kg and 0.2 x 0.1 x 0.1 m
        np.testing.assert_allclose(inverse[::4], (12 / 0.02, 12 / 0.05, 12 / 0.05), rtol=by_precision(1e-12, 1e-6))
        with self.assertRaises(LookupError):
            arm.mass(Scene(pendulum).bodies[0])

    def test_recompute(self):
        scene, arm = inspected(box_on_floor)
        for _ in range(5):
            scene.before()
            arm.quick_step(0.005)
        net = ks.NetWrench(a=scene.bodies[0])
        arm.recompute([net], tolerance=0.05)
        self.assertTrue(math.isfinite(net.wrench.force[2]))
        self.assertIs(net.a, scene.bodies[0])


class Bindings(unittest.TestCase):
    """Behaviours of pyode that its names do not suggest."""

    def test_masses(self):
        ball, other = ode.Mass(), ode.Mass()
        ball.setSphereTotal(1, 0.5)  # pyode takes 1 kg as a density
        self.assertAlmostEqual(ball.mass, 4 / 3 * math.pi * 0.5**3)
        other.setSphere(1, 0.5)
        both = ball + other
        self.assertEqual(both.mass, 2 * other.mass)
        self.assertEqual(ball.mass, both.mass)

    def test_ball(self):
        scene = Scene(pendulum)
        joint = ode.BallJoint(scene.world)
        joint.attach(scene.bodies[0], None)
        joint.setParam(9, 0.5)
        self.assertEqual(joint.getParam(9), 0)


if __name__ == "__main__":
    unittest.main()

"""test_callbacks.py  Callbacks, their exceptions, threads, and the lifetimes of objects."""
import ctypes
import gc
import math
import re
import sys
import threading
import time
import unittest
import weakref

import kinetostat as ks
import ode
from kit import ENGINE, by_precision
from scenes import box_on_floor, door, inspected, pendulum


class Callbacks(unittest.TestCase):
    def test_identity(self):
        """Callbacks get pyode's own joints, even if this module has not seen them before. Names and
        subscriptions do not keep a joint alive."""
        scene, arm = inspected()
        heard = []
        arm.on_reaction(lambda reaction: heard.append(reaction.joint))
        arm.quick_step(0.01)
        self.assertEqual(set(map(id, heard)), set(map(id, scene.joints)))
        heard.clear()
        joint = scene.joints[3]
        before = sys.getrefcount(joint)
        arm.name(joint, "x")
        subscription = arm.on_reaction(lambda reaction: None, joint)
        self.assertEqual(sys.getrefcount(joint), before)
        self.assertTrue(subscription.active)

    def test_data_of_the_host(self):
        """Data that the host has stored in a joint stay there, and are not mistaken for an object
        of Python."""
        scene, arm = inspected()
        joint = scene.joints[3]
        ENGINE.dJointGetData.restype = ctypes.c_void_p
        arm.name(joint, "seen before")
        handle = ctypes.c_void_p(ks.address(joint))
        ENGINE.dJointSetData(handle, ctypes.c_void_p(8))
        heard = []
        arm.on_reaction(lambda reaction: heard.append(reaction.joint), joint)
        arm.on_threshold(joint, heard.append, force=1e-9)
        for _ in range(3):
            arm.quick_step(0.01)
        self.assertIs(heard[0], joint)
        self.assertIs(arm.reaction(joint).joint, joint)
        self.assertEqual(ENGINE.dJointGetData(handle), 8)

    def test_gone(self):
        """A joint dies with its last reference, as without an inspector. Its subscriptions end with
        it."""
        scene, arm = inspected()
        heard = []
        subscription = arm.on_reaction(
            lambda reaction: heard.append((reaction.verdict, reaction.reasons, isinstance(reaction.joint, int))), scene.joints[-1])
        threshold = arm.on_threshold(scene.joints[-1], lambda event: None, force=1e9)
        arm.name(scene.joints[-1], "last")
        arm.quick_step(0.01)
        del scene.joints[-1]
        arm.quick_step(0.01)
        self.assertEqual(len(heard), 2)
        self.assertEqual(heard[1], (ks.NOT_SOLVED, ks.Reason.JOINT_GONE, True))
        self.assertFalse(subscription.active or threshold.active)
        with self.assertRaises(KeyError):
            arm["last"]
        self.assertEqual(len(arm.reactions), 9)

    def test_pointer_to_the_gone(self):
        """A ctypes pointer to a joint that is gone is treated like its address: the joint is
        searched for among the existing objects."""
        scene, arm = inspected()
        joint = scene.joints.pop()
        where = ctypes.c_void_p(ks.address(joint))
        arm.quick_step(0.01)
        self.assertIs(arm.reaction(joint).joint, joint)
        self.assertIs(arm.reaction(where).joint, joint)
        self.assertIs(arm.reaction(where.value).joint, joint)
        del joint
        self.assertEqual(arm.reaction(where).joint, where.value)
        self.assertEqual(arm.reaction(where.value).joint, where.value)

    def test_exception(self):
        """The step raises the exception of a callback, the remaining callbacks are skipped, and the
        inspector continues."""
        scene, arm = inspected()
        heard = []

        def refuse(reaction):
            heard.append(reaction)
            raise KeyError(reaction.step)
        subscription = arm.on_reaction(refuse)
        arm.on_step(heard.append)
        for step in (arm.quick_step, arm.step, arm.exact_step):
            with self.assertRaises(KeyError) as raised:
                step(0.01)
            self.assertEqual(raised.exception.args[0], heard[-1].step)
        self.assertEqual(len(heard), 3)
        with self.assertRaises(KeyError):
            with arm.bracket(ks.QUICK_STEP, 0.01):
                scene.world.quickStep(0.01)
        subscription.end()
        subscription.end()
        arm.quick_step(0.01)
        self.assertIsInstance(heard[-1], ks.StepReport)
        self.assertEqual(heard[-1].step, 4)

    def test_later(self):
        """With NEXT_STEP, the next step or flush() makes the callbacks."""
        _, arm = inspected(latency=ks.NEXT_STEP)
        heard = []
        arm.on_step(lambda report: heard.append(report.step))
        arm.quick_step(0.01)
        self.assertEqual(heard, [])
        arm.quick_step(0.01)
        self.assertEqual(heard, [0])
        arm.flush()
        self.assertEqual(heard, [0, 1])

    def test_later_exception(self):
        """The step that makes the callback raises its exception. The step itself is complete."""
        scene, arm = inspected(latency=ks.NEXT_STEP)
        arm.on_step(lambda report: 1 / 0)
        arm.quick_step(0.01)
        with self.assertRaises(ZeroDivisionError):
            arm.quick_step(0.01)
        with self.assertRaises(ZeroDivisionError):
            with arm.bracket(ks.QUICK_STEP, 0.01):
                scene.world.quickStep(0.01)
        self.assertEqual(arm.report.step, 2)

    def test_within(self):
        """A callback may end its own subscription, subscribe, close the inspector, and read
        results. It must not step."""
        scene, arm = inspected()
        heard = []

        def once(report):
            heard.append("once")
            subscription.end()
            arm.on_step(lambda report: heard.append("new"))
            self.assertEqual(len(arm.reactions), 10)
            with self.assertRaises(ks.Error) as raised:
                arm.quick_step(0.01)
            self.assertIs(raised.exception.status, ks.Status.REENTRY)
        subscription = arm.on_step(once)
        arm.quick_step(0.01)
        arm.quick_step(0.01)
        self.assertEqual(heard, ["once", "new"])
        arm.on_step(lambda report: arm.close())
        last = arm.on_step(heard.append)
        arm.quick_step(0.01)
        self.assertTrue(arm.closed)
        self.assertFalse(last.active)
        self.assertEqual(heard, ["once", "new", "new"])

    def test_threshold(self):
        """The joint of a pendulum carries more than 20 N when the pendulum swings through the
        bottom, and less near the turning points."""
        scene, arm = inspected(pendulum)
        joint, heard = scene.joints[0], []
        arm.on_threshold(joint, heard.append, left=heard.append, force=20, duration=0.01)
        arm.on_threshold(joint, call=lambda event: heard.append(event), force=(math.inf, math.inf, math.inf), torque=1e9)
        for _ in range(300):
            arm.quick_step(0.005)
        self.assertGreater(len(heard), 2)
        for event, phase in zip(heard, (ks.ThresholdPhase.ENTERED, ks.ThresholdPhase.LEFT) * len(heard)):
            self.assertIs(event.phase, phase)
            self.assertIs(event.joint, joint)
            self.assertIs(event.limit, ks.Limit.FORCE)
            self.assertEqual(event.limit_value, 20)
            self.assertEqual(event.load > 20, phase == ks.ThresholdPhase.ENTERED)
            self.assertIs(event.reaction.type, ks.JointType.HINGE)
        for keywords, error in (({}, TypeError), ({"call": 5}, TypeError), ({"call": print, "force": "x"}, TypeError),
                                ({"call": print, "force": -1}, ks.BadArgument), ({"call": print, "force": (1, 2)}, ValueError),
                                ({"call": print, "foo": 1}, TypeError), ({"call": print, "left": 5, "force": 1}, TypeError)):
            with self.assertRaises(error):
                arm.on_threshold(joint, **keywords)
        for call, of in ((arm.on_threshold, joint), (arm.on_sum_threshold, [ks.WrenchTerm(joint=joint, body=scene.bodies[0])])):
            for keywords, words in (({"fource": 3}, "has no keyword 'fource'"), ({"duration": 1}, "needs a limit")):
                with self.assertRaisesRegex(TypeError, words) as raised:
                    call(of, print, **keywords)
                told = re.search(r"help\(kinetostat\.Inspector\.(.*)\)", str(raised.exception))[1]
                self.assertTrue(getattr(ks.Inspector, told).__doc__)
            call(of, print, force=math.inf).end()

    def test_sum_threshold(self):
        """The two hinges of a door together carry its weight."""
        scene, arm = inspected(door)
        heard, over = [], []
        terms = [ks.WrenchTerm(joint=joint, body=scene.bodies[0]) for joint in scene.joints]
        arm.quick_step(0.01)
        weight = sum(arm.reaction(joint).shared[0].force[2] for joint in scene.joints)
        arm.on_sum_threshold(terms, heard.append, force=(math.inf, math.inf, 0.9 * weight), frame=ks.FRAME_WORLD)
        arm.on_sum_threshold(terms, call=over.append, force=(math.inf, math.inf, 1.1 * weight), frame=ks.FRAME_WORLD)
        arm.quick_step(0.01)
        self.assertEqual((len(heard), len(over)), (1, 0))
        self.assertAlmostEqual(heard[0].load, weight, delta=by_precision(1e-6, 1e-3))
        self.assertGreaterEqual(heard[0].peak, heard[0].load)
        for wrong, error in (([], ks.BadArgument), (None, TypeError), ([7], TypeError), (terms * 2, ks.BadArgument)):
            with self.assertRaises(error):
                arm.on_sum_threshold(wrong, heard.append, force=1)
        with self.assertRaises(TypeError):
            arm.on_sum_threshold(terms, force=1)

    def test_touches(self):
        """A body strikes the floor with the impulse m (v + g h), and has no contact in the next
        step."""
        world = ode.World()
        world.setGravity((0, 0, -10))
        box, h, heard = ode.Body(world), 0.0078125, []
        world.setCFM(0)
        with ks.Inspector(world) as inspector:
            inspector.on_touch(heard.append, box, least_impulse=math.inf)
            for pair in ((box, box), (None, box)):
                with self.assertRaises((ks.BadArgument, TypeError)):
                    inspector.on_touch(print, *pair)
            with self.assertRaises(ks.BadArgument):
                inspector.on_touch(print, box, least_impulse=-1)
            box.setLinearVel((0, 0, -2))
            contact = ode.Contact()
            contact.setContactGeomParams((0, 0, 0), (0, 0, 1), 0)
            contact.setBounce(0)
            joint = ode.ContactJoint(world, None, contact)
            joint.attach(box, None)
            inspector.step(h)
            del joint
            inspector.step(h)
        began, ended = heard
        self.assertIs(began.phase, ks.TouchPhase.BEGAN)
        self.assertEqual(began.body[0], box)
        self.assertIsNone(began.body[1])
        # The mass is 1 kg. All these numbers are sums of few powers of two, apart from the last
        # digits of the solver.
        self.assertAlmostEqual(began.impulse, 2 + 10 * h, places=12)
        self.assertAlmostEqual(began.closing, 2, places=12)
        self.assertEqual(began.contact_count, 1)
        self.assertIs(ended.phase, ks.TouchPhase.ENDED)
        self.assertEqual((ended.step, ended.lasted, ended.impulse), (1, h, 0))
        self.assertTrue(math.isnan(ended.closing))

    def test_contacts_and_alerts(self):
        scene, arm = inspected(box_on_floor)
        touched, alerts, engine = [], [], []
        arm.on_contact(touched.append, scene.bodies[0])
        arm.on_alert(alerts.append)
        arm.on_engine_step(lambda step: engine.append((step.step, step.is_done, step.stepper)))
        for _ in range(3):
            scene.before()
            arm.quick_step(0.005)
        self.assertTrue(touched and all(one.type is ks.JointType.CONTACT for one in touched))
        self.assertTrue(all(one.verdict in (ks.SOLVER_ERROR, ks.UNEXPLAINED) for one in alerts))
        self.assertEqual(engine, [(i, done, ks.QUICK_STEP) for i in range(3) for done in (0, 1)])
        loaded = []
        arm.on_threshold(next(j for j in scene.joints if isinstance(j, ode.HingeJoint)), loaded.append, force=1)
        scene.before()
        arm.quick_step(0.005)
        contacts = arm.reactions["joint"][arm.reactions["type"] == ks.JointType.CONTACT]
        self.assertTrue(loaded and set(loaded[0].contacts) <= set(contacts))
        self.assertEqual(len(loaded[0].contacts), loaded[0].contact_count)
        self.assertGreater(loaded[0].contact_count, 0)
        contact = int(arm.reactions["joint"][arm.reactions["type"] == ks.JointType.CONTACT][0])
        use = arm.friction_use(contact)
        self.assertGreaterEqual(use[1], 0)

    def test_moved_callbacks(self):
        """pyode's own moved callbacks do not take the interpreter lock, so it is held during the
        engine's step, even if other threads run."""
        scene, arm = inspected()
        moved, stop = [], threading.Event()
        scene.bodies[0].setMovedCallback(lambda body: moved.append(body is scene.bodies[0]))
        threads = [threading.Thread(target=lambda: [None for _ in iter(stop.is_set, True)]) for _ in range(2)]
        for thread in threads:
            thread.start()
        for _ in range(50):
            arm.quick_step(0.005)
            arm.step(0.005)
            arm.exact_step(0.005)
            with arm.bracket(ks.QUICK_STEP, 0.005):
                scene.world.quickStep(0.005)
        stop.set()
        for thread in threads:
            thread.join()
        self.assertEqual(moved, [True] * 200)

    def test_threads_run(self):
        """The interpreter does not switch threads by time here, so another thread runs only if a
        step releases the interpreter lock. The thread may need several steps to start."""
        _, arm = inspected()
        ran, stop, ready = [], [], threading.Event()

        def other():
            ready.set()
            while not stop:
                time.sleep(0)
                ran.append(None)
        interval = sys.getswitchinterval()
        sys.setswitchinterval(1000)
        try:
            thread = threading.Thread(target=other)
            thread.start()
            ready.wait()
            before, steps = len(ran), 0
            while len(ran) == before and steps < 20000:
                arm.quick_step(0.001)
                steps += 1
            self.assertGreater(len(ran), before)
        finally:
            stop.append(None)
            thread.join()
            sys.setswitchinterval(interval)

    def test_another_thread(self):
        """While one thread is in a callback, a step by another thread is refused."""
        _, arm = inspected()
        refused = []

        def elsewhere():
            try:
                arm.quick_step(0.01)
            except ks.Error as error:
                refused.append(error.status)

        def start(report):
            thread = threading.Thread(target=elsewhere)
            thread.start()
            thread.join()
        arm.on_step(start)
        arm.quick_step(0.01)
        self.assertEqual(refused, [ks.Status.REENTRY])


class Lives(unittest.TestCase):
    def test_world_first(self):
        """The world is given by its address, and the engine's own call destroys it before the
        inspector is closed."""
        ENGINE.dWorldCreate.restype = ctypes.c_void_p
        world = ctypes.c_void_p(ENGINE.dWorldCreate())
        arm = ks.Inspector(world)
        arm.quick_step(0.01)
        ENGINE.dWorldDestroy(world)
        arm.close()

    def test_world_is_kept(self):
        scene, arm = inspected()
        joints = scene.joints
        del scene
        gc.collect()
        arm.quick_step(0.01)
        del joints
        arm.quick_step(0.01)
        self.assertEqual(len(arm.reactions), 0)

    def test_cycles(self):
        """The garbage collector frees an inspector to which its own callback refers."""
        class Watched(list):
            pass
        scene, arm = inspected()
        mark = Watched()
        arm.on_step(lambda report: (arm, mark))
        gone = weakref.ref(mark)
        del scene, arm, mark
        gc.collect()
        self.assertIsNone(gone())

    def test_disable(self):
        scene, arm = inspected()
        ks.disable(scene.joints[0])
        arm.quick_step(0.01)
        self.assertIn(ks.Reason.DISABLED, arm.reaction(scene.joints[0]).reasons)
        ks.enable(scene.joints[0])
        arm.quick_step(0.01)
        self.assertIs(arm.reaction(scene.joints[0]).verdict, ks.VALID)


if __name__ == "__main__":
    unittest.main()

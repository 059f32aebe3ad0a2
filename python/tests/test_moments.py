"""test_moments.py  Any call at any moment: within callbacks of this module and of the engine, from
threads, after fork(), in finalizers, and at the end of the program."""
import asyncio
import ctypes
import gc
import os
import subprocess
import sys
import threading
import unittest
import weakref

import kinetostat as ks
import numpy as np
import ode
from scenes import Scene, chain, inspected, pendulum


class Moments(unittest.TestCase):
    def test_everything_within_callbacks(self):
        """Any call of an inspector within each kind of callback, with each latency, is answered or
        refused, and the next steps work."""
        for latency in (ks.SAME_STEP, ks.NEXT_STEP):
            scene, arm = inspected(latency=latency)
            other_scene, other = inspected()
            joint = scene.joints[5]
            term, probe = ks.WrenchTerm(joint=joint, body=scene.bodies[5]), ks.BodyProbe(body=scene.bodies[5], axis=(1, 0, 0))
            done = set()

            def within(event):
                for number, call in enumerate((
                        lambda: arm.quick_step(0.01), lambda: arm.exact_step(0.01), arm.flush, lambda: arm.reactions, lambda: arm.report, lambda: arm.bodies,
                        lambda: arm.wrench(joint), lambda: arm.rows(joint), lambda: arm.sum_wrenches([term]), lambda: arm.recompute([]),
                        lambda: arm.mobility(probe, probe), lambda: arm.solve_impulse([ks.Blow(at=probe, impulse=1)]),
                        lambda: arm.relax_joint(joint), lambda: arm.on_step(lambda report: None).end(), lambda: arm.name(joint, "x"),
                        lambda: other.quick_step(0.01), lambda: arm.bracket(ks.QUICK_STEP, 0.01).__enter__(), lambda: arm.write_report("/dev/null", 0),
                        lambda: arm.bracket(ks.QUICK_STEP, 0.01).__exit__(None, None, None), lambda: repr(event), lambda: ks.Inspector(scene.world).close(),
                        lambda: arm.on_threshold(joint, call=print, force=1e9).end(), lambda: scene.world.quickStep(0.0) if False else None)):
                    try:
                        call()
                    except (ks.Error, LookupError):
                        pass
                    done.add(number)
            arm.on_step(within)
            arm.on_reaction(within, joint)
            arm.on_alert(within)
            arm.on_threshold(joint, call=within, left=within, force=1e-3)
            arm.on_engine_step(within)
            for _ in range(4):
                arm.quick_step(0.005)
            arm.flush()
            self.assertEqual(len(done), 23)
            self.assertEqual(arm.report.step, 3)
            with arm.bracket(ks.QUICK_STEP, 0.005):
                scene.world.quickStep(0.005)
            self.assertTrue(other_scene)

    def test_closed_in_its_own_callback(self):
        for subscribe in ("on_step", "on_reaction", "on_alert", "on_engine_step"):
            for latency in (ks.SAME_STEP, ks.NEXT_STEP):
                scene, arm = inspected(latency=latency)
                reactions = []

                def close(event):
                    arm.close()
                    with self.assertRaises(ValueError):
                        arm.reactions
                    reactions.append(event)
                    raise KeyError(event)
                getattr(arm, subscribe)(close)
                raised = 0
                for _ in range(3):
                    try:
                        arm.quick_step(0.005)
                    except KeyError:
                        raised += 1
                    except ValueError:
                        break
                    except ks.Error as error:
                        self.assertIs(error.status, ks.Status.ENDED)
                if reactions:
                    self.assertEqual((len(reactions), raised, arm.closed), (1, 1, True))
                    repr(reactions)
                scene.world.quickStep(0.005)

    def test_moved_callbacks(self):
        """The engine makes a callback in the middle of its step."""
        for act in (lambda arm: arm.close(), lambda arm: arm.quick_step(0.01), lambda arm: arm.reactions, lambda arm: arm.flush(),
                    lambda arm: 1 / 0, lambda arm: gc.collect()):
            for step in ("quick_step", "step", "exact_step"):
                scene, arm = inspected(chain)
                said = []

                def moved(body):
                    try:
                        act(arm)
                    except Exception as error:
                        said.append(error)
                scene.bodies[3].setMovedCallback(moved)
                for _ in range(2):
                    try:
                        getattr(arm, step)(0.005)
                    except (ValueError, ks.Error):
                        pass
                scene.world.quickStep(0.005)

    def test_views_outlive(self):
        scene, arm = inspected()
        arm.quick_step(0.01)
        views = [arm.reactions, memoryview(arm.reactions), np.asarray(arm.reactions), arm.reactions["physical"]["force"][::2, 0], arm.rows(scene.joints[0])["cfm"],
                 memoryview(arm.report), iter(arm.reactions)]
        before = [bytes(view) for view in views[:6]]
        for _ in range(30):
            arm.quick_step(0.01)
            arm.reactions, arm.rows(scene.joints[0])
        arm.close()
        del arm, scene
        gc.collect()
        for _ in range(30):
            inspected()[1].quick_step(0.01)
        self.assertEqual([bytes(view) for view in views[:6]], before)
        self.assertEqual(len(list(views[6])), 10)
        with self.assertRaises((ValueError, TypeError, BufferError)):
            np.asarray(views[0]).flags.writeable = True
        with self.assertRaises(TypeError):
            ctypes.c_char.from_buffer(views[0])

    def test_cycles(self):
        """Reference cycles through any object of this module are freed."""
        class Own(ks.Inspector):
            pass
        alive = []
        for latency in (ks.SAME_STEP, ks.NEXT_STEP):
            for raising in (False, True):
                scene = Scene(pendulum)
                arm = Own(scene.world, latency=latency)
                arm.me, arm.scene = arm, scene

                def call(event, arm=arm, raising=raising):
                    arm.event = event
                    if raising:
                        raise KeyError(arm, event)
                arm.on_step(call)
                arm.on_reaction(call)
                arm.on_threshold(scene.joints[0], call, force=1e-9)
                for _ in range(3):
                    try:
                        arm.quick_step(0.01)
                    except KeyError:
                        pass
                alive.append(weakref.ref(arm))
                del arm, scene, call
        for _ in range(3):
            gc.collect()
        self.assertEqual([one() for one in alive], [None] * 4)

    def test_name_of_a_joint_that_is_gone(self):
        """A new joint at the address of a destroyed joint does not inherit its name."""
        scene, arm = inspected()
        for i in range(50):
            joint = scene.join(ode.BallJoint, scene.bodies[i % 2], scene.bodies[3], (i, 0, 0))
            self.assertIsNone(arm.name_of(joint))
            with self.assertRaises(KeyError):
                arm["dying"]
            arm.name(joint, "dying")
            arm.quick_step(0.001)
            arm["dying"]
            del joint, scene.joints[-1]

    def test_bodies_die_within_callbacks(self):
        for latency in (ks.SAME_STEP, ks.NEXT_STEP):
            for subscribe in ("on_step", "on_reaction", "on_alert"):
                scene, arm = inspected(latency=latency)
                calls = []

                def kill(event):
                    if not calls:
                        scene.bodies.pop(), scene.joints.pop()
                        scene.bodies.append(ode.Body(scene.world))
                    calls.append(event)
                getattr(arm, subscribe)(kill)
                for _ in range(5):
                    arm.quick_step(0.01)
                arm.flush()
                self.assertEqual(len(arm.bodies), 10)
                self.assertTrue(calls)

    def test_two_inspectors_close_each_other(self):
        scene = Scene(chain)
        one, other = ks.Inspector(scene.world), ks.Inspector(scene.world, latency=ks.NEXT_STEP)
        other.on_step(lambda report: one.close())
        one.on_step(lambda report: other.close())
        one.quick_step(0.01)
        self.assertTrue(other.closed)
        with self.assertRaises(ValueError):
            other.quick_step(0.01)
        one.quick_step(0.01)

    def test_subscriptions_that_end_each_other(self):
        scene, arm = inspected()
        all_of_them = []

        def end(event):
            for one in all_of_them:
                one.end()
            all_of_them.append(arm.on_reaction(end))
        all_of_them += arm.on_reaction(end), arm.on_reaction(end, scene.joints[2]), arm.on_step(end)
        for _ in range(5):
            arm.quick_step(0.01)
        self.assertEqual([one.active for one in all_of_them], [False] * (len(all_of_them) - 1) + [True])

    def test_finalizers(self):
        """The finalizer of a callback calls everything on its inspector, even when both are freed
        together."""
        gone = []

        class Call:
            def __init__(self, arm):
                self.arm = arm

            def __call__(self, event):
                pass

            def __del__(self):
                for call in (lambda: self.arm.quick_step(0.01), lambda: self.arm.on_step(print), self.arm.close, lambda: self.arm.report, lambda: self.arm.world,
                             lambda: self.arm.write_report("/dev/null", 0), lambda: self.arm.reactions):
                    try:
                        call()
                    except (ValueError, ks.Error):
                        pass
                gone.append(1)
        for latency in (ks.SAME_STEP, ks.NEXT_STEP):
            scene, arm = inspected(latency=latency)
            subscription = arm.on_step(Call(arm))
            arm.on_threshold(scene.joints[0], Call(arm), Call(arm), force=1)
            arm.quick_step(0.01)
            subscription.end()
            arm.quick_step(0.01)
            del arm, subscription
            gc.collect()
        self.assertEqual(len(gone), 6)

    def test_events_outlive(self):
        scene, arm = inspected()
        kept = []
        for subscribe in (arm.on_reaction, arm.on_step, arm.on_engine_step):
            subscribe(kept.append)
        arm.on_threshold(scene.joints[0], kept.append, kept.append, force=1e-9)
        for _ in range(3):
            arm.quick_step(0.01)
        before = [repr(event) for event in kept]
        arm.close()
        del arm
        gc.collect()
        self.assertEqual([repr(event) for event in kept], before)


class Threads(unittest.TestCase):
    def test_reports_meanwhile(self):
        """Other threads request reports during steps. They do not wait for a step, and are answered
        or refused."""
        scene, arm = inspected(chain)
        report = ks.Report()
        report.watch(arm)
        over, answers = threading.Event(), []

        def ask():
            while not over.is_set():
                for call in (report.as_dict, lambda: report.check(above=1), report.text, lambda: arm.report, lambda: arm.write_report("/dev/null", 0),
                             lambda: arm.reactions, lambda: arm.wrench(scene.joints[0])):
                    try:
                        answers.append(call())
                    except ks.Error as error:
                        self.assertIn(error.status, (ks.Status.REENTRY, ks.Status.UNAVAILABLE))
        arm.quick_step(0.001)
        threads = [threading.Thread(target=ask) for _ in range(2)]
        for thread in threads:
            thread.start()
        for _ in range(300):
            try:
                arm.quick_step(0.001)
            except ks.Error as error:
                self.assertIs(error.status, ks.Status.REENTRY)
        over.set()
        for thread in threads:
            thread.join()
        self.assertTrue(report.as_dict()["worlds"][0]["steps"]["inspected"] > 0)

    def test_report_within_a_step(self):
        """Within a step, another thread is refused the report. The stepping thread gets it, and any
        thread gets the report of another world."""
        scene, arm = inspected()
        other_scene, other = inspected(pendulum)
        other.quick_step(0.01)
        report, told = ks.Report(), []
        report.watch(arm)

        def ask():
            for call in (report.as_dict, report.text, lambda: report.check(above=1), lambda: arm.write_report("/dev/null", 0), lambda: report.watch(other)):
                with self.assertRaises(ks.Error) as raised:
                    call()
                told.append(raised.exception.status)
            other.write_report("/dev/null", 0)

        def call(event):
            report.as_dict()
            thread = threading.Thread(target=ask)
            thread.start()
            thread.join()
        arm.on_step(call)
        arm.quick_step(0.01)
        self.assertEqual(told, [ks.Status.REENTRY] * 5)
        report.as_dict()
        self.assertTrue(scene and other_scene)

    def test_worlds_in_threads(self):
        """Each thread has its own world, and all get the same forces."""
        def run(out):
            scene, arm = inspected(chain)
            for _ in range(100):
                arm.exact_step(0.002)
            out.append(arm.reactions["physical"]["force"].copy())
        outs = [[] for _ in range(4)]
        threads = [threading.Thread(target=run, args=(out,)) for out in outs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for out in outs[1:]:
            np.testing.assert_array_equal(out[0], outs[0][0])

    def test_asyncio(self):
        scene, arm = inspected()
        heard = []
        arm.on_step(lambda report: heard.append(report.step))

        async def run():
            for _ in range(20):
                await asyncio.to_thread(arm.quick_step, 0.001)
            await asyncio.gather(*(asyncio.to_thread(inspected()[1].quick_step, 0.001) for _ in range(4)))
        asyncio.run(run())
        self.assertEqual(heard, list(range(20)))
        self.assertTrue(scene)

    def child(self, code, **options):
        """Runs the code in a process, which must end by itself without output on standard error. ->
        its output"""
        code = "import gc, os, sys, threading, kinetostat as ks, ode\nfrom scenes import *\n" + code
        here = os.path.dirname(os.path.abspath(__file__))
        environment = dict(os.environ, PYTHONPATH=f"{here}:{os.environ.get('PYTHONPATH', '')}")
        run = subprocess.run([sys.executable, "-X", "faulthandler", "-W", "ignore::DeprecationWarning", "-c", code], env=environment, capture_output=True, text=True, timeout=120)
        self.assertEqual((run.returncode, run.stderr), (0, ""), code)
        return run.stdout

    def test_fork(self):
        for latency in "ks.SAME_STEP", "ks.NEXT_STEP":
            said = self.child(f"""
scene, arm = inspected(latency={latency}, workers=2)
for _ in range(5): arm.quick_step(0.01)
sys.stdout.flush()
child = os.fork()
for _ in range(5):
    try: arm.quick_step(0.01)
    except ks.Error as error: assert error.status is ks.Status.UNAVAILABLE and child == 0, error
try: arm.reactions
except ks.Error: assert child == 0
arm.close()
del arm
if child: assert os.waitpid(child, 0)[1] == 0
print("over")
""")
            self.assertEqual(said, "over\\nover\\n".replace("\\n", "\n"))

    def test_end_of_the_program(self):
        """The program ends while callbacks are pending, in the middle of steps of another thread,
        and with all objects alive."""
        self.child("""
scene, arm = inspected(latency=ks.NEXT_STEP)
arm.on_step(lambda report: gc.collect())
arm.quick_step(0.01)
""")
        self.child("""
scene, arm = inspected()
arm.on_step(lambda report: None)
begun = threading.Event()
def run():
    while True:
        arm.quick_step(0.001)
        begun.set()
threading.Thread(target=run, daemon=True).start()
begun.wait()
""")
        self.child("""
scene, arm = inspected(latency=ks.NEXT_STEP)
arm.on_reaction(lambda reaction: None)
arm.quick_step(0.01)
sys.modules["keep"] = arm
def call(report): sys.exit(0)
arm.on_step(call)
arm.quick_step(0.01)
arm.quick_step(0.01)
""")

    def test_another_interpreter(self):
        """The types belong to one interpreter, so a second interpreter is refused."""
        self.child("""
try: import _xxsubinterpreters as interpreters
except ImportError: import _interpreters as interpreters
scene, arm = inspected()
arm.quick_step(0.01)
one = interpreters.create()
try: failed = interpreters.run_string(one, "import sys\\ntry: import kinetostat\\nexcept ImportError: pass\\nelse: raise SystemError")
finally: interpreters.destroy(one)
assert not failed, failed
arm.quick_step(0.01)
""")

    def test_loaded_again(self):
        self.child("""
import importlib
importlib.reload(ks)
del sys.modules["kinetostat._native"], sys.modules["kinetostat"]
try: import kinetostat
except ImportError: pass
else: raise SystemError
scene, arm = inspected()
arm.quick_step(0.01)
""")


if __name__ == "__main__":
    unittest.main()

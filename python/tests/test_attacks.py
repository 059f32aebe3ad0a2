"""test_attacks.py  Programs that nobody writes on purpose: code of the host in the midst of a call, threads, forks, garbage, numbers that are none. No
crash, and no call that fails changes anything. Where memory could go wrong in silence, the sanitizer tells: see run.sh."""
import asyncio
import copy
import ctypes
import gc
import os
import pickle
import subprocess
import sys
import threading
import unittest
import weakref

import kinetostat as ks
import numpy as np
import ode
from scenes import Scene, chain, inspected, pendulum


class Number:
    """one that runs code of the host when it is read"""
    def __init__(self, call, value=1.0):
        self.call, self.value = call, value

    def __float__(self):
        self.call()
        return self.value

    def __index__(self):
        self.call()
        return int(self.value)


class Systems(unittest.TestCase):
    def system(self, blocks=2, size=1):
        system = ks.System()
        for _ in range(blocks):
            system.add_block(np.eye(size))
        return system

    def refused(self, call):
        """by REENTRY, within the call that reads"""
        raised = []

        def within():
            with self.assertRaises(ks.Error) as error:
                call()
            raised.append(error.exception.status)
        return Number(within), raised

    def test_changed_while_it_reads(self):
        system = self.system()
        system.add_row({0: 1.0})
        for change in (lambda: system.add_block(np.eye(50)), lambda: system.add_row({0: 1.0}), system.clear):
            for read in (lambda number: system.add_block([[number]]), lambda number: system.add_block([[1]], force=[number]),
                         lambda number: system.add_row({0: [number], 1: 1.0}), lambda number: system.add_row({0: 1.0, number: 1.0}),
                         lambda number: system.combination([number] + [0] * (system.row_count - 1)),
                         lambda number: system.measure([number] + [0] * (system.coordinate_count - 1)),
                         lambda number: system.solve_impulse([0] * system.coordinate_count, [number] + [0] * (system.row_count - 1)),
                         lambda number: system.relax_row(0, [number] + [0] * (system.coordinate_count - 1)),
                         lambda number: system.mobility({0: [1.0]}, {0: [number]})):
                number, raised = self.refused(change)
                before = system.row_count, system.coordinate_count
                try:
                    read(number)
                except ks.Error as error:
                    self.assertIsNot(error.status, ks.Status.REENTRY)
                self.assertEqual(raised, [ks.Status.REENTRY])
                self.assertLessEqual(system.row_count - before[0] + system.coordinate_count - before[1], 1)
        system.clear()

    def test_changed_before_it_reads(self):
        """an index that adds blocks: the call sees them"""
        system = self.system()
        system.add_row({0: 1.0})
        with self.assertRaises(ValueError):
            system.relax_row(Number(lambda: system.add_block(np.eye(60)), 0), [1.0, 0.0])
        self.assertEqual(system.coordinate_count, 62)

    def test_dictionary_that_empties_itself(self):
        system = self.system()
        for _ in range(50):
            pieces = {}
            pieces[Number(pieces.clear, 0)] = [float(n) for n in range(1)]
            pieces[1] = [Number(lambda: (pieces.clear(), gc.collect()))]
            try:
                system.add_row(pieces)
            except (IndexError, ks.Error):
                pass

    def test_other_systems_meanwhile(self):
        system, other = self.system(), ks.System()
        self.assertEqual(system.add_row({0: [Number(lambda: other.add_block([[1.0]]), 3.0)]}), 0)
        self.assertEqual(other.coordinate_count, 1)
        with self.assertRaises(ZeroDivisionError):
            system.add_row({0: [Number(lambda: 1 / 0)]})
        system.add_block([[1.0]])  # it reads no longer

    def test_numbers_that_are_none(self):
        system = self.system()
        for wrong in (float("nan"), float("inf"), -1.0, 0.0):
            with self.assertRaises(ks.Error):
                system.add_block([[wrong]])
        for wrong in (np.array(["x"]), [[None]], np.eye(3)[:2], np.zeros((0, 0)), np.array(2.0), "12", b"\0" * 8, range(3),
                      {0: 1.0}, iter([1.0])):
            with self.assertRaises((TypeError, ValueError, ks.Error)):
                system.add_block(wrong)
        for wrong in (1 << 70, -1, 2, "0", 0.5, None):
            with self.assertRaises((TypeError, IndexError, OverflowError)):
                system.add_row({wrong: [1.0]})
        self.assertEqual((system.coordinate_count, system.row_count), (2, 0))

    def test_large(self):
        system, n = ks.System(), 700
        system.add_block(np.eye(n) * 2, force=np.arange(n, dtype=">f8"))
        system.add_row({0: np.ones(2 * n)[::2]})
        multiplier, acceleration = system.solve_gauss()
        # 2 a = f + lambda, sum a = 0
        np.testing.assert_allclose(np.asarray(multiplier), [-(n - 1) / 2], rtol=1e-12)
        np.testing.assert_allclose(np.asarray(acceleration), (np.arange(n) - (n - 1) / 2) / 2, atol=1e-10)
        with self.assertRaises((ValueError, MemoryError, ks.Error)):
            system.add_block(range(1 << 40))


class Fields(unittest.TestCase):
    def test_all_or_nothing(self):
        sensor = ks.Sensor(tool_mass=2.5, tool_centre=(1, 2, 3))
        for name, wrong in (("tool_mass", "x"), ("tool_mass", None), ("tool_centre", (9, 9, "x")), ("tool_centre", (9, 9)), ("tool_centre", 5),
                            ("frame", 1 << 40), ("frame", 1.5), ("bias", (1, 2))):
            before = bytes(memoryview(sensor))
            with self.assertRaises((TypeError, ValueError, OverflowError)):
                setattr(sensor, name, wrong)
            self.assertEqual(bytes(memoryview(sensor)), before, (name, wrong))
        with self.assertRaises(AttributeError):
            del sensor.tool_mass
        sensor.tool_centre = (9, 9, Number(lambda: setattr(sensor, "tool_mass", 4)))
        self.assertEqual((sensor.tool_mass, sensor.tool_centre), (4, (9, 9, 1)))
        probe = ks.BodyProbe(point=(1, 2, 3))
        blow = ks.Blow(at=probe, impulse=2)
        with self.assertRaises(TypeError):
            blow.at = sensor
        self.assertEqual((blow.at.point, blow.impulse), ((1, 2, 3), 2))

    def test_texts(self):
        scene, arm = inspected()
        report = ks.Report()
        report.watch(arm)
        arm.quick_step(0.01)
        for wrong in ("a\0b", "\udc80", b"a", 5):
            with self.assertRaises((ValueError, TypeError)):
                report.check(joints=wrong)
        for wrong in ("\udc80", "a\0b", b"x", 5):
            with self.assertRaises((ValueError, TypeError, KeyError)):
                arm.name(scene.joints[0], wrong)
        self.assertIsNone(arm.name_of(scene.joints[0]))

    def test_copies(self):
        """nothing of this is copied by the way, or kept: it says so"""
        scene, arm = inspected()
        arm.quick_step(0.01)
        subscription = arm.on_step(lambda report: None)

        class Own(ks.Inspector):
            pass
        own = Own(Scene(pendulum).world)
        for one in (arm, own, subscription, arm.report, arm.reactions, arm.reaction(scene.joints[0]), ks.Sensor(), ks.Wrench(), ks.System(),
                    ks.Report(), arm.bracket(ks.QUICK_STEP, 0.01)):
            for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
                with self.assertRaises(TypeError):
                    pickle.dumps(one, protocol)
            with self.assertRaises(TypeError):
                copy.copy(one)
            with self.assertRaises(TypeError):
                one.__class__ = ks.Wrench if not isinstance(one, ks.Wrench) else ks.Sensor
            with self.assertRaises(TypeError):
                object.__new__(type(one))
            for protocol in range(2):
                try:
                    text = pickle.dumps(one, protocol)
                except TypeError:
                    continue
                with self.assertRaises(TypeError):
                    pickle.loads(text)
        self.assertEqual(pickle.loads(pickle.dumps([ks.VALID, ks.Reason.BOUND])), [ks.VALID, ks.Reason.BOUND])
        error = pickle.loads(pickle.dumps(ks.CommandError("x", 125, {"a": 1})))
        self.assertEqual((str(error), error.exit_status, error.report), ("x", 125, {"a": 1}))

    def test_addresses_that_are_none(self):
        scene, arm = inspected()
        arm.quick_step(0.01)
        for wrong in (0, 1, True, 3, 4095, 12345677, -8, 1 << 80, 5.0, "nobody", b"12345678", (), None, scene.world, scene.bodies[0], type,
                      ctypes.c_void_p(None), ctypes.c_int(5), ode.HingeJoint):
            for call in (lambda: arm.wrench(wrong), lambda: arm.rows(wrong), lambda: ks.disable(wrong), lambda: arm.name(wrong, "x"),
                         lambda: arm.on_threshold(wrong, call=print), lambda: ks.WrenchTerm(joint=wrong) and 1 / (wrong is not None),
                         lambda: wrong is None or arm.on_reaction(print, wrong) and 0):
                try:
                    call()
                except (TypeError, ValueError, LookupError, OverflowError, ks.Error, ZeroDivisionError):
                    continue
                self.assertIsNone(wrong)
        arm.quick_step(0.01)


class Moments(unittest.TestCase):
    def test_everything_within_callbacks(self):
        """any call of an inspector, in each kind of callback, in each latency: an answer or a refusal, and the next steps are as without"""
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
        """the engine calls in the midst of its step"""
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
        """rings through each object that can be part of one go away"""
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
        """a new joint at the same address, which holds other bodies, is not called as the old one"""
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


class Threads(unittest.TestCase):
    def test_reports_meanwhile(self):
        """another thread asks for a report while steps are made: it waits for no step, and is refused or answered"""
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
        """of another thread it is refused; in the thread that steps, and of another world, it is not"""
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
        """each thread has a world: the same forces as alone"""
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
        """ends by itself, without a word on standard error"""
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
        """in the midst of steps, of another thread; with callbacks that wait; with all alive"""
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
        """types are those of one interpreter: the module says so"""
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

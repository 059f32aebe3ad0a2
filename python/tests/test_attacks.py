"""test_attacks.py  Hostile arguments: objects that run code of the host when they are read as
numbers, objects that are not numbers, false lengths, and failed allocations. Nothing crashes, and a
call that fails changes nothing."""
import copy
import ctypes
import gc
import pickle
import unittest

import kinetostat as ks
import numpy as np
import ode
from scenes import Scene, inspected, pendulum

try:
    import _testcapi  # a module of CPython's own tests
except ImportError:
    _testcapi = None


class Number:
    """a number that runs code of the host when it is read"""
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
        """-> a number that makes this call while it is read, and a list of the statuses that refuse
        the call"""
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
        """An index adds blocks when it is read. The call takes them into account."""
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
        system.add_block([[1.0]])  # the call that read numbers is over

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
        # the solution of 2 a = f + lambda, sum a = 0
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
        """None of these objects can be copied or pickled: each attempt raises an exception."""
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


class Sequence:
    """a sequence that runs code of the host when it is read, and may have a false length"""
    def __init__(self, items, act=lambda: None, length=None):
        self.items, self.act, self.length = items, act, len(items) if length is None else length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        self.act()
        return self.items[index]


class Sequences(unittest.TestCase):
    def test_questions(self):
        for act in ("close", "step", "nothing"):
            scene, arm = inspected()
            arm.quick_step(0.01)
            acts = {"close": arm.close, "step": lambda: arm.quick_step(0.01), "nothing": lambda: None}
            probe = ks.BodyProbe(body=scene.bodies[0], axis=(1, 0, 0))
            for call, item in ((arm.sum_wrenches, ks.WrenchTerm(joint=scene.joints[0], body=scene.bodies[0])),
                               (arm.solve_impulse, ks.Blow(at=probe, impulse=1)), (arm.recompute, ks.NetWrench(a=scene.bodies[0]))):
                for length in (1, 0, 1 << 62, 1 << 58):
                    try:
                        call(Sequence([item], acts[act], length))
                    except (ValueError, IndexError, MemoryError, ks.Error):
                        pass
            with self.assertRaises(TypeError):
                ks.Sensor(tool_centre=Sequence([1, 2, object()]))
            self.assertEqual(arm.closed, act == "close")

    def test_limits_that_close(self):
        scene, arm = inspected()
        with self.assertRaises(ValueError):
            arm.on_threshold(scene.joints[0], print, force=1, duration=Number(arm.close))
        scene, arm = inspected()
        with self.assertRaises((ValueError, LookupError)):
            arm.wrench(Number(arm.close, 1 << 20))

    @unittest.skipUnless(_testcapi, "no _testcapi")
    def test_memory_ends(self):
        """Any single allocation of Python fails. The call raises MemoryError or succeeds, and later
        calls work as before."""
        scene, arm = inspected()
        joint, system, sensor = scene.joints[3], ks.System(), ks.Sensor(tool_mass=0.3)
        for _ in range(2):
            system.add_block([[1.0]])
        system.add_row({0: [1.0]})
        arm.quick_step(0.01)
        arm.reactions["error"], arm.rows(joint)["cfm"]

        def subscribe():
            made = []
            try:
                for call, arguments in ((arm.on_reaction, ()), (arm.on_reaction, (joint,)), (arm.on_step, ())):
                    made.append(call(id, *arguments))
                made.append(arm.on_threshold(joint, id, force=1))
            finally:
                for one in made:
                    one.end()
        for _ in range(100):
            subscribe()  # beyond the small integers that Python keeps in memory
        calls = {
            "create": lambda: ks.Inspector(scene.world, latency=ks.NEXT_STEP).close(), "wrench": lambda: arm.wrench(joint, frame=ks.FRAME_JOINT).force,
            "rows": lambda: arm.rows(joint)["cfm"], "name": lambda: (arm.name(joint, "abc"), arm["abc"], arm.name_of(joint)),
            "subscribe": subscribe,
            "sum": lambda: arm.sum_wrenches([ks.WrenchTerm(joint=joint, body=scene.bodies[3])]).wrench, "bodies": lambda: arm.bodies,
            "relax": lambda: arm.relax_joint(joint), "sensor": lambda: sensor.read(arm, joint), "field": lambda: setattr(sensor, "bias", sensor.bias),
            "report": lambda: arm.report.worst, "system": lambda: (system.solve_gauss(), system.solve_bounded(), system.relax_row(0)),
            "refusal": lambda: self.assertRaises(ks.Error, arm.quick_step, -1), "step": lambda: arm.quick_step(0.001)}
        for name, call in calls.items():
            call()
            for place in range(30):
                _testcapi.set_nomemory(place, place + 1)
                try:
                    call()
                except MemoryError:
                    pass
                finally:
                    _testcapi.remove_mem_hooks()
            call()
        self.assertEqual(sensor.tool_mass, 0.3)


if __name__ == "__main__":
    unittest.main()

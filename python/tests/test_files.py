"""test_files.py  open(): the numbers in traces and recordings equal the numbers that the inspector
gave during the run, bit for bit."""
import csv
import functools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import types
import unittest
import unittest.mock

import kinetostat as ks
import numpy as np
from scenes import ALL, Scene, box_on_floor, chain, door, inspected, wheels

try:
    import h5py
except ImportError:
    h5py = None
try:
    import pandas
except ImportError:
    pandas = None

COMMAND = os.environ.get("KINETOSTAT_COMMAND") or shutil.which("kinetostat")
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/data")
same = np.testing.assert_array_equal


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = lambda name="run.h5": os.path.join(folder.name, name)

    def assertRefused(self, words, path):
        with self.assertRaisesRegex(ks.Error, words) as raised:
            ks.open(path)
        self.assertIs(raised.exception.status, ks.Status.FILE)


@unittest.skipUnless(h5py and hasattr(ks, "Trace"), "no h5py, or built without reports")
class Traces(Folder):
    def traced(self, count=12, **options):
        """Traces a run. -> reactions, report and names of each step"""
        scene, arm = inspected()
        for i, joint in enumerate(scene.joints):
            arm.name(joint, f"joint {i}")
        found = []
        with ks.Trace(self.path(), **options) as trace:
            trace.watch(arm, world="hoist")
            for _ in range(count):
                arm.quick_step(0.005)
                found.append((arm.reactions.copy(), arm.report, [arm.name_of(int(joint)) for joint in arm.reactions["joint"]]))
        return found

    def test_columns(self):
        found = self.traced()
        with ks.open(self.path()) as run:
            self.assertEqual((run.kind, run.parameters, run.left_out, len(run)), ("trace", {}, 0, 1))
            world = run["hoist"]
            lines = world.reactions
            for wanted, of in (("engine_force", ("engine", "force")), ("converged_torque", ("converged", "torque")),
                               ("physical_force", ("physical", "force")), ("physical_torque", ("physical", "torque")),
                               ("mean_force", ("mean", "force")), ("mean_torque", ("mean", "torque"))):
                same(lines[wanted], np.concatenate([r[of[0]][of[1]][:, 0] for r, _, _ in found]))
            for wanted in ("verdict", "reasons", "error", "error_bar", "physical_error", "physical_error_bar", "net_error", "work",
                           "free_count", "step", "time", "mean_time", "load_noise"):
                same(lines[wanted], np.concatenate([r[wanted] for r, _, _ in found]), wanted)
            for of in ("mean_bar", "departure"):
                for part in ("force", "torque"):
                    x, y, z = np.concatenate([r[of][part] for r, _, _ in found]).T
                    size = np.sqrt(x * x + y * y + z * z)
                    np.testing.assert_allclose(lines[f"{of}_{part}"], size, rtol=4 * np.finfo(float).eps, err_msg=of)
            self.assertEqual(lines.units["engine_force"], "N")
            self.assertIn("world axes", lines.descriptions["engine_force"])
            same(world.joints["name"][lines["joint"]], np.concatenate([names for _, _, names in found]))
            for wanted in ("kinetic_energy", "gauss_constraint", "worst_error", "row_count", "momentum_residual"):
                same(world.steps[wanted], [getattr(report, wanted) for _, report, _ in found])
            same(world.steps["verdict_count"], [report.verdict_count[:6] for _, report, _ in found])
            self.assertEqual((len(lines), len(world.steps), len(world.joints)), (120, 12, 10))
            with self.assertRaisesRegex(AttributeError, "has no rows"):
                world.rows
            with self.assertRaisesRegex(KeyError, "no column is called 'nothing': there are 'anchor', .*, ..."):
                lines["nothing"]
            with self.assertRaisesRegex(KeyError, "no joint or world is called 'arm': there are '.*'"):
                run["arm"]
            with self.assertRaises(ValueError):
                lines["time"][0] = 1
            self.assertEqual(set(dict(lines)), set(lines.columns))
        same(lines["time"], np.concatenate([r["time"] for r, _, _ in found]))
        with self.assertRaisesRegex(ks.Error, "closed"):
            world.steps["potential_change"]

    def test_of(self):
        found = self.traced()
        world = ks.open(self.path()).worlds[0]
        force = [r["physical"]["force"][names.index("joint 7"), 0] for r, _, names in found]
        one = world.reactions.of("joint 7")
        same(one["physical_force"], force)
        same(world.reactions.of(one["joint"][0])["physical_force"], force)
        self.assertEqual(len(one.of("joint 6")), 0)
        with self.assertRaisesRegex(KeyError, "no joint is called 'nobody': there are 'joint 9', .*, 'joint 4', ..."):
            world.reactions.of("nobody")

    def test_loads(self):
        """The loads of each joint in all axes, about both points and on both bodies equal those of
        the inspector."""
        for build in chain, door:
            self.check_loads(build)

    def check_loads(self, build):
        scene, arm = inspected(build)
        names = [f"joint {i}" for i in range(len(scene.joints))]
        for joint, name in zip(scene.joints, names):
            arm.name(joint, name)
        cases = [(value, frame, point, body) for value in ("physical", "engine", "shared") for frame in ("world", "body", "joint")
                 for point in ("mass_centre", "anchor") for body in (0, 1)]
        cases += [("mean", frame, "anchor", body) for frame in ("world", "joint") for body in (0, 1)]
        told = {(name, case): [] for name in names for case in cases}
        with ks.Trace(self.path()) as trace:
            trace.watch(arm)
            for _ in range(40):
                arm.quick_step(0.005)
                for joint, name in zip(scene.joints, names):
                    for value, frame, point, body in cases:
                        try:
                            w = arm.wrench(joint, getattr(ks, value.upper()), body=body, frame=getattr(ks, "FRAME_" + frame.upper()),
                                           point=getattr(ks, "POINT_" + point.upper()))
                            told[name, (value, frame, point, body)].append((w.force, w.torque))
                        except ks.Error:  # the world has no mass centre
                            told[name, (value, frame, point, body)].append(None)
        with ks.open(self.path()) as run:
            for (name, case), wanted in told.items():
                if None in wanted:
                    continue
                load = run[name].load(case[0], case[1], case[2], case[3])
                for i, part in enumerate(("force", "torque")):
                    # rounding of sums of products of a lever and a force
                    limit = 1e-12 * np.abs([one[0] for one in wanted]).max()
                    np.testing.assert_allclose(load[part], [one[i] for one in wanted], rtol=1e-12, atol=limit, err_msg=f"{name} {case} {part}")
            joint = run["world 1"]["joint 1"]
            shared = build is door
            self.assertEqual(np.isfinite(joint.reactions["shared_force"]).all(), shared)
            self.assertTrue(shared or np.isnan(joint.reactions["shared_force"]).all())
            same(joint.load()["force_bar"], joint.reactions["physical_bar_force"])
            self.assertTrue((joint.load(point=ks.POINT_MASS_CENTRE)["torque_bar"] >= joint.load()["torque_bar"]).all())
            self.check_points(joint)
            self.check_means(joint)
            self.assertTrue(np.isnan(joint.load(ks.ENGINE)["force_bar"]).all())
            self.assertEqual((len(joint.load()["force"]), len(joint.motors), joint.type), (40, 0, "hinge"))
            for wrong in ({"value": "real"}, {"frame": 3}, {"point": "tip"}, {"point": (1, 2)}, {"point": (1, 2, np.nan)},
                          {"value": "mean", "point": (1, 0, 0), "frame": "world"}, {"body": 2}, {"value": "observed"}):
                with self.assertRaises(ValueError, msg=wrong):
                    joint.load(**wrong)
            with self.assertRaisesRegex(KeyError, "no joint is called 'nobody'"):
                run["world 1"]["nobody"]

    def check_points(self, joint):
        """The torque about any point of the body is the torque about the mass centre minus lever x
        force, in the axes of the body."""
        place = np.array([0.1, -0.2, 0.3])
        for frame in "body", "world":
            centre, load = joint.load(frame=frame, point="mass_centre"), joint.load(frame=frame, point=place)
            same(load["force"], centre["force"])
            same(joint.load(frame=frame, point=(0, 0, 0))["torque"], centre["torque"])
            if frame == "body":
                wanted = centre["torque"] - np.cross(place, centre["force"])
                # rounding of sums of products of a lever and a force
                np.testing.assert_allclose(load["torque"], wanted, rtol=1e-12, atol=1e-12 * np.abs(load["force"]).max())
        self.assertTrue((load["torque_bar"] <= centre["torque_bar"] + np.linalg.norm(place) * load["force_bar"] * (1 + 1e-12)).all())

    def check_means(self, joint):
        """On the first body, which is fixed to the axes of the joint, a mean load about a point
        equals the mean of the loads that the engine reports in each step."""
        steps = np.rint(joint.reactions["mean_time"] / 0.005).astype(int)
        for frame in "joint", "body":
            for point in "mass_centre", (0.1, -0.2, 0.3), "anchor":
                each, mean = joint.load("engine", frame, point), joint.load("mean", frame, point)
                for part in "force", "torque":
                    # rounding of sums of products of a lever and a force
                    limit = 1e-9 * np.abs(each["force"]).max()
                    wanted = [each[part][i - count + 1:i + 1].mean(axis=0) for i, count in enumerate(steps)]
                    np.testing.assert_allclose(mean[part], wanted, atol=limit, err_msg=f"{frame} {point} {part}")
                same(mean["force_bar"], joint.reactions["mean_bar_force"])
                self.assertFalse((mean["torque_bar"] < joint.reactions["mean_bar_torque"]).any())
        with self.assertRaisesRegex(ValueError, r"^joint 1: by 0\.\S+ s the point moves by \S+ m in axes of the joint, so its mean"):
            joint.load("mean", point=(1, 0, 0), body=1)
        with self.assertRaisesRegex(ValueError, r"^joint 1: by 0\.\S+ s the body turns by \S+ rad in axes of the joint"):
            joint.load("mean", frame="body", body=1)

    @unittest.skipUnless(COMMAND, "no command kinetostat")
    def test_sizing(self):
        """sizing() equals extremes and sums over the columns of the trace."""
        scene, arm = inspected(wheels)
        with ks.Trace(self.path()) as trace:
            trace.watch(arm)
            for _ in range(60):
                arm.quick_step(0.005)
        with ks.open(self.path()) as run:
            found = ks.sizing(run, time_constant=0.1)
            self.assertEqual((found["schema"], found["value"], found["file"]), ("kinetostat-size", "physical", self.path()))
            world, = found["worlds"]
            self.assertEqual((world["steps"], len(world["joints"])), (60, 3))
            for joint in world["joints"]:
                of = run["world 1"][joint["name"]]
                load = of.load(point="anchor" if joint["about"] == "anchor" else "mass_centre")
                self.assertEqual(joint["unknown"], 0)
                for i, (name, one) in enumerate(joint["components"].items()):
                    column = load["force" if name[0] == "f" else "torque"][:, i % 3]
                    rounding = 1e-12 * np.abs(load["force"]).max()
                    self.assertAlmostEqual(one["most"]["value"], column.max(), delta=rounding, msg=name)
                    self.assertAlmostEqual(one["least"]["value"], column.min(), delta=rounding)
                    self.assertAlmostEqual(one["rms"]["value"], np.sqrt((column ** 2).mean()), delta=rounding)
                    self.assertTrue(one["rms"]["low"] <= one["rms"]["value"] <= one["rms"]["high"])
                self.assertEqual(len(joint["motors"]), joint["type"] == "hinge2")
                for motor in joint["motors"]:
                    power = of.motors["power"] / of.motors["force"] * of.motors["physical"]
                    self.assertAlmostEqual(motor["energy"]["given"], 0.005 * power[power > 0].sum(), delta=1e-12)
                    self.assertEqual((motor["axis"], abs(motor["peak"]["value"])), (1, np.abs(of.motors["physical"]).max()))
            # about a point of either body; if the body is the world, the point is given from the
            # origin
            for body, place in ((0, (0.1, -0.2, 0.3)), (1, (-0.4, 0.1, 0.2))):
                about = ks.sizing(run, point="*:%r,%r,%r,%d" % (*place, body))
                for joint in about["worlds"][0]["joints"]:
                    load = run["world 1"][joint["name"]].load(point=place, body=body)
                    # the load on the second body acts at the anchor of this body
                    anchor = run["world 1"][joint["name"]].reactions["anchor"]
                    gap = body * np.nan_to_num(np.abs(anchor[:, :3] - anchor[:, 3:])).sum(axis=1).max()
                    self.assertEqual((joint["about"], joint["point"]), ("point", {"body": body, "place": list(place)}))
                    for i, name in enumerate(("tx", "ty", "tz")):
                        torque = load["torque"][:, i] * (1 - 2 * body)
                        off = rounding + gap * np.abs(load["force"]).sum(axis=1).max()
                        self.assertAlmostEqual(joint["components"][name]["most"]["value"], torque.max(), delta=off)
                        self.assertAlmostEqual(joint["components"][name]["least"]["value"], torque.min(), delta=off)
        self.assertEqual(ks.sizing(self.path(), joints="fixed*")["worlds"][0]["joints"][0]["type"], "fixed")
        # options may be an enumerator or an array of names
        means = ks.sizing(self.path(), value=ks.MEAN, joints=np.array(["fixed*"]))
        self.assertEqual((means["value"], {joint["type"] for joint in means["worlds"][0]["joints"]}), ("mean", {"fixed"}))
        with self.assertRaisesRegex(TypeError, r"^sizing\(\) takes a path, not 3$"):
            ks.sizing(3)
        with self.assertRaisesRegex(ks.CommandError, "no joint was chosen"):
            ks.sizing(self.path(), joints="nobody")

    @unittest.skipUnless(COMMAND, "no command kinetostat")
    def test_load_cases(self):
        """The loads of each case are in balance with the inertia loads, and the extremes are those
        of the series."""
        scene, arm = inspected(chain)
        for i, joint in enumerate(scene.joints):
            arm.name(joint, f"joint {i}")
        with ks.Trace(self.path(), level=ks.TRACE_RAW) as trace:
            trace.watch(arm)
            for _ in range(40):
                arm.quick_step(0.005)
        found = ks.load_cases(self.path(), body=["joint 4", "joint 5"], series=self.path("all.csv"), transient=self.path("all.inp"), only="joint 4")
        self.assertEqual((found["schema"], found["value"], found["steps"], found["unknown"]), ("kinetostat-load-cases", "physical", 40, 0))
        with ks.open(self.path()) as run:
            again = ks.load_cases(run, body=found["body"])
        self.assertEqual(again, found)
        # the message names the recording, not the trace that its judgement writes
        for call in ks.sizing, functools.partial(ks.load_cases, body=1):
            with self.assertRaisesRegex(ks.CommandError, re.escape(f'{self.path()}: no world is called moon; there are: "world 1"')):
                call(self.path(), world="moon")
        with open(self.path("all.csv"), newline="") as file:
            lines = list(csv.DictReader(file))
        self.assertEqual(len(lines), 40 * 5)  # two joints, weight, inertia, residual
        with open(self.path("all.inp")) as file:
            deck = file.read()
        self.assertIn("*CLOAD, AMPLITUDE=A1\nJOINT_4, 1, 1.\n", deck)
        points = deck.split("*AMPLITUDE, NAME=A1\n")[1].splitlines()[:40]
        np.testing.assert_allclose([float(point.split(",")[1]) for point in points], [float(line["fx[N]"]) for line in lines if line["load"] == "joint 4"], rtol=1e-11)
        for case in found["cases"]:
            force, torque, largest = np.array(case["inertia"]["force"]), np.array(case["inertia"]["torque"]), 0
            force = force + found["mass"] * np.array(case["gravity"])
            for load in case["loads"]:
                force = force + load["force"]
                torque = torque + load["torque"] + np.cross(load["point"], load["force"])
                largest = max(largest, np.abs(load["force"]).max())
                self.assertTrue(load["forceBar"] >= 0)
            self.assertLess(np.abs(force).max(), 1e-11 * largest)
            self.assertLess(np.abs(torque).max(), 1e-11 * largest)
            for extreme in case["extremes"]:
                if extreme["quantity"][0] == "f" and len(extreme["quantity"]) == 2:
                    column = [float(line[extreme["quantity"] + "[N]"]) for line in lines if line["load"] == extreme["load"]]
                    self.assertEqual(extreme["value"], (max if extreme["extreme"] == "most" else min)(column))
        mean = ks.load_cases(self.path(), body=found["body"], value="mean", mean=0.05, joints="joint 4", component="force")
        self.assertEqual((mean["value"], mean["steps"], len(mean["cases"])), ("mean", 31, 1))
        with self.assertRaisesRegex(ks.CommandError, "no step has these joints"):
            ks.load_cases(self.path(), body="nobody")

    def test_motors(self):
        scene, arm = inspected(wheels)
        found = []
        with ks.Trace(self.path()) as trace:
            trace.watch(arm)
            for _ in range(10):
                arm.quick_step(0.005)
                found += [m for r in arm.reactions for m in np.asarray(r["motor"]) if not np.isnan(m["target"])]
        world = ks.open(self.path())["world 1"]
        self.assertGreater(len(found), 0)
        self.assertEqual(len(world.motors), len(found))
        for name in ("force", "speed", "target", "power", "physical", "physical_bar", "mean", "saturated", "at_stop"):
            same(world.motors[name], [m[name] for m in found], name)

    def test_pairs(self):
        scene, arm = inspected(wheels)
        pair, found = arm.pair(scene.bodies[0], window=0.02), []
        with ks.Trace(self.path()) as trace:
            trace.watch(arm)
            for _ in range(10):
                arm.quick_step(0.005)
                found.append(pair.mean())
        world = ks.open(self.path())["world 1"]
        self.assertEqual(len(world.pairs), 10)
        same(world.pairs["mean_force"], [mean.wrench.force for mean in found])
        same(world.pairs["centre"], [mean.centre for mean in found])
        same(world.pairs["mean_time"], [mean.time for mean in found])
        self.assertEqual(len(world.pairs.of(world.joints["name"][int(world.pairs["joint"][0])])), 10)

    def test_rows(self):
        scene, arm = inspected()
        rows = []
        with ks.Trace(self.path(), level=ks.TRACE_ROWS, every=2) as trace:
            trace.watch(arm)
            for i in range(7):
                arm.quick_step(0.005)
                if i % 2 == 0:
                    rows += [arm.rows(int(joint)).copy() for joint in arm.reactions["joint"]]
        table = ks.open(self.path())["world 1"].rows
        same(table["physical"], np.concatenate([r["physical"] for r in rows]))
        same(table["physical_bar"], np.concatenate([r["physical_bar"] for r in rows]))
        self.assertTrue(scene)

    def test_frame(self):
        """frame() with pandas; if pandas is missing, with a dictionary in place of DataFrame."""
        found = self.traced()
        table = ks.open(self.path())["hoist"].reactions
        with unittest.mock.patch.dict(sys.modules, {} if pandas else {"pandas": types.SimpleNamespace(DataFrame=dict)}):
            frame = table.frame()
        self.assertEqual(len(frame.keys()), sum(table[name][:1].size for name in table.columns))
        same(frame["physical_force_2"], np.concatenate([r["physical"]["force"][:, 0, 2] for r, _, _ in found]))
        if pandas:
            self.assertEqual(len(frame.groupby("joint")["error"].mean()), 10)

    def test_while_it_is_written(self):
        """A trace that this process is still writing contains complete steps."""
        scene, arm = inspected()
        with ks.Trace(self.path(), flush_steps=1) as trace:
            trace.watch(arm)
            for i in range(5):
                arm.quick_step(0.005)
                trace.flush()
                with ks.open(self.path()) as run:
                    self.assertEqual(len(run["world 1"].reactions), 10 * (i + 1))
                    same(run["world 1"].reactions["error"][-10:], arm.reactions["error"])
        self.assertTrue(scene)

    def test_read_by_threads(self):
        """Threads that read a trace while it is written always see complete steps."""
        scene, arm = inspected()
        over, counts = threading.Event(), []

        def read():
            while not over.is_set():
                with ks.open(self.path()) as run:
                    world = run["world 1"]
                    counts.append((len(world.reactions["error"]), len(world.steps["time"]), len(world.joints["name"])))
        with ks.Trace(self.path(), flush_steps=3) as trace:
            trace.watch(arm)
            arm.quick_step(0.001)
            trace.flush()
            threads = [threading.Thread(target=read) for _ in range(2)]
            for thread in threads:
                thread.start()
            for _ in range(50):
                arm.quick_step(0.001)
            over.set()
            for thread in threads:
                thread.join()
        self.assertTrue(counts and scene)
        for lines, steps, joints in counts:
            self.assertEqual((lines, joints), (10 * steps, 10))

    def test_killed(self):
        for options in "flush_steps=1", "level=ks.TRACE_RAW":
            code = ("import os, kinetostat as ks\nfrom scenes import inspected\nscene, arm = inspected()\n"
                    f"trace = ks.Trace({self.path()!r}, {options})\ntrace.watch(arm)\n"
                    "for _ in range(20):\n    arm.quick_step(0.005)\ntrace.flush()\nos.kill(os.getpid(), 9)\n")
            here = os.path.dirname(os.path.abspath(__file__))
            run = subprocess.run([sys.executable, "-c", code], env=dict(os.environ, PYTHONPATH=f"{here}:{os.environ.get('PYTHONPATH', '')}"))
            self.assertEqual(run.returncode, -signal.SIGKILL)
            with ks.open(self.path()) as run:
                self.assertEqual(len(run.worlds[0].steps), 20)
                self.assertEqual(len(run.worlds[0].joints["type"]), 10 if run.kind == "trace" else 200)

    def test_damaged_in_its_middle(self):
        """HDF5 refuses a file that is marked as damaged at once, without reading it again and
        again."""
        self.traced()
        with open(self.path(), "r+b") as file:
            file.seek(60)
            file.write(b"\xff" * 8)
        self.assertRefused("cannot be read|is damaged", self.path())

    def test_counts_that_are_not_written_yet(self):
        """Another thread may see counts that the writing thread has not set yet."""
        self.traced()
        for written in 12, 5:
            with h5py.File(self.path(), "r+") as file:
                file["world1/steps/count"].resize((written,))
                file["world1/steps/count"].resize((15,))
            with ks.open(self.path()) as run:
                world = run["hoist"]
                self.assertEqual((len(world.steps), len(world.steps["count"]), len(world.reactions)), (written, written, 10 * written))

    def test_columns_of_different_lengths(self):
        """The process was killed in the middle of a flush. A step without its count is incomplete;
        a column with fewer lines than the counts say is damaged."""
        self.traced()
        with h5py.File(self.path(), "r+") as file:
            file["world1/steps/count"].resize((11,))
        with ks.open(self.path()) as run:
            world = run["hoist"]
            self.assertEqual((len(world.steps), len(world.reactions), len(world.reactions["work"])), (11, 110, 110))
        with h5py.File(self.path(), "r+") as file:
            file["world1/reactions/work"].resize((109,))
        self.assertRefused("work has 109 lines of 110", self.path())


@unittest.skipUnless(h5py and hasattr(ks, "Trace"), "no h5py, or built without reports")
class Recordings(Folder):
    def recorded(self, build, count=8):
        """Records a run. -> the scene, and for each step the states of the bodies before and after
        it, the reactions, and the bodies"""
        scene = Scene(build)
        arm = ks.Inspector(scene.world)
        arm.name(scene.joints[0 if build is chain else -1], "naïve\njoint")
        states = lambda: [(*body.getPosition(), *body.getLinearVel(), *body.getAngularVel()) for body in scene.bodies]
        found = []
        with ks.Trace(self.path(), level=ks.TRACE_RAW) as trace:
            trace.set_parameter("mass", "2.5 kg = all")
            trace.set_parameter("second", "2")
            trace.watch(arm)
            for _ in range(count):
                scene.before()
                before = states()
                arm.quick_step(0.005)
                found.append((np.array(before), np.array(states()), arm.reactions.copy(), arm.bodies))
        return scene, found

    def compare(self, build):
        scene, found = self.recorded(build)
        run = ks.open(self.path())
        self.assertEqual((run.kind, run.parameters, run.left_out), ("recording", {"mass": "2.5 kg = all", "second": "2"}, 0))
        world, = run
        steps, bodies, joints = world.steps, world.bodies, world.joints
        same(steps["step"], range(len(found)))
        same(steps["bodies"], len(scene.bodies))
        same(steps["step_size"], 0.005)
        for i, (before, after, reactions, _) in enumerate(found):
            here = bodies["step"] == i
            order = np.argsort(bodies["number"][here])
            for begin, names in ((before, ("position", "velocity", "angular_velocity")),
                                 (after, ("after_position", "after_velocity", "after_angular_velocity"))):
                same(np.hstack([bodies[name][here] for name in names])[order], begin)
            wrote = (joints["step"] == i) & (joints["written"] & 1 == 1)
            mine = [tuple(one) for one in joints["force1"][wrote]]
            theirs = [tuple(one) for one in reactions["engine"]["force"][:, 0] if np.isfinite(one).all()]
            self.assertTrue(set(mine) >= {one for one, r in zip(theirs, reactions) if r["type"] != 4}, i)
        named = joints.of("naïve\njoint")
        self.assertEqual((len(named), set(named["type"])), (len(found), {"hinge"}))
        self.assertEqual(bodies.units["after_position"], "m")
        if pandas:
            self.assertEqual(len(joints.frame()), len(joints))
        return joints

    def test_chain(self):
        self.compare(chain)

    def test_contacts_come_and_go(self):
        self.assertIn("contact", self.compare(box_on_floor)["type"])

    def test_names(self):
        """A joint without a name is called as in a trace. A contact is found in all its steps."""
        for build in ALL:
            scene = Scene(build)
            arm = ks.Inspector(scene.world)
            with ks.Trace(self.path("trace.h5")) as trace, ks.Trace(self.path(), level=ks.TRACE_RAW) as recording:
                trace.watch(arm), recording.watch(arm)
                for _ in range(12):
                    scene.before()
                    arm.quick_step(0.005)
            mine, = ks.open(self.path())
            with ks.open(self.path("trace.h5")) as run:
                theirs, = run
                names = set(theirs.joints["name"])
                for name in names:
                    same(sorted(mine.joints.of(name)["step"]), sorted(theirs.reactions.of(name)["step"]), name)
            self.assertEqual(set(mine.joints["name"]), names)
        self.assertIn("contact: body 1 – body 2", names)
        with self.assertRaisesRegex(KeyError, "no joint is called 'elbow': there are '.*', '"):
            mine.joints.of("elbow")

    @unittest.skipUnless(COMMAND, "no command kinetostat")
    def test_list_of_names(self):
        """The names of --names: by the number within a type, or among all joints. A name from the
        program takes precedence."""
        with open(self.path("names.txt"), "w") as file:
            file.write("2 by number\nhinge 3 3 by type\nhinge 1 not this\n")
        code = ("import kinetostat as ks\nfrom scenes import inspected\nscene, arm = inspected()\narm.name(scene.joints[0], 'given')\n"
                "for _ in range(3):\n    arm.quick_step(0.01)\n")
        here = os.path.dirname(os.path.abspath(__file__))
        subprocess.run([COMMAND, "--quiet", "--record-only", "--trace-raw", self.path(), "--names", self.path("names.txt"),
                        sys.executable, "-c", code],
                       env=dict(os.environ, PYTHONPATH=f"{here}:{os.environ.get('PYTHONPATH', '')}"), check=True)
        names = {joint["name"] for joint in ks.judge(self.path())["worlds"][0]["joints"]}
        self.assertEqual(set(ks.open(self.path()).worlds[0].joints["name"]), names)
        self.assertTrue({"given", "by number", "3 by type", "hinge 4: body 4 – body 3"} < names, names)

    @unittest.skipUnless(COMMAND, "no command kinetostat")
    def test_world_that_is_destroyed(self):
        """A world is destroyed by the program, and ends again with its process. The second end is
        recorded as a difference to the first one, which has no bodies."""
        code = ("import ode\nworld = ode.World()\nbody = ode.Body(world)\njoint = ode.BallJoint(world)\njoint.attach(body, ode.environment)\n"
                "for _ in range(5):\n    world.quickStep(0.01)\ndel joint, body, world\n")
        subprocess.run([COMMAND, "--quiet", "--record-only", "--trace-raw", self.path(), sys.executable, "-c", code], check=True)
        with h5py.File(self.path(), "r") as file:
            self.assertEqual(len(file["end"]), 7)
        run = ks.open(self.path())
        self.assertEqual((len(run["world 1"].steps), run.left_out), (5, 0))

    def test_old_file(self):
        """An old recording, which never changes, can still be read; tests/recordings.sh knows its
        forces."""
        joints = ks.open(os.path.join(DATA, "hanging-1.h5")).worlds[0].joints
        for kind, mass in (("ball", 6), ("hinge", 5), ("fixed", 3)):
            force = joints["force1"][(joints["type"] == kind) & (joints["step"] < 9)]
            np.testing.assert_allclose(force, np.broadcast_to((0, 0, 9.81 * mass), (9, 3)), rtol=1e-6)

    def test_damaged(self):
        """A record that does not fit its checksum is left out, together with the records that are
        differences to it."""
        self.recorded(chain)
        with h5py.File(self.path(), "r+") as file:
            file["checksum"][4] = file["checksum"][4] ^ 1
        run = ks.open(self.path())
        self.assertGreater(run.left_out, 0)
        same(run["world 1"].steps["step"], range(4))

    def test_hostile(self):
        """Files with false numbers are refused as damaged, without a crash and without more memory
        than the file can hold."""
        def cut(file):
            file["records"].resize((10,))

        def backwards(file):
            file["end"][...] = file["end"][:][::-1]

        def words(file):
            text = file["schema"][:].tobytes().replace(b'"word":5', b'"word":-5').replace(b'"word": 5', b'"word": -5')
            del file["schema"]
            file.create_dataset("schema", data=np.frombuffer(text, "u1"), chunks=True)

        def elsewhere(file):
            del file["end"]
            file["end"] = h5py.ExternalLink(self.path("other.h5"), "/end")

        def outside(file):
            del file["end"]
            file.create_dataset("end", (3,), "u8", external=[("/etc/passwd", 0, 24)])

        def virtual(file):
            whole = h5py.VirtualLayout((8,), "u8")
            whole[:] = h5py.VirtualSource(self.path("other.h5"), "end", (8,))[:8]
            del file["end"]
            file.create_virtual_dataset("end", whole)

        def made_up(file):
            del file["records"]
            file.create_dataset("records", (1 << 50,), "u8", chunks=(1024,))

        def nested(file):
            del file["schema"]
            file.create_dataset("schema", data=np.frombuffer(b"[" * 100000, "u1"), chunks=True)

        def head(file):
            file.attrs.modify("ending", np.ones(16))

        def version(file):
            file.attrs["recording"] = [7]

        def wrong_type(file):
            del file["world"]
            file.create_dataset("world", data=np.zeros(9), chunks=True)
        for harm in (cut, backwards, words, elsewhere, outside, virtual, made_up, nested, head, version, wrong_type):
            with self.subTest(harm.__name__):
                self.recorded(chain)
                shutil.copy(self.path(), self.path("other.h5"))
                with h5py.File(self.path(), "r+") as file:
                    harm(file)
                self.assertRefused("is damaged", self.path())

    def test_one_that_is_still_written(self):
        """A recording that is still being written: another process can read it; this process may be
        refused."""
        scene, arm = inspected()
        with ks.Trace(self.path(), level=ks.TRACE_RAW) as recording:
            recording.watch(arm)
            arm.quick_step(0.01)
            recording.flush()
            code = f"import kinetostat as ks; print(len(ks.open({self.path()!r}).worlds[0].steps))"
            said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
            self.assertEqual(said, "1\n")
            try:
                self.assertEqual(len(ks.open(self.path()).worlds[0].steps), 1)
            except ks.Error as error:
                self.assertIn("this process has it open", str(error))
                self.assertIs(error.status, ks.Status.FILE)
        self.assertEqual(len(ks.open(self.path()).worlds[0].steps), 1)
        self.assertTrue(scene)

    def test_forged(self):
        """A record with false counts and a matching checksum."""
        import zlib
        with h5py.File(os.path.join(DATA, "hanging-1.h5"), "r", swmr=True) as file:
            one = file["records"][:file["end"][0]]
            schema, program = file["schema"][:], file["program"][:]
            head = {}
            for name in file.attrs:
                attribute = h5py.h5a.open(file.id, name.encode())
                head[name] = attribute, np.empty(attribute.shape, attribute.dtype)
                attribute.read(head[name][1], attribute.get_type())
            head = {name: (attribute.get_type(), attribute.get_space(), value) for name, (attribute, value) in head.items()}
        for word, number in ((None, 0), (17, 1 << 40), (18, 1 << 20), (17, -1), (18, -1), (22, 1 << 30), (22, 40), (23, 5000), (24 + 64 * 3 + 8, 1 << 60),
                             (24 + 64 * 3 + 8, -20)):
            lie = one.copy()
            if word is not None:
                lie[word] = np.int64(number).view("u8")
            with h5py.File(self.path(), "w") as file:
                for name, (kind, space, value) in head.items():
                    h5py.h5a.create(file.id, name.encode(), kind, space).write(value, kind)
                make = lambda name, data: file.create_dataset(name, data=data, chunks=True)
                make("records", lie), make("schema", schema), make("program", program), make("end", np.array([len(lie)], "u8"))
                make("process", np.zeros(1, "u4")), make("world", np.ones(1, "u4"))
                before = zlib.crc32(program.tobytes().split(b"\0")[0])
                make("checksum", np.array([zlib.crc32(lie.tobytes(), zlib.crc32(np.array((0, 1), "u8").tobytes(), before))], "u4"))
            with self.subTest(f"{word}: {number}"):
                if word is None:
                    self.assertEqual(len(ks.open(self.path()).worlds[0].steps), 1)
                else:
                    self.assertRefused("is damaged: (?!its head)", self.path())


class Names(Folder):
    @unittest.skipUnless(h5py, "no h5py")
    def test_what_is_no_run(self):
        self.assertRefused("No such file", self.path())
        self.assertRefused("is a folder", os.path.dirname(self.path()))
        self.assertRefused("a pipe or a device", "/dev/null")
        os.mkfifo(self.path("pipe"))
        self.assertRefused("a pipe or a device", self.path("pipe"))
        for content in b"", b"name;1\n", b"\x89HDF\r\n\x1a\n", b"\x89HDF\r\n\x1a\n" + bytes(500):
            with open(self.path("bad"), "wb") as file:
                file.write(content)
            self.assertRefused("cannot be read", self.path("bad"))
        with h5py.File(self.path("other.h5"), "w") as file:
            file["x"] = 1
        self.assertRefused("neither a trace nor a recording", self.path("other.h5"))
        for wrong in None, 1.5, object():
            with self.assertRaises(TypeError):
                ks.open(wrong)
        with self.assertRaises(ValueError):
            ks.open("a\0b")

    @unittest.skipUnless(h5py and hasattr(ks, "Trace"), "no h5py, or built without reports")
    def test_names(self):
        before = os.getcwd()
        os.chdir(os.path.dirname(self.path()))
        try:
            for name in "-a b\nc.h5", "ä%s.h5", b"\xff.h5", "*.h5":
                scene, arm = inspected()
                with ks.Trace(name) as trace:
                    trace.watch(arm)
                    arm.quick_step(0.005)
                with ks.open(name) as run:
                    same(run["world 1"].reactions["error"], arm.reactions["error"])
                self.assertTrue(scene)
        finally:
            os.chdir(before)

    def test_without_h5py(self):
        code = "import sys; sys.modules['h5py'] = None; import kinetostat as ks\ntry: ks.open('x')\nexcept ImportError as error: print(error)"
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        self.assertIn("python3-h5py", said)


if __name__ == "__main__":
    unittest.main()

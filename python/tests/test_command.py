"""test_command.py  judge() and merge(): the results of the command for a recording equal the report
of the same run bit for bit."""
import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import kinetostat as ks
from scenes import Scene, box_on_floor, chain

COMMAND = os.environ.get("KINETOSTAT_COMMAND") or shutil.which("kinetostat")


@unittest.skipUnless(COMMAND and hasattr(ks, "Report"), "no command kinetostat, or built without reports")
class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = lambda name="run.h5": os.path.join(folder.name, name)

    def recorded(self, build=chain, name="run.h5", count=20):
        """Records a run. -> the report of this process; its inspector has the options of the
        judge"""
        scene = Scene(build)
        arm, report = ks.Inspector(scene.world, estimate_sweeps=40, report=False), ks.Report()
        report.watch(arm)
        arm.name(scene.joints[-1], "last")
        with ks.Trace(self.path(name), level=ks.TRACE_RAW) as recording:
            recording.set_parameter("mass", "2.5")
            recording.watch(arm)
            for _ in range(count):
                scene.before()
                arm.quick_step(0.005)
        return report.as_dict()

    def assertSame(self, found, expected):
        """Compares two reports without the texts of their advice, since a program's own report
        gives other advice."""
        self.assertEqual(found["limit"], expected["limit"])
        for mine, theirs in ((found["summary"], expected["summary"]), *zip(found["worlds"], expected["worlds"], strict=True)):
            self.assertEqual(mine.pop("advice") != [], theirs.pop("advice") != [])
            self.assertEqual(mine, theirs)

    def test_judge(self):
        for build in chain, box_on_floor:
            live = self.recorded(build)
            with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
                found = ks.judge(self.path(), advise_every=0)
            self.assertSame(found, live)
            self.assertEqual((found["exitStatus"], said.getvalue()), (0, ""))
            self.assertEqual(found["runs"][0]["parameters"], {"mass": "2.5"})
            advised = ks.judge([self.path()], processes=2)
            self.assertEqual(advised, ks.judge([self.path()], processes=1))
            self.assertTrue(advised["worlds"][0]["iterations"]["table"])

    def test_merge(self):
        """Merged reports of parts, in any order, equal the report of one process."""
        files = [self.path("a.h5"), self.path("b.h5")]
        live = [self.recorded(name="a.h5"), self.recorded(box_on_floor, "b.h5", 7)]
        whole = ks.judge(files, advise_every=0, save=self.path("whole.data"))
        self.assertEqual([world["joints"] for world in whole["worlds"]], [found["worlds"][0]["joints"] for found in live])
        parts = [self.path(f"part{i}.data") for i in range(2)]
        for i, part in enumerate(parts):
            ks.judge(files, advise_every=0, shard=f"{i + 1}/2", save=part)
        for merged in ks.merge(parts), ks.merge(part for part in reversed(parts)), ks.merge(self.path("whole.data")):
            self.assertEqual(merged, whole)

    def test_saved_by_a_report(self):
        scene = Scene(chain)
        arm = ks.Inspector(scene.world)
        for _ in range(5):
            arm.quick_step(0.005)
        for name in "a.data", "b.data":
            arm.write_report(self.path(name))
        live = ks.Report()
        self.assertEqual(ks.merge(self.path("a.data"))["worlds"][0]["joints"], self.json(arm)["worlds"][0]["joints"])
        self.assertTrue(live and scene)

    def json(self, arm):
        import json
        arm.write_report(self.path("x.json"))
        with open(self.path("x.json")) as file:
            return json.load(file)

    def test_options(self):
        live = self.recorded()
        errors = [joint["physicalError"]["p95"] for joint in live["worlds"][0]["joints"]]
        found = ks.judge(self.path(), fail_above=0.05, advise_every=0)
        self.assertEqual(found["summary"]["failed"], sum(error > 0.05 for error in errors))
        self.assertEqual(found["exitStatus"], 3)
        self.assertEqual(ks.judge(self.path(), fail_above="1e9%", advise_every=0)["exitStatus"], 0)
        self.assertEqual(ks.judge(self.path(), fail_above=0.05, joints="no *", advise_every=0)["exitStatus"], 4)
        peak = live["worlds"][0]["joints"]
        force = {joint["name"]: joint["peak"]["force"] for joint in peak}["last"]
        least = force["value"] - force["bar"]
        for limit, status in ((least * 0.99, 3), (force["value"] + force["bar"] * 1.01, 0)):
            found = ks.judge(self.path(), max_force=[f"last={limit!r}", "hinge *=1e9"], advise_every=0, all=False, floor=None)
            self.assertEqual(found["exitStatus"], status)
        for window in (None, 0.05):
            found = ks.judge(self.path(), mean=window, advise_every=0)
            mean = {joint["name"]: joint["peakMean"]["force"] for joint in found["worlds"][0]["joints"]}["last"]
            self.assertEqual(found["worlds"][0]["meanWindow"], window or 0.15)
            if window is None and mean is None:
                continue  # the run is shorter than the window
            for factor, status in ((0.99, 3), (1.01, 0)):
                limit = f"last={mean['value'] * factor!r}"
                found = ks.judge(self.path(), mean=window or 0.15, max_force=limit, advise_every=0)
                self.assertEqual(found["exitStatus"], status)
                self.assertEqual(found["loads"]["mean"], window or 0.15)
        found = ks.judge(self.path(), percentile=100, target=0.01, value="physical", all=True, advise_every=0)
        self.assertEqual([found["limit"][name] for name in ("above", "percentile", "value")], [0.01, 100, "physical"])
        for wrong in ({"json": "x"}, {"quiet": True}, {"fail_status": 7}, {"help": True}):
            with self.assertRaises(TypeError):
                ks.judge(self.path(), **wrong)

    def test_errors(self):
        self.recorded()
        for files, options, words in (([self.path("no.h5")], {}, "No such file"), ([os.path.dirname(self.path())], {}, "is a folder"),
                                      ([], {}, "usage"), (["/dev/null"], {}, "a pipe or a device"), ([__file__], {}, "it is not an HDF5 file"),
                                      ([self.path()], {"value": "foo"}, "converged or physical"), ([self.path()], {"foo": 1}, "foo"),
                                      ([self.path()], {"save": "/nowhere/x"}, "/nowhere/x")):
            with self.assertRaisesRegex(ks.CommandError, words) as raised:
                ks.judge(files, advise_every=0, **options)
            self.assertEqual((raised.exception.exit_status, raised.exception.status), (125, None))
            self.assertIsInstance(raised.exception, ks.Error)
        with self.assertRaisesRegex(ks.CommandError, "no.h5") as raised:
            ks.judge([self.path("no.h5"), self.path()], advise_every=0)
        self.assertEqual(raised.exception.report["worlds"][0]["jointCount"], 10)
        with self.assertRaisesRegex(ks.CommandError, "is not a report of --save"):
            ks.merge(self.path())
        with open(self.path("cut.data"), "wb") as file:
            ks.judge(self.path(), save=self.path("whole.data"))
            with open(self.path("whole.data"), "rb") as whole:
                file.write(whole.read()[:-20])
        with self.assertRaisesRegex(ks.CommandError, "cut.data"):
            ks.merge(self.path("cut.data"))
        with self.assertRaisesRegex(ks.CommandError, "more than one"):
            ks.merge([self.path("whole.data")] * 2)
        for wrong in 5, None, [None], [1.5]:
            with self.assertRaises(TypeError):
                ks.judge(wrong)
        for wrong in "a\0b", ["a", "b\0"]:
            with self.assertRaises(ValueError):
                ks.judge(wrong)

    def test_names(self):
        before = os.getcwd()
        os.chdir(os.path.dirname(self.path()))
        try:
            for name in "-a b\nc.h5", "--html=x", "ä $(x) *.h5", b"\xff.h5", "-":
                self.recorded(name="run.h5", count=2)
                os.replace("run.h5", name)
                saved = b"-" + name if isinstance(name, bytes) else "-" + name
                found = ks.judge(name, save=saved)
                self.assertEqual(found["worlds"][0]["jointCount"], 10)
                self.assertEqual(ks.merge([saved])["worlds"], found["worlds"])
            self.assertFalse(os.path.exists("x"))
        finally:
            os.chdir(before)

    def test_within_an_inspected_program(self):
        """A program that runs under the command can call judge()."""
        self.recorded(count=3)
        code = f"import kinetostat as ks; print(ks.judge({self.path()!r})['worlds'][0]['jointCount'])"
        run = subprocess.run([COMMAND, "--quiet", sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual(run.stdout, "10\n", run.stderr)


class Missing(unittest.TestCase):
    def test_no_command(self):
        for command in "/nowhere/kinetostat", "/", __file__:
            before = os.environ.get("KINETOSTAT_COMMAND")
            os.environ["KINETOSTAT_COMMAND"] = command
            try:
                with self.assertRaisesRegex(ks.CommandError, "PATH or KINETOSTAT_COMMAND") as raised:
                    ks.judge("x.h5")
            finally:
                del os.environ["KINETOSTAT_COMMAND"]
                if before:
                    os.environ["KINETOSTAT_COMMAND"] = before
            self.assertIsNone(raised.exception.exit_status)

    def test_another_command(self):
        """KINETOSTAT_COMMAND names another program."""
        before = os.environ.get("KINETOSTAT_COMMAND")
        try:
            for command, status in ("true", 0), ("false", 1):
                os.environ["KINETOSTAT_COMMAND"] = command
                with self.assertRaisesRegex(ks.CommandError, "judge ended with") as raised:
                    ks.judge("x.h5")
                self.assertEqual(raised.exception.exit_status, status)
        finally:
            del os.environ["KINETOSTAT_COMMAND"]
            if before:
                os.environ["KINETOSTAT_COMMAND"] = before


if __name__ == "__main__":
    unittest.main()

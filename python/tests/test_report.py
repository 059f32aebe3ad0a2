"""test_report.py  Reports and traces, and the ten lines of README.md."""
import contextlib
import csv
import io
import os
import re
import tempfile
import unittest

import kinetostat as ks
from scenes import Scene, chain


@unittest.skipUnless(hasattr(ks, "Report"), "built without reports")
class Reports(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = lambda name: os.path.join(self.folder.name, name)

    def test_report(self):
        scene = Scene(chain)
        report = ks.Report(text_joints=3)
        arm = ks.Inspector(scene.world, report=False)
        report.watch(arm, "hoist")
        arm.name(scene.joints[0], "top")
        for _ in range(20):
            arm.quick_step(0.005)
        found = report.as_dict()
        self.assertEqual(found["worlds"][0]["name"], "hoist")
        self.assertEqual(found["worlds"][0]["steps"]["inspected"], 20)
        self.assertIn("hoist", report.text())
        self.assertGreater(len(report.text(ks.REPORT_TEXT_ALL)), len(report.text()))
        self.assertEqual(report.check(above=1e9), 0)
        self.assertEqual(report.check(above=0, percentile=100), 10)
        self.assertEqual(report.check(above=0, percentile=100, joints="t?p"), 1)
        limits = report.limits("top", percentile=100, factor=2)
        # the document has nine digits
        top = next(joint for joint in found["worlds"][0]["joints"] if joint["name"] == "top")
        self.assertAlmostEqual(limits["force"] / (2 * top["force"]["physical"]["largest"]), 1, places=8)
        arm.on_threshold(scene.joints[0], print, **limits)
        with self.assertRaises(ks.Error):
            report.limits("nobody")
        with self.assertRaises(ValueError):
            report.limits(factor=0)
        with self.assertRaises(ks.Error):
            report.check(joints="nobody")
        with self.assertRaises(TypeError):
            report.check(foo=1)
        arm.close()
        report.write(self.path("late.json"))
        with self.assertRaisesRegex(ValueError, "no report of its own"):
            arm.write_report(self.path("x.txt"))

    def test_formats(self):
        arm = ks.Inspector((scene := Scene(chain)).world)
        arm.quick_step(0.005)
        for name, start in (("a.txt", "World"), ("a.json", "{"), ("a.xml", "<?xml"), ("b.odd", "<?xml")):
            arm.write_report(self.path(name), ks.REPORT_JUNIT if name == "b.odd" else None)
            with open(self.path(name)) as file:
                self.assertIn(start, file.read())
        with self.assertRaisesRegex(ValueError, ".html"):
            arm.write_report(self.path("a.odd"))
        with self.assertRaises(ks.Error) as raised:
            arm.write_report(self.path("nowhere/a.txt"))
        self.assertIs(raised.exception.status, ks.Status.FILE)
        with self.assertRaises(ValueError):
            arm.write_report("a\0.txt")
        del scene

    def test_trace(self):
        scene = Scene(chain)
        arm = ks.Inspector(scene.world)
        arm.name(scene.joints[0], "top")
        with ks.Trace(self.path("a.csv"), every=2, level=ks.TRACE_ROWS) as trace:
            trace.watch(arm, world="hoist")
            for _ in range(10):
                arm.quick_step(0.005)
            trace.flush()
        with open(self.path("a.csv")) as file:
            lines = list(csv.reader(file))
        self.assertEqual(len(lines), 1 + 5 * 10)
        self.assertTrue(any("top" in line for line in lines))
        trace.close()
        with self.assertRaises(ValueError):
            trace.flush()
        with self.assertRaises(ks.Error):
            ks.Trace(self.path("nowhere/a.csv"))
        with self.assertRaises(TypeError):
            ks.Trace(self.path("b.csv"), foo=1)
        arm.quick_step(0.005)

    def test_parameters(self):
        arm = ks.Inspector((scene := Scene(chain)).world)
        with ks.Trace(self.path("a.h5"), level=ks.TRACE_RAW) as recording:
            recording.set_parameter("mass", "2.5")
            recording.watch(arm)
            for _ in range(3):
                arm.quick_step(0.005)
            with self.assertRaises(ks.Error):
                recording.set_parameter("mass=", "2.5")
        with open(self.path("a.h5"), "rb") as file:
            self.assertIn(b"mass", file.read())
        with ks.Trace(self.path("a.csv")) as trace, self.assertRaises(ks.Error):
            trace.set_parameter("mass", "2.5")
        arm.write_report(self.path("a.data"))
        with open(self.path("a.data"), "rb") as file:
            self.assertTrue(file.read().startswith(b"kinetostat report"))
        self.assertTrue(scene)

    def test_within_callbacks(self):
        """reports and traces may be dropped and closed there; a trace does not begin there"""
        arm = ks.Inspector((scene := Scene(chain)).world)
        reports, trace, late = [ks.Report()], ks.Trace(self.path("a.csv")), ks.Trace(self.path("b.csv"))
        reports[0].watch(arm)
        trace.watch(arm)

        def end(report):
            reports.clear()
            trace.close()
            with self.assertRaises(ks.Error):
                late.watch(arm)
        arm.on_step(end)
        for _ in range(3):
            arm.quick_step(0.005)
        arm.on_step(lambda report: arm.close())
        arm.quick_step(0.005)
        self.assertTrue(arm.closed and scene)

    def test_readme(self):
        """the ten lines, as they stand there"""
        import numpy as np
        with open(os.path.join(os.environ["KS_INCLUDE"], "../../README.md")) as file:
            (code,) = re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL)
        scene = Scene(chain)
        names = {"build": lambda: (scene.world, scene.joints[4])}
        before = os.getcwd()
        os.chdir(self.folder.name)
        try:
            with contextlib.redirect_stdout(io.StringIO()) as said:
                exec(code, names)
        finally:
            os.chdir(before)
        arm, r = names["arm"], names["r"]
        self.assertEqual(arm.report.step, 999)
        self.assertEqual(r["physical"]["force"].shape, (10, 2, 3))
        self.assertGreater(np.count_nonzero(r["verdict"] == ks.VALID), 5)
        self.assertLess(names["reward"], 0)
        self.assertIn("Verdict.VALID", said.getvalue())
        self.assertGreater(os.path.getsize(self.path("arm.html")), 1000)


if __name__ == "__main__":
    unittest.main()

"""test_report.py  Reports and traces, and the ten lines of README.md."""
import contextlib
import csv
import io
import os
import re
import signal
import sys
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

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
        # the document rounds numbers to nine digits
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
        """Within a callback, reports can be dropped and traces can be closed, but no trace can
        begin."""
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
        """The ten lines of README.md run unchanged."""
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


def ask(url, method="GET", **headers):
    """-> the status and the text of the answer to a request"""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method=method, headers=headers), timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def beside(call, *arguments, **keywords):
    """Starts a call in another thread. -> the thread, and a list for the result"""
    result = []
    thread = threading.Thread(target=lambda: result.append(call(*arguments, **keywords)))
    thread.start()
    return thread, result


@unittest.skipUnless(hasattr(ks, "View"), "built without reports")
class Views(unittest.TestCase):
    def setUp(self):
        self.scene = Scene(chain)
        self.arm = ks.Inspector(self.scene.world, report=False)
        self.report = ks.Report()
        self.report.watch(self.arm, "hoist")
        try:
            self.view = ks.View(self.report)
        except ks.Error as error:
            if error.status is not ks.Status.UNAVAILABLE:
                raise
            self.skipTest(str(error))
        self.addCleanup(self.view.close)
        self.arm.quick_step(0.005)

    def asked(self, path="", method="GET", **headers):
        """-> the view's answer to a browser"""
        url = path if path.startswith("http") else self.view.address + path
        thread, result = beside(ask, url, method, **headers)
        while thread.is_alive():
            self.view.poll(0.005)
        return result[0]

    def test_page(self):
        address = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", self.view.address)
        self.assertIsNotNone(address, self.view.address)
        port, secret = address.groups()
        status, page = self.asked()
        self.assertEqual(status, 200)
        self.assertIn("Joint forces", page)
        self.assertIn('"hoist"', self.asked("report")[1])
        wrong = f"http://127.0.0.1:{port}/{secret[:-1]}{(int(secret[-1], 16) + 1) % 16:x}/"
        self.assertEqual(self.asked(wrong)[0], 404)
        self.assertEqual(self.asked(Origin="http://elsewhere.example")[0], 403)
        self.assertEqual(self.asked(Host=f"elsewhere.example:{port}")[0], 403)
        self.assertEqual(self.asked(Origin=f"http://127.0.0.1:{port}")[0], 200)

    def test_hold(self):
        self.assertIs(self.view.poll(0.005), True)
        self.assertEqual(self.asked("wish?hold=1")[0], 405)
        self.assertIs(self.view.poll(0.005), True)
        self.assertEqual(self.asked("wish?hold=1", "POST")[0], 200)
        self.assertIs(self.view.poll(0.005), False)
        self.assertEqual(self.asked("wish?hold=0", "POST")[0], 200)
        self.assertIs(self.view.poll(0.005), True)

    def test_life(self):
        """A view keeps its report alive, and answers no request after it is closed."""
        count = sys.getrefcount(self.report)
        with ks.View(self.report) as view:
            self.assertEqual(sys.getrefcount(self.report), count + 1)
            view.finish(patience=0)
        self.assertEqual(sys.getrefcount(self.report), count + 1)
        del view
        self.assertEqual(sys.getrefcount(self.report), count)
        del self.report
        self.arm.close()
        self.assertIn("Joint forces", self.asked()[1])
        address = self.view.address
        self.view.close()
        self.view.close()
        with self.assertRaises(OSError):
            ask(address)
        for call in (lambda: self.view.address, lambda: self.view.poll(0), self.view.finish, self.view.__enter__):
            with self.assertRaisesRegex(ValueError, "closed"):
                call()

    def test_refused(self):
        for wrong in float("nan"), float("inf"):
            with self.assertRaises(ks.BadArgument):
                self.view.poll(wrong)
        with self.assertRaises(ks.BadArgument):
            self.view.finish(float("nan"))
        with self.assertRaises(TypeError):
            self.view.poll("soon")
        for wrong in None, self.arm, self.view:
            with self.assertRaisesRegex(TypeError, "Report"):
                ks.View(wrong)
        with self.assertRaises(TypeError):
            ks.View()

    def test_finish(self):
        """While finish() answers pages, other threads run, but calls that would change the report
        or its inspectors are refused."""
        thread, _ = beside(self.view.finish, float("inf"))
        with contextlib.suppress(ks.Error):
            # until the other thread has begun
            while thread.is_alive():
                self.arm.quick_step(0.005)
        for call in (lambda: self.arm.quick_step(0.005), self.arm.close, self.report.text, self.view.close, lambda: self.view.poll(0.005)):
            with self.assertRaises(ks.Error) as raised:
                call()
            self.assertIs(raised.exception.status, ks.Status.REENTRY)
        self.assertEqual(ask(self.view.address)[0], 200)
        self.assertEqual(ask(self.view.address + "wish?done=1", "POST")[0], 200)
        thread.join()
        self.arm.quick_step(0.005)

    def test_interrupted(self):
        interrupt = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        interrupt.start()
        with self.assertRaises(KeyboardInterrupt):
            self.view.finish(float("inf"))


if __name__ == "__main__":
    unittest.main()

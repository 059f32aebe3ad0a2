"""test_demo.py  demos/reach.py, and the statements of python.md about it."""
import importlib.util
import os
import subprocess
import sys
import unittest

import numpy as np
from kit import by_precision

DEMO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../demos/reach.py")


class Demo(unittest.TestCase):
    def test_at_rest(self):
        """The motors hold the arm at rest. The shoulder carries both links, the elbow carries one
        link; each link has 1 kg."""
        spec = importlib.util.spec_from_file_location("reach", DEMO)
        reach = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(reach)
        environment = reach.Reach()
        first, _ = environment.reset(seed=1)
        self.assertEqual(first.shape, (8,))
        for _ in range(20):
            seen, reward, terminated, truncated, info = environment.step((0, 0))
        # exact steps drift only by rounding
        np.testing.assert_allclose(seen[6:], (2 * 9.81, 9.81), rtol=by_precision(1e-9, 1e-6))
        np.testing.assert_allclose(seen[:4], 0, atol=by_precision(1e-9, 1e-3))
        self.assertEqual((terminated, truncated, info["doubt"]), (False, False, 0))
        self.assertAlmostEqual(-reward, np.hypot(1 - seen[4], seen[5]), delta=by_precision(1e-9, 1e-4))

    def test_episodes(self):
        run = lambda: subprocess.run([sys.executable, DEMO, "--episodes", "2"], capture_output=True, text=True, check=True).stdout
        said = run()
        self.assertEqual(said.count("steps, return -"), 2)
        self.assertEqual(said, run())


if __name__ == "__main__":
    unittest.main()

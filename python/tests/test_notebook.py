"""test_notebook.py  docs/notebook.md: its cells are those of demos/crank_rocker.py, and print the
outputs that the page shows. The script makes the page's picture, and its forces satisfy the
equations of Newton and Euler."""
import math
import os
import pickle
import re
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

import numpy as np

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
DEMO = os.path.join(ROOT, "demos/crank_rocker.py")


def text_of(name):
    with open(os.path.join(ROOT, name)) as file:
        return file.read()


def run():
    """Runs the script in a separate process, since the engine draws its random numbers in sequence.
    -> its results"""
    code = f"""if True:
        import contextlib, io, pickle, sys
        sys.argv = ["demo"]
        with contextlib.redirect_stdout(io.StringIO()), open({DEMO!r}) as file:
            exec(file.read())
        pickle.dump((force, bar, cranks[:, :3], physical, (MASS, PIVOT, KNEE, ELBOW, FOOT), RATE), sys.stdout.buffer)"""
    *found, linkage, rate = pickle.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
    return *found, Linkage(*linkage), rate


class Linkage:
    """A linkage of rods in the plane (x, z). Angles count from x to z; each mass centre is in the
    middle of its rod."""
    def __init__(self, mass, pivot, knee, elbow, foot):
        self.pivot, self.foot = (np.array((point[0], point[2]), float) for point in (pivot, foot))
        self.length = math.dist(pivot, knee), math.dist(knee, elbow), math.dist(elbow, foot)
        self.mass = mass

    def elbow_force(self, angle, rate):
        """the force in the elbow on the rocker, for a crank that turns at a constant rate"""
        a, b, c = self.length
        arm = a * np.array((math.cos(angle), math.sin(angle)))
        to_foot = self.foot - self.pivot - arm
        distance = np.hypot(*to_foot)
        along = (b * b - c * c + distance * distance) / (2 * distance)
        u = (along * to_foot + math.sqrt(b * b - along * along) * turned(to_foot)) / distance  # knee to elbow
        v = arm + u + self.pivot - self.foot  # foot to elbow
        # the velocity and the acceleration of the elbow along both paths: over the knee, and from
        # the foot
        both = np.column_stack((turned(u), -turned(v)))
        first, second = np.linalg.solve(both, -rate * turned(arm))
        knee = -rate * rate * arm
        one, other = np.linalg.solve(both, -knee + first * first * u - second * second * v)
        centre = knee + one * turned(u) / 2 - first * first * u / 2
        weight = np.array((0, -9.81))
        coupler, rocker = self.mass["coupler"], self.mass["rocker"]
        # moments on the coupler about the knee, and on the rocker about the foot
        asked = (one * coupler * (b * b + 0.04**2) / 12 + coupler * cross(u / 2, centre - weight),
                 other * rocker * ((c * c + 0.04**2) / 12 + c * c / 4) - rocker * cross(v / 2, weight))
        return np.linalg.solve(((u[1], -u[0]), (-v[1], v[0])), asked)


def turned(u):
    return np.array((-u[1], u[0]))


def cross(u, v):
    return u[0] * v[1] - u[1] * v[0]


class Notebook(unittest.TestCase):
    def test_cells(self):
        page = text_of("docs/notebook.md")
        cells = [cell.split("\n", 1) for cell in text_of("demos/crank_rocker.py").split("\n# %% ")[1:]]
        shown = []
        for section in page.split("\n## ")[1:]:
            title, rest = section.split("\n", 1)
            shown.append((title, rest.split("```python\n")[1].split("```")[0]))
        self.assertEqual([(title, code.strip()) for title, code in shown], [(title, code.strip()) for title, code in cells])

    def test_output(self):
        said = subprocess.run([sys.executable, DEMO], capture_output=True, text=True, check=True).stdout
        self.assertEqual("".join(part.split("```")[0] for part in text_of("docs/notebook.md").split("```text\n")[1:]), said)

    def test_forces(self):
        """Physical forces agree with those of a crank that turns at a constant rate: 95 % of the
        numbers lie within their bars, and they are nearer than the engine's."""
        force, bar, cranks, physical, linkage, rate = run()
        truth = np.array([linkage.elbow_force(math.atan2(z, x), rate) for x, _, z in cranks])
        plane = [0, 2]
        off = physical[:, plane] - truth
        self.assertGreater(np.mean(np.abs(off) <= bar[:, 1, plane]), 0.95)
        self.assertLess(np.std(off), 0.8 * np.std(force[:, 0, plane] - truth))
        self.assertLess(bar[:, 0].max(), 0.1)  # the bar of the converged force

    def test_picture(self):
        """The picture has the same curves in the same places, to a tenth of a point."""
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("no matplotlib")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rocker.svg")
            subprocess.run([sys.executable, DEMO, "--plot", path], capture_output=True, check=True)
            made, kept = curves(path), curves(os.path.join(ROOT, "docs/rocker.svg"))
        self.assertEqual(set(made), {"engine", "converged", "bar", "physical"})
        for name, points in kept.items():
            np.testing.assert_allclose(made[name], points, atol=0.1, err_msg=name)


def curves(path):
    """{name: coordinates} of the curves in an SVG by matplotlib"""
    found = {}
    for group in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}g"):
        if group.get("id") in ("engine", "converged", "bar", "physical"):
            numbers = []
            for element in group.iter():
                if element.tag.endswith("}use"):
                    numbers += [float(element.get("x")), float(element.get("y"))]
                elif element.tag.endswith("}path"):
                    numbers += map(float, re.findall(r"-?\d+\.?\d*", element.get("d")))
            found[group.get("id")] = np.array(numbers)
    return found


if __name__ == "__main__":
    unittest.main()

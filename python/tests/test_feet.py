"""test_feet.py  The sensor of docs/feet.md: five lines, which tell of a foot that stands on a slope."""
import pathlib
import re
import unittest

import kinetostat as ks
import ode

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "feet.md"


class Foot(unittest.TestCase):
    def test_sensor(self):
        lines = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL).group(1)
        made, told = lines.split("# after each step\n")
        self.assertLessEqual(len((made + told).splitlines()), 5)
        world, foot, mass, shown = ode.World(), None, ode.Mass(), []
        world.setGravity((1, 0, -10))
        foot = ode.Body(world)
        mass.setBoxTotal(2, 1, 1, 1)
        foot.setMass(mass)
        with ks.Inspector(world) as inspector:
            names = {"inspector": inspector, "foot": foot, "show": lambda *numbers: shown.extend(numbers)}
            exec(made, names)
            for _ in range(100):
                contacts, contact = ode.JointGroup(), ode.Contact()
                contact.setContactGeomParams((0.05, 0, -0.5), (0, 0, 1), 0)
                contact.setMode(ode.ContactApprox1)
                contact.setMu(1)
                ode.ContactJoint(world, contacts, contact).attach(foot, None)
                inspector.quick_step(0.005)
                foot.setAngularVel((0, 0, 0))
                contacts.empty()
            exec(told, names)
        for number, expected in zip(shown, (20, 0.1, 0.05), strict=True):
            self.assertAlmostEqual(number, expected, places=3)


if __name__ == "__main__":
    unittest.main()

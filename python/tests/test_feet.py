"""test_feet.py  The five lines of docs/feet.md read a sensor under a foot that stands on a
slope."""
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
            heard = []
            foot_pair = names["sole"]
            limits = {"value": ks.MEAN, "frame": ks.FRAME_WORLD, "point": ks.POINT_MASS_CENTRE, "flags": ks.THRESHOLD_UNCHECKED}
            limited = inspector.on_pair_threshold(foot_pair, heard.append, force=0.01, **limits)
            pair, = inspector.pairs
            self.assertEqual((pair.a, pair.b, pair.window), (foot, None, 0.15))
            for wrong, error in ((limited, ks.BadArgument), (foot, TypeError), (None, TypeError)):
                with self.assertRaises(error):
                    inspector.on_pair_threshold(wrong, heard.append, force=1, **limits)
            with self.assertRaises(ks.BadArgument):  # Options.contact_physical was not set
                inspector.on_pair_threshold(foot_pair, heard.append, force=1, **{**limits, "value": ks.PHYSICAL})
            contacts = ode.JointGroup()
            contact = ode.Contact()
            contact.setContactGeomParams((0, 0, -0.5), (0, 0, 1), 0)
            ode.ContactJoint(world, contacts, contact).attach(foot, None)
            inspector.quick_step(0.005)
            self.assertEqual([event.limit_value for event in heard], [0.01])
            foot_pair.end()
            self.assertEqual(inspector.pairs, ())
            inspector.quick_step(0.005)
            self.assertFalse(limited.active)
            contacts.empty()
        for number, expected in zip(shown, (20, 0.1, 0.05), strict=True):
            self.assertAlmostEqual(number, expected, places=3)


if __name__ == "__main__":
    unittest.main()

"""test_system.py  System, on cases with closed forms."""
import math
import unittest

import kinetostat as ks
import numpy as np


def pendulum(angle=0.3, speed=2.0, length=1.5):
    """A particle of 2 kg on a rod, |x| = length: J = x / l, beta = -v^2 / l. -> the system, and
    lambda = -(m g cos + m v^2 / l)"""
    system = ks.System()
    place = length * np.array((math.sin(angle), -math.cos(angle)))
    block = system.add_block(2.0 * np.eye(2), force=(0, -2 * 9.81), velocity=speed * np.array((math.cos(angle), math.sin(angle))))
    system.add_row({block: place / length}, beta=-speed**2 / length)
    return system, -(2 * 9.81 * math.cos(angle) + 2 * speed**2 / length)


class System(unittest.TestCase):
    # relative rounding of a few products
    TOLERANCE = 1e-13

    def test_routes(self):
        system, tension = pendulum()
        for solve in (system.solve_gauss, system.solve_paulus, system.solve_least_norm):
            multiplier, acceleration = solve()
            self.assertAlmostEqual(multiplier[0] / tension, 1, delta=self.TOLERANCE)
            self.assertEqual(np.asarray(acceleration).dtype, np.float64)
            self.assertEqual(str(multiplier), f"<kinetostat.Array of 1 float: [{multiplier[0]}]>")
        np.testing.assert_allclose(system.solve_motion(), acceleration, rtol=self.TOLERANCE)
        self.assertLess(system.error_bars()[0], 1e-12 * -tension)
        self.assertAlmostEqual(system.relax_row(0).multiplier / tension, 1, delta=self.TOLERANCE)
        self.assertAlmostEqual(system.measure(acceleration).unexplained, 0, delta=1e-20)
        self.assertEqual((system.row_count, system.coordinate_count, system.culprit), (1, 2, -1))

    def test_arrays_in(self):
        """Nested sequences, arrays in any order, with any strides and of other types than double
        give the same numbers."""
        mass = np.array(((2.0, 0.5), (0.5, 3.0)))
        found = set()
        for given in (mass, mass.tolist(), np.asfortranarray(mass), np.repeat(mass, 2, axis=1)[:, ::2], mass.astype(np.float32),
                      [[2, 0.5], np.array((0.5, 3))], memoryview(mass)):
            system = ks.System()
            system.add_row({system.add_block(given, [1, 2]): (1, 1)})
            found.add(tuple(system.solve_gauss()[0]))
        self.assertEqual(len(found), 1)

    def test_bounded(self):
        """A table can push but not pull."""
        for force, expected, place in ((-19.62, 19.62, ks.INSIDE), (5.0, 0.0, ks.AT_LOW)):
            system = ks.System()
            system.add_row({system.add_block([[2.0]], [force]): 1.0}, lo=0)
            solution = system.solve_bounded()
            self.assertEqual(solution["multiplier"][0], expected)
            self.assertEqual(solution["place"][0], place)
            self.assertEqual(np.asarray(solution["determinate"]).dtype, np.int32)

    def test_redundant(self):
        """Two supports in the same place: only the sum of their forces is known."""
        system = ks.System()
        block = system.add_block([[2.0]], [-20.0])
        for _ in range(2):
            system.add_row({block: [1.0]})
        determinate, rank = system.determinacy()
        self.assertEqual((list(determinate), rank), ([0, 0], 1))
        unique, value = system.combination((1, 1))
        self.assertIs(unique, True)
        self.assertAlmostEqual(value, 20, delta=20 * self.TOLERANCE)
        (stress,) = system.self_stresses()
        self.assertAlmostEqual(stress[0] + stress[1], 0, delta=self.TOLERANCE)
        with self.assertRaises(ks.Error) as raised:
            system.relax_row(0)
        self.assertIs(raised.exception.status, ks.Status.REDUNDANT)

    def test_impulse_and_mobility(self):
        system, _ = pendulum(angle=0, speed=0)
        self.assertAlmostEqual(system.mobility({0: (1, 0)}, {0: (1, 0)}), 0.5, delta=self.TOLERANCE)
        self.assertAlmostEqual(system.mobility({0: (0, 1)}, {0: (1, 0)}), 0, delta=self.TOLERANCE)
        reaction, velocity, energy = system.solve_impulse((3, 4))
        np.testing.assert_allclose(velocity, (1.5, 0), atol=self.TOLERANCE)
        self.assertAlmostEqual(reaction[0], 4, delta=4 * self.TOLERANCE)
        self.assertAlmostEqual(energy.after, 0.5 * 2 * 1.5**2, delta=3 * self.TOLERANCE)

    def test_probes(self):
        self.assertEqual(ks.probe_force((1, 0, 0), (1, 2, 0), (0, 0, 1)), (0, 0, 1, 2, 0, 0))
        self.assertEqual(ks.probe_couple((0, 0, 1)), (0, 0, 0, 0, 0, 1))
        with self.assertRaises(ValueError):
            ks.probe_couple((0, 1))

    def test_refused(self):
        system = ks.System()
        endless = []
        endless.append(endless)
        for arguments, error in (((5,), TypeError), (("ab",), TypeError), (([[1, 2]],), ValueError), (([[1.0, 2], [3]],), ValueError),
                                 ((endless,), (RecursionError, ValueError, TypeError)), (([["x"]],), TypeError), (([],), ks.BadArgument),
                                 (([[-1.0]],), ks.Error), (([[math.nan]],), ks.Error), (([[1.0]], [1, 2]), ValueError),
                                 (([[1.0]], None, "x"), TypeError)):
            with self.assertRaises(error, msg=arguments):
                system.add_block(*arguments)
        block = system.add_block([[1.0]])
        self.assertEqual(block, 0)
        for jacobian, error in ((5, TypeError), ({1: [1.0]}, IndexError), ({-1: [1.0]}, IndexError), ({0: [1, 2]}, ValueError),
                                ({"x": [1]}, TypeError), ({1 << 80: [1]}, OverflowError), ({0: [math.nan]}, ks.Error)):
            with self.assertRaises(error, msg=jacobian):
                system.add_row(jacobian)
        with self.assertRaises(ks.BadArgument):
            system.add_row({0: [1.0]}, lo=1, hi=0)
        with self.assertRaises(ks.BadArgument):
            system.relax_row(3)
        with self.assertRaises(ks.BadArgument):
            system.set_rank_tolerance(2)
        system.set_rank_tolerance(1e-6)
        system.set_rigid_compliance(1e-9)
        system.clear()
        self.assertEqual(system.coordinate_count, 0)
        self.assertEqual(system.add_block([[1.0]]), 0)


if __name__ == "__main__":
    unittest.main()

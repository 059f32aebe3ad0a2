#!/usr/bin/python3
"""record.py FILE.h5  An engine of one's own, and its recording: rods in a row, let go level, with drag. Judge it by `kinetostat judge FILE.h5`."""
import sys

import kinetostat as ks
import numpy as np

LENGTH, MASS, DRAG, GRAVITY = 0.5, 1.0, 0.2, 9.81  # m, kg, N.s/m, m/s^2 of each rod
STEP = 0.001  # s
INERTIA = MASS * LENGTH**2 / 12  # kg.m^2, across


class Chain:
    """The engine: a rod's x, z and angle about y; its hinges keep ends together, the first one at the origin."""

    def __init__(self, rods):
        self.x = np.zeros((rods, 3))
        self.x[:, 0] = LENGTH * (np.arange(rods) + 0.5)
        self.v = np.zeros((rods, 3))
        self.mass = np.tile((MASS, MASS, INERTIA), rods)

    def rows(self):
        """-> two rows for each hinge, and by how far its ends are apart"""
        rods, angle = len(self.x), self.x[:, 2]
        along = LENGTH / 2 * np.array((np.cos(angle), -np.sin(angle))).T
        across = LENGTH / 2 * np.array((-np.sin(angle), -np.cos(angle))).T
        J, gap = np.zeros((rods, 2, rods, 3)), self.x[:, :2] - along
        gap[1:] -= (self.x[:, :2] + along)[:-1]
        for i in range(rods):
            J[i, :, i, :2], J[i, :, i, 2] = np.eye(2), -across[i]
            if i:
                J[i, :, i - 1, :2], J[i, :, i - 1, 2] = -np.eye(2), -across[i - 1]
        return J, gap.ravel()

    def step(self, loads):
        """moves on, and returns what each hinge does to each rod: hinges x rods x 3"""
        J, gap = self.rows()
        rows = J.reshape(len(gap), -1)
        free = self.v.ravel() + STEP * loads.ravel() / self.mass
        force = np.linalg.solve(rows / self.mass @ rows.T, -(rows @ free + 0.1 * gap / STEP)) / STEP
        self.v = (free + STEP * (rows.T @ force) / self.mass).reshape(self.v.shape)
        self.x = self.x + STEP * self.v
        return np.einsum("hkri,hk->hri", J, force.reshape(-1, 2))


def states(chain):
    """rods x 13: position, quaternion, velocity, angular velocity"""
    (x, z, angle), (vx, vz, rate), no = chain.x.T, chain.v.T, np.zeros(len(chain.x))
    return np.array((x, no, z, np.cos(angle / 2), no, np.sin(angle / 2), no, vx, no, vz, no, rate, no)).T


def wrenches(planar):
    """... x 6: force and torque of x, z and the moment about y"""
    whole = np.zeros((*planar.shape[:-1], 6))
    whole[..., [0, 2, 4]] = planar
    return whole


def record(path, rods=3, steps=1000):
    """-> what was recorded: rods x 13 numbers before each step"""
    chain, before = Chain(rods), []
    with ks.Recording(path, gravity=(0, 0, -GRAVITY)) as recording:
        for i, state in enumerate(states(chain)):
            recording.add_body(state, MASS, np.diag((1e-4, INERTIA, INERTIA)))
            recording.add_joint(ks.JOINT_HINGE, i, i - 1 if i else None, (LENGTH * i, 0, 0), (0, 1, 0), name=f"hinge {i + 1}")
        for _ in range(steps):
            before.append(states(chain))
            drag = -DRAG * chain.v * (1, 1, 0)
            recording.begin_step(STEP, loads=wrenches(drag))
            found = wrenches(chain.step(drag + (0, -GRAVITY * MASS, 0)))
            reported = np.stack([found[np.arange(rods), np.arange(rods)], found[np.arange(rods), np.arange(rods) - 1]], axis=1)
            recording.end_step(states(chain), reported)
    return np.array(before)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    record(sys.argv[1])

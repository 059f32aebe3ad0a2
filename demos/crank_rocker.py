#!/usr/bin/python3
"""crank_rocker.py  A motor turns a crank, the rocker swings: the force in the joint between coupler and rocker by all three values, with
bars, and a plot of it by matplotlib. Cells begin with # %%, as notebooks have them; docs/notebook.md shows what each prints."""
# %% A crank-rocker on a motor
import math
import sys

import kinetostat as ks
import numpy as np
import ode

PIVOT, KNEE, ELBOW, FOOT = (0, 0, 0), (0, 0, 0.2), (0.6, 0, 0.5), (0.5, 0, 0)  # m
MASS = {"crank": 1, "coupler": 2, "rocker": 10}  # kg
RATE, TORQUE = 4.0, 500.0  # rad/s and N.m of the motor
VEL, FMAX = 2, 5  # <ode/common.h>: pyode's own ode.ParamFMax is that of an older engine


def rod(world, name, begin, end):
    body, mass = ode.Body(world), ode.Mass()
    mass.setBoxTotal(MASS[name], math.dist(begin, end), 0.04, 0.04)
    body.setMass(mass)
    body.setPosition([(a + b) / 2 for a, b in zip(begin, end)])
    angle = math.atan2(end[2] - begin[2], end[0] - begin[0])
    body.setQuaternion((math.cos(angle / 2), 0, -math.sin(angle / 2), 0))
    return body


def hinge(world, first, second, anchor):
    joint = ode.HingeJoint(world)
    joint.attach(first, second)
    joint.setAnchor(anchor)
    joint.setAxis((0, 1, 0))
    return joint


world = ode.World()
world.setGravity((0, 0, -9.81))
world.setERP(0.2)
world.setCFM(1e-10)
crank, coupler, rocker = (rod(world, *one) for one in (("crank", PIVOT, KNEE), ("coupler", KNEE, ELBOW), ("rocker", ELBOW, FOOT)))
motor = hinge(world, crank, ode.environment, PIVOT)
knee = hinge(world, coupler, crank, KNEE)
elbow = hinge(world, rocker, coupler, ELBOW)
foot = hinge(world, rocker, ode.environment, FOOT)
motor.setParam(VEL, RATE)
motor.setParam(FMAX, TORQUE)

# %% A run: a second to come to speed, then one turn
STEP = 0.01  # s
inspector = ks.Inspector(world, report=False)
for _ in range(100):
    inspector.quick_step(STEP)
time, force, bar, verdicts, cranks = [], [], [], [], []
for _ in range(round(2 * math.pi / RATE / STEP)):
    cranks.append((*crank.getPosition(), *crank.getAngularVel()))
    inspector.quick_step(STEP)
    found = inspector.reactions[inspector[elbow]]
    rows = inspector.rows(elbow)
    time.append(found["time"])
    verdicts.append(found["verdict"])
    force.append([found[value]["force"][0] for value in ("engine", "converged", "physical")])
    # the rows of a hinge's force are those of the axes; each has its bar, N
    bar.append([rows[of][:3] for of in ("error_bar", "physical_bar")])
time, force, bar, cranks = map(np.array, (time, force, bar, cranks))
engine, converged, physical = np.moveaxis(force, 1, 0)
print(f"{len(time)} steps; {', '.join(sorted({ks.Verdict(int(one)).name for one in verdicts}))}")

# %% How far apart they are, along the ground (x)
for name, other in (("engine", engine), ("converged", converged)):
    off = np.abs(other - physical)[:, 0]
    print(f"{name} against physical: {off.max():.0f} N at most, {off.mean():.1f} N in the mean")
print(f"bar of physical: {bar[:, 1, 0].max():.0f} N at most, {np.median(bar[:, 1, 0]):.1f} N as a median")


# %% A plot
def plot(path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "kinetostat", "font.size": 9})
    figure = pyplot.figure(figsize=(7.2, 4.2))
    axes = figure.add_axes((0.1, 0.11, 0.87, 0.86), xlim=(time[0], time[-1]), ylim=(-300, 60), xlabel="time / s",
                           ylabel="force in the elbow along the ground / N")
    axes.plot(time, converged[:, 0], color="#d55e00", linewidth=1, gid="converged", label="converged: the exact solution of the engine's own step")
    low, high = (physical[:, 0] + sign * bar[:, 1, 0] for sign in (-1, 1))
    axes.fill_between(time, low, high, color="#9ecae1", linewidth=0, gid="bar", label="bar of physical")
    axes.plot(time, physical[:, 0], color="#0072b2", linewidth=1, gid="physical", label="physical: of the mechanism, as it stands and moves")
    axes.plot(time, engine[:, 0], "k.", markersize=3, gid="engine", label="engine: as dWorldQuickStep(20) reports it")
    axes.legend(loc="lower left")
    figure.savefig(path, metadata={"Date": None})


if len(sys.argv) == 3 and sys.argv[1] == "--plot":
    plot(sys.argv[2])

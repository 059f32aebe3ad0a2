#!/usr/bin/python3
"""reach.py  An environment for reinforcement learning: an arm of two links on motors reaches for a target and handles its joints with care.

Its calls are those of Gymnasium, which it does not need: reset(seed) and step(action). An action is a target rate for each joint,
rad/s. The observation has the joints' angles and rates, the target, and for each joint the physical force on it, N. Each step costs the
distance to the target, forces above LIMIT, and joints whose force cannot be believed. Alone it runs episodes of random actions."""
import argparse
import math

import kinetostat as ks
import numpy as np
import ode

LINK, MASS = 0.5, 1.0  # m, kg
SIZE, STEPS = 0.01, 200  # s, steps of an episode
TORQUE, RATE = 40.0, 2.0  # N.m and rad/s of each motor
LIMIT = 60.0  # N: forces above it wear the joints
WEAR, DOUBT = 0.01, 0.1  # what a newton above it costs, and a joint whose force is in doubt; m
VEL, FMAX = 2, 5  # <ode/common.h>: pyode's own ode.ParamFMax is that of an older engine


class Reach:
    def reset(self, seed=None):
        """-> observation, info"""
        self.random = np.random.default_rng(seed)
        self.world = ode.World()
        self.world.setGravity((0, 0, -9.81))
        self.links, self.joints = [], []
        before = ode.environment
        for i in range(2):
            link, mass = ode.Body(self.world), ode.Mass()
            mass.setBoxTotal(MASS, LINK, 0.05, 0.05)
            link.setMass(mass)
            link.setPosition(((i + 0.5) * LINK, 0, 0))
            joint = ode.HingeJoint(self.world)
            joint.attach(link, before)
            joint.setAnchor((i * LINK, 0, 0))
            joint.setAxis((0, 1, 0))
            joint.setParam(FMAX, TORQUE)
            self.links.append(link)
            self.joints.append(joint)
            before = link
        self.inspector = ks.Inspector(self.world, report=False)
        self.places, self.count = None, 0
        angle, radius = self.random.uniform((0, 0.5 * LINK), (math.pi, 2 * LINK))
        self.target = radius * np.array((math.cos(angle), math.sin(angle)))
        return self.observe(np.zeros(2)), {}

    def step(self, action):
        """-> observation, reward, terminated, truncated, info"""
        for joint, rate in zip(self.joints, np.clip(action, -RATE, RATE)):
            joint.setParam(VEL, float(rate))
        self.inspector.exact_step(SIZE)
        self.count += 1
        reactions = self.inspector.reactions
        if self.places is None:
            self.places = [self.inspector[joint] for joint in self.joints]
        force = np.linalg.norm(reactions["physical"]["force"][self.places, 0], axis=1)
        doubt = np.count_nonzero(reactions["verdict"][self.places] < ks.INDETERMINATE)
        tip = self.links[1].getRelPointPos((LINK / 2, 0, 0))
        distance = math.hypot(tip[0] - self.target[0], tip[2] - self.target[1])
        reward = -distance - WEAR * np.maximum(force - LIMIT, 0).sum() - DOUBT * doubt
        return self.observe(force), float(reward), distance < 0.02, self.count >= STEPS, {"force": force, "doubt": doubt}

    def observe(self, force):
        angles = [joint.getAngle() for joint in self.joints]
        rates = [joint.getAngleRate() for joint in self.joints]
        return np.array((*angles, *rates, *self.target, *force))


def main():
    parser = argparse.ArgumentParser(description="An arm of two links reaches for a target: episodes of random actions.")
    parser.add_argument("--episodes", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    environment = Reach()
    for episode in range(options.episodes):
        _, _ = environment.reset(options.seed + episode)
        total, largest, doubts, over = 0.0, 0.0, 0, False
        while not over:
            action = environment.random.uniform(-RATE, RATE, 2)
            _, reward, terminated, truncated, info = environment.step(action)
            total, largest, doubts = total + reward, max(largest, info["force"].max()), doubts + info["doubt"]
            over = terminated or truncated
        print(f"episode {episode + 1}: {environment.count} steps, return {total:.2f}, largest force {largest:.1f} N, "
              f"{doubts} forces in doubt")


if __name__ == "__main__":
    main()

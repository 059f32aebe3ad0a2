"""scenes.py  Ten scenes of pyode. Each is a function that builds bodies and joints in a new world.
Scene keeps references to them, because pyode destroys a body or a joint with its last reference."""
import math

import kinetostat as ks
import ode
from kit import by_precision

# from <ode/common.h>; pyode's own ode.ParamFMax has the value of an older engine
VEL, FMAX, SECOND = 2, 5, 0x100


class Scene:
    def __init__(self, build, iterations=20):
        self.world = ode.World()
        self.world.setGravity((0, 0, -9.81))
        self.world.setERP(0.2)
        self.world.setCFM(1e-5 if build is box_on_floor else by_precision(1e-10, 1e-5))  # a larger CFM loses fewer digits in single precision
        self.world.setQuickStepNumIterations(iterations)
        self.bodies, self.joints = [], []
        self.space = self.contacts = None
        build(self)

    def box(self, position, mass=1.0, sides=(0.2, 0.1, 0.1)):
        body = ode.Body(self.world)
        inertia = ode.Mass()
        inertia.setBoxTotal(mass, *sides)
        body.setMass(inertia)
        body.setPosition(position)
        self.bodies.append(body)
        return body

    def join(self, kind, first, second, anchor=None, axis=None):
        joint = kind(self.world)
        joint.attach(first, second)
        if anchor:
            joint.setAnchor(anchor)
        if axis:
            joint.setAxis(axis)
        self.joints.append(joint)
        return joint

    def before(self):
        """Replaces the contacts, as a host does before each step."""
        if not self.space:
            return
        self.contacts.empty()
        self.space.collide(None, self.near)

    def near(self, _, first, second):
        for contact in ode.collide(first, second):
            contact.setMu(0.7)
            ode.ContactJoint(self.world, self.contacts, contact).attach(first.getBody(), second.getBody())


def pendulum(s):
    s.join(ode.HingeJoint, s.box((0.5, 0, 0)), ode.environment, (0, 0, 0), (0, 1, 0))


def chain(s, links=10):
    previous = ode.environment
    for i in range(links):
        body = s.box((0.1 + 0.2 * i, 0, 2))
        s.join(ode.HingeJoint, body, previous, (0.2 * i, 0, 2), (0, 1, 0))
        previous = body


def balls(s):
    previous = ode.environment
    for i in range(6):
        body = s.box((0.1 + 0.2 * i, 0.05 * i, 2), 0.5 + 0.3 * i)
        s.join(ode.BallJoint, body, previous, (0.2 * i, 0.05 * i, 2))
        previous = body
    previous.setAngularVel((1, 2, 3))


def door(s):
    leaf = s.box((0.5, 0, 1), 20, (1, 0.05, 2))
    for z in (0.3, 1.7):
        s.join(ode.HingeJoint, leaf, ode.environment, (0, 0, z), (0, 0, 1))
    leaf.setAngularVel((0, 0, 1))


def four_bar(s):
    crank, coupler, rocker = s.box((0, 0, 0.25)), s.box((0.5, 0, 0.5)), s.box((1, 0, 0.25))
    for first, second, at in ((crank, ode.environment, 0), (coupler, crank, 1), (rocker, coupler, 2), (rocker, ode.environment, 3)):
        s.join(ode.HingeJoint, first, second, ((0, 0, 0), (0, 0, 0.5), (1, 0, 0.5), (1, 0, 0))[at], (0, 1, 0))
    motor = s.joints[0]
    motor.setParam(VEL, 2)
    motor.setParam(FMAX, 50)


def slider(s):
    carriage, bob = s.box((0, 0, 1), 3), s.box((0, 0, 0.5))
    s.join(ode.SliderJoint, carriage, ode.environment, axis=(1, 0, 0)).setParam(ode.ParamHiStop, 0.05)
    s.join(ode.HingeJoint, bob, carriage, (0, 0, 1), (0, 1, 0))
    bob.setLinearVel((2, 0, 0))


def universal(s):
    body = s.box((0.3, 0, 1))
    joint = s.join(ode.UniversalJoint, body, ode.environment, (0, 0, 1))
    joint.setAxis2((0, 0, 1))
    joint.setAxis1((0, 1, 0))


def wheels(s):
    trunk = s.box((0, 0, 1), 10, (1, 0.5, 0.2))
    s.join(ode.FixedJoint, trunk, ode.environment).setFixed()
    for x in (-0.4, 0.4):
        wheel = s.box((x, 0.4, 0.8), 1, (0.2, 0.05, 0.2))
        joint = s.join(ode.Hinge2Joint, trunk, wheel, (x, 0.4, 0.8))
        joint.setAxis1((0, 0, 1))
        joint.setAxis2((0, 1, 0))
        joint.setParam(SECOND + VEL, 5)
        joint.setParam(SECOND + FMAX, 3)


def stops(s):
    chain(s, 4)
    for joint in s.joints:
        joint.setParam(ode.ParamLoStop, -0.3)
        joint.setParam(ode.ParamHiStop, 0.3)


def box_on_floor(s):
    s.space, s.contacts = ode.HashSpace(), ode.JointGroup()
    s.floor = ode.GeomPlane(s.space, (0, 0, 1), 0)
    for i in range(2):
        body = s.box((0.02 * i, 0, 0.25 + 0.5 * i), 2, (0.5, 0.5, 0.5))
        geom = ode.GeomBox(s.space, (0.5, 0.5, 0.5))
        geom.setBody(body)
        s.joints.append(geom)  # lives as long as the scene
    arm = s.box((0.3, 0, 1.3), 0.5)
    s.join(ode.HingeJoint, arm, s.bodies[1], (0.2, 0, 1.3), (0, 1, 0))
    s.bodies[1].setLinearVel((math.sqrt(2), 0, 0))


ALL = (pendulum, chain, balls, door, four_bar, slider, universal, wheels, stops, box_on_floor)


def inspected(build=chain, **options):
    scene = Scene(build)
    return scene, ks.Inspector(scene.world, **options)

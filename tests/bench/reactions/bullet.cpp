// bullet.cpp  Bullet's rigid bodies and hinges, with its default of 10 iterations: btJointFeedback.
#include "say.h"

#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <memory>
#include <vector>

static const char *const name = "Bullet";

struct Scene {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btHingeConstraint>> hinges;
    std::vector<btJointFeedback> feedback{RODS + 1};
    std::vector<btVector3> anchors;

    Scene() { world.setGravity({0, 0, -kGravity}); }
    ~Scene()
    {
        for (auto &hinge : hinges)
            world.removeConstraint(hinge.get());
        for (auto &body : bodies)
            world.removeRigidBody(body.get());
    }

    btRigidBody *box(double mass, const btVector3 &at, const btVector3 &sides,
                     const btQuaternion &turned = btQuaternion::getIdentity(), bool collides = false)
    {
        auto shape = std::make_unique<btBoxShape>(sides / 2);
        const btVector3 inertia =
            btVector3(sides[1] * sides[1] + sides[2] * sides[2], sides[0] * sides[0] + sides[2] * sides[2],
                      sides[0] * sides[0] + sides[1] * sides[1]) *
            (mass / 12);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape.get(), inertia);
        info.m_startWorldTransform = btTransform(turned, at);
        info.m_friction = 1;
        bodies.push_back(std::make_unique<btRigidBody>(info));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(bodies.back().get(), 1, collides ? 1 : 0);
        shapes.push_back(std::move(shape));
        return bodies.back().get();
    }

    btHingeConstraint *hinge(btRigidBody *child, btRigidBody *parent, const btVector3 &at, bool isUpright = false)
    {
        const btVector3 axis(0, !isUpright, isUpright);
        const auto own = [&](btRigidBody *body) { return body->getWorldTransform().invXform(at); };
        const auto turned = [&](btRigidBody *body) { return axis * body->getWorldTransform().getBasis(); };
        if (parent)
            hinges.push_back(std::make_unique<btHingeConstraint>(*child, *parent, own(child), own(parent),
                                                                 turned(child), turned(parent)));
        else
            hinges.push_back(std::make_unique<btHingeConstraint>(*child, own(child), turned(child)));
        anchors.push_back(at);
        hinges.back()->setJointFeedback(&feedback[hinges.size() - 1]);
        world.addConstraint(hinges.back().get(), true);
        return hinges.back().get();
    }

    void run(const char *scene)
    {
        for (int step = 1; step <= STEPS; step++) {
            const btTransform pose = bodies[0]->getWorldTransform();
            const double motion[2] = {std::atan2(pose.getBasis()[0][2], pose.getBasis()[0][0]),
                                      bodies[0]->getAngularVelocity()[1]};
            std::vector<btVector3> centre;
            for (auto &each : hinges)
                centre.push_back(each->getRigidBodyA().getCenterOfMassPosition());
            world.stepSimulation(kStep, 0);
            for (size_t j = 0; j < hinges.size() && isSaid(step); j++) {
                double vector[4][3];
                for (int k = 0; k < 3; k++) {
                    vector[0][k] = feedback[j].m_appliedForceBodyA[k];
                    vector[1][k] = feedback[j].m_appliedTorqueBodyA[k];
                    vector[2][k] = centre[j][k];
                    vector[3][k] = anchors[j][k];
                }
                say(name, scene, (int)j + 1, step, vector[0], vector[1], vector[2], vector[3], motion);
            }
        }
    }
};

static void rods()
{
    Scene rest, swing;
    const btQuaternion turned(btVector3(0, 1, 0), 0.7);
    rest.hinge(rest.box(2, {0, 0, -0.5}, {kRodSide, kRodSide, 1}), nullptr, {0, 0, 0});
    rest.run("rest");
    btRigidBody *body = swing.box(2, {-0.5 * std::sin(0.7), 0, -0.5 * std::cos(0.7)}, {kRodSide, kRodSide, 1}, turned);
    swing.hinge(body, nullptr, {0, 0, 0});
    body->setAngularVelocity({0, 3, 0});
    body->setLinearVelocity({-1.5 * std::cos(0.7), 0, 1.5 * std::sin(0.7)});
    swing.run("swing");
}

static void mechanisms()
{
    Scene arm, loop, door;
    btRigidBody *upper = arm.box(2, {0.5, 0, 0}, {1, kRodSide, kRodSide}),
                *lower = arm.box(1, {1.25, 0, 0}, {0.5, kRodSide, kRodSide});
    arm.hinge(upper, nullptr, {0, 0, 0})->enableAngularMotor(true, 0, 1000);
    arm.hinge(lower, upper, {1, 0, 0})->enableAngularMotor(true, 0, 1000);
    arm.run("arm");
    btRigidBody *first = loop.box(1, {0, 0, -0.5}, {kRodSide, kRodSide, 1}),
                *bar = loop.box(4, {0.5, 0, -1}, {1, kRodSide, kRodSide}),
                *second = loop.box(1, {1, 0, -0.5}, {kRodSide, kRodSide, 1});
    loop.hinge(first, nullptr, {0, 0, 0});
    loop.hinge(bar, first, {0, 0, -1});
    loop.hinge(bar, second, {1, 0, -1});
    loop.hinge(second, nullptr, {1, 0, 0});
    loop.run("loop");
    btRigidBody *leaf = door.box(20, {0.4, 0, 0}, {0.8, 0.04, 2});
    door.hinge(leaf, nullptr, {0, 0, -0.7}, true);
    door.hinge(leaf, nullptr, {0, 0, 0.7}, true);
    door.run("door");
}

static void bridge()
{
    Scene scene;
    btVector3 at(0, 0, 0);
    btRigidBody *body = nullptr;
    for (int i = 0; i < RODS; i++) {
        double along[2];
        alongRod(i, along);
        const btVector3 whole(along[0], 0, along[1]);
        btRigidBody *before = body;
        body = scene.box(kRodMass, at + whole / 2, {1, kRodSide, kRodSide},
                         btQuaternion(btVector3(0, 1, 0), -std::atan2(along[1], along[0])));
        scene.hinge(body, before, at);
        at += whole;
    }
    scene.hinge(body, nullptr, at);
    scene.run("bridge");
}

/* Sums the impulses of contact points, along the normal and both directions of friction. */
static void wall()
{
    Scene scene;
    btRigidBody *still = scene.box(0, {-0.5, 0, 0}, {1, 4, 4}, btQuaternion::getIdentity(), true),
                *body = scene.box(1, {0.1, 0, 0}, {0.2, 0.2, 0.2}, btQuaternion::getIdentity(), true);
    for (int step = 1; step <= STEPS; step++) {
        btVector3 sum(0, 0, 0);
        body->applyCentralForce({-50, 0, 0});
        scene.world.stepSimulation(kStep, 0);
        for (int i = 0; i < scene.dispatcher.getNumManifolds(); i++) {
            const btPersistentManifold *manifold = scene.dispatcher.getManifoldByIndexInternal(i);
            const double sign = manifold->getBody0() == still ? -1 : 1;
            for (int k = 0; k < manifold->getNumContacts(); k++) {
                const btManifoldPoint &point = manifold->getContactPoint(k);
                sum += sign / kStep *
                       (point.m_appliedImpulse * point.m_normalWorldOnB +
                        point.m_appliedImpulseLateral1 * point.m_lateralFrictionDir1 +
                        point.m_appliedImpulseLateral2 * point.m_lateralFrictionDir2);
            }
        }
        const double force[3] = {sum[0], sum[1], sum[2]};
        if (isSaid(step))
            say(name, "wall", 1, step, force, nullptr, nullptr, nullptr, nullptr);
    }
}

int main()
{
    std::printf("engine|%s|%d.%02d %s|`btJointFeedback`; contact points' impulses|body A (+), body B (-)|world, each "
                "body's mass centre|N; contacts N s\n",
                name, btGetVersion() / 100, btGetVersion() % 100, sizeof(btScalar) == 8 ? "double" : "single");
    rods();
    mechanisms();
    bridge();
    wall();
}

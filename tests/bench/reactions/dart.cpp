// dart.cpp  DART's bodies in trees: BodyNode::getBodyForce. DART reports no force of a constraint
// that closes a loop; contacts report theirs.
#include "say.h"

#include <cmath>
#include <cstdio>
#include <dart/collision/CollisionObject.hpp>
#include <dart/config.hpp>
#include <dart/constraint/BallJointConstraint.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>
#include <map>
#include <string>
#include <vector>

using namespace dart;
using dynamics::BodyNode;
using dynamics::RevoluteJoint;
using Eigen::Vector3d;

static const char *const name = "DART";

struct Scene {
    simulation::WorldPtr world = simulation::World::create();
    std::vector<BodyNode *> child;
    std::vector<Vector3d> anchor;

    Scene()
    {
        world->setGravity({0, 0, -kGravity});
        world->setTimeStep(kStep);
    }

    /* A body's frame is at its mass centre, and parallel to the world's while the joints are at
     * 0. */
    BodyNode *link(BodyNode *parent, double mass, const Vector3d &at, const Vector3d &sides, const Vector3d &hinge,
                   const Vector3d &axis = Vector3d::UnitY())
    {
        const std::string own = std::to_string(child.size());
        auto skeleton = parent ? parent->getSkeleton() : dynamics::Skeleton::create(own);
        RevoluteJoint::Properties joint;
        BodyNode::Properties properties;
        joint.mName = properties.mName = own;  // DART prints a message about a name that exists already
        joint.mAxis = axis;
        joint.mT_ParentBodyToJoint.translation() = hinge - (parent ? place[parent] : Vector3d::Zero());
        joint.mT_ChildBodyToJoint.translation() = hinge - at;
        BodyNode *body = skeleton->createJointAndBodyNodePair<RevoluteJoint>(parent, joint, properties).second;
        weigh(body, mass, sides);
        place[body] = at;
        if (!parent)
            world->addSkeleton(skeleton);
        child.push_back(body);
        anchor.push_back(hinge);
        return body;
    }

    static void weigh(BodyNode *body, double mass, const Vector3d &sides)
    {
        const Vector3d squares = sides.cwiseProduct(sides);
        dynamics::Inertia inertia(mass);
        inertia.setMoment(mass / 12 * (squares[1] + squares[2]), mass / 12 * (squares[0] + squares[2]),
                          mass / 12 * (squares[0] + squares[1]), 0, 0, 0);
        body->setInertia(inertia);
    }

    /* Forces are computed at the start of a step. */
    void run(const char *scene)
    {
        for (int step = 1; step <= STEPS; step++) {
            const auto joint = child[0]->getParentJoint();
            const double motion[2] = {joint->getPosition(0), joint->getVelocity(0)};
            std::vector<Eigen::Isometry3d> pose;
            for (BodyNode *each : child)
                pose.push_back(each->getWorldTransform());
            world->step();
            for (size_t j = 0; j < child.size() && isSaid(step); j++) {
                const Eigen::Vector6d own = child[j]->getBodyForce();
                const Vector3d torque = pose[j].linear() * own.head<3>(), force = pose[j].linear() * own.tail<3>();
                const Vector3d centre = pose[j].translation();
                say(name, scene, numbers.empty() ? (int)j + 1 : numbers[j], step, force.data(), torque.data(),
                    centre.data(), anchor[j].data(), motion);
            }
        }
    }

    std::map<BodyNode *, Vector3d> place;
    std::vector<int> numbers; /* numbers of the joints, where DART does not report all */
};

static void rods()
{
    Scene rest, swing;
    rest.link(nullptr, 2, {0, 0, -0.5}, {kRodSide, kRodSide, 1}, Vector3d::Zero());
    rest.run("rest");
    auto joint = swing.link(nullptr, 2, {0, 0, -0.5}, {kRodSide, kRodSide, 1}, Vector3d::Zero())->getParentJoint();
    joint->setPosition(0, 0.7);
    joint->setVelocity(0, 3);
    swing.run("swing");
}

static void mechanisms()
{
    Scene arm, loop, door;
    BodyNode *upper = arm.link(nullptr, 2, {0.5, 0, 0}, {1, kRodSide, kRodSide}, Vector3d::Zero());
    BodyNode *lower = arm.link(upper, 1, {1.25, 0, 0}, {0.5, kRodSide, kRodSide}, {1, 0, 0});
    for (BodyNode *each : {upper, lower})
        each->getParentJoint()->setActuatorType(dynamics::Joint::SERVO);
    arm.run("arm");
    BodyNode *first = loop.link(nullptr, 1, {0, 0, -0.5}, {kRodSide, kRodSide, 1}, Vector3d::Zero());
    BodyNode *bar = loop.link(first, 4, {0.5, 0, -1}, {1, kRodSide, kRodSide}, {0, 0, -1});
    BodyNode *second = loop.link(nullptr, 1, {1, 0, -0.5}, {kRodSide, kRodSide, 1}, {1, 0, 0});
    loop.numbers = {1, 2, 4};
    loop.world->getConstraintSolver()->addConstraint(
        std::make_shared<constraint::BallJointConstraint>(bar, second, Vector3d(1, 0, -1)));
    loop.run("loop");
    BodyNode *leaf = door.link(nullptr, 20, {0.4, 0, 0}, {0.8, 0.04, 2}, {0, 0, -0.7}, Vector3d::UnitZ());
    door.world->getConstraintSolver()->addConstraint(
        std::make_shared<constraint::BallJointConstraint>(leaf, Vector3d(0, 0, 0.7)));
    door.run("door");
}

static BodyNode *block(const simulation::WorldPtr &world, const Vector3d &at, const Vector3d &sides, bool isFree)
{
    auto skeleton = dynamics::Skeleton::create(isFree ? "box" : "wall");
    BodyNode *body = isFree ? skeleton->createJointAndBodyNodePair<dynamics::FreeJoint>().second
                            : skeleton->createJointAndBodyNodePair<dynamics::WeldJoint>().second;
    body->createShapeNodeWith<dynamics::CollisionAspect, dynamics::DynamicsAspect>(
        std::make_shared<dynamics::BoxShape>(sides));
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = at;
    body->getParentJoint()->setTransformFromParentBodyNode(isFree ? Eigen::Isometry3d::Identity() : pose);
    if (isFree)
        static_cast<dynamics::FreeJoint *>(body->getParentJoint())->setTransform(pose);
    Scene::weigh(body, 1, sides);
    world->addSkeleton(skeleton);
    return body;
}

static void wall()
{
    Scene scene;
    block(scene.world, {-0.5, 0, 0}, {1, 4, 4}, false);
    BodyNode *body = block(scene.world, {0.1, 0, 0}, {0.2, 0.2, 0.2}, true);
    for (int step = 1; step <= STEPS; step++) {
        body->addExtForce({-50, 0, 0}, Vector3d::Zero(), false, true);
        scene.world->step();
        Vector3d sum = Vector3d::Zero();
        for (const auto &contact : scene.world->getLastCollisionResult().getContacts())
            sum += (contact.collisionObject1->getShapeFrame()->asShapeNode()->getBodyNodePtr() == body ? 1 : -1) *
                   contact.force;
        if (isSaid(step))
            say(name, "wall", 1, step, sum.data(), nullptr, nullptr, nullptr, nullptr);
    }
}

int main()
{
    std::printf("engine|%s|%s|`BodyNode::getBodyForce`, of joints of a tree; `Contact::force`|child (+)|child, its "
                "origin; torque first|N\n",
                name, DART_VERSION);
    rods();
    mechanisms();
    wall();
}

/* bullet_plan.h  A mechanism without loops as numbers, the source of both Bullet's worlds and the
 * true wrenches. */
#ifndef TESTS_ADAPTERS_BULLET_PLAN_H
#define TESTS_ADAPTERS_BULLET_PLAN_H

#include "tests/adapters/bullet_kit.h"

#include "adapters/bullet_inside.h"

#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>

#include <memory>

namespace bulletKit {
using ksiBullet::Pose;
using ksiBullet::Vector;

const double radius = 0.05; /* of all spheres; m */

/* The kinds that a multibody has as links come first. */
enum Kind { BALL, HINGE, SLIDER, FIXED, LINK_KINDS, UNIVERSAL = LINK_KINDS, PISTON, KINDS, FREE };

struct Part {
    Kind kind = FREE;
    int parent = -1; /* -1: the ground */
    Pose pose;
    Vector anchor, axis[2]; /* axis[1]: on the part, for a universal joint; else across axis[0] */
    double mass = 1;
    Vector inertia;
    double slideRate = 0;
    Vector turnRate;                  /* of a ball, in world axes; of other joints x and y only */
    Vector velocity, spin;            /* set by Plan::move */
    Vector force, torque;             /* applied */
    Vector drag, slowing, gyroscopic; /* further forces that the truth includes */
    int slides() const;
    int turns() const;
};

struct Plan {
    BulletTrees trees = {};
    uint64_t seed = 0;
    std::vector<Part> parts;
    Vector gravity, groundVelocity, groundSpin;
    std::vector<ksWrench> truth;
    double draw(double low, double high);
    Vector drawVector(double size);
    Vector drawAxis();
    void addPart();
    void move();
    void solveTruth();
};

inline btVector3 number(const Vector &v)
{
    return {btScalar(v.x), btScalar(v.y), btScalar(v.z)};
}

/* A solver that falsifies the report of the first constraint. */
struct Solver : btSequentialImpulseConstraintSolver {
    btScalar factor = 1;
    btTypedConstraint *spoilt = nullptr;
    btScalar solveGroup(btCollisionObject **bodies, int count, btPersistentManifold **manifold, int manifolds,
                        btTypedConstraint **constraints, int constraintCount, const btContactSolverInfo &info,
                        btIDebugDraw *drawer, btDispatcher *dispatcher) override
    {
        const btScalar left = btSequentialImpulseConstraintSolver::solveGroup(
            bodies, count, manifold, manifolds, constraints, constraintCount, info, drawer, dispatcher);
        btJointFeedback *feedback = spoilt ? spoilt->getJointFeedback() : nullptr;
        if (feedback && factor != 1) {
            feedback->m_appliedForceBodyA *= factor, feedback->m_appliedForceBodyB *= factor;
            feedback->m_appliedTorqueBodyA *= factor, feedback->m_appliedTorqueBodyB *= factor;
        }
        return left;
    }
};
}  // namespace bulletKit

/* A world and everything in it. */
struct BulletScene {
    bulletKit::Plan plan;
    double h = 1.0 / 240;
    int ticks = 0, contacts = 0;
    bool isReplaced = false;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    bulletKit::Solver solver;
    btMultiBodyConstraintSolver treeSolver;
    std::unique_ptr<btDiscreteDynamicsWorld> world;
    btSphereShape sphere{btScalar(bulletKit::radius)};
    btStaticPlaneShape plane{btVector3(0, 0, 1), 0};
    btRigidBody *ground = nullptr;
    btTransform was; /* of the ground, one step before */
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> constraints;
    std::vector<std::unique_ptr<btJointFeedback>> feedback;
    std::unique_ptr<btMultiBody> tree;
    std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders;
    std::vector<std::unique_ptr<btMultiBodyJointMotor>> motors;
    std::vector<btMultiBodyJointFeedback> linkFeedback;
    double torque = 0;
    double sunk = 0.001; /* m, depth of the lowest sphere in the floor */
    bool hasFeedback = false;
    bool hasBase = false; /* the first part is the base of the multibody */
};

/* The host's own callbacks: they count their calls and push the bodies. */
void bulletSetCallbacks(BulletScene *scene);
#endif

/* bullet_scenes.cpp  Bullet's worlds, from plans or written by hand. */
#include "tests/adapters/bullet_plan.h"

#include <algorithm>
#include <cmath>

using namespace bulletKit;

namespace {
const double linearDamping = 0.05, angularDamping = 0.1;
enum { BODIES = 1, FLOOR = 2 };

btTransform transformOf(const Pose &pose)
{
    const Vector *e = pose.axis;
    btMatrix3x3 basis;
    for (int k = 0; k < 3; k++) {
        const btVector3 column = number(e[k]);
        basis[0][k] = column.x(), basis[1][k] = column.y(), basis[2][k] = column.z();
    }
    return btTransform(basis, number(pose.origin));
}

/* A frame with z along one axis and y along another, perpendicular one. */
btTransform frameOf(const Vector &origin, const Vector &z, const Vector &y)
{
    Pose pose;
    pose.origin = origin;
    pose.axis[0] = y.cross(z), pose.axis[1] = y, pose.axis[2] = z;
    return transformOf(pose);
}

void makeWorld(BulletScene *scene)
{
    if (scene->plan.trees.areLinks)
        scene->world.reset(new btMultiBodyDynamicsWorld(&scene->dispatcher, &scene->broadphase, &scene->treeSolver,
                                                        &scene->configuration));
    else
        scene->world.reset(
            new btDiscreteDynamicsWorld(&scene->dispatcher, &scene->broadphase, &scene->solver, &scene->configuration));
    scene->world->setGravity(number(scene->plan.gravity));
}

btRigidBody *addBody(BulletScene *scene, const Part &part, bool isStatic, int group, int mask)
{
    btRigidBody::btRigidBodyConstructionInfo info(isStatic ? 0 : btScalar(part.mass), nullptr, &scene->sphere,
                                                  number(part.inertia));
    info.m_startWorldTransform = transformOf(part.pose);
    info.m_linearDamping = btScalar(scene->plan.trees.seed ? linearDamping : 0);
    info.m_angularDamping = btScalar(scene->plan.trees.seed ? angularDamping : 0);
    scene->bodies.emplace_back(new btRigidBody(info));
    btRigidBody *body = scene->bodies.back().get();
    body->setLinearVelocity(number(part.velocity));
    body->setAngularVelocity(number(part.spin));
    body->setActivationState(DISABLE_DEACTIVATION);
    if (!scene->plan.trees.isImplicit)
        body->setFlags(scene->plan.trees.seed % 2 ? BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT : 0);
    scene->world->addRigidBody(body, group, mask);
    return body;
}

/* The turns are free where the low limit is above the high one. */
btGeneric6DofSpring2Constraint *newD6(btRigidBody &a, btRigidBody *b, const btTransform &frame, const double low[6])
{
    const btTransform inA = a.getWorldTransform().inverse() * frame;
    btRigidBody &other = b ? *b : btTypedConstraint::getFixedBody();
    btGeneric6DofSpring2Constraint *d6 =
        new btGeneric6DofSpring2Constraint(a, other, inA, other.getWorldTransform().inverse() * frame);
    for (int k = 0; k < 6; k++)
        d6->setLimit(k, btScalar(low[k]), btScalar(low[k] > 0 ? -1 : -low[k]));
    return d6;
}

btTypedConstraint *newJoint(const BulletScene &scene, const Part &part, btRigidBody &a, btRigidBody *b)
{
    const bool hasDrives = scene.plan.trees.hasDrives;
    btRigidBody &other = b ? *b : btTypedConstraint::getFixedBody();
    const Vector third = part.axis[0].cross(part.axis[1]);
    const btTransform alongZ = frameOf(part.anchor, part.axis[0], part.axis[1]),
                      alongX = frameOf(part.anchor, third, part.axis[1]);
    const btTransform inA = a.getWorldTransform().inverse(), inB = other.getWorldTransform().inverse();
    if (part.kind == BALL)
        return new btPoint2PointConstraint(a, other, inA * number(part.anchor), inB * number(part.anchor));
    if (part.kind == FIXED)
        return new btFixedConstraint(a, other, inA * alongZ, inB * alongZ);
    if (part.kind == HINGE) {
        btHingeConstraint *hinge = new btHingeConstraint(a, other, inA * alongZ, inB * alongZ);
        if (hasDrives) {
            // on a static body, a hinge at its stop is recorded otherwise: see at_its_stop
            if (!other.isStaticOrKinematicObject())
                hinge->setLimit(btScalar(-0.02), btScalar(0.02));
            hinge->enableAngularMotor(true, 1, btScalar(0.002));
        }
        return hinge;
    }
    if (part.kind == UNIVERSAL) {
        static const double low[6] = {0, 0, 0, 0, 1, 1};
        btGeneric6DofSpring2Constraint *d6 = newD6(a, b, frameOf(part.anchor, part.axis[1], part.axis[0]), low);
        if (hasDrives) {
            d6->enableSpring(4, true), d6->setStiffness(4, 3), d6->setEquilibriumPoint(4, btScalar(0.1));
            d6->enableMotor(5, true), d6->setTargetVelocity(5, 1), d6->setMaxMotorForce(5, btScalar(0.3));
        }
        return d6;
    }
    btSliderConstraint *slider = new btSliderConstraint(a, other, inA * alongX, inB * alongX, true);
    if (part.kind == PISTON)
        slider->setLowerAngLimit(1), slider->setUpperAngLimit(-1);
    if (hasDrives)
        slider->setPoweredLinMotor(true), slider->setTargetLinMotorVelocity(1), slider->setMaxLinMotorForce(2);
    return slider;
}

void addConstraint(BulletScene *scene, btTypedConstraint *constraint, bool hasFeedback)
{
    scene->constraints.emplace_back(constraint);
    scene->world->addConstraint(constraint, true);
    if (!hasFeedback)
        return;
    scene->feedback.emplace_back(new btJointFeedback());
    constraint->setJointFeedback(scene->feedback.back().get());
}

void addGround(BulletScene *scene)
{
    double lowest = 1e9;
    for (const Part &part : scene->plan.parts)
        lowest = std::min(lowest, part.pose.origin.z);
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, &scene->plane);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin({0, 0, btScalar(lowest - radius + scene->sunk)});
    scene->bodies.emplace_back(new btRigidBody(info));
    scene->world->addRigidBody(scene->bodies.back().get(), FLOOR, BODIES);
}

void buildBodies(BulletScene *scene)
{
    Plan &plan = scene->plan;
    const double h = scene->h;
    for (Part &part : plan.parts) {
        addBody(scene, part, false, BODIES, plan.trees.hasFloor ? int(FLOOR) : 0);
        const double v = (std::pow(1 - linearDamping, h) - 1) / h, w = (std::pow(1 - angularDamping, h) - 1) / h;
        const Vector damped = part.spin * (1 + h * w);
        if (plan.trees.seed)
            part.drag = part.velocity * (part.mass * v), part.slowing = part.pose.scale(part.inertia, part.spin * w);
        if (plan.trees.seed % 2)
            part.gyroscopic = damped.cross(part.pose.scale(part.inertia, damped)) * -1;
    }
    if (plan.trees.isKinematic) {
        Part part;
        part.pose = Pose(btTransform::getIdentity());
        part.inertia = {1, 1, 1};
        scene->ground = addBody(scene, part, true, BODIES, 0);
        scene->ground->setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
        scene->ground->setInterpolationWorldTransform(scene->was);
    }
    for (size_t i = 0; i < plan.parts.size(); i++) {
        const Part &part = plan.parts[i];
        btRigidBody *parent = part.parent < 0 ? scene->ground : scene->bodies[size_t(part.parent)].get();
        if (part.kind != FREE)
            addConstraint(scene, newJoint(*scene, part, *scene->bodies[i], parent), i % 3 == 0);
    }
    if (plan.trees.hasFloor)
        addGround(scene);
}

/* --- Links --- */

void setLink(BulletScene *scene, int index, const Part &part)
{
    const btTransform own = transformOf(part.pose);
    const btTransform parent =
        part.parent < 0 ? btTransform::getIdentity() : transformOf(scene->plan.parts[size_t(part.parent)].pose);
    const btQuaternion turned = (own.inverse() * parent).getRotation();
    const btVector3 toPivot = parent.inverse() * number(part.anchor), toCentre = -(own.inverse() * number(part.anchor));
    const btVector3 axis = own.getBasis().transpose() * number(part.axis[0]), inertia = number(part.inertia);
    const btScalar mass = btScalar(part.mass);
    btMultiBody *tree = scene->tree.get();
    const int above = part.parent - scene->hasBase;
    if (part.kind == HINGE)
        tree->setupRevolute(index, mass, inertia, above, turned, axis, toPivot, toCentre, true);
    else if (part.kind == SLIDER)
        tree->setupPrismatic(index, mass, inertia, above, turned, axis, toPivot, toCentre, true);
    else if (part.kind == BALL)
        tree->setupSpherical(index, mass, inertia, above, turned, toPivot, toCentre, true);
    else
        tree->setupFixed(index, mass, inertia, above, turned, toPivot, toCentre);
}

void setRate(BulletScene *scene, int index, const Part &part)
{
    const btVector3 local = transformOf(part.pose).getBasis().transpose() * number(part.turnRate);
    btScalar rates[3] = {local.x(), local.y(), local.z()};
    if (part.kind == HINGE || part.kind == SLIDER)
        scene->tree->setJointVel(index, btScalar(part.kind == HINGE ? part.turnRate.x : part.slideRate));
    if (part.kind == BALL)
        scene->tree->setJointVelMultiDof(index, rates);
}

void addCollider(BulletScene *scene, int index)
{
    scene->colliders.emplace_back(new btMultiBodyLinkCollider(scene->tree.get(), index));
    btMultiBodyLinkCollider *collider = scene->colliders.back().get();
    collider->setCollisionShape(&scene->sphere);
    collider->setWorldTransform(transformOf(scene->plan.parts[size_t(index + scene->hasBase)].pose));
    collider->setActivationState(DISABLE_DEACTIVATION);
    scene->world->addCollisionObject(collider, BODIES, FLOOR);
    scene->tree->getLink(index).m_collider = collider;
}

void finishTree(BulletScene *scene)
{
    const Plan &plan = scene->plan;
    btMultiBody *tree = scene->tree.get();
    tree->finalizeMultiDof();
    tree->setLinearDamping(btScalar(plan.trees.seed ? linearDamping : 0));
    tree->setAngularDamping(btScalar(plan.trees.seed ? angularDamping : 0));
    const int links = tree->getNumLinks();
    scene->linkFeedback.resize(size_t(links));
    btMultiBodyDynamicsWorld *world = static_cast<btMultiBodyDynamicsWorld *>(scene->world.get());
    world->addMultiBody(tree);
    for (int i = 0; i < links; i++) {
        const Part &part = plan.parts[size_t(i) + scene->hasBase];
        setRate(scene, i, part);
        if (scene->hasFeedback)
            tree->getLink(i).m_jointFeedback = &scene->linkFeedback[size_t(i)];
        if (plan.trees.hasFloor)
            addCollider(scene, i);
        if (plan.trees.hasDrives && part.kind == HINGE) {
            scene->motors.emplace_back(new btMultiBodyJointMotor(tree, i, 1, btScalar(0.002)));
            world->addMultiBodyConstraint(scene->motors.back().get());
            scene->motors.back()->finalizeMultiDof();
        }
    }
}

void buildTree(BulletScene *scene)
{
    Plan &plan = scene->plan;
    const Part &base = plan.parts[0];
    scene->hasBase = base.kind == FREE;
    const int links = int(plan.parts.size()) - scene->hasBase;
    scene->tree.reset(
        new btMultiBody(links, btScalar(scene->hasBase ? base.mass : 0), number(base.inertia), !scene->hasBase, false));
    for (int i = 0; i < links; i++)
        setLink(scene, i, plan.parts[size_t(i) + scene->hasBase]);
    finishTree(scene);
    if (scene->hasBase) {
        scene->tree->setBaseWorldTransform(transformOf(base.pose));
        scene->tree->setBaseVel(number(base.velocity));
        scene->tree->setBaseOmega(number(base.spin));
    }
    for (Part &part : plan.parts) {
        const Vector &v = part.velocity, &w = part.spin, momentum = part.pose.scale(part.inertia, w);
        if (plan.trees.seed) {
            part.drag = v * (-part.mass * linearDamping * (1 + v.length()));
            part.slowing = momentum * (-angularDamping * (1 + w.length()));
        }
        part.gyroscopic = w.cross(momentum) * -1;
    }
    if (plan.trees.hasFloor)
        addGround(scene);
}

BulletScene *build(BulletScene *scene)
{
    scene->plan.move();
    makeWorld(scene);
    bulletSetCallbacks(scene);
    if (scene->plan.trees.areLinks)
        buildTree(scene);
    else
        buildBodies(scene);
    return scene;
}

/* Bullet derives the ground's velocity from two poses. The plan takes this velocity, which in
 * single precision is off by some thousandths. */
void moveGround(BulletScene *scene, const Vector &velocity, const Vector &spin)
{
    const btTransform now = btTransform::getIdentity();
    btVector3 v, w;
    btTransformUtil::integrateTransform(now, number(velocity), number(spin), btScalar(-scene->h), scene->was);
    btTransformUtil::calculateVelocity(scene->was, now, btScalar(scene->h), v, w);
    scene->plan.groundVelocity = v, scene->plan.groundSpin = w;
}

Part rod(Kind kind, int parent, const Vector &from, const Vector &along, double mass)
{
    Part part;
    part.kind = kind, part.parent = parent, part.mass = mass;
    part.pose = Pose(btTransform::getIdentity());
    part.pose.origin = from + along * 0.5;
    part.anchor = from;
    part.axis[0] = {0, 1, 0}, part.axis[1] = {1, 0, 0};
    part.inertia = {mass * 0.02, mass * 0.02, mass * 0.02};
    return part;
}
}  // namespace

extern "C" {

BulletScene *bulletTrees(const BulletTrees *trees)
{
    BulletScene *scene = new BulletScene;
    Plan &plan = scene->plan;
    plan.trees = *trees;
    plan.seed = trees->seed * UINT64_C(0x9E3779B97F4A7C15);
    plan.gravity = {1, 0.5, -9.81};
    scene->hasFeedback = trees->isImplicit;
    scene->h = trees->hasDrives ? 1.0 / 960 : 1.0 / 240;
    if (trees->isKinematic)
        moveGround(scene, {0.3, -0.2, 0.1}, {0.2, 0.4, -0.5});
    for (int i = 0; i < BULLET_JOINTS; i++)
        plan.addPart();
    return build(scene);
}

BulletScene *bulletChain(int areLinks)
{
    BulletScene *scene = new BulletScene;
    scene->plan.trees.areLinks = areLinks;
    scene->plan.gravity = {0, 0, -9.81};
    scene->hasFeedback = true;
    for (int i = 0; i < 4; i++)
        scene->plan.parts.push_back(rod(HINGE, i - 1, {0, 0, -0.5 * i}, {0, 0, -0.5}, 1));
    return build(scene);
}

BulletScene *bulletPendulum(const BulletPendulum *pendulum)
{
    BulletScene *scene = new BulletScene;
    const double l = pendulum->length;
    scene->plan.trees.areLinks = pendulum->areLinks;
    scene->plan.gravity = {0, 0, -9.81};
    scene->h = pendulum->step;
    scene->hasFeedback = pendulum->hasFeedback;
    scene->torque = pendulum->torque;
    Part part =
        rod(HINGE, -1, {}, {2 * l * std::sin(pendulum->angle), 0, -2 * l * std::cos(pendulum->angle)}, pendulum->mass);
    part.inertia = {pendulum->inertia, pendulum->inertia, pendulum->inertia};
    part.turnRate.x = pendulum->rate;
    scene->plan.parts.push_back(part);
    return build(scene);
}

BulletScene *bulletArch(double across, double high)
{
    BulletScene *scene = new BulletScene;
    scene->plan.gravity = {0, 0, -9.81};
    scene->plan.parts.push_back(rod(HINGE, -1, {}, {across, 0, high}, 2));
    scene->plan.parts.push_back(rod(HINGE, -1, {2 * across, 0, 0}, {-across, 0, high}, 2));
    build(scene);
    Part crown = rod(BALL, 0, {across, 0, high}, {}, 1);
    addConstraint(scene, newJoint(*scene, crown, *scene->bodies[0], scene->bodies[1].get()), false);
    return scene;
}

BulletScene *bulletLever(double first, double second)
{
    BulletScene *scene = new BulletScene;
    const double end = 2 * first, out = 2 * (second - end);
    scene->plan.trees.areLinks = scene->plan.trees.hasFloor = true;
    scene->plan.gravity = {0, 0, -9.81};
    scene->sunk = 0;
    scene->plan.parts.push_back(rod(HINGE, -1, {}, {end, 0, 0}, 2));
    scene->plan.parts.push_back(rod(FIXED, 0, {end, 0, 0}, {out, 0, 0.4}, 1));
    return build(scene);
}

BulletScene *bulletPair(BulletKind kind)
{
    static const double universalX[6] = {0, 0, 0, 1, 1, 0}, crank[6] = {1, 0, 0, 0, 1, 0},
                        plane[6] = {1, 1, 0, 0, 0, 0};
    static const double hinge2[6] = {0, 0, -1, 1, 0, -0.7};
    BulletScene *scene = new BulletScene;
    scene->plan.gravity = {0.5, 1, -9.81};
    scene->plan.parts.push_back(rod(HINGE, -1, {}, {0.5, 0, -0.25}, 1));
    scene->plan.parts.push_back(rod(FREE, -1, {0.5, 0, -0.25}, {0.5, 0.125, -0.25}, 1.5));
    build(scene);
    btRigidBody &a = *scene->bodies[0], &b = *scene->bodies[1];
    // an untilted frame has no rounding, so that this constraint has no rows
    const btTransform frame = kind == BULLET_ROD ? frameOf({0.5, 0, -0.25}, {0, 0, 1}, {0, 1, 0})
                                                 : frameOf({0.5, 0, -0.25}, {0, 0.6, 0.8}, {0, 0.8, -0.6});
    const btTransform inA = a.getWorldTransform().inverse() * frame, inB = b.getWorldTransform().inverse() * frame;
    const Vector along = frame.getBasis().getColumn(0);
    btTypedConstraint *made = nullptr;
    if (kind == BULLET_CONE)
        made = new btConeTwistConstraint(a, b, inA, inB);
    else if (kind == BULLET_ROD)
        made = new btGeneric6DofConstraint(a, b, inA, inB, true);
    else if (kind == BULLET_APART)
        made = new btPoint2PointConstraint(a, b, inA.getOrigin(), inB.getOrigin() + btVector3(btScalar(0.1), 0, 0));
    else if (kind == BULLET_STOP || kind == BULLET_SOFT_BALL)
        made = new btPoint2PointConstraint(a, b, inA.getOrigin(), inB.getOrigin());
    else if (kind == BULLET_ANGULAR || kind == BULLET_DISABLED || kind == BULLET_STOP_BETWEEN ||
             kind == BULLET_SOFT_HINGE)
        made = new btHingeConstraint(a, b, inA, inB);
    else
        made = newD6(a, &b, frame,
                     kind == BULLET_HINGE2                        ? hinge2
                     : kind == BULLET_CRANK || kind == BULLET_OUT ? crank
                     : kind == BULLET_PLANE                       ? plane
                                                                  : universalX);
    if (kind == BULLET_OUT)
        static_cast<btGeneric6DofSpring2Constraint *>(made)->getFrameOffsetB().setOrigin(inB.getOrigin() +
                                                                                         number(along * 0.25));
    if (kind == BULLET_HINGE2)
        static_cast<btGeneric6DofSpring2Constraint *>(made)->enableSpring(2, true),
            static_cast<btGeneric6DofSpring2Constraint *>(made)->setStiffness(2, 100);
    if (kind == BULLET_SOFT_HINGE || kind == BULLET_SOFT_BALL)
        made->setParam(BT_CONSTRAINT_CFM, btScalar(1e-3), -1);
    if (kind == BULLET_ANGULAR)
        static_cast<btHingeConstraint *>(made)->setAngularOnly(true);
    if (kind == BULLET_ROD)
        for (int k = 0; k < 6; k++)
            static_cast<btGeneric6DofConstraint *>(made)->setLimit(k, 0, 0);
    if (kind == BULLET_STOP || kind == BULLET_STOP_BETWEEN)
        static_cast<btHingeConstraint *>(kind == BULLET_STOP ? scene->constraints[0].get() : made)
            ->setLimit(0, btScalar(1e-4));
    made->setEnabled(kind != BULLET_DISABLED);
    addConstraint(scene, made, false);
    return scene;
}
}

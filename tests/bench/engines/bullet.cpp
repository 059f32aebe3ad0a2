/* bullet.cpp  Scenes in Bullet: adapters/bullet.h. Rigid bodies with constraints, or trees of
 * joints as multibodies. */
#include "engines.h"

#include "adapters/bullet.h"

#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointFeedback.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <vector>

namespace {
enum { BODIES = 1, GROUND = 2 };

const bool isDouble = sizeof(btScalar) == sizeof(double);

/* the settings; Bullet's default is 10 iterations */
const struct {
    int iterations;
    bool areLinks;
} chosen[] = {{10, false}, {50, false}, {200, false}, {10, true}};

struct Place {
    btRigidBody *body;
    btMultiBody *tree;
    int root, link; /* root: the first body of the tree; link: -1 is the base */
};

struct World {
    const EngineScene *scene;
    double stepSize;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btMultiBodyConstraintSolver solver; /* works as a btSequentialImpulseConstraintSolver if there
                                           are no multibodies */
    btMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    btStaticPlaneShape plane{btVector3(0, 0, 1), 0};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> constraints;
    std::vector<std::unique_ptr<btMultiBody>> trees;
    std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders;
    std::vector<std::unique_ptr<btMultiBodyJointFeedback>> feedback;
    Place place[ENGINE_BODIES] = {};
    ksBullet *adapter = nullptr;
    ~World();
};

/* A Bullet world does not own its contents. */
World::~World()
{
    for (const auto &constraint : constraints)
        world.removeConstraint(constraint.get());
    for (const auto &tree : trees)
        world.removeMultiBody(tree.get());
    for (const auto &body : bodies)
        world.removeRigidBody(body.get());
    for (const auto &collider : colliders)
        world.removeCollisionObject(collider.get());
}

btVector3 number(const double v[3])
{
    return {btScalar(v[0]), btScalar(v[1]), btScalar(v[2])};
}

btTransform poseOf(const EngineBody &body)
{
    const double *q = body.quaternion;
    return btTransform(btQuaternion(btScalar(q[1]), btScalar(q[2]), btScalar(q[3]), btScalar(q[0])),
                       number(body.position));
}

/* A frame with z along one axis and y along another, perpendicular one. */
btTransform frameOf(const double at[3], const btVector3 &z, const btVector3 &y)
{
    const btVector3 x = y.cross(z);
    return btTransform(btMatrix3x3(x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]), number(at));
}

/* Both sides of a contact have the root of the scene's friction, since Bullet multiplies them. */
void setFriction(const World &w, btCollisionObject *object)
{
    object->setFriction(btScalar(std::sqrt(w.scene->friction)));
    object->setActivationState(DISABLE_DEACTIVATION);
}

btCollisionShape *addShape(World *w, const EngineBody &body)
{
    const double *size = body.size;
    btCollisionShape *made;
    if (body.shape == SHAPE_BOX)
        made = new btBoxShape(number(size));
    else if (body.shape == SHAPE_BALL)
        made = new btSphereShape(btScalar(size[0]));
    else
        made = new btCapsuleShapeZ(btScalar(size[0]), btScalar(2 * size[1]));
    w->shapes.emplace_back(made);
    return made;
}

int maskOf(const EngineScene &scene)
{
    return (scene.touches ? BODIES : 0) | (scene.hasGround ? GROUND : 0);
}

/* --- Rigid bodies and constraints --- */

btRigidBody *addBody(World *w, int i)
{
    const EngineBody &body = w->scene->body[i];
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(body.mass), nullptr, addShape(w, body),
                                                  number(body.inertia));
    info.m_startWorldTransform = poseOf(body);
    w->bodies.emplace_back(new btRigidBody(info));
    btRigidBody *made = w->bodies.back().get();
    setFriction(*w, made);
    w->world.addRigidBody(made, BODIES, maskOf(*w->scene));
    w->place[i].body = made;
    return made;
}

void addGround(World *w)
{
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, &w->plane);
    w->bodies.emplace_back(new btRigidBody(info));
    setFriction(*w, w->bodies.back().get());
    w->world.addRigidBody(w->bodies.back().get(), GROUND, BODIES);
}

btTypedConstraint *newConstraint(const EngineJoint &joint, btRigidBody &a, btRigidBody &b)
{
    const btVector3 first = number(joint.axis[0]), second = number(joint.axis[1]);
    btVector3 across, third;
    btPlaneSpace1(first, across, third);
    const btTransform inA = a.getWorldTransform().inverse(), inB = b.getWorldTransform().inverse();
    const btTransform alongZ = frameOf(joint.anchor, first, across);
    const btVector3 at = number(joint.anchor);
    btTransform frame = alongZ;
    switch (int(joint.type)) {
    case KS_JOINT_BALL:
        return new btPoint2PointConstraint(a, b, inA * at, inB * at);
    case KS_JOINT_HINGE:
        return new btHingeConstraint(a, b, inA * alongZ, inB * alongZ);
    case KS_JOINT_SLIDER:
        // Bullet's slider is along x
        frame = frameOf(joint.anchor, across.cross(first) * -1, across);
        return new btSliderConstraint(a, b, inA * frame, inB * frame, true);
    case KS_JOINT_UNIVERSAL: {
        // Bullet's angles are singular where the middle one, about y, is a right angle; this one
        // stays 0
        frame = frameOf(joint.anchor, first, first.cross(second));
        auto *d6 = new btGeneric6DofSpring2Constraint(a, b, inA * frame, inB * frame);
        for (int k = 0; k < 6; k++) {
            const bool isFree = k == 3 || k == 5;
            d6->setLimit(k, btScalar(isFree ? 1 : 0), btScalar(isFree ? -1 : 0));
        }
        return d6;
    }
    default:
        frame = btTransform(btMatrix3x3::getIdentity(), at);
        return new btFixedConstraint(a, b, inA * frame, inB * frame);
    }
}

void buildBodies(World *w)
{
    const EngineScene &scene = *w->scene;
    for (int i = 0; i < scene.bodyCount; i++)
        addBody(w, i);
    for (int i = 0; i < scene.jointCount; i++) {
        const EngineJoint &joint = scene.joint[i];
        btRigidBody &other = joint.body[1] == WORLD ? btTypedConstraint::getFixedBody() : *w->place[joint.body[1]].body;
        w->constraints.emplace_back(newConstraint(joint, *w->place[joint.body[0]].body, other));
        w->world.addConstraint(w->constraints.back().get(), true);
    }
}

/* --- Multibodies --- */

void addCollider(World *w, int i)
{
    const EngineScene &scene = *w->scene;
    const Place &place = w->place[i];
    if (!scene.hasGround)
        return;
    w->colliders.emplace_back(new btMultiBodyLinkCollider(place.tree, place.link));
    btMultiBodyLinkCollider *made = w->colliders.back().get();
    made->setCollisionShape(addShape(w, scene.body[i]));
    made->setWorldTransform(poseOf(scene.body[i]));
    setFriction(*w, made);
    w->world.addCollisionObject(made, BODIES, maskOf(scene));
    if (place.link < 0)
        place.tree->setBaseCollider(made);
    else
        place.tree->getLink(place.link).m_collider = made;
}

void setLink(World *w, int i, const EngineJoint &joint)
{
    const EngineBody &body = w->scene->body[i];
    const Place &place = w->place[i];
    const btTransform own = poseOf(body), parent = joint.body[1] == WORLD ? btTransform::getIdentity()
                                                                          : poseOf(w->scene->body[joint.body[1]]);
    const int above = joint.body[1] == WORLD ? -1 : w->place[joint.body[1]].link;
    const btQuaternion turned = (own.inverse() * parent).getRotation();
    const btVector3 at = number(joint.anchor), toPivot = parent.inverse() * at, toCentre = -(own.inverse() * at);
    const btVector3 axis = own.getBasis().transpose() * number(joint.axis[0]), inertia = number(body.inertia);
    const btScalar mass = btScalar(body.mass);
    if (joint.type == KS_JOINT_HINGE)
        place.tree->setupRevolute(place.link, mass, inertia, above, turned, axis, toPivot, toCentre, true);
    else if (joint.type == KS_JOINT_SLIDER)
        place.tree->setupPrismatic(place.link, mass, inertia, above, turned, axis, toPivot, toCentre, true);
    else if (joint.type == KS_JOINT_BALL)
        place.tree->setupSpherical(place.link, mass, inertia, above, turned, toPivot, toCentre, true);
    else
        place.tree->setupFixed(place.link, mass, inertia, above, turned, toPivot, toCentre);
    w->feedback.emplace_back(new btMultiBodyJointFeedback());
    place.tree->getLink(place.link).m_jointFeedback = w->feedback.back().get();
}

/* Numbers the bodies below a root, which come after it, as links. Returns the number of links. */
int numberLinks(World *w, int root, bool isBase)
{
    int count = 0;
    for (int i = root; i < w->scene->bodyCount; i++) {
        const EngineJoint *joint = engineJointAbove(w->scene, i);
        const bool isBelow = joint && joint->body[1] >= root && w->place[joint->body[1]].root == root;
        if (i == root || isBelow)
            w->place[i] = {nullptr, nullptr, root, i == root && isBase ? -1 : count++};
    }
    return count;
}

/* root: a body without a joint above it, or one that hangs from the world. */
void addTree(World *w, int root)
{
    const EngineScene &scene = *w->scene;
    const EngineBody &base = scene.body[root];
    const bool isBase = !engineJointAbove(&scene, root);
    auto *tree = new btMultiBody(numberLinks(w, root, isBase), btScalar(isBase ? base.mass : 0), number(base.inertia),
                                 !isBase, false);
    w->trees.emplace_back(tree);
    for (int i = root; i < scene.bodyCount; i++)
        if (w->place[i].root == root) {
            w->place[i].tree = tree;
            if (w->place[i].link >= 0)
                setLink(w, i, *engineJointAbove(&scene, i));
        }
    tree->setHasSelfCollision(false);
    tree->finalizeMultiDof();
    tree->setLinearDamping(0);
    tree->setAngularDamping(0);
    if (isBase)
        tree->setBaseWorldTransform(poseOf(base));
    w->world.addMultiBody(tree);
    for (int i = root; i < scene.bodyCount; i++)
        if (w->place[i].tree == tree)
            addCollider(w, i);
}

void buildTrees(World *w)
{
    const EngineScene &scene = *w->scene;
    for (Place &place : w->place)
        place.root = -1;
    for (int i = 0; i < scene.bodyCount; i++) {
        bool isParent = false;
        for (int k = 0; k < scene.jointCount; k++)
            isParent = isParent || scene.joint[k].body[1] == i;
        const EngineJoint *joint = engineJointAbove(&scene, i);
        if (!joint && !isParent)
            addBody(w, i);
        else if (!joint || joint->body[1] == WORLD)
            addTree(w, i);
    }
}

/* --- The engine --- */

void describe(char text[ENGINE_NAME])
{
    snprintf(text, ENGINE_NAME,
             "%d.%02d, %s precision; ERP 0.2, no CFM, split impulses, sequential impulses with warm starts, no sleep",
             btGetVersion() / 100, btGetVersion() % 100, isDouble ? "double" : "single");
}

const char *lacks(const EngineScene *scene, int setting)
{
    for (int i = 0; chosen[setting].areLinks && i < scene->jointCount; i++)
        if (scene->joint[i].closes)
            return "a loop of a multibody is a load on its links, and no joint of the recording";
    return nullptr;
}

bool closeWorld(void *world)
{
    World *w = static_cast<World *>(world);
    const ksStatus status = ksBulletClose(w->adapter);
    if (status)
        fprintf(stderr, "engines: Bullet: %s\n", ksErrorMessage());
    delete w;
    return !status;
}

void *openWorld(const EngineScene *scene, int setting, double stepSize, const char *path)
{
    World *w = new World;
    w->scene = scene;
    w->stepSize = stepSize;
    w->world.setGravity(btVector3(0, 0, btScalar(-engineGravity)));
    w->world.getSolverInfo().m_numIterations = chosen[setting].iterations;
    if (scene->hasGround)
        addGround(w);
    (chosen[setting].areLinks ? buildTrees : buildBodies)(w);
    if (path && ksBulletCreate(&w->world, path, &w->adapter)) {
        fprintf(stderr, "engines: Bullet: %s\n", ksErrorMessage());
        (void)closeWorld(w);
        return nullptr;
    }
    if (ksBulletGetNotes(w->adapter)[0])
        fprintf(stderr, "engines: %s, Bullet: %s", scene->name, ksBulletGetNotes(w->adapter));
    return w;
}

void put(ksRecordedState *out, const btTransform &pose, const btVector3 &velocity, const btVector3 &spin)
{
    const btQuaternion q = pose.getRotation();
    const double turned[4] = {double(q.w()), double(q.x()), double(q.y()), double(q.z())};
    for (int k = 0; k < 4; k++)
        out->quaternion[k] = turned[k];
    for (int k = 0; k < 3; k++) {
        out->position[k] = double(pose.getOrigin()[k]);
        out->velocity[k] = double(velocity[k]);
        out->angularVelocity[k] = double(spin[k]);
    }
}

void state(void *world, ksRecordedState *out)
{
    const World &w = *static_cast<World *>(world);
    for (const auto &tree : w.trees) {
        const size_t count = size_t(tree->getNumLinks()) + 1;
        std::vector<btVector3> spin(count), velocity(count);
        btAlignedObjectArray<btQuaternion> turned;
        btAlignedObjectArray<btVector3> origin;
        // Bullet leaves the links at their poses before the step
        tree->forwardKinematics(turned, origin);
        tree->compTreeLinkVelocities(spin.data(), velocity.data());
        for (int i = 0; i < w.scene->bodyCount; i++) {
            if (w.place[i].tree != tree.get())
                continue;
            const int link = w.place[i].link;
            const btTransform pose =
                link < 0 ? tree->getBaseWorldTransform() : tree->getLink(link).m_cachedWorldTransform;
            put(&out[i], pose, pose.getBasis() * velocity[size_t(link + 1)], pose.getBasis() * spin[size_t(link + 1)]);
        }
    }
    for (int i = 0; i < w.scene->bodyCount; i++)
        if (const btRigidBody *body = w.place[i].body)
            put(&out[i], body->getWorldTransform(), body->getLinearVelocity(), body->getAngularVelocity());
}

bool step(void *world, const ksWrench *load)
{
    World &w = *static_cast<World *>(world);
    for (int i = 0; i < w.scene->bodyCount; i++) {
        const Place &place = w.place[i];
        const btVector3 force = number(load[i].force), torque = number(load[i].torque);
        if (place.body)
            place.body->applyCentralForce(force), place.body->applyTorque(torque);
        else if (place.link < 0)
            place.tree->addBaseForce(force), place.tree->addBaseTorque(torque);
        else
            place.tree->addLinkForce(place.link, force), place.tree->addLinkTorque(place.link, torque);
    }
    w.world.stepSimulation(btScalar(w.stepSize), 0);
    const ksStatus status = w.adapter ? ksBulletGetStatus(w.adapter, nullptr) : KS_OK;
    if (status && status != KS_ERROR_NOT_FINITE)
        fprintf(stderr, "engines: Bullet: %s\n", ksErrorMessage());
    return !status;
}
}  // namespace

const Engine engineBullet = {"Bullet",
                             describe,
                             {"SI-10", "SI-50", "SI-200", "Links"},
                             {"rigid bodies with constraints, 10 iterations, Bullet's default", "50", "200",
                              "btMultiBody for trees without loops, 10 iterations for contacts; no damping"},
                             // single precision has 24 bits, and a load is a change of velocity in
                             // a step
                             isDouble ? 0 : 1e-2,
                             lacks,
                             openWorld,
                             state,
                             step,
                             closeWorld,
                             nullptr};

/* bullet_step.cpp  Converts a substep of Bullet into a step of the recording:
 *
 *     M (v' - v)/h = f + J^T lambda
 *
 * M: masses; v, v': velocities before and after the substep; h: its length; f: loads; J: rows of
 * the constraints in the pose before the substep; lambda: their forces. */
#include "bullet_inside.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace ksiBullet;

Pose::Pose(const btTransform &t) : origin(t.getOrigin())
{
    for (int k = 0; k < 3; k++)
        axis[k] = t.getBasis().getColumn(k);
}

Vector Pose::scale(const Vector &diagonal, const Vector &v) const
{
    return turn({diagonal.x * v.dot(axis[0]), diagonal.y * v.dot(axis[1]), diagonal.z * v.dot(axis[2])});
}

void Freedom::project(const Vector &force, const Vector &torque, Vector *freeForce, Vector *freeTorque) const
{
    *freeForce = slides ? slide * force.dot(slide) : Vector();
    *freeTorque = turns == 3 ? torque : Vector();
    if (turns == 1 || turns == 2)
        *freeTorque = turn[0] * torque.dot(turn[0]);
    if (turns == 2) {
        const Vector across = turn[1] - turn[0] * turn[0].dot(turn[1]);
        *freeTorque = *freeTorque + across * (torque.dot(across) / across.dot(across));
    }
}

void ksiBullet::setState(ksRecordedState *state, const btTransform &t, const Vector &velocity, const Vector &spin)
{
    const btQuaternion q = t.getRotation();
    Vector(t.getOrigin()).putInto(state->position);
    state->quaternion[0] = q.w(), state->quaternion[1] = q.x(), state->quaternion[2] = q.y(),
    state->quaternion[3] = q.z();
    velocity.putInto(state->velocity);
    spin.putInto(state->angularVelocity);
}

void ksiBullet::push(ksWrench *out, const Vector &arm, const Vector &force, const Vector &torque, double sign)
{
    force.addTo(out->force, sign);
    (torque + arm.cross(force)).addTo(out->torque, sign);
}

void ksiBullet::findFreedom(Hold *hold)
{
    const Pose side[2] = {Pose(hold->held[0]->getWorldTransform() * hold->frame[0]),
                          Pose(hold->held[1]->getWorldTransform() * hold->frame[1])};
    hold->freedom.anchor = side[1].origin;
    hold->freedom.slide = side[0].axis[hold->slideAxis];
    for (int i = 0; i < 2; i++)
        hold->freedom.turn[i] = side[hold->turnSide[i]].axis[hold->turnAxis[i]];
}

namespace {
/* --- Before --- */

/* Changes of the velocities by Bullet other than by forces and constraints: its own functions
 * compute them on the body, whose velocities are then restored. */
void findLoads(const btDynamicsWorld *world, Body *body, double h)
{
    btRigidBody &own = *body->own;
    const btVector3 v = own.getLinearVelocity(), w = own.getAngularVelocity();
    const btScalar step = btScalar(h);
    const Pose pose(own.getWorldTransform());
    const int flags = own.getFlags();
    own.applyDamping(step);
    const btVector3 dampedV = own.getLinearVelocity(), dampedW = own.getAngularVelocity();
    Vector gyroscopic, turned = Vector(dampedW) - w;
    if (flags & BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT)
        gyroscopic = own.computeGyroscopicForceExplicit(world->getSolverInfo().m_maxGyroscopicForce);
    if (flags & BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_WORLD)
        turned = turned + own.computeGyroscopicImpulseImplicit_World(step);
    if (flags & BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY)
        turned = turned + own.computeGyroscopicImpulseImplicit_Body(step);
    own.setLinearVelocity(v);
    own.setAngularVelocity(w);
    body->force = (Vector(dampedV) - v) * (body->mass / h) + own.getTotalForce();
    body->torque = pose.scale(body->inertia, turned * (1 / h)) + own.getTotalTorque() - gyroscopic;
}

void beginBody(ksBullet *a, size_t index, double h)
{
    Body *body = &a->body[index];
    const btRigidBody &own = *body->own;
    const Vector v = own.getLinearVelocity(), w = own.getAngularVelocity();
    if (!body->isDriven) {
        setState(&a->before[index], own.getWorldTransform(), v, w);
        findLoads(a->world, body, h);
        return;
    }
    if (a->steps == 0)
        body->velocity = v, body->spin = w;
    // the step begins at this pose, and its end follows from the velocities
    btTransform next;
    btTransformUtil::integrateTransform(own.getWorldTransform(), own.getLinearVelocity(), own.getAngularVelocity(),
                                        btScalar(h), next);
    setState(&a->before[index], own.getWorldTransform(), body->velocity, body->spin);
    setState(&a->after[index], next, v, w);
    body->velocity = v, body->spin = w;
}

bool areSame(const ksBullet *a)
{
    bool is = size_t(a->world->getNumConstraints()) == a->constraints;
    for (size_t i = 0; is && i < a->hold.size(); i++) {
        const Hold &hold = a->hold[i];
        const btTypedConstraint *own = a->world->getConstraint(hold.number);
        is = own == hold.own && &own->getRigidBodyA() == hold.held[0] && &own->getRigidBodyB() == hold.held[1] &&
             (hold.joint < 0 || own->isEnabled());
    }
    is = is && (!a->trees || size_t(a->trees->getNumMultibodies()) == a->tree.size());
    for (size_t i = 0; is && i < a->tree.size(); i++) {
        const btMultiBody *own = a->trees->getMultiBody(int(i));
        is = own == a->tree[i].own && size_t(own->getNumLinks()) + 1 == a->tree[i].link.size();
    }
    return is;
}

/* --- After --- */

bool isAsleep(const Body &body)
{
    return !body.isDriven && !body.own->isActive();
}

/* Sets a body at rest, under its weight. */
void rest(ksBullet *a, size_t index)
{
    setState(&a->before[index], a->body[index].own->getWorldTransform(), Vector(), Vector());
    a->after[index] = a->before[index];
}

void endBody(ksBullet *a, size_t index)
{
    const Body &body = a->body[index];
    if (body.isDriven)
        return;
    if (isAsleep(body)) {
        rest(a, index);
        return;
    }
    // the velocities that moved it: a force after the move belongs to the next step
    setState(&a->after[index], body.own->getWorldTransform(), body.own->getInterpolationLinearVelocity(),
             body.own->getInterpolationAngularVelocity());
    push(&a->load[index], Vector(), body.force - a->gravity * body.mass, body.torque, 1);
}

void pushContact(ksBullet *a, const btPersistentManifold &manifold, const btManifoldPoint &point, double h)
{
    const bool isTwo = a->world->getSolverInfo().m_solverMode & SOLVER_USE_2_FRICTION_DIRECTIONS;
    Vector impulse = Vector(point.m_normalWorldOnB) * double(point.m_appliedImpulse) +
                     Vector(point.m_lateralFrictionDir1) * double(point.m_appliedImpulseLateral1);
    if (isTwo)
        impulse = impulse + Vector(point.m_lateralFrictionDir2) * double(point.m_appliedImpulseLateral2);
    for (int side = 0; side < 2; side++) {
        const btCollisionObject *object = side ? manifold.getBody1() : manifold.getBody0();
        const auto found = a->index.find(object);
        if (found == a->index.end())
            continue;
        const double *x = a->before[found->second].position;
        const Vector at = side ? point.getPositionWorldOnB() : point.getPositionWorldOnA();
        push(&a->load[found->second], at - Vector(x[0], x[1], x[2]), impulse * (1 / h), Vector(), side ? -1 : 1);
    }
}

void pushContacts(ksBullet *a, double h)
{
    btDispatcher *dispatcher = a->world->getDispatcher();
    for (int i = 0; i < dispatcher->getNumManifolds(); i++) {
        const btPersistentManifold &manifold = *dispatcher->getManifoldByIndexInternal(i);
        for (int k = 0; k < manifold.getNumContacts(); k++) {
            const btManifoldPoint &point = manifold.getContactPoint(k);
            if (point.getDistance() <= manifold.getContactProcessingThreshold())
                pushContact(a, manifold, point, h);
        }
    }
}

Vector placeOf(const ksBullet *a, const Hold &hold, int side)
{
    if (hold.body[side] < 0)
        return hold.held[side]->getWorldTransform().getOrigin();
    const double *x = a->before[size_t(hold.body[side])].position;
    return {x[0], x[1], x[2]};
}

/* Splits the constraint's feedback, about mass centres: its part along the freedoms is a load,
 * the rest is a reported wrench. */
void endHold(ksBullet *a, Hold *hold)
{
    const btJointFeedback &got = hold->feedback;
    const Vector force[2] = {got.m_appliedForceBodyA, got.m_appliedForceBodyB};
    const Vector torque[2] = {got.m_appliedTorqueBodyA, got.m_appliedTorqueBodyB};
    const bool isSolved = std::isfinite(got.m_appliedForceBodyA.x());
    Vector freeForce, freeTorque;
    hold->own->setJointFeedback(hold->host);
    if (hold->host && isSolved)
        *hold->host = got;
    // Bullet's rows may differ on a static body, which they do not move
    const int from = hold->held[0]->isStaticOrKinematicObject();
    if (isSolved && hold->joint >= 0)
        hold->freedom.project(force[from],
                              torque[from] - (hold->freedom.anchor - placeOf(a, *hold, from)).cross(force[from]),
                              &freeForce, &freeTorque);
    for (int side = 0; side < 2; side++) {
        const int body = hold->body[side], sign = side == from ? 1 : -1;
        ksWrench unused = {}, *load = body < 0 ? &unused : &a->load[size_t(body)];
        const Vector arm = hold->freedom.anchor - placeOf(a, *hold, side);
        if (hold->joint < 0) {
            if (isSolved)
                push(load, Vector(), force[side], torque[side], 1);
            continue;
        }
        ksWrench *report = &a->reported[2 * size_t(hold->joint) + size_t(side != hold->first)];
        *report = {};
        if (!isSolved) {
            report->force[0] = std::numeric_limits<double>::quiet_NaN();
            continue;
        }
        push(report, Vector(), force[side], torque[side], 1);
        push(report, arm, freeForce, freeTorque, -sign);
        push(load, arm, freeForce, freeTorque, sign);
    }
}

/* A recorded step that has begun must end. */
bool isFinite(const ksBullet *a)
{
    double sum = 0;
    for (size_t i = 0; i < a->after.size(); i++)
        for (const ksRecordedState *state : {&a->before[i], &a->after[i]})
            for (int k = 0; k < 3; k++)
                sum += state->position[k] + state->quaternion[k] + state->velocity[k] + state->angularVelocity[k] +
                       a->load[i].force[k] + a->load[i].torque[k];
    return std::isfinite(sum);
}
}  // namespace

void ksiBullet::begin(ksBullet *a, double h)
{
    a->status = KS_OK;
    a->isOpen = areSame(a);
    if (!a->isOpen) {
        fail(a, KS_ERROR_BAD_ARGUMENT, "constraints or multibodies were added, removed or switched");
        return;
    }
    for (size_t i = 0; i < a->body.size(); i++)
        if (a->body[i].own)
            beginBody(a, i, h);
    for (Tree &tree : a->tree)
        beginTree(a, &tree);
    for (Hold &hold : a->hold) {
        findFreedom(&hold);
        hold.host = hold.own->getJointFeedback();
        hold.feedback.m_appliedForceBodyA.setX(std::numeric_limits<btScalar>::quiet_NaN());
        hold.own->setJointFeedback(&hold.feedback);
    }
}

void ksiBullet::end(ksBullet *a, double h)
{
    if (!a->isOpen)
        return;
    a->isOpen = false;
    std::fill(a->load.begin(), a->load.end(), ksWrench());
    for (size_t i = 0; i < a->body.size(); i++)
        if (a->body[i].own)
            endBody(a, i);
    pushContacts(a, h);
    for (Hold &hold : a->hold)
        endHold(a, &hold);
    for (Tree &tree : a->tree)
        endTree(a, &tree, h);
    if (!isFinite(a)) {
        fail(a, KS_ERROR_NOT_FINITE, "the step has led to a NaN or an infinity");
        return;
    }
    const ksWrench(*reported)[2] = reinterpret_cast<const ksWrench(*)[2]>(a->reported.data());
    if (!fail(a, ksRecordingBeginStep(a->recording, h, a->before.data(), a->load.data()), nullptr) &&
        !fail(a, ksRecordingEndStep(a->recording, a->after.data(), reported), nullptr))
        a->steps++;
}

/* simbody.cpp  Converts a step of Simbody into a step of a recording.
 *
 * Simbody computes the derivatives du/dt of its speeds u at the start of a step (its Theory
 * Manual):
 *
 *     M du/dt + c + G^T lambda = T + J^T F
 *
 * The acceleration of a body follows from the speeds: a = J du/dt + dJ/dt u. A wrench of Simbody is
 * a pair of vectors, torque first, at the origin of a body. */
#include "simbody.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <new>
#include <vector>

using namespace SimTK;

namespace {

/* m: at a larger distance of its two points, a Ball is no joint of the recording */
const double keptTolerance = 1e-3;

struct Joint {
    MobilizedBodyIndex child;
    bool isFree;
    int index; /* of the recording; -1: the wrench is a known load, or there is none */
};

/* A Constraint::Ball that is a joint. */
struct Loop {
    ConstraintIndex constraint;
    int index; /* of the recording */
};

}  // namespace

struct ksSimbody {
    const MultibodySystem *system;
    const SimbodyMatterSubsystem *matter;
    ksRecording *recording;
    std::vector<Joint> joint; /* of each mobilised body but Ground */
    std::vector<Loop> loop;
    State begin;
    bool isOpen;
    std::vector<ksRecordedState> before, after;
    std::vector<ksWrench> load;
    std::vector<ksWrench> reported; /* [joints][2] */
};

namespace {

ksStatus fail(ksStatus status, const char *function, const char *words)
{
    return ksErrorSet(status, function, words);
}

/* Catches Simbody's exceptions. */
template <class Work> ksStatus guarded(const char *function, Work work)
{
    try {
        return work();
    } catch (const std::bad_alloc &) {
        return fail(KS_ERROR_NO_MEMORY, function, "out of memory");
    } catch (const std::exception &error) {
        return fail(KS_ERROR_ENGINE, function, error.what());
    }
}

void copy(const Vec3 &from, double to[3])
{
    for (int k = 0; k < 3; k++)
        to[k] = from[k];
}

void add(const Vec3 &from, double sign, double to[3])
{
    for (int k = 0; k < 3; k++)
        to[k] += sign * from[k];
}

/* Ground is no body of the recording. */
int indexOf(const MobilizedBody &body)
{
    return static_cast<int>(body.getMobilizedBodyIndex()) - 1;
}

void place(const MobilizedBody &body, const State &state, ksRecordedState &out)
{
    const Quaternion q = body.getBodyRotation(state).convertRotationToQuaternion();
    copy(body.findMassCenterLocationInGround(state), out.position);
    for (int k = 0; k < 4; k++)
        out.quaternion[k] = q[k];
}

/* Adds a torque and a force at a point to those on a body of the recording, about its mass
 * centre. */
void push(ksSimbody &a, const MobilizedBody &body, const Vec3 &point, const SpatialVec &wrench, double sign,
          ksWrench *out)
{
    if (body.isGround())
        return;
    const Vec3 arm = point - body.findMassCenterLocationInGround(a.begin);
    add(wrench[1], sign, out->force);
    add(wrench[0] + arm % wrench[1], sign, out->torque);
}

ksWrench *loadOf(ksSimbody &a, const MobilizedBody &body)
{
    return body.isGround() ? nullptr : &a.load[static_cast<size_t>(indexOf(body))];
}

/* --- The constant part of a recording --- */

Vec3 anchorOf(const MobilizedBody &body, const State &state)
{
    return body.getBodyTransform(state) * body.getOutboardFrame(state).p();
}

ksStatus addBody(ksSimbody &a, const MobilizedBody &body, const State &state)
{
    ksRecordedBody told = {};
    if (!(body.getBodyMass(state) > 0))
        return fail(KS_ERROR_BAD_ARGUMENT, "ksSimbodyCreate", "a body has no mass");
    if (body.isLocked(state) || body.hasMotion())
        return fail(KS_ERROR_BAD_ARGUMENT, "ksSimbodyCreate", "a mobiliser is locked or follows a Motion");
    const Mat33 inertia = body.getBodyMassProperties(state).calcCentralInertia().toMat33();
    place(body, state, told.state);
    told.mass = body.getBodyMass(state);
    told.lacksGyroscopic = 1;
    for (int k = 0; k < 9; k++)
        told.inertia[k] = inertia(k / 3, k % 3);
    return ksRecordingAddBody(a.recording, &told, nullptr);
}

/* 0: a recording has no such type. */
int typeOf(const MobilizedBody &body)
{
    return MobilizedBody::Pin::isInstanceOf(body)         ? KS_JOINT_HINGE
           : MobilizedBody::Slider::isInstanceOf(body)    ? KS_JOINT_SLIDER
           : MobilizedBody::Ball::isInstanceOf(body)      ? KS_JOINT_BALL
           : MobilizedBody::Universal::isInstanceOf(body) ? KS_JOINT_UNIVERSAL
           : MobilizedBody::Weld::isInstanceOf(body)      ? KS_JOINT_FIXED
                                                          : 0;
}

/* The columns of H are the directions of the speeds, as the child moves against its parent. The
 * first speed of a universal joint is about the parent's axis, the second one about the child's. */
ksStatus addJoint(ksSimbody &a, const MobilizedBody &body, const State &state)
{
    Joint made = {body.getMobilizedBodyIndex(), MobilizedBody::Free::isInstanceOf(body), -1};
    const int type = typeOf(body), count = body.getNumU(state);
    ksStatus status = KS_OK;
    if (type) {
        ksRecordedJoint told = {};
        told.type = static_cast<ksJointType>(type);
        told.body[0] = indexOf(body);
        told.body[1] = indexOf(body.getParentMobilizedBody());
        copy(anchorOf(body, state), told.anchor[0]);
        for (int k = 0; k < count && k < 2; k++) {
            const SpatialVec column = body.getHCol(state, MobilizerUIndex(k));
            copy(column[type == KS_JOINT_SLIDER ? 1 : 0], told.axis[type == KS_JOINT_UNIVERSAL ? 1 - k : k]);
        }
        status = ksRecordingAddJoint(a.recording, &told, &made.index);
    }
    a.joint.push_back(made);
    if (made.index >= 0)
        a.reported.resize(2 * static_cast<size_t>(made.index) + 2);
    return status;
}

const MobilizedBody &bodyOf(const ksSimbody &a, const Constraint::Ball &ball, int side)
{
    return a.matter->getMobilizedBody(side ? ball.getBody2MobilizedBodyIndex() : ball.getBody1MobilizedBodyIndex());
}

Vec3 pointOf(const ksSimbody &a, const Constraint::Ball &ball, int side, const State &state)
{
    const Vec3 &own = side ? ball.getPointOnBody2(state) : ball.getPointOnBody1(state);
    return bodyOf(a, ball, side).getBodyTransform(state) * own;
}

/* A ball that holds in this pose becomes a joint. The wrenches of other constraints are known
 * loads. */
ksStatus addLoop(ksSimbody &a, ConstraintIndex index, const State &state)
{
    const Constraint &constraint = a.matter->getConstraint(index);
    if (!Constraint::Ball::isInstanceOf(constraint) || constraint.isDisabled(state))
        return KS_OK;
    const auto &ball = Constraint::Ball::downcast(constraint);
    const int first = bodyOf(a, ball, 0).isGround();
    const Vec3 at = pointOf(a, ball, first, state);
    if ((at - pointOf(a, ball, 1 - first, state)).norm() > keptTolerance)
        return KS_OK;
    ksRecordedJoint told = {};
    Loop made = {index, -1};
    told.type = KS_JOINT_BALL;
    told.body[0] = indexOf(bodyOf(a, ball, first));
    told.body[1] = indexOf(bodyOf(a, ball, 1 - first));
    copy(at, told.anchor[0]);
    const ksStatus status = ksRecordingAddJoint(a.recording, &told, &made.index);
    if (!status) {
        a.loop.push_back(made);
        a.reported.resize(2 * static_cast<size_t>(made.index) + 2);
    }
    return status;
}

ksStatus fill(ksSimbody &a, const State &state, const char *path)
{
    const int count = a.matter->getNumBodies();
    a.begin = state;
    a.system->realize(a.begin, Stage::Position);
    a.before.resize(static_cast<size_t>(count));
    a.after.resize(static_cast<size_t>(count));
    a.load.resize(static_cast<size_t>(count));
    a.joint.reserve(static_cast<size_t>(count));
    ksRecordingOptions options;
    ksRecordingOptionsInit(&options);
    options.isSingle = sizeof(Real) == sizeof(float);
    ksStatus status = ksRecordingCreate(path, &options, &a.recording);
    for (MobilizedBodyIndex i(1); i < count && !status; ++i)
        status = addBody(a, a.matter->getMobilizedBody(i), a.begin);
    for (MobilizedBodyIndex i(1); i < count && !status; ++i)
        status = addJoint(a, a.matter->getMobilizedBody(i), a.begin);
    for (ConstraintIndex i(0); i < a.matter->getNumConstraints() && !status; ++i)
        status = addLoop(a, i, a.begin);
    return status;
}

/* --- A step --- */

/* Generalised forces in the freedoms of a mobiliser, as a wrench on its child at its anchor. In the
 * mobilisers that a recording has, the columns of H for the frames F and M are orthonormal. */
SpatialVec driveIn(const MobilizedBody &body, const State &state, const Vector &tau)
{
    const Rotation F = body.getParentMobilizedBody().getBodyRotation(state) * body.getInboardFrame(state).R();
    SpatialVec sum(Vec3(0), Vec3(0));
    const int first = static_cast<int>(body.getFirstUIndex(state));
    for (int k = 0; k < body.getNumU(state); k++) {
        const SpatialVec column = body.getH_FMCol(state, MobilizerUIndex(k));
        sum[0] += F * column[0] * tau[first + k];
        sum[1] += F * column[1] * tau[first + k];
    }
    return sum;
}

/* v before, v + h a after; and the torque -w x I w, a load in this form. */
void findMotion(ksSimbody &a, const Vector &udot, double h)
{
    Vector_<SpatialVec> acc;
    a.matter->calcBodyAccelerationFromUDot(a.begin, udot, acc);
    for (MobilizedBodyIndex i(1); i < a.matter->getNumBodies(); ++i) {
        const MobilizedBody &body = a.matter->getMobilizedBody(i);
        const size_t at = static_cast<size_t>(indexOf(body));
        const Rotation &R = body.getBodyRotation(a.begin);
        const Vec3 arm = R * body.getBodyMassCenterStation(a.begin), w = body.getBodyAngularVelocity(a.begin);
        const Vec3 v = body.getBodyOriginVelocity(a.begin) + w % arm, alpha = acc[i][0];
        const Vec3 linear = acc[i][1] + alpha % arm + w % (w % arm);
        const Vec3 momentum = R * (body.getBodyMassProperties(a.begin).calcCentralInertia() * (~R * w));
        place(body, a.begin, a.before[at]);
        copy(v, a.before[at].velocity);
        copy(w, a.before[at].angularVelocity);
        copy(v + h * linear, a.after[at].velocity);
        copy(w + h * alpha, a.after[at].angularVelocity);
        a.load[at] = ksWrench();
        add(w % momentum, -1, a.load[at].torque);
    }
}

/* The force of a Ball belongs to its joint, and is removed from the multipliers that are loads. */
void pushLoop(ksSimbody &a, const Loop &loop, Vector &multipliers)
{
    const Constraint &constraint = a.matter->getConstraint(loop.constraint);
    const auto &ball = Constraint::Ball::downcast(constraint);
    Vector own(multipliers.size(), 0.0), speeds;
    Vector_<SpatialVec> held;
    MultiplierIndex at, unused[2];
    ksWrench *report = &a.reported[2 * static_cast<size_t>(loop.index)];
    const int first = bodyOf(a, ball, 0).isGround();
    constraint.getIndexOfMultipliersInUse(a.begin, at, unused[0], unused[1]);
    for (int k = 0; k < 3; k++)
        std::swap(own[static_cast<int>(at) + k], multipliers[static_cast<int>(at) + k]);
    a.matter->calcConstraintForcesFromMultipliers(a.begin, own, held, speeds);
    for (int side = 0; side < 2; side++) {
        const MobilizedBody &body = bodyOf(a, ball, side == first ? 0 : 1);
        report[side] = ksWrench();
        push(a, body, body.getBodyOriginLocation(a.begin), held[body.getMobilizedBodyIndex()], -1, &report[side]);
    }
}

/* Loads other than joints. tau: forces and constraints in the freedoms of mobilisers. */
void pushLoads(ksSimbody &a, Vector &tau)
{
    Vector_<SpatialVec> held;
    Vector heldSpeeds;
    const Vector_<SpatialVec> &applied = a.system->getRigidBodyForces(a.begin, Stage::Dynamics);
    Vector multipliers = a.begin.getMultipliers();
    tau = a.system->getMobilityForces(a.begin, Stage::Dynamics);
    for (const Loop &loop : a.loop)
        pushLoop(a, loop, multipliers);
    a.matter->calcConstraintForcesFromMultipliers(a.begin, multipliers, held, heldSpeeds);
    // Simbody's multipliers are minus the forces that constraints apply
    tau -= heldSpeeds;
    for (MobilizedBodyIndex i(1); i < a.matter->getNumBodies(); ++i) {
        const MobilizedBody &body = a.matter->getMobilizedBody(i);
        const Vec3 &origin = body.getBodyOriginLocation(a.begin);
        push(a, body, origin, applied[i], 1, loadOf(a, body));
        push(a, body, origin, held[i], -1, loadOf(a, body));
    }
}

void pushJoints(ksSimbody &a, const Vector &tau)
{
    Vector_<SpatialVec> reaction;
    a.matter->calcMobilizerReactionForces(a.begin, reaction);
    for (const Joint &joint : a.joint) {
        const MobilizedBody &body = a.matter->getMobilizedBody(joint.child), &parent = body.getParentMobilizedBody();
        const Vec3 anchor = anchorOf(body, a.begin);
        const SpatialVec whole = reaction[joint.child], drive = driveIn(body, a.begin, tau);
        const SpatialVec &load = joint.index < 0 && !joint.isFree ? whole : drive;
        push(a, body, anchor, load, 1, loadOf(a, body));
        push(a, parent, anchor, load, -1, loadOf(a, parent));
        if (joint.index < 0)
            continue;
        ksWrench *own = &a.reported[2 * static_cast<size_t>(joint.index)];
        own[0] = own[1] = ksWrench();
        push(a, body, anchor, whole - drive, 1, &own[0]);
        push(a, parent, anchor, whole - drive, -1, &own[1]);
    }
}

/* A recorded step that has begun must end. */
bool isFinite(const ksSimbody &a)
{
    double sum = 0;
    for (const ksRecordedState &state : a.after)
        for (int k = 0; k < 3; k++)
            sum += state.position[k] + state.quaternion[k] + state.velocity[k] + state.angularVelocity[k];
    return std::isfinite(sum);
}

ksStatus take(ksSimbody &a, const State &state)
{
    const double h = state.getTime() - a.begin.getTime();
    if (!(h > 0) || state.getNU() != a.begin.getNU())
        return fail(KS_ERROR_BAD_ARGUMENT, "ksSimbodyEnd",
                    "the state's time is not after the start of the step, or the state has another number of speeds");
    Vector tau;
    State end(state);
    a.system->realize(end, Stage::Position);
    findMotion(a, (end.getU() - a.begin.getU()) / h, h);
    pushLoads(a, tau);
    pushJoints(a, tau);
    for (MobilizedBodyIndex i(1); i < a.matter->getNumBodies(); ++i)
        place(a.matter->getMobilizedBody(i), end, a.after[static_cast<size_t>(static_cast<int>(i) - 1)]);
    if (!isFinite(a))
        return fail(KS_ERROR_NOT_FINITE, "ksSimbodyEnd", "the step has led to a NaN or an infinity");
    const ksStatus status = ksRecordingBeginStep(a.recording, h, a.before.data(), a.load.data());
    const auto *reported = reinterpret_cast<const ksWrench(*)[2]>(a.reported.data());
    return status ? status : ksRecordingEndStep(a.recording, a.after.data(), reported);
}

}  // namespace

ksStatus ksSimbodyCreate(const MultibodySystem &system, const SimbodyMatterSubsystem &matter, const State &state,
                         const char *path, ksSimbody **adapter)
{
    if (!adapter)
        return fail(KS_ERROR_BAD_ARGUMENT, "ksSimbodyCreate", "an argument is NULL");
    ksSimbody *made = nullptr;
    const ksStatus status = guarded("ksSimbodyCreate", [&] {
        made = new ksSimbody();
        made->system = &system;
        made->matter = &matter;
        return fill(*made, state, path);
    });
    if (status)
        (void)ksSimbodyClose(made);
    else
        *adapter = made;
    return status;
}

ksStatus ksSimbodyBegin(ksSimbody *adapter, const State &state)
{
    if (!adapter)
        return fail(KS_ERROR_BAD_ARGUMENT, "ksSimbodyBegin", "there is no adapter");
    adapter->isOpen = false;
    return guarded("ksSimbodyBegin", [&] {
        adapter->begin = state;
        adapter->system->realize(adapter->begin, Stage::Acceleration);
        adapter->isOpen = true;
        return KS_OK;
    });
}

ksStatus ksSimbodyEnd(ksSimbody *adapter, const State &state)
{
    if (!adapter)
        return fail(KS_ERROR_BAD_ARGUMENT, "ksSimbodyEnd", "there is no adapter");
    if (!adapter->isOpen)
        return fail(KS_ERROR_BRACKET, "ksSimbodyEnd", "no step was begun");
    adapter->isOpen = false;
    return guarded("ksSimbodyEnd", [&] { return take(*adapter, state); });
}

ksRecording *ksSimbodyGetRecording(const ksSimbody *adapter)
{
    return adapter ? adapter->recording : nullptr;
}

ksStatus ksSimbodyClose(ksSimbody *adapter)
{
    if (!adapter)
        return KS_OK;
    const ksStatus status = ksRecordingClose(adapter->recording);
    delete adapter;
    return status;
}

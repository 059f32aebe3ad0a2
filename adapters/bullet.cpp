/* bullet.cpp  Creates a recording of Bullet's steps, with the bodies and joints in their present
 * poses. Sets the world's callbacks, and restores them at the end. */
#include "bullet_inside.h"

#include <algorithm>
#include <mutex>
#include <new>

using namespace ksiBullet;

namespace {
/* largest violation of a joint in the first pose, m or 1: beyond it the recording has no such
 * joint */
const double keptTolerance = 1e-3;
/* m^2, inertia per mass: for Bullet an inertia of 0 is infinite */
const double largestInertia = 1e6;

/* --- The world's callbacks, whose only object is the world --- */

std::mutex guard;
ksBullet *newest;

struct Callbacks : btDynamicsWorld {
    static btInternalTickCallback get(const btDynamicsWorld &world, bool isBefore)
    {
        return world.*(isBefore ? &Callbacks::m_internalPreTickCallback : &Callbacks::m_internalTickCallback);
    }
};

ksBullet *adapterOf(const btDynamicsWorld *world)
{
    const std::lock_guard<std::mutex> lock(guard);
    ksBullet *a = newest;
    while (a && a->world != world)
        a = a->next;
    return a;
}

void beforeTick(btDynamicsWorld *world, btScalar h)
{
    ksBullet *a = adapterOf(world);
    if (!a)
        return;
    if (a->host[1])
        a->host[1](world, h);
    begin(a, double(h));
}

void afterTick(btDynamicsWorld *world, btScalar h)
{
    ksBullet *a = adapterOf(world);
    if (!a)
        return;
    end(a, double(h));
    if (a->host[0])
        a->host[0](world, h);
}

void attach(ksBullet *a)
{
    for (int i = 0; i < 2; i++) {
        a->host[i] = Callbacks::get(*a->world, i == 1);
        a->world->setInternalTickCallback(i == 1 ? beforeTick : afterTick, a->world->getWorldUserInfo(), i == 1);
    }
    const std::lock_guard<std::mutex> lock(guard);
    a->next = newest;
    newest = a;
}

bool isAttached(const ksBullet *a)
{
    return Callbacks::get(*a->world, false) == afterTick && Callbacks::get(*a->world, true) == beforeTick;
}

/* Gives the world its callbacks back, except those that the host has set since. */
void detach(ksBullet *a)
{
    const std::lock_guard<std::mutex> lock(guard);
    ksBullet **link = &newest;
    while (*link != a)
        link = &(*link)->next;
    *link = a->next;
    for (int i = 0; i < 2; i++)
        if (Callbacks::get(*a->world, i == 1) == (i == 1 ? beforeTick : afterTick))
            a->world->setInternalTickCallback(a->host[i], a->world->getWorldUserInfo(), i == 1);
}

/* --- Bodies and constraints --- */

int addBody(ksBullet *a, btRigidBody &own)
{
    const auto found = a->index.find(&own);
    if (found != a->index.end())
        return int(found->second);
    if (&own == &btTypedConstraint::getFixedBody())
        return -1;
    ksRecordedBody body = {};
    Body kept = {};
    const btVector3 &inverse = own.getInvInertiaDiagLocal();
    kept.own = &own;
    kept.isDriven = own.isStaticOrKinematicObject();
    kept.mass = kept.isDriven ? 0 : 1 / double(own.getInvMass());
    double inertia[3];
    for (int k = 0; k < 3; k++)
        inertia[k] = inverse[k] > 0 ? 1 / double(inverse[k]) : largestInertia * kept.mass;
    kept.inertia = {inertia[0], inertia[1], inertia[2]};
    kept.velocity = own.getLinearVelocity();
    kept.spin = own.getAngularVelocity();
    body.isDriven = kept.isDriven;
    body.mass = kept.mass;
    body.lacksGyroscopic = 1;
    for (int k = 0; k < 3; k++)
        body.inertia[4 * k] = inertia[k];
    setState(&body.state, own.getWorldTransform(), kept.velocity, kept.spin);
    int index = -1;
    if (fail(a, ksRecordingAddBody(a->recording, &body, &index), nullptr))
        return -1;
    if (!kept.isDriven && (Vector(own.getLinearFactor()) + own.getAngularFactor() - Vector(2, 2, 2)).length() > 0)
        note(a,
             "body " + std::to_string(index) + " has a linear or angular factor: the wrench in its place is unknown.");
    a->body.push_back(kept);
    a->index[&own] = size_t(index);
    return index;
}

struct Limits {
    bool isFree[6]; /* slides, then turns */
    double held[6]; /* the position of each that is not free */
    bool isOfA;     /* slides are along the axes of A */
};

template <class D6> Limits limitsOf(D6 &d6, bool isOfA)
{
    btVector3 low[2], high[2];
    Limits limits = {};
    d6.getLinearLowerLimit(low[0]), d6.getLinearUpperLimit(high[0]);
    d6.getAngularLowerLimit(low[1]), d6.getAngularUpperLimit(high[1]);
    for (int k = 0; k < 6; k++) {
        limits.held[k] = double(low[k / 3][k % 3]);
        limits.isFree[k] = low[k / 3][k % 3] != high[k / 3][k % 3];
    }
    limits.isOfA = isOfA;
    return limits;
}

/* Types of joints, by slides and turns. */
const ksJointType typeOf[2][4] = {{KS_JOINT_FIXED, KS_JOINT_HINGE, KS_JOINT_UNIVERSAL, KS_JOINT_BALL},
                                  {KS_JOINT_SLIDER, KS_JOINT_PR, KS_JOINT_PU, ksJointType(0)}};

/* The rotations are about z of A, a nodal axis, and x of B. Free rotations are about axes of a body
 * as long as the other rotations are held at zero. */
bool take(const Limits &limits, Hold *hold)
{
    Freedom *freedom = &hold->freedom;
    for (int k = 0; k < 3; k++) {
        if (limits.isFree[k])
            hold->slideAxis = k, freedom->slides++;
        if (limits.isFree[3 + k] && freedom->turns++ < 2)
            hold->turnAxis[freedom->turns - 1] = k;
    }
    if (freedom->turns == 2) {
        std::swap(hold->turnAxis[0], hold->turnAxis[1]);
        hold->turnSide[1] = 1;
    }
    for (int k = 3; k < 6; k++)
        if (!limits.isFree[k] && std::fabs(limits.held[k]) > keptTolerance)
            return false;
    return freedom->slides == 0 ||
           (freedom->slides == 1 && freedom->turns < 3 && (limits.isOfA || freedom->turns == 0));
}

/* Finds the freedoms of the constraint; false: the recording has no type for it. */
bool describe(btTypedConstraint *own, Hold *hold, Limits *limits)
{
    *limits = {{false, false, false, true, true, true}, {}, true};
    hold->frame[0] = hold->frame[1] = btTransform::getIdentity();
    switch (own->getConstraintType()) {
    case POINT2POINT_CONSTRAINT_TYPE: {
        const auto &ball = *static_cast<btPoint2PointConstraint *>(own);
        hold->frame[0].setOrigin(ball.getPivotInA()), hold->frame[1].setOrigin(ball.getPivotInB());
        break;
    }
    case CONETWIST_CONSTRAINT_TYPE: {
        const auto &cone = *static_cast<btConeTwistConstraint *>(own);
        hold->frame[0] = cone.getAFrame(), hold->frame[1] = cone.getBFrame();
        if (cone.getAngularOnly())
            return false;
        break;
    }
    case HINGE_CONSTRAINT_TYPE: {
        auto &hinge = *static_cast<btHingeConstraint *>(own);
        hold->frame[0] = hinge.getAFrame(), hold->frame[1] = hinge.getBFrame();
        limits->isFree[3] = limits->isFree[4] = false;
        if (hinge.getAngularOnly())
            return false;
        break;
    }
    case SLIDER_CONSTRAINT_TYPE: {
        auto &slider = *static_cast<btSliderConstraint *>(own);
        hold->frame[0] = slider.getFrameOffsetA(), hold->frame[1] = slider.getFrameOffsetB();
        limits->isFree[0] = slider.getLowerLinLimit() != slider.getUpperLinLimit();
        limits->held[0] = double(slider.getLowerLinLimit());
        limits->isFree[3] = slider.getLowerAngLimit() != slider.getUpperAngLimit();
        limits->held[3] = double(slider.getLowerAngLimit());
        limits->isFree[4] = limits->isFree[5] = false;
        break;
    }
    case D6_CONSTRAINT_TYPE:
    case D6_SPRING_CONSTRAINT_TYPE: {
        auto &d6 = *static_cast<btGeneric6DofConstraint *>(own);
        hold->frame[0] = d6.getFrameOffsetA(), hold->frame[1] = d6.getFrameOffsetB();
        *limits = limitsOf(d6, d6.getUseLinearReferenceFrameA());
        break;
    }
    case D6_SPRING_2_CONSTRAINT_TYPE: {
        auto &d6 = *static_cast<btGeneric6DofSpring2Constraint *>(own);
        hold->frame[0] = d6.getFrameOffsetA(), hold->frame[1] = d6.getFrameOffsetB();
        *limits = limitsOf(d6, true);
        if (d6.getRotationOrder() != RO_XYZ && limits->isFree[3] + limits->isFree[4] + limits->isFree[5] == 2)
            return false;
        break;
    }
    default:
        return false;
    }
    return take(*limits, hold);
}

/* Does the present pose satisfy the joint? */
bool isKept(const Hold &hold, const Limits &limits)
{
    const btTransform a = hold.held[0]->getWorldTransform() * hold.frame[0],
                      b = hold.held[1]->getWorldTransform() * hold.frame[1];
    const btTransform relative = a.inverse() * b;
    const Pose turned(relative);
    const double size[2] = {Vector(hold.frame[0].getOrigin()).length(), Vector(hold.frame[1].getOrigin()).length()};
    double apart = 0, angle = 0;
    for (int k = 0; k < 3; k++)
        if (!limits.isFree[k])
            apart = std::max(apart, std::fabs(double(relative.getOrigin()[k]) - limits.held[k]));
    const double *columns[3] = {&turned.axis[0].x, &turned.axis[1].x, &turned.axis[2].x};
    const int one = hold.turnAxis[0], other = hold.turnAxis[1];
    if (hold.freedom.turns == 2)
        angle = std::fabs(columns[other][one]);
    for (int k = 0; k < 9 && hold.freedom.turns < 2; k++)
        if (k / 3 != k % 3 && (hold.freedom.turns == 0 || k / 3 == one))
            angle = std::max(angle, std::fabs(columns[k / 3][k % 3]));
    return apart <= keptTolerance * std::max(1e-3, size[0] + size[1]) && angle <= keptTolerance;
}

/* Is the constraint soft, by the world's CFM or its own? Other types do not reveal theirs. */
bool isSoft(const ksBullet &a, const btTypedConstraint &own)
{
    int flag = 0;
    if (own.getConstraintType() == POINT2POINT_CONSTRAINT_TYPE)
        flag = static_cast<const btPoint2PointConstraint &>(own).getFlags() & BT_P2P_FLAGS_CFM;
    if (own.getConstraintType() == HINGE_CONSTRAINT_TYPE)
        flag = static_cast<const btHingeConstraint &>(own).getFlags() & BT_HINGE_FLAGS_CFM_NORM;
    return (flag && own.getParam(BT_CONSTRAINT_CFM, -1) > 0) || a.world->getSolverInfo().m_globalCfm > 0;
}

ksStatus addHold(ksBullet *a, btTypedConstraint *own, int number)
{
    static const char *const names[] = {"ball",    "hinge", "cone", "d6",    "slider",
                                        "contact", "d6",    "gear", "fixed", "d6"};
    const int type = own->getConstraintType() - POINT2POINT_CONSTRAINT_TYPE;
    const std::string name = (type >= 0 && type < 10 ? names[type] : "constraint") + (" " + std::to_string(number));
    Hold hold = {};
    Limits limits;
    btRigidBody *held[2] = {&own->getRigidBodyA(), &own->getRigidBodyB()};
    hold.own = own;
    hold.number = number;
    hold.joint = -1;
    for (int side = 0; side < 2; side++) {
        hold.held[side] = held[side];
        hold.body[side] = addBody(a, *held[side]);
    }
    hold.first = hold.body[0] < 0;
    if (a->status || hold.body[hold.first] < 0 || hold.body[0] == hold.body[1])
        return a->status;
    ksRecordedJoint joint = {};
    bool isJoint = own->isEnabled() && describe(own, &hold, &limits) &&
                   !(hold.first == 1 && hold.freedom.slides && hold.freedom.turns);
    if (isJoint && !isKept(hold, limits)) {
        note(a, name + " is violated in the first pose: its wrench is a known load.");
        isJoint = false;
    } else if (!isJoint) {
        note(a, name + " is not a joint of the recording: its wrench is a known load.");
    }
    const Freedom &freedom = hold.freedom;
    if (isJoint)
        joint.type = typeOf[freedom.slides][freedom.turns];
    if (freedom.slides && freedom.turns == 1 && hold.slideAxis == hold.turnAxis[0])
        joint.type = KS_JOINT_PISTON;
    if (isJoint) {
        const int other = 1 - hold.first, slides = freedom.slides;
        findFreedom(&hold);
        joint.body[0] = hold.body[hold.first], joint.body[1] = hold.body[other];
        freedom.anchor.putInto(joint.anchor[0]);
        if (freedom.turns > 0)
            freedom.turn[freedom.turns == 2 ? hold.first : 0].putInto(joint.axis[slides && freedom.turns == 1]);
        if (freedom.turns == 2)
            freedom.turn[other].putInto(joint.axis[1]);
        if (slides)
            freedom.slide.putInto(joint.axis[freedom.turns == 2 ? 2 : 0]);
        joint.name = name.c_str();
        joint.isSoft = isSoft(*a, *own);
        if (!fail(a, ksRecordingAddJoint(a->recording, &joint, &hold.joint), nullptr))
            a->joints++;
    }
    a->hold.push_back(hold);
    return a->status;
}

ksStatus fill(ksBullet *a, const char *path)
{
    ksRecordingOptions options;
    ksRecordingOptionsInit(&options);
    options.isSingle = sizeof(btScalar) == sizeof(float);
    a->gravity = a->world->getGravity();
    a->gravity.putInto(options.gravity);
    a->constraints = size_t(a->world->getNumConstraints());
    fail(a, ksRecordingCreate(path, &options, &a->recording), nullptr);
    for (int i = 0; i < a->world->getNumConstraints() && !a->status; i++)
        addHold(a, a->world->getConstraint(i), i);
    if (a->trees && !a->status)
        addTrees(a);
    a->before.resize(a->body.size());
    a->after.resize(a->body.size());
    a->load.resize(a->body.size());
    a->reported.resize(2 * size_t(a->joints));
    return a->status;
}
}  // namespace

ksStatus ksiBullet::fail(ksBullet *a, ksStatus status, const char *words, long number)
{
    char told[200];
    if (!status)
        return status;
    a->status = status;
    snprintf(told, sizeof told, words ? words : "%.0ld%s", number, ksErrorMessage());
    a->words = told;
    return status;
}

void ksiBullet::note(ksBullet *a, const std::string &words)
{
    a->notes += words + "\n";
}

ksStatus ksBulletCreate(btDynamicsWorld *world, const char *path, ksBullet **adapter)
{
    ksBullet *a = nullptr;
    if (!world || !adapter)
        return ksErrorSet(KS_ERROR_BAD_ARGUMENT, __func__, "an argument is NULL");
    if (world->getWorldType() != BT_DISCRETE_DYNAMICS_WORLD || adapterOf(world))
        return ksErrorSet(KS_ERROR_BAD_ARGUMENT, __func__, "the world is of another type, or has an adapter");
    try {
        a = new ksBullet;
        a->world = world;
        a->trees = dynamic_cast<btMultiBodyDynamicsWorld *>(world);
        if (!fill(a, path)) {
            attach(a);
            *adapter = a;
            return KS_OK;
        }
        ksErrorSet(a->status, __func__, a->words.c_str());
    } catch (const std::bad_alloc &) {
        ksErrorSet(KS_ERROR_NO_MEMORY, __func__, nullptr);
    }
    const ksStatus status = a && a->status ? a->status : KS_ERROR_NO_MEMORY;
    if (a)
        (void)ksRecordingClose(a->recording);
    delete a;
    return status;
}

const char *ksBulletGetNotes(const ksBullet *adapter)
{
    return adapter ? adapter->notes.c_str() : "";
}

ksStatus ksBulletGetStatus(const ksBullet *adapter, long *steps)
{
    if (!adapter)
        return ksErrorSet(KS_ERROR_BAD_ARGUMENT, __func__, "adapter is NULL");
    if (steps)
        *steps = adapter->steps;
    if (!isAttached(adapter))
        return ksErrorSet(KS_ERROR_BRACKET, __func__, "the world's callbacks of ticks were replaced");
    return adapter->status ? ksErrorSet(adapter->status, __func__, adapter->words.c_str()) : KS_OK;
}

ksRecording *ksBulletGetRecording(const ksBullet *adapter)
{
    return adapter ? adapter->recording : nullptr;
}

ksStatus ksBulletClose(ksBullet *adapter)
{
    if (!adapter)
        return KS_OK;
    detach(adapter);
    const ksStatus status = ksRecordingClose(adapter->recording);
    delete adapter;
    return status;
}

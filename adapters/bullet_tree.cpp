/* bullet_tree.cpp  Converts the links of a btMultiBody into separate bodies, and finds the wrenches
 * between them by inverse dynamics (Featherstone: Rigid Body Dynamics Algorithms, 2008, chapter 5):
 *
 *     x = x_p + R_p e + s q + R d        position of a link's mass centre
 *     W = M a - f + sum of W_c           wrench that the joint of the link transmits
 *
 * x_p: position of the parent; R_p e: arm from there to the joint; s q: slide; R d: arm from the
 * joint to the mass centre; M, a, f: mass, acceleration and load of the link; W_c: wrench at the
 * joint of a child. The part of W in the freedoms of the joint drives it, and is recorded as a
 * load. */
#include "bullet_inside.h"

#include <limits>

using namespace ksiBullet;

namespace {
Pose poseOf(const btMultiBody &own, int link, const Pose &parent)
{
    const btTransform turned(own.getParentToLocalRot(link).inverse());
    Pose pose(turned);
    for (Vector &axis : pose.axis)
        axis = parent.turn(axis);
    pose.origin = parent.origin + pose.turn(own.getRVector(link));
    return pose;
}

/* Sets the state of a link, or of the composite body that the link is a part of. */
void place(ksRecordedState *state, const Pose &pose, const Vector &velocity, const Vector &spin)
{
    const Vector *e = pose.axis;
    const btMatrix3x3 basis(btScalar(e[0].x), btScalar(e[1].x), btScalar(e[2].x), btScalar(e[0].y), btScalar(e[1].y),
                            btScalar(e[2].y), btScalar(e[0].z), btScalar(e[1].z), btScalar(e[2].z));
    setState(state, btTransform(basis), velocity, spin);
    pose.origin.putInto(state->position);
}

Freedom freedomOf(const btMultibodyLink &own, const Pose &pose)
{
    Freedom freedom;
    freedom.anchor = pose.origin - pose.turn(own.m_dVector);
    freedom.turns = own.m_jointType == btMultibodyLink::eRevolute    ? 1
                    : own.m_jointType == btMultibodyLink::eSpherical ? 3
                                                                     : 0;
    freedom.slides = own.m_jointType == btMultibodyLink::ePrismatic;
    freedom.turn[0] = pose.turn(own.getAxisTop(0));
    freedom.slide = pose.turn(own.getAxisBottom(0));
    return freedom;
}

/* --- The constant part of a recording --- */

ksStatus addLink(ksBullet *a, const btMultiBody &own, Link *link, bool isDriven)
{
    ksRecordedBody body = {};
    body.mass = link->mass;
    body.isDriven = isDriven;
    body.lacksGyroscopic = 1;
    body.inertia[0] = link->inertia.x, body.inertia[4] = link->inertia.y, body.inertia[8] = link->inertia.z;
    place(&body.state, link->pose, isDriven ? Vector(own.getBaseVel()) : Vector(),
          isDriven ? Vector(own.getBaseOmega()) : Vector());
    a->body.push_back(Body());
    a->body.back().isDriven = isDriven;
    return fail(a, ksRecordingAddBody(a->recording, &body, &link->body), nullptr);
}

ksStatus addJoint(ksBullet *a, const btMultibodyLink &own, Link *link, int parent, const std::string &name)
{
    const Freedom freedom = freedomOf(own, link->pose);
    ksRecordedJoint joint = {};
    joint.type = freedom.slides       ? KS_JOINT_SLIDER
                 : freedom.turns == 1 ? KS_JOINT_HINGE
                 : freedom.turns == 3 ? KS_JOINT_BALL
                                      : KS_JOINT_FIXED;
    joint.body[0] = link->body, joint.body[1] = parent;
    freedom.anchor.putInto(joint.anchor[0]);
    (freedom.slides ? freedom.slide : freedom.turn[0]).putInto(joint.axis[0]);
    joint.name = own.m_jointName && own.m_jointName[0] ? own.m_jointName : name.c_str();
    a->joints++;
    return fail(a, ksRecordingAddJoint(a->recording, &joint, &link->joint), nullptr);
}

ksStatus addTree(ksBullet *a, btMultiBody *own, int number)
{
    Tree tree = {};
    tree.own = own;
    tree.link.resize(size_t(own->getNumLinks()) + 1);
    tree.pose.resize(tree.link.size());
    tree.rate.resize(size_t(own->getNumDofs()) + 6);
    tree.change = tree.rate;
    for (int i = -1; i < own->getNumLinks() && !a->status; i++) {
        Link *link = &tree.link[size_t(i + 1)];
        const std::string name = "link " + std::to_string(i) + " of multibody " + std::to_string(number);
        const bool isBase = i < 0;
        link->parent = isBase ? -1 : own->getParent(i) + 1;
        link->joint = -1;
        link->mass = double(isBase ? own->getBaseMass() : own->getLinkMass(i));
        link->inertia = isBase ? own->getBaseInertia() : own->getLinkInertia(i);
        link->pose =
            isBase ? Pose(own->getBaseWorldTransform()) : poseOf(*own, i, tree.link[size_t(link->parent)].pose);
        if (isBase) {
            addLink(a, *own, link, own->isBaseStaticOrKinematic());
        } else if (own->getLink(i).m_jointType == btMultibodyLink::ePlanar ||
                   (link->mass <= 0 && own->getLink(i).m_dofCount > 0)) {
            fail(a, KS_ERROR_BAD_ARGUMENT, "link %ld is planar, or moves without a mass", i);
        } else if (link->mass <= 0) {
            link->body = tree.link[size_t(link->parent)].body;
        } else if (!addLink(a, *own, link, false)) {
            addJoint(a, own->getLink(i), link, tree.link[size_t(link->parent)].body, name);
        }
    }
    a->tree.push_back(tree);
    return a->status;
}

/* --- A step --- */

bool isAsleep(const btMultiBody &own)
{
    bool is = own.getBaseCollider() && own.getBaseCollider()->getActivationState() == ISLAND_SLEEPING;
    for (int i = 0; i < own.getNumLinks(); i++)
        is = is || (own.getLink(i).m_collider && own.getLink(i).m_collider->getActivationState() == ISLAND_SLEEPING);
    return is;
}

/* Vectors to the parent, to the joint, and from the joint to the mass centre; s q and so on in the
 * link's axes. */
void moveLink(const btMultibodyLink &own, const Link &parent, Link *link, const double *rate, const double *change)
{
    Vector turn, slide, turning, sliding;
    for (int k = 0; k < own.m_dofCount; k++) {
        const Vector top = link->pose.turn(own.getAxisTop(k)), bottom = link->pose.turn(own.getAxisBottom(k));
        turn = turn + top * rate[k], turning = turning + top * change[k];
        if (own.m_jointType == btMultibodyLink::ePrismatic)
            slide = slide + bottom * rate[k], sliding = sliding + bottom * change[k];
    }
    const Vector d = link->pose.turn(own.m_dVector), e = link->pose.origin - d - parent.pose.origin;
    const Vector &w = parent.spin;
    link->spin = w + turn;
    link->velocity = parent.velocity + w.cross(e) + slide + link->spin.cross(d);
    link->turning = parent.turning + w.cross(turn) + turning;
    link->acceleration = parent.acceleration + parent.turning.cross(e) + w.cross(w.cross(e)) + w.cross(slide) * 2 +
                         sliding + link->turning.cross(d) + link->spin.cross(link->spin.cross(d));
}

/* Finds the loads other than joints. The unexplained part of the base's motion includes its
 * contacts. */
void findLoads(const ksBullet *a, const btMultiBody &own, int i, Link *link)
{
    const double mass = link->mass, linear = double(own.getLinearDamping()), angular = double(own.getAngularDamping());
    const Vector &v = link->velocity, &w = link->spin, momentum = link->pose.scale(link->inertia, w);
    link->force = link->force - v * (mass * linear * (1 + v.length()));
    link->torque = link->torque - momentum * (angular * (1 + w.length()));
    if (own.getUseGyroTerm())
        link->torque = link->torque - w.cross(momentum);
    if (i >= 0) {
        link->force = link->force + own.getLink(i).m_appliedConstraintForce;
        link->torque = link->torque + own.getLink(i).m_appliedConstraintTorque;
    }
    if (!isAsleep(own))
        return;
    link->force = a->gravity * mass;
    link->torque = Vector();
}

/* The link's own feedback, about its mass centre. */
bool readFeedback(const ksBullet *a, const btMultibodyLink &own, const Link &link, Vector *force, Vector *torque)
{
    const btContactSolverInfo &info = a->world->getSolverInfo();
    if (!own.m_jointFeedback)
        return false;
    *force = own.m_jointFeedback->m_reactionForces.m_topVec;
    *torque = own.m_jointFeedback->m_reactionForces.m_bottomVec;
    if (!info.m_jointFeedbackInWorldSpace)
        *force = link.pose.turn(*force), *torque = link.pose.turn(*torque);
    if (info.m_jointFeedbackInJointFrame)
        *torque = *torque + force->cross(link.pose.turn(own.m_dVector));
    return true;
}

/* Splits a joint's wrench on the link, about its mass centre: the part in the freedoms is a load,
 * the rest a report. */
void endJoint(ksBullet *a, const Tree &tree, int i)
{
    const Link &link = tree.link[size_t(i + 1)], &parent = tree.link[size_t(link.parent)];
    const btMultibodyLink &own = tree.own->getLink(i);
    const Freedom freedom = freedomOf(own, link.pose);
    const double *x = a->before[size_t(parent.body)].position;
    const Vector arm[2] = {freedom.anchor - link.pose.origin, freedom.anchor - Vector(x[0], x[1], x[2])};
    Vector force = link.force, torque = link.torque, freeForce, freeTorque;
    freedom.project(force, torque - arm[0].cross(force), &freeForce, &freeTorque);
    push(&a->load[size_t(link.body)], arm[0], freeForce, freeTorque, 1);
    push(&a->load[size_t(parent.body)], arm[1], freeForce, freeTorque, -1);
    ksWrench *report = &a->reported[2 * size_t(link.joint)];
    report[0] = report[1] = {};
    if (isAsleep(*tree.own) || !readFeedback(a, own, link, &force, &torque)) {
        report->force[0] = std::numeric_limits<double>::quiet_NaN();
        return;
    }
    torque = torque - arm[0].cross(force);
    freedom.project(force, torque, &freeForce, &freeTorque);
    for (int side = 0; side < 2; side++)
        push(&report[side], arm[side], force - freeForce, torque - freeTorque, side ? -1 : 1);
}

/* The wrench that each link's joint transmits, from the leaves to the base. The base is free: the
 * unexplained part of its motion is a load. */
void endLink(ksBullet *a, Tree *tree, size_t i)
{
    Link *link = &tree->link[i];
    const size_t body = size_t(link->body);
    const double *x = a->before[body].position;
    findLoads(a, *tree->own, int(i) - 1, link);
    push(&a->load[body], link->pose.origin - Vector(x[0], x[1], x[2]), link->force - a->gravity * link->mass,
         link->torque, 1);
    link->force = link->acceleration * link->mass - link->force + link->passedForce;
    link->torque = link->pose.scale(link->inertia, link->turning) - link->torque + link->passedTorque;
    if (i == 0) {
        push(&a->load[body], Vector(), link->force, link->torque, 1);
        return;
    }
    if (link->joint >= 0)
        endJoint(a, *tree, int(i) - 1);
    Link *parent = &tree->link[size_t(link->parent)];
    parent->passedForce = parent->passedForce + link->force;
    parent->passedTorque =
        parent->passedTorque + link->torque + (link->pose.origin - parent->pose.origin).cross(link->force);
}
}  // namespace

ksStatus ksiBullet::addTrees(ksBullet *a)
{
    for (int i = 0; i < a->trees->getNumMultibodies() && !a->status; i++)
        addTree(a, a->trees->getMultiBody(i), i);
    if (a->trees->getNumMultiBodyConstraints() > 0)
        note(a, "Constraints of multibodies are known loads on their links.");
    return a->status;
}

void ksiBullet::beginTree(ksBullet *, Tree *tree)
{
    const btMultiBody &own = *tree->own;
    for (size_t i = 0; i < tree->rate.size(); i++)
        tree->rate[i] = double(own.getVelocityVector()[i]);
    for (size_t i = 0; i < tree->link.size(); i++) {
        Link *link = &tree->link[i];
        const int k = int(i) - 1;
        link->pose = i == 0 ? Pose(own.getBaseWorldTransform()) : poseOf(own, k, tree->link[size_t(link->parent)].pose);
        link->force = i == 0 ? own.getBaseForce() : own.getLinkForce(k);
        link->torque = i == 0 ? own.getBaseTorque() : own.getLinkTorque(k);
        link->passedForce = link->passedTorque = Vector();
    }
}

void ksiBullet::endTree(ksBullet *a, Tree *tree, double h)
{
    const btMultiBody &own = *tree->own;
    std::vector<double> &rate = tree->rate, &change = tree->change;
    for (size_t i = 0; i < rate.size(); i++) {
        rate[i] = isAsleep(own) ? 0 : rate[i];
        change[i] = isAsleep(own) ? 0 : (double(own.getVelocityVector()[i]) - rate[i]) / h;
    }
    Link *base = &tree->link[0];
    base->spin = {rate[0], rate[1], rate[2]}, base->velocity = {rate[3], rate[4], rate[5]};
    base->turning = {change[0], change[1], change[2]}, base->acceleration = {change[3], change[4], change[5]};
    tree->pose[0] = Pose(own.getBaseWorldTransform());
    for (int i = 0; i < own.getNumLinks(); i++) {
        Link *link = &tree->link[size_t(i) + 1];
        const size_t first = 6 + size_t(own.getLink(i).m_dofOffset), parent = size_t(link->parent);
        moveLink(own.getLink(i), tree->link[parent], link, &rate[first], &change[first]);
        tree->pose[size_t(i) + 1] = poseOf(own, i, tree->pose[parent]);
    }
    for (size_t i = 0; i < tree->link.size(); i++) {
        const Link &link = tree->link[i];
        if (i > 0 && link.joint < 0)
            continue;
        place(&a->before[size_t(link.body)], link.pose, link.velocity, link.spin);
        place(&a->after[size_t(link.body)], tree->pose[i], link.velocity + link.acceleration * h,
              link.spin + link.turning * h);
    }
    for (size_t i = tree->link.size(); i-- > 0;)
        endLink(a, tree, i);
}

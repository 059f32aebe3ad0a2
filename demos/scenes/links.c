/* links.c  The chain of links in line that Lamb 1911, "Dynamics, Analytical", section 1, strikes.
 *
 * An impulse P enters the engine as the force P / h of one step. From rest, the velocity after the
 * step is B P, B the constrained mobility in the pose before the step: the engine's v* = v + h M^-1
 * (f + J^T lambda) with J v* = 0, for any h, apart from the compliance of its rows, cfm Lambda / h.
 * B is symmetric: the reciprocal theorem. */
#include "scenes_private.h"

#include <math.h>

static const double linkMass = 1, linkLength = 1;

/* Adds a slender link from a point along a unit vector. */
static void addLink(Scene *scene, const double from[3], const double along[3], double to[3])
{
    double across = linkMass * linkLength * linkLength / 12;
    dBodyID link = dBodyCreate(scene->world);
    dMass mass;
    dMassSetParameters(&mass, linkMass, 0, 0, 0, 0.01 * across, across, across, 0, 0, 0);
    dBodySetMass(link, &mass);
    dMatrix3 rotation;
    dRFrom2Axes(rotation, along[0], along[1], along[2], 0, 1, 0);
    dBodySetRotation(link, rotation);
    for (int k = 0; k < 3; k++)
        to[k] = from[k] + linkLength * along[k];
    dBodySetPosition(link, (from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2);
    scene->body[scene->bodyCount++] = link;
}

/* Adds the joint of links node - 1 and node, and the joint that holds the node. */
static void addJoints(Scene *scene, const Links *links, int node, const double at[3])
{
    double axis[3] = {0, cos(links->bend * node), sin(links->bend * node)};
    dBodyID before = scene->body[node - 1], after = node < links->count ? scene->body[node] : NULL;
    int rigid = links->support == LINKS_JOINT_RIGID && node == 1;
    if (after && rigid)
        dJointSetFixed(sceneAddJoint(scene, dJointCreateFixed(scene->world, NULL), before, after));
    else if (after)
        sceneAddHinge(scene, before, after, at, axis);
}

Scene *sceneLinks(const Links *links)
{
    enum { HELD_ROOM = 1 };
    Scene *scene = sceneCreate(links->count, links->count + HELD_ROOM);
    if (!scene)
        return NULL;
    dWorldSetGravity(scene->world, 0, 0, 0);
    double end[3] = {0, 0, 0}, held[3] = {0, 0, 0};
    const double yAxis[3] = {0, 1, 0};
    for (int i = 0; i < links->count; i++) {
        double start[3] = {end[0], end[1], end[2]}, yaw = links->bend * i, pitch = links->bend * i * i;
        addLink(scene, start, (const double[3]){cos(yaw) * cos(pitch), sin(yaw) * cos(pitch), sin(pitch)}, end);
        if (i > 0)
            addJoints(scene, links, i, start);
        if (i == 0 || links->support == LINKS_END_HELD)
            for (int k = 0; k < 3; k++)
                held[k] = end[k];
    }
    if (links->support == LINKS_END_HELD)
        sceneAddHinge(scene, scene->body[links->count - 1], NULL, held, yAxis);
    else if (links->support == LINKS_JOINT_HELD)
        sceneAddHinge(scene, scene->body[0], NULL, held, yAxis);
    return scene;
}

Probe linksNode(const Scene *scene, int node, const double direction[3])
{
    int last = scene->bodyCount - 1, link = node < last ? node : last;
    Probe probe = {.body = scene->body[link]};
    const dReal *rotation = dBodyGetRotation(probe.body);
    for (int k = 0; k < 3; k++) {
        probe.lever[k] = (node > last ? 0.5 : -0.5) * linkLength * rotation[4 * k];
        probe.direction[k] = direction[k];
    }
    return probe;
}

Probe linksTurning(const Scene *scene, int link, const double axis[3])
{
    return (Probe){.body = scene->body[link], .couple = 1, .direction = {axis[0], axis[1], axis[2]}};
}

void probeStrike(const Probe *probe, double impulse, double stepSize)
{
    double force[3], torque[3];
    for (int k = 0; k < 3; k++)
        force[k] = impulse / stepSize * probe->direction[k];
    if (probe->couple) {
        dBodyAddTorque(probe->body, force[0], force[1], force[2]);
        return;
    }
    CROSS3(torque, probe->lever, force);
    dBodyAddForce(probe->body, force[0], force[1], force[2]);
    dBodyAddTorque(probe->body, torque[0], torque[1], torque[2]);
}

double probeVelocity(const Probe *probe)
{
    const dReal *v = dBodyGetLinearVel(probe->body), *w = dBodyGetAngularVel(probe->body);
    double swing[3], sum = 0;
    if (probe->couple)
        return DOT3(w, probe->direction);
    CROSS3(swing, w, probe->lever);
    for (int k = 0; k < 3; k++)
        sum += (v[k] + swing[k]) * probe->direction[k];
    return sum;
}

double linksMobility(int count, int at, int from)
{
    // u_(k-1) + 4 u_k + u_(k+1) = 0 and 2 u_0 + u_1 = 0 have the solution (-1)^k cosh k t with cosh
    // t = 2
    int low = at < from ? at : from, high = at < from ? from : at;
    double t = acosh(2), sign = (high - low) % 2 ? -1 : 1;
    return sign * 6 * cosh(low * t) * cosh((count - high) * t) / (linkMass * sinh(t) * sinh(count * t));
}

double linksJointImpulse(int count, int node, int from)
{
    // momentum of the links before the node: from the blow, if one of them was struck, and from the
    // joint
    int struck = from < count ? from : count - 1;
    double sum = struck < node ? -1 : 0;
    for (int i = 0; i < node; i++)
        sum += linkMass * (linksMobility(count, i, from) + linksMobility(count, i + 1, from)) / 2;
    return sum;
}

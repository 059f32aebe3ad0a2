/* island.c  Phase 4: islands of bodies and joints that share multipliers, and their loads.
 *
 * Kinematic bodies, the world and contacts that are known loads end an island. */
#include "../phases.h"
#include "../publish/wrench_norm.h"

#include "../../base/union_find.h"
#include "../../base/vectorise.h"

#include <math.h>
#include <string.h>

/* reasons of bodies and joints without valid equations */
#define UNFIT_REASONS (KS_REASON_NOT_FINITE | KS_REASON_MASS | KS_REASON_UNREADABLE)

/* --- Members --- */

bool ksiFindLink(const ksiStep *step, size_t index, bool joins, ksiJointMember *member)
{
    const ksiJointInput *joint = &step->joint[index];
    bool same = true;
    for (int side = 0; side < 2; side++) {
        const int body = joint->bodyIndex[side];
        const int link = joins && body >= 0 && step->body[body].dynamic ? body : -1;
        same &= link == member->link[side];
        member->link[side] = link;
    }
    return same;
}

static int islandOfSet(ksiIslands *out, int set)
{
    if (out->body[set].island < 0) {
        out->body[set].island = (int)out->count++;
        out->island[out->body[set].island] = (ksiIsland){0};
    }
    return out->body[set].island;
}

/* Fills the lists with the members of each island in turn: a counting sort. */
static void sortByIsland(const ksiStep *step, ksiIslands *out)
{
    int joints = 0, bodies = 0;
    for (size_t i = 0; i < out->count; i++) {
        ksiIsland *island = &out->island[i];
        island->firstJoint = joints;
        island->firstBody = bodies;
        joints += island->jointCount;
        bodies += island->bodyCount;
        island->jointCount = island->bodyCount = 0;
    }
    for (size_t i = 0; i < step->jointCount; i++) {
        if (out->joint[i].island < 0)
            continue;
        ksiIsland *island = &out->island[out->joint[i].island];
        out->jointOf[island->firstJoint + island->jointCount++] = (int)i;
    }
    for (size_t i = 0; i < step->bodyCount; i++) {
        if (out->body[i].island < 0)
            continue;
        ksiIsland *island = &out->island[out->body[i].island];
        out->body[i].block = island->bodyCount;
        out->bodyOf[island->firstBody + island->bodyCount++] = (int)i;
    }
}

static bool joinTheSame(const int a[2], const int b[2])
{
    return (a[0] == b[0] && a[1] == b[1]) || (a[0] == b[1] && a[1] == b[0]);
}

/* Is the k-th joint an angular motor between the bodies of a ball? The rows of the motor have no
 * force, and the three rows of the ball are independent. So no row of one joint depends on rows of
 * the other joint, whatever the drift. The ball is looked for among neighbours in the list: hosts
 * create both joints in succession, or all balls and all motors in succession. */
static bool isMotorOfBall(const ksiStep *step, const ksiIslands *out, const ksiIsland *island, int k)
{
    enum { NEAR = 64 };
    const int *joint = out->jointOf + island->firstJoint;
    if (step->joint[joint[k]].type != dJointTypeAMotor)
        return false;
    const int first = k < NEAR ? 0 : k - NEAR, end = island->jointCount - k > NEAR ? k + NEAR : island->jointCount;
    for (int i = first; i < end; i++)
        if (step->joint[joint[i]].type == dJointTypeBall &&
            joinTheSame(out->joint[joint[i]].link, out->joint[joint[k]].link))
            return true;
    return false;
}

static void endsOf(const ksiStep *step, const ksiJointMember *joint, int node[2])
{
    for (int side = 0; side < 2; side++)
        node[side] = joint->link[side] < 0 ? (int)step->bodyCount : joint->link[side];
}

/* A bridge carries no self-stress: no other joint connects its two sides and could balance it. A
 * mechanism with only bridges is a tree; the ground counts as one more body. */
static void findBridges(const ksiStep *step, ksiIslands *out)
{
    int node[2];
    ksiBridgesReset(out->node, step->bodyCount + 1);
    for (size_t i = 0; i < out->count; i++)
        for (int k = 0; k < out->island[i].jointCount; k++) {
            endsOf(step, &out->joint[out->jointOf[out->island[i].firstJoint + k]], node);
            if (!isMotorOfBall(step, out, &out->island[i], k))
                ksiBridgesJoin(out->node, node[0], node[1]);
        }
    for (size_t i = 0; i < out->count; i++) {
        ksiIsland *island = &out->island[i];
        island->isTree = true;
        for (int k = 0; k < island->jointCount; k++) {
            ksiJointMember *joint = &out->joint[out->jointOf[island->firstJoint + k]];
            endsOf(step, joint, node);
            joint->isBridge = ksiBridgesDivide(out->node, node[0], node[1]);
            island->isTree &= joint->isBridge;
        }
    }
}

void ksiFindMembers(const ksiStep *step, int *parent, ksiIslands *out)
{
    ksiSetsReset(parent, step->bodyCount);
    for (size_t i = 0; i < step->bodyCount; i++)
        out->body[i].island = -1;
    for (size_t i = 0; i < step->jointCount; i++) {
        const int *link = out->joint[i].link;
        if (link[0] >= 0 && link[1] >= 0)
            ksiSetsUnite(parent, link[0], link[1]);
    }
    out->count = 0;
    for (size_t i = 0; i < step->jointCount; i++) {
        ksiJointMember *joint = &out->joint[i];
        const int body = joint->link[0] >= 0 ? joint->link[0] : joint->link[1];
        joint->island = body < 0 ? -1 : islandOfSet(out, ksiSetOf(parent, body));
        if (body >= 0)
            out->island[joint->island].jointCount++;
    }
    for (size_t i = 0; i < step->bodyCount; i++) {
        ksiBodyMember *body = &out->body[i];
        if (!step->body[i].dynamic)
            continue;
        body->island = out->body[ksiSetOf(parent, (int)i)].island;
        if (body->island >= 0)
            out->island[body->island].bodyCount++;
    }
    sortByIsland(step, out);
}

/* --- Loads --- */

/* Does a row have a target that depends on velocities (bounce, gears), and that was read before a
 * body was stopped? */
static bool hasStaleTarget(const ksiStep *step, int index)
{
    const ksiJointInput *joint = &step->joint[index];
    // an exact step has read its rows again
    if (step->isExact || !ksiWasHalted(step, index))
        return false;
    bool depends = joint->type == dJointTypeTransmission;
    for (int l = 0; l < joint->rows.count; l++)
        depends |= joint->rows.row[l].kind == KS_ROW_STOP || joint->rows.row[l].kind == KS_ROW_NORMAL;
    return depends;
}

ksReasons ksiObstacles(const ksiStep *step, int index)
{
    const ksiJointInput *joint = &step->joint[index];
    ksReasons reasons = step->report[index].isFinite ? 0 : KS_REASON_NOT_FINITE;
    if (hasStaleTarget(step, index))
        reasons |= KS_REASON_RESET;
    KSI_EACH_BODY (joint->bodyIndex, side, at)
        reasons |= step->body[at].reasons & UNFIT_REASONS;
    return reasons;
}

static void clear(const ksiStep *step, ksiIslands *out)
{
    for (size_t i = 0; i < out->count; i++) {
        const ksiIsland *island = &out->island[i];
        out->island[i] = (ksiIsland){.firstJoint = island->firstJoint,
                                     .jointCount = island->jointCount,
                                     .firstBody = island->firstBody,
                                     .bodyCount = island->bodyCount,
                                     .isTree = island->isTree};
    }
    for (size_t i = 0; i < step->bodyCount; i++) {
        ksiBodyMember *body = &out->body[i];
        body->loadSum = step->motion[i].applied;
        body->largestContact = 0;
        body->leastJoint = body->leastContact = INFINITY;
        if (body->island < 0)
            continue;
        ksiIsland *island = &out->island[body->island];
        island->load = ksiLarger(island->load, body->loadSum);
        island->mass += step->body[i].begin.mass;
    }
}

/* Is it a contact whose forces may be unsolved, since they come from QuickStep, from sweeps or from
 * another engine? */
static bool isNoisy(const ksiStep *step, size_t index)
{
    const bool isSolved = step->isExact ? step->isTaken[index] && !step->isSwept[index]
                                        : step->stepper == KS_WORLD_STEP && !step->isForeign;
    return step->joint[index].type == dJointTypeContact && !isSolved;
}

bool ksiIsStruck(const ksiStep *step, size_t index)
{
    static const double fewSteps = 5;
    const ksiJointInput *joint = &step->joint[index];
    if (joint->type != dJointTypeContact || joint->rows.count == 0)
        return false;
    const double *g = step->input->gravity;
    return joint->rate[0] < -fewSteps * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * step->h;
}

/* A known load belongs to no island, and acts on the islands of its bodies. */
static void addContact(const ksiStep *step, size_t index, ksiIslands *out)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointReport *report = &step->report[index];
    if (!report->isWritten)
        return;
    KSI_EACH_BODY (joint->bodyIndex, side, at) {
        if (!step->body[at].dynamic)
            continue;
        ksiBodyMember *body = &out->body[at];
        ksiIsland *island = body->island < 0 ? NULL : &out->island[body->island];
        if (island) {
            island->isLoaded = true;
            island->isNoisy |= isNoisy(step, index);
            island->isStruck |= ksiIsStruck(step, index);
            island->obstacles |= report->isFinite ? 0u : KS_REASON_NOT_FINITE;
        }
        if (!report->isFinite)
            continue;
        if (island)
            island->load = ksiLarger(island->load, report->load);
        body->largestContact = ksiLarger(body->largestContact, report->load);
        body->loadSum += report->load;
        body->leastContact = ksiSmaller(body->leastContact, report->load);
    }
}

static int activeRows(const ksiStep *step, size_t index)
{
    const ksiRows *rows = &step->joint[index].rows;
    int count = rows->count;
    for (int l = 0; !rows->plain && l < rows->count; l++)
        count -= step->reportPlaces[index].place[l] == KS_INACTIVE;
    return count;
}

static void addJoint(const ksiStep *step, size_t index, ksiIslands *out)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointReport *report = &step->report[index];
    ksiIsland *island = &out->island[out->joint[index].island];
    island->rowCount += activeRows(step, index);
    island->isBounded |= joint->isBounded;
    island->isNoisy |= isNoisy(step, index);
    island->isStruck |= ksiIsStruck(step, index);
    island->caught |= (joint->rows.overrun ? KS_REASON_STALE_LIMIT : 0u) | (joint->rows.bug & KS_REASON_FALSE_LEVER);
    island->obstacles |= ksiObstacles(step, (int)index);
    if (!report->isFinite)
        return;
    // the engine adds a motor and its stop one after the other
    const double motors = ksiSizeOfMotors(joint), added = report->load + 2 * motors;
    island->load = ksiLarger(island->load, ksiLarger(report->load, motors));
    KSI_EACH_BODY (out->joint[index].link, side, at) {
        ksiBodyMember *body = &out->body[at];
        body->loadSum += added;
        body->leastJoint = ksiSmaller(body->leastJoint, report->load);
    }
}

void ksiFindIslands(const ksiStep *step, int *parent, ksiIslands *out)
{
    bool same = out->isKnown && step->input->sameBodies && step->input->sameJoints;
    for (size_t i = 0; i < step->jointCount; i++)
        same &= ksiFindLink(step, i, step->report[i].isWritten && !step->joint[i].isLoad, &out->joint[i]);
    if (!same) {
        ksiFindMembers(step, parent, out);
        findBridges(step, out);
    }
    clear(step, out);
    for (size_t i = 0; i < step->jointCount; i++) {
        if (step->joint[i].isLoad)
            addContact(step, i, out);
        else if (out->joint[i].island >= 0)
            addJoint(step, i, out);
    }
    out->isKnown = true;
}

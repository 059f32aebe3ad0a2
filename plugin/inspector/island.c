/* island.c  Bodies and joints that share multipliers, and the constrained system of each such island.
 *
 * Kinematic bodies and the world do not carry an island on: their columns are dropped, and their given motion goes
 * into beta. The engine's discrete rows, with a = (v* - v)/h:
 *
 *     J a + (cfm/h) lambda = (c - J v)/h,      v the velocities at the start of the step, kinematic ones included */
#include "../mechanics/active_set.h"
#include "inspector_private.h"

#include "../base/vectorise.h"

#include <math.h>
#include <string.h>

enum {
    /* of bodies and joints: there are no equations to solve */
    unfitReasons = KS_REASON_NOT_FINITE | KS_REASON_MASS | KS_REASON_UNREADABLE
};

static int root(ksiBodyState *body, int i)
{
    while (body[i].parent != i)
        i = body[i].parent = body[body[i].parent].parent;
    return i;
}

void ksiUnite(ksInspector *inspector, int a, int b)
{
    inspector->body[root(inspector->body, a)].parent = root(inspector->body, b);
}

int ksiRootOf(ksInspector *inspector, int body)
{
    return root(inspector->body, body);
}

void ksiFindLink(ksInspector *inspector, ksiJointState *joint)
{
    for (int side = 0; side < 2; side++) {
        const int index = joint->bodyIndex[side];
        const bool joins = joint->solved && !joint->isLoad;
        const int link = joins && index >= 0 && inspector->body[index].dynamic ? index : -1;
        inspector->islandsKnown &= link == joint->link[side];
        joint->link[side] = link;
    }
}

static void uniteByJoints(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->bodyCount; i++) {
        inspector->body[i].parent = (int)i;
        inspector->body[i].island = -1;
    }
    for (size_t i = 0; i < inspector->jointCount; i++) {
        const int *link = inspector->joint[i].link;
        if (link[0] >= 0 && link[1] >= 0)
            ksiUnite(inspector, link[0], link[1]);
    }
}

static int islandOfRoot(ksInspector *inspector, int at)
{
    ksiBodyState *body = &inspector->body[at];
    if (body->island < 0) {
        body->island = (int)inspector->islandCount++;
        inspector->island[body->island] = (ksiIsland){0};
    }
    return body->island;
}

/* Fills list[] with the members of each island in turn: a counting sort. */
static void sortByIsland(ksInspector *inspector)
{
    int joints = 0, bodies = 0;
    for (size_t i = 0; i < inspector->islandCount; i++) {
        ksiIsland *island = &inspector->island[i];
        island->firstJoint = joints;
        island->firstBody = bodies;
        joints += island->jointCount;
        bodies += island->bodyCount;
        island->jointCount = island->bodyCount = 0;
    }
    for (size_t i = 0; i < inspector->jointCount; i++) {
        if (inspector->joint[i].island < 0)
            continue;
        ksiIsland *island = &inspector->island[inspector->joint[i].island];
        inspector->islandJoint[island->firstJoint + island->jointCount++] = (int)i;
    }
    for (size_t i = 0; i < inspector->bodyCount; i++) {
        if (inspector->body[i].island < 0)
            continue;
        ksiIsland *island = &inspector->island[inspector->body[i].island];
        inspector->islandBody[island->firstBody + island->bodyCount++] = (int)i;
    }
}

/* The ground counts as one more body. */
static void findTrees(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->islandCount; i++) {
        ksiIsland *island = &inspector->island[i];
        bool onGround = false;
        for (int k = 0; !onGround && k < island->jointCount; k++) {
            const int *link = ksiIslandJoint(inspector, island, k)->link;
            onGround = link[0] < 0 || link[1] < 0;
        }
        island->isTree = island->jointCount <= island->bodyCount - !onGround;
    }
}

static void findMembers(ksInspector *inspector)
{
    uniteByJoints(inspector);
    inspector->islandCount = 0;
    for (size_t i = 0; i < inspector->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[i];
        const int body = joint->link[0] >= 0 ? joint->link[0] : joint->link[1];
        joint->island = body < 0 ? -1 : islandOfRoot(inspector, ksiRootOf(inspector, body));
        if (body >= 0)
            inspector->island[joint->island].jointCount++;
    }
    for (size_t i = 0; i < inspector->bodyCount; i++) {
        ksiBodyState *body = &inspector->body[i];
        if (!body->dynamic)
            continue;
        body->island = inspector->body[ksiRootOf(inspector, (int)i)].island;
        if (body->island >= 0)
            inspector->island[body->island].bodyCount++;
    }
    sortByIsland(inspector);
    findTrees(inspector);
}

void ksiClearIslands(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->islandCount; i++) {
        ksiIsland *island = &inspector->island[i];
        *island = (ksiIsland){.firstJoint = island->firstJoint,
                              .jointCount = island->jointCount,
                              .firstBody = island->firstBody,
                              .bodyCount = island->bodyCount,
                              .isTree = island->isTree};
    }
}

/* Targets that depend on velocities (bounce, gears) were read with those from before a body was stopped. */
static bool staleTarget(const ksInspector *inspector, const ksiJointState *joint)
{
    if (!inspector->anyReset || !ksiWasReset(inspector, joint))
        return false;
    bool depends = joint->type == dJointTypeTransmission;
    for (int l = 0; l < joint->rows.count; l++)
        depends |= joint->rows.row[l].kind == KS_ROW_STOP || joint->rows.row[l].kind == KS_ROW_NORMAL;
    return depends;
}

/* What of a joint and its bodies stands against solving its island. */
unsigned ksiObstacles(const ksInspector *inspector, const ksiJointState *joint)
{
    unsigned reasons = joint->finite ? 0 : KS_REASON_NOT_FINITE;
    if (staleTarget(inspector, joint))
        reasons |= KS_REASON_RESET;
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] >= 0)
            reasons |= inspector->body[joint->bodyIndex[side]].reasons & unfitReasons;
    }
    return reasons;
}

void ksiWeigh(ksInspector *inspector, const ksiJointState *joint, double load)
{
    ksiIsland *island = &inspector->island[joint->island];
    load = ksiLarger(load, joint->load);
    island->load = ksiLarger(island->load, load);
    for (int side = 0; side < 2; side++) {
        if (joint->link[side] < 0)
            continue;
        ksiBodyState *body = &inspector->body[joint->link[side]];
        body->lightest = ksiSmaller(body->lightest, load);
    }
}

void ksiAddBodyToIsland(ksInspector *inspector, ksiBodyState *body)
{
    body->carried += body->applied;
    if (!inspector->islandsKnown || body->island < 0)
        return;
    ksiIsland *island = &inspector->island[body->island];
    island->load = ksiLarger(island->load, body->applied);
}

static void loadIsland(ksiIsland *island, const ksiJointState *joint)
{
    island->loaded = true;
    if (joint->finite)
        island->load = ksiLarger(island->load, joint->load);
    else
        island->obstacles |= KS_REASON_NOT_FINITE;
}

/* A known load belongs to no island, and weighs on those of its bodies. */
static void addLoad(ksInspector *inspector, const ksiJointState *joint)
{
    for (int side = 0; side < 2; side++) {
        ksiBodyState *body = joint->bodyIndex[side] < 0 ? NULL : &inspector->body[joint->bodyIndex[side]];
        if (!body || !body->dynamic || !joint->solved)
            continue;
        if (body->island >= 0)
            loadIsland(&inspector->island[body->island], joint);
        if (!joint->finite)
            continue;
        body->heaviest = ksiLarger(body->heaviest, joint->load);
        body->carried += joint->load;
        body->lightestLoad = ksiSmaller(body->lightestLoad, joint->load);
    }
}

void ksiAddToIsland(ksInspector *inspector, const ksiJointState *joint)
{
    if (inspector->islandsKnown && joint->isLoad)
        addLoad(inspector, joint);
    if (!inspector->islandsKnown || joint->island < 0)
        return;
    ksiIsland *island = &inspector->island[joint->island];
    island->rowCount += joint->rows.count;
    island->bounded |= joint->bounded;
    island->caught |= (joint->rows.overrun ? KS_REASON_STALE_LIMIT : 0u) | (joint->rows.bug & KS_REASON_FALSE_LEVER);
    island->obstacles |= ksiObstacles(inspector, joint);
    if (!joint->finite)
        return;
    for (int side = 0; side < 2; side++) {
        if (joint->link[side] >= 0)
            inspector->body[joint->link[side]].carried += joint->load;
    }
    ksiWeigh(inspector, joint, joint->load);
}

ksStatus ksiFindIslands(ksInspector *inspector)
{
    if (inspector->islandsKnown)
        return KS_OK;
    findMembers(inspector);
    ksiClearIslands(inspector);
    inspector->islandsKnown = true;
    for (size_t i = 0; i < inspector->bodyCount; i++) {
        inspector->body[i].carried = inspector->body[i].heaviest = 0;
        inspector->body[i].lightest = inspector->body[i].lightestLoad = INFINITY;
        ksiAddBodyToIsland(inspector, &inspector->body[i]);
    }
    for (size_t i = 0; i < inspector->jointCount; i++)
        ksiAddToIsland(inspector, &inspector->joint[i]);
    const ksStatus status = ksiReserveSeats(inspector);
    inspector->islandsKnown = !status;
    return status;
}

static void addBodies(ksInspector *inspector, const ksiIsland *island, ksSystem *system)
{
    for (int i = 0; i < island->bodyCount; i++) {
        ksiBodyState *body = ksiIslandBody(inspector, island, i);
        double force[6];
        ksiForceOnBody(body, force);
        body->block = ksiSystemAddBody(system, &body->begin.root, force, body->begin.velocity);
    }
}

/* beta = (c - J v)/h */
void ksiRightHandSides(const ksInspector *inspector, const ksiJointState *joint, double beta[KSI_MAX_ROWS])
{
    const double perStep = 1 / inspector->h;
    for (int l = 0; l < joint->rows.count; l++)
        beta[l] = (joint->rows.row[l].c - joint->rate[l]) * perStep;
}

_Static_assert(KSI_MAX_ROWS == KSI_JOINT_ROWS, "rows of a joint");

static ksStatus addRows(const ksInspector *inspector, ksiJointState *joint, ksSystem *system)
{
    int block[2];
    const int first = ksSystemRowCount(system);
    double beta[KSI_MAX_ROWS], length[KSI_MAX_ROWS];
    ksiJointTerms terms;  // written up to its count
    terms.count = terms.knownCount = 0;
    for (int side = 0; side < 2; side++)
        block[side] = joint->link[side] < 0 ? -1 : inspector->body[joint->link[side]].block;
    ksiRightHandSides(inspector, joint, beta);
    const double perStep = 1 / inspector->h;
    for (int l = 0; l < joint->rows.count; l++) {
        const ksRowPlace place = joint->place[l];
        const double cfm = joint->rows.row[l].cfm;
        joint->systemRow[l] = -1;
        joint->rowSize[l] = 0;
        if (place == KS_INACTIVE)
            continue;
        if (cfm < 0)
            return KS_ERROR_BAD_ARGUMENT;
        // a row at a bound is an applied force
        const int at = terms.count++;
        joint->systemRow[l] = first + at;
        terms.scaled[at] = joint->scaled[l];
        terms.beta[at] = beta[l];
        terms.compliance[at] = cfm * perStep;
        terms.isKnown[at] = place == KS_AT_LOW || place == KS_AT_HIGH;
        terms.knownCount += terms.isKnown[at];
        if (terms.isKnown[at])
            terms.known[at] = place == KS_AT_LOW ? joint->low[l] : joint->high[l];
    }
    ksiSystemAddJoint(system, block, &terms, length);
    for (int l = 0; l < joint->rows.count; l++)
        if (joint->systemRow[l] >= 0)
            joint->rowSize[l] = length[joint->systemRow[l] - first];
    return KS_OK;
}

ksStatus ksiBuildSystem(ksInspector *inspector, int index)
{
    ksiIsland *island = &inspector->island[index];
    int rows = 0;
    for (int i = 0; i < island->jointCount; i++)
        rows += ksiIslandJoint(inspector, island, i)->rows.count;
    island->built = false;
    ksStatus status = ksiTakeSeat(inspector, index);
    if (status)
        return status;
    ksSystem *system = ksiIslandSystem(inspector, index);
    status = ksiSystemBeginRigid(system, island->bodyCount, rows);
    if (!status)
        status = ksSystemSetRigidCompliance(system, inspector->options.rigidCfm * (1 / inspector->h));
    if (!status)
        status = ksSystemSetRankTolerance(system, inspector->options.rankTolerance);
    ksiSystemSetDenseBudget(system, KSI_MOST_DENSE_ROWS);
    if (!status)
        addBodies(inspector, island, system);
    for (int i = 0; !status && i < island->jointCount; i++)
        status = addRows(inspector, ksiIslandJoint(inspector, island, i), system);
    island->rowCount = ksSystemRowCount(system);
    island->built = !status;
    return status;
}

ksStatus ksiReserveScratch(ksInspector *inspector, int index)
{
    const ksiIsland *island = &inspector->island[index];
    size_t rows = (size_t)island->rowCount, coordinates = 6 * (size_t)island->bodyCount;
    ksStatus status = ksiReserve(&inspector->allocator, &inspector->flag, &inspector->flagCapacity, rows, sizeof(int));
    if (!status)
        status = ksiReserve(&inspector->allocator, &inspector->exact, &inspector->exactCapacity, rows, sizeof(double));
    if (!status && island->bounded)
        status = ksiReserve(&inspector->allocator, &inspector->boundedRow, &inspector->boundedCapacity, rows,
                            sizeof *inspector->boundedRow);
    if (status)
        return status;
    return ksiReserve(&inspector->allocator, &inspector->scratch, &inspector->scratchCapacity,
                      4 * rows + 2 * coordinates, sizeof(double));
}

/* Trees, and single loops, are solved in proportion to their rows; elsewhere the factors may fill. */
bool ksiIsOverBudget(const ksInspector *inspector, const ksiIsland *island)
{
    enum { ownBudget = 5000 };
    const size_t budget = inspector->options.islandRowBudget, rows = (size_t)island->rowCount;
    if (budget)
        return rows > budget;
    return rows > ownBudget && island->jointCount > island->bodyCount;
}

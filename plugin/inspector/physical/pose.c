/* pose.c  Gives plugin/core/loop.h the rows and bodies of an island. From these, loop.h finds the
 * nearest pose in which the joints fit. This pose shows their self-stresses.
 *
 * pose_rows.c moves the bodies and reads their joints; pose_solve.c solves in the actual pose. Only
 * islands with a loop have such a pose: the rows of a tree are independent, however it has
 * drifted. */
#include "../publish/wrench_norm.h"
#include "../read/bound_state.h"
#include "physical.h"
#include "pose_private.h"

#include <math.h>
#include <string.h>

/* Drift below this share of options.rankTolerance, in radii of gyration, needs no pose: singular
 * values from drift are then well below the tolerance, and bars contain the error of first order */
static const double driftShare = 0.1;

static bool isSoft(const ksiStep *step, int joint, int l)
{
    return step->joint[joint].rows.row[l].cfm > step->options.rigidCfm;
}

static int bilateralRows(const ksiRows *rows)
{
    int count = 0;
    while (count < rows->count && rows->row[count].kind == KS_ROW_BILATERAL && rows->axis[count] < 0)
        count++;
    return count;
}

static ksStatus reserve(const ksiPosing *p)
{
    const ksAllocator *allocator = &p->step->allocator;
    ksiPose *pose = p->pose;
    const size_t bodies = (size_t)p->island->bodyCount, joints = (size_t)p->island->jointCount;
    KSI_TRY(ksiReserve(allocator, &pose->body, &pose->bodyCapacity, bodies, sizeof *pose->body));
    KSI_TRY(ksiReserve(allocator, &pose->joint, &pose->jointCapacity, joints, sizeof *pose->joint));
    KSI_TRY(ksiReserve(allocator, &pose->plan, &pose->planCapacity, joints, sizeof *pose->plan));
    KSI_TRY(ksiReserve(allocator, &pose->first, &pose->firstCapacity, joints, sizeof(int)));
    KSI_TRY(ksiReserve(allocator, &pose->velocity, &pose->velocityCapacity, 6 * bodies, sizeof *pose->velocity));
    KSI_TRY(ksiReserve(allocator, &pose->vector[0], &pose->vectorCapacity, 2 * KSI_MAX_ROWS * joints,
                       sizeof *pose->vector[0]));
    pose->vector[1] = pose->vector[0] + KSI_MAX_ROWS * joints;
    return KS_OK;
}

static void numberRows(const ksiPosing *p)
{
    ksiPose *pose = p->pose;
    int constraints = 0;
    pose->rows = 0;
    KSI_EACH_JOINT (p->step, p->island, i, joint) {
        ksiPosedJoint *at = &pose->joint[i];
        const bool isLoad = p->step->joint[joint].type == dJointTypeContact;
        at->bilateral = bilateralRows(&p->step->joint[joint].rows);
        at->first = pose->rows;
        at->constraint = isLoad ? -1 : constraints;
        ksiBlocksOf(p->step, joint, at->block);
        for (int l = 0; l < p->step->joint[joint].rows.count; l++)
            at->row[l] = isLoad || p->places[joint].place[l] == KS_INACTIVE ? -1 : pose->rows++;
        if (!isLoad)
            pose->first[constraints++] = at->first;
    }
}

static ksStatus plan(const ksiPosing *p)
{
    ksiPose *pose = p->pose;
    int constraints = 0;
    KSI_EACH_ISLAND_BODY (p->step, p->island, i, body)
        pose->velocity[i] = p->step->body[body].begin.root.mass;
    for (int i = 0; i < p->island->jointCount; i++)
        constraints += pose->joint[i].constraint >= 0;
    return ksiCorePlan(&pose->island.core, p->island->bodyCount, pose->velocity, constraints, pose->plan);
}

/* Carried joints stay carried while the same joints hold the same bodies. */
static ksStatus planAnew(const ksiPosing *p)
{
    ksiPose *pose = p->pose;
    const ksiCore *core = &pose->island.core;
    bool isSame = core->isPlanned && core->bodies == p->island->bodyCount;
    int constraints = 0;
    for (int i = 0; i < p->island->jointCount; i++) {
        const ksiPosedJoint *at = &pose->joint[i];
        if (at->constraint < 0)
            continue;
        const ksiCoreJoint joint = {{at->block[0], at->block[1]}, at->bilateral, false};
        const ksiCoreJoint *was = constraints < core->joints ? &core->joint[constraints] : NULL;
        isSame =
            isSame && was && was->body[0] == joint.body[0] && was->body[1] == joint.body[1] && was->rows == joint.rows;
        pose->plan[constraints++] = joint;
    }
    for (int j = 0; isSame && constraints == core->joints && j < constraints; j++)
        pose->plan[j].isCarried = core->joint[j].isCarried;
    return plan(p);
}

static ksStatus carry(void *of, ksiCoreIsland *island, int joint)
{
    const ksiPosing *p = of;
    (void)island;
    p->pose->plan[joint].isCarried = true;
    return plan(p);
}

static void placeBodies(const ksiPosing *p)
{
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    KSI_EACH_ISLAND_BODY (p->step, p->island, i, body) {
        p->pose->body[i].at = p->step->body[body].begin;
        memcpy(p->pose->body[i].at.velocity, ksiVelocityOf(&p->step->body[body]), sizeof p->pose->body[i].at.velocity);
        memcpy(p->pose->body[i].turn, one, sizeof one);
    }
}

/* Sets the members of a joint's constraint other than its rows. */
static void setJoint(const ksiPosing *p, const ksiPosedJoint *at, int joint)
{
    const ksiStep *step = p->step;
    const ksiJointInput *input = &step->joint[joint];
    const ksiPlaces *places = &p->places[joint];
    ksiConstraint *c = ksiPosedConstraint(p->pose, at);
    ksiCoreLoop *own = &p->pose->island.joint[at->constraint];
    const bool isRecent = ksiIsRecentRun(step, &step->run[joint]);
    int rows = 0;
    for (int l = 0; l < input->rows.count; l++)
        rows += at->row[l] >= 0;
    ksiCoreBeginRows(c, rows);
    own->targets = own->soft = 0;
    for (int l = 0; l < input->rows.count; l++) {
        const int r = at->row[l] - at->first;
        if (at->row[l] < 0)
            continue;
        const bool soft = isSoft(step, joint, l), isIdle = places->place[l] != KS_INSIDE;
        own->reported[r] = step->report[joint].multiplier[l];
        own->usual[r] = ksiUsualReport(step, joint, l);
        own->rate[r] = ksiNeedsBias(step, joint, l, places) ? ksiExcessRate(step, joint, l) : 0;
        own->missed[r] = input->follows >> l & 1u ? ksiMissedRate(step, joint, l) - own->rate[r] : 0;
        own->before[r] = isRecent ? step->run[joint].forbidden.row[l] : 0;
        own->betaError[r] = soft ? 0 : step->acceleration[joint].betaError[l];
        own->soft |= (unsigned)soft << r;
        own->targets |= (input->follows >> l & 1u) << r;
        c->compliance[r] = soft ? input->rows.row[l].cfm / step->h : 0;
        c->lambda[r] =
            (ksiFour){isIdle && places->place[l] != KS_INACTIVE ? ksiBoundInForce(places, l, places->place[l]) : 0};
        c->atLow |= (unsigned)isIdle << r;
    }
}

/* Places bodies and joints in the pose that the bodies have been moved to. */
static ksStatus place(void *of, ksiCoreIsland *island, bool isFirst)
{
    const ksiPosing *p = of;
    if (isFirst) {
        placeBodies(p);
        KSI_TRY(ksiReadPosedJoints(p, true));
    }
    KSI_EACH_ISLAND_BODY (p->step, p->island, i, body) {
        const double weight = p->step->body[body].begin.root.mass;
        island->core.link[island->core.linkOf.at[i]].weight2 = weight * weight;
    }
    KSI_EACH_JOINT (p->step, p->island, i, joint) {
        const ksiPosedJoint *at = &p->pose->joint[i];
        if (at->constraint < 0)
            continue;
        setJoint(p, at, joint);
        ksiConstraint *c = ksiPosedConstraint(p->pose, at);
        for (int l = 0; l < p->step->joint[joint].rows.count; l++) {
            const int r = at->row[l] - at->first;
            if (at->row[l] < 0)
                continue;
            ksiCoreSetRow(c, r, p->step->joint[joint].scaled[l]);
            if (isFirst)
                c->beta[r] = (ksiFour){at->gap[l]};
        }
    }
    return KS_OK;
}

KSI_CLONES
void ksiSetPosedRows(const ksiPosing *p)
{
    KSI_EACH_JOINT (p->step, p->island, i, joint) {
        const ksiPosedJoint *at = &p->pose->joint[i];
        if (at->constraint < 0)
            continue;
        ksiConstraint *c = ksiPosedConstraint(p->pose, at);
        double(*const before)[12] = p->pose->island.row[at->constraint];
        for (int l = 0; l < p->step->joint[joint].rows.count; l++) {
            const int r = at->row[l] - at->first;
            double scaled[12];
            if (at->row[l] < 0)
                continue;
            ksiScalePosedRow(p->pose, at, p->step->joint[joint].rows.row[l].jacobian[0], before[r]);
            ksiScalePosedRow(p->pose, at, ksiPosedRow(at, l), scaled);
            ksiCoreSetRow(c, r, scaled);
            c->beta[r] = (ksiFour){at->gap[l]};
        }
    }
}

static ksStatus move(void *of, ksiCoreIsland *island, bool asTheyAre)
{
    const ksiPosing *p = of;
    (void)island;
    for (int b = 0; b < p->island->bodyCount; b++) {
        double motion[6];
        ksiPosedBody *body = &p->pose->body[b];
        const ksiPosedBody was = {.at.root = body->at.root, .turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        ksiPosedMotion(p->pose, b, asTheyAre ? body : &was, motion);
        ksiMovePosed(body, motion);
    }
    KSI_TRY(ksiReadPosedJoints(p, false));
    ksiSetPosedRows(p);
    return KS_OK;
}

ksiCoreHost ksiPoseHost(ksiPosing *p)
{
    return (ksiCoreHost){.of = p, .carry = carry, .place = place, .move = move};
}

/* --- Is the drift large enough to matter? --- */

/* Roundings of positions in a gap: of the places and anchors of both bodies. */
static const double roundings = 4;

/* Sets the radius, and the rounding of gaps far from the origin. */
static void measure(const ksiPosing *p, ksiCoreIsland *island)
{
    double radius = 0, farthest = 0;
    KSI_EACH_ISLAND_BODY (p->step, p->island, i, body) {
        const ksiBody *at = &p->step->body[body].begin;
        radius += sqrt((at->inertia[0] + at->inertia[4] + at->inertia[8]) / (2 * at->mass));
        farthest = fmax(farthest, ksiSize(at->centre, 3));
    }
    island->radius = radius / p->island->bodyCount;
    island->placing = roundings * ksiEpsilon(p->step->isSingle) * farthest / island->radius;
}

/* The drift, computed from the gaps that the rows' c contain, without reading the joints. NAN: the
 * c of a joint does not contain its gap. doHold: some row is rigid and inside its bounds; doMove:
 * each row moves a body. */
KSI_CLONES
static double driftOfRows(const ksiPosing *p, bool *doHold, bool *doMove)
{
    double most2 = 0;
    bool isKnown = true;
    *doHold = false;
    *doMove = true;
    KSI_EACH_JOINT (p->step, p->island, i, index) {
        const ksiJointInput *joint = &p->step->joint[index];
        const ksiPlaces *places = &p->places[index];
        ksiPosedJoint *at = &p->pose->joint[i];
        isKnown =
            isKnown && joint->isCopied &&
            ksiGapsOfRows(p->step->input->copy + joint->copyAt, &joint->rows, p->step->h, p->step->input->erp, at->gap);
        for (int l = 0; l < joint->rows.count; l++) {
            if (at->row[l] < 0)
                continue;
            const double length2 = ksiKinematicSquare(p, at->block, joint->scaled[l]);
            *doMove &= length2 > 0;
            *doHold |= places->place[l] == KS_INSIDE && !isSoft(p->step, index, l);
            if (!isKnown || !(length2 > 0) || !ksiHoldsPosition(p->step, index, l, places))
                continue;
            const double gap2 = at->gap[l] * at->gap[l];
            most2 = gap2 > most2 * length2 ? gap2 / length2 : most2;
        }
    }
    return isKnown ? sqrt(most2) / p->pose->island.radius : NAN;
}

ksStatus ksiBeginPose(const ksiPosing *p, double *drift)
{
    ksiCoreIsland *island = &p->pose->island;
    bool doHold, doMove;
    *drift = NAN;
    KSI_TRY(reserve(p));
    numberRows(p);
    measure(p, island);
    island->rounding = ksiEpsilon(p->step->isSingle);
    island->tolerance = p->step->options.rankTolerance;
    island->least = p->step->islandPhysical[p->index].isWeak ? 0 : driftShare * island->tolerance;
    const double found = driftOfRows(p, &doHold, &doMove);
    if (!doHold) {
        *drift = 0;  // a mechanism of springs alone has no drift
        return KS_ERROR_UNAVAILABLE;
    }
    if (!doMove)
        return KS_ERROR_UNAVAILABLE;
    *drift = found;
    return *drift <= island->least ? KS_ERROR_UNAVAILABLE : planAnew(p);
}

ksStatus ksiFindPose(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places, double *drift)
{
    ksiPosing p = {step, &step->island[island], places, &solver->pose, island, solver, NULL};
    const ksiCoreHost host = ksiPoseHost(&p);
    KSI_TRY(ksiBeginPose(&p, drift));
    *drift = p.pose->island.drift = NAN;
    const ksStatus status = ksiCoreFindPose(&p.pose->island, &host);
    *drift = p.pose->island.drift;
    p.pose->isDecided = !status;
    return status;
}

ksStatus ksiDecidePosed(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places)
{
    ksiPosing p = {step, &step->island[island], places, &solver->pose, island, solver, NULL};
    const ksiCoreHost host = ksiPoseHost(&p);
    p.pose->isDecided = false;
    KSI_EACH_JOINT (step, p.island, i, joint)
        if (p.pose->joint[i].constraint >= 0)
            setJoint(&p, &p.pose->joint[i], joint);
    ksiSetPosedRows(&p);
    KSI_TRY(ksiCoreDecideAnew(&p.pose->island, &host));
    p.pose->isDecided = true;
    return KS_OK;
}

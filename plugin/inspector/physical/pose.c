/* pose.c  The nearest pose in which the joints of an island fit, where their self-stresses are seen: its problem, and the way there.
 *
 * pose_rows.c moves the bodies and reads their joints; pose_solve.c solves what holds there. Only islands with a loop are: in a tree nothing depends on
 * anything, however it has drifted. */
#include "pose_private.h"

#include <math.h>
#include <string.h>

/* Of the radius of gyration: below it what drift makes of dependent rows is well below options.rankTolerance, and the error of
 * first order is in the bars */
static const double driftShare = 0.1;
/* Of the square of the gaps, and where that leads nowhere, of the gaps; ten times more or less serves as well */
static const double damping = 0.1;
enum { MOST_FAR_STEPS = 24 };
/* Of the drift, and of the radius, that may be left of joints that did not fit when they were made: with more they do not
 * come together */
static const double mostLeft = 0.25, mostMisfit = 1e-2;
enum { POSES = 2 };
/* Of options.rankTolerance: what is left below it does not decide the rank (nearest_rank.c: three times what is left) */
static const double closeShare = 1. / 3;
/* A step that leaves more of what was left does not help */
static const double helps = 0.5;

/* Rows in the order of ksiNearest. */
typedef enum Class { POSITION, TARGET, IDLE, SOFT, NONE } Class;

static Class classOf(const ksiPosing *p, int joint, int l)
{
    const ksiRow *row = &p->step->joint[joint].rows.row[l];
    const bool isSoft = row->cfm > p->step->options.rigidCfm;
    const ksRowPlace place = p->places[joint].place[l];
    if (place == KS_INACTIVE || p->step->joint[joint].type == dJointTypeContact)
        return NONE;
    // other solutions may have it inside
    if (place != KS_INSIDE)
        return isSoft ? NONE : IDLE;
    if (isSoft)
        return SOFT;
    return p->step->joint[joint].follows >> l & 1u ? TARGET : POSITION;
}

static int bilateralRows(const ksiRows *rows)
{
    int count = 0;
    while (count < rows->count && rows->row[count].kind == KS_ROW_BILATERAL && rows->axis[count] < 0)
        count++;
    return count;
}

static ksiNearestRows countRows(const ksiPosing *p)
{
    int of[NONE + 1] = {0};
    KSI_EACH_ROW (p->step, p->island, i, joint, l)
        of[classOf(p, joint, l)]++;
    return (ksiNearestRows){of[POSITION], of[TARGET], of[IDLE], of[SOFT]};
}

static void numberRows(const ksiPosing *p)
{
    const ksiNearest *n = &p->pose->nearest;
    int next[NONE] = {0, n->positions, n->active, n->rigid};
    KSI_EACH_JOINT (p->step, p->island, i, joint) {
        ksiPosedJoint *at = &p->pose->joint[i];
        at->bilateral = bilateralRows(&p->step->joint[joint].rows);
        ksiBlocksOf(p->step, joint, at->block);
        for (int l = 0; l < p->step->joint[joint].rows.count; l++) {
            const Class class = classOf(p, joint, l);
            at->row[l] = class == NONE ? -1 : next[class]++;
        }
    }
}

/* Rows where the bodies were and, if they were moved, where they are now, both scaled as they are now. */
static void fillRows(const ksiPosing *p, bool isMoved)
{
    ksiNearest *n = &p->pose->nearest;
    KSI_EACH_JOINT (p->step, p->island, i, joint) {
        const ksiPosedJoint *at = &p->pose->joint[i];
        const ksiRows *rows = &p->step->joint[joint].rows;
        for (int l = 0; l < rows->count; l++) {
            const int r = at->row[l];
            if (r < 0)
                continue;
            memcpy(n->body[r], at->block, sizeof n->body[r]);
            n->gap[r] = at->gap[l];
            ksiScalePosedRow(p->pose, at, rows->row[l].jacobian[0], n->initial + 12 * r);
            if (isMoved)
                ksiScalePosedRow(p->pose, at, ksiPosedRow(at, l), n->fitted + 12 * r);
            else
                memcpy(n->fitted + 12 * r, n->initial + 12 * r, 12 * sizeof *n->fitted);
        }
    }
}

void ksiPlacePosed(const ksiPosing *p)
{
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    KSI_EACH_ISLAND_BODY (p->step, p->island, i, body) {
        p->pose->body[i].at = p->step->body[body].begin;
        memcpy(p->pose->body[i].at.velocity, ksiVelocityOf(&p->step->body[body]), sizeof p->pose->body[i].at.velocity);
        memcpy(p->pose->body[i].turn, one, sizeof one);
    }
}

static void weighBodies(const ksiPosing *p)
{
    double radius = 0;
    KSI_EACH_ISLAND_BODY (p->step, p->island, i, body) {
        const ksiBody *begin = &p->step->body[body].begin;
        const double *inertia = begin->inertia;
        radius += sqrt((inertia[0] + inertia[4] + inertia[8]) / (2 * begin->mass)) / p->island->bodyCount;
        p->pose->nearest.weight[i] = begin->root.mass;
    }
    p->pose->nearest.radius = radius;
}

/* The rows that the bodies have had from the start, and their gaps. */
static ksStatus readWhereTheyAre(const ksiPosing *p)
{
    ksiPlacePosed(p);
    KSI_TRY(ksiReadPosedJoints(p, true));
    fillRows(p, false);
    return KS_OK;
}

/* The same of the rows that were read before the step, and the gaps that their own c tells: nothing is read again. Not where a
 * joint's does not tell. */
static bool takeRows(const ksiPosing *p)
{
    ksiNearest *n = &p->pose->nearest;
    KSI_EACH_JOINT (p->step, p->island, i, index) {
        const ksiJointInput *joint = &p->step->joint[index];
        ksiPosedJoint *at = &p->pose->joint[i];
        if (!joint->isCopied || !ksiGapsOfRows(p->step->input->copy + joint->copyAt, &joint->rows, p->step->h,
                                               p->step->input->erp, at->gap))
            return false;
        for (int l = 0; l < joint->rows.count; l++) {
            const int r = at->row[l];
            if (r < 0)
                continue;
            memcpy(n->body[r], at->block, sizeof n->body[r]);
            memcpy(n->initial + 12 * r, joint->scaled[l], sizeof joint->scaled[l]);
            n->gap[r] = at->gap[l];
        }
    }
    return true;
}

static ksStatus measureWhereTheyAre(const ksiPosing *p)
{
    KSI_TRY(readWhereTheyAre(p));
    return ksiNearestMeasure(&p->pose->nearest);
}

/* Have the joints drifted so far that it matters? No more is read than that needs. */
static ksStatus measure(const ksiPosing *p, double least, double *drift)
{
    ksiNearest *n = &p->pose->nearest;
    n->tolerance = p->step->options.rankTolerance;
    n->inputRounding = ksiEpsilon(p->step->isSingle);
    weighBodies(p);
    bool isFar = !takeRows(p);
    if (!isFar) {
        KSI_TRY(ksiNearestMeasure(n));
        isFar = n->drift > least;
    }
    if (isFar)
        KSI_TRY(measureWhereTheyAre(p));
    *drift = n->drift;
    return n->drift > least ? KS_OK : KS_ERROR_UNAVAILABLE;
}

static ksStatus beginPose(const ksiPosing *p, double least, double *drift)
{
    const ksAllocator *allocator = &p->step->allocator;
    ksiPose *pose = p->pose;
    const ksiNearestRows count = countRows(p);
    // between springs alone nothing is out of place
    *drift = count.positions + count.targets > 0 ? NAN : 0;
    KSI_TRY(ksiReserve(allocator, &pose->body, &pose->bodyCapacity, (size_t)p->island->bodyCount, sizeof *pose->body));
    KSI_TRY(
        ksiReserve(allocator, &pose->joint, &pose->jointCapacity, (size_t)p->island->jointCount, sizeof *pose->joint));
    KSI_TRY(ksiNearestBegin(&pose->nearest, p->island->bodyCount, &count));
    numberRows(p);
    return measure(p, least, drift);
}

/* Moves the bodies, in the metric of the factor: of the bodies as they were, or as they are. Then the rows are those of that pose. */
static ksStatus moveBodies(const ksiPosing *p, bool asTheyAre)
{
    ksiNearest *n = &p->pose->nearest;
    ksiNearestMove(n);
    for (int b = 0; b < p->island->bodyCount; b++) {
        double motion[6];
        const ksiPosedBody was = {.at.root = p->pose->body[b].at.root, .turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        ksiUnscalePosed(asTheyAre ? &p->pose->body[b] : &was, n->motion + 6 * b, motion);
        ksiMovePosed(&p->pose->body[b], motion);
    }
    KSI_TRY(ksiReadPosedJoints(p, false));
    fillRows(p, true);
    return ksiNearestArrive(n, true);
}

/* A step from where the bodies are, with a factor of its own. */
static ksStatus moveOn(const ksiPosing *p, double damped)
{
    KSI_TRY(ksiNearestFactor(&p->pose->nearest, p->pose->nearest.fitted, damped));
    return moveBodies(p, true);
}

/* What would decide the rank is left. */
static bool isApart(const ksiNearest *n)
{
    return n->residual > closeShare * n->tolerance;
}

/* Two steps with the same factor, or one where nobody sees what that leaves. Where these leave so much that it would decide the rank,
 * some with a factor each while they help. */
static ksStatus approach(const ksiPosing *p)
{
    ksiNearest *n = &p->pose->nearest;
    KSI_TRY(ksiNearestFactor(n, n->initial, damping * n->drift * n->drift));
    for (int pose = 0; pose < POSES && (pose == 0 || n->residual > ksiNearestUnseen(n)); pose++)
        KSI_TRY(moveBodies(p, false));
    for (double before = INFINITY; isApart(n) && n->residual < helps * before;) {
        before = n->residual;
        KSI_TRY(moveOn(p, damping * n->residual * n->residual));
    }
    return KS_OK;
}

/* These four: KS_ERROR_UNAVAILABLE where they do not tell the rank. The nearest pose. */
static ksStatus fit(const ksiPosing *p)
{
    ksiNearest *n = &p->pose->nearest;
    KSI_TRY(approach(p));
    return isApart(n) ? KS_ERROR_UNAVAILABLE : ksiNearestDecide(n);
}

/* Any pose in which the joints fit, which tells their self-stresses as well; but not what the way there changes. Taut ropes
 * have none nearby. */
static ksStatus goFar(const ksiPosing *p)
{
    ksiNearest *n = &p->pose->nearest;
    ksStatus status = measureWhereTheyAre(p);
    for (int step = 0; !status && isApart(n) && step < MOST_FAR_STEPS; step++)
        status = moveOn(p, damping * n->residual);
    if (!status)
        status = isApart(n) ? KS_ERROR_UNAVAILABLE : ksiNearestDecide(n);
    n->isMoved = false;
    return status;
}

/* As near as joints come that did not fit when they were made. */
static ksStatus comeNear(const ksiPosing *p)
{
    ksiNearest *n = &p->pose->nearest;
    KSI_TRY(measureWhereTheyAre(p));
    KSI_TRY(approach(p));
    if (n->residual > fmin(mostLeft * n->drift, mostMisfit))
        return KS_ERROR_UNAVAILABLE;
    return ksiNearestDecide(n);
}

/* Not at all: what depends where the bodies are. */
static ksStatus stay(const ksiPosing *p)
{
    ksiNearest *n = &p->pose->nearest;
    KSI_TRY(readWhereTheyAre(p));
    KSI_TRY(ksiNearestArrive(n, false));
    return ksiNearestDecide(n);
}

ksStatus ksiFindPose(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places, double *drift)
{
    const ksiPosing p = {step, &step->island[island], places, &solver->pose};
    ksiNearest *n = &p.pose->nearest;
    const bool isWeak = step->islandPhysical[island].isWeak;
    KSI_TRY(beginPose(&p, isWeak ? 0 : driftShare * step->options.rankTolerance, drift));
    KSI_TRY(ksiNearestOrder(n, KSI_MOST_DENSE_ROWS * (KSI_MOST_DENSE_ROWS + 1) / 2));
    ksStatus (*const ways[])(const ksiPosing *) = {fit, goFar, comeNear, stay};
    ksStatus status = KS_ERROR_UNAVAILABLE;
    for (size_t i = 0; status == KS_ERROR_UNAVAILABLE && i < sizeof ways / sizeof *ways; i++)
        status = ways[i](&p);
    return status;
}

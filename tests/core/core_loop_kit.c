/* core_loop_kit.c  An island of a step as a host of plugin/core/loop.h: see core_loop_kit.h. */
#include "tests/core/core_loop_kit.h"

#include "inspector/phases.h"
#include "inspector/read/bound_state.h"

/* As pose.c */
static const double kDriftShare = 0.1;

static bool isBounded(ksRowPlace place)
{
    return place == KS_AT_LOW || place == KS_AT_HIGH;
}

/* Rows that are in an equation, or at a bound. */
static bool isTaken(const LoopHost *h, int joint, int l)
{
    return h->out.places[joint].place[l] != KS_INACTIVE && h->posing.step->joint[joint].type != dJointTypeContact;
}

int loopRow(const LoopHost *h, int i, int l)
{
    int r = 0;
    const int joint = ksiIslandJoint(h->posing.step, h->posing.island, i);
    if (!isTaken(h, joint, l))
        return -1;
    for (int k = 0; k < l; k++)
        r += isTaken(h, joint, k);
    return r;
}

/* The same rows have numbers, for functions of the inspector that ask for these. */
static void numberRows(LoopHost *h)
{
    int next = 0;
    KSI_EACH_JOINT (h->posing.step, h->posing.island, i, joint) {
        ksiPosedJoint *at = &h->solver.pose.joint[i];
        const ksiRows *rows = &h->posing.step->joint[joint].rows;
        at->bilateral = 0;
        while (at->bilateral < rows->count && rows->row[at->bilateral].kind == KS_ROW_BILATERAL &&
               rows->axis[at->bilateral] < 0)
            at->bilateral++;
        ksiBlocksOf(h->posing.step, joint, at->block);
        for (int l = 0; l < rows->count; l++)
            at->row[l] = isTaken(h, joint, l) ? next++ : -1;
    }
}

static ksStatus plan(LoopHost *h)
{
    double mass[CORE_BODIES];
    KSI_EACH_ISLAND_BODY (h->posing.step, h->posing.island, i, body)
        mass[i] = h->posing.step->body[body].begin.root.mass;
    KSI_EACH_JOINT (h->posing.step, h->posing.island, i, joint) {
        ksiBlocksOf(h->posing.step, joint, h->plan[i].body);
        h->plan[i].rows = h->posing.step->joint[joint].rows.count;
    }
    return ksiCorePlan(&h->island.core, h->posing.island->bodyCount, mass, h->posing.island->jointCount, h->plan);
}

static ksStatus carry(void *of, ksiCoreIsland *island, int joint)
{
    LoopHost *h = of;
    (void)island;
    h->plan[joint].isCarried = true;
    return plan(h);
}

/* Rows of a pose, or as they were read, and their gaps. */
static void setRows(LoopHost *h, bool arePosed)
{
    KSI_EACH_JOINT (h->posing.step, h->posing.island, i, joint) {
        const ksiPosedJoint *at = &h->solver.pose.joint[i];
        ksiConstraint *c = ksiCoreConstraint(&h->island.core, i);
        for (int l = 0, r = 0; l < h->posing.step->joint[joint].rows.count; l++) {
            double scaled[12];
            if (!isTaken(h, joint, l))
                continue;
            ksiScalePosedRow(h->posing.pose, at, ksiPosedRow(at, l), scaled);
            if (arePosed)
                ksiScalePosedRow(h->posing.pose, at, h->posing.step->joint[joint].rows.row[l].jacobian[0],
                                 h->island.row[i][r]);
            ksiCoreSetRow(c, r, arePosed ? scaled : h->posing.step->joint[joint].scaled[l]);
            c->beta[r++] = (ksiFour){at->gap[l]};
        }
    }
}

static void setJoint(LoopHost *h, int i, int joint)
{
    const ksiStep *step = h->posing.step;
    const ksiPlaces *places = &h->out.places[joint];
    ksiConstraint *c = ksiCoreConstraint(&h->island.core, i);
    ksiCoreLoop *own = &h->island.joint[i];
    int rows = 0;
    for (int l = 0; l < step->joint[joint].rows.count; l++)
        rows += isTaken(h, joint, l);
    ksiCoreBeginRows(c, rows);
    own->targets = own->soft = 0;
    for (int l = 0, r = 0; l < step->joint[joint].rows.count; l++) {
        const double cfm = step->joint[joint].rows.row[l].cfm;
        const bool isSoft = cfm > step->options.rigidCfm, isAt = isBounded(places->place[l]);
        if (!isTaken(h, joint, l))
            continue;
        own->reported[r] = step->report[joint].multiplier[l];
        own->usual[r] = ksiUsualReport(step, joint, l);
        own->rate[r] = ksiHoldsPosition(step, joint, l, places) ? step->joint[joint].moving[l] : 0;
        own->betaError[r] = isSoft ? 0 : step->acceleration[joint].betaError[l];
        own->soft |= (unsigned)isSoft << r;
        own->targets |= (step->joint[joint].follows >> l & 1u) << r;
        c->compliance[r] = isSoft ? cfm / step->h : 0;
        c->lambda[r] = (ksiFour){isAt ? ksiBoundInForce(places, l, places->place[l]) : 0};
        c->atLow |= (unsigned)isAt << r++;
    }
}

static ksStatus place(void *of, ksiCoreIsland *island, bool isFirst)
{
    LoopHost *h = of;
    h->placed++;
    ksiPlacePosed(&h->posing);
    if (isFirst) {
        const ksStatus status = ksiReadPosedJoints(&h->posing, true);
        if (status)
            return status;
    }
    KSI_EACH_ISLAND_BODY (h->posing.step, h->posing.island, i, body) {
        const double mass = h->posing.step->body[body].begin.root.mass;
        island->core.link[island->core.linkOf.at[i]].weight2 = mass * mass;
    }
    KSI_EACH_JOINT (h->posing.step, h->posing.island, i, joint)
        setJoint(h, i, joint);
    setRows(h, false);
    return KS_OK;
}

/* y of a body, as a motion in the world's axes. */
static void unscale(const LoopHost *h, int b, bool asTheyAre, double *motion)
{
    const ksiPosedBody *body = &h->solver.pose.body[b];
    const ksiPosedBody was = {.at.root = body->at.root, .turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const ksiCoreLink *link = &h->island.core.link[h->island.core.linkOf.at[b]];
    double scaled[6];
    for (int k = 0; k < 6; k++)
        scaled[k] = link->y[k][0];
    ksiUnscalePosed(asTheyAre ? body : &was, scaled, motion);
}

static ksStatus move(void *of, ksiCoreIsland *island, bool asTheyAre)
{
    LoopHost *h = of;
    (void)island;
    h->moved++;
    for (int b = 0; b < h->posing.island->bodyCount; b++) {
        double motion[6];
        unscale(h, b, asTheyAre, motion);
        ksiMovePosed(&h->solver.pose.body[b], motion);
    }
    const ksStatus status = ksiReadPosedJoints(&h->posing, false);
    if (!status)
        setRows(h, true);
    return status;
}

static void setForces(LoopHost *h)
{
    KSI_EACH_ISLAND_BODY (h->posing.step, h->posing.island, b, body) {
        ksiCoreLink *link = &h->island.core.link[h->island.core.linkOf.at[b]];
        double force[6], scaled[6];
        ksiMechanismForce(h->posing.step, body, h->posing.step->body[body].begin.inertia, h->velocity + 6 * b + 3,
                          force);
        ksiScalePosed(&h->solver.pose.body[b], force, scaled);
        for (int k = 0; k < 6; k++)
            link->force[k] = (ksiFour){scaled[k]};
    }
}

static ksStatus drive(void *of, ksiCoreIsland *island, bool isOwn)
{
    LoopHost *h = of;
    const ksiStep *step = h->posing.step;
    h->driven++;
    for (int b = 0; b < h->posing.island->bodyCount; b++) {
        double change[6], *velocity = h->velocity + 6 * b;
        unscale(h, b, true, change);
        memcpy(velocity, h->solver.pose.body[b].at.velocity, sizeof change);
        ksiAddSix(velocity, 1, change);
    }
    if (!isOwn)
        setForces(h);
    KSI_EACH_JOINT (step, h->posing.island, i, joint) {
        ksiConstraint *c = ksiCoreConstraint(&island->core, i);
        double beta[KSI_MAX_ROWS], discrete[KSI_MAX_ROWS];
        ksiPermittedAccelerations(step, joint, h->velocity, isOwn ? h->own[i] : beta);
        ksiRightHandSides(step, joint, step->joint[joint].moving, discrete);
        for (int l = 0, r = 0; !isOwn && l < step->joint[joint].rows.count; l++)
            if (isTaken(h, joint, l)) {
                const bool isSoft = island->joint[i].soft >> r & 1u;
                c->beta[r++] = isSoft ? (ksiFour){discrete[l]} : (ksiFour){beta[l], h->own[i][l] - beta[l]};
            }
    }
    return isOwn || ksiKnowsAccelerations(step, h->index, &h->out) ? KS_OK : KS_ERROR_UNAVAILABLE;
}

static bool strike(void *of, ksiCoreIsland *island, ksiCoreBlow blow)
{
    LoopHost *h = of;
    KSI_EACH_ROW (h->posing.step, h->posing.island, i, joint, l)
        if (loopRow(h, i, l) >= 0)
            h->multiplier[h->solver.pose.joint[i].row[l]] = island->joint[i].multiplier[loopRow(h, i, l)];
    const bool any = ksiGatherBlows(h->posing.step, &h->solver, h->index, true, blow == KSI_BLOW_ALL,
                                    blow == KSI_BLOW_UNKNOWN ? NULL : h->multiplier, &h->out, h->blow);
    KSI_EACH_ROW (h->posing.step, h->posing.island, i, joint, l)
        if (loopRow(h, i, l) >= 0)
            ksiCoreConstraint(&island->core, i)->beta[loopRow(h, i, l)] =
                (ksiFour){0, h->blow[h->solver.pose.joint[i].row[l]]};
    return any;
}

static bool letGo(void *of, ksiCoreIsland *island, bool isBlow)
{
    LoopHost *h = of;
    KSI_EACH_ROW (h->posing.step, h->posing.island, i, joint, l)
        if (loopRow(h, i, l) >= 0)
            h->blow[h->solver.pose.joint[i].row[l]] = ksiCoreConstraint(&island->core, i)->lambda[loopRow(h, i, l)][1];
    return ksiLetStopsGo(h->posing.step, &h->solver, h->index, true, h->multiplier, isBlow ? h->blow : NULL, &h->out);
}

LoopHost *loopHost(void)
{
    LoopHost *h = calloc(1, sizeof *h);
    ck_assert_ptr_nonnull(h);
    ksiCoreIslandInit(&h->island, NULL);
    h->solver.pose.body = calloc(CORE_BODIES, sizeof *h->solver.pose.body);
    h->solver.pose.joint = calloc(CORE_JOINTS, sizeof *h->solver.pose.joint);
    ck_assert(h->solver.pose.body && h->solver.pose.joint);
    h->host = (ksiCoreHost){h, carry, place, move, drive, NULL, letGo};
    return h;
}

void loopHostFree(LoopHost *h)
{
    ksiCoreIslandFree(&h->island);
    free(h->solver.pose.body);
    free(h->solver.pose.joint);
    free(h);
}

static void *copyOf(const void *from, size_t size)
{
    void *to = malloc(size + 1);
    ck_assert_ptr_nonnull(to);
    return memcpy(to, from, size);
}

void loopPhysical(const ksInspector *inspector, ksiPhysical *out)
{
    const ksiPhysical *from = &inspector->physical;
    *out = *from;
    out->island = copyOf(from->island, inspector->step.islands->count * sizeof *from->island);
    out->joint = copyOf(from->joint, inspector->step.jointCount * sizeof *from->joint);
    out->places = copyOf(from->places, inspector->step.jointCount * sizeof *from->places);
}

void loopPhysicalFree(ksiPhysical *out)
{
    free(out->island);
    free(out->joint);
    free(out->places);
}

ksStatus loopSolve(LoopHost *h, const ksInspector *inspector, int index)
{
    const ksiStep *step = &inspector->step;
    double radius = 0;
    h->index = index;
    h->posing = (ksiPosing){step, &step->island[index], h->out.places, &h->solver.pose};
    ck_assert_int_le(h->posing.island->bodyCount, CORE_BODIES);
    ck_assert_int_le(h->posing.island->jointCount, CORE_JOINTS);
    memset(h->plan, 0, sizeof h->plan);
    h->placed = h->moved = h->driven = 0;
    KSI_EACH_ISLAND_BODY (step, h->posing.island, i, body) {
        const double *inertia = step->body[body].begin.inertia;
        radius += sqrt((inertia[0] + inertia[4] + inertia[8]) / (2 * step->body[body].begin.mass)) /
                  h->posing.island->bodyCount;
    }
    h->island.radius = radius;
    h->island.tolerance = step->options.rankTolerance;
    h->island.least = step->islandPhysical[index].isWeak ? 0 : kDriftShare * step->options.rankTolerance;
    h->host.strike = h->posing.island->isBounded ? strike : NULL;
    ksiPlaceKnownForces(step, index, &h->out);
    numberRows(h);
    const ksStatus status = plan(h);
    return status ? status : ksiCoreSolveDrifted(&h->island, &h->host);
}

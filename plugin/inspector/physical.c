/* physical.c  Phase 10: the reactions of the continuous mechanism: J a = beta with beta = -(dJ/dt) v from the constraint itself,
 * no error correction, no regularising compliance, in the configuration and with the velocities of the start of the
 * step (Gugino 1930). Springs (cfm above options.rigidCfm) keep their compliance and their right-hand side.
 *
 * Known reactions are applied forces (Paulus 1910, concluding remark): contacts enter with what was reported of them, and so
 * does a stop that has just been reached. What is found is then the mean over the step, also of an impact: times h it is
 * the impulse. */
#include "physical.h"
#include "phases.h"
#include "size.h"

#include <math.h>
#include <string.h>

/* The physical system of an island. */
typedef struct Solution {
    const ksiStep *step;
    ksiSolver *solver;
    int index;
    const ksiIsland *island;
    ksiPhysical *out;
    ksiFreeResult free;
    double *beta, *multiplier; /* [rows] */
    double *bar, *betaError;   /* [rows] */
    double *bias;              /* [rows] -(dJ/dt) v of these velocities: */
    double *force, *velocity;  /* [coordinates] velocities that the joints permit */
    double *nearest;           /* [coordinates] of these the nearest in the metric of the masses */
    bool isKnown;              /* accelerations and places of its rows */
    bool isPermitted;          /* the bodies' own velocities are */
    bool isMoved;              /* rows are at other bounds than in the converged solution, if there is one */
} Solution;

static void gatherJointBeta(const Solution *s, int joint)
{
    const int *row = s->solver->layout[joint].row;
    double discrete[KSI_MAX_ROWS], beta[KSI_MAX_ROWS];
    bool hasDiscrete = false;
    ksiPermittedAccelerations(s->step, joint, s->velocity, beta);
    for (int l = 0; l < s->step->joint[joint].rows.count; l++) {
        if (row[l] < 0)
            continue;
        if (ksiNeedsBias(s->step, joint, l, &s->out->places[joint])) {
            s->beta[row[l]] = s->bias[row[l]] = beta[l];
            continue;
        }
        if (!hasDiscrete)
            ksiRightHandSides(s->step, joint, s->step->joint[joint].moving, discrete);
        hasDiscrete = true;
        s->beta[row[l]] = discrete[l];
    }
}

static void gatherBeta(const Solution *s)
{
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        gatherJointBeta(s, joint);
}

static void gatherForce(const Solution *s)
{
    KSI_EACH_ISLAND_BODY (s->step, s->island, i, body) {
        const size_t block = 6 * (size_t)s->step->bodyMember[body].block;
        ksiMechanismForce(s->step, body, s->step->body[body].begin.inertia, s->velocity + block + 3, s->force + block);
    }
}

/* Which rows are at a bound is what the motors did in this step: the converged solution may have others, since it closes
 * gaps that the mechanism has not. */
static void placeRows(Solution *s)
{
    const ksiStep *step = s->step;
    ksiPlaces *places = s->out->places;
    s->isMoved = ksiPlaceKnownForces(step, s->index, s->out);
    const bool isCompared = s->island->isBounded && step->islandConverged[s->index].isSolved;
    for (int i = 0; isCompared && i < s->island->jointCount; i++) {
        const int joint = ksiIslandJoint(step, s->island, i);
        for (int l = 0; !step->joint[joint].rows.plain && l < step->joint[joint].rows.count; l++)
            s->isMoved |= places[joint].place[l] != step->convergedPlaces[joint].place[l];
    }
}

static ksStatus solveHeld(const Solution *s)
{
    gatherBeta(s);
    gatherForce(s);
    return ksiSolveWith(s->solver->system, s->beta, s->force, s->multiplier, NULL);
}

static ksStatus solveRigid(Solution *s)
{
    const ksiStep *step = s->step;
    const bool isSolved = step->islandConverged[s->index].isSolved;
    const bool stands = !s->isMoved && isSolved && ksiSystemStateOf(s->solver, s->index) == KSI_CONVERGED_EQUATIONS;
    KSI_TRY(stands ? KS_OK : ksiBuildSystem(step, s->solver, s->index, s->out->places));
    if (!isSolved)
        KSI_TRY(ksiFindDeterminacy(step, s->solver, s->index, s->out->places, &s->free));
    s->isKnown = ksiKnowsAccelerations(step, s->index, s->out);
    if (!s->isKnown)
        return KS_OK;
    s->solver->systemState = KSI_NOTHING;  // it no longer holds the step's equations
    const ksiVectors permitted = {s->beta, s->multiplier, s->force, s->velocity};
    KSI_TRY(ksiPermitVelocities(step, s->solver, s->index, s->out->places, &permitted, &s->isPermitted));
    return solveHeld(s);
}

static void clearForce(const Solution *s)
{
    memset(s->force, 0, 6 * (size_t)s->island->bodyCount * sizeof *s->force);
}

static void clear(const Solution *s)
{
    memset(s->beta, 0, (size_t)s->island->rowCount * sizeof *s->beta);
    clearForce(s);
}

/* What `force` and these right-hand sides alone make of the multipliers, into `betaError`. */
static ksStatus solveAlone(const Solution *s, double *beta, double *motion)
{
    const ksiVectors alone = {beta, s->betaError, s->force, motion};
    return ksiSolveAlone(s->step, s->solver, s->index, s->out->places, &alone);
}

/* Stops and motors that do not hold, from now on. any: there were some, and all is to be solved anew. */
static ksStatus letGo(Solution *s, bool *any)
{
    bool areBlows = s->island->isBounded;
    *any = false;
    for (int all = 0; areBlows && !*any && all < 2; all++) {
        areBlows = ksiGatherBlows(s->step, s->solver, s->index, false, all, s->multiplier, s->out, s->beta);
        if (areBlows) {
            clearForce(s);
            KSI_TRY(solveAlone(s, s->beta, NULL));
        }
        *any =
            ksiLetStopsGo(s->step, s->solver, s->index, false, s->multiplier, areBlows ? s->betaError : NULL, s->out);
    }
    s->isMoved |= *any;
    return areBlows && !*any ? solveHeld(s) : KS_OK;
}

/* --- What is unique of it --- */

static bool sharesMore(const Solution *s, int joint)
{
    return ksiUndeterminedRows(s->step, joint, s->solver->flag) & ~s->step->free[joint].undetermined;
}

/* Rows that are inside their bounds here and at one in the converged solution may share forces with others. What is published
 * of a joint as free is what is so in either solution. Where each has something that the other has not, there is no value of
 * the joints that share more: `withheld`. */
static ksStatus findShared(const Solution *s, bool *withheld)
{
    const int *unique = s->solver->flag;
    bool more = false, less = false;
    KSI_TRY(ksiFindUniqueRows(s->step, s->solver, s->index, s->solver->flag, NULL));
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        more |= sharesMore(s, joint);
        less |= (s->step->free[joint].undetermined & ~ksiUndeterminedRows(s->step, joint, unique)) != 0;
    }
    *withheld = more && less;
    if (!more || less)
        return KS_OK;
    KSI_TRY(ksiFindFreeDirections(s->step, s->solver, s->index, unique, &s->free));
    *s->free.island = s->step->islandFree[s->index];
    s->free.island->isKnown = true;
    return KS_OK;
}

/* --- Bars --- */

static bool isDifferenced(const Solution *s)
{
    bool any = false;
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        any |= s->out->joint[joint].source == KS_FROM_HISTORY;
    return any;
}

/* Beyond it, bars of converged values tell nothing of larger multipliers: they hold the rounding of the motion, which does not grow
 * with these. In free fall the converged ones are zero. */
static const double mostGrowth = 10;

/* The bars of converged values grow with the norm of the multipliers, scaled by their rows. */
static double growth(const Solution *s)
{
    double converged = 0, physical = 0;
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        const double *size = s->solver->layout[joint].size, *before = s->step->converged[joint].paulus;
        const double *now = s->out->joint[joint].multiplier;
        for (int l = 0; l < s->step->joint[joint].rows.count; l++) {
            converged += size[l] * size[l] * before[l] * before[l];
            physical += size[l] * size[l] * now[l] * now[l];
        }
    }
    return physical > converged ? sqrt(physical / converged) : 1;
}

static bool areBarsAlike(const Solution *s)
{
    return s->island->isTree && s->step->islandConverged[s->index].isSolved && !s->isMoved && !isDifferenced(s);
}

static void growBars(const Solution *s, double times)
{
    KSI_EACH_SOLVED_ROW (s->step, s->island, joint, l, row)
        s->bar[row] = times * s->step->converged[joint].bar[l];
}

/* Size of all that acts on the bodies: of a joint the reported force or the physical one, whichever is larger. */
static double loadOf(const Solution *s)
{
    double square = 0;
    KSI_EACH_ISLAND_BODY (s->step, s->island, i, body) {
        const double load = s->step->bodyMember[body].loadSum;
        square += load * load;
    }
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        double scaled[12];
        ksiScaledReaction(&s->step->joint[joint], s->out->joint[joint].multiplier, scaled);
        const double more = fmax(ksiSize(scaled, 12) - s->step->report[joint].load, 0);
        square += more * more;
    }
    return sqrt(square);
}

/* How uncertain a joint's accelerations are, as right-hand sides; false if they are not. */
static bool gatherUncertain(const Solution *s, int joint)
{
    const int *row = s->solver->layout[joint].row;
    const double *error = s->step->acceleration[joint].betaError;
    bool any = false;
    for (int l = 0; l < s->step->joint[joint].rows.count; l++) {
        if (row[l] < 0 || error[l] == 0 || !ksiNeedsBias(s->step, joint, l, &s->out->places[joint]))
            continue;
        s->beta[row[l]] += error[l];
        any = true;
    }
    return any;
}

/* The multipliers that `beta` and `force` alone ask for, added to the bars. */
static ksStatus addToBars(const Solution *s)
{
    KSI_TRY(solveAlone(s, s->beta, NULL));
    for (int row = 0; row < s->island->rowCount; row++)
        s->bar[row] += fabs(s->betaError[row]);
    return KS_OK;
}

/* What uncertain accelerations leave open, and blows that the report does not tell of: the change of the multipliers that they make. */
static ksStatus addUncertain(const Solution *s)
{
    clear(s);
    bool any =
        s->island->isBounded && ksiGatherBlows(s->step, s->solver, s->index, false, false, NULL, s->out, s->beta);
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        any |= gatherUncertain(s, joint);
    if (!any)
        return KS_OK;
    return addToBars(s);
}

/* Where a blow may be a solver's noise, the stop holds or has what was reported: the change from one to the other. */
static ksStatus addDoubts(const Solution *s)
{
    bool any = false;
    if (!s->island->isBounded)
        return KS_OK;
    clear(s);
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        const ksiJointPhysical *physical = &s->out->joint[joint];
        for (int l = 0; physical->doubts && l < s->step->joint[joint].rows.count; l++) {
            const int row = s->solver->layout[joint].row[l];
            if (!(physical->doubts >> l & 1u) || row < 0)
                continue;
            const double change = physical->held[l] - s->step->report[joint].multiplier[l];
            KSI_EACH_BODY (s->step->member[joint].link, side, link)
                ksiAddSix(s->force + 6 * s->step->bodyMember[link].block, change,
                          s->step->joint[joint].rows.row[l].jacobian[side]);
            s->bar[row] += fabs(change);
            any = true;
        }
    }
    return any ? addToBars(s) : KS_OK;
}

/* What the drift of a tree leaves open. */
static ksStatus addTurned(const Solution *s)
{
    bool any = false;
    clear(s);
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        any |= ksiTurnReaction(s->step, joint, s->out, s->force);
    return any ? addToBars(s) : KS_OK;
}

/* By how much the bodies of a loop turn, in radians, and move, in radii of gyration, on the shortest way to where its joints fit; at least
 * the largest gap. */
static ksStatus findWay(const Solution *s, double *way)
{
    const ksiPose *pose = &s->solver->pose;
    const size_t coordinates = 6 * (size_t)s->island->bodyCount;
    *way = s->out->island[s->index].drift;
    if (!(*way > 0))
        return KS_OK;
    clear(s);
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        for (int l = 0; l < s->step->joint[joint].rows.count; l++) {
            const int row = s->solver->layout[joint].row[l], posed = pose->joint[i].row[l];
            if (row >= 0 && posed >= 0 && posed < pose->nearest.positions)
                s->beta[row] = pose->nearest.gap[posed];
        }
    KSI_TRY(solveAlone(s, s->beta, s->nearest));
    for (size_t b = 0; b < coordinates; b += 6)
        *way = fmax(*way, ksiSize(s->nearest + b, 3) / pose->nearest.radius + ksiSize(s->nearest + b + 3, 3));
    return KS_OK;
}

/* What the gaps of a loop leave open: its rows turn by as much as its bodies, and that is an error of the forces in proportion to them. */
static ksStatus addDrift(const Solution *s)
{
    double way;
    KSI_TRY(findWay(s, &way));
    return ksiSystemAddForceError(s->solver->system, way * loadOf(s), s->bar);
}

/* What velocities that its joints forbid leave open of a tree: those that keep the rates of joints and those nearest in the metric of the
 * masses are permitted, and neither are more likely. From the ones to the others, the change of what the rows that hold the mechanism ask
 * for and of the forces: in `bias` and `nearest`. */
static void gatherApart(const Solution *s)
{
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        const int *row = s->solver->layout[joint].row;
        double beta[KSI_MAX_ROWS];
        ksiPermittedAccelerations(s->step, joint, s->nearest, beta);
        for (int l = 0; l < s->step->joint[joint].rows.count; l++) {
            const bool held = ksiNeedsBias(s->step, joint, l, &s->out->places[joint]);
            if (row[l] >= 0)
                s->bias[row[l]] = held ? beta[l] - s->bias[row[l]] : 0;
        }
    }
    KSI_EACH_ISLAND_BODY (s->step, s->island, i, body) {
        const size_t block = 6 * (size_t)s->step->bodyMember[body].block;
        const double *inertia = s->step->body[body].begin.inertia;
        double permitted[6], nearest[6];
        ksiMechanismForce(s->step, body, inertia, s->velocity + block + 3, permitted);
        ksiMechanismForce(s->step, body, inertia, s->nearest + block + 3, nearest);
        for (int k = 0; k < 6; k++)
            s->nearest[block + (size_t)k] = nearest[k] - permitted[k];
    }
}

/* Of the multipliers, which are in `betaError` then, by the system as it is now. */
static ksStatus solveApart(const Solution *s)
{
    memcpy(s->force, s->nearest, 6 * (size_t)s->island->bodyCount * sizeof *s->force);
    return solveAlone(s, s->bias, NULL);
}

/* The multipliers are needed no longer. isApart: there is something. */
static ksStatus findApart(const Solution *s, bool *isApart)
{
    const ksiVectors room = {s->beta, s->multiplier, s->force, s->nearest};
    if (!s->island->isTree || s->isPermitted)
        return KS_OK;
    KSI_TRY(ksiNearestVelocities(s->step, s->solver, s->index, s->out->places, &room));
    *isApart = true;
    gatherApart(s);
    return solveApart(s);
}

static void addApart(const Solution *s, int index)
{
    ksiJointPhysical *joint = &s->out->joint[index];
    const ksiJointLayout *layout = &s->solver->layout[index];
    for (int l = 0; l < s->step->joint[index].rows.count; l++) {
        const double apart = layout->row[l] < 0 ? 0 : fabs(s->betaError[layout->row[l]]);
        joint->bar[l] += apart;
        joint->barSize += apart * layout->size[l];
    }
}

/* Of rounding, of the joints' drift, and of uncertain accelerations. */
static ksStatus findBars(Solution *s)
{
    ksSystem *system = s->solver->system;
    const bool isTree = s->island->isTree;
    const double times = areBarsAlike(s) ? growth(s) : INFINITY;
    if (times <= mostGrowth)
        growBars(s, times);
    else
        KSI_TRY(ksiSystemErrorBars(system, isTree ? KSI_STRESS_NONE : KSI_STRESS_PROJECTED, s->multiplier,
                                   s->multiplier, s->bar));
    KSI_TRY(isTree ? addTurned(s) : addDrift(s));
    KSI_TRY(addDoubts(s));
    return addUncertain(s);
}

static void scatter(const Solution *s)
{
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        ksiTakeRows(s->step->joint[joint].rows.count, s->solver->layout[joint].row, s->multiplier,
                    s->out->joint[joint].multiplier);
}

static void scatterBars(const Solution *s, int index)
{
    ksiJointPhysical *joint = &s->out->joint[index];
    const ksiJointLayout *layout = &s->solver->layout[index];
    joint->barSize = joint->slack = 0;
    ksiTakeRows(s->step->joint[index].rows.count, layout->row, s->bar, joint->bar);
    for (int l = 0; l < s->step->joint[index].rows.count; l++) {
        joint->adopted[l] = 0;
        joint->barSize += joint->bar[l] * layout->size[l];
    }
}

/* What a spring's place asks for and what it has done in this step are apart where the engine has not solved the step: joints that
 * hold by their softness have drifted then, and nothing tells which of both is the spring's force. */
static void addSprings(const ksiStep *step, int index, ksiPhysical *out)
{
    ksiJointPhysical *joint = &out->joint[index];
    for (int l = 0; l < step->joint[index].rows.count; l++) {
        if (!(step->joint[index].rows.row[l].cfm > step->options.rigidCfm) || out->places[index].place[l] != KS_INSIDE)
            continue;
        const double difference = fabs(step->report[index].multiplier[l] - joint->multiplier[l]);
        joint->bar[l] += difference;
        joint->barSize += difference * step->layout[index].size[l];
    }
}

void ksiFinishPhysical(const ksiStep *step, int index, ksiPhysical *out)
{
    ksiJointPhysical *joint = &out->joint[index];
    if (step->joint[index].isSoft)
        addSprings(step, index, out);
    ksiFindDeviation(step, index, ksiFreeOf(step, index), joint->multiplier, &joint->deviation, &joint->determined);
    ksiCompareRun(step, index, out);
    double sum = joint->barSize;
    for (int l = 0; l < step->joint[index].rows.count; l++)
        sum += joint->bar[l];
    joint->isKnown = isfinite(sum);
    joint->reasons |= joint->isKnown ? 0u : KS_REASON_PHYSICAL;
}

static ksStatus publish(Solution *s)
{
    bool withheld = false, isApart = false;
    scatter(s);
    KSI_TRY(findBars(s));
    if (s->isMoved && s->step->islandConverged[s->index].isSolved)
        KSI_TRY(findShared(s, &withheld));
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        scatterBars(s, joint);
    KSI_TRY(findApart(s, &isApart));
    const ksiVectors room = {s->beta, s->multiplier, s->force, NULL};
    KSI_TRY(ksiSoftenTree(s->step, s->solver, s->index, &room, s->out));
    if (isApart && s->out->island[s->index].softening == KSI_SOFTENED)
        KSI_TRY(solveApart(s));
    KSI_EACH_JOINT (s->step, s->island, i, index) {
        if (isApart)
            addApart(s, index);
        if (withheld && sharesMore(s, index))
            s->out->joint[index].reasons |= KS_REASON_REDUNDANT | KS_REASON_PHYSICAL;
        else
            ksiFinishPhysical(s->step, index, s->out);
    }
    return ksiShareOut(s->step, s->solver, s->index, s->out);
}

/* The room for an island's vectors, shared out. */
static Solution beginPhysical(const ksiStep *step, ksiSolver *solver, int index, ksiPhysical *out,
                              ksiFreeWrenches *wrenches)
{
    Solution s = {.step = step, .solver = solver, .index = index, .island = &step->island[index], .out = out};
    s.free = (ksiFreeResult){&out->free.island[index], out->free.joint, wrenches};
    s.beta = solver->scratch;
    s.multiplier = s.beta + s.island->rowCount;
    s.bar = s.multiplier + s.island->rowCount;
    s.betaError = s.bar + s.island->rowCount;
    s.bias = s.betaError + s.island->rowCount;
    s.force = s.bias + s.island->rowCount;
    s.velocity = s.force + 6 * (size_t)s.island->bodyCount;
    s.nearest = s.velocity + 6 * (size_t)s.island->bodyCount;
    s.isKnown = true;
    return s;
}

/* Closing a gap d moves the bodies by d / sigma along a direction of singular value sigma, which changes that by as much: of a machine built
 * straight, sigma is then one of its drift. As a share of sigma, a change of this size makes the loop one that has drifted. */
static const double mostChange = 0.1;

static ksStatus findWeakness(const Solution *s, bool *isWeak)
{
    const double drift = s->out->island[s->index].drift;
    double most = 0;
    *isWeak = false;
    if (s->island->isTree || !(drift > 0))
        return KS_OK;
    memset(s->bar, 0, (size_t)s->island->rowCount * sizeof *s->bar);
    KSI_TRY(ksiSystemAddForceError(s->solver->system, 1, s->bar));
    KSI_EACH_SOLVED_ROW (s->step, s->island, joint, l, row)
        most = fmax(most, s->solver->layout[joint].size[l] * s->bar[row]);
    *isWeak = drift * most * most > mostChange;
    return KS_OK;
}

ksStatus ksiSolvePhysical(const ksiStep *step, ksiSolver *solver, int index, ksiPhysical *out,
                          ksiFreeWrenches *wrenches)
{
    if (step->island[index].obstacles || out->island[index].reasons || ksiIsOverBudget(step, index))
        return KS_OK;
    KSI_TRY(ksiReserveScratch(step, solver, index));
    Solution s = beginPhysical(step, solver, index, out, wrenches);
    bool isChanged = true, *isWeak = &out->island[index].isWeak;
    const bool wasWeak = *isWeak;
    placeRows(&s);
    ksStatus status = KS_OK;
    while (!status && s.isKnown && isChanged) {
        status = solveRigid(&s);
        if (!status && s.isKnown)
            status = letGo(&s, &isChanged);
    }
    if (!status && s.isKnown && !wasWeak)
        status = findWeakness(&s, isWeak);
    if (*isWeak && !wasWeak)
        return KS_OK;
    if (!status && s.isKnown)
        status = publish(&s);
    if (!status && !s.isKnown)
        out->island[index].reasons |= KS_REASON_NO_HISTORY;
    return status == KS_ERROR_NO_MEMORY ? status : KS_OK;
}

void ksiClearPhysical(const ksiStep *step, ksiPhysical *out)
{
    for (size_t i = 0; i < step->islands->count; i++) {
        out->island[i] = (ksiIslandPhysical){.drift = NAN};
        out->free.island[i] = (ksiIslandFree){0};
    }
    for (size_t i = 0; i < step->jointCount; i++) {
        ksiJointPhysical *joint = &out->joint[i];
        joint->isKnown = joint->isShared = false;
        joint->reasons = 0;
        joint->source = KS_FROM_NOWHERE;
        memset(out->acceleration[i].source, 0, sizeof out->acceleration[i].source);
        out->free.joint[i] = (ksiJointFree){0};
    }
}

/* physical.c  Phase 10: computes the reactions of the continuous mechanism, from
 *
 *     J a = beta,      beta = -(dJ/dt) v
 *
 * The term beta comes from the constraint itself, without error correction and regularising
 * compliance. Configuration and velocities are those at the start of the step (Gugino 1930).
 * Springs (cfm above options.rigidCfm) keep their compliance and their right-hand side.
 *
 * Known reactions are applied forces (Paulus 1910, concluding remark): contacts, and stops that
 * have just been reached, act with their reported forces. The solution is then the mean over the
 * step, also in an impact: times h it is the impulse. */
#include "physical.h"
#include "../phases.h"
#include "../publish/wrench_norm.h"
#include "../solution.h"

#include <math.h>
#include <string.h>

static void gatherJointBeta(const ksiSolution *s, int joint)
{
    const int *row = s->solver->layout[joint].row;
    const unsigned biased = ksiBiasedRows(s->step, joint, &s->out->places[joint]);
    double discrete[KSI_MAX_ROWS], beta[KSI_MAX_ROWS];
    bool hasDiscrete = false;
    ksiPermittedAccelerations(s->step, joint, s->velocity, beta);
    for (int l = 0; l < s->step->joint[joint].rows.count; l++) {
        if (row[l] < 0)
            continue;
        if (biased >> l & 1u) {
            s->beta[row[l]] = s->bias[row[l]] = beta[l];
            continue;
        }
        if (!hasDiscrete)
            ksiSpringSides(s->step, joint, discrete);
        hasDiscrete = true;
        s->beta[row[l]] = discrete[l];
    }
}

static void gatherBeta(const ksiSolution *s)
{
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        gatherJointBeta(s, joint);
}

static void gatherForce(const ksiSolution *s)
{
    KSI_EACH_ISLAND_BODY (s->step, s->island, i, body) {
        const size_t block = 6 * (size_t)s->step->bodyMember[body].block;
        ksiMechanismForce(s->step, body, s->step->body[body].begin.inertia, s->velocity + block + 3,
                          s->applied + block);
    }
}

/* The report decides which rows are at a bound, except for stops. The converged solution may have
 * other rows at bounds, since it closes gaps that the mechanism does not have. */
static void placeRows(ksiSolution *s)
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

static ksStatus solveHeld(const ksiSolution *s)
{
    gatherBeta(s);
    gatherForce(s);
    return ksiSolveWith(s->solver->system, s->beta, s->applied, s->multiplier, NULL);
}

static ksStatus solveRigid(ksiSolution *s)
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
    s->solver->systemState = KSI_NOTHING;  // the system is about to lose the step's equations
    const ksiVectors permitted = {s->change, s->multiplier, s->force, s->velocity};
    KSI_TRY(ksiPermitVelocities(step, s->solver, s->index, s->out->places, &permitted, s->other, &s->isPermitted));
    if (!s->island->isTree && !s->isPermitted)
        ksiTakeForbidden(s);
    return solveHeld(s);
}

/* Releases the stops and motors that do not hold. *any: some did not hold, so the island must be
 * solved again. */
static ksStatus letGo(ksiSolution *s, bool *any)
{
    bool areBlows = s->island->isBounded;
    *any = false;
    for (int all = 0; areBlows && !*any && all < 2; all++) {
        areBlows = ksiGatherBlows(s->step, s->solver, s->index, false, all, s->multiplier, s->out, s->beta);
        if (areBlows)
            KSI_TRY(ksiSolveBeta(s, s->betaError));
        *any =
            ksiLetStopsGo(s->step, s->solver, s->index, false, s->multiplier, areBlows ? s->betaError : NULL, s->out);
    }
    s->isMoved |= *any;
    return areBlows && !*any ? solveHeld(s) : KS_OK;
}

/* --- Uniqueness --- */

static bool sharesMore(const ksiSolution *s, int joint)
{
    return ksiUndeterminedRows(s->step, joint, s->solver->flag) & ~s->step->free[joint].undetermined;
}

/* A row that is inside its bounds here, but at a bound in the converged solution, may share its
 * force with other rows. The published free directions of a joint come from the solution in which
 * it has more of them. If each solution has a free row that the other solution lacks, joints that
 * share more here have no value: *withheld. */
static ksStatus findShared(const ksiSolution *s, bool *withheld)
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

static void scatter(const ksiSolution *s)
{
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        ksiTakeOwn(s, joint, s->multiplier, s->out->joint[joint].multiplier);
}

/* If the engine has not solved the step, the force that a spring's deflection demands differs from
 * the reported force: soft joints have then drifted, and it is unknown which of these forces is the
 * spring's. */
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
    if (step->joint[index].soft == KSI_SOFT)
        addSprings(step, index, out);
    ksiFindDeviation(step, index, ksiFreeOf(step, index), joint->multiplier, &joint->deviation, &joint->determined);
    joint->noise = 0;
    ksiCompareRun(step, index, out);
    double sum = joint->barSize;
    for (int l = 0; l < step->joint[index].rows.count; l++)
        sum += joint->bar[l];
    joint->isKnown = isfinite(sum);
    joint->reasons |= joint->isKnown ? 0u : KS_REASON_PHYSICAL;
}

/* Finds the self-stress in the difference between the report and the physical multipliers: the
 * engine's split of a shared load is not an error. */
static ksStatus findSplit(const ksiSolution *s)
{
    double *const apart = s->betaError, *const split = s->beta;
    bool isShared = false;
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        memset(s->out->joint[joint].split, 0, sizeof s->out->joint[joint].split);
        isShared |= ksiFreeOf(s->step, joint)->count > 0;
    }
    if (!isShared)
        return KS_OK;
    memset(split, 0, (size_t)s->island->rowCount * sizeof *split);
    KSI_EACH_SOLVED_ROW (s->step, s->island, joint, l, row)
        apart[row] = s->step->report[joint].multiplier[l] - s->out->joint[joint].multiplier[l];
    const ksStatus status = ksiSystemProjectSelfStress(s->solver->system, apart, split);
    KSI_EACH_SOLVED_ROW (s->step, s->island, joint, l, row)
        s->out->joint[joint].split[l] = status ? 0 : split[row];
    return status == KS_ERROR_NO_MEMORY ? status : KS_OK;
}

static ksStatus publish(ksiSolution *s)
{
    bool withheld = false;
    scatter(s);
    KSI_TRY(ksiFindPhysicalBars(s));
    if (s->isMoved && s->step->islandConverged[s->index].isSolved)
        KSI_TRY(findShared(s, &withheld));
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        ksiScatterBars(s, joint);
    KSI_TRY(findSplit(s));
    KSI_TRY(ksiFindApart(s));
    KSI_TRY(ksiFindDeparture(s));
    KSI_TRY(ksiSoftenTree(s));
    KSI_EACH_JOINT (s->step, s->island, i, index) {
        ksiAddApart(s, index);
        if (withheld && sharesMore(s, index))
            s->out->joint[index].reasons |= KS_REASON_REDUNDANT | KS_REASON_PHYSICAL;
        else
            ksiFinishPhysical(s->step, index, s->out);
    }
    return ksiShareOut(s->step, s->solver, s->index, s->out);
}

/* Divides the scratch memory among the vectors of an island. */
static ksiSolution beginPhysical(const ksiStep *step, ksiSolver *solver, int index, ksiPhysical *out,
                                 ksiFreeWrenches *wrenches)
{
    ksiSolution s = {.step = step, .solver = solver, .index = index, .island = &step->island[index], .out = out};
    s.free = (ksiFreeResult){&out->free.island[index], out->free.joint, wrenches};
    s.beta = solver->scratch;
    s.multiplier = s.beta + s.island->rowCount;
    s.bar = s.multiplier + s.island->rowCount;
    s.betaError = s.bar + s.island->rowCount;
    s.bias = s.betaError + s.island->rowCount;
    s.force = s.bias + s.island->rowCount;
    s.velocity = s.force + 6 * (size_t)s.island->bodyCount;
    s.applied = s.velocity + 6 * (size_t)s.island->bodyCount;
    s.other = s.applied + 6 * (size_t)s.island->bodyCount;
    s.way = s.other + 6 * (size_t)s.island->bodyCount;
    s.change = s.way + 6 * (size_t)s.island->bodyCount;
    s.isKnown = true;
    return s;
}

/* Closing a gap d moves the bodies by d / sigma along a direction of singular value sigma, and
 * changes sigma by as much. In a machine that is built exactly, sigma may be nonzero only because
 * of the drift. If the change exceeds this share of sigma, the loop is solved as drifted. */
static const double mostChange = 0.1;

static ksStatus findWeakness(const ksiSolution *s, bool *isWeak)
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
    ksiSolution s = beginPhysical(step, solver, index, out, wrenches);
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
        joint->isKnown = joint->isCertain = joint->isShared = joint->hasGap = false;
        joint->reasons = 0;
        joint->source = KS_FROM_NOWHERE;
        memset(joint->forbidden, 0, sizeof joint->forbidden);
        memset(joint->away, 0, sizeof joint->away);
        joint->awaySize = 0;
        memset(out->acceleration[i].source, 0, sizeof out->acceleration[i].source);
        out->free.joint[i] = (ksiJointFree){0};
    }
}

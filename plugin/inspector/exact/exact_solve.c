/* exact_solve.c  Computes the multipliers of one island before the step.
 *
 * Joints are solved exactly. The search for rows at bounds (bounds.c) finds the rows of stops and
 * motors, as in dWorldStep. It solves contacts together with them, in rounds: friction is bounded
 * by mu times the normal forces of the previous round. If there are too many contacts, if the
 * search fails, or if sweeps are requested, projected sweeps over all rows (pgs.c) find the contact
 * forces. Then the joints are solved with these contact forces as known forces. */
#include "../../mechanics/bounds/friction.h"
#include "../phases.h"
#include "exact.h"

#include <math.h>

typedef struct Solving {
    const ksiStep *step;
    const ksiIsland *island;
    int index;
    ksiSolver *solver;
    ksiEstimates *sweeps;
    ksiReport *expected;
    ksiExact *exact;
    ksiFoundSet found;
    bool isPinned; /* contacts are known forces */
} Solving;

static bool isContact(const Solving *s, int joint)
{
    return s->step->joint[joint].type == dJointTypeContact;
}

/* If `contacts`: does the island have contacts? Else: does it have other joints with bounds? */
static bool hasAny(const Solving *s, bool contacts)
{
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        if (isContact(s, joint) ? contacts : !contacts && s->step->joint[joint].isBounded)
            return true;
    return false;
}

/* The bounds of friction follow the expected normal forces. */
static void place(const Solving *s)
{
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        ksiPlaceRows(s->step, (size_t)joint, s->expected);
}

/* Sweeps, starting from the expected multipliers. */
static ksStatus sweep(const Solving *s)
{
    ksiPgsRun run;
    ksiGroups *groups = &s->sweeps->groups;
    KSI_TRY(ksiFindGroups(s->step, groups));
    const ksiGroup *group = &groups->group[ksiGroupOf(groups, ksiIslandBody(s->step, s->island, 0))];
    ksiSumExpected(s->step, s->index, s->expected);
    KSI_TRY(ksiPgsRunOnce(s->step, groups, group, s->step->options.contactSweeps, &s->sweeps->room, &run));
    double sum = 0;
    for (int i = 0, first = 0; i < group->jointCount; i++) {
        const int joint = group->joint[i];
        for (int l = 0; l < s->step->joint[joint].rows.count; l++)
            sum += s->expected->joint[joint].multiplier[l] = ksiPgsMultiplier(&run, first, l);
        first += ksiPgsBlocks(&s->step->joint[joint]);
    }
    place(s);
    return isfinite(sum) ? KS_OK : KS_ERROR_NOT_FINITE;
}

static void markSwept(const Solving *s)
{
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        s->exact->isSwept[joint] = isContact(s, joint);
}

/* Makes contacts known forces, with their expected multipliers and without rows. */
static void pin(Solving *s)
{
    s->isPinned = true;
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        if (!isContact(s, joint))
            continue;
        for (int l = 0; l < s->step->joint[joint].rows.count; l++)
            s->expected->places[joint].place[l] = KS_INACTIVE;
        ksiAddExpectedLoad(s->step, (size_t)joint, s->expected);
    }
}

/* Writes the solution by joint. KS_ERROR_NOT_FINITE: a multiplier is not finite, and nothing is
 * written. */
static ksStatus take(const Solving *s)
{
    double sum = 0;
    for (int i = 0; i < ksSystemRowCount(s->solver->system); i++)
        sum += s->found.multiplier[i];
    if (!isfinite(sum))
        return KS_ERROR_NOT_FINITE;
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        if (!(s->isPinned && isContact(s, joint)))
            ksiTakeRows(s->step->joint[joint].rows.count, s->solver->layout[joint].row, s->found.multiplier,
                        s->expected->joint[joint].multiplier);
    return KS_OK;
}

/* All rows hold. Often only the compliance makes the rows of a loop independent. The range-space
 * route includes the compliance. */
static ksStatus solveJoints(Solving *s)
{
    ksSystem *system = s->solver->system;
    ksiTakeReportedPlaces(s->step, s->index, s->found.places);
    KSI_TRY(ksiBuildSystem(s->step, s->solver, s->index, s->found.places));
    ksStatus status = ksiSystemSolveTree(system, s->found.multiplier, s->found.acceleration);
    if (status == KS_ERROR_UNAVAILABLE)
        status = ksiSystemSolveGauss(system, s->found.multiplier, s->found.acceleration);
    return status ? status : take(s);
}

static ksStatus search(Solving *s)
{
    KSI_TRY(ksiFindActiveSet(s->step, s->solver, s->index, &s->found));
    return take(s);
}

static ksStatus searchWithFriction(Solving *s, double *open)
{
    KSI_TRY(ksiFindWithFriction(s->step, s->solver, s->index, &s->found, open));
    KSI_TRY(take(s));
    place(s);
    return KS_OK;
}

/* Do the rows and joints exceed the budget, without the contacts? */
static bool exceedsBudget(const Solving *s)
{
    int rows = 0, joints = 0;
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        rows += isContact(s, joint) ? 0 : s->step->joint[joint].rows.count;
        joints += !isContact(s, joint);
    }
    return ksiExceedsBudget(s->step, rows, joints, s->island->bodyCount);
}

/* Finds contact forces by sweeps, then solves the joints exactly. */
static ksStatus sweepAndSolve(Solving *s)
{
    KSI_TRY(sweep(s));
    markSwept(s);
    pin(s);
    return hasAny(s, false) ? search(s) : solveJoints(s);
}

static bool hasTooManyContacts(const Solving *s)
{
    size_t rows = 0;
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        rows += isContact(s, joint) ? (size_t)s->step->joint[joint].rows.count : 0;
    return rows > s->step->options.exactContactRows || ksiIsOverBudget(s->step, s->index);
}

/* Does each contact have a force from the last step? Then sweeps would not improve the start. */
static bool isWarm(const Solving *s)
{
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        if (isContact(s, joint) && s->expected->joint[joint].multiplier[0] == 0)
            return false;
    return true;
}

/* Solves all rows together. *why: the reason to leave contacts to sweeps; 0: none. */
static ksStatus solveTogether(Solving *s, ksReasons *why)
{
    double open = 0;
    ksStatus status = hasTooManyContacts(s) ? KS_ERROR_UNAVAILABLE : isWarm(s) ? KS_OK : sweep(s);
    if (!status)
        status = searchWithFriction(s, &open);
    *why = status ? ksiReasonOf(s->step, s->index, status) : open > KSI_FRICTION_OPEN ? KS_REASON_FRICTION : 0;
    return status == KS_ERROR_NO_MEMORY ? status : KS_OK;
}

static ksStatus solveContacts(Solving *s)
{
    ksReasons why = 0;
    if (exceedsBudget(s))
        return KS_ERROR_UNAVAILABLE;
    if (s->step->options.exactContacts == KS_EXACT_CONTACTS_SWEPT)
        return sweepAndSolve(s);
    KSI_TRY(solveTogether(s, &why));
    s->exact->fallback |= why;
    return why ? sweepAndSolve(s) : KS_OK;
}

ksStatus ksiSolveExactly(const ksiStep *step, ksiSolver *solver, int index, ksiEstimates *sweeps, ksiPlaces *places,
                         ksiReport *expected, ksiExact *exact)
{
    Solving s = {.step = step,
                 .island = &step->island[index],
                 .index = index,
                 .solver = solver,
                 .sweeps = sweeps,
                 .expected = expected,
                 .exact = exact};
    KSI_TRY(ksiReserveScratch(step, solver, index));
    s.found = (ksiFoundSet){
        .places = places, .multiplier = solver->scratch, .acceleration = solver->scratch + s.island->rowCount};
    if (hasAny(&s, true))
        return solveContacts(&s);
    if (ksiIsOverBudget(step, index))
        return KS_ERROR_UNAVAILABLE;
    return s.island->isBounded ? search(&s) : solveJoints(&s);
}

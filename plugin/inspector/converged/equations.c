/* equations.c  Sets up the constrained system of an island, with some rows at their bounds. The
 * engine's discrete rows are
 *
 *     J a + (cfm/h) lambda = (c - J v)/h,      a = (v* - v)/h
 *
 * with the velocities `v` at the start of the step, also of kinematic bodies. Columns of kinematic
 * bodies are dropped: their given motion is in the right-hand side. A row at a bound is an applied
 * force. */
#include "../read/bound_state.h"
#include "../solver.h"

#include <string.h>

_Static_assert(KSI_MAX_ROWS == KSI_JOINT_ROWS, "rows of a joint");

static bool isAtBound(ksRowPlace place)
{
    return place == KS_AT_LOW || place == KS_AT_HIGH;
}

static ksStatus addRows(const ksiStep *step, int index, const ksiPlaces *places, ksSystem *system,
                        ksiJointLayout *layout)
{
    const ksiJointInput *joint = &step->joint[index];
    int block[2];
    const int first = ksSystemRowCount(system);
    double beta[KSI_MAX_ROWS], length[KSI_MAX_ROWS];
    ksiJointTerms terms;  // written up to its count
    terms.count = terms.knownCount = 0;
    ksiBlocksOf(step, index, block);
    ksiRightHandSides(step, index, step->joint[index].rate, beta);
    const double perStep = 1 / step->h;
    for (int l = 0; l < joint->rows.count; l++) {
        const ksRowPlace place = places->place[l];
        const double cfm = joint->rows.row[l].cfm;
        layout->row[l] = -1;
        layout->size[l] = 0;
        if (place == KS_INACTIVE)
            continue;
        if (cfm < 0)
            return KS_ERROR_BAD_ARGUMENT;  // a negative compliance is no spring, and the solution
                                           // would be no minimum
        const int at = terms.count++;
        layout->row[l] = first + at;
        terms.scaled[at] = joint->scaled[l];
        terms.beta[at] = beta[l];
        terms.compliance[at] = cfm * perStep;
        terms.isKnown[at] = isAtBound(place);
        terms.knownCount += terms.isKnown[at];
        if (terms.isKnown[at])
            terms.known[at] = place == KS_AT_LOW ? places->low[l] : places->high[l];
    }
    ksiSystemAddJoint(system, block, &terms, length);
    for (int l = 0; l < joint->rows.count; l++)
        if (layout->row[l] >= 0)
            layout->size[l] = length[layout->row[l] - first];
    return KS_OK;
}

/* The warm starts of mechanisms are kept when the system is filled with another mechanism. */
ksStatus ksiReserveSolver(const ksiStep *step, ksiSolver *solver, int first, int end)
{
    solver->island = -1;
    KSI_TRY(ksiReserve(&step->allocator, &solver->warm, &solver->warmCapacity, (size_t)end, sizeof *solver->warm));
    if (!solver->system)
        KSI_TRY(ksiSystemCreate(&step->allocator, &solver->system));
    for (; solver->warmCount < (size_t)end; solver->warmCount++)
        solver->warm[solver->warmCount] = NULL;
    for (int i = first; i < end; i++) {
        solver->refused[i] = KS_OK;
        if (!solver->warm[i])
            KSI_TRY(ksiSystemCreateWarmStart(solver->system, &solver->warm[i]));
    }
    return KS_OK;
}

ksiSystemState ksiSystemStateOf(const ksiSolver *solver, int island)
{
    return solver->island == island ? solver->systemState : KSI_NOTHING;
}

ksStatus ksiBeginSystem(const ksiStep *step, const ksiIsland *island, int rows, ksSystem *system)
{
    ksiSystemSetDenseBudget(system, KSI_MOST_DENSE_ROWS);
    ksiSystemSetRounding(system, ksiEpsilon(step->isSingle));
    KSI_TRY(ksiSystemBeginRigid(system, island->bodyCount, rows));
    KSI_TRY(ksSystemSetRigidCompliance(system, step->options.rigidCfm * (1 / step->h)));
    return ksSystemSetRankTolerance(system, step->options.rankTolerance);
}

ksStatus ksiBuildSystem(const ksiStep *step, ksiSolver *solver, int index, const ksiPlaces *places)
{
    const ksiIsland *island = &step->island[index];
    solver->island = index;
    solver->systemState = KSI_NOTHING;
    ksiSystemSetWarmStart(solver->system, solver->warm[index]);
    KSI_TRY(ksiBeginSystem(step, island, island->rowCount, solver->system));
    KSI_EACH_ISLAND_BODY (step, island, i, body) {
        double force[6];
        ksiForceOnBody(step, body, force);
        ksiSystemAddBody(solver->system, &step->body[body].begin.root, force, step->body[body].begin.velocity);
    }
    KSI_EACH_JOINT (step, island, i, joint)
        KSI_TRY(addRows(step, joint, &places[joint], solver->system, &solver->layout[joint]));
    // the search changes the place of a row in the system and in `places` at the same time
    solver->systemState = places == step->convergedPlaces ? KSI_CONVERGED_EQUATIONS : KSI_OTHER_EQUATIONS;
    return KS_OK;
}

ksStatus ksiSolveWith(ksSystem *system, const double *beta, const double *force, double *multiplier,
                      double *acceleration)
{
    ksiSystemSetBeta(system, beta);
    ksiSystemSetForce(system, force);
    return multiplier ? ksiSystemSolveLeastNorm(system, multiplier, acceleration)
                      : ksiSystemSolveLeastNormMotion(system, acceleration);
}

/* force -= J^T lambda of the joint's rows at bounds */
static void takeOff(const ksiStep *step, int joint, const ksiPlaces *places, double *force)
{
    for (int l = 0; l < step->joint[joint].rows.count; l++) {
        if (!isAtBound(places->place[l]))
            continue;
        const double known = ksiBoundInForce(places, l, places->place[l]);
        KSI_EACH_BODY (step->member[joint].link, side, link)
            ksiAddSix(force + 6 * step->bodyMember[link].block, -known, step->joint[joint].rows.row[l].jacobian[side]);
    }
}

ksStatus ksiSolveAlone(const ksiStep *step, ksiSolver *solver, int index, const ksiPlaces *places, const ksiVectors *v)
{
    const ksiIsland *bounded = step->island[index].isBounded ? &step->island[index] : NULL;
    for (int i = 0; bounded && i < bounded->jointCount; i++) {
        const int joint = ksiIslandJoint(step, bounded, i);
        if (!step->joint[joint].rows.plain)
            takeOff(step, joint, &places[joint], v->force);
    }
    KSI_TRY(ksiSolveWith(solver->system, v->beta, v->force, v->multiplier, v->motion));
    if (!bounded || !v->multiplier)
        return KS_OK;
    KSI_EACH_SOLVED_ROW (step, bounded, joint, l, row)
        v->multiplier[row] = isAtBound(places[joint].place[l]) ? 0 : v->multiplier[row];
    return KS_OK;
}

/* Reserves memory for the vectors of an island, and for the search for rows at bounds. */
ksStatus ksiReserveScratch(const ksiStep *step, ksiSolver *solver, int index)
{
    const ksiIsland *island = &step->island[index];
    const size_t rows = (size_t)island->rowCount, coordinates = 6 * (size_t)island->bodyCount;
    const size_t bounded = island->isBounded ? rows : 0;
    const ksiArray array[] = {
        KSI_ARRAY(solver->flag, rows),
        KSI_ARRAY(solver->exact, rows),
        KSI_ARRAY(solver->boundedRow, bounded),
        KSI_ARRAY(solver->boundNoise, bounded),
        KSI_ARRAY(solver->scratch, 9 * rows + 5 * coordinates),
    };
    // memory that only physical values need: if it runs out here, no value has been found yet
    KSI_TRY(ksiReserveKept(step, &solver->kept, index));
    return ksiReserveArrays(&step->allocator, array, sizeof array / sizeof *array, solver->rowCapacity);
}

/* Without options.islandRowBudget there is no limit for islands with no more joints than bodies:
 * trees, and single loops without the ground. Their cost is proportional to their rows, while the
 * factors of other islands may fill. */
bool ksiExceedsBudget(const ksiStep *step, int rows, int joints, int bodies)
{
    // with this many constraint rows, a check of loops that form a line takes five times as long as
    // the engine's step, and longer where loops are coupled more closely
    enum { ownBudget = 5000 };
    const size_t budget = step->options.islandRowBudget;
    return budget ? (size_t)rows > budget : rows > ownBudget && joints > bodies;
}

bool ksiIsOverBudget(const ksiStep *step, int index)
{
    const ksiIsland *island = &step->island[index];
    return ksiExceedsBudget(step, island->rowCount, island->jointCount, island->bodyCount);
}

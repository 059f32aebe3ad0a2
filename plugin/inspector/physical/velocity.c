/* velocity.c  Permitted velocities of an island, close to its bodies' velocities. In a tree the
 * joint rates stay, and the bodies follow from the root to the leaves; in a loop they are the
 * nearest in the mass metric,
 *
 *     v' = v - M^-1 J^T (J M^-1 J^T)^-1 J v
 *
 * A mechanism has J v = 0, and only then beta = -(dJ/dt) v is its acceleration (Gugino 1930). The
 * engine leaves a J v of the size of its error, and -(dJ/dt) v of such velocities is not an
 * acceleration of the mechanism. Rows with a target keep their velocity. */
#include "physical.h"

#include <string.h>

bool ksiHoldsPosition(const ksiStep *step, int joint, int l, const ksiPlaces *places)
{
    const ksiJointInput *input = &step->joint[joint];
    return places->place[l] == KS_INSIDE && !(input->follows >> l & 1u) &&
           input->rows.row[l].cfm <= step->options.rigidCfm;
}

/* J v of the rows that fix a position, NaN for others; false: all are zero. */
static bool findRates(const ksiStep *step, int index, const ksiPlaces *places, double *rate)
{
    const ksiIsland *island = &step->island[index];
    bool any = false;
    KSI_EACH_SOLVED_ROW (step, island, joint, l, row) {
        const bool held = ksiHoldsPosition(step, joint, l, &places[joint]);
        rate[row] = held ? step->joint[joint].moving[l] : NAN;
        any |= held && rate[row] != 0;
    }
    return any;
}

/* J dv = -J v, of least size in the mass metric */
static ksStatus project(const ksiStep *step, ksiSolver *solver, int index, const ksiPlaces *places, const ksiVectors *p)
{
    memset(p->force, 0, 6 * (size_t)step->island[index].bodyCount * sizeof *p->force);
    for (int l = 0; l < step->island[index].rowCount; l++)
        p->beta[l] = isnan(p->beta[l]) ? 0 : -p->beta[l];
    return ksiSolveAlone(step, solver, index, places, p);
}

/* v' = v + dv */
static void addOwn(const ksiStep *step, int index, double *velocity)
{
    KSI_EACH_ISLAND_BODY (step, &step->island[index], i, body)
        ksiAddSix(velocity + 6 * step->bodyMember[body].block, 1, ksiVelocityOf(&step->body[body]));
}

ksStatus ksiPermitVelocities(const ksiStep *step, ksiSolver *solver, int index, const ksiPlaces *places,
                             const ksiVectors *p, bool *isOwn)
{
    *isOwn = !findRates(step, index, places, p->beta);
    memset(p->motion, 0, 6 * (size_t)step->island[index].bodyCount * sizeof *p->motion);
    ksStatus status = *isOwn ? KS_OK : ksiSystemPermit(solver->system, p->beta, p->motion);
    if (status == KS_ERROR_UNAVAILABLE)
        status = project(step, solver, index, places, p);
    KSI_TRY(status);
    addOwn(step, index, p->motion);
    return KS_OK;
}

ksStatus ksiNearestVelocities(const ksiStep *step, ksiSolver *solver, int index, const ksiPlaces *places,
                              const ksiVectors *p)
{
    (void)findRates(step, index, places, p->beta);
    KSI_TRY(project(step, solver, index, places, p));
    addOwn(step, index, p->motion);
    return KS_OK;
}

void ksiPermittedAccelerations(const ksiStep *step, int index, const double *velocity, double beta[KSI_MAX_ROWS])
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointAcceleration *acceleration = &step->acceleration[index];
    const double *at[2] = {NULL, NULL};
    KSI_EACH_BODY (joint->bodyIndex, side, body) {
        const int link = step->member[index].link[side];
        at[side] = link < 0 ? step->body[body].begin.velocity : velocity + 6 * step->bodyMember[link].block;
    }
    ksiRowAcceleration(&joint->rows, &joint->geometry, at[0], at[1], beta);
    for (int l = 0; l < joint->rows.count; l++)
        beta[l] += acceleration->beta[l];
}

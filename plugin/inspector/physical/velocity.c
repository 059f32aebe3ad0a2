/* velocity.c  Finds two fields of permitted velocities of an island, close to its bodies'
 * velocities. One field keeps the joint rates of a tree (kept_rates.c), and is then changed as
 * little as the joints that close loops require. The other field is the nearest one in the mass
 * metric,
 *
 *     v' = v - M^-1 J^T (J M^-1 J^T)^-1 J v
 *
 * A mechanism has J v = 0, and only then is beta = -(dJ/dt) v its acceleration (Gugino 1930). The
 * engine leaves a J v of the size of its error. For such velocities, -(dJ/dt) v is not an
 * acceleration of the mechanism. A row with a target keeps the velocity that the last step gave it:
 * the bodies have turned the row since, and the motor of a slide that rotates cancels the speed
 * that this adds. */
#include "../../engine/vector.h"
#include "physical.h"

#include <string.h>

/* The changes of J v that the mechanism requires of its rows, NaN for rows that move freely; false:
 * all are zero. */
static bool findChanges(const ksiStep *step, int index, const ksiPlaces *places, double *change)
{
    const ksiIsland *island = &step->island[index];
    bool any = false;
    KSI_EACH_JOINT (step, island, i, joint) {
        const int *row = step->layout[joint].row;
        const unsigned biased = ksiBiasedRows(step, joint, &places[joint]);
        for (int l = 0; l < step->joint[joint].rows.count; l++) {
            if (row[l] < 0)
                continue;
            change[row[l]] = biased >> l & 1u ? -ksiExcessRate(step, joint, l) : NAN;
            any = any || (biased >> l & 1u && change[row[l]] != 0);
        }
    }
    return any;
}

/* Finds the dv of least size in the mass metric with J dv = p->beta. Replaces NaN in p->beta by 0.
 * p->multiplier: the impulses, unless NULL. */
static ksStatus project(const ksiStep *step, ksiSolver *solver, int index, const ksiPlaces *places, const ksiVectors *p)
{
    ksiVectors alone = *p;
    if (step->island[index].isBounded)
        memset(p->force, 0, 6 * (size_t)step->island[index].bodyCount * sizeof *p->force);
    else
        alone.force = NULL;
    for (int l = 0; l < step->island[index].rowCount; l++)
        p->beta[l] = isnan(p->beta[l]) ? 0 : p->beta[l];
    return ksiSolveAlone(step, solver, index, places, &alone);
}

/* v' = v + dv */
static void addOwn(const ksiStep *step, int index, double *velocity)
{
    KSI_EACH_ISLAND_BODY (step, &step->island[index], i, body)
        ksiAddSix(velocity + 6 * step->bodyMember[body].block, 1, ksiVelocityOf(&step->body[body]));
}

/* Finds -J v of all rigid rows, at the velocities that keep joint rates. */
static void findLeft(const ksiStep *step, int index, const ksiPlaces *places, const double *kept, double *change)
{
    KSI_EACH_JOINT (step, &step->island[index], i, joint) {
        const ksiJointInput *input = &step->joint[joint];
        const int *row = step->layout[joint].row;
        int block[2];
        ksiBlocksOf(step, joint, block);
        for (int l = 0; l < input->rows.count; l++) {
            if (row[l] < 0 || !ksiNeedsBias(step, joint, l, &places[joint]))
                continue;
            double sum = isnan(change[row[l]]) ? 0 : change[row[l]];
            KSI_EACH_BODY (block, side, b)
                sum -= ksiDotSix(input->scaled[l] + 6 * side, kept + 6 * b);
            change[row[l]] = sum;
        }
    }
}

static void addKept(const ksiStep *step, int index, const double *kept, double *motion)
{
    KSI_EACH_ISLAND_BODY (step, &step->island[index], i, body) {
        const size_t block = 6 * (size_t)step->bodyMember[body].block;
        ksiAddByRoot(&step->body[body].begin.root, kept + block, motion + block);
    }
}

/* Twice the kinetic energy of the island at these velocities. */
static double energyOf(const ksiStep *step, int index, const double *velocity)
{
    double sum = 0;
    KSI_EACH_ISLAND_BODY (step, &step->island[index], i, body) {
        const ksiBody *at = &step->body[body].begin;
        const double *v = velocity + 6 * step->bodyMember[body].block, *w = v + 3;
        sum += at->mass * ksiDot(v, v);
        for (int k = 0; k < 3; k++)
            sum += w[k] * ksiDot(at->inertia + 3 * k, w);
    }
    return sum;
}

/* Finds two changes that make the velocities of an island with loops permitted. p->motion := the
 * change that belongs to the mechanism; `other` := the bodies' velocities plus the other change. */
static ksStatus closeLoops(const ksiStep *step, ksiSolver *solver, int index, const ksiPlaces *places,
                           const ksiVectors *p, double *other, int closing)
{
    const ksiIslandFree *free = &step->islandFree[index];
    const ksiVectors left = {p->beta, NULL, p->force, p->motion}, least = {p->beta, p->multiplier, p->force, other};
    double *const change = p->multiplier;  // unused until the second solution
    const size_t size = (size_t)step->island[index].rowCount * sizeof *change;
    memcpy(change, p->beta, size);
    findLeft(step, index, places, solver->kept.motion, p->beta);
    KSI_TRY(project(step, solver, index, places, &left));
    addKept(step, index, solver->kept.motion, p->motion);
    memcpy(p->beta, change, size);
    KSI_TRY(project(step, solver, index, places, &least));
    const bool isHeld = free->isKnown && closing <= free->selfStressCount;
    const double share =
        isHeld ? 1 : ksiCoreKeepingShare(energyOf(step, index, p->motion), energyOf(step, index, other));
    for (int k = 0; share < 1 && k < 6 * step->island[index].bodyCount; k++) {
        const double keeping = share * p->motion[k] + (1 - share) * other[k];
        p->motion[k] = other[k];
        other[k] = keeping;
    }
    addOwn(step, index, other);
    return KS_OK;
}

ksStatus ksiPermitVelocities(const ksiStep *step, ksiSolver *solver, int index, const ksiPlaces *places,
                             const ksiVectors *p, double *other, bool *isOwn)
{
    int closing = 0;
    *isOwn = !findChanges(step, index, places, p->beta);
    if (!*isOwn)
        KSI_TRY(ksiKeepRates(step, solver, index, places, &closing));
    if (!*isOwn && !(step->island[index].isTree && closing == 0)) {
        KSI_TRY(closeLoops(step, solver, index, places, p, other, closing));
        addOwn(step, index, p->motion);
        return KS_OK;
    }
    KSI_EACH_ISLAND_BODY (step, &step->island[index], i, body)
        memcpy(p->motion + 6 * step->bodyMember[body].block, ksiVelocityOf(&step->body[body]), 6 * sizeof *p->motion);
    if (!*isOwn)
        addKept(step, index, solver->kept.motion, p->motion);
    return KS_OK;
}

ksStatus ksiNearestVelocities(const ksiStep *step, ksiSolver *solver, int index, const ksiPlaces *places,
                              const ksiVectors *p)
{
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
        at[side] = link < 0 ? ksiVelocityOf(&step->body[body]) : velocity + 6 * step->bodyMember[link].block;
    }
    ksiRowAcceleration(&joint->rows, &joint->geometry, at[0], at[1], beta);
    for (int l = 0; l < joint->rows.count; l++)
        beta[l] += acceleration->beta[l];
}

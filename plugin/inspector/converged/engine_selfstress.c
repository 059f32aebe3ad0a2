/* engine_selfstress.c  Phase 8: takes the undetermined part of converged multipliers from the
 * engine's self-stress. */
#include "../publish/wrench_norm.h"
#include "converged.h"

#include <math.h>
#include <string.h>

/* A joint without free directions keeps the solution's multipliers, `exact`. If contradicting rows
 * have large opposing multipliers, the part of such a joint in the self-stresses is only a
 * remainder of these. own: the system has self-stresses in the present pose. */
static ksStatus project(const ksiConvergedSolution *s, bool own, double *multiplier)
{
    double *exact = s->solver->exact;
    memcpy(exact, multiplier, s->rows * sizeof *exact);
    ksStatus status = KS_OK;
    if (own)
        status = ksiSystemProjectSelfStress(s->solver->system, s->reference, multiplier);
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        const int *row = s->solver->layout[joint].row;
        for (int l = 0; !status && s->free.joint[joint].count == 0 && l < s->step->joint[joint].rows.count; l++)
            if (row[l] >= 0)
                multiplier[row[l]] = exact[row[l]];
    }
    return status;
}

/* The exchange changes determinate rows only by errors, so their bars include this change. In the
 * other rows it changes the determined part of the force only by errors. The bars of these rows
 * include equal shares of that change, since none of them is determined alone. */
static void addMoved(const ksiConvergedSolution *s, int joint)
{
    const ksiJointLayout *layout = &s->solver->layout[joint];
    const ksiJointFree *free = &s->free.joint[joint];
    const int rows = s->step->joint[joint].rows.count;
    double moved[KSI_MAX_ROWS] = {0};
    int count = 0;
    for (int l = 0; l < rows; l++) {
        const int at = layout->row[l], isFree = free->undetermined >> l & 1 && layout->size[l] > 0;
        count += isFree;
        if (isFree)
            moved[l] = s->paulus[at] - s->solver->exact[at];
        else if (at >= 0)
            s->bar[at] += fabs(s->paulus[at] - s->solver->exact[at]);
    }
    const double size = count > 0 ? ksiDeterminedSize(s->step, joint, free, moved) / count : 0;
    for (int l = 0; l < rows; l++)
        if (free->undetermined >> l & 1 && layout->size[l] > 0)
            s->bar[layout->row[l]] += size / layout->size[l];
}

ksStatus ksiProjectEngineSelfStress(const ksiConvergedSolution *s)
{
    ksSystem *system = s->solver->system;
    int own = s->free.island->selfStressCount;
    if (s->step->islandPhysical[s->index].isDrifted)
        KSI_TRY(ksiSystemCountSelfStresses(system, &own));
    KSI_TRY(project(s, own > 0, s->gauss));
    KSI_TRY(project(s, own > 0, s->paulus));
    KSI_TRY(ksiSystemErrorBars(system, own > 0 ? KSI_STRESS_PROJECTED : KSI_STRESS_NONE, s->gauss, s->paulus, s->bar));
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        if (s->free.joint[joint].count > 0)
            addMoved(s, joint);
    return KS_OK;
}

/* A joint belongs to several combinations, and its part counts once for each of them. */
static const double sharing = 4;

/* A tilt of the combinations changes their part of the multipliers in proportion to the tilt. The
 * drift moves a share of this change, in proportion to the drift, from the free into the determined
 * part. */
static void addTilt(const ksiConvergedSolution *s, int joint)
{
    const ksiJointLayout *layout = &s->solver->layout[joint];
    const int rows = s->step->joint[joint].rows.count;
    double multiplier[KSI_MAX_ROWS];
    ksiTakeRows(rows, layout->row, s->paulus, multiplier);
    const ksiJointFree none = {0};
    const double moved = sharing * s->free.joint[joint].tilt * s->step->islandPhysical[s->index].drift *
                         ksiDeterminedSize(s->step, joint, &none, multiplier);
    for (int l = 0; l < rows; l++)
        if (layout->size[l] > 0)
            s->bar[layout->row[l]] += moved / layout->size[l];
}

/* Takes the multipliers and their bars, for a joint with free directions. */
static void takeGiven(const ksiConvergedSolution *s, int joint, const ksiPosedGiven *given, double missed)
{
    for (int l = 0; l < s->step->joint[joint].rows.count; l++) {
        const int at = s->solver->layout[joint].row[l];
        if (at < 0)
            continue;
        s->gauss[at] = given->gauss[at];
        s->paulus[at] = given->paulus[at];
        s->bar[at] = fabs(s->gauss[at] - s->paulus[at]) + sqrt(given->size2[at]) * missed;
    }
}

/* If joints have drifted apart, their self-stresses move the bodies. An exchange of the solution's
 * self-stress for the engine's would shift the determined parts of these joints by this motion. So
 * the equations along the self-stresses are dropped instead: (19a) of docs/mechanics.md. Joints
 * without free directions keep the solution's values. */
ksStatus ksiGiveEngineSelfStress(const ksiConvergedSolution *s, bool isFactored, const double **size2)
{
    ksiSolver *solver = s->solver;
    const size_t rows = s->rows;
    double missed;
    KSI_TRY(ksiReserve(&s->step->allocator, &solver->given, &solver->givenCapacity, 3 * rows, sizeof *solver->given));
    double *const from = solver->given;
    const ksiPosedGiven given = {from, from + rows, from + 2 * rows};
    memcpy(given.gauss, s->gauss, rows * sizeof *given.gauss);
    KSI_TRY(ksiPosedGive(s->step, solver, s->index, isFactored, &given, &missed));
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        if (s->free.joint[joint].count > 0) {
            takeGiven(s, joint, &given, missed);
            addTilt(s, joint);
        }
    *size2 = given.size2;
    return KS_OK;
}

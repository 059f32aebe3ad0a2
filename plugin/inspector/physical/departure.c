/* departure.c  Phase 10 of trees: the known part of the difference between the engine's multipliers and the mechanism's.
 *
 * The engine leaves velocities that the joints forbid, and removes them later. With the rows'
 * targets u, else 0,
 *
 *     s = (A + S)^-1 (J v - u)
 *
 * are the joint impulses that would remove them. In a step, J v* - J v = h (beta + A (lambda_e - lambda)), so
 *
 *     h (lambda_e - lambda) = s_k+1 - s_k + h gamma,        gamma = -(A + S)^-1 J M^-1 (f_e - f),
 *
 * with f_e - f the engine's gyroscopic torque, which is implicit in h, minus that of the mechanism. */
#include "../phases.h"
#include "../publish/wrench_norm.h"
#include "../read/memory.h"
#include "../solution.h"
#include "physical.h"

#include <math.h>
#include <string.h>

/* u of the last step */
static double lastTarget(const ksiStep *step, int index, int l)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiHistory *last = ksiHistoryOf(step, joint);
    const int before = last ? ksiRowBefore(joint, last, l) : -1;
    return before >= 0 && last->kind[before] == joint->rows.row[l].kind ? last->target[before] : joint->target[l];
}

void ksiTakeForbidden(const ksiSolution *s)
{
    KSI_EACH_SOLVED_ROW (s->step, s->island, joint, l, row)
        s->out->joint[joint].forbidden[l] = -s->multiplier[row];
}

/* J v - u, and the number of rows with a position or a target; false: all are on target, so
 * ksiTakeForbidden suffices. */
static bool gatherRates(const ksiSolution *s)
{
    bool any = false;
    int *count = &s->out->island[s->index].heldRows;
    *count = 0;
    KSI_EACH_SOLVED_ROW (s->step, s->island, joint, l, row) {
        const ksiJointInput *input = &s->step->joint[joint];
        const bool isHeld = ksiNeedsBias(s->step, joint, l, &s->out->places[joint]);
        const double target = input->follows >> l & 1u ? lastTarget(s->step, joint, l) : 0;
        s->beta[row] = isHeld ? input->moving[l] - target : 0;
        *count += isHeld;
        any |= input->follows >> l & 1u && s->beta[row] != 0;
    }
    return any;
}

/* f_e - f; false if it is 0. */
static bool gatherTorques(const ksiSolution *s)
{
    bool any = false;
    KSI_EACH_ISLAND_BODY (s->step, s->island, i, body) {
        const ksiBodyInput *input = &s->step->body[body];
        const size_t block = 6 * (size_t)s->step->bodyMember[body].block;
        double *force = s->force + block;
        ksiForceOnBody(s->step, body, force);
        if (input->isSlowed)
            ksiAddSix(force, 1, input->slowing);
        ksiAddSix(force, -1, s->applied + block);
        for (int k = 0; k < 6; k++)
            any |= force[k] != 0;
    }
    return any;
}

/* The multipliers for `beta` and `force` alone. */
static ksStatus solve(const ksiSolution *s, bool any)
{
    const ksiVectors alone = {s->beta, s->multiplier, s->force, NULL};
    if (any)
        return ksiSolveAlone(s->step, s->solver, s->index, s->out->places, &alone);
    memset(s->multiplier, 0, (size_t)s->island->rowCount * sizeof *s->multiplier);
    return KS_OK;
}

static void take(const ksiSolution *s, int joint, double out[KSI_MAX_ROWS])
{
    ksiTakeRows(s->step->joint[joint].rows.count, s->solver->layout[joint].row, s->multiplier, out);
}

ksStatus ksiFindDeparture(const ksiSolution *s)
{
    if (!s->island->isTree)
        return KS_OK;
    if (gatherRates(s)) {
        memset(s->force, 0, 6 * (size_t)s->island->bodyCount * sizeof *s->force);
        KSI_TRY(solve(s, true));
        KSI_EACH_JOINT (s->step, s->island, i, joint)
            take(s, joint, s->out->joint[joint].forbidden);
    }
    memset(s->beta, 0, (size_t)s->island->rowCount * sizeof *s->beta);
    KSI_TRY(solve(s, gatherTorques(s)));
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        take(s, joint, s->out->joint[joint].implicit);
    return KS_OK;
}

/* departure.c  Phase 10 of trees: finds the known part of the difference between the engine's
 * multipliers and the multipliers of the mechanism.
 *
 * The engine leaves velocities that the joints forbid, and removes them later. These joint impulses
 * would remove them:
 *
 *     s = (A + S)^-1 (J v - u)
 *
 * Here `u` is the target of a row, or 0 without a target. In a step,
 *
 *     J v* - J v = h (beta + A (lambda_e - lambda))
 *
 * so
 *
 *     h (lambda_e - lambda) = s_k+1 - s_k + h gamma,        gamma = -(A + S)^-1 J M^-1 (f_e - f)
 *
 * The difference f_e - f is the engine's gyroscopic torque, which is implicit in h, minus the
 * mechanism's gyroscopic torque. */
#include "../phases.h"
#include "../publish/wrench_norm.h"
#include "../read/memory.h"
#include "../solution.h"
#include "physical.h"

#include <math.h>
#include <string.h>

double ksiMissedRate(const ksiStep *step, int index, int l)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiHistory *last = ksiHistoryOf(step, joint);
    const int before = last ? ksiRowBefore(joint, last, l) : -1;
    const bool isSame = before >= 0 && last->kind[before] == joint->rows.row[l].kind;
    return joint->moving[l] - (isSame ? last->target[before] : joint->target[l]);
}

void ksiTakeForbidden(const ksiSolution *s)
{
    KSI_EACH_SOLVED_ROW (s->step, s->island, joint, l, row)
        s->out->joint[joint].forbidden[l] = -s->multiplier[row];
}

/* ksiMissedRate of a row with an equation; 0 for other rows. */
static double missOf(const ksiStep *step, int joint, int l, const ksiPlaces *places)
{
    return ksiNeedsBias(step, joint, l, places) ? ksiMissedRate(step, joint, l) : 0;
}

/* Counts the rows that hold a position or have a target. true: a row misses its target. Otherwise
 * ksiTakeForbidden suffices. */
static bool countRows(const ksiSolution *s)
{
    const ksiStep *step = s->step;
    bool any = false;
    int count = 0;
    KSI_EACH_JOINT (step, s->island, i, joint) {
        const unsigned held = ksiBiasedRows(step, joint, &s->out->places[joint]),
                       follows = held & step->joint[joint].follows;
        count += __builtin_popcount(held);
        for (int l = 0; follows >> l; l++)
            any |= follows >> l & 1u && ksiMissedRate(step, joint, l) != 0;
    }
    s->out->island[s->index].heldRows = count;
    return any;
}

/* J v - u */
static void gatherRates(const ksiSolution *s)
{
    KSI_EACH_SOLVED_ROW (s->step, s->island, joint, l, row) {
        const ksiJointInput *input = &s->step->joint[joint];
        const ksiPlaces *places = &s->out->places[joint];
        if (input->follows >> l & 1u)
            s->beta[row] = missOf(s->step, joint, l, places);
        else
            s->beta[row] = ksiNeedsBias(s->step, joint, l, places) ? input->moving[l] : 0;
    }
}

/* f_e - f; false if it is 0, or rounding of its terms. */
static bool gatherTorques(const ksiSolution *s)
{
    bool any = false;
    KSI_EACH_ISLAND_BODY (s->step, s->island, i, body) {
        const size_t block = 6 * (size_t)s->step->bodyMember[body].block;
        double *force = s->force + block;
        memset(force, 0, 6 * sizeof *force);
        any |= ksiGyroscopicChange(s->step, body, s->velocity + block + 3, force + 3);
    }
    return any;
}

static ksStatus findForbidden(const ksiSolution *s)
{
    gatherRates(s);
    KSI_TRY(ksiSolveBeta(s, s->multiplier));
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        ksiTakeOwn(s, joint, s->multiplier, s->out->joint[joint].forbidden);
    return KS_OK;
}

static ksStatus findImplicit(const ksiSolution *s)
{
    const bool any = gatherTorques(s);
    KSI_TRY(any ? ksiSolveChange(s, NULL, s->multiplier) : KS_OK);
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        if (any)
            ksiTakeOwn(s, joint, s->multiplier, s->out->joint[joint].implicit);
        else
            memset(s->out->joint[joint].implicit, 0, sizeof s->out->joint->implicit);
    }
    return KS_OK;
}

ksStatus ksiFindDeparture(const ksiSolution *s)
{
    if (!s->island->isTree)
        return KS_OK;
    KSI_TRY(countRows(s) ? findForbidden(s) : KS_OK);
    return findImplicit(s);
}

/* recompute_after.c  The reactions that the last step would have without some of its joints. */
#include "query.h"

#include "../base/fpguard.h"
#include "../inspector/publish/wrench_norm.h"

#include <math.h>

/* Adds up the bars of the rows. */
static void barsOf(const ksiJointInput *joint, const double *bar, ksWrench out[2])
{
    for (int side = 0; side < 2; side++) {
        out[side] = (ksWrench){{0}, {0}};
        for (int l = 0; l < joint->rows.count; l++) {
            const double *jacobian = joint->rows.row[l].jacobian[side];
            for (int k = 0; k < 3; k++) {
                out[side].force[k] += bar[l] * fabs(jacobian[k]);
                out[side].torque[k] += bar[l] * fabs(jacobian[3 + k]);
            }
        }
    }
    for (int k = 0; !joint->body[1] && k < 3; k++)
        out[1].force[k] = out[1].torque[k] = NAN;
}

static void answer(const ksiStep *step, int index, const ksiJointAfter *after, ksJointAfter *out)
{
    const ksiJointInput *joint = &step->joint[index];
    const unsigned all = (1u << joint->rows.count) - 1;
    *out = (ksJointAfter){.joint = joint->id, .isUnique = (after->unique & all) == all};
    ksiReactionWrenches(joint, after->multiplier, out->wrench);
    barsOf(joint, after->bar, out->bar);
}

static ksStatus takeOut(ksInspector *inspector, dJointID joint, size_t n)
{
    int index;
    KSI_TRY(ksiFindJoint(inspector, joint, &index, "gone[%zu]", n));
    if (ksiReactionOf(&inspector->step, &inspector->published, (size_t)index)->reasons & KS_REASON_ASLEEP)
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "gone[%zu] is asleep", n);
    if (inspector->step.joint[index].isLoad)
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE,
                           "gone[%zu] is a contact whose force is a known load: needs KS_CONTACTS_SOLVED", n);
    ksiAfterGoes(&inspector->step, index, &inspector->after);
    return KS_OK;
}

static ksStatus solve(ksInspector *inspector, int island)
{
    const ksStatus status = ksiAfterSolve(&inspector->step, ksiSolverOf(inspector, island), island, &inspector->after);
    return status == KS_ERROR_UNAVAILABLE
               ? KSI_EXPLAIN(status, "a mechanism has no physical values, or none without these joints")
               : status;
}

static ksStatus recomputeAfter(ksInspector *inspector, const dJointID *gone, size_t goneCount,
                               const ksJointAfter **after, size_t *count)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE(gone || goneCount == 0, "gone is NULL");
    KSI_REQUIRE_POINTER(after);
    KSI_REQUIRE_POINTER(count);
    const ksiStep *step = &inspector->step;
    ksiAfter *room = &inspector->after;
    KSI_TRY(ksiRequireStep(inspector, KS_ERROR_BAD_ARGUMENT));
    KSI_TRY(ksiAfterBegin(step, room));
    for (size_t i = 0; i < goneCount; i++)
        KSI_TRY(takeOut(inspector, gone[i], i));
    KSI_TRY(
        ksiReserve(&step->allocator, &room->answer, &room->answerCapacity, step->jointCount + 1, sizeof *room->answer));
    for (size_t i = 0; i < step->jointCount; i++)
        if (room->joint[i].standing == KSI_GOES)
            KSI_TRY(solve(inspector, step->member[i].island));
    *count = 0;
    *after = room->answer;
    for (size_t i = 0; i < step->jointCount; i++)
        if (room->joint[i].standing == KSI_LEFT && step->joint[i].type != dJointTypeContact)
            answer(step, (int)i, &room->joint[i], &room->answer[(*count)++]);
    return KS_OK;
}

ksStatus ksInspectorRecomputeAfter(ksInspector *inspector, const dJointID *gone, size_t goneCount,
                                   const ksJointAfter **after, size_t *count)
{
    KSI_RETURN_GUARDED(recomputeAfter(inspector, gone, goneCount, after, count));
}

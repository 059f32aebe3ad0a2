/* recompute_after.c  The reactions of the last step without some of its joints. */
#include "query.h"

#include "../base/fpguard.h"

#include <math.h>

/* Each row's bar, added up through the rows. */
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
    ksiWrenchesAfter(step, index, after->multiplier, out->wrench);
    barsOf(joint, after->bar, out->bar);
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
    ksStatus status = ksiRequireStep(inspector, KS_ERROR_BAD_ARGUMENT);
    if (!status)
        status = ksiAfterBegin(step, room);
    for (size_t i = 0; !status && i < goneCount; i++) {
        int index;
        status = ksiFindJoint(inspector, gone[i], &index, "gone[%zu]", i);
        if (!status)
            room->joint[index].standing = KSI_GONE;
    }
    if (!status)
        status = ksiReserve(&step->allocator, &room->answer, &room->answerCapacity, step->jointCount + 1,
                            sizeof *room->answer);
    for (size_t i = 0; !status && i < step->islands->count; i++) {
        bool isHit = false;
        for (int k = 0; k < step->island[i].jointCount; k++)
            isHit |= room->joint[ksiIslandJoint(step, &step->island[i], k)].standing == KSI_GONE;
        status = isHit ? ksiAfterSolve(step, ksiSolverOf(inspector, (int)i), (int)i, room) : KS_OK;
    }
    if (status == KS_ERROR_UNAVAILABLE)
        return KSI_EXPLAIN(status, "a mechanism has no physical values, or none without these joints");
    if (status)
        return status;
    *count = 0;
    *after = room->answer;
    for (size_t i = 0; i < step->jointCount; i++)
        if (room->joint[i].standing == KSI_LEFT)
            answer(step, (int)i, &room->joint[i], &room->answer[(*count)++]);
    return KS_OK;
}

ksStatus ksInspectorRecomputeAfter(ksInspector *inspector, const dJointID *gone, size_t goneCount,
                                   const ksJointAfter **after, size_t *count)
{
    KSI_RETURN_GUARDED(recomputeAfter(inspector, gone, goneCount, after, count));
}

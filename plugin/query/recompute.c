/* recompute.c  Recomputes chosen wrenches of the last step. This serves mechanisms whose contacts
 * are known loads, whose island is not factorised, or whose island has self-stresses.
 *
 * Two runs of sweeps (pgs.c) have opposite orders and different starts: the engine's report, and
 * zero forces. If their wrenches differ, the difference has not converged, or is not unique. The
 * first run's wrench also changed between the last two checks. This change has not converged
 * either. The bar is the size of the difference plus the size of the change. */
#include "query.h"

#include "../base/fpguard.h"
#include "../inspector/publish/wrench_norm.h"

#include <math.h>
#include <string.h>

/* Number of sweeps before the first check; each check doubles this number. Another first number
 * changes only the cost. */
enum { firstLook = 64 };

/* The side of a joint that belongs to the requested wrench, or -1. */
static int sideOf(const ksiStep *step, const ksNetWrench *net, int index)
{
    const ksiJointInput *joint = &step->joint[index];
    for (int side = 0; side < 2; side++) {
        bool other = !net->b || net->b == joint->body[!side];
        bool wanted = net->joint ? net->joint == joint->id : joint->type == dJointTypeContact && other;
        if (step->report[index].isWritten && joint->body[side] == net->a && wanted)
            return side;
    }
    return -1;
}

static int bodyOf(const ksInspector *inspector, const ksNetWrench *net)
{
    return ksiPointersFind(&inspector->input.bodyIndex, net->a);
}

static int groupIndex(const ksInspector *inspector, const ksNetWrench *net)
{
    return ksiGroupOf(&inspector->estimates.groups, bodyOf(inspector, net));
}

static const ksiGroup *groupOf(const ksInspector *inspector, const ksNetWrench *net)
{
    const int index = groupIndex(inspector, net);
    return index < 0 ? NULL : &inspector->estimates.groups.group[index];
}

/* Is the island of the body solved, without self-stresses and without contacts that are known
 * loads? */
static bool isExact(const ksInspector *inspector, const ksNetWrench *net)
{
    const ksiStep *step = &inspector->step;
    const int island = step->bodyMember[bodyOf(inspector, net)].island;
    return island >= 0 && step->islandConverged[island].isSolved &&
           !ksiIslandFreeOf(step, (size_t)island)->selfStressCount && !groupOf(inspector, net)->isLoaded;
}

static ksStatus check(ksInspector *inspector, size_t n, const ksNetWrench *net)
{
    const ksiStep *step = &inspector->step;
    int body, other, at;
    ksStatus status = ksiFindBody(inspector, net->a, &body, "net[%zu].a", n);
    if (status)
        return status;
    KSI_REQUIRE(step->body[body].dynamic, "net[%zu].a is kinematic", n);
    KSI_REQUIRE(net->a != net->b, "net[%zu].a and b are the same body", n);
    if (net->b)
        status = ksiFindBody(inspector, net->b, &other, "net[%zu].b", n);
    if (!status && net->joint)
        status = ksiFindJoint(inspector, net->joint, &at, "net[%zu].joint", n);
    if (status)
        return status;
    if (net->joint) {
        KSI_REQUIRE(step->joint[at].body[0] == net->a || step->joint[at].body[1] == net->a,
                    "net[%zu].joint is not a joint of its body a", n);
        if (!step->report[at].isWritten)
            return KS_ERROR_UNAVAILABLE;
    }
    const ksiGroup *group = groupOf(inspector, net);
    if (!group || isExact(inspector, net))
        return KS_OK;
    if (!ksiPgsIsPossible(step, group))
        return KS_ERROR_UNAVAILABLE;
    return ksiPgsReserve(step, &inspector->estimates.groups, group, 2, &inspector->estimates.room);
}

/* The sum of J^T lambda on the requested body, for the requested joints, by a run of sweeps; s
 * NULL: by the engine's report or by the exact solution. */
static void sumUp(const ksInspector *inspector, const ksNetWrench *net, ksValue value, const ksiPgsRun *s,
                  double sum[6])
{
    const ksiStep *step = &inspector->step;
    const ksiGroup *group = groupOf(inspector, net);
    const int joints = group ? group->jointCount : 0;
    memset(sum, 0, 6 * sizeof *sum);
    for (int i = 0, block = 0; i < joints; i++) {
        const int index = group->joint[i], side = sideOf(step, net, index);
        const ksiJointInput *joint = &step->joint[index];
        for (int l = 0; side >= 0 && l < joint->rows.count; l++) {
            double multiplier = s                    ? ksiPgsMultiplier(s, block, l)
                                : value == KS_ENGINE ? step->report[index].multiplier[l]
                                                     : step->converged[index].paulus[l];
            for (int k = 0; k < 6; k++)
                sum[k] += multiplier * joint->rows.row[l].jacobian[side][k];
        }
        block += ksiPgsBlocks(joint);
    }
}

static double sizeOf(const ksInspector *inspector, const ksNetWrench *net, const double wrench[6])
{
    double scaled[6];
    ksiScaleWrench(&inspector->step.body[bodyOf(inspector, net)], wrench, scaled);
    return ksiSize(scaled, 6);
}

static double distance(const ksInspector *inspector, const ksNetWrench *net, const double a[6], const double b[6])
{
    double difference[6];
    for (int k = 0; k < 6; k++)
        difference[k] = a[k] - b[k];
    return sizeOf(inspector, net, difference);
}

/* Fills the answer. bar: in the mass metric, not relative to the load. */
static bool answer(const ksInspector *inspector, ksNetWrench *net, const double wrench[6], double bar, double tolerance)
{
    double engine[6];
    sumUp(inspector, net, KS_ENGINE, NULL, engine);
    const int island = inspector->step.bodyMember[bodyOf(inspector, net)].island;
    double load = fmax(sizeOf(inspector, net, engine), sizeOf(inspector, net, wrench));
    const double around = island < 0 ? 0 : inspector->converged.island[island].load;
    const double applied = inspector->step.motion[bodyOf(inspector, net)].applied;
    load = fmax(load, inspector->step.options.loadFloor * fmax(applied, around));
    double error = distance(inspector, net, engine, wrench);
    memcpy(net->wrench.force, wrench, sizeof net->wrench.force);
    memcpy(net->wrench.torque, wrench + 3, sizeof net->wrench.torque);
    net->error = error == 0 ? 0 : error / load;
    net->errorBar = bar == 0 ? 0 : bar / load;
    net->reached = net->errorBar <= tolerance;
    return net->reached;
}

/* Answers by the exact solution. The bar is the sum of the bars of the rows' multipliers. */
static void answerExactly(const ksInspector *inspector, ksNetWrench *net, double tolerance)
{
    const ksiGroup *group = groupOf(inspector, net);
    double wrench[6], bar = 0;
    sumUp(inspector, net, KS_CONVERGED, NULL, wrench);
    for (int i = 0; i < group->jointCount; i++) {
        const int joint = group->joint[i], side = sideOf(&inspector->step, net, joint);
        const ksiJointInput *input = &inspector->step.joint[joint];
        for (int l = 0; side >= 0 && l < input->rows.count; l++)
            bar += inspector->step.converged[joint].bar[l] * ksiSize(&input->scaled[l][6 * side], 6);
    }
    answer(inspector, net, wrench, bar, tolerance);
}

/* Answers by the present state of both runs. The previous answer is the state of the first run at
 * the last check. */
static bool look(const ksInspector *inspector, ksNetWrench *net, const ksiPgsRun run[2], double tolerance)
{
    double before[6], wrench[6], other[6];
    memcpy(before, net->wrench.force, sizeof net->wrench.force);
    memcpy(before + 3, net->wrench.torque, sizeof net->wrench.torque);
    sumUp(inspector, net, KS_CONVERGED, &run[0], wrench);
    sumUp(inspector, net, KS_CONVERGED, &run[1], other);
    double bar = distance(inspector, net, wrench, other) + distance(inspector, net, wrench, before);
    return answer(inspector, net, wrench, bar, tolerance);
}

/* The arguments of ksInspectorRecompute. */
typedef struct Request {
    ksInspector *inspector;
    ksNetWrench *net;
    size_t count;
    double tolerance;
    size_t sweeps;
} Request;

/* Answers the requests for a group by sweeps, in the memory that `check` has reserved. */
static ksStatus sweepGroup(const Request *r, int index)
{
    ksiEstimates *estimates = &r->inspector->estimates;
    ksiPgsRun run[2];
    ksStatus status =
        ksiPgsBegin(&r->inspector->step, &estimates->groups, &estimates->groups.group[index], 2, &estimates->room, run);
    bool reached = false;
    for (size_t done = 0, next = firstLook; !status && !reached && done < r->sweeps; next *= 2) {
        const size_t until = next < r->sweeps ? next : r->sweeps;
        const size_t fast = (until - done) / 2;
        for (int i = 0; i < 2; i++) {
            ksiPgsSweep(&run[i], fast, &ksiFast);
            ksiPgsSweep(&run[i], until - done - fast, &ksiSettling);
        }
        reached = true;
        for (size_t i = 0; i < r->count; i++) {
            if (groupIndex(r->inspector, &r->net[i]) == index)
                reached &= look(r->inspector, &r->net[i], run, r->tolerance);
        }
        done = until;
    }
    return status;
}

/* Adds the mean force of all contacts of the body, if all contacts are requested and the mean is
 * known. */
static void addMean(const ksInspector *inspector, ksNetWrench *net)
{
    const bool isAll = !net->b && !net->joint;
    const double *mean = isAll ? ksiNetMeanOf(&inspector->step, &inspector->estimates.runs, net->a) : NULL;
    for (int k = 0; k < 3; k++)
        net->mean[k] = mean ? mean[k] : NAN;
}

static bool sweptBefore(const Request *r, size_t n, int index)
{
    for (size_t i = 0; i < n; i++) {
        if (groupIndex(r->inspector, &r->net[i]) == index)
            return true;
    }
    return false;
}

static ksStatus admit(const Request *r)
{
    const ksInspector *inspector = r->inspector;
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE(r->net, "net is NULL");
    KSI_REQUIRE(isfinite(r->tolerance) && r->tolerance > 0, "tolerance is %g, must be finite and > 0", r->tolerance);
    KSI_REQUIRE(r->sweeps > 0, "sweeps is 0, must be > 0");
    const ksStatus without = ksInspectorGetStepReport(inspector) ? KS_ERROR_UNAVAILABLE : KS_ERROR_BAD_ARGUMENT;
    KSI_TRY(ksiRequireStep(inspector, without));
    KSI_TRY(ksiRequireSolver(inspector));
    return inspector->published.report.inspected
               ? KS_OK
               : KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "not all of the step was inspected");
}

static ksStatus recompute(const Request *r)
{
    KSI_TRY(admit(r));
    KSI_TRY(ksiFindGroups(&r->inspector->step, &r->inspector->estimates.groups));
    for (size_t n = 0; n < r->count; n++)
        KSI_TRY(check(r->inspector, n, &r->net[n]));
    for (size_t n = 0; n < r->count; n++) {
        double engine[6];
        sumUp(r->inspector, &r->net[n], KS_ENGINE, NULL, engine);
        answer(r->inspector, &r->net[n], engine, 0, r->tolerance);
        addMean(r->inspector, &r->net[n]);
    }
    for (size_t n = 0; n < r->count; n++) {
        const int index = groupIndex(r->inspector, &r->net[n]);
        if (index >= 0 && isExact(r->inspector, &r->net[n]))
            answerExactly(r->inspector, &r->net[n], r->tolerance);
        else if (index >= 0 && !sweptBefore(r, n, index))
            KSI_TRY(sweepGroup(r, index));
    }
    return KS_OK;
}

ksStatus ksInspectorRecompute(ksInspector *inspector, ksNetWrench *net, size_t count, double tolerance, size_t sweeps)
{
    const Request request = {inspector, net, count, tolerance, sweeps};
    KSI_RETURN_GUARDED(recompute(&request));
}

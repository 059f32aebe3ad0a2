/* proposal.c  Proposes limits for thresholds from the physical loads of a run.
 *
 * The report keeps the physical magnitudes of a joint's force and torque. If several joints share a
 * load, these are the least possible magnitudes. Limits then also cover the share that the joint
 * carries if the joints are elastic. If that share is unknown, there is no limit. */
#include "proposal.h"

#include "../collect/measure.h"
#include "../files/failure.h"
#include "print.h"

#include "../../base/fpguard.h"

#include <math.h>

static bool isUndetermined(const ksiJointStats *joint, int size)
{
    const uint64_t *steps = joint->undetermined.steps + 3 * size;
    return steps[0] + steps[1] + steps[2] > 0;
}

/* The load that `percentile` % of the steps do not exceed; size: KSI_FORCE, KSI_TORQUE. 0: only
 * rounding; INFINITY: unknown; NaN: the joint was never solved. */
static double loadOf(const ksiJointStats *joint, int size, double percentile)
{
    const ksiHistogram *force = joint->load[KSI_FORCE], *of = joint->load[size];
    if (force[KSI_OF_MECHANISM].total == 0)
        return joint->borne[KSI_IN_STEPS][size].untold > 0 ? (double)INFINITY : (double)NAN;
    double load = ksiQuantile(&of[KSI_OF_MECHANISM], percentile);
    if (isUndetermined(joint, size)) {
        if (of[KSI_OF_ELASTIC].total == 0)
            return INFINITY;
        load = fmax(load, ksiQuantile(&of[KSI_OF_ELASTIC], percentile));
    }
    const double largest = fmax(force[KSI_OF_MECHANISM].largest, force[KSI_OF_ELASTIC].largest);
    return size == KSI_FORCE || load > ksiRoundedLever * largest ? load : 0;
}

/* The largest load of these joints; NaN: none was solved. */
static double largestLoad(const ksiView *view, const char *joints, int size, double percentile)
{
    double largest = NAN;
    for (size_t i = 0; i < view->worldCount; i++)
        for (size_t k = 0; k < view->world[i].jointCount; k++) {
            const ksiJointView *joint = &view->world[i].joint[k];
            if (ksiIsCalled(joint, joints))
                largest = fmax(largest, loadOf(joint->stats, size, percentile));
        }
    return largest;
}

static double limitFor(double load, double factor)
{
    const double limit = factor * load;
    return limit > 0 ? limit : INFINITY;
}

static ksStatus check(const ksReport *report, double percentile, double factor, const ksThreshold *limits)
{
    static const char function[] = "ksLimitsFromRun";
    if (!report || !limits)
        return ksiReportFail(function, KS_ERROR_BAD_ARGUMENT, "%s is NULL", report ? "limits" : "report");
    if (limits->size != sizeof *limits)
        return ksiReportFail(function, KS_ERROR_BAD_ARGUMENT, "limits->size is %zu, must be %zu: call ksThresholdInit",
                             limits->size, sizeof *limits);
    if (limits->body != 0 || limits->point != KS_POINT_ANCHOR)
        return ksiReportFail(function, KS_ERROR_BAD_ARGUMENT,
                             "limits->body must be 0, and limits->point KS_POINT_ANCHOR, as in the report");
    if (!(percentile > 0 && percentile <= 100))
        return ksiReportFail(function, KS_ERROR_BAD_ARGUMENT, "percentile is %g, must be in (0, 100]", percentile);
    if (!(isfinite(factor) && factor > 0))
        return ksiReportFail(function, KS_ERROR_BAD_ARGUMENT, "factor is %g, must be finite and > 0", factor);
    return KS_OK;
}

ksStatus ksLimitsFromRun(const ksReport *report, const char *joints, double percentile, double factor,
                         ksThreshold *limits)
{
    const ksStatus status = check(report, percentile, factor, limits);
    ksiView view;
    if (status)
        return status;
    bool isMade;
    double load[KSI_SIZES] = {NAN, NAN};
    KSI_GUARD_FP({
        isMade = ksiViewMake(report, NULL, &view);
        for (int size = 0; isMade && size < KSI_SIZES; size++)
            load[size] = largestLoad(&view, joints, size, percentile);
    });
    if (!isMade)
        return ksErrorSet(KS_ERROR_NO_MEMORY, __func__, NULL);
    ksiViewFree(&view);
    if (isnan(load[KSI_FORCE]))
        return KSI_FAIL(KS_ERROR_UNAVAILABLE, "no joint of that name was ever solved");
    limits->forceMagnitude = limitFor(load[KSI_FORCE], factor);
    limits->torqueMagnitude = limitFor(load[KSI_TORQUE], factor);
    return KS_OK;
}

/* --- In documents --- */

/* A single blow must not determine the limit. */
static const double usual = 99.9;

void ksiReportPropose(ksReport *report, double factor)
{
    report->proposal = factor;
}

/* Calls `each` with each joint that was solved, and its limits. */
static void eachProposal(const ksiView *view,
                         void (*each)(const ksiWorldView *world, const ksiJointView *joint,
                                      const double limit[KSI_SIZES], void *user),
                         void *user)
{
    for (size_t i = 0; i < view->worldCount; i++)
        for (size_t k = 0; k < view->world[i].jointCount; k++) {
            const ksiJointView *joint = &view->world[i].joint[k];
            double limit[KSI_SIZES], load = NAN;
            for (int size = 0; size < KSI_SIZES; size++) {
                load = loadOf(joint->stats, size, usual);
                limit[size] = limitFor(load, view->report->proposal);
            }
            if (!isnan(load))
                each(&view->world[i], joint, limit, user);
        }
}

typedef struct Table {
    ksiText *out;
    const ksiWorldView *world; /* the world of the last line */
    bool isOne;
} Table;

static void writeLine(const ksiWorldView *world, const ksiJointView *joint, const double limit[KSI_SIZES], void *user)
{
    Table *table = user;
    if (!table->isOne && table->world != world)
        ksiTextAdd(table->out, "  %s\n", world->name);
    table->world = world;
    ksiTextAdd(table->out, "    ");
    ksiTextAddColumn(table->out, joint->name, KSI_NAME_COLUMNS);
    ksiTextAdd(table->out, " |");
    for (int size = 0; size < KSI_SIZES; size++) {
        if (isfinite(limit[size]))
            ksiTextAdd(table->out, " %11.4g", limit[size]);
        else
            ksiTextAdd(table->out, " %11s", "-");
    }
    ksiTextAdd(table->out, "\n");
}

void ksiWriteProposal(const ksiView *view, ksiText *out)
{
    Table table = {out, NULL, view->worldCount == 1};
    if (view->report->proposal == 0)
        return;
    ksiTextAdd(out,
               "\nLimits proposed: %g times the physical load that %g %% of the steps did not exceed.\n"
               "  -: unknown, or zero.\n    %-*s | %11s %11s\n",
               view->report->proposal, usual, KSI_NAME_COLUMNS, "joint", "force, N", "torque, N.m");
    eachProposal(view, writeLine, &table);
}

static void appendLimit(const ksiWorldView *world, const ksiJointView *joint, const double limit[KSI_SIZES], void *user)
{
    json_t *object = json_object();
    ksiJsonPut(object, "world", json_string(world->name));
    ksiJsonPut(object, "joint", json_string(joint->name));
    for (int i = 0; i < KSI_SIZES; i++)
        ksiJsonPut(object, ksiQuantities[i].name, ksiJsonNumber(limit[i]));
    ksiJsonAppend(user, object);
}

void ksiJsonPutProposal(const ksiView *view, json_t *document)
{
    if (view->report->proposal == 0)
        return;
    json_t *object = json_object(), *joints = json_array();
    eachProposal(view, appendLimit, joints);
    ksiJsonPut(object, "factor", ksiJsonNumber(view->report->proposal));
    ksiJsonPut(object, "percentile", ksiJsonNumber(usual));
    ksiJsonPut(object, "joints", joints);
    ksiJsonPut(document, "proposal", object);
}

/* print.c  A report for people: what was seen, the worst joints, what to do. */
#include "document.h"

#include "advice.h"
#include "measure.h"

#include <math.h>
#include <stdlib.h>

/* m: a force at a smaller one has no torque but that of rounding */
static const double roundedLever = 1e-10;

enum { SCREEN_COLUMNS = 100, SCREEN_OF_JOINTS = 16, WORST_MOMENTS = 3, NAME_COLUMNS = 34 };

static const char *const verdictWord[KSI_VERDICTS] = {"not solved",   "unchecked",     "unexplained",
                                                      "solver error", "indeterminate", "valid"};

static void writeVerdicts(const uint64_t *count, ksiText *out)
{
    const char *between = "";
    for (int i = KSI_VERDICTS; i-- > 0;) {
        if (count[i] == 0)
            continue;
        ksiTextAdd(out, "%s%llu %s", between, (unsigned long long)count[i], verdictWord[i]);
        between = ", ";
    }
    ksiTextAdd(out, "%s\n", *between ? "" : "none");
}

static void writeSteps(const ksiWorldStats *stats, ksiText *out)
{
    static const char *const name[KSI_STEPPERS] = {"dWorldStep", "dWorldQuickStep", "ksInspectorExactStep"};
    const double largest = ksiQuantile(&stats->stepSize, 100);
    ksiTextAdd(out, "  %llu steps, %llu inspected", (unsigned long long)stats->seen,
               (unsigned long long)stats->inspected);
    if (stats->inspected == 0) {
        ksiTextAdd(out, ".\n");
        return;
    }
    ksiTextAdd(out, ", from %g to %g s", stats->firstTime, stats->lastTime);
    if (stats->leastStepSize < largest)
        ksiTextAdd(out, ", of %g to %g s:", stats->leastStepSize, largest);
    else
        ksiTextAdd(out, ", of %g s:", largest);
    const char *between = " ";
    for (int i = 0; i < KSI_STEPPERS; i++) {
        if (stats->stepper[i] == 0)
            continue;
        ksiTextAdd(out, "%s%s", between, name[i]);
        between = ", ";
    }
    for (size_t i = 0; i < stats->usedCount && stats->stepper[KS_QUICK_STEP] > 0; i++)
        ksiTextAdd(out, "%s%d", i ? ", " : "; iterations ", stats->used[i].iterations);
    ksiTextAdd(out, "; ERP %g, CFM %g.\n", stats->erp, stats->cfm);
}

/* Failed ones first, the worst before the others. */
static int compare(const void *a, const void *b)
{
    const ksiJointView *x = *(const ksiJointView *const *)a, *y = *(const ksiJointView *const *)b;
    const double p = isnan(x->judged) ? ksiQuantile(&x->stats->error[KSI_SOLVER], KSI_PERCENTILE) : x->judged;
    const double q = isnan(y->judged) ? ksiQuantile(&y->stats->error[KSI_SOLVER], KSI_PERCENTILE) : y->judged;
    if (x->isFailed != y->isFailed)
        return x->isFailed ? -1 : 1;
    if (isnan(p) != isnan(q))
        return isnan(p) ? 1 : -1;
    if (p != q && !isnan(p))
        return p > q ? -1 : 1;
    return (x > y) - (x < y);
}

static void writeJoint(const ksiJointView *joint, ksiText *out)
{
    char a[KSI_PERCENT_SIZE], b[KSI_PERCENT_SIZE], c[KSI_PERCENT_SIZE], d[KSI_PERCENT_SIZE];
    const ksiJointStats *stats = joint->stats;
    const ksiHistogram *solver = &stats->error[KSI_SOLVER], *model = &stats->error[KSI_MODEL];
    ksiTextAdd(out, "  %c ", joint->isFailed ? '!' : ' ');
    ksiTextAddColumn(out, joint->name, NAME_COLUMNS);
    ksiTextAdd(out, " %7llu %8s %8s %8s %9s", (unsigned long long)stats->steps, ksiPercent(a, ksiQuantile(solver, 50)),
               ksiPercent(b, ksiQuantile(solver, KSI_PERCENTILE)), ksiPercent(c, ksiQuantile(solver, 100)),
               ksiPercent(d, ksiQuantile(model, KSI_PERCENTILE)));
    if (stats->worst[KSI_SOLVER].isKnown)
        ksiTextAdd(out, " %9llu\n", (unsigned long long)stats->worst[KSI_SOLVER].step);
    else
        ksiTextAdd(out, " %9s\n", "-");
}

static void writeMoment(const ksiJointView *joint, ksiText *out)
{
    static const char *const name[KSI_VALUES] = {"engine", "converged", "physical"};
    const ksiMoment *worst = &joint->stats->worst[KSI_SOLVER];
    char a[KSI_PERCENT_SIZE], b[KSI_PERCENT_SIZE];
    if (!worst->isKnown)
        return;
    ksiTextAdd(out, "  %s, step %llu at %g s: off by %s", joint->name, (unsigned long long)worst->step, worst->time,
               ksiPercent(a, worst->value));
    if (isfinite(worst->bar))
        ksiTextAdd(out, " +- %s", ksiPercent(b, worst->bar));
    ksiTextAdd(out, "\n   ");
    for (int i = 0; i < KSI_VALUES; i++) {
        const double force = ksiLength(worst->wrench[i]), about = ksiLength(worst->wrench[i] + 3);
        const double torque = about < roundedLever * force ? 0 : about;
        if (!isnan(force) && !isnan(torque))
            ksiTextAdd(out, "%s %s %.4g N, %.4g N.m", i ? "," : "", name[i], force, torque);
        else
            ksiTextAdd(out, "%s %s unknown", i ? "," : "", name[i]);
    }
    ksiTextAdd(out, "\n");
}

/* "force along axes 1 3, torque about axis 2" */
static void writeComponents(const uint64_t steps[KSI_COMPONENTS], ksiText *out)
{
    static const char *const name[2] = {"force along", "torque about"};
    bool isFirst = true;
    for (int k = 0; k < 2; k++) {
        const uint64_t *of = steps + 3 * k;
        const int count = (of[0] > 0) + (of[1] > 0) + (of[2] > 0);
        if (count == 0)
            continue;
        ksiTextAdd(out, "%s%s %s", isFirst ? "" : ", ", name[k], count > 1 ? "axes" : "axis");
        for (int i = 0; i < 3; i++) {
            if (of[i] > 0)
                ksiTextAdd(out, " %d", i + 1);
        }
        isFirst = false;
    }
}

static void writeUndetermined(const ksiWorldView *world, size_t most, ksiText *out)
{
    size_t written = 0, count = 0;
    for (size_t i = 0; i < world->jointCount; i++) {
        const ksiJointStats *stats = world->joint[i].stats;
        if (stats->freeMost <= 0)
            continue;
        if (count++ == 0)
            ksiTextAdd(out, "\n  What mechanics does not determine (axes of the joint frame):\n");
        if (written == most)
            continue;
        written++;
        ksiTextAdd(out, "    ");
        ksiTextAddColumn(out, world->joint[i].name, NAME_COLUMNS);
        ksiTextAdd(out, " ");
        writeComponents(stats->undetermined, out);
        ksiTextAdd(out, "\n");
    }
    if (count > written)
        ksiTextAdd(out, "    and %zu more joints.\n", count - written);
}

static void writeContacts(const ksiWorldStats *stats, ksiText *out)
{
    char a[KSI_PERCENT_SIZE], b[KSI_PERCENT_SIZE], c[KSI_PERCENT_SIZE];
    const ksiContactStats *contacts = &stats->contacts;
    if (contacts->count > 0) {
        ksiTextAdd(out, "\n  Contacts: ");
        writeVerdicts(contacts->verdict, out);
    }
    if (contacts->net.total == 0)
        return;
    ksiTextAdd(out, "  Net force on bodies, estimated error: median %s, 95 %% %s, largest %s (body %d, step %llu).\n",
               ksiPercent(a, ksiQuantile(&contacts->net, 50)),
               ksiPercent(b, ksiQuantile(&contacts->net, KSI_PERCENTILE)),
               ksiPercent(c, ksiQuantile(&contacts->net, 100)), contacts->worstNet.body[0],
               (unsigned long long)contacts->worstNet.step);
}

static void writeIterations(const ksiWorldStats *stats, ksiText *out)
{
    char a[KSI_PERCENT_SIZE], b[KSI_PERCENT_SIZE], c[KSI_PERCENT_SIZE];
    if (stats->adviceCount == 0 || stats->advice[0]->worst.total == 0)
        return;
    ksiTextAdd(
        out,
        "\n  Copies of the world, stepped with other numbers of iterations (largest error of a joint in a step):\n");
    ksiTextAdd(out, "    iterations    steps   median     95 %%  largest\n");
    for (size_t i = 0; i < stats->adviceCount; i++) {
        const ksiAdvice *advice = stats->advice[i];
        ksiTextAdd(out, "    %10d %8llu %8s %8s %8s\n", advice->iterations, (unsigned long long)advice->steps,
                   ksiPercent(a, ksiQuantile(&advice->worst, 50)),
                   ksiPercent(b, ksiQuantile(&advice->worst, KSI_PERCENTILE)),
                   ksiPercent(c, ksiQuantile(&advice->worst, 100)));
    }
}

static void writeJoints(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    const size_t asked = view->report->options.textJoints, most = asked ? asked : SCREEN_OF_JOINTS;
    const size_t shown = world->jointCount < most ? world->jointCount : most;
    const ksiJointView **order = ksiRoomMake(out->allocator, (world->jointCount + 1) * sizeof *order);
    if (!order) {
        out->isShort = true;
        return;
    }
    for (size_t i = 0; i < world->jointCount; i++)
        order[i] = &world->joint[i];
    qsort(order, world->jointCount, sizeof *order, compare);
    ksiTextAdd(out, "\n    %-*s %7s %8s %8s %8s %9s %9s\n", NAME_COLUMNS, "joint: error of the engine's force", "steps",
               "median", "95 %", "largest", "physical", "worst at");
    for (size_t i = 0; i < shown; i++)
        writeJoint(order[i], out);
    if (shown < world->jointCount)
        ksiTextAdd(out, "    and %zu more joints, none of them worse.\n", world->jointCount - shown);
    ksiTextAdd(out, "\n");
    for (size_t i = 0; i < shown && i < WORST_MOMENTS; i++)
        writeMoment(order[i], out);
    ksiFree(out->allocator, order);
    writeUndetermined(world, asked ? asked : SCREEN_OF_JOINTS / 2, out);
}

static void writeMassRatio(const ksiWorldView *world, ksiText *out)
{
    const ksiJointView *worst = ksiLargestMassRatio(world);
    if (worst)
        ksiTextAdd(out, "  Largest ratio of the masses of two bodies that a joint holds: %.3g (%s).\n",
                   worst->stats->massRatio, worst->name);
}

/* Lines that are broken between words; a byte counts as a column. */
static void writeSentence(const char *text, size_t length, ksiText *out)
{
    size_t column = 0;
    for (size_t begin = 0; begin < length;) {
        size_t end = begin;
        while (end < length && text[end] != ' ')
            end++;
        const bool isBroken = begin > 0 && column + 1 + (end - begin) > SCREEN_COLUMNS;
        ksiTextAdd(out, "%s%.*s", begin == 0 ? "  - " : isBroken ? "\n    " : " ", (int)(end - begin), text + begin);
        column = (begin == 0 || isBroken ? 4 : column + 1) + (end - begin);
        begin = end + 1;
    }
    ksiTextAdd(out, "\n");
}

static void writeWorld(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    const ksReportLimit *limit = view->limit;
    char above[KSI_PERCENT_SIZE];
    ksiTextAdd(out, "World \"%s\"\n", world->name);
    writeSteps(world->stats, out);
    ksiTextAdd(out, "  Reactions of joints: ");
    writeVerdicts(world->stats->verdict, out);
    if (world->jointCount > 0)
        ksiTextAdd(out,
                   "  %zu of %zu joints were judged; %zu fail (!): percentile %g of the error against the %s force "
                   "above %s.\n",
                   world->judgedCount, world->jointCount, world->failedCount, limit->percentile,
                   limit->value == KS_PHYSICAL ? "physical" : "converged", ksiPercent(above, limit->above));
    writeMassRatio(world, out);
    if (world->jointCount > 0)
        writeJoints(view, world, out);
    if (world->stats->tooMany > 0)
        ksiTextAdd(out, "  %llu reactions of joints above number %d of their type are left out.\n",
                   (unsigned long long)world->stats->tooMany, KSI_MOST_NUMBER);
    writeContacts(world->stats, out);
    writeIterations(world->stats, out);
    ksiTextAdd(out, "\n  What to do\n");
    ksiText advice = {.allocator = out->allocator};
    ksiWriteAdvice(view, world, &advice);
    out->isShort |= advice.isShort;
    const char *line = advice.at;
    for (size_t i = 0; i < advice.length; i++) {
        if (advice.at[i] != '\n')
            continue;
        writeSentence(line, (size_t)(advice.at + i - line), out);
        line = advice.at + i + 1;
    }
    ksiTextFree(&advice);
}

static void writeNote(const char *note, void *user)
{
    ksiTextAdd(user, "! %s\n", note);
}

/* What was run, and how it ended: first, and in lines of their own where something is wrong. */
static void writeRun(const ksiRun *run, ksiText *out)
{
    const bool isWhole = run->isOver && run->status == 0 && run->signal == 0 && run->notFinite.body == 0;
    ksiRunWriteCall(run, out);
    ksiTextAdd(out, "\n%s", isWhole ? "  " : "! ");
    ksiRunWriteEnd(run, out);
    ksiTextAdd(out, "%s\n", isWhole ? "" : ".");
    ksiRunEachNote(run, writeNote, out);
    ksiTextAdd(out, "  Begun %s; engine %s; Kinetostat %s.\n\n", run->begun, run->engine, PACKAGE_VERSION);
}

void ksiWriteText(const ksiView *view, ksiText *out)
{
    for (size_t i = 0; i < view->report->runCount; i++)
        writeRun(&view->report->run[i], out);
    for (size_t i = 0; i < view->worldCount; i++) {
        if (i > 0)
            ksiTextAdd(out, "\n");
        writeWorld(view, &view->world[i], out);
    }
    if (view->worldCount == 0)
        ksiTextAdd(out, "No world was stepped.\n");
}

/* print_world.c  A world in the text report: steps, joints, contacts. */
#include "print.h"

#include "../collect/measure.h"
#include "../findings/advice.h"
#include "causes_text.h"
#include "document.h"

#include <math.h>
#include <string.h>

enum { FEWEST_JOINTS = 5, FEW_MOMENTS = 1, MOST_MOMENTS = 3, FEW_UNDETERMINED = 4, FEW_PAIRS = 4 };

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
    static const char *const name[KSI_STEPPERS] = {"dWorldStep", "dWorldQuickStep", "ksInspectorExactStep",
                                                   "another engine"};
    const double largest = ksiQuantile(&stats->stepSize, 100);
    ksiTextAdd(out, "  %llu step%s, %llu inspected", (unsigned long long)stats->seen, stats->seen == 1 ? "" : "s",
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
    if (ksiIsForeign(stats)) {
        ksiTextAdd(out, ".\n  Its equations are unknown, so there is no converged value. Observed: the force that "
                        "explains the motion;\n  reported: the force that this engine returns, compared with it.\n");
        return;
    }
    const ksiUsedIterations *used = stats->used.at;
    for (size_t i = 0; i < stats->used.count && stats->stepper[KS_QUICK_STEP] > 0; i++)
        ksiTextAdd(out, "%s%d", i ? ", " : "; iterations ", used[i].iterations);
    ksiTextAdd(out, "; ERP %g, CFM %g.\n", stats->erp, stats->cfm);
}

void ksiPrintHead(const ksiWorldView *world, ksiText *out)
{
    const ksiJointView *heaviest = ksiLargestMassRatio(world, false);
    ksiTextAdd(out, "World \"%s\"\n", world->name);
    writeSteps(world->stats, out);
    if (world->jointCount == 0) {
        ksiTextAdd(out, "  No joints.\n");
        return;
    }
    ksiTextAdd(out, "  %zu of %zu joints were judged; %zu fail%s", world->judgedCount, world->jointCount,
               world->failedCount, world->failedCount ? " (!)" : "");
    if (world->untoldCount > 0)
        ksiTextAdd(out, ", %zu unknown (?)", world->untoldCount);
    ksiTextAdd(out, ". Verdicts, by joint and step: ");
    writeVerdicts(world->stats->verdict, out);
    if (heaviest && heaviest->stats->massRatio > 1)
        ksiTextAdd(out, "  Largest mass ratio across a joint: %.3g (%s).\n", heaviest->stats->massRatio,
                   heaviest->name);
    if (world->stats->tooMany > 0)
        ksiTextAdd(out, "  %llu reactions of joints above number %d of their type are left out.\n",
                   (unsigned long long)world->stats->tooMany, KSI_MOST_NUMBER);
}

/* --- Joints --- */

static const char *newtons(char text[16], double x)
{
    if (isnan(x))
        return "-";
    if (x > 0 && x < 0.001)
        return "<0.001";
    snprintf(text, 16, x < 10000 ? "%.4g" : x < 1e7 ? "%.0f" : "%.2e", x);
    return text;
}

/* The common title of the first three columns. */
static const char *headOf(int error, bool isForeign)
{
    static const char *const head[KSI_ERRORS][2] = {{"error against converged", "report against observed"},
                                                    {"error against physical", "observed against physical"}};
    return head[error][isForeign];
}

static void writeTableHead(const ksiView *view, bool isForeign, ksiText *out)
{
    const int error = ksiErrorOf(view->limit);
    char percentile[16];
    snprintf(percentile, sizeof percentile, "%g %%", view->limit->percentile);
    ksiTextAdd(out, "\n    %-*s | %-25s |%9s |%25s\n", KSI_NAME_COLUMNS, "", headOf(error, isForeign),
               error == KSI_SOLVER ? "physical"
               : isForeign         ? "reported"
                                   : "converged",
               "largest force, N");
    ksiTextAdd(out, "    %-*s |%8s %8s %8s |%9s |%8s %8s %7s\n", KSI_NAME_COLUMNS, "joint", percentile, "largest",
               "worst, s", percentile, isForeign ? "observed" : "engine", "physical", "mean");
}

static void writeJoint(const ksiView *view, const ksiJointView *joint, bool isForeign, ksiText *out)
{
    char a[KSI_PERCENT_SIZE], b[KSI_PERCENT_SIZE], c[KSI_PERCENT_SIZE], e[16], f[16], g[16], at[16] = "-";
    const ksiJointStats *stats = joint->stats;
    const ksiHistogram *force = stats->load[KSI_FORCE];
    const int error = ksiErrorOf(view->limit), other = error == KSI_SOLVER ? KSI_MODEL : KSI_SOLVER;
    if (stats->error[error].worst.isKnown)
        snprintf(at, sizeof at, "%.5g", stats->error[error].worst.time);
    ksiTextAdd(out, "  %c ", ksiMarkOf(joint->isFailed, joint->isUntold));
    ksiTextAddColumn(out, joint->name, KSI_NAME_COLUMNS);
    ksiTextAdd(out, " |%8s %8s %8s |%9s |%8s %8s %7s\n", ksiPercent(a, joint->known),
               ksiPercent(b, ksiQuantile(&stats->error[error].size, 100)), at,
               ksiPercent(c, ksiQuantile(&stats->error[other].size, view->limit->percentile)),
               newtons(e, ksiQuantile(&force[isForeign ? KSI_OF_MOTION : KSI_OF_ENGINE], 100)),
               newtons(f, ksiQuantile(&force[KSI_OF_MECHANISM], 100)),
               newtons(g, ksiQuantile(&force[KSI_OF_MEAN], 100)));
}

/* Writes the worst joints, and the joints that advice names. Returns the number of omitted ones. */
static size_t writeJoints(const ksiView *view, const ksiWorldView *world, size_t most, ksiText *out)
{
    bool *isNamed = ksiRoomMake(out->allocator, (world->jointCount + 1) * sizeof *isNamed);
    if (!isNamed) {
        out->isShort = true;
        return 0;
    }
    ksiMarkNamed(view, world, isNamed);
    size_t named = 0, left = 0;
    for (size_t i = 0; i < world->jointCount; i++)
        named += isNamed[i];
    const bool isForeign = ksiIsForeign(world->stats);
    writeTableHead(view, isForeign, out);
    for (size_t i = 0, written = 0; i < world->jointCount; i++) {
        const ksiJointView *joint = world->worstFirst[i];
        const bool isOne = isNamed[joint - world->joint];
        named -= isOne;
        if (!isOne && written + named >= most) {
            left++;
            continue;
        }
        writeJoint(view, joint, isForeign, out);
        written++;
    }
    ksiFree(out->allocator, isNamed);
    if (left > 0)
        ksiTextAdd(out, "    and %zu more, none of them worse.\n", left);
    return left;
}

/* --- Below the joints --- */

static void writeMoment(const ksiView *view, const ksiJointView *joint, bool isForeign, ksiText *out)
{
    const char *const name[KSI_VALUES] = {isForeign ? "reported" : "engine", isForeign ? NULL : "converged",
                                          "physical"};
    const int error = ksiErrorOf(view->limit);
    const ksiMoment *worst = &joint->stats->error[error].worst;
    char a[KSI_PERCENT_SIZE], b[KSI_PERCENT_SIZE];
    if (!worst->isKnown)
        return;
    ksiTextAdd(out, "  %s, step %llu at %g s: off by %s", joint->name, (unsigned long long)worst->step, worst->time,
               ksiPercent(a, worst->value));
    if (isfinite(worst->bar))
        ksiTextAdd(out, "%s%s", error == KSI_MODEL ? " beyond its bar of " : " +- ", ksiPercent(b, worst->bar));
    ksiTextAdd(out, "\n   ");
    for (int i = 0; i < KSI_VALUES; i++) {
        if (!name[i])
            continue;
        const double force = ksiLength(worst->wrench[i]), about = ksiLength(worst->wrench[i] + 3);
        const double torque = about < ksiRoundedLever * force ? 0 : about;
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
        const ksiJointStats *stats = world->worstFirst[i]->stats;
        if (stats->undetermined.mostDirections <= 0)
            continue;
        if (count++ == 0)
            ksiTextAdd(out, "\n  Components that mechanics does not determine (axes of the joint frame):\n");
        if (written == most)
            continue;
        written++;
        ksiTextAdd(out, "    ");
        ksiTextAddColumn(out, world->worstFirst[i]->name, KSI_NAME_COLUMNS);
        ksiTextAdd(out, " ");
        writeComponents(stats->undetermined.steps, out);
        ksiTextAdd(out, "\n");
    }
    if (count > written)
        ksiTextAdd(out, "    and %zu more joint%s.\n", count - written, count - written > 1 ? "s" : "");
}

static void writeTouched(const ksiWorldView *world, ksiText *out)
{
    ksiText shares = {.allocator = out->allocator};
    ksiWriteContactShares(world, &shares);
    if (shares.at)
        ksiTextAdd(out, "  In contact: %s.\n", shares.at);
    ksiTextDrop(out, &shares);
}

static void writeContacts(const ksiWorldView *world, ksiText *out)
{
    const ksiWorldStats *stats = world->stats;
    char a[KSI_PERCENT_SIZE], b[KSI_PERCENT_SIZE], c[KSI_PERCENT_SIZE];
    const ksiContactStats *contacts = &stats->contacts;
    if (contacts->count > 0) {
        ksiTextAdd(out, "\n  Contacts: %llu in %llu step%s. Verdicts: ", (unsigned long long)contacts->count,
                   (unsigned long long)contacts->steps, contacts->steps == 1 ? "" : "s");
        writeVerdicts(contacts->verdict, out);
        writeTouched(world, out);
    }
    const ksiErrorStats *net = &stats->net;
    if (net->size.total == 0)
        return;
    ksiTextAdd(out, "  Net force on bodies, from its mean: median %s, 95 %% %s, largest %s (body %d, step %llu).\n",
               ksiPercent(a, ksiQuantile(&net->size, 50)), ksiPercent(b, ksiQuantile(&net->size, KSI_PERCENTILE)),
               ksiPercent(c, ksiQuantile(&net->size, 100)), net->worst.body[0], (unsigned long long)net->worst.step);
}

static void writePairHead(ksiText *out)
{
    ksiTextAdd(out, "\n  Pairs in contact, on the first body:\n    %-*s | %-17s | %-17s |%9s |%9s |%9s\n",
               KSI_NAME_COLUMNS, "", "mean force, N", "physical force, N", "noise, N", "friction", "centre, m");
    ksiTextAdd(out, "    %-*s |%8s %8s  |%8s %8s  |%9s |%9s |%9s\n", KSI_NAME_COLUMNS, "pair", "median", "largest",
               "median", "largest", "median", "largest", "largest");
}

static const char *quantile(char text[16], const ksiHistogram *of, double percent)
{
    return newtons(text, ksiQuantile(of, percent));
}

/* Writes friction as a share of the largest possible friction. Writes the distance of the centre of
 * pressure from the mass centre, across the normal. */
static void writePairs(const ksiWorldView *world, size_t most, ksiText *out)
{
    const ksiPairs *pairs = &world->stats->pairs;
    char name[KSI_LONGEST_NAME], other[24], text[6][16], friction[KSI_PERCENT_SIZE];
    if (pairs->count > 0)
        writePairHead(out);
    for (size_t i = 0; i < pairs->count && i < most; i++) {
        const ksiPairStats *pair = &pairs->at[i];
        const ksiHistogram *mean = &pair->force[0], *physical = &pair->force[1];
        snprintf(other, sizeof other, pair->body[1] ? "body %d" : "world", pair->body[1]);
        snprintf(name, sizeof name, "body %d – %s", pair->body[0], other);
        ksiTextAdd(out, "    ");
        ksiTextAddColumn(out, name, KSI_NAME_COLUMNS);
        ksiTextAdd(out, " |%8s %8s  |%8s %8s  |%9s |%9s |%9s\n", quantile(text[0], mean, 50),
                   quantile(text[1], mean, 100), quantile(text[2], physical, 50), quantile(text[3], physical, 100),
                   quantile(text[4], &pair->force[2], 50), ksiPercent(friction, ksiQuantile(&pair->size[0], 100)),
                   quantile(text[5], &pair->size[1], 100));
        uint64_t asked = 0;
        for (int v = 0; v < KSI_VERDICTS; v++)
            asked += pair->verdict[v];
        if (asked > 0) {
            ksiTextAdd(out, "      physical force, by step: ");
            writeVerdicts(pair->verdict, out);
        }
    }
    if (pairs->count > most)
        ksiTextAdd(out, "    and %zu more.\n", pairs->count - most);
}

static const ksiHistogram *trialsOf(const ksiAdvice *advice, int how)
{
    return how == KSI_ALONE ? &advice->worst : &advice->inARow;
}

/* Writes a line for each kind of trial, and a column for each number of iterations. */
static void writeIterations(const ksiWorldStats *stats, ksiText *out)
{
    static const char *const name[KSI_TRIALS] = {"single steps", "consecutive steps"};
    const ksiAdvice *advice = stats->advice.at;
    char error[KSI_PERCENT_SIZE];
    if (stats->advice.count == 0 || advice->worst.total == 0)
        return;
    ksiTextAdd(out, "\n  Copies of the world, stepped again: the worst joint's error in 95 %% of the steps\n    %-20s",
               "by iterations");
    for (size_t i = 0; i < stats->advice.count; i++)
        ksiTextAdd(out, " %9d", advice[i].iterations);
    bool isAny[KSI_TRIALS] = {true, false};
    for (size_t i = 0; i < stats->advice.count; i++)
        isAny[KSI_IN_A_ROW] |= advice[i].inARow.total > 0;
    for (int how = 0; how < KSI_TRIALS; how++) {
        if (!isAny[how])
            continue;
        ksiTextAdd(out, "\n    %-20s", name[how]);
        for (size_t i = 0; i < stats->advice.count; i++)
            ksiTextAdd(out, " %9s", ksiPercent(error, ksiQuantile(trialsOf(&advice[i], how), KSI_PERCENTILE)));
    }
    ksiTextAdd(out, "\n");
}

/* Adds a paragraph if it fits. Returns true if it did. */
static bool addIfItFits(const ksiText *part, size_t *lines, ksiText *out)
{
    size_t count = 0;
    for (size_t i = 0; i < part->length; i++)
        count += part->at[i] == '\n';
    if (count > *lines)
        return false;
    *lines -= *lines == SIZE_MAX ? 0 : count;
    if (part->at)
        ksiTextAdd(out, "%s", part->at);
    out->isShort |= part->isShort;
    return true;
}

enum { MOMENTS, LOADS, CONTACTS, PAIRS, ENERGY, ITERATIONS, UNDETERMINED, GAPS, PARTS };

/* On a screen, writes only significant errors. */
static void writeMoments(const ksiView *view, const ksiWorldView *world, bool isAll, ksiText *out)
{
    const size_t most = isAll ? MOST_MOMENTS : FEW_MOMENTS;
    for (size_t i = 0; i < most && i < world->jointCount; i++) {
        const ksiMoment *worst = &world->worstFirst[i]->stats->error[ksiErrorOf(view->limit)].worst;
        if (!worst->isKnown || (!isAll && worst->value <= view->limit->above))
            continue;
        ksiTextAdd(out, "%s", i == 0 ? "\n" : "");
        writeMoment(view, world->worstFirst[i], ksiIsForeign(world->stats), out);
    }
}

static void writeLargest(const ksiReach *reach, const char *unit, ksiText *out)
{
    if (reach->isKnown)
        ksiTextAdd(out, " | %8.4g %-3s +- %7.1e %8.5g", reach->value, unit, reach->bar, reach->time);
    else
        ksiTextAdd(out, " | %*s", 29, "-");
}

/* Writes the known loads in a step and in the mean over a window: value, bar and time. */
static void writeLoads(const ksiWorldView *world, ksiText *out)
{
    for (int i = 0; i < KSI_SIZES; i++) {
        ksiTextAdd(out, "\n    %-*s | %-29s | mean over %g s, at s\n", KSI_NAME_COLUMNS, ksiQuantities[i].name,
                   "physical, of a step, at s", world->stats->meanWindow);
        for (size_t k = 0; k < world->jointCount; k++) {
            const ksiJointView *joint = world->worstFirst[k];
            ksiTextAdd(out, "    ");
            ksiTextAddColumn(out, joint->name, KSI_NAME_COLUMNS);
            for (int span = 0; span < KSI_SPANS; span++)
                writeLargest(&joint->stats->borne[span][i].largest, ksiQuantities[i].unit, out);
            ksiTextAdd(out, "\n");
        }
    }
}

static void writePart(const ksiView *view, const ksiWorldView *world, int part, bool isAll, ksiText *out)
{
    if (part == MOMENTS)
        writeMoments(view, world, isAll, out);
    if (part == LOADS && isAll && world->jointCount > 0)
        writeLoads(world, out);
    if (part == CONTACTS)
        writeContacts(world, out);
    if (part == PAIRS)
        writePairs(world, isAll ? SIZE_MAX : FEW_PAIRS, out);
    if (part == ENERGY)
        ksiWriteEnergy(world->stats, out);
    if (part == ITERATIONS)
        writeIterations(world->stats, out);
    if (part == UNDETERMINED)
        writeUndetermined(world, isAll ? SIZE_MAX : FEW_UNDETERMINED, out);
    if (part == GAPS && isAll)
        ksiWriteGaps(world, out);
}

bool ksiPrintWorld(const ksiView *view, const ksiWorldView *world, size_t lines, ksiText *out)
{
    const size_t asked = view->report->options.textJoints;
    const bool isAll = lines == SIZE_MAX;
    bool isLeftOut = false;
    ksiText below = {.allocator = out->allocator};
    // `kept` lines are for the first joints, the others for the parts; more joints get the lines
    // that the parts leave
    const size_t kept = world->jointCount > 0 ? FEWEST_JOINTS + 4 : 0;
    size_t room = isAll ? SIZE_MAX : lines > kept ? lines - kept : 0;
    for (int part = 0; part < PARTS; part++) {
        ksiText text = {.allocator = out->allocator};
        writePart(view, world, part, isAll, &text);
        isLeftOut |= !addIfItFits(&text, &room, &below);
        ksiTextFree(&text);
    }
    const size_t most = asked ? asked : isAll ? SIZE_MAX : room + FEWEST_JOINTS;
    if (world->jointCount > 0)
        isLeftOut |= writeJoints(view, world, most, out) > 0;
    if (below.at)
        ksiTextAdd(out, "%s", below.at);
    ksiTextDrop(out, &below);
    return isLeftOut;
}

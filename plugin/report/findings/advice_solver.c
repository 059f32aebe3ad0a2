/* advice_solver.c  Advice on unsolved steps: more iterations, or another stepper. */
#include "advice_inside.h"

#include "../collect/contact_shares.h"
#include "../document/document.h"

#include <math.h>
#include <signal.h>

/* The least CFM with which dWorldStep can factor redundant rows: the engine's default in double
 * precision */
static const double leastCfm = 1e-10;

/* Names another stepper that the report has not tried. Without CFM dWorldStep may abort on
 * dependent rows. */
void ksiWriteOtherStep(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    static const ksiFindingKind redundant = {KSI_FINDS_REDUNDANT, 0};
    bool isSingular = false;
    for (size_t i = 0; i < world->jointCount && world->stats->cfm < leastCfm; i++)
        isSingular |= ksiIsFound(view, world, &redundant, &world->joint[i]);
    if (isSingular) {
        ksiTextAdd(
            out,
            "step by ksInspectorExactStep, or by dWorldStep with CFM %g (dWorldSetCFM): with CFM %g it may abort, "
            "since these joints are redundant: ",
            leastCfm, world->stats->cfm);
        ksiWriteNames(view, world, &redundant, ksiIsFound, out);
    } else {
        ksiTextAdd(out, "%s",
                   view->report->isOfCommand ? "call dWorldStep instead" : "use ksInspectorExactStep or dWorldStep");
    }
    ksiTextAdd(out, " (untested).");
}

void ksiWriteSingular(const ksiView *view, size_t run, ksiText *out)
{
    const ksiRun *of = &view->report->run[run];
    bool isRigid = false;
    for (size_t i = 0; i < view->report->worldCount; i++)
        isRigid = isRigid || ((view->report->runCount < 2 || view->report->world[i]->run == run) &&
                              view->report->world[i]->cfm == 0);
    if (isRigid && of->isInStep && of->signal == SIGABRT)
        ksiTextAdd(out,
                   "CFM is 0. Then redundant joints leave the engine's equations without a solution, "
                   "and it ends the program: set a CFM of %g (dWorldSetCFM).\n",
                   leastCfm);
}

static bool isAnythingTried(const ksiWorldStats *stats)
{
    const ksiAdvice *advice = stats->advice.at;
    bool isAny = false;
    for (size_t i = 0; i < stats->advice.count; i++)
        isAny = isAny || advice[i].worst.total > 0;
    return isAny;
}

static const ksiAdvice *adviceFor(const ksiWorldStats *stats, int iterations)
{
    const ksiAdvice *advice = stats->advice.at;
    for (size_t i = 0; i < stats->advice.count; i++) {
        if (advice[i].iterations == iterations)
            return &advice[i];
    }
    return NULL;
}

static void writeRefuted(const ksiEnough *enough, ksiText *out)
{
    if (enough->alone && enough->alone != enough->enough)
        ksiTextAdd(out, " In single steps %d suffice, but not over consecutive steps.", enough->alone);
    ksiTextAdd(out, "\n");
}

/* Writes a number of iterations and its evidence. */
static void writeEnough(const ksiView *view, const ksiWorldStats *stats, const ksiEnough *enough, ksiText *out)
{
    const ksiAdvice *advice = adviceFor(stats, enough->enough);
    const unsigned long long alone = advice->steps, inARow = advice->inARow.total;
    ksiTextAdd(out, "%s %d iterations instead of %d (dWorldSetQuickStepNumIterations): ",
               enough->isChecked ? "Give dWorldQuickStep" : "Try dWorldQuickStep with", enough->enough,
               ksiMostIterations(stats));
    ksiTextAdd(out, "then it solves its own equations to ");
    ksiWriteShare(view->limit->above, out);
    if (enough->isChecked)
        ksiTextAdd(out,
                   " for these joints. This was found by repeating %llu steps in copies of the world, and confirmed in "
                   "%llu others, each after several such steps.",
                   alone, inARow);
    else
        ksiTextAdd(out,
                   " in %llu steps that were repeated in copies of the world. To confirm this over consecutive steps, "
                   "run again with that many%s.",
                   alone, view->report->isOfCommand ? " (--every 1, --advise-every 20)" : "");
    writeRefuted(enough, out);
}

/* Writes nothing if the joints fail for a reason other than unsolved equations: another finding
 * covers that reason. */
uint64_t ksiWriteError(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    enum { ENOUGH = 1, NONE, UNTRIED };
    (void)finding;
    const ksiWorldStats *stats = world->stats;
    if (stats->stepper[KS_QUICK_STEP] == 0 || !ksiIsUnsolved(view, world))
        return 0;
    const ksiEnough enough = ksiEnoughIterations(view, world);
    if (enough.enough > ksiMostIterations(stats)) {
        writeEnough(view, stats, &enough, out);
        return ENOUGH;
    }
    if (isAnythingTried(stats)) {
        ksiTextAdd(out, "No iteration count up to %d solves the equations of all failing joints: ",
                   ((const ksiAdvice *)stats->advice.at)[stats->advice.count - 1].iterations);
        ksiWriteOtherStep(view, world, out);
        writeRefuted(&enough, out);
        return NONE;
    }
    ksiTextAdd(out,
               "Give dWorldQuickStep more iterations than %d (dWorldSetQuickStepNumIterations): %s finds how many. Or ",
               ksiMostIterations(stats),
               view->report->isOfCommand ? "a longer run, or --advise-every," : "ksReportOptions::adviseEvery");
    ksiWriteOtherStep(view, world, out);
    ksiTextAdd(out, "\n");
    return UNTRIED;
}

uint64_t ksiWriteUntried(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    enum { EXACT = 1, FOREIGN };
    if (!ksiIsTold(view, world, finding, NULL))
        return 0;
    if (!ksiIsForeign(world->stats)) {
        ksiTextAdd(out, "Steps of ksInspectorExactStep have no iteration count to vary.\n");
        return EXACT;
    }
    ksiTextAdd(out,
               "There is no advice on iterations for another engine, whose equations are unknown. With %s a joint is "
               "judged by the force that explains its motion, compared with the force of the mechanism.\n",
               view->report->isOfCommand ? "--value physical" : "ksReportLimit::value, KS_PHYSICAL,");
    return FOREIGN;
}

uint64_t ksiWriteMasses(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    const ksiJointView *most = ksiMostUnlike(world);
    if (!most || !ksiIsTold(view, world, finding, most))
        return 0;
    ksiTextAdd(out,
               "The mass ratio across %s is 1 : %.3g, where dWorldQuickStep converges slowly: use more similar masses "
               "(untested).\n",
               most->name, most->stats->massRatio);
    return 1;
}

/* The smallest tried number of iterations that keeps the net errors of bodies in contact within the
 * limit; 0: none. */
static int enoughForContacts(const ksiView *view, const ksiWorldStats *stats)
{
    const int used = ksiMostIterations(stats);
    for (size_t i = 0; i < stats->advice.count; i++) {
        const ksiAdvice *advice = (const ksiAdvice *)stats->advice.at + i;
        if (advice->iterations > used && advice->net.total > 0 &&
            ksiQuantile(&advice->net, view->limit->percentile) <= view->limit->above)
            return advice->iterations;
    }
    return 0;
}

/* Writes how far the motion departs from the mechanism with the given contacts, if the departure is
 * within the limit. A larger departure has its own finding. */
static void writeGivenContacts(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    char share[KSI_PERCENT_SIZE];
    double most = 0;
    for (size_t i = 0; i < world->jointCount; i++)
        most = fmax(most, ksiDepartureOf(view, world, &world->joint[i]));
    if (most > 0 && most <= view->limit->above)
        ksiTextAdd(
            out,
            " Given these contacts, the motion departs from the mechanism by up to %s of a joint's mean load over "
            "%g s.",
            ksiPercent(share, most), world->stats->meanWindow);
}

/* Writes the remedy for contact forces that are wrong more often than the limit allows. */
static uint64_t writeRemedyOfContacts(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    enum { MORE = 3, ENOUGH, HOPS };
    const int enough = enoughForContacts(view, world->stats);
    if (enough) {
        ksiTextAdd(out,
                   " In copies of the world, %d iterations of dWorldQuickStep solve the contacts of a step to within ",
                   enough);
        ksiWriteShare(view->limit->above, out);
        ksiTextAdd(out, ".");
    } else {
        ksiTextAdd(out, " Give dWorldQuickStep more iterations, or ");
        ksiWriteOtherStep(view, world, out);
    }
    const uint64_t form = enough ? ENOUGH : MORE;
    const bool hops = ksiWriteHops(world, out);
    if (hops)
        writeGivenContacts(view, world, out);
    ksiTextAdd(out, "\n");
    return hops ? HOPS + form : form;
}

bool ksiContactsNeedRemedy(const ksiView *view, const ksiWorldView *world)
{
    const ksiHistogram *net = &world->stats->net.size;
    return net->total > 0 && ksiQuantile(net, view->limit->percentile) > view->limit->above;
}

uint64_t ksiWriteContacts(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    enum { UNKNOWN = 1, SELDOM };
    const ksiWorldStats *stats = world->stats;
    const ksiContactStats *contacts = &stats->contacts;
    const ksiErrorStats *net = &stats->net;
    const double most = ksiQuantile(&net->size, view->limit->percentile);
    char often[KSI_PERCENT_SIZE], largest[KSI_PERCENT_SIZE];
    if (!ksiIsTold(view, world, finding, NULL))
        return 0;
    if (net->size.total == 0) {
        ksiTextAdd(
            out,
            "The error of contact forces is unknown: set ksInspectorOptions::estimateSweeps, for instance to 40.\n");
        return UNKNOWN;
    }
    ksiPercent(often, most);
    ksiPercent(largest, net->size.largest);
    ksiTextAdd(out, "Contacts (%llu in %llu of %llu steps): the net force on a body in contact ",
               (unsigned long long)contacts->count, (unsigned long long)contacts->steps,
               (unsigned long long)stats->inspected);
    if (ksiContactsNeedRemedy(view, world)) {
        ksiTextAdd(out, "is off its mean by %s or more in %g %% of such steps, by %s at most.", often,
                   100 - view->limit->percentile, largest);
        return writeRemedyOfContacts(view, world, out);
    }
    ksiTextAdd(out, "is off its mean by up to %s (step %llu), but by %s or less in %g %% of such steps.\n", largest,
               (unsigned long long)net->worst.step, often, view->limit->percentile);
    return SELDOM;
}

uint64_t ksiWriteFlicker(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    if (!ksiIsTold(view, world, finding, NULL))
        return 0;
    ksiTextAdd(out, "Contacts flicker: ");
    ksiWriteFlickers(world, out);
    ksiTextAdd(out,
               ". Points disappear for one to three steps, and the force of the next step makes up for these. Set a "
               "surface layer "
               "of 1 mm (dWorldSetContactSurfaceLayer) (untested).\n");
    return 1;
}

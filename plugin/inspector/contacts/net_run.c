/* net_run.c  Finds the distance of a body's net contact force in a step from its mean.
 *
 * By momentum, the mean of the engine's force is exact, even if the solver has not converged. A
 * load may change. So a straight line is fitted to the last steps by least squares, with weights
 * that fade within a window. The end of this line is the mean. */
#include "net_run.h"

#include "../../base/sorted.h"
#include "../../engine/vector.h"
#include "../phases.h"
#include "../publish/published.h"
#include "../publish/wrench_norm.h"

#include <math.h>
#include <string.h>

/* Share of a window in which weights fade by the factor e. The line follows a load that swings once
 * a second to within a tenth of its change. */
static const double fading = 1.0 / 3;
/* Least spread of times about their mean, relative to their spread about this step. The ratio is a
 * third or more unless one step is far longer than the others. */
static const double narrow = 1e-4;
/* FEWEST: a line is known after this many steps. GONE: a touch has ended after this many steps
 * without contact. */
enum { FEWEST = 8, GONE = 4 };

static void dropEnded(const ksiStep *step, ksiNetRuns *runs)
{
    size_t kept = 0;
    for (size_t i = 0; i < runs->count; i++) {
        const int body = ksiPointersFind(&step->input->bodyIndex, runs->at[i].body);
        if (body < 0 || step->body[body].isPut || runs->at[i].touched + GONE <= step->number)
            continue;
        runs->at[kept] = runs->at[i];
        memset(runs->at[kept++].now, 0, sizeof runs->at->now);
    }
    runs->count = kept;
}

static ksStatus addForce(const ksiStep *step, dBodyID body, const double force[3], ksiNetRuns *runs)
{
    ksiNetRun *run = ksiFindOrInsert(&step->allocator, &body, sizeof body, ksiByAddress, &runs->at, &runs->capacity,
                                     &runs->count, sizeof *runs->at);
    if (!run)
        return KS_ERROR_NO_MEMORY;
    run->touched = step->number;
    for (int k = 0; k < 3; k++)
        run->now[k] += force[k];
    return KS_OK;
}

/* A contact whose report is not finite makes the force of its bodies NaN. */
static ksStatus addContacts(const ksiStep *step, ksiNetRuns *runs)
{
    for (size_t i = 0; i < step->jointCount; i++) {
        const ksiJointInput *joint = &step->joint[i];
        ksWrench on[2] = {{.force = {NAN, NAN, NAN}}, {.force = {NAN, NAN, NAN}}};
        if (!joint->isLoad || !step->report[i].isWritten)
            continue;
        if (step->report[i].isFinite)
            ksiReactionWrenches(joint, step->report[i].multiplier, on);
        KSI_EACH_BODY (joint->bodyIndex, side, body)
            if (step->body[body].dynamic)
                KSI_TRY(addForce(step, joint->body[side], on[side].force, runs));
    }
    return KS_OK;
}

static void count(unsigned *steps)
{
    *steps += *steps < FEWEST;
}

/* Adds a step: t = 0 moves to this step. */
static void addStep(double h, double part, bool touches, const double force[3], ksiNetLine *line)
{
    if (line->steps == 0 && !touches)
        return;
    const double s[3] = {line->weight[0], line->weight[1], line->weight[2]};
    line->weight[0] = (float)(part * s[0] + h);
    line->weight[1] = (float)(part * (s[1] - h * s[0]));
    line->weight[2] = (float)(part * (s[2] - 2 * h * s[1] + h * h * s[0]));
    for (int k = 0; k < 3; k++) {
        const double sum = line->force[k];
        line->force[k] = (float)(part * sum + h * force[k]);
        line->rising[k] = (float)(part * (line->rising[k] - h * sum));
    }
    count(&line->steps);
}

/* Called after a step that has ended a window: the newer sums become the older ones. */
static void turn(ksiNetRuns *runs)
{
    runs->older = runs->newer;
    runs->newer = 0;
    for (size_t i = 0; i < runs->count; i++) {
        runs->at[i].older = runs->at[i].newer;
        runs->at[i].newer = (ksiNetLine){.steps = 0};
    }
}

static void takeUp(const ksiStep *step, ksiNetRuns *runs)
{
    if (runs->last + 1 != step->number)
        runs->count = runs->older = runs->newer = 0;
    else if (runs->isEnd)
        turn(runs);
    count(&runs->older);
    count(&runs->newer);
    dropEnded(step, runs);
}

ksStatus ksiTakeNetRuns(const ksiStep *step, const ksiMeanClock *clock, ksiNetRuns *runs)
{
    const double h = step->h, part = exp(-h / (fading * clock->window));
    takeUp(step, runs);
    // a window has at least as many steps as a line needs
    runs->isKnown = runs->older == FEWEST && (FEWEST - 1) * h < clock->window;
    runs->isEnd = clock->elapsed == 0;
    KSI_TRY(addContacts(step, runs));
    for (size_t i = 0; i < runs->count; i++) {
        ksiNetRun *run = &runs->at[i];
        const bool touches = run->touched == step->number;
        run->hasMean = false;
        if (!ksiAllFinite(run->now, 3)) {
            // the lines begin with the next step
            run->older = run->newer = (ksiNetLine){.steps = 0};
            continue;
        }
        addStep(h, part, touches, run->now, &run->older);
        addStep(h, part, touches, run->now, &run->newer);
    }
    runs->last = step->number;
    return KS_OK;
}

static double sizeOn(const ksiBodyInput *body, const double force[3])
{
    double scaled[6];
    ksiScaleWrench(body, (const double[6]){force[0], force[1], force[2]}, scaled);
    return ksiSize(scaled, 3);
}

static void judge(const ksiStep *step, ksiNetRun *run, ksiBodyEstimate *out)
{
    const int at = ksiPointersFind(&step->input->bodyIndex, run->body);
    const ksiBodyInput *body = &step->body[at];
    const float *s = run->older.weight;
    const double spread = (double)s[0] * s[2] - (double)s[1] * s[1];
    double *mean = run->mean, apart[3];
    if (!(spread > narrow * s[0] * s[2]))
        return;
    for (int k = 0; k < 3; k++) {
        mean[k] = ((double)s[2] * run->older.force[k] - (double)s[1] * run->older.rising[k]) / spread;
        apart[k] = run->now[k] - mean[k];
    }
    run->hasMean = ksiAllFinite(mean, 3);
    if (!run->hasMean)
        return;
    const double load = ksiLarger(sizeOn(body, run->now), sizeOn(body, mean)), error = sizeOn(body, apart);
    const double least = step->options.loadFloor * step->motion[at].applied;
    out[at] =
        (ksiBodyEstimate){.isKnown = true, .error = error, .relative = error == 0 ? 0 : error / ksiLarger(load, least)};
}

void ksiJudgeNetRuns(const ksiStep *step, ksiNetRuns *runs, ksiBodyEstimate *out)
{
    for (size_t i = 0; i < runs->count && runs->isKnown; i++)
        if (runs->at[i].older.steps == FEWEST)
            judge(step, &runs->at[i], out);
}

const double *ksiNetMeanOf(const ksiStep *step, const ksiNetRuns *runs, dBodyID body)
{
    const size_t at = ksiPlaceOf(&body, ksiByAddress, runs->at, runs->count, sizeof *runs->at);
    const bool is = at < runs->count && runs->at[at].body == body && runs->at[at].hasMean;
    return is && runs->last == step->number && runs->at[at].touched == step->number ? runs->at[at].mean : NULL;
}

/* exact.c  Solves the equations of a step before the engine makes the step:
 *
 *     M (v* - v)/h = f + J^T lambda,     J v* + cfm lambda = c,     lo <= lambda <= hi
 *
 * The engine then moves the bodies by the forces f + J^T lambda, which replace the joints. An
 * island that cannot be solved keeps its rows: there the engine's own QuickStep finds lambda. */
#include "exact.h"

#include "../phases.h"
#include "../publish/wrench_norm.h"
#include "../read/body_motion.h"

#include "../../base/fpguard.h"

#include <string.h>

/* --- The expected motion, for phases that otherwise read the engine's motion --- */

static void expectBody(const ksiBodyInput *body, ksiBodyMotion *motion)
{
    bool atRest = true;
    double scaled[6];
    const bool enabled = ksiReadState(body->begin.id, motion->end.centre, motion->end.rotation, motion->end.velocity);
    for (int k = 0; k < 6; k++)
        atRest &= motion->end.velocity[k] == 0;
    const bool isReset = atRest && memcmp(motion->end.velocity, body->begin.velocity, sizeof body->begin.velocity);
    motion->reasons = isReset ? KS_REASON_RESET : 0;
    motion->moved = enabled && body->awake && body->dynamic;
    ksiScaleWrench(body, body->begin.force, scaled);
    motion->applied = ksiSize(scaled, 6);
}

/* Bodies without joints may have been stepped by now, and their moved callbacks may have destroyed
 * other bodies. */
static void expectMotion(const ksiStep *step, ksiMotion *out)
{
    size_t expected = 0;
    out->anyReset = false;
    for (size_t i = 0; i < step->bodyCount; i++) {
        out->body[i].reasons = 0;
        out->body[i].moved = false;
        out->body[i].applied = 0;
    }
    for (dBodyID b = ksiFirstBody(&step->engine); b; b = ksiNextBody(b)) {
        const int index = ksiBodyAt(step->input, b, expected);
        if (index < 0)
            continue;
        expected = (size_t)index + 1;
        expectBody(&step->body[index], &out->body[index]);
        out->anyReset |= out->body[index].reasons != 0;
    }
}

/* Targets of stops and gears depend on velocities: reads the rows of joints with a stopped body
 * again. */
static void readAgain(const ksiStep *step, ksiInput *input)
{
    for (size_t i = 0; i < step->jointCount; i++) {
        ksiRows rows;
        ksiJointInput *joint = &input->joint[i];
        if (!step->report[i].isWritten || !ksiWasReset(step, (int)i))
            continue;
        if (!ksiReadRowsNow(&step->engine, joint->id, step->h, &rows) && rows.count == joint->rows.count) {
            joint->rows = rows;
            continue;
        }
        KSI_EACH_BODY (joint->bodyIndex, side, at)
            input->body[at].reasons |= KS_REASON_UNREADABLE;
    }
}

static void expect(ksInspector *inspector)
{
    const ksiStep *step = &inspector->step;
    expectMotion(step, &inspector->motion);
    inspector->step.anyReset = inspector->motion.anyReset;
    ksiExpectReport(step, &inspector->report);
    if (step->anyReset) {
        readAgain(step, &inspector->input);
        ksiReviseInput(step, &inspector->input);
    }
    ksiGuess(step, &inspector->exact, &inspector->report);
    ksiFindIslands(step, inspector->parent, &inspector->islands);
}

/* --- Solution --- */

/* Adds the joint's reaction to the forces on its bodies, and writes the feedback as the engine
 * does: without the motors of axes at their stops. */
static void apply(const ksiStep *step, size_t index, dJointFeedback *feedback)
{
    const ksiJointInput *joint = &step->joint[index];
    const double *multiplier = step->report[index].multiplier;
    for (int side = 0; side < 2 && joint->body[side]; side++) {
        double wrench[6] = {0}, reported[6];
        for (int l = 0; l < joint->rows.count; l++)
            ksiAddSix(wrench, multiplier[l], joint->rows.row[l].jacobian[side]);
        ksiAddWrench(joint->body[side], wrench);
        memcpy(reported, wrench, sizeof reported);
        ksiAddStoppedMotors(&joint->rows, side, -1, reported, reported + 3);
        ksiPutFeedback(reported, reported + 3, side, feedback);
    }
}

static void applyIsland(const ksiStep *step, int index, ksiInput *input, ksiExact *out)
{
    const ksiIsland *island = &step->island[index];
    KSI_EACH_JOINT (step, island, k, joint) {
        out->isTaken[joint] = true;
        apply(step, (size_t)joint, &input->feedback[joint].own);
    }
}

/* Returns why the island was not solved; 0: it was solved. */
static ksReasons solveIsland(ksInspector *inspector, int index)
{
    const ksiStep *step = &inspector->step;
    if (step->island[index].obstacles)
        return step->island[index].obstacles;
    const ksStatus status = ksiSolveExactly(step, ksiSolverOf(inspector, index), index, &inspector->estimates,
                                            inspector->converged.places, &inspector->report, &inspector->exact);
    return status ? ksiReasonOf(step, index, status) : 0;
}

static void solve(ksInspector *inspector)
{
    const ksiStep *step = &inspector->step;
    ksiExact *out = &inspector->exact;
    expect(inspector);
    ksiClearConverged(step, &inspector->converged);
    inspector->estimates.groups.isKnown = false;
    const ksStatus status = ksiDivideIslands(inspector);
    for (int i = 0; i < (int)step->islands->count; i++) {
        const ksReasons why = status ? KS_REASON_MEMORY : solveIsland(inspector, i);
        out->fallback |= why;
        out->fallbackRows += why ? (size_t)step->island[i].rowCount : 0;
        if (!why)
            applyIsland(step, i, &inspector->input, out);
    }
    inspector->estimates.groups.isKnown = false;
    // if this fails, the next step starts from zero
    out->isRemembered = !ksiRememberExact(step, out);
}

static int takesOver(void *user, dJointID id)
{
    ksInspector *inspector = user;
    ksiExact *exact = &inspector->exact;
    if (!inspector->input.isKnown)
        return 0;
    if (!exact->isSolved) {
        exact->isSolved = true;
        KSI_GUARD_FP({
            ksiClockStart(&inspector->clock);
            solve(inspector);
            ksiClockLap(&inspector->clock, &inspector->published.report.seconds[KS_PHASE_GAUSS]);
        });
    }
    const int index = ksiJointAt(&inspector->input, id, exact->next);
    exact->next = (size_t)index + 1;
    return index >= 0 && exact->isTaken[index];
}

/* Makes all contacts known loads for the inspection, unless KS_CONTACTS_SOLVED is set. */
static void makeContactsLoads(const ksiStep *step, ksiInput *input)
{
    for (size_t i = 0; i < step->jointCount && step->options.contacts == KS_CONTACTS_REPORTED; i++) {
        input->joint[i].isLoad = input->joint[i].isRead && input->joint[i].type == dJointTypeContact;
        input->anyLoad |= input->joint[i].isLoad;
    }
}

int ksiMakeExactStep(ksInspector *inspector)
{
    const ksiStep *step = &inspector->step;
    ksiExact *exact = &inspector->exact;
    exact->isSolved = false;
    exact->fallbackRows = exact->next = 0;
    exact->fallback = ksiReserve(&step->allocator, &exact->substitution, &exact->substitutions, 1, ksiSubstitutionBytes)
                          ? KS_REASON_MEMORY
                          : 0;
    for (size_t i = 0; i < step->jointCount; i++)
        exact->isTaken[i] = exact->isSwept[i] = false;
    for (size_t i = 0; exact->fallback && i < step->jointCount; i++)
        exact->fallbackRows += (size_t)step->joint[i].rows.count;
    const int stepped = exact->fallback
                            ? dWorldQuickStep(step->engine.world, step->h)
                            : ksiStepSubstituted(&step->engine, step->h, takesOver, inspector, exact->substitution);
    makeContactsLoads(step, &inspector->input);
    return stepped;
}

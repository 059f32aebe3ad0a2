/* check_core_loops.c  Loops that have drifted apart, by one call of plugin/core/ and by today's inspector: multipliers, all parts of their bars, what is
 * the engine's own, and what is unique. */
#include "inspector/phases.h"
#include "tests/core/core_loop_kit.h"

#include "demos/scenes_drift.h"

#include <float.h>

/* Multipliers and what bars are made of, relative to |w_l| and the load, beside the angle by which self-stresses are open; sizes, and the weight of
 * the engine's own, relative. */
static const double kLoop = 5e-12, kOpen = 1e-9;
/* The rows' own solution, relative to its largest: directions of singular value sigma take the rounding of products 1 / sigma^2 times, of which
 * what is 1e-5 e is the least. */
static const double kOwn = 16 * DBL_EPSILON / 1e-5;
/* Parts of a bar that are open by that angle; and how much more the rows' own solution has of a self-stress before that is taken out. */
static const double kParts = 4, kMore = 10;

typedef struct LoopTally {
    int islands, left, rows, shared, stresses, directions, atBounds, soft;
    double drift, open, common, multiplier, adopted, taken, slack, shift, distance, uncertain, bar, tilt, beyond;
} LoopTally;

typedef struct LoopScale {
    double load, tilt, distance, slack;
} LoopScale;

/* Relative to `size`: all of it, for the report; and what is beyond an allowance, which is to be rounding. */
static void compare(double apart, double size, double allowed, double *most, LoopTally *tally)
{
    const double share = size > 0 ? fabs(apart) / size : 0;
    keep(most, share);
    keep(&tally->beyond, share - allowed);
}

static void compareRow(const LoopHost *h, const ksiNearest *n, int r, int i, int at, const LoopScale *scale,
                       LoopTally *tally)
{
    const ksiCoreLoop *own = &h->island.joint[i];
    const double size = sqrt(own->size2[at]) * scale->load;
    const double length = sqrt(ksiCoreConstraint(&h->island.core, i)->length2[at]);
    compare(own->multiplier[at] - n->multiplier[r], size, scale->tilt, &tally->multiplier, tally);
    compare(own->taken[at] - n->taken[r], size, scale->tilt, &tally->taken, tally);
    compare(own->shift[at] - n->shift[r], size, scale->tilt, &tally->shift, tally);
    compare(own->uncertain[at] - n->betaError[r], size, scale->tilt, &tally->uncertain, tally);
    compare(own->bar[at] - n->bar[r], size, kParts * scale->tilt, &tally->bar, tally);
    compare(own->distance[at] - n->distance[r], scale->distance / length, kOwn / h->island.open + kMore * scale->tilt,
            &tally->distance, tally);
    compare(own->slack[at] - n->slack[r], scale->slack / length, kOwn / h->island.open, &tally->slack, tally);
    keep(&tally->adopted, fabs(own->adopted[at] - n->adopted[r]));
    tally->rows++;
}

static LoopScale scaleOf(const LoopHost *h, const ksInspector *inspector, const ksiNearest *n)
{
    const ksiPose *pose = &insideSolver(inspector)->pose;
    LoopScale scale = {.tilt = n->stressCount ? fmax(n->tilt, h->island.rank.tilt) : 0};
    for (int k = 0; k < 6 * n->bodies; k++)
        scale.load = fmax(scale.load, fmax(fabs(n->force[k]), fabs(n->acceleration[k])));
    KSI_EACH_ROW (h->posing.step, h->posing.island, i, joint, l) {
        const int r = ksiSolvedRow(pose, &pose->joint[i], l);
        if (r < 0)
            continue;
        const double length = sqrt(ksiCoreConstraint(&h->island.core, i)->length2[loopRow(h, i, l)]);
        scale.distance = fmax(scale.distance, length * fabs(n->distance[r]));
        scale.slack = fmax(scale.slack, length * fabs(n->slack[r]));
    }
    return scale;
}

/* Rows that share their multiplier: by either. Where their part is between the noise of both, either is right. */
static void compareShared(const LoopHost *h, const ksInspector *inspector, int i, int joint, LoopTally *tally)
{
    const ksiStep *step = h->posing.step;
    const ksiPose *pose = &insideSolver(inspector)->pose;
    const ksiNearest *n = &pose->nearest;
    const double least = fmin(n->noise, h->island.rank.noise), most = fmax(n->noise, h->island.rank.noise);
    for (int l = 0; l < step->joint[joint].rows.count; l++) {
        const int r = pose->joint[i].row[l], at = loopRow(h, i, l);
        if (r < 0 || r >= n->rigid || ksiIsAlwaysUnique(step, joint) || !n->stressCount)
            continue;
        const double part2 = ksiDotSix(n->share + KSI_SHARES * r, n->share + KSI_SHARES * r);
        const bool isShared = h->island.joint[i].undetermined >> at & 1u;
        ck_assert(isShared ? part2 > 0.5 * least * least : part2 < 2 * most * most);
        tally->shared += isShared;
    }
}

static void compareIsland(LoopHost *h, const ksInspector *inspector, int index, LoopTally *tally)
{
    const ksiStep *step = &inspector->step;
    ksiSolver *solver = insideSolver(inspector);
    const ksiNearest *n = &solver->pose.nearest;
    ksiPhysical theirs;
    size_t rank;
    bool isPosed;
    loopPhysical(inspector, &theirs);
    loopPhysical(inspector, &h->out);
    CHECK_OK(ksiSolveDrifted(step, solver, index, &theirs));
    const ksStatus status = loopSolve(h, inspector, index);
    if (!theirs.island[index].isDrifted || solver->pose.lacking) {
        ck_assert_int_ne(status, KS_OK);
        tally->left++;
    } else {
        ck_assert_int_eq(status, KS_OK);
        keep(&tally->drift, fabs(h->island.drift / n->drift - 1));
        keep(&tally->open, fabs(h->island.open / n->open - 1));
        keep(&tally->common, fabs(h->island.common / n->common - 1));
        CHECK_OK(ksiChoosePosed(step, &solver->pose, index, theirs.places, &rank, &isPosed));
        ck_assert_int_eq(h->island.core.stresses, n->stressCount);
        tally->stresses += n->stressCount;
        tally->directions += n->stressCount && !h->island.rank.byRows;
        const LoopScale scale = scaleOf(h, inspector, n);
        keep(&tally->tilt, scale.tilt);
        KSI_EACH_JOINT (step, &step->island[index], i, joint) {
            compareShared(h, inspector, i, joint, tally);
            for (int l = 0; l < step->joint[joint].rows.count; l++) {
                const int r = ksiSolvedRow(&solver->pose, &solver->pose.joint[i], l);
                ck_assert_int_eq(h->out.places[joint].place[l], theirs.places[joint].place[l]);
                if (r >= 0)
                    compareRow(h, n, r, i, loopRow(h, i, l), &scale, tally);
            }
        }
        for (int i = 0; i < h->island.core.joints; i++) {
            const ksiConstraint *c = ksiCoreConstraint(&h->island.core, i);
            tally->atBounds += __builtin_popcount(c->atLow | c->atHigh);
            tally->soft += __builtin_popcount(h->island.joint[i].soft);
        }
        tally->islands++;
    }
    loopPhysicalFree(&theirs);
    loopPhysicalFree(&h->out);
}

static void judge(const char *name, const LoopTally *tally)
{
    printf("%s: %d islands (%d not), %d rows, %d at bounds, %d soft, %d self-stresses (%d times by directions; tilt "
           "%.1e), %d rows share: "
           "drift %.1e open %.1e common "
           "%.1e; multiplier %.1e adopted "
           "%.1e taken %.1e slack %.1e shift %.1e distance %.1e uncertain %.1e bar %.1e, beyond %.1e\n",
           name, tally->islands, tally->left, tally->rows, tally->atBounds, tally->soft, tally->stresses,
           tally->directions, tally->tilt, tally->shared, tally->drift, tally->open, tally->common, tally->multiplier,
           tally->adopted, tally->taken, tally->slack, tally->shift, tally->distance, tally->uncertain, tally->bar,
           tally->beyond);
    (void)fflush(stdout);
    ck_assert_int_gt(tally->islands, 0);
    ck_assert_double_lt(tally->drift, kOpen);
    ck_assert_double_lt(tally->open, kOpen);
    ck_assert_double_lt(tally->common, kOpen);
    ck_assert_double_lt(tally->adopted, kOpen);
    ck_assert_double_lt(tally->beyond, kLoop);
}

/* Each `every`-th step. */
static LoopTally runScene(const char *name, Scene *scene, double h, int steps, int every)
{
    LoopTally tally = {.islands = 0};
    LoopHost *host = loopHost();
    ksInspectorOptions options = defaultOptions();
    options.islandRowBudget = CORE_MOST;
    ksInspector *inspector = inspectWith(scene->world, &options);
    for (int s = 0; s < steps; s++) {
        sceneBeforeStep(scene);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        sceneAfterStep(scene);
        for (int i = 0; s % every == every - 1 && i < (int)inspector->step.islands->count; i++)
            if (inspector->step.islandPhysical[i].isDrifted)
                compareIsland(host, inspector, i, &tally);
    }
    judge(name, &tally);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    loopHostFree(host);
    return tally;
}

static const char *const machine[] = {"engine",  "sarrus",   "stewart", "delta",        "excavator",
                                      "swing",   "governor", "net",     "plank-bridge", "suspension-bridge",
                                      "gripper", "rover",    "tracks",  "stewart-pu",   "shaken-base"};

static Scene *makeStructure(int which)
{
    return which < 4    ? sceneLoops(1, (int[]){3, 30, 90, 120}[which], COUPLER_HINGED)
           : which == 4 ? sceneLoops(5, 1, COUPLER_HINGED)
           : which == 5 ? sceneGrid(3, 3)
           : which == 6 ? sceneGrid(5, 5)
                        : sceneGrid(8, 8);
}

/* Rows and grids of hinged loops, as they fall. */
START_TEST(structures)
{
    const char *name[] = {"loops 3", "loops 30", "loops 90", "loops 120", "four-bars", "grid 3", "grid 5", "grid 8"};
    runScene(name[_i], makeStructure(_i), 0.005, 60, _i == 7 || _i == 3 ? 30 : 20);
}
END_TEST

/* Every other hinge has a stop that is soon met, or a motor that is too weak for its speed; every other ball is soft. */
static void fit(Scene *scene, int which)
{
    for (int j = 0; j < scene->jointCount; j++) {
        const dJointID joint = scene->joint[j];
        if (dJointGetType(joint) == dJointTypeHinge && which == 0 && j % 2) {
            dJointSetHingeParam(joint, dParamLoStop, -0.02);
            dJointSetHingeParam(joint, dParamHiStop, 0.02);
        } else if (dJointGetType(joint) == dJointTypeHinge && which == 1 && j % 2) {
            dJointSetHingeParam(joint, dParamVel, j % 4 == 1 ? 5 : -5);
            dJointSetHingeParam(joint, dParamFMax, 2);
        } else if (dJointGetType(joint) == dJointTypeBall && which == 2) {
            dJointSetBallParam(joint, dParamCFM, 1e-3);
        }
    }
}

START_TEST(fitted)
{
    const char *name[] = {"loops with stops", "loops with motors", "loops with springs"};
    Scene *scene = sceneLoops(1, 5, _i == 2 ? COUPLER_BALL_UNIVERSAL : COUPLER_HINGED);
    fit(scene, _i);
    const LoopTally tally = runScene(name[_i], scene, 0.005, 100, 3);
    ck_assert_int_gt(_i == 2 ? tally.soft : tally.atBounds, _i ? 100 : 0);
}
END_TEST

START_TEST(machines)
{
    const DriftScene *kind = driftScene(machine[_i]);
    ck_assert_ptr_nonnull(kind);
    const LoopTally tally = runScene(kind->name, kind->make(&sceneSurface[SURFACE_APPROX1], 0.005), 0.005, 60, 4);
    ck_assert(tally.directions > 0 || strcmp(kind->name, "tracks") != 0);
}
END_TEST

int main(void)
{
    dInitODE2(0);
    Suite *suite = suite_create("core loops");
    TCase *tcase = tcase_create("loops");
    tcase_add_loop_test(tcase, machines, 0, sizeof machine / sizeof *machine);
    tcase_add_loop_test(tcase, structures, 0, 8);
    tcase_add_loop_test(tcase, fitted, 0, 3);
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}

/* check_core_pose.c  Loops that have drifted apart, by plugin/core/ and by the inspector's own pose: the first step to where the joints fit,
 * equation (19), and the relaxed coordinate of a closing. */
#include "core/pose.h"
#include "inspector/physical/pose_private.h"
#include "tests/core/core_kit_private.h"

#include "demos/scenes_drift.h"

/* Steps to the pose, relative to the largest: along weak directions rounding is taken 1 / damping times. */
static const double kStep = 1e-6;
/* Multipliers of (19), in units of |w_l| and the load; |w_l|. */
static const double kSoft = 1e-12, kSize = 1e-10;
/* Paulus's multiplier of a closing. */
static const double kRelaxed = 1e-12;

typedef struct PoseTally {
    int poses, rows, relaxed;
    double step, soft, size, turn, wrong;
} PoseTally;

typedef struct Posed {
    CoreTwin *twin;
    ksiPosing posing;
    PoseTally *tally;
} Posed;

/* The core gets the rows of the pose problem that it solves: those of any class up to `last`; others are known to be zero. jacobian: rows as they are
 * there, or of the pose in which they were moved. */
static void fillPosed(const Posed *p, const double *row, int last)
{
    const ksiNearest *n = &p->posing.pose->nearest;
    ksiCore *core = &p->twin->core;
    for (int i = 0; i < core->links; i++) {
        ksiCoreLink *link = &core->link[i];
        link->weight2 = n->weight[link->body] * n->weight[link->body];
        for (int k = 0; k < 6; k++)
            link->force[k] = (ksiFour){0};
    }
    KSI_EACH_JOINT (p->posing.step, p->posing.island, i, joint) {
        const ksiPosedJoint *at = &p->posing.pose->joint[i];
        ksiConstraint *c = ksiCoreConstraint(core, i);
        ksiCoreBeginRows(c, p->posing.step->joint[joint].rows.count);
        for (int l = 0; l < c->rows; l++) {
            static const double none[12];
            const int r = at->row[l];
            ksiCoreSetRow(c, l, r < 0 ? none : row + 12 * r);
            c->compliance[l] = 0;
            c->beta[l] = (ksiFour){r < 0 ? 0 : at->gap[l]};
            if (r < 0 || r >= last) {
                c->known |= 1u << l;
                c->lambda[l] = (ksiFour){0};
            }
        }
    }
}

/* By the library's joints where the bodies are now. */
static void readPosed(const Posed *p, double *row)
{
    KSI_EACH_JOINT (p->posing.step, p->posing.island, i, joint) {
        const ksiPosedJoint *at = &p->posing.pose->joint[i];
        for (int l = 0; l < p->posing.step->joint[joint].rows.count; l++)
            if (at->row[l] >= 0)
                ksiScalePosedRow(p->posing.pose, at, ksiPosedRow(at, l), row + 12 * at->row[l]);
    }
}

static void planPosed(const Posed *p)
{
    CoreTwin *twin = p->twin;
    corePlan(twin, p->posing.step, p->posing.island);
}

/* The plan has a joint more that is carried. */
static void carry(const Posed *p, int *tries)
{
    ck_assert_int_lt(++*tries, p->twin->joints);
    p->twin->plan[p->twin->core.culprit].isCarried = true;
    planPosed(p);
}

/* The first step by either, and what is left after it. */
static void comparePoses(const Posed *p)
{
    static double row[12 * CORE_MOST];
    ksiPose *pose = p->posing.pose;
    ksiNearest *n = &pose->nearest;
    int tries = 0;
    ksiPlacePosed(&p->posing);
    CHECK_OK(ksiReadPosedJoints(&p->posing, true));
    readPosed(p, row);
    while (fillPosed(p, row, n->positions), ksiCoreBeginPose(&p->twin->core, 0.1 * n->drift * n->drift))
        carry(p, &tries);
    const double drift = ksiCoreLargestGap(&p->twin->core) / n->radius;
    ck_assert_double_eq_tol(drift, n->drift, 1e-9 * drift);
    // theirs
    memcpy(n->initial, row, 12 * (size_t)n->rows * sizeof *row);
    KSI_EACH_JOINT (p->posing.step, p->posing.island, i, joint)
        for (int l = 0; l < p->posing.step->joint[joint].rows.count; l++)
            if (pose->joint[i].row[l] >= 0)
                n->gap[pose->joint[i].row[l]] = pose->joint[i].gap[l];
    CHECK_OK(ksiNearestMeasure(n));
    CHECK_OK(ksiNearestFactor(n, n->initial, 0.1 * n->drift * n->drift));
    ksiNearestMove(n);
    ksiCoreSweep(&p->twin->core);
    double most = 0, apart = 0;
    for (int b = 0; b < p->posing.island->bodyCount; b++)
        for (int k = 0; k < 6; k++) {
            const double ours = p->twin->core.link[p->twin->core.linkOf.at[b]].y[k][0];
            most = fmax(most, fabs(n->motion[6 * b + k]));
            apart = fmax(apart, fabs(n->motion[6 * b + k] - ours));
        }
    keep(&p->tally->step, most > 0 ? apart / most : 0);
    p->tally->poses++;
}

/* (19), with the numbers that the library has solved it with, before a self-stress becomes the engine's own. */
static void compareSoft(const Posed *p)
{
    static double reported[CORE_JOINTS][KSI_CORE_ROWS];
    ksiNearest *n = &p->posing.pose->nearest;
    ksiCore *core = &p->twin->core;
    ksiCertificate found;
    double load = 0;
    int tries = 0;
    CHECK_OK(ksiNearestSolve(n));
    do {
        fillPosed(p, n->initial, n->rows);
        for (int i = 0; i < core->links; i++)
            for (int k = 0; k < 6; k++)
                core->link[i].force[k] = (ksiFour){n->force[6 * core->link[i].body + k]};
        KSI_EACH_JOINT (p->posing.step, p->posing.island, i, joint)
            for (int l = 0; l < p->posing.step->joint[joint].rows.count; l++) {
                const int r = p->posing.pose->joint[i].row[l];
                ksiConstraint *c = ksiCoreConstraint(core, i);
                if (r < 0)
                    continue;
                c->beta[l] = (ksiFour){n->beta[r]};
                c->compliance[l] = n->compliance[r];
                if (r >= n->active && r < n->rigid) {
                    c->known |= 1u << l;
                    c->lambda[l] = (ksiFour){0};
                }
                reported[i][l] = n->reported[r];
            }
        ksiCoreSoften(core, n->open, reported);
    } while (ksiCoreFactor(core) && (carry(p, &tries), true));
    ksiCoreSweep(core);
    ksiCoreInverse(core);
    for (int refined = 0; refined < 2; refined++) {
        ksiCoreCertify(core, &found);
        ksiCoreRefine(core);
    }
    for (int i = 0; i < core->links + core->closings; i++) {
        const ksiConstraint *c = ksiCoreAt(core, i);
        for (int l = 0; l < c->rows; l++)
            load = fmax(load, sqrt(c->length2[l]) * fabs(c->lambda[l][0]));
    }
    for (int i = 0; i < core->links; i++)
        for (int k = 0; k < 6; k++)
            load = fmax(load, fabs(core->link[i].force[k][0]));
    KSI_EACH_JOINT (p->posing.step, p->posing.island, i, joint)
        for (int l = 0; l < p->posing.step->joint[joint].rows.count; l++) {
            const int r = p->posing.pose->joint[i].row[l];
            const ksiConstraint *c = ksiCoreConstraint(core, i);
            if (r < 0 || c->known >> l & 1u)
                continue;
            keep(&p->tally->soft, fabs(c->lambda[l][0] - n->multiplier[r] / n->length[r]) / (sqrt(c->size2[l]) * load));
            if (r < n->active)
                keep(&p->tally->size, fabs(n->open * c->length2[l] * c->size2[l] / n->adopted[r] - 1));
            p->tally->rows++;
        }
    // all closings, row by row
    for (int k = 0; k < core->closings; k++) {
        const ksiConstraint *c = &core->closing[k].joint;
        for (int l = 0; l < c->rows; l++) {
            double wrong;
            if (c->known >> l & 1u)
                continue;
            ksiCoreEnterRelaxed(core, c->joint, l, 3);
            ksiCoreSweep(core);
            const double lambda = ksiCoreTakeRelaxed(core, c->joint, l, 3, 0, &wrong);
            keep(&p->tally->wrong, wrong / (sqrt(c->size2[l]) * load));
            keep(&p->tally->turn, fabs(lambda - c->lambda[l][0]) / (sqrt(c->size2[l]) * load));
            p->tally->relaxed++;
        }
    }
}

static void compareIsland(Posed *p, ksiSolver *solver, int index)
{
    const ksiStep *step = p->posing.step;
    const ksiPlaces *places = step->physicalPlaces;
    double drift;
    p->posing.island = &step->island[index];
    p->posing.places = places;
    p->posing.pose = &solver->pose;
    p->twin->bodies = p->posing.island->bodyCount;
    p->twin->joints = p->posing.island->jointCount;
    ck_assert_int_le(p->twin->bodies, CORE_BODIES);
    ck_assert_int_le(p->twin->joints, CORE_JOINTS);
    memset(p->twin->plan, 0, sizeof p->twin->plan);
    planPosed(p);
    if (ksiFindPose(step, solver, index, places, &drift))
        return;
    const ksiNearest *n = &solver->pose.nearest;
    const bool isMoved = n->isMoved;
    if (!ksiSolvePose(step, solver, index, places) && !solver->pose.lacking)
        compareSoft(p);
    if (!isMoved)
        return;
    memset(p->twin->plan, 0, sizeof p->twin->plan);
    planPosed(p);
    comparePoses(p);
}

static const char *const machine[] = {"engine",  "sarrus",   "stewart", "delta",        "excavator",
                                      "swing",   "governor", "net",     "plank-bridge", "suspension-bridge",
                                      "gripper", "rover",    "tracks",  "stewart-pu"};

START_TEST(machines)
{
    const DriftScene *kind = driftScene(machine[_i]);
    ck_assert_ptr_nonnull(kind);
    Scene *scene = kind->make(&sceneSurface[SURFACE_APPROX1], 0.005);
    ksInspector *inspector = inspect(scene->world);
    PoseTally tally = {.poses = 0};
    Posed p = {.twin = coreTwin(), .tally = &tally};
    for (int s = 0; s < 60; s++) {
        sceneBeforeStep(scene);
        CHECK_OK(ksInspectorQuickStep(inspector, 0.005));
        sceneAfterStep(scene);
        p.posing.step = &inspector->step;
        for (int i = 0; s % 4 == 3 && i < (int)inspector->step.islands->count; i++)
            if (inspector->step.islandPhysical[i].isDrifted)
                compareIsland(&p, insideSolver(inspector), i);
    }
    printf("%s: %d poses, step %.1e; (19): %d rows, %.1e, sizes %.1e; %d relaxed %.1e\n", kind->name, tally.poses,
           tally.step, tally.rows, tally.soft, tally.size, tally.relaxed, tally.turn);
    ck_assert_int_gt(tally.rows, 0);
    ck_assert_double_lt(tally.step, kStep);
    ck_assert_double_lt(tally.soft, kSoft);
    ck_assert_double_lt(tally.size, kSize);
    ck_assert_double_lt(tally.turn, kRelaxed);
    ck_assert_double_lt(tally.wrong, kRelaxed);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    coreTwinFree(p.twin);
}
END_TEST

int main(void)
{
    dInitODE2(0);
    Suite *suite = suite_create("core pose");
    TCase *tcase = tcase_create("pose");
    tcase_add_loop_test(tcase, machines, 0, sizeof machine / sizeof *machine);
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}

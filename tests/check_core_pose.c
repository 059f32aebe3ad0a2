/* check_core_pose.c  Loops that have drifted apart, by plugin/core/ and by the inspector's own pose: the way to where the joints fit, the
 * rank there, equation (19), and the relaxed coordinate of a closing. */
#include "core/pose.h"
#include "inspector/pose_private.h"
#include "tests/core_kit_private.h"

#include "demos/scenes_drift.h"

/* Steps to the pose, relative to the largest: along weak directions rounding is taken 1 / damping times. */
static const double kStep = 1e-6;
/* Of the tolerance of the rank: gaps below it do not decide. */
static const double closeShare = 1. / 3;
/* Multipliers of (19), in units of |w_l| and the load; |w_l|. */
static const double kSoft = 1e-12, kSize = 1e-10;
/* Paulus's multiplier of a closing. */
static const double kRelaxed = 1e-12;

typedef struct PoseTally {
    int poses, moves, directions, stressed, open, rows, relaxed;
    double step, left, soft, size, turn, wrong;
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

/* What is left of the gaps after a step, in the metric of the bodies as they were or as they are. */
static double movePosed(const Posed *p, bool asTheyAre)
{
    static double row[12 * CORE_MOST];
    ksiPose *pose = p->posing.pose;
    ksiCore *core = &p->twin->core;
    ksiCoreSweep(core);
    for (int b = 0; b < p->posing.island->bodyCount; b++) {
        double scaled[6], motion[6];
        const ksiPosedBody was = {.at.root = pose->body[b].at.root, .turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        for (int k = 0; k < 6; k++)
            scaled[k] = core->link[core->linkOf.at[b]].y[k][0];
        ksiUnscalePosed(asTheyAre ? &pose->body[b] : &was, scaled, motion);
        ksiMovePosed(&pose->body[b], motion);
    }
    CHECK_OK(ksiReadPosedJoints(&p->posing, false));
    // the factor needs the rows no longer; with theirs it is that of unit rows
    readPosed(p, row);
    double was[CORE_JOINTS][KSI_CORE_ROWS];
    for (int i = 0; i < p->twin->joints; i++)
        for (int l = 0; l < ksiCoreConstraint(core, i)->rows; l++)
            was[i][l] = ksiCoreConstraint(core, i)->unit2[l];
    fillPosed(p, row, pose->nearest.positions);
    ksiCoreMeasure(core);
    const double residual = ksiCoreLargestGap(core) / pose->nearest.radius;
    for (int i = 0; i < p->twin->joints; i++)
        for (int l = 0; l < ksiCoreConstraint(core, i)->rows; l++)
            ksiCoreConstraint(core, i)->beta[l][0] *=
                sqrt(was[i][l] / fmax(ksiCoreConstraint(core, i)->unit2[l], 1e-300));
    return residual;
}

/* As the inspector goes to the pose, by the core alone: what is left of the gaps, and the rank there. */
static void decidePosed(const Posed *p, const ksiCoreWay *theirs, int stresses)
{
    static double row[12 * CORE_MOST], first[12 * CORE_MOST];
    ksiPose *pose = p->posing.pose;
    ksiNearest *n = &pose->nearest;
    ksiCore *core = &p->twin->core;
    ksiCoreWay way = *theirs;
    ksiCoreRankFound found;
    int tries = 0;
    ksiPlacePosed(&p->posing);
    CHECK_OK(ksiReadPosedJoints(&p->posing, true));
    readPosed(p, first);
    while (fillPosed(p, first, n->positions), ksiCoreBeginPose(core, 0.1 * way.drift * way.drift))
        carry(p, &tries);
    for (int move = 0; move < 2; move++)
        way.residual = movePosed(p, false);
    // with a factor each, while they help
    for (double before = INFINITY; way.residual > closeShare * way.tolerance && way.residual < before / 2;) {
        before = way.residual;
        readPosed(p, row);
        fillPosed(p, row, n->positions);
        CHECK_OK(ksiCoreBeginPose(core, 0.1 * before * before));
        way.residual = movePosed(p, true);
    }
    keep(&p->tally->left, fmax(0, way.residual - fmax(2 * theirs->residual, closeShare * way.tolerance)));
    readPosed(p, row);
    static double initial[CORE_JOINTS][KSI_CORE_ROWS][12];
    KSI_EACH_JOINT (p->posing.step, p->posing.island, i, joint)
        for (int l = 0; l < p->posing.step->joint[joint].rows.count; l++)
            if (pose->joint[i].row[l] >= 0)
                memcpy(initial[i][l], p->posing.step->joint[joint].scaled[l], sizeof initial[i][l]);
    way.initial = (const double(*)[KSI_CORE_ROWS][12])initial;
    for (int again = 1; again;) {
        fillPosed(p, row, n->rigid);
        const ksStatus status = ksiCoreDecide(core, &way, &found);
        again = status == KS_ERROR_UNAVAILABLE;
        if (again)
            carry(p, &tries);
        else if (status)
            p->tally->open++;
        else
            ck_assert_int_eq(core->stresses, stresses);
        p->tally->moves += status == KS_OK;
        p->tally->directions += status == KS_OK && core->stresses > 0 && !found.byRows;
        p->tally->stressed += status == KS_OK && core->stresses > 0;
    }
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
    const ksiCoreWay way = {
        .tolerance = n->tolerance, .drift = n->drift, .residual = n->residual, .isMoved = n->isMoved};
    const int stresses = n->stressCount;
    if (!ksiSolvePose(step, solver, index, places) && !solver->pose.lacking)
        compareSoft(p);
    if (!way.isMoved)
        return;
    memset(p->twin->plan, 0, sizeof p->twin->plan);
    planPosed(p);
    comparePoses(p);
    decidePosed(p, &way, stresses);
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
    printf("%s: %d poses, %d decided (%d by directions, %d stressed, %d not), step %.1e, left %.1e; (19): %d rows, "
           "%.1e, sizes %.1e; %d "
           "relaxed %.1e\n",
           kind->name, tally.poses, tally.moves, tally.directions, tally.stressed, tally.open, tally.step, tally.left,
           tally.rows, tally.soft, tally.size, tally.relaxed, tally.turn);
    ck_assert_int_gt(tally.rows, 0);
    ck_assert_int_gt(tally.moves, 0);
    ck_assert_int_eq(tally.open, 0);
    ck_assert(tally.directions > 0 || strcmp(kind->name, "tracks") != 0);
    ck_assert_double_lt(tally.step, kStep);
    ck_assert_double_eq(tally.left, 0);
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

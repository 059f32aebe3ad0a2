/* check_bullet.c  Verdicts on steps of Bullet: physical values against dense equations and closed
 * forms; false reports; Bullet's motion is the same to the bit. Built in double and in single
 * precision. */
#include "tests/kits/report/judge_kit.h"

#include "tests/adapters/bullet_kit.h"

#include <kinetostat/recording.h>

enum { STEPS = 40, TREES = 10, MOST_NUMBERS = 2000, MOST_JOINTS = BULLET_JOINTS + 1 };

/* of the largest wrench: the rounding of velocity changes (some m/s over h and g), summed over a
 * tree */
static double roundingShare(void)
{
    return 1e5 * bulletRounding();
}

/* of a joint's own wrench, which can be a hundredth of the largest one */
static double ownShare(void)
{
    return 100 * roundingShare();
}

/* of the largest wrench: the rounding of the truth's own dense equations in double precision */
static const double truthShare = 1e-11;

/* In a few steps Bullet lets the bodies of a joint drift apart by this much (rad or m). The rows of
 * hinges and sliders then lie between the axes of both bodies. A verdict allows as much */
static const double driftShare = 1e-2;

/* 1/m: a torque counts as a force on an arm of a metre */
static double size(const ksWrench *w)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += w->force[k] * w->force[k] + w->torque[k] * w->torque[k];
    return sqrt(sum);
}

static double distance(const ksWrench *a, const ksWrench *b)
{
    ksWrench apart;
    for (int k = 0; k < 3; k++) {
        apart.force[k] = a->force[k] - b->force[k];
        apart.torque[k] = a->torque[k] - b->torque[k];
    }
    return size(&apart);
}

typedef struct Found {
    ksWrench engine[MOST_JOINTS], observed[MOST_JOINTS], physical[MOST_JOINTS];
    ksWrench bar[MOST_JOINTS]; /* of the physical wrench */
    double error[MOST_JOINTS];
    ksVerdict verdict[MOST_JOINTS];
    ksReasons reasons[MOST_JOINTS];
    size_t verdicts[KS_VALID + 1];
    double worstError, firstError; /* over all steps; of the first step */
    int steps, joints, until;      /* until: the last step that is kept; 0: all */
} Found;

/* The bar of the physical wrench, from the bars of its multipliers. */
static ksWrench barOf(const ksReaction *reaction)
{
    ksWrench bar = {.force = {0}};
    for (int l = 0; l < reaction->rowCount; l++)
        for (int k = 0; k < 3; k++) {
            const ksRow *row = &reaction->row[l];
            bar.force[k] += row->physicalBar * fabs(row->jacobian[0][k]);
            bar.torque[k] += row->physicalBar * fabs(row->jacobian[0][3 + k]);
        }
    return bar;
}

static void keep(ksInspector *inspector, int step, void *user)
{
    Found *found = user;
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    ck_assert_uint_le(count, MOST_JOINTS);
    for (size_t i = 0; i < count; i++) {
        // reactions list the newest joint first
        const ksReaction *own = &reaction[count - 1 - i];
        found->verdicts[own->verdict]++;
        if (isfinite(own->error))
            found->worstError = fmax(found->worstError, own->error);
        if (step == 0)
            found->firstError = found->worstError;
        if (found->until > 0 && step >= found->until)
            continue;
        found->engine[i] = own->engine[0];
        found->observed[i] = own->observed[0];
        found->physical[i] = own->physical[0];
        found->bar[i] = barOf(own);
        found->error[i] = own->error;
        found->verdict[i] = own->verdict;
        found->reasons[i] = own->reasons;
    }
    found->steps = step + 1;
    found->joints = (int)count;
}

typedef void Disturb(BulletScene *scene, int step);

typedef struct Trial {
    int steps, until;
    Disturb *disturb;  /* called before each step */
    const char *notes; /* NULL: none */
} Trial;

static Found recordSteps(BulletScene *scene, const Trial *trial)
{
    ksBullet *adapter;
    long steps;
    Found found = {.until = trial->until};
    makeFolder();
    CHECK_OK(ksBulletCreate(bulletWorld(scene), in("bullet.h5"), &adapter));
    ck_assert_str_eq(ksBulletGetNotes(adapter), trial->notes ? trial->notes : "");
    for (int i = 0; i < trial->steps; i++) {
        if (trial->disturb)
            trial->disturb(scene, i);
        bulletStep(scene);
        CHECK_OK(ksBulletGetStatus(adapter, &steps));
        ck_assert_int_eq(steps, i + 1);
    }
    ck_assert_int_eq(bulletTicks(scene), trial->steps);
    CHECK_OK(ksBulletClose(adapter));
    judgeFile(in("bullet.h5"), keep, &found);
    removeFolder();
    ck_assert_int_eq(found.steps, trial->steps);
    return found;
}

/* --- Truth --- */

static void checkBar(const ksWrench *truth, const ksWrench *value, const ksWrench *bar, double rounding)
{
    for (int k = 0; k < 3; k++) {
        ck_assert_double_le(fabs(value->force[k] - truth->force[k]), bar->force[k] + rounding);
        ck_assert_double_le(fabs(value->torque[k] - truth->torque[k]), bar->torque[k] + rounding);
    }
}

static void compareTruth(BulletScene *scene, const Found *found)
{
    const ksWrench *truth = bulletTruth(scene);
    double worst = 0, load = bulletLargestLoad(scene);
    for (int i = 0; i < found->joints; i++) {
        ck_assert(isfinite(size(&found->physical[i])));
        worst = fmax(worst, distance(&truth[i], &found->physical[i]));
        load = fmax(load, size(&truth[i]));
    }
    ck_assert_double_le(worst / load, roundingShare());
    for (int i = 0; i < found->joints; i++)
        checkBar(&truth[i], &found->physical[i], &found->bar[i], truthShare * load);
}

/* Only the first step has the pose and the velocities of the plan. */
START_TEST(random_trees)
{
    const BulletTrees trees = {
        .seed = (uint64_t)_i + 1, .areLinks = _i >= TREES, .isKinematic = _i < TREES && _i % 5 == 1};
    BulletScene *scene = bulletTrees(&trees);
    const Found found = recordSteps(scene, &(Trial){.steps = STEPS, .until = 1});
    ck_assert_int_eq(found.joints, bulletJoints(scene));
    compareTruth(scene, &found);
    bulletDestroy(scene);
}
END_TEST

/* With every kind of drive, Bullet's gyroscopic torques, and the floor. The reported constraint
 * forces explain the motion. */
START_TEST(true_reports)
{
    const BulletTrees trees = {.seed = (uint64_t)_i + 100,
                               .isImplicit = true,
                               .hasDrives = true,
                               .hasFloor = _i % 2,
                               .isKinematic = _i % 3 == 1};
    BulletScene *scene = bulletTrees(&trees);
    const Found found = recordSteps(scene, &(Trial){.steps = STEPS});
    ck_assert_int_eq(bulletContacts(scene) > 0, _i % 2);
    ck_assert_uint_eq(found.verdicts[KS_VALID], (size_t)(STEPS * found.joints));
    ck_assert_double_le(found.firstError, ownShare());
    bulletDestroy(scene);
}
END_TEST

/* --- Closed forms --- */

/* At rest each joint bears the weight below it. */
START_TEST(chain)
{
    BulletScene *scene = bulletChain(_i);
    const Found found = recordSteps(scene, &(Trial){.steps = 3});
    for (int i = 0; i < 4; i++) {
        const ksWrench weight = {.force = {0, 0, 9.81 * (4 - i)}};
        ck_assert_double_le(distance(&found.physical[i], &weight) / size(&weight), roundingShare());
        // after ten iterations Bullet's solver has an error
        if (_i)
            ck_assert_double_le(distance(&found.engine[i], &weight) / size(&weight), roundingShare());
    }
    bulletDestroy(scene);
}
END_TEST

/* m l w^2 + m g cos along the rod, m g sin I/(I + m l^2) across it. */
START_TEST(pendulum)
{
    const BulletPendulum given = {
        .mass = 2, .length = 0.4, .inertia = 0.15, .angle = 0.7, .rate = 3, .step = 1.0 / 240, .areLinks = _i};
    BulletScene *scene = bulletPendulum(&given);
    const Found found = recordSteps(scene, &(Trial){.steps = 1});
    const double m = given.mass, l = given.length, s = sin(given.angle), c = cos(given.angle);
    const double along = m * (9.81 * c + l * given.rate * given.rate);
    const double across = m * 9.81 * s * given.inertia / (given.inertia + m * l * l);
    const ksWrench truth = {.force = {-along * s + across * c, 0, along * c + across * s}};
    for (int k = 0; k < 3; k++)
        ck_assert_double_eq_tol(found.physical[0].force[k], truth.force[k], roundingShare() * along);
    // about the mass centre the forces of the hinge turn the rod
    ck_assert_double_eq_tol(found.physical[0].torque[1], across * l, roundingShare() * along);
    bulletDestroy(scene);
}
END_TEST

/* Each bar leans on the other with the thrust  W a / 2b  at its foot, which bears the bar's weight
 * W. */
START_TEST(arch)
{
    const double across = 0.8, high = 0.6, weight = 2 * 9.81, thrust = weight * across / (2 * high);
    BulletScene *scene = bulletArch(across, high);
    const Found found = recordSteps(scene, &(Trial){.steps = 1});
    for (int i = 0; i < 2; i++) {
        ck_assert_double_eq_tol(found.physical[i].force[0], i ? -thrust : thrust, roundingShare() * weight);
        ck_assert_double_eq_tol(found.physical[i].force[2], weight, roundingShare() * weight);
    }
    ck_assert_double_eq_tol(fabs(found.physical[2].force[0]), thrust, roundingShare() * weight);
    bulletDestroy(scene);
}
END_TEST

/* --- Reports of Bullet --- */

static void tamper(BulletScene *scene, int step)
{
    bulletSpoil(scene, step == 9 ? 1.5 : 1);
}

START_TEST(tampered)
{
    const BulletTrees trees = {.seed = (uint64_t)_i + 200};
    BulletScene *scene = bulletTrees(&trees);
    const Found found = recordSteps(scene, &(Trial){.steps = 10, .disturb = tamper});
    ck_assert_int_eq(found.verdict[0], KS_UNEXPLAINED);
    ck_assert_uint_ne(found.reasons[0] & KS_REASON_REPORT, 0);
    // the report is 1.5 times the force; the error is relative to the report
    ck_assert_double_eq_tol(found.error[0], 1.0 / 3, 0.01);
    for (int i = 1; i < found.joints; i++)
        ck_assert_int_ge(found.verdict[i], KS_INDETERMINATE);
    bulletDestroy(scene);
}
END_TEST

/* The feedback of a moving link counts centrifugal force twice (bullet3#4451): 289 N instead of 174
 * N. */
START_TEST(doubled_motion)
{
    const BulletPendulum given = {
        .mass = 6, .length = 0.9, .inertia = 0.01, .rate = 4.62, .step = 1e-4, .areLinks = true, .hasFeedback = true};
    BulletScene *scene = bulletPendulum(&given);
    const Found found = recordSteps(scene, &(Trial){.steps = 1});
    const double weight = 6 * 9.81, pull = 6 * 0.9 * 4.62 * 4.62;
    ck_assert_double_eq_tol(found.engine[0].force[2], weight + 2 * pull, 0.01 * pull);
    ck_assert_double_eq_tol(found.observed[0].force[2], weight + pull, roundingShare() * pull);
    ck_assert_int_eq(found.verdict[0], KS_UNEXPLAINED);
    ck_assert_uint_ne(found.reasons[0] & KS_REASON_REPORT, 0);
    ck_assert_double_eq_tol(found.error[0], pull / (weight + 2 * pull), 0.01);
    bulletDestroy(scene);
}
END_TEST

/* It also counts twice the effect of a joint's torque on the other directions (bullet3#4604): the
 * hinge pushes the rod. */
START_TEST(doubled_torque)
{
    const BulletPendulum given = {
        .mass = 1, .length = 0.5, .inertia = 0.1, .step = 1e-4, .areLinks = true, .hasFeedback = true, .torque = 7};
    BulletScene *scene = bulletPendulum(&given);
    const Found found = recordSteps(scene, &(Trial){.steps = 1});
    // m l a, with a = torque / (I + m l^2)
    const double push = fabs(found.physical[0].force[0]), truth = 1 * 0.5 * 7 / (0.1 + 0.25);
    ck_assert_double_eq_tol(push, truth, roundingShare() * truth);
    ck_assert_double_eq_tol(fabs(found.engine[0].force[0]), 2 * truth, 0.01 * truth);
    ck_assert_int_eq(found.verdict[0], KS_UNEXPLAINED);
    ck_assert_uint_ne(found.reasons[0] & KS_REASON_REPORT, 0);
    bulletDestroy(scene);
}
END_TEST

/* Between two bodies, and between a body and the world. */
START_TEST(at_its_stop)
{
    BulletScene *scene = bulletPair(_i ? BULLET_STOP_BETWEEN : BULLET_STOP);
    const Found found = recordSteps(scene, &(Trial){.steps = STEPS});
    ck_assert_uint_eq(found.verdicts[KS_VALID], (size_t)(STEPS * found.joints));
    bulletDestroy(scene);
}
END_TEST

/* When a btGeneric6DofSpring2Constraint is extended, its forces act at the origins of both frames,
 * which leaves a couple without a reaction. */
START_TEST(out_by_a_slide)
{
    BulletScene *scene = bulletPair(BULLET_OUT);
    const Found found = recordSteps(scene, &(Trial){.steps = 1});
    ck_assert_int_lt(found.verdict[1], KS_INDETERMINATE);
    ck_assert_uint_ne(found.reasons[1] & KS_REASON_MOTION, 0);
    bulletDestroy(scene);
}
END_TEST

/* btGeneric6DofConstraint has no row where an error is exactly zero, as in its initial pose: the body
 * that it should hold falls. */
START_TEST(without_rows)
{
    BulletScene *scene = bulletPair(BULLET_ROD);
    const Found found = recordSteps(scene, &(Trial){.steps = 1});
    ck_assert_double_eq(size(&found.engine[1]), 0);
    ck_assert_double_le(size(&found.observed[1]), roundingShare() * 9.81);
    ck_assert_double_ge(size(&found.physical[1]), 5);
    bulletDestroy(scene);
}
END_TEST

/* --- Types of constraints --- */

START_TEST(kinds)
{
    static const struct {
        BulletKind kind;
        const char *notes;
        int joints;
    } tried[] = {{BULLET_HINGE2, NULL, 2},
                 {BULLET_CONE, NULL, 2},
                 {BULLET_CRANK, NULL, 2},
                 {BULLET_UNIVERSAL_X, NULL, 2},
                 {BULLET_PLANE, "d6 1 is not a joint of the recording: its wrench is a known load.\n", 1},
                 {BULLET_ANGULAR, "hinge 1 is not a joint of the recording: its wrench is a known load.\n", 1},
                 {BULLET_APART, "ball 1 is violated in the first pose: its wrench is a known load.\n", 1},
                 {BULLET_DISABLED, "hinge 1 is not a joint of the recording: its wrench is a known load.\n", 1}};
    BulletScene *scene = bulletPair(tried[_i].kind);
    // only while the slide is hardly extended
    const int steps = tried[_i].kind == BULLET_CRANK || tried[_i].kind == BULLET_HINGE2 ? 8 : STEPS;
    const Found found = recordSteps(scene, &(Trial){.steps = steps, .notes = tried[_i].notes});
    ck_assert_int_eq(found.joints, tried[_i].joints);
    ck_assert_uint_eq(found.verdicts[KS_VALID], (size_t)(steps * found.joints));
    ck_assert_double_le(found.worstError, driftShare);
    bulletDestroy(scene);
}
END_TEST

/* A joint that yields because of its CFM is named, and the joint above it is not. */
START_TEST(soft)
{
    static const BulletKind tried[] = {BULLET_SOFT_HINGE, BULLET_SOFT_BALL, BULLET_UNIVERSAL_X};
    BulletScene *scene = bulletPair(tried[_i]);
    const Found found = recordSteps(scene, &(Trial){.steps = 2});
    ck_assert_uint_eq(found.reasons[0] & KS_REASON_SOFT, 0);
    ck_assert_uint_eq(found.reasons[1] & KS_REASON_SOFT, _i < 2 ? KS_REASON_SOFT : 0);
    bulletDestroy(scene);
}
END_TEST

/* --- The host --- */

/* Bullet's motion and the host's feedback are the same to the bit. */
START_TEST(transparency)
{
    static double own[MOST_NUMBERS], alone[MOST_NUMBERS];
    const BulletTrees trees = {.seed = (uint64_t)_i + 300,
                               .areLinks = _i >= 3,
                               .isImplicit = true,
                               .hasDrives = true,
                               .hasFloor = true,
                               .isKinematic = _i == 1};
    BulletScene *scene = bulletTrees(&trees), *other = bulletTrees(&trees);
    ksBullet *adapter;
    makeFolder();
    CHECK_OK(ksBulletCreate(bulletWorld(scene), in("same.h5"), &adapter));
    for (int i = 0; i < 100; i++) {
        bulletStep(scene);
        bulletStep(other);
        CHECK_OK(ksBulletGetStatus(adapter, NULL));
        const size_t count = bulletNumbers(scene, own, MOST_NUMBERS);
        ck_assert_uint_le(count, MOST_NUMBERS);
        ck_assert_uint_eq(bulletNumbers(other, alone, MOST_NUMBERS), count);
        ck_assert_mem_eq(own, alone, count * sizeof *own);
    }
    ck_assert_int_eq(bulletTicks(scene), 100);
    ck_assert_int_gt(bulletContacts(scene), 0);
    CHECK_OK(ksBulletClose(adapter));
    // the host's callbacks are back
    bulletStep(scene);
    ck_assert_int_eq(bulletTicks(scene), 101);
    removeFolder();
    bulletDestroy(other);
    bulletDestroy(scene);
}
END_TEST

static void sleep2(BulletScene *scene, int step)
{
    if (step == 1)
        bulletSleep(scene);
}

/* Bullet does not report the forces that hold sleeping bodies. */
START_TEST(asleep)
{
    BulletScene *scene = bulletChain(false);
    const Found found = recordSteps(scene, &(Trial){.steps = 4, .disturb = sleep2});
    for (int i = 0; i < 4; i++) {
        const ksWrench weight = {.force = {0, 0, 9.81 * (4 - i)}};
        ck_assert_double_le(distance(&found.observed[i], &weight) / size(&weight), driftShare);
        ck_assert(isnan(found.engine[i].force[0]));
    }
    bulletDestroy(scene);
}
END_TEST

/* Without a file, an inspector judges each substep at once. */
START_TEST(at_once)
{
    BulletScene *scene = bulletChain(false);
    ksBullet *adapter = NULL;
    ksInspector *inspector = NULL;
    size_t count;
    CHECK_OK(ksBulletCreate(bulletWorld(scene), NULL, &adapter));
    CHECK_OK(ksRecordingInspect(ksBulletGetRecording(adapter), NULL, &inspector));
    bulletStep(scene);
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    ck_assert_uint_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        ck_assert(isfinite(reaction[i].engine[0].force[2]));
        ck_assert_int_gt(reaction[i].verdict, KS_UNCHECKED);
    }
    CHECK_OK(ksBulletClose(adapter));
    bulletDestroy(scene);
}
END_TEST

START_TEST(calls)
{
    BulletScene *scene = bulletChain(false);
    ksBullet *adapter = NULL, *second = NULL;
    long steps = 0;
    makeFolder();
    CHECK_STATUS(ksBulletCreate(NULL, in("a.h5"), &adapter), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ptr_null(ksBulletGetRecording(NULL));
    CHECK_STATUS(ksBulletCreate(bulletWorld(scene), in("a.h5"), NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksBulletCreate(bulletWorld(scene), in("none/a.h5"), &adapter), KS_ERROR_FILE);
    ck_assert_ptr_null(adapter);
    CHECK_STATUS(ksBulletGetStatus(NULL, &steps), KS_ERROR_BAD_ARGUMENT);
    ck_assert_str_eq(ksBulletGetNotes(NULL), "");
    CHECK_OK(ksBulletClose(NULL));
    CHECK_OK(ksBulletCreate(bulletWorld(scene), in("a.h5"), &adapter));
    CHECK_STATUS(ksBulletCreate(bulletWorld(scene), in("b.h5"), &second), KS_ERROR_BAD_ARGUMENT);
    bulletStep(scene);
    CHECK_OK(ksBulletGetStatus(adapter, &steps));
    bulletSwitch(scene, false);
    bulletStep(scene);
    CHECK_STATUS(ksBulletGetStatus(adapter, &steps), KS_ERROR_BAD_ARGUMENT);
    ck_assert_str_eq(ksErrorMessage(), "ksBulletGetStatus: constraints or multibodies were added, removed or switched");
    ck_assert_int_eq(steps, 1);
    bulletSwitch(scene, true);
    bulletStep(scene);
    CHECK_OK(ksBulletGetStatus(adapter, &steps));
    ck_assert_int_eq(steps, 2);
    bulletBreak(scene);
    bulletStep(scene);
    CHECK_STATUS(ksBulletGetStatus(adapter, &steps), KS_ERROR_NOT_FINITE);
    bulletReplace(scene);
    bulletStep(scene);
    CHECK_STATUS(ksBulletGetStatus(adapter, &steps), KS_ERROR_BRACKET);
    ck_assert_int_eq(steps, 2);
    CHECK_OK(ksBulletClose(adapter));
    const int ticks = bulletTicks(scene);
    bulletStep(scene);
    ck_assert_int_eq(bulletTicks(scene), ticks + 1);
    removeFolder();
    bulletDestroy(scene);
}
END_TEST

/* Contacts of links are known loads. The floor bears the lower arm at its middle, x1, with N = W1 +
 * W2 x2/x1; the hinge carries the rest. */
START_TEST(on_the_floor)
{
    const double weight = 9.81, first = 0.25, second = 0.65, pull = weight * (1 - second / first);
    const ksWrench truth[2] = {{.force = {0, 0, pull}, .torque = {0, first * pull, 0}}, {.force = {0, 0, weight}}};
    BulletScene *scene = bulletLever(first, second);
    const Found found = recordSteps(scene, &(Trial){.steps = 1});
    ck_assert_int_eq(bulletContacts(scene), 1);
    for (int i = 0; i < 2; i++) {
        ck_assert_double_le(distance(&found.physical[i], &truth[i]), roundingShare() * weight);
        ck_assert_double_le(distance(&found.observed[i], &truth[i]), roundingShare() * weight);
    }
    bulletDestroy(scene);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("bullet");
    tcase_add_loop_test(tcase, random_trees, 0, 2 * TREES);
    tcase_add_loop_test(tcase, true_reports, 0, TREES);
    tcase_add_loop_test(tcase, chain, 0, 2);
    tcase_add_loop_test(tcase, pendulum, 0, 2);
    tcase_add_test(tcase, arch);
    tcase_add_loop_test(tcase, tampered, 0, 4);
    tcase_add_test(tcase, doubled_motion);
    tcase_add_test(tcase, doubled_torque);
    tcase_add_loop_test(tcase, at_its_stop, 0, 2);
    tcase_add_test(tcase, out_by_a_slide);
    tcase_add_test(tcase, without_rows);
    tcase_add_loop_test(tcase, kinds, 0, 8);
    tcase_add_loop_test(tcase, soft, 0, 3);
    tcase_add_loop_test(tcase, transparency, 0, 6);
    tcase_add_test(tcase, asleep);
    tcase_add_test(tcase, at_once);
    tcase_add_test(tcase, calls);
    tcase_add_test(tcase, on_the_floor);
    return runCase("bullet", tcase);
}

/* check_noise.c  Physical values of loops that have drifted under dWorldQuickStep: the values
 * contain the engine's noise, and so do the bars. At rest each step is within its bar of statics.
 * The bars of sums of supports that share a load also contain the disagreement with the motion over
 * the run. */
#include "tests/kits/support.h"

#include "demos/scenes/drift.h"

#include <kinetostat/loads.h>

static const double h = 0.005, gravity = 9.81;
/* Steps until a window is complete, and steps of the comparison. Bars are for 99 of 100 steps. */
enum { FIRST = 100, STEPS = 500, MOST_OUTSIDE = STEPS / 100 };

static dBodyID addBar(dWorldID world, double mass, const double from[2], const double to[2])
{
    const double along[2] = {to[0] - from[0], to[1] - from[1]},
                 length = sqrt(along[0] * along[0] + along[1] * along[1]);
    dBodyID body = dBodyCreate(world);
    dMass own;
    dMatrix3 rotation;
    dMassSetBoxTotal(&own, mass, 0.05, 0.05, length);
    dBodySetMass(body, &own);
    dRFromZAxis(rotation, along[0] / length, 0, along[1] / length);
    dBodySetRotation(body, rotation);
    dBodySetPosition(body, 0.5 * (from[0] + to[0]), 0, 0.5 * (from[1] + to[1]));
    return body;
}

static dJointID addBallJoint(dWorldID world, dBodyID first, dBodyID second, double x, double z)
{
    dJointID joint = dJointCreateBall(world, NULL);
    dJointAttach(joint, first, second);
    dJointSetBallAnchor(joint, x, 0, z);
    return joint;
}

static dJointID addHinge(dWorldID world, dBodyID body, double z, double axisY)
{
    dJointID joint = dJointCreateHinge(world, NULL);
    dJointAttach(joint, body, NULL);
    dJointSetHingeAnchor(joint, 0, 0, z);
    dJointSetHingeAxis(joint, 0, axisY, 1 - axisY);
    return joint;
}

static dJointID weld(dWorldID world, dBodyID first, dBodyID second)
{
    dJointID joint = dJointCreateFixed(world, NULL);
    dJointAttach(joint, first, second);
    dJointSetFixed(joint);
    return joint;
}

/* Supports, and their sum along z by statics. */
typedef struct Structure {
    dWorldID world;
    ksWrenchTerm support[2];
    size_t count;
    double truth;
} Structure;

static const double mostBar = 0.25; /* of that force: a longer bar would be useless */

/* Three bars of 5 kg, with 100 kg on the apex: each side bears half of that, and half of the bars
 * that meet there. The tie is in the loop. */
static Structure truss(void)
{
    static const double left[2] = {0, 0}, apex[2] = {1, 1.2}, right[2] = {2, 0};
    dWorldID world = heavyWorld();
    dBodyID a = addBar(world, 5, left, apex), b = addBar(world, 5, right, apex), tie = addBar(world, 5, left, right);
    addHinge(world, a, 0, 1);
    addBallJoint(world, tie, a, 0, 0);
    dJointID top = addBallJoint(world, b, a, 1, 1.2);
    addBallJoint(world, b, tie, 2, 0);
    dBodyID shoe = addBall(world, 1, 0.1, 2, 0);
    dJointID universal = dJointCreateUniversal(world, NULL), slider = dJointCreateSlider(world, NULL);
    dJointAttach(universal, b, shoe);
    dJointSetUniversalAnchor(universal, 2, 0, 0);
    dJointSetUniversalAxis2(universal, 0, 0, 1);
    dJointSetUniversalAxis1(universal, 0, 1, 0);
    dJointAttach(slider, shoe, NULL);
    dJointSetSliderAxis(slider, 1, 0, 0);
    weld(world, addBall(world, 100, 0.2, 1, 1.2), a);
    return (Structure){world, {{.joint = top, .body = b}}, 1, -0.5 * 100 * gravity};
}

/* A leaf of 30 kg, welded to a stile of 10 kg on two hinges, with a strut of 4 kg: the hinges share
 * the weight. */
static Structure gate(void)
{
    dWorldID world = heavyWorld();
    dBodyID stile = addBox(world, 10, (const double[3]){0.1, 0.1, 1.2}, 1);
    dBodyID leaf = addBox(world, 30, (const double[3]){1.9, 0.05, 1}, 1);
    dBodyID strut = addBar(world, 4, (const double[2]){0, 1.6}, (const double[2]){1.8, 1.5});
    dBodySetPosition(stile, 0.05, 0, 1);
    dBodySetPosition(leaf, 1.05, 0, 1);
    dJointID low = addHinge(world, stile, 0.4, 0), high = addHinge(world, stile, 1.6, 0);
    weld(world, leaf, stile);
    addBallJoint(world, strut, stile, 0, 1.6);
    addBallJoint(world, strut, leaf, 1.8, 1.5);
    return (Structure){world, {{.joint = low, .body = stile}, {.joint = high, .body = stile}}, 2, 44 * gravity};
}

START_TEST(each_step_is_within_its_bar)
{
    dRandSetSeed(7);  // for the engine's order of rows
    const Structure s = truss();
    ksInspector *inspector = inspect(s.world);
    int outside = 0, rough = 0;
    double bars = 0;
    for (int i = 0; i < FIRST + STEPS; i++) {
        ksWrenchSum sum;
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        if (i < FIRST)
            continue;
        CHECK_OK(ksInspectorSumWrenches(inspector, s.support, s.count, KS_PHYSICAL, NULL, &sum));
        ck_assert_uint_ne(sum.unique & 1u << KS_LIMIT_FORCE_Z, 0);
        outside += !(fabs(sum.wrench.force[2] - s.truth) <= sum.bar.force[2]);
        bars += sum.bar.force[2] / STEPS;
        CHECK_OK(ksInspectorSumWrenches(inspector, s.support, s.count, KS_ENGINE, NULL, &sum));
        rough += fabs(sum.wrench.force[2] - s.truth) > 1e-3 * fabs(s.truth);
    }
    ck_assert_int_gt(rough, STEPS / 2);  // otherwise the test proves nothing
    ck_assert_int_le(outside, MOST_OUTSIDE);
    ck_assert_double_le(bars, mostBar * fabs(s.truth));
    ksInspectorDestroy(inspector);
    dWorldDestroy(s.world);
}
END_TEST

/* In each step joints of sleeping bodies are created or destroyed before the truss in the world's
 * list; the motion does not change. */
static void barsAmong(bool others, double bar[STEPS])
{
    enum { OTHERS = 5 };
    dRandSetSeed(7);
    const Structure s = truss();
    ksInspector *inspector = inspect(s.world);
    dBodyID sleeper = addBall(s.world, 1, 0.1, 9, 9);
    dJointID other[OTHERS] = {NULL};
    dBodyDisable(sleeper);
    for (int i = 0; i < STEPS; i++) {
        for (int k = 0; others && k < OTHERS; k++) {
            if (i % (k + 2))
                continue;
            if (other[k])
                dJointDestroy(other[k]);
            other[k] = i % 3 ? addHinge(s.world, sleeper, 9, 1) : NULL;
        }
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        bar[i] = ksInspectorGetReaction(inspector, s.support[0].joint)->row[2].physicalBar;
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(s.world);
}

START_TEST(runs_go_on_among_others)
{
    static double alone[STEPS], among[STEPS];
    barsAmong(false, alone);
    barsAmong(true, among);
    for (int i = 1; i < STEPS; i++)
        ck_assert_msg(alone[i] == among[i], "step %d: %.17g alone, %.17g among others", i, alone[i], among[i]);
}
END_TEST

/* The engine's forces explain the motion. The mean error of physical sums over the last window of
 * the run is in their bars. */
START_TEST(sums_know_the_run)
{
    enum { WINDOW = 32, WINDOWS = 20 }; /* steps: 0.15 s and more */
    dRandSetSeed(7);
    const Structure s = gate();
    ksInspector *inspector = inspect(s.world);
    const dBodyID stile = s.support[0].body;
    double apart = 0, bar = INFINITY, largest = 0;
    for (int i = 0; i < WINDOW * WINDOWS; i++) {
        ksWrenchSum sum[2];
        dBodyAddForce(stile, 0, 60 * sin(3 * i * h), 0);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        CHECK_OK(ksInspectorSumWrenches(inspector, s.support, s.count, KS_PHYSICAL, NULL, &sum[0]));
        CHECK_OK(ksInspectorSumWrenches(inspector, s.support, s.count, KS_ENGINE, NULL, &sum[1]));
        apart += (sum[1].wrench.force[2] - sum[0].wrench.force[2]) / WINDOW;
        bar = sum[0].bar.force[2];
        if (i % WINDOW < WINDOW - 1)
            continue;
        ck_assert_msg(fabs(apart) <= bar, "window %d: %g apart, bar %g", i / WINDOW, apart, bar);
        largest = fmax(largest, fabs(apart));
        apart = 0;
    }
    ck_assert_double_ge(largest, 1e-3 * s.truth);  // otherwise the test proves nothing
    ksInspectorDestroy(inspector);
    dWorldDestroy(s.world);
}
END_TEST

/* A door on two hinges that turns steadily: QuickStep splits its weight arbitrarily, which is no
 * error of the sum. */
START_TEST(sums_leave_out_how_joints_share)
{
    enum { SETTLED = 192, TAKEN = 320 }; /* steps: four windows after the run's first one have passed */
    const double mass = 25, most = 1e-3;
    const dWorldID world = heavyWorld();
    const dBodyID leaf = addBox(world, mass, (const double[3]){1, 0.05, 2}, 1);
    dBodySetPosition(leaf, 0.5, 0, 1);
    dBodySetAngularVel(leaf, 0, 0, 1);
    const ksWrenchTerm hinge[2] = {{.joint = addHinge(world, leaf, 0.3, 0), .body = leaf},
                                   {.joint = addHinge(world, leaf, 1.7, 0), .body = leaf}};
    ksInspector *inspector = inspect(world);
    double split = 0;
    for (int i = 0; i < TAKEN; i++) {
        ksWrenchSum sum;
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        CHECK_OK(ksInspectorSumWrenches(inspector, hinge, 2, KS_PHYSICAL, NULL, &sum));
        ck_assert_double_le(fabs(sum.wrench.force[2] - mass * gravity), sum.bar.force[2]);
        const double carried = ksInspectorGetReaction(inspector, hinge[0].joint)->engine[0].force[2];
        split = fmax(split, fabs(carried - 0.5 * mass * gravity));
        if (i >= SETTLED)
            ck_assert_double_le(length3(sum.bar.force), most * mass * gravity);
    }
    ck_assert_double_gt(split, 0.1 * mass * gravity);  // otherwise the test proves nothing
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* Three links, each on two hinges of one axis, swing under dWorldStep, which leaves gaps. Neither
 * hinge of a pair has a determined part, but their sum has one: in each window its mean differs
 * from the motion's by no more than its mean bar. Elastic hinges have half of it each. */
START_TEST(sums_of_pairs_are_within_their_bars)
{
    enum { LINKS = 3, WINDOW = 15, WINDOWS = 20, SKIPPED = 1 };
    const double coarse = 0.01, resolved = 2e-3; /* s; of the load: effect of half a step at the ends of a window */
    const dWorldID world = dWorldCreate();
    ksWrenchTerm pair[LINKS][2] = {{{0}}};
    dWorldSetGravity(world, 0, 0, -gravity);
    for (int i = 0; i < LINKS; i++) {
        const dBodyID link = addBar(world, 1, (const double[2]){0.4 * i, 0}, (const double[2]){0.4 * (i + 1), 0});
        for (int side = 0; side < 2; side++) {
            pair[i][side] = (ksWrenchTerm){.joint = dJointCreateHinge(world, 0), .body = link};
            dJointAttach(pair[i][side].joint, link, i ? pair[i - 1][0].body : NULL);
            dJointSetHingeAnchor(pair[i][side].joint, 0.4 * i, side ? 0.05 : -0.05, 0);
            dJointSetHingeAxis(pair[i][side].joint, 0, 1, 0);
        }
    }
    ksInspector *inspector = inspect(world);
    double apart[LINKS][3] = {{0}}, bar[LINKS] = {0}, load[LINKS] = {0};
    double half[LINKS][3] = {{0}}, halfBar[LINKS] = {0};
    int known = 0;
    for (int i = 0; i < WINDOW * WINDOWS; i++) {
        CHECK_OK(ksInspectorStep(inspector, coarse));
        for (int j = 0; j < LINKS; j++) {
            ksWrenchSum sum[2];
            CHECK_OK(ksInspectorSumWrenches(inspector, pair[j], 2, KS_PHYSICAL, NULL, &sum[0]));
            CHECK_OK(ksInspectorSumWrenches(inspector, pair[j], 2, KS_ENGINE, NULL, &sum[1]));
            const ksReaction *one = ksInspectorGetReaction(inspector, pair[j][0].joint);
            for (int k = 0; k < 3; k++) {
                apart[j][k] += sum[1].wrench.force[k] - sum[0].wrench.force[k];
                half[j][k] += 0.5 * sum[1].wrench.force[k] - one->shared[0].force[k];
            }
            bar[j] += length3(sum[0].bar.force);
            halfBar[j] +=
                length3((const double[3]){one->row[0].sharedBar, one->row[1].sharedBar, one->row[2].sharedBar});
            load[j] += length3(sum[1].wrench.force);
            if (i % WINDOW < WINDOW - 1)
                continue;
            const bool counts = i >= SKIPPED * WINDOW;
            ck_assert_msg(!counts || length3(apart[j]) <= bar[j] + resolved * load[j],
                          "window %d, link %d: %g apart, bar %g", i / WINDOW, j, length3(apart[j]) / WINDOW,
                          bar[j] / WINDOW);
            // NaN: a step of the window has no shared value
            ck_assert_msg(!counts || !(length3(half[j]) > halfBar[j] + resolved * load[j]),
                          "window %d, link %d: %g apart, bar %g", i / WINDOW, j, length3(half[j]) / WINDOW,
                          halfBar[j] / WINDOW);
            known += isfinite(halfBar[j]);
            memset(apart[j], 0, sizeof apart[j]);
            memset(half[j], 0, sizeof half[j]);
            bar[j] = halfBar[j] = load[j] = 0;
        }
    }
    ck_assert_int_ge(known, LINKS * (WINDOWS - 2));  // otherwise the test proves nothing
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A seat on two ropes falls from the side: its force changes within a window, and the bar includes
 * this before the window ends. Equation (21) of docs/mechanics.md. check_trees.c has the bars of
 * trees. */
START_TEST(bars_know_the_present_window)
{
    enum { WINDOW = 32, WINDOWS = 12 };
    Scene *scene = driftSwing(NULL, h);
    ksInspector *inspector = inspect(scene->world);
    double apart[3] = {0};
    for (int i = 0; i < WINDOW * WINDOWS; i++) {
        CHECK_OK(ksInspectorStep(inspector, h));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
        for (int l = 0; l < 3; l++) {
            const ksRow *row = &reaction->row[l];
            apart[l] = (i % WINDOW ? apart[l] : 0) + (row->engine - row->physical) / WINDOW;
            ck_assert_msg(2 * fabs(apart[l]) <= row->physicalBar * (1 + 1e-9), "step %d: %g apart, bar %g", i, apart[l],
                          row->physicalBar);
        }
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Before the first window is complete, all steps count except the first. The same holds after
 * another body is attached to the seat. */
START_TEST(bars_know_a_run_from_its_beginning)
{
    enum { WINDOW = 32, HUNG = 3 * WINDOW + 5, STEPS_TAKEN = HUNG + WINDOW };
    Scene *scene = driftSwing(NULL, h);
    ksInspector *inspector = inspect(scene->world);
    double sum[3] = {0}, largest = 0;
    int count = 0;
    for (int i = 0; i < STEPS_TAKEN; i++) {
        if (i == HUNG) {
            const dBodyID last = scene->body[scene->bodyCount - 1];
            const dReal *x = dBodyGetPosition(last), *v = dBodyGetLinearVel(last);
            const dBodyID weight = addBall(scene->world, 1, 0.1, x[0], x[2]);
            dBodySetPosition(weight, x[0], x[1], x[2]);
            dBodySetLinearVel(weight, v[0], v[1], v[2]);
            const dJointID ball = dJointCreateBall(scene->world, 0);
            dJointAttach(ball, weight, last);
            dJointSetBallAnchor(ball, x[0], x[1], x[2]);
        }
        count = i == HUNG ? 0 : count;
        CHECK_OK(ksInspectorStep(inspector, h));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
        for (int l = 0; l < 3; l++) {
            const ksRow *row = &reaction->row[l];
            sum[l] = count > 1 ? sum[l] : 0;
            sum[l] += count > 0 ? row->engine - row->physical : 0;
            const double apart = count > 0 && count < WINDOW ? fabs(sum[l] / count) : 0;
            ck_assert_msg(2 * apart <= row->physicalBar * (1 + 1e-9), "step %d: %g apart, bar %g", i, apart,
                          row->physicalBar);
            largest = fmax(largest, apart);
        }
        count++;
    }
    ck_assert_double_ge(largest, 1e-2 * SCENE_GRAVITY);  // otherwise the test proves nothing
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* For any step size, the mean error over a fifth of a second is within the mean of the bars, after
 * the first second. */
START_TEST(bars_know_runs_of_any_steps)
{
    enum { STEPS_TAKEN = 3000, KNOWN = 100, MOST_JOINTS = 32 };
    const double duration = 0.2, mostOutside = 0.01;
    unsigned long long state = 1;
    Scene *scene = driftSwing(NULL, 2 * h);
    ksInspector *inspector = inspect(scene->world);
    double apart[MOST_JOINTS][3] = {{0}}, bar[MOST_JOINTS][3] = {{0}}, time = 0;
    int outside = 0, count = 0;
    ck_assert_int_le(scene->jointCount, MOST_JOINTS);
    for (int i = 0; i < STEPS_TAKEN; i++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        const double step = 2 * h * exp(1.7 * (double)(state >> 11) / 9007199254740992.0 - 1);
        CHECK_OK(ksInspectorQuickStep(inspector, step));
        time += step;
        for (int j = 0; j < scene->jointCount; j++)
            for (int l = 0; l < 3; l++) {
                const ksRow *row = &ksInspectorGetReaction(inspector, scene->joint[j])->row[l];
                apart[j][l] += step * (row->engine - row->physical);
                bar[j][l] += step * row->physicalBar;
                if (time < duration)
                    continue;
                count += i > KNOWN;
                outside += i > KNOWN && fabs(apart[j][l]) > bar[j][l];
                apart[j][l] = bar[j][l] = 0;
            }
        time = time < duration ? time : 0;
    }
    printf("%d of %d means beyond their bars\n", outside, count);
    ck_assert_int_le(outside, (int)(mostOutside * count));
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A heavy load on a light crane, a tree: its velocities leave its forces undetermined, so the
 * engine's forces replace them. After a window the mean physical force is the engine's mean, which
 * explains the motion. */
START_TEST(trees_follow_the_motion)
{
    enum { WINDOW = 32, SEEN = 2, WINDOWS = 14, MOST_JOINTS = 64 };
    static const double most = 0.02; /* of the engine's own mean, in the median of joints and windows */
    dRandSetSeed(7);
    Scene *scene = driftCrane(&sceneSurface[0], h);
    ksInspector *inspector = inspect(scene->world);
    double apart[MOST_JOINTS][3] = {{0}}, load[MOST_JOINTS][3] = {{0}}, found[WINDOWS * MOST_JOINTS];
    size_t count = 0;
    ck_assert_int_le(scene->jointCount, MOST_JOINTS);
    for (int i = 0; i < WINDOW * WINDOWS; i++) {
        sceneBeforeStep(scene);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        for (int j = 0; j < scene->jointCount; j++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[j]);
            for (int k = 0; k < 3; k++) {
                apart[j][k] += reaction->engine[0].force[k] - reaction->physical[0].force[k];
                load[j][k] += reaction->engine[0].force[k];
            }
            if (i % WINDOW < WINDOW - 1)
                continue;
            if (i >= SEEN * WINDOW)
                found[count++] = length3(apart[j]) / length3(load[j]);
            memset(apart[j], 0, sizeof apart[j]);
            memset(load[j], 0, sizeof load[j]);
        }
        sceneAfterStep(scene);
    }
    qsort(found, count, sizeof *found, ascending);
    ck_assert_double_le(found[count / 2], most);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* 50 kg on ten links of 1 kg, released half a radian from the vertical: the force of the top
 * joint. */
static dWorldID swing(dJointID *top)
{
    enum { LINKS = 10 };
    static const double length = 0.1, lean = 0.5, load = 50;
    dWorldID world = heavyWorld();
    dBodyID above = NULL;
    dWorldSetGravity(world, -gravity * sin(lean), 0, -gravity * cos(lean));
    for (int i = 0; i <= LINKS; i++) {
        const double width = i < LINKS ? 0.02 : 0.3, height = i < LINKS ? length : 0.3, z = -length * i;
        dBodyID body = addBox(world, i < LINKS ? 1 : load, (const double[3]){width, width, height}, 1);
        dBodySetPosition(body, 0, 0, z - 0.5 * height);
        dJointID hinge = dJointCreateHinge(world, NULL);
        dJointAttach(hinge, body, above);
        dJointSetHingeAnchor(hinge, 0, 0, z);
        dJointSetHingeAxis(hinge, 0, 1, 0);
        *top = i ? *top : hinge;
        above = body;
    }
    return world;
}

/* Velocities leave a tree's forces undetermined by more than the load. The engine explains the
 * motion, so its error is smaller, and so are the bars. A twin in small steps swings like the
 * machine, since the heavy bodies are equal. */
START_TEST(bars_of_trees_that_follow_the_motion)
{
    enum { SEEN = 64, COUNT = 300, PARTS = 25 };
    static const double covered = 0.9, mostMedian = 1; /* of the twin's own force */
    dJointID top, same;
    dWorldID world = swing(&top), twin = swing(&same);
    dJointFeedback feedback;
    ksInspector *inspector = inspect(world);
    double bars[COUNT];
    int within = 0, adopted = 0, count = 0;
    dRandSetSeed(7);
    dJointSetFeedback(same, &feedback);
    for (int i = 0; i < SEEN + COUNT; i++) {
        double force[3] = {0}, off[3], size, bar = 0;
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        for (int part = 0; part < PARTS; part++) {
            ck_assert_int_eq(dWorldStep(twin, h / PARTS), 1);
            for (int k = 0; k < 3; k++)
                force[k] += feedback.f1[k] / PARTS;
        }
        if (i < SEEN)
            continue;
        const ksReaction *reaction = ksInspectorGetReaction(inspector, top);
        for (int k = 0; k < 3; k++)
            off[k] = reaction->physical[0].force[k] - force[k];
        for (int l = 0; l < reaction->rowCount; l++)
            bar += reaction->row[l].physicalBar * length3(reaction->row[l].jacobian[0]);
        size = length3(force);
        within += length3(off) <= bar;
        adopted += (reaction->reasons & KS_REASON_ADOPTED) != 0;
        bars[count++] = bar / size;
    }
    qsort(bars, (size_t)count, sizeof *bars, ascending);
    printf("bars of trees: median %.2g, %d of %d steps within, %d adopted\n", bars[count / 2], within, count, adopted);
    ck_assert_int_ge(adopted, COUNT / 2);
    ck_assert_int_ge(within, (int)(covered * COUNT));
    ck_assert_double_le(bars[count / 2], mostMedian);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
    dWorldDestroy(twin);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("noise");
    tcase_add_test(test, each_step_is_within_its_bar);
    tcase_add_test(test, runs_go_on_among_others);
    tcase_add_test(test, sums_know_the_run);
    tcase_add_test(test, sums_leave_out_how_joints_share);
    tcase_add_test(test, sums_of_pairs_are_within_their_bars);
    tcase_add_test(test, bars_know_the_present_window);
    tcase_add_test(test, bars_know_a_run_from_its_beginning);
    tcase_add_test(test, bars_know_runs_of_any_steps);
    tcase_add_test(test, trees_follow_the_motion);
    tcase_add_test(test, bars_of_trees_that_follow_the_motion);
    return runCase("noise", test);
}

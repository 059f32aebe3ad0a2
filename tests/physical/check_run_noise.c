/* check_run_noise.c  Bars of a drifted loop whose load varies under dWorldStep: the variation of
 * the load is not noise and not in the bars, and the mean force of the motion is within them. A run
 * that was interrupted does not shorten bars. */
#include "tests/kits/support.h"

#include "demos/scenes/drift.h"

#include <string.h>

static const double h = 0.005;
enum { FIRST = 40, WINDOW = 40, WINDOWS = 4, MOST_JOINTS = 400 }; /* steps */

/* Of joint-steps with a bar above the load: a net of light bars that swings and is pulled tight. If
 * bars contained the deviation of loads from a line, a third would be above. */
static const double mostAbove = 0.1;

static const DriftScene *sceneOf(const char *name)
{
    const DriftScene *scene = driftScenes;
    while (scene->name && strcmp(scene->name, name) != 0)
        scene++;
    return scene;
}

/* Over a window: differences of forces, bars, and a shift by half a step in time, which changes a
 * mean without an error. */
typedef struct Sum {
    double apart[3], bar, first[3], last[3];
} Sum;

static void add(const ksReaction *r, bool isFirst, Sum *sum)
{
    for (int k = 0; k < 3; k++) {
        const double force = r->physical[0].force[k];
        sum->apart[k] += (r->engine[0].force[k] - force) / WINDOW;
        sum->first[k] = isFirst ? force : sum->first[k];
        sum->last[k] = force;
    }
    for (int l = 0; l < r->rowCount; l++)
        sum->bar += r->row[l].physicalBar * length3(r->row[l].jacobian[0]) / WINDOW;
}

static bool isCovered(const Sum *sum)
{
    double ends[3];
    for (int k = 0; k < 3; k++)
        ends[k] = (sum->last[k] - sum->first[k]) / (2 * WINDOW);
    return length3(sum->apart) <= sum->bar + length3(ends);
}

START_TEST(a_load_that_varies_is_no_noise)
{
    static Sum sum[MOST_JOINTS];
    const DriftScene *kind = sceneOf("net");
    Scene *scene = kind->make(NULL, h);
    ck_assert_ptr_nonnull(scene);
    ck_assert_int_le(scene->jointCount, MOST_JOINTS);
    ksInspector *inspector = inspect(scene->world);
    int above = 0, all = 0;
    for (int i = 0; i < FIRST + WINDOW * WINDOWS; i++) {
        const int place = (i - FIRST) % WINDOW;
        CHECK_OK(ksInspectorStep(inspector, h));
        for (int j = 0; i >= FIRST && j < scene->jointCount; j++) {
            const ksReaction *r = ksInspectorGetReaction(inspector, scene->joint[j]);
            sum[j] = place == 0 ? (Sum){.bar = 0} : sum[j];
            add(r, place == 0, &sum[j]);
            above += r->physicalErrorBar > 1;
            all++;
            if (place == WINDOW - 1)
                ck_assert_msg(isCovered(&sum[j]), "joint %d at step %d: %g N apart, bar %g N", j, i,
                              length3(sum[j].apart), sum[j].bar);
        }
    }
    ck_assert_double_le(above, mostAbove * all);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* While a machine sleeps, its load may change, so a run that sleep interrupts is over. In the first step after it, a drifted
 * net that is pulled upwards has the values and bars of an inspector that begins there. */
START_TEST(an_interrupted_run_is_over)
{
    enum { BEFORE = 80, PAUSE = 5 };
    const double pull = 100;  // N
    ksInspector *inspector[2] = {NULL, NULL};
    Scene *scene[2];
    for (int late = 0; late < 2; late++) {
        Scene *own = scene[late] = sceneOf("net")->make(NULL, h);
        ck_assert_ptr_nonnull(own);
        if (!late)
            inspector[0] = inspect(own->world);
        dRandSetSeed(1);
        for (int i = 0; i < BEFORE + PAUSE; i++) {
            for (int b = 0; i == BEFORE && b < own->bodyCount; b++)
                dBodyDisable(own->body[b]);
            if (late)
                ck_assert(dWorldQuickStep(own->world, h));
            else
                CHECK_OK(ksInspectorQuickStep(inspector[0], h));
        }
        for (int b = 0; b < own->bodyCount; b++) {
            dBodyEnable(own->body[b]);
            dBodyAddForce(own->body[b], 0, 0, pull);
        }
        if (late)
            inspector[1] = inspect(own->world);
        CHECK_OK(ksInspectorQuickStep(inspector[late], h));
    }
    for (int j = 0; j < scene[0]->jointCount; j++) {
        const ksReaction *past = ksInspectorGetReaction(inspector[0], scene[0]->joint[j]);
        const ksReaction *fresh = ksInspectorGetReaction(inspector[1], scene[1]->joint[j]);
        ck_assert_double_gt(fresh->physicalErrorBar, 0);
        ck_assert_double_eq(past->physicalErrorBar, fresh->physicalErrorBar);
        for (int k = 0; k < 3; k++)
            ck_assert_double_eq(past->physical[0].force[k], fresh->physical[0].force[k]);
    }
    for (int late = 0; late < 2; late++) {
        ksInspectorDestroy(inspector[late]);
        sceneDestroy(scene[late]);
    }
}
END_TEST

/* The pivot's force on a pendulum of two equal links that move as one, in the present state. */
static void pivotForce(const Scene *scene, double force[3])
{
    dMass link;
    const double *along = dBodyGetPosition(scene->body[1]), *first = dBodyGetPosition(scene->body[0]);
    const double rate = dBodyGetAngularVel(scene->body[0])[1];
    double arm[3], inertia = 0;
    for (int b = 0; b < 2; b++) {
        const double *at = dBodyGetPosition(scene->body[b]);
        dBodyGetMass(scene->body[b], &link);
        inertia += link.I[5] + link.mass * (at[0] * at[0] + at[2] * at[2]);
    }
    for (int k = 0; k < 3; k++)
        arm[k] = (along[k] + first[k]) / 2;
    const double mass = 2 * link.mass, growth = mass * SCENE_GRAVITY * arm[0] / inertia;
    force[0] = mass * (growth * arm[2] - rate * rate * arm[0]);
    force[1] = 0;
    force[2] = mass * (-growth * arm[0] - rate * rate * arm[2] + SCENE_GRAVITY);
}

/* A pendulum of two links swings. The host sets a velocity of its lower link that the joint between
 * the links forbids: a weld, or a hinge that a motor holds. dWorldStep removes this velocity in one
 * step. This blow does not lengthen the bars of later steps. */
START_TEST(a_push_is_no_error)
{
    enum { PUSH = 45, STEPS = 200 };
    // of the load, which falls to a third by the push; N.m; m/s
    const double longest = 0.05, gaps = 1e-4, strength = 1e4, speed = 1;
    Scene *scene = sceneChain(2, SCENE_FALLING);
    ck_assert_ptr_nonnull(scene);
    if (_i) {
        dJointSetHingeParam(scene->joint[1], dParamFMax, strength);
    } else {
        dJointDestroy(scene->joint[1]);
        scene->joint[1] = dJointCreateFixed(scene->world, NULL);
        dJointAttach(scene->joint[1], scene->body[1], scene->body[0]);
        dJointSetFixed(scene->joint[1]);
    }
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < STEPS; i++) {
        double force[3];
        if (i == PUSH)
            dBodySetLinearVel(scene->body[1], speed, 0, -speed);
        pivotForce(scene, force);
        CHECK_OK(ksInspectorStep(inspector, h));
        const ksReaction *r = ksInspectorGetReaction(inspector, scene->joint[0]);
        if (i == PUSH)
            continue;
        ck_assert_double_le(distance3(r->physical[0].force, force), (r->physicalErrorBar + gaps) * length3(force));
        ck_assert_msg(r->physicalErrorBar <= longest, "step %d: bar %g", i, r->physicalErrorBar);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("run_noise");
    tcase_add_test(test, a_load_that_varies_is_no_noise);
    tcase_add_test(test, an_interrupted_run_is_over);
    tcase_add_loop_test(test, a_push_is_no_error, 0, 2);
    return runCase("run_noise", test);
}

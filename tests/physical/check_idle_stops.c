/* check_idle_stops.c  Stops that carry nothing by the engine's report. The mechanism stands on such
 * a stop nonetheless, unless it leaves it. */
#include "tests/kits/support.h"

#include "tests/kits/stopped_kit.h"

static const double h = 1. / 256;
static const double weight = 9.695359714832658; /* N: of a link, by the gravity of stopped_kit.h */
static const double idle = 1e-9;                /* of the weight: a stop that the solver has not reached */
static const double settled = 1e-6;             /* of the weight: arms are at rest to this */
static const double mostBar = 0.1;              /* of the weight */
enum { SETTLING = 1500, ITERATIONS = 20, KINDS = 8 /* of these joints have stops */ };

/* An arm at rest on its stops. */
static ksInspector *settle(const Scene *scene)
{
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < SETTLING; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    dWorldSetQuickStepNumIterations(scene->world, ITERATIONS);
    return inspector;
}

/* Its stops that carry nothing by the report. */
static int countIdle(const ksReaction *r)
{
    int count = 0;
    for (int l = 0; l < r->rowCount; l++)
        count += r->row[l].kind == KS_ROW_STOP && fabs(r->row[l].engine) < idle * weight;
    return count;
}

/* The size of the physical force, and its bar; N. */
static double forceOf(const ksReaction *r, double *bar)
{
    const double *force = r->physical[0].force;
    *bar = 0;
    for (int l = 0; l < r->rowCount; l++)
        *bar += r->row[l].physicalBar *
                hypot(hypot(r->row[l].jacobian[0][0], r->row[l].jacobian[0][1]), r->row[l].jacobian[0][2]);
    return hypot(hypot(force[0], force[1]), force[2]);
}

/* Its solver begins from nothing, and in a few iterations does not reach all stops: the outer link
 * weighs on its joint as before. */
START_TEST(stops_that_the_solver_forgets)
{
    const StoppedKind *kind = &stoppedKinds[_i / 2];
    if (kind->create == dJointCreateHinge2)
        return;  // its second axis has no stops: it swings
    Scene *scene = makeStopped(kind, _i % 2 ? -1 : 1, 0);
    int count = 0;
    double bar;
    ksInspector *inspector = settle(scene);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    for (int i = 0; i < scene->jointCount; i++)
        count += countIdle(ksInspectorGetReaction(inspector, scene->joint[i]));
    const double force = forceOf(ksInspectorGetReaction(inspector, scene->joint[scene->jointCount - 1]), &bar);
    ck_assert_msg(fabs(force - weight) <= bar + settled * weight, "%s, %d idle stops: %g N, bar %g N", kind->name,
                  count, force, bar);
    ck_assert_double_le(bar, mostBar * weight);
    if (_i < 4)
        ck_assert_int_gt(count, 0);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* The same on sliders, whose outer link leaves its stop at a share of the speed that its weight
 * takes back in the step. It falls back onto the stop within the step if that is less than half. */
START_TEST(stops_that_are_left)
{
    static const struct {
        double share;
        int stands;
    } cases[] = {{0.1, 1}, {0.3, 1}, {3, 0}};
    static const double along[3] = {0.6, 0, 0.8};
    static const double onStop = 5.4; /* N: of the weight, along the axis */
    Scene *scene = makeStopped(&stoppedKinds[1], 1, 0);
    const dBodyID last = scene->body[scene->bodyCount - 1];
    const double speed = cases[_i].share * onStop * h; /* of 1 kg */
    ksInspector *inspector = settle(scene);
    dBodySetLinearVel(last, speed * along[0], 0, speed * along[2]);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    const ksReaction *r = ksInspectorGetReaction(inspector, scene->joint[scene->jointCount - 1]);
    ck_assert_int_eq(countIdle(r), 1);
    const ksRow *stop = &r->row[r->rowCount - 1];
    const double most = 2 * cases[_i].share * onStop; /* it has not stood on it for so long */
    ck_assert_double_eq_tol(fabs(stop->physical), cases[_i].stands ? onStop : 0, settled * weight);
    ck_assert_double_eq_tol(stop->physicalBar, cases[_i].stands ? most : 0, settled * weight);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A load of 1 kg is beyond its stop, moves away from it, and is drawn away by more than its weight.
 * The engine pushes it, to correct the error; the mechanism does not touch the stop. */
START_TEST(a_push_that_corrects_the_joint)
{
    static const double beyond = 0.01, speed = 0.01, weightOfLoad = 9.81; /* m, m/s, N */
    const double away = _i < 2 ? 1 : -1;
    const dWorldID world = dWorldCreate();
    dMass mass;
    dWorldSetGravity(world, 0, 0, -away * weightOfLoad);
    const dBodyID load = dBodyCreate(world);
    dMassSetBoxTotal(&mass, 1, 0.2, 0.3, 0.4);
    dBodySetMass(load, &mass);
    const dJointID slider = dJointCreateSlider(world, NULL);
    dJointAttach(slider, load, NULL);
    dJointSetSliderAxis(slider, 0, 0, 1);
    dJointSetSliderParam(slider, dParamLoStop, -stopAt);
    dJointSetSliderParam(slider, dParamHiStop, stopAt);
    dBodySetPosition(load, 0, 0, -away * (stopAt + beyond));
    dBodySetLinearVel(load, 0, 0, away * speed);
    dBodyAddForce(load, 0, 0, away * 2 * weightOfLoad);
    ksInspector *inspector = inspect(world);
    CHECK_OK(_i % 2 ? ksInspectorQuickStep(inspector, h) : ksInspectorStep(inspector, h));
    const ksReaction *r = ksInspectorGetReaction(inspector, slider);
    const ksRow *stop = &r->row[r->rowCount - 1];
    ck_assert_int_eq(stop->kind, KS_ROW_STOP);
    ck_assert_double_gt(fabs(stop->engine), weightOfLoad);
    ck_assert_double_le(fabs(stop->physical), settled * weightOfLoad);
    ck_assert_double_le(stop->physicalBar, settled * weightOfLoad);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("idle stops");
    tcase_add_loop_test(test, stops_that_the_solver_forgets, 0, 2 * KINDS);
    tcase_add_loop_test(test, stops_that_are_left, 0, 3);
    tcase_add_loop_test(test, a_push_that_corrects_the_joint, 0, 4);
    return runCase("stops that carry nothing by the report", test);
}

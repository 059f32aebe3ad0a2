/* check_departure.c  The distance of means from the means of the ideal mechanism, for machines that
 * dWorldQuickStep(20) shakes, against closed forms and twins of the machine. */
#include "tests/kits/inside_kit.h"
#include "tests/kits/support.h"

#include "demos/scenes/drift_private.h"
#include "tests/bench/truth/machines.h"
#include "tests/bench/truth/twin.h"

#include <float.h>

static const double window = 0.15;      /* s: the default */
static const double stepSize = 5e-3;    /* s */
static const double rounding = 1e-9;    /* of sums over steps, of the load */
static const double mostOutside = 0.01; /* of a machine's windows: a departure is only an estimate */
enum { SEAT_LINKS = 10, MOST_STEPS = 512, MOST_JOINTS = 32 };

static double norm3(const double v[3])
{
    return distance3(v, (const double[3]){0});
}

/* --- Machines at rest, whose joints carry the weight below them --- */

static double massOf(dBodyID body)
{
    dMass mass;
    dBodyGetMass(body, &mass);
    return mass.mass;
}

static int weight(const Scene *scene, int joint, double mass, DriftForce *out)
{
    *out = (DriftForce){.body = scene->body[joint],
                        .count = 3,
                        .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                        .value = {0, 0, mass * SCENE_GRAVITY}};
    return 1;
}

/* A force sensor of 0.05 kg, welded between the wall and a beam of 3 kg. */
static Scene *sensorAndBeam(const SceneSurface *surface, double h)
{
    (void)surface, (void)h;
    Scene *scene = sceneCreate(2, 2);
    ck_assert_ptr_nonnull(scene);
    dBodyID sensor = sceneAddBar(scene, 0.05, (const double[3]){0, 0, 0}, (const double[3]){0.5, 0, 0});
    sceneAddFixed(scene, sensor, NULL);
    sceneAddFixed(scene, sceneAddBar(scene, 3, (const double[3]){0.5, 0, 0}, (const double[3]){1, 0, 0}), sensor);
    return scene;
}

static int weightBeyond(const Scene *scene, int joint, DriftForce *out)
{
    double mass = 0;
    for (int i = joint; i < scene->bodyCount; i++)
        mass += massOf(scene->body[i]);
    return weight(scene, joint, mass, out);
}

/* A seat of 20 kg on two ropes of ten links of 0.1 kg that hang straight down: a loop. Joints: each
 * rope from the top; then the seat's joint to the second rope. */
static Scene *seatOnRopes(const SceneSurface *surface, double h)
{
    const double half = 0.3, link = 0.15, bottom = -SEAT_LINKS * link;
    (void)surface, (void)h;
    Scene *scene = sceneCreate(2 * SEAT_LINKS + 1, 2 * SEAT_LINKS + 2);
    ck_assert_ptr_nonnull(scene);
    dBodyID end[2] = {NULL, NULL};
    for (int rope = 0; rope < 2; rope++)
        for (int i = 0; i < SEAT_LINKS; i++) {
            const double x = rope ? half : -half;
            const double top[3] = {x, 0, -i * link}, low[3] = {x, 0, -(i + 1) * link};
            dBodyID bar = sceneAddBar(scene, 0.1, top, low);
            sceneAddBall(scene, bar, end[rope], top);
            end[rope] = bar;
        }
    dBodyID seat = sceneAddBox(scene, 20, 0, 0, bottom - 0.05, (const double[3]){2 * half, 0.3, 0.1});
    sceneAddBall(scene, seat, end[0], (const double[3]){-half, 0, bottom});
    sceneAddBall(scene, seat, end[1], (const double[3]){half, 0, bottom});
    return scene;
}

/* A joint of a rope carries half of the seat, and the links below. */
static int weightOfRope(const Scene *scene, int joint, DriftForce *out)
{
    if (joint >= 2 * SEAT_LINKS)
        return 0;
    const int below = SEAT_LINKS - joint % SEAT_LINKS;
    return weight(scene, joint, massOf(scene->body[2 * SEAT_LINKS]) / 2 + below * massOf(scene->body[0]), out);
}

/* --- A run --- */

typedef struct Machine {
    const char *name; /* scene with a closed form; or NULL, and: */
    Scene *(*make)(const SceneSurface *surface, double stepSize);
    int (*force)(const Scene *scene, int joint, DriftForce *out);
    double from, to;
    double most; /* largest median of the departure over the load */
} Machine;

/* Sums of the closed form over the first steps, and its value at the start of each. */
typedef struct Forms {
    double sum[MOST_STEPS + 1][3], now[MOST_STEPS + 1][3];
    int first; /* first step with a departure */
    double ratio[MOST_STEPS];
    int count, outside; /* number of windows */
} Forms;

static void addForm(const Machine *machine, const Scene *scene, int joint, int step, Forms *forms)
{
    DriftForce form;
    const bool is = machine->force(scene, joint, &form) && form.count == 3;
    memcpy(forms->sum[step + 1], forms->sum[step], sizeof *forms->sum);
    memset(forms->now[step], 0, sizeof *forms->now);
    if (!is)
        forms->first = step + 1;
    for (int c = 0; is && c < 3; c++)
        for (int k = 0; k < 3; k++) {
            forms->now[step][k] += form.value[c] * form.axis[c][k];
            forms->sum[step + 1][k] += form.value[c] * form.axis[c][k];
        }
}

/* The closed form is for the start of a step, the engine's force for the whole step: half a step at
 * either end of a window is not resolved. */
static void checkWindow(const ksReaction *reaction, int side, int step, Forms *forms)
{
    const int steps = (int)lround(reaction->meanTime / stepSize), first = step + 1 - steps;
    double form[3], ends[3];
    if (reaction->meanTime < window * (1 - rounding) || first < forms->first)
        return;
    for (int k = 0; k < 3; k++) {
        form[k] = (forms->sum[step + 1][k] - forms->sum[first][k]) / steps;
        ends[k] = (forms->now[step][k] - forms->now[first][k]) / (2 * steps);
    }
    const double load = norm3(form), departure = norm3(reaction->departure.force);
    forms->outside += distance3(reaction->mean[side].force, form) > departure + norm3(ends) + rounding * load;
    forms->ratio[forms->count++] = departure / load;
}

static void checkMachine(const Machine *machine)
{
    static Forms forms[MOST_JOINTS];
    const int steps = (int)lround(machine->to / stepSize);
    Scene *scene = machine->make(&sceneSurface[SURFACE_APPROX1], stepSize);
    ck_assert_ptr_nonnull(scene);
    ck_assert_int_le(steps, MOST_STEPS);
    ck_assert_int_le(scene->jointCount, MOST_JOINTS);
    ksInspector *inspector = inspectWith(scene->world, NULL);
    memset(forms, 0, sizeof forms);
    dRandSetSeed(1);
    for (int i = 0; i < steps; i++) {
        sceneBeforeStep(scene);
        for (int j = 0; j < scene->jointCount; j++)
            addForm(machine, scene, j, i, &forms[j]);
        ck_assert_int_eq(ksInspectorQuickStep(inspector, stepSize), KS_OK);
        for (int j = 0; j < scene->jointCount && i * stepSize >= machine->from; j++) {
            DriftForce form;
            const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[j]);
            if (forms[j].first <= i && machine->force(scene, j, &form))
                checkWindow(reaction, reaction->body[0] == form.body ? 0 : 1, i, &forms[j]);
        }
        sceneAfterStep(scene);
    }
    int windows = 0, outside = 0;
    for (int j = 0; j < scene->jointCount; j++) {
        if (!forms[j].count)
            continue;
        windows += forms[j].count;
        outside += forms[j].outside;
        qsort(forms[j].ratio, (size_t)forms[j].count, sizeof *forms[j].ratio, ascending);
        ck_assert_double_le(forms[j].ratio[forms[j].count / 2], machine->most);
    }
    ck_assert_double_le(outside, mostOutside * windows);
    ck_assert_int_gt(windows, 0);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}

/* 3 % is the limit for a machine whose motion follows the mechanism. The motion of the whipping
 * chain does not. */
static const Machine machines[] = {
    {"turning-arm", NULL, NULL, 0.2, 2, 0.03},       {"carousel", NULL, NULL, 0.2, 2, 0.03},
    {"swinging-chain", NULL, NULL, 0.2, 2, 0.05},    {"pendulum", NULL, NULL, 0.2, 2, 0.03},
    {NULL, sensorAndBeam, weightBeyond, 0, 2, 0.03}, {NULL, seatOnRopes, weightOfRope, 0.5, 2.5, 0.03},
};

START_TEST(within_closed_forms)
{
    Machine machine = machines[_i];
    if (machine.name) {
        const DriftScene *kind = driftScene(machine.name);
        ck_assert_ptr_nonnull(kind);
        machine.make = kind->make;
        machine.force = kind->force;
    }
    checkMachine(&machine);
}
END_TEST

/* The seat falls against its ropes: from the first step on, and when that happens in the middle of a window, the means are
 * no farther from the weight than their departures. */
START_TEST(set_in_motion)
{
    enum { STEPS = 48, AGAIN = 40 };
    const double speed = 0.3;  // m/s
    Scene *scene = seatOnRopes(NULL, stepSize);
    ksInspector *inspector = inspectWith(scene->world, NULL);
    dWorldSetQuickStepNumIterations(scene->world, _i ? 20 : 200);
    dRandSetSeed(1);
    for (int i = 0; i < STEPS; i++) {
        if (i % AGAIN == 0)
            dBodySetLinearVel(scene->body[2 * SEAT_LINKS], 0, 0, -speed);
        ck_assert_int_eq(ksInspectorQuickStep(inspector, stepSize), KS_OK);
        for (int j = 0; j < 2 * SEAT_LINKS; j++) {
            DriftForce form;
            const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[j]);
            ck_assert_int_eq(weightOfRope(scene, j, &form), 1);
            ck_assert_double_le(fabs(reaction->mean[0].force[2] - form.value[2]),
                                reaction->departure.force[2] + rounding * form.value[2]);
        }
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* --- Beside a twin: see tests/bench/truth/twin.h --- */

static const double mostAway = 0.1; /* radii of gyration: a twin that gets farther away has made another motion */

/* Whether the mean is farther from the twin's than the departure says; half a step at either end is not resolved. By
 * component, the effect of the host's step size on the twin does not count, either. */
static bool isOutside(const ksReaction *reaction, const TruthTwinMean *twin, bool *isComponent)
{
    const int side = !reaction->body[0];
    const double least = rounding * norm3(twin->force);
    double known[3];
    *isComponent = false;
    for (int k = 0; k < 3; k++) {
        known[k] = reaction->departure.force[k] + reaction->meanBar.force[k];
        *isComponent |= fabs(reaction->mean[side].force[k] - twin->force[k]) >
                        known[k] + fabs(twin->ends[k]) + fabs(twin->coarse[k]) + least;
    }
    return distance3(reaction->mean[side].force, twin->force) > norm3(known) + norm3(twin->ends) + least;
}

/* A machine, iterations of its steps, and the least number of windows that twins judge. */
typedef struct Twinned {
    const char *name;
    Scene *(*make)(const SceneSurface *surface, double stepSize); /* NULL: the scene of that name */
    int iterations, fewest;
} Twinned;

/* A swing on two ropes of light links, whose forbidden velocities swing within a window; a tripod,
 * whose forbidden velocities grow until the end of a window, and turn with its legs into components
 * that had none. */
static const Twinned twinned[] = {
    {"swing", NULL, 20, 100}, {"tripod", truthTripod, 20, 15}, {"tripod", truthTripod, 100, 60}};

/* One window after the other. */
START_TEST(within_twins)
{
    const Twinned *machine = &twinned[_i];
    const DriftScene own = {machine->name, 0, 0, 0.2, 2.2, machine->make, NULL, NULL};
    const TruthCase what = {.kind = machine->make ? &own : driftScene(machine->name),
                            .surface = &sceneSurface[SURFACE_APPROX1],
                            .stepSize = stepSize};
    static double time[MOST_STEPS + 1];
    const int steps = (int)lround(what.kind->to / stepSize);
    Scene *scene = what.kind->make(what.surface, stepSize);
    ck_assert_ptr_nonnull(scene);
    ck_assert_int_le(steps, MOST_STEPS);
    dWorldSetQuickStepNumIterations(scene->world, machine->iterations);
    ksInspector *inspector = inspectWith(scene->world, NULL);
    TruthTwin *twin = truthTwinOpen(&what, scene, steps);
    ck_assert_ptr_nonnull(twin);
    dRandSetSeed(1);
    int windows = 0, outside = 0, components = 0;
    for (int i = 0, last = (int)lround(what.kind->from / stepSize); i < steps; i++) {
        sceneBeforeStep(scene);
        truthTwinBefore(twin);
        ck_assert_int_eq(ksInspectorQuickStep(inspector, stepSize), KS_OK);
        time[i + 1] = time[i] + stepSize;
        truthTwinAfter(twin, inspector);
        const int first = i + 1 - (int)lround(ksInspectorGetReaction(inspector, scene->joint[0])->meanTime / stepSize);
        if (i + 1 - first >= (int)lround(window / stepSize) && first >= last) {
            truthTwinRun(twin, time, first, i + 1);
            last = i + 1;
            for (int j = 0; truthTwinAway(twin) <= mostAway && j < scene->jointCount; j++, windows++) {
                const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[j]);
                const TruthTwinMean mean = truthTwinMean(twin, j, !reaction->body[0]);
                bool isComponent;
                outside += isOutside(reaction, &mean, &isComponent);
                components += isComponent;
            }
        }
        sceneAfterStep(scene);
    }
    ck_assert_int_gt(windows, machine->fewest);
    ck_assert_double_le(outside, mostOutside * windows);
    // of few windows, one may be outside in one of its components
    ck_assert_double_le(components, fmax(mostOutside * windows, 1));
    truthTwinClose(twin);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A body spins about a principal axis that is rotated in the world: the mechanism has no gyroscopic
 * torque, so the whole torque is the stepper's. Rounding of an angular momentum that the step stops
 * does not count. About another axis the mechanism's torque is -w x I w. */
START_TEST(torque_of_the_step)
{
    const double h = _i % 2 ? 1e-3 : 0.1, side[2] = {1. / 3, 3}, moment[3] = {1, 2, 4}, speed = 7;
    const double R[9] = {0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6}, along[2][3] = {{1, 0, 0}, {0.6, 0.8, 0}};
    for (int axis = 0; axis < 2; axis++) {
        ksiBody body = {.gyroscopicMode = 1};
        double w[3], own[3] = {0}, change[3];
        for (int k = 0; k < 3; k++) {
            w[k] = speed * (R[3 * k] * along[axis][0] + R[3 * k + 1] * along[axis][1]);
            for (int m = 0; m < 3; m++)
                for (int j = 0; j < 3; j++)
                    body.inertia[3 * k + m] += R[3 * k + j] * moment[j] * R[3 * m + j];
        }
        // -w x I w is along the third axis
        for (int k = 0; k < 3; k++)
            own[k] = -R[3 * k + 2] * speed * speed * along[axis][0] * along[axis][1] * (moment[1] - moment[0]);
        const double unit = 8 * DBL_EPSILON * (moment[0] + moment[1] + moment[2]) * speed * (speed + 1 / h);
        for (int s = 0; s < 2; s++) {
            const double step = side[s] * unit;
            for (int k = 0; k < 3; k++)
                body.gyroscopic[k] = own[k] + (k == 1 ? step : 0);
            ck_assert_int_eq(insideGyroscopicChange(&body, h, w, change), s);
            ck_assert_double_eq_tol(change[1], step, 0.2 * unit);
        }
        body.gyroscopic[1] = 5;
        ck_assert_int_eq(insideGyroscopicChange(&body, h, w, change), 1);
        ck_assert_double_eq_tol(change[1], 5 - own[1], unit);
        body.gyroscopicMode = 0;
        ck_assert_int_eq(insideGyroscopicChange(&body, h, w, change), 0);
    }
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("departure");
    tcase_add_loop_test(test, within_closed_forms, 0, sizeof machines / sizeof *machines);
    tcase_add_loop_test(test, set_in_motion, 0, 2);
    tcase_add_loop_test(test, within_twins, 0, sizeof twinned / sizeof *twinned);
    tcase_add_loop_test(test, torque_of_the_step, 0, 2);
    return runCase("departure", test);
}

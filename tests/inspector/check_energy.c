/* check_energy.c  Work of rows and forces against the change of energy, and mobilities against real
 * impulses, in real worlds. */
#include "tests/kits/support.h"

/* sums of a few hundred products, each of the size of the energies */
static const double roundingTolerance = 1e-12;

static double sumsUp(const ksStepReport *report)
{
    double change = report->kineticEnergy[1] - report->kineticEnergy[0] + report->potentialChange;
    double causes = report->rowWork + report->forceWork + report->gravityDiscretisation;
    double scale = report->kineticEnergy[0] + report->kineticEnergy[1] + fabs(report->potentialChange) +
                   fabs(report->rowWork) + fabs(report->forceWork);
    return scale > 0 ? fabs(change - causes) / scale : 0;
}

/* the parts of each row add up to its work, and the rows to the report's */
static double partsAddUp(const ksInspector *inspector)
{
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    double total = 0, size = 0, worst = 0;
    for (size_t j = 0; j < count; j++) {
        double own = 0;
        for (int l = 0; l < reaction[j].rowCount; l++) {
            const ksRow *row = &reaction[j].row[l];
            double sum = 0, scale = fabs(row->work);
            for (int part = 0; part < KS_WORK_COUNT; part++) {
                sum += row->workPart[part];
                scale += fabs(row->workPart[part]);
            }
            if (scale > 0)
                worst = fmax(worst, fabs(sum - row->work) / scale);
            own += row->work;
            total += row->work;
            size += fabs(row->work);
        }
        ck_assert(reaction[j].work == own);
    }
    double rowWork = ksInspectorGetStepReport(inspector)->rowWork;
    return fmax(worst, size > 0 ? fabs(total - rowWork) / size : 0);
}

START_TEST(energy_is_booked)
{
    ksStepper stepper = _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP;
    Scene *scene = _i / 2 ? sceneZoo() : sceneChain(10, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world);
    double balance = 0, parts = 0;
    for (int i = 0; i < 500; i++) {
        sceneBeforeStep(scene);
        CHECK_OK(inspectedStep(inspector, stepper, 0.002));
        balance = fmax(balance, sumsUp(ksInspectorGetStepReport(inspector)));
        parts = fmax(parts, partsAddUp(inspector));
        sceneAfterStep(scene);
    }
    ck_assert_double_le(balance, roundingTolerance);
    ck_assert_double_le(parts, roundingTolerance);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A swinging pendulum without error correction: the anchor rows have the loss of the finite step,
 * and no other work. */
START_TEST(ideal_rows_work_by_discretisation)
{
    Plate plate = scenePlate;
    Scene *scene = scenePendulum(&plate);
    dWorldSetERP(scene->world, 0);
    ksInspector *inspector = inspect(scene->world);
    double work = 0, part = 0, change = 0;
    for (int i = 0; i < 1000; i++) {
        CHECK_OK(ksInspectorStep(inspector, 0.001));
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
        for (int l = 0; l < reaction->rowCount; l++) {
            work += reaction->row[l].work;
            part += reaction->row[l].workPart[KS_WORK_DISCRETISATION];
        }
        change += report->kineticEnergy[1] - report->kineticEnergy[0] + report->potentialChange;
    }
    ck_assert_double_lt(work, -1e-3);  // it loses energy
    // the difference is ODE's CFM, 1e-10, and its direct solver
    ck_assert_double_eq_tol(work, part, 1e-6 * fabs(work));
    // the weight's own discretisation is -h/2 m g . (v at the end - v at the start): the same order
    ck_assert_double_lt(change, 0);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Damping removes energy after the solution. */
START_TEST(damping_is_apart)
{
    Scene *scene = sceneChain(2, SCENE_FALLING);
    const double scale = 0.01;
    dWorldSetLinearDamping(scene->world, scale);
    dWorldSetAngularDamping(scene->world, scale);
    for (int i = 0; i < 2; i++)
        dBodySetDampingDefaults(scene->body[i]);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 200; i++)
        CHECK_OK(ksInspectorStep(inspector, 0.001));
    const ksStepReport *report = ksInspectorGetStepReport(inspector);
    double expected = ((1 - scale) * (1 - scale) - 1) * report->kineticEnergy[1];
    ck_assert_double_eq_tol(report->dampingWork, expected, 1e-9 * fabs(expected));
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* The velocity at the probe `at` in the present state. */
static double velocityAt(const ksBodyProbe *at)
{
    dVector3 v;
    if (at->couple)
        memcpy(v, dBodyGetAngularVel(at->body), 3 * sizeof *v);
    else
        dBodyGetPointVel(at->body, at->point[0], at->point[1], at->point[2], v);
    return v[0] * at->axis[0] + v[1] * at->axis[1] + v[2] * at->axis[2];
}

/* An impulse on a weightless chain at rest, and the velocity that it causes elsewhere: force and
 * couple, both ways. */
START_TEST(mobility_of_the_live_world)
{
    const double step = 1e-6, impulse = 1e-3;  // short, so that the velocity is read in the pose of
                                               // the blow
    Scene *struck = sceneChain(4, SCENE_FALLING);
    dWorldSetGravity(struck->world, 0, 0, 0);
    ksInspector *inspector = inspect(struck->world);
    ksBodyProbe from = {.body = struck->body[3], .point = {0.75, 0, 0}, .axis = {0, 0, 1}, .couple = _i % 2};
    ksBodyProbe at = {
        .body = struck->body[_i / 2], .point = {0.13, 0, 0}, .axis = {0, 0.6, 0.8}, .couple = _i / 2 == 1};
    if (from.couple)
        memcpy(from.axis, (double[3]){0, 1, 0}, sizeof from.axis);
    if (from.couple)
        dBodyAddTorque(from.body, 0, impulse / step, 0);
    else
        dBodyAddForceAtPos(from.body, 0, 0, impulse / step, from.point[0], from.point[1], from.point[2]);
    CHECK_OK(ksInspectorStep(inspector, step));
    double there, back;
    CHECK_OK(ksInspectorGetMobility(inspector, &at, &from, &there));
    CHECK_OK(ksInspectorGetMobility(inspector, &from, &at, &back));
    ck_assert_double_gt(fabs(there), 1e-3);
    ck_assert_double_eq_tol(there, back, roundingTolerance * fabs(there));
    // ODE's CFM yields over so short a step: 1e-10 / 1e-6 of a unit mass
    ck_assert_double_eq_tol(velocityAt(&at), there * impulse, 1e-3 * fabs(there * impulse));
    // the mobility is the same after the physical equations have replaced the system's, and 0
    // between islands
    dBodyID lonely = dBodyCreate(struck->world);
    CHECK_OK(ksInspectorStep(inspector, step));
    ksBodyProbe alone = {.body = lonely, .point = {0, 0, 0}, .axis = {1, 0, 0}};
    double none;
    CHECK_OK(ksInspectorGetMobility(inspector, &alone, &from, &none));
    ck_assert(none == 0);
    CHECK_OK(ksInspectorGetMobility(inspector, &alone, &alone, &none));
    ck_assert_double_eq_tol(none, 1, roundingTolerance);  // ODE's default mass is 1 kg
    alone.axis[0] = NAN;
    CHECK_STATUS(ksInspectorGetMobility(inspector, &alone, &from, &none), KS_ERROR_NOT_FINITE);
    ksInspectorDestroy(inspector);
    sceneDestroy(struck);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("energy");
    tcase_add_loop_test(test, energy_is_booked, 0, 4);
    tcase_add_test(test, ideal_rows_work_by_discretisation);
    tcase_add_test(test, damping_is_apart);
    tcase_add_loop_test(test, mobility_of_the_live_world, 0, 6);
    return runCase("energy", test);
}

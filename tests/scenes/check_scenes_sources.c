/* check_scenes_sources.c  The sources' examples in worlds of the engine: physical values against
 * the closed forms, the engine's own values against them as the step shrinks, and the reciprocal
 * theorem by real blows in the engine. Sources: Paulus 1910, first example; Banach X, sections 7.1
 * and 7.3; Lamb 1911, section 1. */
#include "tests/kits/support.h"

/* Rows yield under their load F: by the velocity CFM F in one step, and by CFM F h / ERP once ERP
 * holds them. */
static const double sag = 1e-8;   // N: loads of 40 N, 1e-10 s/kg, 10 ms and ERP 0.2 tilt a string of 1 m by 2e-10
static const double slip = 1e-7;  // N: 4e-9 m/s across the line's motion cause a Coriolis force of 2 m w times this
static const double rounding = 1e-12;  // of 10 N, with factors below 100
static const double settled = 0.1;     // s; by then ERP's transients have died

/* The force on a joint's first body, in the joint's axes. */
static void jointForce(const ksReaction *reaction, ksValue value, double force[3])
{
    ksWrench wrench;
    CHECK_OK(ksReactionGetWrench(reaction, value, 0, KS_FRAME_JOINT, KS_POINT_MASS_CENTRE, &wrench));
    memcpy(force, wrench.force, sizeof wrench.force);
}

static void inspectedSceneStep(Scene *scene, ksInspector *inspector, double h)
{
    sceneBeforeStep(scene);
    CHECK_OK(ksInspectorStep(inspector, h));
    sceneAfterStep(scene);
}

/* --- strings */

typedef double TensionFn(const void *shape, int side);

static double inclineTension(const void *shape, int side)
{
    return planesTension(shape, side);
}

static double drumTension(const void *shape, int side)
{
    return pulleyTension(shape, side);
}

/* Largest distances of the tensions, by ksValue; physical from the first step on. The strings pull
 * along their joint's first axis and in no other direction. */
static void followStrings(Scene *scene, const void *shape, TensionFn *tension, double duration, double h,
                          double worst[3])
{
    ck_assert_ptr_nonnull(scene);
    ksInspector *inspector = inspect(scene->world);
    worst[0] = worst[1] = worst[2] = 0;
    for (int i = 0; i * h < duration; i++) {
        inspectedSceneStep(scene, inspector, h);
        for (int side = 0; side < STRING_COUNT; side++) {
            const ksReaction *string = ksInspectorGetReaction(inspector, scene->joint[side]);
            ck_assert_str_eq(ksVerdictName(string->verdict), "KS_VALID");
            ck_assert_int_eq(string->physicalSource, KS_FROM_GEOMETRY);
            for (int v = KS_ENGINE; v <= KS_PHYSICAL; v++) {
                double force[3];
                jointForce(string, (ksValue)v, force);
                ck_assert_double_gt(force[0], 0);
                ck_assert_double_le(hypot(force[1], force[2]), rounding * force[0]);
                if (v == KS_PHYSICAL || string->time > settled)
                    worst[v] = fmax(worst[v], fabs(force[0] - tension(shape, side)));
            }
        }
    }
    ksInspectorDestroy(inspector);
}

/* Newton's law for each body by itself, and, without a pulley, the table of the source. */
START_TEST(incline_formulas)
{
    Planes planes = scenePlanes;
    planes.inertia = _i ? 0.03 : 0;
    double a = planesAcceleration(&planes), g = SCENE_GRAVITY;
    const double *m = planes.mass, *slope = planes.slope;
    double first = planesTension(&planes, STRING_FIRST), second = planesTension(&planes, STRING_SECOND);
    ck_assert_double_eq_tol(m[0] * a, m[0] * g * sin(slope[0]) - first, rounding);
    ck_assert_double_eq_tol(m[1] * a, second - m[1] * g * sin(slope[1]), rounding);
    ck_assert_double_eq_tol(planes.inertia * a / planes.radius, planes.radius * (first - second), rounding);
    if (!_i)
        ck_assert_double_eq_tol(first, m[0] * m[1] * g * (sin(slope[0]) + sin(slope[1])) / (m[0] + m[1]), rounding);
}
END_TEST

START_TEST(incline_follows_paulus)
{
    const double engineTolerance = 1e-7;  // N: rounding over the pulley's share of the mass, 2e-7
    const Planes *planes = &scenePlanes;
    double worst[3];
    Scene *scene = sceneIncline(planes);
    followStrings(scene, planes, inclineTension, 0.8, 4e-3, worst);
    ck_assert_double_le(worst[KS_PHYSICAL], sag);
    ck_assert_double_le(worst[KS_ENGINE], engineTolerance);
    ck_assert_double_le(worst[KS_CONVERGED], engineTolerance);

    // n steps from rest move by h^2 n (n + 1) / 2 of the acceleration
    double length, rate, steps = (double)scene->step;
    stringState(scene, STRING_FIRST, &length, &rate);
    ck_assert_double_eq_tol(length - planes->length[STRING_FIRST],
                            planesAcceleration(planes) * 4e-3 * 4e-3 * steps * (steps + 1) / 2, 1e-8);
    sceneDestroy(scene);
}
END_TEST

START_TEST(incline_planes_and_axle)
{
    const Planes *planes = &scenePlanes;
    Scene *scene = sceneIncline(planes);
    ksInspector *inspector = inspect(scene->world);
    double axle[3] = {0, 0, 0};
    for (int i = 0; i < 100; i++)
        inspectedSceneStep(scene, inspector, 4e-3);
    for (int side = 0; side < STRING_COUNT; side++) {
        const ksReaction *plane = ksInspectorGetReaction(inspector, scene->joint[PLANE_FIRST + side]);
        int sign = side ? -1 : 1;
        double n = planesNormal(planes, side), slope = planes->slope[side], t = planesTension(planes, side);
        const double normal[3] = {sign * n * sin(slope), 0, n * cos(slope)};
        ck_assert_double_le(distance3(plane->physical[0].force, normal), sag);
        ck_assert_double_le(distance3(plane->engine[0].force, normal), 10 * sag);
        axle[0] -= sign * t * cos(slope);
        axle[2] += t * sin(slope);
    }
    dMass mass;
    dBodyGetMass(scene->body[PULLEY_BODY], &mass);
    axle[2] += mass.mass * SCENE_GRAVITY;
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[AXLE_JOINT]);
    ck_assert_double_le(distance3(reaction->physical[0].force, axle), 3 * sag);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A double pulley, Atwood's machine, and one whose second load moves down. */
static DoublePulley drums(int which)
{
    DoublePulley pulley = sceneDoublePulley;
    if (which == 1)
        pulley.radius[STRING_SECOND] = pulley.radius[STRING_FIRST];
    if (which == 2) {
        pulley.mass[STRING_SECOND] = 4;
        pulley.length[STRING_FIRST] = 3;
    }
    return pulley;
}

START_TEST(pulley_formulas)
{
    DoublePulley pulley = drums(_i);
    double a = pulleyAcceleration(&pulley), g = SCENE_GRAVITY, first = pulleyTension(&pulley, STRING_FIRST),
           second = pulleyTension(&pulley, STRING_SECOND);
    const double *m = pulley.mass, *r = pulley.radius;
    ck_assert_double_eq_tol(m[0] * r[0] * a, m[0] * g - first, 10 * rounding);
    ck_assert_double_eq_tol(m[1] * r[1] * a, second - m[1] * g, 10 * rounding);
    ck_assert_double_eq_tol(pulley.inertia * a, r[0] * first - r[1] * second, 10 * rounding);
}
END_TEST

START_TEST(pulley_follows_banach)
{
    DoublePulley pulley = drums(_i);
    double coarse[3], fine[3];
    for (int i = 0; i < 2; i++) {
        Scene *scene = sceneAtwood(&pulley);
        followStrings(scene, &pulley, drumTension, 0.8, i ? 2.5e-3 : 1e-2, i ? fine : coarse);
        ck_assert_double_le((i ? fine : coarse)[KS_PHYSICAL], 100 * rounding);
        sceneDestroy(scene);
    }
    // the drums turn by 2 atan(w h / 2) in a step: second order
    ck_assert_double_lt(fine[KS_ENGINE], 5e-4);  // of 15 N
    ck_assert_double_lt(fine[KS_ENGINE], coarse[KS_ENGINE] / 10);
    ck_assert_double_gt(coarse[KS_ENGINE], 1e-6);
}
END_TEST

/* After more than a turn of the drums the strings have the right length. */
START_TEST(pulley_keeps_its_strings)
{
    const DoublePulley *pulley = &sceneDoublePulley;
    Scene *scene = sceneAtwood(pulley);
    double way[STRING_COUNT], rate;
    for (int i = 0; i < 1600; i++)
        sceneStep(scene, dWorldStep, 1e-3);
    for (int side = 0; side < STRING_COUNT; side++) {
        stringState(scene, side, &way[side], &rate);
        way[side] -= pulley->length[side];
    }
    ck_assert_double_gt(way[STRING_FIRST] / pulley->radius[STRING_FIRST], 2 * M_PI);
    ck_assert_double_eq_tol(way[STRING_FIRST] / pulley->radius[STRING_FIRST],
                            -way[STRING_SECOND] / pulley->radius[STRING_SECOND], 1e-4);
    double exact = 0.5 * pulley->radius[STRING_FIRST] * pulleyAcceleration(pulley) * 1.6 * 1.6;
    ck_assert_double_eq_tol(way[STRING_FIRST], exact, 0.003);  // half a step's increase of speed
    sceneDestroy(scene);
}
END_TEST

/* --- the driven line */

typedef struct LineErrors {
    double inState[3], motion, energy;  // N by ksValue; m; J
} LineErrors;

static double beadEnergy(const DrivenLine *line, const Scene *scene)
{
    const dReal *x = dBodyGetPosition(scene->body[BEAD_BODY]), *v = dBodyGetLinearVel(scene->body[BEAD_BODY]);
    return line->mass * (0.5 * dCalcVectorDot3(v, v) + SCENE_GRAVITY * x[2]);
}

static LineErrors followLine(const DrivenLine *line, double h)
{
    LineErrors errors = {{0}, 0, 0};
    Scene *scene = sceneRotatingLine(line);
    ksInspector *inspector = inspect(scene->world);
    double energy = beadEnergy(line, scene);
    for (int i = 0; i * h < 1; i++) {
        LineState state = lineState(scene, line), exact = lineMotion(line, i * h);
        errors.motion = fmax(errors.motion, fabs(state.place - exact.place));
        energy += h * linePower(line, &state);
        CHECK_OK(ksInspectorStep(inspector, h));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
        ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
        ck_assert_int_eq(reaction->physicalSource, KS_FROM_GEOMETRY);
        ck_assert_ptr_eq(reaction->body[0], scene->body[BEAD_BODY]);
        double force = lineForce(line, &state);
        const double expected[3] = {force * cos(state.angle), 0, force * sin(state.angle)};
        const ksWrench *value[3] = {reaction->engine, reaction->converged, reaction->physical};
        for (int v = KS_ENGINE; v <= KS_PHYSICAL; v++)
            if (v == KS_PHYSICAL || reaction->time > settled)
                errors.inState[v] = fmax(errors.inState[v], distance3(value[v]->force, expected));
    }
    errors.energy = fabs(energy - beadEnergy(line, scene));
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    return errors;
}

START_TEST(line_follows_banach)
{
    DrivenLine line = sceneDrivenLine;
    if (_i) {
        line.rate = -1.2;
        line.distance = 0.7;
    }
    LineErrors coarse = followLine(&line, 4e-3), fine = followLine(&line, 1e-3);
    ck_assert_double_le(coarse.inState[KS_PHYSICAL], slip);
    ck_assert_double_le(fine.inState[KS_PHYSICAL], slip);
    // all other errors are of first order
    ck_assert_double_lt(fine.inState[KS_ENGINE], 0.05);  // of 40 N
    ck_assert_double_lt(fine.inState[KS_ENGINE], coarse.inState[KS_ENGINE] / 3.5);
    ck_assert_double_lt(fine.motion, 0.02);
    ck_assert_double_lt(fine.motion, coarse.motion / 3.5);
    // the sum of power uses each step's first value: half of the change of power, up to 100 W,
    // times h
    ck_assert_double_lt(coarse.energy, 50 * 4e-3);
    ck_assert_double_lt(fine.energy, 50 * 1e-3);
}
END_TEST

/* The closed motion by its own finite differences: q'' = w^2 q - g cos wt. */
START_TEST(line_motion_obeys_banach)
{
    const DrivenLine *line = &sceneDrivenLine;
    const double w = line->rate, step = 1e-4, differences = 1e-6;  // second differences: step^2 / 12 times q''''
    LineState start = lineMotion(line, 0);
    ck_assert_double_eq_tol(start.place, line->place, rounding);
    ck_assert_double_eq_tol(start.speed, line->speed, rounding);
    for (double time = 0.1; time < 2; time += 0.3) {
        LineState before = lineMotion(line, time - step), now = lineMotion(line, time),
                  after = lineMotion(line, time + step);
        ck_assert_double_eq_tol((after.speed - before.speed) / (2 * step),
                                w * w * now.place - SCENE_GRAVITY * cos(w * time), differences * (1 + fabs(now.place)));
        ck_assert_double_eq_tol((after.place - before.place) / (2 * step), now.speed,
                                differences * (1 + fabs(now.speed)));
    }
}
END_TEST

/* --- Lamb's links */

static const double upwards[3] = {0, 0, 1}, liftsFarEnd[3] = {0, -1, 0};
static const double blowStep = 1e-3;
static const double gives = 1e-6;  // rows yield by CFM / h = 1e-7 per N.s, which mobilities of up to 8 multiply

typedef struct Spot {
    int turning, index;
    double direction[3];
} Spot;

static Probe probeAt(const Scene *scene, const Spot *spot)
{
    return spot->turning ? linksTurning(scene, spot->index, spot->direction)
                         : linksNode(scene, spot->index, spot->direction);
}

static double strike(const Links *links, SceneStepper *stepper, const Spot *at, const Spot *from)
{
    Scene *scene = sceneLinks(links);
    ck_assert_ptr_nonnull(scene);
    Probe struck = probeAt(scene, from), watched = probeAt(scene, at);
    dRandSetSeed(1);
    probeStrike(&struck, 1, blowStep);
    stepper(scene->world, blowStep);
    double velocity = probeVelocity(&watched);
    sceneDestroy(scene);
    return velocity;
}

static Spot node(int index)
{
    return (Spot){0, index, {upwards[0], upwards[1], upwards[2]}};
}

static Spot link(int index)
{
    return (Spot){1, index, {liftsFarEnd[0], liftsFarEnd[1], liftsFarEnd[2]}};
}

/* The numbers of the manual, by Lamb's coefficients of mobility. */
START_TEST(links_have_lambs_mobilities)
{
    const Links links = {.count = 2};
    const Spot a = node(0), b = node(1), c = node(2), w1 = link(0), w2 = link(1);
    const struct {
        const Spot *p, *q;
        double lamb;
    } table[] = {{&a, &a, 3.5},  {&a, &b, -1}, {&a, &c, 0.5},   {&b, &b, 2},     {&a, &w1, -4.5},
                 {&a, &w2, 1.5}, {&b, &w1, 3}, {&w1, &w1, 7.5}, {&w1, &w2, -4.5}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        double first = strike(&links, dWorldStep, table[i].q, table[i].p);
        double second = strike(&links, dWorldStep, table[i].p, table[i].q);
        ck_assert_double_eq_tol(first, table[i].lamb, gives);
        ck_assert_double_eq_tol(second, first, rounding);
    }
}
END_TEST

/* Chains of any length: velocities of the nodes, impulses of the joints. */
START_TEST(links_follow_the_closed_form)
{
    const Links links = {.count = _i};
    for (int from = 0; from <= links.count; from++) {
        Scene *scene = sceneLinks(&links);
        ksInspector *inspector = inspect(scene->world);
        Probe struck = linksNode(scene, from, upwards), watched[10];
        for (int at = 0; at <= links.count; at++)
            watched[at] = linksNode(scene, at, upwards);
        probeStrike(&struck, 1, blowStep);
        CHECK_OK(ksInspectorStep(inspector, blowStep));
        for (int at = 0; at <= links.count; at++)
            ck_assert_double_eq_tol(probeVelocity(&watched[at]), linksMobility(links.count, at, from), gives);
        for (int joint = 1; joint < links.count; joint++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[joint - 1]);
            double impulse = linksJointImpulse(links.count, joint, from);
            ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
            ck_assert_double_eq_tol(blowStep * reaction->physical[0].force[2], impulse, rounding);
            ck_assert_double_eq_tol(blowStep * reaction->engine[0].force[2], impulse, gives);
        }
        ksInspectorDestroy(inspector);
        sceneDestroy(scene);
    }
}
END_TEST

/* Bent in space, forces and couples in any direction. */
START_TEST(links_are_reciprocal)
{
    const Links links = {.count = 6, .bend = 0.3};
    const Spot spot[] = {{0, 0, {0.6, 0, 0.8}},     {0, 2, {0, 0.6, 0.8}},  {0, 3, {1, 0, 0}},
                         {0, 6, {0.36, 0.48, 0.8}}, {1, 1, {0, 0.8, -0.6}}, {1, 4, {0.48, 0.6, 0.64}}};
    enum { SPOTS = sizeof spot / sizeof *spot };
    double largest = 0;
    for (int p = 0; p < SPOTS; p++) {
        for (int q = 0; q < p; q++) {
            double first = strike(&links, dWorldStep, &spot[q], &spot[p]);
            double second = strike(&links, dWorldStep, &spot[p], &spot[q]);
            ck_assert_double_eq_tol(
                second, first,
                10 * rounding);  // links are thin: mobilities about their own axes are 100 times as large
            ck_assert_double_ge(fabs(first), 1e-3);
            double quick = strike(&links, dWorldQuickStep, &spot[q], &spot[p]);
            largest = fmax(largest, fabs(quick - strike(&links, dWorldQuickStep, &spot[p], &spot[q])));
        }
    }
    // an unconverged iteration has no symmetric inverse, so the theorem can fail in the engine
    ck_assert_double_ge(largest, 1e-2);
}
END_TEST

/* Twice the kinetic energy of all bodies. */
static double twiceEnergy(const Scene *scene)
{
    double sum = 0;
    for (int i = 0; i < scene->bodyCount; i++) {
        dMass mass;
        dVector3 w;
        const dReal *v = dBodyGetLinearVel(scene->body[i]), *spin = dBodyGetAngularVel(scene->body[i]);
        dBodyGetMass(scene->body[i], &mass);
        dBodyVectorFromWorld(scene->body[i], spin[0], spin[1], spin[2], w);
        sum += mass.mass * dCalcVectorDot3(v, v);
        for (int k = 0; k < 3; k++)
            sum += mass.I[5 * k] * w[k] * w[k];
    }
    return sum;
}

/* Bertrand: 2 T of a unit blow at A is Lamb's coefficient. Kelvin: with a prescribed velocity u of
 * A, 2 T = u^2 over the coefficient. */
START_TEST(links_held)
{
    static const double lamb[] = {7.0 / 2, 24.0 / 7, 3, 2};
    const Links links = {.count = 2, .support = (LinkSupport)_i};
    Scene *scene = sceneLinks(&links);
    Probe a = linksNode(scene, 0, upwards);
    probeStrike(&a, 1, blowStep);
    dWorldStep(scene->world, blowStep);
    ck_assert_double_eq_tol(probeVelocity(&a), lamb[_i], gives);
    ck_assert_double_eq_tol(twiceEnergy(scene), lamb[_i], gives);
    sceneDestroy(scene);

    scene = sceneLinks(&links);
    a = linksNode(scene, 0, upwards);
    probeStrike(&a, 1 / lamb[_i], blowStep);  // so that A moves at 1 m/s
    dWorldStep(scene->world, blowStep);
    ck_assert_double_eq_tol(probeVelocity(&a), 1, gives);
    ck_assert_double_eq_tol(twiceEnergy(scene), 1 / lamb[_i], gives);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scenes of the sources");
    TCase *strings = tcase_create("strings"), *line = tcase_create("line"), *links = tcase_create("links");
    tcase_add_loop_test(strings, incline_formulas, 0, 2);
    tcase_add_test(strings, incline_follows_paulus);
    tcase_add_test(strings, incline_planes_and_axle);
    tcase_add_loop_test(strings, pulley_formulas, 0, 3);
    tcase_add_loop_test(strings, pulley_follows_banach, 0, 3);
    tcase_add_test(strings, pulley_keeps_its_strings);
    tcase_add_loop_test(line, line_follows_banach, 0, 2);
    tcase_add_test(line, line_motion_obeys_banach);
    tcase_add_test(links, links_have_lambs_mobilities);
    tcase_add_loop_test(links, links_follow_the_closed_form, 1, 8);
    tcase_add_test(links, links_are_reciprocal);
    tcase_add_loop_test(links, links_held, LINKS_FREE, LINKS_JOINT_RIGID + 1);
    suite_add_tcase(suite, strings);
    suite_add_tcase(suite, line);
    suite_add_tcase(suite, links);
    return runSuite(suite);
}

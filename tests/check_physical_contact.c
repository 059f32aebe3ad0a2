/* check_physical_contact.c  Physical values on contacts that are made anew at each step, against closed forms. How the
 * corners of a box share a load is undetermined, so net wrenches are compared. */
#include "ground_kit.h"

#include "inspector/inspector_private.h"

static const double mass = 2, radius = 0.3, size[3] = {0.6, 0.4, 0.3}, depth = 1e-4;

/* Nothing turns the rows of a motion on a plane; rounding, and what velocities of correction make of it. */
static const double planeTolerance = 1e-8;

/* Of errors of first order when the step is halved: 5 % for the terms of higher order. */
static const double halved = 1.05 / 2;

static ksStepper stepperOf(int i)
{
    return i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP;
}

static double weight(void)
{
    return mass * SCENE_GRAVITY;
}

static double distanceFrom(dBodyID body, double x, double y, double z)
{
    const double expected[3] = {x, y, z};
    ksWrench w;
    CHECK_OK(carried(body, &w));
    return distance3(w.force, expected);
}

/* No physical value, and the reason that says so. */
static void checkUnknown(dBodyID body)
{
    size_t count;
    ksWrench w;
    CHECK_STATUS(carried(body, &w), KS_ERROR_UNAVAILABLE);
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    for (size_t i = 0; i < count; i++) {
        ck_assert(reaction[i].reasons & KS_REASON_NO_HISTORY);
        ck_assert_int_eq(reaction[i].physicalSource, KS_FROM_NOWHERE);
    }
}

/* Friction 2/7 m g sin a, whatever the order in which the contacts are made. */
START_TEST(ball_rolls_down)
{
    const double angle = 0.4;
    dBodyID ball = makeBall(mass, radius, 0, radius - depth);
    lean(angle);
    step(stepperOf(_i));
    checkUnknown(ball);  // the contact is new
    for (int i = 0; i < 100; i++) {
        step(stepperOf(_i));
        ck_assert_double_lt(distanceFrom(ball, -2 * weight() * sin(angle) / 7, 0, weight() * cos(angle)),
                            planeTolerance);
    }
}
END_TEST

START_TEST(ball_rolls_on)
{
    dBodyID ball = makeBall(mass, radius, 0, radius - depth);
    dBodySetLinearVel(ball, 2, 0, 0);
    dBodySetAngularVel(ball, 0, 2 / radius, 0);
    step(stepperOf(_i));
    for (int i = 0; i < 100; i++) {
        step(stepperOf(_i));
        ck_assert_double_lt(distanceFrom(ball, 0, 0, weight()), planeTolerance);
    }
}
END_TEST

/* Rolling friction holds it: six rows. */
START_TEST(ball_is_held)
{
    const double angle = 0.3;
    dBodyID ball = makeBall(mass, radius, 0, radius - depth);
    surface.mode |= dContactRolling;
    surface.rho = surface.rho2 = surface.rhoN = 1;
    lean(angle);
    step(stepperOf(_i));
    for (int i = 0; i < 20; i++) {
        step(stepperOf(_i));
        ksWrench w;
        ck_assert_double_lt(distanceFrom(ball, -weight() * sin(angle), 0, weight() * cos(angle)), planeTolerance);
        CHECK_OK(carried(ball, &w));
        ck_assert_double_lt(length3(w.torque), planeTolerance);
    }
}
END_TEST

/* At rest: the lower box and the one on it, which the lower one carries. */
START_TEST(boxes_rest)
{
    const double angle = 0.2;
    dBodyID box = makeBox(mass, size, size[2] / 2 - depth), top = makeBox(mass, size, 1.5 * size[2] - 2 * depth);
    lean(angle);
    for (int i = 0; i < 60; i++) {
        reversed = i % 2;
        step(stepperOf(_i));
        if (i < 5)
            continue;  // the collider changes its mind about corners
        ksWrench w;
        CHECK_OK(wrenchOf(top, box, KS_PHYSICAL, &w));
        const double expected[3] = {-weight() * sin(angle), 0, weight() * cos(angle)};
        ck_assert_double_lt(distance3(w.force, expected), planeTolerance);
        ck_assert_double_lt(length3(w.torque), planeTolerance);
        ck_assert_double_lt(distanceFrom(box, -weight() * sin(angle), 0, weight() * cos(angle)), planeTolerance);
    }
}
END_TEST

/* Friction at its bound is the engine's, mu times its own normal force, which lifts the box as long as it is sunk in: by
 * m (erp d / h) / h at first, less by 1 - erp at each step. */
START_TEST(box_slides_down)
{
    const double angle = 0.5, erp = dWorldGetERP(world);
    dBodyID box = makeBox(mass, size, size[2] / 2 - depth);
    surface.mu = 0.3;
    lean(angle);
    step(stepperOf(_i));
    for (int i = 1; i < 100; i++) {
        step(stepperOf(_i));
        const double lift = mass * erp * depth / h / h * pow(1 - erp, i - 1);
        ksWrench w;
        CHECK_OK(carried(box, &w));
        ck_assert_double_eq_tol(w.force[2], weight() * cos(angle), planeTolerance);
        ck_assert_double_eq_tol(w.force[0], -surface.mu * weight() * cos(angle), surface.mu * lift + planeTolerance);
        ck_assert_double_lt(length3(w.torque), planeTolerance + lift * size[2]);
    }
}
END_TEST

/* Sliding to rest: mu m g, then nothing. */
START_TEST(box_comes_to_rest)
{
    dBodyID box = makeBox(mass, size, size[2] / 2 - 1e-10);
    surface.mu = 0.5;
    dBodySetLinearVel(box, 0.513, 0, 0);
    step(stepperOf(_i));
    for (int i = 1; i < 20; i++) {
        const double speed = dBodyGetLinearVel(box)[0], most = surface.mu * SCENE_GRAVITY * h;
        step(stepperOf(_i));
        ck_assert_double_lt(distanceFrom(box, speed > most ? -surface.mu * weight() : 0, 0, weight()), 1e-6);
    }
}
END_TEST

/* A belt that gathers speed: m times its acceleration. */
START_TEST(box_on_a_belt)
{
    const double gain = 1.5;
    dBodyID box = makeBox(mass, size, size[2] / 2 - depth);
    surface.mode |= dContactMotion1 | dContactFDir1;
    for (int i = 0; i < 50; i++) {
        surface.motion1 = gain * h * i;
        step(stepperOf(_i));
        if (i > 0)
            ck_assert_double_lt(distanceFrom(box, mass * gain, 0, weight()), planeTolerance);
    }
}
END_TEST

/* A contact by hand, at a point of the ground. */
static void press(dBodyID body, const double n[3], const double point[3], double into)
{
    dContact contact = {.surface = surface, .geom = {.depth = into > 0 ? into : 0}};
    for (int k = 0; k < 3; k++)
        contact.geom.normal[k] = n[k], contact.geom.pos[k] = point[k];
    addContact(world, contacts, &contact, body, NULL);
}

static void finish(ksStepper stepper)
{
    CHECK_OK(inspectedStep(inspector, stepper, h));
    dJointGroupEmpty(contacts);
}

/* The contacts of a fast body, in the other order at each step: points of the body that come past each other's places, and
 * places that its points come past. Each is known again. */
START_TEST(many_contacts_are_known_again)
{
    enum { side = 12, count = side * side };
    const double apart = 0.08, up[3] = {0, 0, 1};
    const bool ofTheBody = _i % 2;
    dBodyID ball = makeBall(mass, radius, 0, radius);
    dBodySetLinearVel(ball, 10, 3, 0);
    dBodySetAngularVel(ball, 0, 0, 2);
    surface.mu = 0;
    dVector3 local[count], place;
    for (int n = 0; n < count; n++)
        dBodyGetPosRelPoint(ball, (n % side - side / 2) * apart, (n / side - side / 2) * apart, 0, local[n]);
    for (int s = 0; s < 3; s++) {
        for (int k = 0; k < count; k++) {
            const int n = s % 2 ? count - 1 - k : k;
            dBodyGetRelPointPos(ball, local[n][0], local[n][1], local[n][2], place);
            press(ball, up, ofTheBody ? place : local[n], 0);
        }
        finish(KS_WORLD_STEP);
        for (int i = 0; i < count && s > 0; i++) {
            ck_assert_int_eq(inspector->joint[i].match, count - 1 - i);
            ck_assert_int_eq(inspector->history[i].match, count - 1 - i);
        }
    }
}
END_TEST

/* On a sphere of radius R, or in one (R < 0): the normal force is m (g n_z - v^2 / d), d from centre to centre. The valley
 * is steep enough for the engine to turn its frame of friction over on the way. */
static double curvedError(double R, int rough, ksStepper stepper)
{
    const double angle = R > 0 ? 0.3 : 1;
    dBodyID ball = makeBall(mass, radius, (R + radius) * sin(angle), (R + radius) * cos(angle));
    surface.mu = rough ? dInfinity : 0;
    double worst = 0;
    for (int i = 0; i * h < 0.5; i++) {
        const dReal *x = dBodyGetPosition(ball), *v = dBodyGetLinearVel(ball);
        double d = R > 0 ? length3(x) : -length3(x), n[3], point[3], across = 0;
        for (int k = 0; k < 3; k++) {
            n[k] = x[k] / d;
            point[k] = x[k] - radius * n[k];
            across += n[k] * v[k];
        }
        const double speed = length3(v), normal = weight() * n[2] - mass * (speed * speed - across * across) / d;
        const double friction = rough ? 2 * weight() * n[0] / 7 : 0;
        press(ball, n, point, R + radius - d);
        finish(stepper);
        if (i > 0)
            worst =
                fmax(worst, distanceFrom(ball, normal * n[0] - friction * n[2], 0, normal * n[2] + friction * n[0]));
    }
    return worst;
}

/* A rod that falls about its foot. */
static double rodError(double angle, int unused, ksStepper stepper)
{
    const double length = 1;
    (void)unused;
    dBodyID rod = dBodyCreate(world);
    dMass m;
    dMassSetBoxTotal(&m, mass, 0.01, 0.01, length);
    dBodySetMass(rod, &m);
    dMatrix3 turn;
    dRFromAxisAndAngle(turn, 0, 1, 0, angle);
    dBodySetRotation(rod, turn);
    dBodySetPosition(rod, length / 2 * sin(angle), 0, length / 2 * cos(angle));
    surface.mu = dInfinity;
    const double inertia = m.I[5] + mass * length * length / 4, up[3] = {0, 0, 1};
    double worst = 0;
    for (int i = 0; i * h < 0.5; i++) {
        const dReal *x = dBodyGetPosition(rod), *R = dBodyGetRotation(rod);
        const double foot[3] = {x[0] - length / 2 * R[2], x[1] - length / 2 * R[6], x[2] - length / 2 * R[10]};
        const double s = R[2], c = R[10], w = dBodyGetAngularVel(rod)[1], gain = weight() * length / 2 * s / inertia;
        press(rod, up, foot, 0);
        finish(stepper);
        if (i > 0)
            worst = fmax(worst, distanceFrom(rod, mass * length / 2 * (gain * c - w * w * s), 0,
                                             weight() - mass * length / 2 * (gain * s + w * w * c)));
    }
    return worst;
}

START_TEST(first_order_where_rows_turn)
{
    static const struct {
        const char *name;
        double (*error)(double, int, ksStepper);
        double shape;
        int rough;
    } cases[] = {
        {"rolling on a hill", curvedError, 1, 1},    {"sliding on a hill", curvedError, 1, 0},
        {"rolling in a valley", curvedError, -2, 1}, {"sliding in a valley", curvedError, -2, 0},
        {"rod about its foot", rodError, 0.2, 0},
    };
    double error[3];
    for (int k = 0; k < 3; k++) {
        tearDown();
        setUp();
        h = 0.008 / (1 << k);
        error[k] = cases[_i / 2].error(cases[_i / 2].shape, cases[_i / 2].rough, stepperOf(_i));
        printf("%s, h = %g s: off by %.1e of the weight\n", cases[_i / 2].name, h, error[k] / weight());
    }
    ck_assert_double_gt(error[0], 0);
    ck_assert_double_lt(error[0], 1e-3 * weight());
    for (int k = 1; k < 3; k++)
        ck_assert_double_le(error[k], halved * error[k - 1]);
}
END_TEST

/* While it bounces there is no value; then it lies. */
START_TEST(bounces_are_impacts)
{
    dBodyID ball = makeBall(mass, radius, 0, 0.5);
    surface.mode |= dContactBounce;
    surface.bounce = 0.5;
    surface.bounce_vel = 0.05;
    int bounces = 0;
    for (int i = 0; i < 150; i++) {
        const double speed = dBodyGetLinearVel(ball)[2];
        step(stepperOf(_i));
        ksWrench w;
        CHECK_OK(wrenchOf(ball, NULL, KS_ENGINE, &w));
        if (w.force[2] > 0 && speed < -SCENE_GRAVITY * h) {
            checkUnknown(ball);
            bounces++;
        }
    }
    ck_assert_int_ge(bounces, 3);
    ck_assert_double_lt(distanceFrom(ball, 0, 0, weight()), planeTolerance);
}
END_TEST

/* A soft contact lets the ball in, and is then made hard: it goes on, but stops the ball within a step. */
START_TEST(a_contact_that_stops_a_body)
{
    dBodyID ball = makeBall(mass, radius, 0, radius - depth);
    dBodySetLinearVel(ball, 0, 0, -1);
    surface.mode |= dContactSoftCFM;
    surface.soft_cfm = 1;
    step(stepperOf(_i));
    step(stepperOf(_i));
    ck_assert_double_lt(dBodyGetLinearVel(ball)[2], -0.5);
    surface.mode = dContactApprox1;
    step(stepperOf(_i));
    checkUnknown(ball);
}
END_TEST

/* Moved or struck by the host, the ball has another past. */
START_TEST(the_host_moves_a_body)
{
    dBodyID ball = makeBall(mass, radius, 0, radius - depth);
    for (int i = 0; i < 4; i++)
        step(stepperOf(_i));
    ck_assert_double_lt(distanceFrom(ball, 0, 0, weight()), planeTolerance);
    dBodySetPosition(ball, 1e-3, 0, dBodyGetPosition(ball)[2]);
    step(stepperOf(_i));
    checkUnknown(ball);
    step(stepperOf(_i));
    ck_assert_double_lt(distanceFrom(ball, 0, 0, weight()), planeTolerance);
}
END_TEST

/* Sunk in aslant, a box is lifted on one side, faster than its weight brings that side down in a step, but not than its
 * contacts could: to the engine they are free, in the mechanism all four press. */
START_TEST(normals_press)
{
    const double sunk = 0.0032, most = 0.16, correction = most * h / sunk;
    const double spin = most / size[0], centripetal = mass * spin * spin * size[2];
    dBodyID box = makeBox(mass, size, size[2] / 2 - sunk / 2);
    dMatrix3 turn;
    dRFromAxisAndAngle(turn, 0, 1, 0, 0.95 * sunk / size[0]);
    dBodySetRotation(box, turn);
    surface.mu = 0;
    dWorldSetERP(world, correction);
    step(stepperOf(_i));
    dWorldSetERP(world, 0);
    step(stepperOf(_i));
    size_t joints;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &joints);
    int freed = 0;
    for (size_t j = 0; j < joints; j++)
        freed += reaction[j].row[0].engine == 0 && reaction[j].row[0].physical > 0.2 * weight();
    ck_assert_int_eq(freed, 2);
    ksWrench w;
    ck_assert_double_lt(distanceFrom(box, 0, 0, weight()), centripetal);
    CHECK_OK(carried(box, &w));
    ck_assert_double_lt(length3(w.torque), centripetal * size[0]);
}
END_TEST

/* Sunk in and pulled away, the ball is pushed off by the engine's correction alone, while the mechanism lets it go. Who asks
 * for the step's equations afterwards gets them as they were. */
START_TEST(letting_go)
{
    const double sunk = 2e-3;
    dBodyID ball = makeBall(mass, radius, 0, radius - sunk);
    dWorldSetCFM(world, 0);
    dWorldSetERP(world, 0);
    for (int i = 0; i < 3; i++)
        step(stepperOf(_i));
    dWorldSetERP(world, 0.8);
    dBodyAddForce(ball, 0, 0, 2 * weight());
    step(stepperOf(_i));
    size_t joints;
    int rows;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &joints);
    ksRelaxation relaxed[3];
    const double pushed = mass * 0.8 * sunk / h / h - weight();
    ck_assert_uint_eq(joints, 1);
    ck_assert_double_eq_tol(reaction->row[0].paulus, pushed, planeTolerance);
    ck_assert_double_lt(distanceFrom(ball, 0, 0, 0), planeTolerance);
    CHECK_OK(ksInspectorRelaxJoint(inspector, reaction->joint, 3, relaxed, &rows));
    ck_assert_int_eq(rows, 3);
    ck_assert_double_eq_tol(relaxed[0].multiplier, pushed, planeTolerance);
    ck_assert_int_eq(reaction->row[0].place, KS_INSIDE);
    ck_assert_double_eq(reaction->row[0].bound, 0);
}
END_TEST

/* Another shape in the place of the first is another contact, on a body that moves. */
START_TEST(another_shape)
{
    dBodyID ball = makeBall(mass, radius, 0, radius - depth);
    dGeomID first = dBodyGetFirstGeom(ball), second = dCreateSphere(space, radius);
    dGeomSetBody(second, ball);
    dGeomDisable(second);
    dBodySetLinearVel(ball, 2, 0, 0);
    dBodySetAngularVel(ball, 0, 2 / radius, 0);
    for (int i = 0; i < 4; i++)
        step(stepperOf(_i));
    ck_assert_double_lt(distanceFrom(ball, 0, 0, weight()), planeTolerance);
    dGeomDisable(first);
    dGeomEnable(second);
    step(stepperOf(_i));
    checkUnknown(ball);
    step(stepperOf(_i));
    ck_assert_double_lt(distanceFrom(ball, 0, 0, weight()), planeTolerance);
}
END_TEST

/* One of two balls is replaced: contacts at the addresses of others. */
START_TEST(contacts_are_not_confused)
{
    dBodyID ball[2] = {makeBall(mass, radius, 0, radius - depth), makeBall(2 * mass, radius, 1, radius - depth)};
    for (int i = 0; i < 4; i++)
        step(stepperOf(_i));
    for (int i = 0; i < 2; i++)
        ck_assert_double_lt(distanceFrom(ball[i], 0, 0, (i + 1) * weight()), planeTolerance);
    dGeomDestroy(dBodyGetFirstGeom(ball[0]));
    dBodyDestroy(ball[0]);
    ball[0] = makeBall(mass, radius, 0, radius - depth);
    step(stepperOf(_i));
    ksWrench w;
    CHECK_STATUS(carried(ball[0], &w), KS_ERROR_UNAVAILABLE);
    ck_assert_double_lt(distanceFrom(ball[1], 0, 0, 2 * weight()), planeTolerance);
}
END_TEST

static void countEvent(const ksThresholdEvent *event, void *user)
{
    ck_assert_double_eq_tol(event->load, weight(), planeTolerance);
    ++*(int *)user;
}

/* Default thresholds watch the physical value: of a joint between boxes that stand on the ground, too. */
START_TEST(thresholds_on_the_ground)
{
    dBodyID box = makeBox(mass, size, size[2] / 2 - depth), top = makeBox(mass, size, 2 * size[2]);
    dJointID weld = dJointCreateFixed(world, 0);
    dJointAttach(weld, top, box);
    dJointSetFixed(weld);
    ksThreshold limits;
    int events = 0;
    ksThresholdInit(&limits);
    limits.forceMagnitude = 0.9 * weight();
    CHECK_OK(ksInspectorOnThreshold(inspector, weld, &limits, countEvent, &events));
    for (int i = 0; i < 10; i++)
        step(stepperOf(_i));
    ck_assert_int_eq(events, 1);
    ck_assert_int_eq(ksInspectorGetReaction(inspector, weld)->physicalSource, KS_FROM_GEOMETRY);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("physical values of contacts");
    TCase *test = tcase_create("physical values of contacts");
    tcase_set_timeout(test, 60);
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_loop_test(test, ball_rolls_down, 0, 2);
    tcase_add_loop_test(test, ball_rolls_on, 0, 2);
    tcase_add_loop_test(test, ball_is_held, 0, 2);
    tcase_add_loop_test(test, boxes_rest, 0, 2);
    tcase_add_loop_test(test, box_slides_down, 0, 2);
    tcase_add_loop_test(test, box_comes_to_rest, 0, 2);
    tcase_add_loop_test(test, box_on_a_belt, 0, 2);
    tcase_add_loop_test(test, first_order_where_rows_turn, 0, 10);
    tcase_add_loop_test(test, bounces_are_impacts, 0, 2);
    tcase_add_loop_test(test, a_contact_that_stops_a_body, 0, 2);
    tcase_add_loop_test(test, the_host_moves_a_body, 0, 2);
    tcase_add_loop_test(test, normals_press, 0, 2);
    tcase_add_loop_test(test, letting_go, 0, 2);
    tcase_add_loop_test(test, another_shape, 0, 2);
    tcase_add_loop_test(test, contacts_are_not_confused, 0, 2);
    tcase_add_loop_test(test, many_contacts_are_known_again, 0, 2);
    tcase_add_loop_test(test, thresholds_on_the_ground, 0, 2);
    suite_add_tcase(suite, test);
    return runSuite(suite);
}

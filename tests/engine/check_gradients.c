/* check_gradients.c  Whether the engine's rows are the gradients of the position errors that it
 * corrects. Joints on and beside their manifold; the table is in docs/engine.md. */
#include "tests/kits/gradients_kit.h"

/* The violation at which sizes are given, and their accuracy: the next order is kViolation times
 * them. */
static const double kViolation = 1e-3, kSize = 0.05;

/* Rows of a joint and their e at kViolation, by way: '-' none, '0' present without violation, '1'
 * in proportion to it, '2' to its square. Not here: PR and piston attached (0, b), which have no
 * exact pose; the amotor's stops there, which push outward; and PU's slide, which has another
 * direction: anotherDirection. */
typedef struct Group {
    const char *joint, *rows;
    int type, first, count, attachments;
    char order[WAYS + 1];
    double size[WAYS];
} Group;

static const Group groups[] = {
    {"ball", "anchor", dJointTypeBall, 0, 3, ATTACHMENTS, "---", {0}},
    {"hinge", "anchor", dJointTypeHinge, 0, 3, ATTACHMENTS, "---", {0}},
    {"", "axis", dJointTypeHinge, 3, 2, ATTACHMENTS, "111", {3.0e-4, 5.1e-4, 2.6e-4}},
    {"", "stop", dJointTypeHinge, 5, 1, ATTACHMENTS, "21-", {1.8e-6, 1.9e-3, 0}},
    {"slider", "orientation", dJointTypeSlider, 0, 3, ATTACHMENTS, "211", {1.1e-7, 3.6e-4, 4.3e-4}},
    {"", "offset", dJointTypeSlider, 3, 2, ATTACHMENTS, "101", {1.2e-4, 1.7, 3.4e-4}},
    {"", "stop", dJointTypeSlider, 5, 1, ATTACHMENTS, "-0-", {0, 1.6, 0}},
    {"universal", "anchor", dJointTypeUniversal, 0, 3, ATTACHMENTS, "---", {0}},
    {"", "across both axes", dJointTypeUniversal, 3, 1, ATTACHMENTS, "2--", {2.0e-7, 0, 0}},
    {"", "stops", dJointTypeUniversal, 4, 2, ATTACHMENTS, "21-", {4.1e-7, 6.4e-4, 0}},
    {"hinge2", "anchor", dJointTypeHinge2, 0, 3, 1, "111", {2.3e-4, 4.8e-4, 4.6e-4}},
    {"", "across both axes", dJointTypeHinge2, 3, 1, 1, "2--", {2.5e-7, 0, 0}},
    {"", "stop", dJointTypeHinge2, 4, 1, 1, "111", {1.7e-4, 2.6e-4, 5.6e-4}},
    {"fixed", "position", dJointTypeFixed, 0, 3, ATTACHMENTS, "---", {0}},
    {"", "orientation", dJointTypeFixed, 3, 3, ATTACHMENTS, "111", {9.4e-5, 4.4e-4, 4.0e-4}},
    {"PR", "axis", dJointTypePR, 0, 2, SECOND_ONLY, "21-", {3.5e-7, 7.3e-4, 0}},
    {"", "across, along axis R", dJointTypePR, 2, 1, SECOND_ONLY, "111", {2.3e-4, 5.1e-4, 6.0e-4}},
    {"", "across both axes", dJointTypePR, 3, 1, SECOND_ONLY, "---", {0}},
    {"", "slide stop", dJointTypePR, 4, 1, SECOND_ONLY, "-0-", {0, 3.0, 0}},
    {"", "rotation stop", dJointTypePR, 5, 1, SECOND_ONLY, "21-", {3.5e-6, 2.1e-3, 0}},
    {"PU", "across both axes", dJointTypePU, 0, 1, SECOND_ONLY, "2--", {3.1e-7, 0, 0}},
    {"", "across the slide", dJointTypePU, 1, 2, SECOND_ONLY, "000", {2.3e-1, 9.6e-1, 5.6e-1}},
    {"", "rotation stops", dJointTypePU, 3, 2, SECOND_ONLY, "21-", {6.2e-7, 7.9e-4, 0}},
    {"", "slide stop", dJointTypePU, 5, 1, SECOND_ONLY, "111", {1.4e-4, 8.0e-4, 3.0e-4}},
    {"piston", "axis", dJointTypePiston, 0, 2, SECOND_ONLY, "111", {3.3e-4, 4.5e-4, 3.2e-4}},
    {"", "across the slide", dJointTypePiston, 2, 2, SECOND_ONLY, "111", {1.1e-4, 7.9e-4, 3.3e-4}},
    {"", "slide stop", dJointTypePiston, 4, 1, SECOND_ONLY, "-0-", {0, 1.9, 0}},
    {"", "rotation stop", dJointTypePiston, 5, 1, SECOND_ONLY, "21-", {3.3e-6, 2.2e-3, 0}},
    {"dball", "distance", dJointTypeDBall, 0, 1, ATTACHMENTS, "---", {0}},
    {"dhinge", "distance", dJointTypeDHinge, 0, 1, ATTACHMENTS, "---", {0}},
    {"", "axis", dJointTypeDHinge, 1, 2, ATTACHMENTS, "111", {7.6e-4, 6.9e-4, 7.9e-4}},
    {"", "along the axis", dJointTypeDHinge, 3, 1, ATTACHMENTS, "-0-", {0, 2.9, 0}},
    {"plane2d", "z", dJointTypePlane2D, 0, 1, ATTACHMENTS, "---", {0}},
    {"amotor, Euler", "stops 1, 3", dJointTypeAMotor, 0, 1, SECOND_ONLY, "0--", {1.3, 0, 0}},
    {"", "stop 2", dJointTypeAMotor, 1, 1, SECOND_ONLY, "---", {0}},
};
enum { GROUPS = sizeof groups / sizeof *groups };

/* The largest e in an exact pose, at kViolation and at half of it. */
enum { EXACT_POSE, VIOLATED, HALF_VIOLATED, VIOLATIONS };

static void keepLargest(Deviation out, Deviation found)
{
    for (int i = 0; i < KSI_MAX_ROWS; i++)
        for (int way = 0; way < WAYS; way++)
            out[i][way] = fmax(out[i][way], found[i][way]);
}

static void measureCase(Case *c, Random *random, Deviation worst[VIOLATIONS])
{
    double target[KSI_MAX_ROWS], size = 0;
    for (int i = 0; i < c->rows.count; i++) {
        target[i] = uniform(random, -1, 1);
        size += target[i] * target[i];
    }
    for (int v = 0; v < VIOLATIONS; v++) {
        const double violation = v == EXACT_POSE ? 0 : v == VIOLATED ? kViolation : kViolation / 2;
        double phi[KSI_MAX_ROWS];
        Deviation found;
        for (int i = 0; i < c->rows.count; i++)
            phi[i] = violation * target[i] / sqrt(size);
        reach(c, phi);
        measure(c, found);
        keepLargest(worst[v], found);
    }
}

static void measureType(int type, int attachments, Deviation worst[VIOLATIONS])
{
    memset(worst, 0, VIOLATIONS * sizeof *worst);
    for (int attachment = 0; attachment < attachments; attachment++)
        for (uint64_t seed = 0, done = 0; done < SEEDS; seed++) {
            Random random = {seed * 100 + (uint64_t)type};
            Case c;
            if (prepareCase(&c, type, attachment, &random)) {
                measureCase(&c, &random, worst);
                done++;
            }
            endWorld(c.world);
        }
}

/* The largest e of the group's rows. */
static double largest(const Group *group, Deviation worst, int way)
{
    double e = 0;
    for (int row = group->first; row < group->first + group->count; row++)
        e = fmax(e, worst[row][way]);
    return e;
}

static void checkOrder(const Group *group, int way, const double e[VIOLATIONS])
{
    const char order = group->order[way];
    if (order == '-') {
        for (int v = 0; v < VIOLATIONS; v++)
            ck_assert_double_lt(e[v], kExact);
        return;
    }
    if (order == '0')
        ck_assert_double_eq_tol(e[EXACT_POSE], e[VIOLATED], kSize * e[VIOLATED]);
    else
        ck_assert_double_lt(e[EXACT_POSE], kExact);
    const double ratio = order == '0' ? 1 : order == '1' ? 2 : 4;
    ck_assert_double_eq_tol(e[VIOLATED], ratio * e[HALF_VIOLATED], kSize * e[VIOLATED]);
    ck_assert_double_eq_tol(e[VIOLATED], group->size[way], kSize * group->size[way]);
}

START_TEST(rowsAreGradients)
{
    const Group *group = &groups[_i];
    Deviation worst[VIOLATIONS];
    measureType(group->type, group->attachments, worst);
    printf("| %s | %s |", group->joint, group->rows);
    for (int way = 0; way < WAYS; way++) {
        if (group->order[way] == '-')
            printf(" exact |");
        else
            printf(" %.1e, %c |", largest(group, worst[VIOLATED], way), group->order[way]);
    }
    printf("\n");
    for (int way = 0; way < WAYS; way++) {
        double e[VIOLATIONS];
        for (int v = 0; v < VIOLATIONS; v++)
            e[v] = largest(group, worst[v], way);
        checkOrder(group, way, e);
    }
}
END_TEST

/* A stop that holds one way has the row and the error of a locked axis. */
START_TEST(oneSidedStopsAreTheSame)
{
    static const double wide = 3;
    static const int types[] = {dJointTypeHinge, dJointTypeSlider, dJointTypeUniversal, dJointTypeHinge2,
                                dJointTypePR,    dJointTypePU,     dJointTypePiston,    dJointTypeAMotor};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        Random random = {seed};
        Case c;
        if (prepareCase(&c, types[_i], BOTH, &random)) {
            double phi[KSI_MAX_ROWS];
            for (int i = 0; i < c.rows.count; i++)
                phi[i] = uniform(&random, -kViolation, kViolation);
            reach(&c, phi);
            const ksiRows locked = c.rows;
            for (int i = 0; i < c.rows.count; i++)
                if (c.rows.axis[i] >= 0)
                    ksiSetAxis(c.joint, c.rows.axis[i], phi[i] < 0 ? dParamHiStop : dParamLoStop,
                               phi[i] < 0 ? wide : -wide);
            readCase(&c);
            for (int i = 0; i < c.rows.count; i++) {
                const ksiRow *row = &c.rows.row[i];
                ck_assert_mem_eq(row->jacobian, locked.row[i].jacobian, sizeof row->jacobian);
                ck_assert_double_eq(row->c, locked.row[i].c);
                ck_assert_int_eq(row->kind, c.rows.axis[i] >= 0 ? KS_ROW_STOP : KS_ROW_BILATERAL);
            }
        }
        endWorld(c.world);
    }
}
END_TEST

/* Rows of the first and third Euler angle turn these angles by 1 / cos of the second. */
START_TEST(eulerAnglesOverTheCosine)
{
    for (uint64_t seed = 0, done = 0; done < SEEDS; seed++) {
        Random random = {seed};
        Deviation found;
        Case c;
        if (prepareCase(&c, dJointTypeAMotor, BOTH, &random)) {
            measure(&c, found);
            const double expected = 1 / cos(ksiGetAxis(c.joint, 1, dParamHiStop)) - 1;
            ck_assert_double_eq_tol(found[0][OWN], expected, kExact);
            ck_assert_double_eq_tol(found[2][OWN], expected, kExact);
            done++;
        }
        endWorld(c.world);
    }
}
END_TEST

/* Attached (0, b), these rows measure in the opposite direction: the correction opens the gap. */
START_TEST(rowsThatPushOutward)
{
    static const struct {
        int type, row;
    } wrong[] = {{dJointTypePR, 2}, {dJointTypePiston, 2}, {dJointTypePiston, 3}, {dJointTypeAMotor, 1}};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        Random random = {seed};
        Deviation found;
        Case c;
        createCase(&c, wrong[_i].type, SECOND_ONLY, &random);
        for (int i = 0; wrong[_i].type == dJointTypeAMotor && i < 3; i++) {
            ksiSetAxis(c.joint, i, dParamLoStop, 0);
            ksiSetAxis(c.joint, i, dParamHiStop, 0);
        }
        readCase(&c);
        measure(&c, found);
        ck_assert_double_eq_tol(found[wrong[_i].row][OWN], 2, kExact);
        endWorld(c.world);
    }
}
END_TEST

/* A stop's angle is the size of the whole relative rotation, including drift across the axis. */
START_TEST(stopAngleIsTheWholeRotation)
{
    static const double turns[] = {0, 0.01, 0.3}, drift = 0.01;
    for (int i = 0; i < 3; i++) {
        dWorldID world = newWorld();
        dBodyID body = dBodyCreate(world);
        dJointID hinge = dJointCreateHinge(world, NULL);
        dJointAttach(hinge, body, NULL);
        dJointSetHingeAxis(hinge, 0, 0, 1);
        dQuaternion q;
        dQFromAxisAndAngle(q, drift, 0, turns[i], hypot(drift, turns[i]));
        dBodySetQuaternion(body, q);
        ck_assert_double_eq_tol(fabs(dJointGetHingeAngle(hinge)), hypot(drift, turns[i]), 1e-14);
        endWorld(world);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("gradients");
    tcase_add_loop_test(tests, rowsAreGradients, 0, GROUPS);
    tcase_add_loop_test(tests, oneSidedStopsAreTheSame, 0, 8);
    tcase_add_test(tests, eulerAnglesOverTheCosine);
    tcase_add_test(tests, stopAngleIsTheWholeRotation);
    tcase_add_loop_test(tests, rowsThatPushOutward, 0, 4);
    return runCase("gradients", tests);
}

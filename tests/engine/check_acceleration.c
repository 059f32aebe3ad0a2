/* check_acceleration.c  Closed forms of beta = -(dJ/dt) v against differences of the engine's own
 * rows. */
#include "tests/kits/engine_kit.h"

enum { SEEDS = 25 };
static const double h = 0.01;

/* Rows along a motion of constant velocity, at -2e, -e, e, 2e: the fourth-order formula leaves e^4
 * = 1e-16 times a fifth derivative (a distance row turns at up to 15 rad/s: 1e6) and rounding,
 * 1e-15 / e. Largest seen 1e-10. */
static const double kApart = 1e-4, kDifference = 1e-9;

/* The nearest velocity that the permanent rows from `from` on allow. */
static void project(const ksiRows *rows, int from, int permanent, double v[2][6])
{
    double A[KSI_MAX_ROWS][KSI_MAX_ROWS + 1], x[KSI_MAX_ROWS];
    const int n = permanent - from;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                A[i][j] = 0;
                for (int k = 0; k < 12; k++)
                    A[i][j] += rows->row[from + i].jacobian[k / 6][k % 6] * rows->row[from + j].jacobian[k / 6][k % 6];
            }
            A[i][n] = rowTimes(rows, from + i, v);
        }
        solveSmall(n, A, x);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 12; k++)
                v[k / 6][k % 6] -= x[i] * rows->row[from + i].jacobian[k / 6][k % 6];
    }
}

static void setVelocity(dBodyID body, const double v[6])
{
    dBodySetLinearVel(body, v[0], v[1], v[2]);
    dBodySetAngularVel(body, v[3], v[4], v[5]);
}

/* The pose after moving from `start` with its velocity for a time. */
static void move(const ksiBody *start, const dQuaternion q, double time)
{
    const double *v = start->velocity, *w = v + 3, rate = sqrt(ksiDot(w, w));
    dQuaternion turn, turned;
    dQFromAxisAndAngle(turn, w[0], w[1], w[2], rate * time);
    dQMultiply0(turned, turn, q);
    dBodySetPosition(start->id, start->centre[0] + time * v[0], start->centre[1] + time * v[1],
                     start->centre[2] + time * v[2]);
    dBodySetQuaternion(start->id, turned);
}

typedef struct Case {
    dWorldID world;
    ksiEngine engine;
    dBodyID body[2];
    dJointID joint;
    int two;
    ksiBody start[2];
    ksiRows rows;
    ksiGeometry geometry; /* read before the bodies have velocities, since the geometry does not
                             depend on them */
} Case;

static void readBodies(Case *c)
{
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(ksiReadBody(&c->engine, c->body[i], h, &c->start[i]), KS_OK);
}

/* A joint in an exact pose, motors on all axes, velocities that its rows allow (from row `from`
 * on). */
static int prepareCase(Case *c, int type, int attachment, int from, uint64_t seed)
{
    memset(c, 0, sizeof *c);
    Random random = {seed * 100 + (uint64_t)type};
    c->world = newWorld();
    c->engine = openEngine(c->world);
    c->two = attachment == BOTH;
    for (int i = 0; i < 2; i++)
        c->body[i] = randomBody(c->world, &random);
    const ksiJointPose pose = randomPose(&random);
    c->joint = ksiCreateJoint(c->world, type, attachment == SECOND_ONLY ? NULL : c->body[0],
                              attachment == BOTH          ? c->body[1]
                              : attachment == SECOND_ONLY ? c->body[0]
                                                          : NULL,
                              &pose);
    if (!c->joint)
        return 0;
    if (type == dJointTypeAMotor)  // three amotor axes: fixed in the world, carried by the first body,
                                   // carried by the second
        for (int i = 0; i < 3; i++) {
            const double *axis = i == 0 ? pose.x : i == 1 ? pose.y : pose.z;
            dJointSetAMotorAxis(c->joint, i, i, axis[0], axis[1], axis[2]);
        }
    for (int i = 0; i < ksiAxisCount(c->joint); i++)
        ksiSetAxis(c->joint, i, dParamFMax, 1);
    if (type == dJointTypePlane2D)
        dJointSetPlane2DXParam(c->joint, dParamFMax, 1);
    ck_assert_int_eq(ksiReadRows(&c->engine, c->joint, KS_WORLD_STEP, h, &c->rows), KS_OK);
    readBodies(c);
    ksiReadGeometry(c->joint, &c->start[0], c->two ? &c->start[1] : NULL, &c->rows, &c->geometry);

    double v[2][6];
    for (int i = 0; i < 2; i++) {
        randomVector(&random, 2, v[i]);
        randomVector(&random, 2, v[i] + 3);
    }
    project(&c->rows, from, ksiKinds[type].permanent, v);
    for (int i = 0; i < 2; i++)
        setVelocity(c->body[i], v[i]);
    readBodies(c);
    return 1;
}

static void closedForm(const Case *c, double beta[KSI_MAX_ROWS])
{
    ksiRowAcceleration(&c->rows, &c->geometry, c->start[0].velocity, c->two ? c->start[1].velocity : NULL, beta);
}

/* -(dJ/dt) v of every row. */
static void difference(Case *c, double beta[KSI_MAX_ROWS])
{
    static const double weight[4] = {1, -8, 8, -1}, place[4] = {-2, -1, 1, 2};
    dQuaternion q[2];
    double v[2][6];
    for (int i = 0; i < 2; i++) {
        memcpy(q[i], dBodyGetQuaternion(c->body[i]), sizeof q[i]);
        memcpy(v[i], c->start[i].velocity, sizeof v[i]);
    }
    memset(beta, 0, KSI_MAX_ROWS * sizeof *beta);
    for (int k = 0; k < 4; k++) {
        ksiRows rows;
        for (int i = 0; i < 2; i++)
            move(&c->start[i], q[i], place[k] * kApart);
        ck_assert_int_eq(ksiReadRows(&c->engine, c->joint, KS_WORLD_STEP, h, &rows), KS_OK);
        ck_assert_int_eq(rows.count, c->rows.count);
        for (int row = 0; row < rows.count; row++)
            beta[row] -= weight[k] * rowTimes(&rows, row, v) / (12 * kApart);
    }
    for (int i = 0; i < 2; i++)
        move(&c->start[i], q[i], 0);
}

static int isKnown(int type, int attachment)
{
    switch (type) {
    case dJointTypeContact:
    case dJointTypeLMotor:
    case dJointTypeTransmission:
        return 0;
    case dJointTypePR:
    case dJointTypePiston:
        return attachment != SECOND_ONLY;
    case dJointTypePlane2D:
        return attachment != BOTH;
    default:
        return 1;
    }
}

static double compare(Case *c, int known, double *largest)
{
    double closed[KSI_MAX_ROWS], measured[KSI_MAX_ROWS], worst = 0;
    closedForm(c, closed);
    difference(c, measured);
    for (int row = 0; row < c->rows.count; row++) {
        ck_assert_int_eq(c->geometry.known >> row & 1u, known);
        if (known) {
            worst = fmax(worst, fabs(closed[row] - measured[row]));
            *largest = fmax(*largest, fabs(measured[row]));
        }
    }
    return worst;
}

START_TEST(closedFormsAreTheDerivatives)
{
    double worst = 0, largest = 0;
    for (int attachment = 0; attachment < ATTACHMENTS; attachment++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            Case c;
            if (prepareCase(&c, _i, attachment, 0, seed))
                worst = fmax(worst, compare(&c, isKnown(_i, attachment), &largest));
            endWorld(c.world);
        }
    printf("type %2d: largest beta %.1f, worst difference %.1e\n", _i, largest, worst);
    ck_assert_double_lt(worst, kDifference);
}
END_TEST

/* While the suspension moves, row 0 of a hinge2 is no constraint. */
START_TEST(movingSuspension)
{
    double worst = 0, largest = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        Case c;
        ck_assert(prepareCase(&c, dJointTypeHinge2, BOTH, 1, seed));
        worst = fmax(worst, compare(&c, 1, &largest));
        endWorld(c.world);
    }
    ck_assert_double_gt(largest, 1);
    ck_assert_double_lt(worst, kDifference);
}
END_TEST

/* At a distance d from the manifold the error of a closed form is d times rates; the engine's
 * arbitrary choice of row directions has no effect. */
START_TEST(driftEntersInProportion)
{
    static const double drift = 1e-4;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        Case c;
        double exact[KSI_MAX_ROWS], off[KSI_MAX_ROWS];
        ck_assert(prepareCase(&c, dJointTypeHinge, BOTH, 0, seed));
        closedForm(&c, exact);
        for (int i = 0; i < 6; i++)
            c.start[0].velocity[i] += i % 2 ? drift : -drift;
        closedForm(&c, off);
        for (int row = 0; row < c.rows.count; row++)
            ck_assert_double_lt(fabs(off[row] - exact[row]), 100 * drift);
        endWorld(c.world);
    }
}
END_TEST

/* Two states of a real step with a tiny h: (J+ - J) v / h, to first order in h and rounding / h. */
START_TEST(closedFormsFollowSteps)
{
    static const double tiny = 1e-6, firstOrder = 1e-3;
    static const int types[] = {dJointTypeBall, dJointTypeHinge, dJointTypeUniversal, dJointTypeFixed,
                                dJointTypeSlider};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        Case c;
        double beta[KSI_MAX_ROWS], v[2][6];
        ksiRows after;
        ck_assert(prepareCase(&c, types[_i], BOTH, 0, seed));
        if (seed % 2)
            dBodySetKinematic(c.body[1]);
        closedForm(&c, beta);
        dWorldStep(c.world, tiny);
        ck_assert_int_eq(ksiReadRows(&c.engine, c.joint, KS_WORLD_STEP, tiny, &after), KS_OK);
        for (int i = 0; i < 2; i++)
            memcpy(v[i], c.start[i].velocity, sizeof v[i]);
        for (int row = 0; row < after.count; row++) {
            ck_assert_int_eq(c.geometry.known >> row & 1u, 1);
            const double rate = (rowTimes(&after, row, v) - rowTimes(&c.rows, row, v)) / tiny;
            ck_assert_double_eq_tol(-rate, beta[row], firstOrder);
        }
        endWorld(c.world);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("acceleration");
    tcase_add_loop_test(tests, closedFormsAreTheDerivatives, 1, KSI_JOINT_TYPES);
    tcase_add_test(tests, movingSuspension);
    tcase_add_test(tests, driftEntersInProportion);
    tcase_add_loop_test(tests, closedFormsFollowSteps, 0, 5);
    return runCase("acceleration", tests);
}

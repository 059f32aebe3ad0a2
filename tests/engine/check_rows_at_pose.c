/* check_rows_at_pose.c  Compares the rows of a copied joint with the rows of the joint itself, with
 * its bodies moved to the pose. */
#include "tests/kits/engine_kit.h"
#include "tests/kits/wheels_kit.h"

enum { SEEDS = 40 };
static const double h = 0.01;

/* The copy's quaternions are made from rotation matrices: a hundred times the largest rounding
 * found. */
static const double kRounding = 1e-13;

typedef struct Case {
    dWorldID world;
    ksiEngine engine;
    dBodyID body[2];
    dJointID joint;
    int two;
    ksiBody start[2], moved[2];
    ksiRows rows, truth;
    double copy[KSI_JOINT_BYTES / sizeof(double)];
} Case;

static void readBodies(Case *c, ksiBody body[2])
{
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(ksiReadBody(&c->engine, c->body[i], h, &body[i]), KS_OK);
}

/* Copies a random joint, then moves both bodies slightly, and reads the rows there. */
static int prepare(Case *c, int type, int attachment, uint64_t seed)
{
    memset(c, 0, sizeof *c);
    Random random = {seed * 100 + (uint64_t)type};
    c->world = newWorld();
    c->engine = openEngine(c->world);
    c->two = attachment == BOTH;
    for (int i = 0; i < 2; i++)
        c->body[i] = randomBody(c->world, &random);
    c->joint = randomJoint(c->world, type, attachment, c->body[0], c->body[1], &random);
    if (!c->joint)
        return 0;
    readBodies(c, c->start);
    if (ksiReadRows(&c->engine, c->joint, KS_QUICK_STEP, h, &c->rows) || !c->rows.count || c->rows.staleLimit)
        return 0;
    ck_assert_uint_le(ksiJointBytes(c->joint), sizeof c->copy);
    ksiCopyJoint(c->joint, c->copy);
    for (int i = 0; i < 2; i++) {
        double shift[3], axis[3];
        const dReal *x = dBodyGetPosition(c->body[i]);
        randomVector(&random, 0.02, shift);
        randomVector(&random, 1, axis);
        dQuaternion turn, q;
        dQFromAxisAndAngle(turn, axis[0], axis[1], axis[2], uniform(&random, 0, 0.03));
        dQMultiply0(q, turn, dBodyGetQuaternion(c->body[i]));
        dBodySetPosition(c->body[i], x[0] + shift[0], x[1] + shift[1], x[2] + shift[2]);
        dBodySetQuaternion(c->body[i], q);
    }
    readBodies(c, c->moved);
    return ksiReadRows(&c->engine, c->joint, KS_QUICK_STEP, h, &c->truth) == KS_OK;
}

/* The truth's row that corresponds to row l, or -1: stops are reached and left on the way. */
static int same(const Case *c, int l)
{
    for (int r = 0; r < c->truth.count; r++) {
        const ksiRow *row = &c->truth.row[r], *like = &c->rows.row[l];
        const int isRow = c->rows.axis[l] < 0 ? r == l && c->truth.axis[r] < 0 : c->truth.axis[r] == c->rows.axis[l];
        if (isRow && row->kind == like->kind && row->lo == like->lo && row->hi == like->hi)
            return r;
    }
    return -1;
}

/* The error that the engine corrects, from its c. NaN: not comparable. */
static double errorOf(const Case *c, int l, int r)
{
    const int axis = c->rows.axis[l];
    if (c->rows.row[l].kind == KS_ROW_MOTOR || ksiHasFalseError(&c->rows))
        return 0;
    if (axis < 0)
        return c->truth.row[r].c * h / dWorldGetERP(c->world);
    if (ksiGetAxis(c->joint, axis, dParamBounce) != 0)
        return NAN;
    if (c->rows.type == dJointTypeAMotor && dJointGetAMotorMode(c->joint) == dAMotorUser)
        return 0;
    return ksiTargetOfRow(&c->truth, r) * h / ksiGetAxis(c->joint, axis, dParamStopERP);
}

static double compare(Case *c, int *compared)
{
    ksiRows rows;
    double gap[KSI_MAX_ROWS], expected[KSI_MAX_ROWS], worst = 0;
    int at[KSI_MAX_ROWS];
    const ksiBody *second = c->two ? &c->moved[1] : NULL;
    for (int l = 0; l < c->rows.count; l++) {
        at[l] = same(c, l);
        expected[l] = at[l] < 0 ? NAN : errorOf(c, l, at[l]);
    }
    dJointDestroy(c->joint);
    ck_assert_int_eq(ksiReadRowsAt(c->copy, &c->rows, h, &c->moved[0], second, &rows, gap), KS_OK);
    for (int l = 0; l < c->rows.count; l++) {
        if (at[l] < 0)
            continue;
        for (int k = 0; k < 12; k++)
            worst = fmax(worst, fabs(rows.row[l].jacobian[k / 6][k % 6] - c->truth.row[at[l]].jacobian[k / 6][k % 6]));
        if (!isnan(expected[l]))
            worst = fmax(worst, fabs(gap[l] - expected[l]));
        ++*compared;
    }
    return worst;
}

START_TEST(copyHasTheRowsOfTheJoint)
{
    double worst = 0;
    int compared = 0;
    for (int attachment = 0; attachment < ATTACHMENTS; attachment++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            Case c;
            if (_i != dJointTypeContact && prepare(&c, _i, attachment, seed))
                worst = fmax(worst, compare(&c, &compared));
            if (_i != dJointTypeContact)
                endWorld(c.world);
        }
    printf("type %2d: %d rows, apart by %.1e\n", _i, compared, worst);
    if (_i != dJointTypeContact && _i != dJointTypeNull)
        ck_assert_int_gt(compared, 20);
    ck_assert_double_lt(worst, kRounding);
}
END_TEST

/* In the joint's own pose, its copy has the same rows to the last bit: a pose is refused where this
 * fails. */
START_TEST(copyInPlaceHasTheSameRows)
{
    for (int attachment = 0; attachment < ATTACHMENTS; attachment++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            Case c;
            ksiRows rows;
            double gap[KSI_MAX_ROWS];
            const int isRead = _i != dJointTypeContact && prepare(&c, _i, attachment, seed);
            if (isRead)
                ck_assert_int_eq(ksiReadRowsAt(c.copy, &c.rows, h, &c.start[0], c.two ? &c.start[1] : NULL, &rows, gap),
                                 KS_OK);
            for (int l = 0; isRead && l < c.rows.count; l++)
                for (int k = 0; k < 12; k++)
                    ck_assert_double_eq(rows.row[l].jacobian[k / 6][k % 6], c.rows.row[l].jacobian[k / 6][k % 6]);
            if (_i != dJointTypeContact)
                endWorld(c.world);
        }
}
END_TEST

/* Sets an ERP other than the world's. */
static void setErp(dJointID joint)
{
    const double erp = 0.37;
    switch (dJointGetType(joint)) {
    case dJointTypeBall:
        dJointSetBallParam(joint, dParamERP, erp);
        break;
    case dJointTypeFixed:
        dJointSetFixedParam(joint, dParamERP, erp);
        break;
    case dJointTypeDBall:
        dJointSetDBallParam(joint, dParamERP, erp);
        break;
    case dJointTypeDHinge:
        dJointSetDHingeParam(joint, dParamERP, erp);
        break;
    default:
        break;
    }
    for (int axis = 0; axis < ksiAxisCount(joint); axis++)
        ksiSetAxis(joint, axis, dParamStopERP, 0.53);
}

/* The gaps that follow from the rows are the copy's. */
START_TEST(rowsTellTheirGaps)
{
    int told = 0;
    double largest = 0;
    for (int attachment = 0; attachment < ATTACHMENTS; attachment++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            Case c;
            ksiRows rows;
            double gap[KSI_MAX_ROWS], truth[KSI_MAX_ROWS];
            if (_i != dJointTypeContact && prepare(&c, _i, attachment, seed)) {
                const ksiBody *second = c.two ? &c.moved[1] : NULL;
                setErp(c.joint);
                ck_assert_int_eq(ksiReadRows(&c.engine, c.joint, KS_QUICK_STEP, h, &c.rows), KS_OK);
                ksiCopyJoint(c.joint, c.copy);
                if (ksiGapsOfRows(c.copy, &c.rows, h, dWorldGetERP(c.world), gap)) {
                    ck_assert_int_eq(ksiReadRowsAt(c.copy, &c.rows, h, &c.moved[0], second, &rows, truth), KS_OK);
                    for (int l = 0; l < c.rows.count; l++, told++) {
                        ck_assert_double_eq_tol(gap[l], truth[l], kRounding);
                        largest = fmax(largest, fabs(gap[l]));
                    }
                }
            }
            if (_i != dJointTypeContact)
                endWorld(c.world);
        }
    const int tells = _i == dJointTypeBall || _i == dJointTypeHinge || _i == dJointTypeSlider ||
                      _i == dJointTypeUniversal || _i == dJointTypeFixed || _i == dJointTypeDBall ||
                      _i == dJointTypeDHinge;
    printf("type %2d: %d gaps, up to %.1e\n", _i, told, largest);
    ck_assert_int_eq(told > 20, tells);
    ck_assert_int_eq(largest > 1e-3, tells);
}
END_TEST

/* Neither an ERP of zero nor a stop with restitution shows a gap. */
START_TEST(rowsThatTellNoGap)
{
    dWorldID world = newWorld();
    const ksiEngine engine = openEngine(world);
    dBodyID body = dBodyCreate(world);
    dJointID joint = dJointCreateSlider(world, NULL);
    dJointAttach(joint, body, NULL);
    dJointSetSliderAxis(joint, 1, 0, 0);
    dJointSetSliderParam(joint, dParamLoStop, 0.1);
    dJointSetSliderParam(joint, dParamStopERP, 0.4);
    dBodySetLinearVel(body, 1, 0, 0);
    for (int i = 0; i < 4; i++) {
        ksiRows rows;
        double copy[KSI_JOINT_BYTES / sizeof(double)], gap[KSI_MAX_ROWS];
        dWorldSetERP(world, i == 1 ? 0 : 0.3);
        dJointSetSliderParam(joint, dParamBounce, i == 2 ? 0.5 : 0);
        dJointSetSliderParam(joint, dParamStopERP, i == 3 ? 0 : 0.4);
        ck_assert_int_eq(ksiReadRows(&engine, joint, KS_QUICK_STEP, h, &rows), KS_OK);
        ck_assert_int_eq(rows.count, 6);
        ksiCopyJoint(joint, copy);
        ck_assert_int_eq(ksiGapsOfRows(copy, &rows, h, dWorldGetERP(world), gap), i == 0);
    }
    endWorld(world);
}
END_TEST

/* If a stop is left on the way, its row stays, with the error of the opposite sign. */
START_TEST(stopsStay)
{
    dWorldID world = newWorld();
    const ksiEngine engine = openEngine(world);
    dBodyID body = dBodyCreate(world);
    dJointID joint = dJointCreateSlider(world, NULL);
    dJointAttach(joint, body, NULL);
    dJointSetSliderAxis(joint, 1, 0, 0);
    dJointSetSliderParam(joint, dParamLoStop, 0.1);
    dJointSetSliderParam(joint, dParamFMax, 3);
    dJointSetSliderParam(joint, dParamVel, 1);
    ksiRows rows, there;
    ksiBody at;
    double copy[KSI_JOINT_BYTES / sizeof(double)], gap[KSI_MAX_ROWS];
    ck_assert_int_eq(ksiReadBody(&engine, body, h, &at), KS_OK);
    ck_assert_int_eq(ksiReadRows(&engine, joint, KS_QUICK_STEP, h, &rows), KS_OK);
    ck_assert_int_eq(rows.count, 6);
    ksiCopyJoint(joint, copy);
    for (int i = 0; i < 2; i++) {
        at.centre[0] = i ? 0.3 : 0;
        ck_assert_int_eq(ksiReadRowsAt(copy, &rows, h, &at, NULL, &there, gap), KS_OK);
        ck_assert_double_eq_tol(gap[5], (i ? -0.2 : 0.1) * there.row[5].jacobian[0][0], kRounding);
    }
    endWorld(world);
}
END_TEST

/* Wheels that have turned more than once, and turn further: the copy counts turns as the joint
 * does. */
START_TEST(wheelsTurnOn)
{
    dWorldID world = newWorld();
    const ksiEngine engine = openEngine(world);
    dBodyID wheel[2];
    for (int i = 0; i < 2; i++) {
        wheel[i] = dBodyCreate(world);
        dBodySetPosition(wheel[i], (dReal)i, 0, 0);
        dJointID hinge = dJointCreateHinge(world, NULL);
        dJointAttach(hinge, wheel[i], NULL);
        dJointSetHingeAnchor(hinge, (dReal)i, 0, 0);
        dJointSetHingeAxis(hinge, 0, 0, 1);
        dBodySetAngularVel(wheel[i], 0, 0, i ? -16 : 40);
    }
    dJointID gears = dJointCreateTransmission(world, NULL);
    dJointAttach(gears, wheel[0], wheel[1]);
    dJointSetTransmissionMode(gears, dTransmissionParallelAxes);
    dJointSetTransmissionRatio(gears, 0.4);
    dJointSetTransmissionAnchor1(gears, 0, 0, 0);
    dJointSetTransmissionAnchor2(gears, 1, 0, 0);
    dJointSetTransmissionAxis(gears, 0, 0, 1);
    for (int step = 0; step < 60; step++) {
        ksiRows rows, there;
        ksiBody at[2];
        double copy[KSI_JOINT_BYTES / sizeof(double)], gap[KSI_MAX_ROWS];
        for (int i = 0; i < 2; i++)
            ck_assert_int_eq(ksiReadBody(&engine, wheel[i], h, &at[i]), KS_OK);
        ck_assert_int_eq(ksiReadRows(&engine, gears, KS_QUICK_STEP, h, &rows), KS_OK);
        ksiCopyJoint(gears, copy);
        ck_assert_int_eq(ksiReadRowsAt(copy, &rows, h, &at[0], &at[1], &there, gap), KS_OK);
        ck_assert_double_eq_tol(gap[0], rows.row[0].c * h / dJointGetTransmissionParam(gears, dParamERP), kRounding);
        dWorldQuickStep(world, h);
    }
    endWorld(world);
}
END_TEST

/* The engine asserts on such states: a solver that diverges may ask for them. */
START_TEST(refusesPosesThatAreNotFinite)
{
    static const double far[] = {NAN, INFINITY, 1e200};
    for (int attachment = 0; attachment < ATTACHMENTS; attachment++)
        for (size_t i = 0; i < 4 * sizeof far / sizeof *far; i++) {
            Case c;
            ksiRows rows;
            double gap[KSI_MAX_ROWS];
            if (_i != dJointTypeContact && prepare(&c, _i, attachment, i)) {
                const ksiBody *second = c.two ? &c.moved[1] : NULL;
                ksiBody *moved = &c.moved[c.two && i % 2];
                (i / 2 % 2 ? moved->rotation : moved->centre)[2] = far[i / 4];
                ck_assert_int_eq(ksiReadRowsAt(c.copy, &c.rows, h, &c.moved[0], second, &rows, gap),
                                 KS_ERROR_UNAVAILABLE);
            }
            if (_i != dJointTypeContact)
                endWorld(c.world);
        }
}
END_TEST

/* Wheels with backlash, which have a row only while their flanks touch. */
START_TEST(flanksKeepTheirRow)
{
    static const double backlash = 0.02, angle[] = {0.05, 0.01, -0.05};
    dWorldID world = newWorld();
    const ksiEngine engine = openEngine(world);
    dBodyID wheel[2];
    for (int i = 0; i < 2; i++) {
        wheel[i] = dBodyCreate(world);
        dBodySetPosition(wheel[i], (dReal)i, 0, 0);
    }
    dJointID gears = dJointCreateTransmission(world, NULL);
    dJointAttach(gears, wheel[0], wheel[1]);
    dJointSetTransmissionMode(gears, dTransmissionParallelAxes);
    dJointSetTransmissionRatio(gears, 1);  // both radii are 0.5 m
    dJointSetTransmissionAnchor1(gears, 0, 0, 0);
    dJointSetTransmissionAnchor2(gears, 1, 0, 0);
    dJointSetTransmissionAxis(gears, 0, 0, 1);
    dJointSetTransmissionBacklash(gears, backlash);
    ksiRows rows[3], there;
    ksiBody at[3], still;
    double copy[3][KSI_JOINT_BYTES / sizeof(double)], gap[KSI_MAX_ROWS];
    dWorldSetGravity(world, 0, 0, 0);
    ck_assert(dWorldQuickStep(world, h));  // counts angles from this pose
    ck_assert_int_eq(ksiReadBody(&engine, wheel[1], h, &still), KS_OK);
    for (int i = 0; i < 3; i++) {
        dQuaternion turn;
        dQFromAxisAndAngle(turn, 0, 0, 1, angle[i]);
        dBodySetQuaternion(wheel[0], turn);
        ck_assert_int_eq(ksiReadBody(&engine, wheel[0], h, &at[i]), KS_OK);
        ck_assert_int_eq(ksiReadRows(&engine, gears, KS_QUICK_STEP, h, &rows[i]), KS_OK);
        ksiCopyJoint(gears, copy[i]);
    }
    for (int from = 0; from < 3; from++)
        for (int to = 0; to < 3; to++) {
            ck_assert_int_eq(ksiReadRowsAt(copy[from], &rows[from], h, &at[to], &still, &there, gap), KS_OK);
            const double row = there.row[0].jacobian[0][5], flank = (from == 0 ? 1 : -1) * backlash / 0.5;
            ck_assert_double_eq_tol(fabs(row), from == 1 ? 0 : 0.5, kRounding);
            ck_assert_double_eq_tol(gap[0], row * (flank - angle[to]), kRounding);
        }
    endWorld(world);
}
END_TEST

/* --- Wheels that stand half a turn from where their phase and spin lead: the engine asserts. --- */

START_TEST(refusesHalfTurns)
{
    static const double turns[] = {0.4, 0.499, 0.5, 0.501, 0.8}, spins[] = {0, 0.49, 0.5, 0.51, 1.5, 2, 1e18};
    const dQuaternion none = {1, 0, 0, 0};
    const int mode = _i / 2, wheel = _i % 2;
    Wheels w = newWheels(mode, none, 0, h);
    ksiRows like;
    ck_assert_int_eq(ksiReadRows(&w.engine, w.gears, KS_QUICK_STEP, h, &like), KS_OK);
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        turnWheel(&w, wheel, none, 2 * M_PI * turns[i]);
        ck_assert_int_eq(areRead(&w, &like), turns[i] != 0.5);
    }
    turnWheel(&w, wheel, none, 0);
    for (size_t i = 0; i < sizeof spins / sizeof *spins; i++) {
        const double spin = 2 * M_PI * spins[i] / h;
        const dReal *n = w.axis[wheel];
        dBodySetAngularVel(w.body[wheel], (dReal)(spin * n[0]), (dReal)(spin * n[1]), (dReal)(spin * n[2]));
        ck_assert_int_eq(areRead(&w, &like), spins[i] != 0.5 && spins[i] != 1.5 && spins[i] < 3);
    }
    endWorld(w.world);
}
END_TEST

/* The angle by which a wheel must be off half a turn to be read: twice the rounding that the engine may have. at: as in
 * newWheels. */
static double leastOff(int mode, double at)
{
    // the anchors' rounding over the levers; bevel wheels at a right angle mesh where two planes intersect
    static const double lever[] = {1.0 / 3, 1, 0.1}, factor[] = {1, 4, 1};
    const double far = 2 * sqrt(3) * (at + 1) * factor[mode];
    return 64 * ksiEpsilon(KSI_IS_SINGLE) * (1 + M_PI + far / lever[mode]);
}

/* Half a turn to rounding, anywhere: rounding decides whether the engine would assert. */
START_TEST(halfTurnsToRounding)
{
    enum { PLACES = 14, TURNS = 100 };
    const int mode = _i;
    Random random = {5 + (uint64_t)mode};
    int clear = 0;
    for (int n = 0; n < PLACES; n++) {
        dQuaternion as;
        for (int k = 0; k < 4; k++)
            as[k] = (dReal)uniform(&random, -1, 1);
        const double at = n < PLACES / 2 ? 0 : uniform(&random, 0, 100);
        Wheels w = newWheels(mode, as, at, h);
        ksiRows like;
        ck_assert_int_eq(ksiReadRows(&w.engine, w.gears, KS_QUICK_STEP, h, &like), KS_OK);
        for (int k = 0; k < TURNS; k++) {
            const double off = uniform(&random, -1, 1) * pow(10, uniform(&random, KSI_BY_PRECISION(-17, -8), -2));
            const bool isClear = fabs(off) > leastOff(mode, at);
            turnWheel(&w, k % 2, dBodyGetQuaternion(w.body[!(k % 2)]), M_PI + off);
            ck_assert_msg(areRead(&w, &like) || !isClear, "%g off half a turn at %g m", off, at);
            clear += isClear;
            turnWheel(&w, k % 2, dBodyGetQuaternion(w.body[!(k % 2)]), 0);
        }
        endWorld(w.world);
    }
    ck_assert_int_gt(clear, PLACES * TURNS / 20);
}
END_TEST

/* A wheel that has turned so often that its phase has a rounding of an eighth of a radian: it is read where it is
 * expected, and a quarter turn from there. */
START_TEST(wheelsOfLargePhase)
{
    const double phase = 0.125 / ksiEpsilon(KSI_IS_SINGLE);
    const dQuaternion none = {1, 0, 0, 0};
    const int mode = _i / 2, wheel = _i % 2;
    Wheels w = newWheels(mode, none, 0, h);
    ksiRows like;
    ck_assert_int_eq(ksiReadRows(&w.engine, w.gears, KS_QUICK_STEP, h, &like), KS_OK);
    const dReal *n = w.axis[wheel];
    const double spin = phase / h;
    dBodySetAngularVel(w.body[wheel], (dReal)(spin * n[0]), (dReal)(spin * n[1]), (dReal)(spin * n[2]));
    ck_assert(dWorldQuickStep(w.world, h));  // counts turns before it moves the wheels
    for (int i = 0; i < 2; i++) {
        dBodySetPosition(w.body[i], (dReal)i, 0, i && mode == 1);
        dBodySetLinearVel(w.body[i], 0, 0, 0);
        dBodySetAngularVel(w.body[i], 0, 0, 0);
        dBodySetQuaternion(w.body[i], none);
    }
    const double counted = (wheel ? dJointGetTransmissionAngle2 : dJointGetTransmissionAngle1)(w.gears);
    ck_assert_double_eq_tol(fabs(counted), phase, 4);
    ck_assert(areRead(&w, &like));
    turnWheel(&w, wheel, none, M_PI / 2);
    ck_assert(areRead(&w, &like));
    turnWheel(&w, wheel, none, M_PI);
    ck_assert(!areRead(&w, &like));
    endWorld(w.world);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("elsewhere");
    tcase_add_loop_test(tests, copyHasTheRowsOfTheJoint, 1, KSI_JOINT_TYPES);
    tcase_add_loop_test(tests, copyInPlaceHasTheSameRows, 1, KSI_JOINT_TYPES);
    tcase_add_loop_test(tests, rowsTellTheirGaps, 1, KSI_JOINT_TYPES);
    tcase_add_test(tests, rowsThatTellNoGap);
    tcase_add_test(tests, stopsStay);
    tcase_add_test(tests, wheelsTurnOn);
    tcase_add_loop_test(tests, refusesPosesThatAreNotFinite, 1, KSI_JOINT_TYPES);
    tcase_add_test(tests, flanksKeepTheirRow);
    tcase_add_loop_test(tests, refusesHalfTurns, 0, 6);
    tcase_add_loop_test(tests, halfTurnsToRounding, 0, 3);
    tcase_add_loop_test(tests, wheelsOfLargePhase, 0, 6);
    return runCase("elsewhere", tests);
}

/* rows.c  Reads the constraint rows of a joint as its getInfo2 writes them for a stepper.
 *
 * Outside a step getInfo2 must not meet an axis that is powered and at a stop: it would add the motor's force to the
 * bodies at once, behind a lock of the stepping context, which does not exist in a world that was never stepped. Such
 * axes are read with FMax = 0: their row is the stop's alone and the same. What the engine will add then is
 *
 *     fudge = J_row^T s FMax,   s = +1 where vel > 0, or vel = 0 at the high stop, else -1,
 *
 * times FudgeFactor when powered away from the stop. The joint's own memory is put back afterwards as it was: limit
 * states, angles, a transmission's phase, a contact's clamped coefficients. */
#include "rows.h"

#include "../vectorise.h"
#include "layout.h"
#include "vector.h"

/* Room for one row more than a joint has (KS_REASON_STALE_LIMIT), in the wider of the two layouts. */
enum { ROOM = KSI_MAX_ROWS + 1 };

typedef struct Reading {
    int rowskip, pairskip;
    double *J1, *J2, *rhscfm, *lohi;
    double numbers[ROOM * KSI_QUICK_ROW];
    double pairs[2][2 * ROOM];
    int findex[ROOM];
} Reading;

/* A NaN that no arithmetic makes. */
static double mark(void)
{
    const uint64_t bits = UINT64_C(0x7ff8b0d1c0de5afe);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int isMark(double value)
{
    const double expected = mark();
    return memcmp(&value, &expected, sizeof value) == 0;
}

/* Initial values as the steppers set them; the row after the last is marked. */
static void prepare(Reading *r, ksStepper stepper, int count, double cfm)
{
    memset(r->numbers, 0, (size_t)(count + 1) * KSI_QUICK_ROW * sizeof *r->numbers);
    if (stepper == KS_WORLD_STEP) {
        r->rowskip = KSI_WORLD_ROW, r->pairskip = KSI_WORLD_PAIR;
        r->J1 = r->numbers, r->J2 = r->numbers + KSI_WORLD_ROW * count;
        r->rhscfm = r->pairs[0], r->lohi = r->pairs[1];
    } else {
        r->rowskip = r->pairskip = KSI_QUICK_ROW;
        r->J1 = r->numbers, r->J2 = r->numbers + KSI_QUICK_J2;
        r->rhscfm = r->numbers + KSI_QUICK_RHS, r->lohi = r->numbers + KSI_QUICK_LO;
    }
    double *pair = r->rhscfm, *bound = r->lohi;
    for (int i = 0; i < count; i++, pair += r->pairskip, bound += r->pairskip) {
        pair[0] = 0, pair[1] = cfm, bound[0] = -dInfinity, bound[1] = dInfinity;
        r->findex[i] = -1;
    }
    pair[0] = pair[1] = bound[0] = bound[1] = mark();
    r->findex[count] = -1;
}

static void callGetInfo2(const ksiEngine *engine, dJointID joint, double h, Reading *r)
{
    ksiGetInfo2 *getInfo2 = (ksiGetInfo2 *)ksiSlot(joint, KSI_SLOT_GET_INFO2);
    getInfo2(joint, 1 / h, dWorldGetERP(engine->world), r->rowskip, r->J1, r->J2, r->pairskip, r->rhscfm, r->lohi,
             r->findex);
}

/* 1 where something was written beyond the last row. */
static int wroteBeyond(const Reading *r, int count)
{
    const double *pair = r->rhscfm + count * r->pairskip, *bound = r->lohi + count * r->pairskip;
    return !(isMark(pair[0]) && isMark(pair[1]) && isMark(bound[0]) && isMark(bound[1]));
}

static void copyOut(const Reading *r, int count, int second, ksiRows *out)
{
    out->count = count;
    for (int i = 0; i < count; i++) {
        memcpy(out->jacobian[i][0], r->J1 + i * r->rowskip, sizeof out->jacobian[i][0]);
        if (second)
            memcpy(out->jacobian[i][1], r->J2 + i * r->rowskip, sizeof out->jacobian[i][1]);
        else
            memset(out->jacobian[i][1], 0, sizeof out->jacobian[i][1]);
        out->c[i] = r->rhscfm[i * r->pairskip];
        out->cfm[i] = r->rhscfm[i * r->pairskip + 1];
        out->lo[i] = r->lohi[i * r->pairskip];
        out->hi[i] = r->lohi[i * r->pairskip + 1];
        out->findex[i] = r->findex[i];
    }
}

/* Which axes are at a stop: those whose row stays when their motor is taken away. Leaves FMax = 0 on them. */
static void findStops(dJointID joint, int axisCount, ksiAxis *axis)
{
    for (int i = 0; i < axisCount; i++) {
        axis[i].force = ksiGetAxis(joint, i, dParamFMax);
        ksiSetAxis(joint, i, dParamFMax, 0);
        const int without = ksiRowCount(joint);
        ksiSetAxis(joint, i, dParamFMax, 1);
        axis[i].stopped = ksiRowCount(joint) == without;
        ksiSetAxis(joint, i, dParamFMax, axis[i].stopped ? 0 : axis[i].force);
    }
}

/* A hinge's limit that the engine forgot to clear acts, though it is not counted: the powered hinge has its row, which
 * is then the stop's. Found by reading without the motor. */
static int isStaleHinge(const ksiEngine *engine, dJointID joint, double h, ksiAxis *axis)
{
    if (dJointGetType(joint) != dJointTypeHinge || axis->stopped || axis->force == 0)
        return 0;
    const int count = ksiPermanentRows(dJointTypeHinge);
    Reading r;
    prepare(&r, KS_QUICK_STEP, count, 0);
    ksiSetAxis(joint, 0, dParamFMax, 0);
    callGetInfo2(engine, joint, h, &r);
    axis->stopped = wroteBeyond(&r, count);
    ksiSetAxis(joint, 0, dParamFMax, axis->stopped ? 0 : axis->force);
    return axis->stopped;
}

static void addFudge(dJointID joint, int axisCount, const ksiAxis *axis, ksiRows *out)
{
    int row = ksiPermanentRows((int)dJointGetType(joint));
    for (int i = 0; i < axisCount; i++) {
        if (axis[i].stopped && axis[i].force > 0 && out->kind[row] == KS_ROW_STOP) {
            const double velocity = ksiGetAxis(joint, i, dParamVel);
            const int high = out->hi[row] == 0;
            double force = velocity > 0 || (velocity == 0 && high) ? axis[i].force : -axis[i].force;
            if (high ? velocity < 0 : velocity > 0)
                force *= ksiGetAxis(joint, i, dParamFudgeFactor);
            for (int body = 0; body < 2; body++) {
                ksiAddScaled(out->fudge[body].force, force, out->jacobian[row][body]);
                ksiAddScaled(out->fudge[body].torque, force, out->jacobian[row][body] + 3);
            }
        }
        row += axis[i].stopped || axis[i].force > 0;
    }
}

/* A sum is finite only where all its terms are; one that overflows is of no use either. */
static int rowsFinite(const ksiRows *rows)
{
    const ksiFour *four = (const ksiFour *)rows->jacobian;
    ksiFour sum = {0};
    for (int i = 0; i < rows->count; i++) {
        sum += four[3 * i] + four[3 * i + 1] + four[3 * i + 2];
        sum[0] += rows->c[i] + rows->cfm[i];
        if (isnan(rows->lo[i]) || isnan(rows->hi[i]))
            return 0;
    }
    return isfinite(sum[0] + sum[1] + sum[2] + sum[3]);
}

/* The joint's memory is saved by the caller. */
static ksStatus readSaved(const ksiEngine *engine, dJointID joint, ksStepper stepper, double h, int second,
                          ksiRows *out)
{
    ksiAxis axis[3] = {{0, 0}, {0, 0}, {0, 0}};
    const int axisCount = ksiAxisCount(joint);
    int count = ksiRowCount(joint);
    if (count > KSI_MAX_ROWS)
        return KS_ERROR_UNSUPPORTED_ENGINE;
    if (count == 0)
        return KS_OK;  // getInfo2 of a null joint aborts
    if (count > ksiPermanentRows((int)dJointGetType(joint)))
        findStops(joint, axisCount, axis);
    out->staleLimit = isStaleHinge(engine, joint, h, axis);

    Reading r;
    prepare(&r, stepper, count, dWorldGetCFM(engine->world));
    (void)ksiRowCount(joint);  // getInfo2 relies on what getInfo1 has just left
    callGetInfo2(engine, joint, h, &r);
    if (wroteBeyond(&r, count))
        out->staleLimit = out->overrun = 1;
    copyOut(&r, count, second, out);
    ksiClassifyRows(joint, axis, axisCount, out);
    addFudge(joint, axisCount, axis, out);
    return rowsFinite(out) ? KS_OK : KS_ERROR_NOT_FINITE;
}

static int stateFinite(dBodyID body)
{
    const dReal *x = dBodyGetPosition(body), *q = dBodyGetQuaternion(body);
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    return isfinite(x[0] + x[1] + x[2] + q[0] + q[1] + q[2] + q[3] + v[0] + v[1] + v[2] + w[0] + w[1] + w[2]);
}

ksStatus ksiReadRows(const ksiEngine *engine, dJointID joint, ksStepper stepper, double h, ksiRows *out)
{
    out->count = out->staleLimit = out->overrun = 0;
    memset(out->fudge, 0, sizeof out->fudge);
    dBodyID body[2];
    int reversed;
    ksiJointBodies(joint, body, &reversed);
    if (!body[0])
        return KS_ERROR_BAD_ARGUMENT;
    if (!ksiIsKnownJoint(engine, joint))
        return KS_ERROR_UNSUPPORTED_ENGINE;
    if (!stateFinite(body[0]) || (body[1] && !stateFinite(body[1])))
        return KS_ERROR_NOT_FINITE;
    if (ksiIsDegenerate(joint))
        return KS_ERROR_SINGULAR;

    char saved[KSI_JOINT_BYTES];
    const size_t size = ksiSlotSize(joint);
    memcpy(saved, joint, size);
    const ksStatus status = readSaved(engine, joint, stepper, h, body[1] != NULL, out);
    memcpy(joint, saved, size);
    return status;
}

void ksiJointBodies(dJointID joint, dBodyID body[2], int *reversed)
{
    body[0] = dJointGetBody(joint, 0);
    body[1] = dJointGetBody(joint, 1);
    *reversed = !body[0] && body[1];
    if (*reversed) {
        body[0] = body[1];
        body[1] = NULL;
    }
}

static int hasStop(const ksiRows *rows)
{
    for (int i = 0; i < rows->count; i++)
        if (rows->axis[i] >= 0 && rows->kind[i] != KS_ROW_MOTOR)
            return 1;
    return 0;
}

unsigned ksiKnownBug(dJointID joint, const ksiRows *rows)
{
    const int reversed = !dJointGetBody(joint, 0) && dJointGetBody(joint, 1);
    if (!reversed)
        return 0;
    switch (dJointGetType(joint)) {
    case dJointTypePR:
    case dJointTypePiston:
        return KS_REASON_FALSE_ERROR;
    case dJointTypePU:
        return KS_REASON_FALSE_AXIS;
    case dJointTypeAMotor:
        return dJointGetAMotorMode(joint) == dAMotorEuler && hasStop(rows) ? KS_REASON_FALSE_ERROR : 0;
    default:
        return 0;
    }
}

void ksiFillFeedback(dJointFeedback *feedback)
{
    for (int i = 0; i < 4; i++)  // dVector3 has room for a fourth number
        feedback->f1[i] = feedback->t1[i] = feedback->f2[i] = feedback->t2[i] = mark();
}

int ksiFeedbackOfInspector(const dJointFeedback *feedback)
{
    return isMark(feedback->f1[3]);
}

int ksiFeedbackWritten(const dJointFeedback *feedback, int second)
{
    const dReal *force = second ? feedback->f2 : feedback->f1, *torque = second ? feedback->t2 : feedback->t1;
    for (int i = 0; i < 3; i++)
        if (isMark(force[i]) || isMark(torque[i]))
            return 0;
    return 1;
}

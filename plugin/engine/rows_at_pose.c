/* rows_at_pose.c  Finds the constraint rows of a joint in other poses of its bodies.
 *
 * A joint is an object of a few hundred bytes with pointers to its two bodies. A copy that points
 * to bodies in other poses has the rows of these poses, and the world stays untouched. The ERP is
 * 1, so a displacement `dq` of the bodies closes the position error if J dq = h c. Both stops of an
 * axis are set to the active one, so the axis keeps its row in any pose. Motors are read as stops,
 * which have the same J. Wheels that touch keep their row, and other wheels get none. */
#include "rows.h"

#include "layout.h"
#include "vector.h"

#include <stdbool.h>

/* Larger than the engine's body (752 bytes in version 0.16.2), and zero beyond the known members. */
typedef union Body {
    ksiBodyFields fields;
    char room[1024];
} Body;

typedef struct Stand {
    ksiJointCopy copy;
    Body body[2];
} Stand;

size_t ksiJointBytes(dJointID joint)
{
    return (ksiSlotSize(joint) + 7) / 8 * 8;
}

void ksiCopyJoint(dJointID joint, void *copy)
{
    memcpy(copy, joint, ksiSlotSize(joint));
}

static void standBody(Body *body, const ksiBody *from)
{
    ksiBodyFields *to = &body->fields;
    memset(body, 0, sizeof *body);
    ksiPutNumbers(from->centre, to->centre, 3);
    ksiPutNumbers(from->velocity, to->velocity, 3);
    ksiPutNumbers(from->velocity + 3, to->spin, 3);
    ksiPadMatrix(from->rotation, to->rotation);
    dQfromR(to->quaternion, to->rotation);
}

/* Puts the copy between these bodies. */
static dJointID stand(Stand *at, const void *copy, const ksiBody *first, const ksiBody *second)
{
    const ksiBody *given[2] = {first, second};
    const dJointID original = (dJointID)(void *)(uintptr_t)copy;
    const dJointID joint = ksiJointInRoom(original, &at->copy);
    ksiJointFields fields;
    memcpy(&fields, at->copy.bytes, sizeof fields);
    for (int side = 0; side < 2; side++) {
        if (given[side])
            standBody(&at->body[side], given[side]);
        fields.node[side].body = given[side] ? (dBodyID)(void *)&at->body[side] : NULL;
    }
    memcpy(at->copy.bytes, &fields, sizeof fields);
    return joint;
}

/* The first row of an axis, or -1. */
static int rowOfAxis(const ksiRows *rows, int axis)
{
    for (int l = 0; l < rows->count; l++)
        if (rows->axis[l] == axis)
            return l;
    return -1;
}

/* Keeps rows of axes only where `like` has them. No motor remains at a stop: it would take the
 * context's lock. */
static void setAxes(dJointID joint, const ksiRows *like)
{
    const int count = ksiAxisCount(joint);
    for (int i = 0; i < count; i++) {
        const int l = rowOfAxis(like, i);
        // a hinge clears an old limit only when it tests a new one
        double low = like->type == dJointTypeHinge ? -M_PI : -dInfinity, high = dInfinity;
        if (l >= 0) {
            const bool isHigh = like->row[l].kind == KS_ROW_STOP && ksiIsHighStop(&like->row[l]);
            const double reached = ksiGetAxis(joint, i, isHigh ? dParamHiStop : dParamLoStop);
            low = high = like->row[l].kind == KS_ROW_MOTOR ? 0 : reached;
        }
        // hinge2 has no stops about its second axis
        const bool isMotor = l >= 0 && like->type == dJointTypeHinge2 && i == 1;
        ksiSetAxis(joint, i, dParamFMax, isMotor);
        ksiSetAxis(joint, i, dParamLoStop, low);
        ksiSetAxis(joint, i, dParamHiStop, high);
        ksiSetAxis(joint, i, dParamBounce, 0);
        ksiSetAxis(joint, i, dParamStopERP, 1);
    }
}

/* Sets the ERP of the types that have their own; the others use the argument of getInfo2. */
static void setErp(dJointID joint, int type)
{
    switch (type) {
    case dJointTypeBall:
        dJointSetBallParam(joint, dParamERP, 1);
        break;
    case dJointTypeFixed:
        dJointSetFixedParam(joint, dParamERP, 1);
        break;
    case dJointTypeHinge2:
        dJointSetHinge2Param(joint, dParamSuspensionERP, 1);
        break;
    case dJointTypeDBall:
        dJointSetDBallParam(joint, dParamERP, 1);
        break;
    case dJointTypeDHinge:
        dJointSetDHingeParam(joint, dParamERP, 1);
        break;
    case dJointTypeTransmission:
        dJointSetTransmissionParam(joint, dParamERP, 1);
        break;
    default:
        break;
    }
}

/* The ERP of a row, as a multiple of the host's ERP. */
static inline double erpFactor(const ksiRows *rows, int l)
{
    if (rows->axisLength == 1)
        return 1;
    const bool isAcross = rows->axis[l] < 0 && ksiDot(rows->row[l].jacobian[0], rows->row[l].jacobian[0]) == 0;
    return isAcross ? rows->axisLength : ksiIsAboutAxis(rows, l) ? 1 / rows->axisLength : 1;
}

/* Neither the engine's false error nor a user-mode motor's target depends on the pose. */
static int holdsPosition(dJointID joint, const ksiRows *rows, int l)
{
    if (ksiHasFalseError(rows) || rows->row[l].kind == KS_ROW_MOTOR)
        return 0;
    return rows->type != dJointTypeAMotor || dJointGetAMotorMode(joint) == dAMotorEuler;
}

/* Wheels keep their row, without backlash, or have no row. Returns the distance from the middle of
 * the backlash to the flanks that touch, m. */
static double setBacklash(dJointID joint, const ksiRows *like)
{
    if (like->type != dJointTypeTransmission)
        return 0;
    const double backlash = dJointGetTransmissionBacklash(joint);
    const ksiRow *row = &like->row[0];
    const bool doTouch = row->lo == 0 || row->hi == 0;
    if (backlash > 0)
        dJointSetTransmissionBacklash(joint, doTouch ? 0 : dInfinity);
    return backlash > 0 && doTouch ? (row->hi == 0 ? backlash : -backlash) : 0;
}

ksStatus ksiReadRowsAt(const void *copy, const ksiRows *like, double h, const ksiBody *first, const ksiBody *second,
                       ksiRows *out, double gap[KSI_MAX_ROWS])
{
    Stand at;
    int findex[KSI_ROW_ROOM];
    const int count = like->count, type = like->type;
    if (like->staleLimit || type == dJointTypeContact || count > KSI_MAX_ROWS)
        return KS_ERROR_UNAVAILABLE;
    const dJointID joint = stand(&at, copy, first, second);
    if (!ksiIsReadable(type, joint, h))
        return KS_ERROR_UNAVAILABLE;
    const double flank = setBacklash(joint, like);
    setAxes(joint, like);
    setErp(joint, type);
    if (ksiRowCount(joint) != count || ksiCallGetInfo2(joint, 1 / h, 1, 0, count, out, findex))
        return KS_ERROR_UNAVAILABLE;
    double sum = 0;
    out->type = type, out->bug = like->bug, out->count = count, out->axisLength = like->axisLength, out->powered = 0;
    out->isSingle = like->isSingle;
    out->permanent = like->permanent;
    memcpy(out->axis, like->axis, sizeof out->axis);
    memset(out->motor, 0, sizeof out->motor);
    ksiTakeUnitAxis(out);
    for (int l = 0; l < count; l++) {
        ksiRow *row = &out->row[l];
        row->kind = like->row[l].kind;
        if (!second)
            memset(row->jacobian[1], 0, sizeof row->jacobian[1]);
        for (int k = 0; k < 12; k++)
            sum += row->jacobian[k / 6][k % 6];
        gap[l] = holdsPosition(joint, out, l) ? row->c * h / erpFactor(out, l) + flank : 0;
        sum += gap[l];
    }
    return isfinite(sum) ? KS_OK : KS_ERROR_UNAVAILABLE;
}

/* The ERP of a joint's permanent row; 0: not known. */
static double erpOf(dJointID joint, int type, int row, double worldErp)
{
    switch (type) {
    case dJointTypeHinge:
    case dJointTypeSlider:
    case dJointTypeUniversal:
        return worldErp;
    case dJointTypeBall:
        return dJointGetBallParam(joint, dParamERP);
    case dJointTypeFixed:
        return row < 3 ? dJointGetFixedParam(joint, dParamERP) : worldErp;
    case dJointTypeDBall:
        return dJointGetDBallParam(joint, dParamERP);
    case dJointTypeDHinge:
        return dJointGetDHingeParam(joint, dParamERP);
    default:
        return 0;
    }
}

double ksiSettingOf(dJointID joint, const ksiRows *rows, int row, double *erp)
{
    const int axis = rows->axis[row];
    // a double ball has an ERP of its own
    *erp = axis < 0 ? erpOf(joint, rows->type, row, 0) : ksiGetAxis(joint, axis, dParamStopERP);
    return axis < 0 ? dJointGetDBallDistance(joint) : ksiGetAxis(joint, axis, dParamLoStop);
}

int ksiGapsOfRows(const void *copy, const ksiRows *rows, double h, double worldErp, double gap[KSI_MAX_ROWS])
{
    const dJointID joint = (dJointID)(void *)(uintptr_t)copy;
    const double own = erpOf(joint, rows->type, 0, worldErp), own3 = erpOf(joint, rows->type, 3, worldErp);
    if (rows->staleLimit || ksiHasFalseError(rows) || !(own > 0) || (rows->count > 3 && !(own3 > 0)))
        return 0;
    for (int l = 0; l < rows->permanent; l++) {
        const double erp = l < 3 ? own : own3;
        gap[l] = rows->row[l].c * h / (erp * erpFactor(rows, l));
    }
    for (int l = rows->permanent; l < rows->count; l++) {
        const bool isMotor = rows->row[l].kind == KS_ROW_MOTOR;
        const double erp = isMotor ? 1 : ksiGetAxis(joint, rows->axis[l], dParamStopERP) * erpFactor(rows, l);
        // the c of a bouncing stop may be larger
        if (!isMotor && (!(erp > 0) || ksiGetAxis(joint, rows->axis[l], dParamBounce) != 0))
            return 0;
        gap[l] = isMotor ? 0 : ksiTargetOfRow(rows, l) * h / erp;
    }
    return 1;
}

double ksiLargestErp(dJointID joint, const ksiRows *rows, double worldErp)
{
    double largest = worldErp;
    if (rows->type == dJointTypeHinge2)
        largest = fmax(largest, dJointGetHinge2Param(joint, dParamSuspensionERP));
    if (rows->type == dJointTypeTransmission)
        largest = fmax(largest, dJointGetTransmissionParam(joint, dParamERP));
    for (int l = 0; l < rows->count; l++) {
        const int axis = rows->axis[l];
        if (rows->row[l].kind == KS_ROW_MOTOR)
            continue;
        const double erp = axis < 0 ? erpOf(joint, rows->type, l, worldErp) : ksiGetAxis(joint, axis, dParamStopERP);
        largest = fmax(largest, erp * erpFactor(rows, l));
    }
    return largest;
}

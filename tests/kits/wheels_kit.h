/* wheels_kit.h  Turns two wheels in gear, in each mode of a transmission, and reads their rows. */
#ifndef TESTS_KITS_WHEELS_KIT_H
#define TESTS_KITS_WHEELS_KIT_H

#include "tests/kits/engine_kit.h"

typedef struct Wheels {
    dWorldID world;
    ksiEngine engine;
    dBodyID body[2];
    dJointID gears;
    dVector3 axis[2];
    double h;
} Wheels;

/* Parallel wheels, bevel wheels or a chain. Their phases count from this pose. */
static inline Wheels newWheels(int mode, const dQuaternion as, double at, double h)
{
    static const dReal axes[3][2][3] = {{{0, 0, 1}, {0, 0, 1}}, {{0, 0, 1}, {1, 0, 0}}, {{0, 1, 0}, {0, 1, 0}}};
    Wheels w = {.world = newWorld(), .h = h};
    w.engine = openEngine(w.world);
    w.gears = dJointCreateTransmission(w.world, NULL);
    dWorldSetGravity(w.world, 0, 0, 0);
    for (int i = 0; i < 2; i++) {
        w.body[i] = dBodyCreate(w.world);
        dBodySetFiniteRotationMode(w.body[i], 1);
        dBodySetMaxAngularSpeed(w.body[i], dInfinity);
        dBodySetPosition(w.body[i], (dReal)(at + i), (dReal)at, (dReal)(at + (i && mode == 1)));
        dBodySetQuaternion(w.body[i], as);
        memcpy(w.axis[i], axes[mode][i], sizeof axes[mode][i]);
    }
    dJointAttach(w.gears, w.body[0], w.body[1]);
    dJointSetTransmissionMode(w.gears, mode);
    for (int i = 0; i < 2; i++) {
        const dReal *x = dBodyGetPosition(w.body[i]), *n = w.axis[i];
        (i ? dJointSetTransmissionAnchor2 : dJointSetTransmissionAnchor1)(w.gears, x[0], x[1], x[2]);
        if (mode == dTransmissionIntersectingAxes)
            (i ? dJointSetTransmissionAxis2 : dJointSetTransmissionAxis1)(w.gears, n[0], n[1], n[2]);
        else
            dJointSetTransmissionAxis(w.gears, n[0], n[1], n[2]);
    }
    if (mode == dTransmissionParallelAxes)
        dJointSetTransmissionRatio(w.gears, (dReal)0.5);
    if (mode == dTransmissionChainDrive) {
        dJointSetTransmissionRadius1(w.gears, (dReal)0.2);
        dJointSetTransmissionRadius2(w.gears, (dReal)0.1);
    }
    ck_assert(dWorldQuickStep(w.world, h));
    return w;
}

static inline void turnWheel(const Wheels *w, int i, const dQuaternion as, double angle)
{
    dQuaternion turn, q;
    dQFromAxisAndAngle(turn, w->axis[i][0], w->axis[i][1], w->axis[i][2], (dReal)angle);
    dQMultiply0(q, turn, as);
    dBodySetQuaternion(w->body[i], q);
}

/* Whether the rows can be read, in place and from a copy of the joint in the same pose, with the
 * rows of `like`. Both must give the same answer. */
static inline bool areRead(const Wheels *w, const ksiRows *like)
{
    ksiRows rows;
    ksiBody at[2];
    double copy[KSI_JOINT_BYTES / sizeof(double)], gap[KSI_MAX_ROWS];
    const ksStatus status = ksiReadRows(&w->engine, w->gears, KS_QUICK_STEP, w->h, &rows);
    ck_assert(status == KS_OK || status == KS_ERROR_SINGULAR);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(ksiReadBody(&w->engine, w->body[i], w->h, &at[i]), KS_OK);
    ksiCopyJoint(w->gears, copy);
    const ksStatus there = ksiReadRowsAt(copy, like, w->h, &at[0], &at[1], &rows, gap);
    ck_assert(there == KS_OK || there == KS_ERROR_UNAVAILABLE);
    ck_assert_int_eq(!status, !there);
    return !status;
}

#endif

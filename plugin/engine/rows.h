/* rows.h  Limit and motor axes of a joint, and what its rows stand for. */
#ifndef KSI_ENGINE_ROWS_H
#define KSI_ENGINE_ROWS_H

#include "engine.h"

/* An axis with a stop or a motor, in the order of the rows that they make. */
typedef struct ksiAxis {
    double force; /* FMax: > 0 is a motor */
    int stopped;  /* at a stop: its row is the stop's, and the motor becomes a fudge force */
} ksiAxis;

/* What joints of a type have in common. */
typedef struct ksiKind {
    int permanent;   /* rows that they always have, before those of their axes; -1: there are none of this type */
    int degenerates; /* ksiIsDegenerate may be 1 */
    int flawed;      /* the engine has a bug that may falsify them */
} ksiKind;
extern const ksiKind ksiKinds[KSI_JOINT_TYPES];

/* Axes that may have a stop, 0 to 3. */
int ksiAxisCount(dJointID joint);

/* A parameter (dParamFMax ...) of such an axis. */
double ksiGetAxis(dJointID joint, int axis, int parameter);
void ksiSetAxis(dJointID joint, int axis, int parameter, double value);

/* 1 where the engine, for a joint of this type, would have to normalise a zero vector, at which it aborts or divides by
 * zero. Not: a state that is not finite. */
int ksiIsDegenerate(int type, dJointID joint);

/* A hinge may write one row more than it has (KS_REASON_STALE_LIMIT). */
enum { KSI_ROW_ROOM = KSI_MAX_ROWS + 1 };

/* Calls getInfo2 on rows that hold what the steppers set beforehand; each counts as bilateral and without bounds until more
 * is known. Returns 1 where something was written beyond the last row. */
int ksiCallGetInfo2(const ksiEngine *engine, dJointID joint, double fps, double erp, int count, ksiRows *out,
                    int findex[KSI_ROW_ROOM]);

/* kind[] of rows that are read; axis[] as found at reading. */
void ksiClassifyRows(dJointID joint, const ksiAxis *axis, int axisCount, ksiRows *rows);

/* The lever r of rows 0 to 2 with J1 = e_i, r x e_i (side 0) or J2 = -e_i, -r x e_i (side 1). */
void ksiLeverOfBlock(double r[3], const ksiRows *rows, int side);

/* The lever r of two rows (n, r x n), where forces along two directions act; the part of r across n where the second
 * row is NULL. */
void ksiLeverOfRows(double r[3], const double first[6], const double *second);

#endif

/* rows.h  Limit and motor axes of a joint, and the kinds of its rows. */
#ifndef KSI_ENGINE_ROWS_H
#define KSI_ENGINE_ROWS_H

#include "engine.h"

#include <stdbool.h>

/* An axis with a stop or a motor, in the order of their rows. */
typedef struct ksiAxis {
    double force; /* FMax; > 0: the axis has a motor */
    int stopped;  /* 1: at a stop; its row belongs to the stop, and includes the motor's force */
} ksiAxis;

/* Properties of a joint type. */
typedef struct ksiKind {
    int permanent;   /* permanent rows, before the rows of axes; -1: no such type */
    int anchored;    /* ksiJointFrame finds an anchor */
    int degenerates; /* ksiIsDegenerate may be 1 */
    int levered;     /* its levers are differences of points in the world, with their rounding */
    int spanned;     /* the direction between its anchors is a difference of such points */
    int flawed;      /* a bug of the engine may falsify its rows */
} ksiKind;
extern const ksiKind ksiKinds[KSI_JOINT_TYPES];

/* Number of axes that may have a stop, 0 to 3. */
int ksiAxisCount(dJointID joint);

/* A parameter (dParamFMax ...) of an axis that may have a stop. */
double ksiGetAxis(dJointID joint, int axis, int parameter);
void ksiSetAxis(dJointID joint, int axis, int parameter, double value);

/* 1 if the engine would normalise a zero vector for a joint of this type (it aborts or divides by
 * zero), or if its assertion on the angle of a wheel would fail. The states of its bodies must be
 * finite. h: step size, s. */
int ksiIsDegenerate(int type, dJointID joint, double h);

/* Can the engine write the joint's rows? Its bodies' states must be finite, and the joint not
 * degenerate. */
bool ksiIsReadable(int type, dJointID joint, double h);

/* Sets leverRounding and turnRounding in single precision, for an attached joint that is not
 * degenerate. */
void ksiTakeRounding(dJointID joint, ksiRows *rows);

/* A hinge may write one more row than it reports (KS_REASON_STALE_LIMIT). */
enum { KSI_ROW_ROOM = KSI_MAX_ROWS + 1 };

/* Calls getInfo2 on rows with the steppers' presets; each row is bilateral and unbounded at first.
 * Returns 1 if the call wrote beyond the last row. */
int ksiCallGetInfo2(dJointID joint, double fps, double erp, double cfm, int count, ksiRows *out,
                    int findex[KSI_ROW_ROOM]);

/* The host's axis, which a joint attached to the world stores; NULL: its type has none. */
const dReal *ksiAxisInWorld(int type, dJointID joint);

/* Rescales the rows about the host's axis to a unit axis. */
void ksiTakeUnitAxis(ksiRows *rows);
/* Is this the stop or motor of a universal or PU joint about the second of the engine's axes? */
bool ksiIsAboutAxis(const ksiRows *rows, int row);

/* Sets the kinds and axes of rows; axis: as found during the read. */
void ksiClassifyRows(dJointID joint, const ksiAxis *axis, int axisCount, ksiRows *rows);

/* The lever r of rows 0 to 2 with J1 = e_i, r x e_i (side 0) or J2 = -e_i, -r x e_i (side 1). */
void ksiLeverOfBlock(double r[3], const ksiRows *rows, int side);

/* The lever r of two rows (n, r x n) of forces along two directions. If the second row is NULL, the
 * part of r across n. */
void ksiLeverOfRows(double r[3], const double first[6], const double *second);

#endif

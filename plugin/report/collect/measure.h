/* measure.h  Quantities that a report derives from a reaction. */
#ifndef KSI_REPORT_COLLECT_MEASURE_H
#define KSI_REPORT_COLLECT_MEASURE_H

#include "../../engine/vector.h"

#include <kinetostat/kinetostat.h>

#include <stdbool.h>

/* Force and torque on body[0], in world axes, about the anchor or, without one, the mass centre; N,
 * N.m. Returns true for the anchor. */
bool ksiMeasureWrench(const ksReaction *reaction, ksValue value, double out[6]);

/* The largest error of the force and torque of ksiMeasureWrench in any direction, from the bars of
 * the rows; NaN: unknown. The engine's value has no bar. */
void ksiMeasureBars(const ksReaction *reaction, ksValue value, double *force, double *torque);

/* Components that depend on a free direction, as bits 1u << component. Force (0 to 2) and torque (3
 * to 5) are along the axes of the joint frame. */
unsigned ksiMeasureUndetermined(const ksReaction *reaction);

/* share: the largest share of a row's compliance in its response, (cfm/h) / (J M^-1 J^T + cfm/h).
 * cfm: CFM of this row. softened: the largest share among rows with the world's CFM; other CFMs are
 * meant as springs. All 0 if masses are unknown. */
typedef struct ksiCompliance {
    double share, cfm, softened;
} ksiCompliance;
void ksiMeasureCompliance(const ksInspector *inspector, const ksReaction *reaction, double stepSize, double worldCfm,
                          ksiCompliance *out);

/* J M^-1 J^T of a row's Jacobian on one body, as if no joint held the body. */
double ksiBodyMobility(const double jacobian[6], double mass, const double inverse[9]);

/* Mass ratio of the heavier to the lighter body; 0: a body is kinematic, the world or unknown. */
double ksiMeasureMassRatio(const ksInspector *inspector, const ksReaction *reaction);

/* m: a torque with a smaller lever is rounding */
extern const double ksiRoundedLever;

/* The quaternion w x y z of a rotation matrix (row-major); w >= 0. */
void ksiQuaternion(const double rotation[9], double q[4]);

#endif

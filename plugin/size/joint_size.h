/* joint_size.h  Loads of one joint over a run: its components, its bearing, its motors. Constant
 * memory. */
#ifndef KSI_SIZE_JOINT_SIZE_H
#define KSI_SIZE_JOINT_SIZE_H

#include "load_size.h"

enum { KSI_SIZED_AXES = 3, KSI_BEARINGS = 2 };

/* fx fy fz tx ty tz */
extern const char *const ksiSizedComponent[KSI_SIZED_COMPONENTS];

/* ISO 281 of a bearing about x: P = X Fr + Y Fa where Fa > e Fr, else Fr; life (C/P)^p in 10^6
 * revolutions. ISO 76: P0 = X0 Fr + Y0 Fa, at least Fr. C, C0: N; NaN: not given. */
typedef struct ksiBearingData {
    double dynamic, fixed;
    bool isRoller;
    double x, y, e, x0, y0;
} ksiBearingData;

/* A bearing without data. */
extern const ksiBearingData ksiPlainBearing;

typedef struct ksiBearingSize {
    ksiPeak radial, axial, tilting, fixed; /* fixed: P0 */
    double revolutions;
    ksiPowerSum load[KSI_BEARINGS]; /* sums over revolutions */
} ksiBearingSize;

typedef struct ksiMotorStep {
    ksiInstant at;
    double duration, force, bar, speed, power;
    bool isSaturated, isAtStop;
} ksiMotorStep;

/* The largest force of a motor by its speed: linear between points, 0 beyond the last one; speeds
 * increase from 0. m/s or rad/s, N or N.m */
enum { KSI_ENVELOPE_POINTS = 64 };
typedef struct ksiEnvelope {
    int count;
    double speed[KSI_ENVELOPE_POINTS], force[KSI_ENVELOPE_POINTS];
} ksiEnvelope;

typedef struct ksiMotorSize {
    bool isKnown;
    ksiPeak peak, power[2]; /* power: largest given power, largest absorbed power */
    double speedAtPeak, fastest;
    ksiPowerSum square;
    double heat, heatHigh, heatLow; /* N^2: state of the filter with the time constant */
    ksiBetween continuous;          /* the largest values of the filter */
    double seen;                    /* s: end of its last step, known or not */
    double time, saturated, atStop; /* s: durations */
    double longest, stretch, until; /* s: the longest time at its limit without a break, the present
                                       one, and its end */
    double given, taken;            /* energy that the motor supplies and absorbs, J */
    uint64_t unknown;
    double unknownTime;          /* s: duration of unknown steps */
    ksiMatrix *points;           /* steps by the size of the force, and by the speed along it;
                                    negative: the motor is driven */
    const ksiEnvelope *envelope; /* NULL: not given */
    ksiPeak use;                 /* the largest share of the envelope; 1: all of it */
    double beyond;               /* s: time outside the envelope */
} ksiMotorSize;

typedef struct ksiJointSize {
    ksiLoadSize load[KSI_SIZED_COMPONENTS];
    bool isBearing;
    const ksiBearingData *data;
    ksiBearingSize bearing;
    ksiMotorSize motor[KSI_SIZED_AXES];
    uint64_t steps, unknown, shared;
    double meanTurn;     /* rad, for means: the largest angle by which the joint's axes turn in the
                            window */
    double time, lasted; /* s: duration of the known steps, and of all steps */
} ksiJointSize;

/* bearing, woehler [components]: the given data, or NULL. false: out of memory. */
bool ksiJointSizeBegin(ksiJointSize *joint, bool isBearing, const ksiBearingData *bearing,
                       const ksiWoehler *const woehler[KSI_SIZED_COMPONENTS]);
/* Adds known steps; count and lasted (s) include the unknown ones. */
void ksiJointSizeAdd(ksiJointSize *joint, const ksiLoadSteps *steps, int count, double lasted);
void ksiJointSizeEnd(ksiJointSize *joint, bool isRepeated);
void ksiJointSizeFree(ksiJointSize *joint);

/* ksiEnvelopeAt returns the largest force at this speed. timeConstant: s; 0: none. */
double ksiEnvelopeAt(const ksiEnvelope *envelope, double speed);
void ksiMotorSizeAdd(ksiMotorSize *motor, const ksiMotorStep *step, double timeConstant);

/* The RMS over `lasted`, s, the duration of all steps of the joint, without the steps in which the
 * force is unknown. In steps without the motor its force is 0. */
ksiBetween ksiMotorRms(const ksiMotorSize *motor, double lasted);

/* The mean in the joint's axes has at least this share of a load that does not turn with them:
 * sin(a/2) / (a/2) for meanTurn a. */
double ksiMeanShare(const ksiJointSize *joint);

/* L10 in millions of revolutions; L10 in hours of runs like this one; the static safety C0 / P0.
 * NaN if C or C0 was not given. */
ksiBetween ksiBearingLife(const ksiJointSize *joint);
ksiBetween ksiBearingHours(const ksiJointSize *joint);
ksiBetween ksiBearingSafety(const ksiJointSize *joint);

#endif

/* joint_size.h  Loads of one joint over a run: components, bearing and motors. The memory does not
 * grow with the number of steps. */
#ifndef KSI_SIZE_JOINT_SIZE_H
#define KSI_SIZE_JOINT_SIZE_H

#include "load_size.h"

enum { KSI_SIZED_AXES = 3, KSI_BEARINGS = 2 };

/* fx fy fz tx ty tz */
extern const char *const ksiSizedComponent[KSI_SIZED_COMPONENTS];

/* ISO 281 of a bearing about x: P = X Fr + Y Fa if Fa > e Fr, else Fr; life (C/P)^p in 10^6
 * revolutions. ISO 76: P0 = X0 Fr + Y0 Fa, at least Fr. dynamic, fixed: C and C0, N; NaN: not
 * given. */
typedef struct ksiBearingData {
    double dynamic, fixed;
    bool isRoller;
    double x, y, e, x0, y0;
} ksiBearingData;

/* Factors for a bearing without data. */
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

/* The largest force of a motor as a function of its speed: linear between the points, 0 beyond the
 * last point. The speeds start at 0 and increase. m/s or rad/s, N or N.m */
enum { KSI_ENVELOPE_POINTS = 64 };
typedef struct ksiEnvelope {
    int count;
    double speed[KSI_ENVELOPE_POINTS], force[KSI_ENVELOPE_POINTS];
} ksiEnvelope;

typedef struct ksiMotorSize {
    bool isKnown;
    ksiPeak peak, power[2]; /* power[0], power[1]: largest and least power; < 0: absorbed */
    double speedAtPeak, fastest;
    ksiPowerSum square;
    double heat, heatHigh, heatLow; /* N^2: squared force, filtered with the time constant, and the
                                       bounds of this square */
    ksiBetween continuous;          /* roots of the largest filtered squares */
    double seen;                    /* s: end of the last step, whether its force is known or not */
    double time, saturated, atStop; /* s: durations. time: of the known steps; saturated: of the
                                       steps at the force limit; atStop: of the steps at a stop */
    double longest, stretch, until; /* s. longest, stretch: longest and present time at the force
                                       limit without a break; until: end of the last known step */
    double given, taken;            /* J. given: energy that the motor supplies; taken: energy that
                                       it absorbs */
    uint64_t unknown;
    double unknownTime;          /* s: duration of unknown steps */
    ksiMatrix *points;           /* numbers of steps by the size of the force and by the speed in
                                    its direction; speed < 0: the motor is driven */
    const ksiEnvelope *envelope; /* NULL: not given */
    ksiPeak use;                 /* the largest force as a share of the envelope */
    double beyond;               /* s: time outside the envelope */
} ksiMotorSize;

typedef struct ksiJointSize {
    ksiLoadSize load[KSI_SIZED_COMPONENTS];
    bool isBearing;
    const ksiBearingData *data;
    ksiBearingSize bearing;
    ksiMotorSize motor[KSI_SIZED_AXES];
    uint64_t steps, unknown, shared;
    double meanTurn;     /* rad: the largest angle by which the joint's axes turn within the window
                            of a mean */
    double time, lasted; /* s: duration of the known steps, and of all steps */
} ksiJointSize;

/* bearing, woehler [components]: the given data, or NULL. false: out of memory. */
bool ksiJointSizeBegin(ksiJointSize *joint, bool isBearing, const ksiBearingData *bearing,
                       const ksiWoehler *const woehler[KSI_SIZED_COMPONENTS]);
/* Adds steps with a known load. count, lasted: number and duration (s) of the steps, including
 * those with an unknown load. */
void ksiJointSizeAdd(ksiJointSize *joint, const ksiLoadSteps *steps, int count, double lasted);
void ksiJointSizeEnd(ksiJointSize *joint, bool isRepeated);
void ksiJointSizeFree(ksiJointSize *joint);

/* ksiEnvelopeAt returns the largest force at this speed. timeConstant: of the motor's heat, s; 0:
 * none. */
double ksiEnvelopeAt(const ksiEnvelope *envelope, double speed);
void ksiMotorSizeAdd(ksiMotorSize *motor, const ksiMotorStep *step, double timeConstant);

/* The RMS of the motor's force over `lasted`, the duration of all steps of the joint in s, less the
 * steps in which the force is unknown. In steps in which the motor is off, its force counts as
 * 0. */
ksiBetween ksiMotorRms(const ksiMotorSize *motor, double lasted);

/* If a load does not turn with the joint's axes, its mean in these axes has at least this share of
 * its size: sin(a/2) / (a/2) for meanTurn a. */
double ksiMeanShare(const ksiJointSize *joint);

/* ksiBearingLife: L10 in millions of revolutions. ksiBearingHours: L10 in hours of runs like this
 * one. NaN if C was not given. ksiBearingSafety: the static safety C0 / P0; NaN if C0 was not
 * given. */
ksiBetween ksiBearingLife(const ksiJointSize *joint);
ksiBetween ksiBearingHours(const ksiJointSize *joint);
ksiBetween ksiBearingSafety(const ksiJointSize *joint);

#endif

/* trace_tables.h  The tables of a trace, and their lines as structs. Each number has 8 bytes. */
#ifndef KSI_REPORT_TRACE_TRACE_TABLES_H
#define KSI_REPORT_TRACE_TRACE_TABLES_H

#include "trace_table.h"

#include <kinetostat/reaction.h>

enum { KSI_TRACED_NAME = 128, KSI_TRACED_TYPE = 16, KSI_TRACED_VERDICTS = 6, KSI_TRACED_PHASES = 8 };

typedef struct ksiJointLine {
    char name[KSI_TRACED_NAME], type[KSI_TRACED_TYPE];
    int64_t number, body[2];
} ksiJointLine;

typedef struct ksiReactionLine {
    int64_t step;
    double time;
    int64_t joint, verdict, reasons;
    double error, errorBar, physicalError, physicalErrorBar, netError[2], work, gap[2], fudgeWork;
    double engineForce[3], engineTorque[3], convergedForce[3], convergedTorque[3], physicalForce[3], physicalTorque[3];
    int64_t freeCount;
    double meanForce[3], meanTorque[3], meanBarForce, meanBarTorque, departureForce, departureTorque, meanTime,
        loadNoise;
    double jointMeanForce[3], jointMeanTorque[3], sharedForce[3], sharedTorque[3];
    double physicalBarForce, physicalBarTorque, sharedBarForce, sharedBarTorque;
    double anchor[2][3], centre[2][3], orientation[2][4], jointOrientation[4];
} ksiReactionLine;

typedef struct ksiMotorLine {
    int64_t step;
    double time;
    int64_t joint, reaction, axis;
    double force, speed, target, power;
    int64_t saturated, atStop;
    double physical, physicalBar, mean, meanBar;
} ksiMotorLine;

/* The window of a pair, and members of its ksMean. */
typedef struct ksiPairLine {
    int64_t step;
    double time;
    int64_t joint, body;
    double window, meanTime, contactShare;
    ksWrench mean, meanBar, deviation;
    double normal[3], friction, frictionBar, frictionUse, frictionUseBar, centre[3], centreBar[3];
    ksWrench physical, physicalBar, physicalOpen;
    int64_t physicalVerdict, physicalReasons;
} ksiPairLine;

typedef struct ksiRowLine {
    int64_t step;
    double time;
    int64_t joint, reaction, row, kind, place, determinate, findex;
    double c, cfm, lo, hi, bound, engine, gauss, paulus, physical, errorBar, physicalBar, residual, work, unsolved,
        alone, adopted, observed, observedBar, shared, sharedBar;
} ksiRowLine;

/* The pose of a body at the start of a step. */
typedef struct ksiPoseLine {
    int64_t step, body; /* body: number of the body */
    double place[3], orientation[4], box[3];
} ksiPoseLine;

typedef struct ksiStepLine {
    int64_t step;
    double time;
    int64_t stepper, inspected, reactionCount, verdictCount[KSI_TRACED_VERDICTS], worstJoint;
    double worstError, gaussConstraint, unexplained, solverError, gap, momentumResidual;
    int64_t rowCount, rank, islandCount;
    double kineticEnergy[2], potentialChange, rowWork, forceWork, gravityDiscretisation, dampingWork;
    double worldEnergy[2], energyOf[KS_ENERGY_COUNT];
    double worstEstimate, worstUnsolved;
    int64_t fallbackRowCount, fallbackReasons;
    double seconds[KSI_TRACED_PHASES], stepSize;
    int64_t firstRow, rowLines, firstMotor, motorLines, firstPair, pairLines, first, count;
} ksiStepLine;

extern const ksiTable ksiJointTable, ksiReactionTable, ksiRowTable, ksiMotorTable, ksiPairTable, ksiStepTable;

/* Its lines have no columns: only writers of scenes use them. */
extern const ksiTable ksiPoseTable;

#endif

/* trace_tables.c  The columns of a trace: name, unit, meaning. docs/traces.md has them for
 * readers. */
#include "trace_tables.h"

#include <kinetostat/kinetostat.h>

#define COLUMN(line, member, cellType, columnName, columnUnit, columnParts, text)                                      \
    {                                                                                                                  \
        .name = columnName, .unit = columnUnit, .description = text, .parts = columnParts, .cell = cellType,           \
        .width = (int)(sizeof(((line *)NULL)->member) / sizeof(double)), .offset = offsetof(line, member)              \
    }
/* An integer that is a word in texts; a set has a word for each bit. */
#define WORD(line, member, columnName, wordOf, wordsAreBits, text)                                                     \
    {                                                                                                                  \
        .name = columnName, .unit = "", .description = text, .cell = KSI_CELL_INTEGER, .width = 1,                     \
        .offset = offsetof(line, member), .word = wordOf, .isSet = wordsAreBits                                        \
    }
#define TEXT(line, member, columnName, text)                                                                           \
    {                                                                                                                  \
        .name = columnName, .unit = "", .description = text, .cell = KSI_CELL_TEXT,                                    \
        .width = (int)sizeof(((line *)NULL)->member), .offset = offsetof(line, member)                                 \
    }
#define TABLE(line, tableName, csvName, columns, text)                                                                 \
    {                                                                                                                  \
        .name = tableName, .description = text, .csv = csvName, .lineSize = sizeof(line),                              \
        .columnCount = (int)(sizeof columns / sizeof columns[0]), .column = columns                                    \
    }

static const char verdictText[] =
    "ksVerdict: 0 KS_NOT_SOLVED, 1 KS_UNCHECKED, 2 KS_UNEXPLAINED, 3 KS_SOLVER_ERROR, 4 KS_INDETERMINATE, 5 KS_VALID";

static const char *verdictWord(int64_t verdict)
{
    return ksVerdictName((ksVerdict)verdict);
}

static const char *reasonWord(int64_t bit)
{
    return ksReasonName((ksReasons)bit);
}

static const char *word(const char *const *words, size_t count, int64_t at)
{
    return at >= 0 && (size_t)at < count ? words[at] : "unknown";
}

static const char *stepperWord(int64_t stepper)
{
    static const char *const words[] = {"KS_WORLD_STEP", "KS_QUICK_STEP", "KS_EXACT_STEP", "KS_FOREIGN_STEP"};
    return word(words, sizeof words / sizeof *words, stepper);
}

static const char *kindWord(int64_t kind)
{
    static const char *const words[] = {"KS_ROW_BILATERAL", "KS_ROW_STOP",     "KS_ROW_MOTOR",
                                        "KS_ROW_NORMAL",    "KS_ROW_FRICTION", "KS_ROW_ROLLING"};
    return word(words, sizeof words / sizeof *words, kind);
}

static const char *placeWord(int64_t place)
{
    static const char *const words[] = {"KS_INSIDE", "KS_AT_LOW", "KS_AT_HIGH", "KS_INACTIVE"};
    return word(words, sizeof words / sizeof *words, place);
}

#define JOINT(...) COLUMN(ksiJointLine, __VA_ARGS__)
static const ksiColumn jointColumns[] = {
    TEXT(ksiJointLine, name, "name", "name of the joint, or of all contacts between two bodies; UTF-8"),
    TEXT(ksiJointLine, type, "type", "type of joint"),
    JOINT(number, KSI_CELL_INTEGER, "number", "", NULL, "among the joints of its type, from 1; contacts: 0"),
    JOINT(body, KSI_CELL_INTEGER, "body", "", "body_0 body_1", "numbers of its bodies, from 1; 0: the world"),
};
const ksiTable ksiJointTable = TABLE(ksiJointLine, "joints", ".joints", jointColumns,
                                     "the joints of the other tables, which refer to these lines by number, from 0");

#define REACTION(...) COLUMN(ksiReactionLine, __VA_ARGS__)
static const ksiColumn reactionColumns[] = {
    REACTION(step, KSI_CELL_INTEGER, "step", "", NULL, "number of the step"),
    REACTION(time, KSI_CELL_REAL, "time", "s", NULL, "at the start of the step"),
    REACTION(joint, KSI_CELL_JOINT, "joint", "", NULL, "line of the table joints, from 0"),
    WORD(ksiReactionLine, verdict, "verdict", verdictWord, false, verdictText),
    WORD(ksiReactionLine, reasons, "reasons", reasonWord, true, "bits KS_REASON_..."),
    REACTION(error, KSI_CELL_REAL, "error", "", NULL, "engine against converged, relative"),
    REACTION(errorBar, KSI_CELL_REAL, "error_bar", "", NULL, "of converged, relative"),
    REACTION(physicalError, KSI_CELL_REAL, "physical_error", "", NULL, "engine against physical, relative"),
    REACTION(physicalErrorBar, KSI_CELL_REAL, "physical_error_bar", "", NULL, "of physical, relative"),
    REACTION(netError, KSI_CELL_REAL, "net_error", "", "net_error_0 net_error_1",
             "error of the net force on body 0 and body 1, relative"),
    REACTION(work, KSI_CELL_REAL, "work", "J", NULL, "of the engine's multipliers in this step"),
    REACTION(gap, KSI_CELL_REAL, "gap", "", "gap_m gap_rad",
             "gap between the two sides of the joint at the start of the step: distance, m, and angle, rad"),
    REACTION(fudgeWork, KSI_CELL_REAL, "fudge_work", "J", NULL, "work of motors at stops, in the step before"),
    REACTION(engineForce, KSI_CELL_REAL, "engine_force", "N", "engine_fx engine_fy engine_fz",
             "on body 0, as the engine reported it; world axes"),
    REACTION(engineTorque, KSI_CELL_REAL, "engine_torque", "N.m", "engine_tx engine_ty engine_tz",
             "on body 0, as the engine reported it; world axes, about its mass centre"),
    REACTION(convergedForce, KSI_CELL_REAL, "converged_force", "N", "converged_fx converged_fy converged_fz",
             "on body 0, from the exact solution of the engine's equations; world axes"),
    REACTION(convergedTorque, KSI_CELL_REAL, "converged_torque", "N.m", "converged_tx converged_ty converged_tz",
             "on body 0, from the exact solution of the engine's equations; world axes, about its mass centre"),
    REACTION(physicalForce, KSI_CELL_REAL, "physical_force", "N", "physical_fx physical_fy physical_fz",
             "on body 0, of the continuous mechanism; world axes"),
    REACTION(physicalTorque, KSI_CELL_REAL, "physical_torque", "N.m", "physical_tx physical_ty physical_tz",
             "on body 0, of the continuous mechanism; world axes, about its mass centre"),
    REACTION(freeCount, KSI_CELL_INTEGER, "free_count", "", NULL,
             "directions of the wrench on body 0 that mechanics does not determine"),
    REACTION(meanForce, KSI_CELL_REAL, "mean_force", "N", "mean_fx mean_fy mean_fz",
             "on body 0, from the motion, averaged over mean_time; world axes"),
    REACTION(meanTorque, KSI_CELL_REAL, "mean_torque", "N.m", "mean_tx mean_ty mean_tz",
             "likewise, about the anchor of the joint in each step, or its mass centre where there is no anchor"),
    REACTION(meanBarForce, KSI_CELL_REAL, "mean_bar_force", "N", NULL,
             "error bar of mean_force against the mean of the motion"),
    REACTION(meanBarTorque, KSI_CELL_REAL, "mean_bar_torque", "N.m", NULL, "likewise, of mean_torque"),
    REACTION(departureForce, KSI_CELL_REAL, "departure_force", "N", NULL,
             "bound of the distance of mean_force from the mean of the ideal mechanism"),
    REACTION(departureTorque, KSI_CELL_REAL, "departure_torque", "N.m", NULL, "likewise, of mean_torque"),
    REACTION(meanTime, KSI_CELL_REAL, "mean_time", "s", NULL, "length of the steps in the means; 0: there are none"),
    REACTION(loadNoise, KSI_CELL_REAL, "load_noise", "", NULL,
             "part of physical_error_bar: noise of unsolved contact forces"),
    REACTION(jointMeanForce, KSI_CELL_REAL, "joint_mean_force", "N", "joint_mean_fx joint_mean_fy joint_mean_fz",
             "mean on body 0, each step in the joint's axes of that step"),
    REACTION(jointMeanTorque, KSI_CELL_REAL, "joint_mean_torque", "N.m", "joint_mean_tx joint_mean_ty joint_mean_tz",
             "likewise, about the anchor of the joint in each step, or its mass centre where there is no anchor"),
    REACTION(sharedForce, KSI_CELL_REAL, "shared_force", "N", "shared_fx shared_fy shared_fz",
             "on body 0, physical, with the load shared by elastic joints; unknown without shared load; world axes"),
    REACTION(sharedTorque, KSI_CELL_REAL, "shared_torque", "N.m", "shared_tx shared_ty shared_tz",
             "likewise, about its mass centre"),
    REACTION(physicalBarForce, KSI_CELL_REAL, "physical_bar_force", "N", NULL, "error bar of physical_force"),
    REACTION(physicalBarTorque, KSI_CELL_REAL, "physical_bar_torque", "N.m", NULL,
             "likewise, of the torque about the anchor, or the mass centre where there is no anchor"),
    REACTION(sharedBarForce, KSI_CELL_REAL, "shared_bar_force", "N", NULL, "likewise, of shared_force"),
    REACTION(sharedBarTorque, KSI_CELL_REAL, "shared_bar_torque", "N.m", NULL, "likewise, of shared_torque"),
    REACTION(anchor, KSI_CELL_REAL, "anchor", "m", "anchor_0_x anchor_0_y anchor_0_z anchor_1_x anchor_1_y anchor_1_z",
             "of the joint on body 0 and on body 1, at the start of the step; world axes"),
    REACTION(centre, KSI_CELL_REAL, "centre", "m", "centre_0_x centre_0_y centre_0_z centre_1_x centre_1_y centre_1_z",
             "mass centres of body 0 and body 1 at the start of the step; world axes"),
    REACTION(orientation, KSI_CELL_REAL, "orientation", "",
             "orientation_0_w orientation_0_x orientation_0_y orientation_0_z "
             "orientation_1_w orientation_1_x orientation_1_y orientation_1_z",
             "quaternions from the axes of body 0 and of body 1 to the world's; the world has 1 0 0 0"),
    REACTION(jointOrientation, KSI_CELL_REAL, "joint_orientation", "",
             "joint_orientation_w joint_orientation_x joint_orientation_y joint_orientation_z",
             "quaternion from the axes of the joint, KS_FRAME_JOINT, to the world's"),
};
const ksiTable ksiReactionTable =
    TABLE(ksiReactionLine, "reactions", "", reactionColumns, "a line for each joint and step");

#define ROW(...) COLUMN(ksiRowLine, __VA_ARGS__)
static const ksiColumn rowColumns[] = {
    ROW(step, KSI_CELL_INTEGER, "step", "", NULL, "number of the step"),
    ROW(time, KSI_CELL_REAL, "time", "s", NULL, "at the start of the step"),
    ROW(joint, KSI_CELL_JOINT, "joint", "", NULL, "line of the table joints, from 0"),
    ROW(reaction, KSI_CELL_INTEGER, "reaction", "", NULL, "line of the table reactions, from 0"),
    ROW(row, KSI_CELL_INTEGER, "row", "", NULL, "of the joint, from 0"),
    WORD(ksiRowLine, kind, "kind", kindWord, false,
         "ksRowKind: 0 bilateral, 1 stop, 2 motor, 3 normal, 4 friction, 5 rolling"),
    WORD(ksiRowLine, place, "place", placeWord, false,
         "ksRowPlace: 0 inside, 1 at its lower bound, 2 at its upper bound, 3 inactive"),
    ROW(determinate, KSI_CELL_INTEGER, "determinate", "", NULL, "1: the multiplier is unique"),
    ROW(findex, KSI_CELL_INTEGER, "findex", "", NULL, "row of the joint that scales the bounds, or -1"),
    ROW(c, KSI_CELL_REAL, "c", "m/s or rad/s", NULL, "right-hand side"),
    ROW(cfm, KSI_CELL_REAL, "cfm", "s/kg or s/(kg.m^2)", NULL, "compliance, as the engine gave it"),
    ROW(lo, KSI_CELL_REAL, "lo", "N or N.m", NULL, "lower bound; with findex a coefficient"),
    ROW(hi, KSI_CELL_REAL, "hi", "N or N.m", NULL, "upper bound; with findex a coefficient"),
    ROW(bound, KSI_CELL_REAL, "bound", "N or N.m", NULL, "the bound in force"),
    ROW(engine, KSI_CELL_REAL, "engine", "N or N.m", NULL, "multiplier, as the engine reported it"),
    ROW(gauss, KSI_CELL_REAL, "gauss", "N or N.m", NULL, "converged multiplier by the range-space route"),
    ROW(paulus, KSI_CELL_REAL, "paulus", "N or N.m", NULL, "converged multiplier by the null-space route"),
    ROW(physical, KSI_CELL_REAL, "physical", "N or N.m", NULL, "multiplier of the continuous mechanism"),
    ROW(errorBar, KSI_CELL_REAL, "error_bar", "N or N.m", NULL, "of the converged multiplier"),
    ROW(physicalBar, KSI_CELL_REAL, "physical_bar", "N or N.m", NULL, "of the physical multiplier"),
    ROW(residual, KSI_CELL_REAL, "residual", "m/s or rad/s", NULL, "J v* + cfm lambda - c of the engine's motion"),
    ROW(work, KSI_CELL_REAL, "work", "J", NULL, "of the engine's multiplier in this step"),
    ROW(unsolved, KSI_CELL_REAL, "unsolved", "N or N.m", NULL,
        "change of the engine's multiplier that would solve this row"),
    ROW(alone, KSI_CELL_REAL, "alone", "N or N.m", NULL, "of a contact: the multiplier that solves this row alone"),
    ROW(adopted, KSI_CELL_REAL, "adopted", "", NULL, "the engine's share of the physical multiplier"),
    ROW(observed, KSI_CELL_REAL, "observed", "N or N.m", NULL, "multiplier by the motion that took place"),
    ROW(observedBar, KSI_CELL_REAL, "observed_bar", "N or N.m", NULL, "of the observed multiplier"),
    ROW(shared, KSI_CELL_REAL, "shared", "N or N.m", NULL, "physical multiplier, with shares of elastic joints"),
    ROW(sharedBar, KSI_CELL_REAL, "shared_bar", "N or N.m", NULL, "of the shared multiplier"),
};
const ksiTable ksiRowTable = TABLE(ksiRowLine, "rows", ".rows", rowColumns, "a line for each constraint row and step");

#define MOTOR(...) COLUMN(ksiMotorLine, __VA_ARGS__)
static const ksiColumn motorColumns[] = {
    MOTOR(step, KSI_CELL_INTEGER, "step", "", NULL, "number of the step"),
    MOTOR(time, KSI_CELL_REAL, "time", "s", NULL, "at the start of the step"),
    MOTOR(joint, KSI_CELL_JOINT, "joint", "", NULL, "line of the table joints, from 0"),
    MOTOR(reaction, KSI_CELL_INTEGER, "reaction", "", NULL, "line of the table reactions, from 0"),
    MOTOR(axis, KSI_CELL_INTEGER, "axis", "", NULL, "of the joint, from 0, in the order of dParamFMax1, 2, 3"),
    MOTOR(force, KSI_CELL_REAL, "force", "N or N.m", NULL, "along or about the axis, by the engine's report"),
    MOTOR(speed, KSI_CELL_REAL, "speed", "m/s or rad/s", NULL, "of the axis at the end of the step"),
    MOTOR(target, KSI_CELL_REAL, "target", "m/s or rad/s", NULL, "dParamVel"),
    MOTOR(power, KSI_CELL_REAL, "power", "W", NULL, "given to the bodies, averaged over the step"),
    MOTOR(saturated, KSI_CELL_INTEGER, "saturated", "", NULL, "1: its force is at its bound, dParamFMax"),
    MOTOR(atStop, KSI_CELL_INTEGER, "at_stop", "", NULL, "1: its axis is at a stop"),
    MOTOR(physical, KSI_CELL_REAL, "physical", "N or N.m", NULL, "its force in the continuous mechanism"),
    MOTOR(physicalBar, KSI_CELL_REAL, "physical_bar", "N or N.m", NULL, "of the physical force"),
    MOTOR(mean, KSI_CELL_REAL, "mean", "N or N.m", NULL, "its force, averaged over mean_time of the reaction"),
    MOTOR(meanBar, KSI_CELL_REAL, "mean_bar", "N or N.m", NULL, "of that mean"),
};
const ksiTable ksiMotorTable =
    TABLE(ksiMotorLine, "motors", ".motors", motorColumns, "a line for each motor of an axis and step");

#define PAIR(...) COLUMN(ksiPairLine, __VA_ARGS__)
/* Components x, y, z of a vector. */
#define VECTOR(member, name, unit, stem, text)                                                                         \
    PAIR(member, KSI_CELL_REAL, name, unit, stem "x " stem "y " stem "z", text)
static const ksiColumn pairColumns[] = {
    PAIR(step, KSI_CELL_INTEGER, "step", "", NULL, "number of the step"),
    PAIR(time, KSI_CELL_REAL, "time", "s", NULL, "at the start of the step"),
    PAIR(joint, KSI_CELL_JOINT, "joint", "", NULL, "the contacts of the pair: line of the table joints, from 0"),
    PAIR(body, KSI_CELL_INTEGER, "body", "", NULL, "number of the body that the forces act on"),
    PAIR(window, KSI_CELL_REAL, "window", "s", NULL, "of the pair"),
    PAIR(meanTime, KSI_CELL_REAL, "mean_time", "s", NULL, "of the steps in the window; 0: there are none"),
    PAIR(contactShare, KSI_CELL_REAL, "contact_share", "", NULL, "share of mean_time in which a contact pressed"),
    VECTOR(mean.force, "mean_force", "N", "mean_f", "from the motion, averaged over mean_time; world axes"),
    VECTOR(mean.torque, "mean_torque", "N.m", "mean_t", "likewise, about the mass centre of the body in each step"),
    VECTOR(meanBar.force, "mean_bar_force", "N", "mean_bar_f",
           "error bar of mean_force; unknown if others share the load"),
    VECTOR(meanBar.torque, "mean_bar_torque", "N.m", "mean_bar_t", "likewise, of mean_torque"),
    VECTOR(deviation.force, "deviation_force", "N", "deviation_f",
           "standard deviation of single steps about the line through the window"),
    VECTOR(deviation.torque, "deviation_torque", "N.m", "deviation_t", "likewise, of the torque"),
    VECTOR(normal, "normal", "", "normal_", "mean direction in which contacts push the body; world axes"),
    PAIR(friction, KSI_CELL_REAL, "friction", "", NULL, "mean tangential force divided by mean normal force"),
    PAIR(frictionBar, KSI_CELL_REAL, "friction_bar", "", NULL, "error bar of friction"),
    PAIR(frictionUse, KSI_CELL_REAL, "friction_use", "", NULL, "share of the largest possible friction; 1: it slides"),
    PAIR(frictionUseBar, KSI_CELL_REAL, "friction_use_bar", "", NULL, "error bar of friction_use"),
    VECTOR(centre, "centre", "m", "centre_", "of pressure, from the mass centre of the body; world axes"),
    VECTOR(centreBar, "centre_bar", "m", "centre_bar_", "error bar of centre"),
    VECTOR(physical.force, "physical_force", "N", "physical_f",
           "of the step, in the continuous mechanism; world axes; unknown if it was not requested"),
    VECTOR(physical.torque, "physical_torque", "N.m", "physical_t", "likewise, about the mass centre of the body"),
    VECTOR(physicalBar.force, "physical_bar_force", "N", "physical_bar_f", "error bar of physical_force"),
    VECTOR(physicalBar.torque, "physical_bar_torque", "N.m", "physical_bar_t", "likewise, of physical_torque"),
    VECTOR(physicalOpen.force, "physical_open_force", "N", "physical_open_f",
           "the part of physical_bar_force that mechanics leaves undetermined"),
    VECTOR(physicalOpen.torque, "physical_open_torque", "N.m", "physical_open_t", "likewise, of physical_bar_torque"),
    WORD(ksiPairLine, physicalVerdict, "physical_verdict", verdictWord, false, verdictText),
    WORD(ksiPairLine, physicalReasons, "physical_reasons", reasonWord, true, "bits KS_REASON_..."),
};
const ksiTable ksiPairTable =
    TABLE(ksiPairLine, "pairs", ".pairs", pairColumns, "a line for each pair of ksInspectorPair and step");

#define STEP(...) COLUMN(ksiStepLine, __VA_ARGS__)
static const ksiColumn stepColumns[] = {
    STEP(step, KSI_CELL_INTEGER, "step", "", NULL, "number of the step"),
    STEP(time, KSI_CELL_REAL, "time", "s", NULL, "at the start of the step"),
    WORD(ksiStepLine, stepper, "stepper", stepperWord, false,
         "ksStepper: 0 KS_WORLD_STEP, 1 KS_QUICK_STEP, 2 KS_EXACT_STEP, 3 KS_FOREIGN_STEP"),
    STEP(inspected, KSI_CELL_INTEGER, "inspected", "", NULL, "1: every reaction was judged or has its reason"),
    STEP(reactionCount, KSI_CELL_INTEGER, "reaction_count", "", NULL, "joints, traced or not"),
    STEP(verdictCount, KSI_CELL_INTEGER, "verdict_count", "",
         "not_solved unchecked unexplained solver_error indeterminate valid", "of these, by verdict"),
    STEP(worstJoint, KSI_CELL_JOINT, "worst_joint", "", NULL,
         "joint with the largest error: line of the table joints, from 0; -1: none, or not traced"),
    STEP(worstError, KSI_CELL_REAL, "worst_error", "", NULL, "its error, relative"),
    STEP(gaussConstraint, KSI_CELL_REAL, "gauss_constraint", "kg.m^2/s^4", NULL, "Z of the engine's motion"),
    STEP(unexplained, KSI_CELL_REAL, "unexplained", "kg.m^2/s^4", NULL, "the part of Z that no multiplier explains"),
    STEP(solverError, KSI_CELL_REAL, "solver_error", "kg.m^2/s^4", NULL, "the part of Z that violates the rows"),
    STEP(gap, KSI_CELL_REAL, "gap", "kg.m^2/s^4", NULL,
         "gap between the two routes' bounds of Gauss's least constraint"),
    STEP(momentumResidual, KSI_CELL_REAL, "momentum_residual", "", NULL, "largest of a body, relative to its load"),
    STEP(rowCount, KSI_CELL_INTEGER, "row_count", "", NULL, "rows that the engine solved"),
    STEP(rank, KSI_CELL_INTEGER, "rank", "", NULL, "of the rows inside their bounds"),
    STEP(islandCount, KSI_CELL_INTEGER, "island_count", "", NULL, "groups that share multipliers"),
    STEP(kineticEnergy, KSI_CELL_REAL, "kinetic_energy", "J", "kinetic_energy_before kinetic_energy_after",
         "before the step, and after it without damping"),
    STEP(potentialChange, KSI_CELL_REAL, "potential_change", "J", NULL, "of weight"),
    STEP(rowWork, KSI_CELL_REAL, "row_work", "J", NULL, "of the rows"),
    STEP(forceWork, KSI_CELL_REAL, "force_work", "J", NULL, "of applied forces but weight"),
    STEP(gravityDiscretisation, KSI_CELL_REAL, "gravity_discretisation", "J", NULL,
         "work of weight less its potential"),
    STEP(dampingWork, KSI_CELL_REAL, "damping_work", "J", NULL, "of damping and speed cap, after the step"),
    STEP(worldEnergy, KSI_CELL_REAL, "world_energy", "J", "world_energy_before world_energy_after",
         "kinetic energy of all bodies, before and after the step"),
    STEP(energyOf, KSI_CELL_REAL, "energy_of", "J",
         "energy_of_weight energy_of_motors energy_of_stops energy_of_joints energy_of_contacts energy_of_host "
         "energy_of_damping energy_of_rest energy_of_set",
         "change of kinetic energy, by cause: KS_ENERGY_..."),
    STEP(worstEstimate, KSI_CELL_REAL, "worst_estimate", "", NULL, "the largest net error"),
    STEP(worstUnsolved, KSI_CELL_REAL, "worst_unsolved", "N", NULL,
         "of an exact step: the largest force that a row lacks"),
    STEP(fallbackRowCount, KSI_CELL_INTEGER, "fallback_row_count", "", NULL,
         "of an exact step: rows left to dWorldQuickStep"),
    WORD(ksiStepLine, fallbackReasons, "fallback_reasons", reasonWord, true, "why: bits KS_REASON_..."),
    STEP(seconds, KSI_CELL_REAL, "seconds", "s",
         "snapshot_seconds rows_seconds gauss_seconds paulus_seconds verdict_seconds callbacks_seconds "
         "physical_seconds estimate_seconds",
         "wall clock of the inspection, by phase KS_PHASE_...; callbacks: those before the trace"),
    STEP(stepSize, KSI_CELL_REAL, "step_size", "s", NULL, "of the step"),
    STEP(firstRow, KSI_CELL_INTEGER, "first_row", "", NULL, "of the step: line of the table rows, from 0"),
    STEP(rowLines, KSI_CELL_INTEGER, "row_lines", "", NULL, "of the step in the table rows"),
    STEP(firstMotor, KSI_CELL_INTEGER, "first_motor", "", NULL, "of the step: line of the table motors, from 0"),
    STEP(motorLines, KSI_CELL_INTEGER, "motor_lines", "", NULL, "of the step in the table motors"),
    STEP(firstPair, KSI_CELL_INTEGER, "first_pair", "", NULL, "of the step: line of the table pairs, from 0"),
    STEP(pairLines, KSI_CELL_INTEGER, "pair_lines", "", NULL, "of the step in the table pairs"),
    STEP(first, KSI_CELL_INTEGER, "first", "", NULL, "of the step: line of the table reactions, from 0"),
    STEP(count, KSI_CELL_INTEGER, "count", "", NULL, "of the step in the table reactions"),
};
const ksiTable ksiStepTable = TABLE(ksiStepLine, "steps", ".steps", stepColumns, "a line for each step");

const ksiTable ksiPoseTable = {.name = "poses", .lineSize = sizeof(ksiPoseLine)};

/* tables.c  The list of fields of each public structure, with their units. It omits `size`,
 * `reserved`, pointers that are valid only for a short time, and fields that are useless in Python
 * (allocator, executor). */
#include "native.h"

#ifdef KSP_HAVE_REPORT
#include <kinetostat/recording.h>
#include <kinetostat/report.h>
#include <kinetostat/trace.h>
#endif

/* the letter of a number's type, as in the module struct; enumerations are unsigned */
#define KIND(x)                                                                                                        \
    _Generic((x),                                                                                                      \
        double: 'd',                                                                                                   \
        int: 'i',                                                                                                      \
        unsigned: 'I',                                                                                                 \
        unsigned long: 'Q',                                                                                            \
        dJointID: 'J',                                                                                                 \
        dBodyID: 'B',                                                                                                  \
        const char *: 'z')
#define AT(field) (((STRUCT *)0)->field)
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define ONE(field, doc)                                                                                                \
    {                                                                                                                  \
#field, offsetof(STRUCT, field), KIND(AT(field)), 0, {0, 0 }, KSP_NO_ENUM, NULL, doc                           \
    }
#define OF(members, field, doc)                                                                                        \
    {                                                                                                                  \
#field, offsetof(STRUCT, field), KIND(AT(field)), 0, {0, 0 }, members, NULL, doc                               \
    }
#define ARRAY(field, doc)                                                                                              \
    {                                                                                                                  \
#field, offsetof(STRUCT, field), KIND(AT(field)[0]), 1, {COUNT(AT(field)), 0 }, KSP_NO_ENUM, NULL, doc         \
    }
#define MATRIX(field, doc)                                                                                             \
    {                                                                                                                  \
#field, offsetof(STRUCT, field), KIND(AT(field)[0][0]), 2,                                                     \
            {COUNT(AT(field)), COUNT(AT(field)[0]) }, KSP_NO_ENUM, NULL, doc                                           \
    }
#define WRENCH(field, doc)                                                                                             \
    {                                                                                                                  \
#field, offsetof(STRUCT, field), 's', 0, {0, 0 }, KSP_NO_ENUM, &kspWrenchLayout, doc                           \
    }
#define INNERS(field, layout, doc)                                                                                     \
    {                                                                                                                  \
#field, offsetof(STRUCT, field), 's', 1, {COUNT(AT(field)), 0 }, KSP_NO_ENUM, &layout, doc                     \
    }
#define WRENCHES(field, doc) INNERS(field, kspWrenchLayout, doc)
#define INNER(field, layout, doc)                                                                                      \
    {                                                                                                                  \
#field, offsetof(STRUCT, field), 's', 0, {0, 0 }, KSP_NO_ENUM, &layout, doc                                    \
    }
#define END                                                                                                            \
    {                                                                                                                  \
        NULL, 0, 0, 0, {0, 0}, KSP_NO_ENUM, NULL, NULL                                                                 \
    }
#define LAYOUT(name, list, init, given, doc)                                                                           \
    const kspLayout name##Layout = {list, doc, sizeof(STRUCT), name##Fields, NULL, init, given}

const kspLayout kspDoubleLayout = {"float", NULL, sizeof(double), NULL, "d", NULL, 0};
const kspLayout kspIntLayout = {"int", NULL, sizeof(int), NULL, "i", NULL, 0};

#define STRUCT ksWrench
static const kspField kspWrenchFields[] = {ARRAY(force, "N"), ARRAY(torque, "N.m"), END};
LAYOUT(kspWrench, "Wrench", NULL, 1, "A force and a torque on a body.");
#undef STRUCT

#define STRUCT ksMotor
static const kspField kspMotorFields[] = {ONE(force, "by the engine's report; N or N.m"),
                                          ONE(speed, "of the axis, v*; m/s or rad/s"),
                                          ONE(target, "ParamVel; m/s or rad/s"),
                                          ONE(power, "power given to the bodies, averaged over the step; W"),
                                          ONE(saturated, "1: its force is at its bound, ParamFMax; always 1 at a stop"),
                                          ONE(atStop, "1: its axis is at a stop, whose multiplier includes its force"),
                                          ONE(mean, "its mean force over the window; N or N.m"),
                                          ONE(meanBar, "error bar of mean against the motion; N or N.m"),
                                          ONE(physical, "its force in the continuous mechanism; N or N.m"),
                                          ONE(physicalBar, "error bar of physical; N or N.m"),
                                          END};
LAYOUT(kspMotor, "Motor", NULL, 0, "The motor of one axis of a joint in one step; NaN where there is none.");
#undef STRUCT

#define STRUCT ksReaction
static const kspField kspReactionFields[] = {
    ONE(joint, "pyode's object of the joint; in arrays its address, since the joint may be gone"),
    OF(KSP_JOINT_TYPE, type, "JointType"),
    ARRAY(body, "the first has f1, t1 of the engine's feedback; the second may be 0, the world"),
    ONE(reversed, "1: the first body is the joint's second"),
    ONE(step, "number of the step"),
    ONE(time, "s, of this inspector, at the start of the step"),
    OF(KSP_VERDICT, verdict, "Verdict"),
    OF(KSP_REASON, reasons, "Reason: every condition that holds"),
    ONE(rowCount, "rows of the joint: Inspector.rows"),
    WRENCHES(engine, "on either body, world axes, about its mass centre; N, N.m; NaN if unknown, and for the world"),
    WRENCHES(converged, "likewise"),
    WRENCHES(physical, "likewise"),
    WRENCHES(observed, "likewise"),
    WRENCHES(shared, "physical, with the shares of elastic joints in undetermined loads"),
    ONE(freeCount, "directions of the wrench that mechanics does not determine"),
    WRENCHES(freeDirection, "a basis of these, on the first body: world axes, about the mass centre, of unit size"),
    ONE(error, "engine against converged, relative; NaN: nothing was compared"),
    ONE(errorBar, "of converged, same measure"),
    ONE(work, "J, of all rows in this step, engine's multipliers"),
    OF(KSP_PHYSICAL_SOURCE, physicalSource, "PhysicalSource"),
    ONE(physicalError, "engine against physical, relative"),
    ONE(physicalErrorBar, "of physical, same measure"),
    MATRIX(centre, "m, mass centres at the start of the step"),
    MATRIX(rotation, "row-major, body to world"),
    MATRIX(anchor, "m, world; NaN without an anchor"),
    ARRAY(axes, "row i: axis i of the joint's frame in world axes"),
    ARRAY(netError,
          "error of the net force on either body, in contact against its mean; relative; NaN: none (estimate_sweeps)"),
    ARRAY(gravity, "m/s^2, of the world in this step"),
    ARRAY(weightless, "1: no gravity acts on the body, for instance a kinematic one or the world"),
    ARRAY(gap, "gap of its two sides at the start of the step: distance, m, and angle, rad; NaN: unknown"),
    ONE(fudgeWork, "work of its motors at stops in the step before; J"),
    ONE(axisLength, "length of its axis in the world, which the engine keeps as a factor; 1: a unit vector"),
    INNERS(motor, kspMotorLayout, "by axis: ParamFMax, ParamFMax2, ParamFMax3; of a plane2d x, y and angle"),
    WRENCHES(mean,
             "observed, averaged over a window of steps: on either body, world axes, about the anchor in each step"),
    WRENCHES(meanInJoint, "likewise, in the joint's axes in each step"),
    WRENCH(meanBar, "error bar of mean against the motion, by component; NaN: not determined"),
    WRENCH(departure, "bound of its distance from the mean of the ideal mechanism, by component; NaN: unknown"),
    ONE(meanTime, "s, of the steps in the window"),
    ONE(loadNoise, "part of physical_error_bar: noise of unsolved contacts; NaN: unknown"),
    END};
LAYOUT(kspReaction, "Reaction", NULL, 0, "The reaction of one joint in one step: a copy.");
#undef STRUCT

#define STRUCT ksRow
static const kspField kspRowFields[] = {
    OF(KSP_ROW_KIND, kind, "RowKind"),
    OF(KSP_ROW_PLACE, place, "RowPlace, in the converged solution"),
    ONE(determinate, "1: this row's multiplier is unique"),
    ONE(findex, "row of this joint whose multiplier scales the bounds, or -1"),
    ONE(c, "right-hand side; m/s or rad/s"),
    ONE(cfm, "s/kg or s/(kg.m^2)"),
    ONE(lo, "N or N.m, friction: a coefficient; of a stop with the force of its axis's motor"),
    ONE(hi, "likewise"),
    ONE(bound, "the bound in force; N or N.m"),
    ONE(engine, "multiplier in the engine's feedback; N or N.m"),
    ONE(gauss, "converged, by the range-space route; N or N.m"),
    ONE(paulus, "converged, by the null-space route; N or N.m"),
    ONE(physical, "N or N.m"),
    ONE(errorBar, "of the converged value; N or N.m"),
    ONE(physicalBar, "of the physical value; N or N.m"),
    ONE(residual, "of the engine's motion; m/s or rad/s"),
    ONE(work, "J"),
    ARRAY(workPart, "J, by Work"),
    MATRIX(jacobian, "of either body: linear, angular; world axes, about the mass centre"),
    ONE(unsolved, "change of the engine's multiplier that solves this row, with all others fixed; N or N.m"),
    ONE(alone, "of a contact that is a known load: the multiplier that solves this row alone; N or N.m"),
    ONE(adopted, "the engine's share in the physical multiplier, 0 to 1"),
    ONE(observed, "multiplier by the simulated motion; N or N.m"),
    ONE(observedBar, "N or N.m"),
    ONE(shared, "physical, with shares of elastic joints; N or N.m"),
    ONE(sharedBar, "N or N.m"),
    END};
LAYOUT(kspRow, "Row", NULL, 0, "One constraint row of a joint in one step.");
#undef STRUCT

#define STRUCT ksStepReport
static const kspField kspStepReportFields[] = {
    ONE(step, "number of the step"),
    ONE(time, "s, at the start of the step"),
    OF(KSP_STEPPER, stepper, "Stepper"),
    ONE(stepped, "1: the engine stepped"),
    ONE(inspected, "1: every reaction was judged or has its reason"),
    ONE(reactionCount, "joints"),
    ARRAY(verdictCount, "by Verdict"),
    ONE(worstJoint, "with the largest error, or None"),
    ONE(worstError, "relative"),
    ONE(gaussConstraint, "of the engine's motion; kg.m^2/s^4"),
    ONE(unexplained, "the part of it that no multiplier explains"),
    ONE(solverError, "the part that violates the rows"),
    ONE(momentumResidual, "largest of a body, relative to its island's load"),
    ONE(rowCount, "rows that the engine solved"),
    ONE(rank, "rank of the rows inside their bounds, without contacts that are known loads"),
    ONE(islandCount, "groups of bodies and joints that share multipliers"),
    ARRAY(kineticEnergy, "J, at the start, and before damping"),
    ONE(potentialChange, "J, of weight"),
    ONE(rowWork, "J"),
    ONE(forceWork, "J, of applied forces but weight"),
    ONE(gravityDiscretisation, "J"),
    ONE(dampingWork, "J"),
    ARRAY(seconds, "s, wall clock, by Phase"),
    ONE(culprit, "the body that is not finite, or None"),
    ONE(estimatedBodyCount, "bodies with an estimate"),
    ONE(worstEstimate, "the largest of these, relative"),
    ONE(worstBody, "its body, or None"),
    ONE(fallbackRowCount, "rows that an exact step left to dWorldQuickStep"),
    OF(KSP_REASON, fallbackReasons, "Reason: why"),
    ONE(worstUnsolved, "of an exact step: the largest force that a row lacks, N"),
    ONE(worstUnsolvedJoint, "its joint, or None"),
    ONE(gap, "between the two bounds of Gauss's constraint"),
    ONE(culpritJoint, "of an exact step: the joint that is not finite, or None"),
    ARRAY(worldEnergy, "J, kinetic energy of all bodies, before and after the step"),
    ARRAY(energyOf, "J, change of it, by Energy"),
    END};
LAYOUT(kspStepReport, "StepReport", NULL, 0, "One step of the world: a copy.");
#undef STRUCT

#define STRUCT ksEngineStep
static const kspField kspEngineStepFields[] = {ONE(isDone, "0: before the step; 1: after it, not judged yet"),
                                               OF(KSP_STEPPER, stepper, "Stepper"),
                                               ONE(step, "number of the step"),
                                               ONE(time, "s"),
                                               ONE(stepSize, "s"),
                                               END};
LAYOUT(kspEngineStep, "EngineStep", NULL, 0, "A step of the engine, before or after it is made.");
#undef STRUCT

#define STRUCT ksInspectorOptions
static const kspField kspOptionsFields[] = {
    ONE(tolerance, "0.01: a larger error is SOLVER_ERROR; relative"),
    ONE(momentumTolerance, "1e-9: a body's larger residual of momentum is UNEXPLAINED; relative"),
    ONE(loadFloor, "1e-6: of the largest load of the island"),
    ONE(rigidCfm, "1e-9: larger compliance is a real spring"),
    ONE(rankTolerance, "1e-4: relative singular values below it count as zero"),
    ONE(islandRowBudget, "0: 5000 rows, and no limit for trees and single loops"),
    ONE(alertMask, "bits 1 << Verdict; SOLVER_ERROR and UNEXPLAINED"),
    OF(KSP_COMPUTE, values, "COMPUTE_CONVERGED | COMPUTE_PHYSICAL"),
    ONE(estimateSweeps, "0: no errors of net forces; 40 is sensible"),
    ONE(searchRounds, "64: solutions of an island, to find the rows at bounds"),
    OF(KSP_CONTACTS, contacts, "CONTACTS_REPORTED: as known loads; or CONTACTS_SOLVED"),
    ONE(relaxedPerStep, "1: joints of each island that are checked again, in turn"),
    ONE(contactSweeps, "40: sweeps of an exact step that sweeps contacts"),
    ONE(frictionRounds, "20: most rounds of an exact step that solves contacts"),
    OF(KSP_LATENCY, latency, "SAME_STEP; NEXT_STEP: inspected on another thread"),
    ONE(workers, "0: islands one after the other; n: on up to n threads"),
    ONE(meanWindow, "0.15 s: the window of means"),
    OF(KSP_EXACT_CONTACTS, exactContacts, "EXACT_CONTACTS_SOLVED: with the joints; or EXACT_CONTACTS_SWEPT"),
    ONE(exactContactRows, "400: islands with more rows of contacts have these swept in exact steps"),
    ONE(contactPhysical, "0; 1: pairs also have a physical force"),
    END};
static void initOptions(void *options)
{
    ksInspectorOptionsInit(options);
}
LAYOUT(kspOptions, "Options", initOptions, 0, "Options of an inspector.");
#undef STRUCT

#define STRUCT ksThreshold
static const kspField kspThresholdFields[] = {
    ARRAY(force, "N, a limit for each component; or one number: for the magnitude"),
    ARRAY(torque, "N.m, likewise"),
    ONE(forceMagnitude, "N; inf: no limit"),
    ONE(torqueMagnitude, "N.m; inf: no limit"),
    OF(KSP_VALUE, value, "SHARED: the value that is limited; or PHYSICAL, ENGINE, CONVERGED, MEAN"),
    ONE(body, "0: the wrench on the first body; or 1"),
    OF(KSP_FRAME, frame, "FRAME_JOINT: axes of the components"),
    OF(KSP_POINT, point, "POINT_ANCHOR: reference point of torques"),
    ONE(duration,
        "0 s; else the load is the mean over this time; with a window: the time above the limit until the event"),
    ONE(hysteresis, "0: the event ends below (1 - hysteresis) limit; in [0, 1)"),
    OF(KSP_THRESHOLD_FLAG, flags,
       "0, or THRESHOLD_UNCHECKED, THRESHOLD_BREAKS: joints break one after the other, and the rest takes over their "
       "loads"),
    ONE(window, "0 s; else the load is the mean over this time"),
    END};
static void initThreshold(void *limits)
{
    ksThresholdInit(limits);
}
LAYOUT(kspThreshold, "Threshold", initThreshold, 0, "Limits of the load in a joint.");
#undef STRUCT

#define STRUCT ksThresholdEvent
static const kspField kspThresholdEventFields[] = {OF(KSP_THRESHOLD_PHASE, phase, "ThresholdPhase"),
                                                   OF(KSP_LIMIT, limit, "Limit: the quantity"),
                                                   ONE(load, "present load; N or N.m"),
                                                   ONE(limitValue, "N or N.m"),
                                                   ONE(errorBar, "of the load; N or N.m; NaN: unknown"),
                                                   ONE(lasted, "s, above the limit"),
                                                   WRENCH(wrench, "in the requested frame, about `point`"),
                                                   ONE(determined, "bits 1 << Limit: unique components of the wrench"),
                                                   OF(KSP_POINT, point, "Point: the reference point in use"),
                                                   ONE(contactCount, "contacts whose reported forces entered as loads"),
                                                   ONE(peak, "N or N.m, the largest load while it lasted"),
                                                   END};
LAYOUT(kspThresholdEvent, "ThresholdEvent", NULL, 0, "One limit entered or left.");
#undef STRUCT

#define STRUCT ksTouch
static const kspField kspTouchFields[] = {
    OF(KSP_TOUCH_PHASE, phase, "TouchPhase"),
    ARRAY(body, "the first is `a` of the subscription; the second may be 0, the world"),
    ONE(step, "number of the step"),
    ONE(time, "s, at its start"),
    ONE(lasted, "s, since the touch began"),
    ONE(impulse, "N.s, of all normal forces over the step, as the engine reports them"),
    ONE(closing, "m/s along the normal, before the step"),
    ONE(sliding, "m/s across it, before the step"),
    ARRAY(point, "m, world: mean by normal forces, as are both speeds"),
    ARRAY(normal, "mean of the directions in which the first body is pushed"),
    ONE(contactCount, "pressing contacts"),
    END};
LAYOUT(kspTouch, "Touch", NULL, 0, "One step of a touch.");
#undef STRUCT

#define STRUCT ksSensor
static const kspField kspSensorFields[] = {
    OF(KSP_VALUE, value, "PHYSICAL; or ENGINE, CONVERGED"),
    ONE(body, "0: the wrench on the first body; or 1"),
    OF(KSP_FRAME, frame, "FRAME_BODY: fixed in the body"),
    OF(KSP_POINT, point, "POINT_ANCHOR"),
    ONE(atPosition, "1: about `position` instead of `point`"),
    ARRAY(position, "m, in the axes of the body, from its mass centre"),
    ONE(undetermined, "0: components that are not unique read NaN; 1: they read the solver's value"),
    ONE(toolMass, "mass whose weight is removed from the reading, kg"),
    ARRAY(toolCentre, "m, in the axes of the body, from its mass centre"),
    /* dVector3 has a fourth number, for alignment */
    {"gravity",
     offsetof(ksSensor, gravity),
     'd',
     1,
     {3, 0},
     KSP_NO_ENUM,
     NULL,
     "m/s^2, world axes; NaN: as in the step"},
    WRENCH(bias, "subtracted from each reading"),
    END};
static void initSensor(void *sensor)
{
    ksSensorInit(sensor);
}
LAYOUT(kspSensor, "Sensor", initSensor, 1, "A six-axis force and torque sensor in a joint.");
#undef STRUCT

#define STRUCT ksWrenchTerm
static const kspField kspWrenchTermFields[] = {ONE(joint, "None: all contacts between `body` and `other`"),
                                               ONE(body, "that the wrench acts on; None: the world"),
                                               ONE(other, "of contacts: the other body; None: any body"), END};
LAYOUT(kspWrenchTerm, "WrenchTerm", NULL, 1, "The wrench of one joint, or of all contacts of a body, on that body.");
#undef STRUCT

#define STRUCT ksWrenchSum
static const kspField kspWrenchSumFields[] = {
    WRENCH(wrench, "N, N.m; world axes"),
    WRENCH(bar, "error bar of the unique part, by component"),
    ONE(unique, "bits 1 << Limit: components that mechanics determines"),
    ONE(freeCount, "directions that mechanics does not determine; -1: unknown"),
    WRENCHES(freeDirection, "a basis of these, each of unit size"),
    END};
LAYOUT(kspWrenchSum, "WrenchSum", NULL, 0, "A sum of wrenches; world axes, about one point.");
#undef STRUCT

#define STRUCT ksMean
static const kspField kspMeanFields[] = {
    WRENCH(wrench, "N, N.m; NaN where `time` is 0"),
    WRENCH(bar, "error bar against the motion, by component; NaN: shared"),
    ONE(time, "s, of the steps in the window"),
    ONE(contactShare, "share of this time in which contacts pressed"),
    ONE(stepCount, "steps"),
    WRENCH(deviation, "standard deviation of single steps about their line"),
    ARRAY(normal, "mean direction in which contacts push the body"),
    ONE(friction, "force across the normal divided by force along it"),
    ONE(frictionBar, "error bar of friction"),
    ONE(frictionUse, "share of the largest possible friction"),
    ONE(frictionUseBar, "error bar of friction_use"),
    ARRAY(centre, "m, centre of pressure from the point of the wrench"),
    ARRAY(centreBar, "m, error bar of centre, by component"),
    WRENCH(physical, "Inspector.pair: the physical force of the last step"),
    WRENCH(physicalBar, "error bar of physical, by component"),
    WRENCH(physicalOpen, "the part of physical_bar that mechanics does not determine"),
    OF(KSP_VERDICT, physicalVerdict, "Verdict on physical"),
    OF(KSP_REASON, physicalReasons, "Reason: every condition that holds"),
    END};
LAYOUT(kspMean, "Mean", NULL, 0, "The mean force over a window, by the simulated motion.");
#undef STRUCT

#define STRUCT ksPair
static const kspField kspPairFields[] = {ONE(subscription, "its number"), ONE(a, "the body that its forces act on"),
                                         ONE(b, "the other body; None: the world"), ONE(window, "s"), END};
LAYOUT(kspPair, "Pair", NULL, 0, "Two bodies of Inspector.pair.");
#undef STRUCT

#define STRUCT ksNetWrench
static const kspField kspNetWrenchFields[] = {
    ONE(a, "request: the wrench on this body"),
    ONE(b, "request: of its contacts with this body; None: with any body"),
    ONE(joint, "request: of this joint alone"),
    WRENCH(wrench, "N, N.m; world axes, about the mass centre of a at the start of the step"),
    ONE(error, "of the engine's wrench against this one, relative"),
    ONE(errorBar, "error bar of `wrench`, relative"),
    ONE(reached, "1: error_bar is within the tolerance"),
    ARRAY(mean, "N, mean force of all contacts of a, if these are requested; NaN: unknown"),
    END};
LAYOUT(kspNetWrench, "NetWrench", NULL, 1, "A wrench on a body to be recomputed, and the answer.");
#undef STRUCT

#define STRUCT ksBodyProbe
static const kspField kspBodyProbeFields[] = {ONE(body, "the body"),
                                              ONE(couple, "1: about `axis`; `point` is not read"),
                                              ARRAY(point, "m, world"), ARRAY(axis, "world; of unit length"), END};
LAYOUT(kspBodyProbe, "BodyProbe", NULL, 1, "A place and a direction on a body.");
#undef STRUCT

#define STRUCT ksBlow
static const kspField kspBlowFields[] = {INNER(at, kspBodyProbeLayout, "BodyProbe: where it acts"),
                                         ONE(impulse, "N.s, or N.m.s"), END};
LAYOUT(kspBlow, "Blow", NULL, 1, "A blow at a place of a body.");
#undef STRUCT

#define STRUCT ksJointImpact
static const kspField kspJointImpactFields[] = {
    ONE(joint, "address"),
    WRENCHES(impulse, "on its bodies; N.s, N.m.s; world axes, about the mass centre"),
    ARRAY(bar, "of impulse[0]: N.s, N.m.s"),
    ONE(isUnique, "0: the impulse is not unique"),
    ONE(leftOut, "rows that take no part: motors with a finite ParamFMax"),
    END};
LAYOUT(kspJointImpact, "JointImpact", NULL, 0, "The impulse of a joint in an impact.");
#undef STRUCT

#define STRUCT ksJointAfter
static const kspField kspJointAfterFields[] = {
    ONE(joint, "address"), ONE(isUnique, "0: a part of it is the share of elastic joints"),
    WRENCHES(wrench, "on its bodies; N, N.m; world axes, about the mass centre"), WRENCHES(bar, "of each component"),
    END};
LAYOUT(kspJointAfter, "JointAfter", NULL, 0, "The load of a joint after others have released.");
#undef STRUCT

#define STRUCT ksBodyImpact
static const kspField kspBodyImpactFields[] = {ONE(body, "address"),
                                               ARRAY(before, "m/s of the mass centre, rad/s; world axes"),
                                               ARRAY(after, "likewise"), ARRAY(bar, "of after: m/s, rad/s"), END};
LAYOUT(kspBodyImpact, "BodyImpact", NULL, 0, "The velocities of a body before and after an impact.");
#undef STRUCT

#define STRUCT ksImpact
static const kspField kspImpactFields[] = {ONE(jointCount, "joints that it reaches"),
                                           ONE(bodyCount, "bodies that it reaches"),
                                           ONE(before, "J, kinetic energy of these bodies"),
                                           ONE(after, "J"),
                                           ONE(given, "J, by the blows"),
                                           ONE(lost, "J, before + given - after"),
                                           ONE(contactCount, "contacts on these bodies that take no part"),
                                           END};
LAYOUT(kspImpact, "Impact", NULL, 0, "Totals of an impact.");
#undef STRUCT

#define STRUCT ksRelaxation
static const kspField kspRelaxationFields[] = {ONE(rho, "w . (M a - f)"),
                                               ONE(derivative, "J_l w"),
                                               ONE(multiplier, "rho / derivative"),
                                               ONE(effectiveMass, "the mass that this constraint sees"),
                                               ONE(noCrossTerm, "1: (48) of Paulus 1910 holds"),
                                               ONE(orthogonal, "1: w is along the row's own normal"),
                                               END};
LAYOUT(kspRelaxation, "Relaxation", NULL, 0, "One row's relaxation, the parts of Paulus 1910 (17) and (18).");
#undef STRUCT

#define STRUCT ksGaussMeasure
static const kspField kspGaussMeasureFields[] = {ONE(constraint, "Z; kg.m^2/s^4"),
                                                 ONE(unexplained, "the part that no multiplier explains"),
                                                 ONE(solverError, "the part that violates the rows"), END};
LAYOUT(kspGaussMeasure, "GaussMeasure", NULL, 0, "The constraint of a motion in Gauss's sense, and its parts.");
#undef STRUCT

#define STRUCT ksImpulse
static const kspField kspImpulseFields[] = {ONE(before, "1/2 v . M v"),
                                            ONE(after, "after the impact"),
                                            ONE(given, "by the impulses"),
                                            ONE(byRows, "by the rows, negative where they take energy"),
                                            ONE(unconstrained, "after the impulses, without any rows"),
                                            ONE(lost, "unconstrained - after"),
                                            ONE(stored, "in the slacks of compliant rows"),
                                            ONE(momentum, "of the impulses and momenta"),
                                            ONE(prescribed, "of the prescribed velocities"),
                                            END};
LAYOUT(kspImpulse, "Impulse", NULL, 0, "Energies of an impact; J.");
#undef STRUCT

#ifdef KSP_HAVE_REPORT
#define STRUCT ksReportLimit
static const kspField kspReportLimitFields[] = {
    ONE(above, "0.05: a joint with a larger error fails; relative"),
    ONE(percentile, "95: of the joint's errors over its steps, the one that counts; 100: the largest"),
    OF(KSP_VALUE, value, "CONVERGED: the reference for the engine's force; or PHYSICAL"),
    ONE(joints, "None: every joint; else those whose names match this pattern"),
    ONE(floor, "0: joints whose force stays below it, N (N.m), are not judged"),
    END};
static void initLimit(void *limit)
{
    ksReportLimitInit(limit);
}
LAYOUT(kspReportLimit, "ReportLimit", initLimit, 0, "The limit for the errors of joint forces.");
#undef STRUCT

#define STRUCT ksReportOptions
static const kspField kspReportOptionsFields[] = {
    ONE(joints, "None: every joint; else those whose names match this pattern"),
    ONE(types, "0: every type; else bits 1 << JointType"),
    ONE(from, "0 s: only steps that begin at this time or later"),
    ONE(to, "inf s: and before this one"),
    ONE(textJoints, "0: as many joints in the text as fit on a screen"),
    ONE(adviseEvery, "0; else one of this many steps is repeated to find a sufficient number of iterations"),
    ONE(frameRate, "30: frames of the run in the page for each second of the world's time; 0: none"),
    ONE(frameBytes, "5000000: largest size of these frames in the page, bytes"),
    END};
static void initReportOptions(void *options)
{
    ksReportOptionsInit(options);
}
LAYOUT(kspReportOptions, "ReportOptions", initReportOptions, 0, "Options of a report.");
#undef STRUCT

#define STRUCT ksTraceOptions
static const kspField kspTraceOptionsFields[] = {
    OF(KSP_TRACE_FORMAT, format, "TRACE_BY_NAME"),
    OF(KSP_TRACE_LEVEL, level, "TRACE_WRENCHES, TRACE_ROWS or TRACE_RAW"),
    ONE(joints, "None: all; else those whose names match"),
    ONE(jointTypes, "0: all; else bits 1 << JointType"),
    ONE(every, "1: steps whose number is a multiple of it"),
    ONE(begin, "0 s: steps that begin at this time or later"),
    ONE(end, "inf s: and before this one"),
    ONE(flushSteps, "0: flushes by time alone; else after this many steps"),
    ONE(flushSeconds, "1 s of wall clock: longest time between flushes"),
    ONE(compression, "1: of HDF5; 0 to 9"),
    END};
static void initTraceOptions(void *options)
{
    ksTraceOptionsInit(options);
}
LAYOUT(kspTraceOptions, "TraceOptions", initTraceOptions, 0, "Options of a trace.");
#undef STRUCT

#define STRUCT ksRecordingOptions
static const kspField kspRecordingOptionsFields[] = {
    ARRAY(gravity, "(0, 0, 0) m/s^2, of all bodies; with 0 the weights belong to the loads"),
    ONE(compression, "1: deflate; 0: none, to 9: smallest file"),
    ONE(isSingle, "0; 1: the engine has single precision"), END};
static void initRecordingOptions(void *options)
{
    ksRecordingOptionsInit(options);
}
LAYOUT(kspRecordingOptions, "RecordingOptions", initRecordingOptions, 0, "Options of a recording.");
#undef STRUCT
#endif

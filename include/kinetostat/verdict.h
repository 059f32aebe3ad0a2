/** @file verdict.h  Verdicts on joints' reactions, and the reasons for them.
 *
 *  Included by <kinetostat/kinetostat.h>.
 */
#ifndef KINETOSTAT_VERDICT_H
#define KINETOSTAT_VERDICT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How far to trust a joint's reaction in this step: the first verdict that holds. */
typedef enum ksVerdict {
    KS_NOT_SOLVED,    /**< the engine computed no force; ksReaction::reasons says why: asleep,
                           disabled, without rows, gone */
    KS_UNCHECKED,     /**< not judged; ksReaction::reasons says why */
    KS_UNEXPLAINED,   /**< the reported reactions do not explain a body's motion */
    KS_SOLVER_ERROR,  /**< engine and converged differ by more than the tolerance, in the determined
                           part of the wrench or in the sum of the wrenches that share a load */
    KS_INDETERMINATE, /**< the wrench, or a part of it, is not unique; the engine agrees with the
                           determined part. If ksReaction::error is NaN, no part of this joint's
                           wrench is determined, and only its sums with other joints were
                           compared */
    KS_VALID          /**< unique, recomputed by both methods, and the engine agrees. For a contact
                           that is a known load (KS_CONTACTS_REPORTED): the engine has solved its
                           rows, given all other forces, and its share is unique among the contacts
                           of the same two bodies. Self-stresses through further bodies are not
                           searched for, and a KS_INDETERMINATE contact has no free directions */
} ksVerdict;

/** Bits of ksReaction::reasons: all conditions that hold. */
typedef uint64_t ksReasons;

/** rows of this joint take part in a self-stress */
#define KS_REASON_REDUNDANT (UINT64_C(1) << 0)
/** the report is wrong: the motion is right, but the reported forces do not produce it. Set on one
 *  joint if its own rows alone explain the unexplained part of the motion, else on all joints of a
 *  body. Also set if the reported force on a kinematic body is not opposite to the force on the
 *  other body */
#define KS_REASON_REPORT (UINT64_C(1) << 1)
/** the motion is wrong: a velocity was changed, or a force added, within the step. If
 *  KS_REASON_REPORT is also set, it is unknown whether the motion or the report is wrong. This
 *  occurs in an island without converged values, and in a mechanism on which contacts act as known
 *  loads */
#define KS_REASON_MOTION (UINT64_C(1) << 2)
/** the search for the rows at a bound in its island did not end within searchRounds */
#define KS_REASON_BOUND (UINT64_C(1) << 3)
/** KS_CONTACTS_SOLVED: the condition of KS_REASON_BOUND in an island with friction; or the friction
 *  bounds of the engine are unknown, because the normal forces of its first stage are not
 *  determined. Of a pair, in ksMean::physicalReasons: the search for its sticking and sliding
 *  contacts failed */
#define KS_REASON_FRICTION (UINT64_C(1) << 4)
/** its island has more rows than islandRowBudget, or more than 400 rows and a rank that the sparse
 *  factorisation cannot decide. Of a pair: its group has more contact rows than exactContactRows,
 *  or a search in it reached its limit */
#define KS_REASON_BUDGET (UINT64_C(1) << 5)
/** the joint's own rows are dependent: the engine value is known as a wrench, but not as
 *  multipliers */
#define KS_REASON_OWN_RANK (UINT64_C(1) << 6)
/** the engine capped the angular speed of a body, so its motion cannot be recovered */
#define KS_REASON_SPEED_CAP (UINT64_C(1) << 7)
/** the engine stopped an idle body and woke it within the step */
#define KS_REASON_RESET (UINT64_C(1) << 8)
/** a body or a row of its island contains a NaN or an infinity */
#define KS_REASON_NOT_FINITE (UINT64_C(1) << 9)
/** the joint no longer exists; `joint` is an identity only */
#define KS_REASON_JOINT_GONE (UINT64_C(1) << 10)
/** engine bug: a hinge limit that was removed still acts. If the hinge has no motor, the engine
 *  writes the row of this limit into the memory of other rows, which can affect any joint of the
 *  island */
#define KS_REASON_STALE_LIMIT (UINT64_C(1) << 11)
/** engine bug: stops of a PR, a piston or an Euler motor attached (0, b) correct a false error; or
 *  a wheel of a gear turns by more than a quarter turn in the step */
#define KS_REASON_FALSE_ERROR (UINT64_C(1) << 12)
/** no physical value: the rate of change of a row in its island follows only from the step before,
 *  and the joint is new or the host has moved one of its bodies. Joints with such rows are a motor
 *  in Euler mode, an lmotor, a transmission, and a PR or piston attached (0, b) */
#define KS_REASON_NO_HISTORY (UINT64_C(1) << 13)
/** an inertia tensor of its island is not positive definite */
#define KS_REASON_MASS (UINT64_C(1) << 14)
/** out of memory while its island was solved */
#define KS_REASON_MEMORY (UINT64_C(1) << 15)
/** the error bar of the converged value, or of the observed value in a KS_FOREIGN_STEP, exceeds the
 *  tolerance, and the engine value may lie within the bar */
#define KS_REASON_PRECISION (UINT64_C(1) << 16)
/** converged values were not requested (options.values) */
#define KS_REASON_NOT_ASKED (UINT64_C(1) << 17)
/** a joint of the island has rows that the library does not solve: an unknown class, degenerate
 *  axes, a negative CFM. Or, in a recording, a stop contradicts the joint's angle */
#define KS_REASON_UNREADABLE (UINT64_C(1) << 18)
/** a bilateral row has cfm above rigidCfm: a spring, whose physical value includes the engine's
 *  compliance and error correction. For a joint of another engine: the joint is compliant
 *  (ksRecordedJoint::isSoft), and the physical value treats it as rigid */
#define KS_REASON_SOFT (UINT64_C(1) << 19)
/** engine bug: a PU attached (0, b) slides along a wrong axis, unless b was not rotated when it was
 *  attached */
#define KS_REASON_FALSE_AXIS (UINT64_C(1) << 20)
/** for one joint of the island, the relaxed coordinate gave a multiplier that differs from the
 *  solved one: see ksInspectorOptions::relaxedPerStep */
#define KS_REASON_RELAXED (UINT64_C(1) << 21)
/** a note: reported forces entered as known loads: forces of contacts on bodies of the mechanism
 *  and, for physical values, forces of stops that have just been reached. The verdict, values and
 *  bars of this joint are right given these forces. The contacts' verdicts and netError show the
 *  errors of these forces. For a contact: its own force is the engine's in each of the three
 *  values, and its verdict rests on ksRow::alone */
#define KS_REASON_REPORTED_LOADS (UINT64_C(1) << 22)
/** a note: dWorldQuickStep ran on a pool of two or more threads. Because of their races the report
 *  can disagree with the motion by several per cent (KS_UNEXPLAINED), and differs from run to
 *  run */
#define KS_REASON_THREADS (UINT64_C(1) << 23)
/** engine bug, on all joints of the mechanism: the forces of a PU across its slide act at a wrong
 *  place, off by its extension. The slide stop and the slide motor of a PR act half-way between the
 *  mass centres, not at the anchor. The physical value is right for the simulated motion, not for
 *  the real joint */
#define KS_REASON_FALSE_LEVER (UINT64_C(1) << 24)
/** a note: ksInspectorExactStep did not solve the joint's island, which has the forces of
 *  dWorldQuickStep instead; ksStepReport::fallbackReasons says why */
#define KS_REASON_FALLBACK (UINT64_C(1) << 25)
/** not solved: the joint's bodies sleep (dBodyDisable, auto-disable) */
#define KS_REASON_ASLEEP (UINT64_C(1) << 26)
/** not solved: dJointDisable */
#define KS_REASON_DISABLED (UINT64_C(1) << 27)
/** not solved: the joint constrains nothing in this step, for example a motor without force or a
 *  limit that is not reached; or none of its bodies moves freely */
#define KS_REASON_NO_ROWS (UINT64_C(1) << 28)
/** not solved: the engine reported no force, as in a bracket without a step */
#define KS_REASON_NOT_REPORTED (UINT64_C(1) << 29)
/** a note: the error bar of the physical value exceeds the tolerance. Or there is no bar: the gaps
 *  of the joints are so large that only the engine determines the forces of the mechanism, or
 *  different rows share a load in the converged and in the physical solution */
#define KS_REASON_PHYSICAL (UINT64_C(1) << 30)
/** the motion of one method and the multipliers of the other contradict each other: the gap between
 *  the two bounds of Gauss's constraint, ksStepReport::gap, is larger than the error bars of motion
 *  and multipliers allow */
#define KS_REASON_GAP (UINT64_C(1) << 31)
/** a note: the engine's share of a physical multiplier of this joint exceeds the tolerance:
 *  ksRow::adopted */
#define KS_REASON_ADOPTED (UINT64_C(1) << 32)
/** a note: the joint shares a load with other joints; ksReaction::shared has the share that elastic
 *  joints would carry */
#define KS_REASON_SHARED (UINT64_C(1) << 33)
/** engine bug, a note: the host set the axis of a joint to the world to a vector of other than unit
 *  length, which the engine keeps (ksReaction::axisLength). The length is a factor in the error
 *  correction across the axis of a hinge, universal, PR, PU or piston. It is also a factor in the
 *  motor and the stops of a universal or a PU about that axis. For a contact: its normal or its
 *  fdir1 is not of unit length, so its multipliers are forces divided by that length */
#define KS_REASON_AXIS_LENGTH (UINT64_C(1) << 34)
/** engine bug, a note: a joint is attached (0, b). The motor or the reached stop of a hinge, or of
 *  the rotation of a PR or a piston, then acts against the sense of the engine's angle and rate. A
 *  universal or a PU exchanges the parameters of its two axes. Not set where both senses, or both
 *  axes, have the same parameters */
#define KS_REASON_REVERSED_MOTOR (UINT64_C(1) << 35)
/** engine bug, a note: an amotor in Euler mode drives its first or third angle at dParamVel divided
 *  by the cosine of the second angle, and returns their rates multiplied by that cosine; or it
 *  drives its second angle to and fro at 90 degrees */
#define KS_REASON_FALSE_RATE (UINT64_C(1) << 36)
/** engine bug, a note: a fixed joint or a dhinge is soft in some of its rows only. Its dParamCFM
 *  and dParamERP apply to 3 of the 6 rows of a fixed joint, and to 1 of the 4 rows of a dhinge; the
 *  other rows use the world's values */
#define KS_REASON_PART_SOFT (UINT64_C(1) << 37)
/** a note: contact points of the two bodies were missing in the last one to three steps. In those
 *  steps no points pressed, or fewer points than before and after, with less than 0.75 of the
 *  force. There was no blow. The force of this step compensates for those steps: it can be several
 *  times the load */
#define KS_REASON_FLICKER (UINT64_C(1) << 38)
/** only of a pair, ksMean::physicalReasons: bodies meet at a contact of its group at more than the
 *  speed that gravity gives a body in two steps. The force is the mean over the step */
#define KS_REASON_IMPACT (UINT64_C(1) << 39)
/** only of a pair: a share of its force, larger than the tolerance, depends on the reported forces
 *  of motors or springs */
#define KS_REASON_DRIVEN (UINT64_C(1) << 40)
/** only of a pair: a share of its force, larger than the tolerance, acts at points that are missing
 *  in this step and existed up to three steps ago */
#define KS_REASON_REMEMBERED (UINT64_C(1) << 41)

#ifdef __cplusplus
}
#endif
#endif

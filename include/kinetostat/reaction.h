/** @file reaction.h  What an inspector publishes: reactions, rows, reports, and the terms in which they are told.
 *
 *  Included by <kinetostat/kinetostat.h>, which explains the three values.
 */
#ifndef KINETOSTAT_REACTION_H
#define KINETOSTAT_REACTION_H

#include <kinetostat/status.h>
#include <kinetostat/system.h>
#include <ode/ode.h>
#include <stdint.h>

#if defined(dSINGLE) || defined(dIDESINGLE)
#error "Kinetostat needs an ODE of double precision: compile without dIDESINGLE, with what pkg-config --cflags ode says"
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ksInspector ksInspector;

/** Which subscription of an inspector: a number that is given once, and never to another one. 0: none. */
typedef uint64_t ksSubscription;

/** Which of the engine's steppers is inspected. */
typedef enum ksStepper {
    KS_WORLD_STEP, /**< dWorldStep: direct (Dantzig) */
    KS_QUICK_STEP, /**< dWorldQuickStep: iterative (SOR) */
    KS_EXACT_STEP, /**< ksInspectorExactStep: solved by this library. Not of a bracket */
    /** Of a bracket alone, whose host puts the bodies where another engine has moved them, and may write what that reports into the
     *  joints' feedback (dJointGetFeedback): the motion is known, not how it was solved. Values are those of
     *  <kinetostat/recording.h>: nothing is converged; observed is what explains the motion, and stands for the engine's where work
     *  or physicalError are compared. ksInspectorRelaxJoint, ksInspectorRecompute and sums of the engine's or converged values are
     *  KS_ERROR_UNAVAILABLE */
    KS_FOREIGN_STEP
} ksStepper;

/** Which of the values: see <kinetostat/kinetostat.h>. KS_OBSERVED is for ksReactionGetWrench and sums alone, KS_MEAN for
 *  the former and thresholds; sensors take the others. */
typedef enum ksValue {
    KS_ENGINE,
    KS_CONVERGED,
    KS_PHYSICAL,
    KS_OBSERVED,
    KS_SHARED, /**< physical, and where that leaves open how joints share a load, as elastic ones would: see
                   ksInspectorSetCompliance */
    KS_MEAN    /**< observed, on average over a window of steps: ksReaction::mean */
} ksValue;

/** In whose axes a wrench is given. KS_FRAME_BODY: those of the body that it acts on. KS_FRAME_JOINT:
 *
 *  | joint          | x                        | y                                          | anchor                 |
 *  |----------------|--------------------------|--------------------------------------------|------------------------|
 *  | ball           | axes of body[0]          |                                            | its anchor             |
 *  | hinge, piston  | its axis                 | the axis of body[0] most across x [1]      | its anchor             |
 *  | slider         | its axis                 | as hinge                                   | none                   |
 *  | universal      | axis 1                   | axis 2 [1]                                 | its anchor             |
 *  | hinge2         | axis 1 (steering)        | axis 2 (wheel) [1]                         | its anchor             |
 *  | PR             | axis 1 (prismatic)       | axis 2 (rotation) [1]                      | its anchor             |
 *  | PU             | axis 1                   | axis 2 [1]                                 | its anchor             |
 *  | contact        | normal                   | friction 1 (z: friction 2)                 | the contact point [2]  |
 *  | fixed          | axes of body[0]          |                                            | none                   |
 *  | amotor, lmotor | axis 0, else as ball     | as hinge                                   | none                   |
 *  | plane2d        | world axes               |                                            | none                   |
 *  | dball          | from anchor 1 to 2       | as hinge                                   | anchor 1               |
 *  | dhinge         | its axis                 | as hinge                                   | anchor 1               |
 *  | transmission   | axis 1                   | as hinge                                   | none                   |
 *
 *  z = x cross y. The anchor is the point of the body that the wrench acts on where joints keep two.
 *  [1] Made perpendicular to x. [2] A frictionless contact: the point of its line of action nearest to the mass centre
 *  of body[0]. */
typedef enum ksFrame { KS_FRAME_WORLD, KS_FRAME_BODY, KS_FRAME_JOINT } ksFrame;

/** About which point the torque of a wrench is taken. */
typedef enum ksPoint { KS_POINT_MASS_CENTRE, KS_POINT_ANCHOR } ksPoint;

/** How far to trust a joint's reaction in this step: the first that holds. */
typedef enum ksVerdict {
    KS_NOT_SOLVED, /**< the engine computed nothing; ksReaction::reasons says why: asleep, disabled, without rows, gone */
    KS_UNCHECKED,   /**< not judged; ksReaction::reasons has the reason */
    KS_UNEXPLAINED, /**< a body's motion is not explained by the reported reactions */
    KS_SOLVER_ERROR, /**< engine and converged differ by more than the tolerance, in the determined part of the wrench or in
                           the sum of the wrenches that share a load */
    KS_INDETERMINATE, /**< the wrench, or a part of it, is not unique; the determined part agrees. Where ksReaction::error
                           is NaN, no part of this joint's wrench is determined: only the sums that it shares with other
                           joints were compared */
    KS_VALID          /**< unique, recomputed by both routes, and the engine agrees. Of a contact that is a known load
                           (KS_CONTACTS_REPORTED): the engine has solved its rows, given all other forces, and its share
                           is unique among the contacts of the same two bodies. Self-stresses through more bodies are not
                           looked for, and KS_INDETERMINATE comes without free directions */
} ksVerdict;

/** Bits of ksReaction::reasons: every condition that holds. */
typedef uint64_t ksReasons;

/** rows of this joint take part in a self-stress */
#define KS_REASON_REDUNDANT (UINT64_C(1) << 0)
/** the report is wrong: the motion is right, and these forces do not make it. Of one joint, if its own rows alone make
 *  what all other reports leave of the motion; else of all joints on a body. Or the reported force on a kinematic body
 *  is not opposite to that on the other side */
#define KS_REASON_REPORT (UINT64_C(1) << 1)
/** the motion is wrong: a velocity was changed, or a force added, within the step. With both bits set it is not known
 *  which: in an island without converged values, or on a body, or in its mechanism, that contacts act on as known loads */
#define KS_REASON_MOTION (UINT64_C(1) << 2)
/** which rows of its island lie at a bound was not found, within searchRounds */
#define KS_REASON_BOUND (UINT64_C(1) << 3)
/** KS_CONTACTS_SOLVED: the same where some have friction; or the engine's friction has other bounds, because nothing
 *  determines the normal forces of its first stage that they are taken from */
#define KS_REASON_FRICTION (UINT64_C(1) << 4)
/** its island has more rows than islandRowBudget, or more than 400 and a rank that the sparse factorisation leaves in
 *  doubt */
#define KS_REASON_BUDGET (UINT64_C(1) << 5)
/** the joint's own rows are dependent: no engine multipliers, wrench only */
#define KS_REASON_OWN_RANK (UINT64_C(1) << 6)
/** the engine capped the angular speed of a body: motion not recoverable */
#define KS_REASON_SPEED_CAP (UINT64_C(1) << 7)
/** an idle body was zeroed and woken within the step */
#define KS_REASON_RESET (UINT64_C(1) << 8)
/** a NaN or an infinity in a body or a row of its island */
#define KS_REASON_NOT_FINITE (UINT64_C(1) << 9)
/** the joint no longer exists; `joint` is an identity only */
#define KS_REASON_JOINT_GONE (UINT64_C(1) << 10)
/** engine bug: a hinge limit that was removed still acts; without a motor it is written over foreign memory, which any
 *  joint of the island may have to bear */
#define KS_REASON_STALE_LIMIT (UINT64_C(1) << 11)
/** engine bug: PR, piston or Euler stops attached (0, b) correct a false error; or gears, of which a wheel
 *  makes more than a quarter turn in the step */
#define KS_REASON_FALSE_ERROR (UINT64_C(1) << 12)
/** no physical value: a row of its island, of a motor in Euler mode, an lmotor, a transmission, PR or piston attached
 *  (0, b), needs the step before to tell how it turns, and the joint is new or the host has moved one of its bodies */
#define KS_REASON_NO_HISTORY (UINT64_C(1) << 13)
/** an inertia tensor of its island is not positive definite */
#define KS_REASON_MASS (UINT64_C(1) << 14)
/** out of memory while its island was solved */
#define KS_REASON_MEMORY (UINT64_C(1) << 15)
/** the error bar of the converged value is above tolerance, and the engine's may be within it */
#define KS_REASON_PRECISION (UINT64_C(1) << 16)
/** converged values were not asked for (options.values) */
#define KS_REASON_NOT_ASKED (UINT64_C(1) << 17)
/** rows of its island could not be read: a joint class unknown, or degenerate axes */
#define KS_REASON_UNREADABLE (UINT64_C(1) << 18)
/** a bilateral row has cfm above rigidCfm: a spring, whose physical value keeps the engine's compliance and error
 *  correction. Of another engine's joint: it is meant to give way (ksRecordedJoint::isSoft), and the physical value is that of a
 *  rigid one */
#define KS_REASON_SOFT (UINT64_C(1) << 19)
/** engine bug: PU attached (0, b) slides along another axis than it was given, unless b was unturned then */
#define KS_REASON_FALSE_AXIS (UINT64_C(1) << 20)
/** the literal check of one of its island's joints by its relaxed coordinate failed: see
 *  ksInspectorOptions::relaxedPerStep */
#define KS_REASON_RELAXED (UINT64_C(1) << 21)
/** no obstacle: forces entered as the engine reported them, of contacts on bodies of its mechanism, for physical values
 *  also of stops that have just been reached. The verdict, the values and the bars of this joint are right given these
 *  forces, whose own errors are in the contacts' verdicts and netError. Of a contact: its own force is the engine's in
 *  each of the three values, and its verdict rests on ksRow::alone */
#define KS_REASON_REPORTED_LOADS (UINT64_C(1) << 22)
/** no obstacle: dWorldQuickStep ran on a pool of two or more threads, which race each other: its report may disagree
 *  with its own motion, by percents (KS_UNEXPLAINED), and differs from run to run */
#define KS_REASON_THREADS (UINT64_C(1) << 23)
/** engine bug, on all joints of the mechanism: a PU whose slide is extended by s has its forces across the slide at a
 *  distance s from their real place; the slide stop or motor of a PR acts half-way between the mass centres, not at its anchor.
 *  physical is right for the simulated motion, not for the real joint */
#define KS_REASON_FALSE_LEVER (UINT64_C(1) << 24)
/** no obstacle: ksInspectorExactStep did not solve its island, whose forces are those of dWorldQuickStep; why is in
 *  ksStepReport::fallbackReasons */
#define KS_REASON_FALLBACK (UINT64_C(1) << 25)
/** not solved: its bodies sleep (dBodyDisable, auto-disable) */
#define KS_REASON_ASLEEP (UINT64_C(1) << 26)
/** not solved: dJointDisable */
#define KS_REASON_DISABLED (UINT64_C(1) << 27)
/** not solved: nothing to hold in this step, as a motor without force or a limit that is not reached; or none of its
 *  bodies moves freely */
#define KS_REASON_NO_ROWS (UINT64_C(1) << 28)
/** not solved: the engine reported no force, as in a bracket without a step */
#define KS_REASON_NOT_REPORTED (UINT64_C(1) << 29)
/** no obstacle: the error bar of the physical value is above tolerance; or there is none, because the joints of its
 *  mechanism are so far apart that only the engine tells its forces, or because the rows that share a load are not the
 *  same ones in the converged solution and in the physical one */
#define KS_REASON_PHYSICAL (UINT64_C(1) << 30)
/** the motion by the null-space route and the multipliers by the range-space route do not belong together: Gauss's
 *  constraint leaves more between its two bounds, ksStepReport::gap, than their bars allow */
#define KS_REASON_GAP (UINT64_C(1) << 31)
/** no obstacle: more than tolerance of a physical multiplier of this joint is the engine's own: ksRow::adopted */
#define KS_REASON_ADOPTED (UINT64_C(1) << 32)
/** no obstacle: it shares a load with other joints, and ksReaction::shared has what elastic ones would carry of it */
#define KS_REASON_SHARED (UINT64_C(1) << 33)
/** engine bug, no obstacle: the axis of a joint to the world was not given as a unit vector, and the engine keeps its length,
 *  ksReaction::axisLength. The length is a factor in the error correction across the axis of a hinge, universal, PR, PU or piston.
 *  It also is one in the motor and the stops of a universal or a PU about that axis. Of a contact: its normal or its fdir1 is not
 *  of unit length, so its multipliers are forces divided by that length */
#define KS_REASON_AXIS_LENGTH (UINT64_C(1) << 34)
/** engine bug, no obstacle: a joint is attached (0, b), and the motor or the reached stop of a hinge, or of the rotation of a PR or a
 *  piston, acts against the sense in which the engine tells its angle and rate; a universal or a PU has the parameters of axis 1 on
 *  axis 2, and of axis 2 on axis 1. Not where both senses, or both axes, have the same parameters */
#define KS_REASON_REVERSED_MOTOR (UINT64_C(1) << 35)
/** engine bug, no obstacle: an amotor in Euler mode drives its first or third angle at dParamVel / cos of the second angle, and
 *  tells their rates times that cosine */
#define KS_REASON_FALSE_RATE (UINT64_C(1) << 36)
/** engine bug, no obstacle: a fixed joint or a dhinge is soft in some of its rows only. Its dParamCFM and dParamERP are those of 3 of
 *  6 and 1 of 4 rows; the others have the world's */
#define KS_REASON_PART_SOFT (UINT64_C(1) << 37)

/** Where the accelerations -(dJ/dt) v behind a joint's physical value come from. */
typedef enum ksPhysicalSource {
    KS_FROM_NOWHERE,  /**< there is no physical value */
    KS_FROM_GEOMETRY, /**< closed forms of the joint's geometry (or rows at bounds, springs and known loads, which need
                           none) */
    KS_FROM_HISTORY   /**< at least one row from the rows of two successive states: first order in the step size */
} ksPhysicalSource;

/** What a constraint row stands for. */
typedef enum ksRowKind {
    KS_ROW_BILATERAL, /**< what the joint holds for good: no bounds */
    KS_ROW_STOP, /**< a stop that has been reached, which pushes one way, with the motor of its axis: ksMotor::atStop */
    KS_ROW_MOTOR,    /**< a motor, up to its dParamFMax */
    KS_ROW_NORMAL,   /**< a contact's normal; it pushes one way */
    KS_ROW_FRICTION, /**< a contact's friction, along its first or second direction */
    KS_ROW_ROLLING   /**< a contact's rolling or spinning friction */
} ksRowKind;

/** Causes of a row's work; they add up to ksRow::work. */
enum {
    KS_WORK_TARGET,         /**< h lambda c: error correction, motors, restitution, moving partners */
    KS_WORK_COMPLIANCE,     /**< -h cfm lambda^2 */
    KS_WORK_RESIDUAL,       /**< h lambda r: sliding, saturation, an unconverged solver */
    KS_WORK_DISCRETISATION, /**< -h lambda J (v* - v) / 2: of the finite step, and of impacts */
    KS_WORK_COUNT
};

/** One constraint row of a joint in one step: J v* + cfm lambda = c + r, lo <= lambda <= hi. c, lo and hi are the engine's, except at
 *  a stop whose axis has a motor. There the engine applies the motor's force m, and then solves the stop. The row is both of them:
 *  lambda is the sum of their forces, lo and hi are the engine's plus m, and c is the engine's plus cfm m. */
typedef struct ksRow {
    ksRowKind kind;
    ksRowPlace place; /**< in the converged solution, where a row that would not move if it were free counts as inside;
                           unchecked: in the engine's report */
    int determinate; /**< 1: this row's multiplier is unique; depends on the engine's choice of rows. 0 also where this was
                          not examined, as in contacts that are known loads */
    int findex;      /**< row of this joint whose multiplier scales the bounds (friction), or -1 */
    double c;        /**< right-hand side; m/s or rad/s */
    double cfm;      /**< as the engine gave it (before the division by the step size); s/kg or s/(kg.m^2) */
    double lo, hi; /**< N or N.m (friction with findex: a coefficient) */
    double bound;  /**< the bound in force: the one it is at, inside the smaller; N or N.m. NaN: friction that holds
                          under dWorldStep with contacts as reported, for its first stage is not reported */
    double engine; /**< multiplier in the engine's feedback; N or N.m; NaN if the joint's own rows are dependent */
    /** The converged multiplier by either route; N or N.m. NaN if unchecked, and in contacts that are known loads, which no
     *  route computes: see alone */
    double gauss, paulus;
    double physical; /**< the physical multiplier; N or N.m; NaN if there is none. Of a loop that has drifted, what its
                               drift leaves open is the engine's own. Damping and the cap of angular speed are forces of the
                               mechanism */
    double errorBar; /**< of the converged value; of a row that is not determinate, a share of the bar of what is
                               determined of the wrench; N or N.m */
    /** Of the physical value: rounding, what differencing accelerations, the drift of the joints and, in a tree, velocities
     *  that they forbid leave open, and how far such values were from the motion in the mean over the last windows of 0.15 s;
     *  else as errorBar. In a tree without what is known of the motion's departure: by velocities that its joints forbid, and by the
     *  engine's gyroscopic torque. NaN if there is none; N or N.m */
    double physicalBar;
    double residual; /**< r = J v* + cfm lambda - c of the engine's motion; m/s or rad/s */
    double work;     /**< h lambda J (v + v*) / 2, engine's lambda: its share of the change of kinetic energy; J */
    double workPart[KS_WORK_COUNT]; /**< by cause; J */
    double jacobian[2][6];          /**< of body[0] and body[1]: linear, angular (world axes, about the mass centre) */
    /** How far the engine's multiplier is from solved, with all others as they are:
     *  |lambda - clamp(lambda - (r/h) / (J M^-1 J^T + cfm/h))|, friction clamped by the engine's normal force. 0 in a solution.
     *  NaN: friction under dWorldStep, whose bounds are not reported. N or N.m */
    double unsolved;
    /** Of a contact that is a known load: the multiplier that solves this row alone, all other forces as reported. Friction
     *  bounds that dWorldStep does not report count as kept. The contact's verdict rests on it alone: ksReaction::error
     *  is the size of J^T (alone - engine), and there is no error bar. N or N.m. NaN: in other rows, if the contact was
     *  not judged, and where engine is NaN */
    double alone;
    /** Share of the engine's own in the physical multiplier, 0 to 1: what drift leaves open of it */
    double adopted;
    /** The multiplier that the motion itself tells: w^T (M a - f) / (J_l w), with a = (v* - v)/h as it happened, f all applied
     *  forces and the contacts as reported, w a relaxed coordinate that moves no other row (Paulus 1910, (17), (18)). Engine
     *  against observed: the report; observed against converged: the solver; observed against physical: the step. NaN: a row
     *  that is not determinate, at a bound (a known load) or of a contact; of springs that share a load; where the motion is not
     *  explained, or is so by several joints; without a converged value. N or N.m */
    double observed;
    double observedBar; /**< of rounding, and of what the reports leave of the motion of the mechanism; N or N.m */
    /** The multiplier of ksReaction::shared, and its bar: what the bars of physical values of all joints of the mechanism may make of
     *  it. Where nothing is shared those of physical. NaN where they are not known. N or N.m */
    double shared, sharedBar;
    double reserved[2];
} ksRow;

/** The motor of one axis of a joint in one step (dParamFMax above 0). Values are along the axis, positive in the direction of a
 *  positive dParamVel; about an axis of rotation they are torques and angular velocities. They are NaN without a motor, and between
 *  equal stops, where the engine ignores it. After KS_FOREIGN_STEP there are no motors. */
typedef struct ksMotor {
    double
        force; /**< by the engine's report, a part of ksReaction::engine; N or N.m. NaN also where the joint's own rows are
                        dependent */
    double speed;  /**< v* of the axis: J v* of its row; m/s or rad/s */
    double target; /**< dParamVel; m/s or rad/s */
    double
        power; /**< that the motor gives to the bodies, kinematic ones included, on average over the step: force J (v + v*)/2; W */
    int saturated; /**< 1: its force is at its bound, dParamFMax, so that it may miss its target; always 1 at a stop */
    int atStop;    /**< 1: its axis is at a stop. There the engine applies all of dParamFMax, whatever the speed, times
                        dParamFudgeFactor where it drives away from the stop. The multiplier of the stop's row contains this force;
                        dJointFeedback does not */
    /** Its force, on average over the window of ksReaction::mean, which counts as zero in steps without a motor; N or N.m. NaN where no
     *  step had one. How far it is from what the motion took: as ksReaction::meanBar */
    double mean, meanBar;
    /** Its force in the real mechanism, as ksReaction::physical, and its bar: the one that reaches the target, up to dParamFMax. At a stop it is
     *  the force that the engine applies. N or N.m. NaN where there is no physical value */
    double physical, physicalBar;
    double reserved[4];
} ksMotor;

/** The reaction of one joint in one step. May be copied: all but `row` stays usable. */
typedef struct ksReaction {
    dJointID joint; /**< may be gone once the step is over: compare, do not dereference */
    dJointType type;
    dBodyID body[2]; /**< body[0] is the one of f1, t1 in dJointFeedback; body[1] may be NULL (the world) */
    int reversed;    /**< 1: body[0] == dJointGetBody(joint, 1) */
    unsigned long step;
    double time; /**< s, of this inspector, at the start of the step */
    ksVerdict verdict;
    ksReasons reasons; /**< KS_REASON_... bits */
    int rowCount;
    const ksRow *row; /**< [rowCount], valid until the next step */
    /** On body[i], world axes, about its mass centre; N, N.m; NaN if unknown, and for the world. All that the joint does: motors of
     *  axes at their stops, too, which are missing in dJointFeedback (ksMotor::atStop). The undetermined part of
     *  converged is the engine's own. physical has no such part, except in contacts, which have the engine's, and where
     *  joints have drifted apart: what that leaves open is the engine's own, too */
    ksWrench engine[2], converged[2], physical[2];
    /** Likewise, of the observed multipliers: the engine's own, unless the joint's report is false (KS_UNEXPLAINED with
     *  KS_REASON_REPORT). Its undetermined part and rows at bounds are the engine's, too. After KS_FOREIGN_STEP: what explains
     *  the motion, of least size */
    ksWrench observed[2];
    /** Physical, with what joints as elastic as ksInspectorSetCompliance tells carry of loads that rigid ones share without telling how:
     *  KS_REASON_SHARED. The determined part is that of physical. Likewise */
    ksWrench shared[2];
    int freeCount;
    /** [freeCount] a basis of the undetermined part of the wrench on body[0]: world axes, about the mass centre, each of
     *  unit force (or torque). A component g . (force, torque) is determined, in converged and in physical, iff
     *  g . freeDirection[k] = 0 for all k */
    ksWrench freeDirection[6];
    double error;    /**< engine against converged, relative; see ksInspectorOptions. Above tolerance also where only
                               a sum of wrenches is determined, and the engine misses it. NaN: nothing was compared, or no
                               part of the wrench is determined and such sums agree */
    double errorBar; /**< of converged, same measure */
    double work;     /**< of all rows in this step, engine's multipliers; J; by row and cause in row */
    ksPhysicalSource physicalSource;
    double physicalError;    /**< engine against physical, same measure */
    double physicalErrorBar; /**< of physical, same measure: given the contacts (KS_REASON_REPORTED_LOADS), of whose own
                                  error it has loadNoise. In newtons: ksRow::physicalBar, ksThresholdEvent::errorBar */
    double centre[2][3];     /**< m, mass centres at the start of the step */
    double rotation[2][9];   /**< row-major, body to world */
    double anchor[2][3];     /**< m, world; NaN without an anchor */
    double axes[9];          /**< row i: axis i of the joint frame in world axes */
    /** With options.estimateSweeps: how far the engine's net reaction on body[i], of all its joints and contacts
     *  together, is from the one that its own equations ask for. Relative; see ksInspectorOptions. An estimate, from so
     *  many sweeps over all rows. NaN: none. There is one where contacts are known loads on the mechanism or the pile
     *  that the body belongs to, or the joint is KS_UNCHECKED for KS_REASON_BUDGET, _BOUND or _FRICTION; but not under
     *  dWorldStep with friction, whose bounds sweeps do not know.
     *  Measured in piles of 30, 100 and 500 boxes under QuickStep(20), 40 sweeps: within a factor of 3 of the true
     *  error for 98 % of the bodies and more. Where errors come from far, as in chains of hundreds of joints, the
     *  estimate may be much too small */
    double netError[2];
    double gravity[3]; /**< m/s^2, of the world in this step */
    int weightless[2]; /**< 1: none acts on body[i] (dBodySetGravityMode), which is kinematic or the world perhaps */
    /** How far the joint's parts are from each other at the start of the step, in the directions that its permanent rows hold: the
     *  distance, m, and the rotation, rad (of an axis the sine, of a frame twice the sine of half the angle). Springs, motors, stops
     *  and positions that the host shifts do not count. NaN: a contact, a joint that was not read or that has
     *  a false error (KS_REASON_FALSE_ERROR), or without KS_COMPUTE_PHYSICAL */
    double gap[2];
    /** Work of the joint's motors at stops (ksMotor::atStop) in the step before, the one that has made the gap; J. It is large
     *  where a strong motor drives away from a stop: all of dParamFMax acts for the whole step, however fast the axis gets */
    double fudgeWork;
    /** The length L of the joint's axis in the world, if it is off 1 by more than a thousandth (KS_REASON_AXIS_LENGTH); else 1. Rows
     *  across the axis have L times the ERP that was set. Rows about the axis are given per unit axis: the motor's speed is
     *  dParamVel / L, its largest torque L dParamFMax, and the CFM is the one that was set / L^2. Of a contact: the length of its
     *  normal, or else of fdir1; its rows are the engine's */
    double axisLength;
    /** By axis, as dParamFMax1, dParamFMax2 and dParamFMax3 are; of a plane2d x, y and angle */
    ksMotor motor[3];
    /** The force that the motion took, on average over a window: the mean of the observed wrench on body[i], each step with its size as
     *  weight; N, N.m. Where no report is false this is the mean of what the engine reported, solved or not, and by momentum exact:
     *
     *      T mean = sum h J^T lambda = sum (M (v* - v) - h f)
     *
     *  World axes, about the joint's anchor in each step; about the mass centre, of a joint without an anchor. The window is the last
     *  ksInspectorOptions::meanWindow, or a little more: it moves on by blocks of steps, at least sixteen where steps are shorter. It begins
     *  with the first step, and anew after the joint has slept, was disabled or attached otherwise, or after the host has put one of its
     *  bodies elsewhere (unless that is kinematic). Joints without rows have no force. A contact is one of its step alone:
     *  ksInspectorPair. NaN for the world, and where there is no step */
    ksWrench mean[2];
    ksWrench meanInJoint[2]; /**< likewise, in the axes of the joint in each step (KS_FRAME_JOINT) */
    /** How far mean[0] is from the mean of the force that the motion took, by component: rounding, and what the reports leave of the motion.
     *  NaN where mechanics leaves it open how joints share the force: there the mean is the engine's. Also if the equations of the
     *  joint's mechanism are not known in one of the steps; N, N.m */
    ksWrench meanBar;
    /** How far mean[0] is from the mean of the ideal mechanism's force over these steps, by component: the simulated motion departs from the
     *  mechanism. The distance of both means, with what velocities that joints forbid leave open of the latter, and its bars. NaN where that is
     *  not known; N, N.m */
    ksWrench departure;
    double meanTime; /**< s, of the steps in the window; 0: there are none */
    /** KS_REASON_REPORTED_LOADS: the part of physicalErrorBar that is the noise of contacts which nobody has solved for, those of
     *  dWorldQuickStep, of sweeps and of other engines. 2.5 standard deviations of the joint's own physical value beside its line over a
     *  window of 0.15 s or a little more; also for as long after the last contact. A contact that is hit faster than gravity makes a body in five
     *  steps has a blow, which is no noise: the step is left out. 0: no such contact acts on the mechanism; NaN: not known,
     *  as in the first eight steps of a touch */
    double loadNoise;
    double reserved[3];
} ksReaction;

/** Phases of ksStepReport::seconds. */
enum {
    KS_PHASE_SNAPSHOT,  /**< bodies, joints, the engine's report and motion; islands */
    KS_PHASE_ROWS,      /**< the constraint rows before the step */
    KS_PHASE_GAUSS,     /**< first route, with the search for rows at bounds */
    KS_PHASE_PAULUS,    /**< second route, determinacy, error bars */
    KS_PHASE_VERDICT,   /**< comparisons */
    KS_PHASE_CALLBACKS, /**< the host's own functions, and reactions made for them */
    KS_PHASE_PHYSICAL,  /**< physical values */
    KS_PHASE_ESTIMATE   /**< ksReaction::netError */
};

/** Causes of a change of kinetic energy, ksStepReport::energyOf. */
enum {
    KS_ENERGY_WEIGHT, /**< weight, along the way that the bodies fall */
    KS_ENERGY_MOTORS, /**< motors, also of axes at their stops (ksMotor::atStop) */
    KS_ENERGY_STOPS,  /**< stops of joints, without the motors of their axes */
    KS_ENERGY_JOINTS, /**< permanent rows of joints: error correction, compliance, moving partners, losses of finite steps */
    KS_ENERGY_CONTACTS, /**< normal forces and friction */
    KS_ENERGY_HOST,     /**< forces and torques that the host added */
    KS_ENERGY_DAMPING,  /**< damping and speed cap */
    KS_ENERGY_REST, /**< the rest of the step: weight acts in finite steps, rotors turn in them, idle bodies are stopped, moved
                                 callbacks set velocities */
    KS_ENERGY_SET, /**< since the step before: velocities, masses and poses that the host set, bodies that came or went, steps
                             that were not inspected. 0 in the first step */
    KS_ENERGY_COUNT
};

/** One step of the world. */
typedef struct ksStepReport {
    unsigned long step;
    double time; /**< s, at the start of the step */
    ksStepper stepper;
    int stepped;   /**< 1: the engine stepped (in a bracket: taken for granted) */
    int inspected; /**< 1: every reaction was judged or has its reason; 0: out of memory, or a body not finite */
    size_t reactionCount, verdictCount[16]; /**< indexed by ksVerdict */
    dJointID worstJoint;                    /**< with the largest error, or NULL */
    double worstError;
    double gaussConstraint; /**< Z of the engine's motion; kg.m^2/s^4. This and the next two: of the joints' rows, given
                                  the contacts that are known loads */
    double unexplained;     /**< 1/2 |a - a*|^2 in the mass metric: the part that no multiplier explains; same unit */
    double solverError;     /**< the part by which the rows were missed; same unit */
    double momentumResidual; /**< largest |M (v* - v)/h - f - J^T lambda| of a body, relative to its island's load */
    size_t rowCount;         /**< rows that the engine solved */
    size_t rank;             /**< of those that are not at a bound, nor of contacts that are known loads */
    size_t islandCount;      /**< bodies and joints that share multipliers */
    /** Energy of the bodies that stepped, J, with the masses of the start pose. To rounding
     *  kineticEnergy[1] - kineticEnergy[0] + potentialChange = rowWork + forceWork + gravityDiscretisation. */
    double kineticEnergy[2];      /**< at the start, and with v*, before damping and speed cap */
    double potentialChange;       /**< of weight */
    double rowWork;               /**< sum of ksRow::work */
    double forceWork;             /**< of applied forces but weight: user, gyroscopic */
    double gravityDiscretisation; /**< weight works with (v + v*) / 2, bodies fall with v* */
    double dampingWork;           /**< of damping and speed cap, after v* */
    double
        seconds[16]; /**< s, wall clock, by KS_PHASE_...; without the engine's own. The solution of an exact step is in
                                  KS_PHASE_GAUSS. With several ksInspectorOptions::workers the sums over all threads, which may be
                                  more than the step takes; waiting for each other is in none */
    dBodyID culprit; /**< KS_ERROR_NOT_FINITE: the body; else NULL */
    size_t estimatedBodyCount; /**< bodies of which there is a ksReaction::netError */
    double worstEstimate;      /**< the largest of these, and its body, or NULL */
    dBodyID worstBody;
    /** Of ksInspectorExactStep, else 0 and NULL: rows of islands that were left to dWorldQuickStep; why they were, or why
     *  contacts were left to sweeps (KS_REASON_... bits); how far the step is from solved, and the joint or contact where that is, or NULL: the
     *  net force, N, that a body lacks to move as its rows demand. It is the acceleration by which a row is missed, times the mass of the body,
     *  or of all bodies that joints connect with it: at a contact the whole machine has to move */
    size_t fallbackRowCount;
    ksReasons fallbackReasons;
    double worstUnsolved;
    dJointID worstUnsolvedJoint;
    double
        gap; /**< by which Gauss's least constraint is bounded: 1/2 |a - M^-1 (f + J^T lambda)|^2 in the mass metric, a of the
                     null-space route, lambda of the range-space route, summed over the islands that both have solved; same unit.
                     0 but for rounding: KS_REASON_GAP */
    /** KS_ERROR_NOT_FINITE of ksInspectorExactStep: the joint, if no body is the culprit; else NULL */
    dJointID culpritJoint;
    /** Kinetic energy of all bodies with a mass before the step, and after its damping, each with the inertia of its own pose; J. To
     *  rounding worldEnergy[1] - worldEnergy[0] is the sum of energyOf without KS_ENERGY_SET */
    double worldEnergy[2];
    double energyOf[16]; /**< J, by KS_ENERGY_... */
} ksStepReport;

/** {0} first. A place and a direction on a body: of a force and the velocity of its point, or of a couple and the angular
 *  velocity. */
typedef struct ksBodyProbe {
    dBodyID body;
    int couple;      /**< 1: about axis, point is not read */
    double point[3]; /**< m, world */
    double axis[3];  /**< world; of unit length for mobilities in kg^-1, (kg.m)^-1, (kg.m^2)^-1 */
    double reserved[4];
} ksBodyProbe;

/** The host's functions; `user` is the pointer of the subscription. The reaction (the report) is valid during the call, and
 *  may be copied. */
typedef void ksReactionFn(const ksReaction *reaction, void *user);
typedef void ksStepFn(const ksStepReport *report, void *user);
typedef void ksDestroyFn(void *user);

#ifdef __cplusplus
}
#endif
#endif

/** @file reaction.h  The published results of an inspector: reactions, rows, reports, and their
 *        enumerations.
 *
 *  Included by <kinetostat/kinetostat.h>, which explains the values.
 */
#ifndef KINETOSTAT_REACTION_H
#define KINETOSTAT_REACTION_H

#include <kinetostat/status.h>
#include <kinetostat/system.h>
#include <kinetostat/verdict.h>
#include <ode/ode.h>
#include <stdint.h>

#if defined(dSINGLE) && !defined(KS_SINGLE)
#error                                                                                                                 \
    "this ODE is of single precision: compile and link by pkg-config kinetostat-single, or by an ODE of double precision"
#elif defined(dDOUBLE) && defined(KS_SINGLE)
#error "this ODE is of double precision: compile and link by pkg-config kinetostat, or by an ODE of single precision"
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ksInspector ksInspector;

/** Identifies a subscription of an inspector. Numbers are never reused. 0: none. */
typedef uint64_t ksSubscription;

/** The stepper that is inspected. */
typedef enum ksStepper {
    KS_WORLD_STEP, /**< dWorldStep: direct (Dantzig) */
    KS_QUICK_STEP, /**< dWorldQuickStep: iterative (SOR) */
    KS_EXACT_STEP, /**< ksInspectorExactStep: solved by this library. Not for brackets */
    /** A step of another engine, for brackets only. The host moves the bodies to where that engine
     *  put them, and can write its reported forces into the joints' feedback (dJointGetFeedback).
     *  The motion is known; the equations behind it are not. The values are those of
     *  <kinetostat/recording.h>: there are no converged values, and observed values replace the
     *  engine's in work and physicalError. ksInspectorRelaxJoint, ksInspectorRecompute and sums of
     *  engine or converged values return KS_ERROR_UNAVAILABLE */
    KS_FOREIGN_STEP
} ksStepper;

/** The values of a force: see <kinetostat/kinetostat.h>. Only ksReactionGetWrench and sums accept
 *  KS_OBSERVED; only ksReactionGetWrench and thresholds accept KS_MEAN. */
typedef enum ksValue {
    KS_ENGINE,
    KS_CONVERGED,
    KS_PHYSICAL,
    KS_OBSERVED,
    KS_SHARED, /**< the physical force. If joints share a load in an undetermined way: the share of
                    elastic joints (ksInspectorSetCompliance) */
    KS_MEAN    /**< the mean of the observed force over a window of steps: ksReaction::mean */
} ksValue;

/** The axes of a wrench. KS_FRAME_BODY: the axes of the body that it acts on. KS_FRAME_JOINT:
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
 *  z = x cross y. Where a joint has an anchor on each body, the anchor is the one on the body on
 *  which the wrench acts. If two axes of body[0] are almost equally far from x (their cosines to x
 *  differ by less than 0.05), y is the first of them. So y does not jump from one to the other.
 *  [1] Made perpendicular to x. [2] For a frictionless contact, the point of its line of action
 *  nearest to the mass centre of body[0]. */
typedef enum ksFrame { KS_FRAME_WORLD, KS_FRAME_BODY, KS_FRAME_JOINT } ksFrame;

/** The reference point of a wrench's torque. */
typedef enum ksPoint { KS_POINT_MASS_CENTRE, KS_POINT_ANCHOR } ksPoint;

/** The source of the accelerations -(dJ/dt) v behind a joint's physical value. */
typedef enum ksPhysicalSource {
    KS_FROM_NOWHERE,  /**< there is no physical value */
    KS_FROM_GEOMETRY, /**< closed forms of the joint's geometry; rows at bounds, springs and known
                           loads need no such acceleration */
    KS_FROM_HISTORY   /**< for at least one row, from the change of the row between two successive
                           steps; the error is of first order in the step size */
} ksPhysicalSource;

/** The kind of a constraint row. */
typedef enum ksRowKind {
    KS_ROW_BILATERAL, /**< a permanent constraint, without bounds */
    KS_ROW_STOP,      /**< a stop that has been reached; it pushes one way. It includes the motor of
                           its axis: ksMotor::atStop */
    KS_ROW_MOTOR,     /**< a motor, up to its dParamFMax */
    KS_ROW_NORMAL,    /**< a contact's normal; it pushes one way */
    KS_ROW_FRICTION,  /**< a contact's friction, along its first or second direction */
    KS_ROW_ROLLING    /**< a contact's rolling or spinning friction */
} ksRowKind;

/** Causes of a row's work; they add up to ksRow::work. */
enum {
    KS_WORK_TARGET,         /**< h lambda c: error correction, motors, restitution, moving
                                 partners */
    KS_WORK_COMPLIANCE,     /**< -h cfm lambda^2 */
    KS_WORK_RESIDUAL,       /**< h lambda r: sliding, saturation, an unconverged solver */
    KS_WORK_DISCRETISATION, /**< -h lambda J (v* - v) / 2: the finite step, and impacts */
    KS_WORK_COUNT
};

/** One constraint row of a joint in one step: J v* + cfm lambda = c + r, lo <= lambda <= hi. c, lo
 *  and hi are the engine's, except at a stop whose axis has a motor. There the engine applies the
 *  motor's force m and then solves the stop. The row stands for stop and motor together: lambda is
 *  the sum of their forces, lo and hi are the engine's plus m, and c is the engine's plus cfm m. */
typedef struct ksRow {
    ksRowKind kind;
    ksRowPlace place; /**< the row's place between its bounds: in the converged solution, or, if
                           that is unknown, in the engine's report. A row that would not move if it
                           were released counts as inside */
    int determinate;  /**< 1: this row's multiplier is unique, which depends on the engine's choice
                           of rows. 0 also if the uniqueness was not examined, as for contacts that
                           are known loads */
    int findex;       /**< the row of this joint whose multiplier scales the bounds (friction), or
                           -1 */
    double c;         /**< right-hand side; m/s or rad/s */
    double cfm;       /**< the engine's, before division by the step size; s/kg or s/(kg.m^2) */
    double lo, hi;    /**< N or N.m; for friction with findex a coefficient */
    double bound;     /**< the active bound, or the smaller bound if the row is inside; N or N.m.
                           NaN: sticking friction under dWorldStep with contacts as reported, since
                           the engine does not report this bound */
    double engine;    /**< multiplier in the engine's feedback; N or N.m; NaN if the joint's own
                           rows are dependent */
    /** The converged multiplier by each method; N or N.m. NaN if unchecked, and for contacts that
     *  are known loads (they have `alone` instead). In a drifted loop without solved
     *  contacts, one factorisation gives both: it corrects zero, and the engine's multipliers, by
     *  their residuals. If the joint has free directions, `paulus` is `gauss`, corrected by its
     *  residual */
    double gauss, paulus;
    double physical; /**< the physical multiplier; N or N.m; NaN if there is none. In a loop that
                          has drifted, the part that the drift leaves undetermined is the engine's.
                          Damping and the cap of angular speed count as forces */
    double errorBar; /**< error bar of the converged value; N or N.m. If the row is indeterminate:
                          its share of the bar of the determined part of the wrench */
    /** The error bar of the physical value; N or N.m; NaN if there is none. It contains rounding,
     *  and the uncertainty from differenced accelerations, from drift and, in a tree, from
     *  forbidden velocities. It also contains the distance of the mean physical value from the mean
     *  force that explains the motion, over the last windows of 0.15 s. In a tree, a part of that
     *  distance is known and left out: the part due to forbidden velocities and to the engine's
     *  gyroscopic torque */
    double physicalBar;
    double residual;                /**< r = J v* + cfm lambda - c of the engine's motion; m/s or
                                         rad/s */
    double work;                    /**< h lambda J (v + v*) / 2 with the engine's lambda: the row's
                                         share of the change of kinetic energy; J */
    double workPart[KS_WORK_COUNT]; /**< by cause; J */
    double jacobian[2][6];          /**< of body[0] and body[1]: linear, angular (world axes, about
                                         the mass centre) */
    /** The change of the engine's multiplier that would solve this row, given all other
     *  multipliers: |lambda - clamp(lambda - (r/h) / (J M^-1 J^T + cfm/h))|, with friction clamped
     *  by the engine's normal force. 0 in a solution. NaN: friction under dWorldStep, whose bounds
     *  are not reported. N or N.m */
    double unsolved;
    /** For a contact that is a known load: the multiplier that solves this row alone, with all
     *  other forces as reported. Friction bounds that dWorldStep does not report count as
     *  satisfied. The contact's verdict rests on this value: ksReaction::error is the size of J^T
     *  (alone - engine), and there is no error bar. N or N.m. NaN: in other rows, if the contact
     *  was not judged, and where engine is NaN */
    double alone;
    /** The engine's share of the physical multiplier, 0 to 1: the part that drift leaves
     *  undetermined */
    double adopted;
    /** The multiplier that follows from the motion, w^T (M a - f) / (J_l w), N or N.m (Paulus 1910,
     *  (17), (18)). The acceleration is a = (v* - v)/h. f are all applied forces and the reported
     *  contact forces. w is a relaxed coordinate that moves no other row. The difference of
     *  `engine` and `observed` is the report's error. The difference of `observed` and the
     *  converged value is the solver's error. The difference of `observed` and `physical` is the
     *  error of the time step. NaN for a contact, for an indeterminate row, for a row at a bound (a
     *  known load), and for springs that share a load. NaN also without a converged value, and if
     *  the motion is unexplained, or if several joints could explain it */
    double observed;
    double observedBar; /**< rounding, and the part of the mechanism's motion that the reports do
                             not explain; N or N.m */
    /** The multiplier of ksReaction::shared, and its bar: the propagated bars of the physical
     *  values of all joints in the mechanism. Equal to physical and physicalBar where no load is
     *  shared. NaN if unknown. N or N.m */
    double shared, sharedBar;
    double reserved[2];
} ksRow;

/** The motor of one axis of a joint in one step (dParamFMax above 0). Values are along the axis, in
 *  the direction of a positive dParamVel; for an axis of rotation they are torques and angular
 *  velocities. They are NaN without a motor, and between equal stops, where the engine ignores the
 *  motor. After KS_FOREIGN_STEP there are no motors. */
typedef struct ksMotor {
    double force;  /**< the engine value, a part of ksReaction::engine; N or N.m. NaN also if the
                        joint's own rows are dependent */
    double speed;  /**< speed of the axis after the step, J v* of its row; m/s or rad/s */
    double target; /**< dParamVel; m/s or rad/s */
    double power;  /**< mean power of the motor over the step, on all bodies, kinematic ones
                        included: force J (v + v*)/2; W */
    int saturated; /**< 1: the motor's force is at its bound, dParamFMax, so the motor can miss its
                        target; always 1 at a stop */
    int atStop;    /**< 1: the motor's axis is at a stop. There the engine applies all of dParamFMax
                        at any speed, times dParamFudgeFactor if the motor drives away from the
                        stop. The multiplier of the stop's row contains this force; dJointFeedback
                        does not */
    /** mean: the mean of the motor's force over the window of ksReaction::mean. meanBar: the bar of
     *  this mean, as ksReaction::meanBar. Steps without a motor count as zero force; NaN if no step
     *  had a motor. N or N.m */
    double mean, meanBar;
    /** physical: the force that reaches the target, up to dParamFMax. At a stop it is the force
     *  that the engine applies. physicalBar: its bar. N or N.m. NaN if there is no physical
     *  value */
    double physical, physicalBar;
    double reserved[4];
} ksMotor;

/** The reaction of one joint in one step. It can be copied; in a copy `row` is valid only until the
 *  next step. */
typedef struct ksReaction {
    dJointID joint; /**< may be gone after the step: compare, do not dereference */
    dJointType type;
    dBodyID body[2]; /**< body[0] is the body on which f1 and t1 of dJointFeedback act; body[1] may
                          be NULL (the world) */
    int reversed;    /**< 1: body[0] == dJointGetBody(joint, 1) */
    unsigned long step;
    double time; /**< s, of this inspector, at the start of the step */
    ksVerdict verdict;
    ksReasons reasons; /**< KS_REASON_... bits */
    int rowCount;
    const ksRow *row; /**< [rowCount], valid until the next step */
    /** On body[i], world axes, about its mass centre; N, N.m; NaN if unknown, and for the world.
     *  The whole force of the joint, including motors of axes at their stops, which dJointFeedback
     *  lacks (ksMotor::atStop). The undetermined part of `converged` is the engine's. The
     *  undetermined part of `physical` is also the engine's; only contacts, and joints that have
     *  drifted apart, have such a part */
    ksWrench engine[2], converged[2], physical[2];
    /** The wrench of the observed multipliers, in the same axes. It equals `engine`, unless the
     *  joint's report is wrong (KS_UNEXPLAINED with KS_REASON_REPORT). The undetermined part and
     *  the multipliers of rows at bounds are always the engine's. After KS_FOREIGN_STEP: the forces
     *  of least size that explain the motion */
    ksWrench observed[2];
    /** In the same axes, the determined part of `physical`, plus the share of the undetermined load
     *  that the joint would carry if joints were elastic (KS_REASON_SHARED,
     *  ksInspectorSetCompliance) */
    ksWrench shared[2];
    int freeCount;
    /** [freeCount] a basis of the undetermined part of the wrench on body[0]: world axes, about the
     *  mass centre, each of unit force (or torque). A component g . (force, torque) is determined,
     *  in converged and in physical, iff g . freeDirection[k] = 0 for all k */
    ksWrench freeDirection[6];
    double error;    /**< engine against converged, relative; see ksInspectorOptions. If the
                          mechanism determines only sums of wrenches, a wrong sum also puts the
                          error above the tolerance. NaN: nothing was compared, or no part of the
                          wrench is determined and the sums are right */
    double errorBar; /**< bar of the converged value, in the same measure */
    double work;     /**< work of all rows in this step, with the engine's multipliers; J. ksRow has
                          the work by row and cause */
    ksPhysicalSource physicalSource;
    double physicalError;    /**< engine against physical, in the same measure */
    double physicalErrorBar; /**< bar of the physical value, in the same measure. It presumes the
                                  reported contact forces (KS_REASON_REPORTED_LOADS); of the errors
                                  of these forces it contains only loadNoise. In newtons:
                                  ksRow::physicalBar, ksThresholdEvent::errorBar */
    double centre[2][3];     /**< m, mass centres at the start of the step */
    double rotation[2][9];   /**< row-major, body to world */
    double anchor[2][3];     /**< m, world; NaN without an anchor */
    double axes[9];          /**< row i: axis i of the joint frame in world axes */
    /** With options.estimateSweeps: the error of the engine's net force on body[i], relative; see
     *  ksInspectorOptions. NaN: none.
     *
     *  For a body in contact, this is the distance of the net contact force (without torque) from
     *  its mean. By momentum the mean is right, even if the step's equations were not solved, and
     *  also under servos. The mean is the value in this step of a straight line that is fitted to
     *  the last one or two windows (options.meanWindow). The weights of older steps fade by a
     *  factor e in a third of a window. In a blow the distance is large. After more than three
     *  steps without contact, a body has no netError in its first seven steps of contact.
     *
     *  In the first seven steps that the inspector sees, and if a window has fewer than eight
     *  steps, sweeps over all rows replace the mean. Sweeps also give netError of bodies without
     *  contacts, or with solved contacts (KS_CONTACTS_SOLVED), if the joint is KS_UNCHECKED for
     *  KS_REASON_BUDGET, _BOUND or _FRICTION. They estimate the error of the net reaction of joints
     *  and contacts against the solution of the step's equations. There is no estimate under
     *  dWorldStep with friction, since the bounds of friction are not reported. In piles of 30, 100
     *  and 500 boxes under QuickStep(20), 40 sweeps were within a factor of 3 of that error for at
     *  least 98 % of the bodies. In chains of hundreds of joints, where errors come from far away,
     *  the estimate may be much too small. The estimate is not the distance from the load of a
     *  machine: under servos the exact solution of the step is up to three times that load */
    double netError[2];
    double gravity[3]; /**< m/s^2, gravity of the world in this step */
    int weightless[2]; /**< 1: gravity does not act on body[i] (dBodySetGravityMode; kinematic; the
                            world) */
    /** The joint's gap at the start of the step, in the directions of its permanent rows: the
     *  distance, m, and the rotation, rad (for an axis the sine of the angle, for a frame twice the
     *  sine of half the angle). Rows of springs, motors and stops do not count. Nor do rows whose
     *  target the host moves: equal stops used as a servo, the distance of a double ball used as a
     *  winch. NaN: a contact, a joint that was not read, a false error (KS_REASON_FALSE_ERROR), or
     *  no KS_COMPUTE_PHYSICAL */
    double gap[2];
    /** Work of the joint's motors at stops (ksMotor::atStop) in the step before; this work produced
     *  the gap; J. It is large if a strong motor drives away from a stop: all of dParamFMax acts
     *  for the whole step, however fast the axis becomes */
    double fudgeWork;
    /** The length L of the joint's axis in the world, if it differs from 1 by more than a
     *  thousandth (KS_REASON_AXIS_LENGTH); else 1. Rows across the axis have L times the ERP that
     *  the host set. Rows about the axis are the rows of a unit axis: the motor's speed is
     *  dParamVel / L, its largest torque L dParamFMax, and the CFM is the host's / L^2. For a
     *  contact: the length of its normal, or of fdir1 if the normal has length 1; the rows of a
     *  contact are unchanged */
    double axisLength;
    /** By axis, in the order of dParamFMax1, dParamFMax2 and dParamFMax3; for a plane2d x, y and
     *  angle */
    ksMotor motor[3];
    /** The mean force that the motion required over a window: the mean of the observed wrench on
     *  body[i], weighted by step size; N, N.m. Unless a report is wrong, this is the mean of the
     *  reported force. By momentum it is exact, even if the step's equations were not solved:
     *
     *      T mean = sum h J^T lambda = sum (M (v* - v) - h f)
     *
     *  World axes, about the joint's anchor in each step, or about the mass centre for a joint
     *  without an anchor. The window is the last ksInspectorOptions::meanWindow, or slightly more,
     *  since it advances by blocks of steps. It has at least sixteen blocks, unless steps are
     *  longer than a block. It begins with the first step. It restarts after the joint has slept,
     *  was disabled, or was attached to other bodies. It also restarts after the host has moved a
     *  body of the joint farther than the body moves in a step, unless the body is kinematic. Steps
     *  in which the joint has no rows count as zero force. Steps that the inspector does not see do
     *  not count; if a body moves farther in these steps than in one step, the window restarts. A
     *  contact joint exists for one step only: use ksInspectorPair. NaN for the world, and without
     *  a step */
    ksWrench mean[2];
    ksWrench meanInJoint[2]; /**< likewise, in the axes of the joint in each step
                                  (KS_FRAME_JOINT) */
    /** The error bar of mean[0] as the mean force of the motion, by component: rounding, and the
     *  part of the motion that the reports do not explain. NaN if mechanics does not determine how
     *  joints share the force; then the mean is the engine's. N, N.m. NaN also if the equations of
     *  the mechanism are unknown in one of the steps, as with ksInspectorOptions::values 0. A joint
     *  that alone connects two parts of the mechanism has a bar even then */
    ksWrench meanBar;
    /** The largest expected distance of mean[0] from the mean force of the ideal mechanism over
     *  these steps, by component. It is the sum of two terms. One is the distance of mean[0] from
     *  the mean physical force. The other is the uncertainty of the mean physical force due to
     *  velocities that the joints forbid. Contact forces are as reported, and motors keep their
     *  simulated rates. NaN if unknown; N, N.m */
    ksWrench departure;
    double meanTime; /**< s, length of the steps in the window; 0: the window has no steps */
    /** KS_REASON_REPORTED_LOADS: the part of physicalErrorBar that is the noise of unsolved
     *  contacts: contacts of dWorldQuickStep, of sweeps and of other engines. It is 2.5 standard
     *  deviations of the joint's own physical value about its linear trend, over a window of
     *  slightly more than 0.15 s. It stays for one window after the last contact. It leaves out
     *  blows: steps in which bodies meet at a contact at more than the speed that gravity gives a
     *  body in five steps. 0: no such contact acts on the mechanism. NaN: unknown, as in the first
     *  eight steps of a touch */
    double loadNoise;
    double reserved[3];
} ksReaction;

/** Phases of ksStepReport::seconds. */
enum {
    KS_PHASE_SNAPSHOT,  /**< bodies, joints, the engine's report and motion; islands */
    KS_PHASE_ROWS,      /**< the constraint rows before the step */
    KS_PHASE_GAUSS,     /**< first method, with the search for rows at bounds */
    KS_PHASE_PAULUS,    /**< second method, determinacy, error bars */
    KS_PHASE_VERDICT,   /**< comparisons */
    KS_PHASE_CALLBACKS, /**< the host's callbacks, and the reactions for them */
    KS_PHASE_PHYSICAL,  /**< physical values */
    KS_PHASE_ESTIMATE   /**< ksReaction::netError */
};

/** Causes of a change in kinetic energy: ksStepReport::energyOf. */
enum {
    KS_ENERGY_WEIGHT,   /**< weight, along the path of the bodies */
    KS_ENERGY_MOTORS,   /**< motors, also of axes at their stops (ksMotor::atStop) */
    KS_ENERGY_STOPS,    /**< stops of joints, without the motors of their axes */
    KS_ENERGY_JOINTS,   /**< permanent rows of joints: error correction, compliance, moving
                             partners, losses by the finite step */
    KS_ENERGY_CONTACTS, /**< normal forces and friction */
    KS_ENERGY_HOST,     /**< forces and torques that the host added */
    KS_ENERGY_DAMPING,  /**< damping and speed cap */
    KS_ENERGY_REST,     /**< all other changes in the step: effects of the finite step on weight and
                             rotation, idle bodies that are stopped, velocities set in moved
                             callbacks */
    KS_ENERGY_SET,      /**< since the step before: velocities, masses and poses that the host set,
                             bodies that were created or destroyed, uninspected steps. 0 in the
                             first step */
    KS_ENERGY_COUNT
};

/** One step of the world. */
typedef struct ksStepReport {
    unsigned long step;
    double time; /**< s, at the start of the step */
    ksStepper stepper;
    int stepped;   /**< 1: the engine stepped (in a bracket this is assumed) */
    int inspected; /**< 1: every reaction was judged or has a reason; 0: memory ran out, or a body
                        is not finite */
    size_t reactionCount, verdictCount[16]; /**< indexed by ksVerdict */
    dJointID worstJoint;                    /**< the joint with the largest error, or NULL */
    double worstError;
    double gaussConstraint;  /**< Gauss's constraint Z of the engine's motion; kg.m^2/s^4. In this
                                  value and the next two, contacts that are known loads are forces,
                                  not constraints */
    double unexplained;      /**< 1/2 |a - a*|^2 in the mass metric: the part that no multipliers
                                  explain; same unit */
    double solverError;      /**< the part due to violated rows; same unit */
    double momentumResidual; /**< largest |M (v* - v)/h - f - J^T lambda| of a body, relative to its
                                  island's load */
    size_t rowCount;         /**< rows that the engine solved */
    size_t rank;             /**< rank of the rows that are neither at a bound nor rows of contacts
                                  that are known loads */
    size_t islandCount;      /**< bodies and joints that share multipliers */
    /** Energy of the bodies that stepped, J, with the inertia of the initial pose. Except
     *  for rounding, kineticEnergy[1] - kineticEnergy[0] + potentialChange = rowWork + forceWork +
     *  gravityDiscretisation. */
    double kineticEnergy[2];      /**< at the start, and with v*, before damping and speed cap */
    double potentialChange;       /**< change of the potential energy of weight */
    double rowWork;               /**< sum of ksRow::work */
    double forceWork;             /**< work of applied forces other than weight: the user's forces,
                                       gyroscopic torques */
    double gravityDiscretisation; /**< weight does work at (v + v*) / 2, while bodies fall at v* */
    double dampingWork;           /**< work of damping and speed cap, after v* */
    double seconds[16];           /**< s, wall clock, by KS_PHASE_..., without the engine's own
                                       time. KS_PHASE_GAUSS includes the solution of an exact step.
                                       With several ksInspectorOptions::workers these are sums over
                                       all threads, without waiting, and can exceed the time of the
                                       step */
    dBodyID culprit;              /**< KS_ERROR_NOT_FINITE: the body; else NULL */
    size_t estimatedBodyCount;    /**< bodies that have a ksReaction::netError */
    double worstEstimate;         /**< the largest netError; worstBody: its body, or NULL */
    dBodyID worstBody;
    /** For ksInspectorExactStep, else 0 and NULL. fallbackRowCount: rows of islands that
     *  dWorldQuickStep solved. fallbackReasons: why dWorldQuickStep solved them, or why contacts
     *  were swept (KS_REASON_... bits). worstUnsolved, N: the largest force that a row lacks to be
     *  satisfied; worstUnsolvedJoint: the joint or contact of this row, or NULL. For a contact that
     *  is a known load the force is the acceleration error times the mass of the mechanism on the
     *  lighter side. For any other row it is the missing multiplier, by its size in the mass metric
     *  and for the mass of the lighter body */
    size_t fallbackRowCount;
    ksReasons fallbackReasons;
    double worstUnsolved;
    dJointID worstUnsolvedJoint;
    double gap; /**< the duality gap of Gauss's principle, 1/2 |a - M^-1 (f + J^T lambda)|^2 in the
                     mass metric; kg.m^2/s^4. The motion a is from one method, the multipliers
                     lambda are from the other. The sum is over the islands that both methods
                     solved. A gap above rounding has KS_REASON_GAP */
    /** After KS_ERROR_NOT_FINITE from ksInspectorExactStep: the joint whose rows are not finite, if
     *  no body is the culprit; else NULL */
    dJointID culpritJoint;
    /** Kinetic energy of all bodies with a mass, before the step and after its damping, each time
     *  with the inertia of the current pose; J. To rounding worldEnergy[1] - worldEnergy[0] is the
     *  sum of energyOf without KS_ENERGY_SET */
    double worldEnergy[2];
    double energyOf[16]; /**< J, by KS_ENERGY_... */
} ksStepReport;

/** A point and a direction on a body, for a force and the velocity of this point; or an axis, for a
 *  couple and the angular velocity. Initialise it with {0}. */
typedef struct ksBodyProbe {
    dBodyID body;
    int couple;      /**< 1: a couple about `axis`; `point` is not read */
    double point[3]; /**< m, world */
    double axis[3];  /**< world; a unit vector for mobilities in kg^-1, (kg.m)^-1, (kg.m^2)^-1 */
    double reserved[4];
} ksBodyProbe;

/** The host's callbacks; `user` is the pointer of the subscription. The reaction or report is valid
 *  during the call and can be copied. */
typedef void ksReactionFn(const ksReaction *reaction, void *user);
typedef void ksStepFn(const ksStepReport *report, void *user);
typedef void ksDestroyFn(void *user);

#ifdef __cplusplus
}
#endif
#endif

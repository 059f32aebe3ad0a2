/** @file kinetostat.h  Inspects the joint forces of an ODE world, every step.
 *
 *  Around each step of a world the inspector reads the constraint rows of every joint and the states of the bodies,
 *  recomputes every joint's multipliers by two routes that are independent of the engine and of each other, compares, and
 *  hands the result to the host. The trajectory is bitwise the same with and without it.
 *
 *  Three values are kept apart, everywhere and by name:
 *    engine     what the engine reported (dJointFeedback); it explains the motion that was simulated
 *    converged  the multipliers of the engine's own step equations A lambda = b, solved exactly from the state before
 *               the step (ERP, CFM and bounds included): engine against converged is the solver's error
 *    physical   the reaction of the continuous mechanism in that configuration with those velocities,
 *               J a = -(dJ/dt) v, no stabilisation and no regularising compliance: the force in this joint.
 *               A motor inside its bounds follows its target velocity (a target that changes is an acceleration), one
 *               at its bound, in the engine's report, is that force, and so is one that is off its target and makes up
 *               for it. A motor that drives against its stop is an applied force to the engine: it is in none of the
 *               three values, only the stop is. A kinematic body whose velocity the host changes
 *               accelerates, unless it is put elsewhere. In an impact it is the mean over the step: times h it is the
 *               impulse. What mechanics does not determine is left out
 *
 *  Contacts enter as known loads, with the forces that the engine reported: a joint's values are right given what the
 *  ground does to its mechanism (ksContacts; KS_REASON_REPORTED_LOADS). How far the contacts themselves are from solved is
 *  told beside it: by their own verdicts, and by estimates of net forces.
 *
 *  A row is one scalar constraint of a joint, its multiplier lambda the force (or torque) along it. An island is a group of
 *  bodies and joints whose multipliers depend on each other. A self-stress is a set of multipliers that balance each other
 *  and move nothing, as in a door on two hinges: how much of it there is, mechanics does not determine.
 *
 *  Units are those of the host; the docs speak of kg, m, s. Wrenches act *on* a body. NaN stands for what is not known.
 *  An inspector is used by one thread at a time, the one that steps the world. A world may have several: their
 *  brackets (a step, or what is between ksInspectorBeginStep and ksInspectorEndStep) nest, the last begun is the first
 *  ended.
 *  The engine-free mechanics behind it is <kinetostat/system.h>.
 */
#ifndef KINETOSTAT_KINETOSTAT_H
#define KINETOSTAT_KINETOSTAT_H

#include <kinetostat/reaction.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of ksInspectorOptions::values. */
enum {
    KS_COMPUTE_CONVERGED = 1 << 0, /**< both routes and determinacy, of every joint; contacts judged */
    KS_COMPUTE_PHYSICAL = 1 << 1   /**< physical values; alone they come without a verdict: KS_UNCHECKED */
};

/** How the forces of contacts enter the equations of the joints. Source of the first: Paulus 1910, concluding remark: a
 *  reaction that is known acts as an applied force. */
typedef enum ksContacts {
    /** As the engine reported them: normal forces, friction, rolling. Islands end at contacts, so that each mechanism is
     *  solved by itself. A joint's values are right given what the ground does to it. A contact's own force is the engine's
     *  in each of the three values; it is judged by the complementarity of its rows: ksReaction::error is by how much all of
     *  them together would change if each went to its solution given all other forces */
    KS_CONTACTS_REPORTED,
    /** Converged values have contacts among their unknowns, with the friction bounds of dWorldStep's first stage, or under
     *  dWorldQuickStep with mu times the normal forces that it reported. For stacks under dWorldStep whose contact
     *  forces are to be checked. Physical values have contacts as reported all the same, but the self-stresses of converged
     *  values go through the contacts: what is free of a joint there is left out of thresholds and sensors of either value */
    KS_CONTACTS_SOLVED
} ksContacts;

/** Options. Set by ksInspectorOptionsInit, then changed; the default of a member stands first. Zero-filled room is kept
 *  for later versions.
 *
 *  Relative errors: all of them are by one measure. The size of a wrench on a body is (f^T f / m + t^T I^-1 t)^(1/2), of a
 *  joint's wrenches the root of the sum of squares over both bodies. An error is the size of the difference of two values,
 *  over the size of the larger one, or over loadFloor times the largest load around where that is larger still; so it is at
 *  most 2. Of ksReaction::error, physicalError and their bars the values are the joint's, in the part that is
 *  determined (orthogonal to freeDirection in this metric). Of ksReaction::netError they are the net reactions on one body,
 *  of ksNetWrench::error the wrenches asked for on body a. */
typedef struct ksInspectorOptions {
    size_t size;              /**< sizeof(ksInspectorOptions); set by ksInspectorOptionsInit */
    double tolerance;         /**< 1e-2: error above it is KS_SOLVER_ERROR */
    double momentumTolerance; /**< 1e-9: residual of a body above it, relative to the smallest load of the joints on it
                                   (and above rounding), is KS_UNEXPLAINED */
    double loadFloor;         /**< 1e-6: of the largest load of the island, or of the forces on a body in none */
    double rigidCfm;          /**< 1e-9: up to it compliance is regularisation, above it a real spring */
    double rankTolerance; /**< 1e-4: singular values of the rows below it, relative to the largest, are zero: joints do
                                   not quite fit as they are made. Rows that only drift has made independent count as
                                   dependent too, where physical values are computed: loops whose joints are apart by more
                                   than a tenth of it, in radii of gyration, are judged in the nearest pose in which they
                                   fit, unless that takes more than a full matrix of 400 rows would */
    size_t islandRowBudget; /**< islands with more rows are KS_UNCHECKED (KS_REASON_BUDGET). 0, the default: 5000, but
                                   no limit for trees and single loops */
    unsigned alertMask;     /**< bits 1u << verdict; default solver error and unexplained */
    unsigned values;        /**< KS_COMPUTE_... bits; default both */
    ksAllocator allocator;  /**< all zero: the C library */
    size_t estimateSweeps;  /**< 0: of ksReaction::netError, of which none is made then. With 40 it costs about
                                   as much as half a step of dWorldQuickStep with 20 iterations */
    /** 64: beyond twice its rows, how often an island may be solved in one step to find out which of its rows lie at a
     *  bound. A dense factorisation of n of m rows counts as 1 + n^3 / (200 m) solutions. An island whose search fails is
     *  KS_UNCHECKED (KS_REASON_FRICTION or _BOUND) */
    size_t searchRounds;
    ksContacts contacts; /**< KS_CONTACTS_REPORTED */
    /** 1: joints of each island with converged values, in turn from step to step, whose multipliers are found once more one
     *  by one: from the row's relaxed coordinate w with an admissible motion t of the mechanism, as in ksSystemRelaxRow,
     *  lambda = (w + t)^T (M a - f) / (J (w + t)). It sees errors of the motion that multipliers solved together do not.
     *  Where one differs from the published by more than the error bar and its own rounding, the island is KS_UNCHECKED
     *  (KS_REASON_RELAXED). Rows at bounds, and those that are not determinate, have no such coordinate. 0: none;
     *  negative: KS_ERROR_BAD_ARGUMENT */
    int relaxedPerStep;
    double reserved[5];
} ksInspectorOptions;

/** Sets the defaults. NULL is fine. */
KS_API void ksInspectorOptionsInit(ksInspectorOptions *options);

/** An inspector of a world. Creates one body and one joint in it for a moment, and a scratch world, to prove that the
 *  engine's private layout is the known one; all are gone on return.
 *  @param      world      a living world, not in a step
 *  @param[in]  options    NULL: the defaults; copied
 *  @param[out] inspector  the caller destroys it
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_UNSUPPORTED_ENGINE (nothing else happens) */
KS_API KS_MUST_USE ksStatus ksInspectorCreate(dWorldID world, const ksInspectorOptions *options,
                                              ksInspector **inspector);

/** Frees the inspector. NULL is fine. Safe after dWorldDestroy, and inside a bracket (the host's feedback pointers
 *  are given back), but not after dWorldDestroy inside a bracket, nor while a bracket begun within this one is open.
 *  From a callback it takes effect when the step call that runs the callbacks returns. */
KS_API void ksInspectorDestroy(ksInspector *inspector);

/** dWorldStep, inspected. Trajectories are bitwise those of dWorldStep. This and all calls on an inspector or a reaction
 *  leave the floating-point flags and traps of the host as they are; callbacks run with them.
 *  Steps that need no inspection may be made by the engine's own call, at its own cost. An inspected step after them lacks
 *  only the physical values that are differenced from the step before (KS_REASON_NO_HISTORY).
 *  Numbers of steps, times and durations of thresholds count inspected steps.
 *  @param stepSize  s, > 0
 *  @return KS_OK; not stepped: KS_ERROR_BAD_ARGUMENT, KS_ERROR_REENTRY, KS_ERROR_BRACKET, KS_ERROR_NOT_FINITE (a body,
 *          ksStepReport::culprit, on which the engine might abort), KS_ERROR_ENGINE (it refused itself); stepped, but not
 *          (fully) inspected, as the step report says: KS_ERROR_NO_MEMORY */
KS_API ksStatus ksInspectorStep(ksInspector *inspector, dReal stepSize);

/** dWorldQuickStep, inspected; as ksInspectorStep. */
KS_API ksStatus ksInspectorQuickStep(ksInspector *inspector, dReal stepSize);

/** For hosts that must call the engine themselves: rows are read here, so step at once, with the same stepper and
 *  step size, and then call ksInspectorEndStep. The host's feedback pointers are replaced in between.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_REENTRY, KS_ERROR_BRACKET (already begun), KS_ERROR_NO_MEMORY or
 *          KS_ERROR_NOT_FINITE (the bracket is open all the same, and EndStep will report the step uninspected; an engine
 *          that is built with assertions aborts when it steps such a body: then end the bracket without a step) */
KS_API KS_MUST_USE ksStatus ksInspectorBeginStep(ksInspector *inspector, ksStepper stepper, dReal stepSize);

/** Reads what the engine did, judges it, and calls back.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_REENTRY, KS_ERROR_BRACKET (not begun; or another inspector's bracket,
 *          begun within this one, is still open: end that first, then this one), KS_ERROR_NO_MEMORY,
 *          KS_ERROR_NOT_FINITE */
KS_API KS_MUST_USE ksStatus ksInspectorEndStep(ksInspector *inspector);

/** Which subscription of an inspector: a number that is given once, and never to another one. 0: none. */
typedef uint64_t ksSubscription;

/** Calls back with a joint's reaction after each step.
 *
 *  The rules of all subscriptions: all reactions of a step are complete before the first callback; order: reactions in the
 *  order of ksInspectorGetReactions, each to its subscribers in the order of subscription, then alerts, then the step.
 *  A callback may change the world, destroy joints and bodies, subscribe and unsubscribe (from the next step on for
 *  new ones), destroy this inspector, and after that the world; calls that step this inspector are refused with
 *  KS_ERROR_REENTRY. A joint destroyed in a callback gets no further call in this step. Addresses are reused by the
 *  engine, so a subscription is bound to the joint's address, type and bodies: a joint made anew with all three the same
 *  is the same to it. When the joint is gone it ends with one last call whose reaction holds KS_NOT_SOLVED and
 *  KS_REASON_JOINT_GONE.
 *  @param joint  a joint of this world; NULL: every joint
 *  @param user   handed on to fn, and a name for ksInspectorOff
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksInspectorOnReaction(ksInspector *inspector, dJointID joint, ksReactionFn *fn, void *user);

/** Calls back with every contact joint between body a and body b, in either order, once per joint and step. Ends when
 *  either body is gone, without a call.
 *  @param a  a body of this world
 *  @param b  another; NULL: any partner, the world included
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksInspectorOnContact(ksInspector *inspector, dBodyID a, dBodyID b, ksReactionFn *fn,
                                                 void *user);

/** Calls back once after each step, with its report. @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksInspectorOnStep(ksInspector *inspector, ksStepFn *fn, void *user);

/** Calls back when a joint's verdict enters or leaves options.alertMask (contact joints: each occurrence enters).
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksInspectorOnAlert(ksInspector *inspector, ksReactionFn *fn, void *user);

/** The subscription that this inspector made last, by whichever of the calls above or ksInspectorOnThreshold; it may have
 *  ended since. Ask right after a call that has succeeded. 0: none was made.
 *
 *      if (ksInspectorOnReaction(inspector, joint, fn, user) == KS_OK)
 *          mine = ksInspectorGetLastSubscription(inspector); */
KS_API ksSubscription ksInspectorGetLastSubscription(const ksInspector *inspector);

/** Ends one subscription; others stay, also those with the same user pointer. Within callbacks, too, be it the
 *  subscription's own call: it gets no further one, not even in this step.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (0, or none of this inspector's), KS_ERROR_ENDED (it has ended before: by this call,
 *          by ksInspectorOff, or with its joint or body) */
KS_API KS_MUST_USE ksStatus ksInspectorUnsubscribe(ksInspector *inspector, ksSubscription subscription);

/** Ends all subscriptions with this user pointer (NULL: all that have none), of whatever kind, thresholds included.
 *  @return KS_OK, also where there was none; KS_ERROR_BAD_ARGUMENT */
KS_API KS_MUST_USE ksStatus ksInspectorOff(ksInspector *inspector, void *user);

/** The joint's reaction in the last step. NULL: no inspected step, or a joint that was not in the world when it began.
 *  Valid until the next step. */
KS_API const ksReaction *ksInspectorGetReaction(const ksInspector *inspector, dJointID joint);

/** All reactions of the last step, in the order of the world's joint list; NULL if there are none. Valid until the next
 *  step.
 *  @param[out] count  their number; NULL is fine */
KS_API const ksReaction *ksInspectorGetReactions(const ksInspector *inspector, size_t *count);

/** The last step's report, or NULL before the first step. Valid until the next step. */
KS_API const ksStepReport *ksInspectorGetStepReport(const ksInspector *inspector);

/** The converged multipliers of one joint alone, each from its own relaxed coordinate: for hosts that set
 *  options.values = 0 and ask for a few joints. The others are not computed, unless rows with bounds make it necessary.
 *  Of the last step; the world may have changed since.  Source: Paulus 1910 (17), (18).
 *  Ask for all joints of a mechanism before those of the next: its equations are set up when another one was asked for.
 *  They solve the step's equations as they are. Where the joint has free directions, ksRow::paulus has the engine's
 *  self-stress in place of that solution's, and is off from here by no more than the bars.
 *  @param      capacity  room in out
 *  @param[out] out       [capacity] one relaxation per row of the joint; a row at a bound has that bound for its
 *                        multiplier, and NaN for the rest
 *  @param[out] count     rows of the joint
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (unknown joint, room too small, inside a bracket), KS_ERROR_REDUNDANT (a row is
 *          not determinate, though of the wrench a part may be), KS_ERROR_NO_MEMORY, KS_ERROR_UNAVAILABLE (the island
 *          cannot be solved) */
KS_API KS_MUST_USE ksStatus ksInspectorRelaxJoint(ksInspector *inspector, dJointID joint, int capacity,
                                                  ksRelaxation *out, int *count);

/** {0} first. A place and a direction on a body: of a force and the velocity of its point, or of a couple and the angular velocity. */
typedef struct ksBodyProbe {
    dBodyID body;
    int couple;      /**< 1: about axis, point is not read */
    double point[3]; /**< m, world */
    double axis[3];  /**< world; of unit length for mobilities in kg^-1, (kg.m)^-1, (kg.m^2)^-1 */
    double reserved[4];
} ksBodyProbe;

/** Velocity at one place per unit impulse at another, e^T B d: as the mechanism was at the start of the last step, its
 *  motion constrained by the rows that were not at a bound; contacts that are known loads hold nothing. 0 for bodies that are not connected, or do not move freely.
 *  Exchanging the two gives the same (reciprocal theorem).  Source: Lamb 1911.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also inside a bracket, before the first step, a body unknown to it),
 *          KS_ERROR_NOT_FINITE, KS_ERROR_NO_MEMORY, KS_ERROR_UNAVAILABLE (the island cannot be solved) */
KS_API KS_MUST_USE ksStatus ksInspectorGetMobility(ksInspector *inspector, const ksBodyProbe *at,
                                                   const ksBodyProbe *from, double *mobility);

/** A reaction's wrench on body[`body`] in a frame, about a point. Works on copies, also after the joint died.
 *  @param      body  0 or 1: index into reaction->body. Where that is NULL, the world: the opposite of what acts on the
 *                    other body; only about KS_POINT_ANCHOR, since the world has no mass centre; KS_FRAME_BODY is the
 *                    world's
 *  @param[out] out   N, N.m
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_ANCHOR, KS_ERROR_UNAVAILABLE (the value is not known) */
KS_API KS_MUST_USE ksStatus ksReactionGetWrench(const ksReaction *reaction, ksValue value, int body, ksFrame frame,
                                                ksPoint point, ksWrench *out);

/** The enumerator's own name; for reasons the name of one bit, "KS_REASON_BOUND". Static storage; an unknown number
 *  gives "KS_VERDICT_UNKNOWN", "KS_REASON_UNKNOWN". */
KS_API const char *ksVerdictName(ksVerdict verdict);
KS_API const char *ksReasonName(unsigned bit);

#ifdef __cplusplus
}
#endif

#include <kinetostat/loads.h>

#endif

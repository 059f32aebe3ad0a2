/** @file kinetostat.h  Inspects the joint forces of an ODE world, every step.
 *
 *  Around each step of a world the inspector reads the constraint rows of every joint and the states of the bodies,
 *  recomputes every joint's multipliers by two routes that are independent of the engine and of each other, compares, and
 *  hands the result to the host. The trajectory is bitwise the same with and without it.
 *
 *  Three values are kept apart, everywhere and by name:
 *    engine     the force that the engine reported (dJointFeedback), and that of a motor whose axis is at a stop, which the
 *               engine applies without reporting it; it explains the motion that was simulated
 *    converged  the multipliers of the engine's own step equations A lambda = b (ERP, CFM and bounds included), solved
 *               exactly from the state before the step. Engine against converged is the solver's error
 *    physical   the reaction of the continuous mechanism in this configuration with these velocities, J a = -(dJ/dt) v,
 *               without stabilisation and regularising compliance: the force in this joint. What mechanics does not
 *               determine is left out
 *
 *  A fourth tells these apart where they disagree (KS_OBSERVED, ksRow::observed): the multiplier that the motion itself
 *  tells, without any solved one. Engine against observed is the report's error, observed against converged the solver's,
 *  observed against physical the step's. Its mean over a window of steps (KS_MEAN, ksReaction::mean) is the force that the motion took,
 *  exactly, however few iterations a solver has made.
 *
 *  In physical values
 *    a motor inside its bounds follows its target velocity; a target that changes is an acceleration
 *    a motor at its bound (in the engine's report) is a known force; so is a motor that is off its target and catches up
 *    a kinematic body accelerates as the host changes its velocity, unless the host puts the body elsewhere
 *    an impact on a contact or a stop gives the mean force over the step; times the step size it is the impulse. A blow
 *               that comes of velocities that joints forbid is not in them: of a joint that is attached in flight, or after
 *               the host has set such a velocity. It is in the engine's and the converged value
 *
 *  Each value is all that the joint does. A motor that drives against its stop, an applied force to the engine, is a part of
 *  the joint as the stop is: ksReaction::motor tells it apart.
 *
 *  Contacts enter as known loads, with the forces that the engine reported: a joint's values are right given the forces of
 *  the ground on its mechanism (ksContacts, KS_REASON_REPORTED_LOADS). The contacts' own verdicts and the estimates of
 *  net forces (ksReaction::netError) say how far the contacts themselves are from solved.
 *
 *  A row is one scalar constraint of a joint; its multiplier lambda is the force (or torque) along it. An island is a group
 *  of bodies and joints whose multipliers depend on each other. A self-stress is a set of multipliers that balance each
 *  other and move nothing, as in a door on two hinges. Its size is not determined by mechanics.
 *
 *  Units are the host's; the docs speak of kg, m, s. Wrenches act *on* a body. NaN stands for an unknown number.
 *  One thread at a time uses an inspector: the thread that steps the world. A world may have several inspectors. Their
 *  brackets (a step, or the time between ksInspectorBeginStep and ksInspectorEndStep) nest: the last begun ends first.
 *  The mechanics without the engine is <kinetostat/system.h>.
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
 *  known reaction acts as an applied force. */
typedef enum ksContacts {
    /** As the engine reported them: normal forces, friction, rolling. Islands end at contacts, so that each mechanism is
     *  solved by itself. A joint's values are right given the forces of the ground. A contact's own force is the engine's in
     *  each of the three values. Its verdict is about the complementarity of its rows: ksReaction::error is the change of
     *  its wrench if each of its rows went to its solution, given all other forces */
    KS_CONTACTS_REPORTED,
    /** Contacts are among the unknowns of converged values. Their friction bounds are those of dWorldStep's first stage, or
     *  under dWorldQuickStep mu times the normal forces that it reported. Use this to check the contact forces of stacks
     *  under dWorldStep. Physical values take contacts as reported all the same. The self-stresses of converged values go
     *  through the contacts here: thresholds and sensors leave out the free directions of these, for either value */
    KS_CONTACTS_SOLVED
} ksContacts;

/** How ksInspectorExactStep finds contact forces. Inspection has ksContacts. */
typedef enum ksExactContacts {
    /** Together with the joints, exactly; of islands with up to ksInspectorOptions::exactContactRows rows of contacts */
    KS_EXACT_CONTACTS_SOLVED,
    /** By ksInspectorOptions::contactSweeps sweeps, and then the joints exactly, given these. Robots that stand are off by 10 to 40 %
     *  of the load of a foot from step to step, more than under dWorldQuickStep */
    KS_EXACT_CONTACTS_SWEPT
} ksExactContacts;

/** When a step is inspected. */
typedef enum ksLatency {
    /** In ksInspectorEndStep, which calls back */
    KS_SAME_STEP,
    /** Later, on another thread, while the host goes on. ksInspectorEndStep takes copies and returns. Results are the same, to the bit,
     *  whatever the timing. Callbacks are called on the host's thread, by the next call that begins a step or by ksInspectorFlush;
     *  where they find a joint gone, it had no further step: of contacts that the host has removed by then they hear nothing.
     *  Calls that ask for a step's results wait for it (ksStepReport::step, ksReaction::step); a call that begins a step does so only
     *  where there is somebody to call. Exact steps are inspected at once.
     *  After a fork() within an inspection the child's inspector answers nothing: KS_ERROR_UNAVAILABLE */
    KS_NEXT_STEP
} ksLatency;

/** Options. Call ksInspectorOptionsInit, then change members. The default of a member stands first.
 *
 *  Relative errors: all of them are by one measure. The size of a wrench on a body is (f^T f / m + t^T I^-1 t)^(1/2), of a
 *  joint's wrenches the root of the sum of squares over both bodies. An error is the size of the difference of two values,
 *  over the size of the larger one, or over loadFloor times the largest load around where that is larger still; so it is at
 *  most 2. Of ksReaction::error, physicalError and their bars the values are the joint's, in the part that is
 *  determined (orthogonal to freeDirection in this metric). Of ksReaction::netError they are the net reactions on one body,
 *  of ksNetWrench::error the wrenches asked for on body a. */
typedef struct ksInspectorOptions {
    size_t size;      /**< sizeof(ksInspectorOptions); set by ksInspectorOptionsInit */
    double tolerance; /**< 1e-2: error above it is KS_SOLVER_ERROR */
    double
        momentumTolerance; /**< 1e-9: a body's residual of momentum above it is KS_UNEXPLAINED; relative to the smallest
                                   load of the joints on the body, and never below rounding */
    double loadFloor;      /**< 1e-6: of the largest load of the island, or of the forces on a body in no island */
    double rigidCfm;       /**< 1e-9: compliance up to it is regularisation, above it a real spring */
    double
        rankTolerance; /**< 1e-4: singular values of the rows below it, relative to the largest, count as zero: joints
                                   never fit quite. With physical values rows that only drift has made independent count as
                                   dependent too: a loop whose joints are apart by more than a tenth of it, or of the
                                   square of the least singular value, in radii of gyration, is judged by the rank in the
                                   nearest pose in which they fit, unless that takes more work than a full matrix of 400
                                   rows */
    size_t
        islandRowBudget;   /**< islands with more rows are KS_UNCHECKED (KS_REASON_BUDGET). 0, the default: 5000, and no
                                   limit for trees and single loops */
    unsigned alertMask;    /**< bits 1u << verdict; default solver error and unexplained */
    unsigned values;       /**< KS_COMPUTE_... bits; default both */
    ksAllocator allocator; /**< all zero: the C library */
    size_t
        estimateSweeps; /**< 0: sweeps for ksReaction::netError; 0 makes no estimates. 40 sweeps cost about half a step
                                   of dWorldQuickStep with 20 iterations */
    /** 64: how often an island may be solved in one step, beyond twice its rows, to find the rows that lie at a bound. A dense
     *  factorisation of n of m rows counts as 1 + n^3 / (200 m) solutions. Where the search fails the island is KS_UNCHECKED
     *  (KS_REASON_FRICTION or _BOUND) */
    size_t searchRounds;
    ksContacts contacts; /**< KS_CONTACTS_REPORTED */
    /** 1: joints of each island, in turn from step to step, whose converged multipliers are found once more, one by one: with
     *  the row's relaxed coordinate w and an admissible motion t of the mechanism, as in ksSystemRelaxRow,
     *  lambda = (w + t)^T (M a - f) / (J (w + t)). Multipliers that are solved together do not see the errors of the motion
     *  that this sees. Where one differs from the published multiplier by more than the error bar and its own rounding, the
     *  island is KS_UNCHECKED (KS_REASON_RELAXED). Rows at bounds, and rows that are not determinate, have no such
     *  coordinate. 0: none; negative: KS_ERROR_BAD_ARGUMENT */
    int relaxedPerStep;
    /** Of ksInspectorExactStep, where contacts are swept. 40: accelerated sweeps over all rows, before the joints are solved exactly.
     *  Contacts are as good as these; at most 1000000, 0 leaves them as they were in the last step */
    size_t contactSweeps;
    /** 20: where contacts are solved, how often at most all rows are, each time with friction bounds from the normal forces
     *  of the last time. Ends where these bounds change by no more than a millionth of the load; at most 1000000 */
    size_t frictionRounds;
    ksLatency
        latency; /**< KS_SAME_STEP. With KS_NEXT_STEP the allocator is called on any thread, also at the same time */
    /** 0 or 1: islands are solved one after the other, on the thread that inspects. n: by up to n threads, of which that one is the
     *  first; the others are the inspector's own, or the executor's. Each result is the same for any number, to the bit. Threads are
     *  asked where there are enough islands: from about 250 joints in trees or 100 in loops on, if there are values. A large
     *  island is solved by one thread, and exact steps are made by one. The allocator is called on any of the threads, also at the same time. Negative or
     *  more than 64: KS_ERROR_BAD_ARGUMENT */
    int workers;
    /** NULL: threads of the inspector's own, which are started with the first step that needs them, look for the next one for some tens
     *  of microseconds and then sleep, and receive no signals. Else copied */
    const ksExecutor *executor;
    double meanWindow; /**< 0.15 s: the window of ksReaction::mean. Not finite, or not > 0: KS_ERROR_BAD_ARGUMENT */
    ksExactContacts exactContacts; /**< KS_EXACT_CONTACTS_SOLVED */
    /** 400: of ksInspectorExactStep, islands with more rows of contacts have these swept: ksStepReport::fallbackReasons */
    size_t exactContactRows;
} ksInspectorOptions;

/** Sets the defaults. NULL is fine. */
KS_API void ksInspectorOptionsInit(ksInspectorOptions *options);

/** Makes an inspector of a world. To prove that the engine's private layout is a known one, the call makes one body and
 *  one joint in the world for a moment, and a scratch world; all are gone on return.
 *  @param      world      a living world, not in a step
 *  @param[in]  options    NULL: the defaults; copied
 *  @param[out] inspector  owned by the caller, who calls ksInspectorDestroy
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_UNSUPPORTED_ENGINE (nothing else happens) */
KS_API KS_MUST_USE ksStatus ksInspectorCreate(dWorldID world, const ksInspectorOptions *options,
                                              ksInspector **inspector);

/** Frees the inspector. NULL is fine. Call it also after dWorldDestroy, or inside a bracket (the host gets its feedback
 *  pointers back); but not after dWorldDestroy inside a bracket, nor while a bracket that began within this one is open.
 *  From a callback, or from a moved callback of the engine while this inspector steps it, it takes effect when the step call
 *  returns. */
KS_API void ksInspectorDestroy(ksInspector *inspector);

/** dWorldStep, inspected. Trajectories are bitwise those of dWorldStep. This call, and every call on an inspector or a
 *  reaction, leaves the host's floating-point flags and traps as they are; callbacks run with them.
 *  Make steps that need no inspection by the engine's own call, at its own cost. The inspected step that follows lacks
 *  only the physical values that compare two successive steps (KS_REASON_NO_HISTORY).
 *  Numbers of steps, times and durations of thresholds count inspected steps.
 *  @param stepSize  s, > 0
 *  @return KS_OK. Not stepped: KS_ERROR_BAD_ARGUMENT, KS_ERROR_REENTRY, KS_ERROR_BRACKET, KS_ERROR_NOT_FINITE (a body on
 *          which the engine might abort: ksStepReport::culprit), KS_ERROR_ENGINE (the engine refused); with KS_NEXT_STEP also
 *          KS_ERROR_ENDED (a callback of the last step has destroyed the inspector) and KS_ERROR_UNAVAILABLE (see ksLatency).
 *          Stepped, but not fully inspected, as the step report says: KS_ERROR_NO_MEMORY; with KS_NEXT_STEP where copies
 *          could not be taken, and of the rest ksInspectorFlush and the step report tell */
KS_API ksStatus ksInspectorStep(ksInspector *inspector, dReal stepSize);

/** dWorldQuickStep, inspected; as ksInspectorStep. */
KS_API ksStatus ksInspectorQuickStep(ksInspector *inspector, dReal stepSize);

/** Makes a step as exact as dWorldStep's, in time proportional to the joints, and on the ground too. The multipliers are found first,
 *
 *      M (v* - v)/h = f + J^T lambda,     J v* + cfm lambda = c,     lo <= lambda <= hi,
 *
 *  then the engine moves the bodies with f + J^T lambda in place of its joints, with all else that it does to a body: sleeping,
 *  damping, speed caps, gyroscopic modes, moved callbacks. This call replaces the stepper; the other calls change nothing.
 *
 *  Joints, stops, motors and contacts are solved together. Friction is bounded by mu times the normal force of the same step, as under
 *  dWorldQuickStep: in rounds, each with the normal forces of the last one (ksInspectorOptions::frictionRounds), to a millionth of the
 *  load; to a thousandth, where rounds go in circles. Where that fails, where an island has more than
 *  ksInspectorOptions::exactContactRows rows of contacts, or with KS_EXACT_CONTACTS_SWEPT, accelerated sweeps find the contact forces, and
 *  the joints are exact, given these. ksStepReport::fallbackReasons tells why, ksStepReport::worstUnsolved how far the step is from solved,
 *  and joints on the way of such contacts have ksReaction::loadNoise.
 *
 *  An island over ksInspectorOptions::islandRowBudget, or one that cannot be solved, takes the forces of dWorldQuickStep in the same
 *  step: ksStepReport::fallbackRowCount, fallbackReasons, KS_REASON_FALLBACK. Host feedback and reactions are as after any step; the engine's
 *  value is the force applied. The step runs on the calling thread, whatever threads the world has.
 *  @param stepSize  s, > 0
 *  @return as ksInspectorStep; KS_ERROR_UNSUPPORTED_ENGINE: nothing happened; KS_ERROR_NOT_FINITE, also for a joint whose rows
 *          have a NaN or an infinity, as by its CFM: ksStepReport::culpritJoint */
KS_API ksStatus ksInspectorExactStep(ksInspector *inspector, dReal stepSize);

/** Opens a bracket, for hosts that must call the engine themselves. The rows are read here: step at once, with the same
 *  stepper and step size, and then call ksInspectorEndStep. In between the host's feedback pointers are replaced.
 *  @param stepSize  s, > 0
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_REENTRY, KS_ERROR_BRACKET (already open); with KS_NEXT_STEP also
 *          KS_ERROR_ENDED and KS_ERROR_UNAVAILABLE, as ksInspectorStep. KS_ERROR_NO_MEMORY and
 *          KS_ERROR_NOT_FINITE open the bracket all the same, and EndStep reports the step as uninspected; an engine that is
 *          built with assertions aborts when it steps a body that is not finite: end the bracket without a step then */
KS_API KS_MUST_USE ksStatus ksInspectorBeginStep(ksInspector *inspector, ksStepper stepper, dReal stepSize);

/** Reads what the engine did, judges it, and calls back; the latter two later with KS_NEXT_STEP.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_REENTRY, KS_ERROR_BRACKET (not begun; or another inspector's bracket,
 *          begun within this one, is still open: end that first, then this one), KS_ERROR_NO_MEMORY,
 *          KS_ERROR_NOT_FINITE; with KS_NEXT_STEP also KS_ERROR_UNAVAILABLE (see ksLatency), and no more than ksInspectorStep
 *          of KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksInspectorEndStep(ksInspector *inspector);

/** With KS_NEXT_STEP: waits for the last step and makes its callbacks, unless they have been made. Call it before the world is
 *  destroyed, lest they be lost, and before contacts are removed of which callbacks are to hear. In place there is nothing to do.
 *  @return of the last step, as ksInspectorEndStep: KS_OK, KS_ERROR_NO_MEMORY, KS_ERROR_NOT_FINITE. Also KS_ERROR_BAD_ARGUMENT,
 *          KS_ERROR_REENTRY, KS_ERROR_BRACKET, KS_ERROR_UNAVAILABLE (see ksLatency) */
KS_API ksStatus ksInspectorFlush(ksInspector *inspector);

/** Calls back with a joint's reaction after each step.
 *
 *  Rules of all subscriptions:
 *    order       all reactions of a step are complete before the first call. First come reactions, in the order of
 *                ksInspectorGetReactions, each to its subscribers in the order of subscription; then alerts; then touches; then the
 *                step
 *    callbacks   may change the world, destroy joints and bodies, subscribe (from the next step on), unsubscribe, destroy
 *                this inspector, and after that the world. Calls that step this inspector return KS_ERROR_REENTRY
 *    leaving     a callback, and a moved callback of the engine within ksInspectorStep and its like, may leave by an exception or by
 *                longjmp. The rest of the calls of this step is not made. An exception that leaves the engine's step gives the step up:
 *                nothing of it is published, joints have the host's feedback back, and where bodies are is the engine's matter. After
 *                longjmp the same comes to pass in the next call that steps or destroys the inspector, from the same thread, and not from
 *                deeper on the stack than where the host has jumped from; else that call returns KS_ERROR_REENTRY
 *    joints      a subscription is bound to a joint's address, type and bodies, since the engine reuses addresses; a new
 *                joint with all three the same is the same to it. A joint destroyed in a callback gets no further call in
 *                this step. A subscription to a joint that is gone ends, with one last call whose reaction holds KS_NOT_SOLVED
 *                and KS_REASON_JOINT_GONE
 *  @param joint  a joint of this world; NULL: every joint
 *  @param fn     called
 *  @param user   passed to fn; ksInspectorOff takes it
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

/** Calls back once when the inspector is destroyed, for those that keep a pointer to it; the call must not use the inspector.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksInspectorOnDestroy(ksInspector *inspector, ksDestroyFn *fn, void *user);

/** The engine's own step, seen from outside it. */
typedef struct ksEngineStep {
    int isDone; /**< 0: it is about to be made, and all that the inspector needs is read; 1: it was made, and is not judged yet */
    ksStepper stepper;
    unsigned long step;    /**< its number, as ksStepReport::step */
    double time, stepSize; /**< s */
    double reserved[4];
} ksEngineStep;

typedef void ksEngineStepFn(const ksEngineStep *step, void *user);

/** Calls back twice in each step, for those that record what the engine begins with and what it makes of it: right before the
 *  engine's step (in a bracket, at the end of ksInspectorBeginStep) and right after it (at the beginning of
 *  ksInspectorEndStep). A call before may have none after: the engine refused, or the inspector was destroyed. There is none
 *  for a step that could not be read (KS_ERROR_NO_MEMORY).
 *  At both calls each joint that the inspector has read holds the inspector's feedback, in place of the host's: what the
 *  engine writes there is complete at the second. The calls leave the world as it is; to destroy the inspector in them is to
 *  destroy it when the step has ended.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksInspectorOnEngineStep(ksInspector *inspector, ksEngineStepFn *fn, void *user);

/** Calls back when a joint's verdict enters or leaves options.alertMask (contact joints: each occurrence enters).
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksInspectorOnAlert(ksInspector *inspector, ksReactionFn *fn, void *user);

/** The subscription that this inspector made last, by whichever of the calls above, of ksInspectorOnThreshold,
 *  ksInspectorOnTouch and ksInspectorPair; it may have ended since. Ask right after a call that has succeeded. 0: none was made.
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

/** The joint's reaction in the last step; NULL where no step was inspected, or where the joint was not in the world when the
 *  step began. Owned by the inspector, valid until the next step. */
KS_API const ksReaction *ksInspectorGetReaction(const ksInspector *inspector, dJointID joint);

/** All reactions of the last step, in the order of the world's joint list; NULL if there are none. Owned by the inspector,
 *  valid until the next step.
 *  @param[out] count  their number; NULL is fine */
KS_API const ksReaction *ksInspectorGetReactions(const ksInspector *inspector, size_t *count);

/** The last step's report; NULL before the first step. Owned by the inspector, valid until the next step. */
KS_API const ksStepReport *ksInspectorGetStepReport(const ksInspector *inspector);

/** The bodies of the last step, in the order of the world's body list, the newest first. The address may be that of a body
 *  that is gone by now: compare, do not dereference.
 *  @return NULL: there are no more than `index`, or no step was inspected */
KS_API dBodyID ksInspectorGetBody(const ksInspector *inspector, size_t index);

/** The mass of a body of the last step, as it was at the start of that step; the body may be gone by now.
 *  @param[out] mass     kg; infinite for a kinematic body
 *  @param[out] inverse  [9] or NULL: of the inertia tensor, world axes, row-major, 1/(kg.m^2); 0 for a kinematic body
 *  @return 1; 0 and nothing written: no such body, or its mass is not known */
KS_API int ksInspectorGetMass(const ksInspector *inspector, dBodyID body, double *mass, double inverse[9]);

/** The size of the last step, s; 0 before the first one. */
KS_API double ksInspectorGetStepSize(const ksInspector *inspector);

/** The options that the inspector was made with. Owned by the inspector; NULL for NULL. */
KS_API const ksInspectorOptions *ksInspectorGetOptions(const ksInspector *inspector);

/** The world that is inspected; NULL for NULL. */
KS_API dWorldID ksInspectorGetWorld(const ksInspector *inspector);

/** Names a joint, in reports and traces. The name is bound to the joint's address, type and bodies, as a subscription is: a
 *  joint that is gone loses it, and so does one that is attached to other bodies.
 *  @param     joint  a joint of this world
 *  @param[in] name   copied, not empty; it should be UTF-8. NULL: the joint has no name any longer
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY (the joint keeps its old name) */
KS_API ksStatus ksInspectorSetName(ksInspector *inspector, dJointID joint, const char *name);

/** The name that a joint was given. Owned by the inspector, valid until a joint is named or a joint that has a name is gone.
 *  @param joint  may be gone: it is looked up, not dereferenced
 *  @return NULL: it has none, or is no joint of this world any longer */
KS_API const char *ksInspectorGetName(const ksInspector *inspector, dJointID joint);

/** How much a joint gives way under its load, beside the others of its mechanism. Rigid joints do not tell how they share a load
 *  (two hinges of a door, four legs of a table); elastic ones do, however stiff they all are. Of all multipliers that explain the
 *  motion likewise, ksReaction::shared has those of least elastic energy,
 *
 *      1/2 sum_l s_l lambda_l^2,      s_l = linear |J_l, linear part|^2, or angular |J_l|^2 of a row that holds an angle alone
 *
 *  (Menabrea 1858), so only ratios of compliances matter. Springs lie along the engine's rows, at the point that these hold: the
 *  anchor; of a fixed joint the mass centre of its second body, or of its only one. What is unique is not changed, and neither are the
 *  other values. How a mechanism was put together is not known: joints that were forced into place carry a load of their own beside
 *  that. Bodies count as rigid.
 *
 *  Bound to the joint as its name is. Holds from the next step on; not recorded.
 *  @param joint    a joint of this world; NULL: of all that have none of their own. At first 1 and 0
 *  @param linear   m/N, > 0; 0 with angular 0: the joint has none of its own any longer
 *  @param angular  rad/(N.m), > 0; 0: linear / r^2, r^2 = (I_xx + I_yy + I_zz) / (2 m) the squared radius of gyration of the lighter
 *                  one of its bodies
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY (nothing is changed) */
KS_API KS_MUST_USE ksStatus ksInspectorSetCompliance(ksInspector *inspector, dJointID joint, double linear,
                                                     double angular);

/** The converged multipliers of one joint alone, each from its own relaxed coordinate: for hosts that set
 *  options.values = 0 and ask for a few joints. The multipliers of other joints are computed only where rows with bounds make
 *  it necessary. Of the last step; the world may have changed since.  Source: Paulus 1910 (17), (18).
 *  The equations of a mechanism are set up when the first of its joints is asked for: ask for all of them before those of
 *  the next mechanism.
 *  These multipliers solve the step's equations as they are. Where the joint has free directions, ksRow::paulus holds the
 *  engine's self-stress instead, and differs by no more than the bars.
 *  @param      capacity  room in out
 *  @param[out] out       [capacity] one relaxation per row of the joint. Of a row at a bound the multiplier is that bound, and
 *                        the rest NaN
 *  @param[out] count     rows of the joint
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: unknown joint, too little room, inside a bracket), KS_ERROR_REDUNDANT (a row
 *          is not determinate, though a part of the wrench may be), KS_ERROR_NO_MEMORY, KS_ERROR_UNAVAILABLE (the island
 *          cannot be solved) */
KS_API KS_MUST_USE ksStatus ksInspectorRelaxJoint(ksInspector *inspector, dJointID joint, int capacity,
                                                  ksRelaxation *out, int *count);

/** Mobility: the velocity at one place per unit impulse at another, e^T B d, of the mechanism as it was at the start of the
 *  last step; where a loop's joints are apart, of the nearest pose in which they fit, if there is one: in the bodies' own it would
 *  be off by up to all of it. The rows that were inside their bounds hold; contacts that are known loads do not.
 *  Compliance is that of springs alone, cfm above rigidCfm, as cfm/h: as in ksInspectorSolveImpulse. 0 for bodies that are not
 *  connected, or do not move freely. Both places may be exchanged (reciprocal theorem).  Source: Lamb 1911.
 *  @param[in]  at        where the velocity is asked for
 *  @param[in]  from      where the impulse acts
 *  @param[out] mobility  unit of velocity over unit of impulse
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: inside a bracket, before the first step, a body unknown to it),
 *          KS_ERROR_NOT_FINITE, KS_ERROR_NO_MEMORY, KS_ERROR_UNAVAILABLE (the island cannot be solved) */
KS_API KS_MUST_USE ksStatus ksInspectorGetMobility(ksInspector *inspector, const ksBodyProbe *at,
                                                   const ksBodyProbe *from, double *mobility);

/** A reaction's wrench on body[`body`], in a frame, about a point. The reaction may be a copy, and its joint dead.
 *  @param      value     KS_MEAN: in KS_FRAME_WORLD or KS_FRAME_JOINT, about KS_POINT_ANCHOR, or KS_POINT_MASS_CENTRE where the joint has no
 *                        anchor. Axes and points move within the window, so the mean is not known in others
 *  @param      body  0 or 1: index into reaction->body. Where that body is NULL, the wrench is the one on the world: the
 *                    opposite of the wrench on the other body; about KS_POINT_ANCHOR only, since the world has no mass
 *                    centre; KS_FRAME_BODY means the world's axes
 *  @param[out] out   N, N.m
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_ANCHOR, KS_ERROR_UNAVAILABLE (the value is not known; or the
 *          world's, about its mass centre) */
KS_API KS_MUST_USE ksStatus ksReactionGetWrench(const ksReaction *reaction, ksValue value, int body, ksFrame frame,
                                                ksPoint point, ksWrench *out);

/** The enumerator's own name; for reasons the name of one bit, "KS_REASON_BOUND". Static storage; an unknown number
 *  gives "KS_VERDICT_UNKNOWN", "KS_REASON_UNKNOWN". */
KS_API const char *ksVerdictName(ksVerdict verdict);
KS_API const char *ksReasonName(ksReasons bit);

#ifdef __cplusplus
}
#endif

#include <kinetostat/loads.h>

#endif

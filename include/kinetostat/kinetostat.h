/** @file kinetostat.h  Checks the joint forces of an ODE world in every step.
 *
 *  The inspector reads the constraint rows of every joint and the states of the bodies around each
 *  step. It recomputes every multiplier by two methods, which are independent of the engine. It
 *  compares the results, and passes them to the host. In loops, and with bounds, each method has
 *  its own factorisation. Without bounds, both methods share a factorisation in trees and in loops
 *  that have drifted; there the error bars contain the residuals of the equations. The trajectory
 *  is bitwise the same with and without the inspector.
 *
 *  Three values of each force are distinguished by name everywhere:
 *    engine     the force that the engine reports (dJointFeedback). It includes the force of a
 *               motor whose axis is at a stop, which the engine applies but does not report. This
 *               value explains the simulated motion
 *    converged  the exact solution of the engine's own step equations A lambda = b, with ERP, CFM
 *               and bounds, from the state before the step. The difference of engine and converged
 *               is the solver's error
 *    physical   the reaction of the continuous mechanism in this configuration at these velocities,
 *               J a = -(dJ/dt) v, without stabilisation and without regularising compliance: the
 *               force in this joint. A part that mechanics leaves undetermined is left out
 *               (ksReaction::physical has the exceptions)
 *
 *  A fourth value, observed (KS_OBSERVED, ksRow::observed), is the multiplier that follows from the
 *  motion alone. It separates three errors. Engine less observed is the error of the report.
 *  Observed less converged is the error of the solver. Observed less physical is the error of the
 *  time step. The mean of the observed value over a window of steps (KS_MEAN, ksReaction::mean) is
 *  exactly the force that the motion required, however few iterations the solver made.
 *
 *  Physical values treat
 *    a motor inside its bounds as a prescribed velocity; a change of its target is an acceleration
 *    a motor at its bound (in the engine's report), or a motor that is catching up with its target,
 *               as a known force; a motor that cannot hold its target against its load, as a known
 *               force equal to its bound
 *    a kinematic body as accelerating where the host changes its velocity, unless the host also
 *               moves the body
 *    an impact on a contact or a stop as the mean force over the step; multiplied by the step size
 *               it is the impulse. A jump of velocity that the joints enforce is left out: when a
 *               joint is attached in flight, or after the host has set a velocity that the joints
 *               forbid. The engine and converged values contain it
 *
 *  Each value is the whole force of the joint. To the engine a motor that drives against its stop
 *  is an applied force; to this library it is a part of the joint, as the stop is.
 *  ksReaction::motor has the motor's force separately.
 *
 *  Contacts enter as known loads, with the forces that the engine reported: a joint's values are
 *  right given the forces of the ground on its mechanism (ksContacts, KS_REASON_REPORTED_LOADS).
 *  The verdicts of the contacts say how far the contact forces themselves are from the solution.
 *  ksReaction::netError says how far the net contact force on a body is from its mean.
 *
 *  A row is one scalar constraint of a joint; its multiplier lambda is the force or torque along
 *  this constraint. An island is a group of bodies and joints whose multipliers depend on each
 *  other. A self-stress is a set of multipliers that balance each other and move nothing, as in a
 *  door on two hinges. Mechanics does not determine its size.
 *
 *  Units are the host's; the documentation uses kg, m and s. Wrenches act *on* a body. NaN means
 *  unknown. Use an inspector from one thread at a time, the thread that steps the world. A world
 *  can have several inspectors. Their brackets (a step, or the time between ksInspectorBeginStep
 *  and ksInspectorEndStep) nest: the bracket that opened last closes first. <kinetostat/system.h>
 *  has the mechanics without the engine.
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
    KS_COMPUTE_CONVERGED = 1 << 0, /**< converged values by both methods, determinacy, verdicts of
                                        contacts */
    KS_COMPUTE_PHYSICAL = 1 << 1   /**< physical values; without KS_COMPUTE_CONVERGED the verdict is
                                        KS_UNCHECKED */
};

/** How contact forces enter the equations of the joints. Source of the first way: Paulus 1910,
 *  concluding remark: a known reaction acts as an applied force. */
typedef enum ksContacts {
    /** As the engine reported these forces: normal forces, friction, rolling friction. Islands end
     *  at contacts, so each mechanism is solved by itself. A joint's values are right given the
     *  contact forces. A contact's own force is the engine's in each of the three values. Its
     *  verdict judges the complementarity of its rows: ksReaction::error is the change of its
     *  wrench if each row is solved alone, with all other forces as reported */
    KS_CONTACTS_REPORTED,
    /** Contact forces are unknowns of the converged values. Friction is bounded as in dWorldStep's
     *  first stage, or, under dWorldQuickStep, by mu times the reported normal forces. Use this
     *  setting to check the contact forces of stacks under dWorldStep. Physical values still take
     *  contacts as reported. Self-stresses of converged values then pass through contacts.
     *  Thresholds and sensors omit the directions that these self-stresses leave free, from
     *  converged and from physical values */
    KS_CONTACTS_SOLVED
} ksContacts;

/** How ksInspectorExactStep finds contact forces. For inspection see ksContacts. */
typedef enum ksExactContacts {
    /** Exactly, together with the joints, in islands of up to ksInspectorOptions::exactContactRows
     *  contact rows */
    KS_EXACT_CONTACTS_SOLVED,
    /** By ksInspectorOptions::contactSweeps sweeps; the joints are then solved exactly, given these
     *  contact forces. The load of a standing robot's foot is off by 10 to 40 % from step to step,
     *  more than under dWorldQuickStep */
    KS_EXACT_CONTACTS_SWEPT
} ksExactContacts;

/** When a step is inspected. */
typedef enum ksLatency {
    /** In ksInspectorEndStep, which also makes the callbacks */
    KS_SAME_STEP,
    /** Later, on another thread, while the host continues. ksInspectorEndStep copies the step and
     *  returns. Results are the same to the bit, whatever the timing. Callbacks run on the host's
     *  thread, in the next call that begins a step or in ksInspectorFlush. There is no callback for
     *  contacts that the host has removed by then. Calls that return results of a step wait for its
     *  inspection (ksStepReport::step, ksReaction::step). A call that begins a step waits only if
     *  there are subscriptions. Exact steps are inspected at once. After a fork() during an
     *  inspection the child's inspector returns KS_ERROR_UNAVAILABLE */
    KS_NEXT_STEP
} ksLatency;

/** Options. Call ksInspectorOptionsInit, then change members. Each member's comment begins with its
 *  default.
 *
 *  All relative errors have one measure. The size of a wrench on a body is (f^T f / m + t^T I^-1
 *  t)^(1/2); the size of a joint's wrenches is the root of the sum of squares over both bodies. An
 *  error is the size of the difference of two values, divided by the size of the larger value. If
 *  loadFloor times the largest load nearby is larger still, it is the divisor. So an error is at
 *  most 2. A difference below twice the force by which the engine corrects rounded positions counts
 *  as below the tolerance; in single precision this force is 1e-6 times ERP, mass and distance from
 *  the origin, divided by h^2.
 *
 *  ksReaction::error, physicalError and their bars compare the determined part of the joint's
 *  wrenches (orthogonal to freeDirection in this metric). ksReaction::netError compares the net
 *  contact forces or net reactions on one body, and ksNetWrench::error the requested wrenches on
 *  body a.
 *
 *  libkinetostat-single has larger defaults where rounding, or the engine's own CFM, is larger:
 *  momentumTolerance 1e-5, loadFloor 1e-4, rigidCfm 1e-4. A recording of single precision is judged
 *  with at least these values. */
typedef struct ksInspectorOptions {
    size_t size;              /**< sizeof(ksInspectorOptions); set by ksInspectorOptionsInit */
    double tolerance;         /**< 1e-2: a larger error is KS_SOLVER_ERROR */
    double momentumTolerance; /**< 1e-9: a momentum residual of a body is KS_UNEXPLAINED if it is
                                   larger than this value times the smallest load of the joints on
                                   the body, plus rounding */
    double loadFloor;         /**< 1e-6: the smallest divisor of a relative error, as a fraction of
                                   the largest load in the island, or of the forces on a body in no
                                   island */
    double rigidCfm;          /**< 1e-9: smaller compliance counts as regularisation, larger
                                   compliance as a real spring */
    double rankTolerance;     /**< 1e-4: smaller singular values of the rows, relative to the
                                   largest, count as zero, since joints never fit exactly. With
                                   physical values, rows that are independent only because of drift
                                   also count as dependent. If the gaps of a loop are large, the
                                   nearest pose in which the joints fit decides the rank. Gaps, in
                                   radii of gyration, are large if they are above a tenth of
                                   rankTolerance or a tenth of the square of the least singular
                                   value. The nearest pose is not computed if it takes more work
                                   than a full matrix of 400 rows */
    size_t islandRowBudget;   /**< 0: islands with more rows are KS_UNCHECKED (KS_REASON_BUDGET). 0
                                   means 5000, and no limit for trees and single loops */
    unsigned alertMask;       /**< KS_SOLVER_ERROR and KS_UNEXPLAINED: bits 1u << verdict */
    unsigned values;          /**< both KS_COMPUTE_... bits */
    ksAllocator allocator;    /**< all zero: the C library's */
    size_t estimateSweeps;    /**< 0: sweeps for ksReaction::netError where contacts have no mean;
                                   with 0 there is no netError. 40 sweeps take about half the time
                                   of dWorldQuickStep with 20 iterations */
    /** 64: the search for the rows at a bound may solve the equations of an island this many times
     *  in a step, plus twice the number of its rows. A dense factorisation of n of m rows counts as
     *  1 + n^3 / (200 m) solutions. A solution with the same matrix as the solution before it
     *  counts as a quarter. If the search fails the island is KS_UNCHECKED (KS_REASON_FRICTION or
     *  KS_REASON_BOUND) */
    size_t searchRounds;
    ksContacts contacts; /**< KS_CONTACTS_REPORTED */
    /** 1: number of joints of each island with loops whose converged multipliers are recomputed one
     *  by one. The joints take turns from step to step. With the row's relaxed coordinate w and an
     *  admissible motion t of the mechanism, as in ksSystemRelaxRow, lambda = (w + t)^T (M a - f) /
     *  (J (w + t)). This reveals errors of the motion that do not show in multipliers that are
     *  solved together. If such a multiplier differs from the published multiplier by more than the
     *  error bar and its own rounding, the island is KS_UNCHECKED (KS_REASON_RELAXED). Rows at
     *  bounds and indeterminate rows have no such coordinate. In trees, the second method
     *  recomputes each multiplier from the motion in each step, and the error bars contain the
     *  difference. 0: none; negative: KS_ERROR_BAD_ARGUMENT */
    int relaxedPerStep;
    /** 40: in ksInspectorExactStep with swept contacts, the number of accelerated sweeps over all
     *  rows before the joints are solved exactly. Only these sweeps determine the accuracy of the
     *  contacts. At most 1000000; 0 keeps the contact forces of the last step */
    size_t contactSweeps;
    /** 20: where contacts are solved, the largest number of rounds, each with friction bounds from
     *  the normal forces of the round before. The rounds end when the residual of the equations is
     *  1e-8 of the load, or 1e-6 if it does not decrease further. At most 1000000 */
    size_t frictionRounds;
    ksLatency latency; /**< KS_SAME_STEP. With KS_NEXT_STEP the allocator is called from any thread,
                            also concurrently */
    /** 0: 0 or 1 solves islands one after the other, on the inspecting thread; n uses up to n
     *  threads, including the inspecting thread. The other threads belong to the inspector, or to
     *  the executor. Results are the same to the bit for any number. The threads are used only if
     *  converged or physical values are computed and there are enough islands, from about 250
     *  joints in trees or 100 in loops. No island and no exact step is divided among threads. The
     *  allocator is called from any of the threads, also concurrently. Negative or more than 64:
     *  KS_ERROR_BAD_ARGUMENT */
    int workers;
    /** NULL: the inspector's own threads. They start with the first step that needs them, wait
     *  actively for some tens of microseconds and then sleep, and block all signals. An executor is
     *  copied */
    const ksExecutor *executor;
    double meanWindow;             /**< 0.15 s: the window of ksReaction::mean. Not finite, or not >
                                        0: KS_ERROR_BAD_ARGUMENT */
    ksExactContacts exactContacts; /**< KS_EXACT_CONTACTS_SOLVED */
    /** 400: ksInspectorExactStep sweeps the contacts of islands with more contact rows:
     *  ksStepReport::fallbackReasons */
    size_t exactContactRows;
    /** 0: nothing. 1: pairs of ksInspectorPair also have a physical force: ksMean::physical. Pairs
     *  in islands with more than exactContactRows rows of contacts have none */
    int contactPhysical;
} ksInspectorOptions;

/** Sets the defaults. NULL is allowed. */
KS_API void ksInspectorOptionsInit(ksInspectorOptions *options);

/** Creates an inspector of a world. To verify that it knows the engine's private layout, the call
 *  temporarily creates one body and one joint in the world, and a scratch world.
 *  @param      world      an existing world, not in a step
 *  @param[in]  options    NULL: the defaults; copied
 *  @param[out] inspector  owned by the caller, who calls ksInspectorDestroy
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_UNSUPPORTED_ENGINE (nothing
 *          else happens) */
KS_API KS_MUST_USE ksStatus ksInspectorCreate(dWorldID world, const ksInspectorOptions *options,
                                              ksInspector **inspector);

/** Frees the inspector. NULL is allowed. The call is also valid after dWorldDestroy, or inside a
 *  bracket, where it restores the host's feedback pointers. It is invalid after a dWorldDestroy
 *  inside a bracket, and while an inner bracket of another inspector is open. From a callback of
 *  the inspector, or from the engine's callback for a moved body (dBodySetMovedCallback) in this
 *  inspector's step, it takes effect when the step call returns. */
KS_API void ksInspectorDestroy(ksInspector *inspector);

/** Steps the world by dWorldStep and inspects the step. The trajectory is bitwise the same as by
 *  dWorldStep. This call, and every call on an inspector or a reaction, preserves the host's
 *  floating-point flags and traps; callbacks run with the host's flags and traps. Call the engine's
 *  own function for steps that need no inspection. The next inspected step then lacks only the
 *  physical values that need the step before (KS_REASON_NO_HISTORY).
 *  Step numbers, times and threshold durations count only inspected steps.
 *  @param stepSize  s, > 0
 *  @return KS_OK. Not stepped: KS_ERROR_BAD_ARGUMENT, KS_ERROR_REENTRY, KS_ERROR_BRACKET,
 *          KS_ERROR_NOT_FINITE (a body on which the engine may abort: ksStepReport::culprit),
 *          KS_ERROR_ENGINE (the engine refused); with KS_NEXT_STEP also KS_ERROR_ENDED (a callback
 *          of the last step has destroyed the inspector) and KS_ERROR_UNAVAILABLE (see ksLatency).
 *          Stepped, but not fully inspected, as the step report says: KS_ERROR_NO_MEMORY. With
 *          KS_NEXT_STEP this is returned only if the step could not be copied; ksInspectorFlush and
 *          the step report return later errors */
KS_API ksStatus ksInspectorStep(ksInspector *inspector, dReal stepSize);

/** Steps the world by dWorldQuickStep and inspects the step; as ksInspectorStep. */
KS_API ksStatus ksInspectorQuickStep(ksInspector *inspector, dReal stepSize);

/** Makes a step that is as exact as dWorldStep's, also with contacts on the ground, in a time
 *  proportional to the number of joints. It first solves
 *
 *      M (v* - v)/h = f + J^T lambda,     J v* + cfm lambda = c,     lo <= lambda <= hi;
 *
 *  the engine then moves the bodies under the forces f + J^T lambda, and does not solve its joints.
 *  Everything else that the engine does to a body is unchanged: sleep, damping, speed caps,
 *  gyroscopic modes, moved callbacks. This call replaces the stepper; no other call changes the
 *  motion.
 *
 *  Joints, stops, motors and contacts are solved together. Friction is bounded by mu times the
 *  normal force of the same step, as under dWorldQuickStep. Friction is found in rounds, each with
 *  the normal forces of the round before (ksInspectorOptions::frictionRounds). The rounds end with
 *  a residual of 1e-8 of the load, or of 1e-6 if it does not decrease further, or of 3e-4 after
 *  eight rounds. Accelerated sweeps find the contact forces if the rounds fail, if an island has
 *  more than ksInspectorOptions::exactContactRows contact rows, or if the host has chosen
 *  KS_EXACT_CONTACTS_SWEPT. The joints are then exact given these contact forces.
 *  ksStepReport::fallbackReasons says why contacts were swept, unless the host has chosen sweeps.
 *  ksStepReport::worstUnsolved says by how much the step misses its equations. The joints that
 *  carry loads of swept contacts have ksReaction::loadNoise.
 *
 *  An island above ksInspectorOptions::islandRowBudget, or an island that cannot be solved, gets
 *  the forces of dWorldQuickStep in the same step: ksStepReport::fallbackRowCount, fallbackReasons,
 *  KS_REASON_FALLBACK. Feedback and reactions are as after any step; the engine value is the
 *  applied force. The step runs on the calling thread, whatever threads the world has.
 *  @param stepSize  s, > 0
 *  @return as ksInspectorStep; KS_ERROR_UNSUPPORTED_ENGINE: nothing happened; KS_ERROR_NOT_FINITE
 *          also for a joint whose rows contain a NaN or an infinity, for instance as CFM:
 *          ksStepReport::culpritJoint */
KS_API ksStatus ksInspectorExactStep(ksInspector *inspector, dReal stepSize);

/** Opens a bracket, for hosts that call the engine themselves. This call reads the rows: step
 *  immediately, with the same stepper and step size, then call ksInspectorEndStep. Inside the
 *  bracket the host's feedback pointers are replaced.
 *  @param stepSize  s, > 0
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_REENTRY, KS_ERROR_BRACKET (already open); with
 *          KS_NEXT_STEP also KS_ERROR_ENDED and KS_ERROR_UNAVAILABLE, as ksInspectorStep.
 *          KS_ERROR_NO_MEMORY and KS_ERROR_NOT_FINITE also open the bracket, and ksInspectorEndStep
 *          reports the step as uninspected. After KS_ERROR_NOT_FINITE close the bracket without a
 *          step: an engine built with assertions would abort */
KS_API KS_MUST_USE ksStatus ksInspectorBeginStep(ksInspector *inspector, ksStepper stepper, dReal stepSize);

/** Closes the bracket: reads the result of the engine's step, judges it, and makes the callbacks.
 *  With KS_NEXT_STEP the judgement and the callbacks happen later.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_REENTRY, KS_ERROR_BRACKET (not open; or another
 *          inspector's bracket, opened inside this one, is still open: close that first),
 *          KS_ERROR_NO_MEMORY, KS_ERROR_NOT_FINITE; with KS_NEXT_STEP also KS_ERROR_UNAVAILABLE
 *          (see ksLatency), and KS_ERROR_NO_MEMORY as in ksInspectorStep */
KS_API KS_MUST_USE ksStatus ksInspectorEndStep(ksInspector *inspector);

/** With KS_NEXT_STEP, waits for the inspection of the last step, and makes its callbacks unless
 *  they have been made. Call this function before you destroy the world, and before you remove
 *  contacts whose callbacks you need. With KS_SAME_STEP it does nothing.
 *  @return the last step's status, as ksInspectorEndStep: KS_OK, KS_ERROR_NO_MEMORY,
 *          KS_ERROR_NOT_FINITE. Also KS_ERROR_BAD_ARGUMENT, KS_ERROR_REENTRY, KS_ERROR_BRACKET,
 *          KS_ERROR_UNAVAILABLE (see ksLatency) */
KS_API ksStatus ksInspectorFlush(ksInspector *inspector);

/** Calls fn with a joint's reaction after each step.
 *
 *  Rules for all subscriptions:
 *    order       all reactions of a step are complete before the first callback. Reactions come
 *                first, in the order of ksInspectorGetReactions, each to its subscribers in the
 *                order of subscription; then alerts, then touches, then the step report
 *    callbacks   may change the world, destroy joints and bodies, subscribe (from the next step
 *                on), unsubscribe, destroy this inspector, and then the world. Calls that step this
 *                inspector return KS_ERROR_REENTRY
 *    leaving     a callback may leave by an exception or by longjmp, and so may the engine's
 *                callback for a moved body inside a step of this inspector. The remaining callbacks
 *                of the step are skipped. An exception that leaves the engine's step abandons the
 *                step: nothing of it is published, the host's feedback is restored, and the engine
 *                decides where the bodies are. After a longjmp this happens in the next call that
 *                steps or destroys the inspector. That call must come from the same thread, and
 *                from no deeper in the stack than the place that jumped; else it returns
 *                KS_ERROR_REENTRY
 *    joints      a subscription is bound to a joint's address, type and bodies, because the engine
 *                reuses addresses. A new joint with the same three inherits the subscription. A
 *                joint destroyed in a callback gets no further callback in this step. A
 *                subscription to a joint that is gone ends with one last callback, whose reaction
 *                has KS_NOT_SOLVED and KS_REASON_JOINT_GONE
 *  @param joint  a joint of this world; NULL: every joint
 *  @param fn     the callback
 *  @param user   passed to fn; identifies the subscription for ksInspectorOff
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksInspectorOnReaction(ksInspector *inspector, dJointID joint, ksReactionFn *fn, void *user);

/** Calls fn with each contact joint between bodies a and b, in either order, once per joint and
 *  step. The subscription ends without a callback when either body is gone.
 *  @param a  a body of this world
 *  @param b  another body; NULL: any, including the world
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksInspectorOnContact(ksInspector *inspector, dBodyID a, dBodyID b, ksReactionFn *fn,
                                                 void *user);

/** Calls fn once after each step, with its report. @return KS_OK, KS_ERROR_BAD_ARGUMENT,
 *  KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksInspectorOnStep(ksInspector *inspector, ksStepFn *fn, void *user);

/** Calls fn once when the inspector is destroyed, for owners of a pointer to it. The callback must
 *  not use the inspector.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksInspectorOnDestroy(ksInspector *inspector, ksDestroyFn *fn, void *user);

/** The engine's own step. */
typedef struct ksEngineStep {
    int isDone; /**< 0: the engine is about to step, and the inspector has read the input of the
                     step; 1: the engine has stepped, and the step is not judged yet */
    ksStepper stepper;
    unsigned long step;    /**< number of the step, as ksStepReport::step */
    double time, stepSize; /**< s */
    double reserved[4];
} ksEngineStep;

typedef void ksEngineStepFn(const ksEngineStep *step, void *user);

/** Calls fn twice in each step, to record the engine's input and output: right before the engine's
 *  step (in a bracket, at the end of ksInspectorBeginStep) and right after it (at the beginning of
 *  ksInspectorEndStep). The second callback is missing if the engine refused the step or the
 *  inspector was destroyed. Both are missing for a step that could not be read
 *  (KS_ERROR_NO_MEMORY).
 *  During both callbacks each joint that was read has the inspector's feedback instead of the
 *  host's. At the second callback this feedback contains the engine's complete report. The
 *  callbacks must not change the world; if they destroy the inspector, this takes effect at the end
 *  of the step.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksInspectorOnEngineStep(ksInspector *inspector, ksEngineStepFn *fn, void *user);

/** Calls fn when a joint's verdict enters or leaves options.alertMask. A contact joint is new in
 *  each step, so its verdict can only enter.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksInspectorOnAlert(ksInspector *inspector, ksReactionFn *fn, void *user);

/** The inspector's newest subscription, by any of the calls above or of loads.h; it may have ended
 *  since. Call this right after a subscription succeeds. 0: there has been none.
 *
 *      if (ksInspectorOnReaction(inspector, joint, fn, user) == KS_OK)
 *          mine = ksInspectorGetLastSubscription(inspector); */
KS_API ksSubscription ksInspectorGetLastSubscription(const ksInspector *inspector);

/** Ends one subscription. Other subscriptions stay, even if they have the same user pointer. This
 *  function can be called from callbacks, including the subscription's own: there is no further
 *  callback, not even in this step.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (0, or not of this inspector), KS_ERROR_ENDED (it has
 *          already ended: by this call, by ksInspectorOff, or with its joint or body) */
KS_API KS_MUST_USE ksStatus ksInspectorUnsubscribe(ksInspector *inspector, ksSubscription subscription);

/** Ends all subscriptions of every kind with this user pointer, thresholds included; NULL: all
 *  subscriptions without one.
 *  @return KS_OK, also if there was none; KS_ERROR_BAD_ARGUMENT */
KS_API KS_MUST_USE ksStatus ksInspectorOff(ksInspector *inspector, void *user);

/** The joint's reaction in the last step; NULL if no step was inspected, or if the joint was not in
 *  the world at the start of the step. Owned by the inspector, valid until the next step. */
KS_API const ksReaction *ksInspectorGetReaction(const ksInspector *inspector, dJointID joint);

/** All reactions of the last step, in the order of the world's joint list; NULL if there are none.
 *  Owned by the inspector, valid until the next step.
 *  @param[out] count  their number; NULL is allowed */
KS_API const ksReaction *ksInspectorGetReactions(const ksInspector *inspector, size_t *count);

/** The last step's report; NULL before the first step. Owned by the inspector, valid until the next
 *  step. */
KS_API const ksStepReport *ksInspectorGetStepReport(const ksInspector *inspector);

/** The bodies of the last step, in the order of the world's body list, newest first. The body may
 *  be gone by now: compare the address, do not dereference it.
 *  @return NULL: `index` is too large, or no step was inspected */
KS_API dBodyID ksInspectorGetBody(const ksInspector *inspector, size_t index);

/** The mass of a body of the last step, at the start of that step; the body may be gone by now.
 *  @param[out] mass     kg; infinite for a kinematic body
 *  @param[out] inverse  [9] or NULL: the inverse of the inertia tensor, world axes, row-major,
 *                       1/(kg.m^2); 0 for a kinematic body
 *  @return 1; 0 with nothing written: no such body, or unknown mass */
KS_API int ksInspectorGetMass(const ksInspector *inspector, dBodyID body, double *mass, double inverse[9]);

/** The size of the last step, s; 0 before the first step. */
KS_API double ksInspectorGetStepSize(const ksInspector *inspector);

/** The inspector's options. Owned by the inspector; NULL for NULL. */
KS_API const ksInspectorOptions *ksInspectorGetOptions(const ksInspector *inspector);

/** The inspected world; NULL for NULL. */
KS_API dWorldID ksInspectorGetWorld(const ksInspector *inspector);

/** Names a joint in reports and traces. Like a subscription, the name is bound to the joint's
 *  address, type and bodies: it is lost when the joint is destroyed or attached to other bodies.
 *  @param     joint  a joint of this world
 *  @param[in] name   copied, not empty; should be UTF-8. NULL: removes the name
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY (the joint keeps its old name) */
KS_API ksStatus ksInspectorSetName(ksInspector *inspector, dJointID joint, const char *name);

/** The name of a joint. Owned by the inspector, valid until a joint is named or a named joint is
 *  destroyed.
 *  @param joint  may be gone: it is looked up, not dereferenced
 *  @return NULL: it has no name, or is no longer a joint of this world */
KS_API const char *ksInspectorGetName(const ksInspector *inspector, dJointID joint);

/** Sets the compliance of a joint, relative to the other joints of its mechanism. Rigid mechanics
 *  does not determine how joints share a load (two hinges of a door, four legs of a table).
 *  Elasticity determines it, however stiff the joints are. Of all multipliers that explain the
 *  motion, ksReaction::shared has the multipliers of least elastic energy,
 *
 *      1/2 sum_l s_l lambda_l^2
 *
 *  (Menabrea 1858). If row l fixes a point, s_l is `linear` times the square of the linear part of
 *  J_l. If row l holds an angle alone, s_l is `angular` times the square of J_l. So only ratios of
 *  compliances matter. The springs lie along the engine's rows, at the point that the rows
 *  constrain. This is the anchor; for a fixed joint, the mass centre of its second body, or of its
 *  only body. The determined part and all other values are unchanged. Assembly stresses are
 *  unknown: a joint that was forced into place carries an additional load. Bodies are rigid.
 *
 *  The compliance is bound to the joint in the same way as the name of ksInspectorSetName. It takes
 *  effect with the next step and is not recorded.
 *  @param joint    a joint of this world; NULL: the default for joints without a compliance of
 *                  their own, initially 1 and 0
 *  @param linear   m/N, > 0; 0 with angular 0: removes the joint's own compliance
 *  @param angular  rad/(N.m), > 0; 0: linear / r^2, where r^2 = (I_xx + I_yy + I_zz) / (2 m) is the
 *                  squared radius of gyration of the lighter body
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY (nothing is changed) */
KS_API KS_MUST_USE ksStatus ksInspectorSetCompliance(ksInspector *inspector, dJointID joint, double linear,
                                                     double angular);

/** Computes the converged multipliers of one joint alone, each from its own relaxed coordinate, for
 *  hosts that set options.values = 0 and need only a few joints. Multipliers of other joints are
 *  computed only where rows with bounds require it. The result belongs to the last step; the world
 *  may have changed since.  Source: Paulus 1910 (17), (18). The first call for a joint of a
 *  mechanism sets up the mechanism's equations: ask for all joints of one mechanism before you go
 *  on to the next.
 *  These multipliers solve the step's equations without any choice of self-stress. ksRow::paulus
 *  contains the engine's self-stress where the joint has free directions. In the unique rows, the
 *  only rows that this call returns, ksRow::paulus differs from these multipliers by no more than
 *  the bars.
 *  @param      capacity  size of out
 *  @param[out] out       [capacity] one relaxation for each row of the joint. For a row at a bound
 *                        the multiplier is that bound, and the other members are NaN
 *  @param[out] count     rows of the joint
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: unknown joint, out too small, inside a bracket),
 *          KS_ERROR_REDUNDANT (a row is not determinate, though part of the wrench may be),
 *          KS_ERROR_NO_MEMORY, KS_ERROR_UNAVAILABLE (the island cannot be solved) */
KS_API KS_MUST_USE ksStatus ksInspectorRelaxJoint(ksInspector *inspector, dJointID joint, int capacity,
                                                  ksRelaxation *out, int *count);

/** Computes a mobility: the velocity at one place per unit impulse at another, e^T B d, of the
 *  mechanism at the start of the last step. If the joints of a loop have gaps, the mobility is
 *  computed in the nearest pose in which they fit, if there is such a pose: in the bodies' own pose
 *  it can be off by 100 %. Rows inside their bounds act as constraints; contacts that are known
 *  loads do not. Only springs, the rows with cfm above rigidCfm, are compliant; their compliance is
 *  cfm/h, as in ksInspectorSolveImpulse. The result is 0 for bodies that are not connected or do
 *  not move freely. The two places can be exchanged (reciprocal theorem). Source: Lamb 1911.
 *  @param[in]  at        the place of the velocity
 *  @param[in]  from      the place of the impulse
 *  @param[out] mobility  unit of velocity divided by unit of impulse
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: inside a bracket, before the first step, a body
 *          unknown to it), KS_ERROR_NOT_FINITE, KS_ERROR_NO_MEMORY, KS_ERROR_UNAVAILABLE (the
 *          island cannot be solved) */
KS_API KS_MUST_USE ksStatus ksInspectorGetMobility(ksInspector *inspector, const ksBodyProbe *at,
                                                   const ksBodyProbe *from, double *mobility);

/** Computes a reaction's wrench on body[`body`] in a given frame, about a given point. The reaction
 *  can be a copy, and its joint can be gone.
 *  @param      value  KS_MEAN: only in KS_FRAME_WORLD or KS_FRAME_JOINT, about KS_POINT_ANCHOR, or
 *                     KS_POINT_MASS_CENTRE for a joint without an anchor: other axes and points
 *                     move within the window
 *  @param      body   0 or 1: index into reaction->body. If that body is NULL, the wrench acts on
 *                     the world: the opposite of the wrench on the other body, about
 *                     KS_POINT_ANCHOR only, since the world has no mass centre; KS_FRAME_BODY means
 *                     the world's axes
 *  @param[out] out   N, N.m
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_ANCHOR, KS_ERROR_UNAVAILABLE (the value is
 *          unknown; or the wrench on the world about its mass centre) */
KS_API KS_MUST_USE ksStatus ksReactionGetWrench(const ksReaction *reaction, ksValue value, int body, ksFrame frame,
                                                ksPoint point, ksWrench *out);

/** The name of the enumerator, or of one reason bit, such as "KS_REASON_BOUND". Static storage. For
 *  an unknown number the name is "KS_VERDICT_UNKNOWN" or "KS_REASON_UNKNOWN". */
KS_API const char *ksVerdictName(ksVerdict verdict);
KS_API const char *ksReasonName(ksReasons bit);

#ifdef __cplusplus
}
#endif

#include <kinetostat/loads.h>

#endif

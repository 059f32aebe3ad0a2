/** @file loads.h  Uses of joint forces: thresholds, touches, six-axis sensors, net contact
 *        wrenches, means over windows, friction use.
 *
 *  Included by <kinetostat/kinetostat.h>.
 *
 *      static void snap(const ksThresholdEvent *event, void *user)
 *      {
 *          if (event->phase == KS_THRESHOLD_ENTERED)
 *              dJointDestroy(event->reaction->joint);
 *      }
 *
 *      ksThreshold limits;
 *      ksThresholdInit(&limits);
 *      limits.forceMagnitude = 500;
 *      limits.duration = 0.01;
 *      status = ksInspectorOnThreshold(inspector, joint, &limits, snap, NULL);
 */
#ifndef KINETOSTAT_LOADS_H
#define KINETOSTAT_LOADS_H

#include <kinetostat/reaction.h>
#include <kinetostat/recompute.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The quantity to which a limit applies. Components also count by magnitude: |f_x|. */
typedef enum ksLimit {
    KS_LIMIT_FORCE_X,
    KS_LIMIT_FORCE_Y,
    KS_LIMIT_FORCE_Z,
    KS_LIMIT_TORQUE_X,
    KS_LIMIT_TORQUE_Y,
    KS_LIMIT_TORQUE_Z,
    KS_LIMIT_FORCE,  /**< the magnitude of the whole force */
    KS_LIMIT_TORQUE, /**< the magnitude of the whole torque */
    KS_LIMIT_COUNT
} ksLimit;

/** Bits of ksThreshold::flags. */
enum {
    /** Also use the values of KS_UNCHECKED and KS_UNEXPLAINED joints. Then only parts that are
     *  known to be undetermined are omitted. For KS_MEAN, also use forces that momentum does not
     *  determine, such as the force on one of two feet; their ksThresholdEvent::errorBar is NaN */
    KS_THRESHOLD_UNCHECKED = 1 << 0,
    /** The joint breaks when an event is entered. Of all joints with this flag, the one whose load
     *  is the largest multiple of its limit breaks first in a step. The other joints then carry the
     *  loads of ksInspectorRecomputeAfter, and the next joint is chosen by these loads, until no
     *  joint exceeds its limit. So one broken joint does not break a whole chain in the same step.
     *  The window or duration of a joint whose load changes by more than a tenth, or is unknown,
     *  begins anew with this step: its earlier loads do not count. At most 32 joints break in a
     *  step; further joints wait for the next step. The callbacks run in the order in which the
     *  joints break, after all reactions and before alerts. A callback should destroy the joint;
     *  other joints that the callback destroys break with it. The wrench of the event is the
     *  joint's load when its turn came. This flag requires KS_SHARED, or KS_MEAN with a window or a
     *  duration */
    KS_THRESHOLD_BREAKS = 1 << 1
};

/** Limits on the load of a joint. Call ksThresholdInit, then change members. Each member's comment
 *  begins with its default. */
typedef struct ksThreshold {
    size_t size;                /**< sizeof(ksThreshold); set by ksThresholdInit */
    double force[3], torque[3]; /**< INFINITY: no limit. Limits of the components in `frame`; N,
                                     N.m; > 0 */
    double forceMagnitude;      /**< INFINITY; N; > 0 */
    double torqueMagnitude;     /**< INFINITY; N.m; > 0 */
    ksValue value;              /**< KS_SHARED: the load of an impact is its mean over the step. In
                                     a taut row of joints between two fixed points (a bridge) the
                                     bar may exceed the limit in most steps, which then do not count
                                     (ksThresholdEvent::errorBar): use KS_MEAN. KS_PHYSICAL,
                                     KS_ENGINE, KS_CONVERGED: only the unique part of the value,
                                     which does not depend on how joints share a load. KS_MEAN: the
                                     mean observed force over `window`, `duration`, or else
                                     ksInspectorOptions::meanWindow. An iterative solver does not
                                     impair it, and its bar is rounding */
    int body;                   /**< 0: 0 or 1, index into reaction->body of the body that the
                                     wrench acts on */
    ksFrame frame;              /**< KS_FRAME_JOINT */
    ksPoint point;              /**< KS_POINT_ANCHOR: the mass centre if the joint has no anchor */
    double duration;            /**< 0 s; else the load is the mean over the last `duration` seconds
                                     in which it was known, and a limit is entered only after that
                                     long. With a `window`: how long the mean over the window must
                                     exceed a limit before the event */
    double hysteresis;          /**< 0: the event ends when the load is below (1 - hysteresis)
                                     limit; in [0, 1) */
    unsigned flags;             /**< 0: KS_THRESHOLD_... bits */
    /** 0 s: the load of each step by itself; the load of a blow then grows in proportion to 1/h.
     *  Else the load is the mean wrench over the last `window` seconds in which it was known,
     *  including a part of the oldest step. A component counts only if it is known in all of these
     *  steps. Until the window is full, its empty part counts as no load; an event ends when the
     *  mean over the steps so far is below the limit. Limit times window is an impulse, N.s: a blow
     *  shorter than the window then gives the same load at any step size. A step longer than the
     *  window is its own mean. Each step of a window takes some memory */
    double window;
    double reserved[7];
} ksThreshold;

/** The reason for a threshold's callback. */
typedef enum ksThresholdPhase {
    KS_THRESHOLD_ENTERED, /**< the load exceeds the limit, in a step or in the mean over the
                               duration */
    KS_THRESHOLD_LEFT,    /**< the load has since fallen below (1 - hysteresis) limit */
    KS_THRESHOLD_ENDED    /**< the joint is gone, and the subscription with it, whether or not the
                               load exceeded the limit */
} ksThresholdPhase;

/** A load that has entered or left a limit. */
typedef struct ksThresholdEvent {
    ksThresholdPhase phase;
    ksLimit limit;           /**< KS_LIMIT_COUNT for KS_THRESHOLD_ENDED, whose numbers are all
                                  NaN */
    double load, limitValue; /**< the present load, and the limit; N or N.m */
    /** The error bar of `load`; N or N.m; NaN if unknown.
     *    KS_CONVERGED  the bars of the joint's rows (ksRow::errorBar), summed over the rows:
     *                  rounding, the difference of both methods, and the change of the determined
     *                  part by the engine's self-stress
     *    KS_ENGINE     the same, and the distance of the wrench from the converged one: the
     *                  solver's error
     *    KS_MEAN       ksRow::observedBar likewise; for several joints as in ksInspectorSumWrenches
     *    KS_PHYSICAL   ksRow::physicalBar likewise; also for the unique part of KS_SHARED
     *    KS_SHARED     for the part that is not unique, ksRow::sharedBar likewise
     *  With a physical, shared or mean value, a step whose bar is unknown neither counts nor ends
     *  an event. A step whose bar exceeds the limit counts or ends an event only if the load
     *  exceeds the limit by more than the bar. The bar does not contain errors of masses, forces or
     *  geometry, velocities that violate the rows, or the error of contact forces, which are the
     *  engine's. The load of a blow is its mean over the step: it grows in proportion to 1/h */
    double errorBar;
    double lasted;              /**< s, how long the load has exceeded the limit, including the
                                     duration of the mean. After KS_THRESHOLD_ENTERED: how long the
                                     load has not fallen below (1 - hysteresis) limit */
    ksWrench wrench;            /**< on `body`, in the requested frame, about `point`; N, N.m */
    unsigned determined;        /**< bits 1u << KS_LIMIT_...: the unique components of `wrench`;
                                     under KS_SHARED the other components are the shares of elastic
                                     joints (ksInspectorSetCompliance) */
    ksPoint point;              /**< the reference point that was used */
    const ksReaction *reaction; /**< valid during the call; can be copied. NULL if the first term
                                     consists of contacts */
    const dJointID *contact;    /**< [contactCount] contacts whose reported forces entered the
                                     joint's mechanism as loads; valid during the call. They may be
                                     gone: compare, do not dereference */
    size_t contactCount;
    double peak; /**< N or N.m, the largest load within `lasted` */
    double reserved[1];
} ksThresholdEvent;

typedef void ksThresholdFn(const ksThresholdEvent *event, void *user);

/** Sets the defaults: no limits. NULL is allowed. */
KS_API void ksThresholdInit(ksThreshold *limits);

/** Calls fn when the load of a joint enters or leaves a limit. Each limit has its own clock;
 *  several limits can call in one step, in the order of ksLimit. The clock counts the steps in
 *  which the load was known. A step whose value is unknown or unchecked, or whose component is not
 *  determined, neither counts nor ends an event. A joint without rows has zero load. For KS_MEAN a
 *  step counts if the motion determines the joint's force, even if the report is wrong. Sleep, a
 *  disabled joint and a body that the host moves (as for ksReaction::mean) end the window, and a
 *  new one begins.
 *
 *  Where joints share a load in an undetermined way (a door on two hinges: ksReaction::freeCount),
 *  the default value counts the share of elastic joints, ksReaction::shared. With any other value a
 *  component counts only if it is unique. If a force (or torque) is unique in part, its magnitude
 *  is the magnitude of the unique part, which is the least possible magnitude. If no part is
 *  unique, the threshold never calls.
 *
 *  The rules of ksInspectorOnReaction hold, including the order of callbacks and the final callback
 *  (KS_THRESHOLD_ENDED). The callback may destroy the joint. Contact joints exist for one step: sum
 *  them with ksInspectorSumWrenches instead.
 *  @param      joint   a joint of this world
 *  @param[in]  limits  copied
 *  @param      fn      the callback
 *  @param      user    passed to fn; identifies the subscription for ksInspectorOff
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_NO_ANCHOR (body 1 is the
 *          world, and this type of joint has no anchor as reference point) */
KS_API KS_MUST_USE ksStatus ksInspectorOnThreshold(ksInspector *inspector, dJointID joint, const ksThreshold *limits,
                                                   ksThresholdFn *fn, void *user);

/** The reason for a touch's callback. Two bodies touch in a step in which a contact between them
 *  has a normal force above zero. */
typedef enum ksTouchPhase {
    KS_TOUCH_BEGAN, /**< they touch, and did not touch in the step before */
    KS_TOUCH_LASTS, /**< they touch, as in the step before, with an impulse above leastImpulse */
    KS_TOUCH_ENDED  /**< they no longer touch. Two bodies that fall asleep do not part; there is no
                         callback while they sleep */
} ksTouchPhase;

/** One step of a touch. The means are over the contacts with a normal force, weighted by this
 *  force. For KS_TOUCH_ENDED there is no such contact: impulse and contactCount are 0, and the
 *  means are NaN. */
typedef struct ksTouch {
    ksTouchPhase phase;
    dBodyID body[2]; /**< in the order of the subscription; body[1] can be NULL (the world) */
    unsigned long step;
    double time;      /**< s, of this inspector, at the start of the step */
    double lasted;    /**< s, since the start of the step in which the touch began, including
                           sleep */
    double impulse;   /**< N.s, over the step: the sum of all normal forces times the step size. The
                           impulse is the engine's report, for any ksInspectorOptions::contacts. For
                           its error see the verdicts of the contacts, ksReaction::netError and
                           ksInspectorRecompute */
    double closing;   /**< m/s, mean closing speed along the normal before the step; < 0: they
                           separated */
    double sliding;   /**< m/s, mean sliding speed at the contact points before the step */
    double point[3];  /**< m, world: mean contact point at the start of the step. A frictionless
                           contact is represented by the point of its line of action nearest to the
                           mass centre of a body, as in ksFrame */
    double normal[3]; /**< mean direction in which body[0] is pushed; world. Shorter than 1 if the
                           directions differ: impulse times normal is the sum of all impulses along
                           normals */
    size_t contactCount;
    double reserved[4];
} ksTouch;

typedef void ksTouchFn(const ksTouch *touch, void *user);

/** Calls fn when two bodies begin to touch, when a lasting touch gets another blow, and when they
 *  part: for sounds, sparks and scores.
 *
 *      static void sound(const ksTouch *touch, void *user)
 *      {
 *          if (touch->phase != KS_TOUCH_ENDED && touch->closing > 0.1)
 *              playThud(user, touch->point, touch->impulse);
 *      }
 *
 *      status = ksInspectorOnTouch(inspector, box, NULL, 5 * weight * stepSize, sound, sounds);
 *
 *  If a pair already touches in the subscription's first step, its touch begins in that step. If a
 *  pair touches in every other step, a touch begins or ends in each step. The impulse of a lasting
 *  touch includes the resting weight: choose leastImpulse several times larger, or fn is called in
 *  each step. After a fall from rest through a height s the impulse is m (2 g s)^(1/2), times 1 + e
 *  with restitution e.
 *
 *  The rules of ksInspectorOnReaction hold. All touches are known before the first of these
 *  callbacks. They come after alerts, in the order of the subscriptions. Within a subscription,
 *  pairs that touch come before pairs that have parted. The contacts may be gone by then. There is
 *  no callback for a body that is gone; the subscription ends silently with a or b.
 *  @param a             a body of this world
 *  @param b             another body; NULL: any, including the world
 *  @param leastImpulse  N.s, >= 0: a larger impulse of a lasting touch calls fn with
 *                       KS_TOUCH_LASTS. 0: in every step; INFINITY: never
 *  @param fn            the callback
 *  @param user          passed to fn; identifies the subscription for ksInspectorOff
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksInspectorOnTouch(ksInspector *inspector, dBodyID a, dBodyID b, double leastImpulse,
                                               ksTouchFn *fn, void *user);

/** A six-axis force and torque sensor in a joint. Call ksSensorInit, then change members. Each
 *  member's comment begins with its default. Owns nothing. */
typedef struct ksSensor {
    size_t size;          /**< sizeof(ksSensor); set by ksSensorInit */
    ksValue value;        /**< KS_PHYSICAL; see ksThreshold. KS_SHARED replaces NaN by the share of
                               elastic joints */
    int body;             /**< 0: 0 or 1, index into reaction->body of the body that the wrench acts
                               on */
    ksFrame frame;        /**< KS_FRAME_BODY: a sensor that is fixed in the body */
    ksPoint point;        /**< KS_POINT_ANCHOR: the mass centre if the joint has no anchor */
    int atPosition;       /**< 0; 1: about `position` instead of `point` */
    double position[3];   /**< m, in the axes of the body, from its mass centre (the world: world
                               coordinates) */
    int undetermined;     /**< 0: components that are not unique read NaN; 1: they read the solver's
                               arbitrary value */
    double toolMass;      /**< 0 kg: mass of the tool whose weight is subtracted from the reading */
    double toolCentre[3]; /**< 0 m: its mass centre, in the axes of the body, from the body's mass
                               centre */
    dVector3 gravity;     /**< NaN: the gravity that acts on the body in the inspected step (zero if
                               dBodySetGravityMode has turned it off). Else the host's value, m/s^2,
                               world axes */
    ksWrench bias;        /**< 0: subtracted from each reading; in `frame`. See ksSensorTare */
    double reserved[7];
} ksSensor;

/** Sets the defaults. NULL is allowed. */
KS_API void ksSensorInit(ksSensor *sensor);

/** Reads the sensor: the joint's wrench on the body, less the part that carries the tool's weight,
 *  less the bias. The tool is the body on which the wrench acts, or a part of this body. At rest
 *  the joint carries -toolMass gravity at the tool's mass centre; this is subtracted, but the
 *  tool's inertia force is not. The reaction can be a copy, and its joint can be gone. Does not
 *  allocate. Check the verdict yourself.
 *  @param[out] out  N, N.m
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: a tool on the world), KS_ERROR_UNAVAILABLE (the
 *          value is unknown, or the wrench acts on the world, which has no such reference point) */
KS_API KS_MUST_USE ksStatus ksSensorRead(const ksSensor *sensor, const ksReaction *reaction, ksWrench *out);

/** Zeroes the sensor: the present reading becomes the bias.
 *  @return as ksSensorRead; on failure the sensor is unchanged */
KS_API KS_MUST_USE ksStatus ksSensorTare(ksSensor *sensor, const ksReaction *reaction);

/** A term of a sum: the wrench of one joint on one of its bodies, or the net wrench of all contacts
 *  on a body. Initialise it with {0}. */
typedef struct ksWrenchTerm {
    dJointID joint; /**< a joint of any type; NULL: all contact joints between `body` and `other` */
    dBodyID body;   /**< the body on which the wrench acts, one of the joint's bodies. NULL: the
                         world, for a joint to the world */
    dBodyID other;  /**< for contacts the other body; NULL: any, including the world. Ignored if
                         there is a joint */
    void *reserved[3];
} ksWrenchTerm;

/** ksInspectorOnThreshold for the sum of several joints' wrenches: both ball joints of a plank's
 *  edge, the four legs of a table. The frame and the point of the limits are the ones of the first
 *  term's joint, on the first term's body (limits->body is ignored). In axes other than the
 *  world's, a component counts if the whole sum is unique, or if the shares of elastic joints
 *  complete it. A joint that is gone leaves the sum, and the subscription ends with the joint of
 *  the first term. ksThresholdEvent::reaction is the reaction of the first term.
 *
 *  Terms of contacts require KS_MEAN: a contact exists for one step only, but the net force of
 *  contacts lasts. If the first term consists of contacts, the limits require KS_FRAME_WORLD or
 *  KS_FRAME_BODY, and KS_POINT_MASS_CENTRE. These callbacks run after the reactions. Momentum does
 *  not determine the force of one foot if other feet share the load: add KS_THRESHOLD_UNCHECKED.
 *  If the first term consists of contacts, KS_THRESHOLD_ENDED comes when one of its two bodies is
 *  gone.
 *  @param[in]  term   [count] copied; as in ksInspectorMean
 *  @return as ksInspectorOnThreshold. Also KS_ERROR_BAD_ARGUMENT: count is 0; a body that is not
 *          the joint's; a duplicate term; contacts with a value other than KS_MEAN, or with another
 *          frame or point than above; KS_THRESHOLD_BREAKS, which is for single joints */
KS_API KS_MUST_USE ksStatus ksInspectorOnSumThreshold(ksInspector *inspector, const ksWrenchTerm *term, size_t count,
                                                      const ksThreshold *limits, ksThresholdFn *fn, void *user);

/** A sum of wrenches; world axes, about one point. */
typedef struct ksWrenchSum {
    ksWrench wrench;           /**< N, N.m. The undetermined part is as in ksReaction: the engine's
                                    for KS_CONVERGED */
    ksWrench bar;              /**< error bar by component; N, N.m. KS_ENGINE: NaN. Components that
                                    are not unique have the bar of ksRow::sharedBar for KS_SHARED,
                                    and NaN for KS_OBSERVED. The error of reported contact forces is
                                    not included */
    unsigned unique;           /**< bits 1u << KS_LIMIT_FORCE_X to KS_LIMIT_TORQUE_Z: the components
                                    that mechanics determines. For KS_ENGINE this does not mean that
                                    the engine's value is right */
    int freeCount;             /**< undetermined directions; -1: unknown, because reported contact
                                    forces are in the sum, or a mechanism is unchecked */
    ksWrench freeDirection[6]; /**< [freeCount] a basis, each of unit force (or torque). A component
                                    g . (force, torque) is unique iff g . freeDirection[k] = 0 for
                                    all k */
    double reserved[8];
} ksWrenchSum;

/** Sums the wrenches of chosen joints and contacts of the last step on chosen bodies. Examples: the
 *  two hinges of a door, the four legs of a trunk, all contacts of a box. Use this call for every
 *  net wrench.
 *
 *  Such a sum is often unique even if its terms are not. Its unique part follows from the
 *  self-stresses n of the mechanism: c^T lambda is unique iff c . n = 0 for each self-stress
 *  (ksSystemGetCombination). KS_PHYSICAL and KS_SHARED use the self-stresses of the physical
 *  equations; the other values use the self-stresses of the engine's step. If the solver's memory
 *  has been reused for other equations, the call sets up the mechanism's equations again.
 *
 *  KS_OBSERVED is the force that the motion required. If the terms are all connections between some
 *  bodies and all other bodies, contacts included, momentum determines the sum, even if contact
 *  forces are as reported. The bar is the part of the motion of these bodies that the reports do
 *  not explain.
 *
 *  Joints and contacts without a force are allowed. Joints and contacts of a sleeping body have no
 *  value. The sum over no contacts is zero. With KS_CONTACTS_REPORTED a sum of contacts is the
 *  engine's, for each value; ksInspectorRecompute solves for the sum. With KS_CONTACTS_SOLVED only
 *  the physical value of such a sum is the engine's.
 *  @param[in]  term   [count] each side of a joint at most once, contacts included. Without terms
 *                     the sum is zero
 *  @param[in]  about  m, reference point (world) of the torque; NULL: the mass centre of the first
 *                     term's body at the start of the step; for the world, or without terms, the
 *                     origin
 *  @param[out] out    unchanged on error
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: inside a bracket; a joint or a body unknown to the
 *          last step; a body that is not the joint's; a duplicate side), KS_ERROR_UNAVAILABLE (no
 *          step was inspected, or a joint has no such value), KS_ERROR_NOT_FINITE (`about`, or the
 *          equations of the mechanism), KS_ERROR_NO_MEMORY, KS_ERROR_SINGULAR (the self-stresses
 *          were not found) */
KS_API KS_MUST_USE ksStatus ksInspectorSumWrenches(ksInspector *inspector, const ksWrenchTerm *term, size_t count,
                                                   ksValue value, const double about[3], ksWrenchSum *out);

/** The mean force that the motion required over a window of ksInspectorPair or ksInspectorMean.
 *  Like ksReaction::mean it is exact by momentum, whether the engine has solved its equations or
 *  not. */
typedef struct ksMean {
    /** N, N.m; NaN if `time` is 0. In the requested axes of each step, about the requested point of
     *  each step */
    ksWrench wrench;
    /** The error bar of `wrench`, by component: rounding, and the part of the motion that the
     *  reports do not explain. NaN if mechanics does not determine how the force is shared with
     *  other joints or contacts; then the mean is the engine's */
    ksWrench bar;
    double time; /**< s, total length of the steps in the window. At first it is less than the
                      window's length; 0: the window has no steps */
    /** Share of `time` with a normal force above zero; NaN without contacts among the terms */
    double contactShare;
    size_t stepCount; /**< number of the steps in the window; only a part of the oldest step may lie
                           in it */
    /** The noise of single steps: the standard deviation of their wrenches about their linear trend
     *  in the window, by component. Almost all steps are within 2.5 standard deviations; N, N.m;
     *  NaN with fewer than three steps */
    ksWrench deviation;
    /** The mean direction in which contacts push the body, weighted by their normal forces; of unit
     *  length. The normal force is wrench.force . normal. `normal`, `friction`, `frictionUse`,
     *  `centre` and their bars are NaN if the sum contains a joint, or if no contact pressed in the
     *  window */
    double normal[3];
    /** The friction coefficient that the motion required: the component of the mean force across
     *  `normal`, divided by the component along it; and its error bar. NaN if the normal force does
     *  not exceed its bar or, where that bar is unknown, is not above zero */
    double friction, frictionBar;
    /** The component across `normal`, divided by the largest possible friction, which is the sum of
     *  mu times the normal force of all contacts; and its error bar. 1: the contacts slide. It can
     *  exceed 1: the engine bounds each friction direction by itself. NaN where `friction` is NaN,
     *  and if mu is 0 or differs by direction */
    double frictionUse, frictionUseBar;
    /** The centre of pressure, m, relative to the point of `wrench`, in its axes (ksInspectorPair:
     *  world axes, from the mass centre of `a`); and its error bar by component. It lies in the
     *  plane through the mean contact point, across `normal`. About this point the mean force has
     *  no torque in the plane. NaN where `friction` is NaN. The bar does not contain the effect of
     *  contact points outside the plane */
    double centre[3], centreBar[3];
    /** For ksInspectorPair with ksInspectorOptions::contactPhysical: the physical force of the pair
     *  in the last step. Joints and contacts are rigid, and contacts stick or slide as in the
     *  simulation; springs and motors have their reported forces. A blow gives the mean force over
     *  the step. N, N.m; in world axes, on `a`, about its mass centre. NaN if there is none (see
     *  physicalReasons), or if it was not requested */
    ksWrench physical;
    /** The error bar of `physical`, by component. It is the sum of three terms. The first is twice
     *  the largest difference from the engine's mean, in the last four windows of 0.15 s and in the
     *  present window so far. The second is 2.5 standard deviations of `physical` about its linear
     *  trend. The third is physicalOpen. NaN if unknown, as in the first window of a touch, or in a
     *  blow. INFINITY if nothing bounds it, as between jaws that can press arbitrarily hard */
    ksWrench physicalBar;
    /** By component, the largest distance between `physical` and another force that would produce
     *  the same motion. Two supports, two fingers, or feet whose motors hold can share a load in
     *  several ways. 0 if the force is unique. NaN for a torque that is not unique; then its bar is
     *  also NaN */
    ksWrench physicalOpen;
    /** The verdict on the force, not on the torque. KS_VALID: the force is unique, and its bar is
     *  within the tolerance. KS_INDETERMINATE: physicalOpen exceeds the tolerance. KS_SOLVER_ERROR:
     *  the engine's force differs by more than the bar and the tolerance. KS_UNCHECKED: see
     *  physicalReasons. KS_NOT_SOLVED: asleep, or neither body moves */
    ksVerdict physicalVerdict;
    ksReasons physicalReasons;
    double reserved[5];
} ksMean;

/** Starts to measure the mean net force between two bodies through their contacts over a window: a
 *  foot and the ground, two fingers, a tyre and the road. Contacts come and go; the pair stays. A
 *  step without contact counts as zero force. Joints between the two bodies are excluded.
 *
 *      ksSubscription sole;
 *      ksMean mean;
 *      status = ksInspectorPair(inspector, foot, NULL, 0.15, &sole);
 *      ...
 *      if (ksInspectorGetMean(inspector, sole, &mean) == KS_OK && mean.time > 0)
 *          printf("%.1f N, %.0f %% of the time\n", mean.wrench.force[2], 100 * mean.contactShare);
 *
 *  ksMean::wrench acts on `a`, in world axes, about the mass centre of `a` at the start of each
 *  step. For other axes, or for all contacts of a body, use ksInspectorMean.
 *
 *  Momentum determines the force of a pair if nothing else connects the two bodies: no joint, and
 *  no chain of contacts with other bodies. For two feet of one robot on the ground, or for a box on
 *  two other boxes, momentum determines only the sum. Then the bar is NaN, and ksInspectorMean has
 *  the sum.
 *
 *  The pair is a subscription: ksInspectorUnsubscribe ends it, and it ends when a or b is gone.
 *  ksInspectorOff leaves it. A recording does not contain it: write a report or a trace in the run
 *  itself.
 *  @param      a       a body of this world
 *  @param      b       another body; NULL: the world, as in contacts with geoms without a body
 *  @param      window  s, finite and > 0. A part of the oldest step counts, so that the steps take
 *                      exactly this time. A step longer than the window is its own mean. Each step
 *                      of a window takes some memory
 *  @param[out] pair    set on KS_OK alone
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksInspectorPair(ksInspector *inspector, dBodyID a, dBodyID b, double window,
                                            ksSubscription *pair);

/** A pair of ksInspectorPair. */
typedef struct ksPair {
    ksSubscription subscription; /**< for ksInspectorGetMean */
    dBodyID a;                   /**< as in ksInspectorPair. It may be gone: compare, do not
                                      dereference */
    dBodyID b;                   /**< likewise; NULL: the world */
    double window;               /**< s */
    double reserved[4];
} ksPair;

/** Lists the pairs of ksInspectorPair that have not ended, one per call, in the order of their
 *  subscriptions.
 *
 *      ksPair pair = {0};
 *      while (ksInspectorGetNextPair(inspector, pair.subscription, &pair))
 *          ...
 *
 *  Traces and reports have these pairs.
 *  @param      after  0: the first pair; else the first pair that was made later than this
 *                     subscription
 *  @param[out] pair   set if there is one
 *  @return 1; 0: there is none, or a pointer is NULL */
KS_API int ksInspectorGetNextPair(const ksInspector *inspector, ksSubscription after, ksPair *pair);

/** ksInspectorOnThreshold for the force of a pair on its body `a`, about the mass centre of `a`.
 *
 *    KS_MEAN      over limits->window; if limits->window and limits->duration are 0, over the
 *                 window of the pair
 *    KS_PHYSICAL  ksMean::physical of each step; requires ksInspectorOptions::contactPhysical. The
 *                 error bar is ksMean::physicalBar: it includes the range of a force that is not
 *                 unique, so that such a force counts if this range is below the limit.
 *                 ksThresholdEvent::determined has the components that are unique
 *
 *  A force without an error bar counts only with KS_THRESHOLD_UNCHECKED. Examples are the mean
 *  force on one of several feet, and the physical force in a blow or in the first 0.15 s of a
 *  touch. These callbacks run after the reactions; ksThresholdEvent::reaction is NULL. The
 *  subscription ends, with one last callback, when a body of the pair is gone or the pair is
 *  unsubscribed.
 *  @param      pair    of ksInspectorPair
 *  @param[in]  limits  copied; KS_FRAME_WORLD or KS_FRAME_BODY, KS_POINT_MASS_CENTRE; `body` is
 *                      ignored
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: another value, frame or point; KS_THRESHOLD_BREAKS;
 *          not a pair), KS_ERROR_ENDED (the pair has ended), KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksInspectorOnPairThreshold(ksInspector *inspector, ksSubscription pair,
                                                       const ksThreshold *limits, ksThresholdFn *fn, void *user);

/** Starts to measure the mean of a sum of wrenches over its own window: one joint, the legs of a
 *  table, all contacts of a foot. (ksReaction::mean is over ksInspectorOptions::meanWindow.)
 *
 *  A term with a joint that is gone, or with the contacts of a body that is gone, is left out of
 *  the sum from then on. The subscription ends with the joint or body of the first term. A new
 *  window begins, with ksMean::time 0, if a body sleeps, if a joint is disabled, if the host moves
 *  a body, or if a term is left out.
 *  @param[in]  term    [count] copied; as in ksInspectorSumWrenches: without a joint all contacts
 *                      between `body` and `other`
 *  @param      window  s, finite and > 0; as in ksInspectorPair
 *  @param      frame   axes of the first term's joint or body in each step. Contacts permit
 *                      KS_FRAME_WORLD and KS_FRAME_BODY
 *  @param      point   reference point in each step: KS_POINT_MASS_CENTRE of the first term's body,
 *                      or KS_POINT_ANCHOR, which is the mass centre for a joint without an anchor
 *  @param[out] mean    set on KS_OK alone
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: count is 0; a body that is not the joint's; a
 *          duplicate term), KS_ERROR_NO_MEMORY, KS_ERROR_NO_ANCHOR (a wrench on the world requires
 *          KS_POINT_ANCHOR, and a joint with an anchor) */
KS_API KS_MUST_USE ksStatus ksInspectorMean(ksInspector *inspector, const ksWrenchTerm *term, size_t count,
                                            double window, ksFrame frame, ksPoint point, ksSubscription *mean);

/** Gets the mean over the window that ends with the last step. Does not allocate.
 *  @param      mean  of ksInspectorPair or ksInspectorMean
 *  @param[out] out   set on KS_OK alone. ksMean::time is 0 while a body sleeps, before the first
 *                    step, and after a bracket without a step
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: inside a bracket; a subscription of another kind),
 *          KS_ERROR_ENDED (it has ended: by ksInspectorUnsubscribe, or with its body or joint),
 *          KS_ERROR_UNAVAILABLE (no step was inspected) */
KS_API KS_MUST_USE ksStatus ksInspectorGetMean(const ksInspector *inspector, ksSubscription mean, ksMean *out);

/** Computes the friction utilisation of a contact, |f| / (mu N): (sum of (f_i / bound_i)^2 over its
 *  friction rows)^(1/2). With the same coefficient in both directions, 1 is the surface of
 *  Coulomb's cone. The engine bounds each direction separately, so values up to sqrt(2) occur. 0
 *  for a frictionless contact; INFINITY for a force at a bound of zero.
 *  @param      reaction  of a contact joint, not a copy: its rows are read
 *  @param[out] byBound   relative to the active bounds (ksRow::bound); NaN if one is unknown; NULL
 *                        is allowed
 *  @param[out] byNormal  relative to the coefficient times the normal force of the same value;
 *                        bounds that do not depend on the normal force (without dContactApprox1)
 *                        are used as they are; NULL is allowed
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: not a contact), KS_ERROR_UNAVAILABLE (the
 *          multipliers are not known) */
KS_API KS_MUST_USE ksStatus ksReactionGetFrictionUse(const ksReaction *reaction, ksValue value, double *byBound,
                                                     double *byNormal);

#ifdef __cplusplus
}
#endif
#endif

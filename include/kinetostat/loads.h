/** @file loads.h  Uses of joint forces: thresholds, touches, six-axis sensors, net contact wrenches, means over windows, friction use.
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

#ifdef __cplusplus
extern "C" {
#endif

/** The quantity that a limit is for. Components are magnitudes too: |f_x|. */
typedef enum ksLimit {
    KS_LIMIT_FORCE_X,
    KS_LIMIT_FORCE_Y,
    KS_LIMIT_FORCE_Z,
    KS_LIMIT_TORQUE_X,
    KS_LIMIT_TORQUE_Y,
    KS_LIMIT_TORQUE_Z,
    KS_LIMIT_FORCE,  /**< the magnitude of the whole force */
    KS_LIMIT_TORQUE, /**< of the whole torque */
    KS_LIMIT_COUNT
} ksLimit;

/** Bits of ksThreshold::flags. */
enum {
    KS_THRESHOLD_UNCHECKED =
        1 << 0, /**< take values of joints that are KS_UNCHECKED or KS_UNEXPLAINED, too, where there
                                         are any; the undetermined part is then left out only as far as it is known */
    /** The joint breaks where an event is entered. Of all joints with this flag, the one whose load is the largest multiple of its
     *  limit is the first to break in a step; the others then carry what ksInspectorRecomputeAfter would tell, and the next one is
     *  found among these, until none is beyond its limit. So not all joints of a chain break in the step in which one of them does.
     *  At most 32 in a step: the others wait for the next one. The callback is called in this order, after all calls for joints and
     *  before alerts, and should destroy the joint; others that it destroys go with that one. The wrench is the one that the joint
     *  had when its turn came.
     *  With KS_SHARED, or with KS_MEAN and a window or a duration */
    KS_THRESHOLD_BREAKS = 1 << 1
};

/** Limits of the load in a joint. Set by ksThresholdInit, then changed; the default of a member stands first. */
typedef struct ksThreshold {
    size_t size;                /**< sizeof(ksThreshold); set by ksThresholdInit */
    double force[3], torque[3]; /**< of the components in `frame`; N, N.m; > 0, INFINITY (default): none */
    double forceMagnitude;      /**< N; as above */
    double torqueMagnitude;     /**< N.m; as above */
    ksValue value; /**< KS_SHARED: in an impact the mean over the step. KS_PHYSICAL: of that what is unique, however
                                     joints share a load; KS_ENGINE, KS_CONVERGED likewise. KS_MEAN: what the motion took (observed), on
                                     average over `window`, `duration`, or else ksInspectorOptions::meanWindow. It is as good under
                                     an iterative solver, and its bar is of rounding */
    int body;      /**< 0: the wrench on reaction->body[0], or on body[1] */
    ksFrame frame; /**< KS_FRAME_JOINT */
    ksPoint point; /**< KS_POINT_ANCHOR: of a joint without an anchor the mass centre */
    double
        duration; /**< 0 s; else the load is the mean over the last `duration` seconds in which it was seen, and a limit is
                                     entered once there are so many. With a `window` of its own: how long the mean over that must
                                     be above a limit before the event */
    double hysteresis; /**< 0: the event ends when the load is below (1 - hysteresis) limit; in [0, 1) */
    unsigned flags;    /**< 0: KS_THRESHOLD_... bits */
    /** 0 s: the load is that of each step, and a blow's grows as 1/h. Else the load is the mean wrench over the last `window` seconds in
     *  which it was seen, a part of the oldest step included, all of a component's being known, and nothing before the first; limit
     *  times window is an impulse, N.s. A blow that is shorter gives the same load then, whatever the step size. A step that is
     *  longer is its own mean. Each step of a window takes some memory and time */
    double window;
    double reserved[7];
} ksThreshold;

/** Why a threshold calls. */
typedef enum ksThresholdPhase {
    KS_THRESHOLD_ENTERED, /**< the load is above the limit, of each step or in the mean over the duration */
    KS_THRESHOLD_LEFT,    /**< the load has fallen below (1 - hysteresis) limit since */
    KS_THRESHOLD_ENDED    /**< the joint is gone and so is the subscription, whether or not an event was on */
} ksThresholdPhase;

/** One limit entered or left. */
typedef struct ksThresholdEvent {
    ksThresholdPhase phase;
    ksLimit limit;           /**< which; KS_LIMIT_COUNT if the phase is KS_THRESHOLD_ENDED, and all numbers are NaN */
    double load, limitValue; /**< the load now, and the limit; N or N.m */
    /** How far `load` may be from the exact value; N or N.m; NaN if nobody knows.
     *    KS_CONVERGED  the bars of the joint's rows (ksRow::errorBar), added up through the rows: rounding, the
     *                  distance between the two routes, and what taking over the engine's self-stress has moved of what is
     *                  determined
     *    KS_ENGINE     that, and the distance of the wrench from the converged one: the solver's error
     *    KS_MEAN       ksRow::observedBar likewise; of several joints as in ksInspectorSumWrenches
     *    KS_PHYSICAL   ksRow::physicalBar likewise; of KS_SHARED, too, in what is unique
     *    KS_SHARED     of what is not: ksRow::sharedBar likewise. A physical, shared or mean value whose bar is above the limit, or not known, says nothing about
     *                  it: such a step neither counts nor ends anything
     *  Not in it: masses, forces or a geometry that are wrong, velocities that violate the rows, and the error of contact
     *  forces, which are the engine's. A blow is shared out over the step: its load grows as 1/h */
    double errorBar;
    double
        lasted; /**< s, for which the load was seen above (in an event: not below) the limit; with it the duration that it is the
                            mean of */
    ksWrench wrench; /**< on `body`, in the frame and about the point that were asked for; N, N.m */
    unsigned
        determined; /**< bits 1u << KS_LIMIT_...: what of `wrench` is unique; under KS_SHARED the rest is as elastic
                                     joints share it (ksInspectorSetCompliance) */
    ksPoint point;  /**< the one that was taken */
    const ksReaction *reaction; /**< valid during the call; may be copied */
    const dJointID *contact; /**< [contactCount] contacts whose reported forces entered the joint's mechanism as loads;
                                     valid during the call. They may be gone: compare, do not dereference */
    size_t contactCount;
    double peak; /**< N or N.m, the largest load of the steps in `lasted` */
    double reserved[1];
} ksThresholdEvent;

typedef void ksThresholdFn(const ksThresholdEvent *event, void *user);

/** Sets the defaults: no limits. NULL is fine. */
KS_API void ksThresholdInit(ksThreshold *limits);

/** Calls back when the load in a joint enters or leaves a limit. Each limit is watched by itself, with its own clock;
 *  several may call in one step, in the order of ksLimit. The clock counts the steps in which the load was seen. A step whose
 *  value is not known or not checked, or whose component is not determined, neither counts nor ends an event. A joint without rows carries
 *  nothing: its load is 0. Of KS_MEAN a step is seen where the motion tells the joint's force, also if its report is false; sleep, a
 *  disabled joint and a body put elsewhere end its window, and a new one begins.
 *
 *  Where joints share a load without telling how (a door on two hinges: ksReaction::freeCount), it is what elastic joints would
 *  carry of it that counts: ksReaction::shared. Under another value a component is taken if it is unique. Of a force (a torque)
 *  that is unique in a part, the magnitude is then that of the unique part: the least possible one, however the rest is shared;
 *  where no part is unique the threshold never calls.
 *
 *  The rules of ksInspectorOnReaction hold, the order of calls and the last one (KS_THRESHOLD_ENDED) included. The callback
 *  may destroy the joint. Contact joints live for one step: sum them with ksInspectorSumWrenches instead.
 *  @param      joint   a joint of this world
 *  @param[in]  limits  copied
 *  @param      fn      called
 *  @param      user    passed to fn; ksInspectorOff takes it
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_NO_ANCHOR (body 1 is the world, and this type of joint
 *          has no anchor about which to take the wrench) */
KS_API KS_MUST_USE ksStatus ksInspectorOnThreshold(ksInspector *inspector, dJointID joint, const ksThreshold *limits,
                                                   ksThresholdFn *fn, void *user);

/** Why a touch calls. Two bodies touch in a step in which contacts of theirs press: a normal force above zero. */
typedef enum ksTouchPhase {
    KS_TOUCH_BEGAN, /**< they touch, and did not in the step before */
    KS_TOUCH_LASTS, /**< they touch, as in the step before, with an impulse above the one that was asked for */
    KS_TOUCH_ENDED /**< they do not touch any longer. Two bodies that fall asleep do not part; nothing is told while they sleep */
} ksTouchPhase;

/** One step of a touch. All but phase, body, step, time and lasted is of the contacts that press, each with its normal force as its
 *  weight; KS_TOUCH_ENDED: there are none, impulse and contactCount are 0, and what is a mean is NaN. */
typedef struct ksTouch {
    ksTouchPhase phase;
    dBodyID body[2]; /**< body[0] is the one that was asked for first; body[1] may be NULL (the world) */
    unsigned long step;
    double time;   /**< s, of this inspector, at the start of the step */
    double lasted; /**< s, since the start of the step in which the touch began; asleep, too */
    double
        impulse; /**< N.s, over the step: the sum of all normal forces times the step size. It is the engine's report, whatever
                           ksInspectorOptions::contacts, and as wrong as that: their verdicts, ksReaction::netError, ksInspectorRecompute */
    double closing; /**< m/s, at which they came closer along the normal before the step: mean; < 0: they went apart */
    double
        sliding; /**< m/s, at which they slid across it, at the contact points, before the step: mean of magnitudes */
    double point
        [3]; /**< m, world: mean of the contact points at the start of the step. Of a frictionless contact the point of its
                           line of action nearest to the mass centre of a body stands for it, as in ksFrame */
    double normal[3]; /**< mean of the directions in which body[0] is pushed; world. Shorter than 1 where these differ:
                            impulse times normal is the sum of all impulses along normals */
    size_t contactCount;
    double reserved[4];
} ksTouch;

typedef void ksTouchFn(const ksTouch *touch, void *user);

/** Calls back when two bodies begin to touch, when a touch that lasts strikes again, and when they part: for sounds, sparks and scores.
 *
 *      static void sound(const ksTouch *touch, void *user)
 *      {
 *          if (touch->phase != KS_TOUCH_ENDED && touch->closing > 0.1)
 *              playThud(user, touch->point, touch->impulse);
 *      }
 *
 *      status = ksInspectorOnTouch(inspector, box, NULL, 5 * weight * stepSize, sound, sounds);
 *
 *  Each pair is watched by itself, from the subscription's first step on: who touches then begins to. A pair that touches in every other
 *  step begins and ends as often. The impulse of a lasting touch holds the weight that rests on it: ask for some times that, lest each
 *  step calls; of a fall from rest through s it is m (2 g s)^(1/2), times 1 + e with restitution e.
 *
 *  The rules of ksInspectorOnReaction hold. All touches are known before the first of these calls; these come after alerts, subscription
 *  by subscription, of each those that touch before those that have parted. Contacts need not be there any longer. Of a body that is
 *  gone nothing is told; with a or b the subscription ends, without a call.
 *  @param a             a body of this world
 *  @param b             another; NULL: any partner, the world included
 *  @param leastImpulse  N.s, >= 0: KS_TOUCH_LASTS is told of larger ones; 0: in each step. INFINITY: never
 *  @param fn            called
 *  @param user          passed to fn; ksInspectorOff takes it
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksInspectorOnTouch(ksInspector *inspector, dBodyID a, dBodyID b, double leastImpulse,
                                               ksTouchFn *fn, void *user);

/** A six-axis force and torque sensor in a joint. Set by ksSensorInit, then changed; the default of a member stands first.
 *  Owns nothing. */
typedef struct ksSensor {
    size_t size;    /**< sizeof(ksSensor); set by ksSensorInit */
    ksValue value;  /**< KS_PHYSICAL; see ksThreshold. KS_SHARED: nothing reads NaN that elastic joints would tell */
    int body;       /**< 0: the wrench on reaction->body[0], or on body[1] */
    ksFrame frame;  /**< KS_FRAME_BODY: a sensor that is fixed in the body */
    ksPoint point;  /**< KS_POINT_ANCHOR: of a joint without an anchor the mass centre */
    int atPosition; /**< 0; 1: about `position` instead of `point` */
    double position[3];   /**< m, in the axes of the body, from its mass centre (the world: world coordinates) */
    int undetermined;     /**< 0: what is not unique reads NaN; 1: it reads what the solver happens to give */
    double toolMass;      /**< 0 kg: of the tool whose weight is taken out of the reading */
    double toolCentre[3]; /**< m, its mass centre, in the axes of the body, from the body's mass centre */
    dVector3 gravity; /**< NaN: as in the inspected step, and none on a body without gravity (dBodySetGravityMode); or
                               the host's own, m/s^2, world axes */
    ksWrench bias;    /**< 0: subtracted from each reading; in `frame`. See ksSensorTare */
    double reserved[7];
} ksSensor;

/** Sets the defaults. NULL is fine. */
KS_API void ksSensorInit(ksSensor *sensor);

/** The sensor's reading: the joint's wrench on the body, without the share that carries the tool's weight, minus the bias.
 *  The tool is a part of the body that the wrench acts on, or all of it. At rest the joint carries -toolMass gravity; this is
 *  taken out at the tool's mass centre, the tool's inertia is not. The reaction may be a copy, and its joint dead. Does not
 *  allocate. The host looks at the verdict itself.
 *  @param[out] out  N, N.m
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: a tool on the world), KS_ERROR_UNAVAILABLE (the value is not known, or
 *          the wrench is one on the world and no point is given) */
KS_API KS_MUST_USE ksStatus ksSensorRead(const ksSensor *sensor, const ksReaction *reaction, ksWrench *out);

/** Takes the present reading as zero: the bias becomes what the sensor would show without one.
 *  @return as ksSensorRead; on failure the sensor is as before */
KS_API KS_MUST_USE ksStatus ksSensorTare(ksSensor *sensor, const ksReaction *reaction);

/** A term of a sum: what one joint does to one of its bodies, or what all contacts of a body do to it. {0} first. */
typedef struct ksWrenchTerm {
    dJointID joint; /**< a joint of any type; NULL: all contact joints between `body` and `other` */
    dBodyID body;   /**< that the wrench acts on, one of the joint's. NULL: the world, of a joint that holds its body
                         there */
    dBodyID other;  /**< of contacts: the other body; NULL: anybody, the world included. Not read where there is a
                         joint */
    void *reserved[3];
} ksWrenchTerm;

/** ksInspectorOnThreshold for the sum of what several joints do: both balls of a plank's edge, the four legs of a table. The limits' frame
 *  and point are those of the first term's joint, on its body (limits->body is not read); components in other axes than the
 *  world's count if all of the sum is unique, or as elastic joints share it. A joint that is gone is left out of the sum, and the
 *  subscription ends with that of the first term. ksThresholdEvent::reaction is that of the first term's joint.
 *  @param[in]  term   [count] copied; each with a joint: contacts have ksInspectorSumWrenches
 *  @return as ksInspectorOnThreshold. Also KS_ERROR_BAD_ARGUMENT: count is 0; a body that the joint has not; a term that is given
 *          twice; KS_THRESHOLD_BREAKS, which is for single joints */
KS_API KS_MUST_USE ksStatus ksInspectorOnSumThreshold(ksInspector *inspector, const ksWrenchTerm *term, size_t count,
                                                      const ksThreshold *limits, ksThresholdFn *fn, void *user);

/** A sum of wrenches; world axes, about one point. */
typedef struct ksWrenchSum {
    ksWrench wrench; /**< N, N.m. The part that is not unique is as in ksReaction: of KS_CONVERGED the engine's own */
    ksWrench bar; /**< how far the unique part may be off, component by component; N, N.m. KS_ENGINE: NaN. KS_SHARED: of
                          components that are not unique, as ksRow::sharedBar; KS_OBSERVED: of these NaN. Without the error of contacts as
                          reported */
    unsigned unique; /**< bits 1u << KS_LIMIT_FORCE_X to _TORQUE_Z: components that mechanics determines. For KS_ENGINE
                          this does not say that the engine has them right */
    int freeCount; /**< directions that mechanics leaves open; -1: not known, since contacts as reported are in the sum,
                          or a mechanism that is not checked */
    ksWrench freeDirection[6]; /**< [freeCount] a basis, each of unit force (or torque). A component g . (force, torque)
                                    is unique iff g . freeDirection[k] = 0 for all k */
    double reserved[8];
} ksWrenchSum;

/** The sum of what chosen joints and contacts of the last step do to chosen bodies: the two hinges of a door, the four
 *  legs of a trunk, all contacts of a box. This is the one call for net wrenches.
 *
 *  Such a sum is often unique where its terms are not. Which part of it is unique follows from the self-stresses n of the
 *  mechanism: c^T lambda is unique iff c . n = 0 for each of them (ksSystemGetCombination).
 *  KS_PHYSICAL and KS_SHARED take the self-stresses of the physical equations, the other values those of the engine's step. Where the
 *  mechanism's equations have given way to others since the step, they are set up again.
 *
 *  KS_OBSERVED is what the motion took. Where the terms cut bodies off from all others, contacts included, momentum tells their sum, with
 *  contacts as reported too; its bar is what the reports leave of the motion of these bodies.
 *
 *  Joints and contacts without a force count as well; those of a body asleep have no value. A body without contacts has a sum of zero.
 *  With KS_CONTACTS_REPORTED a sum of contacts is the engine's, for each value; ksInspectorRecompute solves for it. With
 *  KS_CONTACTS_SOLVED only the physical value is.
 *  @param[in]  term   [count] each side of a joint at most once, contacts included. Without terms the sum is zero
 *  @param[in]  about  m, the point (world) about which torques are taken; NULL: the mass centre of the first term's body at
 *                     the start of the step; for the world, or without terms, the origin
 *  @param[out] out    unchanged on error
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: inside a bracket; a joint or a body unknown to the last step; a body that
 *          the joint has not; a side named twice), KS_ERROR_UNAVAILABLE (no step was inspected, or a joint has no such
 *          value), KS_ERROR_NOT_FINITE (`about`, or the equations of the mechanism), KS_ERROR_NO_MEMORY, KS_ERROR_SINGULAR
 *          (the self-stresses were not found) */
KS_API KS_MUST_USE ksStatus ksInspectorSumWrenches(ksInspector *inspector, const ksWrenchTerm *term, size_t count,
                                                   ksValue value, const double about[3], ksWrenchSum *out);

/** The force that the motion took, on average over a window of its own: of ksInspectorPair or ksInspectorMean. By momentum it is exact as
 *  ksReaction::mean is, solved or not. */
typedef struct ksMean {
    /** N, N.m; NaN where `time` is 0. In the axes that were asked for, of each step, about the point of each step */
    ksWrench wrench;
    /** How far `wrench` is from the mean of the force that the motion took, by component: rounding, and what the reports leave of the
     *  motion. NaN where mechanics leaves open how the force is shared with others: there the mean is the engine's */
    ksWrench bar;
    double time; /**< s, length of the steps in the window: all of it, or since it began; 0: there are none */
    /** Share of `time` in which contacts pressed: a normal force above zero; NaN: no contacts were asked for */
    double contactShare;
    size_t stepCount; /**< of the oldest one only a part may lie in the window */
    double reserved[24];
} ksMean;

/** The net force of two bodies on each other through their contacts, on average over a window: a foot and the ground, two fingers, a tyre
 *  and the road. Contacts come and go; the pair stays. A step without contact counts as zero force. Joints between the two are not in it.
 *
 *      ksSubscription sole;
 *      ksMean mean;
 *      status = ksInspectorPair(inspector, foot, NULL, 0.15, &sole);
 *      ...
 *      if (ksInspectorGetMean(inspector, sole, &mean) == KS_OK && mean.time > 0)
 *          printf("%.1f N, %.0f %% of the time\n", mean.wrench.force[2], 100 * mean.contactShare);
 *
 *  ksMean::wrench acts on `a`, in world axes, about the mass centre of `a` at the start of each step. In other axes, or of all contacts of a
 *  body: ksInspectorMean.
 *
 *  Momentum tells the force of a pair where nothing else leads from one body to the other: no joint, and no contacts with others in
 *  between. Two feet of one robot on the ground, or a box on two others, share what momentum tells of both: there the bar is NaN, and
 *  ksInspectorMean has the sum.
 *
 *  The pair is a subscription: ksInspectorUnsubscribe ends it, and it ends when a or b is gone. ksInspectorOff leaves it.
 *  @param      a       a body of this world
 *  @param      b       another; NULL: the world, as contacts with geoms without a body have it
 *  @param      window  s, finite and > 0. A part of the oldest step is taken, so that it is as long as that; a step that is longer is its own
 *                      mean. Each step of it takes some memory and time
 *  @param[out] pair    set on KS_OK alone
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksInspectorPair(ksInspector *inspector, dBodyID a, dBodyID b, double window,
                                            ksSubscription *pair);

/** The mean of the sum of what joints and contacts do, over a window of its own: one joint, the legs of a table, all contacts of a foot.
 *  ksReaction::mean is over ksInspectorOptions::meanWindow.
 *
 *  A term with a joint that is gone, or with the contacts of a body that is gone, is left out of the sum from then on, and the subscription
 *  ends with that of the first term. Sleep, a disabled joint, a body put elsewhere, or a term left out end the window, and a new one
 *  begins: ksMean::time starts from 0.
 *  @param[in]  term    [count] copied; as in ksInspectorSumWrenches: without a joint all contacts between `body` and `other`
 *  @param      window  s, finite and > 0; as in ksInspectorPair
 *  @param      frame   axes of each step, of the first term's joint or body. Contacts have KS_FRAME_WORLD and KS_FRAME_BODY
 *  @param      point   of each step, likewise: KS_POINT_MASS_CENTRE of the first term's body, or KS_POINT_ANCHOR; of a joint without an
 *                      anchor the mass centre
 *  @param[out] mean    set on KS_OK alone
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: count is 0; a body that the joint has not; a term that is given twice), KS_ERROR_NO_MEMORY,
 *          KS_ERROR_NO_ANCHOR (on the world this takes KS_POINT_ANCHOR, and a joint that has an anchor) */
KS_API KS_MUST_USE ksStatus ksInspectorMean(ksInspector *inspector, const ksWrenchTerm *term, size_t count,
                                            double window, ksFrame frame, ksPoint point, ksSubscription *mean);

/** What the window holds after the last step. Does not allocate.
 *  @param      mean  of ksInspectorPair or ksInspectorMean
 *  @param[out] out   set on KS_OK alone. Asleep, or before its first step: ksMean::time is 0
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: inside a bracket; another subscription), KS_ERROR_ENDED (it has ended: by
 *          ksInspectorUnsubscribe, or with its body or joint), KS_ERROR_UNAVAILABLE (no step was inspected) */
KS_API KS_MUST_USE ksStatus ksInspectorGetMean(ksInspector *inspector, ksSubscription mean, ksMean *out);

/** A wrench on a body to be recomputed by ksInspectorRecompute: what is asked for, and the answer. */
typedef struct ksNetWrench {
    dBodyID a;       /**< asked: the wrench on this body, which is not kinematic */
    dBodyID b;       /**< asked: of all its contacts with this one; NULL: with any partner, the world included */
    dJointID joint;  /**< asked: if not NULL, of this joint alone, of whatever type */
    ksWrench wrench; /**< converged; N, N.m, world axes, about the mass centre of a at the start of the step */
    double error;    /**< of the engine's wrench against this one, relative, on body a; see ksInspectorOptions */
    double errorBar; /**< how far `wrench` may be off, same measure */
    int reached; /**< 1: errorBar is within the tolerance; 0: the sweeps were used up, or the wrench is not unique */
    double reserved[4];
} ksNetWrench;

/** Recomputes chosen wrenches of the last step where contacts are known loads, or where islands are too large to be
 *  factorised. All rows that hang together with the body, contacts included, are swept in two runs: from the engine's
 *  report, and in the opposite order from no forces at all, until the bars of all wrenches asked for there are within the
 *  tolerance. A bar is the distance of the two runs, plus the way of the first in the latter half of its sweeps. It is no
 *  bound: mechanics.md, 7, has measurements. How contacts of one pair share their force is not unique, and two runs end
 *  apart: ask for the pair, or the body.
 *  In islands that were solved and have no self-stresses the answer is ksReaction::converged, with its bar.
 *  @param         net        [count] a, b and joint are read, the rest is set, on KS_OK alone
 *  @param         tolerance  > 0: of errorBar; 1e-2 is that of verdicts
 *  @param         sweeps     > 0: the most of either run; the estimates of a step usually take 40. A few thousand settle
 *                           a third to two thirds of the bodies of a pile to a tenth; the rest may stay apart, for friction
 *                           is not unique
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: inside a bracket, before the first step, bodies or a joint unknown to it, a
 *          kinematic body), KS_ERROR_NO_MEMORY, KS_ERROR_UNAVAILABLE (no inspected step; the joint was not solved; rows or
 *          bodies of the island are not sound; dWorldStep with friction, unless the island was solved and has no
 *          self-stresses) */
KS_API KS_MUST_USE ksStatus ksInspectorRecompute(ksInspector *inspector, ksNetWrench *net, size_t count,
                                                 double tolerance, size_t sweeps);

/** A blow at a place of a body, for ksInspectorSolveImpulse. */
typedef struct ksBlow {
    ksBodyProbe at; /**< the impulse acts at its point along its axis, or as a couple about it */
    double impulse; /**< N.s, or N.m.s, for an axis of unit length */
} ksBlow;

/** What a joint passes on of an impact. */
typedef struct ksJointImpact {
    dJointID joint;
    /** On its bodies in the order of ksReaction::body; N.s, N.m.s, world axes, about the mass centre at the start of the step; NaN
     *  for the world. Where it is not unique, the share without self-stress */
    ksWrench impulse[2];
    double bar[2]; /**< how far impulse[0] may be off in what is unique of it: force, torque; N.s, N.m.s */
    int isUnique;
    int leftOut; /**< number of its rows that take no part: motors with a finite dParamFMax. One without a limit holds */
    double reserved[4];
} ksJointImpact;

/** What an impact does to a body. */
typedef struct ksBodyImpact {
    dBodyID body;
    double before[6], after[6]; /**< velocity of the mass centre, m/s, and angular velocity, rad/s; world axes */
    double bar[2];              /**< how far after may be off: m/s, rad/s. Of rounding, and of the drift of a loop */
    double reserved[4];
} ksBodyImpact;

/** All joints and bodies that an impact reaches. */
typedef struct ksImpact {
    size_t jointCount, bodyCount;
    const ksJointImpact *joint; /**< [jointCount], valid until the next call or step */
    const ksBodyImpact *body;   /**< [bodyCount], likewise */
    double before, after;       /**< J, kinetic energy of these bodies */
    double given;               /**< J, by the blows: sum of P . (v- + v+) / 2 */
    /** J, before + given - after: in stops that are struck; in springs; to joints with moving partners, or whose velocities the solver has
     *  left wrong */
    double lost;
    size_t contactCount; /**< contacts on these bodies that are known loads: they take no part */
    double reserved[4];
} ksImpact;

/** What happens if a mechanism is struck, in the configuration and at the velocities of the start of the last step:
 *
 *      M (v+ - v-) = P + J^T L,      J (v+ - v-) = 0      Source: Lamb 1911, §1
 *
 *  Rows without bounds keep their rates. A spring (cfm above rigidCfm) gives way as it does to a blow that lasts the step:
 *  J (v+ - v-) + cfm/h L = 0; smaller cfm is regularisation, and counts as none. ksInspectorGetMobility has the same rule.
 *  A stop that has been reached, or the normal of a solved contact, gives L >= 0 and
 *  lets go where the blow opens it: J v+ >= min(J v-, 0), 0 <= L, one of the two with equality. Forces that are finite give no impulse:
 *  motors with a finite dParamFMax (ksJointImpact::leftOut), weight. Friction, whose bound grows with the blow, is not
 *  solved. ksInspectorGetMobility is the case of one small blow and one place, in which motors and stops that hold go on to hold.
 *  @param[in]  blow    [count], all on one mechanism, or on one body without joints
 *  @param[out] impact  set on KS_OK alone; its arrays belong to the inspector
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: inside a bracket, before the first step, a body unknown to it or without mass
 *          of its own, blows on several mechanisms), KS_ERROR_NOT_FINITE, KS_ERROR_NO_MEMORY, KS_ERROR_BOUND (which stops let go
 *          was not found), KS_ERROR_SINGULAR, KS_ERROR_UNAVAILABLE (a row or a body of the mechanism is not sound; a body is
 *          asleep; the mechanism is too large, options.islandRowBudget; friction of solved contacts; a loop with self-stresses has
 *          drifted, or it is not known
 *          whether it has, for want of KS_COMPUTE_PHYSICAL: what drift leaves open of an impulse has no bar) */
KS_API KS_MUST_USE ksStatus ksInspectorSolveImpulse(ksInspector *inspector, const ksBlow *blow, size_t count,
                                                    ksImpact *impact);

/** What a joint carries once others of its mechanism have let go. */
typedef struct ksJointAfter {
    dJointID joint;
    int isUnique; /**< 0: part of it is what elastic joints would carry (ksInspectorSetCompliance) */
    /** On its bodies in the order of ksReaction::body; N, N.m, world axes, about the mass centre; NaN for the world */
    ksWrench wrench[2];
    ksWrench bar
        [2]; /**< how far each component may be off; N, N.m. Of what is as elastic joints share it, as ksRow::sharedBar */
    double reserved[4];
} ksJointAfter;

/** The reactions that the last step would have had without some of its joints: at the same places and velocities, under the same
 *  loads, contacts as reported. From what the mechanism carries with them, ksReaction::shared,
 *
 *      M u = B^T D - G^T lambda_G,      B u = 0
 *
 *  with the rows G of the joints that go, B of those that stay, and D the change of the multipliers of these (Paulus 1910, concluding
 *  remark: what is given of a reaction is an applied force). What rigid joints leave open of the sum is shared out anew. A stop
 *  that would pull gives way, and so does a motor beyond its dParamFMax; neither takes up a load that it had not. The world is left
 *  as it is.
 *  @param[in]  gone   [goneCount] joints of the last step. One that had no force changes nothing. Contacts take KS_CONTACTS_SOLVED
 *  @param[out] after  [*count] the other joints of the mechanisms of these, without contacts, in the order of the world's joint list.
 *                     Owned by the inspector, valid until the next call or step
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: inside a bracket, before the first step, a joint unknown to it), KS_ERROR_NO_MEMORY,
 *          KS_ERROR_UNAVAILABLE (a mechanism of these has no physical values, or cannot be solved without the joints, as where
 *          springs above options.rigidCfm are too stiff to tell how they share a load; a joint that is asleep, or a contact whose
 *          force is a known load) */
KS_API KS_MUST_USE ksStatus ksInspectorRecomputeAfter(ksInspector *inspector, const dJointID *gone, size_t goneCount,
                                                      const ksJointAfter **after, size_t *count);

/** The share of its friction that a contact uses, |f| / (mu N): (sum of (f_i / bound_i)^2 over its friction rows)^(1/2).
 *  With one coefficient for both directions this is the use of Coulomb's cone. The engine bounds each direction by itself,
 *  so that values up to sqrt(2) occur. 0 for a frictionless contact; INFINITY for a force against a bound of zero.
 *  @param      reaction  of a contact joint, not a copy: its rows are read
 *  @param[out] byBound   by the bounds in force (ksRow::bound); NaN where one is not known; NULL is fine
 *  @param[out] byNormal  by the coefficient times the normal force of the same value; bounds that do not depend on the
 *                        normal force (no dContactApprox1) stay as they are; NULL is fine
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: not a contact), KS_ERROR_UNAVAILABLE (the multipliers are not known) */
KS_API KS_MUST_USE ksStatus ksReactionGetFrictionUse(const ksReaction *reaction, ksValue value, double *byBound,
                                                     double *byNormal);

#ifdef __cplusplus
}
#endif
#endif

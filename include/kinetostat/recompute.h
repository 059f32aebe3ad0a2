/** @file recompute.h  The last step solved again: wrenches where contacts are known loads, the
 *        impulses of an impact, and the loads after joints have released.
 *
 *  Included by <kinetostat/kinetostat.h>.
 */
#ifndef KINETOSTAT_RECOMPUTE_H
#define KINETOSTAT_RECOMPUTE_H

#include <kinetostat/reaction.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A request to ksInspectorRecompute for a wrench on a body, and its result. */
typedef struct ksNetWrench {
    dBodyID a;       /**< input: the body on which the wrench acts; not kinematic */
    dBodyID b;       /**< input: all contacts of a with this body; NULL: with any body and the
                          world */
    dJointID joint;  /**< input: if not NULL, this joint alone, of any type */
    ksWrench wrench; /**< converged; N, N.m, world axes, about the mass centre of a at the start of
                          the step */
    double error;    /**< error of the engine's wrench against `wrench`, relative, on body a; see
                          ksInspectorOptions */
    double errorBar; /**< bar of `wrench`, in the same measure */
    int reached;     /**< 1: errorBar is within the tolerance; 0: there were too few sweeps, or the
                          wrench is not unique */
    /** The mean force of all contacts of `a`, if these are requested, N, in world axes: the load of
     *  a foot, also under servos that lag behind their targets. ksReaction::netError is the
     *  distance from this mean. NaN: unknown, as without ksInspectorOptions::estimateSweeps, or
     *  before the eighth step of a touch */
    double mean[3];
    double reserved[1];
} ksNetWrench;

/** Recomputes chosen wrenches of the last step where contacts are known loads, or where islands are
 *  too large to factorise. All rows connected with the body, contacts included, are swept in two
 *  runs: one from the engine's report, and one in the opposite order from zero forces. The runs end
 *  when the bars of all requested wrenches are within the tolerance. A bar is the distance of the
 *  two runs, plus the change of the first run in the second half of its sweeps. It is not a strict
 *  bound: mechanics.md, 7, has measurements. The split of a pair's force among its contacts is not
 *  unique, so the two runs end at different splits: request the pair, or the body. In islands that
 *  were solved and have no self-stresses the answer is ksReaction::converged, with its bar. The
 *  answer solves the equations of this one step. In piles it is near the mean load. In machines
 *  whose servos lag behind their targets it is not near the mean load: use ksNetWrench::mean. For
 *  one pair, the mean of ksInspectorPair also has a torque and a bar.
 *  @param         net        [count] a, b and joint are read; the other members are set, on KS_OK
 *                            alone
 *  @param         tolerance  > 0: limit of errorBar; verdicts use 1e-2 by default
 *  @param         sweeps     > 0: the largest number of sweeps in each run; the estimates of a step
 *                           usually take 40. In a pile, a few thousand sweeps bring errorBar below
 *                           10 % for between one and two thirds of the bodies. For the other
 *                           bodies, the results of the two runs may stay apart, since friction is
 *                           not unique
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: inside a bracket, before the first step, bodies or a
 *          joint unknown to it, a kinematic body), KS_ERROR_NO_MEMORY, KS_ERROR_UNAVAILABLE (no
 *          inspected step; the joint was not solved; rows or bodies of the island are not sound;
 *          dWorldStep with friction, unless the island was solved and has no self-stresses) */
KS_API KS_MUST_USE ksStatus ksInspectorRecompute(ksInspector *inspector, ksNetWrench *net, size_t count,
                                                 double tolerance, size_t sweeps);

/** A blow on a body, for ksInspectorSolveImpulse. */
typedef struct ksBlow {
    ksBodyProbe at; /**< the point and the axis of the impulse, or the axis of a couple */
    double impulse; /**< N.s, or N.m.s, for an axis of unit length */
} ksBlow;

/** The impulse in a joint during an impact. */
typedef struct ksJointImpact {
    dJointID joint;
    /** The impulse on the joint's bodies, in the order of ksReaction::body; N.s, N.m.s, world axes,
     *  about the mass centre at the start of the step; NaN for the world. If the impulse is not
     *  unique: the solution without self-stress */
    ksWrench impulse[2];
    double bar[2]; /**< error bars of the unique part of impulse[0]: force, torque; N.s, N.m.s */
    int isUnique;
    int leftOut; /**< number of the joint's rows without an impulse: motors with a finite
                      dParamFMax. A motor without a limit holds */
    double reserved[4];
} ksJointImpact;

/** The change of a body's velocity in an impact. */
typedef struct ksBodyImpact {
    dBodyID body;
    double before[6], after[6]; /**< velocity of the mass centre, m/s, and angular velocity, rad/s;
                                     world axes */
    double bar[2];              /**< error bars of `after`: m/s, rad/s; from rounding, and from the
                                     drift of a loop */
    double reserved[4];
} ksBodyImpact;

/** All joints and bodies that an impact reaches. */
typedef struct ksImpact {
    size_t jointCount, bodyCount;
    const ksJointImpact *joint; /**< [jointCount], valid until the next call or step */
    const ksBodyImpact *body;   /**< [bodyCount], likewise */
    double before, after;       /**< J, kinetic energy of these bodies */
    double given;               /**< J, work of the blows: sum of P . (v- + v+) / 2 */
    /** J, before + given - after: lost in stops that are struck, in springs, in joints with moving
     *  partners, and in joints whose velocities the solver has left wrong */
    double lost;
    size_t contactCount; /**< contacts that act on these bodies as known loads: they have no
                              impulse */
    double reserved[4];
} ksImpact;

/** Solves an impact on a mechanism, in its configuration and at its velocities at the start of the
 *  last step:
 *
 *      M (v+ - v-) = P + J^T L,      J (v+ - v-) = 0      Source: Lamb 1911, §1
 *
 *  Rows without bounds keep their rates. A spring (cfm above rigidCfm) yields as it does to a blow
 *  that lasts for the step: J (v+ - v-) + cfm/h L = 0; smaller cfm is regularisation, and counts as
 *  zero. ksInspectorGetMobility has the same rule. A stop that has been reached, or the normal of a
 *  solved contact, has L >= 0 and opens if the blow separates it: J v+ >= min(J v-, 0), 0 <= L, one
 *  of the two with equality. Finite forces give no impulse: weight, and motors with a finite
 *  dParamFMax (ksJointImpact::leftOut). Friction is not solved, since its bound grows with the
 *  blow. ksInspectorGetMobility is the case of one small blow and one place, in which active motors
 *  and stops stay active.
 *  @param[in]  blow    [count], all on one mechanism, or on one body without joints
 *  @param[out] impact  set on KS_OK alone; its arrays belong to the inspector
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: inside a bracket, before the first step, a body
 *          unknown to it or without mass of its own, blows on several mechanisms),
 *          KS_ERROR_NOT_FINITE, KS_ERROR_NO_MEMORY, KS_ERROR_BOUND (no consistent set of opening
 *          stops was found), KS_ERROR_SINGULAR, KS_ERROR_UNAVAILABLE (a row or a body of the
 *          mechanism is unreadable; a body is asleep; the mechanism exceeds
 *          options.islandRowBudget; friction of solved contacts; a loop with self-stresses has
 *          drifted, or may have drifted without KS_COMPUTE_PHYSICAL: there is no bar for the part
 *          of an impulse that drift leaves undetermined) */
KS_API KS_MUST_USE ksStatus ksInspectorSolveImpulse(ksInspector *inspector, const ksBlow *blow, size_t count,
                                                    ksImpact *impact);

/** The load of a joint after other joints of its mechanism have released. */
typedef struct ksJointAfter {
    dJointID joint;
    int isUnique; /**< 0: a part of the wrench is the share of elastic joints
                       (ksInspectorSetCompliance) */
    /** The wrench on the joint's bodies, in the order of ksReaction::body; N, N.m, world axes,
     *  about the mass centre; NaN for the world */
    ksWrench wrench[2];
    ksWrench bar[2]; /**< error bar by component; N, N.m. For shares of elastic joints it is defined
                          as ksRow::sharedBar */
    double reserved[4];
} ksJointAfter;

/** Computes the reactions of the last step without some of its joints: in the same configuration,
 *  at the same velocities, under the same loads, with contact forces as reported. The change from
 *  the present loads, ksReaction::shared, follows from
 *
 *      M u = B^T D - G^T lambda_G,      B u = 0
 *
 *  with the change u of the accelerations, the rows G of the joints that go, their present
 *  multipliers lambda_G, the rows B of the joints that stay, and the change D of the multipliers of
 *  B (Paulus 1910, concluding remark: a known reaction is an applied force). The undetermined part
 *  is shared again by elastic joints. A stop that would pull opens, and a motor beyond its
 *  dParamFMax yields; neither takes on a load that it did not carry before. The world is unchanged.
 *  @param[in]  gone   [goneCount] joints of the last step. A joint without force changes nothing.
 *                     Contacts require KS_CONTACTS_SOLVED
 *  @param[out] after  [*count] the other joints of these mechanisms, without contacts, in the order
 *                     of the world's joint list. Owned by the inspector, valid until the next call
 *                     or step
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: inside a bracket, before the first step, a joint
 *          unknown to it), KS_ERROR_NO_MEMORY, KS_ERROR_UNAVAILABLE (one of the mechanisms has no
 *          physical values, or cannot be solved without the joints of `gone`, for instance because
 *          springs with a CFM above options.rigidCfm are still so stiff that their shares are not
 *          unique; or a joint of `gone` is asleep, or is a contact whose force is a known load) */
KS_API KS_MUST_USE ksStatus ksInspectorRecomputeAfter(ksInspector *inspector, const dJointID *gone, size_t goneCount,
                                                      const ksJointAfter **after, size_t *count);

#ifdef __cplusplus
}
#endif
#endif

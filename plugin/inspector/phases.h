/* phases.h  The phases of a step, in the order in which step.c calls them. Each reads the step and
 * writes `out`.
 *
 * Phases that solve the equations of an island work in the solver's memory. They return KS_OK or
 * KS_ERROR_NO_MEMORY; other failures are in the reasons of the island. They run on several threads,
 * each with its own solver, and write only the island, its joints and its bodies in `out`. */
#ifndef KSI_INSPECTOR_PHASES_H
#define KSI_INSPECTOR_PHASES_H

#include "solver.h"

typedef struct ksiEstimates ksiEstimates;

/* 1. read.c: the world before the step, bodies first. Reserves the arrays of arrays.h for all
 * phases. */
KS_MUST_USE ksStatus ksiReadBodies(ksInspector *inspector);
/* options.c: adjusts options to the precision of the bodies' numbers */
void ksiMindPrecision(ksInspector *inspector);
KS_MUST_USE ksStatus ksiReadJoints(ksInspector *inspector);

/* 2. report.c: the engine's report. Restores the host's feedback. Adds to our feedback the motors
 * of axes at their stops, which the engine does not report. */
void ksiReadReport(const ksiStep *step, ksiJointFeedback *feedback, ksiReport *out);
/* Size of the wrenches of a joint's motors at stops, which the rows of the stops may cancel to
 * rounding; mass metric, N. */
double ksiSizeOfMotors(const ksiJointInput *joint);
/* Before there is a report, in a step that is solved or explained first: ksiExpectReport marks the
 * joints that take part, ksiPlaceRows places their rows by guessed or computed multipliers. */
void ksiExpectReport(const ksiStep *step, ksiReport *out);
void ksiPlaceRows(const ksiStep *step, size_t joint, ksiReport *out);
void ksiSumExpected(const ksiStep *step, int island, ksiReport *out);       /* ksiBodyReport::net */
void ksiAddExpectedLoad(const ksiStep *step, size_t joint, ksiReport *out); /* of a contact with a
                                                                               known force */

/* foreign.c, before the report is read: in a step of another engine, the wrenches that explain the
 * motion replace the report. */
KS_MUST_USE ksStatus ksiExplainMotion(ksInspector *inspector);
/* Change of a joint's force if its rows turn, and its point slides along the second body, for half
 * a step; mass metric. */
double ksiShiftInStep(const ksiStep *step, int joint);
/* Motion of the bodies by the unknown part of a joint's reaction, if joints have gaps of `drift`;
 * mass metric. */
double ksiHiddenByDrift(const ksiStep *step, int joint, double drift);
/* Distance of a joint's report from the force that explains the motion, in the determined part. */
ksiDeviation ksiDeviationOfGiven(const ksiStep *step, int joint, const ksiJointFree *free);

/* 3. motion.c: the engine's motion */
void ksiReadMotion(const ksiStep *step, ksiMotion *out);

/* read.c again. The engine stops an idle body before the step if its island stays awake; the motion
 * shows whether it has. A stopped body and its rows get the state after the stop. */
void ksiReviseInput(const ksiStep *step, ksiInput *out);

/* 4. island.c: does the contact close faster than the speed that a body gains by gravity in some
 * steps? Then its force is a blow, not noise. */
bool ksiIsStruck(const ksiStep *step, size_t joint);

/* island.c: finds the joints and bodies that share multipliers */
void ksiFindIslands(const ksiStep *step, int *parent, ksiIslands *out);
/* Sets member->link to the bodies with a mass that a joint connects. The members of islands depend
 * on these bodies alone. joins: the joint connects bodies at all. Returns true if these bodies have
 * not changed. */
bool ksiFindLink(const ksiStep *step, size_t joint, bool joins, ksiJointMember *member);
void ksiFindMembers(const ksiStep *step, int *parent, ksiIslands *out);

/* --- Island by island. At first all results are unknown. --- */

void ksiClearConverged(const ksiStep *step, ksiConverged *out);
void ksiClearPhysical(const ksiStep *step, ksiPhysical *out);

/* 5. bias.c: -(dJ/dt) v of the rows of an island, without the part that has a closed form; with
 * the acceleration of targets and kinematic bodies. ksiPermittedAccelerations adds the closed
 * form. */
void ksiFindBias(const ksiStep *step, int island, ksiJointAcceleration *out);
/* beta of a joint's springs: (c - J v)/h after the host's changes of kinematic bodies */
void ksiSpringSides(const ksiStep *step, int joint, double beta[KSI_MAX_ROWS]);

/* 6. drift.c: the nearest pose of a drifted loop, and the multipliers */
KS_MUST_USE ksStatus ksiSolveDrifted(const ksiStep *step, ksiSolver *solver, int island, ksiPhysical *out);

/* 7. and 8. converged.c: the active set, with multipliers by the range-space route (a first
 * solution if the core will solve the island); then all converged values */
KS_MUST_USE ksStatus ksiSolveRangeSpace(const ksiStep *step, ksiSolver *solver, int island, ksiConverged *out);
KS_MUST_USE ksStatus ksiSolveConverged(const ksiStep *step, ksiSolver *solver, int island, ksiConverged *out,
                                       ksiFreeWrenches *wrenches);

ksReasons ksiReasonOf(const ksiStep *step, int island, ksStatus status); /* why the island was not
                                                                            solved */

void ksiClearVerdicts(const ksiStep *step, ksiVerdicts *out);

/* 9. momentum.c: does the report explain the motion? ksiCheckMomentum: of an island.
 * ksiCheckLooseBodies, after all islands: of bodies without an island. Both return the largest
 * residual of these bodies, relative to the load. */
double ksiCheckMomentum(const ksiStep *step, ksiSolver *solver, int island, ksiVerdicts *out);
double ksiCheckLooseBodies(const ksiStep *step, ksiVerdicts *out);
/* Rounding of a body's momentum, as a size in the mass metric. It has three parts: from the inverse
 * inertia, in proportion to its condition; from QuickStep's sweeps, during which any joint may
 * carry the load of others; and from the velocity. added: sum of the sizes of all forces on the
 * body; load: largest size of a force in its mechanism. */
double ksiMomentumRounding(const ksiStep *step, int body, double added, double load);
/* Allowed residual of a body, as a size in the mass metric, N: its rounding plus the tolerance
 * times the smallest load on it. */
double ksiAllowedResidual(const ksiStep *step, int body);

/* observed.c: bound of the part of a body's motion that reports do not explain, in the mass metric;
 * at most the allowed residual if the motion is explained. NaN: unknown motion. */
double ksiRemainderOf(const ksiStep *step, int body);

/* observed.c. ksiTakeObserved: the multipliers that explain the motion of an island.
 * ksiNameFalseReports, after all islands: a joint is named if its false report alone can be the
 * cause of unexplained motion. */
void ksiTakeObserved(const ksiStep *step, int island, ksiVerdicts *out);

/* For KSI_BY_SIDES: error bars of the force, and of the torque about the point, for this remainder
 * of the motion. */
void ksiBarBySides(const ksiStep *step, int joint, double remainder, const double point[3], ksWrench *bar);

void ksiNameFalseReports(const ksiStep *step, ksiVerdicts *out);

/* 10. run_mean.c: lengthens the bars of a joint's physical value by the differences in the last
 * windows of steps, and adds this step to its run. */
void ksiCompareRun(const ksiStep *step, int joint, ksiPhysical *out);

/* 10. physical.c: the deviation of a joint's report from its physical multipliers. These
 * multipliers and their bars must be known. The bars of a spring reach from its own force to the
 * reported force. Without finite bars there is no value: KS_REASON_PHYSICAL. */
void ksiFinishPhysical(const ksiStep *step, int joint, ksiPhysical *out);

/* 10. shares.c: shares of elastic joints in the undetermined loads of an island with physical
 * values, by the equations or in the pose of these values. */
KS_MUST_USE ksStatus ksiShareOut(const ksiStep *step, ksiSolver *solver, int island, ksiPhysical *out);

/* Sets the compliances of a joint's rows. row: [KSI_MAX_ROWS] rows of the equations; -1: none. */
void ksiFindElastic(const ksiStep *step, int joint, const int *row, struct ksiElasticRow *elastic);

/* ksiElasticBound: largest error of a row in the metric of energy, by bars [rows] of the
 * multipliers. ksiElasticBar: bar of a row's multiplier if the error of no row exceeds `bound` in
 * this metric. */
double ksiElasticBound(const struct ksiElasticRow *row, int l, const double *bar);
double ksiElasticBar(const struct ksiElasticRow *row, int l, double bound);

/* 10. Physical values. drift.c, ksiPublishDrifted: uniqueness and bars of the islands that phase 6
 * has solved as drifted. physical.c, ksiSolvePhysical: all other islands; the first call for a weak
 * island publishes nothing. */
KS_MUST_USE ksStatus ksiPublishDrifted(const ksiStep *step, ksiSolver *solver, int island, ksiPhysical *out,
                                       ksiFreeWrenches *wrenches);
KS_MUST_USE ksStatus ksiSolvePhysical(const ksiStep *step, ksiSolver *solver, int island, ksiPhysical *out,
                                      ksiFreeWrenches *wrenches);

/* --- After all islands --- */

/* 11. contacts.c: contacts that are known loads. contact_redundancy.c: KS_REASON_REDUNDANT of
 * contacts that were not factorised. */
void ksiJudgeContacts(const ksiStep *step, ksiContacts *out);
KS_MUST_USE ksStatus ksiFindContactRedundancy(const ksiStep *step, ksiContacts *out);

/* 12. estimate.c: distance of net forces from their means, or from swept forces */
KS_MUST_USE ksStatus ksiEstimate(const ksiStep *step, const ksiMeanClock *clock, ksiEstimates *out);

/* 13. verdict.c */
void ksiJudge(const ksiStep *step, ksiVerdicts *out);

/* 14. publish.c: the callbacks of subscriptions up to `last`. isLate: it is called some time after
 * the step. false: the inspector was destroyed. */
bool ksiPublish(ksInspector *inspector, ksSubscription last, bool isLate);

#endif

/* phases.h  The phases of a step, in the order in which step.c calls them. Each reads the step and writes `out`.
 *
 * Those that solve the equations of an island work in the solver's room. They return KS_ERROR_NO_MEMORY; other failures are in
 * the reasons of the island. They run on several threads at once, each with a solver of its own: of `out` they write what is of
 * this island, its joints and its bodies, and nothing else. */
#ifndef KSI_INSPECTOR_PHASES_H
#define KSI_INSPECTOR_PHASES_H

#include "solver.h"

typedef struct ksiEstimates ksiEstimates;

/* 1. read.c: the world before the step. Bodies first. Makes room for all other phases. */
KS_MUST_USE ksStatus ksiReadBodies(ksInspector *inspector);
/* options.c: of the numbers that it has read */
void ksiMindPrecision(ksInspector *inspector);
KS_MUST_USE ksStatus ksiReadJoints(ksInspector *inspector);

/* 2. report.c: what the engine says it did. The host has its feedback back. Motors of axes at their stops, which the engine does not
 * write, are added to our own. */
void ksiReadReport(const ksiStep *step, ksiJointFeedback *feedback, ksiReport *out);
/* of a joint's motors at stops, which these may cancel but for rounding; size in the mass metric, N */
double ksiSizeOfMotors(const ksiJointInput *joint);
/* ... and before anything is known of it, in a step that is solved first, or explained. Then multipliers are guessed or found, and rows placed. */
void ksiExpectReport(const ksiStep *step, ksiReport *out);
void ksiPlaceRows(const ksiStep *step, size_t joint, ksiReport *out);
void ksiSumExpected(const ksiStep *step, int island, ksiReport *out);       /* ksiBodyReport::net */
void ksiAddExpectedLoad(const ksiStep *step, size_t joint, ksiReport *out); /* of a contact that is known by now */

/* foreign.c, before: in a step of another engine, the wrenches that explain its motion, in place of a report. */
KS_MUST_USE ksStatus ksiExplainMotion(ksInspector *inspector);
/* What a joint's force changes by if its rows turn, and its point slides along the second body, for half of the step; mass metric. */
double ksiShiftInStep(const ksiStep *step, int joint);
/* What the part of a joint's reaction that nobody knows moves its bodies by, where joints are `drift` apart; mass metric. */
double ksiHiddenByDrift(const ksiStep *step, int joint, double drift);
/* How far what was told of a joint is from what explains the motion, in what is determined. */
ksiDeviation ksiDeviationOfGiven(const ksiStep *step, int joint, const ksiJointFree *free);

/* 3. motion.c: what it did */
void ksiReadMotion(const ksiStep *step, ksiMotion *out);

/* read.c again. The engine stops an idle body before the step if its island stays awake; the motion shows it. Then the body and
 * the rows on it are as they were when the step began in earnest. */
void ksiReviseInput(const ksiStep *step, ksiInput *out);

/* 4. island.c: a contact that is hit faster than gravity makes a body in some steps: its force is a blow, and no noise */
bool ksiIsStruck(const ksiStep *step, size_t joint);

/* ... who shares multipliers with whom */
void ksiFindIslands(const ksiStep *step, int *parent, ksiIslands *out);
/* What a joint joins: its bodies with a mass, if it joins any. Members follow from that alone; returns whether it is as it was. */
bool ksiFindLink(const ksiStep *step, size_t joint, bool joins, ksiJointMember *member);
void ksiFindMembers(const ksiStep *step, int *parent, ksiIslands *out);

/* --- Island by island. At first nothing is known. --- */

void ksiClearConverged(const ksiStep *step, ksiConverged *out);
void ksiClearPhysical(const ksiStep *step, ksiPhysical *out);

/* 5. bias.c: -(dJ/dt) v of the rows of an island, with the acceleration of targets and kinematic bodies */
void ksiFindBias(const ksiStep *step, int island, ksiJointAcceleration *out);

/* 6. drift.c: the nearest pose of a loop that has drifted, and multipliers there */
KS_MUST_USE ksStatus ksiSolveDrifted(const ksiStep *step, ksiSolver *solver, int island, ksiPhysical *out);

/* 7. and 8. converged.c: the active set, with multipliers by the range-space route; then all converged values */
KS_MUST_USE ksStatus ksiSolveRangeSpace(const ksiStep *step, ksiSolver *solver, int island, ksiConverged *out);
KS_MUST_USE ksStatus ksiSolveConverged(const ksiStep *step, ksiSolver *solver, int island, ksiConverged *out,
                                       ksiFreeWrenches *wrenches);

ksReasons ksiReasonOf(const ksiStep *step, int island, ksStatus status); /* why it was not solved */

void ksiClearVerdicts(const ksiStep *step, ksiVerdicts *out);

/* 9. momentum.c: does the report explain the motion? After all islands: of bodies that are in none. Return the largest relative
 * residual of these bodies. */
double ksiCheckMomentum(const ksiStep *step, ksiSolver *solver, int island, ksiVerdicts *out);
double ksiCheckLooseBodies(const ksiStep *step, ksiVerdicts *out);
/* What rounding leaves of a body's momentum, size in the mass metric: of an inertia's inverse, by its condition, and of QuickStep's
 * sweeps, on whose way any joint may have carried what others do in the end; with its velocity. added: sizes of all that acts on the
 * body; load: largest size in its mechanism. */
double ksiMomentumRounding(const ksiStep *step, int body, double added, double load);
/* How much of a body's may be left; size in the mass metric, N: rounding, and the tolerance of the smallest load on it. */
double ksiAllowedResidual(const ksiStep *step, int body);

/* observed.c: what reports leave of the motion of a body, at most, in the mass metric: if it is explained in the end, no more than is
 * allowed. NaN: its motion is not known. */
double ksiRemainderOf(const ksiStep *step, int body);

/* observed.c: multipliers by the motion of an island. After all islands, joints whose report alone is false. */
void ksiTakeObserved(const ksiStep *step, int island, ksiVerdicts *out);

/* Of KSI_BY_SIDES: how far the force, and the torque about the point, may be off where this is left of the motion. */
void ksiBarBySides(const ksiStep *step, int joint, double remainder, const double point[3], ksWrench *bar);

void ksiNameFalseReports(const ksiStep *step, ksiVerdicts *out);

/* 10. run_mean.c: lengthens the bars of a joint's physical value to what the last window of steps says, and adds this step. */
void ksiCompareRun(const ksiStep *step, int joint, ksiPhysical *out);

/* 10. physical.c: how far a joint is from its report, once it has its multipliers and bars; these reach from a spring's own force to
 * the reported one. No value without finite bars: KS_REASON_PHYSICAL. */
void ksiFinishPhysical(const ksiStep *step, int joint, ksiPhysical *out);

/* 10. shares.c: of an island that has physical values, what elastic joints carry of what these leave open. Its equations, or its pose,
 * are those that they were found by. */
KS_MUST_USE ksStatus ksiShareOut(const ksiStep *step, ksiSolver *solver, int island, ksiPhysical *out);

/* How a joint's rows give way, by rows of the equations [KSI_MAX_ROWS], -1: none. */
void ksiFindElastic(const ksiStep *step, int joint, const int *row, struct ksiElasticRow *elastic);

/* What a row gives way by at most, by bars [rows] of the multipliers; and the bar of its multiplier if no row gives way by more. */
double ksiElasticBound(const struct ksiElasticRow *row, int l, const double *bar);
double ksiElasticBar(const struct ksiElasticRow *row, int l, double bound);

/* 10. Physical values. drift.c, of an island that phase 6 has found to have drifted: what is unique, and bars. physical.c: of all
 * others; of one that is weak nothing is published the first time. */
KS_MUST_USE ksStatus ksiPublishDrifted(const ksiStep *step, ksiSolver *solver, int island, ksiPhysical *out,
                                       ksiFreeWrenches *wrenches);
KS_MUST_USE ksStatus ksiSolvePhysical(const ksiStep *step, ksiSolver *solver, int island, ksiPhysical *out,
                                      ksiFreeWrenches *wrenches);

/* --- Then --- */

/* 11. contacts.c: contacts that are known loads. contact_redundancy.c: KS_REASON_REDUNDANT of contacts that were not
 * factorised. */
void ksiJudgeContacts(const ksiStep *step, ksiContacts *out);
KS_MUST_USE ksStatus ksiFindContactRedundancy(const ksiStep *step, ksiContacts *out);

/* 12. estimate.c: how far net forces are from their means, or from solved */
KS_MUST_USE ksStatus ksiEstimate(const ksiStep *step, const ksiMeanClock *clock, ksiEstimates *out);

/* 13. verdict.c */
void ksiJudge(const ksiStep *step, ksiVerdicts *out);

/* 14. publish.c: the callbacks, of subscriptions up to `last`. isLate: some time after the step. false: the inspector is gone. */
bool ksiPublish(ksInspector *inspector, ksSubscription last, bool isLate);

#endif

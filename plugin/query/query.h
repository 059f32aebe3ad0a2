/* query.h  What the queries after a step share. Queries do not change the step. */
#ifndef KSI_QUERY_QUERY_H
#define KSI_QUERY_QUERY_H

#include "../inspector/host/deferred_wait.h"

/* --- query.c: preconditions of queries --- */

/* Requires an inspected step. KS_ERROR_BAD_ARGUMENT within a bracket; KS_ERROR_UNAVAILABLE in a
 * process that was forked during an inspection; `otherwise` if no step was inspected. */
KS_MUST_USE ksStatus ksiRequireStep(const ksInspector *inspector, ksStatus otherwise);

/* KS_OK, or KS_ERROR_UNAVAILABLE: the last step is a KS_FOREIGN_STEP, whose equations are
 * unknown. */
KS_MUST_USE ksStatus ksiRequireSolver(const ksInspector *inspector);

/* Finds the index of a body (joint) in the step, or returns KS_ERROR_BAD_ARGUMENT. name: the name
 * of the argument, as a format of printf. */
KS_MUST_USE ksStatus ksiFindBody(const ksInspector *inspector, dBodyID body, int *index, const char *name, ...);
KS_MUST_USE ksStatus ksiFindJoint(const ksInspector *inspector, dJointID joint, int *index, const char *name, ...);

/* Finds the index of the probe's body, and the force along the probe's axis at its point, or the
 * couple about this axis, as a wrench about the mass centre. */
KS_MUST_USE ksStatus ksiReadProbe(const ksInspector *inspector, const char *name, const ksBodyProbe *probe, int *index,
                                  double direction[6]);

/* --- restore.c --- */

/* Sets up the solver's system with the step's equations of an island. *places: where its rows are,
 * inside or at their bounds. KS_ERROR_UNAVAILABLE: the island cannot be solved. */
KS_MUST_USE ksStatus ksiRestoreSystem(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces **places);

/* --- selection.c: the joints of a sum; isOfWorld: only contacts with the world --- */

void ksiChooseNone(ksInspector *inspector);
KS_MUST_USE ksStatus ksiChoose(ksInspector *inspector, size_t n, const ksWrenchTerm *term, bool isOfWorld);

/* The factor of the wrench on this side's body in the sum: 1; 0; or -1 if the sum has the wrench on
 * the world instead. */
int ksiTimesChosen(const ksiChosen *chosen, int side);

/* ksiNextChosen: the next joint of the sum; after NULL the first one. ksiFindChosen: the joint of
 * the sum with this index. NULL: there is none, or its wrenches cancel. */
const ksiChosen *ksiNextChosen(const ksInspector *inspector, const ksiChosen *after);
const ksiChosen *ksiFindChosen(const ksInspector *inspector, int joint);

/* Loops over the joints of the sum, sorted by island. */
#define KSI_EACH_CHOSEN(inspector, chosen)                                                                             \
    for (const ksiChosen *chosen = ksiNextChosen(inspector, NULL); chosen; chosen = ksiNextChosen(inspector, chosen))

/* --- sum.c --- */

/* ksInspectorSumWrenches of the chosen joints, for callers that already keep the host's
 * floating-point environment */
KS_MUST_USE ksStatus ksiSumChosen(ksInspector *inspector, ksValue value, const double about[3], ksWrenchSum *sum);

/* cut.c: do the chosen joints cut bodies off from all others, and is their sum the wrench on these
 * bodies? Then momentum determines the sum. *bar: the bar of the observed sum about this point. */
bool ksiFindCut(ksInspector *inspector, const double about[3], ksWrench *bar);

#endif

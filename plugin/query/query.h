/* query.h  Shared parts of the queries after a step, which do not change the step. */
#ifndef KSI_QUERY_QUERY_H
#define KSI_QUERY_QUERY_H

#include "../inspector/host/deferred_wait.h"

/* --- query.c: preconditions of queries --- */

/* Requires an inspected step. KS_ERROR_BAD_ARGUMENT within a bracket; KS_ERROR_UNAVAILABLE in a
 * child forked during an inspection; `otherwise` without such a step. */
KS_MUST_USE ksStatus ksiRequireStep(const ksInspector *inspector, ksStatus otherwise);

/* KS_OK, or KS_ERROR_UNAVAILABLE: the last step is KS_FOREIGN_STEP, which has no equations of an
 * engine. */
KS_MUST_USE ksStatus ksiRequireSolver(const ksInspector *inspector);

/* Finds the index of a body (joint) in the step, or returns KS_ERROR_BAD_ARGUMENT. name: the
 * argument's name, as in printf. */
KS_MUST_USE ksStatus ksiFindBody(const ksInspector *inspector, dBodyID body, int *index, const char *name, ...);
KS_MUST_USE ksStatus ksiFindJoint(const ksInspector *inspector, dJointID joint, int *index, const char *name, ...);

/* Finds the body's index, and the direction of a force at the probe's point, or of a couple, as a
 * wrench about the mass centre. */
KS_MUST_USE ksStatus ksiReadProbe(const ksInspector *inspector, const char *name, const ksBodyProbe *probe, int *index,
                                  double direction[6]);

/* --- restore.c --- */

/* Sets up the solver's system with the step's equations of an island. places: the places of its
 * rows, inside bounds or at them. KS_ERROR_UNAVAILABLE: it cannot be solved. */
KS_MUST_USE ksStatus ksiRestoreSystem(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces **places);

/* --- selection.c: the joints of a sum; isOfWorld: only the contacts with the world --- */

void ksiChooseNone(ksInspector *inspector);
KS_MUST_USE ksStatus ksiChoose(ksInspector *inspector, size_t n, const ksWrenchTerm *term, bool isOfWorld);

/* The factor in the sum of the wrench on this side's body: 1, 0, or -1 if the sum has the wrench on
 * the world instead. */
int ksiTimesChosen(const ksiChosen *chosen, int side);

/* ksiNextChosen: the next joint of the sum; after NULL the first one. ksiFindChosen: a joint by its
 * index. NULL: there is none, or its wrenches cancel. */
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
 * bodies? Then momentum determines the sum. bar: of the observed sum about this point. */
bool ksiFindCut(ksInspector *inspector, const double about[3], ksWrench *bar);

#endif

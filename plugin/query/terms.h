/* terms.h  Terms of sums, and subscribed sums. */
#ifndef KSI_QUERY_TERMS_H
#define KSI_QUERY_TERMS_H

#include "query.h"

/* A term, and the state of its joint at the subscription. */
typedef struct ksiTerm {
    ksWrenchTerm term;
    bool isOfWorld; /* only contacts with the world */
    dJointType type;
    dBodyID body[2];
} ksiTerm;

typedef struct ksiTerms {
    size_t count, gone; /* gone: number of terms that were gone in the last step */
    ksiTerm at[];
} ksiTerms;

/* Checks the terms, and copies them. */
KS_MUST_USE ksStatus ksiMakeTerms(ksInspector *inspector, const ksWrenchTerm *term, size_t count, ksiTerms **out);

/* Does the first term have the axes and the point that the limits request? KS_OK,
 * KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_ANCHOR. */
KS_MUST_USE ksStatus ksiCheckView(const ksThreshold *limits, const ksiTerm *first);

/* Begins a mean over limits->window. On success the mean owns the terms. */
KS_MUST_USE ksStatus ksiBeginMean(ksInspector *inspector, ksiTerms *terms, const ksThreshold *limits,
                                  ksSubscription *mean);
KS_MUST_USE ksStatus ksiCheckWindow(double window);

/* Finds an active mean of this inspector, or says why there is none. */
KS_MUST_USE ksStatus ksiFindMean(const ksInspector *inspector, ksSubscription mean, const char *name,
                                 const ksiSubscription **found);

/* The ksiSeeFn of sums, whose terms are in ksiWatch::sum. Without a callback (a mean) each step
 * with known forces counts, whatever their verdicts and bars. */
bool ksiSeeTerms(ksInspector *inspector, ksiWatch *watch, ksiSight *sight);

#endif

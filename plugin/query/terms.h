/* terms.h  Terms of sums, and subscribed sums. */
#ifndef KSI_QUERY_TERMS_H
#define KSI_QUERY_TERMS_H

#include "query.h"

/* A term, and the joint as it was when it was named. */
typedef struct ksiTerm {
    ksWrenchTerm term;
    bool isOfWorld; /* of contacts: those with the world alone */
    dJointType type;
    dBodyID body[2];
} ksiTerm;

typedef struct ksiTerms {
    size_t count, gone; /* of these, in the last step */
    ksiTerm at[];
} ksiTerms;

/* Checked, and copied into memory of its own. */
KS_MUST_USE ksStatus ksiMakeTerms(ksInspector *inspector, const ksWrenchTerm *term, size_t count, ksiTerms **out);

/* KS_OK, or KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_ANCHOR: the first term has no such axes, or no such point. */
KS_MUST_USE ksStatus ksiCheckView(const ksThreshold *limits, const ksiTerm *first);

/* Owns the terms, if it succeeds: the means over a window of this length. */
KS_MUST_USE ksStatus ksiBeginMean(ksInspector *inspector, ksiTerms *terms, const ksThreshold *limits,
                                  ksSubscription *mean);
KS_MUST_USE ksStatus ksiCheckWindow(double window);

/* A mean of this inspector that goes on, or why it is none. */
KS_MUST_USE ksStatus ksiFindMean(const ksInspector *inspector, ksSubscription mean, const char *name,
                                 const ksiSubscription **found);

/* ksiSeeFn, of the terms in ksiWatch::sum. Without a callback every step counts that has forces, known or not: of a mean. */
bool ksiSeeTerms(ksInspector *inspector, ksiWatch *watch, ksiSight *sight);

#endif

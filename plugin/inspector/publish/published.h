/* published.h  Published results of a step. */
#ifndef KSI_INSPECTOR_PUBLISH_PUBLISHED_H
#define KSI_INSPECTOR_PUBLISH_PUBLISHED_H

#include "../step_view.h"

/* Arrays are by joint of the step. */
typedef struct ksiPublished {
    ksReaction *reaction; /* see ksiReactionOf */
    ksRow (*row)[KSI_MAX_ROWS];
    bool *isFilled;         /* its reaction and its rows are of this step */
    bool *isHeard;          /* a subscription needs this joint */
    bool *isAlive;          /* the joint still exists */
    int *firstSubscription; /* first subscription to this joint, or -1 */
    int *firstOfBody;       /* [bodies] first subscription to contacts of this body, or -1 */
    size_t count;           /* joints that are judged */
    bool isReported;        /* the report of this step is complete */
    bool isKnown;           /* the solver had memory for the step, so reactions and queries are
                               available */
    ksStepReport report;
} ksiPublished;

/* fill_reaction.c, once the motion is known. ksiFindWork: the work of a joint, and of each of its
 * rows. ksiFindMotorWork: the work of its motors at stops, which the work of their rows contains.
 * ksiFindUnsolved: the largest ksRow::unsolved of its rows, in the unit of
 * ksStepReport::worstUnsolved. */
double ksiFindWork(const ksiStep *step, int joint, double work[KSI_MAX_ROWS]);
double ksiFindMotorWork(const ksiStep *step, int joint);
double ksiFindUnsolved(const ksiStep *step, int joint);
/* The published reaction of a judged joint, filled in at the first request in this step. */
const ksReaction *ksiReactionOf(const ksiStep *step, const ksiPublished *published, size_t joint);
/* The reaction of a vanished joint: all values are unknown. */
void ksiFillGone(const ksiStep *step, ksReaction *reaction);
/* fill_motors.c. ksiFillMotors: the motors of a joint, by axis, from its filled rows. ksiNoMotor:
 * for an axis without a motor. */
void ksiFillMotors(const ksiStep *step, int joint, const ksRow *row, ksReaction *reaction);
extern const ksMotor ksiNoMotor;
/* tree_drift.c: ksReaction::gap */
void ksiFindGap(const ksiStep *step, int joint, double gap[2]);

#endif

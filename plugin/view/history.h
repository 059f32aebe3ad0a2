/* history.h  The forces of each joint over the last steps, for the chart. */
#ifndef KSI_VIEW_HISTORY_H
#define KSI_VIEW_HISTORY_H

#include "picture.h"

#include <kinetostat/kinetostat.h>

enum { KSI_STEPS = 500, KSI_TRACKS = 1000 }; /* steps that are kept; joints at most, the oldest ones */

typedef struct ksiForceSample {
    float force[KS_PHYSICAL + 1]; /* N; NaN: not known */
    bool isUnique;
} ksiForceSample;

/* A joint that is no contact. */
typedef struct ksiTrack {
    dJointID joint;
    dJointType type;
    int number;             /* among its type, from 1, the oldest first */
    ksiForceSample *moment; /* [KSI_STEPS] */
} ksiTrack;

typedef struct ksiForceHistory {
    ksiTrack *track; /* in the order of creation */
    size_t count;
    double time[KSI_STEPS]; /* s; both are rings */
    unsigned long steps;    /* that were added; the last one is at (steps - 1) % KSI_STEPS */
    double begin;           /* s: when the inspector began to count time */
    dJointID chosen;        /* of the chart; compare, do not dereference */
} ksiForceHistory;

/* Adds the inspector's last step. false: out of memory; the history is empty. */
bool ksiHistoryAdd(ksiForceHistory *history, const ksInspector *inspector);
void ksiHistoryFree(ksiForceHistory *history); /* and empties it */

/* NULL: none. */
const ksiTrack *ksiHistoryFind(const ksiForceHistory *history, dJointID joint);
void ksiHistoryNext(ksiForceHistory *history); /* chooses the next joint */

/* "hinge 3", or the joint's given name. */
void ksiHistoryName(const ksiForceHistory *history, const ksInspector *inspector, dJointID joint, char name[64]);

/* The chart of the chosen joint; pixels. */
void ksiHistoryDraw(const ksiForceHistory *history, const ksInspector *inspector, const bool shown[KS_PHYSICAL + 1],
                    double x, double y, double width, double height, double scale, ksiPicture *picture);

#endif

/* contact_physical.h  Physical contact forces of the pairs of ksInspectorPair. */
#ifndef KSI_INSPECTOR_CONTACTS_CONTACT_PHYSICAL_H
#define KSI_INSPECTOR_CONTACTS_CONTACT_PHYSICAL_H

#include "../../linear/simplex.h"
#include "../../mechanics/bounds/active_set.h"
#include "../step_view.h"

/* What a point of contact does in a step. */
typedef enum ksiPointWay {
    KSI_TOUCHES, /* it stays, or lets go: 0 <= a ⊥ lambda >= 0 */
    KSI_STRIKES, /* it closes faster than a body falls: the engine's own row */
    KSI_LEAVES   /* it parts as fast: no force */
} ksiPointWay;

/* What the place of a point goes along with. */
typedef enum ksiPointMotion {
    KSI_WITH_BODIES, /* an edge, which stays on both */
    KSI_WITH_FIRST,  /* the mass centre of the first body: a ball that rolls */
    KSI_WITH_SECOND
} ksiPointMotion;

/* A point of contact, of this step, or one that was there a few steps ago and may be missing for a moment. */
typedef struct ksiPoint {
    dBodyID body[2];
    int bodyIndex[2];   /* -1: the world */
    int joint;          /* of this step; -1: remembered */
    unsigned long seen; /* the last step that had it */
    ksiPointWay way;
    int group;        /* a body */
    int count, first; /* rows; the first of them in the equations, or -1 */
    unsigned slides;  /* rows that follow the engine's own equation: bits */
    double
        free; /* the acceleration that it would have without the forces of its pair: largest of its rows that are not rolling */
    ksiRow row[KSI_MAX_ROWS];
    double scaled[KSI_MAX_ROWS][12], rate[KSI_MAX_ROWS];
    double reported[KSI_MAX_ROWS], multiplier[KSI_MAX_ROWS];
    ksiPointMotion motion;
    bool isSteady, tilts;        /* ... and its bodies tilt about it, or roll; so they do at all points of the pair */
    double place[3];             /* in the world, m */
    double turning[2][3];        /* of its bodies, rad/s */
    double normal;               /* the one that friction is bounded by */
    double apart;                /* from that of the last round to the one found with it */
    double target[KSI_MAX_ROWS]; /* what multipliers are drawn to, where mechanics leaves them open */
} ksiPoint;

/* A pair, from step to step. Components: of the wrench on the first body, force and torque about its mass centre. */
typedef struct ksiPair {
    ksSubscription of;
    dBodyID body[2];       /* the second may be the world: NULL */
    unsigned long touched; /* the last step in which a point of it touched; 0: none */
    unsigned long lacked;  /* ... in which points that carry were missing; likewise */
    /* The window under way, and what whole ones have left */
    int count; /* steps in `own` */
    double time;
    ksiTrend own[6];
    double apart[6]; /* sum of h (engine's - physical) */
    int whole;       /* windows, up to KSI_RUN_WINDOWS */
    double bias[KSI_RUN_WINDOWS][6], noise[6], level[6];
    /* Of the last step */
    ksWrench wrench, bar, open;
    ksVerdict verdict;
    ksReasons reasons;
} ksiPair;

typedef struct ksiContactRoom {
    ksiPair *pair;
    ksiPoint *point, *past; /* of this step, of the last one */
    size_t pairCount, pairCapacity, pointCount, pointCapacity, pastCount, pastCapacity;
    unsigned long number; /* of the step of `past` */
    double h;             /* its length */
    ksSystem *system;     /* NULL: none was needed yet */
    ksSystem *held;       /* of rows of joints that hold alone; likewise */
    int *set, *block;     /* [bodies] union_find.h; place in the system, or -1 */
    int *member, *joint;  /* of a group: bodies; joints that are no contacts */
    double *acceleration; /* [6 bodies] with the contacts as reported, of a group */
    int *root;            /* [pairs] their groups */
    size_t rootCapacity;
    int *parent; /* [bodies + 1] union_find.h, by place in a group */
    double *scratch;
    ksiBoundedRow *bounded;
    size_t capacity[6], scratchCapacity, boundedCapacity;
    /* Of contact_range.c */
    double *range, *start;
    int *pivot;
    struct ksiUnknown *unknown;
    struct ksiForceWay *column;
    size_t rangeCapacity, startCapacity, pivotCapacity, unknownCapacity, columnCapacity;
    ksiSimplex simplex;
} ksiContactRoom;

/* Bodies that hang together by joints and contacts, those remembered included. */
typedef struct ksiContactGroup {
    const ksiStep *step;
    ksiContactRoom *room;
    int root; /* a body */
    int jointCount, bodyCount;
    int heldRows, contactRows; /* of the equations: first those of joints, then those of contacts */
    bool isStruck, isDriven;
    ksReasons reasons;                       /* why it has no solution */
    double *force, *driven, *motion, *probe; /* [6 bodyCount] */
    double *beta, *multiplier, *other;       /* [rows] */
    ksiActiveSet set;
    /* Of contact_range.c */
    int unknownCount, rank;
    ksStatus range;
    bool isRangeKnown, isProgramKnown;
} ksiContactGroup;

/* The points of a group, and its joints that are no contacts. */
#define KSI_EACH_POINT(of, p)                                                                                          \
    for (ksiPoint *p = (of)->room->point;                                                                              \
         (of)->room->pointCount > 0 && p < (of)->room->point + (of)->room->pointCount; p++)                            \
        if (p->group == (of)->root)

/* --- contact_pair.c --- */

/* Room for a pair more, and the pair. Once a step is judged: of all of them that still have their subscription. */
KS_MUST_USE ksStatus ksiReservePair(ksInspector *inspector);
void ksiAddPair(ksInspector *inspector, ksSubscription of, const dBodyID body[2]);
void ksiTakePairs(ksInspector *inspector);
const ksiPair *ksiFindPair(const ksInspector *inspector, ksSubscription of); /* NULL: there is none */

/* --- contact_points.c: the points of this step, of groups that have a pair --- */

KS_MUST_USE ksStatus ksiFindPoints(ksInspector *inspector);
KS_MUST_USE ksStatus ksiRememberPoints(ksInspector *inspector);
int ksiContactRootOf(const ksiStep *step, ksiContactRoom *room, const int body[2]); /* -1: none of them moves */

/* n . w x (p' - v) of both bodies, for a row of the point along n: what the row gains as its place p moves about their mass centres. */
double ksiTurningOf(const ksiStep *step, const ksiPoint *point, int l);

static inline bool ksiIsOfPair(const ksiPoint *point, const dBodyID body[2])
{
    return (point->body[0] == body[0] && point->body[1] == body[1]) ||
           (point->body[0] == body[1] && point->body[1] == body[0]);
}

/* --- contact_physical.c --- */

/* The group of this body: its forces, or why there are none, in `reasons`. */
void ksiSolveContactGroup(const ksiStep *step, ksiContactRoom *room, int root, ksiContactGroup *out);

/* A row of a joint that holds whatever the forces are: not a motor's, not a spring's. One that has a force of its own, between its bounds: it
 * is taken as reported. */
bool ksiIsHeldRow(const ksiStep *step, int joint, int l);
bool ksiIsDrivenRow(const ksiStep *step, int joint, int l);
double ksiReportedMultiplier(const ksiStep *step, int joint, int l);

/* What the points of a pair do on its first body, about its mass centre, with these multipliers of theirs. */
void ksiPairWrench(const ksiContactGroup *group, const dBodyID body[2], bool isReported, ksWrench *out);

/* A system with the bodies of the group and the rows of its joints that hold; their accelerations may all be 0. */
KS_MUST_USE ksStatus ksiFillHeldRows(ksiContactGroup *group, bool isAtRest, int contactRows, ksSystem *system);

/* What of the pair's force rests on motors and springs, N. */
KS_MUST_USE ksStatus ksiDrivenForce(ksiContactGroup *group, const dBodyID body[2], double *force);

/* --- contact_range.c --- */

/* How far each component of the pair's wrench may be from the one that was found, if the motion is the same: multipliers of contacts and motors
 * within their bounds. INFINITY: nothing bounds it. KS_ERROR_BOUND: the search was given up. */
KS_MUST_USE ksStatus ksiFindRange(ksiContactGroup *group, const dBodyID body[2], ksWrench *range);

#endif

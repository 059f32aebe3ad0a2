/* contact_physical.h  Physical contact forces of the pairs of ksInspectorPair. */
#ifndef KSI_INSPECTOR_CONTACTS_CONTACT_PHYSICAL_H
#define KSI_INSPECTOR_CONTACTS_CONTACT_PHYSICAL_H

#include "../../linear/simplex.h"
#include "../../mechanics/bounds/active_set.h"
#include "../step_view.h"

/* The state of a contact point in a step. */
typedef enum ksiPointWay {
    KSI_TOUCHES, /* it rests, or starts to part: 0 <= a ⊥ lambda >= 0 */
    KSI_STRIKES, /* it closes faster than the speed of rest: the engine's own row */
    KSI_LEAVES   /* it parts faster than the speed of rest: no force */
} ksiPointWay;

/* How the place of a point moves. */
typedef enum ksiPointMotion {
    KSI_ON_FIRST, /* with the material of the first body, like an edge */
    KSI_ON_SECOND,
    KSI_WITH_FIRST, /* with the mass centre of the first body: it rolls */
    KSI_WITH_SECOND,
    KSI_MOTIONS
} ksiPointMotion;

/* A contact point of this step, or a remembered one: it existed a few steps ago and may be missing
 * for a moment. */
typedef struct ksiPoint {
    dBodyID body[2];
    int bodyIndex[2];   /* -1: the world */
    int joint;          /* of this step; -1: remembered */
    unsigned long seen; /* the last step that had this point */
    double length;      /* of that step, s */
    double lasted;      /* of an old point: from the start of that step to the start of this one, s */
    bool isMatched;     /* it has an old point */
    double absent;      /* time since the old point was last seen, s; 0: no old point */
    ksiPointWay way;
    int group;        /* a body */
    int next;         /* point of its group, or old point of its pair of bodies; -1: none */
    int count, first; /* rows; the first of them in the equations, or -1 */
    unsigned slides;  /* rows that follow the engine's own equation: bits */
    /* largest acceleration of its rows, without rolling friction, if its pair had no forces */
    double free;
    ksiRow row[KSI_MAX_ROWS];
    double normalSeen[2][6]; /* the normal row in the step that had this point */
    double scaled[KSI_MAX_ROWS][12], rate[KSI_MAX_ROWS];
    double reported[KSI_MAX_ROWS], multiplier[KSI_MAX_ROWS];
    ksiPointMotion motion;
    double place[3];              /* in the world, m */
    double moved[3];              /* velocity of the place in the last step, m/s */
    double drift[KSI_MOTIONS][3]; /* ... beyond each kind of motion */
    bool drifts;                  /* that beyond `motion` is no noise, but part of the motion */
    double change[2][6];          /* d/dt of the normal row in the last step */
    bool swings;                  /* ... which has continued */
    double turning[2][3];         /* angular velocities of its bodies, rad/s */
    double slip[3];               /* velocity of the first body at the place relative to the second,
                                    m/s */
    double running[3];            /* velocity that the host gives the surface, as slip without
                                    friction, m/s */
    double hastening[3];          /* d/dt of it in this step */
    bool isHasteningSeen;         /* `hastening` is the change since the last step; for an old
                                     point: `hastening` of the present point that continues it */
    int drifting, going[2];       /* steps in a row in which the drift and the angular velocities */
    int slipping;                 /* ... and the slip continued */
    double normal;                /* the normal force in the bounds of friction */
    double apart;                 /* the normal force found with it in the last round, minus `normal`
                                    of that round */
    double target[KSI_MAX_ROWS];  /* the multipliers are drawn to these where mechanics leaves them
                                    open */
} ksiPoint;

/* A pair, kept between steps. [6]: components of the wrench on the first body, about its mass
 * centre. */
typedef struct ksiPair {
    ksSubscription of;
    dBodyID body[2];       /* the second may be the world: NULL */
    int root, next;        /* its group in this step, and the next pair of that group; -1: none */
    unsigned long touched; /* the last step in which one of its points touched; 0: none */
    unsigned long lacked;  /* the last step in which remembered points carried load; 0: none */
    /* The present window, and results of complete ones */
    int count; /* steps in `own` */
    double time;
    ksiTrend own[6];
    double apart[6]; /* sum of h (engine's - physical) */
    int whole;       /* windows, up to KSI_RUN_WINDOWS */
    double bias[KSI_RUN_WINDOWS][6], noise[6], level[6];
    /* results of the last step */
    ksWrench wrench, bar, open;
    ksVerdict verdict;
    ksReasons reasons;
} ksiPair;

typedef struct ksiContactRoom {
    ksiPair *pair;
    ksiPoint *point, *past; /* of this step, of the last step */
    size_t pairCount, pairCapacity, pointCount, pointCapacity, pastCount, pastCapacity;
    unsigned long number;                    /* of the step that `past` belongs to */
    double length;                           /* of that step, s */
    ksSystem *system;                        /* NULL: not needed yet */
    ksSystem *held;                          /* of held joint rows alone; NULL: not needed yet */
    int *set, *block;                        /* [bodies] union_find.h; place in the system, or -1 */
    ksiPointers old;                         /* first old point of two bodies: ksiPairKey */
    int *first;                              /* [bodies] by the root of a group its first point, or
                                                -1; */
    int *firstPair, *firstBody, *firstJoint; /* ... its first pair, body and joint, without contact
                                                joints */
    int *nextBody, *nextJoint;               /* [bodies], [joints] the next one of its group */
    int *member, *joint;                     /* bodies and joints of a group */
    double *acceleration;                    /* [6 bodies] of a group, under the reported contact
                                                forces */
    int *parent;                             /* [bodies + 1] union_find.h, by place in a group */
    double *scratch;
    ksiBoundedRow *bounded;
    size_t capacity[12], scratchCapacity, boundedCapacity;
    /* Of contact_range.c */
    double *range, *start;
    int *pivot;
    struct ksiUnknown *unknown;
    struct ksiForceWay *column;
    size_t rangeCapacity, startCapacity, pivotCapacity, unknownCapacity, columnCapacity;
    ksiSimplex simplex;
} ksiContactRoom;

enum { KSI_PROGRAMS = 6 }; /* as many as two pairs have */

/* Bodies that joints and contacts connect, remembered contacts included. */
typedef struct ksiContactGroup {
    const ksiStep *step;
    ksiContactRoom *room;
    int root; /* a body */
    int jointCount, bodyCount;
    int heldRows, contactRows; /* numbers of rows of the equations: rows of joints come first, then
                                  rows of contacts */
    bool isStruck, isDriven;
    ksReasons reasons;                       /* why it has no solution */
    double *force, *driven, *motion, *probe; /* [6 bodyCount] */
    double *beta, *multiplier, *other;       /* [rows] */
    double *undriven;                        /* [rows] */
    ksiActiveSet set;
    bool isUndrivenKnown;
    ksStatus undrivenStatus;
    /* Of contact_range.c */
    int unknownCount, rank;
    ksStatus range;
    bool isRangeKnown;
    int programs; /* components that were solved by linear programs; the extreme values of the last
                     one are kept */
    double farthest[KSI_PROGRAMS];
} ksiContactGroup;

static inline ksiPoint *ksiPointAt(ksiPoint *point, int index)
{
    return index < 0 ? NULL : point + index;
}

/* Walks the points of a group. */
#define KSI_EACH_POINT(of, p)                                                                                          \
    for (ksiPoint *p = ksiPointAt((of)->room->point, (of)->room->first[(of)->root]); p;                                \
         p = ksiPointAt((of)->room->point, p->next))

/* Walks the old points of the pair of bodies. */
#define KSI_EACH_OLD(step, room, bodyIndex, p)                                                                         \
    for (ksiPoint *p = ksiPointAt((room)->past, ksiPointersFind(&(room)->old, ksiPairKey(step, bodyIndex))); p;        \
         p = ksiPointAt((room)->past, p->next))

/* --- contact_pair.c --- */

/* Reserves memory for one more pair; adds it. ksiTakePairs runs after the verdicts of a step, for
 * all pairs that still have their subscription. */
KS_MUST_USE ksStatus ksiReservePair(ksInspector *inspector);
void ksiAddPair(ksInspector *inspector, ksSubscription of, const dBodyID body[2]);
void ksiTakePairs(ksInspector *inspector);
const ksiPair *ksiFindPair(const ksInspector *inspector, ksSubscription of); /* NULL: there is none */

/* --- contact_points.c: the points of this step, of groups that have a pair --- */

KS_MUST_USE ksStatus ksiFindPoints(ksInspector *inspector);
KS_MUST_USE ksStatus ksiRememberPoints(ksInspector *inspector);
/* The root of the group of these bodies; -1: neither moves. */
int ksiContactRootOf(const ksiStep *step, ksiContactRoom *room, const int body[2]);

static inline bool ksiIsOfPair(const ksiPoint *point, const dBodyID body[2])
{
    return (point->body[0] == body[0] && point->body[1] == body[1]) ||
           (point->body[0] == body[1] && point->body[1] == body[0]);
}

/* --- contact_motion.c --- */

/* Sets the place of a contact of this step, its slip, the velocity of its surface, and the angular
 * velocities of its bodies. */
void ksiPlacePoint(const ksiStep *step, ksiPoint *point);

/* Follow finds the motion of the point since it was `past`. Inherit copies the motion of `past`. */
void ksiFollowPoint(const ksiStep *step, const ksiPoint *past, ksiPoint *point);
void ksiInheritMotion(const ksiPoint *past, ksiPoint *point);

/* The surface of the point gains speed as at the other point of its pair. */
void ksiInheritHastening(const ksiPoint *other, ksiPoint *point);

/* s, from the end of the last step with this old point to the end of this step. */
static inline double ksiSinceSeen(const ksiStep *step, const ksiPoint *past)
{
    return past->lasted - past->length + step->h;
}

/* Moves the rows of a remembered point by its motion in the last step, of this length in s. */
void ksiMovePoint(const ksiStep *step, double time, ksiPoint *point);

/* A remembered point does not repeat a jump. */
void ksiForgetJump(ksiPoint *point);

/* The acceleration that the host gives the surface along a row of friction; 0 in other rows. */
double ksiHasteningOf(const ksiPoint *point, int l);
/* (dJ/dt) v of a row of the point, with its place and its normal in motion. */
double ksiTurningOf(const ksiStep *step, const ksiPoint *point, int l);

/* --- contact_state.c --- */

/* A held row is rigid and inside its bounds: not the row of a motor or a spring. A driven row is
 * another row inside its bounds, whose reported force is a known force. */
bool ksiIsHeldRow(const ksiStep *step, int joint, int l);
bool ksiIsDrivenRow(const ksiStep *step, int joint, int l);
double ksiReportedMultiplier(const ksiStep *step, int joint, int l);

/* Lists the bodies and joints of the group. */
void ksiListMembers(ksiContactGroup *group);
/* Finds the forces on the bodies without contacts and held rows, their accelerations under reported
 * contacts and physical joint forces, and the state of each point. */
void ksiFindContactState(ksiContactGroup *group);
/* J a of the bodies of the group, under these accelerations. */
double ksiContactRate(const ksiContactGroup *group, const int body[2], const ksiRow *row);

/* --- contact_physical.c --- */

/* Solves the contact forces of the body's group. `reasons` says why there are none. */
void ksiSolveContactGroup(const ksiStep *step, ksiContactRoom *room, int root, ksiContactGroup *out);

/* The wrench of the pair's points on its first body, about its mass centre, by reported or by
 * physical multipliers. */
void ksiPairWrench(const ksiContactGroup *group, const dBodyID body[2], bool isReported, ksWrench *out);

/* Fills a system with the bodies of the group and its held rows. isAtRest: the right-hand sides of
 * these rows are 0. */
KS_MUST_USE ksStatus ksiFillHeldRows(ksiContactGroup *group, bool isAtRest, int contactRows, ksSystem *system);

/* The part of the pair's force that rests on motors and springs, N. */
KS_MUST_USE ksStatus ksiDrivenForce(ksiContactGroup *group, const dBodyID body[2], double *force);

/* --- contact_range.c --- */

/* The largest distance of each component of the pair's wrench from its solution, over all
 * multipliers of contacts and motors within their bounds that give the same motion. INFINITY:
 * unbounded; NaN: a component of the torque that is not unique. KS_ERROR_BOUND: the search was
 * given up. */
KS_MUST_USE ksStatus ksiFindRange(ksiContactGroup *group, const dBodyID body[2], ksWrench *range);

#endif

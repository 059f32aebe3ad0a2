/* contact_physical.h  Physical contact forces of the pairs of ksInspectorPair. */
#ifndef KSI_INSPECTOR_CONTACTS_CONTACT_PHYSICAL_H
#define KSI_INSPECTOR_CONTACTS_CONTACT_PHYSICAL_H

#include "../../linear/simplex.h"
#include "../../mechanics/bounds/active_set.h"
#include "../step_view.h"

/* The state of a contact point in a step. */
typedef enum ksiPointWay {
    KSI_TOUCHES, /* it rests, or starts to part: 0 <= a ⊥ lambda >= 0 */
    KSI_STRIKES, /* it closes too fast to be at rest: the engine's own row */
    KSI_LEAVES   /* it parts too fast to be at rest: no force */
} ksiPointWay;

/* How the place of a point moves. */
typedef enum ksiPointMotion {
    KSI_ON_FIRST, /* with the material of the first body, like an edge */
    KSI_ON_SECOND,
    KSI_WITH_FIRST, /* with the mass centre of the first body: it rolls */
    KSI_WITH_SECOND,
    KSI_MOTIONS
} ksiPointMotion;

/* A contact point of this step, or a remembered point, which existed a few steps ago and may be
 * missing for a moment. */
typedef struct ksiPoint {
    dBodyID body[2];
    int bodyIndex[2];   /* -1: the world */
    int joint;          /* of this step; -1: remembered */
    unsigned long seen; /* the last step that had this point */
    double length;      /* of that step, s */
    double lasted;      /* of an old point: time from the start of that step to the start of this
                           step, s */
    bool isMatched;     /* it continues an old point */
    double absent;      /* time since that old point was last seen, s; 0: there is no old point */
    ksiPointWay way;
    int group;        /* the root body of its group */
    int next;         /* the next point of its group; for an old point, the next old point of its
                         two bodies; -1: none */
    int count, first; /* number of its rows; index of the first row in the equations, or -1 */
    unsigned slides;  /* rows that follow the engine's own equation: bits */
    /* largest acceleration that a row of the point would have without the contact forces between
     * its two bodies; rows of rolling friction do not count */
    double free;
    ksiRow row[KSI_MAX_ROWS];
    double normalSeen[2][6]; /* the normal row in the step `seen` */
    double scaled[KSI_MAX_ROWS][12], rate[KSI_MAX_ROWS];
    double reported[KSI_MAX_ROWS], multiplier[KSI_MAX_ROWS];
    ksiPointMotion motion;
    double place[3];              /* in the world, m */
    double moved[3];              /* velocity of the place in the last step, m/s */
    double drift[KSI_MOTIONS][3]; /* ... relative to each kind of motion */
    bool drifts;                  /* the drift relative to `motion` is real, not noise */
    double change[2][6];          /* d/dt of the normal row in the last step */
    bool swings;                  /* ... continues the change in the step before */
    double turning[2][3];         /* angular velocities of its bodies, rad/s */
    double slip[3];               /* velocity of the first body at the place relative to the second,
                                    m/s */
    double running[3];            /* slip that friction tries to reach, from the surface's velocity
                                     that the host sets, m/s */
    double hastening[3];          /* d/dt of `running` in this step */
    bool isHasteningSeen;         /* `hastening` is measured since the last step; an old point has
                                     the `hastening` of the point that continues it */
    int drifting, going[2];       /* numbers of steps in a row: drifting: the drift has continued;
                                     going: the angular velocity of each body has continued */
    int slipping;                 /* number of steps in a row in which the slip has continued */
    double normal;                /* the normal force from which the bounds of friction follow */
    double apart;                 /* the normal force that the last round has found, minus `normal`
                                     of that round */
    double target[KSI_MAX_ROWS];  /* the multipliers are drawn to these where mechanics does not
                                     determine them */
} ksiPoint;

/* A pair, kept between steps. Arrays [6] are by component of the wrench on the first body, about
 * its mass centre. */
typedef struct ksiPair {
    ksSubscription of;
    dBodyID body[2];       /* the second may be the world: NULL */
    int root, next;        /* its group in this step, and the next pair of that group; -1: none */
    unsigned long touched; /* the last step in which one of its points touched; 0: none */
    unsigned long lacked;  /* the last step in which remembered points carried load; 0: none */
    /* The present window; from `whole` on, complete windows */
    int count; /* steps in `own` */
    double time;
    ksiTrend own[6];
    double apart[6]; /* sum of h (the engine's wrench - the physical wrench) */
    int whole;       /* complete windows, counted up to KSI_RUN_WINDOWS */
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
    int *set, *block;                        /* [bodies] set: union_find.h; block: place in the
                                                system, or -1 */
    ksiPointers old;                         /* first old point of two bodies: ksiPairKey */
    int *first;                              /* [bodies] for the root of a group: its first point,
                                                or -1; */
    int *firstPair, *firstBody, *firstJoint; /* ... its first pair, body, and joint other than a
                                                contact */
    int *nextBody, *nextJoint;               /* [bodies], [joints] the next body, the next joint of
                                                the group */
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

enum { KSI_PROGRAMS = 6 }; /* number of force components of two pairs */

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
    int programs; /* number of components that linear programs have solved; `farthest` has the
                     results of the last KSI_PROGRAMS of them */
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

/* Walks the old points of two bodies. */
#define KSI_EACH_OLD(step, room, bodyIndex, p)                                                                         \
    for (ksiPoint *p = ksiPointAt((room)->past, ksiPointersFind(&(room)->old, ksiPairKey(step, bodyIndex))); p;        \
         p = ksiPointAt((room)->past, p->next))

/* --- contact_pair.c --- */

/* ksiReservePair reserves memory for one more pair, ksiAddPair adds the pair. ksiTakePairs, after
 * the verdicts of a step, finds the results of all pairs that still have their subscription. */
KS_MUST_USE ksStatus ksiReservePair(ksInspector *inspector);
void ksiAddPair(ksInspector *inspector, ksSubscription of, const dBodyID body[2]);
void ksiTakePairs(ksInspector *inspector);
const ksiPair *ksiFindPair(const ksInspector *inspector, ksSubscription of); /* or NULL */

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

/* ksiFollowPoint finds the motion of the point from its old state `past` to this step.
 * ksiInheritMotion copies the motion of `past`. */
void ksiFollowPoint(const ksiStep *step, const ksiPoint *past, ksiPoint *point);
void ksiInheritMotion(const ksiPoint *past, ksiPoint *point);

/* Copies the acceleration of the surface from another point of the same two bodies. */
void ksiInheritHastening(const ksiPoint *other, ksiPoint *point);

/* The time from the end of the last step with this old point to the end of this step, s. */
static inline double ksiSinceSeen(const ksiStep *step, const ksiPoint *past)
{
    return past->lasted - past->length + step->h;
}

/* Moves the rows of a remembered point by its motion in the last step. time: the length of that
 * step, s. */
void ksiMovePoint(const ksiStep *step, double time, ksiPoint *point);

/* Clears the motion of a remembered point that has jumped, since it does not repeat the jump. */
void ksiForgetJump(ksiPoint *point);

/* The acceleration that the host gives the surface along a row of friction; 0 in other rows. */
double ksiHasteningOf(const ksiPoint *point, int l);
/* (dJ/dt) v of a row of the point, whose place and normal move. */
double ksiTurningOf(const ksiStep *step, const ksiPoint *point, int l);

/* --- contact_state.c --- */

/* A held row is rigid and inside its bounds, and is not the row of a motor. A driven row is any
 * other row inside its bounds; its reported force is a known force. */
bool ksiIsHeldRow(const ksiStep *step, int joint, int l);
bool ksiIsDrivenRow(const ksiStep *step, int joint, int l);
double ksiReportedMultiplier(const ksiStep *step, int joint, int l);

/* Lists the bodies and joints of the group. */
void ksiListMembers(ksiContactGroup *group);
/* Finds the forces on the bodies except the forces of contacts and held rows; the accelerations of
 * the bodies under the reported contact forces and the physical joint forces; and the state of each
 * point. */
void ksiFindContactState(ksiContactGroup *group);
/* J a of a row, with the bodies' accelerations in ksiContactRoom::acceleration. */
double ksiContactRate(const ksiContactGroup *group, const int body[2], const ksiRow *row);

/* --- contact_physical.c --- */

/* Computes the contact forces of the group with this root. ksiContactGroup::reasons says why there
 * are none. */
void ksiSolveContactGroup(const ksiStep *step, ksiContactRoom *room, int root, ksiContactGroup *out);

/* The wrench of the pair's points on the first body of the pair, about the mass centre of that
 * body, by reported or by physical multipliers. */
void ksiPairWrench(const ksiContactGroup *group, const dBodyID body[2], bool isReported, ksWrench *out);

/* Fills a system with the bodies of the group and its held rows. isAtRest: the right-hand sides of
 * these rows are 0. */
KS_MUST_USE ksStatus ksiFillHeldRows(ksiContactGroup *group, bool isAtRest, int contactRows, ksSystem *system);

/* The part of the pair's force that motors and springs cause, N. */
KS_MUST_USE ksStatus ksiDrivenForce(ksiContactGroup *group, const dBodyID body[2], double *force);

/* --- contact_range.c --- */

/* The largest distance of each component of the pair's wrench from its solution. The multipliers of
 * contacts and motors take all values within their bounds that give the same motion. INFINITY:
 * unbounded; NaN: a component of the torque that is not unique. KS_ERROR_BOUND: the search was
 * given up. */
KS_MUST_USE ksStatus ksiFindRange(ksiContactGroup *group, const dBodyID body[2], ksWrench *range);

#endif

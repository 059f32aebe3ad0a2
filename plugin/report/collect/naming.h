/* naming.h  Numbers and names of bodies and joints, the same in each run.
 *
 * Bodies are numbered in order of creation, as far as steps show it, and so are the joints of each
 * type. New objects of the same step have the order of the world's lists, oldest first.
 *
 * The allocator reuses addresses. So a body counts as the body of the last step if it has the same
 * address, and has not overtaken others in the list. A joint must have the same type and
 * bodies as well. An object that was destroyed and made again at the same address between two
 * steps is new, unless it is the newest in the list. */
#ifndef KSI_REPORT_COLLECT_NAMING_H
#define KSI_REPORT_COLLECT_NAMING_H

#include <kinetostat/kinetostat.h>

typedef struct ksiNaming ksiNaming;

/* The identity of a joint, or of all contacts between the same two bodies. */
typedef struct ksiIdentity {
    dJointType type;
    int number;        /* among the joints of its type, from 1; contacts: 0 */
    int body[2];       /* numbers of ksReaction::body, from 1; 0: the world. Contacts: the smaller
                          first, the world last */
    const char *given; /* as ksInspectorSetName received it, or NULL; contacts have none */
    const char
        *name; /* "elbow", "elbow (2)"; "hinge 3: body 4 – body 7"; "contact: body 4 – world". Clean and unique */
} ksiIdentity;

/* One naming per world. allocator NULL: the C library's. Create: NULL: out of memory. Destroy: NULL
 * is allowed. */
ksiNaming *ksiNamingCreate(const ksAllocator *allocator);
void ksiNamingDestroy(ksiNaming *naming);

/* Call it after each inspected step of the world's inspector. KS_OK or KS_ERROR_NO_MEMORY: some
 * joints then have no identity. */
KS_MUST_USE ksStatus ksiNamingUpdate(ksiNaming *naming, const ksInspector *inspector);

/* The identity of a reaction of the last update's step; NULL: not in that step. Valid until the
 * next update. */
const ksiIdentity *ksiIdentify(const ksiNaming *naming, const ksReaction *reaction);

/* The identity of the contacts between two bodies (NULL: the world) in that step, if they touch or
 * are a pair of ksInspectorPair; else NULL. Valid until the next update. */
const ksiIdentity *ksiIdentifyPair(const ksiNaming *naming, dBodyID a, dBodyID b);

/* The number of a body in that step; 0: unknown, or NULL. */
int ksiBodyNumber(const ksiNaming *naming, dBodyID body);

/* For replay, where the recorder has counted: the next update gives this number (>= 1) to the joint
 * or body at this address. New objects without a number get higher ones. KS_OK or
 * KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiNamingSetJoint(ksiNaming *naming, dJointID joint, int number);
KS_MUST_USE ksStatus ksiNamingSetBody(ksiNaming *naming, dBodyID body, int number);

#endif

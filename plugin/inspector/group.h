/* group.h  Bodies and joints that hang together, contacts included: what sweeps go over. Islands end at contacts that are known
 * loads; where no contact is one, groups are the islands. */
#ifndef KSI_INSPECTOR_GROUP_H
#define KSI_INSPECTOR_GROUP_H

#include "step_view.h"

typedef struct ksiGroup {
    int *joint, *body; /* [jointCount], [bodyCount] indices */
    int jointCount, bodyCount;
    bool isSound;      /* its rows and bodies make equations */
    bool isLoaded;     /* one of its contacts is a known load */
    bool hasFriction;  /* whose bounds follow a normal force */
    ksReasons reasons; /* of its islands */
} ksiGroup;

typedef struct ksiGroups {
    bool isKnown; /* of this step */
    ksiGroup *group;
    int *of, *slot; /* [bodies] group of a body, or -1, and its place there */
    int *parent;    /* [bodies] union_find.h */
    int *jointOf, *bodyOf;
    size_t count, capacity, jointCapacity, bodyCapacity, ofCapacity, slotCapacity, parentCapacity;
} ksiGroups;

/* Where they are not known. */
KS_MUST_USE ksStatus ksiFindGroups(const ksiStep *step, ksiGroups *groups);

#endif

/* group.h  Groups of bodies that joints and contacts connect, for sweeps. Islands end at contacts
 * that are known loads; without such contacts, the groups are the islands. */
#ifndef KSI_INSPECTOR_READ_GROUP_H
#define KSI_INSPECTOR_READ_GROUP_H

#include "../step_view.h"

typedef struct ksiGroup {
    int *joint, *body; /* [jointCount], [bodyCount] indices */
    int jointCount, bodyCount;
    bool isSound;      /* its rows and bodies form valid equations */
    bool isLoaded;     /* one of its contacts is a known load */
    bool hasFriction;  /* it has friction whose bounds follow a normal force */
    ksReasons reasons; /* of its islands */
} ksiGroup;

typedef struct ksiGroups {
    bool isKnown; /* found in this step */
    ksiGroup *group;
    ksiIslands members; /* each ksiIsland in it stands for a group */
    int *parent;        /* [bodies] union_find.h */
    size_t capacity[7];
} ksiGroups;

/* Finds the groups unless they are known. */
KS_MUST_USE ksStatus ksiFindGroups(const ksiStep *step, ksiGroups *groups);

/* -1: the body has no joint */
KSI_INLINE int ksiGroupOf(const ksiGroups *groups, int body)
{
    return groups->members.body[body].island;
}

#endif

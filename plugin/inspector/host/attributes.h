/* attributes.h  Names and compliances that the host gives to joints. */
#ifndef KSI_INSPECTOR_HOST_ATTRIBUTES_H
#define KSI_INSPECTOR_HOST_ATTRIBUTES_H

#include "../../engine/engine.h"

#include <kinetostat/kinetostat.h>

#include <stdbool.h>

/* Bound to address, type and bodies of a joint. */
typedef struct ksiAttributes {
    dJointID joint;
    dJointType type;
    dBodyID body[2];
    char *name;           /* or NULL */
    double compliance[2]; /* linear, m/N; angular, rad/(N.m); 0: not given */
    bool isThere;         /* while joints that are gone are looked for */
} ksiAttributes;

typedef struct ksiAttributeList {
    ksiAttributes *at; /* in the order of addresses */
    size_t count, capacity;
    size_t compliant; /* of them, those with a compliance */
    bool isStamped;   /* while this stamp holds, all of these joints are there */
    ksiStamp stamp;
} ksiAttributeList;

/* Of the joints that were read: ksiJointInput::compliance. */
void ksiReadCompliances(ksInspector *inspector);

#endif

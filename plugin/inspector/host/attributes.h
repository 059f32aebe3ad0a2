/* attributes.h  Names and compliances that the host gives to joints. */
#ifndef KSI_INSPECTOR_HOST_ATTRIBUTES_H
#define KSI_INSPECTOR_HOST_ATTRIBUTES_H

#include "../../engine/engine.h"

#include <kinetostat/kinetostat.h>

#include <stdbool.h>

/* The attributes of one joint, which its address, type and bodies identify. */
typedef struct ksiAttributes {
    dJointID joint;
    dJointType type;
    dBodyID body[2];
    char *name;           /* or NULL */
    double compliance[2]; /* linear, m/N; angular, rad/(N.m); 0: not given */
    bool isThere;         /* during the search for vanished joints: this joint still exists */
} ksiAttributes;

typedef struct ksiAttributeList {
    ksiAttributes *at; /* sorted by address */
    size_t count, capacity;
    size_t compliant; /* number of attributes with a compliance */
    bool isStamped;   /* `stamp` is set; while it is valid, all of these joints exist */
    ksiStamp stamp;
} ksiAttributeList;

/* Sets ksiJointInput::compliance of the joints of the step. */
void ksiReadCompliances(ksInspector *inspector);

#endif

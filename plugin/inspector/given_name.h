/* given_name.h  The names that the host gives to joints. */
#ifndef KSI_INSPECTOR_GIVEN_NAME_H
#define KSI_INSPECTOR_GIVEN_NAME_H

#include "../engine/engine.h"

#include <kinetostat/kinetostat.h>

#include <stdbool.h>

/* Bound to address, type and bodies of a joint. */
typedef struct ksiGivenName {
    dJointID joint;
    dJointType type;
    dBodyID body[2];
    char *name;
    bool isThere; /* while joints that are gone are looked for */
} ksiGivenName;

typedef struct ksiGivenNames {
    ksiGivenName *at; /* in the order of addresses */
    size_t count, capacity;
    bool isStamped; /* while this stamp holds, all of these joints are there */
    ksiStamp stamp;
} ksiGivenNames;

void ksiFreeGivenNames(const ksAllocator *allocator, ksiGivenNames *names);

#endif

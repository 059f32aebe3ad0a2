/* joint_type.h  The engine's joint types by name. */
#ifndef KSI_JOINT_TYPE_H
#define KSI_JOINT_TYPE_H

#include <ode/ode.h>

enum { KSI_TYPES = 32 }; /* more than there are; a type is a bit of an unsigned */

/* "hinge", as in the table at ksFrame; "joint" if it is unknown. Static storage. */
const char *ksiTypeName(dJointType type);

/* 1 and the type of this name; 0: there is none. */
int ksiTypeFromName(const char *name, dJointType *type);

#endif

/* joint_type.h  The engine's joint types by name, and default names of joints. */
#ifndef KSI_REPORT_FILES_JOINT_TYPE_H
#define KSI_REPORT_FILES_JOINT_TYPE_H

#include <ode/ode.h>
#include <stdbool.h>

enum { KSI_TYPES = 32 }; /* more than the types that exist: as many as an unsigned has bits */

enum { KSI_LONGEST_NAME = 96 };

/* "hinge 3: body 4 – body 7"; number 0: omits the number; body 0 is the world. */
void ksiWriteJointName(char out[KSI_LONGEST_NAME], dJointType type, int number, const int body[2]);

/* "hinge", as in the table at ksFrame; "joint" if it is unknown. Static storage. */
const char *ksiTypeName(dJointType type);

/* Does the motor of this axis (from 0) push along the axis, rather than turn about it? */
bool ksiIsAlongAxis(dJointType type, int axis);

/* Returns 1 and sets the type of this name; 0: there is none. */
int ksiTypeFromName(const char *name, dJointType *type);

#endif

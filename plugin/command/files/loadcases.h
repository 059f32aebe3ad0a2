/* loadcases.h  kinetostat loadcases: the loads on one body of a recording, for finite elements. */
#ifndef KSI_COMMAND_FILES_LOADCASES_H
#define KSI_COMMAND_FILES_LOADCASES_H

/* argument[0]: "loadcases". Returns a status to exit with. */
int ksiLoadCasesCommand(int count, char *argument[]);

#endif

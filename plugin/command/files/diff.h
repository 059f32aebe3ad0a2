/* diff.h  kinetostat diff: finds where two recordings begin to differ, and why. */
#ifndef KSI_COMMAND_FILES_DIFF_H
#define KSI_COMMAND_FILES_DIFF_H

/* argument[0]: "diff". Returns an exit status like that of diff(1): 0: equal; 1: different; 2:
 * trouble. */
int ksiDiff(int count, char *argument[]);

#endif

/* world_name.h  Names of recorded worlds. */
#ifndef KSI_REPORT_RECORDING_WORLD_NAME_H
#define KSI_REPORT_RECORDING_WORLD_NAME_H

enum { KSI_WORLD_NAME = 160 };

/* Writes "world 1" for the first process, and "process 2, world 1" or "process 2 (walker), world 1"
 * for others. process: from 1, in the order of first records. program: "walker"; empty if it is the
 * first process's. */
void ksiWriteWorldName(char out[KSI_WORLD_NAME], unsigned process, const char *program, unsigned number);

#endif

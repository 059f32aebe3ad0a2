/* world_name.h  Names of recorded worlds. */
#ifndef KSI_REPORT_RECORDING_WORLD_NAME_H
#define KSI_REPORT_RECORDING_WORLD_NAME_H

enum { KSI_WORLD_NAME = 160 };

/* "world 1" of the first process, with a number only; "process 2, world 1"; "process 2 (walker),
 * world 1" with a program. process: from 1, in the order of first records; program: empty if equal
 * to the first one's. */
void ksiWriteWorldName(char out[KSI_WORLD_NAME], unsigned process, const char *program, unsigned number);

#endif

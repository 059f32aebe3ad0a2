/* program_name.h  Name of this process: its program and, for an interpreter, the script. */
#ifndef KSI_PRELOAD_PROGRAM_NAME_H
#define KSI_PRELOAD_PROGRAM_NAME_H

#include <stddef.h>

/* The part of a path after its last slash. */
const char *ksiLastPart(const char *path);

/* Name of this process: "simulation", "python3 walker.py", "python3 -m walker", "sh -c". */
void ksiProgramName(char *out, size_t size);

#endif

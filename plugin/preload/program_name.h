/* program_name.h  What a process is called: its program and, if that is an interpreter, the script. */
#ifndef KSI_PRELOAD_PROGRAM_NAME_H
#define KSI_PRELOAD_PROGRAM_NAME_H

#include <stddef.h>

/* Of a path, behind its last slash. */
const char *ksiLastPart(const char *path);

/* Of this process: "simulation", "python3 walker.py", "python3 -m walker", "sh -c". */
void ksiProgramName(char *out, size_t size);

#endif

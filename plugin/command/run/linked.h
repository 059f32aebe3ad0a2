/* linked.h  Detects programs with a statically linked engine. */
#ifndef KSI_COMMAND_RUN_LINKED_H
#define KSI_COMMAND_RUN_LINKED_H

#include <stdbool.h>

/* Is the file a 64-bit program with the engine linked into it? A script is not. */
bool ksiHasEngineInside(const char *path);

#endif

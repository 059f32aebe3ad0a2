/* linked.h  Detects programs with a statically linked engine. */
#ifndef KSI_COMMAND_RUN_LINKED_H
#define KSI_COMMAND_RUN_LINKED_H

#include <stdbool.h>

/* Is the file a program of this machine with the engine in it? A script is none. */
bool ksiHasEngineInside(const char *path);

#endif

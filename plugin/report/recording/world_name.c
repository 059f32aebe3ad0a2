/* world_name.c  Names of recorded worlds. */
#include "world_name.h"

#include <stdio.h>

void ksiWriteWorldName(char out[KSI_WORLD_NAME], unsigned process, const char *program, unsigned number)
{
    if (process == 1)
        snprintf(out, KSI_WORLD_NAME, "world %u", number);
    else if (!program[0])
        snprintf(out, KSI_WORLD_NAME, "process %u, world %u", process, number);
    else
        snprintf(out, KSI_WORLD_NAME, "process %u (%.100s), world %u", process, program, number);
}

/* calls.h  Functions of the engine that the wrapper stands for because their use may be a trap (../report/traps.h). */
#ifndef KSI_PRELOAD_CALLS_H
#define KSI_PRELOAD_CALLS_H

#include <stdbool.h>

/* Of the stub: is this process inspected, and has it not met this trap yet? It has. */
bool ksiIsTrapOpen(int trap);
void ksiNoteTrap(int trap);

/* The wrapper's function of this name; NULL: it has none. */
const void *ksiCallOf(const char *name);

#endif

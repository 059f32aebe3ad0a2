/* lookup.h  Programs that ask dlsym(3) for the engine's steppers get those of the wrapper. */
#ifndef KSI_PRELOAD_LOOKUP_H
#define KSI_PRELOAD_LOOKUP_H

#include <stddef.h>

/* dlsym of the C library, for the wrapper itself. */
void *ksiFindSymbol(void *handle, const char *name);

/* The file of the engine that has the function at this address, as the loader knows it; NULL: no engine has it. Something that merely
 * stands for one of the engine's functions is no engine: it cannot make worlds, or is this wrapper. */
const char *ksiEngineOf(const void *function);

/* Names of the files that are loaded, one behind the other, each with its end; to be freed. NULL: length is 0. */
char *ksiLoadedFiles(size_t *length);

#endif

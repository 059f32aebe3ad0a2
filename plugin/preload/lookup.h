/* lookup.h  Programs that look up the engine's steppers by dlsym(3) get the wrapper's. */
#ifndef KSI_PRELOAD_LOOKUP_H
#define KSI_PRELOAD_LOOKUP_H

#include <stddef.h>

/* dlsym of the C library, for the wrapper itself. */
void *ksiFindSymbol(void *handle, const char *name);

/* The engine's file that holds the function at this address, by the loader; NULL: none. A mere
 * wrapper of engine functions, as this one, is no engine: it cannot make worlds. */
const char *ksiEngineOf(const void *function);

/* Names of the loaded files, each null-terminated; the caller frees them. NULL: length is 0. */
char *ksiLoadedFiles(size_t *length);

#endif

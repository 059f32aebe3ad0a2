/* lookup.h  Gives the wrapper's steppers to programs that look up the engine's steppers with
 * dlsym(3). */
#ifndef KSI_PRELOAD_LOOKUP_H
#define KSI_PRELOAD_LOOKUP_H

#include <stddef.h>

/* The C library's dlsym, for the wrapper itself. */
void *ksiFindSymbol(void *handle, const char *name);

/* The engine's file that holds the function at this address, according to the loader; NULL: none.
 * The wrapper itself is no engine, and neither is a library that cannot create worlds. */
const char *ksiEngineOf(const void *function);

/* Names of the loaded files, each null-terminated; the caller frees them. NULL: length is 0. */
char *ksiLoadedFiles(size_t *length);

#endif

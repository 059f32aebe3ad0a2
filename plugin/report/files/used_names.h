/* used_names.h  Makes names unique: "elbow", "elbow (2)". */
#ifndef KSI_REPORT_FILES_USED_NAMES_H
#define KSI_REPORT_FILES_USED_NAMES_H

#include "maps.h"

/* Zero-initialised: empty. For each name: a 64-bit hash, and the number to try next. */
typedef struct ksiUsedNames {
    ksiMap map;
} ksiUsedNames;

/* Returns the name if it is unused, else the name with the first number that makes it unique, and
 * marks the result as used. From this allocator; NULL: out of memory. */
char *ksiUseName(const ksAllocator *allocator, ksiUsedNames *used, const char *name);

bool ksiIsUsedName(const ksiUsedNames *used, const char *name);

#endif

/* used_names.h  Makes names unique: "elbow", "elbow (2)". */
#ifndef KSI_REPORT_FILES_USED_NAMES_H
#define KSI_REPORT_FILES_USED_NAMES_H

#include "maps.h"

/* All zero: none. For each name: a hash of 64 bits, and the number to try next. */
typedef struct ksiUsedNames {
    ksiMap map;
} ksiUsedNames;

/* This name if it is unused, else with the first number that makes it unique; it is used from now
 * on. Of this allocator; NULL: out of memory. */
char *ksiUseName(const ksAllocator *allocator, ksiUsedNames *used, const char *name);

bool ksiIsUsedName(const ksiUsedNames *used, const char *name);

#endif

/* used_names.c  Makes names unique. */
#include "used_names.h"

#include <stdio.h>
#include <string.h>

/* FNV-1a */
static uint64_t hashOf(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return hash;
}

bool ksiIsUsedName(const ksiUsedNames *used, const char *name)
{
    return ksiMapFind(&used->map, hashOf(name), 0) != NULL;
}

char *ksiUseName(const ksAllocator *allocator, ksiUsedNames *used, const char *name)
{
    const uint64_t hash = hashOf(name);
    const size_t size = strlen(name) + sizeof " (18446744073709551615)";
    const uint64_t *last = ksiMapFind(&used->map, hash, 0);
    uint64_t number = last ? *last : 1;
    char *made = ksiRoomMake(allocator, size);
    if (!made)
        return NULL;
    strcpy(made, name);
    while (ksiIsUsedName(used, made))
        snprintf(made, size, "%s (%llu)", name, (unsigned long long)++number);
    if (ksiMapPut(allocator, &used->map, hashOf(made), 0, 1) && ksiMapPut(allocator, &used->map, hash, 0, number))
        return made;
    ksiFree(allocator, made);
    return NULL;
}

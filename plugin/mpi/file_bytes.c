/* file_bytes.c  Size of a file. */
#include "schedule.h"

#include <sys/stat.h>

uint64_t ksiFileBytes(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
}

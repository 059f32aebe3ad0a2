/* trace_space.c  Reserves disk space before each write. Beyond the file size limit the kernel ends
 * the process with SIGXFSZ; if the disk is full during a write, HDF5 crashes at exit. */
#define _GNU_SOURCE
#include "trace_space.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int limited(int file, size_t bytes, off_t *end)
{
    struct stat status;
    struct rlimit limit;
    *end = -1;
    if (fstat(file, &status))
        return errno;
    if (!S_ISREG(status.st_mode))
        return 0;
    *end = status.st_size;
    if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY)
        return 0;
    return (uint64_t)*end + bytes > limit.rlim_cur ? EFBIG : 0;
}

int ksiWriteIfSpace(int file, const char *bytes, size_t count)
{
    off_t end;
    const int full = limited(file, count, &end);
    if (full)
        return full;
    for (size_t done = 0; done < count;) {
        const ssize_t now = write(file, bytes + done, count - done);
        if (now < 0 && errno != EINTR) {
            const int failure = errno;
            // removes the part that was written
            if (end >= 0 && !ftruncate(file, end))
                lseek(file, end, SEEK_SET);
            return failure;
        }
        done += now < 0 ? 0 : (size_t)now;
    }
    return 0;
}

int ksiReserveSpace(int file, size_t bytes)
{
    off_t end;
    const int failure = limited(file, bytes, &end);
    if (failure || end < 0)
        return failure;
    int refused;
    do
        refused = fallocate(file, FALLOC_FL_KEEP_SIZE, end, (off_t)bytes) ? errno : 0;
    while (refused == EINTR);
    if (refused != EOPNOTSUPP && refused != ENOSYS)
        return refused;
    struct statvfs system;
    if (!fstatvfs(file, &system) && (uint64_t)system.f_bavail * system.f_frsize < bytes)
        return ENOSPC;
    return 0;
}

static void resize(int file, off_t more)
{
    struct stat status;
    // a failure does no harm
    if (!fstat(file, &status) && S_ISREG(status.st_mode) && ftruncate(file, status.st_size + more))
        return;
}

void ksiReturnSpace(int file)
{
    resize(file, 0);
}

void ksiGrowFile(int file, size_t bytes)
{
    resize(file, (off_t)bytes);
}

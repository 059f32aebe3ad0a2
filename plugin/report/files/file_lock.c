/* file_lock.c  Lets one program at a time write a growing file. Uses flock(), where the file system
 * has it. */
#include "file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int lock(int file, int how)
{
    return flock(file, how | LOCK_NB) && errno == EWOULDBLOCK ? EWOULDBLOCK : 0;
}

int ksiLockFile(const char *path, int access, int *file)
{
    struct stat status;
    const int handle = open(path, access | O_CREAT | O_CLOEXEC, 0666);
    if (handle < 0)
        return errno;
    const int refused = fstat(handle, &status) ? errno : S_ISREG(status.st_mode) ? lock(handle, LOCK_EX) : 0;
    if (refused)
        close(handle);
    else
        *file = handle;
    return refused;
}

int ksiShareLock(int file)
{
    return lock(file, LOCK_SH);
}

int ksiUnlockFile(int file)
{
    flock(file, LOCK_UN);
    return close(file) ? errno : 0;
}

const char *ksiLockWords(int error)
{
    return error == EWOULDBLOCK ? "another program has it open" : strerror(error);
}

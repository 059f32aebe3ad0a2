/* file.c  Files that are there as a whole or not at all. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TRIES = 100 };

static int writeAll(int file, const char *text, size_t length)
{
    while (length > 0) {
        const ssize_t written = write(file, text, length);
        if (written < 0 && errno != EINTR)
            return errno;
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        }
    }
    return 0;
}

static int writeTo(int file, const char *text, size_t length)
{
    int error = file < 0 ? errno : writeAll(file, text, length);
    if (file >= 0 && close(file) != 0 && !error)
        error = errno;
    return error;
}

int ksiFileReplace(const char *path, const char *text, size_t length)
{
    struct stat known;
    const int isThere = stat(path, &known) == 0;
    if (isThere && !S_ISREG(known.st_mode))
        return writeTo(open(path, O_WRONLY | O_CLOEXEC), text, length);
    // a link stays, and what it names is replaced
    char *own = isThere ? realpath(path, NULL) : NULL;
    const char *target = own ? own : path;
    const size_t size = strlen(target) + 64;
    char *beside = malloc(size);
    int error = beside ? EEXIST : ENOMEM;
    for (int i = 0; i < MOST_TRIES && error == EEXIST; i++) {
        snprintf(beside, size, "%s.%ld-%d.tmp", target, (long)getpid(), i);
        const int file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0) {
            error = errno;
            continue;
        }
        error = writeTo(file, text, length);
        if (!error && rename(beside, target) != 0)
            error = errno;
        if (error)
            unlink(beside);
        break;
    }
    free(beside);
    free(own);
    return error;
}

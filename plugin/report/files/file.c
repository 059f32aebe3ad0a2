/* file.c  Writes files atomically. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TRIES = 100, MOST_LINKS = 40 };

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

/* Opens a temporary file beside this one. Returns 0, or the errno; the caller frees the name in any
 * case. */
static int openBeside(const char *path, char **beside, int *file)
{
    const size_t size = strlen(path) + 64;
    int error = EEXIST;
    *beside = malloc(size);
    for (int i = 0; *beside && i < MOST_TRIES && error == EEXIST; i++) {
        snprintf(*beside, size, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        *file = open(*beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        error = *file < 0 ? errno : 0;
    }
    return *beside ? error : ENOMEM;
}

/* Does the path lead to an open file of a process, as /dev/stdout does? Such a file cannot be
 * replaced. */
static bool isDescriptor(const char *path)
{
    char at[PATH_MAX], folder[PATH_MAX], link[PATH_MAX];
    snprintf(at, sizeof at, "%s", path);
    for (int i = 0; i < MOST_LINKS; i++) {
        char *slash = strrchr(at, '/'), *last = slash ? slash + 1 : at, after = *last;
        *last = 0;
        const bool isKnown = realpath(slash ? at : ".", folder) != NULL;
        *last = after;
        if (!isKnown || strncmp(folder, "/proc/", strlen("/proc/")) == 0)
            return isKnown;
        const ssize_t length = readlink(at, link, sizeof link - 1);
        if (length < 0)
            return false;
        link[length] = 0;
        if (snprintf(at, sizeof at, "%s%s%s", link[0] == '/' ? "" : folder, link[0] == '/' ? "" : "/", link) >=
            (int)sizeof at)
            return false;
    }
    return false;
}

static bool isFixed(const char *path, const struct stat *known)
{
    return !S_ISREG(known->st_mode) || isDescriptor(path);
}

/* Replaces a missing or regular file. A link stays, and its target is replaced; a dangling link is
 * refused. isWritten false: only tries, and changes nothing. */
static int replace(const char *path, bool isWritten, const char *text, size_t length)
{
    struct stat known;
    const bool isNamed = lstat(path, &known) == 0;
    char *own = isNamed ? realpath(path, NULL) : NULL, *beside;
    if (isNamed && !own)
        return errno;
    const char *target = own ? own : path;
    int file, error = openBeside(target, &beside, &file);
    if (!error) {
        error = writeTo(file, text, length);
        if (!error && isWritten && rename(beside, target) != 0)
            error = errno;
        if (error || !isWritten)
            unlink(beside);
    }
    free(beside);
    free(own);
    return error;
}

bool ksiFileIsFixed(const char *path)
{
    struct stat known;
    return stat(path, &known) == 0 && isFixed(path, &known);
}

int ksiFileAppend(const char *path, const char *text, size_t length)
{
    return writeTo(open(path, O_WRONLY | O_APPEND | O_CLOEXEC), text, length);
}

int ksiFileReplace(const char *path, const char *text, size_t length)
{
    if (ksiFileIsFixed(path))
        return writeTo(open(path, O_WRONLY | O_TRUNC | O_CLOEXEC), text, length);
    return replace(path, true, text, length);
}

int ksiFileCheck(const char *path)
{
    struct stat known;
    const bool isThere = stat(path, &known) == 0;
    if (isThere && S_ISDIR(known.st_mode))
        return EISDIR;
    if (isThere && isFixed(path, &known))
        return access(path, W_OK) ? errno : 0;
    return replace(path, false, "", 0);
}

bool ksiFileIsSame(const char *path, const char *other)
{
    struct stat a, b;
    return stat(path, &a) == 0 && S_ISREG(a.st_mode) && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

bool ksiFileBegins(const char *path, const char *text)
{
    char head[64];
    struct stat status;
    const size_t length = strlen(text);
    if (stat(path, &status) || !S_ISREG(status.st_mode) || length > sizeof head)
        return false;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool does = file >= 0 && read(file, head, length) == (ssize_t)length && memcmp(head, text, length) == 0;
    if (file >= 0)
        close(file);
    return does;
}

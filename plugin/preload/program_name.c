/* program_name.c  Name of this process. Needs only the C library. */
#include "program_name.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *ksiLastPart(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Compares the start of the name, since a version may follow. */
static int isInterpreter(const char *name)
{
    static const char *const known[] = {"python", "pypy",  "perl",  "ruby", "lua",  "luajit", "node", "julia",
                                        "octave", "tclsh", "guile", "bash", "dash", "zsh",    "ksh",  "busybox"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(name, known[i], strlen(known[i])) == 0)
            return 1;
    return strcmp(name, "sh") == 0;
}

/* Reads the arguments of the process, each null-terminated. Returns their total length in bytes. */
static size_t readArguments(char *out, size_t size)
{
    size_t used = 0;
    const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    for (ssize_t count; used < size - 1 && (count = read(file, out + used, size - 1 - used)) > 0;)
        used += (size_t)count;
    close(file);
    out[used] = 0;
    return used;
}

/* Adds an interpreter's script or module name, or the option in their place. */
static void addScript(char *out, size_t size, const char *arguments, size_t bytes)
{
    const char *at = arguments + strlen(arguments) + 1, *end = arguments + bytes;
    while (at < end && *at == '-' && strcmp(at, "-c") != 0 && strcmp(at, "-m") != 0)
        at += strlen(at) + 1;
    if (at >= end)
        return;
    const size_t length = strlen(out);
    const char *module = at + strlen(at) + 1;
    if (strcmp(at, "-m") == 0 && module < end)
        snprintf(out + length, size - length, " -m %s", module);
    else
        snprintf(out + length, size - length, " %s", ksiLastPart(at));
}

void ksiProgramName(char *out, size_t size)
{
    char self[1024], arguments[4096];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    snprintf(out, size, "%s", ksiLastPart(self));
    const size_t bytes = isInterpreter(out) ? readArguments(arguments, sizeof arguments) : 0;
    if (bytes == 0)
        return;
    // the name in the call: python3, although the file is python3.11
    snprintf(out, size, "%s", ksiLastPart(arguments));
    addScript(out, size, arguments, bytes);
}

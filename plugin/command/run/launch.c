/* launch.c  Starts a program with the wrapper preloaded. */
#include "launch.h"

#include "../../preload/channel.h"
#include "linked.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static int isExecutable(const char *path)
{
    struct stat status;
    if (stat(path, &status))
        return 0;
    if (!S_ISREG(status.st_mode)) {
        errno = EACCES;
        return 0;
    }
    return access(path, X_OK) == 0;
}

int ksiFindProgram(const char *name, char path[4096])
{
    if (!*name || strlen(name) >= 4096) {
        errno = *name ? ENAMETOOLONG : ENOENT;
        return 0;
    }
    if (strchr(name, '/')) {
        snprintf(path, 4096, "%s", name);
        return isExecutable(path);
    }
    const char *folders = getenv("PATH");
    int reason = ENOENT;
    for (const char *at = folders ? folders : "/usr/local/bin:/usr/bin:/bin"; *at;) {
        const size_t length = strcspn(at, ":");
        snprintf(path, 4096, "%.*s/%s", length > 0 ? (int)length : 1, length > 0 ? at : ".", name);
        if (isExecutable(path))
            return 1;
        reason = errno == EACCES ? EACCES : reason;
        at += length + (at[length] == ':');
    }
    errno = reason;
    return 0;
}

/* Is a loader named in the file, as in each dynamically linked program? Also true if the file
 * cannot be read. */
static int hasLoader(FILE *file, const Elf64_Ehdr *header)
{
    for (int i = 0; i < header->e_phnum; i++) {
        Elf64_Phdr segment;
        if (fseek(file, (long)(header->e_phoff + (size_t)i * header->e_phentsize), SEEK_SET) ||
            fread(&segment, sizeof segment, 1, file) != 1)
            return 1;
        if (segment.p_type == PT_INTERP)
            return 1;
    }
    return 0;
}

static const char *whyNotLoaded(FILE *file)
{
    Elf64_Ehdr header, own;
    if (fread(&header, sizeof header, 1, file) != 1 || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return NULL;  // a script: exec checks its interpreter
    FILE *self = fopen("/proc/self/exe", "rb");
    const int isKnown = self && fread(&own, sizeof own, 1, self) == 1;
    if (self)
        fclose(self);
    if (isKnown && (header.e_ident[EI_CLASS] != own.e_ident[EI_CLASS] || header.e_machine != own.e_machine))
        return "it is made for another kind of processor";
    return hasLoader(file, &header) ? NULL : "it is linked statically: nothing can be loaded into it";
}

const char *ksiWhyNotWrapped(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && status.st_mode & (S_ISUID | S_ISGID))
        return "it runs with the rights of another user (setuid or setgid): nothing can be loaded into it";
    if (getxattr(path, "security.capability", NULL, 0) > 0)
        return "it runs with capabilities: nothing can be loaded into it";
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    const char *why = whyNotLoaded(file);
    fclose(file);
    if (!why && ksiHasEngineInside(path))
        why = "ODE is linked into it (libode.a), so its steps cannot be seen from outside: link libode.so, or call "
              "libkinetostat, "
              "or record its steps (kinetostat/recording.h, docs/using.md)";
    return why;
}

static void become(const char *path, char *const arguments[], const char *wrapper, const char *channel,
                   const sigset_t *ignored)
{
    const char *others = getenv("LD_PRELOAD");
    char *preload = NULL;
    signal(SIGXFSZ, SIG_DFL);
    for (int number = 1; number < NSIG; number++)
        if (sigismember(ignored, number) == 1)
            signal(number, SIG_IGN);
    if (asprintf(&preload, "%s%s%s", wrapper, others && *others ? ":" : "", others ? others : "") < 0 ||
        setenv("LD_PRELOAD", preload, 1) || setenv(KSI_CHANNEL_VARIABLE, channel, 1))
        return;
    execv(path, arguments);
}

pid_t ksiLaunch(const char *path, char *const arguments[], const char *wrapper, const char *channel,
                const sigset_t *ignored)
{
    int reason[2], failure = 0;
    if (pipe2(reason, O_CLOEXEC))
        return -1;
    const pid_t child = fork();
    if (child == 0) {
        become(path, arguments, wrapper, channel, ignored);
        failure = errno;
        if (write(reason[1], &failure, sizeof failure) < 0)
            _exit(126);
        _exit(127);
    }
    close(reason[1]);
    // a successful exec closes the pipe without a message
    const ssize_t told = child > 0 ? read(reason[0], &failure, sizeof failure) : 0;
    close(reason[0]);
    if (told == (ssize_t)sizeof failure) {
        errno = failure;
        return -1;
    }
    return child;
}

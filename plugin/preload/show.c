/* show.c  A page for those who look on. */
#include "show.h"

#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ksiShow {
    ksiServer *server;
    bool isExpected;
};

/* By what the desktop has for it: the command line, which others can read, has a ticket for one. */
static bool openBrowser(const char *ticket)
{
    extern char **environ;
    char open[] = "xdg-open", address[160];
    char *const argument[] = {open, address, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    pid_t process;
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
        return false;
    snprintf(address, sizeof address, "%s", ticket);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        posix_spawn_file_actions_addopen(&files, file, "/dev/null", O_RDWR, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    const int error = posix_spawnp(&process, open, &files, &attributes, argument, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error == 0;
}

ksiShow *ksiShowOpen(ksiAnswerFn *answer, void *user, bool isWhole)
{
    ksiShow *made = calloc(1, sizeof *made);
    const ksStatus status = made ? ksiServerCreate(answer, user, isWhole, &made->server) : KS_ERROR_NO_MEMORY;
    if (status) {
        fprintf(stderr, "kinetostat: --view: %s\n", made ? ksErrorMessage() : "out of memory");
        free(made);
        return NULL;
    }
    fprintf(stderr, "kinetostat: look at %s\n", ksiServerAddress(made->server));
    made->isExpected = openBrowser(ksiServerTicket(made->server)) || isatty(STDERR_FILENO);
    return made;
}

void ksiShowClose(ksiShow *show)
{
    if (show)
        ksiServerDestroy(show->server);
    free(show);
}

bool ksiShowAllows(ksiShow *show, double time)
{
    if (!show)
        return true;
    ksiServerRun(show->server, 0);
    return ksiServerMayStep(show->server, time);
}

void ksiShowFinish(ksiShow *show, bool (*isLeft)(void))
{
    static const double patience = 10;  // s
    if (!show)
        return;
    if (show->isExpected)
        fputs("kinetostat: waits for the page to have all; Ctrl-C ends that\n", stderr);
    ksiServerFinish(show->server, show->isExpected ? INFINITY : patience, isLeft);
}

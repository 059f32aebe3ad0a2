/* live_page.c  Serves the live page. */
#include "live_page.h"

#include "../base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct ksiLivePage {
    ksiServer *server;
    ksiAnswerFn *answer;
    void *user;
    pid_t opening;  /* the process that opens a browser; 0: none, or it has ended */
    bool isOpened;  /* a browser was started, and no failure is known */
    char path[256]; /* a file with a link to the page; empty: none */
};

/* Creates a file that only its owner can read. NULL: failed; the error was printed. */
static FILE *makeFile(char *path, size_t size)
{
    static const char end[] = ".html";
    const char *wanted = getenv("TMPDIR"), *folder = wanted && *wanted ? wanted : "/tmp";
    const int length = snprintf(path, size, "%s/kinetostat-XXXXXX%s", folder, end);
    errno = ENAMETOOLONG;
    const int file = (size_t)length < size ? mkostemps(path, sizeof end - 1, O_CLOEXEC) : -1;
    FILE *made = file < 0 ? NULL : fdopen(file, "w");
    if (made)
        return made;
    fprintf(stderr, "kinetostat: --view: cannot write to %s: %s\n", folder, strerror(errno));
    if (file >= 0) {
        close(file);
        unlink(path);
    }
    path[0] = 0;
    return NULL;
}

/* Other users can read a browser's command line, so the command line names a private file with a
 * link. */
static bool writeLink(ksiLivePage *livePage)
{
    const char *address = ksiServerAddress(livePage->server);
    FILE *file = makeFile(livePage->path, sizeof livePage->path);
    if (!file)
        return false;
    fprintf(file,
            "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>Joint forces</title>\n"
            "<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n<a href=\"%s\">The page of the run</a>\n",
            address, address);
    return fclose(file) == 0;
}

/* Uses the desktop's own tool. */
static bool openBrowser(ksiLivePage *livePage)
{
    extern char **environ;
    char open[] = "xdg-open";
    char *const argument[] = {open, livePage->path, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    if ((!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) || !writeLink(livePage))
        return false;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        posix_spawn_file_actions_addopen(&files, file, "/dev/null", O_RDWR, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    const int error = posix_spawnp(&livePage->opening, open, &files, &attributes, argument, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (error) {
        fprintf(stderr, "kinetostat: --view: cannot open a browser: xdg-open: %s\n", strerror(error));
        livePage->opening = 0;
    }
    return error == 0;
}

/* Notes whether the browser has failed. */
static void watchBrowser(ksiLivePage *livePage)
{
    int status;
    if (livePage->opening == 0 || waitpid(livePage->opening, &status, WNOHANG) != livePage->opening)
        return;
    livePage->opening = 0;
    livePage->isOpened = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!livePage->isOpened && !ksiServerIsSeen(livePage->server))
        fputs("kinetostat: --view: cannot open a browser: xdg-open failed\n", stderr);
}

ksiLivePage *ksiLivePageOpen(ksiAnswerFn *answer, void *user, bool isWhole)
{
    ksiLivePage *made = calloc(1, sizeof *made);
    const ksStatus status = made ? ksiServerCreate(answer, user, isWhole, &made->server) : KS_ERROR_NO_MEMORY;
    if (status) {
        fprintf(stderr, "kinetostat: --view: %s\n", made ? ksErrorMessage() : "out of memory");
        free(made);
        return NULL;
    }
    made->answer = answer;
    made->user = user;
    fprintf(stderr, "kinetostat: look at %s\n", ksiServerAddress(made->server));
    made->isOpened = openBrowser(made);
    return made;
}

void ksiLivePageClose(ksiLivePage *livePage)
{
    if (!livePage)
        return;
    if (*livePage->path)
        unlink(livePage->path);
    ksiServerDestroy(livePage->server);
    free(livePage);
}

bool ksiLivePageAllows(ksiLivePage *livePage, double time)
{
    if (!livePage)
        return true;
    watchBrowser(livePage);
    ksiServerRun(livePage->server, 0);
    return ksiServerMayStep(livePage->server, time);
}

/* Saves a page that nobody has opened. */
static void savePage(ksiLivePage *livePage)
{
    char path[sizeof livePage->path];
    FILE *file = makeFile(path, sizeof path);
    const bool isWritten = file && livePage->answer(livePage->user, &(ksiAsked){.kind = KSI_ASKED_FILE}, file);
    if (!file)
        return;
    if (fclose(file) == 0 && isWritten)
        fprintf(stderr, "kinetostat: nobody opened the page: it is saved in %s\n", path);
    else
        unlink(path);
}

void ksiLivePageFinish(ksiLivePage *livePage, bool (*isLeft)(void))
{
    static const double turn = 0.2, opened = 60, alone = 10;  // s
    if (!livePage)
        return;
    const bool isTerminal = isatty(STDERR_FILENO);
    if (isTerminal)
        fputs("kinetostat: waiting until the page has all data; Ctrl-C stops waiting\n", stderr);
    const double begun = ksiWallTime();
    double patience;
    do {
        ksiServerFinish(livePage->server, turn, isLeft);
        watchBrowser(livePage);
        patience = isTerminal ? INFINITY : livePage->isOpened ? opened : alone;
    } while (!ksiServerIsSeen(livePage->server) && !isLeft() && ksiWallTime() - begun < patience);
    if (!ksiServerIsSeen(livePage->server))
        savePage(livePage);
}

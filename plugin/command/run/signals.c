/* signals.c  Passes signals to the program. */
#include "signals.h"

#include "../confine.h"

#include <errno.h>
#include <sys/resource.h>

static volatile sig_atomic_t isAsked, isLeft;
static volatile pid_t target;
static sigset_t mayEnd; /* signals that end a program and were not ignored before */

static bool isEnd(int number)
{
    return number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT;
}

/* A signal from the terminal reaches both processes. A signal that another process sent reaches
 * this process alone, and is forwarded. */
static void forward(int number, siginfo_t *info, void *context)
{
    const int hostErrno = errno;
    (void)context;
    if (number == SIGUSR1)
        isAsked = 1;
    else if (info->si_code <= 0 && target > 0)
        kill(target, number);
    isLeft |= target == 0 && isEnd(number);
    errno = hostErrno;
}

void ksiCatchSignals(sigset_t *ignored)
{
    static const int numbers[] = {SIGHUP,  SIGINT,  SIGQUIT,  SIGTERM, SIGUSR1,
                                  SIGUSR2, SIGCONT, SIGWINCH, SIGALRM, SIGCHLD};
    struct sigaction action = {.sa_sigaction = forward, .sa_flags = SA_SIGINFO | SA_RESTART}, before;
    sigfillset(&action.sa_mask);
    sigemptyset(&mayEnd);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const struct sigaction ours = {.sa_handler = SIG_DFL};
        sigaction(numbers[i], numbers[i] == SIGCHLD ? &ours : &action, &before);
        if (before.sa_handler == SIG_IGN)
            sigaddset(ignored, numbers[i]);
        else if (isEnd(numbers[i]))
            sigaddset(&mayEnd, numbers[i]);
    }
}

void ksiEndBySignals(bool doThey)
{
    struct sigaction action = {.sa_sigaction = forward, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigfillset(&action.sa_mask);
    const struct sigaction plain = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++)
        if (sigismember(&mayEnd, number) == 1)
            sigaction(number, doThey ? &plain : &action, NULL);
}

void ksiForwardTo(pid_t program)
{
    target = program;
}

bool ksiIsAsked(void)
{
    if (!isAsked)
        return false;
    isAsked = 0;
    return true;
}

bool ksiIsLeft(void)
{
    return isLeft;
}

void ksiIgnoreFileSize(sigset_t *ignored)
{
    sigemptyset(ignored);
    if (signal(SIGXFSZ, SIG_IGN) == SIG_IGN)
        sigaddset(ignored, SIGXFSZ);
}

void ksiDieAs(int number)
{
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(number, SIG_DFL);
    ksiSaveCounters();
    raise(number);
}

/* launch.h  Starts a program with the wrapper in it. */
#ifndef KSI_COMMAND_RUN_LAUNCH_H
#define KSI_COMMAND_RUN_LAUNCH_H

#include <signal.h>
#include <sys/types.h>

/* The file that would be executed, as execvp finds it; 0: none, and errno says why. */
int ksiFindProgram(const char *name, char path[4096]);

/* Why a wrapper cannot be loaded into it, in words that follow "program: "; NULL: it can, as far as its file tells. */
const char *ksiWhyNotWrapped(const char *path);

/* Starts it with `wrapper` preloaded and the name of the channel in its environment. It ignores these signals, and those
 * that are ignored here but for SIGXFSZ. Its process, or -1: errno says why. */
pid_t ksiLaunch(const char *path, char *const arguments[], const char *wrapper, const char *channel,
                const sigset_t *ignored);

#endif

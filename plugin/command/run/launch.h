/* launch.h  Starts a program with the wrapper preloaded. */
#ifndef KSI_COMMAND_RUN_LAUNCH_H
#define KSI_COMMAND_RUN_LAUNCH_H

#include <signal.h>
#include <sys/types.h>

/* Finds the file that execvp would execute. 0: none, and errno is set. */
int ksiFindProgram(const char *name, char path[4096]);

/* Why the wrapper cannot be loaded into a program, as words after "program: "; NULL: it probably
 * can. */
const char *ksiWhyNotWrapped(const char *path);

/* Starts a program with `wrapper` preloaded and the channel's name in its environment. The program
 * ignores these signals, and the signals that this process ignores, except SIGXFSZ. -1: errno is
 * set. */
pid_t ksiLaunch(const char *path, char *const arguments[], const char *wrapper, const char *channel,
                const sigset_t *ignored);

#endif

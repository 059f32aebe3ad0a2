/* launch.h  Starts a program with the wrapper in it. */
#ifndef KSI_LAUNCH_H
#define KSI_LAUNCH_H

#include <sys/types.h>

/* The file that would be executed, as execvp finds it; 0: none, and errno says why. */
int ksiFindProgram(const char *name, char path[4096]);

/* Why a wrapper cannot be loaded into it, in words that follow "program: "; NULL: it can, as far as its file tells. */
const char *ksiWhyNotWrapped(const char *path);

/* Starts it with `wrapper` preloaded and the name of the channel in its environment. Its process, or -1: errno says why. Signals
 * that are blocked here are not blocked there. */
pid_t ksiLaunch(const char *path, char *const arguments[], const char *wrapper, const char *channel);

#endif

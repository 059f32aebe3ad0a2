/* bench_command.h  What the benches' command lines and files have in common. */
#ifndef TESTS_BENCH_BENCH_COMMAND_H
#define TESTS_BENCH_BENCH_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

/* Says what is wrong with an argument, and ends the program. */
_Noreturn void benchUsageError(const char *bench, const char *what, const char *argument);

/* A table's file; path NULL: none. false: it cannot be written, and that has been said. */
bool benchOpenTable(const char *path, FILE **table);
bool benchCloseTable(const char *bench, const char *path, FILE *table);

/* The engine says on standard error when its LCP solver gives up; that shows in the tables. */
void benchHushEngine(void);

#endif

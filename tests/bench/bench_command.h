/* bench_command.h  Common to the command lines and files of the benches. */
#ifndef TESTS_BENCH_BENCH_COMMAND_H
#define TESTS_BENCH_BENCH_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

/* Says why an argument is wrong, and ends the program. */
_Noreturn void benchUsageError(const char *bench, const char *what, const char *argument);

/* Opens a table's file; path NULL: none. false: it cannot be written; a message has said so. */
bool benchOpenTable(const char *path, FILE **table);
bool benchCloseTable(const char *bench, const char *path, FILE *table);

/* Suppresses the engine's message that its LCP solver gave up, which the tables show anyway. */
void benchHushEngine(void);

#endif

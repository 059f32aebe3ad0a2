/* bench_command.c  See bench_command.h. */
#include "bench_command.h"

#include <ode/ode.h>
#include <stdarg.h>
#include <stdlib.h>

enum { EXIT_USAGE = 2 };

_Noreturn void benchUsageError(const char *bench, const char *what, const char *argument)
{
    fprintf(stderr, "%s: %s '%s'; try --help\n", bench, what, argument);
    exit(EXIT_USAGE);
}

bool benchOpenTable(const char *path, FILE **table)
{
    *table = path ? fopen(path, "w") : NULL;
    if (path && !*table)
        perror(path);
    return !path || *table;
}

bool benchCloseTable(const char *bench, const char *path, FILE *table)
{
    const bool isBad = table && (ferror(table) | fclose(table));
    if (isBad)
        fprintf(stderr, "%s: %s could not be written\n", bench, path);
    return !isBad;
}

static void ignore(int number, const char *text, va_list arguments)
{
    (void)number, (void)text, (void)arguments;
}

void benchHushEngine(void)
{
    dSetMessageHandler(ignore);
}

/* markup.c  A recording by an attacker: each text in it is markup, with a number of its own. The
 * run is complete and its records are sound, so nothing in it is refused.
 *
 *     markup RECORDING NEW VALUE     VALUE: of a parameter, whose name is markup, too */
#include "plugin/report/recording/archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* tests/page/markup.py has the same form. */
#define MARKUP(number) "<k-" number " a>&amp;'\""

enum { JOINTS = 20 };

static char words[KSI_ARCHIVE_WORDS];

static void check(bool isRight)
{
    if (!isRight) {
        fprintf(stderr, "markup: %s\n", words);
        exit(1);
    }
}

static ksiRun runOf(const ksiRun *true_, const char *value)
{
    ksiRun run = *true_;
    char parameter[100];
    memset(run.parameters, 0, sizeof run.parameters);
    memset(run.arguments, 0, sizeof run.arguments);
    strcpy(run.program, MARKUP("1"));
    strcpy(run.arguments, MARKUP("2"));
    strcpy(run.begun, MARKUP("3"));
    strcpy(run.engine, MARKUP("4"));
    strcpy(run.built, MARKUP("5"));
    strcpy(run.notes, MARKUP("6") "\n");
    run.argumentCount = 1;
    snprintf(parameter, sizeof parameter, "%s=%s", MARKUP("7"), value);
    check(ksiRunSetParameter(&run, parameter));
    check(ksiRunSetParameter(&run, MARKUP("8") "=" MARKUP("9")));
    return run;
}

int main(int count, char *argument[])
{
    char names[100 * JOINTS] = "";
    if (count != 4) {
        fprintf(stderr, "usage: markup RECORDING NEW VALUE\n");
        return 2;
    }
    ksiArchive *from = ksiArchiveOpen(argument[1], words), *to = NULL;
    check(from);
    for (int i = 1; i <= JOINTS; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%d %s\n", i, MARKUP("10"));
    const ksiRun run = runOf(ksiArchiveRun(from), argument[3]);
    check(!ksiArchiveCreate(argument[2], 1, words, &to) && ksiArchiveBegin(to, &run, names));
    for (size_t i = 0; i < ksiArchiveCount(from); i++) {
        unsigned process;
        const ksiStepRecord *record;
        check(!ksiArchiveRead(from, i, &record, &process) && record);
        check(!ksiArchiveAppend(to, process, MARKUP("11"), record));
    }
    check(ksiArchiveEnd(to, &run) && ksiArchiveClose(to));
    ksiArchiveClose(from);
    return 0;
}

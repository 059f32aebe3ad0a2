/* reporting.h  Creates the empty report of a command line, with its filters and references. */
#ifndef KSI_COMMAND_REPORTING_H
#define KSI_COMMAND_REPORTING_H

#include "options.h"
#include "run/worlds.h"

#include "../report/findings/suppress.h"

typedef struct ksiReporting {
    ksReport *report, *baseline; /* NULL: none */
    ksiWorlds *worlds;
    ksiNameList *names;            /* of --names, or NULL */
    ksiSuppressions *suppressions; /* of --suppress, or NULL */
} ksiReporting;

/* Returns 0, or an exit status after a message. The caller keeps the options, which receive the
 * names. */
int ksiReportingOpen(ksiReporting *reporting, ksiOptions *options);

/* Reads the baseline, which is untrusted, in the judging process. false: the error was printed. */
bool ksiReportingCheck(ksiReporting *reporting, const ksiOptions *options);
void ksiReportingClose(ksiReporting *reporting);

#endif

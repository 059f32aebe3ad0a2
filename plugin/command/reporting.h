/* reporting.h  Creates the empty report of a command line, with its filters and references. */
#ifndef KSI_COMMAND_REPORTING_H
#define KSI_COMMAND_REPORTING_H

#include "options.h"
#include "run/worlds.h"

#include "../report/findings/suppress.h"

typedef struct ksiReporting {
    ksReport *report, *baseline; /* NULL: none */
    ksiWorlds *worlds;
    ksiNameList *names;            /* joint names from --names; NULL: none */
    ksiSuppressions *suppressions; /* suppressions from --suppress; NULL: none */
} ksiReporting;

/* Returns 0, or an exit status after a message. The caller keeps the options, which receive the
 * names. */
int ksiReportingOpen(ksiReporting *reporting, ksiOptions *options);

/* In the judging process: reads the baseline, which is untrusted, and gives the report its limits,
 * suppressions and proposal. false: the error was printed. */
bool ksiReportingCheck(ksiReporting *reporting, const ksiOptions *options);
void ksiReportingClose(ksiReporting *reporting);

#endif

/* reporting.h  Creates the empty report of a command line, with its filters and references. */
#ifndef KSI_COMMAND_REPORTING_H
#define KSI_COMMAND_REPORTING_H

#include "options.h"
#include "run/worlds.h"

#include "../report/findings/suppress.h"

typedef struct ksiReporting {
    ksReport *report, *baseline; /* NULL: there is none */
    ksiWorlds *worlds;
    ksiNameList *names;            /* of --names, or NULL */
    ksiSuppressions *suppressions; /* of --suppress, or NULL */
} ksiReporting;

/* 0, or the status to exit with: that has been said. The options, which stay the caller's, get the names. Close: of what there is. */
int ksiReportingOpen(ksiReporting *reporting, ksiOptions *options);

/* What the report is checked by. Anybody may have written a baseline: it is read here, where steps are judged. false: that has been said. */
bool ksiReportingCheck(ksiReporting *reporting, const ksiOptions *options);
void ksiReportingClose(ksiReporting *reporting);

#endif

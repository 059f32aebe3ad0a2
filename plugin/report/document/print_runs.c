/* print_runs.c  Several runs in the text report: the number of bad ones, and a table, worst
 * first. */
#include "print.h"

#include "document.h"

#include <math.h>
#include <string.h>

enum { FILE_COLUMNS = 28, END_COLUMNS = 16, JOINT_COLUMNS = 30 };

static void writeRow(const ksiRunView *run, ksiText *out)
{
    ksiText end = {.allocator = out->allocator};
    char share[KSI_PERCENT_SIZE], error[KSI_PERCENT_SIZE], peak[32];
    const ksiWorldView *worst = run->worst;
    const double force = run->load[KSI_FORCE][KSI_OF_MECHANISM];
    snprintf(peak, sizeof peak, isnan(force) ? "-" : "%.4g", force);
    ksiRunWriteEnd(run->run, &end);
    ksiTextAdd(out, "  %c ", ksiMarkOf(run->sums.failed > 0 || !ksiRunIsSeen(run), run->sums.untold > 0));
    ksiTextAddColumn(out, run->run->file, FILE_COLUMNS);
    ksiTextAdd(out, " ");
    ksiTextAddColumn(out, end.at ? end.at : "", END_COLUMNS);
    ksiTextAdd(out, " %8s %9s | %8s ", ksiPercent(share, ksiShareChecked(run)), peak,
               ksiPercent(error, worst ? worst->error : NAN));
    ksiTextAdd(out, "%s\n",
               !worst                  ? "-"
               : worst->jointCount > 0 ? worst->worstFirst[0]->name
                                       : "net force on bodies in contact");
    for (const char *at = NULL; (at = ksiRunNextParameter(run->run, at)) != NULL;)
        ksiTextAdd(out, "%s%s", at == run->run->parameters ? "      " : ", ", at);
    if (run->run->parameters[0])
        ksiTextAdd(out, "\n");
    ksiTextDrop(out, &end);
}

void ksiPrintRuns(const ksiView *view, size_t most, ksiText *out)
{
    size_t bad = 0;
    for (size_t i = 0; i < view->runCount; i++)
        bad += !ksiRunIsSeen(&view->run[i]);
    if (bad > 0)
        ksiTextAdd(out, "%zu runs; %zu of them failed, or %s not recorded completely.\n", view->runCount, bad,
                   bad > 1 ? "were" : "was");
    else
        ksiTextAdd(out, "%zu runs, all successful and recorded completely.\n", view->runCount);
    ksiTextAdd(out, "    %-*s %-*s %8s %9s | error of the worst joint\n", FILE_COLUMNS, "run", END_COLUMNS, "end",
               "checked", "peak, N");
    for (size_t i = 0; i < view->runCount && i < most; i++)
        writeRow(view->badRunsFirst[i], out);
    if (view->runCount > most)
        ksiTextAdd(out, "    and %zu more run%s, none of them worse.\n", view->runCount - most,
                   view->runCount - most > 1 ? "s" : "");
    ksiTextAdd(out, "\n");
}

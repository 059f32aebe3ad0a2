/* view.c  The worlds of a report in a browser, while a host steps them. */
#include <kinetostat/view.h>

#include "server.h"

#include "../base/clock.h"
#include "../base/fpguard.h"
#include "../report/files/failure.h"

#include <stdlib.h>

struct ksView {
    const ksReport *report;
    ksiServer *server;
};

static bool answer(void *user, const ksiAsked *asked, FILE *out)
{
    const ksView *view = user;
    return !ksiReportAnswer(view->report, asked, out);
}

ksStatus ksViewCreate(const ksReport *report, ksView **view)
{
    if (!report || !view)
        return KSI_FAIL(KS_ERROR_BAD_ARGUMENT, "%s is NULL", report ? "view" : "report");
    ksView *made = calloc(1, sizeof *made);
    if (!made)
        return ksErrorSet(KS_ERROR_NO_MEMORY, __func__, NULL);
    made->report = report;
    const ksStatus status = ksiServerCreate(answer, made, false, &made->server);
    if (status)
        free(made);
    else
        *view = made;
    return status;
}

void ksViewDestroy(ksView *view)
{
    if (!view)
        return;
    ksiServerDestroy(view->server);
    free(view);
}

const char *ksViewGetAddress(const ksView *view)
{
    return view ? ksiServerAddress(view->server) : "";
}

static ksStatus tellLost(const ksView *view)
{
    return ksiServerIsLost(view->server)
               ? KSI_FAIL(KS_ERROR_UNAVAILABLE,
                          "this process has closed a descriptor of the page, which therefore no longer answers")
               : KS_OK;
}

ksStatus ksViewPoll(ksView *view, double time, int *mayStep)
{
    enum { PATIENCE = 10 };  // ms
    if (!view || !mayStep || !(time > -INFINITY && time < INFINITY))
        return KSI_FAIL(KS_ERROR_BAD_ARGUMENT, "%s",
                        !view      ? "view is NULL"
                        : !mayStep ? "mayStep is NULL"
                                   : "time is not finite");
    KSI_GUARD_FP({
        ksiServerRun(view->server, 0);
        *mayStep = ksiServerMayStep(view->server, time);
        if (!*mayStep)
            ksiServerRun(view->server, PATIENCE);
    });
    *mayStep |= ksiServerIsLost(view->server);
    return tellLost(view);
}

ksStatus ksViewFinish(ksView *view, double patience)
{
    if (!view || !(patience >= 0))
        return KSI_FAIL(KS_ERROR_BAD_ARGUMENT, "%s", view ? "patience must be >= 0" : "view is NULL");
    KSI_GUARD_FP(ksiServerFinish(view->server, patience, NULL));
    return tellLost(view);
}

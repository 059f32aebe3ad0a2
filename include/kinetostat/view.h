/** @file view.h  The worlds of a report in a browser, while a host steps them.
 *
 *      ksView *view;
 *      ksViewCreate(report, &view);
 *      fprintf(stderr, "Look at %s\n", ksViewGetAddress(view));
 *      for (double time = 0; time < end; time += h) {
 *          int mayStep = 0;
 *          while (!mayStep)
 *              ksViewPoll(view, time, &mayStep);
 *          ksInspectorQuickStep(inspector, h);
 *      }
 *      ksViewFinish(view, 10);
 *      ksViewDestroy(view);
 *
 *  The page is that of an HTML report, and grows with it. Those who look on may hold the host back: they pause it, slow it down, or let it make
 *  single steps. Nothing of the world is changed. One thread at a time uses a view: the one that steps. Calls leave floating-point flags
 *  and traps as they are. */
#ifndef KINETOSTAT_VIEW_H
#define KINETOSTAT_VIEW_H

#include <kinetostat/report.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ksView ksView;

/** Begins to listen on 127.0.0.1.
 *  @param[in]  report  with frames (ksReportOptions::frameRate); has to live longer than the view
 *  @param[out] view    owned by the caller, who calls ksViewDestroy
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_UNAVAILABLE (the system does not let it
 *          listen; the library was built without libmicrohttpd or three.js) */
KS_API KS_MUST_USE ksStatus ksViewCreate(const ksReport *report, ksView **view);

/** Nobody is answered any longer. NULL is fine. Closes nothing that the host has closed before. */
KS_API void ksViewDestroy(ksView *view);

/** For a browser on this machine. Whoever has it may look on, and hold the host back: others read command lines, so it belongs on none. Valid as
 *  long as the view. */
KS_API const char *ksViewGetAddress(const ksView *view);

/** Before a step: answers pages, and tells whether the step may be made. Where it may not, waits for at most 10 ms.
 *  @param      time     s, of the world that is stepped
 *  @param[out] mayStep  0 or 1
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_UNAVAILABLE (the host has closed a descriptor of the view, or is a child of
 *          fork(): nobody is answered, and mayStep is 1) */
KS_API KS_MUST_USE ksStatus ksViewPoll(ksView *view, double time, int *mayStep);

/** No step follows. Returns when a page has all that there is; where none has come by then, after so many seconds.
 *  @param patience  s, >= 0; may be infinite
 *  @return as ksViewPoll */
KS_API KS_MUST_USE ksStatus ksViewFinish(ksView *view, double patience);

#ifdef __cplusplus
}
#endif
#endif

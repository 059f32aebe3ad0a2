/** @file view.h  Shows the worlds of a report in a browser while a host steps them.
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
 *  The page is the HTML report, and grows with the report. Viewers can pause the host, slow it
 *  down, or let it make single steps. The world is unchanged. Use a view from one thread at a time,
 *  the thread that steps the world. Calls preserve floating-point flags and traps. */
#ifndef KINETOSTAT_VIEW_H
#define KINETOSTAT_VIEW_H

#include <kinetostat/report.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ksView ksView;

/** Starts to listen on 127.0.0.1.
 *  @param[in]  report  with frames (ksReportOptions::frameRate); must outlive the view
 *  @param[out] view    owned by the caller, who calls ksViewDestroy
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_UNAVAILABLE (listening
 *          failed; the library was built without libmicrohttpd or three.js) */
KS_API KS_MUST_USE ksStatus ksViewCreate(const ksReport *report, ksView **view);

/** Stops serving the page. NULL is allowed. Does not close descriptors that the host has already
 *  closed. */
KS_API void ksViewDestroy(ksView *view);

/** The address for a browser on this machine. Whoever knows the address can view and pause the
 *  host, so keep it off command lines, which other users can read. Valid as long as the view. */
KS_API const char *ksViewGetAddress(const ksView *view);

/** Serves pages before a step, and says whether to make the step. If not, waits for at most 10 ms.
 *  @param      time     s, of the stepped world
 *  @param[out] mayStep  0 or 1
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_UNAVAILABLE (the host has closed a descriptor of
 *          the view, or is a child of fork(): no page is served, and mayStep is 1) */
KS_API KS_MUST_USE ksStatus ksViewPoll(ksView *view, double time, int *mayStep);

/** Ends the run. Returns when a page has received everything, or after `patience` if no page has
 *  connected.
 *  @param patience  s, >= 0; can be infinite
 *  @return as ksViewPoll */
KS_API KS_MUST_USE ksStatus ksViewFinish(ksView *view, double patience);

#ifdef __cplusplus
}
#endif
#endif

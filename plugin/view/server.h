/* server.h  Serves a live report as a page on this machine.
 *
 * It listens on 127.0.0.1, on a port of the system's choice, and answers requests that contain the
 * secret of its address. The calling thread does all the work, and no call waits for a browser.
 *
 *     GET   /SECRET/                               the page
 *           /SECRET/run.html                       the self-contained page of the run so far
 *           /SECRET/report                         JSON: the document in these pages
 *           /SECRET/motion?world=NAME&from=STEP    JSON: {"state": {...}, "motion": frames or null}
 *     POST  /SECRET/wish?pace=N&hold=0|1&goon=N&done=1&left=1
 *
 * pace: in thousandths of real time; 0: unlimited. goon: microseconds to step while held. done: the
 * page has all data. left: the page was closed. */
#ifndef KSI_VIEW_SERVER_H
#define KSI_VIEW_SERVER_H

#include "../report/document/live.h"

typedef struct ksiServer ksiServer;

/* Writes the requested document. false: it cannot be written. */
typedef bool ksiAnswerFn(void *user, const ksiAsked *asked, FILE *out);

/* isWhole: the page contains all data, and needs no further request. KS_OK, KS_ERROR_NO_MEMORY,
 * KS_ERROR_UNAVAILABLE. */
KS_MUST_USE ksStatus ksiServerCreate(ksiAnswerFn *answer, void *user, bool isWhole, ksiServer **server);
void ksiServerDestroy(ksiServer *server); /* NULL is fine */

/* Has this process closed the server's descriptors, or is it a child of fork()? Then the server
 * answers nobody. */
bool ksiServerIsLost(const ksiServer *server);

/* The page's address, with the secret. */
const char *ksiServerAddress(const ksiServer *server);

/* Has a request with the secret arrived? */
bool ksiServerIsSeen(const ksiServer *server);

/* Waits for requests for at most `milliseconds`, and answers them. If `milliseconds` is 0, answers
 * pending requests, at most every 5 ms; the answers take at most a quarter of the caller's time. */
void ksiServerRun(ksiServer *server, int milliseconds);

/* May a world make a step at this time? Without recent requests, it always may. */
bool ksiServerMayStep(ksiServer *server, double time);

/* Call it when no more data follow. Returns when a page has all data, after `patience` seconds
 * without a page, or when isLeft() is true; isLeft may be NULL. */
void ksiServerFinish(ksiServer *server, double patience, bool (*isLeft)(void));

#endif

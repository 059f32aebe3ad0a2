/* server.h  Serves a live report as a page on this machine.
 *
 * It listens on 127.0.0.1, on a port of the system's choice, and answers who knows the secret in its address, as a browser asks that shows
 * its page. All is done in the thread that calls, and no call waits for a browser.
 *
 *     GET   /SECRET/                               the page
 *           /SECRET/run.html                       the page of the run so far, which needs nothing but itself
 *           /SECRET/report                         JSON: the document in these
 *           /SECRET/motion?world=NAME&from=STEP    JSON: {"state": {...}, "motion": frames, or null}
 *     POST  /SECRET/wish?pace=N&hold=0|1&goon=N&done=1&left=1
 *
 * pace: in thousandths of real time; 0: as the program likes. goon: for so many microseconds though it is held. done: the page has all that there is. left: it is closed. */
#ifndef KSI_VIEW_SERVER_H
#define KSI_VIEW_SERVER_H

#include "../report/document/live.h"

typedef struct ksiServer ksiServer;

/* Writes what is asked for. false: it cannot. */
typedef bool ksiAnswerFn(void *user, const ksiAsked *asked, FILE *out);

/* isWhole: who has the page has all. KS_OK, KS_ERROR_NO_MEMORY, KS_ERROR_UNAVAILABLE: it cannot listen, ksErrorMessage says why. */
KS_MUST_USE ksStatus ksiServerCreate(ksiAnswerFn *answer, void *user, bool isWhole, ksiServer **server);
void ksiServerDestroy(ksiServer *server); /* NULL is fine */

/* The process has closed its descriptors, or is a child of fork(): it has answered nobody since. */
bool ksiServerIsLost(const ksiServer *server);

/* Where it is, with the secret. */
const char *ksiServerAddress(const ksiServer *server);

/* Has somebody asked who knows the secret? */
bool ksiServerIsSeen(const ksiServer *server);

/* Answers, for so many milliseconds at the most; 0: what has been asked by now, if it was not looked for within 5 ms: of the time of who calls, answers
 * take a quarter. */
void ksiServerRun(ksiServer *server, int milliseconds);

/* May the world, which has come to this time, make a step? If nobody has asked for long, it may. */
bool ksiServerMayStep(ksiServer *server, double time);

/* Nothing more comes. Returns when a page has all that there is; where none has come by then, after so many seconds; or when isLeft(), which may be NULL. */
void ksiServerFinish(ksiServer *server, double patience, bool (*isLeft)(void));

#endif

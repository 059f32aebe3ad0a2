/* live_page.h  Serves the live page of a running program or of a recording. */
#ifndef KSI_COMMAND_LIVE_PAGE_H
#define KSI_COMMAND_LIVE_PAGE_H

#include "../view/server.h"

typedef struct ksiLivePage ksiLivePage;

/* Prints the page's address, and opens the page if there is a display. isWhole: the page has all
 * data from the start. NULL: the error was printed. */
ksiLivePage *ksiLivePageOpen(ksiAnswerFn *answer, void *user, bool isWhole);
void ksiLivePageClose(ksiLivePage *livePage); /* NULL is fine */

/* Answers requests. May a world at this time make further steps? livePage NULL: yes. */
bool ksiLivePageAllows(ksiLivePage *livePage, double time);

/* Call it when no more data follow: waits until a page has all data, or isLeft() is true. Without a
 * terminal it waits only for a browser to start. Saves an unviewed page and prints its path. NULL
 * is allowed. */
void ksiLivePageFinish(ksiLivePage *livePage, bool (*isLeft)(void));

#endif

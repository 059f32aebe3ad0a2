/* show.h  Serves the live page of a running program or of a recording. */
#ifndef KSI_COMMAND_SHOW_H
#define KSI_COMMAND_SHOW_H

#include "../view/server.h"

typedef struct ksiShow ksiShow;

/* Prints the page's address, and opens it on a display. isWhole: it has all data at once. NULL: the
 * error was printed. */
ksiShow *ksiShowOpen(ksiAnswerFn *answer, void *user, bool isWhole);
void ksiShowClose(ksiShow *show); /* NULL is fine */

/* Answers requests. May a world at this time make further steps? NULL: yes. */
bool ksiShowAllows(ksiShow *show, double time);

/* Call it when no data follow: waits until a page has all data, or isLeft(). Without a terminal it
 * waits only for a browser to start. Saves an unviewed page and prints its path. NULL is fine. */
void ksiShowFinish(ksiShow *show, bool (*isLeft)(void));

#endif

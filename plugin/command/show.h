/* show.h  Serves the live page of a running program or of a recording. */
#ifndef KSI_COMMAND_SHOW_H
#define KSI_COMMAND_SHOW_H

#include "../view/server.h"

typedef struct ksiShow ksiShow;

/* Tells where the page is, and opens it where there is a display. isWhole: who has the page has all. NULL: it cannot be shown, and that has been said. */
ksiShow *ksiShowOpen(ksiAnswerFn *answer, void *user, bool isWhole);
void ksiShowClose(ksiShow *show); /* NULL is fine */

/* Answers. May steps be taken, behind one that has brought a world to this time? NULL: yes. */
bool ksiShowAllows(ksiShow *show, double time);

/* Nothing more comes: until a page has all, or isLeft(); without a terminal no longer than a browser takes to open, and for some seconds where none does. If
 * nobody has looked by then, the page is saved, and where, is told. NULL is fine. */
void ksiShowFinish(ksiShow *show, bool (*isLeft)(void));

#endif

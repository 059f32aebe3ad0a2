/* show.h  The worlds of a run in a window, or in pictures: one at a time, as they are judged. */
#ifndef KSI_PRELOAD_SHOW_H
#define KSI_PRELOAD_SHOW_H

#include "options.h"

typedef struct ksiShow ksiShow;

/* module: the file of the view. name: of the pictures. NULL: it cannot be shown, and that has been said. */
ksiShow *ksiShowOpen(const ksiOptions *options, const char *module, const char *name);

/* false: pictures are missing, and that has been said. NULL is fine. */
bool ksiShowClose(ksiShow *show);

/* A step of a world is about to be judged: its last one cannot be looked at any longer. */
void ksiShowLetGo(ksiShow *show, const ksiJudge *judge);

/* It has been judged. It is looked at if no other world is shown, and its turn has come. */
void ksiShowStep(ksiShow *show, ksiJudge *judge, const ksiStepRecord *record, const char *world);

/* The judge is about to go. The world's last step is drawn; then another world may be shown. */
void ksiShowFinish(ksiShow *show, const ksiJudge *judge);

/* Is a step looked at? Then no other one must be judged before ksiShowFrame has said that this is enough. NULL: no. */
bool ksiShowIsBusy(const ksiShow *show);

/* A frame; waits for the clock. A window takes in keys. */
void ksiShowFrame(ksiShow *show);

/* Nothing comes now: a window stays alive. Whether there is one, and time has passed. NULL: no. */
bool ksiShowWait(ksiShow *show);

/* The user has ended the program: a window is of no use any longer. NULL is fine. */
void ksiShowLeave(ksiShow *show);

#endif

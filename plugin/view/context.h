/* context.h  Where OpenGL draws: a window, or nowhere but in memory. And what the user does there. */
#ifndef KSI_VIEW_CONTEXT_H
#define KSI_VIEW_CONTEXT_H

#include <stdbool.h>

enum { KSI_KEYS = 32 };

/* What has been done since the last time; pixels, turns of the wheel. */
typedef struct ksiUserInput {
    double orbit[2], pan[2], zoom;
    int key[KSI_KEYS], keyCount;
    bool isClosed;
} ksiUserInput;

typedef struct ksiContext ksiContext;

/* Opens one and makes it current. NULL: why says so, static storage or NULL for want of memory. */
ksiContext *ksiContextOpen(bool isOffscreen, int width, int height, const char **why);
void ksiContextClose(ksiContext *context); /* NULL is fine */

bool ksiContextUse(ksiContext *context);  /* makes it current */
void ksiContextShow(ksiContext *context); /* what was drawn; waits for the screen */
void ksiContextSize(const ksiContext *context, int *width, int *height);
void ksiContextTitle(ksiContext *context, const char *title);

/* Adds to the input what has happened. */
void ksiContextPoll(ksiContext *context, ksiUserInput *input);

#endif

/* touch.h  Touching pairs of bodies for subscribers, from step to step. */
#ifndef KSI_INSPECTOR_CONTACTS_TOUCH_H
#define KSI_INSPECTOR_CONTACTS_TOUCH_H

#include "../publish/window.h"

/* One pair of one subscription. */
typedef struct ksiTouch {
    ksSubscription of;
    double began; /* s */
    bool isTold;
    ksTouch event;
} ksiTouch;

typedef struct ksiTouches {
    ksiTouch *at; /* of the last step in which they were found: by subscription, those that have just ended included */
    size_t count, capacity;
    bool isFound;   /* in this step */
    ksiTouch *next; /* while they are found: those of this step */
    size_t nextCount, nextCapacity;
    int *ofBody; /* [bodies] ... of the subscription at hand: the one with this partner, or -1; ... */
    int ofWorld; /* ... with the world */
} ksiTouches;

typedef struct ksiStep ksiStep;

/* What a contact presses with, N.s; 0: it does not. */
double ksiPressOf(const ksiStep *step, size_t joint);

/* Adds a contact that presses: with its normal force, by what explains the motion, on the joint's body of this side; world axes, from a point. */
void ksiAddPress(const ksiStep *step, size_t joint, int side, const double from[3], ksiPress *sum);

/* The stepper has moved neither body of the pair, by their places in the step or -1, and one of them is a body that it moves when awake. */
bool ksiIsPairAsleep(const ksiStep *step, const int pair[2]);

/* After the report and the motion: of this step. KS_ERROR_NO_MEMORY: none is told, and the next step is compared with the last one. */
KS_MUST_USE ksStatus ksiFindTouches(ksInspector *inspector);

#endif

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
    ksiTouch *at; /* by subscription; touches of the last step that was searched, also ended
                     touches */
    size_t count, capacity;
    bool isFound;   /* `at` is of this step */
    ksiTouch *next; /* touches of this step, during the search */
    size_t nextCount, nextCapacity;
    /* [bodies] during the search: the touch of the present subscription with this body, or -1;
     * during callbacks: does the body still exist? */
    int *ofBody;
    int ofWorld; /* the touch of the present subscription with the world, or -1 */
} ksiTouches;

typedef struct ksiStep ksiStep;

/* The normal impulse of a contact, N.s; 0: it does not press. */
double ksiPressOf(const ksiStep *step, size_t joint);

/* If the contact presses, adds its observed normal force on the joint's body on this side, in the
 * world's axes. Places are relative to the point `from`. */
void ksiAddPress(const ksiStep *step, size_t joint, int side, const double from[3], ksiPress *sum);

/* Is the pair asleep: at least one of the two bodies can move, and the stepper has moved none of
 * them? pair: indices in the step, or -1. */
bool ksiIsPairAsleep(const ksiStep *step, const int pair[2]);

/* Finds the touches of this step, after the report and the motion. KS_ERROR_NO_MEMORY: no touch is
 * reported, and the next step is compared with the last step that was searched. */
KS_MUST_USE ksStatus ksiFindTouches(ksInspector *inspector);

#endif

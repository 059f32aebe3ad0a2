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
    ksiTouch *at; /* by subscription; of the last step that was searched, with ended ones */
    size_t count, capacity;
    bool isFound;   /* found in this step */
    ksiTouch *next; /* touches of this step, during the search */
    size_t nextCount, nextCapacity;
    /* [bodies] during the search: the present subscription's touch with this partner, or -1; during
     * callbacks: whether the body still exists */
    int *ofBody;
    int ofWorld; /* its touch with the world */
} ksiTouches;

typedef struct ksiStep ksiStep;

/* The normal impulse of a contact, N.s; 0: it does not press. */
double ksiPressOf(const ksiStep *step, size_t joint);

/* Adds a pressing contact, by its observed normal force on the joint's body of this side; world
 * axes, from a point. */
void ksiAddPress(const ksiStep *step, size_t joint, int side, const double from[3], ksiPress *sum);

/* Has the stepper moved neither body (index in the step, or -1), though it moves one of them when
 * awake? */
bool ksiIsPairAsleep(const ksiStep *step, const int pair[2]);

/* Finds the touches of this step, after the report and the motion. KS_ERROR_NO_MEMORY: no touch is
 * reported, and the next step is compared with the last step that was searched. */
KS_MUST_USE ksStatus ksiFindTouches(ksInspector *inspector);

#endif

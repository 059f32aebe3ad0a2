/* flicker.h  Resting pairs of bodies that lose contacts for a few steps. */
#ifndef KSI_INSPECTOR_CONTACTS_FLICKER_H
#define KSI_INSPECTOR_CONTACTS_FLICKER_H

#include <kinetostat/kinetostat.h>

#include <stdbool.h>
#include <stddef.h>

/* The longest dip has three steps. The step before it and the step after it are kept, too. */
enum { KSI_FLICKER_STEPS = 5 };

/* Two bodies whose contacts pressed in this step or in the steps before; the newest step first. */
typedef struct ksiTouchedPair {
    dBodyID body[2];                 /* ordered by address */
    double press[KSI_FLICKER_STEPS]; /* N.s */
    int points[KSI_FLICKER_STEPS];   /* points that press */
} ksiTouchedPair;

/* A pressing contact of a pair. */
typedef struct ksiTouchingPoint {
    dBodyID body[2];
    size_t joint;
    double press; /* N.s */
} ksiTouchingPoint;

/* The pairs of the last steps, sorted by bodies. Kept between steps. */
typedef struct ksiFlicker {
    ksiTouchedPair *at, *next; /* next: the new list while a step is added */
    ksiTouchingPoint *point;   /* of this step */
    size_t count, capacity, nextCapacity, pointCapacity;
} ksiFlicker;

typedef struct ksiStep ksiStep;
typedef struct ksiContacts ksiContacts;

/* Phase 1: reserves memory for the contacts of this step. */
KS_MUST_USE ksStatus ksiReserveFlicker(const ksiStep *step, ksiFlicker *flicker);
/* Phase 11: sets KS_REASON_FLICKER of contacts. */
void ksiFindFlicker(const ksiStep *step, ksiFlicker *flicker, ksiContacts *out);

#endif

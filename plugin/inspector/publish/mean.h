/* mean.h  Mean forces over a window, which advances by blocks of steps. */
#ifndef KSI_INSPECTOR_PUBLISH_MEAN_H
#define KSI_INSPECTOR_PUBLISH_MEAN_H

#include <kinetostat/kinetostat.h>

#include <stdbool.h>
#include <stddef.h>

/* A window is so many blocks long, at least, where steps are shorter. It may begin and end within one: two more are enough. */
enum { KSI_BLOCKS_OF_WINDOW = 16, KSI_MEAN_BLOCKS = KSI_BLOCKS_OF_WINDOW + 2 };

enum { KSI_MEAN_TURNED = KS_LIMIT_COUNT };

/* A sum of steps that should fill a window, a block, or a duration, does so to rounding. */
static const double ksiFillTolerance = 1e-9;

/* Which block a step belongs to. The last one ends with the step that reaches the next multiple of a block's length. Multiples begin anew with the
 * step that reaches the window: who has seen all steps since has the same blocks as who has seen more (ksiLead). */
typedef struct ksiMeanClock {
    double window, elapsed; /* s; since they began */
    double passed;          /* multiples that were reached */
    bool isFull, isNew;     /* the last block has all of its steps; it begins with this step */
    unsigned long block;    /* its number, from 1 */
} ksiMeanClock;

ksiMeanClock ksiMeanClockOf(double window);
void ksiMeanAdvance(ksiMeanClock *clock, double h);

/* Where a block is kept. */
static inline size_t ksiMeanPlace(unsigned long block)
{
    return block % KSI_MEAN_BLOCKS;
}

/* Marks of a sum of steps. */
enum {
    KSI_MEAN_VAGUE = 1,         /* in some step nobody knows how far the report is from the motion, ... */
    KSI_MEAN_APART_UNKNOWN = 2, /* ... or from the mechanism */
    KSI_MEAN_BORROWED = 4       /* in some step a part of the physical force may be the engine's own */
};

/* Sums over steps, of one joint: of h times what is said. Wrenches are about the anchor of each step, or the mass centre of a joint without one. */
typedef struct ksiMeanSums {
    double time;        /* 1 */
    ksWrench world[2];  /* the force on either body, world axes, ... */
    ksWrench turned[2]; /* ... and in the joint's axes in each step */
    double motor[3];    /* the force of an axis's motor */
    /* Of bars, to which single precision is enough: */
    float remainder; /* what is left of the motion of the mechanism; mass metric */
    float beyond[6]; /* what the force on body[0] has beyond the physical one; world axes */
    float fields[6]; /* what the other permitted velocities would change of that */
    float size[2];   /* sizes of what `beyond` was summed from: of forces, of torques */
    unsigned short
        open; /* components of world[0], and from bit KSI_MEAN_TURNED of turned[0], that were not unique in some step */
    unsigned char motors; /* axes that had a motor in some step: bits */
    unsigned char marks;
} ksiMeanSums;

typedef struct ksiMeanBlock {
    ksiMeanSums sums;
    float forbidden
        [6]; /* of its first step: the impulse on body[0] that would take away velocities which the rows forbid */
} ksiMeanBlock;

/* The window of a joint: the last `age` blocks, and the present one. The first `turned` of them hold the sum of all from themselves up to the last of
 * these; the sum of those that follow, but for the present one, is in ksiMeans::recent. So neither is anything taken off a sum, nor is it added up
 * anew. Kept. */
typedef struct ksiMeanRun {
    int slot; /* in ksiMeans::block, or -1: a contact */
    unsigned short
        shared; /* in the last step of the present block: rows that share their forces, bits, and how many directions these leave open */
    unsigned char turned;
    unsigned char age : 7;
    bool isOn : 1; /* the last step is in it */
} ksiMeanRun;

typedef struct ksiMeans {
    ksiMeanClock clock;
    unsigned long step, last;             /* of the last one, and its block */
    ksiMeanRun *run;                      /* [joints] kept */
    ksiMeanBlock *block[KSI_MEAN_BLOCKS]; /* [slotCount] by ksiMeanPlace */
    ksiMeanSums *recent;                  /* [slotCount] */
    size_t capacity[KSI_MEAN_BLOCKS + 1]; /* of both */
    bool *isTaken;                        /* [slotCount] */
    size_t slotCount, takenCapacity;
} ksiMeans;

typedef struct ksiStep ksiStep;

/* mean.c, phase 1, with joints read: room for this step. */
KS_MUST_USE ksStatus ksiReserveMeans(const ksiStep *step, ksiMeans *means);

/* 13. Adds this step, which is judged. */
void ksiTakeMeans(const ksiStep *step, ksiMeans *means);

static inline unsigned long ksiMeanFirst(const ksiMeans *means, const ksiMeanRun *run)
{
    return means->clock.block - run->age;
}

/* What a joint does in a step. Motors without force, and stops that are not reached, have no force; of one that is asleep or disabled
 * nothing is known. */
typedef enum ksiSample { KSI_NO_SAMPLE, KSI_NO_FORCE, KSI_FORCE } ksiSample;
ksiSample ksiSampleOf(const ksiStep *step, int joint);

/* Of KSI_FORCE: what explains the motion, on both bodies, about their mass centres. */
void ksiForceOf(const ksiStep *step, int joint, ksWrench on[2]);

/* One of its bodies was put elsewhere before the step. */
bool ksiIsPut(const ksiStep *step, int joint);

/* mean_publish.c: sum += more */
void ksiAddMeans(const ksiMeanSums *more, ksiMeanSums *sum);

/* What would take away the velocities which the rows forbid at the start of the step, on body[0] about the anchor; 0 if that is not known. */
void ksiForbiddenImpulse(const ksiStep *step, int joint, float wrench[6]);

/* The means of a reaction of which all else is known. */
void ksiFillMeans(const ksiStep *step, int joint, ksReaction *reaction);
/* ... and of a joint that has none */
void ksiFillNoMeans(ksReaction *reaction);

#endif

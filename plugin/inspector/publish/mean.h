/* mean.h  Mean forces over a window, which advances by blocks of steps. */
#ifndef KSI_INSPECTOR_PUBLISH_MEAN_H
#define KSI_INSPECTOR_PUBLISH_MEAN_H

#include <kinetostat/kinetostat.h>

#include <stdbool.h>
#include <stddef.h>

/* Least number of blocks in a window, unless a step is longer than a block. A window may begin and
 * end inside a block, so two more are kept. */
enum { KSI_BLOCKS_OF_WINDOW = 16, KSI_MEAN_BLOCKS = KSI_BLOCKS_OF_WINDOW + 2 };

enum { KSI_MEAN_TURNED = KS_LIMIT_COUNT };

/* Assigns steps to blocks. A block ends with the step that reaches the next multiple of the block
 * length. At the step that reaches the window length, the multiples start again from zero. So an
 * observer that starts after this step has the same blocks as an observer that has seen more steps
 * (ksiLead). */
typedef struct ksiMeanClock {
    double window, elapsed; /* s; elapsed: since the multiples last started from zero */
    double passed;          /* number of multiples reached */
    bool isFull, isNew;     /* isFull: the last block is complete; isNew: it begins with this
                               step */
    unsigned long block;    /* the number of the last block, from 1 */
} ksiMeanClock;

ksiMeanClock ksiMeanClockOf(double window);
void ksiMeanAdvance(ksiMeanClock *clock, double h);

/* Four numbers of a sum, at any address. */
typedef float ksiSingles __attribute__((vector_size(4 * sizeof(float)), aligned(sizeof(float)), may_alias));

/* Index of a block in ksiMeans::block. */
static inline size_t ksiMeanPlace(unsigned long block)
{
    return block % KSI_MEAN_BLOCKS;
}

/* Flags of a sum of steps. */
enum {
    KSI_MEAN_VAGUE = 1,         /* in some step the distance of the report from the motion is
                                   unknown */
    KSI_MEAN_APART_UNKNOWN = 2, /* in some step the distance of the report from the mechanism's
                                   force is unknown */
    KSI_MEAN_BORROWED = 4       /* in some step a part of the physical force may be the engine's */
};

/* Sums of h times each quantity, over steps of one joint. Wrenches are about the joint's anchor in
 * each step; without an anchor, about the mass centre. */
typedef struct ksiMeanSums {
    double time;        /* s; sum of h alone */
    ksWrench world[2];  /* the wrench on either body; world axes */
    ksWrench turned[2]; /* these wrenches in the joint's axes of each step */
    double motor[3];    /* the force of an axis's motor */
    /* For bars; single precision is enough: */
    float remainder; /* motion of the mechanism that the reports do not explain; mass metric */
    float beyond[6]; /* the wrench on body[0] minus its physical value; world axes */
    float fields[6]; /* change of the physical wrench by the other permitted velocity field */
    float size[2];   /* sums of the sizes of the terms of `beyond`: forces, torques */
    /* components that were not unique in some step, as bits: components of world[0], and from bit
     * KSI_MEAN_TURNED on, components of turned[0] */
    unsigned short open;
    unsigned char motors; /* axes that had a motor in some step: bits */
    unsigned char marks;  /* KSI_MEAN_VAGUE, ... */
} ksiMeanSums;

typedef struct ksiMeanBlock {
    ksiMeanSums sums;
    /* In its first step: */
    float forbidden[6]; /* ksiForbiddenImpulse */
    float size[2];      /* the sizes of the force and the torque of `forbidden` */
    float turning;      /* ksiMeans::turning */
} ksiMeanBlock;

/* The window of a joint: the last `age` blocks and the present one. Each of the first `turned`
 * blocks holds the sum from itself up to the last of these `turned` blocks. ksiMeans::recent is the
 * sum of the later blocks, without the present one. So a step of the window needs no subtraction,
 * and no new sum over all its blocks. Kept between steps. */
typedef struct ksiMeanRun {
    int slot; /* in ksiMeans::block, or -1: a contact */
    /* in the last step of the present block: rows that share their forces, as bits; above these
     * bits, the number of free directions */
    unsigned short shared;
    unsigned char turned; /* number of blocks that hold a sum, see above */
    unsigned char age : 7;
    bool isOn : 1; /* the window contains the last step */
} ksiMeanRun;

typedef struct ksiMeans {
    ksiMeanClock clock;
    unsigned long step, last;             /* numbers of the last step and of its block */
    ksiMeanRun *run;                      /* [joints] kept */
    ksiMeanBlock *block[KSI_MEAN_BLOCKS]; /* [slotCount] by ksiMeanPlace */
    ksiMeanSums *recent;                  /* [slotCount] */
    size_t capacity[KSI_MEAN_BLOCKS + 1]; /* of `block` and `recent` */
    bool *isTaken;                        /* [slotCount] a joint has this slot */
    float *turning;                       /* [islands] largest angular speed of a body of the
                                             island; rad/s */
    size_t slotCount, takenCapacity;
} ksiMeans;

typedef struct ksiStep ksiStep;

/* mean.c, phase 1, after the joints are read: reserves memory for this step. */
KS_MUST_USE ksStatus ksiReserveMeans(const ksiStep *step, ksiMeans *means);

/* Phase 13: adds this step, whose verdicts must be known. */
void ksiTakeMeans(const ksiStep *step, ksiMeans *means);

static inline unsigned long ksiMeanFirst(const ksiMeans *means, const ksiMeanRun *run)
{
    return means->clock.block - run->age;
}

/* What is known of the force of a joint in a step. KSI_NO_FORCE: it is zero, as for a motor without
 * force, or a stop that is not reached. KSI_NO_SAMPLE: it is unknown, as for a sleeping or disabled
 * joint. */
typedef enum ksiSample { KSI_NO_SAMPLE, KSI_NO_FORCE, KSI_FORCE } ksiSample;
ksiSample ksiSampleOf(const ksiStep *step, int joint);

/* For KSI_FORCE: the wrenches that explain the motion, on both bodies, about their mass centres. */
void ksiForceOf(const ksiStep *step, int joint, ksWrench on[2]);

/* Did the host, before the step, move a body of the joint farther than the body moves in a step? */
bool ksiIsPut(const ksiStep *step, int joint);

/* The impulse that would remove the forbidden velocities at the start of the step, on body[0] about
 * the anchor; 0 if unknown. */
void ksiForbiddenImpulse(const ksiStep *step, int joint, float wrench[6]);

/* sum = a + b; `sum` may be `a` or `b`. */
void ksiAddMeans(const ksiMeanSums *a, const ksiMeanSums *b, ksiMeanSums *sum);

/* mean_publish.c: fills the means of a reaction, whose other fields must all be set. */
void ksiFillMeans(const ksiStep *step, int joint, ksReaction *reaction);
/* Sets the means of a reaction to unknown: the window of the joint does not contain this step, or
 * the joint is gone. */
void ksiFillNoMeans(ksReaction *reaction);

#endif

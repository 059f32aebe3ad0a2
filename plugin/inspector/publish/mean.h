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
 * length. At the step that reaches the window length, the multiples start again from zero: an
 * observer that has seen all steps since then has the same blocks as one that has seen more
 * (ksiLead). */
typedef struct ksiMeanClock {
    double window, elapsed; /* s; since the multiples started */
    double passed;          /* number of multiples reached */
    bool isFull, isNew;     /* the last block is complete; it begins with this step */
    unsigned long block;    /* its number, from 1 */
} ksiMeanClock;

ksiMeanClock ksiMeanClockOf(double window);
void ksiMeanAdvance(ksiMeanClock *clock, double h);

/* Four numbers of a block, at any address. */
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
    double time;        /* 1 */
    ksWrench world[2];  /* the wrench on either body, world axes */
    ksWrench turned[2]; /* the same in the joint's axes of each step */
    double motor[3];    /* the force of an axis's motor */
    /* For bars; single precision is enough: */
    float remainder; /* motion of the mechanism that the reports do not explain; mass metric */
    float beyond[6]; /* force on body[0] minus its physical force; world axes */
    float fields[6]; /* change of the physical force by the other permitted velocity field */
    float size[2];   /* sums of the sizes of the terms of `beyond`: forces, torques */
    /* bits: components of world[0], and from bit KSI_MEAN_TURNED of turned[0], that were not unique
     * in some step */
    unsigned short open;
    unsigned char motors; /* axes that had a motor in some step: bits */
    unsigned char marks;
} ksiMeanSums;

typedef struct ksiMeanBlock {
    ksiMeanSums sums;
    /* of its first step: */
    float forbidden[6]; /* ksiForbiddenImpulse */
    float size[2];      /* the sizes of its force and its torque */
    float turning;      /* ksiMeans::turning */
} ksiMeanBlock;

/* The window of a joint: the last `age` blocks and the present one. Each of the first `turned`
 * blocks holds the sum from itself to the last of these. ksiMeans::recent is the sum of the later
 * blocks, without the present one. So sums never subtract, and are never recomputed. Kept between
 * steps. */
typedef struct ksiMeanRun {
    int slot; /* in ksiMeans::block, or -1: a contact */
    /* of the last step in the present block: rows that share their forces (bits), and the number of
     * free directions */
    unsigned short shared;
    unsigned char turned;
    unsigned char age : 7;
    bool isOn : 1; /* the window contains the last step */
} ksiMeanRun;

typedef struct ksiMeans {
    ksiMeanClock clock;
    unsigned long step, last;             /* number of the last step, and its block */
    ksiMeanRun *run;                      /* [joints] kept */
    ksiMeanBlock *block[KSI_MEAN_BLOCKS]; /* [slotCount] by ksiMeanPlace */
    ksiMeanSums *recent;                  /* [slotCount] */
    size_t capacity[KSI_MEAN_BLOCKS + 1]; /* of `block` and `recent` */
    bool *isTaken;                        /* [slotCount] */
    float *turning;                       /* [islands] rad/s, the largest angular speed of their
                                             bodies */
    size_t slotCount, takenCapacity;
} ksiMeans;

typedef struct ksiStep ksiStep;

/* mean.c, phase 1, after the joints are read: reserves memory for this step. */
KS_MUST_USE ksStatus ksiReserveMeans(const ksiStep *step, ksiMeans *means);

/* Phase 13: adds this step after its verdicts. */
void ksiTakeMeans(const ksiStep *step, ksiMeans *means);

static inline unsigned long ksiMeanFirst(const ksiMeans *means, const ksiMeanRun *run)
{
    return means->clock.block - run->age;
}

/* The force of a joint in a step. A motor without force and a stop that is not reached have zero
 * force. The force of a sleeping or disabled joint is unknown. */
typedef enum ksiSample { KSI_NO_SAMPLE, KSI_NO_FORCE, KSI_FORCE } ksiSample;
ksiSample ksiSampleOf(const ksiStep *step, int joint);

/* For KSI_FORCE: the wrenches that explain the motion, on both bodies, about their mass centres. */
void ksiForceOf(const ksiStep *step, int joint, ksWrench on[2]);

/* Did the host move a body of the joint before the step? */
bool ksiIsPut(const ksiStep *step, int joint);

/* The impulse that would remove the forbidden velocities at the start of the step, on body[0] about
 * the anchor; 0 if unknown. */
void ksiForbiddenImpulse(const ksiStep *step, int joint, float wrench[6]);

/* sum = a + b; it may be one of them. */
void ksiAddMeans(const ksiMeanSums *a, const ksiMeanSums *b, ksiMeanSums *sum);

/* mean_publish.c: fills the means of a reaction; all its other fields are set. */
void ksiFillMeans(const ksiStep *step, int joint, ksReaction *reaction);
/* Fills the means of a joint without a reaction. */
void ksiFillNoMeans(ksReaction *reaction);

#endif

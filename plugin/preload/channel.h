/* channel.h  Between the programs that are inspected and the command that inspects: shared memory with a place for each process, and
 * a ring of records for each that steps.
 *
 * A record is in the ring at once or not at all, so a process may die at any moment. One that cannot go on because the ring is full
 * waits, as long as the command is alive. */
#ifndef KSI_CHANNEL_H
#define KSI_CHANNEL_H

#include "../replay/record.h"

#include <stdatomic.h>

#define KSI_CHANNEL_VARIABLE "KINETOSTAT_CHANNEL" /* in the environment: the file of the shared memory */

enum { KSI_CHANNEL_PLACES = 32 };

/* What became of a process. */
typedef enum ksiPlaceState {
    KSI_PLACE_FREE,
    KSI_PLACE_LOADED, /* the wrapper is in it, and nothing else has happened: another may have the place when it is gone */
    KSI_PLACE_STEPPING, /* it has made a step, which was seen */
    KSI_PLACE_REFUSED   /* it steps, but cannot be inspected: `words` */
} ksiPlaceState;

typedef struct ksiPlace {
    _Atomic int state, pid; /* pid 0: it is nobody's yet */
    char program[64];
    char words[256];                /* why not */
    _Atomic int hasEngine;          /* when it ended in peace: a library of the engine was loaded */
    _Atomic int hasEnded;           /* it did */
    _Atomic uint64_t steps, worlds; /* all that were made */
    ksiRecordOrigin origin;
    int file;                       /* of the ring, in the command */
    _Atomic uint64_t written, read; /* bytes, ever */
} ksiPlace;

/* Which steps a process records. */
typedef struct ksiSampling {
    uint64_t every;     /* 1: each */
    double from, until; /* s, of a world's time */
    uint32_t world;     /* 0: all */
    double overhead;    /* share of the time of all steps that may go into recording; 0: any */
    uint64_t ringBytes;
    uint32_t hasGeoms; /* 1: and the shapes of bodies */
} ksiSampling;

typedef struct ksiChannel {
    uint32_t magic, version;
    int command; /* process id */
    _Atomic int isClosed;
    _Atomic int turnedAway; /* processes for which there was no place */
    ksiSampling sampling;
    ksiPlace place[KSI_CHANNEL_PLACES];
} ksiChannel;

/* The command's side: all memory is its own, and gone when the last process is that has it. name: for the environment of programs.
 * NULL: errno says why. */
ksiChannel *ksiChannelCreate(char name[64], const ksiSampling *sampling);

/* The program's side. NULL: there is none. */
ksiChannel *ksiChannelOpen(const char *name);

/* A place that is free, or was this process's before it called exec, or that of a process that is gone and has not stepped. NULL:
 * there is none. */
ksiPlace *ksiChannelClaim(ksiChannel *channel);

typedef struct ksiRing {
    ksiPlace *place;
    const ksiChannel *channel;
    char *data;
    uint64_t bytes;
} ksiRing;

/* Either side. false: errno says why. */
bool ksiRingOpen(ksiRing *ring, const ksiChannel *channel, ksiPlace *place);
void ksiRingClose(ksiRing *ring);

/* false: the command is gone, or the record is larger than half the ring. */
bool ksiRingWrite(ksiRing *ring, const ksiStepRecord *record);

/* The next record, or NULL: none now. It stays until Release. */
const ksiStepRecord *ksiRingPeek(const ksiRing *ring, uint64_t *available);
void ksiRingRelease(ksiRing *ring, uint64_t bytes);

#endif

/* channel.h  Between the programs that are inspected and the command that inspects: shared memory with a place for each process, and
 * a ring of records for each that steps.
 *
 * A record is in the ring at once or not at all, so a process may die at any moment. One that cannot go on because the ring is full
 * waits, as long as the command is alive. */
#ifndef KSI_PRELOAD_CHANNEL_H
#define KSI_PRELOAD_CHANNEL_H

#include "../replay/not_finite.h"
#include "../replay/record.h"

#include <stdatomic.h>

#define KSI_CHANNEL_VARIABLE "KINETOSTAT_CHANNEL" /* in the environment: the file of the shared memory */

enum { KSI_CHANNEL_PLACES = 64 };

/* What became of a process. */
typedef enum ksiPlaceState {
    KSI_PLACE_FREE,
    KSI_PLACE_LOADED,   /* the wrapper is in it, and nothing else has happened */
    KSI_PLACE_STEPPING, /* it has made a step, which was seen */
    KSI_PLACE_REFUSED   /* it steps, but cannot be inspected: `words` */
} ksiPlaceState;

/* The step that was begun last. */
typedef struct ksiLastStep {
    uint32_t world;   /* 0: none was begun */
    uint32_t isExact; /* by ksInspectorExactStep */
    uint64_t step;
    double time; /* s, of the world */
} ksiLastStep;

typedef struct ksiPlace {
    _Atomic int state, pid;         /* pid 0: it is nobody's */
    _Atomic int isLeft;             /* its process has called exec, and is elsewhere now */
    char program[96];               /* "simulation", "python3 walker.py" */
    char engine[96];                /* the file of its engine's library */
    char words[256];                /* why not */
    _Atomic int hasEngine;          /* when it ended in peace: a library of the engine was loaded */
    _Atomic int hasEnded;           /* it did */
    _Atomic uint64_t steps, worlds; /* all that were made */
    _Atomic uint64_t exact;         /* steps of ksInspectorExactStep, among them: they cannot be recorded */
    _Atomic uint64_t missed;        /* worlds with joints that were never stepped */
    _Atomic int stepping;           /* steps that were begun and have not ended */
    ksiLastStep last;
    _Atomic unsigned traps; /* bits of traps.h */
    _Atomic int hasNotFinite;
    ksiNotFinite notFinite;
    char built[256];                /* dGetConfiguration of its engine */
    int file;                       /* of the ring, in the command, for the program */
    _Atomic uint64_t written, read; /* bytes, since it is this process's */
} ksiPlace;

/* Bytes of the memory that is shared with a process. */
enum { KSI_LEAST_RING = 64 << 10 };

/* Which steps a process records. */
typedef struct ksiSampling {
    uint64_t every;     /* 1: each */
    double from, until; /* s, of a world's time */
    uint32_t world;     /* 0: all */
    double overhead;    /* processor time that may be added, as a share of the program's own; 0: any */
    uint64_t ringBytes;
    uint32_t hasGeoms; /* 1: and the shapes of bodies */
} ksiSampling;

/* Processor time, ns, and steps, since the beginning. */
typedef struct ksiSpent {
    _Atomic uint64_t program;         /* of all processes, without what was added */
    _Atomic uint64_t recording;       /* in them */
    _Atomic uint64_t command;         /* in all */
    _Atomic uint64_t judging, trials; /* of this, so many */
    _Atomic uint64_t sent, judged;    /* records */
} ksiSpent;

typedef struct ksiChannel {
    uint32_t magic, version;
    int command; /* process id */
    _Atomic int isClosed;
    _Atomic int turnedAway; /* processes that step, and for which there was no place */
    ksiSampling sampling;
    ksiSpent spent;
    ksiPlace place[KSI_CHANNEL_PLACES];
} ksiChannel;

/* The command's side, which is in hub.h, has all memory in files of its own. Their names for others; and what others look for. */
void ksiNameShared(char out[64], int command, int file);
void *ksiMapShared(int file, size_t bytes); /* NULL: errno says why */
void ksiChannelBegin(ksiChannel *channel, const ksiSampling *sampling);

/* One that has ended does not live, though nobody has waited for it yet. */
bool ksiIsAlive(int process);

/* The program's side. NULL: there is none. */
ksiChannel *ksiChannelOpen(const char *name);

/* A place that is free, or was this process's before it called exec. NULL: there is none now. Wait: for one that a process has left
 * which is gone; where there is none, the process counts as turned away. */
ksiPlace *ksiChannelClaim(ksiChannel *channel);
ksiPlace *ksiChannelWait(ksiChannel *channel);

typedef struct ksiRing {
    ksiPlace *place;
    const ksiChannel *channel;
    char *data;
    uint64_t bytes;
} ksiRing;

/* In place of a record where the rest of the ring is too short for it. */
#define KSI_RING_WRAP UINT64_MAX

/* The program's side. false: errno says why. */
bool ksiRingOpen(ksiRing *ring, const ksiChannel *channel, ksiPlace *place);
void ksiRingClose(ksiRing *ring);

/* false: the command is gone, or the record is larger than half the ring. */
bool ksiRingWrite(ksiRing *ring, const ksiStepRecord *record);

#endif

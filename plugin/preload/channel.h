/* channel.h  Shared memory between the inspected programs and the command: a place for each
 * process, and a ring of records for each process that steps.
 *
 * A record appears in the ring as a whole or not at all, so a process may die at any moment. A
 * process whose ring is full waits as long as the command lives. */
#ifndef KSI_PRELOAD_CHANNEL_H
#define KSI_PRELOAD_CHANNEL_H

#include "../replay/not_finite.h"
#include "../replay/record.h"

#include <stdatomic.h>

/* The environment variable that names the file of the shared memory. */
#define KSI_CHANNEL_VARIABLE "KINETOSTAT_CHANNEL"

enum { KSI_CHANNEL_PLACES = 64 };

/* State of a process. */
typedef enum ksiPlaceState {
    KSI_PLACE_FREE,
    KSI_PLACE_LOADED,   /* it has loaded the wrapper, and has not stepped */
    KSI_PLACE_STEPPING, /* it has begun a step, and its engine can be recorded */
    KSI_PLACE_REFUSED   /* it steps, but cannot be inspected: `words` says why */
} ksiPlaceState;

/* The last step that began. */
typedef struct ksiLastStep {
    uint32_t world;   /* 0: none */
    uint32_t isExact; /* a step of ksInspectorExactStep */
    uint64_t step;
    double time; /* s: the world's time */
} ksiLastStep;

typedef struct ksiPlace {
    _Atomic int state, pid;         /* pid 0: free */
    _Atomic int isLeft;             /* its process called exec and has another place now */
    char program[96];               /* "simulation", "python3 walker.py" */
    char engine[96];                /* the file of its engine's library */
    char words[256];                /* reason of a refusal */
    _Atomic int hasEngine;          /* an engine's library was loaded when it ended normally */
    _Atomic int hasEnded;           /* it ended normally */
    _Atomic uint64_t steps, worlds; /* all steps and worlds, recorded or not */
    _Atomic uint64_t exact;         /* steps of ksInspectorExactStep among them, which cannot be
                                       recorded */
    _Atomic uint64_t missed;        /* worlds that have joints and were never stepped */
    _Atomic int stepping;           /* steps in progress */
    ksiLastStep last;
    _Atomic unsigned traps; /* bits of traps.h */
    _Atomic int hasNotFinite;
    ksiNotFinite notFinite;
    char built[256];                /* dGetConfiguration of its engine */
    int file;                       /* the ring's file: a descriptor of the command */
    _Atomic uint64_t written, read; /* bytes written to the ring and read from it */
} ksiPlace;

/* Least size of a ring, bytes. */
enum { KSI_LEAST_RING = 64 << 10 };

/* Steps that a process records. */
typedef struct ksiSampling {
    uint64_t every;     /* N: every N-th step */
    double from, until; /* s, of a world's time */
    uint32_t world;     /* 0: all */
    double overhead;    /* largest added processor time as a share of the program's own; 0: no
                           limit */
    uint64_t ringBytes;
    uint32_t hasGeoms; /* 1: also the shapes of bodies */
} ksiSampling;

/* Processor time, ns, and numbers of records, since the start. */
typedef struct ksiSpent {
    _Atomic uint64_t program;         /* time of all processes, without the recording in them */
    _Atomic uint64_t recording;       /* time of the recording in all processes */
    _Atomic uint64_t command;         /* total time of the command */
    _Atomic uint64_t judging, trials; /* parts of the command's time */
    _Atomic uint64_t sent, judged;    /* numbers of records */
} ksiSpent;

typedef struct ksiChannel {
    uint32_t magic, version;
    int command; /* process id */
    _Atomic int isClosed;
    _Atomic int turnedAway; /* stepping processes that found no place */
    ksiSampling sampling;
    ksiSpent spent;
    ksiPlace place[KSI_CHANNEL_PLACES];
} ksiChannel;

/* The command's side (hub.h) keeps all memory in its own files. ksiNameShared writes the name of
 * such a file. ksiChannelBegin fills in the head of the channel. */
void ksiNameShared(char out[64], int command, int file);
void *ksiMapShared(int file, size_t bytes); /* NULL: errno says why */
void ksiChannelBegin(ksiChannel *channel, const ksiSampling *sampling);

/* False for a process that has ended, even before its parent has waited for it. */
bool ksiIsAlive(int process);

/* Opens the channel in the program. NULL: there is none, it is closed, or it has another
 * version. */
ksiChannel *ksiChannelOpen(const char *name);

/* Claims a free place, or this process's place from before exec. NULL: there is none.
 * ksiChannelWait also waits for a place that an ended process still occupies; if there is none,
 * counts the process as turned away. */
ksiPlace *ksiChannelClaim(ksiChannel *channel);
ksiPlace *ksiChannelWait(ksiChannel *channel);

typedef struct ksiRing {
    ksiPlace *place;
    const ksiChannel *channel;
    char *data;
    uint64_t bytes;
} ksiRing;

/* Replaces a record's size if the rest of the ring is too short for the record. */
#define KSI_RING_WRAP UINT64_MAX

/* Opens the place's ring in the program. false: errno says why. */
bool ksiRingOpen(ksiRing *ring, const ksiChannel *channel, ksiPlace *place);
void ksiRingClose(ksiRing *ring);

/* false: the command is gone, or the record is larger than half the ring. */
bool ksiRingWrite(ksiRing *ring, const ksiStepRecord *record);

#endif

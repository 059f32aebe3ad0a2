/* hub.h  The command's side of a channel. Any process may write the shared memory at any time, so
 * its data are copied once and checked in the copy. */
#ifndef KSI_COMMAND_RUN_HUB_H
#define KSI_COMMAND_RUN_HUB_H

#include "../../preload/channel.h"

/* The shared memory, and the command's private data about it. */
typedef struct ksiHub {
    ksiChannel *channel;
    uint64_t ringBytes;
    int file[KSI_CHANNEL_PLACES]; /* the rings' files */
} ksiHub;

/* The command owns all memory. Nobody can change its size, and it vanishes with its last process.
 * name: for the environment of programs. false: errno is set. */
bool ksiHubOpen(ksiHub *hub, char name[64], const ksiSampling *sampling);

/* A checked copy of a place: texts are terminated and clean. */
typedef struct ksiSeen {
    int pid; /* 0: free */
    ksiPlaceState state;
    bool isLeft; /* its process has left it: no data follow */
    bool hasEngine, hasEnded, isStepping, hasNotFinite;
    uint32_t traps;
    uint64_t steps, worlds, exact, missed;
    char program[sizeof(((ksiPlace *)0)->program)], engine[sizeof(((ksiPlace *)0)->engine)],
        words[sizeof(((ksiPlace *)0)->words)], built[sizeof(((ksiPlace *)0)->built)];
    ksiLastStep last;
    ksiNotFinite notFinite;
} ksiSeen;
void ksiPlaceSee(const ksiPlace *place, ksiSeen *seen);

/* Frees the place for another process. */
void ksiHubFree(const ksiHub *hub, int place);

/* Reads a ring. All zero: closed. */
typedef struct ksiReader {
    ksiPlace *place;
    const char *data;     /* the ring, shared with the writer */
    uint64_t bytes, read; /* size of the ring; bytes read by this process */
    ksiStepRecord *copy;
    size_t capacity; /* of the copy, bytes */
} ksiReader;

/* false: errno is set. */
bool ksiReaderOpen(ksiReader *reader, const ksiHub *hub, int place);
void ksiReaderClose(ksiReader *reader);

/* Does the ring hold data to take? */
bool ksiReaderHasMore(const ksiReader *reader);

typedef enum ksiTaken {
    KSI_TAKEN_NOTHING, /* the ring is empty */
    KSI_TAKEN_RECORD,
    KSI_TAKEN_NONSENSE,
    KSI_TAKEN_NO_MEMORY
} ksiTaken;

/* The next record, as a checked copy that stays valid until the next call. */
ksiTaken ksiReaderTake(ksiReader *reader, const ksiStepRecord **record);

/* Skips all records in the ring. */
void ksiReaderDrain(ksiReader *reader);

#endif

/* hub.h  The command's side of a channel. What is in the shared memory may have been written by anyone, and may change at any time: it is
 * read once, copied, and looked at in the copy. */
#ifndef KSI_COMMAND_RUN_HUB_H
#define KSI_COMMAND_RUN_HUB_H

#include "../../preload/channel.h"

/* The shared memory, and what the command knows of it by itself. */
typedef struct ksiHub {
    ksiChannel *channel;
    uint64_t ringBytes;
    int file[KSI_CHANNEL_PLACES]; /* of the rings */
} ksiHub;

/* All memory is the command's, of a size that nobody can change, and gone when the last process is that has it. name: for the environment
 * of programs. false: errno says why. */
bool ksiHubOpen(ksiHub *hub, char name[64], const ksiSampling *sampling);

/* What a place says of its process, at this moment: texts end, and are clean. */
typedef struct ksiSeen {
    int pid; /* 0: it is nobody's */
    ksiPlaceState state;
    bool isLeft; /* its process has left it, so that nothing more will come */
    bool hasEngine, hasEnded, isStepping, hasNotFinite;
    uint32_t traps;
    uint64_t steps, worlds, exact, missed;
    char program[sizeof(((ksiPlace *)0)->program)], engine[sizeof(((ksiPlace *)0)->engine)],
        words[sizeof(((ksiPlace *)0)->words)], built[sizeof(((ksiPlace *)0)->built)];
    ksiLastStep last;
    ksiNotFinite notFinite;
} ksiSeen;
void ksiPlaceSee(const ksiPlace *place, ksiSeen *seen);

/* Makes it nobody's. */
void ksiHubFree(const ksiHub *hub, int place);

/* What comes through a ring. All zero: closed. */
typedef struct ksiReader {
    ksiPlace *place;
    const char *data;     /* shared */
    uint64_t bytes, read; /* of the ring; since it is this process's */
    ksiStepRecord *copy;
    size_t capacity; /* bytes */
} ksiReader;

/* false: errno says why. */
bool ksiReaderOpen(ksiReader *reader, const ksiHub *hub, int place);
void ksiReaderClose(ksiReader *reader);

/* Is there something to be taken? */
bool ksiReaderHasMore(const ksiReader *reader);

typedef enum ksiTaken {
    KSI_TAKEN_NOTHING, /* there is none now */
    KSI_TAKEN_RECORD,
    KSI_TAKEN_NONSENSE,
    KSI_TAKEN_NO_MEMORY
} ksiTaken;

/* The next record: a copy, which is sound, and stays until the next one is taken. */
ksiTaken ksiReaderTake(ksiReader *reader, const ksiStepRecord **record);

/* Leaves out all that has been written. */
void ksiReaderDrain(ksiReader *reader);

#endif

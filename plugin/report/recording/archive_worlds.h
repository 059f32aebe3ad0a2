/* archive_worlds.h  The worlds of a recording, and the places of their records. */
#ifndef KSI_REPORT_RECORDING_ARCHIVE_WORLDS_H
#define KSI_REPORT_RECORDING_ARCHIVE_WORLDS_H

#include "archive.h"
#include "world_name.h"

#define KSI_NO_NEXT SIZE_MAX

typedef struct ksiArchiveProcess {
    unsigned number;
    const char *program; /* owned by the archive */
    unsigned likeIt;     /* number of earlier processes of the same program */
} ksiArchiveProcess;

typedef struct ksiArchiveWorld {
    size_t process; /* index of the process */
    unsigned number;
    size_t first, last, records;
    char name[KSI_WORLD_NAME]; /* clean */
} ksiArchiveWorld;

/* In the order of first records. Zero-initialised: empty. */
typedef struct ksiArchiveWorlds {
    ksiArchiveProcess *process;
    size_t processCount, processCapacity;
    ksiArchiveWorld *world;
    size_t worldCount, worldCapacity;
    size_t *next; /* [records], for each record the next record of its world, or KSI_NO_NEXT */
    size_t nextCapacity;
} ksiArchiveWorlds;

/* The archive must outlive the list. KS_OK or KS_ERROR_NO_MEMORY: free the list in either case. */
KS_MUST_USE ksStatus ksiArchiveListWorlds(const ksiArchive *archive, ksiArchiveWorlds *out);
void ksiArchiveWorldsFree(ksiArchiveWorlds *worlds);

/* Matches the processes of a with those of b: first processes of the same program, in order, then
 * the others, in order. match [processes of a]: the matching process of b, or KSI_NO_NEXT. */
void ksiMatchProcesses(const ksiArchiveWorlds *a, const ksiArchiveWorlds *b, size_t *match);

#endif

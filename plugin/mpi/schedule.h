/* schedule.h  Hands out the work part by part. */
#ifndef KSI_MPI_SCHEDULE_H
#define KSI_MPI_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

/* Windows of a recording: a shard (ksiShard), or all of them. */
typedef struct ksiUnit {
    uint32_t file, part, parts; /* parts 0: no more work */
    uint64_t bytes;             /* the unit's share of the file */
} ksiUnit;

/* State of the work. Its size does not depend on the number of files. */
typedef struct ksiSchedule {
    char *const *file; /* names of the files, then NULL; owned by the caller */
    unsigned takers;
    uint64_t bytesLeft; /* bytes of the files of which no part was handed out */
    uint64_t fileBytes; /* bytes of the file from which parts are handed out */
    uint32_t next, part, parts;
} ksiSchedule;

/* bytes: the sum over all files. */
ksiSchedule ksiScheduleBegin(char *const *file, unsigned takers, uint64_t bytes);

/* The next unit; parts 0: none. */
ksiUnit ksiScheduleNext(ksiSchedule *schedule);

/* The size of a file; 0: it is missing, or not a regular file. */
uint64_t ksiFileBytes(const char *path);

#endif

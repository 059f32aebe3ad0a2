/* schedule.h  Hands out the work part by part. */
#ifndef KSI_MPI_SCHEDULE_H
#define KSI_MPI_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

/* Windows of a recording: a shard (ksiShard), or all of them. */
typedef struct ksiUnit {
    uint32_t file, part, parts; /* parts 0: no more work */
    uint64_t bytes;             /* its share of the file */
} ksiUnit;

/* State of the work, of a size that does not depend on the number of files. */
typedef struct ksiSchedule {
    char *const *file; /* NULL after the last one; the caller's */
    unsigned takers;
    uint64_t bytesLeft; /* bytes of files that have not begun */
    uint64_t fileBytes; /* bytes of the last file that began */
    uint32_t next, part, parts;
} ksiSchedule;

/* bytes: the sum over all files. */
ksiSchedule ksiScheduleBegin(char *const *file, unsigned takers, uint64_t bytes);

/* The next unit; parts 0: none. */
ksiUnit ksiScheduleNext(ksiSchedule *schedule);

/* The size of a file; 0: it is missing, or no regular file. */
uint64_t ksiFileBytes(const char *path);

#endif

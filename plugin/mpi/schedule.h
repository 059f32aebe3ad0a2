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

/* State of the work. Its size does not depend on the number of files. */
typedef struct ksiSchedule {
    char *const *file; /* NULL after the last one; the caller's */
    unsigned takers;
    uint64_t bytesLeft; /* of files that have not begun */
    uint64_t fileBytes; /* of the last file that began */
    uint32_t next, part, parts;
} ksiSchedule;

/* bytes: the sum over all files. */
ksiSchedule ksiScheduleBegin(char *const *file, unsigned takers, uint64_t bytes);

/* The next unit; parts 0: none. */
ksiUnit ksiScheduleNext(ksiSchedule *schedule);

/* 0: missing or unreadable. */
uint64_t ksiFileBytes(const char *path);

#endif

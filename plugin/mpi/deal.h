/* deal.h  What there is to be judged, handed out part by part. */
#ifndef KSI_MPI_DEAL_H
#define KSI_MPI_DEAL_H

#include <stdbool.h>
#include <stdint.h>

/* Some windows of a recording: those of one of so many shards (ksiShard), or all. */
typedef struct ksiUnit {
    uint32_t file, part, parts; /* parts 0: there is nothing more */
    uint64_t bytes;             /* its share of the file */
} ksiUnit;

/* What is kept of all files does not depend on how many there are. */
typedef struct ksiDeal {
    char *const *file; /* NULL behind the last one; the caller's */
    unsigned takers;
    uint64_t bytesLeft; /* of files that were not begun */
    uint64_t fileBytes; /* of the one that was begun last */
    uint32_t next, part, parts;
} ksiDeal;

/* bytes: of all files. */
ksiDeal ksiDealBegin(char *const *file, unsigned takers, uint64_t bytes);

/* The next unit; parts 0: there is none. */
ksiUnit ksiDealNext(ksiDeal *deal);

/* 0: there is none, or it cannot be seen. */
uint64_t ksiFileBytes(const char *path);

#endif

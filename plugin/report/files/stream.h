/* stream.h  Writes or reads numbers and texts as bytes by the same calls. An integer takes seven
 * bits of each byte, lowest bits first; the eighth bit is set if more bytes follow. Reals are IEEE
 * 754, lowest byte first. */
#ifndef KSI_REPORT_FILES_STREAM_H
#define KSI_REPORT_FILES_STREAM_H

#include "text.h"

#include <stdbool.h>
#include <stdint.h>

enum { KSI_LONGEST_TEXT = 4096 };

typedef struct ksiStream {
    const ksAllocator *allocator;
    ksiText *out;                  /* NULL: this stream reads */
    const unsigned char *at, *end; /* the input */
    bool isDamaged, isShort;       /* invalid input; out of memory */
} ksiStream;

static inline bool ksiStreamIsGood(const ksiStream *s)
{
    return !s->isDamaged && !s->isShort;
}

/* Require marks the stream as damaged unless the condition holds. Need marks it as short of memory
 * unless isMade. */
static inline void ksiStreamRequire(ksiStream *s, bool condition)
{
    s->isDamaged |= !s->out && !condition;
}

static inline void ksiStreamNeed(ksiStream *s, bool isMade)
{
    s->isShort |= !isMade;
}

/* Each writes x, or reads it; damaged input yields 0. Counts are at most 2^53, exact as doubles;
 * known reals are not NaN. */
void ksiStreamBytes(ksiStream *s, void *x, size_t count);
void ksiStreamUpTo(ksiStream *s, uint64_t *x, uint64_t most);
void ksiStreamCount(ksiStream *s, uint64_t *x);
void ksiStreamCounts(ksiStream *s, uint64_t *x, int count);
void ksiStreamWhole(ksiStream *s, int *x, int most); /* from 0 to most */
void ksiStreamWhole32(ksiStream *s, uint32_t *x);
void ksiStreamTruth(ksiStream *s, bool *x);
void ksiStreamReal(ksiStream *s, double *x);
void ksiStreamKnown(ksiStream *s, double *x);
void ksiStreamSingle(ksiStream *s, float *x);

/* A text in a buffer of `size` bytes; the stream leaves out trailing zeros. */
void ksiStreamRoom(ksiStream *s, char *x, size_t size);

/* A text or NULL; reads into `place`. Long texts are cut. */
const char *ksiStreamText(ksiStream *s, const char *x, char place[KSI_LONGEST_TEXT]);

#endif

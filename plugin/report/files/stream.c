/* stream.c  Serialises numbers and texts. */
#include "stream.h"

#include <math.h>
#include <string.h>

static const uint64_t mostCount = UINT64_C(1) << 53;

void ksiStreamBytes(ksiStream *s, void *x, size_t count)
{
    if (s->out) {
        ksiTextAddBytes(s->out, x, count);
    } else if (ksiStreamIsGood(s) && (size_t)(s->end - s->at) >= count) {
        memcpy(x, s->at, count);
        s->at += count;
    } else {
        memset(x, 0, count);
        s->isDamaged = true;
    }
}

void ksiStreamUpTo(ksiStream *s, uint64_t *x, uint64_t most)
{
    unsigned char byte[10] = {0};
    size_t used = 0;
    if (s->out) {
        for (uint64_t rest = *x; used == 0 || rest > 0; rest >>= 7)
            byte[used++] = (unsigned char)((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
        ksiTextAddBytes(s->out, byte, used);
        return;
    }
    for (*x = 0; used < sizeof byte; used++) {
        ksiStreamBytes(s, &byte[used], 1);
        *x |= (uint64_t)(byte[used] & 0x7f) << 7 * used;
        if (byte[used] < 0x80)
            break;
    }
    ksiStreamRequire(s, used < sizeof byte && *x <= most);
    if (!ksiStreamIsGood(s))
        *x = 0;
}

void ksiStreamCount(ksiStream *s, uint64_t *x)
{
    ksiStreamUpTo(s, x, mostCount);
}

void ksiStreamCounts(ksiStream *s, uint64_t *x, int count)
{
    for (int i = 0; i < count; i++)
        ksiStreamCount(s, &x[i]);
}

void ksiStreamWhole(ksiStream *s, int *x, int most)
{
    uint64_t wide = (uint64_t)*x;
    ksiStreamUpTo(s, &wide, (uint64_t)most);
    if (!s->out)
        *x = (int)wide;
}

void ksiStreamWhole32(ksiStream *s, uint32_t *x)
{
    uint64_t wide = *x;
    ksiStreamUpTo(s, &wide, UINT32_MAX);
    if (!s->out)
        *x = (uint32_t)wide;
}

void ksiStreamTruth(ksiStream *s, bool *x)
{
    int wide = *x;
    ksiStreamWhole(s, &wide, 1);
    if (!s->out)
        *x = wide;
}

/* Writes or reads this many bytes, lowest first. */
static void fixed(ksiStream *s, uint64_t *bits, size_t count)
{
    unsigned char byte[sizeof *bits];
    for (size_t i = 0; i < count; i++)
        byte[i] = (unsigned char)(*bits >> 8 * i);
    ksiStreamBytes(s, byte, count);
    *bits = 0;
    for (size_t i = 0; i < count; i++)
        *bits |= (uint64_t)byte[i] << 8 * i;
}

void ksiStreamReal(ksiStream *s, double *x)
{
    uint64_t bits;
    memcpy(&bits, x, sizeof bits);
    fixed(s, &bits, sizeof bits);
    if (!s->out)
        memcpy(x, &bits, sizeof bits);
}

/* A quantity that is always known: not NaN. */
void ksiStreamKnown(ksiStream *s, double *x)
{
    ksiStreamReal(s, x);
    ksiStreamRequire(s, !isnan(*x));
}

void ksiStreamSingle(ksiStream *s, float *x)
{
    uint32_t own;
    memcpy(&own, x, sizeof own);
    uint64_t bits = own;
    fixed(s, &bits, sizeof own);
    own = (uint32_t)bits;
    if (!s->out)
        memcpy(x, &own, sizeof own);
}

/* A string in a buffer of a known size, padded with zeros. Lists of texts contain zeros too. */
void ksiStreamRoom(ksiStream *s, char *x, size_t size)
{
    uint64_t used = size;
    while (s->out && used > 0 && !x[used - 1])
        used--;
    ksiStreamUpTo(s, &used, size - 1);
    if (!s->out)
        memset(x, 0, size);
    ksiStreamBytes(s, x, used);
}

/* A string of unknown length; NULL: none. Reads into `place`. */
const char *ksiStreamText(ksiStream *s, const char *x, char place[KSI_LONGEST_TEXT])
{
    // cuts a longer text
    uint64_t used = x ? 1 + strnlen(x, KSI_LONGEST_TEXT - 1) : 0;
    ksiStreamUpTo(s, &used, KSI_LONGEST_TEXT);
    if (used == 0)
        return NULL;
    memset(place, 0, KSI_LONGEST_TEXT);
    if (s->out)
        memcpy(place, x, used - 1);
    ksiStreamBytes(s, place, used - 1);
    ksiStreamRequire(s, strlen(place) == used - 1);
    return place;
}

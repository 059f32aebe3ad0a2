/* checksum.c  CRC-32, computed for eight bytes at a time. Source: M. Kounavis, F. Berry, "A
 * systematic approach to building high performance, software-based, CRC generators", ISCC 2005. */
#include "checksum.h"

#include <pthread.h>

/* after[k][b]: the remainder of byte b followed by k zero bytes. */
static uint32_t after[8][256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill(void)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t rest = byte;
        for (int bit = 0; bit < 8; bit++)
            rest = rest >> 1 ^ (rest & 1 ? UINT32_C(0xedb88320) : 0);
        after[0][byte] = rest;
    }
    for (int k = 1; k < 8; k++)
        for (int byte = 0; byte < 256; byte++)
            after[k][byte] = after[k - 1][byte] >> 8 ^ after[0][after[k - 1][byte] & 0xff];
}

uint32_t ksiChecksum(uint32_t before, const uint64_t *words, size_t count)
{
    uint32_t rest = ~before;
    pthread_once(&once, fill);
    for (size_t i = 0; i < count; i++) {
        const uint64_t word = words[i] ^ rest;
        rest = 0;
        for (int k = 0; k < 8; k++)
            rest ^= after[7 - k][word >> 8 * k & 0xff];
    }
    return ~rest;
}

uint32_t ksiChecksumText(uint32_t before, const char *text, size_t bytes)
{
    uint32_t rest = ~before;
    pthread_once(&once, fill);
    for (size_t i = 0; i < bytes; i++)
        rest = rest >> 8 ^ after[0][(rest ^ (unsigned char)text[i]) & 0xff];
    return ~rest;
}

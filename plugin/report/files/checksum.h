/* checksum.h  CRC-32 of words, as in zlib, gzip and PNG (reflected polynomial 0xedb88320). The
 * lowest byte of a word comes first, so the result is the same on any processor. */
#ifndef KSI_REPORT_FILES_CHECKSUM_H
#define KSI_REPORT_FILES_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* Continues from the checksum of the data before; 0: none. */
uint32_t ksiChecksum(uint32_t before, const uint64_t *words, size_t count);
uint32_t ksiChecksumText(uint32_t before, const char *text, size_t bytes);

#endif

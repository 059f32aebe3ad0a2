/* archive.h  Records in a file, to be judged later. HDF5, so that it is compressed, and readable when the writer is killed:
 *
 *     /records    uint64 [words]    all records, one behind the other
 *     /first      uint64 [records]  where each begins, in words
 *     /process    uint32 [records]  which process made it
 *     /world      uint32 [records]  and in which of its worlds; the highest bit: the difference to the last record of that world
 *     attributes of the root: kinetostat, program, origin (ksiRecordOrigin)
 */
#ifndef KSI_ARCHIVE_H
#define KSI_ARCHIVE_H

#include "../replay/record.h"

typedef struct ksiArchive ksiArchive;

/* All functions: NULL or false means failure, and ksiArchiveError has the words. */
ksiArchive *ksiArchiveCreate(const char *path, const ksiRecordOrigin *origin, const char *program);
ksiArchive *ksiArchiveOpen(const char *path);
bool ksiArchiveClose(ksiArchive *archive); /* NULL is fine */
const char *ksiArchiveError(void);

bool ksiArchiveAppend(ksiArchive *archive, unsigned process, const ksiStepRecord *record);
bool ksiArchiveFlush(ksiArchive *archive);

const ksiRecordOrigin *ksiArchiveOrigin(const ksiArchive *archive);
size_t ksiArchiveCount(const ksiArchive *archive);

/* Records are read in their order. Valid until the next call. It may be broken: ksiRecordIsSound. */
const ksiStepRecord *ksiArchiveRead(ksiArchive *archive, size_t index, size_t *bytes, unsigned *process);

#endif

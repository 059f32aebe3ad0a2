/* archive.h  Records in a file, to be judged later. HDF5, so that it is compressed, and readable when the writer is killed:
 *
 *     /records    uint64 [words]    all records, one behind the other
 *     /end        uint64 [records]  where each ends, in words: the next one begins there
 *     /process    uint32 [records]  which process made it
 *     /world      uint32 [records]  and in which of its worlds; the highest bit: the difference to the last record of that world
 *     /checksum   uint32 [records]  ksiWritten::checksum
 *     /program    char [bytes]      what each process runs, in the order of its number, each with its end
 *     /schema     text              what the words of a record are, as JSON
 *     attributes of the root: recording (KSI_RECORD_VERSION), kinetostat, and the run (ksiRun): program, arguments, begun, engine, built,
 *     notes; ending, numbers; names, if there are some; head, the checksum of these
 */
#ifndef KSI_REPORT_RECORDING_ARCHIVE_H
#define KSI_REPORT_RECORDING_ARCHIVE_H

#include "../collect/run.h"

#include "../../replay/record.h"

typedef struct ksiArchive ksiArchive;

enum { KSI_ARCHIVE_WORDS = 400 };

/* All functions: NULL or false means failure, and then `words` [KSI_ARCHIVE_WORDS], the caller's, which stay there as long as the
 * archive does, say why. One thread at a time. A host's handler of HDF5's errors is left out meanwhile: ksiQuietHdf5.
 * Create makes the file; records can be appended after Begin. names: ksiNameListText, or NULL. compression: of deflate, 0 to 9. KS_OK, KS_ERROR_NO_MEMORY,
 * KS_ERROR_FILE, KS_ERROR_UNAVAILABLE: built without HDF5. */
KS_MUST_USE ksStatus ksiArchiveCreate(const char *path, int compression, char *words, ksiArchive **archive);
bool ksiArchiveBegin(ksiArchive *archive, const ksiRun *run, const char *names);
ksiArchive *ksiArchiveOpen(const char *path, char *words);
bool ksiArchiveClose(ksiArchive *archive); /* NULL is fine */

/* Before Close: how the run has ended. */
bool ksiArchiveEnd(ksiArchive *archive, const ksiRun *run);

/* KS_OK, KS_ERROR_NO_MEMORY, KS_ERROR_FILE */
KS_MUST_USE ksStatus ksiArchiveAppend(ksiArchive *archive, unsigned process, const char *program,
                                      const ksiStepRecord *record);
bool ksiArchiveFlush(ksiArchive *archive);

/* Since the last flush, of all that is written. */
size_t ksiArchiveWaiting(const ksiArchive *archive);

/* In a child of fork(). */
void ksiArchiveAbandon(const ksiArchive *archive);

/* dGetConfiguration of the engine that was recorded. */
const char *ksiArchiveBuilt(const ksiArchive *archive);

/* Of a host it has no begin: ksiRunIsOfHost. Numbers are in range, and texts end: ksiReportSetRun makes them clean. */
const ksiRun *ksiArchiveRun(const ksiArchive *archive);

/* The same of the same recording alone: of its head, and of the checksums of all records. */
uint64_t ksiArchiveIdentity(const ksiArchive *archive);

/* NULL: there are none. */
const char *ksiArchiveNames(const ksiArchive *archive);

/* What a process runs, as it was told with its first record; empty: that is not in the file. */
const char *ksiArchiveProgram(const ksiArchive *archive, unsigned process);

size_t ksiArchiveCount(const ksiArchive *archive);

/* No record that is sound has more bytes. */
size_t ksiArchiveLargest(const ksiArchive *archive);

/* Which process made a record, and in which of its worlds, by what the file says: the record itself may be damaged. */
void ksiArchiveWhose(const ksiArchive *archive, size_t index, unsigned *process, unsigned *world);

/* Records of a world are read in their order. KS_OK: *record is sound, and valid until the next one of its world is read; or NULL: it is damaged, or a difference to one
 * that is, and counts as such. KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiArchiveRead(ksiArchive *archive, size_t index, const ksiStepRecord **record, unsigned *process);
size_t ksiArchiveDamaged(const ksiArchive *archive);

#endif

/* archive.h  Records in a file: HDF5, compressed, and readable if its writer is killed.
 *
 *     /records    uint64 [words]    all records, one after the other
 *     /end        uint64 [records]  end of each record, in words; the next one begins there
 *     /process    uint32 [records]  number of the process that made the record
 *     /world      uint32 [records]  number of the world in its process, and two flags. The highest
 *                                   bit is set if the record is a difference to the previous record
 *                                   of its world. The next bit is set if it is a difference to what
 *                                   ksiExpectNext makes of that record
 *     /checksum   uint32 [records]  ksiWritten::checksum
 *     /program    char [bytes]      the programs of the processes, in order, each null-terminated
 *     /schema     char [bytes]      the fields of a record, as JSON
 *
 * The root has these attributes:
 *
 *     recording                     KSI_RECORD_VERSION
 *     kinetostat                    version of the library
 *     program, arguments, begun, engine, built, notes, parameters, traps
 *                                   the run (ksiRun)
 *     ending                        the numbers of the run
 *     names                         ksiNameListText, if there are names
 *     head                          checksum of the run and the names */
#ifndef KSI_REPORT_RECORDING_ARCHIVE_H
#define KSI_REPORT_RECORDING_ARCHIVE_H

#include "../collect/run.h"

#include "../../replay/record.h"

typedef struct ksiArchive ksiArchive;

enum { KSI_ARCHIVE_WORDS = 400 };

/* If a function fails, it returns NULL, false or an error, and writes the reason to the caller's
 * `words` [KSI_ARCHIVE_WORDS], which must outlive the archive. One thread at a time. Disables the
 * host's handler of HDF5 errors during the call: ksiQuietHdf5. Create makes the file; records can
 * be appended after Begin. names: ksiNameListText, or NULL. compression: the level of deflate, 0 to
 * 9. KS_OK, KS_ERROR_NO_MEMORY, KS_ERROR_FILE. */
KS_MUST_USE ksStatus ksiArchiveCreate(const char *path, int compression, char *words, ksiArchive **archive);
bool ksiArchiveBegin(ksiArchive *archive, const ksiRun *run, const char *names);
ksiArchive *ksiArchiveOpen(const char *path, char *words);
bool ksiArchiveClose(ksiArchive *archive); /* NULL is fine */

/* Sets the end of the run; call it before Close. */
bool ksiArchiveEnd(ksiArchive *archive, const ksiRun *run);

/* Appends a record. KS_OK, KS_ERROR_NO_MEMORY, KS_ERROR_FILE. */
KS_MUST_USE ksStatus ksiArchiveAppend(ksiArchive *archive, unsigned process, const char *program,
                                      const ksiStepRecord *record);
bool ksiArchiveFlush(ksiArchive *archive);

/* Number of records since the last flush. */
size_t ksiArchiveWaiting(const ksiArchive *archive);

/* Call it in a child of fork(). */
void ksiArchiveAbandon(const ksiArchive *archive);

/* dGetConfiguration of the engine that was recorded. */
const char *ksiArchiveBuilt(const ksiArchive *archive);

/* In a host's recording ksiRun::begun is empty: ksiRunIsOfHost. Numbers are in range, and texts are
 * terminated; ksiReportSetRun cleans them. */
const ksiRun *ksiArchiveRun(const ksiArchive *archive);

/* Identifies the recording: a checksum of its head and of the checksums of all records. */
uint64_t ksiArchiveIdentity(const ksiArchive *archive);

/* The names of joints; NULL: the recording has none. */
const char *ksiArchiveNames(const ksiArchive *archive);

/* The program of a process, from its first record; empty: the file does not have it. */
const char *ksiArchiveProgram(const ksiArchive *archive, unsigned process);

size_t ksiArchiveCount(const ksiArchive *archive);

/* Largest size of a sound record, bytes. */
size_t ksiArchiveLargest(const ksiArchive *archive);

/* The process and world of a record, from the file's columns: the record itself may be damaged. */
void ksiArchiveWhose(const ksiArchive *archive, size_t index, unsigned *process, unsigned *world);

/* Read the records of a world in order. KS_OK: *record is sound, and valid until the next record of
 * its world is read. *record NULL: the record is damaged, or is a difference to a damaged record.
 * KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiArchiveRead(ksiArchive *archive, size_t index, const ksiStepRecord **record, unsigned *process);
size_t ksiArchiveDamaged(const ksiArchive *archive);

#endif

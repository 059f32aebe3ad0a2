/* archive.c  Writes records to a file. */
#include "archive.h"

#include "../files/checksum.h"
#include "../files/file_lock.h"
#include "../files/hdf5_file.h"
#include "../files/packer.h"
#include "../files/trace_space.h"
#include "archive_inside.h"
#include "archive_run.h"
#include "schema.h"

#include "../../base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { METADATA = 1 << 16 };

const char *const ksiColumnNames[KSI_COLUMNS] = {"records", "end", "process", "world", "checksum", "program"};

bool ksiArchiveFail(const ksiArchive *archive, const char *what)
{
    snprintf(archive->error, KSI_ARCHIVE_WORDS, "%.250s: %s", archive->path, what);
    return false;
}

hid_t ksiColumnType(int which)
{
    return which == KSI_PROGRAM                       ? H5T_NATIVE_CHAR
           : which == KSI_RECORDS || which == KSI_END ? H5T_NATIVE_UINT64
                                                      : H5T_NATIVE_UINT32;
}

/* Reserves space for this many bytes of records and for their columns: an upper bound, since HDF5
 * rewrites chunks and its own data. */
static bool reserveSpace(ksiArchive *archive, size_t bytes)
{
    bytes += METADATA;
    for (int i = 0; i < KSI_COLUMNS; i++) {
        const ksiArchiveColumn *column = &archive->column[i];
        if (i != KSI_RECORDS)
            bytes += column->size * (column->count + 2 * (size_t)KSI_SHORT_CHUNK) + METADATA;
    }
    const int refused = ksiReserveSpace(archive->space, bytes);
    archive->isFull |= refused != 0;
    return !refused || ksiArchiveFail(archive, strerror(refused));
}

/* Creates a list of `count` numbers. A list with count 0 can grow. Negative: failed. */
static hid_t createList(const ksiArchive *archive, const char *name, hid_t type, hsize_t count, hsize_t chunk,
                        bool isCompressed)
{
    const hsize_t most = count > 0 ? count : H5S_UNLIMITED;
    const hid_t space = H5Screate_simple(1, &count, &most), how = H5Pcreate(H5P_DATASET_CREATE);
    bool isMade = H5Pset_chunk(how, 1, &chunk) >= 0;
    if (isMade && isCompressed && archive->compression > 0 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0)
        isMade = H5Pset_shuffle(how) >= 0 && H5Pset_deflate(how, (unsigned)archive->compression) >= 0;
    const hid_t set = isMade ? H5Dcreate2(archive->file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT) : -1;
    H5Pclose(how);
    H5Sclose(space);
    return set;
}

/* Checksums are not compressed, since they cannot become smaller, and a compressed chunk moves in
 * the file when it grows. */
static bool createColumn(ksiArchive *archive, int which)
{
    static const hsize_t chunk[KSI_COLUMNS] = {
        [KSI_RECORDS] = KSI_CHUNK,     [KSI_END] = KSI_SHORT_CHUNK, [KSI_PROCESS] = KSI_SHORT_CHUNK,
        [KSI_WORLD] = KSI_SHORT_CHUNK, [KSI_CHECKSUM] = 512,        [KSI_PROGRAM] = KSI_SHORT_CHUNK};
    ksiArchiveColumn *column = &archive->column[which];
    column->type = ksiColumnType(which);
    column->size = H5Tget_size(column->type);
    column->set = createList(archive, ksiColumnNames[which], column->type, 0, chunk[which], which != KSI_CHECKSUM);
    return column->set >= 0;
}

/* Describes the records for readers without this library. */
static bool writeSchema(const ksiArchive *archive)
{
    char *text = ksiRecordSchema();
    const hsize_t count = text ? strlen(text) : 0;
    const hid_t set = text ? createList(archive, "schema", H5T_NATIVE_CHAR, count, count, true) : -1;
    bool isWritten = set >= 0 && H5Dwrite(set, H5T_NATIVE_CHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    // an open dataset would keep the file open
    if (set >= 0)
        isWritten &= H5Dclose(set) >= 0;
    free(text);
    return isWritten;
}

static bool writeHead(ksiArchive *archive)
{
    const int64_t version = KSI_RECORD_VERSION;
    bool isWritten = ksiWriteAttribute(archive->file, "recording", H5T_NATIVE_INT64, 1, &version) &&
                     ksiWriteTextAttribute(archive->file, "kinetostat", PACKAGE_VERSION) &&
                     ksiWriteRun(archive->file, &archive->run, archive->names, true) && writeSchema(archive);
    for (int i = 0; i < KSI_COLUMNS; i++)
        isWritten = isWritten && createColumn(archive, i);
    return isWritten && H5Fstart_swmr_write(archive->file) >= 0 && !ksiShareLock(archive->space);
}

/* HDF5 compresses the records itself if there is no packer or no memory for one. */
static void makePacker(ksiArchive *archive)
{
    if (archive->compression > 0 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0 &&
        H5Zfilter_avail(H5Z_FILTER_SHUFFLE) > 0 && ksiPackerCreate(KSI_CHUNK, archive->compression, &archive->packer))
        archive->packer = NULL;
}

ksiArchive *ksiArchiveMake(const char *path, char *words)
{
    ksiArchive *made = calloc(1, sizeof *made);
    if (!made) {
        snprintf(words, KSI_ARCHIVE_WORDS, "out of memory");
        return NULL;
    }
    made->error = words;
    snprintf(made->path, sizeof made->path, "%s", path);
    made->space = made->handle = -1;
    made->file = -1;
    for (int i = 0; i < KSI_COLUMNS; i++)
        made->column[i].set = -1;
    return made;
}

static bool createFile(ksiArchive *archive, const char *path)
{
    const int refused = ksiClaimHdf5(path, &archive->space);
    if (refused)
        return ksiArchiveFail(archive, ksiLockWords(refused));
    const hid_t access = ksiClaimedAccess();
    archive->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    archive->handle = ksiHandleOfHdf5(archive->file);
    return archive->file >= 0 || ksiArchiveFail(archive, "cannot be written");
}

ksStatus ksiArchiveCreate(const char *path, int compression, char *words, ksiArchive **archive)
{
    ksiArchive *made = ksiArchiveMake(path, words);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    made->compression = compression;
    const ksiHandler host = ksiQuietHdf5();
    const bool isMade = createFile(made, path) && reserveSpace(made, 0);
    ksiLoudHdf5(host);
    if (!isMade) {
        ksiArchiveClose(made);
        return KS_ERROR_FILE;
    }
    *archive = made;
    return KS_OK;
}

bool ksiArchiveBegin(ksiArchive *archive, const ksiRun *run, const char *names)
{
    archive->run = *run;
    archive->names = names ? strdup(names) : NULL;
    if (names && !archive->names)
        return ksiArchiveFail(archive, "out of memory");
    const ksiHandler host = ksiQuietHdf5();
    makePacker(archive);
    archive->isBegun = reserveSpace(archive, 0) && (writeHead(archive) || ksiArchiveFail(archive, "cannot be written"));
    ksiLoudHdf5(host);
    return archive->isBegun;
}

const ksiRun *ksiArchiveRun(const ksiArchive *archive)
{
    return &archive->run;
}

bool ksiArchiveEnd(ksiArchive *archive, const ksiRun *run)
{
    if (!archive->isBegun || archive->isFull)
        return !archive->isFull;
    archive->run = *run;
    const ksiHandler host = ksiQuietHdf5();
    const bool isWritten = ksiWriteRun(archive->file, &archive->run, archive->names, false) ||
                           ksiArchiveFail(archive, "cannot be written");
    ksiLoudHdf5(host);
    return isWritten;
}

static bool reserveColumn(ksiArchiveColumn *column, size_t count)
{
    return !ksiReserve(&ksiLibraryAllocator, &column->waiting, &column->capacity, column->count + count, column->size);
}

/* Requires that the memory is reserved. */
static void push(ksiArchiveColumn *column, const void *elements, size_t count)
{
    memcpy(column->waiting + column->count * column->size, elements, count * column->size);
    column->count += count;
}

/* Writes the oldest `most` waiting elements. */
static bool drain(ksiArchiveColumn *column, size_t most)
{
    const hsize_t start = column->written, count = most, whole = start + count;
    if (count == 0)
        return true;
    if (H5Dset_extent(column->set, &whole) < 0)
        return false;
    const hid_t space = H5Dget_space(column->set), memory = H5Screate_simple(1, &count, NULL);
    const bool isWritten = H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0 &&
                           H5Dwrite(column->set, column->type, memory, space, H5P_DEFAULT, column->waiting) >= 0;
    H5Sclose(space);
    H5Sclose(memory);
    if (isWritten) {
        column->written = whole;
        column->count -= most;
        memmove(column->waiting, column->waiting + most * column->size, column->count * column->size);
    }
    return isWritten;
}

/* Writes records chunk by chunk, while there is space. */
static bool drainRecords(ksiArchive *archive)
{
    ksiArchiveColumn *column = &archive->column[KSI_RECORDS];
    while (column->count > 0) {
        const size_t left = KSI_CHUNK - (size_t)(column->written % KSI_CHUNK);
        // an uncompressed chunk keeps its place
        const bool isThere = archive->compression == 0 && left < KSI_CHUNK;
        if (!reserveSpace(archive, isThere ? 0 : KSI_CHUNK * column->size) ||
            !drain(column, column->count < left ? column->count : left))
            return false;
    }
    return true;
}

/* --- Packed records: waiting elements start with a chunk that may be partly in the file --- */

static bool extend(ksiArchiveColumn *column, hsize_t words)
{
    if (words > column->written && H5Dset_extent(column->set, &words) < 0)
        return false;
    column->written = words > column->written ? words : column->written;
    return true;
}

/* Writes the posted chunks, which follow chunk archive->packed. words: length of the column
 * afterwards. */
static bool writePacked(ksiArchive *archive, hsize_t words)
{
    const ksiArchiveColumn *column = &archive->column[KSI_RECORDS];
    const size_t count = ksiPackerWait(archive->packer);
    if (count == SIZE_MAX)
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t bytes;
        const hsize_t first = (archive->packed + i) * KSI_CHUNK;
        const void *chunk = ksiPackerChunk(archive->packer, i, &bytes);
        if (!chunk || !reserveSpace(archive, bytes) ||
            !extend(&archive->column[KSI_RECORDS], first + KSI_CHUNK < words ? first + KSI_CHUNK : words) ||
            H5Dwrite_chunk(column->set, H5P_DEFAULT, 0, &first, bytes, chunk) < 0)
            return false;
    }
    return true;
}

/* Writes packed chunks, and posts the complete chunks that wait. */
static bool passChunks(ksiArchive *archive)
{
    ksiArchiveColumn *column = &archive->column[KSI_RECORDS];
    if (!writePacked(archive, (archive->packed + archive->posted) * KSI_CHUNK))
        return false;
    const size_t whole = column->count / KSI_CHUNK, count = whole < KSI_PACKED_CHUNKS ? whole : KSI_PACKED_CHUNKS;
    archive->packed += archive->posted;
    archive->posted = count;
    if (count == 0)
        return true;
    ksiPackerPost(archive->packer, (const uint64_t *)(const void *)column->waiting, count * KSI_CHUNK);
    column->count -= count * KSI_CHUNK;
    memmove(column->waiting, column->waiting + count * KSI_CHUNK * column->size, column->count * column->size);
    return true;
}

/* Writes all records. The last chunk, if incomplete, also stays in memory. */
static bool drainChunks(ksiArchive *archive)
{
    const ksiArchiveColumn *column = &archive->column[KSI_RECORDS];
    do {
        if (!passChunks(archive))
            return false;
    } while (archive->posted > 0);
    if (column->count == 0)
        return true;
    ksiPackerPost(archive->packer, (const uint64_t *)(const void *)column->waiting, column->count);
    return writePacked(archive, archive->packed * KSI_CHUNK + column->count);
}

/* Number of complete records that the other columns do not describe yet. */
static size_t countWhole(const ksiArchive *archive)
{
    const ksiArchiveColumn *end = &archive->column[KSI_END];
    size_t count = 0;
    for (; count < end->count; count++) {
        uint64_t word;
        memcpy(&word, end->waiting + count * sizeof word, sizeof word);
        if (word > archive->column[KSI_RECORDS].written)
            break;
    }
    return count;
}

/* Call it after the records are written, so that each `end` points to existing words. A killed
 * writer may leave words after the last `end`. */
static bool drainOthers(ksiArchive *archive, size_t records)
{
    bool isWritten = reserveSpace(archive, 0);
    for (int i = 0; i < KSI_COLUMNS; i++)
        if (i != KSI_RECORDS)
            isWritten = isWritten && drain(&archive->column[i], i == KSI_PROGRAM ? archive->column[i].count : records);
    return isWritten;
}

/* isAll: writes everything; else only makes room. On a full disk the file ends with its last
 * complete record. */
static bool writeOut(ksiArchive *archive, bool isAll)
{
    if (archive->isFull)
        return false;
    const ksiHandler host = ksiQuietHdf5();
    bool isWritten = !archive->packer ? drainRecords(archive) : isAll ? drainChunks(archive) : passChunks(archive);
    const bool isCutOff = archive->isFull;
    if (isAll || isCutOff)
        isWritten &= drainOthers(archive, countWhole(archive));
    archive->isFull |= !isWritten;
    ksiLoudHdf5(host);
    // the failed reservation has set the message
    return isWritten || (!isCutOff && ksiArchiveFail(archive, "cannot be written (a full disk?)"));
}

/* Adds an empty program for each process between the last one and this one, since these processes
 * have no record. */
static bool addProgram(ksiArchive *archive, unsigned process, const char *program)
{
    ksiArchiveColumn *column = &archive->column[KSI_PROGRAM];
    for (; archive->programs <= process; archive->programs++) {
        const char *text = archive->programs == process ? program : "";
        if (!reserveColumn(column, strlen(text) + 1))
            return false;
        push(column, text, strlen(text) + 1);
    }
    return true;
}

ksStatus ksiArchiveAppend(ksiArchive *archive, unsigned process, const char *program, const ksiStepRecord *record)
{
    ksiWritten written = {
        .process = process, .world = (unsigned)record->world, .program = ksiChecksumText(0, program, strlen(program))};
    bool isRoom =
        ksiDifferencesWrite(&archive->differences, (const void *)record, record->bytes / sizeof(uint64_t), &written) &&
        addProgram(archive, process, program);
    for (int i = 0; i < KSI_PROGRAM; i++)
        isRoom = isRoom && reserveColumn(&archive->column[i], i == KSI_RECORDS ? written.count : 1);
    if (!isRoom) {
        ksiArchiveFail(archive, "out of memory");
        return KS_ERROR_NO_MEMORY;
    }
    const uint32_t number = process, world = written.world | (written.isDifference ? KSI_DIFFERENCE_BIT : 0) |
                                             (written.isExpected ? KSI_EXPECTED_BIT : 0);
    push(&archive->column[KSI_RECORDS], written.words, written.count);
    archive->words += written.count;
    push(&archive->column[KSI_END], &archive->words, 1);
    push(&archive->column[KSI_PROCESS], &number, 1);
    push(&archive->column[KSI_WORLD], &world, 1);
    push(&archive->column[KSI_CHECKSUM], &written.checksum, 1);
    archive->waiting++;
    if (archive->column[KSI_RECORDS].count < KSI_PACKED_CHUNKS * KSI_CHUNK)
        return KS_OK;
    return writeOut(archive, !archive->packer) ? KS_OK : KS_ERROR_FILE;
}

static bool flushColumns(const ksiArchive *archive)
{
    const ksiHandler host = ksiQuietHdf5();
    bool isFlushed = true;
    for (int i = 0; i < KSI_COLUMNS && isFlushed; i++)
        isFlushed = H5Dflush(archive->column[i].set) >= 0;
    ksiLoudHdf5(host);
    return isFlushed || ksiArchiveFail(archive, "cannot be written");
}

bool ksiArchiveFlush(ksiArchive *archive)
{
    if (!archive->isBegun)
        return true;
    archive->waiting = 0;
    return writeOut(archive, true) && flushColumns(archive);
}

size_t ksiArchiveWaiting(const ksiArchive *archive)
{
    return archive->waiting;
}

void ksiArchiveAbandon(const ksiArchive *archive)
{
    ksiAbandonHdf5(archive->handle);
}

bool ksiArchiveClose(ksiArchive *archive)
{
    if (!archive)
        return true;
    bool isClosed = !archive->isBegun || writeOut(archive, true);
    const ksiHandler host = ksiQuietHdf5();
    for (int i = 0; i < KSI_COLUMNS; i++) {
        if (archive->column[i].set >= 0)
            isClosed &= H5Dclose(archive->column[i].set) >= 0;
        ksiFree(&ksiLibraryAllocator, archive->column[i].waiting);
    }
    if (archive->file >= 0)
        isClosed = (H5Fclose(archive->file) >= 0 || ksiArchiveFail(archive, "cannot be written")) && isClosed;
    ksiLoudHdf5(host);
    if (archive->space >= 0) {
        ksiReturnSpace(archive->space);
        ksiUnlockFile(archive->space);
    }
    ksiPackerDestroy(archive->packer);
    ksiDifferencesFree(&archive->differences);
    ksiFree(&ksiLibraryAllocator, archive->record);
    free(archive->names);
    free(archive);
    return isClosed;
}

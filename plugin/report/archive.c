/* archive.c  Records in a file, to be judged later. */
#include "archive.h"

#include "difference.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef KS_HAVE_HDF5

#include "archive_run.h"
#include "hdf5_file.h"
#include "no_archive.h"
#include "trace_space.h"

#include "../base/memory.h"

#include <fcntl.h>
#include <unistd.h>

enum { READ_ATTEMPTS = 24, METADATA = 1 << 16, CHUNK = 1 << 17, SHORT_CHUNK = 1 << 12 };

/* A dataset in one dimension, with what waits to be written. */
typedef struct Column {
    hid_t set, type;
    size_t size;     /* of an element */
    hsize_t written; /* elements */
    char *waiting;
    size_t count, capacity; /* elements */
} Column;

enum { RECORDS, END, PROCESS, WORLD, PROGRAM, COLUMNS };

struct ksiArchive {
    hid_t file;
    int handle; /* HDF5's own, of it */
    int space; /* the file itself, to reserve room on the disk: HDF5 does not survive a failed write; -1 when it is read */
    bool isFull; /* nothing more is written */
    bool isBegun;
    int compression;
    char *error; /* the caller's */
    char path[1024];
    ksiRun run; /* its texts, as they are in the file */

    ksiRecordOrigin origin;
    Column column[COLUMNS];
    size_t count;      /* whole records that can be read */
    unsigned programs; /* of processes, that are there */
    char *program;
    uint64_t words;   /* appended */
    size_t waiting;   /* records, since the last flush */
    uint64_t *record; /* as it is in the file */
    size_t recordCapacity;
    ksiDifferences differences;
};

/* In the column of worlds. */
static const uint32_t differenceBit = UINT32_C(1) << 31;

static const char *const columnNames[COLUMNS] = {"records", "end", "process", "world", "program"};

static bool fail(const ksiArchive *archive, const char *what)
{
    snprintf(archive->error, KSI_ARCHIVE_WORDS, "%.250s: %s", archive->path, what);
    return false;
}

static hid_t typeOf(int column)
{
    return column == PROGRAM                      ? H5T_NATIVE_CHAR
           : column == PROCESS || column == WORLD ? H5T_NATIVE_UINT32
                                                  : H5T_NATIVE_UINT64;
}

/* --- Writing --- */

/* An upper bound of what it takes to write all that waits: chunks are written anew, with what HDF5 notes of them. */
static bool reserveSpace(ksiArchive *archive)
{
    size_t bytes = 0;
    for (int i = 0; i < COLUMNS; i++) {
        const Column *column = &archive->column[i];
        bytes += column->size * (column->count + 2 * (size_t)(i == RECORDS ? CHUNK : SHORT_CHUNK)) + METADATA;
    }
    const int refused = ksiReserveSpace(archive->space, bytes);
    archive->isFull |= refused != 0;
    return !refused || fail(archive, strerror(refused));
}

static bool createColumn(ksiArchive *archive, int which)
{
    const hsize_t none = 0, unlimited = H5S_UNLIMITED, chunk = which == RECORDS ? CHUNK : SHORT_CHUNK;
    Column *column = &archive->column[which];
    const hid_t space = H5Screate_simple(1, &none, &unlimited), how = H5Pcreate(H5P_DATASET_CREATE);
    column->type = typeOf(which);
    column->size = H5Tget_size(column->type);
    bool isMade = H5Pset_chunk(how, 1, &chunk) >= 0;
    if (isMade && archive->compression > 0 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0)
        isMade = H5Pset_shuffle(how) >= 0 && H5Pset_deflate(how, (unsigned)archive->compression) >= 0;
    column->set =
        isMade ? H5Dcreate2(archive->file, columnNames[which], column->type, space, H5P_DEFAULT, how, H5P_DEFAULT) : -1;
    H5Pclose(how);
    H5Sclose(space);
    return column->set >= 0;
}

static bool writeHead(ksiArchive *archive, const char *names)
{
    static const char version[16] = PACKAGE_VERSION;
    bool isWritten =
        ksiWriteAttribute(archive->file, "kinetostat", H5T_NATIVE_CHAR, sizeof version, version) &&
        ksiWriteRun(archive->file, &archive->run, true) &&
        (!names || ksiWriteTextAttribute(archive->file, "names", names)) &&
        ksiWriteAttribute(archive->file, "origin", H5T_NATIVE_UCHAR, sizeof archive->origin, &archive->origin);
    for (int i = 0; i < COLUMNS; i++)
        isWritten = isWritten && createColumn(archive, i);
    return isWritten && H5Fstart_swmr_write(archive->file) >= 0;
}

static ksiArchive *make(const char *path, char *words)
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
    for (int i = 0; i < COLUMNS; i++)
        made->column[i].set = -1;
    return made;
}

static bool createFile(ksiArchive *archive, const char *path)
{
    const int error = ksiWhyNotWritten(path);
    if (error)
        return fail(archive, strerror(error));
    const hid_t how = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(how, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    archive->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, how);
    H5Pclose(how);
    archive->handle = ksiHandleOfHdf5(archive->file);
    archive->space = archive->file < 0 ? -1 : open(path, O_WRONLY | O_CLOEXEC);
    return archive->space >= 0 || fail(archive, "cannot be written");
}

ksStatus ksiArchiveCreate(const char *path, int compression, char *words, ksiArchive **archive)
{
    ksiArchive *made = make(path, words);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    made->compression = compression;
    const ksiHandler host = ksiQuietHdf5();
    const bool isMade = createFile(made, path) && reserveSpace(made);
    ksiLoudHdf5(host);
    if (!isMade) {
        ksiArchiveClose(made);
        return KS_ERROR_FILE;
    }
    *archive = made;
    return KS_OK;
}

bool ksiArchiveBegin(ksiArchive *archive, const ksiRecordOrigin *origin, const ksiRun *run, const char *names)
{
    archive->origin = *origin;
    archive->run = *run;
    const ksiHandler host = ksiQuietHdf5();
    archive->isBegun = reserveSpace(archive) && (writeHead(archive, names) || fail(archive, "cannot be written"));
    ksiLoudHdf5(host);
    return archive->isBegun;
}

bool ksiArchiveEnd(ksiArchive *archive, const ksiRun *run)
{
    if (!archive->isBegun || archive->isFull)
        return !archive->isFull;
    archive->run = *run;
    const ksiHandler host = ksiQuietHdf5();
    const bool isWritten = ksiWriteRun(archive->file, &archive->run, false) || fail(archive, "cannot be written");
    ksiLoudHdf5(host);
    return isWritten;
}

static bool reserveColumn(Column *column, size_t count)
{
    return !ksiReserve(&ksiLibraryAllocator, &column->waiting, &column->capacity, column->count + count, column->size);
}

/* There is room. */
static void push(Column *column, const void *elements, size_t count)
{
    memcpy(column->waiting + column->count * column->size, elements, count * column->size);
    column->count += count;
}

static bool drain(Column *column)
{
    const hsize_t start = column->written, count = column->count, whole = start + count;
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
        column->count = 0;
    }
    return isWritten;
}

/* Records first: what `end` points to is there. A killed writer may leave more words than any `end` tells of. */
static bool drainAll(ksiArchive *archive)
{
    if (archive->isFull || !reserveSpace(archive))
        return false;
    const ksiHandler host = ksiQuietHdf5();
    bool isWritten = true;
    for (int i = 0; i < COLUMNS; i++)
        isWritten = isWritten && drain(&archive->column[i]);
    archive->isFull |= !isWritten;
    ksiLoudHdf5(host);
    return isWritten || fail(archive, "cannot be written (a full disk?)");
}

/* Of those in between there is no record. */
static bool addProgram(ksiArchive *archive, unsigned process, const char *program)
{
    Column *column = &archive->column[PROGRAM];
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
    const uint32_t number = process;
    size_t count;
    bool isDifference;
    const uint64_t *written = ksiDifferencesWrite(&archive->differences, process, record->world, (const void *)record,
                                                  record->bytes / sizeof *written, &count, &isDifference);
    const uint32_t world = record->world | (isDifference ? differenceBit : 0);
    bool isRoom = written && addProgram(archive, process, program);
    for (int i = 0; i < PROGRAM; i++)
        isRoom = isRoom && reserveColumn(&archive->column[i], i == RECORDS ? count : 1);
    if (!isRoom) {
        fail(archive, "out of memory");
        return KS_ERROR_NO_MEMORY;
    }
    push(&archive->column[RECORDS], written, count);
    archive->words += count;
    push(&archive->column[END], &archive->words, 1);
    push(&archive->column[PROCESS], &number, 1);
    push(&archive->column[WORLD], &world, 1);
    archive->waiting++;
    return archive->column[RECORDS].count < 4 * CHUNK || drainAll(archive) ? KS_OK : KS_ERROR_FILE;
}

static bool flushColumns(const ksiArchive *archive)
{
    const ksiHandler host = ksiQuietHdf5();
    bool isFlushed = true;
    for (int i = 0; i < COLUMNS && isFlushed; i++)
        isFlushed = H5Dflush(archive->column[i].set) >= 0;
    ksiLoudHdf5(host);
    return isFlushed || fail(archive, "cannot be written");
}

bool ksiArchiveFlush(ksiArchive *archive)
{
    if (!archive->isBegun)
        return true;
    archive->waiting = 0;
    return drainAll(archive) && flushColumns(archive);
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
    bool isClosed = !archive->isBegun || drainAll(archive);
    const ksiHandler host = ksiQuietHdf5();
    for (int i = 0; i < COLUMNS; i++) {
        if (archive->column[i].set >= 0)
            isClosed &= H5Dclose(archive->column[i].set) >= 0;
        ksiFree(&ksiLibraryAllocator, archive->column[i].waiting);
    }
    if (archive->file >= 0)
        isClosed = (H5Fclose(archive->file) >= 0 || fail(archive, "cannot be written")) && isClosed;
    ksiLoudHdf5(host);
    if (archive->space >= 0) {
        ksiReturnSpace(archive->space);
        close(archive->space);
    }
    ksiDifferencesFree(&archive->differences);
    ksiFree(&ksiLibraryAllocator, archive->record);
    free(archive->program);
    free(archive);
    return isClosed;
}

/* --- Reading --- */

static bool openColumn(ksiArchive *archive, int which)
{
    Column *column = &archive->column[which];
    column->type = typeOf(which);
    column->size = H5Tget_size(column->type);
    column->set = H5Dopen2(archive->file, columnNames[which], H5P_DEFAULT);
    if (column->set < 0)
        return false;
    const hid_t space = H5Dget_space(column->set);
    const bool isLine = H5Sget_simple_extent_ndims(space) == 1;
    if (isLine)
        H5Sget_simple_extent_dims(space, &column->written, NULL);
    H5Sclose(space);
    return isLine;
}

static bool readPart(const Column *column, hsize_t start, hsize_t count, void *out)
{
    if (start > column->written || count > column->written - start)
        return false;
    const hid_t space = H5Dget_space(column->set), memory = H5Screate_simple(1, &count, NULL);
    const bool isRead = H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0 &&
                        H5Dread(column->set, column->type, memory, space, H5P_DEFAULT, out) >= 0;
    H5Sclose(space);
    H5Sclose(memory);
    return isRead;
}

/* Records that are whole in all columns: a writer that was killed, or is at work, may have written some columns farther than others. */
static void countRecords(ksiArchive *archive)
{
    const Column *column = archive->column;
    hsize_t most = column[END].written;
    for (int i = END; i < PROGRAM; i++)
        most = column[i].written < most ? column[i].written : most;
    // ends rise
    while (archive->count < most) {
        const hsize_t tried = most - (most - archive->count) / 2;
        uint64_t end;
        if (readPart(&column[END], tried - 1, 1, &end) && end <= column[RECORDS].written)
            archive->count = tried;
        else
            most = tried - 1;
    }
}

static bool readPrograms(ksiArchive *archive)
{
    const Column *column = &archive->column[PROGRAM];
    archive->program = calloc(1, column->written + 1);
    return archive->program && (column->written == 0 || readPart(column, 0, column->written, archive->program));
}

static bool readHead(ksiArchive *archive)
{
    bool isRead = ksiReadAttribute(archive->file, "origin", H5T_NATIVE_UCHAR, sizeof archive->origin, &archive->origin);
    if (isRead)
        ksiReadRun(archive->file, &archive->run);
    for (int i = 0; i < COLUMNS; i++)
        isRead = isRead && openColumn(archive, i);
    if (isRead)
        countRecords(archive);
    return isRead && readPrograms(archive);
}

static bool openFile(ksiArchive *archive, const char *path)
{
    // as of a writer that is at work, or was killed. A damaged file is read again and again, with pauses that grow
    const hid_t how = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_metadata_read_attempts(how, READ_ATTEMPTS);
    archive->file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, how);
    H5Pclose(how);
    if (archive->file < 0)
        archive->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    return (archive->file >= 0 && readHead(archive)) || ksiSayWhatItIs(archive->file, path, archive->error);
}

ksiArchive *ksiArchiveOpen(const char *path, char *words)
{
    ksiArchive *made = make(path, words);
    const ksiHandler host = ksiQuietHdf5();
    const bool isOpen = made && openFile(made, path);
    ksiLoudHdf5(host);
    if (isOpen)
        return made;
    ksiArchiveClose(made);
    return NULL;
}

const ksiRecordOrigin *ksiArchiveOrigin(const ksiArchive *archive)
{
    return &archive->origin;
}

const ksiRun *ksiArchiveRun(const ksiArchive *archive)
{
    return archive->run.begun[0] ? &archive->run : NULL;
}

const char *ksiArchiveProgram(const ksiArchive *archive, unsigned process)
{
    const char *at = archive->program, *end = at + archive->column[PROGRAM].written;
    for (; process > 0 && at < end; process--)
        at += strlen(at) + 1;
    return at < end ? at : "";
}

char *ksiArchiveNames(const ksiArchive *archive)
{
    const ksiHandler host = ksiQuietHdf5();
    char *names = ksiReadTextAttribute(archive->file, "names");
    ksiLoudHdf5(host);
    return names;
}

size_t ksiArchiveCount(const ksiArchive *archive)
{
    return archive->count;
}

const ksiStepRecord *ksiArchiveRead(ksiArchive *archive, size_t index, size_t *bytes, unsigned *process)
{
    const Column *column = archive->column;
    uint64_t first = 0, end;
    uint32_t number, world;
    const bool isFound = (index == 0 || readPart(&column[END], index - 1, 1, &first)) &&
                         readPart(&column[END], index, 1, &end) && readPart(&column[PROCESS], index, 1, &number) &&
                         readPart(&column[WORLD], index, 1, &world);
    if (!isFound || end < first || end > column[RECORDS].written) {
        fail(archive, "is damaged");
        return NULL;
    }
    if (ksiReserve(&ksiLibraryAllocator, &archive->record, &archive->recordCapacity, end - first + 1,
                   sizeof *archive->record)) {
        fail(archive, "out of memory");
        return NULL;
    }
    size_t count = 0;
    const uint64_t *record = !readPart(&column[RECORDS], first, end - first, archive->record)
                                 ? NULL
                                 : ksiDifferencesRead(&archive->differences, number, world & ~differenceBit,
                                                      archive->record, end - first, world & differenceBit, &count);
    if (!record)
        fail(archive, "is damaged");
    *bytes = count * sizeof *record;
    *process = number;
    return (const void *)record;
}

#else

typedef int ksiArchiveElsewhere;

#endif

/* archive_read.c  Reads records from an untrusted file.
 *
 * The reader accepts only the library's own format: columns of integers, in chunks that are stored
 * in this file. It compares sizes with the size of the file before allocation. Each record has a
 * checksum; damaged records are omitted. */
#include "archive.h"

#include "../files/checksum.h"
#include "../files/hdf5_read.h"
#include "archive_inside.h"
#include "archive_run.h"
#include "no_archive.h"

#include "../../base/memory.h"

#include <stdlib.h>
#include <string.h>

/* --- Columns --- */

/* Does the dataset have chunks in this file, of a plausible size? *chunk: number of elements in a
 * chunk. */
static bool isPlain(hid_t set, hsize_t *chunk)
{
    const hid_t how = H5Dget_create_plist(set);
    const bool isIt = how >= 0 && H5Pget_layout(how) == H5D_CHUNKED && H5Pget_external_count(how) == 0 &&
                      H5Pget_chunk(how, 1, chunk) == 1 && *chunk > 0 && *chunk <= KSI_MOST_CHUNK &&
                      ksiHdf5HasKnownFilters(how);
    if (how >= 0)
        H5Pclose(how);
    return isIt;
}

static bool isInteger(hid_t set, size_t size)
{
    const hid_t type = H5Dget_type(set);
    const bool isIt = type >= 0 && H5Tget_class(type) == H5T_INTEGER && H5Tget_size(type) == size;
    if (type >= 0)
        H5Tclose(type);
    return isIt;
}

/* Is the column no longer than the best compression allows for a file of this size? */
static bool hasSize(ksiArchiveColumn *column, hsize_t chunk, hsize_t fileBytes)
{
    const hid_t space = H5Dget_space(column->set);
    const bool isLine = space >= 0 && H5Sget_simple_extent_ndims(space) == 1 &&
                        H5Sget_simple_extent_dims(space, &column->written, NULL) == 1;
    if (space >= 0)
        H5Sclose(space);
    return isLine && column->written <= (fileBytes * KSI_MOST_INFLATED + chunk * column->size) / column->size;
}

static bool openColumn(ksiArchive *archive, int which, hsize_t fileBytes)
{
    ksiArchiveColumn *column = &archive->column[which];
    hsize_t chunk = 0;
    column->type = ksiColumnType(which);
    column->size = H5Tget_size(column->type);
    if (!ksiHdf5IsOwn(archive->file, ksiColumnNames[which]))
        return false;
    column->set = H5Dopen2(archive->file, ksiColumnNames[which], H5P_DEFAULT);
    if (column->set < 0 || !isInteger(column->set, column->size) || !isPlain(column->set, &chunk))
        return false;
    if (which == KSI_RECORDS)
        archive->chunk = chunk;
    return hasSize(column, chunk, fileBytes);
}

static ksStatus readPart(const ksiArchiveColumn *column, hsize_t start, hsize_t count, void *out)
{
    if (start > column->written || count > column->written - start)
        return KS_ERROR_FILE;
    if (count == 0)
        return KS_OK;
    const hid_t space = H5Dget_space(column->set), memory = H5Screate_simple(1, &count, NULL);
    const bool isRead = H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0 &&
                        H5Dread(column->set, column->type, memory, space, H5P_DEFAULT, out) >= 0;
    const ksStatus status = isRead ? KS_OK : ksiHdf5WhyNotRead();
    H5Sclose(space);
    H5Sclose(memory);
    return status;
}

/* Reads the whole column; a damaged part becomes zero, which matches no record's checksum. false:
 * out of memory. */
static bool readColumn(ksiArchiveColumn *column)
{
    column->waiting = calloc(column->written + 1, column->size);
    for (hsize_t at = 0; column->waiting && at < column->written; at += KSI_SHORT_CHUNK) {
        const hsize_t rest = column->written - at, count = rest < KSI_SHORT_CHUNK ? rest : KSI_SHORT_CHUNK;
        const ksStatus status = readPart(column, at, count, column->waiting + at * column->size);
        if (status == KS_ERROR_NO_MEMORY)
            return false;
        if (status)
            memset(column->waiting + at * column->size, 0, count * column->size);
    }
    return column->waiting != NULL;
}

/* Finds the length that all columns share. A live or killed writer may have extended some columns
 * farther: words beyond the end of the last record belong to no complete record. */
static void countRecords(ksiArchive *archive, bool isMarked)
{
    const ksiArchiveColumn *column = archive->column;
    const uint64_t *end = (const void *)column[KSI_END].waiting;
    archive->count = column[KSI_END].written;
    for (int i = KSI_END; i < KSI_PROGRAM; i++)
        archive->count = column[i].written < archive->count ? column[i].written : archive->count;
    while (isMarked && archive->count > 0 && end[archive->count - 1] > column[KSI_RECORDS].written)
        archive->count--;
}

static bool readColumns(ksiArchive *archive, const ksiHdf5Kind *kind)
{
    for (int i = 0; i < KSI_COLUMNS; i++)
        if (!openColumn(archive, i, kind->bytes))
            return ksiArchiveFail(archive,
                                  "is damaged, or not made by kinetostat: it lacks the columns of a recording");
    for (int i = KSI_END; i < KSI_COLUMNS; i++)
        if (!readColumn(&archive->column[i]))
            return ksiArchiveFail(archive, "out of memory");
    countRecords(archive, kind->isMarked);
    return true;
}

static bool readHead(ksiArchive *archive, const ksiHdf5Kind *kind)
{
    int64_t version = 0;
    if (!ksiReadAttribute(archive->file, "recording", H5T_NATIVE_INT64, sizeof version, &version))
        return ksiSayWhatItIs(archive->file, archive->path, archive->error);
    if (version != KSI_RECORD_VERSION)
        return ksiArchiveFail(archive, "is a recording of a later version of kinetostat, or damaged");
    if (!ksiReadRun(archive->file, kind->bytes, &archive->run, &archive->names, &archive->head))
        return ksiArchiveFail(archive, "is damaged: its head has another checksum");
    return readColumns(archive, kind);
}

static bool openFile(ksiArchive *archive, const char *path)
{
    const ksiHdf5Kind kind = ksiHdf5KindOf(path);
    archive->file = kind.isFile ? ksiHdf5Open(path, kind.isMarked) : -1;
    return archive->file >= 0 ? readHead(archive, &kind) : ksiSayWhatItIs(-1, path, archive->error);
}

ksiArchive *ksiArchiveOpen(const char *path, char *words)
{
    ksiArchive *made = ksiArchiveMake(path, words);
    const ksiHandler host = ksiQuietHdf5();
    const bool isOpen = made && openFile(made, path);
    ksiLoudHdf5(host);
    if (isOpen)
        return made;
    ksiArchiveClose(made);
    return NULL;
}

/* --- Contents --- */

const char *ksiArchiveBuilt(const ksiArchive *archive)
{
    return archive->run.built;
}

uint64_t ksiArchiveIdentity(const ksiArchive *archive)
{
    const ksiArchiveColumn *sums = &archive->column[KSI_CHECKSUM];
    return (uint64_t)(archive->head & INT32_MAX) << 32 | ksiChecksumText(0, sums->waiting, archive->count * sums->size);
}

const char *ksiArchiveNames(const ksiArchive *archive)
{
    return archive->names;
}

const char *ksiArchiveProgram(const ksiArchive *archive, unsigned process)
{
    const char *at = archive->column[KSI_PROGRAM].waiting, *end = at + archive->column[KSI_PROGRAM].written;
    for (; process > 0 && at < end; process--)
        at += strlen(at) + 1;
    return at < end ? at : "";
}

size_t ksiArchiveCount(const ksiArchive *archive)
{
    return archive->count;
}

/* A difference decodes to the size of the last complete record of its world. */
size_t ksiArchiveLargest(const ksiArchive *archive)
{
    const uint64_t *ends = (const void *)archive->column[KSI_END].waiting;
    const uint64_t most = archive->column[KSI_RECORDS].written;
    uint64_t largest = 0;
    for (size_t i = 0; i < archive->count; i++) {
        const uint64_t first = i > 0 ? ends[i - 1] : 0;
        if (ends[i] > first && ends[i] <= most && ends[i] - first > largest)
            largest = ends[i] - first;
    }
    return largest * sizeof(uint64_t);
}

static uint32_t numberAt(const ksiArchive *archive, int column, size_t index)
{
    return ((const uint32_t *)(const void *)archive->column[column].waiting)[index];
}

void ksiArchiveWhose(const ksiArchive *archive, size_t index, unsigned *process, unsigned *world)
{
    *process = numberAt(archive, KSI_PROCESS, index);
    *world = numberAt(archive, KSI_WORLD, index) & KSI_WORLD_BITS;
}

size_t ksiArchiveDamaged(const ksiArchive *archive)
{
    return archive->damaged;
}

/* Reads each damaged chunk only once: HDF5 would inflate it again for each of its records. */
static ksStatus readWords(ksiArchive *archive, uint64_t first, uint64_t end)
{
    if (end <= first)
        return KS_ERROR_FILE;
    const hsize_t begun = first / archive->chunk + 1, last = (end - 1) / archive->chunk + 1;
    if (begun <= archive->badChunk && archive->badChunk <= last)
        return KS_ERROR_FILE;
    const ksiHandler host = ksiQuietHdf5();
    const ksStatus status = readPart(&archive->column[KSI_RECORDS], first, end - first, archive->record);
    ksiLoudHdf5(host);
    if (status == KS_ERROR_FILE && begun == last)
        archive->badChunk = begun;
    return status;
}

/* Reads a record's words as the file has them. *isThere: they are readable. */
static ksStatus readWritten(ksiArchive *archive, size_t index, ksiWritten *written, bool *isThere)
{
    const ksiArchiveColumn *column = archive->column;
    const uint64_t *ends = (const void *)column[KSI_END].waiting;
    const uint32_t world = numberAt(archive, KSI_WORLD, index);
    const uint64_t first = index > 0 ? ends[index - 1] : 0, end = ends[index];
    *isThere = false;
    if (end < first || end > column[KSI_RECORDS].written)
        return KS_OK;
    if (ksiReserve(&ksiLibraryAllocator, &archive->record, &archive->recordCapacity, end - first + 1,
                   sizeof *archive->record))
        return KS_ERROR_NO_MEMORY;
    const ksStatus status = readWords(archive, first, end);
    if (status == KS_ERROR_NO_MEMORY)
        return status;
    *isThere = !status;
    ksiArchiveWhose(archive, index, &written->process, &written->world);
    written->isDifference = (world & KSI_DIFFERENCE_BIT) != 0;
    written->isExpected = (world & KSI_EXPECTED_BIT) != 0;
    written->checksum = numberAt(archive, KSI_CHECKSUM, index);
    written->words = archive->record;
    written->count = end - first;
    const char *program = written->isDifference ? "" : ksiArchiveProgram(archive, written->process);
    written->program = ksiChecksumText(0, program, strlen(program));
    return KS_OK;
}

ksStatus ksiArchiveRead(ksiArchive *archive, size_t index, const ksiStepRecord **record, unsigned *process)
{
    ksiWritten written;
    const uint64_t *found = NULL;
    size_t count = 0;
    bool isThere;
    ksStatus status = readWritten(archive, index, &written, &isThere);
    if (!status && isThere)
        status = ksiDifferencesRead(&archive->differences, &written, &found, &count);
    *record = (const void *)found;
    if (!found || !ksiRecordIsSound(*record, count * sizeof *found) || (*record)->bytes != count * sizeof *found ||
        (*record)->world != written.world)
        *record = NULL;
    *process = *record ? written.process : 0;
    archive->damaged += !status && !*record;
    if (status)
        ksiArchiveFail(archive, "out of memory");
    return status;
}

/* trace_hdf5.c  A trace as HDF5: each world is a group, each table a group in its world, each
 * column a dataset in its table.
 *
 * The file is open for SWMR (single writer, multiple readers): other programs can read it
 * meanwhile, and after a SIGKILL it has all flushed lines. While a file is open for SWMR, groups
 * and attributes cannot be created. So a world is added while the file is closed to readers. Its
 * group is created without a name, flushed, and only then linked to the root. */
#include "../files/trace_space.h"
#include "trace_file.h"
#include "trace_tables.h"

#include "../files/file_lock.h"
#include "../files/hdf5_file.h"

#include <kinetostat/kinetostat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS = 64, LEAST_CHUNK = 128, LARGEST_CHUNK = 4096, METADATA = 1 << 15 };

typedef struct Group {
    int columnCount;
    hid_t column[COLUMNS];
    hsize_t chunk;
} Group;

typedef struct World {
    int groupCount; /* 0: the world is not in the file yet */
    Group group[KSI_TRACE_TABLES];
    const ksiTable *table[KSI_TRACE_TABLES];
} World;

typedef struct Hdf5 {
    ksiTraceFile base;
    char *path;
    hid_t file;   /* < 0: closed */
    int handle;   /* HDF5's own descriptor of the open file */
    int reserved; /* the same file, opened to reserve disk space */
    int compression;
    int worldCount;
    World *world; /* [worldCount], by number in the trace */
    char *column; /* cells of the column that is written */
    size_t columnSize;
} Hdf5;

/* --- errors */

static ksStatus fail(const Hdf5 *hdf5, const char *what)
{
    snprintf(hdf5->base.words, KSI_TRACE_WORDS, "%.200s cannot be %s", hdf5->path, what);
    return KS_ERROR_FILE;
}

static ksStatus failMemory(const Hdf5 *hdf5)
{
    snprintf(hdf5->base.words, KSI_TRACE_WORDS, "out of memory");
    return KS_ERROR_NO_MEMORY;
}

static ksStatus failSystem(const Hdf5 *hdf5, int error)
{
    snprintf(hdf5->base.words, KSI_TRACE_WORDS, "%.200s cannot be written: %s", hdf5->path, ksiLockWords(error));
    return KS_ERROR_FILE;
}

static ksStatus reserve(const Hdf5 *hdf5, size_t bytes)
{
    const int full = ksiReserveSpace(hdf5->reserved, bytes);
    return full ? failSystem(hdf5, full) : KS_OK;
}

/* --- small things */

static hid_t cellType(const ksiColumn *column, bool inFile)
{
    switch (column->cell) {
    case KSI_CELL_REAL:
        return H5Tcopy(inFile ? H5T_IEEE_F64LE : H5T_NATIVE_DOUBLE);
    case KSI_CELL_INTEGER:
    case KSI_CELL_JOINT:
        return H5Tcopy(inFile ? H5T_STD_I64LE : H5T_NATIVE_INT64);
    case KSI_CELL_TEXT:
        break;
    }
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, (size_t)column->width);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static bool describe(hid_t object, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool done = H5Awrite(attribute, type, &text) >= 0;
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    return done;
}

static size_t cellBytes(const ksiColumn *column)
{
    return column->cell == KSI_CELL_TEXT ? (size_t)column->width : sizeof(double) * (size_t)column->width;
}

/* Sets the extent, [lines x width] or [lines], and returns its rank. */
static int shape(const ksiColumn *column, hsize_t lines, hsize_t extent[2])
{
    extent[0] = lines;
    extent[1] = (hsize_t)column->width;
    return column->cell == KSI_CELL_TEXT || column->width == 1 ? 1 : 2;
}

/* --- open and close */

/* The file is created, opened for changes, or opened for SWMR. HDF5's locks are off: the file has
 * our lock, and a reader's lock must not end the trace. */
typedef enum Mode { CREATE, CHANGE, SWMR } Mode;

static bool openFile(Hdf5 *hdf5, Mode mode)
{
    const hid_t access = ksiClaimedAccess();
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    hdf5->file = mode == CREATE ? H5Fcreate(hdf5->path, H5F_ACC_TRUNC, H5P_DEFAULT, access)
                                : H5Fopen(hdf5->path, H5F_ACC_RDWR | (mode == SWMR ? H5F_ACC_SWMR_WRITE : 0U), access);
    H5Pclose(access);
    hdf5->handle = ksiHandleOfHdf5(hdf5->file);
    return hdf5->file >= 0;
}

static bool openColumns(Hdf5 *hdf5)
{
    for (int w = 0; w < hdf5->worldCount; w++)
        for (int t = 0; t < hdf5->world[w].groupCount; t++) {
            const ksiTable *table = hdf5->world[w].table[t];
            Group *group = &hdf5->world[w].group[t];
            for (group->columnCount = 0; group->columnCount < table->columnCount; group->columnCount++) {
                char place[128];
                snprintf(place, sizeof place, "/world%d/%s/%s", w + 1, table->name,
                         table->column[group->columnCount].name);
                const hid_t column = H5Dopen2(hdf5->file, place, H5P_DEFAULT);
                if (column < 0)
                    return false;
                group->column[group->columnCount] = column;
            }
        }
    return true;
}

static bool closeFile(Hdf5 *hdf5)
{
    if (hdf5->file < 0)
        return true;
    bool done = true;
    for (int w = 0; w < hdf5->worldCount; w++)
        for (int t = 0; t < hdf5->world[w].groupCount; t++) {
            Group *group = &hdf5->world[w].group[t];
            while (group->columnCount > 0)
                done = H5Dclose(group->column[--group->columnCount]) >= 0 && done;
        }
    done = H5Fclose(hdf5->file) >= 0 && done;
    hdf5->file = -1;
    return done;
}

/* --- a world */

static bool makeColumn(const Hdf5 *hdf5, hid_t group, const ksiColumn *column, hsize_t chunkLines)
{
    hsize_t extent[2], most[2], chunk[2];
    const int rank = shape(column, 0, extent);
    shape(column, H5S_UNLIMITED, most);
    shape(column, chunkLines, chunk);
    const hid_t type = cellType(column, true);
    const hid_t space = H5Screate_simple(rank, extent, most);
    const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plan, rank, chunk);
    if (column->cell == KSI_CELL_REAL) {
        const double unknown = NAN;
        H5Pset_fill_value(plan, H5T_NATIVE_DOUBLE, &unknown);
    } else if (column->cell == KSI_CELL_INTEGER) {
        // threads of this process may read lines that exist but have no data yet
        const int64_t unwritten = -1;
        H5Pset_fill_value(plan, H5T_NATIVE_INT64, &unwritten);
    }
    if (hdf5->compression > 0 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
        H5Pset_shuffle(plan);
        H5Pset_deflate(plan, (unsigned)hdf5->compression);
    }
    const hid_t made = H5Dcreate2(group, column->name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    bool done = made >= 0 && describe(made, "units", *column->unit ? column->unit : "1") &&
                describe(made, "description", column->description);
    if (made >= 0)
        done = H5Dclose(made) >= 0 && done;
    H5Pclose(plan);
    H5Sclose(space);
    H5Tclose(type);
    return done;
}

static bool makeTable(const Hdf5 *hdf5, hid_t world, const ksiTable *table, hsize_t chunk)
{
    const hid_t group = H5Gcreate2(world, table->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool done = group >= 0 && describe(group, "description", table->description);
    for (int i = 0; i < table->columnCount && done; i++)
        done = makeColumn(hdf5, group, &table->column[i], chunk);
    if (group >= 0)
        H5Gclose(group);
    return done;
}

static bool makeWorld(const Hdf5 *hdf5, int index, const ksiTraceWorld *world, World *made)
{
    const hid_t group = H5Gcreate_anon(hdf5->file, H5P_DEFAULT, H5P_DEFAULT);
    bool done = group >= 0 && describe(group, "name", world->name);
    for (int t = 0; t < world->tableCount && done; t++) {
        size_t count;
        ksiWaitingLines(&world->lines[t], &count);
        made->table[t] = world->lines[t].table;
        // a chunk has about the lines of one write: for each part, HDF5 compresses all of it again
        made->group[t].chunk = count < LEAST_CHUNK ? LEAST_CHUNK : count > LARGEST_CHUNK ? LARGEST_CHUNK : count;
        done = makeTable(hdf5, group, made->table[t], made->group[t].chunk);
    }
    char place[32];
    snprintf(place, sizeof place, "world%d", index + 1);
    done = done && H5Fflush(hdf5->file, H5F_SCOPE_GLOBAL) >= 0 &&
           H5Olink(group, hdf5->file, place, H5P_DEFAULT, H5P_DEFAULT) >= 0;
    if (group >= 0)
        H5Gclose(group);
    return done;
}

static bool growWorlds(Hdf5 *hdf5, int count)
{
    if (count <= hdf5->worldCount)
        return true;
    World *grown = realloc(hdf5->world, (size_t)count * sizeof *grown);
    if (!grown)
        return false;
    memset(grown + hdf5->worldCount, 0, (size_t)(count - hdf5->worldCount) * sizeof *grown);
    hdf5->world = grown;
    hdf5->worldCount = count;
    return true;
}

static ksStatus addWorldQuietly(Hdf5 *hdf5, int index, const ksiTraceWorld *world)
{
    size_t columns = 0;
    for (int t = 0; t < world->tableCount; t++)
        columns += (size_t)world->lines[t].table->columnCount;
    const ksStatus status = reserve(hdf5, columns * METADATA);
    if (status != KS_OK)
        return status;
    if (!growWorlds(hdf5, index + 1))
        return failMemory(hdf5);
    World made = {0};
    if (!closeFile(hdf5))
        return fail(hdf5, "changed");
    // HDF5 records the new size before it grows the file: a kill in between would damage the file
    ksiGrowFile(hdf5->reserved, columns * METADATA);
    if (!openFile(hdf5, CHANGE) || !makeWorld(hdf5, index, world, &made) || !closeFile(hdf5))
        return fail(hdf5, "changed");
    made.groupCount = world->tableCount;
    hdf5->world[index] = made;
    return openFile(hdf5, SWMR) && openColumns(hdf5) ? KS_OK : fail(hdf5, "opened again");
}

static ksStatus addWorld(ksiTraceFile *file, int index, const ksiTraceWorld *world)
{
    const ksiHandler host = ksiQuietHdf5();
    const ksStatus status = addWorldQuietly((Hdf5 *)file, index, world);
    ksiLoudHdf5(host);
    return status;
}

/* --- lines */

/* An upper bound of the bytes that a write adds to the file. */
static size_t growth(const Group *group, const ksiTable *table, size_t count)
{
    size_t bytes = 0;
    for (int i = 0; i < table->columnCount; i++)
        bytes += cellBytes(&table->column[i]) * (count + 2 * (size_t)group->chunk) + METADATA;
    return bytes;
}

static bool writeColumn(Hdf5 *hdf5, hid_t dataset, const ksiColumn *column, hsize_t first, size_t count)
{
    hsize_t extent[2], from[2] = {first, 0}, block[2];
    const int rank = shape(column, first + count, extent);
    shape(column, count, block);
    if (H5Dset_extent(dataset, extent) < 0)
        return false;
    const hid_t type = cellType(column, false);
    const hid_t memory = H5Screate_simple(rank, block, NULL);
    const hid_t space = H5Dget_space(dataset);
    const bool done = H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, block, NULL) >= 0 &&
                      H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, hdf5->column) >= 0;
    H5Sclose(space);
    H5Sclose(memory);
    H5Tclose(type);
    return done;
}

static ksStatus writeColumns(Hdf5 *hdf5, const Group *group, const ksiLines *lines, int first, int end)
{
    const ksiTable *table = lines->table;
    size_t count;
    const char *line = ksiWaitingLines(lines, &count);
    for (int i = first; i < end && count; i++) {
        const ksiColumn *column = &table->column[i];
        const size_t size = cellBytes(column);
        if (count * size > hdf5->columnSize) {
            char *grown = realloc(hdf5->column, count * size);
            if (!grown)
                return failMemory(hdf5);
            hdf5->column = grown;
            hdf5->columnSize = count * size;
        }
        for (size_t n = 0; n < count; n++)
            memcpy(hdf5->column + size * n, line + table->lineSize * n + column->offset, size);
        if (!writeColumn(hdf5, group->column[i], column, lines->written, count))
            return fail(hdf5, "written");
    }
    return KS_OK;
}

static ksStatus flushQuietly(Hdf5 *hdf5)
{
    return H5Fflush(hdf5->file, H5F_SCOPE_LOCAL) >= 0 ? KS_OK : fail(hdf5, "written");
}

/* A flush writes columns in any order. So the last column of the last table is written alone, after
 * all others: a step that has a `count` is complete. */
static ksStatus writeInOrder(Hdf5 *hdf5, const World *made, const ksiTraceWorld *world)
{
    const int last = world->tableCount - 1;
    ksStatus status = KS_OK;
    for (int t = 0; t <= last && status == KS_OK; t++) {
        const int columns = world->lines[t].table->columnCount;
        status = writeColumns(hdf5, &made->group[t], &world->lines[t], 0, t == last ? columns - 1 : columns);
    }
    if (status == KS_OK)
        status = flushQuietly(hdf5);
    if (status == KS_OK) {
        const int columns = world->lines[last].table->columnCount;
        status = writeColumns(hdf5, &made->group[last], &world->lines[last], columns - 1, columns);
    }
    return status;
}

static ksStatus writeLines(ksiTraceFile *file, int index, const ksiTraceWorld *world)
{
    Hdf5 *hdf5 = (Hdf5 *)file;
    const World *made = &hdf5->world[index];
    size_t bytes = 0;
    for (int t = 0; t < world->tableCount; t++) {
        size_t count;
        ksiWaitingLines(&world->lines[t], &count);
        bytes += growth(&made->group[t], world->lines[t].table, count);
    }
    ksStatus status = reserve(hdf5, bytes);
    const ksiHandler host = ksiQuietHdf5();
    if (status == KS_OK)
        status = writeInOrder(hdf5, made, world);
    ksiLoudHdf5(host);
    return status;
}

static ksStatus flush(ksiTraceFile *file)
{
    Hdf5 *hdf5 = (Hdf5 *)file;
    const ksiHandler host = ksiQuietHdf5();
    const ksStatus status = flushQuietly(hdf5);
    ksiLoudHdf5(host);
    return status;
}

static ksStatus closeAll(ksiTraceFile *file)
{
    Hdf5 *hdf5 = (Hdf5 *)file;
    const ksiHandler host = ksiQuietHdf5();
    const ksStatus status = closeFile(hdf5) ? KS_OK : fail(hdf5, "closed");
    ksiLoudHdf5(host);
    if (hdf5->reserved >= 0) {
        ksiReturnSpace(hdf5->reserved);
        ksiUnlockFile(hdf5->reserved);
    }
    free(hdf5->world);
    free(hdf5->column);
    free(hdf5->path);
    free(hdf5);
    return status;
}

static void abandon(ksiTraceFile *file)
{
    const Hdf5 *hdf5 = (const Hdf5 *)file;
    ksiAbandonHdf5(hdf5->file < 0 ? -1 : hdf5->handle);
}

static ksStatus create(Hdf5 *hdf5, const char *path)
{
    const ksiHandler host = ksiQuietHdf5();
    hdf5->path = strdup(path);
    const int refused = hdf5->path ? ksiClaimHdf5(path, &hdf5->reserved) : 0;
    ksStatus status = !hdf5->path              ? failMemory(hdf5)
                      : refused                ? failSystem(hdf5, refused)
                      : openFile(hdf5, CREATE) ? KS_OK
                                               : fail(hdf5, "written");
    if (status == KS_OK) {
        const bool done = describe(hdf5->file, "format", "kinetostat trace 1") &&
                          describe(hdf5->file, "description", "joint forces of ODE worlds; a group for each world");
        const bool isClosed = closeFile(hdf5);
        // the host may change its working directory
        char *whole = realpath(path, NULL);
        if (whole) {
            free(hdf5->path);
            hdf5->path = whole;
        }
        if (!done || !isClosed || !openFile(hdf5, SWMR) || ksiShareLock(hdf5->reserved))
            status = fail(hdf5, "written");
    }
    ksiLoudHdf5(host);
    return status;
}

ksStatus ksiTraceOpenHdf5(const char *path, int compression, char *words, ksiTraceFile **file)
{
    Hdf5 *hdf5 = calloc(1, sizeof *hdf5);
    if (!hdf5) {
        snprintf(words, KSI_TRACE_WORDS, "out of memory");
        return KS_ERROR_NO_MEMORY;
    }
    hdf5->base = (ksiTraceFile){addWorld, writeLines, flush, closeAll, abandon, words};
    hdf5->file = hdf5->reserved = -1;
    hdf5->compression = compression;
    const ksStatus status = create(hdf5, path);
    if (status == KS_OK)
        *file = &hdf5->base;
    else
        closeAll(&hdf5->base);
    return status;
}

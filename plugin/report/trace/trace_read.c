/* trace_read.c  Reads traces. Accepts only the library's own format: columns in chunks that are
 * stored in this file. A column must not be longer than a file of this size can hold at the best
 * compression. */
#include "trace_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../files/hdf5_read.h"
#include "../recording/no_archive.h"

enum { MOST_CHUNK_BYTES = 1 << 26, NAME = 256 };

typedef struct World {
    unsigned number;
    char *name;
} World;

struct ksiTraceReader {
    hid_t file;
    ksiHdf5Kind kind;
    const char *path;
    char *words;
    size_t worldCount;
    World *world; /* [worldCount] */
};

typedef struct Column {
    const ksiColumn *column;
    hid_t set, type;
} Column;

struct ksiReadTable {
    ksiTraceReader *reader;
    const ksiTable *table;
    int columnCount;
    Column *column;
    uint64_t lines;
    char *cells; /* cells of one column */
};

static bool fail(const ksiTraceReader *reader, const char *what)
{
    snprintf(reader->words, KSI_READ_WORDS, "%.180s: %.180s", reader->path, what);
    return false;
}

/* --- Texts --- */

/* An attribute of variable length; the caller frees it. NULL: missing or unreadable. */
static char *readText(hid_t object, const char *name)
{
    const hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
    const hid_t type = attribute >= 0 ? H5Aget_type(attribute) : -1;
    const hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    char *text = NULL, *found = NULL;
    if (type >= 0 && H5Tis_variable_str(type) > 0 && space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
        H5Aread(attribute, type, &found) >= 0 && found) {
        text = strndup(found, NAME);
        H5free_memory(found);
    }
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    if (attribute >= 0)
        H5Aclose(attribute);
    return text;
}

/* --- Worlds --- */

static int byNumber(const void *a, const void *b)
{
    const unsigned one = ((const World *)a)->number, two = ((const World *)b)->number;
    return (one > two) - (one < two);
}

static bool addWorld(ksiTraceReader *reader, const char *link)
{
    unsigned number;
    int length = 0;
    if (sscanf(link, "world%9u%n", &number, &length) != 1 || link[length] || !ksiHdf5IsOwn(reader->file, link))
        return true;
    const hid_t group = H5Gopen2(reader->file, link, H5P_DEFAULT);
    char *name = group >= 0 ? readText(group, "name") : NULL;
    if (group >= 0)
        H5Gclose(group);
    if (!name)
        return fail(reader, "is damaged: a world has no name");
    reader->world[reader->worldCount++] = (World){number, name};
    return true;
}

static bool readWorlds(ksiTraceReader *reader)
{
    H5G_info_t root;
    if (H5Gget_info(reader->file, &root) < 0 || root.nlinks > reader->kind.bytes)
        return fail(reader, "is damaged");
    reader->world = calloc(root.nlinks + 1, sizeof *reader->world);
    if (!reader->world)
        return fail(reader, "is too large: out of memory");
    for (hsize_t i = 0; i < root.nlinks; i++) {
        char link[32] = "";
        const ssize_t length =
            H5Lget_name_by_idx(reader->file, ".", H5_INDEX_NAME, H5_ITER_INC, i, link, sizeof link, H5P_DEFAULT);
        if (length > 0 && (size_t)length < sizeof link && !addWorld(reader, link))
            return false;
    }
    qsort(reader->world, reader->worldCount, sizeof *reader->world, byNumber);
    return true;
}

static const char ofRecording[] = "is a recording; kinetostat judge --trace FILE.h5 makes a trace of it";

bool ksiIsAboutRecording(const char *words)
{
    return strstr(words, ofRecording) != NULL;
}

static bool readHead(ksiTraceReader *reader)
{
    const bool isRecording = H5Aexists(reader->file, "recording") > 0;
    char *format = readText(reader->file, "format");
    const bool isTrace = format && strcmp(format, "kinetostat trace 1") == 0;
    free(format);
    if (isRecording)
        return fail(reader, ofRecording);
    return isTrace ? readWorlds(reader) : fail(reader, "is not a trace that this version knows (--trace FILE.h5)");
}

static bool failToOpen(const ksiTraceReader *reader)
{
    char why[KSI_READ_WORDS];
    snprintf(why, sizeof why, "%.100s%s", ksiWhatFileIs(reader->path),
             reader->kind.isFile ? "; --trace FILE.h5 writes a trace that can be sized" : "");
    return fail(reader, why);
}

ksiTraceReader *ksiTraceReaderOpen(const char *path, char *words)
{
    ksiTraceReader *made = calloc(1, sizeof *made);
    if (!made) {
        snprintf(words, KSI_READ_WORDS, "out of memory");
        return NULL;
    }
    *made = (ksiTraceReader){.file = -1, .path = path, .words = words, .kind = ksiHdf5KindOf(path)};
    const ksiHandler host = ksiQuietHdf5();
    made->file = made->kind.isFile ? ksiHdf5Open(path, made->kind.isMarked) : -1;
    const bool isOpen = made->file >= 0 ? readHead(made) : failToOpen(made);
    ksiLoudHdf5(host);
    if (isOpen)
        return made;
    ksiTraceReaderClose(made);
    return NULL;
}

void ksiTraceReaderClose(ksiTraceReader *reader)
{
    if (!reader)
        return;
    for (size_t i = 0; i < reader->worldCount; i++)
        free(reader->world[i].name);
    free(reader->world);
    if (reader->file >= 0)
        H5Fclose(reader->file);
    free(reader);
}

size_t ksiTraceReaderWorlds(const ksiTraceReader *reader)
{
    return reader->worldCount;
}

const char *ksiTraceReaderName(const ksiTraceReader *reader, size_t world)
{
    return reader->world[world].name;
}

/* --- Columns --- */

static size_t cellBytes(const ksiColumn *column)
{
    return column->cell == KSI_CELL_TEXT ? (size_t)column->width : sizeof(double) * (size_t)column->width;
}

/* The type of a cell in memory; for texts it is also the type in the file. */
static hid_t cellType(const ksiColumn *column)
{
    if (column->cell != KSI_CELL_TEXT)
        return H5Tcopy(column->cell == KSI_CELL_REAL ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64);
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, (size_t)column->width);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static bool hasType(const Column *column)
{
    const hid_t type = H5Dget_type(column->set);
    const bool isIt = type >= 0 && H5Tget_class(type) == H5Tget_class(column->type) &&
                      H5Tget_size(type) == H5Tget_size(column->type) && H5Tis_variable_str(type) <= 0;
    if (type >= 0)
        H5Tclose(type);
    return isIt;
}

static bool isPlain(const Column *column, int rank)
{
    hsize_t chunk[2] = {1, 1};
    const hid_t how = H5Dget_create_plist(column->set);
    bool isIt = how >= 0 && H5Pget_layout(how) == H5D_CHUNKED && H5Pget_external_count(how) == 0 &&
                H5Pget_chunk(how, rank, chunk) == rank && ksiHdf5HasKnownFilters(how);
    for (int i = 0; i < 2; i++)
        isIt = isIt && chunk[i] > 0 && chunk[i] <= MOST_CHUNK_BYTES;
    if (how >= 0)
        H5Pclose(how);
    return isIt && chunk[0] * chunk[1] * H5Tget_size(column->type) <= MOST_CHUNK_BYTES;
}

/* Has the column this rank, and no more lines than the best compression allows for a file of this
 * size? Sets *lines. */
static bool hasShape(const ksiTraceReader *reader, const Column *column, int rank, uint64_t *lines)
{
    hsize_t extent[2] = {0, 1};
    const hid_t space = H5Dget_space(column->set);
    const bool isIt = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
                      H5Sget_simple_extent_dims(space, extent, NULL) == rank;
    if (space >= 0)
        H5Sclose(space);
    *lines = extent[0];
    return isIt && (rank == 1 || extent[1] == (hsize_t)column->column->width) &&
           extent[0] <= (reader->kind.bytes * KSI_MOST_INFLATED + MOST_CHUNK_BYTES) / cellBytes(column->column);
}

static bool openColumn(ksiReadTable *table, hid_t group, Column *column)
{
    const ksiColumn *of = column->column;
    const int rank = of->cell == KSI_CELL_TEXT || of->width == 1 ? 1 : 2;
    char words[200];
    uint64_t lines = 0;
    snprintf(words, sizeof words, "has no column %s of %s: it was written by an older version", of->name,
             table->table->name);
    if (!ksiHdf5IsOwn(group, of->name))
        return fail(table->reader, words);
    column->set = H5Dopen2(group, of->name, H5P_DEFAULT);
    if (column->set < 0 || !hasType(column) || !isPlain(column, rank) ||
        !hasShape(table->reader, column, rank, &lines)) {
        snprintf(words, sizeof words, "is damaged: the column %s of %s has another type or size", of->name,
                 table->table->name);
        return fail(table->reader, words);
    }
    table->lines = lines < table->lines ? lines : table->lines;
    return true;
}

static bool isAsked(const char *const *names, const char *name)
{
    while (names && *names && strcmp(*names, name) != 0)
        names++;
    return !names || *names;
}

static bool openColumns(ksiReadTable *made, hid_t world, const char *const *names)
{
    const ksiTable *table = made->table;
    size_t largest = 0;
    if (!ksiHdf5IsOwn(world, table->name))
        return fail(made->reader, "lacks a table: it was written by an older version");
    const hid_t group = H5Gopen2(world, table->name, H5P_DEFAULT);
    bool isOpen = group >= 0 || fail(made->reader, "is damaged");
    made->column = calloc((size_t)table->columnCount, sizeof *made->column);
    for (int i = 0; i < table->columnCount && isOpen && made->column; i++) {
        const ksiColumn *column = &table->column[i];
        if (!isAsked(names, column->name))
            continue;
        made->column[made->columnCount] = (Column){column, -1, cellType(column)};
        isOpen = openColumn(made, group, &made->column[made->columnCount++]);
        largest = cellBytes(column) > largest ? cellBytes(column) : largest;
    }
    if (group >= 0)
        H5Gclose(group);
    made->cells = malloc(largest * KSI_READ_LINES + 1);
    return isOpen && ((made->column && made->cells) || fail(made->reader, "cannot be read: out of memory"));
}

ksiReadTable *ksiReadTableOpen(ksiTraceReader *reader, size_t world, const ksiTable *table, const char *const *names)
{
    char link[32];
    ksiReadTable *made = calloc(1, sizeof *made);
    if (!made) {
        fail(reader, "cannot be read: out of memory");
        return NULL;
    }
    *made = (ksiReadTable){.reader = reader, .table = table, .lines = UINT64_MAX};
    const ksiHandler host = ksiQuietHdf5();
    snprintf(link, sizeof link, "world%u", reader->world[world].number);
    const hid_t group = H5Gopen2(reader->file, link, H5P_DEFAULT);
    const bool isOpen = group >= 0 ? openColumns(made, group, names) : fail(reader, "is damaged");
    if (group >= 0)
        H5Gclose(group);
    ksiLoudHdf5(host);
    if (isOpen)
        return made;
    ksiReadTableClose(made);
    return NULL;
}

void ksiReadTableClose(ksiReadTable *table)
{
    if (!table)
        return;
    for (int i = 0; i < table->columnCount; i++) {
        H5Tclose(table->column[i].type);
        if (table->column[i].set >= 0)
            H5Dclose(table->column[i].set);
    }
    free(table->column);
    free(table->cells);
    free(table);
}

uint64_t ksiReadTableLines(const ksiReadTable *table)
{
    return table->lines;
}

static ksStatus readCells(const Column *column, uint64_t first, size_t count, void *cells)
{
    const int rank = column->column->cell == KSI_CELL_TEXT || column->column->width == 1 ? 1 : 2;
    const hsize_t from[2] = {first, 0}, block[2] = {count, (hsize_t)column->column->width};
    const hid_t space = H5Dget_space(column->set), memory = H5Screate_simple(rank, block, NULL);
    const bool isRead = H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, block, NULL) >= 0 &&
                        H5Dread(column->set, column->type, memory, space, H5P_DEFAULT, cells) >= 0;
    const ksStatus status = isRead ? KS_OK : ksiHdf5WhyNotRead();
    H5Sclose(memory);
    H5Sclose(space);
    return status;
}

bool ksiReadTableRead(ksiReadTable *table, uint64_t first, size_t count, void *lines)
{
    const size_t size = table->table->lineSize;
    ksStatus status = KS_OK;
    if (count > KSI_READ_LINES || first > table->lines || count > table->lines - first)
        return fail(table->reader, "is damaged: it ends before its steps");
    memset(lines, 0, count * size);
    const ksiHandler host = ksiQuietHdf5();
    for (int i = 0; i < table->columnCount && count > 0 && status == KS_OK; i++) {
        const ksiColumn *column = table->column[i].column;
        const size_t bytes = cellBytes(column);
        status = readCells(&table->column[i], first, count, table->cells);
        for (size_t k = 0; k < count && status == KS_OK; k++) {
            char *cell = (char *)lines + size * k + column->offset;
            memcpy(cell, table->cells + bytes * k, bytes);
            if (column->cell == KSI_CELL_TEXT)
                cell[bytes - 1] = 0;
        }
    }
    ksiLoudHdf5(host);
    return !status ||
           fail(table->reader, status == KS_ERROR_NO_MEMORY ? "cannot be read: out of memory" : "is damaged");
}

/* fuzz_file.c  Any recording that HDF5 can open: each record is the one that was written, or is
 * refused.
 *
 * A file is written as programs write it, with records of any bytes, and read. Then its columns and
 * attributes are overwritten, cut, lengthened or given another type, and it is read again. All of
 * this is above HDF5: HDF5 has no instrumentation, and does not survive arbitrary bytes as a file;
 * for those the command has a separate process. */
#include "plugin/report/recording/archive.h"
#include "plugin/report/recording/archive_inside.h"
#include "tests/fuzz/input.h"

#include <hdf5.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST_RECORDS = 8, PROCESSES = 3, MOST_WORDS = 1024, MOST_CHANGES = 4, MOST_ELEMENTS = 64, PROGRAM = 40 };

typedef struct Written {
    size_t count, words[MOST_RECORDS];
    unsigned processes; /* in the order of their first records */
    unsigned process[MOST_RECORDS];
    uint64_t record[MOST_RECORDS][MOST_WORDS];
} Written;

static char path[] = "fuzz_file.XXXXXX";

static void removeFile(void)
{
    unlink(path);
}

static void takeBytes(Input *input, void *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ((uint8_t *)out)[i] = takeByte(input);
}

/* The record has its stated length and its world's number, which the recorder guarantees. Its other
 * bytes are arbitrary, or copied from the record before with some changes. */
static const ksiStepRecord *takeRecord(Input *input, Written *written)
{
    const size_t at = written->count, head = sizeof(ksiStepRecord) / sizeof(uint64_t);
    uint64_t *words = written->record[at];
    const uint8_t choice = takeByte(input);
    const unsigned process = takeByte(input) % (written->processes + (written->processes < PROCESSES));
    written->process[at] = process;
    written->processes += process == written->processes;
    if (at > 0 && choice & 1) {
        written->words[at] = written->words[at - 1];
        memcpy(words, written->record[at - 1], sizeof written->record[at]);
        const size_t place = takeShort(input) % written->words[at];
        words[place] ^= takeByte(input);
    } else {
        written->words[at] = head + takeShort(input) % (MOST_WORDS - head);
        takeBytes(input, words, written->words[at] * sizeof *words);
    }
    ksiStepRecord *record = (void *)words;
    record->bytes = written->words[at] * sizeof *words;
    record->world = 1 + takeByte(input) % 2;
    written->count++;
    return record;
}

static void takeRun(Input *input, ksiRun *run)
{
    takeBytes(input, run->program, takeByte(input));
    takeBytes(input, run->arguments, takeByte(input));
    takeBytes(input, run->begun, sizeof run->begun - 1);
    run->argumentCount = takeByte(input);
    run->isOver = takeByte(input) & 1;
    run->time = takeNumber(input);
}

static void writeFile(Input *input, Written *written)
{
    char words[KSI_ARCHIVE_WORDS], program[PROCESSES][PROGRAM] = {""}, names[PROGRAM] = "";
    ksiArchive *archive;
    ksiRun run = {.program = ""};
    takeRun(input, &run);
    takeBytes(input, names, takeByte(input) % PROGRAM);
    for (int i = 0; i < PROCESSES; i++)
        takeBytes(input, program[i], takeByte(input) % PROGRAM);
    require(!ksiArchiveCreate(path, takeByte(input) % 2, words, &archive));
    require(ksiArchiveBegin(archive, &run, *names ? names : NULL));
    for (int i = takeByte(input) % (MOST_RECORDS + 1); i > 0; i--) {
        const ksiStepRecord *record = takeRecord(input, written);
        const unsigned process = written->process[written->count - 1];
        require(!ksiArchiveAppend(archive, process, program[process], record));
        require(takeByte(input) % 4 || ksiArchiveFlush(archive));
    }
    require(ksiArchiveClose(archive));
}

/* written NULL: the contents are unknown. */
static void readFile(const Written *written)
{
    char words[KSI_ARCHIVE_WORDS];
    ksiArchive *archive = ksiArchiveOpen(path, words);
    require(archive || !written);
    if (!archive)
        return;
    const size_t count = ksiArchiveCount(archive);
    size_t damaged = 0;
    require(!written || count == written->count);
    for (size_t i = 0; i < count; i++) {
        const ksiStepRecord *record;
        unsigned process;
        require(!ksiArchiveRead(archive, i, &record, &process));
        damaged += !record;
        require(!record || ksiRecordIsSound(record, record->bytes));
        if (!written)
            continue;
        const size_t bytes = written->words[i] * sizeof(uint64_t);
        require(!!record == ksiRecordIsSound((const void *)written->record[i], bytes));
        require(!record || (process == written->process[i] && record->bytes == bytes &&
                            memcmp(record, written->record[i], bytes) == 0));
        (void)strlen(ksiArchiveProgram(archive, process));
    }
    require(damaged == ksiArchiveDamaged(archive));
    require(ksiArchiveClose(archive));
}

/* --- Changes --- */

/* Overwrites some elements. */
static void writeOver(Input *input, hid_t file, const char *name)
{
    uint8_t bytes[MOST_ELEMENTS * sizeof(uint64_t)];
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set), type = H5Dget_type(set);
    hsize_t size = 0, start = takeByte(input), count = 1 + takeByte(input) % MOST_ELEMENTS;
    const hid_t memory = H5Screate_simple(1, &count, NULL);
    H5Sget_simple_extent_dims(space, &size, NULL);
    takeBytes(input, bytes, sizeof bytes);
    if (start + count <= size && H5Tget_size(type) <= sizeof(uint64_t) &&
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0)
        H5Dwrite(set, type, memory, space, H5P_DEFAULT, bytes);
    H5Sclose(memory);
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
}

static void resize(Input *input, hid_t file, const char *name)
{
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    const hsize_t size = takeByte(input);
    H5Dset_extent(set, &size);
    H5Dclose(set);
}

static hid_t takeType(Input *input)
{
    const hid_t type[] = {H5T_NATIVE_UINT64, H5T_NATIVE_UINT32, H5T_NATIVE_CHAR, H5T_NATIVE_DOUBLE, H5T_C_S1};
    return type[takeByte(input) % (sizeof type / sizeof *type)];
}

/* Replaces a column by another one, or by none. */
static void replace(Input *input, hid_t file, const char *name)
{
    hsize_t size[2] = {takeByte(input), 1}, chunk[2] = {1 + takeByte(input), 1};
    const hsize_t most[2] = {H5S_UNLIMITED, 1};
    const uint8_t choice = takeByte(input);
    const int rank = 1 + (choice >> 1 & 1);
    H5Ldelete(file, name, H5P_DEFAULT);
    if (choice & 1)
        return;
    if (choice & 4) {
        H5Lcreate_soft("/end", file, name, H5P_DEFAULT, H5P_DEFAULT);
        return;
    }
    const hid_t space = H5Screate_simple(rank, size, choice & 8 ? most : NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    if (choice & 8)
        H5Pset_chunk(how, rank, chunk);
    if ((choice & 24) == 24)
        H5Pset_fletcher32(how);
    const hid_t set = H5Dcreate2(file, name, takeType(input), space, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Dclose(set);
    H5Pclose(how);
    H5Sclose(space);
}

static void changeAttribute(Input *input, hid_t file)
{
    static const char *const name[] = {"recording", "program", "arguments", "begun", "engine",
                                       "built",     "notes",   "ending",    "head",  "names"};
    const char *which = name[takeByte(input) % (sizeof name / sizeof *name)];
    const hsize_t count = takeByte(input);
    uint8_t bytes[256 * sizeof(uint64_t)];
    H5Adelete(file, which);
    if (takeByte(input) & 1)
        return;
    const hid_t space = H5Screate_simple(1, &count, NULL), type = takeType(input);
    const hid_t made = H5Acreate2(file, which, type, space, H5P_DEFAULT, H5P_DEFAULT);
    takeBytes(input, bytes, sizeof bytes);
    H5Awrite(made, type, bytes);
    H5Aclose(made);
    H5Sclose(space);
}

static void changeFile(Input *input)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    require(file >= 0);
    for (int i = takeByte(input) % MOST_CHANGES; i >= 0; i--) {
        const char *name = ksiColumnNames[takeByte(input) % KSI_COLUMNS];
        const uint8_t choice = takeByte(input) % 8;
        if (choice == 0)
            changeAttribute(input, file);
        else if (choice == 1)
            replace(input, file, name);
        else if (choice == 2)
            resize(input, file, name);
        else
            writeOver(input, file, name);
    }
    H5Fclose(file);
}

/* The linker substitutes it for ksiRecordSchema, which takes as long as all the rest, and always
 * returns the same. */
char *__real_ksiRecordSchema(void);
char *__wrap_ksiRecordSchema(void);

char *__wrap_ksiRecordSchema(void)
{
    static char *text;
    text = text ? text : __real_ksiRecordSchema();
    return strdup(text);
}

unsigned long fuzzPassed;
bool fuzzIsWhole;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzzPassed++;
    static Written written;
    static bool hasFile;
    Input input = {data, data + size};
    if (!hasFile) {
        require(close(mkstemp(path)) == 0 && atexit(removeFile) == 0);
        H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
        hasFile = true;
    }
    memset(&written, 0, sizeof written);
    writeFile(&input, &written);
    const uint8_t choice = takeByte(&input);
    if (fuzzIsWhole || choice % 2 == 0)
        readFile(&written);
    if (!fuzzIsWhole && choice % 2 == 0)
        return 0;
    changeFile(&input);
    readFile(NULL);
    return 0;
}

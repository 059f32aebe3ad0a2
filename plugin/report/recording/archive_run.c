/* archive_run.c  Stores the run of a recording as attributes. */
#include "archive_run.h"

#include "../files/checksum.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* --- Attributes --- */

/* Creates or overwrites an attribute. While others may read the file, attributes can only be
 * overwritten. */
static bool writeAttribute(hid_t file, const char *name, hid_t type, hid_t space, const void *value, bool isNew)
{
    const hid_t attribute =
        isNew ? H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : H5Aopen(file, name, H5P_DEFAULT);
    const bool isWritten = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    return isWritten;
}

static bool writeNumbers(hid_t file, const char *name, hid_t type, hsize_t count, const void *value, bool isNew)
{
    const hid_t space = H5Screate_simple(1, &count, NULL);
    const bool isWritten = writeAttribute(file, name, type, space, value, isNew);
    H5Sclose(space);
    return isWritten;
}

bool ksiWriteAttribute(hid_t file, const char *name, hid_t type, hsize_t count, const void *value)
{
    return writeNumbers(file, name, type, count, value, true);
}

/* The type of a text with this number of bytes, including the terminator. */
static hid_t textType(size_t bytes)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, bytes);
    return type;
}

static bool writeText(hid_t file, const char *name, const char *text, size_t bytes, bool isNew)
{
    const hid_t type = textType(bytes), space = H5Screate(H5S_SCALAR);
    const bool isWritten = writeAttribute(file, name, type, space, text, isNew);
    H5Sclose(space);
    H5Tclose(type);
    return isWritten;
}

bool ksiWriteTextAttribute(hid_t file, const char *name, const char *text)
{
    return writeText(file, name, text, strlen(text) + 1, true);
}

/* Reads an attribute. Its type must have the same class as `type`, and its elements must fill
 * exactly `bytes` bytes. */
bool ksiReadAttribute(hid_t file, const char *name, hid_t type, size_t bytes, void *value)
{
    const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    const hid_t found = attribute >= 0 ? H5Aget_type(attribute) : -1;
    const bool isRead = found >= 0 && H5Tget_class(found) == H5Tget_class(type) && H5Tis_variable_str(found) <= 0 &&
                        H5Tget_size(found) == H5Tget_size(type) && H5Aget_storage_size(attribute) == bytes &&
                        H5Aread(attribute, type, value) >= 0;
    if (found >= 0)
        H5Tclose(found);
    if (attribute >= 0)
        H5Aclose(attribute);
    return isRead;
}

static bool readText(hid_t file, const char *name, char *text, size_t bytes)
{
    const hid_t type = textType(bytes);
    const bool isRead = ksiReadAttribute(file, name, type, bytes, text);
    H5Tclose(type);
    text[bytes - 1] = 0;
    return isRead;
}

static hsize_t sizeOf(hid_t file, const char *name)
{
    const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    const hsize_t bytes = attribute >= 0 ? H5Aget_storage_size(attribute) : 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    return bytes;
}

/* --- The run --- */

/* Texts of a run. */
static const struct {
    const char *name;
    size_t offset, size;
} runText[] = {{"program", offsetof(ksiRun, program), sizeof(((ksiRun *)0)->program)},
               {"arguments", offsetof(ksiRun, arguments), sizeof(((ksiRun *)0)->arguments)},
               {"begun", offsetof(ksiRun, begun), sizeof(((ksiRun *)0)->begun)},
               {"engine", offsetof(ksiRun, engine), sizeof(((ksiRun *)0)->engine)},
               {"built", offsetof(ksiRun, built), sizeof(((ksiRun *)0)->built)},
               {"notes", offsetof(ksiRun, notes), sizeof(((ksiRun *)0)->notes)},
               {"parameters", offsetof(ksiRun, parameters), sizeof(((ksiRun *)0)->parameters)}};

/* Older files lack the last text. If it is missing or empty, it does not change the checksum. */
enum { RUN_TEXTS = sizeof runText / sizeof *runText, RUN_LATER = RUN_TEXTS - 1, RUN_NUMBERS = 16 };

static void packRun(const ksiRun *run, double out[RUN_NUMBERS])
{
    const ksiNotFinite *found = &run->notFinite;
    const double number[RUN_NUMBERS] = {run->argumentCount,  run->isOver,   run->status,       run->signal,
                                        run->world,          run->isInStep, (double)run->step, run->time,
                                        found->world,        found->body,   found->more,       found->quantity,
                                        (double)found->step, found->time,   run->unseen,       run->isExact};
    memcpy(out, number, sizeof number);
}

/* Converts a number from a file to an integer in range. */
static uint32_t wholeOf(double x)
{
    return x >= 0 && x <= INT32_MAX ? (uint32_t)x : 0;
}

static void unpackRun(const double number[RUN_NUMBERS], ksiRun *run)
{
    static const double most = 9007199254740992;  // 2^53
    run->argumentCount = (int32_t)wholeOf(number[0]);
    run->isOver = number[1] == 1;
    run->status = (int32_t)wholeOf(number[2]);
    run->signal = (int32_t)wholeOf(number[3]);
    run->world = wholeOf(number[4]);
    run->isInStep = number[5] == 1;
    run->step = number[6] >= 0 && number[6] <= most ? (uint64_t)number[6] : 0;
    run->time = number[7];
    run->notFinite = (ksiNotFinite){.world = wholeOf(number[8]),
                                    .body = wholeOf(number[9]),
                                    .more = wholeOf(number[10]),
                                    .quantity = wholeOf(number[11]),
                                    .step = number[12] >= 0 && number[12] <= most ? (uint64_t)number[12] : 0,
                                    .time = number[13]};
    run->unseen = wholeOf(number[14]);
    run->isExact = number[15] == 1;
}

/* The checksum of all attributes of the run, in the order of writing. */
static uint32_t checksumOf(const ksiRun *run, const char *names)
{
    double number[RUN_NUMBERS];
    uint64_t words[RUN_NUMBERS];
    const uint64_t traps = run->traps;
    uint32_t sum = 0;
    for (int i = 0; i < (run->parameters[0] ? RUN_TEXTS : RUN_LATER); i++)
        sum = ksiChecksumText(sum, (const char *)run + runText[i].offset, runText[i].size);
    packRun(run, number);
    memcpy(words, number, sizeof words);
    sum = ksiChecksum(sum, words, RUN_NUMBERS);
    // older files lack traps: without traps the checksum is the same
    if (traps > 0)
        sum = ksiChecksum(sum, &traps, 1);
    return names ? ksiChecksumText(sum, names, strlen(names)) : sum;
}

bool ksiWriteRun(hid_t file, const ksiRun *run, const char *names, bool isNew)
{
    const uint32_t sum = checksumOf(run, names);
    double number[RUN_NUMBERS];
    bool isWritten = !names || !isNew || ksiWriteTextAttribute(file, "names", names);
    packRun(run, number);
    for (int i = 0; i < RUN_TEXTS; i++)
        isWritten = isWritten &&
                    writeText(file, runText[i].name, (const char *)run + runText[i].offset, runText[i].size, isNew);
    return isWritten && writeNumbers(file, "traps", H5T_NATIVE_UINT32, 1, &run->traps, isNew) &&
           writeNumbers(file, "ending", H5T_NATIVE_DOUBLE, RUN_NUMBERS, number, isNew) &&
           writeNumbers(file, "head", H5T_NATIVE_UINT32, 1, &sum, isNew);
}

bool ksiReadRun(hid_t file, hsize_t fileBytes, ksiRun *run, char **names, uint32_t *head)
{
    const hsize_t bytes = H5Aexists(file, "names") > 0 ? sizeOf(file, "names") : 0;
    double number[RUN_NUMBERS];
    bool isRead = bytes <= fileBytes;
    *names = isRead && bytes > 0 ? malloc(bytes) : NULL;
    if (isRead && bytes > 0)
        isRead = *names && readText(file, "names", *names, bytes);
    run->parameters[0] = 0;
    run->traps = 0;
    if (isRead && H5Aexists(file, "traps") > 0)
        isRead = ksiReadAttribute(file, "traps", H5T_NATIVE_UINT32, sizeof run->traps, &run->traps);
    for (int i = 0; i < (H5Aexists(file, runText[RUN_LATER].name) > 0 ? RUN_TEXTS : RUN_LATER); i++)
        isRead = isRead && readText(file, runText[i].name, (char *)run + runText[i].offset, runText[i].size);
    isRead = isRead && ksiReadAttribute(file, "ending", H5T_NATIVE_DOUBLE, sizeof number, number) &&
             ksiReadAttribute(file, "head", H5T_NATIVE_UINT32, sizeof *head, head);
    if (isRead)
        unpackRun(number, run);
    return isRead && *head == checksumOf(run, *names);
}

/* archive_run.c  The run of a recording, as attributes. */
#ifdef KS_HAVE_HDF5

#include "archive_run.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Into an attribute that is open, if it is, and closes it. */
static bool fillAttribute(hid_t attribute, hid_t type, const void *value)
{
    const bool isWritten = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    return isWritten;
}

bool ksiWriteAttribute(hid_t file, const char *name, hid_t type, hsize_t count, const void *value)
{
    const hid_t space = H5Screate_simple(1, &count, NULL);
    const bool isWritten = fillAttribute(H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT), type, value);
    H5Sclose(space);
    return isWritten;
}

bool ksiReadAttribute(hid_t file, const char *name, hid_t type, size_t bytes, void *value)
{
    const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    const bool isRead =
        attribute >= 0 && H5Aget_storage_size(attribute) == bytes && H5Aread(attribute, type, value) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    return isRead;
}

/* Its room is there since the beginning: while others may read the file, nothing can be added to it. */
static bool rewriteAttribute(hid_t file, const char *name, hid_t type, hsize_t count, const void *value)
{
    (void)count;
    return fillAttribute(H5Aopen(file, name, H5P_DEFAULT), type, value);
}

/* Texts of a run. */
static const struct {
    const char *name;
    size_t offset, size;
} runText[] = {{"program", offsetof(ksiRun, program), sizeof(((ksiRun *)0)->program)},
               {"arguments", offsetof(ksiRun, arguments), sizeof(((ksiRun *)0)->arguments)},
               {"begun", offsetof(ksiRun, begun), sizeof(((ksiRun *)0)->begun)},
               {"engine", offsetof(ksiRun, engine), sizeof(((ksiRun *)0)->engine)},
               {"built", offsetof(ksiRun, built), sizeof(((ksiRun *)0)->built)},
               {"notes", offsetof(ksiRun, notes), sizeof(((ksiRun *)0)->notes)}};

enum { RUN_TEXTS = sizeof runText / sizeof *runText, RUN_NUMBERS = 16 };

static void packRun(const ksiRun *run, double out[RUN_NUMBERS])
{
    const ksiNotFinite *found = &run->notFinite;
    const double number[RUN_NUMBERS] = {run->argumentCount,  run->isOver,   run->status,       run->signal,
                                        run->world,          run->isInStep, (double)run->step, run->time,
                                        found->world,        found->body,   found->more,       found->quantity,
                                        (double)found->step, found->time,   run->unseen,       run->isExact};
    memcpy(out, number, sizeof number);
}

/* A number from a file, as one that a whole number can hold. */
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

bool ksiWriteRun(hid_t file, const ksiRun *run, bool isNew)
{
    bool (*write)(hid_t, const char *, hid_t, hsize_t, const void *) = isNew ? ksiWriteAttribute : rewriteAttribute;
    double number[RUN_NUMBERS];
    bool isWritten = true;
    packRun(run, number);
    for (int i = 0; i < RUN_TEXTS; i++)
        isWritten = isWritten && write(file, runText[i].name, H5T_NATIVE_CHAR, runText[i].size,
                                       (const char *)run + runText[i].offset);
    return isWritten && write(file, "ending", H5T_NATIVE_DOUBLE, RUN_NUMBERS, number);
}

void ksiReadRun(hid_t file, ksiRun *run)
{
    double number[RUN_NUMBERS];
    for (int i = 0; i < RUN_TEXTS; i++) {
        char *text = (char *)run + runText[i].offset;
        if (!ksiReadAttribute(file, runText[i].name, H5T_NATIVE_CHAR, runText[i].size, text))
            memset(text, 0, runText[i].size);
        text[runText[i].size - 1] = 0;
    }
    if (ksiReadAttribute(file, "ending", H5T_NATIVE_DOUBLE, sizeof number, number))
        unpackRun(number, run);
}

bool ksiWriteTextAttribute(hid_t file, const char *name, const char *text)
{
    return ksiWriteAttribute(file, name, H5T_NATIVE_CHAR, strlen(text) + 1, text);
}

char *ksiReadTextAttribute(hid_t file, const char *name)
{
    const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    const hsize_t bytes = attribute >= 0 ? H5Aget_storage_size(attribute) : 0;
    char *text = bytes > 0 ? malloc(bytes) : NULL;
    const bool isRead = text && H5Tget_size(H5T_NATIVE_CHAR) == 1 && H5Aread(attribute, H5T_NATIVE_CHAR, text) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    if (isRead) {
        text[bytes - 1] = 0;
        return text;
    }
    free(text);
    return NULL;
}

#else

typedef int ksiNoRunInFiles;

#endif

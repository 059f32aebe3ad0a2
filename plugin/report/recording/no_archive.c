/* no_archive.c  Messages for files that are not recordings: their kind, and a remedy. */
#include "archive.h"

#include <stdio.h>

#include "../runs/data.h"
#include "no_archive.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const char remedy[] = "judge reads what --trace-raw FILE.h5 has written: run the program again with it";

enum { NAMES = 160 };

/* Lists the names of the first objects in an HDF5 file. */
static void listNames(hid_t file, char names[NAMES])
{
    H5G_info_t group;
    if (H5Gget_info(file, &group) < 0)
        return;
    for (hsize_t i = 0; i < group.nlinks; i++) {
        char name[NAMES];
        const size_t used = strlen(names);
        if (H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT) < 0)
            return;
        const int length = snprintf(names + used, NAMES - used, "%s%s", used > 0 ? ", " : "", name);
        if (length < 0 || used + (size_t)length >= NAMES) {
            names[used] = 0; /* a name that is cut says nothing */
            return;
        }
    }
}

static void describeHdf5(hid_t file, char out[NAMES + 60])
{
    char names[NAMES] = "";
    if (H5Aexists(file, "origin") < 0) {
        snprintf(out, NAMES + 60, "is HDF5, but cut off or damaged");
        return;
    }
    if (H5Aexists(file, "origin") > 0 && H5Aexists(file, "kinetostat") > 0) {
        snprintf(out, NAMES + 60, "is a recording of kinetostat before its format was published, or a damaged one");
        return;
    }
    if (H5Aexists(file, "format") > 0) {
        snprintf(out, NAMES + 60, "is a trace of --trace (the forces of each step), not a recording");
        return;
    }
    listNames(file, names);
    snprintf(out, NAMES + 60, "is an HDF5 file of something else (%s), not a recording", *names ? names : "empty");
}

const char *ksiWhatFileIs(const char *path)
{
    struct stat status;
    char begin[256];
    if (stat(path, &status))
        return strerror(errno);
    if (!S_ISREG(status.st_mode))
        return S_ISDIR(status.st_mode) ? "is a folder" : "is a pipe or a device, not a file";
    FILE *file = fopen(path, "rb");
    if (!file)
        return strerror(errno);
    const size_t count = fread(begin, 1, sizeof begin - 1, file);
    const int error = ferror(file) ? errno : 0;
    fclose(file);
    begin[count] = 0;
    return error                                         ? strerror(error)
           : count == 0                                  ? "is empty"
           : strncmp(begin, "\211HDF\r\n\032\n", 8) == 0 ? "is HDF5, but cut off or damaged"
           : strncmp(begin, "\211MCAP0\r\n", 8) == 0     ? "is MCAP, for Foxglove and PlotJuggler, not HDF5"
           : strncmp(begin, "world,", 6) == 0            ? "is a trace of --trace as CSV, not as HDF5"
           : strncmp(begin, "[\n{\"ph\":", 8) == 0       ? "is a trace of --trace for Perfetto, not as HDF5"
           : strncmp(begin, KSI_DATA_NAME, strlen(KSI_DATA_NAME)) == 0
               ? "is a report of --save, for kinetostat merge and diff"
           : strstr(begin, "kinetostat-report") ? "is a report as JSON"
           : strncmp(begin, "\177ELF", 4) == 0  ? "is a program (run a program called judge as ./judge)"
                                                : "cannot be read: it is not an HDF5 file";
}

bool ksiSayWhatItIs(hid_t file, const char *path, char *words)
{
    char what[NAMES + 60];
    struct stat status;
    if (file >= 0)
        describeHdf5(file, what);
    else
        snprintf(what, sizeof what, "%s", ksiWhatFileIs(path));
    const bool isThere = stat(path, &status) == 0;
    snprintf(words, KSI_ARCHIVE_WORDS, "%.80s: %.220s%s%.90s", path, what, isThere ? "; " : "", isThere ? remedy : "");
    return false;
}

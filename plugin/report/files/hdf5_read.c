/* hdf5_read.c  Reads untrusted files with HDF5. */
#include <stdbool.h>

#include "hdf5_read.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A marked file that looks damaged is read again, with growing pauses, at most this many times. */
enum { READ_ATTEMPTS = 24 };

ksiHdf5Kind ksiHdf5KindOf(const char *path)
{
    unsigned char begin[12] = {0};
    struct stat status;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return (ksiHdf5Kind){false, false, 0};
    const bool isFile = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    const bool isRead = isFile && pread(file, begin, sizeof begin, 0) == (ssize_t)sizeof begin;
    close(file);
    return (ksiHdf5Kind){isFile, isRead && begin[8] == 3 && (begin[11] & 5) != 0, isFile ? (hsize_t)status.st_size : 0};
}

hid_t ksiHdf5Open(const char *path, bool isMarked)
{
    if (!isMarked)
        return H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t how = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_metadata_read_attempts(how, READ_ATTEMPTS);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, how);
    H5Pclose(how);
    return file;
}

bool ksiHdf5IsOwn(hid_t file, const char *name)
{
    H5L_info_t link;
    return H5Lexists(file, name, H5P_DEFAULT) > 0 && H5Lget_info(file, name, &link, H5P_DEFAULT) >= 0 &&
           link.type == H5L_TYPE_HARD;
}

bool ksiHdf5HasKnownFilters(hid_t how)
{
    for (int i = 0, count = H5Pget_nfilters(how); i < count; i++) {
        unsigned flags;
        size_t none = 0;
        const H5Z_filter_t filter = H5Pget_filter2(how, (unsigned)i, &flags, &none, NULL, 0, NULL, NULL);
        if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE)
            return false;
    }
    return true;
}

static herr_t noteError(unsigned place, const H5E_error2_t *error, void *status)
{
    (void)place;
    if (error->maj_num == H5E_RESOURCE)
        *(ksStatus *)status = KS_ERROR_NO_MEMORY;
    return 0;
}

ksStatus ksiHdf5WhyNotRead(void)
{
    ksStatus status = KS_ERROR_FILE;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, noteError, &status);
    return status;
}

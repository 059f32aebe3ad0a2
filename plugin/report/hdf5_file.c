/* hdf5_file.c  HDF5 in a process that may use it as well. */
#define _GNU_SOURCE

#ifdef KS_HAVE_HDF5

#include "hdf5_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

ksiHandler ksiQuietHdf5(void)
{
    ksiHandler host = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &host.call, &host.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return host;
}

void ksiLoudHdf5(ksiHandler host)
{
    H5Eset_auto2(H5E_DEFAULT, host.call, host.data);
}

int ksiHandleOfHdf5(hid_t file)
{
    int *handle;
    if (file < 0 || H5Fget_vfd_handle(file, H5P_DEFAULT, (void **)&handle) < 0)
        return -1;
    fcntl(*handle, F_SETFD, FD_CLOEXEC);
    return *handle;
}

/* On a device HDF5 seeks in vain, and some of them it can never close again. */
int ksiWhyNotWritten(const char *path)
{
    struct stat status;
    const int handle = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (handle < 0)
        return errno;
    const int refused = fstat(handle, &status) ? errno : S_ISREG(status.st_mode) ? 0 : ENOTSUP;
    close(handle);
    return refused;
}

bool ksiIsLocked(const char *path)
{
    const int handle = open(path, O_RDONLY | O_CLOEXEC);
    const bool isLocked = handle >= 0 && flock(handle, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (handle >= 0)
        close(handle);
    return isLocked;
}

void ksiAbandonHdf5(int handle)
{
    struct stat status;
    const int memory = handle < 0 ? -1 : memfd_create("trace", MFD_CLOEXEC);
    if (memory < 0)
        return;
    if (!fstat(handle, &status) && !ftruncate(memory, status.st_size))
        dup3(memory, handle, O_CLOEXEC);
    close(memory);
}

#else

typedef int ksiNoHdf5;

#endif

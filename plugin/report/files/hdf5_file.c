/* hdf5_file.c  Uses HDF5 in a process whose host may use it too. */
#define _GNU_SOURCE

#include "hdf5_file.h"

#include "file_lock.h"

#include <errno.h>
#include <fcntl.h>
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

/* HDF5 cannot seek on devices, and cannot close some of them. */
int ksiClaimHdf5(const char *path, int *file)
{
    struct stat status;
    int claimed = -1, refused = ksiLockFile(path, O_RDWR, &claimed);
    if (!refused)
        refused = fstat(claimed, &status) ? errno : S_ISREG(status.st_mode) ? 0 : ENOTSUP;
    if (!refused)
        *file = claimed;
    else if (claimed >= 0)
        ksiUnlockFile(claimed);
    return refused;
}

hid_t ksiClaimedAccess(void)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(access, 0, 1);
#endif
    return access;
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

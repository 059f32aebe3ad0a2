/* folder.h  The folder of pictures: made where it is not there yet. */
#ifndef KSI_VIEW_FOLDER_H
#define KSI_VIEW_FOLDER_H

#include <errno.h>
#include <sys/stat.h>

/* 0, or errno. */
static inline int ksiMakeFolder(const char *path)
{
    struct stat found;
    if (!mkdir(path, 0777))
        return 0;
    if (errno != EEXIST)
        return errno;
    return !stat(path, &found) && S_ISDIR(found.st_mode) ? 0 : ENOTDIR;
}

#endif

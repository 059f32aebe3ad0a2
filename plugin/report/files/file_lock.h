/* file_lock.h  A file that grows while its program runs has one writer at a time. */
#ifndef KSI_REPORT_FILES_FILE_LOCK_H
#define KSI_REPORT_FILES_FILE_LOCK_H

/* Opens the file, or makes it; contents stay. access: O_WRONLY or O_RDWR. 0, or an errno:
 * EWOULDBLOCK: it is claimed or locked by a reader. Devices cannot be claimed. */
int ksiLockFile(const char *path, int access, int *file);

/* Permits readers with a lock, but no other claim. 0, or an errno. */
int ksiShareLock(int file);

/* Also for children of fork(), which share it. 0, or the errno of closing it. */
int ksiUnlockFile(int file);

/* The message for the errno of a claim. */
const char *ksiLockWords(int error);

#endif

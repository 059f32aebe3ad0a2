/* file_lock.h  Lets one program at a time write a file, which grows while the program runs. */
#ifndef KSI_REPORT_FILES_FILE_LOCK_H
#define KSI_REPORT_FILES_FILE_LOCK_H

/* Opens the file, or creates it; keeps its contents. access: O_WRONLY or O_RDWR. 0, or an errno:
 * EWOULDBLOCK: another writer or a reader has locked it. Devices cannot be locked. */
int ksiLockFile(const char *path, int access, int *file);

/* Makes the lock a shared one: readers can lock the file too, but another writer is refused. 0, or
 * an errno. */
int ksiShareLock(int file);

/* Closes the file and ends its lock, also in children of fork(), which share it. 0, or the errno of
 * closing the file. */
int ksiUnlockFile(int file);

/* The message for the errno of a refused lock. */
const char *ksiLockWords(int error);

#endif

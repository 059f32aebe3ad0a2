/* claim.h  A file that grows while its program runs is written by one at a time: what two write into it would be no file. */
#ifndef KSI_REPORT_FILES_CLAIM_H
#define KSI_REPORT_FILES_CLAIM_H

/* Opens it, and makes it if it is not there; what is in it stays. access: O_WRONLY or O_RDWR. 0, or an errno: EWOULDBLOCK, another one has claimed it, or
 * reads it with a lock of its own. A pipe or a device is everybody's. */
int ksiClaimFile(const char *path, int access, int *file);

/* Those who read with a lock may open it now, and none may claim it. 0, or an errno. */
int ksiShareClaim(int file);

/* Also for children of fork(), which have it, too. 0, or the errno of closing it. */
int ksiReleaseFile(int file);

/* The errno of a claim, in words. */
const char *ksiClaimWords(int error);

#endif

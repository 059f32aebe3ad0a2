/* descriptor.h  Recognises file descriptors of this process. The host can close them and reuse
 * their numbers. */
#ifndef KSI_VIEW_DESCRIPTOR_H
#define KSI_VIEW_DESCRIPTOR_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct ksiDescriptor {
    int number;
    dev_t device;
    ino_t file;
} ksiDescriptor;

bool ksiDescriptorNote(ksiDescriptor *descriptor, int number);

/* Is the file at this number still the noted one? All descriptors of epoll and of events look like
 * the same file. */
bool ksiDescriptorIsOwn(const ksiDescriptor *descriptor);

#endif

/* descriptor.c  Recognises file descriptors of this process by device and file. */
#include "descriptor.h"

#include <sys/stat.h>
#include <unistd.h>

bool ksiDescriptorNote(ksiDescriptor *descriptor, int number)
{
    struct stat known;
    if (fstat(number, &known))
        return false;
    *descriptor = (ksiDescriptor){number, known.st_dev, known.st_ino};
    return true;
}

bool ksiDescriptorIsOwn(const ksiDescriptor *descriptor)
{
    ksiDescriptor now;
    return ksiDescriptorNote(&now, descriptor->number) && now.device == descriptor->device &&
           now.file == descriptor->file;
}

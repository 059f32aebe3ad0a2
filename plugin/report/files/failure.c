/* failure.c  Sets the error messages of this library. ksErrorMessage, which returns them, is in
 * libkinetostat. */
#include "failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

ksStatus ksiReportFail(const char *function, ksStatus status, const char *format, ...)
{
    char words[512];
    const int hostErrno = errno;
    va_list value;
    va_start(value, format);
    vsnprintf(words, sizeof words, format, value);
    va_end(value);
    errno = hostErrno;
    return ksErrorSet(status, function, words);
}

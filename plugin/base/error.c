/* error.c  Names of statuses, and this thread's last error message, in buffers of fixed size. The
 * functions keep the host's errno and floating-point environment, and do not depend on the host's
 * locale. */
#include "error.h"

#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 256, LONGEST_NUMBER = 32 };

typedef struct Text {
    char at[MOST];
    size_t length;
} Text;

static _Thread_local Text message;
static _Thread_local Text reason;        /* why a function is about to fail */
static _Thread_local ksStatus explained; /* the status that `reason` explains */

static void add(Text *text, const char *string)
{
    const size_t room = sizeof text->at - 1 - text->length, length = strlen(string);
    const size_t taken = length < room ? length : room;
    memcpy(text->at + text->length, string, taken);
    text->length += taken;
    text->at[text->length] = '\0';
}

/* Adds a number with a full stop in place of the decimal point of the host's locale, which may have
 * several bytes. */
static void addNumber(Text *text, double x)
{
    static const char own[] = "0123456789+-abcdefinxABCDEFINX";
    char number[LONGEST_NUMBER], *to = number;
    if (isnan(x))
        x = NAN;  // drops the sign of a NaN
    snprintf(number, sizeof number, "%g", x);
    for (const char *from = number; *from; from++) {
        const int foreign = !strchr(own, *from);
        if (!foreign || to == number || to[-1] != '.')
            *to++ = foreign ? '.' : *from;
    }
    *to = '\0';
    add(text, number);
}

static void addFormatted(Text *text, const char *format, va_list value)
{
    char number[LONGEST_NUMBER];
    for (; *format; format++) {
        const char plain[2] = {*format, '\0'};
        if (*format != '%') {
            add(text, plain);
            continue;
        }
        format++;
        if (*format == 's')
            add(text, va_arg(value, const char *));
        if (*format == 'g')
            addNumber(text, va_arg(value, double));
        if (*format == 'd')
            snprintf(number, sizeof number, "%d", va_arg(value, int));
        if (*format == 'z')
            snprintf(number, sizeof number, "%zu", va_arg(value, size_t));
        if (*format == 'd' || *format == 'z')
            add(text, number);
        format += *format == 'z';
    }
}

void ksiExplain(ksStatus status, const char *format, ...)
{
    const int hostErrno = errno;
    fenv_t host;
    va_list value;
    feholdexcept(&host);
    fesetround(FE_TONEAREST);
    reason.length = 0;
    va_start(value, format);
    addFormatted(&reason, format, value);
    va_end(value);
    explained = status;
    fesetenv(&host);
    errno = hostErrno;
}

int ksiIsExplained(ksStatus status)
{
    return explained != KS_OK && explained == status;
}

const char *ksiWordsOf(ksStatus status)
{
    switch (status) {
    case KS_OK:
        break;
    case KS_ERROR_BAD_ARGUMENT:
        return "an argument is out of range";
    case KS_ERROR_NO_MEMORY:
        return "the allocator refused memory";
    case KS_ERROR_UNSUPPORTED_ENGINE:
        return "the engine's private layout is not a known one";
    case KS_ERROR_REENTRY:
        return "called from one of this inspector's own callbacks";
    case KS_ERROR_BRACKET:
        return "the step was begun twice or never, or another inspector's step is still open";
    case KS_ERROR_ENGINE:
        return "the engine refused to step";
    case KS_ERROR_NOT_FINITE:
        return "a number is NaN or infinite, or overflows";
    case KS_ERROR_NOT_POSITIVE_DEFINITE:
        return "the mass matrix is not positive definite";
    case KS_ERROR_SINGULAR:
        return "cannot decide which rows depend on each other";
    case KS_ERROR_INCONSISTENT:
        return "rows that depend on each other demand contradicting motions";
    case KS_ERROR_BOUND:
        return "a multiplier would leave its bounds";
    case KS_ERROR_NOT_ADMISSIBLE:
        return "the direction violates this row, not only the relaxed one";
    case KS_ERROR_NOT_RELAXING:
        return "the direction does not move the relaxed row";
    case KS_ERROR_REDUNDANT:
        return "other rows share the force, which is not unique";
    case KS_ERROR_NO_ANCHOR:
        return "this type of joint has no anchor";
    case KS_ERROR_UNAVAILABLE:
        return "the value was not computed in this step";
    case KS_ERROR_ENDED:
        return "the subscription has ended";
    case KS_ERROR_FILE:
        return "a file cannot be read or written";
    }
    return "unknown status";
}

#define NAME(value)                                                                                                    \
    case value:                                                                                                        \
        return #value

const char *ksStatusName(ksStatus status)
{
    switch (status) {
        NAME(KS_OK);
        NAME(KS_ERROR_BAD_ARGUMENT);
        NAME(KS_ERROR_NO_MEMORY);
        NAME(KS_ERROR_UNSUPPORTED_ENGINE);
        NAME(KS_ERROR_REENTRY);
        NAME(KS_ERROR_BRACKET);
        NAME(KS_ERROR_ENGINE);
        NAME(KS_ERROR_NOT_FINITE);
        NAME(KS_ERROR_NOT_POSITIVE_DEFINITE);
        NAME(KS_ERROR_SINGULAR);
        NAME(KS_ERROR_INCONSISTENT);
        NAME(KS_ERROR_BOUND);
        NAME(KS_ERROR_NOT_ADMISSIBLE);
        NAME(KS_ERROR_NOT_RELAXING);
        NAME(KS_ERROR_REDUNDANT);
        NAME(KS_ERROR_NO_ANCHOR);
        NAME(KS_ERROR_UNAVAILABLE);
        NAME(KS_ERROR_ENDED);
        NAME(KS_ERROR_FILE);
    }
    return "KS_STATUS_UNKNOWN";
}

ksStatus ksErrorSet(ksStatus status, const char *function, const char *words)
{
    message.length = 0;
    add(&message, function ? function : "?");
    add(&message, ": ");
    add(&message, words ? words : ksiWordsOf(status));
    explained = KS_OK;
    return status;
}

ksStatus ksiFail(const char *function, ksStatus status)
{
    return ksErrorSet(status, function, ksiIsExplained(status) ? reason.at : NULL);
}

const char *ksErrorMessage(void)
{
    return message.at;
}

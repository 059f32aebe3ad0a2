/* error.h  The last error message. The code that finds the cause notes the message. The public
 * function adds its own name to it when it returns. */
#ifndef KSI_BASE_ERROR_H
#define KSI_BASE_ERROR_H

#include <kinetostat/status.h>

#if defined __GNUC__
#define KSI_FORMAT __attribute__((format(printf, 2, 3), cold))
#else
#define KSI_FORMAT
#endif

/* Notes why a call is about to fail with this status. Accepts %d, %s, %zu and %g; numbers have a
 * decimal point in any locale. KSI_EXPLAIN is an expression; its value is the status. */
void ksiExplain(ksStatus status, const char *format, ...) KSI_FORMAT;
#define KSI_EXPLAIN(status, ...) (ksiExplain(status, __VA_ARGS__), (status))

/* 1 if a note exists for the status with which a call is about to fail. */
int ksiIsExplained(ksStatus status);

/* The text of a status. */
const char *ksiWordsOf(ksStatus status);

/* Sets ksErrorMessage for a failing public function: the note, or the status's text. */
ksStatus ksiFail(const char *function, ksStatus status);

/* Ends every public function that returns a status. */
#define KSI_ANSWER(...) ksiAnswer(__func__, __VA_ARGS__)

static inline ksStatus ksiAnswer(const char *function, ksStatus status)
{
    return status ? ksiFail(function, status) : KS_OK;
}

/* Fails with KS_ERROR_BAD_ARGUMENT unless the condition holds: KSI_REQUIRE(h > 0, "h is %g, must
 * be > 0", h); */
#define KSI_REQUIRE(condition, ...)                                                                                    \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return KSI_EXPLAIN(KS_ERROR_BAD_ARGUMENT, __VA_ARGS__);                                                    \
    } while (0)

/* Returns the call's status from the enclosing function if the call fails. */
#define KSI_TRY(...)                                                                                                   \
    do {                                                                                                               \
        const ksStatus ksiTried = (__VA_ARGS__);                                                                       \
        if (ksiTried)                                                                                                  \
            return ksiTried;                                                                                           \
    } while (0)

#define KSI_REQUIRE_POINTER(pointer) KSI_REQUIRE(pointer, "%s is NULL", #pointer)

#endif

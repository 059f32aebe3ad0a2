/* error.h  The last error in words: what was wrong is said where it is found, which public function failed where it returns. */
#ifndef KSI_ERROR_H
#define KSI_ERROR_H

#include <kinetostat/status.h>

#if defined __GNUC__
#define KSI_FORMAT __attribute__((format(printf, 2, 3), cold))
#else
#define KSI_FORMAT
#endif

/* Keeps why a call is about to fail with this status. The conversions are %d, %s, %zu and %g; numbers have a point, whatever
 * the locale. As an expression it is the status. */
void ksiExplain(ksStatus status, const char *format, ...) KSI_FORMAT;
#define KSI_EXPLAIN(status, ...) (ksiExplain(status, __VA_ARGS__), (status))

/* Whether the status that a call is about to fail with has such words already. */
int ksiIsExplained(ksStatus status);

/* A status in words. */
const char *ksiWordsOf(ksStatus status);

/* A public function has failed: writes ksErrorMessage with what was explained, or with the status in words. */
ksStatus ksiFail(const char *function, ksStatus status);

/* What every public function ends with. */
#define KSI_ANSWER(...) ksiAnswer(__func__, __VA_ARGS__)

static inline ksStatus ksiAnswer(const char *function, ksStatus status)
{
    return status ? ksiFail(function, status) : KS_OK;
}

/* An argument, or the function fails: KSI_REQUIRE(h > 0, "h is %g, must be > 0", h); */
#define KSI_REQUIRE(condition, ...)                                                                                    \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return KSI_EXPLAIN(KS_ERROR_BAD_ARGUMENT, __VA_ARGS__);                                                    \
    } while (0)

#define KSI_REQUIRE_POINTER(pointer) KSI_REQUIRE(pointer, "%s is NULL", #pointer)

#endif

/* fpguard.h  Computes without an effect on the host: its floating-point flags and traps stay as
 * they are. Compiled code may divide before it knows whether the quotient is needed, so even sound
 * code may trap. Each public function protects the host once. The library's internal functions
 * (ksi) rely on this. */
#ifndef KSI_BASE_FPGUARD_H
#define KSI_BASE_FPGUARD_H

#include "error.h"

#include <kinetostat/status.h>

#include <fenv.h>

#define KSI_GUARD_FP(...)                                                                                              \
    do {                                                                                                               \
        fenv_t host_;                                                                                                  \
        feholdexcept(&host_);                                                                                          \
        __VA_ARGS__;                                                                                                   \
        fesetenv(&host_);                                                                                              \
    } while (0)

/* The last line of a public function that computes, in place of `return call;` */
#define KSI_RETURN_GUARDED(...)                                                                                        \
    do {                                                                                                               \
        ksStatus status_;                                                                                              \
        KSI_GUARD_FP(status_ = __VA_ARGS__);                                                                           \
        return KSI_ANSWER(status_);                                                                                    \
    } while (0)

#endif

/* fpguard.h  Computes without an effect on the host: its floating-point flags and traps stay as
 * they are. Compilers may divide before they know whether the quotient is needed, so that even
 * sound code traps. Each public function protects the host once; calls between rooms (ksi) run
 * within it. */
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

/* The last line of a public function: return call; */
#define KSI_RETURN_GUARDED(...)                                                                                        \
    do {                                                                                                               \
        ksStatus status_;                                                                                              \
        KSI_GUARD_FP(status_ = __VA_ARGS__);                                                                           \
        return KSI_ANSWER(status_);                                                                                    \
    } while (0)

#endif

/* sanitizer.h  Detects a build with a sanitizer: by macros of gcc, or by features of clang. */
#ifndef KSI_BASE_SANITIZER_H
#define KSI_BASE_SANITIZER_H

#ifndef __has_feature
#define __has_feature(name) 0
#endif

#if defined __SANITIZE_ADDRESS__ || __has_feature(address_sanitizer)
#define KSI_ADDRESS_SANITIZER
#endif

/* Is there a sanitizer with its own allocator, signal handlers and processes? */
#if defined KSI_ADDRESS_SANITIZER || defined __SANITIZE_THREAD__ || __has_feature(thread_sanitizer) ||                 \
    __has_feature(memory_sanitizer)
#define KSI_SANITIZED
#endif

/* gcc has no macro for this sanitizer. */
#if __has_feature(undefined_behavior_sanitizer)
#define KSI_UNDEFINED_SANITIZER
#endif

#endif

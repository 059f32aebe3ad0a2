/* size_kit.h  Sizes a trace of one joint. */
#ifndef TESTS_KITS_REPORT_SIZE_KIT_H
#define TESTS_KITS_REPORT_SIZE_KIT_H

#include "plugin/size/size.h"
#include "tests/kits/report/trace_kit.h"

static inline ksiSizeOptions sizeOptions(void)
{
    return (ksiSizeOptions){.value = KS_PHYSICAL, .until = INFINITY};
}

static inline ksiSizing sizeOf(const char *path, const ksiSizeOptions *options)
{
    char words[KSI_READ_WORDS] = "";
    ksiSizing sizing;
    ck_assert_msg(ksiSizeTrace(path, options, &sizing, words), "%s", words);
    ck_assert_uint_eq(ksiSizedCount(&sizing), 1);
    return sizing;
}

#endif

/* option_values.h  Parses the values of options. */
#ifndef KSI_COMMAND_OPTION_VALUES_H
#define KSI_COMMAND_OPTION_VALUES_H

#include "options.h"

typedef struct ksiNumberRange {
    double least, most; /* least itself is allowed */
    bool isShare;       /* may end in % */
    bool isWhole;
} ksiNumberRange;

extern const ksiNumberRange ksiShareRange, ksiSomeShareRange, ksiPercentRange, ksiNumberFromZero, ksiFactorRange,
    ksiPositive, ksiWholeRange, ksiOrdinalRange, ksiStatusRange, ksiRateRange;

/* name: the option's. false: the value is invalid; the error was printed. */
bool ksiParseNumber(const char *name, const char *text, const ksiNumberRange *range, double *out);
bool ksiParseWhole(const char *name, const char *text, const ksiNumberRange *range, uint64_t *out);
bool ksiParseSize(const char *name, const char *text, unsigned least, uint64_t *out); /* 64M, in whole pages */
bool ksiParseLimits(const char *list, ksiLimits *limits);                             /* memory=2G,time=600 */
bool ksiParseTypes(const char *list, unsigned *types);                                /* hinge,ball: bits */
bool ksiParseValue(const char *text, ksValue *value);
bool ksiParseShard(const char *text, ksiShard *shard); /* 3/7 */
bool ksiParseParameter(const char *text, ksiRun *run); /* mass=2.5 */
bool ksiTakeParameters(ksiRun *run);                   /* from the environment */

#endif

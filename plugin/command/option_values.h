/* option_values.h  Parses the values of options. */
#ifndef KSI_COMMAND_OPTION_VALUES_H
#define KSI_COMMAND_OPTION_VALUES_H

#include "options.h"

typedef struct ksiNumberRange {
    double least, most; /* both are allowed */
    bool isShare;       /* may end in % */
    bool isWhole;
} ksiNumberRange;

extern const ksiNumberRange ksiShareRange, ksiSomeShareRange, ksiPercentRange, ksiNumberFromZero, ksiFactorRange,
    ksiPositive, ksiWholeRange, ksiOrdinalRange, ksiStatusRange, ksiRateRange;

/* name: the option's name. Examples of values: 64M, a size in whole pages; memory=2G,time=600,
 * limits; hinge,ball, types as bits; 3/7, a shard; mass=2.5, a parameter. ksiTakeParameters reads
 * the environment. false: the value is invalid; the error was printed. */
bool ksiParseNumber(const char *name, const char *text, const ksiNumberRange *range, double *out);
bool ksiParseWhole(const char *name, const char *text, const ksiNumberRange *range, uint64_t *out);
bool ksiParseSize(const char *name, const char *text, unsigned least, uint64_t *out);
bool ksiParseLimits(const char *list, ksiLimits *limits);
bool ksiParseTypes(const char *list, unsigned *types);
bool ksiParseValue(const char *text, ksValue *value);
bool ksiParseShard(const char *text, ksiShard *shard);
bool ksiParseParameter(const char *text, ksiRun *run);
bool ksiTakeParameters(ksiRun *run);

#endif

/* option_values.c  Parses the values of options. */
#include "option_values.h"

#include "../report/files/joint_type.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes that a judge needs before the first record. */
enum { LEAST_MEMORY = 32 << 20 };

static const ksiNumberRange days = {1, 1e8, false, true};
const ksiNumberRange ksiShareRange = {0, HUGE_VAL, true, false}, ksiSomeShareRange = {DBL_MIN, HUGE_VAL, true, false},
                     ksiPercentRange = {0, 100, true, false}, ksiNumberFromZero = {0, HUGE_VAL, false, false},
                     ksiFactorRange = {DBL_MIN, DBL_MAX, false, false}, ksiPositive = {1, 1e15, false, true},
                     ksiWholeRange = {0, UINT32_MAX, false, true}, ksiOrdinalRange = {1, UINT32_MAX, false, true},
                     ksiStatusRange = {1, 255, false, true}, ksiRateRange = {0, 1e6, false, false};

static void tellRange(const ksiNumberRange *range)
{
    fprintf(stderr, "not a %snumber ", range->isWhole ? "whole " : "");
    if (range->least == DBL_MIN)
        fputs("above 0\n", stderr);
    else if (range->most >= UINT32_MAX)
        fprintf(stderr, "from %g on\n", range->least);
    else
        fprintf(stderr, "from %g to %.10g\n", range->least, range->most);
}

bool ksiParseNumber(const char *name, const char *text, const ksiNumberRange *range, double *out)
{
    char *end;
    double value = strtod(text, &end);
    if (range->isShare && *end == '%') {
        end++;
        value = range == &ksiPercentRange ? value : value / 100;
    }
    // 5 may mean 5 %, and 0.95 may mean 95 %
    const bool isDoubtful = (range->isShare && range != &ksiPercentRange && value > 1 && end[-1] != '%') ||
                            (range == &ksiPercentRange && value < 1);
    const bool isGood = end != text && !*end && value >= range->least && value <= range->most &&
                        (!range->isWhole || floor(value) == value) && !isDoubtful;
    if (isGood) {
        *out = value;
        return true;
    }
    fprintf(stderr, "kinetostat: --%s %s: ", name, text);
    if (range == &ksiPercentRange)
        fputs("not a percentile from 1 to 100, as 95\n", stderr);
    else if (range->isShare)
        fprintf(stderr, "not a share%s up to 1, or with %%, as 0.05 or 5%%\n",
                range == &ksiSomeShareRange ? " above 0" : "");
    else
        tellRange(range);
    return false;
}

bool ksiParseWhole(const char *name, const char *text, const ksiNumberRange *range, uint64_t *out)
{
    double value;
    if (!ksiParseNumber(name, text, range, &value))
        return false;
    *out = (uint64_t)value;
    return true;
}

bool ksiParseSize(const char *name, const char *text, unsigned least, uint64_t *out)
{
    char *end;
    const double value = strtod(text, &end);
    const char *units = "kMG", *unit = *end ? strchr(units, *end == 'K' ? 'k' : *end) : NULL;
    const double bytes = unit ? value * pow(1024, 1 + (double)(unit - units)) : value;
    if (end == text || (*end && (!unit || end[1])) || !(bytes >= least && bytes <= 1e12)) {
        const unsigned shift = least >> 20 ? 20 : 10;
        fprintf(stderr, "kinetostat: --%s %s: not a size from %u%c on\n", name, text, least >> shift,
                shift == 20 ? 'M' : 'k');
        return false;
    }
    *out = (uint64_t)bytes / 4096 * 4096;
    return true;
}

bool ksiParseLimits(const char *list, ksiLimits *limits)
{
    char copy[256];
    snprintf(copy, sizeof copy, "%s", list);
    for (char *rest = copy, *one; (one = strsep(&rest, ",")) != NULL;) {
        double seconds;
        if (strncmp(one, "memory=", 7) == 0) {
            if (!ksiParseSize("limit memory", one + 7, LEAST_MEMORY, &limits->memory))
                return false;
        } else if (strncmp(one, "time=", 5) == 0) {
            if (!ksiParseNumber("limit time", one + 5, &days, &seconds))
                return false;
            limits->time = (unsigned)seconds;
        } else {
            fprintf(stderr, "kinetostat: --limit %s: memory=SIZE, time=SECONDS, or both with a comma\n", list);
            return false;
        }
    }
    return true;
}

bool ksiParseTypes(const char *list, unsigned *types)
{
    char copy[256];
    snprintf(copy, sizeof copy, "%s", list);
    for (char *rest = copy, *name; (name = strsep(&rest, ",")) != NULL;) {
        dJointType type;
        if (!ksiTypeFromName(name, &type)) {
            fprintf(stderr, "kinetostat: --types %s: there is no joint type \"%s\"; there are: ", list, name);
            for (type = dJointTypeBall; type <= dJointTypeTransmission; type = (dJointType)(type + 1))
                fprintf(stderr, "%s%s", type > dJointTypeBall ? ", " : "", ksiTypeName(type));
            fputc('\n', stderr);
            return false;
        }
        *types |= 1u << type;
    }
    return true;
}

bool ksiParseValue(const char *text, ksValue *value)
{
    if (strcmp(text, "converged") != 0 && strcmp(text, "physical") != 0) {
        fprintf(stderr, "kinetostat: --value %s: converged or physical\n", text);
        return false;
    }
    *value = *text == 'c' ? KS_CONVERGED : KS_PHYSICAL;
    return true;
}

bool ksiParseShard(const char *text, ksiShard *shard)
{
    char *slash, *end = NULL;
    const unsigned long index = strtoul(text, &slash, 10);
    const unsigned long count = *slash == '/' ? strtoul(slash + 1, &end, 10) : 0;
    const bool isDigits = text[strspn(text, "0123456789/")] == 0;
    if (!isDigits || !end || *end || index < 1 || index > count || count > KSI_MOST_SHARDS) {
        fprintf(stderr, "kinetostat: --shard %s: K/N, from 1/N to N/N, at most %d parts\n", text, KSI_MOST_SHARDS);
        return false;
    }
    *shard = (ksiShard){.index = (uint32_t)index - 1, .count = (uint32_t)count};
    return true;
}

static bool failParameter(const char *where, const char *text)
{
    enum { SHOWN = 60 };
    fprintf(stderr, "kinetostat: %s%.*s%s: NAME=VALUE, and all of them in %d bytes\n", where, SHOWN, text,
            strlen(text) > SHOWN ? "..." : "", KSI_RUN_PARAMETERS);
    return false;
}

bool ksiTakeParameters(ksiRun *run)
{
    const char *left = ksiRunTakeEnvironment(run, environ);
    return !left || failParameter("in the environment: ", left);
}

bool ksiParseParameter(const char *text, ksiRun *run)
{
    return ksiRunSetParameter(run, text) || failParameter("--param ", text);
}

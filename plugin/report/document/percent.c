/* percent.c  Formats relative errors. */
#include "document.h"

#include <math.h>
#include <stdio.h>

const char *ksiPercent(char out[KSI_PERCENT_SIZE], double x)
{
    const double percent = 100 * x;
    if (isnan(x))
        snprintf(out, KSI_PERCENT_SIZE, "-");
    else if (percent >= 1e6)
        snprintf(out, KSI_PERCENT_SIZE, ">1000000 %%");
    else if (percent >= 99.5)
        snprintf(out, KSI_PERCENT_SIZE, "%.0f %%", percent);
    else if (percent > 0 && percent < 0.001)
        snprintf(out, KSI_PERCENT_SIZE, "<0.001 %%");
    else
        snprintf(out, KSI_PERCENT_SIZE, "%.2g %%", percent);
    return out;
}

void ksiWriteShare(double share, ksiText *out)
{
    ksiTextAdd(out, "%g %%", 100 * share);
}

/* advice_motion.c  Advice for a motion that departs from the mechanism. */
#include "advice_inside.h"

#include "../collect/contact_shares.h"
#include "../document/document.h"

#include <math.h>

uint64_t ksiWriteDeparture(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    enum { FREE = 1, TOUCHING };
    char share[KSI_PERCENT_SIZE];
    double most = 0;
    for (size_t i = 0; i < world->jointCount; i++)
        if (ksiIsTold(view, world, finding, &world->joint[i]))
            most = fmax(most, ksiDepartureOf(view, world, &world->joint[i]));
    if (most == 0)
        return 0;
    ksiTextAdd(out, "The simulated motion may depart from the mechanism by up to %s of the mean load over %g s: ",
               ksiPercent(share, most), world->stats->meanWindow);
    ksiWriteNames(view, world, finding, ksiIsTold, out);
    ksiTextAdd(out, ". Light links under heavy loads cause this, and so do too few iterations. Exact steps cure it: ");
    ksiWriteOtherStep(view, world, out);
    const bool isTouching = !ksiContactsNeedRemedy(view, world) && ksiWriteHops(world, out);
    ksiTextAdd(out, "\n");
    return isTouching ? TOUCHING : FREE;
}

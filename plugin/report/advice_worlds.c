/* advice_worlds.c  What to do about several worlds. */
#include "advice.h"

#include <limits.h>

/* How much a world needs: more iterations than others, or more than there are. */
static int needOf(const ksiView *view, const ksiWorldView *world)
{
    const int enough = ksiEnoughIterations(view, world).enough;
    return enough ? enough : INT_MAX;
}

/* Of each kind the advice of one world, the one that needs most or is the worst, and how many others have the like. */
static void addAdvice(const ksiView *view, int kind, ksiText *out)
{
    const ksiWorldView *chosen = NULL;
    size_t others = 0;
    for (size_t i = 0; i < view->worldCount; i++) {
        const ksiWorldView *world = view->worstFirst[i];
        ksiText text = {.allocator = out->allocator};
        ksiWriteAdviceOf(view, world, kind, &text);
        const bool hasAny = text.length > 0;
        ksiTextFree(&text);
        others += hasAny && chosen;
        if (hasAny && (!chosen || (kind == KSI_ADVISE_ITERATIONS && needOf(view, world) > needOf(view, chosen))))
            chosen = world;
    }
    if (!chosen)
        return;
    if (view->worldCount > 1)
        ksiTextAdd(out, "World \"%s\"", chosen->name);
    if (others > 0)
        ksiTextAdd(out, ", and the like in %zu other%s", others, others > 1 ? "s" : "");
    ksiTextAdd(out, "%s", view->worldCount > 1 ? ": " : "");
    ksiWriteAdviceOf(view, chosen, kind, out);
}

void ksiWriteCommonAdvice(const ksiView *view, ksiText *out)
{
    const size_t begun = out->length;
    ksiWriteEnds(view, out);
    const size_t ends = out->length;
    for (int kind = 0; kind < KSI_ADVICE_KINDS; kind++)
        addAdvice(view, kind, out);
    // they all have the same to say then
    if (out->length == ends && view->worldCount > 0)
        ksiWriteNoAdvice(view->worstFirst[0], ends > begun, out);
}

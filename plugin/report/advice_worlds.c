/* advice_worlds.c  What to do about several worlds. */
#include "advice.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>

/* Sentences that differ in more than numbers and names: more than the writers of any kind have. */
enum { MOST_GROUPS = 16 };

/* Worlds of which the same is said: the one that needs most or is the worst, and how many others there are. */
typedef struct Group {
    const ksiWorldView *chosen;
    ksiText text;
    size_t others;
} Group;

/* How much a world needs: more iterations than others, or more than there are. */
static int needOf(const ksiView *view, const ksiWorldView *world)
{
    const int enough = ksiEnoughIterations(view, world).enough;
    return enough ? enough : INT_MAX;
}

/* But for numbers. */
static bool isTheSame(const char *a, const char *b)
{
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            char *endA, *endB;
            strtod(a, &endA);
            strtod(b, &endB);
            a = endA;
            b = endB;
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return *a == *b;
}

/* These kinds have different things to say, in which there are no names of joints. */
static bool hasForms(int kind)
{
    return kind == KSI_ADVISE_ITERATIONS || kind == KSI_ADVISE_CONTACTS;
}

/* The text becomes the group's. */
static void addWorld(const ksiView *view, const ksiWorldView *world, int kind, ksiText *text, Group group[MOST_GROUPS])
{
    int i = 0;
    while (i < MOST_GROUPS && group[i].chosen && hasForms(kind) && !isTheSame(group[i].text.at, text->at))
        i++;
    if (i == MOST_GROUPS)
        return;
    const bool isFirst = !group[i].chosen;
    group[i].others += !isFirst;
    if (!isFirst && !(kind == KSI_ADVISE_ITERATIONS && needOf(view, world) > needOf(view, group[i].chosen)))
        return;
    if (!isFirst)
        ksiTextFree(&group[i].text);
    group[i].chosen = world;
    group[i].text = *text;
    *text = (ksiText){.allocator = text->allocator};
}

/* Of each kind the advice of one world for all those that need the like. */
static void addAdvice(const ksiView *view, int kind, ksiText *out)
{
    Group group[MOST_GROUPS] = {{.chosen = NULL}};
    for (size_t i = 0; i < view->worldCount; i++) {
        ksiText text = {.allocator = out->allocator};
        ksiWriteAdviceOf(view, view->worstFirst[i], kind, &text);
        out->isShort |= text.isShort;
        if (text.length > 0)
            addWorld(view, view->worstFirst[i], kind, &text, group);
        ksiTextFree(&text);
    }
    for (int i = 0; i < MOST_GROUPS && group[i].chosen; i++) {
        const size_t others = group[i].others;
        if (view->worldCount > 1)
            ksiTextAdd(out, "World \"%s\"", group[i].chosen->name);
        if (others > 0)
            ksiTextAdd(out, ", and the like in %zu other%s", others, others > 1 ? "s" : "");
        ksiTextAdd(out, "%s", view->worldCount > 1 ? ": " : "");
        ksiTextAddBytes(out, group[i].text.at, group[i].text.length);
        ksiTextFree(&group[i].text);
    }
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

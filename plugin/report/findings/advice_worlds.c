/* advice_worlds.c  Advice that several worlds share. */
#include "advice.h"

#include <limits.h>

/* Most groups of a finding with advice; further groups only count their worlds. */
enum { MOST_GROUPS = 16 };

/* Worlds with the same finding: the one that needs most iterations or is the worst, and the number
 * of others. */
typedef struct Group {
    const ksiWorldView *chosen;
    uint64_t identity;
    ksiText text;
    size_t others;
} Group;

/* The number of iterations that a world needs; INT_MAX: more than were tried. */
static int needOf(const ksiView *view, const ksiWorldView *world)
{
    const int enough = ksiEnoughIterations(view, world).enough;
    return enough ? enough : INT_MAX;
}

/* Passes the text to the group if the group chooses the world. */
static void addWorld(const ksiView *view, const ksiWorldView *world, uint64_t identity, bool isError, ksiText *text,
                     Group *group)
{
    const bool isFirst = !group->chosen;
    group->identity = identity;
    group->others += !isFirst;
    if (!isFirst && !(isError && needOf(view, world) > needOf(view, group->chosen)))
        return;
    ksiTextFree(&group->text);
    group->chosen = world;
    group->text = *text;
    *text = (ksiText){.allocator = text->allocator};
}

/* Writes the group's advice; each sentence names its worlds. */
static void writeGroup(const ksiView *view, Group *group, ksiText *out)
{
    size_t length;
    for (const char *rest = group->text.at, *line; (line = ksiTextLine(&rest, &length)) != NULL;) {
        if (view->worldCount > 1)
            ksiTextAdd(out, "World \"%s\"", group->chosen->name);
        if (group->others > 0)
            ksiTextAdd(out, " (and %zu similar world%s)", group->others, group->others > 1 ? "s" : "");
        ksiTextAdd(out, "%s%.*s\n", view->worldCount > 1 ? ": " : "", (int)length, line);
    }
    ksiTextFree(&group->text);
}

/* Adds the advice of one world for all worlds with the same finding. */
static void addAdvice(const ksiView *view, const ksiFindingKind *finding, ksiText *out)
{
    Group group[MOST_GROUPS] = {{.chosen = NULL}};
    size_t left = 0;
    for (int i = 0; i < MOST_GROUPS; i++)
        group[i].text.allocator = out->allocator;
    for (size_t i = 0; i < view->worldCount; i++) {
        const ksiWorldView *world = view->worstFirst[i];
        ksiText text = {.allocator = out->allocator};
        const uint64_t form = ksiWriteAdviceOf(view, world, finding, &text);
        const uint64_t identity = form ? ksiFindingIdentity(view, world, finding, form) : 0;
        int g = 0;
        while (form && g < MOST_GROUPS && group[g].chosen && group[g].identity != identity)
            g++;
        left += g == MOST_GROUPS;
        if (form && g < MOST_GROUPS)
            addWorld(view, world, identity, finding->kind == KSI_FINDS_ERROR, &text, &group[g]);
        ksiTextDrop(out, &text);
    }
    for (int i = 0; i < MOST_GROUPS && group[i].chosen; i++)
        writeGroup(view, &group[i], out);
    if (left > 0)
        ksiTextAdd(out, "Similar findings for other joints in %zu more world%s.\n", left, left > 1 ? "s" : "");
}

void ksiWriteCommonAdvice(const ksiView *view, ksiText *out)
{
    const size_t begun = out->length;
    ksiWriteEnds(view, out);
    const size_t ends = out->length;
    ksiFindingKind finding = {0, 0};
    do
        addAdvice(view, &finding, out);
    while (ksiNextFinding(&finding));
    if (out->length > ends || view->worldCount == 0)
        return;
    // all worlds then have the same text, unless one is not known to pass
    size_t said = 0;
    while (said + 1 < view->worldCount && view->worstFirst[said]->untoldCount == 0)
        said++;
    ksiWriteNoAdvice(view, view->worstFirst[view->sums.untold > 0 ? said : 0], ends > begun, out);
}

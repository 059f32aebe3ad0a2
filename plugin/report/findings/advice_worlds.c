/* advice_worlds.c  Advice that several worlds share. */
#include "advice.h"

#include <limits.h>

/* A finding has advice for at most this many groups of worlds. The worlds of further groups are
 * only counted. */
enum { MOST_GROUPS = 16 };

/* Worlds with the same finding. chosen: the world that needs most iterations, if the finding is an
 * error; otherwise the worst world. others: the number of other worlds. */
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

/* Adds a world to its group. If the group chooses this world, the group takes over the text. */
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

/* Writes the group's advice; with several worlds, each line names the chosen one. */
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

/* Divides the worlds with a finding into groups, and adds the advice of one world for each
 * group. */
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
    // without advice, all worlds have the same text, except those not known to pass
    size_t said = 0;
    while (said + 1 < view->worldCount && view->worstFirst[said]->untoldCount == 0)
        said++;
    ksiWriteNoAdvice(view, view->worstFirst[view->sums.untold > 0 ? said : 0], ends > begun, out);
}

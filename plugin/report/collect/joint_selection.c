/* joint_selection.c  Joints that the options of a report exclude. */
#include "joint_selection.h"

#include "../files/joint_type.h"
#include "../files/maps.h"
#include "../files/text.h"

#include <string.h>

bool ksiIsSelected(const ksReportOptions *options, const ksiIdentity *identity)
{
    const char *name = identity->given ? identity->given : identity->name;
    return (options->types == 0 || (options->types >> ((unsigned)identity->type % KSI_TYPES) & 1u)) &&
           ksiIsNamed(options->joints, name);
}

bool ksiExcludedJointsAdd(const ksAllocator *allocator, ksiExcludedJoints *excluded, const char *name)
{
    int at = 0, order = 1;
    while (at < excluded->count && (order = strcmp(name, excluded->name[at])) > 0)
        at++;
    if (at < excluded->count && order == 0)
        return true;
    if (at == KSI_MOST_EXCLUDED) {
        excluded->isMore = true;
        return true;
    }
    char *kept = ksiRoomCopy(allocator, name);
    if (!kept)
        return false;
    if (excluded->count == KSI_MOST_EXCLUDED) {
        excluded->isMore = true;
        ksiFree(allocator, excluded->name[--excluded->count]);
    }
    memmove(&excluded->name[at + 1], &excluded->name[at], (size_t)(excluded->count++ - at) * sizeof kept);
    excluded->name[at] = kept;
    return true;
}

bool ksiExcludedJointsMerge(const ksAllocator *allocator, ksiExcludedJoints *into, const ksiExcludedJoints *from)
{
    bool isWhole = true;
    into->isMore |= from->isMore;
    for (int i = 0; i < from->count; i++)
        isWhole &= ksiExcludedJointsAdd(allocator, into, from->name[i]);
    return isWhole;
}

void ksiStreamExcludedJoints(ksiStream *s, ksiExcludedJoints *excluded)
{
    int count = excluded->count;
    ksiStreamWhole(s, &count, KSI_MOST_EXCLUDED);
    ksiStreamTruth(s, &excluded->isMore);
    for (int i = 0; i < count && ksiStreamIsGood(s); i++) {
        char place[KSI_LONGEST_TEXT];
        const char *name = ksiStreamText(s, s->out ? excluded->name[i] : NULL, place);
        if (!s->out && ksiStreamIsGood(s))
            ksiStreamNeed(s, ksiExcludedJointsAdd(s->allocator, excluded, name ? name : ""));
    }
}

void ksiExcludedJointsFree(const ksAllocator *allocator, ksiExcludedJoints *excluded)
{
    for (int i = 0; i < excluded->count; i++)
        ksiFree(allocator, excluded->name[i]);
    excluded->count = 0;
}

/* unchosen.c  Joints that the options of a report leave out. */
#include "unchosen.h"

#include "../files/joint_type.h"
#include "../files/maps.h"
#include "../files/text.h"

#include <string.h>

bool ksiIsChosen(const ksReportOptions *options, const ksiIdentity *identity)
{
    const char *name = identity->given ? identity->given : identity->name;
    return (options->types == 0 || (options->types >> ((unsigned)identity->type % KSI_TYPES) & 1u)) &&
           ksiIsNamed(options->joints, name);
}

bool ksiUnchosenAdd(const ksAllocator *allocator, ksiUnchosen *unchosen, const char *name)
{
    int at = 0, order = 1;
    while (at < unchosen->count && (order = strcmp(name, unchosen->name[at])) > 0)
        at++;
    if (at < unchosen->count && order == 0)
        return true;
    if (at == KSI_MOST_UNCHOSEN) {
        unchosen->isMore = true;
        return true;
    }
    char *kept = ksiRoomCopy(allocator, name);
    if (!kept)
        return false;
    if (unchosen->count == KSI_MOST_UNCHOSEN) {
        unchosen->isMore = true;
        ksiFree(allocator, unchosen->name[--unchosen->count]);
    }
    memmove(&unchosen->name[at + 1], &unchosen->name[at], (size_t)(unchosen->count++ - at) * sizeof kept);
    unchosen->name[at] = kept;
    return true;
}

bool ksiUnchosenMerge(const ksAllocator *allocator, ksiUnchosen *into, const ksiUnchosen *from)
{
    bool isWhole = true;
    into->isMore |= from->isMore;
    for (int i = 0; i < from->count; i++)
        isWhole &= ksiUnchosenAdd(allocator, into, from->name[i]);
    return isWhole;
}

void ksiStreamUnchosen(ksiStream *s, ksiUnchosen *unchosen)
{
    int count = unchosen->count;
    ksiStreamWhole(s, &count, KSI_MOST_UNCHOSEN);
    ksiStreamTruth(s, &unchosen->isMore);
    for (int i = 0; i < count && ksiStreamIsGood(s); i++) {
        char place[KSI_LONGEST_TEXT];
        const char *name = ksiStreamText(s, s->out ? unchosen->name[i] : NULL, place);
        if (!s->out && ksiStreamIsGood(s))
            ksiStreamNeed(s, ksiUnchosenAdd(s->allocator, unchosen, name ? name : ""));
    }
}

void ksiUnchosenFree(const ksAllocator *allocator, ksiUnchosen *unchosen)
{
    for (int i = 0; i < unchosen->count; i++)
        ksiFree(allocator, unchosen->name[i]);
    unchosen->count = 0;
}

/* unchosen.h  Joints that the options of a report leave out. The report names them if no joint is left. */
#ifndef KSI_REPORT_COLLECT_UNCHOSEN_H
#define KSI_REPORT_COLLECT_UNCHOSEN_H

#include "../files/stream.h"
#include "naming.h"

#include <kinetostat/report.h>
#include <stdbool.h>

enum { KSI_MOST_UNCHOSEN = 6 };

/* The first names of the alphabet, in any order of steps. */
typedef struct ksiUnchosen {
    char *name[KSI_MOST_UNCHOSEN];
    int count;
    bool isMore;
} ksiUnchosen;

/* A joint, or the contacts of a pair, that the options select. */
bool ksiIsChosen(const ksReportOptions *options, const ksiIdentity *identity);

/* false: out of memory. */
bool ksiUnchosenAdd(const ksAllocator *allocator, ksiUnchosen *unchosen, const char *name);
bool ksiUnchosenMerge(const ksAllocator *allocator, ksiUnchosen *into, const ksiUnchosen *from);
void ksiStreamUnchosen(ksiStream *s, ksiUnchosen *unchosen);
void ksiUnchosenFree(const ksAllocator *allocator, ksiUnchosen *unchosen);

#endif

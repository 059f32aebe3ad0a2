/* joint_selection.h  Joints that the options of a report exclude. If no joint is left, the report
 * gives the names of excluded joints. */
#ifndef KSI_REPORT_COLLECT_JOINT_SELECTION_H
#define KSI_REPORT_COLLECT_JOINT_SELECTION_H

#include "../files/stream.h"
#include "naming.h"

#include <kinetostat/report.h>
#include <stdbool.h>

enum { KSI_MOST_EXCLUDED = 6 };

/* The first names in alphabetical order, so that the order of steps does not matter. */
typedef struct ksiExcludedJoints {
    char *name[KSI_MOST_EXCLUDED];
    int count;
    bool isMore;
} ksiExcludedJoints;

/* Do the options select this joint, or the contacts of this pair? */
bool ksiIsSelected(const ksReportOptions *options, const ksiIdentity *identity);

/* Add a name, or the names of another report. false: out of memory. */
bool ksiExcludedJointsAdd(const ksAllocator *allocator, ksiExcludedJoints *excluded, const char *name);
bool ksiExcludedJointsMerge(const ksAllocator *allocator, ksiExcludedJoints *into, const ksiExcludedJoints *from);
void ksiStreamExcludedJoints(ksiStream *s, ksiExcludedJoints *excluded);
void ksiExcludedJointsFree(const ksAllocator *allocator, ksiExcludedJoints *excluded);

#endif

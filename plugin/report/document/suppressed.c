/* suppressed.c  Suppressed and suppressible findings in documents. */
#include "suppressed.h"

#include "../files/checksum.h"
#include "../findings/findings.h"
#include "../findings/suppress.h"

enum { MOST_ENTRIES = 4 }; /* most entries named in the text report */

static void countOne(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                     const ksiJointView *joint, void *user)
{
    size_t *count = user;
    const int entry = ksiSuppressionFor(view->report, ksiFindingName(finding), world->name, joint);
    if (entry >= 0)
        count[entry]++;
}

static void countAll(const ksiView *view, size_t *count)
{
    for (size_t i = 0; i < ksiSuppressionCount(view->report); i++)
        count[i] = 0;
    ksiEachFinding(view, countOne, count);
}

/* Writes, in quotes, the entries that matched a finding or, if isUsed is false, the others. */
static void writeEntries(const ksiView *view, const size_t *count, bool isUsed, ksiText *out)
{
    const char *between = ": ";
    size_t left = 0, written = 0;
    for (size_t i = 0; i < ksiSuppressionCount(view->report); i++) {
        if ((count[i] > 0) != isUsed)
            continue;
        if (written++ >= MOST_ENTRIES) {
            left++;
            continue;
        }
        char *clean = ksiClean(out->allocator, ksiSuppressionName(view->report, i));
        out->isShort |= !clean;
        ksiTextAdd(out, "%s\"%s\"", between, clean ? clean : "");
        ksiFree(out->allocator, clean);
        if (isUsed)
            ksiTextAdd(out, " %zu", count[i]);
        between = ", ";
    }
    if (left > 0)
        ksiTextAdd(out, " and %zu more", left);
    ksiTextAdd(out, ".");
}

void ksiWriteSuppressed(const ksiView *view, ksiText *out)
{
    const size_t entries = ksiSuppressionCount(view->report);
    size_t *count = ksiRoomMake(out->allocator, (entries + 1) * sizeof *count), all = 0, unused = 0;
    out->isShort |= !count;
    if (count && entries > 0) {
        countAll(view, count);
        for (size_t i = 0; i < entries; i++) {
            all += count[i];
            unused += count[i] == 0;
        }
        ksiTextAdd(out, "%zu finding%s suppressed", all, all == 1 ? "" : "s");
        writeEntries(view, count, true, out);
        if (unused > 0) {
            ksiTextAdd(out, " Entries of --suppress that match nothing");
            writeEntries(view, count, false, out);
        }
    }
    ksiFree(out->allocator, count);
}

/* The text of suppressions, and the findings in it: each is written once for all of its worlds. */
typedef struct Written {
    ksiText *out;
    ksiMap known;
} Written;

/* Adds a pattern that matches this name alone. */
static void addPattern(const char *name, ksiText *out)
{
    for (; *name; name++)
        ksiTextAdd(out, strchr("*?[\\", *name) ? "\\%c" : "%c", *name);
}

static void writeOne(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                     const ksiJointView *joint, void *user)
{
    Written *written = user;
    ksiText *out = written->out;
    const char *name = ksiFindingName(finding), *of = joint ? joint->name : "";
    if (ksiSuppressionFor(view->report, name, world->name, joint) >= 0)
        return;
    const uint64_t key = (uint64_t)ksiChecksumText(0, name, strlen(name)) << 32 | ksiChecksumText(0, of, strlen(of));
    if (ksiMapFind(&written->known, key, 0))
        return;
    out->isShort |= !ksiMapPut(out->allocator, &written->known, key, 0, 1);
    ksiTextAdd(out, "{\n   %s%s%s\n   %s\n", name, joint ? ", " : "", of, name);
    if (joint) {
        ksiTextAdd(out, "   joint: ");
        addPattern(of, out);
        ksiTextAdd(out, "\n");
    }
    ksiTextAdd(out, "}\n");
}

json_t *ksiJsonSuppressed(const ksiView *view)
{
    const size_t entries = ksiSuppressionCount(view->report);
    const ksAllocator *allocator = &view->report->allocator;
    size_t *count = ksiRoomMake(allocator, (entries + 1) * sizeof *count);
    json_t *list = json_array();
    ksiJsonMiss(!count);
    if (count)
        countAll(view, count);
    for (size_t i = 0; count && i < entries; i++) {
        char *clean = ksiClean(allocator, ksiSuppressionName(view->report, i));
        ksiJsonAppend(
            list, json_pack("{s:o, s:o}", "name", json_string(clean ? clean : ""), "findings", ksiJsonCount(count[i])));
        ksiFree(allocator, clean);
    }
    ksiFree(allocator, count);
    return list;
}

void ksiWriteSuppressions(const ksiView *view, ksiText *out)
{
    Written written = {.out = out, .known = {.slot = NULL}};
    ksiTextAdd(out, "# For kinetostat --suppress: delete the findings that you want to see.\n");
    ksiEachFinding(view, writeOne, &written);
    ksiMapFree(out->allocator, &written.known);
}

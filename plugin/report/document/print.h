/* print.h  Parts of the text report. */
#ifndef KSI_REPORT_DOCUMENT_PRINT_H
#define KSI_REPORT_DOCUMENT_PRINT_H

#include "../files/text.h"
#include "../findings/view.h"

enum { KSI_NAME_COLUMNS = 30 };

/* What stands before a joint, a world or a run in a table. */
static inline char ksiMarkOf(bool isFailed, bool isUntold)
{
    return isFailed ? '!' : isUntold ? '?' : ' ';
}

/* How many more lines there may be; SIZE_MAX: all. */
size_t ksiRoomFor(const ksiText *out, size_t lines);

/* Sentences, each in a line of its own, as a list whose lines are broken between words; the first one with this before it. */
void ksiWriteList(const ksiText *sentences, ksiText *out);

/* What was stepped, and what came of it. */
void ksiPrintHead(const ksiWorldView *world, ksiText *out);

/* Its joints and contacts, in about so many lines; SIZE_MAX: all there is. Returns whether anything was left out. */
bool ksiPrintWorld(const ksiView *view, const ksiWorldView *world, size_t lines, ksiText *out);

/* Of several runs, the worst first. */
void ksiPrintRuns(const ksiView *view, size_t most, ksiText *out);

#endif

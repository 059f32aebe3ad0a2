/* print.h  Parts of the text report. */
#ifndef KSI_REPORT_DOCUMENT_PRINT_H
#define KSI_REPORT_DOCUMENT_PRINT_H

#include "../files/text.h"
#include "../findings/view.h"

enum { KSI_NAME_COLUMNS = 30 };

/* The mark of a joint, a world or a run in a table. */
static inline char ksiMarkOf(bool isFailed, bool isUntold)
{
    return isFailed ? '!' : isUntold ? '?' : ' ';
}

/* Writes the steps and the results of a world. */
void ksiPrintHead(const ksiWorldView *world, ksiText *out);

/* Writes the world's joints, contacts and further parts, in about this many lines; SIZE_MAX: all.
 * Returns true if some are omitted. */
bool ksiPrintWorld(const ksiView *view, const ksiWorldView *world, size_t lines, ksiText *out);

/* Writes a table of several runs, worst first. */
void ksiPrintRuns(const ksiView *view, size_t most, ksiText *out);

#endif

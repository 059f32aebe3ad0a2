/* progress.h  Shows the progress of all ranks in a line on the terminal. */
#ifndef KSI_MPI_PROGRESS_H
#define KSI_MPI_PROGRESS_H

#include "unit.h"

typedef struct ksiProgressLine {
    FILE *terminal;      /* NULL: none */
    double begun, shown; /* s */
    uint64_t bytes;      /* bytes of all files */
    ksiFound sum;        /* sum over the finished units */
} ksiProgressLine;

/* isShown: show the line if there is a terminal. */
ksiProgressLine ksiProgressBegin(uint64_t bytes, bool isShown);
void ksiProgressNote(ksiProgressLine *line, const ksiFound *found);

/* Redraws the line at intervals. */
void ksiProgressShow(ksiProgressLine *line);
void ksiProgressEnd(ksiProgressLine *line);

#endif

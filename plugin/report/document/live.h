/* live.h  Answers the requests of a page that shows a live report: for the page itself, for the
 * report, and for the frames since a step. */
#ifndef KSI_REPORT_DOCUMENT_LIVE_H
#define KSI_REPORT_DOCUMENT_LIVE_H

#include "../files/text.h"
#include "../findings/view.h"

#include <stdio.h>

typedef enum ksiAskedKind {
    KSI_ASKED_PAGE,   /* HTML: the live page, which requests reports and motions */
    KSI_ASKED_FILE,   /* HTML: the self-contained page of the run so far */
    KSI_ASKED_REPORT, /* JSON: the report as a document for the page */
    KSI_ASKED_MOTION  /* JSON: frames of a world; null: none */
} ksiAskedKind;

enum { KSI_ASKED_NAME = 256 };

typedef struct ksiAsked {
    ksiAskedKind kind;
    char world[KSI_ASKED_NAME]; /* for a motion: the world's name in the report */
    uint64_t from;              /* for a motion: the first step */
} ksiAsked;

void ksiWriteAnswer(const ksiView *view, const ksiAsked *asked, ksiText *out);

/* Appends the answer. KS_OK, KS_ERROR_NO_MEMORY, KS_ERROR_FILE, KS_ERROR_UNAVAILABLE: no
 * three.js. */
KS_MUST_USE ksStatus ksiReportAnswer(const ksReport *report, const ksiAsked *asked, FILE *stream);

#endif

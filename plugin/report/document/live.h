/* live.h  A live report, in increments for a page. */
#ifndef KSI_REPORT_DOCUMENT_LIVE_H
#define KSI_REPORT_DOCUMENT_LIVE_H

#include "../files/text.h"
#include "../findings/view.h"

#include <stdio.h>

typedef enum ksiAskedKind {
    KSI_ASKED_PAGE,   /* HTML: the page, which asks for the two last ones */
    KSI_ASKED_FILE,   /* HTML: the page of the run so far, which needs nothing but itself */
    KSI_ASKED_REPORT, /* JSON: the document in these */
    KSI_ASKED_MOTION  /* JSON: frames of a world; null: there is none */
} ksiAskedKind;

enum { KSI_ASKED_NAME = 256 };

typedef struct ksiAsked {
    ksiAskedKind kind;
    char world[KSI_ASKED_NAME]; /* of a motion: as the report calls it */
    uint64_t from;              /* of a motion: the first step */
} ksiAsked;

void ksiWriteAnswer(const ksiView *view, const ksiAsked *asked, ksiText *out);

/* The same, behind what is in the stream. KS_OK, KS_ERROR_NO_MEMORY, KS_ERROR_FILE, KS_ERROR_UNAVAILABLE: this library was built without three.js. */
KS_MUST_USE ksStatus ksiReportAnswer(const ksReport *report, const ksiAsked *asked, FILE *stream);

#endif

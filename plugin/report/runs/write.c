/* write.c  Writes a report to a file or a stream. */
#include "../document/document.h"
#include "../document/json.h"
#include "../document/live.h"
#include "../document/suppressed.h"
#include "../files/failure.h"
#include "../files/file.h"
#include "data.h"

#include "../../base/fpguard.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static void writeJson(const ksiView *view, ksiText *out)
{
    ksiTextAddJson(out, ksiReportToJson(view), KSI_JSON_FLAGS);
    ksiTextAdd(out, "\n");
}

/* asked NULL: the whole report in this format. Numbers have a decimal point in any locale of the
 * host. */
static void compose(const ksiView *view, const ksiAsked *asked, ksReportFormat format, ksiText *out)
{
    const locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    const locale_t host = plain ? uselocale(plain) : (locale_t)0;
    if (asked)
        ksiWriteAnswer(view, asked, out);
    else if (format == KS_REPORT_TEXT || format == KS_REPORT_TEXT_ALL)
        ksiWriteText(view, format == KS_REPORT_TEXT_ALL, out);
    else if (format == KS_REPORT_JSON)
        writeJson(view, out);
    else if (format == KS_REPORT_JUNIT)
        ksiWriteJunit(view, out);
    else if (format == KS_REPORT_RUNS)
        ksiWriteRuns(view, out);
    else if (format == KS_REPORT_SUPPRESSIONS)
        ksiWriteSuppressions(view, out);
    else if (format == KS_REPORT_DATA)
        ksiWriteData(view->report, out);
    else
        ksiWriteHtml(view, false, out);
    if (plain) {
        uselocale(host);
        freelocale(plain);
    }
}

/* Makes the document, null-terminated. */
static ksStatus make(const char *function, const ksReport *report, const ksiAsked *asked, ksReportFormat format,
                     ksiText *out)
{
    ksiView view;
    *out = (ksiText){.allocator = &report->allocator};
    bool isMade;
    KSI_GUARD_FP({
        isMade = ksiViewMake(report, NULL, &view);
        if (isMade)
            compose(&view, asked, format, out);
    });
    if (isMade)
        ksiViewFree(&view);
    if (isMade && !out->isShort && out->at)
        return KS_OK;
    ksiTextFree(out);
    return ksErrorSet(KS_ERROR_NO_MEMORY, function, NULL);
}

static ksStatus makeDocument(const char *function, const ksReport *report, ksReportFormat format, ksiText *out)
{
    if (!report)
        return ksiReportFail(function, KS_ERROR_BAD_ARGUMENT, "report is NULL");
    if ((int)format < KS_REPORT_TEXT || format > KS_REPORT_SUPPRESSIONS)
        return ksiReportFail(function, KS_ERROR_BAD_ARGUMENT, "format is %d, not one of ksReportFormat", (int)format);
#ifndef KS_HAVE_DYGRAPHS
    if (format == KS_REPORT_HTML)
        return ksiReportFail(function, KS_ERROR_UNAVAILABLE,
                             "this library was built without dygraphs, which HTML needs");
#endif
    return make(function, report, NULL, format, out);
}

ksStatus ksReportWrite(const ksReport *report, ksReportFormat format, const char *path)
{
    ksiText text;
    if (!path)
        return KSI_FAIL(KS_ERROR_BAD_ARGUMENT, "path is NULL");
    const ksStatus status = makeDocument(__func__, report, format, &text);
    if (status)
        return status;
    const int error = ksiFileReplace(path, text.at, text.length);
    ksiTextFree(&text);
    return error ? KSI_FAIL(KS_ERROR_FILE, "%s: %s", path, strerror(error)) : KS_OK;
}

/* Writes the text and frees it. */
static ksStatus print(const char *function, ksiText *text, FILE *stream)
{
    const bool isWritten = fwrite(text->at, 1, text->length, stream) == text->length && fflush(stream) == 0;
    const int error = errno;
    ksiTextFree(text);
    return isWritten ? KS_OK : ksiReportFail(function, KS_ERROR_FILE, "%s", strerror(error));
}

ksStatus ksReportPrint(const ksReport *report, ksReportFormat format, FILE *stream)
{
    ksiText text;
    if (!stream)
        return KSI_FAIL(KS_ERROR_BAD_ARGUMENT, "stream is NULL");
    const ksStatus status = makeDocument(__func__, report, format, &text);
    return status ? status : print(__func__, &text, stream);
}

ksStatus ksiReportAnswer(const ksReport *report, const ksiAsked *asked, FILE *stream)
{
    ksiText text;
#ifndef KS_HAVE_THREE
    return KSI_FAIL(KS_ERROR_UNAVAILABLE, "this library was built without three.js, which the live page needs");
#endif
    const ksStatus status = make(__func__, report, asked, KS_REPORT_HTML, &text);
    return status ? status : print(__func__, &text, stream);
}

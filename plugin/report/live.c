/* live.c  A report of a run that goes on, piece by piece. */
#include "live.h"

#ifdef KS_HAVE_THREE

#include "document.h"
#include "json.h"

#include <stdlib.h>
#include <string.h>

static json_t *motionOf(const ksiView *view, const ksiAsked *asked)
{
    for (size_t i = 0; i < view->worldCount; i++)
        if (strcmp(view->world[i].name, asked->world) == 0)
            return ksiMotionToJson(view, &view->world[i], asked->from, view->report->options.frameBytes);
    return NULL;
}

static void writeJson(const ksiView *view, const ksiAsked *asked, ksiText *out)
{
    ksiJsonBegin();
    json_t *value = asked->kind == KSI_ASKED_MOTION ? motionOf(view, asked) : ksiReportToPageJson(view);
    char *text = value ? json_dumps(value, KSI_JSON_FLAGS) : NULL;
    const bool isWhole = ksiJsonEnd() && (text || (!value && asked->kind == KSI_ASKED_MOTION));
    json_decref(value);
    ksiTextAdd(out, "%s", text ? text : "null");
    out->isShort |= !isWhole;
    free(text);
}

void ksiWriteAnswer(const ksiView *view, const ksiAsked *asked, ksiText *out)
{
    if (asked->kind == KSI_ASKED_PAGE || asked->kind == KSI_ASKED_FILE)
        ksiWriteHtml(view, asked->kind == KSI_ASKED_PAGE, out);
    else
        writeJson(view, asked, out);
}

#else

void ksiWriteAnswer(const ksiView *view, const ksiAsked *asked, ksiText *out)
{
    (void)view, (void)asked;
    out->isShort = true;
}

#endif

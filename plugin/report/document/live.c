/* live.c  Answers the requests of a page that shows a live report. */
#include "live.h"

#ifdef KS_HAVE_THREE

#include "document.h"
#include "json.h"

#include <string.h>

/* Returns JSON null if there is no frame. */
static json_t *motionOf(const ksiView *view, const ksiAsked *asked)
{
    json_t *motion = NULL;
    for (size_t i = 0; i < view->worldCount && !motion; i++)
        if (strcmp(view->world[i].name, asked->world) == 0)
            motion = ksiMotionToJson(view, &view->world[i], asked->from, view->report->options.frameBytes);
    return motion ? motion : json_null();
}

static void writeJson(const ksiView *view, const ksiAsked *asked, ksiText *out)
{
    ksiJsonBegin();
    json_t *value = asked->kind == KSI_ASKED_MOTION ? motionOf(view, asked) : ksiReportToPageJson(view);
    out->isShort |= !ksiJsonEnd();
    ksiTextAddJson(out, value, KSI_JSON_FLAGS | JSON_ENCODE_ANY);
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

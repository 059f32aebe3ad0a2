/* html.c  A report as a self-contained page: the JSON document, and the scripts that show it. */
#include "document.h"

#ifdef KS_HAVE_DYGRAPHS

#include "json.h"
#include "page_files.h"

#include <stdlib.h>
#include <string.h>

/* The policy lets the page load, run and show in frames only its own content; a live page may also
 * send requests to its server. */
static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"%s>\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; %simg-src data:; "
    "base-uri 'none'; form-action 'none'%s\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n";

/* Adds JSON as the text of a script element. Escapes each '<', so that no end tag or comment begins
 * in the text. In JSON every '<' is in a string. */
static void addJson(const char *json, ksiText *out)
{
    while (*json) {
        const size_t plain = strcspn(json, "<");
        ksiTextAdd(out, "%.*s%s", (int)plain, json, json[plain] ? "\\u003c" : "");
        json += plain + (json[plain] != '\0');
    }
}

/* Escapes and frees the text. */
static void addText(ksiText *own, ksiText *out)
{
    if (own->at)
        ksiTextAddXml(out, own->at);
    out->isShort |= own->isShort;
    ksiTextFree(own);
}

/* Adds a title with the call of the run, and the type of its failure, if it failed; a host's report
 * has no run. */
static void addTitle(const ksiView *view, ksiText *out)
{
    ksiText title = {.allocator = out->allocator};
    if (view->runCount > 1)
        ksiTextAdd(&title, "%zu runs", view->runCount);
    else if (view->runCount == 1) {
        const ksiRun *run = view->report->run;
        ksiRunWriteCall(run, &title);
        if (!ksiRunIsSeen(view->run))
            ksiTextAdd(&title, " (%s)", ksiRunErrorType(run));
    }
    ksiTextAdd(&title, title.at ? ": joint forces" : "Joint forces");
    ksiTextAdd(out, "<title>");
    addText(&title, out);
    ksiTextAdd(out, "</title>\n");
}

/* Adds the text report for browsers without scripts. */
static void addPlainText(const ksiView *view, ksiText *out)
{
    ksiText text = {.allocator = out->allocator};
    ksiWriteText(view, false, &text);
    ksiTextAdd(out, "<noscript><pre>\n");
    addText(&text, out);
    ksiTextAdd(out, "</pre></noscript>\n");
}

#ifdef KS_HAVE_THREE

/* Most worlds with an animation, worst first. */
enum { MOST_MOTIONS = 16 };

/* Adds the animation of the world with this rank. */
static bool addMotion(const ksiView *view, size_t place, size_t room, ksiText *out)
{
    ksiJsonBegin();
    json_t *motion = ksiMotionToJson(view, view->worstFirst[place], 0, room);
    char *json = motion ? json_dumps(motion, KSI_JSON_FLAGS) : NULL;
    const bool isWhole = ksiJsonEnd() && (!motion || json);
    json_decref(motion);
    if (json && isWhole) {
        ksiTextAdd(out, "<script id=\"motion-%zu\" type=\"application/json\">\n", place);
        addJson(json, out);
        ksiTextAdd(out, "\n</script>\n");
    }
    out->isShort |= !isWhole;
    free(json);
    return json != NULL;
}

static void addMotions(const ksiView *view, bool isLive, ksiText *out)
{
    size_t shown[MOST_MOTIONS];
    size_t count = 0, added = 0;
    for (size_t i = 0; i < view->worldCount && count < MOST_MOTIONS && !isLive; i++)
        if (view->worstFirst[i]->stats->motion.frameCount > 0)
            shown[count++] = i;
    for (size_t i = 0; i < count; i++)
        added += addMotion(view, shown[i], view->report->options.frameBytes / count, out);
    if (added == 0 && !isLive)
        return;
    ksiTextAdd(out, "<script type=\"text/plain\">\nthree.js\n\n");
    addJson(ksiSceneLicence, out);
    ksiTextAdd(out, "</script>\n<script id=\"three\" type=\"text/plain\">\n%s</script>\n", ksiSceneScript);
}

#else

static void addMotions(const ksiView *view, bool isLive, ksiText *out)
{
    (void)view, (void)isLive, (void)out;
}

#endif

void ksiWriteHtml(const ksiView *view, bool isLive, ksiText *out)
{
    json_t *document = ksiReportToPageJson(view);
    char *json = document ? json_dumps(document, KSI_JSON_FLAGS) : NULL;
    json_decref(document);
    ksiTextAdd(out, head, isLive ? " data-live" : "", ksiPagePolicy, isLive ? "; connect-src 'self'" : "");
    addTitle(view, out);
    ksiTextAdd(out, "<style>%s</style>\n</head>\n<body>\n", ksiPageStyle);
    addPlainText(view, out);
    ksiTextAdd(out, "<script id=\"report\" type=\"application/json\">\n");
    if (json)
        addJson(json, out);
    ksiTextAdd(out, "\n</script>\n");
    addMotions(view, isLive, out);
    ksiTextAdd(out, "<script>%s</script>\n<script>%s</script>\n</body>\n</html>\n", ksiChartScript, ksiPageScript);
    out->isShort |= !json;
    free(json);
}

#else

void ksiWriteHtml(const ksiView *view, bool isLive, ksiText *out)
{
    (void)view, (void)isLive;
    out->isShort = true;
}

#endif

/* json.h  A report as a JSON document: docs/reports.md. */
#ifndef KSI_REPORT_DOCUMENT_JSON_H
#define KSI_REPORT_DOCUMENT_JSON_H

#include "../collect/metrics.h"
#include "../files/text.h"
#include "../findings/view.h"

#include <jansson.h>
#include <math.h>

enum { KSI_JSON_FLAGS = JSON_COMPACT | JSON_REAL_PRECISION(9) };

/* NULL: out of memory. */
json_t *ksiReportToJson(const ksiView *view);

/* The document of a page, in limited size: the worst worlds and joints have series, others only figures, and the rest is left out. */
json_t *ksiReportToPageJson(const ksiView *view);

/* The top level; a world without its joints; a joint. Not whole: without series. If memory ran out since ksiJsonBegin, ksiJsonEnd is
 * false. */
json_t *ksiJsonDocument(const ksiView *view, json_t *worlds, size_t roomOfRuns);
json_t *ksiJsonWorld(const ksiView *view, const ksiWorldView *world, bool isWhole);
json_t *ksiJsonJoint(const ksiView *view, const ksiWorldView *world, const ksiJointView *joint, bool isWhole);
void ksiJsonBegin(void);
bool ksiJsonEnd(void);

/* The animation of a world from this step on, in at most so many bytes; NULL: it has no frame, or there is no room. A page has it beside
 * its document, by the rank of the world. */
json_t *ksiMotionToJson(const ksiView *view, const ksiWorldView *world, uint64_t from, size_t room);

/* Runs with their results, the worst first; joints over several runs. As many as fit into so many bytes, at least one. */
json_t *ksiJsonRuns(const ksiView *view, size_t room);
void ksiJsonPutSums(const ksiSums *sums, json_t *object);
json_t *ksiJsonPooled(const ksiView *view, size_t room);

/* Rows of the table of metrics that have a name, of this structure; type: of a joint. Not whole: as above. */
void ksiJsonPutMetrics(const ksiMetrics *metrics, const void *structure, dJointType type, bool isWhole, json_t *object);
json_t *ksiJsonQuantiles(const ksiHistogram *histogram);
json_t *ksiJsonError(const ksiErrorStats *error, bool hasWrench, bool isWhole);

/* NaN and infinities are not numbers of JSON: null. */
static inline json_t *ksiJsonNumber(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static inline json_t *ksiJsonCount(uint64_t x)
{
    return json_integer((json_int_t)x);
}

/* Adds the value as text, with these flags of jansson, and releases it. NULL: out of memory. */
void ksiTextAddJson(ksiText *out, json_t *value, size_t flags);

/* Numbers of the two bodies of a joint, a contact or a pair. */
static inline json_t *ksiJsonBodies(const int body[2])
{
    return json_pack("[i, i]", body[0], body[1]);
}

/* The text, which is freed; null: it is empty. */
json_t *ksiJsonText(ksiText *text);

/* Notes that memory ran out. */
void ksiJsonMiss(bool isMissing);

/* Advice for a world; world NULL: common advice. */
json_t *ksiJsonSentences(const ksiView *view, const ksiWorldView *world);

/* They take over the value. */
void ksiJsonPut(json_t *object, const char *key, json_t *value);
void ksiJsonAppend(json_t *array, json_t *value);

#endif

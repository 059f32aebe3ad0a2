/* json.h  A report as a JSON document: docs/reports.md. */
#ifndef KSI_REPORT_DOCUMENT_JSON_H
#define KSI_REPORT_DOCUMENT_JSON_H

#include "../collect/metrics.h"
#include "../files/text.h"
#include "../findings/view.h"

#include <jansson.h>
#include <math.h>

enum { KSI_JSON_FLAGS = JSON_COMPACT | JSON_REAL_PRECISION(9) };

/* The whole report. NULL: out of memory. */
json_t *ksiReportToJson(const ksiView *view);

/* The document of a page, whose size is limited: the worst worlds and joints have series, others
 * only single numbers; the rest is omitted. */
json_t *ksiReportToPageJson(const ksiView *view);

/* Document: the top level. World: a world without its joints. Joint: a joint. isWhole false:
 * without series. ksiJsonEnd returns false if memory ran out since ksiJsonBegin. */
json_t *ksiJsonDocument(const ksiView *view, json_t *worlds, size_t roomOfRuns);
json_t *ksiJsonWorld(const ksiView *view, const ksiWorldView *world, bool isWhole);
json_t *ksiJsonJoint(const ksiView *view, const ksiWorldView *world, const ksiJointView *joint, bool isWhole);
void ksiJsonBegin(void);
bool ksiJsonEnd(void);

/* The animation of a world from this step on, within `room` bytes; NULL: no frame, or no room. A
 * page stores it beside its document, by the world's rank. */
json_t *ksiMotionToJson(const ksiView *view, const ksiWorldView *world, uint64_t from, size_t room);

/* Runs: the runs with their results, worst first. Pooled: joints over all runs. Lists at least one,
 * and as many as fit into `room` bytes. */
json_t *ksiJsonRuns(const ksiView *view, size_t room);
void ksiJsonPutSums(const ksiSums *sums, json_t *object);
json_t *ksiJsonPooled(const ksiView *view, size_t room);

/* Adds the metrics of this structure; type: the joint's type. isWhole false: without series. */
void ksiJsonPutMetrics(const ksiMetrics *metrics, const void *structure, dJointType type, bool isWhole, json_t *object);
json_t *ksiJsonQuantiles(const ksiHistogram *histogram);
json_t *ksiJsonError(const ksiErrorStats *error, bool hasWrench, bool isWhole);

/* JSON has neither NaN nor infinities: writes null. */
static inline json_t *ksiJsonNumber(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static inline json_t *ksiJsonCount(uint64_t x)
{
    return json_integer((json_int_t)x);
}

/* Adds the value as text, with these jansson flags, and releases it. value NULL: memory ran out. */
void ksiTextAddJson(ksiText *out, json_t *value, size_t flags);

/* Numbers of the two bodies of a joint, a contact or a pair. */
static inline json_t *ksiJsonBodies(const int body[2])
{
    return json_pack("[i, i]", body[0], body[1]);
}

/* Takes ownership of the text; null if it is empty. */
json_t *ksiJsonText(ksiText *text);

/* Notes that memory ran out, if isMissing. */
void ksiJsonMiss(bool isMissing);

/* Advice for a world; world NULL: common advice. */
json_t *ksiJsonSentences(const ksiView *view, const ksiWorldView *world);

/* These take ownership of the value. */
void ksiJsonPut(json_t *object, const char *key, json_t *value);
void ksiJsonAppend(json_t *array, json_t *value);

#endif

/* report_kit.h  Shared by the tests of reports. */
#ifndef TESTS_KITS_REPORT_REPORT_KIT_H
#define TESTS_KITS_REPORT_REPORT_KIT_H

#include "../support.h"

#include "plugin/report/collect/collect.h"

#include <jansson.h>
#include <kinetostat/report.h>

static const double h = 0.001;

static inline ksReport *newReport(const ksReportOptions *options)
{
    ksReport *report = NULL;
    CHECK_OK(ksReportCreate(options, &report));
    return report;
}

/* A report that watches this inspector's world. */
static inline ksReport *watching(ksInspector *inspector, const ksReportOptions *options)
{
    ksReport *report = newReport(options);
    CHECK_OK(ksReportWatch(report, inspector, NULL));
    return report;
}

static inline ksReportOptions reportOptions(void)
{
    ksReportOptions options;
    ksReportOptionsInit(&options);
    return options;
}

/* The document; the caller frees it. */
static inline char *textOf(const ksReport *report, ksReportFormat format)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    CHECK_OK(ksReportPrint(report, format, stream));
    fclose(stream);
    ck_assert_uint_eq(strlen(text), length);
    return text;
}

/* Whether a document contains these words, across its line breaks. */
static inline void reportHas(ksReport *report, ksReportFormat format, const char *words, bool isThere)
{
    char *text = textOf(report, format), *line = text;
    for (const char *at = text; *at; at++) {
        const size_t blanks = at[0] == '\n' ? strspn(at + 1, " ") : 0;
        *line++ = blanks > 0 ? ' ' : *at;
        at += blanks;
    }
    *line = 0;
    ck_assert_msg((strstr(text, words) != NULL) == isThere, "%s\"%s\" in\n%s", isThere ? "no " : "", words, text);
    free(text);
}

static inline json_t *jsonOf(const ksReport *report)
{
    char *text = textOf(report, KS_REPORT_JSON);
    json_error_t error;
    json_t *document = json_loads(text, 0, &error);
    ck_assert_msg(document != NULL, "%s", error.text);
    free(text);
    return document;
}

static inline json_t *worldOf(json_t *document, size_t world)
{
    return json_array_get(json_object_get(document, "worlds"), world);
}

static inline json_t *jointOf(json_t *document, size_t joint)
{
    return json_array_get(json_object_get(worldOf(document, 0), "joints"), joint);
}

static inline double numberAt(json_t *object, const char *first, const char *second)
{
    json_t *value = json_object_get(json_object_get(object, first), second);
    ck_assert_msg(json_is_number(value), "%s %s", first, second);
    return json_number_value(value);
}

static inline json_int_t countAt(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    ck_assert_msg(json_is_integer(value), "%s", key);
    return json_integer_value(value);
}

#endif

/* fuzz_data.c  Any bytes as the data of a report, with the checksum that they need: they are refused, or they are a report. Then documents of it can be
 * read by other programs, what is written of it is read as the same, and it can be added to another one. */
#include "plugin/report/checksum.h"
#include "plugin/report/collect.h"
#include "plugin/report/data.h"
#include "plugin/report/run.h"
#include "tests/fuzz/documents.h"
#include "tests/fuzz/input.h"

#include <stdio.h>

typedef struct Bytes {
    char *at;
    size_t count;
} Bytes;

static Bytes documentOf(const ksReport *report, ksReportFormat format)
{
    Bytes made = {NULL, 0};
    FILE *stream = open_memstream(&made.at, &made.count);
    const ksStatus status = ksReportPrint(report, format, stream);
    fclose(stream);
    require(status == KS_OK || (status == KS_ERROR_UNAVAILABLE && format == KS_REPORT_HTML));
    return made;
}

/* The page has its scripts in it, and takes longer than all others: it is asked for now and then. */
static void checkDocuments(const ksReport *report, bool hasPage)
{
    static void (*const check[])(const char *text) = {
        [KS_REPORT_TEXT] = requirePlain, [KS_REPORT_JSON] = requireJson,      [KS_REPORT_JUNIT] = requireXml,
        [KS_REPORT_HTML] = requirePage,  [KS_REPORT_TEXT_ALL] = requirePlain,
    };
    for (int format = 0; format < (int)(sizeof check / sizeof *check); format++) {
        if (format == KS_REPORT_HTML && !hasPage)
            continue;
        const Bytes text = documentOf(report, (ksReportFormat)format);
        if (text.count > 0)
            check[format](text.at);
        free(text.at);
    }
    free(documentOf(report, KS_REPORT_RUNS).at);
    const Bytes found = documentOf(report, KS_REPORT_SUPPRESSIONS);
    requirePlain(found.at);
    free(found.at);
}

/* Once it is clean, it stays what it is. */
static void checkAgain(const ksReport *report)
{
    const Bytes written = documentOf(report, KS_REPORT_DATA);
    ksReport *again = NULL;
    require(ksiReadData("a", written.at, written.count, &again) == KS_OK);
    const Bytes copy = documentOf(again, KS_REPORT_DATA);
    require(copy.count == written.count && memcmp(copy.at, written.at, copy.count) == 0);
    free(written.at);
    free(copy.at);
    ksReportDestroy(again);
}

static void checkSum(const ksReport *report, const ksReport *other)
{
    ksReportOptions options;
    ksReport *sum = NULL;
    ksReportOptionsInit(&options);
    require(ksReportCreate(&options, &sum) == KS_OK);
    if (ksiReportMerge(sum, report) == KS_OK && ksiReportMerge(sum, other) == KS_OK) {
        require(ksiReportSort(sum) == KS_OK);
        free(documentOf(sum, KS_REPORT_JSON).at);
    }
    ksReportDestroy(sum);
}

/* A line with the version, and a byte for each of eight sizes, with which all begin. */
static Bytes makeHead(void)
{
    ksReport *empty = NULL;
    require(ksReportCreate(NULL, &empty) == KS_OK);
    Bytes made = documentOf(empty, KS_REPORT_DATA);
    made.count = (size_t)((char *)memchr(made.at, '\n', made.count) - made.at) + 1 + 8;
    ksReportDestroy(empty);
    return made;
}

static ksReport *reportOf(const uint8_t *data, size_t size)
{
    const Bytes head = makeHead();
    const size_t begin = head.count, count = begin + size + 4;
    unsigned char *all = malloc(count);
    ksReport *report = NULL;
    require(all != NULL);
    memcpy(all, head.at, begin);
    free(head.at);
    memcpy(all + begin, data, size);
    const uint32_t sum = ksiChecksumText(0, (const char *)all, count - 4);
    for (size_t i = 0; i < 4; i++)
        all[count - 4 + i] = (unsigned char)(sum >> 8 * i);
    const ksStatus status = ksiReadData("a", all, count, &report);
    require(status == KS_OK || status == KS_ERROR_FILE);
    free(all);
    return report;
}

/* Two reports; two bytes tell where one ends. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input input = {data, data + size};
    const size_t told = takeShort(&input), rest = (size_t)(input.end - input.at), first = told < rest ? told : rest;
    ksReport *report = reportOf(input.at, first), *other = reportOf(input.at + first, rest - first);
    if (report) {
        checkDocuments(report, size % 16 == 0);
        checkAgain(report);
    }
    if (report && other)
        checkSum(report, other);
    ksReportDestroy(report);
    ksReportDestroy(other);
    return 0;
}

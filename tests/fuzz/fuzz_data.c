/* fuzz_data.c  Any bytes as the data of a report, with a valid checksum: they are refused, or they
 * are a report. Then other programs can read its documents, saving and reading it gives the same
 * report, and it can be merged with another one. */
#include "plugin/report/collect/collect.h"
#include "plugin/report/collect/run.h"
#include "plugin/report/files/checksum.h"
#include "plugin/report/runs/data.h"
#include "tests/fuzz/documents.h"
#include "tests/fuzz/input.h"

#include <stdio.h>

enum { HEAD = 29 }; /* common first bytes of all reports of this library; seeds.sh has the same number */

/* A cleaned report does not change again. */
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

/* The head as this library writes it: with the version of an older format, all bytes would be
 * refused. */
static const char *headOfReports(void)
{
    static char head[HEAD];
    ksReport *none;
    if (head[0])
        return head;
    require(ksReportCreate(NULL, &none) == KS_OK);
    const Bytes written = documentOf(none, KS_REPORT_DATA);
    require(written.count >= HEAD);
    memcpy(head, written.at, HEAD);
    free(written.at);
    ksReportDestroy(none);
    return head;
}

static ksReport *reportOf(const uint8_t *data, size_t size)
{
    const size_t begin = HEAD, count = begin + size + 4;
    unsigned char *all = malloc(count);
    ksReport *report = NULL;
    require(all != NULL);
    memcpy(all, headOfReports(), begin);
    memcpy(all + begin, data, size);
    const uint32_t sum = ksiChecksumText(0, (const char *)all, count - 4);
    for (size_t i = 0; i < 4; i++)
        all[count - 4 + i] = (unsigned char)(sum >> 8 * i);
    const ksStatus status = ksiReadData("a", all, count, &report);
    require(status == KS_OK || status == KS_ERROR_FILE);
    free(all);
    return report;
}

unsigned long fuzzPassed;
bool fuzzIsWhole;

/* Two reports; two bytes say where the first ends. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input input = {data, data + size};
    const size_t told = takeShort(&input), rest = (size_t)(input.end - input.at), first = told < rest ? told : rest;
    ksReport *report = reportOf(input.at, first), *other = reportOf(input.at + first, rest - first);
    fuzzPassed += report != NULL;
    if (report) {
        checkDocuments(report, size);
        checkAgain(report);
    }
    if (report && other)
        checkSum(report, other);
    ksReportDestroy(report);
    ksReportDestroy(other);
    return 0;
}

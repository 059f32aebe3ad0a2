/* judge_kit.h  Judges a recording step by step. */
#ifndef TESTS_KITS_REPORT_JUDGE_KIT_H
#define TESTS_KITS_REPORT_JUDGE_KIT_H

#include "tests/kits/report/trace_kit.h"

#include "plugin/report/recording/archive.h"
#include "plugin/report/recording/judge.h"

typedef void EachStep(ksInspector *inspector, int step, void *user);

/* Judges one world of a file as `kinetostat judge` does. The caller owns the report. */
static inline ksReport *reportFile(const char *path, EachStep *each, void *user)
{
    char words[KSI_ARCHIVE_WORDS];
    ksiArchive *archive = ksiArchiveOpen(path, words);
    ck_assert_msg(archive != NULL, "%s", words);
    ksReportOptions reportOptions;
    ksReport *report;
    ksiJudge *judge;
    ksiJudgeOptions options;
    size_t world;
    int step = 0;
    ksReportOptionsInit(&reportOptions);
    CHECK_OK(ksReportCreate(&reportOptions, &report));
    CHECK_OK(ksiReportAddWorld(report, NULL, &world));
    ksiJudgeOptionsInit(&options);
    CHECK_OK(ksiJudgeCreate(&options, report, world, &judge));
    for (size_t i = 0; i < ksiArchiveCount(archive); i++) {
        unsigned process;
        const ksiStepRecord *record;
        CHECK_OK(ksiArchiveRead(archive, i, &record, &process));
        ck_assert_ptr_nonnull(record);
        if (ksiIsEnd(record))
            continue;
        CHECK_OK(ksiJudgeStep(judge, record));
        each(ksiJudgeInspector(judge), step++, user);
    }
    ksiJudgeDestroy(judge);
    ck_assert(ksiArchiveClose(archive));
    return report;
}

static inline void judgeFile(const char *path, EachStep *each, void *user)
{
    ksReportDestroy(reportFile(path, each, user));
}

/* Loads of this step, as from motors or wind. */
static inline void push(const Scene *scene, int step)
{
    for (int i = 0; i < scene->bodyCount; i++) {
        dBodyAddForce(scene->body[i], 5 * sin(0.1 * step + i), 3 * cos(0.07 * step), 2 * sin(0.05 * step - i));
        dBodyAddTorque(scene->body[i], 0.01 * cos(0.1 * step), 0.02 * sin(0.06 * step + i), 0.01 * sin(0.2 * step));
    }
}

#endif

/* fuzz_record.c  Any record: it is refused, or judged. What the engine itself would abort on ends it with a word, and nothing else does. */
#include "replay/record.h"
#include "report/judge.h"
#include "tests/fuzz/input.h"

#include <setjmp.h>
#include <stdlib.h>

static jmp_buf refused;

/* What a refused record holds is lost. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

/* The engine would abort. */
static void refuse(int number, const char *format, va_list values)
{
    (void)number, (void)format, (void)values;
    longjmp(refused, 1);
}

static void judgeRecord(const ksiStepRecord *record)
{
    ksReport *report;
    ksiJudge *judge = NULL;
    ksiJudgeOptions options;
    size_t world;
    ksiJudgeOptionsInit(&options);
    if (ksReportCreate(NULL, &report))
        return;
    if (!setjmp(refused) && !ksiReportAddWorld(report, NULL, &world) &&
        !ksiJudgeCreate(&options, report, world, &judge)) {
        (void)!ksiJudgeStep(judge, record);
        ksiJudgeDestroy(judge);
    }
    ksReportDestroy(report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t *words = malloc(size + 8);
    if (!words)
        return 0;
    if (size > 0)
        memcpy(words, data, size);
    const ksiStepRecord *record = (const void *)words;
    dInitODE2(0);
    dSetDebugHandler(refuse);
    if (size >= sizeof *record && ksiRecordIsSound(record, size) && record->isStepped)
        judgeRecord(record);
    free(words);
    return 0;
}

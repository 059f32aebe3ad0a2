/* check_mutations.c  A record with any contents is refused, or judged. Only where the engine itself
 * would abort, the judge ends with a message (by the engine's debug handler). KS_SEEDS: number of
 * mutated records for each scene and stepper, instead of a few. */
#include "replay/recorder.h"
#include "replay/replica.h"
#include "report/recording/judge.h"
#include "tests/kits/same_kit.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const double h = 0.005;
enum { SEEDS = 400, REFUSED_BY_ENGINE = 125, SCENES = 3 };

static int seedCount(void)
{
    const char *text = getenv("KS_SEEDS");
    return text ? atoi(text) : SEEDS;
}

typedef struct Tally {
    int next; /* the next seed */
    int refused, judged, engine;
} Tally;

static void refuse(int number, const char *format, va_list values)
{
    (void)number, (void)format, (void)values;
    _exit(REFUSED_BY_ENGINE);
}

/* The engine prints messages about vectors that it cannot normalise. */
static void ignore(int number, const char *format, va_list values)
{
    (void)number, (void)format, (void)values;
}

/* A word of a kind that breaks programs. */
static uint64_t badWord(uint64_t *state, uint64_t old)
{
    static const double real[] = {0, -1, 1e-300, 1e30, 1e300, (double)INFINITY, -(double)INFINITY, (double)NAN};
    static const int64_t whole[] = {-1, 0, 1, 2, 3, 7, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 1 << 20};
    const uint64_t which = drawBits(state), how = drawBits(state) % 5;
    uint64_t word;
    switch (how) {
    case 0:
        memcpy(&word, &real[which % (sizeof real / sizeof *real)], sizeof word);
        return word;
    case 1:
        return (uint64_t)whole[which % (sizeof whole / sizeof *whole)];
    case 2:
        return old ^ UINT64_C(1) << which % 64;
    case 3:
        return old + 1 - which % 3;
    default:
        return which;
    }
}

static void mutate(uint64_t *words, size_t count, int seed)
{
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(seed + 1);
    for (uint64_t changes = 1 + drawBits(&state) % 3; changes > 0; changes--) {
        const size_t at = drawBits(&state) % count;
        words[at] = badWord(&state, words[at]);
    }
}

/* Some records of a scene, one after the other. */
typedef struct Records {
    char *at;
    size_t bytes;
} Records;

static Records recordScene(Scene *scene, ksStepper stepper, int steps)
{
    Records made = {NULL, 0};
    ksiRecorder *recorder;
    CHECK_OK(ksiRecorderCreate(scene->world, 1, KSI_FEEDBACK_OURS, &recorder));
    CHECK_OK(ksiRecorderName(recorder, scene->joint[0], "first"));
    for (int i = 0; i < steps; i++) {
        sceneBeforeStep(scene);
        CHECK_OK(ksiRecorderBegin(recorder, stepper, h, false));
        ck_assert(stepper == KS_WORLD_STEP ? dWorldStep(scene->world, h) : dWorldQuickStep(scene->world, h));
        const ksiStepRecord *record = ksiRecorderEnd(recorder, true, 0);
        sceneAfterStep(scene);
        ck_assert(ksiRecordIsSound(record, record->bytes));
        made.at = realloc(made.at, made.bytes + record->bytes);
        ck_assert_ptr_nonnull(made.at);
        memcpy(made.at + made.bytes, record, record->bytes);
        made.bytes += record->bytes;
    }
    ksiRecorderDestroy(recorder);
    return made;
}

/* Judges all records, one of which is mutated; true: it was refused. */
static bool judgeMutated(const Records *records, int seed)
{
    ksReport *report;
    size_t world;
    ksiJudge *judge;
    ksiJudgeOptions options;
    ksiJudgeOptionsInit(&options);
    options.adviseEvery = 2;
    CHECK_OK(ksReportCreate(NULL, &report));
    CHECK_OK(ksiReportAddWorld(report, NULL, &world));
    CHECK_OK(ksiJudgeCreate(&options, report, world, &judge));
    bool isRefused = false;
    int index = 0;
    for (const char *at = records->at; at < records->at + records->bytes; index++) {
        const size_t bytes = ((const ksiStepRecord *)(const void *)at)->bytes;
        ksiStepRecord *copy = malloc(bytes);
        ck_assert_ptr_nonnull(copy);
        memcpy(copy, at, bytes);
        if (index == 1)
            mutate((void *)copy, bytes / 8, seed);
        const bool isSound = ksiRecordIsSound(copy, bytes);
        isRefused |= !isSound;
        // a judge may refuse numbers in range that no world can have
        if (isSound && copy->isStepped && !isRefused)
            isRefused = ksiJudgeStep(judge, copy) != KS_OK;
        free(copy);
        at += bytes;
    }
    ksiJudgeDestroy(judge);
    ksReportDestroy(report);
    return isRefused;
}

static void judgeSeeds(const Records *records, Tally *tally)
{
    dSetDebugHandler(refuse);
    dSetMessageHandler(ignore);
    while (tally->next < seedCount()) {
        const int seed = tally->next++;
        if (judgeMutated(records, seed))
            tally->refused++;
        else
            tally->judged++;
    }
    _exit(0);
}

/* In separate processes: if the engine ends one, another one continues. */
static void tryAll(const Records *records, Tally *tally)
{
    while (tally->next < seedCount()) {
        int status;
        const pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0)
            judgeSeeds(records, tally);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_msg(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == REFUSED_BY_ENGINE),
                      "seed %d: status %#x", tally->next - 1, (unsigned)status);
        tally->engine += WEXITSTATUS(status) != 0;
    }
}

START_TEST(mutated_records)
{
    Scene *scene = _i / 2 == 0 ? sceneChain(3, SCENE_FALLING) : _i / 2 == 1 ? sceneZoo() : makeKind(0, h);
    const Records records = recordScene(scene, _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP, 4);
    Tally *tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(tally, MAP_FAILED);
    tryAll(&records, tally);
    if (getenv("KS_TALLY"))
        printf("%d seeds: %d refused, %d judged, %d ended by the engine\n", seedCount(), tally->refused, tally->judged,
               tally->engine);
    ck_assert_int_gt(tally->refused, seedCount() / 20);
    ck_assert_int_gt(tally->judged, seedCount() / 20);
    munmap(tally, sizeof *tally);
    free(records.at);
    sceneDestroy(scene);
}
END_TEST

/* Each integer of each field just outside its range is refused. */
START_TEST(each_range)
{
    Scene *scene = sceneZoo();
    const Records records = recordScene(scene, KS_WORLD_STEP, 1);
    ksiStepRecord *record = (void *)records.at;
    ksiRecordReader reader = ksiReadRecord(record);
    uint64_t *at = (void *)(uintptr_t)ksiTakeRecorded(&reader, record->bodyCount * sizeof(ksiBodyRecord));
    size_t tried = 0;
    for (size_t i = 0; i < record->jointCount; i++) {
        const ksiJointRecord *head = ksiTakeRecorded(&reader, sizeof *head);
        at = (void *)(uintptr_t)ksiTakeRecorded(&reader, head->words * sizeof *at);
        const ksiFields *fields = ksiFieldsOfType((int)head->type);
        for (size_t k = 0; head->words > 0 && k < fields->count; k++) {
            const ksiField *field = &fields->field[k];
            const uint64_t old = *at;
            if (field->kind == KSI_INTEGER || field->kind == KSI_CHOICE) {
                *at = (uint64_t)(field->high + 1);
                ck_assert_msg(!ksiRecordIsSound(record, record->bytes), "%s of %s", field->name, fields->name);
                *at = (uint64_t)(field->low - 1);
                ck_assert_msg(!ksiRecordIsSound(record, record->bytes), "%s of %s", field->name, fields->name);
                tried++;
            } else if (field->kind != KSI_UNUSED) {
                const double nan = (double)NAN;
                memcpy(at, &nan, sizeof nan);
                ck_assert_msg(!ksiRecordIsSound(record, record->bytes), "%s of %s", field->name, fields->name);
                tried++;
            }
            *at = old;
            at += field->count;
        }
    }
    ck_assert_uint_gt(tried, 100);
    ck_assert(ksiRecordIsSound(record, record->bytes));
    free(records.at);
    sceneDestroy(scene);
}
END_TEST

/* Removes the flag of each number that has one: no engine leaves a body like this, and an inspector
 * would mistake the engine for another one. */
START_TEST(flags_fit)
{
    Scene *scene = sceneChain(2, SCENE_FALLING);
    const Records records = recordScene(scene, KS_WORLD_STEP, 1);
    ksiStepRecord *record = (void *)records.at;
    ksiBodyCopy *copy = &((ksiBodyRecord *)(void *)(record + 1))->copy;
    double *const number[] = {&copy->linearDamping, &copy->angularDamping, &copy->maxAngularSpeed};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        const double old = *number[i];
        *number[i] = 1e-3;
        ck_assert(!ksiRecordIsSound(record, record->bytes));
        *number[i] = old;
    }
    ck_assert(ksiRecordIsSound(record, record->bytes));
    free(records.at);
    sceneDestroy(scene);
}
END_TEST

/* A motor that the engine never considers to be at a stop: if it were, the engine would add a force
 * in a world that is not stepped. */
START_TEST(no_stop_where_there_is_none)
{
    Scene *scene = sceneZoo();
    const Records records = recordScene(scene, KS_WORLD_STEP, 1);
    ksiStepRecord *record = (void *)records.at;
    ksiRecordReader reader = ksiReadRecord(record);
    int tried = 0;
    ksiTakeRecorded(&reader, record->bodyCount * sizeof(ksiBodyRecord));
    for (size_t i = 0; i < record->jointCount; i++) {
        const ksiJointRecord *head = ksiTakeRecorded(&reader, sizeof *head);
        int64_t *words = (void *)(uintptr_t)ksiTakeRecorded(&reader, head->words * sizeof *words);
        if (head->type != dJointTypePlane2D)
            continue;
        // the record of its last motor ends with its stop and the distance beyond it
        words[head->words - 2] = 1;
        ck_assert(!ksiRecordIsSound(record, record->bytes));
        words[head->words - 2] = 0;
        ck_assert(ksiRecordIsSound(record, record->bytes));
        tried++;
    }
    ck_assert_int_gt(tried, 0);
    free(records.at);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("mutations");
    tcase_add_loop_test(test, mutated_records, 0, 2 * SCENES);
    tcase_add_test(test, each_range);
    tcase_add_test(test, flags_fit);
    tcase_add_test(test, no_stop_where_there_is_none);
    return runCase("mutations", test);
}

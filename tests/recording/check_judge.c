/* check_judge.c  kinetostat judge on malicious recordings: a crash costs a record or the file, and
 * is reported; all other records are judged as usual. KS_FLIPS, KS_FILES: number of bits to flip,
 * and of files to mutate, instead of a few. */
#include "tests/kits/report/trace_kit.h"

#include "plugin/base/sanitizer.h"
#include "plugin/replay/recorder.h"
#include "plugin/report/recording/archive.h"

#include "demos/scenes/scenes_private.h"

#include <jansson.h>

static const double h = 0.005;
enum { STEPS = 12, SPOILT = 5, UNSEEN = 4, FAILED = 125 };

/* --- Recordings --- */

static void leave(ksiStepRecord *record)
{
    (void)record;
}

/* Rotates the body by NaN in the tried step: the engine asserts. */
static void spoil(ksiStepRecord *record)
{
    ksiBodyRecord *body = (void *)(record + 1);
    if (record->isStepped && record->step == SPOILT)
        body->copy.inverse[0] = (double)NAN;
}

/* A joint with a name is destroyed in the step. */
static void takeAway(ksiStepRecord *record)
{
    ksiJointResult *result = (ksiJointResult *)(uintptr_t)ksiRecordedReports(record);
    result[ksiRecordedNames(record)->joint].isAlive = record->step != 0;
}

/* A recording of a run that ended normally. */
static void writeRecording(const char *path, Scene *scene, int steps, void (*change)(ksiStepRecord *record))
{
    char words[KSI_ARCHIVE_WORDS] = "";
    ksiArchive *archive;
    ksiRecorder *recorder;
    ksiRun run = {.program = "scene", .begun = "2026-11-25T20:00:00Z", .isOver = 1};
    snprintf(run.built, sizeof run.built, "%s", dGetConfiguration());
    dRandSetSeed(1);
    CHECK_OK(ksiArchiveCreate(path, 1, words, &archive));
    ck_assert(ksiArchiveBegin(archive, &run, NULL));
    CHECK_OK(ksiRecorderCreate(scene->world, 1, KSI_FEEDBACK_OURS, &recorder));
    CHECK_OK(ksiRecorderName(recorder, scene->joint[0], "first"));
    for (int i = 0; i < steps; i++) {
        CHECK_OK(ksiRecorderBegin(recorder, KS_QUICK_STEP, h, false));
        ck_assert(dWorldQuickStep(scene->world, h));
        const ksiStepRecord *made = ksiRecorderEnd(recorder, true, 0);
        ksiStepRecord *copy = malloc(made->bytes);
        ck_assert_ptr_nonnull(copy);
        memcpy(copy, made, made->bytes);
        change(copy);
        CHECK_OK(ksiArchiveAppend(archive, 0, "scene", copy));
        free(copy);
    }
    ck_assert(ksiArchiveEnd(archive, &run));
    ck_assert_msg(ksiArchiveClose(archive), "%s", words);
    ksiRecorderDestroy(recorder);
    sceneDestroy(scene);
}

/* --- The command --- */

static char *readAll(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 22);
    ck_assert_ptr_nonnull(text);
    *length = file ? fread(text, 1, (1 << 22) - 1, file) : 0;
    if (file)
        fclose(file);
    return text;
}

/* The results; free both texts. */
typedef struct Outcome {
    int status; /* of the shell */
    char *json, *errors;
} Outcome;

static Outcome judge(const char *options, const char *files)
{
    char command[1200];
    size_t length;
    Outcome outcome;
    remove(in("json"));
    snprintf(command, sizeof command, "./kinetostat judge --quiet %s --json %s %s 2>%s", options, in("json"), files,
             in("errors"));
    const int status = system(command);
    ck_assert(WIFEXITED(status));
    outcome.status = WEXITSTATUS(status);
    outcome.json = readAll(in("json"), &length);
    outcome.errors = readAll(in("errors"), &length);
    return outcome;
}

static void dropOutcome(Outcome *outcome)
{
    free(outcome->json);
    free(outcome->errors);
}

static void has(const char *text, const char *words)
{
    ck_assert_msg(strstr(text, words) != NULL, "no \"%s\" in: %.2000s", words, text);
}

/* Numbers of steps of a world that were seen and inspected. */
static void checkWorld(const char *json, size_t index, int seen, int inspected)
{
    json_error_t error;
    json_t *document = json_loads(json, 0, &error);
    ck_assert_msg(document != NULL, "%s", error.text);
    const json_t *steps = json_object_get(json_array_get(json_object_get(document, "worlds"), index), "steps");
    ck_assert_int_eq(json_integer_value(json_object_get(steps, "seen")), seen);
    ck_assert_int_eq(json_integer_value(json_object_get(steps, "inspected")), inspected);
    json_decref(document);
}

/* --- Steps that break the judge --- */

START_TEST(a_record_is_lost_and_no_more)
{
    char files[600], options[PATH_SIZE + 40];
    size_t length;
    writeRecording(in("good.h5"), sceneChain(3, SCENE_FALLING), STEPS, leave);
    writeRecording(in("spoilt.h5"), sceneChain(3, SCENE_FALLING), STEPS, spoil);
    snprintf(files, sizeof files, "%s %s", in("spoilt.h5"), in("good.h5"));
    snprintf(options, sizeof options, "--advise-every 2 %s %s", _i ? "--trace" : "--jobs", _i ? in("trace.csv") : "2");
    Outcome outcome = judge(options, files);
    ck_assert_msg(outcome.status == UNSEEN, "status %d: %s", outcome.status, outcome.errors);
    has(outcome.errors, "spoilt.h5: record 5 is left out");
    has(outcome.errors, "assertion");
    has(outcome.json, "record 5 was left out, since judging it failed: assertion");
    // in the order of file names
    checkWorld(outcome.json, 0, STEPS, STEPS);
    checkWorld(outcome.json, 1, STEPS, STEPS - 1);
    dropOutcome(&outcome);
    // a step that cannot be repeated is compared all the same
    snprintf(files, sizeof files, "./kinetostat diff %s %s >%s 2>&1", in("good.h5"), in("spoilt.h5"), in("diff"));
    ck_assert_int_eq(WEXITSTATUS(system(files)), 1);
    outcome.errors = readAll(in("diff"), &length);
    has(outcome.errors, "They differ first in step 5");
    has(outcome.errors, "inverse inertia xx of body 3");
    ck_assert_ptr_null(strstr(outcome.errors, "Made again"));
    free(outcome.errors);
}
END_TEST

START_TEST(a_joint_may_go_in_its_first_step)
{
    writeRecording(in("gone.h5"), sceneChain(3, SCENE_FALLING), STEPS, takeAway);
    Outcome outcome = judge("", in("gone.h5"));
    ck_assert_msg(outcome.status == 0 && !outcome.errors[0], "status %d: %s", outcome.status, outcome.errors);
    checkWorld(outcome.json, 0, STEPS, STEPS);
    dropOutcome(&outcome);
}
END_TEST

/* Bodies with a joint between any two: far more rows than can be judged in a second. */
static Scene *tangle(int bodies)
{
    Scene *scene = sceneCreate(bodies, bodies * (bodies - 1) / 2);
    for (int i = 0; i < bodies; i++)
        sceneAddSphere(scene, 1, 0.1, i % 7, i / 7 % 7, i / 49.0);
    for (int i = 0; i < bodies; i++)
        for (int k = 0; k < i; k++)
            sceneAddBall(scene, scene->body[i], scene->body[k], (const double[3]){i + k, i - k, 1});
    return scene;
}

START_TEST(limits_are_told)
{
    writeRecording(in("tangle.h5"), tangle(48), 2, leave);
    Outcome outcome = judge("--limit time=1", in("tangle.h5"));
    ck_assert_msg(outcome.status == UNSEEN, "status %d: %s", outcome.status, outcome.errors);
    has(outcome.errors, "it took more than 1 s of processor time (--limit time=)");
    has(outcome.json, "it took more than 1 s of processor time");
    dropOutcome(&outcome);
#ifndef KSI_SANITIZED
    outcome = judge("--limit memory=32M", in("tangle.h5"));
    ck_assert_msg(outcome.status == UNSEEN, "status %d: %s", outcome.status, outcome.errors);
    has(outcome.errors, "it needs more than 32 MB of memory (--limit memory=)");
    dropOutcome(&outcome);
#endif
}
END_TEST

/* --- Damage --- */

static int countFrom(const char *name, int usual)
{
    const char *text = getenv(name);
    return text ? atoi(text) : usual;
}

/* Compares it with the good file by kinetostat diff: if it is damaged, they differ, or the command
 * says that it cannot tell. */
static void checkDiff(const char *errors)
{
    char command[1200];
    snprintf(command, sizeof command, "./kinetostat diff %s %s >%s 2>&1", in("good.h5"), in("bad.h5"), in("diff"));
    const int status = system(command), own = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    ck_assert_msg(own == 1 || own == 2 || (own == 0 && !strstr(errors, "damaged")), "diff: status %d: %s", own, errors);
}

/* After this many calls of `mutate`, a file is judged as before, or the command reports the damage;
 * no file crashes the command. */
static void tryMutations(int count, void (*mutate)(char *bytes, size_t length, uint64_t *state))
{
    size_t length;
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
    int same = 0, told = 0, ended = 0;
    writeRecording(in("good.h5"), sceneChain(2, SCENE_FALLING), 3, leave);
    Outcome good = judge("--advise-every 2", in("good.h5"));
    ck_assert_int_eq(good.status, 0);
    char *bytes = readAll(in("good.h5"), &length), *copy = malloc(length);
    ck_assert_ptr_nonnull(copy);
    for (int i = 0; i < count; i++) {
        memcpy(copy, bytes, length);
        mutate(copy, length, &state);
        FILE *file = fopen(in("bad.h5"), "wb");
        ck_assert_uint_eq(fwrite(copy, 1, length, file), length);
        fclose(file);
        Outcome outcome = judge("--advise-every 2 --limit time=20", in("bad.h5"));
        const bool isSame = outcome.status == 0 && strcmp(outcome.json, good.json) == 0;
        const bool isTold = outcome.errors[0] != 0;
        ck_assert_msg(isSame || isTold, "mutation %d: status %d, another report, and no word", i, outcome.status);
        ck_assert_msg(outcome.status == 0 || outcome.status == UNSEEN || outcome.status == FAILED,
                      "mutation %d: status %d: %s", i, outcome.status, outcome.errors);
        ck_assert_msg(!strstr(outcome.errors, "damaged") || outcome.status != 0, "mutation %d: status 0: %s", i,
                      outcome.errors);
        checkDiff(outcome.errors);
        same += isSame;
        told += isTold;
        ended += strstr(outcome.errors, "has ended") != NULL;
        dropOutcome(&outcome);
    }
    if (getenv("KS_TALLY"))
        printf("%d mutations: %d the same report, %d told, of these %d ended a process\n", count, same, told, ended);
    free(bytes);
    free(copy);
    dropOutcome(&good);
}

static void flip(char *bytes, size_t length, uint64_t *state)
{
    const uint64_t bit = drawBits(state) % (8 * length);
    bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
}

static void scatter(char *bytes, size_t length, uint64_t *state)
{
    for (uint64_t changes = 1 + drawBits(state) % 8; changes > 0; changes--)
        bytes[drawBits(state) % length] = (char)(drawBits(state) >> 56);
}

START_TEST(flipped_bits_are_told)
{
    tryMutations(countFrom("KS_FLIPS", 25), flip);
}
END_TEST

START_TEST(mutated_files_are_told)
{
    tryMutations(countFrom("KS_FILES", 25), scatter);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("judge");
    tcase_add_checked_fixture(test, makeFolder, removeFolder);
    tcase_add_loop_test(test, a_record_is_lost_and_no_more, 0, 2);
    tcase_add_test(test, a_joint_may_go_in_its_first_step);
    tcase_add_test(test, limits_are_told);
    tcase_add_test(test, flipped_bits_are_told);
    tcase_add_test(test, mutated_files_are_told);
    return runCase("judge", test);
}

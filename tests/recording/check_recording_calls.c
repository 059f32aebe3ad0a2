/* check_recording_calls.c  The public writer of recordings: every type of joint, and calls that it
 * refuses. */
#include "tests/kits/report/judge_kit.h"

#include <errno.h>
#include <kinetostat/recording.h>

/* --- Every type of joint --- */

static void countRows(ksInspector *inspector, int step, void *user)
{
    const int *expected = user;
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    ck_assert_int_eq(step, 0);
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(reaction[i].rowCount, expected[count - 1 - i]);
        for (int l = 0; l < reaction[i].rowCount; l++) {
            // it is in its described pose, and nothing acts
            ck_assert_double_eq_tol(reaction[i].row[l].observed, 0, 1e-12);
            ck_assert_double_eq_tol(reaction[i].row[l].physical, 0, 1e-12);
        }
    }
}

START_TEST(every_type)
{
    static const ksJointType type[] = {KS_JOINT_BALL,   KS_JOINT_HINGE, KS_JOINT_SLIDER, KS_JOINT_UNIVERSAL,
                                       KS_JOINT_HINGE2, KS_JOINT_FIXED, KS_JOINT_PR,     KS_JOINT_PU,
                                       KS_JOINT_PISTON, KS_JOINT_DBALL, KS_JOINT_DHINGE};
    int rows[] = {3, 5, 5, 4, 4, 6, 4, 3, 4, 1, 4};
    enum { TYPES = sizeof type / sizeof *type };
    ksRecordedState state[2 * TYPES] = {{{0}, {0}, {0}, {0}}};
    ksRecording *recording;
    makeFolder();
    CHECK_OK(ksRecordingCreate(in("types.h5"), NULL, &recording));
    for (int i = 0; i < 2 * TYPES; i++) {
        state[i] = (ksRecordedState){.position = {i, 0.5 * (i % 2), 0.1}, .quaternion = {0.5, 0.5, -0.5, 0.5}};
        const ksRecordedBody body = {.state = state[i], .mass = 1, .inertia = {1, 0.1, 0, 0.1, 2, 0, 0, 0, 2}};
        CHECK_OK(ksRecordingAddBody(recording, &body, NULL));
    }
    for (int i = 0; i < TYPES; i++) {
        // the first axis of _i is the default second axis of a universal joint
        const ksRecordedJoint joint = {.type = type[i],
                                       .body = {2 * i, 2 * i + 1},
                                       .anchor = {{2 * i + 0.5, 0.2, 0}, {2 * i + 1, 0.5, 0.3}},
                                       .axis = {{0, 3, 0}, {_i, 0, 2}, {2, 0, -_i}}};
        int index = -1;
        CHECK_OK(ksRecordingAddJoint(recording, &joint, &index));
        ck_assert_int_eq(index, i);
    }
    CHECK_OK(ksRecordingBeginStep(recording, 0.01, NULL, NULL));
    CHECK_OK(ksRecordingEndStep(recording, state, NULL));
    CHECK_OK(ksRecordingClose(recording));
    judgeFile(in("types.h5"), countRows, rows);
    removeFolder();
}
END_TEST

/* --- Many records, which a thread packs --- */

/* A base that moved by positions alone would give the mechanism other forces. */
START_TEST(driven_bodies_tell_their_velocities)
{
    static const double h = 0.01, speed = 2;
    ksRecording *recording;
    ksRecordedBody base = {.isDriven = 1, .state.quaternion = {1}};
    makeFolder();
    CHECK_OK(ksRecordingCreate(in("driven.h5"), NULL, &recording));
    CHECK_OK(ksRecordingAddBody(recording, &base, NULL));
    CHECK_OK(ksRecordingBeginStep(recording, h, NULL, NULL));
    ksRecordedState after = base.state;
    after.position[0] = speed * h;
    CHECK_STATUS(ksRecordingEndStep(recording, &after, NULL), KS_ERROR_BAD_ARGUMENT);
    // from rest: its whole velocity comes from this step, early or late in it
    after.velocity[0] = speed;
    CHECK_OK(ksRecordingEndStep(recording, &after, NULL));
    CHECK_OK(ksRecordingBeginStep(recording, h, NULL, NULL));
    after.position[0] -= speed * h;
    CHECK_STATUS(ksRecordingEndStep(recording, &after, NULL), KS_ERROR_BAD_ARGUMENT);
    after.position[0] += 2 * speed * h;
    CHECK_OK(ksRecordingEndStep(recording, &after, NULL));
    CHECK_OK(ksRecordingClose(recording));
    removeFolder();
}
END_TEST

enum { CROWD = 40, LONG = 700 };

/* Of no engine: many words have to change. */
static void recordCrowd(const char *path, int compression)
{
    ksRecordingOptions options;
    ksRecording *recording;
    ksRecordedState state[CROWD] = {{{0}, {0}, {0}, {0}}};
    ksRecordingOptionsInit(&options);
    options.compression = compression;
    CHECK_OK(ksRecordingCreate(path, &options, &recording));
    for (int i = 0; i < CROWD; i++) {
        state[i].quaternion[0] = 1;
        const ksRecordedBody body = {.state = state[i], .mass = 1, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        CHECK_OK(ksRecordingAddBody(recording, &body, NULL));
    }
    for (int step = 0; step < LONG; step++) {
        CHECK_OK(ksRecordingBeginStep(recording, 0.01, NULL, NULL));
        for (int i = 0; i < CROWD; i++)
            for (int k = 0; k < 3; k++) {
                state[i].position[k] = sin(step * (i + 1) + k);
                state[i].velocity[k] = cos(step * (i + 2) + k);
                state[i].angularVelocity[k] = sin(step * (i + 3) - k);
            }
        CHECK_OK(ksRecordingEndStep(recording, state, NULL));
        // in the middle of a chunk, while others are being packed
        if (step == 7 || step == LONG / 3)
            CHECK_OK(ksRecordingFlush(recording));
    }
    CHECK_OK(ksRecordingClose(recording));
}

/* The words are those that HDF5 would write without filters. A batch is KSI_PACKED_CHUNKS of 2^17
 * words; there are several. */
START_TEST(packed_records)
{
    char words[2][KSI_ARCHIVE_WORDS];
    ksiArchive *archive[2];
    uint64_t total = 0;
    makeFolder();
    for (int i = 0; i < 2; i++) {
        recordCrowd(in(i ? "packed.h5" : "plain.h5"), i);
        archive[i] = ksiArchiveOpen(in(i ? "packed.h5" : "plain.h5"), words[i]);
        ck_assert_msg(archive[i] != NULL, "%s", words[i]);
        ck_assert_uint_eq(ksiArchiveCount(archive[i]), LONG + 1);
    }
    for (size_t k = 0; k < LONG + 1; k++) {
        const ksiStepRecord *record[2];
        unsigned process;
        for (int i = 0; i < 2; i++) {
            CHECK_OK(ksiArchiveRead(archive[i], k, &record[i], &process));
            ck_assert_ptr_nonnull(record[i]);
        }
        ck_assert_uint_eq(record[0]->bytes, record[1]->bytes);
        // bodies are at other addresses, so only the results are compared
        ck_assert_mem_eq(ksiRecordedEnds(record[0]), ksiRecordedEnds(record[1]),
                         record[0]->bodyCount * sizeof(ksiBodyResult));
        total += record[0]->bodyCount * sizeof(ksiBodyResult) / sizeof(uint64_t);
    }
    ck_assert_uint_gt(total, UINT64_C(4) << 17);
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(ksiArchiveDamaged(archive[i]), 0);
        ck_assert(ksiArchiveClose(archive[i]));
    }
    removeFolder();
}
END_TEST

/* The expected words after a record: bodies start the next step as they ended this one. For words
 * that are no record, nothing. */
START_TEST(expected_records)
{
    enum { WORDS = (sizeof(ksiStepRecord) + sizeof(ksiBodyRecord) + sizeof(ksiBodyResult)) / sizeof(uint64_t) };
    uint64_t words[WORDS], before[WORDS];
    ksiStepRecord *head = (void *)words;
    ksiBodyRecord *body = (void *)(head + 1);
    ksiBodyResult *end = (void *)(body + 1);
    for (size_t i = 0; i < WORDS; i++)
        words[i] = before[i] = i;
    ksiExpectNext(words, WORDS);
    ck_assert_mem_eq(words, before, sizeof words);
    static const uint64_t absurd[][2] = {{2, 0}, {1, 1}, {UINT64_MAX, 0}, {UINT64_MAX / 2, 3}, {1, UINT64_MAX}};
    for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++) {
        head->bodyCount = absurd[i][0];
        head->jointCount = absurd[i][1];
        memcpy(before, words, sizeof words);
        ksiExpectNext(words, WORDS);
        ck_assert_mem_eq(words, before, sizeof words);
    }
    head->bodyCount = 1;
    head->jointCount = 0;
    ksiExpectNext(words, sizeof(ksiStepRecord) / sizeof(uint64_t) - 1);
    ck_assert_mem_eq(before, words, sizeof(uint64_t));
    memcpy(before, words, sizeof words);
    ksiExpectNext(words, WORDS);
    ck_assert_mem_eq(&body->copy.state, &end->state, sizeof end->state);
    memcpy(&((ksiBodyRecord *)(void *)((ksiStepRecord *)(void *)before + 1))->copy.state, &end->state,
           sizeof end->state);
    ck_assert_mem_eq(words, before, sizeof words);
}
END_TEST

/* --- No input is trusted --- */

static const ksRecordedBody sound = {
    .state = {.quaternion = {1, 0, 0, 0}}, .mass = 1, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static ksRecording *recordTwo(void)
{
    ksRecording *recording;
    CHECK_OK(ksRecordingCreate(in("refused.h5"), NULL, &recording));
    for (int i = 0; i < 2; i++)
        CHECK_OK(ksRecordingAddBody(recording, &sound, NULL));
    return recording;
}

START_TEST(refuses_bodies)
{
    makeFolder();
    ksRecording *recording = recordTwo();
#define REFUSED(change, status)                                                                                        \
    do {                                                                                                               \
        ksRecordedBody body = sound;                                                                                   \
        body.change;                                                                                                   \
        CHECK_STATUS(ksRecordingAddBody(recording, &body, NULL), status);                                              \
        ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "ksRecordingAddBody: "));                                       \
    } while (0)
    REFUSED(mass = 0, KS_ERROR_BAD_ARGUMENT);
    REFUSED(mass = -1, KS_ERROR_BAD_ARGUMENT);
    REFUSED(mass = 1e-320, KS_ERROR_BAD_ARGUMENT);
    REFUSED(mass = NAN, KS_ERROR_NOT_FINITE);
    REFUSED(inertia[0] = 0, KS_ERROR_NOT_POSITIVE_DEFINITE);
    REFUSED(inertia[8] = 1e-14, KS_ERROR_NOT_POSITIVE_DEFINITE);
    REFUSED(inertia[5] = 0.1, KS_ERROR_BAD_ARGUMENT);
    REFUSED(inertia[3] = INFINITY, KS_ERROR_NOT_FINITE);
    REFUSED(state.quaternion[0] = 0, KS_ERROR_BAD_ARGUMENT);
    REFUSED(state.quaternion[0] = 1.01, KS_ERROR_BAD_ARGUMENT);
    REFUSED(state.quaternion[2] = NAN, KS_ERROR_NOT_FINITE);
    REFUSED(state.position[1] = INFINITY, KS_ERROR_NOT_FINITE);
    REFUSED(state.velocity[1] = NAN, KS_ERROR_NOT_FINITE);
    REFUSED(state.angularVelocity[2] = NAN, KS_ERROR_NOT_FINITE);
#undef REFUSED
    const ksRecordedBody point = {.state = sound.state, .mass = 1};
    CHECK_STATUS(ksRecordingAddBody(recording, &point, NULL), KS_ERROR_NOT_POSITIVE_DEFINITE);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "body->inertia is not positive definite"));
    CHECK_STATUS(ksRecordingAddBody(recording, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksRecordingAddBody(NULL, &sound, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksRecordingClose(recording));
    removeFolder();
}
END_TEST

START_TEST(refuses_joints)
{
    const ksRecordedJoint universal = {.type = KS_JOINT_UNIVERSAL, .body = {0, 1}, .axis = {{1, 0, 0}, {0, 1, 0}}};
    makeFolder();
    ksRecording *recording = recordTwo();
#define REFUSED(change, status)                                                                                        \
    do {                                                                                                               \
        ksRecordedJoint joint = universal;                                                                             \
        joint.change;                                                                                                  \
        CHECK_STATUS(ksRecordingAddJoint(recording, &joint, NULL), status);                                            \
    } while (0)
    REFUSED(type = (ksJointType)4, KS_ERROR_BAD_ARGUMENT);
    REFUSED(type = (ksJointType)-1, KS_ERROR_BAD_ARGUMENT);
    REFUSED(body[0] = 2, KS_ERROR_BAD_ARGUMENT);
    REFUSED(body[0] = -1, KS_ERROR_BAD_ARGUMENT);
    REFUSED(body[1] = -2, KS_ERROR_BAD_ARGUMENT);
    REFUSED(body[1] = 0, KS_ERROR_BAD_ARGUMENT);
    REFUSED(axis[0][0] = 0, KS_ERROR_BAD_ARGUMENT);
    REFUSED(axis[1][0] = INFINITY, KS_ERROR_NOT_FINITE);
    REFUSED(axis[0][0] = 1e-9; joint.axis[0][1] = 1, KS_ERROR_BAD_ARGUMENT);
    REFUSED(anchor[0][2] = NAN, KS_ERROR_NOT_FINITE);
    REFUSED(type = KS_JOINT_HINGE2; joint.body[1] = -1, KS_ERROR_BAD_ARGUMENT);
#undef REFUSED
    CHECK_OK(ksRecordingAddJoint(recording, &universal, NULL));
    CHECK_STATUS(ksRecordingAddJoint(recording, &universal, NULL), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "already"));
    CHECK_STATUS(ksRecordingAddJoint(recording, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksRecordingClose(recording));
    removeFolder();
}
END_TEST

START_TEST(refuses_steps)
{
    const ksWrench loads[2] = {{{NAN, 0, 0}, {0}}};
    ksRecordedState after[2] = {sound.state, sound.state};
    makeFolder();
    ksRecording *recording = recordTwo();
    CHECK_STATUS(ksRecordingEndStep(recording, after, NULL), KS_ERROR_BRACKET);
    CHECK_STATUS(ksRecordingBeginStep(recording, 0, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksRecordingBeginStep(recording, NAN, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksRecordingBeginStep(recording, 0.01, NULL, loads), KS_ERROR_NOT_FINITE);
    after[1].quaternion[0] = 2;
    CHECK_STATUS(ksRecordingBeginStep(recording, 0.01, after, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksRecordingBeginStep(recording, 0.01, NULL, NULL));
    CHECK_STATUS(ksRecordingBeginStep(recording, 0.01, NULL, NULL), KS_ERROR_BRACKET);
    CHECK_STATUS(ksRecordingAddBody(recording, &sound, NULL), KS_ERROR_BRACKET);
    CHECK_STATUS(ksRecordingEndStep(recording, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksRecordingEndStep(recording, after, NULL), KS_ERROR_BAD_ARGUMENT);
    after[1].quaternion[0] = 1;
    CHECK_OK(ksRecordingEndStep(recording, after, NULL));
    CHECK_OK(ksRecordingFlush(recording));
    CHECK_STATUS(ksRecordingFlush(NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksRecordingBeginStep(recording, 0.01, NULL, NULL));
    CHECK_OK(ksRecordingClose(recording));
    CHECK_OK(ksRecordingClose(NULL));
    removeFolder();
}
END_TEST

START_TEST(refuses_files)
{
    ksRecordingOptions options;
    ksRecording *recording;
    CHECK_STATUS(ksRecordingCreate("/nowhere/at/all.h5", NULL, &recording), KS_ERROR_FILE);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "/nowhere/at/all.h5"));
    // HDF5 writes only to regular files
    CHECK_STATUS(ksRecordingCreate("/dev/full", NULL, &recording), KS_ERROR_FILE);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), strerror(ENOTSUP)));
    CHECK_STATUS(ksRecordingCreate("a.h5", NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    ksRecordingOptionsInit(&options);
    options.compression = 10;
    CHECK_STATUS(ksRecordingCreate("a.h5", &options, &recording), KS_ERROR_BAD_ARGUMENT);
    ksRecordingOptionsInit(&options);
    options.gravity[1] = NAN;
    CHECK_STATUS(ksRecordingCreate("a.h5", &options, &recording), KS_ERROR_NOT_FINITE);
    options.size = 0;
    CHECK_STATUS(ksRecordingCreate("a.h5", &options, &recording), KS_ERROR_BAD_ARGUMENT);
}
END_TEST

/* --- A child writes nothing, and does not close the file when it ends --- */

static void rest(ksRecording *recording, int steps)
{
    const ksRecordedState state[2] = {sound.state, sound.state};
    for (int i = 0; i < steps; i++) {
        CHECK_OK(ksRecordingBeginStep(recording, 0.01, NULL, NULL));
        CHECK_OK(ksRecordingEndStep(recording, state, NULL));
    }
}

static void countSteps(ksInspector *inspector, int step, void *user)
{
    (void)inspector;
    *(int *)user = step + 1;
}

START_TEST(forked_child)
{
    enum { BEFORE = 30, AFTER = 20 };
    int status, judged = 0;
    makeFolder();
    ksRecording *recording = recordTwo();
    rest(recording, BEFORE);
    CHECK_OK(ksRecordingFlush(recording));
    rest(recording, 1);
    const pid_t child = fork();
    if (child == 0) {
        const bool isRefused = ksRecordingBeginStep(recording, 0.01, NULL, NULL) == KS_ERROR_FILE &&
                               ksRecordingFlush(recording) == KS_ERROR_FILE && ksRecordingClose(recording) == KS_OK;
        exit(isRefused ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    rest(recording, AFTER);
    CHECK_OK(ksRecordingClose(recording));
    judgeFile(in("refused.h5"), countSteps, &judged);
    ck_assert_int_eq(judged, BEFORE + 1 + AFTER);
    removeFolder();
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("recording_calls");
    tcase_add_loop_test(tcase, every_type, 0, 2);
    tcase_add_test(tcase, driven_bodies_tell_their_velocities);
    tcase_add_test(tcase, packed_records);
    tcase_add_test(tcase, expected_records);
    tcase_add_test(tcase, refuses_bodies);
    tcase_add_test(tcase, refuses_joints);
    tcase_add_test(tcase, refuses_steps);
    tcase_add_test(tcase, refuses_files);
    tcase_add_test(tcase, forked_child);
    return runCase("recording_calls", tcase);
}

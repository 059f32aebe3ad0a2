/* check_size_memory.c  The memory that sizing takes does not depend on the length of the trace. */
#define _GNU_SOURCE
#include "tests/kits/report/size_kit.h"

#include <math.h>

/* kB, of a process that sizes the trace. */
static long memoryOf(const char *path)
{
    const ksiSizeOptions options = sizeOptions();
    struct rusage used;
    int status;
    const pid_t child = fork();
    if (child == 0) {
        ksiSizing sizing = sizeOf(path, &options);
        ksiSizingFree(&sizing);
        _exit(0);
    }
    ck_assert_int_eq(wait4(child, &status, 0, &used), child);
    ck_assert_int_eq(status, 0);
    return used.ru_maxrss;
}

static void traceLong(const char *path, long steps)
{
    Scene *scene = sceneChain(1, SCENE_FALLING);
    ksInspectorOptions given = defaultOptions();
    ksInspector *inspector = inspectWith(scene->world, &given);
    ksTraceOptions options = traceOptions();
    options.flushSeconds = 1e9;
    ksTrace *trace = traceInto(path, &options);
    CHECK_OK(ksTraceWatch(trace, inspector, NULL));
    for (long i = 0; i < steps; i++)
        CHECK_OK(ksInspectorQuickStep(inspector, stepSize));
    CHECK_OK(ksTraceClose(trace));
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}

/* kB: HDF5's index of chunks in a file a hundred times as long */
static const long indexes = 4096;

static void checkMemory(long steps)
{
    traceLong(in("short.h5"), steps / 100);
    traceLong(in("long.h5"), steps);
    ck_assert_int_le(memoryOf(in("long.h5")), memoryOf(in("short.h5")) + indexes);
}

START_TEST(memory_does_not_grow)
{
    checkMemory(100000);
}
END_TEST

START_TEST(memory_of_a_million_steps)
{
    checkMemory(1000000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("size memory");
    TCase *forks = tcase_create("memory"), *longer = tcase_create("long");
    // a sanitizer keeps freed memory
    tcase_set_tags(forks, "fork");
    tcase_add_checked_fixture(forks, makeFolder, removeFolder);
    tcase_add_test(forks, memory_does_not_grow);
    suite_add_tcase(suite, forks);
    tcase_set_tags(longer, "long");
    tcase_add_checked_fixture(longer, makeFolder, removeFolder);
    tcase_add_test(longer, memory_of_a_million_steps);
    suite_add_tcase(suite, longer);
    return runSuite(suite);
}

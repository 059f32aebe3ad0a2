/* check_schedule.c  How kinetostat-mpi hands out recordings: each part of each file once, most
 * files as a whole, and no part so large that others wait for it. */
#include "tests/kits/support.h"

#include "plugin/mpi/schedule.h"
#include "plugin/report/collect/run.h"

enum { MOST_FILES = 1000, MIB = 1 << 20 };

/* A file's name is its size in MiB. */
uint64_t ksiFileBytes(const char *path)
{
    return strtoull(path, NULL, 10) * MIB;
}

typedef struct Totals {
    unsigned units, whole;
    uint64_t bytes, largest; /* of all parts; of the largest part */
} Totals;

/* Parts of a file come one after the other, from the first to the last. */
static Totals scheduleAll(char *const *file, unsigned takers)
{
    Totals totals = {.units = 0};
    uint64_t bytes = 0;
    uint32_t files = 0, part = 0;
    for (; file[files]; files++)
        bytes += ksiFileBytes(file[files]);
    ksiSchedule schedule = ksiScheduleBegin(file, takers, bytes);
    files = 0;
    for (ksiUnit unit; (unit = ksiScheduleNext(&schedule)).parts > 0; totals.units++) {
        ck_assert_uint_eq(unit.file, files);
        ck_assert_uint_eq(unit.part, part);
        ck_assert_uint_le(unit.parts, KSI_MOST_SHARDS);
        totals.bytes += unit.bytes;
        totals.whole += unit.parts == 1;
        totals.largest = part == 0 || unit.bytes > totals.largest ? unit.bytes : totals.largest;
        part = part + 1 == unit.parts ? 0 : part + 1;
        files += part == 0;
    }
    ck_assert(!file[files]);
    ck_assert_uint_eq(part, 0);
    // parts lose no bytes except by rounding to whole bytes
    ck_assert_uint_le(totals.bytes, bytes);
    ck_assert_uint_le(bytes - totals.bytes, totals.units);
    return totals;
}

static char *many[MOST_FILES + 1];

static void fill(char *size, size_t count)
{
    for (size_t i = 0; i < count; i++)
        many[i] = size;
    many[count] = NULL;
}

START_TEST(one_taker_gets_whole_files)
{
    char *file[] = {"9000", "0", "1", "500", NULL};
    ck_assert_uint_eq(scheduleAll(file, 1).units, 4);
}
END_TEST

/* While more bytes are left than one file for each rank, a file is handed out whole. */
START_TEST(many_files_stay_whole)
{
    fill("12", MOST_FILES);
    const Totals totals = scheduleAll(many, 8);
    ck_assert_uint_eq(totals.whole, MOST_FILES - 7);
    // the last file is shared by all
    ck_assert_uint_eq(totals.largest, MIB * 12 / 8);
}
END_TEST

START_TEST(a_large_file_is_for_all)
{
    char *file[] = {"640", NULL};
    ck_assert_uint_eq(scheduleAll(file, 8).units, 8);
    ck_assert_uint_eq(scheduleAll(file, 640).units, 640);
    // no part is smaller than a window
    ck_assert_uint_eq(scheduleAll(file, 641).units, 640);
}
END_TEST

START_TEST(parts_are_no_more_than_a_run_may_have)
{
    char *file[] = {"1000000", NULL};
    ck_assert_uint_eq(scheduleAll(file, 100000).units, KSI_MOST_SHARDS);
}
END_TEST

/* Files grow, shrink or disappear between the count and their turn. */
START_TEST(files_that_change)
{
    char *file[] = {"3", "0", "40", NULL};
    ksiSchedule schedule = ksiScheduleBegin(file, 4, MIB);
    unsigned files = 0;
    for (ksiUnit unit; (unit = ksiScheduleNext(&schedule)).parts > 0;)
        files += unit.part == 0;
    ck_assert_uint_eq(files, 3);
    ck_assert_uint_eq(ksiScheduleNext(&schedule).parts, 0);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("schedule");
    tcase_add_test(test, one_taker_gets_whole_files);
    tcase_add_test(test, many_files_stay_whole);
    tcase_add_test(test, a_large_file_is_for_all);
    tcase_add_test(test, parts_are_no_more_than_a_run_may_have);
    tcase_add_test(test, files_that_change);
    return runCase("schedule", test);
}

/* check_cycles.c  Cycles of a load: against the standard's example and another implementation, and the
 * classes that count them. */
#include "plugin/size/size.h"
#include "tests/kits/support.h"

#include <math.h>

enum { MOST_CYCLES = 4096 };

typedef struct Cycles {
    int count;
    double range[MOST_CYCLES], mean[MOST_CYCLES];
    unsigned halves[MOST_CYCLES];
} Cycles;

/* Adds up half cycles of equal range and mean. */
static void addCycle(Cycles *cycles, double range, double mean, unsigned halves)
{
    int i = 0;
    while (i < cycles->count && (cycles->range[i] != range || cycles->mean[i] != mean))
        i++;
    ck_assert_int_lt(i, MOST_CYCLES);
    if (i == cycles->count) {
        cycles->range[i] = range;
        cycles->mean[i] = mean;
        cycles->halves[i] = 0;
        cycles->count++;
    }
    cycles->halves[i] += halves;
}

static void collect(void *user, ksiTurn from, ksiTurn to, unsigned halves)
{
    addCycle(user, fabs(to.value - from.value), (from.value + to.value) / 2, halves);
}

static void count(const double *value, int length, bool isRepeated, Cycles *out)
{
    ksiRainflow flow = {.count = collect, .user = out};
    static const double none[MOST_CYCLES];
    ksiRainflowAdd(&flow, length, value, none, none);
    ksiRainflowEnd(&flow, isRepeated);
    ck_assert_uint_eq(flow.early, 0);
}

static unsigned halvesOf(const Cycles *cycles, double range)
{
    unsigned sum = 0;
    for (int i = 0; i < cycles->count; i++)
        sum += cycles->range[i] == range ? cycles->halves[i] : 0;
    return sum;
}

/* ASTM E1049-85, figure 6 and its table. */
START_TEST(the_example_of_the_standard)
{
    static const double series[] = {-2, 1, -3, 5, -1, 3, -4, 4, -2};
    static const unsigned wanted[10] = {0, 0, 0, 1, 3, 0, 1, 0, 2, 1};
    Cycles found = {.count = 0}, repeated = {.count = 0};
    count(series, 9, false, &found);
    for (int range = 0; range < 10; range++)
        ck_assert_uint_eq(halvesOf(&found, range), wanted[range]);
    // starting at its largest peak: 5 -1 3 -4 4 -2 1 -3 5
    static const unsigned whole[10] = {0, 0, 0, 2, 2, 0, 0, 2, 0, 2};
    count(series, 9, true, &repeated);
    for (int range = 0; range < 10; range++)
        ck_assert_uint_eq(halvesOf(&repeated, range), whole[range]);
}
END_TEST

/* Reduces a series to its peaks and valleys. */
static int turnsOf(const double *value, int length, double *turn)
{
    int turns = 0;
    for (int i = 0; i < length; i++) {
        if (turns > 0 && turn[turns - 1] == value[i])
            continue;
        if (turns > 1 && (turn[turns - 1] - turn[turns - 2]) * (value[i] - turn[turns - 1]) > 0)
            turns--;
        turn[turns++] = value[i];
    }
    return turns;
}

/* Section 5.4.4 literally: the whole list, three points, and the start S. isWhole: 5.4.5, for a
 * list that begins and ends with its largest peak. */
static void countByList(const double *value, int length, bool isWhole, Cycles *out)
{
    double list[2048];
    int points = turnsOf(value, length, list), start = 0, end = 3;
    while (end <= points) {
        const double x = fabs(list[end - 1] - list[end - 2]), y = fabs(list[end - 2] - list[end - 3]);
        const double mean = (list[end - 2] + list[end - 3]) / 2;
        if (end - start < 3 || x < y) {
            end++;
        } else if (end - 3 == start && !isWhole) {
            addCycle(out, y, mean, 1);
            start++;
        } else {
            addCycle(out, y, mean, 2);
            memmove(list + end - 3, list + end - 1, (size_t)(points - end + 1) * sizeof *list);
            points -= 2;
            end = end - 2 < start + 3 ? start + 3 : end - 2;
        }
    }
    for (int i = start; i + 1 < points; i++)
        addCycle(out, fabs(list[i + 1] - list[i]), (list[i + 1] + list[i]) / 2, 1);
}

static void compareCycles(const Cycles *found, const Cycles *wanted)
{
    unsigned sum = 0, all = 0;
    for (int i = 0; i < wanted->count; i++) {
        unsigned halves = 0;
        for (int k = 0; k < found->count; k++)
            if (found->range[k] == wanted->range[i] && found->mean[k] == wanted->mean[i])
                halves = found->halves[k];
        ck_assert_msg(halves == wanted->halves[i], "range %g, mean %g: %u half cycles, not %u", wanted->range[i],
                      wanted->mean[i], halves, wanted->halves[i]);
        sum += halves;
    }
    for (int k = 0; k < found->count; k++)
        all += found->halves[k];
    ck_assert_uint_eq(all, sum);
}

static uint64_t seed;

static unsigned draw(unsigned below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % below;
}

enum { SERIES = 10000, LONGEST = 400 };

/* Series of whole numbers, in which ranges are often equal, and of others, in which they never
 * are. */
START_TEST(random_series)
{
    for (int n = 0; n < SERIES; n++) {
        double value[LONGEST], again[2 * LONGEST];
        seed = (uint64_t)n;
        const int length = 1 + (int)draw(n % 10 ? 40 : LONGEST);
        const unsigned classes = n % 3 ? 12 : 1u << 30;
        for (int i = 0; i < length; i++)
            value[i] = (double)draw(classes) - 5;
        Cycles found = {.count = 0}, wanted = {.count = 0};
        count(value, length, false, &found);
        countByList(value, length, false, &wanted);
        compareCycles(&found, &wanted);
        int peak = 0;
        for (int i = 0; i < length; i++)
            peak = value[i] > value[peak] ? i : peak;
        for (int i = 0; i <= length; i++)
            again[i] = value[(peak + i) % length];
        found.count = wanted.count = 0;
        count(value, length, true, &found);
        countByList(again, length + 1, true, &wanted);
        compareCycles(&found, &wanted);
    }
}
END_TEST

static void weigh(void *user, ksiTurn from, ksiTurn to, unsigned halves)
{
    *(double *)user += halves * fabs(to.value - from.value);
}

/* A fading and a growing vibration, longer than the buffer: no range is lost. */
START_TEST(nested_ranges_without_end)
{
    for (int isGrowing = 0; isGrowing < 2; isGrowing++) {
        const int length = 5000;
        double sum = 0, wanted = 0, before = 0;
        ksiRainflow flow = {.count = weigh, .user = &sum};
        for (int i = 0; i < length; i++) {
            const double size = isGrowing ? 1 + i : length - i, value = i % 2 ? size : -size;
            static const double none;
            ksiRainflowAdd(&flow, 1, &value, &none, &none);
            wanted += i > 0 ? fabs(value - before) : 0;
            before = value;
        }
        ksiRainflowEnd(&flow, false);
        ck_assert_uint_gt(flow.early, 0);
        // each early cycle of a fading vibration joins a pair whose ranges differ by 2 of up to
        // 10^4, which enlarges the next cycle by 2
        ck_assert_double_eq_tol(sum / wanted, 1, 1e-3);
    }
}
END_TEST

START_TEST(classes_hold_what_they_say)
{
    static ksiMatrix matrix, other;
    enum { CYCLES = 300 };
    double range[CYCLES], mean[CYCLES];
    seed = 7;
    for (int i = 0; i < CYCLES; i++) {
        range[i] = ldexp(1 + draw(1000), i % 30 - 15);
        mean[i] = ldexp((double)draw(1000) - 500, (i + 7) % 30 - 15);
        ksiMatrixAdd(&matrix, range[i], mean[i], 1);
    }
    // in another order
    for (int i = CYCLES; i-- > 0;)
        ksiMatrixAdd(&other, range[i], mean[i], 1);
    ck_assert_mem_eq(&matrix, &other, sizeof matrix);
    for (int a = 0; a < KSI_RANGE_CLASSES; a++)
        for (int b = 0; b < KSI_MEAN_CLASSES; b++) {
            const double from = a * matrix.rangeWidth, least = (b - KSI_MEAN_CLASSES / 2) * matrix.meanWidth;
            uint64_t wanted = 0;
            for (int i = 0; i < CYCLES; i++)
                wanted += range[i] >= from && range[i] < from + matrix.rangeWidth && mean[i] >= least &&
                          mean[i] < least + matrix.meanWidth;
            ck_assert_uint_eq(matrix.halves[a][b], wanted);
        }
}
END_TEST

/* Nothing bounds the force in one of two steps: then nothing bounds a mean of its powers, unless
 * the step has no share in it. */
START_TEST(a_step_without_a_bound)
{
    const double share = _i % 2;
    _Alignas(64) const double value[16] = {3, 3}, bar[16] = {1, INFINITY}, weight[16] = {1, share};
    const int which = _i / 2;
    ksiPowerSum sum[2] = {{0}};
    ksiPowerSumAdd(&sum[0], which, 2, value, bar, weight);
    for (int i = 0; i < 2; i++)
        ksiSquareAdd(&sum[1], value[i], bar[i], weight[i]);
    for (int i = 0; i < 2; i++) {
        const ksiBetween mean = ksiPowerMean(&sum[i], i == 0 ? ksiPowers[which] : 2);
        ck_assert_double_eq_tol(mean.value, 3, 1e-12);
        ck_assert_double_le(mean.low, 2 + 1e-12);
        if (share > 0)
            ck_assert_double_eq(mean.high, INFINITY);
        else
            ck_assert_double_eq_tol(mean.high, 4, 1e-12);
    }
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("cycles");
    tcase_add_test(test, the_example_of_the_standard);
    tcase_add_test(test, random_series);
    tcase_add_test(test, nested_ranges_without_end);
    tcase_add_test(test, classes_hold_what_they_say);
    tcase_add_loop_test(test, a_step_without_a_bound, 0, 6);
    return runCase("cycles", test);
}

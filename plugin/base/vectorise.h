/* vectorise.h  Tools for small dense kernels: four numbers at a time, and code that is chosen for
 * the processor at run time.
 *
 * ksiFour is four doubles at any address; arithmetic on it is element by element. If the machine
 * has narrower registers, the compiler splits it. Pass it by address: its calling convention is not
 * the same on all machines. */
#ifndef KSI_BASE_VECTORISE_H
#define KSI_BASE_VECTORISE_H

#include "sanitizer.h"

typedef double ksiFour __attribute__((vector_size(32), aligned(8), may_alias));
typedef unsigned long long ksiFourBits __attribute__((vector_size(32), aligned(8), may_alias));
typedef double ksiTwo __attribute__((vector_size(16), aligned(8), may_alias));
typedef unsigned long long ksiTwoBits __attribute__((vector_size(16), aligned(8), may_alias));

/* The content of one register. gcc splits wider vectors through memory, where loads wait for stores
 * of another width, so the most expensive kernels use this type. */
#if defined __AVX__ || defined KS_TARGET_CLONES || defined __clang__
typedef ksiFour ksiRegister;
typedef ksiFourBits ksiRegisterBits;
#else
#define KSI_NARROW
typedef ksiTwo ksiRegister;
typedef ksiTwoBits ksiRegisterBits;
#endif
enum { KSI_LANES = sizeof(ksiRegister) / sizeof(double) };

/* tests/coverage.sh counts each branch once, so loops are not unrolled, and functions are neither
 * inlined nor compiled for several processors. */
#ifdef KSI_COUNT_BRANCHES
#undef KS_TARGET_CLONES
#define KSI_KEEP_LOOPS
#define KSI_INLINE static inline __attribute__((unused))
#else
/* For functions that are called by a function with several versions. Inlining compiles them for the
 * processor of each version; a call would reach the generic code. */
#define KSI_INLINE static inline __attribute__((always_inline))
#endif

/* gcc would instrument the resolver that chooses the version. The resolver runs before the
 * sanitizer starts. */
#if defined __SANITIZE_THREAD__
#undef KS_TARGET_CLONES
#endif

/* KSI_CLONES stands before the definition of a function, and makes two versions: one for processors
 * with FMA (and AVX2, if the compiler can target both), one for any processor. KSI_CLONES_EXACT:
 * both versions round each product and each sum, as the engine does. */
#ifdef KS_TARGET_CLONES
#define KSI_CLONES __attribute__((target_clones(KS_TARGET_CLONES, "default")))
#define KSI_CLONES_EXACT __attribute__((target_clones("avx2", "default")))
#else
#define KSI_CLONES
#define KSI_CLONES_EXACT
#endif

/* In builds with a sanitizer, unrolled code takes minutes to compile, so these builds keep loops
 * with variable bounds. */
#if defined KSI_ADDRESS_SANITIZER || defined KSI_UNDEFINED_SANITIZER
#define KSI_KEEP_LOOPS
#endif

/* Unrolls the following loop of at most a dozen iterations. */
#ifdef KSI_KEEP_LOOPS
#define KSI_UNROLL
#elif defined __clang__
#define KSI_UNROLL _Pragma("unroll")
#else
#define KSI_UNROLL _Pragma("GCC unroll 12")
#endif

#define EACH(i, from, to) KSI_UNROLL for (int i = (from); i < (to); i++)
#define EACH_DOWN(i, from, to) KSI_UNROLL for (int i = (to)-1; i >= (from); i--)

/* Calls CALL(rows) with a compile-time constant from 1 to 6. */
#ifdef KSI_KEEP_LOOPS
#define KSI_BY_ROWS(rows, CALL) CALL(rows);
#else
#define KSI_BY_ROWS(rows, CALL)                                                                                        \
    switch (rows) {                                                                                                    \
    case 1:                                                                                                            \
        CALL(1);                                                                                                       \
        break;                                                                                                         \
    case 2:                                                                                                            \
        CALL(2);                                                                                                       \
        break;                                                                                                         \
    case 3:                                                                                                            \
        CALL(3);                                                                                                       \
        break;                                                                                                         \
    case 4:                                                                                                            \
        CALL(4);                                                                                                       \
        break;                                                                                                         \
    case 5:                                                                                                            \
        CALL(5);                                                                                                       \
        break;                                                                                                         \
    default:                                                                                                           \
        CALL(6);                                                                                                       \
    }
#endif

/* Picks elements of two vectors; indices 0 to 7. */
#if defined(__clang__) || __GNUC__ >= 12
#define KSI_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define KSI_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, (ksiFourBits){i, j, k, l})
#endif

/* ksiLarger: the larger of two numbers; ksiSmaller: the smaller. Both return `a` if either number
 * is a NaN. fmax and fmin would be function calls. */
KSI_INLINE double ksiLarger(double a, double b)
{
    return b > a ? b : a;
}

KSI_INLINE double ksiSmaller(double a, double b)
{
    return b < a ? b : a;
}

/* Keeps the larger number of each lane; if the number in x is a NaN, keeps the number in `most`. */
KSI_INLINE void ksiKeepLarger(ksiFour *most, const ksiFour *x)
{
    const ksiFourBits isLarger = (ksiFourBits)(*x > *most);
    *most = (ksiFour)(((ksiFourBits)*x & isLarger) | ((ksiFourBits)*most & ~isLarger));
}

/* Transpose 2 x 2 and 4 x 4 matrices in place. */
KSI_INLINE void ksiTransposeTwo(ksiTwo x[2])
{
    const ksiTwo first = x[0], second = x[1];
    x[0] = (ksiTwo){first[0], second[0]};
    x[1] = (ksiTwo){first[1], second[1]};
}

KSI_INLINE void ksiTranspose(ksiFour x[4])
{
#ifdef KSI_NARROW
    ksiTwo *half = (ksiTwo *)x, turned[8];
    EACH (i, 0, 2)
        EACH (k, 0, 2) {
            ksiTwo block[2] = {half[4 * i + k], half[4 * i + 2 + k]};
            ksiTransposeTwo(block);
            turned[4 * k + i] = block[0];
            turned[4 * k + 2 + i] = block[1];
        }
    EACH (i, 0, 8)
        half[i] = turned[i];
#else
    const ksiFour a = KSI_SHUFFLE(x[0], x[1], 0, 4, 2, 6), b = KSI_SHUFFLE(x[0], x[1], 1, 5, 3, 7);
    const ksiFour c = KSI_SHUFFLE(x[2], x[3], 0, 4, 2, 6), d = KSI_SHUFFLE(x[2], x[3], 1, 5, 3, 7);
    x[0] = KSI_SHUFFLE(a, c, 0, 1, 4, 5);
    x[1] = KSI_SHUFFLE(b, d, 0, 1, 4, 5);
    x[2] = KSI_SHUFFLE(a, c, 2, 3, 6, 7);
    x[3] = KSI_SHUFFLE(b, d, 2, 3, 6, 7);
#endif
}

/* The sum of both halves. */
KSI_INLINE ksiTwo ksiFold(const ksiFour *a)
{
    return (ksiTwo){(*a)[0], (*a)[1]} + (ksiTwo){(*a)[2], (*a)[3]};
}

/* a . b of six elements: a body's row, force or velocity */
KSI_INLINE double ksiDotSix(const double *a, const double *b)
{
    const ksiFour four = *(const ksiFour *)a * *(const ksiFour *)b;
    const ksiTwo sum = ksiFold(&four) + *(const ksiTwo *)(a + 4) * *(const ksiTwo *)(b + 4);
    return sum[0] + sum[1];
}

/* y += times * x, six elements */
KSI_INLINE void ksiAddSix(double *y, double times, const double *x)
{
    EACH (v, 0, 4 / KSI_LANES)
        ((ksiRegister *)y)[v] += times * ((const ksiRegister *)x)[v];
    *(ksiTwo *)(y + 4) += times * *(const ksiTwo *)(x + 4);
}

/* a . b of `count` elements */
KSI_INLINE double ksiDotMany(int count, const double *a, const double *b)
{
    ksiFour four = {0};
    int k = 0;
    for (; k + 4 <= count; k += 4)
        four += *(const ksiFour *)(a + k) * *(const ksiFour *)(b + k);
    const ksiTwo two = ksiFold(&four);
    double sum = two[0] + two[1];
    for (; k < count; k++)
        sum += a[k] * b[k];
    return sum;
}

/* y += times * x, `count` elements */
KSI_INLINE void ksiAddMany(int count, double times, const double *x, double *y)
{
    int k = 0;
    for (; k + 4 <= count; k += 4)
        EACH (v, 0, 4 / KSI_LANES)
            ((ksiRegister *)(y + k))[v] += times * ((const ksiRegister *)(x + k))[v];
    for (; k < count; k++)
        y[k] += times * x[k];
}

/* y += times * x, twelve elements: both bodies of a joint */
KSI_INLINE void ksiAddTwelve(ksiFour y[3], double times, const double *x)
{
    EACH (v, 0, 12 / KSI_LANES)
        ((ksiRegister *)y)[v] += times * ((const ksiRegister *)x)[v];
}

/* Sum of rows of twelve elements, each times its multiplier; rows are `stride` numbers apart. */
KSI_INLINE void ksiSumTwelve(int count, const double *times, const double *row, int stride, ksiFour out[3])
{
    ksiRegister sum[12 / KSI_LANES];
    EACH (v, 0, 12 / KSI_LANES)
        sum[v] = (ksiRegister){0};
    for (int l = 0; l < count; l++, row += stride)
        EACH (v, 0, 12 / KSI_LANES)
            sum[v] += times[l] * ((const ksiRegister *)row)[v];
    EACH (v, 0, 12 / KSI_LANES)
        ((ksiRegister *)out)[v] = sum[v];
}

/* Joins six numbers of each body of a joint into twelve. */
KSI_INLINE void ksiJoinSixes(const double *const from[2], ksiFour twelve[3])
{
    const ksiFour end = *(const ksiFour *)(from[0] + 2), start = *(const ksiFour *)from[1];
    twelve[0] = *(const ksiFour *)from[0];
    twelve[1] = KSI_SHUFFLE(end, start, 2, 3, 4, 5);
    twelve[2] = *(const ksiFour *)(from[1] + 2);
}

/* a . b of twelve elements */
KSI_INLINE double ksiDotTwelve(const double *a, const double *b)
{
    const ksiFour *p = (const ksiFour *)a, *q = (const ksiFour *)b;
    const ksiFour four = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    const ksiTwo sum = ksiFold(&four);
    return sum[0] + sum[1];
}

#endif

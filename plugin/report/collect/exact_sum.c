/* exact_sum.c  Sums of real numbers without rounding. A sum is kept as an integer multiple of the
 * smallest positive double. Source: Kulisch, Computer Arithmetic and Validity (2008). */
#include "exact_sum.h"

#include <math.h>
#include <string.h>

enum { LIMB_BITS = 32, DIGITS = 53, LEAST_EXPONENT = -1074 };

/* Limbs from a file may have any value, so the sum is unsigned and may wrap around. */
static void addLimb(int64_t *limb, uint64_t x, int isNegative)
{
    const uint64_t sum = (uint64_t)*limb + (isNegative ? 0 - x : x);
    memcpy(limb, &sum, sizeof sum);
}

void ksiExactAdd(ksiExactSum *sum, double x)
{
    int exponent;
    const double fraction = frexp(fabs(x), &exponent);
    if (!isfinite(x) || x == 0)
        return;
    const int isNegative = x < 0, least = exponent - DIGITS < LEAST_EXPONENT ? LEAST_EXPONENT : exponent - DIGITS;
    const int place = least - LEAST_EXPONENT, limb = place / LIMB_BITS, shift = place % LIMB_BITS;
    const uint64_t whole = (uint64_t)ldexp(fraction, exponent - least), low = (whole & UINT32_MAX) << shift;
    const uint64_t high = (whole >> LIMB_BITS) << shift;
    addLimb(&sum->limb[limb], low & UINT32_MAX, isNegative);
    addLimb(&sum->limb[limb + 1], (low >> LIMB_BITS) + (high & UINT32_MAX), isNegative);
    addLimb(&sum->limb[limb + 2], high >> LIMB_BITS, isNegative);
}

/* x / 2^32, rounded down, in two's complement. */
static uint64_t highOf(uint64_t x)
{
    return x >> LIMB_BITS | (x >> 63 ? UINT64_MAX << LIMB_BITS : 0);
}

void ksiExactMerge(ksiExactSum *into, const ksiExactSum *from)
{
    for (int i = 0; i < KSI_SUM_LIMBS; i++)
        addLimb(&into->limb[i], (uint64_t)from->limb[i], 0);
}

/* Converts the limbs, or with isNegative their negatives, to digits from 0 to 2^32 - 1. Returns the
 * sign of the carry out of the highest digit. */
static int findDigits(const ksiExactSum *sum, int isNegative, uint32_t digit[KSI_SUM_LIMBS])
{
    uint64_t carry = 0; /* two's complement */
    for (int i = 0; i < KSI_SUM_LIMBS; i++) {
        const uint64_t limb = isNegative ? 0 - (uint64_t)sum->limb[i] : (uint64_t)sum->limb[i];
        const uint64_t low = (limb & UINT32_MAX) + (carry & UINT32_MAX);
        digit[i] = (uint32_t)low;
        carry = highOf(limb) + highOf(carry) + (low >> LIMB_BITS);
    }
    return carry >> 63 ? -1 : carry > 0;
}

/* Sums the digits of the absolute value from the highest on. Each partial sum is then exact until
 * it needs more bits than a double has. */
double ksiExactValue(const ksiExactSum *sum)
{
    uint32_t digit[KSI_SUM_LIMBS];
    const int isNegative = findDigits(sum, 0, digit) < 0;
    if (isNegative)
        findDigits(sum, 1, digit);
    double value = 0;
    for (int i = KSI_SUM_LIMBS; i-- > 0;)
        value += ldexp(digit[i], i * LIMB_BITS + LEAST_EXPONENT);
    return isNegative ? -value : value;
}

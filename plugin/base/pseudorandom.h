/* pseudorandom.h  Reproducible pseudorandom numbers. */
#ifndef KSI_BASE_PSEUDORANDOM_H
#define KSI_BASE_PSEUDORANDOM_H

/* Quasi-random numbers between -1 and 1, unrelated to any mechanism: fractional parts of multiples
 * of the golden ratio. */
static inline double ksiPseudoRandom(int k)
{
    const double x = 0.61803398874989485 * (k + 1);
    return 2 * (x - (int)x) - 1;
}

#endif

/* input.h  Bytes of a fuzzer, used as choices and numbers; zeros when they run out. */
#ifndef TESTS_FUZZ_INPUT_H
#define TESTS_FUZZ_INPUT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct Input {
    const uint8_t *at, *end;
} Input;

static inline uint8_t takeByte(Input *input)
{
    return input->at < input->end ? *input->at++ : 0;
}

static inline unsigned takeShort(Input *input)
{
    const unsigned low = takeByte(input);
    return low | (unsigned)takeByte(input) << 8;
}

/* Usually small numbers, which often coincide; sometimes critical numbers, or any. */
static inline double takeNumber(Input *input)
{
    static const double odd[] = {1e-300, 1e300, 1e-12, 1e12, INFINITY, -INFINITY, NAN, -0.0};
    const uint8_t choice = takeByte(input);
    if (choice < 200)
        return (choice - 100) / 8.0;
    if (choice < 248)
        return odd[choice % 8];
    uint8_t bytes[8];
    double x;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = takeByte(input);
    memcpy(&x, bytes, sizeof x);
    return x;
}

static inline void takeNumbers(Input *input, size_t count, double *x)
{
    for (size_t i = 0; i < count; i++)
        x[i] = takeNumber(input);
}

/* Stops the fuzzer at an input for which it does not hold. */
static inline void require(bool holds)
{
    if (!holds)
        abort();
}

/* Number of inputs that were not refused at their head. A target that reads a format counts them,
 * so that its corpus stays current. */
extern unsigned long fuzzPassed;

/* An input usually selects the target's actions; true: the target performs all of them, so that old
 * crashes stay covered. */
extern bool fuzzIsWhole;

/* The target; returns 0. Called by libFuzzer, or by replay.c with the files of the corpus. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif

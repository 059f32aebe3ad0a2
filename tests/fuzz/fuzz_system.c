/* fuzz_system.c  Any calls of <kinetostat/system.h> with any numbers: they return a status, and
 * with KS_OK finite multipliers. */
#include "tests/fuzz/input.h"

#include <kinetostat/system.h>

enum { MOST_BLOCKS = 12, MOST_ROWS = 24, MOST_SIZE = 8, MOST_CALLS = 64 };

static void addBlock(ksSystem *system, Input *input)
{
    double mass[MOST_SIZE * MOST_SIZE] = {0}, force[MOST_SIZE], velocity[MOST_SIZE];
    const int size = takeByte(input) % (MOST_SIZE + 2) - 1;
    const uint8_t shape = takeByte(input);
    int block;
    for (int i = 0; i < size; i++)
        for (int j = 0; j <= i; j++)
            if (i == j || shape & 1)
                mass[i * size + j] = mass[j * size + i] = i == j ? fabs(takeNumber(input)) : takeNumber(input) / 16;
    takeNumbers(input, MOST_SIZE, force);
    takeNumbers(input, MOST_SIZE, velocity);
    (void)!ksSystemAddBlock(system, size, mass, shape & 2 ? NULL : force, shape & 4 ? NULL : velocity,
                            shape & 8 ? NULL : &block);
}

/* Over one or two blocks, like most rows, with as many entries as a block can have. */
static void addRow(ksSystem *system, Input *input)
{
    double entry[3][MOST_SIZE];
    const double *jacobian[3] = {entry[0], entry[1], entry[2]};
    int block[3], row;
    ksRowSpec spec;
    ksRowSpecInit(&spec);
    spec.blockCount = takeByte(input) % 4;
    for (int i = 0; i < 3; i++) {
        block[i] = takeByte(input) % (MOST_BLOCKS + 2) - 1;
        takeNumbers(input, MOST_SIZE, entry[i]);
    }
    spec.block = block;
    spec.jacobian = jacobian;
    const uint8_t shape = takeByte(input);
    spec.beta = takeNumber(input);
    spec.compliance = shape & 1 ? fabs(takeNumber(input)) : 0;
    if (shape & 2)
        spec.lo = takeNumber(input);
    if (shape & 4)
        spec.hi = takeNumber(input);
    (void)!ksSystemAddRow(system, &spec, &row);
}

static bool areFinite(int count, const double *x)
{
    bool are = true;
    for (int i = 0; i < count; i++)
        are = are && isfinite(x[i]);
    return are;
}

typedef ksStatus Solve(ksSystem *system, double *multiplier, double *acceleration);

static void solve(ksSystem *system, Input *input)
{
    static Solve *const route[] = {ksSystemSolveGauss, ksSystemSolvePaulus, ksSystemSolveLeastNorm};
    double multiplier[MOST_ROWS], acceleration[MOST_BLOCKS * MOST_SIZE];
    const int rows = ksSystemRowCount(system), coordinates = ksSystemCoordinateCount(system);
    const uint8_t choice = takeByte(input);
    if (choice % 5 < 3) {
        if (!route[choice % 5](system, multiplier, acceleration))
            require(areFinite(rows, multiplier) && areFinite(coordinates, acceleration));
        return;
    }
    ksBoundedSolution bounded = {.multiplier = multiplier, .acceleration = acceleration};
    if (choice % 5 == 3 && !ksSystemSolveBounded(system, &bounded))
        require(areFinite(rows, multiplier));
    if (choice % 5 == 4 && !ksSystemSolveMotion(system, acceleration))
        require(areFinite(coordinates, acceleration));
}

static void ask(ksSystem *system, Input *input)
{
    int determinate[MOST_ROWS], count;
    double bar[MOST_ROWS], basis[MOST_ROWS * MOST_ROWS], acceleration[MOST_BLOCKS * MOST_SIZE], value;
    size_t rank;
    ksGaussMeasure measure;
    ksRelaxation relaxation = {0};
    switch (takeByte(input) % 6) {
    case 0:
        if (!ksSystemGetErrorBars(system, bar))
            for (int i = 0; i < ksSystemRowCount(system); i++)
                require(bar[i] >= 0);
        break;
    case 1:
        if (!ksSystemGetDeterminacy(system, determinate, &rank))
            require(rank <= (size_t)ksSystemRowCount(system));
        break;
    case 2:
        (void)!ksSystemGetSelfStresses(system, basis, MOST_ROWS, &count);
        break;
    case 3:
        takeNumbers(input, MOST_ROWS, bar);
        (void)!ksSystemGetCombination(system, bar, determinate, &value);
        break;
    case 4:
        takeNumbers(input, sizeof acceleration / sizeof *acceleration, acceleration);
        (void)!ksSystemMeasure(system, acceleration, &measure);
        break;
    default:
        (void)!ksSystemRelaxRow(system, takeByte(input) % (MOST_ROWS + 2) - 1, NULL, NULL, &relaxation);
    }
}

unsigned long fuzzPassed;
bool fuzzIsWhole;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzzPassed++;
    Input input = {data, data + size};
    ksSystem *system;
    if (ksSystemCreate(&system))
        return 0;
    for (int i = 0, blocks = 0, rows = 0; i < MOST_CALLS && input.at < input.end; i++) {
        const uint8_t choice = takeByte(&input) % 16;
        if (choice < 4 && blocks < MOST_BLOCKS)
            addBlock(system, &input), blocks++;
        else if (choice < 9 && rows < MOST_ROWS)
            addRow(system, &input), rows++;
        else if (choice < 11)
            solve(system, &input);
        else if (choice < 13)
            ask(system, &input);
        else if (choice == 13)
            (void)!ksSystemSetRankTolerance(system, takeNumber(&input));
        else if (choice == 14)
            (void)!ksSystemSetRigidCompliance(system, takeNumber(&input));
        else if (takeByte(&input) < 32)
            ksSystemClear(system), blocks = rows = 0;
    }
    ksSystemDestroy(system);
    return 0;
}

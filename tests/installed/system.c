/* system.c  The engine-free half from an installed library: a particle that hangs from a rod. */
#include <kinetostat/system.h>
#include <math.h>
#include <stdio.h>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        ksStatus status = (call);                                                                                      \
        if (status != KS_OK) {                                                                                         \
            printf("%s: %s\n", #call, ksStatusName(status));                                                           \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

int main(void)
{
    const double mass[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, weight[3] = {0, 0, -2 * 9.81}, up[3] = {0, 0, 1};
    const double *const jacobian[] = {up};
    const int block[] = {0};
    ksRowSpec spec;
    ksRowSpecInit(&spec);
    spec.blockCount = 1;
    spec.block = block;
    spec.jacobian = jacobian;

    ksSystem *system;
    int index;
    double multiplier;
    CHECK(ksSystemCreate(&system));
    CHECK(ksSystemAddBlock(system, 3, mass, weight, NULL, &index));
    CHECK(ksSystemAddRow(system, &spec, &index));
    CHECK(ksSystemSolveGauss(system, &multiplier, NULL));
    ksSystemDestroy(system);

    printf("the rod carries %.3f N\n", multiplier);
    return fabs(multiplier - 2 * 9.81) < 1e-9 ? 0 : 1;
}

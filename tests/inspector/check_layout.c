/* check_layout.c  Public structs keep their sizes and the places of their fields, so that programs
 * run with later versions of the library: see <kinetostat/status.h>. A new field replaces a part of
 * `reserved`; nothing else here may change. Sizes are for machines whose pointers and long have
 * eight bytes. */
#include "tests/kits/support.h"

#include <kinetostat/coordinates.h>
#include <kinetostat/recording.h>

/* the last field before `reserved`, where it ends, and the size of the struct */
typedef struct Layout {
    const char *name;
    size_t end, expectedEnd, size, expectedSize;
} Layout;

#define LAYOUT(type, last, end, size)                                                                                  \
    {                                                                                                                  \
#type, offsetof(type, last) + sizeof((type *)0)->last, end, sizeof(type), size                                 \
    }

static const Layout layout[] = {
    LAYOUT(ksRow, sharedBar, 304, 320),
    LAYOUT(ksReaction, loadNoise, 1920, 1944),
    LAYOUT(ksMotor, meanBar, 56, 104),
    LAYOUT(ksStepReport, energyOf, 648, 648),
    LAYOUT(ksInspectorOptions, contactPhysical, 164, 168),
    LAYOUT(ksEngineStep, stepSize, 32, 64),
    LAYOUT(ksRecordingOptions, compression, 36, 104),
    LAYOUT(ksRecordedState, angularVelocity, 104, 104),
    LAYOUT(ksRecordedBody, lacksGyroscopic, 192, 224),
    LAYOUT(ksRecordedJoint, isSoft, 148, 176),
    LAYOUT(ksThreshold, window, 120, 176),
    LAYOUT(ksThresholdEvent, peak, 128, 136),
    LAYOUT(ksTouch, contactCount, 128, 160),
    LAYOUT(ksSensor, bias, 176, 232),
    LAYOUT(ksWrenchTerm, other, 24, 48),
    LAYOUT(ksWrenchSum, freeDirection, 392, 456),
    LAYOUT(ksNetWrench, mean, 120, 128),
    LAYOUT(ksBodyProbe, axis, 64, 96),
    LAYOUT(ksBlow, impulse, 104, 104),
    LAYOUT(ksJointImpact, isUnique, 124, 160),
    LAYOUT(ksJointAfter, bar, 208, 240),
    LAYOUT(ksBodyImpact, bar, 120, 152),
    LAYOUT(ksImpact, contactCount, 72, 104),
    LAYOUT(ksRowSpec, hi, 56, 88),
    LAYOUT(ksBoundedSolution, solutions, 64, 96),
    LAYOUT(ksRelaxation, orthogonal, 40, 72),
    LAYOUT(ksGaussMeasure, solverError, 24, 56),
    LAYOUT(ksImpulse, prescribed, 72, 104),
    LAYOUT(ksConfiguration, angularVelocity, 48, 80),
    LAYOUT(ksCoordinatesSpec, user, 72, 104),
    LAYOUT(ksLagrangian, hamiltonian, 104, 136),
    LAYOUT(ksRemainder, unexplained, 56, 88),
    LAYOUT(ksConstraintRow, rate, 32, 64),
    LAYOUT(ksIntegrability, bar, 24, 56),
    LAYOUT(ksWrench, torque, 48, 48),
    LAYOUT(ksProbe, direction, 24, 24),
    LAYOUT(ksDual, mixed, 32, 32),
    LAYOUT(ksAllocator, user, 16, 16),
    LAYOUT(ksExecutor, user, 24, 24),
};

START_TEST(sizes_and_places)
{
    if (sizeof(void *) != 8 || sizeof(long) != 8)
        return;
    for (size_t i = 0; i < sizeof layout / sizeof *layout; i++) {
        const Layout *l = &layout[i];
        ck_assert_msg(l->size == l->expectedSize && l->end == l->expectedEnd,
                      "%s has %zu bytes, the last field ends at %zu", l->name, l->size, l->end);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("layout");
    tcase_add_test(tcase, sizes_and_places);
    return runCase("layout", tcase);
}

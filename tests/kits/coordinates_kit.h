/* coordinates_kit.h  Shared by the tests of general coordinates. */
#ifndef TESTS_KITS_COORDINATES_KIT_H
#define TESTS_KITS_COORDINATES_KIT_H

#include "tests/kits/system_kit.h"

#include <kinetostat/coordinates.h>

enum { MOST_COORDINATES = 6 };

/* All results of ksCoordinatesGetLagrangian. */
typedef struct Answer {
    ksLagrangian of;
    double mass[MOST_COORDINATES * MOST_COORDINATES];
    double linear[MOST_COORDINATES], momentum[MOST_COORDINATES], gradient[MOST_COORDINATES];
    double velocityTerms[MOST_COORDINATES], force[MOST_COORDINATES], applied[MOST_COORDINATES], bar[MOST_COORDINATES];
} Answer;

static inline void ask(ksCoordinates *c, int n, Answer *a)
{
    ck_assert_int_le(n, MOST_COORDINATES);
    a->of = (ksLagrangian){.mass = a->mass,
                           .linear = a->linear,
                           .momentum = a->momentum,
                           .gradient = a->gradient,
                           .velocityTerms = a->velocityTerms,
                           .force = a->force,
                           .applied = a->applied,
                           .bar = a->bar};
    ck_assert_ok(ksCoordinatesGetLagrangian(c, &a->of));
}

static inline ksCoordinatesSpec specOf(int n, ksDualFn *position)
{
    ksCoordinatesSpec spec;
    ksCoordinatesSpecInit(&spec);
    spec.coordinateCount = n;
    spec.position = position;
    return spec;
}

static inline ksCoordinates *newCoordinates(const ksCoordinatesSpec *spec)
{
    ksCoordinates *c = NULL;
    ck_assert_ok(ksCoordinatesCreate(spec, &c));
    ck_assert_ptr_nonnull(c);
    return c;
}

/* One particle in rectangular coordinates; as forms, three numbers. */
static const double particleMass = 1.7;

static inline ksStatus plainPlaces(const ksDual *q, ksDual t, ksDual *x, void *user)
{
    (void)t;
    (void)user;
    memcpy(x, q, 3 * sizeof *x);
    return KS_OK;
}

static inline ksCoordinatesSpec plainSpec(int n)
{
    ksCoordinatesSpec spec = specOf(n, plainPlaces);
    spec.particleCount = 1;
    spec.particleMass = &particleMass;
    return spec;
}

#endif

/* coordinates.c  Creation and destruction of a ksCoordinates, and the weights of its positions. */
#include "coordinates_private.h"

#include "../../base/fpguard.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

void ksDualRotate(ksDual rotation[9], int axis, ksDual angle)
{
    if (!rotation || axis < 0 || axis > 2)
        return;
    KSI_GUARD_FP({
        const ksDual co = ksDualCos(angle), si = ksDualSin(angle);
        for (int i = 0; i < 3; i++) {
            ksDual *b = rotation + 3 * i + (axis + 1) % 3, *d = rotation + 3 * i + (axis + 2) % 3;
            const ksDual turned = ksDualAdd(ksDualMul(co, *b), ksDualMul(si, *d));
            *d = ksDualSub(ksDualMul(co, *d), ksDualMul(si, *b));
            *b = turned;
        }
    });
}

void ksCoordinatesSpecInit(ksCoordinatesSpec *spec)
{
    if (spec)
        *spec = (ksCoordinatesSpec){0};
}

static double lower(const double *inertia, int i, int j)
{
    return inertia[3 * (i > j ? i : j) + (i > j ? j : i)];
}

/* I is positive semidefinite, to rounding. */
static int inertiaIsSound(const double *inertia)
{
    const double shift = 1e-12 * (inertia[0] + inertia[4] + inertia[8]) + 1e-300;
    double shifted[9], factor[9];
    memcpy(shifted, inertia, sizeof shifted);
    for (int i = 0; i < 3; i++)
        shifted[4 * i] += shift;
    return ksiCholesky(3, shifted, factor);
}

static ksStatus checkMasses(const char *name, int count, const double *mass)
{
    KSI_REQUIRE(count == 0 || mass, "spec->%s is NULL", name);
    for (int i = 0; i < count; i++) {
        if (!isfinite(mass[i]))
            return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "spec->%s[%d] is %g", name, i, mass[i]);
        if (!(mass[i] > 0))
            return KSI_EXPLAIN(KS_ERROR_NOT_POSITIVE_DEFINITE, "spec->%s[%d] is %g, must be > 0", name, i, mass[i]);
    }
    return KS_OK;
}

static ksStatus checkSpec(const ksCoordinatesSpec *spec)
{
    KSI_REQUIRE_POINTER(spec);
    KSI_REQUIRE(spec->coordinateCount >= 1, "spec->coordinateCount is %d, must be > 0", spec->coordinateCount);
    KSI_REQUIRE(spec->particleCount >= 0, "spec->particleCount is %d, must be >= 0", spec->particleCount);
    KSI_REQUIRE(spec->bodyCount >= 0, "spec->bodyCount is %d, must be >= 0", spec->bodyCount);
    KSI_REQUIRE(spec->particleCount > 0 || spec->bodyCount > 0, "spec has no particle and no body");
    KSI_REQUIRE(spec->position, "spec->position is NULL");
    KSI_REQUIRE(spec->bodyCount == 0 || spec->bodyInertia, "spec->bodyInertia is NULL");
    KSI_TRY(checkMasses("particleMass", spec->particleCount, spec->particleMass));
    KSI_TRY(checkMasses("bodyMass", spec->bodyCount, spec->bodyMass));
    for (int b = 0; b < spec->bodyCount; b++) {
        const double *inertia = spec->bodyInertia + 9 * (size_t)b;
        for (int i = 0; i < 9; i++)
            if (!isfinite(lower(inertia, i / 3, i % 3)))
                return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "spec->bodyInertia of body %d has a NaN or an infinity", b);
        if (!inertiaIsSound(inertia))
            return KSI_EXPLAIN(KS_ERROR_NOT_POSITIVE_DEFINITE, "spec->bodyInertia of body %d is negative", b);
    }
    return KS_OK;
}

/* W, [9] for each triple. */
static void fillWeights(ksCoordinates *c, const ksCoordinatesSpec *spec)
{
    for (int t = 0; t < c->triples; t++) {
        const int body = t < c->particles ? -1 : (t - c->particles) / 4, row = (t - c->particles) % 4;
        const double mass = body < 0 ? spec->particleMass[t] : spec->bodyMass[body];
        for (int i = 0; i < 9; i++) {
            double *weight = &c->weight[9 * t + i];
            *weight = i % 4 == 0 ? mass : 0;
            if (body >= 0 && row > 0) {
                const double *inertia = spec->bodyInertia + 9 * (size_t)body;
                *weight = -lower(inertia, i / 3, i % 3);
                // 1/2 tr(I) - I_ii without cancellation of I_ii
                if (i % 4 == 0)
                    *weight = 0.5 * (inertia[(i + 4) % 12] + inertia[(i + 8) % 12] - inertia[i]);
            }
        }
    }
}

/* Takes the arrays of a state from the storage. */
static double *layOut(const ksCoordinates *c, ksiCoordinatesState *s, double *from)
{
    const size_t n = (size_t)c->coordinates, more = n + 1, k = (size_t)c->numbers;
    const struct {
        double **array;
        size_t count;
    } part[] = {{&s->q, more},
                {&s->rate, more},
                {&s->slope, more},
                {&s->position, k},
                {&s->velocity, k},
                {&s->convective, k},
                {&s->load, k},
                {&s->tangent, more * k},
                {&s->tangentRate, more * k},
                {&s->angularVelocity, 3 * (size_t)c->bodies},
                {&s->generalised, n},
                {&s->mass, n * n},
                {&s->linear, n},
                {&s->momentum, n},
                {&s->gradient, n},
                {&s->velocityTerms, n},
                {&s->force, n},
                {&s->applied, n},
                {&s->bar, n}};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        *part[i].array = from;
        from += part[i].count;
    }
    return from;
}

ksStatus ksiCoordinatesCreate(const ksAllocator *allocator, const ksCoordinatesSpec *spec, ksCoordinates **coordinates)
{
    KSI_REQUIRE_POINTER(coordinates);
    KSI_TRY(checkSpec(spec));
    // counts are int, and their products size_t
    const size_t n = (size_t)spec->coordinateCount, more = n + 1;
    const size_t triples = (size_t)spec->particleCount + 4 * (size_t)spec->bodyCount, k = 3 * triples;
    if (n > 32767 || spec->bodyCount > INT_MAX / 64 || spec->particleCount > INT_MAX / 64 ||
        k > SIZE_MAX / 64 / sizeof(double) / more)
        return KS_ERROR_NO_MEMORY;
    ksAllocator own;
    ksiAllocatorInit(&own, allocator);
    ksCoordinates *c = own.resize(own.user, NULL, sizeof *c);
    if (!c)
        return KS_ERROR_NO_MEMORY;
    memset(c, 0, sizeof *c);
    c->allocator = own;
    c->coordinates = (int)n;
    c->directions = (int)more;
    c->particles = spec->particleCount;
    c->bodies = spec->bodyCount;
    c->triples = (int)triples;
    c->numbers = (int)k;
    c->position = spec->position;
    c->potential = spec->potential;
    c->force = spec->force;
    c->user = spec->user;
    const size_t state = 2 * more * k + 4 * k + n * n + 12 * more + 3 * (size_t)c->bodies;
    if (ksiDoublesReserve(&c->allocator, &c->storage, 3 * k + 2 * state) ||
        ksiReserve(&c->allocator, &c->seed, &c->seedCapacity, more, sizeof *c->seed)) {
        ksCoordinatesDestroy(c);
        return KS_ERROR_NO_MEMORY;
    }
    c->weight = c->storage;
    layOut(c, &c->state[1], layOut(c, &c->state[0], c->weight + 3 * k));
    fillWeights(c, spec);
    *coordinates = c;
    return KS_OK;
}

ksStatus ksCoordinatesCreate(const ksCoordinatesSpec *spec, ksCoordinates **coordinates)
{
    KSI_RETURN_GUARDED(ksiCoordinatesCreate(NULL, spec, coordinates));
}

void ksCoordinatesDestroy(ksCoordinates *c)
{
    if (!c)
        return;
    const ksAllocator allocator = c->allocator;
    ksiFreeNumbers(&allocator, c->storage);
    ksiFreeNumbers(&allocator, c->scratch);
    ksiFree(&allocator, c->seed);
    ksiFree(&allocator, c->result);
    ksiFree(&allocator, c);
}

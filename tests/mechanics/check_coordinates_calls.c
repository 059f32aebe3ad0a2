/* check_coordinates_calls.c  General coordinates: refused input, functions of the host that fail,
 * memory. */
#include "mechanics/coordinates/coordinates_private.h"
#include "tests/kits/coordinates_kit.h"

static const double inertiaOfBall[9] = {0.4, 0, 0, 0, 0.4, 0, 0, 0, 0.4};

static ksStatus anyPhi(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    (void)user;
    value[0] = ksDualMul(q[0], t);
    return KS_OK;
}

static ksStatus anyForm(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    value[1] = ksDualOf(1);
    return anyPhi(q, t, value, user);
}

/* The call is refused, and the message names the argument. */
#define REFUSED_ARGUMENT(argument, call)                                                                               \
    do {                                                                                                               \
        ck_assert_int_eq(call, KS_ERROR_BAD_ARGUMENT);                                                                 \
        ck_assert_msg(strstr(ksErrorMessage(), ": " argument), "%s: %s", #call, ksErrorMessage());                     \
    } while (0)

static ksStatus sameForms(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    (void)t;
    (void)user;
    for (int i = 0; i < 8; i++)
        value[i] = q[i % 4 == 3 ? 0 : i % 4];
    return KS_OK;
}

START_TEST(dependentForms)
{
    const double q[3] = {1, 2, 3}, none[3] = {0};
    const ksCoordinatesSpec spec = plainSpec(3);
    ksCoordinates *c = newCoordinates(&spec);
    ksIntegrability answer = {.residual = 7};
    ck_assert_ok(ksCoordinatesSet(c, q, none, 0));
    ck_assert_int_eq(ksCoordinatesGetIntegrability(c, 2, sameForms, NULL, &answer), KS_ERROR_REDUNDANT);
    ck_assert_ok(ksCoordinatesSet(c, none, none, 0));
    ck_assert_int_eq(ksCoordinatesGetIntegrability(c, 1, sameForms, NULL, &answer), KS_ERROR_REDUNDANT);
    ck_assert_int_eq(ksCoordinatesGetIntegrability(c, 0, sameForms, NULL, &answer), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksCoordinatesGetIntegrability(c, 4, sameForms, NULL, &answer), KS_ERROR_BAD_ARGUMENT);
    ck_assert_double_eq(answer.residual, 7);
    ksCoordinatesDestroy(c);
}
END_TEST

START_TEST(badSpecs)
{
    static const double negative[9] = {1, 0, 0, 2, 1, 0, 0, 0, 1}, infinite[9] = {1, 0, 0, NAN, 1, 0, 0, 0, 1};
    static const double zero = 0, nan = NAN;
    ksCoordinates *c = NULL;
    ksCoordinatesSpec spec = plainSpec(3), bad;
    REFUSED_ARGUMENT("spec is NULL", ksCoordinatesCreate(NULL, &c));
    REFUSED_ARGUMENT("coordinates is NULL", ksCoordinatesCreate(&spec, NULL));
#define REFUSED(status, ...)                                                                                           \
    do {                                                                                                               \
        bad = spec;                                                                                                    \
        __VA_ARGS__;                                                                                                   \
        ck_assert_int_eq(ksCoordinatesCreate(&bad, &c), status);                                                       \
        ck_assert_ptr_null(c);                                                                                         \
    } while (0)
    REFUSED(KS_ERROR_BAD_ARGUMENT, bad.coordinateCount = 0);
    REFUSED(KS_ERROR_BAD_ARGUMENT, bad.particleCount = -1);
    REFUSED(KS_ERROR_BAD_ARGUMENT, bad.bodyCount = -1);
    REFUSED(KS_ERROR_BAD_ARGUMENT, bad.particleCount = 0);
    REFUSED(KS_ERROR_BAD_ARGUMENT, bad.particleMass = NULL);
    REFUSED(KS_ERROR_BAD_ARGUMENT, bad.position = NULL);
    REFUSED(KS_ERROR_BAD_ARGUMENT, bad.bodyCount = 1, bad.bodyMass = &particleMass);
    REFUSED(KS_ERROR_BAD_ARGUMENT, bad.bodyCount = 1, bad.bodyInertia = inertiaOfBall);
    REFUSED(KS_ERROR_NOT_POSITIVE_DEFINITE, bad.particleMass = &zero);
    REFUSED(KS_ERROR_NOT_FINITE, bad.particleMass = &nan);
    spec.bodyCount = 1;
    spec.bodyMass = &particleMass;
    REFUSED(KS_ERROR_NOT_POSITIVE_DEFINITE, bad.bodyInertia = negative);
    REFUSED(KS_ERROR_NOT_FINITE, bad.bodyInertia = infinite);
    spec.bodyInertia = inertiaOfBall;
    REFUSED(KS_ERROR_NO_MEMORY, bad.coordinateCount = 1 << 30);
    REFUSED(KS_ERROR_NOT_POSITIVE_DEFINITE, bad.bodyMass = &zero);
    ksCoordinatesSpecInit(NULL);
    ksCoordinatesDestroy(NULL);
}
END_TEST

/* A host's function that fails on request. */
typedef struct Failing {
    ksStatus answer;
    int member; /* of the second value, which becomes a NaN; -1: none */
    ksCoordinates *again;
    ksStatus inner;
} Failing;

static ksStatus failing(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    Failing *f = user;
    double *const member[4] = {&value->value, &value->first, &value->second, &value->mixed};
    (void)t;
    *value = ksDualMul(q[0], q[1]);
    if (f->member >= 0)
        *member[f->member] = f->member % 2 ? NAN : INFINITY;
    if (f->again) {
        const double same[3] = {1, 2, 3};
        double rate[3];
        ksRemainder out = {.remainder = rate};
        int cyclic[4];
        f->inner = ksCoordinatesSet(f->again, same, same, 0);
        ck_assert_int_eq(ksCoordinatesGetVelocity(f->again, same, same, 0, rate), f->inner);
        ck_assert_int_eq(ksCoordinatesGetRemainder(f->again, same, &out), f->inner);
        ck_assert_int_eq(ksCoordinatesGetCyclic(f->again, cyclic), f->inner);
    }
    return f->answer;
}

static ksStatus failingPlaces(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    plainPlaces(q, t, value, user);
    return failing(q, t, value + 1, user);
}

static ksStatus failingForce(const ksConfiguration *at, double *force, double *generalised, void *user)
{
    const Failing *f = user;
    (void)at;
    if (f->member >= 0)
        (f->member % 2 ? force : generalised)[1] = NAN;
    return f->answer;
}

static ksStatus failingForm(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    value[0] = ksDualOf(1);
    return failing(q, t, value + 1, user);
}

/* Whatever fails, the call says so, and keeps the last state. */
START_TEST(failingFunctions)
{
    const double q[3] = {1, 2, 3}, other[3] = {2, 1, 0}, huge[3] = {1e200, 1e200, 0};
    static const char *const name[3] = {"position: ", "potential: ", "force: "};
    for (int which = 0; which < 3; which++) {
        Failing f = {KS_OK, -1, NULL, KS_OK};
        ksCoordinatesSpec spec = plainSpec(3);
        spec.user = &f;
        if (which == 0)
            spec.position = failingPlaces;
        if (which == 1)
            spec.potential = failing;
        if (which == 2)
            spec.force = failingForce;
        ksCoordinates *c = newCoordinates(&spec);
        Answer before, after;
        double rate[3];
        ck_assert_ok(ksCoordinatesSet(c, q, other, 0));
        ask(c, 3, &before);
        f.answer = KS_ERROR_FILE;
        ck_assert_int_eq(ksCoordinatesSet(c, other, q, 1), KS_ERROR_FILE);
        if (which == 0)
            ck_assert_int_eq(ksCoordinatesGetVelocity(c, other, q, 1, rate), KS_ERROR_FILE);
        f.answer = KS_OK;
        for (f.member = 0; f.member < 4; f.member++) {
            ck_assert_int_eq(ksCoordinatesSet(c, other, q, 1), KS_ERROR_NOT_FINITE);
            ck_assert_ptr_nonnull(strstr(ksErrorMessage(), name[which]));
        }
        f.member = -1;
        ck_assert_int_eq(ksCoordinatesSet(c, huge, huge, 0), KS_ERROR_NOT_FINITE);
        ask(c, 3, &after);
        ck_assert(memcmp(before.applied, after.applied, 3 * sizeof(double)) == 0);
        ck_assert(memcmp(before.mass, after.mass, 9 * sizeof(double)) == 0);
        f.again = which < 2 ? c : NULL;
        ck_assert_ok(ksCoordinatesSet(c, q, other, 0));
        ck_assert_int_eq(f.inner, which < 2 ? KS_ERROR_REENTRY : KS_OK);
        ksCoordinatesDestroy(c);
    }
}
END_TEST

START_TEST(failingRows)
{
    const double q[3] = {1, 2, 3};
    double jacobian[3] = {7, 7, 7};
    const ksCoordinatesSpec spec = plainSpec(3);
    ksCoordinates *c = newCoordinates(&spec);
    ksConstraintRow row = {.jacobian = jacobian, .beta = 7};
    ksIntegrability answer = {.residual = 7};
    ck_assert_ok(ksCoordinatesSet(c, q, q, 0));
    for (int member = -1; member < 4; member++) {
        Failing f = {member < 0 ? KS_ERROR_FILE : KS_OK, member, NULL, KS_OK};
        const ksStatus status = member < 0 ? KS_ERROR_FILE : KS_ERROR_NOT_FINITE;
        ck_assert_int_eq(ksCoordinatesGetConstraint(c, failing, &f, &row), status);
        ck_assert_int_eq(ksCoordinatesGetVelocityRow(c, failingForm, &f, &row), status);
        ck_assert_int_eq(ksCoordinatesGetIntegrability(c, 1, failingForm, &f, &answer), status);
    }
    REFUSED_ARGUMENT("phi is NULL", ksCoordinatesGetConstraint(c, NULL, NULL, &row));
    REFUSED_ARGUMENT("out is NULL", ksCoordinatesGetConstraint(c, anyPhi, NULL, NULL));
    REFUSED_ARGUMENT("form is NULL", ksCoordinatesGetVelocityRow(c, NULL, NULL, &row));
    REFUSED_ARGUMENT("form is NULL", ksCoordinatesGetIntegrability(c, 1, NULL, NULL, &answer));
    ck_assert(row.beta == 7 && jacobian[0] == 7 && answer.residual == 7);
    ksCoordinatesDestroy(c);
}
END_TEST

START_TEST(badCalls)
{
    const double q[3] = {1, 2, 3}, bad[3] = {1, NAN, 3};
    double rate[3] = {7, 7, 7};
    int cyclic[4] = {7};
    const ksCoordinatesSpec spec = plainSpec(3);
    ksCoordinates *c = newCoordinates(&spec);
    ksLagrangian lagrangian = {0};
    ksRemainder remainder = {0};
    ksConstraintRow row = {0};
    ksIntegrability answer;
    ck_assert_int_eq(ksCoordinatesGetLagrangian(c, &lagrangian), KS_ERROR_UNAVAILABLE);
    ck_assert_int_eq(ksCoordinatesGetRemainder(c, q, &remainder), KS_ERROR_UNAVAILABLE);
    ck_assert_int_eq(ksCoordinatesGetCyclic(c, cyclic), KS_ERROR_UNAVAILABLE);
    ck_assert_int_eq(ksCoordinatesGetConstraint(c, anyPhi, NULL, &row), KS_ERROR_UNAVAILABLE);
    ck_assert_int_eq(ksCoordinatesGetVelocityRow(c, anyForm, NULL, &row), KS_ERROR_UNAVAILABLE);
    ck_assert_int_eq(ksCoordinatesGetIntegrability(c, 1, anyForm, NULL, &answer), KS_ERROR_UNAVAILABLE);
    REFUSED_ARGUMENT("q is NULL", ksCoordinatesSet(c, NULL, q, 0));
    REFUSED_ARGUMENT("rate is NULL", ksCoordinatesSet(c, q, NULL, 0));
    REFUSED_ARGUMENT("coordinates is NULL", ksCoordinatesSet(NULL, q, q, 0));
    ck_assert_int_eq(ksCoordinatesSet(c, bad, q, 0), KS_ERROR_NOT_FINITE);
    ck_assert_int_eq(ksCoordinatesSet(c, q, bad, 0), KS_ERROR_NOT_FINITE);
    ck_assert_int_eq(ksCoordinatesSet(c, q, q, INFINITY), KS_ERROR_NOT_FINITE);
    ck_assert_ok(ksCoordinatesSet(c, q, q, 0));
    REFUSED_ARGUMENT("coordinates is NULL", ksCoordinatesGetLagrangian(NULL, &lagrangian));
    REFUSED_ARGUMENT("out is NULL", ksCoordinatesGetLagrangian(c, NULL));
    ck_assert_ok(ksCoordinatesGetLagrangian(c, &lagrangian));
    ck_assert_ok(ksCoordinatesGetRemainder(c, q, &remainder));
    ck_assert_ok(ksCoordinatesGetConstraint(c, anyPhi, NULL, &row));
    REFUSED_ARGUMENT("acceleration is NULL", ksCoordinatesGetRemainder(c, NULL, &remainder));
    REFUSED_ARGUMENT("out is NULL", ksCoordinatesGetRemainder(c, q, NULL));
    ck_assert_int_eq(ksCoordinatesGetRemainder(c, bad, &remainder), KS_ERROR_NOT_FINITE);
    REFUSED_ARGUMENT("cyclic is NULL", ksCoordinatesGetCyclic(c, NULL));
    REFUSED_ARGUMENT("coordinates is NULL", ksCoordinatesGetVelocity(NULL, q, q, 0, rate));
    REFUSED_ARGUMENT("q is NULL", ksCoordinatesGetVelocity(c, NULL, q, 0, rate));
    REFUSED_ARGUMENT("momentum is NULL", ksCoordinatesGetVelocity(c, q, NULL, 0, rate));
    REFUSED_ARGUMENT("rate is NULL", ksCoordinatesGetVelocity(c, q, q, 0, NULL));
    ck_assert_int_eq(ksCoordinatesGetVelocity(c, q, bad, 0, rate), KS_ERROR_NOT_FINITE);
    ck_assert(rate[0] == 7 && cyclic[0] == 7);
    ksCoordinatesDestroy(c);
}
END_TEST

/* One coordinate moves nothing, or the same as another one: A has no inverse, and everything else
 * has an answer. */
static ksStatus idlePlaces(const ksDual *q, ksDual t, ksDual *x, void *user)
{
    (void)t;
    x[0] = *(const int *)user ? ksDualAdd(q[0], ksDualScale(1.0 / 3, q[1])) : q[0];
    return KS_OK;
}

START_TEST(idleCoordinates)
{
    const double q[2] = {1, 2};
    for (int which = 0; which < 2; which++) {
        ksCoordinatesSpec spec = specOf(2, idlePlaces);
        double rate[2] = {7, 7}, rho[2], off[2] = {7, 7};
        ksRemainder remainder = {.remainder = rho, .departure = off};
        Answer a;
        spec.particleCount = 1;
        spec.particleMass = &particleMass;
        spec.user = &which;
        ksCoordinates *c = newCoordinates(&spec);
        ck_assert_ok(ksCoordinatesSet(c, q, q, 0));
        ask(c, 2, &a);
        ck_assert_near(a.mass[3], which ? particleMass / 9 : 0, ROUNDING);
        ck_assert_int_eq(ksCoordinatesGetVelocity(c, q, q, 0, rate), KS_ERROR_NOT_POSITIVE_DEFINITE);
        ck_assert_int_eq(ksCoordinatesGetRemainder(c, q, &remainder), KS_ERROR_NOT_POSITIVE_DEFINITE);
        ck_assert(rate[0] == 7 && off[0] == 7);
        remainder.departure = NULL;
        ck_assert_ok(ksCoordinatesGetRemainder(c, q, &remainder));
        ksCoordinatesDestroy(c);
    }
}
END_TEST

/* Matrices that are no rotations: not orthonormal, or only at this moment. */
static ksStatus skewPlaces(const ksDual *q, ksDual t, ksDual *x, void *user)
{
    (void)t;
    for (int i = 0; i < 9; i++)
        x[3 + i] = ksDualOf(i % 4 == 0);
    x[4] = *(const int *)user ? q[0] : ksDualOf(1e-6);
    return KS_OK;
}

START_TEST(skewRotations)
{
    const double q = 0, rate = 1;
    for (int which = 0; which < 2; which++) {
        ksCoordinatesSpec spec = specOf(1, skewPlaces);
        spec.bodyCount = 1;
        spec.bodyMass = &particleMass;
        spec.bodyInertia = inertiaOfBall;
        spec.user = &which;
        ksCoordinates *c = newCoordinates(&spec);
        ck_assert_int_eq(ksCoordinatesSet(c, &q, &rate, 0), KS_ERROR_BAD_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(ksErrorMessage(), which ? "does not stay orthonormal" : "is not orthonormal"));
        ksCoordinatesDestroy(c);
    }
}
END_TEST

/* The host supplies wrong second derivatives by q0 and q1, but right ones along the motion: two
 * ways give different results, and the bar covers the difference. */
static ksStatus wrongPlaces(const ksDual *q, ksDual t, ksDual *x, void *user)
{
    const int isAlongMotion = q[0].first == q[0].second && q[1].first == q[1].second;
    (void)t;
    x[0] = ksDualMul(q[0], ksDualMul(q[0], q[1]));
    x[0].mixed += isAlongMotion ? *(const double *)user * (q[0].first * q[1].second + q[1].first * q[0].second) : 0;
    x[1] = q[1];
    return KS_OK;
}

START_TEST(wrongDerivatives)
{
    const double q[2] = {1, 2}, rate[2] = {0.7, -0.4}, none[2] = {0};
    double error[2] = {0, 1e-3}, rho[2][2], bar[2][2];
    Answer a[2];
    for (int i = 0; i < 2; i++) {
        ksRemainder remainder = {.remainder = rho[i], .bar = bar[i]};
        ksCoordinatesSpec spec = specOf(2, wrongPlaces);
        spec.particleCount = 1;
        spec.particleMass = &particleMass;
        spec.user = &error[i];
        ksCoordinates *c = newCoordinates(&spec);
        ck_assert_ok(ksCoordinatesSet(c, q, rate, 0));
        ask(c, 2, &a[i]);
        ck_assert_ok(ksCoordinatesGetRemainder(c, none, &remainder));
        ksCoordinatesDestroy(c);
    }
    for (int k = 0; k < 2; k++) {
        const double off = fabs(a[1].applied[k] - a[0].applied[k]);
        ck_assert_double_gt(off, 1e-4);
        ck_assert(off <= a[1].bar[k] * (1 + ROUNDING) && a[1].bar[k] <= 1.001 * off);
        ck_assert(a[0].bar[k] <= 1e-12 && bar[0][k] <= 1e-12);
        ck_assert(bar[1][k] > 1e-4);
    }
}
END_TEST

/* --- memory */

/* two forms over three coordinates and the time */
static ksStatus memoryForms(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    (void)t;
    (void)user;
    value[0] = value[6] = ksDualOf(1);
    value[2] = q[1];
    return KS_OK;
}

static ksStatus useAll(ksCoordinates *c)
{
    const double q[3] = {0.3, 0.8, 1.1}, rate[3] = {1, 2, 3};
    double off[4];
    int cyclic[5];
    ksRemainder remainder = {.departure = off};
    ksConstraintRow row = {0};
    ksIntegrability answer;
    ksStatus status = ksCoordinatesSet(c, q, rate, 0);
    if (!status)
        status = ksCoordinatesGetRemainder(c, rate, &remainder);
    if (!status)
        status = ksCoordinatesGetVelocity(c, q, rate, 0, off);
    if (!status)
        status = ksCoordinatesGetCyclic(c, cyclic);
    if (!status)
        status = ksCoordinatesGetConstraint(c, anyPhi, NULL, &row);
    if (!status)
        status = ksCoordinatesGetIntegrability(c, 2, memoryForms, NULL, &answer);
    return status;
}

/* The k-th request for memory fails, for all k; afterwards the mechanism is usable, and then
 * allocates nothing. */
START_TEST(memoryFails)
{
    ksCoordinatesSpec spec = plainSpec(3);
    spec.potential = anyPhi;
    long k = 0;
    for (ksStatus status = KS_ERROR_NO_MEMORY; status;) {
        Counter counter = {.refuse = ++k};
        const ksAllocator allocator = {countingResize, &counter};
        ksCoordinates *c = NULL;
        status = ksiCoordinatesCreate(&allocator, &spec, &c);
        if (!status) {
            status = useAll(c);
            ck_assert(status == KS_OK || status == KS_ERROR_NO_MEMORY);
            counter.refuse = 0;
            ck_assert_ok(useAll(c));
            const long requests = counter.requests;
            ck_assert_ok(useAll(c));
            ck_assert_int_eq(counter.requests, requests);
        } else {
            ck_assert_ptr_null(c);
            ck_assert_int_eq(status, KS_ERROR_NO_MEMORY);
        }
        ksCoordinatesDestroy(c);
        ck_assert_int_eq(counter.held, 0);
    }
    ck_assert_int_ge(k, 6);
}
END_TEST

int main(void)
{
    TCase *refused = tcase_create("refused");
    tcase_add_test(refused, dependentForms);
    tcase_add_test(refused, badSpecs);
    tcase_add_test(refused, failingFunctions);
    tcase_add_test(refused, failingRows);
    tcase_add_test(refused, badCalls);
    tcase_add_test(refused, idleCoordinates);
    tcase_add_test(refused, skewRotations);
    tcase_add_test(refused, wrongDerivatives);
    tcase_add_test(refused, memoryFails);
    return runCase("coordinates: calls", refused);
}

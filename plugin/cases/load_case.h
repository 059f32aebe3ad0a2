/* load_case.h  All loads on one body in one step, in its axes, and the inertia loads that balance
 * them:
 *
 *     sum F + m (g - a) = 0,   sum (T + p x F) - I alpha - w x I w = 0
 *
 * A load has the force `F` and the torque `T` at the point `p`. The body has the mass `m`, the
 * inertia `I` and the angular velocity `w`. Its accelerations `a` and `alpha` follow from these
 * loads (d'Alembert), so a model without supports stays at rest under all loads together. A
 * `moment` is a load case at an instant, never a torque. */
#ifndef KSI_CASES_LOAD_CASE_H
#define KSI_CASES_LOAD_CASE_H

#include "../replay/record.h"
#include "../report/collect/naming.h"

#include <stdbool.h>

enum { KSI_LOAD_NAME = 192 };

typedef enum ksiLoadKind {
    KSI_LOAD_JOINT,
    KSI_LOAD_CONTACT, /* all contacts with the same partner */
    KSI_LOAD_APPLIED  /* applied by the host */
} ksiLoadKind;

/* A load on the body, in its axes. */
typedef struct ksiLoad {
    char name[KSI_LOAD_NAME];
    ksiLoadKind kind;
    double point[3];            /* m, from the mass centre */
    double force[3], torque[3]; /* N; N.m, about the point */
    double bar[2];              /* N, N.m: error bars; NaN: unknown */
    double weight;              /* `point` is a weighted mean; this is the sum of the weights. The
                                   weight of a contact is the size of its force, N; the weight of a
                                   joint is 1 */
} ksiLoad;

/* Mass and inertia of a body, in its axes. */
typedef struct ksiMatter {
    double mass, inertia[9], inverse[9];
} ksiMatter;

/* Vectors except `position` are in the body's axes. `users` counts the owners. */
typedef struct ksiLoadCase {
    unsigned users;
    uint64_t step;
    double time, h;                     /* s */
    double position[3], rotation[9];    /* position: of the mass centre in the world, m; rotation:
                                           from the body's axes to the world's */
    double gravity[3];                  /* m/s^2 */
    double spin[3];                     /* w, rad/s */
    double acceleration[3], turning[3]; /* a, m/s^2; alpha, rad/s^2 */
    double residual[2][3];              /* N, N.m about the mass centre: the force of the simulated
                                           motion minus these loads */
    size_t count, capacity;
    ksiLoad *load;
} ksiLoadCase;

/* ksiLoadCaseCreate returns NULL if memory runs out. ksiLoadCaseRelease accepts NULL. */
ksiLoadCase *ksiLoadCaseCreate(void);
void ksiLoadCaseRelease(ksiLoadCase *moment);

/* Reads the loads of the last inspected step; naming and record are of the same step. body: the
 * body's index in the record. value: KS_PHYSICAL or KS_OBSERVED; a contact without this value has
 * the engine's force. KS_OK; KS_ERROR_UNAVAILABLE: a load is unknown; KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiLoadCaseRead(ksiLoadCase *moment, const ksInspector *inspector, const ksiNaming *naming,
                                     const ksiStepRecord *record, size_t body, ksValue value);

/* The mean of the load cases of consecutive moments, weighted by h. Each load case enters in the
 * body's axes at its own moment. The mean has the pose of the middle one. */
KS_MUST_USE ksStatus ksiLoadCaseMean(ksiLoadCase *const *moment, size_t count, const ksiMatter *matter,
                                     ksiLoadCase *out);

/* The index of the body with this number in the record; bodyCount: there is none. */
size_t ksiFindRecordedBody(const ksiStepRecord *record, uint64_t number);
const ksiBodyRecord *ksiRecordedBody(const ksiStepRecord *record, size_t body);

/* Inertia loads on the body about its mass centre: N, N.m. */
void ksiInertiaLoad(const ksiLoadCase *moment, const ksiMatter *matter, double force[3], double torque[3]);

static inline void ksiVectorProduct(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

#endif

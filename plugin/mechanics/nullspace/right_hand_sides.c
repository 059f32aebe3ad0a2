/* right_hand_sides.c  Prepares the null-space route: reserves memory for a motion, and gathers the
 * vectors that the exact factorisation multiplies by Q^T. */
#include "../system_private.h"

#include <math.h>
#include <string.h>

ksStatus ksiMotionReserve(ksSystem *system)
{
    ksiSystemMotion *m = &system->motion;
    m->known = KSI_MOTION_UNKNOWN;
    const size_t rows = (size_t)system->model.rowCount, coordinates = (size_t)system->model.coordinateCount;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &m->applied, coordinates));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &m->y, coordinates + rows));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &m->load, rows));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &m->side, rows));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &m->multiplier, rows));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &m->acceleration, coordinates));
    return KS_OK;
}

ksStatus ksiGatherSides(ksSystem *system, ksiFactor *f)
{
    ksiSystemMotion *m = &system->motion;
    ksiObserved *o = &system->observed;
    const size_t coordinates = (size_t)system->model.coordinateCount, height = (size_t)f->height;
    if (ksiMotionReserve(system) || ksiDoublesReserve(&system->allocator, &f->sparse.side, KSI_SIDES * height))
        return KS_ERROR_NO_MEMORY;
    double *side = f->sparse.side;
    if (height > 0)
        memset(side, 0, KSI_SIDES * height * sizeof *side);
    ksiAppliedForce(&system->model, m->applied);
    for (size_t i = 0; i < coordinates; i++)
        side[KSI_SIDES * i] = m->applied[i];
    o->isTaken = o->acceleration && coordinates > 0;
    if (!o->isTaken)
        return KS_OK;
    // the memory of the acceleration is free: there is no motion yet
    double *observed = m->acceleration;
    ksiScaleMotion(&system->model, o->acceleration, observed);
    for (size_t i = 0; i < coordinates; i++)
        side[KSI_SIDES * i + 1] = observed[i] - m->applied[i];
    for (int c = 0; c < f->columns; c++)
        if (f->slack[c] >= 0)
            side[KSI_SIDES * f->slack[c] + 1] = sqrt(system->model.compliance[f->row[c]]) * o->multiplier[f->row[c]];
    return KS_OK;
}

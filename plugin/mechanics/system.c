/* system.c  A constrained system: its life, and what is asked of it before any route is taken.
 *
 *  M a = f + J^T lambda,   J_l a + s_l lambda_l = beta_l     Lagrange I: Banach, Mechanics X §6; Gugino 1930 (1)-(3)
 *
 *  It is filled in system_fill.c and rigid.c.
 */
#include "../base/vectorise.h"
#include "system_private.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

ksStatus ksiDoublesReserve(ksSystem *system, ksiDoubles *buffer, size_t count)
{
    return ksiReserve(&system->allocator, &buffer->at, &buffer->capacity, count, sizeof *buffer->at);
}

ksStatus ksiIntsReserve(ksSystem *system, ksiInts *buffer, size_t count)
{
    return ksiReserve(&system->allocator, &buffer->at, &buffer->capacity, count, sizeof *buffer->at);
}

KSI_CLONES
int ksiAllFinite(size_t count, const double *value)
{
    // an exponent that is full overflows into the sign; raises no flag, where arithmetic with infinities would
    const uint64_t magnitude = INT64_MAX, exponent = UINT64_C(1) << 52;
    ksiFourBits four = {0};
    uint64_t over = 0;
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        four |= (*(const ksiFourBits *)(const void *)(value + i) & magnitude) + exponent;
    for (; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, value + i, sizeof bits);
        over |= (bits & magnitude) + exponent;
    }
    over |= (four[0] | four[1]) | (four[2] | four[3]);
    return over <= magnitude;
}

void ksiForget(ksSystem *system)
{
    system->fronts.isCurrent = system->gauss.besideHubs.isCurrent = 0;
    system->gauss.numericKnown = 0;
    system->tree.known = system->tree.solved = 0;
    for (int view = 0; view < KSI_VIEW_COUNT; view++)
        system->factor[view].known = 0;
    system->selfStressKnown = 0;
    system->motion.isTrue = 0;
    system->observed = (ksiObserved){0};
}

/* What depends on a tolerance, and what such a factorisation may serve. */
static void forgetRank(ksSystem *system)
{
    static const ksiView view[] = {KSI_VIEW_RIGID, KSI_VIEW_KINEMATIC, KSI_VIEW_REACH};
    for (size_t i = 0; i < sizeof view / sizeof *view; i++)
        system->factor[view[i]].known = 0;
    for (int i = 0; i < KSI_VIEW_COUNT; i++)
        system->factor[i].rankIsProved = 0;
    system->selfStressKnown = 0;
    system->tree.known = system->tree.solved = 0;
}

ksStatus ksiSystemCreate(const ksAllocator *allocator, ksSystem **system)
{
    if (!system)
        return KS_ERROR_BAD_ARGUMENT;
    ksAllocator own;
    ksiAllocatorInit(&own, allocator);
    ksSystem *made = own.resize(own.user, NULL, sizeof *made);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    memset(made, 0, sizeof *made);
    made->allocator = own;
    made->rankTolerance = 1e-10;
    made->culprit = -1;
    made->own.allocator = own;
    made->kept = &made->own;
    made->sizesKnown = 1;
    *system = made;
    return KS_OK;
}

static ksStatus create(ksSystem **system)
{
    KSI_REQUIRE_POINTER(system);
    return ksiSystemCreate(NULL, system);
}

ksStatus ksSystemCreate(ksSystem **system)
{
    return KSI_ANSWER(create(system));
}

static void freeDoubles(ksSystem *system, ksiDoubles *const *buffer, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ksiFree(&system->allocator, buffer[i]->at);
}

static void freeInts(ksSystem *system, ksiInts *const *buffer, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ksiFree(&system->allocator, buffer[i]->at);
}

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void freeGauss(ksSystem *system, ksiGauss *g)
{
    ksiInts *const ints[] = {&g->first, &g->end, &g->at, &g->hubsBelow, &g->member};
    ksiDoubles *const doubles[] = {&g->packed, &g->panel,      &g->raw,        &g->square, &g->slack, &g->inverse,
                                   &g->load,   &g->correction, &g->multiplier, &g->result, &g->work,  &g->column};
    freeInts(system, ints, COUNT_OF(ints));
    freeDoubles(system, doubles, COUNT_OF(doubles));
    ksiFree(&system->allocator, g->strip);
    ksiFree(&system->allocator, g->part);
    ksiFree(&system->allocator, g->product);
}

static void freeDependents(ksSystem *system, ksiDependents *d)
{
    ksiInts *const ints[] = {&d->list, &d->mark};
    ksiDoubles *const doubles[] = {&d->stress, &d->lane, &d->height, &d->column};
    freeInts(system, ints, COUNT_OF(ints));
    freeDoubles(system, doubles, COUNT_OF(doubles));
    ksiFree(&system->allocator, d->closure);
}

static void freeFactor(ksSystem *system, ksiFactor *f)
{
    ksiInts *const ints[] = {&f->kind, &f->isDependent, &f->row, &f->slack, &f->column, &f->pivot, &f->iwork};
    ksiDoubles *const doubles[] = {&f->scale, &f->unit, &f->slackPart, &f->qr,   &f->tau,  &f->u,
                                   &f->sigma, &f->vt,   &f->copy,      &f->work, &f->lane, &f->size};
    freeInts(system, ints, COUNT_OF(ints));
    freeDoubles(system, doubles, COUNT_OF(doubles));
    ksiSparse *s = &f->sparse;
    ksiInts *const sparseInts[] = {&s->member, &s->firstColumn, &s->index, &s->position, &s->spot, &s->work};
    ksiDoubles *const sparseDoubles[] = {&s->matrix, &s->reflector, &s->tau,     &s->pivot,
                                         &s->lane,   &s->left,      &s->inverse, &s->side};
    freeInts(system, sparseInts, COUNT_OF(sparseInts));
    freeDoubles(system, sparseDoubles, COUNT_OF(sparseDoubles));
    freeDependents(system, &f->dependents);
    ksiFree(&system->allocator, s->front);
    ksiFree(&system->allocator, s->take);
}

static void freeFronts(ksSystem *system, ksiFronts *p)
{
    ksiInts *const ints[] = {&p->blockSize,  &p->rowPiece,   &p->pieceBlock, &p->groupRow,
                             &p->blockStart, &p->blockGroup, &p->order,      &p->place,
                             &p->leadStart,  &p->lead,       &p->upperStart, &p->upper,
                             &p->firstChild, &p->nextChild,  &p->parent,     &p->work};
    freeInts(system, ints, COUNT_OF(ints));
}

static void freeBasis(ksSystem *system, ksiStressBasis *basis)
{
    ksiInts *const ints[] = {&basis->start, &basis->width, &basis->row};
    ksiDoubles *const doubles[] = {&basis->value, &basis->part};
    freeInts(system, ints, COUNT_OF(ints));
    freeDoubles(system, doubles, COUNT_OF(doubles));
    ksSystemDestroy(basis->frame);
}

static void freeTree(ksSystem *system, ksiTree *t)
{
    ksiDoubles *const doubles[] = {&t->applied, &t->y, &t->multiplier, &t->spread, &t->relaxed};
    freeDoubles(system, doubles, COUNT_OF(doubles));
    ksiFree(&system->allocator, t->limb);
}

void ksSystemDestroy(ksSystem *system)
{
    if (!system)
        return;
    ksiInts *const ints[] = {&system->blockSize,     &system->blockOffset,  &system->blockStamp,
                             &system->blockCholesky, &system->blockIsRigid, &system->rowPiece,
                             &system->pieceBlock,    &system->pieceEntry,   &system->rowKnown,
                             &system->echelonPivot,  &system->shareCount,   &system->bounded.determinate,
                             &system->placedParent};
    ksiSystemMotion *motion = &system->motion;
    ksiDoubles *const doubles[] = {
        &system->cholesky,   &system->scaledForce,  &system->velocity,   &system->blockWork, &system->entry,
        &system->beta,       &system->compliance,   &system->lo,         &system->hi,        &system->diagonal,
        &system->rowSize,    &motion->applied,      &motion->y,          &motion->load,      &motion->side,
        &motion->multiplier, &motion->acceleration, &system->selfStress, &system->routes,    &system->echelon,
        &system->vector[0],  &system->vector[1],    &system->vector[2],  &system->share,     &system->given,
        &system->placed,     &system->bounded.work};
    freeInts(system, ints, COUNT_OF(ints));
    freeDoubles(system, doubles, COUNT_OF(doubles));
    freeGauss(system, &system->gauss);
    freeFronts(system, &system->gauss.besideHubs);
    freeFronts(system, &system->fronts);
    freeTree(system, &system->tree);
    ksiKeptFree(&system->own);
    for (int view = 0; view < KSI_VIEW_COUNT; view++)
        freeFactor(system, &system->factor[view]);
    for (int metric = 0; metric < KSI_METRIC_COUNT; metric++)
        freeBasis(system, &system->stressBasis[metric]);
    ksiFree(&system->allocator, system->bounded.row);
    ksiFree(&system->allocator, system->bounded.place);
    const ksAllocator allocator = system->allocator;
    ksiFree(&allocator, system);
}

void ksSystemClear(ksSystem *system)
{
    if (!system)
        return;
    ksiForget(system);
    system->culprit = -1;
    system->blockCount = system->coordinateCount = 0;
    system->choleskyCount = 0;
    system->rowCount = system->pieceCount = system->entryCount = 0;
    system->knownCount = system->boundedCount = 0;
    system->sizesKnown = 1;
}

static ksStatus setRigidCompliance(ksSystem *system, double compliance)
{
    KSI_REQUIRE_POINTER(system);
    KSI_REQUIRE(isgreaterequal(compliance, 0), "compliance is %g, must be >= 0", compliance);
    if (system->rigidCompliance != compliance) {
        system->rigidCompliance = compliance;
        forgetRank(system);
    }
    return KS_OK;
}

ksStatus ksSystemSetRigidCompliance(ksSystem *system, double compliance)
{
    return KSI_ANSWER(setRigidCompliance(system, compliance));
}

static ksStatus setRankTolerance(ksSystem *system, double tolerance)
{
    KSI_REQUIRE_POINTER(system);
    KSI_REQUIRE(isgreater(tolerance, 0) && isless(tolerance, 1), "tolerance is %g, must be in (0, 1)", tolerance);
    if (system->rankTolerance != tolerance) {
        system->rankTolerance = tolerance;
        forgetRank(system);
    }
    return KS_OK;
}

ksStatus ksSystemSetRankTolerance(ksSystem *system, double tolerance)
{
    return KSI_ANSWER(setRankTolerance(system, tolerance));
}

ksStatus ksiNameCulprit(const ksSystem *system, ksStatus status)
{
    if (status && system && system->culprit >= 0 && !ksiIsExplained(status))
        return KSI_EXPLAIN(status, "row %d: %s", system->culprit, ksiWordsOf(status));
    return status;
}

double ksiSystemDenseWork(const ksSystem *system)
{
    return system->denseWork;
}

void ksiSystemSetDenseBudget(ksSystem *system, int rows)
{
    system->denseBudget = rows;
}

int ksSystemCoordinateCount(const ksSystem *system)
{
    return system ? system->coordinateCount : 0;
}

int ksSystemRowCount(const ksSystem *system)
{
    return system ? system->rowCount : 0;
}

int ksSystemCulprit(const ksSystem *system)
{
    return system ? system->culprit : -1;
}

int ksiRowIsEmpty(const ksSystem *system, int row)
{
    return system->diagonal.at[row] + system->compliance.at[row] == 0;
}

/* Loads of rows of different units compare as d_l lambda_l, d_l^2 = A_ll + s_l. */
static double largestLoad(const ksSystem *system, const double *multiplier)
{
    double largest = 0;
    for (int l = 0; l < system->rowCount; l++)
        largest = fmax(largest, sqrt(system->diagonal.at[l] + system->compliance.at[l]) * fabs(multiplier[l]));
    return largest;
}

/* Whether any multiplier is beyond a bound, by however little. */
static int anyOutside(const ksSystem *system, const double *multiplier)
{
    const double *lo = system->lo.at, *hi = system->hi.at;
    int any = 0;
    for (int l = 0; l < system->rowCount; l++)
        any |= (multiplier[l] < lo[l]) | (multiplier[l] > hi[l]);
    return any;
}

ksStatus ksiCheckEmptyRows(ksSystem *system)
{
    for (int l = 0; l < system->rowCount; l++)
        if (!system->rowKnown.at[l] && ksiRowIsEmpty(system, l) && system->beta.at[l] != 0) {
            system->culprit = l;
            return KS_ERROR_INCONSISTENT;
        }
    return KS_OK;
}

ksStatus ksiCheckBounds(ksSystem *system, const double *multiplier)
{
    if (system->boundedCount == 0 || !anyOutside(system, multiplier))
        return KS_OK;
    const double largest = largestLoad(system, multiplier);
    for (int l = 0; l < system->rowCount; l++) {
        const double scale = sqrt(system->diagonal.at[l] + system->compliance.at[l]);
        const double out = fmax(system->lo.at[l] - multiplier[l], multiplier[l] - system->hi.at[l]);
        if (scale * out > KSI_BOUND_ROUNDING * largest) {
            system->culprit = l;
            return KS_ERROR_BOUND;
        }
    }
    return KS_OK;
}

/* system.c  A constrained system: its life, its blocks and its rows.
 *
 *  M a = f + J^T lambda,   J_l a + s_l lambda_l = beta_l     Lagrange I: Banach, Mechanics X §6; Gugino 1930 (1)-(3)
 *
 *  Blocks and rows are mass-scaled as they come in, see system_private.h. Every call reserves its memory and
 *  checks its input before it writes anything.
 */
#include "../vectorise.h"
#include "system_private.h"

#include <limits.h>
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

/* What was computed from the blocks and rows is out of date. */
static void forget(ksSystem *system)
{
    system->fronts.isCurrent = system->gauss.besideHubs.isCurrent = 0;
    system->gauss.numericKnown = 0;
    system->tree.known = system->tree.solved = 0;
    for (int view = 0; view < KSI_VIEW_COUNT; view++)
        system->factor[view].known = 0;
    system->selfStressKnown = 0;
    system->motion.isTrue = 0;
}

/* What depends on a tolerance, and what such a factorisation may serve. */
static void forgetRank(ksSystem *system)
{
    static const ksiView view[] = {KSI_VIEW_RIGID, KSI_VIEW_KINEMATIC, KSI_VIEW_REACH};
    for (size_t i = 0; i < sizeof view / sizeof *view; i++)
        system->factor[view[i]].known = 0;
    for (int i = 0; i < KSI_VIEW_COUNT; i++)
        system->factor[i].smoothSteps = 0;
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
    made->sizesKnown = 1;
    *system = made;
    return KS_OK;
}

ksStatus ksSystemCreate(ksSystem **system)
{
    return ksiSystemCreate(NULL, system);
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
    ksiInts *const ints[] = {&g->first, &g->end, &g->at, &g->hubsBelow};
    ksiDoubles *const doubles[] = {&g->packed,  &g->panel, &g->taken, &g->raw,        &g->square,     &g->slack,
                                   &g->inverse, &g->side,  &g->load,  &g->correction, &g->multiplier, &g->result};
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
    ksiDoubles *const doubles[] = {&f->scale, &f->unit,  &f->slackPart, &f->lowest, &f->size, &f->qr,  &f->tau,
                                   &f->u,     &f->sigma, &f->vt,        &f->copy,   &f->work, &f->lane};
    freeInts(system, ints, COUNT_OF(ints));
    freeDoubles(system, doubles, COUNT_OF(doubles));
    ksiSparse *s = &f->sparse;
    ksiInts *const sparseInts[] = {&s->member, &s->firstColumn, &s->index, &s->position, &s->spot, &s->work};
    ksiDoubles *const sparseDoubles[] = {&s->matrix, &s->reflector, &s->tau,    &s->pivot,
                                         &s->lane,   &s->side,      &s->inverse};
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

static void freeCut(ksSystem *system, ksiCut *g)
{
    ksiInts *const ints[] = {&g->rowEdge, &g->edgeStart, &g->edgeRow, &g->edgeNode, &g->bridge,    &g->order,
                             &g->tie,     &g->stamp,     &g->first,   &g->next,     &g->nodeStart, &g->nodeEdge,
                             &g->reached, &g->low,       &g->from,    &g->position, &g->isCut,     &g->matrixStart};
    ksiDoubles *const doubles[] = {&g->matrix, &g->tau, &g->scale, &g->rest, &g->side, &g->noise, &g->multiplier};
    freeInts(system, ints, COUNT_OF(ints));
    freeDoubles(system, doubles, COUNT_OF(doubles));
}

static void freeTree(ksSystem *system, ksiTree *t)
{
    ksiDoubles *const doubles[] = {&t->applied, &t->y, &t->multiplier, &t->spread, &t->relaxed, &t->keptPivot};
    freeDoubles(system, doubles, COUNT_OF(doubles));
    ksiFree(&system->allocator, t->keptRows.at);
    ksiFree(&system->allocator, t->limb);
}

void ksSystemDestroy(ksSystem *system)
{
    if (!system)
        return;
    ksiInts *const ints[] = {&system->blockSize,    &system->blockOffset,  &system->blockStamp, &system->blockCholesky,
                             &system->blockIsRigid, &system->rowPiece,     &system->pieceBlock, &system->pieceEntry,
                             &system->rowKnown,     &system->echelonPivot, &system->shareCount};
    ksiMotion *motion = &system->motion;
    ksiDoubles *const doubles[] = {
        &system->cholesky,   &system->scaledForce,  &system->velocity,   &system->blockWork, &system->entry,
        &system->beta,       &system->compliance,   &system->lo,         &system->hi,        &system->diagonal,
        &system->rowSize,    &motion->applied,      &motion->y,          &motion->load,      &motion->side,
        &motion->multiplier, &motion->acceleration, &system->selfStress, &system->routes,    &system->echelon,
        &system->vector[0],  &system->vector[1],    &system->vector[2],  &system->share};
    freeInts(system, ints, COUNT_OF(ints));
    freeDoubles(system, doubles, COUNT_OF(doubles));
    freeGauss(system, &system->gauss);
    freeFronts(system, &system->gauss.besideHubs);
    freeFronts(system, &system->fronts);
    freeCut(system, &system->cut);
    freeTree(system, &system->tree);
    for (int view = 0; view < KSI_VIEW_COUNT; view++)
        freeFactor(system, &system->factor[view]);
    for (int metric = 0; metric < KSI_METRIC_COUNT; metric++)
        ksSystemDestroy(system->stressFrame[metric]);
    const ksAllocator allocator = system->allocator;
    ksiFree(&allocator, system);
}

void ksSystemClear(ksSystem *system)
{
    if (!system)
        return;
    forget(system);
    system->culprit = -1;
    system->blockCount = system->coordinateCount = 0;
    system->choleskyCount = 0;
    system->rowCount = system->pieceCount = system->entryCount = 0;
    system->knownCount = system->boundedCount = 0;
    system->sizesKnown = 1;
}

ksStatus ksSystemSetRigidCompliance(ksSystem *system, double compliance)
{
    if (!system || !(compliance >= 0))
        return KS_ERROR_BAD_ARGUMENT;
    if (system->rigidCompliance != compliance) {
        system->rigidCompliance = compliance;
        forgetRank(system);
    }
    return KS_OK;
}

ksStatus ksSystemSetRankTolerance(ksSystem *system, double tolerance)
{
    if (!system || !(tolerance > 0 && tolerance < 1))
        return KS_ERROR_BAD_ARGUMENT;
    if (system->rankTolerance != tolerance) {
        system->rankTolerance = tolerance;
        forgetRank(system);
    }
    return KS_OK;
}

void ksiSystemFollow(ksSystem *system, int isFollowed)
{
    system->isFollowed = isFollowed;
}

double ksiSystemDenseWork(const ksSystem *system)
{
    return system->denseWork;
}

void ksiSystemSetDenseBudget(ksSystem *system, int rows)
{
    system->denseBudget = rows;
}

static ksStatus reserveBlock(ksSystem *system, size_t size)
{
    const size_t blocks = (size_t)system->blockCount + 1, coordinates = (size_t)system->coordinateCount + size;
    if (ksiIntsReserve(system, &system->blockSize, blocks) || ksiIntsReserve(system, &system->blockOffset, blocks) ||
        ksiIntsReserve(system, &system->blockStamp, blocks) || ksiIntsReserve(system, &system->blockCholesky, blocks) ||
        ksiIntsReserve(system, &system->blockIsRigid, blocks) ||
        ksiDoublesReserve(system, &system->cholesky, system->choleskyCount + size * size) ||
        ksiDoublesReserve(system, &system->scaledForce, coordinates) ||
        ksiDoublesReserve(system, &system->velocity, coordinates))
        return KS_ERROR_NO_MEMORY;
    return KS_OK;
}

static int lowerIsFinite(int size, const double *mass)
{
    for (int i = 0; i < size; i++)
        if (!ksiAllFinite((size_t)i + 1, mass + (size_t)i * (size_t)size))
            return 0;
    return 1;
}

ksStatus ksSystemAddBlock(ksSystem *system, int size, const double *mass, const double *force, const double *velocity,
                          int *block)
{
    if (!system)
        return KS_ERROR_BAD_ARGUMENT;
    system->culprit = -1;
    if (size < 1 || !mass || !block)
        return KS_ERROR_BAD_ARGUMENT;
    // offsets are int, as those of the sparse factorisation are
    const size_t n = (size_t)size;
    if (size > 32767 || system->coordinateCount > INT_MAX - size || system->choleskyCount + n * n > INT_MAX)
        return KS_ERROR_NO_MEMORY;
    system->culprit = system->blockCount;
    if (!lowerIsFinite(size, mass) || (force && !ksiAllFinite(n, force)) || (velocity && !ksiAllFinite(n, velocity)))
        return KS_ERROR_NOT_FINITE;
    system->culprit = -1;
    if (reserveBlock(system, n))
        return KS_ERROR_NO_MEMORY;

    double *lower = system->cholesky.at + system->choleskyCount;
    if (!ksiCholesky(size, mass, lower)) {
        system->culprit = system->blockCount;
        return KS_ERROR_NOT_POSITIVE_DEFINITE;
    }
    double *scaled = system->scaledForce.at + system->coordinateCount;
    double *kept = system->velocity.at + system->coordinateCount;
    for (size_t i = 0; i < n; i++) {
        scaled[i] = force ? force[i] : 0;
        kept[i] = velocity ? velocity[i] : 0;
    }
    ksiForward(size, lower, scaled);

    const int b = system->blockCount++;
    system->blockSize.at[b] = size;
    system->blockOffset.at[b] = system->coordinateCount;
    system->blockStamp.at[b] = 0;
    system->blockCholesky.at[b] = (int)system->choleskyCount;
    system->blockIsRigid.at[b] = 0;
    system->coordinateCount += size;
    system->choleskyCount += n * n;
    forget(system);
    *block = b;
    return KS_OK;
}

void ksRowSpecInit(ksRowSpec *spec)
{
    if (spec)
        *spec = (ksRowSpec){.lo = -INFINITY, .hi = INFINITY};
}

int ksiNextStamp(ksSystem *system)
{
    if (system->stamp == INT_MAX) {
        for (int b = 0; b < system->blockCount; b++)
            system->blockStamp.at[b] = 0;
        system->stamp = 0;
    }
    return ++system->stamp;
}

/* Checks a row's blocks and counts its entries. */
static ksStatus checkPieces(ksSystem *system, const ksRowSpec *spec, size_t *entries)
{
    if (spec->blockCount < 0 || (spec->blockCount > 0 && (!spec->block || !spec->jacobian)))
        return KS_ERROR_BAD_ARGUMENT;
    const int stamp = ksiNextStamp(system);
    *entries = 0;
    for (int k = 0; k < spec->blockCount; k++) {
        const int b = spec->block[k];
        if (b < 0 || b >= system->blockCount || !spec->jacobian[k] || system->blockStamp.at[b] == stamp)
            return KS_ERROR_BAD_ARGUMENT;
        system->blockStamp.at[b] = stamp;
        if (!ksiAllFinite((size_t)system->blockSize.at[b], spec->jacobian[k]))
            return KS_ERROR_NOT_FINITE;
        *entries += (size_t)system->blockSize.at[b];
    }
    return KS_OK;
}

static ksStatus checkNumbers(const ksRowSpec *spec)
{
    if (!isfinite(spec->beta) || !isfinite(spec->compliance) || isnan(spec->lo) || isnan(spec->hi))
        return KS_ERROR_NOT_FINITE;
    if (spec->compliance < 0 || spec->lo > spec->hi || (spec->lo == spec->hi && !isfinite(spec->lo)))
        return KS_ERROR_BAD_ARGUMENT;
    return KS_OK;
}

ksStatus ksiRowsReserve(ksSystem *system, size_t rows, size_t pieces, size_t entries)
{
    if (pieces > INT_MAX || entries > INT_MAX || ksiIntsReserve(system, &system->rowPiece, rows + 1) ||
        ksiIntsReserve(system, &system->pieceBlock, pieces) || ksiIntsReserve(system, &system->pieceEntry, pieces) ||
        ksiIntsReserve(system, &system->rowKnown, rows) || ksiDoublesReserve(system, &system->entry, entries) ||
        ksiDoublesReserve(system, &system->beta, rows) || ksiDoublesReserve(system, &system->compliance, rows) ||
        ksiDoublesReserve(system, &system->lo, rows) || ksiDoublesReserve(system, &system->hi, rows) ||
        ksiDoublesReserve(system, &system->diagonal, rows) || ksiDoublesReserve(system, &system->rowSize, rows))
        return KS_ERROR_NO_MEMORY;
    system->rowPiece.at[0] = 0;
    return KS_OK;
}

/* b_l = L^-1 J_l^T behind the pieces that are there; |b_l|^2 is returned, |b_l| of the kinematic metric in `size`. */
static double scalePieces(ksSystem *system, const ksRowSpec *spec, double *size)
{
    double square = 0, weighted = 0;
    int entry = system->entryCount;
    for (int k = 0; k < spec->blockCount; k++) {
        const int b = spec->block[k], length = system->blockSize.at[b];
        double *piece = system->entry.at + entry;
        memcpy(piece, spec->jacobian[k], (size_t)length * sizeof *piece);
        ksiForward(length, system->cholesky.at + system->blockCholesky.at[b], piece);
        const double part = ksiDot((size_t)length, piece, piece), weight = ksiBlockWeight(system, b);
        square += part;
        weighted += weight * weight * part;
        system->pieceBlock.at[system->pieceCount + k] = b;
        system->pieceEntry.at[system->pieceCount + k] = entry;
        entry += length;
    }
    *size = weighted > 0 ? sqrt(weighted) : 1;
    return square;
}

/* Of one weight throughout: that times the size in the mass metric. */
static void sizeRowsAlike(ksSystem *system, double weight)
{
    for (int l = 0; l < system->rowCount; l++)
        system->rowSize.at[l] = system->diagonal.at[l] > 0 ? weight * sqrt(system->diagonal.at[l]) : 1;
    system->sizesKnown = 1;
}

void ksiSizeRows(ksSystem *system)
{
    if (!system->sizesKnown && system->blockCount > 0 && ksiWeightSpread(system) >= 1)
        sizeRowsAlike(system, ksiBlockWeight(system, 0));
    for (int l = 0; !system->sizesKnown && l < system->rowCount; l++) {
        double weighted = 0;
        for (int p = system->rowPiece.at[l]; p < system->rowPiece.at[l + 1]; p++) {
            const int b = system->pieceBlock.at[p];
            const double *piece = system->entry.at + system->pieceEntry.at[p], weight = ksiBlockWeight(system, b);
            weighted += weight * weight * ksiDot((size_t)system->blockSize.at[b], piece, piece);
        }
        system->rowSize.at[l] = weighted > 0 ? sqrt(weighted) : 1;
    }
    system->sizesKnown = 1;
}

ksStatus ksSystemAddRow(ksSystem *system, const ksRowSpec *spec, int *row)
{
    if (!system)
        return KS_ERROR_BAD_ARGUMENT;
    system->culprit = -1;
    if (!spec || !row)
        return KS_ERROR_BAD_ARGUMENT;
    size_t entries;
    ksStatus status = checkNumbers(spec);
    if (!status)
        status = checkPieces(system, spec, &entries);
    if (!status)
        status = ksiRowsReserve(system, (size_t)system->rowCount + 1, (size_t)(system->pieceCount + spec->blockCount),
                                (size_t)system->entryCount + entries);
    if (status) {
        if (status != KS_ERROR_NO_MEMORY)
            system->culprit = system->rowCount;
        return status;
    }
    double size;
    const double square = scalePieces(system, spec, &size);
    if (!isfinite(square) || !isfinite(size)) {
        system->culprit = system->rowCount;
        return KS_ERROR_NOT_FINITE;
    }

    const int l = system->rowCount++;
    system->pieceCount += spec->blockCount;
    system->entryCount += (int)entries;
    system->rowPiece.at[l + 1] = system->pieceCount;
    system->beta.at[l] = spec->beta;
    system->compliance.at[l] = spec->compliance;
    system->lo.at[l] = spec->lo;
    system->hi.at[l] = spec->hi;
    system->rowKnown.at[l] = spec->lo == spec->hi;
    system->knownCount += system->rowKnown.at[l];
    system->boundedCount += !system->rowKnown.at[l] && (isfinite(spec->lo) || isfinite(spec->hi));
    system->diagonal.at[l] = square;
    system->rowSize.at[l] = size;
    forget(system);
    *row = l;
    return KS_OK;
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

void ksiSystemSetForce(ksSystem *system, const double *force)
{
    system->motion.isTrue = 0;
    if (system->coordinateCount == 0)
        return;
    system->tree.solved = 0;
    memcpy(system->scaledForce.at, force, (size_t)system->coordinateCount * sizeof *force);
    ksiScaleForce(system, system->scaledForce.at);
}

void ksiSystemSetBeta(ksSystem *system, const double *beta)
{
    system->tree.solved = 0;
    system->motion.isTrue = 0;
    if (system->rowCount > 0)
        memcpy(system->beta.at, beta, (size_t)system->rowCount * sizeof *beta);
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

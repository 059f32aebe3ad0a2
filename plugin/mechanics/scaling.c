/* scaling.c  Computes mass-scaled coordinates, with M = L L^T block by block: y = L^T a and
 * b_l = L^-1 J_l^T.
 *
 * In these coordinates the metric of Gauss's principle is Euclidean: |a|_M = |y|. Blocks usually
 * have order 6 or less. For such blocks, plain loops are faster than LAPACK.
 */
#include "model.h"

#include "../base/vectorise.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

int ksiCholesky(int size, const double *mass, double *lower)
{
    for (int i = 0; i < size; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = mass[i * size + j];
            for (int k = 0; k < j; k++)
                sum -= lower[i * size + k] * lower[j * size + k];
            if (j < i) {
                lower[i * size + j] = sum / lower[j * size + j];
                lower[j * size + i] = 0;
            } else {
                // a pivot that may be pure rounding: not positive definite; NaN fails too
                if (!(sum > size * DBL_EPSILON * mass[i * size + i]) || !isfinite(sum))
                    return 0;
                lower[i * size + i] = sqrt(sum);
            }
        }
    }
    return 1;
}

void ksiForward(int size, const double *lower, double *x)
{
    for (int i = 0; i < size; i++) {
        double sum = x[i];
        for (int j = 0; j < i; j++)
            sum -= lower[i * size + j] * x[j];
        x[i] = sum / lower[i * size + i];
    }
}

static void backward(int size, const double *lower, double *x)
{
    for (int i = size - 1; i >= 0; i--) {
        x[i] /= lower[i * size + i];
        for (int j = 0; j < i; j++)
            x[j] -= lower[i * size + j] * x[i];
    }
}

static void transposedProduct(int size, const double *lower, double *x)
{
    for (int j = 0; j < size; j++) {
        double sum = 0;
        for (int i = j; i < size; i++)
            sum += lower[i * size + j] * x[i];
        x[j] = sum;
    }
}

/* The next three functions set y := L^-1 x, L^-T x, L^T x. y may be x. */
KSI_INLINE void rigidForward(const ksiRigidRoot *root, const double x[6], double y[6])
{
    ksiScaleByRoot(root, x, x + 3, y);
}

KSI_INLINE void rigidBackward(const ksiRigidRoot *root, const double x[6], double y[6])
{
    // the first number of a column has no effect
    const ksiFour linear = root->massInverse * *(const ksiFour *)x, torque = *(const ksiFour *)(x + 2);
    ksiFour part[4];
    EACH (k, 0, 3)
        part[k] = torque * *(const ksiFour *)root->column[k];
    part[3] = (ksiFour){0};
    ksiTranspose(part);
    const ksiFour angular = part[1] + part[2] + part[3];
    *(ksiFour *)y = linear;
    *(ksiFour *)(y + 2) = KSI_SHUFFLE(linear, angular, 2, 4, 5, 6);
}

KSI_INLINE void rigidTransposed(const ksiRigidRoot *root, const double x[6], double y[6])
{
    const double *L = root->inertia;
    const ksiFour linear = root->mass * *(const ksiFour *)x;
    const ksiFour angular =
        x[3] * *(const ksiFour *)L + x[4] * *(const ksiFour *)(L + 3) + x[5] * *(const ksiFour *)(L + 6);
    *(ksiFour *)y = linear;
    *(ksiFour *)(y + 2) = KSI_SHUFFLE(linear, angular, 2, 4, 5, 6);
}

void ksiRigidForward(const ksiRigidRoot *root, double x[6])
{
    rigidForward(root, x, x);
}

double ksiBlockWeight(const ksiModel *model, int block)
{
    return model->cholesky[model->blockCholesky[block]];
}

double ksiWeightSpread(const ksiModel *model)
{
    double least = INFINITY, largest = 0;
    for (int b = 0; b < model->blockCount; b++) {
        least = ksiSmaller(least, ksiBlockWeight(model, b));
        largest = ksiLarger(largest, ksiBlockWeight(model, b));
    }
    return least < largest ? least / largest : 1;
}

/* The root of a block of ksiSystemAddBody. */
static const ksiRigidRoot *rigidRoot(const ksiModel *model, int block)
{
    return (const ksiRigidRoot *)(const void *)(model->cholesky + model->blockCholesky[block]);
}

/* Applies RIGID to a rigid body, and ANY to any other block. */
#define ONE_BLOCK(model, block, from, to, RIGID, ANY)                                                                  \
    do {                                                                                                               \
        if ((model)->blockIsRigid[block]) {                                                                            \
            RIGID(rigidRoot(model, block), from, to);                                                                  \
        } else {                                                                                                       \
            ksiCopy((size_t)(model)->blockSize[block], from, to);                                                      \
            ANY((model)->blockSize[block], (model)->cholesky + (model)->blockCholesky[block], to);                     \
        }                                                                                                              \
    } while (0)

#define EVERY_BLOCK(model, from, to, RIGID, ANY)                                                                       \
    for (int b = 0; b < (model)->blockCount; b++)                                                                      \
    ONE_BLOCK(model, b, (from) + (model)->blockOffset[b], (to) + (model)->blockOffset[b], RIGID, ANY)

KSI_CLONES_EXACT
void ksiScaleForce(const ksiModel *model, const double *force, double *scaled)
{
    EVERY_BLOCK(model, force, scaled, rigidForward, ksiForward);
}

KSI_CLONES_EXACT
void ksiScaleMotion(const ksiModel *model, const double *motion, double *scaled)
{
    EVERY_BLOCK(model, motion, scaled, rigidTransposed, transposedProduct);
}

void ksiScaleBlockMotion(const ksiModel *model, int block, double *part)
{
    ONE_BLOCK(model, block, part, part, rigidTransposed, transposedProduct);
}

KSI_CLONES_EXACT
void ksiUnscaleMotion(const ksiModel *model, const double *scaled, double *motion)
{
    EVERY_BLOCK(model, scaled, motion, rigidBackward, backward);
}

KSI_CLONES
int ksiAllFinite(size_t count, const double *value)
{
    // adding to a full exponent overflows into the sign bit; integer arithmetic raises no
    // floating-point flag
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

KSI_CLONES
double ksiDot(size_t count, const double *a, const double *b)
{
    ksiFour four = {0};
    double sum = 0;
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        four += *(const ksiFour *)(const void *)(a + i) * *(const ksiFour *)(const void *)(b + i);
    for (; i < count; i++)
        sum += a[i] * b[i];
    return sum + ((four[0] + four[1]) + (four[2] + four[3]));
}

KSI_CLONES
void ksiOrthogonalise(size_t n, const double *unit, size_t count, double *x)
{
    for (size_t k = 0; k < count; k++, unit += n)
        ksiAddMany((int)n, -ksiDot(n, unit, x), unit, x);
}

KSI_CLONES
double ksiRowDot(const ksiModel *model, int row, const double *y)
{
    double sum = 0;
    for (int p = model->rowPiece[row]; p < model->rowPiece[row + 1]; p++) {
        const int b = model->pieceBlock[p], size = model->blockSize[b];
        const double *piece = model->entry + model->pieceEntry[p], *part = y + model->blockOffset[b];
        sum += size == 6 ? ksiDotSix(piece, part) : ksiDot((size_t)size, piece, part);
    }
    return sum;
}

KSI_CLONES
void ksiRowAdd(const ksiModel *model, int row, double times, double *y)
{
    for (int p = model->rowPiece[row]; p < model->rowPiece[row + 1]; p++) {
        const int b = model->pieceBlock[p], size = model->blockSize[b];
        const double *piece = model->entry + model->pieceEntry[p];
        double *part = y + model->blockOffset[b];
        if (size == 6)
            ksiAddSix(part, times, piece);
        else
            ksiAddMany(size, times, piece, part);
    }
}

void ksiAppliedForce(const ksiModel *model, double *y)
{
    ksiCopy((size_t)model->coordinateCount, model->scaledForce, y);
    for (int l = 0; model->knownCount > 0 && l < model->rowCount; l++)
        if (model->rowKnown[l])
            ksiRowAdd(model, l, model->lo[l], y);
}

/* scaling.c  Mass-scaled coordinates: M = L L^T block by block, y = L^T a, b_l = L^-1 J_l^T.
 *
 *  In them the metric of Gauss's principle is the plain one: |a|_M = |y|. Blocks have order 6 or
 *  less as a rule, where plain loops beat a call of LAPACK.
 */
#include "system_private.h"

#include "../base/vectorise.h"

#include <float.h>
#include <math.h>
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
                // a pivot that is all rounding is no mass; NaN fails as well
                if (!(sum > 4 * DBL_EPSILON * mass[i * size + i]) || !isfinite(sum))
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

void ksiRigidForward(const ksiRigidRoot *root, double x[6])
{
    ksiScaleByRoot(root, x, x + 3, x);
}

void ksiRigidBackward(const ksiRigidRoot *root, double x[6])
{
    const double t[3] = {x[3], x[4], x[5]};
    for (int k = 0; k < 3; k++) {
        const double *column = root->column[k] + 1;
        x[k] *= root->massInverse;
        x[3 + k] = column[0] * t[0] + column[1] * t[1] + column[2] * t[2];
    }
}

void ksiRigidTransposed(const ksiRigidRoot *root, double x[6])
{
    const double *L = root->inertia, t[3] = {x[3], x[4], x[5]};
    for (int k = 0; k < 3; k++) {
        x[k] *= root->mass;
        x[3 + k] = L[k] * t[0] + L[3 + k] * t[1] + L[6 + k] * t[2];
    }
}

double ksiBlockWeight(const ksSystem *system, int block)
{
    return system->cholesky.at[system->blockCholesky.at[block]];
}

double ksiWeightSpread(const ksSystem *system)
{
    double least = INFINITY, largest = 0;
    for (int b = 0; b < system->blockCount; b++) {
        least = ksiSmaller(least, ksiBlockWeight(system, b));
        largest = ksiLarger(largest, ksiBlockWeight(system, b));
    }
    return least < largest ? least / largest : 1;
}

/* The root of a block of ksiSystemAddBody. */
static const ksiRigidRoot *rigidRoot(const ksSystem *system, int block)
{
    return (const ksiRigidRoot *)(const void *)(system->cholesky.at + system->blockCholesky.at[block]);
}

/* Applies one of two operations to each block: on a rigid body, or on any. */
static void everyBlock(const ksSystem *system, double *x, void rigid(const ksiRigidRoot *, double *),
                       void any(int, const double *, double *))
{
    for (int b = 0; b < system->blockCount; b++) {
        double *part = x + system->blockOffset.at[b];
        if (system->blockIsRigid.at[b])
            rigid(rigidRoot(system, b), part);
        else
            any(system->blockSize.at[b], system->cholesky.at + system->blockCholesky.at[b], part);
    }
}

void ksiScaleForce(const ksSystem *system, double *x)
{
    everyBlock(system, x, ksiRigidForward, ksiForward);
}

void ksiScaleMotion(const ksSystem *system, double *x)
{
    everyBlock(system, x, ksiRigidTransposed, transposedProduct);
}

void ksiUnscaleMotion(const ksSystem *system, double *x)
{
    everyBlock(system, x, ksiRigidBackward, backward);
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
double ksiRowDot(const ksSystem *system, int row, const double *y)
{
    double sum = 0;
    for (int p = system->rowPiece.at[row]; p < system->rowPiece.at[row + 1]; p++) {
        const int b = system->pieceBlock.at[p], size = system->blockSize.at[b];
        const double *piece = system->entry.at + system->pieceEntry.at[p], *part = y + system->blockOffset.at[b];
        sum += size == 6 ? ksiDotSix(piece, part) : ksiDot((size_t)size, piece, part);
    }
    return sum;
}

KSI_CLONES
void ksiRowAdd(const ksSystem *system, int row, double times, double *y)
{
    for (int p = system->rowPiece.at[row]; p < system->rowPiece.at[row + 1]; p++) {
        const int b = system->pieceBlock.at[p], size = system->blockSize.at[b];
        const double *piece = system->entry.at + system->pieceEntry.at[p];
        double *part = y + system->blockOffset.at[b];
        int i = size == 6 ? 6 : 0;
        if (size == 6)
            ksiAddSix(part, times, piece);
        for (; i + 4 <= size; i += 4)
            *(ksiFour *)(void *)(part + i) += times * *(const ksiFour *)(const void *)(piece + i);
        for (; i < size; i++)
            part[i] += times * piece[i];
    }
}

void ksiAppliedForce(const ksSystem *system, double *y)
{
    if (system->coordinateCount > 0)
        memcpy(y, system->scaledForce.at, (size_t)system->coordinateCount * sizeof *y);
    for (int l = 0; system->knownCount > 0 && l < system->rowCount; l++)
        if (system->rowKnown.at[l])
            ksiRowAdd(system, l, system->lo.at[l], y);
}

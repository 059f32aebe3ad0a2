/* sharing.c  Contacts whose shares of what one pair of bodies passes on are not unique, where these are not factorised.
 *
 * A row inside its bounds takes part in a self-stress of its pair where it depends on the pair's other rows inside: where
 * its leverage a^T (A^T A)^+ a, A the matrix of these rows, is below 1. What is missing to 1 is the squared length of its
 * share in the combinations of rows that vanish. Self-stresses through more than two bodies are not looked for.
 *
 * What a contact does to one body of the pair it does to the other, at the same point with the opposite sign. So the rows of
 * one of them tell which combinations vanish. */
#include "inspector_private.h"

#include "../base/vectorise.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { SIZE = 6 };
/* squared: more than A^T A makes of rows that are nearly dependent */
static const double noShare = 1e-6;

typedef struct Leverage {
    double gram[SIZE][SIZE];   /* A^T A, rows of unit length */
    double factor[SIZE][SIZE]; /* row n: column n of its Cholesky factor, of rank `rank` */
    int pivot[SIZE];
    int rank;
} Leverage;

static bool unitRow(const ksiJointState *joint, int l, int body, double row[SIZE])
{
    const double *scaled = &joint->scaled[l][joint->bodyIndex[0] == body ? 0 : SIZE], size = ksiSize(scaled, SIZE);
    // where contacts are no loads their places are those of physical values by now
    const ksRowPlace place = joint->isLoad ? joint->place[l] : joint->reported[l];
    if (place != KS_INSIDE || size == 0)
        return false;
    for (int k = 0; k < SIZE; k++)
        row[k] = scaled[k] / size;
    return true;
}

static void addRow(Leverage *pair, const double row[SIZE])
{
    for (int i = 0; i < SIZE; i++)
        ksiAddSix(pair->gram[i], row[i], row);
}

static int largest(const double *x)
{
    int best = 0;
    for (int i = 1; i < SIZE; i++)
        best = x[i] > x[best] ? i : best;
    return best;
}

static void factor(Leverage *pair, double tolerance)
{
    double left[SIZE], least = 0;
    for (int i = 0; i < SIZE; i++)
        left[i] = pair->gram[i][i];
    least = tolerance * tolerance * left[largest(left)];
    for (int p = largest(left); pair->rank < SIZE && left[p] > least; p = largest(left)) {
        double *column = pair->factor[pair->rank], root = sqrt(left[p]);
        for (int i = 0; i < SIZE; i++) {
            column[i] = pair->gram[i][p];
            for (int m = 0; m < pair->rank; m++)
                column[i] -= pair->factor[m][i] * pair->factor[m][p];
            column[i] /= root;
            left[i] -= column[i] * column[i];
        }
        left[p] = 0;
        pair->pivot[pair->rank++] = p;
    }
}

static double leverage(const Leverage *pair, const double row[SIZE])
{
    double y[SIZE], sum = 0;
    for (int n = 0; n < pair->rank; n++) {
        const int p = pair->pivot[n];
        y[n] = row[p];
        for (int m = 0; m < n; m++)
            y[n] -= pair->factor[m][p] * y[m];
        y[n] /= pair->factor[n][p];
        sum += y[n] * y[n];
    }
    return sum;
}

/* The lighter of a pair: seen from the middle of a large body, points of a small one that lies on it fall into one. */
static int tellingBody(const ksInspector *inspector, const int pair[2])
{
    double most = 0;
    int body = -1;
    for (int side = 0; side < 2; side++) {
        const ksiBodyState *state = pair[side] < 0 ? NULL : &inspector->body[pair[side]];
        if (state && state->dynamic && state->begin.root.massInverse > most) {
            most = state->begin.root.massInverse;
            body = pair[side];
        }
    }
    return body;
}

/* The contacts of a pair, each leading to the one before. */
static void judgePair(ksInspector *inspector, int last)
{
    Leverage pair = {.rank = 0};
    double row[SIZE];
    int rows = 0;
    // one joint alone, whose rows are known to be independent
    if (inspector->joint[last].previousOfPair < 0 && inspector->joint[last].rank == inspector->joint[last].rows.count)
        return;
    const int body = tellingBody(inspector, inspector->joint[last].bodyIndex);
    for (int i = last; i >= 0; i = inspector->joint[i].previousOfPair) {
        for (int l = 0; l < inspector->joint[i].rows.count; l++) {
            if (!unitRow(&inspector->joint[i], l, body, row))
                continue;
            addRow(&pair, row);
            rows++;
        }
    }
    factor(&pair, inspector->options.rankTolerance);
    for (int i = last; rows > pair.rank && i >= 0; i = inspector->joint[i].previousOfPair) {
        for (int l = 0; l < inspector->joint[i].rows.count; l++) {
            if (unitRow(&inspector->joint[i], l, body, row) && 1 - leverage(&pair, row) > noShare)
                inspector->joint[i].reasons |= KS_REASON_REDUNDANT;
        }
    }
}

/* Another number for another pair, in either order. */
static const void *keyOf(const ksInspector *inspector, const ksiJointState *joint)
{
    const int a = joint->bodyIndex[0], b = joint->bodyIndex[1];
    const uintptr_t low = (uintptr_t)((a < b ? a : b) + 1), high = (uintptr_t)((a < b ? b : a) + 1);
    return (const void *)(high * (inspector->bodyCount + 1) + low);
}

static bool isLeft(const ksiIsland *island)
{
    return island->reasons & KSI_LEFT_REASONS && !island->solved;
}

/* Others are judged with the self-stresses of their island. */
static bool isJudgedHere(const ksInspector *inspector, const ksiJointState *joint)
{
    if (joint->type != dJointTypeContact || !joint->finite)
        return false;
    return joint->isLoad || (joint->island >= 0 && isLeft(&inspector->island[joint->island]));
}

static bool isAnyJudgedHere(const ksInspector *inspector)
{
    bool any = inspector->anyLoad;
    for (size_t i = 0; !any && i < inspector->islandCount; i++)
        any = isLeft(&inspector->island[i]);
    return any;
}

/* Contacts of a pair mostly come one after the other: it is looked for where another begins. */
static void linkPairs(ksInspector *inspector, ksiPointers *pairs)
{
    const void *before = NULL;
    int last = -1;
    for (size_t i = 0; i < inspector->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[i];
        if (!isJudgedHere(inspector, joint))
            continue;
        const void *key = keyOf(inspector, joint);
        if (key != before) {
            if (last >= 0)
                ksiPointersAdd(pairs, before, last);
            last = ksiPointersFind(pairs, key);
        }
        joint->previousOfPair = last;
        joint->lastOfPair = true;
        if (last >= 0)
            inspector->joint[last].lastOfPair = false;
        before = key;
        last = (int)i;
    }
}

ksStatus ksiFindSharing(ksInspector *inspector)
{
    if (!isAnyJudgedHere(inspector))
        return KS_OK;
    ksiPointers *pairs = &inspector->pairIndex;
    ksStatus status = ksiPointersReset(&inspector->allocator, pairs, inspector->jointCount);
    if (status)
        return status;
    linkPairs(inspector, pairs);
    for (size_t i = 0; i < inspector->jointCount; i++) {
        if (inspector->joint[i].lastOfPair)
            judgePair(inspector, (int)i);
    }
    return KS_OK;
}

/* contact_redundancy.c  Finds redundant contacts of one pair of bodies, without factorising their
 * island.
 *
 * The matrix `A` consists of the pair's rows that are inside their bounds. A row `a` takes part in
 * a self-stress if it depends on the other rows. Then its leverage is below 1:
 *
 *     a^T (A^T A)^+ a  <  1
 *
 * The self-stresses form a space of vectors with one number for each row: the null space of A^T.
 * The unit vector of row a, projected on this space, has the squared length of one minus the
 * leverage. Self-stresses through more than two bodies are not detected.
 *
 * A contact acts on both bodies of the pair at the same point with opposite signs. So the rows of
 * one body show which combinations vanish. */
#include "../phases.h"
#include "../publish/wrench_norm.h"

#include "../../base/vectorise.h"
#include "../../linear/cholesky.h"

#include <math.h>
#include <string.h>

enum { SIZE = 6 };
/* the least squared share in the null space that counts, which is above the rounding of A^T A for
 * nearly dependent rows */
static const double noShare = 1e-6;

typedef struct Leverage {
    double gram[SIZE][SIZE];   /* A^T A, for rows of unit length */
    double factor[SIZE][SIZE]; /* row n: column n of the Cholesky factor of `gram` */
    int pivot[SIZE];
    int rank;
} Leverage;

static bool unitRow(const ksiStep *step, int index, int l, int body, double row[SIZE])
{
    const ksiJointInput *joint = &step->joint[index];
    const double *scaled = &joint->scaled[l][joint->bodyIndex[0] == body ? 0 : SIZE], size = ksiSize(scaled, SIZE);
    const ksiPlaces *places = step->contact[index].isJudged ? step->contactPlaces : step->reportPlaces;
    if (places[index].place[l] != KS_INSIDE || size == 0)
        return false;
    for (int k = 0; k < SIZE; k++)
        row[k] = scaled[k] / size;
    return true;
}

static void factor(Leverage *pair, double tolerance)
{
    double most = 0;
    for (int i = 0; i < SIZE; i++)
        most = fmax(most, pair->gram[i][i]);
    pair->rank =
        ksiRootSemidefinite(SIZE, pair->gram[0], SIZE, tolerance * tolerance * most, pair->factor[0], pair->pivot);
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

/* The lighter body of a pair: relative to the centre of a large body, all points of a small body on
 * it nearly coincide. */
static int tellingBody(const ksiStep *step, const int pair[2])
{
    double most = 0;
    int body = -1;
    for (int side = 0; side < 2; side++) {
        const ksiBodyInput *state = pair[side] < 0 ? NULL : &step->body[pair[side]];
        if (state && state->dynamic && state->begin.root.massInverse > most) {
            most = state->begin.root.massInverse;
            body = pair[side];
        }
    }
    return body;
}

/* Judges the contacts of a pair: `last`, and all contacts before it. */
static void judgePair(const ksiStep *step, int last, ksiContacts *out)
{
    Leverage pair = {.rank = 0};
    double row[SIZE];
    int rows = 0;
    // a single joint whose rows are known to be independent
    if (out->joint[last].previousOfPair < 0 && step->report[last].rank == step->joint[last].rows.count)
        return;
    const int body = tellingBody(step, step->joint[last].bodyIndex);
    for (int i = last; i >= 0; i = out->joint[i].previousOfPair) {
        for (int l = 0; l < step->joint[i].rows.count; l++) {
            if (!unitRow(step, i, l, body, row))
                continue;
            for (int k = 0; k < SIZE; k++)
                ksiAddSix(pair.gram[k], row[k], row);
            rows++;
        }
    }
    factor(&pair, step->options.rankTolerance);
    for (int i = last; rows > pair.rank && i >= 0; i = out->joint[i].previousOfPair) {
        for (int l = 0; l < step->joint[i].rows.count; l++) {
            if (unitRow(step, i, l, body, row) && 1 - leverage(&pair, row) > noShare)
                out->joint[i].reasons |= KS_REASON_REDUNDANT;
        }
    }
}

static bool isLeft(const ksiIslandConverged *island)
{
    return island->reasons & KSI_NOT_FACTORISED && !island->isSolved;
}

/* Is the joint judged here? Other joints are judged by the self-stresses of their island. */
static bool isJudgedHere(const ksiStep *step, size_t index)
{
    const int island = step->member[index].island;
    if (step->joint[index].type != dJointTypeContact || !step->report[index].isFinite)
        return false;
    return step->joint[index].isLoad || (island >= 0 && isLeft(&step->islandConverged[island]));
}

static bool isAnyJudgedHere(const ksiStep *step)
{
    bool any = step->input->anyLoad;
    for (size_t i = 0; !any && i < step->islands->count; i++)
        any = isLeft(&step->islandConverged[i]);
    return any;
}

/* Contacts of a pair usually follow each other, so a pair is looked up only where the pair
 * changes. */
static void linkPairs(const ksiStep *step, ksiContacts *out)
{
    const void *before = NULL;
    int last = -1;
    for (size_t i = 0; i < step->jointCount; i++) {
        ksiJointContact *contact = &out->joint[i];
        if (!isJudgedHere(step, i))
            continue;
        const void *key = ksiPairKey(step, step->joint[i].bodyIndex);
        if (key != before) {
            if (last >= 0)
                ksiPointersAdd(&out->pairIndex, before, last);
            last = ksiPointersFind(&out->pairIndex, key);
        }
        contact->previousOfPair = last;
        contact->isLastOfPair = true;
        if (last >= 0)
            out->joint[last].isLastOfPair = false;
        before = key;
        last = (int)i;
    }
}

ksStatus ksiFindContactRedundancy(const ksiStep *step, ksiContacts *out)
{
    if (!(step->options.values & KS_COMPUTE_CONVERGED) || !isAnyJudgedHere(step))
        return KS_OK;
    KSI_TRY(ksiPointersReset(&step->allocator, &out->pairIndex, step->jointCount));
    linkPairs(step, out);
    for (size_t i = 0; i < step->jointCount; i++) {
        if (out->joint[i].isLastOfPair)
            judgePair(step, (int)i, out);
    }
    return KS_OK;
}

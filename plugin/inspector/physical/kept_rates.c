/* kept_rates.c  Finds velocities that keep the joint rates of a tree, close to the velocities of
 * the bodies.
 *
 * From the root to the leaves, each body gets the least change dy (core/least_motion.h) that its
 * joint requires,
 *
 *     b_c^T dy_c = -J v - b_p^T dy_p
 *
 * with the rows b_c and b_p of the joint on this body `c` and on its parent `p`. For a row that
 * follows a velocity, J v is ksiExcessRate. The tree starts at the ground or, without ground, at the
 * heaviest body. It spans the island by the joints with the most rows that hold a position. So the
 * joints that close loops have as few such rows as possible: in a planar chain, only the rows that
 * keep the chain in its plane. */
#include "../../base/rigidroot.h"
#include "../../base/union_find.h"
#include "../../core/least_motion.h"
#include "physical.h"

#include <math.h>
#include <string.h>

enum { UNSEEN = -2, NONE = -1 };

/* There is a queue of waiting joints for each number of rows. */
typedef struct Search {
    const ksiStep *step;
    const ksiIsland *island;
    const ksiPlaces *places;
    double *motion;
    int *rows;       /* [joints] rows that hold a position: bits */
    int *start, *of; /* [bodies + 2], [2 joints]: lists of the joints of each body */
    int *next;       /* [joints] next joint in the queue; NONE: last one; UNSEEN: never queued */
    int *isFound;    /* [bodies] */
    int *set, *root; /* [bodies] sets of joined bodies, and the heaviest body of each */
    int first[KSI_MAX_ROWS + 1], last[KSI_MAX_ROWS + 1];
    int closing; /* number of rows outside the tree that hold a position or a velocity */
} Search;

static unsigned rowsThatHold(const ksiStep *step, int joint, const ksiPlaces *places)
{
    return step->joint[joint].type == dJointTypeContact ? 0 : ksiHeldRows(step, joint, places);
}

/* Counting sort. While the joints are listed, start[b + 1] is the next place of body b; afterwards
 * it is the end of its list. */
static void listJoints(Search *s)
{
    memset(s->start, 0, ((size_t)s->island->bodyCount + 2) * sizeof *s->start);
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        s->rows[i] = (int)rowsThatHold(s->step, joint, &s->places[joint]);
        s->next[i] = UNSEEN;
        s->closing += __builtin_popcount(ksiBiasedRows(s->step, joint, &s->places[joint]));
        int block[2];
        ksiBlocksOf(s->step, joint, block);
        for (int side = 0; s->rows[i] && side < 2; side++)
            if (block[side] >= 0)
                s->start[block[side] + 2]++;
    }
    for (int b = 0; b < s->island->bodyCount; b++)
        s->start[b + 2] += s->start[b + 1];
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        int block[2];
        ksiBlocksOf(s->step, joint, block);
        for (int side = 0; s->rows[i] && side < 2; side++)
            if (block[side] >= 0)
                s->of[s->start[block[side] + 1]++] = i;
    }
}

static void enqueue(Search *s, int i)
{
    if (s->next[i] != UNSEEN)
        return;
    const int level = __builtin_popcount((unsigned)s->rows[i]);
    s->next[i] = NONE;
    if (s->first[level] == NONE)
        s->first[level] = i;
    else
        s->next[s->last[level]] = i;
    s->last[level] = i;
}

/* The joint that has waited longest among the joints with the most rows; NONE: the queues are
 * empty. */
static int dequeue(Search *s)
{
    for (int level = KSI_MAX_ROWS; level > 0; level--) {
        const int i = s->first[level];
        if (i == NONE)
            continue;
        s->first[level] = s->next[i];
        return i;
    }
    return NONE;
}

static void find(Search *s, int block)
{
    s->isFound[block] = true;
    for (int q = s->start[block]; q < s->start[block + 1]; q++)
        enqueue(s, s->of[q]);
}

static void change(Search *s, int i, int block, int side, int parent)
{
    const int joint = ksiIslandJoint(s->step, s->island, i);
    const ksiJointInput *input = &s->step->joint[joint];
    double row[KSI_MAX_ROWS][6], right[KSI_MAX_ROWS];
    int count = 0;
    for (unsigned l = 0, rows = ksiBiasedRows(s->step, joint, &s->places[joint]); rows; l++, rows >>= 1) {
        if (!(rows & 1))
            continue;
        const double *scaled = input->scaled[l];
        memcpy(row[count], scaled + 6 * side, sizeof row[count]);
        right[count] = -ksiExcessRate(s->step, joint, (int)l);
        if (parent >= 0)
            right[count] -= ksiDotSix(scaled + 6 - 6 * side, s->motion + 6 * parent);
        count++;
    }
    const unsigned lost = ksiCoreLeastChange(count, (const double(*)[6])row, right, s->motion + 6 * block);
    s->closing -= count - __builtin_popcount(lost);
}

/* Adds all bodies that the joints in the queues reach. */
static void grow(Search *s)
{
    for (int i; (i = dequeue(s)) != NONE;) {
        int block[2];
        ksiBlocksOf(s->step, ksiIslandJoint(s->step, s->island, i), block);
        const int side = block[0] < 0 || s->isFound[block[0]];
        if (block[side] < 0 || s->isFound[block[side]])
            continue;
        change(s, i, block[side], side, block[1 - side]);
        find(s, block[side]);
    }
}

static double massOf(const Search *s, int block)
{
    return s->step->body[ksiIslandBody(s->step, s->island, block)].begin.mass;
}

/* The heaviest body of each set that joints join. */
static void findRoots(Search *s)
{
    ksiSetsReset(s->set, (size_t)s->island->bodyCount);
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        int block[2];
        ksiBlocksOf(s->step, joint, block);
        if (s->rows[i] && block[0] >= 0 && block[1] >= 0)
            ksiSetsUnite(s->set, block[0], block[1]);
    }
    for (int b = 0; b < s->island->bodyCount; b++)
        s->root[b] = NONE;
    for (int b = 0; b < s->island->bodyCount; b++) {
        int *root = &s->root[ksiSetOf(s->set, b)];
        *root = *root == NONE || massOf(s, b) > massOf(s, *root) ? b : *root;
    }
}

static void span(Search *s)
{
    for (int level = 0; level <= KSI_MAX_ROWS; level++)
        s->first[level] = NONE;
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        int block[2];
        ksiBlocksOf(s->step, joint, block);
        if (s->rows[i] && (block[0] < 0 || block[1] < 0))
            enqueue(s, i);
    }
    grow(s);
    bool isRooted = false;
    for (int b = 0; b < s->island->bodyCount; b++) {
        if (s->isFound[b] || s->start[b] == s->start[b + 1])
            continue;
        if (!isRooted)
            findRoots(s);
        isRooted = true;
        find(s, s->root[ksiSetOf(s->set, b)]);
        grow(s);
    }
}

/* The integers of a search, one array after the other in `work`; returns their number. */
static size_t layOut(Search *s, int *work)
{
    const size_t bodies = (size_t)s->island->bodyCount, joints = (size_t)s->island->jointCount;
    const struct {
        int **array;
        size_t count;
    } part[] = {{&s->rows, joints},    {&s->next, joints}, {&s->of, 2 * joints}, {&s->start, bodies + 2},
                {&s->isFound, bodies}, {&s->set, bodies},  {&s->root, bodies}};
    size_t used = 0;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        *part[i].array = work ? work + used : NULL;
        used += part[i].count;
    }
    return used;
}

ksStatus ksiReserveKept(const ksiStep *step, ksiKept *kept, int index)
{
    Search s = {.island = &step->island[index]};
    const size_t bodies = (size_t)s.island->bodyCount;
    KSI_TRY(ksiReserve(&step->allocator, &kept->motion, &kept->motionCapacity, 6 * bodies, sizeof *kept->motion));
    return ksiReserve(&step->allocator, &kept->work, &kept->workCapacity, layOut(&s, NULL), sizeof *kept->work);
}

/* Also reserves the memory: for drifted loops this is called before ksiReserveScratch, which
 * reserves memory for the converged solution. */
ksStatus ksiKeepRates(const ksiStep *step, ksiSolver *solver, int index, const ksiPlaces *places, int *closing)
{
    const ksiIsland *island = &step->island[index];
    const size_t bodies = (size_t)island->bodyCount;
    ksiKept *kept = &solver->kept;
    KSI_TRY(ksiReserveKept(step, kept, index));
    Search s = {.step = step, .island = island, .places = places, .motion = kept->motion};
    (void)layOut(&s, kept->work);
    memset(kept->motion, 0, 6 * bodies * sizeof *kept->motion);
    memset(s.isFound, 0, bodies * sizeof *s.isFound);
    listJoints(&s);
    span(&s);
    *closing = s.closing;
    return KS_OK;
}

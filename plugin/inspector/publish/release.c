/* release.c  Finds the loads of the joints that stay when other joints of their mechanism release.
 * The state of the bodies and all other forces on them are unchanged.
 *
 * Let `B` be the rows of the joints that stay, and `G` the rows of the joints that go, with their
 * present multipliers lambda_B and lambda_G. The accelerations change by `u`, and lambda_B changes
 * by `D`:
 *
 *     M u = B^T D - G^T lambda_G,      B u = 0
 *
 * (Paulus 1910, concluding remark: a known reaction is an applied force). Elastic joints share the
 * undetermined part of lambda_B + D again. A stop yields if it would pull, and a motor if it would
 * exceed its dParamFMax. The multiplier of a row that yields becomes the bound, just as the
 * multiplier of a row of G becomes zero. A separate system is solved, so that the system of the
 * step keeps its rows and its factors. */
#include "release.h"
#include "../phases.h"
#include "../physical/pose_private.h"
#include "wrench_norm.h"

#include <math.h>
#include <string.h>

/* Relative to the released load: a generous bound of the rounding of orthogonal factors. */
static const double rounding = 1e-12;

/* A load is beyond a bound if it exceeds the bound by more than this share of the released load. */
static const double passTolerance = 1e-9;

/* If a joint's load changes by no more than this share, its earlier loads still count. */
static const double nearly = 0.1;

/* Largest number of rounds in which rows yield; a search that needs more does not converge. */
enum { ROUNDS = 16 };

typedef struct Removal {
    const ksiStep *step;
    const ksiIsland *island;
    const ksiPose *pose; /* fitted pose of a drifted loop; NULL: the present pose */
    ksiAfter *room;
    double *multiplier, *bar, *change; /* [rows] */
    ksiElasticRow *elastic;            /* [rows] */
    double *given;                     /* [rows] final multiplier of a row that yields; NaN: the row
                                          holds */
    int *first, *unique;               /* first: [joints] the first row; unique: [rows] the
                                          multiplier is unique */
    double load;                       /* size of the released load */
} Removal;

static int jointOf(const Removal *r, int place)
{
    return ksiIslandJoint(r->step, r->island, place);
}

static double carriedNow(const ksiStep *step, int joint, int l)
{
    const ksiJointPhysical *physical = &step->physical[joint];
    return physical->isShared ? physical->shared[l] : physical->multiplier[l];
}

static ksStatus reserve(const ksiStep *step, Removal *r)
{
    ksiAfter *room = r->room;
    const size_t joints = (size_t)r->island->jointCount, rows = KSI_MAX_ROWS * joints;
    KSI_TRY(room->system ? KS_OK : ksiSystemCreate(&step->allocator, &room->system));
    KSI_TRY(ksiReserve(&step->allocator, &room->number, &room->numberCapacity,
                       (4 + sizeof(ksiElasticRow) / sizeof(double)) * rows, sizeof *room->number));
    KSI_TRY(ksiReserve(&step->allocator, &room->flag, &room->flagCapacity, joints + rows, sizeof *room->flag));
    r->multiplier = room->number;
    r->bar = r->multiplier + rows;
    r->change = r->bar + rows;
    r->given = r->change + rows;
    r->elastic = (ksiElasticRow *)(void *)(r->given + rows);
    r->first = room->flag;
    r->unique = r->first + joints;
    return KS_OK;
}

/* Decides which rows hold. */
static void begin(Removal *r)
{
    int row = 0;
    KSI_EACH_JOINT (r->step, r->island, i, joint) {
        const bool isGone = r->room->joint[joint].standing == KSI_GONE;
        int own[KSI_MAX_ROWS];
        r->first[i] = row;
        for (int l = 0; l < r->step->joint[joint].rows.count; l++, row++) {
            const bool holds = r->step->physicalPlaces[joint].place[l] == KS_INSIDE;
            r->given[row] = isGone ? 0 : holds ? NAN : carriedNow(r->step, joint, l);
            own[l] = row;
        }
        ksiFindElastic(r->step, joint, own, r->elastic);
    }
}

static void addRows(const Removal *r, int place)
{
    const int index = jointOf(r, place);
    const ksiJointInput *joint = &r->step->joint[index];
    const double perStep = 1 / r->step->h;
    double posed[KSI_MAX_ROWS][12], length[KSI_JOINT_ROWS];
    ksiJointTerms terms = {.count = joint->rows.count};
    int block[2];
    ksiBlocksOf(r->step, index, block);
    for (int l = 0; l < joint->rows.count; l++) {
        const double given = r->given[r->first[place] + l];
        terms.scaled[l] = joint->scaled[l];
        if (r->pose) {
            const ksiPosedJoint *at = &r->pose->joint[place];
            ksiScalePosedRow(r->pose, at, ksiPosedRow(at, l), posed[l]);
            terms.scaled[l] = posed[l];
        }
        terms.compliance[l] = joint->rows.row[l].cfm * perStep;
        terms.isKnown[l] = !isnan(given);
        terms.known[l] = terms.isKnown[l] ? given - carriedNow(r->step, index, l) : 0;
        terms.knownCount += terms.isKnown[l];
    }
    ksiSystemAddJoint(r->room->system, block, &terms, length);
}

static ksStatus fill(const Removal *r)
{
    static const double none[6];
    ksSystem *system = r->room->system;
    const int last = r->island->jointCount - 1;
    const int rows = r->first[last] + r->step->joint[jointOf(r, last)].rows.count;
    KSI_TRY(ksiBeginSystem(r->step, r->island, rows, system));
    for (int i = 0; i < r->island->bodyCount; i++)
        ksiSystemAddBody(system, &r->step->body[ksiIslandBody(r->step, r->island, i)].begin.root, none, none);
    for (int i = 0; i < r->island->jointCount; i++)
        addRows(r, i);
    return KS_OK;
}

/* Adds the present multipliers to their changes, and finds the size of the released load. */
static void addUp(Removal *r)
{
    r->load = 0;
    KSI_EACH_JOINT (r->step, r->island, i, joint) {
        double taken[KSI_MAX_ROWS] = {0}, scaled[12];
        for (int l = 0; l < r->step->joint[joint].rows.count; l++) {
            const int row = r->first[i] + l;
            const double now = carriedNow(r->step, joint, l);
            if (!isnan(r->given[row]))
                taken[l] = now - r->given[row];
            r->multiplier[row] = isnan(r->given[row]) ? now + r->multiplier[row] : r->given[row];
        }
        ksiScaledReaction(&r->step->joint[joint], taken, scaled);
        r->load += ksiSize(scaled, 12);
    }
}

/* Lets rows beyond their bounds yield; false: no row is beyond its bounds. */
static bool giveWay(const Removal *r)
{
    bool any = false;
    KSI_EACH_JOINT (r->step, r->island, i, joint) {
        const ksiPlaces *places = &r->step->physicalPlaces[joint];
        for (int l = 0; !r->step->joint[joint].rows.plain && l < r->step->joint[joint].rows.count; l++) {
            const int row = r->first[i] + l;
            const double size = ksiSize(r->step->joint[joint].scaled[l], 12), now = r->multiplier[row];
            if (!isnan(r->given[row]) || !ksiRowHasBounds(&r->step->joint[joint].rows.row[l]) || size == 0)
                continue;
            const double margin = passTolerance * r->load / size;
            if (now < places->low[l] - margin)
                r->given[row] = places->low[l];
            else if (now > places->high[l] + margin)
                r->given[row] = places->high[l];
            any |= !isnan(r->given[row]);
        }
    }
    return any;
}

static ksStatus solve(Removal *r)
{
    for (int round = 0; round < ROUNDS; round++) {
        KSI_TRY(fill(r));
        KSI_TRY(ksiSystemSolveLeastNorm(r->room->system, r->multiplier, NULL));
        memcpy(r->bar, r->multiplier, (size_t)ksSystemRowCount(r->room->system) * sizeof *r->bar);
        addUp(r);
        KSI_TRY(ksiSystemShareOut(r->room->system, r->elastic, r->multiplier));
        if (!giveWay(r))
            return KS_OK;
    }
    return KS_ERROR_UNAVAILABLE;
}

/* Bars of the unique part: each row's present bar, plus the effect of the uncertainty of the
 * released load. This uncertainty consists of the bars of the released joints, rounding, and drift.
 * At entry `bar` holds the changes of the multipliers. */
static ksStatus findBars(const Removal *r, double drift)
{
    ksSystem *system = r->room->system;
    double open = (rounding + drift) * r->load;
    KSI_TRY(ksiSystemErrorBars(system, KSI_STRESS_PROJECTED, r->bar, r->bar, r->bar));
    KSI_EACH_JOINT (r->step, r->island, i, joint)
        open += r->room->joint[joint].standing == KSI_GONE ? r->step->physical[joint].barSize : 0;
    KSI_TRY(ksiSystemAddForceError(system, open, r->bar));
    KSI_TRY(ksiSystemGetDeterminacy(system, r->unique, NULL));
    KSI_EACH_ROW (r->step, r->island, i, joint, l)
        r->bar[r->first[i] + l] += r->step->physical[joint].bar[l];
    return KS_OK;
}

/* The bound of the shares' uncertainty in the metric of energy, as in shares.c. */
static double sharedBound(const Removal *r, double drift)
{
    double spread = 0, moved = 0;
    KSI_EACH_ROW (r->step, r->island, i, joint, l) {
        const int row = r->first[i] + l;
        r->change[row] = isnan(r->given[row]) ? r->multiplier[row] - carriedNow(r->step, joint, l) : 0;
    }
    KSI_EACH_ROW (r->step, r->island, i, joint, l) {
        const int row = r->first[i] + l;
        const double bar = ksiElasticBound(r->elastic, row, r->bar),
                     change = ksiElasticPart(r->elastic, row, r->change);
        spread += isnan(r->given[row]) ? bar * bar : 0;
        moved += isnan(r->given[row]) ? change * change : 0;
    }
    return sqrt(spread) + drift * sqrt(moved);
}

/* Do the releases change the joint's load by more than `nearly`, in the mass metric? */
static bool isMoved(const Removal *r, int place)
{
    const int joint = jointOf(r, place);
    double before[KSI_MAX_ROWS], change[KSI_MAX_ROWS], scaled[12], scaledChange[12];
    for (int l = 0; l < r->step->joint[joint].rows.count; l++) {
        before[l] = carriedNow(r->step, joint, l);
        change[l] = r->multiplier[r->first[place] + l] - before[l];
    }
    ksiScaledReaction(&r->step->joint[joint], before, scaled);
    ksiScaledReaction(&r->step->joint[joint], change, scaledChange);
    return !(ksiSize(scaledChange, 12) <= nearly * ksiSize(scaled, 12));
}

/* Writes the new loads of the joints that stay. false: a number is not finite. */
static bool write(const Removal *r, double drift)
{
    const double bound = sharedBound(r, drift);
    double sum = 0;
    KSI_EACH_JOINT (r->step, r->island, i, joint) {
        ksiJointAfter *out = &r->room->joint[joint];
        if (out->standing == KSI_GONE)
            continue;
        out->unique = 0;
        out->isMoved = isMoved(r, i);
        for (int l = 0; l < r->step->joint[joint].rows.count; l++) {
            const int row = r->first[i] + l;
            const bool isUnique = r->unique[row] || ksiIsAlwaysUnique(r->step, joint) || !isnan(r->given[row]);
            // the spring's own compliance determines its load, but is too small to make this load
            // unique in these equations
            const bool isSpring = r->step->joint[joint].rows.row[l].cfm > r->step->options.rigidCfm;
            out->unique |= isUnique ? 1u << l : 0;
            out->multiplier[l] = r->multiplier[row];
            out->bar[l] = isUnique ? r->bar[row] : isSpring ? INFINITY : ksiElasticBar(r->elastic, row, bound);
            sum += out->multiplier[l] + out->bar[l];
        }
        out->standing = KSI_LEFT;
    }
    return isfinite(sum);
}

static bool isKnown(const Removal *r)
{
    bool all = !r->island->obstacles;
    KSI_EACH_JOINT (r->step, r->island, i, joint)
        all &= r->step->physical[joint].isKnown;
    return all;
}

ksStatus ksiAfterBegin(const ksiStep *step, ksiAfter *after)
{
    KSI_TRY(
        ksiReserve(&step->allocator, &after->joint, &after->jointCapacity, step->jointCount + 1, sizeof *after->joint));
    for (size_t i = 0; i < step->jointCount; i++)
        after->joint[i].standing = KSI_UNCHANGED;
    return KS_OK;
}

void ksiAfterGoes(const ksiStep *step, int joint, ksiAfter *after)
{
    after->joint[joint].standing = step->member[joint].island < 0 ? KSI_GONE : KSI_GOES;
}

ksStatus ksiAfterSolve(const ksiStep *step, ksiSolver *solver, int index, ksiAfter *after)
{
    Removal r = {.step = step, .island = &step->island[index], .room = after};
    const bool isDrifted = step->islandPhysical[index].isDrifted;
    double drift = 0;
    KSI_EACH_JOINT (step, r.island, i, joint)
        if (after->joint[joint].standing == KSI_GOES)
            after->joint[joint].standing = KSI_GONE;
    ksStatus status = isKnown(&r) ? reserve(step, &r) : KS_ERROR_UNAVAILABLE;
    if (!status && isDrifted) {
        status = ksiFindPose(step, solver, index, step->physicalPlaces, &drift);
        r.pose = &solver->pose;
    }
    if (!status) {
        begin(&r);
        status = solve(&r);
    }
    if (!status)
        status = findBars(&r, drift);
    if (!status && !write(&r, drift))
        status = KS_ERROR_UNAVAILABLE;
    KSI_EACH_JOINT (step, r.island, i, joint)
        if (status && after->joint[joint].standing != KSI_GONE)
            after->joint[joint] = (ksiJointAfter){.standing = KSI_UNKNOWN, .isMoved = true};
    return status && status != KS_ERROR_NO_MEMORY ? KS_ERROR_UNAVAILABLE : status;
}

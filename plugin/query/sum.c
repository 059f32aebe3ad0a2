/* sum.c  Sums wrenches, and finds the determined part of a sum.
 *
 * The sum is C lambda, where `lambda` holds the multipliers of the rows. Any multiple of a
 * self-stress `n` may be added to lambda, so C n is an undetermined part of the sum. Only the rows
 * of the chosen joints contribute to C n. If C n is zero for each n, the sum is unique, however the
 * joints share it. */
#include "query.h"

#include "../base/fpguard.h"
#include "../inspector/publish/wrench.h"
#include "../inspector/publish/wrench_norm.h"

#include <math.h>
#include <string.h>

enum { COMPONENTS = (1u << 6) - 1 };

/* A sum below this share of its terms is their rounding error, which is a few hundred epsilons. */
static const double cancelled = 1e-13;

typedef struct Sum {
    ksInspector *inspector;
    const ksiStep *step;
    ksValue value;
    double about[3];
    double lever; /* length that makes torques comparable with forces, from the rows of the
                     joints */
} Sum;

/* The joint's bodies in the actual pose; NULL: the world. */
static void findBodies(const Sum *s, int joint, const ksiBody *body[2])
{
    for (int side = 0; side < 2; side++)
        body[side] = ksiBodyOfJoint(s->step, joint, side);
}

/* Sums the wrenches on both bodies about the point of the sum. wrench[side]: about the mass centre
 * of this body. The remainder of terms that cancel is rounding, and is set to zero. */
static void sumSides(const Sum *s, const ksiChosen *chosen, const ksiBody *const body[2], const ksWrench wrench[2],
                     ksWrench *sum)
{
    ksWrench size = {{0}, {0}};
    *sum = size;
    for (int side = 0; side < 2; side++) {
        const int times = ksiTimesChosen(chosen, side);
        if (!times || !body[side])
            continue;
        ksWrench w = wrench[side];
        const double *centre = body[side]->centre;
        ksiMoveWrench(&w, centre, s->about);
        const double arm =
            fabs(centre[0] - s->about[0]) + fabs(centre[1] - s->about[1]) + fabs(centre[2] - s->about[2]);
        for (int k = 0; k < 3; k++) {
            sum->force[k] += times * w.force[k];
            sum->torque[k] += times * w.torque[k];
            size.force[k] += fabs(w.force[k]);
            size.torque[k] += fabs(wrench[side].torque[k]) + arm * ksiSize(w.force, 3);
        }
    }
    for (int k = 0; k < 3; k++) {
        if (fabs(sum->force[k]) < cancelled * size.force[k])
            sum->force[k] = 0;
        if (fabs(sum->torque[k]) < cancelled * size.torque[k])
            sum->torque[k] = 0;
    }
}

/* Finds the wrench that a row with multiplier 1 contributes to the sum. jacobian: [12]. */
static void addRow(const Sum *s, const ksiChosen *chosen, const ksiBody *const body[2], const double *jacobian,
                   ksWrench *sum)
{
    ksWrench row[2];
    memcpy(row, jacobian, sizeof row);
    sumSides(s, chosen, body, row, sum);
}

static void rowInSum(const Sum *s, const ksiChosen *chosen, int l, ksWrench *sum)
{
    const ksiBody *body[2];
    findBodies(s, chosen->joint, body);
    addRow(s, chosen, body, s->step->joint[chosen->joint].rows.row[l].jacobian[0], sum);
}

/* As rowInSum, in the fitted pose, in which self-stresses balance. at: the joint in this pose. */
static void posedRowInSum(const Sum *s, const ksiPose *pose, const ksiPosedJoint *at, const ksiChosen *chosen, int l,
                          ksWrench *sum)
{
    const ksiBody *body[2];
    findBodies(s, chosen->joint, body);
    for (int side = 0; side < 2; side++)
        if (at->block[side] >= 0)
            body[side] = &pose->body[at->block[side]].at;
    addRow(s, chosen, body, ksiPosedRow(at, l), sum);
}

/* The wrenches of a joint of the sum; NULL: unknown. room: memory for wrenches that are not in its
 * reaction. */
static const ksWrench *wrenchesOf(const Sum *s, int joint, ksWrench room[2])
{
    const ksiSample sample = ksiSampleOf(s->step, joint);
    if (sample == KSI_NO_FORCE || (s->value == KS_OBSERVED && sample == KSI_FORCE)) {
        memset(room, 0, 2 * sizeof *room);
        if (sample == KSI_FORCE)
            ksiForceOf(s->step, joint, room);
        return room;
    }
    const ksReaction *reaction = ksiReactionOf(s->step, &s->inspector->published, (size_t)joint);
    const ksWrench *shared = s->value == KS_SHARED ? ksiWrenchesOf(reaction, KS_SHARED) : NULL;
    // if the shares are unknown, the physical value still has the unique part
    return shared ? shared : ksiWrenchesOf(reaction, s->value == KS_SHARED ? KS_PHYSICAL : s->value);
}

static ksStatus addUp(const Sum *s, ksWrench *sum)
{
    *sum = (ksWrench){{0}, {0}};
    KSI_EACH_CHOSEN (s->inspector, chosen) {
        ksWrench room[2], part;
        const ksWrench *both = wrenchesOf(s, chosen->joint, room);
        const ksiBody *body[2];
        if (!both)
            return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "a joint of the sum has no such value: its verdict is %s",
                               ksVerdictName(s->step->verdict[chosen->joint].verdict));
        findBodies(s, chosen->joint, body);
        sumSides(s, chosen, body, both, &part);
        for (int k = 0; k < 3; k++) {
            sum->force[k] += part.force[k];
            sum->torque[k] += part.torque[k];
        }
    }
    return KS_OK;
}

static double findLever(const Sum *s)
{
    double force = 0, torque = 0;
    KSI_EACH_CHOSEN (s->inspector, chosen)
        for (int l = 0; l < s->step->joint[chosen->joint].rows.count; l++) {
            ksWrench row;
            rowInSum(s, chosen, l, &row);
            force += ksiSize(row.force, 3);
            torque += ksiSize(row.torque, 3);
        }
    return force > 0 && torque > 0 ? torque / force : 1;
}

/* --- Bars --- */

/* The bar of a row's multiplier. Observed values: 0 for a row at a bound, since its force has no
 * error. */
static double barOf(const Sum *s, int joint, int l)
{
    const ksiJointObserved *observed = &s->step->observed[joint];
    if (s->value != KS_OBSERVED)
        return ksiIsPhysical(s->value) ? s->step->physical[joint].bar[l] : s->step->converged[joint].bar[l];
    if (observed->told != KSI_BY_ROWS)
        return NAN;
    return isnan(observed->bar[l]) ? 0 : observed->bar[l];
}

/* The largest bar of a multiplier in the island, for the requested value, if all rows had unit
 * size. */
static double longestBar(const Sum *s, const ksiIsland *island)
{
    double longest = 0;
    KSI_EACH_JOINT (s->step, island, i, joint)
        for (int l = 0; s->step->converged[joint].isKnown && l < s->step->joint[joint].rows.count; l++)
            longest = fmax(longest, barOf(s, joint, l) * ksiSize(s->step->joint[joint].scaled[l], 12));
    return longest;
}

/* Loops over the joints of the sum in the island of the first one. */
#define EACH_OF_ISLAND(s, first, chosen)                                                                               \
    for (const ksiChosen *chosen = first; chosen && chosen->island == (first)->island;                                 \
         chosen = ksiNextChosen((s)->inspector, chosen))

/* Adds the bars of the unique part to `bar`, and the bars of the shares of elastic joints to
 * `open`. The bar of a converged row that shares its force covers only the unique part of its
 * joint's wrench, which may be empty. So such a row gets the largest bar of its mechanism. */
static void addBars(const Sum *s, const ksiChosen *first, ksWrench *bar, ksWrench *open)
{
    double longest = -1;
    EACH_OF_ISLAND (s, first, chosen) {
        const int joint = chosen->joint;
        for (int l = 0; l < s->step->joint[joint].rows.count; l++) {
            double most = barOf(s, joint, l);
            const double size = ksiSize(s->step->joint[joint].scaled[l], 12);
            if (!ksiIsPhysical(s->value) && ksiFreeOf(s->step, joint)->count > 0 && size > 0) {
                longest = longest < 0 ? longestBar(s, &s->step->island[first->island]) : longest;
                most = isnan(most) ? most : fmax(most, longest / size);
            }
            ksWrench row;
            rowInSum(s, chosen, l, &row);
            const ksiJointPhysical *physical = &s->step->physical[joint];
            const double shared = physical->isShared ? physical->sharedBar[l] : most;
            for (int k = 0; k < 3; k++) {
                bar->force[k] += most * fabs(row.force[k]);
                bar->torque[k] += most * fabs(row.torque[k]);
                open->force[k] += shared * fabs(row.force[k]);
                open->torque[k] += shared * fabs(row.torque[k]);
            }
        }
    }
}

/* --- Uniqueness --- */

/* The self-stresses of the island's system, or of the pose of a loop that has drifted, decide which
 * sums are unique. */
static ksStatus restore(const Sum *s, int index, bool *isPosed)
{
    const ksiStep *step = s->step;
    ksiSolver *solver = ksiSolverOf(s->inspector, index);
    const bool physical = ksiIsPhysical(s->value);
    const ksiPlaces *places = step->physicalPlaces;
    double drift;
    size_t rank;
    ksStatus status = physical ? KS_OK : ksiRestoreSystem(step, solver, index, &places);
    if (!status && step->islandPhysical[index].isDrifted)
        status = ksiFindPose(step, solver, index, step->physicalPlaces, &drift);
    *isPosed = false;
    if (!status)
        status = ksiChoosePosed(step, solver, index, places, &rank, isPosed);
    if (status || *isPosed || !physical)
        return status;
    KSI_TRY(ksiReserveScratch(step, solver, index));
    return ksiBuildSystem(step, solver, index, step->physicalPlaces);
}

/* Does the sum have only one joint? Then its free directions are the published ones, in the present
 * pose. */
static bool isSingle(const Sum *s)
{
    const ksiChosen *first = ksiNextChosen(s->inspector, NULL);
    return first && !ksiNextChosen(s->inspector, first);
}

/* Moves the point of the sum with the first chosen body to the fitted pose. Otherwise the
 * displacement of the body would be a lever, and a force with this lever would look like a free
 * torque. */
static void moveAlong(const Sum *s, const ksiPose *pose, const ksiIsland *island, double about[3])
{
    KSI_EACH_JOINT (s->step, island, i, joint) {
        const ksiChosen *chosen = ksiFindChosen(s->inspector, joint);
        for (int side = 0; chosen && side < 2; side++) {
            const int block = pose->joint[i].block[side];
            if (!ksiTimesChosen(chosen, side) || block < 0)
                continue;
            const ksiPosedBody *body = &pose->body[block];
            const double *from = ksiBodyOfJoint(s->step, joint, side)->centre;
            for (int k = 0; k < 3; k++) {
                about[k] = body->at.centre[k];
                for (int m = 0; m < 3; m++)
                    about[k] += body->turn[3 * k + m] * (s->about[m] - from[m]);
            }
            return;
        }
    }
}

/* c: C [6][rows], with torques divided by the lever. Rows: of the system, or, if isPosed, of the
 * pose. */
static void combinations(const Sum *s, const ksiSolver *solver, const ksiIsland *island, bool isPosed, int rows,
                         double *c)
{
    Sum there = *s;
    const bool moved = isPosed && !isSingle(s);
    memset(c, 0, 6 * (size_t)rows * sizeof *c);
    if (moved)
        moveAlong(s, &solver->pose, island, there.about);
    KSI_EACH_JOINT (s->step, island, i, joint) {
        const ksiChosen *chosen = ksiFindChosen(s->inspector, joint);
        for (int l = 0; chosen && l < s->step->joint[joint].rows.count; l++) {
            const int at = isPosed ? solver->pose.joint[i].row[l] : s->step->layout[joint].row[l];
            ksWrench row;
            if (at < 0 || ksiIsAlwaysUnique(s->step, joint))
                continue;
            if (moved)
                posedRowInSum(&there, &solver->pose, &solver->pose.joint[i], chosen, l, &row);
            else
                rowInSum(s, chosen, l, &row);
            for (int k = 0; k < 3; k++) {
                c[k * rows + at] = row.force[k];
                c[(3 + k) * rows + at] = row.torque[k] / s->lever;
            }
        }
    }
}

static ksStatus findFree(const Sum *s, int index, double basis[6][6], int *count)
{
    ksiSolver *solver = ksiSolverOf(s->inspector, index);
    const ksiIsland *island = &s->step->island[index];
    bool isPosed;
    KSI_TRY(restore(s, index, &isPosed));
    const int rows = isPosed ? solver->pose.rows : island->rowCount;
    KSI_TRY(ksiReserve(&s->step->allocator, &solver->given, &solver->givenCapacity, 6 * (size_t)rows + 1,
                       sizeof *solver->given));
    combinations(s, solver, island, isPosed, rows, solver->given);
    if (!isPosed) {
        KSI_TRY(ksiCountOwnStresses(s->step, solver->system, index, count));
        return ksiSystemFindFreeCombinations(solver->system, 6, solver->given, *basis, count);
    }
    ksiStressList stresses;
    const double *length;
    KSI_TRY(ksiPosedStresses(s->step, solver, index, &stresses, &length));
    *count = ksiFindFreeCombinations(&(ksiCombinations){.width = 6,
                                                        .rows = rows,
                                                        .coefficient = solver->given,
                                                        .stressCount = stresses.count,
                                                        .sparse = &stresses,
                                                        .unit = length,
                                                        .noise = solver->pose.island.rank.noise},
                                     *basis);
    return KS_OK;
}

/* A direction of the basis as a wrench. */
static ksWrench directionOf(const Sum *s, const double v[6])
{
    ksWrench w;
    for (int k = 0; k < 3; k++) {
        w.force[k] = v[k];
        w.torque[k] = v[3 + k] * s->lever;
    }
    ksiNormaliseWrench(&w);
    return w;
}

/* The largest distance of the point of the sum from the mass centre of a body of its joints. */
static double farthest(const Sum *s)
{
    double most = 0;
    KSI_EACH_CHOSEN (s->inspector, chosen) {
        const ksiBody *body[2];
        findBodies(s, chosen->joint, body);
        for (int side = 0; side < 2; side++) {
            double r[3];
            for (int k = 0; k < 3; k++)
                r[k] = body[side] ? body[side]->centre[k] - s->about[k] : 0;
            most = fmax(most, ksiSize(r, 3));
        }
    }
    return most;
}

/* Adds the directions of one island to the orthonormal basis of the directions of the others. Adds
 * the nonzero components of the new directions to `open`: bits. */
static void join(const Sum *s, double all[6][6], int *allCount, double more[6][6], int count, unsigned *open)
{
    const double length = farthest(s);
    for (int f = 0; f < count; f++) {
        double *v = more[f];
        const ksWrench direction = directionOf(s, v);
        *open |= ksiOpenComponents(&direction, ksiWholeTorque(&direction, length, s->step->isSingle));
        for (int g = 0; g < *allCount; g++) {
            double part = 0;
            for (int k = 0; k < 6; k++)
                part += v[k] * all[g][k];
            for (int k = 0; k < 6; k++)
                v[k] -= part * all[g][k];
        }
        const double size = ksiSize(v, 6);
        if (*allCount == 6 || !(size > ksiFreeTolerance))
            continue;
        for (int k = 0; k < 6; k++)
            all[*allCount][k] = v[k] / size;
        ++*allCount;
    }
}

/* Does the sum have a known load? The uniqueness of known loads is not tested. */
static bool anyLoad(const Sum *s)
{
    KSI_EACH_CHOSEN (s->inspector, chosen) {
        const ksiJointInput *joint = &s->step->joint[chosen->joint];
        if (joint->isLoad || (joint->type == dJointTypeContact && ksiIsPhysical(s->value)))
            return true;
    }
    return false;
}

/* Unique components of one joint's wrench, as in sensors and thresholds. */
static void findUniqueOfOne(const Sum *s, ksWrenchSum *sum)
{
    const ksiChosen *one = ksiNextChosen(s->inspector, NULL);
    ksiWrenchFrame view = {.body = ksiTimesChosen(one, 0) ? 0 : 1, .axes = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    ksiUnique unique;
    if (ksiTimesChosen(one, !view.body))
        return;  // both sides cancel
    memcpy(view.point, s->about, sizeof view.point);
    ksiFindUnique(ksiReactionOf(s->step, &s->inspector->published, (size_t)one->joint), &view, s->step->isSingle,
                  &unique);
    sum->unique = unique.components & COMPONENTS;
}

ksStatus ksiSumChosen(ksInspector *inspector, ksValue value, const double about[3], ksWrenchSum *sum)
{
    Sum s = {.inspector = inspector, .step = &inspector->step, .value = value};
    double basis[6][6], more[6][6];
    unsigned open = 0; /* components in the order of KS_LIMIT_FORCE_X and so on */
    ksWrench openBar = {{0}, {0}};
    memcpy(s.about, about, sizeof s.about);
    memset(sum, 0, sizeof *sum);
    ksStatus status = addUp(&s, &sum->wrench);
    if (status)
        return status;
    if (value == KS_OBSERVED && ksiFindCut(inspector, about, &sum->bar)) {
        sum->unique = COMPONENTS;
        return KS_OK;
    }
    sum->freeCount = anyLoad(&s) || (value == KS_OBSERVED && s.step->isForeign) ? -1 : 0;
    if (value == KS_OBSERVED && sum->freeCount < 0) {
        sum->bar = ksiUnknownWrench;
        return KS_OK;
    }
    s.lever = findLever(&s);
    if (value == KS_ENGINE)
        sum->bar = ksiUnknownWrench;
    int island = -1;
    KSI_EACH_CHOSEN (inspector, chosen) {
        int count = 0;
        if (chosen->island == island)
            continue;
        island = chosen->island;
        if (value != KS_ENGINE)
            addBars(&s, chosen, &sum->bar, &openBar);
        if (sum->freeCount < 0)
            continue;
        status = findFree(&s, island, more, &count);
        if (status == KS_ERROR_UNAVAILABLE)
            sum->freeCount = -1;
        else if (status)
            return status;
        else
            join(&s, basis, &sum->freeCount, more, count, &open);
    }
    sum->unique = sum->freeCount < 0 ? 0 : ~open & COMPONENTS;
    if (value != KS_ENGINE && sum->freeCount >= 0 && isSingle(&s))
        findUniqueOfOne(&s, sum);
    if (value == KS_OBSERVED)
        openBar = ksiUnknownWrench;
    for (int k = 0; (value == KS_SHARED || value == KS_OBSERVED) && k < 3; k++) {
        sum->bar.force[k] = sum->unique >> k & 1u ? sum->bar.force[k] : openBar.force[k];
        sum->bar.torque[k] = sum->unique >> (3 + k) & 1u ? sum->bar.torque[k] : openBar.torque[k];
    }
    for (int f = 0; f < sum->freeCount; f++)
        sum->freeDirection[f] = directionOf(&s, basis[f]);
    return KS_OK;
}

static ksStatus sumWrenches(ksInspector *inspector, const ksWrenchTerm *term, size_t count, ksValue value,
                            const double *about, ksWrenchSum *out)
{
    static const double origin[3];
    ksWrenchSum sum;
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE(term || count == 0, "term is NULL");
    KSI_REQUIRE(value <= KS_SHARED, "value is %d, must be a value of a single step", (int)value);
    KSI_REQUIRE_POINTER(out);
    ksStatus status = ksiRequireStep(inspector, KS_ERROR_UNAVAILABLE);
    if (!status && !ksiIsPhysical(value) && value != KS_OBSERVED)
        status = ksiRequireSolver(inspector);
    if (status)
        return status;
    ksiChooseNone(inspector);
    for (size_t i = 0; !status && i < count; i++)
        status = ksiChoose(inspector, i, &term[i], false);
    if (status)
        return status;
    const int first = count > 0 && term->body ? ksiPointersFind(&inspector->input.bodyIndex, term->body) : -1;
    if (!about)
        about = first < 0 ? origin : inspector->step.body[first].begin.centre;
    for (int k = 0; k < 3; k++)
        if (!isfinite(about[k]))
            return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "about[%d] is %g", k, about[k]);
    status = ksiSumChosen(inspector, value, about, &sum);
    if (!status)
        *out = sum;
    return status;
}

ksStatus ksInspectorSumWrenches(ksInspector *inspector, const ksWrenchTerm *term, size_t count, ksValue value,
                                const double about[3], ksWrenchSum *out)
{
    KSI_RETURN_GUARDED(sumWrenches(inspector, term, count, value, about, out));
}

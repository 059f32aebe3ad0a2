/* pose_stress.c  The self-stresses of a pose: of some of its rows, as a list, and in elastic
 * joints. */
#include "physical.h"
#include "pose_private.h"

#include <math.h>
#include <string.h>

/* Were the self-stresses decided for the rows inside their bounds at these places? */
static bool isDecidedFor(const ksiStep *step, const ksiPose *pose, const ksiIsland *island, const ksiPlaces *places)
{
    bool is = pose->isDecided;
    KSI_EACH_ROW (step, island, i, joint, l) {
        const ksiPosedJoint *at = &pose->joint[i];
        const bool isInside = places[joint].place[l] == KS_INSIDE;
        if (at->row[l] >= 0)
            is &= isInside == !(ksiPosedConstraint(pose, at)->atLow >> (at->row[l] - at->first) & 1u);
    }
    return is;
}

ksStatus ksiChoosePosed(const ksiStep *step, ksiSolver *solver, int index, const ksiPlaces *places, size_t *rank,
                        bool *isPosed)
{
    const ksiIsland *island = &step->island[index];
    ksiPose *pose = &solver->pose;
    int inside = 0;
    *isPosed = false;
    if (!step->islandPhysical[index].isDrifted)
        return KS_OK;
    KSI_EACH_ROW (step, island, i, joint, l) {
        if (pose->joint[i].row[l] < 0 && ksiNeedsBias(step, joint, l, &places[joint]))
            return KS_OK;
        inside += places[joint].place[l] == KS_INSIDE;
    }
    if (!isDecidedFor(step, pose, island, places)) {
        const ksStatus status = ksiDecidePosed(step, solver, index, places);
        if (status)
            return status == KS_ERROR_NO_MEMORY ? status : KS_OK;
    }
    *rank = (size_t)(inside - pose->island.core.stresses);
    *isPosed = true;
    return KS_OK;
}

/* The number of coefficients of all self-stresses. */
static size_t countParts(const ksiCore *core)
{
    size_t count = 0;
    for (int p = 0; p < core->parts; p++)
        count += (size_t)core->part[p].constraint->rows * (size_t)core->group[core->part[p].group].count;
    return count;
}

/* Lists the self-stresses by rows of the pose, for unit rows multiplied by `times`. The part of
 * each that earlier groups do not span has unit length. */
static ksStatus list(const ksiStep *step, ksiSolver *solver, const double *times, ksiStressList *out)
{
    const ksiPose *pose = &solver->pose;
    const ksiCore *core = &pose->island.core;
    const size_t starts = (size_t)core->stresses + 1, most = countParts(core);
    KSI_TRY(
        ksiReserve(&step->allocator, &solver->combinedRow, &solver->combinedRowCapacity, starts + most, sizeof(int)));
    KSI_TRY(ksiReserve(&step->allocator, &solver->combination, &solver->combinationCapacity, most + 1, sizeof(double)));
    int *start = solver->combinedRow, *row = start + starts, filled = 0, k = 0;
    for (int g = 0; g < core->groups; g++)
        for (int s = 0; s < core->group[g].count; s++) {
            const double perSize = 1 / sqrt(core->group[g].size2[s]);
            start[k++] = filled;
            for (int p = core->group[g].part; p >= 0; p = core->part[p].next) {
                const int first = pose->first[core->part[p].constraint->joint];
                for (int l = 0; l < core->part[p].constraint->rows; l++) {
                    const double part = core->part[p].n[l].at[s];
                    if (part == 0)
                        continue;
                    row[filled] = first + l;
                    solver->combination[filled++] = perSize * part * times[first + l];
                }
            }
        }
    start[k] = filled;
    *out = (ksiStressList){core->stresses, start, row, solver->combination};
    return KS_OK;
}

ksStatus ksiPosedStresses(const ksiStep *step, ksiSolver *solver, int index, ksiStressList *out, const double **length)
{
    ksiPose *pose = &solver->pose;
    const ksiPosing p = {step, &step->island[index], NULL, pose, index, solver, NULL};
    KSI_EACH_ROW (step, p.island, i, joint, l) {
        const ksiPosedJoint *at = &pose->joint[i];
        double scaled[12];
        if (at->row[l] < 0)
            continue;
        ksiScalePosedRow(pose, at, ksiPosedRow(at, l), scaled);
        pose->vector[1][at->row[l]] = sqrt(ksiKinematicSquare(&p, at->block, scaled));
        pose->vector[0][at->row[l]] = 1 / pose->vector[1][at->row[l]];
    }
    *length = pose->vector[1];
    return list(step, solver, pose->vector[0], out);
}

typedef struct Sharing {
    const ksiPose *pose;
    const ksiElasticRow *elastic; /* [rows] */
    double *multiplier;           /* [rows] workspace */
} Sharing;

/* The elastic yield of a joint's rows. */
static void weigh(void *of, int constraint, const double multiplier[KSI_CORE_ROWS], double weighed[KSI_CORE_ROWS])
{
    const Sharing *s = of;
    const int first = s->pose->first[constraint], rows = ksiCoreConstraint(&s->pose->island.core, constraint)->rows;
    memcpy(s->multiplier + first, multiplier, (size_t)rows * sizeof *multiplier);
    for (int r = 0; r < rows; r++)
        weighed[r] = ksiElasticPart(s->elastic, first + r, s->multiplier);
}

ksStatus ksiPosedShareOut(const ksiStep *step, ksiSolver *solver, int index, ksiElasticRow *elastic, double *multiplier)
{
    ksiPose *pose = &solver->pose;
    Sharing s = {pose, elastic, pose->vector[0]};
    double *const part = pose->vector[1];
    KSI_EACH_JOINT (step, &step->island[index], i, joint)
        for (int l = 0; l < step->joint[joint].rows.count; l++) {
            const int row = pose->joint[i].row[l];
            // springs take no part in sharing
            if (row >= 0 && step->joint[joint].rows.row[l].cfm > step->options.rigidCfm) {
                elastic[row] = (ksiElasticRow){.root = 1};
                multiplier[row] = 0;
            }
        }
    for (int row = 0; row < pose->rows; row++)
        part[row] = ksiElasticPart(elastic, row, multiplier);
    pose->isDecided = false;
    KSI_TRY(ksiCoreTakeOutWeighed(&pose->island.core, weigh, &s, pose->first, part));
    ksiElasticMultipliers(pose->rows, elastic, part, multiplier);
    return KS_OK;
}

/* physical_bars.c  Error bars of physical multipliers: rounding, uncertain accelerations, doubtful
 * blows and stops, drift, and velocities that the joints forbid. Each of these, except rounding, is
 * a change of right-hand sides and forces. Its effect is the solution for that change alone. */
#include "../phases.h"
#include "../publish/wrench_norm.h"
#include "../solution.h"
#include "physical.h"

#include <math.h>
#include <string.h>

static void clear(const ksiSolution *s)
{
    memset(s->beta, 0, (size_t)s->island->rowCount * sizeof *s->beta);
    ksiClearForce(s);
}

static bool isDifferenced(const ksiSolution *s)
{
    bool any = false;
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        any |= s->out->joint[joint].source == KS_FROM_HISTORY;
    return any;
}

/* If physical multipliers are larger than converged ones by more than this factor, the bars of
 * converged values are not scaled up: these bars contain the rounding of the motion, which does not
 * grow with the multipliers. In free fall the converged multipliers are zero. */
static const double mostGrowth = 10;

/* Above this sum of s_l |w_l|^2, over the rows whose compliance counts as none in physical values,
 * the bars of converged values are not scaled up either. The compliance makes the |w_l| of
 * converged values smaller, by a factor of at most (1 + sum)^1/2 (errorbar.c). So the scaled bars
 * are longer by this factor, up to 5 %. A hundred links of 1 kg, with steps of 1 ms, have a sum of
 * 0.04. */
static const double mostSoft = 0.1;

/* The factor from bars of converged values to bars of physical values. Bars grow with the norm of
 * the multipliers, each scaled by the size of its row. INFINITY: there is no such factor. */
static double growth(const ksiSolution *s)
{
    double converged = 0, physical = 0, soft = 0;
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        const unsigned biased = ksiBiasedRows(s->step, joint, &s->out->places[joint]);
        const double *size = s->solver->layout[joint].size, *relaxed = s->step->converged[joint].relaxed;
        const double *before = s->step->converged[joint].paulus, *now = s->out->joint[joint].multiplier;
        const ksiRow *row = s->step->joint[joint].rows.row;
        for (int l = 0; l < s->step->joint[joint].rows.count; l++) {
            converged += size[l] * size[l] * before[l] * before[l];
            physical += size[l] * size[l] * now[l] * now[l];
            soft += biased >> l & 1u ? row[l].cfm * relaxed[l] * relaxed[l] : 0;
        }
    }
    soft /= s->step->h;
    if (!(soft < mostSoft))
        return INFINITY;
    return sqrt(1 + soft) * (physical > converged ? sqrt(physical / converged) : 1);
}

static bool areBarsAlike(const ksiSolution *s)
{
    return s->island->isTree && s->step->islandConverged[s->index].isSolved && !s->isMoved && !isDifferenced(s);
}

static void growBars(const ksiSolution *s, double times)
{
    KSI_EACH_SOLVED_ROW (s->step, s->island, joint, l, row)
        s->bar[row] = times * s->step->converged[joint].bar[l];
}

/* The size of all forces on the bodies. Each joint counts with the larger of its reported and its
 * physical force. */
static double loadOf(const ksiSolution *s)
{
    double square = 0;
    KSI_EACH_ISLAND_BODY (s->step, s->island, i, body) {
        const double load = s->step->bodyMember[body].loadSum;
        square += load * load;
    }
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        double scaled[12];
        ksiScaledReaction(&s->step->joint[joint], s->out->joint[joint].multiplier, scaled);
        const double more = fmax(ksiSize(scaled, 12) - s->step->report[joint].load, 0);
        square += more * more;
    }
    return sqrt(square);
}

/* Adds the uncertainty of a joint's accelerations to the right-hand sides; false if there is
 * none. */
static bool gatherUncertain(const ksiSolution *s, int joint)
{
    const int *row = s->solver->layout[joint].row;
    const double *error = s->step->acceleration[joint].betaError;
    bool any = false;
    for (int l = 0; l < s->step->joint[joint].rows.count; l++) {
        if (row[l] < 0 || error[l] == 0 || !ksiNeedsBias(s->step, joint, l, &s->out->places[joint]))
            continue;
        s->beta[row[l]] += error[l];
        any = true;
    }
    return any;
}

/* Adds to the bars the sizes of the multipliers that `force` alone causes, if isForce, or `beta`
 * alone. */
static ksStatus addToBars(const ksiSolution *s, bool isForce)
{
    KSI_TRY(isForce ? ksiSolveChange(s, NULL, s->betaError) : ksiSolveBeta(s, s->betaError));
    for (int row = 0; row < s->island->rowCount; row++)
        s->bar[row] += fabs(s->betaError[row]);
    return KS_OK;
}

/* Adds the effect of uncertain accelerations, and of blows that the report does not show. */
static ksStatus addUncertain(const ksiSolution *s)
{
    memset(s->beta, 0, (size_t)s->island->rowCount * sizeof *s->beta);
    bool any =
        s->island->isBounded && ksiGatherBlows(s->step, s->solver, s->index, false, false, NULL, s->out, s->beta);
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        any |= gatherUncertain(s, joint);
    s->out->island[s->index].isUncertain = any;
    return any ? addToBars(s, false) : KS_OK;
}

/* If a blow may be noise of the solver, the stop either holds or has its reported force: adds the
 * effect of the difference. */
static ksStatus addDoubts(const ksiSolution *s)
{
    bool any = false;
    if (!s->island->isBounded)
        return KS_OK;
    ksiClearForce(s);
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        const ksiJointPhysical *physical = &s->out->joint[joint];
        for (int l = 0; physical->doubts && l < s->step->joint[joint].rows.count; l++) {
            const int row = s->solver->layout[joint].row[l];
            if (!(physical->doubts >> l & 1u) || row < 0)
                continue;
            const double change = physical->held[l] - s->step->report[joint].multiplier[l];
            KSI_EACH_BODY (s->step->member[joint].link, side, link)
                ksiAddSix(s->force + 6 * s->step->bodyMember[link].block, change,
                          s->step->joint[joint].rows.row[l].jacobian[side]);
            s->bar[row] += fabs(change);
            any = true;
        }
    }
    return any ? addToBars(s, true) : KS_OK;
}

/* Adds the effect of a tree's drift. */
static ksStatus addTurned(const ksiSolution *s)
{
    bool any = false;
    double change[6];
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        const int body = ksiTurnReaction(s->step, joint, &s->out->joint[joint], change);
        if (body < 0)
            continue;
        if (!any)
            ksiClearForce(s);
        any = true;
        ksiAddSix(s->force + 6 * s->step->bodyMember[body].block, 1, change);
    }
    return any ? addToBars(s, true) : KS_OK;
}

/* The rotation (rad) plus displacement (radii of gyration) of a loop's bodies on the shortest way
 * to the pose in which its joints fit; at least the largest gap. */
static ksStatus findWay(const ksiSolution *s, double *way)
{
    const ksiPose *pose = &s->solver->pose;
    const size_t coordinates = 6 * (size_t)s->island->bodyCount;
    *way = s->out->island[s->index].drift;
    if (!(*way > 0))
        return KS_OK;
    clear(s);
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        for (int l = 0; l < s->step->joint[joint].rows.count; l++) {
            const int row = s->solver->layout[joint].row[l];
            if (row >= 0 && pose->joint[i].row[l] >= 0 && ksiHoldsPosition(s->step, joint, l, &s->out->places[joint]))
                s->beta[row] = pose->joint[i].gap[l];
        }
    const ksiVectors alone = {s->beta, NULL, s->force, s->way};
    KSI_TRY(ksiSolveAlone(s->step, s->solver, s->index, s->out->places, &alone));
    for (size_t b = 0; b < coordinates; b += 6)
        *way = fmax(*way, ksiSize(s->way + b, 3) / pose->island.radius + ksiSize(s->way + b + 3, 3));
    return KS_OK;
}

/* Adds the effect of a loop's gaps. Its rows turn by as much as its bodies, which changes forces in
 * proportion to their size. */
static ksStatus addDrift(const ksiSolution *s)
{
    double way;
    KSI_TRY(findWay(s, &way));
    return ksiSystemAddForceError(s->solver->system, way * loadOf(s), s->bar);
}

/* Two velocity fields satisfy the joints: one keeps the joint rates, the other is nearest in the
 * mass metric. Sets `bias` to the difference of the right-hand sides of the held rows between these
 * two fields, and `force` to the difference of the forces. */
static void gatherApart(const ksiSolution *s)
{
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        const int *row = s->solver->layout[joint].row;
        const unsigned biased = ksiBiasedRows(s->step, joint, &s->out->places[joint]);
        double beta[KSI_MAX_ROWS];
        ksiPermittedAccelerations(s->step, joint, s->other, beta);
        for (int l = 0; l < s->step->joint[joint].rows.count; l++)
            if (row[l] >= 0)
                s->bias[row[l]] = biased >> l & 1u ? beta[l] - s->bias[row[l]] : 0;
    }
    KSI_EACH_ISLAND_BODY (s->step, s->island, i, body) {
        const size_t block = 6 * (size_t)s->step->bodyMember[body].block;
        double *force = s->force + block;
        ksiMechanismForce(s->step, body, s->step->body[body].begin.inertia, s->other + block + 3, force);
        ksiAddSix(force, -1, s->applied + block);
    }
}

/* If the forces of the two velocity fields differ by more than this share of the load, neither
 * field belongs to the mechanism. */
static const double mostApart = 0.2;

/* If they differ by less than this share, and nothing else is uncertain, the value is exact for any
 * motion. */
static const double leastApart = 1e-6;

/* Compares the difference of the two velocity fields' forces with the load, joint by joint. */
static void compareApart(const ksiSolution *s)
{
    ksiIslandPhysical *island = &s->out->island[s->index];
    double sum = 0;
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        const ksiJointLayout *layout = &s->solver->layout[joint];
        double scaled[12], apart = 0;
        ksiScaledReaction(&s->step->joint[joint], s->out->joint[joint].multiplier, scaled);
        for (int l = 0; l < s->step->joint[joint].rows.count; l++)
            apart += layout->row[l] < 0 ? 0 : fabs(s->betaError[layout->row[l]]) * layout->size[l];
        const double load = fmax(ksiSize(scaled, 12), s->step->report[joint].load);
        sum += load > 0 ? apart * apart / (load * load) : 0;
        s->out->joint[joint].isCertain = apart <= leastApart * load && !island->isUncertain && !s->island->isBounded;
    }
    // root mean square over the joints
    island->isOpen = sum > mostApart * mostApart * s->island->jointCount;
}

ksStatus ksiFindApart(const ksiSolution *s)
{
    const ksiVectors nearest = {s->change, s->multiplier, s->force, s->other};
    if (s->isPermitted) {
        memset(s->betaError, 0, (size_t)s->island->rowCount * sizeof *s->betaError);
        return KS_OK;
    }
    if (s->island->isTree) {
        KSI_TRY(ksiNearestVelocities(s->step, s->solver, s->index, s->out->places, &nearest));
        ksiTakeForbidden(s);
    }
    gatherApart(s);
    KSI_TRY(ksiSolveChange(s, s->bias, s->betaError));
    if (s->island->isTree)
        compareApart(s);
    return KS_OK;
}

/* A bound of the reported force's error, plus the distance of the value from the report, is a bound
 * of the value's error. */
static void findAway(const ksiStep *step, int index, ksiJointPhysical *joint)
{
    double away[KSI_MAX_ROWS];
    for (int l = 0; l < step->joint[index].rows.count; l++) {
        away[l] = joint->multiplier[l] - step->report[index].multiplier[l];
        joint->away[l] = fabs(away[l]);
    }
    joint->awaySize = ksiDeterminedSize(step, index, ksiFreeOf(step, index), away);
}

/* The lesser of `apart` and max(`most` + `*away`, `near`). Reduces `*away` to its part of the
 * result. */
static double addLimited(double apart, double most, double near, double *away)
{
    *away = fmin(*away, fmax(apart - most, 0));
    return fmin(apart, fmax(most + *away, near));
}

void ksiAddApart(const ksiSolution *s, int index)
{
    ksiJointPhysical *joint = &s->out->joint[index];
    const ksiJointLayout *layout = &s->solver->layout[index];
    const bool isLimited = s->out->island[s->index].isSoftened && !isnan(ksiUsualReport(s->step, index, 0));
    const double most = isLimited ? ksiSlackForce(s->step, index, joint->slack) : INFINITY;
    double size = 0, nearSize = 0;
    ksiTakeOwn(s, index, s->betaError, joint->fields);
    if (isLimited)
        findAway(s->step, index, joint);
    // without a limit, `away` is 0 as ksiClearPhysical has left it
    for (int l = 0; l < s->step->joint[index].rows.count; l++) {
        const double apart = fabs(joint->fields[l]);
        size += apart * layout->size[l];
        if (!isLimited) {
            joint->bar[l] += apart;
        } else if (layout->row[l] >= 0) {
            const double near = s->bar[layout->row[l]];
            joint->bar[l] += addLimited(apart, most / layout->size[l], near, &joint->away[l]);
            nearSize += near * layout->size[l];
        }
    }
    joint->barSize += isLimited ? addLimited(size, most, nearSize, &joint->awaySize) : size;
}

ksStatus ksiFindPhysicalBars(const ksiSolution *s)
{
    ksSystem *system = s->solver->system;
    const double times = areBarsAlike(s) ? growth(s) : INFINITY;
    if (times <= mostGrowth)
        growBars(s, times);
    else
        KSI_TRY(ksiSystemErrorBars(system, KSI_STRESS_PROJECTED, s->multiplier, s->multiplier, s->bar));
    const double soft = ksiSoftError(s->step, s->island);
    if (soft > 0)
        KSI_TRY(ksiSystemAddForceError(system, soft, s->bar));
    KSI_TRY(s->island->isTree ? addTurned(s) : addDrift(s));
    KSI_TRY(addDoubts(s));
    return addUncertain(s);
}

void ksiScatterBars(const ksiSolution *s, int index)
{
    ksiJointPhysical *joint = &s->out->joint[index];
    const ksiJointLayout *layout = &s->solver->layout[index];
    joint->barSize = joint->slack = 0;
    ksiTakeOwn(s, index, s->bar, joint->bar);
    for (int l = 0; l < s->step->joint[index].rows.count; l++) {
        joint->adopted[l] = 0;
        joint->barSize += joint->bar[l] * layout->size[l];
    }
}

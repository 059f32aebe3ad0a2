/* shares.c  Phase 10: shares of elastic joints in loads that rigid joints leave undetermined.
 *
 * The self-stresses N of a mechanism leave its multipliers lambda + N z undetermined. The
 * multipliers with the least elastic energy,
 *
 *     1/2 sum_l s_l lambda_l^2  ->  min,      N^T S lambda = 0,
 *
 * are the loads of very stiff joints, whose compliances are s_l, if the joints fit without a load
 * (Menabrea 1858). The unique parts of the multipliers do not change. The projection is orthogonal
 * in the metric of energy, so it enlarges no error in this metric. */
#include "../phases.h"
#include "../publish/wrench_norm.h"

#include "../../engine/vector.h"

#include <math.h>

typedef struct Sharing {
    const ksiStep *step;
    ksiSolver *solver;
    const ksiIsland *island;
    bool isPosed;
    ksiPhysical *out;
    ksiElasticRow *elastic; /* [rows] */
    double *multiplier;     /* [rows] */
    double *bar, *change;   /* [rows] workspace */
} Sharing;

/* Row of the equations, or -1. i: place of the joint in its island. */
KSI_INLINE int rowOf(const Sharing *s, int i, int joint, int l)
{
    const bool isSpring = s->isPosed && s->step->joint[joint].rows.row[l].cfm > s->step->options.rigidCfm;
    return isSpring ? -1 : s->isPosed ? s->solver->pose.joint[i].row[l] : s->solver->layout[joint].row[l];
}

/* The squared mean radius of gyration of the lighter body. */
static double gyrationOf(const ksiStep *step, int joint)
{
    const ksiBody *lighter = NULL;
    for (int side = 0; side < 2; side++) {
        const ksiBody *body = ksiBodyOfJoint(step, joint, side);
        if (body && !body->kinematic && (!lighter || body->mass < lighter->mass))
            lighter = body;
    }
    return (lighter->inertia[0] + lighter->inertia[4] + lighter->inertia[8]) / (2 * lighter->mass);
}

/* A row that fixes a point has linear compliance, other rows angular compliance. */
static double rootOf(const ksiStep *step, int joint, int l)
{
    const double *compliance = step->joint[joint].compliance;
    const double(*row)[6] = step->joint[joint].rows.row[l].jacobian, *first = row[0], *second = row[1];
    const double linear2 = ksiLarger(ksiDot(first, first), ksiDot(second, second));
    if (linear2 > 0)
        return sqrt(linear2) * sqrt(compliance[0]);
    const double angular2 = ksiLarger(ksiDot(first + 3, first + 3), ksiDot(second + 3, second + 3));
    return sqrt(angular2) * sqrt(compliance[1] > 0 ? compliance[1] : compliance[0] / gyrationOf(step, joint));
}

/* A kinematic body counts as the world, so its mass centre does not matter. But the rows of a joint
 * without an anchor act between the mass centres of its two bodies. The joint's three rotational
 * compliances carry the torque of these rows about the mass centre of the moving body. */
static void actAtCentre(const ksiStep *step, int index, const int *row, ksiElasticRow *elastic)
{
    const ksiJointInput *joint = &step->joint[index];
    const int side = step->member[index].link[0] >= 0 ? 0 : 1;
    int angular[KSI_MAX_ROWS], linear[KSI_MAX_ROWS], angulars = 0, linears = 0;
    if (step->member[index].link[!side] >= 0 || joint->bodyIndex[!side] < 0 || ksiHasAnchor(joint->type))
        return;
    for (int l = 0; l < joint->rows.count; l++) {
        const double *jacobian = joint->rows.row[l].jacobian[side];
        if (row[l] >= 0 && ksiSize(jacobian, 3) > 0)
            linear[linears++] = l;
        else if (row[l] >= 0 && ksiSize(jacobian + 3, 3) > 0)
            angular[angulars++] = l;
    }
    for (int k = 0; angulars == 3 && linears <= KSI_ELASTIC_OTHERS && k < angulars; k++) {
        const double *axis = joint->rows.row[angular[k]].jacobian[side] + 3;
        ksiElasticRow *to = &elastic[row[angular[k]]];
        for (int m = 0; m < linears; m++) {
            const double *torque = joint->rows.row[linear[m]].jacobian[side] + 3;
            to->with[m] = row[linear[m]];
            to->times[m] = ksiDot(torque, axis) / ksiDot(axis, axis);
        }
        to->count = linears;
    }
}

void ksiFindElastic(const ksiStep *step, int joint, const int *row, ksiElasticRow *elastic)
{
    for (int l = 0; l < step->joint[joint].rows.count; l++)
        if (row[l] >= 0)
            elastic[row[l]] = (ksiElasticRow){.root = rootOf(step, joint, l)};
    actAtCentre(step, joint, row, elastic);
}

/* false: no load is shared, or a value is unknown. */
static bool anyShared(const Sharing *s)
{
    bool any = false;
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        if (ksiFreeOf(s->step, joint)->count == 0)
            continue;
        any = true;
        if (!s->out->joint[joint].isKnown)
            return false;
    }
    return any;
}

static void gather(const Sharing *s)
{
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        int row[KSI_MAX_ROWS];
        for (int l = 0; l < s->step->joint[joint].rows.count; l++) {
            row[l] = rowOf(s, i, joint, l);
            if (row[l] >= 0)
                s->multiplier[row[l]] = s->out->joint[joint].isKnown ? s->out->joint[joint].multiplier[l] : 0;
        }
        ksiFindElastic(s->step, joint, row, s->elastic);
    }
}

double ksiElasticBound(const ksiElasticRow *row, int l, const double *bar)
{
    double sum = bar[l];
    for (int k = 0; k < row[l].count; k++)
        sum += fabs(row[l].times[k]) * bar[row[l].with[k]];
    return row[l].root * sum;
}

double ksiElasticBar(const ksiElasticRow *row, int l, double bound)
{
    double sum = bound / row[l].root;
    for (int k = 0; k < row[l].count; k++)
        sum += fabs(row[l].times[k]) * bound / row[row[l].with[k]].root;
    return sum;
}

/* Bound of two errors in the metric of energy: the error of lambda, and the error that drift causes
 * in the added self-stresses. INFINITY: the bound exceeds the multipliers, and a bar exceeds the
 * tolerance. */
static double boundOf(const Sharing *s, double drift)
{
    double spread = 0, moved = 0, energy = 0;
    bool isVague = false;
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        const bool isKnown = s->out->joint[joint].isKnown;
        isVague |= s->out->joint[joint].barSize > s->step->options.tolerance * s->island->load;
        for (int l = 0; l < s->step->joint[joint].rows.count; l++) {
            const int row = rowOf(s, i, joint, l);
            if (row < 0)
                continue;
            s->bar[row] = isKnown ? s->out->joint[joint].bar[l] : 0;
            s->change[row] = isKnown ? s->multiplier[row] - s->out->joint[joint].multiplier[l] : 0;
        }
    }
    KSI_EACH_ROW (s->step, s->island, i, joint, l) {
        const int row = rowOf(s, i, joint, l);
        if (row < 0 || !s->out->joint[joint].isKnown)
            continue;
        const double bar = ksiElasticBound(s->elastic, row, s->bar),
                     change = ksiElasticPart(s->elastic, row, s->change),
                     whole = ksiElasticPart(s->elastic, row, s->multiplier);
        spread += bar * bar;
        moved += change * change;
        energy += whole * whole;
    }
    const double bound = sqrt(spread) + drift * sqrt(moved);
    return isVague && !(bound * bound <= energy) ? INFINITY : bound;
}

static void publish(const Sharing *s, double bound)
{
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        const ksiJointFree *free = ksiFreeOf(s->step, joint);
        ksiJointPhysical *physical = &s->out->joint[joint];
        double sum = 0;
        for (int l = 0; free->count > 0 && l < s->step->joint[joint].rows.count; l++) {
            const int row = rowOf(s, i, joint, l);
            const bool isShared = row >= 0 && free->undetermined >> l & 1u;
            physical->shared[l] = isShared ? s->multiplier[row] : physical->multiplier[l];
            physical->sharedBar[l] = isShared ? ksiElasticBar(s->elastic, row, bound) : physical->bar[l];
            sum += physical->shared[l] + physical->sharedBar[l];
        }
        physical->isShared = free->count > 0 && isfinite(sum);
        physical->reasons |= physical->isShared ? KS_REASON_SHARED : 0;
    }
}

ksStatus ksiShareOut(const ksiStep *step, ksiSolver *solver, int index, ksiPhysical *out)
{
    Sharing s = {.step = step, .solver = solver, .island = &step->island[index], .out = out};
    s.isPosed = out->island[index].isDrifted;
    if (!anyShared(&s))
        return KS_OK;
    KSI_TRY(ksiReserveScratch(step, solver, index));
    const int rows = s.island->rowCount;
    s.multiplier = solver->scratch;
    s.bar = s.multiplier + rows;
    s.change = s.bar + rows;
    s.elastic = (ksiElasticRow *)(void *)(s.change + rows);
    gather(&s);
    const ksStatus status = s.isPosed ? ksiPosedShareOut(step, solver, index, s.elastic, s.multiplier)
                                      : ksiSystemShareOut(solver->system, s.elastic, s.multiplier);
    if (!status)
        publish(&s, boundOf(&s, s.isPosed ? out->island[index].drift : 0));
    if (status != KS_ERROR_NO_MEMORY)
        return KS_OK;
    out->island[index].reasons |= KS_REASON_MEMORY;
    return status;
}

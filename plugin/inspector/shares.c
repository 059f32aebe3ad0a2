/* shares.c  Phase 10: what elastic joints would carry of the loads that rigid ones share without telling how.
 *
 * Of all multipliers lambda + N z, N the self-stresses of a mechanism, those of least elastic energy,
 *
 *     1/2 sum_l s_l lambda_l^2  ->  min,      N^T S lambda = 0,
 *
 * are what joints of the compliances s_l carry in the limit of stiffness, if they would fit without a load (Menabrea 1858). What is
 * unique stays as it is. Errors of lambda pass a projection that is orthogonal in the metric of energy, and grow by nothing there. */
#include "phases.h"
#include "size.h"

#include <math.h>

typedef struct Sharing {
    const ksiStep *step;
    ksiSolver *solver;
    const ksiIsland *island;
    bool isPosed;
    ksiPhysical *out;
    double *root, *multiplier; /* [rows] roots of compliances */
} Sharing;

/* Row of the equations, or -1. i: place of the joint in its island. */
static int rowOf(const Sharing *s, int i, int joint, int l)
{
    const int row = s->isPosed ? s->solver->pose.joint[i].row[l] : s->solver->layout[joint].row[l];
    return s->isPosed && row >= s->solver->pose.nearest.rigid ? -1 : row;
}

/* Of the lighter one of its bodies, in the mean of all axes, squared. */
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

/* A row that holds a point gives way as the point does, others as an angle. */
double ksiComplianceRoot(const ksiStep *step, int joint, int l)
{
    const double *compliance = step->joint[joint].compliance;
    double linear = 0, angular = 0;
    for (int side = 0; side < 2; side++) {
        const double *row = step->joint[joint].rows.row[l].jacobian[side];
        linear = ksiLarger(linear, ksiSize(row, 3));
        angular = ksiLarger(angular, ksiSize(row + 3, 3));
    }
    if (linear > 0)
        return linear * sqrt(compliance[0]);
    return angular * sqrt(compliance[1] > 0 ? compliance[1] : compliance[0] / gyrationOf(step, joint));
}

/* false: there is nothing to share out, or something that is not known. */
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
    KSI_EACH_ROW (s->step, s->island, i, joint, l) {
        const int row = rowOf(s, i, joint, l);
        if (row < 0)
            continue;
        s->root[row] = ksiComplianceRoot(s->step, joint, l);
        s->multiplier[row] = s->out->joint[joint].isKnown ? s->out->joint[joint].multiplier[l] : 0;
    }
}

double ksiUnsharedBar(const ksiStep *step, int joint, int l)
{
    const ksiJointPhysical *physical = &step->physical[joint];
    const double size = ksiSize(step->joint[joint].scaled[l], 12);
    const bool isShared = ksiFreeOf(step, joint)->undetermined >> l & 1u;
    return isShared && size > 0 ? physical->barSize / size : physical->bar[l];
}

/* Bound of the error, in the metric of energy: of lambda, and what drift turns of the self-stresses that are put in. INFINITY: it is
 * larger than the multipliers, and more than rounding. */
static double boundOf(const Sharing *s, double drift)
{
    double spread = 0, moved = 0, energy = 0;
    bool isVague = false;
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        isVague |= s->out->joint[joint].barSize > s->step->options.tolerance * s->island->load;
        for (int l = 0; s->out->joint[joint].isKnown && l < s->step->joint[joint].rows.count; l++) {
            const int row = rowOf(s, i, joint, l);
            if (row < 0)
                continue;
            const double bar = s->root[row] * ksiUnsharedBar(s->step, joint, l);
            const double change = s->root[row] * (s->multiplier[row] - s->out->joint[joint].multiplier[l]);
            spread += bar * bar;
            moved += change * change;
            energy += s->root[row] * s->multiplier[row] * s->root[row] * s->multiplier[row];
        }
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
            physical->sharedBar[l] = isShared ? bound / s->root[row] : physical->bar[l];
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
    s.root = solver->scratch;
    s.multiplier = s.root + s.island->rowCount;
    gather(&s);
    const ksStatus status = s.isPosed ? ksiNearestShareOut(&solver->pose.nearest, s.root, s.multiplier)
                                      : ksiSystemShareOut(solver->system, s.root, s.multiplier);
    if (!status)
        publish(&s, boundOf(&s, s.isPosed ? out->island[index].drift : 0));
    if (status != KS_ERROR_NO_MEMORY)
        return KS_OK;
    out->island[index].reasons |= KS_REASON_MEMORY;
    return status;
}

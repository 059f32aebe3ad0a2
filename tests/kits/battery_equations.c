/* battery_equations.c  The step's equations of an island, evaluated by the reported and by the
 * converged forces. */
#include "tests/kits/battery_kit.h"

#include <float.h>

/* In single precision the engine's factorisation may lose all digits of rows whose bodies hardly
 * move. With a factor R^T R of A, the residual of row l is at most about
 * 3 n u sum_m |R_l| |R_m| |lambda_m|
 * for n rows (Higham, Accuracy and Stability of Numerical Algorithms, theorem 10.4), and |R_l|^2 =
 * A_ll. The converged values satisfy the equations to the rounding of rows. */
static const double kFactored = 3 * FLT_EPSILON / 2, kSolved = FLT_EPSILON;

static const ksWrench *wrenchOf(const ksReaction *r, int side, bool isConverged)
{
    return isConverged && isfinite(r->converged[side].force[0]) ? &r->converged[side] : &r->engine[side];
}

/* Adds a joint's force on a body to the sum, and its size to those of the terms. */
static void addForce(const ksReaction *r, int side, bool isConverged, double sum[6], double size[6])
{
    const ksWrench *w = wrenchOf(r, side, isConverged);
    for (int k = 0; k < 3; k++) {
        sum[k] += w->force[k], size[k] += fabs(w->force[k]);
        sum[3 + k] += w->torque[k], size[3 + k] += fabs(w->torque[k]);
    }
}

/* A body's velocity after the step, and the sizes of its terms. */
static void findVelocity(const BatteryReactions *of, int body, bool isConverged, double velocity[6], double terms[6])
{
    const ksiBody *at = &of->scale->body[body];
    double wrench[6], size[6];
    memcpy(velocity, at->velocity, sizeof at->velocity);
    for (int k = 0; k < 6; k++) {
        terms[k] = fabs(velocity[k]);
        wrench[k] = at->force[k], size[k] = fabs(at->force[k]);
    }
    for (size_t r = 0; r < 2 * of->count && !at->kinematic; r++) {
        const ksReaction *reaction = &of->reaction[r / 2];
        if (reaction->verdict == KS_NOT_SOLVED || reaction->body[r % 2] != of->scale->battery->body[body])
            continue;
        addForce(reaction, (int)(r % 2), isConverged, wrench, size);
    }
    for (int k = 0; k < 3 && !at->kinematic; k++) {
        velocity[k] += of->scale->h * wrench[k] / at->mass, terms[k] += of->scale->h * size[k] / at->mass;
        for (int j = 0; j < 3; j++) {
            velocity[3 + k] += of->scale->h * at->inverse[3 * k + j] * wrench[3 + j];
            terms[3 + k] += of->scale->h * fabs(at->inverse[3 * k + j]) * size[3 + j];
        }
    }
}

/* The root of A_ll. */
static double lengthOf(const BatteryReactions *of, const ksReaction *r, int l)
{
    double square = r->row[l].cfm / of->scale->h;
    for (int side = 0; side < 2; side++) {
        const int body = batteryIndex(of->scale->battery, r->body[side]);
        const ksiBody *at = body < 0 || of->scale->body[body].kinematic ? NULL : &of->scale->body[body];
        const double *force = r->row[l].jacobian[side];
        double turn[3];
        if (!at)
            continue;
        ksiTransform(turn, at->inverse, force + 3);
        square += ksiDot(force, force) / at->mass + ksiDot(force + 3, turn);
    }
    return sqrt(square);
}

/* J v + cfm lambda - c. *size: the sum of its terms' sizes. */
static double unsolvedOf(const BatteryReactions *of, const ksReaction *r, int l, bool isConverged, double *size)
{
    const ksRow *row = &r->row[l];
    const double give = row->cfm * (isConverged ? row->paulus : row->engine);
    double sum = give - row->c;
    *size = fabs(give) + fabs(row->c);
    for (int side = 0; side < 2; side++) {
        double velocity[6], terms[6];
        const int body = batteryIndex(of->scale->battery, r->body[side]);
        if (body < 0)
            continue;
        findVelocity(of, body, isConverged, velocity, terms);
        for (int k = 0; k < 6; k++) {
            sum += row->jacobian[side][k] * velocity[k];
            *size += fabs(row->jacobian[side][k]) * terms[k];
        }
    }
    return sum;
}

/* |J v + cfm lambda - c|, over the sum of its terms' sizes and of those in the factor. */
static double residualOf(const BatteryReactions *of, const ksReaction *r, int l, double load, bool isConverged)
{
    double size;
    const double sum = unsolvedOf(of, r, l, isConverged, &size);
    size += of->scale->h * lengthOf(of, r, l) * load;
    return size > 0 ? fabs(sum) / size : 0;
}

/* A row at a bound may leave it behind. */
static double violationOf(const ksRow *row, double unsolved)
{
    return row->place == KS_AT_LOW ? fmax(0, -unsolved) : row->place == KS_AT_HIGH ? fmax(0, unsolved) : fabs(unsolved);
}

void batteryFindViolation(const BatteryReactions *of, BatteryViolation *most)
{
    for (const ksReaction *r = of->reaction; r < of->reaction + of->count; r++)
        for (int l = 0; l < r->rowCount && r->verdict != KS_NOT_SOLVED && !(r->reasons & KS_REASON_RESET); l++) {
            double size;
            const double violation = violationOf(&r->row[l], unsolvedOf(of, r, l, false, &size));
            // denormal numbers have fewer digits
            if (!(size > FLT_MIN / FLT_EPSILON && isfinite(violation)))
                continue;
            most->share = fmax(most->share, violation / size);
            most->speed = fmax(most->speed, violation);
        }
}

static bool isIn(const BatteryReactions *of, const ksReaction *r, int island)
{
    return r->verdict != KS_NOT_SOLVED && batteryIsland(of->scale, r) == island;
}

/* The sum of the sizes of all multipliers in the factor; returns the number of rows. */
static int loadOf(const BatteryReactions *of, int island, double *load)
{
    int rows = 0;
    *load = 0;
    for (const ksReaction *r = of->reaction; r < of->reaction + of->count; r++)
        for (int l = 0; isIn(of, r, island) && l < r->rowCount; l++, rows++) {
            const double lambda = isfinite(r->row[l].engine) ? r->row[l].engine : r->row[l].paulus;
            *load += isfinite(lambda) ? lengthOf(of, r, l) * fabs(lambda) : 0;
        }
    return rows;
}

/* Does a joint on one of its bodies have free directions? Along these its converged value is the engine's, with the
 * engine's error. */
static bool isNearFree(const BatteryReactions *of, const ksReaction *joint)
{
    bool is = joint->freeCount > 0;
    for (const ksReaction *r = of->reaction; r < of->reaction + of->count; r++)
        for (int k = 0; k < 4; k++)
            is |= r->freeCount > 0 && r->body[k % 2] && r->body[k % 2] == joint->body[k / 2];
    return is;
}

/* Contacts as reported are loads: no equation holds for their converged values. */
static bool isKnownLoad(const ksReaction *r, int l)
{
    return r->type == dJointTypeContact && isnan(r->row[l].paulus);
}

bool batteryIsRounding(const BatteryReactions *of, const ksReaction *joint)
{
    const int island = batteryIsland(of->scale, joint);
    double load;
    const int rows = loadOf(of, island, &load);
    int evaluated = 0;
    bool is = KSI_IS_SINGLE;
    for (const ksReaction *r = of->reaction; r < of->reaction + of->count; r++)
        for (int l = 0; is && isIn(of, r, island) && l < r->rowCount; l++) {
            // a body at rest, and a row at its bound, do not obey them
            if (r->row[l].place != KS_INSIDE || r->reasons & KS_REASON_RESET)
                continue;
            // a joint whose own rows are dependent has no multipliers in the report
            const bool isReported = !(r->reasons & KS_REASON_OWN_RANK), isOpen = isKnownLoad(r, l) || isNearFree(of, r);
            // NaN is not smaller
            is &= !isReported || residualOf(of, r, l, load, false) <= kFactored * rows;
            is &= isOpen || residualOf(of, r, l, load, true) <= kSolved;
            evaluated += isReported || !isOpen;
        }
    return is && evaluated > 0;
}

/* certificate.c  Certifies the solutions of both routes at once, by Gauss's principle. The true
 * motion has the least constraint of all permitted motions, and multipliers give a lower bound of
 * this constraint (the dual problem). The gap between constraint and bound is
 *
 *     1/2 |a - M^-1 (f + J^T lambda)|^2_M
 *
 * with the acceleration `a` of the null-space route and the multipliers lambda of the range-space
 * route. The gap is computed from M, J and f as read, without any factor. Let lambda' be the
 * multipliers of the null-space route. Error bars contain the difference lambda - lambda'. If there
 * is no other error,
 *
 *     (2 gap)^1/2  <=  |J^T (lambda - lambda')|_M^-1 + rounding.
 *
 * An error of the acceleration along permitted motions increases the gap, but not that
 * difference. */
#include "../read/body_motion.h"
#include "converged.h"

/* rounding that the limit of the gap allows for, in units of epsilon times the condition of the
 * inertia (the engine computes its inverse): the largest gap is 0.6 of the limit in random worlds,
 * and 0.04 in machines at rest, in motion and torn */
static const double units = 256;

KSI_INLINE double *forceOn(const ksiStep *step, int body, double *force)
{
    return force + 6 * (size_t)step->bodyMember[body].block;
}

/* Adds J^T lambda of the island's rows to the forces. Returns the size of its terms, row by row. */
KSI_CLONES
static double addReactions(const ksiConvergedSolution *s, const double *multiplier, double *force)
{
    double square = 0;
    KSI_EACH_JOINT (s->step, s->island, i, joint) {
        const ksiJointLayout *layout = &s->solver->layout[joint];
        const ksiRows *rows = &s->step->joint[joint].rows;
        double nowhere[6] = {0}, *on[2];
        for (int side = 0; side < 2; side++) {
            const int body = s->step->member[joint].link[side];
            on[side] = body < 0 ? nowhere : forceOn(s->step, body, force);
        }
        for (int l = 0; l < rows->count; l++) {
            const double lambda = layout->row[l] < 0 ? 0 : multiplier[layout->row[l]];
            square += layout->size[l] * lambda * layout->size[l] * lambda;
            for (int side = 0; side < 2; side++)
                ksiAddSix(on[side], lambda, rows->row[l].jacobian[side]);
        }
    }
    return sqrt(square);
}

/* 1/2 |a - M^-1 f|^2 in the mass metric; a: NULL is zero. */
KSI_CLONES
static double halfSquare(const ksiConvergedSolution *s, const double *acceleration, double *force)
{
    double sum = 0;
    KSI_EACH_ISLAND_BODY (s->step, s->island, i, index) {
        const ksiBody *body = &s->step->body[index].begin;
        const size_t at = 6 * (size_t)s->step->bodyMember[index].block;
        double difference[6];
        ksiAccelerate(body, force + at, difference);
        for (int k = 0; acceleration && k < 6; k++)
            difference[k] -= acceleration[at + (size_t)k];
        sum += ksiKinetic(body, difference);
    }
    return sum;
}

/* Rounding of M^-1 (f + J^T lambda), in the mass metric; reactions: size of J^T lambda, row by
 * row. */
static double roundingOf(const ksiConvergedSolution *s, double reactions)
{
    double square = reactions * reactions;
    KSI_EACH_ISLAND_BODY (s->step, s->island, i, body) {
        const double size = s->step->body[body].begin.condition * s->step->bodyMember[body].loadSum;
        square += size * size;
    }
    return units * ksiEpsilon(s->step->isSingle) * sqrt(square);
}

static double differenceOf(const ksiConvergedSolution *s, double *force)
{
    double *difference = s->relaxed;  // not in use yet
    for (size_t l = 0; l < s->rows; l++)
        difference[l] = s->gauss[l] - s->paulus[l];
    memset(force, 0, 6 * (size_t)s->island->bodyCount * sizeof *force);
    addReactions(s, difference, force);
    return sqrt(2 * halfSquare(s, NULL, force));
}

bool ksiCertify(const ksiConvergedSolution *s, double *force, double *gap)
{
    KSI_EACH_ISLAND_BODY (s->step, s->island, i, body)
        ksiForceOnBody(s->step, body, forceOn(s->step, body, force));
    const double reactions = addReactions(s, s->gauss, force);
    *gap = halfSquare(s, s->acceleration, force);
    const double difference = sqrt(2 * *gap), rounding = roundingOf(s, reactions);
    return difference <= rounding || difference <= differenceOf(s, force) + rounding;
}

/* Gauss's constraint of the engine's motion, and its two parts: see gauss_measure.c. */
void ksiMeasureEngine(const ksiConvergedSolution *s, const double *residual, double *correction, double *force,
                      ksGaussMeasure *out)
{
    double taken = 0, left = 0, error = 0;
    double *explained = correction, *known = s->relaxed;  // free here
    KSI_EACH_ISLAND_BODY (s->step, s->island, i, body)
        ksiForceOnBody(s->step, body, forceOn(s->step, body, force));
    KSI_EACH_SOLVED_ROW (s->step, s->island, joint, l, row)
        known[row] = ksiBoundOf(s, joint, l) == KS_INSIDE ? 0 : s->paulus[row];
    addReactions(s, known, force);
    const double constraint = halfSquare(s, s->observed, force);
    KSI_EACH_SOLVED_ROW (s->step, s->island, joint, l, row) {
        const double compliance = s->step->joint[joint].rows.row[l].cfm / s->step->h, reported = s->reference[row];
        error += 0.5 * residual[row] * correction[row];
        explained[row] = s->paulus[row] - correction[row];
        taken += 0.5 * compliance * (reported - known[row]) * (reported - known[row]);
        left += 0.5 * compliance * (reported - explained[row]) * (reported - explained[row]);
        explained[row] -= known[row];  // `force` contains these reactions
    }
    addReactions(s, explained, force);
    *out = (ksGaussMeasure){.constraint = constraint + taken,
                            .unexplained = halfSquare(s, s->observed, force) + left,
                            .solverError = ksiLarger(error, 0)};
}

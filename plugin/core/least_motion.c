/* least_motion.c  Finds the least change `dy` of a body's velocity that changes the rates of its
 * rows `b` by `right`:
 *
 *     dy = W b (b^T W b)^-1 right
 *
 * The weight `W` makes rotation so costly that the body turns only for rows that no translation can
 * satisfy. So translation closes the gaps between points, and rotation closes the gaps between
 * axes.
 */
#include "least_motion.h"
#include "kernel.h"

/* Weight of squared rotation relative to squared translation. If it is a thousand times larger, a
 * lever of ten radii of gyration closes a thousandth of a gap by rotation; if it is a thousand
 * times smaller, digits are lost. */
static const double turning = 1e-8;

/* A row depends on earlier rows if the part of its square that is independent of them is below this
 * share, a thousand roundings. A lever of a hundredth of the radius of gyration has ten times this
 * share. */
static const double independent = 1e-13;

KSI_INLINE unsigned changeBy(const int ROWS, const double (*row)[6], const double *right, double *own)
{
    ksiEight across[6], column[6], weighed[6], triangle[6];
    double inverse[8], least[6], x[6];
    EACH (l, 0, ROWS) {
        across[l].half[0] = (ksiFour){row[l][0], row[l][1], row[l][2], row[l][3]};
        across[l].half[1] = (ksiFour){row[l][4], row[l][5]};
        x[l] = right[l];
        clearEight(&triangle[l]);
    }
    EACH (l, ROWS, 6)
        clearEight(&across[l]);
    transposeEight(ROWS, 6, across, column);
    EACH (k, 0, 6)
        scaleEight(ROWS, k < 3 ? 1 : turning, &column[k], &weighed[k]);
    addSquare(6, ROWS, 1, column, weighed, triangle);
    EACH (l, 0, ROWS)
        least[l] = independent * triangle[l].at[l];
    const unsigned lost = factorEight(ROWS, triangle, inverse, least);
    EACH (j, 0, ROWS)
        EACH (i, j + 1, ROWS)
            x[i] -= triangle[j].at[i] * (inverse[j] * x[j]);
    EACH_DOWN (j, 0, ROWS) {
        double sum = 0;
        EACH (i, j + 1, ROWS)
            sum += triangle[j].at[i] * x[i];
        x[j] = inverse[j] * (x[j] - sum);
    }
    EACH (k, 0, 6)
        EACH (l, 0, ROWS)
            own[k] += x[l] * weighed[k].at[l];
    return lost;
}

KSI_CLONES
unsigned ksiCoreLeastChange(int rows, const double (*row)[6], const double *right, double own[6])
{
    unsigned lost = 0;
#define CHANGE(ROWS) lost = changeBy(ROWS, row, right, own)
    KSI_CORE_BY_ROWS(rows, CHANGE)
    return lost;
}

/* core_island_kit.h  Random islands for plugin/core/: rows of any direction over any graph of
 * bodies, scaled by the masses. */
#ifndef TESTS_CORE_CORE_ISLAND_KIT_H
#define TESTS_CORE_CORE_ISLAND_KIT_H

#include "core/core.h"
#include "tests/kits/box_problem.h"
#include "tests/kits/support.h"

enum { BODIES = 9, JOINTS = 14, UNKNOWNS = 6 * BODIES + 6 * JOINTS };

typedef struct Island {
    ksiCore core;
    int bodies, joints;
    ksiCoreJoint joint[JOINTS];
    double mass[BODIES], row[JOINTS][6][12], beta[JOINTS][6], compliance[JOINTS][6], force[BODIES][6];
} Island;

static unsigned long long state; /* state of draw() */

/* -1 to 1 */
static inline double draw(void)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(long long)(state >> 11) * 0x1p-52 - 1;
}

static inline int drawInt(int below)
{
    return (int)((draw() + 1) / 2 * below) % below;
}

static inline void addJoint(Island *island, int a, int b, int rows, double softness)
{
    const int j = island->joints++;
    island->joint[j] = (ksiCoreJoint){.body = {a, b}, .rows = rows};
    for (int l = 0; l < rows; l++) {
        for (int k = 0; k < 12; k++) {
            const int body = k < 6 ? a : b;
            island->row[j][l][k] = body < 0 ? 0 : draw() / sqrt(island->mass[body]);
        }
        island->beta[j][l] = draw();
        island->compliance[j][l] = l % 2 ? softness : 0;
    }
}

/* A tree of up to four rows a joint, from the ground or free, and two rows that close loops: no
 * more rows than degrees of freedom. */
static inline void drawIsland(Island *island, int seed, double ratio)
{
    state = 77 + 1000003ULL * (unsigned)seed;
    const double softness = seed % 3 ? 0 : 1e-3;
    island->joints = 0;
    island->bodies = 2 + drawInt(BODIES - 1);
    for (int b = 0; b < island->bodies; b++) {
        island->mass[b] = drawInt(3) ? 1 : ratio;
        for (int k = 0; k < 6; k++)
            island->force[b][k] = draw();
    }
    for (int b = 0; b < island->bodies; b++) {
        const int parent = b == 0 ? -1 : drawInt(b), rows = 1 + drawInt(4);
        if (b > 0 || seed % 2) {
            if (drawInt(2))
                addJoint(island, b, parent, rows, softness);
            else
                addJoint(island, parent, b, rows, softness);
        }
    }
    for (int extra = seed % 3; extra > 0; extra--) {
        const int a = drawInt(island->bodies), b = drawInt(island->bodies + 1) - 1;
        if (a != b)
            addJoint(island, a, b, 1, softness);
    }
}

static inline void plan(Island *island)
{
    CHECK_OK(ksiCorePlan(&island->core, island->bodies, island->mass, island->joints, island->joint));
    for (int i = 0; i < island->bodies; i++) {
        ksiCoreLink *link = &island->core.link[i];
        link->weight2 = island->mass[link->body];
        for (int k = 0; k < 6; k++)
            link->force[k] = (ksiFour){island->force[link->body][k]};
    }
    for (int j = 0; j < island->joints; j++) {
        ksiConstraint *c = ksiCoreConstraint(&island->core, j);
        ksiCoreBeginRows(c, island->joint[j].rows);
        for (int l = 0; l < c->rows; l++) {
            ksiCoreSetRow(c, l, island->row[j][l]);
            c->beta[l] = (ksiFour){island->beta[j][l]};
            c->compliance[l] = island->compliance[j][l];
        }
    }
}

/* The product of two rows. */
static inline Wide product(const Island *island, int j, int l, int i, int m)
{
    Wide sum = 0;
    for (int p = 0; p < 2; p++)
        for (int q = 0; q < 2; q++)
            if (island->joint[j].body[p] >= 0 && island->joint[j].body[p] == island->joint[i].body[q])
                for (int k = 0; k < 6; k++)
                    sum += (Wide)island->row[j][l][6 * p + k] * (Wide)island->row[i][m][6 * q + k];
    return sum;
}

/* Row r of A + S, and room for right-hand sides. Rows are numbered by six per joint. */
typedef Wide Equation[2 * UNKNOWNS + 2];

/* Sets row r, and its right-hand side beta - J M^-1 f. A row beyond its joint's own becomes a row
 * of the identity; returns false. */
static inline bool layEquation(const Island *island, const ksiCore *core, int r, int side, Equation *a)
{
    const int j = r / 6, l = r % 6;
    if (l >= island->joint[j].rows) {
        a[r][r] = 1;
        return false;
    }
    for (int i = 0; i < 6 * island->joints; i++)
        if (i % 6 < island->joint[i / 6].rows)
            a[r][i] = product(island, j, l, i / 6, i % 6);
    a[r][r] += (Wide)ksiCoreConstraint(core, j)->compliance[l];
    a[r][side] = island->beta[j][l];
    for (int p = 0; p < 2; p++)
        for (int k = 0; island->joint[j].body[p] >= 0 && k < 6; k++)
            a[r][side] -= (Wide)island->row[j][l][6 * p + k] * (Wide)island->force[island->joint[j].body[p]][k];
    return true;
}

/* Solves for the right-hand sides in the columns from n to wide, with the largest pivots. */
static inline void eliminate(int n, int wide, Equation *a)
{
    for (int j = 0; j < n; j++) {
        int best = j;
        for (int i = j; i < n; i++)
            if (fabs((double)a[i][j]) > fabs((double)a[best][j]))
                best = i;
        for (int k = 0; k < wide; k++) {
            const Wide swap = a[j][k];
            a[j][k] = a[best][k];
            a[best][k] = swap;
        }
        for (int i = 0; i < n; i++)
            if (i != j && a[i][j] != 0) {
                const Wide times = a[i][j] / a[j][j];
                for (int k = j; k < wide; k++)
                    a[i][k] -= times * a[j][k];
            }
    }
    for (int i = 0; i < n; i++)
        for (int k = n; k < wide; k++)
            a[i][k] /= a[i][i];
}

#endif

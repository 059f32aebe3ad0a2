/* prescribed_sizes.c  Finds how much an error of the motion changes multipliers, if their part
 * along the self-stresses is prescribed: see prescribed_stress.h. */
#include "kernel.h"
#include "plan.h"
#include "prescribed_stress.h"

#include "../base/error.h"

#include <math.h>
#include <string.h>

/* Largest element of any row in a self-stress, relative to the element of its redundant row. */
static const double mostPart = 4;

/* The number of a group's first self-stress. */
static int firstOf(const ksiCore *core, int group)
{
    int first = 0;
    for (int g = 0; g < group; g++)
        first += core->group[g].count;
    return first;
}

/* The remaining rows nearly depend on each other if some self-stress has too large an element in
 * another row: more than `mostPart` times its element in the redundant row. Then this function
 * chooses new redundant rows, unless there are too many self-stresses. */
static ksStatus chooseRedundant(ksiCore *core, size_t from, double **echelon)
{
    const int wide = (core->stresses + 3) / 4 * 4;
    double most = 0;
    size_t rows = 0;
    for (const ksiCorePart *part = core->part; part < core->part + core->parts; part++)
        for (int l = 0; l < part->constraint->rows; l++)
            for (int s = 0; s < core->group[part->group].count; s++)
                most = ksiLarger(most, fabs(part->n[l].at[s]));
    *echelon = NULL;
    if (most <= mostPart || core->stresses > KSI_CORE_MOST_DIRECT)
        return KS_OK;
    for (int i = 0; i < core->links + core->closings; i++)
        rows += (size_t)ksiCoreAt(core, i)->rows;
    KSI_TRY(
        ksiReserve(&core->allocator, &core->weak, &core->weakCapacity, from + rows * (size_t)wide, sizeof *core->weak));
    double *row = *echelon = core->weak + from;
    memset(row, 0, rows * (size_t)wide * sizeof *row);
    for (int i = 0; i < core->links + core->closings; i++) {
        const ksiConstraint *c = ksiCoreAt(core, i);
        for (int p = c->part; p < c->partEnd; p++)
            for (int l = 0; l < c->rows; l++)
                memcpy(row + l * wide + firstOf(core, core->part[p].group), core->part[p].n[l].at,
                       (size_t)core->group[core->part[p].group].count * sizeof *row);
        row += c->rows * wide;
    }
    ksiCoreChooseRedundant(core, core->stresses, wide, true, *echelon);
    return KS_OK;
}

/* Sets size2 of redundant rows. The projection onto a self-stress n passes on the errors of other
 * rows: |q_l| sum_m |q_m| |w_m|, q = n / |n|. */
static void sizeDependents(const ksiCore *core)
{
    for (int g = 0; g < core->groups; g++)
        clearEight(&core->group[g].x);
    for (const ksiCorePart *part = core->part; part < core->part + core->parts; part++)
        for (int l = 0; l < part->constraint->rows; l++)
            for (int s = 0; s < core->group[part->group].count; s++)
                core->group[part->group].x.at[s] +=
                    fabs(part->n[l].at[s]) * part->constraint->unit[l] * sqrt(part->constraint->size2[l]);
    for (const ksiCorePart *part = core->part; part < core->part + core->parts; part++) {
        const ksiCoreGroup *group = &core->group[part->group];
        ksiConstraint *c = part->constraint;
        for (int l = 0; c->redundant >> l; l++) {
            double size = sqrt(c->size2[l]);
            for (int s = 0; c->redundant >> l & 1u && s < group->count; s++)
                size += fabs(part->n[l].at[s]) * group->x.at[s] / (group->size2[s] * c->unit[l]);
            c->size2[l] = size * size;
        }
    }
}

/* Sets size2 of redundant rows from chooseRedundant(): each of them belongs to one self-stress. */
static void sizeChosen(const ksiCore *core, const double *echelon)
{
    const int count = core->links + core->closings, wide = (core->stresses + 3) / 4 * 4;
    for (int s = 0; s < core->stresses; s++) {
        const double *row = echelon;
        double sum = 0, own = 0;
        ksiConstraint *of = NULL;
        int at = 0;
        for (int i = 0; i < count; i++) {
            ksiConstraint *c = ksiCoreAt(core, i);
            for (int l = 0; l < c->rows; l++, row += wide) {
                if (row[s] == 0)
                    continue;
                if (c->redundant >> l & 1u)
                    of = c, at = l, own = fabs(row[s]);
                else
                    sum += fabs(row[s]) * c->unit[l] * sqrt(c->size2[l]);
            }
        }
        if (of)
            of->size2[at] = sum / (own * of->unit[at]) * (sum / (own * of->unit[at]));
    }
}

ksStatus ksiCoreLeaveOut(ksiCore *core, size_t from)
{
    double *echelon;
    KSI_TRY(chooseRedundant(core, from, &echelon));
    for (int i = 0; i < core->links + core->closings; i++) {
        ksiConstraint *c = ksiCoreAt(core, i);
        c->known = c->atLow | c->atHigh | c->redundant;
    }
    KSI_TRY(ksiCoreFactored(ksiCoreFactor(core)));
    ksiCoreInverse(core);
    if (echelon)
        sizeChosen(core, echelon);
    else
        sizeDependents(core);
    return KS_OK;
}

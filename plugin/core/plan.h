/* plan.h  Declarations that the plan and the self-stresses share. */
#ifndef KSI_CORE_PLAN_H
#define KSI_CORE_PLAN_H

#include "core.h"

/* pattern.c: finds the order of the closings, and their couplings with links and with each other.
 * Needs the bodies of links and closings. */
KS_MUST_USE ksStatus ksiCorePattern(ksiCore *core);

/* gram.c: the factor of the Gram matrix, from the groups and their parts. KS_ERROR_NO_MEMORY,
 * KS_ERROR_SINGULAR */
KS_MUST_USE ksStatus ksiCoreGram(ksiCore *core);

/* refine.c: changes the self-stresses that move bodies, so that they move none. Needs the factor of
 * ksiCoreRank, and the parts and sizes of ksiCoreStress. KS_ERROR_SINGULAR: there are too many. */
KS_MUST_USE ksStatus ksiCoreStop(ksiCore *core);

/* After ksiCoreGram: the inverse, at the entries of the factor. */
void ksiCoreInvertGram(ksiCore *core);

/* x of all groups := (N^T N)^-1 x */
void ksiCoreSolveGram(ksiCore *core);

/* stress.c: replaces the self-stresses of redundant rows by directions over all rows. u [rows of
 * all constraints][wide]: the directions, in unit rows; overwritten. wide: a multiple of four.
 * Chooses the redundant rows from the directions. */
KS_MUST_USE ksStatus ksiCoreTakeStresses(ksiCore *core, int stresses, int wide, double *u);

/* Chooses a redundant row for each self-stress: the row of its largest element, after multiples of
 * the earlier self-stresses have cleared the rows that were chosen for them. So the remaining rows
 * are far from dependent. isEach: u becomes a basis in which each chosen row takes part in only one
 * self-stress. */
void ksiCoreChooseRedundant(ksiCore *core, int stresses, int wide, bool isEach, double *u);

/* gram.c: block g, h of (N^T N)^-1, for groups that load one constraint. `transposed` is memory for
 * a block whose transpose is stored. */
const ksiEight *ksiCoreGramInverse(const ksiCore *core, int g, int h, ksiEight *transposed);

#endif

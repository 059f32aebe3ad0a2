/* pairs.h  Shared by the parts of the bench of physical contact forces. */
#ifndef TESTS_BENCH_PAIRS_H
#define TESTS_BENCH_PAIRS_H

#include "tests/kits/contacts/contact_scenes.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct PairsCase {
    const ContactForm *form;
    MachineGround ground;
    double stepSize;
    bool isTimed;
} PairsCase;

/* Relative to the load of a pair, over pair-steps. NaN where there is nothing to count. */
enum {
    PAIRS_ENGINE,        /* error of the engine's force of a step, root mean square */
    PAIRS_PHYSICAL,      /* ... of the physical one */
    PAIRS_WORST,         /* largest error of the physical one */
    PAIRS_BARRED,        /* share with a bar */
    PAIRS_HELD,          /* share of these in which the bar reaches the truth */
    PAIRS_BAR,           /* median bar */
    PAIRS_BIAS,          /* mean of physical less engine's in windows with a unique force: the largest of the pairs */
    PAIRS_VALID,         /* share with KS_VALID */
    PAIRS_OPEN,          /* ... with KS_INDETERMINATE */
    PAIRS_TWINS,         /* states with a twin */
    PAIRS_TWIN_ENGINE,   /* error of the engine against the twin, median */
    PAIRS_TWIN_PHYSICAL, /* ... of the physical force */
    PAIRS_COST,          /* cost of contactPhysical, in steps of dWorldQuickStep of the same scene */
    PAIRS_FIGURES
};

void pairsRun(const PairsCase *what, double figure[PAIRS_FIGURES]);

void pairsHead(FILE *csv);
void pairsReport(const PairsCase *what, const double figure[PAIRS_FIGURES], FILE *csv);

/* The cost of ksInspectorExactStep without values, in steps of dWorldQuickStep of the same scene: a
 * line for each scene. */
void pairsExact(void);

#endif

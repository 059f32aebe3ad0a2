/* deck.h  Load cases as steps of CalculiX and Abaqus: *CLOAD of joints, contacts and applied loads,
 * *DLOAD of weight and inertia. */
#ifndef KSI_CASES_DECK_H
#define KSI_CASES_DECK_H

#include "cases.h"
#include "mesh.h"

enum { KSI_DECK_NODES = 64 };

/* Where the loads that match a pattern act: a node or a set. torque: another one for their torque,
 * or NULL. */
typedef struct ksiNodeRule {
    const char *loads, *force, *torque;
} ksiNodeRule;

typedef struct ksiDeckOptions {
    double unit;                /* units of length of the model per metre: 1, or 1000 */
    double origin[3];           /* the body's mass centre in the model's coordinates */
    const char *elements;       /* the set that weight and inertia act on */
    const char *only;           /* a pattern: these loads alone, without weight and inertia; NULL:
                                   all */
    const ksiElementMesh *mesh; /* for CalculiX, with the rotation's loads on its nodes. NULL:
                                   Abaqus, by *DLOAD */
    const char *step;           /* lines of each step; NULL: *STATIC, and results of all nodes and
                                   elements */
    ksiNodeRule node[KSI_DECK_NODES];
    size_t nodeCount;
} ksiDeckOptions;

/* Writes all of these moments as one step. The weight along each axis, and the sum of all loads in
 * one direction of one node, are unit loads with an *AMPLITUDE. Times begin with the first
 * moment. */
void ksiSeriesToDeck(const ksiLoadCases *cases, ksiLoadCase *const *moment, size_t count, const ksiDeckOptions *options,
                     ksiText *out);

void ksiLoadCasesToDeck(const ksiLoadCases *cases, const ksiDeckOptions *options, ksiText *out);

#endif

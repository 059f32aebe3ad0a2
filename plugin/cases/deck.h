/* deck.h  Writes load cases as analysis steps for CalculiX and Abaqus: joints, contacts and applied
 * loads as *CLOAD, weight and inertia as *DLOAD. */
#ifndef KSI_CASES_DECK_H
#define KSI_CASES_DECK_H

#include "cases.h"
#include "mesh.h"

enum { KSI_DECK_NODES = 64 };

/* force: the node or set for the loads that match the pattern `loads`. torque: another node or set
 * for the torques of these loads, or NULL. */
typedef struct ksiNodeRule {
    const char *loads, *force, *torque;
} ksiNodeRule;

typedef struct ksiDeckOptions {
    double unit;                /* units of length of the model per metre: 1, or 1000 */
    double origin[3];           /* the body's mass centre in the model's coordinates */
    const char *elements;       /* the set on which weight and inertia act */
    const char *only;           /* a pattern: writes the loads that match it, without weight and
                                   inertia; NULL: writes all loads */
    const ksiElementMesh *mesh; /* for CalculiX: loads on the mesh's nodes stand for the rotation.
                                   NULL, for Abaqus: *DLOAD stands for the rotation */
    const char *step;           /* lines of each step; NULL: *STATIC, and results of all nodes and
                                   elements */
    ksiNodeRule node[KSI_DECK_NODES];
    size_t nodeCount;
} ksiDeckOptions;

/* Writes the load cases of all these moments as one step. The weight along each axis, and the sum
 * of all loads in one direction of one node, are unit loads with an *AMPLITUDE. The step's time 0
 * is the first moment. */
void ksiSeriesToDeck(const ksiLoadCases *cases, ksiLoadCase *const *moment, size_t count, const ksiDeckOptions *options,
                     ksiText *out);

void ksiLoadCasesToDeck(const ksiLoadCases *cases, const ksiDeckOptions *options, ksiText *out);

#endif

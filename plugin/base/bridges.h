/* bridges.h  Bridges of a graph that grows edge by edge: edges without which the graph would fall
 * apart. Edges may be parallel. */
#ifndef KSI_BASE_BRIDGES_H
#define KSI_BASE_BRIDGES_H

#include <stdbool.h>
#include <stddef.h>

/* A node of the forest. The forest's vertices are the parts that contain no bridge; one node stands
 * for each part. */
typedef struct ksiBridgeNode {
    int part;      /* leads to the node that stands for the part; there it is the node's own
                      number */
    int above;     /* a node of the part towards the root, or -1 */
    int tree;      /* leads to the node that stands for the tree */
    int treeCount; /* nodes of the tree; valid in the node that stands for it */
} ksiBridgeNode;

void ksiBridgesReset(ksiBridgeNode *node, size_t count);

/* Adds an edge between a and b. */
void ksiBridgesJoin(ksiBridgeNode *node, int a, int b);

/* Is the edge between a and b a bridge? It is none if another path connects them. */
bool ksiBridgesDivide(ksiBridgeNode *node, int a, int b);

#endif

/* bridges.h  Finds the bridges of a graph that grows edge by edge. Without a bridge, the graph
 * would fall apart. Edges may be parallel. */
#ifndef KSI_BASE_BRIDGES_H
#define KSI_BASE_BRIDGES_H

#include <stdbool.h>
#include <stddef.h>

/* A node of the forest. The forest's vertices are the parts that contain no bridge; one node stands
 * for each part. */
typedef struct ksiBridgeNode {
    int part;      /* a node nearer to the one that stands for the part; the latter has its own
                      number here */
    int above;     /* a node of the next part on the way to the root, or -1 */
    int tree;      /* a node nearer to the node that stands for the tree */
    int treeCount; /* number of nodes in the tree; valid in the node that stands for the tree */
} ksiBridgeNode;

void ksiBridgesReset(ksiBridgeNode *node, size_t count);

/* Adds an edge between a and b. */
void ksiBridgesJoin(ksiBridgeNode *node, int a, int b);

/* Is the edge between a and b a bridge? It is not a bridge if another path connects a and b. */
bool ksiBridgesDivide(ksiBridgeNode *node, int a, int b);

#endif

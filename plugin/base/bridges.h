/* bridges.h  Bridges of a graph that grows edge by edge: edges without which the graph would fall
 * apart. Edges may be parallel. */
#ifndef KSI_BASE_BRIDGES_H
#define KSI_BASE_BRIDGES_H

#include <stdbool.h>
#include <stddef.h>

/* A node of a forest over the parts that no bridge divides; one node of a part has its members. */
typedef struct ksiBridgeNode {
    int part;      /* on the way to that node, which has its own number */
    int above;     /* a node of the part towards the root, or -1 */
    int tree;      /* on the way to a node that stands for the tree */
    int treeCount; /* nodes of the tree, of that one */
} ksiBridgeNode;

void ksiBridgesReset(ksiBridgeNode *node, size_t count);

/* Adds an edge. */
void ksiBridgesJoin(ksiBridgeNode *node, int a, int b);

/* Is an edge between the two a bridge? They may be anywhere in the graph otherwise. */
bool ksiBridgesDivide(ksiBridgeNode *node, int a, int b);

#endif

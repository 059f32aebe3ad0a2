/* bridges.c  Finds the parts of a graph that contain no bridge, and the forest that the bridges
 * form. An edge between two trees joins them. An edge within a tree merges the parts on the path
 * between its ends into one. */
#include "bridges.h"

void ksiBridgesReset(ksiBridgeNode *node, size_t count)
{
    for (size_t i = 0; i < count; i++)
        node[i] = (ksiBridgeNode){.part = (int)i, .above = -1, .tree = (int)i, .treeCount = 1};
}

static int partOf(ksiBridgeNode *node, int i)
{
    while (node[i].part != i)
        i = node[i].part = node[node[i].part].part;
    return i;
}

static int treeOf(ksiBridgeNode *node, int i)
{
    while (node[i].tree != i)
        i = node[i].tree = node[node[i].tree].tree;
    return i;
}

static int partAbove(ksiBridgeNode *node, int part)
{
    return node[part].above < 0 ? -1 : partOf(node, node[part].above);
}

/* Makes a part the root of its tree. */
static void turnTree(ksiBridgeNode *node, int part)
{
    for (int below = -1; part >= 0;) {
        const int next = partAbove(node, part);
        node[part].above = below;
        below = part;
        part = next;
    }
}

/* The smaller tree gets a new root, and hangs below the other. */
static void joinTrees(ksiBridgeNode *node, int a, int b)
{
    const int one = treeOf(node, a), other = treeOf(node, b);
    const bool isSmaller = node[one].treeCount < node[other].treeCount;
    const int small = isSmaller ? one : other, large = isSmaller ? other : one;
    turnTree(node, isSmaller ? a : b);
    node[isSmaller ? a : b].above = isSmaller ? b : a;
    node[small].tree = large;
    node[large].treeCount += node[small].treeCount;
}

void ksiBridgesJoin(ksiBridgeNode *node, int a, int b)
{
    a = partOf(node, a);
    b = partOf(node, b);
    if (treeOf(node, a) != treeOf(node, b)) {
        joinTrees(node, a, b);
        return;
    }
    turnTree(node, a);
    for (int next; b != a; b = next) {
        next = partAbove(node, b);
        node[b].part = a;
    }
}

bool ksiBridgesDivide(ksiBridgeNode *node, int a, int b)
{
    return partOf(node, a) != partOf(node, b);
}

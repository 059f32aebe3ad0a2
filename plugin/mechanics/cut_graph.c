/* cut_graph.c  The bridges of the graph of blocks: Paulus's cut through a mechanism, where one cut is enough.
 *
 *  Nodes are the blocks and one ground; rows that are not known are edges, over one block to the ground, over two
 *  between them; parallel ones merge. A row over more blocks ties them into a loop, and a piece that is zero ties
 *  nothing. Bridges by the least number that a node's side reaches (Tarjan 1974), without recursion: a chain of bodies
 *  may be long.
 */
#include "cut.h"

#include "system_private.h"

#include <limits.h>
#include <string.h>

static ksStatus reserve(ksSystem *system)
{
    ksiCut *g = &system->cut;
    const size_t nodes = (size_t)system->blockCount + 1, rows = (size_t)system->rowCount;
    // a loop over n blocks has n edges
    const size_t edges = rows + (size_t)system->pieceCount;
    if (edges > INT_MAX / 2)
        return KS_ERROR_NO_MEMORY;
    ksiInts *const byNode[] = {&g->bridge,  &g->order, &g->first, &g->stamp,   &g->tie,
                               &g->reached, &g->low,   &g->from,  &g->position};
    for (size_t i = 0; i < sizeof byNode / sizeof *byNode; i++)
        if (ksiIntsReserve(system, byNode[i], nodes))
            return KS_ERROR_NO_MEMORY;
    if (ksiIntsReserve(system, &g->nodeStart, nodes + 2) || ksiIntsReserve(system, &g->rowEdge, rows + 1) ||
        ksiIntsReserve(system, &g->edgeRow, rows + 1) || ksiIntsReserve(system, &g->next, rows + 1) ||
        ksiIntsReserve(system, &g->edgeStart, edges + 2) || ksiIntsReserve(system, &g->edgeNode, 2 * edges + 1) ||
        ksiIntsReserve(system, &g->nodeEdge, 2 * edges + 1))
        return KS_ERROR_NO_MEMORY;
    g->nodeCount = (int)nodes;
    g->edgeCount = 0;
    return KS_OK;
}

static int addEdge(ksiCut *g, int a, int b)
{
    g->edgeNode.at[2 * g->edgeCount] = a;
    g->edgeNode.at[2 * g->edgeCount + 1] = b;
    return g->edgeCount++;
}

static int pieceIsZero(const ksSystem *system, int piece)
{
    const double *entry = system->entry.at + system->pieceEntry.at[piece];
    for (int i = 0; i < system->blockSize.at[system->pieceBlock.at[piece]]; i++)
        if (entry[i] != 0)
            return 0;
    return 1;
}

/* The blocks that a row moves: their number, and the first two in ascending order, the ground for one that lacks. A row
 * over more is made into a loop of edges, if `tying`. */
static int endsOf(ksSystem *system, int row, int tying, int end[2])
{
    ksiCut *g = &system->cut;
    int count = 0, first = -1, last = -1;
    for (int p = system->rowPiece.at[row]; p < system->rowPiece.at[row + 1]; p++) {
        if (pieceIsZero(system, p))
            continue;
        const int b = system->pieceBlock.at[p];
        if (tying && last >= 0)
            addEdge(g, last, b);
        if (count == 0)
            first = b;
        last = b;
        count++;
    }
    if (tying)
        addEdge(g, last, first);
    const int ground = system->blockCount, second = count > 1 ? last : ground;
    end[0] = first < second ? first : second;
    end[1] = first < second ? second : first;
    return count;
}

/* An edge for all rows over the same blocks: rows in a list by their lower end, the other end marked there. */
static void findEdges(ksSystem *system)
{
    ksiCut *g = &system->cut;
    int end[2];
    for (int node = 0; node < g->nodeCount; node++)
        g->first.at[node] = g->stamp.at[node] = -1;
    for (int l = system->rowCount - 1; l >= 0; l--) {
        g->rowEdge.at[l] = -1;
        if (system->rowKnown.at[l])
            continue;
        const int count = endsOf(system, l, 0, end);
        if (count == 1 || count == 2) {
            g->next.at[l] = g->first.at[end[0]];
            g->first.at[end[0]] = l;
        }
    }
    for (int node = 0; node < g->nodeCount; node++)
        for (int l = g->first.at[node]; l >= 0; l = g->next.at[l]) {
            (void)endsOf(system, l, 0, end);
            if (g->stamp.at[end[1]] != node) {
                g->stamp.at[end[1]] = node;
                g->tie.at[end[1]] = addEdge(g, node, end[1]);
            }
            g->rowEdge.at[l] = g->tie.at[end[1]];
        }
    for (int l = 0; l < system->rowCount; l++)
        if (!system->rowKnown.at[l] && endsOf(system, l, 0, end) > 2)
            (void)endsOf(system, l, 1, end);
}

/* start[i + 2] counts, start[i + 1] runs, start[i] stays. */
static void accumulate(int *start, int count)
{
    for (int i = 0; i < count; i++)
        start[i + 2] += start[i + 1];
}

/* Rows by edge and edges by node. */
static void findLists(ksSystem *system)
{
    ksiCut *g = &system->cut;
    memset(g->edgeStart.at, 0, ((size_t)g->edgeCount + 2) * sizeof(int));
    memset(g->nodeStart.at, 0, ((size_t)g->nodeCount + 2) * sizeof(int));
    for (int pass = 0; pass < 2; pass++) {
        for (int l = 0; l < system->rowCount; l++) {
            const int e = g->rowEdge.at[l];
            if (e >= 0 && pass == 0)
                g->edgeStart.at[e + 2]++;
            else if (e >= 0)
                g->edgeRow.at[g->edgeStart.at[e + 1]++] = l;
        }
        for (int i = 0; i < 2 * g->edgeCount; i++) {
            const int node = g->edgeNode.at[i];
            if (pass == 0)
                g->nodeStart.at[node + 2]++;
            else
                g->nodeEdge.at[g->nodeStart.at[node + 1]++] = i / 2;
        }
        if (pass == 0) {
            accumulate(g->edgeStart.at, g->edgeCount);
            accumulate(g->nodeStart.at, g->nodeCount);
        }
    }
}

/* Visits everything that hangs on a root. low: the first reached node that a node's side is tied to other than by
 * `from`, the edge that it was reached by. */
static int search(ksiCut *g, int root, int visited)
{
    int node = root;
    g->from.at[root] = -1;
    g->reached.at[root] = g->low.at[root] = visited;
    g->order.at[visited++] = root;
    for (;;) {
        if (g->position.at[node] < g->nodeStart.at[node + 1]) {
            const int e = g->nodeEdge.at[g->position.at[node]++];
            const int other = g->edgeNode.at[2 * e] + g->edgeNode.at[2 * e + 1] - node;
            if (e == g->from.at[node])
                continue;
            if (g->reached.at[other] >= 0) {
                if (g->reached.at[other] < g->low.at[node])
                    g->low.at[node] = g->reached.at[other];
                continue;
            }
            g->from.at[other] = e;
            g->reached.at[other] = g->low.at[other] = visited;
            g->order.at[visited++] = other;
            node = other;
            continue;
        }
        const int e = g->from.at[node];
        if (e < 0)
            return visited;
        const int above = g->edgeNode.at[2 * e] + g->edgeNode.at[2 * e + 1] - node;
        if (g->low.at[node] < g->low.at[above])
            g->low.at[above] = g->low.at[node];
        node = above;
    }
}

ksStatus ksiCutGraph(ksSystem *system)
{
    if (reserve(system))
        return KS_ERROR_NO_MEMORY;
    ksiCut *g = &system->cut;
    findEdges(system);
    findLists(system);
    for (int node = 0; node < g->nodeCount; node++) {
        g->reached.at[node] = -1;
        g->position.at[node] = g->nodeStart.at[node];
    }
    // the ground first: it is the root of all that hangs on it
    int visited = search(g, system->blockCount, 0);
    for (int b = 0; b < system->blockCount; b++)
        if (g->reached.at[b] < 0)
            visited = search(g, b, visited);
    for (int b = 0; b < system->blockCount; b++)
        g->bridge.at[b] = g->from.at[b] >= 0 && g->low.at[b] == g->reached.at[b] ? g->from.at[b] : -1;
    return KS_OK;
}

/* check_bridges.c  Bridges of random graphs, against the removal of each edge. */
#include "plugin/base/bridges.h"
#include "plugin/base/union_find.h"
#include "tests/kits/suite.h"

#include <check.h>
#include <stdlib.h>

enum { GRAPHS = 2000, MOST_NODES = 12, MOST_EDGES = 16 };

typedef struct Graph {
    int nodes, edges;
    int end[MOST_EDGES][2];
} Graph;

static int below(unsigned *seed, int count)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (int)((*seed >> 8) % (unsigned)count);
}

/* Some edges are parallel, or connect a node with itself. */
static Graph randomGraph(unsigned seed)
{
    Graph g = {.nodes = 1 + below(&seed, MOST_NODES)};
    g.edges = below(&seed, MOST_EDGES + 1);
    for (int i = 0; i < g.edges; i++)
        for (int k = 0; k < 2; k++)
            g.end[i][k] = below(&seed, g.nodes);
    return g;
}

static bool isApartWithout(const Graph *g, int edge)
{
    int set[MOST_NODES];
    ksiSetsReset(set, (size_t)g->nodes);
    for (int i = 0; i < g->edges; i++)
        if (i != edge)
            ksiSetsUnite(set, g->end[i][0], g->end[i][1]);
    return ksiSetOf(set, g->end[edge][0]) != ksiSetOf(set, g->end[edge][1]);
}

START_TEST(as_by_taking_away)
{
    int bridges = 0, others = 0;
    for (unsigned seed = 0; seed < GRAPHS; seed++) {
        const Graph g = randomGraph(seed);
        ksiBridgeNode node[MOST_NODES];
        ksiBridgesReset(node, (size_t)g.nodes);
        for (int i = 0; i < g.edges; i++)
            ksiBridgesJoin(node, g.end[i][0], g.end[i][1]);
        for (int i = 0; i < g.edges; i++) {
            const bool isBridge = isApartWithout(&g, i);
            ck_assert_msg(ksiBridgesDivide(node, g.end[i][0], g.end[i][1]) == isBridge, "graph %u, edge %d", seed, i);
            bridges += isBridge;
            others += !isBridge;
        }
    }
    ck_assert_int_gt(bridges, GRAPHS);
    ck_assert_int_gt(others, GRAPHS);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("bridges");
    tcase_add_test(tcase, as_by_taking_away);
    return runCase("bridges", tcase);
}

/* cut.h  The graph of a system's blocks, and where one cut takes it apart. */
#ifndef KSI_CUT_H
#define KSI_CUT_H

#include "fronts.h"

/* Nodes are the blocks, and behind them the ground. */
typedef struct ksiCut {
    int nodeCount, edgeCount;
    ksiInts rowEdge;            /* [rows] the row's edge, -1: none of its own */
    ksiInts edgeStart, edgeRow; /* rows by edge, as compressed lists */
    ksiInts edgeNode;           /* [2 x edgeCount] */
    ksiInts bridge;             /* [blockCount] the edge towards the root that alone holds the block's side, or -1 */
    ksiInts order;              /* [nodeCount] every node after the one that it was reached from */
    ksiInts tie, stamp, first, next;      /* scratch of the edges */
    ksiInts nodeStart, nodeEdge;          /* edges by node, as compressed lists */
    ksiInts reached, low, from, position; /* [nodeCount] scratch of the search */
    ksiInts isCut;                        /* [rows] the multiplier comes from a cut */
    ksiInts matrixStart;                  /* [blockCount] in matrix, -1: no cut here */
    ksiDoubles matrix, tau, scale; /* the bridge's rows at the block in unit columns, B_c = Q R; [rows by edge] */
    ksiDoubles multiplier;         /* [rows] */
    ksiDoubles rest;               /* [coordinates] y - y_f less B lambda of the rows that are solved */
    ksiDoubles noise;              /* [coordinates] a sample of its rounding */
    ksiDoubles side;               /* [2 x coordinates] scratch */
    double largest;                /* load so far, over unit rows */
    unsigned long long draw;
} ksiCut;

/* cut_graph.c: edges, bridges and order of the system as it is. */
KS_MUST_USE ksStatus ksiCutGraph(ksSystem *system);

#endif

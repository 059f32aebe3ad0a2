/* space.h  The geoms of a space, and the corners of a convex one, read where they are. */
#ifndef KSI_ENGINE_SPACE_H
#define KSI_ENGINE_SPACE_H

#include <ode/ode.h>
#include <stdbool.h>

/* Does this engine keep geoms and spaces as is known? Tried on a space of our own. */
bool ksiKnowsSpaces(void);

typedef void ksiSpaceFn(dGeomID geom, void *user);

/* Calls fn for each geom of a space that is no space, those of the spaces within it included. Nothing is written: the engine's own
 * enumeration notes in the space where it was, and a host that goes on with one of its own would find other geoms. What is in a quadtree
 * cannot be found. Only where ksiKnowsSpaces. fn must not change the space. */
void ksiVisitSpace(dSpaceID space, ksiSpaceFn *fn, void *user);

/* What the host has given to the engine, which has no copy of it. */
typedef struct ksiConvex {
    const dReal *point;      /* [3 points] m, in the geom's axes */
    const unsigned *polygon; /* of each face the number of its corners, then their points */
    unsigned faces, points;
} ksiConvex;

/* Does this engine keep convex geoms as is known? Tried on one of our own. */
bool ksiKnowsConvex(void);
ksiConvex ksiReadConvex(dGeomID geom);

#endif

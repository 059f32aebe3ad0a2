/* space.h  Reads the geoms of a space, and the corners of a convex one, in place. */
#ifndef KSI_ENGINE_SPACE_H
#define KSI_ENGINE_SPACE_H

#include <ode/ode.h>
#include <stdbool.h>

/* Does this engine have the known layout of geoms and spaces? Tested on a space of the library's
 * own. */
bool ksiKnowsSpaces(void);

typedef void ksiSpaceFn(dGeomID geom, void *user);

/* Calls fn for each geom of a space, and of the spaces within it, that is not itself a space.
 * Writes nothing: the engine's own enumeration would disturb one that a host has begun. A quadtree
 * cannot be read. Requires ksiKnowsSpaces. fn must not change the space. */
void ksiVisitSpace(dSpaceID space, ksiSpaceFn *fn, void *user);

/* Points into the host's data; the engine does not copy them either. */
typedef struct ksiConvex {
    const dReal *point;      /* [3 points] m, in the geom's axes */
    const unsigned *polygon; /* for each face: the number of its corners, then the indices of their
                                points */
    unsigned faces, points;
} ksiConvex;

/* Does this engine have the known layout of convex geoms? Tested on a geom of the library's own. */
bool ksiKnowsConvex(void);
ksiConvex ksiReadConvex(dGeomID geom);

#endif

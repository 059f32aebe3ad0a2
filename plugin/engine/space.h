/* space.h  Reads the geoms of a space, and the corners of a convex geom, in place. */
#ifndef KSI_ENGINE_SPACE_H
#define KSI_ENGINE_SPACE_H

#include <ode/ode.h>
#include <stdbool.h>

/* Does this engine have the known layout of geoms and spaces? Tests spaces that it makes itself. */
bool ksiKnowsSpaces(void);

typedef void ksiSpaceFn(dGeomID geom, void *user);

/* Calls fn for each geom that is not itself a space, in a space and in the spaces within it. Writes
 * nothing, because the engine's own enumeration would disturb an enumeration that the host has
 * begun. A quadtree cannot be read. Requires ksiKnowsSpaces. fn must not change the space. */
void ksiVisitSpace(dSpaceID space, ksiSpaceFn *fn, void *user);

/* Pointers into the host's data, which the engine does not copy either. */
typedef struct ksiConvex {
    const dReal *point;      /* [3 points] m, in the geom's axes */
    const unsigned *polygon; /* for each face: the number of its corners, then the indices of their
                                points */
    unsigned faces, points;
} ksiConvex;

/* Does this engine have the known layout of convex geoms? Tests a geom that it makes itself. */
bool ksiKnowsConvex(void);
ksiConvex ksiReadConvex(dGeomID geom);

#endif

/* space.h  The geoms of a space, read where they are. */
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

#endif

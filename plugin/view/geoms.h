/* geoms.h  Geoms as solids. */
#ifndef KSI_VIEW_GEOMS_H
#define KSI_VIEW_GEOMS_H

#include "picture.h"

#include <ode/ode.h>

/* m, about the geom's own place; 0: it is not drawn (planes, rays, shapes that the engine does not hand out). */
double ksiGeomRadius(dGeomID geom);
void ksiGeomDraw(dGeomID geom, ksiColour colour, ksiPicture *picture);

/* Calls with each geom of a space and of the spaces in it. */
typedef void ksiGeomFn(dGeomID geom, void *user);
void ksiGeomsOf(dSpaceID space, ksiGeomFn *fn, void *user);

#endif

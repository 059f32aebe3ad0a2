/* space.c  Reads the geoms of a space, and the corners of a convex geom, in place.
 *
 * Simple and hashed spaces have a list of geoms; the geom that was added or moved last comes first.
 * A sweep-and-prune space has arrays, which the engine's own function reads without side
 * effects. */
#include "space.h"

#include "layout.h"

static bool hasList(dSpaceID space)
{
    const int kind = dSpaceGetClass(space);
    return kind == dSimpleSpaceClass || kind == dHashSpaceClass;
}

/* Checks a space that was empty until two spheres were put into it, first `older`, then `newer`. */
static bool isAsKnown(dSpaceID space, dGeomID older, dGeomID newer)
{
    const ksiSpaceFields *fields = ksiFieldsOfSpace(space);
    const ksiGeomFields *first = ksiFieldsOfGeom(newer), *second = ksiFieldsOfGeom(older);
    return fields->geom.kind == dSpaceGetClass(space) && fields->count == 2 && fields->first == newer &&
           first->next == older && !second->next && first->tome == &fields->first && second->tome == &first->next &&
           first->space == space && second->space == space && first->kind == dSphereClass;
}

static bool triesWell(dSpaceID space)
{
    if (!space)
        return false;
    const dGeomID older = dCreateSphere(space, 1), newer = older ? dCreateSphere(space, 1) : NULL;
    const bool isGood = newer && isAsKnown(space, older, newer);
    dSpaceDestroy(space);
    return isGood;
}

bool ksiKnowsSpaces(void)
{
    return triesWell(dSimpleSpaceCreate(NULL)) && triesWell(dHashSpaceCreate(NULL));
}

static void visit(dGeomID geom, ksiSpaceFn *fn, void *user)
{
    if (dGeomIsSpace(geom))
        ksiVisitSpace((dSpaceID)geom, fn, user);
    else
        fn(geom, user);
}

void ksiVisitSpace(dSpaceID space, ksiSpaceFn *fn, void *user)
{
    const int count = dSpaceGetNumGeoms(space);
    dGeomID geom = hasList(space) ? ksiFieldsOfSpace(space)->first : NULL;
    // reads no more geoms than the space counts
    for (int i = 0; geom && i < count; i++) {
        visit(geom, fn, user);
        geom = ksiFieldsOfGeom(geom)->next;
    }
    for (int i = 0; dSpaceGetClass(space) == dSweepAndPruneSpaceClass && i < count; i++)
        visit(dSpaceGetGeom(space, i), fn, user);
}

ksiConvex ksiReadConvex(dGeomID geom)
{
    const ksiConvexFields *fields = (const void *)geom;
    return (ksiConvex){fields->point, fields->polygon, fields->planeCount, fields->pointCount};
}

/* Checks a geom with a single face, in the plane z = 1. */
bool ksiKnowsConvex(void)
{
    static const dReal plane[] = {0, 0, 1, 1}, point[] = {1, 0, 1, 0, 1, 1, -1, -1, 1};
    static const unsigned polygon[] = {3, 0, 1, 2};
    const dGeomID geom = dCreateConvex(NULL, plane, 1, point, 3, polygon);
    if (!geom)
        return false;
    const ksiConvex found = ksiReadConvex(geom);
    const ksiConvexFields *fields = (const void *)geom;
    const bool isGood = fields->geom.kind == dConvexClass && fields->plane == plane && found.point == point &&
                        found.polygon == polygon && found.faces == 1 && found.points == 3;
    dGeomDestroy(geom);
    return isGood;
}

/* geoms.c  The engine's shapes by the unit forms. Only what the engine has as numbers is read: no bounding box, since making one
 * would write into the geom. */
#include "geoms.h"

#include <math.h>
#include <string.h>

static double meshRadius(dGeomID geom)
{
    double most = 0;
    const dReal *place = dGeomGetPosition(geom);
    int count = dGeomTriMeshGetTriangleCount(geom);
    for (int i = 0; i < count; i++) {
        dVector3 corner[3];
        dGeomTriMeshGetTriangle(geom, i, &corner[0], &corner[1], &corner[2]);
        for (int k = 0; k < 3; k++) {
            const double from[3] = {corner[k][0] - place[0], corner[k][1] - place[1], corner[k][2] - place[2]};
            most = fmax(most, ksiLength3(from));
        }
    }
    return most;
}

double ksiGeomRadius(dGeomID geom)
{
    dReal radius = 0, length = 0;
    dVector3 edge;
    switch (dGeomGetClass(geom)) {
    case dSphereClass:
        return dGeomSphereGetRadius(geom);
    case dBoxClass:
        dGeomBoxGetLengths(geom, edge);
        return ksiLength3(edge) / 2;
    case dCapsuleClass:
        dGeomCapsuleGetParams(geom, &radius, &length);
        return radius + length / 2;
    case dCylinderClass:
        dGeomCylinderGetParams(geom, &radius, &length);
        return sqrt(radius * radius + length * length / 4);
    case dTriMeshClass:
        return meshRadius(geom);
    default:
        return 0;
    }
}

/* A form whose own x, y, z are that long in the geom's axes, at a height along its z. */
static void addScaled(dGeomID geom, ksiForm form, const double scale[3], double height, ksiColour colour,
                      ksiPicture *picture)
{
    const dReal *place = dGeomGetPosition(geom), *rotation = dGeomGetRotation(geom);
    double columns[3][3], at[3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            columns[k][i] = rotation[4 * i + k] * scale[k];
        at[i] = place[i] + rotation[4 * i + 2] * height;
    }
    ksiAddForm(picture, KSI_SOLID, form, columns, at, colour, 0);
}

/* With round ends or flat ones. */
static void addTube(dGeomID geom, double radius, double length, bool isRound, ksiColour colour, ksiPicture *picture)
{
    const double rod[3] = {radius, radius, length}, above[3] = {radius, radius, radius};
    // turned about x, so that no side is seen from within
    const double below[3] = {radius, -radius, -radius};
    addScaled(geom, KSI_FORM_ROD, rod, -length / 2, colour, picture);
    if (isRound) {
        addScaled(geom, KSI_FORM_DOME, above, length / 2, colour, picture);
        addScaled(geom, KSI_FORM_DOME, below, -length / 2, colour, picture);
    }
}

static void addMesh(dGeomID geom, ksiColour colour, ksiPicture *picture)
{
    int count = dGeomTriMeshGetTriangleCount(geom);
    for (int i = 0; i < count; i++) {
        dVector3 corner[3];
        double place[3][3];
        dGeomTriMeshGetTriangle(geom, i, &corner[0], &corner[1], &corner[2]);
        for (int k = 0; k < 3; k++)
            memcpy(place[k], corner[k], sizeof place[k]);
        ksiAddTriangle(picture, (const double(*)[3])place, colour);
    }
}

void ksiGeomDraw(dGeomID geom, ksiColour colour, ksiPicture *picture)
{
    dReal radius = 0, length = 0;
    dVector3 edge;
    switch (dGeomGetClass(geom)) {
    case dSphereClass:
        ksiAddBall(picture, KSI_SOLID, dGeomGetPosition(geom), dGeomSphereGetRadius(geom), colour);
        break;
    case dBoxClass:
        dGeomBoxGetLengths(geom, edge);
        addScaled(geom, KSI_FORM_BOX, (const double[3]){edge[0] / 2, edge[1] / 2, edge[2] / 2}, 0, colour, picture);
        break;
    case dCapsuleClass:
        dGeomCapsuleGetParams(geom, &radius, &length);
        addTube(geom, radius, length, true, colour, picture);
        break;
    case dCylinderClass:
        dGeomCylinderGetParams(geom, &radius, &length);
        addTube(geom, radius, length, false, colour, picture);
        break;
    case dTriMeshClass:
        addMesh(geom, colour, picture);
        break;
    default:
        break;
    }
}

void ksiGeomsOf(dSpaceID space, ksiGeomFn *fn, void *user)
{
    int count = dSpaceGetNumGeoms(space);
    for (int i = 0; i < count; i++) {
        dGeomID geom = dSpaceGetGeom(space, i);
        if (dGeomIsSpace(geom))
            ksiGeomsOf((dSpaceID)geom, fn, user);
        else
            fn(geom, user);
    }
}

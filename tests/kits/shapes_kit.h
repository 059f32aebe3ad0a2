/* shapes_kit.h  Recorded shapes on the bodies of a replica: a recording has enough to recreate
 * them. */
#ifndef TESTS_KITS_SHAPES_KIT_H
#define TESTS_KITS_SHAPES_KIT_H

#include "plugin/replay/replica.h"

static inline dGeomID makeGeom(dSpaceID space, const ksiGeomRecord *geom)
{
    const double *size = geom->size;
    switch (geom->kind) {
    case dSphereClass:
        return dCreateSphere(space, size[0]);
    case dBoxClass:
        return dCreateBox(space, size[0], size[1], size[2]);
    case dCapsuleClass:
        return dCreateCapsule(space, size[0], size[1]);
    case dCylinderClass:
        return dCreateCylinder(space, size[0], size[1]);
    default:
        return dCreatePlane(space, size[0], size[1], size[2], size[3]);
    }
}

/* A body that did not exist through the whole step has no shape. */
static inline bool addShape(const ksiReplica *replica, const ksiGeomRecord *geom, dSpaceID space)
{
    const dBodyID body = geom->body < 0 ? NULL : ksiReplicaBody(replica, (size_t)geom->body);
    if (geom->body >= 0 && !body)
        return true;
    const dGeomID made = makeGeom(space, geom);
    if (!made || geom->kind == dPlaneClass)
        return made != NULL;
    dMatrix3 rotation = {0};
    ksiPadMatrix(geom->rotation, rotation);
    if (body) {
        dGeomSetBody(made, body);
        dGeomSetOffsetPosition(made, geom->place[0], geom->place[1], geom->place[2]);
        dGeomSetOffsetRotation(made, rotation);
    } else {
        dGeomSetPosition(made, geom->place[0], geom->place[1], geom->place[2]);
        dGeomSetRotation(made, rotation);
    }
    return true;
}

/* A space with these geoms, of the replica's present record; dSpaceDestroy frees the geoms, and
 * must come before the replica's next step. NULL: out of memory. */
static inline dSpaceID makeShapes(const ksiReplica *replica, const ksiGeomRecord *geom, size_t count)
{
    const dSpaceID space = dSimpleSpaceCreate(NULL);
    for (size_t i = 0; space && i < count; i++) {
        if (!addShape(replica, &geom[i], space)) {
            dSpaceDestroy(space);
            return NULL;
        }
    }
    return space;
}

#endif

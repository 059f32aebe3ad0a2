/* geoms.c  The shapes of a world's bodies, and the fixed shapes around them.
 *
 * A world does not know its spaces, so they are found through the geoms of its bodies. Engine
 * functions that update a pose or a bounding box are avoided, since they write to the geom. The
 * offset of a geom from its body, and the pose of a geom without a body, are always up to date. */
#include "geoms.h"

#include "mesh.h"

#include "../base/memory.h"
#include "../engine/space.h"

#include <stdlib.h>
#include <string.h>

struct ksiGeoms {
    bool knowsSpaces;
    ksiGeomRecord *geom;
    size_t count, capacity;
    dSpaceID *space; /* spaces of this step that are not inside another space */
    size_t spaceCount, spaceCapacity;
    ksiMeshes meshes;
    uint64_t readings; /* number of readings with `room` > 0 */
};

ksiGeoms *ksiGeomsCreate(void)
{
    ksiGeoms *made = calloc(1, sizeof *made);
    if (made)
        made->knowsSpaces = ksiKnowsSpaces();
    return made;
}

void ksiGeomsDestroy(ksiGeoms *geoms)
{
    if (!geoms)
        return;
    ksiFree(&ksiLibraryAllocator, geoms->geom);
    ksiFree(&ksiLibraryAllocator, geoms->space);
    ksiMeshesFree(&geoms->meshes);
    free(geoms);
}

static void readSize(dGeomID geom, ksiGeomRecord *out)
{
    dVector4 size = {0};
    switch (out->kind) {
    case dSphereClass:
        size[0] = dGeomSphereGetRadius(geom);
        break;
    case dBoxClass:
        dGeomBoxGetLengths(geom, size);
        size[3] = 0;
        break;
    case dCapsuleClass:
        dGeomCapsuleGetParams(geom, &size[0], &size[1]);
        break;
    case dCylinderClass:
        dGeomCylinderGetParams(geom, &size[0], &size[1]);
        break;
    default:
        dGeomPlaneGetParams(geom, size);
    }
    ksiTakeNumbers(out->size, size, 4);
}

/* Returns false if the geom is not shown: a geom outside any space may be unused, and its data
 * destroyed. */
static bool readMesh(ksiGeoms *geoms, dGeomID geom, ksiGeomRecord *out)
{
    const ksiMesh *mesh = dGeomGetSpace(geom) ? ksiMeshOf(&geoms->meshes, geom) : NULL;
    if (!mesh)
        return false;
    memcpy(out->size, mesh->size, sizeof mesh->size);
    out->size[3] = mesh->number;
    return true;
}

static void readPose(const dReal *place, const dReal *rotation, ksiGeomRecord *out)
{
    ksiTakeNumbers(out->place, place, 3);
    ksiUnpadMatrix(out->rotation, rotation);
}

static void readGeom(ksiGeoms *geoms, dGeomID geom, int body)
{
    const int kind = dGeomGetClass(geom);
    if (kind == KSI_TRIANGLE || !ksiIsRecordedKind(kind) || geoms->count >= KSI_MOST_GEOMS ||
        ksiReserve(&ksiLibraryAllocator, &geoms->geom, &geoms->capacity, geoms->count + 1, sizeof *geoms->geom))
        return;
    ksiGeomRecord *out = &geoms->geom[geoms->count++];
    *out = (ksiGeomRecord){.kind = kind, .body = body};
    if (!ksiIsMesh(kind)) {
        readSize(geom, out);
    } else if (!readMesh(geoms, geom, out)) {
        geoms->count--;
        return;
    }
    if (body >= 0)
        readPose(dGeomGetOffsetPosition(geom), dGeomGetOffsetRotation(geom), out);
    else if (kind != dPlaneClass)
        readPose(dGeomGetPosition(geom), dGeomGetRotation(geom), out);
}

static void noteSpace(ksiGeoms *geoms, dGeomID geom)
{
    dSpaceID space = dGeomGetSpace(geom), above;
    if (!space)
        return;
    while ((above = dGeomGetSpace((dGeomID)space)) != NULL)
        space = above;
    for (size_t i = 0; i < geoms->spaceCount; i++)
        if (geoms->space[i] == space)
            return;
    if (!ksiReserve(&ksiLibraryAllocator, &geoms->space, &geoms->spaceCapacity, geoms->spaceCount + 1,
                    sizeof *geoms->space))
        geoms->space[geoms->spaceCount++] = space;
}

static void readStanding(dGeomID geom, void *user)
{
    if (!dGeomGetBody(geom))
        readGeom(user, geom, -1);
}

/* Adds the triangles of new meshes; leaves out a mesh whose triangles do not all fit. */
static void tellMeshes(ksiGeoms *geoms, size_t room)
{
    const size_t most = room < KSI_MOST_GEOMS ? room : KSI_MOST_GEOMS;
    for (size_t i = 0; i < geoms->meshes.count; i++) {
        ksiMesh *mesh = &geoms->meshes.mesh[i];
        if (mesh->isTold || !mesh->isUsed || geoms->count + mesh->count > most ||
            ksiReserve(&ksiLibraryAllocator, &geoms->geom, &geoms->capacity, geoms->count + mesh->count,
                       sizeof *geoms->geom))
            continue;
        for (size_t k = 0; k < mesh->count; k++) {
            ksiGeomRecord *out = &geoms->geom[geoms->count++];
            *out = (ksiGeomRecord){.kind = KSI_TRIANGLE, .body = -1, .size[3] = mesh->number};
            memcpy(out->rotation, mesh->corner + 9 * k, sizeof out->rotation);
        }
        mesh->isTold = true;
    }
}

size_t ksiGeomsRead(ksiGeoms *geoms, const ksiEngine *engine, size_t room)
{
    int index = 0;
    if (!geoms)
        return 0;
    geoms->count = 0;
    geoms->spaceCount = 0;
    ksiMeshesBegin(&geoms->meshes, room > 0 && geoms->readings++ % KSI_MESHES_AGAIN == 0);
    for (dBodyID body = ksiFirstBody(engine); body; body = ksiNextBody(body), index++)
        for (dGeomID geom = dBodyGetFirstGeom(body); geom; geom = dBodyGetNextGeom(geom)) {
            readGeom(geoms, geom, index);
            noteSpace(geoms, geom);
        }
    for (size_t i = 0; geoms->knowsSpaces && i < geoms->spaceCount; i++)
        ksiVisitSpace(geoms->space[i], readStanding, geoms);
    tellMeshes(geoms, room / sizeof *geoms->geom);
    return geoms->count;
}

const ksiGeomRecord *ksiGeomsOfStep(const ksiGeoms *geoms, size_t *count)
{
    *count = geoms ? geoms->count : 0;
    return geoms ? geoms->geom : NULL;
}

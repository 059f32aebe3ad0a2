/* mesh.c  Reads the surfaces of convex geoms and of triangle meshes, as triangles in the axes of
 * the geom.
 *
 * The engine's functions for triangles write to a geom, because they update its pose. So the
 * library reads a mesh through a geom of its own, with the same data, but without a space or a
 * body. A convex geom is read from its fields. Data are identified by their address and read once,
 * because a host may destroy data to which an unused geom still refers. */
#include "mesh.h"

#include "../base/fpguard.h"
#include "../base/memory.h"
#include "../engine/space.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* An engine that is built without triangle meshes lacks this function, and counts no triangles. */
#pragma weak dGeomTriMeshGetTriangle

/* Largest number of triangles that are read: 75 MB. */
enum { MOST_READ = 1 << 20, CORNERS = 9, BYTES = CORNERS * sizeof(double) };

/* --- Coarse meshes ---
 *
 * Each corner moves to the first corner in its cell of a grid, and a triangle with two corners in
 * one cell vanishes. Triangles that shared a corner still share it. Method of Rossignac and Borrel
 * (1993). */

typedef struct Grid {
    double low[3], step;
    int cells; /* number of cells along the longest edge */
    uint32_t *first;
} Grid;

static uint32_t *cellOf(const Grid *grid, const double *corner)
{
    size_t cell = 0;
    for (int i = 0; i < 3; i++) {
        const int along = (int)((corner[i] - grid->low[i]) / grid->step);
        cell = cell * (size_t)grid->cells + (size_t)(along < grid->cells ? along : grid->cells - 1);
    }
    return &grid->first[cell];
}

/* Returns the number of remaining triangles; SIZE_MAX: more than KSI_MOST_TRIANGLES. */
static size_t clusterTriangles(const Grid *grid, const double *from, size_t count, double *to)
{
    size_t kept = 0;
    memset(grid->first, 0xff, sizeof *grid->first * (size_t)grid->cells * (size_t)grid->cells * (size_t)grid->cells);
    for (size_t i = 0; i < count; i++) {
        uint32_t corner[3];
        for (size_t k = 0; k < 3; k++) {
            uint32_t *first = cellOf(grid, from + CORNERS * i + 3 * k);
            if (*first == UINT32_MAX)
                *first = (uint32_t)(3 * i + k);
            corner[k] = *first;
        }
        if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0])
            continue;
        if (kept == KSI_MOST_TRIANGLES)
            return SIZE_MAX;
        for (size_t k = 0; k < 3; k++)
            memcpy(to + CORNERS * kept + 3 * k, from + 3 * (size_t)corner[k], 3 * sizeof *to);
        kept++;
    }
    return kept;
}

static Grid gridAround(const double *corner, size_t count)
{
    Grid grid = {.low = {INFINITY, INFINITY, INFINITY}};
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * count; i++)
        for (int k = 0; k < 3; k++) {
            grid.low[k] = fmin(grid.low[k], corner[3 * i + (size_t)k]);
            high[k] = fmax(high[k], corner[3 * i + (size_t)k]);
        }
    grid.step = fmax(fmax(high[0] - grid.low[0], high[1] - grid.low[1]), high[2] - grid.low[2]);
    return grid;
}

/* Replaces the triangles by fewer triangles and returns the number of these. 0: out of memory, or
 * no grid leaves few enough. */
static size_t coarsen(double **corner, size_t count)
{
    enum { CELLS = 64 };
    Grid grid = gridAround(*corner, count);
    const double extent = grid.step;
    double *to = malloc((size_t)KSI_MOST_TRIANGLES * BYTES);
    grid.first = malloc(sizeof *grid.first * CELLS * CELLS * CELLS);
    size_t kept = to && grid.first && extent > 0 && isfinite(extent) ? SIZE_MAX : 0;
    for (grid.cells = CELLS; kept == SIZE_MAX; grid.cells = 3 * grid.cells / 4) {
        grid.step = extent / grid.cells;
        kept = grid.cells < 2 ? 0 : clusterTriangles(&grid, *corner, count, to);
    }
    free(grid.first);
    free(*corner);
    *corner = to;
    return kept;
}

/* --- Reading --- */

typedef struct Reading {
    double *corner;
    size_t count, capacity;
    bool isShort;
} Reading;

/* Leaves out a triangle that is not finite. */
static void addTriangle(Reading *reading, const dReal *a, const dReal *b, const dReal *c)
{
    const dReal *point[3] = {a, b, c};
    if (reading->isShort || ksiReserve(&ksiLibraryAllocator, &reading->corner, &reading->capacity,
                                       CORNERS * (reading->count + 1), sizeof *reading->corner)) {
        reading->isShort = true;
        return;
    }
    double *out = reading->corner + CORNERS * reading->count;
    bool isFinite = true;
    for (int i = 0; i < CORNERS; i++) {
        out[i] = point[i / 3][i % 3];
        isFinite = isFinite && isfinite(out[i]);
    }
    reading->count += isFinite;
}

/* Reads each face as a fan of triangles. */
static void readConvex(const ksiConvex *convex, Reading *out)
{
    const unsigned *face = convex->polygon;
    for (unsigned i = 0; i < convex->faces && out->count < MOST_READ; i++, face += *face + 1) {
        if (*face > convex->points)
            return;
        for (unsigned k = 1; k <= *face; k++)
            if (face[k] >= convex->points)
                return;
        for (unsigned k = 2; k < *face; k++)
            addTriangle(out, convex->point + 3 * (size_t)face[1], convex->point + 3 * (size_t)face[k],
                        convex->point + 3 * (size_t)face[k + 1]);
    }
}

static void readTriangles(dTriMeshDataID data, Reading *out)
{
    const dGeomID own = dCreateTriMesh(NULL, data, NULL, NULL, NULL);
    const int count = own ? dGeomTriMeshGetTriangleCount(own) : 0;
    for (int i = 0; i < count && count <= MOST_READ; i++) {
        dVector3 a, b, c;
        dGeomTriMeshGetTriangle(own, i, &a, &b, &c);
        addTriangle(out, a, b, c);
    }
    if (own)
        dGeomDestroy(own);
}

/* The hash FNV-1a of Fowler, Noll and Vo, but over words instead of bytes, mixed further and
 * shortened to 52 bits. */
static double numberOf(const double *corner, size_t count)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < CORNERS * count; i++) {
        uint64_t word;
        memcpy(&word, &corner[i], sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32;
    }
    return (double)(hash >> 12 | 1);
}

static void finish(Reading *reading, ksiMesh *mesh)
{
    mesh->count = reading->isShort ? 0 : reading->count;
    if (mesh->count > KSI_MOST_TRIANGLES)
        mesh->count = coarsen(&reading->corner, mesh->count);
    mesh->corner = reading->corner;
    for (size_t i = 0; i < CORNERS * mesh->count; i++)
        mesh->size[i % 3] = fmax(mesh->size[i % 3], 2 * fabs(mesh->corner[i]));
    // twice a coordinate of a corner may overflow
    for (int i = 0; i < 3; i++)
        mesh->count = isfinite(mesh->size[i]) ? mesh->count : 0;
    mesh->number = numberOf(mesh->corner, mesh->count);
}

/* --- Known meshes --- */

static bool isSame(const ksiMesh *one, const ksiMesh *other)
{
    return one->a == other->a && one->b == other->b && one->faces == other->faces;
}

/* Geoms have the same order in most steps, so the search begins after the mesh that was found
 * last. */
static ksiMesh *find(ksiMeshes *meshes, const ksiMesh *who)
{
    for (size_t i = 0; i < meshes->count; i++) {
        const size_t at = (meshes->last + 1 + i) % meshes->count;
        if (isSame(&meshes->mesh[at], who)) {
            meshes->last = at;
            return &meshes->mesh[at];
        }
    }
    return NULL;
}

/* The host's data for the surface of a geom; if they are unknown, member `a` is NULL. */
static ksiMesh sourceOf(const ksiMeshes *meshes, dGeomID geom)
{
    if (dGeomGetClass(geom) == dTriMeshClass)
        return (ksiMesh){.a = dGeomTriMeshGetData(geom)};
    if (!meshes->knowsConvex)
        return (ksiMesh){.a = NULL};
    const ksiConvex convex = ksiReadConvex(geom);
    return (ksiMesh){.a = convex.point, .b = convex.polygon, .faces = convex.faces};
}

static void readSurface(dGeomID geom, ksiMesh *mesh)
{
    Reading reading = {.count = 0};
    const bool isConvex = dGeomGetClass(geom) == dConvexClass;
    const ksiConvex convex = isConvex ? ksiReadConvex(geom) : (ksiConvex){.faces = 0};
    if (isConvex)
        readConvex(&convex, &reading);
    else
        readTriangles(dGeomTriMeshGetData(geom), &reading);
    finish(&reading, mesh);
}

const ksiMesh *ksiMeshOf(ksiMeshes *meshes, dGeomID geom)
{
    if (!meshes->isOpen) {
        meshes->isOpen = true;
        meshes->knowsConvex = ksiKnowsConvex();
    }
    ksiMesh source = sourceOf(meshes, geom), *known = source.a ? find(meshes, &source) : NULL;
    if (!source.a)
        return NULL;
    if (!known) {
        if (ksiReserve(&ksiLibraryAllocator, &meshes->mesh, &meshes->capacity, meshes->count + 1, sizeof *meshes->mesh))
            return NULL;
        KSI_GUARD_FP(readSurface(geom, &source));
        meshes->last = meshes->count++;
        known = &meshes->mesh[meshes->last];
        *known = source;
    }
    known->isUsed = true;
    return known->count > 0 ? known : NULL;
}

void ksiMeshesBegin(ksiMeshes *meshes, bool isAgain)
{
    size_t kept = 0;
    for (size_t i = 0; i < meshes->count; i++) {
        ksiMesh *mesh = &meshes->mesh[i];
        if (!mesh->isUsed) {
            free(mesh->corner);
            continue;
        }
        mesh->isUsed = false;
        mesh->isTold = mesh->isTold && !isAgain;
        meshes->mesh[kept++] = *mesh;
    }
    meshes->count = kept;
}

void ksiMeshesFree(ksiMeshes *meshes)
{
    for (size_t i = 0; i < meshes->count; i++)
        free(meshes->mesh[i].corner);
    ksiFree(&ksiLibraryAllocator, meshes->mesh);
}

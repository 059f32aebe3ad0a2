/* trapped_contacts.c  Wrappers of functions of masses, geoms, contacts and worlds that may be used
 * wrongly. Each passes its call to the engine unchanged and checks the arguments and results. */
#include "trapped.h"

#include <pthread.h>
#include <stdint.h>

/* --- Masses --- */

/* Notes a mass centre away from the origin. Compares magnitudes, since a mesh that is inside out
 * has a negative mass and negative moments. */
static void lookAtMass(const dMass *mass)
{
    const double shifted = ksiTrapSize(mass->mass) * ksiTrapDot(mass->c, mass->c);
    bool isLarge = true;
    for (int i = 0; i < 3; i++)
        isLarge &= shifted > ksiTrapShare * ksiTrapSize(mass->I[5 * i]);
    if (isLarge)
        ksiNoteTrap(KSI_TRAP_MESH_INERTIA);
}

void dMassSetTrimesh(dMass *mass, dReal density, dGeomID mesh)
{
    const ksiCaller *caller = KSI_CALLER();
    caller->engine->dMassSetTrimesh(mass, density, mesh);
    if (ksiIsOpen(caller, KSI_TRAP_MESH_INERTIA))
        lookAtMass(mass);
}

void dMassSetTrimeshTotal(dMass *mass, dReal total, dGeomID mesh)
{
    const ksiCaller *caller = KSI_CALLER();
    caller->engine->dMassSetTrimeshTotal(mass, total, mesh);
    if (ksiIsOpen(caller, KSI_TRAP_MESH_INERTIA))
        lookAtMass(mass);
}

/* --- Contacts --- */

/* Least overlap of two boxes along a world axis: a translation by this length separates their
 * geoms. */
static double overlapOf(const ksiCallee *engine, dGeomID a, dGeomID b)
{
    dReal box[2][6];
    double least = dInfinity;
    engine->dGeomGetAABB(a, box[0]);
    engine->dGeomGetAABB(b, box[1]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            const double overlap = box[k][2 * i + 1] - box[!k][2 * i];
            least = overlap < least ? overlap : least;
        }
    return least;
}

typedef struct Contacts {
    const dContactGeom *first;
    int count, skip;
} Contacts;

static const dContactGeom *contactAt(Contacts contacts, int i)
{
    return (const void *)((const char *)contacts.first + (size_t)i * (size_t)contacts.skip);
}

static void lookAtDepths(const ksiCallee *engine, dGeomID a, dGeomID b, Contacts contacts)
{
    static const double many = 2;
    const double most = many * overlapOf(engine, a, b);
    for (int i = 0; i < contacts.count; i++)
        if (contactAt(contacts, i)->depth > most)
            ksiNoteTrap(KSI_TRAP_MESH_DEPTH);
}

/* The area of the mesh, projected along a world axis. */
static double areaAlong(const ksiCallee *engine, dGeomID mesh, int triangles, int axis)
{
    const int p = (axis + 1) % 3, q = (axis + 2) % 3;
    double area = 0;
    for (int i = 0; i < triangles; i++) {
        dVector3 at[3];
        engine->dGeomTriMeshGetTriangle(mesh, i, &at[0], &at[1], &at[2]);
        area +=
            ksiTrapSize((at[1][p] - at[0][p]) * (at[2][q] - at[0][q]) - (at[2][p] - at[0][p]) * (at[1][q] - at[0][q])) /
            2;
    }
    return area;
}

/* The world axis normal to a rectangular mesh, if the other geom lies inside the mesh's edges; else
 * -1. */
static int floorAxis(const ksiCallee *engine, dGeomID mesh, dGeomID other)
{
    enum { MOST_TRIANGLES = 1000 };
    static const double flat = 1e-9, whole = 1 - 1e-6;
    const int triangles = engine->dGeomTriMeshGetTriangleCount(mesh);
    dReal box[6], inner[6], side[3];
    engine->dGeomGetAABB(mesh, box);
    engine->dGeomGetAABB(other, inner);
    for (int k = 0; k < 3; k++)
        side[k] = box[2 * k + 1] - box[2 * k];
    for (int k = 0; k < 3; k++) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        if (triangles <= MOST_TRIANGLES && side[k] <= flat * (side[p] + side[q]) && inner[2 * p] > box[2 * p] &&
            inner[2 * p + 1] < box[2 * p + 1] && inner[2 * q] > box[2 * q] && inner[2 * q + 1] < box[2 * q + 1] &&
            areaAlong(engine, mesh, triangles, k) >= whole * side[p] * side[q])
            return k;
    }
    return -1;
}

/* Looks for normals more than 11 degrees off the normal of a flat floor. */
static void lookAtNormals(const ksiCallee *engine, dGeomID mesh, dGeomID other, Contacts contacts)
{
    static const double upright = 0.98;
    int isOff[3] = {0, 0, 0};
    for (int i = 0; i < contacts.count; i++)
        for (int k = 0; k < 3; k++)
            isOff[k] |= ksiTrapSize(contactAt(contacts, i)->normal[k]) < upright;
    const int axis = isOff[0] && isOff[1] && isOff[2] ? floorAxis(engine, mesh, other) : -1;
    if (axis >= 0 && isOff[axis])
        ksiNoteTrap(KSI_TRAP_MESH_NORMAL);
}

int dCollide(dGeomID a, dGeomID b, int flags, dContactGeom *contact, int skip)
{
    const ksiCaller *caller = KSI_CALLER();
    const ksiCallee *engine = caller->engine;
    const int count = engine->dCollide(a, b, flags, contact, skip);
    const bool isMesh = count > 0 && engine->dGeomGetClass(a) == dTriMeshClass;
    const bool isOther = count > 0 && engine->dGeomGetClass(b) == dTriMeshClass;
    if (isMesh && isOther && ksiIsOpen(caller, KSI_TRAP_MESH_DEPTH))
        lookAtDepths(engine, a, b, (Contacts){contact, count, skip});
    else if (isMesh != isOther && ksiIsOpen(caller, KSI_TRAP_MESH_NORMAL))
        lookAtNormals(engine, isMesh ? a : b, isMesh ? b : a, (Contacts){contact, count, skip});
    return count;
}

/* Two bodies and two geoms of theirs, each pair in the order of addresses. motion: surface motion
 * of `low` relative to `high`. A body with two tracks has a motion for each of them. */
typedef struct Pair {
    dBodyID low, high;
    dGeomID lowGeom, highGeom;
    bool isTurned;
    dReal motion[3];
} Pair;

/* This thread's last contact: its bodies are unknown until it is attached. */
static _Thread_local struct {
    dJointID joint;
    dGeomID geom[2];
    dReal motion[3];
} made;

dJointID dJointCreateContact(dWorldID world, dJointGroupID group, const dContact *contact)
{
    const ksiCaller *caller = KSI_CALLER();
    const ksiCallee *engine = caller->engine;
    const dJointID joint = engine->dJointCreateContact(world, group, contact);
    if (!caller->isProgram)
        return joint;
    const dSurfaceParameters *surface = &contact->surface;
    if ((surface->mode & dContactMotionN) && ksiIsOpen(caller, KSI_TRAP_NORMAL_MOTION) &&
        surface->motionN > engine->dWorldGetContactMaxCorrectingVel(world))
        ksiNoteTrap(KSI_TRAP_NORMAL_MOTION);
    static const int both = dContactMotion1 | dContactFDir1;
    const bool isMoved =
        (surface->mode & both) == both && surface->motion1 != 0 && ksiIsOpen(caller, KSI_TRAP_MOTION_ORDER);
    made.joint = isMoved ? joint : NULL;
    made.geom[0] = contact->geom.g1;
    made.geom[1] = contact->geom.g2;
    for (int i = 0; i < 3 && isMoved; i++)
        made.motion[i] = surface->motion1 * contact->fdir1[i];
    return joint;
}

static bool isSamePair(const Pair *a, const Pair *b)
{
    return a->low == b->low && a->high == b->high && a->lowGeom == b->lowGeom && a->highGeom == b->highGeom;
}

/* Does the motion change sign with the order of the bodies? The table's size limits the number of
 * checked pairs. */
static void lookAtPair(dBodyID first, dBodyID second)
{
    enum { PAIRS = 256 };
    static Pair pair[PAIRS];
    const bool isTurned = (uintptr_t)first > (uintptr_t)second;
    const bool isLater = (uintptr_t)made.geom[0] > (uintptr_t)made.geom[1];
    Pair now = {.low = isTurned ? second : first,
                .high = isTurned ? first : second,
                .lowGeom = made.geom[isLater],
                .highGeom = made.geom[!isLater],
                .isTurned = isTurned};
    int i = 0;
    for (int k = 0; k < 3; k++)
        now.motion[k] = isTurned ? -made.motion[k] : made.motion[k];
    pthread_mutex_lock(&ksiTrapLock);
    while (i < PAIRS && pair[i].low && !isSamePair(&pair[i], &now))
        i++;
    if (i < PAIRS) {
        const double along = ksiTrapDot(pair[i].motion, now.motion);
        const double most = ksiTrapDot(pair[i].motion, pair[i].motion) * ksiTrapDot(now.motion, now.motion);
        if (pair[i].low && pair[i].isTurned != isTurned && along < 0 && along * along > (1 - ksiTrapShare) * most)
            ksiNoteTrap(KSI_TRAP_MOTION_ORDER);
        pair[i] = now;
    }
    pthread_mutex_unlock(&ksiTrapLock);
}

void dJointAttach(dJointID joint, dBodyID first, dBodyID second)
{
    const ksiCaller *caller = KSI_CALLER();
    caller->engine->dJointAttach(joint, first, second);
    if (first && second && ksiIsOpen(caller, KSI_TRAP_PLANE2D_BODIES) &&
        caller->engine->dJointGetType(joint) == dJointTypePlane2D)
        ksiNoteTrap(KSI_TRAP_PLANE2D_BODIES);
    if (joint != made.joint || !caller->isProgram)
        return;
    made.joint = NULL;
    if (first && second)
        lookAtPair(first, second);
}

/* --- Worlds --- */

void dWorldSetQuickStepW(dWorldID world, dReal relaxation)
{
    const ksiCaller *caller = KSI_CALLER();
    caller->engine->dWorldSetQuickStepW(world, relaxation);
    if (!(relaxation > 0 && relaxation < 2) && ksiIsOpen(caller, KSI_TRAP_RELAXATION))
        ksiNoteTrap(KSI_TRAP_RELAXATION);
}

void dWorldExportDIF(dWorldID world, FILE *file, const char *prefix)
{
    const ksiCaller *caller = KSI_CALLER();
    caller->engine->dWorldExportDIF(world, file, prefix);
    if (ksiIsOpen(caller, KSI_TRAP_EXPORT))
        ksiNoteTrap(KSI_TRAP_EXPORT);
}

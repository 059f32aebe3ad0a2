/* check_geoms.c  Shapes in records: all shapes that can be found are there, reading them writes
 * nothing, and a replica has them in the same places. */
#include "replay/geoms.h"
#include "replay/recorder.h"
#include "tests/kits/same_kit.h"
#include "tests/kits/shapes_kit.h"

#include <malloc.h>

static const double h = 0.005;
enum { BODIES = 5, STANDING = 3, OBJECTS = 16 };

/* Bodies with each kind of shape, one with two shapes and one with none; a fixed plane, tilted box
 * and ball. */
typedef struct Yard {
    dWorldID world;
    dSpaceID outer, inner, standing; /* inner and standing are in outer */
    dBodyID body[BODIES + 1];
    dGeomID geom[BODIES + 1];
    dGeomID fixed[STANDING];
    ksiRecorder *recorder;
} Yard;

static dSpaceID makeSpace(int kind, dSpaceID in)
{
    static const dVector3 centre = {0}, extent = {10, 10, 10};
    return kind == dSimpleSpaceClass          ? dSimpleSpaceCreate(in)
           : kind == dHashSpaceClass          ? dHashSpaceCreate(in)
           : kind == dSweepAndPruneSpaceClass ? dSweepAndPruneSpaceCreate(in, dSAP_AXES_XYZ)
                                              : dQuadTreeSpaceCreate(in, centre, extent, 3);
}

static void tilt(dGeomID geom, double x, double y, double z)
{
    dMatrix3 rotation;
    dRFromAxisAndAngle(rotation, 1, 2, 3, 0.7);
    dGeomSetOffsetPosition(geom, x, y, z);
    dGeomSetOffsetRotation(geom, rotation);
}

static void addBodies(Yard *yard)
{
    static const double size[3] = {0.2, 0.3, 0.4};
    dSpaceID space = yard->inner;
    dGeomID *geom = yard->geom;
    geom[0] = dCreateSphere(space, 0.1);
    geom[1] = dCreateBox(space, 0.2, 0.3, 0.4);
    geom[2] = dCreateCapsule(space, 0.1, 0.5);
    geom[3] = dCreateCylinder(space, 0.2, 0.6);
    geom[BODIES] = dCreateSphere(space, 0.15);
    for (int i = 0; i < BODIES; i++) {
        yard->body[i] = addBox(yard->world, 1, size, 2.0 * i);
        dBodySetAngularVel(yard->body[i], 1, 2, 3);
        if (geom[i])
            dGeomSetBody(geom[i], yard->body[i]);
    }
    // the second shape of the first body
    dGeomSetBody(geom[BODIES], yard->body[0]);
    tilt(geom[BODIES], 0.1, 0.2, 0.3);
    tilt(geom[2], 0, 0, 0.4);
}

/* Zeros, since bytes that the engine does not set are compared, too. */
static void *allocate(dsizeint size)
{
    return calloc(1, size);
}

static void openYard(Yard *yard, int kind)
{
    dSetAllocHandler(allocate);
    *yard = (Yard){.world = heavyWorld()};
    yard->outer = makeSpace(kind, NULL);
    yard->inner = makeSpace(kind, yard->outer);
    yard->standing = makeSpace(kind, yard->outer);
    addBodies(yard);
    dMatrix3 rotation;
    dRFromAxisAndAngle(rotation, 0, 1, 0, 0.3);
    yard->fixed[0] = dCreatePlane(yard->outer, 0, 0, 1, -5);
    yard->fixed[1] = dCreateBox(yard->standing, 1, 2, 3);
    yard->fixed[2] = dCreateSphere(yard->outer, 0.5);
    dGeomSetPosition(yard->fixed[1], 4, 5, 6);
    dGeomSetRotation(yard->fixed[1], rotation);
    CHECK_OK(ksiRecorderCreate(yard->world, 1, KSI_FEEDBACK_OURS, &yard->recorder));
}

static void closeYard(Yard *yard)
{
    ksiRecorderDestroy(yard->recorder);
    dSpaceDestroy(yard->outer);
    dWorldDestroy(yard->world);
    dSetAllocHandler(NULL);
}

static const ksiStepRecord *record(Yard *yard)
{
    CHECK_OK(ksiRecorderBegin(yard->recorder, KS_WORLD_STEP, h, false));
    ck_assert(dWorldStep(yard->world, h));
    const ksiStepRecord *made = ksiRecorderEnd(yard->recorder, true, 0);
    ck_assert(ksiRecordIsSound(made, made->bytes));
    return made;
}

static const int kinds[] = {dSimpleSpaceClass, dHashSpaceClass, dSweepAndPruneSpaceClass, dQuadTreeSpaceClass};
enum { KINDS = sizeof kinds / sizeof *kinds, LISTED = KINDS - 1 };

/* --- Recorded shapes --- */

START_TEST(all_shapes_are_found)
{
    Yard yard;
    openYard(&yard, kinds[_i]);
    // only on request
    ck_assert_uint_eq(record(&yard)->geomCount, 0);
    ksiRecorderTakeGeoms(yard.recorder, SIZE_MAX);
    const ksiStepRecord *made = record(&yard);
    int ofBody[BODIES] = {0}, standing = 0, planes = 0;
    const ksiGeomRecord *geom = ksiRecordedGeoms(made);
    for (size_t i = 0; i < made->geomCount; i++) {
        standing += geom[i].body < 0;
        planes += geom[i].kind == dPlaneClass;
        if (geom[i].body >= 0)
            ofBody[geom[i].body]++;
    }
    // the world's list has the newest body first
    static const int expected[BODIES] = {0, 1, 1, 1, 2};
    ck_assert_mem_eq(ofBody, expected, sizeof expected);
    // a quadtree cannot be searched
    ck_assert_int_eq(standing, _i < LISTED ? STANDING : 0);
    ck_assert_int_eq(planes, _i < LISTED);
    closeYard(&yard);
}
END_TEST

/* --- Reading writes nothing --- */

typedef struct Bytes {
    const void *object;
    void *copy;
    size_t size;
} Bytes;

static int noteObjects(const Yard *yard, Bytes out[OBJECTS])
{
    const void *object[OBJECTS] = {yard->outer, yard->inner, yard->standing};
    int count = 3;
    for (int i = 0; i <= BODIES; i++)
        if (yard->geom[i])
            object[count++] = yard->geom[i];
    for (int i = 0; i < STANDING; i++)
        object[count++] = yard->fixed[i];
    for (int i = 0; i < count; i++) {
        const size_t size = malloc_usable_size((void *)(uintptr_t)object[i]);
        out[i] = (Bytes){object[i], malloc(size), size};
        ck_assert_ptr_nonnull(out[i].copy);
        memcpy(out[i].copy, object[i], size);
    }
    return count;
}

/* Bounding boxes and poses are out of date, spaces are dirty, and the host is in the middle of an
 * enumeration: all of this stays so. */
START_TEST(nothing_is_written)
{
    Yard yard;
    Bytes before[OBJECTS];
    openYard(&yard, kinds[_i]);
    ksiGeoms *geoms = ksiGeomsCreate();
    ck_assert_ptr_nonnull(geoms);
    for (int round = 0; round < 3; round++) {
        dBodySetPosition(yard.body[2], round, 0, 0);
        if (_i < LISTED)
            dSpaceGetGeom(yard.inner, round);
        const int count = noteObjects(&yard, before);
        ck_assert_uint_gt(ksiGeomsRead(geoms, ksiRecorderEngine(yard.recorder), SIZE_MAX), BODIES - 1);
        for (int i = 0; i < count; i++) {
            ck_assert_mem_eq(before[i].object, before[i].copy, before[i].size);
            free(before[i].copy);
        }
    }
    ksiGeomsDestroy(geoms);
    closeYard(&yard);
}
END_TEST

/* --- Shapes of a replica --- */

static void compareShapes(dGeomID expected, dGeomID found)
{
    dVector4 a = {0}, b = {0};
    ck_assert_int_eq(dGeomGetClass(expected), dGeomGetClass(found));
    switch (dGeomGetClass(expected)) {
    case dSphereClass:
        ck_assert(dGeomSphereGetRadius(expected) == dGeomSphereGetRadius(found));
        break;
    case dBoxClass:
        dGeomBoxGetLengths(expected, a);
        dGeomBoxGetLengths(found, b);
        break;
    case dCapsuleClass:
        dGeomCapsuleGetParams(expected, &a[0], &a[1]);
        dGeomCapsuleGetParams(found, &b[0], &b[1]);
        break;
    case dCylinderClass:
        dGeomCylinderGetParams(expected, &a[0], &a[1]);
        dGeomCylinderGetParams(found, &b[0], &b[1]);
        break;
    default:
        dGeomPlaneGetParams(expected, a);
        dGeomPlaneGetParams(found, b);
        ck_assert_mem_eq(a, b, sizeof a);
        return;
    }
    ck_assert_mem_eq(a, b, 3 * sizeof *a);
    ck_assert_mem_eq(dGeomGetPosition(expected), dGeomGetPosition(found), sizeof(double[3]));
    for (int i = 0; i < 3; i++)
        ck_assert_mem_eq(dGeomGetRotation(expected) + 4 * i, dGeomGetRotation(found) + 4 * i, sizeof(double[3]));
}

/* Whether a shape of this class and pose is there. */
static bool isThere(dSpaceID shapes, dGeomID geom)
{
    for (int i = 0; i < dSpaceGetNumGeoms(shapes); i++) {
        dGeomID found = dSpaceGetGeom(shapes, i);
        const bool isPlane = dGeomGetClass(geom) == dPlaneClass;
        if (dGeomGetClass(found) != dGeomGetClass(geom) ||
            (!isPlane && memcmp(dGeomGetPosition(found), dGeomGetPosition(geom), sizeof(double[3])) != 0))
            continue;
        compareShapes(geom, found);
        ck_assert_int_eq(!dGeomGetBody(found), !dGeomGetBody(geom));
        return true;
    }
    return false;
}

START_TEST(a_replica_has_the_same_shapes)
{
    Yard yard;
    ksiReplica *replica;
    openYard(&yard, kinds[_i]);
    ksiRecorderTakeGeoms(yard.recorder, SIZE_MAX);
    CHECK_OK(ksiReplicaCreate(&replica));
    for (int step = 0; step < 10; step++) {
        dGeomSetPosition(yard.fixed[1], step, 0, 0);
        const ksiStepRecord *made = record(&yard);
        CHECK_OK(ksiReplicaBegin(replica, made));
        ksiReplicaEnd(replica, made);
        const dSpaceID shapes = makeShapes(replica, ksiRecordedGeoms(made), made->geomCount);
        ck_assert_ptr_nonnull(shapes);
        ck_assert_int_eq(dSpaceGetNumGeoms(shapes), BODIES + STANDING);
        for (int i = 0; i <= BODIES; i++)
            ck_assert(!yard.geom[i] || isThere(shapes, yard.geom[i]));
        for (int i = 0; i < STANDING; i++)
            ck_assert(isThere(shapes, yard.fixed[i]));
        dSpaceDestroy(shapes);
        // they were destroyed with their space
        for (size_t i = 0; i < BODIES; i++)
            ck_assert_ptr_null(dBodyGetFirstGeom(ksiReplicaBody(replica, i)));
    }
    ksiReplicaDestroy(replica);
    closeYard(&yard);
}
END_TEST

/* --- Shapes that are refused --- */

START_TEST(broken_shapes_are_refused)
{
    Yard yard;
    openYard(&yard, dSimpleSpaceClass);
    ksiRecorderTakeGeoms(yard.recorder, SIZE_MAX);
    const ksiStepRecord *made = record(&yard);
    ksiGeomRecord *geom = (ksiGeomRecord *)(uintptr_t)ksiRecordedGeoms(made);
    const ksiGeomRecord good = geom[0];
    ksiGeomRecord bad[7];
    for (int i = 0; i < 7; i++)
        bad[i] = good;
    bad[0].kind = dTriMeshClass;
    bad[1].body = BODIES;
    bad[2].body = -2;
    bad[3].size[0] = -1;
    bad[4].size[1] = (double)NAN;
    bad[5].place[2] = (double)INFINITY;
    bad[6].rotation[5] = (double)NAN;
    for (int i = 0; i < 7; i++) {
        geom[0] = bad[i];
        ck_assert(!ksiRecordIsSound(made, made->bytes));
    }
    geom[0] = good;
    ck_assert(ksiRecordIsSound(made, made->bytes));
    // a plane has no body
    geom[0].kind = dPlaneClass;
    ck_assert(!ksiRecordIsSound(made, made->bytes));
    closeYard(&yard);
}
END_TEST

/* As many shapes as a step has room for. */
START_TEST(the_number_of_shapes_is_limited)
{
    Yard yard;
    openYard(&yard, dSimpleSpaceClass);
    for (int i = 0; i < KSI_MOST_GEOMS; i++)
        dCreateSphere(yard.standing, 1);
    ksiRecorderTakeGeoms(yard.recorder, SIZE_MAX);
    ck_assert_uint_eq(record(&yard)->geomCount, KSI_MOST_GEOMS);
    closeYard(&yard);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("geoms");
    tcase_add_loop_test(test, all_shapes_are_found, 0, KINDS);
    tcase_add_loop_test(test, nothing_is_written, 0, KINDS);
    tcase_add_loop_test(test, a_replica_has_the_same_shapes, 0, LISTED);
    tcase_add_test(test, broken_shapes_are_refused);
    tcase_add_test(test, the_number_of_shapes_is_limited);
    return runCase("geoms", test);
}

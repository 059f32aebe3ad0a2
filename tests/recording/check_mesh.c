/* check_mesh.c  Convex geoms and triangle meshes in records: surfaces and volumes in closed form,
 * each surface once, no write to the host's geoms, and broken or large geoms. */
#include "replay/geoms.h"
#include "replay/mesh.h"
#include "replay/recorder.h"
#include "tests/kits/mesh_kit.h"
#include "tests/kits/same_kit.h"

#include <malloc.h>
#include <math.h>

static const double h = 0.005;

/* of sums of some hundred terms; corners of meshes are in single precision */
static const double rounding = 1e-13, singleRounding = 1e-6;

enum { TETRAHEDRON, CUBE, ICOSAHEDRON, SOLIDS };

/* One body for each solid, whose geom is rotated and off the body's centre. */
typedef struct Yard {
    dWorldID world;
    dSpaceID space;
    dTriMeshDataID data;
    dGeomID geom[SOLIDS];
    ksiRecorder *recorder;
} Yard;

/* Zeros, since bytes that the engine does not set are compared, too. */
static void *allocate(dsizeint size)
{
    return calloc(1, size);
}

static void addBody(Yard *yard, dGeomID geom, double x)
{
    static const double size[3] = {2, 2, 2};
    dMatrix3 rotation;
    dBodyID body = addBox(yard->world, 1, size, 4);
    dBodySetPosition(body, x, 0, 4);
    dBodySetAngularVel(body, 1, 2, 3);
    dGeomSetBody(geom, body);
    dRFromAxisAndAngle(rotation, 1, 2, 3, 0.7);
    dGeomSetOffsetPosition(geom, 0.1, 0.2, 0.3);
    dGeomSetOffsetRotation(geom, rotation);
}

static void openYard(Yard *yard)
{
    dSetAllocHandler(allocate);
    *yard = (Yard){.world = heavyWorld(), .space = dHashSpaceCreate(NULL), .data = icosahedronData()};
    // the engine needs these angles where a convex geom meets a mesh
    ck_assert(dGeomTriMeshDataPreprocess2(yard->data, 1u << dTRIDATAPREPROCESS_BUILD_FACE_ANGLES, NULL));
    yard->geom[TETRAHEDRON] = makeTetrahedron(yard->space);
    yard->geom[CUBE] = makeCube(yard->space);
    yard->geom[ICOSAHEDRON] = dCreateTriMesh(yard->space, yard->data, NULL, NULL, NULL);
    for (int i = 0; i < SOLIDS; i++)
        addBody(yard, yard->geom[i], 5.0 * i);
    CHECK_OK(ksiRecorderCreate(yard->world, 1, KSI_FEEDBACK_OURS, &yard->recorder));
    ksiRecorderTakeGeoms(yard->recorder, SIZE_MAX);
}

static void closeYard(Yard *yard)
{
    ksiRecorderDestroy(yard->recorder);
    dSpaceDestroy(yard->space);
    dGeomTriMeshDataDestroy(yard->data);
    dWorldDestroy(yard->world);
    dSetAllocHandler(NULL);
}

static const ksiStepRecord *record(Yard *yard, bool isExtra)
{
    CHECK_OK(ksiRecorderBegin(yard->recorder, KS_WORLD_STEP, h, isExtra));
    ck_assert(dWorldStep(yard->world, h));
    const ksiStepRecord *made = ksiRecorderEnd(yard->recorder, true, 0);
    ck_assert(ksiRecordIsSound(made, made->bytes));
    return made;
}

/* --- Recorded surfaces --- */

typedef struct Told {
    double area, volume, farthest, nearest; /* of the corners from the geom's origin */
    int triangles;
} Told;

static void cross(const double *a, const double *b, double *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* 6 V = a.(b x c), 2 A = |(b - a) x (c - a)| */
static void addTriangle(const double *corner, Told *told)
{
    const double *a = corner, *b = corner + 3, *c = corner + 6;
    double product[3], along[2][3], area = 0;
    cross(b, c, product);
    told->volume += (a[0] * product[0] + a[1] * product[1] + a[2] * product[2]) / 6;
    for (int i = 0; i < 3; i++) {
        along[0][i] = b[i] - a[i];
        along[1][i] = c[i] - a[i];
        const double away = sqrt(corner[3 * i] * corner[3 * i] + corner[3 * i + 1] * corner[3 * i + 1] +
                                 corner[3 * i + 2] * corner[3 * i + 2]);
        told->farthest = fmax(told->farthest, away);
        told->nearest = fmin(told->nearest, away);
    }
    cross(along[0], along[1], product);
    for (int i = 0; i < 3; i++)
        area += product[i] * product[i];
    told->area += sqrt(area) / 2;
    told->triangles++;
}

static Told toldOf(const ksiStepRecord *made, double mesh)
{
    Told told = {.nearest = INFINITY};
    const ksiGeomRecord *geom = ksiRecordedGeoms(made);
    for (size_t i = 0; i < made->geomCount; i++)
        if (geom[i].kind == KSI_TRIANGLE && geom[i].size[3] == mesh)
            addTriangle(geom[i].rotation, &told);
    return told;
}

/* A body's shape; the world's list has the newest body first. */
static const ksiGeomRecord *shapeOf(const ksiStepRecord *made, int solid)
{
    const ksiGeomRecord *geom = ksiRecordedGeoms(made);
    for (size_t i = 0; i < made->geomCount; i++)
        if (geom[i].body == SOLIDS - 1 - solid)
            return &geom[i];
    return NULL;
}

START_TEST(surfaces_come_back)
{
    const double root = sqrt(2), golden = (1 + sqrt(5)) / 2, edge[SOLIDS] = {2 * root, 2, 2};
    const double area[SOLIDS] = {sqrt(3) * edge[0] * edge[0], 24, 5 * sqrt(3) * 4};
    const double volume[SOLIDS] = {pow(edge[0], 3) / (6 * root), 8, 5 * (3 + sqrt(5)) / 12 * 8};
    const double radius[SOLIDS] = {sqrt(3), sqrt(3), sqrt(golden * golden + 1)};
    const int triangles[SOLIDS] = {4, 12, ICOSAHEDRON_FACES};
    const double reach[SOLIDS] = {2, 2, 2 * golden};
    Yard yard;
    openYard(&yard);
    const ksiStepRecord *made = record(&yard, false);
    for (int i = 0; i < SOLIDS; i++) {
        const ksiGeomRecord *shape = shapeOf(made, i);
        ck_assert_ptr_nonnull(shape);
        ck_assert_int_eq(shape->kind, dGeomGetClass(yard.geom[i]));
        const Told told = toldOf(made, shape->size[3]);
        const double most = i == ICOSAHEDRON ? singleRounding : rounding;
        ck_assert_int_eq(told.triangles, triangles[i]);
        ck_assert_double_eq_tol(told.area, area[i], most * area[i]);
        ck_assert_double_eq_tol(told.volume, volume[i], most * volume[i]);
        ck_assert_double_eq_tol(told.nearest, radius[i], most * radius[i]);
        ck_assert_double_eq_tol(told.farthest, radius[i], most * radius[i]);
        for (int k = 0; k < 3; k++)
            ck_assert_double_eq_tol(shape->size[k], reach[i], most * reach[i]);
        // the geom's place in its body does not depend on the body's pose
        ck_assert_mem_eq(shape->place, dGeomGetOffsetPosition(yard.geom[i]), sizeof shape->place);
    }
    closeYard(&yard);
}
END_TEST

static int trianglesIn(const ksiStepRecord *made)
{
    int count = 0;
    const ksiGeomRecord *geom = ksiRecordedGeoms(made);
    for (size_t i = 0; i < made->geomCount; i++)
        count += geom[i].kind == KSI_TRIANGLE;
    return count;
}

/* Each geom with a surface has its number. The triangles are recorded when the surface is new, and
 * again at intervals, but not in a step that only precedes a chosen one. */
START_TEST(a_surface_is_told_once)
{
    const int all = 4 + 12 + ICOSAHEDRON_FACES;
    Yard yard;
    openYard(&yard);
    addBody(&yard, dCreateTriMesh(yard.space, yard.data, NULL, NULL, NULL), -5);
    ck_assert_int_eq(trianglesIn(record(&yard, true)), 0);
    ck_assert_int_eq(trianglesIn(record(&yard, false)), all);
    for (int i = 1; i < KSI_MESHES_AGAIN; i++)
        ck_assert_int_eq(trianglesIn(record(&yard, false)), 0);
    const ksiStepRecord *made = record(&yard, false);
    ck_assert_int_eq(trianglesIn(made), all);
    const ksiGeomRecord *geom = ksiRecordedGeoms(made);
    ck_assert(geom[0].body == 0 && geom[0].size[3] == geom[1].size[3]);
    ck_assert(geom[2].size[3] != geom[1].size[3] && geom[3].size[3] != geom[2].size[3]);
    // a geom in no space is skipped, because its host may have freed its data
    const uint64_t shapes = record(&yard, false)->geomCount;
    const dGeomID alone = makeCube(NULL);
    addBody(&yard, alone, -6);
    ck_assert_uint_eq(record(&yard, false)->geomCount, shapes);
    dGeomDestroy(alone);
    closeYard(&yard);
}
END_TEST

/* A record has a largest size: it has the surfaces of the newest bodies that fit, and the next
 * record has the others. */
START_TEST(triangles_wait_for_room)
{
    Yard yard;
    openYard(&yard);
    ksiRecorderTakeGeoms(yard.recorder, 1);
    const ksiStepRecord *made = record(&yard, false);
    ck_assert_int_eq(trianglesIn(made), 0);
    const size_t most = made->bytes + 12 * sizeof(ksiGeomRecord);
    ksiRecorderTakeGeoms(yard.recorder, most);
    made = record(&yard, false);
    ck_assert_int_eq(trianglesIn(made), 12);
    ck_assert_uint_eq(made->bytes, most);
    ksiRecorderTakeGeoms(yard.recorder, SIZE_MAX);
    ck_assert_int_eq(trianglesIn(record(&yard, false)), 4 + ICOSAHEDRON_FACES);
    closeYard(&yard);
}
END_TEST

/* Two recorders of one surface agree on its number, and a surface of other data at the same address
 * is another one. */
START_TEST(a_number_is_of_the_surface)
{
    float point[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const dTriIndex face[3] = {0, 1, 2};
    double number[3];
    const dTriMeshDataID data = dGeomTriMeshDataCreate();
    for (int i = 0; i < 3; i++) {
        ksiMeshes meshes = {.count = 0};
        point[0] = (float)(i / 2);
        dGeomTriMeshDataBuildSingle(data, point, 3 * sizeof *point, 3, face, 3, 3 * sizeof *face);
        const dGeomID geom = dCreateTriMesh(NULL, data, NULL, NULL, NULL);
        number[i] = ksiMeshOf(&meshes, geom)->number;
        ck_assert(number[i] >= 1 && number[i] < 0x1p53 && number[i] == floor(number[i]));
        // after one step without it, it is read again
        point[8] = 5;
        ksiMeshesBegin(&meshes, false);
        ck_assert(ksiMeshOf(&meshes, geom)->number == number[i]);
        ksiMeshesBegin(&meshes, false);
        ksiMeshesBegin(&meshes, false);
        ck_assert(ksiMeshOf(&meshes, geom)->number != number[i]);
        point[8] = 0;
        ksiMeshesFree(&meshes);
        dGeomDestroy(geom);
    }
    ck_assert(number[0] == number[1] && number[2] != number[1]);
    dGeomTriMeshDataDestroy(data);
}
END_TEST

/* --- Reading writes nothing --- */

/* Poses and bounding boxes are out of date. */
START_TEST(nothing_is_written)
{
    Yard yard;
    openYard(&yard);
    ksiGeoms *geoms = ksiGeomsCreate();
    void *object[SOLIDS + 1], *copy[SOLIDS + 1];
    size_t size[SOLIDS + 1];
    for (int i = 0; i <= SOLIDS; i++) {
        object[i] = i < SOLIDS ? (void *)yard.geom[i] : (void *)yard.data;
        size[i] = malloc_usable_size(object[i]);
        copy[i] = malloc(size[i]);
        ck_assert_ptr_nonnull(copy[i]);
        memcpy(copy[i], object[i], size[i]);
    }
    ck_assert_uint_gt(ksiGeomsRead(geoms, ksiRecorderEngine(yard.recorder), SIZE_MAX), SOLIDS);
    for (int i = 0; i <= SOLIDS; i++) {
        ck_assert_mem_eq(object[i], copy[i], size[i]);
        free(copy[i]);
    }
    ksiGeomsDestroy(geoms);
    closeYard(&yard);
}
END_TEST

typedef struct Meeting {
    dWorldID world;
    dJointGroupID contacts;
} Meeting;

static void meet(void *user, dGeomID a, dGeomID b)
{
    enum { MOST = 4 };
    const Meeting *meeting = user;
    dContact contact[MOST];
    const int count = dCollide(a, b, MOST, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < count; i++) {
        contact[i].surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = 0.5};
        dJointAttach(dJointCreateContact(meeting->world, meeting->contacts, &contact[i]), dGeomGetBody(a),
                     dGeomGetBody(b));
    }
}

/* The solids fall onto a plane and onto each other. */
static void fall(bool isRecorded, double state[SOLIDS][7])
{
    enum { STEPS = 300 };
    Yard yard;
    openYard(&yard);
    const Meeting meeting = {yard.world, dJointGroupCreate(0)};
    dCreatePlane(yard.space, 0, 0, 1, 0);
    for (int i = 0; i < SOLIDS; i++)
        dBodySetPosition(dGeomGetBody(yard.geom[i]), 0.1 * i, 0, 2 + 4 * i);
    for (int i = 0; i < STEPS; i++) {
        dSpaceCollide(yard.space, (void *)(uintptr_t)&meeting, meet);
        if (isRecorded)
            record(&yard, false);
        else
            ck_assert(dWorldStep(yard.world, h));
        dJointGroupEmpty(meeting.contacts);
    }
    for (int i = 0; i < SOLIDS; i++) {
        memcpy(state[i], dBodyGetPosition(dGeomGetBody(yard.geom[i])), 3 * sizeof(double));
        memcpy(state[i] + 3, dBodyGetQuaternion(dGeomGetBody(yard.geom[i])), 4 * sizeof(double));
    }
    dJointGroupDestroy(meeting.contacts);
    closeYard(&yard);
}

START_TEST(the_host_goes_on_as_without_it)
{
    double alone[SOLIDS][7], recorded[SOLIDS][7];
    fall(false, alone);
    fall(true, recorded);
    ck_assert_mem_eq(alone, recorded, sizeof alone);
    // one lies on the others
    ck_assert_double_gt(alone[ICOSAHEDRON][2], 1);
}
END_TEST

/* --- Broken and large geoms --- */

/* A ball of 2 x BANDS x BANDS triangles is simplified to fewer, whose corners are corners of the
 * ball. */
START_TEST(a_large_mesh_is_made_coarser)
{
    enum { BANDS = 150, POINTS = (BANDS + 1) * (BANDS + 1), FACES = 2 * BANDS * BANDS };
    static double point[POINTS][3];
    static dTriIndex face[FACES][3];
    const double pi = acos(-1), radius = 3;
    for (unsigned i = 0; i <= BANDS; i++)
        for (unsigned k = 0; k <= BANDS; k++) {
            const double polar = pi * i / BANDS, around = 2 * pi * k / BANDS;
            double *at = point[i * (BANDS + 1) + k];
            at[0] = radius * sin(polar) * cos(around);
            at[1] = radius * sin(polar) * sin(around);
            at[2] = radius * cos(polar);
        }
    for (unsigned i = 0; i < FACES; i++) {
        const unsigned at = i / 2 / BANDS * (BANDS + 1) + i / 2 % BANDS, right = at + 1, below = at + BANDS + 1;
        const dTriIndex corners[2][3] = {{at, below, right}, {right, below, below + 1}};
        memcpy(face[i], corners[i % 2], sizeof face[i]);
    }
    const dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data, point, sizeof point[0], POINTS, face, 3 * FACES, sizeof face[0]);
    const dGeomID geom = dCreateTriMesh(NULL, data, NULL, NULL, NULL);
    ksiMeshes meshes = {.count = 0};
    const ksiMesh *mesh = ksiMeshOf(&meshes, geom);
    ck_assert_ptr_nonnull(mesh);
    ck_assert_uint_le(mesh->count, KSI_MOST_TRIANGLES);
    ck_assert_uint_gt(mesh->count, KSI_MOST_TRIANGLES / 4);
    Told told = {.nearest = INFINITY};
    for (size_t i = 0; i < mesh->count; i++)
        addTriangle(mesh->corner + 9 * i, &told);
    ck_assert_double_eq_tol(told.nearest, radius, singleRounding * radius);
    ck_assert_double_eq_tol(told.farthest, radius, singleRounding * radius);
    // edges as long as one or two cells, a fifteenth of the ball, are below its surface in
    // proportion to their square
    static const double share = 0.05;
    ck_assert_double_eq_tol(told.area, 4 * pi * radius * radius, share * 4 * pi * radius * radius);
    ck_assert_double_eq_tol(told.volume, 4 * pi * pow(radius, 3) / 3, share * 4 * pi * pow(radius, 3) / 3);
    ksiMeshesFree(&meshes);
    dGeomDestroy(geom);
    dGeomTriMeshDataDestroy(data);
}
END_TEST

enum { INDICES = 8 };

/* The number of recorded triangles of a convex geom with two faces, of three points, whose arrays
 * the host has changed meanwhile. */
static size_t seenOf(const unsigned changed[INDICES], double x)
{
    static const dReal plane[] = {0, 0, 1, 1, 0, 0, 1, 1};
    dReal point[] = {1, 0, 1, 0, 1, 1, -1, -1, 1};
    unsigned polygon[INDICES] = {3, 0, 1, 2, 3, 0, 1, 2};
    ksiMeshes meshes = {.count = 0};
    const dGeomID geom = dCreateConvex(NULL, plane, 2, point, 3, polygon);
    memcpy(polygon, changed, sizeof polygon);
    point[0] = x;
    const ksiMesh *mesh = ksiMeshOf(&meshes, geom);
    const size_t count = mesh ? mesh->count : 0;
    // a second request returns the same
    ck_assert_ptr_eq(ksiMeshOf(&meshes, geom), mesh);
    ksiMeshesFree(&meshes);
    dGeomDestroy(geom);
    return count;
}

/* Faces up to a broken one are recorded; faces that are not finite are left out, and a geom without
 * triangles is not shown. */
START_TEST(broken_surfaces_are_left_out)
{
    static const unsigned whole[INDICES] = {3, 0, 1, 2, 3, 0, 1, 2}, endless[INDICES] = {3, 0, 1, 2, 4000000000u},
                          outside[INDICES] = {3, 0, 1, 2, 3, 0, 1, 3}, edges[INDICES] = {2, 0, 1, 2, 1, 2},
                          empty[INDICES] = {0};
    ck_assert_uint_eq(seenOf(whole, 1), 2);
    ck_assert_uint_eq(seenOf(endless, 1), 1);
    ck_assert_uint_eq(seenOf(outside, 1), 1);
    ck_assert_uint_eq(seenOf(edges, 1), 0);
    ck_assert_uint_eq(seenOf(empty, 1), 0);
    ck_assert_uint_eq(seenOf(whole, (double)NAN), 0);
    ck_assert_uint_eq(seenOf(whole, (double)INFINITY), 0);
    // the size of this box overflows
    ck_assert_uint_eq(seenOf(whole, 1.5e308), 0);
}
END_TEST

START_TEST(broken_records_are_refused)
{
    Yard yard;
    openYard(&yard);
    const ksiStepRecord *made = record(&yard, false);
    ksiGeomRecord *geom = (ksiGeomRecord *)(uintptr_t)ksiRecordedGeoms(made);
    ksiGeomRecord *last = &geom[made->geomCount - 1];
    ck_assert_int_eq(last->kind, KSI_TRIANGLE);
    const ksiGeomRecord shape = *geom, triangle = *last;
    const double number[] = {0, -1, 0x1p54, (double)NAN, (double)INFINITY};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        geom->size[3] = number[i];
        ck_assert(!ksiRecordIsSound(made, made->bytes));
        *geom = shape;
        last->size[3] = number[i];
        ck_assert(!ksiRecordIsSound(made, made->bytes));
        *last = triangle;
    }
    last->body = 0;
    ck_assert(!ksiRecordIsSound(made, made->bytes));
    *last = triangle;
    last->rotation[8] = (double)NAN;
    ck_assert(!ksiRecordIsSound(made, made->bytes));
    *last = triangle;
    ck_assert(ksiRecordIsSound(made, made->bytes));
    closeYard(&yard);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("mesh");
    tcase_add_test(test, surfaces_come_back);
    tcase_add_test(test, a_surface_is_told_once);
    tcase_add_test(test, triangles_wait_for_room);
    tcase_add_test(test, a_number_is_of_the_surface);
    tcase_add_test(test, nothing_is_written);
    tcase_add_test(test, the_host_goes_on_as_without_it);
    tcase_add_test(test, a_large_mesh_is_made_coarser);
    tcase_add_test(test, broken_surfaces_are_left_out);
    tcase_add_test(test, broken_records_are_refused);
    return runCase("mesh", test);
}

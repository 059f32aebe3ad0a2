/* subject.c  Bodies as their geoms, or where these are missing as ellipsoids:
 *     a_i^2 = 5 / (2 m) (I_j + I_k - I_i)
 * for principal moments I, as of a homogeneous ellipsoid with semi-axes a. */
#include "subject.h"

#include "geoms.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Principal axes of a symmetric matrix by Jacobi's rotations: a becomes diagonal, columns the axes. */
static void principal(double a[3][3], double columns[3][3])
{
    enum { SWEEPS = 12 };
    memset(columns, 0, 9 * sizeof(double));
    for (int i = 0; i < 3; i++)
        columns[i][i] = 1;
    for (int n = 0; n < 3 * SWEEPS; n++) {
        int p = n % 3, q = (n + 1) % 3;
        if (a[p][q] == 0)
            continue;
        double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; k++) {
            double first = a[k][p], second = a[k][q];
            a[k][p] = c * first - s * second;
            a[k][q] = s * first + c * second;
        }
        for (int k = 0; k < 3; k++) {
            double first = a[p][k], second = a[q][k], x = columns[p][k], y = columns[q][k];
            a[p][k] = c * first - s * second;
            a[q][k] = s * first + c * second;
            columns[p][k] = c * x - s * y;
            columns[q][k] = s * x + c * y;
        }
    }
}

bool ksiEllipsoid(dBodyID body, double semi[3], double columns[3][3])
{
    dMass mass;
    double inertia[3][3], local[3][3], largest = 0;
    const dReal *rotation = dBodyGetRotation(body);
    dBodyGetMass(body, &mass);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            inertia[i][k] = mass.I[4 * i + k];
    principal(inertia, local);
    for (int i = 0; i < 3; i++) {
        double moments = inertia[(i + 1) % 3][(i + 1) % 3] + inertia[(i + 2) % 3][(i + 2) % 3] - inertia[i][i];
        semi[i] = sqrt(fmax(2.5 / mass.mass * moments, 0));
        largest = fmax(largest, semi[i]);
    }
    if (!(largest > 0) || !isfinite(largest))
        return false;
    for (int k = 0; k < 3; k++) {
        // a thin rod is to be seen
        semi[k] = fmax(semi[k], 0.04 * largest);
        for (int i = 0; i < 3; i++) {
            columns[k][i] = 0;
            for (int n = 0; n < 3; n++)
                columns[k][i] += rotation[4 * i + n] * local[k][n] * semi[k];
        }
    }
    return true;
}

bool ksiHasShape(dBodyID body)
{
    for (dGeomID geom = dBodyGetFirstGeom(body); geom; geom = dBodyGetNextGeom(geom))
        if (ksiGeomRadius(geom) > 0)
            return true;
    return false;
}

/* How far the body reaches from its mass centre. */
static double bodyRadius(dBodyID body)
{
    double most = 0, semi[3], columns[3][3];
    const dReal *centre = dBodyGetPosition(body);
    for (dGeomID geom = dBodyGetFirstGeom(body); geom; geom = dBodyGetNextGeom(geom)) {
        double radius = ksiGeomRadius(geom);
        if (!(radius > 0))
            continue;
        const dReal *place = dGeomGetPosition(geom);
        const double from[3] = {place[0] - centre[0], place[1] - centre[1], place[2] - centre[2]};
        most = fmax(most, ksiLength3(from) + radius);
    }
    if (!(most > 0) && ksiEllipsoid(body, semi, columns))
        most = fmax(semi[0], fmax(semi[1], semi[2]));
    return most;
}

static bool addBody(ksiSubject *subject, dBodyID body)
{
    if (subject->count == subject->capacity) {
        size_t wanted = 2 * subject->capacity + 16;
        void *grown = wanted < SIZE_MAX / sizeof(dBodyID) ? realloc(subject->body, wanted * sizeof(dBodyID)) : NULL;
        if (!grown)
            return false;
        subject->body = grown;
        subject->capacity = wanted;
    }
    subject->body[subject->count++] = body;
    return true;
}

/* While the geoms of a space are gone through. */
typedef struct Search {
    ksiSubject *subject;
    bool takesBodies, isWhole;
} Search;

static void readGeom(dGeomID geom, void *user)
{
    Search *search = user;
    ksiSubject *subject = search->subject;
    dBodyID body = dGeomGetBody(geom);
    // the body's first geom stands for it
    if (body && search->takesBodies && dBodyGetFirstGeom(body) == geom)
        search->isWhole = addBody(subject, body) && search->isWhole;
    if (!body && dGeomGetClass(geom) == dPlaneClass) {
        dVector4 plane;
        dGeomPlaneGetParams(geom, plane);
        if (ksiDot3(plane, subject->up) > 0.999)
            subject->floor = fmax(subject->floor, plane[3]);
    }
}

/* The ball about the middle of the box around all bodies. */
static void measure(ksiSubject *subject)
{
    double upper = -INFINITY, low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY},
           sum = 0;
    size_t counted = 0;
    subject->low = INFINITY;
    for (size_t n = 0; n < subject->count; n++) {
        const dReal *place = dBodyGetPosition(subject->body[n]);
        double radius = bodyRadius(subject->body[n]);
        if (!isfinite(place[0] + place[1] + place[2] + radius))
            continue;
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], place[i] - radius);
            high[i] = fmax(high[i], place[i] + radius);
        }
        subject->low = fmin(subject->low, ksiDot3(place, subject->up) - radius);
        upper = fmax(upper, ksiDot3(place, subject->up) + radius);
        sum += radius;
        counted++;
    }
    subject->radius = 0;
    memset(subject->centre, 0, sizeof subject->centre);
    for (int i = 0; counted > 0 && i < 3; i++) {
        subject->centre[i] = (low[i] + high[i]) / 2;
        subject->radius += (high[i] - low[i]) * (high[i] - low[i]) / 4;
    }
    subject->radius = counted > 0 ? sqrt(subject->radius) : 1;
    subject->upright = counted > 0 && subject->radius > 0 ? (upper - subject->low) / (2 * subject->radius) : 0;
    subject->typical = counted > 0 ? sum / (double)counted : 1;
    subject->low = counted > 0 ? subject->low : 0;
}

bool ksiSubjectRead(ksiSubject *subject, const ksInspector *inspector, dSpaceID space)
{
    static const double z[3] = {0, 0, 1};
    dVector3 gravity = {0};
    dWorldID world = ksInspectorGetWorld(inspector);
    subject->count = 0;
    subject->floor = -INFINITY;
    if (world)
        dWorldGetGravity(world, gravity);
    const double against[3] = {-gravity[0], -gravity[1], -gravity[2]};
    if (!ksiNormalise3(against, subject->up))
        memcpy(subject->up, z, sizeof subject->up);
    dBodyID body;
    for (size_t i = 0; (body = ksInspectorGetBody(inspector, i)); i++)
        if (!addBody(subject, body))
            return false;
    Search search = {subject, subject->count == 0, true};
    if (space)
        ksiGeomsOf(space, readGeom, &search);
    measure(subject);
    return search.isWhole;
}

void ksiSubjectFree(ksiSubject *subject)
{
    free(subject->body);
    memset(subject, 0, sizeof *subject);
}

static const ksiColour bodyColour[] = {0x9fb3c8, 0xb8c4bb, 0xc9b8a8, 0xa9b7d1, 0xbfb5c9, 0xa8c0c4};
static const ksiColour staticColour = 0xc4c8cc, asleepColour = 0xd4d7da, drivenColour = 0x7d8a97;

static void drawStatic(dGeomID geom, void *user)
{
    if (!dGeomGetBody(geom))
        ksiGeomDraw(geom, staticColour, user);
}

void ksiSubjectDraw(const ksiSubject *subject, dSpaceID space, ksiPicture *picture)
{
    double semi[3], columns[3][3];
    for (size_t n = 0; n < subject->count; n++) {
        dBodyID body = subject->body[n];
        // the list has the newest first: a colour stays when bodies are added
        ksiColour colour = bodyColour[(subject->count - 1 - n) % (sizeof bodyColour / sizeof *bodyColour)];
        if (dBodyIsKinematic(body))
            colour = drivenColour;
        else if (!dBodyIsEnabled(body))
            colour = asleepColour;
        if (ksiHasShape(body)) {
            for (dGeomID geom = dBodyGetFirstGeom(body); geom; geom = dBodyGetNextGeom(geom))
                ksiGeomDraw(geom, colour, picture);
        } else if (ksiEllipsoid(body, semi, columns)) {
            ksiAddForm(picture, KSI_SOLID, KSI_FORM_BALL, (const double(*)[3])columns, dBodyGetPosition(body), colour,
                       0);
        }
    }
    if (space)
        ksiGeomsOf(space, drawStatic, picture);
}

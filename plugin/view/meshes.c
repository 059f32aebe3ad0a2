/* meshes.c  Box, and surfaces over a grid of two parameters. */
#include "meshes.h"

#include <math.h>
#include <string.h>

static const double turn = 6.283185307179586;

/* A point of a form for u and v in 0 .. 1; false: this form is no such surface. */
static bool surfacePoint(ksiForm form, double u, double v, double place[3], double normal[3])
{
    double c = cos(turn * u), s = sin(turn * u), angle;
    switch (form) {
    case KSI_FORM_BALL:
    case KSI_FORM_DOME:
        angle = form == KSI_FORM_BALL ? turn / 2 * (v - 0.5) : turn / 4 * v;
        place[0] = c * cos(angle), place[1] = s * cos(angle), place[2] = sin(angle);
        memcpy(normal, place, 3 * sizeof *normal);
        return true;
    case KSI_FORM_ROD:
    case KSI_FORM_SHAFT:
        place[0] = normal[0] = c, place[1] = normal[1] = s, place[2] = v, normal[2] = 0;
        return true;
    case KSI_FORM_CONE:
    case KSI_FORM_HEAD:
        place[0] = c * (1 - v), place[1] = s * (1 - v), place[2] = v;
        normal[0] = c, normal[1] = s, normal[2] = 1;
        return true;
    case KSI_FORM_ARC:
        place[0] = v, place[1] = turn * u, place[2] = 0;
        memset(normal, 0, 3 * sizeof *normal);
        return true;
    default:
        return false;
    }
}

static int addPoint(ksiMesh *mesh, const double place[3], const double normal[3])
{
    ksiPoint *point = &mesh->point[mesh->pointCount];
    for (int i = 0; i < 3; i++) {
        point->place[i] = (float)place[i];
        point->normal[i] = (float)normal[i];
    }
    return mesh->pointCount++;
}

static void addTriangle(ksiMesh *mesh, int a, int b, int c)
{
    const int corner[3] = {a, b, c};
    for (int i = 0; i < 3; i++)
        mesh->corner[mesh->cornerCount++] = (unsigned short)corner[i];
}

/* The outside has its corners against the clock. */
static void makeSurface(ksiForm form, int around, int along, ksiMesh *mesh)
{
    const int first = mesh->pointCount, line = along + 1;
    for (int i = 0; i <= around; i++) {
        for (int k = 0; k <= along; k++) {
            double place[3], normal[3];
            surfacePoint(form, (double)i / around, (double)k / along, place, normal);
            addPoint(mesh, place, normal);
        }
    }
    for (int i = 0; i < around; i++) {
        for (int k = 0; k < along; k++) {
            int at = first + i * line + k;
            addTriangle(mesh, at, at + line, at + 1);
            addTriangle(mesh, at + 1, at + line, at + line + 1);
        }
    }
}

/* A disc across z, its normal up or down. */
static void makeDisc(double z, double side, int around, ksiMesh *mesh)
{
    const double normal[3] = {0, 0, side}, middle[3] = {0, 0, z};
    const int centre = addPoint(mesh, middle, normal);
    for (int i = 0; i <= around; i++) {
        const double place[3] = {cos(turn * i / around), side * sin(turn * i / around), z};
        int at = addPoint(mesh, place, normal);
        if (i > 0)
            addTriangle(mesh, centre, at - 1, at);
    }
}

static void makeBox(ksiMesh *mesh)
{
    for (int face = 0; face < 6; face++) {
        int axis = face / 2, side = face % 2 ? 1 : -1, first = mesh->pointCount;
        double normal[3] = {0}, place[3];
        normal[axis] = side;
        for (int n = 0; n < 4; n++) {
            place[axis] = side;
            place[(axis + 1) % 3] = side * (n & 1 ? 1 : -1);
            place[(axis + 2) % 3] = n & 2 ? 1 : -1;
            addPoint(mesh, place, normal);
        }
        addTriangle(mesh, first, first + 1, first + 2);
        addTriangle(mesh, first + 2, first + 1, first + 3);
    }
}

/* As many sides as a picture of a few hundred forms shows. */
void ksiMeshMake(ksiForm form, ksiMesh *mesh)
{
    enum { AROUND = 20, ALONG = 10, FEW = 8, ARC = 24 };
    mesh->pointCount = mesh->cornerCount = 0;
    switch (form) {
    case KSI_FORM_BALL:
        makeSurface(form, AROUND, ALONG, mesh);
        break;
    case KSI_FORM_DOME:
        makeSurface(form, AROUND, ALONG / 2, mesh);
        break;
    case KSI_FORM_ARC:
        makeSurface(form, FEW, ARC, mesh);
        break;
    case KSI_FORM_ROD:
        makeSurface(form, AROUND, 1, mesh);
        makeDisc(1, 1, AROUND, mesh);
        makeDisc(0, -1, AROUND, mesh);
        break;
    case KSI_FORM_CONE:
        makeSurface(form, AROUND, 1, mesh);
        makeDisc(0, -1, AROUND, mesh);
        break;
    case KSI_FORM_SHAFT:
        makeSurface(form, FEW, 1, mesh);
        break;
    case KSI_FORM_HEAD:
        makeSurface(form, FEW, 1, mesh);
        makeDisc(0, -1, FEW, mesh);
        break;
    default:
        makeBox(mesh);
        break;
    }
}

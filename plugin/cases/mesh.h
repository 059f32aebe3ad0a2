/* mesh.h  A mesh of solid elements, from a file of Abaqus or CalculiX, and its mass distributed to
 * its nodes:
 *
 *     s_i = integral of rho N_i r
 *     load of node i by the body's rotation
 *         = -integral of rho N_i (alpha x r + w x (w x r))  =  -alpha x s_i - w x (w x s_i)
 *
 * r is a position from the body's mass centre, N_i a shape function, and rho the density at which
 * the mesh has the mass of the body. */
#ifndef KSI_CASES_MESH_H
#define KSI_CASES_MESH_H

#include "load_case.h"

enum { KSI_MESH_WORDS = 300 };

typedef struct ksiElementMesh {
    size_t nodeCount, elementCount;
    uint64_t *number;                /* numbers of the nodes */
    double (*place)[3], (*first)[3]; /* place: r, m; first: s, kg.m; in the body's axes */
    double volume, density;          /* m^3, kg/m^3 */
    double centre[3], inertia[9];    /* centre: the mesh's mass centre, m; inertia: about the body's
                                        mass centre, kg.m^2 */
} ksiElementMesh;

/* unit: units of length of the file per metre; origin: the body's mass centre, in the file's
 * coordinates. false: words [KSI_MESH_WORDS] say why. Free `out` in either case. */
bool ksiMeshRead(const char *path, double unit, const double origin[3], double mass, ksiElementMesh *out, char *words);
void ksiMeshFree(ksiElementMesh *mesh);

/* The load that a support of the mesh carries under these loads, since mass is distributed
 * differently over the mesh than over the body: N, N.m about the body's mass centre. */
void ksiMeshResidual(const ksiElementMesh *mesh, const ksiLoadCase *moment, const ksiMatter *matter, double force[3],
                     double torque[3]);

#endif

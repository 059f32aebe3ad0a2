/* mesh.h  A mesh of solid elements, from a file of Abaqus or CalculiX. The mesh distributes its
 * mass to its nodes. Node `i` has the first moment of mass `s_i`, and a load by the body's
 * rotation:
 *
 *     s_i = integral of rho N_i r
 *     load = -integral of rho N_i (alpha x r + w x (w x r))  =  -alpha x s_i - w x (w x s_i)
 *
 * `r` is a position from the body's mass centre, and `N_i` the node's shape function. With the
 * density `rho`, the mesh has the mass of the body. `w` and `alpha` are the body's angular velocity
 * and acceleration. */
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

/* The residual of the loads of `moment` on the mesh, which a support must carry: N; N.m about the
 * body's mass centre. It is not zero if the mass centre or inertia of the mesh differs from that of
 * the body. */
void ksiMeshResidual(const ksiElementMesh *mesh, const ksiLoadCase *moment, const ksiMatter *matter, double force[3],
                     double torque[3]);

#endif

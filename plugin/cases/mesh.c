/* mesh.c  Reads *NODE and *ELEMENT from an Abaqus or CalculiX file and integrates over the elements
 * with 3 x 3 x 3 Gauss points. A tetrahedron is integrated as a collapsed cube. */
#include "mesh.h"

#include "../report/files/maps.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_NODES = 20 };

typedef enum Shape { TETRAHEDRON, HEXAHEDRON } Shape;

typedef struct Type {
    const char *name;
    Shape shape;
    size_t nodes;
} Type;

static const Type type[] = {{"C3D4", TETRAHEDRON, 4},  {"C3D10", TETRAHEDRON, 10}, {"C3D10T", TETRAHEDRON, 10},
                            {"C3D8", HEXAHEDRON, 8},   {"C3D8R", HEXAHEDRON, 8},   {"C3D8I", HEXAHEDRON, 8},
                            {"C3D20", HEXAHEDRON, 20}, {"C3D20R", HEXAHEDRON, 20}};

/* Corners, then midpoints of edges. */
static const signed char cube[20][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1},
                                        {1, -1, 1},   {1, 1, 1},   {-1, 1, 1}, {0, -1, -1}, {1, 0, -1},
                                        {0, 1, -1},   {-1, 0, -1}, {0, -1, 1}, {1, 0, 1},   {0, 1, 1},
                                        {-1, 0, 1},   {-1, -1, 0}, {1, -1, 0}, {1, 1, 0},   {-1, 1, 0}};
static const signed char edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

typedef struct Element {
    uint64_t number;
    const Type *type;
    uint64_t node[MOST_NODES];
} Element;

typedef struct Reader {
    ksiElementMesh *mesh;
    size_t nodeCapacity, capacity;
    Element *element;
    ksiMap index; /* indices of nodes by number */
    const Type *type;
    bool isNodes;
    size_t read; /* numbers of the incomplete element that were read */
    double unit, origin[3];
    char *words;
} Reader;

/* what: the faulty part of the file; NULL: the file itself */
static bool complain(const Reader *reader, const char *what, const char *why)
{
    snprintf(reader->words, KSI_MESH_WORDS, "%.200s%s%s", what ? what : "", what ? ": " : "", why);
    return false;
}

/* --- Reading --- */

/* The value of a key, for example of TYPE in "*ELEMENT, TYPE=C3D20R, ELSET=BODY"; NULL: the line
 * lacks the key. */
static const char *valueOf(const char *line, const char *key, size_t *length)
{
    for (const char *at = strchr(line, ','); at; at = strchr(at, ',')) {
        at += 1 + strspn(at + 1, " \t");
        const size_t name = strcspn(at, " \t=,");
        const char *equals = at + name + strspn(at + name, " \t");
        if (*equals != '=' || name != strlen(key) || strncasecmp(at, key, name) != 0)
            continue;
        equals += 1 + strspn(equals + 1, " \t");
        *length = strcspn(equals, " \t,\r\n");
        return equals;
    }
    return NULL;
}

static bool takeKeyword(Reader *reader, const char *line)
{
    const size_t name = strcspn(line, ", \t\r\n");
    size_t length = 0;
    if (reader->read > 0)
        return complain(reader, line, "the element before it has too few nodes");
    reader->isNodes = name == 5 && strncasecmp(line, "*NODE", 5) == 0;
    reader->type = NULL;
    if (name != 8 || strncasecmp(line, "*ELEMENT", 8) != 0)
        return true;
    const char *found = valueOf(line, "TYPE", &length);
    for (size_t i = 0; found && i < sizeof type / sizeof *type; i++)
        if (length == strlen(type[i].name) && strncasecmp(found, type[i].name, length) == 0)
            reader->type = &type[i];
    return reader->type || complain(reader, line, "is not a supported element type: C3D4, C3D10, C3D8, C3D20");
}

static bool addNode(Reader *reader, const char *line)
{
    ksiElementMesh *mesh = reader->mesh;
    char *end;
    const uint64_t number = strtoull(line, &end, 10);
    double place[3];
    for (int i = 0; i < 3; i++) {
        const char *from = end + strspn(end, " \t");
        if (*from != ',')
            return complain(reader, line, "is not a node");
        place[i] = (strtod(from + 1, &end) - reader->origin[i]) / reader->unit;
    }
    if (!isfinite(place[0]) || !isfinite(place[1]) || !isfinite(place[2]))
        return complain(reader, line, "is not a node");
    if (ksiMapFind(&reader->index, number, 0))
        return complain(reader, line, "this node exists already");
    if (mesh->nodeCount == reader->nodeCapacity) {
        const size_t more = 2 * reader->nodeCapacity + 256;
        uint64_t *numbers = realloc(mesh->number, more * sizeof *numbers);
        mesh->number = numbers ? numbers : mesh->number;
        double(*places)[3] = numbers ? realloc(mesh->place, more * sizeof *places) : NULL;
        mesh->place = places ? places : mesh->place;
        if (!places)
            return complain(reader, "the mesh", "out of memory");
        reader->nodeCapacity = more;
    }
    mesh->number[mesh->nodeCount] = number;
    memcpy(mesh->place[mesh->nodeCount], place, sizeof place);
    return ksiMapPut(&ksiLibraryAllocator, &reader->index, number, 0, mesh->nodeCount++) ||
           complain(reader, "the mesh", "out of memory");
}

/* The nodes of an element may continue on further lines. */
static bool addToElement(Reader *reader, const char *line)
{
    ksiElementMesh *mesh = reader->mesh;
    if (ksiReserve(&ksiLibraryAllocator, &reader->element, &reader->capacity, mesh->elementCount + 1, sizeof(Element)))
        return complain(reader, "the mesh", "out of memory");
    Element *element = &reader->element[mesh->elementCount];
    element->type = reader->type;
    for (const char *at = line; *at; at += *at == ',') {
        char *end;
        at += strspn(at, " \t\r\n");
        if (!*at)
            break;
        const uint64_t number = strtoull(at, &end, 10);
        if (end == at || reader->read > reader->type->nodes)
            return complain(reader, line, "is not an element of this type");
        if (reader->read == 0)
            element->number = number;
        else
            element->node[reader->read - 1] = number;
        reader->read++;
        at = end + strspn(end, " \t\r\n");
        if (*at && *at != ',')
            return complain(reader, line, "is not an element");
    }
    if (reader->read > reader->type->nodes) {
        mesh->elementCount++;
        reader->read = 0;
    }
    return true;
}

static bool readLine(Reader *reader, char *line)
{
    line[strcspn(line, "\r\n")] = 0;
    line += strspn(line, " \t");
    if (!*line || strncmp(line, "**", 2) == 0)
        return true;
    if (*line == '*')
        return takeKeyword(reader, line);
    return reader->isNodes ? addNode(reader, line) : !reader->type || addToElement(reader, line);
}

static bool readFile(Reader *reader, const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    bool isRead = file != NULL;
    if (!file)
        return complain(reader, NULL, strerror(errno));
    while (isRead && getline(&line, &room, file) >= 0)
        isRead = readLine(reader, line);
    isRead = isRead && (!ferror(file) || complain(reader, NULL, strerror(errno)));
    free(line);
    fclose(file);
    return isRead && (reader->read == 0 || complain(reader, NULL, "its last element has too few nodes")) &&
           (reader->mesh->elementCount > 0 || complain(reader, NULL, "has no element"));
}

/* --- Shape functions --- */

/* N and its derivatives at a point of the cube. */
static void shapeCube(size_t nodes, const double x[3], double n[MOST_NODES], double d[MOST_NODES][3])
{
    for (size_t i = 0; i < nodes; i++) {
        const signed char *p = cube[i];
        double factor[3], slope[3], sum = nodes == 20 && i < 8 ? -2 : 1;
        for (int k = 0; k < 3; k++) {
            factor[k] = p[k] ? 1 + x[k] * p[k] : 1 - x[k] * x[k];
            slope[k] = p[k] ? p[k] : -2 * x[k];
            sum += nodes == 20 && i < 8 ? x[k] * p[k] : 0;
        }
        const double share = i < 8 ? 0.125 : 0.25, product = share * factor[0] * factor[1] * factor[2];
        n[i] = product * sum;
        for (int k = 0; k < 3; k++)
            d[i][k] = share * slope[k] * factor[(k + 1) % 3] * factor[(k + 2) % 3] * sum +
                      (nodes == 20 && i < 8 ? product * p[k] : 0);
    }
}

/* N and its derivatives at a point of the collapsed cube; returns the volume factor of the
 * collapse. */
static double shapeTetrahedron(size_t nodes, const double x[3], double n[MOST_NODES], double d[MOST_NODES][3])
{
    static const double slope[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double u = (1 + x[0]) / 2, v = (1 + x[1]) / 2, w = (1 + x[2]) / 2;
    const double b = v * (1 - u), c = w * (1 - u) * (1 - v), l[4] = {1 - u - b - c, u, b, c};
    for (size_t i = 0; i < nodes; i++) {
        const signed char *e = i < 4 ? NULL : edge[i - 4];
        n[i] = e ? 4 * l[e[0]] * l[e[1]] : nodes == 4 ? l[i] : l[i] * (2 * l[i] - 1);
        for (int k = 0; k < 3; k++)
            d[i][k] = e            ? 4 * (slope[e[0]][k] * l[e[1]] + l[e[0]] * slope[e[1]][k])
                      : nodes == 4 ? slope[i][k]
                                   : (4 * l[i] - 1) * slope[i][k];
    }
    return (1 - u) * (1 - u) * (1 - v) / 8;
}

/* --- Integration --- */

/* N and r at a point; returns the volume that the point represents, divided by its Gauss weight. */
static double volumeAt(const Element *element, double (*const place)[3], const double x[3], double n[MOST_NODES],
                       double r[3])
{
    const size_t nodes = element->type->nodes;
    double d[MOST_NODES][3], j[3][3] = {{0}}, factor = 1, cross[3];
    if (element->type->shape == TETRAHEDRON)
        factor = shapeTetrahedron(nodes, x, n, d);
    else
        shapeCube(nodes, x, n, d);
    memset(r, 0, 3 * sizeof *r);
    for (size_t i = 0; i < nodes; i++)
        for (int k = 0; k < 3; k++) {
            r[k] += n[i] * place[i][k];
            for (int m = 0; m < 3; m++)
                j[m][k] += d[i][m] * place[i][k];
        }
    ksiVectorProduct(j[1], j[2], cross);
    return factor * (j[0][0] * cross[0] + j[0][1] * cross[1] + j[0][2] * cross[2]);
}

static bool addElement(const Reader *reader, const Element *element)
{
    static const double point[3] = {-0.7745966692414834, 0, 0.7745966692414834}, weight[3] = {5. / 9, 8. / 9, 5. / 9};
    ksiElementMesh *mesh = reader->mesh;
    size_t index[MOST_NODES];
    double place[MOST_NODES][3], n[MOST_NODES], r[3];
    char name[64];
    snprintf(name, sizeof name, "element %llu", (unsigned long long)element->number);
    for (size_t i = 0; i < element->type->nodes; i++) {
        const uint64_t *found = ksiMapFind(&reader->index, element->node[i], 0);
        if (!found)
            return complain(reader, name, "has a node that is not in the file");
        index[i] = *found;
        memcpy(place[i], mesh->place[*found], sizeof place[i]);
    }
    for (int p = 0; p < 27; p++) {
        const int a = p % 3, b = p / 3 % 3, c = p / 9;
        const double x[3] = {point[a], point[b], point[c]};
        const double volume = weight[a] * weight[b] * weight[c] * volumeAt(element, place, x, n, r);
        if (!(volume > 0))
            return complain(reader, name, "is turned inside out");
        mesh->volume += volume;
        for (size_t i = 0; i < element->type->nodes; i++)
            for (int k = 0; k < 3; k++)
                mesh->first[index[i]][k] += volume * n[i] * r[k];
    }
    return true;
}

/* Computes the mass centre and the inertia as sums over the nodes: the sum of N_i is 1, and the sum
 * of N_i r_i is r. */
static void addUp(ksiElementMesh *mesh, double mass)
{
    double square[9] = {0};
    mesh->density = mass / mesh->volume;
    for (size_t i = 0; i < mesh->nodeCount; i++)
        for (int k = 0; k < 3; k++) {
            mesh->first[i][k] *= mesh->density;
            mesh->centre[k] += mesh->first[i][k] / mass;
            for (int m = 0; m < 3; m++)
                square[3 * k + m] += mesh->place[i][m] * mesh->first[i][k];
        }
    const double trace = square[0] + square[4] + square[8];
    for (int k = 0; k < 9; k++)
        mesh->inertia[k] = (k % 4 == 0 ? trace : 0) - square[k];
}

bool ksiMeshRead(const char *path, double unit, const double origin[3], double mass, ksiElementMesh *out, char *words)
{
    Reader reader = {.mesh = out, .unit = unit, .words = words};
    memcpy(reader.origin, origin, sizeof reader.origin);
    *out = (ksiElementMesh){.nodeCount = 0};
    bool isRead = readFile(&reader, path);
    out->first = isRead ? calloc(out->nodeCount + 1, sizeof *out->first) : NULL;
    if (isRead && !out->first)
        isRead = complain(&reader, NULL, "out of memory");
    for (size_t i = 0; i < out->elementCount && isRead; i++)
        isRead = addElement(&reader, &reader.element[i]);
    if (isRead)
        addUp(out, mass);
    ksiFree(&ksiLibraryAllocator, reader.element);
    ksiMapFree(&ksiLibraryAllocator, &reader.index);
    return isRead;
}

void ksiMeshFree(ksiElementMesh *mesh)
{
    free(mesh->number);
    free(mesh->place);
    free(mesh->first);
    *mesh = (ksiElementMesh){.nodeCount = 0};
}

void ksiMeshResidual(const ksiElementMesh *mesh, const ksiLoadCase *moment, const ksiMatter *matter, double force[3],
                     double torque[3])
{
    const double *w = moment->spin, *alpha = moment->turning;
    double outward[3], inward[3], turned[3], weight[3], couple[3];
    ksiMatter spread = {.mass = 0};
    for (int k = 0; k < 9; k++)
        spread.inertia[k] = mesh->inertia[k] - matter->inertia[k];
    // the torque comes from the difference between the two inertias
    ksiInertiaLoad(moment, &spread, force, torque);
    ksiVectorProduct(w, mesh->centre, inward);
    ksiVectorProduct(w, inward, outward);
    ksiVectorProduct(alpha, mesh->centre, turned);
    for (int k = 0; k < 3; k++) {
        force[k] = -matter->mass * (turned[k] + outward[k]);
        weight[k] = matter->mass * (moment->gravity[k] - moment->acceleration[k]);
    }
    ksiVectorProduct(mesh->centre, weight, couple);
    for (int k = 0; k < 3; k++)
        torque[k] += couple[k];
}

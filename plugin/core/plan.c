/* plan.c  Finds a spanning tree of an island, and the joints that close loops: see core.h.
 *
 * The tree is built breadth first from the ground, so that paths and loops are short. Of several
 * joints between two bodies, the joint with the most rows is in the tree. Links are in preorder of
 * that tree, so that the branch beyond a joint is contiguous.
 */
#include "plan.h"

#include "../base/error.h"

#include <limits.h>
#include <string.h>

/* A search, breadth first. Arrays have [bodies] elements, except the joints of bodies. */
typedef struct Search {
    ksiCore *core;
    const ksiCoreJoint *joint;
    int *start, *of; /* start [bodies + 3], of [2 joints]: the joints of each body; the joints of
                        the ground come first */
    int *parent;     /* -1: the ground, -2: not found yet */
    int *by;         /* joint towards the parent, -1: none */
    int *queue;      /* bodies in the order in which they were found */
    int found;
} Search;

/* work: [3 joints + 1] */
static void listJoints(Search *search, int *work)
{
    const ksiCore *core = search->core;
    const ksiSets bodies = {work, work + core->joints + 1};
    for (int j = 0; j <= core->joints; j++)
        bodies.start[j] = 2 * j;
    for (int j = 0; j < core->joints; j++)
        for (int side = 0; side < 2; side++)
            bodies.list[2 * j + side] = search->joint[j].body[side] + 1;
    ksiTransposeSets(core->joints, &bodies, core->bodies + 1, &(ksiSets){search->start, search->of});
}

/* Finds the new neighbours of a body (-1: the ground), through joints with the most rows first. */
static void visit(Search *search, int body)
{
    for (int rows = KSI_CORE_ROWS; rows >= 0; rows--)
        for (int q = search->start[body + 1]; q < search->start[body + 2]; q++) {
            const ksiCoreJoint *joint = &search->joint[search->of[q]];
            const int next = joint->body[0] == body ? joint->body[1] : joint->body[0];
            if (joint->rows != rows || joint->isCarried || next < 0 || search->parent[next] != -2)
                continue;
            search->parent[next] = body;
            search->by[next] = search->of[q];
            search->queue[search->found++] = next;
        }
}

static int heaviest(const Search *search, const double *mass)
{
    int most = -1;
    for (int b = 0; b < search->core->bodies; b++)
        if (search->parent[b] == -2 && (most < 0 || mass[b] > mass[most]))
            most = b;
    return most;
}

static void findTree(Search *search, const double *mass)
{
    int done = 0;
    for (int b = 0; b < search->core->bodies; b++)
        search->parent[b] = -2;
    visit(search, -1);
    for (;;) {
        for (; done < search->found; done++)
            visit(search, search->queue[done]);
        const int root = heaviest(search, mass);
        if (root < 0)
            return;
        search->parent[root] = search->by[root] = -1;
        search->queue[search->found++] = root;
    }
}

/* Preorder, from the sizes of branches. */
static void orderLinks(Search *search)
{
    ksiCore *core = search->core;
    int *size = search->start, next = 0;
    for (int b = 0; b < core->bodies; b++)
        size[b] = 1;
    for (int k = core->bodies; k-- > 0;) {
        const int b = search->queue[k], parent = search->parent[b];
        if (parent >= 0)
            size[parent] += size[b];
    }
    // size[b] becomes the place of b's next child
    for (int k = 0; k < core->bodies; k++) {
        const int b = search->queue[k], parent = search->parent[b], length = size[b];
        int *place = parent < 0 ? &next : &size[parent];
        core->linkOf.at[b] = *place;
        *place += length;
        size[b] = core->linkOf.at[b] + 1;
    }
}

static void setConstraint(const ksiCore *core, ksiConstraint *c, const ksiCoreJoint *joint, int index, int side)
{
    c->joint = index;
    c->side = side;
    c->body = core->linkOf.at[joint->body[side]];
    c->partner = joint->body[1 - side] < 0 ? -1 : core->linkOf.at[joint->body[1 - side]];
}

static int ancestor(const ksiCore *core, int a, int b)
{
    // a parent has a smaller index
    while (a != b) {
        int *later = a > b ? &a : &b;
        *later = core->link[*later].joint.partner;
    }
    return a;
}

static void setLinks(const Search *search)
{
    ksiCore *core = search->core;
    core->closings = 0;
    for (int j = 0; j < core->joints; j++)
        core->place.at[j] = -1;
    for (int b = 0; b < core->bodies; b++) {
        const int i = core->linkOf.at[b], by = search->by[b];
        ksiCoreLink *link = &core->link[i];
        memset(link, 0, sizeof *link);
        link->body = b;
        link->joint = (ksiConstraint){.joint = by, .body = i, .partner = -1, .top = -1};
        if (by >= 0) {
            core->place.at[by] = i;
            setConstraint(core, &link->joint, &search->joint[by], by, search->joint[by].body[1] == b);
            link->joint.top = link->joint.partner;
        }
    }
    for (int j = 0; j < core->joints; j++) {
        if (core->place.at[j] >= 0)
            continue;
        const ksiCoreJoint *joint = &search->joint[j];
        ksiClosing *closing = &core->closing[core->closings++];
        memset(closing, 0, sizeof *closing);
        setConstraint(core, &closing->joint, joint, j, joint->body[0] < 0);
        closing->joint.top = joint->isCarried ? -1 : ancestor(core, closing->joint.body, closing->joint.partner);
    }
}

static bool isSame(const ksiCore *core, int bodies, int joints, const ksiCoreJoint *joint)
{
    bool same = core->isPlanned && core->bodies == bodies && core->joints == joints;
    for (int j = 0; same && j < joints; j++) {
        const ksiCoreJoint *was = &core->joint[j];
        same = was->body[0] == joint[j].body[0] && was->body[1] == joint[j].body[1] && was->rows == joint[j].rows &&
               was->isCarried == joint[j].isCarried;
    }
    return same;
}

static ksStatus makePlan(ksiCore *core, const double *mass)
{
    const size_t bodies = (size_t)core->bodies, joints = (size_t)core->joints;
    KSI_TRY(ksiIntsGrow(&core->allocator, &core->work, 4 * bodies + 4 + 5 * joints));
    KSI_TRY(ksiIntsGrow(&core->allocator, &core->place, joints));
    KSI_TRY(ksiIntsGrow(&core->allocator, &core->linkOf, bodies));
    KSI_TRY(ksiReserve(&core->allocator, &core->link, &core->linkCapacity, bodies, sizeof *core->link));
    int *work = core->work.at;
    Search search = {.core = core,
                     .joint = core->joint,
                     .start = work,
                     .parent = work + bodies + 3,
                     .by = work + 2 * bodies + 3,
                     .queue = work + 3 * bodies + 3,
                     .of = work + 4 * bodies + 3};
    listJoints(&search, search.of + 2 * joints);
    findTree(&search, mass);
    size_t closings = joints;
    for (size_t b = 0; b < bodies; b++)
        closings -= search.by[b] >= 0;
    KSI_TRY(ksiReserve(&core->allocator, &core->closing, &core->closingCapacity, closings, sizeof *core->closing));
    orderLinks(&search);
    core->links = core->bodies;
    setLinks(&search);
    KSI_TRY(ksiCorePattern(core));
    const size_t blocks = bodies + closings + (size_t)core->couplings;
    KSI_TRY(ksiReserve(&core->allocator, &core->inverse, &core->inverseCapacity, blocks, sizeof *core->inverse));
    memset(core->inverse, 0, blocks * sizeof *core->inverse);
    return KS_OK;
}

ksStatus ksiCorePlan(ksiCore *core, int bodies, const double *mass, int joints, const ksiCoreJoint *joint)
{
    if (isSame(core, bodies, joints, joint))
        return KS_OK;
    core->isPlanned = false;
    if (bodies > INT_MAX / 8 || joints > INT_MAX / 8)
        return KS_ERROR_NO_MEMORY;
    KSI_TRY(ksiReserve(&core->allocator, &core->joint, &core->jointCapacity, (size_t)joints, sizeof *joint));
    core->bodies = bodies;
    core->joints = joints;
    if (joints > 0)
        memcpy(core->joint, joint, (size_t)joints * sizeof *joint);
    KSI_TRY(makePlan(core, mass));
    core->isPlanned = true;
    return KS_OK;
}

void ksiCoreInit(ksiCore *core, const ksAllocator *allocator)
{
    *core = (ksiCore){.isPlanned = false};
    ksiAllocatorInit(&core->allocator, allocator);
}

void ksiCoreFree(ksiCore *core)
{
    void *const memory[] = {core->joint, core->place.at,   core->linkOf.at, core->pair.at,  core->work.at,
                            core->link,  core->closing,    core->coupling,  core->inverse,  core->group,
                            core->part,  core->stressPair, core->loaded.at, core->later.at, core->weak};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        ksiFree(&core->allocator, memory[i]);
}

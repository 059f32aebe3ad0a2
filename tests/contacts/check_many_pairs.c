/* check_many_pairs.c  All pairs of bodies at once, in graphs drawn at random: the sum of their contact
 * forces, and whether momentum determines it, by sets that this file unites itself. */
#include "tests/kits/support.h"

static const double h = 0.01;
/* of a sum of a few forces, relative to them */
static const double rounding = 1e-12;

enum {
    WORLDS = 40,
    STEPS = 4,
    BODIES = 12,
    NODES = BODIES + 1,
    CONTACTS = 14,
    FEWER = 6,
    CHAIN = 5,
    AWAKE = BODIES - 2
};

/* The nodes: bodies, and the world. */
typedef struct Graph {
    dWorldID world;
    dBodyID body[NODES];
    bool isStill[NODES]; /* kinematic, or the world */
    dJointGroupID group;
    dJointID joint[CHAIN], contact[CONTACTS];
    ksInspector *inspector;
    ksSubscription pair[NODES][NODES];
    unsigned long long state;
    bool floats;
    int contacts;
} Graph;

static double draw(Graph *g)
{
    g->state = g->state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(g->state >> 11) / 4503599627370496.0 - 1;
}

/* Two ends of a joint that is awake. In every other world none is on the ground, and fewer touch. */
static void drawEnds(Graph *g, int end[2])
{
    for (int side = 0; side < 2; side++)
        end[side] = (int)(0.49999 * (draw(g) + 1) * AWAKE);
    if (g->floats && end[0] == end[1])
        end[1] = (end[1] + 1) % AWAKE;
    else if (end[0] == end[1])
        end[1] = BODIES;
}

static void addBody(Graph *g, int i)
{
    const dBodyID body = addBall(g->world, 2 + draw(g), 0.2, draw(g), draw(g));
    g->body[i] = body;
    g->isStill[i] = i == 0 && !g->floats;
    dBodySetGyroscopicMode(body, 0);
    dBodySetLinearVel(body, draw(g), draw(g), draw(g));
    dBodySetAngularVel(body, draw(g), draw(g), draw(g));
    if (g->isStill[i])
        dBodySetKinematic(body);
    if (i >= AWAKE)
        dBodyDisable(body);
}

static void setUpGraph(Graph *g, int seed)
{
    *g = (Graph){.world = heavyWorld(),
                 .group = dJointGroupCreate(0),
                 .state = (unsigned)seed,
                 .floats = seed % 2,
                 .contacts = seed % 2 ? FEWER : CONTACTS};
    g->isStill[BODIES] = true;
    for (int i = 0; i < BODIES; i++)
        addBody(g, i);
    for (int i = 0; i < CHAIN; i++) {
        int end[2];
        drawEnds(g, end);
        g->joint[i] = dJointCreateBall(g->world, 0);
        dJointAttach(g->joint[i], g->body[end[0]], g->body[end[1]]);
        dJointSetBallAnchor(g->joint[i], draw(g), draw(g), draw(g));
    }
    dJointDisable(g->joint[0]);
    g->inspector = inspect(g->world);
    for (int a = 0; a < BODIES; a++)
        for (int b = 0; b < NODES; b++)
            if (a != b)
                CHECK_OK(ksInspectorPair(g->inspector, g->body[a], g->body[b], h, &g->pair[a][b]));
}

static void touch(Graph *g, int n)
{
    // the bodies asleep touch each other alone
    int end[2] = {AWAKE, AWAKE + 1};
    if (n > 0)
        drawEnds(g, end);
    dContact contact = {.surface = {.mode = dContactApprox1, .mu = 0.5}};
    double normal[3] = {draw(g), draw(g), draw(g)};
    for (int k = 0; k < 3; k++) {
        contact.geom.pos[k] = draw(g);
        contact.geom.normal[k] = normal[k] / length3(normal);
    }
    g->contact[n] = addContact(g->world, g->group, &contact, g->body[end[0]], g->body[end[1]]);
}

static int nodeOf(const Graph *g, dBodyID body)
{
    int i = 0;
    while (i < BODIES && (!body || g->body[i] != body))
        i++;
    return i;
}

static void endsOf(const Graph *g, dJointID joint, int node[2])
{
    for (int side = 0; side < 2; side++)
        node[side] = nodeOf(g, dJointGetBody(joint, side));
}

static bool acts(const Graph *g, dJointID joint)
{
    return ksInspectorGetReaction(g->inspector, joint)->verdict != KS_NOT_SOLVED;
}

static bool isOfPair(const Graph *g, dJointID contact, int a, int b)
{
    int node[2];
    endsOf(g, contact, node);
    return (node[0] == a && node[1] == b) || (node[0] == b && node[1] == a);
}

/* Sets by labels: all still nodes have one. */
static void unite(const Graph *g, dJointID joint, int label[NODES])
{
    int node[2];
    endsOf(g, joint, node);
    const int from = label[node[0]], to = label[node[1]];
    for (int i = 0; i < NODES && acts(g, joint); i++)
        label[i] = label[i] == from ? to : label[i];
}

/* Do all other joints leave a side of the pair to itself, apart from the ground? */
static bool isCut(const Graph *g, int a, int b)
{
    int label[NODES];
    for (int i = 0; i < NODES; i++)
        label[i] = g->isStill[i] ? BODIES : i;
    for (int i = 0; i < CHAIN; i++)
        unite(g, g->joint[i], label);
    for (int i = 0; i < g->contacts; i++)
        if (!isOfPair(g, g->contact[i], a, b))
            unite(g, g->contact[i], label);
    return label[a] != label[b];
}

/* Returns the size of its terms. */
static double sumUp(const Graph *g, int a, int b, ksWrench *sum, int *count)
{
    double size = 0;
    *sum = (ksWrench){{0}, {0}};
    *count = 0;
    for (int i = 0; i < g->contacts; i++) {
        ksWrench one;
        if (!isOfPair(g, g->contact[i], a, b) || !acts(g, g->contact[i]))
            continue;
        const ksReaction *reaction = ksInspectorGetReaction(g->inspector, g->contact[i]);
        const int side = reaction->body[0] == g->body[a] ? 0 : 1;
        CHECK_OK(ksReactionGetWrench(reaction, KS_ENGINE, side, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &one));
        for (int k = 0; k < 6; k++)
            ((double *)sum)[k] += ((double *)&one)[k];
        size += length3(one.force) + length3(one.torque);
        ++*count;
    }
    return size;
}

typedef struct Seen {
    int cuts, shared, pressed, asleep;
} Seen;

static bool isSleeping(int node)
{
    return node >= AWAKE && node < BODIES;
}

static void checkPair(const Graph *g, int a, int b, Seen *seen)
{
    ksMean mean;
    ksWrench sum;
    int count;
    CHECK_OK(ksInspectorGetMean(g->inspector, g->pair[a][b], &mean));
    const bool isAsleep =
        (isSleeping(a) || isSleeping(b)) && (isSleeping(a) || g->isStill[a]) && (isSleeping(b) || g->isStill[b]);
    ck_assert_uint_eq(mean.stepCount, isAsleep ? 0 : 1);
    seen->asleep += isAsleep;
    if (isAsleep)
        return;
    const double size = sumUp(g, a, b, &sum, &count);
    for (int k = 0; k < 6; k++)
        ck_assert_double_le(fabs(((double *)&mean.wrench)[k] - ((double *)&sum)[k]), rounding * size);
    // without a contact the sum is zero whatever moves
    const bool isKnown = count == 0 || isCut(g, a, b);
    seen->pressed += size > 0;
    seen->cuts += count > 0 && isKnown;
    seen->shared += !isKnown;
    for (int k = 0; k < 6; k++)
        ck_assert_int_eq(isnan(((double *)&mean.bar)[k]), !isKnown);
}

/* A body of the chain goes, and with it its pairs; the others stay right. */
static void destroyOne(Graph *g)
{
    ksMean mean;
    const int gone = 1;
    dBodyDestroy(g->body[gone]);
    g->body[gone] = NULL;
    CHECK_OK(inspectedStep(g->inspector, KS_WORLD_STEP, h));
    for (int b = 0; b < NODES; b++)
        if (b != gone) {
            ck_assert_int_eq(ksInspectorGetMean(g->inspector, g->pair[gone][b], &mean), KS_ERROR_ENDED);
            CHECK_OK(b == BODIES ? KS_OK : ksInspectorGetMean(g->inspector, g->pair[b][BODIES], &mean));
        }
}

START_TEST(drawn)
{
    Seen seen = {0};
    for (int n = 0; n < WORLDS; n++) {
        Graph g;
        setUpGraph(&g, n + 1);
        for (int i = 0; i < STEPS; i++) {
            dJointGroupEmpty(g.group);
            for (int k = 0; k < g.contacts; k++)
                touch(&g, k);
            CHECK_OK(inspectedStep(g.inspector, KS_WORLD_STEP, h));
            for (int a = 0; a < BODIES; a++)
                for (int b = 0; b < NODES; b++)
                    if (a != b)
                        checkPair(&g, a, b, &seen);
        }
        dJointGroupEmpty(g.group);
        destroyOne(&g);
        ksInspectorDestroy(g.inspector);
        dJointGroupDestroy(g.group);
        dWorldDestroy(g.world);
    }
    ck_assert_int_gt(seen.cuts, WORLDS);
    ck_assert_int_gt(seen.shared, WORLDS);
    ck_assert_int_gt(seen.pressed, WORLDS);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("many_pairs");
    tcase_add_test(test, drawn);
    return runCase("many_pairs", test);
}

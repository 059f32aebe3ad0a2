/* bridge.c  A lorry drives over a truss bridge whose bars break at a force limit: which bar breaks,
 * and when?
 *
 * Two trusses of six panels, side by side, are statically determinate, and so are the bars between
 * them: 72 rows for the 72 coordinates of 24 nodes, which are bodies; bars are double balls, the
 * engine's massless rods. The bars between the trusses carry nothing. So the method of joints gives
 * the force in every bar of each truss:
 *
 *          T1---T2---T3---T4---T5          |
 *         / | \  | \  |  / |  / | \        | g
 *       B0--B1---B2---B3---B4---B5--B6     v
 *
 * B0 is on a pin, B6 on a rocker. The lorry's weight acts on the two nodes of the deck next to it,
 * by the lever rule, and by the same rule on both trusses.
 *
 * The lorry drives twice: first bars break by the engine's report, then by the physical values. */
#include "scenes/scenes_private.h"
#include "stories.h"

#include <math.h>

enum { PANELS = 6, TOP = PANELS + 1, NODES = 2 * PANELS };
enum { DECK_DIAGONALS = PANELS, TOP_DIAGONALS = PANELS - 2, HELD = 2 };
static const double panel = 4, rise = 4, halfWidth = 2.5, rocker = 0.5; /* m */
static const double deckMass = 400, topMass = 150, lorryMass = 20000;   /* kg, of a node; of the
                                                                         lorry */
static const double lorrySide[3] = {4, 2, 2};                           /* m */
static const double nearShare = 0.6;                                    /* of the lorry's weight, on
                                                                           the first truss */
static const double speed = 5;                                          /* m/s */

/* The bars of a truss by their nodes. Bars in compression have a higher limit. */
enum { B0, B1, B2, B3, B4, B5, B6, T1, T2, T3, T4, T5 };
static const double slender = 130e3, stocky = 250e3; /* N */
static const struct {
    int node[2];
    const char *name;
    int isStocky;
} bar[BRIDGE_BARS] = {
    {{B0, B1}, "B0-B1", 0}, {{B1, B2}, "B1-B2", 0}, {{B2, B3}, "B2-B3", 0}, {{B3, B4}, "B3-B4", 0},
    {{B4, B5}, "B4-B5", 0}, {{B5, B6}, "B5-B6", 0}, {{T1, T2}, "T1-T2", 1}, {{T2, T3}, "T2-T3", 1},
    {{T3, T4}, "T3-T4", 1}, {{T4, T5}, "T4-T5", 1}, {{B0, T1}, "B0-T1", 1}, {{B6, T5}, "B6-T5", 1},
    {{B1, T1}, "B1-T1", 0}, {{B2, T2}, "B2-T2", 0}, {{B3, T3}, "B3-T3", 0}, {{B4, T4}, "B4-T4", 0},
    {{B5, T5}, "B5-T5", 0}, {{T1, B2}, "T1-B2", 0}, {{T2, B3}, "T2-B3", 0}, {{T4, B3}, "T4-B3", 0},
    {{T5, B4}, "T5-B4", 0},
};

static void nodePlace(int node, double *x, double *z)
{
    *x = panel * (node < TOP ? node : node - TOP + 1);
    *z = node < TOP ? 0 : rise;
}

/* The share of a deck node in the lorry's weight on its truss, by the lever rule of the
 * stringers. */
static double leverShare(int node, double at)
{
    return fmax(0, 1 - fabs(at - panel * node) / panel);
}

double bridgeLimit(int which)
{
    return bar[which % BRIDGE_BARS].isStocky ? stocky : slender;
}

const char *bridgeBarName(int which)
{
    return bar[which % BRIDGE_BARS].name;
}

/* --- statics */

/* Solves a node with one or two unknown bars. @return 0: it has more */
static int solveJoint(int node, const double load[NODES][2], double force[BRIDGE_BARS])
{
    double direction[2][2] = {{0}}, rest[2] = {load[node][0], load[node][1]}, x, z, farX, farZ;
    int unknown[2] = {-1, -1}, count = 0;
    nodePlace(node, &x, &z);
    for (int i = 0; i < BRIDGE_BARS; i++) {
        if (bar[i].node[0] != node && bar[i].node[1] != node)
            continue;
        nodePlace(bar[i].node[bar[i].node[0] == node], &farX, &farZ);
        const double length = hypot(farX - x, farZ - z), away[2] = {(farX - x) / length, (farZ - z) / length};
        if (isnan(force[i]) && count == 2)
            return 0;
        for (int k = 0; k < 2; k++) {
            if (isnan(force[i]))
                direction[count][k] = away[k];
            else
                rest[k] += force[i] * away[k];
        }
        if (isnan(force[i]))
            unknown[count++] = i;
    }
    if (count == 1)
        force[unknown[0]] = -(rest[0] * direction[0][0] + rest[1] * direction[0][1]);
    if (count < 2)
        return 1;
    const double det = direction[0][0] * direction[1][1] - direction[1][0] * direction[0][1];
    force[unknown[0]] = -(rest[0] * direction[1][1] - rest[1] * direction[1][0]) / det;
    force[unknown[1]] = -(rest[1] * direction[0][0] - rest[0] * direction[0][1]) / det;
    return 1;
}

void bridgeStatics(int truss, double at, double force[BRIDGE_BARS])
{
    const double share = truss ? 1 - nearShare : nearShare;
    double load[NODES][2] = {{0}}, moment = 0, sum = 0, x, z;
    for (int i = 0; i < NODES; i++) {
        nodePlace(i, &x, &z);
        load[i][1] = -SCENE_GRAVITY * (i < TOP ? deckMass + share * lorryMass * leverShare(i, at) : topMass);
        moment += load[i][1] * x;
        sum += load[i][1];
    }
    const double right = -moment / (PANELS * panel);
    load[B6][1] += right;
    load[B0][1] += -sum - right;
    for (int i = 0; i < BRIDGE_BARS; i++)
        force[i] = NAN;
    // a truss of triangles always has a node with two unknown bars
    for (int round = 0; round < NODES; round++)
        for (int i = 0; i < NODES; i++)
            solveJoint(i, (const double(*)[2])load, force);
}

double bridgeFirstBreak(int *which)
{
    const double fine = 1e-3;  // m
    double force[BRIDGE_BARS];
    for (int i = 0; i * fine <= PANELS * panel; i++)
        for (int truss = 0; truss < BRIDGE_TRUSSES; truss++) {
            bridgeStatics(truss, i * fine, force);
            for (int k = 0; k < BRIDGE_BARS; k++)
                if (fabs(force[k]) > bridgeLimit(k)) {
                    *which = truss * BRIDGE_BARS + k;
                    return i * fine;
                }
        }
    return NAN;
}

/* --- the bridge */

static dJointID addRod(Scene *scene, dBodyID first, dBodyID second, const double foot[3])
{
    dJointID rod = sceneAddJoint(scene, dJointCreateDBall(scene->world, NULL), first, second);
    const dReal *a = dBodyGetPosition(first);
    double b[3];
    if (second)
        COPY3(b, dBodyGetPosition(second));
    else
        COPY3(b, foot);
    dJointSetDBallAnchor1(rod, a[0], a[1], a[2]);
    dJointSetDBallAnchor2(rod, b[0], b[1], b[2]);
    return rod;
}

/* Creates both trusses, then bars and bearings that hold them upright. These transmit no load from
 * one truss to the other. */
static Scene *build(void)
{
    enum { JOINTS = 2 * BRIDGE_BARS + (NODES - 1) + DECK_DIAGONALS + TOP_DIAGONALS + 1 + 2 * HELD };
    Scene *scene = sceneCreate(BRIDGE_TRUSSES * NODES, JOINTS);
    if (!scene)
        return NULL;
    for (int i = 0; i < BRIDGE_TRUSSES * NODES; i++) {
        double x, z;
        nodePlace(i % NODES, &x, &z);
        sceneAddSphere(scene, i % NODES < TOP ? deckMass : topMass, 0.15, x, i < NODES ? -halfWidth : halfWidth, z);
    }
    dBodyID *near = scene->body, *far = scene->body + NODES;
    for (int i = 0; i < BRIDGE_TRUSSES * BRIDGE_BARS; i++) {
        dBodyID *node = i < BRIDGE_BARS ? near : far;
        addRod(scene, node[bar[i % BRIDGE_BARS].node[0]], node[bar[i % BRIDGE_BARS].node[1]], NULL);
    }
    for (int i = 1; i < NODES; i++)
        addRod(scene, near[i], far[i], NULL);
    for (int i = 0; i < NODES - 1; i++)
        if (i != B6)
            addRod(scene, near[i], far[i + 1], NULL);
    addRod(scene, near[B0], far[T1], NULL);
    for (int i = 0; i < BRIDGE_TRUSSES; i++) {
        dBodyID *node = i ? far : near;
        const dReal *start = dBodyGetPosition(node[B0]), *end = dBodyGetPosition(node[B6]);
        sceneAddBall(scene, node[B0], NULL, (const double[3]){start[0], start[1], start[2]});
        addRod(scene, node[B6], NULL, (const double[3]){end[0], end[1], end[2] - rocker});
    }
    return scene;
}

/* Moves the lorry's shape for viewers; loadDeck applies its weight. */
static void showLorry(const Bridge *bridge)
{
    dGeomSetPosition(bridge->shape, bridge->lorry, (1 - 2 * nearShare) * halfWidth, 0.5 * lorrySide[2]);
}

/* Removes a bar that breaks. */
static void snap(Bridge *bridge, int which, double load, double errorBar)
{
    double statics[BRIDGE_BARS];
    const double at = bridge->lorry;
    bridgeStatics(which / BRIDGE_BARS, at, statics);
    if (bridge->breaks < BRIDGE_BREAKS)
        bridge->broken[bridge->breaks++] = (BridgeBreak){.bar = which,
                                                         .time = at / speed,
                                                         .lorry = at,
                                                         .load = load,
                                                         .errorBar = errorBar,
                                                         .statics = fabs(statics[which % BRIDGE_BARS])};
    bridge->isBroken[which] = 1;
    dJointDestroy(bridge->run.scene->joint[which]);
}

/* The library calls this when a bar's load exceeds its limit. */
static void onLoad(const ksThresholdEvent *event, void *user)
{
    Bridge *bridge = user;
    for (int i = 0; event->phase == KS_THRESHOLD_ENTERED && i < BRIDGE_TRUSSES * BRIDGE_BARS; i++)
        if (!bridge->isBroken[i] && bridge->run.scene->joint[i] == event->reaction->joint)
            snap(bridge, i, event->load, event->errorBar);
}

void bridgeBegin(Kit *kit, ksValue by, KitWay way, Bridge *bridge)
{
    *bridge = (Bridge){.by = by};
    Scene *scene = build();
    bridge->shape = scene ? sceneAddShape(scene, NULL, lorrySide) : NULL;
    bridge->run = kitBegin(kit, scene, by == KS_ENGINE ? "bridge, by the engine" : "bridge, by physical values", way);
    for (int i = 0; i < BRIDGE_TRUSSES * BRIDGE_BARS; i++) {
        dJointID joint = bridge->run.scene->joint[i];
        ksThreshold limits;
        ksThresholdInit(&limits);
        limits.forceMagnitude = bridgeLimit(i);
        char name[32];
        snprintf(name, sizeof name, "%s %s", bridgeBarName(i), i < BRIDGE_BARS ? "near" : "far");
        kitCheck(kit, ksInspectorSetName(bridge->run.inspector, joint, name), "ksInspectorSetName");
        if (by == KS_PHYSICAL)
            kitCheck(kit, ksInspectorOnThreshold(bridge->run.inspector, joint, &limits, onLoad, bridge),
                     "ksInspectorOnThreshold");
    }
}

static void loadDeck(const Bridge *bridge)
{
    for (int i = 0; i < BRIDGE_TRUSSES; i++)
        for (int node = B0; node <= B6; node++)
            dBodyAddForce(bridge->run.scene->body[i * NODES + node], 0, 0,
                          -(i ? 1 - nearShare : nearShare) * lorryMass * SCENE_GRAVITY *
                              leverShare(node, bridge->lorry));
}

/* Breaks bars by dJointFeedback, as hosts do that trust it. */
static void breakByReport(Bridge *bridge)
{
    for (int i = 0; i < BRIDGE_TRUSSES * BRIDGE_BARS; i++) {
        if (bridge->isBroken[i])
            continue;
        const double load = kitNorm(bridge->force[i][KS_ENGINE]);
        if (load > bridgeLimit(i))
            snap(bridge, i, load, NAN);
    }
}

int bridgeStep(Bridge *bridge)
{
    KitRun *run = &bridge->run;
    if (run->done == run->way.steps)
        return 0;
    bridge->lorry = speed * run->way.step * run->done;
    loadDeck(bridge);
    showLorry(bridge);
    dJointID joint[BRIDGE_TRUSSES * BRIDGE_BARS];
    for (int i = 0; i < BRIDGE_TRUSSES * BRIDGE_BARS; i++)
        joint[i] = bridge->isBroken[i] ? NULL : run->scene->joint[i];
    kitStep(run);
    int isOpen = 0;
    for (int i = 0; i < BRIDGE_TRUSSES * BRIDGE_BARS; i++) {
        // a bar that breaks in this step still has its reaction
        const ksReaction *reaction = joint[i] ? ksInspectorGetReaction(run->inspector, joint[i]) : NULL;
        isOpen |= reaction && (reaction->freeCount > 0 || isnan(reaction->physical[0].force[0]));
        for (int k = 0; k < 3; k++) {
            bridge->force[i][KS_ENGINE][k] = reaction ? reaction->engine[0].force[k] : NAN;
            bridge->force[i][KS_PHYSICAL][k] = reaction ? reaction->physical[0].force[k] : NAN;
        }
    }
    bridge->openSteps += isOpen;
    if (bridge->by == KS_ENGINE)
        breakByReport(bridge);
    return 1;
}

static const KitColumn column[] = {
    {"bars break by", 0, NULL}, {"bar", 5, NULL},       {"truss", 0, NULL},        {"time s", 6, "%.3f"},
    {"lorry at m", 0, "%.2f"},  {"load kN", 0, "%.1f"}, {"statics kN", 0, "%.1f"},
};
enum { COLUMNS = sizeof column / sizeof *column, SHOWN = 6 };

static const char *trussName(int which)
{
    return which < BRIDGE_BARS ? "near" : "far";
}

static void showBreak(Kit *kit, const char *by, const BridgeBreak *broken, int isFirst)
{
    const KitCell cell[COLUMNS] = {{.text = by},
                                   {.text = bridgeBarName(broken->bar)},
                                   {.text = trussName(broken->bar)},
                                   {broken->time},
                                   {broken->lorry},
                                   {1e-3 * broken->load},
                                   {isFirst ? 1e-3 * broken->statics : NAN}};
    kitRow(kit, column, COLUMNS, cell);
    kitCsv(kit, "%s,%s,%s,%g,%g,%.9g,%.9g\n", by, bridgeBarName(broken->bar), trussName(broken->bar), broken->time,
           broken->lorry, broken->load, isFirst ? broken->statics : NAN);
}

static void drive(Kit *kit, ksValue by, int shown)
{
    Bridge bridge;
    bridgeBegin(kit, by, kit->way, &bridge);
    kitPlot(kit, "$%s << EOD\n", by == KS_ENGINE ? "engine" : "physical");
    while (bridgeStep(&bridge)) {
        double statics[BRIDGE_BARS];
        bridgeStatics(shown / BRIDGE_BARS, bridge.lorry, statics);
        kitPlot(kit, "%g %g %g\n", bridge.lorry, 1e-3 * kitNorm(bridge.force[shown][by]),
                1e-3 * fabs(statics[shown % BRIDGE_BARS]));
    }
    kitPlot(kit, "EOD\n");
    kitEnd(&bridge.run);
    for (int i = 0; i < bridge.breaks && i < SHOWN; i++)
        showBreak(kit, by == KS_ENGINE ? "engine" : "physical", &bridge.broken[i], i == 0);
    if (!bridge.breaks)
        printf("  %s: no bar breaks\n", by == KS_ENGINE ? "engine" : "physical");
    if (by == KS_PHYSICAL && bridge.openSteps > 0)
        printf(
            "  physical: in %d of %d steps the truss was too far from its shape to determine the force of each bar\n",
            bridge.openSteps, kit->way.steps);
}

static const double sketchRange[4] = {-1, 25, -3, 9};
static const char sketch[] =
    "set arrow from 0,0 to 24,0 as 1\nset arrow from 4,4 to 20,4 as 1\nset arrow from 0,0 to 4,4 as 1\n"
    "set arrow from 24,0 to 20,4 as 1\nset arrow from 4,0 to 4,4 as 1\nset arrow from 8,0 to 8,4 as 1\n"
    "set arrow from 12,0 to 12,4 as 1\nset arrow from 16,0 to 16,4 as 1\nset arrow from 20,0 to 20,4 as 1\n"
    "set arrow from 4,4 to 8,0 as 1\nset arrow from 8,4 to 12,0 as 1\nset arrow from 16,4 to 12,0 as 1\n"
    "set arrow from 20,4 to 16,0 as 1\nset arrow from 8,0 to 12,0 nohead lw 5 lc rgb engine\n"
    "set label 'B2-B3 first, by statics' at 12.3,-0.9\nset object rectangle from 3.6,0.3 to 7.2,2 fc rgb '#dddddd' "
    "front\n"
    "set label '20 t' at 4.3,1.15 front\nset arrow from 5.4,0.3 to 5.4,-1.6 as 4\n";

static void drawPlot(Kit *kit)
{
    kitPlot(kit, "set multiplot layout 1,2 title 'A lorry on a truss bridge, under %s: bar B2-B3' font ',14'\n",
            kitStepperName(kit->way));
    kitSketch(kit, sketchRange, sketch);
    kitPlot(kit,
            "set xlabel 'place of the lorry, m'\nset ylabel 'force, kN'\nset key top left\nset yrange [0:200]\n"
            "set arrow from graph 0,first %g to graph 1,first %g as 3\n"
            "plot $engine using 1:2 with lines lc rgb engine title 'engine', "
            "$physical using 1:3 with lines lw 4 lc rgb closed title 'statics', "
            "$physical using 1:2 with lines lc rgb physical title 'physical'\nunset multiplot\n",
            1e-3 * slender, 1e-3 * slender);
}

int storyBridge(int argc, char **argv)
{
    const KitDemo demo = {.purpose = "A lorry on a truss bridge whose bars break at a limit: which breaks, and when?",
                          .takes = KIT_EVERYTHING,
                          .stepper = KS_QUICK_STEP,
                          .step = 0.005,
                          .time = 1.3,
                          .longest = PANELS * panel / speed,
                          .plotWidth = 1300};
    Kit kit;
    kitOpen(&kit, argc, argv, &demo);
    int which;
    const double at = bridgeFirstBreak(&which);
    printf("A lorry of %g t drives at %g m/s over a bridge of two trusses. Bars break at %g kN, stockier ones (above "
           "and at the\n"
           "ends) at %g kN. By the method of joints %s of the %s truss is the first, with the lorry at %.2f m, after "
           "%.3f s.\n\n",
           1e-3 * lorryMass, speed, 1e-3 * slender, 1e-3 * stocky, bridgeBarName(which), trussName(which), at,
           at / speed);
    kitCsv(&kit, "by,bar,truss,time,lorry,load,statics\n");
    kitHead(&kit, column, COLUMNS);
    drive(&kit, KS_ENGINE, which);
    drive(&kit, KS_PHYSICAL, which);
    printf("\nThe first %d bars of each drive, under %s. Statics is that of the whole bridge: once a bar is gone, the "
           "rest\n"
           "falls, and inertia decides.\n",
           SHOWN, kitStepperName(kit.way));
    drawPlot(&kit);
    return kitClose(&kit);
}

KIT_MAIN(storyBridge)

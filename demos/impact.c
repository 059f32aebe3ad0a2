/* impact.c  A chain of links in line is struck: compares the velocities with Lamb's numbers, tests
 * the reciprocal theorem in two runs, and finds the impulse in a joint. Source: Lamb 1911,
 * "Dynamics, Analytical", section 1.
 *
 *     velocity at Q along e by an impulse at P along d
 *         =  velocity at P along d by the same impulse at Q along e
 *
 * An impulse is the force impulse / h during one step. From rest, dWorldStep then gives the
 * mobility of the pose before the step for any h, except for the compliance of its rows. The
 * velocities are those of the points before the step. */
#include "kit.h"

#include <math.h>

static const double upwards[3] = {0, 0, 1}, liftsFarEnd[3] = {0, -1, 0};

/* A place of a blow or a velocity: a node, along z, or the rotation of a link. */
typedef struct Spot {
    const char *name;
    int turning, index;  // turning 1: a link; 0: a node
} Spot;

static const Spot spotTable[] = {{"A", 0, 0}, {"B", 0, 1}, {"C", 0, 2}, {"w1", 1, 0}, {"w2", 1, 1}};
enum { SPOTS = sizeof spotTable / sizeof *spotTable };

static Probe probeAt(const Scene *scene, Spot spot)
{
    return spot.turning ? linksTurning(scene, spot.index, liftsFarEnd) : linksNode(scene, spot.index, upwards);
}

/* The closed form for a straight chain: the rate of a link is the difference of the velocities of
 * its ends. */
static double mobility(int count, Spot at, Spot from)
{
    double sum = 0;
    for (int i = 0; i <= at.turning; i++)
        for (int j = 0; j <= from.turning; j++)
            sum += (i == at.turning ? 1 : -1) * (j == from.turning ? 1 : -1) *
                   linksMobility(count, at.index + i, from.index + j);
    return sum;
}

static Scene *create(Kit *kit, const Links *links)
{
    Scene *scene = sceneLinks(links);
    kitCheck(kit, scene ? KS_OK : KS_ERROR_NO_MEMORY, "sceneLinks");
    return scene;
}

/* Strikes at `from` with a unit impulse, makes one step, and returns the velocity at `at`. */
static double strike(Kit *kit, const Links *links, Spot at, Spot from)
{
    Scene *scene = create(kit, links);
    Probe struck = probeAt(scene, from), watched = probeAt(scene, at);
    probeStrike(&struck, 1, kit->way.step);
    dWorldStep(scene->world, kit->way.step);
    double velocity = probeVelocity(&watched);
    sceneDestroy(scene);
    return velocity;
}

static void showLambsNumbers(Kit *kit)
{
    const Links links = {.count = 2};
    static const KitColumn column[] = {
        {"P", 4, NULL},
        {"Q", 4, NULL},
        {"closed form", 0, "%.4f"},
        {"blow at P, Q's velocity", 0, "%.9f"},
        {"blow at Q, P's", 0, "%.9f"},
        {"run 1 - run 2", 0, "%.1e"},
        {"off", 8, "%.1e"},
    };
    enum { COLUMNS = sizeof column / sizeof *column };
    printf(
        "Two links A-B-C of 1 kg and 1 m in a line, struck across by 1 N.s, or turned by 1 N.m.s (w1, w2: the links'\n"
        "angular velocities): coefficients of mobility, by two runs of dWorldStep\n\n");
    kitHead(kit, column, COLUMNS);
    for (int p = 0; p < SPOTS; p++) {
        for (int q = p; q < SPOTS; q++) {
            double lamb = mobility(links.count, spotTable[q], spotTable[p]);
            double first = strike(kit, &links, spotTable[q], spotTable[p]);
            double second = strike(kit, &links, spotTable[p], spotTable[q]);
            KitCell cell[COLUMNS] = {{.text = spotTable[p].name},
                                     {.text = spotTable[q].name},
                                     {lamb},
                                     {first},
                                     {second},
                                     {first - second},
                                     {first - lamb}};
            kitRow(kit, column, COLUMNS, cell);
            kitCsv(kit, "mobility,%s,%s,%.9g,%.15g,%.15g\n", spotTable[p].name, spotTable[q].name, lamb, first, second);
        }
    }
}

/* Shows the joint's impulse and the velocity of A for several step sizes. Returns the error of the
 * physical impulse, N.s. */
static double showStepSizes(Kit *kit)
{
    double rounding = 0;
    const Links links = {.count = 2};
    static const double size[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5};
    static const KitColumn column[] = {
        {"step ms", 0, "%g"}, {"engine", 8, "%.1e"},       {"converged", 0, "%.1e"},  {"physical", 8, "%.1e"},
        {"verdict", 8, NULL}, {"A's velocity", 0, "%.1e"}, {"A's, CFM 0", 0, "%.1e"}, {"A's, turned pose", 0, "%.1e"},
    };
    enum { COLUMNS = sizeof column / sizeof *column };
    printf("\nA blow at A: distance of the impulse in joint B from its closed form, %g N.s, and of A's velocity from "
           "7/2\n\n",
           linksJointImpulse(2, 1, 0));
    kitHead(kit, column, COLUMNS);
    kitPlot(kit, "$size << EOD\n");
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        double velocity[2], turned = 0, impulse[3] = {0};
        const char *verdict = "";
        for (int rigid = 0; rigid < 2; rigid++) {
            KitRun world = kitBegin(kit, sceneLinks(&links), rigid ? "two links, CFM 0" : "two links",
                                    (KitWay){KS_WORLD_STEP, 20, size[i], 1});
            Scene *scene = world.scene;
            if (rigid)
                dWorldSetCFM(scene->world, 0);
            Probe a = linksNode(scene, 0, upwards);
            probeStrike(&a, 1, size[i]);
            kitStep(&world);
            velocity[rigid] = probeVelocity(&a);
            const ksReaction *joint = ksInspectorGetReaction(world.inspector, scene->joint[0]);
            if (!rigid) {
                verdict = ksVerdictName(joint->verdict);
                impulse[KS_ENGINE] = size[i] * joint->engine[0].force[2];
                impulse[KS_CONVERGED] = size[i] * joint->converged[0].force[2];
                impulse[KS_PHYSICAL] = size[i] * joint->physical[0].force[2];
                Probe after = linksNode(scene, 0, upwards);
                turned = probeVelocity(&after);
            }
            kitEnd(&world);
        }
        double formula = linksJointImpulse(2, 1, 0), mobilityAA = linksMobility(2, 0, 0);
        KitCell cell[COLUMNS] = {{1000 * size[i]},
                                 {fabs(impulse[KS_ENGINE] - formula)},
                                 {fabs(impulse[KS_CONVERGED] - formula)},
                                 {fabs(impulse[KS_PHYSICAL] - formula)},
                                 {.text = verdict},
                                 {fabs(velocity[0] - mobilityAA)},
                                 {fabs(velocity[1] - mobilityAA)},
                                 {fabs(turned - mobilityAA)}};
        kitRow(kit, column, COLUMNS, cell);
        kitCsv(kit, "impulse,%g,,%.9g,%.15g,%.15g\n", size[i], formula, impulse[KS_ENGINE], impulse[KS_PHYSICAL]);
        kitPlot(kit, "%g %g %g\n", size[i], cell[1].number, cell[7].number);
        rounding = fmax(rounding, cell[3].number);
    }
    kitPlot(kit, "EOD\n");
    printf(
        "\nThe engine's error grows as the step shrinks: its rows yield by CFM / h per N.s. Without CFM the impulse\n"
        "is exact at any step size. Velocities of the points in the pose after the step, which has turned by w h,\n"
        "have an error of the order of h^2.\n");
    return rounding;
}

/* Bertrand: each further constraint lowers the energy of a given impulse. */
static void showHeld(Kit *kit)
{
    static const struct {
        const char *name;
        LinkSupport support;
        double lamb;  // 2 T / P^2
    } held[] = {{"free", LINKS_FREE, 7.0 / 2},
                {"C held", LINKS_END_HELD, 24.0 / 7},
                {"B held", LINKS_JOINT_HELD, 3},
                {"B rigid", LINKS_JOINT_RIGID, 2}};
    static const KitColumn column[] = {
        {"", 8, NULL}, {"closed form", 0, "%.6f"}, {"engine", 12, "%.9f"}, {"off", 8, "%.1e"}};
    enum { COLUMNS = sizeof column / sizeof *column };
    printf("\nBertrand's theorem: 2 T / P^2 of a blow P at A, lower with each constraint\n\n");
    kitHead(kit, column, COLUMNS);
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        const Links links = {.count = 2, .support = held[i].support};
        double twiceEnergy = strike(kit, &links, spotTable[0], spotTable[0]);  // 2 T = P times the
                                                                               // velocity
        KitCell cell[COLUMNS] = {{.text = held[i].name}, {held[i].lamb}, {twiceEnergy}, {twiceEnergy - held[i].lamb}};
        kitRow(kit, column, COLUMNS, cell);
        kitCsv(kit, "energy,%s,,%.9g,%.15g,\n", held[i].name, held[i].lamb, twiceEnergy);
    }
}

/* Compares the two runs on a chain bent in space, for several numbers of iterations; 0:
 * dWorldStep. */
static void showReciprocity(Kit *kit, int count)
{
    static const int iterations[] = {0, 10, 20, 50, 100, 200, 500, 1000, 2000};
    static const double d[3] = {0.6, 0, 0.8}, e[3] = {0, 0.6, 0.8};
    const Links links = {.count = count, .bend = 0.3};
    static const KitColumn column[] = {
        {"stepper", 22, NULL},         {"blow at P, Q's velocity", 0, "%.9f"},
        {"blow at Q, P's", 0, "%.9f"}, {"run 1 - run 2", 0, "%.1e"},
        {"worst verdict", 15, NULL},
    };
    enum { COLUMNS = sizeof column / sizeof *column };
    printf("\n%d links bent in space, P their first node, Q the middle one, d = (.6, 0, .8), e = (0, .6, .8); m/s\n\n",
           count);
    kitHead(kit, column, COLUMNS);
    kitPlot(kit, "$reciprocity << EOD\n");
    for (size_t i = 0; i < sizeof iterations / sizeof *iterations; i++) {
        const KitWay way = {iterations[i] ? KS_QUICK_STEP : KS_WORLD_STEP, iterations[i] ? iterations[i] : 20,
                            kit->way.step, 1};
        const char *name = kitStepperName(way);
        double velocity[2];
        ksVerdict worst = KS_VALID;
        for (int run = 0; run < 2; run++) {
            KitRun world = kitBegin(kit, sceneLinks(&links), run ? "blow at Q" : "blow at P", way);
            Scene *scene = world.scene;
            Probe p = linksNode(scene, 0, d), q = linksNode(scene, count / 2, e);
            probeStrike(run ? &q : &p, 1, way.step);
            kitStep(&world);
            velocity[run] = probeVelocity(run ? &p : &q);
            for (int k = 0; k < scene->jointCount; k++) {
                const ksReaction *joint = ksInspectorGetReaction(world.inspector, scene->joint[k]);
                worst = joint->verdict < worst ? joint->verdict : worst;
            }
            kitEnd(&world);
        }
        KitCell cell[COLUMNS] = {
            {.text = name}, {velocity[0]}, {velocity[1]}, {velocity[0] - velocity[1]}, {.text = ksVerdictName(worst)}};
        kitRow(kit, column, COLUMNS, cell);
        kitCsv(kit, "reciprocity,%s,,,%.15g,%.15g\n", name, velocity[0], velocity[1]);
        if (iterations[i])
            kitPlot(kit, "%d %g\n", iterations[i], fmax(fabs(velocity[0] - velocity[1]), 1e-17));
    }
    kitPlot(kit, "EOD\n");
    printf("\nA step that was not solved breaks the reciprocal theorem, though momentum balances in it.\n");
}

/* Plots the effect of a blow at the end of a long chain: each node moves by slightly more than a
 * quarter of the one before, in the opposite direction. */
static void plotNodes(Kit *kit, int count)
{
    const Links links = {.count = count};
    kitPlot(kit, "$nodes << EOD\n");
    for (int i = 0; i <= count; i++) {
        Spot end = {"end", 0, 0}, node = {"node", 0, i};
        kitPlot(kit, "%d %g %g\n", i, linksMobility(count, i, 0), kit->plot ? strike(kit, &links, node, end) : 0);
    }
    kitPlot(kit, "EOD\n");
}

static const double sketchRange[4] = {-0.4, 2.6, -1.6, 1.4};
static const char sketch[] =
    "set arrow from 0,0 to 1,0 as 1\nset arrow from 1,0 to 2,0 as 1\n"
    "set object circle at 1,0 size 0.06 fc rgb 'white' front\n"
    "set label 'A' at 0,-0.2 center\nset label 'B' at 1,-0.2 center\nset label 'C' at 2,-0.2 center\n"
    "set label '1 kg, 1 m' at 0.5,-0.45 center\nset label '1 kg, 1 m' at 1.5,-0.45 center\n"
    "set arrow from 0,0.8 to 0,0.1 as 4\nset label 'blow, 1 N.s' at 0.1,0.6\n";

static void drawPlot(Kit *kit, int count, double rounding)
{
    kitPlot(kit, "set multiplot layout 1,5 title 'A chain of straight links is struck' font ',14'\n");
    kitSketch(kit, sketchRange, sketch);
    kitPlot(kit,
            "set title '%d straight links, 1 N.s at the first node'\nset xlabel 'node'\nset ylabel 'velocity, m/s'\n"
            "set offsets 0.3,0.3,0,0\n"
            "plot $nodes using 1:2 with linespoints pt 6 ps 2 lc rgb closed title 'closed form', "
            "'' using 1:3 with points pt 7 lc rgb engine title 'engine'\n"
            "set logscale xy\nset format xy '10^{%%T}'\nset xlabel 'step size, s'\nset xtics 100\n"
            "set title 'two links: impulse in B, off its closed form'\nset ylabel 'distance, N.s'\n"
            "set key at graph 0.98,0.45\nset yrange [1e-17:1e-5]\nset xrange [5e-6:0.2]\nset offsets 0,0,0,0\n"
            "plot $size using 1:2 with linespoints pt 7 lc rgb engine title 'engine', "
            "%g with lines lc rgb physical title 'physical: no more (rounding)'\n"
            "set key default top left\nset title 'two links: velocity of A, off its closed form'\nset ylabel "
            "'distance, m/s'\nset yrange "
            "[1e-8:100]\nset "
            "key top left\n"
            "plot $size using 1:3 with linespoints pt 7 lc rgb other title 'engine, pose after the step'\n",
            count, rounding);
    kitPlot(kit,
            "set title '%d bent links, dWorldQuickStep: reciprocity'\nset xlabel 'iterations'\nset xtics 10\n"
            "set key default top right\nset ylabel '|run 1 - run 2|, m/s'\nset autoscale xy\nset format x '%%g'\n"
            "plot $reciprocity using 1:2 with linespoints pt 7 lc rgb engine title 'engine'\nunset multiplot\n",
            count);
}

int main(int argc, char **argv)
{
    int count = 6;
    const KitOption options[] = {
        {"links", "links of the chains in the first and the last plot, and of the bent one in the table", &count, 2,
         50},
        {0}};
    const KitDemo demo = {
        .purpose =
            "A chain of straight links is struck: mobilities, reciprocity, the impulse in a joint. Each run is one\n"
            "step.",
        .takes = KIT_STEP | KIT_SEED | KIT_PLOT | KIT_REPORTS,
        .step = 0.001,
        .options = options,
        .plotWidth = 2000};
    Kit kit;
    kitOpen(&kit, argc, argv, &demo);
    kitCsv(&kit, "part,p,q,closed,first,second\n");
    showLambsNumbers(&kit);
    const double rounding = showStepSizes(&kit);
    showHeld(&kit);
    showReciprocity(&kit, count);
    plotNodes(&kit, count);
    drawPlot(&kit, count, rounding);
    return kitClose(&kit);
}

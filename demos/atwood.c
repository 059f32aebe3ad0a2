/* atwood.c  Two loads on strings from two drums on one axle: compares the tensions with their
 * closed form. Source: Banach X, section 7.1; with equal radii it is Atwood's machine.
 *
 *     D = I + m1 R^2 + m2 r^2,   drums g (m1 R - m2 r) / D,   tensions m1 g [I + m2 r (R + r)] / D,
 *                                                             m2 g [I + m1 R (R + r)] / D
 *
 * In the engine a string is a double ball, placed before each step between the load and the
 * material point of the rim that the string is just leaving (scenes.h). Nothing else holds the
 * loads. */
#include "kit.h"

#include <math.h>

static const double skipped = 0.1;  // s; until then ERP's transients are larger than all else
enum { VALUES = 3 };                // KS_ENGINE, KS_CONVERGED, KS_PHYSICAL

typedef struct Run {
    int isPlotted;                                     // the first string
    double worst[STRING_COUNT][VALUES], axle[VALUES];  // N, largest distance after `skipped`
    double slip;                                       // m, error of the loads' paths at the end
    size_t reactions, valid;
} Run;

static const KitColumn historyColumn[] = {
    {"time s", 6, "%.2f"},     {"first string: formula N", 0, "%.5f"},
    {"engine N", 9, "%.5f"},   {"converged N", 0, "%.5f"},
    {"physical N", 0, "%.5f"}, {"verdict", 8, NULL},
};
enum { HISTORY_COLUMNS = sizeof historyColumn / sizeof *historyColumn, HISTORY_ROWS = 4 };

/* A string's force on its load, along the joint's x axis, from the load to the rim; NaN:
 * unknown. */
static double tensionOf(const ksReaction *reaction, ksValue value)
{
    ksWrench wrench;
    ksStatus status = ksReactionGetWrench(reaction, value, 0, KS_FRAME_JOINT, KS_POINT_ANCHOR, &wrench);
    return status == KS_OK ? wrench.force[0] : NAN;
}

/* The force on the axle: both tensions and the drums' weight. */
static double axleForce(const DoublePulley *pulley)
{
    return pulleyTension(pulley, STRING_FIRST) + pulleyTension(pulley, STRING_SECOND) +
           pulley->drumMass * SCENE_GRAVITY;
}

static double axleOf(const ksReaction *reaction, ksValue value)
{
    ksWrench wrench;
    ksStatus status = ksReactionGetWrench(reaction, value, 0, KS_FRAME_WORLD, KS_POINT_ANCHOR, &wrench);
    return status == KS_OK ? kitNorm(wrench.force) : NAN;
}

static void judge(Run *run, const KitRun *world, const DoublePulley *pulley)
{
    for (int side = 0; side < STRING_COUNT; side++) {
        const ksReaction *string = ksInspectorGetReaction(world->inspector, world->scene->joint[side]);
        double formula = pulleyTension(pulley, side);
        for (int v = 0; string->time >= skipped && v < VALUES; v++)
            run->worst[side][v] = fmax(run->worst[side][v], fabs(tensionOf(string, (ksValue)v) - formula));
        run->reactions++;
        run->valid += string->verdict == KS_VALID;
        if (run->isPlotted && side == STRING_FIRST)
            kitPlot(world->kit, "%g %g\n", string->time, fabs(tensionOf(string, KS_ENGINE) - formula));
    }
    const ksReaction *axle = ksInspectorGetReaction(world->inspector, world->scene->joint[AXLE_JOINT]);
    for (int v = 0; axle->time >= skipped && v < VALUES; v++)
        run->axle[v] = fmax(run->axle[v], fabs(axleOf(axle, (ksValue)v) - axleForce(pulley)));
}

static void showState(Kit *kit, const ksReaction *string, double formula)
{
    KitCell cell[HISTORY_COLUMNS] = {
        {string->time},
        {formula},
        {tensionOf(string, KS_ENGINE)},
        {tensionOf(string, KS_CONVERGED)},
        {tensionOf(string, KS_PHYSICAL)},
        {.text = ksVerdictName(string->verdict)},
    };
    kitRow(kit, historyColumn, HISTORY_COLUMNS, cell);
}

static Run fall(Kit *kit, const char *name, const DoublePulley *pulley, KitWay way, int isPlotted, int isShown)
{
    Run run = {.isPlotted = isPlotted};
    double length, rate;
    KitRun world = kitBegin(kit, sceneAtwood(pulley), name, way);
    while (kitStep(&world)) {
        judge(&run, &world, pulley);
        if (isShown && (world.done - 1) % (way.steps / HISTORY_ROWS) == 0)
            showState(kit, ksInspectorGetReaction(world.inspector, world.scene->joint[STRING_FIRST]),
                      pulleyTension(pulley, STRING_FIRST));
    }
    stringState(world.scene, STRING_FIRST, &length, &rate);
    run.slip = fabs(length - pulley->length[STRING_FIRST] -
                    0.5 * pulley->radius[STRING_FIRST] * pulleyAcceleration(pulley) * kit->time * kit->time);
    kitEnd(&world);
    return run;
}

/* Returns the error of the physical value, N. */
static double showStepSizes(Kit *kit, const DoublePulley *pulley)
{
    enum { SIZES = 4 };
    static const KitColumn column[] = {
        {"step ms", 0, "%.3g"},          {"strings: engine N", 0, "%.1e"}, {"converged N", 0, "%.1e"},
        {"physical N", 0, "%.1e"},       {"axle: engine N", 0, "%.1e"},    {"physical N", 0, "%.1e"},
        {"way at the end m", 0, "%.1e"}, {"KS_VALID %", 0, "%.1f"},
    };
    enum { COLUMNS = sizeof column / sizeof *column };
    Run run[SIZES];
    double physical = 0;
    kitHead(kit, historyColumn, HISTORY_COLUMNS);
    for (int i = 0; i < SIZES; i++) {
        kitPlot(kit, "$run%d << EOD\n", i);
        run[i] = fall(kit, "double pulley", pulley, kitFiner(kit->way, 1 << i), 1, i == 0);
        kitPlot(kit, "EOD\n");
    }
    printf("\nLargest distance from the formulas after the first %g s, %s\n\n", skipped, kitStepperName(kit->way));
    kitHead(kit, column, COLUMNS);
    for (int i = 0; i < SIZES; i++) {
        const double *a = run[i].worst[STRING_FIRST], *b = run[i].worst[STRING_SECOND];
        physical = fmax(physical, a[KS_PHYSICAL]);
        KitCell cell[COLUMNS] = {{1000 * kit->way.step / (1 << i)},
                                 {fmax(a[KS_ENGINE], b[KS_ENGINE])},
                                 {fmax(a[KS_CONVERGED], b[KS_CONVERGED])},
                                 {fmax(a[KS_PHYSICAL], b[KS_PHYSICAL])},
                                 {run[i].axle[KS_ENGINE]},
                                 {run[i].axle[KS_PHYSICAL]},
                                 {run[i].slip},
                                 {100 * (double)run[i].valid / (double)run[i].reactions}};
        kitRow(kit, column, COLUMNS, cell);
        kitCsv(kit, "%s,%s,%g,%.6g,%.6g,%.4g,%.4g,%.4g\n", "double pulley", kitStepperName(kit->way),
               kit->way.step / (1 << i), pulleyTension(pulley, STRING_FIRST), pulleyTension(pulley, STRING_SECOND),
               cell[1].number, cell[2].number, cell[3].number);
    }
    if (kitIsUsual(kit))
        printf("\nThe engine turns a body by 2 atan(w h / 2) in a step instead of w h, so the drums turn less than the "
               "strings\n"
               "run: an error of the order of h^2, which ERP keeps correcting. Physical does not see it. The way is "
               "off by\n"
               "half a step's gain of speed, because the engine moves each body with the speed of the step's end.\n");
    printf("\n");
    return physical;
}

static void showMachines(Kit *kit, const DoublePulley *doublePulley)
{
    static const KitColumn column[] = {
        {"machine", 20, NULL},     {"stepper", 15, NULL},        {"first N", 9, "%.4f"},      {"second N", 9, "%.4f"},
        {"engine off", 0, "%.1e"}, {"converged off", 0, "%.1e"}, {"physical off", 0, "%.1e"}, {"KS_VALID %", 0, "%.1f"},
    };
    enum { COLUMNS = sizeof column / sizeof *column };
    DoublePulley machine[3] = {*doublePulley, *doublePulley, *doublePulley};
    static const char *const name[] = {"double pulley", "Atwood", "Atwood, light pulley"};
    machine[1].radius[STRING_SECOND] = machine[2].radius[STRING_SECOND] = doublePulley->radius[STRING_FIRST];
    machine[2].inertia = 1e-3;
    KitWay way = kitFiner(kit->way, 4);
    printf(
        "Three machines, steps of %g ms: that one, with both drums of %g m (Atwood), and with an inertia of %g kg m^2\n"
        "as well; \"off\" is the distance of the worse string from the formula, N\n\n",
        1000 * way.step, machine[2].radius[0], machine[2].inertia);
    kitHead(kit, column, COLUMNS);
    for (int i = 0; i < 6; i++) {
        const DoublePulley *pulley = &machine[i / 2];
        way.stepper = i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP;
        Run run = fall(kit, name[i / 2], pulley, way, 0, 0);
        KitCell cell[COLUMNS] = {{.text = i % 2 ? "" : name[i / 2]},
                                 {.text = i % 2 ? "dWorldQuickStep" : "dWorldStep"},
                                 {pulleyTension(pulley, STRING_FIRST)},
                                 {pulleyTension(pulley, STRING_SECOND)}};
        for (int v = 0; v < VALUES; v++)
            cell[4 + v].number = fmax(run.worst[STRING_FIRST][v], run.worst[STRING_SECOND][v]);
        cell[7].number = 100 * (double)run.valid / (double)run.reactions;
        kitRow(kit, column, COLUMNS, cell);
        kitCsv(kit, "%s,%s,%g,%.6g,%.6g,%.4g,%.4g,%.4g\n", name[i / 2], kitStepperName(way), way.step, cell[2].number,
               cell[3].number, cell[4].number, cell[5].number, cell[6].number);
    }
}

static const double sketchRange[4] = {-1.7, 1.7, -2.6, 1.2};
static const char sketch[] =
    "set object circle at 0,0 size 0.8 fc rgb '#eeeeee'\nset object circle at 0,0 size 0.45 fc rgb 'white'\n"
    "set object circle at 0,0 size 0.06 fc rgb '#555555'\nset label 'axle' at 0,0.2 center\n"
    "set arrow from -0.8,0 to -0.8,-1.5 as 3\nset arrow from 0.45,0 to 0.45,-1.2 as 3\n"
    "set object rectangle from -1.12,-2.15 to -0.48,-1.5 fc rgb '#dddddd'\nset label 'm_1' at -0.8,-1.83 center\n"
    "set object rectangle from 0.2,-1.7 to 0.7,-1.2 fc rgb '#dddddd'\nset label 'm_2' at 0.45,-1.45 center\n"
    "set label 'R' at -0.6,0.72 right\nset label 'r' at 0.4,0.42\n"
    "set arrow from -0.8,-1.4 to -0.8,-0.8 as 4\nset label 'first string' at -0.9,-1.0 right\n";

/* The error of the physical value is rounding: draws one line at its maximum. */
static void drawPlot(Kit *kit, double rounding)
{
    kitPlot(kit, "set multiplot layout 1,2 title 'Double pulley under %s: tension of the first string' font ',14'\n",
            kitStepperName(kit->way));
    kitSketch(kit, sketchRange, sketch);
    kitPlot(kit,
            "set title 'distance from the closed form, by step size'\nset xlabel 'time, s'\nset ylabel 'distance, N'\n"
            "set logscale y\nset format y '10^{%%T}'\nset yrange [1e-16:1]\nset key center right\n"
            "plot for [i=0:3] '$run'.i using 1:2 with lines lc rgb engine dt i+1 lw 1.3 "
            "title sprintf('engine, %%.3g ms', %g / 2.0**i), "
            "%g with lines lc rgb physical title 'physical: no more than this (rounding)'\nunset multiplot\n",
            1000 * kit->way.step, rounding);
}

int main(int argc, char **argv)
{
    const KitDemo demo = {
        .purpose =
            "Loads on a double pulley, and on Atwood's machine: tensions against their closed forms. --step: of the\n"
            "coarsest run, beside three finer ones.",
        .takes = KIT_EVERYTHING,
        .stepper = KS_WORLD_STEP,
        .step = 0.01,
        .time = 0.8,
        .longest = 1.8,  // the second load nears its drum
        .fewest = HISTORY_ROWS,
        .plotWidth = 1200,
        .plotHeight = 480};
    Kit kit;
    kitOpen(&kit, argc, argv, &demo);
    const DoublePulley *pulley = &sceneDoublePulley;
    printf("%g kg and %g kg on drums of %g m and %g m, inertia %g kg m^2, g = %g m/s^2; from rest the drums gain %.5f "
           "rad/s^2\n\n",
           pulley->mass[0], pulley->mass[1], pulley->radius[0], pulley->radius[1], pulley->inertia, SCENE_GRAVITY,
           pulleyAcceleration(pulley));
    printf(
        "Strings: double balls from the loads' mass centres to the rims, put anew before each step where the strings\n"
        "leave the rims; they could push, too, but the tensions are positive all the time.\n\n");
    kitCsv(&kit, "machine,stepper,step,first,second,engine_off,converged_off,physical_off\n");
    const double rounding = showStepSizes(&kit, pulley);
    showMachines(&kit, pulley);
    drawPlot(&kit, rounding);
    return kitClose(&kit);
}

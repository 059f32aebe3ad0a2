/* incline.c  Two bodies on two inclined planes, joined by a string over the edge: the tension and
 * the forces of the planes against their closed forms.   Source: Paulus 1910, first example.
 *
 *     q'' = g (m sin a - m' sin a') / (m + m'),   tension = m m' g (sin a + sin a') / (m + m'),
 *     planes m g cos a
 *
 * In the engine a plane is a slider. The string is two double balls that meet in a light pulley,
 * placed before each step (scenes.h). Its inertia I counts as a mass I / r^2 in the formulas. The
 * second part decreases it. */
#include "kit.h"
#include "scenes/scenes_private.h"

#include <math.h>

static const double skipped = 0.1;  // s; until then ERP's transients are larger than all else
enum { VALUES = 3 };                // KS_ENGINE, KS_CONVERGED, KS_PHYSICAL
enum { STRINGS, PLANES, KINDS };

typedef struct Run {
    double first[KINDS][VALUES], later[KINDS][VALUES];  // N, errors: of the first step; largest
                                                        // after `skipped`
    double tension[VALUES];                             // N, of the first string, last step
    size_t reactions, valid;
    ksVerdict verdict;  // of the first string, last step
    int isOpen;         // 1: its tension is undetermined
} Run;

/* The string's force is along the joint's x axis, which points from the load to the rim. A plane's
 * force is across the slider's axis. NaN: unknown. */
static double forceOf(const ksReaction *reaction, ksValue value)
{
    ksWrench wrench;
    if (ksReactionGetWrench(reaction, value, 0, KS_FRAME_JOINT, KS_POINT_MASS_CENTRE, &wrench) != KS_OK)
        return NAN;
    return reaction->type == dJointTypeSlider ? hypot(wrench.force[1], wrench.force[2]) : wrench.force[0];
}

static void judge(Run *run, const ksReaction *reaction, double formula, int kind)
{
    for (int v = 0; v < VALUES; v++) {
        double distance = fabs(forceOf(reaction, (ksValue)v) - formula);
        if (reaction->step == 0)
            run->first[kind][v] = fmax(run->first[kind][v], distance);
        if (reaction->time >= skipped)
            run->later[kind][v] = fmax(run->later[kind][v], distance);
    }
    run->reactions++;
    run->valid += reaction->verdict == KS_VALID;
}

/* Adds shapes of the planes for viewers. The sliders hold the loads. */
static Scene *addPlanes(Scene *scene, const Planes *planes)
{
    const double thickness = 0.02, below = 0.1 + 0.5 * thickness, beyond = 0.5;
    for (int i = 0; scene && i < STRING_COUNT; i++) {
        const dReal *at = dBodyGetPosition(scene->body[i]), *axes = dBodyGetRotation(scene->body[i]);
        const double length = planes->length[i] + beyond, back = 0.5 * (planes->length[i] - beyond);
        const double side = axes[10] > 0 ? -below : below;
        dGeomID shape = sceneAddShape(scene, NULL, (const double[3]){length, 0.4, thickness});
        // x is along the plane
        dGeomSetPosition(shape, at[0] - back * axes[0] + side * axes[2], 0, at[2] - back * axes[8] + side * axes[10]);
        dGeomSetRotation(shape, axes);
    }
    return scene;
}

static Run slide(Kit *kit, const Planes *planes, KitWay way)
{
    Run run = {0};
    char name[48];
    snprintf(name, sizeof name, "pulley of %.0e kg", planes->inertia / (planes->radius * planes->radius));
    KitRun world = kitBegin(kit, addPlanes(sceneIncline(planes), planes), name, way);
    const dJointID *joint = world.scene->joint;
    while (kitStep(&world))
        for (int side = 0; side < STRING_COUNT; side++) {
            const ksReaction *string = ksInspectorGetReaction(world.inspector, joint[side]);
            const ksReaction *plane = ksInspectorGetReaction(world.inspector, joint[PLANE_FIRST + side]);
            judge(&run, string, planesTension(planes, side), STRINGS);
            judge(&run, plane, planesNormal(planes, side), PLANES);
        }
    const ksReaction *string = ksInspectorGetReaction(world.inspector, joint[STRING_FIRST]);
    for (int v = 0; v < VALUES; v++)
        run.tension[v] = forceOf(string, (ksValue)v);
    run.verdict = string->verdict;
    run.isOpen = string->freeCount > 0;
    kitEnd(&world);
    return run;
}

static void showStepSizes(Kit *kit, const Planes *planes)
{
    enum { SIZES = 4 };
    static const KitColumn column[] = {
        {"step ms", 0, "%.3g"},  {"tension: engine", 0, "%.1e"}, {"converged", 0, "%.1e"},
        {"physical", 0, "%.1e"}, {"planes: engine", 0, "%.1e"},  {"converged", 0, "%.1e"},
        {"physical", 0, "%.1e"}, {"KS_VALID %", 0, "%.1f"},
    };
    enum { COLUMNS = sizeof column / sizeof *column };
    for (int part = 0; part < 2; part++) {
        printf(part ? "\nand after the first %g s\n\n" : "Distance from the formulas, N: in the first step\n\n",
               skipped);
        kitHead(kit, column, COLUMNS);
        for (int i = 0; i < SIZES; i++) {
            Run run = slide(kit, planes, kitFiner(kit->way, 1 << i));
            KitCell cell[COLUMNS] = {{1000 * kit->way.step / (1 << i)}};
            for (int v = 0; v < VALUES; v++) {
                cell[1 + v].number = part ? run.later[STRINGS][v] : run.first[STRINGS][v];
                cell[4 + v].number = part ? run.later[PLANES][v] : run.first[PLANES][v];
            }
            cell[7].number = 100 * (double)run.valid / (double)run.reactions;
            kitRow(kit, column, COLUMNS, cell);
            kitCsv(kit, "%s,%s,%g,%g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g\n", part ? "later" : "first step",
                   kitStepperName(kit->way), kit->way.step / (1 << i), planes->inertia, cell[1].number, cell[2].number,
                   cell[3].number, cell[4].number, cell[5].number, cell[6].number);
        }
    }
    if (kitIsUsual(kit))
        printf(
            "\nThe accelerations are constant, so the step size causes no error. The engine's error in the first step\n"
            "comes from the compliance (CFM) of its rows: a velocity CFM F, gained within one step, so the error\n"
            "grows as the step shrinks. Later errors are rounding, amplified by the pulley's small inertia.\n");
}

static void showInertias(Kit *kit, const Planes *planes)
{
    static const KitColumn column[] = {
        {"I/r^2 kg", 0, "%.0e"},  {"without it", 0, "%.1e"}, {"engine", 7, "%.1e"},
        {"physical", 0, "%.1e"},  {"verdict", 16, NULL},     {"QuickStep: N", 0, "%.3f"},
        {"converged", 9, "%.3g"}, {"physical", 0, "%.3f"},   {"verdict", 8, NULL},
    };
    enum { COLUMNS = sizeof column / sizeof *column };
    Planes ideal = *planes;
    ideal.inertia = 0;
    double tension = planesTension(&ideal, STRING_FIRST);
    KitWay world = kitFiner(kit->way, 4), shuffled = world;
    world.stepper = KS_WORLD_STEP;
    shuffled.stepper = KS_QUICK_STEP;
    printf("\nA lighter and lighter pulley, steps of %g ms. Distances, N: of the formula with its inertia from\n"
           "Paulus's formula; of the engine (dWorldStep) and physical from the former. Then the tension by\n"
           "dWorldQuickStep; by Paulus it is %.3f N\n\n",
           1000 * world.step, tension);
    kitHead(kit, column, COLUMNS);
    kitPlot(kit, "$inertia << EOD\n");
    for (int power = 0; power <= 9; power++) {
        Planes light = *planes;
        double mass = pow(10, -power);
        light.inertia = mass * planes->radius * planes->radius;
        Run direct = slide(kit, &light, world), quick = slide(kit, &light, shuffled);
        KitCell cell[COLUMNS] = {{mass},
                                 {fabs(planesTension(&light, STRING_FIRST) - tension)},
                                 {direct.later[STRINGS][KS_ENGINE]},
                                 {direct.isOpen ? NAN : direct.later[STRINGS][KS_PHYSICAL]},
                                 {.text = ksVerdictName(direct.verdict)},
                                 {quick.tension[KS_ENGINE]},
                                 {quick.tension[KS_CONVERGED]},
                                 {quick.isOpen ? NAN : quick.tension[KS_PHYSICAL]},
                                 {.text = ksVerdictName(quick.verdict)}};
        kitRow(kit, column, COLUMNS, cell);
        kitPlot(kit, "%g %g %g %g %g %s\n", mass, cell[1].number, cell[2].number, cell[3].number,
                fabs(quick.tension[KS_ENGINE] - tension), direct.isOpen ? "1e-12" : "nan");
        kitCsv(kit, "lighter,dWorldStep,%g,%g,%.4g,,%.4g,,,\n", world.step, light.inertia, cell[2].number,
               cell[3].number);
    }
    kitPlot(kit, "EOD\n");
    if (kitIsUsual(kit))
        printf(
            "\nA lighter pulley is nearer to Paulus, and nearer to the rounding. With the lightest pulleys the two\n"
            "halves of the string are, for the loads, two equal constraints. Below the rank tolerance (1e-4 of a\n"
            "singular value, 1e-8 of a mass) the library reports this and no tension of either half: -. Under\n"
            "dWorldQuickStep this happens earlier, after the loads have slid apart. The %d iterations of\n"
            "dWorldQuickStep do not pass a force through a body so much lighter than its neighbours: from 1e-4 kg on\n"
            "its reported force is unrelated to the tension, and with the lightest pulleys the loads slide as without\n"
            "a string. Its states depart from the true motion, and converged and physical are values of these "
            "states.\n",
            kit->way.iterations);
}

static const double sketchRange[4] = {-2.2, 4, -0.5, 2.2};
static const char sketch[] =
    "set arrow from -2,0 to 0,1.35 as 2\nset arrow from 0,1.35 to 3.72,0 as 2\nset arrow from -2,0 to 3.72,0 as 3\n"
    "set object circle at 0,1.62 size 0.16 fc rgb 'white'\nset label 'I' at 0,1.62 center\n"
    "set arrow from -1.05,0.98 to -0.1,1.75 as 3\nset arrow from 0.1,1.76 to 1.6,1.15 as 3\n"
    "set object circle at -1.2,0.86 size 0.2 fc rgb '#dddddd'\nset label 'm' at -1.2,0.86 center\n"
    "set object circle at 1.7,1.05 size 0.2 fc rgb '#dddddd'\nset label \"m'\" at 1.7,1.05 center\n"
    "set label 'a' at -1.45,0.15\nset label \"a'\" at 2.9,0.12\n"
    "set arrow from -1.0,1.02 to -0.5,1.43 as 4\nset label 'tension' at -0.75,1.45 right\n";

static void drawPlot(Kit *kit)
{
    kitPlot(kit, "set multiplot layout 1,2 title 'Two planes, a string, and a light pulley' font ',14'\n");
    kitSketch(kit, sketchRange, sketch);
    kitPlot(kit,
            "set title 'tension of the string: distances'\n"
            "set xlabel 'inertia of the pulley, I/r^2, kg'\nset ylabel 'distance, N'\nset logscale xy\n"
            "set format xy '10^{%%T}'\nset xrange [2:5e-10]\nset yrange [1e-19:100]\nset key bottom left Left reverse\n"
            "plot $inertia using 1:2 with linespoints pt 7 lc rgb formula "
            "title 'closed form with the pulley, from the one without', "
            "'' using 1:5 with linespoints pt 7 lc rgb other title 'engine, dWorldQuickStep(%d), from that without', "
            "'' using 1:3 with linespoints pt 7 lc rgb engine title 'engine, dWorldStep, from that with the pulley', "
            "'' using 1:4 with linespoints pt 7 lc rgb physical title 'physical, from the same', "
            "'' using 1:6 with points pt 2 ps 1.5 lc rgb physical title 'physical: undetermined, no value'\n"
            "unset multiplot\n",
            kit->way.iterations);
}

int main(int argc, char **argv)
{
    const KitDemo demo = {
        .purpose =
            "Two bodies on two planes, joined by a string over the edge. --step: of the coarsest run, beside three\n"
            "finer ones.",
        .takes = KIT_EVERYTHING,
        .stepper = KS_WORLD_STEP,
        .step = 0.008,
        .time = 0.8,
        .longest = 1.7,  // the second body nears the edge
        .plotWidth = 1300,
        .plotHeight = 560};
    Kit kit;
    kitOpen(&kit, argc, argv, &demo);
    const Planes *planes = &scenePlanes;
    Planes ideal = *planes;
    ideal.inertia = 0;
    printf("%g kg and %g kg on planes of %.0f and %.0f degrees, a string over the edge between them, g = %g m/s^2\n\n",
           planes->mass[0], planes->mass[1], planes->slope[0] * 180 / M_PI, planes->slope[1] * 180 / M_PI,
           SCENE_GRAVITY);
    printf("Planes: sliders. String: a double ball from each body to the rim of a pulley in the edge, attached again\n"
           "before each step at the point where the string leaves the rim. The pulley has an inertia, I/r^2 = %.0e\n"
           "kg, since only a body passes a force from one joint to another. The formulas include it.\n\n",
           planes->inertia / (planes->radius * planes->radius));
    printf("By Paulus: tension %.6f N, planes %.6f N and %.6f N, acceleration %.6f m/s^2\n\n",
           planesTension(&ideal, STRING_FIRST), planesNormal(&ideal, STRING_FIRST), planesNormal(&ideal, STRING_SECOND),
           planesAcceleration(&ideal));
    kitCsv(&kit, "part,stepper,step,inertia,tension_engine,tension_converged,tension_physical,planes_engine,"
                 "planes_converged,planes_physical\n");
    showStepSizes(&kit, planes);
    showInertias(&kit, planes);
    drawPlot(&kit);
    return kitClose(&kit);
}

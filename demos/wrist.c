/* wrist.c  An arm holds a box of 2 kg, and a force sensor at its wrist weighs it: 19.62 N. The
 * reading depends on the stepper of the world and on the value that the sensor uses.
 *
 * Under dWorldQuickStep no step is solved, and the errors scatter. The physical value of the same
 * steps is nearer. With ksInspectorExactStep both values equal the weight to the last digits. */
#include "stories.h"

#include <math.h>
#include <string.h>

const double wristWeight = 2 * SCENE_GRAVITY;
static const double settled = 1; /* s: by then the motors are at rest */
enum { WRIST = 5, HAND = 5 };

KitRun wristBegin(Kit *kit, KitWay way)
{
    KitRun run = kitBegin(kit, sceneLiftingArm(0), "wrist", way);
    kitCheck(kit, ksInspectorSetName(run.inspector, run.scene->joint[WRIST], "wrist"), "ksInspectorSetName");
    return run;
}

/* The whole sensor. Its tool is the hand: it subtracts the hand's weight. */
static double readForce(const KitRun *run, ksValue value)
{
    ksSensor sensor;
    ksWrench reading;
    ksSensorInit(&sensor);
    sensor.value = value;
    sensor.frame = KS_FRAME_WORLD;
    sensor.toolMass = sceneHandMass;
    kitCheck(run->kit,
             ksSensorRead(&sensor, ksInspectorGetReaction(run->inspector, run->scene->joint[WRIST]), &reading),
             "ksSensorRead");
    return reading.force[2];
}

int wristStep(KitRun *run, WristFigures *figures)
{
    if (!run->done)
        *figures = (WristFigures){0};
    if (!kitStep(run))
        return 0;
    figures->time = ksInspectorGetStepReport(run->inspector)->time;
    figures->count += figures->time > settled;
    for (int i = 0; i < WRIST_VALUES; i++) {
        const double force = readForce(run, i == WRIST_ENGINE ? KS_ENGINE : KS_PHYSICAL);
        figures->force[i] = force;
        if (figures->count == 0)
            continue;
        // running mean and spread
        const double before = force - figures->mean[i];
        figures->mean[i] += before / figures->count;
        figures->square[i] += before * (force - figures->mean[i]);
        figures->spread[i] = sqrt(figures->square[i] / figures->count);
    }
    return 1;
}

static const KitColumn column[] = {
    {"step", 22, NULL}, {"engine N", 0, "%.3f"}, {"+-", 9, "%.2g"}, {"physical N", 0, "%.3f"}, {"+-", 9, "%.2g"},
};
enum { COLUMNS = sizeof column / sizeof *column };

/* place: the hand's at the end */
static WristFigures hold(Kit *kit, KitWay way, double place[3])
{
    WristFigures f = {0};
    KitRun run = wristBegin(kit, way);
    kitPlot(kit, "$%s%d << EOD\n", way.stepper == KS_QUICK_STEP ? "quick" : "exact", way.iterations);
    while (wristStep(&run, &f)) {
        kitCsv(kit, "%s,%g,%.12g,%.12g\n", kitStepperName(way), f.time, f.force[WRIST_ENGINE], f.force[WRIST_PHYSICAL]);
        if (f.count > 0)
            kitPlot(kit, "%g %.12g %.12g\n", f.time, f.force[WRIST_ENGINE], f.force[WRIST_PHYSICAL]);
    }
    kitPlot(kit, "EOD\n");
    const KitCell cell[COLUMNS] = {{.text = kitStepperName(way)},
                                   {f.mean[WRIST_ENGINE]},
                                   {f.spread[WRIST_ENGINE]},
                                   {f.mean[WRIST_PHYSICAL]},
                                   {f.spread[WRIST_PHYSICAL]}};
    kitRow(kit, column, COLUMNS, cell);
    memcpy(place, dBodyGetPosition(run.scene->body[HAND]), 3 * sizeof *place);
    kitEnd(&run);
    return f;
}

static const double sketchRange[4] = {-0.3, 1.3, -0.1, 1.2};
static const char sketch[] =
    "set arrow from -0.2,0 to 1.2,0 as 2\nset arrow from 0,0 to 0,0.5 as 1\nset arrow from 0,0.5 to 0.3,0.9 as 1\n"
    "set arrow from 0.3,0.9 to 0.8,0.85 as 1\nset arrow from 0.8,0.85 to 0.8,0.7 as 1\n"
    "set object circle at 0,0 size 0.03 fc rgb 'white' front\nset object circle at 0,0.5 size 0.03 fc rgb 'white' "
    "front\nset object circle at 0.3,0.9 size 0.03 fc rgb 'white' front\n"
    "set object circle at 0.8,0.85 size 0.03 fc rgb 'white' front\n"
    "set object rectangle from 0.75,0.62 to 0.85,0.7 fc rgb physical\nset label 'sensor' at 0.9,0.67\n"
    "set object rectangle from 0.75,0.52 to 0.85,0.62 fc rgb '#dddddd'\nset label '2 kg' at 0.9,0.57\n"
    "set arrow from 0.8,0.5 to 0.8,0.25 as 4\nset label '19.62 N' at 0.86,0.33\n";

/* Plots forces against time, and their spread. */
static void drawPlot(Kit *kit, const int *iterations, const WristFigures *f, int count)
{
    kitPlot(kit,
            "set multiplot layout 1,3 title 'An arm holds 2 kg still: the force sensor at its wrist' font ',14'\n");
    kitSketch(kit, sketchRange, sketch);
    kitPlot(kit, "set xlabel 'time, s'\nset ylabel 'sensor, N'\nset yrange [0:40]\nset key top left\n"
                 "set title 'reading in each step'\n"
                 "plot $quick20 using 1:2 with lines lc rgb engine lw 1 title 'dWorldQuickStep(20)', "
                 "$quick100 using 1:2 with lines lc rgb other lw 1.5 title 'dWorldQuickStep(100)', "
                 "$exact0 using 1:2 with lines lc rgb physical lw 2 title 'ksInspectorExactStep'\n$spread << EOD\n");
    for (int i = 0; i < count; i++)
        kitPlot(kit, "%d %g %g\n", iterations[i], f[i].spread[WRIST_ENGINE], f[i].spread[WRIST_PHYSICAL]);
    kitPlot(kit,
            "EOD\nset title 'standard deviation of the reading'\nset xlabel 'iterations of dWorldQuickStep'\n"
            "set ylabel 'N'\nset logscale xy\nset xrange [4:3000]\nset yrange [1e-14:100]\n"
            "set format y '10^{%%T}'\nset key center right\n"
            "plot $spread using 1:2 with linespoints pt 7 lc rgb engine title 'engine', "
            "'' using 1:3 with linespoints pt 7 lc rgb physical title 'physical, of the same steps', "
            "%g with lines lw 2 dt 2 lc rgb physical title 'ksInspectorExactStep'\nunset multiplot\n",
            fmax(f[count].spread[WRIST_ENGINE], 1e-14));
}

int storyWrist(int argc, char **argv)
{
    static const int iterations[] = {5, 10, 20, 50, 100, 200, 500, 1000, 2000};
    enum { QUICK = sizeof iterations / sizeof *iterations };
    const KitDemo demo = {.purpose = "An arm holds 2 kg: what a force sensor at its wrist reads under each stepper.",
                          .takes = KIT_STEP | KIT_TIME | KIT_SEED | KIT_PLOT | KIT_REPORTS,
                          .step = 0.005,
                          .time = 2,
                          .plotWidth = 1500,
                          .plotHeight = 420};
    Kit kit;
    WristFigures figures[QUICK + 1];
    double place[QUICK + 1][3];
    kitOpen(&kit, argc, argv, &demo);
    printf(
        "An arm holds a box of 2 kg still, %.2f N. A force sensor at its wrist reads, with its standard deviation:\n\n",
        wristWeight);
    kitCsv(&kit, "step,time,engine,physical\n");
    kitHead(&kit, column, COLUMNS);
    for (int i = 0; i <= QUICK; i++) {
        KitWay way = kit.way;
        way.stepper = i < QUICK ? KS_QUICK_STEP : KS_EXACT_STEP;
        way.iterations = i < QUICK ? iterations[i] : 0;
        figures[i] = hold(&kit, way, place[i]);
    }
    // by its spread alone, the first line looks like one of the best
    printf("\nWith %d iterations the arm stands still, but %.0f mm away from the position of its joints and motors.\n",
           iterations[0],
           1e3 * hypot(hypot(place[0][0] - place[QUICK][0], place[0][1] - place[QUICK][1]),
                       place[0][2] - place[QUICK][2]));
    drawPlot(&kit, iterations, figures, QUICK);
    return kitClose(&kit);
}

KIT_MAIN(storyWrist)

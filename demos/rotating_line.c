/* rotating_line.c  A bead on a rotating line: compares the force of the line and the power of the
 * drive with their closed forms. Source: Banach X, section 7.3.
 *
 *     x cos wt + z sin wt = p,   q'' = w^2 q - g cos wt,   lambda = m (g sin wt - p w^2 - 2 w q'),
 *     power -w q lambda
 *
 * In the engine the line is a kinematic body that turns at a constant rate, with a slider on it;
 * the bead turns with the line. Unlike a line at rest, a driven one does work. The force depends on
 * the speed along the line, so there are two comparisons: in the engine's own state, and along the
 * exact motion. */
#include "kit.h"

#include <math.h>

static const double skipped = 0.1;  // s; until then ERP's transients are larger than all else
enum { VALUES = 3 };                // KS_ENGINE, KS_CONVERGED, KS_PHYSICAL

typedef struct Run {
    double inState[VALUES], alongExact[VALUES];  // N, largest distance after `skipped`
    double power;                                // W, likewise for the engine's rows, in the
                                                 // engine's state
    double gap;                                  // m, largest distance of the bead from the line
    size_t steps, valid;
} Run;

static const KitColumn historyColumn[] = {
    {"time s", 6, "%.3f"},    {"p m", 7, "%.5f"},      {"q m", 7, "%.5f"},         {"dq/dt m/s", 0, "%.5f"},
    {"formula N", 9, "%.4f"}, {"engine N", 9, "%.4f"}, {"converged N", 0, "%.4f"}, {"physical N", 0, "%.4f"},
    {"power W", 9, "%.3f"},   {"engine W", 9, "%.3f"}, {"verdict", 8, NULL},
};
enum { HISTORY_COLUMNS = sizeof historyColumn / sizeof *historyColumn, HISTORY_ROWS = 8 };

/* The force on the bead across the line at an angle; NaN: unknown. */
static double forceAcross(const ksReaction *reaction, ksValue value, double angle)
{
    ksWrench wrench;
    ksStatus status = ksReactionGetWrench(reaction, value, 0, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &wrench);
    return status == KS_OK ? wrench.force[0] * cos(angle) + wrench.force[2] * sin(angle) : NAN;
}

/* The work of the line on the bead in the step, J. */
static double workOf(const ksReaction *reaction)
{
    double sum = 0;
    for (int i = 0; i < reaction->rowCount; i++)
        sum += reaction->row[i].work;
    return sum;
}

static void showState(Kit *kit, const ksReaction *reaction, const DrivenLine *line, const LineState *state,
                      double stepSize)
{
    KitCell cell[HISTORY_COLUMNS] = {
        {reaction->time},
        {state->distance},
        {state->place},
        {state->speed},
        {lineForce(line, state)},
        {forceAcross(reaction, KS_ENGINE, state->angle)},
        {forceAcross(reaction, KS_CONVERGED, state->angle)},
        {forceAcross(reaction, KS_PHYSICAL, state->angle)},
        {linePower(line, state)},
        {workOf(reaction) / stepSize},
        {.text = ksVerdictName(reaction->verdict)},
    };
    kitRow(kit, historyColumn, HISTORY_COLUMNS, cell);
}

static void judge(Kit *kit, Run *run, const ksReaction *reaction, const DrivenLine *line, const LineState *state,
                  double stepSize)
{
    LineState exact = lineMotion(line, reaction->time);
    double formula = lineForce(line, state), exactForce = lineForce(line, &exact), force[VALUES];
    for (int v = 0; v < VALUES; v++) {
        force[v] = forceAcross(reaction, (ksValue)v, state->angle);
        if (reaction->time < skipped)
            continue;
        run->inState[v] = fmax(run->inState[v], fabs(force[v] - formula));
        run->alongExact[v] =
            fmax(run->alongExact[v], fabs(forceAcross(reaction, (ksValue)v, exact.angle) - exactForce));
    }
    double power = workOf(reaction) / stepSize;
    if (reaction->time >= skipped)
        run->power = fmax(run->power, fabs(power - linePower(line, state)));
    run->gap = fmax(run->gap, fabs(state->distance - line->distance));
    run->steps++;
    run->valid += reaction->verdict == KS_VALID;
    kitCsv(kit, "%g,%g,%.9g,%.9g,%.12g,%.12g,%.12g,%.12g,%.9g,%.9g\n", stepSize, reaction->time, state->place,
           state->speed, formula, force[KS_ENGINE], force[KS_CONVERGED], force[KS_PHYSICAL], linePower(line, state),
           power);
    kitPlot(kit, "%g %g %g %g %g %g %g\n", reaction->time, exactForce, force[KS_ENGINE], force[KS_PHYSICAL],
            fabs(force[KS_ENGINE] - formula), fabs(force[KS_PHYSICAL] - formula), linePower(line, state));
}

static Run turn(Kit *kit, const DrivenLine *line, KitWay way, int isShown)
{
    Run run = {0};
    KitRun world = kitBegin(kit, sceneRotatingLine(line), "rotating line", way);
    // formula and reaction belong to the state before the step
    for (LineState state = lineState(world.scene, line); kitStep(&world); state = lineState(world.scene, line)) {
        const ksReaction *reaction = ksInspectorGetReaction(world.inspector, world.scene->joint[0]);
        judge(kit, &run, reaction, line, &state, way.step);
        if (isShown && (world.done - 1) % (way.steps / HISTORY_ROWS) == 0)
            showState(kit, reaction, line, &state, way.step);
    }
    kitEnd(&world);
    return run;
}

static const double sketchRange[4] = {-0.9, 2, -1, 1.9};
static const char sketch[] =
    "set object circle at 0,0 size 0.04 fc rgb '#555555'\n"
    "set label 'axis' at -0.1,-0.12 right\n"
    "set arrow from 0,0 to 1.3,0 as 3\n"
    "set arrow from 0,0 to 0.49,0.34 as 3\n"
    "set label 'p' at 0.2,0.28\n"
    "set arrow from 1.23,-0.73 to -0.36,1.56 as 1\n"
    "set object circle at 0.03,1 size 0.08 fc rgb '#dddddd' front\n"
    "set label 'bead' at -0.1,0.9 right\n"
    "set label 'q' at 0.33,0.72\n"
    "set object circle at 0,0 size 0.75 arc [0:35] nowedge fs empty border rgb converged\n"
    "set label 'wt' at 0.8,0.22\n"
    "set arrow from 0.636,0.398 to 0.614,0.431 head filled size screen 0.008,20 lc rgb converged\n"
    "set arrow from 0.03,1 to 0.44,1.29 as 4\n"
    "set label 'force of the line' at 0.5,1.32\n"
    "set arrow from 1.6,1 to 1.6,0.65 head filled size screen 0.008,20 lc rgb formula\n"
    "set label 'g' at 1.68,0.8\n";

static void drawPlot(Kit *kit)
{
    kitPlot(kit, "set multiplot layout 1,4 title 'A bead on a driven line, under %s' font ',14'\n",
            kitStepperName(kit->way));
    kitSketch(kit, sketchRange, sketch);
    kitPlot(kit,
            "set xlabel 'time, s'\nset ylabel 'force, N'\nset title 'force of the line'\nset key bottom right\n"
            "plot $run0 using 1:2 with lines lw 4 lc rgb closed title 'closed form, exact motion', "
            "'' using 1:3 with lines lc rgb engine title 'engine', "
            "'' using 1:4 with lines lc rgb physical dt 2 title 'physical'\n"
            "set ylabel 'power, W'\nset title 'power of the drive'\n"
            "plot $run0 using 1:7 with lines lc rgb formula title 'closed form, state of the engine'\n"
            "set title 'distance from the closed form in the same state'\nset ylabel 'distance, N'\nset logscale y\n"
            "set format y '10^{%%T}'\nset yrange [1e-15:100]\nset key center right\n"
            "plot for [i=0:3] '$run'.i using 1:5 with lines lc rgb engine dt i+1 lw 1.3 "
            "title sprintf('engine, %%.3g ms', %g / 2.0**i), "
            "for [i=0:3] '$run'.i using 1:6 with lines lc rgb physical dt i+1 lw 1.3 "
            "title i ? '' : 'physical, same steps'\nunset multiplot\n",
            1000 * kit->way.step);
}

int main(int argc, char **argv)
{
    enum { SIZES = 4 };
    const KitDemo demo = {
        .purpose =
            "A bead on a driven line: its force and power against their closed forms. --step: of the coarsest run,\n"
            "beside three finer ones.",
        .takes = KIT_EVERYTHING,
        .stepper = KS_WORLD_STEP,
        .step = 0.01,
        .time = 1,
        .longest = 5,  // the bead's distance grows exponentially with the angle
        .fewest = HISTORY_ROWS,
        .plotWidth = 1900,
        .plotHeight = 480};
    static const KitColumn column[] = {
        {"step ms", 0, "%.3g"},    {"engine N", 9, "%.1e"},      {"converged N", 0, "%.1e"},
        {"physical N", 0, "%.1e"}, {"exact: engine", 0, "%.1e"}, {"physical", 0, "%.1e"},
        {"power W", 0, "%.1e"},    {"gap m", 7, "%.1e"},         {"KS_VALID %", 0, "%.1f"},
    };
    enum { COLUMNS = sizeof column / sizeof *column };
    Kit kit;
    kitOpen(&kit, argc, argv, &demo);
    const DrivenLine *line = &sceneDrivenLine;
    printf("A bead of %g kg on a line that turns at %g rad/s, %g m from the axis, g = %g m/s^2\n\n", line->mass,
           line->rate, line->distance, SCENE_GRAVITY);
    printf("Line: a kinematic body with the given rotation, and a slider on it. p: distance of the bead from the\n"
           "axis, across the line, which grows with the slider's drift; q: its position on the line. In this state\n"
           "the force is m (g sin wt - 2 w dq/dt - w^2 p), outwards, and the power of the drive is -w q times the\n"
           "force. In its first step the engine does not include the rotation of the line: its rows demand\n"
           "velocities, and these are satisfied.\n\n");
    kitCsv(&kit, "step,time,q,speed,formula,engine,converged,physical,power,engine_power\n");
    Run run[SIZES];
    kitHead(&kit, historyColumn, HISTORY_COLUMNS);
    for (int i = 0; i < SIZES; i++) {
        kitPlot(&kit, "$run%d << EOD\n", i);
        run[i] = turn(&kit, line, kitFiner(kit.way, 1 << i), i == 0);
        kitPlot(&kit, "EOD\n");
    }
    printf(
        "\nLargest distance from the formulas after the first %g s: of the force in the simulated state and along the\n"
        "exact motion; of the work of the engine's rows, by the time, from -w q lambda. Gap: from the bead to the "
        "line\n\n",
        skipped);
    kitHead(&kit, column, COLUMNS);
    for (int i = 0; i < SIZES; i++) {
        KitCell cell[COLUMNS] = {{1000 * kit.way.step / (1 << i)},
                                 {run[i].inState[KS_ENGINE]},
                                 {run[i].inState[KS_CONVERGED]},
                                 {run[i].inState[KS_PHYSICAL]},
                                 {run[i].alongExact[KS_ENGINE]},
                                 {run[i].alongExact[KS_PHYSICAL]},
                                 {run[i].power},
                                 {run[i].gap},
                                 {100 * (double)run[i].valid / (double)run[i].steps}};
        kitRow(&kit, column, COLUMNS, cell);
    }
    if (kitIsUsual(&kit))
        printf(
            "\nIn the engine's state, physical is the formula, except for the lag of the bead due to the compliance "
            "of\n"
            "the rows; engine and converged approach the formula with the step size. Along the exact motion all\n"
            "errors are of the order of the step size: the motion along the line is unstable, and the engine's motion\n"
            "departs from the exact one.\n");
    drawPlot(&kit);
    return kitClose(&kit);
}

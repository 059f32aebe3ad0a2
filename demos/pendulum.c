/* pendulum.c  A plate on a pivot, from rest: compares each of the three values with the closed form
 * of the pivot's force. Source: Paulus 1910, second example.
 *
 * There are two comparisons: the formula in the engine's own state, and the formula along the exact
 * motion. The engine's motion departs from the exact one in proportion to the step size. */
#include "kit.h"
#include "scenes/scenes_private.h"

#include <math.h>

static const double skipped = 0.1;  // s; until then ERP's transients are larger than all else

typedef struct Errors {
    double engine, converged, physical;  // N, largest errors in the simulated state
    double alongExact;                   // N, error of physical along the exact motion
    size_t steps, valid;
} Errors;

/* A Runge-Kutta step of the exact motion, so small that its error is negligible. */
static void advance(const Plate *plate, double *angle, double *rate, double stepSize)
{
    enum { PARTS = 20 };
    double h = stepSize / PARTS;
    for (int i = 0; i < PARTS; i++) {
        double v1 = *rate, a1 = plateAcceleration(plate, *angle);
        double v2 = v1 + 0.5 * h * a1, a2 = plateAcceleration(plate, *angle + 0.5 * h * v1);
        double v3 = v1 + 0.5 * h * a2, a3 = plateAcceleration(plate, *angle + 0.5 * h * v2);
        double v4 = v1 + h * a3, a4 = plateAcceleration(plate, *angle + h * v3);
        *angle += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
        *rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
}

/* The largest distance so far; an unknown value does not count. */
static void keepLargest(double *largest, const double a[3], const double b[3])
{
    double distance = kitDistance(a, b);
    if (distance > *largest)
        *largest = distance;
}

static void record(Kit *kit, double stepSize, const ksReaction *reaction, double angle, const double formula[3])
{
    kitCsv(kit, "%g,%g,%.9g,%.9g,%.9g,%.9g,%.9g\n", stepSize, reaction->time, angle, kitNorm(formula),
           kitNorm(reaction->engine[0].force), kitNorm(reaction->converged[0].force),
           kitNorm(reaction->physical[0].force));
    kitPlot(kit, "%g %g %g %g %g %g\n", reaction->time, kitNorm(formula), kitNorm(reaction->engine[0].force),
            kitNorm(reaction->physical[0].force), kitDistance(reaction->engine[0].force, formula),
            kitDistance(reaction->physical[0].force, formula));
}

static const KitColumn historyColumn[] = {
    {"time s", 6, "%.2f"},   {"angle deg", 0, "%.3f"},   {"rate rad/s", 0, "%.4f"}, {"formula N", 9, "%.4f"},
    {"engine N", 9, "%.4f"}, {"converged N", 0, "%.4f"}, {"physical N", 0, "%.4f"}, {"verdict", 8, NULL},
};
enum { HISTORY_COLUMNS = sizeof historyColumn / sizeof *historyColumn, HISTORY_ROWS = 8 };

static void showState(Kit *kit, const ksReaction *reaction, double angle, double rate, const double formula[3])
{
    KitCell cell[HISTORY_COLUMNS] = {
        {reaction->time},
        {angle * 180 / M_PI},
        {rate},
        {kitNorm(formula)},
        {kitNorm(reaction->engine[0].force)},
        {kitNorm(reaction->converged[0].force)},
        {kitNorm(reaction->physical[0].force)},
        {.text = ksVerdictName(reaction->verdict)},
    };
    kitRow(kit, historyColumn, HISTORY_COLUMNS, cell);
}

static Errors swing(Kit *kit, const Plate *plate, KitWay way, int isShown)
{
    Errors errors = {0};
    double exactAngle = plate->angle, exactRate = 0;
    const double side[3] = {plate->width, 0.02, plate->height};
    KitRun world = kitBegin(kit, scenePendulum(plate), "pendulum", way);
    sceneAddShape(world.scene, world.scene->body[0], side);
    for (;;) {
        // formula and reaction belong to the state before the step
        double angle, rate, formula[3], exact[3];
        plateState(world.scene, plate, &angle, &rate);
        plateReaction(plate, angle, rate, formula);
        plateReaction(plate, exactAngle, exactRate, exact);
        advance(plate, &exactAngle, &exactRate, way.step);

        if (!kitStep(&world))
            break;
        const ksReaction *pivot = ksInspectorGetReaction(world.inspector, world.scene->joint[0]);
        errors.steps++;
        errors.valid += pivot->verdict == KS_VALID;
        record(kit, way.step, pivot, angle, formula);
        if (pivot->time >= skipped) {
            keepLargest(&errors.engine, pivot->engine[0].force, formula);
            keepLargest(&errors.converged, pivot->converged[0].force, formula);
            keepLargest(&errors.physical, pivot->physical[0].force, formula);
            keepLargest(&errors.alongExact, pivot->physical[0].force, exact);
        }
        if (isShown && world.done % (way.steps / HISTORY_ROWS) == 0)
            showState(kit, pivot, angle, rate, formula);
    }
    kitEnd(&world);
    return errors;
}

static const double sketchRange[4] = {-0.95, 1.35, -1.2, 0.9};
static const char sketch[] = "set object polygon from -0.223,-0.013 to 0.297,0.287 to 0.797,-0.579 to 0.277,-0.879 to "
                             "-0.223,-0.013 fc rgb '#eeeeee'\n"
                             "set arrow from 0,0 to 0,-1 as 3 front\n"
                             "set arrow from 0,0 to 0.5,-0.866 as 3 front\n"
                             "set object circle at 0,0 size 0.85 arc [270:300] nowedge fs empty border rgb converged\n"
                             "set label 'angle' at 0.05,-0.95\n"
                             "set object circle at 0,0 size 0.04 fc rgb 'white' front\n"
                             "set label 'O' at 0.07,0.05 front\n"
                             "set object circle at 0.287,-0.296 size 0.025 fc rgb '#555555' front\n"
                             "set label 'S' at 0.34,-0.27 front\n"
                             "set arrow from 0,0 to -0.12,0.6 as 4 front\n"
                             "set label 'force of the pivot' at -0.15,0.65 center\n"
                             "set arrow from 1.15,0.5 to 1.15,0.2 head filled size screen 0.008,20 lc rgb formula\n"
                             "set label 'g' at 1.2,0.35\n";

/* In the engine's own state, the error of the physical value is rounding, apart from the rotation
 * of the frame: draws one line at its maximum. */
static void drawPlot(Kit *kit, double rounding)
{
    kitPlot(kit, "set multiplot layout 1,3 title 'A plate on a pivot, from rest, under %s' font ',14'\n",
            kitStepperName(kit->way));
    kitSketch(kit, sketchRange, sketch);
    kitPlot(kit,
            "set xlabel 'time, s'\nset ylabel 'force, N'\nset title 'force of the pivot'\nset yrange [0:55]\n"
            "set key top right\nplot $run0 using 1:2 with lines lw 4 lc rgb closed title 'closed form', "
            "'' using 1:3 with lines lc rgb engine title 'engine', "
            "'' using 1:4 with lines lc rgb physical dt 2 title 'physical'\n"
            "set title 'distance from the closed form in the same state'\nset ylabel 'distance, N'\nset logscale y\n"
            "set format y '10^{%%T}'\nset yrange [1e-16:10]\nset key center right\n"
            "plot for [i=0:2] '$run'.i using 1:5 with lines lc rgb engine dt i+1 lw 1.3 "
            "title sprintf('engine, %%.3g ms', %g / 2.0**i), "
            "%g with lines lc rgb physical title 'physical: no more than this (rounding)'\nunset multiplot\n",
            1000 * kit->way.step, rounding);
}

int main(int argc, char **argv)
{
    const KitDemo demo = {
        .purpose =
            "A plate on a pivot, from rest: the force of the pivot against its closed form. --step: of the coarsest\n"
            "run, beside two finer ones.",
        .takes = KIT_EVERYTHING,
        .stepper = KS_WORLD_STEP,
        .step = 0.005,
        .time = 2,
        .fewest = HISTORY_ROWS,
        .plotWidth = 1500,
        .plotHeight = 480};
    static const KitColumn column[] = {
        {"step ms", 0, "%.3g"},
        {"engine N", 9, "%.2e"},
        {"converged N", 0, "%.2e"},
        {"physical N", 0, "%.2e"},
        {"physical, exact motion N", 0, "%.2e"},
        {"KS_VALID %", 0, "%.1f"},
    };
    enum { COLUMNS = sizeof column / sizeof *column, SIZES = 3 };
    Kit kit;
    kitOpen(&kit, argc, argv, &demo);

    printf("A plate of %g kg, %g m by %g m, on a pivot that is %g m above its mass centre and %g m beside it; from "
           "rest at\n"
           "%.2f degrees, g = %g m/s^2. With psi = angle + %.4f degrees, s = OS and K about O, the force of the pivot "
           "on it is\n"
           "m (g cos psi + s rate^2) along SO and m g sin psi (1 - m s^2 / K) across it.\n\n",
           scenePlate.mass, scenePlate.width, scenePlate.height, scenePlate.zeta, scenePlate.xi,
           scenePlate.angle * 180 / M_PI, SCENE_GRAVITY, atan2(scenePlate.xi, scenePlate.zeta) * 180 / M_PI);
    kitCsv(&kit, "step,time,angle,formula,engine,converged,physical\n");
    Errors errors[SIZES];
    kitHead(&kit, historyColumn, HISTORY_COLUMNS);
    for (int i = 0; i < SIZES; i++) {
        kitPlot(&kit, "$run%d << EOD\n", i);
        errors[i] = swing(&kit, &scenePlate, kitFiner(kit.way, 1 << i), i == 0);
        kitPlot(&kit, "EOD\n");
    }

    printf("\nLargest distance from the formula after the first %g s, in the simulated state, and along the exact "
           "motion\n\n",
           skipped);
    kitHead(&kit, column, COLUMNS);
    for (int i = 0; i < SIZES; i++) {
        KitCell cell[COLUMNS] = {
            {1000 * kit.way.step / (1 << i)},
            {errors[i].engine},
            {errors[i].converged},
            {errors[i].physical},
            {errors[i].alongExact},
            {100 * (double)errors[i].valid / (double)errors[i].steps},
        };
        kitRow(&kit, column, COLUMNS, cell);
    }
    if (kitIsUsual(&kit))
        printf(
            "\nIn the state that the engine is in, physical is the formula to rounding; engine and converged agree "
            "with "
            "each\n"
            "other and approach it with the step size. Along the exact motion all errors are of the order of the step\n"
            "size, because the engine's own motion departs from it.\n");
    drawPlot(&kit, fmax(errors[0].physical, fmax(errors[1].physical, errors[2].physical)));
    return kitClose(&kit);
}

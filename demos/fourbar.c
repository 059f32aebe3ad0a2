/* fourbar.c  Three rods on four hinges, in any orientation: the forces in the plane of motion have
 * a closed form; mechanics does not determine the components across it. Source: Banach X, section
 * 7, example 2.
 *
 * Four hinges give 20 rows for 18 coordinates, and yet the rods move: only 17 rows are independent.
 * The engine reports arbitrary numbers for the undetermined components; the library tells which
 * they are. Here the host steps the engine itself, in a bracket. */
#include "kit.h"

#include <math.h>

static const char *const pinName[PIN_COUNT] = {"O", "A", "B", "C"};
enum { ACROSS = 1 };  // the axis of the linkage that its plane is perpendicular to

static void intoLinkage(const Linkage *linkage, const double v[3], double out[3])
{
    const dReal *axes = linkage->axes;
    for (int i = 0; i < 3; i++)
        out[i] = axes[i] * v[0] + axes[4 + i] * v[1] + axes[8 + i] * v[2];
}

/* The force of a pin in linkage axes, about the pin; NaN: unknown. */
static void pinForce(const Linkage *linkage, const ksReaction *reaction, ksValue value, double force[3])
{
    ksWrench wrench;
    force[0] = force[1] = force[2] = NAN;
    if (ksReactionGetWrench(reaction, value, 0, KS_FRAME_WORLD, KS_POINT_ANCHOR, &wrench) == KS_OK)
        intoLinkage(linkage, wrench.force, force);
}

/* |a - b| in the plane */
static double planarDistance(const double a[3], const double b[3])
{
    return hypot(a[0] - b[0], a[2] - b[2]);
}

typedef struct PinForces {
    double formula[3], engine[3], converged[3], physical[3];
} PinForces;

static PinForces pinForces(const Linkage *linkage, const ksReaction *reaction, double angle, double rate, int pin)
{
    PinForces out;
    double world[3];
    linkagePinForce(linkage, angle, rate, pin, world);
    intoLinkage(linkage, world, out.formula);
    pinForce(linkage, reaction, KS_ENGINE, out.engine);
    pinForce(linkage, reaction, KS_CONVERGED, out.converged);
    pinForce(linkage, reaction, KS_PHYSICAL, out.physical);
    return out;
}

/* Makes a step in a bracket: the inspector reads the rows, the host steps, the inspector judges the
 * step. */
static void bracket(Kit *kit, dWorldID world, ksInspector *inspector)
{
    kitCheck(kit, ksInspectorBeginStep(inspector, kit->way.stepper, kit->way.step), "ksInspectorBeginStep");
    if (kit->way.stepper == KS_QUICK_STEP)
        dWorldQuickStep(world, kit->way.step);
    else
        dWorldStep(world, kit->way.step);
    kitCheck(kit, ksInspectorEndStep(inspector), "ksInspectorEndStep");
}

static void record(Kit *kit, int pin, double time, const PinForces *f)
{
    kitCsv(kit, "%g,%s,%.9g,%.9g,%.9g,%.9g,%.9g\n", time, pinName[pin], hypot(f->formula[0], f->formula[2]),
           hypot(f->engine[0], f->engine[2]), hypot(f->converged[0], f->converged[2]),
           hypot(f->physical[0], f->physical[2]), f->engine[ACROSS]);
    if (pin == PIN_A)
        kitPlot(kit, "%g %g %g %g %g\n", time, hypot(f->formula[0], f->formula[2]), hypot(f->engine[0], f->engine[2]),
                hypot(f->physical[0], f->physical[2]), f->engine[ACROSS]);
}

static void showPins(Kit *kit, Scene *scene, const Linkage *linkage, const ksInspector *inspector, double angle,
                     double rate)
{
    static const KitColumn column[] = {
        {"pin", 0, NULL},
        {"formula N", 0, "%.3f"},
        {"engine off", 0, "%.1e"},
        {"converged off", 0, "%.1e"},
        {"physical off", 0, "%.1e"},
        {"engine across N", 0, "%.3f"},
        {"free", 0, "%.0f"},
        {"verdict", 16, NULL},
    };
    enum { COLUMNS = sizeof column / sizeof *column };
    kitHead(kit, column, COLUMNS);
    for (int pin = 0; pin < PIN_COUNT; pin++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[pin]);
        PinForces f = pinForces(linkage, reaction, angle, rate, pin);
        KitCell cell[COLUMNS] = {
            {.text = pinName[pin]},
            {hypot(f.formula[0], f.formula[2])},
            {planarDistance(f.engine, f.formula)},
            {planarDistance(f.converged, f.formula)},
            {planarDistance(f.physical, f.formula)},
            {f.engine[ACROSS]},
            {reaction->freeCount},
            {.text = ksVerdictName(reaction->verdict)},
        };
        kitRow(kit, column, COLUMNS, cell);
    }
}

/* A joint's free directions about its pin, in linkage axes. (The library's are wrenches on the
 * first body about its mass centre, in world axes.) */
static void freeAboutPin(const Linkage *linkage, const ksReaction *reaction, double free[6][6])
{
    for (int i = 0; i < reaction->freeCount; i++) {
        const ksWrench *direction = &reaction->freeDirection[i];
        double arm[3], moment[3];
        for (int k = 0; k < 3; k++)
            arm[k] = reaction->anchor[0][k] - reaction->centre[0][k];
        CROSS3(moment, arm, direction->force);
        for (int k = 0; k < 3; k++)
            moment[k] = direction->torque[k] - moment[k];
        intoLinkage(linkage, direction->force, free[i]);
        intoLinkage(linkage, moment, free[i] + 3);
    }
}

/* Finds a basis of the same space that is easier to read: Gauss-Jordan elimination with complete
 * pivoting. */
static void reduce(double free[6][6], int count)
{
    for (int i = 0; i < count; i++) {
        int row = i, pivot = 0;
        for (int r = i; r < count; r++)
            for (int k = 0; k < 6; k++)
                if (fabs(free[r][k]) > fabs(free[row][pivot])) {
                    row = r;
                    pivot = k;
                }
        double scale = 1 / free[row][pivot];
        for (int k = 0; k < 6; k++) {
            double value = free[row][k];
            free[row][k] = free[i][k];
            free[i][k] = value * scale;
        }
        for (int r = 0; r < count; r++) {
            double factor = free[r][pivot];
            for (int k = 0; r != i && k < 6; k++)
                free[r][k] -= factor * free[i][k];
        }
    }
}

static void showFreeDirections(Kit *kit, Scene *scene, const Linkage *linkage, const ksInspector *inspector)
{
    static const KitColumn column[] = {
        {"pin", 0, NULL},        {"force x", 8, "%.4f"}, {"y", 8, "%.4f"}, {"z", 8, "%.4f"},
        {"torque x", 8, "%.4f"}, {"y", 8, "%.4f"},       {"z", 8, "%.4f"},
    };
    enum { COLUMNS = sizeof column / sizeof *column };
    kitHead(kit, column, COLUMNS);
    for (int pin = 0; pin < PIN_COUNT; pin++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[pin]);
        double free[6][6];
        freeAboutPin(linkage, reaction, free);
        reduce(free, reaction->freeCount);
        for (int i = 0; i < reaction->freeCount; i++) {
            KitCell cell[COLUMNS] = {{.text = i ? "" : pinName[pin]}};
            for (int k = 0; k < 6; k++)
                cell[k + 1].number = fabs(free[i][k]) < 5e-5 ? 0 : free[i][k];  // not "-0.0000"
            kitRow(kit, column, COLUMNS, cell);
        }
    }
}

static const double sketchRange[4] = {-0.7, 2.3, -1.5, 0.7};
static const char sketch[] = "set arrow from -0.35,0.08 to 0.35,0.08 as 2\n"
                             "set arrow from 0.65,0.08 to 1.35,0.08 as 2\n"
                             "set arrow from 0,0 to 0.57,-0.82 as 1\n"
                             "set arrow from 0.57,-0.82 to 1.57,-0.82 as 1\n"
                             "set arrow from 1.57,-0.82 to 1,0 as 1\n"
                             "set object circle at 0,0 size 0.05 fc rgb 'white' front\n"
                             "set object circle at 1,0 size 0.05 fc rgb 'white' front\n"
                             "set object circle at 0.57,-0.82 size 0.05 fc rgb 'white' front\n"
                             "set object circle at 1.57,-0.82 size 0.05 fc rgb 'white' front\n"
                             "set label 'O' at -0.2,-0.02\n"
                             "set label 'C' at 1.12,-0.02\n"
                             "set label 'A' at 0.42,-0.92\n"
                             "set label 'B' at 1.68,-0.86\n"
                             "set arrow from 0,0 to 0,-0.75 as 3\n"
                             "set object circle at 0,0 size 0.5 arc [270:305] nowedge fs empty border rgb converged\n"
                             "set label 'angle' at 0.05,-0.6\n"
                             "set arrow from 0.57,-0.82 to 0.34,-0.49 as 4\n"
                             "set label 'force of pin A' at 0.52,-0.5\n"
                             "set arrow from 2,0.4 to 2,0.05 head filled size screen 0.008,20 lc rgb formula\n"
                             "set label 'g' at 2.08,0.2\n"
                             "set label 'hinges: axes across the plane' at 0.8,-1.25 center\n";

static void drawPlot(Kit *kit)
{
    kitPlot(kit,
            "EOD\nset multiplot layout 1,3 title 'Three rods on four hinges, tilted, under %s: pin A' "
            "font ',14'\n",
            kitStepperName(kit->way));
    kitSketch(kit, sketchRange, sketch);
    kitPlot(kit,
            "set xlabel 'time, s'\nset ylabel 'force, N'\nset title 'in the plane: determined'\nset key top right\nset "
            "yrange [0:10]\n"
            "plot $pin using 1:2 with lines lw 4 lc rgb closed title 'closed form', "
            "'' using 1:3 with lines lc rgb engine title 'engine', "
            "'' using 1:4 with lines lc rgb physical dt 2 title 'physical'\n"
            "set title 'across the plane: undetermined'\nset autoscale y\n"
            "plot $pin using 1:5 with lines lc rgb engine title 'engine: what its solver happens to give'\nunset "
            "multiplot\n");
}

int main(int argc, char **argv)
{
    const KitDemo demo = {.purpose = "Three rods on four hinges: which reactions are determined, and which are not.",
                          .takes = KIT_EVERYTHING,
                          .stepper = KS_QUICK_STEP,
                          .step = 0.001,
                          .time = 3,
                          .plotWidth = 1500,
                          .plotHeight = 480};
    Kit kit;
    kitOpen(&kit, argc, argv, &demo);

    // tilted, with a component of gravity across the plane
    Linkage linkage = sceneLinkage;
    dRFromAxisAndAngle(linkage.axes, 1, 2, 3, 1.1);
    linkage.gravity[ACROSS] = 3;
    KitRun world = kitBegin(&kit, sceneFourbar(&linkage), "four-bar linkage", kit.way);
    Scene *scene = world.scene;
    ksInspector *inspector = world.inspector;

    kitCsv(&kit, "time,pin,formula,engine,converged,physical,engine_across\n");
    kitPlot(&kit, "$pin << EOD\n");
    double angle = 0, rate = 0;
    for (int i = 0; i < kit.way.steps; i++) {
        linkageState(scene, &linkage, &angle, &rate);
        kitViewStep(&kit, i * kit.way.step);
        bracket(&kit, scene->world, inspector);
        kitProgress(&kit, world.name, world.begin, ++world.done, kit.way.steps);
        for (int pin = 0; pin < PIN_COUNT; pin++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[pin]);
            PinForces forces = pinForces(&linkage, reaction, angle, rate, pin);
            record(&kit, pin, reaction->time, &forces);
        }
    }

    kitProgressOff(&kit);
    const ksStepReport *report = ksInspectorGetStepReport(inspector);
    printf("Three rods of %g kg and %g m on four hinges after %g s of %s: %zu rows, rank %zu, angle %.4f "
           "degrees,\n"
           "rate %.5f rad/s, weight in the plane %g N each\n\n",
           linkage.mass, linkage.length, kit.time, kitStepperName(kit.way), report->rowCount, report->rank,
           angle * 180 / M_PI, rate, linkage.mass * -linkage.gravity[2]);
    printf("Forces in the plane: \"off\" is the distance from the formula, N; \"across\" is the engine's force across\n"
           "the plane, \"free\" the number of directions of the wrench that are undetermined. In closed form, along a "
           "crank "
           "and across\n"
           "it, in A and B m/2 (l rate^2 + g cos angle) and m g/10 sin angle, in O and C m (l rate^2 + 3/2 g cos "
           "angle) and\n"
           "3/10 m g sin angle; beside it %g m/s^2 of gravity are across the plane.\n\n",
           linkage.gravity[ACROSS]);
    showPins(&kit, scene, &linkage, inspector, angle, rate);
    printf("\nThe free directions about the pins, in linkage axes (x along OC, y across the plane)\n\n");
    showFreeDirections(&kit, scene, &linkage, inspector);
    printf("\nParallel hinges hold the rods in their plane more than once. In each pin the force across the plane and\n"
           "the couples about both axes in the plane are undetermined: the engine reports one of many solutions. The\n"
           "forces in the plane are unique: physical is the formula, except for the drift of the joints, and the\n"
           "engine's deviation is its own error.\n");
    drawPlot(&kit);
    kitEnd(&world);
    return kitClose(&kit);
}

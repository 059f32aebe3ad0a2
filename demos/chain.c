/* chain.c  Hinged links under dWorldQuickStep: the engine's report, the exact solution of its own
 * equations (converged), and the force in the joint (physical). The main demo.
 *
 * One chain falls from a pose stretched out along x; another is hung up at rest. To see how a host
 * uses the library, read subscribe() and the callbacks before it. */
#include "kit.h"

#include <math.h>

static const double hangingStep = 0.01;  // s

/* The results of one run. */
typedef struct Run {
    Kit *kit;
    int links, iterations;
    int isPlotted;  // the top joint's history
    int steps;
    double top[3], low, high;              // N, at the top joint: means by ksValue; the engine's
                                           // range
    double worstConverged, worstPhysical;  // relative error of the worst joint, mean over steps
    double worstOfStep;                    // of this step, against physical
    double momentumResidual;               // largest
    size_t valid, solverError, reactions;  // verdicts of all joints in all steps
} Run;

/* Called after each step with the reaction of the top joint. Forces act on body[0], the first
 * link. */
static void onTopJoint(const ksReaction *reaction, void *user)
{
    Run *run = user;
    double force[3];
    force[KS_ENGINE] = kitNorm(reaction->engine[0].force);
    force[KS_CONVERGED] = kitNorm(reaction->converged[0].force);
    force[KS_PHYSICAL] = kitNorm(reaction->physical[0].force);
    for (int i = 0; i < 3; i++)
        run->top[i] += force[i];
    run->low = run->steps ? fmin(run->low, force[KS_ENGINE]) : force[KS_ENGINE];
    run->high = fmax(run->high, force[KS_ENGINE]);
    if (run->isPlotted)
        kitPlot(run->kit, "%g %g %g %g\n", reaction->time, force[0], force[1], force[2]);
}

/* Called after each step with the reaction of every joint. */
static void onEveryJoint(const ksReaction *reaction, void *user)
{
    Run *run = user;
    run->worstOfStep = fmax(run->worstOfStep, reaction->physicalError);
}

/* Called once after each step, after the callbacks for joints. */
static void onStep(const ksStepReport *report, void *user)
{
    Run *run = user;
    run->steps++;
    run->worstConverged += report->worstError;
    run->worstPhysical += run->worstOfStep;
    run->worstOfStep = 0;
    run->momentumResidual = fmax(run->momentumResidual, report->momentumResidual);
    run->valid += report->verdictCount[KS_VALID];
    run->solverError += report->verdictCount[KS_SOLVER_ERROR];
    run->reactions += report->reactionCount;
}

/* Subscribes to the results of each step. */
static void subscribe(KitRun *world, Run *run)
{
    ksInspector *inspector = world->inspector;
    kitCheck(run->kit, ksInspectorOnReaction(inspector, world->scene->joint[0], onTopJoint, run),
             "ksInspectorOnReaction");
    kitCheck(run->kit, ksInspectorOnReaction(inspector, NULL, onEveryJoint, run), "ksInspectorOnReaction");
    kitCheck(run->kit, ksInspectorOnStep(inspector, onStep, run), "ksInspectorOnStep");
}

/* Makes a run, and takes its results after the first `settleSteps` steps. */
static Run runChain(Kit *kit, ScenePose pose, int links, KitWay way, int settleSteps, int isPlotted)
{
    Run run = {.kit = kit, .links = links, .iterations = way.iterations, .isPlotted = isPlotted};
    char name[64];
    snprintf(name, sizeof name, "%d links %s", links, pose == SCENE_FALLING ? "falling" : "hanging");
    KitRun world = kitBegin(kit, sceneChain(links, pose), name, way);
    for (int i = 0; i < settleSteps; i++) {
        dWorldQuickStep(world.scene->world, way.step);
        kitProgress(kit, "coming to rest", world.begin, i + 1, settleSteps);
    }
    subscribe(&world, &run);
    while (kitStep(&world))
        ;
    kitEnd(&world);

    for (int i = 0; i < 3; i++)
        run.top[i] /= way.steps;
    run.worstConverged /= way.steps;
    run.worstPhysical /= way.steps;
    return run;
}

static void writeSummary(Kit *kit, const char *part, const Run *run)
{
    kitCsv(kit, "%s,%d,%d,%.6g,%.6g,%.6g,%.4g,%.4g\n", part, run->links, run->iterations, run->top[KS_ENGINE],
           run->top[KS_CONVERGED], run->top[KS_PHYSICAL], run->worstConverged, run->worstPhysical);
}

static void showFalling(Kit *kit, int links)
{
    static const int trial[] = {10, 20, 50, 100, 200, 500, 2000};
    static const KitColumn column[] = {
        {"iterations", 0, "%.0f"}, {"engine N", 0, "%.1f"},      {"converged N", 0, "%.1f"},
        {"physical N", 0, "%.1f"}, {"off converged", 0, "%.1e"}, {"off physical", 0, "%.1e"},
        {"momentum", 0, "%.0e"},   {"KS_VALID %", 0, "%.1f"},    {"KS_SOLVER_ERROR %", 0, "%.1f"},
    };
    enum { COLUMNS = sizeof column / sizeof *column };

    printf(
        "%d links fall for %g s under dWorldQuickStep: means of the force in the top joint; \"off\" is the relative\n"
        "error of the engine in the worst joint, mean over the steps\n\n",
        links, kit->time);
    kitHead(kit, column, COLUMNS);
    kitPlot(kit, "$falling << EOD\n");
    Run shown = runChain(kit, SCENE_FALLING, links, kit->way, 0, 1);
    kitPlot(kit, "EOD\n$iterations << EOD\n");
    for (size_t i = 0; i < sizeof trial / sizeof *trial; i++) {
        KitWay way = kit->way;
        way.iterations = trial[i];
        Run run = trial[i] == kit->way.iterations ? shown : runChain(kit, SCENE_FALLING, links, way, 0, 0);
        double percent = 100.0 / (double)run.reactions;
        KitCell cell[COLUMNS] = {{trial[i]},
                                 {run.top[KS_ENGINE]},
                                 {run.top[KS_CONVERGED]},
                                 {run.top[KS_PHYSICAL]},
                                 {run.worstConverged},
                                 {run.worstPhysical},
                                 {run.momentumResidual},
                                 {percent * (double)run.valid},
                                 {percent * (double)run.solverError}};
        kitRow(kit, column, COLUMNS, cell);
        writeSummary(kit, "iterations", &run);
        kitPlot(kit, "%d %g %g\n", trial[i], run.worstConverged, run.worstPhysical);
    }
    kitPlot(kit, "EOD\n");
    printf("\nThe momentum of every body balances to rounding at any number of iterations: F = m a cannot tell a step\n"
           "that was solved from one that was not.\n\n");
}

static void showHanging(Kit *kit)
{
    enum { SETTLE_STEPS = 1000, REST_STEPS = 25, FIRST_STEPS = 150 };
    static const struct {
        int links, iterations;
    } trial[] = {{10, 20}, {10, 100}, {10, 1000}, {50, 20}, {50, 100}, {50, 1000}};
    static const KitColumn column[] = {
        {"links", 0, "%.0f"}, {"iterations", 0, "%.0f"},  {"weight N", 0, "%.1f"},   {"engine N: from", 0, "%.1f"},
        {"to", 7, "%.1f"},    {"converged N", 0, "%.1f"}, {"physical N", 0, "%.3f"},
    };
    enum { COLUMNS = sizeof column / sizeof *column };

    printf("Chains that have hung at rest for %g s: force in the top joint\n\n", SETTLE_STEPS * hangingStep);
    kitHead(kit, column, COLUMNS);
    for (size_t i = 0; i < sizeof trial / sizeof *trial; i++) {
        const KitWay way = {KS_QUICK_STEP, trial[i].iterations, hangingStep, REST_STEPS};
        Run run = runChain(kit, SCENE_HANGING, trial[i].links, way, SETTLE_STEPS, 0);
        KitCell cell[COLUMNS] = {{run.links}, {run.iterations},        {run.links * SCENE_GRAVITY}, {run.low},
                                 {run.high},  {run.top[KS_CONVERGED]}, {run.top[KS_PHYSICAL]}};
        kitRow(kit, column, COLUMNS, cell);
        writeSummary(kit, "rest", &run);
    }
    printf("\nQuickStep stops early and leaves gaps in the hinges. Each row demands the velocity c = (ERP / h) gap at\n"
           "the end of the step. Converged is the force of that demand: it closes a fifth of each gap in one step.\n"
           "The engine still reports about the weight. The gaps grow until a few iterations produce a force that\n"
           "carries the chain: momentum balances, and the step is unsolved. Physical closes no gap: the links only\n"
           "move as the hinges allow, and it is the weight.\n");

    kitPlot(kit, "$hanging << EOD\n");
    const KitWay hungUp = {KS_QUICK_STEP, 20, hangingStep, FIRST_STEPS};
    Run first = runChain(kit, SCENE_HANGING, 50, hungUp, 0, 1);
    kitPlot(kit, "EOD\n");
    printf(
        "\nHung up at rest, without gaps, 50 links with 20 iterations report between %.0f and %.0f N in their first\n"
        "%g s; physical is %.3f N all the time.\n",
        first.low, first.high, FIRST_STEPS * hangingStep, first.top[KS_PHYSICAL]);
}

static const double sketchRange[4] = {-1.5, 1.5, -3.2, 0.6};
static const char sketch[] = "set arrow from -0.6,0.08 to 0.6,0.08 as 2\n"
                             "set arrow from 0,0 to 0.15,-0.7 as 1\nset arrow from 0.15,-0.7 to -0.05,-1.4 as 1\n"
                             "set arrow from -0.05,-1.4 to 0.12,-2.1 as 1\nset arrow from 0.12,-2.1 to 0,-2.8 as 1\n"
                             "set object circle at 0,0 size 0.07 fc rgb 'white' front\nset object circle at 0.15,-0.7 "
                             "size 0.07 fc rgb 'white' front\n"
                             "set object circle at -0.05,-1.4 size 0.07 fc rgb 'white' front\nset object circle at "
                             "0.12,-2.1 size 0.07 fc rgb 'white' front\n"
                             "set arrow from 0,0 to 0,0.5 as 4\nset label 'force in the top joint' at 0.1,0.4\nset "
                             "label 'links on hinges' at 0.35,-1.6\n";

static void drawPlot(Kit *kit, int links, int iterations)
{
    kitPlot(kit,
            "set multiplot layout 1,4 title 'Force in the top joint of a chain under dWorldQuickStep' font ',14'\n");
    kitSketch(kit, sketchRange, sketch);
    kitPlot(kit,
            "set xlabel 'time, s'\nset ylabel 'force, N'\n"
            "set title '50 links, hung up at rest, 20 iterations'\nset logscale y\nset xrange [0:1.5]\nset yrange "
            "[50:50000]\n"
            "set key top right\nplot $hanging using 1:3 with lines lc rgb converged title 'converged', "
            "'' using 1:2 with lines lc rgb engine title 'engine', "
            "'' using 1:4 with lines lc rgb physical lw 1.5 title 'physical'\nunset logscale y\nset autoscale xy\n");
    kitPlot(kit,
            "set title '%d links, falling, %d iterations'\nset key top left\n"
            "plot $falling using 1:3 with lines lc rgb converged title 'converged', "
            "'' using 1:2 with lines lc rgb engine title 'engine', "
            "'' using 1:4 with lines lc rgb physical title 'physical'\n",
            links, iterations);
    kitPlot(kit, "set title '%d links, falling: error of the engine'\n", links);
    kitPlot(kit, "set xlabel 'iterations'\nset ylabel 'relative error of the worst joint'\nset logscale xy\n"
                 "set format y '10^{%%T}'\nset key bottom left\nset xrange [8:3000]\nset yrange [1e-15:2]\n"
                 "plot $iterations using 1:2 with linespoints pt 7 lc rgb converged title 'engine against converged', "
                 "'' using 1:3 with linespoints pt 7 lc rgb physical title 'engine against physical'\n"
                 "unset multiplot\n");
}

int main(int argc, char **argv)
{
    int links = 10;
    const KitOption options[] = {{"links", "links of the falling chain", &links, 1, 100}, {0}};
    const KitDemo demo = {
        .purpose =
            "A chain of hinged links under dWorldQuickStep, falling, and hanging at rest. --step and --time: of the\n"
            "fall; --iterations: of the fall that is plotted.",
        .takes = KIT_EVERYTHING & ~KIT_STEPPER,
        .stepper = KS_QUICK_STEP,
        .step = 0.001,
        .time = 1,
        .options = options,
        .plotWidth = 1800};
    Kit kit;
    kitOpen(&kit, argc, argv, &demo);
    kitCsv(&kit, "part,links,iterations,engine,converged,physical,error,physical_error\n");
    showFalling(&kit, links);
    showHanging(&kit);
    drawPlot(&kit, links, kit.way.iterations);
    return kitClose(&kit);
}

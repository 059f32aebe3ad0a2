/* pile.c  A pile of boxes: the friction that each contact uses, and the engine's distance from the
 * solution.
 *
 * A pile has no joints, but far more contacts than the boxes need: their single forces are one
 * solution of many in any engine. The net reaction on a box is unique. Sweeps over all rows, which
 * continue where the engine stopped, estimate its error. The program makes the same step from the
 * same state with increasing numbers of iterations. */
#include "stories.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 40, MOST_BOXES = 200 };
static const double leastNormal = 1; /* N; contacts with less do not count; boxes weigh 420 N */

KitRun pileBeginAs(Kit *kit, int boxes, const Scene *as, KitWay way)
{
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    options.estimateSweeps = SWEEPS;
    KitRun run = kitBeginWith(kit, scenePile(boxes), "pile", way, &options);
    if (as)
        sceneCopyState(run.scene, as);
    return run;
}

KitRun pileBegin(Kit *kit, int boxes, KitWay way)
{
    return pileBeginAs(kit, boxes, NULL, way);
}

/* The error of a box, from any of its contacts; NaN: no contact or no estimate. */
static double netError(const ksReaction *reaction, size_t count, dBodyID box)
{
    for (size_t i = 0; i < count; i++)
        for (int side = 0; side < 2; side++)
            if (reaction[i].body[side] == box)
                return reaction[i].netError[side];
    return NAN;
}

static void readContacts(const KitRun *run, PileFigures *figures)
{
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(run->inspector, &count);
    int pushing = 0;
    figures->contacts = (int)count;
    for (size_t i = 0; i < count; i++) {
        double byBound, byNormal;
        for (int k = 0; k < reaction[i].rowCount; k++)
            figures->unsolved = fmax(figures->unsolved, reaction[i].row[k].unsolved);
        if (!(reaction[i].row[0].engine > leastNormal) ||
            ksReactionGetFrictionUse(&reaction[i], KS_ENGINE, &byBound, &byNormal) != KS_OK)
            continue;
        figures->friction += byNormal;
        figures->mostFriction = fmax(figures->mostFriction, byNormal);
        pushing++;
    }
    figures->friction /= pushing;

    double sum = 0;
    int boxes = 0;
    figures->worstNetError = NAN;
    for (int i = 0; i < run->scene->bodyCount; i++) {
        const double error = netError(reaction, count, run->scene->body[i]);
        if (isnan(error))
            continue;
        figures->worstNetError = fmax(figures->worstNetError, error);
        sum += error;
        boxes++;
    }
    figures->netError = sum / boxes;
}

int pileStep(KitRun *run, PileFigures *figures)
{
    ksWrenchTerm ground[MOST_BOXES];
    if (!kitStep(run))
        return 0;
    *figures = (PileFigures){.time = ksInspectorGetStepReport(run->inspector)->time};
    // contacts between boxes cancel
    const int boxes = run->scene->bodyCount;
    for (int i = 0; i < boxes; i++)
        ground[i] = (ksWrenchTerm){.body = run->scene->body[i]};
    ksWrenchSum sum;
    kitCheck(run->kit,
             ksInspectorSumWrenches(run->inspector, ground, (size_t)boxes, KS_PHYSICAL, (const double[3]){0}, &sum),
             "ksInspectorSumWrenches");
    memcpy(figures->loads, sum.wrench.force, sizeof figures->loads);
    memcpy(figures->needed, run->needed, sizeof figures->needed);
    readContacts(run, figures);
    return 1;
}

static const KitColumn column[] = {
    {"iterations", 0, "%.0f"}, {"contacts", 0, "%.0f"},          {"off solved: mean", 0, "%.1e"},
    {"worst", 8, "%.1e"},      {"worst row N", 0, "%.1f"},       {"friction use: mean", 0, "%.2f"},
    {"most", 6, "%.2f"},       {"floor and walls N", 0, "%.1f"}, {"needed N", 0, "%.1f"},
};
enum { COLUMNS = sizeof column / sizeof *column };

static void show(Kit *kit, int iterations, const PileFigures *f)
{
    const KitCell cell[COLUMNS] = {{iterations},  {f->contacts},     {f->netError}, {f->worstNetError}, {f->unsolved},
                                   {f->friction}, {f->mostFriction}, {f->loads[2]}, {f->needed[2]}};
    kitRow(kit, column, COLUMNS, cell);
    kitCsv(kit, "%d,%d,%.6g,%.6g,%.6g,%.6g,%.6g,%.9g,%.9g\n", iterations, f->contacts, f->netError, f->worstNetError,
           f->unsolved, f->friction, f->mostFriction, f->loads[2], f->needed[2]);
    kitPlot(kit, "%d %g %g %g\n", iterations, f->netError, f->worstNetError, f->friction);
}

static void drawPlot(Kit *kit)
{
    kitPlot(kit,
            "EOD\nset multiplot layout 1,2 title 'A pile of boxes: one step from the same state' font ',14'\n"
            "set xlabel 'iterations'\nset ylabel 'net reaction of a box, relative error'\nset logscale xy\n"
            "set format y '10^{%%T}'\nset key bottom left\n"
            "plot $pile using 1:2 with linespoints pt 7 lc rgb engine title 'mean', "
            "'' using 1:3 with linespoints pt 7 lc rgb other title 'worst'\n"
            "unset logscale y\nset format y\nset ylabel 'friction used, |f| / ({/Symbol m} N)'\nset yrange [0:1.5]\n"
            "plot $pile using 1:4 with linespoints pt 7 lc rgb converged title 'mean of the contacts'\n"
            "unset multiplot\n");
}

int storyPile(int argc, char **argv)
{
    int boxes = 30;
    const KitOption options[] = {{"boxes", "boxes of the pile", &boxes, 3, MOST_BOXES}, {0}};
    static const int trial[] = {5, 10, 20, 50, 100, 200, 500, 1000, 5000};
    const KitDemo demo = {
        .purpose = "A pile of boxes: how far the engine is from solved, and the friction that contacts use.\n"
                   "--iterations: of the steps in which they fall.",
        .takes = KIT_EVERYTHING & ~KIT_STEPPER,
        .stepper = KS_QUICK_STEP,
        .step = 0.01,
        .time = 1.5,
        .options = options,
        .plotWidth = 1100};
    Kit kit;
    kitOpen(&kit, argc, argv, &demo);
    KitRun fallen = pileBegin(&kit, boxes, kit.way);
    PileFigures f;
    double weight[3] = {0};
    kitAddMomentum(fallen.scene, 0, -1, weight);
    while (pileStep(&fallen, &f))
        ;
    printf("%d boxes have fallen for %g s under %s. From there the next step, with more and more iterations:\n"
           "distance of the net reactions on the boxes from the solution (relative, an estimate); the row farthest\n"
           "from the solution; the share of its friction that a contact uses; the upward force of floor and walls of\n"
           "the bin beside the force that weight (%.1f N) and motion need. In a step with few iterations boxes are\n"
           "still pushed apart.\n\n",
           boxes, kit.time, kitStepperName(kit.way), weight[2]);
    kitCsv(&kit, "iterations,contacts,net_error,worst_net_error,unsolved,friction,most_friction,loads,needed\n");
    kitPlot(&kit, "$pile << EOD\n");
    kitHead(&kit, column, COLUMNS);
    for (size_t i = 0; i < sizeof trial / sizeof *trial; i++) {
        KitRun run = pileBeginAs(&kit, boxes, fallen.scene, (KitWay){KS_QUICK_STEP, trial[i], kit.way.step, 1});
        pileStep(&run, &f);
        show(&kit, trial[i], &f);
        kitEnd(&run);
    }
    kitEnd(&fallen);
    printf("\nThe sum is right at any number of iterations, since the boxes move by the engine's forces; it does not\n"
           "show whether these are the solution. Both directions of friction have bounds of their own, so up to 1.41\n"
           "of the cone may be used. A larger share means that the engine has bounded friction by an earlier normal\n"
           "force.\n");
    drawPlot(&kit);
    return kitClose(&kit);
}

KIT_MAIN(storyPile)

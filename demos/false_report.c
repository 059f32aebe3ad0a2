/* false_report.c  Finds a false report. In a falling chain the program alters the feedback of one
 * hinge by 0.5 N after each of the engine's steps, before the inspector reads it.
 *
 * The momentum of both links of that hinge then does not balance, and each of them has another
 * hinge, too. Paulus (1910) relaxes one coordinate, and obtains the reaction from the remainder of
 * Lagrange's equation. For the motion that took place, the observed force of a hinge does not
 * depend on its report. So one line below differs, and its verdict names the hinge. */
#include "kit.h"

#include <math.h>

enum { LINKS = 6, ALTERED = 3 };
static const double alteration = 0.5; /* N */

/* Alters the force along x, on both bodies: the report alone looks plausible. */
static void alter(const ksEngineStep *step, void *joint)
{
    dJointFeedback *report = dJointGetFeedback((dJointID)joint);
    if (!step->isDone)
        return;
    report->f1[0] += alteration;
    report->f2[0] -= alteration;
}

static const KitColumn column[] = {
    {"hinge", 5, "%.0f"}, {"reported N", 0, "%.6f"}, {"observed N", 0, "%.6f"},
    {"+-", 7, "%.1g"},    {"physical N", 0, "%.3f"}, {"verdict", 16, NULL},
};
enum { COLUMNS = sizeof column / sizeof *column };

/* The force along x on the lower link. */
static double forceOf(const Kit *kit, const ksReaction *reaction, ksValue value)
{
    ksWrench wrench;
    kitCheck(kit, ksReactionGetWrench(reaction, value, 0, KS_FRAME_WORLD, KS_POINT_ANCHOR, &wrench),
             "ksReactionGetWrench");
    return wrench.force[0];
}

/* The bar of this force. */
static double observedBar(const ksReaction *reaction)
{
    double bar = 0;
    for (int l = 0; l < reaction->rowCount; l++)
        bar += reaction->row[l].observedBar * fabs(reaction->row[l].jacobian[0][0]);
    return bar;
}

int main(int argc, char **argv)
{
    const KitDemo demo = {.purpose = "The report of one hinge of a falling chain is altered: which one?",
                          .takes = KIT_STEPPER | KIT_ITERATIONS | KIT_STEP | KIT_TIME | KIT_SEED | KIT_REPORTS,
                          .stepper = KS_QUICK_STEP,
                          .step = 0.005,
                          .time = 0.5};
    Kit kit;
    kitOpen(&kit, argc, argv, &demo);
    KitRun run = kitBegin(&kit, sceneChain(LINKS, SCENE_FALLING), "chain", kit.way);
    kitCheck(&kit, ksInspectorOnEngineStep(run.inspector, alter, run.scene->joint[ALTERED]), "ksInspectorOnEngineStep");
    while (kitStep(&run))
        ;
    printf(
        "A chain falls; after each step the report of hinge %d is altered by %g N. The last step, forces along x:\n\n",
        ALTERED, alteration);
    kitCsv(&kit, "hinge,reported,observed,bar,physical,verdict\n");
    kitHead(&kit, column, COLUMNS);
    for (int i = 0; i < LINKS; i++) {
        const ksReaction *reaction = ksInspectorGetReaction(run.inspector, run.scene->joint[i]);
        const double reported = forceOf(&kit, reaction, KS_ENGINE), observed = forceOf(&kit, reaction, KS_OBSERVED);
        const double bar = observedBar(reaction), physical = forceOf(&kit, reaction, KS_PHYSICAL);
        const KitCell cell[COLUMNS] = {{i},   {reported}, {observed},
                                       {bar}, {physical}, {.text = ksVerdictName(reaction->verdict)}};
        kitRow(&kit, column, COLUMNS, cell);
        kitCsv(&kit, "%d,%.12g,%.12g,%.3g,%.12g,%s\n", i, reported, observed, bar, physical,
               ksVerdictName(reaction->verdict));
    }
    kitEnd(&run);
    return kitClose(&kit);
}

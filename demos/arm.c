/* arm.c  An arm of six axes picks up a box, swings it round and presses it on a table, with a force
 * sensor at the wrist.
 *
 * The sensor is in the last hinge and knows the hand's weight. With the accelerations of hand and
 * box, a host finds the payload in the air, at rest and in motion, and later the force of the table
 * on it:
 *
 *      m (a_box - g) = F - m_hand a_hand,      F_table = m (a_box - g) + m_hand a_hand - F,
 *
 * in a step, or summed over the steps of a phase, as impulse and momentum. Single steps of
 * QuickStep scatter around the solution; with enough iterations their sums agree with it. */
#include "scenes/scenes_private.h"
#include "stories.h"

#include <math.h>
#include <string.h>

static const double pushTorque = 60, touchLimit = 80; /* N.m, of the pressing shoulder; N */

enum { YAW, SHOULDER, PITCH = 4, WRIST, AXES, HAND = WRIST, BOX };

/* The end of each phase, the angles of shoulder and yaw at its end, and the start of its
 * statistics. */
static const struct {
    const char *name;
    double end, shoulder, yaw, settled;
} phase[ARM_PHASES] = {
    [ARM_GRIPS] = {"grips", 0.3, 0, 0, 0},           [ARM_LIFTS] = {"lifts", 1, -0.15, 0, 0.3},
    [ARM_RESTS] = {"rests", 2, -0.15, 0, 1.4},       [ARM_SWINGS] = {"swings", 2.8, -0.15, 0.6, 2},
    [ARM_LOWERS] = {"lowers", 3.6, -0.01, 0.6, 2.8}, [ARM_PUSHES] = {"presses", 5.1, 0.02, 0.6, 4.5},
};

KitRun armBegin(Kit *kit, KitWay way)
{
    static const char *const name[AXES] = {"yaw", "shoulder", "elbow", "roll", "pitch", "wrist"};
    KitRun run = kitBegin(kit, sceneLiftingArm(1), "arm", way);
    for (int i = 0; i < AXES; i++)
        kitCheck(kit, ksInspectorSetName(run.inspector, run.scene->joint[i], name[i]), "ksInspectorSetName");
    return run;
}

static void onTouch(const ksThresholdEvent *event, void *user)
{
    ArmFigures *figures = user;
    figures->touches += event->phase == KS_THRESHOLD_ENTERED;
}

/* Sets up the sensor, and a threshold on the wrist's force that only the table exceeds. */
static void prepare(const KitRun *run, ArmFigures *figures)
{
    *figures = (ArmFigures){.payload = NAN, .weighed = NAN};
    ksSensorInit(&figures->sensor);
    figures->sensor.frame = KS_FRAME_WORLD;
    figures->sensor.toolMass = sceneHandMass;
    dWorldGetGravity(run->scene->world, figures->sensor.gravity);
    ksThreshold limits;
    ksThresholdInit(&limits);
    limits.forceMagnitude = touchLimit;
    limits.hysteresis = 0.5;
    limits.duration = 0.05;
    kitCheck(run->kit, ksInspectorOnThreshold(run->inspector, run->scene->joint[WRIST], &limits, onTouch, figures),
             "ksInspectorOnThreshold");
}

/* Rises from 0 to 1 without a jump of the rate. */
static double smooth(double share)
{
    return share <= 0 ? 0 : share >= 1 ? 1 : share * share * (3 - 2 * share);
}

/* Sets the targets of the motors, and the gripper. */
static void drive(KitRun *run, ArmFigures *figures)
{
    Scene *scene = run->scene;
    const double time = run->done * run->way.step;
    int now = ARM_GRIPS;
    while (now < ARM_PUSHES && time > phase[now].end - 1e-9)
        now++;
    if (figures->phase != (ArmPhase)now)
        figures->force = figures->lift = figures->count = 0;
    figures->phase = (ArmPhase)now;
    const int before = now ? now - 1 : 0;
    const double begin = now ? phase[before].end : 0, share = smooth((time - begin) / (phase[now].end - begin));
    const double shoulder = phase[before].shoulder + share * (phase[now].shoulder - phase[before].shoulder);
    scene->ground->drive[YAW].mean = phase[before].yaw + share * (phase[now].yaw - phase[before].yaw);
    scene->ground->drive[SHOULDER].mean = shoulder;
    scene->ground->drive[PITCH].mean = -shoulder;
    if (now == ARM_LIFTS && scene->jointCount == AXES) {
        dJointID grip = sceneAddFixed(scene, scene->body[BOX], scene->body[HAND]);
        kitCheck(run->kit, ksInspectorSetName(run->inspector, grip, "grip"), "ksInspectorSetName");
    }
    if (now == ARM_PUSHES)
        dJointSetHingeParam(scene->joint[SHOULDER], dParamFMax, pushTorque);
}

static void keepMean(double mean[3], const double value[3], int count)
{
    for (int k = 0; k < 3; k++)
        mean[k] = count > 1 ? mean[k] + (value[k] - mean[k]) / count : value[k];
}

/* Evaluates the sensor, with the accelerations of hand and box. */
static void evaluate(ArmFigures *figures, const double force[3], const double acceleration[2][3], int isInTheAir)
{
    double square = 0, product = 0;
    for (int k = 0; k < 3; k++) {
        const double lift = acceleration[1][k] - figures->sensor.gravity[k], hand = sceneHandMass * acceleration[0][k];
        square += lift * lift;
        product += lift * (force[k] - hand);
        figures->table[k] = figures->weighed * lift + hand - force[k];
    }
    figures->payloadNow = isInTheAir ? product / square : NAN;
    if (figures->time < phase[figures->phase].settled)
        return;
    if (isInTheAir) {
        figures->force += force[2] - sceneHandMass * acceleration[0][2];
        figures->lift += acceleration[1][2] - figures->sensor.gravity[2];
    }
    figures->count++;
    figures->payload = figures->lift > 0 ? figures->force / figures->lift : NAN;
    if (figures->phase == ARM_RESTS)
        figures->weighed = figures->payload;
    keepMean(figures->meanTable, figures->table, figures->count);
    keepMean(figures->meanContacts, figures->contacts, figures->count);
}

int armStep(KitRun *run, ArmFigures *figures)
{
    const Scene *scene = run->scene;
    double acceleration[2][3];
    if (run->done == run->way.steps)
        return 0;
    if (!run->done)
        prepare(run, figures);
    drive(run, figures);
    for (int i = 0; i < 2; i++)
        memcpy(acceleration[i], dBodyGetLinearVel(scene->body[HAND + i]), sizeof acceleration[i]);
    kitStep(run);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            acceleration[i][k] = (dBodyGetLinearVel(scene->body[HAND + i])[k] - acceleration[i][k]) / run->way.step;

    const ksReaction *wrist = ksInspectorGetReaction(run->inspector, scene->joint[WRIST]);
    const ksWrenchTerm contacts = {.body = scene->body[BOX]};
    ksWrench reading;
    ksWrenchSum sum;
    kitCheck(run->kit, ksSensorRead(&figures->sensor, wrist, &reading), "ksSensorRead");
    kitCheck(run->kit, ksInspectorSumWrenches(run->inspector, &contacts, 1, KS_PHYSICAL, NULL, &sum),
             "ksInspectorSumWrenches");
    memcpy(figures->contacts, sum.wrench.force, sizeof figures->contacts);
    figures->time = wrist->time;
    figures->acceleration = kitNorm(acceleration[1]);
    evaluate(figures, reading.force, (const double(*)[3])acceleration,
             figures->phase != ARM_GRIPS && !scene->contactCount);
    return 1;
}

static const KitColumn column[] = {
    {"arm", 8, NULL},
    {"until s", 0, "%.1f"},
    {"payload kg", 0, "%.4f"},
    {"box moves m/s^2", 0, "%.2f"},
    {"table, sensor N", 0, "%.2f"},
    {"table, contacts N", 0, "%.2f"},
    {"touches", 0, "%.0f"},
};
enum { COLUMNS = sizeof column / sizeof *column };

static void show(Kit *kit, const ArmFigures *f, double most)
{
    const int isPushing = f->phase == ARM_PUSHES;
    const KitCell cell[COLUMNS] = {{.text = phase[f->phase].name},
                                   {f->time},
                                   {isPushing ? NAN : f->payload},
                                   {most},
                                   {isPushing ? kitNorm(f->meanTable) : NAN},
                                   {isPushing ? kitNorm(f->meanContacts) : NAN},
                                   {f->touches}};
    kitRow(kit, column, COLUMNS, cell);
}

static const double sketchRange[4] = {-0.3, 1.3, -0.1, 1.2};
static const char sketch[] =
    "set arrow from -0.2,0 to 1.2,0 as 2\nset arrow from 0.5,0.48 to 1.15,0.48 as 2\nset arrow from 0,0 to 0,0.5 as 1\n"
    "set arrow from 0,0.5 to 0.3,0.9 as 1\nset arrow from 0.3,0.9 to 0.8,0.85 as 1\nset arrow from 0.8,0.85 to 0.8,0.7 "
    "as 1\n"
    "set object circle at 0,0 size 0.03 fc rgb 'white' front\nset object circle at 0,0.5 size 0.03 fc rgb 'white' "
    "front\n"
    "set object circle at 0.3,0.9 size 0.03 fc rgb 'white' front\n"
    "set object circle at 0.8,0.85 size 0.03 fc rgb 'white' front\n"
    "set object rectangle from 0.75,0.62 to 0.85,0.7 fc rgb physical\nset label 'sensor' at 0.9,0.7\n"
    "set object rectangle from 0.75,0.52 to 0.85,0.62 fc rgb '#dddddd'\nset label '2 kg' at 0.9,0.57\n";

static void drawPlot(Kit *kit)
{
    kitPlot(kit, "EOD\nset multiplot layout 1,3 title 'An arm with a force sensor at the wrist, under %s' font ',14'\n",
            kitStepperName(kit->way));
    kitSketch(kit, sketchRange, sketch);
    kitPlot(kit, "set xlabel 'time, s'\nset ylabel 'payload, kg'\nset yrange [0:3]\nset key bottom right\n"
                 "plot $arm using 1:2 with lines lc rgb engine title 'each step', "
                 "'' using 1:3 with lines lc rgb physical lw 1.5 title 'whole phase'\n"
                 "set ylabel 'force of the table, N'\nset yrange [*:*]\nset key top left\nset xrange [3:*]\n"
                 "plot $arm using 1:5 with lines lw 4 lc rgb closed title 'sum of contacts', "
                 "'' using 1:4 with lines lc rgb physical title 'by the sensor'\nunset multiplot\n");
}

int storyArm(int argc, char **argv)
{
    const KitDemo demo = {.purpose =
                              "An arm with a force sensor at the wrist lifts a box, swings it, presses it on a table.",
                          .takes = KIT_EVERYTHING,
                          .stepper = KS_WORLD_STEP,
                          .iterations = 100,
                          .step = 0.005,
                          .time = 5.1,
                          .plotWidth = 1500};
    Kit kit;
    kitOpen(&kit, argc, argv, &demo);
    printf("An arm of six axes with a box of %g kg, under %s. The payload by the sensor at the wrist, over the steps "
           "of a part\n"
           "in the air; the largest acceleration of the box; the mean force of the table on the box, by the sensor and "
           "by the\n"
           "contacts; how often the wrist has carried more than %g N.\n\n",
           scenePayload, kitStepperName(kit.way), touchLimit);
    kitCsv(&kit, "time,payload_now,payload,acceleration,table_x,table_y,table_z,contacts_x,contacts_y,contacts_z\n");
    kitPlot(&kit, "$arm << EOD\n");
    kitHead(&kit, column, COLUMNS);
    KitRun run = armBegin(&kit, kit.way);
    ArmFigures f, last;
    double most = 0;
    for (int i = 0; armStep(&run, &f); i++) {
        if (i && f.phase != last.phase) {
            show(&kit, &last, most);
            most = 0;
        }
        most = fmax(most, f.acceleration);
        last = f;
        kitCsv(&kit, "%g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", f.time, f.payloadNow, f.payload,
               f.acceleration, f.table[0], f.table[1], f.table[2], f.contacts[0], f.contacts[1], f.contacts[2]);
        kitPlot(&kit, "%g %g %g %g %g\n", f.time, f.payloadNow, f.phase == ARM_PUSHES ? NAN : f.payload,
                isnan(f.weighed) ? NAN : kitNorm(f.table), kitNorm(f.contacts));
    }
    show(&kit, &last, most);
    kitEnd(&run);
    if (kit.way.stepper == KS_QUICK_STEP)
        printf(
            "\nUnder dWorldQuickStep the simulated motion is not quite the mechanism's, and a single step says little; "
            "means over a\n"
            "part of the motion say more, and as much as the iterations allow.\n");
    drawPlot(&kit);
    return kitClose(&kit);
}

KIT_MAIN(storyArm)

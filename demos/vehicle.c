/* vehicle.c  A car drives over a bump: prints the load of each wheel and of each spring.
 *
 * Four wheels on hinge2 joints, whose first axis is the suspension: a spring k and a damper d,
 * which the engine takes as ERP = h k / (h k + d) and CFM = 1 / (h k + d). A wheel's load is the
 * sum of its contacts. In each step the loads of all wheels equal the car's weight and inertia
 * force; a spring's load is the wheel's load without the wheel's own weight and inertia force. */
#include "scenes/scenes_private.h"
#include "stories.h"

#include <math.h>

static const double stiffness = 60000, damping = 4000; /* N/m, N.s/m, of each suspension */
static const double speed = 5, bump = 0.1, bumpPlace = 10;

enum { chassisMass = 900, wheelMass = 25 }; /* kg */
const double vehicleWheelLoad = SCENE_GRAVITY * (chassisMass / 4.0 + wheelMass);
const double vehicleSpringLoad = SCENE_GRAVITY * chassisMass / 4.0;

static const char *const wheelName[VEHICLE_WHEELS] = {"front right", "front left", "rear right", "rear left"};

KitRun vehicleBegin(Kit *kit, KitWay way)
{
    Car car = sceneCar;
    car.speed = speed;
    car.bump = bump;
    car.bumpPlace = bumpPlace;
    const SceneSpring spring = sceneSpring(way.step, stiffness, damping);
    car.suspensionErp = spring.erp;
    car.suspensionCfm = spring.cfm;
    KitRun run = kitBegin(kit, sceneDrivingCar(&car, &sceneSurface[SURFACE_APPROX1]), "car", way);
    for (int i = 0; i < VEHICLE_WHEELS; i++)
        kitCheck(kit, ksInspectorSetName(run.inspector, run.scene->joint[i], wheelName[i]), "ksInspectorSetName");
    return run;
}

static void onOverload(const ksThresholdEvent *event, void *user)
{
    VehicleFigures *figures = user;
    figures->overloads += event->phase == KS_THRESHOLD_ENTERED;
}

/* Reads the springs along the suspension's axis, the first of the joint. */
static void watch(const KitRun *run, VehicleFigures *figures)
{
    ksThreshold limits;
    ksThresholdInit(&limits);
    limits.force[0] = 2 * vehicleSpringLoad;
    limits.hysteresis = 0.2;
    for (int i = 0; i < VEHICLE_WHEELS; i++)
        kitCheck(run->kit, ksInspectorOnThreshold(run->inspector, run->scene->joint[i], &limits, onOverload, figures),
                 "ksInspectorOnThreshold");
}

int vehicleStep(KitRun *run, VehicleFigures *figures)
{
    const Scene *scene = run->scene;
    if (!run->done) {
        *figures = (VehicleFigures){0};
        watch(run, figures);
    }
    dBodyID chassis = scene->body[CAR_CHASSIS];
    figures->place = dBodyGetPosition(chassis)[0];
    figures->chassis = -dBodyGetLinearVel(chassis)[2];
    if (!kitStep(run))
        return 0;
    figures->loads = 0;
    figures->needed = run->needed[2];
    figures->chassis += dBodyGetLinearVel(chassis)[2];
    figures->chassis = chassisMass * (figures->chassis / run->way.step + SCENE_GRAVITY);
    for (int i = 0; i < VEHICLE_WHEELS; i++) {
        const ksReaction *axle = ksInspectorGetReaction(run->inspector, scene->joint[i]);
        const ksWrenchTerm contacts = {.body = scene->body[CAR_FIRST_WHEEL + i]};
        ksWrenchSum sum;
        kitCheck(run->kit, ksInspectorSumWrenches(run->inspector, &contacts, 1, KS_PHYSICAL, NULL, &sum),
                 "ksInspectorSumWrenches");
        figures->time = axle->time;
        figures->wheel[i] = sum.wrench.force[2];
        figures->suspension[i] = axle->physical[0].force[2];
        figures->loads += figures->wheel[i];
    }
    return 1;
}

static const KitColumn column[] = {
    {"time s", 6, "%.2f"},           {"place m", 0, "%.2f"}, {"wheels: front N", 0, "%.0f"},
    {"rear N", 7, "%.0f"},           {"sum N", 7, "%.0f"},   {"needed N", 0, "%.0f"},
    {"springs: front N", 0, "%.0f"}, {"rear N", 7, "%.0f"},  {"overloads", 0, "%.0f"},
};
enum { COLUMNS = sizeof column / sizeof *column, RIGHT = 0, REAR = 2 };
static const double shownEvery = 0.1, shownFrom = 1.5; /* s; the car settles first */

static void show(Kit *kit, const VehicleFigures *f)
{
    const KitCell cell[COLUMNS] = {{f->time},     {f->place},  {f->wheel[RIGHT]},      {f->wheel[REAR]},
                                   {f->loads},    {f->needed}, {f->suspension[RIGHT]}, {f->suspension[REAR]},
                                   {f->overloads}};
    kitRow(kit, column, COLUMNS, cell);
}

static const double sketchRange[4] = {-2.6, 4, -1, 2.4};
static const char sketch[] =
    "set arrow from -2.4,0 to 3.8,0 as 2\nset object rectangle from -1.8,0.5 to 1.8,1.0 fc rgb '#dddddd'\n"
    "set object circle at -1.3,0.35 size 0.35 fc rgb 'white' front\n"
    "set object circle at 1.3,0.35 size 0.35 fc rgb 'white' front\n"
    "set object circle at 2.6,-0.4 size 0.5 fc rgb '#cccccc' behind\n"
    "set arrow from -1.3,-0.7 to -1.3,-0.05 as 4\nset arrow from 1.3,-0.7 to 1.3,-0.05 as 4\n"
    "set label '5 m/s' at 0,1.5 center\nset arrow from -0.4,1.25 to 0.5,1.25 head lc rgb formula\n";

static void drawPlot(Kit *kit)
{
    kitPlot(kit, "EOD\nset multiplot layout 1,2 title 'A car drives over a bump, under %s' font ',14'\n",
            kitStepperName(kit->way));
    kitSketch(kit, sketchRange, sketch);
    kitPlot(kit, "set xlabel 'place of its middle, m'\nset ylabel 'force, kN'\nset key top left\nset xrange "
                 "[7.5:15]\nset yrange [0:80]\n"
                 "plot $car using 1:2 with lines lc rgb converged title 'front wheel', "
                 "'' using 1:3 with lines lc rgb other title 'rear wheel', "
                 "'' using 1:4 with lines lc rgb closed lw 3 title 'all, by weight and motion', "
                 "'' using 1:5 with lines lc rgb formula dt 2 title 'all wheels'\nunset multiplot\n");
}

int storyVehicle(int argc, char **argv)
{
    const KitDemo demo = {.purpose = "A car drives over a bump: the loads of its wheels and springs.",
                          .takes = KIT_EVERYTHING,
                          .stepper = KS_WORLD_STEP,
                          .step = 0.005,
                          .time = 3.5,
                          .plotWidth = 1300};
    Kit kit;
    kitOpen(&kit, argc, argv, &demo);
    printf("A car of %d kg drives at %g m/s over a bump of %g m at %g m, under %s. Columns: the ground's force on a\n"
           "wheel (one of two); its sum over all four, and the force that weight and motion of the car need; the\n"
           "force of a wheel's spring on the chassis; how often one of the four wheels has carried more than %.0f N.\n"
           "At rest a wheel carries %.1f N, a spring %.1f N. From %g s on.\n\n",
           chassisMass + VEHICLE_WHEELS * wheelMass, speed, bump, bumpPlace, kitStepperName(kit.way),
           2 * vehicleSpringLoad, vehicleWheelLoad, vehicleSpringLoad, shownFrom);
    kitCsv(&kit, "time,place,front_right,front_left,rear_right,rear_left,sum,needed,spring_front,spring_rear\n");
    kitPlot(&kit, "$car << EOD\n");
    kitHead(&kit, column, COLUMNS);
    KitRun run = vehicleBegin(&kit, kit.way);
    VehicleFigures f;
    double largest = 0;
    const int every = 1 + (int)(shownEvery / kit.way.step - 0.5);
    while (vehicleStep(&run, &f)) {
        kitCsv(&kit, "%g,%g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", f.time, f.place, f.wheel[0], f.wheel[1],
               f.wheel[2], f.wheel[3], f.loads, f.needed, f.suspension[RIGHT], f.suspension[REAR]);
        kitPlot(&kit, "%g %g %g %g %g\n", f.place, 1e-3 * f.wheel[RIGHT], 1e-3 * f.wheel[REAR], 1e-3 * f.needed,
                1e-3 * f.loads);
        for (int i = 0; i < VEHICLE_WHEELS; i++)
            largest = fmax(largest, f.wheel[i]);
        if (f.time > shownFrom && (run.done - 1) % every == 0)
            show(&kit, &f);
    }
    kitEnd(&run);
    printf("\nThe largest load of a wheel in a step: %.1f N, %.1f times that at rest.\n", largest,
           largest / vehicleWheelLoad);
    printf("The sum over the wheels is the force that the motion needs in every step, solved or not: a contact's\n"
           "force is the engine's. Under dWorldQuickStep wheels lose the ground now and then on a level road: its\n"
           "rows take turns.\n");
    drawPlot(&kit);
    return kitClose(&kit);
}

KIT_MAIN(storyVehicle)

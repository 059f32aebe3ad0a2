/* battery_kit.c  Random worlds, their changes from step to step, and the scale of their loads. */
#include "tests/kits/battery_kit.h"

#include <stdarg.h>

/* Random contacts and loops contradict the joints. At the engine's default CFM of 1e-10 its own
 * factorisation then has errors of 1e-6 to 1e-2 of the forces, at 1e-8 of up to 2e-7: it is no
 * reference. Friction bounds that were frozen at forces of 1e7 N are accurate to 1e-6 of these. */
static void randomiseWorld(dWorldID world, const BatteryPlan *plan, Random *random)
{
    static const double cfm[4] = {1e-10, 1e-8, 1e-6, 1e-5};
    const unsigned first = plan->loops || plan->contacts != NO_CONTACTS ? 2 : 0;
    double gravity[3];
    randomVector(random, 3, gravity);
    dWorldSetGravity(world, gravity[0], gravity[1], gravity[2] - 9.81);
    dWorldSetERP(world, uniform(random, 0.1, 0.8));
    dWorldSetCFM(world, cfm[first + randomBits(random) % (4 - first)]);
    dWorldSetContactSurfaceLayer(world, oneIn(random, 2) ? 0.001 : 0);
    dWorldSetContactMaxCorrectingVel(world, oneIn(random, 2) ? 0.5 : dInfinity);
}

static void randomiseDamping(dBodyID body, Random *random)
{
    dBodySetLinearDamping(body, uniform(random, 0, 0.3));
    dBodySetAngularDamping(body, uniform(random, 0, 0.3));
    dBodySetLinearDampingThreshold(body, uniform(random, 0, 1));
    dBodySetAngularDampingThreshold(body, uniform(random, 0, 1));
}

/* Limits so lax that the body falls asleep soon, unless its neighbours keep it awake. */
static void makeIdle(dBodyID body)
{
    dBodySetAutoDisableFlag(body, 1);
    dBodySetAutoDisableSteps(body, 3);
    dBodySetAutoDisableTime(body, 0);
    dBodySetAutoDisableLinearThreshold(body, 3);
    dBodySetAutoDisableAngularThreshold(body, 5);
    dBodySetAutoDisableAverageSamplesCount(body, 1);
}

static void randomiseBody(dBodyID body, const BatteryPlan *plan, Random *random)
{
    if (oneIn(random, 2))
        randomiseDamping(body, random);
    dBodySetGyroscopicMode(body, !oneIn(random, 4));
    dBodySetGravityMode(body, !oneIn(random, 4));
    dBodySetFiniteRotationMode(body, oneIn(random, 3));
    if (oneIn(random, 3))
        dBodySetFiniteRotationAxis(body, 0, 0.6, 0.8);
    if (plan->idle && oneIn(random, 4))
        makeIdle(body);
    if (plan->plain)
        return;
    if (oneIn(random, 8))
        dBodySetMaxAngularSpeed(body, uniform(random, 0.5, 3));
    if (oneIn(random, 10))
        dBodyDisable(body);
}

/* Trees of four bodies, each held at most once: by the world at the first body, or by a kinematic
 * first or last body. A Plane2D holds its body like the world. */
enum { TREE = 4 };
typedef enum Ground { GROUND_NONE, GROUND_WORLD, GROUND_KINEMATIC_FIRST, GROUND_KINEMATIC_LAST, GROUNDS } Ground;

static void addJoint(BatteryWorld *battery, int type, int body, int partner, Random *random)
{
    const int attachment = partner < 0 ? FIRST_ONLY + oneIn(random, 2) : BOTH;
    dJointGroupID group = oneIn(random, 3) ? battery->group : NULL;
    dBodyID first = battery->body[body], second = partner < 0 ? NULL : battery->body[partner];
    if (partner >= 0 && oneIn(random, 2)) {
        dBodyID kept = first;
        first = second;
        second = kept;
    }
    dJointID joint = batteryJoint(battery->world, group, type, attachment, first, second, random);
    if (!joint)
        return;
    battery->grouped[battery->jointCount] = group != NULL;
    battery->joint[battery->jointCount++] = joint;
    if (!battery->plan.plain && oneIn(random, 12))
        dJointDisable(joint);
}

static int randomType(Random *random)
{
    return 1 + (int)(randomBits(random) % (KSI_JOINT_TYPES - 1));
}

static void addTree(BatteryWorld *battery, int root, Random *random)
{
    Ground ground = (Ground)(randomBits(random) % GROUNDS);
    if (ground == GROUND_KINEMATIC_FIRST || ground == GROUND_KINEMATIC_LAST)
        dBodySetKinematic(battery->body[ground == GROUND_KINEMATIC_FIRST ? root : root + TREE - 1]);
    if (ground == GROUND_WORLD)
        addJoint(battery, randomType(random), root, -1, random);
    for (int i = 1; i < TREE; i++) {
        int type = randomType(random);
        if (type == dJointTypePlane2D && ground != GROUND_NONE)
            type = dJointTypeBall;
        if (type == dJointTypePlane2D)
            ground = GROUND_WORLD;
        addJoint(battery, type, root + i, root + (int)(randomBits(random) % (uint64_t)i), random);
    }
    for (int i = 0; battery->plan.loops && i < 2; i++) {
        const int body = root + 1 + (int)(randomBits(random) % (TREE - 1));
        addJoint(battery, randomType(random), body, oneIn(random, 2) ? root : -1, random);
    }
}

static void placeContacts(BatteryWorld *battery, Random *random)
{
    battery->contactCount = battery->plan.contacts == NO_CONTACTS ? 0 : BATTERY_CONTACTS;
    for (int i = 0; i < battery->contactCount; i++) {
        battery->contactBody[i] = (int)(randomBits(random) % BATTERY_BODIES);
        battery->contactPartner[i] = oneIn(random, 2) ? -1 : (int)(randomBits(random) % BATTERY_BODIES);
        if (battery->contactPartner[i] == battery->contactBody[i])
            battery->contactPartner[i] = -1;
    }
}

BatteryWorld *batteryCreate(const BatteryPlan *plan)
{
    BatteryWorld *battery = calloc(1, sizeof *battery);
    ck_assert_ptr_nonnull(battery);
    battery->plan = *plan;
    Random random = {plan->seed};
    battery->world = dWorldCreate();
    battery->group = dJointGroupCreate(0);
    battery->contactGroup = dJointGroupCreate(0);
    randomiseWorld(battery->world, plan, &random);
    for (; battery->bodyCount < BATTERY_BODIES; battery->bodyCount++) {
        dBodyID body = battery->body[battery->bodyCount] = randomBody(battery->world, &random);
        randomiseBody(body, plan, &random);
    }
    for (int root = 0; root < BATTERY_BODIES; root += TREE)
        addTree(battery, root, &random);
    placeContacts(battery, &random);
    battery->random = random;
    battery->engine = openEngine(battery->world);
    return battery;
}

void batteryDestroy(BatteryWorld *battery)
{
    dJointGroupDestroy(battery->contactGroup);
    dWorldDestroy(battery->world);
    dJointGroupDestroy(battery->group);
    free(battery);
}

void batteryBeforeStep(BatteryWorld *battery)
{
    Random *random = &battery->random;
    for (int i = 0; i < battery->bodyCount; i++) {
        double force[3], at[3];
        randomVector(random, 5, force);
        randomVector(random, 0.3, at);
        if (oneIn(random, 3) && dBodyIsEnabled(battery->body[i]))
            dBodyAddForceAtRelPos(battery->body[i], force[0], force[1], force[2], at[0], at[1], at[2]);
    }
    for (int i = 0; i < battery->jointCount; i++) {
        if (oneIn(random, 3))
            batteryPushJoint(battery->joint[i], random);
    }
    if (battery->step == BATTERY_CHANGE) {  // joints keep the values that they copied at creation
        dWorldSetERP(battery->world, 0.3);
        dWorldSetCFM(battery->world, 3e-6);
    }
    for (int i = 0; i < battery->contactCount; i++) {
        const int partner = battery->contactPartner[i];
        battery->contact[i] = batteryContact(battery->world, battery->contactGroup, battery->plan.contacts,
                                             battery->body[battery->contactBody[i]],
                                             partner < 0 ? NULL : battery->body[partner], random, &battery->surface[i]);
    }
}

void batteryAfterStep(BatteryWorld *battery)
{
    dJointGroupEmpty(battery->contactGroup);
    battery->step++;
}

int batteryIndex(const BatteryWorld *battery, dBodyID body)
{
    for (int i = 0; i < battery->bodyCount; i++) {
        if (battery->body[i] == body)
            return i;
    }
    return -1;
}

/* index of the joint's body on one side if that has a mass, or -1 */
static int dynamicIndex(const BatteryScale *scale, const ksReaction *reaction, int side)
{
    const int i = reaction->body[side] ? batteryIndex(scale->battery, reaction->body[side]) : -1;
    return i >= 0 && !scale->body[i].kinematic ? i : -1;
}

void batteryMeasureBefore(BatteryScale *scale, const BatteryWorld *battery, double h)
{
    memset(scale, 0, sizeof *scale);
    scale->battery = battery;
    scale->h = h;
    for (int i = 0; i < battery->bodyCount; i++)
        ck_assert_int_eq(ksiReadBody(&battery->engine, battery->body[i], h, &scale->body[i]), KS_OK);
}

static double size2(const ksiBody *body, const double force[3], const double torque[3])
{
    double turn[3];
    ksiTransform(turn, body->inverse, torque);
    return ksiDot(force, force) / body->mass + ksiDot(torque, turn);
}

double batterySize(const BatteryScale *scale, const ksReaction *reaction, const ksWrench minuend[2],
                   const ksWrench *subtrahend)
{
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        const int i = dynamicIndex(scale, reaction, side);
        if (i < 0)
            continue;
        ksWrench w = minuend[side];
        if (subtrahend) {
            ksiAddScaled(w.force, -1, subtrahend[side].force);
            ksiAddScaled(w.torque, -1, subtrahend[side].torque);
        }
        sum += size2(&scale->body[i], w.force, w.torque);
    }
    return sqrt(sum);
}

void batteryMeasureAfter(BatteryScale *scale, const ksReaction *reaction, size_t count)
{
    const int n = scale->battery->bodyCount;
    for (int i = 0; i < n; i++)
        scale->island[i] = i;
    for (size_t r = 0; r < count; r++) {
        const int a = dynamicIndex(scale, &reaction[r], 0), b = dynamicIndex(scale, &reaction[r], 1);
        if (reaction[r].verdict == KS_NOT_SOLVED || a < 0 || b < 0)
            continue;
        const int from = scale->island[a], to = scale->island[b];
        for (int i = 0; i < n; i++) {
            if (scale->island[i] == from)
                scale->island[i] = to;
        }
    }
    for (int i = 0; i < n; i++) {
        if (!scale->body[i].kinematic)
            scale->load[scale->island[i]] =
                fmax(scale->load[scale->island[i]],
                     sqrt(size2(&scale->body[i], scale->body[i].force, scale->body[i].force + 3)));
    }
    for (size_t r = 0; r < count; r++) {
        const int island = batteryIsland(scale, &reaction[r]);
        if (reaction[r].verdict == KS_NOT_SOLVED || island < 0)
            continue;
        const double size = batterySize(scale, &reaction[r], reaction[r].engine, NULL);
        if (isfinite(size))
            scale->load[island] = fmax(scale->load[island], size);
    }
}

int batteryIsland(const BatteryScale *scale, const ksReaction *reaction)
{
    for (int side = 0; side < 2; side++) {
        const int i = dynamicIndex(scale, reaction, side);
        if (i >= 0)
            return scale->island[i];
    }
    return -1;
}

double batteryLoad(const BatteryScale *scale, const ksReaction *reaction)
{
    const int island = batteryIsland(scale, reaction);
    return island < 0 ? 0 : scale->load[island];
}

static unsigned long messages;

static void count(int number, const char *message, va_list arguments)
{
    (void)number, (void)message, (void)arguments;
    messages++;
}

void batteryCatchMessages(void)
{
    dSetMessageHandler(count);
}

unsigned long batteryMessages(void)
{
    return messages;
}

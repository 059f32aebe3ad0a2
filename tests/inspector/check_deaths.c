/* check_deaths.c  The host destroys joints, bodies, geoms, contacts, the inspector or the world at
 * each possible moment: between calls, in each callback, in a bracket before and after the engine's
 * step, and in its own moved callbacks. Freed memory is protected, so that reading it ends the
 * process. The world moves like its uninspected twin. */
#include "tests/kits/closed_heap_kit.h"
#include "tests/kits/support.h"

static const double h = 0.01;

enum { STEPS = 4, LINKS = 4, BODIES = LINKS + 4, JOINTS = LINKS + 2 };

/* The bodies: a chain that hangs from the world and is also held at its end; a ball on the ground;
 * one in the air; two that sleep. The sleepers' joint is the last one. */
enum { BALL = LINKS, LONE, SLEEPER, OTHER_SLEEPER };

typedef enum Victim {
    JOINT,
    END_JOINT,
    BODY,
    BALL_BODY,
    GEOM,
    CONTACTS,
    SLEEPING_JOINT,
    SLEEPING_BODY,
    ALL_JOINTS,
    INSPECTOR,
    WORLD,
    VICTIMS
} Victim;

typedef enum How { OWN_STEP, BRACKET, WAYS } How;

typedef struct Life {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID body[BODIES];
    dJointID joint[JOINTS];
    dGeomID geom;
    ksInspector *inspector;
    Victim victim;
    int killAt, points; /* killAt: number of the moment of death; points: moments so far */
    int lastChance;     /* the last step with such moments */
    int step;
    bool isDead;
    int diedIn;     /* number of the step */
    bool diedAfter; /* after the engine's step */
    bool isStepped; /* whether the engine has stepped in this step */
} Life;

static Life *live; /* for the engine's callbacks, which have no user pointer */

/* --- A world --- */

static void makeBodies(Life *life)
{
    for (int i = 0; i < BODIES; i++)
        life->body[i] = addBall(life->world, 1 + 0.5 * i, 0.25, 0.6 * i, i == BALL ? 0.25 : 2);
    for (int i = 0; i < 2; i++)
        dBodyDisable(life->body[SLEEPER + i]);
    life->geom = dCreateSphere(life->space, 0.25);
    dGeomSetBody(life->geom, life->body[LONE]);
}

static void makeJoints(Life *life)
{
    for (int i = 0; i < LINKS; i++) {
        life->joint[i] = i % 2 ? dJointCreateBall(life->world, NULL) : dJointCreateHinge(life->world, NULL);
        dJointAttach(life->joint[i], life->body[i], i > 0 ? life->body[i - 1] : NULL);
        if (i % 2)
            dJointSetBallAnchor(life->joint[i], 0.6 * i - 0.3, 0, 2);
        else
            dJointSetHingeAnchor(life->joint[i], 0.6 * i - 0.3, 0, 2);
    }
    life->joint[LINKS] = dJointCreateBall(life->world, NULL);
    dJointAttach(life->joint[LINKS], life->body[LINKS - 1], NULL);
    dJointSetBallAnchor(life->joint[LINKS], 0.6 * LINKS - 0.3, 0, 2);
    dJointSetHingeParam(life->joint[2], dParamLoStop, -0.01);
    dJointSetHingeParam(life->joint[2], dParamHiStop, 0.01);
    life->joint[LINKS + 1] = dJointCreateFixed(life->world, NULL);
    dJointAttach(life->joint[LINKS + 1], life->body[SLEEPER], life->body[OTHER_SLEEPER]);
    dJointSetFixed(life->joint[LINKS + 1]);
}

static void onMoved(dBodyID body);

static void openLife(Life *life, Victim victim, int killAt)
{
    *life = (Life){.victim = victim, .killAt = killAt};
    life->world = heavyWorld();
    life->space = dSimpleSpaceCreate(NULL);
    life->contacts = dJointGroupCreate(0);
    makeBodies(life);
    makeJoints(life);
    dBodySetMovedCallback(life->body[LONE], onMoved);
    dBodySetMovedCallback(life->body[0], onMoved);
    live = life;
    dRandSetSeed(1);
}

static void closeLife(Life *life)
{
    ksInspectorDestroy(life->inspector);
    dJointGroupDestroy(life->contacts);
    if (life->world)
        dWorldDestroy(life->world);
    dSpaceDestroy(life->space);
}

/* --- A death --- */

static void killBody(Life *life, int index)
{
    dBodyDestroy(life->body[index]);
    life->body[index] = NULL;
}

static void killJoint(Life *life, int index)
{
    dJointDestroy(life->joint[index]);
    life->joint[index] = NULL;
}

static void kill(Life *life)
{
    life->isDead = true;
    life->diedIn = life->step;
    life->diedAfter = life->isStepped;
    switch (life->victim) {
    case JOINT:
        killJoint(life, 1);
        break;
    case END_JOINT:
        killJoint(life, LINKS);
        break;
    case BODY:
        killBody(life, 1);
        break;
    case BALL_BODY:
        killBody(life, BALL);
        break;
    case GEOM:
        dGeomDestroy(life->geom);
        break;
    case CONTACTS:
        dJointGroupEmpty(life->contacts);
        break;
    case SLEEPING_JOINT:
        killJoint(life, LINKS + 1);
        break;
    case SLEEPING_BODY:
        killBody(life, SLEEPER);
        break;
    case ALL_JOINTS:
        for (int i = 0; i < JOINTS; i++)
            killJoint(life, i);
        dJointGroupEmpty(life->contacts);
        break;
    case INSPECTOR:
    case WORLD:
        ksInspectorDestroy(life->inspector);
        life->inspector = NULL;
        if (life->victim == INSPECTOR)
            break;
        dJointGroupEmpty(life->contacts);
        dWorldDestroy(life->world);
        life->world = NULL;
        break;
    case VICTIMS:
        break;
    }
}

/* A moment at which the host can do as it likes: between one step and the end of the next one's
 * callbacks. */
static void chance(Life *life)
{
    if (life->step > 0 && life->step <= life->lastChance && life->points++ == life->killAt)
        kill(life);
}

/* The engine still uses the joints and bodies of its islands. */
static void onMoved(dBodyID body)
{
    const Victim victim = live->victim;
    (void)body;
    if (victim == GEOM || victim == SLEEPING_JOINT || victim == SLEEPING_BODY || victim == INSPECTOR)
        chance(live);
}

static void onReaction(const ksReaction *reaction, void *user)
{
    (void)reaction;
    chance(user);
}

static void onThreshold(const ksThresholdEvent *event, void *user)
{
    (void)event;
    chance(user);
}

static void onTouch(const ksTouch *event, void *user)
{
    (void)event;
    chance(user);
}

static void onStep(const ksStepReport *report, void *user)
{
    (void)report;
    chance(user);
}

static void onEngineStep(const ksEngineStep *step, void *user)
{
    ((Life *)user)->isStepped = step->isDone;
}

static void listen(Life *life)
{
    ksInspector *inspector = life->inspector;
    ksThreshold limits;
    ksThresholdInit(&limits);
    limits.forceMagnitude = 1;
    CHECK_OK(ksInspectorOnReaction(inspector, NULL, onReaction, life));
    CHECK_OK(ksInspectorOnReaction(inspector, life->joint[1], onReaction, life));
    CHECK_OK(ksInspectorOnContact(inspector, life->body[BALL], NULL, onReaction, life));
    CHECK_OK(ksInspectorOnTouch(inspector, life->body[BALL], NULL, 0, onTouch, life));
    CHECK_OK(ksInspectorOnAlert(inspector, onReaction, life));
    CHECK_OK(ksInspectorOnStep(inspector, onStep, life));
    CHECK_OK(ksInspectorOnEngineStep(inspector, onEngineStep, life));
    CHECK_OK(ksInspectorOnThreshold(inspector, life->joint[2], &limits, onThreshold, life));
    limits.flags = KS_THRESHOLD_BREAKS;
    for (int i = 1; i <= LINKS; i++)
        CHECK_OK(ksInspectorOnThreshold(inspector, life->joint[i], &limits, onThreshold, life));
}

/* --- Steps --- */

static void touchGround(Life *life)
{
    const dContact contact = {.surface = {.mode = dContactApprox1, .mu = 0.5},
                              .geom = {.pos = {0.6 * BALL, 0, 0}, .normal = {0, 0, 1}},
                              .fdir1 = {1, 0, 0}};
    if (!life->world || !life->body[BALL])
        return;
    // the host keeps creating contacts of a sleeper
    addContact(life->world, life->contacts, &contact, life->body[BALL], NULL);
    addContact(life->world, life->contacts, &contact, life->body[BALL], life->body[0]);
}

static void engineStep(Life *life, ksStepper stepper)
{
    if (!life->world)
        return;
    if (stepper == KS_QUICK_STEP || stepper == KS_EXACT_STEP)
        ck_assert(dWorldQuickStep(life->world, h));
    else
        ck_assert(dWorldStep(life->world, h));
}

static void stepInBracket(Life *life, ksStepper stepper)
{
    if (life->inspector) {
        const ksStatus status = ksInspectorBeginStep(life->inspector, stepper, h);
        ck_assert(status == KS_OK || status == KS_ERROR_ENDED);
    }
    chance(life);
    engineStep(life, stepper);
    life->isStepped = true;
    chance(life);
    if (life->inspector)
        CHECK_OK(ksInspectorEndStep(life->inspector));
}

static void stepAtOnce(Life *life, ksStepper stepper)
{
    if (!life->inspector) {
        engineStep(life, stepper);
        return;
    }
    const ksStatus status = inspectedStep(life->inspector, stepper, h);
    ck_assert(status == KS_OK || status == KS_ERROR_ENDED);
    if (status == KS_ERROR_ENDED)
        engineStep(life, stepper);
}

/* Asks everything about all objects, dead or alive. */
static void ask(Life *life, const Life *born)
{
    ksWrenchSum sum;
    ksRelaxation relaxed[6];
    ksImpact impact;
    const ksJointAfter *after;
    size_t number;
    int count;
    double mass;
    if (!life->inspector)
        return;
    (void)ksInspectorGetReactions(life->inspector, NULL);
    for (int i = 0; i < JOINTS; i++) {
        const ksWrenchTerm term = {.joint = born->joint[i], .body = born->body[i]};
        (void)ksInspectorGetReaction(life->inspector, born->joint[i]);
        (void)!ksInspectorRelaxJoint(life->inspector, born->joint[i], 6, relaxed, &count);
        (void)!ksInspectorSumWrenches(life->inspector, &term, 1, KS_CONVERGED, NULL, &sum);
        (void)!ksInspectorRecomputeAfter(life->inspector, &born->joint[i], 1, &after, &number);
    }
    for (int i = 0; i < BODIES; i++) {
        ksNetWrench net = {.a = born->body[i], .joint = born->joint[1]};
        const ksBlow blow = {.at = {.body = born->body[i], .axis = {0, 0, 1}}, .impulse = 1};
        (void)ksInspectorGetMass(life->inspector, born->body[i], &mass, NULL);
        (void)!sumContacts(life->inspector, born->body[i], NULL, KS_PHYSICAL, NULL, &sum);
        (void)!ksInspectorRecompute(life->inspector, &net, 1, 1e-3, 10);
        (void)!ksInspectorSolveImpulse(life->inspector, &blow, 1, &impact);
    }
}

static void step(Life *life, const Life *born, ksStepper stepper, How how)
{
    life->isStepped = false;
    if (life->world)
        touchGround(life);
    chance(life);
    (how == BRACKET ? stepInBracket : stepAtOnce)(life, stepper);
    life->isStepped = true;
    chance(life);
    ask(life, born);
    // otherwise the callbacks of KS_NEXT_STEP come when the next step begins
    if (life->inspector && life->step == 2)
        (void)ksInspectorFlush(life->inspector);
    chance(life);
    ask(life, born);
    dJointGroupEmpty(life->contacts);
    life->step++;
}

/* The same object dies at the same time in a world without an inspector. */
static void stepTwin(Life *twin, const Life *life, ksStepper stepper)
{
    touchGround(twin);
    if (life->isDead && life->diedIn == twin->step && !life->diedAfter)
        kill(twin);
    engineStep(twin, stepper);
    if (life->isDead && life->diedIn == twin->step && life->diedAfter)
        kill(twin);
    dJointGroupEmpty(twin->contacts);
    twin->step++;
}

static void compareWithTwin(const Life *life, ksStepper stepper)
{
    Life twin;
    openLife(&twin, life->victim, -1);
    for (int i = 0; i < STEPS; i++)
        stepTwin(&twin, life, stepper);
    for (int i = 0; i < BODIES; i++) {
        ck_assert_int_eq(!life->body[i], !twin.body[i]);
        if (!life->body[i])
            continue;
        ck_assert_mem_eq(dBodyGetPosition(life->body[i]), dBodyGetPosition(twin.body[i]), 3 * sizeof(dReal));
        ck_assert_mem_eq(dBodyGetLinearVel(life->body[i]), dBodyGetLinearVel(twin.body[i]), 3 * sizeof(dReal));
        ck_assert_mem_eq(dBodyGetAngularVel(life->body[i]), dBodyGetAngularVel(twin.body[i]), 3 * sizeof(dReal));
    }
    closeLife(&twin);
}

static const struct {
    ksStepper stepper;
    How how;
} way[] = {{KS_WORLD_STEP, OWN_STEP}, {KS_WORLD_STEP, BRACKET},  {KS_QUICK_STEP, OWN_STEP},
           {KS_QUICK_STEP, BRACKET},  {KS_EXACT_STEP, OWN_STEP}, {KS_FOREIGN_STEP, BRACKET}};
enum { MANNERS = sizeof way / sizeof *way };

/* false: there are fewer moments than killAt. */
static bool dies(ksStepper stepper, How how, ksLatency latency, Victim victim, int killAt)
{
    Life life;
    ksInspectorOptions options = defaultOptions();
    options.latency = latency;
    options.contacts = killAt % 2 ? KS_CONTACTS_SOLVED : KS_CONTACTS_REPORTED;
    if (victim == INSPECTOR || victim == WORLD)
        options.allocator.resize = resizeClosed;
    openLife(&life, victim, killAt);
    life.lastChance = latency == KS_NEXT_STEP ? 2 : 1;
    const Life born = life;
    life.inspector = inspectWith(life.world, &options);
    listen(&life);
    for (int i = 0; i < STEPS; i++)
        step(&life, &born, stepper, how);
    // an exact step moves bodies by other forces
    if (stepper != KS_EXACT_STEP && life.world)
        compareWithTwin(&life, stepper);
    closeLife(&life);
    return life.isDead;
}

static void killAtPoints(int number, int first, int apart)
{
    const int manner = number % MANNERS, latency = number / MANNERS % 2;
    const Victim victim = (Victim)(number / MANNERS / 2);
    int at = first;
    while (dies(way[manner].stepper, way[manner].how, (ksLatency)latency, victim, at))
        at += apart;
    // moments around a step, and in its callbacks
    ck_assert_int_gt(at, 10);
}

START_TEST(at_each_point)
{
    killAtPoints(_i, 0, 1);
}
END_TEST

/* A subset for valgrind: each combination of manner, latency and victim at other moments. */
START_TEST(at_some_points)
{
    enum { APART = 97 };
    killAtPoints(_i, _i % APART, APART);
}
END_TEST

/* The inspector may outlive its world between steps, with a step that still has to be inspected. */
START_TEST(after_the_world)
{
    Life life;
    ksInspectorOptions options = defaultOptions();
    options.latency = (ksLatency)(_i % 2);
    options.allocator.resize = resizeClosed;
    openLife(&life, VICTIMS, -1);
    const Life born = life;
    life.inspector = inspectWith(life.world, &options);
    for (int i = 0; i < 2; i++)
        CHECK_OK(inspectedStep(life.inspector, way[_i / 2].stepper, h));
    dWorldDestroy(life.world);
    life.world = NULL;
    ask(&life, &born);
    closeLife(&life);
}
END_TEST

int main(void)
{
    useClosedHeap();
    Suite *suite = suite_create("deaths");
    TCase *test = tcase_create("deaths");
    tcase_add_loop_test(test, at_each_point, 0, MANNERS * 2 * VICTIMS);
    tcase_set_tags(test, "each");
    suite_add_tcase(suite, test);
    TCase *some = tcase_create("some");
    tcase_add_loop_test(some, at_some_points, 0, MANNERS * 2 * VICTIMS);
    suite_add_tcase(suite, some);
    TCase *after = tcase_create("after");
    tcase_add_loop_test(after, after_the_world, 0, MANNERS * 2);
    suite_add_tcase(suite, after);
    return runSuite(suite);
}

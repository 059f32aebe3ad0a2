/* pairs_exact.c  The cost of exact steps on the ground, beside the engine's steps. */
#define _POSIX_C_SOURCE 200809L
#include "bench_time.h"
#include "pairs.h"

enum { SEED = 1, BODIES = 30, PER_LAYER = 9 };

static double draw(double most)
{
    return most * (2 * dRandReal() - 1);
}

/* Bodies of one size that fall into a heap, turned at random. */
static void addHeap(ContactScene *s, int count, const double size[3])
{
    const double apart = 1.1 * size[0];
    for (int i = 0; i < count; i++) {
        dMatrix3 turn;
        dBodyID body = machineBox(&s->machine, 1, size, apart * (i % 3 - 1) + draw(0.02),
                                  apart * (i / 3 % 3 - 1) + draw(0.02), 0.2 + 1.3 * size[0] * (i / PER_LAYER), true);
        dRFromEulerAngles(turn, draw(0.5), draw(0.5), draw(0.5));
        dBodySetRotation(body, turn);
    }
}

static void addBoxes(ContactScene *s)
{
    addHeap(s, BODIES, (double[]){0.2, 0.2, 0.2});
}

static void addPlates(ContactScene *s)
{
    addHeap(s, BODIES, (double[]){0.3, 0.3, 0.03});
}

static const ContactForm piles[] = {{"30 boxes fall", addBoxes, NULL, NULL, 0.3, 1.5, false, 0, 0},
                                    {"30 boxes rest", addBoxes, NULL, NULL, 2.5, 3.5, false, 0, 0},
                                    {"30 plates fall", addPlates, NULL, NULL, 0.3, 1.5, false, 0, 0}};
static const char *const named[] = {"quadruped", "car-rolls", "gripper", "leg", "box", "plank", "ladder", "stack-10"};

typedef struct Cost {
    double time; /* s, mean time of a step */
    long steps, fallbacks;
    ksReasons why;
} Cost;

static Cost costOf(const ContactForm *form, MachineGround ground, bool isExact)
{
    Cost cost = {.time = 0};
    ksInspectorOptions options = defaultOptions();
    options.values = 0;
    dRandSetSeed(SEED);
    ContactScene scene = contactSceneBegin(form, ground, 0.005);
    ksInspector *inspector = isExact ? inspectWith(scene.machine.world, &options) : NULL;
    while (scene.time < form->until) {
        contactSceneBefore(&scene);
        const double begin = benchNow(CLOCK_THREAD_CPUTIME_ID);
        if (inspector)
            CHECK_OK(ksInspectorExactStep(inspector, scene.h));
        else
            dWorldQuickStep(scene.machine.world, scene.h);
        const double seconds = benchNow(CLOCK_THREAD_CPUTIME_ID) - begin;
        contactSceneAfter(&scene);
        if (scene.time <= form->from)
            continue;
        const ksReasons why = inspector ? ksInspectorGetStepReport(inspector)->fallbackReasons : 0;
        cost.time += seconds;
        cost.steps++;
        cost.fallbacks += why != 0;
        cost.why |= why;
    }
    ksInspectorDestroy(inspector);
    contactSceneEnd(&scene);
    cost.time /= (double)cost.steps;
    return cost;
}

static void report(const ContactForm *form)
{
    printf("%-17s", form->name);
    ksReasons why = 0;
    for (int g = 0; g < GROUND_COUNT; g++) {
        const Cost plain = costOf(form, (MachineGround)g, false), exact = costOf(form, (MachineGround)g, true);
        printf("  %6.2f %6.1f", exact.time / plain.time, 100 * (double)exact.fallbacks / (double)exact.steps);
        why |= exact.why;
    }
    for (int bit = 0; why >> bit; bit++)
        if (why >> bit & 1)
            printf(" %s", ksReasonName((ksReasons)1 << bit));
    printf("\n");
    fflush(stdout);
}

void pairsExact(void)
{
    printf("\nksInspectorExactStep without values, in steps of dWorldQuickStep (20 iterations, 5 ms), and steps that "
           "fell\n"
           "back; on hard contacts, and beneath a layer.\n\n%-17s  %6s %6s  %6s %6s\n",
           "scene", "hard", "fell", "layer", "fell");
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        report(contactFormOf(named[i]));
    for (size_t i = 0; i < sizeof piles / sizeof *piles; i++)
        report(&piles[i]);
}

/* pairs_exact.c  What exact steps cost on the ground, beside the engine's. */
#define _POSIX_C_SOURCE 200809L
#include "bench_time.h"
#include "pairs.h"

enum { SEED = 1, PILE = 30, TUMBLING = 45, PER_LAYER = 9 };

/* Boxes that come down on each other, and are at rest after 2 s. */
static void addPile(ContactScene *s, int count)
{
    for (int i = 0; i < count; i++) {
        const double x = 0.25 * (i % 3 - 1) + 0.05 * dRandReal(), y = 0.25 * (i / 3 % 3 - 1) + 0.05 * dRandReal();
        machineBox(&s->machine, 1, (double[]){0.2, 0.2, 0.2}, x, y, 0.15 + 0.26 * (i / PER_LAYER), true);
    }
}

static void addRestingPile(ContactScene *s)
{
    addPile(s, PILE);
}

static void addTumblingPile(ContactScene *s)
{
    addPile(s, TUMBLING);
}

static const ContactForm piles[] = {{"pile of 30", addRestingPile, NULL, NULL, 2, 4, false, 0, 1e-5},
                                    {"45 tumble", addTumblingPile, NULL, NULL, 0.3, 1.5, false, 0, 1e-5}};
static const char *const named[] = {"quadruped", "car-rolls", "gripper", "leg", "box", "plank", "ladder", "stack-10"};

static double timeOf(const ContactForm *form, MachineGround ground, bool isExact, long *fallbacks)
{
    ksInspectorOptions options = defaultOptions();
    double sum = 0;
    long count = 0;
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
        sum += seconds;
        count++;
        *fallbacks += inspector && ksInspectorGetStepReport(inspector)->fallbackReasons;
    }
    ksInspectorDestroy(inspector);
    contactSceneEnd(&scene);
    return sum / (double)count;
}

static void report(const ContactForm *form)
{
    printf("%-17s", form->name);
    for (int g = 0; g < GROUND_COUNT; g++) {
        long fallbacks = 0;
        const double plain = timeOf(form, (MachineGround)g, false, &fallbacks);
        const double exact = timeOf(form, (MachineGround)g, true, &fallbacks);
        printf("  %6.2f %6ld", exact / plain, fallbacks);
    }
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

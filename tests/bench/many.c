/* many.c  The cost of a step with a subscription for each of n boxes on a floor, as a ratio to the
 * same step without subscriptions, measured right before. A ratio that grows with n is a defect.
 * many [--steps N]: 20 by default. */
#include "bench_time.h"

#include <kinetostat/kinetostat.h>
#include <kinetostat/loads.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CORNERS = 4, BEFORE = 3, MOST = 3000 };

static const int sizes[] = {300, 1000, MOST};
static const double h = 0.005, side = 0.2, window = 0.15;

typedef enum Way { PAIRS, PHYSICAL_PAIRS, TOUCHES, CONTACTS, WAYS } Way;

static const char *const name[WAYS] = {"pairs", "pairs, contactPhysical", "touches", "contacts"};

typedef struct Boxes {
    dWorldID world;
    dJointGroupID group;
    dBodyID body[MOST];
    int count;
    ksInspector *inspector;
} Boxes;

static void check(ksStatus status)
{
    if (!status)
        return;
    fprintf(stderr, "many: %s\n", ksErrorMessage());
    exit(1);
}

static void ignoreTouch(const ksTouch *touch, void *user)
{
    (void)touch;
    (void)user;
}

static void ignoreContact(const ksReaction *reaction, void *user)
{
    (void)reaction;
    (void)user;
}

static void subscribe(const Boxes *boxes, Way way)
{
    for (int i = 0; i < boxes->count; i++) {
        ksSubscription pair;
        if (way == TOUCHES)
            check(ksInspectorOnTouch(boxes->inspector, boxes->body[i], NULL, 0, ignoreTouch, NULL));
        else if (way == CONTACTS)
            check(ksInspectorOnContact(boxes->inspector, boxes->body[i], NULL, ignoreContact, NULL));
        else
            check(ksInspectorPair(boxes->inspector, boxes->body[i], NULL, window, &pair));
    }
}

/* way WAYS: without subscriptions */
static void make(int count, Way way, bool isPhysical, Boxes *boxes)
{
    ksInspectorOptions options;
    dMass mass;
    *boxes = (Boxes){.world = dWorldCreate(), .group = dJointGroupCreate(0), .count = count};
    dWorldSetGravity(boxes->world, 0, 0, -9.81);
    dMassSetBox(&mass, 500, side, side, side);
    for (int i = 0; i < count; i++) {
        boxes->body[i] = dBodyCreate(boxes->world);
        dBodySetMass(boxes->body[i], &mass);
        dBodySetPosition(boxes->body[i], 2 * side * i, 0, side / 2);
    }
    ksInspectorOptionsInit(&options);
    options.contactPhysical = isPhysical;
    check(ksInspectorCreate(boxes->world, &options, &boxes->inspector));
    if (way < WAYS)
        subscribe(boxes, way);
}

static void layContacts(const Boxes *boxes)
{
    for (int i = 0; i < boxes->count; i++) {
        for (int k = 0; k < CORNERS; k++) {
            dContact contact = {.surface = {.mode = dContactApprox1, .mu = 0.5}, .geom = {.normal = {0, 0, 1}}};
            contact.geom.pos[0] = 2 * side * i + (k & 1 ? side : -side) / 2;
            contact.geom.pos[1] = (k & 2 ? side : -side) / 2;
            dJointAttach(dJointCreateContact(boxes->world, boxes->group, &contact), boxes->body[i], NULL);
        }
    }
}

/* s */
static double step(const Boxes *boxes)
{
    dJointGroupEmpty(boxes->group);
    layContacts(boxes);
    const double start = benchNow(CLOCK_PROCESS_CPUTIME_ID);
    check(ksInspectorQuickStep(boxes->inspector, h));
    return benchNow(CLOCK_PROCESS_CPUTIME_ID) - start;
}

static void end(Boxes *boxes)
{
    ksInspectorDestroy(boxes->inspector);
    dJointGroupDestroy(boxes->group);
    dWorldDestroy(boxes->world);
}

static void measure(int count, Way way, int steps)
{
    static Boxes with, without;
    double *ratio = malloc((size_t)steps * sizeof *ratio), *time = malloc((size_t)steps * sizeof *time);
    if (!ratio || !time)
        exit(1);
    make(count, way, way == PHYSICAL_PAIRS, &with);
    make(count, WAYS, way == PHYSICAL_PAIRS, &without);
    for (int n = -BEFORE; n < steps; n++) {
        const double plain = step(&without), own = step(&with);
        if (n < 0)
            continue;
        ratio[n] = own / plain;
        time[n] = own;
    }
    benchSort(ratio, (size_t)steps);
    benchSort(time, (size_t)steps);
    printf("%-24s %6d %10.2f ms %8.2f\n", name[way], count, 1e3 * time[steps / 2], ratio[steps / 2]);
    free(ratio);
    free(time);
    end(&with);
    end(&without);
}

int main(int argc, char **argv)
{
    int steps = 20;
    if (argc == 3 && !strcmp(argv[1], "--steps"))
        steps = atoi(argv[2]);
    if ((argc != 1 && argc != 3) || steps <= 0) {
        fprintf(stderr, "usage: many [--steps N]\n");
        return EXIT_FAILURE;
    }
    dInitODE2(0);
    printf("%-24s %6s %13s %8s\n", "for each box", "boxes", "step", "ratio");
    for (Way way = PAIRS; way < WAYS; way++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            measure(sizes[i], way, steps);
    dCloseODE();
    return EXIT_SUCCESS;
}

/* check_new_memory.c  Results do not depend on the old contents of new memory: two inspectors of
 * one world, whose allocators fill it with zeros and with NaN, publish the same to the bit. */
#include "tests/kits/same_kit.h"

#include <stdalign.h>

static const double h = 0.005;
enum { STEPS = 40, LAST = 10 /* STEPS: run; the last of them are compared */ };

/* Precedes a block, and has its size. */
typedef struct Header {
    alignas(max_align_t) size_t size;
} Header;

/* user: the byte that fills new memory */
static void *fillingResize(void *user, void *memory, size_t size)
{
    Header *old = memory ? (Header *)memory - 1 : NULL;
    const size_t had = old ? old->size : 0;
    if (size == 0) {
        free(old);
        return NULL;
    }
    Header *block = realloc(old, sizeof *block + size);
    if (!block)
        return NULL;
    block->size = size;
    if (size > had)
        memset((char *)(block + 1) + had, *(unsigned char *)user, size - had);
    return block + 1;
}

static ksInspector *inspectFilling(dWorldID world, ksContacts contacts, unsigned char *byte)
{
    ksInspectorOptions options = defaultOptions();
    options.contacts = contacts;
    options.estimateSweeps = 5;
    options.allocator = (ksAllocator){fillingResize, byte};
    return inspectWith(world, &options);
}

static void compareAfter(ksInspector *const inspector[2], dJointID joint)
{
    const ksJointAfter *after[2];
    size_t count[2];
    ksStatus status[2];
    for (int k = 0; k < 2; k++)
        status[k] = ksInspectorRecomputeAfter(inspector[k], &joint, 1, &after[k], &count[k]);
    CHECK_STATUS(status[0], status[1]);
    if (status[0])
        return;
    ck_assert_uint_eq(count[0], count[1]);
    for (size_t i = 0; i < count[0]; i++) {
        SAME(&after[0][i], &after[1][i], joint);
        SAME(&after[0][i], &after[1][i], isUnique);
        SAME(&after[0][i], &after[1][i], wrench);
        SAME(&after[0][i], &after[1][i], bar);
    }
}

static size_t compareStep(ksInspector *const inspector[2])
{
    const ksReaction *reaction[2];
    size_t count[2], judged = 0;
    for (int k = 0; k < 2; k++)
        reaction[k] = ksInspectorGetReactions(inspector[k], &count[k]);
    ck_assert_uint_eq(count[0], count[1]);
    for (size_t i = 0; i < count[0]; i++) {
        compareReaction(&reaction[0][i], &reaction[1][i]);
        judged += reaction[0][i].verdict > KS_UNCHECKED;
    }
    compareReports(ksInspectorGetStepReport(inspector[0]), ksInspectorGetStepReport(inspector[1]));
    return judged;
}

START_TEST(whatever_memory_holds)
{
    unsigned char byte[2] = {0, 0xff};
    Scene *scene = makeKind(_i / 2, h);
    ksInspector *inspector[2];
    for (int k = 0; k < 2; k++)
        inspector[k] = inspectFilling(scene->world, _i % 2 ? KS_CONTACTS_SOLVED : KS_CONTACTS_REPORTED, &byte[k]);
    size_t judged = 0;
    for (int i = 0; i < STEPS; i++) {
        sceneBeforeStep(scene);
        for (int k = 0; k < 2; k++)
            CHECK_OK(ksInspectorBeginStep(inspector[k], KS_QUICK_STEP, h));
        ck_assert(dWorldQuickStep(scene->world, h));
        for (int k = 1; k >= 0; k--)
            CHECK_OK(ksInspectorEndStep(inspector[k]));
        if (i >= STEPS - LAST)
            judged += compareStep(inspector);
        sceneAfterStep(scene);
    }
    ck_assert_uint_ge(judged, LAST);
    for (int i = 0; i < scene->jointCount; i++)
        compareAfter(inspector, scene->joint[i]);
    for (int k = 0; k < 2; k++)
        ksInspectorDestroy(inspector[k]);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    TCase *filled = tcase_create("filled");
    tcase_add_loop_test(filled, whatever_memory_holds, 0, 2 * kindCount());
    return runCase("new_memory", filled);
}

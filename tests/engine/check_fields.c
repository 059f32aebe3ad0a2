/* check_fields.c  The fields of joints: each class of this engine has them where the tables say,
 * and packed fields are unpacked unchanged. */
#include "engine/copy.h"
#include "engine/fields.h"
#include "tests/kits/support.h"

START_TEST(all_classes_are_proven)
{
    const dWorldID world = dWorldCreate();
    ksiEngine engine;
    ksiClasses classes;
    CHECK_OK(ksiEngineOpen(world, &engine));
    CHECK_OK(ksiProveFields(&engine, &classes));
    for (int type = 1; type < KSI_JOINT_TYPES; type++) {
        ck_assert_ptr_nonnull(ksiFieldsOfType(type));
        ck_assert_msg(classes.isKnown[type], "%s", ksiFieldsOfType(type)->name);
        ck_assert_uint_eq(classes.words[type], ksiFieldWords(ksiFieldsOfType(type)));
    }
    ck_assert_ptr_null(ksiFieldsOfType(0));
    ck_assert_ptr_null(ksiFieldsOfType(KSI_JOINT_TYPES));
    dWorldDestroy(world);
}
END_TEST

static int allocations;

static void *count(dsizeint size)
{
    allocations++;
    return malloc(size);
}

static void *resize(void *memory, dsizeint oldSize, dsizeint newSize)
{
    (void)oldSize;
    return realloc(memory, newSize);
}

static void release(void *memory, dsizeint size)
{
    (void)size;
    free(memory);
}

/* The proof creates joints, for which the engine allocates. */
START_TEST(proof_is_made_once)
{
    ksiEngine engine, other;
    ksiClasses classes, again;
    dSetAllocHandler(count);
    dSetReallocHandler(resize);
    dSetFreeHandler(release);
    const dWorldID world = dWorldCreate();
    CHECK_OK(ksiEngineOpen(world, &engine));
    CHECK_OK(ksiProveFields(&engine, &classes));
    allocations = 0;
    CHECK_OK(ksiProveFields(&engine, &again));
    ck_assert_int_eq(allocations, 0);
    ck_assert_mem_eq(&classes, &again, sizeof classes);
    // an engine with other classes counts as another engine
    other = engine;
    other.vtable[dJointTypePR] = NULL;
    CHECK_OK(ksiProveFields(&other, &again));
    ck_assert_int_gt(allocations, KSI_JOINT_TYPES / 2);
    ck_assert(!again.isKnown[dJointTypePR] && again.isKnown[dJointTypePU]);
    CHECK_OK(ksiProveFields(&engine, &again));
    ck_assert_mem_eq(&classes, &again, sizeof classes);
    dWorldDestroy(world);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("fields");
    tcase_add_test(test, all_classes_are_proven);
    tcase_add_test(test, proof_is_made_once);
    return runCase("fields", test);
}
